#include "base/ascii.h"
#include "kinds/hnpx/prose/marks.h"
#include "base/utf8.h"

#include <string.h>

enum { EDGE = 0 }; /* stands for the character before the first and after the last */

static bool is_gap(uint32_t c)
{
	return c == EDGE || c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0xa0 || c == 0x202f || c == 0x3000;
}

static bool is_dash(uint32_t c) { return c == '-' || (c >= 0x2010 && c <= 0x2015); }

/* A quotation may begin after these characters. */
static bool leads_in(uint32_t c)
{
	return is_gap(c) || is_dash(c) || c == '(' || c == '[' || c == '{' || c == 0xbf || c == 0xa1 || c == '/' ||
	       c == 0x201c || c == 0x2018 || c == 0x201e || c == 0x201a || c == 0xab || c == 0x2039 || c == '"' ||
	       c == '\'';
}

static bool ends_clause(uint32_t c)
{
	return c == '.' || c == ',' || c == '!' || c == '?' || c == ';' || c == ':' || c == 0x2026 || is_dash(c);
}

static bool is_double(uint32_t c)
{
	switch (c) {
	case '"':
	case 0xab:
	case 0xbb:
	case 0x201c:
	case 0x201d:
	case 0x201e:
	case 0x201f:
	case 0x300c:
	case 0x300d:
	case 0x300e:
	case 0x300f:
	case 0x300a:
	case 0x300b:
	case 0xff02: return true;
	default: return false;
	}
}

static bool is_single(uint32_t c)
{
	return c == '\'' || c == 0x2018 || c == 0x2019 || c == 0x201a || c == 0x201b || c == 0x2039 || c == 0x203a;
}

/* Only these two characters may be apostrophes. */
static bool may_elide(uint32_t c) { return c == '\'' || c == 0x2019; }

/* Words whose beginning is often left out ('tis), given without the apostrophe. */
static bool is_elided(struct text word)
{
	static const char *const words[] = {"cause", "tis",   "twas",  "twere",  "twill", "em",
					    "til",   "till",  "bout",  "round",  "n",     "cuz",
					    "kay",   "neath", "fraid", "nother", "gainst"};
	char lower[8];

	if (word.len >= sizeof lower)
		return false;
	for (size_t i = 0; i < word.len; i++)
		lower[i] = (char)(word.at[i] | 32);
	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		if (strlen(words[i]) == word.len && !memcmp(words[i], lower, word.len))
			return true;
	return false;
}

static struct text word_at(struct text t, size_t from)
{
	size_t to = from;

	while (to < t.len && ((t.at[to] | 32) >= 'a' && (t.at[to] | 32) <= 'z'))
		to++;
	return text_slice(t, from, to);
}

static bool is_emphasis(uint32_t c) { return c == '*' || c == '_'; }

/* The neighbours of a mark. Emphasis between them is ignored. */
struct around {
	uint32_t before, behind;
	size_t behind_at;
	bool is_feet; /* after a digit, feet and digits: 6'2 */
};

/* Are there digits and feet before the place, as in 6'2"? */
static bool feet_stand_before(struct text t, size_t at)
{
	size_t inches = at;

	while (inches && is_digit((uint32_t)t.at[inches - 1]))
		inches--;
	return inches < at && inches > 1 && t.at[inches - 1] == '\'' && is_digit((uint32_t)t.at[inches - 2]);
}

static uint32_t behind(struct text t, size_t at, size_t *where)
{
	while (at < t.len && is_emphasis((uint32_t)t.at[at]))
		at++;
	*where = at;
	return at < t.len ? utf8_next(t, &at) : EDGE;
}

static bool closes_word(const struct around *n) { return !is_gap(n->before) && !utf8_is_word(n->behind); }

/* The last single mark that could close, and the last such mark after punctuation. An opening mark needs one after it.
 * Computed once for each part between empty lines, so that the text is read only twice. */
struct closers {
	size_t last, last_speech;
};

static bool part_ends(struct text t, size_t newline)
{
	size_t i = newline + 1;

	while (i < t.len && (t.at[i] == ' ' || t.at[i] == '\t' || t.at[i] == '\r'))
		i++;
	return i < t.len && t.at[i] == '\n';
}

static struct closers closers_from(struct text t, size_t from)
{
	struct closers found = {0, 0};
	uint32_t before = EDGE;

