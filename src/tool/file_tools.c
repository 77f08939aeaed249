/* file_tools.c: the history of files as tools, once for every kind: file_history, file_diff, file_undo.
 *
 * They are about paths below the roots, whatever the file holds, and only about what was written through this program.
 */
#include "tool/kind.h"

#include "base/clock.h"
#include "work/history/history.h"

/* --- file_history ----------------------------------------------------------------------------- */

struct history_args {
	struct text file_path;
	int64_t limit;
	struct maybe_int before;
};

static const struct field history_in[] = {
	FIELD(struct history_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH,
	      "Path of the file, also of one that was deleted", .extensions = ""),
	FIELD(struct history_args, limit, INT, 0, "How many commits to answer", .limits = BETWEEN(1, 200),
	      .otherwise = "20"),
	FIELD(struct history_args, before, MAYBE_INT, 0, "Only commits older than this one: next of the last answer",
	      .limits = AT_LEAST(1)),
	FIELDS_END,
};

struct commit_row {
	int64_t commit;
	struct text time, who, tool, summary, before, after;
	bool is_undo, is_undone, can_undo;
	int64_t files, bytes_added, bytes_removed;
};

static const struct field commit_out[] = {
	FIELD(struct commit_row, commit, INT, FIELD_REQUIRED, "Its number: file_undo and file_diff take it"),
	FIELD(struct commit_row, time, TEXT, FIELD_REQUIRED, "When, UTC"),
	FIELD(struct commit_row, who, TEXT, 0, "Who wrote"),
	FIELD(struct commit_row, tool, TEXT, 0, "By which tool"),
	FIELD(struct commit_row, summary, TEXT, FIELD_REQUIRED, "What was done, in a line"),
	FIELD(struct commit_row, before, TEXT, FIELD_NULLABLE | FIELD_REQUIRED,
	      "Revision before; null: the commit made the file"),
	FIELD(struct commit_row, after, TEXT, FIELD_NULLABLE | FIELD_REQUIRED,
	      "Revision after; null: the commit deleted the file"),
	FIELD(struct commit_row, is_undo, FLAG, FIELD_REQUIRED, "It takes another commit back"),
	FIELD(struct commit_row, is_undone, FLAG, FIELD_REQUIRED, "Another commit took it back"),
	FIELD(struct commit_row, can_undo, FLAG, FIELD_REQUIRED, "What is needed to take it back is still kept"),
	FIELD(struct commit_row, files, INT, FIELD_REQUIRED,
	      "How many files it changed; undo takes them back together"),
	FIELD(struct commit_row, bytes_added, INT, FIELD_REQUIRED, "Of this file"),
	FIELD(struct commit_row, bytes_removed, INT, FIELD_REQUIRED, "Of this file"),
	FIELDS_END,
};
static const struct shape commit_shape = SHAPE(struct commit_row, "commit", commit_out);

struct history_answer {
	struct objects commits;
	struct maybe_int next;
};

static const struct field history_out[] = {
	FIELD(struct history_answer, commits, OBJECTS, FIELD_REQUIRED, "Newest first", .shape = &commit_shape),
	FIELD(struct history_answer, next, MAYBE_INT, 0, "There are older ones: give this as before"),
	FIELDS_END,
};

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
	struct commit_row *rows = arena_array(c->arena, n ? n : 1, sizeof *rows);
	for (size_t i = 0; i < n; i++) {
		const struct history_entry *e = &entries[i];
		rows[i] = (struct commit_row){
			.commit = e->id,
			.time = clock_iso(c->arena, e->time),
			.who = e->who,
			.tool = e->tool,
			.summary = e->summary.at ? e->summary : TEXT(""),
			.before = e->before,
			.after = e->after,
			.is_undo = e->is_undo,
			.is_undone = e->is_undone,
			.can_undo = e->can_undo,
			.files = (int64_t)e->documents,
			.bytes_added = (int64_t)e->bytes_added,
			.bytes_removed = (int64_t)e->bytes_removed,
		};
	}
	answer->commits = (struct objects){rows, n};
	if (more && n)
		answer->next = (struct maybe_int){entries[n - 1].id, true};
	return true;
}

/* --- file_diff -------------------------------------------------------------------------------- */

struct diff_args {
	struct text file_path, from, to;
};

