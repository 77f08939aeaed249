/* An archive is read by its directory and changed by splices; false data is refused. */
#include "support/check.h"

#include "format/deflate.h"
#include "format/zip.h"
#include "format/zip_write.h"

#include <string.h>

static struct arena arena;
static const struct zip_limits limits = {
	.entries = 100, .entry = 1 << 20, .total = 2 << 20, .ratio = 200, .ratio_from = 100000};

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static struct text archive(void)
{
	struct zip_writer z;
	struct buffer repeated = {.arena = &arena};

	for (int i = 0; i < 2000; i++)
		buffer_format(&repeated, "line %d\n", i);
	zip_begin(&z, &arena);
	zip_add(&z, TEXT("a.txt"), TEXT("first"), true);
	zip_add(&z, TEXT("word/b.xml"), buffer_text(&repeated), true);
	zip_add(&z, TEXT("c.bin"), TEXT(""), true);
	zip_add(&z, TEXT("d.txt"), TEXT("last one"), true);
	return zip_end(&z);
}

static struct zip *opened(struct text bytes)
{
	enum zip_fault fault;
	struct error err;
	struct zip *z = zip_read(&arena, bytes, &limits, &fault, &err);

	if (!z)
		fail_msg("%s", err.message);
	return z;
}

static struct text entry(struct zip *z, const char *name)
{
	enum zip_fault fault;
	struct error err;
	struct text out;
	uint32_t i = zip_find(z, text_of(name));

	if (i == ZIP_NONE)
		fail_msg("there is no %s", name);
	if (!zip_unpack(&arena, z, i, &out, &fault, &err))
		fail_msg("%s", err.message);
	return out;
}

static void refused(struct text bytes, enum zip_fault want, const char *words)
{
	enum zip_fault fault;
	struct error err;
	struct text out;
	struct zip *z = zip_read(&arena, bytes, &limits, &fault, &err);

	for (uint32_t i = 0; z && i < z->n && fault == ZIP_FINE; i++)
		zip_unpack(&arena, z, i, &out, &fault, &err);
	assert_int_equal(fault, want);
	if (!strstr(err.message, words))
		fail_msg("\"%s\" does not say \"%s\"", err.message, words);
}

static void entries_are_found_in_any_case_and_unpacked(void **state)
{
	struct zip *z = opened(archive());

	(void)state;
	assert_int_equal(z->n, 4);
	assert_text(entry(z, "A.TXT"), "first");
	assert_text(entry(z, "d.txt"), "last one");
	assert_int_equal(entry(z, "word/b.xml").len, 17890 + 1000);
	assert_int_equal(zip_find(z, TEXT("b.xml")), ZIP_NONE);
}

static struct text changed(struct text before, const struct zip_change *changes, size_t n)
{
	size_t splices;
	struct splice *edits = zip_splices(&arena, opened(before), changes, n, &splices);

	return splice_apply(&arena, before, edits, splices);
}

/* The numbers of some archives are not what we would write. */
static void without_a_change_no_byte_changes(void **state)
{
	struct text before = archive();
	size_t splices = 1;

	(void)state;
	zip_splices(&arena, opened(before), NULL, 0, &splices);
	assert_int_equal(splices, 0);
	assert_true(text_same(changed(before, NULL, 0), before));
}

static void a_change_keeps_every_other_entry_byte_for_byte(void **state)
{
	struct text before = archive();
	struct zip *old = opened(before);
	struct zip_change change = {.member = zip_find(old, TEXT("word/b.xml")), .bytes = TEXT("new bytes")};
	struct text after = changed(before, &change, 1);
	struct zip *new = opened(after);

	(void)state;
	assert_int_equal(new->n, 4);
	assert_text(entry(new, "word/b.xml"), "new bytes");
	for (uint32_t i = 0; i < 4; i++) {
		struct zip_member *one = &old->members[i], *two = &new->members[i];
		if (i != 1)
			assert_true(text_same(text_slice(before, one->from, one->to),
					      text_slice(after, two->from, two->to)));
		assert_true(text_same(one->name, two->name));
	}
}

