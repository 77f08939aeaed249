#include "kinds/notes/search/words.h"

#include "base/utf8.h"

#include <string.h>

static bool is_ascii_word(char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

/* Chinese, Japanese, Thai and their like are written without blanks. */
static bool is_unspaced(uint32_t c)
{
	static const uint32_t ranges[][2] = {
		{0x0e00, 0x0eff}, {0x1000, 0x109f}, {0x1780, 0x17ff}, {0x3041, 0x30ff},
		{0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xf900, 0xfaff}, {0x20000, 0x3fffd},
	};

	if (c < ranges[0][0])
		return false;
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (c >= ranges[i][0] && c <= ranges[i][1])
			return true;
	return false;
}

/* The character at `at`, or 0 for a malformed byte, which is one byte long. */
static uint32_t character(struct text t, size_t at, size_t *after)
{
	int n = utf8_len(t.at + at, t.at + t.len);

	*after = at + (n ? (size_t)n : 1);
	size_t from = at;
	return n ? utf8_next(t, &from) : 0;
}

/* An apostrophe between letters: its length, or 0. */
static size_t apostrophe(struct text t, size_t at)
{
	size_t n = t.at[at] == '\'' ? 1 : t.len - at > 3 && !memcmp(t.at + at, "\xe2\x80\x99", 3) ? 3 : 0;

	return n && at + n < t.len && is_ascii_word(t.at[at + n]) ? n : 0;
}

/* A word of ASCII letters and digits at `from`. Returns false if the word continues with other characters. */
static bool plain_word(struct words *w, size_t from, struct word *out)
{
	const char *s = w->text.at;
	size_t i = from, len = 0, possessive = SIZE_MAX;

	for (; i < w->text.len; i++) {
		if (is_ascii_word(s[i])) {
			if (len < TERM_MAX)
				w->term[len++] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] + 32) : s[i];
			continue;
		}
		size_t skip = apostrophe(w->text, i);
		if (skip) {
			possessive = len;
			i += skip - 1;
			continue;
		}
		if (s[i] & 0x80) {
			size_t after;
			uint32_t c = character(w->text, i, &after);
			if (c && utf8_is_word(c) && !is_unspaced(c))
				return false;
		}
		break;
	}
	/* "the note's" is about the note; "don't" is one word. */
	if (len && possessive == len - 1 && w->term[len - 1] == 's')
		len--;
	out->is_stop = word_is_stop((struct text){w->term, len});
	len = out->is_stop ? len : word_stem(w->term, len);
	*out = (struct word){{w->term, len}, from, i, out->is_stop};
	w->at = i;
	return len > 0;
}

/* A word with letters beyond ASCII. */
static bool folded_word(struct words *w, size_t from, struct word *out)
{
	size_t end = from, after, kept = from;

	while (end < w->text.len) {
		uint32_t c = character(w->text, end, &after);
		if (!c || !utf8_is_word(c) || is_unspaced(c))
			break;
		end = after;
		if (end - from <= TERM_MAX)
			kept = end;
	}
	w->at = end;
	size_t len = utf8_loose((struct text){w->text.at + from, kept - from}, w->term, TERM_MAX);
	len = word_stem(w->term, len);
	*out = (struct word){{w->term, len}, from, end, false};
	return len > 0;
}

/* Within a run without blanks: each character (unless a query has two), and each pair. */
static bool unspaced_word(struct words *w, struct word *out)
{
	size_t from = w->at, middle, end;
	uint32_t next;

	character(w->text, from, &middle);
	end = middle;
	if (w->pair_from == from) { /* the character was returned; now return the pair */
		w->pair_from = SIZE_MAX;
		w->at = middle;
		next = middle < w->run_end ? character(w->text, middle, &end) : 0;
		if (!next)
			return false;
	} else if (w->is_query && w->run_is_long) {
		w->pair_from = from;
		return false;
	} else {
		w->pair_from = from;
	}
	size_t len = utf8_loose((struct text){w->text.at + from, end - from}, w->term, TERM_MAX);
	*out = (struct word){{w->term, len}, from, end, false};
	return len > 0;
}

static void begin_run(struct words *w, size_t from)
{
	size_t end = from, after, n = 0;

	while (end < w->text.len && is_unspaced(character(w->text, end, &after)))
		end = after, n++;
	w->run_end = end;
	w->run_is_long = n > 1;
	w->pair_from = SIZE_MAX;
}

bool words_next(struct words *w, struct word *out)
{
	size_t after;

	while (w->at < w->text.len) {
		size_t from = w->at;
		if (from < w->run_end) {
			if (unspaced_word(w, out))
				return true;
			continue;
		}
		if (is_ascii_word(w->text.at[from])) {
			if (plain_word(w, from, out) || (w->at == from && folded_word(w, from, out)))
				return true;
			continue;
		}
		if (!(w->text.at[from] & 0x80)) {
			w->at++;
			continue;
		}
		uint32_t c = character(w->text, from, &after);
		if (c && is_unspaced(c))
			begin_run(w, from);
		else if (!c || !utf8_is_word(c))
			w->at = after;
		else if (folded_word(w, from, out))
			return true;
	}
	return false;
}
