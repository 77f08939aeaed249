/* find.c: converts labels to blocks and back. */
#include "kinds/docjl/rows/manual.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

bool run_read(struct manual *m, int64_t run, struct run *out)
{
	const struct run *known = known_run(&m->known, run);

	if (known) {
		*out = *known;
		return true;
	}
	struct query q = query_on(m->t, "SELECT stem, base, n, prefix FROM run WHERE doc = ?1 AND run = ?2");
	bind_int(&q, m->doc);
	bind_int(&q, run);
	bool found = query_row(&q);
	if (found) {
		*out = (struct run){run, query_int(&q, 0), bounded(query_int(&q, 1), BOUND_SLOT),
				    bounded(query_int(&q, 2), BOUND_SLOT), query_text(&q, m->c->arena, 3)};
		known_run_is(&m->known, out);
	}
	query_end(&q);
	return found;
}

/* A manipulated file may contain cycles. The depth limit ends them. */
static struct text label_of(struct manual *m, const struct node *n, int depth)
{
	struct run r;
	struct node stem;

	if (n->name.at || !n->run)
		return n->name;
	if (depth > DEPTH_MAX || !run_read(m, n->run, &r) || !node_read(m, r.stem, &stem))
		return (struct text){0};
	struct text above = label_id(label_of(m, &stem, depth + 1));
	return text_format(m->c->arena, "%.*s:%.*s.%lld", TEXT_ARGS(r.prefix), TEXT_ARGS(above),
			   (long long)r.base + n->slot);
}

struct text node_label(struct manual *m, const struct node *n) { return label_of(m, n, 0); }

struct text uid_label(struct manual *m, int64_t uid)
{
	struct node n;

	return uid && node_read(m, uid, &n) ? node_label(m, &n) : (struct text){0};
}

struct text node_path_label(struct manual *m, const struct node *n)
{
	struct text l = node_label(m, n);

	return l.at ? l : TEXT("(no label)");
}

struct text uid_number(struct manual *m, int64_t uid)
{
	struct label l;

	return label_parse(uid_label(m, uid), &l) && l.is_numeric ? l.id : (struct text){0};
}

bool node_group(struct manual *m, const struct node *n, int64_t *stem, struct text *prefix, int64_t *number)
{
	struct run r;

	if (!n->run || !run_read(m, n->run, &r))
		return false;
	*stem = r.stem;
	*prefix = r.prefix;
	*number = r.base + n->slot;
	return true;
}

static int64_t name_uid(struct manual *m, struct text name)
{
	struct query q = query_on(m->t, "SELECT " NODE_COLUMNS " FROM node WHERE doc = ?1 AND name = ?2");
	struct node n;

	bind_int(&q, m->doc);
	bind_text(&q, name);
	return node_of(m, &q, &n) ? n.uid : 0;
}

static void read_prefixes(struct manual *m)
{
	if (m->known.has_prefixes)
		return;
	m->known.has_prefixes = true;
	m->known.prefixes.n = 0;
	struct query q = query_on(m->t, "SELECT prefix FROM counter WHERE doc = ?1 AND holds = 1 ORDER BY prefix");
	bind_int(&q, m->doc);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &m->known.prefixes) = query_text(&q, m->c->arena, 0);
	query_end(&q);
}

struct stems {
	ARRAY(int64_t) items;
};

static void stem_add(struct manual *m, struct stems *list, int64_t uid)
{
	for (size_t i = 0; i < list->items.n; i++)
		if (list->items.items[i] == uid)
			return;
	if (uid)
		*ARRAY_PUSH(m->c->arena, &list->items) = uid;
}

/* Containers below `stem` whose last number is `number`, with any prefix. */
static void stems_below(struct manual *m, int64_t stem, int64_t number, struct stems *out)
{
	if (m->known.prefixes.n == 1) {
		stem_add(m, out, group_at(m, stem, m->known.prefixes.items[0], number));
		return;
	}
	struct query q =
		query_on(m->t, "SELECT node.uid FROM run INDEXED BY run_base CROSS JOIN node INDEXED BY node_run "
			       "WHERE run.doc = ?1 AND run.stem = ?2 AND run.base <= ?3 AND run.base + run.n > ?3 "
			       "AND node.doc = run.doc AND node.run = run.run AND node.slot = ?3 - run.base AND "
			       "node.container = 1");
	bind_int(&q, m->doc);
	bind_int(&q, stem);
	bind_int(&q, number);
	while (query_row(&q))
		stem_add(m, out, query_int(&q, 0));
	query_end(&q);
}

/* The containers with a number such as 4.2, found part by part. There are several only if containers have labels with
 * different prefixes. */
static void stems_with(struct manual *m, struct text number, struct stems *out)
{
	struct stems above = {0};

	for (size_t from = 0, dot; from < number.len; from = dot + 1) {
		dot = text_find(number, TEXT("."), from);
		dot = dot == SIZE_MAX ? number.len : dot;
		*out = (struct stems){0};
		for (size_t i = 0; i < m->known.prefixes.n; i++)
			stem_add(m, out,
				 name_uid(m, text_format(m->c->arena, "%.*s:%.*s",
							 TEXT_ARGS(m->known.prefixes.items[i]), (int)dot, number.at)));
		for (size_t i = 0; i < above.items.n; i++)
			stems_below(m, above.items.items[i], strtoll(number.at + from, NULL, 10), out);
		above = *out;
	}
}

