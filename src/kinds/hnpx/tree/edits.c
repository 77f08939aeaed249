#include "base/ascii.h"
#include "kinds/hnpx/tree/edits.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tree/sprout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void edits_replace(struct edits *p, uint32_t from, uint32_t to, struct text with)
{
	*ARRAY_PUSH(p->arena, &p->splices) = (struct splice){from, to, with};
}

/* Where the content of an element ends, without the blanks before its end tag. */
static uint32_t content_end(const struct book *b, uint32_t node)
{
	uint32_t end = b->nodes[node].inner_to;

	while (end > b->nodes[node].inner && is_space(b->bytes.at[end - 1]))
		end--;
	return end;
}

/* Where children begin: after the summary, unless a child is before it. */
static uint32_t children_start(const struct book *b, uint32_t parent)
{
	const struct node *node = &b->nodes[parent];

	if (node->children && b->nodes[parent + 1].from < node->summary)
		return node->inner;
	return node->summary_to;
}

/* The offset at which to insert child number `place`, counted without the children in `left_out`. */
static uint32_t insertion_point(const struct book *b, uint32_t parent, uint32_t place, const bool *left_out)
{
	uint32_t at = children_start(b, parent), seen = 0;

	for (uint32_t i = parent + 1; i < b->nodes[parent].after; i = b->nodes[i].after) {
		if (left_out && left_out[i])
			continue;
		if (seen == place)
			return at;
		seen++;
		at = b->nodes[i].to;
	}
	return content_end(b, parent);
}

/* If the parent is written on one line, puts its end tag on a line of its own. */
static void close_line(struct buffer *to, const struct book *b, uint32_t parent, uint32_t at)
{
	const struct node *node = &b->nodes[parent];

	for (uint32_t i = at; i < node->inner_to; i++)
		if (!is_space(b->bytes.at[i]) || b->bytes.at[i] == '\n')
			return;
	sprout_line(to, b, node->level);
}

static void plant(struct edits *p, struct planting planting)
{
	planting.splice = (uint32_t)p->splices.n; /* the next splice to be added */
	*ARRAY_PUSH(p->arena, &p->plantings) = planting;
}

void edits_insert(struct edits *p, uint32_t parent, uint32_t place, const struct sprout *sprouts, size_t n)
{
	const struct book *b = p->book;
	uint32_t at = insertion_point(b, parent, place, NULL);
	struct buffer out = {.arena = p->arena};
	struct sprouted nodes = {.arena = p->arena};

	for (size_t i = 0; i < n; i++) {
		sprout_line(&out, b, b->nodes[parent].level + 1);
		sprout_write(&out, b, &sprouts[i], &nodes);
	}
	close_line(&out, b, parent, at);
	for (size_t i = 0; i < nodes.list.n; i++)
		plant(p, (struct planting){.old = BOOK_NONE, .fresh = nodes.list.items[i]});
	edits_replace(p, at, at, buffer_text(&out));
}

uint32_t book_line_start(const struct book *b, uint32_t from)
{
	uint32_t at = from;

	while (at && (b->bytes.at[at - 1] == ' ' || b->bytes.at[at - 1] == '\t'))
		at--;
	if (!at || b->bytes.at[at - 1] != '\n')
		return from;
	at--;
	return at && b->bytes.at[at - 1] == '\r' ? at - 1 : at;
}

void edits_remove(struct edits *p, uint32_t node)
{
	const struct node *n = &p->book->nodes[node];

	edits_replace(p, book_line_start(p->book, n->from), n->to, TEXT(""));
}

void edits_reorder(struct edits *p, uint32_t parent, const uint32_t *order, size_t n)
{
	const struct book *b = p->book;
	uint32_t start = children_start(b, parent);
	uint32_t *place_of = arena_array(p->arena, b->n, sizeof *place_of);
	uint32_t *before = arena_array(p->arena, n + 1, sizeof *before),
		 *now = arena_array(p->arena, n + 1, sizeof *now);
	size_t first = 0, last = n, i = 0;

	/* A child's part begins at the end of the previous child, so that blanks and comments before it move with
	 * it. */
	for (uint32_t child = parent + 1; child < b->nodes[parent].after; child = b->nodes[child].after)
		now[i++] = child;
	assert(i == n);
	for (i = 0; i < n; i++) {
		before[i] = i ? b->nodes[now[i - 1]].to : start;
		place_of[now[i]] = (uint32_t)i;
	}
	while (first < n && order[first] == now[first])
		first++;
	while (last > first && order[last - 1] == now[last - 1])
		last--;
	if (first == last)
		return;
	uint32_t from = before[first], to = b->nodes[now[last - 1]].to;
	if (b->nodes[parent].summary >= from && b->nodes[parent].summary < to)
		p->needs_parsing = true;
	struct buffer out = {.arena = p->arena};
	for (i = first; i < last; i++) {
		uint32_t child = order[i], place = place_of[child];
		buffer_add(&out, text_slice(b->bytes, before[place], b->nodes[child].from));
		plant(p, (struct planting){.old = child, .at = (uint32_t)out.len});
		buffer_add(&out, text_slice(b->bytes, b->nodes[child].from, b->nodes[child].to));
	}
	edits_replace(p, from, to, buffer_text(&out));
}

