#include "kinds/docx/annotate/parts.h"
#include "kinds/docx/text/root.h"

#include <string.h>

const struct annotation_kind annotation_kinds[ANNOTATIONS] = {
	[ANNOTATION_COMMENTS] = {RELATION_COMMENTS, "comments.xml", "comments",
				 "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml",
				 "comments", NULL},
	[ANNOTATION_FOOTNOTES] = {RELATION_FOOTNOTES, "footnotes.xml", "footnotes",
				  "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml",
				  "footnotes", NULL},
	[ANNOTATION_ENDNOTES] = {RELATION_ENDNOTES, "endnotes.xml", "endnotes",
				 "application/vnd.openxmlformats-officedocument.wordprocessingml.endnotes+xml",
				 "endnotes", NULL},
	[ANNOTATION_COMMENTS_EXTENDED] =
		{RELATION_COMMENTS_EXTENDED, "commentsExtended.xml", "commentsExtended",
		 "application/vnd.openxmlformats-officedocument.wordprocessingml.commentsExtended+xml", "commentsEx",
		 "http://schemas.microsoft.com/office/2011/relationships/commentsExtended"},
};

struct text annotation_address(struct arena *a, enum annotation which, bool strict)
{
	const struct annotation_kind *k = &annotation_kinds[which];

	return k->relation_address
		       ? text_of(k->relation_address)
		       : text_format(a, "%s/%s",
				     strict ? "http://purl.oclc.org/ooxml/officeDocument/relationships"
					    : "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
				     k->relation_name);
}

static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/* The folder of the main part, with its slash. */
static struct text folder(const struct session *s)
{
	struct text name = s->package->main->name;
	size_t end = name.len;

	while (end && name.at[end - 1] != '/')
		end--;
	return text_slice(name, 0, end);
}

/* The story of a part that was opened with paragraphs in it; NULL: none. */
static struct story *story_of(const struct session *s, const struct part *part)
{
	for (size_t i = 0; i < s->stories_n; i++)
		if (s->stories[i]->part == part && !part->now.at)
			return s->stories[i];
	return NULL;
}

/* The part's current bytes: with the session's layer, or with the changes of its story. */
static struct text bytes_now(struct call *c, const struct session *s, const struct part *part)
{
	const struct story *story = story_of(s, part);
	size_t n = 0;

	if (!story)
		return part_now(part);
	struct splice *edits = story_splices(c->arena, story, &n);
	return n ? splice_apply(c->arena, part->bytes, edits, n) : part->bytes;
}

bool annotation_parse(struct call *c, struct text name, struct text bytes, struct fragment *out)
{
	static const struct xml_limits limits = {.depth = 256, .attributes = 256, .nodes = 20000000};
	static const struct names none = {0};
	struct arena scratch = {0};
	struct error why = {0};
	bool is_xml = xml_parse(&scratch, bytes, &limits, &why) != NULL;

	arena_free(&scratch);
	if (!is_xml)
		return package_refuse(c, name, &why);
	return fragment_parse(c->arena, fragment_root(bytes), &none, out) ||
	       fail_as(c, "INVALID_DOCX_ARCHIVE", "%s cannot be read; repair the file in Word", shown(c, name));
}

static bool parse(struct call *c, struct annotations *a)
{
	if (!annotation_parse(c, a->name, a->bytes, &a->f))
		return false;
	a->root = fragment_root(a->bytes);
	a->names = fragment_names(&a->f, a->f.xml.root);
	return true;
}

bool annotations_read(struct call *c, struct session *s, enum annotation which, struct annotations *out)
{
	const struct relationship *r = package_find(s->package, annotation_kinds[which].relation);
	struct part *part;

	*out = (struct annotations){.which = which};
	out->name = r && !r->is_external
			    ? r->target
			    : text_format(c->arena, "%.*s%s", TEXT_ARGS(folder(s)), annotation_kinds[which].file);
	if (!r) {
		/* A part without a known relationship can only be one that this session created. */
		part = package_named(s->package, out->name);
		if (!part->now.at)
			return true;
	} else if (!package_part(c, s->package, out->name, &part)) {
		return false;
	}
	if (!part)
		return true;
	out->part = part;
	out->bytes = bytes_now(c, s, part);
	return parse(c, out);
}

