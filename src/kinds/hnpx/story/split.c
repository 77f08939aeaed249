/* split.c: splits and merges paragraphs and beats. Bytes that are not at the cut are unchanged. */
#include "base/digest.h"
#include "base/utf8.h"
#include "kinds/hnpx/bible/beside.h"
#include "kinds/hnpx/story/cast.h"
#include "kinds/hnpx/story/loose.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tree/sprout.h"

struct split_args {
	struct text file_path, node_id, at, summary;
};
struct split_answer {
	struct text id, type, new_id, parent_id;
};

enum { FACTS_NAMED = 5 }; /* in warnings */

static const struct field split_paragraph_in[] = {
	FILE_PATH(struct split_args),
	NODE_ID(struct split_args, "Paragraph id"),
	FIELD(struct split_args, at, TEXT, FIELD_REQUIRED, "Exact words with which the second part begins"),
	FIELD(struct split_args, summary, TEXT, FIELD_REQUIRED, "Summary of the second part"),
	FIELDS_END,
};
static const struct field split_beat_in[] = {
	FILE_PATH(struct split_args),
	NODE_ID(struct split_args, "Beat id"),
	FIELD(struct split_args, at, TEXT, FIELD_REQUIRED, "Id of the paragraph with which the second beat begins"),
	FIELD(struct split_args, summary, TEXT, FIELD_REQUIRED, "Summary of the second beat"),
	FIELDS_END,
};
static const struct field split_out[] = {
	FIELD(struct split_answer, id, TEXT, FIELD_REQUIRED, "Id of the first part: as before"),
	FIELD(struct split_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct split_answer, new_id, TEXT, FIELD_REQUIRED, "Id of the second part"),
	FIELD(struct split_answer, parent_id, TEXT, FIELD_REQUIRED, "Id of the node they are in"),
	FIELDS_END,
};

static uint32_t fresh_id(const struct book *b)
{
	uint32_t id;

	do
		id = random_below(36u * 36 * 36 * 36 * 36 * 36);
	while (book_find(b, id) != BOOK_NONE);
	return id;
}

static struct json *details_for(struct call *c, const struct opened *o, uint32_t node, const char *hint)
{
	struct json *details = details_hint(c, o->path, hint);

	json_set_text(c->arena, details, "node_id", book_id(c->arena, o->book, node));
	return details;
}

/* Opens the book for a change, with its bible if `beside` is given, and finds a node of the level. */
static bool open_level(struct call *c, const struct split_args *args, enum level level, struct opened *o,
		       struct beside *beside, uint32_t *node)
{
	bool is_open = beside ? book_change_beside(c, args->file_path, o, beside) : book_change(c, args->file_path, o);

	if (!is_open || !book_node(c, o, args->node_id, node) ||
	    !writable_words(c, args->file_path, "summary", args->summary))
		return false;
	int actual = o->book->nodes[*node].level;
	if (actual != (int)level)
		return book_refuse(c,
				   details_for(c, o, *node,
					       actual == LEVEL_PARAGRAPH
						       ? "split_paragraph cuts a paragraph"
						       : "get_direct_children lists the ids below a node"),
				   "INVALID_HIERARCHY", "%s is a %s, not a %s", shown(c, args->node_id),
				   level_names[actual], level_names[level]);
	if (text_is_blank(args->summary))
		return book_refuse(c, details_for(c, o, *node, "say in one sentence what the second part does"),
				   "EMPTY_SUMMARY", "The summary of the second part is blank");
	return true;
}

static struct split_answer answer_of(struct call *c, const struct opened *o, uint32_t node, uint32_t id)
{
	const struct book *b = o->book;

	return (struct split_answer){book_id(c->arena, b, node), text_of(level_names[b->nodes[node].level]),
				     id_text(c->arena, id), book_id(c->arena, b, b->nodes[node].parent)};
}

/* Number of bytes of the fact's words that are also in the prose. */
static size_t shared_words(struct arena *a, struct text fact, struct text prose)
{
	size_t sum = 0;

	fact = loose_text(a, fact);
	prose = loose_text(a, prose);
	for (size_t at = 0; at < fact.len;) {
		size_t from = at, end = at;
		while (end < fact.len && utf8_is_word(utf8_next(fact, &at)))
			end = at;
		struct text word = text_slice(fact, from, end);
		if (word.len && name_find(prose, word, 0) != SIZE_MAX)
			sum += word.len;
	}
	return sum;
}

