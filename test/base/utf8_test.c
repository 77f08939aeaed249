#include "support/check.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void every_code_point_is_written_and_read(void **state)
{
	(void)state;
	for (uint32_t c = 0; c <= 0x10FFFF; c++) {
		char bytes[4];
		size_t n = utf8_put(bytes, c), at = 0;
		bool is_surrogate = c >= 0xD800 && c < 0xE000;
		if (utf8_len(bytes, bytes + n) != (is_surrogate ? 0 : (int)n))
			fail_msg("U+%04X", c);
		if (!is_surrogate && (utf8_next((struct text){bytes, n}, &at) != c || at != n))
			fail_msg("U+%04X", c);
		/* A truncated character is malformed. */
		for (size_t k = 1; k < n; k++)
			assert_int_equal(utf8_len(bytes, bytes + k), 0);
	}
}

static void malformed_bytes_are_found_where_they_stand(void **state)
{
	static const struct {
		struct text t;
		size_t bad;
	} rows[] = {
		{TEXT(""), 0},
		{TEXT("plain ascii, longer than a word"), 31},
		{TEXT("caf\xC3\xA9"), 5},
		{TEXT("\x80"), 0},
		{TEXT("12345678\xFF"), 8},
		{TEXT("1234567\xFF"), 7},
		{TEXT("a\xC0\x80"), 1},
		{TEXT("a\xE0\x9F\xBF"), 1},
		{TEXT("a\xED\xA0\x80"), 1},
		{TEXT("a\xF0\x8F\xBF\xBF"), 1},
		{TEXT("a\xF4\x90\x80\x80"), 1},
		{TEXT("a\xE2\x82"), 1},
		{TEXT("a\0b"), 3},
		{TEXT("\xF0\x9F\x98\x80!"), 5},
		{TEXT("\xF5\x80\x80\x80"), 0},
		{TEXT("\xC3\xC3\xA9"), 0},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(utf8_bad(rows[i].t), rows[i].bad);
}

static void counting_and_cutting_go_by_characters(void **state)
{
	struct text t = TEXT("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z");
	static const size_t cuts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
	(void)state;

	assert_int_equal(utf8_count(t), 5);
	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
		assert_int_equal(utf8_cut(t, i), cuts[i]);
}

/* Each text is a block of its own, so that a sanitizer finds a read beyond its end. */
static void a_walk_over_cut_off_text_stays_inside(void **state)
{
	static const char *const cut[] = {"\xC3", "a\xE2\x82", "\xF0\x9F\x98", "\x80", "\xFF\xFF"};
	(void)state;

	for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
		size_t len = strlen(cut[i]), at = 0, steps = 0;
		char *bytes = malloc(len);
		assert_non_null(bytes);
		memcpy(bytes, cut[i], len);
		for (; at < len; steps++)
			utf8_next((struct text){bytes, len}, &at);
		assert_int_equal(at, len);
		assert_in_range(steps, 1, len);
		free(bytes);
	}
}

