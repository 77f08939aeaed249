/* call.h: what one request carries down through every layer.
 *
 * It lives in base, so that work, store and the kinds can allocate, fail and notice cancellation without knowing tools
 * or MCP. A handler is a function of its arguments and of what it reads through the call. It may be run again from the
 * top (the user answered a question, a database asked for a retry), so it keeps no state between runs and makes changes
 * only through work_commit() or a store transaction, which come last. */
#ifndef QUIRE_BASE_CALL_H
#define QUIRE_BASE_CALL_H
#include "base/arena.h"
#include "base/array.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct reply;
struct work;
struct work_call;

struct caller {
	struct text name; /* key name, --user, or the client's name: for history and audit */
	/* May this caller touch the document (path relative to its root)? NULL: everything. */
	bool (*may)(const struct caller *, struct text document, bool to_write);
	const void *grants; /* private to the code that set `may` */
};

/* What a dry run would do to one file: work fills it in, tool/ encodes it by its table. */
enum planned_action { PLANNED_CREATE, PLANNED_EDIT, PLANNED_MOVE, PLANNED_DELETE };
struct planned {
	struct text path, to, diff; /* `to`: the new name, of a move */
	int action;
};

/* The files of a kind, for a tool that is about files of every kind. */
struct document_kind {
	const char *name, *endings; /* ".md .markdown" */
};

struct call {
	struct arena *arena;
	struct error error;
	const struct caller *caller;
	struct reply *reply;          /* blocks, warnings, questions: tool/reply.h */
	struct work *work;            /* the roots: work/work.h */
	struct work_call *held;       /* documents and locks of this call; work's own, ended by work_release() */
	void *state;                  /* the kind's, from its open() */
	const char *tool;             /* the tool's name, for history */
	struct text if_revision;      /* the caller's condition for the write, or absent */
	bool is_unbounded;            /* no message of the protocol carries the answer: it may be of any size */
	bool dry_run;                 /* plan the write and return the plan; change nothing */
	const char *extensions;       /* of the kind's documents: ".md .markdown"; NULL: any (tool/kind.h) */
	bool own_names;               /* the path comes from the kind, not the caller: it may be hidden */
	size_t document_max;          /* bytes of one document, checked before reading; 0: the workspace's own limit */
	int64_t deadline;             /* clock_ticks() ms, 0: none */
	const atomic_bool *cancelled; /* NULL: never */
	bool again;                   /* a store: run the handler again from the top, it may succeed (tool/again.h) */
	ARRAY(struct text) touched;   /* documents it asked for, below their roots, granted or not; work's: for logs */
	/* The kinds served here that have files, ended by one without a name. NULL: there is none. */
	const struct document_kind *kinds;

	/* The names of tools in prose as the client knows them. NULL: as written. */
	const char *(*served)(struct call *, const char *prose);

	/* Reports the progress of a long call to the client. NULL: no listener. */
	void (*progress)(struct call *, double done, double total, const char *message);

	/* Members of the result that the core adds: */
	ARRAY(struct text) warnings;
	struct text revision;          /* of the first document read or written; work sets it, a handler may */
	ARRAY(struct planned) planned; /* a dry run: what would change; work sets it */
};

/* Prose for the client, as by text_format(). Served beside other kinds a tool has another name, so what the format
 * names is renamed: list_nodes, and `search` in backticks, since that may be a word. What is put into the format is
 * not. The functions below do the same. */
struct text said(struct call *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct text prose(struct call *c, const char *words); /* the same without a format */
struct text vsaid(struct call *c, const char *format, va_list ap) __attribute__((format(printf, 2, 0)));

/* Each sets the call's error and returns false, so a check takes one line: return fail(c, ...). */
bool fail(struct call *c, enum fault f, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool fail_as(struct call *c, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds a warning: the call succeeded, but the caller should know this. */
void warn(struct call *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A caller's words for a message: at most 80 bytes, cut between characters, control characters shown as escapes. */
const char *shown(struct call *c, struct text t);
const char *shown_to(struct call *c, struct text t, size_t max); /* the same, with another length */

/* progress() for layers below tool/reply.h; does nothing without a listener. */
void call_progress(struct call *c, double done, double total, const char *message);

/* Sets the error of a call that was ended by its limits; false. */
bool fail_ended(struct call *c, enum budget_end why);

/* False, with the error set, once the call is cancelled, out of time or beyond its memory. Loops over documents call it
 * now and then. */
bool goes_on(struct call *c);

#endif
