#include "kinds/notes/tools/where.h"

#include "base/array.h"
#include "base/buffer.h"
#include "kinds/notes/note/property.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* In the order in which they are tried: the longer ones first. */
static const char *const operators[] = {"!=", "<=", ">=", "=", "<", ">", "~", "is missing", "is present", NULL};
enum how { NOT_EQUAL, AT_MOST_THIS, AT_LEAST_THIS, EQUAL, LESS, MORE, CONTAINS, MISSING, PRESENT };

static const char *const words[] = {[SUBJECT_TAG] = "tag",
				    [SUBJECT_FOLDER] = "folder",
				    [SUBJECT_NAME] = "name",
				    [SUBJECT_ID] = "id",
				    [SUBJECT_TITLE] = "title",
				    [SUBJECT_MODIFIED] = "modified",
				    [SUBJECT_SIZE] = "size",
				    [SUBJECT_INCOMING] = "incoming",
				    [SUBJECT_OUTGOING] = "outgoing",
				    [SUBJECT_LINKS_TO] = "links to",
				    [SUBJECT_LINKED_FROM] = "linked from",
				    NULL};

static bool refuse(struct call *c, size_t i, struct text given)
{
	return fail(
		c, FAULT_ARGUMENT,
		"where/%zu, %s, is not a condition; write a property or tag, folder, name, id, title, modified, size, "
		"incoming, outgoing, then = != < <= > >= or ~ and a value, or \"is missing\", \"is present\", or links to "
		"NOTE, linked from NOTE",
		i, shown(c, given));
}

static struct text unquoted(struct text t)
{
	bool quoted = t.len > 1 && (t.at[0] == '"' || t.at[0] == '\'') && t.at[t.len - 1] == t.at[0];

	return quoted ? text_slice(t, 1, t.len - 1) : t;
}

/* Where the operator begins. A quoted name may contain one. */
static bool find_operator(struct text t, size_t *from, size_t *to, int *out)
{
	size_t at = 0;

	if (t.len && (t.at[0] == '"' || t.at[0] == '\'')) {
		const char *end = memchr(t.at + 1, t.at[0], t.len - 1);
		at = end ? (size_t)(end - t.at) + 1 : 0;
	}
	for (; at < t.len; at++)
		for (int i = 0; operators[i]; i++) {
			bool is_word = operators[i][0] == 'i';
			if (!text_starts(text_slice(t, at, t.len), operators[i]) ||
			    (is_word && (!at || t.at[at - 1] != ' ' || at + strlen(operators[i]) != t.len)))
				continue;
			*from = at;
			*to = at + strlen(operators[i]);
			*out = i;
			return true;
		}
	return false;
}

/* Does any note that the caller sees have the property? Else the name may be misspelt. */
static bool is_known(struct call *c, struct vault *v, struct text name, struct text *near)
{
	unsigned least = name.len < 5 ? 2 : 3;

	*near = (struct text){0};
	for (uint32_t i = 0; i < v->graph.n_nodes; i++) {
		const struct node *n = &v->graph.nodes[i];
		for (uint32_t k = 0; n->path.at && k < n->n_properties; k++) {
			struct text here = n->properties[k].name;
			unsigned distance = text_distance(here, name, least);
			if (distance >= least || !node_visible(c, n))
				continue;
			if (!distance)
				return true;
			least = distance;
			*near = here;
		}
	}
	return false;
}

/* A word of the table, or a property. A property that no note has is warned of: the answer would be misleading. */
static void read_subject(struct call *c, struct vault *v, struct text given, enum subject *subject, struct text *name)
{
	struct text bare = unquoted(given), near;

	*name = name_fold(c->arena, bare);
	*subject = SUBJECT_PROPERTY;
	for (int i = 0; words[i] && bare.at == given.at; i++)
		if (text_is(*name, words[i]))
			*subject = (enum subject)i;
	if (*subject == SUBJECT_PROPERTY && !is_known(c, v, *name, &near))
		warn(c, near.at ? "no note has the property %s; did you mean %.*s?" : "no note has the property %s",
		     shown(c, bare), TEXT_ARGS(near));
}

static bool read_link(struct call *c, struct vault *v, struct text given, struct condition *out)
{
	out->subject = text_starts(given, "links to ") ? SUBJECT_LINKS_TO : SUBJECT_LINKED_FROM;
	given = text_trim(text_slice(given, strlen(words[out->subject]), given.len));
	if (text_starts(given, "[[") && text_ends(given, "]]"))
		given = text_slice(given, 2, given.len - 2);
	return node_wanted(c, v, unquoted(given), &out->node);
}

