#include "kinds/floorplan/draw/canvas/display_list.h"

#include "base/budget.h"

const char *const layer_names[LAYERS] = {
	[LAYER_ROOMS] = "rooms",     [LAYER_WALLS] = "walls",   [LAYER_EDGES] = "edges",
	[LAYER_WINDOWS] = "windows", [LAYER_DOORS] = "doors",   [LAYER_STAIRS] = "stairs",
	[LAYER_LIFTS] = "lifts",     [LAYER_LABELS] = "labels", [LAYER_DIMENSIONS] = "dimensions",
	[LAYER_SHEET] = "sheet",
};

static struct step *step_add(struct display_list *d, enum step_type type, double x, double y)
{
	struct step *s = ARRAY_PUSH(d->arena, &d->steps);

	s->type = type;
	s->x = x;
	s->y = y;
	return s;
}

void path_move(struct display_list *d, double x, double y) { step_add(d, STEP_MOVE, x, y); }

void path_line(struct display_list *d, double x, double y) { step_add(d, STEP_LINE, x, y); }

void path_arc(struct display_list *d, double x, double y, double radius, double from, double to)
{
	struct step *s = step_add(d, STEP_ARC, x, y);

	s->radius = radius;
	s->from = from;
	s->to = to;
}

void path_close(struct display_list *d) { step_add(d, STEP_CLOSE, 0, 0); }

void path_frame(struct display_list *d, struct frame b)
{
	path_move(d, b.left, b.top);
	path_line(d, b.right, b.top);
	path_line(d, b.right, b.bottom);
	path_line(d, b.left, b.bottom);
	path_close(d);
}

struct mark *path_paint(struct display_list *d, enum layer layer, uint32_t fill, struct pen pen)
{
	struct mark *m = ARRAY_PUSH(d->arena, &d->marks);

	m->type = MARK_PATH;
	m->layer = layer;
	m->subject = d->subject;
	m->clipped = d->clipping;
	m->first = d->open;
	m->n = d->steps.n - d->open;
	m->fill = fill;
	m->pen = pen;
	d->open = d->steps.n;
	return m;
}

void line_paint(struct display_list *d, enum layer layer, double x1, double y1, double x2, double y2, struct pen pen)
{
	path_move(d, x1, y1);
	path_line(d, x2, y2);
	path_paint(d, layer, NO_COLOUR, pen);
}

struct frame text_frame(double x, double y, double size, enum anchor anchor, bool upright, double advance)
{
	double before = anchor == ANCHOR_START ? 0 : anchor == ANCHOR_MIDDLE ? advance / 2 : advance;

	if (upright)
		return (struct frame){x - TEXT_RISE * size, y + before - advance, x + TEXT_DROP * size, y + before};
	return (struct frame){x - before, y - TEXT_RISE * size, x - before + advance, y + TEXT_DROP * size};
}

void text_paint(struct display_list *d, enum layer layer, struct text wording, double x, double y,
		struct lettering_style style, enum anchor anchor, bool upright, double advance)
{
	struct mark *m;

	if (!wording.len)
		return;
	m = ARRAY_PUSH(d->arena, &d->marks);
	m->type = MARK_TEXT;
	m->layer = layer;
	m->subject = d->subject;
	m->clipped = d->clipping;
	m->fill = NO_COLOUR;
	m->pen = NO_PEN;
	m->wording = wording;
	m->x = x;
	m->y = y;
	m->style = style;
	m->anchor = anchor;
	m->upright = upright;
	m->advance = advance;
	m->frame = text_frame(x, y, style.size, anchor, upright, advance);
}

void display_list_replay(const struct display_list *d, struct canvas *canvas)
{
	enum layer layer = LAYERS;
	bool clipped = false;

	canvas->begin(canvas, d);
	/* Always finish painting: a call over its limits ends after this. */
	for (size_t i = 0; i < d->marks.n && budget_goes_on(); i++) {
		const struct mark *m = &d->marks.items[i];

		if (m->clipped != clipped) {
			clipped = m->clipped;
			canvas->clip(canvas, clipped ? &d->clip : NULL);
			layer = LAYERS;
		}
		if (m->layer != layer)
			canvas->layer(canvas, layer = m->layer);
		if (m->type == MARK_TEXT)
			canvas->text(canvas, m);
		else
			canvas->path(canvas, m, &d->steps.items[m->first]);
	}
	if (clipped)
		canvas->clip(canvas, NULL);
	budget_check();
}
