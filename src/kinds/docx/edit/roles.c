#include "kinds/docx/edit/roles.h"

#include "base/utf8.h"

#include <string.h>

enum {
	HEADER_MAX = 80,         /* characters; a header is short */
	MODEL_SEARCH_MAX = 2000, /* paragraphs searched on each side; a model further away is not related */
};

/* Is the run bold or underlined, directly or by its styles? */
static bool stands_out(struct call *c, const struct story *s, uint32_t p, const struct atoms *atoms, uint32_t run)
{
	struct look look = look_of(c->arena, &atoms->fragment, atoms->runs[run].rpr);
	struct run_properties direct = {.has_style = look.style.at != NULL, .style = look.style};

	if (look.bold) {
		direct.said |= 1 << TOGGLE_BOLD;
		direct.on |= (uint8_t)((look.bold == MAYBE_ON) << TOGGLE_BOLD);
	}
	if (look.underline.at) {
		direct.said |= 1 << TOGGLE_UNDERLINE;
		direct.on |= (uint8_t)(!text_is(look.underline, "none") << TOGGLE_UNDERLINE);
	}
	struct run_properties all =
		styles_run(s->styles, s->paragraphs.items[p].style, story_table_style(s, p), &direct);
	return all.on & (1 << TOGGLE_BOLD | 1 << TOGGLE_UNDERLINE);
}

static bool is_terminator(uint32_t r) { return r == '.' || r == ':' || r == '-'; }
static bool is_quote(uint32_t r) { return rune_is_double_quote(r) || rune_is_single_quote(r); }

bool header_of(struct call *c, const struct story *s, uint32_t p, const struct atoms *atoms, struct header_span *out)
{
	uint32_t end = 0, from = 0;

	for (uint32_t i = 0; i < atoms->n && end <= HEADER_MAX + 8; i++) {
		if (!atoms->atoms[i].len)
			continue;
		if (!stands_out(c, s, p, atoms, atoms->atoms[i].run))
			break;
		end = atoms->atoms[i].at + atoms->atoms[i].len;
	}
	if (!end || end > HEADER_MAX + 8)
		return false;
	struct runes r = runes_of(c->arena, atoms->text);
	while (end && rune_is_blank(r.at[end - 1]))
		end--;
	while (from < end && rune_is_blank(r.at[from]))
		from++;
	uint32_t to = end;
	while (to > from && is_quote(r.at[to - 1]))
		to--;
	*out = (struct header_span){from, to, end, 0, false};
	if (to > from && is_terminator(r.at[to - 1])) {
		out->terminator = r.at[--out->to];
	} else if (end < r.n && (r.at[end] == '.' || r.at[end] == ':')) {
		out->terminator = r.at[end];
		out->end = end + 1;
		out->is_outside = true;
	} else {
		return false;
	}
	while (out->from < out->to && is_quote(r.at[out->from]))
		out->from++;
	return out->to > out->from && out->to - out->from <= HEADER_MAX &&
	       !text_is_blank(runes_slice(&r, out->end, r.n));
}

static bool header_model_of(struct call *c, const struct story *s, uint32_t p, struct header_model *out)
{
	struct atoms atoms;
	struct header_span h;

	if (!(s->paragraphs.items[p].flags & PARAGRAPH_HAS_TEXT) || !story_atoms(c, s, p, &atoms) ||
	    !header_of(c, s, p, &atoms, &h))
		return false;
	uint32_t head = ATOMS_NONE, body = ATOMS_NONE;
	for (uint32_t i = 0; i < atoms.n && body == ATOMS_NONE; i++) {
		if (atoms.atoms[i].len && atoms.atoms[i].at + atoms.atoms[i].len > h.end)
			body = atoms.atoms[i].run;
		if (atoms.atoms[i].len && head == ATOMS_NONE)
			head = atoms.atoms[i].run;
	}
	struct look of = look_of(c->arena, &atoms.fragment, atoms.runs[head].rpr);
	struct look from =
		body == ATOMS_NONE ? (struct look){0} : look_of(c->arena, &atoms.fragment, atoms.runs[body].rpr);
	*out = (struct header_model){look_difference(&of, &from), h.terminator == '-' ? '.' : h.terminator,
				     h.is_outside};
	return !look_is_plain(&out->look);
}

/* Calls `is` on the paragraph, then on those around it, nearest first, above before below. */
static bool nearest(struct call *c, const struct story *s, uint32_t p, uint32_t most,
		    bool (*is)(struct call *, const struct story *, uint32_t, void *), void *out)
{
	uint32_t above = p, below = p;

	if (story_is_there(s, p) && is(c, s, p, out))
		return true;
	for (uint32_t i = 0; i < most && (above != STORY_NONE || below != STORY_NONE); i++) {
		above = above == STORY_NONE ? STORY_NONE : story_previous(s, above);
		below = below == STORY_NONE ? STORY_NONE : story_next(s, below);
		if ((above != STORY_NONE && is(c, s, above, out)) || (below != STORY_NONE && is(c, s, below, out)))
			return true;
		if (i % 256 == 255 && !goes_on(c))
			return false;
	}
	return false;
}

