/* Redlines of single paragraphs: their form, and that accepting and rejecting give the new and the old side. */
#include "support/check.h"

#include "kinds/docx/track/pieces.h"
#include "kinds/docx/track/redline.h"
#include "kinds/docx/track/settle.h"

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

#define T(x) "<w:r><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define B(x) "<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define BY " w:author=\"quire\" w:date=\"2026-01-02T03:04:05Z\""
#define DEL(id, x) "<w:del w:id=\"" id "\"" BY "><w:r><w:delText xml:space=\"preserve\">" x "</w:delText></w:r></w:del>"
#define INS(id, x) "<w:ins w:id=\"" id "\"" BY ">" T(x) "</w:ins>"
#define LINK(x) "<w:hyperlink w:anchor=\"a\">" x "</w:hyperlink>"

static struct text paragraph(const char *inside) { return text_format(&arena, "<w:p>%s</w:p>", inside); }

/* Joins words of one look in one holder, so that the splitting into runs does not count. */
static const char *flat(struct text fragment)
{
	struct map chains = {.arena = &arena};
	struct buffer out = {.arena = &arena};
	struct track_pieces p;
	struct text last = {0};
	uint32_t holder = 0;

	assert_true(pieces_read(&arena, fragment, names, &chains, &p));
	buffer_add(&out, p.ppr);
	for (size_t i = 0; i < p.list.n; i++) {
		const struct track_piece *piece = &p.list.items[i];
		struct text rpr = piece->run == PIECES_NONE ? TEXT("") : p.runs.items[piece->run].rpr;
		if (!last.at || !text_same(last, rpr) || holder != piece->holder) {
			buffer_format(&out, "{%d",
				      piece->holder == PIECES_NONE ? -1 : (int)p.holders.items[piece->holder].chain);
			buffer_add(&out, rpr);
			buffer_byte(&out, '}');
		}
		last = rpr;
		holder = piece->holder;
		buffer_add(&out, piece->content);
	}
	return buffer_text(&out).at;
}

static struct text tracked(struct text before, struct text after, enum redline_mark mark)
{
	struct stamp stamp = {.author = TEXT("quire"), .date = TEXT("2026-01-02T03:04:05Z"), .next_id = 7};
	struct text out;

	assert_true(redline_paragraph(&arena, before, after, names, mark, (struct text){0}, &stamp, &out));
	return out;
}

static void gives_back(struct text line, enum settlement how, struct text want)
{
	struct revision_counts counts;
	struct text out;

	assert_true(settle(&arena, line, names, how, &out, &counts));
	assert_string_equal(flat(out), flat(want));
}

static void changes_are_words_inside_of_runs(void **state)
{
	static const struct {
		const char *before, *after, *want;
	} rows[] = {
		{T("of Delaware law"), T("of Nevada law"), T("of ") DEL("7", "Delaware") INS("8", "Nevada") T(" law")},
		{T("a b c d"), T("a x y d"), T("a ") DEL("7", "b c") INS("8", "x y") T(" d")},
		{T("thirty (30) days"), T("thirty (45) days"), T("thirty (") DEL("7", "30") INS("8", "45") T(") days")},
		{T("one two"), T("one"), T("one") DEL("7", " two")},
		{T("one"), T("one two"), T("one") INS("7", " two")},
		{B("Head.") T(" body old"), B("Head.") T(" body new"),
		 B("Head.") T(" body ") DEL("7", "old") INS("8", "new")},
		{T("see ") LINK(T("old link")) T("."), T("see ") LINK(T("new link")) T("."),
		 T("see ") LINK(DEL("7", "old") INS("8", "new") T(" link")) T(".")},
		{"<w:bookmarkStart w:id=\"1\" w:name=\"x\"/>" T("old") "<w:bookmarkEnd w:id=\"1\"/>",
		 "<w:bookmarkStart w:id=\"1\" w:name=\"x\"/>" T("new") "<w:bookmarkEnd w:id=\"1\"/>",
		 "<w:bookmarkStart w:id=\"1\" w:name=\"x\"/>" DEL("7", "old")
			 INS("8", "new") "<w:bookmarkEnd w:id=\"1\"/>"},
		{T("a &lt; b &amp; c"), T("a &gt; b &amp; c"),
		 T("a ") DEL("7", "&lt;") INS("8", "&gt;") T(" b &amp; c")},
		{"<w:del w:id=\"3\" w:author=\"x\"><w:r><w:delText>gone</w:delText></w:r></w:del>" T("old"),
		 "<w:del w:id=\"3\" w:author=\"x\"><w:r><w:delText>gone</w:delText></w:r></w:del>" T("new"),
		 "<w:del w:id=\"3\" w:author=\"x\"><w:r><w:delText>gone</w:delText></w:r></w:del>" DEL("7", "old")
			 INS("8", "new")},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct text before = paragraph(rows[i].before), after = paragraph(rows[i].after);
		struct text line = tracked(before, after, MARK_PLAIN);
		assert_string_equal(line.at, paragraph(rows[i].want).at);
		if (strstr(rows[i].before, "<w:del"))
			continue; /* another author's change would be settled too */
		gives_back(line, SETTLE_ACCEPT, after);
		gives_back(line, SETTLE_REJECT, before);
	}
}

