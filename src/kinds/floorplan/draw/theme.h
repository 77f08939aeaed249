/* theme.h: the colours of a drawing.
 *
 * A theme is a row of colours. Text on any fill has a contrast of at least 4.5 : 1 (WCAG 2.1, 1.4.3), with every colour
 * of a plan's style: text_colour() chooses the text's colour by the fill. */
#ifndef QUIRE_FLOORPLAN_THEME_H
#define QUIRE_FLOORPLAN_THEME_H
#include "base/text.h"
#include "kinds/floorplan/language/words.h"

#include <stdint.h>

/* A room without a style is tinted by its use (plan/room_use.h). */
enum tint { TINT_OTHER, TINT_LIVING, TINT_WET, TINT_SLEEPING, TINT_CIRCULATION, TINT_STORAGE, TINT_OUTDOORS, TINTS };

struct colours {
	uint32_t paper;
	uint32_t ink;  /* outlines of walls, frames, leaves */
	uint32_t wall; /* their fill */
	uint32_t fine; /* arcs, treads, dimension lines */
	uint32_t hair; /* thresholds, open edges: visible, but not like walls */
	uint32_t tints[TINTS];
};

enum text_role { TEXT_MAIN, TEXT_SOFT, TEXT_FAINT };

const struct colours *colours_of(enum theme t);
enum tint tint_of(struct text name, struct text label);
uint32_t text_colour(uint32_t fill, enum text_role role);
/* The wanted colour if a line in it is visible on the fill, or else a visible colour. */
uint32_t line_colour(uint32_t wanted, uint32_t fill);
double colour_contrast(uint32_t a, uint32_t b);

#endif
