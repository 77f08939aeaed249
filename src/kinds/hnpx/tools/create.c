/* create.c: creates documents and nodes.
 *
 * One node and a whole nested plan are handled in the same way. They are checked in a fixed order, which keeps errors
 * stable (parent, its level, required values, duplicate title), then get ids, and are written in one splice. */
#include "base/digest.h"
#include "base/map.h"
#include "format/xml.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/import/import.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

#include <string.h>

static const char *const forms[] = {"markdown", "text", NULL};

struct document_args {
	struct text file_path, source_path, text;
	int format;
};
struct document_answer {
	struct text id, type, file_path;
	struct maybe_int chapters, sequences, beats, paragraphs;
};

static const struct field document_in[] = {
	FIELD(struct document_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "The new .hnpx file",
	      .more = RARE{.refusal = FILE_NOT_MADE}),
	FIELD(struct document_args, source_path, TEXT, FIELD_PATH, "Manuscript to import: .md, .txt",
	      .more = RARE{.extensions = ".md .markdown .txt"}),
	FIELD(struct document_args, text, TEXT, 0, "Or the manuscript itself"),
	FIELD(struct document_args, format, CHOICE, FIELD_UNLISTED,
	      "Default: by the name of source_path, else markdown", .choices = forms),
	FIELDS_END,
};
static const struct field document_out[] = {
	FIELD(struct document_answer, id, TEXT, FIELD_REQUIRED, "Id of the book, the root of the document"),
	FIELD(struct document_answer, type, TEXT, FIELD_REQUIRED, "book"),
	FIELD(struct document_answer, file_path, TEXT, FIELD_REQUIRED, "The path as given"),
	FIELD(struct document_answer, chapters, MAYBE_INT, 0, "Imported chapters"),
	FIELD(struct document_answer, sequences, MAYBE_INT, 0, "Imported sequences"),
	FIELD(struct document_answer, beats, MAYBE_INT, 0, "Imported beats"),
	FIELD(struct document_answer, paragraphs, MAYBE_INT, 0, "Imported paragraphs"),
	FIELDS_END,
};

static uint32_t random_id(void) { return random_below(36u * 36 * 36 * 36 * 36 * 36); }

static bool refuse_create(struct call *c, struct text path)
{
	return file_not_made(c, path, "choose another path, or work on the file that is there with get_subtree");
}

static bool import_manuscript(struct call *c, const struct document_args *args, struct document_answer *answer)
{
	const struct import_args import = {args->file_path, args->source_path, args->text, args->format};
	struct import_answer made = {0};

	if (!book_import(c, &import, &made))
		return false;
	*answer = (struct document_answer){.id = made.id,
					   .type = TEXT("book"),
					   .file_path = args->file_path,
					   .chapters = {made.chapters, true},
					   .sequences = {made.sequences, true},
					   .beats = {made.beats, true},
					   .paragraphs = {made.paragraphs, true}};
	return true;
}

static bool create_document(struct call *c, const void *in, void *out)
{
	const struct document_args *args = in;
	struct document_answer *answer = out;
	struct document *d;

	if (args->source_path.at || args->text.at)
		return import_manuscript(c, args, answer);
	if (!documents_change(c, &(struct want){.path = args->file_path, .want = DOCUMENT_NEW}, 1, &d))
		return refuse_create(c, args->file_path);
	*answer = (struct document_answer){
		.id = id_text(c->arena, random_id()), .type = TEXT("book"), .file_path = args->file_path};
	struct text bytes = text_format(c->arena,
					"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<book id=\"%s\">\n"
					"  <summary>New book</summary>\n</book>\n",
					answer->id.at);
	struct change change = {.kind = CHANGE_WHOLE, .document = d, .bytes = bytes};
	return work_commit(c, &change, 1, "create_document") || refuse_create(c, args->file_path);
}

/* One node as the caller describes it; create_nodes nests them. */
struct described {
	int type; /* level, or -1: the level below the parent */
	struct text title, location, time, pov, summary, text;
	int mode;
	struct text character;
	struct objects children;
};

