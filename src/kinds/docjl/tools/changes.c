/* changes.c: what changed between two revisions, read from the trail.
 *
 * Entries are combined for each block. So a block that was added and removed, or changed and changed back, is not
 * reported. */
#include "kinds/docjl/tools/trail.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/utf8.h"
#include "format/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	if (!clock_read(given, &at, NULL))
		return fail(c, FAULT_ARGUMENT, "%s is neither a revision such as r12 nor a date such as 2026-11-16",
			    shown(c, given));
	struct query q = query_on(m->t, "SELECT max(seq) FROM audit WHERE doc = ?1 AND ts < ?2");
	bind_int(&q, m->doc);
	bind_int(&q, at);
	*out = query_row(&q) ? query_int(&q, 0) : 0;
	query_end(&q);
	return manual_is_sound(m);
}

struct folding {
	struct call *c;
	struct map at; /* uid, as text -> index */
	struct changes *out;
};

static struct text uid_key(struct folding *f, int64_t uid) { return text_format(f->c->arena, "%lld", (long long)uid); }

static struct block_change *of_key(struct folding *f, int64_t uid, struct text key, const struct entry *e)
{
	struct arena *a = f->c->arena;
	bool was;
	uint32_t *at = map_at(&f->at, key, (uint32_t)f->out->list.n, &was);

	if (!was)
		ARRAY_PUSH(a, &f->out->list)->uid = uid;
	struct block_change *n = &f->out->list.items[*at];
	/* Add the user to the list of all users who changed it. */
	struct text padded = text_format(a, ", %.*s,", TEXT_ARGS(n->by)),
		    wanted = text_format(a, ", %.*s,", TEXT_ARGS(e->user));
	if (!n->by.len)
		n->by = e->user;
	else if (text_find(padded, wanted, 0) == SIZE_MAX && n->by.len < 500)
		n->by = text_format(a, "%.*s, %.*s", TEXT_ARGS(n->by), TEXT_ARGS(e->user));
	n->at = e->ts;
	n->seq = e->seq;
	return n;
}

static struct block_change *of_uid(struct folding *f, int64_t uid, const struct entry *e)
{
	return of_key(f, uid, uid_key(f, uid), e);
}

static struct text words_of(struct call *c, const struct json *block)
{
	struct buffer b = {.arena = c->arena};

	block_prose(&b, c->arena, block);
	return b.len ? buffer_text(&b) : TEXT("");
}

static bool is_table(const struct json *block) { return json_is(json_get(block, "rows"), JSON_ARRAY); }

static void fold_blocks(struct folding *f, const struct json *block, const struct json *uids, uint32_t *at,
			bool is_added, const struct entry *e)
{
	const struct json *children = json_get(block, "children");

	if (!json_is(uids, JSON_ARRAY) || *at >= uids->len)
		return;
	struct block_change *n = of_uid(f, uids->items[(*at)++].integer, e);
	struct text label = json_text(json_get(block, "label")), words = words_of(f->c, block);
	n->is_table |= is_table(block);
	if (is_added && n->is_removed) {
		n->is_removed = false; /* it was restored */
		n->is_changed |= !text_same(n->before_words, words);
	} else if (is_added) {
		n->is_added = true;
	} else if (n->is_added) {
		n->is_added = n->is_changed = n->is_moved = false; /* it was added and removed */
	} else {
		n->is_removed = true;
	}
	if (is_added) {
		n->after_label = label;
		n->after_words = words;
	} else if (!n->before_words.at) {
		n->before_label = label;
		n->before_words = words;
	}
	for (uint32_t i = 0; json_is(children, JSON_ARRAY) && i < children->len; i++)
		fold_blocks(f, &children->items[i], uids, at, is_added, e);
}

static void fold_import(struct folding *f, const struct json *details, const struct entry *e)
{
	struct json *o = json_new_object(f->c->arena);

	json_set_text(f->c->arena, o, "by", e->user);
	json_set_text(f->c->arena, o, "at", clock_iso(f->c->arena, e->ts));
	if (json_get(details, "blocks"))
		json_set(f->c->arena, o, "blocks", json_get(details, "blocks"));
	json_push(f->c->arena, f->out->imports, o);
	f->out->list.n = 0; /* the import replaced everything before it */
	f->at = (struct map){.arena = f->c->arena};
}

