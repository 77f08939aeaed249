#include "support/check.h"

#include "kinds/docx/surgeon/definition.h"
#include "kinds/docx/surgeon/hunks.h"
#include "kinds/docx/surgeon/markup.h"
#include "kinds/docx/surgeon/match.h"
#include "kinds/docx/text/composed.h"

#include <stdio.h>
#include <string.h>

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void each_stage_finds_what_it_says(void **state)
{
	(void)state;
	static const struct {
		const char *text, *needle;
		int mode; /* -1: no match */
		size_t n;
		const char *found;
	} rows[] = {
		{"within 30 days of", "30 days", MATCH_EXACT, 1, "30 days"},
		{"a <b>literal</b> tag", "<b>literal</b>", MATCH_EXACT, 1, "<b>literal</b>"},
		{"a bold word", "<b>bold</b> word", MATCH_EXACT, 1, "bold word"},
		{"see the note here", "note[^12] here", MATCH_EXACT, 1, "note here"},
		{"a font here", "<font color=\"FF0000\">font</font>", MATCH_EXACT, 1, "font"},
		{"\"Term\" means", "<definition>Term</definition> means", MATCH_EXACT, 1, "\"Term\" means"},
		{"\xE2\x80\x9CTerm\xE2\x80\x9D means", "<definition>Term</definition> means", MATCH_QUOTES, 1,
		 "\xE2\x80\x9CTerm\xE2\x80\x9D means"},
		{"a\nb\tc|d\\e", "a\\nb\\tc\\|d\\\\e", MATCH_UNESCAPED, 1, "a\nb\tc|d\\e"},
		{"the party\xE2\x80\x99s \xE2\x80\x9CTerm\xE2\x80\x9D", "party's \"Term\"", MATCH_QUOTES, 1,
		 "party\xE2\x80\x99s \xE2\x80\x9CTerm\xE2\x80\x9D"},
		{"1\xE2\x80\x93"
		 "2 a\xC2\xA0"
		 "b\xE2\x80\xA6",
		 "1-2 a b...", MATCH_QUOTES, 1,
		 "1\xE2\x80\x93"
		 "2 a\xC2\xA0"
		 "b\xE2\x80\xA6"},
		{"non\xE2\x80\x91"
		 "binding",
		 "non-binding", MATCH_QUOTES, 1,
		 "non\xE2\x80\x91"
		 "binding"},
		{"a  b\n\tc", "a b c", MATCH_SPACES, 1, "a  b\n\tc"},
		{"the \xE2\x80\x9CTerm\xE2\x80\x9D means", "the Term means", MATCH_NO_QUOTES, 1,
		 "the \xE2\x80\x9CTerm\xE2\x80\x9D means"},
		{"the Term here", "\"Term\"", MATCH_NO_QUOTES, 1, "Term"},
		/* Several hits end the search: no looser stage is tried. Overlapping hits count. */
		{"aaa", "aa", MATCH_EXACT, 2, "aa"},
		{"x 'a' x \xE2\x80\x98"
		 "a\xE2\x80\x99",
		 "'a'", MATCH_EXACT, 1, "'a'"},
		/* An accent may be inside the character or a mark after it, in either text. Marks may be in any
		 * order. */
		{"the cafe\xCC\x81 here", "caf\xC3\xA9 here", MATCH_QUOTES, 1, "cafe\xCC\x81 here"},
		{"the caf\xC3\xA9", "cafe\xCC\x81", MATCH_QUOTES, 1, "caf\xC3\xA9"},
		{"s\xCC\x87\xCC\xA3 x", "\xE1\xB9\xA9 x", MATCH_QUOTES, 1, "s\xCC\x87\xCC\xA3 x"},
		{"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB x", "\xED\x95\x9C", MATCH_QUOTES, 1,
		 "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"},
		{"\xE2\x80\x9C"
		 "E\xCC\x81tat\xE2\x80\x9D  a",
		 "\"\xC3\x89tat\" a", MATCH_SPACES, 1,
		 "\xE2\x80\x9C"
		 "E\xCC\x81tat\xE2\x80\x9D  a"},
		/* An exact match wins, even if the other form is in the text too. */
		{"caf\xC3\xA9 cafe\xCC\x81", "caf\xC3\xA9", MATCH_EXACT, 1, "caf\xC3\xA9"},
		{"caf\xC3\xA9 cafe\xCC\x81", "cafe\xCC\x81", MATCH_EXACT, 1, "cafe\xCC\x81"},
		/* A letter without its accent is a different letter, in every stage. */
		{"the cafe\xCC\x81", "cafe", -1, 0, NULL},
		{"the caf\xC3\xA9", "cafe", -1, 0, NULL},
		{"x\xCC\x84 and x", "x", MATCH_EXACT, 1, "x"},
		{"e\xCC\x81", "\xCC\x81", -1, 0, NULL},
		{"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", "\xED\x95\x98", -1, 0, NULL},
		/* A variation selector is not an accent. */
		{"\xE2\x9D\xA4\xEF\xB8\x8F x", "\xE2\x9D\xA4", MATCH_EXACT, 1, "\xE2\x9D\xA4"},
		{"nothing", "something", -1, 0, NULL},
		{"a \"quote", "\"\"", -1, 0, NULL},
		{"", "x", -1, 0, NULL},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct runes text = runes_of(&arena, text_of(rows[i].text));
		struct matches m = match_find(&arena, &text, text_of(rows[i].needle));
		if (m.n != rows[i].n)
			fail_msg("row %zu: %zu hits", i, m.n);
		if (!m.n)
			continue;
		assert_int_equal(m.mode, rows[i].mode);
		assert_text(runes_slice(&text, m.items[0].from, m.items[0].to), rows[i].found);
	}
}

