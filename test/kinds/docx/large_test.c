/* Documents that are too large for a tree. They are read as outlines and stretches, and compared and accepted in little
 * memory. */
#include "support/check.h"

#include "base/budget.h"
#include "docx_file.h"
#include "format/splice.h"
#include "kinds/docx/session/session.h"
#include "kinds/docx/style/numbering.h"
#include "kinds/docx/track/compare.h"
#include "kinds/docx/track/notes.h"
#include "kinds/docx/track/settle.h"

#include <string.h>

/* A call may use TIMES the size of the larger document.xml. SLACK is extra, because an arena grows by 4 MB at a
 * time. */
enum { TIMES = 5, SLACK = 8 << 20 };

static struct arena arena;
static const struct zip_limits limits = {
	.entries = 100, .entry = 512u << 20, .total = 1u << 30, .ratio = 10000, .ratio_from = 1u << 30};

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

#define BY " w:author=\"a\" w:date=\"2026-01-01T00:00:00Z\""
#define ROOT "<w:document xmlns:w=\"" W_NS "\" xmlns:r=\"" R_NS "\">"

static void an_outline_is_the_tree_without_the_inside_of_paragraphs(void **state)
{
	struct text part = TEXT(
		ROOT
		"<w:body> <!-- </w:p> --><w:p a='>'><w:r><w:t><![CDATA[</w:p>]]></w:t></w:r><w:r><w:pict><w:txbxContent>"
		"<w:p><w:t>box</w:t></w:p></w:txbxContent></w:pict></w:r><?x </w:p>?></w:p><w:p/><w:tbl><w:tr><w:trPr><w:ins/>"
		"</w:trPr><w:tc><w:p x:y=\"/\" xmlns:x=\"u\"><x:a/></w:p ></w:tc></w:tr></w:tbl><w:sectPr/></w:body></w:document>");
	const struct names none = {0};
	struct fragment whole, outline;
	uint32_t at = 0;

	(void)state;
	assert_true(fragment_parse(&arena, part, &none, &whole));
	assert_true(fragment_outline(&arena, part, &none, &outline));
	for (uint32_t i = 0; i < whole.xml.n; i++, at++) {
		struct xml_node *a = &whole.xml.nodes[i], *b = &outline.xml.nodes[at];
		assert_true(at < outline.xml.n);
		assert_int_equal(whole.tags[i], outline.tags[at]);
		assert_int_equal(a->from, b->from);
		assert_int_equal(a->to, b->to);
		assert_int_equal(a->inner, b->inner);
		assert_int_equal(a->inner_to, b->inner_to);
		if (whole.tags[i] == TAG_P)
			i = a->after - 1;
	}
	assert_int_equal(at, outline.xml.n);
	static const char *const broken[] = {"<w:p><w:r>",       "<w:p><w:r></w:p>x",
					     "<w:p><!-- </w:p>", "<w:p><w:r a=></w:r></w:p>",
					     "<w:p><",           "<w:p></w:q>"};
	for (size_t i = 0; i < ARRAY_COUNT(broken); i++)
		assert_false(fragment_outline(&arena, text_format(&arena, "%s%s", ROOT "<w:body>", broken[i]), &none,
					      &outline));
}

/* A mix of all tracked changes: deleted marks, deleted rows and tables, moves, properties. */
static struct text mixed(unsigned seed, int blocks)
{
	static const char *const paragraphs[] = {
		"<w:p><w:r><w:t>plain words of some length</w:t></w:r></w:p>",
		"<w:p><w:pPr><w:rPr><w:del" BY "/></w:rPr></w:pPr><w:del" BY
		"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>",
		"<w:p><w:pPr><w:rPr><w:del" BY "/></w:rPr></w:pPr><w:r><w:t>joins the next </w:t></w:r></w:p>",
		"<w:p><w:pPr><w:rPr><w:ins" BY "/></w:rPr></w:pPr><w:ins" BY "><w:r><w:t>new</w:t></w:r></w:ins></w:p>",
		"<w:p><w:pPr><w:pStyle w:val=\"x\"/><w:pPrChange" BY "><w:pPr/></w:pPrChange></w:pPr></w:p>",
		"<w:p/>",
		"<w:moveFromRangeStart w:id=\"1\"/><w:p><w:moveFrom" BY "><w:r><w:t>away</w:t></w:r></w:moveFrom></w:p>"
		"<w:moveFromRangeEnd w:id=\"1\"/>",
		"<w:bookmarkStart w:id=\"3\" w:name=\"b\"/>\n",
		"<w:sdt><w:sdtContent><w:p><w:ins" BY "><w:r><w:t>in</w:t></w:r></w:ins></w:p></w:sdtContent></w:sdt>",
	};
	static const char *const rows[] = {
		"<w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr>",
		"<w:tr><w:trPr><w:del" BY "/></w:trPr><w:tc><w:p><w:r><w:t>row</w:t></w:r></w:p></w:tc></w:tr>",
		"<w:tr><w:trPr><w:ins" BY "/></w:trPr><w:tc><w:p><w:ins" BY
		"><w:r><w:t>r</w:t></w:r></w:ins></w:p></w:tc></w:tr>",
		"<w:tr><w:tc><w:tcPr><w:cellDel" BY "/></w:tcPr><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr>",
	};
	struct buffer b = {.arena = &arena};

