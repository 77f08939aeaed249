#include "kinds/docx/read/hidden.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define scoped(drop) __attribute__((cleanup(drop)))

enum {
	TINY = 4,            /* half-points */
	PAGE_WIDEST = 24000, /* twips: A3 across and a little more */
	PAGE_BEFORE = -8000, /* twips left of the margin, or above it */
	TWIP = 635,          /* EMU */
	COLOR_LIGHT = 0xf0,
};

typedef void tell_fn(void *to, const char *sort, struct text words);

static bool is_light(struct text color)
{
	char hex[7] = {0}, *end;

	if (color.len != 6)
		return false;
	memcpy(hex, color.at, 6);
	unsigned long rgb = strtoul(hex, &end, 16);
	return !*end && rgb >> 16 >= COLOR_LIGHT && (rgb >> 8 & 0xff) >= COLOR_LIGHT && (rgb & 0xff) >= COLOR_LIGHT;
}

/* Do the bytes give a background that is not white? */
static bool is_shaded(struct text bytes)
{
	for (size_t at = 0; (at = text_find(bytes, TEXT(":fill=\""), at)) != SIZE_MAX;) {
		at += 7;
		struct text fill = text_slice(bytes, at, at + 6 < bytes.len ? at + 6 : bytes.len);
		if (!text_starts(fill, "auto") && !is_light(fill))
			return true;
	}
	return text_find(bytes, TEXT("themeFill="), 0) != SIZE_MAX;
}

/* Can its background be other than white? In a shaded cell, a table with a style, or a filled text box. */
static bool may_be_dark(const struct row *r)
{
	const struct story *s = r->story;
	const struct paragraph *p = &s->paragraphs.items[r->paragraph];

	if (is_shaded(story_fragment(s, r->paragraph)))
		return true;
	if (p->host != STORY_NONE) {
		struct text host = story_fragment(s, p->host);
		return text_find(host, TEXT("Fill"), 0) != SIZE_MAX ||
		       text_find(host, TEXT("fillcolor"), 0) != SIZE_MAX;
	}
	if (p->cell == STORY_NONE)
		return false;
	if (story_table_style(s, r->paragraph) != STYLE_NONE || p->flags & PARAGRAPH_INSERTED)
		return true;
	struct text before = text_slice(s->part->bytes, 0, p->from);
	size_t from = before.len;
	while (from && !(before.at[from - 1] == '<' && text_starts(text_slice(before, from, before.len), "w:tc>")) &&
	       !text_starts(text_slice(before, from, before.len), "w:tc ") && before.len - from < 100000)
		from--;
	return is_shaded(text_slice(before, from, before.len));
}

static void find_looks(const struct row *r, tell_fn *tell, void *to)
{
	for (size_t i = 0; i < r->runs_n; i++) {
		const struct run_properties *look = &r->runs[i].look;
		struct text t = text_slice(r->all, r->runs[i].from, r->runs[i].to);
		if (text_is_blank(t))
			continue;
		bool has_marker =
			look->highlight.len && !text_is(look->highlight, "none") && !text_is(look->highlight, "white");
		if (is_light(look->color) && !has_marker && !may_be_dark(r))
			tell(to, "white_text", t);
		else if (look->size > 0 && look->size <= TINY)
			tell(to, "tiny_text", t);
	}
}

/* Characters. */

enum character { CHARACTER_PLAIN, CHARACTER_ZERO_WIDTH, CHARACTER_REORDERS, CHARACTER_TAG, CHARACTERS };

