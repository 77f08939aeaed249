/* file_list.c: file_list lists the documents below the roots, for an agent that does not know any path yet. */
#include "tool/file_list.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/pattern.h"
#include "work/work.h"

#include <string.h>

enum {
	LISTED_MAX = 100000,      /* files examined */
	REVISION_BYTES = 32 << 20 /* bytes read in one call to compute revisions; further files have none */
};

const struct field file_list_in[] = {
	FIELD(struct file_list_args, kind, TEXT, 0, "Only documents of this kind"),
	FIELD(struct file_list_args, folder, TEXT, 0, "Only below this folder"),
	FIELD(struct file_list_args, pattern, TEXT, 0, "Glob over the path, such as **/draft*"),
	FIELD(struct file_list_args, limit, INT, 0, "Maximum number of files", .limits = BETWEEN(1, 500),
	      .otherwise = "100"),
	FIELD(struct file_list_args, after, TEXT, 0, "Pass next of the previous result"),
	FIELDS_END,
};

static const struct field file_out[] = {
	FIELD(struct file_listed, path, TEXT, FIELD_REQUIRED, "Path, as tools take it"),
	FIELD(struct file_listed, kind, TEXT, 0, "The kind whose tools open it"),
	FIELD(struct file_listed, size, INT, FIELD_REQUIRED, "Bytes"),
	FIELD(struct file_listed, modified, TEXT, FIELD_REQUIRED, "Time of the last change, UTC"),
	FIELD(struct file_listed, revision, TEXT, 0, "For if_revision; left out for very large files"),
	FIELDS_END,
};
static const struct shape file_shape = SHAPE(struct file_listed, "file", file_out);
const struct field file_list_out[] = {
	FIELD(struct file_list_answer, files, OBJECTS, FIELD_REQUIRED, "Files, by path", .shape = &file_shape),
	FIELD(struct file_list_answer, total, INT, FIELD_REQUIRED, "Files that match"),
	FIELD(struct file_list_answer, next, TEXT, 0, "There are more: pass this as after"),
	FIELDS_END,
};

/* The first kind with this file name ending. */
static const char *kind_of(const struct document_kind *k, struct text path, struct text only)
{
	for (; k && k->name; k++)
		if ((!only.at || text_is(only, k->name)) && text_ends_in(path, k->endings))
			return k->name;
	return NULL;
}

static const char *endings(struct call *c, struct text only)
{
	struct buffer b = {.arena = c->arena};

	for (const struct document_kind *k = c->kinds; k && k->name; k++)
		if (!only.at || text_is(only, k->name))
			buffer_format(&b, "%s%s", b.len ? " " : "", k->endings);
	return buffer_text(&b).at;
}

/* The page begins after `after`, which may not exist any more. */
static size_t page_start(const struct file_entry *entries, size_t n, struct text after)
{
	size_t at = 0;

	for (size_t i = 0; i < n && after.at; i++)
		if (text_same(entries[i].path, after))
			return i + 1;
	while (after.at && at < n && text_order(entries[at].path, after) < 0)
		at++;
	return at;
}

static bool has_kind(struct call *c, struct text name)
{
	struct buffer all = {.arena = c->arena};
	bool found = false;

	for (const struct document_kind *k = c->kinds; k && k->name; k++) {
		found |= text_is(name, k->name);
		buffer_format(&all, "%s%s", all.len ? ", " : "", k->name);
	}
	return found || fail(c, FAULT_ARGUMENT, "no kind %s with files is served here; kinds: %s", shown(c, name),
			     buffer_text(&all).at);
}

static struct text revision_told(struct call *c, const struct file_entry *e, size_t *room)
{
	struct arena aside = {0};
	struct file_content content;
	struct text told = {0};

	if (e->size > *room)
		return told;
	*room -= e->size;
	if (work_read(c, e->path, &aside, &content))
		told = text_copy(c->arena, text_of(content.revision.chars));
	c->error = (struct error){0}; /* deleted or unreadable: no revision */
	arena_free(&aside);
	return told;
}

/* Says how to create the first document. */
static void tell_empty(struct call *c)
{
	struct buffer tools = {.arena = c->arena};

	for (const struct document_kind *k = c->kinds; k && k->name; k++)
		if (k->creates)
			buffer_format(&tools, "%s%s", tools.len ? ", " : "", k->creates);
	if (tools.len)
		warn(c, "there are no documents yet; these tools create the first: %s", buffer_text(&tools).at);
}

bool file_list(struct call *c, const void *in, void *out)
{
	const struct file_list_args *args = in;
	struct file_list_answer *answer = out;
	struct file_entry *entries;
	size_t n, room = REVISION_BYTES;

	if ((args->kind.at && !has_kind(c, args->kind)) ||
	    !work_list(c, args->folder.at ? args->folder : TEXT(""), endings(c, args->kind), LISTED_MAX, &entries, &n))
		return false;
	struct file_listed *files = arena_array(c->arena, (size_t)args->limit, sizeof *files);
	answer->files = (struct objects){files, 0};
	size_t start = page_start(entries, n, args->after);
	for (size_t i = 0; i < n; i++) {
		const char *kind = kind_of(c->kinds, entries[i].path, args->kind);
		if (!kind || (args->pattern.at && !glob_matches(args->pattern, entries[i].path)))
			continue;
		answer->total++;
		if (i < start)
			continue;
		if (answer->files.n == (size_t)args->limit) {
			answer->next = files[answer->files.n - 1].path;
			continue;
		}
		if (!goes_on(c))
			return false;
		files[answer->files.n++] = (struct file_listed){.path = entries[i].path,
								.kind = text_of(kind),
								.size = (int64_t)entries[i].size,
								.modified = clock_iso(c->arena, entries[i].modified),
								.revision = revision_told(c, &entries[i], &room)};
	}
	size_t fit = fields_fit(&file_shape, files, answer->files.n, answer_room(c));
	if (fit < answer->files.n)
		answer->next = files[fit - 1].path;
	answer->files.n = fit;
	if (!answer->total && !args->folder.at && !args->pattern.at && !args->kind.at)
		tell_empty(c);
	c->revision = (struct text){0}; /* the result is about many files, so it has no revision */
	return true;
}
