#include "base/sha1.h"

#include <string.h>

static uint32_t rolled(uint32_t x, int n) { return x << n | x >> (32 - n); }

static void block(uint32_t h[5], const unsigned char *p)
{
	uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 |
		       p[4 * i + 3];
	for (int i = 16; i < 80; i++)
		w[i] = rolled(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (int i = 0; i < 80; i++) {
		uint32_t f = i < 20   ? (b & c) | (~b & d)
			     : i < 40 ? b ^ c ^ d
			     : i < 60 ? (b & c) | (b & d) | (c & d)
				      : b ^ c ^ d;
		uint32_t k = i < 20 ? 0x5A827999 : i < 40 ? 0x6ED9EBA1 : i < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
		uint32_t t = rolled(a, 5) + f + e + k + w[i];
		e = d, d = c, c = rolled(b, 30), b = a, a = t;
	}
	h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

void sha1(struct text bytes, unsigned char out[20])
{
	uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
	unsigned char tail[128] = {0};
	size_t whole = bytes.len / 64 * 64, rest = bytes.len - whole, pad = rest < 56 ? 64 : 128;

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
