/* call.h: the data of one request, passed down through every layer.
 *
 * It is in base so that work, store and the kinds can allocate, fail and notice cancellation without knowing tools or
 * MCP. A handler depends only on its arguments and on what it reads through the call. It may be run again from the top
 * (the user answered a question, a database requires a retry). So it keeps no state between runs, and changes things
 * only through work_commit() or a store transaction, as its last step. */
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
	/* May this caller use the document (path relative to its root)? NULL: it may use every document. */
	bool (*may)(const struct caller *, struct text document, bool to_write);
	const void *grants; /* private to the code that set `may` */
};

/* What a dry run would do to one file: work fills it in, tool/ encodes it by its table. */
enum planned_action { PLANNED_CREATE, PLANNED_EDIT, PLANNED_MOVE, PLANNED_DELETE };
struct planned {
	struct text path, to, diff; /* `to`: the new name, if it is a move */
	struct text lines;          /* "+3 -1": lines added and removed; tool/ counts them */
	int action;
};

/* The files of one kind, for tools that work on files of every kind. */
struct document_kind {
	const char *name, *endings; /* ".md .markdown" */
	const char *creates;        /* the tool that creates the first, as the client calls it; NULL: none */
};

struct call {
	struct arena *arena;
	struct error error;
	const struct caller *caller;
	struct reply *reply;     /* blocks, warnings, questions: tool/reply.h */
	struct work *work;       /* the roots: work/work.h */
	struct work_call *held;  /* documents and locks of this call; private to work, freed by work_release() */
	void *state;             /* the kind's state, from its open() */
	const char *tool;        /* the tool's name, for history */
	struct text if_revision; /* the revision that the caller requires, or absent */
	bool dry_run;            /* plan the write and return the plan; change nothing */
	/* File name endings of the kind's documents: ".md .markdown"; NULL: any (tool/kind.h). */
	const char *extensions;
	bool own_names; /* the path comes from the kind, not the caller: it may be hidden */
	/* Largest document in bytes, checked before reading; 0: the workspace's own limit. */
	size_t document_max;
	int64_t deadline;             /* clock_ticks() ms, 0: none */
	const atomic_bool *cancelled; /* NULL: never */
	/* Set by a store: a second run of the handler from the top may succeed (tool/again.h). */
	bool again;
	/* Documents that were requested, relative to their roots, granted or not; set by work, for logs. */
	ARRAY(struct text) touched;
	/* The kinds served here that have files. The list ends with an entry without a name. NULL: no kind has
	 * files. */
	const struct document_kind *kinds;

	/* Replaces the names of tools in prose by the names that the client knows. NULL: no change. */
	const char *(*served)(struct call *, const char *prose);

	/* Reports the progress of a long call to the client. NULL: no listener. */
	void (*progress)(struct call *, double done, double total, const char *message);

	/* Members of the result that the core adds: */
	ARRAY(struct text) warnings;
	struct text revision;          /* of the first document read or written; set by work, or by a handler */
	ARRAY(struct planned) planned; /* of a dry run: the changes it would make; set by work */
};

/* Prose for the client, formatted like text_format(). A tool has another name when several kinds are served. So tool
 * names in the format are replaced: find_nodes as a bare word, `search` only in backticks, since it may be an ordinary
 * word. Values put into the format stay as they are. The functions below do the same. */
struct text said(struct call *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct text prose(struct call *c, const char *words); /* the same without a format */
struct text vsaid(struct call *c, const char *format, va_list ap) __attribute__((format(printf, 2, 0)));

/* Each sets the call's error and returns false, so a check takes one line:
 *
 * 	return fail(c, FAULT_NOT_FOUND, "there is no note %s; find_nodes lists the notes", shown(c, path));
 *
 * The first "; " of the format divides the message from the hint. A "; " in a value does not. */
bool fail(struct call *c, enum fault f, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool fail_as(struct call *c, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool vfail_as(struct call *c, const char *code, const char *format, va_list ap) __attribute__((format(printf, 3, 0)));

/* Adds a warning: the call succeeded, but the caller should know this. */
void warn(struct call *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A caller's words for a message: at most 80 bytes, cut between characters, control characters shown as escapes. */
const char *shown(struct call *c, struct text t);
const char *shown_to(struct call *c, struct text t, size_t max); /* the same, with another length */

/* progress() for layers below tool/reply.h; does nothing without a listener. */
void call_progress(struct call *c, double done, double total, const char *message);

/* Sets the error of a call that was ended by its limits; returns false. */
bool fail_ended(struct call *c, enum budget_end why);

/* False, with the error set, once the call is cancelled, out of time or beyond its memory. Loops over documents call it
 * regularly. */
bool goes_on(struct call *c);

#endif
