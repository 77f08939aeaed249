/* The effect of edits on the bytes: what is written, where, and what is unchanged. */
#include "support/check.h"

#include "kinds/hnpx/applied.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

#include <string.h>

static struct arena arena;

static struct book *book_of(const char *source)
{
	struct error error = {0};
	struct book *b = book_parse(&arena, text_of(source), NULL, &error);

	if (!b)
		fail_msg("refused: %s", error.message);
	return b;
}

static struct edits on(const struct book *b) { return (struct edits){.arena = &arena, .book = b}; }

/* Checks the result. edits_book() itself compares the shifted nodes with a fresh parse. */
static struct book *assert_result(struct edits *e, const char *want)
{
	struct book *b = edits_applied(e, &arena);

	assert_text(b->bytes, want);
	return b;
}

static uint32_t pack(const char *id)
{
	uint32_t packed = 0;

	assert_true(id_pack(text_of(id), &packed));
	return packed;
}

static uint32_t named(const struct book *b, const char *id)
{
	uint32_t node = book_named(b, text_of(id));

	assert_int_not_equal(node, BOOK_NONE);
	return node;
}

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define BEAT_OPEN                                                                                                      \
	HEAD "<book id=\"bbbbbb\">\n  <summary>s</summary>\n  <chapter id=\"cccccc\" title=\"t\">\n    "               \
	     "<summary>s</summary>\n"                                                                                  \
	     "    <sequence id=\"ssssss\" loc=\"l\">\n      <summary>s</summary>\n      <beat id=\"eeeeee\">\n"        \
	     "        <summary>s</summary>\n"
#define BEAT_CLOSE "      </beat>\n    </sequence>\n  </chapter>\n</book>\n"
#define P(id, words)                                                                                                   \
	"        <paragraph id=\"" id "\">\n          <summary>s</summary>\n          " words "\n        "             \
	"</paragraph>\n"

static void a_new_node_stands_indented_in_the_form_of_the_specification(void **state)
{
	(void)state;
	struct book *b = book_of(HEAD "<book id=\"bbbbbb\">\n  <summary>New book</summary>\n</book>\n");
	struct edits e = on(b);
	struct sprout paragraph = {
		.level = LEVEL_PARAGRAPH, .id = pack("pppppp"), .summary = TEXT("s"), .text = TEXT("one")};
	struct sprout beat = {
		.level = LEVEL_BEAT, .id = pack("eeeeee"), .summary = TEXT("s"), .children = &paragraph, .n = 1};
	struct sprout sequence = {.level = LEVEL_SEQUENCE,
				  .id = pack("ssssss"),
				  .summary = TEXT("s"),
				  .location = TEXT("l"),
				  .children = &beat,
				  .n = 1};
	struct sprout chapter = {.level = LEVEL_CHAPTER,
				 .id = pack("cccccc"),
				 .summary = TEXT("s"),
				 .title = TEXT("t"),
				 .children = &sequence,
				 .n = 1};
	edits_insert(&e, 0, 0, &chapter, 1);
	b = edits_applied(&e, &arena);
	assert_text(b->bytes,
		    HEAD "<book id=\"bbbbbb\">\n  <summary>New book</summary>\n"
			 "  <chapter id=\"cccccc\" title=\"t\">\n    <summary>s</summary>\n"
			 "    <sequence id=\"ssssss\" loc=\"l\">\n      <summary>s</summary>\n"
			 "      <beat id=\"eeeeee\">\n        <summary>s</summary>\n" P("pppppp", "one") BEAT_CLOSE);
	assert_int_equal(b->n, 5);
}

static void children_go_first_between_and_last(void **state)
{
	(void)state;
	struct book *b = book_of(BEAT_OPEN P("aaaaaa", "one") P("zzzzzz", "two") BEAT_CLOSE);
	struct sprout s = {.level = LEVEL_PARAGRAPH, .id = pack("nnnnnn"), .summary = TEXT("s"), .text = TEXT("new")};
	uint32_t beat = named(b, "eeeeee");
	struct edits first = on(b), between = on(b), last = on(b);
	edits_insert(&first, beat, 0, &s, 1);
	assert_result(&first, BEAT_OPEN P("nnnnnn", "new") P("aaaaaa", "one") P("zzzzzz", "two") BEAT_CLOSE);
	edits_insert(&between, beat, 1, &s, 1);
	assert_result(&between, BEAT_OPEN P("aaaaaa", "one") P("nnnnnn", "new") P("zzzzzz", "two") BEAT_CLOSE);
	edits_insert(&last, beat, 2, &s, 1);
	assert_result(&last, BEAT_OPEN P("aaaaaa", "one") P("zzzzzz", "two") P("nnnnnn", "new") BEAT_CLOSE);
}

