/* Edits of a story: each scenario of the specification, on documents made here. */
#include "support/check.h"

#include "kinds/docx/docx_file.h"
#include "kinds/docx/edit/change.h"

#include <string.h>

static struct arena arena;
static struct call call;
static struct journal journal;
static const struct zip_limits limits = {
	.entries = 1000, .entry = 64 << 20, .total = 128 << 20, .ratio = 300, .ratio_from = 1 << 20};

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static struct story *opened_with(const char *body, const char *styles)
{
	struct package *p;

	call = (struct call){.arena = &arena};
	if (!package_open(&call, &arena, docx_file(&arena, body, styles, NULL), &limits, &p))
		fail_msg("%s", call.error.message);
	journal = (struct journal){.arena = &arena, .package = p};
	struct story *s = story_read(&call, &arena, p->main, STORY_BODY, styles_read(&call, p), &journal);
	if (!s)
		fail_msg("%s", call.error.message);
	return s;
}

static struct story *opened(const char *body) { return opened_with(body, NULL); }

/* The current content of the body, without the section at its end. */
static const char *body_of(const struct story *s)
{
	size_t n;
	struct splice *edits = story_splices(&arena, s, &n);
	struct text all = splice_apply(&arena, s->part->bytes, edits, n);
	size_t from = text_find(all, TEXT("<w:body>"), 0) + 8, to = text_find(all, TEXT("<w:sectPr/></w:body>"), 0);

	return text_string(&arena, text_slice(all, from, to));
}

static bool edit(struct story *s, uint32_t p, const char *old, const char *new)
{
	struct changed done;

	call.error = (struct error){0};
	return change_text(&call, s, p, &(struct change_text){.old_string = text_of(old), .new_string = text_of(new)},
			   &done);
}

static void must_edit(struct story *s, uint32_t p, const char *old, const char *new)
{
	if (!edit(s, p, old, new))
		fail_msg("%s", call.error.message);
}

static struct text minted(struct call *c, void *of)
{
	(void)c, (void)of;
	return TEXT("0ABCDEF1");
}

static bool insert(struct story *s, uint32_t p, bool behind, uint32_t like, const char *new)
{
	struct inserted done;

	call.error = (struct error){0};
	return change_insert(&call, s, p, behind, like, text_of(new), &(struct minting){minted, NULL}, &done);
}

static void must_insert(struct story *s, uint32_t p, bool behind, uint32_t like, const char *new)
{
	if (!insert(s, p, behind, like, new))
		fail_msg("%s", call.error.message);
}

static void refused(const char *code, const char *says)
{
	assert_non_null(call.error.message);
	if (code)
		assert_string_equal(call.error.code, code);
	if (!strstr(error_sentence(call.arena, &call.error), says))
		fail_msg("\"%s\" does not say \"%s\"", call.error.message, says);
}

#define T(x) "<w:r><w:t>" x "</w:t></w:r>"
#define N(x) "<w:r><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define B(x) "<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define BB(x) "<w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define U(x) "<w:r><w:rPr><w:u w:val=\"single\"/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define P(x) "<w:p>" x "</w:p>"
#define LQ "\xE2\x80\x9C"
#define RQ "\xE2\x80\x9D"

static void a_definition_takes_the_nearest_models_look(void **state)
{
	(void)state;
#define MODEL P(N(LQ) B("Cash") N(RQ " means money."))
	struct story *s = opened(MODEL P(T("Text here.")));

	must_edit(s, 1, "Text here.", "<definition>Closing</definition> means the end.");
	assert_string_equal(body_of(s), MODEL P(N(LQ) BB("Closing") N(RQ " means the end.")));
	/* Without tags, the quotes as typed. */
	s = opened(MODEL P(T("Text here.")));
	must_edit(s, 1, "Text here.", "\"Closing Cash\" means the end.");
	assert_string_equal(body_of(s), MODEL P(N("\"") BB("Closing Cash") N("\" means the end.")));
	/* Inserted. */
	s = opened(MODEL);
	must_insert(s, 0, true, 0, "<definition>Debt</definition> means what is owed.");
	assert_string_equal(body_of(s), MODEL P(N(LQ) BB("Debt") N(RQ " means what is owed.")));
	/* No model: no look is invented, but the quotes are added. */
	s = opened(P(T("Text here.")));
	must_edit(s, 0, "Text here.", "<definition>Closing</definition> means the end.");
	assert_string_equal(body_of(s), P(N("\"Closing\" means the end.")));
	s = opened(P(T("Text here.")) P(T("the " LQ "Company" RQ)));
	must_edit(s, 0, "Text here.", "<definition>Closing</definition> means the end.");
	assert_text(story_text(&call, s, 0), LQ "Closing" RQ " means the end.");
	/* An unchanged term keeps its look. */
	s = opened(MODEL P(T("\"Old\" means that.")));
	must_edit(s, 1, "\"Old\" means that.", "\"Old\" means this.");
	assert_string_equal(body_of(s), MODEL P(N("\"Old\" means this.")));
	/* Quotes get the look of the model's quotes. A model above takes precedence over one below. */
	s = opened(P(B(LQ "A" RQ) N(" means a.")) P(T("x")) P(U(LQ "B" RQ) N(" means b.")));
	must_edit(s, 1, "x", "\"C\" means c.");
	assert_non_null(strstr(body_of(s), BB("\"C\"")));
}

