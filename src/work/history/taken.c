#include "work/history/taken.h"

#include "base/log.h"
#include "base/utf8.h"
#include "format/merge.h"
#include "work/beside.h"
#include "work/commit.h"
#include "work/history/history.h"
#include "work/history/place.h"
#include "work/history/view.h"
#include "work/workspace.h"
#include "work/temp.h"
#include "work/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* QUIET_MS: without leases, a file counts as closed when nothing was written to it for so long. MOVES_MAX: how many
 * moves of the document are followed. */
enum { QUIET_MS = 10 * 1000, MOVES_MAX = 8 };

struct taking {
	struct call *call;
	struct text file;                   /* absolute */
	struct text place;                  /* of the document that it was displaced from */
	struct text now_at;                 /* the same, after the document's moves */
	const char *name;                   /* of the file, in its folder */
	struct document *document, *origin; /* at now_at, and at place; the same if it did not move */
	struct text bytes;
	struct text revision; /* what it contained when it was displaced; absent: unknown */
	enum taken how;
};

static struct text name_of(struct text path)
{
	struct text folder = path_folder(path);

	return folder.len ? text_slice(path, folder.len + 1, path.len) : path;
}

static int64_t time_of(struct timespec t) { return t.tv_sec * (int64_t)1000 + t.tv_nsec / 1000000; }

static bool is_open(int fd, const struct stat *st)
{
	enum writer writer = writer_of(fd);
	int64_t written = time_of(st->st_mtim), moved = time_of(st->st_ctim);

	if (writer != WRITER_UNKNOWN)
		return writer == WRITER_OPEN;
	return real_now() - (written > moved ? written : moved) < QUIET_MS;
}

