/* Parsing a book: every rule of the format, the three dialects, and finding nodes. */
#include "support/check.h"

#include "kinds/hnpx/tree/book.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

#include <stdio.h>
#include <string.h>

static struct arena arena;
static struct problems problems;
static struct error error;

static struct book *parsed(const char *source)
{
	problems = (struct problems){0};
	error = (struct error){0};
	return book_parse(&arena, text_of(source), &problems, &error);
}

static struct book *valid(const char *source)
{
	struct book *b = parsed(source);

	if (!b)
		fail_msg("refused: %s", error.message);
	return b;
}

/* The first problem has these words and this line. */
static void assert_problem(const char *source, unsigned line, const char *words)
{
	assert_null(parsed(source));
	assert_string_equal(error.code, "NOT_HNPX");
	assert_non_null(strstr(error.message, "Document is not valid HNPX"));
	assert_true(problems.list.n > 0);
	if (!strstr(problems.list.items[0].sentence, words) || problems.list.items[0].line != line)
		fail_msg("line %u: %s", problems.list.items[0].line, problems.list.items[0].sentence);
}

static void assert_no_xml(struct text source, const char *words)
{
	problems = (struct problems){0};
	error = (struct error){0};
	assert_null(book_parse(&arena, source, &problems, &error));
	assert_string_equal(error.code, "INVALID_XML");
	assert_int_equal(strncmp(error.message, "Document is not valid XML", 25), 0);
	if (!strstr(error.message, words))
		fail_msg("%s", error.message);
}

#define BOOK(inside) "<book id=\"bbbbbb\"><summary>s</summary>" inside "</book>"
#define CHAPTER(inside) BOOK("<chapter id=\"cccccc\" title=\"t\"><summary>s</summary>" inside "</chapter>")
#define SEQUENCE(inside) CHAPTER("<sequence id=\"ssssss\" loc=\"l\"><summary>s</summary>" inside "</sequence>")
#define BEAT(inside) SEQUENCE("<beat id=\"eeeeee\"><summary>s</summary>" inside "</beat>")
#define PARAGRAPH(attributes, inside) BEAT("<paragraph id=\"pppppp\"" attributes ">" inside "</paragraph>")

static void levels_nest_in_order_only(void **state)
{
	(void)state;
	struct book *b = valid(PARAGRAPH("", "<summary>s</summary>words"));
	assert_int_equal(b->n, 5);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(b->nodes[i].level, i);
		assert_int_equal(b->nodes[i].after, 5);
		assert_int_equal(b->nodes[i].parent, i ? i - 1 : BOOK_NONE);
	}
	assert_problem(BOOK("<beat id=\"eeeeee\"><summary>s</summary></beat>"), 1, "<beat> cannot be in <book>");
	assert_problem(BOOK("<book id=\"aaaaaa\"><summary>s</summary></book>"), 1, "<book> cannot be in <book>");
	assert_problem(PARAGRAPH("", "<summary>s</summary><beat id=\"aaaaaa\"/>"), 1,
		       "<beat> cannot be in <paragraph>");
	assert_problem(BOOK("<scene/>"), 1, "unknown element <scene> in <book>");
	assert_problem("<html/>", 1, "root element is <html>");
}

static void ids_are_six_characters_and_unique(void **state)
{
	(void)state;
	assert_problem("<book><summary>s</summary></book>", 1, "<book> has no id");
	assert_problem("<book id=\"ABCDEF\"><summary>s</summary></book>", 1, "\"ABCDEF\"");
	assert_problem("<book id=\"abc12\"><summary>s</summary></book>", 1, "not six characters");
	assert_problem("<book id=\"abc123d\"><summary>s</summary></book>", 1, "not six characters");
	assert_problem(BOOK("\n<chapter id=\"bbbbbb\" title=\"t\"><summary>s</summary></chapter>"), 2,
		       "bbbbbb is also that of a node on line 1");
	uint32_t id;
	assert_true(id_pack(TEXT("000000"), &id));
	assert_int_equal(id, 0);
	assert_true(id_pack(TEXT("zzzzzz"), &id));
	assert_int_equal(id, 2176782335u);
	assert_text(id_text(&arena, id), "zzzzzz");
	assert_true(id_pack(TEXT("a3f9b2"), &id));
	assert_text(id_text(&arena, id), "a3f9b2");
	assert_false(id_pack(TEXT("a3f9b\0"), &id));
}

