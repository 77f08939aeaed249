/* audit.c: the trail. An entry is written in the transaction of its change and contains the data to undo it.
 *
 * Each entry has the hash of the previous one. Its own hash is SHA-256 over that hash and the entry's canonical
 * text. */
#include "kinds/docjl/rows/manual.h"

#include "base/clock.h"
#include "base/digest.h"
#include "kinds/docjl/rows/trail_file.h"

#include <stdlib.h>
#include <string.h>

struct text audit_id(struct arena *a, struct text document, int64_t seq)
{
	return text_format(a, "audit_%.*s_%lld", TEXT_ARGS(document), (long long)seq);
}

bool audit_parse(struct text id, struct text *document, int64_t *seq)
{
	size_t last = id.len;

	if (!text_starts(id, "audit_"))
		return false;
	while (last && id.at[last - 1] != '_')
		last--;
	if (last <= 7 || last == id.len || id.len - last > 15)
		return false;
	*seq = 0;
	for (size_t i = last; i < id.len; i++) {
		if (id.at[i] < '0' || id.at[i] > '9')
			return false;
		*seq = *seq * 10 + (id.at[i] - '0');
	}
	*document = text_slice(id, 6, last - 1);
	return true;
}

void entry_head(struct json_out *o, struct arena *a, const struct entry *e, struct text document, bool is_exact)
{
	json_open(o, '{');
	json_key(o, "audit_id");
	json_put_text(o, audit_id(a, document, e->seq));
	json_key(o, "timestamp");
	json_put_text(o, clock_iso(a, e->ts));
	if (is_exact) {
		json_key(o, "at_ms");
		json_put_int(o, e->ts);
	}
	json_key(o, "operation");
	json_put_text(o, e->op);
	json_key(o, "user");
	json_put_text(o, e->user);
	json_key(o, "block_label");
	json_put_text(o, e->label);
}

static void put_entry(struct json_out *o, struct arena *a, const struct entry *e, struct text document)
{
	entry_head(o, a, e, document, true);
	json_key(o, "uid");
	json_put_int(o, e->uid);
	json_key(o, "touched");
	json_put_text(o, e->touched);
	if (e->state.at) {
		json_key(o, "state");
		json_put_text(o, hex_encode(a, e->state));
	}
	json_key(o, "details");
	json_put_raw(o, e->details);
}

void entry_hash(const struct entry *e, struct text document, unsigned char out[32])
{
	struct arena scratch = {0};
	struct buffer b = {.arena = &scratch};
	struct json_out o = {.to = &b};

	buffer_add(&b, e->prev);
	put_entry(&o, &scratch, e, document);
	json_close(&o, '}');
	sha256(buffer_text(&b), out);
	arena_free(&scratch);
}

struct text entry_line(struct arena *a, const struct entry *e, struct text document)
{
	struct buffer b = {.arena = a};
	struct json_out o = {.to = &b};

	put_entry(&o, a, e, document);
	json_key(&o, "prev_hash");
	json_put_text(&o, hex_encode(a, e->prev));
	json_key(&o, "hash");
	json_put_text(&o, hex_encode(a, e->hash));
	json_close(&o, '}');
	buffer_byte(&b, '\n');
	return buffer_text(&b);
}

void entry_read(struct query *q, struct arena *a, struct entry *out)
{
	*out = (struct entry){
		.seq = query_int(q, 0),
		.ts = query_int(q, 1),
		.op = query_text(q, a, 2),
		.user = query_text(q, a, 3),
		.uid = query_int(q, 4),
		.label = query_text(q, a, 5),
		.details = query_text(q, a, 6),
		.touched = query_text(q, a, 7),
		.prev = query_text(q, a, 8),
		.hash = query_text(q, a, 9),
		.state = query_text(q, a, 10),
	};
}

static struct text user_of(struct call *c)
{
	return c->caller && c->caller->name.at ? storable(c->arena, c->caller->name) : TEXT("anonymous");
}

static struct text touched_list(struct manual *m)
{
	struct buffer b = {.arena = m->c->arena};