static void bytes_in_pieces_are_packed_as_a_whole_is(void **state)
{
	struct text before = archive();
	uint32_t member = zip_find(opened(before), TEXT("word/b.xml"));

	(void)state;
	/* Of few different letters, of many (it takes more room than is given at first), and of such that do not
	 * shrink. */
	static const unsigned all[] = {2, 60, 256};
	for (size_t k = 0; k < ARRAY_COUNT(all); k++) {
		struct buffer b = {.arena = &arena};
		unsigned seed = 1;
		for (int i = 0; i < 700000; i++)
			buffer_byte(&b, (char)(((seed = seed * 1103515245 + 12345) >> 16) % all[k]));
		struct text whole = buffer_text(&b);
		struct text items[] = {TEXT(""),
				       text_slice(whole, 0, 1),
				       text_slice(whole, 1, 400000),
				       {0},
				       text_slice(whole, 400000, whole.len),
				       {0}};
		struct zip_change one = {.member = member, .bytes = whole};
		struct zip_change many = {.member = member, .pieces = {items, ARRAY_COUNT(items), whole.len}};
		struct text a = changed(before, &one, 1), c = changed(before, &many, 1);
		assert_true(text_same(entry(opened(a), "word/b.xml"), whole));
		assert_true(text_same(entry(opened(c), "word/b.xml"), whole));
		assert_true(text_same(a, c));
	}
	struct text nothing = TEXT("");
	struct zip_change empty = {.member = member, .pieces = {&nothing, 1, 0}};
	assert_int_equal(entry(opened(changed(before, &empty, 1)), "word/b.xml").len, 0);
}

static void entries_are_added_and_removed(void **state)
{
	struct text before = archive();
	struct zip_change changes[] = {{.member = ZIP_NONE, .name = TEXT("word/comments.xml"), .bytes = TEXT("<c/>")},
				       {.member = 0}};
	struct zip *new = opened(changed(before, changes, 2));

	(void)state;
	assert_int_equal(new->n, 4);
	assert_text(entry(new, "word/comments.xml"), "<c/>");
	assert_int_equal(zip_find(new, TEXT("a.txt")), ZIP_NONE);
	assert_text(entry(new, "d.txt"), "last one");
}

static void no_change_gives_the_same_bytes(void **state)
{
	struct text before = archive();

	(void)state;
	assert_true(text_same(changed(before, NULL, 0), before));
}

/* Sets a byte of the archive, at an offset from the last `mark`. */
static struct text patched(struct text bytes, const char *mark, size_t mark_len, size_t offset, const char *with,
			   size_t len)
{
	struct text copy = text_copy(&arena, bytes), needle = {mark, mark_len};
	size_t at = SIZE_MAX;

	for (size_t i = 0; (i = text_find(copy, needle, i)) != SIZE_MAX; i++)
		at = i;
	assert_true(at != SIZE_MAX);
	memcpy((char *)(uintptr_t)copy.at + at + offset, with, len);
	return copy;
}

static void archives_that_lie_are_refused(void **state)
{
	struct text z = archive();

	(void)state;
	refused(TEXT(""), ZIP_BROKEN, "not a ZIP");
	refused(TEXT("PK\3\4 but nothing more than that"), ZIP_BROKEN, "no central directory");
	refused(text_slice(z, 0, z.len - 1), ZIP_BROKEN, "no central directory");
	refused(text_slice(z, 1, z.len), ZIP_BROKEN, "is not where");
	refused(patched(z, "PK\5\6", 4, 10, "\x03", 1), ZIP_BROKEN, "several volumes");
	refused(patched(z, "PK\5\6", 4, 8, "\x03\0\x03", 3), ZIP_BROKEN, "more entries");
	refused(patched(z, "PK\5\6", 4, 8, "\xff\xff\xff\xff", 4), ZIP_ENTRIES, "65535 entries");
	refused(patched(z, "PK\1\2", 4, 8, "\x01", 1), ZIP_BROKEN, "encrypted");
	refused(patched(z, "PK\1\2", 4, 10, "\x0c", 1), ZIP_BROKEN, "method 12");
	refused(patched(z, "PK\1\2", 4, 24, "\xff\xff\xff\x0f", 4), ZIP_BROKEN, "is not where");
	refused(patched(z, "PK\1\2", 4, 16, "\0", 1), ZIP_BROKEN, "another size");
	refused(patched(z, "last one", 8, 0, "LAST", 4), ZIP_BROKEN, "damaged");
	refused(patched(z, "d.txt", 5, 0, "e.txt", 5), ZIP_BROKEN, "another name");
}

