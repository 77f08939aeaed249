/* run.c: computed labels.
 *
 * The numbers of a group (one prefix below one container) are stored in runs of consecutive numbers. A member has a
 * slot, and its number is base + slot. Shifting many numbers by one changes the base of a few runs. A run has at most
 * RUN_MAX members, so a split or join changes at most that many rows. */
#include "kinds/docjl/rows/manual.h"

#include "base/map.h"

/* The last run that begins at or before the number. Reads three runs, because the next lookups are usually near. */
static bool run_before(struct manual *m, int64_t stem, struct text prefix, int64_t number, struct run *out)
{
	struct run_window *w = &m->known.window;

	bool is_known = w->stem == stem && text_same(w->prefix, prefix) && number <= w->upto &&
			(w->n < WINDOW_RUNS || w->runs[WINDOW_RUNS - 1].base <= number);
	if (!is_known) {
		struct query q = query_on(
			m->t, "SELECT run, base, n FROM run WHERE doc = ?1 AND stem = ?2 AND prefix = ?3 AND base <= "
			      "?4 ORDER BY base DESC LIMIT 3");
		*w = (struct run_window){.stem = stem, .upto = number + 2, .prefix = text_copy(m->c->arena, prefix)};
		bind_int(&q, m->doc);
		bind_int(&q, stem);
		bind_text(&q, prefix);
		bind_int(&q, w->upto);
		while (w->n < WINDOW_RUNS && query_row(&q))
			w->runs[w->n++] = (struct run){query_int(&q, 0), stem, bounded(query_int(&q, 1), BOUND_SLOT),
						       bounded(query_int(&q, 2), BOUND_SLOT), w->prefix};
		query_end(&q);
	}
	for (int i = 0; i < w->n; i++)
		if (w->runs[i].base <= number) {
			*out = w->runs[i];
			known_run_is(&m->known, out);
			return true;
		}
	/* Three runs begin within two numbers of each other only in a manipulated file. */
	return false;
}

static bool run_with(struct manual *m, int64_t stem, struct text prefix, int64_t number, struct run *out)
{
	return run_before(m, stem, prefix, number, out) && number < out->base + out->n;
}

int64_t group_at(struct manual *m, int64_t stem, struct text prefix, int64_t number)
{
	struct run r;
	struct node n;

	if (!run_with(m, stem, prefix, number, &r))
		return 0;
	struct query q = query_on(m->t, "SELECT " NODE_COLUMNS
					" FROM node INDEXED BY node_run WHERE doc = ?1 AND run = ?2 AND slot = ?3");
	bind_int(&q, m->doc);
	bind_int(&q, r.run);
	bind_int(&q, number - r.base);
	return node_of(m, &q, &n) ? n.uid : 0;
}

int64_t group_last(struct manual *m, int64_t stem, struct text prefix, int64_t number)
{
	struct run r;

	if (!run_with(m, stem, prefix, number, &r))
		return number - 1;
	int64_t last = r.base + r.n - 1;
	struct query q =
		query_on(m->t, "SELECT base, n FROM run WHERE doc = ?1 AND stem = ?2 AND prefix = ?3 AND base > ?4 "
			       "ORDER BY base");
	bind_int(&q, m->doc);
	bind_int(&q, stem);
	bind_text(&q, prefix);
	bind_int(&q, last);
	while (query_row(&q) && query_int(&q, 0) == last + 1 && query_int(&q, 1) > 0)
		last += bounded(query_int(&q, 1), BOUND_SLOT);
	query_end(&q);
	return last;
}

int64_t group_largest(struct manual *m, int64_t stem, struct text prefix)
{
	struct run r;

	return run_before(m, stem, prefix, LABEL_NUMBER_MAX, &r) ? r.base + r.n - 1 : 0;
}

static void run_size(struct manual *m, int64_t run, int64_t base, int64_t n)
{
	struct query q = query_on(m->t, n ? "UPDATE run SET base = ?3, n = ?4 WHERE doc = ?1 AND run = ?2"
					  : "DELETE FROM run WHERE doc = ?1 AND run = ?2");

	seal_run(m, run);
	bind_int(&q, m->doc);
	bind_int(&q, run);
	if (n) {
		bind_int(&q, base);
		bind_int(&q, n);
	}
	query_run(&q);
	known_run_sized(&m->known, run, base, n);
}

static int64_t run_new(struct manual *m, int64_t stem, struct text prefix, int64_t base, int64_t n)
{
	struct query q =
		query_on(m->t, "INSERT INTO run (doc, run, stem, prefix, base, n) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");

	seal_fresh(m, SEAL_COUNTERS + ++m->next_run);
	bind_int(&q, m->doc);
	bind_int(&q, m->next_run);
	bind_int(&q, stem);
	bind_text(&q, prefix);
	bind_int(&q, base);
	bind_int(&q, n);
	query_run(&q);
	m->known.window = (struct run_window){0};
	return m->next_run;
}

