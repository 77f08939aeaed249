#include "kinds/hnpx/tree/book.h"
#include "base/array.h"
#include "base/buffer.h"

#include <string.h>

const char *const level_names[LEVELS + 1] = {"book", "chapter", "sequence", "beat", "paragraph", NULL};
const char *const level_titles[LEVELS] = {"Book", "Chapter", "Sequence", "Beat", "Paragraph"};
const char *const level_plurals[LEVELS] = {"books", "chapters", "sequences", "beats", "paragraphs"};

static int id_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : -1;
}

bool id_pack(struct text id, uint32_t *out)
{
	uint32_t packed = 0;

	if (id.len != ID_LEN)
		return false;
	for (size_t i = 0; i < ID_LEN; i++) {
		int digit = id_digit(id.at[i]);
		if (digit < 0)
			return false;
		packed = packed * 36 + (uint32_t)digit;
	}
	*out = packed;
	return true;
}

struct text id_text(struct arena *a, uint32_t id)
{
	char *at = arena_alloc(a, ID_LEN + 1);

	if (id == BOOK_NONE) /* in a broken book */
		return TEXT("no id");
	at[ID_LEN] = '\0';
	for (int i = ID_LEN - 1; i >= 0; i--, id /= 36)
		at[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[id % 36];
	return (struct text){at, ID_LEN};
}

uint32_t book_find(const struct book *b, uint32_t id)
{
	uint32_t low = 0, high = b->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (b->ids[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < b->n && b->ids[low].id == id ? b->ids[low].node : BOOK_NONE;
}

uint32_t book_named(const struct book *b, struct text id)
{
	uint32_t packed;

	/* An id has six letters, so this word cannot be one. No tool of the specification returns the root's id. */
	if (text_is(id, "book"))
		return 0;
	return id_pack(id, &packed) ? book_find(b, packed) : BOOK_NONE;
}

uint32_t book_place(const struct book *b, uint32_t node)
{
	uint32_t place = 0;

	if (node == 0)
		return 0;
	for (uint32_t i = b->nodes[node].parent + 1; i != node; i = b->nodes[i].after)
		place++;
	return place;
}

struct text book_id(struct arena *a, const struct book *b, uint32_t node) { return id_text(a, b->nodes[node].id); }

bool book_drops_summaries(const struct book *b)
{
	if (b->count[LEVEL_PARAGRAPH])
		return b->summarised == 0;
	return book_writes_location(b);
}

bool book_writes_location(const struct book *b) { return b->located && b->located == b->count[LEVEL_SEQUENCE]; }

bool book_writes_text_first(const struct book *b)
{
	return b->text_first && b->text_first == b->count[LEVEL_PARAGRAPH];
}

uint32_t book_next_empty(const struct book *b, uint32_t top)
{
	uint32_t first[LEVEL_PARAGRAPH];

	if (top == 0) {
		for (int level = LEVEL_BOOK; level < LEVEL_PARAGRAPH; level++)
			if (b->first_empty[level] != BOOK_NONE)
				return b->first_empty[level];
		return BOOK_NONE;
	}
	for (int level = LEVEL_BOOK; level < LEVEL_PARAGRAPH; level++)
		first[level] = BOOK_NONE;
	for (uint32_t i = top; i < b->nodes[top].after; i++) {
		const struct node *node = &b->nodes[i];
		if (node->level < LEVEL_PARAGRAPH && node->children == 0 && first[node->level] == BOOK_NONE)
			first[node->level] = i;
	}
	for (int level = LEVEL_BOOK; level < LEVEL_PARAGRAPH; level++)
		if (first[level] != BOOK_NONE)
			return first[level];
	return BOOK_NONE;
}

static int by_id(const void *left, const void *right)
{
	const struct node_id *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* Deeper indentation is not a style, and the frames around prose must not become larger than the prose. */
enum { INDENT_MAX = 16 };

/* Where the line of the book's summary begins; 0 if the summary is not first in its line, or is indented too deeply. */
static size_t summary_line(const struct book *b)
{
	size_t at = b->nodes[0].summary;

	while (at && (b->bytes.at[at - 1] == ' ' || b->bytes.at[at - 1] == '\t'))
		at--;
	return at && b->bytes.at[at - 1] == '\n' && b->nodes[0].summary - at <= INDENT_MAX ? at : 0;
}

static bool ends_in_return(struct text bytes, size_t newline) { return newline && bytes.at[newline - 1] == '\r'; }

static struct text line_of(const struct layout *l, struct arena *a, int level)
{
	struct buffer line = {.arena = a};

	buffer_add(&line, l->newline);
	for (; level; level--)
		buffer_add(&line, l->indent);
	return buffer_text(&line);
}

/* No edit changes the lines above the book, its tag, or the blanks before the book's summary. So every edited version
 * of a book has the same layout. */
static struct layout layout_of(const struct book *b, struct arena *a)
{
	size_t line = summary_line(b), first = text_find(text_slice(b->bytes, 0, b->nodes[0].inner), TEXT("\n"), 0);
	bool has_return =
		line ? ends_in_return(b->bytes, line - 1) : first != SIZE_MAX && ends_in_return(b->bytes, first);
	struct layout l = {.newline = has_return ? TEXT("\r\n") : TEXT("\n"), .indent = TEXT("  ")};

	if (line)
		l.indent = text_copy(a, text_slice(b->bytes, line, b->nodes[0].summary));
	l.frame_open = line_of(&l, a, LEVEL_PARAGRAPH + 1);
	l.frame_close = line_of(&l, a, LEVEL_PARAGRAPH);
	return l;
}

struct layout layout_copy(struct arena *a, const struct layout *l)
{
	return (struct layout){text_copy(a, l->newline), text_copy(a, l->indent), text_copy(a, l->frame_open),
			       text_copy(a, l->frame_close)};
}

void book_settle(struct book *b, struct arena *a)
{
	uint32_t open[LEVELS]; /* the last node of each level */

	memset(b->count, 0, sizeof b->count);
	b->summarised = b->located = b->text_first = 0;
	for (int level = 0; level < LEVELS; level++)
		open[level] = BOOK_NONE;
	for (uint32_t i = 0; i < b->n; i++) {
		struct node *node = &b->nodes[i];
		/* Open nodes of this level or below end where this node begins. */
		for (int level = node->level; level < LEVELS && open[level] != BOOK_NONE; level++) {
			b->nodes[open[level]].after = i;
			open[level] = BOOK_NONE;
		}
		open[node->level] = i;
		node->children = 0;
		node->parent = node->level == LEVEL_BOOK ? BOOK_NONE : open[node->level - 1];
		if (node->parent != BOOK_NONE)
			b->nodes[node->parent].children++;
		b->count[node->level]++;
		b->summarised += node->level == LEVEL_PARAGRAPH && node->summary != node->summary_to;
		b->located += (node->flags & NODE_LOCATION) != 0;
		b->text_first += (node->flags & NODE_TEXT_FIRST) != 0;
	}
	for (int level = 0; level < LEVELS; level++)
		if (open[level] != BOOK_NONE)
			b->nodes[open[level]].after = b->n;
	if (b->n && !b->layout.newline.at)
		b->layout = layout_of(b, a);
	for (int level = 0; level < LEVEL_PARAGRAPH; level++)
		b->first_empty[level] = BOOK_NONE;
	for (uint32_t i = b->n; i-- > 0;)
		if (b->nodes[i].level < LEVEL_PARAGRAPH && b->nodes[i].children == 0)
			b->first_empty[b->nodes[i].level] = i;
	if (b->ids)
		return;
	b->ids = arena_array(a, b->n ? b->n : 1, sizeof *b->ids);
	for (uint32_t i = 0; i < b->n; i++)
		b->ids[i] = (struct node_id){b->nodes[i].id, i};
	array_sort(b->ids, b->n, sizeof *b->ids, by_id);
}

static bool node_same(const struct node *a, const struct node *b)
{
	return a->from == b->from && a->to == b->to && a->inner == b->inner && a->inner_to == b->inner_to &&
	       a->summary == b->summary && a->summary_to == b->summary_to && a->parent == b->parent &&
	       a->after == b->after && a->children == b->children && a->id == b->id && a->level == b->level &&
	       a->flags == b->flags;
}

bool book_same(const struct book *a, const struct book *b)
{
	if (a->n != b->n || !text_same(a->bytes, b->bytes) || memcmp(a->count, b->count, sizeof a->count) != 0 ||
	    memcmp(a->first_empty, b->first_empty, sizeof a->first_empty) != 0 || a->summarised != b->summarised ||
	    a->located != b->located || a->text_first != b->text_first ||
	    !text_same(a->layout.frame_open, b->layout.frame_open) ||
	    !text_same(a->layout.frame_close, b->layout.frame_close))
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!node_same(&a->nodes[i], &b->nodes[i]) || a->ids[i].id != b->ids[i].id ||
		    a->ids[i].node != b->ids[i].node)
			return false;
	return true;
}
