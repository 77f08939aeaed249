#include "kinds/notes/edit/target.h"

#include "base/buffer.h"
#include "format/json.h"
#include "kinds/notes/note/name.h"

#include <string.h>

struct choosing {
	const struct graph *g;
	struct arena *a;
	struct text from;
	const struct target *old;
	uint32_t node;
	bool is_lenient;          /* the old link held in quire only */
	struct text clear, vague; /* the first match; the first match that is ambiguous */
};

/* A wikilink cannot escape these characters. */
static bool is_wiki_text(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (strchr("[]|#^\r\n\\", t.at[i]))
			return false;
	return t.len && text_same(text_trim(t), t);
}

static void offer(struct choosing *ch, struct text t)
{
	bool is_wiki = link_class(ch->old->form) == 'w';

	if (ch->clear.at || !t.len || (is_wiki && !is_wiki_text(t)))
		return;
	struct resolved r = resolve(ch->g, ch->a, ch->from, ch->old->form, t);
	if (r.node != ch->node || (by_leniency(r.by) && !ch->is_lenient))
		return;
	if (!r.is_ambiguous)
		ch->clear = t;
	else if (!ch->vague.at)
		ch->vague = t;
}

/* Tries the end of the path, with one more folder each time. */
static void offer_ends(struct choosing *ch, struct text path, bool with_folder)
{
	for (size_t at = path.len; at; at--) {
		if (path.at[at - 1] != '/')
			continue;
		if (with_folder) {
			with_folder = false;
			continue;
		}
		offer(ch, text_slice(path, at, path.len));
	}
	offer(ch, path);
}

static void offer_wiki(struct choosing *ch, enum resolved_by by)
{
	const struct node *n = &ch->g->nodes[ch->node];
	struct text old = text_trim(ch->old->text);
	bool has_slash = memchr(old.at, '/', old.len), with_suffix = id_is_note(old);
	struct text path = with_suffix ? n->path : id_bare(n->path);

	if (by == BY_RELATIVE) {
		struct text way = id_between(ch->a, id_folder(ch->from), path);
		offer(ch, text_starts(way, "../") ? way : text_format(ch->a, "./%.*s", TEXT_ARGS(way)));
	}
	if (by == BY_ROOT && text_starts(old, "/"))
		offer(ch, text_format(ch->a, "/%.*s", TEXT_ARGS(path)));
	if (by == BY_ROOT && has_slash)
		offer(ch, path);
	if (has_slash)
		offer_ends(ch, path, true);
	offer_ends(ch, path, false);
	offer(ch, n->path);
	offer(ch, text_format(ch->a, "/%.*s", TEXT_ARGS(n->path)));
	if (n->has_title)
		offer(ch, n->title);
	for (size_t i = 0; i < n->aliases.n; i++)
		offer(ch, n->aliases.items[i]);
}

static void offer_markdown(struct choosing *ch, enum resolved_by by)
{
	const struct node *n = &ch->g->nodes[ch->node];
	struct text old = ch->old->text;
	bool with_suffix = id_is_note(old);
	struct text path = with_suffix ? n->path : id_bare(n->path), way = id_between(ch->a, id_folder(ch->from), path);

	if (text_starts(old, "/"))
		offer(ch, text_format(ch->a, "/%.*s", TEXT_ARGS(path)));
	if (by == BY_ROOT)
		offer(ch, path);
	if (by == BY_NAME || by == BY_END)
		offer_ends(ch, path, by == BY_END);
	if (text_starts(old, "./") && !text_starts(way, "../"))
		offer(ch, text_format(ch->a, "./%.*s", TEXT_ARGS(way)));
	offer(ch, way);
	offer(ch, id_between(ch->a, id_folder(ch->from), n->path));
	offer(ch, text_format(ch->a, "/%.*s", TEXT_ARGS(n->path)));
}

bool target_for(const struct graph *g, struct arena *a, struct text from, const struct target *old, enum resolved_by by,
		uint32_t node, struct text *out)
{
	struct choosing ch = {.g = g, .a = a, .from = from, .old = old, .node = node, .is_lenient = by_leniency(by)};

	if (old->form == NOTE_LINK_PATH)
		offer(&ch, g->nodes[node].path);
	else if (old->form == NOTE_LINK_MARKDOWN)
		offer_markdown(&ch, by);
	else
		offer_wiki(&ch, by);
	*out = ch.clear.at ? ch.clear : ch.vague;
	if (out->at)
		*out = text_copy(a, *out);
	return out->at;
}

/* In a value of the front matter a text is quoted like the value. */
static void put_quoted(struct buffer *b, enum yaml_quote quote, char c)
{
	if (quote == YAML_SINGLE && c == '\'')
		buffer_put(b, "''");
	else if (quote == YAML_DOUBLE && (c == '"' || c == '\\'))
		buffer_format(b, "\\%c", c);
	else
		buffer_byte(b, c);
}

static struct text json_escaped(struct arena *a, struct text t)
{
	struct text quoted = json_source(a, json_new_text(a, t));

	return text_slice(quoted, 1, quoted.len - 1);
}

struct text target_written(struct arena *a, const struct note_link *l, struct text target)
{
	struct buffer b = {.arena = a};

	if (l->form != NOTE_LINK_FRONT && l->form != NOTE_LINK_MARKDOWN)
		return l->is_json ? json_escaped(a, target) : target;
	for (size_t i = 0; i < target.len; i++) {
		unsigned char c = (unsigned char)target.at[i];
		bool encode = c < ' ' || c == 0x7f || strchr("%<>#?\\", c) || (!l->is_angled && strchr(" ()\"'", c));
		if (l->form == NOTE_LINK_FRONT)
			put_quoted(&b, l->quote, (char)c);
		else if (encode)
			buffer_format(&b, "%%%02X", c);
		else
			buffer_byte(&b, (char)c);
	}
	return buffer_text(&b);
}

struct text shown_as(struct arena *a, struct text title)
{
	for (size_t i = 0; i < title.len; i++)
		if (strchr("[]|\r\n\\", title.at[i]))
			return (struct text){0};
	return text_copy(a, text_trim(title));
}

struct text shown_written(struct arena *a, struct text bytes, const struct note_link *l, struct text shown)
{
	struct buffer b = {.arena = a};
	size_t line = l->all.from;

	while (line && bytes.at[line - 1] != '\n')
		line--;
	while (line < l->all.from && (bytes.at[line] == ' ' || bytes.at[line] == '\t'))
		line++;
	if (l->is_json)
		return text_format(a, "|%.*s", TEXT_ARGS(json_escaped(a, shown)));
	buffer_put(&b, l->form == NOTE_LINK_WIKI && bytes.at[line] == '|' ? "\\|" : "|");
	for (size_t i = 0; i < shown.len; i++)
		put_quoted(&b, l->form == NOTE_LINK_FRONT ? l->quote : YAML_PLAIN, shown.at[i]);
	return buffer_text(&b);
}
