#include "kinds/docx/story/separator.h"

/* Does the next paragraph continue in the same line? */
static bool is_hidden_mark(struct call *c, const struct story *s, uint32_t p)
{
	struct text bytes = story_fragment(s, p);
	struct atoms atoms;

	/* Few paragraphs have one, so search the bytes first. */
	if (text_find(bytes, TEXT("specVanish"), 0) == SIZE_MAX || !story_atoms(c, s, p, &atoms) ||
	    atoms.ppr == XML_NONE)
		return false;
	uint32_t mark = fragment_child(&atoms.fragment, atoms.ppr, TAG_RPR);
	for (uint32_t i = mark == XML_NONE ? 0 : mark + 1; mark != XML_NONE && i < atoms.fragment.xml.nodes[mark].after;
	     i++)
		if (atoms.fragment.tags[i] == TAG_OTHER &&
		    text_is(fragment_local(&atoms.fragment, i, NULL), "specVanish"))
			return fragment_is_on(c->arena, &atoms.fragment, i);
	return false;
}

static bool are_siblings(const struct story *s, uint32_t p, uint32_t q)
{
	const struct paragraph *a = &s->paragraphs.items[p], *b = &s->paragraphs.items[q];

	return a->cell == b->cell && a->ancestors == b->ancestors && a->host == b->host && a->note == b->note;
}

uint32_t separator_first(struct call *c, const struct story *s, uint32_t p)
{
	for (uint32_t before; (before = story_previous(s, p)) != STORY_NONE && are_siblings(s, before, p) &&
			      is_hidden_mark(c, s, before);)
		p = before;
	return p;
}

uint32_t separator_last(struct call *c, const struct story *s, uint32_t p)
{
	for (uint32_t next;
	     is_hidden_mark(c, s, p) && (next = story_next(s, p)) != STORY_NONE && are_siblings(s, p, next);)
		p = next;
	return p;
}
