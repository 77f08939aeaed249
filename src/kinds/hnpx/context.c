/* context.c: all that one needs to know before writing at a place, in one call. */
#include "base/utf8.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/render.h"

struct step {
	struct text id, type, title, location, time, pov, summary;
};

static const struct field step_fields[] = {
	FIELD(struct step, id, TEXT, FIELD_REQUIRED, "Id"),
	FIELD(struct step, type, TEXT, FIELD_REQUIRED, "Level"),
	FIELD(struct step, title, TEXT, 0, "Chapter: title"),
	FIELD(struct step, location, TEXT, 0, "Sequence: where"),
	FIELD(struct step, time, TEXT, 0, "Sequence: when"),
	FIELD(struct step, pov, TEXT, 0, "Chapter or sequence: its own point of view"),
	FIELD(struct step, summary, TEXT, 0, "What belongs in it"),
	FIELDS_END,
};
static const struct shape step_shape = SHAPE(struct step, "step", step_fields);

static struct step step_of(struct arena *a, const struct book *b, uint32_t node)
{
	struct step s = {.id = book_id(a, b, node), .type = text_of(level_names[b->nodes[node].level])};

	s.summary = node_summary(a, b, node);
	if (b->nodes[node].level == LEVEL_CHAPTER)
		s.title = node_attribute(a, b, node, "title");
	if (b->nodes[node].level == LEVEL_SEQUENCE) {
		s.location = node_place_name(a, b, node);
		s.time = node_attribute(a, b, node, "time");
	}
	if (b->nodes[node].level == LEVEL_CHAPTER || b->nodes[node].level == LEVEL_SEQUENCE)
		s.pov = node_attribute(a, b, node, "pov");
	return s;
}

/* The nodes above one, from the book down. */
static struct objects steps_above(struct arena *a, const struct book *b, uint32_t node)
{
	struct step *steps = arena_array(a, LEVELS, sizeof *steps);
	size_t n = b->nodes[node].level;

	for (size_t i = n; i-- > 0;) {
		node = b->nodes[node].parent;
		steps[i] = step_of(a, b, node);
	}
	return (struct objects){steps, n};
}

static uint32_t sibling_before(const struct book *b, uint32_t node)
{
	uint32_t found = BOOK_NONE;

	if (node == 0)
		return BOOK_NONE;
	for (uint32_t i = b->nodes[node].parent + 1; i != node; i = b->nodes[i].after)
		found = i;
	return found;
}

static uint32_t sibling_behind(const struct book *b, uint32_t node)
{
	uint32_t parent = b->nodes[node].parent, next = b->nodes[node].after;

	return parent != BOOK_NONE && next < b->nodes[parent].after ? next : BOOK_NONE;
}

static struct text id_or_none(struct arena *a, const struct book *b, uint32_t node)
{
	return node == BOOK_NONE ? (struct text){0} : book_id(a, b, node);
}

/* A thought without a name is the point of view's. */
static struct text speaker_of(struct arena *a, const struct book *b, uint32_t node)
{
	struct text name = {0};

	if (b->nodes[node].level != LEVEL_PARAGRAPH)
		return name;
	name = node_attribute(a, b, node, "char");
	return text_is_blank(name) && node_mode(a, b, node) == MODE_INTERNAL ? node_pov(a, b, node) : name;
}

/* --- get_node_context -------------------------------------------------------------------------------------------- */

struct context_args {
	struct text file_path, node_id;
};
struct context_answer {
	struct text id, type, summary, parent_id;
	int64_t index, siblings, children;
	struct text previous_id, next_id, pov, mode, character;
	struct objects path;
};

static const struct field context_in[] = {
	FILE_PATH(struct context_args),
	NODE_ID(struct context_args, "Node id, or \"book\""),
	FIELDS_END,
};
static const struct field context_out[] = {
	FIELD(struct context_answer, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct context_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct context_answer, summary, TEXT, 0, "Its summary"),
	FIELD(struct context_answer, parent_id, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "Id of the node it stands in"),
	FIELD(struct context_answer, index, INT, FIELD_REQUIRED, "Its place among its siblings, from 0"),
	FIELD(struct context_answer, siblings, INT, FIELD_REQUIRED, "How many children its parent has"),
	FIELD(struct context_answer, children, INT, FIELD_REQUIRED, "How many children it has"),
	FIELD(struct context_answer, previous_id, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "The sibling before it"),
	FIELD(struct context_answer, next_id, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "The sibling behind it"),
	FIELD(struct context_answer, pov, TEXT, 0,
	      "The point of view that holds here: the sequence's, else the chapter's"),
	FIELD(struct context_answer, mode, TEXT, 0, "Paragraph: narration, dialogue or internal"),
	FIELD_AS("char", struct context_answer, character, TEXT, 0, "Paragraph: who speaks, or whose thought it is"),
	FIELD(struct context_answer, path, OBJECTS, FIELD_REQUIRED, "The nodes above it, from the book down",
	      .shape = &step_shape),
	FIELDS_END,
};