	for (size_t at = from; at < t.len;) {
		size_t start = at;
		uint32_t c = utf8_next(t, &at);
		if (c == '\n' && part_ends(t, start))
			break;
		struct around n = {.before = before};
		n.behind = may_elide(c) ? behind(t, at, &n.behind_at) : EDGE;
		if (may_elide(c) && closes_word(&n)) {
			found.last = start;
			if (ends_clause(before))
				found.last_speech = start;
		}
		if (!is_emphasis(c))
			before = c;
	}
	return found;
}

struct open_marks {
	uint32_t twin, single; /* the open marks; 0: none is open */
};

static enum mark_role double_role(const struct mark *m, const struct around *n, const struct open_marks *open)
{
	bool may_open = leads_in(n->before) && !is_gap(n->behind);

	if (m->c == 0x201e || m->c == 0x300c || m->c == 0x300e || m->c == 0x300a)
		return MARK_OPEN;
	if (m->c == 0x300d || m->c == 0x300f || m->c == 0x300b)
		return MARK_CLOSE;
	if (m->c == '"' && n->is_feet)
		return MARK_MEASURE;
	/* French has a space inside the marks. */
	if (m->c == 0xab && is_gap(n->behind) && !open->twin)
		return MARK_OPEN;
	if (open->twin && !is_gap(n->before))
		return MARK_CLOSE;
	if (may_open)
		return MARK_OPEN;
	if (m->c == '"' && !open->twin && is_digit(n->before))
		return MARK_MEASURE;
	return open->twin || !is_gap(n->before) ? MARK_CLOSE : MARK_OPEN;
}

static enum mark_role single_role(struct text t, const struct mark *m, const struct around *n,
				  const struct open_marks *open, const struct closers *closers)
{
	bool word_behind = utf8_is_word(n->behind);

	if (m->c == 0x2018 || m->c == 0x201a || m->c == 0x201b || m->c == 0x2039)
		/* German closes with the mark that opens in English. */
		return m->c == 0x2018 && open->single == 0x201a ? MARK_CLOSE : MARK_OPEN;
	if (m->c == 0x203a)
		return MARK_CLOSE;
	if (m->c == '\'' && is_digit(n->before) && is_digit(n->behind))
		return MARK_MEASURE;
	if (utf8_is_word(n->before) && word_behind)
		return MARK_APOSTROPHE;
	if (!leads_in(n->before) || (open->single && !word_behind)) {
		/* The apostrophe of a plural, if the quotation continues to a later mark. */
		bool is_plural = n->before == 's' && n->behind == ' ' && closers->last_speech > m->at;
		return open->single && !is_plural ? MARK_CLOSE : utf8_is_word(n->before) ? MARK_APOSTROPHE : MARK_CLOSE;
	}
	if (!word_behind)
		return closers->last > m->at && !is_gap(n->behind) ? MARK_OPEN : MARK_APOSTROPHE;
	bool is_short = is_digit(n->behind) || is_elided(word_at(t, n->behind_at));
	return (is_short ? closers->last_speech : closers->last) > m->at && m->c == '\'' ? MARK_OPEN : MARK_APOSTROPHE;
}

void marks_find(struct arena *a, struct text t, struct marks *out)
{
	struct closers closers = closers_from(t, 0);
	struct open_marks open = {0, 0};
	struct around n = {.before = EDGE};

	for (size_t at = 0; at < t.len;) {
		size_t start = at;
		uint32_t c = utf8_next(t, &at);
		if (c == '\n' && part_ends(t, start)) {
			open = (struct open_marks){0, 0};
			closers = closers_from(t, at);
		}
		if (is_double(c) || is_single(c)) {
			struct mark m = {.at = start, .len = at - start, .c = c, .is_single = is_single(c)};
			uint32_t *slot = m.is_single ? &open.single : &open.twin;
			n.behind = behind(t, at, &n.behind_at);
			n.is_feet = c == '"' && feet_stand_before(t, start);
			m.role = m.is_single ? single_role(t, &m, &n, &open, &closers) : double_role(&m, &n, &open);
			m.ends_speech = m.role == MARK_CLOSE && ends_clause(n.before);
			m.mate = m.role == MARK_CLOSE ? *slot : 0;
			if (m.role == MARK_OPEN || m.role == MARK_CLOSE)
				*slot = m.role == MARK_OPEN ? c : 0;
			*ARRAY_PUSH(a, &out->list) = m;
		}
		if (!is_emphasis(c))
			n.before = c;
	}
}
