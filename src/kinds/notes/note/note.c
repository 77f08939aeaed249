#include "kinds/notes/note/note.h"

#include "base/map.h"
#include "base/uri.h"
#include "base/utf8.h"
#include "kinds/notes/note/name.h"
#include "kinds/notes/note/other.h"

#include <string.h>

static size_t line_end(struct text b, size_t at, size_t *next)
{
	const char *newline = memchr(b.at + at, '\n', b.len - at);
	size_t end = newline ? (size_t)(newline - b.at) : b.len;

	*next = newline ? end + 1 : end;
	return end > at && b.at[end - 1] == '\r' ? end - 1 : end;
}

static bool is_line(struct text b, size_t at, size_t end, const char *word)
{
	while (end > at && (b.at[end - 1] == ' ' || b.at[end - 1] == '\t'))
		end--;
	return text_is((struct text){b.at + at, end - at}, word);
}

/* Finds the block between `---` and `---` at the start. Returns false if there is none. */
static bool find_front(struct text b, size_t start, struct span *inside, size_t *behind)
{
	size_t next, end = line_end(b, start, &next);

	if (!is_line(b, start, end, "---") || next == end)
		return false;
	inside->from = (uint32_t)next;
	for (size_t at = next; at < b.len && at - next <= YAML_MAX; at = *behind) {
		end = line_end(b, at, behind);
		if (is_line(b, at, end, "---") || is_line(b, at, end, "...")) {
			inside->to = (uint32_t)at;
			return true;
		}
	}
	return false;
}

struct text_list {
	struct text *items;
	size_t n, cap;
};

static bool is_longer(struct text t, size_t most) { return t.len > most && utf8_count(t) > most; }

struct text tag_of(struct text written)
{
	struct text tag = text_trim(written);

	return tag.len && tag.at[0] == '#' ? text_trim(text_slice(tag, 1, tag.len)) : tag;
}

static void add_tag(struct arena *a, struct note *n, struct map *seen, struct text_list *to, struct text tag,
		    bool is_front)
{
	bool was;

	tag = utf8_repaired(a, tag_of(tag));
	if (!tag.len)
		return;
	if (is_longer(tag, TAG_MAX)) {
		if (is_front)
			*ARRAY_PUSH(a, &n->problems) =
				text_format(a, "Tag of more than %d characters ignored", (int)TAG_MAX);
		return;
	}
	map_at(seen, name_fold(a, tag), 0, &was);
	if (!was)
		*ARRAY_PUSH(a, to) = text_copy(a, tag);
	else if (is_front)
		*ARRAY_PUSH(a, &n->problems) = text_format(a, "Duplicate tag ignored: %.*s", TEXT_ARGS(tag));
}

/* Takes a list, or one text with commas as separators. */
static void take_values(struct arena *a, struct note *n, const struct yaml_entry *e, struct map *seen,
			struct text_list *to)
{
	for (size_t i = 0; e && i < e->n; i++) {
		struct text rest = e->items[i].value;
		bool splits = e->type == YAML_SCALAR && (seen || e->items[i].quote == YAML_PLAIN);
		/* A key without a value has an empty text that does not point into the file. */
		if (e->items[i].quote == YAML_PLAIN && (text_is(rest, "null") || text_is(rest, "~")))
			continue;
		while (rest.at) {
			size_t comma = splits ? text_find(rest, TEXT(","), 0) : SIZE_MAX;
			struct text one = comma == SIZE_MAX ? rest : text_slice(rest, 0, comma);
			rest = comma == SIZE_MAX ? (struct text){0} : text_slice(rest, comma + 1, rest.len);
			if (seen)
				add_tag(a, n, seen, to, one, true);
			else if (text_trim(one).len && !is_longer(text_trim(one), TITLE_MAX))
				*ARRAY_PUSH(a, to) = utf8_repaired(a, text_copy(a, text_trim(one)));
		}
	}
}

/* Wikilinks inside values of the front matter. A value whose raw bytes contain escapes is ignored. */
static void front_links(struct arena *a, struct note *n)
{
	for (size_t i = 0; i < n->yaml->scalars.n; i++) {
		const struct yaml_scalar *s = &n->yaml->scalars.items[i];
		if (text_find(s->value, TEXT("[["), 0) == SIZE_MAX)
			continue;
		size_t base = n->front.from;
		struct text raw = text_slice(n->bytes, 0, base + s->to);
		if (text_find(text_slice(raw, base + s->from, raw.len), TEXT("\\"), 0) != SIZE_MAX)
			continue;
		for (size_t at = base + s->from; (at = text_find(raw, TEXT("[["), at)) != SIZE_MAX;) {
			struct markdown m;
			size_t close = text_find(raw, TEXT("]]"), at);
			if (close == SIZE_MAX)
				break;
			markdown_scan(a, text_slice(raw, 0, close + 2), at, &m);
			if (m.links.n && m.links.items[0].form == LINK_WIKI) {
				const struct markdown_link *l = &m.links.items[0];
				struct text target = span_text(raw, l->target);
				if (target.len && target.len <= TARGET_MAX && !text_has_nul(target))
					*ARRAY_PUSH(a, &n->links) =
						(struct note_link){.form = NOTE_LINK_FRONT,
								   .target = utf8_repaired(a, target),
								   .place = l->target,
								   .all = l->all,
								   .has_shown = l->shown.to > l->shown.from,
								   .quote = s->quote};
			}
			at = close + 2;
		}
	}
}

