#include "kinds/docx/edit/references.h"

#include "base/utf8.h"
#include "kinds/docx/surgeon/definition.h"

#include <string.h>

enum {
	SHOWN_MAX = 3,      /* bookmarks named in one warning */
	LOOKED_AT = 4 << 20 /* bytes to search; a contract with cross-references has one much earlier */
};

static unsigned occurrences(struct text in, struct text what)
{
	unsigned n = 0;

	for (size_t at = text_find(in, what, 0); at != SIZE_MAX; at = text_find(in, what, at + what.len))
		n++;
	return n;
}

/* Counts fields (REF, PAGEREF, NOTEREF) and links that name the bookmark, in the part as it was opened. */
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
	static const char said[] =
		"later numbers of this list moved; cross-reference fields show the old ones until Word updates them (select all, F9), "
		"typed references do not follow";
	/* The steps of a plan give this warning only once. */
	for (size_t i = 0; i < c->warnings.n; i++)
		if (text_is(c->warnings.items[i], said))
			return;
	if (text_find(text_slice(s->part->bytes, 0, LOOKED_AT), TEXT("REF _Ref"), 0) != SIZE_MAX)
		warn(c, "%s", said);
}

/* The terms that a text defines. */
static struct texts defined(struct arena *a, struct text words)
{
	struct runes r = runes_of(a, words);
	struct definition *list[2];
	size_t n[2] = {definitions_possible(words) ? definitions_find(a, &r, &list[0]) : 0,
		       definitions_bracketed(a, &r, &list[1])};
	struct texts out = {arena_array(a, n[0] + n[1] + 1, sizeof(struct text)), 0};

	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < n[k]; i++)
			out.items[out.n++] = runes_slice(&r, list[k][i].from, list[k][i].to);
	return out;
}

static bool has(const struct texts *list, struct text term)
{
	for (size_t i = 0; i < list->n; i++)
		if (text_same(list->items[i], term))
			return true;
	return false;
}

void references_lost(struct call *c, struct text before, struct text after, struct lost_terms *to)
{
	struct texts were = defined(c->arena, before), are = {0};

	if (!were.n)
		return;
	are = defined(c->arena, after);
	for (size_t i = 0; i < were.n; i++)
		if (!has(&are, were.items[i]) && !has(&(struct texts){to->list.items, to->list.n}, were.items[i]))
			*ARRAY_PUSH(c->arena, &to->list) = text_copy(c->arena, were.items[i]);
}

static bool is_word_at(struct text t, size_t at)
{
	while (at && at < t.len && ((unsigned char)t.at[at] & 0xC0) == 0x80)
		at--;
	return at < t.len && utf8_is_word(utf8_next(t, &at));
}

/* Counts whole words, plurals included. */
static unsigned uses(struct text in, struct text term)
{
	unsigned n = 0;

	for (size_t at = text_find(in, term, 0); at != SIZE_MAX; at = text_find(in, term, at + term.len)) {
		size_t end = at + term.len;
		end += end < in.len && in.at[end] == 's';
		n += !(at && is_word_at(in, at - 1)) && !is_word_at(in, end);
	}
	return n;
}

/* For a quick check of the bytes: the first word of a term is usually in one run. */
static struct text first_word(struct text term)
{
	size_t end = 0;

	while (end < term.len && term.at[end] != ' ' && !strchr("&<>\"'", term.at[end]))
		end++;
	return text_slice(term, 0, end);
}

static void warn_term(struct call *c, const struct story *s, struct text term, const char *where)
{
	scoped(arena_free) struct arena scratch = {0};
	struct arena *own = c->arena;
	struct text word = first_word(term);
	unsigned n = 0;

	for (uint32_t p = story_next(s, STORY_NONE); p != STORY_NONE; p = story_next(s, p)) {
		if (text_find(story_fragment(s, p), word, 0) == SIZE_MAX)
			continue;
		arena_reset(&scratch);
		c->arena = &scratch;
		struct text words = story_text(c, s, p);
		unsigned here = uses(words, term);
		struct texts defines = here ? defined(&scratch, words) : (struct texts){0};
		c->arena = own;
		if (here && has(&defines, term))
			return;
		n += here;
	}
	if (n)
		warn(c,
		     "\"%s\" was defined in %s and is still used %u time%s: grep for it, then define it again or replace it",
		     shown(c, term), where, n, n == 1 ? "" : "s");
}

void references_warn_lost(struct call *c, const struct story *body, const struct lost_terms *lost, const char *where)
{
	for (size_t i = 0; i < lost->list.n && i < SHOWN_MAX; i++)
		warn_term(c, body, lost->list.items[i], where);
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
	references_warn_numbers(c, numbers, s, p);
}
