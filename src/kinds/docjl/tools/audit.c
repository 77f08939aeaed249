/* audit.c: the trail for readers, its verification, rollback, and the list of changes. */
#include "kinds/docjl/tools/trail.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/utf8.h"

#include <string.h>

struct log_args {
	struct text document_id, block_label, cursor;
	struct maybe_int limit;
	bool include_refused, full_details;
};
static const struct field log_in[] = {
	DOCUMENT_ID(struct log_args),
	FIELD(struct log_args, limit, MAYBE_INT, FIELD_TERSE, "Most entries to return", .limits = BETWEEN(1, LIMIT_MAX),
	      .otherwise = "50"),
	FIELD(struct log_args, block_label, TEXT, 0, "Only changes of the block that has or had this label"),
	FIELD(struct log_args, cursor, TEXT, 0, "next_cursor from the previous result"),
	FIELD(struct log_args, full_details, FLAG, 0, "Whole details; default: a summary of at most 200 bytes",
	      .otherwise = "false"),
	FIELD(struct log_args, include_refused, FLAG, 0, "Also refused writes, wrong keys and requests over the limit",
	      .otherwise = "false"),
	FIELDS_END,
};
struct log_answer {
	const struct json *entries;
	struct text next_cursor;
};
static const struct field log_out[] = {
	FIELD(struct log_answer, entries, ANY, FIELD_REQUIRED,
	      "[{audit_id, timestamp, operation, user, block_label, details}], newest first"),
	FIELD(struct log_answer, next_cursor, TEXT, 0, ""),
	FIELDS_END,
};

enum { DETAIL_BYTES = 4000, BRIEF_BYTES = 200, BRIEF_WORDS = 64 };

/* Replaces a long detail by the arguments that return the whole entry. */
static const struct json *omitted(struct call *c, size_t bytes, int64_t seq)
{
	struct json *o = json_new_object(c->arena), *ask = json_new_object(c->arena);

	json_set_int(c->arena, o, "omitted_bytes", (int64_t)bytes);
	json_set_text(c->arena, ask, "cursor", cursor_write(c, seq + 1));
	json_set_int(c->arena, ask, "limit", 1);
	json_set(c->arena, ask, "full_details", json_new_bool(c->arena, true));
	json_set(c->arena, o, "get_whole_with", ask);
	return o;
}

/* Data for the undo only. */
static bool is_inner(const char *key)
{
	static const char *const inner[] = {"steps",      "uids",      "refs",        "autos",           "names",
					    "parent_uid", "after_uid", "before_refs", "rolled_back_seq", NULL};

	for (const char *const *k = inner; *k; k++)
		if (!strcmp(key, *k))
			return true;
	return false;
}

/* A block by its first words, a place by its container, a list by its length. */
static const struct json *value_brief(struct call *c, const struct json *v)
{
	struct arena *a = c->arena;
	struct text words = json_text(v);

	if (v->type == JSON_ARRAY)
		return json_new_int(a, v->len);
	if (v->type == JSON_OBJECT && json_get(v, "type")) {
		struct buffer b = {.arena = a};
		block_prose(&b, a, v);
		words = b.len ? buffer_text(&b) : TEXT("");
	} else if (v->type == JSON_OBJECT) {
		words = json_text(json_get(v, "parent"));
		words = words.at ? words : TEXT("top");
	} else if (v->type != JSON_STRING) {
		return v;
	}
	if (words.len <= BRIEF_WORDS)
		return json_new_text(a, words);
	struct text cut = text_slice(words, 0, utf8_cut(words, BRIEF_WORDS));
	return json_new_text(a, text_format(a, "%.*s...", TEXT_ARGS(cut)));
}

static const struct json *details_brief(struct call *c, const struct json *details)
{
	struct json *o = json_new_object(c->arena);

	for (uint32_t i = 0; json_is(details, JSON_OBJECT) && i < details->len; i++) {
		if (is_inner(details->members[i].key))
			continue;
		struct json *with = json_new_object(c->arena);
		for (uint32_t k = 0; k < o->len; k++)
			json_set_key(c->arena, with, (struct text){o->members[k].key, o->members[k].key_len},
				     &o->members[k].value);
		json_set_key(c->arena, with, (struct text){details->members[i].key, details->members[i].key_len},
			     value_brief(c, &details->members[i].value));
		if (json_source(c->arena, with).len <= BRIEF_BYTES)
			o = with;
	}
	return o;
}

