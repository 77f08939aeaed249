#include "kinds/docjl/rows/seal_rows.h"

#include "base/array.h"
#include "base/digest.h"

#include <string.h>

/* All columns but `doc`, as text in both databases. The first ones are what the rows are ordered by. */
#define NODE_TEXTS                                                                                                     \
	"CAST(parent AS TEXT), CAST(ord AS TEXT), type, CAST(container AS TEXT), name, CAST(run AS TEXT), "            \
	"CAST(slot AS TEXT), CAST(auto_label AS TEXT)"
#define BODY_TEXTS "json, folded, CAST(note AS TEXT)"
#define REF_TEXTS "CAST(k AS TEXT), CAST(dst AS TEXT), text"
#define RUN_TEXTS "CAST(stem AS TEXT), prefix, CAST(base AS TEXT), CAST(n AS TEXT)"
#define COUNTER_TEXTS "prefix, CAST(max AS TEXT), CAST(holds AS TEXT)"

enum rows { ROWS_NODE, ROWS_BODY, ROWS_REF, ROWS_RUN, ROWS_COUNTER, ROWS_PAGE };
static const int widths[] = {8, 3, 3, 4, 3};
static const char letters[] = "nbrsc";

/* Adds a row to the bytes of a leaf. */
static void row_add(struct buffer *leaf, struct query *q, enum rows rows, int from)
{
	buffer_byte(leaf, letters[rows]);
	for (int i = 0; i < widths[rows]; i++) {
		struct text t = query_lent(q, from + i);
		if (t.at)
			buffer_format(leaf, "%zu:", t.len);
		else
			buffer_byte(leaf, '-');
		buffer_add(leaf, t);
	}
}

static void leaf_end(struct buffer *leaf, struct seal_hash *out)
{
	*out = (struct seal_hash){0};
	if (leaf->len)
		sha256(buffer_text(leaf), out->bytes);
	leaf->len = 0;
}

static void rows_add(struct manual *m, const char *sql, int64_t id, enum rows rows, struct buffer *leaf)
{
	struct query q = query_on(m->t, sql);

	bind_int(&q, m->doc);
	bind_int(&q, id);
	while (query_row(&q))
		row_add(leaf, &q, rows, 0);
	query_end(&q);
}

static int by_bytes(const void *a, const void *b)
{
	return text_order(*(const struct text *)a, *(const struct text *)b);
}

/* Databases order texts differently, so the rows of the counters are ordered here. */
static void counters_add(struct manual *m, struct buffer *leaf)
{
	struct arena scratch = {0};
	ARRAY(struct text) rows = {0};
	struct query q = query_on(m->t, "SELECT " COUNTER_TEXTS " FROM counter WHERE doc = ?1");

	bind_int(&q, m->doc);
	while (query_row(&q)) {
		struct buffer row = {.arena = &scratch};
		row_add(&row, &q, ROWS_COUNTER, 0);
		*ARRAY_PUSH(&scratch, &rows) = buffer_text(&row);
	}
	query_end(&q);
	if (rows.n)
		array_sort(rows.items, rows.n, sizeof *rows.items, by_bytes);
	for (size_t i = 0; i < rows.n; i++)
		buffer_add(leaf, rows.items[i]);
	arena_free(&scratch);
}

static void leaf_read(struct manual *m, int64_t id, struct buffer *leaf)
{
	if (id == SEAL_COUNTERS) {
		counters_add(m, leaf);
	} else if (id > SEAL_COUNTERS) {
		rows_add(m, "SELECT " RUN_TEXTS " FROM run WHERE doc = ?1 AND run = ?2", id - SEAL_COUNTERS, ROWS_RUN,
			 leaf);
	} else {
		rows_add(m, "SELECT " NODE_TEXTS " FROM node WHERE doc = ?1 AND uid = ?2", id, ROWS_NODE, leaf);
		rows_add(m, "SELECT " BODY_TEXTS " FROM body WHERE doc = ?1 AND uid = ?2", id, ROWS_BODY, leaf);
		rows_add(m, "SELECT " REF_TEXTS " FROM ref WHERE doc = ?1 AND src = ?2 ORDER BY ref.k", id, ROWS_REF,
			 leaf);
	}
}

