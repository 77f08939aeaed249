#include "kinds/docx/session/session.h"

#include "base/clock.h"
#include "base/mutex.h"
#include "kinds/docx/session/load.h"
#include "work/draft.h"
#include "work/history/history.h"
#include "work/history/place.h"

#include <stdlib.h>
#include <string.h>

enum {
	LIFE_MS = 60 * 60 * 1000, /* of an unused session */
	TOUCH_MS = LIFE_MS / 6,   /* a use is recorded in the draft this often, for other processes */
	KEPT_MAX = 256,           /* sessions, including expired ones; the least recently used are dropped */
	MEMORY_TIMES = 5,         /* times the size of document.xml: memory of a call, */
	MEMORY_MAX = 600 << 20,   /* but at most this */
};
/* Memory of loaded sessions. The least recently used one is unloaded, and loaded again on use. */
static const size_t LOADED_MAX = (size_t)512 << 20;

static void session_free(struct session *s)
{
	session_unload(s);
	pthread_mutex_destroy(&s->mutex);
	free((char *)(uintptr_t)s->key.at);
	free((char *)(uintptr_t)s->path.at);
	free(s);
}

static void take_out(struct docx_state *state, struct session *s)
{
	for (struct session **at = &state->sessions; *at; at = &(*at)->next) {
		if (*at != s)
			continue;
		*at = s->next;
		return;
	}
}

/* Called under the lock. Expired sessions keep their name for a while, so that a late caller learns what happened. */
static void age(struct docx_state *state)
{
	int64_t now = clock_ticks();
	size_t n = 0, bytes = 0;

	for (struct session **at = &state->sessions; *at;) {
		struct session *s = *at;
		n++;
		bytes += s->arena.used;
		if (!s->users && !s->is_expired && now - s->used_ticks > LIFE_MS) {
			s->is_expired = true;
			session_unload(s);
		}
		/* Never unload the first session: it is the one in use now. */
		if (!s->users && bytes > LOADED_MAX && n > 1) {
			bytes -= s->arena.used;
			session_unload(s);
		}
		if (!s->users && (n > KEPT_MAX || s->is_cleared)) {
			*at = s->next;
			session_free(s);
			continue;
		}
		at = &s->next;
	}
}

static char *kept(struct text t)
{
	char *copy = budget_memory(NULL, t.len + 1);

	memcpy(copy, t.at, t.len);
	copy[t.len] = 0;
	return copy;
}

static void new_id(char id[SESSION_ID_LEN + 1])
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	memcpy(id, "ses_", 4);
	for (int i = 4; i < SESSION_ID_LEN; i++)
		id[i] = letters[random_below(sizeof letters - 1)];
	id[SESSION_ID_LEN] = 0;
}

static struct session *session_new(struct docx_state *state, struct text id, struct text key, struct text path,
				   struct text revision)
{
	struct session *s = budget_zero(1, sizeof *s);

	s->arena.lasts = s->made_arena[0].lasts = s->made_arena[1].lasts = true;
	if (id.at)
		memcpy(s->id, id.at, SESSION_ID_LEN);
	else
		new_id(s->id);
	s->key = (struct text){kept(key), key.len};
	s->path = (struct text){kept(path), path.len};
	memcpy(s->revision.chars, revision.at, REVISION_LEN);
	s->first = s->revision;
	s->created = s->used = clock_now();
	s->used_ticks = clock_ticks();
	pthread_mutex_init(&s->mutex, NULL);
	s->next = state->sessions;
	state->sessions = s;
	return s;
}

static struct session *by_id(const struct docx_state *state, struct text id)
{
	for (struct session *s = state->sessions; s; s = s->next)
		if (text_is(id, s->id) && !s->is_cleared)
			return s;
	return NULL;
}

/* The most recently used session on the file. A session without edits is not used if the file has changed since; the
 * file is opened again. A caller who may not write gets the same, because moving edits to a changed file writes the
 * draft. */
static struct session *by_key(const struct docx_state *state, struct text key, struct text revision, bool may_write)
{
	for (struct session *s = state->sessions; s; s = s->next)
		if (text_same(s->key, key) && !s->is_expired && !s->is_cleared &&
		    ((s->has_draft && may_write) || text_is(revision, s->revision.chars)))
			return s;
	return NULL;
}