static void a_header_takes_the_nearest_headers_look(void **state)
{
	(void)state;
#define HEADED P(U("Notices.") N(" In writing."))
	struct story *s = opened(HEADED);

	must_insert(s, 0, true, 0, "<header>Assignment</header> Not allowed.");
	assert_string_equal(body_of(s), HEADED P(U("Assignment.") N(" Not allowed.")));
	s = opened(HEADED);
	must_insert(s, 0, true, 0, "<RunInHeader>Assignment:</RunInHeader> Not allowed.");
	assert_string_equal(body_of(s), HEADED P(U("Assignment:") N(" Not allowed.")));
	/* The header is shown separately, so callers repeat it with the text. It is not doubled. */
	s = opened(HEADED);
	must_edit(s, 0, "In writing.", "<header>Notices</header> By mail.");
	assert_string_equal(body_of(s), P(U("Notices.") N(" By mail.")));
	/* If the model's period is not emphasised, the new one is not either. */
	s = opened(P(U("Notices") N(". In writing.")));
	must_insert(s, 0, true, 0, "<header>Assignment</header> Not allowed.");
	assert_string_equal(body_of(s), P(U("Notices") N(". In writing.")) P(U("Assignment") N(". Not allowed.")));
	/* No model: bold. */
	s = opened(P(T("plain")));
	must_insert(s, 0, true, 0, "<header>New</header>. Text");
	assert_string_equal(body_of(s), P(T("plain")) P(BB("New") N(". Text")));
}

static void new_paragraphs_have_the_anchors_style_and_none_of_its_own(void **state)
{
	(void)state;
	static const char anchor[] =
		"<w:p w:rsidR=\"00A1\" w14:paraId=\"11111111\" w14:textId=\"22222222\"><w:pPr><w:pStyle w:val=\"Clause\"/><w:numPr><w:ilvl "
		"w:val=\"1\"/><w:numId w:val=\"3\"/></w:numPr><w:rPr><w:ins w:id=\"9\" w:author=\"x\"/><w:b/></w:rPr><w:sectPr/>"
		"<w:pPrChange w:id=\"7\"><w:pPr/></w:pPrChange></w:pPr><w:bookmarkStart w:id=\"1\" w:name=\"b\"/>" B(
			"Head.") N(" body of the clause") "<w:bookmarkEnd w:id=\"1\"/></w:p>";
	struct story *s = opened(anchor);

	must_insert(s, 0, true, 0, "One\nline\n\nTwo\tcells\r\n\r\n\r\n");
	const char *now = body_of(s);
	assert_true(strstr(now, anchor) == now);
	assert_string_equal(
		now + strlen(anchor),
		"<w:p w:rsidR=\"00A1\" w14:paraId=\"0ABCDEF1\" w14:textId=\"77777777\"><w:pPr><w:pStyle w:val=\"Clause\"/><w:numPr><w:ilvl "
		"w:val=\"1\"/><w:numId w:val=\"3\"/></w:numPr><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:t xml:space=\"preserve\">One</w:t><w:br/>"
		"<w:t xml:space=\"preserve\">line</w:t></w:r></w:p>"
		"<w:p w:rsidR=\"00A1\" w14:paraId=\"0ABCDEF1\" w14:textId=\"77777777\"><w:pPr><w:pStyle w:val=\"Clause\"/><w:numPr><w:ilvl "
		"w:val=\"1\"/><w:numId w:val=\"3\"/></w:numPr><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:t xml:space=\"preserve\">Two</w:t><w:tab/>"
		"<w:t xml:space=\"preserve\">cells</w:t></w:r></w:p>");
	/* Before, in order; the style of another. */
	s = opened(P(T("a")) P("<w:pPr><w:jc w:val=\"center\"/></w:pPr>" B("b")));
	must_insert(s, 0, false, 1, "x\n\ny");
	assert_string_equal(body_of(s), P("<w:pPr><w:jc w:val=\"center\"/></w:pPr>" B("x"))
						P("<w:pPr><w:jc w:val=\"center\"/></w:pPr>" B("y")) P(T("a"))
							P("<w:pPr><w:jc w:val=\"center\"/></w:pPr>" B("b")));
	/* In a cell it stays in the cell. */
	s = opened("<w:tbl><w:tr><w:tc>" P(T("a")) "</w:tc></w:tr></w:tbl>");
	must_insert(s, 0, true, 0, "b");
	assert_string_equal(body_of(s), "<w:tbl><w:tr><w:tc>" P(T("a")) P(N("b")) "</w:tc></w:tr></w:tbl>");
	assert_false(insert(s, 0, true, 0, " \n\n "));
	refused(NULL, "no text");
}

