#include "kinds/docx/surgeon/definition.h"

#include "base/utf8.h"

#include <string.h>

enum { TERM_MAX = 120 }; /* code points; a longer quotation is not a term */

static const char *const verbs[] = {
	"means",
	"mean and include",
	"mean and includes",
	"shall mean",
	"has the meaning",
	"has the meanings",
	"have the meaning",
	"have the meanings",
	"shall have the meaning",
	"shall have the meanings",
	"is defined as",
	"are defined as",
	"refer to",
	"refers to",
};

/* Is the phrase at `at`, ignoring case and the kind of blanks between its words, and not as the start of a longer
 * word? */
static bool phrase_at(const struct runes *r, uint32_t at, const char *phrase)
{
	for (; *phrase; phrase++) {
		if (*phrase == ' ') {
			if (at >= r->n || !rune_is_blank(r->at[at]))
				return false;
			while (at < r->n && rune_is_blank(r->at[at]))
				at++;
			continue;
		}
		if (at >= r->n || (r->at[at] | 32) != (uint32_t)*phrase)
			return false;
		at++;
	}
	return at >= r->n || !utf8_is_word(r->at[at]);
}

static bool verb_at(const struct runes *r, uint32_t at)
{
	for (size_t i = 0; i < ARRAY_COUNT(verbs); i++)
		if (phrase_at(r, at, verbs[i]))
			return true;
	return false;
}

/* The closing quote for this opening quote; 0 if it is not an opening quote. */
static uint32_t closing(uint32_t c)
{
	switch (c) {
	case '"': return '"';
	case '\'': return '\'';
	case 0x201C: return 0x201D;
	case 0x201E: return 0x201C;
	case 0x2018: return 0x2019;
	case 0xAB: return 0xBB;
	case 0x2039: return 0x203A;
	default: return 0;
	}
}

static bool may_open(const struct runes *r, uint32_t at)
{
	if (!at || r->at[at] != '\'')
		return true;
	uint32_t before = r->at[at - 1];
	return rune_is_blank(before) || before == '(' || before == '[' || before == '{';
}

/* The definition whose opening quote is at `at`. */
static bool definition_at(const struct runes *r, uint32_t at, struct definition *out)
{
	uint32_t want = closing(r->at[at]), i = at + 1;

	if (!want || !may_open(r, at))
		return false;
	while (i < r->n && i - at <= TERM_MAX && r->at[i] != '\n' &&
	       !(r->at[i] == want && (rune_is_double_quote(want) || i + 1 >= r->n || !utf8_is_word(r->at[i + 1]))))
		i++;
	if (i >= r->n || r->at[i] != want || i == at + 1)
		return false;
	uint32_t verb = i + 1;
	while (verb < r->n && (r->at[verb] == ']' || r->at[verb] == ')'))
		verb++;
	uint32_t blank = verb;
	while (verb < r->n && rune_is_blank(r->at[verb]))
		verb++;
	if (verb == blank || verb >= r->n || !verb_at(r, verb))
		return false;
	*out = (struct definition){at, at + 1, i, i, verb};
	return true;
}

size_t definitions_find(struct arena *a, const struct runes *text, struct definition **out)
{
	ARRAY(struct definition) list = {0};
	struct definition d;

	for (uint32_t i = 0; i < text->n; i++)
		if (definition_at(text, i, &d)) {
			*ARRAY_PUSH(a, &list) = d;
			i = d.close;
		}
	*out = list.items;
	return list.n;
}

size_t definitions_bracketed(struct arena *a, const struct runes *text, struct definition **out)
{
	ARRAY(struct definition) list = {0};
	uint32_t depth = 0, open = UINT32_MAX;

	for (uint32_t i = 0; i < text->n; i++) {
		uint32_t c = text->at[i];
		depth += c == '(';
		if (c == ')' && depth)
			depth--;
		if (!rune_is_double_quote(c) || !depth)
			continue;
		if (open == UINT32_MAX || i - open > TERM_MAX) {
			open = i;
			continue;
		}
		if (i > open + 1 && utf8_lower(text->at[open + 1]) != text->at[open + 1])
			*ARRAY_PUSH(a, &list) = (struct definition){open, open + 1, i, i, i + 1};
		open = UINT32_MAX;
	}
	*out = list.items;
	return list.n;
}

