#include "kinds/docx/surgeon/paragraph.h"

#include "kinds/docx/surgeon/rewrite.h"
#include "kinds/docx/surgeon/runes.h"

#include <string.h>

static bool is_plain_place(const struct atoms *p, uint32_t run)
{
	if (p->runs[run].is_hidden)
		return false;
	for (uint32_t i = p->runs[run].container; i != ATOMS_NONE; i = p->containers[i].parent)
		if (p->containers[i].tag == TAG_HYPERLINK || p->containers[i].tag == TAG_FLD_SIMPLE)
			return false;
	return true;
}

uint32_t paragraph_body_run(const struct atoms *p, uint32_t header)
{
	uint32_t best = ATOMS_NONE, most = 0;

	/* First search after the header. A paragraph that is only a header gives its own look. */
	for (int pass = 0; pass < 2 && best == ATOMS_NONE; pass++)
		for (uint32_t run = 0; run < p->runs_n; run++) {
			uint32_t size = 0;
			if (!is_plain_place(p, run))
				continue;
			for (uint32_t i = p->runs[run].atom; i < p->runs[run].atom + p->runs[run].n; i++) {
				const struct atom *atom = &p->atoms[i];
				uint32_t from = !pass && atom->at < header ? header : atom->at;
				if (atom->kind == ATOM_TEXT && atom->field == ATOMS_NONE && from < atom->at + atom->len)
					size += atom->at + atom->len - from;
			}
			if (size > most) {
				most = size;
				best = run;
			}
		}
	return best;
}

static bool is_own(const struct fragment *f, uint32_t node)
{
	switch (f->tags[node]) {
	case TAG_SECT_PR:
	case TAG_PPR_CHANGE:
	case TAG_RPR_CHANGE:
	case TAG_INS:
	case TAG_DEL:
	case TAG_MOVE_FROM:
	case TAG_MOVE_TO: return true;
	case TAG_OTHER: return text_is(fragment_local(f, node, NULL), "numberingChange");
	default: return false;
	}
}

static bool is_hiding(const struct fragment *f, uint32_t node)
{
	return f->tags[node] == TAG_VANISH ||
	       (f->tags[node] == TAG_OTHER && text_is(fragment_local(f, node, NULL), "specVanish"));
}

/* Copies the element without the parts that belong only to the old paragraph. An empty rPr is left out. */
static void copy_properties(struct arena *a, struct buffer *to, const struct fragment *f, uint32_t node, bool shows)
{
	const struct xml_node *e = &f->xml.nodes[node];
	struct buffer inside = {.arena = a};

	if (e->type != XML_ELEMENT || e->is_empty_tag) {
		buffer_add(to, fragment_bytes(f, node));
		return;
	}
	for (uint32_t i = node + 1; i < e->after; i = f->xml.nodes[i].after)
		if (!is_own(f, i) && !(shows && is_hiding(f, i)))
			copy_properties(a, &inside, f, i, shows);
	if ((f->tags[node] == TAG_RPR || f->tags[node] == TAG_PPR) && text_is_blank(buffer_text(&inside)))
		return;
	buffer_add(to, text_slice(f->xml.bytes, e->from, e->inner));
	buffer_add(to, buffer_text(&inside));
	buffer_add(to, text_slice(f->xml.bytes, e->inner_to, e->to));
}

static void open_paragraph(struct arena *a, struct buffer *to, const struct fragment *f, struct text id)
{
	struct xml_attribute *list;
	size_t n = xml_attributes(a, &f->xml, 0, &list);
	const struct names *names = fragment_names(f, 0);

	buffer_byte(to, '<');
	buffer_add(to, xml_name(&f->xml, 0));
	for (size_t i = 0; i < n; i++) {
		struct text local;
		enum space space = names_split(names, list[i].name, true, &local);
		bool is_id = text_is(local, "paraId");
		if (space == SPACE_W14 && (is_id || text_is(local, "textId")))
			continue;
		buffer_byte(to, ' ');
		buffer_add(to, text_slice(f->xml.bytes, list[i].from, list[i].to));
	}
	struct text w14 = names_prefix(names, SPACE_W14, true);
	if (id.at && w14.at)
		buffer_format(to, " %.*s:paraId=\"%.*s\" %.*s:textId=\"77777777\"", TEXT_ARGS(w14), TEXT_ARGS(id),
			      TEXT_ARGS(w14));
	buffer_byte(to, '>');
}

