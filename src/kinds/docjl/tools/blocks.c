/* blocks.c: insert, update, move, delete. */
#include "kinds/docjl/tools/common.h"

/* Records a refused write for the auditor. */
static bool refused(struct call *c, struct manual *m, const char *op, struct text document, struct text label)
{
	struct docjl *kind = c->state;

	manual_close(m);
	if (!c->again && !c->dry_run)
		refusal_note(c, kind, document, op, label);
	return false;
}

static struct text entry_id(struct manual *m)
{
	return m->c->dry_run ? (struct text){0} : audit_id(m->c->arena, m->id, m->audit_seq);
}

struct insert_args {
	struct text document_id, parent_label, position, anchor_label;
	const struct json *block;
	bool brief;
};
#define BRIEF(S) FIELD(S, brief, FLAG, FIELD_TERSE, "Short result: counts without lists", .otherwise = "false")
#define POSITION_PROSE "before or after (beside anchor_label), inside or start (first child), end (last child)"
static const struct field insert_in[] = {
	DOCUMENT_ID(struct insert_args),
	FIELD(struct insert_args, block, MAP, FIELD_REQUIRED,
	      "paragraph{content}, heading{level,content,children}, section{title,children}, table{headers,rows,caption}, "
	      "list{ordered,items}, image{src,alt,caption}, code{content,language} or reference{target}; each with type. label is "
	      "optional"),
	FIELD(struct insert_args, parent_label, TEXT, 0, "Heading or section to insert into. Default: top level"),
	FIELD(struct insert_args, position, TEXT, 0, POSITION_PROSE, .otherwise = "\"end\"",
	      .choices = place_positions),
	FIELD(struct insert_args, anchor_label, TEXT, 0, "Block that before and after refer to"),
	BRIEF(struct insert_args),
	FIELDS_END,
};
struct insert_answer {
	bool success;
	struct text block_label, audit_id;
	struct texts affected_labels;
	struct objects label_changes;
	int64_t affected_count;
	const struct json *label_ranges;
	struct maybe_int updated_references;
};
static const struct field insert_out[] = {
	FIELD(struct insert_answer, success, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct insert_answer, block_label, TEXT, FIELD_REQUIRED, ""),
	FIELD(struct insert_answer, audit_id, TEXT, 0, ""),
	FIELD(struct insert_answer, affected_labels, TEXTS, 0,
	      "The new label, then new labels of renumbered blocks; not if brief"),
	FIELD(struct insert_answer, label_changes, OBJECTS, 0, "", .shape = &pair_shape),
	FIELD(struct insert_answer, affected_count, INT, 0, "Total; the lists hold at most 50"),
	FIELD(struct insert_answer, label_ranges, ANY, 0, "Of more: [{prefix, stem, from, to, by}]"),
	FIELD(struct insert_answer, updated_references, MAYBE_INT, 0,
	      "References whose label changed; omitted beyond 20 changes"),
	FIELDS_END,
};

/* The number of references to blocks whose label changed. A long list is not counted, because that would cost more than
 * the write. */
static struct maybe_int references_moved(struct manual *m)
{
	enum { COUNTED_MAX = 20 };
	struct maybe_int n = {.there = m->changed <= COUNTED_MAX};

	for (size_t i = 0; i < m->changes.n && n.there; i++) {
		int64_t uid = label_uid(m, m->changes.items[i].after);
		struct references refs;
		if (!uid)
			continue;
		refs_to(m, uid, &refs);
		n.value += (int64_t)refs.items.n;
	}
	return n;
}

/* A summary of the changes that the lists leave out. */
static const struct json *ranges_of_many(struct manual *m)
{
	return m->changed > (int64_t)shown_max(m->c, m->changes.n) ? label_ranges(m) : NULL;
}

static bool tool_insert(struct manual *m, const struct insert_args *args, struct insert_answer *answer,
			struct json *record, int64_t *uid)
{
	struct call *c = m->c;
	struct spot s;
	struct node n;
	const struct place_words words = {args->parent_label, args->position, args->anchor_label, "parent_label"};

