#include "base/sha1.h"

#include <string.h>

static uint32_t rolled(uint32_t x, int n) { return x << n | x >> (32 - n); }

#define ROUND(MIXED, CONSTANT)                                                                                         \
	do {                                                                                                           \
		uint32_t t = rolled(a, 5) + (MIXED) + e + (CONSTANT) + w[i];                                           \
		e = d, d = c, c = rolled(b, 30), b = a, a = t;                                                         \
	} while (0)

void sha1_block(uint32_t h[5], const unsigned char *p)
{
	uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 |
		       p[4 * i + 3];
	for (int i = 16; i < 80; i++)
		w[i] = rolled(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	/* Four loops with one function each, so that the compiler keeps everything in registers. */
	for (int i = 0; i < 20; i++)
		ROUND(d ^ (b & (c ^ d)), 0x5A827999);
	for (int i = 20; i < 40; i++)
		ROUND(b ^ c ^ d, 0x6ED9EBA1);
	for (int i = 40; i < 60; i++)
		ROUND((b & c) | (d & (b | c)), 0x8F1BBCDC);
	for (int i = 60; i < 80; i++)
		ROUND(b ^ c ^ d, 0xCA62C1D6);
	h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

void sha1(struct text bytes, unsigned char out[20])
{
	uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
	unsigned char tail[128] = {0};
	size_t whole = bytes.len / 64 * 64, rest = bytes.len - whole, pad = rest < 56 ? 64 : 128;
	void (*block)(uint32_t h[5], const unsigned char *p) = sha1_wide_is_here() ? sha1_wide_block : sha1_block;

	for (size_t i = 0; i < whole; i += 64)
		block(h, (const unsigned char *)bytes.at + i);
	if (rest)
		memcpy(tail, bytes.at + whole, rest);
	tail[rest] = 0x80;
	for (int i = 0; i < 8; i++)
		tail[pad - 1 - (size_t)i] = (unsigned char)((uint64_t)bytes.len * 8 >> 8 * i);
	for (size_t i = 0; i < pad; i += 64)
		block(h, tail + i);
	for (int i = 0; i < 20; i++)
		out[i] = (unsigned char)(h[i / 4] >> (24 - i % 4 * 8));
}
