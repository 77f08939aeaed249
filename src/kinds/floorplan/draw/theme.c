#include "kinds/floorplan/draw/theme.h"

#include "kinds/floorplan/plan/room_use.h"

#include <math.h>

/* clang-format off */
static const struct colours themes[] = {
	[THEME_DEFAULT] = {
		.paper = 0xFFFFFF, .ink = 0x1A1A1F, .wall = 0x3D4047, .fine = 0x54575F, .hair = 0x9A9DA5,
		.tints = {[TINT_OTHER] = 0xFAFAF8, [TINT_LIVING] = 0xFDF8F0, [TINT_WET] = 0xEBF4F8, [TINT_SLEEPING] = 0xF4F6EE,
		          [TINT_CIRCULATION] = 0xF5F5F6, [TINT_STORAGE] = 0xF3F0EC, [TINT_OUTDOORS] = 0xEFF7EA},
	},
	[THEME_DARK] = {
		.paper = 0x16181D, .ink = 0xE9ECF1, .wall = 0xB4BAC5, .fine = 0x9AA1AD, .hair = 0x6C737F,
		.tints = {[TINT_OTHER] = 0x20232A, [TINT_LIVING] = 0x2A2620, [TINT_WET] = 0x1C2931, [TINT_SLEEPING] = 0x222A22,
		          [TINT_CIRCULATION] = 0x25272C, [TINT_STORAGE] = 0x29272A, [TINT_OUTDOORS] = 0x1E2B20},
	},
	[THEME_BLUEPRINT] = {
		.paper = 0x1C4A86, .ink = 0xFFFFFF, .wall = 0xDCE8F7, .fine = 0xC3D6EE, .hair = 0x86A9D4,
		.tints = {[TINT_OTHER] = 0x20508F, [TINT_LIVING] = 0x245494, [TINT_WET] = 0x1F5A9A, [TINT_SLEEPING] = 0x22548D,
		          [TINT_CIRCULATION] = 0x1F4D89, [TINT_STORAGE] = 0x1E4A82, [TINT_OUTDOORS] = 0x205A8C},
	},
};
/* clang-format on */

const struct colours *colours_of(enum theme t) { return &themes[t]; }

static const enum tint tints_by_use[ROOM_USES] = {
	[USE_LIVING] = TINT_LIVING,   [USE_DINING] = TINT_LIVING,     [USE_WORK] = TINT_LIVING,
	[USE_ENTRANCE] = TINT_LIVING, [USE_KITCHEN] = TINT_WET,       [USE_BATH] = TINT_WET,
	[USE_LAUNDRY] = TINT_WET,     [USE_SLEEPING] = TINT_SLEEPING, [USE_CIRCULATION] = TINT_CIRCULATION,
	[USE_STORAGE] = TINT_STORAGE, [USE_GARAGE] = TINT_STORAGE,    [USE_OUTDOORS] = TINT_OUTDOORS,
};

enum tint tint_of(struct text name, struct text label) { return tints_by_use[room_use_of(name, label)]; }

/* Relative luminance as WCAG 2.1 defines it. */
static double luminance(uint32_t colour)
{
	static const double weights[] = {0.0722, 0.7152, 0.2126};
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double v = (colour >> 8 * i & 255) / 255.0;

		sum += weights[i] * (v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double colour_contrast(uint32_t a, uint32_t b)
{
	double l = luminance(a), r = luminance(b);

	return (fmax(l, r) + 0.05) / (fmin(l, r) + 0.05);
}

static uint32_t mix(uint32_t a, uint32_t b, double share)
{
	uint32_t out = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		double v = (a >> shift & 255) * (1 - share) + (b >> shift & 255) * share;

		out |= (uint32_t)(v + 0.5) << shift;
	}
	return out;
}

uint32_t text_colour(uint32_t fill, enum text_role role)
{
	static const int shares[] = {[TEXT_MAIN] = 0, [TEXT_SOFT] = 28, [TEXT_FAINT] = 42}; /* percent of the fill */
	uint32_t dark = 0x16171B, light = 0xFFFFFF;
	uint32_t ink = colour_contrast(fill, dark) >= colour_contrast(fill, light) ? dark : light;

	/* On a middle grey our near-black is not enough; black is. */
	if (colour_contrast(fill, ink) < 4.5)
		ink = ink == dark ? 0x000000 : light;
	for (int share = shares[role]; share > 0; share -= 4)
		if (colour_contrast(fill, mix(ink, fill, share / 100.0)) >= 4.6)
			return mix(ink, fill, share / 100.0);
	return ink;
}

uint32_t line_colour(uint32_t wanted, uint32_t fill)
{
	return colour_contrast(wanted, fill) >= 2.5 ? wanted : text_colour(fill, TEXT_SOFT);
}