/* Moves the evidence of a fact to the part that has more of the fact's words. Outdated evidence stays as it is. */
static void split_evidence(struct call *c, struct bible_edits *bible, const struct book *b, uint32_t node,
			   const struct text ids[2], const struct text parts[2])
{
	size_t unclear = 0;

	for (uint32_t i = 0; bible->bible && i < bible->bible->facts.n; i++) {
		const struct bible_fact *f = &bible->bible->facts.items[i];
		enum evidence state = bible_evidence(c->arena, f, b);
		if (f->id != b->nodes[node].id || state == EVIDENCE_CHANGED)
			continue;
		size_t first = shared_words(c->arena, f->text, parts[0]),
		       second = shared_words(c->arena, f->text, parts[1]);
		int part = second > first;
		if (first == second && unclear++ < FACTS_NAMED)
			warn(c, "The fact \"%s\" still cites %s; if %s shows it, call edit_bible with add_facts",
			     shown(c, f->text), ids[0].at, ids[1].at);
		bible_put_evidence(bible, i, ids[part],
				   state == EVIDENCE_HOLDS ? bible_check_prose(c->arena, parts[part]) : f->check);
	}
	if (unclear > FACTS_NAMED)
		warn(c, "%zu more facts still cite %s; get_bible lists them", unclear - FACTS_NAMED, ids[0].at);
}

static bool split_paragraph(struct call *c, const void *in, void *out)
{
	const struct split_args *args = in;
	struct opened o;
	struct beside beside;
	uint32_t node;

	if (!open_level(c, args, LEVEL_PARAGRAPH, &o, &beside, &node))
		return false;
	const struct book *b = o.book;
	struct text prose = node_shown_prose(c->arena, b, node);
	size_t at = text_find(prose, args->at, 0);
	if (at == SIZE_MAX)
		return book_refuse(c, details_for(c, &o, node, "copy the words from get_node"), "VALIDATION_FAILED",
				   "\"%s\" is not in the paragraph", shown(c, args->at));
	if (text_find(prose, args->at, at + 1) != SIZE_MAX)
		return book_refuse(c, details_for(c, &o, node, "give more of the words that follow"),
				   "VALIDATION_FAILED", "\"%s\" occurs in the paragraph more than once",
				   shown(c, args->at));
	struct text first = text_trim(text_slice(prose, 0, at)), second = text_trim(text_slice(prose, at, prose.len));
	if (!first.len || !second.len)
		return book_refuse(c, details_for(c, &o, node, "give words further on"), "VALIDATION_FAILED",
				   "Nothing would be left of one of the parts");
	struct sprout s = {.level = LEVEL_PARAGRAPH,
			   .id = fresh_id(b),
			   .mode = node_attribute(c->arena, b, node, "mode"),
			   .character = node_attribute(c->arena, b, node, "char"),
			   .text = second};
	if (book_drops_summaries(b))
		warn(c, "the paragraphs of this file have no summaries, so none was stored");
	else
		s.summary = args->summary;
	struct edits plan = {.arena = c->arena, .book = b};
	edits_prose(&plan, node, first);
	edits_insert(&plan, b->nodes[node].parent, book_place(b, node) + 1, &s, 1);
	struct split_answer *answer = out;
	*answer = answer_of(c, &o, node, s.id);
	struct bible_edits bible = {.arena = c->arena, .bible = beside.bible};
	split_evidence(c, &bible, b, node, (struct text[]){answer->id, answer->new_id}, (struct text[]){first, second});
	return book_commit_beside(c, &o, &plan, &beside, &bible, "split_paragraph: %s and %s", answer->id.at,
				  answer->new_id.at);
}

/* Inserts the beat's end tag and a new start tag between two paragraphs. Nothing else changes. */
static bool split_beat(struct call *c, const void *in, void *out)
{
	const struct split_args *args = in;
	struct opened o;
	uint32_t node, first;

	if (!open_level(c, args, LEVEL_BEAT, &o, NULL, &node) || !book_node(c, &o, args->at, &first))
		return false;
	const struct book *b = o.book;
	if (b->nodes[first].parent != node)
		return book_refuse(c, details_for(c, &o, node, "get_direct_children lists the paragraphs of the beat"),
				   "VALIDATION_FAILED", "%s is not a paragraph of this beat", shown(c, args->at));
	if (first == node + 1)
		return book_refuse(c,
				   details_for(c, &o, node, "name a later paragraph; create_beat makes an empty beat"),
				   "VALIDATION_FAILED", "%s is the first paragraph: nothing would be left before it",
				   shown(c, args->at));
	if (b->nodes[node].summary > b->nodes[node + 1].from)
		return book_refuse(c, details_for(c, &o, node, "move_nodes moves the paragraphs into a new beat"),
				   "VALIDATION_FAILED", "The summary of this beat comes after its paragraphs");
	uint32_t id = fresh_id(b), at = b->nodes[first - 1].to;
	struct buffer cut = {.arena = c->arena};
	sprout_line(&cut, b, LEVEL_BEAT);
	buffer_put(&cut, "</beat>");
	sprout_line(&cut, b, LEVEL_BEAT);
	buffer_format(&cut, "<beat id=\"%s\">", id_text(c->arena, id).at);
	sprout_line(&cut, b, LEVEL_PARAGRAPH);
	buffer_put(&cut, "<summary>");
	sprout_words(&cut, b, args->summary);
	buffer_put(&cut, "</summary>");
	struct edits plan = {.arena = c->arena, .book = b, .needs_parsing = true};
	edits_replace(&plan, at, at, buffer_text(&cut));
	struct split_answer *answer = out;
	*answer = answer_of(c, &o, node, id);
	return book_commit(c, &o, &plan, "split_beat: %s and %s", book_named_node(c, b, node), answer->new_id.at);
}

