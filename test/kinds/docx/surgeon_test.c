#include "support/check.h"

#include "kinds/docx/surgeon/surgeon.h"

#include <string.h>

static struct arena arena;
static const struct names *names;

static int begin(void **state)
{
	(void)state;
	names = names_read(
		&arena, NULL,
		TEXT("<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">"));
	return 0;
}

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

#define R(x) "<w:r>" x "</w:r>"
#define T(x) "<w:r><w:t>" x "</w:t></w:r>"
#define N(x) "<w:r><w:t xml:space=\"preserve\">" x "</w:t></w:r>" /* as we write it */
#define B(x) "<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define I(x) "<w:r><w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define U(x) "<w:r><w:rPr><w:u w:val=\"single\"/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define HL(x) "<w:r><w:rPr><w:highlight w:val=\"yellow\"/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define BOLD "<w:rPr><w:b/><w:bCs/></w:rPr>"
#define BEGIN "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>"
#define CODE(x) "<w:r><w:instrText> " x " </w:instrText></w:r>"
#define SEPARATE "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>"
#define END "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"
#define FIELD(code, result)                                                                                            \
	BEGIN CODE(code)                                                                                               \
	SEPARATE T(result) END
#define LINK(x) "<w:hyperlink r:id=\"rId1\">" x "</w:hyperlink>"
#define SDT(pr, x) "<w:sdt><w:sdtPr>" pr "</w:sdtPr><w:sdtContent>" x "</w:sdtContent></w:sdt>"

/* Rows set only the members that they need. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
struct row {
	const char *inside, *old, *new, *want, *code, *says;
	bool allow_field_result;
};

static void check_row(const struct row *row)
{
	struct call c = {.arena = &arena};
	struct text bytes = text_format(&arena, "<w:p>%s</w:p>", row->inside);
	struct text want = text_format(&arena, "<w:p>%s</w:p>", row->want ? row->want : ""), out;
	struct atoms p;
	struct surgery s = {.p = &p, .allow_field_result = row->allow_field_result};

	assert_true(atoms_read(&arena, bytes, names, (struct field_state){0}, NULL, &p));
	struct runes text = runes_of(&arena, p.text);
	struct matches m = match_find(&arena, &text, text_of(row->old));
	assert_int_equal(m.n, 1);
	s.at = m.items[0];
	assert_true(markup_read(&c, text_of(row->new), &s.new));
	surgeon_compare(&arena, &s);
	bool done = surgeon_operate(&c, &s, &out);
	if (row->code) {
		if (done)
			fail_msg("\"%s\" -> \"%s\" was done: %s", row->old, row->new, out.at);
		assert_string_equal(c.error.code, row->code);
		if (row->says && !strstr(error_sentence(c.arena, &c.error), row->says))
			fail_msg("\"%s\" does not say \"%s\"", c.error.message, row->says);
		return;
	}
	if (!done)
		fail_msg("\"%s\" -> \"%s\": %s", row->old, row->new, c.error.message);
	assert_text(out, want.at);
}

#define CHECK(rows)                                                                                                    \
	for (size_t i_ = 0; i_ < ARRAY_COUNT(rows); i_++)                                                              \
	check_row(&(rows)[i_])

static void only_what_differs_is_touched(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{T("within 30 days"), "within 30 days", "within 45 days", N("within 45 days"), 0},
		/* A w:t that already preserves spaces keeps its tag. */
		{"<w:r w:rsidR=\"00A1\"><w:t xml:space='preserve'>a b</w:t></w:r>", "b", "c",
		 "<w:r w:rsidR=\"00A1\"><w:t xml:space='preserve'>a c</w:t></w:r>", 0},
		/* Unchanged words keep their runs. */
		{B("Term") N(" means one thing"), "Term means one thing", "Term means another thing",
		 B("Term") N(" means another thing"), 0},
		{T("a") B("b") T("c"), "abc", "abc", T("a") B("b") T("c"), 0},
		/* Two hunks in two runs. */
		{B("first ") I("middle ") U("last"), "first middle last", "one middle two",
		 B("one ") I("middle ") U("two"), 0},
		/* Escaped characters stay escaped. */
		{T("A &amp; B"), "B", "<C> & D", N("A &amp; &lt;C&gt; &amp; D"), 0},
		/* Untouched children of the run keep their bytes. */
		{R("<w:t>a</w:t><w:tab/><w:t>b</w:t><w:footnoteReference w:id=\"2\"/>"), "b", "c",
		 R("<w:t>a</w:t><w:tab/><w:t xml:space=\"preserve\">c</w:t><w:footnoteReference w:id=\"2\"/>"), 0},
		{T("colo") B("r"), "color", "colour", N("colou") B("r"), 0},
		{T("one two"), "two", "", N("one "), 0},
	};
	CHECK(rows);
}

