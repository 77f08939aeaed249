/* compare_tool.c: compare_documents, for two files, or for a session and the file it came from. */
#include "base/clock.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/session/session.h"
#include "kinds/docx/track/compare.h"
#include "kinds/docx/track/notes.h"
#include "kinds/docx/track/settle.h"
#include "kinds/docx/track/stories.h"

#include <assert.h>

struct compare_args {
	struct target target;
	struct text original_file_path, revised_file_path, save_to_local_path, author;
	bool allow_overwrite, fail_on_rebuild_fallback;
};
static const struct field compare_in[] = {
	FIELD(struct compare_args, original_file_path, TEXT, FIELD_PATH, "The older .docx",
	      .more = RARE{.extensions = ""}),
	FIELD(struct compare_args, revised_file_path, TEXT, FIELD_PATH, "The newer .docx",
	      .more = RARE{.extensions = ""}),
	FIELD_AS("session_id", struct compare_args, target.session_id, TEXT, FIELD_TERSE,
		 "Instead of two files: compares the session with the file it was opened from"),
	FIELD(struct compare_args, save_to_local_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "Path of the redline",
	      .more = RARE{.extensions = ""}),
	FIELD(struct compare_args, author, TEXT, 0, "Author of the tracked changes", .otherwise = "\"quire\"",
	      .limits = AT_MOST(255)),
	FIELD(struct compare_args, allow_overwrite, FLAG, 0, "Replace a file that is there"),
	FIELD(struct compare_args, fail_on_rebuild_fallback, FLAG, FIELD_UNLISTED,
	      "Refuse if a change must be written more coarsely than word by word"),
	FIELDS_END,
};
struct compare_answer {
	struct text saved_to;
	int64_t size_bytes, insertions, deletions, format_changes, paragraphs_inserted, paragraphs_deleted,
		paragraphs_modified, paragraphs_moved, coarser_changes;
	struct texts untracked;
};
static const struct field compare_out[] = {
	FIELD(struct compare_answer, saved_to, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the redline"),
	FIELD(struct compare_answer, size_bytes, INT, FIELD_REQUIRED | FIELD_TERSE, "Its size"),
	FIELD(struct compare_answer, insertions, INT, FIELD_REQUIRED | FIELD_TERSE, "Insertions"),
	FIELD(struct compare_answer, deletions, INT, FIELD_REQUIRED | FIELD_TERSE, "Deletions"),
	FIELD(struct compare_answer, format_changes, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Changes of format"),
	FIELD(struct compare_answer, paragraphs_inserted, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Whole paragraphs"),
	FIELD(struct compare_answer, paragraphs_deleted, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Whole paragraphs"),
	FIELD(struct compare_answer, paragraphs_modified, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Changed inside"),
	FIELD(struct compare_answer, paragraphs_moved, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Moved elsewhere"),
	FIELD(struct compare_answer, coarser_changes, INT, FIELD_UNLISTED,
	      "Changes written as one deletion and one insertion, because they did not hold word by word"),
	FIELD(struct compare_answer, untracked, TEXTS, FIELD_TERSE, "What differs too, but cannot be a tracked change"),
	FIELDS_END,
};

static bool open_file(struct call *c, struct text path, struct document **d, struct package **out)
{
	const struct docx_state *state = c->state;

	if (!text_ends_in(path, ".docx .docm .dotx .dotm"))
		return fail_as(c, "INVALID_FILE_TYPE", "%s is not a Word document; pass a .docx", shown(c, path));
	if (!document_open(c, path, d) || !package_open(c, c->arena, document_bytes(*d), &state->limits, out))
		return false;
	session_memory((*out)->main->bytes.len);
	return true;
}

/* Accepts the revisions of others first, because they are part of both versions. */
static bool settled_part(struct call *c, struct text *part)
{
	return settle_part(c->arena, *part, part) ||
	       fail_as(c, "INVALID_DOCX_ARCHIVE", "the main part is not well-formed XML; repair the file in Word");
}

static bool write_redline(struct call *c, const struct compare_args *args, struct carry *carry, struct notes *notes,
			  struct pieces redline, struct document *target, struct compare_answer *answer)
{
	struct package *p = carry->to;
	size_t n;

	if (!notes_end(notes) || !carry_end(carry))
		return false;
	*ARRAY_PUSH(c->arena, &carry->parts) =
		(struct zip_change){.member = p->main->member, .name = p->main->name, .pieces = redline};
	struct splice *edits = zip_splices(c->arena, p->zip, carry->parts.items, carry->parts.n, &n);
	struct text bytes = splice_apply(c->arena, p->zip->bytes, edits, n);
	struct change write = {.kind = CHANGE_WHOLE, .document = target, .bytes = bytes};

	answer->saved_to = args->save_to_local_path;
	answer->size_bytes = (int64_t)bytes.len;
	return work_commit(c, &write, 1, "compare_documents: %lld insertions, %lld deletions",
			   (long long)answer->insertions, (long long)answer->deletions);
}

/* A settings part without the numbers of the editing sessions, which differ after every save. */
static struct text without_rsids(struct arena *a, struct text part)
{
	size_t from = text_find(part, TEXT("<w:rsids>"), 0), to = text_find(part, TEXT("</w:rsids>"), 0);

	if (from == SIZE_MAX || to == SIZE_MAX || to < from)
		return part;
	return text_format(a, "%.*s%.*s", TEXT_ARGS(text_slice(part, 0, from)),
			   TEXT_ARGS(text_slice(part, to + 10, part.len)));
}

static bool part_of(struct call *c, struct package *p, enum relation relation, struct text *out)
{
	const struct relationship *r = package_find(p, relation);
	struct part *part = NULL;

	*out = TEXT("");
	if (!r || r->is_external)
		return true;
	if (!package_part(c, p, r->target, &part))
		return false;
	if (part)
		*out = without_rsids(c->arena, part->bytes);
	return true;
}

/* What differs, but is no tracked change in Word. */
static bool list_untracked(struct call *c, const struct carry *carry, const struct comparison *counts,
			   struct texts *out)
{
	static const struct {
		enum relation relation;
		const char *name;
	} parts[] = {
		{RELATION_STYLES, "styles"},
		{RELATION_NUMBERING, "numbering definitions"},
		{RELATION_SETTINGS, "settings"},
		{RELATION_THEME, "theme"},
	};
	struct text *list = arena_array(c->arena, 8, sizeof *list);
	size_t n = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct text was, now;
		if (!part_of(c, carry->to, parts[i].relation, &was) ||
		    !part_of(c, carry->from, parts[i].relation, &now))
			return false;
		if (!text_same(was, now))
			list[n++] = text_of(parts[i].name);
	}
	if (counts->lone_headers)
		list[n++] = TEXT("headers or footers that only one version has");
	if (counts->is_quiet_changed)
		list[n++] = TEXT("properties of content controls, or sections that only one version has");
	*out = (struct texts){list, n};
	return true;
}

/* The two main parts and their packages. The redline is written into the original's package. */
struct versions {
	struct package *package, *revised_package;
	struct text original, revised;
	struct document *files[2];
};

static bool versions_of(struct call *c, const struct compare_args *args, struct session **s, struct versions *v)
{
	struct session_facts facts;

	if (args->target.session_id.at) {
		size_t n;
		if (args->original_file_path.at || args->revised_file_path.at)
			return fail(c, FAULT_ARGUMENT,
				    "session_id and file paths exclude each other; pass one or the other");
		if (!session_enter(c, &args->target, s, &facts))
			return false;
		/* The edited document is compared like a file, so every part of it counts. */
		struct splice *edits = session_archive(c, *s, &n, NULL);
		v->package = (*s)->package;
		v->original = v->package->main->bytes;
		struct text bytes = splice_apply(c->arena, v->package->zip->bytes, edits, n);
		if (!package_open(c, c->arena, bytes, &((const struct docx_state *)c->state)->limits,
				  &v->revised_package))
			return false;
		v->revised = v->revised_package->main->bytes;
		return true;
	}
	if (!args->original_file_path.at || !args->revised_file_path.at)
		return fail_as(c, "MISSING_SESSION_CONTEXT",
			       "two versions are needed; pass original_file_path and revised_file_path, or session_id");
	if (!open_file(c, args->original_file_path, &v->files[0], &v->package) ||
	    !open_file(c, args->revised_file_path, &v->files[1], &v->revised_package))
		return false;
	assert(v->package && v->revised_package);
	v->original = v->package->main->bytes;
	v->revised = v->revised_package->main->bytes;
	session_memory(v->original.len + v->revised.len);
	return true;
}

static bool compare_documents(struct call *c, const void *in, void *out)
{
	const struct compare_args *args = in;
	struct compare_answer *answer = out;
	scoped(session_leave) struct session *s = NULL;
	struct versions v = {0};
	struct comparison counts = {0};
	struct carry carry;
	struct notes notes;
	struct document *target;
	struct pieces redline;

	if (!versions_of(c, args, &s, &v))
		return false;
	if (!text_ends_in(args->save_to_local_path, ".docx .docm .dotx .dotm"))
		return fail_as(c, "INVALID_FILE_TYPE", "%s is not a name of a Word document; end it in .docx",
			       shown(c, args->save_to_local_path));
	struct want want = {.path = args->save_to_local_path, .want = DOCUMENT_EITHER, .make_folders = true};
	if (!documents_change(c, &want, 1, &target))
		return false;
	for (int i = 0; i < 2; i++)
		if (v.files[i] && text_same(document_place(v.files[i]), document_place(target)))
			return fail_as(c, "OVERWRITE_BLOCKED",
				       "%s is one of the two versions; save the redline to another path",
				       shown(c, args->save_to_local_path));
	if (document_exists(target) && !args->allow_overwrite)
		return fail_as(c, "OVERWRITE_BLOCKED",
			       "%s is there already; save to another path, or pass allow_overwrite: true",
			       shown(c, args->save_to_local_path));
	if (!settled_part(c, &v.original) || !settled_part(c, &v.revised))
		return false;
	struct stamp stamp = {.author = args->author.len ? args->author : TEXT("quire"),
			      .date = clock_iso(c->arena, clock_now() / 1000 * 1000),
			      .next_id = (int32_t)carry_highest_id(v.original, ":", STORY_ID_LIMIT) + 1};
	carry_begin(&carry, c, v.revised_package, v.package);
	if (!notes_begin(&notes, c, &carry) ||
	    !compare_parts(c, v.original, v.revised, &carry, &notes, &stamp, &counts, &redline) ||
	    !stories_headers(c, v.original, v.revised, &carry, &notes, &stamp, &counts) ||
	    !stories_notes(c, &carry, &notes, &stamp, &counts))
		return false;
	*answer = (struct compare_answer){.insertions = stamp.insertions,
					  .deletions = stamp.deletions,
					  .format_changes = stamp.formats,
					  .paragraphs_inserted = counts.inserted,
					  .paragraphs_deleted = counts.deleted,
					  .paragraphs_modified = counts.modified,
					  .paragraphs_moved = counts.moved,
					  .coarser_changes = counts.coarser};
	if (counts.coarser && args->fail_on_rebuild_fallback)
		return fail_as(
			c, "REDLINE_NOT_PROVED",
			"%u changes did not hold word by word; pass fail_on_rebuild_fallback: false for a redline "
			"with each of them as one deletion and one insertion",
			counts.coarser);
	if (!list_untracked(c, &carry, &counts, &answer->untracked))
		return false;
	if (counts.left_out)
		warn(c,
		     "%u diagrams, linked objects, broken links or other things of new text cannot be copied and are not in the "
		     "redline; only the words around them are",
		     counts.left_out);
	return write_redline(c, args, &carry, &notes, redline, target, answer);
}

const struct tool docx_compare_tools[] = {
	TOOL("compare_documents", "Compare two versions",
	     "Writes a redline: the original with tracked changes that lead to the revised document. Compares two files, or "
	     "a session with the file it was opened from. Tracked changes in either file count as accepted.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_NO_REVISION | TOOL_NO_CONDITION, struct compare_args, compare_in,
	     struct compare_answer, compare_out, compare_documents,
	     .example = "{\"original_file_path\":\"v1.docx\",\"revised_file_path\":\"v2.docx\","
			"\"save_to_local_path\":\"v1-v2.docx\"}"),
	TOOLS_END,
};
