#include "work/watch.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/map.h"
#include "work/history/store.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* DEPTH_MAX: as in list.c. RETRY_MS: how long a blind watch waits before it tries again, because trying costs a
 * walk. */
enum { DEPTH_MAX = 64, RETRY_MS = 60 * 1000, EVENTS_BYTES = 64 << 10 };

static const uint32_t interest = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY |
				 IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_EXCL_UNLINK | IN_ONLYDIR;

/* A watched folder. It has a pointer to its parent and its own name only, so a moved folder keeps its subtree. */
struct folder {
	int wd, depth;
	uint32_t at; /* index in the list of all folders */
	struct folder *parent, *first, *next, *previous;
	char name[];
};

struct watch {
	char *given, *suffixes;
	const struct root *root;
	struct text top; /* relative to the root, links resolved */
	int fd;          /* inotify; -1: blind, or not built yet */
	const char *blind;
	int64_t blind_until;
	bool must_walk;
	struct arena arena; /* memory of the names below; freed when the watch is rebuilt */
	ARRAY(struct folder *) folders;
	struct map by_wd; /* watch descriptor to index in the list */
};

static struct text wd_key(const int *wd) { return (struct text){(const char *)wd, sizeof *wd}; }

static struct folder *find_wd(const struct watch *w, int wd)
{
	const uint32_t *at = map_find(&w->by_wd, wd_key(&wd));

	return at ? w->folders.items[*at] : NULL;
}

static struct folder *find_child(const struct folder *parent, const char *name)
{
	struct folder *f = parent->first;

	while (f && strcmp(f->name, name) != 0)
		f = f->next;
	return f;
}

static struct folder *add_folder(struct watch *w, struct folder *parent, const char *name, int wd)
{
	size_t len = strlen(name);
	struct folder *f = budget_zero(1, sizeof *f + len + 1);

	memcpy(f->name, name, len + 1);
	f->wd = wd;
	f->parent = parent;
	if (parent) {
		f->depth = parent->depth + 1;
		f->next = parent->first;
		if (f->next)
			f->next->previous = f;
		parent->first = f;
	}
	f->at = (uint32_t)w->folders.n;
	*ARRAY_PUSH(&w->arena, &w->folders) = f;
	*map_at(&w->by_wd, wd_key(&f->wd), f->at, NULL) = f->at;
	return f;
}

/* Removes one folder that has no children left. The last folder of the list moves to its index. */
static void remove_folder(struct watch *w, struct folder *f)
{
	struct folder *last = w->folders.items[--w->folders.n];

	map_remove(&w->by_wd, wd_key(&f->wd));
	if (last != f) {
		last->at = f->at;
		w->folders.items[f->at] = last;
		*map_at(&w->by_wd, wd_key(&last->wd), f->at, NULL) = f->at;
	}
	if (f->previous)
		f->previous->next = f->next;
	else if (f->parent)
		f->parent->first = f->next;
	if (f->next)
		f->next->previous = f->previous;
	free(f);
}

/* Removes the deepest folders first, without recursion, because the tree may have any depth. */
static void remove_tree(struct watch *w, struct folder *top)
{
	struct folder *f = top;

	for (bool done = false; !done;) {
		while (f->first)
			f = f->first;
		struct folder *parent = f->parent;
		done = f == top;
		inotify_rm_watch(w->fd, f->wd);
		remove_folder(w, f);
		f = parent;
	}
}

static struct text folder_path(struct arena *a, const struct watch *w, const struct folder *f)
{
	struct text path = TEXT("");

	for (; f && f->parent; f = f->parent)
		path = path.len ? text_format(a, "%s/%.*s", f->name, TEXT_ARGS(path)) : text_of(f->name);
	if (!path.len)
		return w->top;
	return w->top.len ? text_format(a, "%.*s/%.*s", TEXT_ARGS(w->top), TEXT_ARGS(path)) : text_copy(a, path);
}

static void forget_all(struct watch *w)
{
	for (size_t i = 0; i < w->folders.n; i++)
		free(w->folders.items[i]);
	arena_free(&w->arena);
	w->folders.items = NULL;
	w->folders.n = w->folders.cap = 0;
	w->by_wd = (struct map){.arena = &w->arena};
	if (w->fd >= 0)
		own_gone(LASTING_WATCH);
	fd_drop(&w->fd);
}

/* From now on every drain requests a walk, until the next attempt to watch. */
static void go_blind(struct watch *w, const char *why)
{
	forget_all(w);
	w->blind = why;
	w->blind_until = clock_ticks() + RETRY_MS;
	w->must_walk = true;
}

static const char *why_no_watch(int error)
{
	return error == ENOSPC   ? "there are more folders than watches (sysctl fs.inotify.max_user_watches)"
	       : error == EMFILE ? "too many programs watch files (sysctl fs.inotify.max_user_instances)"
				 : "the system does not watch these folders";
}