/* Reads the file of a locked or unlocked folder, if nobody writes to it. */
static bool read_file(struct taking *t, int folder, bool with_bytes)
{
	struct call *c = t->call;
	scoped(fd_drop) int fd = open_at(folder, t->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	struct stat st;

	t->how = LEFT_GONE;
	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	t->how = LEFT_OPEN;
	if (is_open(fd, &st) || fstat(fd, &st) != 0)
		return false;
	t->how = LEFT_GONE;
	return !with_bytes || file_read(c, fd, t->file, SIZE_MAX, &st, c->arena, &t->bytes);
}

/* Without a lock: most files that somebody has open are told apart here. */
static bool look_first(struct taking *t)
{
	struct call *c = t->call;
	scoped(spot_drop) struct spot s = {.folder = -1};
	struct text below;
	const struct root *root = place_root(c->work, t->file, &below);

	t->how = LEFT_GONE;
	if (!root)
		return false;
	t->name = text_string(c->arena, name_of(below));
	/* The folder of the file is that of any name in it. */
	struct text folder = path_folder(below);
	struct text any = folder.len ? text_format(c->arena, "%.*s/-", TEXT_ARGS(folder)) : TEXT("-");
	if (!spot_at(c, &c->work->roots, root, any, SPOT_NEW | SPOT_LOCK, &s) || !read_file(t, s.folder, false))
		return false;
	struct beside b = beside_parse(c->arena, s.folder, t->name);
	if (b.kind != BESIDE_OLD && b.kind != BESIDE_KEPT)
		return false;
	t->revision = b.revision;
	folder = path_folder(t->file);
	t->place = text_format(c->arena, "%.*s/%s", TEXT_ARGS(folder), b.document);
	t->how = LEFT_NEEDED;
	/* Another call is busy there: a later one looks again. */
	return lock_try(s.folder);
}

static bool is_file(struct call *c, struct text place)
{
	struct stat st;

	return lstat(text_string(c->arena, place), &st) == 0;
}

/* Where the document is now, if quire moved it. */
static bool follow_moves(struct taking *t)
{
	struct call *c = t->call;
	struct transaction *tx;

	t->now_at = t->place;
	if (!history_begin(c, STORE_READ, &tx))
		return false;
	for (int i = 0; tx && i < MOVES_MAX && !is_file(c, t->now_at); i++) {
		struct query q = query_on(
			tx, "SELECT path FROM documents WHERE old_path = ?1 AND id > coalesce((SELECT max(id) FROM"
			    " documents WHERE path = ?1), 0) ORDER BY id DESC LIMIT 1");
		struct text to = {0}, below;
		bind_text(&q, t->now_at);
		if (query_row(&q))
			to = query_text(&q, c->arena, 0);
		query_end(&q);
		if (!to.at || !place_root(c->work, to, &below))
			break;
		t->now_at = to;
	}
	return transaction_commit(c, tx, "read the history");
}

static bool lock_both(struct taking *t)
{
	struct call *c = t->call;
	bool moved = !text_same(t->now_at, t->place);
	const struct want wants[] = {{place_name(c, t->now_at), DOCUMENT_EITHER | DOCUMENT_OWN, false},
				     {place_name(c, t->place), DOCUMENT_EITHER | DOCUMENT_OWN, false}};
	struct document *d[2];

	t->how = LEFT_NEEDED;
	if (!documents_change(c, wants, moved ? 2 : 1, d))
		return false;
	t->document = d[0];
	t->origin = d[moved];
	return true;
}

static bool has_revision(struct call *c, struct text place, struct text revision, bool *has)
{
	struct transaction *t;

	*has = false;
	if (!history_begin(c, STORE_READ, &t))
		return false;
	if (!t)
		return true;
	struct query q = query_on(t, "SELECT 1 FROM documents WHERE path = ?1 AND ?2 IN (before, after)");
	bind_text(&q, place);
	bind_text(&q, revision);
	*has = query_row(&q);
	query_end(&q);
	return transaction_commit(c, t, "read the history");
}

static bool is_text(struct text t) { return !text_has_nul(t) && utf8_bad(t) == t.len; }

/* Applies what was written to the file since it was displaced to the document. */
static bool merge(struct taking *t)
{
	struct call *c = t->call;
	struct text base, revision, now = document_bytes(t->document);
	size_t n, m, clash;

	if (!t->revision.at || !now.at || !is_text(t->bytes) || !is_text(now) ||
	    !history_bytes(c, place_name(c, t->now_at), t->revision, &base, &revision))
		return false;
	struct splice *theirs = splice_found(c->arena, base, t->bytes, &n);
	struct splice *ours = splice_found(c->arena, base, now, &m);
	struct splice *moved = splice_move(c->arena, theirs, n, ours, m, &clash);
	if (!n || !moved || !stays_readable(c, now, splice_apply(c->arena, now, moved, n)))
		return false;
	const struct change change = {.kind = CHANGE_SPLICE, .document = t->document, .splices = moved, .n = n};
	return commit_changes(c, &change, 1, TEXT("written by a program that had an older version open"),
			      RECORD_OUTSIDE, 0);
}

/* The document was deleted while a program had it open, and the program saved it afterwards: so it is there again, as
 * if the program had opened it by its name. */
static bool give_back(struct taking *t, bool knows_base)
{
	struct revision is = revision_of(t->bytes);

	if (!t->revision.at || !knows_base || text_same(t->revision, text_of(is.chars)))
		return false;
	return renameat2(t->origin->folder, t->name, t->origin->folder, t->origin->name, RENAME_NOREPLACE) == 0 &&
	       flush_to_disk(t->call, t->origin->folder, false, "a folder");
}

static bool settle(struct taking *t)
{
	struct call *c = t->call;
	struct revision is = revision_of(t->bytes);
	bool knows = false, knows_base = false;

	if (!has_revision(c, t->now_at, text_of(is.chars), &knows) ||
	    (t->revision.at && !has_revision(c, t->place, t->revision, &knows_base)))
		return false;
	t->how = TAKEN_KNOWN;
	if (knows)
		return true;
	t->how = LEFT_ALONE;
	if (!document_exists(t->document)) {
		if (give_back(t, knows_base))
			t->how = TAKEN_BACK;
		return false;
	}
	/* The saved bytes first, then the document's, so that its newest revision is the one on disk. */
	t->how = LEFT_NEEDED;
	if (!history_note(c, t->now_at, t->bytes))
		return false;
	crash_step(c->work);
	if (!history_note(c, t->now_at, document_bytes(t->document)))
		return false;
	t->how = merge(t) ? TAKEN_MERGED : TAKEN_VERSION;
	return true;
}

static void take(void *of)
{
	struct taking *t = of;
	struct call *c = t->call;
	struct text below;

	work_hold(c)->is_taking = true;
	if (!look_first(t) || !follow_moves(t) || !lock_both(t))
		return;
	const struct root *root = place_root(c->work, t->place, &below);
	t->how = LEFT_NEEDED;
	if (t->origin->missing.len || history_needs(c, root, below) || !read_file(t, t->origin->folder, true))
		return;
	int folder = t->origin->folder;
	if (settle(t))
		unlinkat(folder, t->name, 0);
	crash_step(c->work);
}

const char *taken_sentence(struct call *c, enum taken how, struct text document)
{
	static const struct {
		enum taken how;
		const char *before, *after;
	} sentences[] = {
		{TAKEN_MERGED, "another program wrote to an older version of ",
		 " that it had open; its words were added to the document"},
		{TAKEN_VERSION, "another program saved ",
		 " while quire changed it; that version is in the history, as changed outside"},
		{TAKEN_BACK, "another program saved ", " after it was deleted, so it is there again"},
	};

	for (size_t i = 0; i < ARRAY_COUNT(sentences); i++)
		if (sentences[i].how == how)
			return text_format(c->arena, "%s%s%s", sentences[i].before, shown(c, document),
					   sentences[i].after)
				.at;
	return NULL;
}

enum taken taken_in(struct call *c, struct text file)
{
	struct arena arena = {0};
	struct call inner = {.arena = &arena, .work = c->work, .tool = ""};
	struct taking t = {.call = &inner, .file = file, .how = LEFT_NEEDED};
	struct budget budget = {.most = CALL_MEMORY};

	if (budget_run(&budget, &arena, take, &t) != BUDGET_KEPT) {
		budget_clear(&budget);
		t.how = LEFT_NEEDED;
	} else {
		const char *sentence = t.now_at.at ? taken_sentence(&inner, t.how, place_name(&inner, t.now_at)) : NULL;
		if (sentence)
			log_line(LOG_INFO, "%s", sentence);
		if (sentence && place_is_granted(c, t.now_at, false))
			warn(c, "%s", sentence);
	}
	work_release(&inner);
	arena_free(&arena);
	return t.how;
}