#define THEIRS(id, x) "<w:ins w:id=\"" id "\" w:author=\"x\">" x "</w:ins>"
#define MOVED(id, x) "<w:moveTo w:id=\"" id "\" w:author=\"x\">" x "</w:moveTo>"
#define CONTROL(x) "<w:sdt><w:sdtPr/><w:sdtContent>" x "</w:sdtContent></w:sdt>"
#define GONE "<w:del w:id=\"4\" w:author=\"x\"><w:r><w:delText>gone</w:delText></w:r></w:del>"
#define LEFT "<w:moveFrom w:id=\"4\" w:author=\"x\"><w:r><w:t>gone</w:t></w:r></w:moveFrom>"

/* As in Word: deleted text is a deletion inside the insertion, and new text divides the insertion. */
static void a_change_inside_of_anothers_insertion_divides_it(void **state)
{
	static const struct {
		const char *before, *after, *want;
	} rows[] = {
		{THEIRS("3", T("their words")), THEIRS("3", T("their deeds")),
		 THEIRS("3", T("their ") DEL("7", "words")) INS("8", "deeds")},
		{THEIRS("3", T("their words here")), THEIRS("3", T("their deeds here")),
		 THEIRS("3", T("their ") DEL("7", "words")) INS("8", "deeds") THEIRS("9", T(" here"))},
		{THEIRS("3", T("their words")), THEIRS("3", T("their own words")),
		 THEIRS("3", T("their ")) INS("7", "own ") THEIRS("8", T("words"))},
		{THEIRS("3", T("a b c")), THEIRS("3", T("a x b y c")),
		 THEIRS("3", T("a ")) INS("7", "x ") THEIRS("8", T("b")) INS("9", " y") THEIRS("10", T(" c"))},
		{THEIRS("3", T("their words")), THEIRS("3", T("words")), THEIRS("3", DEL("7", "their ") T("words"))},
		{THEIRS("3", T("their words")), THEIRS("3", T("ours")),
		 THEIRS("3", DEL("7", "their words")) INS("8", "ours")},
		{MOVED("3", T("their words")), MOVED("3", T("their own words")),
		 MOVED("3", T("their ")) INS("7", "own ") MOVED("8", T("words"))},
		/* Two insertions of theirs stay separate. */
		{THEIRS("3", T("a b")) THEIRS("4", T("c")), THEIRS("3", T("a x b")) THEIRS("4", T("c")),
		 THEIRS("3", T("a ")) INS("7", "x ") THEIRS("8", T("b")) THEIRS("4", T("c"))},
		/* An insertion of theirs inside another, and inside a link. */
		{THEIRS("3", THEIRS("4", T("a b"))), THEIRS("3", THEIRS("4", T("a x b"))),
		 THEIRS("3", THEIRS("4", T("a "))) INS("7", "x ") THEIRS("8", THEIRS("9", T("b")))},
		{LINK(THEIRS("3", T("a b"))), LINK(THEIRS("3", T("a x b"))),
		 LINK(THEIRS("3", T("a ")) INS("7", "x ") THEIRS("8", T("b")))},
		/* A control is not divided. */
		{THEIRS("3", CONTROL(T("a b"))), THEIRS("3", CONTROL(T("a x b"))),
		 THEIRS("3", CONTROL(T("a ") INS("7", "x ") T("b")))},
		/* Next to text that they deleted or moved away. */
		{T("a ") GONE T("b"), T("a x ") GONE T("b"), T("a ") INS("7", "x ") GONE T("b")},
		{T("a ") LEFT T("b"), T("a x ") LEFT T("b"), T("a ") INS("7", "x ") LEFT T("b")},
		{THEIRS("3", T("a ") GONE T("b")), THEIRS("3", T("a x ") GONE T("b")),
		 THEIRS("3", T("a ")) INS("7", "x ") THEIRS("8", GONE T("b"))},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct text before = paragraph(rows[i].before), after = paragraph(rows[i].after), out;
		struct text line = tracked(before, after, MARK_PLAIN);
		struct revision_counts counts;
		assert_string_equal(line.at, paragraph(rows[i].want).at);
		assert_true(settle(&arena, after, names, SETTLE_ACCEPT, &out, &counts));
		gives_back(line, SETTLE_ACCEPT, out);
		assert_true(settle(&arena, before, names, SETTLE_REJECT, &out, &counts));
		gives_back(line, SETTLE_REJECT, out);
	}
}

