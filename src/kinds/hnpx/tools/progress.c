#include "kinds/hnpx/tools/progress.h"
#include "base/map.h"
#include "base/utf8.h"
#include "kinds/hnpx/tree/pages.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

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
static const struct field progress_fields[] = {
	FIELD(struct progress, complete, FLAG, FIELD_REQUIRED, "No container is empty and every paragraph has prose"),
	FIELD(struct progress, words, INT, FIELD_REQUIRED, "Words of prose"),
	FIELD(struct progress, nodes, OBJECT, FIELD_REQUIRED, "Nodes of each level", .shape = &levels_shape),
	FIELD(struct progress, empty_count, INT, FIELD_REQUIRED, "Containers without children"),
	FIELD(struct progress, empty, OBJECTS, FIELD_REQUIRED, "The first of them, level by level",
	      .shape = &empty_shape),
	FIELD(struct progress, unwritten_count, INT, FIELD_REQUIRED, "Paragraphs without prose"),
	FIELD(struct progress, next_unwritten, TEXT, 0, "Id of the first of them"),
	FIELD(struct progress, chapters, OBJECTS, FIELD_REQUIRED, "Chapter by chapter", .shape = &part_shape),
	FIELD(struct progress, povs, OBJECTS, FIELD_REQUIRED, "By point of view", .shape = &share_shape),
	FIELD(struct progress, characters, OBJECTS, FIELD_REQUIRED, "By who speaks or thinks", .shape = &share_shape),
	FIELD(struct progress, dialogue_share, NUMBER, FIELD_REQUIRED, "Words of dialogue in all words, 0 to 1"),
	FIELD(struct progress, longest_gap, OBJECT, 0, "The longest row of beats without prose", .shape = &gap_shape),
	FIELD(struct progress, target_percent, MAYBE_NUMBER, 0, "Words as percent of target_words"),
	FIELDS_END,
};

const struct shape progress_shape = SHAPE(struct progress, "progress", progress_fields);

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
	struct progress *answer;
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
enum { EMPTY_LISTED = 10, CHAPTERS_LISTED = 200, NAMES_LISTED = 50 };

static struct objects first_of(struct call *c, void *items, size_t n, size_t most, const char *what,
			       const char *instead)
{
	if (n > most)
		warn(c, "only the first %zu of %zu %s are listed; %s", most, n, what, instead);
	return (struct objects){items, n < most ? n : most};
}

bool book_progress(struct call *c, const struct book *b, uint32_t top, struct maybe_int target_words,
		   const struct progress **out)
{
	struct progress *p = arena_new(c->arena, struct progress);
	struct tally t = {.arena = c->arena, .book = b, .answer = p, .nodes = arena_new(c->arena, struct levels)};

	*out = p;
	t.povs.places.arena = t.characters.places.arena = c->arena;
	t.pov = node_pov(c->arena, b, top);
	for (uint32_t i = top; i < b->nodes[top].after; i++) {
		tally_node(&t, i);
		if (!(i % 256) && !goes_on(c))
			return false;
	}
	p->complete = p->empty_count == 0 && p->unwritten_count == 0;
	p->nodes = t.nodes;
	p->empty = list_empty(c->arena, b, top, EMPTY_LISTED);
	p->chapters =
		first_of(c, t.parts.items, t.parts.n, CHAPTERS_LISTED, "chapters", "node_id counts one chapter alone");
	p->povs = first_of(c, t.povs.list.items, t.povs.list.n, NAMES_LISTED, "points of view",
			   "node_id counts one chapter's");
	p->characters = first_of(c, t.characters.list.items, t.characters.list.n, NAMES_LISTED, "characters",
				 "node_id counts one chapter's");
	/* Three digits are enough. */
	int64_t thousandths = p->words ? (int64_t)t.dialogue * 1000 / p->words : 0;
	p->dialogue_share = (double)thousandths / 1000;
	if (t.worst.beats)
		p->longest_gap = arena_copy(c->arena, &t.worst, sizeof t.worst);
	if (target_words.there) {
		int64_t tenths = p->words * 1000 / target_words.value;
		p->target_percent = (struct maybe_number){(double)tenths / 10, true};
	}
	return true;
}
