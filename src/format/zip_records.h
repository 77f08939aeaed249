/* zip_records.h: fields of the ZIP format's records (APPNOTE 4.3), for zip.c and its siblings. */
#ifndef QUIRE_FORMAT_ZIP_RECORDS_H
#define QUIRE_FORMAT_ZIP_RECORDS_H
#include "base/buffer.h"

enum {
	SIGN_LOCAL = 0x04034b50,
	SIGN_CENTRAL = 0x02014b50,
	SIGN_END = 0x06054b50,
	SIGN_END64 = 0x06064b50,
	SIGN_LOCATOR = 0x07064b50,
	SIGN_DESCRIPTOR = 0x08074b50
};
/* clang-format off */
enum { LOCAL_LEN = 30, LOCAL_FLAGS = 6, LOCAL_METHOD = 8, LOCAL_CRC = 14, LOCAL_PACKED = 18, LOCAL_NAME = 26 };
enum { CENTRAL_LEN = 46, CENTRAL_FLAGS = 8, CENTRAL_METHOD = 10, CENTRAL_TIME = 12, CENTRAL_CRC = 16,
       CENTRAL_PACKED = 20, CENTRAL_NAME = 28, CENTRAL_DISK = 34, CENTRAL_OFFSET = 42 };
enum { END_LEN = 22, END_DISK = 4, END_ENTRIES = 10, END_SIZE = 12, END_OFFSET = 16, END_COMMENT = 20 };
enum { END64_LEN = 56, END64_DISK = 16, END64_ENTRIES = 32, END64_SIZE = 40, END64_OFFSET = 48 };
enum { LOCATOR_LEN = 20, LOCATOR_OFFSET = 8 };
enum { FLAG_ENCRYPTED = 1, FLAG_LEVEL = 6, FLAG_STREAMED = 8, FLAG_STRONG = 1 << 6, FLAG_UTF8 = 1 << 11 };
enum { METHOD_STORED = 0, METHOD_DEFLATED = 8, EXTRA_ZIP64 = 1 };
/* clang-format on */

static inline uint32_t get16(struct text b, size_t at)
{
	return (uint32_t)(unsigned char)b.at[at] | (uint32_t)(unsigned char)b.at[at + 1] << 8;
}

static inline uint32_t get32(struct text b, size_t at) { return get16(b, at) | get16(b, at + 2) << 16; }

static inline uint64_t get64(struct text b, size_t at) { return get32(b, at) | (uint64_t)get32(b, at + 4) << 32; }

static inline void set16(char *to, uint32_t n)
{
	to[0] = (char)(n & 0xff);
	to[1] = (char)(n >> 8 & 0xff);
}

static inline void set32(char *to, uint32_t n)
{
	set16(to, n & 0xffff);
	set16(to + 2, n >> 16);
}

static inline void set64(char *to, uint64_t n)
{
	set32(to, (uint32_t)n);
	set32(to + 4, (uint32_t)(n >> 32));
}

#endif
