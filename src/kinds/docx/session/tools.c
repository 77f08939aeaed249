/* The tools for sessions: status, clear, undo and redo. */
#include "base/clock.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/session/session.h"
#include "tool/reply.h"

struct session_args {
	struct target target;
};
static const struct field session_in[] = {TARGET_FIELDS(struct session_args), FIELDS_END};

struct document_facts {
	struct text filename;
	int64_t paragraphs, shown_paragraphs, tracked_changes;
};
static const struct field document_fields[] = {
	FIELD(struct document_facts, filename, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path"),
	FIELD(struct document_facts, paragraphs, INT, FIELD_REQUIRED | FIELD_TERSE, "All paragraphs of the body"),
	FIELD(struct document_facts, shown_paragraphs, INT, FIELD_REQUIRED | FIELD_TERSE, "Rows of read_file"),
	FIELD(struct document_facts, tracked_changes, INT, FIELD_REQUIRED | FIELD_TERSE,
	      "Tracked changes that were in the file when it was opened"),
	FIELDS_END,
};
static const struct shape document_shape = SHAPE(struct document_facts, "document", document_fields);

struct status_answer {
	struct session_facts session;
	struct text created_at, expires_at;
	int64_t edit_count, edit_revision, redo_count;
	const struct document_facts *document;
	bool normalization_skipped;
};
static const struct field status_out[] = {
	SESSION_FIELDS(struct status_answer),
	FIELD(struct status_answer, created_at, TEXT, FIELD_REQUIRED | FIELD_TERSE, "When it was opened"),
	FIELD(struct status_answer, expires_at, TEXT, FIELD_REQUIRED | FIELD_TERSE, "When it ends if it is not used"),
	FIELD(struct status_answer, edit_count, INT, FIELD_REQUIRED | FIELD_TERSE, "Edits in force"),
	FIELD(struct status_answer, edit_revision, INT, FIELD_REQUIRED | FIELD_UNLISTED, "The same"),
	FIELD(struct status_answer, redo_count, INT, FIELD_REQUIRED | FIELD_TERSE, "Edits that `redo` can apply again"),
	FIELD(struct status_answer, document, OBJECT, FIELD_REQUIRED | FIELD_TERSE, "The document",
	      .shape = &document_shape),
	FIELD(struct status_answer, normalization_skipped, FLAG, FIELD_REQUIRED | FIELD_UNLISTED,
	      "Always true: runs are never merged or rewritten on opening"),
	FIELDS_END,
};

static int64_t count_there(const struct story *s)
{
	int64_t n = 0;

	for (uint32_t p = story_next(s, STORY_NONE); p != STORY_NONE; p = story_next(s, p))
		n++;
	return n;
}

static bool get_session_status(struct call *c, const void *in, void *out)
{
	const struct session_args *args = in;
	struct status_answer *answer = out;
	scoped(session_leave) struct session *s = NULL;

	if (!session_enter(c, &args->target, &s, &answer->session))
		return false;
	answer->session.session_id = answer->session.resolved_session_id = text_copy(c->arena, text_of(s->id));
	answer->session.resolved_file_path = text_copy(c->arena, s->path);
	if (!answer->session.session_resolution.at)
		answer->session.session_resolution = TEXT("explicit_session");
	struct document_facts *d = arena_new(c->arena, struct document_facts);
	*d = (struct document_facts){text_copy(c->arena, s->path), count_there(s->body), s->body->shown,
				     s->body->revisions};
	answer->document = d;
	answer->created_at = clock_iso(c->arena, s->created);
	answer->expires_at = clock_iso(c->arena, s->used + 60 * 60 * 1000);
	answer->edit_count = answer->edit_revision = (int64_t)s->mark;
	answer->redo_count = (int64_t)(s->requests_n - s->mark);
	answer->normalization_skipped = true;
	return true;
}

struct clear_args {
	struct target target;
	bool clear_all, confirm;
};
static const struct field clear_in[] = {
	TARGET_FIELDS(struct clear_args),
	FIELD(struct clear_args, clear_all, FLAG, 0, "End all sessions; needs confirm"),
	FIELD(struct clear_args, confirm, FLAG, FIELD_TERSE, "Required with clear_all"),
	FIELDS_END,
};
struct clear_answer {
	struct texts cleared_session_ids;
	struct text clear_mode;
};
static const struct field clear_out[] = {
	FIELD(struct clear_answer, cleared_session_ids, TEXTS, FIELD_REQUIRED | FIELD_TERSE,
	      "Sessions that were ended"),
	FIELD(struct clear_answer, clear_mode, TEXT, FIELD_REQUIRED | FIELD_TERSE, "session, file or all"),
	FIELDS_END,
};

static bool clear_session(struct call *c, const void *in, void *out)
{
	const struct clear_args *args = in;
	struct clear_answer *answer = out;

	if (args->clear_all && !args->confirm)
		return fail_as(
			c, "CONFIRMATION_REQUIRED",
			"clear_all ends every session and drops its unsaved edits; call again with confirm: true");
	if (!args->clear_all && !args->target.session_id.at && !args->target.file_path.at)
		return fail_as(
			c, "MISSING_SESSION_CONTEXT",
			"nothing says which session to end; pass session_id, file_path, or clear_all with confirm");
	answer->clear_mode = args->clear_all              ? TEXT("all")
			     : args->target.session_id.at ? TEXT("session")
							  : TEXT("file");
	return session_clear(c, &args->target, args->clear_all, &answer->cleared_session_ids);
}

struct move_args {
	struct target target;
	int64_t steps;
};
static const struct field move_in[] = {
	TARGET_FIELDS(struct move_args),
	FIELD(struct move_args, steps, INT, 0, "How many edits", .limits = BETWEEN(1, 10000), .otherwise = "1"),
	FIELDS_END,
};
struct move_answer {
	struct session_facts session;
	int64_t edit_count, edit_revision, redo_count;
	struct texts edits;
};
static const struct field move_out[] = {
	SESSION_FIELDS(struct move_answer),
	FIELD(struct move_answer, edit_count, INT, FIELD_REQUIRED | FIELD_TERSE, "Edits in force now"),
	FIELD(struct move_answer, edit_revision, INT, FIELD_REQUIRED | FIELD_UNLISTED, "The same"),
	FIELD(struct move_answer, redo_count, INT, FIELD_REQUIRED | FIELD_TERSE, "Edits that `redo` can apply again"),
	FIELD(struct move_answer, edits, TEXTS, FIELD_REQUIRED | FIELD_TERSE,
	      "The tools whose edits were moved, in order"),
	FIELDS_END,
};

static bool move(struct call *c, const struct move_args *args, struct move_answer *answer, int direction)
{
	scoped(session_leave) struct session *s = NULL;

	if (!session_enter(c, &args->target, &s, &answer->session) ||
	    !session_move(c, s, direction * args->steps, &answer->edits))
		return false;
	answer->edit_count = answer->edit_revision = (int64_t)s->mark;
	answer->redo_count = (int64_t)(s->requests_n - s->mark);
	return true;
}

static bool undo(struct call *c, const void *in, void *out) { return move(c, in, out, -1); }
static bool redo(struct call *c, const void *in, void *out) { return move(c, in, out, 1); }

const struct tool docx_session_tools[] = {
	TOOL("get_session_status", "Show a session",
	     "Shows when a session was opened and ends, how many edits it has and can redo, and the document's size.",
	     TOOL_READS | TOOL_NO_REVISION, struct session_args, session_in, struct status_answer, status_out,
	     get_session_status, .example = "{\"file_path\":\"contract.docx\"}"),
	TOOL("clear_session", "End a session",
	     "Ends a session and drops its unsaved edits. The file on disk stays as it is.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_NO_FILE, struct clear_args, clear_in, struct clear_answer, clear_out,
	     clear_session, .example = "{\"session_id\":\"ses_0123456789ab\"}"),
	TOOL("undo", "Undo edits", "Undoes the latest edits of a session, one by default. `redo` applies them again.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_NO_REVISION | TOOL_NO_CONDITION | TOOL_NO_CHANGES, struct move_args,
	     move_in, struct move_answer, move_out, undo,
	     .example = "{\"session_id\":\"ses_0123456789ab\",\"steps\":2}"),
	TOOL("redo", "Redo edits", "Applies undone edits again, one by default.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_NO_REVISION | TOOL_NO_CONDITION | TOOL_NO_CHANGES, struct move_args,
	     move_in, struct move_answer, move_out, redo, .example = "{\"session_id\":\"ses_0123456789ab\"}"),
	TOOLS_END,
};
