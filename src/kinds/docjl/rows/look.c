/* look.c: reads everything that an edit needs around one block, in one statement, and the blocks of many labels.
 *
 * Separately these are ten reads, each of which needs the one before. On a server every read is a round trip, so one
 * statement does them all. Looking around a block only fills m->known. Anything missing there is read later, where it
 * is needed. */
#include "kinds/docjl/rows/manual.h"

#include <string.h>

/* ?1 doc, ?2 label, ?3 the beginnings of its stem ("4 4.2"), ?4 the numbers of the stem ("4 2"), ?5 prefix, ?6 number.
 * `path` are the containers with those numbers. `target` is the block with the label. `other` is the sibling before it
 * or its last child. `beside` is the one of these two whose runs are read, in the form of run_before(). LIMIT keeps the
 * planner from reading all rows of a document when it expects only a few. */
/* clang-format off */
#define RUN_AT(STEM, PREFIX, NUMBER, MOST) \
	"LATERAL (SELECT run, base, n FROM run WHERE doc = ?1 AND stem = " STEM " AND prefix = " PREFIX \
	" AND base <= " NUMBER " ORDER BY base DESC LIMIT " MOST ") "
#define WITH_RUN \
	"JOIN node n ON n.doc = ?1 AND n.uid = x.uid LEFT JOIN LATERAL (SELECT stem, base, n, prefix FROM run " \
	"WHERE doc = ?1 AND run = n.run LIMIT 1) r ON true "
/* ?2 [[label, prefix, number, parts of the stem]]; ?3 the parts [[which label, which part, beginning, number]]. */
#define LABELS \
	"WITH RECURSIVE given AS (SELECT k, e->>0 AS label, e->>1 AS prefix, (e->>2)::bigint AS number, " \
	"(e->>3)::bigint AS parts FROM json_array_elements(?2::text::json) WITH ORDINALITY AS g (e, k)), " \
	"step AS (SELECT (e->>0)::bigint AS k, (e->>1)::bigint AS i, e->>2 AS beginning, (e->>3)::bigint AS number " \
	"FROM json_array_elements(?3::text::json) AS s (e)), " \
	"holding AS (SELECT prefix FROM counter WHERE doc = ?1 AND holds = 1), " \
	"path (k, i, uid) AS (SELECT step.k, step.i, n.uid FROM step CROSS JOIN holding h CROSS JOIN LATERAL " \
	"(SELECT uid FROM node WHERE doc = ?1 AND name = h.prefix || ':' || step.beginning LIMIT 1) n " \
	"UNION ALL SELECT step.k, step.i, n.uid FROM path JOIN step ON step.k = path.k AND step.i = path.i + 1 " \
	"CROSS JOIN holding h CROSS JOIN " RUN_AT("path.uid", "h.prefix", "step.number", "1") "r CROSS JOIN LATERAL " \
	"(SELECT uid FROM node WHERE doc = ?1 AND run = r.run AND slot = step.number - r.base LIMIT 1) n) " \
	"SELECT g.k, n.uid FROM given g CROSS JOIN LATERAL (SELECT uid FROM node WHERE doc = ?1 AND name = g.label LIMIT 1) n " \
	"UNION ALL SELECT g.k, n.uid FROM given g JOIN path ON path.k = g.k AND path.i = g.parts " \
	"CROSS JOIN " RUN_AT("path.uid", "g.prefix", "g.number", "1") "r CROSS JOIN LATERAL " \
	"(SELECT uid FROM node WHERE doc = ?1 AND run = r.run AND slot = g.number - r.base LIMIT 1) n"