	if (!manual_spot(m, &words, &s) || !block_insert(m, block_read(c, args->block, NULL), s, &n, record))
		return false;
	*uid = n.uid;
	size_t shown_n = args->brief ? 0 : shown_max(c, m->changes.n + 1);
	struct text *labels = arena_array(c->arena, shown_n + 1, sizeof *labels);
	labels[0] = node_label(m, &n);
	for (size_t i = 1; i < shown_n; i++)
		labels[i] = m->changes.items[i - 1].after;
	*answer = (struct insert_answer){.success = true,
					 .block_label = labels[0],
					 .affected_labels = {shown_n ? labels : NULL, shown_n},
					 .label_changes = args->brief ? (struct objects){0} : pairs_of(m),
					 .affected_count = m->changed + 1,
					 .label_ranges = args->brief ? NULL : ranges_of_many(m),
					 .updated_references = references_moved(m)};
	return manual_is_sound(m);
}

static bool insert_block(struct call *c, const void *in, void *out)
{
	const struct insert_args *args = in;
	struct insert_answer *answer = out;
	struct json *record = json_new_object(c->arena);
	struct manual m;
	int64_t uid;

	if (!manual_open(c, args->document_id, MANUAL_WRITE, &m))
		return false;
	if (!tool_insert(&m, args, answer, record, &uid) ||
	    !manual_write(&m, "insert_block", uid, answer->block_label, record))
		return refused(c, &m, "insert_block", args->document_id, args->parent_label);
	answer->audit_id = entry_id(&m);
	return true;
}

struct update_args {
	struct text document_id, block_label;
	const struct json *updates;
	bool brief;
};
static const struct field update_in[] = {
	DOCUMENT_ID(struct update_args),
	FIELD(struct update_args, block_label, TEXT, FIELD_REQUIRED, "The block"),
	FIELD(struct update_args, updates, MAP, FIELD_REQUIRED,
	      "Fields to set; null removes one. A new label renames the block, and references follow"),
	BRIEF(struct update_args),
	FIELDS_END,
};
struct update_answer {
	bool success;
	struct text audit_id;
	const struct json *previous_version;
	struct objects label_changes;
	struct maybe_int affected_count;
};
static const struct field update_out[] = {
	FIELD(struct update_answer, success, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct update_answer, audit_id, TEXT, 0, ""),
	FIELD(struct update_answer, previous_version, MAP, 0, "Not if brief"),
	FIELD(struct update_answer, label_changes, OBJECTS, 0, "", .shape = &pair_shape),
	FIELD(struct update_answer, affected_count, MAYBE_INT, 0, "How many labels changed; the list holds at most 50"),
	FIELDS_END,
};

static bool tool_update(struct manual *m, const struct update_args *args, struct update_answer *answer,
			struct json *record, int64_t *uid)
{
	struct node n;

	if (!node_find(m, args->block_label, &n) ||
	    !block_update(m, &n, args->updates, record, &answer->previous_version))
		return false;
	*uid = n.uid;
	answer->success = true;
	answer->affected_count = shown_count(m->c, m->changed, args->brief);
	answer->label_changes = args->brief ? (struct objects){0} : pairs_of(m);
	if (args->brief)
		answer->previous_version = NULL;
	return true;
}

static bool update_block(struct call *c, const void *in, void *out)
{
	const struct update_args *args = in;
	struct update_answer *answer = out;
	struct json *record = json_new_object(c->arena);
	struct manual m;
	int64_t uid;

	if (!manual_open(c, args->document_id, MANUAL_WRITE, &m))
		return false;
	if (!tool_update(&m, args, answer, record, &uid) ||
	    !manual_write(&m, "update_block", uid, uid_label(&m, uid), record))
		return refused(c, &m, "update_block", args->document_id, args->block_label);
	answer->audit_id = entry_id(&m);
	return true;
}

struct move_args {
	struct text document_id, block_label, target_parent, position, anchor_label;
	bool brief;
};
static const struct field move_in[] = {
	DOCUMENT_ID(struct move_args),
	FIELD(struct move_args, block_label, TEXT, FIELD_REQUIRED, "Block to move, with its children"),
	FIELD(struct move_args, target_parent, TEXT, 0, "Heading or section to move into. Default: top level"),
	FIELD(struct move_args, position, TEXT, 0, POSITION_PROSE, .otherwise = "\"end\"", .choices = place_positions),
	FIELD(struct move_args, anchor_label, TEXT, 0, "Block that before and after refer to. Default: target_parent"),
	BRIEF(struct move_args),
	FIELDS_END,
};
struct move_answer {
	bool success;
	struct text new_label, audit_id;
	struct objects affected_labels;
	int64_t affected_count;
	const struct json *label_ranges;
	struct maybe_int updated_references;
};
static const struct field move_out[] = {
	FIELD(struct move_answer, success, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct move_answer, new_label, TEXT, FIELD_REQUIRED, ""),
	FIELD(struct move_answer, audit_id, TEXT, 0, ""),
	FIELD(struct move_answer, affected_labels, OBJECTS, 0, "Not if brief", .shape = &pair_shape),
	FIELD(struct move_answer, affected_count, INT, 0, ""),
	FIELD(struct move_answer, label_ranges, ANY, 0, ""),
	FIELD(struct move_answer, updated_references, MAYBE_INT, 0, ""),
	FIELDS_END,
};

