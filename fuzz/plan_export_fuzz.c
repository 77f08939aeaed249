/* Any bytes as a plan. A valid plan is critiqued and written in every data format. Findings have positions in the text;
 * a DXF file is ASCII pairs of lines with the right end; a GLB file has the length in its header; a schedule has
 * complete rows. Areas are within each other. */
#include "must.h"
#include "kinds/floorplan/cad/dxf.h"
#include "kinds/floorplan/cad/schedule.h"
#include "kinds/floorplan/critic/critic.h"
#include "kinds/floorplan/plan/wall_graph.h"
#include "kinds/floorplan/model/axonometric.h"
#include "kinds/floorplan/model/glb.h"
#include "kinds/floorplan/plan/cover.h"
#include "kinds/floorplan/plan/outline.h"

#include <math.h>
#include <string.h>

static void check_dxf(struct text t)
{
	size_t lines = 0;

	for (size_t i = 0; i < t.len; i++) {
		lines += t.at[i] == '\n';
		MUST(t.at[i] == '\n' || (t.at[i] >= 32 && t.at[i] < 127));
	}
	MUST(lines % 2 == 0 && t.len > 10 && !memcmp(t.at + t.len - 8, "  0\nEOF\n", 8));
}

static uint32_t u32(const char *at)
{
	const unsigned char *b = (const unsigned char *)at;

	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void check_glb(struct text t)
{
	MUST(t.len >= 20 && !memcmp(t.at, "glTF", 4) && u32(t.at + 4) == 2 && u32(t.at + 8) == t.len);
	size_t json = u32(t.at + 12);

	MUST(json % 4 == 0 && 20 + json <= t.len);
	if (20 + json < t.len)
		MUST(28 + json + u32(t.at + 20 + json) == t.len);
}

/* The outline is loops of horizontal and vertical edges, around the same area that the walls cover. */
static void check_outline(struct arena *a, const struct plan *p, const struct wall_graph *g)
{
	struct box *boxes = arena_array(a, g->pieces.n + 1, sizeof *boxes);
	double touch = 1e-6 * p->metre, area = 0, around = 0;
	struct outline outline;

	for (size_t i = 0; i < g->pieces.n; i++)
		boxes[i] = piece_box(p, &g->pieces.items[i]);
	boxes_outline(a, boxes, g->pieces.n, touch, &outline);
	for (size_t i = 0; i < outline.n; i++) {
		const struct outline_loop *l = &outline.items[i];

		MUST(l->n >= 4 && l->n % 2 == 0);
		for (size_t k = 0; k < l->n; k++) {
			struct point from = l->points[k], to = l->points[(k + 1) % l->n];

			MUST((from.x == to.x) != (from.y == to.y));
			/* Relative to the first corner, because coordinates may be far from 0. */
			area += (from.x - boxes[0].x) * (to.y - from.y);
			around += fabs(to.x - from.x) + fabs(to.y - from.y);
		}
	}
	MUST(fabs(fabs(area) - boxes_cover(a, boxes, g->pieces.n)) <= 4 * touch * around + 1e-6 * (1 + fabs(area)));
}

static void check_areas(struct arena *a, const struct plan *p, int floor)
{
	struct wall_graph walls;

	wall_graph_make(a, p, floor, &walls);
	check_outline(a, p, &walls);
	struct floor_areas areas = floor_areas(a, p, floor, &walls);
	double slack = 1e-6 * (1 + areas.gross);

	MUST(areas.net >= -slack && areas.net <= areas.gross + slack && isfinite(areas.gross));
	for (size_t i = floor_rooms(p, floor); i < floor_rooms(p, floor + 1); i++) {
		const struct plan_room *r = &p->rooms.items[i];
		double net = r->placed && r->floor == floor ? room_net_area(p, &walls, (int)i) : 0;

		MUST(net >= 0 && net <= r->box.width * r->box.height + slack);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct draw_options o = DRAW_DEFAULTS;
	struct drawing d;

	if (n > 20000)
		return 0;
	const struct plan *p = plan_read(&a, (struct text){(const char *)bytes, n});

	if (plan_is_valid(p)) {
		struct critic_limits limits;
		struct findings found;
		struct display_list list;
		double scale;

		critic_limits_default(&limits);
		critic_read(&a, p, &limits, &found);
		for (size_t i = 0; i < found.n; i++)
			MUST(found.items[i].from < n && *found.items[i].message);
		for (size_t i = 0; i < p->floors.n; i++)
			check_areas(&a, p, (int)i);
		o.all_floors = true;
		MUST(dxf_write(&c, p, &o, &d));
		check_dxf(d.bytes);
		for (int schedule = 0; schedule < 3; schedule++) {
			struct schedule_table t;

			schedule_make(&a, p, &o, (enum schedule)schedule, &t);
			MUST(t.column_count && t.cells.n % t.column_count == 0);
		}
		MUST(glb_write(&c, p, &o, &d));
		check_glb(d.bytes);
		MUST(axonometric_compose(&c, p, &o, NULL, &list, &scale) && isfinite(scale));
		for (size_t i = 0; i < list.steps.n; i++)
			MUST(isfinite(list.steps.items[i].x) && isfinite(list.steps.items[i].y));
	}
	arena_free(&a);
	return 0;
}
