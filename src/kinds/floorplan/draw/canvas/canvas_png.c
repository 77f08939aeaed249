#include "kinds/floorplan/draw/canvas/canvas_png.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/lazy.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define PNG_FUNCTIONS(X)                                                                                                 \
	X(png_create_info_struct) X(png_create_write_struct) X(png_destroy_write_struct) X(png_get_io_ptr) X(png_set_IHDR) \
	X(png_set_PLTE) X(png_set_compression_level) X(png_set_filter) X(png_set_write_fn) X(png_write_end)              \
	X(png_write_info) X(png_write_row)

static struct { PNG_FUNCTIONS(LAZY_SLOT) } libpng;
/* clang-format on */
static const char *const png_names[] = {PNG_FUNCTIONS(LAZY_NAME) NULL};
static struct lazy png_library = LAZY("libpng16.so.16", "libpng16-16", png_names, &libpng);

bool png_load(struct call *c)
{
	if (!lazy_load(&png_library))
		return fail(c, FAULT_INTERNAL, "cannot draw: %s", png_library.error);
	return true;
}

/* A drawing has a few flat colours and their mixtures at edges. The 256 most frequent make the palette. Any other
 * mixture is replaced by the nearest one, if the difference is too small to see. If not, the file is RGB. */
enum { PALETTE = 256, PALETTE_SMALL = 24, SHADES_MAX = 1 << 14, SHADE_SLOTS = 1 << 15, SHADE_ERROR = 10 };

struct shade {
	uint32_t colour, count;
	uint16_t index;
};

struct shades {
	struct shade *items;
	size_t n;
	uint16_t *slots; /* number of the shade + 1, or 0 */
};

static uint16_t *shade_slot(const struct shades *s, uint32_t colour)
{
	size_t at = colour * 2654435761u >> 17;

	while (s->slots[at] && s->items[s->slots[at] - 1].colour != colour)
		at = (at + 1) % SHADE_SLOTS;
	return &s->slots[at];
}

/* Returns false if there are more colours than a drawing has. */
static bool shades_count(struct arena *a, const unsigned char *pixels, size_t stride, int width, int height,
			 struct shades *s)
{
	s->items = arena_array(a, SHADES_MAX, sizeof *s->items);
	s->slots = arena_array(a, SHADE_SLOTS, sizeof *s->slots);
	for (int y = 0; y < height; y++) {
		const uint32_t *row = (const uint32_t *)(const void *)(pixels + (size_t)y * stride);

		for (int x = 0, run; x < width; x += run) {
			uint32_t colour = row[x] & 0xFFFFFF;
			uint16_t *slot = shade_slot(s, colour);

			for (run = 1; x + run < width && row[x + run] == row[x]; run++)
				;
			if (!*slot) {
				if (s->n == SHADES_MAX)
					return false;
				s->items[s->n++] = (struct shade){.colour = colour};
				*slot = (uint16_t)s->n;
			}
			s->items[*slot - 1].count += (uint32_t)run;
		}
	}
	return true;
}

static int shade_order(const void *a, const void *b)
{
	const struct shade *l = a, *r = b;

	if (l->count != r->count)
		return l->count > r->count ? -1 : 1;
	return l->colour < r->colour ? -1 : l->colour > r->colour;
}

/* The largest difference of a channel. */
static int shade_distance(uint32_t a, uint32_t b)
{
	int most = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int d = abs((int)(a >> shift & 255) - (int)(b >> shift & 255));

		if (d > most)
			most = d;
	}
	return most;
}

/* Gives every shade an index in the palette of the first 256. Returns false if one has no colour near enough. */
static bool palette_make(struct shades *s, png_color *palette, int *colours)
{
	bool is_near = true;

	array_sort(s->items, s->n, sizeof *s->items, shade_order);
	*colours = s->n < PALETTE ? (int)s->n : PALETTE;
	for (int i = 0; i < *colours; i++) {
		uint32_t colour = s->items[i].colour;

		palette[i] = (png_color){(png_byte)(colour >> 16), (png_byte)(colour >> 8), (png_byte)colour};
		s->items[i].index = (uint16_t)i;
	}
	for (size_t i = PALETTE; i < s->n; i++) {
		int best = 256;

		for (uint16_t k = 0; k < PALETTE && best > 1; k++) {
			int d = shade_distance(s->items[i].colour, s->items[k].colour);

			if (d < best) {
				best = d;
				s->items[i].index = k;
			}
		}
		is_near &= best <= SHADE_ERROR;
	}
	memset(s->slots, 0, SHADE_SLOTS * sizeof *s->slots);
	for (size_t i = 0; i < s->n; i++)
		*shade_slot(s, s->items[i].colour) = (uint16_t)(i + 1);
	return is_near;
}