static void members_seal(struct manual *m, int64_t run, int64_t from_slot)
{
	struct uids members = {0};
	struct query q =
		query_on(m->t, "SELECT uid FROM node INDEXED BY node_run WHERE doc = ?1 AND run = ?2 AND slot >= ?3");

	bind_int(&q, m->doc);
	bind_int(&q, run);
	bind_int(&q, from_slot);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &members.items) = query_int(&q, 0);
	query_end(&q);
	seal_blocks(m, members.items.items, members.items.n);
}

/* Moves the members of a run from a slot on to another run, with `by` added to their slots. */
static void members_move(struct manual *m, int64_t run, int64_t from_slot, int64_t to_run, int64_t by)
{
	members_seal(m, run, from_slot);
	struct query q = query_on(
		m->t, "UPDATE node INDEXED BY node_run SET run = ?4, slot = slot + ?5 WHERE doc = ?1 AND run = ?2 AND "
		      "slot >= ?3");

	bind_int(&q, m->doc);
	bind_int(&q, run);
	bind_int(&q, from_slot);
	bind_int(&q, to_run);
	bind_int(&q, by);
	query_run(&q);
	known_forget_nodes(&m->known);
}

/* Splits a run at `number`: after this no run has numbers on both sides of it. */
static void run_cut(struct manual *m, int64_t stem, struct text prefix, int64_t number)
{
	struct run r;

	if (!run_with(m, stem, prefix, number, &r) || r.base == number)
		return;
	int64_t keep = number - r.base;
	int64_t tail = run_new(m, stem, prefix, number, r.n - keep);
	members_move(m, r.run, keep, tail, -keep);
	run_size(m, r.run, r.base, keep);
}

/* Joins the runs that meet at `number` if both together are short. This rewrites the members of the right one, so it
 * must not be much longer. So many inserts at one place change only a few rows each and leave only a few runs. */
static void run_join(struct manual *m, int64_t stem, struct text prefix, int64_t number)
{
	struct run left, right;

	while (run_with(m, stem, prefix, number, &right) && right.base == number &&
	       run_with(m, stem, prefix, number - 1, &left) && left.n + right.n <= RUN_MAX && right.n <= 2 * left.n) {
		members_move(m, right.run, 0, left.run, left.n);
		run_size(m, right.run, 0, 0);
		run_size(m, left.run, left.base, left.n + right.n);
		number = left.base + left.n + right.n;
	}
}

static struct json *step(struct manual *m)
{
	if (!m->steps)
		m->steps = json_new_array(m->c->arena);
	return json_new_object(m->c->arena);
}

static void step_group(struct manual *m, struct json *s, int64_t stem, struct text prefix)
{
	json_set_int(m->c->arena, s, "stem", stem);
	json_set_text(m->c->arena, s, "prefix", prefix);
}

void label_changed(struct manual *m, struct text before, struct text after)
{
	if (m->changes.n < CHANGES_MAX)
		*ARRAY_PUSH(m->c->arena, &m->changes) = (struct label_change){before, after};
	m->changed++;
	*ARRAY_PUSH(m->c->arena, &m->fresh) = after;
}

static void node_label_row(struct manual *m, const struct node *n)
{
	struct query q =
		query_on(m->t, "UPDATE node SET name = ?3, run = ?4, slot = ?5, auto_label = ?6 WHERE doc = ?1 AND "
			       "uid = ?2");

	seal_block(m, n->uid);
	bind_int(&q, m->doc);
	bind_int(&q, n->uid);
	bind_text(&q, n->name);
	bind_number(&q, n);
	bind_int(&q, n->is_auto);
	query_run(&q);
	known_relabelled(&m->known);
	struct node *known = known_node(&m->known, n->uid);
	if (known) {
		known->name = n->name;
		known->run = n->run;
		known->slot = n->slot;
		known->is_auto = n->is_auto;
	}
}

