/* revise.c: changes attributes, summaries and prose of existing nodes. */
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

struct edit_args {
	struct text file_path, node_id;
	const struct json *attributes;
};
struct edit_answer {
	struct text id, type;
	const struct json *attributes;
	struct text summary;
	struct texts changed;
};

static const struct field edit_in[] = {
	FILE_PATH(struct edit_args),
	NODE_ID(struct edit_args, "Node id, or \"book\""),
	FIELD(struct edit_args, attributes, MAP, FIELD_REQUIRED,
	      "New values; null removes. chapter: title, pov; sequence: loc, time, pov; paragraph: mode, char, text; "
	      "any node: summary"),
	FIELDS_END,
};
static const struct field edit_out[] = {
	FIELD(struct edit_answer, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct edit_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct edit_answer, attributes, TEXT_MAP, FIELD_REQUIRED, "All its attributes after the edit"),
	FIELD(struct edit_answer, summary, TEXT, 0, "The summary, where it was changed"),
	FIELD(struct edit_answer, changed, TEXTS, FIELD_REQUIRED, "The names whose values are new"),
	FIELDS_END,
};

enum { EDITS_MAX = 8 }; /* no level has more than five attributes */

struct edit {
	struct opened opened;
	uint32_t node;
	int level;
	struct attribute_edit list[EDITS_MAX];
	size_t n;
	struct text summary, text; /* absent: not named */
};

static struct json *details_for(struct call *c, const struct opened *o, uint32_t node, const char *name)
{
	struct json *details = details_of(c, o->path);

	json_set_text(c->arena, details, "node_id", book_id(c->arena, o->book, node));
	if (name)
		json_set_text(c->arena, details, "attribute", text_of(name));
	return details;
}

/* A JSON value as an attribute value; absent to remove the attribute. Returns false for other types. */
static bool value_of(struct arena *a, const struct json *v, struct text *out)
{
	*out = (struct text){0};
	switch ((enum json_type)v->type) {
	case JSON_NULL: return true;
	case JSON_STRING:
		if (v->len)
			*out = json_text(v);
		return true;
	case JSON_BOOL:
	case JSON_INT:
	case JSON_REAL: *out = json_source(a, v); return true;
	case JSON_ARRAY:
	case JSON_OBJECT: break;
	}
	return false;
}

static bool refuse_name(struct call *c, const struct edit *e, struct text name)
{
	struct json *details = details_for(c, &e->opened, e->node, shown(c, name)), *allowed = json_new_array(c->arena);

	for (const char *const *word = level_rules[e->level].attributes; *word; word++)
		json_push(c->arena, allowed, json_new_text(c->arena, text_of(*word)));
	json_push(c->arena, allowed, json_new_text(c->arena, TEXT("summary")));
	if (e->level == LEVEL_PARAGRAPH)
		json_push(c->arena, allowed, json_new_text(c->arena, TEXT("text")));
	json_set(c->arena, details, "allowed", allowed);
	return book_refuse(c, details, "INVALID_ATTRIBUTE",
			   "A %s has no attribute %s; it may have %s, and the key summary%s", level_names[e->level],
			   shown(c, name), level_rules[e->level].listed, e->level == LEVEL_PARAGRAPH ? " or text" : "");
}

static bool add_edit(struct call *c, struct edit *e, const char *name, struct text value)
{
	for (size_t i = 0; i < e->n; i++) {
		if (!text_is(text_of(e->list[i].name), name))
			continue;
		if (text_same(e->list[i].value, value))
			return true;
		return book_refuse(c, details_for(c, &e->opened, e->node, name), "INVALID_ATTRIBUTE",
				   "loc and location are one attribute and were given two values; give one of them");
	}
	if (e->n < EDITS_MAX)
		e->list[e->n++] = (struct attribute_edit){name, value};
	return true;
}

