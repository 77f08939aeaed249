#include "kinds/docjl/rows/manual.h"

#include <string.h>

bool manual_may(struct call *c, struct text id, bool to_write)
{
	return !c->caller || !c->caller->may || c->caller->may(c->caller, id, to_write);
}

bool manual_missing(struct call *c, struct docjl *kind, struct transaction *t, struct text id)
{
	struct text nearest = {0};
	unsigned best = id.len < 12 ? (unsigned)id.len / 2 + 2 : 8;

	(void)kind;
	if (t) {
		struct query q = query_on(t, "SELECT id FROM doc ORDER BY id LIMIT 2000");
		while (query_row(&q)) {
			struct text have = query_text(&q, c->arena, 0);
			unsigned distance = text_distance(id, have, best);
			if (distance < best && manual_may(c, have, false)) {
				best = distance;
				nearest = have;
			}
		}
		query_end(&q);
	}
	if (nearest.at)
		return fail_as(c, DOCUMENT_NOT_FOUND, "there is no document %s; did you mean %s?", shown(c, id),
			       shown(c, nearest));
	return fail_as(c, DOCUMENT_NOT_FOUND, "there is no document %s; mcp_docjl_list_documents lists all documents",
		       shown(c, id));
}

#define DOC_COLUMNS                                                                                                        \
	"doc, metadata, created_at, modified_at, revision, blocks, next_uid, next_run, audit_seq, audit_hash, irregular, " \
	"(SELECT state FROM audit WHERE audit.doc = doc.doc AND audit.seq = doc.audit_seq)"

static void state_is(struct manual *m, struct text state)
{
	m->is_sealed = state.len == sizeof m->seals.state;
	if (m->is_sealed)
		memcpy(&m->seals.state, state.at, state.len);
}

/* A writer that waited for the document's row sees the row as the other one left it, but in the same statement not yet
 * the other one's entry. */
static void state_read(struct manual *m)
{
	struct query q = query_on(m->t, "SELECT state FROM audit WHERE doc = ?1 AND seq = ?2");

	bind_int(&q, m->doc);
	bind_int(&q, m->audit_seq);
	if (query_row(&q))
		state_is(m, query_lent(&q, 0));
	query_end(&q);
}

static bool doc_row(struct manual *m, bool to_write)
{
	struct call *c = m->c;
	/* Distributed databases such as Citus keep all rows of a document on one machine by `doc`. So look up the id
	 * first. */
	struct query q = query_on(m->t, to_write && transaction_is_shared(m->t)
						? "SELECT " DOC_COLUMNS " FROM doc WHERE id = ?1 FOR UPDATE"
						: "SELECT " DOC_COLUMNS " FROM doc WHERE id = ?1");
	bind_text(&q, m->id);
	bool found = query_row(&q);
	if (found) {
		m->doc = query_int(&q, 0);
		m->metadata = query_text(&q, c->arena, 1);
		m->created_at = query_int(&q, 2);
		m->modified_at = query_int(&q, 3);
		m->revision = query_int(&q, 4);
		m->blocks = query_int(&q, 5);
		m->next_uid = query_int(&q, 6);
		m->next_run = query_int(&q, 7);
		m->audit_seq = query_int(&q, 8);
		m->audit_hash = query_text(&q, c->arena, 9);
		m->irregular = query_int(&q, 10);
		state_is(m, query_lent(&q, 11));
		seal_row(m, &m->seals.row);
	}
	query_end(&q);
	if (found && to_write && !m->is_sealed && transaction_is_shared(m->t))
		state_read(m);
	return found;
}

struct text manual_revision(struct manual *m)
{
	/* An opaque text that callers pass back unchanged. */
	return text_format(m->c->arena, "r%lld", (long long)m->revision);
}

static bool is_expected(struct manual *m)
{
	struct call *c = m->c;

	if (!c->if_revision.at || text_same(c->if_revision, manual_revision(m)))
		return true;
	return fail(c, FAULT_CONFLICT,
		    "the document %s has revision %s, not %s: it was changed meanwhile; read it again, or see "
		    "mcp_docjl_get_audit_log",
		    shown(c, m->id), manual_revision(m).at, shown(c, c->if_revision));
}

