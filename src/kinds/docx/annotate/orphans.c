#include "kinds/docx/annotate/orphans.h"

#include "base/array.h"
#include "kinds/docx/annotate/parts.h"

#include <stdlib.h>

void note_ids_add(struct call *c, const struct story *s, uint32_t p, struct note_ids *to)
{
	struct text bytes = story_fragment(s, p);
	struct fragment f;

	/* A quick check of the bytes first: most paragraphs have no references. */
	if (text_find(bytes, TEXT("noteReference"), 0) == SIZE_MAX ||
	    !fragment_parse(c->arena, bytes, s->paragraphs.items[p].names, &f))
		return;
	for (uint32_t i = 0; i < f.xml.n; i++) {
		if (f.tags[i] != TAG_FOOTNOTE_REFERENCE && f.tags[i] != TAG_ENDNOTE_REFERENCE)
			continue;
		struct text id = fragment_attribute(c->arena, &f, i, SPACE_W, "id");
		if (id.at)
			*ARRAY_PUSH(c->arena, &to->of[f.tags[i] == TAG_ENDNOTE_REFERENCE]) =
				value_number(id, INT32_MIN);
	}
}

void note_ids_all(struct call *c, const struct story *body, struct note_ids *to)
{
	for (uint32_t p = story_next(body, STORY_NONE); p != STORY_NONE && goes_on(c); p = story_next(body, p))
		note_ids_add(c, body, p, to);
}

static int by_number(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Removes the note from the part if it was there when the document was opened. Returns false if this session
 * made it. */
static bool take_out(struct session *s, enum story_kind kind, int32_t id, bool is_tracked, bool *is_special)
{
	for (size_t i = 0; i < s->stories_n; i++) {
		struct story *story = s->stories[i];
		for (size_t k = 0; story->kind == kind && !story->part->now.at && k < story->notes.n; k++) {
			struct story_note note = story->notes.items[k];
			if (note.id != id)
				continue;
			*is_special = note.is_special;
			if (!note.is_special)
				story_take_out(story, note.from, note.to, is_tracked);
			return true;
		}
	}
	return false;
}

static bool remove_one(struct call *c, struct session *s, bool is_end, int32_t id, bool is_tracked)
{
	struct annotations a;
	bool is_special;

	if (take_out(s, is_end ? STORY_ENDNOTES : STORY_FOOTNOTES, id, is_tracked, &is_special))
		return true;
	if (!annotations_read(c, s, is_end ? ANNOTATION_ENDNOTES : ANNOTATION_FOOTNOTES, &a))
		return false;
	uint32_t node = annotation_find(c, &a, id);
	if (node != XML_NONE && !fragment_attribute(c->arena, &a.f, node, SPACE_W, "type").at)
		annotations_remove(c, s, &a, node);
	return true;
}

bool orphans_remove(struct call *c, struct session *s, const struct note_ids *were, bool is_tracked)
{
	struct note_ids now = {0};

	if (!were->of[0].n && !were->of[1].n)
		return true;
	if (!session_stories(c, s))
		return false;
	note_ids_all(c, s->body, &now);
	for (int k = 0; k < 2; k++) {
		if (now.of[k].n)
			array_sort(now.of[k].items, now.of[k].n, sizeof(int32_t), by_number);
		for (size_t i = 0; i < were->of[k].n && goes_on(c); i++) {
			int32_t id = were->of[k].items[i];
			bool is_there = now.of[k].n && bsearch(&id, now.of[k].items, now.of[k].n, sizeof id, by_number);
			if (!is_there && !remove_one(c, s, k == 1, id, is_tracked))
				return false;
		}
	}
	return !c->error.fault;
}
