/* replace.c: replaces exact words in prose or summaries, in one node or in the whole book.
 *
 * Without `all` the words must occur only once, so that a model changes the place it meant. Only paragraphs that
 * contain the words are written, and they keep their layout. */
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/story/rename.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tree/sprout.h"

enum { IDS_MAX = 50 };

static const char *const places[] = {"text", "summary", NULL};

struct replace_args {
	struct text file_path, node_id, old, new;
	int in;
	bool all, name, titles;
};
struct replace_answer {
	struct maybe_int replaced, nodes;
	struct texts ids;
	struct maybe_int attributes, prose, summaries, titles, bible;
	struct objects staying, samples;
};

static const struct field replace_in[] = {
	FILE_PATH(struct replace_args),
	FIELD(struct replace_args, old, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Exact words to replace",
	      .limits = AT_LEAST(1)),
	FIELD(struct replace_args, new, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "\"\" removes them"),
	FIELD(struct replace_args, node_id, TEXT, 0, "Only below it"),
	FIELD(struct replace_args, in, CHOICE, FIELD_TERSE, "Prose or summaries", .choices = places,
	      .otherwise = "\"text\""),
	FIELD(struct replace_args, all, FLAG, FIELD_TERSE, "Replace every match", .otherwise = "false"),
	FIELD(struct replace_args, name, FLAG, 0,
	      "Rename a person everywhere, in char, pov, prose, summaries and bible; try dry_run",
	      .otherwise = "false"),
	FIELD(struct replace_args, titles, FLAG, FIELD_UNLISTED, "With name: in chapter titles too",
	      .otherwise = "false"),
	FIELDS_END,
};
static const struct field replace_out[] = {
	FIELD(struct replace_answer, replaced, MAYBE_INT, 0, "How many places were changed"),
	FIELD(struct replace_answer, nodes, MAYBE_INT, FIELD_TERSE, "Nodes changed"),
	FIELD(struct replace_answer, ids, TEXTS, FIELD_TERSE, "The first 50 of them"),
	FIELD(struct replace_answer, attributes, MAYBE_INT, 0, "name: attributes char and pov changed"),
	FIELD(struct replace_answer, prose, MAYBE_INT, 0, "name: places in prose"),
	FIELD(struct replace_answer, summaries, MAYBE_INT, 0, "name: places in summaries"),
	FIELD(struct replace_answer, titles, MAYBE_INT, 0, "name: places in titles"),
	FIELD(struct replace_answer, bible, MAYBE_INT, 0, "name: places in the story bible"),
	FIELD(struct replace_answer, staying, OBJECTS, 0, "name: other names of this person, which stay, and how often",
	      .shape = &staying_shape),
	FIELD(struct replace_answer, samples, OBJECTS, 0, "name: some places, from all over the book",
	      .shape = &sample_shape),
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
			 : "copy the words from get_subtree; `search` finds them without regard to case");
	if (!n)
		return book_refuse(c, details, "VALIDATION_FAILED", "\"%s\" does not occur there", shown(c, args->old));
	return book_refuse(c, details, "VALIDATION_FAILED", "\"%s\" occurs in %zu places, not in one",
			   shown(c, args->old), n);
}

static bool rename_person(struct call *c, const struct replace_args *args, struct replace_answer *answer)
{
	const struct renamed_name name = {args->file_path, args->old, args->new, args->titles};
	struct rename_counts n = {0};

	if (args->node_id.at || args->in || args->all)
		return book_refuse(c, details_of(c, args->file_path), "INVALID_ATTRIBUTE",
				   "name renames in the whole book; leave out node_id, in and all");
	if (!book_rename(c, &name, &n))
		return false;
	answer->attributes = (struct maybe_int){n.attributes, true};
	answer->prose = (struct maybe_int){n.prose, true};
	answer->summaries = (struct maybe_int){n.summaries, true};
	answer->titles = (struct maybe_int){n.titles, true};
	answer->bible = (struct maybe_int){n.bible, true};
	answer->staying = n.staying;
	answer->samples = n.samples;
	return true;
}

static bool replace_text(struct call *c, const void *in, void *out)
{
	const struct replace_args *args = in;
	struct replace_answer *answer = out;
	struct opened o;
	uint32_t top = 0;
	size_t n = 0;

	if (args->name)
		return rename_person(c, args, answer);
	if (args->titles)
		return book_refuse(c, details_of(c, args->file_path), "INVALID_ATTRIBUTE",
				   "titles belongs to name; edit_node_attributes changes a title");
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
	*answer = (struct replace_answer){.replaced = {(int64_t)n, true},
					  .nodes = {(int64_t)ids.n, true},
					  .ids = {ids.items, ids.n < IDS_MAX ? ids.n : IDS_MAX}};
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
