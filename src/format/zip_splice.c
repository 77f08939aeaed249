/* Changes an archive by splices. Unchanged entries keep their bytes, headers and gaps. The directory is written again;
 * only the changed numbers in its rows differ. */
#include "base/array.h"
#include "format/deflate.h"
#include "format/zip.h"
#include "format/zip_records.h"

#include <assert.h>
#include <string.h>

struct result {
	struct text packed;
	uint32_t crc, size;
	uint16_t method;
	uint32_t at; /* position of its local header in the result */
	bool is_changed, is_gone;
};

struct writer {
	struct arena *arena;
	const struct zip *zip;
	struct result *members; /* one for each member of the zip, in the same order */
	ARRAY(struct splice) splices;
	struct buffer directory, added;
	uint32_t rows;
};

static struct result packed(struct arena *a, const struct zip_change *change)
{
	struct text whole = change->bytes;
	struct pieces p = change->pieces.n ? change->pieces : (struct pieces){&whole, 1, whole.len};
	struct text small = p.len ? deflate_pieces(a, p.items, p.n) : (struct text){0};

	if (!small.at && change->pieces.n) { /* it is stored uncompressed, from one piece */
		char *to = arena_alloc(a, p.len + 1);
		pieces_join(p, to);
		whole = (struct text){to, p.len};
	}
	return (struct result){.packed = small.at ? small : whole,
			       .crc = deflate_crc_pieces(p.items, p.n),
			       .size = (uint32_t)p.len,
			       .method = small.at ? METHOD_DEFLATED : METHOD_STORED,
			       .is_changed = true};
}

/* Keeps all extra fields except zip64's: the written sizes and positions fit the classic fields. */
static struct text plain_extra(struct arena *a, struct text extra)
{
	struct buffer b = {.arena = a};

	for (size_t at = 0; extra.len - at >= 4;) {
		size_t len = 4 + get16(extra, at + 2);
		if (len > extra.len - at)
			break;
		if (get16(extra, at) != EXTRA_ZIP64)
			buffer_add(&b, text_slice(extra, at, at + len));
		at += len;
	}
	return buffer_text(&b);
}

/* Version needed, flags, method, time, checksum and sizes have the same layout in both headers. */
static void set_common(char *to, const struct result *r, uint32_t flags)
{
	set16(to, 20);
	set16(to + 2, flags);
	set16(to + 4, r->method);
	set32(to + 10, r->crc);
	set32(to + 14, (uint32_t)r->packed.len);
	set32(to + 18, r->size);
}

/* Sizes are known before writing, so no descriptor follows. The level's hint bits described the old stream. */
static uint32_t flags_of(uint32_t flags) { return flags & ~(uint32_t)(FLAG_STREAMED | FLAG_LEVEL); }

static struct text local_entry(struct writer *w, const struct zip_member *m, const struct result *r)
{
	struct text b = w->zip->bytes;
	struct buffer out = {.arena = w->arena};
	size_t name = get16(b, m->from + LOCAL_NAME), extra = get16(b, m->from + LOCAL_NAME + 2);
	struct text kept =
		plain_extra(w->arena, text_slice(b, m->from + LOCAL_LEN + name, m->from + LOCAL_LEN + name + extra));

	buffer_add(&out, text_slice(b, m->from, m->from + LOCAL_LEN));
	set_common(out.at + 4, r, flags_of(get16(b, m->from + LOCAL_FLAGS)));
	set16(out.at + LOCAL_NAME + 2, (uint32_t)kept.len);
	buffer_add(&out, m->name);
	buffer_add(&out, kept);
	buffer_add(&out, r->packed);
	return buffer_text(&out);
}

