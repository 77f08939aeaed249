#include "kinds/hnpx/tools/show.h"
#include "kinds/hnpx/tree/reading.h"

static void indent(struct buffer *to, int depth) { buffer_fill(to, ' ', 2 * (size_t)depth); }

void show_open(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth)
{
	struct xml_attribute *attributes;
	size_t n = node_attributes(scratch, b, node, &attributes);
	struct text summary = node_summary(scratch, b, node);

	indent(to, depth);
	buffer_byte(to, '<');
	buffer_put(to, level_names[b->nodes[node].level]);
	for (size_t i = 0; i < n; i++) {
		buffer_byte(to, ' ');
		buffer_add(to, attributes[i].name);
		buffer_put(to, "=\"");
		xml_escape(to, attributes[i].value, true);
		buffer_byte(to, '"');
	}
	buffer_put(to, ">\n");
	if (summary.at) {
		indent(to, depth + 1);
		buffer_put(to, "<summary>");
		xml_escape(to, summary, false);
		buffer_put(to, "</summary>\n");
	}
	if (b->nodes[node].level == LEVEL_PARAGRAPH) {
		struct text prose = node_shown_prose(scratch, b, node);
		if (prose.len) {
			indent(to, depth + 1);
			xml_escape(to, prose, false);
			buffer_byte(to, '\n');
		}
	}
}

void show_close(struct buffer *to, const struct book *b, uint32_t node, int depth)
{
	indent(to, depth);
	buffer_put(to, "</");
	buffer_put(to, level_names[b->nodes[node].level]);
	buffer_put(to, ">\n");
}

void show_node(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth)
{
	show_open(to, scratch, b, node, depth);
	show_close(to, b, node, depth);
}

static void show_comments(struct buffer *to, struct arena *scratch, struct text raw, int depth)
{
	struct text all = raw_comments(scratch, raw);

	for (size_t at = 0, end; (at = text_find(all, TEXT("<!--"), at)) != SIZE_MAX; at = end) {
		end = text_find(all, TEXT("-->"), at);
		if (end == SIZE_MAX)
			return;
		end += 3;
		indent(to, depth);
		buffer_add(to, text_slice(all, at, end));
		buffer_byte(to, '\n');
	}
}

/* Shows the comments between two places in a node, except those in its summary. */
static void show_between(struct buffer *to, struct arena *scratch, const struct book *b, const struct node *holder,
			 uint32_t from, uint32_t end, int depth)
{
	if (holder->summary >= from && holder->summary_to <= end && holder->summary < holder->summary_to) {
		show_comments(to, scratch, text_slice(b->bytes, from, holder->summary), depth);
		from = holder->summary_to;
	}
	show_comments(to, scratch, text_slice(b->bytes, from, end), depth);
}

/* The node of that level that is `last` or contains it. */
static uint32_t sibling_ending_at(const struct book *b, uint32_t last, int level)
{
	while (b->nodes[last].level > level)
		last = b->nodes[last].parent;
	return last;
}

void show_comments_before(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth)
{
	const struct node *n = &b->nodes[node];

	if (node == 0) {
		show_comments(to, scratch, text_slice(b->bytes, 0, n->from), depth);
		return;
	}
	uint32_t from = n->parent == node - 1 ? b->nodes[n->parent].inner
					      : b->nodes[sibling_ending_at(b, node - 1, n->level)].to;
	show_between(to, scratch, b, &b->nodes[n->parent], from, n->from, depth);
}

void show_comments_inside(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth)
{
	const struct node *n = &b->nodes[node];
	uint32_t from = n->children ? b->nodes[sibling_ending_at(b, n->after - 1, n->level + 1)].to : n->inner;

	if (from < n->inner_to)
		show_between(to, scratch, b, n, from, n->inner_to, depth);
}

/* Skips nodes that are too deep or end before the start. */
static void walk_settle(struct walk *w)
{
	const struct node *nodes = w->book->nodes;

	while (w->at < nodes[w->top].after) {
		bool too_deep = nodes[w->at].level > w->deepest,
		     too_early = w->start != BOOK_NONE && nodes[w->at].after <= w->start;
		if (!too_deep && !too_early)
			return;
		w->at = nodes[w->at].after;
	}
	w->at = BOOK_NONE;
}

void walk_begin(struct walk *w, const struct book *b, uint32_t top, uint32_t start, int deepest)
{
	*w = (struct walk){.book = b, .top = top, .start = start, .deepest = deepest, .at = top};
	walk_settle(w);
}

void walk_on(struct walk *w)
{
	w->at++;
	walk_settle(w);
}