/* Watches the open folder itself, even if its name now leads elsewhere. */
static int watch_descriptor(const struct watch *w, int fd)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return inotify_add_watch(w->fd, path, interest);
}

/* A folder still to be watched. The parent is stored as its watch descriptor, because the parent may be removed
 * meanwhile. */
struct coming {
	int parent; /* -1: this is the top folder */
	const char *name;
};
struct comings {
	struct coming *items;
	size_t n, cap;
};

static void add_comings(struct call *c, DIR *dir, int parent, struct comings *list)
{
	for (struct dirent *e; (e = readdir(dir));) {
		struct stat st;
		if (!name_is_listed(e->d_name) || (e->d_type != DT_DIR && e->d_type != DT_UNKNOWN))
			continue;
		if (e->d_type == DT_UNKNOWN &&
		    (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(st.st_mode)))
			continue;
		*ARRAY_PUSH(c->arena, list) = (struct coming){parent, text_copy(c->arena, text_of(e->d_name)).at};
	}
}

/* Watches an open folder. If it is already watched under another name, it was moved here, and its old subtree is
 * removed. Negative: blind now. */
static int watch_anew(struct watch *w, int fd)
{
	int wd = watch_descriptor(w, fd);
	struct folder *moved = wd < 0 ? NULL : find_wd(w, wd);

	if (moved) {
		remove_tree(w, moved);
		wd = watch_descriptor(w, fd);
	}
	if (wd < 0)
		go_blind(w, why_no_watch(errno));
	return wd;
}

/* Watches one folder, then lists the folders in it. This order misses no new folder. A folder that is gone or not
 * readable has nothing to report. False: blind now. */
static bool watch_one(struct call *c, struct watch *w, struct coming one, struct comings *list)
{
	struct folder *parent = one.parent < 0 ? NULL : find_wd(w, one.parent);
	struct text path = folder_path(c->arena, w, parent);

	if (one.parent >= 0 && (!parent || parent->depth >= DEPTH_MAX))
		return true;
	if (parent)
		path = path.len ? text_format(c->arena, "%.*s/%s", TEXT_ARGS(path), one.name) : text_of(one.name);
	scoped(fd_drop) int at = root_open_plain(c->arena, &c->work->roots, w->root, path);
	int fd = at < 0 ? -1 : open_at(at, ".", O_RDONLY | O_DIRECTORY, 0);
	DIR *dir = folder_open(&fd);
	if (!dir) {
		bool is_short = errno == EMFILE || errno == ENFILE;
		if (is_short)
			go_blind(w, "too many files are open");
		return !is_short;
	}
	int wd = -1;
	if (file_system_is_far(dirfd(dir)))
		go_blind(w, "a network or FUSE file system does not report what other machines write");
	else
		wd = watch_anew(w, dirfd(dir));
	if (wd >= 0 && (one.parent < 0 || (parent = find_wd(w, one.parent)))) {
		add_folder(w, parent, one.name, wd);
		add_comings(c, dir, wd, list);
	}
	folder_close(&dir);
	return wd >= 0;
}

static bool watch_tree(struct call *c, struct watch *w, int parent, const char *name)
{
	struct comings list = {0};

	*ARRAY_PUSH(c->arena, &list) = (struct coming){parent, name};
	while (list.n) {
		struct coming one = list.items[--list.n];
		if (!goes_on(c) || !watch_one(c, w, one, &list))
			return false;
	}
	return true;
}

