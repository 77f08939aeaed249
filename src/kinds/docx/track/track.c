#include "kinds/docx/track/track.h"
#include "base/clock.h"
#include "kinds/docx/track/pieces.h"
#include "kinds/docx/track/tail.h"

#include <string.h>

/* Ids of revisions must differ from those of bookmarks, comments and other revisions. */
static int32_t highest_id(const struct session *s)
{
	int32_t highest = s->body->max_id;

	for (size_t i = 0; i < s->stories_n; i++)
		if (s->stories[i]->max_id > highest)
			highest = s->stories[i]->max_id;
	return highest;
}

/* Word expects whole seconds. */
static struct text word_time(struct arena *a, int64_t now) { return clock_iso(a, now / 1000 * 1000); }

/* A paragraph of a story as the key of a map. The bytes must live as long as the map. */
struct place {
	const struct story *story;
	uint32_t paragraph, unused;
};

static struct text key_of(const struct place *p) { return (struct text){(const char *)p, sizeof *p}; }

static bool comes_or_goes(const struct paragraph *p)
{
	return !(p->flags & PARAGRAPH_INSERTED) != !(p->flags & PARAGRAPH_DELETED);
}

/* Was it inserted and deleted again, or deleted by others? Then there is nothing to write. */
static bool is_nothing(const struct paragraph *p)
{
	return p->flags & (PARAGRAPH_DROPPED | PARAGRAPH_NOTE_GONE) ||
	       (p->flags & PARAGRAPH_INSERTED && p->flags & PARAGRAPH_DELETED);
}

static uint32_t neighbour(const struct story *s, uint32_t p, bool behind)
{
	do
		p = behind ? s->paragraphs.items[p].next : s->paragraphs.items[p].prev;
	while (p != STORY_NONE && (is_nothing(&s->paragraphs.items[p]) || s->paragraphs.items[p].host != STORY_NONE));
	return p;
}

static bool beside(const struct paragraph *a, const struct paragraph *b)
{
	return a->cell == b->cell && a->ancestors == b->ancestors && a->note == b->note && a->names == b->names;
}

/* Is it deleted, and did it end a section in the original? */
static bool ended_section(const struct story *s, uint32_t p)
{
	return s->paragraphs.items[p].flags & PARAGRAPH_DELETED &&
	       text_find(story_original(s, p), TEXT("sectPr"), 0) != SIZE_MAX;
}

/* Do the paragraphs from `keeps` to `last` follow each other in the file, with nothing or the end of a section after
 * them? */
static bool is_tail(const struct story *s, uint32_t keeps, uint32_t last)
{
	const struct paragraph *all = s->paragraphs.items;
	uint32_t end = all[keeps].to;

	for (uint32_t p = keeps; p != last;) {
		p = neighbour(s, p, true);
		if (!beside(&all[keeps], &all[p]))
			return false;
		/* Cells of an inner table look alike, so the place in the bytes decides, for inserted ones too. */
		const struct paragraph *hang = &all[all[p].flags & PARAGRAPH_INSERTED ? all[p].hang : p];

		if (!tail_touches(s->part->bytes, end, all[p].hangs_behind ? hang->to : hang->from, all[p].names))
			return false;
		if (all[p].flags & PARAGRAPH_INSERTED)
			continue;
		end = all[p].to;
	}
	return ended_section(s, last) || tail_ends(s->part->bytes, end, all[keeps].names);
}

static struct tail_paragraph versions_of(const struct story *s, uint32_t p);

static void keep_written(struct track *t, const struct story *s, uint32_t p, struct text bytes)
{
	struct place *at = arena_new(t->arena, struct place);

	at->story = s;
	at->paragraph = p;
	map_at(&t->tails, key_of(at), (uint32_t)t->written.n, NULL);
	*ARRAY_PUSH(t->arena, &t->written) = bytes;
}

/* Writes the tail from `keeps` to `last`. If `keeps` is deleted and `instead` is inserted next to it, the two are
 * written as one changed paragraph, because one must stay. */
