#include "kinds/docx/edit/tables.h"

/* The part as spans. Node offsets plus `base` are offsets in the part. */
struct grid {
	struct call *c;
	struct story *s;
	struct fragment f;
	uint32_t base;
	const struct table_choice *which;
	/* The change of a row, or of a cell of a row. */
	void (*row)(struct grid *g, uint32_t tr);
	void (*cell)(struct grid *g, uint32_t tc);
	int64_t tables, rows, cells; /* largest existing numbers, plus one */
	int64_t count;
	struct text height; /* the element w:trHeight */
	const int64_t *twips;
};

static bool is_named(const struct fragment *f, uint32_t node, const char *local)
{
	enum space space;

	return f->xml.nodes[node].type == XML_ELEMENT && text_is(fragment_local(f, node, &space), local) &&
	       space == SPACE_W;
}

static uint32_t child_named(const struct fragment *f, uint32_t node, const char *local)
{
	for (uint32_t i = node + 1; i < f->xml.nodes[node].after; i = f->xml.nodes[i].after)
		if (is_named(f, i, local))
			return i;
	return XML_NONE;
}

static bool is_chosen(const struct numbers *list, int64_t n)
{
	if (!list->n)
		return true;
	for (size_t i = 0; i < list->n; i++)
		if ((int64_t)list->items[i] == n)
			return true;
	return false;
}

/* The next element with that tag inside `node` from `at` on, not inside a nested table; nodes[node].after if there is
 * none. */
static uint32_t next_inside(const struct fragment *f, uint32_t node, uint32_t at, enum tag tag)
{
	while (at < f->xml.nodes[node].after && f->tags[at] != tag)
		at = f->tags[at] == TAG_TBL || f->tags[at] == TAG_P ? f->xml.nodes[at].after : at + 1;
	return at;
}

static void walk_row(struct grid *g, uint32_t tr)
{
	const struct xml_node *nodes = g->f.xml.nodes;
	int64_t number = 0;

	if (g->row)
		g->row(g, tr);
	for (uint32_t tc = next_inside(&g->f, tr, tr + 1, TAG_TC); g->cell && tc < nodes[tr].after;
	     tc = next_inside(&g->f, tr, nodes[tc].after, TAG_TC), number++)
		if (is_chosen(&g->which->cells, number))
			g->cell(g, tc);
	g->cells = number > g->cells ? number : g->cells;
}

static void walk_table(struct grid *g, uint32_t tbl)
{
	const struct xml_node *nodes = g->f.xml.nodes;
	int64_t number = 0;

	for (uint32_t tr = next_inside(&g->f, tbl, tbl + 1, TAG_TR); tr < nodes[tbl].after;
	     tr = next_inside(&g->f, tbl, nodes[tr].after, TAG_TR), number++)
		if (is_chosen(&g->which->rows, number))
			walk_row(g, tr);
	g->rows = number > g->rows ? number : g->rows;
}

static bool check_numbers(struct call *c, const struct numbers *list, int64_t there, const char *what)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i] < 0 || list->items[i] >= (double)there ||
		    list->items[i] != (double)(int64_t)list->items[i])
			return fail(c, FAULT_ARGUMENT, "there is no %s %g; numbers run from 0 to %lld", what,
				    list->items[i], (long long)there - 1);
	return true;
}

static bool walk(struct grid *g)
{
	struct text part = g->s->part->bytes, root = fragment_root(part);

	if (!root.len || !fragment_parse(g->c->arena, root, names_read(g->c->arena, NULL, TEXT("<d>")), &g->f))
		return fail_as(g->c, "UNSUPPORTED_EDIT", "the tables of %s cannot be read",
			       shown(g->c, g->s->part->name));
	g->base = (uint32_t)(root.at - part.at);
	for (uint32_t i = 0; i < g->f.xml.n; i++) {
		if (g->f.tags[i] != TAG_TBL)
			continue;
		if (is_chosen(&g->which->tables, g->tables))
			walk_table(g, i);
		g->tables++;
		i = g->f.xml.nodes[i].after - 1;
	}
	if (!g->tables)
		return fail(g->c, FAULT_ARGUMENT, "this document has no tables; read_file shows them as #TABLE");
	return check_numbers(g->c, &g->which->tables, g->tables, "table") &&
	       check_numbers(g->c, &g->which->rows, g->rows, "row") &&
	       check_numbers(g->c, &g->which->cells, g->cells, "cell");
}

/* `inner` as the only child of a new element. */
static struct text wrapped(struct grid *g, const char *local, struct text inner)
{
	const struct names *names = fragment_names(&g->f, 0);
	struct buffer b = {.arena = g->c->arena};

	names_open(&b, names, local);
	buffer_byte(&b, '>');
	buffer_add(&b, inner);
	names_close(&b, names, local);
	return buffer_text(&b);
}

static void put(struct grid *g, uint32_t from, uint32_t to, struct text with)
{
	if (text_same(story_patched(g->s, g->base + from, g->base + to), with))
		return;
	/* Skips a row whose deletion was accepted. */
	g->count += story_patch(g->s, g->base + from, g->base + to, with);
}

