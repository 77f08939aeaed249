/* state.h: the folder for quire's own data: the history, drafts, caches.
 *
 * It lies outside of every document tree, so a tree from elsewhere cannot bring its own state. It belongs to this user,
 * mode 0700, its files 0600; a wider one is narrowed, one of another user is refused. The first write makes it, with
 * its parents, and never below a folder of another user. Reading documents works without it. */
#ifndef QUIRE_WORK_HISTORY_STATE_H
#define QUIRE_WORK_HISTORY_STATE_H
#include "store/store.h"
#include "work/root.h"

#include <pthread.h>

struct history {
	struct work *work;
	const char *path;    /* of the state folder; NULL: none is known */
	bool is_named;       /* it is not where a person's shell would look: commands in messages name it */
	struct store *store; /* NULL with it */
	struct store_options options;
	pthread_mutex_t mutex; /* over the folder */
	int folder;            /* -1: not open */
	bool is_private;       /* the modes were looked at */
};

/* Opens the folder, or makes it. True with h->folder -1: there is none, and none was to be made. */
bool state_open(struct call *c, struct history *h, bool make);
bool state_stands(const struct history *h); /* the open folder still has its name */
/* "quire WORDS", with --state where it is needed: a command for messages. */
struct text state_command(struct arena *a, const struct history *h, const char *words);
/* Warns about `.quire` folders below the roots, where earlier versions kept the history. */
void state_advise(const struct work *w);

#endif
