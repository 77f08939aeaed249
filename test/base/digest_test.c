#include "support/check.h"

#include "base/digest.h"
#include "base/digest_words.h"

#include <string.h>

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void revisions_are_short_stable_and_differ(void **state)
{
	struct revision empty = revision_of(TEXT("")), a = revision_of(TEXT("a")), b = revision_of(TEXT("b"));
	(void)state;

	assert_int_equal(strlen(a.chars), REVISION_LEN);
	assert_int_equal(strspn(a.chars, "abcdefghijklmnopqrstuvwxyz234567"), REVISION_LEN);
	assert_string_not_equal(a.chars, b.chars);
	assert_string_equal(a.chars, revision_of(TEXT("a")).chars);
	assert_string_equal(empty.chars, revision_of((struct text){0}).chars);
	/* XXH3-128 of no bytes is 99aa06d3014798d86001c324468d497f. This must never change, because histories contain
	 * it. */
	assert_string_equal(empty.chars, "7ls2idredoaagmdt");
}

static void every_processor_gives_the_same_revisions(void **state)
{
	char bytes[70000];
	(void)state;

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * i >> 3);
	for (size_t len = 0; digest_wide_is_here() && len < sizeof bytes; len = len * 3 / 2 + 1) {
		struct text t = {bytes + len % 7, len - len % 7 * (len > 6)};
		struct digest_words narrow = digest_words(&t, 1), wide = digest_wide(&t, 1);
		assert_true(narrow.low == wide.low && narrow.high == wide.high);
	}
	/* The hash of a long text is still the one in existing histories. */
	assert_string_equal(revision_of((struct text){bytes, sizeof bytes}).chars, "mknag7i4oqns2ddf");
}

static void digests_are_the_known_ones(void **state)
{
	unsigned char out[32];
	(void)state;

	sha256(TEXT("abc"), out);
	assert_text(hex_encode(&arena, (struct text){(char *)out, 32}),
		    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	sha256((struct text){0}, out);
	assert_text(hex_encode(&arena, (struct text){(char *)out, 32}),
		    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	hmac_sha256(TEXT("Jefe"), TEXT("what do ya want for nothing?"), out);
	assert_text(hex_encode(&arena, (struct text){(char *)out, 32}),
		    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

static void base64_goes_both_ways_and_is_strict(void **state)
{
	static const struct {
		const char *plain, *chars;
	} rows[] = {
		{"", ""},
		{"f", "Zg=="},
		{"fo", "Zm8="},
		{"foo", "Zm9v"},
		{"foob", "Zm9vYg=="},
		{"fooba", "Zm9vYmE="},
		{"\xFB\xFF", "+/8="},
	};
	static const char *const bad[] = {"Zg",    "Zg=",  "Z",        "Zh==", "Zg==\n",           " Zg==",  "Zm 9v",
					  "Zm9v=", "-_8=", "Zg==Zg==", "====", "\xC3\xA9\xC3\xA9", "Zm9\xF6"};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_text(base64_encode(&arena, text_of(rows[i].plain)), rows[i].chars);
		assert_text(base64_decode(&arena, text_of(rows[i].chars)), rows[i].plain);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_null(base64_decode(&arena, text_of(bad[i])).at);
	assert_text(base64url_encode(&arena, TEXT("\xFB\xFF")), "-_8");
	assert_text(base64url_decode(&arena, TEXT("-_8")), "\xFB\xFF");
	assert_null(base64url_decode(&arena, TEXT("-_8=")).at);
	assert_null(base64url_decode(&arena, TEXT("+/8")).at);
}

static void hex_takes_exactly_its_bytes(void **state)
{
	unsigned char out[3];
	(void)state;

	assert_true(hex_decode(TEXT("00fFa0"), out, 3));
	assert_memory_equal(out, "\x00\xFF\xA0", 3);
	assert_false(hex_decode(TEXT("00ff"), out, 3));
	assert_false(hex_decode(TEXT("00ffa00"), out, 3));
	assert_false(hex_decode(TEXT("00fg00"), out, 3));
}

static void chance_is_within_bounds(void **state)
{
	unsigned char a[16], b[16];
	bool seen[5] = {0};
	(void)state;

	random_bytes(a, sizeof a);
	random_bytes(b, sizeof b);
	assert_memory_not_equal(a, b, sizeof a);
	for (int i = 0; i < 1000; i++) {
		uint32_t n = random_below(5);
		assert_true(n < 5);
		seen[n] = true;
	}
	for (int i = 0; i < 5; i++)
		assert_true(seen[i]);
}

static void secrets_compare_and_clear(void **state)
{
	char secret[] = "secret";
	(void)state;

	assert_true(secret_same("abc", "abc", 3));
	assert_false(secret_same("abc", "abd", 3));
	secret_clear(secret, sizeof secret);
	assert_memory_equal(secret, "\0\0\0\0\0\0\0", sizeof secret);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(revisions_are_short_stable_and_differ, forget),
		cmocka_unit_test_teardown(every_processor_gives_the_same_revisions, forget),
		cmocka_unit_test_teardown(digests_are_the_known_ones, forget),
		cmocka_unit_test_teardown(base64_goes_both_ways_and_is_strict, forget),
		cmocka_unit_test_teardown(hex_takes_exactly_its_bytes, forget),
		cmocka_unit_test_teardown(chance_is_within_bounds, forget),
		cmocka_unit_test_teardown(secrets_compare_and_clear, forget),
	};
	return RUN_TESTS(tests);
}
