#include "kinds/docx/surgeon/rewrite.h"

#include "base/utf8.h"
#include "format/splice.h"

#include <string.h>

/* The content of a rewritten run, in order. */
struct item {
	enum { ITEM_RAW, ITEM_BLANK, ITEM_LAID, ITEM_TEXT } type;
	struct text bytes; /* raw: of the document; text: plain */
	uint32_t node;     /* text: the w:t it comes from, or XML_NONE */
	struct look look;
};

struct rewriter {
	struct arena *arena;
	const struct atoms *p;
	const struct rewrite *plan;
	const struct names *names;
	ARRAY(struct item) items;
	struct look look; /* of items without their own look: that of the neighbour before */
	uint32_t rpr;
};

void rewrite_text(struct buffer *to, const struct names *names, struct text t)
{
	for (size_t i = 0; i < t.len;) {
		size_t from = i;
		if (t.at[i] == '\t' || t.at[i] == '\n') {
			names_open(to, names, t.at[i] == '\t' ? "tab" : "br");
			buffer_put(to, "/>");
			i++;
			continue;
		}
		while (i < t.len && t.at[i] != '\t' && t.at[i] != '\n')
			i++;
		names_open(to, names, "t");
		buffer_put(to, " xml:space=\"preserve\">");
		xml_escape(to, text_slice(t, from, i), false);
		names_close(to, names, "t");
	}
}

static bool is_gone(const struct rewrite *plan, uint32_t at)
{
	for (size_t i = 0; i < plan->gone.n && plan->gone.items[i].from <= at; i++)
		if (at < plan->gone.items[i].to)
			return true;
	return false;
}

static struct look style_at(struct rewriter *w, uint32_t at)
{
	const struct rewrite *plan = w->plan;

	for (size_t i = 0; i < plan->styles.n; i++)
		if (plan->styles.items[i].from <= at && at < plan->styles.items[i].to &&
		    look_changes(w->arena, &w->p->fragment, w->rpr, &plan->styles.items[i].look))
			return plan->styles.items[i].look;
	return (struct look){0};
}

static void add_text(struct rewriter *w, struct text t, uint32_t node, const struct look *look)
{
	struct item *last = w->items.n ? &w->items.items[w->items.n - 1] : NULL;

	w->look = *look;
	if (last && last->type == ITEM_TEXT && look_same(&last->look, look)) {
		struct buffer joined = {.arena = w->arena};
		buffer_add(&joined, last->bytes);
		buffer_add(&joined, t);
		last->bytes = buffer_text(&joined);
		last->node = last->node == XML_NONE ? node : last->node;
	} else if (t.len) {
		*ARRAY_PUSH(w->arena, &w->items) = (struct item){ITEM_TEXT, t, node, *look};
	}
}

static void add_raw(struct rewriter *w, int type, struct text bytes, const struct look *look)
{
	struct item *item = ARRAY_PUSH(w->arena, &w->items);

	*item = (struct item){type, bytes, XML_NONE, look ? *look : w->look};
	w->look = item->look;
}

static void add_pieces(struct rewriter *w, uint32_t run, uint32_t at, bool behind)
{
	for (size_t i = 0; i < w->plan->pieces.n; i++) {
		const struct piece *piece = &w->plan->pieces.items[i];
		if (piece->run != run || piece->at != at || piece->behind != behind)
			continue;
		struct look look = piece->look;
		if (!look_changes(w->arena, &w->p->fragment, w->rpr, &look))
			look = (struct look){0};
		add_text(w, piece->text, XML_NONE, &look);
	}
}

