#include "kinds/floorplan/draw/canvas/canvas_svg.h"

#include "base/utf8.h"
#include "format/xml.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define SVG_OF(c) ((struct canvas_svg *)((char *)(c)-offsetof(struct canvas_svg, canvas)))

/* Two decimals are a hundredth of a pixel. Trailing zeros are dropped to save bytes. */
static void put_number(struct buffer *to, double v)
{
	long hundredths = lround(v * 100);
	long whole = labs(hundredths) / 100, rest = labs(hundredths) % 100;

	if (hundredths < 0)
		buffer_byte(to, '-');
	buffer_format(to, "%ld", whole);
	if (rest)
		buffer_format(to, rest % 10 ? ".%02ld" : ".%ld", rest % 10 ? rest : rest / 10);
}

static void put_point(struct buffer *to, char command, double x, double y)
{
	buffer_byte(to, command);
	put_number(to, x);
	buffer_byte(to, ' ');
	put_number(to, y);
}

/* Characters that XML cannot contain become blanks. */
static void put_words(struct buffer *to, struct text t)
{
	while (t.len) {
		size_t at = xml_escape(to, t, false);

		if (at < t.len) {
			buffer_byte(to, ' ');
			utf8_next(t, &at);
		}
		t = text_slice(t, at, t.len);
	}
}

static void put_colour(struct buffer *to, const char *name, uint32_t colour)
{
	if (colour == NO_COLOUR)
		buffer_format(to, " %s=\"none\"", name);
	else
		buffer_format(to, " %s=\"#%06x\"", name, (unsigned)colour);
}

static void begin(struct canvas *canvas, const struct display_list *d)
{
	struct buffer *to = &SVG_OF(canvas)->out;

	buffer_format(
		to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\""
		" xml:space=\"preserve\" font-family=\"%s\">\n",
		d->width, d->height, d->width, d->height, SVG_OF(canvas)->family);
	buffer_put(to, "<title>");
	put_words(to, d->title);
	buffer_put(to, "</title>\n");
	buffer_format(to, "<rect width=\"%.0f\" height=\"%.0f\"", d->width, d->height);
	put_colour(to, "fill", d->paper);
	buffer_put(to, "/>\n");
}

static void layer_end(struct canvas_svg *s)
{
	if (s->in_layer)
		buffer_put(&s->out, "</g>\n");
	s->in_layer = false;
}

static void layer(struct canvas *canvas, enum layer l)
{
	struct canvas_svg *s = SVG_OF(canvas);

	layer_end(s);
	s->in_layer = true;
	buffer_format(&s->out, "<g class=\"%s\">\n", layer_names[l]);
}

/* There is one clip per picture, so one name is enough. */
static void clip(struct canvas *canvas, const struct frame *f)
{
	struct canvas_svg *s = SVG_OF(canvas);

	layer_end(s);
	if (!f) {
		buffer_put(&s->out, "</g>\n");
		return;
	}
	buffer_put(&s->out, "<clipPath id=\"crop\"><rect x=\"");
	put_number(&s->out, f->left);
	buffer_put(&s->out, "\" y=\"");
	put_number(&s->out, f->top);
	buffer_put(&s->out, "\" width=\"");
	put_number(&s->out, f->right - f->left);
	buffer_put(&s->out, "\" height=\"");
	put_number(&s->out, f->bottom - f->top);
	buffer_put(&s->out, "\"/></clipPath>\n<g clip-path=\"url(#crop)\">\n");
}

/* An SVG arc is given by its end, not its centre, and a full turn needs two arcs. */
static void put_arc(struct buffer *to, const struct step *s, bool joined)
{
	int pieces = fabs(s->to - s->from) > 3 ? 2 : 1;

	put_point(to, joined ? 'L' : 'M', s->x + s->radius * cos(s->from), s->y + s->radius * sin(s->from));
	for (int i = 1; i <= pieces; i++) {
		double angle = s->from + (s->to - s->from) * i / pieces;

		put_point(to, 'A', s->radius, s->radius);
		buffer_format(to, " 0 0 %d ", s->to > s->from);
		put_number(to, s->x + s->radius * cos(angle));
		buffer_byte(to, ' ');
		put_number(to, s->y + s->radius * sin(angle));
	}
}

