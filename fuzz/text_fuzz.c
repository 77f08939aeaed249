/* Any bytes as first read by the program: as UTF-8, as base64, as a caller's words in a message, as a glob. */
#include "must.h"
#include "base/call.h"
#include "base/digest.h"
#include "base/pattern.h"
#include "base/utf8.h"

#include <string.h>

static void check_utf8(struct arena *a, struct text t)
{
	size_t bad = utf8_bad(t), at = 0, n = 0;
	char bytes[4];

	while (at < t.len && utf8_len(t.at + at, t.at + t.len)) {
		size_t from = at;
		uint32_t c = utf8_next(t, &at);
		MUST(utf8_put(bytes, c) == at - from && !memcmp(bytes, t.at + from, at - from));
		utf8_width(c);
		n++;
	}
	MUST(at == bad);
	struct text good = text_slice(t, 0, bad);
	MUST(utf8_count(good) == n && utf8_words(good) <= n);
	struct text nfc = utf8_nfc(a, good), folded = utf8_fold(a, good);
	MUST(utf8_bad(nfc) == nfc.len && utf8_bad(folded) == folded.len);
	MUST(text_same(utf8_nfc(a, nfc), nfc));
	for (size_t i = 0; i <= good.len; i++) {
		size_t cut = utf8_cut(good, i);
		MUST(cut <= i && i - cut < 4 && utf8_bad(text_slice(good, 0, cut)) == cut);
	}
	/* Malformed text never causes a read outside it. */
	utf8_fold(a, t);
	utf8_words(t);
}

static void check_codes(struct arena *a, struct text t)
{
	MUST(text_same(base64_decode(a, base64_encode(a, t)), t.len ? t : TEXT("")));
	MUST(text_same(base64url_decode(a, base64url_encode(a, t)), t.len ? t : TEXT("")));
	struct text plain = base64_decode(a, t);
	if (plain.at)
		MUST(text_same(base64_encode(a, plain), t.len ? t : TEXT("")));
	plain = base64url_decode(a, t);
	if (plain.at)
		MUST(text_same(base64url_encode(a, plain), t.len ? t : TEXT("")));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct text t = {(const char *)bytes, n};

	check_utf8(&a, t);
	check_codes(&a, t);
	struct text words = text_of(shown(&c, t));
	MUST(words.len <= 80 && utf8_bad(words) == words.len);
	size_t middle = text_find(t, TEXT("\n"), 0);
	struct text glob = text_slice(t, 0, middle), path = text_slice(t, middle == SIZE_MAX ? n : middle + 1, n);
	bool matches = glob_matches(glob, path);
	if (text_same(glob, path) && text_find(glob, TEXT("?"), 0) == SIZE_MAX)
		MUST(matches || utf8_bad(path) < path.len);
	arena_free(&a);
	return 0;
}
