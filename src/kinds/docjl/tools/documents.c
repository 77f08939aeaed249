/* documents.c: lists documents, reads one, lists its headings, creates one. */
#include "kinds/docjl/tools/common.h"
#include "kinds/docjl/tools/unseen.h"
#include "kinds/docjl/tree/containers.h"
#include "kinds/docjl/tree/page.h"

#include "base/clock.h"
#include "base/digest.h"

struct list_args {
	const struct json *filter;
	struct maybe_int limit;
	struct text cursor;
};
static const struct field list_in[] = {
	FIELD(struct list_args, filter, MAP, 0,
	      "MongoDB-style query over id, title, version, blocks_count, last_modified and metadata keys, such as "
	      "{\"title\":{\"$regex\":\"quality\",\"$options\":\"i\"}}"),
	FIELD(struct list_args, limit, MAYBE_INT, 0, "Default: 200", .limits = BETWEEN(1, LIMIT_MAX)),
	FIELD(struct list_args, cursor, TEXT, 0, "next_cursor from the previous result"),
	FIELDS_END,
};
struct list_entry {
	struct text id, title, version, last_modified;
	int64_t blocks_count;
};
static const struct field entry_out[] = {
	FIELD(struct list_entry, id, TEXT, FIELD_REQUIRED, ""),
	FIELD(struct list_entry, title, TEXT, FIELD_REQUIRED | FIELD_EMPTY, ""),
	FIELD(struct list_entry, version, TEXT, FIELD_REQUIRED | FIELD_EMPTY, ""),
	FIELD(struct list_entry, blocks_count, INT, FIELD_REQUIRED, ""),
	FIELD(struct list_entry, last_modified, TEXT, FIELD_REQUIRED, ""),
	FIELDS_END,
};
static const struct shape entry_shape = SHAPE(struct list_entry, "document", entry_out);
struct list_answer {
	struct objects documents;
	struct text next_cursor;
};
static const struct field list_out[] = {
	FIELD(struct list_answer, documents, OBJECTS, FIELD_REQUIRED, "", .shape = &entry_shape),
	FIELD(struct list_answer, next_cursor, TEXT, 0, ""),
	FIELDS_END,
};

static struct text plain_of(struct call *c, const struct json *v)
{
	if (!v || v->type == JSON_NULL)
		return TEXT("");
	return v->type == JSON_STRING ? json_text(v) : json_source(c->arena, v);
}

static const struct json *as_document(struct call *c, const struct list_entry *e, const struct json *metadata)
{
	struct json *o = json_new_object(c->arena);

	json_set_text(c->arena, o, "id", e->id);
	json_set_text(c->arena, o, "title", e->title);
	json_set_text(c->arena, o, "version", e->version);
	json_set_int(c->arena, o, "blocks_count", e->blocks_count);
	json_set_text(c->arena, o, "last_modified", e->last_modified);
	json_set(c->arena, o, "metadata", metadata);
	return o;
}

static bool list_documents(struct call *c, const void *in, void *out)
{
	const struct list_args *args = in;
	struct list_answer *answer = out;
	struct docjl *kind = c->state;
	struct transaction *t;
	ARRAY(struct list_entry) list = {0};
	int64_t from, limit = args->limit.there ? args->limit.value : 200, at = 0;
	size_t bytes = 0;
	int found = 1;

	answer->documents = (struct objects){"", 0};
	if (!cursor_read(c, args->cursor, &from) || filter_holds(c, args->filter, json_new_object(c->arena)) < 0 ||
	    !store_begin(c, kind->store, STORE_READ, &t))
		return false;
	if (!t)
		return true;
	struct query q = query_on(t, "SELECT id, metadata, blocks, modified_at FROM doc ORDER BY id");
	while (found >= 0 && !answer->next_cursor.at && query_row(&q)) {
		struct list_entry e = {.id = query_text(&q, c->arena, 0), .blocks_count = query_int(&q, 2)};
		if (!manual_may(c, e.id, false))
			continue;
		const struct json *metadata =
			json_parse(c->arena, query_text(&q, c->arena, 1), JSON_DEPTH_MAX, &(struct json_error){0});
		e.title = plain_of(c, json_get(metadata, "title"));
		e.version = plain_of(c, json_get(metadata, "version"));
		e.last_modified = clock_iso(c->arena, query_int(&q, 3));
		found = filter_holds(c, args->filter,
				     as_document(c, &e, metadata ? metadata : json_new_object(c->arena)));
		if (found != 1 || at++ < from)
			continue;
		bytes += 120 + e.id.len + e.title.len + e.version.len;
		if ((int64_t)list.n == limit || (list.n && bytes > answer_room(c)))
			answer->next_cursor = cursor_write(c, from + (int64_t)list.n);
		else
			*ARRAY_PUSH(c->arena, &list) = e;
	}
	query_end(&q);
	bool sound = !transaction_failed(t) || transaction_fail(c, t, "list the documents");
	transaction_rollback(t);
	if (list.n)
		answer->documents = (struct objects){list.items, list.n};
	return found >= 0 && sound;
}

