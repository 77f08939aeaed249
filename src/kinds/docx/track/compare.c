#include "kinds/docx/track/compare.h"
#include "kinds/docx/text/sequence.h"
#include "kinds/docx/track/comparing.h"
#include "kinds/docx/track/tail.h"

#include <stdio.h>

#define scoped(drop) __attribute__((cleanup(drop)))

enum { PAIRS_MAX = 250 }; /* blocks on each side of a change that are all compared with each other */

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

/* The splice that tracks a row as a whole. */
static struct splice row_splice(struct comparing *k, const struct side *s, uint32_t row, bool inserted)
{
	const struct names *names = fragment_names(&s->f, row);
	struct buffer out = {.arena = k->c->arena};
	uint32_t at = s->f.xml.nodes[row].inner;

	for (uint32_t i = xml_first(&s->f.xml, row); i != XML_NONE; i = xml_next(&s->f.xml, i)) {
		enum space space;
		if (s->f.tags[i] == TAG_NOT_ELEMENT)
			continue;
		struct text local = fragment_local(&s->f, i, &space);
		if (text_is(local, "trPr") && !s->f.xml.nodes[i].is_empty_tag) {
			put_row_mark(k, &out, names, inserted);
			return (struct splice){s->f.xml.nodes[i].inner_to, s->f.xml.nodes[i].inner_to,
					       buffer_text(&out)};
		}
		if (text_is(local, "tblPrEx"))
			at = s->f.xml.nodes[i].to;
	}
	names_open(&out, names, "trPr");
	buffer_byte(&out, '>');
	put_row_mark(k, &out, names, inserted);
	names_close(&out, names, "trPr");
	return (struct splice){at, at, buffer_text(&out)};
}

static struct text paragraph_tracked(struct comparing *k, const struct side *s, uint32_t node, bool inserted)
{
	const struct names *names = fragment_names(&s->f, s->f.xml.nodes[node].parent);
	struct text bytes = bytes_of(s, node), out = bytes;
	const uint32_t *move = move_of(k, node, inserted);

	if (inserted)
		bytes = portable(k, bytes, names, (struct text){0});
	k->stamp->is_move = move;
	redline_paragraph(k->c->arena, inserted ? (struct text){0} : bytes, inserted ? bytes : (struct text){0}, names,
			  inserted ? MARK_INSERTED : MARK_DELETED, (struct text){0}, k->stamp, &out);
	k->stamp->is_move = false;
	if (move) {
		k->counts->moved += inserted;
		return move_marked(k, out, names, inserted, *move);
	}
	*(inserted ? &k->counts->inserted : &k->counts->deleted) += 1;
	return out;
}

/* A block with every paragraph and row in it tracked as inserted or deleted. */
static struct text block_tracked(struct comparing *k, const struct side *s, uint32_t node, bool inserted)
{
	const struct xml_node *n = &s->f.xml.nodes[node];
	ARRAY(struct splice) edits = {0};

	if (s->f.tags[node] == TAG_P)
		return paragraph_tracked(k, s, node, inserted);
	for (uint32_t i = node; i < n->after; i++) {
		struct splice edit;
		if (s->f.tags[i] == TAG_P) {
			edit = (struct splice){s->f.xml.nodes[i].from, s->f.xml.nodes[i].to,
					       paragraph_tracked(k, s, i, inserted)};
		} else if (s->f.tags[i] == TAG_TR && !s->f.xml.nodes[i].is_empty_tag) {
			edit = row_splice(k, s, i, inserted);
		} else {
			continue;
		}
		edit.from -= n->from;
		edit.to -= n->from;
		*ARRAY_PUSH(k->c->arena, &edits) = edit;
		if (s->f.tags[i] == TAG_P)
			i = s->f.xml.nodes[i].after - 1;
	}
	return splice_apply(k->c->arena, bytes_of(s, node), edits.items, edits.n);
}