struct merge_args {
	struct text file_path;
	struct texts node_ids;
};
struct merge_answer {
	struct text id, type, summary;
	struct texts removed;
};

static const struct field merge_in[] = {
	FILE_PATH(struct merge_args),
	FIELD(struct merge_args, node_ids, TEXTS, FIELD_REQUIRED, "Neighbours in their order: paragraphs or beats",
	      .limits = BETWEEN(2, 1000)),
	FIELDS_END,
};
static const struct field merge_out[] = {
	FIELD(struct merge_answer, id, TEXT, FIELD_REQUIRED, "Id of the node that stays: the first"),
	FIELD(struct merge_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct merge_answer, summary, TEXT, 0, "Its summary, joined"),
	FIELD(struct merge_answer, removed, TEXTS, FIELD_REQUIRED, "Ids that are gone"),
	FIELDS_END,
};

static bool check_neighbours(struct call *c, const struct opened *o, const struct merge_args *args, uint32_t *nodes)
{
	const struct book *b = o->book;

	for (size_t i = 0; i < args->node_ids.n; i++) {
		if (!book_node(c, o, args->node_ids.items[i], &nodes[i]))
			return false;
		const struct node *n = &b->nodes[nodes[i]];
		if (n->level < LEVEL_BEAT)
			return book_refuse(c,
					   details_for(c, o, nodes[i],
						       "move_nodes moves what a node holds, remove_node "
						       "removes it once it is empty"),
					   "INVALID_HIERARCHY", "%s is a %s; only beats and paragraphs are merged",
					   shown(c, args->node_ids.items[i]), level_names[n->level]);
		if (i && (nodes[i] != b->nodes[nodes[i - 1]].after || n->level != b->nodes[nodes[0]].level ||
			  n->parent != b->nodes[nodes[0]].parent))
			return book_refuse(c,
					   details_for(c, o, nodes[i],
						       "move_nodes puts nodes side by side; "
						       "get_direct_children shows their order"),
					   "VALIDATION_FAILED", "%s does not follow %s under the same parent",
					   shown(c, args->node_ids.items[i]), shown(c, args->node_ids.items[i - 1]));
	}
	return true;
}

/* Appends the summaries of the others, unchanged, to the first one. */
static void join_summaries(struct edits *p, const uint32_t *nodes, size_t n)
{
	struct text first = node_summary_raw(p->book, nodes[0]);
	struct buffer more = {.arena = p->arena};

	for (size_t i = 1; i < n; i++) {
		struct text raw = text_trim(node_summary_raw(p->book, nodes[i]));
		buffer_put(&more, raw.len ? " " : "");
		buffer_add(&more, raw);
	}
	if (!first.at || !more.len)
		return;
	uint32_t at = (uint32_t)(first.at + text_trim(first).len + (size_t)(text_trim(first).at - first.at) -
				 p->book->bytes.at);
	edits_replace(p, at, at, buffer_text(&more));
}

