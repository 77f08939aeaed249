/* shift.c: makes the book of an edit's result from the old book, without parsing.
 *
 * An end stays with the bytes before it, and a start with the bytes after it. So an insertion between two elements
 * belongs to neither. */
#include "kinds/hnpx/tree/edits.h"

#include "base/array.h"

#include <assert.h>
#include <string.h>

struct shift {
	const struct book *old;
	struct book *book;
	struct splice *splices; /* sorted */
	int64_t *grown;         /* [i]: growth of the text before splice i; [n]: after the last */
	uint32_t n;
	uint32_t *new_place; /* of each old node; BOOK_NONE: removed */
	struct node_id *fresh_ids;
	uint32_t fresh_n;
};

/* Number of splices that end at or before the offset. Pure insertions at the offset count only for starts. */
static uint32_t passed(const struct shift *s, uint32_t x, bool is_start)
{
	uint32_t low = 0, high = s->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct splice *e = &s->splices[middle];
		bool before = e->to < x || (e->to == x && (e->from < x || is_start));
		if (before)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t moved(const struct shift *s, uint32_t x, bool is_start)
{
	return (uint32_t)(x + s->grown[passed(s, x, is_start)]);
}

static void move_by(struct node *node, int64_t by)
{
	node->from = (uint32_t)(node->from + by);
	node->to = (uint32_t)(node->to + by);
	node->inner = (uint32_t)(node->inner + by);
	node->inner_to = (uint32_t)(node->inner_to + by);
	if (node->summary != node->summary_to) {
		node->summary = (uint32_t)(node->summary + by);
		node->summary_to = (uint32_t)(node->summary_to + by);
	}
}

/* A node with splices inside: each of its offsets moves by the growth before it. */
static void stretch(const struct shift *s, struct node *node)
{
	bool is_empty_tag = node->inner == node->to;

	node->from = moved(s, node->from, true);
	node->inner = moved(s, node->inner, false);
	node->inner_to = moved(s, node->inner_to, !is_empty_tag);
	node->to = moved(s, node->to, false);
	if (node->summary != node->summary_to) {
		node->summary = moved(s, node->summary, true);
		node->summary_to = moved(s, node->summary_to, false);
	}
}

/* Copies old nodes [first, end), moved by `by`. Nodes that end after `limit` have splices inside. */
static void put_run(struct shift *s, uint32_t first, uint32_t end, int64_t by, uint32_t limit)
{
	struct node *run = &s->book->nodes[s->book->n];

	memcpy(run, &s->old->nodes[first], (end - first) * sizeof *run);
	for (uint32_t i = 0; i < end - first; i++) {
		s->new_place[first + i] = s->book->n + i;
		if (run[i].to > limit)
			stretch(s, &run[i]);
		else if (by)
			move_by(&run[i], by);
	}
	s->book->n += end - first;
}

static void put_planted(struct shift *s, const struct planting *p, uint32_t start)
{
	if (p->old != BOOK_NONE) {
		const struct node *top = &s->old->nodes[p->old];
		put_run(s, p->old, top->after, (int64_t)start + p->at - top->from, UINT32_MAX);
		return;
	}
	struct node *node = &s->book->nodes[s->book->n];
	*node = p->fresh;
	move_by(node, start);
	s->fresh_ids[s->fresh_n++] = (struct node_id){node->id, s->book->n++};
}

static int by_packed_id(const void *left, const void *right)
{
	uint32_t a = ((const struct node_id *)left)->id, b = ((const struct node_id *)right)->id;

	return a < b ? -1 : a > b;
}

/* The old ids are sorted; the few new ones are sorted and merged. */
static void merge_ids(struct shift *s)
{
	uint32_t n = 0, fresh = 0;

	array_sort(s->fresh_ids, s->fresh_n, sizeof *s->fresh_ids, by_packed_id);
	for (uint32_t i = 0; i < s->old->n; i++) {
		struct node_id id = {s->old->ids[i].id, s->new_place[s->old->ids[i].node]};
		if (id.node == BOOK_NONE)
			continue;
		while (fresh < s->fresh_n && s->fresh_ids[fresh].id < id.id)
			s->book->ids[n++] = s->fresh_ids[fresh++];
		s->book->ids[n++] = id;
	}
	while (fresh < s->fresh_n)
		s->book->ids[n++] = s->fresh_ids[fresh++];
	assert(n == s->book->n);
}

struct ordered {
	struct splice splice;
	uint32_t was;
};

static int by_place(const void *left, const void *right)
{
	const struct ordered *a = left, *b = right;

	if (a->splice.from != b->splice.from)
		return a->splice.from < b->splice.from ? -1 : 1;
	if (a->splice.to != b->splice.to)
		return a->splice.to < b->splice.to ? -1 : 1;
	return a->was < b->was ? -1 : a->was > b->was;
}

static void sort_splices(struct edits *p, struct shift *s, uint32_t *was)
{
	struct ordered *ordered = arena_array(p->arena, s->n + 1, sizeof *ordered);

	for (uint32_t i = 0; i < s->n; i++)
		ordered[i] = (struct ordered){p->splices.items[i], i};
	array_sort(ordered, s->n, sizeof *ordered, by_place);
	for (uint32_t i = 0; i < s->n; i++) {
		s->splices[i] = ordered[i].splice;
		was[i] = ordered[i].was;
		assert(i == 0 || s->splices[i].from >= s->splices[i - 1].to);
		s->grown[i + 1] =
			s->grown[i] + (int64_t)s->splices[i].with.len - (s->splices[i].to - s->splices[i].from);
	}
}

/* The first node at or after `k` that begins at the offset or later. */
static uint32_t first_from(const struct book *b, uint32_t k, uint32_t offset)
{
	uint32_t low = k, high = b->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (b->nodes[middle].from < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Plantings refer to splices by their number in the plan. */
static void put_nodes(struct edits *p, struct shift *s, const uint32_t *was)
{
	const struct book *old = s->old;
	uint32_t *first = arena_array(p->arena, s->n + 1, sizeof *first);
	uint32_t k = 0;

	for (size_t i = p->plantings.n; i-- > 0;)
		first[p->plantings.items[i].splice] = (uint32_t)i;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct splice *e = &s->splices[i];
		uint32_t end = first_from(old, k, e->from);
		put_run(s, k, end, s->grown[i], e->from);
		for (size_t j = first[was[i]]; j < p->plantings.n && p->plantings.items[j].splice == was[i]; j++)
			put_planted(s, &p->plantings.items[j], (uint32_t)(e->from + s->grown[i]));
		k = first_from(old, end, e->to);
	}
	put_run(s, k, old->n, s->grown[s->n], UINT32_MAX);
}

struct book *edits_book(struct edits *p, struct arena *a)
{
	const struct book *old = p->book;
	struct shift s = {.old = old, .n = (uint32_t)p->splices.n};
	uint32_t room = old->n + (uint32_t)p->plantings.n;
	uint32_t *was = arena_array(p->arena, s.n + 1, sizeof *was);

	s.splices = arena_array(p->arena, s.n + 1, sizeof *s.splices);
	s.grown = arena_array(p->arena, s.n + 1, sizeof *s.grown);
	s.new_place = arena_alloc(p->arena, room * sizeof *s.new_place);
	memset(s.new_place, 0xff, room * sizeof *s.new_place);
	s.fresh_ids = arena_array(p->arena, p->plantings.n + 1, sizeof *s.fresh_ids);
	sort_splices(p, &s, was);

	if (p->needs_parsing)
		return NULL;
	s.book = arena_new(a, struct book);
	s.book->layout = layout_copy(a, &old->layout);
	s.book->nodes = arena_alloc(a, room * sizeof *s.book->nodes);
	s.book->ids = arena_alloc(a, room * sizeof *s.book->ids);
	put_nodes(p, &s, was);
	merge_ids(&s);
	book_settle(s.book, a);
#ifdef QUIRE_DEBUG
	struct arena scratch = {0};
	struct error error = {0};
	s.book->bytes = splice_apply(&scratch, old->bytes, s.splices, s.n);
	struct book *parsed = book_parse(&scratch, s.book->bytes, NULL, &error);
	assert(parsed && book_same(parsed, s.book));
	s.book->bytes = (struct text){0};
	arena_free(&scratch);
#endif
	return s.book;
}