bool definitions_possible(struct text t)
{
	/* Called for every paragraph in the search for a model, so only check the few stems that all the verbs
	 * share. */
	static const char *const needed[] = {"ean", "efer", "efined as", "EAN", "EFER", "EFINED AS"};

	for (size_t i = 0; i < ARRAY_COUNT(needed); i++)
		if (memmem(t.at, t.len, needed[i], strlen(needed[i])))
			return true;
	return false;
}

static struct look look_at(struct arena *a, const struct atoms *p, uint32_t offset)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (p->atoms[i].len && offset >= p->atoms[i].at && offset < p->atoms[i].at + p->atoms[i].len)
			return look_of(a, &p->fragment, p->runs[p->atoms[i].run].rpr);
	return (struct look){0};
}

bool definition_model_of(struct arena *a, const struct atoms *p, bool bracketed, struct definition_model *out)
{
	if (!bracketed && !definitions_possible(p->text))
		return false;
	struct runes text = runes_of(a, p->text);
	struct definition *list;
	size_t n = bracketed ? definitions_bracketed(a, &text, &list) : definitions_find(a, &text, &list);
	for (size_t i = 0; i < n; i++) {
		struct look behind = look_at(a, p, list[i].verb), term = look_at(a, p, list[i].from);
		struct look quote = look_at(a, p, list[i].open);
		struct look difference = look_difference(&term, &behind);
		if (look_is_plain(&difference))
			continue;
		*out = (struct definition_model){difference, look_difference(&quote, &behind), text.at[list[i].open],
						 text.at[list[i].close]};
		return true;
	}
	return false;
}

static struct text rune_text(struct arena *a, uint32_t c)
{
	char *bytes = arena_alloc(a, 4);

	return (struct text){bytes, utf8_put(bytes, c)};
}

static bool is_quote(uint32_t c) { return rune_is_double_quote(c) || rune_is_single_quote(c); }

/* The next marked range after `at`. Returns false if there is none. */
static bool next_marked(const struct markup *m, uint32_t at, uint32_t *from, uint32_t *to)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->segments[i].role != ROLE_DEFINITION || m->segments[i].to <= at)
			continue;
		*from = m->segments[i].from > at ? m->segments[i].from : at;
		*to = m->segments[i].to;
		while (++i < m->n && m->segments[i].role == ROLE_DEFINITION)
			*to = m->segments[i].to;
		return true;
	}
	return false;
}

void definition_quote(struct arena *a, struct markup *m, const struct definition_model *model, struct text like)
{
	bool is_curly = text_find(like, TEXT("\xE2\x80\x9C"), 0) != SIZE_MAX;
	uint32_t open = model      ? model->open
			: is_curly ? 0x201C
				   : '"',
		 close = model      ? model->close
			 : is_curly ? 0x201D
				    : '"';
	uint32_t from, to, at = 0;

	while (next_marked(m, at, &from, &to)) {
		struct runes r = runes_of(a, m->text);
		bool inside = is_quote(r.at[from]) && to - from > 2 && is_quote(r.at[to - 1]);
		bool around = from && to < r.n && is_quote(r.at[from - 1]) && is_quote(r.at[to]);
		if (inside) {
			markup_add_role(a, m, from, from + 1, ROLE_NONE);
			markup_add_role(a, m, to - 1, to, ROLE_NONE);
		} else if (!around) {
			markup_splice(a, m, to, to, rune_text(a, close));
			markup_splice(a, m, from, from, rune_text(a, open));
			markup_add_role(a, m, from, from + 1, ROLE_NONE);
			markup_add_role(a, m, to + 1, to + 2, ROLE_NONE);
			to += 2;
		}
		at = to;
	}
}

void definition_style(struct arena *a, struct markup *m, const struct definition_model *model)
{
	uint32_t from, to, at = 0;
	struct runes r = runes_of(a, m->text);

	while (next_marked(m, at, &from, &to)) {
		markup_add_look(a, m, from, to, &model->term);
		if (from && is_quote(r.at[from - 1]))
			markup_add_look(a, m, from - 1, from, &model->quotes);
		if (to < r.n && is_quote(r.at[to]))
			markup_add_look(a, m, to, to + 1, &model->quotes);
		at = to;
	}
}