	buffer_put(&b, "<?xml version=\"1.0\"?>\n" ROOT "<w:background/><w:body>");
	for (int i = 0; i < blocks; i++) {
		seed = seed * 1103515245 + 12345;
		unsigned r = seed >> 16;
		if (r % 23) {
			buffer_put(&b, paragraphs[r % ARRAY_COUNT(paragraphs)]);
			continue;
		}
		buffer_put(&b, "<w:tbl><w:tblPr><w:tblPrChange" BY "><w:tblPr/></w:tblPrChange></w:tblPr>");
		/* Some tables are longer than a stretch. In some tables all rows are deleted. */
		for (unsigned k = r % 5 ? r % 7 : 1500, n = 0; n < k; n++)
			buffer_put(&b, rows[r % 3 ? (r + n) % ARRAY_COUNT(rows) : 1]);
		buffer_put(&b, "</w:tbl>");
	}
	buffer_put(&b,
		   "<w:sectPr><w:sectPrChange" BY "><w:sectPr/></w:sectPrChange></w:sectPr></w:body></w:document>\n");
	return buffer_text(&b);
}

static void a_part_settles_the_same_in_stretches(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 12; seed++) {
		struct text part = mixed(seed, seed % 2 ? 4000 : 60), whole, stretches;
		struct revision_counts counts;
		assert_true(settle(&arena, part, NULL, SETTLE_ACCEPT, &whole, &counts));
		assert_true(settle_part(&arena, part, &stretches));
		assert_true(text_same(whole, stretches));
		arena_reset(&arena);
	}
	struct text plain = TEXT(ROOT "<w:body><w:p><w:r><w:t>insert del</w:t></w:r></w:p></w:body></w:document>"), out;
	assert_true(settle_part(&arena, plain, &out));
	assert_ptr_equal(plain.at, out.at);
	assert_false(settle_part(&arena, TEXT(ROOT "<w:body><w:p><w:ins></w:p></w:body></w:document>"), &out));
}

/* Clauses as Word writes them. With `differs` every hundredth is different; with `tracked` each contains tracked
 * changes. */
static struct text contract(int paragraphs, bool differs, bool tracked)
{
	struct buffer b = {.arena = &arena};

	for (int i = 0; i < paragraphs; i++) {
		buffer_format(
			&b,
			"<w:p w:rsidR=\"00A1%04X\" w:rsidRDefault=\"00B2C3D4\"><w:pPr><w:pStyle w:val=\"L%d\"/></w:pPr><w:r>"
			"<w:rPr><w:b/></w:rPr><w:t>Clause %d.</w:t></w:r>",
			i & 0xffff, i % 3, i);
		for (int k = 0; k < 3; k++)
			buffer_format(
				&b,
				"<w:r><w:rPr><w:sz w:val=\"22\"/></w:rPr><w:t xml:space=\"preserve\"> the Company shall within "
				"%d days notify each Purchaser of any breach</w:t></w:r>",
				(i * 7 + k) % 90 + (differs && !(i % 100)));
		if (tracked)
			buffer_format(&b,
				      "<w:del w:id=\"%d\"" BY
				      "><w:r><w:delText>thirty</w:delText></w:r></w:del><w:ins w:id=\"%d\"" BY
				      "><w:r><w:t>forty</w:t></w:r></w:ins>",
				      2 * i, 2 * i + 1);
		buffer_put(&b, "</w:p>");
	}
	return docx_file(&arena, buffer_text(&b).at, "", "");
}

struct job {
	struct call call;
	struct arena own;
	struct text files[2];
	size_t larger; /* size of the larger main part */
	uint32_t modified;
	bool is_done;
};

