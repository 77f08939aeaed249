#include "format/zip_write.h"

#include "format/deflate.h"

#include <assert.h>

/* Signatures and the fixed fields of the format (APPNOTE 4.3). */
enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50 };
enum { VERSION = 20, UTF8_NAMES = 1 << 11, STORED = 0, DEFLATED = 8, DAY_ONE = 1 << 5 | 1 };

static void put16(struct buffer *to, uint32_t n)
{
	buffer_byte(to, (char)(n & 0xff));
	buffer_byte(to, (char)(n >> 8 & 0xff));
}

static void put32(struct buffer *to, uint32_t n)
{
	put16(to, n & 0xffff);
	put16(to, n >> 16);
}

void zip_begin(struct zip_writer *z, struct arena *a) { *z = (struct zip_writer){.arena = a, .out = {.arena = a}}; }

/* The fields that local and central headers share, from the version needed to the length of the name. */
static void put_common(struct buffer *to, const struct zip_entry *e)
{
	put16(to, VERSION);
	put16(to, UTF8_NAMES);
	put16(to, e->is_deflated ? DEFLATED : STORED);
	put16(to, 0); /* midnight */
	put16(to, DAY_ONE);
	put32(to, e->crc);
	put32(to, e->packed);
	put32(to, e->size);
	put16(to, (uint32_t)e->name.len);
}

void zip_add(struct zip_writer *z, struct text name, struct text bytes, bool deflate)
{
	struct zip_entry e = {.name = name, .size = (uint32_t)bytes.len, .at = (uint32_t)z->out.len};
	struct text packed = deflate && bytes.len ? deflate_pack(z->arena, bytes) : (struct text){0};

	assert(bytes.len < UINT32_MAX && name.len < UINT16_MAX);
	e.crc = deflate_crc(bytes);
	e.is_deflated = packed.at;
	if (!packed.at)
		packed = bytes;
	e.packed = (uint32_t)packed.len;
	put32(&z->out, LOCAL);
	put_common(&z->out, &e);
	put16(&z->out, 0); /* no extra field: EPUB forbids one in its mimetype entry */
	buffer_add(&z->out, name);
	buffer_add(&z->out, packed);
	*ARRAY_PUSH(z->arena, &z->entries) = e;
}

struct text zip_end(struct zip_writer *z)
{
	uint32_t start = (uint32_t)z->out.len;

	for (size_t i = 0; i < z->entries.n; i++) {
		const struct zip_entry *e = &z->entries.items[i];
		put32(&z->out, CENTRAL);
		put16(&z->out, VERSION);
		put_common(&z->out, e);
		put16(&z->out, 0); /* extra */
		put16(&z->out, 0); /* comment */
		put16(&z->out, 0); /* disk */
		put16(&z->out, 0); /* internal attributes */
		put32(&z->out, 0); /* external attributes */
		put32(&z->out, e->at);
		buffer_add(&z->out, e->name);
	}
	uint32_t size = (uint32_t)z->out.len - start;
	put32(&z->out, END);
	put16(&z->out, 0);
	put16(&z->out, 0);
	put16(&z->out, (uint32_t)z->entries.n);
	put16(&z->out, (uint32_t)z->entries.n);
	put32(&z->out, size);
	put32(&z->out, start);
	put16(&z->out, 0);
	return buffer_text(&z->out);
}