/* Builds the watch from the start. False: the top cannot be opened, or the call ended; the watch is then blind. */
static bool build(struct call *c, struct watch *w)
{
	int top;

	forget_all(w);
	w->must_walk = true;
	w->blind = NULL;
	if (!root_folder(c, &c->work->roots, text_of(w->given), SPOT_OWN, &w->root, &w->top, &top))
		return false;
	fd_drop(&top);
	w->top = text_copy(&w->arena, w->top);
	w->fd = own_fd(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
	if (w->fd < 0) {
		go_blind(w, why_no_watch(errno));
		return true;
	}
	own_keep(LASTING_WATCH, w->fd);
	if (watch_tree(c, w, -1, ""))
		return true;
	if (w->blind)
		return true;
	forget_all(w);
	return false;
}

struct drain {
	struct call *c;
	struct watch *w;
	ARRAY(struct watch_item) items;
	struct map known;
	bool is_lost;    /* everything must be rebuilt */
	const char *why; /* the reason, if is_lost */
};

static void report(struct drain *d, const struct folder *parent, const struct inotify_event *e)
{
	bool is_folder = e->mask & IN_ISDIR;
	struct arena *a = d->c->arena;
	struct text folder = folder_path(a, d->w, parent);
	struct text key = folder.len ? text_format(a, "%.*s/%s%s", TEXT_ARGS(folder), e->name, is_folder ? "/" : "")
				     : text_format(a, "%s%s", e->name, is_folder ? "/" : "");
	bool was;
	uint32_t at = *map_at(&d->known, key, (uint32_t)d->items.n, &was);

	if (!was)
		*ARRAY_PUSH(a, &d->items) =
			(struct watch_item){.path = text_slice(key, 0, key.len - is_folder), .is_folder = is_folder};
	if (e->mask & IN_MODIFY)
		d->items.items[at].is_open = true;
	else if (e->mask & ~(uint32_t)IN_ATTRIB)
		d->items.items[at].is_open = false;
}

static void lose(struct drain *d, const char *why)
{
	d->is_lost = true;
	d->why = why;
}

/* False: blind now, or the call ended. */
static bool take_folder_event(struct drain *d, const struct inotify_event *e, struct folder *f)
{
	struct folder *had = find_child(f, e->name);
	bool is_gone = e->mask & (IN_DELETE | IN_MOVED_FROM), is_new = e->mask & (IN_CREATE | IN_MOVED_TO) || !had;

	report(d, f, e);
	if (had && (is_gone || is_new))
		remove_tree(d->w, had);
	return is_gone || !is_new || watch_tree(d->c, d->w, e->wd, e->name);
}

static bool take_event(struct drain *d, const struct inotify_event *e)
{
	struct watch *w = d->w;
	struct folder *f = find_wd(w, e->wd);

	if (e->mask & IN_Q_OVERFLOW)
		lose(d, "more changed at once than the kernel keeps (sysctl fs.inotify.max_queued_events)");
	else if (e->mask & IN_UNMOUNT)
		lose(d, "a file system below it was unmounted");
	else if (!f)
		return true; /* removed meanwhile */
	else if (!f->parent && e->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED))
		lose(d, "the folder itself was moved or replaced");
	else if (e->mask & IN_IGNORED)
		remove_tree(w, f); /* deleted; the parent's event reports it too */
	else if (!e->len || !name_is_listed(e->name))
		return true;
	else if (e->mask & IN_ISDIR)
		return take_folder_event(d, e, f);
	else if (text_ends_in(text_of(e->name), w->suffixes))
		report(d, f, e);
	return true;
}

/* Reads at least the events that existed at the start. A program that writes without pause cannot keep it in the
 * loop. */
static bool take_events(struct drain *d)
{
	int waiting = 0;

	if (ioctl(d->w->fd, FIONREAD, &waiting) != 0)
		waiting = INT_MAX;
	char *bytes = waiting ? arena_alloc(d->c->arena, EVENTS_BYTES) : NULL;
	while (waiting > 0 && !d->is_lost) {
		ssize_t n = read(d->w->fd, bytes, EVENTS_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		waiting -= (int)n;
		for (char *at = bytes; at < bytes + n && !d->is_lost;) {
			const struct inotify_event *e = (const struct inotify_event *)(const void *)at;
			if (!take_event(d, e))
				return false;
			at += sizeof *e + e->len;
		}
	}
	return true;
}

bool watch_drain(struct call *c, struct watch *w, struct watch_news *out)
{
	struct drain d = {.c = c, .w = w, .known = {.arena = c->arena}};
	bool done = true;

	*out = (struct watch_news){0};
	if (w->fd < 0 && (!w->blind || clock_ticks() >= w->blind_until))
		done = build(c, w);
	else if (w->fd >= 0 && !take_events(&d) && !w->blind) {
		forget_all(w); /* the call ended in the middle */
		done = false;
	}
	if (d.is_lost)
		done = build(c, w);
	if (!done)
		return w->must_walk = true, false;
	if (w->must_walk) {
		out->walk = true;
		out->why = w->blind ? w->blind : d.why;
	} else {
		out->items = d.items.items;
		out->n = d.items.n;
	}
	w->must_walk = w->fd < 0;
	return true;
}

bool watch_open(struct call *c, struct text folder, const char *suffixes, struct watch **out)
{
	const struct root *root;
	struct text below;
	int fd;

	if (!root_folder(c, &c->work->roots, folder, SPOT_OWN, &root, &below, &fd))
		return false;
	fd_drop(&fd);
	struct watch *w = budget_zero(1, sizeof *w);
	w->arena.lasts = true;
	w->given = budget_text(folder.at, folder.len);
	w->suffixes = budget_text(suffixes, strlen(suffixes));
	w->fd = -1;
	w->must_walk = true;
	*out = w;
	return true;
}

void watch_close(struct watch *w)
{
	if (!w)
		return;
	forget_all(w);
	free(w->given);
	free(w->suffixes);
	free(w);
}
