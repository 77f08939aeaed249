#include "support/check.h"

#include "base/sha1.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void digest_is(struct text t, const char *hex)
{
	unsigned char sum[20];
	char shown[41];

	sha1(t, sum);
	for (int i = 0; i < 20; i++)
		snprintf(shown + 2 * i, 3, "%02x", sum[i]);
	assert_string_equal(shown, hex);
}

static void the_published_examples_hold(void **state)
{
	(void)state;
	digest_is(TEXT(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
	digest_is(TEXT("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
	digest_is(TEXT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
		  "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
	char *million = malloc(1000000);
	memset(million, 'a', 1000000);
	digest_is((struct text){million, 1000000}, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
	free(million);
}

static void both_ways_give_the_same_words(void **state)
{
	unsigned char bytes[64];

	(void)state;
	for (uint32_t seed = 1; sha1_wide_is_here() && seed < 500; seed++) {
		uint32_t narrow[5] = {seed, seed * 3, seed * 5, seed * 7, seed * 11}, wide[5];
		for (uint32_t i = 0; i < 64; i++)
			bytes[i] = (unsigned char)(seed * 2654435761u >> i % 25);
		memcpy(wide, narrow, sizeof wide);
		sha1_block(narrow, bytes);
		sha1_wide_block(wide, bytes);
		assert_memory_equal(narrow, wide, sizeof wide);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_published_examples_hold),
					   cmocka_unit_test(both_ways_give_the_same_words)};

	return RUN_TESTS(tests);
}