/* Pages. */

static struct text page_key(struct arena *a, int64_t level, int64_t number)
{
	int64_t key = number * (SEAL_TOP + 1) + level;
	char *bytes = arena_alloc(a, sizeof key);

	memcpy(bytes, &key, sizeof key);
	return (struct text){bytes, sizeof key};
}

struct seal_page *seal_page_at(struct manual *m, int64_t level, int64_t number, bool *was)
{
	struct arena *a = m->c->arena;
	struct seals *s = &m->seals;

	s->page_at.arena = a;
	uint32_t *at = map_at(&s->page_at, page_key(a, level, number), (uint32_t)s->pages.n, was);
	if (!*was) {
		struct seal_page *p = arena_new(a, struct seal_page);
		p->level = level;
		p->number = number;
		*ARRAY_PUSH(a, &s->pages) = p;
	}
	return s->pages.items[*at];
}

static void page_is(struct manual *m, int64_t level, int64_t number, struct text stored)
{
	bool was;
	struct seal_page *p = seal_page_at(m, level, number, &was);

	if (!was)
		seal_page_read(stored, p);
}

static void page_fetch(struct manual *m, int64_t level, int64_t number)
{
	struct query q = query_on(m->t, "SELECT hashes FROM seal WHERE doc = ?1 AND level = ?2 AND number = ?3");

	bind_int(&q, m->doc);
	bind_int(&q, level);
	bind_int(&q, number);
	page_is(m, level, number, query_row(&q) ? query_lent(&q, 0) : (struct text){0});
	query_end(&q);
}

static void top_fetch(struct manual *m)
{
	struct query q = query_on(m->t, "SELECT number, hashes FROM seal WHERE doc = ?1 AND level = ?2");

	bind_int(&q, m->doc);
	bind_int(&q, SEAL_TOP);
	while (query_row(&q))
		page_is(m, SEAL_TOP, query_int(&q, 0), query_lent(&q, 1));
	query_end(&q);
}

/* ?1 doc, ?2 the leaves [[kind, id]], ?3 the pages [[level, number]], ?4 1: all pages of the highest level. LATERAL
 * with a LIMIT keeps the planner from reading all rows of a document. */
/* clang-format off */
#define EACH(TABLE, ON, MOST) \
	"FROM given CROSS JOIN LATERAL (SELECT * FROM " TABLE " WHERE doc = ?1 AND " ON " LIMIT " MOST ") x "
static const char at_once[] =
	"WITH given AS (SELECT (e->>0)::bigint AS kind, (e->>1)::bigint AS id FROM json_array_elements(?2::text::json) AS g (e)), "
	"paged AS (SELECT (e->>0)::bigint AS level, (e->>1)::bigint AS number FROM json_array_elements(?3::text::json) AS p (e)) "
	"SELECT kind, id, 0::bigint AS what, 0::bigint AS place, " NODE_TEXTS ", NULL::bytea "
	EACH("node", "uid = given.id AND kind = 0", "1")
	"UNION ALL SELECT kind, id, 1, 0, " BODY_TEXTS ", NULL, NULL, NULL, NULL, NULL, NULL "
	EACH("body", "uid = given.id AND kind = 0", "1")
	"UNION ALL SELECT kind, id, 2, k, " REF_TEXTS ", NULL, NULL, NULL, NULL, NULL, NULL "
	EACH("ref", "src = given.id AND kind = 0", "1000000000")
	"UNION ALL SELECT kind, id, 3, 0, " RUN_TEXTS ", NULL, NULL, NULL, NULL, NULL "
	EACH("run", "run = given.id AND kind = 1", "1")
	"UNION ALL SELECT 9, p.number, 5, p.level, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, s.hashes FROM paged p "
	"CROSS JOIN LATERAL (SELECT hashes FROM seal WHERE doc = ?1 AND level = p.level AND number = p.number LIMIT 1) s "
	"UNION ALL SELECT 9, number, 5, level, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, hashes FROM seal "
	"WHERE doc = ?1 AND level = 3 AND ?4::bigint = 1 "
	"ORDER BY 1, 2, 3, 4";
