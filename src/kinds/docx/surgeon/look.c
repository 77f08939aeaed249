#include "kinds/docx/surgeon/look.h"

#include "base/array.h"

/* The children of w:rPr in the order of the schema. */
static const char *const order[] = {
	"rStyle",
	"rFonts",
	"b",
	"bCs",
	"i",
	"iCs",
	"caps",
	"smallCaps",
	"strike",
	"dstrike",
	"outline",
	"shadow",
	"emboss",
	"imprint",
	"noProof",
	"snapToGrid",
	"vanish",
	"webHidden",
	"color",
	"spacing",
	"w",
	"kern",
	"position",
	"sz",
	"szCs",
	"highlight",
	"u",
	"effect",
	"bdr",
	"shd",
	"fitText",
	"vertAlign",
	"rtl",
	"cs",
	"em",
	"lang",
	"eastAsianLayout",
	"specVanish",
	"oMath",
	"rPrChange",
};
enum { RANK_CHANGE = 39, RANK_OTHER = 40 };

/* Tracked insertion and deletion of the mark come first; elements of other namespaces (w14:*) last, but before the
 * change. */
static unsigned rank_of(const struct fragment *f, uint32_t node)
{
	enum space space;
	struct text local = fragment_local(f, node, &space);

	if (space != SPACE_W)
		return RANK_CHANGE - 1;
	for (unsigned i = 0; i < ARRAY_COUNT(order); i++)
		if (text_is(local, order[i]))
			return i;
	return f->tags[node] == TAG_INS || f->tags[node] == TAG_DEL || f->tags[node] == TAG_MOVE_FROM ||
			       f->tags[node] == TAG_MOVE_TO
		       ? 0
		       : RANK_OTHER;
}

bool look_is_plain(const struct look *l)
{
	return !l->bold && !l->italic && !l->caps && !l->small_caps && !l->underline.at && !l->style.at &&
	       !l->highlight.at && !l->color.at && !l->half_points && !l->face.at;
}

static bool same(struct text a, struct text b) { return !a.at == !b.at && text_same(a, b); }

bool look_same(const struct look *a, const struct look *b)
{
	return a->bold == b->bold && a->italic == b->italic && a->caps == b->caps && a->small_caps == b->small_caps &&
	       same(a->underline, b->underline) && same(a->style, b->style) && same(a->highlight, b->highlight) &&
	       same(a->color, b->color) && a->half_points == b->half_points && same(a->face, b->face);
}

void look_add(struct look *to, const struct look *top)
{
	to->bold = top->bold ? top->bold : to->bold;
	to->italic = top->italic ? top->italic : to->italic;
	to->caps = top->caps ? top->caps : to->caps;
	to->small_caps = top->small_caps ? top->small_caps : to->small_caps;
	to->underline = top->underline.at ? top->underline : to->underline;
	to->style = top->style.at ? top->style : to->style;
	to->highlight = top->highlight.at ? top->highlight : to->highlight;
	to->color = top->color.at ? top->color : to->color;
	to->half_points = top->half_points ? top->half_points : to->half_points;
	to->face = top->face.at ? top->face : to->face;
}

static uint32_t number(struct text t)
{
	uint32_t n = 0;

	for (size_t i = 0; i < t.len && t.at[i] >= '0' && t.at[i] <= '9' && n < 100000; i++)
		n = n * 10 + (uint32_t)(t.at[i] - '0');
	return n;
}

struct look look_of(struct arena *a, const struct fragment *f, uint32_t rpr)
{
	struct look l = {0};

	if (rpr == XML_NONE)
		return l;
	for (uint32_t i = rpr + 1; i < f->xml.nodes[rpr].after; i = f->xml.nodes[i].after) {
		enum space space;
		if (f->xml.nodes[i].type != XML_ELEMENT)
			continue;
		struct text local = fragment_local(f, i, &space), val = {0};
		if (space != SPACE_W)
			continue;
		enum maybe on = fragment_is_on(a, f, i) ? MAYBE_ON : MAYBE_OFF;
		val = fragment_attribute(a, f, i, SPACE_W, "val");
		if (text_is(local, "b"))
			l.bold = on;
		else if (text_is(local, "i"))
			l.italic = on;
		else if (text_is(local, "caps"))
			l.caps = on;
		else if (text_is(local, "smallCaps"))
			l.small_caps = on;
		else if (text_is(local, "u"))
			l.underline = val.at ? val : TEXT("none");
		else if (text_is(local, "rStyle"))
			l.style = val;
		else if (text_is(local, "highlight"))
			l.highlight = val;
		else if (text_is(local, "color"))
			l.color = val;
		else if (text_is(local, "sz"))
			l.half_points = number(val);
		else if (text_is(local, "rFonts"))
			l.face = fragment_attribute(a, f, i, SPACE_W, "ascii");
	}
	return l;
}