static void straight_quotes_take_the_style_of_the_text(void **state)
{
	(void)state;
	struct text curly = TEXT("\xE2\x80\x9Cx\xE2\x80\x9D and y\xE2\x80\x99s");

	assert_text(match_quotes_like(&arena, TEXT("the \"A\" (\"B\") party's"), curly),
		    "the \xE2\x80\x9C"
		    "A\xE2\x80\x9D (\xE2\x80\x9C"
		    "B\xE2\x80\x9D) party\xE2\x80\x99s");
	assert_text(match_quotes_like(&arena, TEXT("\"A\""), TEXT("\"x\"")), "\"A\"");
}

static void accents_take_the_style_of_the_text(void **state)
{
	(void)state;
	static const struct {
		const char *text, *like, *want;
	} rows[] = {
		{"\xC3\xA9t\xC3\xA8", "e\xCC\x81", "e\xCC\x81te\xCC\x80"},
		{"e\xCC\x81te\xCC\x80", "\xC3\xA9", "\xC3\xA9t\xC3\xA8"},
		{"\xC3\xA9", "\xC3\xA9 e\xCC\x81", "\xC3\xA9"},
		{"\xC3\xA9 e\xCC\x81", "plain", "\xC3\xA9 e\xCC\x81"},
		/* The ohm sign is not a letter with an accent. */
		{"\xE2\x84\xA6 e\xCC\x81", "\xC3\xA9", "\xE2\x84\xA6 \xC3\xA9"},
		{"\xE2\x84\xA6", "e\xCC\x81", "\xE2\x84\xA6"},
		{"", "e\xCC\x81", ""},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_text(composed_like(&arena, text_of(rows[i].text), text_of(rows[i].like)), rows[i].want);
}

static void a_place_in_the_composed_text_leads_to_whole_letters(void **state)
{
	(void)state;
	/* a, e with an accent, b, x with two accents that do not compose, c */
	struct text source = TEXT("ae\xCC\x81"
				  "bx\xCC\x84\xCC\x84"
				  "c\xE2\x84\xAB");
	struct composed k = composed_of(&arena, source);
	static const size_t rows[][4] = {{0, 1, 0, 1},     {1, 3, 1, 4},   {0, 3, 0, 4},  {1, 2, 1, 4},
					 {2, 3, 1, 4},     {3, 4, 4, 5},   {4, 9, 5, 10}, {9, 10, 10, 11},
					 {10, 12, 11, 14}, {0, 12, 0, 14}, {3, 3, 4, 4},  {12, 12, 14, 14}};

	assert_text(k.text, "a\xC3\xA9"
			    "bx\xCC\x84\xCC\x84"
			    "c\xC3\x85");
	assert_int_equal(k.n, 2);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		size_t from = rows[i][0], to = rows[i][1];
		composed_source(&k, &from, &to);
		assert_int_equal(from, rows[i][2]);
		assert_int_equal(to, rows[i][3]);
	}
	/* A very long row of marks is left unchanged, and takes linear time. */
	struct buffer tower = {.arena = &arena};
	buffer_byte(&tower, 'e');
	for (int i = 0; i < 100000; i++)
		buffer_put(&tower, "\xCC\x81");
	assert_int_equal(composed_of(&arena, buffer_text(&tower)).n, 0);
}

