/* file_tools.c: the tools for the history of files, shared by all kinds: file_history, file_diff, file_show,
 * file_restore, file_undo.
 *
 * They work on any path below the roots, with any file contents. */
#include "tool/file_tools.h"
#include "tool/file_list.h"
#include "tool/kind.h"

#include "base/clock.h"
#include "base/utf8.h"

struct history_args {
	struct text file_path;
	int64_t limit;
	struct maybe_int before;
};

static const struct field history_in[] = {
	FIELD(struct history_args, file_path, TEXT, FIELD_PATH, "Path of the file, deleted or not. Default: all files",
	      .more = RARE{.extensions = ""}),
	FIELD(struct history_args, limit, INT, 0, "Maximum number of commits", .limits = BETWEEN(1, 200),
	      .otherwise = "20"),
	FIELD(struct history_args, before, MAYBE_INT, 0, "Return older commits only: pass next of the previous result",
	      .limits = AT_LEAST(1)),
	FIELDS_END,
};

struct commit_row {
	int64_t commit;
	struct text time, path, who, tool, summary, before, after;
	bool is_undo, is_undone, is_outside, can_undo;
	int64_t files, bytes_added, bytes_removed;
};

static const struct field commit_out[] = {
	FIELD(struct commit_row, commit, INT, FIELD_REQUIRED, "Number of the commit"),
	FIELD(struct commit_row, time, TEXT, FIELD_REQUIRED, "UTC"),
	FIELD(struct commit_row, path, TEXT, 0, "A file it changed; only for all files"),
	FIELD(struct commit_row, who, TEXT, 0, "Who wrote"),
	FIELD(struct commit_row, tool, TEXT, 0, "Tool that wrote"),
	FIELD(struct commit_row, summary, TEXT, FIELD_REQUIRED, "What changed"),
	FIELD(struct commit_row, before, TEXT, FIELD_NULLABLE | FIELD_REQUIRED,
	      "Revision before; null: none, or no longer kept"),
	FIELD(struct commit_row, after, TEXT, FIELD_NULLABLE | FIELD_REQUIRED, "Revision after; null: deleted"),
	FIELD(struct commit_row, is_undo, FLAG, FIELD_REQUIRED, "It undoes another commit"),
	FIELD(struct commit_row, is_undone, FLAG, FIELD_REQUIRED, "Another commit undid it"),
	FIELD(struct commit_row, is_outside, FLAG, FIELD_REQUIRED, "Another program did it"),
	FIELD(struct commit_row, can_undo, FLAG, FIELD_REQUIRED,
	      "file_undo of it would succeed now; false if not tried (large file)"),
	FIELD(struct commit_row, files, INT, FIELD_REQUIRED, "Files it changed, undone together"),
	FIELD(struct commit_row, bytes_added, INT, FIELD_REQUIRED, "In this file"),
	FIELD(struct commit_row, bytes_removed, INT, FIELD_REQUIRED, "In this file"),
	FIELDS_END,
};
static const struct shape commit_shape = SHAPE(struct commit_row, "commit", commit_out);

const struct field history_out[] = {
	FIELD(struct history_answer, commits, OBJECTS, FIELD_REQUIRED, "Newest first", .shape = &commit_shape),
	FIELD(struct history_answer, next, MAYBE_INT, 0, "There are older commits: pass this as before"),
	FIELDS_END,
};

struct objects commit_rows(struct call *c, const struct history_entry *entries, size_t n)
{
	struct commit_row *rows = arena_array(c->arena, n ? n : 1, sizeof *rows);

	for (size_t i = 0; i < n; i++) {
		const struct history_entry *e = &entries[i];
		rows[i] = (struct commit_row){
			.commit = e->id,
			.time = clock_iso(c->arena, e->time),
			.who = e->who.len ? e->who : (struct text){0},
			.tool = e->tool.len ? e->tool : (struct text){0},
			.summary = e->summary.at ? e->summary : TEXT(""),
			.before = e->before,
			.after = e->after,
			.is_undo = e->is_undo,
			.is_undone = e->is_undone,
			.is_outside = e->is_outside,
			.can_undo = e->can_undo,
			.files = (int64_t)e->documents,
			.bytes_added = (int64_t)e->bytes_added,
			.bytes_removed = (int64_t)e->bytes_removed,
		};
	}
	return (struct objects){rows, n};
}

static bool file_history(struct call *c, const void *in, void *out)
{
	const struct history_args *args = in;
	struct history_answer *answer = out;
	struct history_entry *entries;
	size_t n;
	bool more;

	if (!history_list(c, args->file_path, args->before.there ? args->before.value : 0, (size_t)args->limit,
			  &entries, &n, &more))
		return false;
	answer->commits = commit_rows(c, entries, n);
	for (size_t i = 0; i < n && !args->file_path.len; i++)
		((struct commit_row *)answer->commits.items)[i].path = entries[i].path;
	answer->commits.n = fields_fit(&commit_shape, answer->commits.items, n, answer_room(c));
	if (more || answer->commits.n < n)
		answer->next = (struct maybe_int){entries[answer->commits.n - 1].id, true};
	return true;
}

