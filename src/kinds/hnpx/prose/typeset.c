#include "kinds/hnpx/prose/typeset.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/hnpx/prose/emphasis.h"
#include "kinds/hnpx/prose/marks.h"
#include "kinds/hnpx/prose/speech.h"

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

/* The sort of marks for a quotation inside a speech that gets marks of its own. */
static struct quotes inner_quotes(const struct quotes *q)
{
	bool is_curly = strstr("“”„", q->open) != NULL;
	struct quotes in = {q->inner_open, q->inner_close, q->open, q->close};

	if (!strcmp(q->open, q->inner_open)) { /* some languages use one sort for both */
		in.open = is_curly ? "‘" : "“";
		in.close = is_curly ? "’" : "”";
	}
	return in;
}

/* Which marks a text gets. */
struct setting {
	const struct quotes *quotes;
	struct quotes inner; /* marks are added around the text: for double marks in it, and for single ones in those */
	bool wraps, inside;  /* inside: between double marks of the text */
};

static bool mark_is(const struct mark *m, const char *mark)
{
	char c[4];

	return utf8_put(c, m->c) == strlen(mark) && !memcmp(c, mark, strlen(mark));
}

static const char *set_pair(const struct mark *m, const struct quotes *q)
{
	if (m->role == MARK_OPEN)
		return m->is_single ? q->inner_open : q->open;
	if (m->mate && !is_straight(m->mate)) {
		const char *close = mate_of(m->mate, q);
		if (close)
			return close;
	}
	return m->is_single ? q->inner_close : q->close;
}

/* The printed form of a mark; NULL: as the author typed it. */
static const char *set_mark(const struct mark *m, struct setting *s)
{
	const struct quotes *q = s->quotes;
	bool pairs = m->role == MARK_OPEN || m->role == MARK_CLOSE, inside = s->inside;

	if (!m->is_single && pairs)
		s->inside = m->role == MARK_OPEN;
	if (pairs && s->wraps && !m->is_single) {
		/* A curly mark is changed only if it is of the sort that is added. */
		if (is_straight(m->c) || mark_is(m, q->open) || mark_is(m, q->close))
			return m->role == MARK_OPEN ? s->inner.open : s->inner.close;
		return NULL;
	}
	if (!is_straight(m->c) || m->role == MARK_MEASURE)
		return NULL;
	if (m->role == MARK_APOSTROPHE || (m->role == MARK_CLOSE && !m->mate && m->is_single))
		return "’";
	return set_pair(m, s->wraps && inside ? &s->inner : q);
}

struct setter {
	struct arena *arena;
	struct type_block *block;
	struct buffer words; /* of the current run */
	bool is_italic;
	int bolds; /* open pairs */
};

static void run_end(struct setter *s, bool ends_line)
{
	while (ends_line && s->words.len &&
	       (s->words.at[s->words.len - 1] == ' ' || s->words.at[s->words.len - 1] == '\t' ||
		s->words.at[s->words.len - 1] == '\r'))
		s->words.len--;
	if (s->words.len)
		*ARRAY_PUSH(s->arena, &s->block->runs) =
			(struct type_run){buffer_text(&s->words), s->is_italic, s->bolds > 0, ends_line};
	else if (ends_line && s->block->runs.n)
		s->block->runs.items[s->block->runs.n - 1].ends_line = true;
	s->words = (struct buffer){.arena = s->arena};
}

/* Authors put stars around a thought. It is set in italics anyway, so drop them. */
static void drop_outer_stars(struct text part, struct emphasis *e)
{
	if (emphasis_is_whole(part, e) && e->marks.items[0].len == 1)
		e->marks.items[0].pair = e->marks.items[e->marks.n - 1].pair = 0; /* without effect, as an escape */
}

struct part {
	struct text words;
	size_t from; /* its offset in the prose, as in the marks */
	const struct marks *marks;
	size_t *mark; /* the next one */
	struct setting *setting;
};

static void set_emphasis(struct setter *s, const struct emphasis_mark *m)
{
	if (!m->pair)
		return;
	run_end(s, false);
	if (m->len == 1)
		s->is_italic ^= true;
	else
		s->bolds += m->opens ? 1 : -1;
}

static void set_part(struct setter *s, const struct part *p, bool is_thought)
{
	struct text part = p->words;
	struct emphasis emphasis = {0};
	size_t at = 0;

	emphasis_find(s->arena, part, EMPHASIS_PROSE, &emphasis);
	if (is_thought)
		drop_outer_stars(part, &emphasis);
	for (size_t i = 0; i < part.len;) {
		const struct mark *m = *p->mark < p->marks->list.n ? &p->marks->list.items[*p->mark] : NULL;
		if (at < emphasis.marks.n && emphasis.marks.items[at].at == i) {
			set_emphasis(s, &emphasis.marks.items[at]);
			i += emphasis.marks.items[at++].len;
		} else if (m && m->at == p->from + i) {
			const char *printed = set_mark(m, p->setting);
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
	bool wraps = voice == VOICE_SPEECH && speech_is_bare(a, prose, &marks);
	struct setting setting = {.quotes = quotes, .wraps = wraps, .inner = inner_quotes(quotes)};
	while (part_next(prose, &at, &part)) {
		struct type_block *block = ARRAY_PUSH(a, &out->list);
		struct setter s = {.arena = a, .block = block, .words = {.arena = a}};
		struct part p = {part, (size_t)(part.at - prose.at), &marks, &mark, &setting};
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