static bool read_one(struct call *c, struct vault *v, size_t i, struct text given, struct condition *out)
{
	struct text t = text_trim(given);
	size_t from, to;

	if (text_starts(t, "links to ") || text_starts(t, "linked from "))
		return read_link(c, v, t, out);
	if (!find_operator(t, &from, &to, &out->how) || !text_trim(text_slice(t, 0, from)).len)
		return refuse(c, i, given);
	read_subject(c, v, text_trim(text_slice(t, 0, from)), &out->subject, &out->name);
	struct text value = unquoted(text_trim(text_slice(t, to, t.len)));
	if (!value.len && out->how < MISSING && out->subject != SUBJECT_FOLDER)
		return refuse(c, i, given);
	if (out->subject == SUBJECT_TAG)
		value = tag_of(value);
	while (out->subject == SUBJECT_FOLDER && value.len && value.at[value.len - 1] == '/')
		value.len--;
	out->value = name_fold(c->arena, value);
	return true;
}

bool where_read(struct call *c, struct vault *v, struct texts conditions, struct where *out)
{
	*out = (struct where){.n = conditions.n};
	for (size_t i = 0; i < conditions.n; i++)
		if (!read_one(c, v, i, conditions.items[i], &out->items[i]))
			return false;
	return true;
}

static bool as_number(struct text t, double *out)
{
	char copy[40], *end;

	if (!t.len || t.len >= sizeof copy || !strchr("0123456789+-.", t.at[0]))
		return false;
	memcpy(copy, t.at, t.len);
	copy[t.len] = 0;
	*out = strtod(copy, &end);
	return !*end;
}

static int compare(struct text a, struct text b)
{
	double x, y;

	if (as_number(a, &x) && as_number(b, &y))
		return (x > y) - (x < y);
	return text_order(a, b);
}

/* Does one value fulfil the condition? Both are folded. */
static bool fits(const struct condition *q, struct text have)
{
	int order = q->how == CONTAINS ? 0 : compare(have, q->value);

	switch (q->how) {
	case EQUAL: return !order;
	case LESS: return order < 0;
	case MORE: return order > 0;
	case AT_MOST_THIS: return order <= 0;
	case AT_LEAST_THIS: return order >= 0;
	case CONTAINS: return text_find(have, q->value, 0) != SIZE_MAX;
	default: return false;
	}
}

static bool tag_fits(const struct graph *g, const struct node *n, const struct condition *q)
{
	for (uint32_t i = 0; i < n->n_tags + n->n_words; i++) {
		struct text tag = g->tags[n->tags[i]].folded;
		bool is_fit = q->how == EQUAL || q->how == NOT_EQUAL ? tag_is_in(tag, q->value) : fits(q, tag);
		if (is_fit || q->how >= MISSING)
			return true;
	}
	return false;
}

static bool property_fits(struct call *c, const struct node *n, const struct condition *q)
{
	for (uint32_t i = 0; i < n->n_properties; i++) {
		const struct property *p = &n->properties[i];
		if (!text_same(p->name, q->name) || !p->value.at)
			continue;
		if (q->how >= MISSING)
			return true;
		struct text have = name_fold(c->arena, p->value);
		if (q->how == NOT_EQUAL ? !compare(have, q->value) : fits(q, have))
			return true;
	}
	return false;
}

static struct text iso_time(struct arena *a, int64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;
	char text[40];

	gmtime_r(&seconds, &tm);
	return text_copy(a, (struct text){text, strftime(text, sizeof text, "%Y-%m-%dt%H:%M:%Sz", &tm)});
}

static uint32_t visible_degree(struct call *c, struct vault *v, uint32_t node, bool in)
{
	uint32_t *ignored;
	const struct node *n = &v->graph.nodes[node];

	if (caller_sees_all(c))
		return in ? n->n_in : n->n_out;
	return (uint32_t)node_neighbors(c, v, node, in ? DIRECTION_IN : DIRECTION_OUT, &ignored);
}

/* The value of a word for this note, folded. */
static struct text word_value(struct call *c, struct vault *v, enum subject subject, uint32_t node)
{
	const struct node *n = &v->graph.nodes[node];
	struct arena *a = c->arena;

	switch ((int)subject) {
	case SUBJECT_FOLDER: return id_folder(n->folded);
	case SUBJECT_NAME: return id_bare(id_name(n->folded));
	case SUBJECT_ID: return n->folded;
	case SUBJECT_TITLE: return name_fold(a, n->title);
	case SUBJECT_MODIFIED: return iso_time(a, n->stamp.modified);
	case SUBJECT_SIZE: return text_format(a, "%llu", (unsigned long long)n->stamp.size);
	case SUBJECT_INCOMING: return text_format(a, "%u", visible_degree(c, v, node, true));
	case SUBJECT_OUTGOING: return text_format(a, "%u", visible_degree(c, v, node, false));
	default: return TEXT("");
	}
}

