#include "kinds/notes/edit/property_edit.h"

#include "base/buffer.h"
#include "kinds/notes/graph/graph.h"
#include "kinds/notes/note/name.h"

#include <string.h>

/* Names of properties ignore case, as in Obsidian. */
static const struct yaml_entry *entry_of(struct call *c, const struct note *n, struct text name, size_t *count)
{
	const struct yaml_entry *found = NULL;
	struct text folded = name_fold(c->arena, name);

	*count = 0;
	for (size_t i = 0; n->yaml && i < n->yaml->entries.n; i++) {
		const struct yaml_entry *e = &n->yaml->entries.items[i];
		if (!text_same(name_fold(c->arena, e->key.value), folded))
			continue;
		found = found ? found : e;
		++*count;
	}
	return found;
}

/* 2026-12-01 or 2026-12-01T09:30: plain, so that other programs see a date. */
static bool is_date(struct text t)
{
	static const char form[] = "dddd-dd-ddTdd:dd:dd";

	if (t.len != 10 && t.len != 16 && t.len != 19)
		return false;
	for (size_t i = 0; i < t.len; i++)
		if (form[i] == 'd' ? t.at[i] < '0' || t.at[i] > '9' : t.at[i] != form[i])
			return false;
	return true;
}

static bool is_list_name(struct text name)
{
	return text_is(name, "tags") || text_is(name, "aliases") || text_is(name, "cssclasses");
}

static bool refuse_type(struct call *c, struct text name)
{
	return fail(
		c, FAULT_ARGUMENT,
		"properties/%s is not a text, number, true, false, null or a list of texts; null removes a property",
		shown(c, name));
}

static bool list_of(struct call *c, struct text name, const struct json *value, struct texts *out)
{
	size_t n = json_is(value, JSON_ARRAY) ? value->len : 1;

	*out = (struct texts){arena_array(c->arena, n + 1, sizeof *out->items), n};
	for (size_t i = 0; i < n; i++) {
		const struct json *item = json_is(value, JSON_ARRAY) ? &value->items[i] : value;
		if (item->type != JSON_STRING && item->type != JSON_INT && item->type != JSON_REAL)
			return refuse_type(c, name);
		out->items[i] = item->type == JSON_STRING ? json_text(item) : json_source(c->arena, item);
		if (text_is(name, "tags"))
			out->items[i] = tag_of(out->items[i]);
	}
	return true;
}

static struct text scalar_written(struct call *c, const struct yaml_entry *e, const struct json *value)
{
	if (value->type != JSON_STRING)
		return json_source(c->arena, value);
	struct text t = json_text(value), plain = is_date(t) ? t : yaml_quoted(c->arena, t);
	enum yaml_quote quote = e && e->type == YAML_SCALAR && e->n ? e->items[0].quote : YAML_PLAIN;

	if (quote == YAML_SINGLE && text_find(t, TEXT("\n"), 0) == SIZE_MAX)
		return single_quoted(c, t);
	if (quote == YAML_DOUBLE && plain.len && plain.at[0] != '"')
		return text_format(c->arena, "\"%.*s\"", TEXT_ARGS(plain));
	return plain;
}

/* Another value in the place of the old one, whatever its type was. */
static bool change_value(struct call *c, const struct note *n, const struct yaml_entry *e, struct text with,
			 struct edits *out)
{
	size_t base = n->front.from, colon = behind_colon(n, e);

	if (e->type == YAML_OTHER || !e->all_scalars)
		return refuse_value(c, text_string(c->arena, e->key.value));
	if (e->type != YAML_SCALAR && has_comment(n, e))
		return refuse_front(c);
	bool is_simple =
		e->from < e->to && e->type != YAML_BLOCK_LIST && (!e->n || e->items[0].quote != YAML_TEXT_BLOCK);
	if (is_simple)
		edit_add(c, out, base + e->from, base + e->to, with);
	else
		edit_add(c, out, colon, e->from < e->to ? base + e->to : colon,
			 text_format(c->arena, " %.*s", TEXT_ARGS(with)));
	return true;
}

static void add_line(struct call *c, const struct note *n, struct text line, struct edits *out)
{
	struct text nl = newline_of(n);

	if (n->has_front)
		edit_add(c, out, n->front.to, n->front.to,
			 text_format(c->arena, "%.*s%.*s", TEXT_ARGS(line), TEXT_ARGS(nl)));
	else
		edit_add(c, out, n->start, n->start,
			 text_format(c->arena, "---%.*s%.*s%.*s---%.*s", TEXT_ARGS(nl), TEXT_ARGS(line), TEXT_ARGS(nl),
				     TEXT_ARGS(nl)));
}

static struct text list_line(struct call *c, struct texts items)
{
	struct buffer b = {.arena = c->arena};

	for (size_t i = 0; i < items.n; i++)
		buffer_format(&b, "%s%.*s", i ? ", " : "", TEXT_ARGS(yaml_quoted(c->arena, items.items[i])));
	return text_format(c->arena, "[%.*s]", TEXT_ARGS(buffer_text(&b)));
}

