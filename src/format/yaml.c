/* yaml.c: reads with libyaml, and chooses between the two readers. The only file that uses libyaml. */
#include "format/yaml.h"

#include "base/budget.h"
#include "base/map.h"

#include <string.h>
#include <yaml.h>

/* Converts libyaml's positions, which count characters, to bytes. Positions mostly come in rising order. */
struct places {
	struct text bytes;
	size_t character, byte;
};

static uint32_t byte_of(struct places *p, const yaml_mark_t *mark)
{
	if (mark->index < p->character)
		p->character = p->byte = 0;
	while (p->character < mark->index && p->byte < p->bytes.len) {
		p->byte++;
		while (p->byte < p->bytes.len && ((unsigned char)p->bytes.at[p->byte] & 0xc0) == 0x80)
			p->byte++;
		p->character++;
	}
	return (uint32_t)p->byte;
}

struct reading {
	struct arena *arena;
	struct error *error;
	yaml_parser_t parser;
	yaml_event_t event;
	struct places places;
	struct yaml *out;
	struct yaml_entry *entry; /* the top-level entry whose value is being read */
	unsigned depth;           /* nested collections; 1: the mapping itself */
	bool key_comes, in_list;
	ARRAY(struct yaml_scalar) items;
	struct map anchors; /* anchors defined so far */
};

static bool refuse(struct reading *r, const char *message, yaml_mark_t mark)
{
	*r->error = (struct error){.fault = FAULT_OWN,
				   .message = message,
				   .line = (uint32_t)mark.line + 1,
				   .column = (uint32_t)mark.column + 1};
	return false;
}

static struct yaml_scalar scalar_of(struct reading *r, const yaml_event_t *e)
{
	static const enum yaml_quote quotes[] = {
		[YAML_ANY_SCALAR_STYLE] = YAML_PLAIN,
		[YAML_PLAIN_SCALAR_STYLE] = YAML_PLAIN,
		[YAML_SINGLE_QUOTED_SCALAR_STYLE] = YAML_SINGLE,
		[YAML_DOUBLE_QUOTED_SCALAR_STYLE] = YAML_DOUBLE,
		[YAML_LITERAL_SCALAR_STYLE] = YAML_TEXT_BLOCK,
		[YAML_FOLDED_SCALAR_STYLE] = YAML_TEXT_BLOCK,
	};
	struct text value = {(const char *)e->data.scalar.value, e->data.scalar.length};

	return (struct yaml_scalar){.value = text_copy(r->arena, value),
				    .from = byte_of(&r->places, &e->start_mark),
				    .to = byte_of(&r->places, &e->end_mark),
				    .quote = quotes[e->data.scalar.style]};
}

/* The value of a top-level entry is complete. */
static void end_value(struct reading *r)
{
	r->entry->items = r->items.items;
	r->entry->n = r->items.n;
	memset(&r->items, 0, sizeof r->items);
	r->key_comes = true;
	r->in_list = false;
}

static void take_scalar(struct reading *r, const yaml_event_t *e)
{
	struct yaml_scalar s = scalar_of(r, e);

	if (r->depth == 1 && r->key_comes) {
		r->entry = ARRAY_PUSH(r->arena, &r->out->entries);
		*r->entry = (struct yaml_entry){.key = s, .all_scalars = true};
		r->key_comes = false;
		return;
	}
	*ARRAY_PUSH(r->arena, &r->out->scalars) = s;
	if (r->depth == 1) {
		r->entry->type = YAML_SCALAR;
		r->entry->from = s.from;
		r->entry->to = s.to;
		*ARRAY_PUSH(r->arena, &r->items) = s;
		end_value(r);
	} else if (r->depth == 2 && r->in_list) {
		*ARRAY_PUSH(r->arena, &r->items) = s;
		if (r->entry->type == YAML_BLOCK_LIST)
			r->entry->to = s.to;
	}
}

static bool open_collection(struct reading *r, const yaml_event_t *e)
{
	bool is_list = e->type == YAML_SEQUENCE_START_EVENT;

	if (r->depth == 0 && is_list)
		return refuse(r, "front matter must be a mapping, not a list", e->start_mark);
	if (r->depth == 1 && r->key_comes)
		return refuse(r, "a key must be a word, not a collection", e->start_mark);
	if (r->depth == 1) {
		bool is_flow = is_list && e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
		r->in_list = is_list;
		r->entry->type = is_flow ? YAML_FLOW_LIST : is_list ? YAML_BLOCK_LIST : YAML_OTHER;
		r->entry->from = byte_of(&r->places, &e->start_mark);
		r->entry->to = byte_of(&r->places, &e->end_mark);
		r->entry->all_scalars = is_list;
	} else if (r->depth > 1) {
		r->entry->all_scalars = false;
	}
	r->depth++;
	return true;
}

