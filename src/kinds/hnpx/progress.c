/* progress.c: the progress of a book, and validation of a file. */
#include "base/map.h"
#include "base/utf8.h"
#include "kinds/hnpx/export/pages.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

struct progress_args {
	struct text file_path, node_id;
	int64_t limit;
	struct maybe_int target_words;
};
struct part {
	struct text id, title;
	int64_t words, paragraphs, empty;
};
struct share {
	struct text name;
	int64_t words, paragraphs;
};
struct gap {
	struct text from_id, to_id;
	int64_t beats;
};
struct levels {
	int64_t chapters, sequences, beats, paragraphs;
};
struct empty {
	struct text id, type;
};

struct progress_answer {
	bool complete;
	int64_t words, empty_count, unwritten_count;
	struct text next_unwritten;
	const struct levels *nodes;
	struct objects empty, chapters, povs, characters;
	double dialogue_share;
	const struct gap *longest_gap;
	struct maybe_number target_percent;
};

static const struct field progress_in[] = {
	FILE_PATH(struct progress_args),
	FIELD(struct progress_args, node_id, TEXT, 0, "Only this node and below"),
	FIELD(struct progress_args, limit, INT, 0, "Most empty containers to list", .limits = BETWEEN(0, 1000),
	      .otherwise = "10"),
	FIELD(struct progress_args, target_words, MAYBE_INT, 0, "Planned length in words", .limits = AT_LEAST(1)),
	FIELDS_END,
};
static const struct field levels_fields[] = {
	FIELD(struct levels, chapters, INT, FIELD_REQUIRED, "Chapters"),
	FIELD(struct levels, sequences, INT, FIELD_REQUIRED, "Sequences"),
	FIELD(struct levels, beats, INT, FIELD_REQUIRED, "Beats"),
	FIELD(struct levels, paragraphs, INT, FIELD_REQUIRED, "Paragraphs"),
	FIELDS_END,
};
static const struct field empty_fields[] = {
	FIELD(struct empty, id, TEXT, FIELD_REQUIRED, "Id"),
	FIELD(struct empty, type, TEXT, FIELD_REQUIRED, "Level"),
	FIELDS_END,
};
static const struct field part_fields[] = {
	FIELD(struct part, id, TEXT, FIELD_REQUIRED, "Id of the chapter"),
	FIELD(struct part, title, TEXT, FIELD_REQUIRED, "Its title"),
	FIELD(struct part, words, INT, FIELD_REQUIRED, "Words of prose"),
	FIELD(struct part, paragraphs, INT, FIELD_REQUIRED, "Paragraphs"),
	FIELD(struct part, empty, INT, FIELD_REQUIRED, "Containers without children, itself included"),
	FIELDS_END,
};
static const struct field share_fields[] = {
	FIELD(struct share, name, TEXT, FIELD_REQUIRED, "As written in the file"),
	FIELD(struct share, words, INT, FIELD_REQUIRED, "Words of prose"),
	FIELD(struct share, paragraphs, INT, FIELD_REQUIRED, "Paragraphs"),
	FIELDS_END,
};
static const struct field gap_fields[] = {
	FIELD(struct gap, from_id, TEXT, FIELD_REQUIRED, "First beat without prose"),
	FIELD(struct gap, to_id, TEXT, FIELD_REQUIRED, "Last one in a row"),
	FIELD(struct gap, beats, INT, FIELD_REQUIRED, "How many in a row"),
	FIELDS_END,
};
static const struct shape levels_shape = SHAPE(struct levels, "levels", levels_fields);
static const struct shape empty_shape = SHAPE(struct empty, "empty", empty_fields);
static const struct shape part_shape = SHAPE(struct part, "part", part_fields);
static const struct shape share_shape = SHAPE(struct share, "share", share_fields);
static const struct shape gap_shape = SHAPE(struct gap, "gap", gap_fields);
static const struct field progress_out[] = {
	FIELD(struct progress_answer, complete, FLAG, FIELD_REQUIRED,
	      "No container is empty and every paragraph has prose"),
	FIELD(struct progress_answer, words, INT, FIELD_REQUIRED, "Words of prose"),
	FIELD(struct progress_answer, nodes, OBJECT, FIELD_REQUIRED, "Nodes of each level", .shape = &levels_shape),
	FIELD(struct progress_answer, empty_count, INT, FIELD_REQUIRED, "Containers without children"),
	FIELD(struct progress_answer, empty, OBJECTS, FIELD_REQUIRED, "The first of them, level by level",
	      .shape = &empty_shape),
	FIELD(struct progress_answer, unwritten_count, INT, FIELD_REQUIRED, "Paragraphs without prose"),
	FIELD(struct progress_answer, next_unwritten, TEXT, 0, "Id of the first of them"),
	FIELD(struct progress_answer, chapters, OBJECTS, FIELD_REQUIRED, "Chapter by chapter", .shape = &part_shape),
	FIELD(struct progress_answer, povs, OBJECTS, FIELD_REQUIRED, "By point of view", .shape = &share_shape),
	FIELD(struct progress_answer, characters, OBJECTS, FIELD_REQUIRED, "By who speaks or thinks",
	      .shape = &share_shape),
	FIELD(struct progress_answer, dialogue_share, NUMBER, FIELD_REQUIRED, "Words of dialogue in all words, 0 to 1"),
	FIELD(struct progress_answer, longest_gap, OBJECT, 0, "The longest row of beats without prose",
	      .shape = &gap_shape),
	FIELD(struct progress_answer, target_percent, MAYBE_NUMBER, 0, "Words as percent of target_words"),
	FIELDS_END,
};

