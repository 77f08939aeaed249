#include "kinds/notes/edit/front.h"

#include "base/buffer.h"
#include "kinds/notes/note/name.h"

#include <string.h>

void edit_add(struct call *c, struct edits *e, size_t from, size_t to, struct text with)
{
	*ARRAY_PUSH(c->arena, e) = (struct splice){(uint32_t)from, (uint32_t)to, with};
}

struct text newline_of(const struct note *n) { return n->is_crlf ? TEXT("\r\n") : TEXT("\n"); }

struct text front_gap(const struct note *n)
{
	return n->front_end > n->start && n->bytes.at[n->front_end - 1] != '\n' ? newline_of(n) : TEXT("");
}

struct text without_blank_lines(struct text text)
{
	size_t from = 0;

	for (size_t i = 0; i < text.len && strchr(" \t\r\n", text.at[i]) && text.at[i]; i++)
		if (text.at[i] == '\n')
			from = i + 1;
	text = text_slice(text, from, text.len);
	while (text.len && strchr(" \t\r\n", text.at[text.len - 1]) && text.at[text.len - 1])
		text.len--;
	return text;
}

struct text lines_like(struct arena *a, const struct note *n, struct text text)
{
	struct buffer b = {.arena = a};

	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] == '\r' && i + 1 < text.len && text.at[i + 1] == '\n')
			continue;
		if (text.at[i] == '\n')
			buffer_add(&b, newline_of(n));
		else
			buffer_byte(&b, text.at[i]);
	}
	return buffer_text(&b);
}

static size_t line_start(struct text b, size_t at)
{
	while (at && b.at[at - 1] != '\n')
		at--;
	return at;
}

static size_t line_behind(struct text b, size_t at)
{
	while (at < b.len && b.at[at] != '\n')
		at++;
	return at < b.len ? at + 1 : at;
}

/* One item per line, with the indentation of the first. */
static struct text block_list(struct call *c, const struct note *n, size_t dash, struct texts tags)
{
	struct buffer b = {.arena = c->arena};
	size_t indent = dash - line_start(n->bytes, dash);

	for (size_t i = 0; i < tags.n; i++) {
		if (i) {
			buffer_add(&b, newline_of(n));
			buffer_fill(&b, ' ', indent);
		}
		buffer_put(&b, "- ");
		buffer_add(&b, yaml_quoted(c->arena, tags.items[i]));
	}
	return buffer_text(&b);
}

static struct text item_bytes(const struct note *n, const struct yaml_scalar *item)
{
	return text_slice(n->bytes, n->front.from + item->from, n->front.from + item->to);
}

/* Index of the item that is this tag; e->n if there is none. */
static size_t item_of_tag(const struct yaml_entry *e, struct text tag)
{
	size_t i = 0;

	while (i < e->n && !text_same(tag_of(e->items[i].value), tag))
		i++;
	return i;
}

/* All tags on one line. A tag that is already in the list keeps its bytes, with its quotes. */
static struct text flow_list(struct call *c, const struct note *n, const struct yaml_entry *e, struct texts tags)
{
	struct buffer b = {.arena = c->arena};

	buffer_byte(&b, '[');
	for (size_t i = 0; i < tags.n; i++) {
		size_t item = e ? item_of_tag(e, tags.items[i]) : 0;
		struct text kept = e && item < e->n ? item_bytes(n, &e->items[item]) : (struct text){0};
		bool is_kept = kept.len && !memchr(kept.at, '\n', kept.len);
		buffer_put(&b, i ? ", " : "");
		buffer_add(&b, is_kept ? kept : yaml_quoted(c->arena, tags.items[i]));
	}
	buffer_byte(&b, ']');
	return buffer_text(&b);
}

/* Is there a comment between the items of a list, or after one of them? */
bool has_comment(const struct note *n, const struct yaml_entry *e)
{
	size_t base = n->front.from, at = base + e->from;

	for (size_t i = 0; i <= e->n; i++) {
		size_t to = base + (i < e->n ? e->items[i].from : e->to);
		if (to > at && memchr(n->bytes.at + at, '#', to - at))
			return true;
		at = i < e->n ? base + e->items[i].to : to;
	}
	return false;
}

bool refuse_value(struct call *c, const char *key)
{
	return fail_as(
		c, "PROVIDER_ERROR",
		"the front matter's %s is neither a text nor a list of texts, so it is not changed; edit it in the file",
		key);
}

static bool refuse_comments(struct call *c, const char *way)
{
	return fail_as(c, "PROVIDER_ERROR",
		       "the front matter has comments inside a list that this change would lose; %s", way);
}

/* Where to write the value of a key that has none: after the colon. */
size_t behind_colon(const struct note *n, const struct yaml_entry *e)
{
	size_t at = n->front.from + e->key.to;

	while (at < n->front.to && n->bytes.at[at] != ':')
		at++;
	return at < n->front.to ? at + 1 : at;
}