/* Replies with one page from `offset` on, cut at a line end if possible, and says how to get the rest. */
static bool reply_page(struct call *c, struct text whole, struct maybe_int offset, const char *noun)
{
	size_t from = offset.there ? (size_t)offset.value : 0;

	if (from > whole.len)
		return fail(c, FAULT_ARGUMENT, "offset %zu is after the end of the %s, which has %zu bytes", from, noun,
			    whole.len);
	struct text rest = text_slice(whole, from, whole.len);
	size_t len = rest.len;
	size_t room = answer_room(c);
	if (len > room) {
		len = utf8_cut(rest, room);
		for (size_t i = len; i > room / 2; i--)
			if (rest.at[i - 1] == '\n') {
				len = i;
				break;
			}
	}
	reply_text(c, text_slice(rest, 0, len));
	if (from || len < rest.len)
		reply_text(c, len < rest.len ? text_format(c->arena,
							   "Bytes %zu to %zu of %zu. For the rest call again with "
							   "offset %zu.\n",
							   from, from + len, whole.len, from + len)
					     : text_format(c->arena, "Bytes %zu to %zu of %zu: the end.\n", from,
							   from + len, whole.len));
	return true;
}

struct diff_args {
	struct text file_path, from, to;
	struct maybe_int offset;
};

static const struct field diff_in[] = {
	FIELD(struct diff_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH | FIELD_TERSE, "Path of the file",
	      .more = RARE{.extensions = ""}),
	FIELD(struct diff_args, from, TEXT, 0, "Revision or commit number. Default: before the newest commit",
	      .limits = AT_MOST(32)),
	FIELD(struct diff_args, to, TEXT, 0, "Revision or commit number. Default: the file as it is",
	      .limits = AT_MOST(32)),
	FIELD(struct diff_args, offset, MAYBE_INT, 0, "Bytes of the diff to skip", .limits = AT_LEAST(0)),
	FIELDS_END,
};

static bool file_diff(struct call *c, const void *in, void *out)
{
	const struct diff_args *args = in;
	struct text diff;

	(void)out;
	if (!history_diff(c, args->file_path, args->from, args->to, &diff))
		return false;
	return reply_page(c, diff.len ? diff : TEXT("There is no difference.\n"), args->offset, "diff");
}

struct moment_args {
	struct text file_path, revision;
	struct maybe_int commit, offset;
};

static const struct field show_in[] = {
	FIELD(struct moment_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH | FIELD_TERSE,
	      "Path of the file, deleted or not", .more = RARE{.extensions = ""}),
	FIELD(struct moment_args, revision, TEXT, 0, "Revision from file_history", .limits = AT_MOST(32)),
	FIELD(struct moment_args, commit, MAYBE_INT, 0, "Or a commit number: the file as that commit left it",
	      .limits = AT_LEAST(1)),
	FIELD(struct moment_args, offset, MAYBE_INT, 0, "Bytes to skip", .limits = AT_LEAST(0)),
	FIELDS_END,
};

static const struct field restore_in[] = {
	FIELD(struct moment_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH | FIELD_TERSE,
	      "Path of the file, deleted or not", .more = RARE{.extensions = ""}),
	FIELD(struct moment_args, revision, TEXT, 0, "Revision from file_history", .limits = AT_MOST(32)),
	FIELD(struct moment_args, commit, MAYBE_INT, 0, "Or a commit number: the file as that commit left it",
	      .limits = AT_LEAST(1)),
	FIELDS_END,
};

/* The word that names a state in the history: a revision or a commit. False: both are given, or none. */
static bool moment_of(struct call *c, const struct moment_args *args, struct text *word)
{
	if (args->revision.len && args->commit.there)
		return fail(c, FAULT_ARGUMENT, "give revision or commit, not both");
	if (!args->revision.len && !args->commit.there)
		return fail(c, FAULT_MISSING, "give revision or commit; file_history lists both");
	*word = args->commit.there ? text_format(c->arena, "%lld", (long long)args->commit.value) : args->revision;
	return true;
}

static bool file_show(struct call *c, const void *in, void *out)
{
	const struct moment_args *args = in;
	struct text word, bytes, revision;

	(void)out;
	if (!moment_of(c, args, &word) || !history_bytes(c, args->file_path, word, &bytes, &revision))
		return false;
	if (text_has_nul(bytes) || utf8_bad(bytes) < bytes.len) {
		reply_text(c, text_format(c->arena,
					  "Revision %.*s is %zu bytes and not text. file_restore brings it back.\n",
					  TEXT_ARGS(revision), bytes.len));
		return true;
	}
	return reply_page(c, bytes, args->offset, "file");
}

struct restore_answer {
	struct text restored;
	int64_t size;
	bool changed;
};

static const struct field restore_out[] = {
	FIELD(struct restore_answer, restored, TEXT, FIELD_REQUIRED, "Revision of the file now"),
	FIELD(struct restore_answer, size, INT, FIELD_REQUIRED, "Bytes"),
	FIELD(struct restore_answer, changed, FLAG, FIELD_REQUIRED, "False: the file had these bytes already"),
	FIELDS_END,
};