static void read_front(struct arena *a, struct note *n, struct map *seen)
{
	struct error error = {0};
	size_t behind = 0;

	if (!find_front(n->bytes, n->start, &n->front, &behind))
		return;
	n->yaml = yaml_parse(a, span_text(n->bytes, n->front), &error);
	if (!n->yaml) {
		n->malformed = text_format(a, "%s (line %u)", error.message, error.line + 1).at;
		*ARRAY_PUSH(a, &n->problems) = text_format(a, "Malformed front matter: %s", n->malformed);
		n->front = (struct span){0, 0};
		return;
	}
	n->has_front = true;
	n->front_end = behind;
	const struct yaml_entry *title = yaml_find(n->yaml, "title");
	struct text given = title && title->type == YAML_SCALAR ? text_trim(title->items[0].value) : (struct text){0};
	if (is_longer(given, TITLE_MAX))
		*ARRAY_PUSH(a, &n->problems) =
			text_format(a, "Title of more than %d characters ignored", (int)TITLE_MAX);
	else if (given.len)
		n->title = utf8_repaired(a, given);
	struct text_list tags = {0}, aliases = {0};
	take_values(a, n, yaml_find(n->yaml, "tags"), seen, &tags);
	take_values(a, n, yaml_find(n->yaml, "tag"), seen, &tags);
	n->tags = (struct texts){tags.items, tags.n};
	take_values(a, n, yaml_find(n->yaml, "aliases"), NULL, &aliases);
	take_values(a, n, yaml_find(n->yaml, "alias"), NULL, &aliases);
	n->aliases = (struct texts){aliases.items, aliases.n};
	front_links(a, n);
}

/* A target with a scheme (https:, mailto:) or another host is not a local file. */
static bool is_elsewhere(struct text t)
{
	size_t i = 0;

	if (text_starts(t, "//"))
		return true;
	while (i < t.len && ((t.at[i] | 32) >= 'a' && (t.at[i] | 32) <= 'z'))
		i++;
	while (i && i < t.len && (((t.at[i] | 32) >= 'a' && (t.at[i] | 32) <= 'z') || strchr("0123456789+.-", t.at[i])))
		i++;
	return i > 1 && i < t.len && t.at[i] == ':';
}

static struct text decoded(struct arena *a, struct text raw)
{
	struct text t = memchr(raw.at, '%', raw.len) ? uri_decode(a, raw) : raw;

	return t.at && !text_has_nul(t) ? t : raw;
}

static void text_links(struct arena *a, struct note *n)
{
	for (size_t i = 0; i < n->parts.links.n; i++) {
		const struct markdown_link *l = &n->parts.links.items[i];
		struct text target = span_text(n->bytes, l->target);
		bool is_wiki = l->form == LINK_WIKI;
		if (!target.len || target.len > TARGET_MAX || text_has_nul(target) ||
		    (!is_wiki && is_elsewhere(target)))
			continue;
		if (!is_wiki) {
			/* The part after a question mark is a query for a server, not part of a note's name. */
			size_t query = text_find(target, TEXT("?"), 0);
			if (query != SIZE_MAX)
				continue;
			target = decoded(a, target);
		}
		*ARRAY_PUSH(a, &n->links) = (struct note_link){.form = is_wiki ? NOTE_LINK_WIKI : NOTE_LINK_MARKDOWN,
							       .target = utf8_repaired(a, target),
							       .place = l->target,
							       .all = l->all,
							       .is_embed = l->is_embed,
							       .has_shown = l->shown.to > l->shown.from,
							       .is_angled = l->is_angled};
	}
}

static size_t start_of(struct text bytes) { return text_starts(bytes, "\xEF\xBB\xBF") ? 3 : 0; }

void note_read(struct arena *a, struct text bytes, struct note *n)
{
	*n = (struct note){.bytes = bytes.at ? bytes : TEXT("")};
	bytes = n->bytes;
	n->start = start_of(bytes);
	n->front_end = n->start;
	const char *newline = memchr(bytes.at, '\n', bytes.len);
	n->is_crlf = newline && newline > bytes.at && newline[-1] == '\r';
	struct map seen = {.arena = a};
	read_front(a, n, &seen);
	struct text text = text_trim(text_slice(bytes, n->front_end, bytes.len));
	n->text = (struct span){(uint32_t)(text.at - bytes.at), (uint32_t)(text.at - bytes.at + text.len)};
	/* Keep the indentation of the first line: four blanks make it code. */
	size_t from = n->text.from;
	while (from > n->front_end && (bytes.at[from - 1] == ' ' || bytes.at[from - 1] == '\t'))
		from--;
	markdown_scan(a, text_slice(bytes, 0, n->text.to), from, &n->parts);
	text_links(a, n);
	for (size_t i = 0; i < n->parts.code.n; i++)
		if (text_starts(span_text(bytes, n->parts.code.items[i]), "```base"))
			query_links(a, n, n->parts.code.items[i].from, n->parts.code.items[i].to);
	struct text_list words = {0};
	for (size_t i = 0; i < n->parts.tags.n; i++)
		add_tag(a, n, &seen, &words, span_text(bytes, n->parts.tags.items[i]), false);
	n->words = (struct texts){words.items, words.n};
	if (utf8_bad(bytes) < bytes.len)
		*ARRAY_PUSH(a, &n->problems) = TEXT("Not UTF-8: malformed bytes are shown as U+FFFD");
}

struct text note_content(struct arena *a, const struct note *n)
{
	return utf8_repaired(a, span_text(n->bytes, n->text));
}

bool note_front_holds(struct arena *a, struct text bytes)
{
	struct error ignored = {0};
	struct span front;
	size_t behind;

	return !find_front(bytes, start_of(bytes), &front, &behind) || yaml_parse(a, span_text(bytes, front), &ignored);
}

bool note_begins_front(struct arena *a, struct text text)
{
	struct note n;

	note_read(a, text, &n);
	return n.has_front && n.yaml->entries.n;
}
