/* Comments: listed, added as a thread or a reply, deleted with their replies. */
#include "base/clock.h"
#include "kinds/docx/annotate/anchor.h"
#include "kinds/docx/annotate/tools.h"
#include "kinds/docx/text/excerpt.h"

/* The paraId of a comment's last paragraph, to which replies refer. Absent: it has none. */
static struct text thread_id(struct call *c, const struct annotations *a, uint32_t comment)
{
	struct text id = {0};

	for (uint32_t i = comment + 1; i < a->f.xml.nodes[comment].after; i++)
		if (a->f.tags[i] == TAG_P)
			id = fragment_attribute(c->arena, &a->f, i, SPACE_W14, "paraId");
	return id;
}

/* The paraId that a comment replies to; absent: none. */
static struct text parent_thread(struct call *c, const struct annotations *extended, struct text id, bool *done)
{
	if (!extended->bytes.at || !id.at)
		return (struct text){0};
	for (uint32_t i = xml_first(&extended->f.xml, extended->f.xml.root); i != XML_NONE;
	     i = xml_next(&extended->f.xml, i)) {
		if (extended->f.tags[i] == TAG_NOT_ELEMENT ||
		    !text_same(fragment_attribute(c->arena, &extended->f, i, SPACE_W15, "paraId"), id))
			continue;
		struct text is_done = fragment_attribute(c->arena, &extended->f, i, SPACE_W15, "done");
		*done = is_done.at && value_is_on(is_done);
		return fragment_attribute(c->arena, &extended->f, i, SPACE_W15, "paraIdParent");
	}
	return (struct text){0};
}

static uint32_t comment_of_thread(struct call *c, const struct annotations *a, struct text thread)
{
	for (uint32_t i = xml_first(&a->f.xml, a->f.xml.root); thread.at && i != XML_NONE; i = xml_next(&a->f.xml, i))
		if (a->f.tags[i] != TAG_NOT_ELEMENT && text_same(thread_id(c, a, i), thread))
			return i;
	return XML_NONE;
}

