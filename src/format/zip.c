#include "format/zip.h"

#include "base/array.h"
#include "format/deflate.h"
#include "format/zip_records.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	struct arena *arena;
	struct zip *zip;
	enum zip_fault *fault;
	struct error *err;
};

static bool refuse(struct reader *r, enum zip_fault fault, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool refuse(struct reader *r, enum zip_fault fault, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	*r->err = (struct error){.fault = fault == ZIP_BROKEN ? FAULT_ARGUMENT : FAULT_TOO_LARGE,
				 .message = text_vformat(r->arena, format, ap).at};
	va_end(ap);
	*r->fault = fault;
	return false;
}

/* An entry's name for a message: printable, short. */
static const char *name_shown(struct reader *r, struct text name)
{
	struct buffer b = {.arena = r->arena};

	for (size_t i = 0; i < name.len && i < 80; i++) {
		unsigned char c = (unsigned char)name.at[i];
		buffer_byte(&b, c < 0x20 || c > 0x7e ? '?' : (char)c);
	}
	return buffer_text(&b).at;
}

/* Bytes after the archive, such as a newline that a version control system added. Accepted only if there is a single
 * record in reach, so that no other reader can see another archive. */
static bool find_end_before(struct reader *r, uint32_t *at)
{
	struct zip *z = r->zip;
	struct text b = z->bytes;
	unsigned found = 0;

	for (size_t back = END_LEN; back <= b.len && back <= END_LEN + UINT16_MAX; back++) {
		size_t i = b.len - back;
		if (get32(b, i) != SIGN_END)
			continue;
		found++;
		*at = (uint32_t)i;
	}
	size_t end = found ? *at + END_LEN + get16(b, *at + END_COMMENT) : 0;
	if (found == 1 && end && end < b.len)
		z->behind = (uint32_t)(b.len - end);
	return z->behind;
}

/* The record is at the end of the file, followed only by its own comment, whose length it contains. */
static bool find_end(struct reader *r, uint32_t *at)
{
	struct text b = r->zip->bytes;

	if (b.len < END_LEN)
		return refuse(r, ZIP_BROKEN, "the file is not a ZIP archive: it has only %zu bytes", b.len);
	for (size_t back = END_LEN; back <= b.len && back <= END_LEN + UINT16_MAX; back++) {
		size_t i = b.len - back;
		if (get32(b, i) == SIGN_END && get16(b, i + END_COMMENT) == back - END_LEN) {
			*at = (uint32_t)i;
			return true;
		}
	}
	return find_end_before(r, at) ||
	       refuse(r, ZIP_BROKEN, "the file is not a ZIP archive, or it was cut off: it has no central directory");
}

struct directory {
	uint64_t entries, size, offset;
	uint64_t here; /* entries on this disk */
	uint32_t disk, directory_disk;
};

/* A field of the classic record that is all ones has its value in the zip64 record. The locator before the classic
 * record points to it. */
static bool read_end64(struct reader *r, struct directory *d)
{
	struct zip *z = r->zip;
	struct text b = z->bytes;

	if (z->end_record < LOCATOR_LEN || get32(b, z->end_record - LOCATOR_LEN) != SIGN_LOCATOR)
		return true;
	uint64_t at = get64(b, z->end_record - LOCATOR_LEN + LOCATOR_OFFSET);
	if (at > z->end_record - LOCATOR_LEN || z->end_record - LOCATOR_LEN - at < END64_LEN ||
	    get32(b, (size_t)at) != SIGN_END64)
		return refuse(r, ZIP_BROKEN, "the archive's zip64 record is not where its locator says");
	z->is_zip64 = true;
	z->end = (uint32_t)at;
	d->disk = get32(b, (size_t)at + END64_DISK);
	d->directory_disk = get32(b, (size_t)at + END64_DISK + 4);
	d->entries = get64(b, (size_t)at + END64_ENTRIES);
	d->here = get64(b, (size_t)at + END64_ENTRIES - 8);
	d->size = get64(b, (size_t)at + END64_SIZE);
	d->offset = get64(b, (size_t)at + END64_OFFSET);
	return true;
}

static bool read_end(struct reader *r, struct directory *d)
{
	struct zip *z = r->zip;
	struct text b = z->bytes;

	if (!find_end(r, &z->end_record))
		return false;
	z->end = z->end_record;
	*d = (struct directory){.disk = get16(b, z->end_record + END_DISK),
				.directory_disk = get16(b, z->end_record + END_DISK + 2),
				.entries = get16(b, z->end_record + END_ENTRIES),
				.here = get16(b, z->end_record + END_ENTRIES - 2),
				.size = get32(b, z->end_record + END_SIZE),
				.offset = get32(b, z->end_record + END_OFFSET)};
	if (!read_end64(r, d))
		return false;
	if (d->disk || d->directory_disk || d->here != d->entries)
		return refuse(r, ZIP_BROKEN, "the archive is one of several volumes");
	if (d->offset > z->end || d->size != z->end - d->offset)
		return refuse(r, ZIP_BROKEN, "the archive's central directory is not where its end record says");
	if (d->entries > r->zip->limits.entries)
		return refuse(r, ZIP_ENTRIES, "the archive has %llu entries, where at most %u are allowed",
			      (unsigned long long)d->entries, r->zip->limits.entries);
	if (d->entries > d->size / CENTRAL_LEN)
		return refuse(r, ZIP_BROKEN,
			      "the archive says it has %llu entries, and its directory is too short for them",
			      (unsigned long long)d->entries);
	z->directory = (uint32_t)d->offset;
	return true;
}

/* Sizes and an offset that are all ones have their values in the zip64 field, in this order; the field contains no
 * others. */
static bool read_extra64(struct text extra, uint64_t *size, uint64_t *packed, uint64_t *offset)
{
	uint64_t *const wanted[] = {size, packed, offset};

	for (size_t at = 0; extra.len - at >= 4;) {
		size_t len = get16(extra, at + 2);
		if (extra.len - at - 4 < len)
			return false;
		struct text field = text_slice(extra, at + 4, at + 4 + len);
		if (get16(extra, at) == EXTRA_ZIP64) {
			size_t taken = 0;
			for (size_t i = 0; i < ARRAY_COUNT(wanted); i++) {
				if (!wanted[i] || *wanted[i] != UINT32_MAX)
					continue;
				if (field.len - taken < 8)
					return false;
				*wanted[i] = get64(field, taken);
				taken += 8;
			}
		}
		at += 4 + len;
	}
	return true;
}

/* True if the name stays inside the folder where the archive is unpacked. */
static bool name_is_safe(struct text name)
{
	if (!name.len || name.at[0] == '/' || text_has_nul(name))
		return false;
	for (size_t i = 0, part = 0; i <= name.len; i++) {
		if (i < name.len && (name.at[i] == '\\' || name.at[i] == ':'))
			return false;
		if (i < name.len && name.at[i] != '/')
			continue;
		struct text step = text_slice(name, part, i);
		if (text_is(step, "..") || text_is(step, ".") || (!step.len && i < name.len))
			return false;
		part = i + 1;
	}
	return true;
}

static bool add_name(struct reader *r, uint32_t index)
{
	struct zip *z = r->zip;
	struct text name = z->members[index].name;
	char *lower = arena_alloc(r->arena, name.len + 1);
	bool was;

	for (size_t i = 0; i < name.len; i++)
		lower[i] = (char)(name.at[i] >= 'A' && name.at[i] <= 'Z' ? name.at[i] + 32 : name.at[i]);
	map_at(&z->names, (struct text){lower, name.len}, index, &was);
	return !was || refuse(r, ZIP_BROKEN, "the archive has two entries named %s", name_shown(r, name));
}

static bool read_row(struct reader *r, size_t at, struct zip_member *m, uint64_t *local, size_t *next)
{
	struct zip *z = r->zip;
	struct text b = z->bytes;

	if (z->end - at < CENTRAL_LEN || get32(b, at) != SIGN_CENTRAL)
		return refuse(r, ZIP_BROKEN, "the archive's central directory is damaged at byte %zu", at);
	size_t name = get16(b, at + CENTRAL_NAME), extra = get16(b, at + CENTRAL_NAME + 2),
	       comment = get16(b, at + CENTRAL_NAME + 4);
	if (z->end - at - CENTRAL_LEN < name + extra + comment)
		return refuse(r, ZIP_BROKEN, "the archive's central directory is damaged at byte %zu", at);
	*next = at + CENTRAL_LEN + name + extra + comment;
	uint64_t packed = get32(b, at + CENTRAL_PACKED), size = get32(b, at + CENTRAL_PACKED + 4);
	*local = get32(b, at + CENTRAL_OFFSET);
	*m = (struct zip_member){.name = {b.at + at + CENTRAL_LEN, name},
				 .row = (uint32_t)at,
				 .row_len = (uint32_t)(*next - at),
				 .flags = (uint16_t)get16(b, at + CENTRAL_FLAGS),
				 .method = (uint16_t)get16(b, at + CENTRAL_METHOD),
				 .crc = get32(b, at + CENTRAL_CRC)};
	struct text fields = {b.at + at + CENTRAL_LEN + name, extra};
	if (!read_extra64(fields, &size, &packed, local))
		return refuse(r, ZIP_BROKEN, "entry %s has a damaged extra field", name_shown(r, m->name));
	if (!name_is_safe(m->name))
		return refuse(r, ZIP_BROKEN,
			      "the archive has an entry named %s, which leads outside the archive's folder",
			      name_shown(r, m->name));
	if (get16(b, at + CENTRAL_DISK))
		return refuse(r, ZIP_BROKEN, "entry %s is in another volume", name_shown(r, m->name));
	if (m->flags & FLAG_ENCRYPTED || m->flags & FLAG_STRONG)
		return refuse(r, ZIP_BROKEN, "entry %s is encrypted; remove the password and save the file again",
			      name_shown(r, m->name));
	if (m->method != METHOD_STORED && m->method != METHOD_DEFLATED)
		return refuse(r, ZIP_BROKEN, "entry %s is packed by method %u, neither stored nor deflated",
			      name_shown(r, m->name), m->method);
	if (*local > z->directory || packed > z->directory || (m->method == METHOD_STORED && packed != size))
		return refuse(r, ZIP_BROKEN, "entry %s is not where the directory says", name_shown(r, m->name));
	if (size > z->limits.entry)
		return refuse(r, ZIP_ENTRY, "entry %s has %llu bytes unpacked, where at most %zu are allowed",
			      name_shown(r, m->name), (unsigned long long)size, z->limits.entry);
	m->is_folder = m->name.at[m->name.len - 1] == '/';
	m->from = (uint32_t)*local;
	m->packed = (uint32_t)packed;
	m->size = (uint32_t)size;
	return true;
}

/* Length of the data descriptor after the packed bytes of an entry whose sizes were not known when it was begun. It may
 * have a signature or not, and sizes of 32 or 64 bits. 0: no form fits. */
static size_t descriptor_len(struct text b, size_t at, size_t end, const struct zip_member *m)
{
	static const struct {
		bool is_signed, is_wide;
	} forms[] = {{true, false}, {true, true}, {false, false}, {false, true}};

	for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
		size_t sign = forms[i].is_signed ? 4 : 0, len = sign + 4 + (forms[i].is_wide ? 16 : 8);
		if (end - at < len || (sign && get32(b, at) != SIGN_DESCRIPTOR) || get32(b, at + sign) != m->crc)
			continue;
		uint64_t packed = forms[i].is_wide ? get64(b, at + sign + 4) : get32(b, at + sign + 4);
		uint64_t size = forms[i].is_wide ? get64(b, at + sign + 12) : get32(b, at + sign + 8);
		if (packed == m->packed && size == m->size)
			return len;
	}
	return 0;
}