static bool tool_move(struct manual *m, const struct move_args *args, struct move_answer *answer, struct json *record,
		      int64_t *uid)
{
	const struct place_words words = {args->target_parent, args->position, args->anchor_label, "target_parent"};
	struct node n;
	struct spot s;

	if (!node_find(m, args->block_label, &n) || !manual_spot(m, &words, &s) || !block_move(m, &n, s, record))
		return false;
	*uid = n.uid;
	*answer = (struct move_answer){.success = true,
				       .new_label = node_path_label(m, &n),
				       .affected_labels = args->brief ? (struct objects){0} : pairs_of(m),
				       .affected_count = m->changed,
				       .label_ranges = args->brief ? NULL : ranges_of_many(m),
				       .updated_references = references_moved(m)};
	return manual_is_sound(m);
}

static bool move_block(struct call *c, const void *in, void *out)
{
	const struct move_args *args = in;
	struct move_answer *answer = out;
	struct json *record = json_new_object(c->arena);
	struct manual m;
	int64_t uid;

	if (!manual_open(c, args->document_id, MANUAL_WRITE, &m))
		return false;
	if (!tool_move(&m, args, answer, record, &uid) ||
	    !manual_write(&m, "move_block", uid, answer->new_label, record))
		return refused(c, &m, "move_block", args->document_id, args->block_label);
	answer->audit_id = entry_id(&m);
	return true;
}

struct delete_args {
	struct text document_id, block_label;
	bool cascade, renumber, confirm, brief;
};
static const struct field delete_in[] = {
	DOCUMENT_ID(struct delete_args),
	FIELD(struct delete_args, block_label, TEXT, FIELD_REQUIRED, "The block"),
	FIELD(struct delete_args, cascade, FLAG, 0, "Also delete its children. Default: they move up",
	      .otherwise = "false"),
	FIELD(struct delete_args, renumber, FLAG, 0, "Close the gap in the numbers", .otherwise = "false"),
	FIELD(struct delete_args, confirm, FLAG, 0, "The user agreed; do not ask again", .otherwise = "false"),
	BRIEF(struct delete_args),
	FIELDS_END,
};
struct delete_answer {
	bool success;
	int64_t deleted_count;
	struct text audit_id;
	struct texts broken_references;
	struct maybe_int broken_count, affected_count;
	struct objects label_changes;
};
static const struct field delete_out[] = {
	FIELD(struct delete_answer, success, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct delete_answer, deleted_count, INT, FIELD_REQUIRED, ""),
	FIELD(struct delete_answer, audit_id, TEXT, 0, ""),
	FIELD(struct delete_answer, broken_references, TEXTS, 0,
	      "\"source -> label\" of each that needs attention, at most 50; not if brief"),
	FIELD(struct delete_answer, broken_count, MAYBE_INT, 0, "How many there are"),
	FIELD(struct delete_answer, label_changes, OBJECTS, 0, "", .shape = &pair_shape),
	FIELD(struct delete_answer, affected_count, MAYBE_INT, 0, "How many labels changed; the list holds at most 50"),
	FIELDS_END,
};

static bool tool_delete(struct manual *m, const struct delete_args *args, struct delete_answer *answer,
			struct json *record, int64_t *uid)
{
	struct removal r = {.cascade = args->cascade, .renumber = args->renumber};
	struct node n;

	if (!node_find(m, args->block_label, &n) || !block_remove(m, &n, &r, record))
		return false;
	*uid = n.uid;
	size_t shown_refs = shown_max(m->c, r.broken.items.n);
	*answer = (struct delete_answer){.success = true,
					 .deleted_count = r.count,
					 .broken_references = {r.broken.items.items, shown_refs},
					 .broken_count = shown_count(m->c, (int64_t)r.broken.items.n, args->brief),
					 .affected_count = shown_count(m->c, m->changed, args->brief),
					 .label_changes = pairs_of(m)};
	if (!r.broken.items.n)
		answer->broken_references.items = arena_alloc(m->c->arena, sizeof(struct text));
	if (args->brief) {
		answer->broken_references = (struct texts){0};
		answer->label_changes = (struct objects){0};
	}
	return true;
}

