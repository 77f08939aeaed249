/* naming.c: which label a block gets.
 *
 * A positional label is a dotted number whose stem is the number of a container above it. Only these shift. A plain or
 * named label is an identifier and never changes by itself. */
#include "kinds/docjl/rows/manual.h"

#include "base/array.h"

#include <stdlib.h>

void counter_see(struct manual *m, const struct label *l, bool holds)
{
	int64_t number = l->is_numeric && !l->is_dotted ? l->number : 0;
	struct query q = query_on(
		m->t, "INSERT INTO counter (doc, prefix, max, holds) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (doc, "
		      "prefix) DO UPDATE SET max = CASE WHEN excluded.max > counter.max THEN excluded.max "
		      "ELSE counter.max END, holds = CASE WHEN excluded.holds = 1 THEN 1 ELSE counter.holds "
		      "END WHERE excluded.max > counter.max OR excluded.holds > counter.holds");

	seal_counters(m);
	bind_int(&q, m->doc);
	bind_text(&q, l->prefix);
	bind_int(&q, number);
	bind_int(&q, holds);
	query_run(&q);
	if (holds)
		m->known.has_prefixes = false;
}

static int64_t counter_next(struct manual *m, struct text prefix)
{
	struct query q = query_on(m->t, "SELECT max FROM counter WHERE doc = ?1 AND prefix = ?2");
	int64_t max = 0;

	bind_int(&q, m->doc);
	bind_text(&q, prefix);
	if (query_row(&q))
		max = query_int(&q, 0);
	query_end(&q);
	return max + 1;
}

/* A sibling whose number a new label continues. */
struct sibling {
	int64_t stem;     /* uid; 0: its label is a dotted name */
	struct text name; /* of a dotted name */
	int64_t number;
};

static bool sibling_named(struct text name, struct text prefix, struct sibling *out)
{
	struct label l;

	if (!name.at || !label_parse(name, &l) || !l.is_dotted || !text_same(l.prefix, prefix))
		return false;
	*out = (struct sibling){.name = name, .number = l.number};
	return true;
}

/* The last sibling before the node that has a positional label with the prefix, or a dotted name if `names_count`. */
static bool earlier_sibling(struct manual *m, const struct node *n, struct text prefix, bool names_count,
			    struct sibling *out)
{
	struct node before;
	struct text had;

	*out = (struct sibling){0};
	if (n->after && node_read(m, n->after, &before) &&
	    ((node_group(m, &before, &out->stem, &had, &out->number) && text_same(had, prefix)) ||
	     (names_count && sibling_named(before.name, prefix, out))))
		return true;
	*out = (struct sibling){0};
	struct query q = query_on(
		m->t, names_count
			      ? "SELECT run.stem, run.base + node.slot, node.name FROM node LEFT JOIN run ON "
				"run.doc = node.doc AND run.run = node.run WHERE node.doc = ?1 AND node.parent = ?2 "
				"AND node.ord < ?3 AND (run.prefix = ?4 OR node.name LIKE ?4 || ':%.%') ORDER BY "
				"node.ord DESC LIMIT 64"
			      : "SELECT run.stem, run.base + node.slot, node.name FROM node JOIN run ON run.doc = "
				"node.doc AND run.run = node.run WHERE node.doc = ?1 AND node.parent = ?2 AND "
				"node.ord < ?3 AND run.prefix = ?4 ORDER BY node.ord DESC LIMIT 1");

	bind_int(&q, m->doc);
	bind_int(&q, n->parent);
	bind_int(&q, n->ord);
	bind_text(&q, prefix);
	bool found = false;
	while (!found && query_row(&q)) {
		struct text name = query_text(&q, m->c->arena, 2);
		found = !name.at || sibling_named(name, prefix, out);
		if (!name.at)
			*out = (struct sibling){.stem = query_int(&q, 0), .number = query_int(&q, 1)};
	}
	query_end(&q);
	return found;
}

static int64_t numbered_above(struct manual *m, int64_t uid, struct text number)
{
	struct node n;

	for (int i = 0; uid && i < DEPTH_MAX && node_read(m, uid, &n); i++) {
		struct text have = uid_number(m, uid);
		if (have.at && (!number.at || text_same(have, number)))
			return uid;
		uid = n.parent;
	}
	return 0;
}

static struct text composed(struct manual *m, struct text prefix, int64_t stem, int64_t number)
{
	return text_format(m->c->arena, "%.*s:%.*s.%lld", TEXT_ARGS(prefix), TEXT_ARGS(uid_number(m, stem)),
			   (long long)number);
}

bool label_refuse(struct manual *m, struct text label)
{
	return fail_as(
		m->c, SCHEMA_FAILED,
		"a block would be renumbered to %s, which is the label of another block; rename that block first, or give "
		"the new block a label",
		shown(m->c, label));
}

static bool number_fits(struct manual *m, struct text prefix, int64_t number)
{
	return number <= LABEL_NUMBER_MAX ||
	       fail_as(m->c, SCHEMA_FAILED,
		       "the next number of %s would be %lld, and %d is the largest; give the block a label of its own, such as "
		       "%s:new",
		       shown(m->c, prefix), (long long)number, LABEL_NUMBER_MAX, shown(m->c, prefix));
}

static bool positional(struct manual *m, struct node *n, struct text prefix, int64_t stem, int64_t number)
{
	if (!number_fits(m, prefix, number))
		return false;
	if (group_at(m, stem, prefix, number)) {
		int64_t last = group_last(m, stem, prefix, number);
		if (!number_fits(m, prefix, last + 1))
			return false;
		struct text landing = composed(m, prefix, stem, last + 1);
		if (m->irregular && label_uid(m, landing))
			return label_refuse(m, landing);
		label_shift(m, stem, prefix, number, last, 1);
	} else {
		while (m->irregular && label_uid(m, composed(m, prefix, stem, number)))
			number++;
	}
	label_put(m, n, stem, prefix, number, false);
	return true;
}

