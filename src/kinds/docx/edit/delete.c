#include "kinds/docx/edit/change.h"

#include "kinds/docx/edit/roles.h"

#include <string.h>

/* The paragraph if it has a place in the part, or else the one next to which it is written. */
static const struct paragraph *placed(const struct story *s, uint32_t p)
{
	const struct paragraph *q = &s->paragraphs.items[p];

	return q->flags & PARAGRAPH_INSERTED ? &s->paragraphs.items[q->hang] : q;
}

/* Do both have the same parent? Then the tags between them never go above their level and end on it. */
static bool are_siblings(const struct story *s, uint32_t one, uint32_t two)
{
	const struct paragraph *a = placed(s, one), *b = placed(s, two);

	if (a == b)
		return true;
	if (a->host != STORY_NONE || b->host != STORY_NONE)
		return a->host == b->host;
	struct text between = text_slice(s->part->bytes, a->to, b->from);
	int depth = 0;
	for (size_t i = 0; i + 1 < between.len; i++) {
		if (between.at[i] != '<')
			continue;
		const char *end = memchr(between.at + i, '>', between.len - i);
		if (between.at[i + 1] == '/')
			depth--;
		else if (between.at[i + 1] != '!' && between.at[i + 1] != '?' && end && end[-1] != '/')
			depth++;
		if (depth < 0)
			return false;
	}
	return depth == 0;
}

/* The nearest paragraph of the same parent on that side, or STORY_NONE. */
static uint32_t sibling(const struct story *s, uint32_t p, bool behind)
{
	uint32_t q = p;

	do
		q = behind ? story_next(s, q) : story_previous(s, q);
	while (q != STORY_NONE && s->paragraphs.items[q].host == p);
	if (q == STORY_NONE || !(behind ? are_siblings(s, p, q) : are_siblings(s, q, p)))
		return STORY_NONE;
	return q;
}

/* Is it the last paragraph, directly after a table? */
static bool ends_behind_table(const struct story *s, uint32_t p)
{
	uint32_t before = story_previous(s, p), behind = story_next(s, p);

	while (before != STORY_NONE && s->paragraphs.items[before].host != STORY_NONE)
		before = story_previous(s, before);
	while (behind != STORY_NONE && s->paragraphs.items[behind].host == p)
		behind = story_next(s, behind);
	return behind == STORY_NONE && before != STORY_NONE && s->paragraphs.items[p].cell == STORY_NONE &&
	       s->paragraphs.items[before].cell != STORY_NONE;
}

/* How often the paragraph has a mark or reference of this comment. */
static unsigned comment_marks(struct arena *a, const struct atoms *p, struct text id)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		uint8_t tag = p->fragment.tags[p->atoms[i].node];
		if (tag == TAG_COMMENT_START || tag == TAG_COMMENT_END || tag == TAG_COMMENT_REFERENCE)
			n += text_same(fragment_attribute(a, &p->fragment, p->atoms[i].node, SPACE_W, "id"), id);
	}
	return n;
}

/* The range marks of a paragraph, as bytes, in order. The marks of a comment with both ends and its reference in this
 * paragraph are left out: they are deleted with the commented words. */
static struct text marks_of(struct arena *a, const struct atoms *p)
{
	struct buffer to = {.arena = a};

	for (uint32_t i = 0; i < p->n; i++) {
		uint8_t tag = p->fragment.tags[p->atoms[i].node];
		if (p->atoms[i].kind != ATOM_MARK)
			continue;
		if ((tag == TAG_COMMENT_START || tag == TAG_COMMENT_END) &&
		    comment_marks(a, p, fragment_attribute(a, &p->fragment, p->atoms[i].node, SPACE_W, "id")) >= 3)
			continue;
		buffer_add(&to, fragment_bytes(&p->fragment, p->atoms[i].node));
	}
	return buffer_text(&to);
}

static struct text spliced(struct arena *a, const struct atoms *p, uint32_t at, struct text with)
{
	const struct xml_node *top = &p->fragment.xml.nodes[0];
	struct text bytes = p->fragment.xml.bytes;
	struct buffer to = {.arena = a};

	if (!top->is_empty_tag)
		return splice_apply(a, bytes, &(struct splice){at, at, with}, 1);
	buffer_add(&to, text_slice(bytes, 0, top->to - 2));
	buffer_byte(&to, '>');
	buffer_add(&to, with);
	buffer_put(&to, "</");
	buffer_add(&to, xml_name(&p->fragment.xml, 0));
	buffer_byte(&to, '>');
	return buffer_text(&to);
}

/* Inserts the marks at the start after pPr, or at the end. */
static struct text with_marks(struct arena *a, const struct atoms *p, struct text marks, bool at_start)
{
	const struct xml_node *nodes = p->fragment.xml.nodes;
	uint32_t start = p->ppr == XML_NONE ? nodes[0].inner : nodes[p->ppr].to;

	return spliced(a, p, at_start ? start : nodes[0].inner_to, marks);
}

/* The paragraph with a section's properties ends the section. The paragraph before it gets these properties. */
static struct text with_section(struct arena *a, const struct atoms *p, struct text section)
{
	const struct fragment *f = &p->fragment;
	struct buffer to = {.arena = a};
	uint32_t change = p->ppr == XML_NONE ? XML_NONE : fragment_child(f, p->ppr, TAG_PPR_CHANGE);