static void format_alone_is_one_revision_a_run(void **state)
{
	struct text before = paragraph(T("a b c")), after = paragraph(T("a ") B("b c"));
	struct text line = tracked(before, after, MARK_PLAIN);

	(void)state;
	assert_string_equal(line.at, paragraph(T("a ") "<w:r><w:rPr><w:b/><w:rPrChange w:id=\"7\"" BY
						       "><w:rPr></w:rPr></w:rPrChange></w:rPr><w:t "
						       "xml:space=\"preserve\">b c</w:t></w:r>")
					     .at);
	gives_back(line, SETTLE_ACCEPT, after);
	struct revision_counts counts;
	struct text out;
	assert_true(settle(&arena, line, names, SETTLE_REJECT, &out, &counts));
	assert_int_equal(counts.formats, 1);
	assert_string_equal(out.at,
			    paragraph(T("a ") "<w:r><w:rPr></w:rPr><w:t xml:space=\"preserve\">b c</w:t></w:r>").at);
}

static void properties_keep_what_they_were(void **state)
{
	struct text before = paragraph("<w:pPr><w:jc w:val=\"left\"/></w:pPr>" T("a"));
	struct text after = paragraph("<w:pPr><w:jc w:val=\"center\"/></w:pPr>" T("a"));
	struct text line = tracked(before, after, MARK_PLAIN);

	(void)state;
	assert_non_null(strstr(line.at, "<w:pPr><w:jc w:val=\"center\"/><w:pPrChange"));
	gives_back(line, SETTLE_ACCEPT, after);
	gives_back(line, SETTLE_REJECT, before);
}

static void whole_paragraphs_carry_their_mark(void **state)
{
	struct text was = paragraph("<w:pPr><w:jc w:val=\"left\"/><w:rPr><w:b/></w:rPr></w:pPr>" T("New clause."));
	struct text in = tracked((struct text){0}, was, MARK_INSERTED),
		    gone = tracked(was, (struct text){0}, MARK_DELETED);

	(void)state;
	assert_string_equal(in.at, paragraph("<w:pPr><w:jc w:val=\"left\"/><w:rPr><w:ins w:id=\"7\"" BY
					     "/><w:b/></w:rPr></w:pPr>" INS("8", "New clause."))
					   .at);
	assert_string_equal(gone.at, paragraph("<w:pPr><w:jc w:val=\"left\"/><w:rPr><w:del w:id=\"7\"" BY
					       "/><w:b/></w:rPr></w:pPr>" DEL("8", "New clause."))
					     .at);
	gives_back(in, SETTLE_ACCEPT, was);
	gives_back(gone, SETTLE_REJECT, was);
	/* In the other direction nothing of it is left, and its neighbours are unchanged. */
	struct revision_counts counts;
	struct text out, first = paragraph(T("First.")), last = paragraph(T("Last."));
	struct text body = text_format(&arena, "<w:body>%s%s%s</w:body>", first.at, in.at, last.at);
	assert_true(settle(&arena, body, names, SETTLE_REJECT, &out, &counts));
	assert_string_equal(out.at, text_format(&arena, "<w:body>%s%s</w:body>", first.at, last.at).at);
	body = text_format(&arena, "<w:body>%s%s%s</w:body>", first.at, gone.at, last.at);
	assert_true(settle(&arena, body, names, SETTLE_ACCEPT, &out, &counts));
	assert_string_equal(out.at, text_format(&arena, "<w:body>%s%s</w:body>", first.at, last.at).at);
	assert_int_equal(revisions_total(&counts), 2);
}