/* Characters between two changes are handled together. */
static uint32_t quiet_until(const struct rewriter *w, uint32_t run, uint32_t at, uint32_t end)
{
	const struct rewrite *plan = w->plan;

	for (size_t i = 0; i < plan->gone.n; i++) {
		if (plan->gone.items[i].from > at && plan->gone.items[i].from < end)
			end = plan->gone.items[i].from;
		if (plan->gone.items[i].to > at && plan->gone.items[i].to < end)
			end = plan->gone.items[i].to;
	}
	for (size_t i = 0; i < plan->styles.n; i++) {
		if (plan->styles.items[i].from > at && plan->styles.items[i].from < end)
			end = plan->styles.items[i].from;
		if (plan->styles.items[i].to > at && plan->styles.items[i].to < end)
			end = plan->styles.items[i].to;
	}
	for (size_t i = 0; i < plan->pieces.n; i++)
		if (plan->pieces.items[i].run == run && plan->pieces.items[i].at > at && plan->pieces.items[i].at < end)
			end = plan->pieces.items[i].at;
	return end;
}

static bool is_concerned(const struct rewriter *w, uint32_t run, const struct atom *atom)
{
	const struct rewrite *plan = w->plan;
	uint32_t from = atom->at, to = atom->at + atom->len;

	for (size_t i = 0; i < plan->gone.n; i++)
		if (plan->gone.items[i].from < to && from < plan->gone.items[i].to)
			return true;
	for (size_t i = 0; i < plan->styles.n; i++)
		if (plan->styles.items[i].from < to && from < plan->styles.items[i].to)
			return true;
	for (size_t i = 0; i < plan->pieces.n; i++) {
		const struct piece *piece = &plan->pieces.items[i];
		if (piece->run == run &&
		    (piece->behind ? piece->at > from && piece->at <= to : piece->at >= from && piece->at < to))
			return true;
	}
	return false;
}

static void take_atom(struct rewriter *w, uint32_t run, const struct atom *atom)
{
	struct text visible = w->p->text, bytes = fragment_bytes(&w->p->fragment, atom->node);
	size_t byte = atom->byte;

	if (!atom->len || !is_concerned(w, run, atom)) {
		add_raw(w, atom->kind == ATOM_LAID ? ITEM_LAID : ITEM_RAW, bytes, atom->len ? &(struct look){0} : NULL);
		return;
	}
	for (uint32_t at = atom->at, end = atom->at + atom->len; at < end;) {
		uint32_t to = quiet_until(w, run, at, end);
		size_t from = byte;
		for (uint32_t i = at; i < to; i++)
			utf8_next(visible, &byte);
		add_pieces(w, run, at, false);
		if (!is_gone(w->plan, at)) {
			struct look look = style_at(w, at);
			if (atom->kind == ATOM_TEXT)
				add_text(w, text_slice(visible, from, byte), atom->node, &look);
			else
				add_raw(w, ITEM_RAW, bytes, &look);
		}
		add_pieces(w, run, to, true);
		at = to;
	}
}

static void take_run(struct rewriter *w, uint32_t run)
{
	const struct fragment *f = &w->p->fragment;
	const struct atom_run *r = &w->p->runs[run];
	uint32_t atom = r->atom;

	w->items.n = 0;
	w->look = (struct look){0};
	w->rpr = r->rpr;
	for (uint32_t i = r->node + 1; i < f->xml.nodes[r->node].after; i = f->xml.nodes[i].after) {
		/* The properties, and blanks before them, are written with the start tag. */
		if (i == r->rpr || (r->rpr != XML_NONE && i < r->rpr && f->tags[i] == TAG_NOT_ELEMENT))
			continue;
		if (atom < r->atom + r->n && w->p->atoms[atom].node == i)
			take_atom(w, run, &w->p->atoms[atom++]);
		else
			add_raw(w, ITEM_BLANK, fragment_bytes(f, i), NULL);
	}
}

