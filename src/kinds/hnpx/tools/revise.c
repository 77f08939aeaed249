/* revise.c: changes attributes, summaries and prose of existing nodes. */
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/story/split.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

struct edit_args {
	struct text file_path, node_id;
	const struct json *attributes;
	struct text split_at;
};
struct edit_answer {
	struct text id, type;
	const struct json *attributes;
	struct text summary;
	struct texts changed;
	struct text new_id;
};

static const struct field edit_in[] = {
	FILE_PATH(struct edit_args),
	NODE_ID(struct edit_args, "Id, or \"book\""),
	FIELD(struct edit_args, attributes, MAP, FIELD_REQUIRED,
	      "null removes. chapter: title, pov; sequence: loc, time, pov; paragraph: mode, char, text; any: summary"),
	FIELD(struct edit_args, split_at, TEXT, 0,
	      "Cut a paragraph before these words, a beat before this id; attributes: the new part's summary"),
	FIELDS_END,
};
static const struct field edit_out[] = {
	FIELD(struct edit_answer, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct edit_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct edit_answer, attributes, TEXT_MAP, FIELD_REQUIRED, "All its attributes after the edit"),
	FIELD(struct edit_answer, summary, TEXT, 0, "The summary, where it was changed"),
	FIELD(struct edit_answer, changed, TEXTS, FIELD_REQUIRED, "The names whose values are new"),
	FIELD(struct edit_answer, new_id, TEXT, 0, "Split: id of the second part"),
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

/* The second part gets the summary and keeps the attributes. */
static bool split_node(struct call *c, const struct edit_args *args, struct edit_answer *answer)
{
	const struct json *summary = json_get(args->attributes, "summary");
	struct text words = summary && summary->type == JSON_STRING ? json_text(summary) : TEXT("");
	struct edit e = {0};

	if (args->attributes->len > (summary != NULL))
		return book_refuse(c, details_of(c, args->file_path), "INVALID_ATTRIBUTE",
				   "With split_at, attributes holds only summary, that of the second part");
	if (!book_read(c, args->file_path, &e.opened) || !book_node(c, &e.opened, args->node_id, &e.node))
		return false;
	answer->id = book_id(c->arena, e.opened.book, e.node);
	answer->type = text_of(level_names[e.opened.book->nodes[e.node].level]);
	answer->attributes = attributes_after(c, &e);
	return book_split(c, args->file_path, args->node_id, args->split_at, words, &answer->new_id);
}

static bool edit_node_attributes(struct call *c, const void *in, void *out)
{
	const struct edit_args *args = in;
	struct edit_answer *answer = out;
	struct edit e = {0};

	if (args->split_at.at)
		return split_node(c, args, answer);
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

const struct tool hnpx_revise_tools[] = {
	TOOL("edit_node_attributes", "Edit a node",
	     "Changes a node's attributes and summary, and a paragraph's text. Others stay.",
	     TOOL_WRITES | TOOL_DELETES, struct edit_args, edit_in, struct edit_answer, edit_out, edit_node_attributes,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"book\",\"attributes\":{\"summary\":\"A mage looks "
			"for her past.\"}}"),
	TOOLS_END,
};
