/* kind.h: the definition of a kind of document: tables, and a few functions. */
#ifndef QUIRE_TOOL_KIND_H
#define QUIRE_TOOL_KIND_H
#include "tool/error_form.h"
#include "tool/reply.h"
#include "tool/tool.h"

struct resource_entry {
	struct text uri, name, title, mime, description;
	size_t size;      /* 0: unknown */
	int64_t modified; /* ms since 1970; 0: unknown */
};

struct resource {
	const char *uri; /* RFC 6570 level 1 template (hnpx:///{+path}), or fixed */
	const char *name, *title, *prose, *mime;
	/* Returns the resource by reply_resource(). `values` are the template's, in order. */
	bool (*read)(struct call *, const struct text *values);
	/* Lists one page of the template's resources, in a fixed order, after `after` (a uri; absent: from the start).
	 * NULL: a fixed uri lists itself, a template lists nothing. */
	bool (*list)(struct call *, struct text after, size_t most, struct resource_entry **out, size_t *n, bool *more);
	bool (*complete)(struct call *, int value, struct text typed, struct texts *out);
	/* Called once a second while subscribed: returns a text that changes with the resource. NULL: it never
	 * changes. */
	bool (*revision)(struct call *, const struct text *values, struct text *out);
};

struct prompt {
	const char *name, *title, *prose;
	const struct field *in; /* TEXT rows only */
	size_t in_size;
	/* reply_text() and related functions: each block becomes one user message */
	bool (*run)(struct call *, const void *in);
	bool (*complete)(struct call *, const char *argument, struct text typed, struct texts *out);
};

struct command {
	const char *name, *usage, *prose;
	/* quire KIND NAME; prints to stdout, returns the exit status */
	int (*run)(struct call *, int argc, char **argv);
};

/* One of the kind's own error codes: fail_as(c, name, ...). */
struct code {
	const char *name;
	int status; /* HTTP status in the plain form; 0: 422 */
	const char *prose;
};

struct kind {
	const char *name, *title, *prose;
	const char *instructions; /* for initialize and discover */
	/* File name endings of its documents: ".hnpx .xml". Resources with a path, and FIELD_PATH rows without
	 * extensions of their own, accept only these. NULL: the kind has no files, or accepts any. A row `extensions`
	 * (TEXT) in the kind's configuration adds more. */
	const char *extensions;
	const char *documents;      /* the endings of the files that file_list lists; NULL: `extensions` */
	const char *creates;        /* the tool that creates the first document; NULL: none */
	const struct field *config; /* [kinds.NAME] of the configuration */
	size_t config_size;
	const struct tool *const *tools;  /* NULL-terminated list of tables */
	const struct resource *resources; /* ends with a row without a uri */
	const struct prompt *prompts;
	const struct command *commands;
	const struct format *format;    /* how its documents are parsed, or NULL; has no side effects */
	const char *const *faults;      /* [FAULTS]: the specification's codes for the core's errors */
	const struct code *codes;       /* the kind's own codes (fail_as); ends with a row without a name */
	const struct error_form *error; /* how the specification writes errors; NULL: as the core does */
	/* Largest document in bytes, checked before reading; 0: the workspace's limit. */
	size_t document_max;
	int requests_a_minute, writes_a_minute; /* defaults over HTTP; 0: no limit */
	bool logs;                              /* for the conformance fixture: advertise logging */
	bool lists_change;                      /* may call reply_list_changed() or announce() */
	bool no_files;                          /* its documents are not files: file_* tools are not offered for it */
	/* For no_files: are there documents, or is a store for them configured? NULL: nobody knows, so yes. */
	bool (*has_documents)(struct call *, const void *config);
	/* One sentence for `quire doctor` about settings that limit the kind; NULL: nothing to say. */
	const char *(*advice)(const void *config);
	/* Runs at the kind's first allowed call, not at start. Calls of other kinds do not wait for it. After a failure
	 * the next call retries. */
	bool (*open)(struct call *, const void *config, void **state);
	void (*close)(void *state);
	/* For the kind's own audit trail: called for a write that the guard refused (grants, limits), for a request
	 * over the rate limit, and, without tool and arguments, for a request that was refused before its body was
	 * read. May be NULL. The error is in the call and must not change. */
	void (*refused)(struct call *, const struct tool *, const struct json *arguments);
};

/* The kind's extensions, with those from its configuration; NULL: any. */
const char *kind_extensions(struct arena *a, const struct kind *k, const void *config);
/* The code of an error in this kind: the kind's own code, the kind's code for the fault, or the core's code. The kind
 * may be NULL. */
const char *kind_code(const struct kind *k, const struct error *e);
int kind_status(const struct kind *k, const struct error *e);         /* the HTTP status in the plain form */
int fault_status(enum fault f);                                       /* the same for one of the core's faults */
const char *fault_name(enum fault f);                                 /* the core's code: "NOT_FOUND" */
const char *fault_prose(enum fault f);                                /* what it means, for docs/errors.md */
const struct tool *kind_tool(const struct kind *k, struct text name); /* by its own name or an alias; NULL: none */

/* Generated pages: docs/tools/KIND.md, docs/errors.md, docs/config.md; and one tool as listed, for test/snapshots. */
void kind_doc(struct buffer *to, const struct kind *k);
void files_doc(struct buffer *to); /* docs/tools/file.md: the core's own tools, and the members it adds to all others */
void errors_doc(struct buffer *to, const struct kind *const *list);
/* `tables`: sections that belong to no kind; the list ends with one without a name. */
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
