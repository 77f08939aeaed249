#include "kinds/notes/note/other.h"

#include "base/buffer.h"
#include "base/utf8.h"
#include "format/json.h"
#include "kinds/notes/note/name.h"

#include <string.h>

enum node_sort sort_of_file(struct text path)
{
	if (id_is_note(path))
		return NODE_NOTE;
	if (text_ends_in(path, ".canvas"))
		return NODE_CANVAS;
	return text_ends_in(path, ".base") ? NODE_BASE : NODE_FILE;
}

static void add_link(struct arena *a, struct note *n, struct note_link link)
{
	if (link.target.len && link.target.len <= TARGET_MAX && !text_has_nul(link.target))
		*ARRAY_PUSH(a, &n->links) = link;
}

/* A text in a JSON string, and for each of its bytes the place where it is written. */
struct unescaped {
	struct text text;
	uint32_t *places;
};

static uint32_t hex4(const char *at)
{
	uint32_t c = 0;

	for (int i = 0; i < 4; i++) {
		char digit = at[i];
		c = c << 4 | (uint32_t)(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
	}
	return c;
}

/* The bytes are a valid JSON string, so every escape is whole. */
static struct unescaped unescape(struct arena *a, struct text bytes, size_t from, size_t to)
{
	static const char marks[] = "nrtbf", meant[] = "\n\r\t\b\f";
	char *out = arena_alloc(a, to - from + 1);
	struct unescaped u = {.places = arena_array(a, to - from + 1, sizeof *u.places)};
	size_t n = 0;

	for (size_t at = from; at < to;) {
		size_t next = at + 1, count = 1;
		out[n] = bytes.at[at];
		if (bytes.at[at] == '\\' && bytes.at[at + 1] == 'u') {
			uint32_t c = hex4(bytes.at + at + 2);
			next = at + 6;
			if (c >= 0xd800 && c < 0xdc00 && next + 6 <= to && bytes.at[next] == '\\') {
				c = 0x10000 + ((c & 0x3ff) << 10) + (hex4(bytes.at + next + 2) & 0x3ff);
				next += 6;
			}
			count = utf8_put(out + n, c);
		} else if (bytes.at[at] == '\\') {
			const char *mark = strchr(marks, bytes.at[at + 1]);
			out[n] = mark && *mark ? meant[mark - marks] : bytes.at[at + 1];
			next = at + 2;
		}
		for (size_t i = 0; i < count; i++)
			u.places[n++] = (uint32_t)at;
		at = next;
	}
	u.places[n] = (uint32_t)to;
	u.text = (struct text){out, n};
	return u;
}

static struct span placed(const struct unescaped *u, struct span s)
{
	return (struct span){u->places[s.from], u->places[s.to]};
}

static void card_text(struct arena *a, struct note *n, const struct json *value)
{
	struct unescaped u = unescape(a, n->bytes, value->pos + 1, value->end - 1);
	struct note card;

	note_read(a, u.text, &card);
	for (size_t i = 0; i < card.links.n; i++) {
		struct note_link l = card.links.items[i];
		l.place = placed(&u, l.place);
		l.all = placed(&u, l.all);
		l.is_json = true;
		add_link(a, n, l);
	}
}

static void card_path(struct arena *a, struct note *n, const struct json *value)
{
	if (json_is(value, JSON_STRING))
		add_link(a, n,
			 (struct note_link){.form = NOTE_LINK_PATH,
					    .target = json_text(value),
					    .place = {value->pos + 1, value->end - 1},
					    .all = {value->pos, value->end},
					    .has_shown = true,
					    .is_json = true});
}

static void canvas_read(struct arena *a, struct note *n)
{
	const struct json *canvas = json_parse(a, n->bytes, JSON_DEPTH_MAX, NULL);
	const struct json *cards = canvas ? json_get(canvas, "nodes") : NULL;

	for (uint32_t i = 0; json_is(cards, JSON_ARRAY) && i < cards->len; i++) {
		const struct json *text = json_get(&cards->items[i], "text");
		card_path(a, n, json_get(&cards->items[i], "file"));
		card_path(a, n, json_get(&cards->items[i], "background"));
		if (json_is(text, JSON_STRING))
			card_text(a, n, text);
	}
}

static bool is_letter(char c) { return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_'; }

/* The quoted text at `at`, after blanks. In a YAML string the quotes may have backslashes before them. */
static bool quoted_at(struct text b, size_t at, size_t to, struct span *out, size_t *after)
{
	while (at < to && b.at[at] == ' ')
		at++;
	bool escaped = at + 1 < to && b.at[at] == '\\';
	char quote = at + escaped < to ? b.at[at + escaped] : 0;
	if (quote != '"' && quote != '\'')
		return false;
	size_t from = at + escaped + 1, end = from;
	while (end < to && b.at[end] != quote && b.at[end] != '\\' && b.at[end] != '\n')
		end++;
	if (end >= to || b.at[end] == '\n' || (b.at[end] == '\\' && !escaped) || end == from)
		return false;
	*out = (struct span){(uint32_t)from, (uint32_t)end};
	*after = end + 1;
	return true;
}

static void query_wikilink(struct arena *a, struct note *n, size_t at, size_t to)
{
	size_t end = at + 2;

	while (end < to && !strchr("]|#^\n\\\"", n->bytes.at[end]))
		end++;
	struct text target = text_trim(text_slice(n->bytes, at + 2, end));
	size_t from = (size_t)(target.at - n->bytes.at);
	if (end < to && n->bytes.at[end] != '\n')
		add_link(a, n,
			 (struct note_link){.form = NOTE_LINK_WIKI,
					    .target = utf8_repaired(a, target),
					    .place = {(uint32_t)from, (uint32_t)(from + target.len)},
					    .all = {(uint32_t)at, (uint32_t)end},
					    .has_shown = true});
}

void query_links(struct arena *a, struct note *n, size_t from, size_t to)
{
	static const struct {
		const char *before;
		enum link_form form;
	} calls[] = {
		{"inFolder(", NOTE_LINK_FOLDER},      {"hasLink(", NOTE_LINK_WIKI},     {"link(", NOTE_LINK_WIKI},
		{"file.folder ==", NOTE_LINK_FOLDER}, {"file.path ==", NOTE_LINK_PATH}, {"file(", NOTE_LINK_WIKI},
	};
	struct text b = n->bytes;

	for (size_t at = from, next; at < to; at = next) {
		struct span place;
		next = at + 1;
		if (b.at[at] == '[' && at + 1 < to && b.at[at + 1] == '[')
			query_wikilink(a, n, at, to);
		if (!is_letter(b.at[at]) || (at > from && is_letter(b.at[at - 1])))
			continue;
		for (size_t i = 0; i < ARRAY_COUNT(calls); i++) {
			if (!text_starts(text_slice(b, at, to), calls[i].before) ||
			    !quoted_at(b, at + strlen(calls[i].before), to, &place, &next))
				continue;
			add_link(a, n,
				 (struct note_link){.form = calls[i].form,
						    .target = utf8_repaired(a, span_text(b, place)),
						    .place = place,
						    .all = place,
						    .has_shown = true});
			break;
		}
	}
}

void file_links_read(struct arena *a, struct text path, struct text bytes, struct note *out)
{
	enum node_sort sort = sort_of_file(path);

	if (sort == NODE_NOTE) {
		note_read(a, bytes, out);
		return;
	}
	*out = (struct note){.bytes = bytes.at ? bytes : TEXT("")};
	if (sort == NODE_CANVAS)
		canvas_read(a, out);
	else if (sort == NODE_BASE)
		query_links(a, out, 0, out->bytes.len);
}
