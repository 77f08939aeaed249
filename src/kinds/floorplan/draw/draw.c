#include "kinds/floorplan/draw/draw.h"

#include "kinds/floorplan/draw/sheet.h"

bool plan_draw(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out)
{
	struct sheet s;
	bool done = sheet_compose(c, p, o, &s);

	if (done)
		sheet_paint(&s, out);
	sheet_free(&s);
	return done;
}
