/* vault.h: the graph of one root's notes, brought up to date at the start of every call.
 *
 *	scoped(vault_leave) struct vault *v = vault_read(c);     or vault_change(c)
 *	if (!v) return false;
 *	... v->graph is as the files are now ...
 *
 * vault_read() drains the watcher (work/watch.h) and holds the lock shared. Readers run in parallel: only if there is
 *news does one of them take the lock alone, to read the changed files. vault_change() holds the lock exclusively. Until
 *vault_leave() the call is not ended by its limits, so long loops check goes_on(). A call that waits (for a commit or a
 *request to a service) must leave first and enter again, because files may have changed. Nothing is read before the
 *first call.
 *
 * All callers share the graph, so it is built without grants. node_visible() checks the caller's grants for each
 * result. */
#ifndef QUIRE_KINDS_NOTES_VAULT_VAULT_H
#define QUIRE_KINDS_NOTES_VAULT_VAULT_H
#include "kinds/notes/graph/graph.h"
#include "kinds/notes/search/search.h"
#include "kinds/notes/vault/unfinished.h"
#include "work/watch.h"

#include <pthread.h>

struct notes_config {
	bool trash, leave_out_hidden;
	int file_names; /* 0: slugs, 1: as typed */
	struct text embed, embed_model, embed_key, query_prefix, note_prefix;
};

/* Which paths are no part of the graph (.quireignore), and which are left out of search, hubs and suggestions
 * (Obsidian's excluded files). */
struct ignored {
	struct arena arena;
	ARRAY(struct text) globs;         /* of .quireignore: whole paths, * and ** */
	ARRAY(struct text) excluded;      /* of Obsidian, the same */
	ARRAY(struct pattern *) patterns; /* Obsidian's regular expressions */
	ARRAY(struct text) faults;        /* patterns that cannot be used, and why */
	char *stamp;                      /* of the two files; on the heap */
};

/* A warning that is reported once, to the next caller who may see it. */
struct notice {
	struct text path; /* of the note it is about; absent: for callers who may see all notes */
	struct text sentence;
};

/* A note that another program removed or renamed, and the keys under which links named it. */
struct gone {
	struct text path;
	uint32_t *keys;
	uint32_t n_keys;
};

struct vault {
	pthread_mutex_t catching; /* guards the watcher and the rules; taken before the lock */
	pthread_rwlock_t lock;
	bool is_held_alone; /* by vault_change(); only the lock's holder writes this */
	struct notes_config config;
	struct graph graph;
	struct watch *watch;
	struct ignored ignored;
	struct unfinished unfinished;
	bool is_loaded;
	int64_t walked, walk_ms; /* when every file was last checked, and how long that took; clock_ticks() */
	uint32_t walk;           /* counts walks; see node.walk */

	pthread_mutex_t telling; /* warnings; taken inside the lock */
	bool summary_is_due;
	uint32_t *news; /* notes that another program changed */
	uint32_t n_news, cap_news;
	ARRAY(struct notice) notices;
	ARRAY(struct gone) gone;
	struct arena notice_arena; /* of the last two */

	struct search *search; /* opened and filled by calls that hold the lock alone */
	bool search_is_filled; /* if set, every change is passed on to the engine */

	pthread_mutex_t ranking;
	double *ranks;
	uint64_t ranks_of; /* the generation of the ranks; 0: none */
};

bool vault_open(struct call *c, const void *config, void **state);
void vault_close(void *state);

struct vault *vault_read(struct call *c);   /* NULL: error set */
struct vault *vault_change(struct call *c); /* the same, with the exclusive lock */
void vault_leave(struct vault **v);         /* ignores NULL; sets *v to NULL */

/* For the result of a call that wrote: takes the shared lock without checking files again. It never fails, because a
 * call that wrote must not return an error. */
struct vault *vault_again(struct call *c);

/* A file of our own commit. Passed under the exclusive lock. */
struct written {
	struct text path;
	struct text bytes;                /* the file's new content; absent: read it again, or it is removed */
	const struct document *committed; /* with those bytes; NULL: its stamp is not known */
};
void vault_written(struct call *c, struct vault *v, const struct written *files, size_t n);

bool node_visible(const struct call *c, const struct node *n);
bool path_writable(const struct call *c, struct text path);
bool path_visible(const struct call *c, struct text path);
bool caller_sees_all(const struct call *c);

/* The note that an id means. Callers may write ./ before it, backslashes, no .md, and any case. NODE_NONE: no note that
 * the caller may see. */
uint32_t vault_node(struct call *c, struct vault *v, struct text id);

/* A file of any sort, by its exact path. NODE_NONE: none that the caller may see. */
uint32_t vault_file(struct call *c, struct vault *v, struct text id);
bool is_searched(const struct node *n); /* a note that search, hubs and suggestions show */

/* Is the path ignored by the user's rules, or below node_modules? Called under the exclusive lock. */
bool vault_leaves_out(struct call *c, struct vault *v, struct text path);

/* A note has one id, its path without symbolic links. Fails if the document would be created below a symbolic link. */
bool vault_may_hold(struct call *c, const struct document *d);

/* Is the path a folder with a note that the caller may see? */
bool vault_folder(struct call *c, struct vault *v, struct text path);

bool is_ignored(struct call *c, struct ignored *i, struct text path);
bool is_excluded(struct call *c, struct ignored *i, struct text path);
bool ignored_is_stale(struct call *c, const struct ignored *i); /* did the files of the rules change? */
void ignored_renew(struct call *c, struct ignored *i);          /* reads them again if they did */

#endif