static bool is_linked(const struct graph *g, uint32_t from, uint32_t to)
{
	for (uint32_t at = g->nodes[from].first_out; at != NODE_NONE; at = g->edges[at].next_out)
		if (g->edges[at].to == to)
			return true;
	return false;
}

static bool word_fits(struct call *c, struct vault *v, const struct condition *q, uint32_t node)
{
	struct text have = word_value(c, v, q->subject, node);
	const struct node *n = &v->graph.nodes[node];

	/* A folder holds what is in its subfolders; a day holds its hours; a name may be an alias or a title. */
	if (q->subject == SUBJECT_FOLDER && (q->how == EQUAL || q->how == NOT_EQUAL))
		return !q->value.len || text_same(have, q->value) ||
		       text_starts(have, text_format(c->arena, "%.*s/", TEXT_ARGS(q->value)).at);
	if (q->subject == SUBJECT_MODIFIED && (q->how == EQUAL || q->how == NOT_EQUAL))
		return text_starts(have, text_string(c->arena, q->value));
	bool is_fit = q->how == NOT_EQUAL ? !compare(have, q->value) : fits(q, have);
	if (q->subject != SUBJECT_NAME)
		return is_fit;
	is_fit = is_fit || (q->how == NOT_EQUAL ? text_same(name_fold(c->arena, n->title), q->value)
						: fits(q, name_fold(c->arena, n->title)));
	for (size_t i = 0; i < n->aliases.n && !is_fit; i++)
		is_fit = fits(q, name_fold(c->arena, n->aliases.items[i]));
	return is_fit;
}

static bool holds(struct call *c, struct vault *v, const struct condition *q, uint32_t node)
{
	const struct graph *g = &v->graph;
	bool is_fit;

	switch ((int)q->subject) {
	case SUBJECT_LINKS_TO: return is_linked(g, node, q->node);
	case SUBJECT_LINKED_FROM: return is_linked(g, q->node, node);
	case SUBJECT_TAG: is_fit = tag_fits(g, &g->nodes[node], q); break;
	case SUBJECT_PROPERTY: is_fit = property_fits(c, &g->nodes[node], q); break;
	default: is_fit = q->how >= MISSING || word_fits(c, v, q, node); break;
	}
	return q->how == NOT_EQUAL || q->how == MISSING ? !is_fit : is_fit;
}

bool where_holds(struct call *c, struct vault *v, const struct where *w, uint32_t node)
{
	for (size_t i = 0; i < w->n; i++)
		if (!holds(c, v, &w->items[i], node))
			return false;
	return true;
}

bool sort_read(struct call *c, struct vault *v, struct text given, struct sort_key *out)
{
	struct text t = text_trim(given);

	*out = (struct sort_key){.subject = SUBJECT_ID};
	if (!t.len)
		return true;
	out->falls = t.at[0] == '-';
	t = text_trim(text_slice(t, out->falls, t.len));
	if (!t.len)
		return fail(c, FAULT_ARGUMENT,
			    "sort is %s; give id, title, modified, size, incoming, outgoing or a property",
			    shown(c, given));
	read_subject(c, v, t, &out->subject, &out->name);
	if (out->subject == SUBJECT_TAG)
		out->subject = SUBJECT_PROPERTY;
	return true;
}

static struct text sort_value(struct call *c, struct vault *v, const struct sort_key *key, uint32_t node)
{
	const struct node *n = &v->graph.nodes[node];

	if (key->subject != SUBJECT_PROPERTY)
		return word_value(c, v, key->subject, node);
	for (uint32_t i = 0; i < n->n_properties; i++)
		if (text_same(n->properties[i].name, key->name) && n->properties[i].value.at)
			return name_fold(c->arena, n->properties[i].value);
	return (struct text){0};
}

struct sorted {
	struct text value, path;
	uint32_t node;
	bool falls;
};

/* Notes without the value come last in both directions. */
static int by_value(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int order = 0;

	if (!x->value.at || !y->value.at)
		order = !x->value.at - !y->value.at;
	else
		order = x->falls ? compare(y->value, x->value) : compare(x->value, y->value);
	return order ? order : text_order(x->path, y->path);
}

void sort_nodes(struct call *c, struct vault *v, const struct sort_key *key, uint32_t *nodes, size_t n)
{
	struct sorted *items = arena_array(c->arena, n + 1, sizeof *items);

	for (size_t i = 0; i < n; i++)
		items[i] = (struct sorted){sort_value(c, v, key, nodes[i]), v->graph.nodes[nodes[i]].path, nodes[i],
					   key->falls};
	if (n)
		array_sort(items, n, sizeof *items, by_value);
	for (size_t i = 0; i < n; i++)
		nodes[i] = items[i].node;
}
