/* A story has the spans of its paragraphs. Changes affect only their bytes and are undone exactly. */
#include "support/check.h"

#include "kinds/docx/story/story.h"
#include "kinds/docx/docx_file.h"

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

static struct story *opened(const char *body)
{
	struct package *p;

	call = (struct call){.arena = &arena};
	if (!package_open(&call, &arena, docx_file(&arena, body, NULL, NULL), &limits, &p))
		fail_msg("%s", call.error.message);
	struct styles *styles = styles_read(&call, p);
	journal = (struct journal){.arena = &arena, .package = p};
	struct story *s = story_read(&call, &arena, p->main, STORY_BODY, styles, &journal);
	if (!s)
		fail_msg("%s", call.error.message);
	return s;
}

static struct text saved(const struct story *s)
{
	size_t n;
	struct splice *edits = story_splices(&arena, s, &n);

	return splice_apply(&arena, s->part->bytes, edits, n);
}

#define P(text) "<w:p><w:r><w:t>" text "</w:t></w:r></w:p>"

static void paragraphs_are_found_in_order_with_their_bytes(void **state)
{
	struct story *s = opened(P("one") "\n  " P("two") "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p></w:p>");

	(void)state;
	assert_int_equal(s->paragraphs.n, 4);
	assert_text(story_fragment(s, 0), P("one"));
	assert_text(story_fragment(s, 2), "<w:p/>");
	assert_text(story_text(&call, s, 1), "two");
	/* The empty one in the cell is a row; the one outside is not. */
	assert_int_equal(s->shown, 3);
	assert_int_equal(s->tables.items[0].rows, 1);
	assert_int_equal(s->cells.items[0].paragraphs, 1);
}

static void equal_paragraphs_have_ids_of_their_own_and_the_same_ones_each_time(void **state)
{
	char first[3][24];

	(void)state;
	for (int round = 0; round < 2; round++) {
		struct story *s = opened(P("same") P("same") P("same") P("same"));
		for (uint32_t i = 0; i < 3; i++) {
			const char *id = story_id(&call, s, i);
			assert_int_equal(strlen(id), 20);
			if (round)
				assert_string_equal(first[i], id);
			else
				strcpy(first[i], id);
			assert_int_equal(story_find(&call, s, text_of(id)), i);
		}
		assert_string_not_equal(first[0], first[1]);
		assert_string_not_equal(first[1], first[2]);
	}
}

/* The digests come from another program (sha1sum of the seed). */
static void ids_follow_the_published_rule(void **state)
{
	struct story *s = opened("<w:p w14:paraId=\"0A1B2C3D\"><w:r><w:t>x</w:t></w:r></w:p>" P("  Two\tWords "));

	(void)state;
	assert_string_equal(story_id(&call, s, 0), "jr_para_e25028344692");
	assert_string_equal(story_id(&call, s, 1), "jr_para_089fa9d88e5f");
	assert_int_equal(story_find(&call, s, TEXT("0a1b2c3d")), 0);
}

static void an_edit_changes_only_its_paragraph(void **state)
{
	struct story *s = opened(P("one") P("two") P("three"));
	struct text before = s->part->bytes;

	(void)state;
	story_replace(s, 1, TEXT(P("zwei")));
	struct text after = saved(s);
	size_t at = text_find(before, TEXT(P("two")), 0);
	assert_true(text_same(text_slice(before, 0, at), text_slice(after, 0, at)));
	assert_int_not_equal(text_find(after, TEXT(P("one") P("zwei") P("three")), 0), SIZE_MAX);
	assert_int_equal(after.len, before.len + 1);
	assert_text(story_text(&call, s, 1), "zwei");
	assert_text(story_original(s, 1), P("two"));
}

static void inserted_paragraphs_stand_in_order_beside_their_anchor(void **state)
{
	struct story *s = opened(P("a") "<w:bookmarkEnd w:id=\"1\"/>" P("b"));

	(void)state;
	uint32_t x = story_insert(s, 0, true, TEXT(P("x")));
	story_insert(s, x, true, TEXT(P("y")));
	story_insert(s, x, false, TEXT(P("w")));
	story_insert(s, 0, false, TEXT(P("0")));
	assert_int_not_equal(
		text_find(saved(s), TEXT(P("0") P("a") "<w:bookmarkEnd w:id=\"1\"/>" P("w") P("x") P("y") P("b")), 0),
		SIZE_MAX);
	assert_int_equal(s->shown, 6);
}