static void fold_update(struct folding *f, const struct json *details, const struct entry *e)
{
	const struct json *before = json_get(details, "before"), *after = json_get(details, "after");
	struct block_change *n = of_uid(f, e->uid, e);

	n->is_table |= is_table(before) || is_table(after);
	if (!n->before_words.at && before) {
		n->before_words = words_of(f->c, before);
		n->before_label = json_text(json_get(before, "label"));
	}
	if (before && !n->before)
		n->before = before;
	n->is_renamed |= before && after &&
			 !text_same(json_text(json_get(before, "label")), json_text(json_get(after, "label")));
	if (after) {
		n->after = after;
		n->after_words = words_of(f->c, after);
		n->after_label = json_text(json_get(after, "label"));
	}
	n->is_changed = true;
}

static void fold_retarget(struct folding *f, const struct json *details, const struct entry *e)
{
	const struct json *sources = json_get(details, "sources");

	for (uint32_t i = 0; json_is(sources, JSON_ARRAY) && i < sources->len; i++) {
		int64_t uid = 0, k = 0, from = 0, to = 0;
		const struct json *s = &sources->items[i];
		if (!json_integer(json_get(s, "uid"), &uid))
			continue;
		json_integer(json_get(s, "k"), &k);
		json_integer(json_get(s, "from_uid"), &from);
		json_integer(json_get(s, "to_uid"), &to);
		struct text key = text_format(f->c->arena, "%lld/%lld", (long long)uid, (long long)k);
		struct block_change *n = of_key(f, uid, key, e);
		if (!n->is_reference) {
			n->from_label = json_text(json_get(s, "from"));
			n->from_uid = from;
		}
		n->is_reference = true;
		n->to_uid = to;
		n->is_redirected = !to || to != n->from_uid;
	}
}

static struct change_place place_of(const struct json *o)
{
	struct change_place p = {0};

	json_integer(json_get(o, "parent_uid"), &p.parent);
	json_integer(json_get(o, "after_uid"), &p.after);
	return p;
}

/* A block that was moved and is back where it was has not moved. */
static void fold_move(struct folding *f, const struct json *details, const struct entry *e)
{
	const struct json *from = json_get(details, "from"), *to = json_get(details, "to");
	struct block_change *n = of_uid(f, e->uid, e);
	struct change_place now = place_of(to);

	if (!n->was_placed) {
		n->from = json_text(json_get(from, "parent"));
		n->from_place = place_of(from);
	}
	n->was_placed = true;
	n->to = json_text(json_get(to, "parent"));
	n->is_moved = now.parent != n->from_place.parent || now.after != n->from_place.after;
	n->after_label = e->label;
}

static void fold_entry(struct folding *f, const struct entry *e)
{
	const struct json *d = json_parse(f->c->arena, e->details, JSON_DEPTH_MAX, &(struct json_error){0});
	struct text op = text_is(e->op, "rollback") ? json_text(json_get(d, "as")) : e->op;
	uint32_t at = 0;

	if (text_is(op, "insert_block") || text_is(op, "delete_block")) {
		if (json_get(d, "block"))
			fold_blocks(f, json_get(d, "block"), json_get(d, "uids"), &at, text_is(op, "insert_block"), e);
	} else if (text_is(op, "create_document") || text_is(op, "replace_document")) {
		fold_import(f, d, e);
	} else if (text_is(op, "update_block")) {
		fold_update(f, d, e);
	} else if (text_is(op, "update_references")) {
		fold_retarget(f, d, e);
	} else if (text_is(op, "move_block")) {
		fold_move(f, d, e);
	}
}

static void fields_add(struct arena *a, struct texts_list *list, const struct json *one, const struct json *other)
{
	for (uint32_t i = 0; i < one->len; i++) {
		struct text key = {one->members[i].key, one->members[i].key_len};
		const struct json *is = json_get_text(other, key);
		bool known = text_is(key, "label");
		for (size_t k = 0; k < list->items.n; k++)
			known |= text_same(list->items.items[k], key);
		if (!known && (!is || !json_same(is, &one->members[i].value)))
			*ARRAY_PUSH(a, &list->items) = key;
	}
}