/* Continues the numbers of siblings whose labels are names, such as sec:2.3 below sec:references. Names never shift, so
 * a new block between two of them gets the number after the largest. */
static bool after_named(struct manual *m, struct node *n, struct text prefix, const struct sibling *s)
{
	struct text stem = text_slice(s->name, 0, s->name.len);
	int64_t number = s->number + 1;

	while (stem.len && stem.at[stem.len - 1] != '.')
		stem.len--;
	if (label_uid(m, text_format(m->c->arena, "%.*s%lld", TEXT_ARGS(stem), (long long)number))) {
		struct query q =
			query_on(m->t, "SELECT name FROM node WHERE doc = ?1 AND parent = ?2 AND name IS NOT NULL");
		struct sibling other;
		bind_int(&q, m->doc);
		bind_int(&q, n->parent);
		while (query_row(&q)) {
			struct text name = query_lent(&q, 0);
			if (text_same(text_slice(name, 0, stem.len), stem) && sibling_named(name, prefix, &other) &&
			    text_find(name, TEXT("."), stem.len) == SIZE_MAX && other.number >= number)
				number = other.number + 1;
		}
		query_end(&q);
	}
	struct text label;
	do {
		if (!number_fits(m, prefix, number))
			return false;
		label = text_format(m->c->arena, "%.*s%lld", TEXT_ARGS(stem), (long long)number++);
	} while (label_uid(m, label));
	return label_choose(m, n, label);
}

bool label_give(struct manual *m, struct node *n, struct text prefix)
{
	struct sibling s = {0};

	if (text_is(prefix, "para") || text_is(prefix, "sec")) {
		bool is_named = n->parent && !uid_number(m, n->parent).at;
		if (!earlier_sibling(m, n, prefix, is_named, &s))
			s.stem = numbered_above(m, n->parent, (struct text){0});
		if (s.stem)
			return positional(m, n, prefix, s.stem, s.number + 1);
		if (s.name.at)
			return after_named(m, n, prefix, &s);
	}
	int64_t number = counter_next(m, prefix);
	if (!number_fits(m, prefix, number))
		return false;
	struct text name = text_format(m->c->arena, "%.*s:%lld", TEXT_ARGS(prefix), (long long)number);
	label_name(m, n, name, false);
	return true;
}

static bool refuse_taken(struct manual *m, struct text label)
{
	return fail_as(m->c, SCHEMA_FAILED,
		       "the label %s is taken; leave label out and the block gets the next free one, or choose another",
		       shown(m->c, label));
}

bool label_choose(struct manual *m, struct node *n, struct text label)
{
	struct label l;

	if (!label_parse(label, &l))
		return fail_as(
			m->c, SCHEMA_FAILED,
			"%s is not a label: a label is a prefix, a colon and an id of letters, digits, . _ - such as sec:4.2 "
			"or app:risk",
			shown(m->c, label));
	if (label_uid(m, label))
		return refuse_taken(m, label);
	int64_t stem = l.is_dotted ? numbered_above(m, n->parent, l.stem) : 0;
	if (stem)
		label_put(m, n, stem, text_copy(m->c->arena, l.prefix), l.number, false);
	else
		label_name(m, n, label, false);
	return true;
}

void label_settle(struct manual *m, struct node *n)
{
	struct label l;

	if (!n->name.at || !label_parse(n->name, &l) || !l.is_dotted)
		return;
	struct text name = n->name;
	int64_t stem = numbered_above(m, n->parent, l.stem);
	if (!stem)
		return;
	label_name(m, n, (struct text){0}, n->is_auto);
	if (label_uid(m, name))
		label_name(m, n, name, n->is_auto);
	else
		label_put(m, n, stem, text_copy(m->c->arena, l.prefix), l.number, n->is_auto);
}

void label_close(struct manual *m, int64_t stem, struct text prefix, int64_t number)
{
	int64_t last = group_last(m, stem, prefix, number + 1);

	label_shift(m, stem, prefix, number + 1, last, -1);
}

static int by_number(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;

	return one < two ? -1 : one > two;
}

void labels_keep_as_names(struct manual *m, const struct nodes *subtree)
{
	size_t n_all = subtree->items.n;
	int64_t *uids = arena_array(m->c->arena, n_all ? n_all : 1, sizeof *uids);
	int64_t known_run = 0;
	bool known_inside = false, is_cut = false;

	for (size_t i = 0; i < n_all; i++)
		uids[i] = subtree->items.items[i].uid;
	array_sort(uids, n_all, sizeof *uids, by_number);
	for (size_t i = 1; i < n_all; i++) {
		struct node *n = &subtree->items.items[i];
		struct text prefix;
		int64_t stem, number;

		/* Removing a label splits runs, so the node may have another run now. */
		if (is_cut)
			node_read(m, n->uid, n);
		/* Siblings share their run, so check it only once. */
		if (!n->run || (n->run == known_run && known_inside))
			continue;
		if (!node_group(m, n, &stem, &prefix, &number))
			continue;
		known_run = n->run;
		known_inside = bsearch(&stem, uids, n_all, sizeof stem, by_number) != NULL;
		if (known_inside)
			continue;
		struct text label = node_label(m, n);
		label_take_away(m, n);
		label_name(m, n, label, n->is_auto);
		known_run = 0;
		is_cut = true;
	}
}