static void put_path(struct buffer *to, const struct mark *m, const struct step *steps)
{
	buffer_put(to, "<path d=\"");
	for (size_t i = 0; i < m->n; i++) {
		switch (steps[i].type) {
		case STEP_MOVE: put_point(to, 'M', steps[i].x, steps[i].y); break;
		case STEP_LINE: put_point(to, 'L', steps[i].x, steps[i].y); break;
		case STEP_ARC: put_arc(to, &steps[i], i && steps[i - 1].type != STEP_CLOSE); break;
		case STEP_CLOSE: buffer_byte(to, 'Z'); break;
		}
	}
	buffer_byte(to, '"');
}

static void put_pen(struct buffer *to, struct pen pen)
{
	if (pen.colour == NO_COLOUR)
		return;
	put_colour(to, "stroke", pen.colour);
	buffer_put(to, " stroke-width=\"");
	put_number(to, pen.width);
	buffer_byte(to, '"');
	if (pen.on > 0) {
		buffer_put(to, " stroke-dasharray=\"");
		put_number(to, pen.on);
		buffer_byte(to, ' ');
		put_number(to, pen.off);
		buffer_byte(to, '"');
	}
}

static void path(struct canvas *canvas, const struct mark *m, const struct step *steps)
{
	struct buffer *to = &SVG_OF(canvas)->out;

	/* paint-order is SVG 2 and not supported everywhere: the stroke below the fill is a separate path. */
	if (m->fill_on_top) {
		put_path(to, m, steps);
		put_colour(to, "fill", NO_COLOUR);
		put_pen(to, m->pen);
		buffer_put(to, "/>\n");
	}
	if (m->fill_on_top && m->fill == NO_COLOUR)
		return;
	put_path(to, m, steps);
	put_colour(to, "fill", m->fill);
	if (!m->fill_on_top)
		put_pen(to, m->pen);
	buffer_put(to, "/>\n");
}

static void text(struct canvas *canvas, const struct mark *m)
{
	static const char *const anchors[] = {
		[ANCHOR_START] = "start", [ANCHOR_MIDDLE] = "middle", [ANCHOR_END] = "end"};
	struct buffer *to = &SVG_OF(canvas)->out;

	buffer_put(to, "<text x=\"");
	put_number(to, m->x);
	buffer_put(to, "\" y=\"");
	put_number(to, m->y);
	buffer_format(to, "\" text-anchor=\"%s\" font-size=\"", anchors[m->anchor]);
	put_number(to, m->style.size);
	buffer_byte(to, '"');
	if (m->style.face == FACE_BOLD)
		buffer_put(to, " font-weight=\"bold\"");
	if (m->style.face == FACE_MONO)
		buffer_put(to, " font-family=\"DejaVu Sans Mono, monospace\"");
	put_colour(to, "fill", m->style.colour);
	buffer_put(to, " textLength=\"");
	put_number(to, m->advance);
	buffer_put(to, "\" lengthAdjust=\"spacingAndGlyphs\"");
	if (m->upright) {
		buffer_put(to, " transform=\"rotate(-90 ");
		put_number(to, m->x);
		buffer_byte(to, ' ');
		put_number(to, m->y);
		buffer_put(to, ")\"");
	}
	buffer_byte(to, '>');
	put_words(to, m->wording);
	buffer_put(to, "</text>\n");
}

static struct text finish(struct canvas *canvas)
{
	struct canvas_svg *s = SVG_OF(canvas);

	layer_end(s);
	buffer_put(&s->out, "</svg>\n");
	return buffer_text(&s->out);
}

void canvas_svg_init(struct canvas_svg *s, struct arena *a, const char *family)
{
	*s = (struct canvas_svg){
		.canvas = {begin, layer, clip, path, text, finish}, .out = {.arena = a}, .family = family};
}
