#include "kinds/floorplan/draw/draw.h"

#include "kinds/floorplan/draw/sheet.h"

bool plan_draw(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out)
{
	struct sheet s;
	struct sheet_set set = {0};
	bool done;

	if (o->sheet_set) {
		done = sheet_set_compose(c, p, o, &set);
		if (done)
			sheet_set_paint(&set, out);
		sheet_set_free(&set);
		return done;
	}
	done = sheet_compose(c, p, o, &s);

	if (done)
		sheet_paint(&s, out);
	sheet_free(&s);
	return done;
}
