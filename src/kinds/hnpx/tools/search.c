/* search.c: finds words in prose, summaries and attributes, ignoring case, accents and the form of quotes. */
#include "base/utf8.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/prose/loose.h"

#include <string.h>

static const char *const places[] = {"text", "summary", "attributes", NULL};
enum place { PLACE_TEXT, PLACE_SUMMARY, PLACE_ATTRIBUTES };

struct search_args {
	struct text file_path, query, node_id;
	struct choices in;
	int kind, broken;
	int64_t limit, offset;
};
struct match {
	struct text id, type, in, path, where, snippet;
};
struct search_answer {
	struct texts missing;
	int64_t total;
	struct objects matches;
	struct maybe_int next_offset;
};

static const struct field search_in[] = {
	FILE_PATH(struct search_args),
	FIELD(struct search_args, query, TEXT, FIELD_REQUIRED, "Phrase; case, accents and quote forms are ignored",
	      .limits = BETWEEN(1, 1000)),
	FIELD(struct search_args, in, CHOICES, FIELD_TERSE, "Default: everywhere", .choices = places),
	FIELD(struct search_args, kind, CHOICE, FIELD_TERSE, "Only this level", .choices = level_names),
	FIELD(struct search_args, node_id, TEXT, 0, "Only below it"),
	FIELD(struct search_args, limit, INT, FIELD_TERSE, "Maximum number of matches", .limits = BETWEEN(1, 200),
	      .otherwise = "20"),
	FIELD(struct search_args, offset, INT, FIELD_TERSE, "Number of matches to skip", .limits = AT_LEAST(0),
	      .otherwise = "0"),
	BROKEN(struct search_args),
	FIELDS_END,
};
static const struct field match_fields[] = {
	FIELD(struct match, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct match, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct match, in, TEXT, FIELD_REQUIRED, "text, summary, or the attribute's name"),
	FIELD(struct match, path, TEXT, FIELD_REQUIRED, "Ids from the book down to the node"),
	FIELD(struct match, where, TEXT, 0, "The chapter's title and the sequence's place"),
	FIELD(struct match, snippet, TEXT, FIELD_REQUIRED, "The words around the first place"),
	FIELDS_END,
};
static const struct shape match_shape = SHAPE(struct match, "match", match_fields);
static const struct field search_out[] = {
	FIELD(struct search_answer, missing, TEXTS, 0, "What is broken and was not searched"),
	FIELD(struct search_answer, total, INT, FIELD_REQUIRED, "How many texts, summaries and attributes match"),
	FIELD(struct search_answer, matches, OBJECTS, FIELD_REQUIRED, "In document order", .shape = &match_shape),
	FIELD(struct search_answer, next_offset, MAYBE_INT, 0, "There are more: call again with this offset"),
	FIELDS_END,
};

struct search {
	struct call *c;
	const struct search_args *args;
	const struct book *book;
	struct text query; /* folded */
	struct arena scratch;
	int64_t total;
	ARRAY(struct match) found;
};

enum { AROUND = 60 }; /* bytes on each side of a match */

static struct text snippet(struct arena *a, struct text t, size_t from, size_t len)
{
	size_t start = from > AROUND ? utf8_cut(t, from - AROUND) : 0;
	size_t end = from + len + AROUND < t.len ? utf8_cut(t, from + len + AROUND) : t.len;
	struct buffer out = {.arena = a};

	buffer_put(&out, start ? "…" : "");
	for (size_t i = start; i < end; i++)
		buffer_byte(&out, t.at[i] == '\n' ? ' ' : t.at[i]);
	buffer_put(&out, end < t.len ? "…" : "");
	return buffer_text(&out);
}

static struct text path_of(struct arena *a, const struct book *b, uint32_t node)
{
	struct text path = book_id(a, b, node);

	while ((node = b->nodes[node].parent) != BOOK_NONE)
		path = text_format(a, "%s/%s", book_id(a, b, node).at, path.at);
	return path;
}

static struct text where_is(struct arena *a, const struct book *b, uint32_t node)
{
	struct text title = {0}, place = {0};