	for (size_t i = 0; i < m->touched.n; i++)
		buffer_format(&b, "%s%lld", i ? " " : "", (long long)m->touched.items[i]);
	for (size_t i = 0; i < m->ranges.n; i++)
		buffer_format(&b, " g%lld/%.*s", (long long)m->ranges.items[i].stem,
			      TEXT_ARGS(m->ranges.items[i].prefix));
	if (m->undoes)
		buffer_format(&b, " r%lld", (long long)m->undoes);
	return buffer_text(&b);
}

const struct json *label_ranges(struct manual *m)
{
	struct arena *a = m->c->arena;
	struct json *ranges = json_new_array(a);

	for (size_t i = 0; i < m->ranges.n; i++) {
		const struct label_range *r = &m->ranges.items[i];
		struct json *o = json_new_object(a);
		json_set_text(a, o, "prefix", r->prefix);
		json_set_text(a, o, "stem", r->number.at ? r->number : TEXT(""));
		json_set_int(a, o, "from", r->from);
		json_set_int(a, o, "to", r->to);
		json_set_int(a, o, "by", r->by);
		json_push(a, ranges, o);
	}
	return ranges;
}

static void put_labels(struct manual *m, struct json *details)
{
	struct arena *a = m->c->arena;

	if (m->ranges.n)
		json_set(a, details, "label_ranges", label_ranges(m));
	if (m->steps)
		json_set(a, details, "steps", m->steps);
	if (m->bindings)
		json_set(a, details, "repaired_references", m->bindings);
}

/* Rows that another program changed and this write changed too. The entry names them, so that the write does not hide
 * that; trail_verify() reports it. */
static void put_altered(struct manual *m, struct json *details)
{
	struct arena *a = m->c->arena;
	struct seals *s = &m->seals;
	struct json *list = json_new_array(a);

	if (!s->altered.n && !s->is_torn)
		return;
	for (size_t i = 0; i < s->altered.n && i < SEAL_NAMED_MAX; i++)
		json_push(a, list, json_new_text(a, seal_name(m, s->altered.items[i])));
	if (s->is_torn)
		json_push(a, list, json_new_text(a, TEXT("the document's row or its hashes")));
	json_set(a, details, "altered_outside", list);
	warn(m->c, "the stored text was changed outside of quire (%.*s); the audit trail records that",
	     TEXT_ARGS(json_text(&list->items[0])));
	s->altered.n = 0;
	s->is_torn = false;
}