static enum maybe flag_difference(enum maybe of, enum maybe from)
{
	if (of == from || (of == MAYBE_OFF && !from))
		return MAYBE_KEEP;
	return of ? of : from == MAYBE_ON ? MAYBE_OFF : MAYBE_KEEP;
}

static struct text text_difference(struct text of, struct text from, struct text none)
{
	if (same(of, from))
		return (struct text){0};
	return of.at ? of : none;
}

struct look look_difference(const struct look *of, const struct look *from)
{
	struct look l = {
		.bold = flag_difference(of->bold, from->bold),
		.italic = flag_difference(of->italic, from->italic),
		.caps = flag_difference(of->caps, from->caps),
		.small_caps = flag_difference(of->small_caps, from->small_caps),
		.underline = text_difference(of->underline, from->underline, TEXT("none")),
		.style = text_difference(of->style, from->style, TEXT("")),
	};

	if (text_is(l.underline, "none") && (!from->underline.at || text_is(from->underline, "none")))
		l.underline = (struct text){0};
	return l;
}

/* One property of the result. */
struct wish {
	unsigned rank;
	struct text bytes; /* the element; empty: remove it */
};

struct wishes {
	struct wish list[20];
	size_t n;
};

static unsigned rank_named(const char *local)
{
	unsigned i = 0;

	while (i < ARRAY_COUNT(order) && !text_is(text_of(order[i]), local))
		i++;
	return i;
}

static void wish(struct arena *a, struct wishes *w, const struct names *names, const char *local, struct text val)
{
	struct buffer b = {.arena = a};

	names_open(&b, names, local);
	if (val.at)
		names_attribute(&b, names, "val", val);
	buffer_put(&b, "/>");
	w->list[w->n++] = (struct wish){rank_named(local), buffer_text(&b)};
}

static void wish_flag(struct arena *a, struct wishes *w, const struct names *names, const char *local, enum maybe m,
		      enum maybe has)
{
	if (m && m != has && !(m == MAYBE_OFF && !has && text_ends(text_of(local), "Cs")))
		wish(a, w, names, local, m == MAYBE_ON ? (struct text){0} : TEXT("0"));
}

static void wish_font(struct arena *a, struct wishes *w, const struct fragment *f, uint32_t rpr, struct text face)
{
	const struct names *names = f->names;
	struct buffer b = {.arena = a};
	struct text east = {0};

	for (uint32_t i = rpr == XML_NONE ? 0 : rpr + 1; rpr != XML_NONE && i < f->xml.nodes[rpr].after;
	     i = f->xml.nodes[i].after)
		if (f->xml.nodes[i].type == XML_ELEMENT && rank_of(f, i) == 1)
			east = fragment_attribute(a, f, i, SPACE_W, "eastAsia");
	names_open(&b, names, "rFonts");
	names_attribute(&b, names, "ascii", face);
	names_attribute(&b, names, "hAnsi", face);
	if (east.at)
		names_attribute(&b, names, "eastAsia", east);
	names_attribute(&b, names, "cs", face);
	buffer_put(&b, "/>");
	w->list[w->n++] = (struct wish){1, buffer_text(&b)};
}

/* Only the properties that change, in the order of the schema. An rPr that already has all of them keeps its bytes. */
static struct wishes wishes_of(struct arena *a, const struct fragment *f, uint32_t rpr, const struct look *l)
{
	struct look has = look_of(a, f, rpr);
	struct wishes w = {0};
	const struct names *names = f->names;

