/* writing.c: everything that a writer needs at a place, in one call and within a given number of words.
 *
 * The budget is for the whole result, including names of members. The parts use it in order of importance: the node,
 * the nodes above it, the nodes before and after it, the last prose, its siblings, the entries of the story bible, the
 * last places of characters. The story so far gets the rest. */
#include "base/utf8.h"
#include "kinds/hnpx/bible/beside.h"
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/tree/pages.h"
#include "kinds/hnpx/tools/render.h"
#include "kinds/hnpx/prose/loose.h"
#include "kinds/hnpx/story/step.h"
#include "kinds/hnpx/tree/reading.h"

struct writing_args {
	struct text file_path, node_id;
	int64_t words, budget;
};
struct seen {
	struct text name, location, id;
};
struct known {
	struct text section, name, prose;
	struct texts aliases, facts;
};
struct writing_answer {
	struct text id, type, summary, pov, next_call, prose_before;
	struct objects path, siblings, story_so_far, last_seen, bible;
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
static const struct field known_fields[] = {
	FIELD(struct known, section, TEXT, 0, "Section of the bible"),
	FIELD(struct known, name, TEXT, FIELD_REQUIRED, "Name of the entry"),
	FIELD(struct known, aliases, TEXTS, 0, "Other names"),
	FIELD(struct known, prose, TEXT, 0, "Free text"),
	FIELD(struct known, facts, TEXTS, 0, "Facts; one whose evidence changed or went says so"),
	FIELDS_END,
};
static const struct shape known_shape = SHAPE(struct known, "known", known_fields);

static const struct field writing_in[] = {
	FILE_PATH(struct writing_args),
	NODE_ID(struct writing_args, "Node to write"),
	FIELD(struct writing_args, words, INT, 0, "Of preceding prose", .limits = BETWEEN(0, 5000), .otherwise = "300"),
	FIELD(struct writing_args, budget, INT, 0, "Maximum words of the result", .limits = BETWEEN(100, 20000),
	      .otherwise = "1500"),
	FIELDS_END,
};
static const struct field writing_out[] = {
	FIELD(struct writing_answer, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct writing_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct writing_answer, summary, TEXT, 0, "What belongs in it"),
	FIELD(struct writing_answer, pov, TEXT, 0, "The point of view that holds here"),
	FIELD(struct writing_answer, path, OBJECTS, FIELD_REQUIRED,
	      "The nodes above it, from the book down, with their summaries", .shape = &step_shape),
	FIELD(struct writing_answer, siblings, OBJECTS, FIELD_REQUIRED | FIELD_TERSE,
	      "Its neighbours, itself included, in order: up to ten on each side", .shape = &step_shape),
	FIELD(struct writing_answer, preceding, OBJECT, FIELD_TERSE,
	      "The node of its level that comes before it in the book", .shape = &step_shape),
	FIELD(struct writing_answer, story_so_far, OBJECTS, FIELD_REQUIRED | FIELD_TERSE,
	      "Summaries of what comes before, the nearest in detail, farther ones by chapter", .shape = &step_shape),
	FIELD(struct writing_answer, left_out, INT, FIELD_REQUIRED,
	      "Nodes, names and entries that the budget left out"),
	FIELD(struct writing_answer, last_seen, OBJECTS, FIELD_REQUIRED, "Who was where last", .shape = &seen_shape),
	FIELD(struct writing_answer, bible, OBJECTS, FIELD_REQUIRED | FIELD_TERSE,
	      "Entries of the story bible that the node, the nodes above it or the last prose name",
	      .shape = &known_shape),
	FIELD(struct writing_answer, prose_before, TEXT, FIELD_REQUIRED, "The last words of the book before the gap"),
	FIELD(struct writing_answer, following, OBJECT, FIELD_TERSE, "What comes after it: the place to arrive at",
	      .shape = &step_shape),
	FIELD(struct writing_answer, next_call, TEXT, FIELD_REQUIRED, "The tool that fills it"),
	FIELDS_END,
};

/* Counts words as in the written result: a line end is an escape there, which counts as part of a word. */
static size_t cost(struct text t)
{
	size_t n = t.len ? utf8_words(t) : 0;

	for (size_t i = 0; i < t.len; i++)
		n += t.at[i] == '\n';
	return n;
}

static size_t member_cost(struct text t) { return t.at ? 1 + cost(t) : 0; }

static struct text first_words(struct arena *a, struct text t, size_t words)
{
	if (!t.len || cost(t) <= words)
		return t;
	size_t end = utf8_word_at(t, words);
	/* Line ends count too, so use fewer words if there are many. */
	while (words && cost(text_slice(t, 0, end)) > words)
		end = utf8_word_at(t, --words);
	return text_format(a, "%.*s…", TEXT_ARGS(text_trim(text_slice(t, 0, end))));
}

/* Drops words at the start until at most `words` are left. A quotation mark before the first word stays. */
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

static size_t step_cost(const struct step *s)
{
	return member_cost(s->id) + member_cost(s->type) + member_cost(s->title) + member_cost(s->location) +
	       member_cost(s->time) + member_cost(s->pov) + member_cost(s->summary);
}

struct telling {
	struct call *c;
	const struct book *book;
	uint32_t node;
	size_t share; /* maximum for one summary */
	size_t left;  /* what is left of the budget */
	struct writing_answer *answer;
};

enum { NAME_WORDS = 12 }; /* of a title, a place, a time, a name */

/* Shortens a step as much as necessary. Returns false if it still does not fit into `room`. */
static bool step_fit(struct telling *t, struct step *s, size_t room)
{
	struct arena *a = t->c->arena;

	s->title = first_words(a, s->title, NAME_WORDS);
	s->location = first_words(a, s->location, NAME_WORDS);
	s->time = first_words(a, s->time, NAME_WORDS);
	s->pov = first_words(a, s->pov, NAME_WORDS);
	s->summary = first_words(a, s->summary, t->share);
	if (step_cost(s) > room && s->summary.at) {
		size_t frame = step_cost(s) - cost(s->summary);
		if (frame < room)
			s->summary = first_words(a, s->summary, room - frame);
	}
	return step_cost(s) <= room;
}

static bool step_taken(struct telling *t, struct step *s, size_t room)
{
	if (!step_fit(t, s, room < t->left ? room : t->left)) {
		t->answer->left_out++;
		return false;
	}
	t->left -= step_cost(s);
	return true;
}

static void tell_path(struct telling *t)
{
	struct objects above = steps_above(t->c->arena, t->book, t->node);
	struct step *steps = above.items;
	size_t from = above.n;

	while (from && step_taken(t, &steps[from - 1], t->left))
		from--;
	t->answer->left_out += (int64_t)(from ? from - 1 : 0);
	t->answer->path = (struct objects){steps + from, above.n - from};
}

static const struct step *tell_one(struct telling *t, uint32_t node)
{
	if (node == BOOK_NONE)
		return NULL;
	struct step *s = arena_new(t->c->arena, struct step);
	*s = step_of(t->c->arena, t->book, node);
	return step_taken(t, s, t->left) ? s : NULL;
}

/* The next node in the book that is neither a parent of this one nor inside it. */
static uint32_t following(const struct book *b, uint32_t node)
{
	for (; node != BOOK_NONE; node = b->nodes[node].parent)
		if (sibling_behind(b, node) != BOOK_NONE)
			return sibling_behind(b, node);
	return BOOK_NONE;
}

static uint32_t preceding(const struct book *b, uint32_t node)
{
	for (uint32_t i = node; i-- > 0;)
		if (b->nodes[i].level == b->nodes[node].level)
			return i;
	return BOOK_NONE;
}

static void tell_prose(struct telling *t, size_t words)
{
	const struct book *b = t->book;
	struct arena *a = t->c->arena;
	struct buffer out = {.arena = a};
	const struct node *n = &b->nodes[t->node];
	uint32_t end = n->level == LEVEL_PARAGRAPH ? t->node : n->after, first = end;
	size_t have = 0, most = t->left * 2 / 3;

	words = words < most ? words : most;
	for (uint32_t i = end; i-- > 0 && have < words;)
		if (b->nodes[i].level == LEVEL_PARAGRAPH) {
			have += utf8_words(node_shown_prose(a, b, i));
			first = i;
		}
	for (uint32_t i = first; i < end; i++) {
		if (b->nodes[i].level != LEVEL_PARAGRAPH || !paragraph_is_written(b, i))
			continue;
		if (out.len)
			buffer_put(&out, "\n\n");
		render_paragraph(&out, a, b, i, true);
	}
	struct text prose = last_words(buffer_text(&out), words);
	while (cost(prose) > most) /* many short lines */
		prose = last_words(prose, utf8_words(prose) - (cost(prose) - most + 1) / 2);
	t->answer->prose_before = prose;
	t->left -= cost(prose);
}

/* A writer does not need more, and a long book must not fill the result. */
enum { NEIGHBOURS = 10 };

/* Takes the nearest first, from both sides. They are shown in their order. */
static void tell_siblings(struct telling *t)
{
	const struct book *b = t->book;
	struct arena *a = t->c->arena;
	uint32_t nodes[2 * NEIGHBOURS + 1], n = 0, at = 0, self = 0;
	size_t room = t->left / 2;

	if (!t->node)
		return;
	uint32_t parent = b->nodes[t->node].parent, place = book_place(b, t->node);
	for (uint32_t i = parent + 1; i < b->nodes[parent].after; i = b->nodes[i].after, at++)
		if (at + NEIGHBOURS >= place && at <= place + NEIGHBOURS) {
			self = i == t->node ? n : self;
			nodes[n++] = i;
		}
	struct step *steps = arena_array(a, n, sizeof *steps), *list = arena_array(a, n, sizeof *list);
	bool *told = arena_array(a, n, sizeof *told);
	for (uint32_t distance = 0, side = 0; distance <= NEIGHBOURS; distance += side, side = !side) {
		uint32_t i = side ? self + distance : self - distance;
		if (i >= n || told[i] || (side && !distance))
			continue;
		steps[i] = step_of(a, b, nodes[i]);
		size_t before = t->left;
		told[i] = step_taken(t, &steps[i], room);
		room -= before - t->left;
	}
	size_t count = 0;
	for (uint32_t i = 0; i < n; i++)
		if (told[i])
			list[count++] = steps[i];
	t->answer->siblings = (struct objects){list, count};
}

static struct known known_of(struct telling *t, const struct bible *b, const struct bible_entry *e)
{
	struct arena *a = t->c->arena;
	struct known k = {
		.name = e->name, .aliases = e->aliases, .prose = first_words(a, bible_prose(a, b, e), t->share)};