static struct text two(const char *one, const char *other)
{
	struct zip_writer z;

	zip_begin(&z, &arena);
	zip_add(&z, text_of(one), TEXT("x"), false);
	zip_add(&z, text_of(other), TEXT("y"), false);
	return zip_end(&z);
}

static void names_that_collide_or_lead_out_are_refused(void **state)
{
	static const char *const bad[] = {"../x", "/x", "a/../../x", "a\\b", "c:x", "a//b", "./a", ""};

	(void)state;
	refused(two("a.xml", "A.XML"), ZIP_BROKEN, "two entries named A.XML");
	for (size_t i = 0; i < ARRAY_COUNT(bad); i++)
		refused(two("ok", bad[i]), ZIP_BROKEN, "leads out");
}

static void a_bomb_is_refused_by_what_it_unpacks_to(void **state)
{
	struct zip_writer z;
	struct buffer zeros = {.arena = &arena};

	(void)state;
	buffer_fill(&zeros, 0, 500000);
	zip_begin(&z, &arena);
	zip_add(&z, TEXT("bomb"), buffer_text(&zeros), true);
	struct text bomb = text_copy(&arena, zip_end(&z));
	refused(bomb, ZIP_RATIO, "200 times");
	/* The same with a directory and a header with a false, small size. */
	struct text lying = patched(bomb, "PK\1\2", 4, 24, "\x10\0\0\0", 4);
	lying = patched(lying, "PK\3\4", 4, 22, "\x10\0\0\0", 4);
	refused(lying, ZIP_BROKEN, "damaged");
	buffer_fill(&zeros, 0, 1 << 20);
	zip_begin(&z, &arena);
	zip_add(&z, TEXT("large"), buffer_text(&zeros), true);
	refused(zip_end(&z), ZIP_ENTRY, "at most");
}

/* Raw bytes of an archive like those of streaming writers: sizes after the data, zip64 fields and records. */
static void put(struct buffer *b, int bytes, uint64_t n)
{
	for (int i = 0; i < bytes; i++)
		buffer_byte(b, (char)(n >> 8 * i & 0xff));
}

static struct text streamed(bool is_wide, bool is_signed, size_t overlap)
{
	struct buffer b = {.arena = &arena};
	struct text data = TEXT("streamed text");
	uint32_t crc = deflate_crc(data);

	for (int entry = 0; entry < 2; entry++) {
		buffer_put(&b, "PK\3\4");
		put(&b, 2, is_wide ? 45 : 20), put(&b, 2, 8), put(&b, 2, 0), put(&b, 4, 0), put(&b, 4, 0),
			put(&b, 8, 0);
		put(&b, 2, 1), put(&b, 2, 0);
		buffer_byte(&b, (char)('a' + entry));
		buffer_add(&b, data);
		if (is_signed)
			buffer_put(&b, "PK\7\10");
		put(&b, 4, crc), put(&b, is_wide ? 8 : 4, data.len), put(&b, is_wide ? 8 : 4, data.len);
	}
	size_t start = b.len, each = start / 2;
	for (uint32_t entry = 0; entry < 2; entry++) {
		buffer_put(&b, "PK\1\2");
		put(&b, 2, 20), put(&b, 2, 20), put(&b, 2, 8), put(&b, 2, 0), put(&b, 4, 0), put(&b, 4, crc);
		put(&b, 4, is_wide ? UINT32_MAX : data.len), put(&b, 4, is_wide ? UINT32_MAX : data.len);
		put(&b, 2, 1), put(&b, 2, is_wide ? 28 : 0), put(&b, 2, 0), put(&b, 2, 0), put(&b, 2, 0), put(&b, 4, 0);
		uint64_t at = entry * (each - overlap);
		put(&b, 4, is_wide ? UINT32_MAX : at);
		buffer_byte(&b, (char)('a' + (int)entry));
		if (is_wide)
			put(&b, 2, 1), put(&b, 2, 24), put(&b, 8, data.len), put(&b, 8, data.len), put(&b, 8, at);
	}
	size_t end = b.len;
	if (is_wide) {
		buffer_put(&b, "PK\6\6");
		put(&b, 8, 44), put(&b, 2, 45), put(&b, 2, 45), put(&b, 8, 0), put(&b, 8, 2), put(&b, 8, 2);
		put(&b, 8, end - start), put(&b, 8, start);
		buffer_put(&b, "PK\6\7");
		put(&b, 4, 0), put(&b, 8, end), put(&b, 4, 1);
	}
	buffer_put(&b, "PK\5\6");
	put(&b, 4, 0), put(&b, 2, is_wide ? 0xffff : 2), put(&b, 2, is_wide ? 0xffff : 2);
	put(&b, 4, is_wide ? UINT32_MAX : end - start), put(&b, 4, is_wide ? UINT32_MAX : start), put(&b, 2, 3);
	buffer_put(&b, "hey");
	return buffer_text(&b);
}

