#include "work/history/fsck.h"

#include "base/digest.h"
#include "base/map.h"
#include "work/history/chain.h"
#include "work/history/pack.h"
#include "work/history/place.h"
#include "work/history/recover.h"
#include "work/history/state.h"
#include "work/history/taken.h"
#include "work/history/view.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH_MAX = 64 };

static void found(struct call *c, struct findings *f, enum finding_kind kind, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void found(struct call *c, struct findings *f, enum finding_kind kind, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	*ARRAY_PUSH(c->arena, f) = (struct finding){kind, text_vformat(c->arena, format, ap)};
	va_end(ap);
}

static bool list_places(struct call *c, struct transaction *t, struct texts *out)
{
	struct query q = query_on(t, "SELECT DISTINCT path FROM documents ORDER BY path");
	ARRAY(struct text) list = {0};
	struct text below;

	while (query_row(&q)) {
		struct text path = query_lent(&q, 0);
		if (c->work->is_owner || place_root(c->work, path, &below))
			*ARRAY_PUSH(c->arena, &list) = text_copy(c->arena, path);
	}
	*out = (struct texts){list.items, list.n};
	return query_end(&q);
}

/* Walks a document's records from the oldest, so each delta is applied once. */
static bool check_chain(struct call *c, struct transaction *t, struct text place, struct findings *f, bool *is_broken)
{
	struct arena arenas[2] = {{0}, {0}};
	struct text bytes = {0};
	struct chain chain;
	size_t before = f->n;
	int turn = 0;

	if (!chain_load(c, t, place, (struct text){0}, &chain))
		return false;
	for (size_t i = chain.all; i-- > 0; turn ^= 1) {
		const struct step *s = &chain.items[i];
		const struct step *older = i + 1 < chain.all ? s + 1 : NULL;
		struct text delta = {0}, after = {0};
		bool is_linked = !s->before.at || s->is_cut || s->kind == RECORD_OUTSIDE ||
				 (older && older->after.at && text_same(older->after, s->before));
		f->records++;
		if (!is_linked)
			found(c, f, FINDING_DAMAGED, "%s: the document before commit %lld is missing", shown(c, place),
			      (long long)s->id);
		arena_free(&arenas[turn]);
		struct query q = query_on(t, "SELECT delta FROM documents WHERE row = ?1");
		bind_int(&q, s->row);
		if (query_row(&q))
			delta = query_text(&q, &arenas[turn], 0);
		query_end(&q);
		bool is_same = s->before.at && s->after.at && text_same(s->before, s->after);
		bool is_kept = s->after.at && (s->form != FORM_NONE || is_same);
		bool made = is_kept && pack_apply(&arenas[turn], s->form, delta, bytes, &after);
		bool fits = made && text_same(text_of(revision_of(after).chars), s->after);
		/* Edits cannot be checked without the bytes before. Their loss was reported at an earlier record. */
		if (is_kept && !fits && (bytes.at || form_is_whole(s->form)))
			found(c, f, FINDING_DAMAGED, "%s: the record of commit %lld does not lead to revision %.*s",
			      shown(c, place), (long long)s->id, TEXT_ARGS(s->after));
		bytes = fits ? text_copy(&arenas[turn], after) : (struct text){0};
	}
	arena_free(&arenas[0]);
	arena_free(&arenas[1]);
	*is_broken = f->n > before;
	return !transaction_failed(t);
}

/* Lost bytes cannot be restored, but the newest record gets the whole bytes of the file, so later records can build on
 * it. */
static void heal(struct call *c, struct text place, struct findings *f)
{
	struct text bytes, revision, name = place_name(c, place);
	struct last_record last;
	enum record_form form;
	struct transaction *t;

	if (!name.at || !bytes_now(c, name, &bytes, &revision) || !bytes.at || !history_begin(c, STORE_WRITE, &t)) {
		c->error = (struct error){0};
		return;
	}
	struct text delta = pack_whole(c->arena, bytes, &form);
	bool fits =
		record_last(t, c->arena, place, &last) && last.after.at && text_same(last.after, revision) && delta.at;
	if (fits) {
		struct query q =
			query_on(t, "UPDATE documents SET form = ?1, delta = ?2, since = 0, is_cut = 1,"
				    " bytes = bytes - coalesce(length(delta), 0) + ?3 WHERE path = ?4 AND id = ?5");
		bind_int(&q, form);
		bind_bytes(&q, delta);
		bind_int(&q, (int64_t)delta.len);
		bind_text(&q, place);
		bind_int(&q, last.id);
		query_run(&q);
		q = query_on(t, "DELETE FROM roots"); /* the sums are computed again */
		query_run(&q);
	}
	if (transaction_commit(c, t, "repair the history") && fits)
		found(c, f, FINDING_REPAIRED, "%s: commit %lld now holds the whole file", shown(c, place),
		      (long long)last.id);
	c->error = (struct error){0};
}

/* *is_sound: the file itself can be read, and its indexes fit its tables. */
static bool check_file(struct call *c, struct transaction *t, bool repair, struct findings *f, bool *is_sound)
{
	struct query q = query_on(t, "PRAGMA integrity_check(20)");

	*is_sound = true;
	while (query_row(&q)) {
		struct text said = query_text(&q, c->arena, 0);
		if (text_is(said, "ok"))
			continue;
		*is_sound = false;
		if (!repair)
			found(c, f, FINDING_REPAIRABLE, "history.db: %s", shown(c, said));
	}
	*is_sound &= query_end(&q);
	return *is_sound;
}

/* A database that cannot be opened can be replaced by a new one with its rows. */
static bool rescued(struct call *c, bool repair, struct findings *f, struct transaction **t)
{
	const char *aside = NULL;
	struct texts lost = {0};
	int64_t rows = 0;
	bool can_help = c->error.fault == FAULT_STORAGE || c->error.fault == FAULT_PATH;

	if (!repair || !can_help) {
		found(c, f, can_help && !repair ? FINDING_REPAIRABLE : FINDING_DAMAGED, "%s",
		      error_sentence(c->arena, &c->error));
		c->error = (struct error){0};
		return false;
	}
	c->error = (struct error){0};
	bool done = history_rescue(c, &rows, &aside, &lost) && history_begin(c, STORE_READ, t);
	if (done)
		found(c, f, FINDING_REPAIRED, "%lld rows of the history are saved into a fresh file; the old one is %s",
		      (long long)rows, aside);
	else
		found(c, f, FINDING_DAMAGED, "%s", error_sentence(c->arena, &c->error));
	for (size_t i = 0; i < lost.n; i++)
		found(c, f, FINDING_DAMAGED, "lost: %.*s", TEXT_ARGS(lost.items[i]));
	c->error = (struct error){0};
	return done;
}

/* Begins reading a history whose file is sound; repairs it if it is not. *t NULL: there is none, or it is reported. */
static bool begin_sound(struct call *c, bool repair, struct findings *f, struct transaction **t)
{
	bool is_sound;

	if (!history_begin(c, STORE_READ, t))
		return rescued(c, repair, f, t);
	if (!*t)
		return true;
	if (check_file(c, *t, repair, f, &is_sound) || (!is_sound && !repair && !transaction_failed(*t)))
		return true;
	if (transaction_failed(*t))
		transaction_fail(c, *t, "read the history");
	else
		fail(c, FAULT_STORAGE, "the file of the history is damaged");
	transaction_rollback(*t);
	*t = NULL;
	return rescued(c, repair, f, t);
}

static int64_t pages(struct call *c, bool is_free)
{
	struct transaction *t;

	if (!history_begin(c, STORE_READ, &t) || !t)
		return 0;
	struct query q = query_on(t, is_free ? "PRAGMA freelist_count" : "PRAGMA page_count");
	int64_t n = query_row(&q) ? query_int(&q, 0) : 0;
	query_end(&q);
	transaction_rollback(t);
	return n;
}

/* Removed records leave free pages, which later ones use. A file that is mostly free is rewritten. */
static void give_room_back(struct call *c, struct findings *f)
{
	enum { WORTH = 4096 }; /* pages: 16 MB */
	int64_t before = pages(c, false), unused = pages(c, true);

	if (unused >= WORTH && unused > before / 4 && store_compact(c, c->work->history->store))
		found(c, f, FINDING_REPAIRED, "history.db had %lld unused pages of %lld, and is rewritten without them",
		      (long long)unused, (long long)before);
	c->error = (struct error){0};
}

static bool check_records(struct call *c, bool repair, struct findings *f)
{
	ARRAY(struct text) broken = {0};
	struct transaction *t = NULL;
	struct texts places;

	if (!begin_sound(c, repair, f, &t) || !t)
		return true;
	bool read = list_places(c, t, &places);
	for (size_t i = 0; read && i < places.n; i++, f->documents++) {
		bool is_broken = false;
		read = goes_on(c) && check_chain(c, t, places.items[i], f, &is_broken);
		if (is_broken)
			*ARRAY_PUSH(c->arena, &broken) = places.items[i];
	}
	if (!read && transaction_failed(t)) {
		transaction_fail(c, t, "read the history");
		found(c, f, FINDING_DAMAGED, "%s", error_sentence(c->arena, &c->error));
		c->error = (struct error){0};
		read = true;
	}
	transaction_rollback(t);
	for (size_t i = 0; repair && i < broken.n; i++)
		heal(c, broken.items[i], f);
	if (repair && read)
		give_room_back(c, f);
	return read;
}

static void check_pending(struct call *c, bool repair, struct findings *f)
{
	int64_t *ids;
	size_t n;

	if (!history_pending(c, &ids, &n)) {
		c->error = (struct error){0};
		return; /* check_records() reports it */
	}
	for (size_t i = 0; i < n; i++) {
		struct record r;
		struct text below;
		bool is_here = history_outline(c, ids[i], &r) && r.n;
		for (size_t j = 0; is_here && j < r.n; j++)
			is_here = place_root(c->work, r.documents[j].path, &below) &&
				  (!r.documents[j].old_path.at || place_root(c->work, r.documents[j].old_path, &below));
		if (repair && is_here)
			recover_commit(c, ids[i]);
		c->error = (struct error){0};
		bool is_done = repair && is_here && !history_is_pending(c, ids[i]);
		found(c, f, is_done ? FINDING_REPAIRED : FINDING_REPAIRABLE,
		      is_done   ? "commit %lld, which was interrupted, is finished"
		      : !r.n    ? "commit %lld was interrupted and names no document"
		      : is_here ? "commit %lld was interrupted, or is under way in another process"
				: "commit %lld was interrupted; give every folder it concerns with --root",
		      (long long)ids[i]);
		for (size_t j = 0; !is_done && j < r.n && j < 4; j++)
			found(c, f, FINDING_REPAIRABLE, "  it changes %s", shown(c, r.documents[j].path));
	}
}

static bool read_at(struct call *c, int folder, const char *name, struct text *out)
{
	scoped(fd_drop) int fd = open_at(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    file_read(c, fd, text_of(name), SIZE_MAX, &st, c->arena, out))
		return true;
	c->error = (struct error){0};
	return false;
}

static bool history_has(struct call *c, struct text place, struct text bytes)
{
	struct transaction *t;

	if (!history_begin(c, STORE_READ, &t))
		return c->error = (struct error){0}, false;
	if (!t)
		return false;
	struct revision revision = revision_of(bytes);
	struct query q = query_on(t, "SELECT 1 FROM documents WHERE path = ?1 AND after = ?2");
	bind_text(&q, place);
	bind_text(&q, text_of(revision.chars));
	bool is = query_row(&q);
	query_end(&q);
	transaction_rollback(t);
	return is;
}

/* A file that may be the only copy of another program's save (work/beside.h), and its document. */
struct save {
	int folder;
	const char *name, *document, *path; /* the path of the file, for messages */
	struct text place;                  /* of the document */
};

/* If the document is gone, it is unknown which is newer: the user decides. */
static void left_alone(struct call *c, const struct save *s, const char *why, struct findings *f)
{
	found(c, f, FINDING_REPAIRABLE,
	      "%s is a version of %s that another program saved during a commit, and %s; rename it to %s, or move it "
	      "away",
	      s->path, shown(c, s->place), why, shown(c, text_of(s->document)));
}

static void look_at_save(struct call *c, const struct save *s, struct findings *f)
{
	struct text saved;
	struct stat st;

	if (!read_at(c, s->folder, s->name, &saved))
		left_alone(c, s, "it cannot be read here", f);
	else if (history_has(c, s->place, saved))
		found(c, f, FINDING_REPAIRABLE, "%s was left by a crash; the history of %s has its bytes", s->path,
		      shown(c, s->place));
	else if (fstatat(s->folder, s->document, &st, AT_SYMLINK_NOFOLLOW) != 0)
		left_alone(c, s, "that document is gone", f);
	else
		found(c, f, FINDING_REPAIRABLE,
		      "%s is a version of %s that another program saved during a commit; compare the two, or let quire "
		      "fsck --repair move it into the history",
		      s->path, shown(c, s->place));
}

static void repair_save(struct call *c, const struct save *s, struct findings *f)
{
	static const struct {
		const char *before, *after;
	} done[] = {
		[TAKEN_KNOWN] = {"left by a crash, is removed; the history of ", " has its bytes"},
		[TAKEN_VERSION] = {"is in the history of ", " now, as changed outside; quire history shows it"},
		[TAKEN_MERGED] = {"is merged into ", " and its history"},
		[TAKEN_BACK] = {"was saved after the deletion of ", " and has that name again"},
	};
	enum taken how = taken_in(c, text_format(c->arena, "%.*s/%s", TEXT_ARGS(path_folder(s->place)), s->name));

	if (how < ARRAY_COUNT(done))
		found(c, f, FINDING_REPAIRED, "%s %s%s%s", s->path, done[how].before, shown(c, s->place),
		      done[how].after);
	else if (how == LEFT_OPEN)
		found(c, f, FINDING_REPAIRABLE,
		      "%s is a version of %s that another program may still write to; close that program, then "
		      "repeat this command",
		      s->path, shown(c, s->place));
	else if (how == LEFT_NEEDED)
		found(c, f, FINDING_REPAIRABLE,
		      "%s, a version of %s, was kept: the document or its history cannot be written now", s->path,
		      shown(c, s->place));
	else
		left_alone(c, s, how == LEFT_ALONE ? "that document is gone" : "it cannot be read here", f);
}

static void check_temp(struct call *c, const struct root *root, int folder, struct text below, const char *name,
		       bool repair, struct findings *f)
{
	struct beside b = beside_parse(c->arena, folder, name);
	struct save s = {.folder = folder, .name = name, .document = b.document, .path = name};
	struct text at = text_of(b.document);

	if (below.len) {
		s.path = text_format(c->arena, "%.*s/%s", TEXT_ARGS(below), name).at;
		at = text_format(c->arena, "%.*s/%s", TEXT_ARGS(below), b.document);
	}
	s.path = shown(c, text_of(s.path));
	s.place = place_of(c->arena, root, at);
	scoped(fd_drop) int locked = open_at(folder, ".", O_RDONLY | O_DIRECTORY, 0);
	if (locked < 0 || !lock_try(locked))
		return; /* a commit is running here */
	if (history_needs(c, root, at))
		return; /* belongs to a commit that was reported */
	if (b.kind != BESIDE_TEMP) {
		fd_drop(&locked);
		(repair ? repair_save : look_at_save)(c, &s, f);
	} else if (repair && unlinkat(folder, name, 0) == 0)
		found(c, f, FINDING_REPAIRED, "%s, left by a crash, is removed", s.path);
	else
		found(c, f, FINDING_REPAIRABLE, "%s was left by a crash", s.path);
}

static void walk(struct call *c, const struct root *root, int folder, struct text below, int depth, bool repair,
		 struct findings *f)
{
	int list = open_at(folder, ".", O_RDONLY | O_DIRECTORY, 0);
	DIR *dir = folder_open(&list);

	if (!dir)
		return;
	for (const struct dirent *e; goes_on(c) && (e = readdir(dir));) {
		struct stat st;
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (fstatat(folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		if (S_ISREG(st.st_mode) && beside_parse(c->arena, folder, e->d_name).kind != BESIDE_NOTHING)
			check_temp(c, root, folder, below, e->d_name, repair, f);
		if (!S_ISDIR(st.st_mode) || e->d_name[0] == '.' || depth >= DEPTH_MAX)
			continue;
		scoped(fd_drop) int inner = open_at(folder, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
		struct text path = below.len ? text_format(c->arena, "%.*s/%s", TEXT_ARGS(below), e->d_name)
					     : text_copy(c->arena, text_of(e->d_name));
		if (inner >= 0)
			walk(c, root, inner, path, depth + 1, repair, f);
	}
	folder_close(&dir);
}

bool history_check(struct call *c, bool repair, struct findings *out)
{
	*out = (struct findings){0};
	/* First the database itself: without it no commit can be finished. */
	if (!check_records(c, repair, out))
		return false;
	check_pending(c, repair, out);
	for (size_t i = 0; i < c->work->roots.n; i++)
		walk(c, &c->work->roots.items[i], c->work->roots.items[i].fd, TEXT(""), 0, repair, out);
	return goes_on(c);
}
