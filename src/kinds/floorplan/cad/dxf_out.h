/* dxf_out.h: a DXF file of version 2000.
 *
 * DXF is pairs of lines, a group code and a value, with handles, owners and subclass marks. The functions below hide
 * that. Make blocks first, then entities, then the file:
 *
 *	dxf_block_begin(d, "DOOR_900"); dxf_line(...); dxf_block_end(d);
 *	dxf_line(d, "WALLS", ...);
 *	dxf_finish(d, &bytes);
 *
 * y points upwards here, as in CAD programs. The caller reverses the plan's y. */
#ifndef QUIRE_KINDS_FLOORPLAN_DXF_OUT_H
#define QUIRE_KINDS_FLOORPLAN_DXF_OUT_H
#include "base/array.h"
#include "base/buffer.h"
#include "kinds/floorplan/plan/plan.h"

struct dxf_layer {
	const char *name;
	int colour; /* AutoCAD colour index */
};

struct dxf_block {
	const char *name;
	unsigned record, begin, end; /* handles */
	struct text entities;
};

struct dxf {
	struct arena *arena;
	enum unit unit;
	const struct dxf_layer *layers; /* ended by one without a name */
	struct buffer entities;         /* of the model */
	struct buffer *to;              /* receives new entities: the model, or a block */
	struct buffer block;
	ARRAY(struct dxf_block) blocks;
	unsigned handle, owner;
	double left, bottom, right, top; /* bounds of all points of the model */
};

enum dxf_anchor { DXF_LEFT, DXF_MIDDLE };

void dxf_open(struct dxf *d, struct arena *a, enum unit unit, const struct dxf_layer *layers);

void dxf_block_begin(struct dxf *d, const char *name); /* the name lives as long as the arena */
void dxf_block_end(struct dxf *d);

void dxf_line(struct dxf *d, const char *layer, bool dashed, struct point a, struct point b);
void dxf_polyline(struct dxf *d, const char *layer, const struct point *points, size_t n, bool closed);
/* Counter-clockwise, degrees. */
void dxf_arc(struct dxf *d, const char *layer, struct point centre, double radius, double from, double to);
void dxf_insert(struct dxf *d, const char *layer, const char *block, struct point at, double scale, bool mirrored,
		double degrees);
/* Accepts any UTF-8. With DXF_MIDDLE the text is centred on the point in both directions. */
void dxf_text(struct dxf *d, const char *layer, struct text wording, struct point at, double height, double degrees,
	      enum dxf_anchor anchor);

struct text dxf_finish(struct dxf *d);

#endif