static bool id_is_formed(struct text id)
{
	bool is = id.len == SESSION_ID_LEN && text_starts(id, "ses_");

	for (size_t i = 4; is && i < id.len; i++)
		is = (id.at[i] >= '0' && id.at[i] <= '9') || (id.at[i] >= 'a' && id.at[i] <= 'z') ||
		     (id.at[i] >= 'A' && id.at[i] <= 'Z');
	return is;
}

static bool expired(struct call *c, struct text id, struct text path)
{
	return fail_as(
		c, "SESSION_EXPIRED",
		"session %s was not used for an hour and has ended; call read_file with file_path %s for a new one",
		shown(c, id), shown(c, path));
}

struct found {
	struct session *session;
	const char *resolution;
	struct document *document; /* NULL: the file does not exist */
};

static bool unknown(struct call *c, struct text id)
{
	return fail_as(c, "SESSION_NOT_FOUND",
		       "there is no session %s; it was cleared, or ended unsaved with the program: call read_file "
		       "with file_path for a new one",
		       shown(c, id));
}

/* A session continues even if its file was removed. */
static bool open_base(struct call *c, struct text path, struct document **out)
{
	if (document_open(c, path, out))
		return true;
	if (c->error.fault != FAULT_NOT_FOUND)
		return false;
	c->error = (struct error){0};
	*out = NULL;
	return true;
}

/* Finds a session that only exists as a draft: from another process, or from before a restart of this one. `ended` is
 * the path of a session that has expired here but that another process may still use. */
static bool from_draft(struct call *c, struct text id, struct text ended, struct found *out)
{
	struct docx_state *state = c->state;
	struct draft d = {0};

	if (!draft_open(c, id, &d)) {
		bool is_unseen = c->error.fault == FAULT_DENIED && !place_is_granted(c, d.key, false);
		if (c->error.fault != FAULT_NOT_FOUND && !is_unseen)
			return false;
		return ended.at ? expired(c, id, ended) : unknown(c, id);
	}
	if (clock_now() - d.changed > LIFE_MS)
		return expired(c, id, d.path);
	if (!open_base(c, d.path, &out->document))
		return false;
	mutex_lock(&state->mutex);
	struct session *s = by_id(state, id);
	if (s && s->is_expired) {
		s->is_expired = false;
		s->used_ticks = clock_ticks();
	}
	out->session = s ? s : session_new(state, id, d.key, d.path, d.revision);
	out->session->has_draft = true;
	out->session->users++;
	mutex_unlock(&state->mutex);
	return true;
}

static bool find_by_id(struct call *c, struct text id, struct found *out)
{
	struct docx_state *state = c->state;

	out->resolution = "explicit_session";
	if (!id_is_formed(id))
		return fail_as(c, "INVALID_SESSION_ID",
			       "%s is not a session id; pass the session_id of an earlier result, or only file_path",
			       shown(c, id));
	mutex_lock(&state->mutex);
	struct session *s = by_id(state, id);
	bool is_expired = s && s->is_expired;
	struct text path = s ? text_copy(c->arena, s->path) : (struct text){0};
	/* For a key that may not see a file, the file and its sessions do not exist. */
	bool is_granted = !s || place_is_granted(c, s->key, false);
	if (s && is_granted && !is_expired)
		s->users++;
	mutex_unlock(&state->mutex);
	if (!is_granted)
		return unknown(c, id);
	if (!s || is_expired)
		return from_draft(c, id, path, out);
	out->session = s;
	return open_base(c, path, &out->document);
}

/* The newest draft on the file that is still alive; absent: none. `revision`: only of the file in this state; absent:
 * in any state. */
static bool newest_draft(struct call *c, struct text path, struct text revision, struct text *id)
{
	struct draft *list;
	size_t n;

	*id = (struct text){0};
	if (!draft_list(c, path, &list, &n))
		return false;
	for (size_t i = 0; i < n && !id->at; i++)
		if (id_is_formed(list[i].id) && clock_now() - list[i].changed <= LIFE_MS &&
		    (!revision.at || text_same(list[i].revision, revision) ||
		     (list[i].saved.at && text_same(list[i].saved, revision))))
			*id = list[i].id;
	return true;
}

