#include "kinds/docx/track/track.h"
#include "base/clock.h"
#include "kinds/docx/track/settle.h"

/* Ids of revisions must differ from those of bookmarks, comments and other revisions. */
static int32_t highest_id(const struct session *s)
{
	int32_t highest = s->body->max_id;

	for (size_t i = 0; i < s->stories_n; i++)
		if (s->stories[i]->max_id > highest)
			highest = s->stories[i]->max_id;
	return highest;
}

/* Word takes whole seconds. */
static struct text word_time(struct arena *a, int64_t now) { return clock_iso(a, now / 1000 * 1000); }

void track_begin(struct track *t, struct call *c, const struct session *s, struct text author)
{
	*t = (struct track){.arena = c->arena,
			    .stamp = {.author = author.len ? author : TEXT("quire"),
				      .date = word_time(c->arena, clock_now()),
				      .next_id = highest_id(s) + 1}};
}

struct text track_write(void *track, const struct story *s, uint32_t paragraph)
{
	struct track *t = track;
	const struct paragraph *p = &s->paragraphs.items[paragraph];
	struct text was = story_original(s, paragraph), now = story_fragment(s, paragraph), out;
	bool deleted = p->flags & PARAGRAPH_DELETED, inserted = p->flags & PARAGRAPH_INSERTED;
	enum redline_mark mark = inserted ? MARK_INSERTED : deleted ? MARK_DELETED : MARK_PLAIN;

	if (inserted && deleted)
		return (struct text){0};
	if (!inserted && !deleted && text_same(was, now))
		return was; /* edited, and edited back */
	/* Changes of others that the session accepted are no changes of ours. */
	struct revision_counts before = {0}, after = {0};
	if (was.at && revisions_count(t->arena, was, p->names, &before) && revisions_total(&before) &&
	    revisions_count(t->arena, now, p->names, &after) && !revisions_total(&after))
		settle(t->arena, was, p->names, SETTLE_ACCEPT, &was, &before);
	if (!redline_paragraph(t->arena, inserted ? (struct text){0} : was, deleted ? (struct text){0} : now, p->names,
			       mark, (struct text){0}, &t->stamp, &out))
		return now; /* cannot be: story_replace() takes well-formed bytes only */
	return out;
}
