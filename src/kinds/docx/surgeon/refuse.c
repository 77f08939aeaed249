#include "kinds/docx/surgeon/refuse.h"

static const char *container_word(const struct atoms *p, uint32_t container)
{
	if (container == ATOMS_NONE)
		return "plain text";
	switch (p->containers[container].tag) {
	case TAG_HYPERLINK: return "a link";
	case TAG_INS: return "a tracked insertion";
	case TAG_MOVE_TO: return "text moved by a tracked change";
	case TAG_SDT: return "a content control";
	case TAG_FLD_SIMPLE: return "a field";
	case TAG_SMART_TAG: return "a smart tag";
	case TAG_CUSTOM_XML: return "custom XML";
	default: return "text with a direction of its own";
	}
}

static bool is_protected(const struct atoms *p, uint32_t container)
{
	for (; container != ATOMS_NONE; container = p->containers[container].parent)
		if (p->containers[container].is_locked || p->containers[container].is_bound)
			return true;
	return false;
}

/* The longest part of the match that is in one container and not in a field. */
static struct match longest_safe(const struct surgery *s)
{
	const struct atoms *p = s->p;
	struct match best = {0}, now = {0};
	uint32_t container = ATOMS_NONE;

	for (uint32_t i = 0; i < p->n; i++) {
		const struct atom *atom = &p->atoms[i];
		uint32_t from = atom->at > s->at.from ? atom->at : s->at.from;
		uint32_t to = atom->at + atom->len < s->at.to ? atom->at + atom->len : s->at.to;
		if (atom->kind == ATOM_CODE)
			now = (struct match){0};
		if (!atom->len || from >= to)
			continue;
		if (atom->kind == ATOM_SYMBOL || atom->field != ATOMS_NONE || is_protected(p, atom->container)) {
			now = (struct match){0};
			continue;
		}
		if (now.to != from || now.from == now.to || container != atom->container)
			now.from = from;
		now.to = to;
		container = atom->container;
		if (now.to - now.from > best.to - best.from)
			best = now;
	}
	return best;
}

/* The number of this occurrence among all occurrences of these words; 0 if it is the only one. */
static unsigned occurrence_of(const struct surgery *s, struct match m)
{
	struct text words = runes_slice(&s->text, m.from, m.to), all = s->text.text;
	size_t here = (size_t)(words.at - all.at);
	unsigned n = 0, which = 0;

	for (size_t at = 0; (at = text_find(all, words, at)) != SIZE_MAX; at++) {
		n++;
		which = at == here ? n : which;
	}
	return n > 1 ? which : 0;
}

/* A part of the match that an edit of exactly these words can change. It is shown completely, so that it can be
 * copied. */
static const char *advice(struct call *c, const struct surgery *s)
{
	enum { ADVICE_MAX = 600 }; /* characters */
	struct match safe = longest_safe(s);
	bool is_whole = safe.to - safe.from <= ADVICE_MAX;

	if (!is_whole)
		for (safe.to = safe.from + ADVICE_MAX; !runes_word_edge(&s->text, safe.to) && safe.to > safe.from + 1;)
			safe.to--;
	struct text words = runes_slice(&s->text, safe.from, safe.to);
	if (text_is_blank(words))
		return "choose an old_string outside of it";
	unsigned which = occurrence_of(s, safe);
	return text_format(c->arena, "%s that can be changed is \"%s\"%s", is_whole ? "the longest part" : "a part",
			   shown_to(c, words, 4 * ADVICE_MAX),
			   which ? text_format(c->arena, " with occurrence=%u", which).at : "")
		.at;
}

static struct match range_of(const struct atoms *p, uint32_t container)
{
	struct match m = {UINT32_MAX, 0};

	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t k = p->atoms[i].container; k != ATOMS_NONE; k = p->containers[k].parent)
			if (k == container && p->atoms[i].len) {
				m.from = m.from == UINT32_MAX ? p->atoms[i].at : m.from;
				m.to = p->atoms[i].at + p->atoms[i].len;
			}
	return m;
}

bool refuse_border(struct call *c, const struct surgery *s, const struct hunk *h, uint32_t one, uint32_t other)
{
	uint32_t named = one != ATOMS_NONE ? one : other;
	struct match range = range_of(s->p, named);

	return fail_as(
		c, "UNSAFE_CONTAINER_BOUNDARY",
		"the change of \"%s\" (characters %u to %u) would cross the border of %s, \"%s\" (characters %u to %u); "
		"edit inside and outside of it in separate calls: %s",
		shown(c, runes_slice(&s->text, h->from, h->to)), h->from, h->to, container_word(s->p, named),
		shown(c, runes_slice(&s->text, range.from, range.to)), range.from, range.to, advice(c, s));
}

bool refuse_field(struct call *c, const struct surgery *s, uint32_t field, bool crosses)
{
	if (field == ATOMS_NONE)
		return fail_as(c, "UNSUPPORTED_EDIT",
			       "the change would cross a mark of a field that does not begin or end here; %s",
			       advice(c, s));
	const struct field_span *f = &s->p->fields[field];
	const char *code = f->code.len ? shown(c, f->code) : "one that begins in an earlier paragraph";
	const char *result = shown(c, runes_slice(&s->text, f->at, f->to));

	if (crosses)
		return fail_as(
			c, "UNSUPPORTED_EDIT",
			"the change would cross the border of a field (%s) that shows \"%s\" (characters %u to %u); %s",
			code, result, f->at, f->to, advice(c, s));
	return fail_as(
		c, "UNSUPPORTED_EDIT",
		"\"%s\" (characters %u to %u) is the result of a field (%s), which Word computes again at its next update; "
		"change what the field refers to, or pass allow_field_result=true; %s",
		result, f->at, f->to, code, advice(c, s));
}

bool refuse_symbol(struct call *c, const struct surgery *s, uint32_t atom)
{
	const struct atom *a = &s->p->atoms[atom];

	return fail_as(c, "UNSUPPORTED_EDIT",
		       "\"%s\" at character %u is a symbol of a font of its own and cannot be replaced; %s",
		       shown(c, runes_slice(&s->text, a->at, a->at + a->len)), a->at, advice(c, s));
}

bool refuse_place(struct call *c, const struct surgery *s, uint32_t container, uint32_t field)
{
	const struct atoms *p = s->p;

	for (uint32_t i = container; i != ATOMS_NONE; i = p->containers[i].parent) {
		const struct container *k = &p->containers[i];
		struct match range = range_of(p, i);
		if (k->is_locked || k->is_bound)
			return fail_as(c, "UNSUPPORTED_EDIT",
				       "\"%s\" (characters %u to %u) is in a content control that is %s; %s",
				       shown(c, runes_slice(&s->text, range.from, range.to)), range.from, range.to,
				       k->is_locked ? "locked against changes"
						    : "filled from the document's data, which would overwrite it",
				       advice(c, s));
	}
	if (field != ATOMS_NONE && !s->allow_field_result)
		return refuse_field(c, s, field, false);
	return true;
}
