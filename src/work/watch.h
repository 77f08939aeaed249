/* watch.h: which files below a folder changed since the last look.
 *
 *	watch_open(c, folder, ".md", &w)        opens nothing yet
 *	watch_drain(c, w, &news)                at the start of every call that needs to know
 *	  news.walk                             list everything again (always true the first time)
 *	  news.items                            else: look at these names again, and at nothing else
 *	watch_close(w)
 *
 * The kernel reports changes as they happen (inotify, one watch a folder); a drain only reads what it reported, so it
 * costs one system call when nothing happened, and nothing runs in between. A save by another program that returned
 * before the drain began is in its news. An item says that something happened at that name, not what: the file may be
 * new, changed or gone, or as it was. An item that is a folder stands for everything below it.
 *
 * A folder is watched before it is listed, so nothing falls between: take the news first, then list. What the kernel
 * cannot report leads to `walk`: its queue ran over, there are more folders than watches (fs.inotify.max_user_watches),
 * or the file system is a network or FUSE one, where other machines write unseen. `why` then says which.
 *
 * Names that begin with a dot, and all below such folders, are neither watched nor reported, as in work_list(); nor are
 * names that are not UTF-8. A store through a memory map is reported when the file is closed, not before.
 *
 * A watch has one user, whose own lock covers every call here. */
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
	const char *why; /* of a walk that is not the first; NULL: none */
	struct watch_item *items;
	size_t n;
};

/* `folder` is below a root, "" the first root itself; `suffixes` as in work_list(). */
bool watch_open(struct call *c, struct text folder, const char *suffixes, struct watch **out);
void watch_close(struct watch *w); /* NULL is allowed */

/* The news lives in the call's arena. False: the folder cannot be opened any more, or the call ended; the next drain
 * asks for a walk. */
bool watch_drain(struct call *c, struct watch *w, struct watch_news *out);

#endif
