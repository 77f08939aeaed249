/* Any bytes: parsed, read and edited. Bytes that are not a book are refused. A book stays a book under every edit,
 * bytes outside the edit stay, and its shifted nodes equal those of a new parse (asserted inside edits_book()). */
#include "kinds/hnpx/applied.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/export/manuscript.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tools/render.h"
#include "kinds/hnpx/tools/show.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Every way of reading a book terminates. */
static void read_all(struct arena *a, const struct book *b)
{
	struct buffer out = {.arena = a};
	struct render_options options = {.ids = true, .headings = true, .start = BOOK_NONE};
	struct manuscript m = {.book = b, .title = TEXT("t"), .author = TEXT("a"), .language = TEXT("en")};

	for (uint32_t i = 0; i < b->n; i++)
		show_node(&out, a, b, i, 0);
	render_outline(&out, a, b, 0, &options);
	render_prose(&out, a, b, 0, &options);
	manuscript_markdown(a, &m);
	manuscript_epub(a, &m);
	manuscript_docx(a, &m);
	m.marks_unwritten = true;
	manuscript_html(a, &m);
}

enum { EDITS = 8, MOVED_MOST = 4 };

/* Inserts new children of a node; they contain what was given. */
static void insert(struct arena *a, struct edits *e, uint32_t node, uint32_t place, struct text words)
{
	const struct book *b = e->book;
	int level = b->nodes[node].level;
	struct sprout s = {.level = (enum level)(level + 1), .id = 7, .summary = words, .text = words};

	if (level == LEVEL_PARAGRAPH || book_find(b, s.id) != BOOK_NONE)
		return;
	if (level == LEVEL_BOOK)
		s.title = words;
	if (level == LEVEL_CHAPTER)
		s.location = words;
	if (level == LEVEL_BEAT && book_drops_summaries(b))
		s.summary = (struct text){0};
	edits_insert(e, node, place, &s, 1);
	struct book *after = edits_applied(e, a);
	uint32_t now = book_find(after, s.id);
	require(text_same(node_summary(a, after, now), s.summary));
	require(level != LEVEL_BEAT || text_same(node_prose(a, after, now).text, words));
	require(level != LEVEL_BOOK || text_same(node_attribute(a, after, now, "title"), words));
	read_all(a, after);
}

/* Moves some siblings of a node, with the node itself, to another parent of the level: their bytes stay the same. */
static void move(struct arena *a, struct edits *e, uint32_t node, const uint8_t *choice)
{
	const struct book *b = e->book;
	uint32_t nodes[MOVED_MOST], n = 0, to = b->nodes[node].parent;

	for (uint32_t i = b->nodes[node].parent + 1; i < b->nodes[b->nodes[node].parent].after && n < MOVED_MOST;
	     i = b->nodes[i].after)
		if (i == node || choice[2] >> n & 1)
			nodes[n++] = i;
	for (uint32_t i = choice[2] % b->n; i < b->n; i++)
		if (b->nodes[i].level + 1 == b->nodes[node].level) {
			to = i;
			break;
		}
	if (n > 1 && choice[0] & 64) {
		uint32_t first = nodes[0];
		nodes[0] = nodes[n - 1];
		nodes[n - 1] = first;
	}
	edits_move(e, to, choice[2] % (b->nodes[to].children + 1), nodes, n);
	struct book *after = edits_applied(e, a);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t now = book_find(after, b->nodes[nodes[i]].id);
		require(now != BOOK_NONE && after->nodes[after->nodes[now].parent].id == b->nodes[to].id);
		require(text_same(text_slice(b->bytes, b->nodes[nodes[i]].from, b->nodes[nodes[i]].to),
				  text_slice(after->bytes, after->nodes[now].from, after->nodes[now].to)));
	}
	read_all(a, after);
}

/* Reverses the children of a node; twice restores the order. */
static void turn(struct arena *a, const struct book *b, uint32_t node)
{
	const struct book *now = b;

	for (int times = 0; times < 2; times++) {
		struct edits e = {.arena = a, .book = now};
		uint32_t parent = book_find(now, b->nodes[node].id), n = now->nodes[parent].children, at = n;
		uint32_t *order = arena_array(a, n + 1, sizeof *order);
		for (uint32_t i = parent + 1; i < now->nodes[parent].after; i = now->nodes[i].after)
			order[--at] = i;
		edits_reorder(&e, parent, order, n);
		now = edits_applied(&e, a);
		read_all(a, now);
	}
	require(b->n == now->n);
	for (uint32_t i = 0; i < b->n; i++)
		require(b->nodes[i].id == now->nodes[i].id);
}

static void reword(struct arena *a, struct edits *e, uint32_t node, struct text words, bool prose)
{
	const struct book *b = e->book;

	if (prose && b->nodes[node].level == LEVEL_PARAGRAPH)
		edits_prose(e, node, words);
	else if (!prose && b->nodes[node].summary != b->nodes[node].summary_to)
		edits_summary(e, node, words);
	else
		return;
	struct book *after = edits_applied(e, a);
	uint32_t now = book_find(after, b->nodes[node].id);
	require(text_same(prose ? node_prose(a, after, now).text : node_summary(a, after, now), words));
	read_all(a, after);
}

/* The last bytes choose an edit and a node; the words are part of the input too. */
static void edit(struct arena *a, const struct book *b, const uint8_t *choice, struct text words)
{
	struct edits e = {.arena = a, .book = b};
	uint32_t node = choice[1] % b->n;

	words.len = words.len ? xml_unwritable(words) : 0;
	if (text_is_blank(words))
		return;
	switch (choice[0] % EDITS) {
	case 0: insert(a, &e, node, choice[2], words); return;
	case 1: reword(a, &e, node, words, false); return;
	case 2: reword(a, &e, node, words, true); return;
	case 3:
		if (node)
			move(a, &e, node, choice);
		return;
	case 4: turn(a, b, node); return;
	case 5:
		if (node)
			edits_remove(&e, node);
		break;
	case 6:
		if (b->nodes[node].level == LEVEL_CHAPTER)
			edits_attributes(&e, node, (struct attribute_edit[]){{"pov", words}, {"title", TEXT("x")}}, 2);
		break;
	default:
		for (uint32_t i = node + 1; i < b->nodes[node].after; i = b->nodes[i].after)
			edits_remove(&e, i);
		break;
	}
	read_all(a, edits_applied(&e, a));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct arena arena = {0};
	struct error error = {0};
	struct problems problems = {0};

	if (len < 3)
		return 0;
	struct text source = text_copy(&arena, (struct text){(const char *)bytes, len - 3});
	struct book *b = book_parse(&arena, source, &problems, &error);
	require(b || (error.message && error.code && (!strcmp(error.code, "INVALID_XML") || problems.list.n)));
	if (b) {
		read_all(&arena, b);
		edit(&arena, b, bytes + len - 3, text_slice(source, source.len / 2, source.len / 2 + 20));
	}
	arena_free(&arena);
	return 0;
}
