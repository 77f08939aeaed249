#include "kinds/notes/edit/front.h"

#include "base/buffer.h"
#include "kinds/notes/note/name.h"

#include <string.h>

void edit_add(struct call *c, struct edits *e, size_t from, size_t to, struct text with)
{
	*ARRAY_PUSH(c->arena, e) = (struct splice){(uint32_t)from, (uint32_t)to, with};
}

struct text newline_of(const struct note *n) { return n->is_crlf ? TEXT("\r\n") : TEXT("\n"); }

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

static struct text flow_list(struct call *c, struct texts tags)
{
	struct buffer b = {.arena = c->arena};

	buffer_byte(&b, '[');
	for (size_t i = 0; i < tags.n; i++) {
		buffer_put(&b, i ? ", " : "");
		buffer_add(&b, yaml_quoted(c->arena, tags.items[i]));
	}
	buffer_byte(&b, ']');
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

/* Items below each other, with the indentation of the first. */
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

static bool refuse_value(struct call *c, const char *key)
{
	return fail_as(
		c, "PROVIDER_ERROR",
		"the front matter's %s is neither a text nor a list of texts, so it is not changed; edit it in the file",
		key);
}

/* Where the value of a key begins when it has none: behind the colon. */
static size_t behind_colon(const struct note *n, const struct yaml_entry *e)
{
	size_t at = n->front.from + e->key.to;

	while (at < n->front.to && n->bytes.at[at] != ':')
		at++;
	return at < n->front.to ? at + 1 : at;
}

static bool change_tags(struct call *c, const struct note *n, const struct yaml_entry *e, struct texts tags,
			struct edits *out)
{
	size_t base = n->front.from, colon = behind_colon(n, e);

	if (!e->all_scalars || e->type == YAML_OTHER)
		return refuse_value(c, "tags");
	if (e->type == YAML_FLOW_LIST)
		edit_add(c, out, base + e->from, base + e->to, flow_list(c, tags));
	else if (e->type == YAML_BLOCK_LIST && tags.n && e->n)
		edit_add(c, out, base + e->from, base + e->to, block_list(c, n, base + e->from, tags));
	else if (e->n && e->items[0].quote == YAML_TEXT_BLOCK)
		return refuse_value(c, "tags");
	else if (e->from < e->to)
		edit_add(c, out, colon, base + e->to, text_format(c->arena, " %s", flow_list(c, tags).at));
	else
		edit_add(c, out, colon, colon, text_format(c->arena, " %s", flow_list(c, tags).at));
	return true;
}

static struct text single_quoted(struct call *c, struct text t)
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

/* A second key for the same thing goes, with its line. */
static void remove_entry(struct call *c, const struct note *n, const struct yaml_entry *e, struct edits *out)
{
	size_t base = n->front.from, to = base + (e->to > e->key.to ? e->to : e->key.to);

	edit_add(c, out, line_start(n->bytes, base + e->key.from), line_behind(n->bytes, to), TEXT(""));
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
	if (title.at && has_title) {
		if (!change_title(c, n, has_title, title, out))
			return false;
	} else if (title.at) {
		buffer_format(&above, "title: %.*s%.*s", TEXT_ARGS(yaml_quoted(c->arena, title)),
			      TEXT_ARGS(newline_of(n)));
	}
	if (tags.items && (has_tags || has_tag)) {
		if (!change_tags(c, n, has_tags ? has_tags : has_tag, tags, out))
			return false;
		if (has_tags && has_tag)
			remove_entry(c, n, has_tag, out);
	} else if (tags.items && (tags.n || n->has_front)) {
		buffer_format(&below, "tags: %s%.*s", flow_list(c, tags).at, TEXT_ARGS(newline_of(n)));
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
	/* Front matter can be written in many ways: what was planned must read back as what was asked for. */
	struct note after;
	note_read(c->arena, splice_apply(c->arena, n->bytes, out->items, out->n), &after);
	bool holds = !title.at || text_same(after.title, title);
	for (size_t i = 0; tags.items && holds && i < tags.n; i++)
		holds = after.tags.n == tags.n && text_same(after.tags.items[i], tags.items[i]);
	if (!holds || (tags.items && after.tags.n != tags.n))
		return fail_as(
			c, "PROVIDER_ERROR",
			"the note's front matter is written in a way that cannot be changed safely; edit it in the file");
	return true;
}