struct shares {
	struct map places;
	ARRAY(struct share) list;
};

static void share_add(struct arena *a, struct shares *s, struct text name, size_t words)
{
	if (text_is_blank(name))
		return;
	bool was;
	uint32_t at = *map_at(&s->places, name, (uint32_t)s->list.n, &was);
	if (!was)
		ARRAY_PUSH(a, &s->list)->name = name;
	s->list.items[at].words += (int64_t)words;
	s->list.items[at].paragraphs++;
}

struct tally {
	struct arena *arena;
	const struct book *book;
	struct progress_answer *answer;
	struct levels *nodes;
	ARRAY(struct part) parts;
	struct shares povs, characters;
	size_t dialogue;
	struct text pov;       /* of the current sequence */
	struct gap gap, worst; /* the current row of empty beats, and the longest one */
};

static void tally_paragraph(struct tally *t, uint32_t node)
{
	struct arena *a = t->arena;
	size_t words = utf8_words(node_shown_prose(a, t->book, node));
	int mode = node_mode(a, t->book, node);
	if (!paragraph_is_written(t->book, node) && !t->answer->unwritten_count++)
		t->answer->next_unwritten = book_id(a, t->book, node);
	struct text character = node_attribute(a, t->book, node, "char");

	if (mode == MODE_INTERNAL && text_is_blank(character))
		character = t->pov;
	t->answer->words += (int64_t)words;
	t->dialogue += mode == MODE_DIALOGUE ? words : 0;
	share_add(a, &t->povs, t->pov, words);
	share_add(a, &t->characters, character, words);
	if (t->parts.n) {
		t->parts.items[t->parts.n - 1].words += (int64_t)words;
		t->parts.items[t->parts.n - 1].paragraphs++;
	}
}

static void tally_beat(struct tally *t, uint32_t node)
{
	if (t->book->nodes[node].children) {
		t->gap.beats = 0;
		return;
	}
	if (!t->gap.beats++)
		t->gap.from_id = book_id(t->arena, t->book, node);
	t->gap.to_id = book_id(t->arena, t->book, node);
	if (t->gap.beats > t->worst.beats)
		t->worst = t->gap;
}