/* Is every item on lines of its own, after a dash? */
static bool has_own_lines(const struct note *n, const struct yaml_entry *e)
{
	for (size_t i = 0; i < e->n; i++) {
		size_t from = n->front.from + e->items[i].from, at = line_start(n->bytes, from);
		while (at < from && n->bytes.at[at] == ' ')
			at++;
		if (at++ >= from || n->bytes.at[at - 1] != '-' || e->items[i].quote == YAML_TEXT_BLOCK)
			return false;
		while (at < from && n->bytes.at[at] == ' ')
			at++;
		if (at < from || e->items[i].from == e->items[i].to)
			return false;
	}
	return true;
}

/* Do the tags that remain have the same order as in the list? */
static bool keeps_order(const struct yaml_entry *e, struct texts tags)
{
	size_t next = 0;

	for (size_t i = 0; i < tags.n; i++) {
		size_t item = item_of_tag(e, tags.items[i]);
		if (item < next)
			return false;
		next = item < e->n ? item + 1 : next;
	}
	return true;
}

/* Changes only the lines of added and removed items. The others keep their quotes and the comments between them. */
static void change_lines(struct call *c, const struct note *n, const struct yaml_entry *e, struct texts tags,
			 struct edits *out)
{
	size_t base = n->front.from, tag = 0, dash = base + e->from;
	struct text indent = text_slice(n->bytes, line_start(n->bytes, dash), dash);

	for (size_t i = 0; i <= e->n; i++) {
		struct buffer fresh = {.arena = c->arena};
		for (; tag < tags.n && item_of_tag(e, tags.items[tag]) == e->n; tag++)
			buffer_format(&fresh, "%.*s- %.*s%.*s", TEXT_ARGS(indent),
				      TEXT_ARGS(yaml_quoted(c->arena, tags.items[tag])), TEXT_ARGS(newline_of(n)));
		bool stays = i == e->n || (tag < tags.n && item_of_tag(e, tags.items[tag]) == i);
		size_t from = i < e->n ? line_start(n->bytes, base + e->items[i].from)
				       : line_behind(n->bytes, base + e->items[e->n - 1].to);
		size_t to = stays ? from : line_behind(n->bytes, base + e->items[i].to);
		if (fresh.len || to > from)
			edit_add(c, out, from, to, buffer_text(&fresh));
		tag += stays && i < e->n;
	}
}

static bool change_block(struct call *c, const struct note *n, const struct yaml_entry *e, struct texts tags,
			 struct edits *out)
{
	size_t base = n->front.from, colon = behind_colon(n, e);

	if (has_own_lines(n, e) && keeps_order(e, tags)) {
		change_lines(c, n, e, tags, out);
		if (!tags.n)
			edit_add(c, out, colon, colon, TEXT(" []"));
	} else if (has_comment(n, e)) {
		return refuse_comments(c, "keep the tags that stay in their order, or edit them in the file");
	} else if (tags.n) {
		edit_add(c, out, base + e->from, base + e->to, block_list(c, n, base + e->from, tags));
	} else {
		edit_add(c, out, colon, base + e->to, TEXT(" []"));
	}
	return true;
}

bool change_list(struct call *c, const struct note *n, const struct yaml_entry *e, struct texts tags, struct edits *out)
{
	size_t base = n->front.from, colon = behind_colon(n, e);
	struct text list = flow_list(c, n, e->type == YAML_FLOW_LIST ? e : NULL, tags);

	if (!e->all_scalars || e->type == YAML_OTHER)
		return refuse_value(c, text_string(c->arena, e->key.value));
	if (e->type == YAML_BLOCK_LIST && e->n)
		return change_block(c, n, e, tags, out);
	if (e->type == YAML_FLOW_LIST && has_comment(n, e))
		return refuse_comments(c, "edit them in the file");
	if (e->type == YAML_FLOW_LIST)
		edit_add(c, out, base + e->from, base + e->to, list);
	else if (e->n && e->items[0].quote == YAML_TEXT_BLOCK)
		return refuse_value(c, text_string(c->arena, e->key.value));
	else
		edit_add(c, out, colon, e->from < e->to ? base + e->to : colon,
			 text_format(c->arena, " %.*s", TEXT_ARGS(list)));
	return true;
}

struct text single_quoted(struct call *c, struct text t)
{
	struct buffer b = {.arena = c->arena};

	buffer_byte(&b, '\'');
	for (size_t i = 0; i < t.len; i++) {
		if (t.at[i] == '\'')
			buffer_byte(&b, '\'');
		buffer_byte(&b, t.at[i]);
	}
	buffer_byte(&b, '\'');
	return buffer_text(&b);
}

static bool change_title(struct call *c, const struct note *n, const struct yaml_entry *e, struct text title,
			 struct edits *out)
{
	size_t base = n->front.from;

	if (e->type != YAML_SCALAR || e->items[0].quote == YAML_TEXT_BLOCK)
		return refuse_value(c, "title");
	struct text value = yaml_quoted(c->arena, title);
	if (e->items[0].quote == YAML_SINGLE)
		value = single_quoted(c, title);
	else if (e->items[0].quote == YAML_DOUBLE && value.at[0] != '"')
		value = text_format(c->arena, "\"%.*s\"", TEXT_ARGS(value));
	if (e->from < e->to)
		edit_add(c, out, base + e->from, base + e->to, value);
	else
		edit_add(c, out, behind_colon(n, e), behind_colon(n, e),
			 text_format(c->arena, " %.*s", TEXT_ARGS(value)));
	return true;
}

