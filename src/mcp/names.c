#include "mcp/names.h"

#include "mcp/inner.h"

struct text name_together(struct arena *a, const struct kind *k, const char *name)
{
	if (strstr(name, k->name))
		return text_of(name);
	return text_format(a, "%s_%s", k->name, name);
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/* The word that begins at `at`. */
static struct text word_at(struct text t, size_t at)
{
	size_t end = at;

	while (end < t.len && is_letter(t.at[end]))
		end++;
	return text_slice(t, at, end);
}

/* The next word at or after `from` that may be a tool's name: one with an underscore, or in backticks. */
static struct text next_name(struct text prose, size_t from)
{
	for (size_t i = from; i < prose.len; i++) {
		if (prose.at[i] == '_') {
			while (i > from && is_letter(prose.at[i - 1]))
				i--;
			return word_at(prose, i);
		}
		if (prose.at[i] != '`')
			continue;
		struct text word = word_at(prose, i + 1);
		if (word.len && i + 1 + word.len < prose.len && prose.at[i + 1 + word.len] == '`')
			return word;
	}
	return (struct text){0};
}

/* The tool that a word of the kind's prose means; NULL: it is no tool. */
static const struct tool *tool_meant(struct view v, struct text word)
{
	const struct tool *t = kind_tool(v.kind, word);

	return t ? t : kind_tool(&kind_core, word);
}

static bool names_uncallable(struct view v, struct text part)
{
	size_t i = 0;

	for (struct text word; (word = next_name(part, i)).at; i = (size_t)(word.at - part.at) + word.len)
		if (tool_meant(v, word) && !served_callable(v.served, v.key, v.kind, word))
			return true;
	return false;
}

/* Where several kinds are served the name begins with the kind. A tool that cannot be called is told by its title. */
static void put_part(struct buffer *to, struct view v, struct text part)
{
	size_t i = 0;

	for (struct text word; (word = next_name(part, i)).at; i = (size_t)(word.at - part.at) + word.len) {
		const struct tool *meant = tool_meant(v, word);
		const struct served_tool *t = meant ? served_callable(v.served, v.key, v.kind, word) : NULL;

		buffer_add(to, text_slice(part, i, (size_t)(word.at - part.at)));
		if (meant && !t)
			buffer_format(to, "\"%s\" (not offered here)", meant->title ? meant->title : "another tool");
		else
			buffer_add(to, t ? t->name : word);
	}
	buffer_add(to, text_slice(part, i, part.len));
}

/* A part ends after a line, a sentence or a semicolon. "e.g. " is no end. */
static size_t part_end(struct text t, size_t from)
{
	for (size_t i = from; i < t.len; i++) {
		if (t.at[i] == '\n')
			return i + 1;
		bool is_end =
			t.at[i] == ';' || (t.at[i] == '.' && i > from + 1 && t.at[i - 2] != '.' && t.at[i - 2] != ' ');
		if (is_end && i + 1 < t.len && t.at[i + 1] == ' ')
			return i + 2;
	}
	return t.len;
}

/* What follows a semicolon was left out, so the sentence ends before it. */
static void end_sentence(struct buffer *to, size_t begin, struct text gone)
{
	struct text said = text_slice(buffer_text(to), begin, to->len);
	bool has_line = text_ends(gone, "\n"), has_stop = has_line || text_ends(gone, ". ") || text_ends(gone, ".");

	if (!text_ends(said, "; ") || text_ends(gone, "; "))
		return;
	to->len -= 2;
	if (has_stop)
		buffer_put(to, text_ends(gone, ". ") ? ". " : has_line ? ".\n" : ".");
}

static void put_told(struct buffer *to, struct view v, struct text prose, bool is_format)
{
	size_t begin = to->len;

	for (size_t from = 0, end; from < prose.len; from = end) {
		end = part_end(prose, from);
		struct text part = text_slice(prose, from, end);
		/* The values of a format follow each other, so none in the middle can be left out. */
		bool stays = is_format && (!from || (text_find(part, TEXT("%"), 0) != SIZE_MAX &&
						     text_find(prose, TEXT("%"), end) != SIZE_MAX));
		if (!stays && names_uncallable(v, part))
			end_sentence(to, begin, part);
		else
			put_part(to, v, part);
	}
	while (to->len > begin && !is_format && to->at[to->len - 1] == ' ' && prose.at[prose.len - 1] != ' ')
		to->len--;
}

struct text names_told(struct arena *a, struct view v, struct text prose)
{
	struct buffer b = {.arena = a};

	if (!next_name(prose, 0).at)
		return prose;
	put_told(&b, v, prose, false);
	return buffer_text(&b);
}

const char *names_called(struct call *c, const char *format)
{
	const struct exchange *x = c->reply->to;
	struct buffer b = {.arena = c->arena};
	struct text all = text_of(format);

	if (!x->inner->kind || !next_name(all, 0).at)
		return format;
	put_told(&b, (struct view){SERVED(x), x->key, x->inner->kind}, all, true);
	return buffer_text(&b).at;
}

void names_told_json(struct buffer *to, struct arena *a, struct view v, struct text json)
{
	static const char key[] = "\"description\":\"";
	struct json_error never;
	size_t from = 0;

	for (size_t at; (at = text_find(json, text_of(key), from)) != SIZE_MAX;) {
		size_t begin = at + sizeof key - 2, end = begin + 1;
		while (end < json.len && json.at[end] != '"')
			end += json.at[end] == '\\' ? 2 : 1;
		struct text source = text_slice(json, begin, end + 1);
		buffer_add(to, text_slice(json, from, begin));
		if (next_name(source, 0).at) {
			const struct json *prose = json_parse(a, source, 1, &never);
			json_put_text(&(struct json_out){.to = to}, names_told(a, v, json_text(prose)));
		} else {
			buffer_add(to, source);
		}
		from = end + 1;
	}
	buffer_add(to, text_slice(json, from, json.len));
}
