#include "kinds/docx/track/carry.h"
#include "kinds/docx/text/fragment.h"
#include "kinds/docx/text/root.h"

#include <string.h>

static const struct text types_name = TEXT("[Content_Types].xml");
static const struct text no_relations =
	TEXT("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
	     "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"/>");

/* What relationships lead to that can be copied: files that lead nowhere themselves. */
static bool is_portable(struct text type)
{
	static const char *const ends[] = {"/image", "/hyperlink", "/oleObject", "/package"};

	for (size_t i = 0; i < ARRAY_COUNT(ends); i++)
		if (text_ends(type, ends[i]))
			return true;
	return false;
}

/* The highest number behind an id attribute without prefix, as drawings have. */
static uint32_t highest_drawing(struct text part)
{
	static const struct text mark = TEXT(" id=\"");
	uint32_t highest = 0;

	for (size_t at = 0; (at = text_find(part, mark, at)) != SIZE_MAX;) {
		uint32_t n = 0;
		for (at += mark.len; at < part.len && part.at[at] >= '0' && part.at[at] <= '9' && n < 100000000; at++)
			n = 10 * n + (uint32_t)(part.at[at] - '0');
		highest = n > highest ? n : highest;
	}
	return highest;
}

void carry_begin(struct carry *k, struct call *c, struct package *from, struct package *to)
{
	*k = (struct carry){.c = c,
			    .from = from,
			    .to = to,
			    .next_drawing = highest_drawing(to->main->bytes) + 1,
			    .known = {.arena = c->arena},
			    .rows = {.arena = c->arena},
			    .types = {.arena = c->arena}};
}

static bool unpacked(struct carry *k, struct package *p, struct text name, struct text *out)
{
	uint32_t member = zip_find(p->zip, name);
	enum zip_fault fault;
	struct error why;

	return member != ZIP_NONE && zip_unpack(k->c->arena, p->zip, member, out, &fault, &why);
}

static bool leads_alike(struct carry *k, const struct relationship *a, const struct relationship *b)
{
	struct text x, y;

	if (!text_same(a->type, b->type) || a->is_external != b->is_external)
		return false;
	if (a->is_external)
		return text_same(a->target, b->target);
	uint32_t m = zip_find(k->from->zip, a->target), n = zip_find(k->to->zip, b->target);
	return m != ZIP_NONE && n != ZIP_NONE && k->from->zip->members[m].crc == k->to->zip->members[n].crc &&
	       k->from->zip->members[m].size == k->to->zip->members[n].size && unpacked(k, k->from, a->target, &x) &&
	       unpacked(k, k->to, b->target, &y) && text_same(x, y);
}

/* The relationship that the other package has already, the one of the same id before others; absent: none. */
static struct text id_there(struct carry *k, const struct relationship *r)
{
	const struct relationships *all = &k->to->relations;
	const struct relationship *same = relationship_by_id(all, r->id);

	if (same && leads_alike(k, r, same))
		return same->id;
	for (size_t i = 0; i < all->n; i++)
		if (leads_alike(k, r, &all->items[i]))
			return all->items[i].id;
	return (struct text){0};
}

/* How the rows of a part of the other package are written. */
static struct text prefix_of(struct carry *k, struct text name)
{
	struct part *part;

	return package_part(k->c, k->to, name, &part) && part && part->bytes.at ? root_prefix(part->bytes) : TEXT("");
}

/* ".png", in small letters; ".bin" for what is no plain ending. */
static struct text ending(struct arena *a, struct text name)
{
	size_t dot = name.len;
	struct buffer out = {.arena = a};

	while (dot && name.at[dot - 1] != '.' && name.at[dot - 1] != '/')
		dot--;
	buffer_byte(&out, '.');
	for (size_t i = dot; i < name.len; i++) {
		char c = name.at[i] >= 'A' && name.at[i] <= 'Z' ? (char)(name.at[i] | 32) : name.at[i];
		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) || out.len > 8)
			return TEXT(".bin");
		buffer_byte(&out, c);
	}
	return out.len > 1 ? buffer_text(&out) : TEXT(".bin");
}

