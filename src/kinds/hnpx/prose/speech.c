#include "kinds/hnpx/prose/speech.h"
#include "base/utf8.h"
#include "kinds/hnpx/prose/words.h"

#include <string.h>

static bool opens_with_dash(struct text prose)
{
	static const char *const dashes[] = {"—", "–", "―", "‒", "- "};

	for (size_t i = 0; i < ARRAY_COUNT(dashes); i++)
		if (text_starts(prose, dashes[i]))
			return true;
	return false;
}

static bool is_one_of(struct text word, const char *list)
{
	char lower[16];

	if (word.len >= sizeof lower)
		return false;
	for (size_t i = 0; i < word.len; i++)
		lower[i] = (char)(word.at[i] | (word.at[i] >= 'A' && word.at[i] <= 'Z' ? 32 : 0));
	for (const char *at = list; *at;) {
		size_t len = strcspn(at, " ");
		if (len == word.len && !memcmp(at, lower, len))
			return true;
		at += len + (at[len] == ' ');
	}
	return false;
}

static const char speech_verbs[] =
	"said says asked asks replied replies answered answers whispered whispers muttered "
	"murmured shouted yelled cried added began continued exclaimed hissed snapped growled "
	"sighed insisted breathed declared announced demanded repeated agreed";
/* Only a speaker uses these, or a narrator who tells of himself. */
static const char own_words[] =
	"i i'm i've i'd i'll my mine me myself we we're we've our ours us you you're you've your "
	"yours yourself";

struct quotation {
	size_t from, to; /* with its marks */
	bool ends_speech;
};

struct speech {
	struct arena *arena;
	struct text prose;
	struct words words;
	bool has_own_words; /* outside the quotations */
};

/* The last word before the place; empty: the text begins there. */
static struct text word_before(const struct speech *s, size_t at)
{
	struct text found = TEXT("");

	for (size_t i = 0; i < s->words.list.n && s->words.list.items[i].to <= at; i++)
		found = text_slice(s->prose, s->words.list.items[i].from, s->words.list.items[i].to);
	return found;
}

/* The last character before the place that is neither blank nor emphasis; 0: none. */
static char sign_before(struct text t, size_t at)
{
	while (at && strchr(" \t\r\n*_", t.at[at - 1]))
		at--;
	/* Characters that are not ASCII are dashes and ellipses here, or letters; text_ends() tells which. */
	struct text head = text_slice(t, 0, at);
	if (text_ends(head, "…") || text_ends(head, "。"))
		return '.';
	if (text_ends(head, "—") || text_ends(head, "–"))
		return ',';
	return at ? t.at[at - 1] : 0;
}

/* Do the words behind the quotation say who spoke: he muttered, said Ada? */
static bool tag_follows(const struct speech *s, size_t at)
{
	size_t seen = 0;

	for (size_t i = 0; i < s->words.list.n && seen < 3; i++) {
		const struct word *w = &s->words.list.items[i];
		if (w->from < at)
			continue;
		if (seen++ && w->before & (GAP_STOP | GAP_COMMA))
			return false;
		if (is_one_of(text_slice(s->prose, w->from, w->to), speech_verbs))
			return true;
	}
	return false;
}

/* Is the quotation what somebody says in a sentence of narration? */
static bool is_set_off(const struct speech *s, const struct quotation *q)
{
	char sign = sign_before(s->prose, q->from);
	bool is_tagged = is_one_of(word_before(s, q->from), speech_verbs);
	bool has_comma = q->to < s->prose.len && s->prose.at[q->to] == ',';
	bool ends = q->ends_speech || has_comma || q->to >= s->prose.len;

	if (sign && strchr(".!?", sign))
		return ends;
	if (sign && strchr(",:;-", sign))
		return ends && (is_tagged || !s->has_own_words);
	return (is_tagged && !s->has_own_words) || (q->ends_speech && !s->has_own_words && tag_follows(s, q->to));
}

static bool is_inside(const struct quotation *list, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++)
		if (at >= list[i].from && at < list[i].to)
			return true;
	return false;
}

bool speech_is_bare(struct arena *a, struct text prose, const struct marks *marks)
{
	struct speech s = {.arena = a, .prose = prose};
	struct quotation *list = arena_array(a, marks->list.n + 1, sizeof *list);
	size_t n = 0, open[2] = {SIZE_MAX, SIZE_MAX}, start = 0; /* open: by is_single */

	while (start < prose.len && (prose.at[start] == '*' || prose.at[start] == '_'))
		start++;
	if (opens_with_dash(text_slice(prose, start, prose.len)))
		return false;
	for (size_t i = 0; i < marks->list.n; i++) {
		const struct mark *m = &marks->list.items[i];
		if (m->role == MARK_OPEN && m->at == start)
			return false;
		if (m->role == MARK_OPEN)
			open[m->is_single] = m->at;
		if (m->role != MARK_CLOSE)
			continue;
		if (open[m->is_single] != SIZE_MAX)
			list[n++] = (struct quotation){open[m->is_single], m->at + m->len, m->ends_speech};
		else if (!m->is_single)
			return false; /* its opening mark is missing: it is for the author to mend */
		open[m->is_single] = SIZE_MAX;
	}
	if (open[false] != SIZE_MAX)
		return false;
	if (!n)
		return true;
	words_split(&s.words, a, prose);
	for (size_t i = 0; i < s.words.list.n && !s.has_own_words; i++) {
		const struct word *w = &s.words.list.items[i];
		s.has_own_words =
			is_one_of(text_slice(prose, w->from, w->to), own_words) && !is_inside(list, n, w->from);
	}
	for (size_t i = 0; i < n; i++)
		if (!is_inside(list, i, list[i].from) && is_set_off(&s, &list[i]))
			return false;
	return true;
}

void speech_put(struct buffer *to, struct arena *a, struct text prose)
{
	struct text trimmed = text_trim(prose);
	struct marks marks = {0};
	size_t lead = (size_t)(trimmed.at - prose.at), at = 0;
	bool inside = false;

	marks_find(a, trimmed, &marks);
	if (!speech_is_bare(a, trimmed, &marks)) {
		buffer_add(to, prose);
		return;
	}
	buffer_byte(to, '"');
	for (size_t i = 0; i < marks.list.n; i++) {
		const struct mark *m = &marks.list.items[i];
		bool pairs = m->role == MARK_OPEN || m->role == MARK_CLOSE;
		if (!pairs || (m->c != '"' && m->c != '\''))
			continue;
		buffer_add(to, text_slice(prose, at, lead + m->at));
		inside = m->c == '"' ? m->role == MARK_OPEN : inside;
		buffer_byte(to, m->c == '\'' && inside ? '"' : '\'');
		at = lead + m->at + m->len;
	}
	buffer_add(to, text_slice(prose, at, prose.len));
	buffer_byte(to, '"');
}