struct comments_args {
	struct target target;
	int64_t offset, limit;
};
static const struct field comments_in[] = {
	TARGET_FIELDS(struct comments_args),
	FIELD(struct comments_args, offset, INT, 0, "Comments to skip", .limits = AT_LEAST(0), .otherwise = "0"),
	FIELD(struct comments_args, limit, INT, 0, "Comments to return", .limits = BETWEEN(1, 200), .otherwise = "100"),
	FIELDS_END,
};
struct comment_row {
	int64_t comment_id;
	struct maybe_int parent_comment_id;
	struct text author, initials, date, text, para_id;
	bool done;
};
static const struct field comment_fields[] = {
	FIELD(struct comment_row, comment_id, INT, FIELD_REQUIRED | FIELD_TERSE, "Id"),
	FIELD(struct comment_row, parent_comment_id, MAYBE_INT, FIELD_TERSE, "The comment it replies to"),
	FIELD(struct comment_row, author, TEXT, FIELD_TERSE, "Author"),
	FIELD(struct comment_row, initials, TEXT, FIELD_TERSE, "Initials"),
	FIELD(struct comment_row, date, TEXT, FIELD_TERSE, "Date"),
	FIELD(struct comment_row, text, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Text"),
	FIELD(struct comment_row, para_id, TEXT, FIELD_TERSE, "Paragraph it is anchored in"),
	FIELD(struct comment_row, done, FLAG, FIELD_TERSE, "Marked as done"),
	FIELDS_END,
};
static const struct shape comment_shape = SHAPE(struct comment_row, "comment", comment_fields);
struct comments_answer {
	struct session_facts session;
	int64_t total;
	struct maybe_int next_offset;
	struct objects comments;
};
static const struct field comments_out[] = {
	SESSION_FIELDS(struct comments_answer),
	FIELD(struct comments_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Comments in all"),
	FIELD(struct comments_answer, next_offset, MAYBE_INT, FIELD_TERSE, "Offset of the next page"),
	FIELD(struct comments_answer, comments, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Comments",
	      .shape = &comment_shape),
	FIELDS_END,
};

/* The paragraph of the body that refers to a note or comment; STORY_NONE: none. */
static uint32_t paragraph_with(struct call *c, const struct story *s, bool is_comment, int32_t id)
{
	for (uint32_t p = story_next(s, STORY_NONE); p != STORY_NONE; p = story_next(s, p)) {
		int32_t *ids;
		size_t n = anchor_ids(c, s, p, is_comment, &ids);
		for (size_t i = 0; i < n; i++)
			if (ids[i] == id)
				return p;
	}
	return STORY_NONE;
}

static struct comment_row describe(struct call *c, struct session *s, const struct annotations *a,
				   const struct annotations *extended, uint32_t node)
{
	struct comment_row row = {.comment_id = annotation_id(c, a, node),
				  .author = fragment_attribute(c->arena, &a->f, node, SPACE_W, "author"),
				  .initials = fragment_attribute(c->arena, &a->f, node, SPACE_W, "initials"),
				  .date = fragment_attribute(c->arena, &a->f, node, SPACE_W, "date"),
				  .text = annotation_text(c, a, node)};
	struct text parent = parent_thread(c, extended, thread_id(c, a, node), &row.done);
	uint32_t above = comment_of_thread(c, a, parent);
	uint32_t p = paragraph_with(c, s->body, true, (int32_t)row.comment_id);

	if (above != XML_NONE)
		row.parent_comment_id = (struct maybe_int){annotation_id(c, a, above), true};
	if (p != STORY_NONE)
		row.para_id = text_of(story_id(c, s->body, p));
	return row;
}

static bool get_comments(struct call *c, const void *in, void *out)
{
	const struct comments_args *args = in;
	struct comments_answer *answer = out;
	struct annotations a, extended;
	ARRAY(struct comment_row) rows = {0};
	size_t room = list_room(c);
	scoped(session_leave) struct session *s = NULL;

	if (!session_enter(c, &args->target, &s, &answer->session) ||
	    !annotations_read(c, s, ANNOTATION_COMMENTS, &a) ||
	    !annotations_read(c, s, ANNOTATION_COMMENTS_EXTENDED, &extended))
		return false;
	for (uint32_t i = a.bytes.at ? xml_first(&a.f.xml, a.f.xml.root) : XML_NONE; i != XML_NONE;
	     i = xml_next(&a.f.xml, i)) {
		if (a.f.tags[i] == TAG_NOT_ELEMENT || answer->total++ < args->offset ||
		    (int64_t)rows.n >= args->limit || !room)
			continue;
		if (!goes_on(c))
			return false;
		struct comment_row row = describe(c, s, &a, &extended, i);
		row.text = excerpt(c->arena, row.text, 0);
		*ARRAY_PUSH(c->arena, &rows) = row;
		room = row.text.len < room ? room - row.text.len : 0;
	}
	if (args->offset + (int64_t)rows.n < answer->total)
		answer->next_offset = (struct maybe_int){args->offset + (int64_t)rows.n, true};
	answer->comments = (struct objects){rows.items, rows.n};
	return true;
}

struct add_args {
	struct target target;
	struct text target_paragraph_id, anchor_text, author, text, initials;
	struct maybe_int parent_comment_id;
};
static const struct field add_in[] = {
	TARGET_FIELDS(struct add_args),
	FIELD(struct add_args, target_paragraph_id, TEXT, 0, "Paragraph to comment on; not with parent_comment_id"),
	FIELD(struct add_args, anchor_text, TEXT, 0, "Words the comment is about; default: the whole paragraph"),
	FIELD(struct add_args, parent_comment_id, MAYBE_INT, 0, "Reply to this comment"),
	FIELD(struct add_args, author, TEXT, FIELD_REQUIRED, "Name of the commenter", .limits = BETWEEN(1, 255)),
	FIELD(struct add_args, text, TEXT, FIELD_REQUIRED, "The comment"),
	FIELD(struct add_args, initials, TEXT, 0, "Default: from author", .limits = AT_MOST(9)),
	FIELDS_END,
};
struct add_answer {
	struct session_facts session;
	struct edit_facts edit;
	int64_t comment_id;
	struct text para_id;
};
static const struct field add_out[] = {
	SESSION_FIELDS(struct add_answer),
	EDIT_FIELDS(struct add_answer),
	FIELD(struct add_answer, comment_id, INT, FIELD_REQUIRED | FIELD_TERSE, "Id of the comment"),
	FIELD(struct add_answer, para_id, TEXT, FIELD_TERSE, "Paragraph it is anchored in"),
	FIELDS_END,
};

static struct text initials_of(struct arena *a, struct text author)
{
	struct buffer out = {.arena = a};
	bool starts = true;

	for (size_t i = 0; i < author.len && out.len < 4; i++) {
		unsigned char ch = (unsigned char)author.at[i];
		if (starts && ch < 0x80 && ch > ' ')
			buffer_byte(&out, author.at[i]);
		starts = ch == ' ';
	}
	return out.len ? buffer_text(&out) : TEXT("Q");
}

static void put_value(struct buffer *to, const char *name, struct text value)
{
	buffer_format(to, " %s=\"", name);
	xml_escape(to, value, true);
	buffer_byte(to, '"');
}

static void put_style(struct buffer *to, const struct session *s, const struct names *names, const char *element,
		      const char *style, enum style_type type)
{
	if (styles_find(s->styles, text_of(style), type) == STYLE_NONE)
		return;
	names_open(to, names, element);
	names_attribute(to, names, "val", text_of(style));
	buffer_put(to, "/>");
}

/* <w:comment ...> with one paragraph; lines become line breaks. */
static struct text comment_xml(struct call *c, struct session *s, const struct annotations *a,
			       const struct add_args *args, int32_t id, struct text thread)
{
	const struct names *names = a->names;
	struct buffer out = {.arena = c->arena};

	names_open(&out, names, "comment");
	names_attribute(&out, names, "id", text_format(c->arena, "%d", id));
	names_attribute(&out, names, "author", args->author);
	names_attribute(&out, names, "date", clock_iso(c->arena, s->now / 1000 * 1000));
	names_attribute(&out, names, "initials",
			args->initials.len ? args->initials : initials_of(c->arena, args->author));
	buffer_byte(&out, '>');
	names_open(&out, names, "p");
	annotation_put_id(&out, names, thread);
	buffer_byte(&out, '>');
	names_open(&out, names, "pPr");
	buffer_byte(&out, '>');
	put_style(&out, s, names, "pStyle", "CommentText", STYLE_PARAGRAPH);
	names_close(&out, names, "pPr");
	names_open(&out, names, "r");
	buffer_byte(&out, '>');
	names_open(&out, names, "rPr");
	buffer_byte(&out, '>');
	put_style(&out, s, names, "rStyle", "CommentReference", STYLE_CHARACTER);
	names_close(&out, names, "rPr");
	names_open(&out, names, "annotationRef");
	buffer_put(&out, "/>");
	names_close(&out, names, "r");
	annotation_run(&out, names, (struct text){0}, args->text);
	names_close(&out, names, "p");
	names_close(&out, names, "comment");
	return buffer_text(&out);
}

static struct text range_mark(struct call *c, const struct names *names, const char *element, int32_t id)
{
	struct buffer out = {.arena = c->arena};

	names_open(&out, names, element);
	names_attribute(&out, names, "id", text_format(c->arena, "%d", id));
	buffer_put(&out, "/>");
	return buffer_text(&out);
}

/* The end of the range and the run that refers to the comment. */
static struct text range_end(struct call *c, const struct session *s, const struct names *names, int32_t id)
{
	struct buffer out = {.arena = c->arena};

	buffer_add(&out, range_mark(c, names, "commentRangeEnd", id));
	names_open(&out, names, "r");
	buffer_byte(&out, '>');
	names_open(&out, names, "rPr");
	buffer_byte(&out, '>');
	put_style(&out, s, names, "rStyle", "CommentReference", STYLE_CHARACTER);
	names_close(&out, names, "rPr");
	buffer_add(&out, range_mark(c, names, "commentReference", id));
	names_close(&out, names, "r");
	return buffer_text(&out);
}

static bool anchor_comment(struct call *c, struct session *s, const struct add_args *args, int32_t id,
			   struct text *para_id)
{
	struct story *story;
	struct atoms t;
	uint32_t p, from = 0, to;

	if (!session_anchor(c, s, args->target_paragraph_id, &story, &p) || !story_atoms(c, story, p, &t))
		return false;
	if (story != s->body)
		return fail_as(c, "UNSUPPORTED_EDIT",
			       "comments can be in the body only; choose a paragraph of the body");
	to = t.len;
	if (args->anchor_text.at && !anchor_find(c, story, p, args->anchor_text, &from, &to))
		return false;
	const struct names *names = story->paragraphs.items[p].names;
	*para_id = text_of(story_id(c, story, p));
	/* Insert the end first, so that the start does not move. */
	return anchor_put(c, story, p, to, range_end(c, s, names, id)) &&
	       anchor_put(c, story, p, from, range_mark(c, names, "commentRangeStart", id));
}

/* A reply has the same place as its parent. commentsExtended names the parent. */
static bool anchor_reply(struct call *c, struct session *s, int32_t parent, int32_t id, struct text *para_id)
{
	uint32_t p = paragraph_with(c, s->body, true, parent);

	if (p == STORY_NONE)
		return fail_as(c, "ANCHOR_NOT_FOUND",
			       "comment %d is anchored nowhere in the body; comment on a paragraph instead", parent);
	const struct names *names = s->body->paragraphs.items[p].names;
	struct text bytes = story_fragment(s->body, p);
	struct fragment f;
	struct splice edits[2] = {{0}};
	size_t n = 0;
	if (!fragment_parse(c->arena, bytes, names, &f))
		return fail(c, FAULT_INTERNAL, "a paragraph cannot be read");
	for (uint32_t i = 0; i < f.xml.n && n < 2; i++) {
		struct text of = f.tags[i] == TAG_COMMENT_START || f.tags[i] == TAG_COMMENT_REFERENCE
					 ? fragment_attribute(c->arena, &f, i, SPACE_W, "id")
					 : (struct text){0};
		if (!of.at || value_number(of, INT32_MIN) != parent)
			continue;
		bool starts = f.tags[i] == TAG_COMMENT_START;
		uint32_t at = starts ? f.xml.nodes[i].to : f.xml.nodes[f.xml.nodes[i].parent].to;
		edits[n++] = (struct splice){
			at, at, starts ? range_mark(c, names, "commentRangeStart", id) : range_end(c, s, names, id)};
	}
	/* A parent without a range has only its reference. Then the reply's range is empty and comes before it. */
	if (n == 1)
		edits[0].with = text_format(c->arena, "%s%s", range_mark(c, names, "commentRangeStart", id).at,
					    range_end(c, s, names, id).at);
	story_replace(s->body, p, splice_apply(c->arena, bytes, edits, n));
	*para_id = text_of(story_id(c, s->body, p));
	return true;
}

static void put_thread(struct call *c, struct buffer *to, const struct annotations *extended, struct text id,
		       struct text parent)
{
	struct text w15 = names_prefix(extended->names, SPACE_W15, true);
	const char *prefix = text_string(c->arena, w15);

	buffer_format(to, "<%s:commentEx", prefix);
	put_value(to, text_format(c->arena, "%s:paraId", prefix).at, id);
	if (parent.at)
		put_value(to, text_format(c->arena, "%s:paraIdParent", prefix).at, parent);
	buffer_format(to, " %s:done=\"0\"/>", prefix);
}

static bool apply_add(struct call *c, struct session *s, const void *in, void *out)
{
	const struct add_args *args = in;
	struct add_answer *answer = out;
	struct annotations a, extended;
	struct text parent = {0};

	if (!args->target_paragraph_id.at == !args->parent_comment_id.there)
		return fail(
			c, FAULT_ARGUMENT,
			"a comment needs either target_paragraph_id or parent_comment_id; pass exactly one of them");
	if (!session_stories(c, s) || !annotations_read(c, s, ANNOTATION_COMMENTS, &a) || !annotations_make(c, s, &a) ||
	    !annotations_read(c, s, ANNOTATION_COMMENTS_EXTENDED, &extended))
		return false;
	int32_t id = annotation_next_id(c, s, &a);
	struct text thread = session_mint(c, s);
	if (args->parent_comment_id.there) {
		uint32_t node = annotation_find(c, &a, args->parent_comment_id.value);
		if (node == XML_NONE)
			return fail_as(c, "COMMENT_NOT_FOUND", "there is no comment %lld; get_comments lists them",
				       (long long)args->parent_comment_id.value);
		parent = thread_id(c, &a, node);
		if (!parent.at && !annotations_give_id(c, s, &a, node, parent = session_mint(c, s)))
			return fail_as(
				c, "UNSUPPORTED_EDIT",
				"comment %lld has no paragraph, so it cannot be replied to; comment on its paragraph instead",
				(long long)args->parent_comment_id.value);
		if (!annotations_make(c, s, &extended) ||
		    !anchor_reply(c, s, (int32_t)args->parent_comment_id.value, id, &answer->para_id))
			return false;
	} else if (!anchor_comment(c, s, args, id, &answer->para_id)) {
		return false;
	}
	annotations_append(c, s, &a, comment_xml(c, s, &a, args, id, thread));
	if (extended.bytes.at && names_prefix(extended.names, SPACE_W15, true).at) {
		struct buffer rows = {.arena = c->arena};
		bool done;
		if (parent.at && !parent_thread(c, &extended, parent, &done).at &&
		    text_find(extended.bytes, parent, 0) == SIZE_MAX)
			put_thread(c, &rows, &extended, parent, (struct text){0});
		put_thread(c, &rows, &extended, thread, parent);
		annotations_append(c, s, &extended, buffer_text(&rows));
	}
	answer->comment_id = id;
	return true;
}

struct uncomment_args {
	struct target target;
	int64_t comment_id;
};
static const struct field delete_in[] = {
	TARGET_FIELDS(struct uncomment_args),
	FIELD(struct uncomment_args, comment_id, INT, FIELD_REQUIRED, "Id from get_comments"),
	FIELDS_END,
};
struct uncomment_answer {
	struct session_facts session;
	struct edit_facts edit;
	int64_t deleted;
};
static const struct field delete_out[] = {
	SESSION_FIELDS(struct uncomment_answer),
	EDIT_FIELDS(struct uncomment_answer),
	FIELD(struct uncomment_answer, deleted, INT, FIELD_REQUIRED | FIELD_TERSE,
	      "Comments deleted, replies included"),
	FIELDS_END,
};

static void unanchor(struct call *c, struct session *s, int32_t id)
{
	for (uint32_t p = story_next(s->body, STORY_NONE), next; p != STORY_NONE; p = next) {
		next = story_next(s->body, p);
		if (text_find(story_fragment(s->body, p), TEXT("omment"), 0) != SIZE_MAX)
			anchor_take(c, s->body, p, true, id);
	}
}

/* The first comment that replies to a thread; XML_NONE: none. */
static uint32_t first_reply(struct call *c, const struct annotations *a, const struct annotations *extended,
			    struct text thread)
{
	for (uint32_t i = xml_first(&a->f.xml, a->f.xml.root); i != XML_NONE; i = xml_next(&a->f.xml, i)) {
		bool done = false;
		if (a->f.tags[i] != TAG_NOT_ELEMENT &&
		    text_same(parent_thread(c, extended, thread_id(c, a, i), &done), thread))
			return i;
	}
	return XML_NONE;
}

static bool apply_uncomment(struct call *c, struct session *s, const void *in, void *out)
{
	const struct uncomment_args *args = in;
	struct uncomment_answer *answer = out;
	struct annotations a, extended;

	if (!session_stories(c, s) || !annotations_read(c, s, ANNOTATION_COMMENTS, &a) ||
	    !annotations_read(c, s, ANNOTATION_COMMENTS_EXTENDED, &extended))
		return false;
	uint32_t node = annotation_find(c, &a, args->comment_id);
	if (node == XML_NONE)
		return fail_as(c, "COMMENT_NOT_FOUND", "there is no comment %lld; get_comments lists them",
			       (long long)args->comment_id);
	/* Remove replies first. Search each one again, because nodes move after a removal. */
	struct text thread = thread_id(c, &a, node);
	for (uint32_t i; thread.at && (i = first_reply(c, &a, &extended, thread)) != XML_NONE; answer->deleted++) {
		unanchor(c, s, annotation_id(c, &a, i));
		annotations_remove(c, s, &a, i);
	}
	unanchor(c, s, (int32_t)args->comment_id);
	annotations_remove(c, s, &a, annotation_find(c, &a, args->comment_id));
	answer->deleted++;
	return true;
}

const struct edit docx_add_comment = EDIT("add_comment", struct add_args, add_in, struct add_answer, apply_add);
const struct edit docx_delete_comment =
	EDIT("delete_comment", struct uncomment_args, delete_in, struct uncomment_answer, apply_uncomment);

static bool add_comment(struct call *c, const void *in, void *out)
{
	struct add_answer *answer = out;

	return session_edit(c, &docx_add_comment, in, out, &answer->session, &answer->edit);
}

static bool delete_comment(struct call *c, const void *in, void *out)
{
	struct uncomment_answer *answer = out;

	return session_edit(c, &docx_delete_comment, in, out, &answer->session, &answer->edit);
}

const struct tool docx_comment_tools[] = {
	TOOL("get_comments", "List comments",
	     "Lists the comments with author, date, text, thread and the paragraph they are about.",
	     TOOL_READS | TOOL_NO_REVISION, struct comments_args, comments_in, struct comments_answer, comments_out,
	     get_comments, .example = "{\"file_path\":\"contract.docx\"}"),
	TOOL("add_comment", "Add a comment",
	     "Comments on a paragraph or on words in it, or replies to a comment. The text of the document does not change.",
	     EDIT_EFFECT, struct add_args, add_in, struct add_answer, add_out, add_comment,
	     .example = "{\"file_path\":\"contract.docx\",\"target_paragraph_id\":\"jr_para_0123456789ab\","
			"\"anchor_text\":\"thirty days\",\"author\":\"A. Counsel\",\"text\":\"Too short?\"}"),
	TOOL("delete_comment", "Delete a comment", "Deletes a comment and its replies.", EDIT_EFFECT | TOOL_DELETES,
	     struct uncomment_args, delete_in, struct uncomment_answer, delete_out, delete_comment,
	     .example = "{\"file_path\":\"contract.docx\",\"comment_id\":3}"),
	TOOLS_END,
};