/* clang-format on */
_Static_assert(SEAL_TOP == 3, "the statement names the highest level, for the planner");
enum { COLUMN_KIND, COLUMN_ID, COLUMN_WHAT, COLUMN_PLACE, COLUMN_TEXTS, COLUMN_HASHES = COLUMN_TEXTS + 8 };

static int64_t id_of(struct query *q)
{
	return query_int(q, COLUMN_ID) + (query_int(q, COLUMN_KIND) == 1 ? SEAL_COUNTERS : 0);
}

static struct text pairs_text(struct arena *a, const struct seal_ids *list, bool are_leaves)
{
	struct buffer b = {.arena = a};

	buffer_byte(&b, '[');
	for (size_t i = 0; i < list->items.n; i += are_leaves ? 1 : 2) {
		int64_t one = list->items.items[i];
		bool is_run = one > SEAL_COUNTERS;
		if (are_leaves)
			buffer_format(&b, "%s[%d,%lld]", i ? "," : "", is_run,
				      (long long)(is_run ? one - SEAL_COUNTERS : one));
		else
			buffer_format(&b, "%s[%lld,%lld]", i ? "," : "", (long long)one,
				      (long long)list->items.items[i + 1]);
	}
	buffer_byte(&b, ']');
	return buffer_text(&b);
}

/* The counters are few and have a statement of their own. */
static void leaf_close(struct manual *m, int64_t id, struct buffer *leaf, struct seal_hash *out)
{
	if (id == SEAL_COUNTERS)
		counters_add(m, leaf);
	leaf_end(leaf, out);
}

/* `ids` are in order. */
static void read_at_once(struct manual *m, const struct seal_ids *ids, const struct seal_ids *pages, bool with_top,
			 struct seal_hash *leaves)
{
	struct arena scratch = {0};
	struct buffer leaf = {.arena = &scratch};
	struct query q = query_on(m->t, at_once);
	size_t at = 0;

	bind_int(&q, m->doc);
	bind_text(&q, pairs_text(&scratch, ids, true));
	bind_text(&q, pairs_text(&scratch, pages, false));
	bind_int(&q, with_top);
	while (query_row(&q)) {
		enum rows what = (enum rows)query_int(&q, COLUMN_WHAT);
		if (what == ROWS_PAGE) {
			page_is(m, query_int(&q, COLUMN_PLACE), query_int(&q, COLUMN_ID),
				query_lent(&q, COLUMN_HASHES));
			continue;
		}
		while (at < ids->items.n && ids->items.items[at] != id_of(&q)) {
			leaf_close(m, ids->items.items[at], &leaf, &leaves[at]);
			at++;
		}
		row_add(&leaf, &q, what, COLUMN_TEXTS);
	}
	query_end(&q);
	for (; at < ids->items.n; at++)
		leaf_close(m, ids->items.items[at], &leaf, &leaves[at]);
	arena_free(&scratch);
}

void seal_rows_read(struct manual *m, const struct seal_ids *ids, const struct seal_ids *pages, bool with_top,
		    struct seal_hash *leaves)
{
	struct arena scratch = {0};
	struct buffer leaf = {.arena = &scratch};

	if (transaction_is_shared(m->t)) {
		read_at_once(m, ids, pages, with_top, leaves);
	} else {
		for (size_t i = 0; i < ids->items.n; i++) {
			leaf_read(m, ids->items.items[i], &leaf);
			leaf_end(&leaf, &leaves[i]);
		}
		for (size_t i = 0; i < pages->items.n; i += 2)
			page_fetch(m, pages->items.items[i], pages->items.items[i + 1]);
		if (with_top)
			top_fetch(m);
	}
	/* A page that is not stored is empty. Now it is known to be. */
	for (size_t i = 0; i < pages->items.n; i += 2)
		page_is(m, pages->items.items[i], pages->items.items[i + 1], (struct text){0});
	arena_free(&scratch);
}

void seal_pages_read(struct manual *m)
{
	struct query q = query_on(m->t, "SELECT level, number, hashes FROM seal WHERE doc = ?1");

	bind_int(&q, m->doc);
	while (query_row(&q))
		page_is(m, query_int(&q, 0), query_int(&q, 1), query_lent(&q, 2));
	query_end(&q);
}

