#include "kinds/hnpx/story/split.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "kinds/hnpx/bible/beside.h"
#include "kinds/hnpx/prose/names.h"
#include "kinds/hnpx/prose/loose.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tree/sprout.h"

struct split_args {
	struct text file_path, node_id, at, summary;
};

enum { FACTS_NAMED = 5 }; /* in warnings */

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

static bool split_paragraph(struct call *c, const struct split_args *args, const struct opened *o,
			    struct beside *beside, uint32_t node, struct text *new_id)
{
	const struct book *b = o->book;
	struct text prose = node_shown_prose(c->arena, b, node);
	size_t at = text_find(prose, args->at, 0);
	if (at == SIZE_MAX)
		return book_refuse(c, details_for(c, o, node, "copy the words from get_subtree"), "VALIDATION_FAILED",
				   "\"%s\" is not in the paragraph", shown(c, args->at));
	if (text_find(prose, args->at, at + 1) != SIZE_MAX)
		return book_refuse(c, details_for(c, o, node, "give more of the words that follow"),
				   "VALIDATION_FAILED", "\"%s\" occurs in the paragraph more than once",
				   shown(c, args->at));
	struct text first = text_trim(text_slice(prose, 0, at)), second = text_trim(text_slice(prose, at, prose.len));
	if (!first.len || !second.len)
		return book_refuse(c, details_for(c, o, node, "give words further on"), "VALIDATION_FAILED",
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
	*new_id = id_text(c->arena, s.id);
	struct bible_edits bible = {.arena = c->arena, .bible = beside->bible};
	struct text id = book_id(c->arena, b, node);
	split_evidence(c, &bible, b, node, (struct text[]){id, *new_id}, (struct text[]){first, second});
	return book_commit_beside(c, o, &plan, beside, &bible, "split paragraph %s: %s is new", id.at, new_id->at);
}

/* Inserts the beat's end tag and a new start tag between two paragraphs. Nothing else changes. */
static bool split_beat(struct call *c, const struct split_args *args, const struct opened *o, uint32_t node,
		       struct text *new_id)
{
	uint32_t first;

	if (!book_node(c, o, args->at, &first))
		return false;
	const struct book *b = o->book;
	if (b->nodes[first].parent != node)
		return book_refuse(c, details_for(c, o, node, "get_subtree shows the paragraphs of the beat"),
				   "VALIDATION_FAILED", "%s is not a paragraph of this beat", shown(c, args->at));
	if (first == node + 1)
		return book_refuse(c,
				   details_for(c, o, node, "name a later paragraph; create_nodes makes an empty beat"),
				   "VALIDATION_FAILED", "%s is the first paragraph: nothing would be left before it",
				   shown(c, args->at));
	if (b->nodes[node].summary > b->nodes[node + 1].from)
		return book_refuse(c, details_for(c, o, node, "reorder_children moves the paragraphs into a new beat"),
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
	*new_id = id_text(c->arena, id);
	return book_commit(c, o, &plan, "split %s: %s is new", book_named_node(c, b, node), new_id->at);
}

bool book_split(struct call *c, struct text path, struct text node_id, struct text at, struct text summary,
		struct text *new_id)
{
	const struct split_args args = {path, node_id, at, summary};
	struct opened o;
	struct beside beside;
	uint32_t node;

	if (!book_change_beside(c, path, &o, &beside) || !book_node(c, &o, node_id, &node) ||
	    !writable_words(c, path, "summary", summary))
		return false;
	int level = o.book->nodes[node].level;
	if (level != LEVEL_PARAGRAPH && level != LEVEL_BEAT)
		return book_refuse(c, details_for(c, &o, node, "get_subtree shows the ids below a node"),
				   "INVALID_HIERARCHY", "%s is a %s; only beats and paragraphs are split",
				   shown(c, node_id), level_names[level]);
	if (text_is_blank(summary))
		return book_refuse(c, details_for(c, &o, node, "say in one sentence what the second part does"),
				   "EMPTY_SUMMARY", "The summary of the second part is blank");
	return level == LEVEL_BEAT ? split_beat(c, &args, &o, node, new_id)
				   : split_paragraph(c, &args, &o, &beside, node, new_id);
}

static bool check_neighbours(struct call *c, const struct opened *o, struct texts ids, uint32_t *nodes)
{
	const struct book *b = o->book;

	for (size_t i = 0; i < ids.n; i++) {
		if (!book_node(c, o, ids.items[i], &nodes[i]))
			return false;
		const struct node *n = &b->nodes[nodes[i]];
		if (n->level < LEVEL_BEAT)
			return book_refuse(c,
					   details_for(c, o, nodes[i],
						       "reorder_children moves what a node holds, remove_node "
						       "removes it once it is empty"),
					   "INVALID_HIERARCHY", "%s is a %s; only beats and paragraphs are merged",
					   shown(c, ids.items[i]), level_names[n->level]);
		if (i && (nodes[i] != b->nodes[nodes[i - 1]].after || n->level != b->nodes[nodes[0]].level ||
			  n->parent != b->nodes[nodes[0]].parent))
			return book_refuse(c,
					   details_for(c, o, nodes[i],
						       "reorder_children with position puts nodes side by side; "
						       "get_subtree shows their order"),
					   "VALIDATION_FAILED", "%s does not follow %s under the same parent",
					   shown(c, ids.items[i]), shown(c, ids.items[i - 1]));
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

bool book_merge(struct call *c, struct text path, struct text parent_id, struct texts node_ids, struct merged *out)
{
	struct opened o;
	size_t n = node_ids.n;
	uint32_t *nodes = arena_array(c->arena, n + 1, sizeof *nodes), parent;
	struct beside beside;

	if (!book_change_beside(c, path, &o, &beside) || !book_node(c, &o, parent_id, &parent))
		return false;
	if (n < 2)
		return book_refuse(c, details_of(c, path), "INVALID_ATTRIBUTE",
				   "child_ids must name at least two neighbours to merge");
	if (!check_neighbours(c, &o, node_ids, nodes))
		return false;
	const struct book *b = o.book;
	if (b->nodes[nodes[0]].parent != parent)
		return book_refuse(
			c, details_for(c, &o, nodes[0], "get_subtree with depth 1 shows the children of a node"),
			"VALIDATION_FAILED", "%s is not a child of %s", shown(c, node_ids.items[0]),
			shown(c, parent_id));
	struct edits plan = {.arena = c->arena, .book = b, .needs_parsing = true};
	struct bible_edits bible = {.arena = c->arena, .bible = beside.bible};
	join_summaries(&plan, nodes, n);
	if (b->nodes[nodes[0]].level == LEVEL_BEAT)
		merge_beats(&plan, nodes, n);
	else if (!merge_paragraphs(c, &o, &plan, &bible, nodes, n))
		return false;
	struct buffer summary = {.arena = c->arena};
	for (size_t i = 0; i < n; i++) {
		struct text t = text_trim(node_summary(c->arena, b, nodes[i]));
		buffer_put(&summary, summary.len && t.len ? " " : "");
		buffer_add(&summary, t);
	}
	*out = (struct merged){.parent_id = book_id(c->arena, b, parent),
			       .id = book_id(c->arena, b, nodes[0]),
			       .summary = summary.len ? buffer_text(&summary) : (struct text){0},
			       .removed = {node_ids.items + 1, n - 1}};
	return book_commit_beside(c, &o, &plan, &beside, &bible, "merge: %zu into %s", n,
				  book_named_node(c, b, nodes[0]));
}
