/* references.c: references between blocks, and validation of the document. */
#include "kinds/docjl/tools/common.h"
#include "kinds/docjl/tools/unseen.h"

#include "format/json_schema.h"

enum { ISSUES_MAX = 1000 };

struct document_args {
	struct text document_id;
};
static const struct field document_in[] = {DOCUMENT_ID(struct document_args), FIELDS_END};

struct issue {
	struct text source_label, target_label, error;
};
static const struct field issue_table[] = {
	FIELD(struct issue, source_label, TEXT, FIELD_REQUIRED | FIELD_EMPTY, ""),
	FIELD(struct issue, target_label, TEXT, FIELD_REQUIRED | FIELD_EMPTY, ""),
	FIELD(struct issue, error, TEXT, FIELD_REQUIRED, ""),
	FIELDS_END,
};
static const struct shape issue_shape = SHAPE(struct issue, "issue", issue_table);
struct refs_answer {
	bool valid;
	struct objects issues;
	int64_t total;
};
static const struct field refs_out[] = {
	FIELD(struct refs_answer, valid, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct refs_answer, issues, OBJECTS, FIELD_REQUIRED, "", .shape = &issue_shape),
	FIELD(struct refs_answer, total, INT, 0, "All issues; at most 1000 are listed"),
	FIELDS_END,
};

static bool validate_references(struct call *c, const void *in, void *out)
{
	const struct document_args *args = in;
	struct refs_answer *answer = out;
	ARRAY(struct issue) list = {0};
	ARRAY(int64_t) sources = {0};
	size_t bytes = 0;
	struct manual m;

	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	struct query q =
		query_on(m.t, "SELECT src, text FROM ref INDEXED BY ref_text WHERE doc = ?1 AND dst IS NULL ORDER "
			      "BY src, k");
	bind_int(&q, m.doc);
	while (query_row(&q)) {
		answer->total++;
		bytes += 100 + query_lent(&q, 1).len;
		if (list.n >= ISSUES_MAX || bytes > answer_room(c))
			continue;
		*ARRAY_PUSH(c->arena, &sources) = query_int(&q, 0);
		*ARRAY_PUSH(c->arena, &list) =
			(struct issue){TEXT(""), query_text(&q, c->arena, 1), TEXT("Target does not exist")};
	}
	query_end(&q);
	for (size_t i = 0; i < list.n; i++) {
		struct text label = uid_label(&m, sources.items[i]);
		list.items[i].source_label = label.at ? label : TEXT("(no label)");
	}
	bool sound = manual_is_sound(&m);
	manual_close(&m);
	answer->valid = !answer->total;
	answer->issues = (struct objects){list.n ? (void *)list.items : "", list.n};
	return sound;
}

struct retarget_args {
	struct text document_id;
	struct objects label_changes;
};
static const struct field retarget_in[] = {
	DOCUMENT_ID(struct retarget_args),
	FIELD(struct retarget_args, label_changes, OBJECTS, FIELD_REQUIRED,
	      "Applied at once, so two labels can be swapped; old may be a deleted label", .shape = &pair_shape,
	      .limits = BETWEEN(1, 1000)),
	FIELDS_END,
};
struct retarget_answer {
	bool success;
	int64_t updated_count;
	struct text audit_id;
};
static const struct field retarget_out[] = {
	FIELD(struct retarget_answer, success, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct retarget_answer, updated_count, INT, FIELD_REQUIRED, ""),
	FIELD(struct retarget_answer, audit_id, TEXT, 0, ""),
	FIELDS_END,
};

static bool update_references(struct call *c, const void *in, void *out)
{
	const struct retarget_args *args = in;
	struct retarget_answer *answer = out;
	struct json *record = json_new_object(c->arena);
	struct manual m;

	if (!manual_open(c, args->document_id, MANUAL_WRITE, &m))
		return false;
	/* The two structs have the same layout, so one array serves as both. */
	_Static_assert(sizeof(struct label_pair) == sizeof(struct target_change), "both are two texts");
	if (!block_retarget(&m, args->label_changes.items, args->label_changes.n, record, &answer->updated_count) ||
	    !manual_write(&m, "update_references", 0, (struct text){0}, record)) {
		manual_close(&m);
		if (!c->again && !c->dry_run)
			refusal_note(c, c->state, args->document_id, "update_references", (struct text){0});
		return false;
	}
	answer->success = true;
	answer->audit_id = c->dry_run ? (struct text){0} : audit_id(c->arena, m.id, m.audit_seq);
	return true;
}

