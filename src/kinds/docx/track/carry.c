#include "kinds/docx/track/carry.h"
#include "kinds/docx/text/fragment.h"
#include "kinds/docx/text/root.h"

#include <string.h>

static const struct text types_name = TEXT("[Content_Types].xml");

enum { DRAWING_MAX = 100000000 };
static const char blanks[] = " \t\r\n";

int64_t carry_highest_id(struct text part, const char *before, int64_t limit)
{
	int64_t highest = 0;

	for (size_t at = 0; (at = text_find(part, TEXT("id"), at)) != SIZE_MAX;) {
		bool is_id = at && part.at[at - 1] && strchr(before, part.at[at - 1]);
		int64_t n = 0;
		at += 2;
		while (is_id && at < part.len && strchr(blanks, part.at[at]))
			at++;
		is_id = is_id && at < part.len && part.at[at] == '=';
		while (is_id && ++at < part.len && strchr(blanks, part.at[at]))
			;
		if (!is_id || at >= part.len || (part.at[at] != '"' && part.at[at] != '\''))
			continue;
		for (at++; at < part.len && part.at[at] >= '0' && part.at[at] <= '9' && n <= limit; at++)
			n = 10 * n + (part.at[at] - '0');
		highest = n > highest && n < limit ? n : highest;
	}
	return highest;
}

static struct carry_text empty_text(struct arena *a)
{
	return (struct carry_text){.known = {.arena = a}, .rows = {.arena = a}};
}

void carry_begin(struct carry *k, struct call *c, struct package *from, struct package *to)
{
	*k = (struct carry){.c = c,
			    .from = from,
			    .to = to,
			    .next_drawing = (uint32_t)carry_highest_id(to->main->bytes, blanks, DRAWING_MAX) + 1,
			    .main = empty_text(c->arena),
			    .copied = {.arena = c->arena},
			    .types = {.arena = c->arena}};
	k->main.to = to->main->name;
	k->main.from_relations = from->relations;
	k->main.to_relations = to->relations;
}

bool carry_text_begin(struct carry *k, struct text from, struct text to, struct carry_text *out)
{
	*out = empty_text(k->c->arena);
	out->to = to;
	return (!from.at || package_relations(k->c, k->from, from, &out->from_relations)) &&
	       (!to.at || package_relations(k->c, k->to, to, &out->to_relations));
}

/* The id of an equal relationship in the other package; the one with the same id is preferred. Absent: none. */
static struct text id_there(struct carry *k, const struct carry_text *t, const struct relationship *r)
{
	const struct relationships *all = &t->to_relations;
	const struct relationship *same = relationship_by_id(all, r->id);

	if (same && copies_alike(k, r, same))
		return same->id;
	for (size_t i = 0; i < all->n; i++)
		if (copies_alike(k, r, &all->items[i]))
			return all->items[i].id;
	return (struct text){0};
}

/* The prefix of the rows in the part's relationships in the other package. */
static struct text prefix_of(struct carry *k, struct text part)
{
	struct part *rels = NULL;

	if (!part.at || !package_part(k->c, k->to, package_relations_name(k->c->arena, part), &rels))
		return TEXT("");
	return rels && rels->bytes.at ? root_prefix(rels->bytes) : TEXT("");
}

static struct text put_relation(struct carry *k, struct carry_text *t, struct text type, struct text target,
				bool is_external)
{
	struct text id;

	do
		id = text_format(k->c->arena, "rIdCompared%u", ++t->made);
	while (relationship_by_id(&t->to_relations, id));
	/* A new part is in the same folder as the main part. */
	copies_put_row(k->c->arena, &t->rows, prefix_of(k, t->to), t->to.at ? t->to : k->to->main->name, id, type,
		       target, is_external);
	return id;
}

struct text carry_part(struct carry *k, struct text type, const char *name, const char *content_type, struct text bytes)
{
	struct text whole = copies_name(k, text_of(name), TEXT(".xml"), false);

	copies_put_type(k, whole, text_of(content_type));
	put_relation(k, &k->main, type, whole, false);
	*ARRAY_PUSH(k->c->arena, &k->parts) = (struct zip_change){.member = ZIP_NONE, .name = whole, .bytes = bytes};
	return whole;
}