void label_name(struct manual *m, struct node *n, struct text name, bool is_auto)
{
	struct arena *a = m->c->arena;
	struct json *s = step(m);
	struct label l;

	json_set_int(a, s, "name", n->uid);
	json_set(a, s, "from", n->name.at ? json_new_text(a, n->name) : json_new_null(a));
	json_set(a, s, "to", name.at ? json_new_text(a, name) : json_new_null(a));
	json_set(a, s, "auto", json_new_bool(a, is_auto));
	json_set(a, s, "was_auto", json_new_bool(a, n->is_auto));
	json_push(a, m->steps, s);
	n->name = name.at ? text_copy(a, name) : name;
	n->is_auto = is_auto;
	node_label_row(m, n);
	if (label_parse(name, &l)) {
		counter_see(m, &l, n->holds);
		/* Two paths may lead to one label: through a dotted name, or through containers of two prefixes with
		 * one number. */
		m->irregular |= l.is_dotted || (n->holds && l.is_numeric && !text_is(l.prefix, "sec"));
	}
}

void label_put(struct manual *m, struct node *n, int64_t stem, struct text prefix, int64_t number, bool is_auto)
{
	struct arena *a = m->c->arena;
	struct run r;
	struct json *s = step(m);

	json_set_int(a, s, "put", n->uid);
	step_group(m, s, stem, prefix);
	json_set_int(a, s, "number", number);
	json_set(a, s, "auto", json_new_bool(a, is_auto));
	json_set(a, s, "was_auto", json_new_bool(a, n->is_auto));
	json_push(a, m->steps, s);
	if (run_with(m, stem, prefix, number - 1, &r) && r.base + r.n == number && r.n < RUN_MAX) {
		run_size(m, r.run, r.base, r.n + 1);
		n->run = r.run;
		n->slot = r.n;
	} else {
		n->run = run_new(m, stem, prefix, number, 1);
		n->slot = 0;
	}
	n->name = (struct text){0};
	n->is_auto = is_auto;
	node_label_row(m, n);
	run_join(m, stem, prefix, number + 1);
	if (n->holds) {
		counter_see(m, &(struct label){.prefix = prefix}, true);
		m->irregular |= !text_is(prefix, "sec");
	}
}

void label_take_away(struct manual *m, struct node *n)
{
	struct arena *a = m->c->arena;
	struct text prefix;
	int64_t stem, number;
	struct node now;
	struct run r;

	/* Runs may have been split or joined since the node was read. */
	if (node_read(m, n->uid, &now))
		*n = now;
	if (!node_group(m, n, &stem, &prefix, &number))
		return;
	seal_blocks(m, (int64_t[]){n->uid, SEAL_COUNTERS + n->run}, 2); /* both change: one round trip */
	struct json *s = step(m);
	json_set_int(a, s, "away", n->uid);
	step_group(m, s, stem, prefix);
	json_set_int(a, s, "number", number);
	json_set(a, s, "auto", json_new_bool(a, n->is_auto));
	json_push(a, m->steps, s);
	int64_t behind = run_read(m, n->run, &r) ? r.n - n->slot - 1 : 0;
	if (behind > 0)
		members_move(m, r.run, n->slot + 1, run_new(m, stem, prefix, number + 1, behind), -n->slot - 1);
	run_size(m, n->run, number - n->slot, n->slot);
	n->run = n->slot = 0;
	node_label_row(m, n);
}

/* Records the changed labels below a container whose number changed, as many as the result shows. */
static void dependents(struct manual *m, int64_t stem, struct text before, struct text after, int depth)
{
	ARRAY(struct node) members = {0};
	struct query q = query_on(
		m->t, "SELECT node.uid, node.container, run.prefix, run.base + node.slot FROM run INDEXED BY run_base "
		      "CROSS JOIN node INDEXED BY node_run WHERE node.doc = run.doc AND node.run = run.run AND "
		      "run.doc = ?1 AND run.stem = ?2 ORDER BY run.prefix, run.base, node.slot");

	if (depth > DEPTH_MAX || m->changes.n >= CHANGES_MAX)
		return;
	bind_int(&q, m->doc);
	bind_int(&q, stem);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &members) = (struct node){.uid = query_int(&q, 0),
								   .holds = query_int(&q, 1),
								   .name = query_text(&q, m->c->arena, 2),
								   .slot = query_int(&q, 3)};
	query_end(&q);
	for (size_t i = 0; i < members.n && m->changes.n < CHANGES_MAX; i++) {
		const struct node *n = &members.items[i];
		struct text old = text_format(m->c->arena, "%.*s:%.*s.%lld", TEXT_ARGS(n->name), TEXT_ARGS(before),
					      (long long)n->slot);
		struct text new = text_format(m->c->arena, "%.*s:%.*s.%lld", TEXT_ARGS(n->name), TEXT_ARGS(after),
					      (long long)n->slot);
		label_changed(m, old, new);
		if (n->holds)
			dependents(m, n->uid, label_id(old), label_id(new), depth + 1);
	}
}

void labels_below(struct manual *m, int64_t uid, struct text before, struct text after)
{
	dependents(m, uid, before, after, 0);
}

