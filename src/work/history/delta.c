#include "work/history/delta.h"

#include "format/splice.h"

struct splice *delta_splices(struct arena *a, struct text packed, size_t len, size_t *n)
{
	struct splice *splices = packed.at ? splice_unpack(a, packed, n) : NULL;
	size_t end = 0;

	for (size_t i = 0; splices && i < *n; i++) {
		if (splices[i].from < end || splices[i].to < splices[i].from || splices[i].to > len)
			return NULL;
		end = splices[i].to;
	}
	return splices;
}

static bool apply(struct arena *a, struct text delta, bool is_whole, struct text base, struct text *out)
{
	size_t n;

	if (!delta.at)
		return false;
	if (is_whole) {
		*out = delta;
		return true;
	}
	struct splice *splices = base.at ? delta_splices(a, delta, base.len, &n) : NULL;
	if (!splices)
		return false;
	*out = splice_apply(a, base, splices, n);
	return true;
}

bool delta_forward(struct arena *a, const struct record_document *d, struct text base, struct text *out)
{
	return apply(a, d->delta, d->delta_is_whole, base, out);
}

bool delta_back(struct arena *a, const struct record_document *d, struct text base, struct text *out)
{
	return apply(a, d->inverse, d->inverse_is_whole, base, out);
}