/* Checks that the local header agrees with the directory. */
static bool read_local(struct reader *r, struct zip_member *m)
{
	struct zip *z = r->zip;
	struct text b = z->bytes;
	size_t at = m->from;

	if (z->directory - at < LOCAL_LEN || get32(b, at) != SIGN_LOCAL)
		return refuse(r, ZIP_BROKEN, "entry %s is not where the directory says", name_shown(r, m->name));
	size_t name = get16(b, at + LOCAL_NAME), extra = get16(b, at + LOCAL_NAME + 2);
	if (z->directory - at - LOCAL_LEN < name + extra + m->packed)
		return refuse(r, ZIP_BROKEN, "entry %s reaches into the directory", name_shown(r, m->name));
	if (!text_same((struct text){b.at + at + LOCAL_LEN, name}, m->name))
		return refuse(r, ZIP_BROKEN, "entry %s has another name in its own header", name_shown(r, m->name));
	uint64_t packed = get32(b, at + LOCAL_PACKED), size = get32(b, at + LOCAL_PACKED + 4);
	struct text fields = {b.at + at + LOCAL_LEN + name, extra};
	bool is_streamed = get16(b, at + LOCAL_FLAGS) & FLAG_STREAMED;
	if (!read_extra64(fields, &size, &packed, NULL))
		return refuse(r, ZIP_BROKEN, "entry %s has a damaged extra field", name_shown(r, m->name));
	if (get16(b, at + LOCAL_METHOD) != m->method ||
	    ((get16(b, at + LOCAL_FLAGS) ^ m->flags) & (FLAG_ENCRYPTED | FLAG_STREAMED)) ||
	    (!is_streamed && (packed != m->packed || size != m->size || get32(b, at + LOCAL_CRC) != m->crc)))
		return refuse(r, ZIP_BROKEN, "entry %s has another size in its own header than in the directory",
			      name_shown(r, m->name));
	m->packed_from = (uint32_t)(at + LOCAL_LEN + name + extra);
	m->to = m->packed_from + m->packed;
	if (is_streamed) {
		size_t len = descriptor_len(b, m->to, z->directory, m);
		if (!len)
			return refuse(r, ZIP_BROKEN, "entry %s has no data descriptor behind it",
				      name_shown(r, m->name));
		m->to += (uint32_t)len;
	}
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct zip_member *const *one = a, *const *two = b;

	return ((*one)->from > (*two)->from) - ((*one)->from < (*two)->from);
}