static bool find_by_path(struct call *c, struct text path, struct found *out)
{
	struct docx_state *state = c->state;
	struct text id;

	if (!text_ends_in(path, ".docx .docm .dotx .dotm"))
		return fail_as(c, "INVALID_FILE_TYPE", "%s is not a Word document; name a .docx file", shown(c, path));
	if (!document_open(c, path, &out->document))
		return false;
	struct text key = document_key(c, out->document);
	bool may_write = !work_is_read_only(c->work) && place_is_granted(c, key, true);
	out->resolution = "reused_existing_session";
	mutex_lock(&state->mutex);
	out->session = by_key(state, key, document_revision(out->document), may_write);
	/* A session without edits yields to a draft, which another process may have made since. */
	if (out->session && !out->session->has_draft)
		out->session = NULL;
	if (out->session)
		out->session->users++;
	mutex_unlock(&state->mutex);
	if (out->session)
		return true;
	if (!newest_draft(c, path, may_write ? (struct text){0} : document_revision(out->document), &id))
		return false;
	if (id.at && from_draft(c, id, (struct text){0}, out))
		return true;
	c->error = (struct error){0};
	out->session = NULL;
	mutex_lock(&state->mutex);
	/* Another call may have opened it meanwhile: two first calls on one file are one session. */
	out->session = by_key(state, key, document_revision(out->document), may_write);
	bool was_open = false;
	for (const struct session *s = state->sessions; s && !out->session; s = s->next)
		was_open |= text_same(s->key, key) && !s->is_expired && !s->is_cleared;
	if (!out->session) {
		out->resolution = "opened_new_session";
		out->session = session_new(state, (struct text){0}, key, path, document_revision(out->document));
	}
	out->session->users++;
	mutex_unlock(&state->mutex);
	if (was_open)
		warn(c, "%s was changed on disk and is opened again; ids of paragraphs may differ", shown(c, path));
	return true;
}

/* A session without edits yields to a draft that another process made on the same bytes. */
static bool yield_to_draft(struct call *c, struct found *f)
{
	struct docx_state *state = c->state;
	struct session *s = f->session;
	struct found other = {0};
	struct text id;

	mutex_lock(&state->mutex);
	bool is_edited = s->has_draft;
	mutex_unlock(&state->mutex);
	if (is_edited || !f->document)
		return true;
	if (!newest_draft(c, s->path, text_of(s->revision.chars), &id))
		return false;
	if (!id.at || !from_draft(c, id, (struct text){0}, &other)) {
		c->error = (struct error){0};
		return true;
	}
	mutex_lock(&state->mutex);
	s->users--;
	mutex_unlock(&state->mutex);
	f->session = other.session;
	warn(c, "session %s has no edits, and another process edited the file since; this is its session %s", s->id,
	     other.session->id);
	return true;
}

/* `is_ending`: the session is to be ended, so it must be the one that the caller names. */
static bool find(struct call *c, const struct target *t, bool is_ending, struct found *out)
{
	if (!t->session_id.at && !t->file_path.at)
		return fail_as(c, "MISSING_SESSION_CONTEXT",
			       "neither session_id nor file_path is given; pass the file_path of a .docx file");
	if (!t->session_id.at)
		return find_by_path(c, t->file_path, out);
	if (!find_by_id(c, t->session_id, out))
		return false;
	if (!is_ending && !yield_to_draft(c, out))
		return false;
	struct document *other;
	if (!t->file_path.at)
		return true;
	if (!document_open(c, t->file_path, &other))
		return false;
	if (text_same(document_key(c, other), out->session->key))
		return true;
	/* The file was moved, and the caller gave its new path. */
	if (!out->document && text_is(document_revision(other), out->session->revision.chars)) {
		out->document = other;
		return true;
	}
	return fail_as(c, "SESSION_FILE_CONFLICT",
		       "session %s is on %s, not on %s; pass only one of session_id and file_path", out->session->id,
		       shown(c, out->session->path), shown(c, t->file_path));
}