struct creation {
	struct opened opened;
	uint32_t parent, place;
	struct texts ids; /* of all new nodes, in document order */
	struct map taken; /* the same, for lookup */
	bool is_plan;     /* many nodes: an error says which node it is about */
	bool warned;
	size_t unwritten; /* paragraphs with a summary and no text yet */
};

static bool refuse_value(struct call *c, const struct opened *o, const char *code, const char *name, const char *format,
			 ...) __attribute__((format(printf, 5, 6)));
static bool refuse_value(struct call *c, const struct opened *o, const char *code, const char *name, const char *format,
			 ...)
{
	va_list ap;
	struct json *details = details_of(c, o->path);

	json_set_text(c->arena, details, "attribute", text_of(name));
	va_start(ap, format);
	struct text message = text_vformat(c->arena, format, ap);
	va_end(ap);
	json_set_text(c->arena, details, "hint", text_format(c->arena, "give %s a value and call again", name));
	return book_refuse(c, details, code, "%s", message.at);
}

static bool check_required(struct call *c, struct creation *made, const struct described *node, enum level level)
{
	const struct opened *o = &made->opened;

	if (level == LEVEL_CHAPTER && text_is_blank(node->title))
		return refuse_value(c, o, "MISSING_ATTRIBUTE", "title", "title must not be empty");
	if (level == LEVEL_SEQUENCE && text_is_blank(node->location))
		return refuse_value(c, o, "MISSING_ATTRIBUTE", "location", "location must not be empty");
	bool optional = level == LEVEL_PARAGRAPH && book_drops_summaries(o->book);
	if (text_is_blank(node->summary) && !optional)
		return refuse_value(c, o, "EMPTY_SUMMARY", "summary", "The summary of a %s must not be empty",
				    level_names[level]);
	bool is_planned = made->is_plan && !node->text.at && !optional;
	made->unwritten += level == LEVEL_PARAGRAPH && is_planned;
	if (level == LEVEL_PARAGRAPH && text_is_blank(node->text) && !is_planned)
		return refuse_value(c, o, "MISSING_ATTRIBUTE", "text", "text must not be empty");
	if (level == LEVEL_PARAGRAPH && node->mode == MODE_DIALOGUE && text_is_blank(node->character))
		return refuse_value(c, o, "MISSING_CHAR", "char",
				    "A dialogue paragraph needs char, the name of who speaks");
	return true;
}

static bool check_writable(struct call *c, const struct opened *o, const struct described *node)
{
	struct text path = o->path;

	return writable_attribute(c, path, "title", node->title) &&
	       writable_attribute(c, path, "location", node->location) &&
	       writable_attribute(c, path, "time", node->time) && writable_attribute(c, path, "pov", node->pov) &&
	       writable_attribute(c, path, "char", node->character) &&
	       writable_words(c, path, "summary", node->summary) && writable_words(c, path, "text", node->text);
}

/* Refuses values that a level does not support, instead of dropping them. */
static bool check_own(struct call *c, const struct opened *o, const struct described *node, enum level level)
{
	const struct {
		const char *name;
		bool given;
		unsigned levels;
	} values[] = {
		{"title", node->title.at, 1u << LEVEL_CHAPTER},
		{"location", node->location.at, 1u << LEVEL_SEQUENCE},
		{"time", node->time.at, 1u << LEVEL_SEQUENCE},
		{"pov", node->pov.at, 1u << LEVEL_CHAPTER | 1u << LEVEL_SEQUENCE},
		{"text", node->text.at, 1u << LEVEL_PARAGRAPH},
		{"mode", node->mode >= 0, 1u << LEVEL_PARAGRAPH},
		{"char", node->character.at, 1u << LEVEL_PARAGRAPH},
		{"children", node->children.n, ~(1u << LEVEL_PARAGRAPH)},
	};

	for (size_t i = 0; i < ARRAY_COUNT(values); i++)
		if (values[i].given && !(values[i].levels & 1u << level)) {
			struct json *details = details_of(c, o->path), *allowed = json_new_array(c->arena);
			json_push(c->arena, allowed, json_new_text(c->arena, TEXT("summary")));
			for (size_t k = 0; k < ARRAY_COUNT(values); k++)
				if (values[k].levels & 1u << level)
					json_push(c->arena, allowed, json_new_text(c->arena, text_of(values[k].name)));
			json_set_text(c->arena, details, "attribute", text_of(values[i].name));
			json_set(c->arena, details, "allowed", allowed);
			return book_refuse(c, details, "INVALID_ATTRIBUTE", "A %s has no %s", level_names[level],
					   values[i].name);
		}
	if (node->type >= 0 && node->type != (int)level) {
		struct json *details =
			details_hint(c, o->path, "nest them as book > chapter > sequence > beat > paragraph");
		json_set_text(c->arena, details, "expected", text_of(level_names[level]));
		json_set_text(c->arena, details, "actual", text_of(level_names[node->type]));
		return book_refuse(c, details, "INVALID_HIERARCHY", "A %s cannot be here; %s", level_names[node->type],
				   level_rules[level - 1].holds);
	}
	return true;
}