static void the_nearest_words_are_shown(void **state)
{
	(void)state;
	struct runes text =
		runes_of(&arena, TEXT("The Company shall deliver the certificate within thirty days after closing."));

	assert_non_null(strstr(match_nearest(&arena, &text, TEXT("deliver the certificates within 30 days"), 50).at,
			       "certificate"));
	assert_text(match_nearest(&arena, &text, TEXT("zebra"), 50), NULL);
}

/* Hunks as "old>new" joined by |. */
static const char *hunks_text(const char *one, const char *two)
{
	struct runes old = runes_of(&arena, text_of(one)), new = runes_of(&arena, text_of(two));
	struct hunks h = hunks_between(&arena, &old, &new, NULL, 0);
	struct buffer b = {.arena = &arena};

	for (size_t i = 0; i < h.n; i++) {
		struct hunk k = h.items[i];
		buffer_put(&b, i ? "|" : "");
		buffer_add(&b, runes_slice(&old, k.from, k.to));
		buffer_byte(&b, '>');
		buffer_add(&b, runes_slice(&new, k.new_from, k.new_to));
	}
	return buffer_text(&b).at;
}

static void changes_are_found_by_words(void **state)
{
	(void)state;
	assert_string_equal(hunks_text("the same", "the same"), "");
	assert_string_equal(hunks_text("a State of Delaware corporation", "a State of Nevada corporation"),
			    "Delaware>Nevada");
	assert_string_equal(hunks_text("within 30 days and 10 hours", "within 45 days and 12 hours"), "30>45|0>2");
	assert_string_equal(hunks_text("a b", "a x b"), ">x ");
	assert_string_equal(hunks_text("link", "links"), "k>ks");
	assert_string_equal(hunks_text("", "x"), ">x");
	assert_string_equal(hunks_text("x", ""), "x>");
	/* A letter and its accent are one cluster. */
	assert_string_equal(hunks_text("cafe", "cafe\xCC\x81"), "e>e\xCC\x81");
}

static void a_long_text_is_compared_in_reasonable_time(void **state)
{
	(void)state;
	struct buffer one = {.arena = &arena}, two = {.arena = &arena};

	for (int i = 0; i < 20000; i++) {
		buffer_format(&one, "word%d ", i);
		buffer_format(&two, i % 1000 == 7 ? "other%d " : "word%d ", i);
	}
	struct runes old = runes_of(&arena, buffer_text(&one)), new = runes_of(&arena, buffer_text(&two));
	assert_int_equal(hunks_between(&arena, &old, &new, NULL, 0).n, 20);
}

