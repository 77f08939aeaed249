#include "kinds/docx/track/compare.h"
#include "base/array.h"
#include "kinds/docx/text/sequence.h"
#include "kinds/docx/track/comparing.h"
#include "kinds/docx/track/properties.h"
#include "kinds/docx/track/tail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 250 }; /* maximum of blocks on each side of a change for comparing all pairs */

static void put_row_mark(struct comparing *k, struct buffer *to, const struct names *names, bool inserted)
{
	char id[12];

	snprintf(id, sizeof id, "%d", k->stamp->next_id++);
	names_open(to, names, inserted ? "ins" : "del");
	names_attribute(to, names, "id", text_of(id));
	names_attribute(to, names, "author", k->stamp->author);
	names_attribute(to, names, "date", k->stamp->date);
	buffer_put(to, "/>");
}

/* New properties for a row, with the mark that tracks the whole row. */
static struct text row_properties(struct comparing *k, struct arena *a, const struct names *names, bool inserted)
{
	struct buffer out = {.arena = a};

	names_open(&out, names, "trPr");
	buffer_byte(&out, '>');
	put_row_mark(k, &out, names, inserted);
	names_close(&out, names, "trPr");
	return buffer_text(&out);
}

/* The result is in the given arena. Other memory is freed. */
static struct text paragraph_tracked(struct comparing *k, struct arena *a, struct text part, struct place at,
				     bool inserted)
{
	scoped(arena_free) struct arena scratch = {0};
	struct text bytes = text_slice(part, at.from, at.to), out = bytes;
	const uint32_t *move = move_of(k, at.from, inserted);

	if (inserted)
		bytes = portable(k, &scratch, bytes, at.names, (struct text){0});
	k->stamp->is_move = move;
	redline_paragraph(&scratch, inserted ? (struct text){0} : bytes, inserted ? bytes : (struct text){0}, at.names,
			  inserted ? MARK_INSERTED : MARK_DELETED, (struct text){0}, k->stamp, &out);
	k->stamp->is_move = false;
	if (move) {
		k->counts->moved += inserted;
		out = move_marked(k, &scratch, out, at.names, inserted, *move);
	} else {
		*(inserted ? &k->counts->inserted : &k->counts->deleted) += 1;
	}
	return text_copy(a, out);
}

/* Tracks the content of a table or content control, token by token. */
struct tracker {
	struct comparing *k;
	struct arena *arena;
	struct text part;
	uint32_t base;                         /* where the block begins in the part */
	uint32_t rows[FRAGMENT_DEPTH_MAX + 2]; /* by depth: where a row's new properties go; 0: done */
	struct place paragraph;
	unsigned depth; /* of the open paragraph; 0: none */
	bool inserted;
	ARRAY(struct splice) edits; /* on the block */
};

static void track_row(struct tracker *t, const struct pass *w, unsigned row)
{
	uint32_t at = t->rows[row];

	if (at)
		*ARRAY_PUSH(t->arena, &t->edits) =
			(struct splice){at, at, row_properties(t->k, t->arena, w->names[row], t->inserted)};
	t->rows[row] = 0;
}

/* A token directly inside a row. The row's properties, if any, come before its cells. */
static void track_in_row(struct tracker *t, const struct pass *w)
{
	const struct xml_scan *s = &w->scan;
	unsigned row = s->depth - 1;
	bool opens = s->token == XML_SCAN_OPEN;

	if (pass_is(w, "tblPrEx")) {
		t->rows[row] = s->to;
	} else if (!pass_is(w, "trPr")) {
		track_row(t, w, row);
	} else if (opens && s->is_empty) {
		*ARRAY_PUSH(t->arena, &t->edits) =
			(struct splice){s->from, s->to, row_properties(t->k, t->arena, w->names[row], t->inserted)};
		t->rows[row] = 0;
	} else if (!opens) {
		struct buffer mark = {.arena = t->arena};
		put_row_mark(t->k, &mark, w->names[row], t->inserted);
		*ARRAY_PUSH(t->arena, &t->edits) = (struct splice){s->from, s->from, buffer_text(&mark)};
		t->rows[row] = 0;
	}
}

