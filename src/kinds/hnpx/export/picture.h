/* picture.h: the kind and size of a cover picture, read from the head of a PNG or JPEG file. */
#ifndef QUIRE_KINDS_HNPX_EXPORT_PICTURE_H
#define QUIRE_KINDS_HNPX_EXPORT_PICTURE_H
#include "base/text.h"

struct picture {
	const char *mime;       /* NULL: neither PNG nor JPEG */
	uint32_t width, height; /* pixels; 0: the file is damaged */
};

struct picture picture_of(struct text bytes);

#endif