static bool add_relationship(struct call *c, struct session *s, enum annotation which)
{
	struct text name = package_relations_name(c->arena, s->package->main->name), bytes, id;
	struct part *rels;
	bool strict = s->body->names->is_strict;
	unsigned n = 1;

	if (!package_part(c, s->package, name, &rels))
		return false;
	bytes = rels ? part_now(rels) : package_named(s->package, name)->now;
	if (!bytes.at)
		bytes = text_format(
			c->arena,
			"%s<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"/>",
			declaration);
	do
		id = text_format(c->arena, "\"rIdNote%u\"", n++);
	while (text_find(bytes, id, 0) != SIZE_MAX);
	struct text address = annotation_address(c->arena, which, strict);
	struct text row = text_format(c->arena, "<%.*sRelationship Id=%s Type=\"%s\" Target=\"%s\"/>",
				      TEXT_ARGS(root_prefix(bytes)), id.at, text_string(c->arena, address),
				      annotation_kinds[which].file);
	journal_lay(&s->journal, name, root_with_child(c->arena, bytes, row));
	return true;
}

static bool add_content_type(struct call *c, struct session *s, const struct annotation_kind *k, struct text part)
{
	static const struct text name = TEXT("[Content_Types].xml");
	struct part *types;

	if (!package_part(c, s->package, name, &types))
		return false;
	if (!types)
		return fail_as(c, "INVALID_DOCX_ARCHIVE",
			       "the file has no [Content_Types].xml; open it in Word and save it again");
	struct text bytes = part_now(types);
	struct text row = text_format(c->arena, "<%.*sOverride PartName=\"/%.*s\" ContentType=\"%s\"/>",
				      TEXT_ARGS(root_prefix(bytes)), TEXT_ARGS(part), k->content_type);
	journal_lay(&s->journal, name, root_with_child(c->arena, bytes, row));
	return true;
}

bool annotations_make(struct call *c, struct session *s, struct annotations *a)
{
	const struct annotation_kind *k = &annotation_kinds[a->which];
	bool strict = s->body->names->is_strict;

	if (a->bytes.at)
		return true;
	struct text bytes = text_format(
		c->arena,
		"%s<w:%s xmlns:w=\"%s\" xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\" "
		"xmlns:w15=\"http://schemas.microsoft.com/office/word/2012/wordml\" "
		"xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" mc:Ignorable=\"w14 w15\"></w:%s>",
		declaration, k->root,
		strict ? "http://purl.oclc.org/ooxml/wordprocessingml/main"
		       : "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
		k->root);
	if (a->which == ANNOTATION_COMMENTS_EXTENDED)
		bytes = text_format(
			c->arena,
			"%s<w15:commentsEx xmlns:w15=\"http://schemas.microsoft.com/office/word/2012/wordml\" "
			"xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" "
			"mc:Ignorable=\"w15\"></w15:commentsEx>",
			declaration);
	if (!add_relationship(c, s, a->which) || !add_content_type(c, s, k, a->name))
		return false;
	annotations_lay(c, s, a, bytes);
	return true;
}

void annotations_lay(struct call *c, struct session *s, struct annotations *a, struct text bytes)
{
	journal_lay(&s->journal, a->name, bytes);
	a->bytes = bytes;
	parse(c, a); /* our own output from well-formed input */
}

/* Where the root's end tag begins in the original; 0: the root is a short tag. */
static uint32_t root_end(struct text bytes)
{
	struct text root = fragment_root(bytes);
	size_t at = (size_t)(root.at - bytes.at) + root.len;

	if (bytes.at[at - 2] == '/')
		return 0;
	while (bytes.at[at - 1] != '<')
		at--;
	return (uint32_t)at - 1;
}

static void read_again(struct call *c, const struct session *s, struct annotations *a)
{
	a->bytes = bytes_now(c, s, a->part);
	parse(c, a); /* our own output from well-formed input */
}

void annotations_append(struct call *c, struct session *s, struct annotations *a, struct text more)
{
	struct story *story = a->part ? story_of(s, a->part) : NULL;
	uint32_t at = story ? root_end(a->part->bytes) : 0;

	if (!at) {
		annotations_lay(c, s, a, root_with_child(c->arena, a->bytes, more));
		return;
	}
	/* Next to the edits of paragraphs, so that both can be in one session. */
	struct text there = story_patched(story, at, at);
	story_patch(story, at, at, text_format(c->arena, "%.*s%.*s", TEXT_ARGS(there), TEXT_ARGS(more)));
	read_again(c, s, a);
}