struct get_args {
	struct text document_id;
	struct texts sections;
	struct maybe_int depth;
	struct text cursor;
};
static const struct field get_in[] = {
	DOCUMENT_ID(struct get_args),
	FIELD(struct get_args, sections, TEXTS, 0, "Only these subtrees, by label, such as [\"sec:4\"]",
	      .limits = AT_MOST(200)),
	FIELD(struct get_args, depth, MAYBE_INT, 0, "Levels to return; 1: without children", .limits = BETWEEN(1, 100)),
	FIELD(struct get_args, cursor, TEXT, 0, "next_cursor from the previous result, with the same arguments"),
	FIELDS_END,
};
struct get_answer {
	const struct json *document;
	struct maybe_int blocks_returned, blocks_count;
	struct text next_cursor;
};
static const struct field get_out[] = {
	FIELD(struct get_answer, document, MAP, FIELD_REQUIRED, "{id, metadata, docjll}; children_omitted where cut"),
	FIELD(struct get_answer, blocks_returned, MAYBE_INT, 0, "If this is one page of several"),
	FIELD(struct get_answer, blocks_count, MAYBE_INT, 0, "Of the whole document"),
	FIELD(struct get_answer, next_cursor, TEXT, 0, "For the next page, if there is one"),
	FIELDS_END,
};

enum { WHOLE_BLOCKS = 400 }; /* a larger document does not fit into one page */

/* The parts that the call asks for, read at once. */
static bool put_at_once(struct manual *m, const struct get_args *args, const struct uids *roots, struct buffer *to)
{
	const struct tree_form form = {.depth = args->depth.there ? args->depth.value : 0};
	struct json_out o = {.to = to};
	struct tree t;
	bool is_part = roots || form.depth;

	if (!(is_part ? tree_read_part(m, roots, form.depth, &t) : tree_read(m, TREE_BODIES | TREE_REFS, &t)))
		return false;
	tree_put_document(&o, &t, &form);
	return true;
}

/* A cursor is REVISION-UID. */
static bool page_begins(struct manual *m, struct text cursor, int64_t *after)
{
	size_t dash = text_find(cursor, TEXT("-"), 0);
	struct call *c = m->c;

	*after = 0;
	if (!cursor.at)
		return true;
	if (dash == SIZE_MAX || !cursor_read(c, text_slice(cursor, dash + 1, cursor.len), after))
		return fail(c, FAULT_ARGUMENT, "cursor %s is not one that this tool returned; leave it out to begin",
			    shown(c, cursor));
	return text_same(text_slice(cursor, 0, dash), manual_revision(m)) ||
	       fail(c, FAULT_CONFLICT,
		    "the document %s was changed since the page before: it is %s now; begin again without cursor",
		    shown(c, m->id), manual_revision(m).at);
}

static bool put_page(struct manual *m, const struct get_args *args, const struct uids *roots, struct buffer *to,
		     struct get_answer *answer)
{
	struct json_out o = {.to = to};
	struct page_request r = {.roots = roots, .depth = args->depth.there ? args->depth.value : 0};
	struct page_result got;

	if (!page_begins(m, args->cursor, &r.after))
		return false;
	to->len = 0;
	json_open(&o, '{');
	json_key(&o, "id");
	json_put_text(&o, m->id);
	json_key(&o, "metadata");
	json_put_raw(&o, m->metadata);
	json_key(&o, "docjll");
	size_t room = answer_room(m->c);
	r.bytes = to->len < room / 2 ? room - to->len : room / 2;
	if (!page_put(&o, m, &r, &got))
		return false;
	json_close(&o, '}');
	answer->blocks_returned = (struct maybe_int){got.n, true};
	answer->blocks_count = (struct maybe_int){m->blocks, true};
	if (got.last)
		answer->next_cursor = text_format(m->c->arena, "%s-%lld", manual_revision(m).at, (long long)got.last);
	return true;
}