static void put_changed_row(struct writer *w, const struct zip_member *m, const struct result *r)
{
	struct text row = text_slice(w->zip->bytes, m->row, m->row + m->row_len);
	size_t extra = get16(row, CENTRAL_NAME + 2), behind_name = CENTRAL_LEN + m->name.len, start = w->directory.len;
	struct text kept = plain_extra(w->arena, text_slice(row, behind_name, behind_name + extra));

	buffer_add(&w->directory, text_slice(row, 0, behind_name));
	set_common(w->directory.at + start + 6, r, flags_of(m->flags));
	set16(w->directory.at + start + CENTRAL_NAME + 2, (uint32_t)kept.len);
	set32(w->directory.at + start + CENTRAL_OFFSET, r->at);
	buffer_add(&w->directory, kept);
	buffer_add(&w->directory, text_slice(row, behind_name + extra, row.len));
}

/* Where the row has its entry's position in the zip64 field, or 0. */
static size_t wide_place(struct text row, size_t name)
{
	struct text extra = text_slice(row, CENTRAL_LEN + name, CENTRAL_LEN + name + get16(row, CENTRAL_NAME + 2));

	if (get32(row, CENTRAL_OFFSET) != UINT32_MAX)
		return 0;
	for (size_t at = 0; extra.len - at >= 4; at += 4 + get16(extra, at + 2))
		if (get16(extra, at) == EXTRA_ZIP64)
			return (size_t)(extra.at - row.at) + at + 4 +
			       8 * ((get32(row, CENTRAL_PACKED) == UINT32_MAX) +
				    (get32(row, CENTRAL_PACKED + 4) == UINT32_MAX));
	return 0;
}

static void put_kept_row(struct writer *w, const struct zip_member *m, uint32_t at)
{
	struct text row = text_slice(w->zip->bytes, m->row, m->row + m->row_len);
	size_t start = w->directory.len, wide = wide_place(row, m->name.len);

	buffer_add(&w->directory, row);
	if (wide)
		set64(w->directory.at + start + wide, at);
	else
		set32(w->directory.at + start + CENTRAL_OFFSET, at);
}

static void add_new(struct writer *w, const struct zip_change *change, uint32_t at)
{
	struct result r = packed(w->arena, change);
	struct text name = change->name;
	char local[LOCAL_LEN] = {0}, row[CENTRAL_LEN] = {0};
	bool is_ascii = true;

	for (size_t i = 0; i < name.len; i++)
		is_ascii = is_ascii && (unsigned char)name.at[i] < 0x80;
	/* A fixed time (1980-01-01): the same changes give the same bytes. */
	set32(local, SIGN_LOCAL);
	set_common(local + 4, &r, is_ascii ? 0 : FLAG_UTF8);
	set16(local + 12, 1 << 5 | 1);
	set16(local + LOCAL_NAME, (uint32_t)name.len);
	set32(row, SIGN_CENTRAL);
	set16(row + 4, 20);
	set_common(row + 6, &r, is_ascii ? 0 : FLAG_UTF8);
	set16(row + 14, 1 << 5 | 1);
	set16(row + CENTRAL_NAME, (uint32_t)name.len);
	set32(row + CENTRAL_OFFSET, at + (uint32_t)w->added.len);
	buffer_add(&w->directory, (struct text){row, sizeof row});
	buffer_add(&w->directory, name);
	w->rows++;
	buffer_add(&w->added, (struct text){local, sizeof local});
	buffer_add(&w->added, name);
	buffer_add(&w->added, r.packed);
}