bool refuse_front(struct call *c)
{
	return fail_as(
		c, "PROVIDER_ERROR",
		"the note's front matter is written in a way that cannot be changed safely; edit it in the file");
}

/* Removes a second key for the same thing, with its line. In a mapping with braces that line may have other keys. */
bool remove_entry(struct call *c, const struct note *n, const struct yaml_entry *e, struct edits *out)
{
	size_t base = n->front.from, to = line_behind(n->bytes, base + (e->to > e->key.to ? e->to : e->key.to)),
	       from = line_start(n->bytes, base + e->key.from);

	for (size_t i = 0; i < out->n; i++)
		if (out->items[i].from < to && out->items[i].to > from)
			return refuse_front(c);
	edit_add(c, out, from, to, TEXT(""));
	return true;
}

static bool is_changed_key(struct text key)
{
	return text_is(key, "title") || text_is(key, "tags") || text_is(key, "tag");
}

/* Front matter can be written in many ways. So the result is parsed again: it must have the requested values, and all
 * other keys unchanged. */
static bool reads_back(struct call *c, const struct note *n, struct text title, struct texts tags,
		       const struct edits *edits)
{
	struct note after;
	size_t k = 0;

	note_read(c->arena, splice_apply(c->arena, n->bytes, edits->items, edits->n), &after);
	if ((title.at && !text_same(after.title, title)) || (tags.items && after.tags.n != tags.n))
		return false;
	for (size_t i = 0; tags.items && i < tags.n; i++)
		if (!text_same(after.tags.items[i], tags.items[i]))
			return false;
	for (size_t i = 0; n->yaml && i < n->yaml->entries.n; i++) {
		const struct yaml_entry *was = &n->yaml->entries.items[i], *is = NULL;
		if (is_changed_key(was->key.value))
			continue;
		while (after.yaml && k < after.yaml->entries.n &&
		       is_changed_key(after.yaml->entries.items[k].key.value))
			k++;
		if (after.yaml && k < after.yaml->entries.n)
			is = &after.yaml->entries.items[k++];
		if (!is || !text_same(is->key.value, was->key.value) || is->to - is->from != was->to - was->from ||
		    memcmp(after.bytes.at + after.front.from + is->from, n->bytes.at + n->front.from + was->from,
			   was->to - was->from) != 0)
			return false;
	}
	return true;
}

/* Programs differ on a key that occurs twice: some use the first, some the last, some neither. */
static bool is_twice(struct call *c, const struct note *n, const char *key)
{
	if (yaml_count(n->yaml, key) < 2)
		return false;
	fail_as(c, "PROVIDER_ERROR",
		"the note's front matter has %s more than once, so it is not changed; remove one in the file", key);
	return true;
}

bool front_change(struct call *c, const struct note *n, struct text title, struct texts tags, struct edits *out)
{
	struct buffer above = {.arena = c->arena}, below = {.arena = c->arena};
	const struct yaml_entry *has_title = yaml_find(n->yaml, "title"), *has_tags = yaml_find(n->yaml, "tags"),
				*has_tag = yaml_find(n->yaml, "tag");

	if (n->malformed && (title.at || tags.items))
		return fail_as(c, "PROVIDER_ERROR",
			       "the note's front matter is malformed, so it is not changed: %s; repair it in the file",
			       n->malformed);
	if ((title.at && is_twice(c, n, "title")) || (tags.items && (is_twice(c, n, "tags") || is_twice(c, n, "tag"))))
		return false;
	if (title.at && has_title) {
		if (!change_title(c, n, has_title, title, out))
			return false;
	} else if (title.at) {
		buffer_format(&above, "title: %.*s%.*s", TEXT_ARGS(yaml_quoted(c->arena, title)),
			      TEXT_ARGS(newline_of(n)));
	}
	if (tags.items && (has_tags || has_tag)) {
		if (!change_list(c, n, has_tags ? has_tags : has_tag, tags, out) ||
		    (has_tags && has_tag && !remove_entry(c, n, has_tag, out)))
			return false;
	} else if (tags.items && (tags.n || n->has_front)) {
		buffer_format(&below, "tags: %.*s%.*s", TEXT_ARGS(flow_list(c, n, NULL, tags)),
			      TEXT_ARGS(newline_of(n)));
	}
	if (n->has_front) {
		if (above.len)
			edit_add(c, out, n->front.from, n->front.from, buffer_text(&above));
		if (below.len)
			edit_add(c, out, n->front.to, n->front.to, buffer_text(&below));
	} else if (above.len || below.len) {
		edit_add(c, out, n->start, n->start,
			 text_format(c->arena, "---%.*s%.*s%.*s---%.*s", TEXT_ARGS(newline_of(n)),
				     TEXT_ARGS(buffer_text(&above)), TEXT_ARGS(buffer_text(&below)),
				     TEXT_ARGS(newline_of(n))));
	}
	return reads_back(c, n, title, tags, out) || refuse_front(c);
}