/* No byte may belong to two entries: entries that share bytes could unpack one bomb many times. */
static bool entries_are_apart(struct reader *r)
{
	struct zip *z = r->zip;
	const struct zip_member **order = arena_array(r->arena, (size_t)z->n + 1, sizeof *order);

	for (uint32_t i = 0; i < z->n; i++)
		order[i] = &z->members[i];
	array_sort(order, z->n, sizeof *order, by_place);
	for (uint32_t i = 1; i < z->n; i++)
		if (order[i]->from < order[i - 1]->to)
			return refuse(r, ZIP_BROKEN, "entries %s and %s overlap", name_shown(r, order[i - 1]->name),
				      name_shown(r, order[i]->name));
	return true;
}

struct zip *zip_read(struct arena *a, struct text bytes, const struct zip_limits *limits, enum zip_fault *fault,
		     struct error *err)
{
	struct zip *z = arena_new(a, struct zip);
	struct reader r = {a, z, fault, err};
	struct directory d;

	*z = (struct zip){.bytes = bytes.at ? bytes : TEXT(""), .names = {.arena = a}, .limits = *limits};
	*fault = ZIP_FINE;
	if (bytes.len >= INT32_MAX) {
		refuse(&r, ZIP_TOTAL, "the archive is over 2 GB");
		return NULL;
	}
	if (!read_end(&r, &d))
		return NULL;
	z->n = (uint32_t)d.entries;
	z->members = arena_array(a, (size_t)z->n + 1, sizeof *z->members);
	size_t at = z->directory;
	for (uint32_t i = 0; i < z->n; i++) {
		uint64_t local;
		if (!read_row(&r, at, &z->members[i], &local, &at) || !read_local(&r, &z->members[i]) ||
		    !add_name(&r, i))
			return NULL;
	}
	if (at != z->end) {
		refuse(&r, ZIP_BROKEN, "the archive's central directory has more entries than its end says");
		return NULL;
	}
	return entries_are_apart(&r) ? z : NULL;
}

