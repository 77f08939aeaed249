#include "kinds/hnpx/export/typeset.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/hnpx/export/marks.h"

#include <string.h>

/* The closing mark for an opening mark that the author typed. */
static const char *mate_of(uint32_t open, const struct quotes *q)
{
	static const struct {
		uint32_t open;
		const char *close;
	} pairs[] = {{0x201c, "”"}, {0x2018, "’"}, {0xab, "»"},    {0xbb, "«"},    {0x2039, "›"}, {0x203a, "‹"},
		     {0x201d, "”"}, {0x2019, "’"}, {0x300c, "」"}, {0x300e, "』"}, {0x300a, "》"}};

	if (open == 0x201e)
		return !strcmp(q->open, "„") ? q->close : "“";
	if (open == 0x201a)
		return !strcmp(q->inner_open, "‚") ? q->inner_close : "‘";
	for (size_t i = 0; i < ARRAY_COUNT(pairs); i++)
		if (pairs[i].open == open)
			return pairs[i].close;
	return NULL;
}

static bool is_straight(uint32_t c) { return c == '"' || c == '\'' || c == 0xff02; }

/* The printed form of a mark; NULL: as the author typed it. */
static const char *set_mark(const struct mark *m, const struct quotes *q)
{
	if (!is_straight(m->c))
		return NULL;
	switch (m->role) {
	case MARK_APOSTROPHE: return "’";
	case MARK_INCHES: return "″";
	case MARK_OPEN: return m->is_single ? q->inner_open : q->open;
	case MARK_CLOSE: break;
	}
	if (m->mate && !is_straight(m->mate)) {
		const char *close = mate_of(m->mate, q);
		if (close)
			return close;
	}
	if (!m->mate && m->is_single)
		return "’";
	return m->is_single ? q->inner_close : q->close;
}

static bool opens_with_dash(struct text prose)
{
	static const char *const dashes[] = {"—", "–", "―", "‒", "- "};

	for (size_t i = 0; i < ARRAY_COUNT(dashes); i++)
		if (text_starts(prose, dashes[i]))
			return true;
	return false;
}

static bool marks_hold_speech(const struct marks *marks, struct text prose)
{
	bool single_opens = false; /* the first word is in single quotes, as in British speech */

	if (opens_with_dash(prose))
		return true;
	for (size_t i = 0; i < marks->list.n; i++) {
		const struct mark *m = &marks->list.items[i];
		bool pairs = m->role == MARK_OPEN || m->role == MARK_CLOSE;
		if (pairs && !m->is_single)
			return true;
		if (pairs && m->role == MARK_OPEN && m->at == 0)
			single_opens = true;
		if (pairs && m->role == MARK_CLOSE && m->mate && (single_opens || m->ends_speech))
			return true;
	}
	return single_opens;
}

bool speech_is_bare(struct text prose)
{
	struct arena scratch = {0};
	struct marks marks = {0};

	prose = text_trim(prose);
	marks_find(&scratch, prose, &marks);
	bool bare = !marks_hold_speech(&marks, prose);
	arena_free(&scratch);
	return bare;
}

/* Stars in pairs: one for italics, two for bold, three for both. */
struct star {
	size_t at;
	uint8_t len;
	bool opens, closes;
};
struct stars {
	ARRAY(struct star) list;
};

enum { STAR_KINDS = 3, NO_STAR = -1 };

static bool is_space(struct text t, size_t at)
{
	return at >= t.len || t.at[at] == ' ' || t.at[at] == '\n' || t.at[at] == '\t' || t.at[at] == '\r';
}

static void pair(struct stars *s, long open[STAR_KINDS], size_t closer)
{
	uint8_t len = s->list.items[closer].len;
	long opener = open[len - 1];

	s->list.items[opener].opens = true;
	s->list.items[closer].closes = true;
	/* A star that opened inside the pair and did not close is an ordinary star. */
	for (int k = 0; k < STAR_KINDS; k++)
		if (open[k] >= opener)
			open[k] = NO_STAR;
}

static void stars_find(struct arena *a, struct text t, struct stars *out)
{
	long open[STAR_KINDS] = {NO_STAR, NO_STAR, NO_STAR};

	for (size_t i = 0; i < t.len;) {
		size_t from = i;
		while (i < t.len && t.at[i] == '*')
			i++;
		if (i == from) {
			i++;
			continue;
		}
		size_t len = i - from;
		if (len > STAR_KINDS)
			continue;
		bool may_close = from && !is_space(t, from - 1), may_open = !is_space(t, i);
		*ARRAY_PUSH(a, &out->list) = (struct star){from, (uint8_t)len, false, false};
		if (may_close && open[len - 1] != NO_STAR)
			pair(out, open, out->list.n - 1);
		else if (may_open)
			open[len - 1] = (long)out->list.n - 1;
	}
}

struct setter {
	struct arena *arena;
	struct type_block *block;
	struct buffer words; /* of the current run */
	bool is_italic, is_bold;
};