static void every_node_has_one_summary_with_words(void **state)
{
	(void)state;
	assert_problem("<book id=\"bbbbbb\"/>", 1, "<book> has no <summary>");
	assert_problem("<book id=\"bbbbbb\"><summary/></book>", 1, "<summary> of <book> is empty");
	assert_problem("<book id=\"bbbbbb\"><summary> \n&#32;</summary></book>", 1, "is empty");
	assert_problem("<book id=\"bbbbbb\"><summary><!-- no words --></summary></book>", 1, "is empty");
	assert_problem("<book id=\"bbbbbb\"><summary>a</summary><summary>b</summary></book>", 1,
		       "more than one <summary>");
	assert_problem("<book id=\"bbbbbb\"><summary x=\"1\">a</summary></book>", 1, "<summary> takes no attributes");
	assert_problem("<book id=\"bbbbbb\"><summary>a<b/></summary></book>", 1, "plain text only, not <b>");
	struct book *b = valid("<book id=\"bbbbbb\"><chapter id=\"cccccc\" title=\"t\"><summary>x</summary></chapter>"
			       "<summary>last &amp; <![CDATA[<least>]]></summary></book>");
	assert_text(node_summary(&arena, b, 0), "last & <least>");
}

static void attributes_follow_the_level(void **state)
{
	(void)state;
	assert_problem(BOOK("<chapter id=\"cccccc\"><summary>s</summary></chapter>"), 1, "<chapter> has no title");
	assert_problem(BOOK("<chapter id=\"cccccc\" title=\" \"><summary>s</summary></chapter>"), 1,
		       "<chapter> has no title");
	assert_problem(CHAPTER("<sequence id=\"ssssss\"><summary>s</summary></sequence>"), 1, "<sequence> has no loc");
	assert_problem(CHAPTER("<sequence id=\"ssssss\" loc=\"a\" location=\"b\"><summary>s</summary></sequence>"), 1,
		       "both loc and location");
	assert_problem(SEQUENCE("<beat id=\"eeeeee\" pov=\"x\"><summary>s</summary></beat>"), 1,
		       "attribute pov is not allowed on <beat>; allowed are id");
	assert_problem("<book id=\"bbbbbb\" xmlns=\"urn:x\"><summary>s</summary></book>", 1,
		       "attribute xmlns is not allowed");
	assert_problem(PARAGRAPH(" mode=\"shout\"", "<summary>s</summary>x"), 1, "mode \"shout\"");
	assert_problem(PARAGRAPH(" mode=\"dialogue\"", "<summary>s</summary>x"), 1, "needs char");
	assert_problem(PARAGRAPH(" mode=\"dialogue\" char=\"\"", "<summary>s</summary>x"), 1, "needs char");
	assert_non_null(valid(PARAGRAPH(" mode=\"dialogue\" char=\"Мира\"", "<summary>s</summary>x")));
	assert_non_null(valid(PARAGRAPH(" mode=\"internal\"", "<summary>s</summary>x")));
}

static void text_in_a_container_is_refused(void **state)
{
	(void)state;
	assert_problem("<book id=\"bbbbbb\">\n<summary>s</summary>\nstray words</book>", 3,
		       "text in <book> outside of its <summary>");
	assert_non_null(valid("<book id=\"bbbbbb\"> <!-- a --> <?pi x?> <summary>s</summary> &#10; </book>"));
}

static void all_problems_are_listed_in_order(void **state)
{
	(void)state;
	assert_null(parsed("<book>\n<chapter id=\"cccccc\">\n<summary></summary>\n</chapter>\n<x/>\n"
			   "<chapter id=\"cccccc\" title=\"t\" colour=\"red\"/>\n</book>"));
	unsigned last = 0;
	for (size_t i = 0; i < problems.list.n; i++) {
		assert_true(problems.list.items[i].line >= last);
		last = problems.list.items[i].line;
	}
	/* no id, no summary; no title, empty summary; unknown; colour, no summary, same id */
	assert_int_equal(problems.list.n, 8);
	assert_int_equal(problems.total, 8);
}

