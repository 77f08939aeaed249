/* timeline.c: the sequences of a book in order: time, place, point of view, characters. */
#include "base/utf8.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

struct timeline_args {
	struct text file_path, node_id;
	int64_t limit, offset;
};
struct scene {
	struct text id, chapter, location, time, pov;
	struct texts who;
	int64_t words;
};
struct timeline_answer {
	int64_t total;
	struct objects sequences;
	struct maybe_int next_offset;
};

static const struct field timeline_in[] = {
	FILE_PATH(struct timeline_args),
	FIELD(struct timeline_args, node_id, TEXT, 0, "Only this node and below"),
	FIELD(struct timeline_args, limit, INT, 0, "Most to return", .limits = BETWEEN(1, 300), .otherwise = "200"),
	FIELD(struct timeline_args, offset, INT, 0, "Sequences to skip", .limits = AT_LEAST(0), .otherwise = "0"),
	FIELDS_END,
};
static const struct field scene_fields[] = {
	FIELD(struct scene, id, TEXT, FIELD_REQUIRED, "Id of the sequence"),
	FIELD(struct scene, chapter, TEXT, FIELD_REQUIRED, "Title of its chapter"),
	FIELD(struct scene, location, TEXT, FIELD_REQUIRED, "Where"),
	FIELD(struct scene, time, TEXT, 0, "When, as written"),
	FIELD(struct scene, pov, TEXT, 0, "Point of view: its own, else the chapter's"),
	FIELD(struct scene, who, TEXTS, FIELD_REQUIRED, "Who speaks or thinks, and the point of view"),
	FIELD(struct scene, words, INT, FIELD_REQUIRED, "Words of prose"),
	FIELDS_END,
};
static const struct shape scene_shape = SHAPE(struct scene, "scene", scene_fields);
static const struct field timeline_out[] = {
	FIELD(struct timeline_answer, total, INT, FIELD_REQUIRED, "How many sequences"),
	FIELD(struct timeline_answer, sequences, OBJECTS, FIELD_REQUIRED, "In the order of the book",
	      .shape = &scene_shape),
	FIELD(struct timeline_answer, next_offset, MAYBE_INT, 0, "There are more: call again with this offset"),
	FIELDS_END,
};

enum { WHO_MAX = 40 }; /* more names than a usual scene has; keeps the result short for every file */

static void appears(struct arena *a, struct scene *s, struct text name)
{
	name = text_trim(name);
	if (!name.len || s->who.n == WHO_MAX)
		return;
	for (size_t i = 0; i < s->who.n; i++)
		if (text_same(s->who.items[i], name))
			return;
	if (!s->who.n)
		s->who.items = arena_array(a, WHO_MAX, sizeof *s->who.items);
	s->who.items[s->who.n++] = name;
}

static struct scene scene_of(struct arena *a, const struct book *b, uint32_t node)
{
	struct scene s = {.id = book_id(a, b, node),
			  .chapter = node_attribute(a, b, b->nodes[node].parent, "title"),
			  .location = node_place_name(a, b, node),
			  .time = node_attribute(a, b, node, "time"),
			  .pov = node_pov(a, b, node)};

	appears(a, &s, s.pov);
	for (uint32_t i = node + 1; i < b->nodes[node].after; i++) {
		if (b->nodes[i].level != LEVEL_PARAGRAPH)
			continue;
		appears(a, &s, node_attribute(a, b, i, "char"));
		s.words += (int64_t)utf8_words(node_shown_prose(a, b, i));
	}
	return s;
}

static bool get_timeline(struct call *c, const void *in, void *out)
{
	const struct timeline_args *args = in;
	struct timeline_answer *answer = out;
	struct opened o;
	uint32_t top = 0;
	ARRAY(struct scene) list = {0};

	if (!book_read(c, args->file_path, &o) || (args->node_id.at && !book_node(c, &o, args->node_id, &top)))
		return false;
	for (uint32_t i = top; i < o.book->nodes[top].after; i++) {
		if (o.book->nodes[i].level != LEVEL_SEQUENCE)
			continue;
		if (answer->total++ < args->offset || (int64_t)list.n >= args->limit)
			continue;
		*ARRAY_PUSH(c->arena, &list) = scene_of(c->arena, o.book, i);
		if (!goes_on(c))
			return false;
	}
	answer->sequences = (struct objects){list.items, list.n};
	if (list.n && args->offset + (int64_t)list.n < answer->total)
		answer->next_offset = (struct maybe_int){args->offset + (int64_t)list.n, true};
	return true;
}

const struct tool hnpx_timeline_tools[] = {
	TOOL("get_timeline", "The sequences in order",
	     "Lists the sequences in order with time, place, point of view, who appears and words.",
	     TOOL_READS | TOOL_EXTRA, struct timeline_args, timeline_in, struct timeline_answer, timeline_out,
	     get_timeline, .example = "{\"file_path\":\"novel.hnpx\"}"),
	TOOLS_END,
};
