#include "kinds/docx/track/comparing.h"

enum { MOVES_MAX = 2000 }; /* maximum of paragraphs that are checked for moves */

static struct text key_of(struct arena *a, uint32_t from)
{
	return (struct text){arena_copy(a, &from, sizeof from), sizeof from};
}

void moves_find(struct comparing *k)
{
	uint32_t moves = 0;
	bool *taken = arena_array(k->c->arena, k->come.list.n + 1, sizeof *taken);

	for (size_t i = 0; i < k->gone.list.n && i < MOVES_MAX && goes_on(k->c); i++) {
		double best = 0.8;
		size_t found = SIZE_MAX;
		for (size_t j = 0; j < k->come.list.n && j < MOVES_MAX && k->gone.list.items[i].like->words_n >= 3;
		     j++) {
			double alike = taken[j] ? 0 : similarity(&k->gone.list.items[i], &k->come.list.items[j]);
			if (alike >= best && (found == SIZE_MAX || alike > best)) {
				best = alike;
				found = j;
			}
		}
		if (found == SIZE_MAX)
			continue;
		taken[found] = true;
		moves++;
		map_at(&k->moved_from, key_of(k->c->arena, k->gone.list.items[i].from), moves, NULL);
		map_at(&k->moved_to, key_of(k->c->arena, k->come.list.items[found].from), moves, NULL);
	}
}

const uint32_t *move_of(const struct comparing *k, uint32_t from, bool inserted)
{
	return map_find(inserted ? &k->moved_to : &k->moved_from, (struct text){(const char *)&from, sizeof from});
}

static void put_range_mark(const struct comparing *k, struct buffer *to, const struct names *names, const char *element,
			   int32_t id, uint32_t move)
{
	names_open(to, names, element);
	names_attribute(to, names, "id", text_format(to->arena, "%d", id));
	if (move) {
		names_attribute(to, names, "name", text_format(to->arena, "move%u", move));
		names_attribute(to, names, "author", k->stamp->author);
		names_attribute(to, names, "date", k->stamp->date);
	}
	buffer_put(to, "/>");
}

struct text move_marked(struct comparing *k, struct arena *a, struct text paragraph, const struct names *names,
			bool inserted, uint32_t move)
{
	struct buffer out = {.arena = a};
	struct fragment f;
	int32_t id = k->stamp->next_id++;

	if (!fragment_parse(a, paragraph, names, &f))
		return paragraph;
	uint32_t ppr = fragment_child(&f, f.xml.root, TAG_PPR);
	uint32_t at = ppr == XML_NONE ? f.xml.nodes[f.xml.root].inner : f.xml.nodes[ppr].to;
	buffer_add(&out, text_slice(paragraph, 0, at));
	put_range_mark(k, &out, names, inserted ? "moveToRangeStart" : "moveFromRangeStart", id, move);
	buffer_add(&out, text_slice(paragraph, at, paragraph.len));
	put_range_mark(k, &out, names, inserted ? "moveToRangeEnd" : "moveFromRangeEnd", id, 0);
	return buffer_text(&out);
}