static void what_is_no_xml_is_refused(void **state)
{
	(void)state;
	assert_no_xml(TEXT(""), "line 1");
	assert_no_xml(TEXT("<book"), "line 1");
	assert_no_xml(TEXT("<book id=\"bbbbbb\">\n<summary>s</summry></book>"), "line 2");
	assert_no_xml(TEXT("<!DOCTYPE book><book id=\"bbbbbb\"><summary>s</summary></book>"), "DOCTYPE");
	assert_no_xml(TEXT("<!DOCTYPE b [<!ENTITY x \"y\">]><book id=\"bbbbbb\"><summary>&x;</summary></book>"),
		      "DOCTYPE");
	assert_no_xml(TEXT("<book id=\"bbbbbb\"><summary>&nbsp;</summary></book>"), "entity");
	assert_no_xml(TEXT("<book id=\"bbbbbb\" id=\"bbbbbb\"><summary>s</summary></book>"), "twice");
	assert_no_xml(TEXT("<book id=\"bbbbbb\"><summary>\xff</summary></book>"), "UTF-8");
	assert_no_xml(TEXT("<book id=\"bbbbbb\"><summary>a\0b</summary></book>"), "0x00");
	assert_no_xml(TEXT("<book id=\"bbbbbb\"><summary>s</summary></book>more"), "line 1");
	assert_no_xml(
		TEXT("<?xml version=\"1.0\" encoding=\"latin1\"?><book id=\"bbbbbb\"><summary>s</summary></book>"),
		"UTF-8");
	assert_no_xml(TEXT("\xff\xfe<\0b\0"), "UTF-16");
}

static void depth_and_width_have_an_end(void **state)
{
	enum { DEEP = 1000000, WIDE = 50000 };
	struct buffer deep = {0}, wide = {0};

	(void)state;
	for (int i = 0; i < DEEP; i++)
		buffer_put(&deep, "<a>");
	assert_problem(buffer_text(&deep).at, 1, "nested more than");
	buffer_put(&wide, "<book id=\"bbbbbb\"");
	for (int i = 0; i < WIDE; i++)
		buffer_format(&wide, " a%d=\"\"", i);
	buffer_put(&wide, "><summary>s</summary></book>");
	assert_problem(buffer_text(&wide).at, 1, "attributes");
	buffer_free(&deep);
	buffer_free(&wide);
}

/* Each problem costs the same: lines are not counted again for every problem. */
static void a_hundred_thousand_equal_ids_are_counted(void **state)
{
	enum { MANY = 100000 };
	struct buffer b = {0};

	(void)state;
	buffer_put(&b, "<book id=\"bbbbbb\"><summary>s</summary>");
	for (int i = 0; i < MANY; i++)
		buffer_put(&b, "\n<chapter id=\"cccccc\" title=\"t\"><summary>s</summary></chapter>");
	buffer_put(&b, "</book>");
	assert_problem(buffer_text(&b).at, 3, "cccccc is also that of a node on line 2");
	assert_int_equal(problems.total, MANY - 1);
	assert_int_equal(problems.list.n, 1000);
	buffer_free(&b);
}

static void a_bom_and_crlf_are_read(void **state)
{
	(void)state;
	struct book *b = valid("\xef\xbb\xbf<?xml version=\"1.0\"?>\r\n<book "
			       "id=\"bbbbbb\">\r\n<summary>a\r\nb</summary>\r\n</book>\r\n");
	assert_text(node_summary(&arena, b, 0), "a\nb");
}

static void the_frame_comes_off_and_nothing_else(void **state)
{
	(void)state;
	struct book *b = valid(PARAGRAPH("", "<summary>s</summary>\n            two  \n\n        "));
	struct prose p = node_prose(&arena, b, 4);
	assert_true(p.is_framed);
	assert_text(p.text, "  two  \n");
	b = valid(PARAGRAPH("", "<summary>s</summary>\n          \n        "));
	assert_text(node_prose(&arena, b, 4).text, "");
	b = valid(PARAGRAPH("", "<summary>s</summary>\n        by hand\n        "));
	assert_false(node_prose(&arena, b, 4).is_framed);
	assert_text(node_shown_prose(&arena, b, 4), "by hand");
	b = valid(PARAGRAPH("", "<summary>s</summary> a&amp;b<!-- not this --><![CDATA[<c>]]>&#x431;&#10;&lt; "));
	assert_text(node_prose(&arena, b, 4).text, " a&b<c>б\n< ");
}