/* The document in memory is the one that the session began with. If the file has changed since (for example by our own
 * save), the history may still have those bytes. */
static bool load(struct call *c, struct session *s, struct document *d)
{
	struct text bytes, revision;

	if (s->package)
		return true;
	if (d && text_is(document_revision(d), s->revision.chars))
		return session_load(c, s, document_bytes(d));
	if (history_bytes(c, s->path, text_of(s->revision.chars), &bytes, &revision))
		return session_load(c, s, bytes);
	if (!d)
		return fail(c, FAULT_NOT_FOUND,
			    "%s is gone; pass session_id together with the file_path where the same file is now",
			    shown(c, s->path));
	if (!s->clash[0] && !s->saved.chars[0])
		return fail(
			c, FAULT_CONFLICT,
			"%s was changed by another program after session %s began, and its edits are tried on the new version only "
			"by a caller who may write; call read_file with file_path alone for the file as it is",
			shown(c, s->path), s->id);
	return fail(
		c, FAULT_CONFLICT,
		"%s was changed by another program after session %s began, and its edits do not fit there (%s). They are: "
		"%s; call clear_session with this session_id, then read_file with file_path, and make those that are "
		"still wanted again",
		shown(c, s->path), s->id, s->clash[0] ? s->clash : "it had saved them into the file",
		text_string(c->arena, session_told(c, s)));
}

/* Another process may have moved the session to another base. */
static void adopt_base(struct call *c, struct session *s, const struct draft *d)
{
	struct docx_state *state = c->state;
	struct text first = d->first.at ? d->first : d->revision;

	if (first.len == REVISION_LEN)
		memcpy(s->first.chars, first.at, REVISION_LEN);
	if (d->revision.len != REVISION_LEN || text_is(d->revision, s->revision.chars))
		return;
	session_unload(s);
	mutex_lock(&state->mutex);
	memcpy(s->revision.chars, d->revision.at, REVISION_LEN);
	mutex_unlock(&state->mutex);
}

/* May the session be moved to the current file? Not in a dry run and not with a read-only key, because moving writes
 * the draft. */
static bool may_move(struct call *c, const struct session *s, const struct document *d)
{
	return d && !session_made(s, d) && !s->saved.chars[0] && !c->dry_run && !work_is_read_only(c->work) &&
	       place_is_granted(c, s->key, true);
}

/* Another process may have edited, undone or redone. */
static bool follow_draft(struct call *c, struct session *s, struct document *d)
{
	struct draft peek, draft;
	bool found;

	if (!draft_peek(c, text_of(s->id), &peek, &found))
		return false;
	if (found && peek.saved.len == REVISION_LEN)
		memcpy(s->saved.chars, peek.saved.at, REVISION_LEN);
	if (!found && s->draft_changed) {
		struct docx_state *state = c->state;
		mutex_lock(&state->mutex);
		s->is_cleared = true;
		mutex_unlock(&state->mutex);
		return fail_as(c, "SESSION_NOT_FOUND",
			       "session %s was cleared by another process; call read_file with file_path for a new one",
			       s->id);
	}
	if (!found)
		return true;
	adopt_base(c, s, &peek);
	if (may_move(c, s, d)) {
		bool moved;
		if (!session_move_base(c, s, d, &moved))
			return false;
		if (moved)
			return true;
	}
	if (peek.changed == s->draft_changed && s->package)
		return true;
	if (!draft_open(c, text_of(s->id), &draft) || !load(c, s, d))
		return false;
	/* Requests below the mark may differ from those we know: start again from the base. */
	session_back(s, 0);
	if (!session_replay(c, s, &draft.requests, draft.mark)) {
		session_unload(s);
		return false;
	}
	s->draft_changed = draft.changed;
	return true;
}

/* Records in the draft that the session is in use, for other processes. A failure is no reason to refuse a call. */
static void touch_draft(struct call *c, struct session *s)
{
	struct draft d = {.id = text_of(s->id), .mark = s->mark, .changed = s->draft_changed};
	struct error was = c->error;

	if (!s->draft_changed || clock_now() - s->draft_changed < TOUCH_MS)
		return;
	if (draft_touch(c, &d))
		s->draft_changed = d.changed;
	c->error = was;
}

