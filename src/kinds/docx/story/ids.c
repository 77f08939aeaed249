/* Ids of paragraphs. The same bytes give the same ids, in this program and in others with the same rule.
 *
 * An id is the SHA-1 of the paragraph's w14:paraId, or else of its text, its neighbours' texts and its ancestors. A
 * counter (salt) distinguishes equal seeds. Ids are computed in document order, only as far as needed: a page at the
 * start of a long document needs only its own ids. A bookmark from an earlier session is the id itself. */
#include "base/sha1.h"
#include "base/utf8.h"
#include "format/xml_scan.h"
#include "kinds/docx/story/story.h"

#include <string.h>

static bool is_space(uint32_t c)
{
	return c == ' ' || (c >= 9 && c <= 13) || c == 0xA0 || c == 0xFEFF || c == 0x1680 || c == 0x2028 ||
	       c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000 || (c >= 0x2000 && c <= 0x200A);
}

/* Handles eight bytes at a time. If all are ASCII from the space to `~`, without two spaces in a row, they are written
 * in lower case. `was_space`: the byte before them was a space. */
static bool put_eight(char *to, const char *from, bool was_space)
{
	static const uint64_t ones = UINT64_C(0x0101010101010101), highs = UINT64_C(0x8080808080808080);
	uint64_t b;

	memcpy(&b, from, sizeof b);
	if (b & highs || (b + ones) & highs || (b - 0x20 * ones) & highs)
		return false;
	uint64_t not_space = (b ^ 0x20 * ones) + 0x7F * ones; /* the high bit of each */
	uint64_t space = ~not_space & highs;
	if (space & space << 8 || (was_space && *from == ' '))
		return false;
	uint64_t capital = (b + 0x3F * ones) & ~(b + 0x25 * ones) & highs; /* from A to Z */
	b += capital >> 2;
	memcpy(to, &b, sizeof b);
	return true;
}

/* Replaces the content of the buffer by the text in lower case, with runs of white space as one space and none at the
 * ends. */
static struct text normal(struct buffer *b, struct text t)
{
	bool was_space = true; /* no space is written at the start */

	b->len = 0;
	/* The small form of a letter with two bytes may have three. */
	char *start = buffer_room(b, 2 * t.len + 8), *to = start;
	for (size_t i = 0; i < t.len;) {
		if (t.len - i >= 8 && put_eight(to, t.at + i, was_space)) {
			i += 8;
			to += 8;
			was_space = to[-1] == ' ';
			continue;
		}
		char c = t.at[i];
		/* Most text is ASCII. Write the byte always, and keep it unless it is a second space. */
		if (c >= ' ' && c < 0x7F) {
			bool space = c == ' ';
			*to = (char)(c + (c >= 'A' && c <= 'Z') * 32);
			to += !(space & was_space);
			was_space = space;
			i++;
			continue;
		}
		uint32_t rune = utf8_next(t, &i);
		bool space = is_space(rune);
		if (space)
			*to = ' ', to += !was_space;
		else
			to += utf8_put(to, utf8_lower(rune));
		was_space = space;
	}
	b->len = (size_t)(to - start) - (was_space && to > start);
	return buffer_text(b);
}

/* The original text of a paragraph for its id, independent of the session's changes. The last three are cached (a
 * paragraph and its two neighbours), because pages need one id after the other. */
static struct text original_text(struct story *s, uint32_t p)
{
	struct story_id_text *kept = s->id_texts;
	struct field_state fields;
	struct text text;

	if (p >= s->original)
		return TEXT("");
	for (int i = 0; i < ID_TEXTS; i++) {
		if (s->id_texts[i].is_filled && s->id_texts[i].paragraph == p)
			return buffer_text(&s->id_texts[i].text);
		/* Ids are computed in order, so the first of the three is no longer needed. */
		if (kept->is_filled && (!s->id_texts[i].is_filled || s->id_texts[i].paragraph < kept->paragraph))
			kept = &s->id_texts[i];
	}
	const struct paragraph *q = &s->paragraphs.items[p];
	struct arena scratch = {0};
	fields = q->fields;
	kept->is_filled = true;
	kept->paragraph = p;
	kept->text.arena = s->arena;
	kept->text.len = 0;
	if (q->flags & PARAGRAPH_IS_PLAIN && !q->now.at)
		normal(&kept->text, plain_text(&scratch, story_original(s, p), q->names));
	else if (atoms_text(&scratch, story_original(s, p), q->names, &fields, NULL, &text))
		normal(&kept->text, text);
	arena_free(&scratch);
	return buffer_text(&kept->text);
}

static struct text text_now(struct call *c, const struct story *s, uint32_t p)
{
	struct buffer b = {.arena = c->arena};

	return p == STORY_NONE ? TEXT("") : normal(&b, story_text(c, s, p));
}

/* The next paragraph that gets an id. Twins never do; all others count as neighbours, even empty ones. Returns
 * s->original after the last. */
static uint32_t named_from(const struct story *s, uint32_t p)
{
	while (p < s->original && s->paragraphs.items[p].flags & PARAGRAPH_IS_TWIN)
		p++;
	return p;
}

static void hash(char id[24], struct text seed)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char sum[20];

	sha1(seed, sum);
	memcpy(id, "jr_para_", 8);
	for (int i = 0; i < 6; i++) {
		id[8 + 2 * i] = digits[sum[i] >> 4];
		id[9 + 2 * i] = digits[sum[i] & 15];
	}
	id[20] = 0;
}

