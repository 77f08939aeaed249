#include "kinds/floorplan/model/axonometric.h"

#include "kinds/floorplan/draw/canvas/canvas_svg.h"
#include "kinds/floorplan/draw/sheet.h"
#include "kinds/floorplan/model/building.h"
#include "kinds/floorplan/model/scene.h"

#include <math.h>

static void frame_reach(struct frame *f, struct sheet_point p)
{
	f->left = fmin(f->left, p.x);
	f->right = fmax(f->right, p.x);
	f->top = fmin(f->top, p.y);
	f->bottom = fmax(f->bottom, p.y);
}

/* The frame around a storey, in plan units of the projection. */
static struct frame storey_frame(const struct storey *s)
{
	struct frame f = {INFINITY, INFINITY, -INFINITY, -INFINITY};
	struct camera still = {.scale = 1};

	for (size_t b = 0; b < s->solid.bands.n; b++) {
		const struct band *band = &s->solid.bands.items[b];

		for (size_t i = 0; i < band->n; i++) {
			const struct span *p = &s->solid.spans.items[band->first + i];
			double low = s->solid.fills.items[p->first].low,
			       high = s->solid.fills.items[p->first + p->n - 1].high;

			for (int corner = 0; corner < 8; corner++)
				frame_reach(&f,
					    camera_see(&still, corner & 1 ? p->to : p->from,
						       corner & 2 ? band->to : band->from, corner & 4 ? high : low));
		}
	}
	for (size_t i = 0; i < s->stairs.n; i++)
		for (int k = 0; k < 2 * s->stairs.items[i].n; k++) {
			const struct prism *p = &s->stairs.items[i];

			frame_reach(&f, camera_see(&still, p->points[k / 2].x, p->points[k / 2].y,
						   k % 2 ? p->high : p->low));
		}
	return f;
}

enum { MARGIN = 28, TITLE = 34, NAME = 26 };

static void put_name(struct display_list *d, const struct hand *h, struct text wording, double x, double y, double size,
		     uint32_t colour)
{
	struct lettering_style style = {FACE_BOLD, size, colour};

	if (h && text_lines(d->arena, h, style, wording, d->width - x - MARGIN, &wording, 1))
		text_paint(d, LAYER_LABELS, wording, x, y, style, ANCHOR_START, false,
			   size * hand_width(h, style.face, wording));
}

bool axonometric_compose(struct call *c, const struct plan *p, const struct draw_options *o, const struct hand *hand,
			 struct display_list *out, double *scale)
{
	const struct colours *colours = colours_of(o->theme >= 0 ? (enum theme)o->theme : p->config.theme);
	struct building building;
	struct title title = {0};
	double width = 0, height = 0, names = hand ? NAME : 0, above = 0;

	*out = (struct display_list){.arena = c->arena, .paper = colours->paper, .subject = -1, .title = p->title};
	*scale = 0;
	if (!building_make(c, p, o->all_floors ? -1 : o->floor, &building))
		return false;
	if (hand && p->title.len) {
		title = title_set(c->arena, hand, plan_title_words(c->arena, p), 20, 9, o->width - 2 * MARGIN);
		above = TITLE + (double)(title.n - 1) * title_leading(&title);
	}
	struct frame *frames = arena_array(c->arena, building.n + 1, sizeof *frames);

	for (size_t i = 0; i < building.n; i++) {
		frames[i] = storey_frame(&building.storeys[i]);
		if (frames[i].right < frames[i].left)
			frames[i] = (struct frame){0};
		width = fmax(width, frames[i].right - frames[i].left);
		height += frames[i].bottom - frames[i].top;
	}
	out->width = o->width;
	out->height = fmin(o->height, o->width * 0.75);
	if (width <= 0 || height <= 0)
		return true;
	double spare = 2 * MARGIN + above + (double)building.n * (names + MARGIN / 2.0);

	*scale = fmin(fmax(o->width - 2 * MARGIN, 16) / width, fmax(o->height - spare, 16) / height);
	out->height = ceil(fmin(fmax(spare + *scale * height, DRAW_SIDE_MIN), o->height));
	for (size_t i = 0; i < title.n; i++)
		put_name(out, hand, title.lines[i], MARGIN, MARGIN + 0.6 * TITLE + (double)i * title_leading(&title),
			 title.style.size, colours->ink);
	double y = MARGIN + above;

	/* The highest storey comes first on the sheet. */
	for (size_t i = building.n; i-- > 0;) {
		const struct storey *s = &building.storeys[i];
		double tall = (frames[i].bottom - frames[i].top) * *scale,
		       wide = (frames[i].right - frames[i].left) * *scale;
		struct camera camera = {.scale = *scale,
					.x = (o->width - wide) / 2 - frames[i].left * *scale,
					.y = y - frames[i].top * *scale};

		scene_paint(c, out, p, s, &camera, colours);
		if (!goes_on(c))
			return false;
		y += tall + names;
		put_name(out, hand, name_words(c->arena, p->floors.items[s->floor].name), MARGIN, y - 0.3 * names, 15,
			 colours->ink);
		y += MARGIN / 2.0;
	}
	return true;
}

bool axonometric_draw(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out)
{
	struct display_list list;
	struct canvas_svg svg;
	struct canvas *canvas = &svg.canvas;
	struct hand hand;
	ARRAY(struct text) wording = {0};
	double scale;

	*ARRAY_PUSH(c->arena, &wording) = p->title;
	for (size_t i = 0; i < p->floors.n; i++)
		*ARRAY_PUSH(c->arena, &wording) = p->floors.items[i].name;
	if (!hand_choose(c, o->lettering, p->config.font_family, wording.items, wording.n, &hand) ||
	    !axonometric_compose(c, p, o, &hand, &list, &scale))
		return false;
	if (o->format == FORMAT_PNG)
		canvas = canvas_png(c, &hand, o->png_most);
	else
		canvas_svg_init(&svg, c->arena, hand_family(&hand));
	display_list_replay(&list, canvas);
	*out = (struct drawing){.bytes = canvas->finish(canvas),
				.mime = format_mimes[o->format],
				.width = (int)list.width,
				.height = (int)list.height,
				.scale = scale,
				.floor = o->floor};
	return true;
}