static void track_token(struct tracker *t, const struct pass *w)
{
	const struct xml_scan *s = &w->scan;
	bool opens = s->token == XML_SCAN_OPEN, closes = s->token == XML_SCAN_CLOSE;

	if (!opens && !closes)
		return;
	if (t->depth) { /* text boxes are handled with their paragraph */
		if (closes && s->depth == t->depth) {
			t->paragraph.to = t->base + s->to;
			*ARRAY_PUSH(t->arena, &t->edits) =
				(struct splice){t->paragraph.from - t->base, s->to,
						paragraph_tracked(t->k, t->arena, t->part, t->paragraph, t->inserted)};
			t->depth = 0;
		}
		return;
	}
	if (t->rows[s->depth - 1])
		track_in_row(t, w);
	if (pass_tag(w) == TAG_TR) {
		if (opens)
			t->rows[s->depth] = s->is_empty ? 0 : s->to;
		else
			track_row(t, w, s->depth);
	}
	if (opens && pass_tag(w) == TAG_P) {
		t->paragraph = (struct place){t->base + s->from, 0, w->names[s->depth - 1]};
		t->depth = s->depth;
	}
}

/* A block with every paragraph and row in it tracked as inserted or deleted. */
static struct text block_tracked(struct comparing *k, struct text part, const struct block *b, bool inserted)
{
	scoped(arena_free) struct arena scratch = {0};
	struct tracker t = {.k = k, .arena = &scratch, .part = part, .base = b->from, .inserted = inserted};
	struct pass w;

	if (b->tag == TAG_P)
		return paragraph_tracked(k, k->c->arena, part, (struct place){b->from, b->to, b->names}, inserted);
	pass_begin(&w, &scratch, text_slice(part, b->from, b->to), b->names);
	while (pass_next(&w))
		track_token(&t, &w);
	return splice_apply(k->c->arena, text_slice(part, b->from, b->to), t.edits.items, t.edits.n);
}

static void change(struct comparing *k, uint32_t from, uint32_t to, struct text with)
{
	*ARRAY_PUSH(k->c->arena, &k->edits) = (struct splice){from, to, with};
}

struct tally tally_begin(const struct comparing *k) { return (struct tally){*k->stamp, *k->counts}; }

void tally_end(struct comparing *k, const struct tally *before)
{
	int32_t next = k->stamp->next_id;

	*k->stamp = before->stamp;
	k->stamp->next_id = next;
	*k->counts = before->counts;
}

/* Takes back what was counted between the two. Ids are never used twice. */
static void tally_replace(struct comparing *k, const struct tally *before, const struct tally *after)
{
	k->stamp->insertions -= after->stamp.insertions - before->stamp.insertions;
	k->stamp->deletions -= after->stamp.deletions - before->stamp.deletions;
	k->stamp->formats -= after->stamp.formats - before->stamp.formats;
	k->counts->modified -= after->counts.modified - before->counts.modified;
	k->counts->left_out -= after->counts.left_out - before->counts.left_out;
}

/* An element's properties. Absent ones have from == to. */
struct property {
	uint32_t from, to;
	struct text inner;
};
enum { PROPERTIES_MAX = 2 };

/* Finds the properties with these names at the start of an element. *start is where its content begins; 0: nowhere. */
static void read_properties(struct comparing *k, struct text part, struct place at, const char *const *names,
			    struct property *out, uint32_t *start)
{
	scoped(arena_free) struct arena scratch = {0};
	struct text bytes = text_slice(part, at.from, at.to), local;
	uint32_t inner = 0, which = PROPERTIES_MAX;
	struct pass w;

	*start = 0;
	pass_begin(&w, &scratch, bytes, at.names);
	while (pass_next(&w)) {
		const struct xml_scan *s = &w.scan;
		if (s->depth == 1 && s->token == XML_SCAN_OPEN && !s->is_empty)
			*start = at.from + s->to;
		if (s->depth != 2 || (s->token != XML_SCAN_OPEN && s->token != XML_SCAN_CLOSE))
			continue;
		if (s->token == XML_SCAN_CLOSE) {
			if (which < PROPERTIES_MAX)
				out[which] =
					(struct property){out[which].from, at.from + s->to,
							  text_slice(bytes, inner, s->from > inner ? s->from : inner)};
			continue;
		}
		names_split(w.names[2], s->name, false, &local);
		if (!text_ends(local, "Pr") && !text_ends(local, "PrEx") && !text_ends(local, "Grid"))
			break;
		for (which = 0; which < PROPERTIES_MAX && names[which] && !pass_is(&w, names[which]); which++)
			;
		if (which < PROPERTIES_MAX && !names[which])
			which = PROPERTIES_MAX;
		if (which < PROPERTIES_MAX)
			out[which].from = at.from + s->from;
		inner = s->to;
	}
	k->is_broken |= w.scan.is_bad;
}