struct used_args {
	struct text document_id, label;
};
static const struct field used_in[] = {
	DOCUMENT_ID(struct used_args),
	FIELD(struct used_args, label, TEXT, FIELD_REQUIRED, "The label that is cited"),
	FIELDS_END,
};
struct used_answer {
	struct texts sources;
	int64_t total;
};
static const struct field used_out[] = {
	FIELD(struct used_answer, sources, TEXTS, FIELD_REQUIRED, "Labels of the blocks that refer to it"),
	FIELD(struct used_answer, total, INT, FIELD_REQUIRED, ""),
	FIELDS_END,
};

static bool where_used(struct call *c, const void *in, void *out)
{
	const struct used_args *args = in;
	struct used_answer *answer = out;
	ARRAY(struct text) list = {0};
	struct references refs;
	struct manual m;
	struct node n;

	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	bool found = node_find(&m, args->label, &n);
	if (found) {
		refs_to(&m, n.uid, &refs);
		for (size_t i = 0; i < refs.items.n; i++) {
			/* References are sorted by source. A block with two references to it is listed once. */
			if (i && refs.items.items[i].src == refs.items.items[i - 1].src)
				continue;
			if (answer->total++ < ISSUES_MAX)
				*ARRAY_PUSH(c->arena, &list) = uid_label(&m, refs.items.items[i].src);
		}
	}
	manual_close(&m);
	answer->sources = (struct texts){list.n ? list.items : arena_alloc(c->arena, sizeof(struct text)), list.n};
	return found;
}

struct remark {
	struct text block_label, message;
};
static const struct field remark_table[] = {
	FIELD(struct remark, block_label, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, ""),
	FIELD(struct remark, message, TEXT, FIELD_REQUIRED, ""),
	FIELDS_END,
};
static const struct shape remark_shape = SHAPE(struct remark, "remark", remark_table);
struct schema_answer {
	bool valid;
	struct objects errors, warnings;
	int64_t error_count, warning_count;
};
static const struct field schema_out[] = {
	FIELD(struct schema_answer, valid, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct schema_answer, errors, OBJECTS, FIELD_REQUIRED, "", .shape = &remark_shape),
	FIELD(struct schema_answer, warnings, OBJECTS, FIELD_REQUIRED, "", .shape = &remark_shape),
	FIELD(struct schema_answer, error_count, INT, 0, "All; at most 300 are listed"),
	FIELD(struct schema_answer, warning_count, INT, 0, ""),
	FIELDS_END,
};

enum { REMARKS_MAX = 300 };
struct remarks {
	struct call *c;
	struct remark_list {
		ARRAY(struct remark) items;
		int64_t n; /* including those that are not listed */
		size_t bytes;
	} errors, warnings, unlabelled;
};

static void remark_add(struct remarks *r, struct remark_list *list, struct text label, struct text message)
{
	list->n++;
	list->bytes += label.len + message.len + 40;
	if (list->items.n < REMARKS_MAX && list->bytes < answer_room(r->c) / 2)
		*ARRAY_PUSH(r->c->arena, &list->items) = (struct remark){label, message};
}

static void error_add(struct remarks *r, struct text label, struct text message)
{
	remark_add(r, &r->errors, label, message);
}

static void warning_add(struct remarks *r, struct text label, struct text message)
{
	remark_add(r, &r->warnings, label, message);
}

/* Real manuals have thousands of blocks without a label. List them last, so that they do not hide other warnings. */
static void unlabelled_append(struct remarks *r)
{
	for (size_t i = 0; i < r->unlabelled.items.n; i++)
		warning_add(r, r->unlabelled.items.items[i].block_label, r->unlabelled.items.items[i].message);
	r->warnings.n += r->unlabelled.n - (int64_t)r->unlabelled.items.n;
}

/* The block for the checker, with the targets of references filled in. */
static const struct json *filled(const struct tree *t, uint32_t i, struct arena *a)
{
	struct buffer b = {.arena = a};
	struct json_out o = {.to = &b};
	const struct tree_node *n = &t->nodes.items[i];
	struct text *targets = arena_array(a, n->n_refs + 1, sizeof *targets);

	for (uint32_t k = 0; k < n->n_refs; k++) {
		const struct tree_ref *r = &t->refs.items[n->ref + k];
		targets[k] = r->to != TREE_NONE ? t->nodes.items[r->to].label : r->text;
	}
	const struct json *stored = n->body.at ? json_parse(a, n->body, JSON_DEPTH_MAX, &(struct json_error){0}) : NULL;
	block_fill(&o, json_is(stored, JSON_OBJECT) ? stored : json_new_object(a),
		   &(struct block_filler){.label = n->label, .targets = targets, .n = n->n_refs});
	const struct json *v = json_parse(a, buffer_text(&b), JSON_DEPTH_MAX, &(struct json_error){0});
	return v ? v : json_new_object(a);
}

