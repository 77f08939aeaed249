/* solid.h: walls and slabs of one floor as bodies without inner faces.
 *
 * Blocks are upright boxes that may overlap: pieces of wall, the wall above a door, the slab below a room. The floor is
 * cut into bands along y at every edge of a block. A band is a row of spans along x, and each span has its filled
 * heights. Spans of a band, and intervals of a span, are in order and do not overlap. So there are no faces inside a
 * wall or slab. A walk over bands, spans and intervals goes from the far corner to the near one. If faces are painted
 * in that order, near ones correctly hide far ones.
 *
 * In plan units; heights above the floor's own level. */
#ifndef QUIRE_KINDS_FLOORPLAN_SOLID_H
#define QUIRE_KINDS_FLOORPLAN_SOLID_H
#include "base/array.h"
#include "kinds/floorplan/plan/plan.h"

enum solid_part { SOLID_SLAB, SOLID_WALL, SOLID_PARTS };

struct block {
	struct box at;
	double low, high;
	enum solid_part part; /* if two overlap, the later part is used */
};

struct filled {
	double low, high;
	enum solid_part part;
};

struct span {
	double from, to; /* x */
	size_t first, n; /* of the filled heights */
};

struct band {
	double from, to; /* y */
	size_t first, n; /* of the spans */
};

struct solid {
	ARRAY(struct band) bands;
	ARRAY(struct span) spans;
	ARRAY(struct filled) fills;
};

struct blocks {
	struct block *items;
	size_t n, cap;
};

void solid_make(struct arena *a, const struct blocks *blocks, struct solid *out);

/* The filled heights at a span; n is 0 if there are none. */
struct fills {
	const struct filled *items;
	size_t n;
};
static inline struct fills span_fills(const struct solid *s, const struct span *at)
{
	return at ? (struct fills){&s->fills.items[at->first], at->n} : (struct fills){NULL, 0};
}

/* Calls `put` for every interval of `of` that `by` does not cover, from below. With `by_part` only the same part
 * covers. */
void fills_bare(struct fills of, struct fills by, bool by_part,
		void put(void *, double low, double high, enum solid_part), void *to);

/* A quad of the surface, counter-clockwise as seen from outside, with x to the right, y upwards on the page and z
 * towards the viewer. `normal` is 0 for x, 1 for y, 2 for z; `up` is its direction. */
struct quad {
	int normal;
	bool up;
	double at;     /* on the axis of the normal */
	double u1, u2; /* x, or y for faces in direction x */
	double v1, v2; /* z, or y for faces in direction z */
	enum solid_part part;
};

/* Puts the surface of the walls and that of the slab. Each is closed. */
void solid_quads(const struct solid *s, void put(void *, const struct quad *), void *to);

#endif