	for (; node; node = b->nodes[node].parent) {
		if (b->nodes[node].level == LEVEL_SEQUENCE)
			place = node_place_name(a, b, node);
		if (b->nodes[node].level == LEVEL_CHAPTER)
			title = node_attribute(a, b, node, "title");
	}
	return !place.at ? title : text_format(a, "%s / %s", text_string(a, title), text_string(a, place));
}

static void look(struct search *s, uint32_t node, struct text in, struct text t)
{
	struct arena *a = s->c->arena;

	if (t.len < 1)
		return;
	struct text folded = loose_text(&s->scratch, t);
	size_t at = text_find(folded, s->query, 0);
	if (at == SIZE_MAX)
		return;
	s->total++;
	if (s->total <= s->args->offset || (int64_t)s->found.n >= s->args->limit)
		return;
	*ARRAY_PUSH(a, &s->found) = (struct match){
		book_id(a, s->book, node),  text_of(level_names[s->book->nodes[node].level]),
		text_copy(a, in),           path_of(a, s->book, node),
		where_is(a, s->book, node), snippet(a, t, loose_source(t, at), s->args->query.len),
	};
}

static bool wanted(const struct search_args *args, enum place place)
{
	for (size_t i = 0; i < args->in.n; i++)
		if (args->in.items[i] == (int)place)
			return true;
	return args->in.n == 0;
}

static void look_at(struct search *s, uint32_t node)
{
	const struct book *b = s->book;
	struct xml_attribute *attributes;

	if (wanted(s->args, PLACE_ATTRIBUTES)) {
		size_t n = node_attributes(&s->scratch, b, node, &attributes);
		for (size_t i = 0; i < n; i++)
			if (!text_is(attributes[i].name, "id"))
				look(s, node, attributes[i].name, attributes[i].value);
	}
	if (wanted(s->args, PLACE_SUMMARY))
		look(s, node, TEXT("summary"), node_summary(&s->scratch, b, node));
	if (wanted(s->args, PLACE_TEXT) && b->nodes[node].level == LEVEL_PARAGRAPH)
		look(s, node, TEXT("text"), node_shown_prose(&s->scratch, b, node));
}

static bool search(struct call *c, const void *in, void *out)
{
	const struct search_args *args = in;
	struct search_answer *answer = out;
	struct search s = {.c = c, .args = args};
	struct opened o;
	struct texts missing = {0};
	uint32_t top = 0;

	if (!(args->broken < 0 ? book_read(c, args->file_path, &o)
			       : book_read_rest(c, args->file_path, &o, &missing)) ||
	    (args->node_id.at && !book_node(c, &o, args->node_id, &top)))
		return false;
	s.book = o.book;
	s.query = loose_text(c->arena, args->query);
	if (!s.query.len)
		return book_refuse(c, details_of(c, o.path), "INVALID_ATTRIBUTE",
				   "query holds nothing but accents; give letters");
	for (uint32_t i = top; i < o.book->nodes[top].after; i++) {
		if (args->kind >= 0 && o.book->nodes[i].level != args->kind)
			continue;
		look_at(&s, i);
		if (i % 64)
			continue;
		arena_free(&s.scratch);
		s.scratch = (struct arena){0};
		if (!goes_on(c))
			return false;
	}
	arena_free(&s.scratch);
	*answer = (struct search_answer){.missing = missing, .total = s.total, .matches = {s.found.items, s.found.n}};
	int64_t next = args->offset + (int64_t)s.found.n;
	if (next < s.total && s.found.n)
		answer->next_offset = (struct maybe_int){next, true};
	return true;
}

const struct tool hnpx_search_tools[] = {
	TOOL("search", "Search a book", "Finds words in the book. Returns node ids and the words around each match.",
	     TOOL_READS, struct search_args, search_in, struct search_answer, search_out, search,
	     .example = "{\"file_path\":\"novel.hnpx\",\"query\":\"shrine\",\"in\":[\"text\"]}"),
	TOOLS_END,
};