static void folding_makes_equal_what_reads_equal(void **state)
{
	static const char *const pairs[][2] = {
		{"HELLO", "hello"},
		{"Stra\xC3\x9F"
		 "e",
		 "STRASSE"},
		{"\xC3\x89", "e\xCC\x81"},
		{"\xEF\xAC\x81", "FI"},
		{"\xD0\x9F\xD0\xA0\xD0\x98", "\xD0\xBF\xD1\x80\xD0\xB8"},
		{"\xEF\xBC\xA1", "a"},
		{"so\xC2\xADul", "soul"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		assert_true(
			text_same(utf8_fold(&arena, text_of(pairs[i][0])), utf8_fold(&arena, text_of(pairs[i][1]))));
	assert_text(utf8_fold(&arena, TEXT("")), "");
	assert_text(utf8_fold(&arena, TEXT("\xFF"
					   "AB")),
		    "\xFF"
		    "AB");
}

static void nfc_composes_and_nothing_else(void **state)
{
	(void)state;
	assert_text(utf8_nfc(&arena, TEXT("e\xCC\x81")), "\xC3\xA9");
	assert_text(utf8_nfc(&arena, TEXT("ABC")), "ABC");
	assert_text(utf8_nfc(&arena, TEXT("\xEF\xAC\x81")), "\xEF\xAC\x81");
	assert_text(utf8_nfc(&arena, (struct text){0}), "");
}

/* Letter by letter is the same as the whole text at once: every character, alone and with marks in either order. */
static void letters_are_composed_as_texts_are(void **state)
{
	static const uint32_t marks[][2] = {{0, 0},         {0x301, 0},  {0x323, 0x307},
					    {0x307, 0x323}, {0x11A8, 0}, {0x9BE, 0}};

	(void)state;
	for (uint32_t c = 1; c < 0x30000; c++) {
		for (size_t k = 0; k < (c < 0x3400 || c % 61 == 0 ? 6 : 1) && (c < 0xD800 || c > 0xDFFF); k++) {
			uint32_t points[UTF8_LETTER_MAX] = {c, marks[k][0], marks[k][1]};
			size_t n = marks[k][1] ? 3 : marks[k][0] ? 2 : 1, len = 0;
			char bytes[4 * UTF8_LETTER_MAX];
			for (size_t i = 0; i < n; i++)
				len += utf8_put(bytes + len, points[i]);
			struct text want = utf8_nfc(&arena, (struct text){bytes, len});
			n = utf8_compose(points, n);
			len = 0;
			for (size_t i = 0; i < n; i++)
				len += utf8_put(bytes + len, points[i]);
			if (!text_same((struct text){bytes, len}, want))
				fail_msg("U+%04X with marks %zu", c, k);
		}
		if (c % 256 == 0)
			arena_free(&arena);
	}
	uint32_t many[UTF8_LETTER_MAX], parts[UTF8_PARTS_MAX];
	for (size_t i = 0; i < UTF8_LETTER_MAX; i++)
		many[i] = 0x1F82; /* three marks each: they do not fit */
	assert_true(utf8_compose(many, UTF8_LETTER_MAX) <= UTF8_LETTER_MAX);
	assert_int_equal(utf8_decompose('e', parts), 1);
	assert_int_equal(utf8_decompose(0xE9, parts), 2);
	assert_int_equal(parts[1], 0x301);
	assert_int_equal(utf8_decompose(0x1F82, parts), 4);
	assert_int_equal(utf8_decompose(0xD55C, parts), 3);
	assert_true(utf8_completes(0x301) && utf8_completes(0x11A8) && utf8_completes(0x93F));
	assert_false(utf8_completes('e') || utf8_completes(0xFE0F) || utf8_completes(0x200D) || utf8_completes(0x1100));
}

static void words_are_counted_as_a_reader_would(void **state)
{
	static const struct {
		const char *t;
		size_t words;
	} rows[] = {
		{"", 0},
		{"one", 1},
		{"one two", 2},
		{"  one,two... three!  ", 3},
		{"don't", 1},
		{"don\xE2\x80\x99t stop", 2},
		{"'quoted'", 1},
		{"rock 'n' roll", 3},
		{"well-known", 2},
		{"\xD0\x9A\xD0\xBE\xD1\x82 \xD0\xB8 \xD0\xBF\xD1\x91\xD1\x81", 3},
		{"caf\xC3\xA9 3.14", 3},
		{"---", 0},
		{"e\xCC\x81tude", 1},
		{"a''b", 2},
		/* without spaces each character is a word */
		{"漢字 かな。", 4},
		{"北京is大", 4},
		{"한국어 문장", 2},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (utf8_words(text_of(rows[i].t)) != rows[i].words)
			fail_msg("%s: %zu", rows[i].t, utf8_words(text_of(rows[i].t)));
}

static void a_word_is_found_by_its_number(void **state)
{
	(void)state;
	assert_int_equal(utf8_word_at(TEXT("  one, \"two\" 漢字"), 0), 2);
	assert_int_equal(utf8_word_at(TEXT("  one, \"two\" 漢字"), 1), 8);
	assert_int_equal(utf8_word_at(TEXT("  one, \"two\" 漢字"), 3), 16);
	assert_int_equal(utf8_word_at(TEXT("  one, \"two\" 漢字"), 4), 19);
	assert_int_equal(utf8_word_at(TEXT(""), 0), 0);
}

static void widths_are_those_of_a_terminal(void **state)
{
	(void)state;
	assert_int_equal(utf8_width('a'), 1);
	assert_int_equal(utf8_width(0x4E2D), 2);
	assert_int_equal(utf8_width(0x0301), 0);
}

static void loose_forms_drop_case_and_accents(void **state)
{
	static const struct {
		const char *text, *loose;
	} rows[] = {{"", ""},         {"Caf\u00e9", "cafe"}, {"STRASSE", "strasse"}, {"stra\u00dfe", "strasse"},
		    {"\ufb01", "fi"}, {"\uff21", "a"},       {"\u0301", ""},         {"\xff", ""}};
	char out[64];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = utf8_loose(text_of(rows[i].text), out, sizeof out);
		assert_text(text_copy(&arena, (struct text){out, n}), rows[i].loose);
	}
	/* Cut between characters if there is no more room. */
	assert_int_equal(utf8_loose(text_of("a\u6f22\u5b57"), out, 5), 4);
}

static void malformed_bytes_are_replaced(void **state)
{
	(void)state;
	assert_text(utf8_repaired(&arena, TEXT("")), "");
	assert_text(utf8_repaired(&arena, TEXT("sound \u6f22")), "sound \u6f22");
	assert_text(utf8_repaired(&arena, TEXT("a\xff"
					       "b\xe6\xbc")),
		    "a\ufffdb\ufffd\ufffd");
	assert_text(utf8_repaired(&arena, TEXT("\xff")), "\ufffd");
	assert_text(utf8_nfkc(&arena, TEXT("\uff21e\u0301")), "A\u00e9");
}

/* The quick count over blocks and the count by characters agree, for any start or end of a block. */
static void words_of_long_texts_are_those_of_their_characters(void **state)
{
	static const char *const pieces[] = {"a", "Z", "7", " ", " ", "'", "\u2019", ".", "é", "漢", "-", "bc", "s "};
	char text[400];
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		size_t len = 0, words = 0, plain = round % 3;
		size_t target = (size_t)(round % 300);
		while (len < target) {
			seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
			const char *piece = pieces[seed % (sizeof pieces / sizeof *pieces)];
			if (plain && (unsigned char)*piece >= 0x80 && seed % 97)
				continue;
			memcpy(text + len, piece, strlen(piece));
			len += strlen(piece);
		}
		struct text t = {text, len};
		while (utf8_word_at(t, words) < len)
			words++;
		if (utf8_words(t) != words)
			fail_msg("%.*s: %zu, not %zu", (int)len, text, utf8_words(t), words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(every_code_point_is_written_and_read, forget),
		cmocka_unit_test_teardown(malformed_bytes_are_found_where_they_stand, forget),
		cmocka_unit_test_teardown(counting_and_cutting_go_by_characters, forget),
		cmocka_unit_test_teardown(a_walk_over_cut_off_text_stays_inside, forget),
		cmocka_unit_test_teardown(folding_makes_equal_what_reads_equal, forget),
		cmocka_unit_test_teardown(nfc_composes_and_nothing_else, forget),
		cmocka_unit_test_teardown(letters_are_composed_as_texts_are, forget),
		cmocka_unit_test_teardown(words_are_counted_as_a_reader_would, forget),
		cmocka_unit_test_teardown(words_of_long_texts_are_those_of_their_characters, forget),
		cmocka_unit_test_teardown(a_word_is_found_by_its_number, forget),
		cmocka_unit_test_teardown(widths_are_those_of_a_terminal, forget),
		cmocka_unit_test_teardown(loose_forms_drop_case_and_accents, forget),
		cmocka_unit_test_teardown(malformed_bytes_are_replaced, forget),
	};
	return RUN_TESTS(tests);
}
