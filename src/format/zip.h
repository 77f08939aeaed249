/* zip.h: a ZIP archive as a table of spans, and its edits as splices.
 *
 * The central directory is read; every entry has the positions of its local header, its packed bytes and its row in the
 * directory. Entries are unpacked on demand only. A changed archive is a list of splices on the same bytes: new bytes
 * for changed entries, a new directory, and everything else exactly as it was.
 *
 * Refused, so that no two readers can see different archives in the same bytes: more than one disk, encryption, methods
 * other than stored and deflated, entries that overlap, local headers that contradict the directory, two entries of one
 * name (in any case of letters), names that lead out of a folder, bytes before the first entry of an archive that
 * declares none. Sizes are checked against the bytes that are really unpacked. */
#ifndef QUIRE_FORMAT_ZIP_H
#define QUIRE_FORMAT_ZIP_H
#include "base/error.h"
#include "base/map.h"
#include "format/splice.h"

enum { ZIP_NONE = UINT32_MAX };

struct zip_limits {
	uint32_t entries;
	size_t entry;   /* bytes of one entry, unpacked */
	size_t total;   /* bytes of all unpacked entries */
	unsigned ratio; /* unpacked to packed, checked only above `ratio_from` bytes: small texts may repeat a lot */
	size_t ratio_from;
};

struct zip_member {
	struct text name;      /* as written */
	uint32_t from, to;     /* local header, packed bytes and data descriptor */
	uint32_t packed_from;  /* packed bytes */
	uint32_t packed, size; /* lengths, as the directory says */
	uint32_t crc;
	uint32_t row, row_len; /* its row in the directory */
	uint16_t method, flags;
	bool is_folder;
};

struct zip {
	struct text bytes;
	struct zip_member *members; /* in the directory's order */
	uint32_t n;
	struct map names;        /* lower-case ASCII names to indices */
	uint32_t directory, end; /* where the directory begins, where the record of its end begins (zip64's, if any) */
	uint32_t end_record;     /* the classic record */
	uint32_t behind;         /* bytes after the archive, which belong to no part of it */
	bool is_zip64;
	struct zip_limits limits;
	size_t unpacked; /* so far; limited by limits.total */
};

/* The reason why an archive is refused. */
enum zip_fault { ZIP_FINE, ZIP_BROKEN, ZIP_ENTRIES, ZIP_ENTRY, ZIP_TOTAL, ZIP_RATIO };

/* NULL: *fault and the error's message say why. The bytes are borrowed and must outlive the result. */
struct zip *zip_read(struct arena *a, struct text bytes, const struct zip_limits *limits, enum zip_fault *fault,
		     struct error *err);

/* Finds an entry by name, ignoring ASCII case; ZIP_NONE: not found. */
uint32_t zip_find(const struct zip *z, struct text name);

/* Unpacks one entry into the arena, with a NUL after it, and checks its size and checksum. */
bool zip_unpack(struct arena *a, struct zip *z, uint32_t member, struct text *out, enum zip_fault *fault,
		struct error *err);

/* A change: new bytes for a member (an absent text removes it), or a new entry with that name (member ZIP_NONE), which
 * is added after all others. The bytes of a large member may be given in pieces, so that they need not be joined. */
struct zip_change {
	uint32_t member;
	struct text name;
	struct text bytes;
	struct pieces pieces; /* instead of `bytes`; n = 0: none */
};

/* The splices on z->bytes that make the changes. Entries keep their order and times; changed ones are deflated. */
struct splice *zip_splices(struct arena *a, const struct zip *z, const struct zip_change *changes, size_t n,
			   size_t *splices);

#endif
