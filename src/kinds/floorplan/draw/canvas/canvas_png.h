/* canvas_png.h: pixels as PNG.
 *
 * Pixels are 0xRRGGBB words, the top byte unused, rows `stride` bytes apart. The file has a palette if the difference
 * cannot be seen, or else plain RGB. Compression is level 6 without filters, which for drawings is smaller and faster
 * than with filters. */
#ifndef QUIRE_FLOORPLAN_CANVAS_PNG_H
#define QUIRE_FLOORPLAN_CANVAS_PNG_H
#include "base/call.h"

bool png_load(struct call *c); /* false: libpng is missing */
struct text png_encode(struct arena *a, const unsigned char *pixels, size_t stride, int width, int height,
		       size_t most); /* tries to keep within so many bytes by fewer colours; 0: any number */

#endif