/* Compares the properties of two tables, rows or cells. */
static void compare_properties(struct comparing *k, struct place old, struct place new, const char *const *names)
{
	struct property was[PROPERTIES_MAX] = {0}, now[PROPERTIES_MAX] = {0};
	uint32_t place, start;

	if (k->is_survey)
		return;
	read_properties(k, k->old, old, names, was, &place);
	read_properties(k, k->new, new, names, now, &start);
	for (size_t i = 0; i < PROPERTIES_MAX && names[i] && place; i++) {
		if (was[i].to)
			place = was[i].to;
		if (text_same(was[i].inner, now[i].inner))
			continue;
		struct text with =
			properties_tracked(k->c->arena, old.names, names[i], was[i].inner.at ? was[i].inner : TEXT(""),
					   now[i].inner.at ? now[i].inner : TEXT(""), k->stamp);
		change(k, was[i].to ? was[i].from : place, place, with);
	}
}

/* Compares two rows with the same number of cells, cell by cell. */
static void compare_rows(struct comparing *k, struct place old, struct place new)
{
	static const char *const of_row[] = {"tblPrEx", "trPr"}, *const of_cell[] = {"tcPr", NULL};
	struct blocks a = {0}, b = {0};

	compare_properties(k, old, new, of_row);
	blocks_of(k, k->old, old, LEVEL_CELLS, &a);
	blocks_of(k, k->new, new, LEVEL_CELLS, &b);
	for (size_t i = 0; i < a.list.n && i < b.list.n && !k->is_broken; i++) {
		struct place was = {a.list.items[i].from, a.list.items[i].to, a.list.items[i].names};
		struct place now = {b.list.items[i].from, b.list.items[i].to, b.list.items[i].names};
		compare_properties(k, was, now, of_cell);
		compare_inside(k, was, now, LEVEL_BLOCKS);
	}
}

/* Compares the content of two content controls. */
static void compare_controls(struct comparing *k, struct place old, struct place new)
{
	struct arena *lasting = k->c->arena; /* the survey keeps names */
	struct places a = {0}, b = {0};

	k->is_broken |= !pass_children(lasting, k->old, old, TAG_SDT_CONTENT, 1, &a) ||
			!pass_children(lasting, k->new, new, TAG_SDT_CONTENT, 1, &b);
	if (a.list.n && b.list.n && !k->is_broken)
		compare_inside(k, a.list.items[0], b.list.items[0], LEVEL_BLOCKS);
}

/* The paragraph deleted, and its new form inserted after it. */
static bool whole_redline(struct comparing *k, struct arena *a, const struct written *w, struct text was,
			  struct text now, struct text *out)
{
	struct text gone, come;

	if (tail_has_section(redline_properties(a, was, w->old.names)) ||
	    tail_has_section(redline_properties(a, now, w->new.names)))
		return false;
	now = portable(k, a, now, w->new.names, (struct text){0});
	if (!redline_paragraph(a, was, (struct text){0}, w->old.names, MARK_DELETED, (struct text){0}, k->stamp,
			       &gone) ||
	    !redline_paragraph(a, (struct text){0}, now, w->old.names, MARK_INSERTED, (struct text){0}, k->stamp,
			       &come))
		return false;
	*out = text_format(a, "%.*s%.*s", TEXT_ARGS(gone), TEXT_ARGS(come));
	return true;
}

/* Writes a changed paragraph at the level of w. Returns false if it cannot be written at this level. */
static bool write_paragraph(struct comparing *k, struct arena *a, struct written *w, struct text *out)
{
	struct text was = text_slice(k->old, w->old.from, w->old.to);
	struct text now = text_slice(k->new, w->new.from, w->new.to);
	struct boxed boxes = {0};
	bool has_boxes = w->level == LEVEL_WORDS && boxes_compare(k, a, w->old, w->new, &boxes);
	struct tally tally = tally_begin(k);
	bool is_done;

	if (k->is_survey)
		return false;
	if (w->level == LEVEL_WHOLE) {
		k->counts->modified++;
		return whole_redline(k, a, w, was, now, out);
	}
	for (;; has_boxes = false) {
		struct text from = has_boxes ? boxes.was : was;
		struct text to = portable(k, a, has_boxes ? boxes.now : now, w->new.names, from);
		int32_t own = k->stamp->next_id;
		k->stamp->is_coarse = w->level == LEVEL_CONTENT;
		is_done = redline_paragraph(a, from, to, w->old.names, MARK_PLAIN, (struct text){0}, k->stamp, out);
		k->stamp->is_coarse = false;
		k->counts->modified += k->stamp->next_id != own;
		if (!is_done || !has_boxes || boxes_fill(a, &boxes, out))
			return is_done;
		tally_end(k, &tally);
	}
}