static bool get_node_context(struct call *c, const void *in, void *out)
{
	const struct context_args *args = in;
	struct context_answer *answer = out;
	struct opened o;
	uint32_t node;

	if (!book_read(c, args->file_path, &o) || !book_node(c, &o, args->node_id, &node))
		return false;
	const struct book *b = o.book;
	const struct node *n = &b->nodes[node];
	*answer = (struct context_answer){
		.id = book_id(c->arena, b, node),
		.type = text_of(level_names[n->level]),
		.summary = node_summary(c->arena, b, node),
		.parent_id = id_or_none(c->arena, b, n->parent),
		.index = book_place(b, node),
		.siblings = n->parent == BOOK_NONE ? 1 : b->nodes[n->parent].children,
		.children = n->children,
		.previous_id = id_or_none(c->arena, b, sibling_before(b, node)),
		.next_id = id_or_none(c->arena, b, sibling_behind(b, node)),
		.pov = node_pov(c->arena, b, node),
		.character = speaker_of(c->arena, b, node),
		.path = steps_above(c->arena, b, node),
	};
	if (n->level == LEVEL_PARAGRAPH)
		answer->mode = text_of(mode_names[node_mode(c->arena, b, node)]);
	return true;
}

/* --- get_writing_context ----------------------------------------------------------------------------------------- */

struct writing_args {
	struct text file_path, node_id;
	int64_t words, budget;
};
struct seen {
	struct text name, location, id;
};
struct writing_answer {
	struct text id, type, summary, pov, next_call, prose_before;
	struct objects path, siblings, story_so_far, last_seen;
	int64_t left_out;
	const struct step *following, *preceding;
};

static const struct field seen_fields[] = {
	FIELD(struct seen, name, TEXT, FIELD_REQUIRED, "Who"),
	FIELD(struct seen, location, TEXT, FIELD_REQUIRED, "Where"),
	FIELD(struct seen, id, TEXT, FIELD_REQUIRED, "The sequence"),
	FIELDS_END,
};
static const struct shape seen_shape = SHAPE(struct seen, "seen", seen_fields);

static const struct field writing_in[] = {
	FILE_PATH(struct writing_args),
	NODE_ID(struct writing_args, "Node to write"),
	FIELD(struct writing_args, words, INT, 0, "Words of preceding prose to show", .limits = BETWEEN(0, 5000),
	      .otherwise = "300"),
	FIELD(struct writing_args, budget, INT, 0, "Words of the whole answer; the story so far is cut to it",
	      .limits = BETWEEN(100, 20000), .otherwise = "1500"),
	FIELDS_END,
};
static const struct field writing_out[] = {
	FIELD(struct writing_answer, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct writing_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct writing_answer, summary, TEXT, 0, "What belongs in it"),
	FIELD(struct writing_answer, pov, TEXT, 0, "The point of view that holds here"),
	FIELD(struct writing_answer, path, OBJECTS, FIELD_REQUIRED,
	      "The nodes above it, from the book down, with their summaries", .shape = &step_shape),
	FIELD(struct writing_answer, siblings, OBJECTS, FIELD_REQUIRED,
	      "Its neighbours, itself included, in order: up to ten on each side", .shape = &step_shape),
	FIELD(struct writing_answer, preceding, OBJECT, 0, "The node of its level that comes before it in the book",
	      .shape = &step_shape),
	FIELD(struct writing_answer, story_so_far, OBJECTS, FIELD_REQUIRED,
	      "Summaries of what comes before, the nearest in detail, farther ones by chapter", .shape = &step_shape),
	FIELD(struct writing_answer, left_out, INT, FIELD_REQUIRED, "Earlier summaries that the budget left out"),
	FIELD(struct writing_answer, last_seen, OBJECTS, FIELD_REQUIRED, "Who was where last", .shape = &seen_shape),
	FIELD(struct writing_answer, prose_before, TEXT, FIELD_REQUIRED, "The last words of the book before the gap"),
	FIELD(struct writing_answer, following, OBJECT, 0, "What comes behind it: the place to arrive at",
	      .shape = &step_shape),
	FIELD(struct writing_answer, next_call, TEXT, FIELD_REQUIRED, "The tool that fills it"),
	FIELDS_END,
};

