#include "kinds/hnpx/hnpx.h"
#include "tool/reply.h"

#include "kinds/hnpx/tree/reading.h"
#include "format/xml.h"

static void *parse(struct arena *a, struct text bytes, struct error *error)
{
	return book_parse(a, bytes, NULL, error);
}

static void place(void *book, struct text bytes) { ((struct book *)book)->bytes = bytes; }

const struct format hnpx_format = {.name = "hnpx", .parse = parse, .place = place};

struct json *details_of(struct call *c, struct text path)
{
	struct json *details = json_new_object(c->arena);

	json_set_text(c->arena, details, "file_path", path);
	return details;
}

struct json *details_advise(struct call *c, struct json *details, const char *hint)
{
	json_set_text(c->arena, details, "hint", prose(c, hint));
	return details;
}

struct json *details_hint(struct call *c, struct text path, const char *hint)
{
	struct json *details = details_of(c, path);

	return details_advise(c, details, hint);
}

bool book_refuse(struct call *c, const struct json *details, const char *code, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	struct text message = vsaid(c, format, ap);
	va_end(ap);
	fail_as(c, code, "%s", message.at);
	c->error.details = details;
	return false;
}

bool book_refused(struct call *c, struct text path, const char *hint)
{
	if (c->error.details)
		return false;
	bool is_path = c->error.fault == FAULT_PATH;
	if (is_path)
		hint = "name a regular file below the root, relative to it or absolute";
	struct json *details = hint ? details_hint(c, path, hint) : details_of(c, path);
	if (is_path && c->work)
		json_set_text(c->arena, details, "root", work_root(c->work, 0));
	c->error.details = details;
	return false;
}

/* The specification's messages contain the path as given, at any length. Only control characters are escaped. */
static const char *whole_path(struct call *c, struct text path)
{
	for (size_t i = 0; i < path.len; i++)
		if ((unsigned char)path.at[i] < ' ' || path.at[i] == 0x7f)
			return shown(c, path);
	return text_string(c->arena, path);
}

bool file_not_made(struct call *c, struct text path, const char *if_exists)
{
	const char *reason = c->error.message;

	if (c->error.fault == FAULT_EXISTS)
		return book_refuse(c, details_hint(c, path, if_exists), "FILE_EXISTS", "File already exists at %s",
				   whole_path(c, path));
	if (c->error.fault != FAULT_PATH && c->error.fault != FAULT_NOT_FOUND)
		return book_refused(c, path, NULL);
	struct json *details = details_hint(c, path, "give a path inside the root whose folder exists");
	json_set_text(c->arena, details, "reason", text_of(reason));
	if (c->work)
		json_set_text(c->arena, details, "root", work_root(c->work, 0));
	return book_refuse(c, details, "INVALID_PATH", "Cannot create file at %s", whole_path(c, path));
}

const struct json *problems_json(struct call *c, const struct problems *problems, size_t most)
{
	struct json *list = json_new_array(c->arena);

	for (size_t i = 0; i < problems->list.n && i < most; i++) {
		const struct problem *p = &problems->list.items[i];
		struct json *entry = json_new_object(c->arena);
		json_set_int(c->arena, entry, "line", p->line);
		json_set(c->arena, entry, "id",
			 p->id == BOOK_NONE ? json_new_null(c->arena)
					    : json_new_text(c->arena, id_text(c->arena, p->id)));
		json_set_text(c->arena, entry, "problem", text_of(p->sentence));
		json_push(c->arena, list, entry);
	}
	return list;
}

enum { PROBLEMS_LISTED = 20 };

/* Refuses a document that is not a book. Parses it again to list all problems. */
static bool refuse_broken(struct call *c, struct text path, struct text bytes)
{
	struct problems problems = {0};
	struct error error = {0};
	struct json *details = details_of(c, path);

	if (book_parse(c->arena, bytes, &problems, &error))
		return book_refused(c, path, NULL);
	c->error = error;
	if (problems.list.n) {
		json_set(c->arena, details, "problems", problems_json(c, &problems, PROBLEMS_LISTED));
		json_set_int(c->arena, details, "problem_count", (int64_t)problems.total);
		details_advise(c, details,
			       "repair_document with dry_run lists what it would change; get_subtree and render_node "
			       "read what parses");
	} else {
		json_set_int(c->arena, details, "line", error.line);
		json_set_int(c->arena, details, "column", error.column);
		details_advise(
			c, details,
			"repair the file in a text editor, or undo the last write with file_undo, then call again");
	}
	c->error.details = details;
	return false;
}

static bool book_of(struct call *c, struct text path, struct document *d, struct opened *out)
{
	*out = (struct opened){.path = path, .document = d};
	out->book = document_tree(c, d, &hnpx_format);
	if (out->book)
		return true;
	if (c->error.fault != FAULT_OWN)
		return book_refused(c, path, NULL);
	return refuse_broken(c, path, document_bytes(d));
}