static bool delete_block(struct call *c, const void *in, void *out)
{
	const struct delete_args *args = in;
	struct delete_answer *answer = out;
	struct json *record = json_new_object(c->arena);
	struct manual m;
	int64_t uid;
	bool waits = false;

	if (!manual_open(c, args->document_id, MANUAL_WRITE, &m))
		return false;
	if (!tool_delete(&m, args, answer, record, &uid) ||
	    !loss_agreed(&m, args->confirm,
			 text_format(c->arena, "Delete %s from %s?", shown(c, args->block_label), shown(c, m.id)),
			 &waits))
		return refused(c, &m, "delete_block", args->document_id, args->block_label);
	if (waits) {
		manual_close(&m);
		return true;
	}
	if (!manual_write(&m, "delete_block", uid, args->block_label, record))
		return refused(c, &m, "delete_block", args->document_id, args->block_label);
	answer->audit_id = entry_id(&m);
	return true;
}

struct retarget_operation {
	struct text document_id;
	struct objects label_changes;
};
static const struct field retarget_op_in[] = {
	FIELD(struct retarget_operation, label_changes, OBJECTS, FIELD_REQUIRED, "Old and new labels",
	      .shape = &pair_shape, .limits = BETWEEN(1, 1000)),
	FIELDS_END,
};
static const struct variant variants[] = {
	{"insert_block", "", SHAPE(struct insert_args, "op_insert", insert_in + 1)},
	{"update_block", "", SHAPE(struct update_args, "op_update", update_in + 1)},
	{"move_block", "", SHAPE(struct move_args, "op_move", move_in + 1)},
	{"delete_block", "", SHAPE(struct delete_args, "op_delete", delete_in + 1)},
	{"update_references", "", SHAPE(struct retarget_operation, "op_references", retarget_op_in)},
	{.name = NULL},
};
struct apply_args {
	struct text document_id;
	const struct json *operations;
	bool confirm;
};
static const struct field apply_in[] = {
	DOCUMENT_ID(struct apply_args),
	FIELD(struct apply_args, operations, ANY, FIELD_REQUIRED,
	      "[{\"op\":\"insert_block\", ...its arguments}]; op is insert_block, update_block, move_block, delete_block or "
	      "update_references",
	      .more = RARE{.schema = "\"type\":\"array\",\"items\":{\"type\":\"object\"},\"maxItems\":500"}),
	FIELD(struct apply_args, confirm, FLAG, 0, "The user agreed to what is deleted; do not ask again",
	      .otherwise = "false"),
	FIELDS_END,
};
struct apply_answer {
	bool success;
	const struct json *results;
};
static const struct field apply_out[] = {
	FIELD(struct apply_answer, success, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct apply_answer, results, ANY, FIELD_REQUIRED, "One for each operation, as its own tool returns it"),
	FIELDS_END,
};

static const struct json *without_op(struct call *c, const struct json *op)
{
	struct json *o = json_new_object(c->arena);

	for (uint32_t i = 0; i < op->len; i++)
		if (!text_is((struct text){op->members[i].key, op->members[i].key_len}, "op"))
			json_set_key(c->arena, o, (struct text){op->members[i].key, op->members[i].key_len},
				     &op->members[i].value);
	return o;
}