/* The work of compare_documents between reading the files and writing the redline. */
static void compare(void *of)
{
	struct job *j = of;
	struct call *c = &j->call;
	struct package *p[2];
	struct text parts[2];
	struct stamp stamp = {.author = TEXT("q"), .date = TEXT("2026-01-01T00:00:00Z"), .next_id = 1};
	struct comparison counts = {0};
	struct pieces redline;
	struct carry carry;
	struct notes notes;
	size_t n;

	for (int i = 0; i < 2; i++) {
		assert_true(package_open(c, c->arena, j->files[i], &limits, &p[i]));
		assert_true(settle_part(c->arena, p[i]->main->bytes, &parts[i]));
	}
	carry_begin(&carry, c, p[1], p[0]);
	assert_true(notes_begin(&notes, c, &carry));
	assert_true(compare_parts(c, parts[0], parts[1], &carry, &notes, &stamp, &counts, &redline));
	struct zip_change change = {.member = p[0]->main->member, .name = p[0]->main->name, .pieces = redline};
	j->is_done = zip_splices(c->arena, p[0]->zip, &change, 1, &n);
	j->modified = counts.modified;
}

/* Opens a session and accepts all changes in it. */
static void accept(void *of)
{
	struct job *j = of;
	struct call *c = &j->call;
	scoped(arena_free) struct arena own = {0};
	struct session s = {0};
	const struct edit *const *e = docx_edits;

	while (strcmp((*e)->name, "accept_changes"))
		e++;
	s.journal.arena = &own;
	assert_true(package_open(c, &own, j->files[0], &limits, &s.package));
	s.styles = styles_read(c, s.package);
	s.body = story_read(c, &own, s.package->main, STORY_BODY, s.styles, &s.journal);
	s.has_all_stories = true; /* the body is the only story */
	j->is_done = (*e)->apply(c, &s, arena_zero(c->arena, (*e)->in_size), arena_zero(c->arena, (*e)->out_size));
}

static size_t main_length(struct text file)
{
	struct call c = {.arena = &arena};
	struct package *p;

	assert_true(package_open(&c, &arena, file, &limits, &p));
	return p->main->bytes.len;
}

static enum budget_end within(struct job *j, void (*run)(void *), size_t times)
{
	for (int i = 0; i < 2; i++) {
		size_t len = j->files[i].at ? main_length(j->files[i]) : 0;
		j->larger = len > j->larger ? len : j->larger;
	}
	struct budget b = {.most = times * j->larger + SLACK};
	j->call.arena = &j->own;
	enum budget_end why = budget_run(&b, &j->own, run, j);
	if (why != BUDGET_KEPT)
		budget_clear(&b);
	arena_free(&j->own);
	return why;
}

enum { PARAGRAPHS = 16000 }; /* 8 MB */

static void comparing_takes_far_less_than_five_times_the_larger_part(void **state)
{
	struct job j = {.files = {contract(PARAGRAPHS, false, false), contract(PARAGRAPHS, true, false)}};

	(void)state;
	/* Memory for the two parts and a little more. */
	assert_int_equal(within(&j, compare, 3), BUDGET_KEPT);
	assert_true(j.is_done && j.larger > 7000000);
	assert_int_equal(j.modified, PARAGRAPHS / 100);
	assert_int_equal(within(&j, compare, 1), BUDGET_MEMORY);
}

static void comparing_takes_at_most_five_times_where_changes_are_tracked(void **state)
{
	struct job j = {.files = {contract(PARAGRAPHS, false, true), contract(PARAGRAPHS, true, true)}};

	(void)state;
	assert_int_equal(within(&j, compare, TIMES), BUDGET_KEPT);
	assert_true(j.is_done);
	assert_int_equal(j.modified, PARAGRAPHS / 100);
}

static void accepting_takes_at_most_five_times_the_part(void **state)
{
	struct job j = {.files = {contract(PARAGRAPHS, false, true)}};

	(void)state;
	assert_int_equal(within(&j, accept, TIMES), BUDGET_KEPT);
	assert_true(j.is_done);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(an_outline_is_the_tree_without_the_inside_of_paragraphs, forget),
		cmocka_unit_test_teardown(a_part_settles_the_same_in_stretches, forget),
		cmocka_unit_test_teardown(comparing_takes_far_less_than_five_times_the_larger_part, forget),
		cmocka_unit_test_teardown(comparing_takes_at_most_five_times_where_changes_are_tracked, forget),
		cmocka_unit_test_teardown(accepting_takes_at_most_five_times_the_part, forget),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