static void a_parent_on_one_line_is_opened(void **state)
{
	(void)state;
	struct book *b = book_of("<book id=\"bbbbbb\"><summary>s</summary></book>");
	struct edits e = on(b);
	struct sprout s = {.level = LEVEL_CHAPTER, .id = pack("cccccc"), .summary = TEXT("s"), .title = TEXT("t")};
	edits_insert(&e, 0, 0, &s, 1);
	assert_result(&e, "<book id=\"bbbbbb\"><summary>s</summary>\n  <chapter id=\"cccccc\" title=\"t\">\n    "
			  "<summary>s</summary>\n  </chapter>\n</book>");
}

static void special_characters_are_escaped_and_letters_are_not(void **state)
{
	(void)state;
	struct book *b = book_of("<book id=\"bbbbbb\"><summary>s</summary>\n</book>");
	struct edits e = on(b);
	struct sprout s = {.level = LEVEL_CHAPTER,
			   .id = pack("cccccc"),
			   .summary = TEXT("<a> & ]]> \"q\"\r\n\té 👩‍🚀"),
			   .title = TEXT("\"<t>\"\n\t\r&'")};
	edits_insert(&e, 0, 0, &s, 1);
	b = assert_result(
		&e,
		"<book id=\"bbbbbb\"><summary>s</summary>\n"
		"  <chapter id=\"cccccc\" title=\"&quot;&lt;t&gt;&quot;&#10;&#9;&#13;&amp;'\">\n"
		"    <summary>&lt;a&gt; &amp; ]]&gt; \"q\"&#13;\n\té 👩‍🚀</summary>\n  </chapter>\n</book>");
	assert_text(node_summary(&arena, b, 1), "<a> & ]]> \"q\"\r\n\té 👩‍🚀");
	assert_text(node_attribute(&arena, b, 1, "title"), "\"<t>\"\n\t\r&'");
}

static void prose_comes_back_byte_for_byte(void **state)
{
	static const char *const proses[] = {"plain",
					     "  lead and trail  ",
					     "\n\nlines\n\n",
					     "a\n          b\n        ",
					     "\n          framed itself\n        ",
					     "x < y & z\r",
					     "\t"};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(proses); i++) {
		struct book *b = book_of(BEAT_OPEN P("aaaaaa", "one") BEAT_CLOSE);
		struct edits e = on(b);
		edits_prose(&e, named(b, "aaaaaa"), text_of(proses[i]));
		b = edits_applied(&e, &arena);
		assert_text(node_prose(&arena, b, named(b, "aaaaaa")).text, proses[i]);
	}
}

static void prose_is_replaced_in_each_dialect(void **state)
{
	(void)state;
	struct book *b = book_of(BEAT_OPEN "<paragraph id=\"aaaaaa\">early<summary>s</summary></paragraph>" BEAT_CLOSE);
	struct edits e = on(b);
	edits_prose(&e, named(b, "aaaaaa"), TEXT("new"));
	assert_result(&e, BEAT_OPEN "<paragraph id=\"aaaaaa\">new<summary>s</summary></paragraph>" BEAT_CLOSE);

	b = book_of(BEAT_OPEN "<paragraph id=\"aaaaaa\">later</paragraph><paragraph id=\"zzzzzz\" />" BEAT_CLOSE);
	e = on(b);
	edits_prose(&e, named(b, "aaaaaa"), TEXT("new"));
	edits_prose(&e, named(b, "zzzzzz"), TEXT("also"));
	assert_result(&e, BEAT_OPEN
		      "<paragraph id=\"aaaaaa\">new</paragraph><paragraph id=\"zzzzzz\">also</paragraph>" BEAT_CLOSE);

	b = book_of(BEAT_OPEN "<paragraph id=\"aaaaaa\">a<summary>s</summary>b</paragraph>" BEAT_CLOSE);
	e = on(b);
	edits_prose(&e, named(b, "aaaaaa"), TEXT("new"));
	b = edits_applied(&e, &arena);
	assert_text(node_prose(&arena, b, 4).text, "new");
}