/* Long details (a deleted chapter) are shown only if a single entry is requested. */
static const struct json *details_shown(struct call *c, struct text source, int64_t seq, bool is_whole)
{
	const struct json *d = json_parse(c->arena, source, JSON_DEPTH_MAX, &(struct json_error){0});
	struct json *o = json_new_object(c->arena);

	for (uint32_t i = 0; json_is(d, JSON_OBJECT) && i < d->len; i++) {
		if (is_inner(d->members[i].key))
			continue;
		size_t bytes =
			is_whole || source.len <= DETAIL_BYTES ? 0 : json_source(c->arena, &d->members[i].value).len;
		json_set_key(c->arena, o, (struct text){d->members[i].key, d->members[i].key_len},
			     bytes > DETAIL_BYTES ? omitted(c, bytes, seq) : &d->members[i].value);
	}
	return o;
}

enum details { DETAILS_BRIEF, DETAILS_SHOWN, DETAILS_WHOLE };

static void put_entry(struct json_out *o, struct manual *m, const struct entry *e, enum details details)
{
	struct call *c = m->c;

	entry_head(o, c->arena, e, m->id, false);
	json_key(o, "details");
	if (details == DETAILS_BRIEF)
		json_put(o,
			 details_brief(c, json_parse(c->arena, e->details, JSON_DEPTH_MAX, &(struct json_error){0})));
	else
		json_put(o, details_shown(c, e->details, e->seq, details == DETAILS_WHOLE));
	json_key(o, "hash");
	json_put_text(o, hex_encode(c->arena, e->hash));
	json_close(o, '}');
}

struct refusals {
	ARRAY(struct refusal {
		int64_t ts;
		struct text json;
	})
	items;
	size_t told;
};

/* Refusals before a time, newest first: of the document and, for callers who may see every document, of the server. */
static void refusals_read(struct manual *m, struct text label, int64_t before, int64_t limit, struct refusals *out)
{
	struct call *c = m->c;
	struct query q =
		query_on(m->t, "SELECT ts, op, usr, label, code, message FROM refusal WHERE doc IN (?1, ?2) AND ts "
			       "< ?3 AND (?4 = '' OR label = ?4) ORDER BY ts DESC LIMIT ?5");

	bind_int(&q, m->doc);
	bind_int(&q, manual_may(c, TEXT("*"), false) ? REFUSAL_OF_SERVER : m->doc);
	bind_int(&q, before);
	bind_text(&q, label.at ? storable(c->arena, label) : TEXT(""));
	bind_int(&q, limit);
	while (query_row(&q)) {
		struct buffer b = {.arena = c->arena};
		struct json_out o = {.to = &b};
		json_open(&o, '{');
		json_key(&o, "timestamp");
		json_put_text(&o, clock_iso(c->arena, query_int(&q, 0)));
		json_key(&o, "operation");
		json_put_text(&o, query_lent(&q, 1));
		json_key(&o, "user");
		json_put_text(&o, query_lent(&q, 2));
		json_key(&o, "block_label");
		json_put_text(&o, query_lent(&q, 3));
		json_key(&o, "result");
		json_put_string(&o, "refused");
		json_key(&o, "details");
		json_open(&o, '{');
		json_key(&o, "code");
		json_put_text(&o, query_lent(&q, 4));
		json_key(&o, "message");
		json_put_text(&o, query_lent(&q, 5));
		json_close(&o, '}');
		json_close(&o, '}');
		*ARRAY_PUSH(c->arena, &out->items) = (struct refusal){query_int(&q, 0), buffer_text(&b)};
	}
	query_end(&q);
}

static void refusals_put(struct json_out *o, struct refusals *r, int64_t since)
{
	for (; r->told < r->items.n && r->items.items[r->told].ts >= since; r->told++)
		json_put_raw(o, r->items.items[r->told].json);
}

/* When an entry was made. */
static int64_t entry_time(struct manual *m, int64_t seq)
{
	struct query q = query_on(m->t, "SELECT ts FROM audit WHERE doc = ?1 AND seq = ?2");

	bind_int(&q, m->doc);
	bind_int(&q, seq);
	int64_t ts = query_row(&q) ? query_int(&q, 0) : INT64_MAX;
	query_end(&q);
	return ts;
}

