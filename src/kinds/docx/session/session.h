/* session.h: work on one document over many calls.
 *
 * A session begins with the first call on a file and lives in memory; nothing is written for reading. The first edit
 * makes a draft (work/draft.h) of the session's id: the base document's revision and the list of edit requests, each
 * durable before its answer. Any process re-opens the session by replaying the requests on the same bytes. Undo takes
 * the newest request back by the journal, redo applies it again. When another program changes the file, the requests
 * are tried on the new bytes. If each one changes the same paragraphs as before, the session moves to the new version
 * (move.c).
 *
 * A reading tool:
 *
 *	struct session *s scoped(session_leave) = NULL;
 *	if (!session_enter(c, &args->target, &s, &answer->session)) return false;
 *	... s->body, session_story(...) ...
 *
 * An editing tool's handler is one line, session_edit(c, &edit, in, out), where
 *
 *	static bool apply(struct call *c, struct session *s, const void *in, void *out);
 *	const struct edit smart_edit = EDIT("smart_edit", struct edit_args, edit_in, struct edit_answer, apply);
 *
 * and a row in edits.c registers it for replaying. apply() changes the session only by story_replace(), story_insert(),
 * story_delete() and journal_lay(). If it fails, its changes are undone. It must be deterministic: times come from
 * s->now, new ids from session_mint(). `out` is never NULL. */
#ifndef QUIRE_KINDS_DOCX_SESSION_SESSION_H
#define QUIRE_KINDS_DOCX_SESSION_SESSION_H
#include "kinds/docx/story/story.h"
#include "tool/field.h"
#include "work/work.h"

#include <pthread.h>

struct numbering;
struct view;
struct docx_state;
struct made;

/* The arguments that name the document in every tool: the first member of its struct, the first rows of its table. */
struct target {
	struct text file_path, session_id;
};
#define TARGET_FIELDS(S)                                                                                               \
	FIELD_AS("file_path", S, target.file_path, TEXT, FIELD_PATH | FIELD_TERSE, "Path of the .docx",                \
		 .more = RARE{.extensions = ""}), /* find_by_path() sets the error code for other names */             \
		FIELD_AS("session_id", S, target.session_id, TEXT, FIELD_TERSE,                                        \
			 "Session from an earlier result; wins over file_path")

/* The facts about the session in every result: a member `session` of the result's struct. */
struct session_facts {
	struct text session_id, session_resolution, resolved_session_id, resolved_file_path, warning;
};
#define SESSION_FIELDS(S)                                                                                              \
	FIELD_AS("session_id", S, session.session_id, TEXT, FIELD_TERSE,                                               \
		 "Pass it with the next call; absent: it is the one you passed"),                                      \
		FIELD_AS("session_resolution", S, session.session_resolution, TEXT, FIELD_UNLISTED,                    \
			 "explicit_session, reused_existing_session or opened_new_session"),                           \
		FIELD_AS("resolved_session_id", S, session.resolved_session_id, TEXT, FIELD_UNLISTED,                  \
			 "The same session"),                                                                          \
		FIELD_AS("resolved_file_path", S, session.resolved_file_path, TEXT, FIELD_UNLISTED, "The document"),   \
		FIELD_AS("warning", S, session.warning, TEXT, FIELD_UNLISTED, "Edits that the reused session has")

enum { SESSION_ID_LEN = 16 };

struct session {
	char id[SESSION_ID_LEN + 1]; /* ses_ and 12 letters or digits */
	/* The loaded document, all in `arena`, which is freed if the session is not used for long. */
	struct arena arena;
	struct package *package; /* NULL: not loaded */
	struct styles *styles;
	struct numbering *numbering;
	const char *numbering_of; /* the bytes it was read from; NULL: there is no such part */
	struct story *body;
	struct story **stories; /* the other stories, loaded on first use */
	size_t stories_n;
	bool has_all_stories;
	struct journal journal;
	struct view *view;       /* kept results of reading: style names, base look; read/view.h */
	int64_t now;             /* ms; the time of the current request */
	uint32_t minted;         /* number of new ids in this request */
	size_t mark, requests_n; /* number of applied requests, and of all stored requests */
	int64_t draft_changed;   /* state of the loaded draft; 0: no draft */
	/* The results of the last save, clean and tracked. They are reused if nothing has changed (save.c). */
	struct arena made_arena[2];
	const struct made *made[2];

