/* Any bytes as the parts of a Word file: the input is split at NUL bytes into the body, styles, numbering and a
 * footnotes part. In accepted input, paragraphs are in order inside the part, have unique ids, and rows that lose no
 * character. Replacing every paragraph by itself changes no byte, and every change is undone exactly. */
#include "must.h"
#include "base/utf8.h"
#include "format/zip_write.h"
#include "kinds/docx/read/view.h"

#include <string.h>

#define REL "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

static const struct zip_limits limits = {
	.entries = 64, .entry = 1 << 22, .total = 1 << 24, .ratio = 2000, .ratio_from = 1 << 24};

static struct text archive(struct arena *a, const struct text parts[4])
{
	static const char *const names[] = {"word/document.xml", "word/styles.xml", "word/numbering.xml",
					    "word/footnotes.xml"};
	struct zip_writer z;

	zip_begin(&z, a);
	zip_add(&z, TEXT("_rels/.rels"),
		TEXT("<r><Relationship Id=\"a\" Type=\"" REL "/officeDocument\" Target=\"word/document.xml\"/></r>"),
		false);
	zip_add(&z, TEXT("word/_rels/document.xml.rels"),
		TEXT("<r><Relationship Id=\"s\" Type=\"" REL
		     "/styles\" Target=\"styles.xml\"/><Relationship Id=\"n\" Type=\"" REL
		     "/numbering\" Target=\"numbering.xml\"/><Relationship Id=\"f\" Type=\"" REL
		     "/footnotes\" Target=\"footnotes.xml\"/></r>"),
		false);
	for (int i = 0; i < 4; i++)
		if (parts[i].at)
			zip_add(&z, text_of(names[i]), parts[i], false);
	return zip_end(&z);
}

static void check_rows(struct call *c, struct session *s)
{
	struct rows_walk w;
	uint64_t n = 0;

	MUST(rows_begin(c, s, SCOPE_BODY, &w));
	while (rows_next(&w)) {
		struct row r;
		n++;
		MUST(rows_row(&w, &r));
		MUST(text_same(story_text(c, w.story, w.paragraph), r.atoms.text));
		MUST(utf8_bad(r.all) == r.all.len && utf8_bad(r.label) == r.label.len);
		MUST(r.body <= r.all.len && r.header_to <= r.body);
		if (!r.notes_n)
			MUST(text_same(row_text(c->arena, &r, false, 0), text_slice(r.all, r.body, r.all.len)));
		struct text tagged = row_text(c->arena, &r, true, view_base(c, s));
		MUST(utf8_bad(tagged) == tagged.len);
		MUST(view_style(c, s, &r).len);
		const char *id = story_id(c, w.story, w.paragraph);
		MUST(story_find(c, w.story, text_of(id)) == w.paragraph);
	}
	MUST(n == s->body->shown);
}

static struct text saved(struct call *c, const struct story *s)
{
	size_t n;
	struct splice *edits = story_splices(c->arena, s, &n);

	return splice_apply(c->arena, s->part->bytes, edits, n);
}

static void check_changes(struct call *c, struct session *s)
{
	struct story *body = s->body;
	uint32_t shown = body->shown;

	for (uint32_t p = 0; p < body->original && p < 50; p++)
		if (story_is_there(body, p))
			story_replace(body, p, text_copy(c->arena, story_fragment(body, p)));
	MUST(body->shown == shown && text_same(saved(c, body), body->part->bytes));
	for (uint32_t p = 0; p < body->original && p < 50; p++) {
		if (!story_is_there(body, p) || !story_takes_neighbours(body, p))
			continue;
		story_insert(body, p, p & 1, TEXT("<w:p/>"));
		if (p & 2)
			story_delete(body, p);
	}
	(void)saved(c, body);
	journal_back(&s->journal, 0);
	MUST(body->shown == shown && text_same(saved(c, body), body->part->bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct session *s = NULL;
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct text parts[4] = {0};
	const char *at = (const char *)bytes, *end = at + n;

	for (int i = 0; i < 4 && at <= end; i++) {
		const char *stop = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
		stop = stop ? stop : end;
		parts[i] = (struct text){at, (size_t)(stop - at)};
		at = stop + 1;
	}
	s = arena_new(&a, struct session);
	s->journal.arena = &s->arena;
	struct text file = archive(&a, parts);
	if (package_open(&c, &s->arena, file, &limits, &s->package) && (s->styles = styles_read(&c, s->package)) &&
	    (s->numbering = numbering_read(&c, s->package, s->styles)) &&
	    (s->body = story_read(&c, &s->arena, s->package->main, STORY_BODY, s->styles, &s->journal))) {
		s->journal.package = s->package;
		uint32_t behind = 0;
		for (uint32_t p = 0; p < s->body->original; p++) {
			const struct paragraph *q = &s->body->paragraphs.items[p];
			MUST(q->from < q->to && q->to <= s->body->part->bytes.len);
			MUST(q->host != STORY_NONE || q->from >= behind);
			behind = q->host == STORY_NONE ? q->to : behind;
		}
		check_rows(&c, s);
		check_changes(&c, s);
		if (!session_stories(&c, s))
			MUST(c.error.message);
	} else {
		MUST(c.error.message);
	}
	arena_free(&s->arena);
	arena_free(&a);
	return 0;
}
