/* save: the session as a new archive. Parts that no edit touched keep their packed bytes. */
#include "base/clock.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/session/session.h"
#include "tool/reply.h"

#define scoped(drop) __attribute__((cleanup(drop)))

struct save_args {
	struct target target;
	struct text save_to_local_path;
	int save_format;
	bool allow_overwrite;
};
static const char *const formats[] = {"clean", NULL};
static const char *const format_aliases[] = {"download_format", NULL};
static const struct field save_in[] = {
	TARGET_FIELDS(struct save_args),
	FIELD(struct save_args, save_to_local_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "Path to write"),
	FIELD(struct save_args, save_format, CHOICE, 0, "clean: the edited document", .choices = formats,
	      .otherwise = "\"clean\"", .aliases = format_aliases),
	FIELD(struct save_args, allow_overwrite, FLAG, 0, "Replace a file that is there, the opened one included"),
	FIELDS_END,
};
struct save_answer {
	struct session_facts session;
	struct text saved_to;
	int64_t size_bytes, edit_count, edit_revision;
	struct texts returned_variants;
};
static const struct field save_out[] = {
	SESSION_FIELDS(struct save_answer),
	FIELD(struct save_answer, saved_to, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the file"),
	FIELD(struct save_answer, size_bytes, INT, FIELD_REQUIRED | FIELD_TERSE, "Its size"),
	FIELD(struct save_answer, edit_count, INT, FIELD_REQUIRED | FIELD_TERSE, "Edits in it"),
	FIELD(struct save_answer, edit_revision, INT, FIELD_REQUIRED | FIELD_TERSE, "The same"),
	FIELD(struct save_answer, returned_variants, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "Formats written"),
	FIELDS_END,
};

/* A file may be replaced when the caller says so, and the opened one only while it is what was opened. */
static bool may_replace(struct call *c, const struct session *s, const struct document *d, bool allowed)
{
	if (!document_exists(d))
		return true;
	bool is_own = text_same(document_key(c, d), s->key);
	if (!allowed)
		return fail_as(c, "OVERWRITE_BLOCKED", "%s is there already%s; save to another path, or pass allow_overwrite: true",
			       shown(c, document_path(d)), is_own ? " and is the opened document" : "");
	if (is_own && !text_is(document_revision(d), s->revision.chars) &&
	    !(s->saved.chars[0] && text_is(document_revision(d), s->saved.chars)))
		return fail(c, FAULT_CONFLICT,
			    "%s was changed by another program after session %s began; save to another path and compare "
			    "the two",
			    shown(c, document_path(d)), s->id);
	return true;
}

static bool save(struct call *c, const void *in, void *out)
{
	const struct save_args *args = in;
	struct save_answer *answer = out;
	scoped(session_leave) struct session *s = NULL;
	struct document *d;
	size_t n;

	if (!text_ends_in(args->save_to_local_path, ".docx .docm .dotx .dotm"))
		return fail_as(c, "INVALID_FILE_TYPE", "%s is not a name of a Word document; end it in .docx",
			       shown(c, args->save_to_local_path));
	if (!session_enter(c, &args->target, &s, &answer->session))
		return false;
	struct want want = {.path = args->save_to_local_path, .want = DOCUMENT_EITHER, .make_folders = true};
	if (!documents_change(c, &want, 1, &d) || !may_replace(c, s, d, args->allow_overwrite))
		return false;
	struct splice *edits = session_archive(c, s, &n, NULL, NULL);
	struct text base = s->package->zip->bytes;
	struct pieces pieces = splice_pieces(c->arena, base, edits, n);
	bool is_base = document_exists(d) && text_is(document_revision(d), s->revision.chars);
	struct change change = {.kind = CHANGE_SPLICE, .document = d, .splices = edits, .n = n};
	if (!is_base)
		change = (struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = splice_apply(c->arena, base, edits, n)};
	if ((!is_base || n) && !work_commit(c, &change, 1, "save: %zu edits", s->mark))
		return false;
	if (!c->dry_run && text_same(document_key(c, d), s->key) && document_revision(d).len == REVISION_LEN)
		for (size_t i = 0; i < REVISION_LEN; i++)
			s->saved.chars[i] = document_revision(d).at[i];
	answer->saved_to = document_path(d);
	answer->size_bytes = (int64_t)pieces.len;
	answer->edit_count = answer->edit_revision = (int64_t)s->mark;
	struct text *variants = arena_array(c->arena, 1, sizeof *variants);
	variants[0] = TEXT("clean");
	answer->returned_variants = (struct texts){variants, 1};
	return true;
}

static const char *const save_aliases[] = {"download", NULL};
const struct tool docx_save_tools[] = {
	TOOL("save", "Save a document",
	     "Writes the edited document to a path. Everything that no edit touched stays byte for byte. The session and "
	     "its ids stay as they are, so editing can go on.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_NO_CONDITION, struct save_args, save_in, struct save_answer, save_out, save,
	     .aliases = save_aliases,
	     .example = "{\"session_id\":\"ses_0123456789ab\",\"save_to_local_path\":\"contract-edited.docx\"}"),
	TOOLS_END,
};