	if (!k.prose.len)
		k.prose = (struct text){0};
	if (e->section != BIBLE_NONE)
		k.section = b->sections.items[e->section].name;
	k.facts.items = arena_array(a, (size_t)e->facts + 1, sizeof *k.facts.items);
	for (uint32_t i = 0; i < e->facts; i++) {
		const struct bible_fact *f = &b->facts.items[e->first_fact + i];
		enum evidence state = bible_evidence(a, f, t->book);
		struct text text = f->text;
		if (state == EVIDENCE_CHANGED || state == EVIDENCE_GONE)
			text = text_format(a, "%.*s (evidence %s)", TEXT_ARGS(text), evidence_names[state]);
		k.facts.items[k.facts.n++] = text;
	}
	return k;
}

static size_t known_cost(const struct known *k)
{
	size_t n = 2 + member_cost(k->section) + member_cost(k->name) + member_cost(k->prose);

	for (size_t i = 0; i < k->aliases.n; i++)
		n += cost(k->aliases.items[i]);
	for (size_t i = 0; i < k->facts.n; i++)
		n += cost(k->facts.items[i]);
	return n;
}

/* A text in which names of entries are searched. An attribute names a person without capitals: "mira". */
struct naming {
	struct text text;
	bool is_attribute;
};

/* Those texts, the nearest first. */
static size_t namings(struct telling *t, struct naming *to, size_t most)
{
	struct arena *a = t->c->arena;
	const struct book *b = t->book;
	size_t n = 0;

	for (uint32_t i = t->node; i != BOOK_NONE && n + 4 <= most; i = b->nodes[i].parent) {
		struct step s = step_of(a, b, i);
		struct buffer all = {.arena = a};
		const struct text parts[] = {s.summary, s.title, s.location};
		for (size_t k = 0; k < ARRAY_COUNT(parts); k++) {
			buffer_add(&all, parts[k]);
			buffer_byte(&all, '\n');
		}
		if (i == t->node && b->nodes[i].level == LEVEL_PARAGRAPH)
			buffer_add(&all, node_shown_prose(a, b, i));
		if (i == t->node)
			for (uint32_t k = i + 1; k < b->nodes[i].after; k = b->nodes[k].after) {
				buffer_add(&all, node_summary(a, b, k));
				buffer_byte(&all, '\n');
			}
		if (i == 0 && t->node) /* before the summary of the whole book */
			to[n++] = (struct naming){t->answer->prose_before, false};
		to[n++] = (struct naming){buffer_text(&all), false};
		to[n++] = (struct naming){loose_text(a, s.pov), true};
		to[n++] = (struct naming){loose_text(a, node_attribute(a, b, i, "char")), true};
	}
	return n;
}

enum { BIBLE_ENTRIES = 40, NAMINGS = 4 * LEVELS };

struct bible_telling {
	struct telling *t;
	const struct bible *bible;
	bool *told;
	struct known *list;
	size_t room;
};

static void tell_entry(struct bible_telling *e, size_t entry)
{
	struct telling *t = e->t;

	if (e->told[entry])
		return;
	e->told[entry] = true;
	struct known one = known_of(t, e->bible, &e->bible->entries.items[entry]);
	while (known_cost(&one) > e->room && one.facts.n) { /* the last facts are dropped first */
		one.facts.n--;
		one.prose = (struct text){0};
	}
	if (known_cost(&one) > e->room || t->answer->bible.n == BIBLE_ENTRIES) {
		t->answer->left_out++;
		return;
	}
	e->room -= known_cost(&one);
	t->left -= known_cost(&one);
	e->list[t->answer->bible.n++] = one;
}

/* A word at the start of a sentence is no name if it also occurs with a small letter: "Long ago", "a long day". */
static void tell_mentioned(struct bible_telling *e, struct mentions *m, struct text text)
{
	struct words words = {0};

	words_split(&words, e->t->c->arena, text);
	mentions_read(m, text, &words);
	for (size_t i = 0; i < m->found.n; i++)
		if (!m->found.items[i].is_doubtful || !m->small_words.items[m->found.items[i].small])
			tell_entry(e, m->found.items[i].entry);
}

static void tell_bible(struct telling *t, const struct bible *b)
{
	struct arena *a = t->c->arena;
	struct naming texts[NAMINGS];
	size_t n = b ? namings(t, texts, NAMINGS) : 0;
	struct mentions *m = b ? mentions_new(a, b) : NULL;
	struct bible_telling e = {.t = t,
				  .bible = b,
				  .told = arena_array(a, b ? b->entries.n + 1 : 1, sizeof *e.told),
				  .list = arena_array(a, BIBLE_ENTRIES, sizeof *e.list),
				  .room = t->left / 2};

	t->answer->bible.items = e.list;
	for (size_t k = 0; k < n; k++) {
		if (!texts[k].is_attribute)
			tell_mentioned(&e, m, texts[k].text);
		for (size_t i = 0; texts[k].is_attribute && texts[k].text.len && i < b->entries.n; i++)
			if (!e.told[i] && names_stand_in(bible_names(a, b, &b->entries.items[i]), texts[k].text))
				tell_entry(&e, i);
	}
}

enum { SEEN_MAX = 20 };

static void see(struct telling *t, struct text name, uint32_t at, size_t *room)
{
	uint32_t sequence = above_at(t->book, at, LEVEL_SEQUENCE);
	struct seen *list = t->answer->last_seen.items;
	size_t *n = &t->answer->last_seen.n;

	name = text_trim(name);
	if (!name.len || sequence == BOOK_NONE || *n == SEEN_MAX)
		return;
	for (size_t i = 0; i < *n; i++)
		if (text_same(list[i].name, name))
			return;
	struct arena *a = t->c->arena;
	struct seen s = {first_words(a, name, NAME_WORDS),
			 first_words(a, node_place_name(a, t->book, sequence), NAME_WORDS),
			 book_id(a, t->book, sequence)};
	size_t words = member_cost(s.name) + member_cost(s.location) + member_cost(s.id);
	if (words > *room) {
		*room = 0;
		return;
	}
	*room -= words;
	t->left -= words;
	list[(*n)++] = s;
}

/* The last place of each character. The character seen last comes first. */
static void tell_seen(struct telling *t)
{
	const struct book *b = t->book;
	size_t room = t->left / 4;

	t->answer->last_seen.items = arena_array(t->c->arena, SEEN_MAX, sizeof(struct seen));
	for (uint32_t i = t->node; i-- > 0 && room && t->answer->last_seen.n < SEEN_MAX;) {
		if (b->nodes[i].level == LEVEL_PARAGRAPH)
			see(t, node_attribute(t->c->arena, b, i, "char"), i, &room);
		if (b->nodes[i].level == LEVEL_SEQUENCE && b->nodes[i].after <= t->node)
			see(t, node_pov(t->c->arena, b, i), i, &room);
	}
}

/* From the node back to the start: sequences of this chapter and the one before it, beats of the previous sequence, and
 * only chapters of the rest. Nodes that the result shows elsewhere (parents and siblings) are skipped. */
static void tell_story(struct telling *t)
{
	struct arena *a = t->c->arena;
	const struct book *b = t->book;
	uint32_t node = t->node, chapter = above_at(b, node, LEVEL_CHAPTER), before = BOOK_NONE, near = BOOK_NONE;
	ARRAY(struct step) list = {0};
	bool is_full = false;

	t->share = t->left; /* the nearest node is shown in full */
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
		/* A distant node must not be shown if a nearer one is left out. */
		if (is_full) {
			t->answer->left_out++;
			continue;
		}
		struct step s = step_of(a, b, i);
		is_full = !step_taken(t, &s, t->left);
		if (!is_full)
			*ARRAY_PUSH(a, &list) = s;
	}
	for (size_t i = 0; i < list.n / 2; i++) {
		struct step s = list.items[i];
		list.items[i] = list.items[list.n - 1 - i];
		list.items[list.n - 1 - i] = s;
	}
	t->answer->story_so_far = (struct objects){list.items, list.n};
}