static void line_index(unsigned char *line, const uint32_t *row, int width, const struct shades *s)
{
	uint32_t last = UINT32_MAX;
	unsigned char index = 0;

	for (int x = 0; x < width; x++) {
		uint32_t colour = row[x] & 0xFFFFFF;

		if (colour != last)
			index = (unsigned char)s->items[*shade_slot(s, last = colour) - 1].index;
		line[x] = index;
	}
}

static void line_colour(unsigned char *line, const uint32_t *row, int width)
{
	for (int x = 0; x < width; x++) {
		*line++ = (unsigned char)(row[x] >> 16);
		*line++ = (unsigned char)(row[x] >> 8);
		*line++ = (unsigned char)row[x];
	}
}

_Noreturn static void png_failed(png_structp png, png_const_charp message)
{
	(void)png;
	/* Writing to memory fails only if memory is exhausted or the calls are wrong. */
	arena_die(message);
}

static void png_note(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static void png_keep(png_structp png, png_bytep bytes, size_t n)
{
	buffer_add(libpng.png_get_io_ptr(png), (struct text){(const char *)bytes, n});
}

static void png_flushed(png_structp png) { (void)png; }

/* Gives every shade the nearest of the most frequent few. Lines stay sharp, and edges are a little rougher. */
static void palette_reduce(struct shades *s, int *colours)
{
	*colours = s->n < PALETTE_SMALL ? (int)s->n : PALETTE_SMALL;
	for (size_t i = 0; i < s->n; i++) {
		int best = 256;

		for (uint16_t k = 0; k < *colours && best > 0; k++) {
			int d = shade_distance(s->items[i].colour, s->items[k].colour);

			if (d < best) {
				best = d;
				s->items[i].index = k;
			}
		}
	}
}

/* `shades` NULL: not indexed. */
static struct text encode(struct arena *a, const unsigned char *pixels, size_t stride, int width, int height,
			  const struct shades *shades, const png_color *palette, int colours)
{
	struct buffer out = {.arena = a};
	unsigned char *line = arena_alloc(a, (size_t)width * 3);
	png_structp png = libpng.png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_failed, png_note);
	png_infop header = libpng.png_create_info_struct(png);

	buffer_room(&out, (size_t)width * (size_t)height / 8);
	libpng.png_set_write_fn(png, &out, png_keep, png_flushed);
	libpng.png_set_compression_level(png, 6);
	libpng.png_set_filter(png, 0, PNG_FILTER_NONE);
	libpng.png_set_IHDR(png, header, (png_uint_32)width, (png_uint_32)height, 8,
			    shades ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
			    PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (shades)
		libpng.png_set_PLTE(png, header, palette, colours);
	libpng.png_write_info(png, header);
	for (int y = 0; y < height; y++) {
		const uint32_t *row = (const uint32_t *)(const void *)(pixels + (size_t)y * stride);

		if (shades)
			line_index(line, row, width, shades);
		else
			line_colour(line, row, width);
		libpng.png_write_row(png, line);
	}
	libpng.png_write_end(png, NULL);
	libpng.png_destroy_write_struct(&png, &header);
	return buffer_text(&out);
}

struct text png_encode(struct arena *a, const unsigned char *pixels, size_t stride, int width, int height, size_t most)
{
	struct shades shades = {0};
	png_color palette[PALETTE];
	int colours = 0;
	bool counted = shades_count(a, pixels, stride, width, height, &shades);
	bool indexed = counted && palette_make(&shades, palette, &colours);
	struct text out = encode(a, pixels, stride, width, height, indexed ? &shades : NULL, palette, colours);

	if (!most || out.len <= most || !counted)
		return out;
	palette_reduce(&shades, &colours);
	return encode(a, pixels, stride, width, height, &shades, palette, colours);
}