static void tally_node(struct tally *t, uint32_t node)
{
	const struct node *n = &t->book->nodes[node];
	int64_t *counts[LEVELS] = {NULL, &t->nodes->chapters, &t->nodes->sequences, &t->nodes->beats,
				   &t->nodes->paragraphs};

	if (counts[n->level])
		++*counts[n->level];
	if (n->level == LEVEL_CHAPTER)
		*ARRAY_PUSH(t->arena, &t->parts) =
			(struct part){.id = book_id(t->arena, t->book, node),
				      .title = node_attribute(t->arena, t->book, node, "title")};
	if (n->level == LEVEL_CHAPTER || n->level == LEVEL_SEQUENCE)
		t->pov = node_pov(t->arena, t->book, node);
	if (n->level == LEVEL_BEAT)
		tally_beat(t, node);
	if (n->level == LEVEL_PARAGRAPH)
		tally_paragraph(t, node);
	if (n->level < LEVEL_PARAGRAPH && !n->children) {
		t->answer->empty_count++;
		if (t->parts.n)
			t->parts.items[t->parts.n - 1].empty++;
	}
}

static struct objects list_empty(struct arena *a, const struct book *b, uint32_t top, size_t most)
{
	ARRAY(struct empty) list = {0};

	for (int level = 0; level < LEVEL_PARAGRAPH; level++)
		for (uint32_t i = top; i < b->nodes[top].after && list.n < most; i++)
			if (b->nodes[i].level == level && !b->nodes[i].children)
				*ARRAY_PUSH(a, &list) = (struct empty){book_id(a, b, i), text_of(level_names[level])};
	return (struct objects){list.items, list.n};
}

/* More than ten thousand tokens do not help. A longer list says what it leaves out. */
enum { CHAPTERS_LISTED = 200, NAMES_LISTED = 50 };

static struct objects first_of(struct call *c, void *items, size_t n, size_t most, const char *what,
			       const char *instead)
{
	if (n > most)
		warn(c, "only the first %zu of %zu %s are listed; %s", most, n, what, instead);
	return (struct objects){items, n < most ? n : most};
}

static bool get_progress(struct call *c, const void *in, void *out)
{
	const struct progress_args *args = in;
	struct progress_answer *answer = out;
	struct opened o;
	uint32_t top = 0;

	if (!book_read(c, args->file_path, &o) || (args->node_id.at && !book_node(c, &o, args->node_id, &top)))
		return false;
	struct tally t = {
		.arena = c->arena, .book = o.book, .answer = answer, .nodes = arena_new(c->arena, struct levels)};
	t.povs.places.arena = t.characters.places.arena = c->arena;
	t.pov = node_pov(c->arena, o.book, top);
	for (uint32_t i = top; i < o.book->nodes[top].after; i++) {
		tally_node(&t, i);
		if (!(i % 256) && !goes_on(c))
			return false;
	}
	answer->complete = answer->empty_count == 0 && answer->unwritten_count == 0;
	answer->nodes = t.nodes;
	answer->empty = list_empty(c->arena, o.book, top, (size_t)args->limit);
	answer->chapters =
		first_of(c, t.parts.items, t.parts.n, CHAPTERS_LISTED, "chapters", "node_id counts one chapter alone");
	answer->povs = first_of(c, t.povs.list.items, t.povs.list.n, NAMES_LISTED, "points of view",
				"node_id counts one chapter's");
	answer->characters = first_of(c, t.characters.list.items, t.characters.list.n, NAMES_LISTED, "characters",
				      "node_id counts one chapter's");
	/* Three digits are enough. */
	int64_t thousandths = answer->words ? (int64_t)t.dialogue * 1000 / answer->words : 0;
	answer->dialogue_share = (double)thousandths / 1000;
	if (t.worst.beats)
		answer->longest_gap = arena_copy(c->arena, &t.worst, sizeof t.worst);
	if (args->target_words.there) {
		int64_t tenths = answer->words * 1000 / args->target_words.value;
		answer->target_percent = (struct maybe_number){(double)tenths / 10, true};
	}
	return true;
}

struct validate_args {
	struct text file_path;
	int64_t limit, offset;
};
struct fault_found {
	int64_t line;
	struct text id, problem;
};
struct validate_answer {
	bool valid;
	struct text code, message;
	int64_t problem_count;
	struct objects problems;
	struct maybe_int next_offset;
};

