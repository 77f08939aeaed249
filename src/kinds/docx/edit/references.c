#include "kinds/docx/edit/references.h"

#include "kinds/docx/surgeon/definition.h"

#include <string.h>

enum {
	SHOWN_MAX = 3,      /* bookmarks named in one warning */
	LOOKED_AT = 4 << 20 /* bytes: a contract with cross-references has one long before */
};

static unsigned occurrences(struct text in, struct text what)
{
	unsigned n = 0;

	for (size_t at = text_find(in, what, 0); at != SIZE_MAX; at = text_find(in, what, at + what.len))
		n++;
	return n;
}

/* Fields (REF, PAGEREF, NOTEREF) and links that name the bookmark, in the part as it was opened. */
static unsigned referring(struct call *c, const struct story *s, struct text name)
{
	struct text in = s->part->bytes;

	return occurrences(in, text_format(c->arena, "REF %.*s ", TEXT_ARGS(name))) +
	       occurrences(in, text_format(c->arena, "REF %.*s<", TEXT_ARGS(name))) +
	       occurrences(in, text_format(c->arena, "anchor=\"%.*s\"", TEXT_ARGS(name)));
}

void references_warn_numbers(struct call *c, const struct numbering *n, const struct story *s, uint32_t p)
{
	struct list_item item;

	if (!numbering_item(n, s, p, &item) || item.definition->format == FORMAT_BULLET ||
	    item.definition->format == FORMAT_NONE)
		return;
	if (text_find(text_slice(s->part->bytes, 0, LOOKED_AT), TEXT("REF _Ref"), 0) != SIZE_MAX)
		warn(c,
		     "later numbers of this list moved; cross-reference fields show the old ones until Word updates them (select all, F9), "
		     "typed references do not follow");
}

/* Terms that were defined here and are used elsewhere. A quick look at the part's bytes: a term that is cut into
 * several runs is not seen, so there may be more. */
static void warn_terms(struct call *c, const struct story *s, uint32_t p, struct text words)
{
	struct runes r = runes_of(c->arena, words);
	struct definition *list;
	size_t n = definitions_possible(words) ? definitions_find(c->arena, &r, &list) : 0;

	for (size_t i = 0; i < n && i < SHOWN_MAX; i++) {
		struct buffer term = {.arena = c->arena};
		struct text written = runes_slice(&r, list[i].from, list[i].to), here = story_original(s, p);
		xml_escape(&term, written, false);
		unsigned all = occurrences(s->part->bytes, buffer_text(&term));
		unsigned own = here.at ? occurrences(here, buffer_text(&term)) : 0;
		if (all > own)
			warn(c,
			     "\"%s\" was defined in this paragraph and is used elsewhere, at least %u times: grep for it, then "
			     "define it again or replace it",
			     shown(c, written), all - own);
	}
}

void references_warn_deletion(struct call *c, const struct numbering *numbers, const struct story *s, uint32_t p)
{
	struct atoms atoms;
	unsigned named = 0;

	if (!story_atoms(c, s, p, &atoms))
		return;
	for (uint32_t i = 0; i < atoms.n && named < SHOWN_MAX; i++) {
		if (atoms.atoms[i].kind != ATOM_MARK || atoms.fragment.tags[atoms.atoms[i].node] != TAG_BOOKMARK_START)
			continue;
		struct text name = fragment_attribute(c->arena, &atoms.fragment, atoms.atoms[i].node, SPACE_W, "name");
		unsigned n = name.len ? referring(c, s, name) : 0;
		if (!n)
			continue;
		warn(c,
		     "%u cross-reference%s or link%s pointed to this paragraph (bookmark %s) and now point%s to its neighbour: check them",
		     n, n == 1 ? "" : "s", n == 1 ? "" : "s", shown(c, name), n == 1 ? "s" : "");
		named++;
	}
	warn_terms(c, s, p, atoms.text);
	references_warn_numbers(c, numbers, s, p);
}
