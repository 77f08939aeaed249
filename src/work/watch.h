/* watch.h: reports which files below a folder changed since the last check.
 *
 *	watch_open(c, folder, ".md", &w)        opens nothing yet
 *	watch_drain(c, w, &news)                at the start of every call that needs to know
 *	  news.walk                             list everything again (always true the first time)
 *	  news.items                            else: check only these names again
 *	watch_close(w)
 *
 * The kernel reports changes as they happen (inotify, one watch per folder). A drain only reads these reports, so it
 * costs one system call if nothing happened, and nothing runs in between. A save by another program that ended before
 * the drain began is in its news. An item says that something happened at that name, not what: the file may be new,
 * changed, gone or unchanged. An item that is a folder means everything below it.
 *
 * A folder is watched before it is listed, so no change is missed: drain first, then list. If the kernel cannot report
 * changes, `walk` is set: its queue overflowed, there are more folders than watches (fs.inotify.max_user_watches), or
 * on a network or FUSE file system other machines may write unnoticed. `why` says which.
 *
 * Names that begin with a dot, everything below such folders, and names that are not UTF-8 are neither watched nor
 * reported, as in work_list(). A store through a memory map is reported only when the file is closed.
 *
 * A watch has one user, whose own lock protects every call here. */
#ifndef QUIRE_WORK_WATCH_H
#define QUIRE_WORK_WATCH_H
#include "base/call.h"

struct watch;

struct watch_item {
	struct text path; /* relative to the root, as in struct file_entry */
	bool is_folder;
	bool is_open; /* a file that another program wrote to and has not closed since */
};

struct watch_news {
	bool walk;
	const char *why; /* the reason for a walk that is not the first; NULL: none */
	struct watch_item *items;
	size_t n;
};

/* `folder` is below a root; "" is the first root itself. `suffixes`: as in work_list(). */
bool watch_open(struct call *c, struct text folder, const char *suffixes, struct watch **out);
void watch_close(struct watch *w); /* NULL is allowed */

/* The news is in the call's arena. False: the folder can no longer be opened, or the call ended; the next drain
 * requests a walk. */
bool watch_drain(struct call *c, struct watch *w, struct watch_news *out);

#endif