struct folded_words {
	int64_t uid;
	struct text folded;
};

/* Version 1 kept accents in the words for searching. */
static void bodies_fold(struct manual *m)
{
	enum { AT_ONCE = 1024 };
	int64_t after = 0;
	size_t n = AT_ONCE;

	while (n == AT_ONCE && !transaction_failed(m->t)) {
		struct arena scratch = {0};
		ARRAY(struct folded_words) list = {0};
		struct query q =
			query_on(m->t, "SELECT uid, json, folded FROM body WHERE doc = ?1 AND uid > ?2 ORDER BY "
				       "uid LIMIT ?3");
		bind_int(&q, m->doc);
		bind_int(&q, after);
		bind_int(&q, AT_ONCE);
		for (n = 0; query_row(&q); n++) {
			after = query_int(&q, 0);
			const struct json *stored =
				json_parse(&scratch, query_lent(&q, 1), JSON_DEPTH_MAX, &(struct json_error){0});
			struct text folded = block_folded(&scratch, stored);
			if (stored && !text_same(folded, query_lent(&q, 2)))
				*ARRAY_PUSH(&scratch, &list) = (struct folded_words){after, folded};
		}
		query_end(&q);
		for (size_t i = 0; i < list.n; i++) {
			q = query_on(m->t, "UPDATE body SET folded = ?3 WHERE doc = ?1 AND uid = ?2");
			bind_int(&q, m->doc);
			bind_int(&q, list.items[i].uid);
			bind_text(&q, list.items[i].folded);
			query_run(&q);
		}
		arena_free(&scratch);
	}
}

void manual_seal(struct manual *m, struct json *altered)
{
	struct json *details = json_new_object(m->c->arena);

	if (!m->is_sealed)
		bodies_fold(m);
	seal_whole(m);
	json_set_int(m->c->arena, details, "blocks", m->blocks);
	if (altered)
		json_set(m->c->arena, details, "accepted", altered);
	manual_record(m, "seal_document", 0, (struct text){0}, details);
	m->seals.is_whole = false;
	m->is_sealed = true;
}

bool manual_open(struct call *c, struct text id, enum manual_mode mode, struct manual *m)
{
	bool to_write = mode == MANUAL_WRITE;

	*m = (struct manual){.c = c, .kind = c->state, .id = id, .may_have_broken = true, .known = {.last_of = -1}};
	if (!manual_may(c, id, false) || (id.len && memchr(id.at, 0, id.len)))
		return manual_missing(c, m->kind, NULL, id);
	if (to_write && !manual_may(c, id, true))
		return fail(c, FAULT_DENIED, "this key may read the document %s but not change it", shown(c, id));
	*ARRAY_PUSH(c->arena, &c->touched) = id;
	if (to_write && !store_is_shared(m->kind->store)) {
		/* Opening for a write creates the database file. A write to a document that cannot exist must not
		 * create it. */
		struct transaction *look;
		if (!store_begin(c, m->kind->store, STORE_READ, &look))
			return false;
		if (!look)
			return manual_missing(c, m->kind, NULL, id);
		transaction_rollback(look);
	}
	if (!store_begin(c, m->kind->store, to_write ? STORE_WRITE : STORE_READ, &m->t))
		return false;
	if (!m->t)
		return manual_missing(c, m->kind, NULL, id);
	if (!doc_row(m, to_write)) {
		if (transaction_failed(m->t))
			transaction_fail(c, m->t, "open the document");
		else
			manual_missing(c, m->kind, m->t, id);
		manual_close(m);
		return false;
	}
	c->revision = manual_revision(m);
	if (!to_write)
		return true;
	if (!is_expected(m)) {
		manual_close(m);
		return false;
	}
	if (!m->is_sealed)
		manual_seal(m, NULL);
	return true;
}

void manual_close(struct manual *m)
{
	transaction_rollback(m->t);
	m->t = NULL;
}

bool manual_is_sound(struct manual *m)
{
	return !transaction_failed(m->t) || transaction_fail(m->c, m->t, "read the document");
}