/* Three attempts, as the specification says; an id may also be taken by a node of the same call. */
static bool fresh_id(struct call *c, struct creation *made, uint32_t *out)
{
	for (int attempt = 0; attempt < 3; attempt++) {
		uint32_t id = random_id();
		struct text letters = id_text(c->arena, id);
		bool taken = book_find(made->opened.book, id) != BOOK_NONE;
		if (!taken)
			map_at(&made->taken, letters, 0, &taken);
		if (!taken) {
			*out = id;
			made->ids.items[made->ids.n++] = letters;
			return true;
		}
	}
	return book_refuse(c, details_hint(c, made->opened.path, "call again: ids are drawn at random"), "DUPLICATE_ID",
			   "Three random ids in a row were taken already");
}

static size_t count_described(const struct objects *list)
{
	const struct described *items = list->items;
	size_t n = list->n;

	for (size_t i = 0; i < list->n; i++)
		n += count_described(&items[i].children);
	return n;
}

static bool refuse_at(struct call *c, const struct creation *made, const char *above, size_t i)
{
	if (made->is_plan && !c->error.where)
		c->error.where = text_format(c->arena, "%s/children/%zu", above, i).at;
	return false;
}

static bool sprouts_of(struct call *c, struct creation *made, const struct objects *list, enum level level,
		       const char *above, struct sprout **out)
{
	const struct described *items = list->items;
	const struct opened *o = &made->opened;
	struct sprout *sprouts = arena_array(c->arena, list->n + 1, sizeof *sprouts);

	for (size_t i = 0; i < list->n; i++) {
		const struct described *node = &items[i];
		struct sprout *s = &sprouts[i];
		if (!check_own(c, o, node, level) || !check_required(c, made, node, level) ||
		    !check_writable(c, o, node) || !fresh_id(c, made, &s->id))
			return refuse_at(c, made, above, i);
		s->level = level;
		s->title = node->title;
		s->location = node->location;
		s->time = node->time;
		s->pov = node->pov;
		s->mode = node->mode >= 0 ? text_of(mode_names[node->mode]) : (struct text){0};
		s->character = node->character;
		s->summary = node->summary;
		s->text = node->text.at ? node->text : TEXT("");
		if (level == LEVEL_PARAGRAPH && book_drops_summaries(o->book)) {
			if (!text_is_blank(s->summary) && !made->warned)
				warn(c, "the paragraphs of this file have no summaries, so none was stored");
			made->warned |= !text_is_blank(s->summary);
			s->summary = (struct text){0};
		}
		s->n = node->children.n;
		if (s->n && !sprouts_of(c, made, &node->children, level + 1,
					text_format(c->arena, "%s/children/%zu", above, i).at, &s->children))
			return false;
	}
	*out = sprouts;
	return true;
}

struct place_args {
	struct maybe_int position;
	struct text before, after;
};

