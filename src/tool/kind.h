/* kind.h: what a kind of document is: tables, and three functions. */
#ifndef QUIRE_TOOL_KIND_H
#define QUIRE_TOOL_KIND_H
#include "tool/reply.h"
#include "tool/tool.h"

struct resource_entry {
	struct text uri, name, title, mime, description;
	size_t size;      /* 0: not said */
	int64_t modified; /* ms; 0: not said */
};

struct resource {
	const char *uri; /* RFC 6570 level 1 template (hnpx:///{+path}), or fixed */
	const char *name, *title, *prose, *mime;
	/* Answers by reply_resource(). `values` are the template's, in order. */
	bool (*read)(struct call *, const struct text *values);
	/* One page of what a template has, in a fixed order, behind `after` (a uri; absent: from the start). NULL:
	 * lists only itself when fixed, nothing when a template. */
	bool (*list)(struct call *, struct text after, size_t most, struct resource_entry **out, size_t *n, bool *more);
	bool (*complete)(struct call *, int value, struct text typed, struct texts *out);
	/* Asked once a second while subscribed: changes when the resource does. NULL: never changes. */
	bool (*revision)(struct call *, const struct text *values, struct text *out);
};

struct prompt {
	const char *name, *title, *prose;
	const struct field *in; /* TEXT rows only */
	size_t in_size;
	bool (*run)(struct call *, const void *in); /* reply_text() and friends: one user message a block */
	bool (*complete)(struct call *, const char *argument, struct text typed, struct texts *out);
};

struct command {
	const char *name, *usage, *prose;
	int (*run)(struct call *, int argc, char **argv); /* quire KIND NAME; prints to stdout; the exit status */
};

/* A refusal of the kind's own: fail_as(c, name, ...). */
struct code {
	const char *name;
	int status; /* of the plain HTTP form; 0: 422 */
	const char *prose;
};

struct kind {
	const char *name, *title, *prose;
	const char *instructions; /* for initialize and discover */
	/* What its documents are called: ".hnpx .xml". A FIELD_PATH row without extensions of its own takes only these,
	 * and so do resources with a path. NULL: the kind has no files, or any. A row `extensions` (TEXT) in the kind's
	 * configuration adds to them. */
	const char *extensions;
	const char *documents;      /* the endings of the files that file_list lists; NULL: `extensions` */
	const struct field *config; /* [kinds.NAME] of the configuration */
	size_t config_size;
	const struct tool *const *tools;  /* NULL-terminated list of tables */
	const struct resource *resources; /* ended by a row without a uri */
	const struct prompt *prompts;
	const struct command *commands;
	const struct format *format; /* how its documents are read, or NULL; pure */
	const char *const *faults;   /* [FAULTS]: the specification's words for the core's refusals */
	const struct code *codes;    /* the kind's own (fail_as), ended by a row without a name */
	void (*error)(struct json_out *, const struct kind *,
		      const struct error *);    /* the shape the specification fixes */
	size_t document_max;                    /* bytes of one document, before reading; 0: the workspace's */
	int requests_a_minute, writes_a_minute; /* defaults over HTTP; 0: no limit */
	bool logs;                              /* the fixture's: advertise logging */
	bool lists_change;                      /* may call reply_list_changed() or announce() */
	bool no_files;                          /* its documents are no files: file_* tools are not offered for it */
	/* One sentence for `quire doctor` about what works less well with these settings; NULL: nothing. */
	const char *(*advice)(const void *config);
	/* Runs at the kind's first allowed call, not at start; calls of other kinds do not wait for it. After a failure
	 * the next call tries again. */
	bool (*open)(struct call *, const void *config, void **state);
	void (*close)(void *state);
	/* Called for a write that the guard refused (grants, limits), for one request too many and, without tool and
	 * arguments, for requests that were refused before their body was read; for the kind's own audit trail. May be
	 * NULL. The error is in the call and must stay. */
	void (*refused)(struct call *, const struct tool *, const struct json *arguments);
};

/* The extensions with those that the kind's configuration adds; NULL: any. */
const char *kind_extensions(struct arena *a, const struct kind *k, const void *config);
/* The code an error has in this kind: its own, or the kind's name for the fault, or the core's. The kind may be NULL.
 */
const char *kind_code(const struct kind *k, const struct error *e);
/* The error in the kind's format; without a function of its own {"error":{"code","message", and what else is known}}.
 */
void kind_error(struct json_out *o, const struct kind *k, const struct error *e);
int kind_status(const struct kind *k, const struct error *e);         /* the HTTP status of the plain form */
int fault_status(enum fault f);                                       /* the same for a fault of the core's */
const char *fault_name(enum fault f);                                 /* the core's word for it: "NOT_FOUND" */
const char *fault_prose(enum fault f);                                /* what it means, for docs/errors.md */
const struct tool *kind_tool(const struct kind *k, struct text name); /* by its own name or an alias; NULL: none */

/* Generated pages: docs/tools/KIND.md, docs/errors.md, docs/config.md; and one tool as listed, for test/snapshots. */
void kind_doc(struct buffer *to, const struct kind *k);
void files_doc(struct buffer *to); /* docs/tools/file.md: the core's own tools, and what it adds to all others */
void errors_doc(struct buffer *to, const struct kind *const *list);
/* `tables`: sections that are not a kind's, ended by one without a name. */
struct config_section {
	const char *name;
	const char *prose;
	const struct field *fields;
};
void config_doc(struct buffer *to, const struct config_section *sections, const struct kind *const *list);
void kind_snapshot(struct buffer *to, const struct kind *k, const struct tool *t);

/* Every kind served, NULL-terminated: kinds/kinds.c. */
extern const struct kind *const kinds[];

/* The core's own tools (file_list, file_history, file_undo and others), served with every kind that has files. */
extern const struct tool file_tools[];

#endif