static bool is_definition(struct call *c, const struct story *s, uint32_t p, void *out)
{
	struct atoms atoms;

	struct text bytes = story_fragment(s, p);

	/* A model only in capitals is not worth a search of the whole document. */
	return (memmem(bytes.at, bytes.len, "mean", 4) || memmem(bytes.at, bytes.len, "efer", 4) ||
		memmem(bytes.at, bytes.len, "efined as", 9)) &&
	       story_atoms(c, s, p, &atoms) && definition_model_of(c->arena, &atoms, false, out);
}

/* Does the paragraph define a term in brackets, as in (the “Term”), with its own look? */
static bool is_bracketed(struct call *c, const struct story *s, uint32_t p, void *out)
{
	struct text bytes = story_fragment(s, p);
	struct atoms atoms;

	return memchr(bytes.at, '(', bytes.len) && story_atoms(c, s, p, &atoms) &&
	       definition_model_of(c->arena, &atoms, true, out);
}

static bool is_header(struct call *c, const struct story *s, uint32_t p, void *out)
{
	return header_model_of(c, s, p, out);
}

bool roles_definition(struct call *c, const struct story *s, uint32_t p, struct definition_model *out)
{
	return nearest(c, s, p, UINT32_MAX, is_definition, out) ||
	       nearest(c, s, p, MODEL_SEARCH_MAX, is_bracketed, out);
}

void roles_header(struct call *c, const struct story *s, uint32_t p, struct header_model *out)
{
	if (!nearest(c, s, p, MODEL_SEARCH_MAX, is_header, out))
		*out = (struct header_model){{.bold = MAYBE_ON}, '.', false};
}

static bool has_role(const struct markup *m, enum role role)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->segments[i].role == role)
			return true;
	return false;
}

/* Text that shows the usual quotes: the paragraph's, or if it has none, the document's start. */
static struct text quoted_text(struct call *c, const struct story *s, uint32_t p)
{
	enum { LOOKED_AT = 1 << 20 };
	struct text own = story_text(c, s, p);

	if (text_find(own, TEXT("\""), 0) != SIZE_MAX || text_find(own, TEXT("\xE2\x80\x9C"), 0) != SIZE_MAX)
		return own;
	return text_slice(s->part->bytes, 0, LOOKED_AT);
}

void roles_quote(struct call *c, const struct story *s, uint32_t p, struct markup *m)
{
	struct definition_model model;

	if (has_role(m, ROLE_HEADER)) {
		struct header_model header;
		char end[4];
		roles_header(c, s, p, &header);
		struct runes r = runes_of(c->arena, m->text);
		for (size_t i = m->n; i-- > 0;) {
			uint32_t to = m->segments[i].to;
			bool goes_on_after = i + 1 < m->n && m->segments[i + 1].role == ROLE_HEADER;
			if (m->segments[i].role != ROLE_HEADER || goes_on_after)
				continue;
			uint32_t last = to;
			while (last && (rune_is_blank(r.at[last - 1]) || is_quote(r.at[last - 1])))
				last--;
			if ((last && is_terminator(r.at[last - 1])) || (to < r.n && is_terminator(r.at[to])))
				continue;
			markup_splice(c->arena, m, to, to, (struct text){end, utf8_put(end, header.terminator)});
			if (header.is_outside)
				markup_add_role(c->arena, m, to, to + 1, ROLE_NONE);
		}
		for (size_t i = m->n; i-- > 0;)
			if (m->segments[i].role == ROLE_HEADER)
				markup_add_look(c->arena, m, m->segments[i].from, m->segments[i].to, &header.look);
	}
	if (!has_role(m, ROLE_DEFINITION))
		return;
	bool found = roles_definition(c, s, p, &model);
	definition_quote(c->arena, m, found ? &model : NULL, quoted_text(c, s, p));
}

void roles_style(struct call *c, const struct story *s, uint32_t p, struct markup *m,
		 bool (*changes)(const void *, uint32_t, uint32_t), const void *of)
{
	struct definition_model model;
	struct definition *list;

	if (definitions_possible(m->text)) {
		struct runes r = runes_of(c->arena, m->text);
		size_t n = definitions_find(c->arena, &r, &list);
		for (size_t i = 0; i < n; i++)
			if (!changes || changes(of, list[i].from, list[i].to))
				markup_add_role(c->arena, m, list[i].from, list[i].to, ROLE_DEFINITION);
	}
	if (has_role(m, ROLE_DEFINITION) && roles_definition(c, s, p, &model))
		definition_style(c->arena, m, &model);
}
