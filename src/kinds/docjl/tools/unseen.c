#include "kinds/docjl/tools/unseen.h"

#include "base/unseen.h"

#include <string.h>

enum { PLACES_MAX = 10 };

struct counts {
	int64_t of[UNSEEN_SORTS];
};

static void text_count(struct counts *n, struct text t)
{
	size_t at = 0, len;

	for (enum unseen sort; (sort = unseen_next(t, &at, &len)) != UNSEEN_NONE; at += len)
		n->of[sort]++;
}

/* A block, or a hit with a label. */
static bool is_block(const struct json *v) { return json_is(v, JSON_OBJECT) && json_get(v, "label"); }

/* The strings of a block, without the blocks below it. */
static void block_count(struct counts *n, const struct json *v)
{
	if (v->type == JSON_STRING)
		text_count(n, json_text(v));
	for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->len; i++)
		block_count(n, &v->items[i]);
	for (uint32_t i = 0; v->type == JSON_OBJECT && i < v->len; i++) {
		const struct json_member *m = &v->members[i];
		text_count(n, (struct text){m->key, m->key_len});
		if (strcmp(m->key, "children") != 0)
			block_count(n, &m->value);
	}
}

static struct text counts_text(struct arena *a, const struct counts *n)
{
	struct buffer b = {.arena = a};
	int64_t all = 0;

	for (int i = UNSEEN_NONE + 1; i < UNSEEN_SORTS; i++) {
		if (!n->of[i])
			continue;
		buffer_format(&b, "%s%lld %s", all ? ", " : "", (long long)n->of[i], unseen_names[i]);
		all += n->of[i];
	}
	if (!all)
		return (struct text){0};
	buffer_put(&b, all == 1 ? " character that a person does not see" : " characters that a person does not see");
	return buffer_text(&b);
}

struct text unseen_of_block(struct arena *a, const struct json *block)
{
	struct counts n = {0};

	block_count(&n, block);
	return counts_text(a, &n);
}

struct finding {
	struct call *c;
	int64_t places;
};

static void find_below(struct finding *f, const struct json *v, struct text place)
{
	if (is_block(v)) {
		struct text said = unseen_of_block(f->c->arena, v), label = json_text(json_get(v, "label"));
		place = label.len ? label : TEXT("a block without a label");
		if (said.at && f->places++ < PLACES_MAX)
			warn(f->c, "%s has %.*s", shown(f->c, place), TEXT_ARGS(said));
	} else if (v->type == JSON_STRING) {
		struct counts n = {0};
		text_count(&n, json_text(v));
		struct text said = counts_text(f->c->arena, &n);
		if (said.at && f->places++ < PLACES_MAX)
			warn(f->c, "%s has %.*s", shown(f->c, place), TEXT_ARGS(said));
	}
	for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->len; i++)
		find_below(f, &v->items[i], place);
	for (uint32_t i = 0; v->type == JSON_OBJECT && i < v->len; i++)
		if (!is_block(v) || !strcmp(v->members[i].key, "children"))
			find_below(f, &v->members[i].value,
				   is_block(v) ? place : (struct text){v->members[i].key, v->members[i].key_len});
}

const struct json *parsed_seen(struct call *c, struct buffer *b)
{
	const struct docjl *kind = c->state;
	struct finding f = {.c = c};
	size_t at = 0, len;

	/* Most manuals hide nothing. Control characters are escaped in JSON. */
	bool may_hide = unseen_next(buffer_text(b), &at, &len) != UNSEEN_NONE ||
			text_find(buffer_text(b), TEXT("\\u00"), 0) != SIZE_MAX;
	const struct json *v = parsed(c, b);
	if (!may_hide)
		return v;
	find_below(&f, v, TEXT("the result"));
	if (f.places > PLACES_MAX)
		warn(c, "and %lld more blocks; mcp_docjl_validate_schema lists all",
		     (long long)(f.places - PLACES_MAX));
	if (!f.places || !kind->leaves_unseen_out)
		return v;
	struct buffer clean = {.arena = c->arena};
	buffer_add(&clean, unseen_without(c->arena, buffer_text(b)));
	warn(c, "they were left out; change these blocks by parts, with update_block");
	return parsed(c, &clean);
}

void unseen_in_page(struct call *c, struct text page)
{
	struct counts n = {0};

	text_count(&n, page);
	struct text said = counts_text(c->arena, &n);
	if (said.at)
		warn(c, "the page has %.*s; mcp_docjl_validate_schema lists the blocks", TEXT_ARGS(said));
}
