#include "kinds/hnpx/import/inline.h"
#include "base/utf8.h"
#include "kinds/hnpx/prose/markup.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct inliner {
	struct buffer words, looks;
	int italics, bolds; /* open tags */
	uint8_t look;       /* of stars and underlines */
};

static void put(struct inliner *w, struct text t)
{
	bool italic = (w->italics & 1) != !!(w->look & LOOK_ITALIC);

	buffer_add(&w->words, t);
	buffer_fill(&w->looks, (char)((italic ? LOOK_ITALIC : 0) | (w->bolds || w->look & LOOK_BOLD ? LOOK_BOLD : 0)),
		    t.len);
}

/* The character that a reference stands for; *len: its bytes in the source. 0: it is no reference. */
static uint32_t reference(struct text t, size_t *len)
{
	static const struct {
		const char *name;
		uint32_t c;
	} names[] = {{"&amp;", '&'},       {"&lt;", '<'},       {"&gt;", '>'},       {"&quot;", '"'},
		     {"&apos;", '\''},     {"&nbsp;", 0xa0},    {"&mdash;", 0x2014}, {"&ndash;", 0x2013},
		     {"&hellip;", 0x2026}, {"&lsquo;", 0x2018}, {"&rsquo;", 0x2019}, {"&ldquo;", 0x201c},
		     {"&rdquo;", 0x201d},  {"&laquo;", 0xab},   {"&raquo;", 0xbb},   {"&shy;", 0xad}};
	char digits[12] = {0}, *end;

	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (text_starts(t, names[i].name)) {
			*len = strlen(names[i].name);
			return names[i].c;
		}
	if (!text_starts(t, "&#"))
		return 0;
	size_t stop = text_find(text_slice(t, 0, sizeof digits), TEXT(";"), 2);
	if (stop == SIZE_MAX || stop < 3)
		return 0;
	memcpy(digits, t.at + 2, stop - 2);
	bool is_hex = (digits[0] | 32) == 'x';
	unsigned long c = strtoul(digits + is_hex, &end, is_hex ? 16 : 10);
	bool is_character =
		!*end && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) && (c >= ' ' || c == '\t' || c == '\n');
	*len = stop + 1;
	return is_character && (c & 0xfffe) != 0xfffe ? (uint32_t)c : 0;
}

/* Reads a tag at the beginning of the text, and returns its length; 0: it is none of these. */
static size_t tag(struct inliner *w, struct text t)
{
	static const struct {
		const char *name;
		bool is_bold, closes;
	} tags[] = {{"<em>", false, false},    {"</em>", false, true},    {"<i>", false, false}, {"</i>", false, true},
		    {"<strong>", true, false}, {"</strong>", true, true}, {"<b>", true, false},  {"</b>", true, true}};
	static const char *const breaks[] = {"<br>", "<br/>", "<br />"};

	for (size_t i = 0; i < ARRAY_COUNT(tags); i++) {
		size_t len = strlen(tags[i].name);
		if (t.len < len || strncasecmp(t.at, tags[i].name, len) != 0)
			continue;
		int *open = tags[i].is_bold ? &w->bolds : &w->italics;
		*open += tags[i].closes ? (*open ? -1 : 0) : 1;
		return len;
	}
	for (size_t i = 0; i < ARRAY_COUNT(breaks); i++) {
		size_t len = strlen(breaks[i]);
		if (t.len < len || strncasecmp(t.at, breaks[i], len) != 0)
			continue;
		put(w, TEXT("\n"));
		return len + (len < t.len && t.at[len] == '\n');
	}
	return 0;
}

static void read_all(struct inliner *w, struct text t, const struct emphasis *e)
{
	int bolds = 0;

	for (size_t i = 0, at = 0, len; i < t.len; i += len) {
		const struct emphasis_mark *m = at < e->marks.n ? &e->marks.items[at] : NULL;
		len = 1;
		if (m && m->at == i) {
			at++;
			len = m->len;
			if (m->pair && m->len == 1)
				w->look ^= LOOK_ITALIC;
			else if (m->pair)
				bolds += m->opens ? 1 : -1;
			w->look = (uint8_t)((w->look & LOOK_ITALIC) | (bolds ? LOOK_BOLD : 0));
			if (!m->pair) { /* the escaped character */
				put(w, text_slice(t, i + 1, i + 2));
				len = 2;
			}
			continue;
		}
		struct text rest = text_slice(t, i, t.len);
		size_t known = t.at[i] == '<' ? tag(w, rest) : 0;
		uint32_t c = t.at[i] == '&' ? reference(rest, &known) : 0;
		if (c) {
			char bytes[4];
			put(w, (struct text){bytes, utf8_put(bytes, c)});
		} else if (!known || t.at[i] == '&') {
			put(w, text_slice(t, i, i + 1));
			known = 1;
		}
		len = known;
	}
}

static struct looks read_looks(struct arena *a, struct text markdown)
{
	struct inliner w = {.words = {.arena = a}, .looks = {.arena = a}};
	struct emphasis emphasis = {0};

	emphasis_find(a, markdown, EMPHASIS_IMPORTED, &emphasis);
	read_all(&w, markdown, &emphasis);
	return (struct looks){buffer_text(&w.words), (uint8_t *)buffer_text(&w.looks).at};
}

struct text inline_prose(struct arena *a, struct text markdown)
{
	struct buffer out = {.arena = a};

	if (!memchr(markdown.at, '\\', markdown.len) && !memchr(markdown.at, '&', markdown.len) &&
	    !memchr(markdown.at, '<', markdown.len))
		return markdown;
	struct looks looks = read_looks(a, markdown);
	markup_put(&out, a, &looks, MARKUP_PROSE);
	return buffer_text(&out);
}

struct text inline_title(struct arena *a, struct text markdown) { return read_looks(a, markdown).words; }
