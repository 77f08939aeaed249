/* repair.c: the tool that turns a broken file into a valid book. */
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/repair/rough.h"
#include "work/history/history.h"

struct repair_args {
	struct text file_path;
};
struct repair {
	struct maybe_int line;
	struct text change;
};
struct repair_answer {
	int64_t repair_count;
	struct objects repairs;
};

static const struct field repair_in[] = {FILE_PATH(struct repair_args), FIELDS_END};
static const struct field repair_fields[] = {
	FIELD(struct repair, line, MAYBE_INT, 0, "Line in the file before; absent: in what was repaired first"),
	FIELD(struct repair, change, TEXT, FIELD_REQUIRED, "What was wrong and what becomes of it"),
	FIELDS_END,
};
static const struct shape repair_shape = SHAPE(struct repair, "repair", repair_fields);
static const struct field repair_out[] = {
	FIELD(struct repair_answer, repair_count, INT, FIELD_REQUIRED, "How many; 0: the file was valid"),
	FIELD(struct repair_answer, repairs, OBJECTS, FIELD_REQUIRED, "The first 500 of them", .shape = &repair_shape),
	FIELDS_END,
};

enum { REPAIRS_LISTED = 500 };

static bool refuse_unreadable(struct call *c, struct text path, const struct error *error)
{
	const char *undo = history_advise_broken(c, path);
	struct json *details = details_of(c, path);

	if (undo)
		json_set_text(c->arena, details, "hint",
			      said(c, "%s undoes the change by another program that broke it", undo));
	else
		details_advise(c, details, "repair a file that is not XML or has no <book> in a text editor");

	if (error->line) {
		json_set_int(c->arena, details, "line", error->line);
		json_set_int(c->arena, details, "column", error->column);
	}
	return book_refuse(c, details, error->code ? error->code : "INVALID_XML", "%s cannot be repaired: %s",
			   shown(c, path), error->message ? error->message : "it is no XML");
}

/* Bytes that are not XML may be so only because of bare characters. */
static bool mended(struct call *c, struct text bytes, struct mends *out, struct error *error)
{
	if (mend_book(c->arena, bytes, out, error))
		return true;
	return !error->code && rough_escape(c->arena, bytes, out) && mend_book(c->arena, out->bytes, out, error);
}

static bool repair_document(struct call *c, const void *in, void *out)
{
	const struct repair_args *args = in;
	struct repair_answer *answer = out;
	struct document *d;
	struct mends mends = {0};
	struct error error = {0};
	struct problems problems = {0};
	ARRAY(struct repair) list = {0};
	size_t n;

	if (!documents_change(c, &(struct want){.path = args->file_path, .want = DOCUMENT_THERE}, 1, &d))
		return book_refused(c, args->file_path, NULL);
	if (book_parse(c->arena, document_bytes(d), &problems, &error))
		return true;
	if (!mended(c, document_bytes(d), &mends, &error))
		return refuse_unreadable(c, args->file_path, &error);
	problems = (struct problems){0};
	if (!book_parse(c->arena, mends.bytes, &problems, &error)) {
		struct json *details = details_hint(c, args->file_path, "repair the lines listed in a text editor");
		json_set(c->arena, details, "problems", problems_json(c, &problems, 20));
		return book_refuse(c, details, "NOT_HNPX", "%zu problems cannot be repaired; nothing was changed",
				   problems.total);
	}
	for (size_t i = 0; i < mends.list.n && i < REPAIRS_LISTED; i++) {
		const struct mended *m = &mends.list.items[i];
		*ARRAY_PUSH(c->arena, &list) = (struct repair){{m->line, m->line != 0}, m->sentence};
	}
	*answer = (struct repair_answer){(int64_t)(mends.list.n + mends.more), {list.items, list.n}};
	struct splice *splices = splice_between(c->arena, document_bytes(d), mends.bytes, &n);
	struct change change = {.kind = CHANGE_SPLICE, .document = d, .splices = splices, .n = n};
	return work_commit(c, &change, 1, "repair_document: %zu repairs", mends.list.n + mends.more) ||
	       book_refused(c, args->file_path, NULL);
}

const struct tool hnpx_repair_tools[] = {
	TOOL("repair_document", "Repair a broken book",
	     "Makes a book valid again after a hand edit. Words are kept. Try dry_run first.",
	     TOOL_WRITES | TOOL_EXTRA | TOOL_IDEMPOTENT, struct repair_args, repair_in, struct repair_answer,
	     repair_out, repair_document, .example = "{\"file_path\":\"novel.hnpx\",\"dry_run\":true}"),
	TOOLS_END,
};