/* The names of all members, where story_so_far is three words, and the values of id, type, next_call (three words),
 * left_out and revision. */
enum { FRAME_WORDS = 30 };

static bool get_writing_context(struct call *c, const void *in, void *out)
{
	static const char *const calls[LEVELS] = {"create_chapter", "create_sequence", "create_beat",
						  "create_paragraph", "edit_node_attributes"};
	const struct writing_args *args = in;
	struct writing_answer *answer = out;
	struct opened o;
	uint32_t node;

	if (!book_read(c, args->file_path, &o) || !book_node(c, &o, args->node_id, &node))
		return false;
	const struct book *b = o.book;
	struct arena *a = c->arena;
	*answer = (struct writing_answer){
		.id = book_id(a, b, node),
		.type = text_of(level_names[b->nodes[node].level]),
		.pov = first_words(a, node_pov(a, b, node), NAME_WORDS),
		.next_call = text_of(calls[b->nodes[node].level]),
	};
	struct telling t = {.c = c, .book = b, .node = node, .answer = answer};
	t.left = (size_t)args->budget - FRAME_WORDS - cost(answer->pov);
	t.share = t.left / 8;
	answer->summary = first_words(a, node_summary(a, b, node), t.left / 4);
	t.left -= cost(answer->summary);
	tell_path(&t);
	answer->preceding = tell_one(&t, preceding(b, node));
	answer->following = tell_one(&t, following(b, node));
	tell_prose(&t, (size_t)args->words);
	tell_siblings(&t);
	tell_bible(&t, bible_look(c, args->file_path));
	tell_seen(&t);
	tell_story(&t);
	return true;
}

const struct tool hnpx_writing_tools[] = {
	TOOL("get_writing_context", "What to know before writing",
	     "Returns what to know before writing a node: the summaries above and beside it, point of view, the story so "
	     "far, who was where, bible entries, the prose before it, what follows.",
	     TOOL_READS, struct writing_args, writing_in, struct writing_answer, writing_out, get_writing_context,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"u1v7w3\"}"),
	TOOLS_END,
};