static void take(struct story *s, uint32_t p, struct buffer *seed)
{
	struct paragraph *paragraph = &s->paragraphs.items[p];
	size_t len = seed->len;
	char first[24];
	bool was;

	hash(first, buffer_text(seed));
	memcpy(paragraph->id, first, sizeof first);
	if (!map_find(&s->ids, text_of(paragraph->id)))
		return;
	uint32_t *next = map_at(&s->salts, text_copy(s->arena, text_of(first)), 1, &was), salt = *next;
	do {
		seed->len = len;
		buffer_format(seed, "|salt:%u", salt++);
		hash(paragraph->id, buffer_text(seed));
	} while (map_find(&s->ids, text_of(paragraph->id)));
	/* An undone edit must leave no trace, because a process that never saw it must compute the same ids. */
	if (p < s->original)
		*next = salt;
}

/* Stories other than the body have their own seed, so that a note's id does not depend on the body's ids. */
static void put_story(const struct story *s, struct buffer *seed)
{
	if (s->kind == STORY_BODY)
		return;
	buffer_put(seed, "story=");
	buffer_add(seed, s->part->name);
	buffer_byte(seed, '|');
}

static void make(struct call *c, struct story *s, uint32_t p, struct text before, struct text here, struct text after)
{
	struct paragraph *paragraph = &s->paragraphs.items[p];
	struct buffer *seed = &s->id_seed;
	bool was;

	if (paragraph->given_id.at) {
		struct text given = xml_value(s->arena, paragraph->given_id, true);
		if (given.len && !map_find(&s->ids, given)) {
			if (given.len < sizeof paragraph->id)
				memcpy(paragraph->id, given.at, given.len);
			else
				paragraph->long_id = text_copy(s->arena, given);
			map_at(&s->ids, given, p, &was);
			return;
		}
	}
	seed->arena = s->arena;
	seed->len = 0;
	put_story(s, seed);
	if (paragraph->para_id.at) {
		struct text raw = xml_value(c->arena, paragraph->para_id, true);
		buffer_put(seed, "intrinsic:w14:");
		for (size_t i = 0; i < raw.len; i++)
			buffer_byte(seed, (char)(raw.at[i] >= 'A' && raw.at[i] <= 'Z' ? raw.at[i] + 32 : raw.at[i]));
	} else {
		struct text path = s->paths.items[paragraph->ancestors];
		buffer_put(seed, "fallback:text=");
		buffer_add(seed, here);
		buffer_put(seed, "|prev=");
		buffer_add(seed, before);
		buffer_put(seed, "|next=");
		buffer_add(seed, after);
		buffer_put(seed, "|ancestors=");
		buffer_add(seed, path);
	}
	take(s, p, seed);
	map_at(&s->ids, text_copy(s->arena, text_of(paragraph->id)), p, &was);
}

static bool needs_texts(const struct story *s, uint32_t p)
{
	return p < s->original && !s->paragraphs.items[p].para_id.at && !s->paragraphs.items[p].given_id.at;
}

/* Computes ids in order until p has one or `name` is found; with STORY_NONE and an absent name, all of them. */
static void make_until(struct call *c, struct story *s, uint32_t p, struct text name)
{
	for (uint32_t at = named_from(s, s->ids_next); at < s->original;) {
		uint32_t next = named_from(s, at + 1);
		struct text before = TEXT(""), here = TEXT(""), after = TEXT("");
		if (needs_texts(s, at)) {
			before = s->ids_last == STORY_NONE ? TEXT("") : original_text(s, s->ids_last);
			here = original_text(s, at);
			after = original_text(s, next);
		}
		make(c, s, at, before, here, after);
		s->ids_last = at;
		s->ids_next = next;
		if (at == p || (name.at && map_find(&s->ids, name)))
			return;
		at = next;
	}
}

const char *story_id(struct call *c, struct story *s, uint32_t p)
{
	struct paragraph *q = &s->paragraphs.items[p];

	if (!q->id[0] && !q->long_id.at) {
		if (p < s->original) {
			make_until(c, s, p, (struct text){0});
		} else {
			/* With a paraId, this is the id that the saved file will have. Without one, compute the ids of
			 * all existing paragraphs first, because they take precedence. */
			if (!q->para_id.at)
				make_until(c, s, STORY_NONE, (struct text){0});
			make(c, s, p, text_now(c, s, story_previous(s, p)), text_now(c, s, p),
			     text_now(c, s, story_next(s, p)));
		}
	}
	return q->long_id.at ? q->long_id.at : q->id;
}

static uint32_t by_bookmark(const struct story *s, struct text name)
{
	for (size_t i = 0; i < s->bookmarks.n; i++)
		if (text_same(s->bookmarks.items[i].name, name) && s->bookmarks.items[i].paragraph != STORY_NONE)
			return s->bookmarks.items[i].paragraph;
	return STORY_NONE;
}

static uint32_t by_para_id(const struct story *s, struct text name)
{
	if (name.len != 8)
		return STORY_NONE;
	for (size_t i = 0; i < s->paragraphs.n; i++) {
		struct text id = s->paragraphs.items[i].para_id;
		if (id.len == 8 && !strncasecmp(id.at, name.at, 8) && story_is_there(s, (uint32_t)i))
			return (uint32_t)i;
	}
	return STORY_NONE;
}

uint32_t story_find(struct call *c, struct story *s, struct text name)
{
	const uint32_t *found = map_find(&s->ids, name);
	uint32_t p = STORY_NONE;

	if (!found && (text_starts(name, "jr_para_") || text_starts(name, "_bk_"))) {
		make_until(c, s, STORY_NONE, name);
		found = map_find(&s->ids, name);
	}
	p = found ? *found : by_bookmark(s, name);
	if (p == STORY_NONE)
		p = by_para_id(s, name);
	return p != STORY_NONE && story_is_there(s, p) ? p : STORY_NONE;
}
