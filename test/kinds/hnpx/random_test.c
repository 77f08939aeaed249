/* Ten thousand random edits: the book stays valid, bytes outside the edits are unchanged, and undoing all edits gives
 * the first bytes again. (Every edit itself asserts that the shifted nodes equal a fresh parse.) */
#include "support/check.h"

#include "base/map.h"
#include "kinds/hnpx/applied.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

#include <stdlib.h>
#include <string.h>

enum { EDITS = 10000, DIALECTS = 4, NODES_MOST = 120 };

static const char *const sources[DIALECTS] = {
	/* by hand, in the specification's form: odd blanks, comments, references, sections */
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- before -->\n<book id=\"bbbbbb\">\n  <summary>A   "
	"book</summary>\n"
	"  <chapter title='One' id=\"c00001\" pov=\"mira\" ><summary>s</summary>\n\n    <!-- of the sequence -->\n"
	"    <sequence id=\"s00001\" loc=\"l\"><summary>s</summary>\n <beat "
	"id=\"e00001\"><summary>s</summary><paragraph id=\"p00001\">"
	"<summary>s &amp; t</summary>\n          framed words\n        </paragraph><paragraph id=\"p00002\" "
	"mode=\"dialogue\" char=\"Tom\">"
	"<summary>s</summary><![CDATA[<raw>]]> a <!-- mark -->&#x431;\n</paragraph></beat></sequence>\r\n  </chapter>\n"
	"<chapter id=\"c00002\" title=\"Two\"><summary>s</summary></chapter></book>\n<!-- behind --> <?done?>\n",
	/* prose before the summary */
	"\xef\xbb\xbf<book id=\"bbbbbb\"><summary>s</summary><chapter id=\"c00001\" title=\"t\"><summary>s</summary>"
	"<sequence id=\"s00001\" loc=\"l\"><summary>s</summary><beat id=\"e00001\"><summary>s</summary>"
	"<paragraph id=\"p00001\">first<summary>s</summary></paragraph></beat></sequence></chapter></book>",
	/* later: location, no summaries in paragraphs, an empty one */
	"<book id=\"bbbbbb\">\n\t<summary>s</summary>\n\t<chapter id=\"c00001\" "
	"title=\"t\">\n\t\t<summary>s</summary>\n"
	"\t\t<sequence id=\"s00001\" location=\"l\">\n\t\t\t<summary>s</summary>\n\t\t\t<beat "
	"id=\"e00001\">\n\t\t\t\t<summary>s</summary>\n"
	"\t\t\t\t<paragraph id=\"p00001\">words</paragraph>\n\t\t\t\t<paragraph id=\"p00002\" "
	"/>\n\t\t\t</beat>\n\t\t</sequence>\n"
	"\t</chapter>\n</book>\n",
	/* from an editor that ends lines in CRLF and indents by tabs */
	"<book id=\"bbbbbb\">\r\n\t<summary>s</summary>\r\n\t<chapter id=\"c00001\" title=\"t\">\r\n\t\t<summary>s\r\nt"
	"</summary>\r\n\t\t<sequence id=\"s00001\" loc=\"l\">\r\n\t\t\t<summary>s</summary>\r\n\t\t\t<beat "
	"id=\"e00001\">\r\n"
	"\t\t\t\t<summary>s</summary>\r\n\t\t\t\t<paragraph id=\"p00001\">\r\n\t\t\t\t\t<summary>s</summary>\r\n"
	"\t\t\t\t\twords\r\n\t\t\t\t\tand more\r\n\t\t\t\t</paragraph>\r\n\t\t\t</beat>\r\n\t\t</sequence>\r\n"
	"\t</chapter>\r\n</book>\r\n",
};

static uint64_t seed;

/* xorshift: the same sequence in every run */
static uint32_t chance(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)((seed >> 16) % below);
}

static struct text words(void)
{
	static const char *const some[] = {
		"plain",          "a & b < c > d", "\"quoted\" 'too'",        "Ёлка\nи снег",         "  blanks  ",
		"]]> <!-- x -->", "line\r\nend",   "\n          f\n        ", "e\xcc\x81 👩‍🚀"};

	return text_of(some[chance(ARRAY_COUNT(some))]);
}

static uint32_t fresh_id(const struct book *b)
{
	uint32_t id;

	do
		id = chance(2000000000);
	while (book_find(b, id) != BOOK_NONE);
	return id;
}

/* A node of one of the levels [from, to]; BOOK_NONE: none was found. */
static uint32_t some_node(const struct book *b, int from, int to)
{
	for (int i = 0; i < 50; i++) {
		uint32_t node = chance(b->n);
		if (b->nodes[node].level >= from && b->nodes[node].level <= to)
			return node;
	}
	return BOOK_NONE;
}

static struct sprout some_sprout(const struct book *b, enum level level)
{
	struct sprout s = {.level = level, .id = fresh_id(b), .summary = words()};

	if (level == LEVEL_CHAPTER)
		s.title = words();
	if (level == LEVEL_SEQUENCE)
		s.location = words();
	if (level == LEVEL_PARAGRAPH) {
		s.text = words();
		if (book_drops_summaries(b))
			s.summary = (struct text){0};
	}
	return s;
}

static void insert(struct edits *e)
{
	const struct book *b = e->book;
	uint32_t parent = some_node(b, LEVEL_BOOK, LEVEL_BEAT);

	if (parent == BOOK_NONE || b->n > NODES_MOST)
		return;
	struct sprout s = some_sprout(b, b->nodes[parent].level + 1u);
	edits_insert(e, parent, chance(b->nodes[parent].children + 1), &s, 1);
}