static bool place_of(struct call *c, struct creation *made, const struct place_args *args)
{
	const struct book *b = made->opened.book;
	struct text path = made->opened.path, sibling_id = args->before.at ? args->before : args->after;
	uint32_t children = b->nodes[made->parent].children, sibling;

	if (args->position.there + (args->before.at != NULL) + (args->after.at != NULL) > 1)
		return book_refuse(c, details_of(c, path), "INVALID_ATTRIBUTE",
				   "Give only one of position, before and after");
	made->place = children;
	if (args->position.there) {
		struct json *details = details_of(c, path);
		json_set_int(c->arena, details, "children", children);
		if (args->position.value > children)
			return book_refuse(c, details, "INVALID_ATTRIBUTE", "position must be 0 to %u, not %lld",
					   children, (long long)args->position.value);
		made->place = (uint32_t)args->position.value;
	}
	if (!sibling_id.at)
		return true;
	if (!book_node(c, &made->opened, sibling_id, &sibling))
		return false;
	if (b->nodes[sibling].parent != made->parent)
		return book_refuse(c,
				   details_hint(c, path, "get_subtree with depth 1 shows the children of the parent"),
				   "VALIDATION_FAILED", "%s is not a child of the parent", shown(c, sibling_id));
	made->place = book_place(b, sibling) + (args->after.at ? 1 : 0);
	return true;
}

static bool check_parent(struct call *c, const struct creation *made, int level)
{
	const struct book *b = made->opened.book;
	int actual = b->nodes[made->parent].level;

	if (actual == level - 1)
		return true;
	struct json *details = details_of(c, made->opened.path);
	json_set_text(c->arena, details, "parent_id", book_id(c->arena, b, made->parent));
	json_set_text(c->arena, details, "expected", text_of(level_names[level - 1]));
	json_set_text(c->arena, details, "actual", text_of(level_names[actual]));
	if (actual == LEVEL_PARAGRAPH)
		details_advise(c, details, "get_writing_context shows the containers above the paragraph");
	else
		details_advise(c, details,
			       text_format(c->arena, "create_nodes adds a %s to a %s", level_names[actual + 1],
					   level_names[actual])
				       .at);
	return book_refuse(c, details, "INVALID_PARENT", "%s", level_rules[level].parent);
}

/* Titles are compared as they are, without trimming or folding. */
static bool check_titles(struct call *c, const struct creation *made, const struct objects *list)
{
	const struct book *b = made->opened.book;
	const struct described *items = list->items;
	struct map titles = {.arena = c->arena}; /* maps to a chapter of the book; larger numbers to one of the list */

	for (uint32_t i = 1; i < b->n; i = b->nodes[i].after)
		map_at(&titles, node_attribute(c->arena, b, i, "title"), i, NULL);
	for (size_t i = 0; i < list->n; i++) {
		bool was;
		uint32_t other = *map_at(&titles, items[i].title, (uint32_t)(b->n + i), &was);
		if (!was)
			continue;
		struct json *details = details_hint(c, made->opened.path, "choose another title");
		json_set_text(c->arena, details, "title", text_of(shown(c, items[i].title)));
		if (other < b->n)
			json_set_text(c->arena, details, "node_id", book_id(c->arena, b, other));
		book_refuse(c, details, "VALIDATION_FAILED", "Chapter title must be unique within book");
		return refuse_at(c, made, "", i);
	}
	return true;
}

/* Names the first of the new nodes, for a line of the history. */
static const char *new_node(struct call *c, const struct creation *made, enum level level, const struct objects *list)
{
	const struct described *first = list->items;
	struct text words = first->title.len ? first->title : first->summary;

	return text_format(c->arena, "%s %.*s \"%s\"", level_names[level], TEXT_ARGS(made->ids.items[0]),
			   shown(c, words))
		.at;
}