/* `confirmed` becomes false at an operation that deletes without confirm. */
static bool apply_one(struct manual *m, const struct json *op, struct json_out *o, bool *confirmed)
{
	struct call *c = m->c;
	struct text name = json_text(json_get(op, "op"));
	const struct variant *v = variants;
	struct json *record = json_new_object(c->arena);
	int64_t uid = 0;
	struct text label = {0};

	while (v->name && !text_is(name, v->name))
		v++;
	if (!v->name)
		return fail(c, FAULT_ARGUMENT,
			    "op %s is unknown; it is one of insert_block, update_block, move_block, delete_block, "
			    "update_references",
			    shown(c, name));
	void *args = arena_zero(c->arena, v->shape.size);
	if (!fields_decode(c, v->shape.fields, v->shape.size, without_op(c, op), args, NULL))
		return false;
	m->changes.n = m->fresh.n = 0;
	m->changed = 0;
	union {
		struct insert_answer insert;
		struct update_answer update;
		struct move_answer move;
		struct delete_answer delete;
	} answer = {0};
	const struct field *table = NULL;
	bool done = false;
	int64_t count = 0;
	switch (v - variants) {
	case 0:
		done = tool_insert(m, args, &answer.insert, record, &uid);
		label = answer.insert.block_label;
		table = insert_out;
		break;
	case 1:
		done = tool_update(m, args, &answer.update, record, &uid);
		table = update_out;
		break;
	case 2:
		done = tool_move(m, args, &answer.move, record, &uid);
		label = answer.move.new_label;
		table = move_out;
		break;
	case 3:
		done = tool_delete(m, args, &answer.delete, record, &uid);
		label = ((const struct delete_args *)args)->block_label;
		*confirmed &= ((const struct delete_args *)args)->confirm;
		table = delete_out;
		break;
	default: {
		const struct retarget_operation *r = args;
		done = block_retarget(m, r->label_changes.items, r->label_changes.n, record, &count);
		break;
	}
	}
	if (!done)
		return false;
	if (uid && !label.at)
		label = uid_label(m, uid);
	refs_bind(m);
	if (!labels_are_unique(m))
		return false;
	manual_record(m, v->name, uid, label, record);
	json_open(o, '{');
	json_key(o, "audit_id");
	json_put_text(o, audit_id(c->arena, m->id, m->audit_seq));
	if (table) {
		fields_encode_members(o, table, &answer);
	} else {
		json_key(o, "updated_count");
		json_put_int(o, count);
	}
	json_close(o, '}');
	return true;
}

static bool apply(struct call *c, const void *in, void *out)
{
	const struct apply_args *args = in;
	struct apply_answer *answer = out;
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};
	struct manual m;
	bool confirmed = true, waits = false;

	if (!json_is(args->operations, JSON_ARRAY) || !args->operations->len || args->operations->len > 500)
		return fail(c, FAULT_ARGUMENT, "operations must be a list of 1 to 500 objects");
	if (!manual_open(c, args->document_id, MANUAL_WRITE, &m))
		return false;
	json_open(&o, '[');
	for (uint32_t i = 0; i < args->operations->len; i++) {
		if (goes_on(c) && apply_one(&m, &args->operations->items[i], &o, &confirmed))
			continue;
		if (c->error.message)
			c->error.message =
				text_format(c->arena, "operations[%u]: %s; nothing was written", i, c->error.message)
					.at;
		return refused(c, &m, "apply", args->document_id, (struct text){0});
	}
	json_close(&o, ']');
	if (!loss_agreed(&m, args->confirm || confirmed,
			 text_format(c->arena, "Make %u changes in %s?", args->operations->len, shown(c, m.id)),
			 &waits))
		return refused(c, &m, "apply", args->document_id, (struct text){0});
	if (waits) {
		manual_close(&m);
		return true;
	}
	if (!manual_commit(&m, "apply the operations"))
		return false;
	answer->success = true;
	answer->results = parsed(c, &b);
	return true;
}

const struct tool docjl_block_tools[] = {
	TOOL("mcp_docjl_insert_block", "Insert a block",
	     "Inserts a block with its children. A block without a label gets the next one. Later blocks whose labels follow the position are renumbered, and references follow.",
	     WRITES_ROWS, struct insert_args, insert_in, struct insert_answer, insert_out, insert_block,
	     .example =
		     "{\"document_id\":\"doc_123\",\"parent_label\":\"sec:4\",\"position\":\"after\",\"anchor_label\":\"para:4.2\","
		     "\"block\":{\"type\":\"paragraph\",\"content\":[{\"type\":\"text\",\"content\":\"New paragraph text\"}]}}"),
	TOOL("mcp_docjl_update_block", "Change a block", "Sets fields of a block. Returns the previous version.",
	     WRITES_ROWS | TOOL_DELETES | TOOL_IDEMPOTENT, struct update_args, update_in, struct update_answer,
	     update_out, update_block),
	TOOL("mcp_docjl_move_block", "Move a block",
	     "Moves a block with its children. Labels that follow the position are renumbered, and references follow.",
	     WRITES_ROWS, struct move_args, move_in, struct move_answer, move_out, move_block),
	TOOL("mcp_docjl_delete_block", "Delete a block",
	     "Deletes a block. Returns the references that break. dry_run shows them first.",
	     WRITES_ROWS | TOOL_DELETES, struct delete_args, delete_in, struct delete_answer, delete_out, delete_block),
	TOOL("mcp_docjl_apply", "Make many changes",
	     "Does many block operations in one transaction, all or none. Counts as one write.",
	     WRITES_ROWS | TOOL_DELETES | TOOL_EXTRA, struct apply_args, apply_in, struct apply_answer, apply_out,
	     apply),
	TOOLS_END,
};