/* The element of that id in the original part. */
static bool original_range(struct call *c, const struct annotations *a, int32_t id, uint32_t *from, uint32_t *to)
{
	struct annotations was = {.name = a->name, .bytes = a->part->bytes};

	if (!parse(c, &was))
		return false;
	uint32_t node = annotation_find(c, &was, id), base = (uint32_t)(was.root.at - was.bytes.at);
	if (node == XML_NONE)
		return false;
	*from = base + was.f.xml.nodes[node].from;
	*to = base + was.f.xml.nodes[node].to;
	return true;
}

/* Replaces an element that this session appended. Returns false if it did not append it. */
static bool replace_appended(struct call *c, struct story *story, struct text element, struct text with)
{
	uint32_t at = root_end(story->part->bytes), from, to;
	struct text there = story_patched(story, at, at);
	size_t found = at ? text_find(there, element, 0) : SIZE_MAX;

	if (found == SIZE_MAX)
		return false;
	from = (uint32_t)found;
	to = from + (uint32_t)element.len;
	story_patch(story, at, at,
		    text_format(c->arena, "%.*s%.*s%.*s", TEXT_ARGS(text_slice(there, 0, from)), TEXT_ARGS(with),
				TEXT_ARGS(text_slice(there, to, there.len))));
	return true;
}

void annotations_remove(struct call *c, struct session *s, struct annotations *a, uint32_t node)
{
	struct story *story = a->part ? story_of(s, a->part) : NULL;
	uint32_t from, to;

	if (story) {
		if (!replace_appended(c, story, fragment_bytes(&a->f, node), TEXT("")) &&
		    original_range(c, a, annotation_id(c, a, node), &from, &to))
			story_take_out(story, from, to, true);
		read_again(c, s, a);
		return;
	}
	from = (uint32_t)(a->root.at - a->bytes.at) + a->f.xml.nodes[node].from;
	to = from + a->f.xml.nodes[node].to - a->f.xml.nodes[node].from;
	struct splice edit = {from, to, TEXT("")};
	annotations_lay(c, s, a, splice_apply(c->arena, a->bytes, &edit, 1));
}

void annotations_rewrite(struct call *c, struct session *s, struct annotations *a, uint32_t node, struct text element)
{
	struct story *story = a->part ? story_of(s, a->part) : NULL;
	int32_t id = annotation_id(c, a, node);
	struct fragment f;

	if (story && replace_appended(c, story, fragment_bytes(&a->f, node), element)) {
		read_again(c, s, a);
		return;
	}
	/* An existing one is changed paragraph by paragraph, so that a redline shows it. */
	uint32_t note = STORY_NONE, first = STORY_NONE;
	for (uint32_t i = 0; story && i < story->notes.n; i++)
		note = story->notes.items[i].id == id && !story->notes.items[i].is_special ? i : note;
	for (uint32_t p = note == STORY_NONE ? STORY_NONE : story_next(story, STORY_NONE), next; p != STORY_NONE;
	     p = next) {
		next = story_next(story, p);
		if (story->paragraphs.items[p].note != note || story->paragraphs.items[p].host != STORY_NONE)
			continue;
		if (first == STORY_NONE)
			first = p;
		else
			story_delete(story, p);
	}
	if (first != STORY_NONE && fragment_parse(c->arena, element, a->names, &f)) {
		uint32_t p = fragment_child(&f, f.xml.root, TAG_P);
		story_replace(story, first, fragment_bytes(&f, p));
		read_again(c, s, a);
		return;
	}
	annotations_remove(c, s, a, node);
	annotations_append(c, s, a, element);
}

void annotation_put_id(struct buffer *to, const struct names *names, struct text id)
{
	struct text prefix = names_prefix(names, SPACE_W14, true);

	if (!prefix.at) {
		prefix = TEXT("w14");
		buffer_put(to, " xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\"");
	}
	buffer_format(to, " %.*s:paraId=\"%.*s\"", TEXT_ARGS(prefix), TEXT_ARGS(id));
}

/* The last paragraph of a note, outside text boxes. */
static uint32_t last_of_note(const struct story *s, int32_t id)
{
	uint32_t last = STORY_NONE;

	for (uint32_t p = story_next(s, STORY_NONE); p != STORY_NONE; p = story_next(s, p)) {
		const struct paragraph *q = &s->paragraphs.items[p];
		if (q->note != STORY_NONE && s->notes.items[q->note].id == id && q->host == STORY_NONE)
			last = p;
	}
	return last;
}

