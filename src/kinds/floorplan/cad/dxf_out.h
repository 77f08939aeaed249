/* dxf_out.h: a DXF file, as R12 or as 2000.
 *
 * DXF is pairs of lines, a group code and a value. The two versions differ in the frame (2000 wants handles, owners,
 * subclass marks and more tables) and in polylines; the functions below hide that. Blocks are made first, then the
 * entities, then the file is put together:
 *
 *	dxf_block_begin(d, "DOOR_900"); dxf_line(...); dxf_block_end(d);
 *	dxf_line(d, "WALLS", ...);
 *	dxf_finish(d, &bytes);
 *
 * y points upwards here, as CAD programs have it: the caller turns the plan over. */
#ifndef QUIRE_KINDS_FLOORPLAN_DXF_OUT_H
#define QUIRE_KINDS_FLOORPLAN_DXF_OUT_H
#include "base/array.h"
#include "base/buffer.h"
#include "kinds/floorplan/plan/plan.h"

struct dxf_layer {
	const char *name;
	int colour; /* of AutoCAD's index */
};

struct dxf_block {
	const char *name;
	unsigned record, begin, end; /* handles */
	struct text entities;
};

struct dxf {
	struct arena *arena;
	enum dxf_version version;
	enum unit unit;
	const struct dxf_layer *layers; /* ended by one without a name */
	struct buffer entities;         /* of the model */
	struct buffer *to;              /* where entities go now: the model, or a block */
	struct buffer block;
	ARRAY(struct dxf_block) blocks;
	unsigned handle, owner;
	double left, bottom, right, top; /* around all points of the model */
};

enum dxf_anchor { DXF_LEFT, DXF_MIDDLE };

void dxf_open(struct dxf *d, struct arena *a, enum dxf_version version, enum unit unit, const struct dxf_layer *layers);

void dxf_block_begin(struct dxf *d, const char *name); /* the name lives as long as the arena */
void dxf_block_end(struct dxf *d);

void dxf_line(struct dxf *d, const char *layer, bool dashed, struct point a, struct point b);
void dxf_polyline(struct dxf *d, const char *layer, const struct point *points, size_t n, bool closed);
/* Counter-clockwise, degrees. */
void dxf_arc(struct dxf *d, const char *layer, struct point centre, double radius, double from, double to);
void dxf_insert(struct dxf *d, const char *layer, const char *block, struct point at, double scale, bool mirrored,
		double degrees);
/* Any UTF-8; DXF_MIDDLE stands around the point both ways. */
void dxf_text(struct dxf *d, const char *layer, struct text wording, struct point at, double height, double degrees,
	      enum dxf_anchor anchor);

struct text dxf_finish(struct dxf *d);

#endif
