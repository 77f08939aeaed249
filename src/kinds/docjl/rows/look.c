/* look.c: reads everything that an edit needs around one block, in one statement.
 *
 * Separately these are ten reads, each of which needs the one before. On a server every read is a round trip, so one
 * statement does them all. It only fills m->known. Anything missing there is read later, where it is needed. */
#include "kinds/docjl/rows/manual.h"

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