static void three_dialects_are_read(void **state)
{
	(void)state;
	struct book *b = valid(PARAGRAPH("", "early words<summary>s</summary>"));
	assert_text(node_prose(&arena, b, 4).text, "early words");
	assert_true(book_writes_text_first(b));
	b = valid(PARAGRAPH("", "both <summary>s</summary>sides"));
	assert_text(node_prose(&arena, b, 4).text, "both sides");
	assert_false(book_writes_text_first(b));
	b = valid(CHAPTER(
		"<sequence id=\"ssssss\" location=\"sea\"><summary>s</summary><beat id=\"eeeeee\"><summary>s</summary>"
		"<paragraph id=\"pppppp\">words</paragraph><paragraph id=\"qqqqqq\"/></beat></sequence>"));
	assert_true(book_writes_location(b));
	assert_true(book_drops_summaries(b));
	assert_text(node_place_name(&arena, b, 2), "sea");
	assert_text(node_prose(&arena, b, 4).text, "words");
	assert_text(node_prose(&arena, b, 5).text, "");
	/* If one paragraph has a summary, all need one. */
	assert_problem(BEAT("<paragraph id=\"pppppp\">a</paragraph>\n<paragraph "
			    "id=\"qqqqqq\"><summary>s</summary>b</paragraph>"),
		       1, "<paragraph> has no <summary>");
}

static void nodes_are_found_by_id(void **state)
{
	(void)state;
	struct book *b = valid(PARAGRAPH("", "<summary>s</summary>words"));
	assert_int_equal(book_named(b, TEXT("book")), 0);
	assert_int_equal(book_named(b, TEXT("pppppp")), 4);
	assert_int_equal(book_named(b, TEXT("ssssss")), 2);
	assert_int_equal(book_named(b, TEXT("nosuch")), BOOK_NONE);
	assert_int_equal(book_named(b, TEXT("x' or '1'='1")), BOOK_NONE);
	assert_int_equal(book_named(b, TEXT("")), BOOK_NONE);
}

static void the_next_empty_container_is_found_level_by_level(void **state)
{
	(void)state;
	struct book *b = valid(BOOK(""));
	assert_int_equal(book_next_empty(b, 0), 0);
	b = valid(BOOK("<chapter id=\"aaaaaa\" title=\"1\"><summary>s</summary><sequence id=\"ssssss\" "
		       "loc=\"l\"><summary>s</summary>"
		       "</sequence></chapter><chapter id=\"cccccc\" title=\"2\"><summary>s</summary></chapter>"));
	/* The second chapter comes before the first one's sequence. */
	assert_int_equal(book_next_empty(b, 0), 3);
	assert_int_equal(book_next_empty(b, 1), 2);
	b = valid(PARAGRAPH("", "<summary>s</summary>words"));
	assert_int_equal(book_next_empty(b, 0), BOOK_NONE);
	assert_int_equal(book_next_empty(b, 4), BOOK_NONE);
	b = valid(BEAT("<!-- a comment is no child -->"));
	assert_int_equal(book_next_empty(b, 0), 3);
}

static void the_point_of_view_is_the_sequences_else_the_chapters(void **state)
{
	(void)state;
	struct book *b =
		valid(BOOK("<chapter id=\"cccccc\" title=\"t\" pov=\"mira\"><summary>s</summary>"
			   "<sequence id=\"aaaaaa\" loc=\"l\"><summary>s</summary></sequence>"
			   "<sequence id=\"ssssss\" loc=\"l\" pov=\"tom\"><summary>s</summary></sequence></chapter>"));
	assert_text(node_pov(&arena, b, 0), NULL);
	assert_text(node_pov(&arena, b, 1), "mira");
	assert_text(node_pov(&arena, b, 2), "mira");
	assert_text(node_pov(&arena, b, 3), "tom");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_nest_in_order_only),
		cmocka_unit_test(ids_are_six_characters_and_unique),
		cmocka_unit_test(every_node_has_one_summary_with_words),
		cmocka_unit_test(attributes_follow_the_level),
		cmocka_unit_test(text_in_a_container_is_refused),
		cmocka_unit_test(all_problems_are_listed_in_order),
		cmocka_unit_test(what_is_no_xml_is_refused),
		cmocka_unit_test(depth_and_width_have_an_end),
		cmocka_unit_test(a_hundred_thousand_equal_ids_are_counted),
		cmocka_unit_test(a_bom_and_crlf_are_read),
		cmocka_unit_test(the_frame_comes_off_and_nothing_else),
		cmocka_unit_test(three_dialects_are_read),
		cmocka_unit_test(nodes_are_found_by_id),
		cmocka_unit_test(the_next_empty_container_is_found_level_by_level),
		cmocka_unit_test(the_point_of_view_is_the_sequences_else_the_chapters),
	};
	int failed = RUN_TESTS(tests);

	arena_free(&arena);
	return failed;
}