static void new_nodes_follow_the_dialect_of_the_file(void **state)
{
	(void)state;
	struct book *b = book_of(
		"<book id=\"bbbbbb\"><summary>s</summary><chapter id=\"cccccc\" title=\"t\"><summary>s</summary>\n"
		"<sequence id=\"ssssss\" location=\"l\"><summary>s</summary></sequence>\n</chapter></book>");
	struct edits e = on(b);
	struct sprout s = {
		.level = LEVEL_SEQUENCE, .id = pack("nnnnnn"), .summary = TEXT("s"), .location = TEXT("sea")};
	edits_insert(&e, 1, 1, &s, 1);
	b = edits_applied(&e, &arena);
	assert_text(node_attribute(&arena, b, 3, "location"), "sea");
	assert_text(node_attribute(&arena, b, 3, "loc"), NULL);

	b = book_of(BEAT_OPEN "<paragraph id=\"aaaaaa\">early<summary>s</summary></paragraph>\n" BEAT_CLOSE);
	e = on(b);
	s = (struct sprout){.level = LEVEL_PARAGRAPH, .id = pack("nnnnnn"), .summary = TEXT("s"), .text = TEXT("new")};
	edits_insert(&e, 3, 1, &s, 1);
	assert_result(&e,
		      BEAT_OPEN "<paragraph id=\"aaaaaa\">early<summary>s</summary></paragraph>\n"
				"        <paragraph id=\"nnnnnn\">new<summary>s</summary></paragraph>\n" BEAT_CLOSE);
}

/* The specification's layout with other line ends and indentation. */
static const char *laid_out(const char *source, const char *newline, const char *indent)
{
	struct buffer out = {.arena = &arena};

	for (const char *at = source; *at;) {
		for (; at[0] == ' ' && at[1] == ' '; at += 2)
			buffer_put(&out, indent);
		const char *end = strchr(at, '\n');
		size_t len = end ? (size_t)(end - at) : strlen(at);
		buffer_add(&out, (struct text){at, len});
		at += len;
		if (*at) {
			buffer_put(&out, newline);
			at++;
		}
	}
	return text_string(&arena, buffer_text(&out));
}

static void what_is_written_has_the_line_ends_and_the_indentation_of_the_file(void **state)
{
	static const struct {
		const char *newline, *indent;
	} layouts[] = {{"\r\n", "  "}, {"\n", "\t"}, {"\r\n", "\t"}, {"\n", "    "}, {"\n", " "}, {"\n", ""}};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(layouts); i++) {
		const char *newline = layouts[i].newline, *indent = layouts[i].indent;
		struct book *b = book_of(laid_out(BEAT_OPEN P("aaaaaa", "one") BEAT_CLOSE, newline, indent));
		struct edits e = on(b);
		struct sprout s = {
			.level = LEVEL_PARAGRAPH, .id = pack("nnnnnn"), .summary = TEXT("s"), .text = TEXT("a\nb\n")};
		assert_text(node_prose(&arena, b, 4).text, "one");
		assert_true(node_prose(&arena, b, 4).is_framed);
		edits_insert(&e, 3, 1, &s, 1);
		b = edits_applied(&e, &arena);
		assert_text(b->bytes,
			    laid_out(BEAT_OPEN P("aaaaaa", "one") P("nnnnnn", "a\nb\n") BEAT_CLOSE, newline, indent));
		assert_text(node_prose(&arena, b, 5).text, "a\nb\n");
		e = on(b);
		edits_prose(&e, 4, TEXT("two\n\nlines"));
		edits_summary(&e, 5, TEXT("s\nt"));
		b = edits_applied(&e, &arena);
		assert_text(node_prose(&arena, b, 4).text, "two\n\nlines");
		assert_text(node_summary(&arena, b, 5), "s\nt");
		for (size_t k = 0; k < b->bytes.len; k++)
			if (b->bytes.at[k] == '\n')
				assert_int_equal(b->bytes.at[k - 1] == '\r', newline[0] == '\r');
		e = on(b);
		edits_remove(&e, 5);
		b = edits_applied(&e, &arena);
		e = on(b);
		edits_prose(&e, 4, TEXT("one"));
		assert_result(&e, laid_out(BEAT_OPEN P("aaaaaa", "one") BEAT_CLOSE, newline, indent));
	}
}

