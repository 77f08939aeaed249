#include "support/check.h"

#include "base/array.h"
#include "kinds/docx/text/atoms.h"

#include <stdio.h>
#include <string.h>

static struct arena arena;
static const struct names *names;

#define W "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

static int begin(void **state)
{
	(void)state;
	names = names_read(&arena, NULL,
			   TEXT("<w:document xmlns:w=\"" W "\" "
				"xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" "
				"xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\">"));
	return 0;
}

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static struct atoms read_in(const struct names *scope, const char *bytes, struct field_state before)
{
	struct atoms p;

	if (!atoms_read(&arena, text_of(bytes), scope, before, NULL, &p))
		fail_msg("not read: %s", bytes);
	return p;
}

static struct atoms paragraph(const char *inside)
{
	struct text bytes = text_format(&arena, "<w:p>%s</w:p>", inside);

	return read_in(names, bytes.at, (struct field_state){0});
}

#define R(x) "<w:r>" x "</w:r>"
#define T(x) "<w:r><w:t>" x "</w:t></w:r>"
#define BEGIN "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>"
#define CODE(x) "<w:r><w:instrText> " x " </w:instrText></w:r>"
#define SEPARATE "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>"
#define END "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"

/* One row for each row of the table of visible text. `kinds` has one letter per atom. */
static const char kind_letters[] = "TtbhYsLMOCGH";
static const struct {
	const char *inside, *text, *kinds, *hidden;
} rows[] = {
	{T("a &amp; b"), "a & b", "T", NULL},
	{R("<w:t>  kept  </w:t>"), "  kept  ", "T", NULL},
	{R("<w:t>a<![CDATA[<]]>b<!-- c -->d</w:t>"), "a<bd", "T", NULL},
	{R("<w:t>a</w:t><w:tab/><w:ptab w:alignment=\"left\"/><w:t>b</w:t>"), "a\t\tb", "TttT", NULL},
	{R("<w:br/><w:br w:type=\"textWrapping\"/><w:cr/>"), "\n\n\n", "bbb", NULL},
	{R("<w:t>a</w:t><w:br w:type=\"page\"/><w:br w:type=\"column\"/><w:t>b</w:t>"), "ab", "TOOT", NULL},
	{R("<w:t>a</w:t><w:noBreakHyphen/><w:softHyphen/><w:t>b</w:t>"),
	 "a\xE2\x80\x91"
	 "b",
	 "ThsT", NULL},
	{R("<w:sym w:font=\"Wingdings\" w:char=\"F0A8\"/><w:sym w:font=\"Odd\" w:char=\"F021\"/>"),
	 "\xE2\x98\x90\xEF\xBF\xBC", "YY", NULL},
	{"<w:del>" R("<w:delText>no</w:delText>") "</w:del>" T("a") "<w:moveFrom>" T("no") "</w:moveFrom>", "a", "GTG",
	 NULL},
	{R("<w:delText>no</w:delText><w:t>a</w:t>"), "a", "GT", NULL},
	{"<w:ins>" T("a") "</w:ins><w:moveTo>" T("b") "</w:moveTo><w:hyperlink>" T(
		 "c") "</w:hyperlink><w:smartTag>"
		      "<w:smartTagPr/>" T("d") "</w:smartTag><w:customXml><w:customXmlPr/>" T("e") "</w:customXml>",
	 "abcde", "TTTTT", NULL},
	{"<w:fldSimple w:instr=\" DATE \">" T("f") "</w:fldSimple><w:sdt><w:sdtPr/><w:sdtContent>" T(
		 "g") "</w:sdtContent></w:sdt><w:bdo>" T("h") "</w:bdo><w:dir>" T("i") "</w:dir>",
	 "fghi", "TTTT", NULL},
	{T("a") BEGIN CODE("REF x") SEPARATE T("1.2") END T("b"), "a1.2b", "TCCCTCT", NULL},
	{T("a") BEGIN CODE("REF x") T("code") END T("b"), "ab", "TCCCCT", NULL},
	{BEGIN CODE("IF") BEGIN CODE("MERGEFIELD n") SEPARATE T("inner") END CODE("= 1") SEPARATE T("yes") END, "yes",
	 "CCCCCCCCCTC", NULL},
	{R("<w:t>a</w:t><w:footnoteReference w:id=\"2\"/><w:drawing><w:t>no</w:t></w:drawing><w:pgNum/>"
	   "<w:lastRenderedPageBreak/><w:t>b</w:t>"),
	 "ab", "TOOOLT", NULL},
	{"<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>" R("<mc:AlternateContent><mc:Choice><w:p><w:r><w:t>no</w:t></w:r>"
							"</w:p></mc:Choice></mc:AlternateContent>"),
	 "", "OO", NULL},
	{"<w:bookmarkStart w:id=\"1\" w:name=\"a\"/>" T(
		 "a") "<w:bookmarkEnd w:id=\"1\"/><w:commentRangeStart w:id=\"1\"/>"
		      "<w:permStart/><w:moveToRangeStart/><w:proofErr w:type=\"spellStart\"/>",
	 "a", "MTMMMML", NULL},
	{"<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>" T(
		 "a") "<w:r><w:rPr><w:vanish w:val=\"false\"/></w:rPr><w:t>b</w:t></w:r>",
	 "ab", "HTT", "secret"},
	{"\n  " R("\n    <w:t>a</w:t>\n  ") "\n", "a", "T", NULL},
	{"<w:pPr><w:rPr><w:b/></w:rPr></w:pPr>" T("a"), "a", "T", NULL},
};