static void streamed_and_zip64_archives_are_read_and_changed(void **state)
{
	(void)state;
	for (int form = 0; form < 4; form++) {
		struct text before = streamed(form & 1, form & 2, 0);
		struct zip *z = opened(before);
		assert_text(entry(z, "a"), "streamed text");
		assert_text(entry(z, "b"), "streamed text");
		struct zip_change changes[] = {{.member = 0, .bytes = TEXT("longer than it was before, by far")},
					       {.member = ZIP_NONE, .name = TEXT("c"), .bytes = TEXT("third")}};
		struct text after = changed(before, changes, 2);
		struct zip *again = opened(after);
		assert_text(entry(again, "a"), "longer than it was before, by far");
		assert_text(entry(again, "b"), "streamed text");
		assert_text(entry(again, "c"), "third");
		assert_true(text_ends(after, "hey"));
		assert_int_equal(again->is_zip64, form & 1);
	}
}

static void bytes_behind_the_end_are_counted_and_kept(void **state)
{
	struct text whole = archive();
	struct buffer longer = {.arena = &arena}, two_ends = {.arena = &arena};

	(void)state;
	assert_int_equal(opened(whole)->behind, 0);
	buffer_add(&longer, whole);
	buffer_byte(&longer, '\n');
	struct text more = buffer_text(&longer);
	struct zip *z = opened(more);
	assert_int_equal(z->behind, 1);
	assert_text(entry(z, "d.txt"), "last one");
	struct zip_change change = {.member = zip_find(z, TEXT("a.txt")), .name = TEXT("a.txt"), .bytes = TEXT("new")};
	struct text after = changed(more, &change, 1);
	assert_true(text_ends(after, "\n"));
	assert_text(entry(opened(after), "a.txt"), "new");
	/* A second archive behind the first: readers would differ in which one they see. */
	buffer_add(&two_ends, whole);
	buffer_add(&two_ends, text_slice(whole, whole.len - 22, whole.len));
	buffer_byte(&two_ends, '\n');
	refused(buffer_text(&two_ends), ZIP_BROKEN, "");
}

static void entries_that_overlap_are_refused(void **state)
{
	struct text z = two("same", "same");
	struct text copy = text_copy(&arena, z);
	size_t row = text_find(copy, TEXT("PK\1\2"), 0), second = text_find(copy, TEXT("PK\1\2"), row + 1);

	(void)state;
	/* Both rows point to the first entry; the names differ only in the directory. */
	memset((char *)(uintptr_t)copy.at + second + 42, 0, 4);
	refused(copy, ZIP_BROKEN, "another size");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(entries_are_found_in_any_case_and_unpacked, forget),
		cmocka_unit_test_teardown(without_a_change_no_byte_changes, forget),
		cmocka_unit_test_teardown(a_change_keeps_every_other_entry_byte_for_byte, forget),
		cmocka_unit_test_teardown(bytes_in_pieces_are_packed_as_a_whole_is, forget),
		cmocka_unit_test_teardown(entries_are_added_and_removed, forget),
		cmocka_unit_test_teardown(no_change_gives_the_same_bytes, forget),
		cmocka_unit_test_teardown(archives_that_lie_are_refused, forget),
		cmocka_unit_test_teardown(names_that_collide_or_lead_out_are_refused, forget),
		cmocka_unit_test_teardown(a_bomb_is_refused_by_what_it_unpacks_to, forget),
		cmocka_unit_test_teardown(streamed_and_zip64_archives_are_read_and_changed, forget),
		cmocka_unit_test_teardown(bytes_behind_the_end_are_counted_and_kept, forget),
		cmocka_unit_test_teardown(entries_that_overlap_are_refused, forget),
	};

	return RUN_TESTS(tests);
}