/* edits_applied() compares with a fresh parse, including the layout. None of these edits removes the lines that define
 * it. */
static void no_edit_changes_the_layout(void **state)
{
	static const char *const sources[] = {
		"<book id=\"bbbbbb\"><summary>a\r\nb</summary><chapter id=\"cccccc\" "
		"title=\"t\"><summary>s</summary></chapter>"
		"</book>",
		"<book id=\"bbbbbb\"><summary>s</summary>\r\n\t<chapter id=\"cccccc\" title=\"t\"><summary>s</summary>"
		"</chapter></book>",
		"<book id=\"bbbbbb\">\r\n\t<chapter id=\"cccccc\" "
		"title=\"t\"><summary>s</summary></chapter><summary>s</summary>"
		"</book>",
		"<book id=\"bbbbbb\">\r\n<chapter id=\"cccccc\" "
		"title=\"t\"><summary>s</summary></chapter>\r\n\t<summary>s</summary>"
		"</book>",
		"<book\r\n id=\"bbbbbb\"><chapter id=\"cccccc\" title=\"t\"><summary>s</summary></chapter>\n   "
		"<summary>s</summary>"
		"</book>",
	};
	struct sprout s = {.level = LEVEL_CHAPTER, .id = pack("nnnnnn"), .summary = TEXT("s"), .title = TEXT("t")};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(sources); i++) {
		struct book *b = book_of(sources[i]);
		struct edits reworded = on(b), removed = on(b), first = on(b), last = on(b);
		edits_summary(&reworded, 0, TEXT("x"));
		edits_remove(&removed, 1);
		edits_insert(&first, 0, 0, &s, 1);
		edits_insert(&last, 0, 1, &s, 1);
		struct edits *all[] = {&reworded, &removed, &first, &last};
		for (size_t k = 0; k < ARRAY_COUNT(all); k++)
			assert_text(edits_applied(all[k], &arena)->layout.frame_open, b->layout.frame_open.at);
	}
}

static void prose_comes_back_byte_for_byte_in_every_layout(void **state)
{
	static const char *const newlines[] = {"\n", "\r\n"}, *const indents[] = {"", " ", "   ", "\t", " \t"};
	static const char *const proses[] = {"  lead and trail  ",
					     "\n\nlines\n\n",
					     "          a\n        ",
					     "\n          framed itself\n        ",
					     "\n\t\t\t\t\tso is this\n\t\t\t\t",
					     "\r\n\r",
					     "\t"};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(newlines) * ARRAY_COUNT(indents) * ARRAY_COUNT(proses); i++) {
		const char *prose = proses[i / (ARRAY_COUNT(newlines) * ARRAY_COUNT(indents))];
		struct book *b = book_of(laid_out(BEAT_OPEN P("aaaaaa", "one") BEAT_CLOSE, newlines[i % 2],
						  indents[i / 2 % ARRAY_COUNT(indents)]));
		struct edits e = on(b);
		edits_prose(&e, 4, text_of(prose));
		b = edits_applied(&e, &arena);
		assert_text(node_prose(&arena, b, 4).text, prose);
		/* If paragraphs have no summaries, prose is inline, unless it looks like a frame. */
		b = book_of(laid_out(BEAT_OPEN "        <paragraph id=\"aaaaaa\">x</paragraph>\n" BEAT_CLOSE,
				     newlines[i % 2], indents[i / 2 % ARRAY_COUNT(indents)]));
		e = on(b);
		edits_prose(&e, 4, text_of(prose));
		b = edits_applied(&e, &arena);
		assert_text(node_prose(&arena, b, 4).text, prose);
	}
}