/* Drops words at the start until at most so many are left; what a blank parts from those stays: a quotation mark. */
static struct text last_words(struct text t, size_t words)
{
	size_t have = utf8_words(t);

	if (have <= words)
		return t;
	size_t before = utf8_word_at(t, have - words - 1), at = utf8_word_at(t, have - words);
	for (size_t i = at; i > before; i--)
		if (t.at[i - 1] == ' ' || t.at[i - 1] == '\n')
			return text_slice(t, words ? i : t.len, t.len);
	return text_slice(t, words ? at : t.len, t.len);
}

static struct text prose_before(struct arena *a, const struct book *b, uint32_t end, size_t words)
{
	struct buffer out = {.arena = a};
	uint32_t first = end;
	size_t have = 0;

	for (uint32_t i = end; i-- > 0 && have < words;)
		if (b->nodes[i].level == LEVEL_PARAGRAPH) {
			have += utf8_words(node_shown_prose(a, b, i));
			first = i;
		}
	for (uint32_t i = first; i < end; i++) {
		if (b->nodes[i].level != LEVEL_PARAGRAPH)
			continue;
		if (out.len)
			buffer_put(&out, "\n\n");
		render_paragraph(&out, a, b, i, true);
	}
	return last_words(buffer_text(&out), words);
}

/* The next node in the book that does not stand above or inside this one. */
static const struct step *following(struct arena *a, const struct book *b, uint32_t node)
{
	for (; node != BOOK_NONE; node = b->nodes[node].parent) {
		uint32_t next = sibling_behind(b, node);
		if (next == BOOK_NONE)
			continue;
		struct step *s = arena_new(a, struct step);
		*s = step_of(a, b, next);
		return s;
	}
	return NULL;
}

static uint32_t above_at(const struct book *b, uint32_t node, int level)
{
	while (node != BOOK_NONE && b->nodes[node].level > level)
		node = b->nodes[node].parent;
	return node != BOOK_NONE && b->nodes[node].level == level ? node : BOOK_NONE;
}

static const struct step *preceding(struct arena *a, const struct book *b, uint32_t node)
{
	for (uint32_t i = node; i-- > 0;)
		if (b->nodes[i].level == b->nodes[node].level) {
			struct step *s = arena_new(a, struct step);
			*s = step_of(a, b, i);
			return s;
		}
	return NULL;
}

static size_t step_words(const struct step *s)
{
	return 1 + utf8_words(s->title) + utf8_words(s->location) + utf8_words(s->time) + utf8_words(s->pov) +
	       utf8_words(s->summary);
}

/* From the node back to the start: sequences of this chapter and the one before it, beats of the sequence before it,
 * of all others only the chapters. What the answer shows elsewhere, those above the node and its siblings, is passed
 * over. */
static void tell_story(struct arena *a, const struct book *b, uint32_t node, size_t room, struct writing_answer *answer)
{
	uint32_t chapter = above_at(b, node, LEVEL_CHAPTER), before = BOOK_NONE, near = BOOK_NONE;
	ARRAY(struct step) list = {0};

	for (uint32_t i = node; i-- > 0;) {
		const struct node *n = &b->nodes[i];
		if (n->level == LEVEL_PARAGRAPH || i == 0 || n->after > node)
			continue;
		uint32_t its_chapter = above_at(b, i, LEVEL_CHAPTER), its_sequence = above_at(b, i, LEVEL_SEQUENCE);
		if (its_chapter != chapter && before == BOOK_NONE)
			before = its_chapter;
		if (near == BOOK_NONE)
			near = its_sequence;
		bool is_near = n->level == LEVEL_CHAPTER ||
			       (n->level == LEVEL_SEQUENCE && (its_chapter == chapter || its_chapter == before)) ||
			       (n->level == LEVEL_BEAT && its_sequence == near);
		if (!is_near || n->parent == b->nodes[node].parent)
			continue;
		struct step s = step_of(a, b, i);
		size_t words = step_words(&s);
		if (words > room) {
			answer->left_out++;
			room = 0; /* what is farther off must not be told in place of what is nearer */
			continue;
		}
		room -= words;
		*ARRAY_PUSH(a, &list) = s;
	}
	for (size_t i = 0; i < list.n / 2; i++) {
		struct step s = list.items[i];
		list.items[i] = list.items[list.n - 1 - i];
		list.items[list.n - 1 - i] = s;
	}
	answer->story_so_far = (struct objects){list.items, list.n};
}