bool session_made(const struct session *s, const struct document *d)
{
	struct text now = document_revision(d);

	return text_is(now, s->revision.chars) || (s->saved.chars[0] && text_is(now, s->saved.chars));
}

/* `named`: the session that the caller named; absent: none. */
static void tell(struct call *c, const struct found *f, struct text named, struct session_facts *facts)
{
	struct session *s = f->session;

	/* Who named the session knows it. */
	if (!text_is(named, s->id)) {
		facts->session_id = text_copy(c->arena, text_of(s->id));
		facts->session_resolution = text_of(f->resolution);
	}
	if (text_is(facts->session_resolution, "reused_existing_session") && s->mark)
		facts->warning = text_format(c->arena,
					     "Reused session %s with %zu %s (edit_revision %zu, opened %.*s, last "
					     "used %.*s).",
					     s->id, s->mark, s->mark == 1 ? "edit" : "edits", s->mark,
					     TEXT_ARGS(clock_iso(c->arena, s->created)),
					     TEXT_ARGS(clock_iso(c->arena, s->used)));
	if (f->document && !session_made(s, f->document))
		warn(c,
		     "%s was changed on disk after this session began; the session still shows what it was%s%s%s. save its edits "
		     "to another path if they are wanted; clear_session and read_file open the file again",
		     shown(c, s->path), s->clash[0] ? ", because its edits do not fit there (" : "", s->clash,
		     s->clash[0] ? ")" : "");
	else if (!f->document)
		warn(c, "%s was removed after this session began; `save` writes it to a new path", shown(c, s->path));
}

/* Other calls may use the session from here on. */
static void give_up(struct session *s)
{
	struct docx_state *state = s->state;
	bool is_edited = s->draft_changed;

	pthread_mutex_unlock(&s->mutex);
	mutex_lock(&state->mutex);
	s->has_draft |= is_edited;
	s->users--;
	age(state);
	mutex_unlock(&state->mutex);
}

/* The call was ended, perhaps during an edit: the session is loaded from its draft on the next use. */
static void session_abandon(void *of)
{
	session_unload(of);
	give_up(of);
}

bool session_enter(struct call *c, const struct target *t, struct session **out, struct session_facts *facts)
{
	struct docx_state *state = c->state;
	struct found f = {0};

	budget_hold();
	bool done = find(c, t, false, &f);
	if (f.session) {
		pthread_mutex_lock(&f.session->mutex);
		f.session->state = state;
		*out = f.session;
	}
	if (f.session)
		own_object(session_abandon, f.session);
	budget_let();
	if (!f.session)
		return false;
	done = done && follow_draft(c, f.session, f.document) && load(c, f.session, f.document) &&
	       session_numbering(c, f.session);
	if (done) {
		touch_draft(c, f.session);
		tell(c, &f, t->session_id, facts);
	}
	mutex_lock(&state->mutex);
	if (done) {
		f.session->has_draft = f.session->draft_changed;
		f.session->used = clock_now();
		f.session->used_ticks = clock_ticks();
		take_out(state, f.session);
		f.session->next = state->sessions;
		state->sessions = f.session;
	} else if (!f.session->package && !f.session->draft_changed && !strcmp(f.resolution, "opened_new_session")) {
		/* If the file cannot be opened, no session stays. */
		f.session->is_cleared = true;
	}
	mutex_unlock(&state->mutex);
	if (!done) {
		session_leave(out);
		return false;
	}
	session_memory(f.session->package->main->bytes.len);
	return true;
}

void session_memory(size_t main_bytes)
{
	budget_raise(main_bytes < MEMORY_MAX / MEMORY_TIMES ? main_bytes * MEMORY_TIMES : MEMORY_MAX);
}

void session_leave(struct session **held)
{
	struct session *s = *held;

	if (!s)
		return;
	budget_hold();
	own_not(s);
	give_up(s);
	budget_let();
	*held = NULL;
}