static void compare_paragraphs(struct comparing *k, struct place old, struct place new)
{
	scoped(arena_free) struct arena scratch = {0};
	struct written w = {.old = old, .new = new, .before = tally_begin(k)};
	int32_t before = k->stamp->next_id;
	struct text out;

	if (!write_paragraph(k, &scratch, &w, &out) || k->stamp->next_id == before)
		return;
	w.edit = k->edits.n;
	w.after = tally_begin(k);
	change(k, old.from, old.to, text_copy(k->c->arena, out));
	*ARRAY_PUSH(k->c->arena, &k->written) = w;
}

bool compare_coarser(struct comparing *k, size_t edit)
{
	scoped(arena_free) struct arena scratch = {0};
	struct written *w = NULL;
	struct text out;

	for (size_t i = 0; i < k->written.n && !w; i++)
		w = k->written.items[i].edit == edit ? &k->written.items[i] : NULL;
	if (!w || w->level == LEVEL_WHOLE)
		return false;
	tally_replace(k, &w->before, &w->after);
	w->before = tally_begin(k);
	w->level++;
	if (!write_paragraph(k, &scratch, w, &out))
		return false;
	w->after = tally_begin(k);
	k->edits.items[edit].with = text_copy(k->c->arena, out);
	return true;
}

/* The blocks of two parents, and how they are matched. */
struct pairing {
	struct blocks old, new;
	struct hunks hunks;
	uint32_t **pairs; /* by hunk: the new block of each old one, from the hunk's start, or UINT32_MAX */
	/* The tail (tail.h) begins at these blocks, which stay. Without a tail, tail_old is old.list.n. */
	uint32_t tail_old, tail_new;
};

/* Is it the copy of alternate content for old readers? */
static bool is_twin(struct text part, const struct block *b)
{
	struct text tag = text_slice(part, b->from, b->to), local;
	size_t end = 1;

	while (end < tag.len && !strchr(" \t\r\n/>", tag.at[end]))
		end++;
	return names_split(b->names, text_slice(tag, 1, end), false, &local) == SPACE_MC && text_is(local, "Fallback");
}

static void compare_pair(struct comparing *k, const struct pairing *m, uint32_t i, uint32_t j)
{
	const struct block *a = &m->old.list.items[i], *b = &m->new.list.items[j];
	static const char *const of_table[] = {"tblPr", "tblGrid"};
	struct place old = {a->from, a->to, a->names}, new = {b->from, b->to, b->names};
	struct tally tally = tally_begin(k);

	if (a->tag == TAG_P) {
		compare_paragraphs(k, old, new);
	} else if (a->tag == TAG_TR) {
		compare_rows(k, old, new);
	} else if (a->tag == TAG_SDT) {
		compare_controls(k, old, new);
	} else if (a->tag == TAG_TBL) {
		compare_properties(k, old, new, of_table);
		compare_inside(k, old, new, LEVEL_ROWS);
	} else {
		compare_inside(k, old, new, LEVEL_BLOCKS);
		/* A change in the copy for old readers is the same change. */
		if (is_twin(k->old, a))
			tally_end(k, &tally);
	}
}

/* The pairing of a hunk's blocks with the highest similarity. pair[i] is the new block of old block i, or
 * UINT32_MAX. */
