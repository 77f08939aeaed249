/* Walls by material: brick, concrete, stone, wood, insulation, glass.
 *
 * The material is guessed from a style's wall_texture, or else from its name. Lines have one phase for the whole sheet,
 * so that pieces that overlap at a corner show one hatching. Every pattern is cut to its rectangle here, so a canvas
 * does not have to clip. */
#include "kinds/floorplan/draw/sheet.h"

#include <ctype.h>

enum { HATCH_MOST = 1 << 20 }; /* maximum steps of a display list; further walls stay blank */

static const char *const names[MATERIALS] = {
	[MATERIAL_NONE] = "",       [MATERIAL_BRICK] = "brick", [MATERIAL_CONCRETE] = "concrete",
	[MATERIAL_STONE] = "stone", [MATERIAL_WOOD] = "wood",   [MATERIAL_INSULATION] = "insulation",
	[MATERIAL_GLASS] = "glass",
};

static const struct {
	const char *word;
	enum material material;
} material_words[] = {
	{"brick", MATERIAL_BRICK},        {"masonry", MATERIAL_BRICK},   {"block", MATERIAL_BRICK},
	{"concrete", MATERIAL_CONCRETE},  {"cement", MATERIAL_CONCRETE}, {"stone", MATERIAL_STONE},
	{"granite", MATERIAL_STONE},      {"marble", MATERIAL_STONE},    {"wood", MATERIAL_WOOD},
	{"timber", MATERIAL_WOOD},        {"oak", MATERIAL_WOOD},        {"pine", MATERIAL_WOOD},
	{"insulat", MATERIAL_INSULATION}, {"glass", MATERIAL_GLASS},
};

const char *material_name(enum material m) { return names[m]; }

/* Does a word of the text begin with this word? Ignores case. */
static bool holds(struct text t, const char *word)
{
	for (size_t at = 0; at < t.len; at++) {
		size_t i = 0;

		if (at && isalpha((unsigned char)t.at[at - 1]) && !isupper((unsigned char)t.at[at]))
			continue;
		while (word[i] && at + i < t.len && tolower((unsigned char)t.at[at + i]) == word[i])
			i++;
		if (!word[i])
			return true;
	}
	return false;
}

enum material material_of(const struct plan_style *style)
{
	for (int by = 0; by < 2; by++)
		for (size_t i = 0; i < ARRAY_COUNT(material_words); i++)
			if (holds(by ? style->name : style->wall_texture, material_words[i].word))
				return material_words[i].material;
	return MATERIAL_NONE;
}

/* Lines x + y = k * step (or x - y), within the frame. */
static void diagonals(struct sheet *s, struct frame f, double step, int slope)
{
	double low = slope > 0 ? f.left + f.top : f.left - f.bottom,
	       high = slope > 0 ? f.right + f.bottom : f.right - f.top;

	for (double k = ceil(low / step) * step; k <= high; k += step) {
		double from = slope > 0 ? fmax(f.left, k - f.bottom) : fmax(f.left, k + f.top);
		double to = slope > 0 ? fmin(f.right, k - f.top) : fmin(f.right, k + f.bottom);

		if (to - from < 0.01)
			continue;
		path_move(&s->list, from, slope > 0 ? k - from : from - k);
		path_line(&s->list, to, slope > 0 ? k - to : to - k);
	}
}

/* Lines along the longer side. */
static void grain(struct sheet *s, struct frame f, double step)
{
	bool level = f.right - f.left >= f.bottom - f.top;
	double low = level ? f.top : f.left, high = level ? f.bottom : f.right;

	for (double at = ceil(low / step) * step; at < high; at += step) {
		path_move(&s->list, level ? f.left : at, level ? at : f.top);
		path_line(&s->list, level ? f.right : at, level ? at : f.bottom);
	}
}

/* Short dashes on a grid, with every other row shifted. Every canvas can paint this stipple. */
static void stipple(struct sheet *s, struct frame f, double step)
{
	step = fmax(step, sqrt((f.right - f.left) * (f.bottom - f.top) / 20000));
	for (double y = ceil(f.top / step) * step; y < f.bottom; y += step)
		for (double x = ceil(f.left / step) * step + (fmod(round(y / step), 2) != 0 ? step / 2 : 0);
		     x < f.right - step / 5; x += step) {
			path_move(&s->list, x, y);
			path_line(&s->list, x + step / 5, y);
		}
}

/* A zigzag through the whole thickness, along the longer side. */
static void zigzag(struct sheet *s, struct frame f)
{
	bool level = f.right - f.left >= f.bottom - f.top;
	double from = level ? f.left : f.top, to = level ? f.right : f.bottom,
	       step = fmax(level ? f.bottom - f.top : f.right - f.left, 2) / 2;
	double low = level ? f.top : f.left, high = level ? f.bottom : f.right;

	for (int i = 0; from + i * step <= to; i++) {
		double u = from + i * step, v = i % 2 ? high : low;

		if (i)
			path_line(&s->list, level ? u : v, level ? v : u);
		else
			path_move(&s->list, level ? u : v, level ? v : u);
	}
}

void hatch_paint(struct sheet *s, enum layer layer, enum material m, struct frame f)
{
	double step = 6 * s->size;
	size_t open;

	path_frame(&s->list, f);
	path_paint(&s->list, layer, s->colours->paper, NO_PEN);
	s->materials |= 1u << m;
	open = s->list.steps.n;
	/* With thousands of very thick walls the lines would need more memory than the picture. */
	if (open > HATCH_MOST)
		return;
	switch (m) {
	case MATERIAL_BRICK: diagonals(s, f, step, 1); break;
	case MATERIAL_CONCRETE:
		stipple(s, f, step * 0.7);
		diagonals(s, f, step * 4, 1);
		break;
	case MATERIAL_STONE:
		diagonals(s, f, step * 1.5, 1);
		diagonals(s, f, step * 1.5, -1);
		break;
	case MATERIAL_WOOD: grain(s, f, step * 0.6); break;
	case MATERIAL_INSULATION: zigzag(s, f); break;
	case MATERIAL_GLASS: diagonals(s, f, step * 3, -1); break;
	case MATERIAL_NONE:
	case MATERIALS: break;
	}
	if (s->list.steps.n > open)
		path_paint(&s->list, layer, NO_COLOUR, sheet_pen(s, s->colours->ink, 0.8));
}