/* Segments as [look:text], the look as letters. */
static const char *segments_text(struct markup m)
{
	struct runes r = runes_of(&arena, m.text);
	struct buffer b = {.arena = &arena};

	for (size_t i = 0; i < m.n; i++) {
		const struct look *l = &m.segments[i].look;
		buffer_byte(&b, '[');
		buffer_put(&b, l->bold == MAYBE_ON ? "b" : l->bold ? "-b" : "");
		buffer_put(&b, l->italic == MAYBE_ON ? "i" : "");
		buffer_put(&b, l->underline.at ? "u" : "");
		buffer_put(&b, l->highlight.at ? "h" : "");
		buffer_add(&b, l->color.at ? l->color : TEXT(""));
		if (l->half_points)
			buffer_format(&b, "s%u", l->half_points);
		buffer_add(&b, l->face.at ? l->face : TEXT(""));
		buffer_put(&b, m.segments[i].role == ROLE_HEADER       ? "H"
			       : m.segments[i].role == ROLE_DEFINITION ? "D"
								       : "");
		buffer_byte(&b, ':');
		buffer_add(&b, runes_slice(&r, m.segments[i].from, m.segments[i].to));
		buffer_byte(&b, ']');
	}
	return buffer_text(&b).at;
}

static void tags_become_looks(void **state)
{
	(void)state;
	static const struct {
		const char *in, *want;
	} rows[] = {
		{"plain", "[:plain]"},
		{"a <b>b</b> c", "[:a ][b:b][: c]"},
		{"<b><i>x</i>y</b>", "[bi:x][b:y]"},
		{"<u>u</u><highlight>h</highlight><highlighting>g</highlighting>", "[u:u][h:hg]"},
		{"<font color=\"#ff0000\" size=\"10.5\" face='Arial Narrow'>x</font>", "[FF0000s21Arial Narrow:x]"},
		{"<header>H</header> <RunInHeader>R</RunInHeader> <definition>D</definition>",
		 "[H:H][: ][H:R][: ][D:D]"},
		{"<a href=\"http://x\">link</a> and </a>", "[:link and ]"},
		{"1 < 2 & <p>3</p> &amp; <br> <b and> <B>", "[:1 < 2 & <p>3</p> &amp; <br> <b and> <B>]"},
		{"", ""},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct call c = {.arena = &arena};
		struct markup m;
		if (!markup_read(&c, text_of(rows[i].in), &m))
			fail_msg("%s: %s", rows[i].in, c.error.message);
		assert_string_equal(segments_text(m), rows[i].want);
	}
}

static void tags_that_do_not_match_are_refused_by_name(void **state)
{
	(void)state;
	static const struct {
		const char *in, *code;
	} rows[] = {
		{"<b>x", "UNBALANCED_BOLD_TAGS"},
		{"x</i>", "UNBALANCED_ITALIC_TAGS"},
		{"<u>", "UNBALANCED_UNDERLINE_TAGS"},
		{"<highlighting>x", "UNBALANCED_HIGHLIGHT_TAGS"},
		{"</RunInHeader>", "UNBALANCED_HEADER_TAGS"},
		{"<definition>x", "UNBALANCED_DEFINITION_TAGS"},
		{"<font size=\"12\">x", "UNBALANCED_FONT_TAGS"},
		{"<b><i>x</b></i>", "UNBALANCED_ITALIC_TAGS"},
		{"<font size=\"big\">x</font>", NULL},
		{"<font color=\"reddish\">x</font>", NULL},
		{"<font weight=\"1\">x</font>", NULL},
		{"<highlight color=\"pinkish\">x</highlight>", NULL},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct call c = {.arena = &arena};
		struct markup m;
		assert_false(markup_read(&c, text_of(rows[i].in), &m));
		if (rows[i].code)
			assert_string_equal(c.error.code, rows[i].code);
		else
			assert_int_equal(c.error.fault, FAULT_ARGUMENT);
	}
}

