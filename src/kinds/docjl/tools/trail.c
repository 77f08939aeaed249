/* trail.c: verifies the hash chain, and the stored text against it. */
#include "kinds/docjl/tools/trail.h"

#include "base/digest.h"
#include "kinds/docjl/tools/anchor.h"

#include <string.h>

struct verification {
	struct manual *m;
	struct verdict *out;
	unsigned char before[32]; /* hash of the entry before */
	struct seal_hash state;   /* after it */
	bool has_state;
	int64_t seen, sealed_from;
	struct text altered; /* the first entry that found rows changed outside of quire; absent: none */
};

static void is_bad(struct verification *k, int64_t seq, struct text why)
{
	k->out->valid = false;
	k->out->bad_entry = seq ? audit_id(k->m->c->arena, k->m->id, seq) : (struct text){0};
	k->out->reason = why;
}

static const char *chain_fault(struct verification *k, const struct entry *e)
{
	if (e->seq != k->seen + 1)
		return "entries before it are missing";
	if (e->prev.len != 32 || memcmp(e->prev.at, k->before, 32) != 0)
		return "it does not continue the entry before it";
	entry_hash(e, k->m->id, k->before);
	if (e->hash.len != 32 || memcmp(e->hash.at, k->before, 32) != 0)
		return "its content was altered";
	if (k->has_state && e->state.len != sizeof k->state)
		return "it has no hash of the text, although entries before it have one";
	return NULL;
}

/* What the entry says about the text: from where on it is protected, and whether somebody changed it outside. */
static const char *text_fault(struct verification *k, const struct entry *e)
{
	static const char altered[] = "\"altered_outside\":";
	bool seals = text_is(e->op, "seal_document"),
	     accepts = seals && text_find(e->details, TEXT("\"accepted\":"), 0) != SIZE_MAX;

	if (seals && k->has_state && !accepts)
		return "it makes the hashes of the text again, although they were made before";
	if (accepts) {
		k->altered = (struct text){0};
		k->out->accepted = audit_id(k->m->c->arena, k->m->id, e->seq);
	} else if (!k->altered.at && text_find(e->details, (struct text){altered, sizeof altered - 1}, 0) != SIZE_MAX &&
		   json_get(json_parse(k->m->c->arena, e->details, JSON_DEPTH_MAX, &(struct json_error){0}),
			    "altered_outside")) {
		k->altered = audit_id(k->m->c->arena, k->m->id, e->seq);
	}
	if (e->state.len != sizeof k->state)
		return NULL;
	memcpy(&k->state, e->state.at, sizeof k->state);
	if (!k->has_state || accepts)
		k->sealed_from = e->seq;
	k->has_state = true;
	return NULL;
}

static void check_chain(struct verification *k, const struct anchor *anchors, size_t n)
{
	struct manual *m = k->m;
	struct query q = query_on(m->t, "SELECT " ENTRY_COLUMNS " FROM audit WHERE doc = ?1 ORDER BY seq");

	bind_int(&q, m->doc);
	while (k->out->valid && query_row(&q)) {
		struct arena scratch = {0};
		struct entry e;
		entry_read(&q, &scratch, &e);
		const char *why = chain_fault(k, &e);
		why = why ? why : text_fault(k, &e);
		if (why)
			is_bad(k, e.seq, text_of(why));
		k->seen = e.seq;
		for (size_t i = 0; i < n && k->out->valid; i++)
			if (anchors[i].seq == e.seq && memcmp(anchors[i].hash, k->before, 32) != 0)
				is_bad(k, e.seq, TEXT("an anchor has another hash for it: the trail was rewritten"));
		arena_free(&scratch);
	}
	query_end(&q);
	k->out->entries = k->seen;
	for (size_t i = 0; i < n && k->out->valid; i++)
		if (anchors[i].seq > k->seen || anchors[i].seq < 1)
			is_bad(k, anchors[i].seq,
			       TEXT("the anchor is not in the chain: the trail was cut or rewritten"));
	/* Creating a document writes the first entry, so an empty trail means that entries were deleted. */
	if (k->out->valid && (!k->seen || m->audit_seq != k->seen || m->audit_hash.len != 32 ||
			      memcmp(m->audit_hash.at, k->before, 32) != 0))
		is_bad(k, k->seen + 1,
		       k->seen ? TEXT("the newest entries are missing: the document names another last entry")
			       : TEXT("all entries are missing: a trail begins with the entry that created the document"));
}

static void check_file(struct verification *k, const struct trail_file *file)
{
	struct trail_difference d = trail_file_compare(k->m, file);

	if (d.n)
		is_bad(k, d.first,
		       text_format(k->m->c->arena,
				   "%lld entries of the audit file are not in the database: the trail was cut or an "
				   "older copy was restored. If that was intended, keep the file elsewhere; the next "
				   "start writes a new one",
				   (long long)d.n));
}

static void check_text(struct verification *k)
{
	struct manual *m = k->m;
	struct arena *a = m->c->arena;
	struct verdict *out = k->out;
	struct seal_finding f;
	struct text *names;

	if (k->altered.at) {
		is_bad(k, 0,
		       TEXT("this entry found text that another program had changed; its altered_outside names it"));
		out->bad_entry = k->altered;
		return;
	}
	if (!k->has_state)
		return;
	seal_compare(m, &k->state, &f);
	names = arena_array(a, f.ids.n + 1, sizeof *names);
	for (size_t i = 0; i < f.ids.n; i++)
		names[i] = seal_name(m, f.ids.items[i]);
	if (f.is_same) {
		if (!f.is_tree_intact)
			is_bad(k, 0,
			       TEXT("the text is as the trail says, but the stored hashes of it (the table seal) were "
				    "changed outside of quire"));
		return;
	}
	out->altered = (struct texts){names, f.ids.n};
	out->altered_count = (struct maybe_int){f.n, f.n > 0};
	if (!f.n)
		is_bad(k, 0,
		       TEXT("the document's title, metadata, dates or counts are not as the trail says: they were "
			    "changed outside of quire, or text together with its hashes was"));
	else
		is_bad(k, 0,
		       text_format(a, "the stored text is not as the trail says: %.*s%s changed outside of quire",
				   TEXT_ARGS(names[0]),
				   f.n == 1 ? " was" : text_format(a, " and %lld more were", (long long)f.n - 1).at));
}

bool trail_verify(struct manual *m, struct text anchor, const struct trail_file *file, struct verdict *out)
{
	struct verification k = {.m = m, .out = out};
	struct anchor *anchors;
	size_t n;

	*out = (struct verdict){.valid = true};
	if (!anchors_read(m, anchor, &anchors, &n))
		return false;
	check_chain(&k, anchors, n);
	if (out->valid && file)
		check_file(&k, file);
	if (out->valid)
		check_text(&k);
	if (k.sealed_from)
		out->protected_from = audit_id(m->c->arena, m->id, k.sealed_from);
	out->head = text_format(m->c->arena, "%lld:%s", (long long)k.seen,
				hex_encode(m->c->arena, (struct text){(char *)k.before, 32}).at);
	return manual_is_sound(m);
}
