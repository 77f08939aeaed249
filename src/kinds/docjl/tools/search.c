/* search.c: searches blocks of one document by query, and words in all documents. */
#include "kinds/docjl/tools/common.h"
#include "kinds/docjl/tools/unseen.h"

#include "base/array.h"
#include "base/utf8.h"

#include <stdlib.h>

struct query_args {
	struct text type, content_contains, label, label_prefix;
	struct maybe_flag has_compliance_note, has_label;
	struct maybe_int level;
};
static const struct field query_in[] = {
	FIELD(struct query_args, type, TEXT, 0, "Such as paragraph or table"),
	FIELD(struct query_args, content_contains, TEXT, 0,
	      "Words, in any case; titles, cells, captions, items and notes count"),
	FIELD(struct query_args, has_compliance_note, MAYBE_FLAG, FIELD_TERSE,
	      "Only blocks with (or without) a compliance note"),
	FIELD(struct query_args, label, TEXT, 0, "Exactly this label"),
	FIELD(struct query_args, label_prefix, TEXT, 0, "Labels with this beginning, such as sec:4"),
	FIELD(struct query_args, has_label, MAYBE_FLAG, 0, "false: only blocks that had no label in the imported file"),
	FIELD(struct query_args, level, MAYBE_INT, 0, "Headings of this level"),
	FIELDS_END,
};
static const struct shape query_shape = SHAPE(struct query_args, "query", query_in);
struct search_args {
	struct text document_id, cursor;
	const struct query_args *query;
	struct maybe_int limit;
};
static const struct field search_in[] = {
	DOCUMENT_ID(struct search_args),
	FIELD(struct search_args, query, OBJECT, FIELD_REQUIRED, "All conditions must hold", .shape = &query_shape),
	FIELD(struct search_args, limit, MAYBE_INT, 0, "Default: 50", .limits = BETWEEN(1, LIMIT_MAX)),
	FIELD(struct search_args, cursor, TEXT, 0, "next_cursor from the previous result"),
	FIELDS_END,
};
struct search_answer {
	const struct json *results;
	struct text next_cursor;
	struct maybe_int total;
};
static const struct field search_out[] = {
	FIELD(struct search_answer, results, ANY, FIELD_REQUIRED,
	      "[{label, block, path}]; path is the labels from the top"),
	FIELD(struct search_answer, total, MAYBE_INT, 0, ""),
	FIELD(struct search_answer, next_cursor, TEXT, 0, ""),
	FIELDS_END,
};

/* Escapes % and _, which are wildcards in LIKE. */
static struct text like_of(struct arena *a, struct text folded)
{
	struct buffer b = {.arena = a};

	buffer_byte(&b, '%');
	for (size_t i = 0; i < folded.len; i++) {
		if (folded.at[i] == '%' || folded.at[i] == '_' || folded.at[i] == '\\')
			buffer_byte(&b, '\\');
		buffer_byte(&b, folded.at[i] ? folded.at[i] : ' ');
	}
	buffer_byte(&b, '%');
	return buffer_text(&b);
}

/* Filters in the database: words, note, type, and whether the file had the label. */
static void candidates(struct manual *m, const struct query_args *w, struct uids *out)
{
	bool has_body_condition = w->content_contains.at || w->has_compliance_note.there;
	/* The body's conditions come first: they leave few rows, but PostgreSQL cannot estimate that. */
	struct query q = query_on(
		m->t,
		has_body_condition
			? "WITH found AS MATERIALIZED (SELECT uid FROM body WHERE doc = ?1 AND folded LIKE ?4 ESCAPE "
			  "'\\' AND (?5 < 0 OR note = ?5)) SELECT node.uid FROM found CROSS JOIN node WHERE node.doc "
			  "= ?1 AND node.uid = found.uid AND (?2 = '' OR type = ?2) AND (?3 < 0 OR auto_label = ?3) "
			  "ORDER BY node.uid"
			: "SELECT uid FROM node WHERE doc = ?1 AND (?2 = '' OR type = ?2) AND (?3 < 0 OR auto_label "
			  "= ?3) ORDER BY uid");

	*out = (struct uids){0};
	bind_int(&q, m->doc);
	bind_text(&q, w->type.at ? storable(m->c->arena, w->type) : TEXT(""));
	bind_int(&q, w->has_label.there ? !w->has_label.value : -1);
	if (has_body_condition) {
		struct text words = w->content_contains.at ? w->content_contains : TEXT("");
		/* The words of a document of version 1 still have their accents. */
		bind_text(&q, like_of(m->c->arena,
				      m->is_sealed ? block_fold(m->c->arena, words) : utf8_fold(m->c->arena, words)));
		bind_int(&q, w->has_compliance_note.there ? w->has_compliance_note.value : -1);
	}
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &out->items) = query_int(&q, 0);
	query_end(&q);
}

