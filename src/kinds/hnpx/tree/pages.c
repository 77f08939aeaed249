#include "kinds/hnpx/tree/pages.h"
#include "kinds/hnpx/tree/reading.h"

bool paragraph_is_written(const struct book *b, uint32_t paragraph)
{
	const struct node *n = &b->nodes[paragraph];
	struct arena scratch = {0};
	uint32_t at = n->summary != n->summary_to ? n->summary_to : n->inner;

	/* Fast path: prose usually begins directly after the summary, and nothing must be decoded. */
	while (at < n->inner_to && (b->bytes.at[at] == ' ' || b->bytes.at[at] == '\n'))
		at++;
	if (at < n->inner_to && (unsigned char)b->bytes.at[at] > ' ' && b->bytes.at[at] != '<' &&
	    b->bytes.at[at] != '&')
		return true;
	bool written = !text_is_blank(node_prose(&scratch, b, paragraph).text);

	arena_free(&scratch);
	return written;
}

uint32_t book_first_unwritten(const struct book *b)
{
	/* This does not change the book; it only caches a value that follows from its bytes. */
	struct book *known = (struct book *)(uintptr_t)b;
	uint32_t found = known->unwritten;

	for (uint32_t i = 0; !found && i < b->n; i++)
		if (b->nodes[i].level == LEVEL_PARAGRAPH && !paragraph_is_written(b, i))
			found = i + 1;
	known->unwritten = found ? found : BOOK_NONE;
	return found && found != BOOK_NONE ? found - 1 : BOOK_NONE;
}

bool subtree_is_written(const struct book *b, uint32_t top)
{
	for (uint32_t i = top; i < b->nodes[top].after; i++)
		if (b->nodes[i].level == LEVEL_PARAGRAPH && paragraph_is_written(b, i))
			return true;
	return false;
}

void pages_begin(struct pages *p, const struct book *b, uint32_t top, bool wants_unwritten)
{
	*p = (struct pages){.book = b, .wants_unwritten = wants_unwritten, .at = top, .end = b->nodes[top].after};
}

void pages_skip_to(struct pages *p, uint32_t node)
{
	const struct book *b = p->book;
	uint32_t chapter = node;

	p->at = node;
	p->is_paused = false;
	while (b->nodes[chapter].level > LEVEL_CHAPTER)
		chapter = b->nodes[chapter].parent;
	p->has_words = p->break_due = false;
	/* Are there words before it in its chapter, and did a sequence begin since? */
	for (uint32_t i = chapter; i < node; i++) {
		if (b->nodes[i].level == LEVEL_SEQUENCE)
			p->break_due = p->has_words;
		if (b->nodes[i].level == LEVEL_PARAGRAPH && paragraph_is_written(b, i)) {
			p->has_words = true;
			p->break_due = false;
		}
	}
}

enum page_event pages_next(struct pages *p, uint32_t *node)
{
	const struct book *b = p->book;

	for (; p->at < p->end; p->at++) {
		const struct node *n = &b->nodes[p->at];
		*node = p->at;
		if (n->level == LEVEL_CHAPTER && !p->is_paused) {
			p->has_words = p->break_due = false;
			if (!p->wants_unwritten || n->children) {
				p->at++;
				return PAGE_CHAPTER;
			}
			p->is_paused = true; /* first its title, then the mark */
			return PAGE_CHAPTER;
		}
		if (n->level == LEVEL_SEQUENCE && !p->is_paused)
			p->break_due = p->has_words;
		bool is_written = n->level == LEVEL_PARAGRAPH && paragraph_is_written(b, p->at);
		bool is_gap = p->wants_unwritten && !n->children && !is_written;
		if (!is_written && !is_gap)
			continue;
		if (p->break_due) {
			p->break_due = false;
			p->is_paused = true;
			return PAGE_BREAK;
		}
		p->is_paused = false;
		p->has_words = true;
		p->at++;
		return is_written ? PAGE_PARAGRAPH : PAGE_UNWRITTEN;
	}
	return PAGE_END;
}