enum { SEEN_MAX = 20 };

static void see(struct arena *a, const struct book *b, struct text name, uint32_t at, struct seen *list, size_t *n)
{
	uint32_t sequence = above_at(b, at, LEVEL_SEQUENCE);

	name = text_trim(name);
	if (!name.len || sequence == BOOK_NONE || *n == SEEN_MAX)
		return;
	for (size_t i = 0; i < *n; i++)
		if (text_same(list[i].name, name))
			return;
	list[(*n)++] = (struct seen){name, node_place_name(a, b, sequence), book_id(a, b, sequence)};
}

/* Where everybody was last, the one seen last first. */
static struct objects last_seen(struct arena *a, const struct book *b, uint32_t end)
{
	struct seen *list = arena_array(a, SEEN_MAX, sizeof *list);
	size_t n = 0;

	for (uint32_t i = end; i-- > 0 && n < SEEN_MAX;) {
		if (b->nodes[i].level == LEVEL_PARAGRAPH)
			see(a, b, node_attribute(a, b, i, "char"), i, list, &n);
		if (b->nodes[i].level == LEVEL_SEQUENCE && b->nodes[i].after <= end)
			see(a, b, node_pov(a, b, i), i, list, &n);
	}
	return (struct objects){list, n};
}

/* More are not needed to write, and a long book must not fill the answer. */
enum { NEIGHBOURS = 10 };

static bool get_writing_context(struct call *c, const void *in, void *out)
{
	static const char *const calls[LEVELS] = {"create_chapter", "create_sequence", "create_beat",
						  "create_paragraph", "edit_paragraph_text"};
	const struct writing_args *args = in;
	struct writing_answer *answer = out;
	struct opened o;
	uint32_t node;

	if (!book_read(c, args->file_path, &o) || !book_node(c, &o, args->node_id, &node))
		return false;
	const struct book *b = o.book;
	const struct node *n = &b->nodes[node];
	ARRAY(struct step) siblings = {0};
	uint32_t place = book_place(b, node), at = 0;
	for (uint32_t i = n->parent + 1; node && i < b->nodes[n->parent].after; i = b->nodes[i].after, at++)
		if (at + NEIGHBOURS >= place && at <= place + NEIGHBOURS)
			*ARRAY_PUSH(c->arena, &siblings) = step_of(c->arena, b, i);
	uint32_t gap = n->level == LEVEL_PARAGRAPH ? node : n->after;
	*answer = (struct writing_answer){
		.id = book_id(c->arena, b, node),
		.type = text_of(level_names[n->level]),
		.summary = node_summary(c->arena, b, node),
		.pov = node_pov(c->arena, b, node),
		.path = steps_above(c->arena, b, node),
		.siblings = {siblings.items, siblings.n},
		.following = following(c->arena, b, node),
		.prose_before = prose_before(c->arena, b, gap, (size_t)args->words),
		.next_call = text_of(calls[n->level]),
		.preceding = preceding(c->arena, b, node),
		.last_seen = last_seen(c->arena, b, node),
	};
	size_t spent = utf8_words(answer->summary) + utf8_words(answer->prose_before) + 4 * answer->last_seen.n;
	for (size_t i = 0; i < answer->path.n; i++)
		spent += step_words(&((const struct step *)answer->path.items)[i]);
	for (size_t i = 0; i < siblings.n; i++)
		spent += step_words(&siblings.items[i]);
	spent += answer->following ? step_words(answer->following) : 0;
	spent += answer->preceding ? step_words(answer->preceding) : 0;
	size_t budget = (size_t)args->budget;
	tell_story(c->arena, b, node, budget > spent ? budget - spent : 0, answer);
	return true;
}

const struct tool hnpx_context_tools[] = {
	TOOL("get_node_context", "Where a node stands",
	     "Returns where a node stands: parent, index, neighbours, the nodes above it, the point of view, and "
	     "who speaks.",
	     TOOL_READS, struct context_args, context_in, struct context_answer, context_out, get_node_context,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"u1v7w3\"}"),
	TOOL("get_writing_context", "What to know before writing",
	     "Returns what you need before you write a node: the summaries above it, point of view, sibling "
	     "summaries, the story so far, who was where, the prose before it, what follows. Call it before create_*.",
	     TOOL_READS, struct writing_args, writing_in, struct writing_answer, writing_out, get_writing_context,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"u1v7w3\"}"),
	TOOLS_END,
};