static void compare_inside(struct comparing *k, uint32_t old, uint32_t new, bool rows);

static void change(struct comparing *k, uint32_t from, uint32_t to, struct text with)
{
	*ARRAY_PUSH(k->c->arena, &k->edits) = (struct splice){from, to, with};
}

static void compare_cells(struct comparing *k, uint32_t old, uint32_t new)
{
	uint32_t a = xml_first(&k->old.f.xml, old), b = xml_first(&k->new.f.xml, new);

	for (;;) {
		while (a != XML_NONE && k->old.f.tags[a] != TAG_TC)
			a = xml_next(&k->old.f.xml, a);
		while (b != XML_NONE && k->new.f.tags[b] != TAG_TC)
			b = xml_next(&k->new.f.xml, b);
		if (a == XML_NONE || b == XML_NONE)
			return;
		compare_inside(k, a, b, false);
		a = xml_next(&k->old.f.xml, a);
		b = xml_next(&k->new.f.xml, b);
	}
}

static void compare_pair(struct comparing *k, const struct block *old, const struct block *new)
{
	const struct xml_node *n = &k->old.f.xml.nodes[old->node];

	if (old->tag == TAG_TR) {
		compare_cells(k, old->node, new->node);
	} else if (old->tag == TAG_TBL) {
		compare_inside(k, old->node, new->node, true);
	} else if (old->tag == TAG_SDT) {
		uint32_t a = fragment_child(&k->old.f, old->node, TAG_SDT_CONTENT);
		uint32_t b = fragment_child(&k->new.f, new->node, TAG_SDT_CONTENT);
		if (a != XML_NONE && b != XML_NONE)
			compare_inside(k, a, b, false);
	} else if (!k->is_survey) {
		const struct names *names = fragment_names(&k->old.f, n->parent);
		struct text was = bytes_of(&k->old, old->node), out;
		const struct names *other = fragment_names(&k->new.f, k->new.f.xml.nodes[new->node].parent);
		struct text now = portable(k, bytes_of(&k->new, new->node), other, was);
		int32_t before = k->stamp->next_id;
		scoped(arena_free) struct arena scratch = {0};
		if (!redline_paragraph(&scratch, was, now, names, MARK_PLAIN, (struct text){0}, k->stamp, &out) ||
		    k->stamp->next_id == before)
			return;
		k->counts->modified++;
		change(k, n->from, n->to, text_copy(k->c->arena, out));
	}
}

