/* save: writes the session as a new archive, clean or as a redline. Unchanged parts keep their packed bytes. */
#include "base/clock.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/session/session.h"
#include "kinds/docx/track/track.h"
#include "tool/reply.h"
#include "work/draft.h"

#include <string.h>

struct save_args {
	struct target target;
	struct text save_to_local_path, tracked_save_to_local_path, tracked_changes_author;
	struct text save_format;
	bool allow_overwrite, clean_bookmarks, fail_on_rebuild_fallback;
};
enum save_format { SAVE_BOTH, SAVE_CLEAN, SAVE_TRACKED };
static const char *const formats[] = {"both", "clean", "tracked", NULL};
static const char *const format_aliases[] = {"download_format", NULL};
static const struct field save_in[] = {
	TARGET_FIELDS(struct save_args),
	FIELD(struct save_args, save_to_local_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "Path to write",
	      .more = RARE{.extensions = ""}),
	FIELD(struct save_args, save_format, TEXT, 0, "clean: the edited document; tracked: a redline; or both",
	      .otherwise = "\"both\"", .more = RARE{.aliases = format_aliases}),
	FIELD(struct save_args, tracked_save_to_local_path, TEXT, FIELD_PATH,
	      "With both: path of the redline; default NAME.redline.TIME.docx", .more = RARE{.extensions = ""}),
	FIELD(struct save_args, tracked_changes_author, TEXT, 0, "Author of the tracked changes",
	      .otherwise = "\"quire\"", .limits = AT_MOST(255)),
	FIELD(struct save_args, allow_overwrite, FLAG, 0, "Replace a file that is there, the opened one included"),
	FIELD(struct save_args, clean_bookmarks, FLAG, FIELD_UNLISTED,
	      "false: write the ids of paragraphs into the clean file as bookmarks", .otherwise = "true"),
	FIELD(struct save_args, fail_on_rebuild_fallback, FLAG, FIELD_UNLISTED,
	      "Refuse if a change must be written more coarsely than word by word"),
	FIELDS_END,
};
struct tracked_stats {
	int64_t insertions, deletions, format_changes;
};
static const struct field stats_fields[] = {
	FIELD(struct tracked_stats, insertions, INT, FIELD_REQUIRED | FIELD_TERSE, "Insertions"),
	FIELD(struct tracked_stats, deletions, INT, FIELD_REQUIRED | FIELD_TERSE, "Deletions"),
	FIELD(struct tracked_stats, format_changes, INT, FIELD_REQUIRED | FIELD_TERSE, "Changes of format"),
	FIELDS_END,
};
static const struct shape stats_shape = SHAPE(struct tracked_stats, "tracked_changes_stats", stats_fields);
struct save_answer {
	struct session_facts session;
	struct text saved_to, tracked_saved_to;
	int64_t size_bytes, edit_count, edit_revision;
	const struct tracked_stats *tracked_changes_stats;
	struct texts returned_variants;
	bool cache_hit;
};
static const struct field save_out[] = {
	SESSION_FIELDS(struct save_answer),
	FIELD(struct save_answer, saved_to, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the file"),
	FIELD(struct save_answer, tracked_saved_to, TEXT, FIELD_TERSE, "Path of the redline"),
	FIELD(struct save_answer, size_bytes, INT, FIELD_REQUIRED | FIELD_TERSE, "Size of saved_to"),
	FIELD(struct save_answer, edit_count, INT, FIELD_REQUIRED | FIELD_TERSE, "Edits in it"),
	FIELD(struct save_answer, edit_revision, INT, FIELD_REQUIRED | FIELD_UNLISTED, "The same"),
	FIELD(struct save_answer, tracked_changes_stats, OBJECT, FIELD_TERSE, "Revisions in the redline",
	      .shape = &stats_shape),
	FIELD(struct save_answer, returned_variants, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "Formats written"),
	FIELD(struct save_answer, cache_hit, FLAG, FIELD_UNLISTED,
	      "Nothing had to be packed again since the last save"),
	FIELDS_END,
};

/* A file may be replaced if the caller allows it. The opened file may be replaced only if it has not changed since. */
static bool may_replace(struct call *c, const struct session *s, const struct document *d, bool allowed)
{
	if (!document_exists(d))
		return true;
	bool is_own = text_same(document_key(c, d), s->key);
	if (!allowed)
		return fail_as(c, "OVERWRITE_BLOCKED",
			       "%s is there already%s; save to another path, or pass allow_overwrite: true",
			       shown(c, document_path(d)), is_own ? " and is the opened document" : "");
	if (is_own && !session_made(s, d))
		return fail(
			c, FAULT_CONFLICT,
			"%s was changed by another program after session %s began; save to another path and compare "
			"the two",
			shown(c, document_path(d)), s->id);
	return true;
}

/* NAME.redline.20260131-120000Z.docx next to the clean file. */
static struct text redline_path(struct arena *a, struct text path)
{
	size_t dot = path.len;
	struct buffer time = {.arena = a};
	struct text iso = clock_iso(a, clock_now());

	while (dot && path.at[dot - 1] != '.')
		dot--;
	for (size_t i = 0; i < iso.len; i++)
		if (iso.at[i] != '-' && iso.at[i] != ':')
			buffer_byte(&time, iso.at[i] == 'T' ? '-' : iso.at[i]);
	return text_format(a, "%.*s.redline.%s%.*s", TEXT_ARGS(text_slice(path, 0, dot - 1)), buffer_text(&time).at,
			   TEXT_ARGS(text_slice(path, dot - 1, path.len)));
}

static bool format_of(struct call *c, struct text name, enum save_format *out)
{
	for (int i = 0; formats[i]; i++) {
		if (!text_is(name, formats[i]))
			continue;
		*out = (enum save_format)i;
		return true;
	}
	return fail_as(c, "INVALID_SAVE_FORMAT", "there is no save_format %s; use clean, tracked or both",
		       shown(c, name));
}

static bool is_word_name(struct call *c, struct text path)
{
	return text_ends_in(path, ".docx .docm .dotx .dotm") ||
	       fail_as(c, "INVALID_FILE_TYPE", "%s is not a name of a Word document; end it in .docx", shown(c, path));
}

/* The change that gives the file the result of the splices on the opened bytes. Returns false if it already has that
 * content. */
static bool change_to(struct call *c, const struct session *s, struct document *d, struct splice *edits, size_t n,
		      struct change *out)
{
	bool is_base = document_exists(d) && text_is(document_revision(d), s->revision.chars);

	*out = (struct change){.kind = CHANGE_SPLICE, .document = d, .splices = edits, .n = n};
	if (!is_base)
		*out = (struct change){.kind = CHANGE_WHOLE,
				       .document = d,
				       .bytes = splice_apply(c->arena, s->package->zip->bytes, edits, n)};
	return !is_base || n;
}

/* A variant of the session as splices on the opened bytes, kept until the session changes. */
struct made {
	struct text key; /* identifies its input */
	struct splice *edits;
	size_t n;
	struct tracked_stats stats;
	struct texts coarser; /* ids of paragraphs whose changes did not hold word by word */
};

static struct made *made_copy(struct arena *a, const struct made *of)
{
	struct made *copy = arena_copy(a, of, sizeof *of);

	copy->key = text_copy(a, of->key);
	copy->edits = arena_copy(a, of->edits, of->n * sizeof *of->edits);
	for (size_t i = 0; i < of->n; i++)
		copy->edits[i].with = text_copy(a, of->edits[i].with);
	struct text *ids = arena_copy(a, of->coarser.items, of->coarser.n * sizeof *ids);
	for (size_t i = 0; i < of->coarser.n; i++)
		ids[i] = text_copy(a, ids[i]);
	copy->coarser.items = ids;
	return copy;
}

/* The redline, proved. On failure it returns false and *at is where it does not hold. */
static bool make_redline(struct call *c, struct session *s, const struct save_args *args, struct made *fresh,
			 struct track_place *at)
{
	struct track track;

	track_begin(&track, c, s, args->tracked_changes_author);
	*at = (struct track_place){0};
	if (!track_prove(&track, c, s)) {
		*at = track.failed;
		return false;
	}
	fresh->edits = session_archive(c, s, &fresh->n, &track.writer);
	fresh->stats = (struct tracked_stats){track.stamp.insertions, track.stamp.deletions, track.stamp.formats};
	struct text *ids = arena_array(c->arena, track.coarser.n + 1, sizeof *ids);
	for (size_t i = 0; i < track.coarser.n; i++)
		ids[i] = text_of(story_id(c, track.coarser.items[i].story, track.coarser.items[i].paragraph));
	fresh->coarser = (struct texts){ids, track.coarser.n};
	return true;
}

static bool not_proved(struct call *c, struct track_place at)
{
	const char *id = at.story && at.paragraph != STORY_NONE ? story_id(c, at.story, at.paragraph) : "the beginning";

	return c->error.message ||
	       fail_as(c, "REDLINE_NOT_PROVED",
		       "the redline would not give back both versions near %s, so it is not written; undo the last edits "
		       "there, or pass save_format clean",
		       id);
}

/* Allocated in the call's arena, because a commit reads it when the session may already be freed. *was_kept: the result
 * was already known. On failure it returns NULL and sets the error. */
static const struct made *make(struct call *c, struct session *s, const struct save_args *args, bool is_tracked,
			       bool *was_kept)
{
	scoped(arena_free) struct arena scratch = {0};
	struct arena *own = c->arena;
	struct made *fresh = arena_new(c->arena, struct made);
	struct track_place failed = {0};
	bool is_made = true;

	fresh->key = text_format(c->arena, "%zu %lld %d %.*s", s->mark, (long long)s->draft_changed,
				 args->clean_bookmarks, TEXT_ARGS(args->tracked_changes_author));
	*was_kept = s->made[is_tracked] && text_same(s->made[is_tracked]->key, fresh->key);
	if (*was_kept)
		return made_copy(c->arena, s->made[is_tracked]);
	/* The new parts are large and needed only until they are packed. */
	c->arena = &scratch;
	if (is_tracked) {
		is_made = make_redline(c, s, args, fresh, &failed);
	} else if (args->clean_bookmarks) {
		fresh->edits = session_archive(c, s, &fresh->n, NULL);
	} else {
		fresh->edits = session_archive_marked(c, s, &fresh->n);
	}
	c->arena = own;
	if (!is_made) {
		not_proved(c, failed);
		return NULL;
	}
	s->made[is_tracked] = NULL;
	arena_free(&s->made_arena[is_tracked]);
	s->made[is_tracked] = made_copy(&s->made_arena[is_tracked], fresh);
	return made_copy(c->arena, fresh);
}

enum { COARSER_TOLD = 10 };

static bool tell_coarser(struct call *c, const struct save_args *args, const struct texts *ids)
{
	if (ids->n && args->fail_on_rebuild_fallback)
		return fail_as(c, "REDLINE_NOT_PROVED",
			       "the changes of %zu paragraphs did not hold word by word, first %.*s; pass "
			       "fail_on_rebuild_fallback: false for one deletion and one insertion in each",
			       ids->n, TEXT_ARGS(ids->items[0]));
	for (size_t i = 0; i < ids->n && i < COARSER_TOLD; i++)
		warn(c, "the change of %.*s did not hold word by word; it is one deletion and one insertion",
		     TEXT_ARGS(ids->items[i]));
	if (ids->n > COARSER_TOLD)
		warn(c, "the same holds for %zu more paragraphs", ids->n - COARSER_TOLD);
	return true;
}

/* Writes the files after the documents are open. d[0] is the clean file, or the redline if only that is wanted. */
static bool write_variants(struct call *c, struct session *s, const struct save_args *args, enum save_format format,
			   struct document **d, struct save_answer *answer)
{
	struct change changes[2];
	size_t changes_n = 0, variants_n = 0;
	struct text *variants = arena_array(c->arena, 2, sizeof *variants);
	struct draft draft;
	bool was_kept;

	answer->cache_hit = true;
	for (int tracked = format == SAVE_TRACKED; tracked <= (format != SAVE_CLEAN); tracked++) {
		const struct made *made = make(c, s, args, tracked, &was_kept);
		struct document *to = d[variants_n];
		if (!made || !tell_coarser(c, args, &made->coarser))
			return false;
		if (!variants_n)
			answer->size_bytes =
				(int64_t)splice_pieces(c->arena, s->package->zip->bytes, made->edits, made->n).len;
		bool changed = change_to(c, s, to, made->edits, made->n, &changes[changes_n]);
		if (text_same(document_key(c, to), s->key) && session_draft(s, &draft))
			changes[changes_n].draft = &draft;
		changes_n += changed;
		variants[variants_n++] = tracked ? TEXT("tracked") : TEXT("clean");
		answer->cache_hit &= was_kept;
		if (!tracked)
			continue;
		answer->tracked_changes_stats = arena_copy(c->arena, &made->stats, sizeof made->stats);
		answer->tracked_saved_to = document_path(to);
	}
	answer->returned_variants = (struct texts){variants, variants_n};
	return !changes_n || work_commit(c, changes, changes_n, "save: %zu edits", s->mark);
}

/* Warns about faults that Word may offer to repair. They were in the opened document: edits keep pairs and fields
 * complete. */
static void tell_source(struct call *c, const struct session *s)
{
	struct {
		uint32_t starts, ends, fields, revisions;
	} all = {0};

	for (size_t i = 0; i <= s->stories_n; i++) {
		const struct story *story = i ? s->stories[i - 1] : s->body;
		all.starts += story->bookmark_starts;
		all.ends += story->bookmark_ends;
		all.fields += story->loose_fields;
		all.revisions += story->bare_revisions;
	}
	if (all.starts != all.ends)
		warn(c, "the opened document has %u bookmark starts and %u ends; they are saved as they were",
		     all.starts, all.ends);
	if (all.fields)
		warn(c, "the opened document has %u fields without begin or end; they are saved as they were",
		     all.fields);
	if (all.revisions)
		warn(c,
		     "the opened document has %u tracked changes without id, author, date or content; they are saved as they were",
		     all.revisions);
}

static bool save(struct call *c, const void *in, void *out)
{
	const struct save_args *args = in;
	struct save_answer *answer = out;
	scoped(session_leave) struct session *s = NULL;
	struct want wants[2] = {{.path = args->save_to_local_path, .want = DOCUMENT_EITHER, .make_folders = true}};
	struct document *d[2];
	enum save_format format = SAVE_BOTH;

	if (!format_of(c, args->save_format, &format))
		return false;
	size_t wanted = format == SAVE_BOTH ? 2 : 1;
	if (args->tracked_save_to_local_path.at && format != SAVE_BOTH)
		return fail(
			c, FAULT_ARGUMENT,
			"tracked_save_to_local_path goes with save_format both; with %s pass save_to_local_path only",
			formats[format]);
	wants[1] = wants[0];
	wants[1].path = args->tracked_save_to_local_path.at ? args->tracked_save_to_local_path
							    : redline_path(c->arena, args->save_to_local_path);
	if (!is_word_name(c, wants[0].path) || !is_word_name(c, wants[1].path))
		return false;
	if (!session_enter(c, &args->target, &s, &answer->session) || !documents_change(c, wants, wanted, d))
		return false;
	if (wanted == 2 && text_same(document_key(c, d[0]), document_key(c, d[1])))
		return fail(c, FAULT_ARGUMENT, "the clean document and the redline need two paths, not %s twice",
			    shown(c, wants[0].path));
	for (size_t i = 0; i < wanted; i++)
		if (!may_replace(c, s, d[i], args->allow_overwrite))
			return false;
	if (!write_variants(c, s, args, format, d, answer))
		return false;
	for (size_t i = 0; i < wanted && !c->dry_run; i++)
		if (text_same(document_key(c, d[i]), s->key) && document_revision(d[i]).len == REVISION_LEN)
			session_saved(s, document_revision(d[i]));
	tell_source(c, s);
	answer->saved_to = document_path(d[0]);
	answer->edit_count = answer->edit_revision = (int64_t)s->mark;
	return true;
}

static const char *const save_aliases[] = {"download", NULL};
const struct tool docx_save_tools[] = {
	TOOL("save", "Save a document",
	     "Writes the edited document to a path, and beside it a redline: the original with the edits as tracked "
	     "changes. Everything that no edit touched stays byte for byte. The session goes on.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_NO_CONDITION, struct save_args, save_in, struct save_answer, save_out,
	     save, .aliases = save_aliases,
	     .example = "{\"session_id\":\"ses_0123456789ab\",\"save_to_local_path\":\"contract-edited.docx\"}"),
	TOOLS_END,
};
