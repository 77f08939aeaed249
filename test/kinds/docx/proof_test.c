/* The proof of redlines: it holds for a true redline, and misses for every kind of false one. */
#include "support/check.h"

#include "kinds/docx/track/proof.h"

#include <string.h>

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

#define W "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\""
#define P(x) "<w:p>" x "</w:p>"
#define T(x) "<w:r><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define B(x) "<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define DEL(x) "<w:del w:id=\"1\" w:author=\"q\"><w:r><w:delText xml:space=\"preserve\">" x "</w:delText></w:r></w:del>"
#define INS(x) "<w:ins w:id=\"2\" w:author=\"q\">" x "</w:ins>"
#define MARK(x) "<w:pPr><w:rPr><w:" x " w:id=\"3\" w:author=\"q\"/></w:rPr></w:pPr>"
#define LINK(x) "<w:hyperlink w:anchor=\"a\">" x "</w:hyperlink>"
#define ROW(pr, x) "<w:tr>" pr "<w:tc><w:tcPr/>" x "</w:tc></w:tr>"
#define TABLE(x) "<w:tbl><w:tblPr/><w:tblGrid/>" x "</w:tbl>"
#define BOOKMARK "<w:bookmarkStart w:id=\"4\" w:name=\"b\"/>"
#define CONTROL(x) "<w:sdt><w:sdtPr/><w:sdtContent>" x "</w:sdtContent></w:sdt>"

static struct text body(const char *inside)
{
	return text_format(&arena, "<w:document " W "><w:body>%s<w:sectPr/></w:body></w:document>", inside);
}

/* The redline and the revised document as edits of the whole body. */
static bool holds(const char *original, const char *redline, const char *revised)
{
	static const struct names none = {0};
	struct text bytes = body(original);
	uint32_t from = (uint32_t)text_find(bytes, TEXT("<w:body>"), 0) + 8, to = from + (uint32_t)strlen(original);
	struct splice red = {from, to, text_of(redline)}, clean = {from, to, text_of(revised)};
	struct proof edited = {
		.bytes = bytes, .names = &none, .redline = {&red, 1}, .clean = {&clean, 1}, .has_revised = true};
	struct proof apart = {.bytes = bytes,
			      .names = &none,
			      .redline = {&red, 1},
			      .revised = body(revised),
			      .revised_names = &none,
			      .has_revised = true};
	bool is = proof_holds(&arena, &edited);

	apart.revised = text_slice(apart.revised, text_find(apart.revised, TEXT("<w:body>"), 0),
				   text_find(apart.revised, TEXT("</w:document>"), 0));
	apart.revised_names = names_read(&arena, NULL, TEXT("<w:document " W ">"));
	assert_int_equal(proof_holds(&arena, &apart), is);
	return is;
}

static const struct row {
	const char *original, *redline, *revised;
} right[] = {
	{P(T("one two")), P(T("one ") DEL("two") INS(T("three"))), P(T("one three"))},
	/* The division into runs does not count. */
	{P(T("o") T("ne")), P(T("one")), P("<w:r><w:t>on</w:t><w:t>e</w:t></w:r>")},
	{P(T("x")),
	 P("<w:r><w:rPr><w:b/><w:rPrChange w:id=\"1\" w:author=\"q\"><w:rPr/></w:rPrChange></w:rPr><w:t>x</w:t></w:r>"),
	 P(B("x"))},
	{P(T("a")), P(T("a")) P(MARK("ins") INS(T("b"))), P(T("a")) P(T("b"))},
	{P(T("a")) P(T("b")), P(MARK("del") DEL("a")) P(T("b")), P(T("b"))},
	/* A mark that goes joins two paragraphs. */
	{P(T("a")) P(T("b")), P(MARK("del") T("a")) P(T("b")), P(T("ab"))},
	{P("<w:pPr><w:jc w:val=\"left\"/></w:pPr>" T("a")),
	 P("<w:pPr><w:jc w:val=\"right\"/><w:pPrChange w:id=\"1\" w:author=\"q\"><w:pPr><w:jc w:val=\"left\"/></w:pPr></w:pPrChange></w:pPr>" T(
		 "a")),
	 P("<w:pPr><w:jc w:val=\"right\"/></w:pPr>" T("a"))},
	{TABLE(ROW("", P(T("a")))),
	 TABLE(ROW("", P(T("a")))
		       ROW("<w:trPr><w:ins w:id=\"1\" w:author=\"q\"/></w:trPr>", P(MARK("ins") INS(T("b"))))),
	 TABLE(ROW("", P(T("a"))) ROW("", P(T("b"))))},
	{P(T("a")) TABLE(ROW("", P(T("b")))),
	 P(T("a")) TABLE(ROW("<w:trPr><w:del w:id=\"1\" w:author=\"q\"/></w:trPr>", P(MARK("del") DEL("b")))),
	 P(T("a"))},
	{P(LINK(T("a"))), P(LINK(DEL("a") INS(T("b")))), P(LINK(T("b")))},
	{P(T("a")), P(T("a")) CONTROL(P(MARK("ins") INS(T("b")))), P(T("a")) CONTROL(P(T("b")))},
	{P(T("a &gt; b")), P(T("a > b")), P(T("a &#62; b"))},
	/* Bookmarks may move where a paragraph is deleted. */
	{P(BOOKMARK T("a")) P(T("b")), P(MARK("del") BOOKMARK DEL("a")) P(T("b")), P(BOOKMARK T("b"))},
};