static void run_end(struct setter *s, bool ends_line)
{
	while (ends_line && s->words.len &&
	       (s->words.at[s->words.len - 1] == ' ' || s->words.at[s->words.len - 1] == '\t' ||
		s->words.at[s->words.len - 1] == '\r'))
		s->words.len--;
	if (s->words.len)
		*ARRAY_PUSH(s->arena, &s->block->runs) =
			(struct type_run){buffer_text(&s->words), s->is_italic, s->is_bold, ends_line};
	else if (ends_line && s->block->runs.n)
		s->block->runs.items[s->block->runs.n - 1].ends_line = true;
	s->words = (struct buffer){.arena = s->arena};
}

/* Authors put stars around a thought. It is set in italics anyway, so drop them. */
static void drop_outer_stars(struct text part, struct stars *s)
{
	if (s->list.n < 2)
		return;
	struct star *first = &s->list.items[0], *last = &s->list.items[s->list.n - 1];
	if (first->at || first->len != 1 || !first->opens || last->len != 1 || last->at + 1 != part.len)
		return;
	for (size_t i = 1; i + 1 < s->list.n; i++) /* both are one pair only if no single star is between */
		if (s->list.items[i].len == 1)
			return;
	first->opens = last->closes = false;
	first->len = last->len = 0; /* do not print them */
}

struct part {
	struct text words;
	size_t from; /* its offset in the prose, as in the marks */
	const struct marks *marks;
	size_t *mark; /* the next one */
	const struct quotes *quotes;
};

static void set_part(struct setter *s, const struct part *p, bool is_thought)
{
	struct text part = p->words;
	struct stars stars = {0};
	size_t star = 0;

	stars_find(s->arena, part, &stars);
	if (is_thought)
		drop_outer_stars(part, &stars);
	for (size_t i = 0; i < part.len;) {
		const struct mark *m = *p->mark < p->marks->list.n ? &p->marks->list.items[*p->mark] : NULL;
		const struct star *st = star < stars.list.n ? &stars.list.items[star] : NULL;
		if (st && st->at == i) {
			size_t width = st->len ? st->len : 1;
			star++;
			if (st->opens || st->closes) {
				run_end(s, false);
				s->is_italic ^= st->len != 2;
				s->is_bold ^= st->len != 1;
			} else if (st->len) {
				buffer_add(&s->words, text_slice(part, i, i + st->len));
			}
			i += width;
		} else if (m && m->at == p->from + i) {
			const char *printed = set_mark(m, p->quotes);
			(*p->mark)++;
			if (printed)
				buffer_put(&s->words, printed);
			else
				buffer_add(&s->words, text_slice(part, i, i + m->len));
			i += m->len;
		} else if (part.at[i] == '\n') {
			run_end(s, true);
			for (i++; i < part.len && (part.at[i] == ' ' || part.at[i] == '\t'); i++)
				;
		} else {
			buffer_byte(&s->words, part.at[i++]);
		}
	}
}

/* The lines up to the next empty one, trimmed. Returns false if there are none. */
static bool part_next(struct text prose, size_t *at, struct text *part)
{
	size_t from = SIZE_MAX, to = 0;

	while (*at < prose.len) {
		size_t end = text_find(prose, TEXT("\n"), *at);
		struct text line = text_trim(text_slice(prose, *at, end == SIZE_MAX ? prose.len : end));
		*at = end == SIZE_MAX ? prose.len : end + 1;
		if (line.len) {
			from = from == SIZE_MAX ? (size_t)(line.at - prose.at) : from;
			to = (size_t)(line.at - prose.at) + line.len;
		} else if (from != SIZE_MAX) {
			break;
		}
	}
	if (from == SIZE_MAX)
		return false;
	*part = text_slice(prose, from, to);
	return true;
}

void typeset(struct arena *a, struct text prose, enum voice voice, const struct quotes *quotes, struct type_blocks *out)
{
	struct marks marks = {0};
	struct text part;
	size_t at = 0, mark = 0;

	prose = text_trim(prose);
	marks_find(a, prose, &marks);
	bool wraps = voice == VOICE_SPEECH && !marks_hold_speech(&marks, prose);
	while (part_next(prose, &at, &part)) {
		struct type_block *block = ARRAY_PUSH(a, &out->list);
		struct setter s = {.arena = a, .block = block, .words = {.arena = a}};
		struct part p = {part, (size_t)(part.at - prose.at), &marks, &mark, quotes};
		while (mark < marks.list.n && marks.list.items[mark].at < p.from)
			mark++;
		/* Each part of a long speech has an opening mark; only the last one has a closing mark. */
		buffer_put(&s.words, wraps ? quotes->open : "");
		s.is_italic = voice == VOICE_THOUGHT;
		set_part(&s, &p, voice == VOICE_THOUGHT);
		if (wraps && text_is_blank(text_slice(prose, at, prose.len)))
			buffer_put(&s.words, quotes->close); /* all pairs of stars are closed here */
		run_end(&s, false);
	}
}