/* Makes the request durable before the result is returned. The first edit creates the draft. */
static bool record(struct call *c, struct session *s, struct text request, size_t mark)
{
	struct draft d = {.id = text_of(s->id), .mark = mark, .changed = s->draft_changed};
	struct document *base;

	if (!s->draft_changed) {
		if (!document_open(c, s->path, &base))
			return c->error.fault == FAULT_NOT_FOUND
				       ? fail(c, FAULT_NOT_FOUND,
					      "%s is gone, so nothing can be edited in session %s; call read_file with "
					      "file_path where the file is now",
					      shown(c, s->path), s->id)
				       : false;
		if (!text_is(document_revision(base), s->revision.chars))
			return fail(
				c, FAULT_CONFLICT,
				"%s was changed by another program after session %s began; call clear_session, then "
				"read_file with file_path to start again",
				shown(c, s->path), s->id);
		if (!draft_new(c, base, text_of(s->id), &d))
			return false;
	}
	d.requests = (struct texts){arena_array(c->arena, mark + 1, sizeof(struct text)), mark};
	if (!draft_append(c, &d, request))
		return false;
	s->draft_changed = d.changed;
	s->requests_n = mark + 1;
	return true;
}

bool session_edit(struct call *c, const struct edit *e, const void *in, void *out, struct session_facts *facts,
		  struct edit_facts *edits)
{
	scoped(session_leave) struct session *s = NULL;
	int64_t now = clock_now();

	if (!session_enter(c, in, &s, facts))
		return false;
	if (!place_is_granted(c, s->key, true))
		return fail(c, FAULT_DENIED,
			    "this key may read, but not change %s; ask whoever runs the server for the grant",
			    shown(c, s->path));
	size_t mark = s->mark, notes = s->journal.notes.n;
	if (!session_apply(c, s, e, in, out, now))
		return false;
	if (c->dry_run) {
		session_back(s, mark);
		edits->edit_count = edits->edit_revision = (int64_t)mark;
		return true;
	}
	struct text places = request_places(c, s, notes);
	if (!record(c, s, request_write(c, e, in, now, places), mark)) {
		session_back(s, mark);
		return false;
	}
	edits->edit_count = edits->edit_revision = (int64_t)s->mark;
	return true;
}

bool session_move(struct call *c, struct session *s, int64_t steps, struct texts *names)
{
	size_t n = (size_t)(steps < 0 ? -steps : steps), before = s->mark;
	struct draft d;

	names->items = arena_array(c->arena, n + 1, sizeof(struct text));
	if (steps < 0 ? n > s->mark : n > s->requests_n - s->mark)
		return fail_as(c, steps < 0 ? "NOTHING_TO_UNDO" : "NOTHING_TO_REDO",
			       "session %s has %zu edits to %s, not %zu; get_session_status shows how many there are",
			       s->id, steps < 0 ? s->mark : s->requests_n - s->mark, steps < 0 ? "undo" : "redo", n);
	if (!draft_open(c, text_of(s->id), &d))
		return false;
	size_t mark = steps < 0 ? before - n : before + n;
	for (size_t i = 0; i < n; i++)
		names->items[names->n++] = request_tool(c, d.requests.items[steps < 0 ? before - 1 - i : before + i]);
	if (c->dry_run)
		return true;
	if (steps > 0 && !session_replay(c, s, &d.requests, mark)) {
		session_back(s, before);
		if (!memcmp(s->first.chars, s->revision.chars, REVISION_LEN) || c->error.fault != FAULT_OWN)
			return false;
		return fail(
			c, FAULT_CONFLICT,
			"what was undone does not fit %s any more, which another program changed; make the edit again "
			"with its own tool",
			shown(c, s->path));
	}
	if (!draft_set_mark(c, &d, mark)) {
		if (steps > 0)
			session_back(s, before);
		return false;
	}
	if (steps < 0)
		session_back(s, mark);
	s->draft_changed = d.changed;
	return true;
}

bool session_draft(const struct session *s, struct draft *out)
{
	*out = (struct draft){.id = text_of(s->id), .revision = text_of(s->revision.chars)};
	if (memcmp(s->first.chars, s->revision.chars, REVISION_LEN))
		out->first = text_of(s->first.chars);
	return s->draft_changed;
}

