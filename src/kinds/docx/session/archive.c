/* archive.c: the session as the splices that turn the opened archive into the current one. */
#include "kinds/docx/session/session.h"

static struct splice *archive(struct call *c, struct session *s, size_t *n, bool with_ids,
			      const struct story_writer *writer)
{
	ARRAY(struct zip_change) changes = {0};
	const struct package *p = s->package;

	for (size_t i = 0; i < p->parts.n; i++) {
		const struct part *part = p->parts.items[i];
		struct zip_change change = {.member = part->member, .name = part->name, .bytes = part->now};
		for (size_t k = 0; k <= s->stories_n; k++) {
			struct story *story = k ? s->stories[k - 1] : s->body;
			int32_t number = s->body->max_id + 1;
			size_t edits;
			if (story->part != part)
				continue;
			struct splice *list;
			if (with_ids && !k)
				list = story_splices_marked(c, story, &number, &edits);
			else if (writer && writer->made)
				list = writer->made(writer->of, story, &edits);
			else if (writer)
				list = story_splices_by(c->arena, story, &edits, writer);
			else
				list = story_splices(c->arena, story, &edits);
			if (edits)
				change.pieces = splice_pieces(c->arena, part->bytes, list, edits);
		}
		if (change.bytes.at || change.pieces.n)
			*ARRAY_PUSH(c->arena, &changes) = change;
	}
	*n = 0;
	return changes.n ? zip_splices(c->arena, p->zip, changes.items, changes.n, n) : NULL;
}

struct splice *session_archive(struct call *c, struct session *s, size_t *n, const struct story_writer *writer)
{
	return archive(c, s, n, false, writer);
}

struct splice *session_archive_marked(struct call *c, struct session *s, size_t *n)
{
	return archive(c, s, n, true, NULL);
}