/* Takes one key of the object as an attribute edit, the summary or the text. */
static bool take_key(struct call *c, struct edit *e, struct text key, const struct json *v)
{
	const struct book *b = e->opened.book;
	struct text value;

	if (text_is(key, "id")) {
		/* Models send back what get_node returned, so accept an unchanged id. */
		if (text_same(json_text(v), book_id(c->arena, b, e->node)))
			return true;
		return book_refuse(c, details_for(c, &e->opened, e->node, "id"), "READ_ONLY",
				   "The id of a node cannot be changed; leave id out");
	}
	if (!value_of(c->arena, v, &value))
		return book_refuse(c, details_for(c, &e->opened, e->node, shown(c, key)), "INVALID_ATTRIBUTE",
				   "%s must be a text, not an %s", shown(c, key), json_type_name(v));
	if (text_is(key, "summary")) {
		e->summary = value.at ? value : TEXT("");
		return true;
	}
	if (text_is(key, "text") && e->level == LEVEL_PARAGRAPH) {
		e->text = value.at ? value : TEXT("");
		return true;
	}
	if (!level_allows(e->level, key))
		return refuse_name(c, e, key);
	if (e->level == LEVEL_SEQUENCE && (text_is(key, "loc") || text_is(key, "location")))
		return add_edit(c, e, b->nodes[e->node].flags & NODE_LOCATION ? "location" : "loc", value);
	for (const char *const *name = level_rules[e->level].attributes; *name; name++)
		if (text_is(key, *name))
			return add_edit(c, e, *name, value);
	return true;
}

/* The value of an attribute after the edit. */
static struct text merged(struct call *c, const struct edit *e, const char *name)
{
	for (size_t i = 0; i < e->n; i++)
		if (text_is(text_of(e->list[i].name), name))
			return e->list[i].value;
	return node_attribute(c->arena, e->opened.book, e->node, name);
}

static bool is_edited(const struct edit *e, const char *name)
{
	for (size_t i = 0; i < e->n; i++)
		if (text_is(text_of(e->list[i].name), name))
			return true;
	return false;
}

static bool check_title(struct call *c, const struct edit *e)
{
	const struct book *b = e->opened.book;
	struct text title = merged(c, e, "title");

	if (text_is_blank(title))
		return book_refuse(c, details_for(c, &e->opened, e->node, "title"), "MISSING_ATTRIBUTE",
				   "A chapter cannot be without title; give another one, or leave title out");
	/* An existing duplicate title may stay; a new one is refused. */
	if (!is_edited(e, "title") || text_same(title, node_attribute(c->arena, b, e->node, "title")))
		return true;
	for (uint32_t i = 1; i < b->n; i = b->nodes[i].after)
		if (i != e->node && text_same(title, node_attribute(c->arena, b, i, "title"))) {
			struct json *details = details_for(c, &e->opened, i, "title");
			json_set_text(c->arena, details, "title", text_of(shown(c, title)));
			json_set_text(c->arena, details, "hint", TEXT("choose another title"));
			return book_refuse(c, details, "VALIDATION_FAILED", "Chapter title must be unique within book");
		}
	return true;
}

static bool check_paragraph(struct call *c, const struct edit *e)
{
	struct text mode = merged(c, e, "mode");

	if (mode.at && mode_named(mode) < 0) {
		struct json *details = details_for(c, &e->opened, e->node, "mode"), *allowed = json_new_array(c->arena);
		for (int i = 0; i < MODES; i++)
			json_push(c->arena, allowed, json_new_text(c->arena, text_of(mode_names[i])));
		json_set(c->arena, details, "allowed", allowed);
		return book_refuse(c, details, "INVALID_ATTRIBUTE",
				   "mode must be narration, dialogue or internal, not %s", shown(c, mode));
	}
	if (text_is(mode, "dialogue") && text_is_blank(merged(c, e, "char"))) {
		struct json *details = details_for(c, &e->opened, e->node, "char");
		json_set_text(c->arena, details, "hint", TEXT("give char in the same call"));
		return book_refuse(c, details, "MISSING_CHAR",
				   "A dialogue paragraph needs char, the name of who speaks");
	}
	if (e->text.at && text_is_blank(e->text))
		return book_refuse(c, details_for(c, &e->opened, e->node, "text"), "MISSING_ATTRIBUTE",
				   "The text of a paragraph must not be empty; remove_node removes the paragraph");
	return true;
}

static bool check_new_summary(struct call *c, const struct opened *o, uint32_t node, struct text summary)
{
	const struct node *n = &o->book->nodes[node];

	if (text_is_blank(summary))
		return book_refuse(c, details_for(c, o, node, "summary"), "EMPTY_SUMMARY",
				   "The summary of a %s must not be empty; say in a sentence what belongs in it",
				   level_names[n->level]);
	if (n->summary == n->summary_to)
		return book_refuse(c, details_for(c, o, node, "summary"), "INVALID_ATTRIBUTE",
				   "The paragraphs of this file have no summaries; edit its text instead");
	return writable_words(c, o->path, "summary", summary);
}