static void a_change_over_mixed_runs_is_shared_out(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{N("ABC") B("DEF") I("GHI"), "ABCDEFGHI", "123456789", N("123") B("456") I("789"), 0},
		{U("Hello") N(" world"), "Hello world", "Goodbye universe", U("Goodbye") N(" universe"), 0},
		/* No cut inside a word: the nearest border of words. */
		{B("Alpha Beta") N("; Gamma"), "Alpha Beta; Gamma", "Completely different",
		 B("Completely") N(" different"), 0},
		{B("AB") N("CD"), "ABCD", "wxyz", B("wx") N("yz"), 0},
		/* Runs with the same look count as one. */
		{N("ab") N("cd") B("ef"), "abcdef", "uvwxyz", N("uvwx") B("yz"), 0},
		{B("Hello") N(" world"), "Hello world", "Greetings", N("Greetings"), 0},
		/* A cluster is not split. */
		{B("AB") N("CD"), "ABCD",
		 "e\xCC\x81"
		 "e\xCC\x81",
		 B("e\xCC\x81") N("e\xCC\x81"), 0},
	};
	CHECK(rows);
}

static void shares_follow_the_largest_remainder(void **state)
{
	(void)state;
	uint32_t cuts[3];

	surgeon_shares((uint32_t[]){3, 3, 3}, 3, 9, cuts);
	assert_int_equal(cuts[0], 3);
	assert_int_equal(cuts[1], 6);
	surgeon_shares((uint32_t[]){1, 1, 1}, 3, 4, cuts);
	assert_int_equal(cuts[0], 2);
	assert_int_equal(cuts[1], 3);
	surgeon_shares((uint32_t[]){1, 6, 3}, 3, 7, cuts);
	assert_int_equal(cuts[0], 1);
	assert_int_equal(cuts[1], 5);
}

static void new_text_looks_like_its_neighbour(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{B("bold") N(" plain"), "bold plain", "bold and plain", B("bold") N(" and plain"), 0},
		{B("bold") N("plain"), "bold", "bolder", B("bolder") N("plain"), 0},
		/* At the start: of the character after it. */
		{B("bold"), "bold", "very bold", B("very bold"), 0},
		/* Next to a link or a field, the text is not put into it. */
		{LINK(U("link")) N(" tail"), "link", "link text", LINK(U("link")) N(" text tail"), 0},
		{LINK(U("link")), "link", "link text", LINK(U("link")) N(" text"), 0},
		{LINK(U("link")), "link", "the link", N("the ") LINK(U("link")), 0},
		{N("a") FIELD("REF x", "1"), "a1", "a1 b", N("a") FIELD("REF x", "1") N(" b"), 0},
		{N("a ") LINK(U("link")), "link", "link text", N("a ") LINK(U("link")) N(" text"), 0},
	};
	CHECK(rows);
}