static void a_paragraph_whose_mark_goes_joins_the_next(void **state)
{
	struct revision_counts counts;
	struct text out, body = TEXT("<w:body><w:p><w:pPr><w:rPr><w:del w:id=\"1\"/></w:rPr></w:pPr>" T(
				 "A") "</w:p>"
				      "<w:p><w:pPr><w:jc w:val=\"center\"/></w:pPr>" T("B") "</w:p></w:body>");

	(void)state;
	assert_true(settle(&arena, body, names, SETTLE_ACCEPT, &out, &counts));
	assert_string_equal(out.at,
			    "<w:body><w:p><w:pPr><w:jc w:val=\"center\"/></w:pPr>" T("A") T("B") "</w:p></w:body>");
	assert_true(settle(&arena, body, names, SETTLE_REJECT, &out, &counts));
	assert_string_equal(out.at,
			    "<w:body><w:p><w:pPr><w:rPr></w:rPr></w:pPr>" T(
				    "A") "</w:p>"
					 "<w:p><w:pPr><w:jc w:val=\"center\"/></w:pPr>" T("B") "</w:p></w:body>");
}

static void rows_and_moves_are_settled(void **state)
{
	static const char row[] = "<w:tr><w:trPr><w:ins w:id=\"1\"/></w:trPr><w:tc><w:p/></w:tc></w:tr>";
	struct text body = text_format(
		&arena,
		"<w:body><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr>%s</w:tbl><w:p>"
		"<w:moveFromRangeStart w:id=\"2\" w:name=\"m\"/><w:moveFrom w:id=\"3\">" T(
			"M") "</w:moveFrom><w:moveFromRangeEnd w:id=\"2\"/></w:p><w:p><w:moveTo w:id=\"4\">" T("M") "</w:moveTo></w:p></w:body>",
		row);
	struct revision_counts counts;
	struct text out;

	(void)state;
	assert_true(settle(&arena, body, names, SETTLE_ACCEPT, &out, &counts));
	assert_string_equal(out.at, "<w:body><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr><w:tr><w:trPr></w:trPr><w:tc><w:p/>"
				    "</w:tc></w:tr></w:tbl><w:p></w:p><w:p>" T("M") "</w:p></w:body>");
	assert_int_equal(counts.moves, 1);
	assert_int_equal(counts.rows, 1);
	assert_true(settle(&arena, body, names, SETTLE_REJECT, &out, &counts));
	assert_string_equal(out.at, "<w:body><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p>" T(
					    "M") "</w:p><w:p></w:p></w:body>");
}

static void bytes_without_revisions_are_left_alone(void **state)
{
	struct text body = TEXT("<w:body> <w:p ><w:r ><w:t>a</w:t></w:r></w:p></w:body>"), out;
	struct revision_counts counts;

	(void)state;
	assert_true(settle(&arena, body, names, SETTLE_ACCEPT, &out, &counts));
	assert_ptr_equal(out.at, body.at);
	assert_int_equal(revisions_total(&counts), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_are_words_inside_of_runs),
		cmocka_unit_test(a_change_inside_of_anothers_insertion_divides_it),
		cmocka_unit_test(format_alone_is_one_revision_a_run),
		cmocka_unit_test(properties_keep_what_they_were),
		cmocka_unit_test(whole_paragraphs_carry_their_mark),
		cmocka_unit_test(a_paragraph_whose_mark_goes_joins_the_next),
		cmocka_unit_test(rows_and_moves_are_settled),
		cmocka_unit_test(bytes_without_revisions_are_left_alone),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, begin, forget);
}
