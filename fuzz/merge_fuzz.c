/* The first two bytes split the rest into two texts and a record. Block edits turn one text into the other. Edits that
 * do not touch give the same result in either order. Edits made one after the other can be joined into one list. A
 * packed document unpacks to the same. Also any bytes as a record of any form. */
#include "must.h"
#include "base/digest.h"
#include "format/merge.h"
#include "work/history/pack.h"

#include <string.h>

static void check_blocks(struct arena *a, struct text x, struct text y)
{
	size_t n;
	const struct splice *found = splice_blocks(a, x, y, &n);

	MUST(text_same(splice_apply(a, x, found, n), y));
}

static void check_merge(struct arena *a, struct text base, struct text x, struct text y)
{
	size_t n, m, clash = 0;
	const struct splice *mine = splice_found(a, base, x, &n), *theirs = splice_found(a, base, y, &m);
	struct splice *moved = splice_move(a, mine, n, theirs, m, &clash),
		      *other = splice_move(a, theirs, m, mine, n, &clash);

	MUST(!moved == !other);
	if (moved)
		MUST(text_same(splice_apply(a, y, moved, n), splice_apply(a, x, other, m)));
}

static void check_then(struct arena *a, struct text base, struct text x, struct text y)
{
	size_t n, m, count;
	const struct splice *first = splice_found(a, base, x, &n), *then = splice_found(a, x, y, &m);

	const struct splice *both = splice_then(a, first, n, then, m, &count);
	MUST(text_same(splice_apply(a, base, both, count), y));
}

static void check_pack(struct arena *a, struct text x, struct text y, int64_t since)
{
	size_t n;
	const struct splice *edits = splice_found(a, x, y, &n);
	struct record_document d = {
		.before = TEXT("before"), .after = TEXT("after"), .bytes_before = x, .splices = edits, .n = n};
	struct text back;

	pack_document(a, &d, since);
	MUST(pack_apply(a, d.form, d.delta, x, &back) && text_same(back, y));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct text all, x, y, z, out;

	if (size < 4)
		return 0;
	all = text_copy(&a, (struct text){(const char *)data + 3, size - 3});
	size_t one = all.len * data[0] / 256, two = one + (all.len - one) * data[1] / 256;
	x = text_slice(all, 0, one);
	y = text_slice(all, one, two);
	z = text_slice(all, two, all.len);
	check_blocks(&a, x, y);
	check_blocks(&a, all, z);
	check_merge(&a, x, y, z);
	check_then(&a, x, y, z);
	check_pack(&a, x, y, data[2] % 80);
	for (int form = FORM_NONE; form <= FORM_WHOLE_DEFLATED; form++)
		pack_apply(&a, (enum record_form)form, z, x, &out);
	arena_free(&a);
	return 0;
}
