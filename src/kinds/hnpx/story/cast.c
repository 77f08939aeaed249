/* cast.c: lists the characters of a book, and renames one. */
#include "kinds/hnpx/story/cast.h"
#include "base/map.h"
#include "base/utf8.h"
#include "kinds/hnpx/bible/beside.h"
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tree/sprout.h"
#include "kinds/hnpx/prose/loose.h"
#include "kinds/hnpx/prose/names.h"

struct spelling {
	struct text name;
	int64_t count;
};
struct character {
	struct text name;
	struct objects spellings;
	int64_t speaks, thinks, pov, in_prose;
	struct text first_id, last_id;
};
static const struct field spelling_fields[] = {
	FIELD(struct spelling, name, TEXT, FIELD_REQUIRED, "As written"),
	FIELD(struct spelling, count, INT, FIELD_REQUIRED, "Number of attributes that have it"),
	FIELDS_END,
};
static const struct shape spelling_shape = SHAPE(struct spelling, "spelling", spelling_fields);
static const struct field character_fields[] = {
	FIELD(struct character, name, TEXT, FIELD_REQUIRED, "First spelling"),
	FIELD(struct character, spellings, OBJECTS, FIELD_REQUIRED, "Spellings that differ in case or accents",
	      .shape = &spelling_shape),
	FIELD(struct character, speaks, INT, FIELD_REQUIRED, "Paragraphs of dialogue"),
	FIELD(struct character, thinks, INT, FIELD_REQUIRED, "Other paragraphs with this char"),
	FIELD(struct character, pov, INT, FIELD_REQUIRED, "Chapters and sequences with this pov"),
	FIELD(struct character, in_prose, INT, FIELD_REQUIRED, "Times the name occurs in prose"),
	FIELD(struct character, first_id, TEXT, FIELD_REQUIRED, "Node where the name is met first"),
	FIELD(struct character, last_id, TEXT, FIELD_REQUIRED, "And last"),
	FIELDS_END,
};
const struct shape character_shape = SHAPE(struct character, "character", character_fields);
struct member {
	struct text name, loose;
	ARRAY(struct spelling) spellings;
	int64_t speaks, thinks, pov, in_prose;
	uint32_t first, last;
};
struct cast {
	struct arena *arena;
	const struct book *book;
	struct map places; /* maps a loose name to a member */
	ARRAY(struct member) list;
};

static void meet(struct member *m, uint32_t node)
{
	m->first = node < m->first ? node : m->first;
	m->last = node > m->last ? node : m->last;
}

static struct member *cast_member(struct cast *c, struct text name, uint32_t node)
{
	name = text_trim(name);
	if (!name.len)
		return NULL;
	bool was;
	struct text loose = loose_text(c->arena, name);
	uint32_t at = *map_at(&c->places, loose, (uint32_t)c->list.n, &was);
	if (!was)
		*ARRAY_PUSH(c->arena, &c->list) = (struct member){.name = name, .loose = loose, .first = node};
	struct member *m = &c->list.items[at];
	meet(m, node);
	for (size_t i = 0; i < m->spellings.n; i++)
		if (text_same(m->spellings.items[i].name, name)) {
			m->spellings.items[i].count++;
			return m;
		}
	*ARRAY_PUSH(c->arena, &m->spellings) = (struct spelling){name, 1};
	return m;
}

static void cast_attributes(struct cast *c, uint32_t node)
{
	const struct book *b = c->book;
	bool is_paragraph = b->nodes[node].level == LEVEL_PARAGRAPH;
	struct member *m = cast_member(c, node_attribute(c->arena, b, node, is_paragraph ? "char" : "pov"), node);

	if (!m)
		return;
	if (!is_paragraph)
		m->pov++;
	else if (node_mode(c->arena, b, node) == MODE_DIALOGUE)
		m->speaks++;
	else
		m->thinks++;
}

bool cast_list(struct call *c, const struct book *b, uint32_t top, struct page page, struct listed *out)
{
	struct cast cast = {.arena = c->arena, .book = b, .places = {.arena = c->arena}};

	for (uint32_t i = top; i < b->nodes[top].after; i++)
		cast_attributes(&cast, i);
	size_t from = page.offset < (int64_t)cast.list.n ? (size_t)page.offset : cast.list.n;
	size_t end = (int64_t)(cast.list.n - from) > page.limit ? from + (size_t)page.limit : cast.list.n;
	for (uint32_t i = top; i < b->nodes[top].after; i++) {
		if (b->nodes[i].level != LEVEL_PARAGRAPH)
			continue;
		struct arena scratch = {0};
		struct text prose = loose_text(&scratch, node_shown_prose(&scratch, b, i));
		for (size_t k = from; k < end; k++) {
			size_t n = name_count(prose, cast.list.items[k].loose);
			cast.list.items[k].in_prose += (int64_t)n;
			if (n)
				meet(&cast.list.items[k], i);
		}
		arena_free(&scratch);
		if (!(i % 64) && !goes_on(c))
			return false;
	}
	struct character *list = arena_array(c->arena, end - from + 1, sizeof *list);
	for (size_t k = from; k < end; k++) {
		const struct member *m = &cast.list.items[k];
		list[k - from] = (struct character){.name = m->name,
						    .spellings = {m->spellings.items, m->spellings.n},
						    .speaks = m->speaks,
						    .thinks = m->thinks,
						    .pov = m->pov,
						    .in_prose = m->in_prose,
						    .first_id = book_id(c->arena, b, m->first),
						    .last_id = book_id(c->arena, b, m->last)};
	}
	*out = (struct listed){.total = (int64_t)cast.list.n, .items = {list, end - from}};
	return true;
}