/* Beside the main part, under a name that is free: "media/compared" and ".png" become "word/media/compared1.png", or
 * without a number where that will do. The target is relative to the main part. */
static struct text free_name(struct carry *k, const char *stem, struct text end, bool numbered, struct text *target)
{
	struct arena *a = k->c->arena;
	struct text main = k->to->main->name, name;
	size_t folder = main.len;

	while (folder && main.at[folder - 1] != '/')
		folder--;
	do {
		struct text number = numbered ? text_format(a, "%u", ++k->parts_made) : TEXT("");
		*target = text_format(a, "%s%.*s%.*s", stem, TEXT_ARGS(number), TEXT_ARGS(end));
		numbered = true;
		name = text_format(a, "%.*s%.*s", (int)folder, main.at, TEXT_ARGS(*target));
	} while (zip_find(k->to->zip, name) != ZIP_NONE);
	return name;
}

static void put_type(struct carry *k, struct text name, struct text type)
{
	buffer_format(&k->types, "<%.*sOverride PartName=\"/%.*s\" ContentType=\"", TEXT_ARGS(prefix_of(k, types_name)),
		      TEXT_ARGS(name));
	xml_escape(&k->types, type, true);
	buffer_put(&k->types, "\"/>");
}

/* Copies the part that a relationship leads to; the target to write, relative to the main part. False: it cannot come
 * along. */
static bool copy_part(struct carry *k, const struct relationship *r, struct text *target)
{
	struct arena *a = k->c->arena;
	struct text bytes, name, type, there;

	if (zip_find(k->from->zip, package_relations_name(a, r->target)) != ZIP_NONE ||
	    !unpacked(k, k->from, r->target, &bytes) || !package_content_type(k->c, k->from, r->target, &type) ||
	    !type.at)
		return false;
	name = free_name(k, "media/compared", ending(a, r->target), true, target);
	if (!package_content_type(k->c, k->to, name, &there))
		return false;
	if (!there.at || !text_same(there, type))
		put_type(k, name, type);
	*ARRAY_PUSH(a, &k->parts) = (struct zip_change){ZIP_NONE, name, bytes};
	return true;
}

static struct text put_relation(struct carry *k, struct text type, struct text target, bool is_external)
{
	struct text id;

	do
		id = text_format(k->c->arena, "rIdCompared%u", ++k->relations_made);
	while (relationship_by_id(&k->to->relations, id));
	buffer_format(&k->rows, "<%.*sRelationship Id=\"%s\" Type=\"",
		      TEXT_ARGS(prefix_of(k, package_relations_name(k->c->arena, k->to->main->name))), id.at);
	xml_escape(&k->rows, type, true);
	buffer_put(&k->rows, "\" Target=\"");
	xml_escape(&k->rows, target, true);
	buffer_put(&k->rows, is_external ? "\" TargetMode=\"External\"/>" : "\"/>");
	return id;
}

void carry_part(struct carry *k, struct text type, const char *name, const char *content_type, struct text bytes)
{
	struct text target, whole = free_name(k, name, TEXT(".xml"), false, &target);

	put_type(k, whole, text_of(content_type));
	put_relation(k, type, target, false);
	*ARRAY_PUSH(k->c->arena, &k->parts) = (struct zip_change){ZIP_NONE, whole, bytes};
}

/* A new relationship of the other package; absent: it cannot come along. */
static struct text new_id(struct carry *k, const struct relationship *r)
{
	struct text target = r->target;

	if (!is_portable(r->type) ||
	    (!r->is_external && (r->relation == RELATION_HYPERLINK || !copy_part(k, r, &target))))
		return (struct text){0};
	return put_relation(k, r->type, target, r->is_external);
}

