/* The first bytes are the positions of edits, the rest is the text. Bytes outside the edits are kept, the inverse edits
 * restore the text, editing in place gives the same result, packed edits unpack to the same, and found edits turn one
 * text into the other. Also any bytes as a packed record. */
#include "must.h"
#include "format/splice.h"

#include <string.h>

enum { EDITS_MAX = 16 };

/* Three bytes per edit: the distance to it, the length removed, the length of the text's beginning that is inserted. */
static size_t edits_from(const uint8_t *plan, size_t plan_len, struct text original, struct splice *edits)
{
	uint32_t at = 0;
	size_t n = 0;

	for (; n < EDITS_MAX && plan_len >= 3; n++, plan += 3, plan_len -= 3) {
		uint32_t from = at + plan[0], to = from + plan[1] % 16;
		if (to > original.len)
			break;
		edits[n] = (struct splice){from, to, text_slice(original, plan[2] % 8, plan[2] / 8)};
		at = to;
	}
	return n;
}

static void check(struct arena *a, struct text original, const struct splice *edits, size_t n)
{
	struct text result = splice_apply(a, original, edits, n);
	size_t at = 0, w = 0;

	for (size_t i = 0; i < n; i++) {
		MUST(text_same(text_slice(result, w, w + edits[i].from - at), text_slice(original, at, edits[i].from)));
		w += edits[i].from - at;
		MUST(text_same(text_slice(result, w, w + edits[i].with.len), edits[i].with));
		w += edits[i].with.len;
		at = edits[i].to;
	}
	MUST(text_same(text_slice(result, w, SIZE_MAX), text_slice(original, at, SIZE_MAX)));

	char *within = arena_alloc(a, (original.len > result.len ? original.len : result.len) + 1);
	if (original.len)
		memcpy(within, original.at, original.len);
	splice_within(within, original.len, edits, n);
	MUST(memcmp(within, result.at, result.len + 1) == 0);

	size_t found, m;
	struct splice *between = splice_between(a, original, result, &found);
	MUST(text_same(splice_apply(a, original, between, found), result));
	MUST((splice_diff(a, original, result, "f", 3).len == 0) == text_same(original, result));

	struct buffer packed = {.arena = a};
	splice_pack(&packed, edits, n);
	struct splice *back = splice_unpack(a, buffer_text(&packed), &m);
	MUST(back && m == n && text_same(splice_apply(a, original, back, m), result));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct splice edits[EDITS_MAX] = {{0}};
	size_t plan = n ? bytes[0] % (EDITS_MAX * 3) : 0, m;

	if (n > plan) {
		struct text original = {(const char *)bytes + 1 + plan, n - 1 - plan};
		check(&a, original, edits, edits_from(bytes + 1, plan, original, edits));
	}
	struct splice *raw = splice_unpack(&a, (struct text){(const char *)bytes, n}, &m);
	if (raw) {
		struct buffer packed = {.arena = &a};
		splice_pack(&packed, raw, m);
		struct splice *back = splice_unpack(&a, buffer_text(&packed), &n);
		MUST(back && n == m && (!n || !memcmp(&back[0].from, &raw[0].from, sizeof raw[0].from)));
	}
	arena_free(&a);
	return 0;
}