/* Copies everything after the rows and updates only the numbers that changed. */
static void put_end(struct writer *w, uint32_t start)
{
	const struct zip *z = w->zip;
	uint32_t size = (uint32_t)w->directory.len;
	size_t end = w->directory.len;

	buffer_add(&w->directory, text_slice(z->bytes, z->end, z->bytes.len));
	char *record = w->directory.at + end, *classic = record + (z->end_record - z->end);
	if (z->is_zip64) {
		set64(record + END64_ENTRIES - 8, w->rows);
		set64(record + END64_ENTRIES, w->rows);
		set64(record + END64_SIZE, size);
		set64(record + END64_OFFSET, start);
		set64(classic - LOCATOR_LEN + LOCATOR_OFFSET, (uint64_t)start + size);
	}
	struct text old = text_slice(z->bytes, z->end_record, z->bytes.len);
	bool is_wide_count = z->is_zip64 && get16(old, END_ENTRIES) == UINT16_MAX;
	if (!is_wide_count) {
		set16(classic + END_ENTRIES - 2, w->rows);
		set16(classic + END_ENTRIES, w->rows);
	}
	if (!z->is_zip64 || get32(old, END_SIZE) != UINT32_MAX)
		set32(classic + END_SIZE, size);
	if (!z->is_zip64 || get32(old, END_OFFSET) != UINT32_MAX)
		set32(classic + END_OFFSET, start);
}

/* Entries may be in another order than the directory's rows. Each entry moves by the size changes before it. */
static void place_entries(struct writer *w)
{
	const struct zip *z = w->zip;
	size_t n = w->splices.n;
	struct splice *sorted = splice_sorted(w->arena, w->splices.items, n, z->bytes.len);
	int64_t *moved = arena_array(w->arena, n + 1, sizeof *moved);

	for (size_t i = 0; i < n; i++)
		moved[i + 1] = moved[i] + (int64_t)sorted[i].with.len - (int64_t)(sorted[i].to - sorted[i].from);
	for (uint32_t i = 0; i < z->n; i++) {
		size_t low = 0, high = n;
		while (low < high) {
			size_t mid = (low + high) / 2;
			if (sorted[mid].to <= z->members[i].from && sorted[mid].from < z->members[i].from)
				low = mid + 1;
			else
				high = mid;
		}
		w->members[i].at = (uint32_t)(z->members[i].from + moved[low]);
	}
}

struct splice *zip_splices(struct arena *a, const struct zip *z, const struct zip_change *changes, size_t n,
			   size_t *splices)
{
	struct writer w = {.arena = a,
			   .zip = z,
			   .members = arena_array(a, (size_t)z->n + 1, sizeof(struct result)),
			   .directory = {.arena = a},
			   .added = {.arena = a}};
	int64_t moved = 0;

	/* The numbers of some archives are not what we would write. Without a change they stay as they are. */
	*splices = 0;
	if (!n)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (changes[i].member == ZIP_NONE)
			continue;
		const struct zip_member *m = &z->members[changes[i].member];
		struct result *r = &w.members[changes[i].member];
		assert(!r->is_changed && !r->is_gone);
		struct text with = TEXT("");
		if (changes[i].bytes.at || changes[i].pieces.n) {
			*r = packed(a, &changes[i]);
			with = local_entry(&w, m, r);
		} else {
			r->is_gone = true;
		}
		moved += (int64_t)with.len - (int64_t)(m->to - m->from);
		*ARRAY_PUSH(a, &w.splices) = (struct splice){m->from, m->to, with};
	}
	place_entries(&w);
	for (uint32_t i = 0; i < z->n; i++) {
		if (w.members[i].is_gone)
			continue;
		w.rows++;
		if (w.members[i].is_changed)
			put_changed_row(&w, &z->members[i], &w.members[i]);
		else
			put_kept_row(&w, &z->members[i], w.members[i].at);
	}
	uint32_t start = (uint32_t)((int64_t)z->directory + moved);
	for (size_t i = 0; i < n; i++)
		if (changes[i].member == ZIP_NONE)
			add_new(&w, &changes[i], start);
	put_end(&w, start + (uint32_t)w.added.len);
	buffer_add(&w.added, buffer_text(&w.directory));
	*ARRAY_PUSH(a, &w.splices) = (struct splice){z->directory, (uint32_t)z->bytes.len, buffer_text(&w.added)};
	*splices = w.splices.n;
	return w.splices.items;
}
