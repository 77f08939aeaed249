#include "work/history/pack.h"

#include "format/deflate.h"
#include "format/splice.h"

#include <string.h>

/* Larger documents are not stored whole in the history. */
static const size_t whole_max = (size_t)64 << 20;
/* SNAPSHOT_EVERY bounds how many deltas are applied to read an old revision. Snapshots of large documents cost more, so
 * they are rarer. Below DEFLATE_MIN, deflating saves nothing. */
enum { SNAPSHOT_EVERY = 64, LARGE_EVERY = 256, LARGE = 1 << 20, DEFLATE_MIN = 128, LENGTH_BYTES = 4 };

static struct text deflated(struct arena *a, struct text bytes)
{
	struct text packed = bytes.len >= DEFLATE_MIN ? deflate_quick(a, bytes) : (struct text){0};

	if (!packed.at || packed.len + LENGTH_BYTES >= bytes.len)
		return (struct text){0};
	char *to = arena_alloc(a, packed.len + LENGTH_BYTES);
	for (int i = 0; i < LENGTH_BYTES; i++)
		to[i] = (char)(bytes.len >> (8 * i) & 0xff);
	memcpy(to + LENGTH_BYTES, packed.at, packed.len);
	return (struct text){to, packed.len + LENGTH_BYTES};
}

static bool inflated(struct arena *a, struct text packed, struct text *out)
{
	size_t len = 0, got = 0;

	if (packed.len < LENGTH_BYTES)
		return false;
	for (int i = 0; i < LENGTH_BYTES; i++)
		len |= (size_t)(unsigned char)packed.at[i] << (8 * i);
	/* Deflate never shrinks data more than this. A false length is refused before memory is allocated. */
	if (len > whole_max * 2 || len / 1100 > packed.len)
		return false;
	char *to = arena_alloc(a, len + 1);
	if (deflate_unpack(text_slice(packed, LENGTH_BYTES, packed.len), to, len, &got) != INFLATED_DONE || got != len)
		return false;
	to[len] = '\0';
	*out = (struct text){to, len};
	return true;
}

struct text pack_whole(struct arena *a, struct text bytes, enum record_form *form)
{
	*form = FORM_NONE;
	if (bytes.len > whole_max)
		return (struct text){0};
	struct text packed = deflated(a, bytes);
	*form = packed.at ? FORM_WHOLE_DEFLATED : FORM_WHOLE;
	return packed.at ? packed : bytes;
}

static struct text pack_splices(struct arena *a, const struct record_document *d, enum record_form *form)
{
	struct buffer to = {.arena = a};

	splice_pack(&to, d->splices, d->n);
	struct text packed = deflated(a, buffer_text(&to));
	*form = packed.at ? FORM_SPLICES_DEFLATED : FORM_SPLICES;
	return packed.at ? packed : buffer_text(&to);
}

void pack_document(struct arena *a, struct record_document *d, int64_t since)
{
	size_t bytes = 0, len = d->bytes_before.len;

	d->form = FORM_NONE;
	d->can_undo = d->bytes_before.len <= whole_max;
	if (!d->after.at || (d->before.at && text_same(d->before, d->after)))
		return;
	if (!d->before.at) {
		d->delta = pack_whole(a, d->bytes_after, &d->form);
		return;
	}
	for (size_t i = 0; i < d->n; i++) {
		bytes += d->splices[i].with.len;
		len += d->splices[i].with.len - (d->splices[i].to - d->splices[i].from);
	}
	bool is_due = since + 1 >= (len > LARGE ? LARGE_EVERY : SNAPSHOT_EVERY);
	if ((bytes > len / 2 || is_due) && len <= whole_max) {
		d->delta = pack_whole(a, splice_apply(a, d->bytes_before, d->splices, d->n), &d->form);
	} else if (bytes <= whole_max) {
		d->delta = pack_splices(a, d, &d->form);
	}
	d->can_undo = d->can_undo && d->delta.at;
}

/* The splices of a packed delta, if they fit a document of this length; NULL: damaged, or made for another document. */
static struct splice *splices_of(struct arena *a, struct text packed, size_t len, size_t *n)
{
	struct splice *splices = splice_unpack(a, packed, n);
	size_t end = 0;

	for (size_t i = 0; splices && i < *n; i++) {
		if (splices[i].from < end || splices[i].to < splices[i].from || splices[i].to > len)
			return NULL;
		end = splices[i].to;
	}
	return splices;
}

bool pack_apply(struct arena *a, enum record_form form, struct text delta, struct text base, struct text *out)
{
	struct text plain = delta;
	size_t n;

	if (form == FORM_NONE) {
		*out = base;
		return base.at;
	}
	if (!delta.at ||
	    ((form == FORM_WHOLE_DEFLATED || form == FORM_SPLICES_DEFLATED) && !inflated(a, delta, &plain)))
		return false;
	if (form_is_whole(form)) {
		*out = plain;
		return true;
	}
	struct splice *splices = base.at ? splices_of(a, plain, base.len, &n) : NULL;
	if (!splices)
		return false;
	*out = splice_apply(a, base, splices, n);
	return true;
}