/* Changed fields that are not visible in the words: a level, an address, the target of a reference. */
static void find_fields(struct arena *a, struct block_change *n)
{
	if (!n->before || !n->after || !text_same(n->before_words, n->after_words))
		return;
	fields_add(a, &n->fields, n->before, n->after);
	fields_add(a, &n->fields, n->after, n->before);
}

void trail_changes(struct manual *m, int64_t from, int64_t to, struct changes *out)
{
	struct arena *a = m->c->arena;
	struct folding f = {.c = m->c, .at = {.arena = a}, .out = out};
	struct query q = query_on(m->t, "SELECT " ENTRY_COLUMNS
					" FROM audit WHERE doc = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq");
	ARRAY(struct entry) entries = {0};

	*out = (struct changes){.id = m->id, .from = from, .to = to, .imports = json_new_array(a)};
	bind_int(&q, m->doc);
	bind_int(&q, from);
	bind_int(&q, to);
	while (query_row(&q))
		entry_read(&q, a, ARRAY_PUSH(a, &entries));
	query_end(&q);
	for (size_t i = 0; i < entries.n; i++)
		fold_entry(&f, &entries.items[i]);
	out->entries = (int64_t)entries.n;
	for (size_t i = 0; i < out->list.n; i++) {
		struct block_change *n = &out->list.items[i];
		struct text now = uid_label(m, n->uid);
		n->is_renamed =
			n->is_renamed && n->before && n->after &&
			!text_same(json_text(json_get(n->before, "label")), json_text(json_get(n->after, "label")));
		if (now.at && to == m->revision)
			n->after_label = now;
		n->to_label = uid_label(m, n->to_uid);
		if (n->is_reference) {
			/* A block that came or went lists its references among its words. */
			const uint32_t *block = map_find(&f.at, uid_key(&f, n->uid));
			const struct block_change *own = block ? &out->list.items[*block] : NULL;
			n->is_redirected = n->is_redirected && !(own && (own->is_added || own->is_removed));
			n->after_label = now;
		}
		find_fields(a, n);
		if (!n->is_renamed && !n->fields.items.n && text_same(n->before_words, n->after_words))
			n->is_changed = false;
	}
}

bool change_is(const struct block_change *n, enum change_kind kind)
{
	bool stays = !n->is_added && !n->is_removed;
	const bool is[CHANGE_KINDS] = {
		[CHANGE_ADDED] = n->is_added,
		[CHANGE_REMOVED] = n->is_removed && !n->is_added,
		[CHANGE_MOVED] = n->is_moved && stays,
		[CHANGE_CHANGED] = n->is_changed && stays,
		[CHANGE_REDIRECTED] = n->is_redirected && stays,
	};

	return is[kind];
}

const char *const change_names[] = {"added", "removed", "moved", "changed", "redirected"};

/* Puts each word on its own line, for the line comparison. The rows of a table are lines. */
static struct text one_a_line(struct arena *a, struct text t, bool is_table)
{
	struct buffer b = {.arena = a};

	for (size_t i = 0; i < t.len; i++)
		buffer_byte(&b, !is_table && (t.at[i] == ' ' || t.at[i] == '\t') ? '\n' : t.at[i]);
	if (t.len)
		buffer_byte(&b, '\n');
	return buffer_text(&b);
}

static void add_words(struct buffer *to, const struct lines *l, uint32_t from, uint32_t end, const char *open,
		      const char *close, const struct change_marks *k, const char *between)
{
	if (from >= end)
		return;
	buffer_put(to, open);
	for (uint32_t i = from; i < end; i++) {
		k->put(to, text_trim(lines_text(l, i, i + 1)));
		if (i + 1 < end)
			buffer_put(to, between);
	}
	buffer_put(to, close);
	buffer_put(to, between);
}