static bool prefix_holds(struct manual *m, struct text prefix)
{
	struct query q = query_on(m->t, "SELECT holds FROM counter WHERE doc = ?1 AND prefix = ?2");

	bind_int(&q, m->doc);
	bind_text(&q, prefix);
	bool holds = query_row(&q) && query_int(&q, 0);
	query_end(&q);
	return holds;
}

/* Merges two changes of the same label into one. A label that ends as it began is not a change. */
static void changes_compose(struct manual *m, size_t from)
{
	struct map by_after = {.arena = m->c->arena};
	size_t kept = 0;

	for (size_t i = 0; i < from; i++)
		*map_at(&by_after, m->changes.items[i].after, 0, NULL) = (uint32_t)i;
	for (size_t i = from; i < m->changes.n; i++) {
		const uint32_t *had = map_find(&by_after, m->changes.items[i].before);
		if (!had || m->changes.items[*had].after.at == NULL)
			continue;
		m->changes.items[*had].after = m->changes.items[i].after;
		m->changes.items[i].before = (struct text){0};
	}
	for (size_t i = 0; i < m->changes.n; i++) {
		struct label_change change = m->changes.items[i];
		if (change.before.at && !text_same(change.before, change.after))
			m->changes.items[kept++] = change;
		else
			m->changed--;
	}
	m->changes.n = kept;
}

static void note_shift(struct manual *m, int64_t stem, struct text prefix, int64_t from, int64_t to, int64_t by)
{
	struct arena *a = m->c->arena;
	struct text number = uid_number(m, stem);
	bool holds = prefix_holds(m, prefix);

	m->renumbers |= holds;
	size_t had = m->changes.n;
	int64_t counted = m->changed;

	*ARRAY_PUSH(a, &m->ranges) = (struct label_range){stem, text_copy(a, prefix), number, from, to, by};
	for (int64_t i = from; i <= to && m->changes.n < CHANGES_MAX; i++) {
		struct text old = text_format(a, "%.*s:%.*s.%lld", TEXT_ARGS(prefix), TEXT_ARGS(number), (long long)i);
		struct text new =
			text_format(a, "%.*s:%.*s.%lld", TEXT_ARGS(prefix), TEXT_ARGS(number), (long long)(i + by));
		label_changed(m, old, new);
		int64_t uid = holds ? group_at(m, stem, prefix, i) : 0;
		if (uid)
			dependents(m, uid, label_id(old), label_id(new), 0);
	}
	if (m->changes.n >= CHANGES_MAX && to - from + 1 > m->changed - counted)
		m->changed = counted + to - from + 1;
	if (had)
		changes_compose(m, had);
}

static void runs_seal(struct manual *m, int64_t stem, struct text prefix, int64_t from, int64_t to)
{
	struct uids runs = {0};
	struct query q =
		query_on(m->t, "SELECT run FROM run WHERE doc = ?1 AND stem = ?2 AND prefix = ?3 AND base >= ?4 AND "
			       "base <= ?5");

	bind_int(&q, m->doc);
	bind_int(&q, stem);
	bind_text(&q, prefix);
	bind_int(&q, from);
	bind_int(&q, to);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &runs.items) = query_int(&q, 0);
	query_end(&q);
	seal_runs(m, runs.items.items, runs.items.n);
}

void label_shift(struct manual *m, int64_t stem, struct text prefix, int64_t from, int64_t to, int64_t by)
{
	struct arena *a = m->c->arena;

	if (from > to)
		return;
	note_shift(m, stem, prefix, from, to, by);
	struct json *s = step(m), *range = json_new_array(a);
	json_push(a, range, json_new_int(a, from));
	json_push(a, range, json_new_int(a, to));
	json_push(a, range, json_new_int(a, by));
	json_set(a, s, "shift", range);
	step_group(m, s, stem, prefix);
	json_push(a, m->steps, s);
	run_cut(m, stem, prefix, from);
	run_cut(m, stem, prefix, to + 1);
	runs_seal(m, stem, prefix, from, to);
	struct query q =
		query_on(m->t, "UPDATE run SET base = base + ?6 WHERE doc = ?1 AND stem = ?2 AND prefix = ?3 AND base "
			       ">= ?4 AND base <= ?5");
	bind_int(&q, m->doc);
	bind_int(&q, stem);
	bind_text(&q, prefix);
	bind_int(&q, from);
	bind_int(&q, to);
	bind_int(&q, by);
	query_run(&q);
	known_forget_runs(&m->known);
	run_join(m, stem, prefix, from + by);
	run_join(m, stem, prefix, to + by + 1);
}