static bool get_audit_log(struct call *c, const void *in, void *out)
{
	const struct log_args *args = in;
	struct log_answer *answer = out;
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};
	struct manual m;
	int64_t before, limit = args->limit.there ? args->limit.value : 50, n = 0, last = 0;
	bool more = false;
	struct refusals refused = {0};
	bool is_whole = limit == 1 || answer_room(c) == SIZE_MAX;
	enum details details = !args->full_details ? DETAILS_BRIEF : is_whole ? DETAILS_WHOLE : DETAILS_SHOWN;

	if (!cursor_read(c, args->cursor, &before) || !manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	if (args->include_refused)
		refusals_read(&m, args->block_label, before ? entry_time(&m, before) : INT64_MAX, limit, &refused);
	/* Search by the block's uid, to find its history after a renumbering, and by the label of deleted blocks. */
	bool is_one = args->block_label.at != NULL;
	struct query q = query_on(
		m.t, is_one ? "SELECT " ENTRY_COLUMNS
			      " FROM audit WHERE doc = ?1 AND seq < ?2 AND seq IN (SELECT seq FROM audit "
			      "INDEXED BY audit_uid WHERE doc = ?1 AND uid = ?4 UNION SELECT seq FROM audit INDEXED BY "
			      "audit_label WHERE doc = ?1 AND label = ?5) ORDER BY seq DESC LIMIT ?3"
			    : "SELECT " ENTRY_COLUMNS
			      " FROM audit WHERE doc = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3");
	bind_int(&q, m.doc);
	bind_int(&q, before ? before : INT64_MAX);
	bind_int(&q, limit + 1);
	if (is_one) {
		int64_t uid = label_uid(&m, args->block_label);
		bind_int(&q, uid ? uid : -1); /* entries without a block have uid 0 */
		bind_text(&q, storable(c->arena, args->block_label));
	}
	json_open(&o, '[');
	while (!more && query_row(&q)) {
		struct entry e;
		entry_read(&q, c->arena, &e);
		if (n == limit || (n && b.len > answer_room(c))) {
			more = true;
			continue;
		}
		refusals_put(&o, &refused, e.ts);
		put_entry(&o, &m, &e, details);
		last = e.seq;
		n++;
	}
	query_end(&q);
	if (!more)
		refusals_put(&o, &refused, 0);
	json_close(&o, ']');
	bool sound = manual_is_sound(&m);
	manual_close(&m);
	if (more)
		answer->next_cursor = cursor_write(c, last);
	answer->entries = parsed(c, &b);
	return sound;
}

struct verify_args {
	struct text document_id, anchor;
};
static const struct field verify_in[] = {
	DOCUMENT_ID(struct verify_args),
	FIELD(struct verify_args, anchor, TEXT, 0,
	      "head of an earlier verification, or signed lines of quire docjl audit anchor; shows whether the trail was cut "
	      "or rewritten"),
	FIELDS_END,
};
static const struct field verify_out[] = {
	FIELD(struct verdict, valid, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct verdict, entries, INT, FIELD_REQUIRED, ""),
	FIELD(struct verdict, bad_entry, TEXT, 0, "The first entry that is wrong"),
	FIELD(struct verdict, reason, TEXT, 0, ""),
	FIELD(struct verdict, altered, TEXTS, 0, "The first blocks whose stored text is not as the trail says"),
	FIELD(struct verdict, altered_count, MAYBE_INT, 0, "How many there are"),
	FIELD(struct verdict, protected_from, TEXT, 0, "The entry from which on the trail protects the text"),
	FIELD(struct verdict, accepted, TEXT, 0, "The last entry by which a person accepted altered text"),
	FIELD(struct verdict, head, TEXT, FIELD_REQUIRED, "NUMBER:HASH of the newest; keep it elsewhere as an anchor"),
	FIELDS_END,
};

static bool verify_audit(struct call *c, const void *in, void *out)
{
	const struct verify_args *args = in;
	const struct trail_file *file = trail_file_read(c, c->state);
	struct manual m;

	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	bool done = trail_verify(&m, args->anchor, file, out);
	manual_close(&m);
	return done;
}

struct rollback_args {
	struct text audit_id;
	bool confirm;
};
static const struct field rollback_in[] = {
	FIELD(struct rollback_args, audit_id, TEXT, FIELD_REQUIRED, "audit_id of the change to undo"),
	FIELD(struct rollback_args, confirm, FLAG, 0, "The user agreed to delete what was inserted; do not ask again",
	      .otherwise = "false"),
	FIELDS_END,
};
struct rollback_answer {
	bool success;
	struct text audit_id, operation, block_label;
	struct objects label_changes;
	struct maybe_int affected_count;
};
static const struct field rollback_out[] = {
	FIELD(struct rollback_answer, success, FLAG, FIELD_REQUIRED, ""),
	FIELD(struct rollback_answer, audit_id, TEXT, 0, "Of the rollback itself"),
	FIELD(struct rollback_answer, operation, TEXT, FIELD_REQUIRED, "What was undone"),
	FIELD(struct rollback_answer, block_label, TEXT, 0, ""),
	FIELD(struct rollback_answer, label_changes, OBJECTS, 0, "", .shape = &pair_shape),
	FIELD(struct rollback_answer, affected_count, MAYBE_INT, 0,
	      "How many labels changed; the list holds at most 50"),
	FIELDS_END,
};

static bool entry_find(struct manual *m, int64_t seq, struct entry *out)
{
	struct query q = query_on(m->t, "SELECT " ENTRY_COLUMNS " FROM audit WHERE doc = ?1 AND seq = ?2");

	bind_int(&q, m->doc);
	bind_int(&q, seq);
	bool found = query_row(&q);
	if (found)
		entry_read(&q, m->c->arena, out);
	query_end(&q);
	return found;
}

