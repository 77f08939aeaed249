#include "kinds/docx/read/row.h"

#include "base/utf8.h"
#include "kinds/docx/read/header.h"

#include <string.h>

static const struct xml_limits limits = {.depth = 512, .attributes = 128, .nodes = 1000000};

/* Reads the children of rPr, except those inside a record of earlier properties. */
static void read_run_properties(struct arena *a, const struct fragment *f, uint32_t rpr, struct run_properties *into)
{
	struct xml_scan scan, *s = &scan; /* large, so only its head is cleared */
	const struct names *names = fragment_names(f, rpr);
	struct error why;
	struct text local;

	for (xml_scan_begin(s, a, fragment_bytes(f, rpr), &limits, &why); xml_scan_next(s) != XML_SCAN_END;)
		if (s->token == XML_SCAN_OPEN && s->depth == 2 && names_split(names, s->name, false, &local) == SPACE_W)
			run_property(a, s, names, local, into);
}

static void read_paragraph_properties(struct arena *a, const struct fragment *f, uint32_t ppr,
				      struct paragraph_properties *into)
{
	struct xml_scan scan, *s = &scan;
	const struct names *names = fragment_names(f, ppr);
	unsigned skip = 0;
	struct error why;
	struct text local;

	for (xml_scan_begin(s, a, fragment_bytes(f, ppr), &limits, &why); xml_scan_next(s) != XML_SCAN_END;) {
		if (s->token == XML_SCAN_CLOSE && s->depth == skip)
			skip = 0;
		if (s->token != XML_SCAN_OPEN || s->depth < 2 || skip ||
		    names_split(names, s->name, false, &local) != SPACE_W)
			continue;
		if (text_is(local, "rPr") || text_is(local, "pPrChange") || text_is(local, "sectPr"))
			skip = s->depth;
		else
			paragraph_property(a, s, names, local, into);
	}
}

/* The relationships of the story's part; NULL if they cannot be read. */
static const struct relationships *relations_of(struct call *c, struct session *s, struct story *story)
{
	struct relationships own;

	if (story == s->body)
		return &s->package->relations;
	if (!story->links && package_relations(c, s->package, story->part->name, &own))
		story->links = arena_copy(&s->arena, &own, sizeof own);
	return story->links;
}

static struct text link_of(struct call *c, struct session *s, const struct row *r, uint32_t container)
{
	const struct fragment *f = &r->atoms.fragment;

	for (; container != ATOMS_NONE; container = r->atoms.containers[container].parent) {
		const struct container *k = &r->atoms.containers[container];
		if (k->tag != TAG_HYPERLINK)
			continue;
		struct text id = fragment_attribute(c->arena, f, k->node, SPACE_R, "id");
		struct text anchor = fragment_attribute(c->arena, f, k->node, SPACE_W, "anchor");
		const struct relationships *relations = id.at ? relations_of(c, s, r->story) : NULL;
		const struct relationship *found = relations ? relationship_by_id(relations, id) : NULL;
		if (found)
			return found->target;
		return anchor.at ? text_format(c->arena, "#%.*s", TEXT_ARGS(anchor)) : TEXT("#");
	}
	return (struct text){0};
}

static bool same_text(struct text a, struct text b) { return text_same(a, b) && !a.at == !b.at; }

static bool same_look(const struct row_run *a, const struct row_run *b)
{
	return a->look.on == b->look.on && a->look.size == b->look.size && same_text(a->look.color, b->look.color) &&
	       same_text(a->look.highlight, b->look.highlight) && same_text(a->look.font, b->look.font) &&
	       same_text(a->link, b->link);
}

static void read_runs(struct call *c, struct session *s, struct row *r)
{
	const struct atoms *p = &r->atoms;
	uint32_t style = s->body ? r->story->paragraphs.items[r->paragraph].style : STYLE_NONE;
	uint32_t table = story_table_style(r->story, r->paragraph), last = ATOMS_NONE;
	ARRAY(struct row_run) list = {0};
	struct run_properties direct = {0};
	struct text direct_bytes = {0};
	struct row_run now = {0};

	for (uint32_t i = 0; i < p->n; i++) {
		const struct atom *atom = &p->atoms[i];
		if (!atom->len)
			continue;
		if (atom->run != last || last == ATOMS_NONE) {
			uint32_t rpr = atom->run == ATOMS_NONE ? XML_NONE : p->runs[atom->run].rpr;
			struct text bytes = rpr == XML_NONE ? TEXT("") : fragment_bytes(&p->fragment, rpr);
			/* Neighbouring runs usually have the same bytes. */
			if (!same_text(bytes, direct_bytes)) {
				direct = (struct run_properties){0};
				direct_bytes = bytes;
				if (rpr != XML_NONE)
					read_run_properties(c->arena, &p->fragment, rpr, &direct);
			}
			now = (struct row_run){.look = styles_run(s->styles, style, table, &direct),
					       .link = link_of(c, s, r, atom->container)};
			last = atom->run;
		}
		now.from = atom->byte;
		now.to = atom->byte + atom->bytes;
		if (list.n && same_look(&list.items[list.n - 1], &now))
			list.items[list.n - 1].to = now.to;
		else
			*ARRAY_PUSH(c->arena, &list) = now;
	}
	r->runs = list.items;
	r->runs_n = list.n;
}