/* The pairing of a hunk with the most in common; pair[i] is the new block of old block i, or UINT32_MAX. */
static uint32_t *pairs_of(struct arena *a, const struct block *old, uint32_t n, const struct block *new, uint32_t m)
{
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
	best = arena_array(a, (size_t)(n + 1) * (m + 1), sizeof *best);
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

/* Where new blocks before old block `i` go: at its start, or behind the last one. */
static uint32_t place_before(const struct comparing *k, const struct blocks *old, size_t i, uint32_t parent)
{
	const struct xml_node *nodes = k->old.f.xml.nodes;

	if (i < old->list.n)
		return nodes[old->list.items[i].node].from;
	return old->list.n ? nodes[old->list.items[old->list.n - 1].node].to : nodes[parent].inner;
}

/* The blocks of two parents, and what is to be done with them. */
struct pairing {
	struct blocks old, new;
	struct hunks hunks;
	uint32_t *last_pairs; /* of the last hunk */
	/* The tail (tail.h): blocks from here on, the first of which stay; none: tail_old is old.list.n. */
	uint32_t tail_old, tail_new;
	uint32_t parent;
};

/* Whole blocks of the hunk come and go, pairs are compared: up to old block `to` and new block `new_to`. */
static void compare_hunk(struct comparing *k, const struct pairing *m, const struct hunk *h, const uint32_t *pair,
			 uint32_t to, uint32_t new_to)
{
	uint32_t n = to - h->from, next = 0;

	for (uint32_t i = 0; i <= n; i++) {
		uint32_t until = i == n ? new_to - h->new_from : pair[i] == UINT32_MAX ? next : pair[i];
		const struct block *at = i < n ? &m->old.list.items[h->from + i] : NULL;
		struct buffer fresh = {.arena = k->c->arena};
		if (at && pair[i] == UINT32_MAX && k->is_survey) {
			*ARRAY_PUSH(k->c->arena, &k->gone.list) = *at;
			continue;
		}
		if (at && pair[i] == UINT32_MAX) {
			const struct xml_node *x = &k->old.f.xml.nodes[at->node];
			change(k, x->from, x->to, block_tracked(k, &k->old, at->node, false));
			continue;
		}
		for (; next < until; next++) {
			const struct block *new = &m->new.list.items[h->new_from + next];
			if (k->is_survey)
				*ARRAY_PUSH(k->c->arena, &k->come.list) = *new;
			else
				buffer_add(&fresh, block_tracked(k, &k->new, new->node, true));
		}
		if (fresh.len) {
			uint32_t place = place_before(k, &m->old, h->from + i, m->parent);
			change(k, place, place, buffer_text(&fresh));
		}
		if (at) {
			compare_pair(k, at, &m->new.list.items[h->new_from + pair[i]]);
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

/* Is there a tail, and where does it begin? The last hunk reaches the end of both, and a paragraph stays before it. */
static void find_tail(struct comparing *k, struct pairing *m)
{
	const struct hunk *h = m->hunks.n ? &m->hunks.items[m->hunks.n - 1] : NULL;
	const struct xml_node *nodes = k->old.f.xml.nodes;

	m->tail_old = (uint32_t)m->old.list.n;
	m->tail_new = (uint32_t)m->new.list.n;
	if (!h || h->to != m->old.list.n || h->new_to != m->new.list.n || !m->old.list.n)
		return;
	uint32_t old = h->from, new = h->new_from;
	for (uint32_t i = 0; i < h->to - h->from; i++)
		if (m->last_pairs[i] != UINT32_MAX) {
			old = h->from + i + 1;
			new = h->new_from + m->last_pairs[i] + 1;
		}
	uint32_t end = nodes[m->old.list.items[m->old.list.n - 1].node].to;
	if (!old || !new || (old == h->to && new == h->new_to) || !are_paragraphs(&m->old, old - 1) ||
	    !are_paragraphs(&m->new, new - 1) || !tail_ends(k->old.bytes, end, fragment_names(&k->old.f, m->parent)))
		return;
	m->tail_old = old - 1;
	m->tail_new = new - 1;
}

/* Do the references in it lead to notes with the same words in both versions? */
static bool notes_alike(struct comparing *k, uint32_t node)
{
	for (uint32_t i = node; i < k->old.f.xml.nodes[node].after; i++) {
		enum annotation which;
		if (!notes_of(k->old.f.tags[i], &which))
			continue;
		int32_t id = note_id(k->c->arena, &k->old.f, i);
		if (!notes_same(k->notes, which, id, id))
			return false;
	}
	return true;
}

/* To the letter, and without ids that may lead elsewhere in the other package. */
static bool is_same(struct comparing *k, uint32_t old, uint32_t new)
{
	struct text was = bytes_of(&k->old, old);

	return text_same(was, bytes_of(&k->new, new)) &&
	       (k->carry->from == k->carry->to || text_find(was, k->relation_mark, 0) == SIZE_MAX) &&
	       notes_alike(k, old);
}

/* The paragraph that stays, those that go, those that come. */
static void compare_tail(struct comparing *k, const struct pairing *m)
{
	const struct names *names = fragment_names(&k->old.f, m->parent);
	ARRAY(struct tail_paragraph) list = {0};
	struct buffer fresh = {.arena = k->c->arena};
	struct stamp before = *k->stamp;

	if (k->is_survey)
		return;
	for (uint32_t i = m->tail_old; i < m->old.list.n; i++)
		*ARRAY_PUSH(k->c->arena, &list) =
			(struct tail_paragraph){bytes_of(&k->old, m->old.list.items[i].node), {0}};
	for (uint32_t i = m->tail_new; i < m->new.list.n; i++) {
		uint32_t node = m->new.list.items[i].node;
		const struct names *other = fragment_names(&k->new.f, k->new.f.xml.nodes[node].parent);
		struct text was = i == m->tail_new ? list.items[0].before : (struct text){0};
		struct text now = bytes_of(&k->new, node);
		/* What stays to the letter keeps its bytes. */
		if (!was.at || !is_same(k, m->old.list.items[m->tail_old].node, node))
			now = portable(k, now, other, was);
		if (i == m->tail_new)
			list.items[0].after = now;
		else
			*ARRAY_PUSH(k->c->arena, &list) = (struct tail_paragraph){{0}, now};
	}
	struct text *out = arena_array(k->c->arena, list.n, sizeof *out);
	if (!tail_write(k->c->arena, list.items, list.n, names, k->stamp, out)) {
		/* A section ends there: whole paragraphs then. */
		*k->stamp = before;
		for (size_t i = 0; i < list.n; i++)
			redline_paragraph(k->c->arena, list.items[i].before, list.items[i].after, names,
					  !list.items[i].before.at  ? MARK_INSERTED
					  : !list.items[i].after.at ? MARK_DELETED
								    : MARK_PLAIN,
					  (struct text){0}, k->stamp, &out[i]);
	}
	size_t olds = m->old.list.n - m->tail_old;
	for (size_t i = 0; i < olds; i++) {
		const struct xml_node *x = &k->old.f.xml.nodes[m->old.list.items[m->tail_old + i].node];
		change(k, x->from, x->to, out[i]);
	}
	for (size_t i = olds; i < list.n; i++)
		buffer_add(&fresh, out[i]);
	uint32_t place = k->old.f.xml.nodes[m->old.list.items[m->old.list.n - 1].node].to;
	if (fresh.len)
		change(k, place, place, buffer_text(&fresh));
	k->counts->deleted += (uint32_t)olds - 1;
	k->counts->inserted += (uint32_t)(list.n - olds);
	k->counts->modified += !text_same(list.items[0].before, list.items[0].after);
}

static struct pairing *match_blocks(struct comparing *k, uint32_t old, uint32_t new, bool rows)
{
	struct arena *a = k->c->arena;

	if (!k->is_survey)
		return k->matches.items[k->matches_used++];
	struct pairing *m = arena_new(a, struct pairing);
	*ARRAY_PUSH(a, &k->matches) = m;
	m->parent = old;
	blocks_of(k, &k->old, old, rows, &m->old);
	blocks_of(k, &k->new, new, rows, &m->new);
	struct sequence_item *x = arena_array(a, m->old.list.n + 1, sizeof *x),
			     *y = arena_array(a, m->new.list.n + 1, sizeof *y);
	for (size_t i = 0; i < m->old.list.n; i++)
		x[i] = (struct sequence_item){m->old.list.items[i].key, 1 + (uint32_t)m->old.list.items[i].len};
	for (size_t i = 0; i < m->new.list.n; i++)
		y[i] = (struct sequence_item){m->new.list.items[i].key, 1 + (uint32_t)m->new.list.items[i].len};
	m->hunks = sequence_compare(a, x, (uint32_t)m->old.list.n, y, (uint32_t)m->new.list.n);
	return m;
}

static void compare_inside(struct comparing *k, uint32_t old, uint32_t new, bool rows)
{
	struct pairing *m = match_blocks(k, old, new, rows);
	uint32_t i = 0, j = 0;

	for (size_t h = 0; h <= m->hunks.n && goes_on(k->c); h++) {
		const struct hunk *hunk = h < m->hunks.n ? &m->hunks.items[h] : NULL;
		uint32_t *pair = NULL, end = hunk ? hunk->from : (uint32_t)m->old.list.n;
		if (hunk)
			pair = pairs_of(k->c->arena, m->old.list.items + hunk->from, hunk->to - hunk->from,
					m->new.list.items + hunk->new_from, hunk->new_to - hunk->new_from);
		bool is_last = h + 1 == m->hunks.n;
		if (is_last) {
			m->last_pairs = pair;
			find_tail(k, m);
			end = m->tail_old < end ? m->tail_old : end;
		}
		/* Equal words may still look different. */
		for (; i < end; i++, j++)
			if (!is_same(k, m->old.list.items[i].node, m->new.list.items[j].node))
				compare_pair(k, &m->old.list.items[i], &m->new.list.items[j]);
		if (!hunk)
			break;
		bool has_tail = is_last && m->tail_old < m->old.list.n;
		if (!has_tail || m->tail_old >= hunk->from)
			compare_hunk(k, m, hunk, pair, has_tail ? m->tail_old : hunk->to,
				     has_tail ? m->tail_new : hunk->new_to);
		if (has_tail)
			compare_tail(k, m);
		i = hunk->to;
		j = hunk->new_to;
	}
}

static bool read_side(struct call *c, struct text part, struct side *s)
{
	static const struct names none = {0};

	s->bytes = fragment_root(part);
	return fragment_parse(c->arena, s->bytes, &none, &s->f) ||
	       fail_as(c, "INVALID_DOCX_ARCHIVE", "the main part is not well-formed XML; repair the file in Word");
}

/* Prefixes that only the revised part declares, for the original's start tag; false: one means two things. */
static bool missing_prefixes(struct comparing *k, struct buffer *to)
{
	const struct names *old = fragment_names(&k->old.f, k->old.f.xml.root);
	const struct names *new = fragment_names(&k->new.f, k->new.f.xml.root);

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

bool compare_parts(struct call *c, struct text original, struct text revised, struct carry *carry, struct notes *notes,
		   struct stamp *stamp, struct comparison *counts, struct text *out)
{
	struct comparing k = {.c = c,
			      .keys = {.arena = c->arena},
			      .carry = carry,
			      .notes = notes,
			      .moved_from = {.arena = c->arena},
			      .moved_to = {.arena = c->arena},
			      .stamp = stamp,
			      .counts = counts};
	struct buffer prefixes = {.arena = c->arena};

	stamp->keeps_marks = true;
	if (!read_side(c, original, &k.old) || !read_side(c, revised, &k.new) || !missing_prefixes(&k, &prefixes))
		return false;
	uint32_t old = fragment_child(&k.old.f, k.old.f.xml.root, TAG_BODY);
	uint32_t new = fragment_child(&k.new.f, k.new.f.xml.root, TAG_BODY);
	if (old == XML_NONE || new == XML_NONE)
		return fail_as(c, "INVALID_DOCX_ARCHIVE", "a document has no body; open it in Word and save it again");
	k.relation_mark = text_format(
		c->arena, " %.*s:", TEXT_ARGS(names_prefix(fragment_names(&k.old.f, k.old.f.xml.root), SPACE_R, true)));
	/* Once to see what comes and goes, and once to write it. */
	k.is_survey = true;
	compare_inside(&k, old, new, false);
	moves_find(&k);
	k.is_survey = false;
	compare_inside(&k, old, new, false);
	if (!goes_on(c))
		return false;
	if (prefixes.len && k.edits.n) {
		uint32_t at = k.old.f.xml.nodes[k.old.f.xml.root].inner - 1;
		change(&k, at, at, buffer_text(&prefixes));
	}
	uint32_t from = (uint32_t)(k.old.bytes.at - original.at);
	for (size_t i = 0; i < k.edits.n; i++) {
		k.edits.items[i].from += from;
		k.edits.items[i].to += from;
	}
	*out = splice_apply(c->arena, original, k.edits.items, k.edits.n);
	return true;
}