static bool file_restore(struct call *c, const void *in, void *out)
{
	const struct moment_args *args = in;
	struct restore_answer *answer = out;
	struct restored restored;
	struct text word;

	if (!moment_of(c, args, &word) || !history_restore(c, args->file_path, word, &restored))
		return false;
	*answer = (struct restore_answer){restored.revision, (int64_t)restored.size, restored.changed};
	return true;
}

struct undo_args {
	struct text file_path;
	struct maybe_int commit;
	bool redo;
};

static const struct field undo_in[] = {
	FIELD(struct undo_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH | FIELD_TERSE,
	      "Path of the file, deleted or not", .more = RARE{.extensions = ""}),
	FIELD(struct undo_args, commit, MAYBE_INT, 0, "Commit number. Default: the newest that is not undone",
	      .limits = AT_LEAST(1)),
	FIELD(struct undo_args, redo, FLAG, 0, "Undo the newest undo instead", .otherwise = "false"),
	FIELDS_END,
};

enum { FILES_SHOWN = 10 };

struct undo_answer {
	int64_t commit;
	struct text summary;
	struct texts files;
	struct maybe_int count;
	struct text revision;
};

static const struct field undo_out[] = {
	FIELD(struct undo_answer, commit, INT, FIELD_REQUIRED, "The commit that was undone"),
	FIELD(struct undo_answer, summary, TEXT, FIELD_REQUIRED, "What that commit changed"),
	FIELD(struct undo_answer, files, TEXTS, FIELD_REQUIRED, "The files that changed, the first ten"),
	FIELD_AS("fileCount", struct undo_answer, count, MAYBE_INT, 0, "How many changed, when there are more"),
	FIELD(struct undo_answer, revision, TEXT, FIELD_NULLABLE, "Revision of the file now; null: it is gone"),
	FIELDS_END,
};

static bool file_undo(struct call *c, const void *in, void *out)
{
	const struct undo_args *args = in;
	struct undo_answer *answer = out;
	struct undone undone = {0};

	if (args->redo && args->commit.there)
		return fail(c, FAULT_ARGUMENT, "redo undoes the newest undo and cannot be used with commit");
	if (!history_undo(c, args->file_path, args->commit.there ? args->commit.value : 0, args->redo, &undone))
		return false;
	*answer = (struct undo_answer){
		.commit = undone.id,
		.summary = undone.summary.at ? undone.summary : TEXT(""),
		.files = undone.paths,
		.revision = undone.revision,
	};
	if (undone.paths.n > FILES_SHOWN) {
		answer->files.n = FILES_SHOWN;
		answer->count = (struct maybe_int){(int64_t)undone.paths.n, true};
	}
	return true;
}

const struct tool file_tools[] = {
	TOOL("file_list", "List the documents",
	     "Lists the documents in the served folders, by kind, folder or name. Start here if you know no path.",
	     TOOL_READS | TOOL_NO_REVISION, struct file_list_args, file_list_in, struct file_list_answer, file_list_out,
	     file_list, .example = "{\"pattern\": \"**/draft*\"}"),
	TOOL("file_history", "History of a file",
	     "Lists the commits on a file, newest first: each write of a tool, and changes by other programs.",
	     TOOL_READS, struct history_args, history_in, struct history_answer, history_out, file_history,
	     .example = "{\"file_path\": \"novel.xml\", \"limit\": 5}"),
	TEXT_TOOL("file_diff", "Compare two revisions",
		  "Returns a unified diff between two states of a file. Default: from before the newest commit to "
		  "the file as it is.",
		  TOOL_READS | TOOL_EXTRA, struct diff_args, diff_in, file_diff,
		  .example = "{\"file_path\": \"novel.xml\"}"),
	TEXT_TOOL("file_show", "Show an old revision",
		  "Returns the text of a file at a revision or after a commit, whatever is there now.",
		  TOOL_READS | TOOL_EXTRA, struct moment_args, show_in, file_show,
		  .example = "{\"file_path\": \"novel.xml\", \"commit\": 3}"),
	TOOL("file_restore", "Restore an old revision",
	     "Restores a file to a revision or to its state after a commit, even if it is broken, empty or deleted "
	     "now. file_undo can undo the restore.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_IDEMPOTENT | TOOL_EXTRA, struct moment_args, restore_in,
	     struct restore_answer, restore_out, file_restore,
	     .example = "{\"file_path\": \"novel.xml\", \"commit\": 3, \"dry_run\": true}"),
	TOOL("file_undo", "Undo a change",
	     "Undoes a commit, in all files that it changed. Later changes are kept; if they overlap with it, the "
	     "undo is refused, and the error names the file_restore call to use.",
	     TOOL_WRITES | TOOL_DELETES, struct undo_args, undo_in, struct undo_answer, undo_out, file_undo,
	     .example = "{\"file_path\": \"novel.xml\", \"dry_run\": true}"),
	TOOLS_END,
};