static bool refused_open(struct call *c, struct text path)
{
	return book_refused(c, path,
			    c->error.fault == FAULT_NOT_FOUND
				    ? "create_document makes a new book; file_list lists the documents"
				    : NULL);
}

bool book_read(struct call *c, struct text path, struct opened *out)
{
	struct document *d;

	if (!document_open(c, path, &d))
		return refused_open(c, path);
	return book_of(c, path, d, out);
}

bool book_read_broken(struct call *c, struct text path, struct opened *out, size_t *broken)
{
	struct document *d;
	struct problems problems = {0};
	struct error error = {0};

	*broken = 0;
	if (!document_open(c, path, &d))
		return refused_open(c, path);
	*out = (struct opened){.path = path, .document = d};
	out->book = document_tree(c, d, &hnpx_format);
	if (out->book)
		return true;
	if (c->error.fault != FAULT_OWN)
		return book_refused(c, path, NULL);
	out->book = book_parse_broken(c->arena, document_bytes(d), &problems, &error);
	if (!out->book)
		return refuse_broken(c, path, document_bytes(d));
	c->error = (struct error){0};
	*broken = problems.total;
	return true;
}

void book_tell_broken(struct call *c, size_t problems)
{
	if (problems)
		reply_text(
			c,
			text_format(
				c->arena,
				"This file breaks %zu rules of HNPX: elements out of place are not shown, and nothing can "
				"be changed; validate_document lists the problems, repair_document mends them",
				problems));
}

bool book_change(struct call *c, struct text path, struct opened *out)
{
	struct document *d;

	if (!documents_change(c, &(struct want){.path = path, .want = DOCUMENT_THERE}, 1, &d))
		return refused_open(c, path);
	return book_of(c, path, d, out);
}

bool book_changed(struct call *c, struct text path, struct document *d, struct opened *out)
{
	return book_of(c, path, d, out);
}

bool book_node(struct call *c, const struct opened *o, struct text id, uint32_t *out)
{
	*out = book_named(o->book, id);
	if (*out != BOOK_NONE)
		return true;
	struct json *details = details_of(c, o->path);
	json_set_text(c->arena, details, "node_id", text_of(shown(c, id)));
	details_advise(c, details, "\"book\" names the root; get_direct_children lists the ids below a node");
	return book_refuse(c, details, "NODE_NOT_FOUND", "Node with id %s not found", shown(c, id));
}

const char *book_named_node(struct call *c, const struct book *b, uint32_t node)
{
	struct text title = node_attribute(c->arena, b, node, "title");
	struct text words = title.len ? title : node_summary(c->arena, b, node);

	return text_format(c->arena, "%s %.*s%s%s%s", level_names[b->nodes[node].level],
			   TEXT_ARGS(book_id(c->arena, b, node)), words.len ? " \"" : "",
			   words.len ? shown(c, words) : "", words.len ? "\"" : "")
		.at;
}

struct change book_change_of(struct call *c, const struct opened *o, struct edits *p)
{
	struct arena *arena = arena_new(c->arena, struct arena);

	return (struct change){.kind = CHANGE_SPLICE,
			       .document = o->document,
			       .splices = p->splices.items,
			       .n = p->splices.n,
			       .tree = edits_book(p, arena),
			       .format = &hnpx_format,
			       .tree_arena = arena};
}

bool book_commit(struct call *c, const struct opened *o, struct edits *p, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	struct text summary = text_vformat(c->arena, format, ap);
	va_end(ap);
	struct change change = book_change_of(c, o, p);
	return work_commit(c, &change, 1, "%s", summary.at) || book_refused(c, o->path, NULL);
}

static bool refuse_unwritable(struct call *c, struct text path, const char *code, const char *name, struct text value)
{
	size_t bad = xml_unwritable(value);
	struct json *details = details_hint(c, path, "leave the character out; XML cannot hold it in any form");

	json_set_text(c->arena, details, "attribute", text_of(name));
	json_set_int(c->arena, details, "offset", (int64_t)bad);
	return book_refuse(c, details, code, "%s holds a character at byte %zu that XML cannot hold", name, bad);
}

bool writable_attribute(struct call *c, struct text path, const char *name, struct text value)
{
	return !value.len || xml_unwritable(value) == value.len ||
	       refuse_unwritable(c, path, "INVALID_ATTRIBUTE", name, value);
}

bool writable_words(struct call *c, struct text path, const char *name, struct text value)
{
	return !value.len || xml_unwritable(value) == value.len ||
	       refuse_unwritable(c, path, "VALIDATION_FAILED", name, value);
}