	if (change != XML_NONE)
		return spliced(a, p, f->xml.nodes[change].from, section);
	if (p->ppr != XML_NONE && !f->xml.nodes[p->ppr].is_empty_tag)
		return spliced(a, p, f->xml.nodes[p->ppr].inner_to, section);
	names_open(&to, fragment_names(f, 0), "pPr");
	buffer_byte(&to, '>');
	buffer_add(&to, section);
	names_close(&to, fragment_names(f, 0), "pPr");
	if (p->ppr == XML_NONE)
		return spliced(a, p, f->xml.nodes[0].inner, buffer_text(&to));
	return splice_apply(a, f->xml.bytes,
			    &(struct splice){f->xml.nodes[p->ppr].from, f->xml.nodes[p->ppr].to, buffer_text(&to)}, 1);
}

/* The paragraph with nothing but its properties and marks. */
static struct text emptied(struct arena *a, const struct atoms *p, struct text marks)
{
	const struct xml_node *nodes = p->fragment.xml.nodes;
	uint32_t start = p->ppr == XML_NONE ? nodes[0].inner : nodes[p->ppr].to;

	if (nodes[0].is_empty_tag)
		return p->fragment.xml.bytes;
	return splice_apply(a, p->fragment.xml.bytes, &(struct splice){start, nodes[0].inner_to, marks}, 1);
}

struct deletion {
	struct atoms p;
	uint32_t before, after; /* siblings */
	struct text marks;
	struct atoms neighbour; /* gets the marks or the section */
	uint32_t objects;       /* drawings, note references and tracked deletions of others that are deleted with it */
	bool empties;           /* it stays, without content */
};

/* Is its parent a content control or custom XML? Word requires a paragraph there. */
static bool is_controlled(const struct story *s, uint32_t p)
{
	struct text path = s->paths.items[s->paragraphs.items[p].ancestors];

	return text_starts(path, "sdtContent/") || text_starts(path, "customXml/");
}

static bool plan_deletion(struct call *c, const struct story *s, uint32_t p, struct deletion *d)
{
	if (!story_atoms(c, s, p, &d->p))
		return false;
	if (s->paragraphs.items[p].host != STORY_NONE)
		return fail_as(
			c, "UNSUPPORTED_EDIT",
			"this paragraph is in a text box and cannot be deleted; change its text with smart_edit");
	if (d->p.fields_before.depth != d->p.fields_after.depth || d->p.fields_before.depth)
		return fail_as(
			c, "UNSUPPORTED_EDIT",
			"this paragraph holds part of a field that spans paragraphs, such as a table of contents, so it cannot be "
			"deleted alone; delete the field in Word");
	d->before = sibling(s, p, false);
	d->after = sibling(s, p, true);
	d->empties = d->after == STORY_NONE && d->before == STORY_NONE && !d->p.has_section && is_controlled(s, p);
	bool is_body = s->kind == STORY_BODY && s->paragraphs.items[p].cell == STORY_NONE &&
		       text_is(s->paths.items[s->paragraphs.items[p].ancestors], "body");
	if (d->after == STORY_NONE && d->before == STORY_NONE && !is_body && !d->empties)
		return fail_as(
			c, "UNSUPPORTED_EDIT",
			"this is the only paragraph of its %s, which Word requires; empty it with smart_edit and new_string=\"\"",
			s->paragraphs.items[p].cell != STORY_NONE ? "table cell" : "place");
	if (ends_behind_table(s, p) && !d->empties)
		return fail_as(
			c, "UNSUPPORTED_EDIT",
			"this paragraph ends the document after a table, which Word requires; empty it with smart_edit and new_string=\"\"");
	d->marks = marks_of(c->arena, &d->p);
	d->objects = 0;
	for (uint32_t i = 0; i < d->p.n; i++)
		d->objects += d->p.atoms[i].kind == ATOM_OBJECT || d->p.atoms[i].kind == ATOM_GONE;
	if (d->empties)
		return true;
	if (d->p.has_section) {
		if (d->before == STORY_NONE || !story_atoms(c, s, d->before, &d->neighbour) || d->neighbour.has_section)
			return fail_as(
				c, "UNSUPPORTED_EDIT",
				"this paragraph ends a section and no paragraph before it can take the section's layout over; empty it "
				"with smart_edit, or delete the section break in Word");
		return true;
	}
	uint32_t to = d->after != STORY_NONE ? d->after : d->before;
	if (d->marks.len && to == STORY_NONE)
		return fail_as(c, "UNSUPPORTED_EDIT",
			       "this paragraph holds bookmarks or comments and has no neighbour to take them over");
	return !d->marks.len || story_atoms(c, s, to, &d->neighbour);
}

bool change_may_delete(struct call *c, const struct story *s, uint32_t p)
{
	struct deletion d;

	return plan_deletion(c, s, p, &d) && !d.objects && !d.empties;
}

bool change_delete(struct call *c, struct story *s, uint32_t p)
{
	struct deletion d;

	if (!plan_deletion(c, s, p, &d))
		return false;
	if (d.p.has_section) {
		uint32_t section = fragment_child(&d.p.fragment, d.p.ppr, TAG_SECT_PR);
		struct text now = with_section(c->arena, &d.neighbour, fragment_bytes(&d.p.fragment, section));
		struct atoms again;
		if (d.marks.len && atoms_read(c->arena, now, d.neighbour.fragment.names, d.neighbour.fields_before,
					      d.neighbour.styles, &again))
			now = with_marks(c->arena, &again, d.marks, false);
		story_replace(s, d.before, now);
	} else if (d.marks.len && !d.empties) {
		bool is_after = d.after != STORY_NONE;
		story_replace(s, is_after ? d.after : d.before, with_marks(c->arena, &d.neighbour, d.marks, is_after));
	}
	if (d.objects)
		warn(c,
		     "%u thing%s without text went with the paragraph: drawings, page breaks, references to notes or comments, or "
		     "tracked deletions",
		     d.objects, d.objects == 1 ? "" : "s");
	if (d.empties)
		story_replace(s, p, emptied(c->arena, &d.p, d.marks));
	else
		story_delete(s, p);
	return true;
}