/* The displayed number of a note is its index among the references. */
static int32_t note_number(const struct story *s, int32_t id)
{
	int32_t n = 0;

	for (size_t i = 0; i < s->references.n; i++) {
		if (s->references.items[i].to != STORY_FOOTNOTES)
			continue;
		n++;
		if (s->references.items[i].id == id)
			return n;
	}
	return 0;
}

static void read_notes(struct call *c, struct row *r)
{
	const struct atoms *p = &r->atoms;
	ARRAY(struct row_note) list = {0};

	for (uint32_t i = 0; i < p->n; i++) {
		if (p->atoms[i].kind != ATOM_OBJECT || p->fragment.tags[p->atoms[i].node] != TAG_FOOTNOTE_REFERENCE)
			continue;
		struct text id = fragment_attribute(c->arena, &p->fragment, p->atoms[i].node, SPACE_W, "id");
		int32_t number = note_number(r->story, value_number(id, -1));
		if (number)
			*ARRAY_PUSH(c->arena, &list) = (struct row_note){p->atoms[i].byte, number};
	}
	r->notes = list.items;
	r->notes_n = list.n;
}

/* Finds the run with most text after the header. */
static void read_body_look(struct row *r)
{
	uint32_t most = 0;

	for (size_t i = 0; i < r->runs_n; i++) {
		uint32_t from = r->runs[i].from < r->body ? r->body : r->runs[i].from;
		if (r->runs[i].to <= from || r->runs[i].to - from <= most)
			continue;
		most = r->runs[i].to - from;
		r->look = r->runs[i].look;
	}
}

static void read_paragraph(struct call *c, struct session *s, struct row *r)
{
	struct paragraph_properties direct;
	uint32_t style = styles_of_paragraph(s->styles, r->story->paragraphs.items[r->paragraph].style);

	paragraph_properties_clear(&direct);
	if (r->atoms.ppr != XML_NONE)
		read_paragraph_properties(c->arena, &r->atoms.fragment, r->atoms.ppr, &direct);
	r->properties = s->styles->paragraph;
	if (style != STYLE_NONE)
		paragraph_properties_over(&r->properties, &s->styles->items.items[style].all_paragraph);
	/* The paragraph's own indents take precedence over those of the list level. The level's take precedence over a
	 * style's, unless the style has the number. */
	if (r->is_numbered) {
		struct paragraph_properties level = r->item.definition->paragraph;
		bool is_direct = r->story->paragraphs.items[r->paragraph].num_id >= 0;
		if (!is_direct && style != STYLE_NONE) {
			struct paragraph_properties over = s->styles->items.items[style].all_paragraph;
			paragraph_properties_over(&level, &over);
		}
		paragraph_properties_over(&r->properties, &level);
	}
	paragraph_properties_over(&r->properties, &direct);
}

bool row_read(struct call *c, struct session *s, struct story *story, uint32_t p, const struct list_item *item,
	      struct text label, struct row *out)
{
	*out = (struct row){.story = story, .paragraph = p, .label = TEXT("")};
	if (!story_atoms(c, story, p, &out->atoms))
		return false;
	out->all = out->atoms.text.at ? out->atoms.text : TEXT("");
	if (item) {
		out->is_numbered = true;
		out->item = *item;
		out->label = label;
		out->type = label_type_of(item, label);
	}
	read_runs(c, s, out);
	read_notes(c, out);
	if (!out->label.len) {
		size_t n = typed_label(out->all, &out->label, &out->type);
		if (n) {
			out->is_typed = true;
			out->body = (uint32_t)n;
		}
	}
	header_find(out);
	read_body_look(out);
	read_paragraph(c, s, out);
	return true;
}