void change_words(struct buffer *to, struct arena *a, const struct block_change *n, const struct change_marks *k)
{
	struct line_changes d = lines_compare(a, one_a_line(a, n->before_words, n->is_table),
					      one_a_line(a, n->after_words, n->is_table));
	const char *between = n->is_table ? k->line : " ";
	uint32_t at = 0;

	for (size_t i = 0; i < d.n; i++) {
		add_words(to, &d.before, at, d.items[i].before, "", "", k, between);
		add_words(to, &d.before, d.items[i].before, d.items[i].before_to, k->open_gone, k->close_gone, k,
			  between);
		add_words(to, &d.after, d.items[i].after, d.items[i].after_to, k->open_new, k->close_new, k, between);
		at = d.items[i].before_to;
	}
	add_words(to, &d.before, at, d.before.n, "", "", k, between);
}

static struct text cut(struct text t) { return text_slice(t, 0, utf8_cut(t, 2000)); }

static struct text words_told(struct arena *a, const struct block_change *n, enum change_kind kind)
{
	static const struct change_marks marks = {"[-", "-]", "{+", "+}", "\n", buffer_add};
	struct buffer b = {.arena = a};

	if (kind != CHANGE_CHANGED)
		return kind == CHANGE_ADDED ? n->after_words : n->before_words;
	change_words(&b, a, n, &marks);
	return text_trim(buffer_text(&b));
}

static const struct json *change_json(struct call *c, const struct changes *all, const struct block_change *n,
				      enum change_kind kind)
{
	struct arena *a = c->arena;
	struct json *o = json_new_object(a);
	struct text label = n->after_label.at ? n->after_label : n->before_label;

	json_set(a, o, "label", label.at ? json_new_text(a, label) : json_new_null(a));
	if (n->before_label.at && n->after_label.at && !text_same(n->before_label, n->after_label))
		json_set_text(a, o, "was", n->before_label);
	if (kind == CHANGE_MOVED) {
		json_set_text(a, o, "from", n->from.at ? n->from : TEXT("top"));
		json_set_text(a, o, "to", n->to.at ? n->to : TEXT("top"));
	} else if (kind == CHANGE_REDIRECTED) {
		json_set_text(a, o, "from", n->from_label.at ? n->from_label : TEXT(""));
		json_set_text(a, o, "to", n->to_label.at ? n->to_label : TEXT(""));
	} else {
		json_set_text(a, o, "text", cut(words_told(a, n, kind)));
	}
	if (kind == CHANGE_CHANGED && n->fields.items.n) {
		struct json *fields = json_new_array(a);
		for (size_t i = 0; i < n->fields.items.n; i++)
			json_push(a, fields, json_new_text(a, n->fields.items.items[i]));
		json_set(a, o, "fields", fields);
	}
	json_set_text(a, o, "by", n->by);
	json_set_text(a, o, "at", clock_iso(a, n->at));
	json_set_text(a, o, "audit_id", audit_id(a, all->id, n->seq));
	return o;
}

const struct json *changes_json(struct call *c, const struct changes *all)
{
	struct arena *a = c->arena;
	struct json *o = json_new_object(a);
	size_t bytes = 0;
	int64_t omitted = 0;

	json_set_text(a, o, "from", text_format(a, "r%lld", (long long)all->from));
	json_set_text(a, o, "to", text_format(a, "r%lld", (long long)all->to));
	if (all->imports->len)
		json_set(a, o, "imported", all->imports);
	for (int kind = 0; kind < CHANGE_KINDS; kind++) {
		struct json *list = json_new_array(a);
		for (size_t i = 0; i < all->list.n; i++) {
			if (!change_is(&all->list.items[i], (enum change_kind)kind))
				continue;
			if (bytes > answer_room(c)) {
				omitted++;
				continue;
			}
			const struct json *one = change_json(c, all, &all->list.items[i], (enum change_kind)kind);
			bytes += json_source(a, one).len;
			json_push(a, list, one);
		}
		if (list->len || kind != CHANGE_REDIRECTED)
			json_set(a, o, change_names[kind], list);
	}
	json_set_int(a, o, "entries", all->entries);
	if (omitted)
		json_set_int(a, o, "omitted", omitted);
	return o;
}
