#include "kinds/floorplan/draw/theme.h"

#include "base/array.h"

#include <ctype.h>
#include <math.h>

/* clang-format off */
static const struct colours themes[] = {
	[THEME_DEFAULT] = {
		.paper = 0xFFFFFF, .ink = 0x1A1A1F, .wall = 0x3D4047, .fine = 0x54575F, .hair = 0x9A9DA5,
		.tints = {[USE_OTHER] = 0xFAFAF8, [USE_LIVING] = 0xFDF8F0, [USE_WET] = 0xEBF4F8, [USE_SLEEPING] = 0xF4F6EE,
		          [USE_CIRCULATION] = 0xF5F5F6, [USE_STORAGE] = 0xF3F0EC, [USE_OUTDOORS] = 0xEFF7EA},
	},
	[THEME_DARK] = {
		.paper = 0x16181D, .ink = 0xE9ECF1, .wall = 0xB4BAC5, .fine = 0x9AA1AD, .hair = 0x6C737F,
		.tints = {[USE_OTHER] = 0x20232A, [USE_LIVING] = 0x2A2620, [USE_WET] = 0x1C2931, [USE_SLEEPING] = 0x222A22,
		          [USE_CIRCULATION] = 0x25272C, [USE_STORAGE] = 0x29272A, [USE_OUTDOORS] = 0x1E2B20},
	},
	[THEME_BLUEPRINT] = {
		.paper = 0x1C4A86, .ink = 0xFFFFFF, .wall = 0xDCE8F7, .fine = 0xC3D6EE, .hair = 0x86A9D4,
		.tints = {[USE_OTHER] = 0x20508F, [USE_LIVING] = 0x245494, [USE_WET] = 0x1F5A9A, [USE_SLEEPING] = 0x22548D,
		          [USE_CIRCULATION] = 0x1F4D89, [USE_STORAGE] = 0x1E4A82, [USE_OUTDOORS] = 0x205A8C},
	},
};
/* clang-format on */

const struct colours *colours_of(enum theme t) { return &themes[t]; }

/* Beginnings of words; the last word of a name that begins so decides, as the noun comes last. */
static const struct use_word {
	const char *begins;
	enum room_use use;
} use_words[] = {
	{"bath", USE_WET},
	{"wc", USE_WET},
	{"toilet", USE_WET},
	{"shower", USE_WET},
	{"ensuite", USE_WET},
	{"suite", USE_SLEEPING},
	{"laundry", USE_WET},
	{"kitchen", USE_WET},
	{"powder", USE_WET},
	{"wash", USE_WET},
	{"lavatory", USE_WET},
	{"restroom", USE_WET},
	{"spa", USE_WET},
	{"pool", USE_WET},
	{"pantry", USE_STORAGE},
	{"bed", USE_SLEEPING},
	{"parent", USE_SLEEPING},
	{"child", USE_SLEEPING},
	{"kid", USE_SLEEPING},
	{"master", USE_SLEEPING},
	{"nursery", USE_SLEEPING},
	{"guest", USE_SLEEPING},
	{"sleep", USE_SLEEPING},
	{"hall", USE_CIRCULATION},
	{"corridor", USE_CIRCULATION},
	{"stair", USE_CIRCULATION},
	{"lobby", USE_CIRCULATION},
	{"passage", USE_CIRCULATION},
	{"landing", USE_CIRCULATION},
	{"vestibule", USE_CIRCULATION},
	{"lift", USE_CIRCULATION},
	{"elevator", USE_CIRCULATION},
	{"circulation", USE_CIRCULATION},
	{"core", USE_CIRCULATION},
	{"foyer", USE_LIVING},
	{"entr", USE_LIVING},
	{"living", USE_LIVING},
	{"lounge", USE_LIVING},
	{"dining", USE_LIVING},
	{"family", USE_LIVING},
	{"study", USE_LIVING},
	{"office", USE_LIVING},
	{"library", USE_LIVING},
	{"sitting", USE_LIVING},
	{"den", USE_LIVING},
	{"salon", USE_LIVING},
	{"studio", USE_LIVING},
	{"great", USE_LIVING},
	{"media", USE_LIVING},
	{"parlo", USE_LIVING},
	{"meeting", USE_LIVING},
	{"reception", USE_LIVING},
	{"closet", USE_STORAGE},
	{"stor", USE_STORAGE},
	{"utility", USE_STORAGE},
	{"garage", USE_STORAGE},
	{"wardrobe", USE_STORAGE},
	{"mechanical", USE_STORAGE},
	{"linen", USE_STORAGE},
	{"wic", USE_STORAGE},
	{"attic", USE_STORAGE},
	{"cellar", USE_STORAGE},
	{"balcony", USE_OUTDOORS},
	{"terrace", USE_OUTDOORS},
	{"patio", USE_OUTDOORS},
	{"garden", USE_OUTDOORS},
	{"deck", USE_OUTDOORS},
	{"porch", USE_OUTDOORS},
	{"yard", USE_OUTDOORS},
	{"courtyard", USE_OUTDOORS},
	{"roof", USE_OUTDOORS},
	{"veranda", USE_OUTDOORS},
};

static bool begins(struct text t, const char *with)
{
	size_t i = 0;

	for (; with[i]; i++)
		if (i >= t.len || tolower((unsigned char)t.at[i]) != with[i])
			return false;
	return true;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static enum room_use use_in(struct text t)
{
	enum room_use use = USE_OTHER;

	for (size_t at = 0; at < t.len; at++) {
		/* A word begins behind what is no letter, and where small letters end: MasterBath. */
		bool starts = is_letter(t.at[at]) &&
			      (!at || !is_letter(t.at[at - 1]) ||
			       (isupper((unsigned char)t.at[at]) && islower((unsigned char)t.at[at - 1])));

		for (size_t i = 0; starts && i < ARRAY_COUNT(use_words); i++)
			if (begins(text_slice(t, at, t.len), use_words[i].begins)) {
				use = use_words[i].use;
				break;
			}
	}
	return use;
}

enum room_use room_use_of(struct text name, struct text label)
{
	enum room_use use = use_in(label);

	return use == USE_OTHER ? use_in(name) : use;
}

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