static void check_node(struct remarks *r, const struct tree *t, uint32_t i)
{
	const struct tree_node *n = &t->nodes.items[i];
	struct arena scratch = {0};
	struct block_problems p = {.arena = &scratch};
	const struct json *block = filled(t, i, &scratch);
	struct docjl *kind = r->c->state;
	struct text why;
	struct label l;
	int64_t level, above;

	block_check(&p, block, false);
	for (size_t k = 0; k < p.errors.n; k++)
		error_add(r, n->label, text_copy(r->c->arena, p.errors.items[k]));
	for (size_t k = 0; k < p.warnings.n; k++)
		warning_add(r, n->label, text_copy(r->c->arena, p.warnings.items[k]));
	struct text hidden = unseen_of_block(r->c->arena, block);
	if (hidden.at)
		warning_add(r, n->label, text_format(r->c->arena, "Block has %.*s", TEXT_ARGS(hidden)));
	if (!block_type_find(n->type))
		error_add(r, n->label, text_format(r->c->arena, "type %s is unknown", shown(r->c, n->type)));
	if (n->label.at && !label_parse(n->label, &l))
		error_add(r, n->label, TEXT("label must be a prefix, a colon and an id, such as sec:4.2"));
	if (!n->label.at || n->is_auto)
		remark_add(r, &r->unlabelled, n->label, TEXT("Block had no label in the file"));
	const struct docjl_type *type = block_type_find(n->type);
	if (n->first != TREE_NONE && (!type || !type->holds))
		error_add(r, n->label, text_format(r->c->arena, "a %s cannot have children", shown(r->c, n->type)));
	if (kind->schema && !json_schema_holds(&scratch, kind->schema, block, &why))
		error_add(r, n->label, text_format(r->c->arena, "schema_file: %.*s", TEXT_ARGS(why)));
	if (n->parent != TREE_NONE && text_is(n->type, "heading") && json_integer(json_get(block, "level"), &level) &&
	    json_integer(json_get(tree_stored(t, n->parent), "level"), &above) && level != above + 1)
		warning_add(r, n->label,
			    text_format(r->c->arena, "Heading level %lld %s its parent's level %lld", (long long)level,
					level > above ? "skips" : "repeats or precedes", (long long)above));
	arena_free(&scratch);
}

static bool validate_schema(struct call *c, const void *in, void *out)
{
	const struct document_args *args = in;
	struct schema_answer *answer = out;
	struct remarks r = {.c = c};
	struct manual m;
	struct tree t;

	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	bool done = tree_read(&m, TREE_BODIES | TREE_REFS, &t);
	const struct json *metadata = json_parse(c->arena, m.metadata, JSON_DEPTH_MAX, &(struct json_error){0});
	if (!json_is(json_get(metadata, "title"), JSON_STRING))
		error_add(&r, (struct text){0}, TEXT("metadata.title must be a string, and it is required"));
	if (!json_get(metadata, "version"))
		error_add(&r, (struct text){0}, TEXT("metadata.version is required"));
	for (uint32_t i = t.first; done && i != TREE_NONE; i = tree_next(&t, i)) {
		check_node(&r, &t, i);
		done = i % 256 || goes_on(c);
	}
	manual_close(&m);
	unlabelled_append(&r);
	*answer = (struct schema_answer){!r.errors.n,
					 {r.errors.items.n ? (void *)r.errors.items.items : "", r.errors.items.n},
					 {r.warnings.items.n ? (void *)r.warnings.items.items : "", r.warnings.items.n},
					 r.errors.n,
					 r.warnings.n};
	return done;
}

const struct tool docjl_reference_tools[] = {
	TOOL("mcp_docjl_validate_references", "Find broken references",
	     "Lists cross-references whose target does not exist.", TOOL_READS, struct document_args, document_in,
	     struct refs_answer, refs_out, validate_references),
	TOOL("mcp_docjl_update_references", "Redirect references",
	     "Points all references to a label, including broken ones, to another label, which must exist.",
	     WRITES_ROWS | TOOL_DELETES | TOOL_IDEMPOTENT, struct retarget_args, retarget_in, struct retarget_answer,
	     retarget_out, update_references),
	TOOL("mcp_docjl_where_used", "Find citations", "Lists the blocks that refer to a label.",
	     TOOL_READS | TOOL_EXTRA, struct used_args, used_in, struct used_answer, used_out, where_used),
	TOOL("mcp_docjl_validate_schema", "Check a document",
	     "Checks every block against the DOCJL schema. Returns errors and warnings by label.", TOOL_READS,
	     struct document_args, document_in, struct schema_answer, schema_out, validate_schema),
	TOOLS_END,
};
