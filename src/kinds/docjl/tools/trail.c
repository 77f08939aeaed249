/* trail.c: verifies the hash chain. */
#include "kinds/docjl/tools/trail.h"

#include "base/digest.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static bool parse_anchor(struct call *c, struct text anchor, int64_t *seq, struct text *hash)
{
	size_t colon = text_find(anchor, TEXT(":"), 0);

	*seq = 0;
	if (!anchor.at)
		return true;
	if (colon == SIZE_MAX || colon > 15 || anchor.len - colon - 1 != 64)
		return fail(c, FAULT_ARGUMENT, "anchor %s is not NUMBER:HASH, as a verification printed it",
			    shown(c, anchor));
	*seq = strtoll(text_string(c->arena, text_slice(anchor, 0, colon)), NULL, 10);
	*hash = utf8_fold(c->arena, text_slice(anchor, colon + 1, anchor.len));
	return true;
}

bool trail_verify(struct manual *m, struct text anchor, const struct trail_file *file, struct verdict *out)
{
	static const char zero[32];
	struct call *c = m->c;
	unsigned char before[32], hash[32];
	int64_t anchor_seq, seen = 0;
	struct text anchor_hash = {0};
	bool anchor_met = false;

	*out = (struct verdict){.valid = true};
	if (!parse_anchor(c, anchor, &anchor_seq, &anchor_hash))
		return false;
	memcpy(before, zero, 32);
	struct query q = query_on(m->t, "SELECT " ENTRY_COLUMNS " FROM audit WHERE doc = ?1 ORDER BY seq");
	bind_int(&q, m->doc);
	while (out->valid && query_row(&q)) {
		struct arena scratch = {0};
		struct entry e;
		entry_read(&q, &scratch, &e);
		entry_hash(&e, m->id, hash);
		const char *why = NULL;
		if (e.seq != seen + 1)
			why = "entries before it are missing";
		else if (e.prev.len != 32 || memcmp(e.prev.at, before, 32) != 0)
			why = "it does not continue the entry before it";
		else if (e.hash.len != 32 || memcmp(e.hash.at, hash, 32) != 0)
			why = "its content was altered";
		if (why) {
			out->valid = false;
			out->bad_entry = audit_id(c->arena, m->id, e.seq);
			out->reason = text_of(why);
		}
		seen = e.seq;
		memcpy(before, hash, 32);
		if (anchor_seq == e.seq)
			anchor_met = text_same(hex_encode(c->arena, (struct text){(char *)hash, 32}), anchor_hash);
		arena_free(&scratch);
	}
	query_end(&q);
	out->entries = seen;
	/* Creating a document writes the first entry, so an empty trail means that entries were deleted. */
	if (out->valid &&
	    (!seen || m->audit_seq != seen || m->audit_hash.len != 32 || memcmp(m->audit_hash.at, before, 32) != 0)) {
		out->valid = false;
		out->bad_entry = audit_id(c->arena, m->id, seen + 1);
		out->reason =
			seen ? TEXT("the newest entries are missing: the document names another last entry")
			     : TEXT("all entries are missing: a trail begins with the entry that created the document");
	}
	if (out->valid && anchor.at && !anchor_met) {
		out->valid = false;
		out->bad_entry = audit_id(c->arena, m->id, anchor_seq);
		out->reason = TEXT("the anchor is not in the chain: the trail was cut or rewritten");
	}
	struct trail_difference d = out->valid && file ? trail_file_compare(m, file) : (struct trail_difference){0};
	if (d.n) {
		out->valid = false;
		out->bad_entry = audit_id(c->arena, m->id, d.first);
		out->reason =
			text_format(c->arena,
				    "%lld entries of the audit file are not in the database: the trail was cut or an "
				    "older copy was restored. If that was intended, keep the file elsewhere; the next "
				    "start writes a new one",
				    (long long)d.n);
	}
	out->head = text_format(c->arena, "%lld:%s", (long long)seen,
				hex_encode(c->arena, (struct text){(char *)before, 32}).at);
	return manual_is_sound(m);
}