static uint32_t *pairs_of(struct arena *a, const struct block *old, uint32_t n, const struct block *new, uint32_t m)
{
	scoped(arena_free) struct arena scratch = {0};
	uint32_t *pair = arena_array(a, n + 1, sizeof *pair);
	double *best, least = ALIKE_PERCENT / 100.0;

	for (uint32_t i = 0; i < n; i++)
		pair[i] = UINT32_MAX;
	if (n > PAIRS_MAX || m > PAIRS_MAX) {
		for (uint32_t i = 0; i < n && i < m; i++)
			if (similarity(&old[i], &new[i]) >= least)
				pair[i] = i;
		return pair;
	}
	best = arena_array(&scratch, (size_t)(n + 1) * (m + 1), sizeof *best);
	for (uint32_t i = n; i-- > 0;)
		for (uint32_t k = m; k-- > 0;) {
			double skip = best[(i + 1) * (m + 1) + k], other = best[i * (m + 1) + k + 1];
			double alike = similarity(&old[i], &new[k]);
			double taken = alike >= least ? alike + best[(i + 1) * (m + 1) + k + 1] : 0;
			double most = skip > other ? skip : other;
			best[i * (m + 1) + k] = taken > most ? taken : most;
		}
	for (uint32_t i = 0, k = 0; i < n && k < m;) {
		double here = best[i * (m + 1) + k], alike = similarity(&old[i], &new[k]);
		if (alike >= least && here <= alike + best[(i + 1) * (m + 1) + k + 1]) {
			pair[i++] = k++;
		} else if (here <= best[(i + 1) * (m + 1) + k]) {
			i++;
		} else {
			k++;
		}
	}
	return pair;
}

/* Where new blocks before old block `i` are inserted: at its start, or after the last block. */
static uint32_t place_before(const struct blocks *old, size_t i)
{
	const struct block *all = old->list.items;

	if (!all || !old->list.n)
		return old->inner;
	return i < old->list.n ? all[i].from : all[old->list.n - 1].to;
}

/* Deletes and inserts whole blocks of the hunk and compares pairs, up to old block `to` and new block `new_to`. */
static void compare_hunk(struct comparing *k, const struct pairing *m, const struct hunk *h, const uint32_t *pair,
			 uint32_t to, uint32_t new_to)
{
	uint32_t n = to - h->from, next = 0;

	for (uint32_t i = 0; i <= n; i++) {
		uint32_t until = i == n ? new_to - h->new_from : pair[i] == UINT32_MAX ? next : pair[i];
		const struct block *at = i < n ? &m->old.list.items[h->from + i] : NULL;
		if (at && pair[i] == UINT32_MAX && k->is_survey) {
			*ARRAY_PUSH(k->c->arena, &k->gone.list) = *at;
			continue;
		}
		if (at && pair[i] == UINT32_MAX) {
			change(k, at->from, at->to, block_tracked(k, k->old, at, false));
			continue;
		}
		uint32_t place = place_before(&m->old, h->from + i);
		for (; next < until; next++) {
			const struct block *new = &m->new.list.items[h->new_from + next];
			if (k->is_survey)
				*ARRAY_PUSH(k->c->arena, &k->come.list) = *new;
			else
				change(k, place, place, block_tracked(k, k->new, new, true));
		}
		if (at) {
			compare_pair(k, m, h->from + i, h->new_from + pair[i]);
			next = pair[i] + 1;
		}
	}
}

static bool are_paragraphs(const struct blocks *b, uint32_t from)
{
	for (; from < b->list.n; from++)
		if (b->list.items[from].tag != TAG_P)
			return false;
	return true;
}

/* Finds the tail, if there is one: the last hunk reaches the end of both sides, and a paragraph before it stays. */
static void find_tail(const struct comparing *k, struct pairing *m)
{
	const struct hunk *h = m->hunks.n ? &m->hunks.items[m->hunks.n - 1] : NULL;

	m->tail_old = (uint32_t)m->old.list.n;
	m->tail_new = (uint32_t)m->new.list.n;
	if (!h || h->to != m->old.list.n || h->new_to != m->new.list.n || !m->old.list.n || !m->pairs[m->hunks.n - 1])
		return; /* without pairs, the call was stopped */
	uint32_t old = h->from, new = h->new_from;
	const uint32_t *pair = m->pairs[m->hunks.n - 1];
	for (uint32_t i = 0; i < h->to - h->from; i++)
		if (pair[i] != UINT32_MAX) {
			old = h->from + i + 1;
			new = h->new_from + pair[i] + 1;
		}
	uint32_t end = m->old.list.items[m->old.list.n - 1].to;
	if (!old || !new || (old == h->to && new == h->new_to) || !are_paragraphs(&m->old, old - 1) ||
	    !are_paragraphs(&m->new, new - 1) || !tail_ends(k->old, end, m->old.names))
		return;
	m->tail_old = old - 1;
	m->tail_new = new - 1;
}

/* Do its references mean the same in both versions? The text of footnotes and endnotes may differ: it is compared with
 * that of their partners. */