/* The id of a new relationship in the other package; absent: its target cannot be copied. */
static struct text new_id(struct carry *k, struct carry_text *t, const struct relationship *r)
{
	struct text target = r->target;

	if (r->is_external ? !copies_may_leave(r->type) : !copies_make(k, r, &target))
		return (struct text){0};
	return put_relation(k, t, r->type, target, r->is_external);
}

static struct text id_of(struct carry *k, struct carry_text *t, struct text id)
{
	if (k->from == k->to || !id.len)
		return id;
	const uint32_t *known = map_find(&t->known, id);
	uint32_t at = known ? *known : (uint32_t)t->ids.n;
	if (!known) {
		map_at(&t->known, text_copy(k->c->arena, id), at, NULL);
		const struct relationship *r = relationship_by_id(&t->from_relations, id);
		struct text there = r ? id_there(k, t, r) : (struct text){0};
		there = r && !there.at ? new_id(k, t, r) : there;
		*ARRAY_PUSH(k->c->arena, &t->ids) = there;
	}
	return t->ids.items[at];
}

bool carry_element(struct carry *k, struct carry_text *t, struct arena *a, struct text element,
		   const struct names *names, struct text *out)
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
				return false; /* an old drawing refers to a picture this way */
			if (space != SPACE_R)
				continue;
			struct text id = id_of(k, t, attributes[j].value);
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

/* Does it contain an element whose id may mean something else in the other package? */
static bool holds_marks(const struct fragment *f)
{
	static const uint8_t marks[] = {TAG_FOOTNOTE_REFERENCE, TAG_ENDNOTE_REFERENCE, TAG_COMMENT_REFERENCE,
					TAG_COMMENT_START,      TAG_COMMENT_END,       TAG_BOOKMARK_START,
					TAG_BOOKMARK_END,       TAG_RANGE_MARK};

	for (uint32_t i = 0; i < f->xml.n; i++)
		if (memchr(marks, f->tags[i], sizeof marks))
			return true;
	return false;
}

static struct text numbered(struct carry *k, struct arena *a, const struct fragment *f)
{
	ARRAY(struct splice) edits = {0};

	for (uint32_t i = 0; i < f->xml.n; i++) {
		struct xml_attribute *attributes;
		enum space space;
		if (f->tags[i] == TAG_NOT_ELEMENT || !text_is(fragment_local(f, i, &space), "docPr") ||
		    space != SPACE_WP)
			continue;
		size_t n = xml_attributes(a, &f->xml, i, &attributes);
		for (size_t j = 0; j < n; j++)
			if (text_is(attributes[j].name, "id"))
				*ARRAY_PUSH(a, &edits) =
					(struct splice){attributes[j].value_from, attributes[j].value_to,
							text_format(a, "%u", k->next_drawing++)};
	}
	return splice_apply(a, f->xml.bytes, edits.items, edits.n);
}

bool carry_numbered(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out)
{
	struct fragment f;

	if (!fragment_parse(a, element, names, &f))
		return false;
	*out = numbered(k, a, &f);
	return true;
}

bool carry_new(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out)
{
	struct fragment f;

	if (!fragment_parse(a, element, names, &f) || holds_marks(&f))
		return false;
	*out = numbered(k, a, &f);
	return true;
}

static bool add_rows(struct carry *k, struct text name, const struct buffer *rows)
{
	struct part *part;

	if (!rows->len)
		return true;
	if (!package_part(k->c, k->to, name, &part))
		return false;
	/* The file as it was opened, without the session's layers. */
	bool is_there = part && part->bytes.at;
	*ARRAY_PUSH(k->c->arena, &k->parts) = (struct zip_change){
		.member = is_there ? part->member : ZIP_NONE,
		.name = name,
		.bytes = root_with_child(k->c->arena, is_there ? part->bytes : copies_no_relations, buffer_text(rows))};
	return true;
}

bool carry_text_end(struct carry *k, const struct carry_text *t, struct text name)
{
	return add_rows(k, package_relations_name(k->c->arena, name), &t->rows);
}

bool carry_end(struct carry *k)
{
	return carry_text_end(k, &k->main, k->to->main->name) && add_rows(k, types_name, &k->types);
}