uint32_t zip_find(const struct zip *z, struct text name)
{
	char small[256];

	if (name.len > sizeof small)
		return ZIP_NONE;
	for (size_t i = 0; i < name.len; i++)
		small[i] = (char)(name.at[i] >= 'A' && name.at[i] <= 'Z' ? name.at[i] + 32 : name.at[i]);
	const uint32_t *found = map_find(&z->names, (struct text){small, name.len});
	return found ? *found : ZIP_NONE;
}

bool zip_unpack(struct arena *a, struct zip *z, uint32_t member, struct text *out, enum zip_fault *fault,
		struct error *err)
{
	const struct zip_member *m = &z->members[member];
	struct reader r = {a, z, fault, err};
	struct text packed = {z->bytes.at + m->packed_from, m->packed};

	if (m->size > z->limits.total - z->unpacked)
		return refuse(&r, ZIP_TOTAL, "the archive's parts have more than %zu bytes unpacked", z->limits.total);
	if (m->size > z->limits.ratio_from && m->size / z->limits.ratio >= m->packed)
		return refuse(&r, ZIP_RATIO, "entry %s unpacks to more than %u times its size, so it may be a zip bomb",
			      name_shown(&r, m->name), z->limits.ratio);
	/* The directory's size limits what is unpacked. A longer stream contradicts the directory. */
	char *to = arena_alloc(a, (size_t)m->size + 1);
	size_t len = m->size;
	enum inflated done = INFLATED_DONE;
	if (m->method == METHOD_STORED)
		memcpy(to, packed.at, len);
	else
		done = deflate_unpack(packed, to, m->size, &len);
	z->unpacked += len;
	if (done != INFLATED_DONE || len != m->size || deflate_crc((struct text){to, len}) != m->crc)
		return refuse(&r, ZIP_BROKEN, "entry %s is damaged: it does not unpack to what its header says",
			      name_shown(&r, m->name));
	to[len] = 0;
	*out = (struct text){to, len};
	return true;
}
