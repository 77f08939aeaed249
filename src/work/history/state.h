/* state.h: the folder for quire's own data: the history, drafts, caches.
 *
 * It is outside of every document tree, so a copied tree cannot bring its own state. It belongs to this user with mode
 * 0700, its files 0600. Wider modes are narrowed; a folder of another user is refused. The first write creates it with
 * its parents, but never below a folder of another user. Reading documents works without it. */
#ifndef QUIRE_WORK_HISTORY_STATE_H
#define QUIRE_WORK_HISTORY_STATE_H
#include "store/store.h"
#include "work/root.h"

#include <pthread.h>

struct history {
	struct work *work;
	const char *path;    /* of the state folder; NULL: unknown */
	bool is_named;       /* it is not the default of a user's shell, so commands in messages must name it */
	struct store *store; /* NULL if path is NULL */
	struct store_options options;
	pthread_mutex_t mutex; /* protects the folder */
	int folder;            /* -1: not open */
	bool is_private;       /* the modes were checked */
};

/* Opens the folder, or creates it if `make`. True with h->folder -1: it does not exist and was not to be created. */
bool state_open(struct call *c, struct history *h, bool make);
void state_close(struct history *h);
bool state_stands(const struct history *h); /* the open folder still has its name */
/* "quire WORDS", with --state if needed: a command for messages. */
struct text state_command(struct arena *a, const struct history *h, const char *words);
/* Warns about `.quire` folders below the roots, where earlier versions kept the history. */
void state_advise(const struct work *w);

#endif
