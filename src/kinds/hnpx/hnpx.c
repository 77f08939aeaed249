#include "kinds/hnpx/hnpx.h"
#include "tool/reply.h"

#include "kinds/hnpx/repair/rough.h"
#include "kinds/hnpx/tree/reading.h"
#include "format/xml.h"
#include "work/history/history.h"

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

/* A hint in the details is the hint of the error. The message then keeps its own. */
static void set_details(struct call *c, const struct json *details)
{
	struct text hint = json_text(json_get(details, "hint"));

	c->error.details = details;
	if (!hint.at)
		return;
	c->error.message = error_sentence(c->arena, &c->error);
	c->error.hint = text_string(c->arena, hint);
}

bool book_refuse(struct call *c, const struct json *details, const char *code, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfail_as(c, code, format, ap);
	va_end(ap);
	set_details(c, details);
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
	set_details(c, details);
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
	const char *reason = error_sentence(c->arena, &c->error);

	if (c->error.fault == FAULT_EXISTS)
		return book_refuse(c, details_hint(c, path, if_exists), "FILE_EXISTS", "File already exists at %s",
				   whole_path(c, path));
	if (c->error.fault != FAULT_PATH && c->error.fault != FAULT_NOT_FOUND) {
		c->error.message = text_format(c->arena, FILE_NOT_MADE " %s: %s", whole_path(c, path), reason).at;
		return book_refused(c, path, NULL);
	}
	struct json *details = details_hint(c, path, "give a path inside the root whose folder exists");
	json_set_text(c->arena, details, "reason", text_of(reason));
	if (c->work)
		json_set_text(c->arena, details, "root", work_root(c->work, 0));
	return book_refuse(c, details, "INVALID_PATH", FILE_NOT_MADE " %s", whole_path(c, path));
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

static size_t offset_of(struct text bytes, uint32_t line, uint32_t column)
{
	size_t at = 0;

	for (; line > 1 && at < bytes.len; at++)
		line -= bytes.at[at] == '\n';
	at += column ? column - 1 : 0;
	return at < bytes.len ? at : bytes.len;
}

/* The place of the error. A bare & or < is often noticed only later, where the XML then makes no sense. */
static void add_place(struct call *c, struct json *details, struct text bytes, const struct mends *bare)
{
	const struct xml whole = {.bytes = bytes};
	uint32_t line = c->error.line, column = c->error.column;
	size_t at = offset_of(bytes, line, column);

	if (bare) {
		at = bare->first;
		line = xml_line(&whole, (uint32_t)at, &column);
		c->error.message = text_format(c->arena, "Document is not valid XML: line %u, column %u: a bare %c",
					       line, column, bytes.at[at])
					   .at;
	}
	json_set_int(c->arena, details, "line", line);
	json_set_int(c->arena, details, "column", column);
	json_set_text(c->arena, details, "around", text_of(rough_around(c->arena, bytes, at)));
}

/* What to call next. */
static void advise_broken(struct call *c, struct json *details, struct text path, size_t problems, bool is_bare)
{
	bool is_xml = problems > 0;
	const char *undo = history_advise_broken(c, path);
	struct buffer hint = {.arena = c->arena};

	if (problems > PROBLEMS_SHOWN)
		buffer_add(&hint, prose(c, "check_continuity lists all problems; "));
	if (is_xml)
		buffer_add(&hint, prose(c, "repair_document with dry_run lists what it would change"));
	else if (is_bare)
		buffer_add(&hint, prose(c, "repair_document mends the bare & and <"));
	if (undo) /* a whole call: its path is not rewritten as prose is */
		buffer_format(&hint, "%s%s undoes the change by another program that broke it", hint.len ? ", or " : "",
			      undo);
	if (!hint.len)
		buffer_put(&hint, "repair the file in a text editor, then call again");
	buffer_add(&hint, prose(c, is_xml ? "; get_subtree and render_node read what parses"
					  : "; get_subtree, render_node, render_document and `search` read the rest "
					    "with broken \"skip\""));
	json_set_text(c->arena, details, "hint", buffer_text(&hint));
}

/* Refuses a document that is not a book. Parses it again to list all problems. */
static bool refuse_broken(struct call *c, struct text path, struct text bytes)
{
	struct problems problems = {0};
	struct error error = {0};
	struct mends mends = {0};
	struct json *details = details_of(c, path);

	if (book_parse(c->arena, bytes, &problems, &error))
		return book_refused(c, path, NULL);
	c->error = error;
	bool is_xml = problems.list.n, is_bare = !is_xml && rough_escape(c->arena, bytes, &mends);
	if (is_xml) {
		json_set(c->arena, details, "problems", problems_json(c, &problems, PROBLEMS_SHOWN));
		json_set_int(c->arena, details, "problem_count", (int64_t)problems.total);
	} else {
		add_place(c, details, bytes, is_bare ? &mends : NULL);
	}
	advise_broken(c, details, path, problems.total, is_bare);
	set_details(c, details);
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

const char *const broken_choices[] = {"skip", NULL};

/* What a reader of a broken file must know first. */
static struct texts missing_of(struct call *c, const char *why, const struct mends *mends,
			       const struct problems *problems)
{
	struct texts list = {.items = arena_array(c->arena, 2 * (size_t)PROBLEMS_SHOWN + 2, sizeof(struct text))};
	size_t told = 0, total = mends->list.n + mends->more + problems->total;

	list.items[list.n++] = text_format(c->arena, "This file is broken and shown as far as it can be read. %s", why);
	for (size_t i = 0; i < mends->list.n && told < PROBLEMS_SHOWN; i++, told++)
		list.items[list.n++] = text_format(c->arena, "line %u: %.*s", mends->list.items[i].line,
						   TEXT_ARGS(mends->list.items[i].sentence));
	for (size_t i = 0; i < problems->list.n && told < PROBLEMS_SHOWN; i++, told++)
		list.items[list.n++] = text_format(c->arena, "line %u: %s", problems->list.items[i].line,
						   problems->list.items[i].sentence);
	if (told < total)
		list.items[list.n++] = text_format(c->arena, "and %zu more", total - told);
	return list;
}

bool book_read_rest(struct call *c, struct text path, struct opened *out, struct texts *missing)
{
	struct document *d;
	struct problems problems = {0}, rest = {0};
	struct error error = {0}, later = {0};
	struct mends mends = {0};

	*missing = (struct texts){0};
	if (!document_open(c, path, &d))
		return refused_open(c, path);
	*out = (struct opened){.path = path, .document = d};
	out->book = document_tree(c, d, &hnpx_format);
	if (out->book)
		return true;
	if (c->error.fault != FAULT_OWN)
		return book_refused(c, path, NULL);
	out->book = book_parse_broken(c->arena, document_bytes(d), &problems, &error);
	if (!out->book && !problems.list.n) {
		rough_read(c->arena, document_bytes(d), &mends);
		out->book = book_parse_broken(c->arena, mends.bytes, &rest, &later);
		problems = rest;
	}
	if (!out->book)
		return refuse_broken(c, path, document_bytes(d));
	c->error = (struct error){0};
	*missing = missing_of(c, error.message, &mends, &problems);
	return true;
}

bool book_read_shown(struct call *c, struct text path, int broken, struct opened *out, size_t *problems)
{
	struct buffer notice = {.arena = c->arena};
	struct texts missing;

	*problems = 0;
	if (broken < 0)
		return book_read_broken(c, path, out, problems);
	if (!book_read_rest(c, path, out, &missing))
		return false;
	for (size_t i = 0; i < missing.n; i++)
		buffer_format(&notice, "%s%.*s\n", i ? "- " : "", TEXT_ARGS(missing.items[i]));
	if (notice.len)
		reply_text(c, buffer_text(&notice));
	return true;
}

void book_tell_broken(struct call *c, size_t problems)
{
	if (problems)
		reply_text(
			c,
			said(c,
			     "This file breaks %zu rules of HNPX: elements out of place are not shown, and nothing can "
			     "be changed; check_continuity lists the problems, repair_document mends them",
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
	details_advise(c, details, "\"book\" names the root; get_subtree with depth 1 shows the ids below a node");
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
