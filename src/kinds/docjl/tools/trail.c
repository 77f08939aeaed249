/* trail.c: the chain recomputed, and what changed between two revisions, read from the trail. */
#include "kinds/docjl/tools/trail.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "format/lines.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

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
	/* Making a document is its first entry, so an empty trail was emptied. */
	if (out->valid &&
	    (!seen || m->audit_seq != seen || m->audit_hash.len != 32 || memcmp(m->audit_hash.at, before, 32) != 0)) {
		out->valid = false;
		out->bad_entry = audit_id(c->arena, m->id, seen + 1);
		out->reason = seen ? TEXT("the newest entries are missing: the document names another last entry")
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

static bool parse_date(struct call *c, struct text t, int64_t *ms)
{
	struct tm tm = {.tm_mday = 1};
	const char *s = text_string(c->arena, t), *end = strptime(s, "%Y-%m-%dT%H:%M:%S", &tm);

	if (!end) {
		tm = (struct tm){.tm_mday = 1};
		end = strptime(s, "%Y-%m-%d", &tm);
	}
	if (!end || (*end && strcmp(end, "Z") != 0))
		return false;
	*ms = (int64_t)timegm(&tm) * 1000;
	return true;
}

bool revision_at(struct manual *m, struct text given, int64_t otherwise, int64_t *out)
{
	struct call *c = m->c;
	char *end;
	int64_t at;

	*out = otherwise;
	if (!given.at)
		return true;
	const char *digits = text_string(c->arena, given) + (given.at[0] == 'r');
	*out = strtoll(digits, &end, 10);
	if (*digits && !*end)
		return (*out >= 0 && *out <= m->revision) ||
		       fail(c, FAULT_ARGUMENT, "revision %s does not exist; the newest is %s", shown(c, given),
			    manual_revision(m).at);
	if (!parse_date(c, given, &at))
		return fail(c, FAULT_ARGUMENT, "%s is neither a revision such as r12 nor a date such as 2026-11-16",
			    shown(c, given));
	struct query q = query_on(m->t, "SELECT max(seq) FROM audit WHERE doc = ?1 AND ts < ?2");
	bind_int(&q, m->doc);
	bind_int(&q, at);
	*out = query_row(&q) ? query_int(&q, 0) : 0;
	query_end(&q);
	return manual_is_sound(m);
}

struct folded {
	int64_t uid;
	struct text before_label, after_label, before_words, after_words, user, type;
	struct text from, to; /* labels of the containers it moved between; absent: the top */
	bool is_added, is_removed, is_moved, is_changed;
	int64_t ts;
};
struct folding {
	struct call *c;
	struct json *imports; /* each put the whole document in place */
	ARRAY(struct folded) list;
};

static struct folded *of_uid(struct folding *f, int64_t uid)
{
	for (size_t i = 0; i < f->list.n; i++)
		if (f->list.items[i].uid == uid)
			return &f->list.items[i];
	struct folded *n = ARRAY_PUSH(f->c->arena, &f->list);
	n->uid = uid;
	return n;
}

static struct text words_of(struct call *c, const struct json *block)
{
	struct buffer b = {.arena = c->arena};

	block_words(&b, block);
	return buffer_text(&b);
}

static void fold_blocks(struct folding *f, const struct json *block, const struct json *uids, uint32_t *at,
			bool is_added, const struct entry *e)
{
	const struct json *children = json_get(block, "children");

	if (!json_is(uids, JSON_ARRAY) || *at >= uids->len)
		return;
	struct folded *n = of_uid(f, uids->items[(*at)++].integer);
	struct text label = json_text(json_get(block, "label")), words = words_of(f->c, block);
	n->user = e->user;
	n->ts = e->ts;
	n->type = json_text(json_get(block, "type"));
	if (is_added && n->is_removed) {
		n->is_removed = false; /* it came back */
		n->is_changed |= !text_same(n->before_words, words);
	} else if (is_added) {
		n->is_added = true;
	} else if (n->is_added) {
		n->is_added = n->is_changed = n->is_moved = false; /* it came and went */
	} else {
		n->is_removed = true;
	}
	if (is_added) {
		n->after_label = label;
		n->after_words = words;
	} else {
		if (!n->before_words.at) {
			n->before_label = label;
			n->before_words = words;
		}
	}
	for (uint32_t i = 0; json_is(children, JSON_ARRAY) && i < children->len; i++)
		fold_blocks(f, &children->items[i], uids, at, is_added, e);
}

static void fold_entry(struct folding *f, const struct entry *e)
{
	const struct json *d = json_parse(f->c->arena, e->details, JSON_DEPTH_MAX, &(struct json_error){0});
	struct text op = text_is(e->op, "rollback") ? json_text(json_get(d, "as")) : e->op;
	uint32_t at = 0;

	if (text_is(op, "insert_block") || text_is(op, "delete_block")) {
		const struct json *block = json_get(d, "block");
		if (block)
			fold_blocks(f, block, json_get(d, "uids"), &at, text_is(op, "insert_block"), e);
		return;
	}
	if (text_is(op, "create_document") || text_is(op, "replace_document")) {
		struct json *o = json_new_object(f->c->arena);
		json_set_text(f->c->arena, o, "by", e->user);
		json_set_text(f->c->arena, o, "at", clock_iso(f->c->arena, e->ts));
		if (json_get(d, "blocks"))
			json_set(f->c->arena, o, "blocks", json_get(d, "blocks"));
		json_push(f->c->arena, f->imports, o);
		f->list.n = 0; /* what was there before is gone */
		return;
	}
	if (!text_is(op, "update_block") && !text_is(op, "move_block"))
		return;
	struct folded *n = of_uid(f, e->uid);
	n->user = e->user;
	n->ts = e->ts;
	if (text_is(op, "move_block")) {
		if (!n->is_moved)
			n->from = json_text(json_get(json_get(d, "from"), "parent"));
		n->to = json_text(json_get(json_get(d, "to"), "parent"));
		n->is_moved = true;
		n->after_label = e->label;
		return;
	}
	const struct json *before = json_get(d, "before"), *after = json_get(d, "after");
	if (!n->before_words.at && before) {
		n->before_words = words_of(f->c, before);
		n->before_label = json_text(json_get(before, "label"));
	}
	if (after) {
		n->after_words = words_of(f->c, after);
		n->after_label = json_text(json_get(after, "label"));
		n->type = json_text(json_get(after, "type"));
	}
	n->is_changed = true;
}

/* Words, one a line, for the comparison of lines. */
static struct text one_a_line(struct arena *a, struct text t)
{
	struct buffer b = {.arena = a};

	for (size_t i = 0; i < t.len; i++)
		buffer_byte(&b, t.at[i] == ' ' || t.at[i] == '\t' ? '\n' : t.at[i]);
	if (t.len)
		buffer_byte(&b, '\n');
	return buffer_text(&b);
}

static void add_words(struct buffer *to, const struct lines *l, uint32_t from, uint32_t end, const char *open,
		      const char *close)
{
	if (from >= end)
		return;
	buffer_put(to, open);
	for (uint32_t i = from; i < end; i++) {
		buffer_add(to, text_trim(lines_text(l, i, i + 1)));
		if (i + 1 < end)
			buffer_byte(to, ' ');
	}
	buffer_put(to, close);
	buffer_byte(to, ' ');
}

static struct text word_changes(struct arena *a, struct text before, struct text after)
{
	struct line_changes d = lines_compare(a, one_a_line(a, before), one_a_line(a, after));
	struct buffer b = {.arena = a};
	uint32_t at = 0;

	for (size_t i = 0; i < d.n; i++) {
		add_words(&b, &d.before, at, d.items[i].before, "", "");
		add_words(&b, &d.before, d.items[i].before, d.items[i].before_to, "[-", "-]");
		add_words(&b, &d.after, d.items[i].after, d.items[i].after_to, "{+", "+}");
		at = d.items[i].before_to;
	}
	add_words(&b, &d.before, at, d.before.n, "", "");
	return text_trim(buffer_text(&b));
}

static struct text cut(struct text t)
{
	t.len = t.len > 2000 ? 2000 : t.len;
	while (t.len && ((unsigned char)t.at[t.len - 1] & 0xc0) == 0x80)
		t.len--;
	if (t.len && (unsigned char)t.at[t.len - 1] >= 0xc0)
		t.len--;
	return t;
}

static void put_folded(struct folding *f, struct json *list, const struct folded *n, const char *kind)
{
	struct arena *a = f->c->arena;
	struct json *o = json_new_object(a);
	struct text label = n->after_label.at ? n->after_label : n->before_label;

	json_set(a, o, "label", label.at ? json_new_text(a, label) : json_new_null(a));
	if (n->before_label.at && n->after_label.at && !text_same(n->before_label, n->after_label))
		json_set_text(a, o, "was", n->before_label);
	if (!strcmp(kind, "changed"))
		json_set_text(a, o, "text", cut(word_changes(a, n->before_words, n->after_words)));
	else if (!strcmp(kind, "moved")) {
		json_set_text(a, o, "from", n->from.at ? n->from : TEXT("top"));
		json_set_text(a, o, "to", n->to.at ? n->to : TEXT("top"));
	} else
		json_set_text(a, o, "text", cut(!strcmp(kind, "added") ? n->after_words : n->before_words));
	json_set_text(a, o, "by", n->user);
	json_set_text(a, o, "at", clock_iso(a, n->ts));
	json_push(a, list, o);
}

const struct json *trail_diff(struct manual *m, int64_t from, int64_t to)
{
	struct arena *a = m->c->arena;
	struct folding f = {.c = m->c, .imports = json_new_array(a)};
	struct json *lists[4];
	static const char *const names[] = {"added", "removed", "moved", "changed"};
	struct query q = query_on(m->t, "SELECT " ENTRY_COLUMNS
					" FROM audit WHERE doc = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq");
	ARRAY(struct entry) entries = {0};

	bind_int(&q, m->doc);
	bind_int(&q, from);
	bind_int(&q, to);
	while (query_row(&q))
		entry_read(&q, a, ARRAY_PUSH(a, &entries));
	query_end(&q);
	for (size_t i = 0; i < entries.n; i++)
		fold_entry(&f, &entries.items[i]);
	for (int i = 0; i < 4; i++)
		lists[i] = json_new_array(a);
	for (size_t i = 0; i < f.list.n; i++) {
		struct folded *n = &f.list.items[i];
		struct text now = uid_label(m, n->uid);
		if (now.at && to == m->revision)
			n->after_label = now;
		if (n->is_added)
			put_folded(&f, lists[0], n, names[0]);
		else if (n->is_removed)
			put_folded(&f, lists[1], n, names[1]);
		if (n->is_moved && !n->is_added && !n->is_removed)
			put_folded(&f, lists[2], n, names[2]);
		if (n->is_changed && !n->is_added && !n->is_removed && !text_same(n->before_words, n->after_words))
			put_folded(&f, lists[3], n, names[3]);
	}
	struct json *o = json_new_object(a);
	json_set_text(a, o, "from", text_format(m->c->arena, "r%lld", (long long)from));
	json_set_text(a, o, "to", text_format(m->c->arena, "r%lld", (long long)to));
	if (f.imports->len)
		json_set(a, o, "imported", f.imports);
	for (int i = 0; i < 4; i++)
		json_set(a, o, names[i], lists[i]);
	json_set_int(a, o, "entries", (int64_t)entries.n);
	return o;
}