static int by_uid(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;

	return one < two ? -1 : one > two;
}

/* Labels and levels are not in one row, so read the whole tree once. */
static bool keep_by_tree(struct manual *m, const struct query_args *w, struct uids *list)
{
	struct uids kept = {0};
	struct tree t;

	if (!tree_read(m, w->level.there ? TREE_CONTAINERS | TREE_BODIES : 0, &t))
		return false;
	for (uint32_t i = 0; i < t.nodes.n; i++) {
		int64_t level;
		if (w->label_prefix.at &&
		    (t.nodes.items[i].label.len < w->label_prefix.len ||
		     !text_same(text_slice(t.nodes.items[i].label, 0, w->label_prefix.len), w->label_prefix)))
			continue;
		if (w->level.there &&
		    (!json_integer(json_get(tree_stored(&t, i), "level"), &level) || level != w->level.value))
			continue;
		if (list->items.n &&
		    bsearch(&t.nodes.items[i].uid, list->items.items, list->items.n, sizeof(int64_t), by_uid))
			*ARRAY_PUSH(m->c->arena, &kept.items) = t.nodes.items[i].uid;
	}
	if (kept.items.n)
		array_sort(kept.items.items, kept.items.n, sizeof(int64_t), by_uid);
	*list = kept;
	return true;
}

static bool find_blocks(struct manual *m, const struct query_args *w, struct uids *out)
{
	candidates(m, w, out);
	return (!w->label_prefix.at && !w->level.there) || keep_by_tree(m, w, out);
}

/* The conditions besides the label, for the one block that has it. */
static bool holds_for(const struct tree *t, uint32_t i, const struct query_args *w)
{
	const struct tree_node *n = &t->nodes.items[i];
	struct arena *a = t->m->c->arena;
	const struct json *stored = tree_stored(t, i);
	int64_t level = 0;

	if (w->type.at && !text_same(n->type, w->type))
		return false;
	if (w->has_label.there && w->has_label.value == n->is_auto)
		return false;
	if (w->label_prefix.at && !text_same(text_slice(n->label, 0, w->label_prefix.len), w->label_prefix))
		return false;
	if (w->level.there && (!json_integer(json_get(stored, "level"), &level) || level != w->level.value))
		return false;
	if (w->has_compliance_note.there && w->has_compliance_note.value != block_has_note(stored))
		return false;
	return !w->content_contains.len ||
	       text_find(block_folded(a, stored), block_fold(a, w->content_contains), 0) != SIZE_MAX;
}

static void put_way(struct json_out *o, const struct tree *t, uint32_t i, int depth)
{
	const struct tree_node *n = &t->nodes.items[i];

	if (n->parent != TREE_NONE && depth < 2 * DEPTH_MAX)
		put_way(o, t, n->parent, depth + 1);
	json_put_text(o, n->label.at ? n->label : TEXT("(no label)"));
}