static const struct field validate_in[] = {
	FILE_PATH(struct validate_args),
	FIELD(struct validate_args, limit, INT, 0, "Most problems to list", .limits = BETWEEN(1, 1000),
	      .otherwise = "400"),
	FIELD(struct validate_args, offset, INT, 0, "Problems to skip", .limits = AT_LEAST(0), .otherwise = "0"),
	FIELDS_END,
};
static const struct field found_fields[] = {
	FIELD(struct fault_found, line, INT, FIELD_REQUIRED, "Line in the file, from 1"),
	FIELD(struct fault_found, id, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "Node it is about, where it has an id"),
	FIELD(struct fault_found, problem, TEXT, FIELD_REQUIRED, "What is wrong"),
	FIELDS_END,
};
static const struct shape found_shape = SHAPE(struct fault_found, "problem", found_fields);
static const struct field validate_out[] = {
	FIELD(struct validate_answer, valid, FLAG, FIELD_REQUIRED, "The file is HNPX and every tool works on it"),
	FIELD(struct validate_answer, code, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "INVALID_XML or NOT_HNPX"),
	FIELD(struct validate_answer, message, TEXT, FIELD_REQUIRED, "In one sentence"),
	FIELD(struct validate_answer, problem_count, INT, FIELD_REQUIRED, "How many problems there are"),
	FIELD(struct validate_answer, problems, OBJECTS, FIELD_REQUIRED, "In order of lines", .shape = &found_shape),
	FIELD(struct validate_answer, next_offset, MAYBE_INT, 0, "There are more: call again with this offset"),
	FIELDS_END,
};

static bool validate_document(struct call *c, const void *in, void *out)
{
	const struct validate_args *args = in;
	struct validate_answer *answer = out;
	struct document *d;
	struct problems problems = {0};
	struct error error = {0};
	ARRAY(struct fault_found) list = {0};

	if (!document_open(c, args->file_path, &d))
		return book_refused(c, args->file_path, NULL);
	const struct book *b = book_parse(c->arena, document_bytes(d), &problems, &error);
	if (b) {
		answer->valid = true;
		answer->message =
			text_format(c->arena, "Valid HNPX: %u chapters, %u sequences, %u beats, %u paragraphs",
				    b->count[LEVEL_CHAPTER], b->count[LEVEL_SEQUENCE], b->count[LEVEL_BEAT],
				    b->count[LEVEL_PARAGRAPH]);
		return true;
	}
	answer->code = text_of(error.code);
	answer->message = text_of(error.message);
	if (!problems.list.n)
		*ARRAY_PUSH(c->arena, &list) = (struct fault_found){error.line, {0}, text_of(error.message)};
	size_t i = args->offset < (int64_t)problems.list.n ? (size_t)args->offset : problems.list.n;
	for (; i < problems.list.n && (int64_t)list.n < args->limit; i++) {
		const struct problem *p = &problems.list.items[i];
		struct text id = p->id == BOOK_NONE ? (struct text){0} : id_text(c->arena, p->id);
		*ARRAY_PUSH(c->arena, &list) = (struct fault_found){p->line, id, text_of(p->sentence)};
	}
	answer->problem_count = problems.total ? (int64_t)problems.total : 1;
	answer->problems = (struct objects){list.items, list.n};
	if (i < problems.list.n)
		answer->next_offset = (struct maybe_int){(int64_t)i, true};
	return true;
}

const struct tool hnpx_progress_tools[] = {
	TOOL("get_progress", "How far the book is",
	     "Counts nodes, empty containers and words, by chapter, point of view and character.",
	     TOOL_READS | TOOL_EXTRA, struct progress_args, progress_in, struct progress_answer, progress_out,
	     get_progress, .example = "{\"file_path\":\"novel.hnpx\",\"target_words\":80000}"),
	TOOL("validate_document", "Check a file",
	     "Checks whether a file is valid HNPX and lists every problem with its line.", TOOL_READS | TOOL_EXTRA,
	     struct validate_args, validate_in, struct validate_answer, validate_out, validate_document,
	     .example = "{\"file_path\":\"novel.hnpx\"}"),
	TOOLS_END,
};
