/* zip_write.h: a ZIP archive made in memory, entry by entry, in the order given.
 *
 * The same entries give the same bytes: times are fixed (1980-01-01), and nothing depends on the system. Names are
 * UTF-8. An entry is stored or deflated; one that would not shrink is stored. Sizes stay below 4 GB, so the classic
 * format suffices. */
#ifndef QUIRE_FORMAT_ZIP_WRITE_H
#define QUIRE_FORMAT_ZIP_WRITE_H
#include "base/array.h"
#include "base/buffer.h"

struct zip_entry {
	struct text name;
	uint32_t crc, size, packed, at;
	bool is_deflated;
};

struct zip_writer {
	struct arena *arena;
	struct buffer out; /* uses the writer's arena */
	ARRAY(struct zip_entry) entries;
};

void zip_begin(struct zip_writer *z, struct arena *a);
void zip_add(struct zip_writer *z, struct text name, struct text bytes, bool deflate);
struct text zip_end(struct zip_writer *z); /* the whole archive */

#endif