static void put_result(struct json_out *o, const struct tree *t, uint32_t i)
{
	json_open(o, '{');
	json_key(o, "label");
	json_put_text(o, t->nodes.items[i].label.at ? t->nodes.items[i].label : TEXT("(no label)"));
	json_key(o, "block");
	tree_put_bare(o, t, i);
	json_key(o, "path");
	json_open(o, '[');
	put_way(o, t, i, 0);
	json_close(o, ']');
	json_close(o, '}');
}

/* A search by label reads the block with that label and those above it. */
static bool find_labelled(struct manual *m, const struct query_args *w, struct json_out *o, int64_t *n)
{
	struct uids roots = {0};
	struct tree t;

	*n = 0;
	labels_uids(m, &w->label, 1, ARRAY_PUSH(m->c->arena, &roots.items));
	if (!roots.items.items[0])
		return manual_is_sound(m);
	if (!tree_read_part(m, &roots, 1, &t))
		return false;
	if (t.first == TREE_NONE || !holds_for(&t, t.first, w))
		return true;
	put_result(o, &t, t.first);
	*n = 1;
	return true;
}

/* Writes the found blocks from number `from` on, until there are `limit` of them or the answer is full. Returns how
 * many. */
static int64_t put_page(struct json_out *o, struct manual *m, const struct uids *found, int64_t from, int64_t limit)
{
	enum { READ_AT_ONCE = 50 };
	int64_t total = (int64_t)found->items.n, n = 0;

	while (n < limit && from + n < total && o->to->len <= answer_room(m->c) && goes_on(m->c)) {
		struct uids some = {.items = {.items = found->items.items + from + n}};
		int64_t left = total - from - n < limit - n ? total - from - n : limit - n;
		struct tree t;

		some.items.n = (size_t)(left < READ_AT_ONCE ? left : READ_AT_ONCE);
		if (!tree_read_part(m, &some, 1, &t))
			return n;
		for (size_t i = 0; i < some.items.n && o->to->len <= answer_room(m->c); i++, n++) {
			uint32_t at = tree_at(&t, some.items.items[i]);
			if (at != TREE_NONE)
				put_result(o, &t, at);
		}
	}
	return n;
}

static bool search_blocks(struct call *c, const void *in, void *out)
{
	const struct search_args *args = in;
	struct search_answer *answer = out;
	const struct query_args *w = args->query;
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};
	struct uids found = {0};
	struct manual m;
	int64_t from, limit = args->limit.there ? args->limit.value : 50, total = 0, shown_n = 0;

	if (!cursor_read(c, args->cursor, &from))
		return false;
	if (!w->type.at && !w->content_contains.at && !w->label.at && !w->label_prefix.at &&
	    !w->has_compliance_note.there && !w->has_label.there && !w->level.there)
		return fail(c, FAULT_ARGUMENT,
			    "query is empty; name at least one of type, content_contains, has_compliance_note, label, "
			    "label_prefix, has_label, level");
	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	json_open(&o, '[');
	bool done = w->label.at ? find_labelled(&m, w, &o, &shown_n) : find_blocks(&m, w, &found);
	total = w->label.at ? shown_n : (int64_t)found.items.n;
	if (done && !w->label.at)
		shown_n = put_page(&o, &m, &found, from, limit);
	json_close(&o, ']');
	bool sound = done && manual_is_sound(&m) && !c->error.fault;
	manual_close(&m);
	if (!total && w->type.at && !block_type_find(w->type))
		warn(c, "there is no type %s; it is one of: " BLOCK_TYPES, shown(c, w->type));
	answer->results = parsed_seen(c, &b);
	answer->total = (struct maybe_int){total, true};
	if (!w->label.at && from + shown_n < total)
		answer->next_cursor = cursor_write(c, from + shown_n);
	return sound;
}

struct words_args {
	struct text words;
	struct maybe_int limit;
};
static const struct field words_in[] = {
	FIELD(struct words_args, words, TEXT, FIELD_REQUIRED, "Words that must all occur in a block, in any case",
	      .limits = BETWEEN(1, 500)),
	FIELD(struct words_args, limit, MAYBE_INT, 0, "Default: 20", .limits = BETWEEN(1, 200)),
	FIELDS_END,
};
struct words_answer {
	const struct json *results;
	int64_t total;
};
static const struct field words_out[] = {
	FIELD(struct words_answer, results, ANY, FIELD_REQUIRED, "[{document_id, label, snippet, score}], best first"),
	FIELD(struct words_answer, total, INT, FIELD_REQUIRED, ""),
	FIELDS_END,
};