#define LOOK(OTHER, BESIDE, MORE) \
	"WITH RECURSIVE step AS (SELECT i, beginning, number FROM unnest(string_to_array(?3::text, ' '), " \
	"string_to_array(?4::text, ' ')::bigint[]) WITH ORDINALITY AS s (beginning, number, i)), " \
	"holding AS (SELECT prefix FROM counter WHERE doc = ?1 AND holds = 1), " \
	"path (i, uid) AS (SELECT step.i, n.uid FROM step CROSS JOIN holding h " \
	"JOIN node n ON n.doc = ?1 AND n.name = h.prefix || ':' || step.beginning " \
	"UNION ALL SELECT step.i, n.uid FROM path JOIN step ON step.i = path.i + 1 CROSS JOIN holding h " \
	"CROSS JOIN " RUN_AT("path.uid", "h.prefix", "step.number", "1") "r " \
	"JOIN node n ON n.doc = ?1 AND n.run = r.run AND n.slot = step.number - r.base), " \
	"target (uid) AS (SELECT uid FROM node WHERE doc = ?1 AND name = ?2 " \
	"UNION ALL SELECT n.uid FROM path CROSS JOIN " RUN_AT("path.uid", "?5::text", "?6::bigint", "1") "r " \
	"JOIN node n ON n.doc = ?1 AND n.run = r.run AND n.slot = ?6::bigint - r.base " \
	"WHERE path.i = (SELECT max(i) FROM step)), " \
	"other (uid) AS (SELECT o.uid FROM target t JOIN node n ON n.doc = ?1 AND n.uid = t.uid " \
	"CROSS JOIN LATERAL (SELECT uid FROM node WHERE doc = ?1 AND " OTHER " ORDER BY ord DESC LIMIT 1) o), " \
	"found (what, uid) AS (SELECT 0, uid FROM path UNION ALL SELECT 1, uid FROM target " \
	"UNION ALL SELECT 2, uid FROM other) " \
	"SELECT what, n.uid, n.parent, n.ord, n.type, n.container, n.name, n.run, n.slot, n.auto_label, " \
	"r.stem, r.base, r.n, r.prefix, " \
	"CASE what WHEN 1 THEN (SELECT json FROM body WHERE doc = ?1 AND uid = n.uid) END, " \
	"CASE what WHEN 1 THEN (SELECT count(*) FROM ref WHERE doc = ?1 AND src = n.uid) END, " \
	"CASE what WHEN 1 THEN (SELECT count(*) FROM ref WHERE doc = ?1 AND dst = n.uid) END, " \
	"CASE what WHEN 1 THEN (SELECT count(*) FROM (SELECT 1 FROM ref WHERE doc = ?1 AND dst IS NULL LIMIT 1) b) END " \
	"FROM found x " WITH_RUN \
	"UNION ALL SELECT 3, 0, 0, 0, NULL, 0, NULL, w.run, r.base + n.slot + " MORE ", 0, r.stem, w.base, w.n, r.prefix, " \
	"NULL, NULL, NULL, NULL FROM " BESIDE " x " WITH_RUN \
	"CROSS JOIN " RUN_AT("r.stem", "r.prefix", "r.base + n.slot + " MORE, "3") "w"
/* clang-format on */

static const char at_block[] = LOOK("parent = n.parent AND ord < n.ord", "target", "2");
static const char in_block[] = LOOK("parent = n.uid", "other", "3");

enum column { WHAT, NODE, RUN_STEM = 10, RUN_BASE, RUN_N, RUN_PREFIX, JSON_TEXT, CITES, CITED, BROKEN };
enum what { PATH, TARGET, OTHER, WINDOW };

static struct run run_at(struct manual *m, struct query *q, int64_t run)
{
	return (struct run){run, query_int(q, RUN_STEM), bounded(query_int(q, RUN_BASE), BOUND_SLOT),
			    bounded(query_int(q, RUN_N), BOUND_SLOT), query_text(q, m->c->arena, RUN_PREFIX)};
}

static void window_add(struct manual *m, struct query *q, struct run_window *w)
{
	struct run r = run_at(m, q, query_int(q, NODE + 6));

	if (!w->n)
		*w = (struct run_window){.stem = r.stem, .upto = query_int(q, NODE + 7), .prefix = r.prefix};
	if (w->n < WINDOW_RUNS)
		w->runs[w->n++] = r;
}

struct seen {
	struct node target, other;
	int targets, others;
	struct text body;
	bool cites, is_cited, has_broken;
	struct run_window window;
};

static void row_seen(struct manual *m, struct query *q, struct seen *s)
{
	enum what what = (enum what)query_int(q, WHAT);
	struct node n;

	if (what == WINDOW) {
		window_add(m, q, &s->window);
		return;
	}
	node_row(m, q, NODE, &n);
	known_node_is(&m->known, &n);
	if (query_lent(q, RUN_STEM).at) {
		struct run r = run_at(m, q, n.run);
		known_run_is(&m->known, &r);
	}
	if (what == OTHER) {
		s->other = n;
		s->others++;
	}
	if (what == TARGET) {
		s->target = n;
		s->targets++;
		s->body = query_text(q, m->c->arena, JSON_TEXT);
		s->cites = query_int(q, CITES);
		s->is_cited = query_int(q, CITED);
		s->has_broken = query_int(q, BROKEN);
	}
}

static void bind_steps(struct manual *m, struct query *q, struct label *l)
{
	struct buffer beginnings = {.arena = m->c->arena}, numbers = {.arena = m->c->arena};

	for (size_t from = 0, dot; from < l->stem.len; from = dot + 1) {
		dot = text_find(l->stem, TEXT("."), from);
		dot = dot == SIZE_MAX ? l->stem.len : dot;
		buffer_format(&beginnings, "%s%.*s", from ? " " : "", (int)dot, l->stem.at);
		buffer_format(&numbers, "%s%.*s", from ? " " : "", (int)(dot - from), l->stem.at + from);
	}
	bind_text(q, buffer_text(&beginnings));
	bind_text(q, buffer_text(&numbers));
}

