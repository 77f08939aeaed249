/* Names of notes: titles, slugs, paths, truncation. */
#include "support/check.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/notes/note/name.h"

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void titles_come_from_file_names(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"notes/weekly-plan.md", "weekly plan"},
		{"notes/2024-01-15-meeting.md", "2024-01-15-meeting"},
		{"Well-Known.markdown", "Well-Known"},
		{"my_own--note.md", "my_own--note"},
		{"graphcore.md", "graphcore"},
		{"\xc3\xa9t\xc3\xa9-neuf.md", "\xc3\xa9t\xc3\xa9 neuf"},
		{"---.md", "---"},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_text(title_of(&arena, text_of(rows[i][0])), rows[i][1]);
	assert_text(name_of(&arena, TEXT("Weekly  Plan: a/b?")), "Weekly Plan ab");
}

static void slugs_keep_letters_and_drop_what_files_do_not_take(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"Meeting Notes 2024-01-15", "meeting-notes-2024-01-15"},
		{"  a \t b  ", "a-b"},
		{"A/B\\C: \"x\"?", "abc-x"},
		{"Stra\xc3\x9f"
		 "e",
		 "stra\xc3\x9f"
		 "e"},
		{"...", "untitled"},
		{"-- x --", "x"},
		{"[[link#^|]]", "link"},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_text(slug_of(&arena, text_of(rows[i][0])), rows[i][1]);
	struct buffer b = {.arena = &arena};
	while (b.len < 1000)
		buffer_put(&b, "\xe6\x97\xa5");
	struct text slug = slug_of(&arena, buffer_text(&b));
	assert_true(slug.len <= 252 && utf8_bad(slug) == slug.len);
}

static void paths_are_joined_and_never_leave_the_root(void **state)
{
	(void)state;
	assert_text(id_join(&arena, TEXT("a/b"), TEXT("../c.md")), "a/c.md");
	assert_text(id_join(&arena, TEXT(""), TEXT("./x//y")), "x/y");
	assert_null(id_join(&arena, TEXT("a"), TEXT("../../x")).at);
	assert_text(id_between(&arena, TEXT("a/b"), TEXT("a/c/d.md")), "../c/d.md");
	assert_text(id_between(&arena, TEXT(""), TEXT("x.md")), "x.md");
	assert_text(id_between(&arena, TEXT("ab"), TEXT("a/x.md")), "../a/x.md");
	assert_text(id_between(&arena, TEXT("a"), TEXT("a/x.md")), "x.md");
	assert_null(id_extension(TEXT("v1.2024")).at);
	assert_text(id_extension(TEXT("a/pic.png")), "png");
	assert_null(id_extension(TEXT(".hidden")).at);
}

static void texts_are_cut_between_characters(void **state)
{
	(void)state;
	struct buffer b = {.arena = &arena};
	for (int i = 0; i < 501; i++)
		buffer_put(&b, "\xc3\xa9");
	struct text cut = content_cut(&arena, buffer_text(&b), 500);
	assert_int_equal(utf8_count(cut), 500);
	assert_true(text_ends(cut, "... [truncated]"));
	b.len -= 2;
	assert_int_equal(content_cut(&arena, buffer_text(&b), 500).len, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(titles_come_from_file_names, forget),
		cmocka_unit_test_teardown(slugs_keep_letters_and_drop_what_files_do_not_take, forget),
		cmocka_unit_test_teardown(paths_are_joined_and_never_leave_the_root, forget),
		cmocka_unit_test_teardown(texts_are_cut_between_characters, forget),
	};
	return RUN_TESTS(tests);
}