static void remove_one(struct edits *e)
{
	uint32_t node = some_node(e->book, LEVEL_CHAPTER, LEVEL_PARAGRAPH);

	/* The content shows the dialect, so the first paragraph and the first sequence must stay. */
	if (node != BOOK_NONE && node > 4)
		edits_remove(e, node);
}

static void reorder(struct edits *e)
{
	const struct book *b = e->book;
	uint32_t parent = some_node(b, LEVEL_BOOK, LEVEL_BEAT), order[NODES_MOST + 8], n = 0;

	if (parent == BOOK_NONE || !b->nodes[parent].children)
		return;
	for (uint32_t i = parent + 1; i < b->nodes[parent].after; i = b->nodes[i].after)
		order[n++] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t k = chance(i), was = order[i - 1];
		order[i - 1] = order[k];
		order[k] = was;
	}
	edits_reorder(e, parent, order, n);
}

static void move(struct edits *e)
{
	const struct book *b = e->book;
	uint32_t parent = some_node(b, LEVEL_BOOK, LEVEL_BEAT), nodes[2], n = 0, others;

	if (parent == BOOK_NONE)
		return;
	for (int i = 0; i < 2; i++) {
		uint32_t node = some_node(b, b->nodes[parent].level + 1, b->nodes[parent].level + 1);
		if (node != BOOK_NONE && (n == 0 || nodes[0] != node))
			nodes[n++] = node;
	}
	others = b->nodes[parent].children;
	for (uint32_t i = 0; i < n; i++)
		others -= b->nodes[nodes[i]].parent == parent;
	if (n)
		edits_move(e, parent, chance(others + 1), nodes, n);
}

static void reword(struct edits *e, uint32_t *touched)
{
	const struct book *b = e->book;
	uint32_t node = some_node(b, LEVEL_BOOK, LEVEL_PARAGRAPH);

	if (node == BOOK_NONE)
		return;
	*touched = b->nodes[node].id;
	if (b->nodes[node].level == LEVEL_PARAGRAPH && chance(2))
		edits_prose(e, node, words());
	else if (b->nodes[node].summary != b->nodes[node].summary_to)
		edits_summary(e, node, words());
}

static void change_attribute(struct edits *e, uint32_t *touched)
{
	const struct book *b = e->book;
	uint32_t node = some_node(b, LEVEL_CHAPTER, LEVEL_PARAGRAPH);

	if (node == BOOK_NONE || b->nodes[node].level == LEVEL_BEAT)
		return;
	*touched = b->nodes[node].id;
	bool is_paragraph = b->nodes[node].level == LEVEL_PARAGRAPH,
	     keeps = is_paragraph && node_mode(e->arena, b, node) == MODE_DIALOGUE;
	struct attribute_edit edit = {is_paragraph ? "char" : "pov", chance(3) || keeps ? words() : (struct text){0}};
	edits_attributes(e, node, &edit, 1);
}

static struct text bytes_of(const struct book *b, uint32_t node)
{
	return text_slice(b->bytes, b->nodes[node].from, b->nodes[node].to);
}

static void assert_others_keep_their_bytes(const struct book *before, const struct book *after, uint32_t touched)
{
	for (uint32_t i = 0; i < before->n; i++) {
		if (before->nodes[i].level != LEVEL_PARAGRAPH || before->nodes[i].id == touched)
			continue;
		uint32_t now = book_find(after, before->nodes[i].id);
		if (now != BOOK_NONE && !text_same(bytes_of(before, i), bytes_of(after, now)))
			fail_msg("a paragraph that no edit named changed");
	}
}

static void random_edits_keep_the_rest_and_lead_back(void **state)
{
	struct buffer inverses[EDITS / DIALECTS + 1];

	(void)state;
	for (int dialect = 0; dialect < DIALECTS; dialect++) {
		struct arena arenas[2] = {{0}, {0}};
		struct error error = {0};
		int n = EDITS / DIALECTS;
		const struct book *b = book_parse(&arenas[0], text_of(sources[dialect]), NULL, &error);
		assert_non_null(b);
		seed = 88172645463325252u + (uint64_t)dialect;
		for (int i = 0; i < n; i++) {
			struct arena scratch = {0};
			struct edits e = {.arena = &scratch, .book = b};
			uint32_t touched = BOOK_NONE;
			switch (chance(7)) {
			case 0:
			case 1: insert(&e); break;
			case 2: remove_one(&e); break;
			case 3: reorder(&e); break;
			case 4: move(&e); break;
			case 5: reword(&e, &touched); break;
			default: change_attribute(&e, &touched); break;
			}
			struct arena *next = &arenas[(i + 1) % 2];
			arena_free(next);
			*next = (struct arena){0};
			const struct book *after = edits_applied(&e, next);
			assert_others_keep_their_bytes(b, after, touched);
			size_t count;
			struct splice *back = splice_between(&scratch, after->bytes, b->bytes, &count);
			inverses[i] = (struct buffer){0};
			splice_pack(&inverses[i], back, count);
			b = after;
			arena_free(&scratch);
		}
		struct text bytes = b->bytes;
		for (int i = n; i-- > 0;) {
			struct arena *next = &arenas[i % 2];
			size_t count;
			arena_free(next);
			*next = (struct arena){0};
			struct splice *back = splice_unpack(next, buffer_text(&inverses[i]), &count);
			bytes = splice_apply(next, bytes, back, count);
			buffer_free(&inverses[i]);
		}
		assert_text(bytes, sources[dialect]);
		arena_free(&arenas[0]);
		arena_free(&arenas[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_edits_keep_the_rest_and_lead_back)};

	return RUN_TESTS(tests);
}
