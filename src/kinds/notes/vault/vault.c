#include "kinds/notes/vault/vault.h"

#include "base/clock.h"
#include "base/mutex.h"
#include "base/utf8.h"
#include "kinds/notes/note/name.h"
#include "tool/reply.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	RESCAN_MS = 30000,     /* every file is checked this often, even where the kernel reports changes */
	YOUNG_NS = 2000000000, /* if a stamp is newer than this, a second change may have the same stamp */
	NOTICES_MAX = 100      /* notices of each type that wait for a caller */
};

bool vault_open(struct call *c, const void *config, void **state)
{
	struct vault *v = budget_zero(1, sizeof *v);

	if (config)
		v->config = *(const struct notes_config *)config;
	if (!watch_open(c, TEXT(""), "", &v->watch)) {
		free(v);
		return false;
	}
	/* Without this, readers without a pause between them would keep a writer waiting. */
	pthread_rwlockattr_t kind;
	pthread_rwlockattr_init(&kind);
	pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&v->lock, &kind);
	pthread_rwlockattr_destroy(&kind);
	pthread_mutex_init(&v->catching, NULL);
	pthread_mutex_init(&v->telling, NULL);
	pthread_mutex_init(&v->ranking, NULL);
	graph_open(&v->graph);
	v->ignored.arena.lasts = v->notice_arena.lasts = true;
	*state = v;
	return true;
}

void vault_close(void *state)
{
	struct vault *v = state;

	if (!v)
		return;
	search_close(v->search);
	watch_close(v->watch);
	graph_close(&v->graph);
	free(v->news);
	free(v->ranks);
	free(v->ignored.stamp);
	unfinished_close(&v->unfinished);
	arena_free(&v->ignored.arena);
	arena_free(&v->notice_arena);
	pthread_rwlock_destroy(&v->lock);
	pthread_mutex_destroy(&v->catching);
	pthread_mutex_destroy(&v->telling);
	pthread_mutex_destroy(&v->ranking);
	free(v);
}

/* Saved fields of a call while it reads for the index. The index serves all callers, so it is read without a caller's
 * grants and leaves no trace in the call's log. */
struct aside {
	const struct caller *caller;
	size_t touched;
	struct text revision;
	size_t document_max;
};

static struct aside step_aside(struct call *c)
{
	struct aside s = {c->caller, c->touched.n, c->revision, c->document_max};

	c->caller = NULL;
	return s;
}

static void step_back(struct call *c, struct aside s)
{
	c->caller = s.caller;
	c->touched.n = s.touched;
	c->revision = s.revision;
}

/* A notice without a path is not about one note. */
static void notice(struct vault *v, const char *what, struct text about, struct text path)
{
	mutex_lock(&v->telling);
	if (v->notices.n < NOTICES_MAX)
		*ARRAY_PUSH(&v->notice_arena, &v->notices) =
			(struct notice){path.at ? text_copy(&v->notice_arena, path) : path,
					text_format(&v->notice_arena, "%.*s: %s", TEXT_ARGS(about), what)};
	mutex_unlock(&v->telling);
}

static void add_gone(struct vault *v, const struct node *n)
{
	struct arena *a = &v->notice_arena;

	mutex_lock(&v->telling);
	if (v->gone.n < NOTICES_MAX)
		*ARRAY_PUSH(a, &v->gone) = (struct gone){
			text_copy(a, n->path), arena_copy(a, n->keys, n->n_keys * sizeof *n->keys), n->n_keys};
	mutex_unlock(&v->telling);
}