static void runs_are_split_with_their_properties(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{"<w:r w:rsidR=\"01\"><w:rPr><w:i/><w:sz w:val=\"20\"/></w:rPr><w:t>one two three</w:t></w:r>", "two",
		 "<b>two</b>",
		 "<w:r w:rsidR=\"01\"><w:rPr><w:i/><w:sz w:val=\"20\"/></w:rPr><w:t xml:space=\"preserve\">one </w:t></w:r>"
		 "<w:r w:rsidR=\"01\"><w:rPr><w:b/><w:bCs/><w:i/><w:sz w:val=\"20\"/></w:rPr><w:t xml:space=\"preserve\">two</w:t></w:r>"
		 "<w:r w:rsidR=\"01\"><w:rPr><w:i/><w:sz w:val=\"20\"/></w:rPr><w:t xml:space=\"preserve\"> three</w:t></w:r>",
		 0},
		/* Children go to exactly one side. */
		{R("<w:t>ab</w:t><w:tab/><w:t>cd</w:t>"), "b\tc", "<b>b\tc</b>",
		 N("a") R(BOLD "<w:t xml:space=\"preserve\">b</w:t><w:tab/><w:t xml:space=\"preserve\">c</w:t>") N("d"),
		 0},
		/* Text that is already bold is unchanged. */
		{B("Term"), "Term", "<b>Term</b>", B("Term"), 0},
		/* Empty runs are removed; items without width stay. */
		{T("a") B("b") T("c"), "b", "", T("a") T("c"), 0},
		{T("a ") R("<w:t>b</w:t><w:footnoteReference w:id=\"2\"/>") T(" c"), "a b c", "a c",
		 T("a ") R("<w:footnoteReference w:id=\"2\"/>") N("c"), 0},
		{T("a") "<w:bookmarkStart w:id=\"1\" w:name=\"x\"/>" B("b") "<w:bookmarkEnd w:id=\"1\"/>" T("c"), "abc",
		 "ac", T("a") "<w:bookmarkStart w:id=\"1\" w:name=\"x\"/><w:bookmarkEnd w:id=\"1\"/>" T("c"), 0},
		{R("<w:t>a </w:t>") R("<w:lastRenderedPageBreak/><w:t>b</w:t>"), "a b", "a", N("a"), 0},
	};
	CHECK(rows);
}

static void highlighted_blanks_lose_their_highlight(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{N("Name: ") HL("[Company Name Inc.]"), "[Company Name Inc.]", "Acme Inc.", N("Name: ") N("Acme Inc."),
		 0},
		{HL("_____") N(" days"), "_____ days", "30 days", N("30") N(" days"), 0},
		{HL("{{name}}"), "{{name}}", "Acme", N("Acme"), 0},
		{HL("\xC2\xABname\xC2\xBB"), "\xC2\xABname\xC2\xBB", "Acme", N("Acme"), 0},
		/* The brackets need not be highlighted. The new text gets the look of the placeholder. */
		{B("[") HL("__") B("]"), "[__]", "Acme Pension Fund", N("Acme Pension Fund"), 0},
		{B("[") HL("30") B("]") N("%"), "[30]%", "45%", N("45") N("%"), 0},
		/* Brackets that the new text repeats stay, and so does the placeholder between them. */
		{B("[") HL("thirty") B("]"), "[thirty]", "[forty]", B("[") HL("forty") B("]"), 0},
		/* Not a placeholder, or highlighted by the caller: the highlight stays. */
		{HL("name"), "name", "Acme", HL("Acme"), 0},
		{HL("[name]"), "[name]", "<highlight>Acme</highlight>", HL("Acme"), 0},
		{N("[name]"), "[name]", "Acme", N("Acme"), 0},
	};
	CHECK(rows);
}

