/* names.c: the names of tools, in lists and in prose.
 *
 * Kinds write their prose with their tools' own names. If several kinds are served, each name begins with its kind. So
 * descriptions, instructions, prompts, errors and warnings are rewritten for the client: a model can call every name
 * that it reads. A name without an underscore may be an ordinary word, so it is rewritten only in backticks. */
#include "mcp/inner.h"

struct text name_together(struct arena *a, const struct kind *k, const char *name)
{
	if (strstr(name, k->name))
		return text_of(name);
	struct buffer b = {.arena = a};
	buffer_put(&b, k->name);
	buffer_byte(&b, '_');
	buffer_put(&b, name);
	return buffer_text(&b);
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

bool names_mention(struct text prose, const char *name)
{
	struct text wanted = text_of(name);

	for (size_t at = 0; (at = text_find(prose, wanted, at)) != SIZE_MAX; at += wanted.len) {
		size_t end = at + wanted.len;
		if ((!at || !is_letter(prose.at[at - 1])) && (end == prose.len || !is_letter(prose.at[end])))
			return true;
	}
	return false;
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

/* The replacement of a word that may be a name. */
struct renaming {
	struct text (*name)(struct arena *a, const void *of, struct text word);
	const void *of;
};

static void put_renamed(struct buffer *to, struct arena *a, struct renaming r, struct text prose)
{
	size_t i = 0;

	for (struct text word; (word = next_name(prose, i)).at;) {
		buffer_add(to, text_slice(prose, i, (size_t)(word.at - prose.at)));
		buffer_add(to, r.name(a, r.of, word));
		i = (size_t)(word.at - prose.at) + word.len;
	}
	buffer_add(to, text_slice(prose, i, prose.len));
}

static struct text served(struct arena *a, const void *kind, struct text word)
{
	return kind_tool(kind, word) ? name_together(a, kind, text_string(a, word)) : word;
}

static void put_served(struct buffer *to, struct arena *a, const struct kind *k, struct text prose)
{
	put_renamed(to, a, (struct renaming){served, k}, prose);
}

/* A tool that the server does not offer keeps its name in prose: a user can serve it. */
static struct text callable(struct arena *a, const void *exchange, struct text word)
{
	const struct exchange *x = exchange;
	const struct kind *k = x->inner->kind;

	if (!k || k == &kind_core || !kind_tool(k, word))
		return word;
	struct text name = x->endpoint->alone ? word : served(a, k, word);
	return tool_find(PLACE(x), name) ? name : text_format(a, "%.*s (not offered by this server)", TEXT_ARGS(name));
}

const char *names_called(struct call *c, const char *prose)
{
	struct buffer b = {.arena = c->arena};
	struct text all = text_of(prose);

	if (!next_name(all, 0).at)
		return prose;
	put_renamed(&b, c->arena, (struct renaming){callable, c->reply->to}, all);
	return buffer_text(&b).at;
}

struct text names_served(struct arena *a, const struct kind *k, struct text prose)
{
	struct buffer b = {.arena = a};

	put_served(&b, a, k, prose);
	return buffer_text(&b);
}

void names_served_json(struct buffer *to, struct arena *a, const struct kind *k, struct text json)
{
	static const char key[] = "\"description\":\"";
	size_t from = 0;

	for (size_t at; (at = text_find(json, text_of(key), from)) != SIZE_MAX;) {
		size_t begin = at + sizeof key - 1, end = begin;
		while (end < json.len && json.at[end] != '"')
			end += json.at[end] == '\\' ? 2 : 1;
		buffer_add(to, text_slice(json, from, begin));
		/* An escape before a name must not be read as its first letter. */
		struct text prose = text_slice(json, begin, end);
		for (size_t i = 0; i < prose.len;) {
			size_t escape = text_find(prose, TEXT("\\"), i);
			size_t stop = escape == SIZE_MAX ? prose.len : escape;
			put_served(to, a, k, text_slice(prose, i, stop));
			i = stop + 2 < prose.len ? stop + 2 : prose.len;
			buffer_add(to, text_slice(prose, stop, i));
		}
		from = end;
	}
	buffer_add(to, text_slice(json, from, json.len));
}