/* A paragraph with the properties of `like` and runs like those of `body`. */
static struct text new_paragraph(struct arena *a, const struct atoms *like, const struct atoms *body, uint32_t header,
				 const struct markup *text, struct text id)
{
	const struct fragment *f = &body->fragment;
	const struct names *names = fragment_names(f, 0);
	struct buffer to = {.arena = a};
	uint32_t run = paragraph_body_run(body, header), rpr = XML_NONE;
	struct runes r = runes_of(a, text->text);

	if (run != ATOMS_NONE)
		rpr = body->runs[run].rpr;
	else if (body->ppr != XML_NONE)
		rpr = fragment_child(f, body->ppr, TAG_RPR);
	open_paragraph(a, &to, &like->fragment, id);
	if (like->ppr != XML_NONE)
		copy_properties(a, &to, &like->fragment, like->ppr, like != body);
	for (size_t i = 0; i < text->n; i++) {
		struct look look = text->segments[i].look;
		uint32_t from = text->segments[i].from, last = text->segments[i].to;
		/* Neighbours with equal looks become one run. */
		for (; i + 1 < text->n; i++) {
			const struct look *next = &text->segments[i + 1].look;
			bool both_plain = !look_changes(a, f, rpr, &look) && !look_changes(a, f, rpr, next);
			if (!both_plain && !look_same(&look, next))
				break;
			last = text->segments[i + 1].to;
		}
		names_open(&to, names, "r");
		buffer_byte(&to, '>');
		rpr_write(a, &to, f, rpr, &look, true);
		rewrite_text(&to, names, runes_slice(&r, from, last));
		names_close(&to, names, "r");
	}
	buffer_put(&to, "</");
	buffer_add(&to, xml_name(&f->xml, 0));
	buffer_byte(&to, '>');
	return buffer_text(&to);
}

struct text paragraph_new(struct arena *a, const struct atoms *like, uint32_t header, const struct markup *text,
			  struct text id)
{
	return new_paragraph(a, like, like, header, text, id);
}

struct text paragraph_new_alone(struct arena *a, const struct atoms *like, const struct atoms *body,
				const struct markup *text, struct text id)
{
	return new_paragraph(a, like, body, 0, text, id);
}

struct text paragraph_lines(struct arena *a, struct text t)
{
	struct buffer to = {.arena = a};

	for (size_t i = 0; i < t.len; i++) {
		if (t.at[i] == '\r') {
			buffer_byte(&to, '\n');
			i += i + 1 < t.len && t.at[i + 1] == '\n';
		} else if (text_starts(text_slice(t, i, t.len), "\xE2\x80\xA8") ||
			   text_starts(text_slice(t, i, t.len), "\xE2\x80\xA9")) {
			buffer_put(&to, t.at[i + 2] == '\xA8' ? "\n" : "\n\n");
			i += 2;
		} else {
			buffer_byte(&to, t.at[i]);
		}
	}
	return buffer_text(&to);
}

size_t paragraphs_of(struct arena *a, const struct markup *m, struct markup **out)
{
	struct runes r = runes_of(a, m->text);
	ARRAY(struct markup) list = {0};

	for (uint32_t from = 0; from < r.n;) {
		uint32_t to = from, next;
		while (to < r.n && !(r.at[to] == '\n' && to + 1 < r.n && r.at[to + 1] == '\n'))
			to++;
		for (next = to; next < r.n && r.at[next] == '\n';)
			next++;
		while (to > from && r.at[to - 1] == '\n')
			to--;
		while (from < to && r.at[from] == '\n')
			from++;
		if (!text_is_blank(runes_slice(&r, from, to)))
			*ARRAY_PUSH(a, &list) = markup_slice(a, m, &r, from, to);
		from = next > from ? next : r.n;
	}
	*out = list.items;
	return list.n;
}