static void every_row_of_the_table_reads_as_it_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct atoms p = paragraph(rows[i].inside);
		char kinds[64] = "";
		for (uint32_t k = 0; k < p.n; k++)
			kinds[k] = kind_letters[p.atoms[k].kind];
		assert_text(p.text, rows[i].text);
		assert_string_equal(kinds, rows[i].kinds);
		assert_text(p.hidden, rows[i].hidden);
	}
}

static void offsets_count_code_points(void **state)
{
	(void)state;
	struct atoms p = paragraph(T("\xC3\xA9\xF0\x9F\x98\x80") "<w:bookmarkStart/>" T("z"));

	assert_int_equal(p.len, 3);
	assert_int_equal(p.atoms[0].len, 2);
	assert_int_equal(p.atoms[0].bytes, 6);
	assert_int_equal(p.atoms[1].at, 2);
	assert_int_equal(p.atoms[2].at, 2);
	assert_int_equal(p.atoms[2].byte, 6);
}

static void each_atom_knows_run_container_and_field(void **state)
{
	(void)state;
	struct atoms p = paragraph(T("a") "<w:hyperlink><w:ins>" T("b") "</w:ins></w:hyperlink>" BEGIN CODE("PAGE")
					   SEPARATE T("7") END);

	assert_int_equal(p.atoms[0].container, ATOMS_NONE);
	assert_int_equal(p.containers[p.atoms[1].container].tag, TAG_INS);
	assert_int_equal(p.containers[p.containers[p.atoms[1].container].parent].tag, TAG_HYPERLINK);
	assert_int_equal(p.atoms[1].run, 1);
	assert_int_equal(p.fields_n, 1);
	assert_text(p.fields[0].code, "PAGE");
	assert_int_equal(p.fields[0].at, 2);
	assert_int_equal(p.fields[0].to, 3);
	assert_int_equal(p.atoms[5].field, 0);
	assert_text(fragment_bytes(&p.fragment, p.runs[1].node), T("b"));
}

static void fields_are_carried_over_paragraphs(void **state)
{
	(void)state;
	struct atoms one = paragraph(BEGIN CODE("TOC") SEPARATE T("first"));
	assert_int_equal(one.fields_after.depth, 1);
	assert_int_equal(one.fields_after.in_result, 1);

	struct atoms two = read_in(names, "<w:p>" BEGIN CODE("IF") T("no") "</w:p>", one.fields_after);
	assert_text(two.text, "");
	assert_int_equal(two.fields_after.depth, 2);
	assert_int_equal(two.fields_after.in_result, 1);

	struct atoms three =
		read_in(names, "<w:p>" T("no") SEPARATE T("yes") END END T("x") "</w:p>", two.fields_after);
	assert_text(three.text, "yesx");
	assert_int_equal(three.fields_after.depth, 0);
	assert_int_equal(three.fields_n, 2);
	assert_int_equal(three.fields[0].to, 3);
}

static void marks_in_a_deletion_still_close_fields(void **state)
{
	(void)state;
	struct atoms p =
		paragraph(BEGIN CODE("PAGE") "<w:del>" SEPARATE R("<w:delText>7</w:delText>") END "</w:del>" T("a"));

	assert_text(p.text, "a");
	assert_int_equal(p.fields_after.depth, 0);
}

static void prefixes_are_whatever_the_part_binds(void **state)
{
	(void)state;
	const struct names *odd = names_read(&arena, NULL, TEXT("<x:d xmlns:x='" W "' xmlns:w='urn:other'>"));
	assert_text(read_in(odd, "<x:p><x:r><x:t>a</x:t><w:t>b</w:t></x:r></x:p>", (struct field_state){0}).text, "a");

	const struct names *plain = names_read(&arena, NULL, TEXT("<document xmlns=\"" W "\">"));
	assert_text(read_in(plain, "<p><r><t>a</t></r></p>", (struct field_state){0}).text, "a");

	const struct names *none = names_read(&arena, NULL, TEXT("<d>"));
	assert_text(read_in(none,
			    "<q:p xmlns:q='http://purl.oclc.org/ooxml/wordprocessingml/main'><q:r><q:t>a</q:t></q:r>"
			    "</q:p>",
			    (struct field_state){0})
			    .text,
		    "a");
	/* A declaration is valid only inside its element. */
	assert_text(paragraph("<z:r xmlns:z=\"" W "\"><z:t>a</z:t></z:r><z:r><z:t>b</z:t></z:r>").text, "a");
}