static void write_tail(struct track *t, const struct story *s, uint32_t keeps, uint32_t instead, uint32_t last)
{
	ARRAY(struct tail_paragraph) list = {0};
	ARRAY(uint32_t) which = {0};
	struct stamp before = t->stamp;

	*ARRAY_PUSH(t->arena, &list) = versions_of(s, keeps);
	*ARRAY_PUSH(t->arena, &which) = keeps;
	if (instead != STORY_NONE)
		list.items[0].after = story_fragment(s, instead);
	for (uint32_t p = keeps; p != last;) {
		p = neighbour(s, p, true);
		if (p == instead)
			continue;
		*ARRAY_PUSH(t->arena, &list) = versions_of(s, p);
		*ARRAY_PUSH(t->arena, &which) = p;
	}
	struct text *out = arena_array(t->arena, list.n, sizeof *out);
	if (!tail_write(t->arena, list.items, list.n, s->paragraphs.items[keeps].names, &t->stamp, out)) {
		t->stamp = before;
		return;
	}
	for (size_t i = 0; i < list.n; i++)
		keep_written(t, s, which.items[i], out[i]);
	if (instead != STORY_NONE)
		keep_written(t, s, instead, (struct text){0});
}

/* If all paragraphs were inserted or deleted: finds a deleted one and its inserted neighbour. */
static bool find_exchange(const struct story *s, uint32_t first, uint32_t last, uint32_t *goes, uint32_t *comes)
{
	for (uint32_t p = first, q; p != last; p = q) {
		q = neighbour(s, p, true);
		bool p_comes = s->paragraphs.items[p].flags & PARAGRAPH_INSERTED;
		bool q_comes = s->paragraphs.items[q].flags & PARAGRAPH_INSERTED;
		*goes = p_comes ? q : p;
		*comes = p_comes ? p : q;
		if (p_comes != q_comes)
			return true;
	}
	return false;
}

/* Finds and writes the tails where paragraphs were inserted or deleted. */
static void find_tails(struct track *t, const struct story *s)
{
	const struct paragraph *all = s->paragraphs.items;

	for (uint32_t p = s->first; p != STORY_NONE; p = all[p].next) {
		if (!comes_or_goes(&all[p]) || is_nothing(&all[p]) || all[p].host != STORY_NONE)
			continue;
		uint32_t keeps = neighbour(s, p, false), last = p, next, instead = STORY_NONE;
		while (!ended_section(s, last) && (next = neighbour(s, last, true)) != STORY_NONE &&
		       comes_or_goes(&all[next]) && beside(&all[p], &all[next]))
			last = next;
		if (keeps == STORY_NONE || !beside(&all[keeps], &all[p]) || !is_tail(s, keeps, last))
			keeps = STORY_NONE;
		if (keeps == STORY_NONE && (!find_exchange(s, p, last, &keeps, &instead) || !is_tail(s, keeps, last)))
			keeps = STORY_NONE;
		if (keeps != STORY_NONE)
			write_tail(t, s, keeps, instead, last);
		p = last;
	}
}

static const uint32_t *found_at(const struct map *m, const struct story *s, uint32_t p)
{
	struct place at;

	if (!m->n)
		return NULL;
	memset(&at, 0, sizeof at);
	at.story = s;
	at.paragraph = p;
	return map_find(m, key_of(&at));
}

static const uint32_t *tail_at(const struct track *t, const struct story *s, uint32_t p)
{
	return found_at(&t->tails, s, p);
}

/* The old and the new form of a paragraph. What the session decided about changes of others is not our change. */
static struct tail_paragraph versions_of(const struct story *s, uint32_t paragraph)
{
	uint16_t flags = s->paragraphs.items[paragraph].flags;

	return (struct tail_paragraph){flags & PARAGRAPH_INSERTED ? (struct text){0} : story_base(s, paragraph),
				       flags & PARAGRAPH_DELETED ? (struct text){0} : story_fragment(s, paragraph)};
}