static int64_t resolve(struct manual *m, struct text label)
{
	struct label l;
	struct stems stems = {0};
	int64_t uid = name_uid(m, label);

	if (uid || !label_parse(label, &l) || !l.is_dotted)
		return uid;
	read_prefixes(m);
	stems_with(m, l.stem, &stems);
	for (size_t i = 0; i < stems.items.n && !uid; i++)
		uid = group_at(m, stems.items.items[i], l.prefix, l.number);
	return uid;
}

int64_t label_uid(struct manual *m, struct text label)
{
	bool may_be = label.len && label.len <= LABEL_MAX && !memchr(label.at, 0, label.len);

	if (m->known.label_of && text_same(label, m->known.label))
		return m->known.label_of;

	return may_be ? resolve(m, label) : 0;
}

/* The label for a number that was written with another prefix, in another case, or without prefix: 4.1, SEC:4.1,
 * Section 4.1. */
static struct text other_writing(struct manual *m, struct text label)
{
	static const char *const prefixes[] = {"sec", "para", "tab", "fig", "list", "code", "app", NULL};
	struct arena *a = m->c->arena;
	struct text folded = utf8_fold(a, text_trim(label));
	size_t from = folded.len;

	if (label_uid(m, folded))
		return folded;
	while (from && folded.at[from - 1] != ':' && folded.at[from - 1] != ' ')
		from--;
	for (const char *const *p = prefixes; *p && from < folded.len; p++) {
		struct text is = text_format(a, "%s:%.*s", *p, TEXT_ARGS(text_slice(folded, from, folded.len)));
		if (label_uid(m, is))
			return is;
	}
	return (struct text){0};
}

/* The heading or section with this title. */
static struct text with_title(struct manual *m, struct text words)
{
	struct text folded = block_fold(m->c->arena, text_trim(words));
	int64_t uid = 0;

	if (folded.len < 3 || text_has_nul(folded))
		return (struct text){0};
	struct query q = query_on(
		m->t, "SELECT node.uid FROM node INDEXED BY node_container CROSS JOIN body WHERE node.doc = ?1 AND "
		      "node.container = 1 AND body.doc = node.doc AND body.uid = node.uid AND body.folded = ?2 "
		      "ORDER BY node.uid LIMIT 1");
	bind_int(&q, m->doc);
	bind_text(&q, folded);
	uid = query_row(&q) ? query_int(&q, 0) : 0;
	query_end(&q);
	return uid_label(m, uid);
}

/* A suggestion for a wrong label: the existing numbers of the group, another spelling, a title, or a similar name. */
static struct text what_is_near(struct manual *m, struct text label)
{
	struct call *c = m->c;
	struct label l;
	struct text nearest = {0};
	unsigned best = label.len < 10 ? (unsigned)label.len / 2 + 1 : 6;

	if (label_parse(label, &l) && l.is_dotted) {
		int64_t stem = label_uid(m, text_format(c->arena, "sec:%.*s", TEXT_ARGS(l.stem)));
		int64_t largest = stem ? group_largest(m, stem, l.prefix) : 0;
		if (largest)
			return text_format(c->arena, "the last one there is %.*s:%.*s.%lld", TEXT_ARGS(l.prefix),
					   TEXT_ARGS(l.stem), (long long)largest);
	}
	struct text folded = utf8_fold(c->arena, label);
	if (text_is(folded, "root") || text_is(folded, "top") || text_is(folded, "document") || text_same(label, m->id))
		return TEXT("leave it out for the top level");
	nearest = other_writing(m, label);
	nearest = nearest.at ? nearest : with_title(m, label);
	if (nearest.at)
		return text_format(c->arena, "did you mean %s?", shown(c, nearest));
	struct query q = query_on(m->t, "SELECT name FROM node WHERE doc = ?1 AND name IS NOT NULL LIMIT 5000");
	bind_int(&q, m->doc);
	while (query_row(&q)) {
		struct text have = query_lent(&q, 0);
		unsigned distance = text_distance(label, have, best);
		if (distance < best) {
			best = distance;
			nearest = text_copy(c->arena, have);
		}
	}
	query_end(&q);
	return nearest.at ? text_format(c->arena, "did you mean %s?", shown(c, nearest))
			  : TEXT("mcp_docjl_list_headings shows the sections, mcp_docjl_search_blocks finds blocks");
}

bool node_find(struct manual *m, struct text label, struct node *out)
{
	if (!m->known.label_of || !text_same(label, m->known.label))
		manual_look(m, label, LOOK_AT);
	int64_t uid = label_uid(m, label);

	if (uid && node_read(m, uid, out))
		return true;
	if (!manual_is_sound(m))
		return false;
	return fail_as(m->c, BLOCK_NOT_FOUND, "no block of %s has the label %s; %s", shown(m->c, m->id),
		       shown(m->c, label), what_is_near(m, label).at);
}