static void what_was_changed_is_taken_back_exactly(void **state)
{
	struct story *s = opened(P("a") P("b") P("c"));
	struct text before = s->part->bytes;

	(void)state;
	story_replace(s, 0, TEXT("<w:p/>"));
	size_t mark = journal.notes.n;
	uint32_t x = story_insert(s, 1, true, TEXT(P("x")));
	story_replace(s, x, TEXT(P("xx")));
	story_delete(s, 1);
	story_delete(s, x);
	assert_int_equal(s->shown, 1);
	journal_back(&journal, mark);
	assert_int_equal(s->shown, 2);
	assert_int_equal(s->paragraphs.n, 3);
	journal_back(&journal, 0);
	assert_true(text_same(saved(s), before));
	assert_int_equal(s->shown, 3);
}

#define BOX(t) "<w:txbxContent>" P(t) P("same") "</w:txbxContent>"
static void a_box_is_shown_once_and_changed_in_both_copies(void **state)
{
	struct story *s = opened(
		"<w:p><w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing>" BOX("box") "</w:drawing></mc:Choice><mc:Fallback><w:pict>" BOX(
			"box") "</w:pict></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>host</w:t></w:r></w:p>");

	(void)state;
	assert_int_equal(s->shown, 3);
	assert_text(story_text(&call, s, 0), "host");
	uint32_t box = story_next(s, 0);
	assert_text(story_text(&call, s, box), "box");
	story_replace(s, box, TEXT(P("longer box")));
	assert_text(story_text(&call, s, box), "longer box");
	assert_text(story_text(&call, s, story_next(s, box)), "same");
	struct text after = saved(s);
	size_t one = text_find(after, TEXT("longer box"), 0);
	assert_int_not_equal(text_find(after, TEXT("longer box"), one + 1), SIZE_MAX);
	assert_int_equal(text_find(after, TEXT(P("box")), 0), SIZE_MAX);
	journal_back(&journal, 0);
	assert_text(story_text(&call, s, box), "box");
}

static void fields_stay_open_from_one_paragraph_to_the_next(void **state)
{
	struct story *s = opened("<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>TOC"
				 "</w:instrText></w:r></w:p><w:p><w:r><w:t>code</w:t></w:r><w:r><w:fldChar "
				 "w:fldCharType=\"separate\"/></w:r><w:r><w:t>shown</w:t></w:r></w:p>" P("too"));

	(void)state;
	assert_text(story_text(&call, s, 1), "shown");
	assert_text(story_text(&call, s, 2), "too");
	assert_int_equal(s->paragraphs.items[2].fields.depth, 1);
	assert_int_equal(s->shown, 2);
}

static void a_prefix_is_only_a_name(void **state)
{
	struct story *s = opened("<x:p xmlns:x=\"" W_NS "\"><x:r><x:t>other prefix</x:t></x:r></x:p>"
				 "<w:p xmlns:w=\"urn:foreign\">not ours</w:p>" P("ours"));

	(void)state;
	assert_int_equal(s->paragraphs.n, 2);
	assert_text(story_text(&call, s, 0), "other prefix");
	assert_text(story_text(&call, s, 1), "ours");
}

/* The history's check before an undo: it detects a change that damages the archive or its XML. */
static void a_torn_file_does_not_hold(void **state)
{
	struct text whole = docx_file(&arena, P("words"), "", NULL);
	size_t packed = text_find(whole, TEXT("word/document.xml"), 0) + strlen("word/document.xml");

	(void)state;
	assert_true(package_holds(&arena, whole, &limits));
	assert_false(package_holds(&arena, docx_file(&arena, "<w:p><w:r></w:p>", "", NULL), &limits));
	assert_false(package_holds(&arena, docx_file(&arena, P("words"), "<w:style>", NULL), &limits));
	assert_false(package_holds(&arena, TEXT("# A note"), &limits));
	for (size_t i = packed; i < packed + 40; i++) {
		char *bent = arena_copy(&arena, whole.at, whole.len);

		bent[i] ^= 0x10;
		assert_false(package_holds(&arena, (struct text){bent, whole.len}, &limits));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(paragraphs_are_found_in_order_with_their_bytes, forget),
		cmocka_unit_test_teardown(equal_paragraphs_have_ids_of_their_own_and_the_same_ones_each_time, forget),
		cmocka_unit_test_teardown(ids_follow_the_published_rule, forget),
		cmocka_unit_test_teardown(an_edit_changes_only_its_paragraph, forget),
		cmocka_unit_test_teardown(inserted_paragraphs_stand_in_order_beside_their_anchor, forget),
		cmocka_unit_test_teardown(what_was_changed_is_taken_back_exactly, forget),
		cmocka_unit_test_teardown(a_box_is_shown_once_and_changed_in_both_copies, forget),
		cmocka_unit_test_teardown(fields_stay_open_from_one_paragraph_to_the_next, forget),
		cmocka_unit_test_teardown(a_prefix_is_only_a_name, forget),
		cmocka_unit_test_teardown(a_torn_file_does_not_hold, forget),
	};

	return RUN_TESTS(tests);
}