struct hit {
	struct text document, json;
	int64_t doc, uid;
	double score;
};

static int by_score(const void *a, const void *b)
{
	const struct hit *one = a, *two = b;

	if (one->score != two->score)
		return one->score > two->score ? -1 : 1;
	int order = text_order(one->document, two->document);
	return order ? order : one->uid < two->uid ? -1 : one->uid > two->uid;
}

static size_t occurrences(struct text in, struct text word)
{
	size_t n = 0;

	for (size_t at = 0; (at = text_find(in, word, at)) != SIZE_MAX; at += word.len)
		n++;
	return n;
}

/* The end of the letter at `from`, with its combining marks. */
static size_t letter_end(struct text t, size_t from)
{
	size_t end = from, next;

	utf8_next(t, &end);
	for (next = end; next < t.len && utf8_completes(utf8_next(t, &next)); end = next)
		;
	return end;
}

/* Where a folded word begins in the words as they are written; SIZE_MAX: nowhere. */
static size_t word_place(struct arena *a, struct text written, struct text word)
{
	struct buffer folded = {.arena = a};
	ARRAY(size_t) places = {0}; /* of each byte of `folded` */

	for (size_t at = 0, end; at < written.len; at = end) {
		end = letter_end(written, at);
		buffer_add(&folded, block_fold(a, text_slice(written, at, end)));
		while (places.n < folded.len)
			*ARRAY_PUSH(a, &places) = at;
	}
	size_t found = text_find(buffer_text(&folded), word, 0);
	return found == SIZE_MAX ? found : places.items[found];
}

/* The words around the first match, as the document has them. */
static struct text snippet(struct arena *a, struct text json, struct text word)
{
	struct arena scratch = {0};
	struct buffer words = {.arena = &scratch};

	block_words(&words, json_parse(&scratch, json, JSON_DEPTH_MAX, &(struct json_error){0}));
	struct text all = buffer_text(&words);
	size_t at = word_place(&scratch, all, word), from = at == SIZE_MAX || at < 60 ? 0 : at - 60;
	while (from < all.len && ((unsigned char)all.at[from] & 0xc0) == 0x80)
		from++;
	struct text cut = text_slice(all, from, all.len);
	cut.len = utf8_cut(cut, 180);
	struct text made =
		text_format(a, "%s%.*s%s", from ? "..." : "", TEXT_ARGS(cut), from + cut.len < all.len ? "..." : "");
	arena_free(&scratch);
	return made;
}

struct searching {
	/* Each word without accents, and with them, as documents of version 1 have it. */
	struct texts_list folded, kept;
	ARRAY(struct hit) hits;
};

static void words_split(struct call *c, struct text words, struct texts_list *out)
{
	for (size_t at = 0; at < words.len;) {
		size_t end = text_find(words, TEXT(" "), at);
		end = end == SIZE_MAX ? words.len : end;
		if (end > at && out->items.n < 16)
			*ARRAY_PUSH(c->arena, &out->items) = text_slice(words, at, end);
		at = end + 1;
	}
}