	if (l->style.at && !same(l->style, has.style)) {
		if (l->style.len)
			wish(a, &w, names, "rStyle", l->style);
		else if (has.style.at)
			w.list[w.n++] = (struct wish){0, TEXT("")};
	}
	if (l->face.at && !same(l->face, has.face))
		wish_font(a, &w, f, rpr, l->face);
	wish_flag(a, &w, names, "b", l->bold, has.bold);
	wish_flag(a, &w, names, "bCs", l->bold, has.bold);
	wish_flag(a, &w, names, "i", l->italic, has.italic);
	wish_flag(a, &w, names, "iCs", l->italic, has.italic);
	wish_flag(a, &w, names, "caps", l->caps, has.caps);
	wish_flag(a, &w, names, "smallCaps", l->small_caps, has.small_caps);
	if (l->color.at && !same(l->color, has.color))
		wish(a, &w, names, "color", l->color);
	if (l->half_points && l->half_points != has.half_points) {
		struct text size = text_format(a, "%u", l->half_points);
		wish(a, &w, names, "sz", size);
		wish(a, &w, names, "szCs", size);
	}
	if (l->highlight.at && !same(l->highlight, has.highlight)) {
		if (l->highlight.len)
			wish(a, &w, names, "highlight", l->highlight);
		else if (has.highlight.at)
			w.list[w.n++] = (struct wish){rank_named("highlight"), TEXT("")};
	}
	if (l->underline.at && !same(l->underline, has.underline))
		wish(a, &w, names, "u", l->underline);
	return w;
}

bool look_changes(struct arena *a, const struct fragment *f, uint32_t rpr, const struct look *l)
{
	return !look_is_plain(l) && wishes_of(a, f, rpr, l).n > 0;
}

static bool is_tracking(const struct fragment *f, uint32_t node)
{
	return f->tags[node] == TAG_RPR_CHANGE || f->tags[node] == TAG_INS || f->tags[node] == TAG_DEL ||
	       f->tags[node] == TAG_MOVE_FROM || f->tags[node] == TAG_MOVE_TO;
}

static bool has_tracking(const struct fragment *f, uint32_t rpr)
{
	for (uint32_t i = rpr + 1; rpr != XML_NONE && i < f->xml.nodes[rpr].after; i = f->xml.nodes[i].after)
		if (is_tracking(f, i))
			return true;
	return false;
}

void rpr_write(struct arena *a, struct buffer *to, const struct fragment *f, uint32_t rpr, const struct look *l,
	       bool fresh)
{
	struct wishes w = look_is_plain(l) ? (struct wishes){0} : wishes_of(a, f, rpr, l);
	struct buffer inside = {.arena = a};
	size_t next = 0;

	if (!w.n && !(fresh && has_tracking(f, rpr))) {
		if (rpr != XML_NONE && !(fresh && f->xml.nodes[rpr].inner == f->xml.nodes[rpr].inner_to))
			buffer_add(to, fragment_bytes(f, rpr));
		return;
	}
	for (uint32_t i = rpr == XML_NONE ? 0 : rpr + 1; rpr != XML_NONE && i < f->xml.nodes[rpr].after;
	     i = f->xml.nodes[i].after) {
		if (f->xml.nodes[i].type != XML_ELEMENT) {
			buffer_add(&inside, fragment_bytes(f, i));
			continue;
		}
		unsigned rank = rank_of(f, i);
		bool is_replaced = false;
		for (size_t k = 0; k < w.n; k++)
			is_replaced |= w.list[k].rank == rank && f->tags[i] != TAG_INS && f->tags[i] != TAG_DEL;
		for (; next < w.n && w.list[next].rank <= rank && !is_tracking(f, i); next++)
			buffer_add(&inside, w.list[next].bytes);
		if (rank == RANK_CHANGE)
			for (; next < w.n; next++)
				buffer_add(&inside, w.list[next].bytes);
		if (!is_replaced && !(fresh && is_tracking(f, i)))
			buffer_add(&inside, fragment_bytes(f, i));
	}
	for (; next < w.n; next++)
		buffer_add(&inside, w.list[next].bytes);
	if (text_is_blank(buffer_text(&inside)))
		return;
	if (rpr == XML_NONE)
		names_open(to, f->names, "rPr");
	else
		buffer_add(to, text_slice(f->xml.bytes, f->xml.nodes[rpr].from,
					  f->xml.nodes[rpr].inner - (f->xml.nodes[rpr].is_empty_tag ? 2 : 1)));
	buffer_byte(to, '>');
	buffer_add(to, buffer_text(&inside));
	if (rpr == XML_NONE) {
		names_close(to, f->names, "rPr");
	} else {
		buffer_put(to, "</");
		buffer_add(to, xml_name(&f->xml, rpr));
		buffer_byte(to, '>');
	}
}