void manual_record(struct manual *m, const char *op, int64_t uid, struct text label, struct json *details)
{
	static const char zero[32];
	struct call *c = m->c;
	struct entry e = {
		.seq = ++m->audit_seq,
		.ts = clock_now(),
		.uid = uid,
		.op = text_of(op),
		.user = user_of(c),
		.label = label,
		.touched = touched_list(m),
		.prev = m->audit_hash.len == 32 ? m->audit_hash : (struct text){zero, 32},
	};

	put_labels(m, details);
	m->modified_at = e.ts;
	m->revision++;
	struct seal_hash *state = arena_new(c->arena, struct seal_hash);
	seal_state(m, state);
	e.state = (struct text){(const char *)state, sizeof *state};
	put_altered(m, details);
	e.details = json_source(c->arena, details);
	unsigned char *hash = arena_alloc(c->arena, 32);
	entry_hash(&e, m->id, hash);
	e.hash = (struct text){(char *)hash, 32};
	struct query q = query_on(
		m->t, "INSERT INTO audit (doc, seq, ts, op, usr, uid, label, details, touched, prev, hash, state) "
		      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
	bind_int(&q, m->doc);
	bind_int(&q, e.seq);
	bind_int(&q, e.ts);
	bind_text(&q, e.op);
	bind_text(&q, e.user);
	bind_int(&q, e.uid);
	bind_text(&q, e.label);
	bind_text(&q, e.details);
	bind_text(&q, e.touched);
	bind_bytes(&q, e.prev);
	bind_bytes(&q, e.hash);
	bind_bytes(&q, e.state);
	query_run(&q);
	m->audit_hash = e.hash;
	trail_file_keep(m, &e);
	m->steps = m->bindings = NULL;
	m->ranges.n = 0;
	m->touched.n = 0;
}

bool manual_commit(struct manual *m, const char *doing)
{
	struct call *c = m->c;
	struct query q =
		query_on(m->t, "UPDATE doc SET metadata = ?2, modified_at = ?3, revision = ?4, blocks = ?5, next_uid = "
			       "?6, next_run = ?7, audit_seq = ?8, audit_hash = ?9, irregular = ?10 WHERE doc = ?1");

	bind_int(&q, m->doc);
	bind_text(&q, m->metadata);
	bind_int(&q, m->modified_at);
	bind_int(&q, m->revision);
	bind_int(&q, m->blocks);
	bind_int(&q, m->next_uid);
	bind_int(&q, m->next_run);
	bind_int(&q, m->audit_seq);
	bind_bytes(&q, m->audit_hash);
	bind_int(&q, m->irregular);
	query_run(&q);
	if (m->loss.blocks && !m->loss.is_agreed && !c->dry_run) {
		manual_close(m);
		return fail_as(c, CONFIRMATION_REQUIRED, "this would delete %lld blocks, and nobody agreed to that",
			       (long long)m->loss.blocks);
	}
	if (c->dry_run) {
		bool sound = manual_is_sound(m);
		manual_close(m);
		return sound;
	}
	seal_write(m);
	struct transaction *t = m->t;
	m->t = NULL;
	if (!transaction_commit(c, t, doing))
		return false;
	budget_lift();
	c->revision = manual_revision(m);
	trail_file_write(m);
	return true;
}

bool manual_write(struct manual *m, const char *op, int64_t uid, struct text label, struct json *details)
{
	refs_bind(m);
	if (!labels_are_unique(m)) {
		manual_close(m);
		return false;
	}
	manual_record(m, op, uid, label, details);
	return manual_commit(m, op);
}

/* Repeated refusals are recorded once a minute, so that a caller cannot fill the trail. */
static bool is_told(struct call *c, struct transaction *t, int64_t doc, const char *code)
{
	if (c->error.fault != FAULT_RATE && c->error.fault != FAULT_DENIED && c->error.fault != FAULT_KEY)
		return false;
	struct query q =
		query_on(t, "SELECT ts FROM refusal WHERE doc = ?1 AND ts > ?2 AND usr = ?3 AND code = ?4 LIMIT 1");
	bind_int(&q, doc);
	bind_int(&q, clock_now() - 60000);
	bind_text(&q, user_of(c));
	bind_text(&q, text_of(code));
	bool told = query_row(&q);
	query_end(&q);
	return told;
}

void refusal_note(struct call *c, struct docjl *kind, struct text document, const char *op, struct text label)
{
	struct call aside = {
		.arena = c->arena, .caller = c->caller, .deadline = c->deadline, .cancelled = c->cancelled};
	const char *code = kind_code(&kind_docjl, &c->error);
	struct transaction *t;
	uint32_t nonce;

	if (text_has_nul(document) || kind->is_read_only || !store_begin(&aside, kind->store, STORE_READ, &t) || !t)
		return;
	struct query q;
	int64_t doc = REFUSAL_OF_SERVER;
	bool is_known = !document.len;
	if (document.len) {
		q = query_on(t, "SELECT doc FROM doc WHERE id = ?1");
		bind_text(&q, document);
		is_known = query_row(&q);
		doc = is_known ? query_int(&q, 0) : 0;
		query_end(&q);
	}
	bool is_new = is_known && !is_told(c, t, doc, code);
	transaction_rollback(t);
	if (!is_new || !store_begin(&aside, kind->store, STORE_WRITE_LAZY, &t))
		return;
	random_bytes(&nonce, sizeof nonce);
	q = query_on(
		t,
		"INSERT INTO refusal (doc, ts, nonce, op, usr, label, code, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
		"?8)");
	bind_int(&q, doc);
	bind_int(&q, clock_now());
	bind_int(&q, nonce);
	bind_text(&q, text_of(op));
	bind_text(&q, user_of(c));
	bind_text(&q, storable(c->arena, text_slice(label, 0, LABEL_MAX)));
	bind_text(&q, text_of(code));
	bind_text(&q, text_of(c->error.message ? error_sentence(c->arena, &c->error) : ""));
	query_run(&q);
	transaction_commit(&aside, t, "note the refusal");
}
