#include "kinds/hnpx/export/picture.h"

static uint32_t byte_at(struct text t, size_t at) { return (unsigned char)t.at[at]; }

static uint32_t big_endian(struct text t, size_t at, size_t n)
{
	uint32_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | byte_at(t, at + i);
	return value;
}

/* The size is in the header of the first frame, after any number of other segments. */
static void jpeg_size(struct text t, struct picture *p)
{
	for (size_t at = 2; at + 9 <= t.len && byte_at(t, at) == 0xff;) {
		uint32_t marker = byte_at(t, at + 1);
		bool is_frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
		if (is_frame) {
			p->height = big_endian(t, at + 5, 2);
			p->width = big_endian(t, at + 7, 2);
			return;
		}
		if (marker == 0xda) /* start of the pixels */
			return;
		if (marker == 0xff)
			at++; /* fill byte */
		else
			at += 2 + big_endian(t, at + 2, 2);
	}
}

struct picture picture_of(struct text t)
{
	struct picture p = {0};

	if (text_starts(t, "\x89PNG\r\n\x1a\n")) {
		p.mime = "image/png";
		if (t.len >= 24) {
			p.width = big_endian(t, 16, 4);
			p.height = big_endian(t, 20, 4);
		}
	} else if (text_starts(t, "\xff\xd8\xff")) {
		p.mime = "image/jpeg";
		jpeg_size(t, &p);
	}
	if (!p.width || !p.height)
		p.width = p.height = 0;
	return p;
}