bool annotations_give_id(struct call *c, struct session *s, struct annotations *a, uint32_t node, struct text id)
{
	struct story *story = a->part ? story_of(s, a->part) : NULL;
	struct buffer attribute = {.arena = c->arena};
	const struct xml_node *nodes = a->f.xml.nodes;
	uint32_t p = XML_NONE, last;

	for (uint32_t i = node + 1; i < nodes[node].after; i++)
		p = a->f.tags[i] == TAG_P ? i : p;
	if (p == XML_NONE)
		return false;
	uint32_t at = nodes[p].name + nodes[p].name_len;
	annotation_put_id(&attribute, fragment_names(&a->f, p), id);
	struct splice edit = {at, at, buffer_text(&attribute)};
	struct splice inside = {at - nodes[node].from, at - nodes[node].from, edit.with};
	if (!story) {
		edit.from = edit.to = at + (uint32_t)(a->root.at - a->bytes.at);
		annotations_lay(c, s, a, splice_apply(c->arena, a->bytes, &edit, 1));
		return true;
	}
	if (!replace_appended(c, story, fragment_bytes(&a->f, node),
			      splice_apply(c->arena, fragment_bytes(&a->f, node), &inside, 1))) {
		if ((last = last_of_note(story, annotation_id(c, a, node))) == STORY_NONE)
			return false;
		struct text bytes = story_fragment(story, last);
		size_t name = 1;
		while (name < bytes.len && !strchr(" \t\r\n/>", bytes.at[name]))
			name++;
		story_id(c, story, last); /* as it was: a caller may know it */
		edit.from = edit.to = (uint32_t)name;
		story_replace(story, last, splice_apply(c->arena, bytes, &edit, 1));
	}
	read_again(c, s, a);
	return true;
}

int32_t annotation_id(struct call *c, const struct annotations *a, uint32_t node)
{
	struct text id = fragment_attribute(c->arena, &a->f, node, SPACE_W, "id");

	return id.at ? value_number(id, INT32_MIN) : INT32_MIN;
}

static uint32_t first_of(const struct annotations *a)
{
	return a->bytes.at && a->f.tags ? xml_first(&a->f.xml, a->f.xml.root) : XML_NONE;
}

uint32_t annotation_find(struct call *c, const struct annotations *a, int64_t id)
{
	for (uint32_t i = first_of(a); i != XML_NONE; i = xml_next(&a->f.xml, i))
		if (a->f.tags[i] != TAG_NOT_ELEMENT && annotation_id(c, a, i) == id)
			return i;
	return XML_NONE;
}

static void count_id(int32_t id, int32_t *highest)
{
	if (id > *highest && id < STORY_ID_LIMIT)
		*highest = id;
}

int32_t annotation_next_id(struct call *c, const struct session *s, const struct annotations *a)
{
	enum story_kind kind = a->which == ANNOTATION_COMMENTS    ? STORY_COMMENTS
			       : a->which == ANNOTATION_FOOTNOTES ? STORY_FOOTNOTES
								  : STORY_ENDNOTES;
	int32_t highest = 0;

	for (uint32_t i = first_of(a); i != XML_NONE; i = xml_next(&a->f.xml, i))
		if (a->f.tags[i] != TAG_NOT_ELEMENT)
			count_id(annotation_id(c, a, i), &highest);
	for (size_t i = 0; i <= s->stories_n; i++) {
		const struct story *story = i ? s->stories[i - 1] : s->body;
		for (size_t k = 0; k < story->references.n; k++)
			if (story->references.items[k].to == kind)
				count_id(story->references.items[k].id, &highest);
		if (kind == STORY_COMMENTS)
			count_id(story->max_comment_id, &highest);
	}
	return highest + 1;
}

struct text annotation_text(struct call *c, const struct annotations *a, uint32_t node)
{
	struct buffer out = {.arena = c->arena};

	for (uint32_t i = node + 1; i < a->f.xml.nodes[node].after; i++) {
		uint8_t tag = a->f.tags[i];
		if (tag == TAG_P && out.len)
			buffer_byte(&out, '\n');
		else if (tag == TAG_DEL || tag == TAG_MOVE_FROM)
			i = a->f.xml.nodes[i].after - 1;
		else if (tag == TAG_TAB || tag == TAG_BR)
			buffer_byte(&out, tag == TAG_TAB ? '\t' : '\n');
		else if (a->f.xml.nodes[i].type == XML_TEXT && a->f.tags[a->f.xml.nodes[i].parent] == TAG_T)
			buffer_add(&out, xml_decoded(c->arena, &a->f.xml, i));
	}
	return text_trim(buffer_text(&out));
}