#define MARK(type) "<w:r><w:fldChar w:fldCharType=\"" type "\"/></w:r>"

static void nothing_is_put_into_a_field_over_paragraphs(void **state)
{
	(void)state;
	struct story *s = opened(P(MARK("begin") MARK("separate") T("a")) P(T("b")) P(T("c") MARK("end")));

	assert_false(insert(s, 0, true, 0, "x"));
	refused("UNSUPPORTED_EDIT", "table of contents");
	assert_false(insert(s, 1, false, 1, "x"));
	must_insert(s, 0, false, 0, "x");
	must_insert(s, 2, true, 2, "x");
	assert_false(edit(s, 1, "b", ""));
	refused("UNSUPPORTED_EDIT", "field");
}

static void an_emptied_paragraph_goes_unless_word_needs_it(void **state)
{
	(void)state;
	struct story *s = opened(P(T("a")) P(T("b")) P(T("c")));

	must_edit(s, 1, "b", "");
	assert_string_equal(body_of(s), P(T("a")) P(T("c")));
	/* The only one of a cell is emptied. */
	s = opened("<w:tbl><w:tr><w:tc>" P(T("a")) "</w:tc><w:tc>" P(T("b")) "</w:tc></w:tr></w:tbl>");
	must_edit(s, 0, "a", "");
	assert_string_equal(body_of(s), "<w:tbl><w:tr><w:tc>" P("") "</w:tc><w:tc>" P(T("b")) "</w:tc></w:tr></w:tbl>");
	assert_false(change_delete(&call, s, 1));
	refused("UNSUPPORTED_EDIT", "only paragraph of its table cell");
	/* ... and filled again. */
	call.error = (struct error){0};
	must_edit(s, 0, "", "x");
	assert_string_equal(body_of(s),
			    "<w:tbl><w:tr><w:tc>" P(N("x")) "</w:tc><w:tc>" P(T("b")) "</w:tc></w:tr></w:tbl>");
	/* A paragraph with a note's reference is only emptied. It is deleted on request, with a warning. */
	s = opened(P(T("a")) P(T("b") "<w:r><w:footnoteReference w:id=\"2\"/></w:r>") P(T("c")));
	must_edit(s, 1, "b", "");
	assert_string_equal(body_of(s), P(T("a")) P("<w:r><w:footnoteReference w:id=\"2\"/></w:r>") P(T("c")));
	assert_true(change_delete(&call, s, 1));
	assert_int_equal(call.warnings.n, 1);
	assert_string_equal(body_of(s), P(T("a")) P(T("c")));
	/* A cell must not end in a table. */
	s = opened("<w:tbl><w:tr><w:tc><w:tbl><w:tr><w:tc>" P(T("in")) "</w:tc></w:tr></w:tbl>" P(
		T("end")) "</w:tc></w:tr></w:tbl>");
	assert_false(change_delete(&call, s, 1));
	/* A section's layout moves to the paragraph before. */
	s = opened(P(T("a")) P("<w:pPr><w:jc w:val=\"left\"/><w:sectPr w:x=\"1\"/></w:pPr>" T("b")) P(T("c")));
	must_edit(s, 1, "b", "");
	assert_string_equal(body_of(s), P("<w:pPr><w:sectPr w:x=\"1\"/></w:pPr>" T("a")) P(T("c")));
	/* Bookmark and comment marks move to the neighbour. */
	s = opened(P(T("a")) P("<w:bookmarkStart w:id=\"1\" w:name=\"x\"/>" T("b") "<w:commentRangeEnd w:id=\"4\"/>")
			   P("<w:pPr><w:jc w:val=\"left\"/></w:pPr>" T("c") "<w:bookmarkEnd w:id=\"1\"/>"));
	assert_true(change_delete(&call, s, 1));
	assert_string_equal(body_of(s),
			    P(T("a"))
				    P("<w:pPr><w:jc w:val=\"left\"/></w:pPr><w:bookmarkStart w:id=\"1\" w:name=\"x\"/>"
				      "<w:commentRangeEnd w:id=\"4\"/>" T("c") "<w:bookmarkEnd w:id=\"1\"/>"));
}

