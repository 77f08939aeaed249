/* timeline.c: the sequences of a book in order: time, place, point of view, characters. */
#include "base/utf8.h"
#include "kinds/hnpx/story/cast.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

struct scene {
	struct text id, chapter, location, time, pov;
	struct texts who;
	int64_t words;
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
const struct shape scene_shape = SHAPE(struct scene, "scene", scene_fields);
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

bool scenes_list(struct call *c, const struct book *b, uint32_t top, struct page page, struct listed *out)
{
	ARRAY(struct scene) list = {0};

	*out = (struct listed){0};
	for (uint32_t i = top; i < b->nodes[top].after; i++) {
		if (b->nodes[i].level != LEVEL_SEQUENCE)
			continue;
		if (out->total++ < page.offset || (int64_t)list.n >= page.limit)
			continue;
		*ARRAY_PUSH(c->arena, &list) = scene_of(c->arena, b, i);
		if (!goes_on(c))
			return false;
	}
	out->items = (struct objects){list.items, list.n};
	return true;
}