static void tabs_and_breaks_become_elements(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{T("a b"), " ", "\t",
		 R("<w:t xml:space=\"preserve\">a</w:t><w:tab/><w:t xml:space=\"preserve\">b</w:t>"), 0},
		{T("a b"), "b", "b\nc",
		 R("<w:t xml:space=\"preserve\">a b</w:t><w:br/><w:t xml:space=\"preserve\">c</w:t>"), 0},
		/* A tab is replaced as a unit. */
		{R("<w:t>a</w:t><w:tab/><w:t>b</w:t>"), "a\tb", "a b",
		 R("<w:t>a</w:t><w:t xml:space=\"preserve\"> </w:t><w:t>b</w:t>"), 0},
		{R("<w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t>"), "a-b", "ab", R("<w:t>a</w:t><w:t>b</w:t>"), 0},
	};
	CHECK(rows);
}

static void containers_are_edited_inside_or_not_at_all(void **state)
{
	(void)state;
	static const struct row rows[] = {
		/* Inside one: the container stays. */
		{N("See ") LINK(U("our site")) N(" now"), "our site", "our page",
		 N("See ") LINK(U("our page")) N(" now"), 0},
		{"<w:ins w:id=\"1\" w:author=\"X\">" N("added text") "</w:ins>", "text", "words",
		 "<w:ins w:id=\"1\" w:author=\"X\">" N("added words") "</w:ins>", 0},
		{SDT("", N("old")), "old", "new", SDT("", N("new")), 0},
		{"<w:smartTag>" N("old") "</w:smartTag>", "old", "new", "<w:smartTag>" N("new") "</w:smartTag>", 0},
		/* Several containers, but each change is inside one. */
		{N("Click ") LINK(U("here")) N(" now"), "Click here now", "Press there soon",
		 N("Press ") LINK(U("there")) N(" soon"), 0},
		/* One change across a border. */
		{N("Click ") LINK(U("here")) N("after"), "hereafter", "xyz", NULL, "UNSAFE_CONTAINER_BOUNDARY",
		 "\"here\" (characters 6 to 10)", 0},
		{N("Click ") LINK(U("here")) N("afterwards"), "hereafterwards", "xyz", NULL,
		 "UNSAFE_CONTAINER_BOUNDARY", "can be changed is \"afterwards\"", 0},
		/* A longer word still belongs to the link. */
		{N("a ") LINK(U("link")) N(" b"), "link", "links", N("a ") LINK(U("links")) N(" b"), 0},
		{LINK(U("here")) N(" b"), "here", "there", LINK(U("there")) N(" b"), 0},
		/* A link that loses its text is removed; a form's control stays. */
		{N("a ") LINK(U("b")) N(" c"), "b", "", N("a ") N(" c"), 0},
		{SDT("", N("b")) N("c"), "b", "", SDT("", "") N("c"), 0},
		{SDT("<w:lock w:val=\"contentLocked\"/>", N("b")), "b", "c", NULL, "UNSUPPORTED_EDIT", "locked", 0},
		{SDT("<w:dataBinding/>", N("b")), "b", "c", NULL, "UNSUPPORTED_EDIT", "data", 0},
		{SDT("<w:lock w:val=\"sdtLocked\"/>", N("b")), "b", "c", SDT("<w:lock w:val=\"sdtLocked\"/>", N("c")),
		 0},
		{N("a") R("<w:sym w:font=\"Wingdings\" w:char=\"F0A8\"/>"), "a\xE2\x98\x90", "b", NULL,
		 "UNSUPPORTED_EDIT", "symbol", 0},
	};
	CHECK(rows);
}

