/* names.c: what tools are called, and what prose calls them.
 *
 * Kinds write their prose with their tools' own names. Where several kinds are served each name carries its kind in
 * front, so descriptions, instructions and prompts are rewritten on the way out: what a model reads is what it can
 * call. Only names with an underscore are rewritten; "search" may be a word. */
#include "mcp/inner.h"

struct text name_together(struct arena *a, const struct kind *k, const char *name)
{
	return strstr(name, k->name) ? text_of(name) : text_format(a, "%s_%s", k->name, name);
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

/* Names have an underscore: only the words around one are looked at. */
static void put_served(struct buffer *to, struct arena *a, const struct kind *k, struct text prose)
{
	size_t i = 0;

	for (const char *mark; (mark = memchr(prose.at + i, '_', prose.len - i));) {
		size_t from = (size_t)(mark - prose.at);

		while (from > i && is_letter(prose.at[from - 1]))
			from--;
		struct text word = word_at(prose, from);
		buffer_add(to, text_slice(prose, i, from));
		buffer_add(to, kind_tool(k, word) ? name_together(a, k, text_string(a, word)) : word);
		i = from + word.len;
	}
	buffer_add(to, text_slice(prose, i, prose.len));
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