static bool check_edit(struct call *c, const struct edit *e)
{
	struct text path = e->opened.path;

	if (e->level == LEVEL_CHAPTER && !check_title(c, e))
		return false;
	if (e->level == LEVEL_SEQUENCE && text_is_blank(merged(c, e, "loc")) && text_is_blank(merged(c, e, "location")))
		return book_refuse(c, details_for(c, &e->opened, e->node, "loc"), "MISSING_ATTRIBUTE",
				   "A sequence cannot be without loc; give another one, or leave loc out");
	if (e->level == LEVEL_PARAGRAPH && !check_paragraph(c, e))
		return false;
	if (e->summary.at && !check_new_summary(c, &e->opened, e->node, e->summary))
		return false;
	for (size_t i = 0; i < e->n; i++)
		if (e->list[i].value.at && !writable_attribute(c, path, e->list[i].name, e->list[i].value))
			return false;
	return writable_words(c, path, "text", e->text);
}

/* Prose with the author's own layout is shown trimmed. Getting it back trimmed is not a change either. */
static bool says_already(struct call *c, const struct book *b, uint32_t paragraph, struct text prose)
{
	return text_same(prose, node_prose(c->arena, b, paragraph).text) ||
	       text_same(prose, node_shown_prose(c->arena, b, paragraph));
}

/* Plans the changes; their names are returned in the result. */
static void plan_edit(struct call *c, const struct edit *e, struct edits *plan, struct texts *changed)
{
	const struct book *b = e->opened.book;

	changed->items = arena_array(c->arena, EDITS_MAX + 2, sizeof *changed->items);
	for (size_t i = 0; i < e->n; i++) {
		struct text old = node_attribute(c->arena, b, e->node, e->list[i].name);
		if (!text_same(old, e->list[i].value) || !old.at != !e->list[i].value.at)
			changed->items[changed->n++] = text_of(e->list[i].name);
	}
	if (changed->n)
		edits_attributes(plan, e->node, e->list, e->n);
	if (e->summary.at && !text_same(e->summary, node_summary(c->arena, b, e->node))) {
		changed->items[changed->n++] = TEXT("summary");
		edits_summary(plan, e->node, e->summary);
	}
	if (e->text.at && !says_already(c, b, e->node, e->text)) {
		changed->items[changed->n++] = TEXT("text");
		edits_prose(plan, e->node, e->text);
	}
}

static const struct json *attributes_after(struct call *c, const struct edit *e)
{
	struct json *all = json_new_object(c->arena);
	struct xml_attribute *there;
	size_t n = node_attributes(c->arena, e->opened.book, e->node, &there);

	for (size_t i = 0; i < n; i++) {
		const char *name = text_string(c->arena, there[i].name);
		struct text value = merged(c, e, name);
		if (value.at)
			json_set_text(c->arena, all, name, value);
	}
	for (size_t i = 0; i < e->n; i++)
		if (e->list[i].value.at)
			json_set_text(c->arena, all, e->list[i].name, e->list[i].value);
	return all;
}

static bool edit_node_attributes(struct call *c, const void *in, void *out)
{
	const struct edit_args *args = in;
	struct edit_answer *answer = out;
	struct edit e = {0};

	if (!book_change(c, args->file_path, &e.opened) || !book_node(c, &e.opened, args->node_id, &e.node))
		return false;
	const struct book *b = e.opened.book;
	e.level = b->nodes[e.node].level;
	/* Check the id first: it is read-only, whatever else the object contains. */
	const struct json *id = json_get(args->attributes, "id");
	if (id && !take_key(c, &e, TEXT("id"), id))
		return false;
	for (uint32_t i = 0; i < args->attributes->len; i++) {
		const struct json_member *m = &args->attributes->members[i];
		if (!take_key(c, &e, (struct text){m->key, m->key_len}, &m->value))
			return false;
	}
	if (!check_edit(c, &e))
		return false;
	struct edits plan = {.arena = c->arena, .book = b};
	plan_edit(c, &e, &plan, &answer->changed);
	if (!book_commit(c, &e.opened, &plan, "edit_node_attributes: %s", book_named_node(c, b, e.node)))
		return false;
	answer->id = book_id(c->arena, b, e.node);
	answer->type = text_of(level_names[e.level]);
	answer->attributes = attributes_after(c, &e);
	answer->summary = e.summary;
	return true;
}

struct words_args {
	struct text file_path, id, words;
};
struct words_answer {
	struct text id, type;
	bool changed;
};