static const struct row wrong[] = {
	{P(T("one two")), P(T("one ") DEL("two")), P(T("one three"))},
	{P(T("one two")), P(T("one ") INS(T("three"))), P(T("one three"))},
	{P(T("x")), P(B("x")), P(B("x"))},
	{P(B("x")), P(DEL("x") INS(B("x"))), P(B("x"))},            /* rejected, it is no longer bold */
	{P(T("a")), P(T("a")) P(INS(T("b"))), P(T("a")) P(T("b"))}, /* rejected, an empty paragraph is left */
	{P(T("a")) P(T("b")), P(DEL("a")) P(T("b")), P(T("b"))},
	{P("<w:pPr><w:jc w:val=\"left\"/></w:pPr>" T("a")), P("<w:pPr><w:jc w:val=\"right\"/></w:pPr>" T("a")),
	 P("<w:pPr><w:jc w:val=\"right\"/></w:pPr>" T("a"))},
	{TABLE(ROW("", P(T("a")))), TABLE(ROW("", P(T("a"))) ROW("", P(MARK("ins") INS(T("b"))))),
	 TABLE(ROW("", P(T("a"))) ROW("", P(T("b"))))},
	{P(LINK(T("a"))), P(LINK(DEL("a")) INS(T("b"))), P(LINK(T("b")))},
	{P(BOOKMARK T("a")), P(DEL("a") INS(T("b"))), P(T("b"))},
	{P(T("a")) CONTROL(P(T("b"))), P(T("a")) P(T("b")), P(T("a")) P(T("b"))},
	{P("<w:r><w:tab/></w:r>"), P("<w:r><w:br/></w:r>"), P("<w:r><w:br/></w:r>")},
	{P("<w:r><w:footnoteReference w:id=\"2\"/></w:r>"), P("<w:r><w:footnoteReference w:id=\"3\"/></w:r>"),
	 P("<w:r><w:footnoteReference w:id=\"3\"/></w:r>")},
};

static void a_true_redline_is_proved(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(right); i++)
		if (!holds(right[i].original, right[i].redline, right[i].revised))
			fail_msg("row %zu: %s", i, right[i].redline);
}

static void a_false_one_is_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(wrong); i++)
		if (holds(wrong[i].original, wrong[i].redline, wrong[i].revised))
			fail_msg("row %zu: %s", i, wrong[i].redline);
}

static struct splice edit_of(struct text bytes, const char *old, const char *new)
{
	uint32_t from = (uint32_t)text_find(bytes, text_of(old), 0);

	return (struct splice){from, from + (uint32_t)strlen(old), text_of(new)};
}

static void the_edits_that_do_not_hold_are_named(void **state)
{
	static const struct names none = {0};
	struct text bytes = body(P(T("a")) P(T("b")) P(T("c")) P(T("d")));
	struct splice good = edit_of(bytes, P(T("a")), P(DEL("a") INS(T("A")))),
		      bad = edit_of(bytes, P(T("c")), P(T("C")));
	struct splice red[] = {good, bad},
		      clean[] = {edit_of(bytes, P(T("a")), P(T("A"))), edit_of(bytes, P(T("c")), P(T("C")))};
	struct proof p = {
		.bytes = bytes, .names = &none, .redline = {red, 2}, .clean = {clean, 2}, .has_revised = true};

	(void)state;
	assert_false(proof_holds(&arena, &p));
	assert_int_equal(p.misses.n, 1);
	assert_int_equal(p.misses.items[0], 1);
	/* What is changed without any edit is between two. */
	clean[1] = edit_of(bytes, P(T("b")), P(T("B")));
	red[1] = edit_of(bytes, P(T("d")), P(DEL("d")));
	assert_false(proof_holds(&arena, &p));
	assert_true(p.misses.n >= 2);
	assert_int_equal(p.misses.items[0], 0);
	assert_int_equal(p.misses.items[1], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_true_redline_is_proved, forget),
		cmocka_unit_test_teardown(a_false_one_is_not, forget),
		cmocka_unit_test_teardown(the_edits_that_do_not_hold_are_named, forget),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