/* Text inserted between two nested containers stays inside the container around both. */
static void an_insertion_stays_in_the_container_around_it(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{SDT("", N("name ") LINK(U("link"))), "name link", "name new link",
		 SDT("", N("name new ") LINK(U("link"))), 0},
		{SDT("", LINK(U("link")) N("tail")), "linktail", "link tail", SDT("", LINK(U("link")) N(" tail")), 0},
		{SDT("", LINK(U("one")) LINK(U("two"))), "onetwo", "one two",
		 SDT("", LINK(U("one")) N(" ") LINK(U("two"))), 0},
		{SDT("", N("one") LINK(LINK(U("two")))) N("x"), "onetwo", "one two",
		 SDT("", N("one ") LINK(LINK(U("two")))) N("x"), 0},
		{"<w:ins w:id=\"1\" w:author=\"X\">" SDT("", U("one")) LINK(U("two")) "</w:ins>", "onetwo", "one two",
		 "<w:ins w:id=\"1\" w:author=\"X\">" SDT("", U("one")) N(" ") LINK(U("two")) "</w:ins>", 0},
		/* A field without a result is between the two words. */
		{SDT("", N("one") BEGIN CODE("XE one") END N("two")), "onetwo", "one two",
		 SDT("", N("one ") BEGIN CODE("XE one") END N("two")), 0},
		{SDT("<w:lock w:val=\"contentLocked\"/>", LINK(U("one")) LINK(U("two"))), "onetwo", "one two", NULL,
		 "UNSUPPORTED_EDIT", "locked", 0},
		/* A field that begins outside a link and ends inside it has no place after it. */
		{BEGIN CODE("REF x") SEPARATE LINK(U("one")) LINK(END U("two")), "onetwo", "one two", NULL,
		 "UNSUPPORTED_EDIT", "REF x", 0},
		{BEGIN CODE("REF x") SEPARATE LINK(U("one")) LINK(U("two")) END, "onetwo", "one two", NULL,
		 "UNSUPPORTED_EDIT", "REF x", 0},
		{BEGIN CODE("REF x") SEPARATE LINK(U("one")) LINK(U("two")) END, "onetwo", "one two",
		 BEGIN CODE("REF x") SEPARATE LINK(U("one")) N(" ") LINK(U("two")) END, 0, 0, true},
	};
	CHECK(rows);
}

static void fields_survive(void **state)
{
	(void)state;
	static const struct row rows[] = {
		/* Directly next to a field. */
		{N("Amount ") FIELD("MERGEFIELD A", "100") N(" due."), " due.", " payable.",
		 N("Amount ") FIELD("MERGEFIELD A", "100") N(" payable."), 0},
		{N("Amount") FIELD("MERGEFIELD A", "100") N("due."), "Amount", "Sum",
		 N("Sum") FIELD("MERGEFIELD A", "100") N("due."), 0},
		/* Inside the match but unchanged. */
		{N("Amount ") FIELD("MERGEFIELD A", "100") N(" due."), "Amount 100 due.", "Sum 100 payable.",
		 N("Sum ") FIELD("MERGEFIELD A", "100") N(" payable."), 0},
		/* Across its border. */
		{N("Amount") FIELD("MERGEFIELD A", "100") N("due."), "Amount100", "Sum", NULL, "UNSUPPORTED_EDIT",
		 "MERGEFIELD A", 0},
		{N("a") BEGIN CODE("TC") END N("b"), "ab", "xy", NULL, "UNSUPPORTED_EDIT", "TC", 0},
		/* Across a mark without its field, as damaged files have them. */
		{N("a") END N("b"), "ab", "xy", NULL, "UNSUPPORTED_EDIT", "mark of a field", 0},
		{N("a") SEPARATE N("b"), "ab", "xy", NULL, "UNSUPPORTED_EDIT", "mark of a field", 0},
		{N("a") CODE("TC") N("b"), "ab", "xy", NULL, "UNSUPPORTED_EDIT", "mark of a field", 0},
		/* Its result. */
		{N("see ") FIELD("REF x", "1.2"), "1.2", "1.3", NULL, "UNSUPPORTED_EDIT", "allow_field_result", 0},
		{N("see ") FIELD("REF x", "1.2"), "1.2", "1.3", N("see ") BEGIN CODE("REF x") SEPARATE N("1.3") END,
		 .allow_field_result = true},
		{"<w:fldSimple w:instr=\" DATE \">" T("May") "</w:fldSimple>", "May", "June", NULL, "UNSUPPORTED_EDIT",
		 "DATE", 0},
		{FIELD("REF x", "1.2"), "1.2", "1.2.3", FIELD("REF x", "1.2") N(".3"), 0},
	};
	CHECK(rows);
}

