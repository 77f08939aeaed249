/* Footnotes: lists them with the numbers that a reader sees, adds, changes and deletes them. */
#include "kinds/docx/annotate/anchor.h"
#include "kinds/docx/annotate/note.h"
#include "kinds/docx/annotate/tools.h"
#include "kinds/docx/text/excerpt.h"

void annotation_run(struct buffer *to, const struct names *names, struct text properties, struct text words)
{
	names_open(to, names, "r");
	buffer_byte(to, '>');
	buffer_add(to, properties);
	for (size_t at = 0; at <= words.len;) {
		size_t end = text_find(words, TEXT("\n"), at);
		struct text line = text_slice(words, at, end == SIZE_MAX ? words.len : end);
		if (at) {
			names_open(to, names, "br");
			buffer_put(to, "/>");
		}
		names_open(to, names, "t");
		buffer_put(to, " xml:space=\"preserve\">");
		xml_escape(to, line, false);
		names_close(to, names, "t");
		at = end == SIZE_MAX ? words.len + 1 : end + 1;
	}
	names_close(to, names, "r");
}

struct notes_args {
	struct target target;
	int64_t offset, limit;
};
static const struct field notes_in[] = {
	TARGET_FIELDS(struct notes_args),
	FIELD(struct notes_args, offset, INT, 0, "Footnotes to skip", .limits = AT_LEAST(0), .otherwise = "0"),
	FIELD(struct notes_args, limit, INT, 0, "Footnotes to return", .limits = BETWEEN(1, 200), .otherwise = "100"),
	FIELDS_END,
};
struct note_row {
	int64_t note_id, display_number;
	struct text text, para_id;
};
static const struct field note_fields[] = {
	FIELD(struct note_row, note_id, INT, FIELD_REQUIRED | FIELD_TERSE, "Id"),
	FIELD(struct note_row, display_number, INT, FIELD_REQUIRED | FIELD_TERSE, "Number that a reader sees"),
	FIELD(struct note_row, text, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Text"),
	FIELD(struct note_row, para_id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Paragraph that refers to it"),
	FIELDS_END,
};
static const struct shape note_shape = SHAPE(struct note_row, "footnote", note_fields);
struct notes_answer {
	struct session_facts session;
	int64_t total;
	struct maybe_int next_offset;
	struct objects footnotes;
};
static const struct field notes_out[] = {
	SESSION_FIELDS(struct notes_answer),
	FIELD(struct notes_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Footnotes in all"),
	FIELD(struct notes_answer, next_offset, MAYBE_INT, FIELD_TERSE, "Offset of the next page"),
	FIELD(struct notes_answer, footnotes, OBJECTS, FIELD_REQUIRED | FIELD_TERSE,
	      "Footnotes, in the order of reading", .shape = &note_shape),
	FIELDS_END,
};

static bool get_footnotes(struct call *c, const void *in, void *out)
{
	const struct notes_args *args = in;
	struct notes_answer *answer = out;
	struct annotations a;
	ARRAY(struct note_row) rows = {0};
	size_t room = list_room(c);
	scoped(session_leave) struct session *s = NULL;

	if (!session_enter(c, &args->target, &s, &answer->session) || !session_stories(c, s) ||
	    !annotations_read(c, s, ANNOTATION_FOOTNOTES, &a))
		return false;
	for (uint32_t p = story_next(s->body, STORY_NONE); p != STORY_NONE; p = story_next(s->body, p)) {
		int32_t *ids;
		size_t n = anchor_ids(c, s->body, p, false, &ids);
		for (size_t i = 0; i < n; i++) {
			uint32_t node = annotation_find(c, &a, ids[i]);
			if (node == XML_NONE || answer->total++ < args->offset || (int64_t)rows.n >= args->limit ||
			    !room)
				continue;
			struct text words = excerpt(c->arena, annotation_text(c, &a, node), 0);
			*ARRAY_PUSH(c->arena, &rows) =
				(struct note_row){ids[i], answer->total, words, text_of(story_id(c, s->body, p))};
			room = words.len < room ? room - words.len : 0;
		}
		if (!goes_on(c))
			return false;
	}
	if (args->offset + (int64_t)rows.n < answer->total)
		answer->next_offset = (struct maybe_int){args->offset + (int64_t)rows.n, true};
	answer->footnotes = (struct objects){rows.items, rows.n};
	return true;
}

struct note_answer {
	struct session_facts session;
	struct edit_facts edit;
	int64_t note_id;
};
static const struct field note_out[] = {
	SESSION_FIELDS(struct note_answer),
	EDIT_FIELDS(struct note_answer),
	FIELD(struct note_answer, note_id, INT, FIELD_REQUIRED | FIELD_TERSE, "Id of the footnote"),
	FIELDS_END,
};
struct add_note_args {
	struct target target;
	struct text target_paragraph_id, after_text, text;
};
static const struct field add_note_in[] = {
	TARGET_FIELDS(struct add_note_args),
	FIELD(struct add_note_args, target_paragraph_id, TEXT, FIELD_REQUIRED, "Paragraph that gets the reference"),
	FIELD(struct add_note_args, after_text, TEXT, 0, "Words it follows; default: the end of the paragraph"),
	FIELD(struct add_note_args, text, TEXT, FIELD_REQUIRED, "The footnote"),
	FIELDS_END,
};

/* The last note in the part; XML_NONE: none. */
static uint32_t last_note(struct call *c, const struct annotations *a)
{
	uint32_t last = XML_NONE;

	for (uint32_t i = xml_first(&a->f.xml, a->f.xml.root); i != XML_NONE; i = xml_next(&a->f.xml, i))
		if (a->f.tags[i] != TAG_NOT_ELEMENT && !fragment_attribute(c->arena, &a->f, i, SPACE_W, "type").at)
			last = i;
	return last;
}

static bool apply_add(struct call *c, struct session *s, const void *in, void *out)
{
	const struct add_note_args *args = in;
	struct note_answer *answer = out;
	struct annotations a;
	struct story *story;
	struct atoms t;
	uint32_t p, from, at;

	if (!session_stories(c, s) || !session_anchor(c, s, args->target_paragraph_id, &story, &p) ||
	    !story_atoms(c, story, p, &t) || !annotations_read(c, s, ANNOTATION_FOOTNOTES, &a))
		return false;
	if (story != s->body)
		return fail_as(c, "UNSUPPORTED_EDIT",
			       "footnotes can be in the body only; choose a paragraph of the body");
	at = t.len;
	if (args->after_text.at && !anchor_find(c, story, p, args->after_text, &from, &at))
		return false;
	bool is_new = !a.bytes.at;
	if (!annotations_make(c, s, &a))
		return false;
	if (is_new)
		annotations_append(c, s, &a, note_separators(c, a.names));
	int32_t id = annotation_next_id(c, s, &a);
	struct note_look look;
	struct text reference;
	if (!note_reference(c, s, &t, at, id, &reference) || !anchor_put(c, story, p, at, reference))
		return false;
	uint32_t model = last_note(c, &a);
	if (model != XML_NONE)
		note_look_of(c, &a, model, &look);
	else if (!note_look_new(c, s, &a, &t, at, &look))
		return false;
	annotations_append(c, s, &a, note_element(c, a.names, &look, id, args->text));
	answer->note_id = id;
	return true;
}

struct change_note_args {
	struct target target;
	int64_t note_id;
	struct text text;
};
static const char *const text_aliases[] = {"new_text", NULL};
static const struct field update_in[] = {
	TARGET_FIELDS(struct change_note_args),
	FIELD(struct change_note_args, note_id, INT, FIELD_REQUIRED, "Id from get_footnotes"),
	FIELD(struct change_note_args, text, TEXT, FIELD_REQUIRED, "The new text",
	      .more = RARE{.aliases = text_aliases}),
	FIELDS_END,
};
static const struct field delete_in[] = {
	TARGET_FIELDS(struct change_note_args),
	FIELD(struct change_note_args, note_id, INT, FIELD_REQUIRED, "Id from get_footnotes"),
	FIELDS_END,
};

static bool find_note(struct call *c, struct session *s, int64_t id, struct annotations *a, uint32_t *node)
{
	if (!session_stories(c, s) || !annotations_read(c, s, ANNOTATION_FOOTNOTES, a))
		return false;
	*node = annotation_find(c, a, id);
	if (*node == XML_NONE || fragment_attribute(c->arena, &a->f, *node, SPACE_W, "type").at)
		return fail_as(c, "FOOTNOTE_NOT_FOUND", "there is no footnote %lld; get_footnotes lists them",
			       (long long)id);
	return true;
}

static bool apply_rewrite(struct call *c, struct session *s, const void *in, void *out)
{
	const struct change_note_args *args = in;
	struct note_answer *answer = out;
	struct annotations a;
	uint32_t node;

	if (!find_note(c, s, args->note_id, &a, &node))
		return false;
	struct note_look look;
	note_look_of(c, &a, node, &look);
	annotations_rewrite(c, s, &a, node, note_element(c, a.names, &look, (int32_t)args->note_id, args->text));
	answer->note_id = args->note_id;
	return true;
}

static bool apply_remove(struct call *c, struct session *s, const void *in, void *out)
{
	const struct change_note_args *args = in;
	struct note_answer *answer = out;
	struct annotations a;
	uint32_t node;

	if (!find_note(c, s, args->note_id, &a, &node))
		return false;
	annotations_remove(c, s, &a, node);
	for (uint32_t p = story_next(s->body, STORY_NONE), next; p != STORY_NONE; p = next) {
		next = story_next(s->body, p);
		if (text_find(story_fragment(s->body, p), TEXT("footnoteReference"), 0) != SIZE_MAX)
			anchor_take(c, s->body, p, false, (int32_t)args->note_id);
	}
	answer->note_id = args->note_id;
	return true;
}

const struct edit docx_add_footnote =
	EDIT("add_footnote", struct add_note_args, add_note_in, struct note_answer, apply_add);
const struct edit docx_update_footnote =
	EDIT("update_footnote", struct change_note_args, update_in, struct note_answer, apply_rewrite);
const struct edit docx_delete_footnote =
	EDIT("delete_footnote", struct change_note_args, delete_in, struct note_answer, apply_remove);

static bool run(struct call *c, const struct edit *e, const void *in, void *out)
{
	struct note_answer *answer = out;

	return session_edit(c, e, in, out, &answer->session, &answer->edit);
}

static bool add_footnote(struct call *c, const void *in, void *out) { return run(c, &docx_add_footnote, in, out); }
static bool update_footnote(struct call *c, const void *in, void *out)
{
	return run(c, &docx_update_footnote, in, out);
}
static bool delete_footnote(struct call *c, const void *in, void *out)
{
	return run(c, &docx_delete_footnote, in, out);
}

const struct tool docx_footnote_tools[] = {
	TOOL("get_footnotes", "List footnotes", "Lists the footnotes in the order of reading, with text and paragraph.",
	     TOOL_READS | TOOL_NO_REVISION, struct notes_args, notes_in, struct notes_answer, notes_out, get_footnotes,
	     .example = "{\"file_path\":\"contract.docx\"}"),
	TOOL("add_footnote", "Add a footnote",
	     "Adds a footnote, its reference after the given words or at the paragraph's end.", EDIT_EFFECT,
	     struct add_note_args, add_note_in, struct note_answer, note_out, add_footnote,
	     .example = "{\"file_path\":\"contract.docx\",\"target_paragraph_id\":\"jr_para_0123456789ab\","
			"\"after_text\":\"the Act\",\"text\":\"As amended.\"}"),
	TOOL("update_footnote", "Rewrite a footnote", "Replaces the text of a footnote; formatting inside it is lost.",
	     EDIT_EFFECT | TOOL_DELETES, struct change_note_args, update_in, struct note_answer, note_out,
	     update_footnote,
	     .example = "{\"file_path\":\"contract.docx\",\"note_id\":2,\"text\":\"As amended in 2026.\"}"),
	TOOL("delete_footnote", "Delete a footnote", "Deletes a footnote and its reference.",
	     EDIT_EFFECT | TOOL_DELETES, struct change_note_args, delete_in, struct note_answer, note_out,
	     delete_footnote, .example = "{\"file_path\":\"contract.docx\",\"note_id\":2}"),
	TOOLS_END,
};