static void comments_stay(void **state)
{
	(void)state;
	struct book *b = book_of(BEAT_OPEN "        <!-- of a -->\n" P("aaaaaa", "one") "        <!-- of z -->\n" P(
		"zzzzzz", "two") "        <!-- last -->\n" BEAT_CLOSE);
	uint32_t beat = named(b, "eeeeee"), a = named(b, "aaaaaa"), z = named(b, "zzzzzz");
	struct edits e = on(b);
	edits_reorder(&e, beat, (uint32_t[]){z, a}, 2);
	assert_result(&e, BEAT_OPEN "        <!-- of z -->\n" P("zzzzzz", "two") "        <!-- of a -->\n" P(
				  "aaaaaa", "one") "        <!-- last -->\n" BEAT_CLOSE);
	e = on(b);
	edits_remove(&e, a);
	assert_result(&e, BEAT_OPEN "        <!-- of a -->\n        <!-- of z -->\n" P(
				  "zzzzzz", "two") "        <!-- last -->\n" BEAT_CLOSE);
	e = on(b);
	struct sprout s = {.level = LEVEL_PARAGRAPH, .id = pack("nnnnnn"), .summary = TEXT("s"), .text = TEXT("new")};
	edits_insert(&e, beat, 2, &s, 1);
	assert_result(&e, BEAT_OPEN "        <!-- of a -->\n" P("aaaaaa", "one") "        <!-- of z -->\n" P(
				  "zzzzzz", "two") "        <!-- last -->\n" P("nnnnnn", "new") BEAT_CLOSE);

	b = book_of(BEAT_OPEN "<paragraph id=\"aaaaaa\"><summary>s<!-- why --></summary>one<!-- check --> "
			      "two</paragraph>" BEAT_CLOSE);
	e = on(b);
	edits_prose(&e, 4, TEXT("new"));
	edits_summary(&e, 4, TEXT("short"));
	b = assert_result(&e, BEAT_OPEN
			  "<paragraph id=\"aaaaaa\"><summary>short<!-- why --></summary>\n          new<!-- check -->\n"
			  "        </paragraph>" BEAT_CLOSE);
	assert_text(node_prose(&arena, b, 4).text, "new");
}

static void an_odd_layout_can_be_reordered(void **state)
{
	(void)state;
	/* The summary is between the children. */
	struct book *b = book_of("<book id=\"bbbbbb\"><chapter id=\"aaaaaa\" "
				 "title=\"1\"><summary>s</summary></chapter><summary>s</summary>"
				 "<chapter id=\"zzzzzz\" title=\"2\"><summary>s</summary></chapter></book>");
	struct edits e = on(b);
	edits_reorder(&e, 0, (uint32_t[]){2, 1}, 2);
	b = edits_applied(&e, &arena);
	assert_text(book_id(&arena, b, 1), "zzzzzz");
	assert_text(book_id(&arena, b, 2), "aaaaaa");
}

static void a_node_that_was_made_and_removed_leaves_nothing(void **state)
{
	(void)state;
	const char *before = BEAT_OPEN P("aaaaaa", "one") BEAT_CLOSE;
	struct book *b = book_of(before);
	struct edits e = on(b);
	struct sprout s = {.level = LEVEL_PARAGRAPH, .id = pack("nnnnnn"), .summary = TEXT("s"), .text = TEXT("new")};
	edits_insert(&e, 3, 0, &s, 1);
	b = edits_applied(&e, &arena);
	e = on(b);
	edits_remove(&e, named(b, "nnnnnn"));
	assert_result(&e, before);
}