void session_saved(struct session *s, struct text revision) { memcpy(s->saved.chars, revision.at, REVISION_LEN); }

/* Called under the lock. Only a caller who may edit the file may drop its edits. */
static bool may_clear(struct call *c, const struct session *s) { return place_is_granted(c, s->key, s->has_draft); }

bool session_clear(struct call *c, const struct target *t, bool all, struct texts *ids)
{
	struct docx_state *state = c->state;
	ARRAY(struct text) list = {0};
	struct found f = {0};
	struct draft *drafts;
	size_t n;

	if (!all) {
		bool done = find(c, t, true, &f);
		if (!f.session)
			return false;
		*ARRAY_PUSH(c->arena, &list) = text_copy(c->arena, text_of(f.session->id));
		mutex_lock(&state->mutex);
		bool may = may_clear(c, f.session);
		f.session->users--;
		f.session->is_cleared |= done && may;
		mutex_unlock(&state->mutex);
		if (!done)
			return false;
		if (!may)
			return fail(
				c, FAULT_DENIED,
				"this key may read, but not change %s, so its edits stay; ask whoever runs the server for "
				"the grant",
				shown(c, f.session->path));
	} else {
		if (!draft_list(c, (struct text){0}, &drafts, &n))
			return false;
		mutex_lock(&state->mutex);
		for (struct session *s = state->sessions; s; s = s->next) {
			if (s->is_cleared || s->is_expired || !may_clear(c, s))
				continue;
			*ARRAY_PUSH(c->arena, &list) = text_copy(c->arena, text_of(s->id));
			s->is_cleared = true;
		}
		mutex_unlock(&state->mutex);
		for (size_t i = 0; i < n; i++) {
			bool is_known = !id_is_formed(drafts[i].id);
			for (size_t k = 0; k < list.n && !is_known; k++)
				is_known = text_same(list.items[k], drafts[i].id);
			if (!is_known)
				*ARRAY_PUSH(c->arena, &list) = drafts[i].id;
		}
	}
	for (size_t i = 0; i < list.n; i++) {
		struct draft peek;
		bool found;
		if (!draft_peek(c, list.items[i], &peek, &found) || (found && !draft_close(c, list.items[i])))
			return false;
	}
	mutex_lock(&state->mutex);
	age(state);
	mutex_unlock(&state->mutex);
	*ids = (struct texts){list.items ? list.items : arena_array(c->arena, 1, sizeof(struct text)), list.n};
	return true;
}

const struct field docx_config_fields[] = {
	FIELD(struct docx_config, max_entries, INT, 0, "Entries of one archive", .limits = BETWEEN(1, 1000000),
	      .otherwise = "10000"),
	FIELD(struct docx_config, max_entry_bytes, INT, 0, "Bytes of one part, unpacked",
	      .limits = BETWEEN(1024, 1000000000), .otherwise = "268435456"),
	FIELD(struct docx_config, max_total_bytes, INT, 0, "Bytes of all parts that are read, unpacked",
	      .limits = BETWEEN(1024, 2000000000), .otherwise = "536870912"),
	FIELD(struct docx_config, max_ratio, INT, 0, "Unpacked to packed size of a part above 32 MiB",
	      .limits = BETWEEN(2, 2000), .otherwise = "400"),
	FIELDS_END,
};

bool docx_open(struct call *c, const void *config, void **out)
{
	const struct docx_config *k = config;
	struct docx_state *state = budget_zero(1, sizeof *state);

	(void)c;
	pthread_mutex_init(&state->mutex, NULL);
	state->limits = (struct zip_limits){.entries = (uint32_t)k->max_entries,
					    .entry = (size_t)k->max_entry_bytes,
					    .total = (size_t)k->max_total_bytes,
					    .ratio = (unsigned)k->max_ratio,
					    .ratio_from = (size_t)32 << 20};
	*out = state;
	return true;
}

void docx_close(void *of)
{
	struct docx_state *state = of;

	for (struct session *s = state->sessions, *next; s; s = next) {
		next = s->next;
		session_free(s);
	}
	pthread_mutex_destroy(&state->mutex);
	free(state);
}