void manual_look(struct manual *m, struct text label, enum look look)
{
	struct seen s = {0};
	struct label l;

	if (!transaction_is_shared(m->t) || !label_parse(label, &l))
		return;
	if (!l.is_dotted)
		l.stem = (struct text){"", 0};
	struct query q = query_on(m->t, look == LOOK_AT ? at_block : in_block);
	bind_int(&q, m->doc);
	bind_text(&q, label);
	bind_steps(m, &q, &l);
	bind_text(&q, l.prefix);
	bind_int(&q, l.number);
	while (query_row(&q))
		row_seen(m, &q, &s);
	query_end(&q);
	/* Two blocks have one label only in a manipulated file, or in an irregular document where two paths lead to one
	 * label. */
	if (s.targets != 1 || s.others > 1)
		return;
	struct known *k = &m->known;
	k->label = text_copy(m->c->arena, label);
	k->label_of = s.target.uid;
	k->body = s.body;
	k->body_of = s.target.uid;
	if (!s.cites) {
		k->refs = (struct references){0};
		k->refs_of = s.target.uid;
	}
	k->uncited = s.is_cited ? 0 : s.target.uid;
	k->window = s.window;
	m->may_have_broken = s.has_broken;
	if (look == LOOK_IN) {
		k->last = s.other.uid;
		k->last_of = s.target.uid;
	} else {
		k->previous = s.other.uid;
		k->previous_of = s.target.uid;
	}
}

static const char by_labels[] = LABELS;

/* The parts of a stem such as 4.2: 4 with the number 4, 4.2 with the number 2. Returns how many there are. */
static int64_t put_parts(struct json_out *o, int64_t which, struct text stem)
{
	int64_t n = 0;

	for (size_t from = 0, dot; from < stem.len; from = dot + 1) {
		dot = text_find(stem, TEXT("."), from);
		dot = dot == SIZE_MAX ? stem.len : dot;
		json_open(o, '[');
		json_put_int(o, which);
		json_put_int(o, ++n);
		json_put_text(o, text_slice(stem, 0, dot));
		json_put_text(o, text_slice(stem, from, dot));
		json_close(o, ']');
	}
	return n;
}

/* Two answers for one label, or none, are left to label_uid(): its rules decide in irregular documents. */
static void labels_look(struct manual *m, const struct text *labels, size_t n, int64_t *uids)
{
	struct buffer given = {.arena = m->c->arena}, parts = {.arena = m->c->arena};
	struct json_out o = {.to = &given}, steps = {.to = &parts};

	json_open(&o, '[');
	json_open(&steps, '[');
	for (size_t i = 0; i < n; i++) {
		struct label l;
		bool is_dotted = label_parse(labels[i], &l) && l.is_dotted;
		json_open(&o, '[');
		json_put_text(&o, storable(m->c->arena, labels[i]));
		json_put_text(&o, is_dotted ? l.prefix : TEXT(""));
		json_put_int(&o, is_dotted ? l.number : 0);
		json_put_int(&o, is_dotted ? put_parts(&steps, (int64_t)i + 1, l.stem) : -1);
		json_close(&o, ']');
	}
	json_close(&o, ']');
	json_close(&steps, ']');
	struct query q = query_on(m->t, by_labels);
	bind_int(&q, m->doc);
	bind_text(&q, buffer_text(&given));
	bind_text(&q, buffer_text(&parts));
	while (query_row(&q)) {
		int64_t which = query_int(&q, 0) - 1, uid = query_int(&q, 1);
		if (which >= 0 && which < (int64_t)n)
			uids[which] = uids[which] && uids[which] != uid ? -1 : uid;
	}
	query_end(&q);
}

void labels_uids(struct manual *m, const struct text *labels, size_t n, int64_t *uids)
{
	memset(uids, 0, n * sizeof *uids);
	if (transaction_is_shared(m->t))
		labels_look(m, labels, n, uids);
	for (size_t i = 0; i < n; i++)
		if (uids[i] <= 0)
			uids[i] = label_uid(m, labels[i]);
}

bool labels_find(struct manual *m, const struct text *labels, size_t n, struct uids *out)
{
	int64_t *uids = arena_array(m->c->arena, n + 1, sizeof *uids);
	struct node found;

	*out = (struct uids){0};
	labels_uids(m, labels, n, uids);
	for (size_t i = 0; i < n; i++) {
		if (!uids[i] && !node_find(m, labels[i], &found))
			return false;
		*ARRAY_PUSH(m->c->arena, &out->items) = uids[i] ? uids[i] : found.uid;
	}
	return manual_is_sound(m);
}
