/* vault.h: the graph of one root's notes, brought up to date at the start of every call.
 *
 *	scoped(vault_leave) struct vault *v = vault_read(c);     or vault_change(c)
 *	if (!v) return false;
 *	... v->graph is as the files are now ...
 *
 * vault_read() drains the watcher (work/watch.h), reads what changed, and holds the lock shared; vault_change() holds
 * it alone, and its limits do not end the call before vault_leave(): long loops ask goes_on(). A call that waits (a
 * commit, a request to a service) leaves first and enters again: files may have changed. Nothing is read before the
 * first call.
 *
 * The graph serves every caller, so it is built without grants; node_visible() asks the caller's for each answer. */
#ifndef QUIRE_KINDS_NOTES_VAULT_VAULT_H
#define QUIRE_KINDS_NOTES_VAULT_VAULT_H
#include "kinds/notes/graph/graph.h"
#include "kinds/notes/search/search.h"
#include "kinds/notes/vault/unfinished.h"
#include "tool/reply.h"
#include "work/watch.h"

#include <pthread.h>

struct notes_config {
	bool trash;
	struct text embed, embed_model, embed_key, query_prefix, note_prefix;
};

/* Which paths are left out: .quireignore, and Obsidian's excluded files. */
struct ignored {
	struct arena arena;
	ARRAY(struct text) globs;         /* whole paths, * and ** */
	ARRAY(struct pattern *) patterns; /* Obsidian's regular expressions */
	ARRAY(struct text) faults;        /* patterns that cannot be followed, and why */
	char *stamp;                      /* of the two files; on the heap */
};

/* Said once, with the next answer whose caller may know it. */
struct notice {
	struct text path; /* of the note it is about; absent: of none, for callers who see all */
	struct text sentence;
};

/* A note that another program removed or renamed, and the keys under which links named it. */
struct gone {
	struct text path;
	uint32_t *keys;
	uint32_t n_keys;
};

struct vault {
	pthread_rwlock_t lock;
	bool is_held_alone; /* by vault_change(); only its holder writes this */
	struct notes_config config;
	struct graph graph;
	struct watch *watch;
	struct ignored ignored;
	struct unfinished unfinished;
	bool is_loaded;
	int64_t walked, walk_ms; /* when every file was looked at last, and how long that took; clock_ticks() */
	uint32_t walk;           /* counts walks; see node.walk */

	pthread_mutex_t telling; /* warnings; taken inside the lock */
	bool summary_is_due;
	uint32_t *news; /* notes that another program changed */
	uint32_t n_news, cap_news;
	ARRAY(struct notice) notices;
	ARRAY(struct gone) gone;
	struct arena notice_arena; /* of the last two */

	pthread_mutex_t indexing; /* who fills the search engine; taken before the lock */
	struct search *search;
	bool search_is_filled; /* from then on every change is handed on */

	pthread_mutex_t ranking;
	double *ranks;
	uint64_t ranks_of; /* the generation they are of; 0: none */

	struct announcer announcer;
};

bool vault_open(struct call *c, const void *config, void **state);
void vault_close(void *state);

struct vault *vault_read(struct call *c);   /* NULL: error set */
struct vault *vault_change(struct call *c); /* the same, alone */
void vault_leave(struct vault **v);         /* NULL does no harm; sets it to NULL */

/* For the answer of a call that wrote: shared, the graph as that call left it, without looking at files again. Never
 * fails: what was written must not be answered with an error. */
struct vault *vault_again(struct call *c);

/* After a commit of our own, under the exclusive lock. */
struct written {
	struct text path;
	struct text bytes;                /* what the file contains now; absent: read it again, or it is gone */
	const struct document *committed; /* with those bytes; NULL: its stamp is not known */
};
void vault_written(struct call *c, struct vault *v, const struct written *files, size_t n);

bool node_visible(const struct call *c, const struct node *n);
bool path_visible(const struct call *c, struct text path);
bool caller_sees_all(const struct call *c);

/* The note an id means, as callers write it: with ./ in front, backslashes, without .md, in any case. NODE_NONE: none
 * that the caller may see. */
uint32_t vault_node(struct call *c, struct vault *v, struct text id);

/* Is the path excluded by the person's rules, or below node_modules? Under the exclusive lock. */
bool vault_leaves_out(struct call *c, struct vault *v, struct text path);

/* A note has one id, its path without links. False, with an error: the document would be made behind a link. */
bool vault_may_hold(struct call *c, const struct document *d);

/* Is the path a folder that holds a note which the caller may see? */
bool vault_folder(struct call *c, struct vault *v, struct text path);

bool is_ignored(struct call *c, struct ignored *i, struct text path);
bool ignored_changed(struct call *c, struct ignored *i); /* reads them again when they did; once a call */

#endif