static void add_news(struct vault *v, uint32_t node)
{
	v->news = list_more(v->news, v->n_news, &v->cap_news, sizeof *v->news);
	v->news[v->n_news++] = node;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool is_young(struct file_stamp s)
{
	return now_ns() - (s.modified > s.changed ? s.modified : s.changed) < YOUNG_NS;
}

static uint32_t exact_node(struct vault *v, struct arena *a, struct text path)
{
	uint32_t node = graph_find(&v->graph, a, path);

	return node != NODE_NONE && text_same(v->graph.nodes[node].path, path) ? node : NODE_NONE;
}

/* Compares keys, because the edges may already be removed with another note of the same batch. */
static bool is_linked(const struct graph *g, const struct node *n)
{
	for (uint32_t i = 0; i < n->n_keys; i++)
		if (g->keys[n->keys[i]].first_target != NODE_NONE)
			return true;
	return false;
}

static void forget(struct vault *v, uint32_t node, bool is_news)
{
	if (is_news && is_linked(&v->graph, &v->graph.nodes[node]))
		add_gone(v, &v->graph.nodes[node]);
	if (v->search_is_filled)
		search_remove(v->search, v->graph.nodes[node].path);
	graph_remove(&v->graph, node);
}

static void hand_on(struct vault *v, uint32_t node, const struct note *n)
{
	const struct node *known = &v->graph.nodes[node];
	struct search_note note = {.path = known->path,
				   .title = known->title,
				   .tags = n->tags,
				   .text = span_text(n->bytes, n->text),
				   .priority = known->stamp.modified};

	search_put(v->search, &note);
}

bool is_searched(const struct node *n) { return n->path.at && n->sort == NODE_NOTE && !n->is_excluded; }

/* The user's rules changed, or the note is new. */
static void put_excluded(struct vault *v, uint32_t node, const struct note *note, bool is_excluded)
{
	struct node *n = &v->graph.nodes[node];

	if (n->is_excluded == is_excluded)
		return;
	n->is_excluded = is_excluded;
	if (!v->search_is_filled || n->sort != NODE_NOTE)
		return;
	if (is_excluded)
		search_remove(v->search, n->path);
	else
		hand_on(v, node, note);
}

static struct node *put_file(struct call *c, struct vault *v, struct arena *scratch, struct text path,
			     const struct file_content *file, bool is_young, bool is_news)
{
	uint32_t node = exact_node(v, scratch, path);
	bool is_new = node == NODE_NONE, is_out = is_excluded(c, &v->ignored, path);
	struct note note;

	if (is_new || memcmp(v->graph.nodes[node].revision.chars, file->revision.chars, REVISION_LEN) != 0) {
		file_links_read(scratch, path, file->bytes, &note);
		node = graph_put(&v->graph, path, &note, file->stamp, &file->revision);
		if (v->search_is_filled && is_searched(&v->graph.nodes[node]))
			hand_on(v, node, &note);
		if (is_news)
			add_news(v, node);
	}
	if (v->graph.nodes[node].is_excluded != is_out) {
		file_links_read(scratch, path, file->bytes, &note);
		put_excluded(v, node, &note, is_out);
	}
	struct node *n = &v->graph.nodes[node];
	n->stamp = file->stamp;
	n->walk = v->walk;
	n->is_young = is_young;
	n->is_ours = false;
	return n;
}

/* Reads one file and puts it into the graph, or removes the note if the file is gone. Returns false if the call
 * ended. */
static bool take_file(struct call *c, struct vault *v, struct near *near, struct arena *scratch, struct text path,
		      bool is_news)
{
	struct file_content file = {0};

	/* The bytes of a picture do not matter. */
	if (sort_of_file(path) == NODE_FILE && work_look(c, path, &file.stamp)) {
		put_file(c, v, scratch, path, &file, false, false);
		return true;
	}
	if (near ? work_read_near(c, near, path, scratch, &file) : work_read(c, path, scratch, &file)) {
		put_file(c, v, scratch, path, &file, is_young(file.stamp), is_news);
		return true;
	}
	uint32_t known = exact_node(v, scratch, path);
	enum fault fault = c->error.fault;
	const char *why = error_sentence(scratch, &c->error);
	if (fault == FAULT_CANCELLED || fault == FAULT_TIMEOUT)
		return false;
	if (fault != FAULT_NOT_FOUND && known == NODE_NONE)
		notice(v, why, path, path);
	if (known != NODE_NONE && (fault == FAULT_NOT_FOUND || fault == FAULT_PATH))
		forget(v, known, is_news);
	c->error = (struct error){0};
	return true;
}

/* The listing already has the stamp of a file whose bytes do not matter. */
static bool take_entry(struct call *c, struct vault *v, struct near *near, struct arena *scratch,
		       const struct file_entry *entry, bool is_news)
{
	struct file_content file = {.stamp = entry->stamp};

	if (sort_of_file(entry->path) != NODE_FILE)
		return take_file(c, v, near, scratch, entry->path, is_news);
	put_file(c, v, scratch, entry->path, &file, false, false);
	return true;
}

bool vault_leaves_out(struct call *c, struct vault *v, struct text path)
{
	return text_starts(path, "node_modules/") || text_find(path, TEXT("/node_modules/"), 0) != SIZE_MAX ||
	       is_ignored(c, &v->ignored, path);
}

/* Checks every file below the folder and removes known notes that were not found. */
static bool take_folder(struct call *c, struct vault *v, struct text folder)
{
	struct arena scratch = {0};
	scoped(near_drop) struct near near = {.folder = -1};
	struct file_entry *files = NULL;
	size_t n = 0;
	bool is_first = !v->is_loaded, goes = true;

	v->walk++;
	if (!work_list(c, folder, "", SIZE_MAX, &files, &n)) {
		if (c->error.fault != FAULT_NOT_FOUND && c->error.fault != FAULT_PATH)
			return false;
		c->error = (struct error){0};
	}
	for (size_t i = 0; goes && i < n; i++) {
		if (vault_leaves_out(c, v, files[i].path))
			continue;
		uint32_t known = exact_node(v, &scratch, files[i].path);
		struct node *old = known == NODE_NONE ? NULL : &v->graph.nodes[known];
		bool is_kept = old &&
			       ((!old->is_young && file_stamp_same(old->stamp, files[i].stamp)) ||
				unfinished_has(&v->unfinished, old->path)) &&
			       old->is_excluded == is_excluded(c, &v->ignored, old->path);
		if (is_kept)
			old->walk = v->walk;
		else
			goes = take_entry(c, v, &near, &scratch, &files[i], !is_first);
		if (!(i % 512)) {
			goes = goes && goes_on(c);
			progress(c, (double)i, (double)n, "reading notes");
		}
		if (scratch.used > 1024 * 1024)
			arena_free(&scratch);
	}
	for (uint32_t i = 0; goes && i < v->graph.n_nodes; i++) {
		const struct node *node = &v->graph.nodes[i];
		bool is_below = !folder.len || (node->path.len > folder.len && node->path.at[folder.len] == '/' &&
						!memcmp(node->path.at, folder.at, folder.len));
		if (node->path.at && node->walk != v->walk && is_below)
			forget(v, i, true);
	}
	arena_free(&scratch);
	return goes;
}

/* The watcher also reports what this process wrote itself. */
static bool is_still_ours(struct call *c, struct vault *v, struct arena *scratch, struct text path)
{
	uint32_t node = exact_node(v, scratch, path);
	struct file_stamp now;

	return node != NODE_NONE && v->graph.nodes[node].is_ours && work_look(c, path, &now) &&
	       file_stamp_same(now, v->graph.nodes[node].stamp);
}

static bool take_items(struct call *c, struct vault *v, const struct watch_news *news)
{
	struct arena scratch = {0};
	bool goes = true;

	for (size_t i = 0; goes && i < news->n; i++) {
		struct text path = news->items[i].path;
		if (news->items[i].is_folder)
			goes = vault_leaves_out(c, v, path) || take_folder(c, v, path);
		else if (!vault_leaves_out(c, v, path) && !unfinished_has(&v->unfinished, path) &&
			 !is_still_ours(c, v, &scratch, path))
			goes = take_file(c, v, NULL, &scratch, path, true);
		if (scratch.used > 1024 * 1024)
			arena_free(&scratch);
	}
	arena_free(&scratch);
	return goes;
}

/* Updates the list of files that are being written, and reads those whose wait is over. Returns false if the call
 * ended. */
static bool follow_unfinished(struct call *c, struct vault *v, const struct watch_news *news)
{
	int64_t now = clock_ticks();
	struct text due;

	for (size_t i = 0; i < news->n; i++) {
		const struct watch_item *item = &news->items[i];
		if (!item->is_open)
			unfinished_end(&v->unfinished, item->path);
		else if (exact_node(v, c->arena, item->path) != NODE_NONE &&
			 unfinished_begin(&v->unfinished, item->path, now))
			notice(v,
			       "another program is writing this note; until it is closed the graph keeps it as it was",
			       item->path, item->path);
	}
	while ((due = unfinished_due(&v->unfinished, now)).at)
		if (!take_file(c, v, NULL, c->arena, due, true))
			return false;
	return true;
}

/* Reports each unusable pattern of the user once. */
static void tell_faults(struct vault *v)
{
	for (size_t i = 0; i < v->ignored.faults.n; i++)
		notice(v, v->ignored.faults.items[i].at, TEXT("excluded files of .obsidian/app.json"),
		       (struct text){0});
	v->ignored.faults.n = 0;
}

static bool walk_all(struct call *c, struct vault *v)
{
	int64_t began = clock_ticks();

	if (!take_folder(c, v, TEXT("")))
		return false;
	v->walked = clock_ticks();
	v->walk_ms = v->walked - began;
	return true;
}

/* What a call must do before it reads the graph. */
struct due {
	struct watch_news news;
	bool walks, rules;
};

/* Looks for changes. `*is_due`: there are some, and the graph must be brought up to date. False: the call ended. Called
 * under `catching`, so it changes nothing that readers see. */
static bool look(struct call *c, struct vault *v, struct due *due, bool *is_due)
{
	due->rules = ignored_is_stale(c, &v->ignored);
	if (!watch_drain(c, v->watch, &due->news)) {
		v->walked = 0;
		return false;
	}
	int64_t since = clock_ticks() - v->walked, rest = RESCAN_MS > 100 * v->walk_ms ? RESCAN_MS : 100 * v->walk_ms;
	due->walks = due->news.walk || due->rules || !v->is_loaded || !v->walked || since > rest;
	*is_due = due->walks || due->news.n || v->unfinished.n;
	return true;
}

/* Brings the graph up to date. If it is interrupted, the next call walks all files again. */
static bool catch_up(struct call *c, struct vault *v, const struct due *due)
{
	uint64_t before = v->graph.members;

	ignored_renew(c, &v->ignored);
	bool goes = follow_unfinished(c, v, &due->news) && (due->walks ? walk_all(c, v) : take_items(c, v, &due->news));
	tell_faults(v);
	graph_settle(&v->graph);
	if (!goes) {
		v->walked = 0;
		return false;
	}
	if (!v->is_loaded) {
		v->summary_is_due = true;
		/* Return memory to the system: reading thousands of files leaves free space in the heap that is not
		 * needed again. */
		malloc_trim(0);
	} else if (v->graph.members != before)
		reply_list_changed(c, "resources");
	v->is_loaded = true;
	return true;
}

static void reader_leave(void *of)
{
	struct vault *v = of;

	pthread_rwlock_unlock(&v->lock);
}

/* Takes the lock alone if something changed or the caller will change something, and shared otherwise. All callers
 * share the graph, so a call cannot be ended while it changes it. */
static struct vault *enter(struct call *c, bool alone)
{
	struct vault *v = c->state;
	struct due due = {0};
	bool is_due = false;

	mutex_lock(&v->catching);
	struct aside aside = step_aside(c);
	bool goes = look(c, v, &due, &is_due);
	if (goes && (is_due || alone)) {
		rwlock_write(&v->lock);
		goes = !is_due || catch_up(c, v, &due);
		if (!goes || !alone)
			rwlock_unlock(&v->lock);
	}
	step_back(c, aside);
	/* A reader changes nothing, so the call may be ended while it holds the lock. No writer can come between: a
	 * change of files must pass `catching` first. */
	if (goes && !alone) {
		pthread_rwlock_rdlock(&v->lock);
		own_object(reader_leave, v);
	}
	mutex_unlock(&v->catching);
	return goes ? v : NULL;
}

struct vault *vault_change(struct call *c)
{
	struct vault *v = enter(c, true);

	if (v)
		v->is_held_alone = true;
	return v;
}

struct vault *vault_read(struct call *c) { return enter(c, false); }

struct vault *vault_again(struct call *c)
{
	struct vault *v = c->state;

	budget_hold();
	pthread_rwlock_rdlock(&v->lock);
	own_object(reader_leave, v);
	budget_let();
	return v;
}

void vault_leave(struct vault **v)
{
	if (!*v)
		return;
	if ((*v)->is_held_alone) {
		(*v)->is_held_alone = false;
		rwlock_unlock(&(*v)->lock);
	} else {
		own_not(*v);
		reader_leave(*v);
	}
	*v = NULL;
}

/* The bytes are known, so the file is not read now. The watcher reports it, and the next call reads it unless its stamp
 * proves that it did not change. */
static void put_written(struct call *c, struct vault *v, struct arena *scratch, const struct written *w)
{
	int64_t now = now_ns();
	struct file_content file = {.bytes = w->bytes,
				    .revision = revision_of(w->bytes),
				    .stamp = {.size = w->bytes.len, .modified = now, .changed = now}};
	struct file_stamp stamp;
	bool is_exact = w->committed && document_stamp(w->committed, &stamp);

	if (is_exact)
		file.stamp = stamp;
	put_file(c, v, scratch, w->path, &file, !is_exact, false)->is_ours = is_exact;
}

void vault_written(struct call *c, struct vault *v, const struct written *files, size_t n)
{
	struct arena scratch = {0};
	struct aside aside = step_aside(c);
	const atomic_bool *cancelled = c->cancelled;
	int64_t deadline = c->deadline;

	/* The files are written, so the graph must be updated even if the call was cancelled. */
	c->cancelled = NULL;
	c->deadline = 0;
	budget_hold();
	pthread_rwlock_wrlock(&v->lock);
	uint64_t before = v->graph.members;
	for (size_t i = 0; i < n; i++) {
		if (files[i].bytes.at)
			put_written(c, v, &scratch, &files[i]);
		else
			take_file(c, v, NULL, &scratch, files[i].path, false);
		if (scratch.used > 1024 * 1024)
			arena_free(&scratch);
	}
	graph_settle(&v->graph);
	bool list_changed = v->graph.members != before;
	pthread_rwlock_unlock(&v->lock);
	if (list_changed)
		reply_list_changed(c, "resources");
	c->cancelled = cancelled;
	c->deadline = deadline;
	step_back(c, aside);
	arena_free(&scratch);
	budget_let();
}

bool caller_sees_all(const struct call *c) { return !c->caller || !c->caller->may; }

bool path_visible(const struct call *c, struct text path)
{
	return caller_sees_all(c) || c->caller->may(c->caller, path, false);
}

bool path_writable(const struct call *c, struct text path)
{
	return caller_sees_all(c) || c->caller->may(c->caller, path, true);
}

bool node_visible(const struct call *c, const struct node *n)
{
	return n->sort == NODE_NOTE && path_visible(c, n->path);
}

/* Normalises a path from a caller. Absent if it leads out of the root. */
static struct text given_path(struct call *c, struct text id)
{
	struct text path = text_copy(c->arena, text_trim(id));

	for (size_t i = 0; i < path.len; i++)
		if (path.at[i] == '\\')
			((char *)path.at)[i] = '/';
	return id_join(c->arena, TEXT(""), path);
}

bool vault_folder(struct call *c, struct vault *v, struct text path)
{
	path = given_path(c, path);
	while (path.len && path.at[path.len - 1] == '/')
		path.len--;
	for (uint32_t i = 0; path.len && i < v->graph.n_nodes; i++) {
		const struct node *n = &v->graph.nodes[i];
		if (n->path.at && n->path.len > path.len && n->path.at[path.len] == '/' &&
		    !memcmp(n->path.at, path.at, path.len) && path_visible(c, n->path))
			return true;
	}
	return false;
}

uint32_t vault_node(struct call *c, struct vault *v, struct text id)
{
	struct text path = given_path(c, id);

	if (!path.at || !path.len || utf8_bad(path) < path.len)
		return NODE_NONE;
	uint32_t node = graph_find(&v->graph, c->arena, path);
	if (node == NODE_NONE)
		node = graph_find(&v->graph, c->arena, text_format(c->arena, "%.*s.md", TEXT_ARGS(path)));
	if (node == NODE_NONE)
		node = graph_find(&v->graph, c->arena, text_format(c->arena, "%.*s.markdown", TEXT_ARGS(path)));
	return node != NODE_NONE && node_visible(c, &v->graph.nodes[node]) ? node : NODE_NONE;
}

uint32_t vault_file(struct call *c, struct vault *v, struct text id)
{
	struct text path = given_path(c, id);
	uint32_t node =
		path.at && path.len && utf8_bad(path) == path.len ? graph_find(&v->graph, c->arena, path) : NODE_NONE;

	return node != NODE_NONE && path_visible(c, v->graph.nodes[node].path) ? node : NODE_NONE;
}

bool vault_may_hold(struct call *c, const struct document *d)
{
	struct text place = document_place(d);

	if (text_same(place, document_path(d)))
		return true;
	return fail(c, FAULT_ARGUMENT, "%s leads through a link to another folder; name it %s",
		    shown(c, document_path(d)), shown(c, place));
}
