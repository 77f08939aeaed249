/* move.c: moves a session to a new version of its file, after another program changed it.
 *
 * Every request in the draft records which paragraphs it changed, and their words before. All requests are tried on the
 * new bytes. The session moves only if each one changes the same paragraphs with the same words. Then the document has
 * the changes of both sides. */
#include "base/mutex.h"
#include "base/sha1.h"
#include "base/utf8.h"
#include "format/json.h"
#include "format/json_write.h"
#include "kinds/docx/session/load.h"
#include "work/draft.h"

#include <stdlib.h>
#include <string.h>

enum {
	PLACES_MAX = 1000,  /* paragraphs; an edit of more counts as one of the whole document */
	TOLD_MAX = 6000,    /* bytes of all edits in a message */
	TOLD_EACH_MAX = 600 /* bytes of one edit */
};

static unsigned count(struct text in, struct text what)
{
	unsigned n = 0;

	for (size_t at = text_find(in, what, 0); at != SIZE_MAX; at = text_find(in, what, at + what.len))
		n++;
	return n;
}

/* Writes its id, its words, and its number of references to notes and comments. */
static void put_paragraph(struct call *c, struct buffer *to, struct story *s, uint32_t p, struct text bytes)
{
	struct field_state fields = s->paragraphs.items[p].fields;
	struct text words = {0};

	if (bytes.at)
		atoms_text(c->arena, bytes, s->paragraphs.items[p].names, &fields, NULL, &words);
	buffer_format(to, "%s %u %u ", story_id(c, s, p), count(bytes, TEXT("noteReference")),
		      count(bytes, TEXT("commentReference")));
	buffer_add(to, words);
	buffer_byte(to, '\n');
}

static void put_neighbour(struct call *c, struct buffer *to, struct story *s, uint32_t p)
{
	if (p == STORY_NONE)
		buffer_byte(to, '\n');
	else
		put_paragraph(c, to, s, p, story_fragment(s, p));
}

static bool is_first(const struct journal *j, size_t from, size_t i)
{
	for (size_t k = from; k < i; k++)
		if (j->notes.items[k].story == j->notes.items[i].story && !j->notes.items[k].is_patch &&
		    j->notes.items[k].paragraph == j->notes.items[i].paragraph)
			return false;
	return true;
}

struct text request_places(struct call *c, struct session *s, size_t from)
{
	const struct journal *j = &s->journal;
	struct buffer all = {.arena = c->arena}, hex = {.arena = c->arena};
	unsigned char sum[20];

	if (j->notes.n - from > PLACES_MAX)
		return (struct text){0};
	for (size_t i = from; i < j->notes.n; i++) {
		const struct journal_note *note = &j->notes.items[i];
		if (note->part || (note->is_patch && note->story != s->body))
			continue; /* changes of notes, comments and styles need no check: their tools find the place */
		if (note->is_patch)
			return (struct text){0};
		if (!is_first(j, from, i))
			continue;
		if (!note->is_insert) {
			struct text was = note->was.now;
			put_paragraph(c, &all, note->story, note->paragraph,
				      was.at ? was : story_original(note->story, note->paragraph));
			continue;
		}
		put_neighbour(c, &all, note->story, story_previous(note->story, note->paragraph));
		put_neighbour(c, &all, note->story, story_next(note->story, note->paragraph));
	}
	sha1(buffer_text(&all), sum);
	for (size_t i = 0; i < 8; i++)
		buffer_format(&hex, "%02x", sum[i]);
	return buffer_text(&hex);
}

/* The trial is a session on the new bytes, which other calls cannot find. */
static void trial_free(void *trial)
{
	session_unload(trial);
	free(trial);
}

static void remember(struct session *s, const struct draft *d, const char *revision, const char *why)
{
	memcpy(s->tried.chars, revision, REVISION_LEN);
	s->tried_changed = d->changed;
	struct text said = text_of(why);

	said.len = said.len < sizeof s->clash ? said.len : utf8_cut(said, sizeof s->clash - 1);
	memcpy(s->clash, said.at, said.len);
	s->clash[said.len] = 0;
}