static const struct field diff_in[] = {
	FIELD(struct diff_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "Path of the file", .extensions = ""),
	FIELD(struct diff_args, from, TEXT, 0,
	      "A revision, or the number of a commit for the file as that commit left it; without it: as the file was "
	      "before its newest commit",
	      .limits = AT_MOST(32)),
	FIELD(struct diff_args, to, TEXT, 0, "The same; without it: the file as it is", .limits = AT_MOST(32)),
	FIELDS_END,
};

static bool file_diff(struct call *c, const void *in, void *out)
{
	const struct diff_args *args = in;
	struct text diff;

	(void)out;
	if (!history_diff(c, args->file_path, args->from, args->to, &diff))
		return false;
	reply_text(c, diff.len ? diff : TEXT("There is no difference.\n"));
	return true;
}

/* --- file_undo -------------------------------------------------------------------------------- */

struct undo_args {
	struct text file_path;
	struct maybe_int commit;
	bool redo;
};

static const struct field undo_in[] = {
	FIELD(struct undo_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH,
	      "Path of the file, also of one that was deleted", .extensions = ""),
	FIELD(struct undo_args, commit, MAYBE_INT, 0,
	      "Which commit to take back, a number from file_history; without it: the newest that is not undone yet",
	      .limits = AT_LEAST(1)),
	FIELD(struct undo_args, redo, FLAG, 0, "Take back the newest undo instead", .otherwise = "false"),
	FIELDS_END,
};

struct undo_answer {
	int64_t commit;
	struct text summary;
	struct texts files;
	struct text revision;
};

static const struct field undo_out[] = {
	FIELD(struct undo_answer, commit, INT, FIELD_REQUIRED, "The commit that was taken back"),
	FIELD(struct undo_answer, summary, TEXT, FIELD_REQUIRED, "What that commit had done"),
	FIELD(struct undo_answer, files, TEXTS, FIELD_REQUIRED, "The files that changed"),
	FIELD(struct undo_answer, revision, TEXT, FIELD_NULLABLE, "Revision of the file now; null: it is gone"),
	FIELDS_END,
};

static bool file_undo(struct call *c, const void *in, void *out)
{
	const struct undo_args *args = in;
	struct undo_answer *answer = out;
	struct undone undone = {0};

	if (args->redo && args->commit.there)
		return fail(c, FAULT_ARGUMENT,
			    "redo takes back the newest undo and cannot be told a commit: leave out one of them");
	if (!history_undo(c, args->file_path, args->commit.there ? args->commit.value : 0, args->redo, &undone))
		return false;
	*answer = (struct undo_answer){
		.commit = undone.id,
		.summary = undone.summary.at ? undone.summary : TEXT(""),
		.files = undone.paths,
		.revision = undone.revision,
	};
	return true;
}

const struct tool file_tools[] = {
	TOOL("file_history", "What was written to a file",
	     "Lists the commits on a file, newest first: when, by whom, by which tool, and what was done. Every "
	     "write of every tool of this server is one commit. Use it to see what happened to a file, or to "
	     "find the number or revision for file_diff and file_undo. Changes made by other programs are not "
	     "listed.",
	     TOOL_READS, struct history_args, history_in, struct history_answer, history_out, file_history,
	     .example = "{\"file_path\": \"novel.xml\", \"limit\": 5}"),
	TEXT_TOOL("file_diff", "What changed in a file",
		  "Answers a unified diff of a file between two moments of its history. Without from and to it shows "
		  "what the newest commit changed and whatever happened since.",
		  TOOL_READS, struct diff_args, diff_in, file_diff, .example = "{\"file_path\": \"novel.xml\"}"),
	TOOL("file_undo", "Take back a change",
	     "Takes back the newest commit on a file that is not taken back yet, or the one you name, together "
	     "with all other files that commit changed: a file it made is deleted, one it deleted is there "
	     "again. redo takes back the newest undo. Refused when the file was changed by something else since; "
	     "then look at file_diff. Try dry_run first to see what would change.",
	     TOOL_WRITES | TOOL_DELETES, struct undo_args, undo_in, struct undo_answer, undo_out, file_undo,
	     .example = "{\"file_path\": \"novel.xml\", \"dry_run\": true}"),
	TOOLS_END,
};
