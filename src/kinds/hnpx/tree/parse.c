/* parse.c: parses bytes to a book, or lists everything that is wrong with them.
 *
 * One pass over the XML table. A misplaced or unknown element is reported once. It becomes no node of the book, but its
 * content is checked as if it stood in its place, so that one call lists all mistakes. */
#include "kinds/hnpx/tree/book.h"
#include "base/array.h"
#include "kinds/hnpx/tree/level.h"
#include "format/xml.h"

#include <string.h>

/* No real file has this many problems. The limit keeps a hostile file from costing time for messages. */
enum { PROBLEMS_MAX = 1000 };

/* Six levels are legal. Deeper ones are read only to report them. */
static const struct xml_limits limits = {.depth = 64, .attributes = 256, .nodes = 2000000};

enum { MARK_SUMMARY = UINT32_MAX - 1 };
/* A misplaced element is numbered apart from the nodes, with this bit. An unknown element has the level LEVELS. */
enum { STRAY = 1u << 30 };
enum { SEEN_BEFORE = 64, SEEN_AFTER = 128 }; /* prose was seen before or after the summary; only used while parsing */

struct reader {
	struct arena *arena;
	struct arena *scratch;
	const struct xml *xml;
	struct book *book;
	ARRAY(struct node) strays;
	uint32_t *node_of; /* for each XML element its node, its stray, MARK_SUMMARY or BOOK_NONE */
	uint32_t nodes_cap;
	struct problems *problems;
	size_t total;
};

