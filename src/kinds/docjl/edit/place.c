/* place.c: converts words such as "after" to a place in the tree. */
#include "kinds/docjl/edit/edit.h"

#include <string.h>
#include <strings.h>

const char *const place_positions[] = {"before", "after", "inside", "start", "end", NULL};

static bool is_word(struct text t, const char *word)
{
	return t.len == strlen(word) && !strncasecmp(t.at, word, t.len);
}

static bool refuse_position(struct manual *m, struct text given)
{
	static const struct {
		const char *word, *means;
	} near[] = {{"first", "start"}, {"top", "start"},    {"beginning", "start"}, {"prepend", "start"},
		    {"0", "start"},     {"last", "end"},     {"bottom", "end"},      {"append", "end"},
		    {"-1", "end"},      {"above", "before"}, {"below", "after"},     {"into", "end"},
		    {"in", "end"},      {"child", "end"}};
	const char *meant = NULL;

	for (size_t i = 0; i < ARRAY_COUNT(near) && !meant; i++)
		meant = is_word(given, near[i].word) ? near[i].means : NULL;
	return fail(m->c, FAULT_ARGUMENT, "position %s is unknown%s%s; it is one of: before, after, inside, start, end",
		    shown(m->c, given), meant ? ", did you mean " : "", meant ? meant : "");
}

static bool exists(struct manual *m, const char *sql)
{
	struct query q = query_on(m->t, sql);

	bind_int(&q, m->doc);
	bool found = query_row(&q);
	query_end(&q);
	return found;
}

/* In a flat document the body of a heading is the siblings after it. Such a document has no nesting, and it has blocks
 * that are not containers. */
static bool is_flat(struct manual *m)
{
	return !exists(m, "SELECT uid FROM node WHERE doc = ?1 AND parent > 0 LIMIT 1") &&
	       exists(m, "SELECT uid FROM node WHERE doc = ?1 AND container = 0 LIMIT 1");
}

static int64_t level_in(struct manual *m, struct text stored)
{
	const struct json *v = json_parse(m->c->arena, stored, JSON_DEPTH_MAX, &(struct json_error){0});
	int64_t level = 1;

	json_integer(json_get(v, "level"), &level);
	return level;
}

/* The last block of a heading's body in a flat document: the one before the next heading of the same or a higher
 * level. */
static int64_t flat_end(struct manual *m, const struct node *heading)
{
	struct node next = {.parent = heading->parent, .ord = heading->ord};
	int64_t level = 1;
	bool more = true;

	json_integer(json_get(node_stored(m, heading->uid), "level"), &level);
	while (more) {
		struct query q = query_on(
			m->t,
			"SELECT node.ord, body.json FROM node INDEXED BY node_container CROSS JOIN body WHERE node.doc = "
			"?1 AND node.parent = ?2 AND node.ord > ?3 AND node.container = 1 AND body.doc = node.doc "
			"AND body.uid = node.uid ORDER BY node.ord LIMIT 50");
		bind_int(&q, m->doc);
		bind_int(&q, next.parent);
		bind_int(&q, next.ord);
		int64_t from = next.ord;
		int n = 0;
		for (; query_row(&q); n++) {
			next.ord = bounded(query_int(&q, 0), BOUND_ORD);
			if (level_in(m, query_text(&q, m->c->arena, 1)) <= level) {
				query_end(&q);
				return node_previous(m, &next);
			}
		}
		query_end(&q);
		more = n == 50 && next.ord > from; /* ends the loop in a manipulated file */
	}
	return node_last_child(m, heading->parent);
}

static bool inside(struct manual *m, const struct node *parent, bool at_start, struct spot *out)
{
	if (!parent->holds)
		return fail_as(
			m->c, SCHEMA_FAILED,
			"%s is a %s and cannot hold blocks; use position after with anchor_label %s, or a heading or section "
			"as parent",
			node_path_label(m, parent).at, shown(m->c, parent->type), node_path_label(m, parent).at);
	if (!parent->parent && text_is(parent->type, "heading") && is_flat(m))
		*out = (struct spot){0, at_start ? parent->uid : flat_end(m, parent)};
	else
		*out = (struct spot){parent->uid, at_start ? 0 : node_last_child(m, parent->uid)};
	return true;
}

static bool beside(struct manual *m, const struct node *anchor, bool is_before, struct spot *out)
{
	*out = (struct spot){anchor->parent, is_before ? node_previous(m, anchor) : anchor->uid};
	return true;
}

/* The position with this name, ignoring case. Absent if there is none. */
static struct text position_of(struct text t)
{
	for (const char *const *p = place_positions; *p; p++)
		if (is_word(t, *p))
			return text_of(*p);
	return (struct text){0};
}

bool manual_spot(struct manual *m, const struct place_words *w, struct spot *out)
{
	struct text position = w->position.at ? w->position : TEXT("end"), anchor_label = w->anchor;
	struct node parent = {0}, anchor = {0};
	size_t colon = text_find(position, TEXT(":"), 0), blank = text_find(position, TEXT(" "), 0);

	/* "after:sec:5" and "after sec:5" have the position and the anchor in one word. */
	colon = blank < colon ? blank : colon;
	if (colon != SIZE_MAX && !anchor_label.at) {
		anchor_label = text_trim(text_slice(position, colon + 1, position.len));
		position = text_slice(position, 0, colon);
	}
	position = position_of(position);
	if (!position.at)
		return refuse_position(m, w->position);
	bool is_beside = text_is(position, "before") || text_is(position, "after");
	if (w->parent.at && !is_beside)
		manual_look(m, w->parent, LOOK_IN);
	if (w->parent.at && !node_find(m, w->parent, &parent))
		return false;
	if (anchor_label.at && !node_find(m, anchor_label, &anchor))
		return false;
	if (parent.uid && anchor.uid && !node_is_below(m, anchor.uid, parent.uid) &&
	    !(is_flat(m) && text_is(parent.type, "heading")))
		return fail(m->c, FAULT_ARGUMENT, "anchor_label %s does not lie inside %s %s; leave one of them out",
			    shown(m->c, anchor_label), w->parent_name, shown(m->c, w->parent));
	bool is_before = text_is(position, "before");
	bool at_start = text_is(position, "start") || text_is(position, "inside");
	if (is_beside) {
		if (!anchor.uid && !parent.uid)
			return fail(m->c, FAULT_ARGUMENT,
				    "position %.*s needs anchor_label or %s: the block to place it beside",
				    TEXT_ARGS(position), w->parent_name);
		return beside(m, anchor.uid ? &anchor : &parent, is_before, out);
	}
	if (parent.uid || anchor.uid)
		return inside(m, parent.uid ? &parent : &anchor, at_start, out);
	if (text_is(position, "inside"))
		return fail(m->c, FAULT_ARGUMENT, "position inside needs %s: the block to put it into", w->parent_name);
	*out = (struct spot){0, at_start ? 0 : node_last_child(m, 0)};
	return true;
}

void place_record(struct manual *m, struct json *record, const char *key, struct spot s)
{
	struct arena *a = m->c->arena;
	struct json *o = key ? json_new_object(a) : record;
	struct text parent = uid_label(m, s.parent), after = uid_label(m, s.after);

	json_set(a, o, "parent", parent.at ? json_new_text(a, parent) : json_new_null(a));
	json_set_int(a, o, "parent_uid", s.parent);
	json_set(a, o, "after", after.at ? json_new_text(a, after) : json_new_null(a));
	json_set_int(a, o, "after_uid", s.after);
	if (key)
		json_set(a, record, key, o);
}