static void refusals_say_what_to_do(void **state)
{
	(void)state;
	struct story *s = opened(P(T("one and one")) P(T("the quick brown fox jumps")));

	assert_false(edit(s, 0, "one", "two"));
	refused("MULTIPLE_MATCHES", "2 times");
	refused(NULL, "exact match");
	struct changed done;
	call.error = (struct error){0};
	assert_true(change_text(&call, s, 0, &(struct change_text){TEXT("one"), TEXT("two"), .occurrence = 2}, &done));
	assert_text(done.after, "one and two");
	assert_false(edit(s, 0, "quick brown", "x"));
	refused("TEXT_NOT_FOUND", story_id(&call, s, 1));
	assert_false(edit(s, 1, "a brown foxes", "x"));
	refused("TEXT_NOT_FOUND", "brown fox");
	assert_false(edit(s, 1, "zebra", "x"));
	refused("TEXT_NOT_FOUND", "no paragraph");
	assert_false(edit(s, 1, "", "x"));
	refused(NULL, "old_string is empty");
	assert_false(edit(s, 1, "fox", "a\x01z"));
	refused(NULL, "U+0001");
	assert_false(edit(s, 1, "fox", "<b>x"));
	refused("UNBALANCED_BOLD_TAGS", "<b>");
	assert_string_equal(body_of(s), P(N("one and two")) P(T("the quick brown fox jumps")));
	call.error = (struct error){0};
	assert_true(change_text(&call, s, 1, &(struct change_text){TEXT("o"), TEXT("0"), .replace_all = true}, &done));
	assert_int_equal(done.count, 2);
	assert_text(done.after, "the quick br0wn f0x jumps");
	assert_false(edit(s, 1, "quick", "quick"));
	refused(NULL, "already");
	/* Overlapping matches are replaced once, links and fields between them stay. */
	s = opened(P(T("aaa ") "<w:hyperlink>" B("aa") "</w:hyperlink>" T(" b aa")));
	call.error = (struct error){0};
	assert_true(change_text(&call, s, 0, &(struct change_text){TEXT("aa"), TEXT("<i>x</i>"), .replace_all = true},
				&done));
	assert_text(done.after, "xa x b x");
	assert_int_equal(done.count, 3);
	struct buffer many = {.arena = &arena};
	for (int i = 0; i < 3000; i++)
		buffer_put(&many, "a b ");
	s = opened(text_format(&arena, "<w:p><w:r><w:t>%s</w:t></w:r></w:p>", buffer_text(&many).at).at);
	assert_false(change_text(&call, s, 0, &(struct change_text){TEXT("a"), TEXT("c"), .replace_all = true}, &done));
	refused(NULL, "3000 times");
}

static void what_was_loosely_found_is_replaced_as_written(void **state)
{
	(void)state;
	struct story *s = opened(P(T("the " LQ "Old  Term" RQ " ends"))
					 P(T("a\\nb")) "<w:p><w:r><w:t>x</w:t><w:br/><w:t>y</w:t></w:r></w:p>");

	must_edit(s, 0, "\"Old Term\" ends", "\"New Term\" begins");
	assert_text(story_text(&call, s, 0), "the " LQ "New Term" RQ " begins");
	/* Callers return note marks with the text that they read. The marks are not written into the document. */
	struct story *noted =
		opened("<w:p>" T("owed") "<w:r><w:footnoteReference w:id=\"2\"/></w:r>" T(" today") "</w:p>");
	must_edit(noted, 0, "owed[^1] today", "due[^1] today");
	assert_string_equal(body_of(noted),
			    "<w:p>" N("due") "<w:r><w:footnoteReference w:id=\"2\"/></w:r>" T(" today") "</w:p>");
	must_edit(s, 1, "a\\nb", "a\\nc");
	assert_text(story_text(&call, s, 1), "a\\nc");
	must_edit(s, 2, "x\\ny", "x\\nz");
	assert_text(story_text(&call, s, 2), "x\nz");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_definition_takes_the_nearest_models_look, forget),
		cmocka_unit_test_teardown(a_header_takes_the_nearest_headers_look, forget),
		cmocka_unit_test_teardown(new_paragraphs_have_the_anchors_style_and_none_of_its_own, forget),
		cmocka_unit_test_teardown(nothing_is_put_into_a_field_over_paragraphs, forget),
		cmocka_unit_test_teardown(an_emptied_paragraph_goes_unless_word_needs_it, forget),
		cmocka_unit_test_teardown(refusals_say_what_to_do, forget),
		cmocka_unit_test_teardown(what_was_loosely_found_is_replaced_as_written, forget),
	};
	return RUN_TESTS(tests);
}