void edits_move(struct edits *p, uint32_t parent, uint32_t place, const uint32_t *nodes, size_t n)
{
	const struct book *b = p->book;
	bool *moves = arena_array(p->arena, b->n, sizeof *moves);
	struct buffer out = {.arena = p->arena};

	for (size_t i = 0; i < n; i++)
		moves[nodes[i]] = true;
	uint32_t at = insertion_point(b, parent, place, moves);
	/* If the place is at the end of a node that moves away, insert before that node instead. */
	for (size_t i = 0; i < n; i++)
		if (b->nodes[nodes[i]].parent == parent && b->nodes[nodes[i]].from < at &&
		    at <= b->nodes[nodes[i]].to) {
			at = book_line_start(b, b->nodes[nodes[i]].from);
			i = SIZE_MAX; /* check again: the node before it may move too */
		}
	for (size_t i = 0; i < n; i++) {
		const struct node *node = &b->nodes[nodes[i]];
		sprout_line(&out, b, node->level);
		plant(p, (struct planting){.old = nodes[i], .at = (uint32_t)out.len});
		buffer_add(&out, text_slice(b->bytes, node->from, node->to));
	}
	close_line(&out, b, parent, at);
	edits_replace(p, at, at, buffer_text(&out));
	for (size_t i = 0; i < n; i++)
		edits_remove(p, nodes[i]);
}

void edits_summary(struct edits *p, uint32_t node, struct text summary)
{
	struct text raw = node_summary_raw(p->book, node);
	struct buffer out = {.arena = p->arena};

	sprout_words(&out, p->book, summary);
	buffer_add(&out, raw_comments(p->arena, raw));
	uint32_t from = (uint32_t)(raw.at - p->book->bytes.at);
	edits_replace(p, from, from + (uint32_t)raw.len, buffer_text(&out));
}

/* <paragraph id="x"/> has no content to replace. Writes a start tag and an end tag, and plants the node again. */
static void open_empty(struct edits *p, uint32_t paragraph, struct text inside)
{
	const struct node *n = &p->book->nodes[paragraph];
	struct buffer out = {.arena = p->arena};
	struct text tag = text_slice(p->book->bytes, n->from, n->to - 2);

	while (tag.len && is_space(tag.at[tag.len - 1]))
		tag.len--;
	buffer_add(&out, tag);
	buffer_byte(&out, '>');
	struct node fresh = {.id = n->id, .level = n->level, .flags = n->flags, .inner = (uint32_t)out.len};
	buffer_add(&out, inside);
	fresh.inner_to = (uint32_t)out.len;
	buffer_put(&out, "</paragraph>");
	fresh.to = (uint32_t)out.len;
	plant(p, (struct planting){.old = BOOK_NONE, .fresh = fresh});
	edits_replace(p, n->from, n->to, buffer_text(&out));
}

/* Replaces the prose. Comments between the old words are kept after the new ones. */
static void replace_prose(struct edits *p, uint32_t paragraph, struct text prose, bool framed)
{
	const struct layout *layout = &p->book->layout;
	const struct node *n = &p->book->nodes[paragraph];
	struct text bytes = p->book->bytes;
	bool has_summary = n->summary != n->summary_to, text_first = n->flags & NODE_TEXT_FIRST;
	uint32_t from = has_summary && !text_first ? n->summary_to : n->inner;
	uint32_t to = text_first ? n->summary : n->inner_to;
	struct buffer out = {.arena = p->arena};

	/* If there are words on both sides of the summary, the new prose comes after it. */
	if (has_summary && !text_first) {
		struct text early = text_slice(bytes, n->inner, n->summary);
		if (!text_is_blank(raw_text(p->arena, early)))
			edits_replace(
				p, n->inner, n->summary,
				text_format(p->arena, "%s%s", raw_comments(p->arena, early).at, layout->frame_open.at));
	}
	buffer_add(&out, framed ? layout->frame_open : TEXT(""));
	sprout_words(&out, p->book, prose);
	buffer_add(&out, raw_comments(p->arena, text_slice(bytes, from, to)));
	buffer_add(&out, framed ? layout->frame_close : TEXT(""));
	if (n->inner == n->to)
		open_empty(p, paragraph, buffer_text(&out));
	else
		edits_replace(p, from, to, buffer_text(&out));
}

void edits_prose(struct edits *p, uint32_t paragraph, struct text prose)
{
	const struct node *n = &p->book->nodes[paragraph];

	replace_prose(p, paragraph, prose,
		      sprout_needs_frame(p->book, n->summary != n->summary_to, n->flags & NODE_TEXT_FIRST, prose));
}

void edits_prose_kept(struct edits *p, uint32_t paragraph, struct text whole)
{
	replace_prose(p, paragraph, whole, false);
}

void edits_attributes(struct edits *p, uint32_t node, const struct attribute_edit *edits, size_t n)
{
	struct xml_attribute *there;
	size_t count = node_attributes(p->arena, p->book, node, &there);
	struct buffer added = {.arena = p->arena};

	assert(count); /* every node has an id */
	for (size_t i = 0; i < n; i++) {
		struct xml_attribute *old = NULL;
		for (size_t k = 0; k < count; k++)
			if (text_is(there[k].name, edits[i].name))
				old = &there[k];
		if (!edits[i].value.at) {
			uint32_t from = old ? old->from : 0;
			while (old && is_space(p->book->bytes.at[from - 1]))
				from--;
			if (old)
				edits_replace(p, from, old->to, TEXT(""));
		} else if (old && !text_same(old->value, edits[i].value)) {
			/* Replace the quotes too: the old ones may be single, and the new value may contain single
			 * quotes. */
			struct buffer value = {.arena = p->arena};
			buffer_byte(&value, '"');
			xml_escape(&value, edits[i].value, true);
			buffer_byte(&value, '"');
			edits_replace(p, old->value_from - 1, old->value_to + 1, buffer_text(&value));
		} else if (!old) {
			buffer_format(&added, " %s=\"", edits[i].name);
			xml_escape(&added, edits[i].value, true);
			buffer_byte(&added, '"');
		}
	}
	if (added.len)
		edits_replace(p, there[count - 1].to, there[count - 1].to, buffer_text(&added));
}