static void problem(struct reader *r, uint32_t at, uint32_t id, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
static void problem(struct reader *r, uint32_t at, uint32_t id, const char *format, ...)
{
	va_list ap;

	r->total++;
	if (r->problems->list.n == PROBLEMS_MAX)
		return;
	struct problem *p = ARRAY_PUSH(r->arena, &r->problems->list);
	va_start(ap, format);
	p->sentence = text_vformat(r->arena, format, ap).at;
	va_end(ap);
	p->line = at; /* the offset, until all are sorted */
	p->id = id;
}

static struct node *node_at(const struct reader *r, uint32_t node)
{
	return node & STRAY ? &r->strays.items[node & ~STRAY] : &r->book->nodes[node];
}

static uint32_t id_of(const struct reader *r, uint32_t node) { return node_at(r, node)->id; }

/* The id of an element that is not a node. A misplaced element usually has one. */
static uint32_t own_id(struct reader *r, uint32_t element)
{
	struct xml_attribute *attributes;
	size_t n = xml_attributes(r->scratch, r->xml, element, &attributes);
	uint32_t id;

	for (size_t i = 0; i < n; i++)
		if (text_is(attributes[i].name, "id") && id_pack(attributes[i].value, &id))
			return id;
	return BOOK_NONE;
}

/* Quotes at most 40 bytes of the file, cut between characters. */
static const char *quoted(struct reader *r, struct text t)
{
	size_t len = t.len;

	if (r->problems->list.n == PROBLEMS_MAX)
		return ""; /* it will not be listed */
	if (len > 40)
		for (len = 40; len && ((unsigned char)t.at[len] & 0xc0) == 0x80; len--)
			;
	struct buffer out = {.arena = r->scratch};
	for (size_t i = 0; i < len; i++)
		buffer_byte(&out, t.at[i] == '\n' || t.at[i] == '\r' || t.at[i] == '\t' ? ' ' : t.at[i]);
	return text_string(r->scratch, buffer_text(&out));
}

static bool is_blank(struct reader *r, uint32_t text_node)
{
	const struct xml_node *x = &r->xml->nodes[text_node];

	if (text_is_blank(text_slice(r->xml->bytes, x->from, x->to)))
		return true;
	return text_is_blank(xml_decoded(r->scratch, r->xml, text_node));
}

static void check_id(struct reader *r, uint32_t element, uint32_t node, struct text id)
{
	uint32_t at = r->xml->nodes[element].from;
	const char *name = level_names[node_at(r, node)->level];

	node_at(r, node)->id = BOOK_NONE;
	if (!id.at)
		problem(r, at, id_of(r, node), "<%s> has no id; it needs six characters of a-z and 0-9", name);
	else if (!id_pack(id, &node_at(r, node)->id))
		problem(r, at, id_of(r, node), "the id \"%s\" of <%s> is not six characters of a-z and 0-9",
			quoted(r, id), name);
}

static void check_attributes(struct reader *r, uint32_t element, uint32_t n)
{
	struct xml_attribute *attributes;
	size_t count = xml_attributes(r->scratch, r->xml, element, &attributes);
	struct node *node = node_at(r, n);
	const struct level_rule *rule = &level_rules[node->level];
	uint32_t at = r->xml->nodes[element].from;
	struct text id = {0}, title = {0}, loc = {0}, location = {0}, mode = {0}, character = {0};

	for (size_t i = 0; i < count; i++)
		if (text_is(attributes[i].name, "id"))
			id = attributes[i].value;
	check_id(r, element, n, id); /* first, because the other problems name the id */
	for (size_t i = 0; i < count; i++) {
		struct text name = attributes[i].name, value = attributes[i].value;
		if (text_is(name, "id"))
			continue;
		if (!level_allows(node->level, name))
			problem(r, attributes[i].from, id_of(r, n),
				"attribute %s is not allowed on <%s>; allowed are %s", quoted(r, name),
				level_names[node->level], rule->listed);
		else if (text_is(name, "title"))
			title = value;
		else if (text_is(name, "loc"))
			loc = value;
		else if (text_is(name, "location"))
			location = value;
		else if (text_is(name, "mode"))
			mode = value;
		else if (text_is(name, "char"))
			character = value;
	}
	if (node->level == LEVEL_CHAPTER && text_is_blank(title))
		problem(r, at, id_of(r, n), "<chapter> has no title");
	if (node->level == LEVEL_SEQUENCE && text_is_blank(loc) && text_is_blank(location))
		problem(r, at, id_of(r, n), "<sequence> has no loc");
	/* With both names an edit could not know which one to change. */
	if (location.at && loc.at)
		problem(r, at, id_of(r, n), "<sequence> has both loc and location; keep one of them");
	if (node->level == LEVEL_SEQUENCE && location.at && !loc.at)
		node->flags |= NODE_LOCATION;
	if (mode.at && mode_named(mode) < 0)
		problem(r, at, id_of(r, n), "mode \"%s\" is not narration, dialogue or internal", quoted(r, mode));
	if (text_is(mode, "dialogue") && text_is_blank(character))
		problem(r, at, id_of(r, n), "a dialogue <paragraph> needs char, the name of who speaks");
}

static uint32_t node_push(struct reader *r, uint32_t element, enum level level)
{
	const struct xml_node *x = &r->xml->nodes[element];
	struct book *b = r->book;

	if (b->n == r->nodes_cap) {
		uint32_t cap = r->nodes_cap ? r->nodes_cap * 2 : 64;
		b->nodes = arena_grow(r->arena, b->nodes, r->nodes_cap * sizeof *b->nodes, cap * sizeof *b->nodes);
		r->nodes_cap = cap;
	}
	b->nodes[b->n] = (struct node){.from = x->from,
				       .to = x->to,
				       .inner = x->inner,
				       .inner_to = x->inner_to,
				       .parent = BOOK_NONE,
				       .level = (uint8_t)level};
	r->node_of[element] = b->n;
	return b->n++;
}

static uint32_t stray_push(struct reader *r, uint32_t element, int level)
{
	const struct xml_node *x = &r->xml->nodes[element];

	*ARRAY_PUSH(r->scratch, &r->strays) =
		(struct node){.from = x->from, .parent = BOOK_NONE, .id = BOOK_NONE, .level = (uint8_t)level};
	r->node_of[element] = STRAY | (uint32_t)(r->strays.n - 1);
	return r->node_of[element];
}

static void check_summary(struct reader *r, uint32_t element, uint32_t node)
{
	const struct xml_node *x = &r->xml->nodes[element];
	struct node *owner = node_at(r, node);
	const char *name = level_names[owner->level];
	struct xml_attribute *attributes;

	r->node_of[element] = MARK_SUMMARY;
	if (owner->level == LEVELS)
		return;
	if (owner->summary != owner->summary_to) {
		problem(r, x->from, id_of(r, node), "<%s> has more than one <summary>", name);
		return;
	}
	owner->summary = x->from;
	owner->summary_to = x->to;
	if (xml_attributes(r->scratch, r->xml, element, &attributes))
		problem(r, x->from, id_of(r, node), "<summary> takes no attributes");
	for (uint32_t i = xml_first(r->xml, element); i != XML_NONE; i = xml_next(r->xml, i))
		if (r->xml->nodes[i].type == XML_TEXT && !is_blank(r, i))
			return;
	problem(r, x->from, id_of(r, node), "the <summary> of <%s> is empty", name);
}

/* An unknown element, or one at the wrong level. Below an unknown element every level is in its place. */
static bool read_stray(struct reader *r, uint32_t element, int level, int holder)
{
	uint32_t at = r->xml->nodes[element].from;

	if (level < 0) {
		problem(r, at, own_id(r, element), "unknown element <%s> in <%s>", quoted(r, xml_name(r->xml, element)),
			holder < LEVELS ? level_names[holder] : "another");
		stray_push(r, element, LEVELS);
		return true;
	}
	if (holder < LEVELS)
		problem(r, at, own_id(r, element), "<%s> cannot be in <%s>; %s", level_names[level],
			level_names[holder], level_rules[holder].holds);
	check_attributes(r, element, stray_push(r, element, level));
	return true;
}

/* Reads one element. Returns false if its content must be skipped. */
static bool read_element(struct reader *r, uint32_t element)
{
	const struct xml_node *x = &r->xml->nodes[element];
	struct text name = xml_name(r->xml, element);
	uint32_t above = x->parent == XML_NONE ? BOOK_NONE : r->node_of[x->parent];
	int level = level_named(name);

	if (above == MARK_SUMMARY) {
		problem(r, x->from, own_id(r, element), "<summary> holds plain text only, not <%s>", quoted(r, name));
		return false;
	}
	if (x->parent == XML_NONE) {
		if (level != LEVEL_BOOK) {
			problem(r, x->from, own_id(r, element),
				"the root element is <%s>; an HNPX document has a <book>", quoted(r, name));
			return false;
		}
	} else if (text_is(name, "summary")) {
		check_summary(r, element, above);
		return true;
	} else if (level < 0 || node_at(r, above)->level != level - 1) {
		return read_stray(r, element, level, node_at(r, above)->level);
	}
	bool is_stray = x->parent != XML_NONE && above & STRAY;
	check_attributes(r, element,
			 is_stray ? stray_push(r, element, level) : node_push(r, element, (enum level)level));
	return true;
}

static void read_text(struct reader *r, uint32_t text_node)
{
	const struct xml_node *x = &r->xml->nodes[text_node];
	uint32_t above = x->parent == XML_NONE ? BOOK_NONE : r->node_of[x->parent];

	if (above == BOOK_NONE || above == MARK_SUMMARY || is_blank(r, text_node))
		return;
	struct node *node = node_at(r, above);
	if (node->level == LEVELS)
		return;
	if (node->level == LEVEL_PARAGRAPH)
		node->flags |= node->summary == node->summary_to ? SEEN_BEFORE : SEEN_AFTER;
	else {
		struct text words = text_trim(text_slice(r->xml->bytes, x->from, x->to));
		problem(r, (uint32_t)(words.at - r->xml->bytes.at), id_of(r, above),
			"text in <%s> outside of its <summary>: \"%s\"", level_names[node->level], quoted(r, words));
	}
}

/* Finding a line costs a pass over the bytes, so only the first few messages name a line. */
enum { LINES_TOLD = 20 };

static void check_unique(struct reader *r)
{
	const struct book *b = r->book;
	unsigned told = 0;

	for (uint32_t i = 1; i < b->n; i++) {
		uint32_t first = b->ids[i - 1].node, second = b->ids[i].node;
		if (b->ids[i].id != b->ids[i - 1].id || b->ids[i].id == BOOK_NONE)
			continue;
		if (told++ < LINES_TOLD)
			problem(r, b->nodes[second].from, id_of(r, second),
				"the id %s is also that of a node on line %u", id_text(r->scratch, b->ids[i].id).at,
				xml_line(r->xml, b->nodes[first].from, NULL));
		else
			problem(r, b->nodes[second].from, id_of(r, second), "the id %s is also that of another node",
				id_text(r->scratch, b->ids[i].id).at);
	}
}

static int by_id(const void *left, const void *right)
{
	const struct node_id *a = left, *b = right;

	return a->id != b->id ? (a->id < b->id ? -1 : 1) : a->node < b->node ? -1 : a->node > b->node;
}

/* Misplaced elements: summaries and ids. */
static void check_strays(struct reader *r, bool summarised)
{
	struct node_id *ids = arena_array(r->scratch, r->strays.n + 1, sizeof *ids);
	size_t n = 0;

	for (uint32_t i = 0; i < r->strays.n; i++) {
		const struct node *stray = &r->strays.items[i];
		if (stray->level == LEVELS)
			continue;
		if (stray->summary == stray->summary_to && (stray->level != LEVEL_PARAGRAPH || summarised))
			problem(r, stray->from, stray->id, "<%s> has no <summary>", level_names[stray->level]);
		if (stray->id != BOOK_NONE)
			ids[n++] = (struct node_id){stray->id, i};
	}
	array_sort(ids, n, sizeof *ids, by_id);
	for (size_t i = 0; i < n; i++)
		if ((i && ids[i].id == ids[i - 1].id) || book_find(r->book, ids[i].id) != BOOK_NONE)
			problem(r, r->strays.items[ids[i].node].from, ids[i].id,
				"the id %s is also that of another node", id_text(r->scratch, ids[i].id).at);
}

static void check_whole(struct reader *r)
{
	struct book *b = r->book;
	bool summarised = false;

	for (uint32_t i = 0; i < b->n; i++)
		summarised |= b->nodes[i].level == LEVEL_PARAGRAPH && b->nodes[i].summary != b->nodes[i].summary_to;
	for (uint32_t i = 0; i < b->n; i++) {
		struct node *node = &b->nodes[i];
		bool has = node->summary != node->summary_to;
		/* Later files have no summary in any paragraph. If some paragraphs have one, the others lack it. */
		if (!has && (node->level != LEVEL_PARAGRAPH || summarised))
			problem(r, node->from, id_of(r, i), "<%s> has no <summary>", level_names[node->level]);
		if (has && (node->flags & SEEN_BEFORE) && !(node->flags & SEEN_AFTER))
			node->flags |= NODE_TEXT_FIRST;
		node->flags &= (uint8_t) ~(SEEN_BEFORE | SEEN_AFTER);
	}
	check_strays(r, summarised);
	check_unique(r);
}

static int by_place(const void *left, const void *right)
{
	const struct problem *a = left, *b = right;

	return a->line < b->line ? -1 : a->line > b->line;
}

/* Sorts the problems by offset and converts the offsets to lines, in one pass over the bytes. */
static void number_lines(struct reader *r)
{
	uint32_t line = 1;
	size_t at = 0;

	array_sort(r->problems->list.items, r->problems->list.n, sizeof *r->problems->list.items, by_place);
	for (size_t i = 0; i < r->problems->list.n; i++) {
		for (; at < r->problems->list.items[i].line; at++)
			line += r->xml->bytes.at[at] == '\n';
		r->problems->list.items[i].line = line;
	}
	r->problems->total = r->total;
}

static struct book *read_book(struct reader *r)
{
	const struct xml *x = r->xml;

	for (uint32_t i = 0; i < x->n;) {
		const struct xml_node *node = &x->nodes[i];
		r->node_of[i] = BOOK_NONE;
		if (node->type == XML_TEXT)
			read_text(r, i);
		i = node->type == XML_ELEMENT && !read_element(r, i) ? node->after : i + 1;
	}
	book_settle(r->book, r->arena);
	check_whole(r);
	if (r->total) {
		number_lines(r);
		return NULL;
	}
	book_settle(r->book, r->arena); /* NODE_TEXT_FIRST is known now */
	return r->book;
}

static void refuse_problems(struct reader *r, struct error *error)
{
	const struct problem *first = &r->problems->list.items[0];

	*error = (struct error){.fault = FAULT_OWN, .code = "NOT_HNPX", .line = first->line};
	error->message =
		text_format(r->arena, "Document is not valid HNPX: line %u: %s", first->line, first->sentence).at;
	if (r->problems->total > 1)
		error->hint = r->problems->total > PROBLEMS_SHOWN ? "details.problems lists the first of them"
								  : "details.problems lists all";
}

/* A file that is too deep or too large for a book is not a book (NOT_HNPX). All other errors mean that it is not
 * XML. */
static void refuse_xml(struct reader *r, struct error *error)
{
	uint32_t line = error->line, column = error->column;
	const char *why = text_string(r->arena, text_of(error->message ? error->message : "it cannot be read"));

	if (error->fault == FAULT_TOO_LARGE) {
		*ARRAY_PUSH(r->arena, &r->problems->list) = (struct problem){line, BOOK_NONE, why};
		r->problems->total = 1;
		refuse_problems(r, error);
		return;
	}
	*error = (struct error){.fault = FAULT_OWN, .code = "INVALID_XML", .line = line, .column = column};
	error->message =
		text_format(r->arena, "Document is not valid XML: line %u, column %u: %s", line, column, why).at;
}

static struct book *parse(struct arena *a, struct text bytes, struct problems *problems, struct error *error,
			  bool takes_broken)
{
	struct arena scratch = {0};
	struct problems own = {0};
	struct reader r = {.arena = a, .scratch = &scratch, .problems = problems ? problems : &own};
	struct book *book = NULL;

	r.xml = xml_parse(&scratch, bytes, &limits, error);
	if (!r.xml) {
		refuse_xml(&r, error);
	} else {
		r.book = arena_new(a, struct book);
		r.book->bytes = bytes;
		r.node_of = arena_array(&scratch, r.xml->n + 1, sizeof *r.node_of);
		book = read_book(&r);
		if (!book)
			refuse_problems(&r, error);
		if (!book && takes_broken && r.book->n)
			book = r.book;
	}
	arena_free(&scratch);
	return book;
}

struct book *book_parse(struct arena *a, struct text bytes, struct problems *problems, struct error *error)
{
	return parse(a, bytes, problems, error, false);
}

struct book *book_parse_broken(struct arena *a, struct text bytes, struct problems *problems, struct error *error)
{
	return parse(a, bytes, problems, error, true);
}