static void hits_read(struct call *c, struct transaction *t, struct searching *s)
{
	bool is_plain = text_same(s->folded.items.items[0], s->kept.items.items[0]);
	struct query q = query_on(
		t,
		is_plain ? "SELECT doc.id, body.doc, body.uid, body.folded, body.json FROM body JOIN doc ON doc.doc = "
			   "body.doc WHERE body.folded LIKE ?1 ESCAPE '\\' ORDER BY doc.id, body.uid LIMIT 100000"
			 : "SELECT doc.id, body.doc, body.uid, body.folded, body.json FROM body JOIN doc ON doc.doc = "
			   "body.doc WHERE body.folded LIKE ?1 ESCAPE '\\' OR body.folded LIKE ?2 ESCAPE '\\' ORDER BY "
			   "doc.id, body.uid LIMIT 100000");

	bind_text(&q, like_of(c->arena, s->folded.items.items[0]));
	if (!is_plain)
		bind_text(&q, like_of(c->arena, s->kept.items.items[0]));
	while (query_row(&q)) {
		struct hit h = {
			.document = query_text(&q, c->arena, 0), .doc = query_int(&q, 1), .uid = query_int(&q, 2)};
		struct text body = query_lent(&q, 3);
		bool has_all = manual_may(c, h.document, false);
		for (size_t i = 0; i < s->folded.items.n && has_all; i++) {
			size_t n = occurrences(body, s->folded.items.items[i]);
			if (!n && i < s->kept.items.n)
				n = occurrences(body, s->kept.items.items[i]);
			has_all = n > 0;
			h.score += (double)n;
		}
		if (!has_all)
			continue;
		h.score /= 1 + (double)body.len / 400;
		h.json = query_text(&q, c->arena, 4);
		*ARRAY_PUSH(c->arena, &s->hits) = h;
	}
	query_end(&q);
}

static bool search_all(struct call *c, const void *in, void *out)
{
	const struct words_args *args = in;
	struct words_answer *answer = out;
	struct docjl *kind = c->state;
	struct transaction *t;
	struct searching s = {0};
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};

	words_split(c, block_fold(c->arena, args->words), &s.folded);
	words_split(c, utf8_fold(c->arena, args->words), &s.kept);
	answer->results = json_new_array(c->arena);
	if (!s.folded.items.n)
		return fail(c, FAULT_ARGUMENT, "words has no word; give at least one, such as calibration");
	if (!store_begin(c, kind->store, STORE_READ, &t))
		return false;
	if (!t)
		return true;
	hits_read(c, t, &s);
	if (s.hits.n)
		array_sort(s.hits.items, s.hits.n, sizeof *s.hits.items, by_score);
	json_open(&o, '[');
	for (size_t i = 0; i < s.hits.n && i < (size_t)(args->limit.there ? args->limit.value : 20); i++) {
		struct manual m = {
			.c = c, .t = t, .kind = kind, .doc = s.hits.items[i].doc, .id = s.hits.items[i].document};
		json_open(&o, '{');
		json_key(&o, "document_id");
		json_put_text(&o, s.hits.items[i].document);
		json_key(&o, "label");
		json_put_text(&o, uid_label(&m, s.hits.items[i].uid));
		json_key(&o, "snippet");
		json_put_text(&o, snippet(c->arena, s.hits.items[i].json, s.folded.items.items[0]));
		json_key(&o, "score");
		json_put_number(&o, (double)(int64_t)(s.hits.items[i].score * 1000) / 1000);
		json_close(&o, '}');
	}
	json_close(&o, ']');
	bool sound = !transaction_failed(t) || transaction_fail(c, t, "search");
	transaction_rollback(t);
	answer->results = parsed_seen(c, &b);
	answer->total = (int64_t)s.hits.n;
	return sound;
}

const struct tool docjl_search_tools[] = {
	TOOL("mcp_docjl_search_blocks", "Search a document",
	     "Finds blocks of a manual by type, words, note or label. Returns each block with its path.", TOOL_READS,
	     struct search_args, search_in, struct search_answer, search_out, search_blocks,
	     .example =
		     "{\"document_id\":\"doc_123\",\"query\":{\"type\":\"paragraph\",\"content_contains\":\"calibration\"}}"),
	TOOL("mcp_docjl_search", "Search all documents",
	     "Finds blocks that contain all words, over every manual, best first.",
	     TOOL_READS | TOOL_NO_REVISION | TOOL_EXTRA, struct words_args, words_in, struct words_answer, words_out,
	     search_all),
	TOOLS_END,
};