/* Does all steps from finding the parent. `level` -1: the level below the parent. */
static bool create(struct call *c, struct text path, struct text parent_id, int level, const struct objects *list,
		   const struct place_args *place, struct creation *made)
{
	struct sprout *sprouts;

	*made = (struct creation){.is_plan = level < 0};
	if (!book_change(c, path, &made->opened) || !book_node(c, &made->opened, parent_id, &made->parent))
		return false;
	const struct book *b = made->opened.book;
	if (level < 0 && b->nodes[made->parent].level == LEVEL_PARAGRAPH)
		return book_refuse(c, details_hint(c, path, "give the id of a book, chapter, sequence or beat"),
				   "INVALID_PARENT", "A paragraph holds no other nodes");
	if (level < 0)
		level = b->nodes[made->parent].level + 1;
	size_t total = count_described(list);
	made->taken.arena = c->arena;
	made->ids.items = arena_array(c->arena, total + 1, sizeof *made->ids.items);
	if (!check_parent(c, made, level) || !place_of(c, made, place) ||
	    !sprouts_of(c, made, list, (enum level)level, "", &sprouts))
		return false;
	if (level == LEVEL_CHAPTER && !check_titles(c, made, list))
		return false;
	struct edits plan = {.arena = c->arena, .book = b};
	edits_insert(&plan, made->parent, made->place, sprouts, list->n);
	return book_commit(c, &made->opened, &plan, "%s: %s%s in %s", c->tool ? c->tool : "create",
			   new_node(c, made, (enum level)level, list),
			   total > 1 ? text_format(c->arena, " and %zu more", total - 1).at : "",
			   book_named_node(c, b, made->parent));
}

struct node_args {
	struct text file_path, parent_id;
	struct described node;
	struct place_args place;
};
struct node_answer {
	struct text id, type, parent_id;
	int64_t index;
};

static const struct field node_out[] = {
	FIELD(struct node_answer, id, TEXT, FIELD_REQUIRED, "Id of the new node"),
	FIELD(struct node_answer, type, TEXT, FIELD_REQUIRED, "chapter, sequence, beat or paragraph"),
	FIELD(struct node_answer, parent_id, TEXT, FIELD_REQUIRED, "Id of its parent"),
	FIELD(struct node_answer, index, INT, FIELD_REQUIRED, "Its place among its siblings, from 0"),
	FIELDS_END,
};

static bool create_one(struct call *c, const struct node_args *args, enum level level, struct node_answer *answer)
{
	struct described node = args->node;
	struct objects list = {&node, 1};
	struct creation made;

	node.type = -1;
	/* This tool has no mode argument, so mode was not decoded. Set it to absent. */
	if (level != LEVEL_PARAGRAPH)
		node.mode = -1;
	if (!create(c, args->file_path, args->parent_id, level, &list, &args->place, &made))
		return false;
	*answer = (struct node_answer){made.ids.items[0], text_of(level_names[level]),
				       book_id(c->arena, made.opened.book, made.parent), made.place};
	return true;
}

static bool create_chapter(struct call *c, const void *in, void *out) { return create_one(c, in, LEVEL_CHAPTER, out); }
static bool create_sequence(struct call *c, const void *in, void *out)
{
	return create_one(c, in, LEVEL_SEQUENCE, out);
}
static bool create_beat(struct call *c, const void *in, void *out) { return create_one(c, in, LEVEL_BEAT, out); }
static bool create_paragraph(struct call *c, const void *in, void *out)
{
	return create_one(c, in, LEVEL_PARAGRAPH, out);
}

/* Only create_nodes lists the place: a list of one place for each tool costs more than it helps. */
#define PLACE_FIELDS(S, FLAGS)                                                                                         \
	FIELD_AS("position", S, place.position, MAYBE_INT, FLAGS,                                                      \
		 "Index from 0, or before/after a sibling; default last", .limits = AT_LEAST(0)),                      \
		FIELD_AS("before", S, place.before, TEXT, FLAGS, "Insert before this sibling id"),                     \
		FIELD_AS("after", S, place.after, TEXT, FLAGS, "Insert after this sibling id")

#define PARENT(PROSE) FIELD(struct node_args, parent_id, TEXT, FIELD_REQUIRED | FIELD_EMPTY, PROSE)
#define WORDS(NAME, MEMBER, FLAGS, PROSE)                                                                              \
	FIELD_AS(NAME, struct node_args, node.MEMBER, TEXT, FIELD_REQUIRED | FIELD_LATE | FIELD_EMPTY | (FLAGS), PROSE)
#define MAYBE(NAME, MEMBER, FLAGS, PROSE) FIELD_AS(NAME, struct node_args, node.MEMBER, TEXT, FLAGS, PROSE)