static void set_height(struct grid *g, uint32_t tr)
{
	const struct xml_node *nodes = g->f.xml.nodes;
	uint32_t pr = child_named(&g->f, tr, "trPr"), except = child_named(&g->f, tr, "tblPrEx");
	uint32_t old = pr == XML_NONE ? XML_NONE : child_named(&g->f, pr, "trHeight");

	if (old != XML_NONE)
		put(g, nodes[old].from, nodes[old].to, g->height);
	else if (pr != XML_NONE && !nodes[pr].is_empty_tag)
		put(g, nodes[pr].inner, nodes[pr].inner, g->height);
	else if (pr != XML_NONE)
		put(g, nodes[pr].from, nodes[pr].to, wrapped(g, "trPr", g->height));
	else if (!nodes[tr].is_empty_tag) {
		uint32_t at = except == XML_NONE ? nodes[tr].inner : nodes[except].to;
		put(g, at, at, wrapped(g, "trPr", g->height));
	}
}

bool tables_row_height(struct call *c, struct story *s, const struct table_choice *which, int64_t twips,
		       const char *rule, int64_t *count)
{
	struct grid g = {.c = c, .s = s, .which = which, .row = set_height};
	struct buffer b = {.arena = c->arena};

	names_open(&b, s->names, "trHeight");
	names_attribute(&b, s->names, "val", text_format(c->arena, "%lld", (long long)twips));
	names_attribute(&b, s->names, "hRule", text_of(rule));
	buffer_put(&b, "/>");
	g.height = buffer_text(&b);
	if (!walk(&g))
		return false;
	*count = g.count;
	return true;
}

static const char *const side_names[SIDES] = {"top", "left", "bottom", "right"};
static const char *const side_others[SIDES] = {"top", "start", "bottom", "end"};

/* The elements after w:tcMar in w:tcPr, by the schema. */
static const char *const behind_margins[] = {"textDirection", "tcFitText", "vAlign",    "hideMark",  "headers",
					     "cellIns",       "cellDel",   "cellMerge", "tcPrChange"};

/* The element with the changed sides. The other sides are as in `now`. */
static struct text margins(struct grid *g, struct text now)
{
	const struct names *names = fragment_names(&g->f, 0);
	struct fragment old;
	uint32_t mar = XML_NONE;
	struct buffer b = {.arena = g->c->arena};

	if (now.len && fragment_parse(g->c->arena, now, names, &old))
		for (uint32_t i = 0; i < old.xml.n && mar == XML_NONE; i++)
			mar = is_named(&old, i, "tcMar") ? i : XML_NONE;
	for (int side = 0; side < SIDES; side++) {
		uint32_t was = mar == XML_NONE ? XML_NONE : child_named(&old, mar, side_names[side]);
		if (mar != XML_NONE && was == XML_NONE)
			was = child_named(&old, mar, side_others[side]);
		if (g->twips[side] < 0) {
			if (was != XML_NONE)
				buffer_add(&b, fragment_bytes(&old, was));
			continue;
		}
		names_open(&b, names, names->is_strict ? side_others[side] : side_names[side]);
		names_attribute(&b, names, "w", text_format(g->c->arena, "%lld", (long long)g->twips[side]));
		names_attribute(&b, names, "type", TEXT("dxa"));
		buffer_put(&b, "/>");
	}
	return wrapped(g, "tcMar", buffer_text(&b));
}

static void set_padding(struct grid *g, uint32_t tc)
{
	const struct xml_node *nodes = g->f.xml.nodes;
	uint32_t pr = child_named(&g->f, tc, "tcPr"), from, to;
	uint32_t old = pr == XML_NONE ? XML_NONE : child_named(&g->f, pr, "tcMar");
	bool is_whole = pr == XML_NONE || nodes[pr].is_empty_tag;

	if (nodes[tc].is_empty_tag)
		return;
	if (old != XML_NONE) {
		from = nodes[old].from;
		to = nodes[old].to;
	} else if (pr == XML_NONE) {
		from = to = nodes[tc].inner;
	} else if (is_whole) {
		from = nodes[pr].from;
		to = nodes[pr].to;
	} else {
		from = nodes[pr].inner_to;
		for (uint32_t i = pr + 1; i < nodes[pr].after; i = nodes[i].after)
			for (size_t k = 0; k < ARRAY_COUNT(behind_margins); k++)
				if (nodes[i].from < from && is_named(&g->f, i, behind_margins[k]))
					from = nodes[i].from;
		to = from;
	}
	struct text element = margins(g, story_patched(g->s, g->base + from, g->base + to));
	put(g, from, to, is_whole ? wrapped(g, "tcPr", element) : element);
}

bool tables_cell_padding(struct call *c, struct story *s, const struct table_choice *which, const int64_t twips[SIDES],
			 int64_t *count)
{
	struct grid g = {.c = c, .s = s, .which = which, .cell = set_padding, .twips = twips};

	if (!walk(&g))
		return false;
	*count = g.count;
	return true;
}