static void write_item(struct rewriter *w, struct buffer *to, const struct item *item)
{
	const struct fragment *f = &w->p->fragment;

	if (item->type != ITEM_TEXT) {
		buffer_add(to, item->bytes);
		return;
	}
	bool has_break = memchr(item->bytes.at, '\t', item->bytes.len) || memchr(item->bytes.at, '\n', item->bytes.len);
	if (item->node == XML_NONE || has_break ||
	    !text_is(fragment_attribute(w->arena, f, item->node, SPACE_XML, "space"), "preserve")) {
		rewrite_text(to, w->names, item->bytes);
		return;
	}
	const struct xml_node *t = &f->xml.nodes[item->node];
	buffer_add(to, text_slice(f->xml.bytes, t->from, t->inner));
	xml_escape(to, item->bytes, false);
	buffer_add(to, text_slice(f->xml.bytes, t->inner_to, t->to));
}

static void open_run(struct rewriter *w, struct buffer *to, uint32_t run, const struct look *look)
{
	const struct fragment *f = &w->p->fragment;
	const struct xml_node *r = &f->xml.nodes[w->p->runs[run].node];

	buffer_add(to, text_slice(f->xml.bytes, r->from, w->rpr == XML_NONE ? r->inner : f->xml.nodes[w->rpr].from));
	rpr_write(w->arena, to, f, w->rpr, look, false);
}

static void close_run(struct rewriter *w, struct buffer *to, uint32_t run)
{
	const struct fragment *f = &w->p->fragment;
	const struct xml_node *r = &f->xml.nodes[w->p->runs[run].node];

	buffer_add(to, text_slice(f->xml.bytes, r->inner_to, r->to));
}

/* The run's new bytes; empty: it is removed. */
static struct text written_run(struct rewriter *w, uint32_t run)
{
	struct buffer to = {.arena = w->arena};
	bool is_open = false, has_content = false;
	struct look look = {0};

	take_run(w, run);
	for (size_t i = 0; i < w->items.n; i++)
		has_content |= w->items.items[i].type == ITEM_RAW || w->items.items[i].type == ITEM_TEXT;
	if (!has_content)
		return TEXT("");
	for (size_t i = 0; i < w->items.n; i++) {
		const struct item *item = &w->items.items[i];
		bool is_blank = item->type == ITEM_BLANK || item->type == ITEM_LAID;
		/* Items without width stay with the next item in the first run, and with the previous item in later
		 * runs. */
		if (!is_open || (!is_blank && !look_same(&look, &item->look))) {
			if (is_open)
				close_run(w, &to, run);
			look = item->look;
			for (size_t k = i; !is_open && is_blank && k < w->items.n; k++)
				if (w->items.items[k].type == ITEM_RAW || w->items.items[k].type == ITEM_TEXT) {
					look = w->items.items[k].look;
					break;
				}
			open_run(w, &to, run, &look);
			is_open = true;
		}
		write_item(w, &to, item);
	}
	close_run(w, &to, run);
	return buffer_text(&to);
}

static struct text own_run(struct rewriter *w, const struct piece *piece)
{
	const struct fragment *f = &w->p->fragment;
	struct buffer to = {.arena = w->arena};
	uint32_t rpr = XML_NONE;

	if (piece->like != ATOMS_NONE)
		rpr = w->p->runs[piece->like].rpr;
	else if (w->p->ppr != XML_NONE)
		rpr = fragment_child(f, w->p->ppr, TAG_RPR);
	/* A paragraph mark may be hidden for layout, but new text must be visible. */
	if (rpr != XML_NONE && fragment_child(f, rpr, TAG_VANISH) != XML_NONE)
		rpr = XML_NONE;
	names_open(&to, w->names, "r");
	buffer_byte(&to, '>');
	rpr_write(w->arena, &to, f, rpr, &piece->look, true);
	rewrite_text(&to, w->names, piece->text);
	names_close(&to, w->names, "r");
	return buffer_text(&to);
}