static void close_collection(struct reading *r, const yaml_event_t *e)
{
	r->depth--;
	if (r->depth != 1)
		return;
	if (r->entry->type != YAML_BLOCK_LIST || !r->entry->all_scalars)
		r->entry->to = byte_of(&r->places, &e->end_mark);
	end_value(r);
}

static void take_anchor(struct reading *r, const yaml_event_t *e)
{
	const yaml_char_t *anchor = e->type == YAML_SCALAR_EVENT           ? e->data.scalar.anchor
				    : e->type == YAML_SEQUENCE_START_EVENT ? e->data.sequence_start.anchor
				    : e->type == YAML_MAPPING_START_EVENT  ? e->data.mapping_start.anchor
									   : NULL;

	if (anchor)
		map_at(&r->anchors, text_copy(r->arena, text_of((const char *)anchor)), 0, NULL);
}

static bool take(struct reading *r, const yaml_event_t *e)
{
	take_anchor(r, e);
	switch (e->type) {
	case YAML_SCALAR_EVENT:
		if (!r->depth && e->data.scalar.length)
			return refuse(r, "front matter must be a mapping of keys to values", e->start_mark);
		if (r->depth)
			take_scalar(r, e);
		return true;
	case YAML_ALIAS_EVENT:
		/* libyaml's scanner does not check that the anchor exists. Every reader that follows aliases refuses
		 * this. */
		if (!map_find(&r->anchors, text_of((const char *)e->data.alias.anchor)))
			return refuse(r, "an alias has no anchor before it", e->start_mark);
		if (r->depth == 1 && r->key_comes)
			return refuse(r, "a key must be a word, not an alias", e->start_mark);
		if (r->depth == 1) {
			r->entry->type = YAML_OTHER;
			r->entry->all_scalars = false;
			r->entry->from = byte_of(&r->places, &e->start_mark);
			r->entry->to = byte_of(&r->places, &e->end_mark);
			end_value(r);
		} else if (r->depth == 2) {
			r->entry->all_scalars = false;
		}
		return true;
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT: return open_collection(r, e);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT: close_collection(r, e); return true;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_START_EVENT:
	case YAML_DOCUMENT_END_EVENT: return true;
	}
	return true;
}

static bool read_events(struct reading *r)
{
	unsigned documents = 0;

	for (;;) {
		if (!yaml_parser_parse(&r->parser, &r->event))
			return refuse(
				r, r->parser.problem ? text_string(r->arena, text_of(r->parser.problem)) : "not YAML",
				r->parser.problem_mark);
		enum yaml_event_type_e type = r->event.type;
		bool goes = type != YAML_DOCUMENT_START_EVENT || ++documents == 1
				    ? take(r, &r->event)
				    : refuse(r, "front matter contains a second document", r->event.start_mark);
		yaml_event_delete(&r->event);
		if (!goes || type == YAML_STREAM_END_EVENT)
			return goes;
	}
}

static void reading_release(void *of)
{
	struct reading *r = of;

	yaml_event_delete(&r->event);
	yaml_parser_delete(&r->parser);
}

struct yaml *yaml_full(struct arena *a, struct text bytes, struct error *error)
{
	if (bytes.len > YAML_MAX) {
		*error = (struct error){
			.fault = FAULT_OWN, .message = "front matter is larger than 256 KiB", .line = 1, .column = 1};
		return NULL;
	}
	struct reading *r = arena_new(a, struct reading);
	*r = (struct reading){.arena = a,
			      .error = error,
			      .places = {.bytes = bytes},
			      .out = arena_new(a, struct yaml),
			      .key_comes = true,
			      .anchors = {.arena = a}};
	if (!yaml_parser_initialize(&r->parser))
		out_of_memory();
	own_object(reading_release, r);
	yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r->parser, (const unsigned char *)bytes.at, bytes.len);
	bool done = read_events(r);
	own_not(r);
	reading_release(r);
	return done ? r->out : NULL;
}

struct yaml *yaml_parse(struct arena *a, struct text bytes, struct error *error)
{
	struct yaml *quick = yaml_quick(a, bytes);

	return quick ? quick : yaml_full(a, bytes, error);
}

size_t yaml_count(const struct yaml *y, const char *key)
{
	size_t n = 0;

	for (size_t i = 0; y && i < y->entries.n; i++)
		n += text_is(y->entries.items[i].key.value, key);
	return n;
}

const struct yaml_entry *yaml_find(const struct yaml *y, const char *key)
{
	for (size_t i = 0; y && i < y->entries.n; i++)
		if (text_is(y->entries.items[i].key.value, key))
			return &y->entries.items[i];
	return NULL;
}