static bool get_document(struct call *c, const void *in, void *out)
{
	const struct get_args *args = in;
	struct get_answer *answer = out;
	struct manual m;
	struct uids roots;
	struct buffer b = {.arena = c->arena};
	bool is_part = args->sections.n || args->depth.there, is_whole = answer_room(c) >= ANSWER_WHOLE / 2;

	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	bool done = !args->sections.n || labels_find(&m, args->sections.items, args->sections.n, &roots);
	const struct uids *some = args->sections.n ? &roots : NULL;
	bool at_once = !args->cursor.at && (is_whole || is_part || m.blocks <= WHOLE_BLOCKS);
	done = done && (!at_once || put_at_once(&m, args, some, &b));
	if (done && (!at_once || (b.len > answer_room(c) && !is_whole)))
		done = put_page(&m, args, some, &b, answer);
	manual_close(&m);
	if (!done)
		return false;
	if (b.len > ANSWER_MAX && answer_room(c) != SIZE_MAX)
		return fail(
			c, FAULT_TOO_LARGE,
			"the answer would have %zu bytes, and %d is the limit; leave out answer_whole to read pages, or request sections "
			"(mcp_docjl_list_headings shows labels), a depth such as 2, or use quire docjl export",
			b.len, (int)ANSWER_MAX);
	answer->document = parsed_seen(c, &b);
	return true;
}

struct outline_args {
	struct text document_id;
	struct maybe_int max_depth;
};
static const struct field outline_in[] = {
	DOCUMENT_ID(struct outline_args),
	FIELD(struct outline_args, max_depth, MAYBE_INT, 0, "1: only the top level", .limits = BETWEEN(1, 100)),
	FIELDS_END,
};
struct outline_answer {
	const struct json *outline;
	struct maybe_flag cut;
};
static const struct field outline_out[] = {
	FIELD(struct outline_answer, outline, ANY, FIELD_REQUIRED, "[{level, label, title, children?}]"),
	FIELD(struct outline_answer, cut, MAYBE_FLAG, 0,
	      "True if cut; request a smaller max_depth, or page through search_blocks with type heading"),
	FIELDS_END,
};

struct outlining {
	struct containers walk;
	const struct container *now; /* NULL: the end */
	struct buffer b;
	struct json_out o;
	int64_t max_depth;
	bool is_cut;
	size_t room;
};

static void put_entry(struct outlining *w, const struct container *k, int64_t level)
{
	json_open(&w->o, '{');
	json_key(&w->o, "level");
	json_put_int(&w->o, level);
	json_key(&w->o, "label");
	json_put_text(&w->o, k->label);
	json_key(&w->o, "title");
	json_put_text(&w->o, block_title(w->walk.m->c->arena, k->stored));
}

static bool is_heading(const struct container *k) { return text_is(k->node.type, "heading"); }

/* In a flat document, sibling headings are nested by their level: is the next one below a heading of this level? */
static bool is_deeper(const struct outlining *w, int64_t at, int64_t level)
{
	int64_t next;

	return w->now && w->now->depth == at && is_heading(w->now) &&
	       json_integer(json_get(w->now->stored, "level"), &next) && next > level;
}

/* The containers at one depth of the tree. `depth` is their depth in the outline. In a flat document the list ends
 * before a heading of the level `above`. */
static void outline_list(struct outlining *w, int64_t at, int64_t depth, int64_t above)
{
	json_open(&w->o, '[');
	while (w->now && w->now->depth == at) {
		const struct container k = *w->now;
		int64_t level = depth;
		json_integer(json_get(k.stored, "level"), &level);
		if (is_heading(&k) && level <= above)
			break;
		if (w->b.len > w->room) {
			w->is_cut = true;
			w->now = NULL;
			break;
		}
		put_entry(w, &k, level);
		w->now = containers_next(&w->walk);
		bool nests = !k.holds_containers && is_heading(&k) && is_deeper(w, at, level);
		if ((k.holds_containers || nests) && depth < w->max_depth) {
			json_key(&w->o, "children");
			outline_list(w, nests ? at : at + 1, depth + 1, nests ? level : 0);
		}
		while (w->now && (w->now->depth > at || (nests && is_deeper(w, at, level))))
			w->now = containers_next(&w->walk);
		json_close(&w->o, '}');
	}
	json_close(&w->o, ']');
}