static bool fits(struct call *c, const struct session *s, const struct draft *draft, struct document *d)
{
	struct session *trial = budget_zero(1, sizeof *trial);

	own_object(trial_free, trial);
	trial->arena.lasts = true;
	memcpy(trial->id, s->id, sizeof trial->id);
	trial->first = s->first;
	memcpy(trial->revision.chars, document_revision(d).at, REVISION_LEN);
	bool done =
		session_load(c, trial, document_bytes(d)) && session_replay(c, trial, &draft->requests, draft->mark);
	own_not(trial);
	trial_free(trial);
	return done;
}

bool session_move_base(struct call *c, struct session *s, struct document *d, bool *moved)
{
	struct docx_state *state = c->state;
	struct draft draft;
	size_t warnings = c->warnings.n;
	struct text to = document_revision(d);

	*moved = false;
	if (!draft_open(c, text_of(s->id), &draft))
		return false;
	if (draft.saved.at || (text_is(to, s->tried.chars) && draft.changed == s->tried_changed))
		return true;
	if (!fits(c, s, &draft, d)) {
		c->warnings.n = warnings;
		if (c->error.fault == FAULT_TOO_LARGE)
			return false;
		remember(s, &draft, to.at, c->error.message ? c->error.message : "it cannot be read");
		c->error = (struct error){0};
		return true;
	}
	if (!draft_set_base(c, &draft, to))
		return false;
	session_unload(s);
	mutex_lock(&state->mutex);
	memcpy(s->revision.chars, to.at, REVISION_LEN);
	s->saved = (struct revision){{0}};
	mutex_unlock(&state->mutex);
	if (!session_load(c, s, document_bytes(d)) || !session_replay(c, s, &draft.requests, draft.mark)) {
		session_unload(s);
		return false;
	}
	s->draft_changed = draft.changed;
	s->clash[0] = 0;
	*moved = true;
	warn(c, "%s was changed by another program; the session shows the new version now, with its %zu edit%s",
	     shown(c, s->path), s->mark, s->mark == 1 ? "" : "s");
	return true;
}

/* The arguments of the call, without the document and without false flags. */
static struct text arguments_told(struct call *c, const struct json *in)
{
	struct buffer out = {.arena = c->arena};
	struct json_out o = {.to = &out};

	json_open(&o, '{');
	for (uint32_t i = 0; json_is(in, JSON_OBJECT) && i < in->len; i++) {
		struct text key = {in->members[i].key, in->members[i].key_len};
		const struct json *value = &in->members[i].value;
		if (text_is(key, "file_path") || text_is(key, "session_id") || json_is(value, JSON_NULL) ||
		    (json_is(value, JSON_BOOL) && !value->boolean))
			continue;
		json_key_text(&o, key);
		json_put(&o, value);
	}
	json_close(&o, '}');
	struct text told = buffer_text(&out);
	told.len = told.len > TOLD_EACH_MAX ? utf8_cut(told, TOLD_EACH_MAX) : told.len;
	return told;
}

struct text session_told(struct call *c, const struct session *s)
{
	struct buffer out = {.arena = c->arena};
	struct error was = c->error;
	struct draft d;

	if (draft_open(c, text_of(s->id), &d))
		for (size_t i = 0; i < d.mark && out.len < TOLD_MAX; i++) {
			struct json_error why;
			const struct json *j = json_parse(c->arena, d.requests.items[i], JSON_DEPTH_MAX, &why);
			const struct json *in = j ? json_get(j, "in") : NULL;
			if (in)
				buffer_format(&out, "%s%zu. %.*s %.*s", out.len ? ", " : "", i + 1,
					      TEXT_ARGS(json_text(json_get(j, "tool"))),
					      TEXT_ARGS(arguments_told(c, in)));
		}
	c->error = was;
	return out.len ? buffer_text(&out) : TEXT("none");
}