static void nodes_move_with_all_below_them(void **state)
{
	(void)state;
	struct book *b = book_of(
		"<book id=\"bbbbbb\">\n  <summary>s</summary>\n"
		"  <chapter id=\"aaaaaa\" title=\"1\">\n    <summary>s</summary>\n"
		"    <sequence id=\"111111\" loc=\"l\">\n      <summary>odd   layout</summary></sequence>\n"
		"    <sequence id=\"222222\" loc='l'>\n      <summary>s</summary>\n    </sequence>\n  </chapter>\n"
		"  <chapter id=\"zzzzzz\" title=\"2\">\n    <summary>s</summary>\n  </chapter>\n</book>\n");
	struct edits e = on(b);
	edits_move(&e, named(b, "zzzzzz"), 0, (uint32_t[]){named(b, "222222"), named(b, "111111")}, 2);
	b = assert_result(&e,
			  "<book id=\"bbbbbb\">\n  <summary>s</summary>\n"
			  "  <chapter id=\"aaaaaa\" title=\"1\">\n    <summary>s</summary>\n  </chapter>\n"
			  "  <chapter id=\"zzzzzz\" title=\"2\">\n    <summary>s</summary>\n"
			  "    <sequence id=\"222222\" loc='l'>\n      <summary>s</summary>\n    </sequence>\n"
			  "    <sequence id=\"111111\" loc=\"l\">\n      <summary>odd   layout</summary></sequence>\n"
			  "  </chapter>\n</book>\n");
	/* A move to its own place changes nothing. */
	e = on(b);
	edits_move(&e, named(b, "zzzzzz"), 1, (uint32_t[]){named(b, "111111")}, 1);
	assert_text(edits_applied(&e, &arena)->bytes, b->bytes.at);
}

static void attributes_change_inside_the_tag_only(void **state)
{
	(void)state;
	struct book *b =
		book_of("<book id=\"bbbbbb\"><summary>s</summary>\n<chapter  title='it'\n   pov = \"x\" id='cccccc' >"
			"<summary>s</summary></chapter></book>");
	struct edits e = on(b);
	edits_attributes(&e, 1, (struct attribute_edit[]){{"title", TEXT("it's")}}, 1);
	assert_result(&e,
		      "<book id=\"bbbbbb\"><summary>s</summary>\n<chapter  title=\"it's\"\n   pov = \"x\" id='cccccc' >"
		      "<summary>s</summary></chapter></book>");
	e = on(b);
	edits_attributes(&e, 1, (struct attribute_edit[]){{"pov", {0}}}, 1);
	assert_result(&e, "<book id=\"bbbbbb\"><summary>s</summary>\n<chapter  title='it' id='cccccc' >"
			  "<summary>s</summary></chapter></book>");
	b = book_of(BEAT_OPEN
		    "<paragraph id=\"aaaaaa\" mode=\"narration\"><summary>s</summary>x</paragraph>" BEAT_CLOSE);
	e = on(b);
	edits_attributes(&e, 4, (struct attribute_edit[]){{"mode", {0}}, {"char", TEXT("Tom")}}, 2);
	assert_result(&e,
		      BEAT_OPEN "<paragraph id=\"aaaaaa\" char=\"Tom\"><summary>s</summary>x</paragraph>" BEAT_CLOSE);
}

static void no_edit_is_no_change(void **state)
{
	(void)state;
	struct book *b = book_of(BEAT_OPEN P("aaaaaa", "one") BEAT_CLOSE);
	struct edits e = on(b);
	edits_reorder(&e, 3, (uint32_t[]){4}, 1);
	assert_int_equal(e.splices.n, 0);
	edits_attributes(&e, 1, (struct attribute_edit[]){{"title", TEXT("t")}}, 1);
	assert_int_equal(e.splices.n, 0);
	assert_result(&e, b->bytes.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_node_stands_indented_in_the_form_of_the_specification),
		cmocka_unit_test(children_go_first_between_and_last),
		cmocka_unit_test(a_parent_on_one_line_is_opened),
		cmocka_unit_test(special_characters_are_escaped_and_letters_are_not),
		cmocka_unit_test(prose_comes_back_byte_for_byte),
		cmocka_unit_test(prose_is_replaced_in_each_dialect),
		cmocka_unit_test(new_nodes_follow_the_dialect_of_the_file),
		cmocka_unit_test(what_is_written_has_the_line_ends_and_the_indentation_of_the_file),
		cmocka_unit_test(no_edit_changes_the_layout),
		cmocka_unit_test(prose_comes_back_byte_for_byte_in_every_layout),
		cmocka_unit_test(comments_stay),
		cmocka_unit_test(an_odd_layout_can_be_reordered),
		cmocka_unit_test(a_node_that_was_made_and_removed_leaves_nothing),
		cmocka_unit_test(nodes_move_with_all_below_them),
		cmocka_unit_test(attributes_change_inside_the_tag_only),
		cmocka_unit_test(no_edit_is_no_change),
	};
	int failed = RUN_TESTS(tests);

	arena_free(&arena);
	return failed;
}