static enum character character_of(uint32_t c)
{
	if ((c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
		return CHARACTER_REORDERS;
	if (c >= 0xe0000 && c <= 0xe007f)
		return CHARACTER_TAG;
	if (c == 0x200b || (c >= 0x2060 && c <= 0x2064) || c == 0xfeff || c == 0x180e || c == 0x034f ||
	    (c >= 0xe0100 && c <= 0xe01ef))
		return CHARACTER_ZERO_WIDTH;
	return CHARACTER_PLAIN;
}

static void find_characters(struct arena *a, const struct row *r, tell_fn *tell, void *to)
{
	static const char *const sorts[] = {NULL, "zero_width", "reordered_text", "tag_characters"};
	enum { FLAG = 0x1f3f4, JOINER = 0x200d, NON_JOINER = 0x200c };
	uint32_t counts[CHARACTERS] = {0}, before = 0;
	bool in_flag = false;

	for (size_t at = 0; at < r->all.len;) {
		if ((unsigned char)r->all.at[at] < 0x80) {
			before = (unsigned char)r->all.at[at++];
			in_flag = false;
			continue;
		}
		uint32_t c = utf8_next(r->all, &at);
		enum character sort = character_of(c);
		in_flag = c == FLAG || (in_flag && sort == CHARACTER_TAG);
		/* Scripts and emoji use single joiners. */
		if ((c == JOINER || c == NON_JOINER) && (before < 0x80 || before == JOINER || before == NON_JOINER))
			sort = CHARACTER_ZERO_WIDTH;
		if (sort == CHARACTER_ZERO_WIDTH && c >= 0xe0100 && before >= 0x2e80)
			sort = CHARACTER_PLAIN; /* a variant of a Chinese character */
		counts[sort] += !(sort == CHARACTER_TAG && in_flag);
		before = c;
	}
	for (int i = CHARACTER_ZERO_WIDTH; i < CHARACTERS; i++)
		if (counts[i])
			tell(to, sorts[i], text_format(a, "%u character%s", counts[i], counts[i] == 1 ? "" : "s"));
}

/* Places. */

static bool is_off(double twips) { return twips > PAGE_WIDEST || twips < PAGE_BEFORE; }

/* Is a number after one of these marks outside of every page? */
static bool has_off(struct text bytes, const char *mark, double twips)
{
	size_t len = strlen(mark);

	for (size_t at = 0; (at = text_find(bytes, text_of(mark), at)) != SIZE_MAX;) {
		char number[16] = {0};
		at += len;
		struct text t = text_slice(bytes, at, at + 15 < bytes.len ? at + 15 : bytes.len);
		memcpy(number, t.at, t.len);
		if (is_off(strtod(number, NULL) * twips))
			return true;
	}
	return false;
}

static bool is_off_page(const struct row *r)
{
	const struct paragraph *p = &r->story->paragraphs.items[r->paragraph];
	const struct paragraph_properties *k = &r->properties;
	struct text own = story_fragment(r->story, r->paragraph);

	if ((k->indents_said & 1 << INDENT_LEFT && is_off(k->indents[INDENT_LEFT])) ||
	    (k->indents_said & 1 << INDENT_FIRST && is_off(k->indents[INDENT_LEFT] + k->indents[INDENT_FIRST])))
		return true;
	if (text_find(own, TEXT("framePr"), 0) != SIZE_MAX && (has_off(own, "w:x=\"", 1) || has_off(own, "w:y=\"", 1)))
		return true;
	if (p->host == STORY_NONE)
		return false;
	struct text host = story_fragment(r->story, p->host);
	return has_off(host, "posOffset>", 1.0 / TWIP) || has_off(host, "margin-left:", 20) ||
	       has_off(host, "margin-top:", 20);
}

void hidden_each(struct arena *a, const struct row *r, tell_fn *tell, void *to)
{
	if (!text_is_blank(r->atoms.hidden))
		tell(to, "hidden_text", r->atoms.hidden);
	find_looks(r, tell, to);
	find_characters(a, r, tell, to);
	if (!text_is_blank(r->all) && is_off_page(r))
		tell(to, "off_page_text", r->all);
}

struct noting {
	struct call *c;
	struct hidden_places *places;
	const struct row *row;
};

static void note(void *of, const char *sort, struct text words)
{
	struct noting *n = of;
	struct hidden_places *p = n->places;

	(void)words;
	if (!strcmp(sort, "hidden_text"))
		return;
	if (p->n < HIDDEN_TOLD) {
		p->ids[p->n] = text_string(n->c->arena, text_of(story_id(n->c, n->row->story, n->row->paragraph)));
		p->sorts[p->n] = sort;
	}
	p->n++;
}

void hidden_note(struct call *c, struct hidden_places *places, const struct row *r)
{
	scoped(arena_free) struct arena scratch = {0};
	struct noting n = {c, places, r};

	hidden_each(&scratch, r, note, &n);
}

void hidden_warn(struct call *c, const struct hidden_places *p)
{
	struct buffer list = {.arena = c->arena};

	for (uint32_t i = 0; i < p->n && i < HIDDEN_TOLD; i++)
		buffer_format(&list, "%s%s (%s)", i ? ", " : "", p->ids[i], p->sorts[i]);
	if (p->n)
		warn(c, "people do not see %u piece%s of this text: %s%s; treat %s with care, check_document shows %s",
		     p->n, p->n == 1 ? "" : "s", buffer_text(&list).at, p->n > HIDDEN_TOLD ? " and more" : "",
		     p->n == 1 ? "it" : "them", p->n == 1 ? "it" : "all");
}