static void definitions_are_recognised(void **state)
{
	(void)state;
	static const struct {
		const char *text, *terms; /* joined by | */
	} rows[] = {
		{"\"Closing Cash\" means cash.", "Closing Cash"},
		{"\xE2\x80\x9C"
		 "Affiliate\xE2\x80\x9D shall mean x; \xE2\x80\x9C"
		 "Base\xE2\x80\x9D has the meaning set forth",
		 "Affiliate|Base"},
		{"[\"Term\"] Means x", "Term"},
		{"(\"Term\") is defined as x", "Term"},
		{"'Term' refers to x", "Term"},
		{"\"A\" mean and include x", "A"},
		{"\"A\" have the  meanings given", "A"},
		{"\"A\" are defined as", "A"},
		{"\xC2\xAB"
		 "A\xC2\xBB means",
		 "A"},
		{"the parties' rights' means", ""},
		{"the party's 'Own Term' means", "Own Term"},
		{"\"A\" meanswhile", ""},
		{"\"A\"means", ""},
		{"\"A\" mean it", ""},
		{"\"\" means", ""},
		{"he said \"no\" and it means nothing", ""},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct runes r = runes_of(&arena, text_of(rows[i].text));
		struct definition *list;
		size_t n = definitions_find(&arena, &r, &list);
		struct buffer b = {.arena = &arena};
		for (size_t k = 0; k < n; k++) {
			buffer_put(&b, k ? "|" : "");
			buffer_add(&b, runes_slice(&r, list[k].from, list[k].to));
		}
		assert_text(buffer_text(&b), rows[i].terms);
	}
}

static const char *quoted(const char *in, const struct definition_model *model, const char *like)
{
	struct call c = {.arena = &arena};
	struct markup m;

	assert_true(markup_read(&c, text_of(in), &m));
	definition_quote(&arena, &m, model, text_of(like));
	if (model)
		definition_style(&arena, &m, model);
	return segments_text(m);
}

static void terms_are_quoted_once_and_styled_by_the_model(void **state)
{
	(void)state;
	struct definition_model bold = {.term = {.bold = MAYBE_ON}, .open = 0x201C, .close = 0x201D};

	assert_string_equal(quoted("<definition>T</definition> means", NULL, "plain"), "[:\"][D:T][:\"][: means]");
	assert_string_equal(quoted("<definition>T</definition> means", NULL, "\xE2\x80\x9C"),
			    "[:\xE2\x80\x9C][D:T][:\xE2\x80\x9D][: means]");
	assert_string_equal(quoted("<definition>T</definition> means", &bold, ""),
			    "[:\xE2\x80\x9C][bD:T][:\xE2\x80\x9D][: means]");
	assert_string_equal(quoted("\"<definition>T</definition>\" means", &bold, ""), "[:\"][bD:T][:\"][: means]");
	assert_string_equal(quoted("<definition>\"T\"</definition> means", &bold, ""), "[:\"][bD:T][:\"][: means]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(each_stage_finds_what_it_says, forget),
		cmocka_unit_test_teardown(straight_quotes_take_the_style_of_the_text, forget),
		cmocka_unit_test_teardown(accents_take_the_style_of_the_text, forget),
		cmocka_unit_test_teardown(a_place_in_the_composed_text_leads_to_whole_letters, forget),
		cmocka_unit_test_teardown(the_nearest_words_are_shown, forget),
		cmocka_unit_test_teardown(changes_are_found_by_words, forget),
		cmocka_unit_test_teardown(a_long_text_is_compared_in_reasonable_time, forget),
		cmocka_unit_test_teardown(tags_become_looks, forget),
		cmocka_unit_test_teardown(tags_that_do_not_match_are_refused_by_name, forget),
		cmocka_unit_test_teardown(definitions_are_recognised, forget),
		cmocka_unit_test_teardown(terms_are_quoted_once_and_styled_by_the_model, forget),
	};
	return RUN_TESTS(tests);
}
