/* edit_text.c: the actions on the text itself: keys of the head, and text that no other action writes. */
#include "kinds/floorplan/edit/edit.h"

static const struct head_entry *head_entry(const struct edit *e, const char *key)
{
	for (size_t i = 0; i < e->syntax->head.n; i++)
		if (!e->syntax->head.items[i].in_config && text_is(e->syntax->head.items[i].key, key))
			return &e->syntax->head.items[i];
	return NULL;
}

/* In quotes, so that a colon or a comment sign in it is text. */
static bool put_value(struct edit *e, struct buffer *b, const char *key, struct text value)
{
	for (size_t i = 0; i < value.len; i++)
		if ((unsigned char)value.at[i] < ' ')
			return edit_refuse(e, "%s must be one line", key);
	bool has_double = text_find(value, TEXT("\""), 0) != SIZE_MAX;

	if (has_double && text_find(value, TEXT("'"), 0) != SIZE_MAX)
		return edit_refuse(e, "%s has both kinds of quotation marks; use one kind", key);
	buffer_format(b, has_double ? "'%.*s'" : "\"%.*s\"", TEXT_ARGS(value));
	return true;
}

/* The line of an entry with its end. The public grammar allows several keys on a line: then only the entry. */
static struct span entry_line(const struct edit *e, const struct head_entry *h)
{
	struct span s = h->span;

	while (s.from && (e->source.at[s.from - 1] == ' ' || e->source.at[s.from - 1] == '\t'))
		s.from--;
	while (s.to < e->source.len &&
	       (e->source.at[s.to] == ' ' || e->source.at[s.to] == '\t' || e->source.at[s.to] == '\r'))
		s.to++;
	bool alone = s.from && e->source.at[s.from - 1] == '\n' && s.to < e->source.len && e->source.at[s.to] == '\n';

	return alone ? (struct span){s.from, s.to + 1} : h->span;
}

bool edit_set_head(struct edit *e, const struct operation *op)
{
	const struct set_head_params *p = op->params;
	const struct {
		const char *key;
		struct text value;
	} keys[] = {{"title", p->title},   {"north", p->north},     {"date", p->date},        {"author", p->author},
		    {"client", p->client}, {"project", p->project}, {"revision", p->revision}};
	struct buffer added = {.arena = e->arena}, said = {.arena = e->arena};
	bool has_head = e->syntax->frontmatter.to > e->syntax->frontmatter.from;

	for (size_t i = 0; i < ARRAY_COUNT(keys); i++) {
		const struct head_entry *h = head_entry(e, keys[i].key);
		struct buffer b = {.arena = e->arena};

		if (!keys[i].value.at || (h ? text_same(h->value, keys[i].value) : !keys[i].value.len))
			continue;
		if (!put_value(e, &b, keys[i].key, keys[i].value))
			return false;
		if (h && !keys[i].value.len)
			edit_replace(e, entry_line(e, h), TEXT(""));
		else if (h)
			edit_replace(e, h->value_span, buffer_text(&b));
		else
			buffer_format(&added, "%s: %.*s%s", keys[i].key, TEXT_ARGS(buffer_text(&b)), line_end(e));
		buffer_format(&said, "%s%s", said.len ? ", " : "set ", keys[i].key);
	}
	bool any = false;
	for (size_t i = 0; i < ARRAY_COUNT(keys); i++)
		any |= keys[i].value.at != NULL;
	if (!any)
		return edit_refuse(e, "name at least one key: title, north, date, author, client, project or revision");
	if (added.len && has_head)
		edit_insert(e, e->syntax->frontmatter.to - 3, buffer_text(&added));
	else if (added.len)
		edit_insert(e, 0,
			    text_format(e->arena, "---%s%.*s---%s", line_end(e), TEXT_ARGS(buffer_text(&added)),
					line_end(e)));
	if (said.len)
		edit_say(e, "%.*s", TEXT_ARGS(buffer_text(&said)));
	return true;
}

bool edit_replace_text(struct edit *e, const struct operation *op)
{
	const struct replace_text_params *p = op->params;
	size_t at = text_find(e->source, p->old, 0);

	e->about = p->old;
	if (at == SIZE_MAX)
		return edit_refuse(e, "the plan does not contain \"%s\"", shown(e->c, p->old));
	if (text_find(e->source, p->old, at + 1) != SIZE_MAX)
		return edit_refuse(e, "\"%s\" occurs more than once; give more of the text around it",
				   shown(e->c, p->old));
	edit_replace(e, (struct span){(uint32_t)at, (uint32_t)(at + p->old.len)}, p->new);
	edit_say(e, "replaced the text");
	return true;
}