static void an_empty_paragraph_takes_its_first_text(void **state)
{
	(void)state;
	static const struct {
		const char *bytes, *want;
	} rows[] = {
		{"<w:p/>", "<w:p>" N("x") "</w:p>"},
		{"<w:p w:rsidR=\"1\"></w:p>", "<w:p w:rsidR=\"1\">" N("x") "</w:p>"},
		{"<w:p><w:pPr><w:rPr><w:b/></w:rPr></w:pPr></w:p>",
		 "<w:p><w:pPr><w:rPr><w:b/></w:rPr></w:pPr>" B("x") "</w:p>"},
		{"<w:p><w:pPr><w:rPr><w:ins w:id=\"1\"/><w:b/></w:rPr></w:pPr></w:p>",
		 "<w:p><w:pPr><w:rPr><w:ins w:id=\"1\"/><w:b/></w:rPr></w:pPr>" B("x") "</w:p>"},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct call c = {.arena = &arena};
		struct atoms p;
		struct markup m;
		struct text out;
		assert_true(atoms_read(&arena, text_of(rows[i].bytes), names, (struct field_state){0}, NULL, &p));
		assert_true(markup_read(&c, TEXT("x"), &m));
		assert_true(surgeon_fill(&c, &p, &m, &out));
		assert_text(out, rows[i].want);
	}
}

static void a_part_without_prefixes_is_edited_too(void **state)
{
	(void)state;
	struct call c = {.arena = &arena};
	const struct names *plain =
		names_read(&arena, NULL,
			   TEXT("<document xmlns=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">"));
	struct atoms p, now;
	struct surgery s = {.p = &p, .at = {0, 3}};
	struct text out;

	assert_true(atoms_read(&arena, TEXT("<p><r><t>one</t></r></p>"), plain, (struct field_state){0}, NULL, &p));
	assert_true(markup_read(&c, TEXT("<b>two</b>\tthree"), &s.new));
	surgeon_compare(&arena, &s);
	assert_true(surgeon_operate(&c, &s, &out));
	assert_true(atoms_read(&arena, out, plain, (struct field_state){0}, NULL, &now));
	assert_text(now.text, "two\tthree");
	assert_int_equal(look_of(&arena, &now.fragment, now.runs[0].rpr).bold, MAYBE_ON);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(only_what_differs_is_touched, begin, forget),
		cmocka_unit_test_setup_teardown(a_change_over_mixed_runs_is_shared_out, begin, forget),
		cmocka_unit_test_setup_teardown(shares_follow_the_largest_remainder, begin, forget),
		cmocka_unit_test_setup_teardown(new_text_looks_like_its_neighbour, begin, forget),
		cmocka_unit_test_setup_teardown(runs_are_split_with_their_properties, begin, forget),
		cmocka_unit_test_setup_teardown(highlighted_blanks_lose_their_highlight, begin, forget),
		cmocka_unit_test_setup_teardown(tabs_and_breaks_become_elements, begin, forget),
		cmocka_unit_test_setup_teardown(containers_are_edited_inside_or_not_at_all, begin, forget),
		cmocka_unit_test_setup_teardown(an_insertion_stays_in_the_container_around_it, begin, forget),
		cmocka_unit_test_setup_teardown(fields_survive, begin, forget),
		cmocka_unit_test_setup_teardown(an_empty_paragraph_takes_its_first_text, begin, forget),
		cmocka_unit_test_setup_teardown(a_part_without_prefixes_is_edited_too, begin, forget),
	};
	return RUN_TESTS(tests);
}