static struct text id_of(struct carry *k, struct text id)
{
	if (k->from == k->to || !id.len)
		return id;
	const uint32_t *known = map_find(&k->known, id);
	uint32_t at = known ? *known : (uint32_t)k->ids.n;
	if (!known) {
		map_at(&k->known, text_copy(k->c->arena, id), at, NULL);
		const struct relationship *r = relationship_by_id(&k->from->relations, id);
		struct text there = r ? id_there(k, r) : (struct text){0};
		there = r && !there.at ? new_id(k, r) : there;
		*ARRAY_PUSH(k->c->arena, &k->ids) = there;
	}
	return k->ids.items[at];
}

bool carry_element(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out)
{
	ARRAY(struct splice) edits = {0};
	struct xml_attribute *attributes;
	struct fragment f;

	*out = element;
	if (k->from == k->to)
		return true;
	if (!fragment_parse(a, element, names, &f))
		return false;
	for (uint32_t i = 0; i < f.xml.nodes[f.xml.root].after; i++) {
		size_t n = f.tags[i] == TAG_NOT_ELEMENT ? 0 : xml_attributes(a, &f.xml, i, &attributes);
		for (size_t j = 0; j < n; j++) {
			struct text local;
			enum space space = names_split(fragment_names(&f, i), attributes[j].name, true, &local);
			if (space == SPACE_OTHER && text_is(local, "relid"))
				return false; /* an old drawing's way to name a picture */
			if (space != SPACE_R)
				continue;
			struct text id = id_of(k, attributes[j].value);
			if (!id.at)
				return false;
			if (!text_same(id, attributes[j].value))
				*ARRAY_PUSH(a, &edits) =
					(struct splice){attributes[j].value_from, attributes[j].value_to, id};
		}
	}
	*out = splice_apply(a, element, edits.items, edits.n);
	return true;
}

bool carry_new(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out)
{
	ARRAY(struct splice) edits = {0};
	struct fragment f;

	if (!fragment_parse(a, element, names, &f))
		return false;
	for (uint32_t i = 0; i < f.xml.nodes[f.xml.root].after; i++) {
		struct xml_attribute *attributes;
		enum space space;
		uint8_t tag = f.tags[i];
		if (tag == TAG_FOOTNOTE_REFERENCE || tag == TAG_ENDNOTE_REFERENCE || tag == TAG_COMMENT_REFERENCE ||
		    tag == TAG_COMMENT_START || tag == TAG_COMMENT_END || tag == TAG_BOOKMARK_START ||
		    tag == TAG_BOOKMARK_END || tag == TAG_RANGE_MARK)
			return false;
		if (tag == TAG_NOT_ELEMENT || !text_is(fragment_local(&f, i, &space), "docPr") || space != SPACE_WP)
			continue;
		size_t n = xml_attributes(a, &f.xml, i, &attributes);
		for (size_t j = 0; j < n; j++)
			if (text_is(attributes[j].name, "id"))
				*ARRAY_PUSH(a, &edits) =
					(struct splice){attributes[j].value_from, attributes[j].value_to,
							text_format(a, "%u", k->next_drawing++)};
	}
	*out = splice_apply(a, element, edits.items, edits.n);
	return true;
}

static bool add_rows(struct carry *k, struct text name, const struct buffer *rows)
{
	struct part *part;

	if (!rows->len)
		return true;
	if (!package_part(k->c, k->to, name, &part))
		return false;
	/* The file as it was opened, without what a session has laid over it. */
	bool is_there = part && part->bytes.at;
	*ARRAY_PUSH(k->c->arena, &k->parts) = (struct zip_change){
		is_there ? part->member : ZIP_NONE, name,
		root_with_child(k->c->arena, is_there ? part->bytes : no_relations, buffer_text(rows))};
	return true;
}

bool carry_end(struct carry *k)
{
	return add_rows(k, package_relations_name(k->c->arena, k->to->main->name), &k->rows) &&
	       add_rows(k, types_name, &k->types);
}