/* Collects the marks of deleted paragraphs, which keep them in the redline. */
static void find_marks(struct track *t, const struct story *s)
{
	for (uint32_t i = s->first; i != STORY_NONE; i = s->paragraphs.items[i].next) {
		const struct paragraph *p = &s->paragraphs.items[i];
		struct map chains = {.arena = t->arena};
		struct track_pieces pieces;
		if (!(p->flags & PARAGRAPH_DELETED) || is_nothing(p) ||
		    !pieces_read(t->arena, versions_of(s, i).before, p->names, &chains, &pieces))
			continue;
		for (size_t k = 0; k < pieces.list.n; k++)
			if (pieces.list.items[k].kind == PIECE_NODE)
				map_at(&t->marks, pieces.list.items[k].content, 0, NULL);
	}
}

static struct text write(void *track, const struct story *s, uint32_t paragraph)
{
	struct track *t = track;
	const struct paragraph *p = &s->paragraphs.items[paragraph];
	const uint32_t *tail = tail_at(t, s, paragraph);
	struct text out;

	if (tail)
		return t->written.items[*tail];
	if (p->flags & PARAGRAPH_NOTE_GONE)
		return story_original(s, paragraph);
	if (is_nothing(p))
		return (struct text){0};
	struct tail_paragraph is = versions_of(s, paragraph);
	if (is.before.at && is.after.at && text_same(is.before, is.after))
		return is.after; /* edited and changed back */
	enum redline_mark mark = !is.before.at ? MARK_INSERTED : !is.after.at ? MARK_DELETED : MARK_PLAIN;
	t->stamp.is_coarse = found_at(&t->coarse, s, paragraph);
	bool is_done =
		redline_paragraph(t->arena, is.before, is.after, p->names, mark, (struct text){0}, &t->stamp, &out);
	t->stamp.is_coarse = false;
	if (!is_done)
		return is.after; /* cannot happen: story_replace() accepts only well-formed bytes */
	return out;
}

struct text track_before(const struct story *s, uint32_t paragraph)
{
	const struct paragraph *p = &s->paragraphs.items[paragraph];

	if (p->flags & PARAGRAPH_NOTE_GONE)
		return story_original(s, paragraph);
	return is_nothing(p) ? (struct text){0} : versions_of(s, paragraph).before;
}

bool track_coarser(struct track *t, const struct story *s, uint32_t paragraph)
{
	const struct paragraph *p = &s->paragraphs.items[paragraph];
	struct place *at;

	if (is_nothing(p) || comes_or_goes(p) || !story_is_dirty(s, paragraph) || tail_at(t, s, paragraph) ||
	    found_at(&t->coarse, s, paragraph))
		return false;
	at = arena_new(t->arena, struct place);
	at->story = s;
	at->paragraph = paragraph;
	map_at(&t->coarse, key_of(at), 0, NULL);
	return true;
}

static bool touches(void *track, const struct story *s, uint32_t paragraph) { return tail_at(track, s, paragraph); }

void track_begin(struct track *t, struct call *c, const struct session *s, struct text author)
{
	*t = (struct track){.arena = c->arena,
			    .stamp = {.author = author.len ? author : TEXT("quire"),
				      /* The time of the last edit, so that the same edits give the same bytes. */
				      .date = word_time(c->arena, s->mark ? s->now : clock_now()),
				      .next_id = highest_id(s) + 1},
			    .marks = {.arena = c->arena},
			    .tails = {.arena = c->arena},
			    .coarse = {.arena = c->arena},
			    .writer = {.write = write, .touches = touches, .of = t, .is_redline = true}};
	for (size_t i = 0; i <= s->stories_n; i++)
		find_marks(t, i ? s->stories[i - 1] : s->body);
	t->stamp.elsewhere = &t->marks;
	for (size_t i = 0; i <= s->stories_n; i++)
		find_tails(t, i ? s->stories[i - 1] : s->body);
}
