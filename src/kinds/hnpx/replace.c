/* replace.c: replaces exact words in prose or summaries, in one node or in the whole book.
 *
 * Without `all` the words must occur only once, so that a model changes the place it meant. Only paragraphs that
 * contain the words are written, and they keep their layout. */
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tree/sprout.h"

enum { IDS_MAX = 50 };

static const char *const places[] = {"text", "summary", NULL};

struct replace_args {
	struct text file_path, node_id, old, new;
	int in;
	bool all;
};
struct replace_answer {
	int64_t replaced;
	int64_t nodes;
	struct texts ids;
};

static const struct field replace_in[] = {
	FILE_PATH(struct replace_args),
	FIELD(struct replace_args, old, TEXT, FIELD_REQUIRED, "Exact words to replace", .limits = AT_LEAST(1)),
	FIELD(struct replace_args, new, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "New words; \"\" removes them"),
	FIELD(struct replace_args, node_id, TEXT, 0, "Only this node and below"),
	FIELD(struct replace_args, in, CHOICE, FIELD_TERSE, "Prose or summaries", .choices = places,
	      .otherwise = "\"text\""),
	FIELD(struct replace_args, all, FLAG, 0, "Replace every match", .otherwise = "false"),
	FIELDS_END,
};
static const struct field replace_out[] = {
	FIELD(struct replace_answer, replaced, INT, FIELD_REQUIRED, "How many places were changed"),
	FIELD(struct replace_answer, nodes, INT, FIELD_REQUIRED | FIELD_TERSE, "Nodes changed"),
	FIELD(struct replace_answer, ids, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "The first 50 of them"),
	FIELDS_END,
};

static size_t places_in(struct text t, struct text old)
{
	size_t n = 0;

	for (size_t at = 0; (at = text_find(t, old, at)) != SIZE_MAX; at += old.len)
		n++;
	return n;
}

static struct text replaced(struct arena *a, struct text t, struct text old, struct text new)
{
	struct buffer out = {.arena = a};
	size_t from = 0;

	for (size_t at; (at = text_find(t, old, from)) != SIZE_MAX; from = at + old.len) {
		buffer_add(&out, text_slice(t, from, at));
		buffer_add(&out, new);
	}
	buffer_add(&out, text_slice(t, from, t.len));
	return buffer_text(&out);
}

/* If the bytes are exactly the words, only those bytes are replaced. */
static void plan_plain(struct edits *p, const struct prose *prose, const struct replace_args *args)
{
	struct buffer escaped = {.arena = p->arena};

	sprout_words(&escaped, p->book, args->new);
	for (size_t at = 0; (at = text_find(prose->text, args->old, at)) != SIZE_MAX; at += args->old.len) {
		uint32_t from = prose->from + (uint32_t)at;
		edits_replace(p, from, from + (uint32_t)args->old.len, buffer_text(&escaped));
	}
}

static bool replace_in_node(struct call *c, const struct opened *o, struct edits *plan, uint32_t node,
			    const struct replace_args *args)
{
	const struct book *b = o->book;
	const char *code = args->in ? "EMPTY_SUMMARY" : "MISSING_ATTRIBUTE";
	struct prose prose = {.text = node_summary(c->arena, b, node)};

	if (!args->in)
		prose = node_prose(c->arena, b, node);
	struct text after = replaced(c->arena, prose.text, args->old, args->new);
	if (text_is_blank(after)) {
		struct json *details = details_hint(c, o->path, "remove_node removes a paragraph");
		json_set_text(c->arena, details, "node_id", book_id(c->arena, b, node));
		return book_refuse(c, details, code, "Nothing would be left of %s", book_id(c->arena, b, node).at);
	}
	if (args->in)
		edits_summary(plan, node, after);
	else if (prose.is_plain && prose.from < prose.to)
		plan_plain(plan, &prose, args);
	else if (prose.is_framed)
		edits_prose(plan, node, after);
	else
		edits_prose_kept(plan, node, after);
	return true;
}

static bool refuse_count(struct call *c, const struct opened *o, const struct replace_args *args, struct texts ids,
			 size_t n)
{
	struct json *details = details_of(c, o->path), *list = json_new_array(c->arena);

	for (size_t i = 0; i < ids.n && i < 20; i++)
		json_push(c->arena, list, json_new_text(c->arena, ids.items[i]));
	json_set_int(c->arena, details, "found", (int64_t)n);
	json_set(c->arena, details, "node_ids", list);
	details_advise(c, details,
		       n ? "give more of the words around it, or node_id, or all"
			 : "copy the words from get_node; `search` finds them without regard to case");
	if (!n)
		return book_refuse(c, details, "VALIDATION_FAILED", "\"%s\" does not occur there", shown(c, args->old));
	return book_refuse(c, details, "VALIDATION_FAILED", "\"%s\" occurs in %zu places, not in one",
			   shown(c, args->old), n);
}

static bool replace_text(struct call *c, const void *in, void *out)
{
	const struct replace_args *args = in;
	struct replace_answer *answer = out;
	struct opened o;
	uint32_t top = 0;
	size_t n = 0;

	if (!book_change(c, args->file_path, &o) || (args->node_id.at && !book_node(c, &o, args->node_id, &top)) ||
	    !writable_words(c, args->file_path, "new", args->new))
		return false;
	const struct book *b = o.book;
	struct edits plan = {.arena = c->arena, .book = b};
	ARRAY(struct text) ids = {0};
	ARRAY(uint32_t) nodes = {0};
	for (uint32_t i = top; i < b->nodes[top].after; i++) {
		if (!args->in && b->nodes[i].level != LEVEL_PARAGRAPH)
			continue;
		struct text t = args->in ? node_summary(c->arena, b, i) : node_prose(c->arena, b, i).text;
		size_t here = t.len ? places_in(t, args->old) : 0;
		if (!here)
			continue;
		n += here;
		*ARRAY_PUSH(c->arena, &ids) = book_id(c->arena, b, i);
		*ARRAY_PUSH(c->arena, &nodes) = i;
		if (!(i % 256) && !goes_on(c))
			return false;
	}
	struct texts found = {ids.items, ids.n};
	if (n == 0 || (n > 1 && !args->all))
		return refuse_count(c, &o, args, found, n);
	for (size_t i = 0; i < nodes.n; i++)
		if (!replace_in_node(c, &o, &plan, nodes.items[i], args))
			return false;
	*answer = (struct replace_answer){(int64_t)n, (int64_t)ids.n, {ids.items, ids.n < IDS_MAX ? ids.n : IDS_MAX}};
	return book_commit(c, &o, &plan, "replace_text: %zu places", n);
}

const struct tool hnpx_replace_tools[] = {
	TOOL("replace_text", "Replace words",
	     "Replaces exact words in the prose (or the summaries). They must occur once, unless all is true.",
	     TOOL_WRITES | TOOL_DELETES, struct replace_args, replace_in, struct replace_answer, replace_out,
	     replace_text,
	     .example = "{\"file_path\":\"novel.hnpx\",\"old\":\"grey cloak\",\"new\":\"green "
			"cloak\",\"all\":true,\"dry_run\":true}"),
	TOOLS_END,
};
