/* scene.h: paints one storey from the far corner to the near one. */
#ifndef QUIRE_KINDS_FLOORPLAN_SCENE_H
#define QUIRE_KINDS_FLOORPLAN_SCENE_H
#include "base/call.h"
#include "kinds/floorplan/draw/canvas/display_list.h"
#include "kinds/floorplan/draw/theme.h"
#include "kinds/floorplan/model/building.h"

struct sheet_point {
	double x, y;
};

/* The viewer is far away at larger x, larger y and above. Of two places the one with larger coordinates is nearer. */
struct camera {
	double scale, x, y; /* sheet units per plan unit; place of the plan's origin */
};
struct sheet_point camera_see(const struct camera *c, double x, double y, double z);

void scene_paint(struct call *c, struct display_list *to, const struct plan *p, const struct storey *s,
		 const struct camera *camera, const struct colours *colours);

#endif
