/* deflate.h: raw deflate streams, and ZIP's checksum.
 *
 * Only this pair of files uses zlib. Unpacking counts the bytes that it produces; sizes in a header are never
 * trusted. */
#ifndef QUIRE_FORMAT_DEFLATE_H
#define QUIRE_FORMAT_DEFLATE_H
#include "base/text.h"

/* A raw deflate stream at level 6, or an absent text when it would not be shorter. */
struct text deflate_pack(struct arena *a, struct text bytes);
/* The same for bytes that are given in several pieces. */
struct text deflate_pieces(struct arena *a, const struct text *pieces, size_t n);
/* The same at level 1: for data that is written often and read rarely. */
struct text deflate_quick(struct arena *a, struct text bytes);

/* OVER: the result has more than `most` bytes; *len is the number seen. BROKEN: the stream is incomplete, or bytes
 * follow it. DONE: `to`, which has room for `most` bytes, contains *len bytes. */
enum inflated { INFLATED_DONE, INFLATED_OVER, INFLATED_BROKEN };
enum inflated deflate_unpack(struct text packed, char *to, size_t most, size_t *len);

uint32_t deflate_crc(struct text bytes);
uint32_t deflate_crc_pieces(const struct text *pieces, size_t n);

#endif