static void attributes_are_found_by_namespace(void **state)
{
	(void)state;
	struct atoms p = paragraph("<w:r val='plain' w:val='a &amp; b' xml:space = \"preserve\" w:more=\"\"/>");
	const struct fragment *f = &p.fragment;

	assert_text(fragment_attribute(&arena, f, 1, SPACE_W, "val"), "a & b");
	assert_text(fragment_attribute(&arena, f, 1, SPACE_NONE, "val"), "plain");
	assert_text(fragment_attribute(&arena, f, 1, SPACE_XML, "space"), "preserve");
	assert_text(fragment_attribute(&arena, f, 1, SPACE_W, "more"), "");
	assert_text(fragment_attribute(&arena, f, 1, SPACE_W, "ore"), NULL);
}

static void the_mark_and_the_section_are_told(void **state)
{
	(void)state;
	struct atoms p = paragraph("<w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr><w:sectPr/></w:pPr>");
	assert_true(p.mark_is_deleted && !p.mark_is_inserted && p.has_section);
	p = paragraph("<w:pPr><w:rPr><w:ins w:id=\"1\"/></w:rPr></w:pPr>");
	assert_true(p.mark_is_inserted && !p.mark_is_deleted && !p.has_section);
}

static void content_controls_tell_their_locks(void **state)
{
	(void)state;
	struct atoms p = paragraph("<w:sdt><w:sdtPr><w:lock w:val=\"contentLocked\"/></w:sdtPr><w:sdtContent>" T(
		"a") "</w:sdtContent></w:sdt><w:sdt><w:sdtPr><w:lock w:val=\"sdtLocked\"/><w:dataBinding/></w:sdtPr>"
		     "<w:sdtContent>" T("b") "</w:sdtContent></w:sdt>");
	assert_true(p.containers[0].is_locked && !p.containers[0].is_bound);
	assert_true(!p.containers[1].is_locked && p.containers[1].is_bound);
}

static void bytes_that_are_not_well_formed_are_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {"",
					  "<w:p>",
					  "<w:p></w:q>",
					  "<w:p/>x",
					  "<w:p a=\"></w:p>",
					  "x<w:p/>",
					  "<w:p></w:p></w:p>",
					  "<w:p><!-- </w:p>",
					  "<w:p><![CDATA[</w:p>",
					  "<",
					  "<>",
					  "</>",
					  "< ></ >"};
	struct atoms p;

	for (size_t i = 0; i < ARRAY_COUNT(bad); i++)
		assert_false(atoms_read(&arena, text_of(bad[i]), names, (struct field_state){0}, NULL, &p));
	struct buffer deep = {.arena = &arena};
	for (int i = 0; i < 100000; i++)
		buffer_put(&deep, "<w:ins>");
	for (int i = 0; i < 100000; i++)
		buffer_put(&deep, "</w:ins>");
	assert_false(atoms_read(&arena, buffer_text(&deep), names, (struct field_state){0}, NULL, &p));
}

static void symbols_have_their_characters(void **state)
{
	(void)state;
	static const struct {
		const char *font, *hex;
		uint32_t character;
	} want[] = {
		{"Symbol", "F061", 0x3B1},     {"Symbol", "B7", 0x2022},        {"Symbol", "F0D3", 0xA9},
		{"Symbol", "F0E4", 0x2122},    {"Symbol", "F0E5", 0x2211},      {"Symbol", "F02D", 0x2212},
		{"Wingdings", "F0FE", 0x2611}, {"Wingdings 2", "F052", 0x2611}, {"Arial", "00A7", 0xA7},
		{"Arial", "D800", 0xFFFC},     {"Arial", "xyz", 0xFFFC},        {"Arial", "12345", 0xFFFC},
		{"Arial", "", 0xFFFC},
	};

	for (size_t i = 0; i < ARRAY_COUNT(want); i++)
		assert_int_equal(symbol_character(text_of(want[i].font), text_of(want[i].hex)), want[i].character);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_row_of_the_table_reads_as_it_says, begin, forget),
		cmocka_unit_test_setup_teardown(offsets_count_code_points, begin, forget),
		cmocka_unit_test_setup_teardown(each_atom_knows_run_container_and_field, begin, forget),
		cmocka_unit_test_setup_teardown(fields_are_carried_over_paragraphs, begin, forget),
		cmocka_unit_test_setup_teardown(marks_in_a_deletion_still_close_fields, begin, forget),
		cmocka_unit_test_setup_teardown(prefixes_are_whatever_the_part_binds, begin, forget),
		cmocka_unit_test_setup_teardown(attributes_are_found_by_namespace, begin, forget),
		cmocka_unit_test_setup_teardown(the_mark_and_the_section_are_told, begin, forget),
		cmocka_unit_test_setup_teardown(content_controls_tell_their_locks, begin, forget),
		cmocka_unit_test_setup_teardown(bytes_that_are_not_well_formed_are_refused, begin, forget),
		cmocka_unit_test_setup_teardown(symbols_have_their_characters, begin, forget),
	};
	return RUN_TESTS(tests);
}