static const struct field chapter_in[] = {
	FILE_PATH(struct node_args),
	PARENT("\"book\""),
	WORDS("title", title, FIELD_TERSE, "Unique title"),
	WORDS("summary", summary, FIELD_TERSE, "What happens"),
	MAYBE("pov", pov, FIELD_TERSE, "Point-of-view character"),
	PLACE_FIELDS(struct node_args, FIELD_UNLISTED),
	FIELDS_END,
};
static const struct field sequence_in[] = {
	FILE_PATH(struct node_args),
	PARENT("Id of the chapter"),
	WORDS("location", location, FIELD_TERSE, "Place"),
	WORDS("summary", summary, FIELD_TERSE, "What happens"),
	MAYBE("time", time, FIELD_TERSE, "Time"),
	MAYBE("pov", pov, FIELD_TERSE, "Point-of-view character"),
	PLACE_FIELDS(struct node_args, FIELD_UNLISTED),
	FIELDS_END,
};
static const struct field beat_in[] = {
	FILE_PATH(struct node_args),
	PARENT("Id of the sequence"),
	WORDS("summary", summary, FIELD_TERSE, "What happens"),
	PLACE_FIELDS(struct node_args, FIELD_UNLISTED),
	FIELDS_END,
};
static const struct field paragraph_in[] = {
	FILE_PATH(struct node_args),
	PARENT("Id of the beat"),
	WORDS("summary", summary, FIELD_TERSE, "What it does, in one sentence"),
	WORDS("text", text, 0, "Speech without quotation marks"),
	FIELD_AS("mode", struct node_args, node.mode, CHOICE, FIELD_TERSE,
		 "dialogue: char says the text; internal: a thought", .choices = mode_names,
		 .more = RARE{.schema = "\"default\":\"narration\""}),
	MAYBE("char", character, 0, "Who speaks (required for dialogue) or thinks"),
	PLACE_FIELDS(struct node_args, FIELD_UNLISTED),
	FIELDS_END,
};

struct nodes_args {
	struct text file_path, parent_id;
	struct objects children;
	struct place_args place;
};
struct nodes_answer {
	struct text parent_id;
	int64_t index, created;
	struct texts ids;
};

static const struct field described_in[11];
static const struct shape described_shape = SHAPE(struct described, "node", described_in);
static const struct field described_in[11] = {
	FIELD(struct described, type, CHOICE, FIELD_HIDDEN, "Level; follows from the parent", .choices = level_names),
	FIELD(struct described, title, TEXT, FIELD_TERSE, "Chapter: required"),
	FIELD(struct described, location, TEXT, FIELD_TERSE, "Sequence: place, required"),
	FIELD(struct described, time, TEXT, FIELD_TERSE, "Sequence: time"),
	FIELD(struct described, pov, TEXT, FIELD_TERSE, "Chapter, sequence"),
	FIELD(struct described, summary, TEXT, FIELD_TERSE, "Required"),
	FIELD(struct described, text, TEXT, FIELD_EMPTY | FIELD_TERSE, "Paragraph: prose; without it, unwritten"),
	FIELD(struct described, mode, CHOICE, FIELD_TERSE, "Paragraph", .choices = mode_names),
	FIELD_AS("char", struct described, character, TEXT, FIELD_TERSE, "Paragraph: speaker; required for dialogue"),
	FIELD(struct described, children, OBJECTS, 0, "The same, one level down", .shape = &described_shape),
	FIELDS_END,
};
static const struct field nodes_in[] = {
	FILE_PATH(struct nodes_args),
	FIELD(struct nodes_args, parent_id, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "Id, or \"book\""),
	FIELD(struct nodes_args, children, OBJECTS, FIELD_REQUIRED,
	      "Chapters: title, summary, pov. Sequences: location, summary, time, pov. Beats: summary. Paragraphs: summary, "
	      "text, mode, char (required for dialogue)",
	      .shape = &described_shape, .limits = BETWEEN(1, 1000)),
	PLACE_FIELDS(struct nodes_args, FIELD_TERSE),
	FIELDS_END,
};
static const struct field nodes_out[] = {
	FIELD(struct nodes_answer, parent_id, TEXT, FIELD_REQUIRED, "Id of the parent"),
	FIELD(struct nodes_answer, index, INT, FIELD_REQUIRED, "Index of the first new child, from 0"),
	FIELD(struct nodes_answer, created, INT, FIELD_REQUIRED, "How many nodes were made in all"),
	FIELD(struct nodes_answer, ids, TEXTS, FIELD_REQUIRED, "Their ids, depth first"),
	FIELDS_END,
};