/* Facts with a merged paragraph as evidence get the remaining paragraph as evidence. */
static bool merge_paragraphs(struct call *c, const struct opened *o, struct edits *p, struct bible_edits *bible,
			     const uint32_t *nodes, size_t n)
{
	const struct book *b = o->book;
	struct buffer prose = {.arena = c->arena};
	struct text character = node_attribute(c->arena, b, nodes[0], "char");

	for (size_t i = 0; i < n; i++) {
		struct text name = node_attribute(c->arena, b, nodes[i], "char"),
			    words = node_shown_prose(c->arena, b, nodes[i]);
		if (node_mode(c->arena, b, nodes[i]) != node_mode(c->arena, b, nodes[0]) || !text_same(name, character))
			return book_refuse(c, details_for(c, o, nodes[i], "edit_node_attributes makes them alike"),
					   "VALIDATION_FAILED", "The paragraphs differ in mode or char");
		buffer_put(&prose, prose.len && words.len ? " " : "");
		buffer_add(&prose, words);
	}
	if (prose.len)
		edits_prose(p, nodes[0], buffer_text(&prose));
	for (size_t i = 0; bible->bible && i < n; i++)
		bible_move_evidence(bible, b, nodes[i], book_id(c->arena, b, nodes[0]), buffer_text(&prose));
	for (size_t i = 1; i < n; i++) {
		const struct node *x = &b->nodes[nodes[i]];
		uint32_t end = x->summary < x->summary_to ? x->summary : x->inner;
		struct buffer comments = {.arena = c->arena};
		buffer_add(&comments, raw_comments(c->arena, text_slice(b->bytes, x->inner, end)));
		if (end == x->summary && x->summary < x->summary_to)
			end = x->summary_to;
		buffer_add(&comments, raw_comments(c->arena, text_slice(b->bytes, end, x->inner_to)));
		edits_replace(p, book_line_start(b, x->from), x->to, buffer_text(&comments));
	}
	return true;
}

/* Removes the tags between the beats, and the later summaries. */
static void merge_beats(struct edits *p, const uint32_t *nodes, size_t n)
{
	const struct book *b = p->book;

	for (size_t i = 1; i < n; i++) {
		const struct node *left = &b->nodes[nodes[i - 1]], *right = &b->nodes[nodes[i]];
		edits_replace(p, book_line_start(b, left->inner_to), left->to, TEXT(""));
		edits_replace(p, book_line_start(b, right->from), right->inner, TEXT(""));
		edits_replace(p, book_line_start(b, right->summary), right->summary_to, TEXT(""));
	}
}

static bool merge_nodes(struct call *c, const void *in, void *out)
{
	const struct merge_args *args = in;
	struct merge_answer *answer = out;
	struct opened o;
	size_t n = args->node_ids.n;
	uint32_t *nodes = arena_array(c->arena, n, sizeof *nodes);

	struct beside beside;
	if (!book_change_beside(c, args->file_path, &o, &beside) || !check_neighbours(c, &o, args, nodes))
		return false;
	struct edits plan = {.arena = c->arena, .book = o.book, .needs_parsing = true};
	struct bible_edits bible = {.arena = c->arena, .bible = beside.bible};
	join_summaries(&plan, nodes, n);
	if (o.book->nodes[nodes[0]].level == LEVEL_BEAT)
		merge_beats(&plan, nodes, n);
	else if (!merge_paragraphs(c, &o, &plan, &bible, nodes, n))
		return false;
	struct buffer summary = {.arena = c->arena};
	for (size_t i = 0; i < n; i++) {
		struct text t = text_trim(node_summary(c->arena, o.book, nodes[i]));
		buffer_put(&summary, summary.len && t.len ? " " : "");
		buffer_add(&summary, t);
	}
	*answer = (struct merge_answer){.id = book_id(c->arena, o.book, nodes[0]),
					.type = text_of(level_names[o.book->nodes[nodes[0]].level]),
					.removed = {args->node_ids.items + 1, n - 1}};
	if (summary.len)
		answer->summary = buffer_text(&summary);
	return book_commit_beside(c, &o, &plan, &beside, &bible, "merge_nodes: %zu into %s", n,
				  book_named_node(c, o.book, nodes[0]));
}

const struct tool hnpx_split_tools[] = {
	TOOL("split_paragraph", "Split a paragraph",
	     "Cuts a paragraph in two. The second part keeps mode and char and gets a new id. Facts of the story bible "
	     "follow their words.",
	     TOOL_WRITES | TOOL_EXTRA, struct split_args, split_paragraph_in, struct split_answer, split_out,
	     split_paragraph,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"z5y2x4\",\"at\":\"her breath\","
			"\"summary\":\"The cold.\"}"),
	TOOL("split_beat", "Split a beat", "Cuts a beat in two before one of its paragraphs.", TOOL_WRITES | TOOL_EXTRA,
	     struct split_args, split_beat_in, struct split_answer, split_out, split_beat,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"u1v7w3\",\"at\":\"m6n8b4\","
			"\"summary\":\"She doubts.\"}"),
	TOOL("merge_nodes", "Merge neighbours",
	     "Joins neighbouring paragraphs (of one mode and char) or beats into the first of them. Summaries are "
	     "joined too, and facts of the story bible follow.",
	     TOOL_WRITES | TOOL_EXTRA, struct merge_args, merge_in, struct merge_answer, merge_out, merge_nodes,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_ids\":[\"z5y2x4\",\"m6n8b4\"]}"),
	TOOLS_END,
};