/* All rows. */

enum { ROWS_AT_ONCE = 4096 };

/* The rows of a table in the order of their blocks, some at a time, so that a server's answer fits in memory. */
struct stream {
	struct manual *m;
	const char *sql; /* ?2, ?3: after this block, and this place in it */
	enum rows rows;
	struct query q;
	int64_t id, place;
	size_t n;
	bool is_open, is_over;
};

static void stream_next(struct stream *s)
{
	while (!s->is_over) {
		if (!s->is_open) {
			s->q = query_on(s->m->t, s->sql);
			bind_int(&s->q, s->m->doc);
			bind_int(&s->q, s->id);
			bind_int(&s->q, s->place);
			bind_int(&s->q, ROWS_AT_ONCE);
			s->n = 0;
			s->is_open = true;
		}
		if (query_row(&s->q)) {
			s->n++;
			s->id = query_int(&s->q, 0);
			s->place = query_int(&s->q, 1);
			return;
		}
		query_end(&s->q);
		s->is_open = false;
		s->is_over = s->n < ROWS_AT_ONCE || transaction_failed(s->m->t);
	}
}

static void streams_read(struct stream *streams, size_t n, int64_t offset,
			 void (*leaf)(void *with, int64_t id, const struct seal_hash *h), void *with)
{
	struct arena scratch = {0};
	struct buffer bytes = {.arena = &scratch};
	struct seal_hash h;

	for (size_t i = 0; i < n; i++)
		stream_next(&streams[i]);
	for (;;) {
		int64_t least = INT64_MAX;
		bool any = false;
		for (size_t i = 0; i < n; i++)
			if (!streams[i].is_over && streams[i].id <= least) {
				least = streams[i].id;
				any = true;
			}
		if (!any)
			break;
		for (size_t i = 0; i < n; i++)
			while (!streams[i].is_over && streams[i].id == least) {
				row_add(&bytes, &streams[i].q, streams[i].rows, 2);
				stream_next(&streams[i]);
			}
		leaf_end(&bytes, &h);
		leaf(with, offset + least, &h);
	}
	arena_free(&scratch);
}

void seal_rows_all(struct manual *m, void (*leaf)(void *with, int64_t id, const struct seal_hash *h), void *with)
{
	struct stream streams[] = {
		{.rows = ROWS_NODE,
		 .sql = "SELECT uid, 0, " NODE_TEXTS
			" FROM node WHERE doc = ?1 AND uid > ?2 AND CAST(?3 AS INTEGER) <= 0 ORDER BY uid LIMIT ?4"},
		{.rows = ROWS_BODY,
		 .sql = "SELECT uid, 0, " BODY_TEXTS
			" FROM body WHERE doc = ?1 AND uid > ?2 AND CAST(?3 AS INTEGER) <= 0 ORDER BY uid LIMIT ?4"},
		{.rows = ROWS_REF,
		 .sql = "SELECT src, k, " REF_TEXTS
			" FROM ref WHERE doc = ?1 AND (src, k) > (?2, ?3) ORDER BY ref.src, ref.k LIMIT ?4"},
		{.rows = ROWS_RUN,
		 .sql = "SELECT run, 0, " RUN_TEXTS
			" FROM run WHERE doc = ?1 AND run > ?2 AND CAST(?3 AS INTEGER) <= 0 ORDER BY run LIMIT ?4"},
	};
	enum { BLOCKS = ARRAY_COUNT(streams) - 1 };
	struct arena scratch = {0};
	struct buffer counters = {.arena = &scratch};
	struct seal_hash h;

	for (size_t i = 0; i < ARRAY_COUNT(streams); i++) {
		streams[i].m = m;
		streams[i].id = streams[i].place = INT64_MIN;
	}
	streams_read(streams, BLOCKS, 0, leaf, with);
	counters_add(m, &counters);
	leaf_end(&counters, &h);
	leaf(with, SEAL_COUNTERS, &h);
	streams_read(&streams[BLOCKS], 1, SEAL_COUNTERS, leaf, with);
	arena_free(&scratch);
}
