/* Any bytes as a ZIP archive. An accepted archive can be changed: the result is accepted again, contains the change,
 * and every other entry unpacks to the same bytes. Without a change no byte changes. */
#include "must.h"
#include "base/array.h"
#include "format/zip.h"

static const struct zip_limits limits = {
	.entries = 64, .entry = 1 << 16, .total = 1 << 18, .ratio = 100, .ratio_from = 1 << 12};

static struct text unpacked(struct arena *a, struct text bytes, uint32_t member, bool *is_fine)
{
	enum zip_fault fault;
	struct error err = {0};
	struct text out = {0};
	struct zip *z = zip_read(a, bytes, &limits, &fault, &err);

	MUST(z);
	*is_fine = zip_unpack(a, z, member, &out, &fault, &err);
	MUST(*is_fine ? out.len == z->members[member].size : fault != ZIP_FINE && err.message != NULL);
	return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	enum zip_fault fault;
	struct error err = {0};
	struct text t = {(const char *)bytes, n};
	struct zip *z = zip_read(&a, t, &limits, &fault, &err);

	if (!z) {
		MUST(fault != ZIP_FINE && err.message);
		arena_free(&a);
		return 0;
	}
	size_t splices;
	struct splice *edits = zip_splices(&a, z, NULL, 0, &splices);
	MUST(text_same(splice_apply(&a, t, edits, splices), t));
	struct zip_change changes[] = {{.member = z->n ? (uint32_t)(n % z->n) : ZIP_NONE,
					.name = TEXT("first"),
					.bytes = TEXT("changed changed changed")},
				       {.member = ZIP_NONE, .name = TEXT("made by the fuzzer"), .bytes = TEXT("new")}};
	bool is_taken = zip_find(z, changes[1].name) != ZIP_NONE || (!z->n && zip_find(z, changes[0].name) != ZIP_NONE);
	if (is_taken || z->n >= 60) {
		arena_free(&a);
		return 0;
	}
	edits = zip_splices(&a, z, changes, 2, &splices);
	struct text after = splice_apply(&a, t, edits, splices);
	bool was_fine, is_fine;
	for (uint32_t i = 0; i < z->n; i++) {
		struct text old = unpacked(&a, t, i, &was_fine), new = unpacked(&a, after, i, &is_fine);
		if (i == changes[0].member)
			MUST(is_fine && text_same(new, changes[0].bytes));
		else
			MUST(was_fine == is_fine && (!was_fine || text_same(old, new)));
	}
	struct zip *again = zip_read(&a, after, &limits, &fault, &err);
	MUST(again && zip_find(again, changes[1].name) != ZIP_NONE && again->n == z->n + (z->n ? 1 : 2));
	arena_free(&a);
	return 0;
}