	/* Guarded by the state's lock, or never changed. */
	struct text key, path;
	struct revision revision;
	struct revision first; /* the first base; differs from `revision` after a move to a changed file (move.c) */
	struct revision saved; /* what save made of the opened file; "": it was not replaced */
	int64_t created, used; /* ms since 1970 */
	int64_t used_ticks;
	unsigned users; /* calls that use it or wait for it */
	bool is_expired, is_cleared;
	bool has_draft; /* when it was last left */
	/* The last failed attempt to move it: the new revision, the state of the draft, and the reason. */
	struct revision tried;
	int64_t tried_changed;
	char clash[200];
	pthread_mutex_t mutex;
	struct session *next;
	struct docx_state *state;
};

/* Sets the call's memory limit from the size of its main parts. */
void session_memory(size_t main_bytes);
bool session_enter(struct call *c, const struct target *t, struct session **out, struct session_facts *facts);
void session_leave(struct session **s);

/* Reads the numbering part again if an edit or an undo changed it. */
bool session_numbering(struct call *c, struct session *s);

/* The other stories, loaded on first use. */
bool session_stories(struct call *c, struct session *s); /* loads them all, in the order of their relationships */
/* Finds the story and paragraph of that name. Label paths such as "Section 1.2(c)" work too. Fails with
 * ANCHOR_NOT_FOUND and the nearest name. */
bool session_anchor(struct call *c, struct session *s, struct text name, struct story **story, uint32_t *paragraph);
/* A label as a path: "Section 1.2 (c)." is 1.2(c). */
struct text label_path(struct arena *a, struct text label);
/* Calls `each` with the path of every paragraph of the body that has a label, automatic or typed, in order. The path is
 * valid only during that call. */
void session_labels(struct call *c, struct session *s, void (*each)(void *to, struct text path, uint32_t p), void *to);
/* A fresh w14:paraId (8 upper-case hexadecimal digits), unused in the document; the same at each replay. */
struct text session_mint(struct call *c, struct session *s);

/* Edits. */

struct edit {
	const char *name; /* the tool's name, stored in the draft */
	const struct field *in;
	size_t in_size, out_size;
	bool (*apply)(struct call *c, struct session *s, const void *in, void *out);
};
#define EDIT(NAME, IN, IN_TABLE, OUT, APPLY)                                                                           \
	{                                                                                                              \
		.name = (NAME), .in = (IN_TABLE), .in_size = sizeof(IN), .out_size = sizeof(OUT), .apply = (APPLY)     \
	}
extern const struct edit *const docx_edits[]; /* NULL-terminated: edits.c */

/* Facts about the session after the edit: a member `edit` of the result's struct. */
struct edit_facts {
	int64_t edit_count, edit_revision;
};
#define EDIT_FIELDS(S)                                                                                                 \
	FIELD_AS("edit_count", S, edit.edit_count, INT, FIELD_TERSE, "Edits in force"),                                \
		FIELD_AS("edit_revision", S, edit.edit_revision, INT, FIELD_UNLISTED, "The same")

/* Runs an edit: enters the session, applies the edit, records it in the draft. A dry run is undone. `in` begins with a
 * struct target. */
bool session_edit(struct call *c, const struct edit *e, const void *in, void *out, struct session_facts *facts,
		  struct edit_facts *edits);
/* Moves the mark by `steps` (negative: undo). *names are the tools whose requests were undone or redone. */
bool session_move(struct call *c, struct session *s, int64_t steps, struct texts *names);

/* Saving. */

/* The splices that turn the base archive into the current one; n = 0: nothing changed. `writer` is NULL, or returns
 * other bytes for changed paragraphs (story_splices_by). */
struct splice *session_archive(struct call *c, struct session *s, size_t *n, const struct story_writer *writer);

/* The same with the ids of the body's paragraphs as bookmarks. */
struct splice *session_archive_marked(struct call *c, struct session *s, size_t *n);

/* Does the file have the content with which the session began, or that of the session's own save? */
bool session_made(const struct session *s, const struct document *d);
/* The session's draft, for the commit that saves it over the opened file (struct change). False: it has none. */
struct draft;
bool session_draft(const struct session *s, struct draft *out);
/* A save gave the opened file this revision. */
void session_saved(struct session *s, struct text revision);

/* The kind's state. */

struct docx_config {
	int64_t max_entries, max_entry_bytes, max_total_bytes, max_ratio;
};
struct docx_state {
	pthread_mutex_t mutex;
	struct session *sessions; /* most recently used first */
	struct zip_limits limits;
};
bool docx_open(struct call *c, const void *config, void **state);
void docx_close(void *state);
extern const struct field docx_config_fields[];

/* Ends sessions by id, by path, or all. *ids are their ids. */
bool session_clear(struct call *c, const struct target *t, bool all, struct texts *ids);

#endif
