/* The texts of a sheet: names, labels, and texts cut to a width. */
#include "kinds/floorplan/draw/sheet.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* LivingRoom2 -> Living Room 2; names are ASCII identifiers. */
struct text name_words(struct arena *a, struct text name)
{
	struct buffer out = {.arena = a};

	for (size_t i = 0; i < name.len; i++) {
		char c = name.at[i], before = i ? name.at[i - 1] : 0, behind = i + 1 < name.len ? name.at[i + 1] : 0;
		bool starts = (is_upper(c) && is_lower(before)) ||
			      (is_upper(c) && is_upper(before) && is_lower(behind)) ||
			      (is_digit(c) && is_lower(before));

		if (c == '_')
			c = ' ';
		if (c == ' ' ? out.len && out.at[out.len - 1] == ' ' : false)
			continue;
		if (starts && out.len && out.at[out.len - 1] != ' ')
			buffer_byte(&out, ' ');
		buffer_byte(&out, i == 0 && is_lower(c) ? (char)(c - 32) : c);
	}
	return text_trim(buffer_text(&out));
}

/* Makes one line: line breaks and control characters become blanks. */
static struct text flattened(struct arena *a, struct text t)
{
	struct buffer out = {.arena = a};

	for (size_t i = 0; i < t.len; i++) {
		bool blank = (unsigned char)t.at[i] <= ' ' || t.at[i] == 127;

		if (!blank)
			buffer_byte(&out, t.at[i]);
		else if (out.len && out.at[out.len - 1] != ' ')
			buffer_byte(&out, ' ');
	}
	return text_trim(buffer_text(&out));
}

/* The first `characters` of the wording and an ellipsis. */
static struct text shortened(struct arena *a, struct text wording, size_t characters)
{
	size_t at = 0;

	for (size_t i = 0; i < characters && at < wording.len; i++)
		utf8_next(wording, &at);

	struct text head = text_trim(text_slice(wording, 0, at));

	return text_format(a, "%.*s\xE2\x80\xA6", TEXT_ARGS(head));
}

static struct text one_line(struct arena *a, struct text t, size_t most)
{
	size_t bytes_most = 8 * most; /* includes blanks that are removed later */
	struct text line = flattened(a, t.len > bytes_most ? text_slice(t, 0, utf8_cut(t, bytes_most)) : t);

	return utf8_count(line) > most ? shortened(a, line, most) : line;
}

struct text wording_of(struct arena *a, struct text t) { return one_line(a, t, WORDING_MAX); }
struct text plan_title_words(struct arena *a, const struct plan *p) { return one_line(a, p->title, TITLE_MAX); }

struct text room_words(const struct sheet *s, const struct plan_room *r)
{
	struct text label = wording_of(s->call->arena, r->label);

	return label.len ? label : wording_of(s->call->arena, name_words(s->call->arena, r->name));
}

/* Are both texts the same apart from blanks? */
bool reads_the_same(struct text name, struct text wording)
{
	size_t k = 0;

	for (size_t i = 0; i < wording.len; i++) {
		char c = wording.at[i];

		if (c == ' ' || c == '_' || c == '-')
			continue;
		while (k < name.len && name.at[k] == '_')
			k++;
		if (k == name.len || (name.at[k] | 32) != (c | 32))
			return false;
		k++;
	}
	while (k < name.len && name.at[k] == '_')
		k++;
	return k == name.len;
}

static struct text cut_to(struct arena *a, const struct hand *h, struct lettering_style style, struct text wording,
			  double width, size_t least)
{
	size_t low = least, high = utf8_count(wording);
	struct text best = {0};

	if (hand_width(h, style.face, wording) * style.size <= width)
		return wording;
	while (low < high) {
		size_t middle = (low + high) / 2;
		struct text cut = shortened(a, wording, middle);

		if (hand_width(h, style.face, cut) * style.size <= width) {
			best = cut;
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return best;
}

struct text text_cut(struct sheet *s, enum face face, struct text wording, double size, double width, size_t least)
{
	return cut_to(s->call->arena, &s->hand, (struct lettering_style){face, size, 0}, wording, width, least);
}

/* Where a line of at most this width ends: at a blank, or else at the end of the text. */
static size_t line_end(const struct hand *h, struct lettering_style style, struct text wording, double width)
{
	size_t end = 0;

	if (hand_width(h, style.face, wording) * style.size <= width)
		return wording.len;
	for (size_t at = 1; at < wording.len; at++)
		if (wording.at[at] == ' ' &&
		    hand_width(h, style.face, text_slice(wording, 0, at)) * style.size <= width)
			end = at;
	return end ? end : wording.len;
}

size_t text_lines(struct arena *a, const struct hand *h, struct lettering_style style, struct text wording,
		  double width, struct text *lines, size_t most)
{
	size_t n = 0;

	for (size_t end; wording.len && n < most; wording = text_trim(text_slice(wording, end, wording.len))) {
		/* The rest is cut on the last line. */
		end = n + 1 < most ? line_end(h, style, wording, width) : wording.len;
		lines[n++] = cut_to(a, h, style, text_slice(wording, 0, end), width, 1);
	}
	return n;
}

struct title title_set(struct arena *a, const struct hand *h, struct text wording, double size, double least,
		       double width)
{
	struct title t = {.style = {FACE_BOLD, size, 0}};
	double one = hand_width(h, FACE_BOLD, wording) * size;

	if (one > width)
		t.style.size = fmax(size * width / one, fmin(fmax(size / 1.5, least), size));
	t.n = text_lines(a, h, t.style, wording, width, t.lines, TITLE_LINES);
	return t;
}

struct text capitals(struct arena *a, struct text t)
{
	char *out = arena_copy(a, t.at ? t.at : "", t.len);

	for (size_t i = 0; i < t.len; i++)
		if (is_lower(out[i]))
			out[i] = (char)(out[i] - 32);
	return (struct text){out, t.len};
}

double text_width(const struct sheet *s, struct lettering_style style, struct text wording)
{
	return hand_width(&s->hand, style.face, wording) * style.size;
}

void put_text(struct sheet *s, enum layer layer, struct text wording, double x, double y, struct lettering_style style,
	      enum anchor anchor)
{
	text_paint(&s->list, layer, wording, x, y, style, anchor, false, text_width(s, style, wording));
}

struct lettering_style on_paper(const struct sheet *s, enum face face, double size, enum text_role role)
{
	return (struct lettering_style){face, fmax(size * s->size, s->type_least),
					text_colour(s->colours->paper, role)};
}