static bool create_nodes(struct call *c, const void *in, void *out)
{
	const struct nodes_args *args = in;
	struct nodes_answer *answer = out;
	struct creation made;

	if (!create(c, args->file_path, args->parent_id, -1, &args->children, &args->place, &made))
		return false;
	*answer = (struct nodes_answer){book_id(c->arena, made.opened.book, made.parent), made.place,
					(int64_t)made.ids.n, made.ids};
	if (made.unwritten)
		warn(c, "New paragraphs without text: %zu. get_next_empty_container with unwritten finds them",
		     made.unwritten);
	return true;
}

const struct tool hnpx_create_tools[] = {
	TOOL("create_document", "New book",
	     "Creates a book. Next: set its summary with edit_node_attributes, then fill what get_next_empty_container "
	     "returns. With source_path or text: imports a manuscript with headings.",
	     TOOL_WRITES, struct document_args, document_in, struct document_answer, document_out, create_document,
	     .example = "{\"file_path\":\"novel.hnpx\"}"),
	TOOL("create_chapter", "New chapter", "Adds a chapter. Create all chapters before their sequences.",
	     TOOL_WRITES | TOOL_EXTRA, struct node_args, chapter_in, struct node_answer, node_out, create_chapter,
	     .example = "{\"file_path\":\"novel.hnpx\",\"parent_id\":\"book\",\"title\":\"The "
			"Awakening\",\"summary\":\"Mira finds "
			"that she can hear the trees.\",\"pov\":\"mira\"}"),
	TOOL("create_sequence", "New sequence", "Adds a sequence (one place and time) to a chapter.",
	     TOOL_WRITES | TOOL_EXTRA, struct node_args, sequence_in, struct node_answer, node_out, create_sequence,
	     .example = "{\"file_path\":\"novel.hnpx\",\"parent_id\":\"k9p3q1\",\"location\":\"Forest\",\"time\":"
			"\"night\",\"summary\":\"Mira comes upon a shrine.\"}"),
	TOOL("create_beat", "New beat", "Adds a beat (one action, turn or discovery) to a sequence.",
	     TOOL_WRITES | TOOL_EXTRA, struct node_args, beat_in, struct node_answer, node_out, create_beat,
	     .example = "{\"file_path\":\"novel.hnpx\",\"parent_id\":\"r4s8t6\",\"summary\":\"She enters the forbidden "
			"woods.\"}"),
	TOOL("create_paragraph", "New paragraph", "Adds a paragraph of prose to a beat; a new one for each speaker.",
	     TOOL_WRITES | TOOL_EXTRA, struct node_args, paragraph_in, struct node_answer, node_out, create_paragraph,
	     .example = "{\"file_path\":\"novel.hnpx\",\"parent_id\":\"u1v7w3\",\"summary\":\"Mira pushes through the "
			"undergrowth.\",\"text\":\"Mira bent the branches aside and went on.\"}"),
	TOOL("create_nodes", "New nodes, nested",
	     "Adds nested nodes in one step, last or at position, before or after a sibling. Returns their ids.",
	     TOOL_WRITES, struct nodes_args, nodes_in, struct nodes_answer, nodes_out, create_nodes,
	     .example =
		     "{\"file_path\":\"novel.hnpx\",\"parent_id\":\"r4s8t6\",\"children\":[{\"summary\":\"She enters "
		     "the woods.\",\"children\":[{\"summary\":\"The dark.\",\"text\":\"It was darker than she had "
		     "thought.\"}]}]}"),
	TOOLS_END,
};