static const struct field summary_in[] = {
	FILE_PATH(struct words_args),
	FIELD_AS("node_id", struct words_args, id, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "Node id, or \"book\""),
	FIELD_AS("new_summary", struct words_args, words, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "Plain text"),
	FIELDS_END,
};
static const struct field prose_in[] = {
	FILE_PATH(struct words_args),
	FIELD_AS("paragraph_id", struct words_args, id, TEXT, FIELD_REQUIRED | FIELD_EMPTY | FIELD_TERSE,
		 "Id of the paragraph"),
	FIELD_AS("new_text", struct words_args, words, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "The new prose, all of it"),
	FIELDS_END,
};
static const struct field words_out[] = {
	FIELD(struct words_answer, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct words_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct words_answer, changed, FLAG, FIELD_REQUIRED, "False: it said just that already"),
	FIELDS_END,
};

static void answer_words(struct call *c, const struct opened *o, uint32_t node, bool changed,
			 struct words_answer *answer)
{
	*answer = (struct words_answer){book_id(c->arena, o->book, node),
					text_of(level_names[o->book->nodes[node].level]), changed};
}

static bool edit_summary(struct call *c, const void *in, void *out)
{
	const struct words_args *args = in;
	struct opened o;
	uint32_t node;

	if (!book_change(c, args->file_path, &o) || !book_node(c, &o, args->id, &node) ||
	    !check_new_summary(c, &o, node, args->words))
		return false;
	struct edits plan = {.arena = c->arena, .book = o.book};
	bool changed = !text_same(args->words, node_summary(c->arena, o.book, node));
	if (changed)
		edits_summary(&plan, node, args->words);
	answer_words(c, &o, node, changed, out);
	return book_commit(c, &o, &plan, "edit_summary: %s", book_named_node(c, o.book, node));
}

static bool edit_paragraph_text(struct call *c, const void *in, void *out)
{
	const struct words_args *args = in;
	struct edit e = {.level = LEVEL_PARAGRAPH};
	struct opened *o = &e.opened;

	if (!book_change(c, args->file_path, o) || !book_node(c, o, args->id, &e.node))
		return false;
	int level = o->book->nodes[e.node].level;
	if (level != LEVEL_PARAGRAPH) {
		struct json *details = details_for(c, o, e.node, NULL);
		json_set_text(c->arena, details, "expected", TEXT("paragraph"));
		json_set_text(c->arena, details, "actual", text_of(level_names[level]));
		details_advise(c, details, "edit_summary changes the summary of any node");
		return book_refuse(c, details, "INVALID_HIERARCHY", "Only a paragraph has text, and %s is a %s",
				   shown(c, args->id), level_names[level]);
	}
	e.text = args->words;
	if (!check_paragraph(c, &e) || !writable_words(c, o->path, "new_text", args->words))
		return false;
	struct edits plan = {.arena = c->arena, .book = o->book};
	bool changed = !says_already(c, o->book, e.node, args->words);
	if (changed)
		edits_prose(&plan, e.node, args->words);
	answer_words(c, o, e.node, changed, out);
	return book_commit(c, o, &plan, "edit_paragraph_text: %s", book_named_node(c, o->book, e.node));
}

const struct tool hnpx_revise_tools[] = {
	TOOL("edit_node_attributes", "Edit a node",
	     "Changes attributes of a node, its summary, or a paragraph's text; the others stay. All or nothing.",
	     TOOL_WRITES | TOOL_IDEMPOTENT | TOOL_DELETES, struct edit_args, edit_in, struct edit_answer, edit_out,
	     edit_node_attributes,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"book\",\"attributes\":{\"summary\":\"A mage looks "
			"for her past.\"}}"),
	TOOL("edit_summary", "Edit a summary", "Replaces the summary of a node.",
	     TOOL_WRITES | TOOL_IDEMPOTENT | TOOL_DELETES, struct words_args, summary_in, struct words_answer,
	     words_out, edit_summary,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"k9p3q1\",\"new_summary\":\"Mira learns to "
			"listen.\"}"),
	TOOL("edit_paragraph_text", "Edit a paragraph",
	     "Replaces the prose of a paragraph. For a few words use replace_text.",
	     TOOL_WRITES | TOOL_IDEMPOTENT | TOOL_DELETES, struct words_args, prose_in, struct words_answer, words_out,
	     edit_paragraph_text,
	     .example = "{\"file_path\":\"novel.hnpx\",\"paragraph_id\":\"z5y2x4\",\"new_text\":\"She went on.\"}"),
	TOOLS_END,
};