/* The containers that become empty: without a remaining run and without other content between runs. */
static bool *empty_containers(struct rewriter *w, const bool *run_goes)
{
	const struct atoms *p = w->p;
	bool *is_held = arena_array(w->arena, p->containers_n + 1, sizeof *is_held);
	bool *had_run = arena_array(w->arena, p->containers_n + 1, sizeof *had_run);

	for (uint32_t i = 0; i < p->n; i++) {
		bool goes = p->atoms[i].run != ATOMS_NONE && run_goes[p->atoms[i].run];
		for (uint32_t k = p->atoms[i].container; k != ATOMS_NONE; k = p->containers[k].parent) {
			is_held[k] |= !goes;
			had_run[k] |= goes;
		}
	}
	for (uint32_t i = 0; i < p->containers_n; i++) {
		uint8_t tag = p->containers[i].tag;
		/* A content control stays even if empty, because it is a field of a form. */
		is_held[i] = !is_held[i] && had_run[i] && tag != TAG_SDT && tag != TAG_FLD_SIMPLE;
	}
	return is_held;
}

static bool is_inside_gone(const struct atoms *p, const bool *gone, uint32_t container)
{
	for (; container != ATOMS_NONE; container = p->containers[container].parent)
		if (gone[container])
			return true;
	return false;
}

static bool run_is_concerned(const struct rewriter *w, uint32_t run)
{
	const struct atom_run *r = &w->p->runs[run];

	for (uint32_t i = r->atom; i < r->atom + r->n; i++)
		if (w->p->atoms[i].len && is_concerned(w, run, &w->p->atoms[i]))
			return true;
	return false;
}

/* `<w:p/>` has no content: write it with a start and an end tag and put the run between them. */
static struct text opened_paragraph(struct arena *a, const struct atoms *p, struct text run)
{
	const struct fragment *f = &p->fragment;
	struct buffer to = {.arena = a};

	buffer_add(&to, text_slice(f->xml.bytes, 0, f->xml.nodes[0].to - 2));
	buffer_byte(&to, '>');
	buffer_add(&to, run);
	buffer_put(&to, "</");
	buffer_add(&to, xml_name(&f->xml, 0));
	buffer_byte(&to, '>');
	return buffer_text(&to);
}

struct text rewrite_apply(struct arena *a, const struct atoms *p, const struct rewrite *plan)
{
	struct rewriter w = {.arena = a, .p = p, .plan = plan, .names = fragment_names(&p->fragment, 0)};
	struct text *runs = arena_array(a, p->runs_n + 1, sizeof *runs);
	bool *goes = arena_array(a, p->runs_n + 1, sizeof *goes);
	ARRAY(struct splice) edits = {0};
	struct buffer first = {.arena = a};
	const struct xml_node *nodes = p->fragment.xml.nodes;

	for (uint32_t i = 0; i < p->runs_n; i++)
		if (run_is_concerned(&w, i)) {
			runs[i] = written_run(&w, i);
			goes[i] = !runs[i].len;
		}
	bool *gone = empty_containers(&w, goes);
	for (uint32_t i = 0; i < p->containers_n; i++)
		if (gone[i] && !is_inside_gone(p, gone, p->containers[i].parent))
			*ARRAY_PUSH(a, &edits) = (struct splice){nodes[p->containers[i].node].from,
								 nodes[p->containers[i].node].to, TEXT("")};
	for (uint32_t i = 0; i < p->runs_n; i++)
		if (runs[i].at && !is_inside_gone(p, gone, p->runs[i].container))
			*ARRAY_PUSH(a, &edits) =
				(struct splice){nodes[p->runs[i].node].from, nodes[p->runs[i].node].to, runs[i]};
	for (size_t i = 0; i < plan->pieces.n; i++) {
		const struct piece *piece = &plan->pieces.items[i];
		if (piece->run != ATOMS_NONE)
			continue;
		if (nodes[0].is_empty_tag) {
			buffer_add(&first, own_run(&w, piece));
			continue;
		}
		*ARRAY_PUSH(a, &edits) = (struct splice){piece->byte, piece->byte, own_run(&w, piece)};
	}
	if (first.len)
		return opened_paragraph(a, p, buffer_text(&first));
	return splice_apply(a, p->fragment.xml.bytes, edits.items, edits.n);
}