static bool list_headings(struct call *c, const void *in, void *out)
{
	const struct outline_args *args = in;
	struct outline_answer *answer = out;
	struct outlining w = {.b = {.arena = c->arena}, .room = answer_room(c)};
	struct manual m;

	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	w.o.to = &w.b;
	w.max_depth = args->max_depth.there ? args->max_depth.value : DEPTH_MAX;
	containers_begin(&w.walk, &m, w.max_depth);
	w.now = containers_next(&w.walk);
	outline_list(&w, 1, 1, 0);
	answer->outline = parsed(c, &w.b);
	answer->cut = (struct maybe_flag){true, w.is_cut};
	bool sound = manual_is_sound(&m) && goes_on(c);
	manual_close(&m);
	return sound;
}

struct create_args {
	const struct json *document;
};
static const struct field create_in[] = {
	FIELD(struct create_args, document, MAP, FIELD_REQUIRED,
	      "{id, metadata:{title, version}, docjll:[blocks]}; blocks without a label get one"),
	FIELDS_END,
};
struct create_answer {
	bool success;
	struct text document_id, audit_id;
	int64_t blocks_count, labels_given, broken_references;
};
static const struct field create_out[] = {
	FIELD(struct create_answer, success, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct create_answer, document_id, TEXT, FIELD_REQUIRED, ""),
	FIELD(struct create_answer, audit_id, TEXT, 0, ""),
	FIELD(struct create_answer, blocks_count, INT, FIELD_REQUIRED, ""),
	FIELD(struct create_answer, labels_given, INT, FIELD_REQUIRED, ""),
	FIELD(struct create_answer, broken_references, INT, FIELD_REQUIRED, ""),
	FIELDS_END,
};

static bool create_document(struct call *c, const void *in, void *out)
{
	const struct create_args *args = in;
	struct create_answer *answer = out;
	struct import_result r;
	unsigned char digest[32];

	sha256(json_source(c->arena, args->document), digest);
	const struct import_options o = {.sha256 = hex_encode(c->arena, (struct text){(char *)digest, sizeof digest})};
	if (!import_document(c, args->document, &o, &r)) {
		struct text id = json_text(json_get(args->document, "id"));
		if (id.len && !c->again && !c->dry_run)
			refusal_note(c, c->state, id, "create_document", (struct text){0});
		/* Use the specification's error code instead of the core's. */
		if (c->error.fault == FAULT_EXISTS)
			c->error.fault = FAULT_OWN, c->error.code = SCHEMA_FAILED;
		return false;
	}
	for (size_t i = 0; i < r.changed.items.n; i++)
		warn(c, "%.*s", TEXT_ARGS(r.changed.items.items[i]));
	*answer = (struct create_answer){true,     r.id,       c->dry_run ? (struct text){0} : r.audit,
					 r.blocks, r.labelled, r.broken};
	return true;
}

const struct tool docjl_document_tools[] = {
	TOOL("mcp_docjl_list_documents", "List documents",
	     "Lists the manuals with title, version, number of blocks and time of the last change.",
	     TOOL_READS | TOOL_NO_REVISION, struct list_args, list_in, struct list_answer, list_out, list_documents),
	TOOL("mcp_docjl_get_document", "Read a document",
	     "Returns a manual, or only some sections of it, as JSON blocks, in pages of 60,000 characters. Large manuals: take "
	     "labels from mcp_docjl_list_headings or mcp_docjl_search_blocks and ask for those sections.",
	     TOOL_READS, struct get_args, get_in, struct get_answer, get_out, get_document),
	TOOL("mcp_docjl_list_headings", "Show the outline",
	     "Returns the table of contents: level, label and title of each heading and section.", TOOL_READS,
	     struct outline_args, outline_in, struct outline_answer, outline_out, list_headings),
	TOOL("mcp_docjl_create_document", "Create a document", "Creates a manual from a complete document.",
	     WRITES_ROWS | TOOL_NO_CONDITION, struct create_args, create_in, struct create_answer, create_out,
	     create_document),
	TOOLS_END,
};