static bool notes_alike(struct comparing *k, struct text bytes, const struct names *names)
{
	scoped(arena_free) struct arena scratch = {0};
	struct fragment f;

	if (text_find(bytes, TEXT("Reference"), 0) == SIZE_MAX)
		return true;
	if (!fragment_parse(&scratch, bytes, names, &f))
		return false;
	for (uint32_t i = 0; i < f.xml.n; i++) {
		enum annotation which;
		if (!notes_of(f.tags[i], &which))
			continue;
		int32_t id = note_id(&scratch, &f, i);
		if (which == ANNOTATION_COMMENTS ? !notes_same(k->notes, which, id, id)
						 : !notes_are_there(k->notes, which, id, id))
			return false;
		if (which != ANNOTATION_COMMENTS && !k->is_survey)
			notes_pair(k->notes, which, id, id);
	}
	return true;
}

/* Are the bytes equal, without ids that may mean something else in the other package? */
static bool is_same(struct comparing *k, const struct pairing *m, uint32_t i, uint32_t j)
{
	const struct block *a = &m->old.list.items[i], *b = &m->new.list.items[j];
	struct text was = text_slice(k->old, a->from, a->to);

	return text_same(was, text_slice(k->new, b->from, b->to)) &&
	       (k->carry->from == k->carry->to || text_find(was, k->relation_mark, 0) == SIZE_MAX) &&
	       notes_alike(k, was, a->names);
}

/* Lists the paragraphs of a tail: the one that stays, the deleted ones, the inserted ones. */
static void list_tail(struct comparing *k, struct arena *a, const struct pairing *m, struct tail_paragraph *list)
{
	size_t n = 0;

	for (uint32_t i = m->tail_old; i < m->old.list.n; i++) {
		const struct block *b = &m->old.list.items[i];
		list[n++] = (struct tail_paragraph){text_slice(k->old, b->from, b->to), {0}};
	}
	for (uint32_t i = m->tail_new; i < m->new.list.n; i++) {
		const struct block *b = &m->new.list.items[i];
		struct text was = i == m->tail_new ? list[0].before : (struct text){0};
		struct text now = text_slice(k->new, b->from, b->to);
		/* An unchanged paragraph keeps its bytes. */
		if (!was.at || !is_same(k, m, m->tail_old, i))
			now = portable(k, a, now, m->new.names, was);
		if (i == m->tail_new)
			list[0].after = now;
		else
			list[n++] = (struct tail_paragraph){{0}, now};
	}
}

static void compare_tail(struct comparing *k, const struct pairing *m)
{
	scoped(arena_free) struct arena scratch = {0};
	size_t olds = m->old.list.n - m->tail_old, n = olds + (m->new.list.n - m->tail_new) - 1;
	struct tail_paragraph *list = arena_array(&scratch, n, sizeof *list);
	struct text *out = arena_array(&scratch, n, sizeof *out);
	struct stamp before = *k->stamp;

	if (k->is_survey)
		return;
	list_tail(k, &scratch, m, list);
	if (!tail_write(&scratch, list, n, m->old.names, k->stamp, out)) {
		/* A section ends there, so whole paragraphs are deleted and inserted. */
		*k->stamp = before;
		for (size_t i = 0; i < n; i++)
			redline_paragraph(&scratch, list[i].before, list[i].after, m->old.names,
					  !list[i].before.at  ? MARK_INSERTED
					  : !list[i].after.at ? MARK_DELETED
							      : MARK_PLAIN,
					  (struct text){0}, k->stamp, &out[i]);
	}
	uint32_t place = m->old.list.items[m->old.list.n - 1].to;
	for (size_t i = 0; i < n; i++) {
		const struct block *b = i < olds ? &m->old.list.items[m->tail_old + i] : NULL;
		change(k, b ? b->from : place, b ? b->to : place, text_copy(k->c->arena, out[i]));
	}
	k->counts->deleted += (uint32_t)olds - 1;
	k->counts->inserted += (uint32_t)(n - olds);
	k->counts->modified += !text_same(list[0].before, list[0].after);
}