static bool rollback(struct call *c, const void *in, void *out)
{
	const struct rollback_args *args = in;
	struct rollback_answer *answer = out;
	struct json *record = json_new_object(c->arena);
	struct text document = {0}, label;
	struct manual m;
	struct entry e;
	int64_t seq, uid;
	bool waits = false;

	if (!audit_parse(args->audit_id, &document, &seq))
		return fail(c, FAULT_ARGUMENT, "%s is no audit_id; mcp_docjl_get_audit_log lists them",
			    shown(c, args->audit_id));
	if (!manual_open(c, document, MANUAL_WRITE, &m))
		return false;
	bool done = entry_find(&m, seq, &e) ||
		    fail(c, FAULT_ARGUMENT, "there is no entry %s; mcp_docjl_get_audit_log lists them",
			 shown(c, args->audit_id));
	done = done && block_undo(&m, &e, record, &uid, &label);
	if (done) {
		answer->operation = e.op;
		answer->label_changes = pairs_of(&m);
		answer->affected_count = shown_count(c, m.changed, false);
		answer->block_label = label;
	}
	done = done &&
	       loss_agreed(&m, args->confirm,
			   text_format(c->arena, "Undo %s (%.*s)?", shown(c, args->audit_id), TEXT_ARGS(e.op)), &waits);
	if (done && waits) {
		manual_close(&m);
		return true;
	}
	if (!done || !manual_write(&m, "rollback", uid, label, record)) {
		manual_close(&m);
		if (!c->again && !c->dry_run)
			refusal_note(c, c->state, document, "rollback", (struct text){0});
		return false;
	}
	answer->success = true;
	answer->audit_id = c->dry_run ? (struct text){0} : audit_id(c->arena, m.id, m.audit_seq);
	return true;
}

struct diff_args {
	struct text document_id, from, to;
};
static const struct field diff_in[] = {
	DOCUMENT_ID(struct diff_args),
	FIELD(struct diff_args, from, TEXT, FIELD_REQUIRED, "Revision such as r12, or a date such as 2026-11-16"),
	FIELD(struct diff_args, to, TEXT, 0, "The same; default: now"),
	FIELDS_END,
};
struct diff_answer {
	const struct json *changes;
};
static const struct field diff_out[] = {
	FIELD(struct diff_answer, changes, MAP, FIELD_REQUIRED,
	      "{from, to, imported?, added, removed, moved, changed, redirected?}; in changed text [-old-] {+new+}; audit_id is for "
	      "rollback; omitted: how many more, for a smaller span or quire docjl changes"),
	FIELDS_END,
};

static bool diff(struct call *c, const void *in, void *out)
{
	const struct diff_args *args = in;
	struct diff_answer *answer = out;
	struct manual m;
	int64_t from, to;

	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	bool done = revision_at(&m, args->from, 0, &from) && revision_at(&m, args->to, m.revision, &to);
	if (done && args->to.at && from > to)
		done = fail(c, FAULT_ARGUMENT, "from %s is later than to %s; exchange them", shown(c, args->from),
			    shown(c, args->to));
	if (done) {
		struct changes found;
		trail_changes(&m, from, to, &found);
		answer->changes = changes_json(c, &found);
	}
	done = done && manual_is_sound(&m);
	manual_close(&m);
	return done;
}

const struct tool docjl_audit_tools[] = {
	TOOL("mcp_docjl_get_audit_log", "Read the audit trail",
	     "Lists who changed what and when, newest first, for a document or one block. Details are short; "
	     "full_details: true returns them whole.",
	     TOOL_READS, struct log_args, log_in, struct log_answer, log_out, get_audit_log),
	TOOL("mcp_docjl_verify_audit", "Verify the audit trail",
	     "Recomputes the hash chain of the trail and compares the stored text with it. Names the first entry or the "
	     "blocks that were altered.",
	     TOOL_READS | TOOL_EXTRA, struct verify_args, verify_in, struct verdict, verify_out, verify_audit),
	TOOL("mcp_docjl_rollback", "Undo a change",
	     "Undoes one change by its audit_id, as a new change. Refused if the same block was changed later.",
	     WRITES_ROWS | TOOL_DELETES | TOOL_EXTRA, struct rollback_args, rollback_in, struct rollback_answer,
	     rollback_out, rollback),
	TOOL("mcp_docjl_diff", "List changes",
	     "Lists what was added, removed, moved and changed between two revisions or dates.",
	     TOOL_READS | TOOL_EXTRA, struct diff_args, diff_in, struct diff_answer, diff_out, diff),
	TOOLS_END,
};