/* Are all other entries as they were, byte for byte? */
static bool others_stay(struct call *c, const struct note *n, const struct note *after, struct text name)
{
	struct text folded = name_fold(c->arena, name);
	size_t k = 0, total = after->yaml ? after->yaml->entries.n : 0;

	for (size_t i = 0; n->yaml && i < n->yaml->entries.n; i++) {
		const struct yaml_entry *was = &n->yaml->entries.items[i];
		if (text_same(name_fold(c->arena, was->key.value), folded))
			continue;
		while (k < total && text_same(name_fold(c->arena, after->yaml->entries.items[k].key.value), folded))
			k++;
		const struct yaml_entry *is = k < total ? &after->yaml->entries.items[k++] : NULL;
		if (!is || !text_same(is->key.value, was->key.value) || is->to - is->from != was->to - was->from ||
		    memcmp(after->bytes.at + after->front.from + is->from, n->bytes.at + n->front.from + was->from,
			   was->to - was->from) != 0)
			return false;
	}
	return true;
}

static bool reads_back(struct call *c, const struct note *n, struct text name, bool is_removed, struct text bytes)
{
	struct note after;
	size_t count;

	note_read(c->arena, bytes, &after);
	return !after.malformed && others_stay(c, n, &after, name) &&
	       !entry_of(c, &after, name, &count) == is_removed &&
	       text_same(note_content(c->arena, &after), note_content(c->arena, n));
}

static bool change_property(struct call *c, const struct note *n, const struct yaml_entry *e, struct text name,
			    const struct json *value, struct edits *out)
{
	struct text key = yaml_quoted(c->arena, e ? e->key.value : name);
	struct texts items;

	if (json_is(value, JSON_NULL))
		return !e || remove_entry(c, n, e, out);
	if (json_is(value, JSON_ARRAY) || is_list_name(name)) {
		if (!list_of(c, name, value, &items))
			return false;
		if (e)
			return change_list(c, n, e, items, out);
		add_line(c, n, text_format(c->arena, "%.*s: %.*s", TEXT_ARGS(key), TEXT_ARGS(list_line(c, items))),
			 out);
		return true;
	}
	if (json_is(value, JSON_OBJECT))
		return refuse_type(c, name);
	struct text with = scalar_written(c, e, value);
	if (e)
		return change_value(c, n, e, with, out);
	add_line(c, n, text_format(c->arena, "%.*s: %.*s", TEXT_ARGS(key), TEXT_ARGS(with)), out);
	return true;
}

bool property_set(struct call *c, struct text bytes, struct text name, const struct json *value, struct text *out)
{
	struct note n;
	struct edits edits = {0};
	size_t count;

	name = text_trim(name);
	if (!name.len || name.len > PROPERTY_VALUE_MAX || text_find(name, TEXT("\n"), 0) != SIZE_MAX)
		return fail(c, FAULT_ARGUMENT, "%s is not a name for a property; give a word such as status",
			    shown(c, name));
	note_read(c->arena, bytes, &n);
	if (n.malformed)
		return fail_as(c, "PROVIDER_ERROR",
			       "the note's front matter is malformed, so it is not changed: %s; repair it in the file",
			       n.malformed);
	const struct yaml_entry *e = entry_of(c, &n, name, &count);
	if (count > 1)
		return fail_as(
			c, "PROVIDER_ERROR",
			"the note's front matter has %s more than once, so it is not changed; remove one in the file",
			shown(c, name));
	if (!change_property(c, &n, e, name, value, &edits))
		return false;
	*out = edits.n ? splice_apply(c->arena, bytes, edits.items, edits.n) : bytes;
	return !edits.n || reads_back(c, &n, name, json_is(value, JSON_NULL), *out) || refuse_front(c);
}

/* The tag with its first components replaced, or the tag itself. */
static struct text tag_renamed(struct call *c, struct text tag, struct text from, struct text to)
{
	size_t slashes = 0, at = 0;

	if (!tag_is_in(name_fold(c->arena, tag), from))
		return tag;
	for (size_t i = 0; i < from.len; i++)
		slashes += from.at[i] == '/';
	for (slashes++; at < tag.len; at++)
		if (tag.at[at] == '/' && !--slashes)
			break;
	return text_format(c->arena, "%.*s%.*s", TEXT_ARGS(to), TEXT_ARGS(text_slice(tag, at, tag.len)));
}

bool tag_rename(struct call *c, struct text bytes, struct text from, struct text to, struct text *out)
{
	struct note n;
	struct edits edits = {0};
	struct map seen = {.arena = c->arena};
	ARRAY(struct text) tags = {0};
	bool changed = false;

	note_read(c->arena, bytes, &n);
	from = name_fold(c->arena, from);
	ARRAY_RESERVE(c->arena, &tags, 1);
	for (size_t i = 0; i < n.tags.n; i++) {
		struct text renamed = tag_renamed(c, n.tags.items[i], from, to);
		bool was;
		changed |= !text_same(renamed, n.tags.items[i]);
		map_at(&seen, name_fold(c->arena, renamed), 0, &was);
		if (!was)
			*ARRAY_PUSH(c->arena, &tags) = renamed;
	}
	if (changed && !front_change(c, &n, (struct text){0}, (struct texts){tags.items, tags.n}, &edits))
		return false;
	for (size_t i = 0; i < n.parts.tags.n; i++) {
		struct span s = n.parts.tags.items[i];
		struct text tag = text_slice(n.bytes, s.from + 1, s.to), renamed = tag_renamed(c, tag, from, to);
		if (renamed.at != tag.at)
			edit_add(c, &edits, s.from + 1, s.to, renamed);
	}
	*out = edits.n ? splice_apply(c->arena, bytes, edits.items, edits.n) : bytes;
	return true;
}