static int by_hash(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The blocks as small numbers, equal for equal blocks: indices in the sorted list of all hashes. */
static struct sequence_item *items_of(struct arena *a, const struct blocks *b, const uint64_t *hashes, size_t n)
{
	struct sequence_item *items = arena_array(a, b->list.n + 1, sizeof *items);

	for (size_t i = 0; i < b->list.n; i++) {
		const uint64_t *at = bsearch(&b->list.items[i].hash, hashes, n, sizeof *hashes, by_hash);
		items[i] = (struct sequence_item){(uint32_t)(at - hashes), 1 + b->list.items[i].len};
	}
	return items;
}

static void find_hunks(struct comparing *k, struct pairing *m)
{
	scoped(arena_free) struct arena scratch = {0};
	size_t n = m->old.list.n, all = n + m->new.list.n, kept = 0;
	uint64_t *hashes = arena_array(&scratch, all + 1, sizeof *hashes);

	for (size_t i = 0; i < all; i++)
		hashes[i] = i < n ? m->old.list.items[i].hash : m->new.list.items[i - n].hash;
	array_sort(hashes, all, sizeof *hashes, by_hash);
	for (size_t i = 0; i < all; i++)
		if (!kept || hashes[kept - 1] != hashes[i])
			hashes[kept++] = hashes[i];
	m->hunks = sequence_compare(k->c->arena, items_of(&scratch, &m->old, hashes, kept), (uint32_t)n,
				    items_of(&scratch, &m->new, hashes, kept), (uint32_t)(all - n));
}

/* The survey matches the blocks. The second pass visits them in the same order and reuses the matches. */
static struct pairing *match_blocks(struct comparing *k, struct place old, struct place new, enum block_level level)
{
	struct arena *a = k->c->arena;

	if (!k->is_survey)
		return k->matches.items[k->matches_used++];
	struct pairing *m = arena_new(a, struct pairing);
	*ARRAY_PUSH(a, &k->matches) = m;
	blocks_of(k, k->old, old, level, &m->old);
	blocks_of(k, k->new, new, level, &m->new);
	find_hunks(k, m);
	m->pairs = arena_array(a, m->hunks.n + 1, sizeof *m->pairs);
	for (size_t i = 0; i < m->hunks.n && !k->is_broken && goes_on(k->c); i++) {
		const struct hunk *h = &m->hunks.items[i];
		blocks_liken(k, k->old, &m->old, h->from, h->to);
		blocks_liken(k, k->new, &m->new, h->new_from, h->new_to);
		m->pairs[i] = pairs_of(a, m->old.list.items + h->from, h->to - h->from, m->new.list.items + h->new_from,
				       h->new_to - h->new_from);
	}
	find_tail(k, m);
	return m;
}

void compare_inside(struct comparing *k, struct place old, struct place new, enum block_level level)
{
	struct pairing *m = match_blocks(k, old, new, level);
	uint32_t i = 0, j = 0;

	for (size_t h = 0; h <= m->hunks.n && !k->is_broken && goes_on(k->c); h++) {
		const struct hunk *hunk = h < m->hunks.n ? &m->hunks.items[h] : NULL;
		uint32_t end = hunk ? hunk->from : (uint32_t)m->old.list.n;
		bool has_tail = h + 1 == m->hunks.n && m->tail_old < m->old.list.n;
		if (has_tail)
			end = m->tail_old < end ? m->tail_old : end;
		/* Equal words may still look different. */
		for (; i < end; i++, j++)
			if (!is_same(k, m, i, j))
				compare_pair(k, m, i, j);
		if (!hunk)
			break;
		if (!has_tail || m->tail_old >= hunk->from)
			compare_hunk(k, m, hunk, m->pairs[h], has_tail ? m->tail_old : hunk->to,
				     has_tail ? m->tail_new : hunk->new_to);
		if (has_tail)
			compare_tail(k, m);
		i = hunk->to;
		j = hunk->new_to;
	}
}

/* Finds the body of a part, and the names that its root declares. On failure it returns false and sets the error. */
static bool find_body(struct call *c, struct text part, struct place *body, struct place *section, struct root *out)
{
	static const struct names none = {0};
	struct text root = fragment_root(part);
	uint32_t base = (uint32_t)(root.at - part.at);
	struct pass w;

	*body = *section = (struct place){0};
	pass_begin(&w, c->arena, root, &none);
	while (pass_next(&w)) {
		const struct xml_scan *s = &w.scan;
		if (s->token == XML_SCAN_OPEN && s->depth == 1)
			*out = (struct root){w.names[1], base + s->to};
		if (s->depth == 2 && pass_tag(&w) == TAG_BODY && !body->to) {
			if (s->token == XML_SCAN_OPEN)
				*body = (struct place){base + s->from, 0, w.names[1]};
			else if (s->token == XML_SCAN_CLOSE)
				body->to = base + s->to;
		} else if (s->depth == 3 && pass_tag(&w) == TAG_SECT_PR) {
			if (s->token == XML_SCAN_OPEN)
				*section = (struct place){base + s->from, 0, w.names[2]};
			else if (s->token == XML_SCAN_CLOSE)
				section->to = base + s->to;
		}
	}
	if (w.scan.is_bad)
		return fail_as(c, "INVALID_DOCX_ARCHIVE",
			       "the main part is not well-formed XML; repair the file in Word");
	return body->to ||
	       fail_as(c, "INVALID_DOCX_ARCHIVE", "a document has no body; open it in Word and save it again");
}

/* Prefixes that only the revised part declares, for the original's start tag. Returns false if a prefix has two
 * meanings. */
static bool missing_prefixes(struct comparing *k, const struct names *old, const struct names *new, struct buffer *to)
{
	for (size_t i = 0; i < new->n; i++) {
		const struct binding *b = &new->items[i];
		bool known = false;
		for (size_t j = 0; j < old->n; j++)
			if (text_same(old->items[j].prefix, b->prefix)) {
				known = true;
				if (!text_same(old->items[j].uri, b->uri))
					return fail_as(
						k->c, "UNSUPPORTED_COMPARISON",
						"the two documents use the prefix %s for different namespaces; save both "
						"with the same program, then compare",
						shown(k->c, b->prefix));
			}
		if (!known && b->prefix.len)
			buffer_format(to, " xmlns:%.*s=\"%.*s\"", TEXT_ARGS(b->prefix), TEXT_ARGS(b->uri));
	}
	return true;
}

bool compare_places(struct comparing *k, const struct place_pair *pairs, size_t n, const struct root *old,
		    const struct root *new)
{
	struct buffer prefixes = {.arena = k->c->arena};

	k->stamp->keeps_marks = true;
	k->old_names = old->names;
	if (!missing_prefixes(k, old->names, new->names, &prefixes))
		return false;
	k->relation_mark = text_format(k->c->arena, " %.*s:", TEXT_ARGS(names_prefix(old->names, SPACE_R, true)));
	/* The first pass finds inserted and deleted blocks, the second writes the changes. */
	k->is_survey = true;
	for (size_t i = 0; i < n && goes_on(k->c); i++)
		compare_inside(k, pairs[i].old, pairs[i].new, LEVEL_BLOCKS);
	moves_find(k);
	k->is_survey = false;
	for (size_t i = 0; i < n && goes_on(k->c); i++)
		compare_inside(k, pairs[i].old, pairs[i].new, LEVEL_BLOCKS);
	if (!goes_on(k->c))
		return false;
	if (!compare_proved(k, pairs, n, old->names, buffer_text(&prefixes)))
		return false;
	if (prefixes.len && k->edits.n)
		change(k, old->inner - 1, old->inner - 1, buffer_text(&prefixes));
	return true;
}

struct comparing compare_begin(struct call *c, struct text original, struct text revised, struct carry *carry,
			       struct carry_text *text, struct notes *notes, struct stamp *stamp,
			       struct comparison *counts)
{
	return (struct comparing){.c = c,
				  .old = original,
				  .new = revised,
				  .carry = carry,
				  .text = text,
				  .notes = notes,
				  .moved_from = {.arena = c->arena},
				  .moved_to = {.arena = c->arena},
				  .stamp = stamp,
				  .counts = counts};
}

bool compare_parts(struct call *c, struct text original, struct text revised, struct carry *carry, struct notes *notes,
		   struct stamp *stamp, struct comparison *counts, struct pieces *out)
{
	struct comparing k = compare_begin(c, original, revised, carry, &carry->main, notes, stamp, counts);
	struct place_pair body = {0};
	struct place was, now;
	struct root old, new;

	if (!find_body(c, original, &body.old, &was, &old) || !find_body(c, revised, &body.new, &now, &new))
		return false;
	if (was.to && now.to) {
		struct text before = text_slice(k.old, was.from, was.to);
		struct text after =
			section_tracked(c->arena, before, text_slice(k.new, now.from, now.to), was.names, stamp);
		if (after.at != before.at)
			change(&k, was.from, was.to, after);
	}
	if (!compare_places(&k, &body, 1, &old, &new))
		return false;
	*out = splice_pieces(c->arena, original, k.edits.items, k.edits.n);
	return true;
}
