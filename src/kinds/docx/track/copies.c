/* copies.c: copies parts of one package into another, with the parts that they refer to. */
#include "format/xml.h"
#include "kinds/docx/text/root.h"
#include "kinds/docx/track/carry.h"

enum { DEPTH_MAX = 4, COPIES_MAX = 2000 }; /* a chart, its drawing, its picture; parts in one redline */

const struct text copies_no_relations =
	TEXT("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
	     "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"/>");

/* The targets that can be copied, by the end of the relationship's type, and the folder for the copies. */
static const struct {
	const char *type, *folder;
	bool may_leave; /* the target may be outside the package */
} portable[] = {
	{"/image", "media", true},
	{"/hyperlink", NULL, true},
	{"/oleObject", "embeddings", false},
	{"/package", "embeddings", false},
	{"/chart", "charts", false},
	{"/chartEx", "charts", false},
	{"/chartStyle", "charts", false},
	{"/chartColorStyle", "charts", false},
	{"/chartUserShapes", "drawings", false},
	{"/themeOverride", "theme", false},
	{"/header", "headers", false},
	{"/footer", "footers", false},
};

static const char *folder_of(struct text type)
{
	for (size_t i = 0; i < ARRAY_COUNT(portable); i++)
		if (text_ends(type, portable[i].type))
			return portable[i].folder;
	return NULL;
}

bool copies_may_leave(struct text type)
{
	for (size_t i = 0; i < ARRAY_COUNT(portable); i++)
		if (portable[i].may_leave && text_ends(type, portable[i].type))
			return true;
	return false;
}

static bool unpacked(struct arena *a, struct package *p, struct text name, struct text *out)
{
	uint32_t member = zip_find(p->zip, name);
	enum zip_fault fault;
	struct error why;

	return member != ZIP_NONE && zip_unpack(a, p->zip, member, out, &fault, &why);
}

/* The relationships of a part. Returns false if they cannot be read; that is not an error of the call. */
static bool relations_of(struct carry *k, struct package *p, struct text name, struct relationships *out)
{
	struct error before = k->c->error;
	bool done = package_relations(k->c, p, name, out);

	k->c->error = before;
	return done;
}

static bool same_parts(struct carry *k, struct text a, struct text b, unsigned depth);

static bool lead_alike(struct carry *k, const struct relationship *a, const struct relationship *b, unsigned depth)
{
	if (!text_same(a->type, b->type) || a->is_external != b->is_external)
		return false;
	return a->is_external ? text_same(a->target, b->target) : same_parts(k, a->target, b->target, depth);
}

static bool same_parts(struct carry *k, struct text a, struct text b, unsigned depth)
{
	scoped(arena_free) struct arena scratch = {0};
	uint32_t m = zip_find(k->from->zip, a), n = zip_find(k->to->zip, b);
	struct relationships of_a, of_b;
	struct text x, y;

	if (depth > DEPTH_MAX || m == ZIP_NONE || n == ZIP_NONE ||
	    k->from->zip->members[m].crc != k->to->zip->members[n].crc ||
	    k->from->zip->members[m].size != k->to->zip->members[n].size || !unpacked(&scratch, k->from, a, &x) ||
	    !unpacked(&scratch, k->to, b, &y) || !text_same(x, y) || !relations_of(k, k->from, a, &of_a) ||
	    !relations_of(k, k->to, b, &of_b) || of_a.n != of_b.n)
		return false;
	for (size_t i = 0; i < of_a.n; i++) {
		const struct relationship *same = relationship_by_id(&of_b, of_a.items[i].id);
		if (!same || !lead_alike(k, &of_a.items[i], same, depth + 1))
			return false;
	}
	return true;
}

bool copies_alike(struct carry *k, const struct relationship *a, const struct relationship *b)
{
	return lead_alike(k, a, b, 0);
}

/* The file extension in lower case, such as ".png"; ".bin" if it is unusual. */
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

static size_t folder_length(struct text name)
{
	while (name.len && name.at[name.len - 1] != '/')
		name.len--;
	return name.len;
}

struct text copies_name(struct carry *k, struct text stem, struct text end, bool numbered)
{
	struct arena *a = k->c->arena;
	struct text main = k->to->main->name, name;

	do {
		struct text number = numbered ? text_format(a, "%u", ++k->parts_made) : TEXT("");
		numbered = true;
		name = text_format(a, "%.*s%.*s%.*s%.*s", (int)folder_length(main), main.at, TEXT_ARGS(stem),
				   TEXT_ARGS(number), TEXT_ARGS(end));
	} while (zip_find(k->to->zip, name) != ZIP_NONE);
	return name;
}

void copies_put_type(struct carry *k, struct text name, struct text type)
{
	struct part *types;

	if (!package_part(k->c, k->to, TEXT("[Content_Types].xml"), &types))
		return; /* never happens: it was read before */
	buffer_format(&k->types, "<%.*sOverride PartName=\"/",
		      TEXT_ARGS(types && types->bytes.at ? root_prefix(types->bytes) : TEXT("")));
	xml_escape(&k->types, name, true);
	buffer_put(&k->types, "\" ContentType=\"");
	xml_escape(&k->types, type, true);
	buffer_put(&k->types, "\"/>");
}

/* The target's path: relative to the folder of part `of`, or absolute. */
static struct text target_from(struct arena *a, struct text of, struct text name)
{
	size_t folder = folder_length(of);

	if (name.len > folder && text_same(text_slice(of, 0, folder), text_slice(name, 0, folder)))
		return text_slice(name, folder, name.len);
	return text_format(a, "/%.*s", TEXT_ARGS(name));
}

void copies_put_row(struct arena *a, struct buffer *to, struct text prefix, struct text of, struct text id,
		    struct text type, struct text target, bool is_external)
{
	buffer_format(to, "<%.*sRelationship Id=\"", TEXT_ARGS(prefix));
	xml_escape(to, id, true);
	buffer_put(to, "\" Type=\"");
	xml_escape(to, type, true);
	buffer_put(to, "\" Target=\"");
	xml_escape(to, is_external ? target : target_from(a, of, target), true);
	buffer_put(to, is_external ? "\" TargetMode=\"External\"/>" : "\"/>");
}

/* A part to be copied. */
struct copy {
	struct text from, to, bytes, content_type;
	const char *folder;
	struct relationships relations;
};
struct plan {
	struct carry *k;
	ARRAY(struct copy) list;
};

static const struct text *copied(const struct carry *k, struct text name)
{
	const uint32_t *at = map_find(&k->copied, name);

	return at ? &k->copies.items[*at] : NULL;
}

static bool is_planned(const struct plan *p, struct text name)
{
	for (size_t i = 0; i < p->list.n; i++)
		if (text_same(p->list.items[i].from, name))
			return true;
	return copied(p->k, name);
}

static bool holds_macros(struct text content_type)
{
	return text_find(content_type, TEXT("macroEnabled"), 0) != SIZE_MAX ||
	       text_find(content_type, TEXT("vbaProject"), 0) != SIZE_MAX;
}

/* Collects the part and all parts that it refers to. Nothing is written yet, because one of them may be refused. */
static bool plan_copy(struct plan *p, const struct relationship *r, unsigned depth)
{
	struct carry *k = p->k;
	struct copy copy = {.from = r->target, .folder = folder_of(r->type)};

	if (r->is_external)
		return copies_may_leave(r->type);
	if (is_planned(p, r->target))
		return true;
	struct error before = k->c->error;
	bool is_fine = copy.folder && depth <= DEPTH_MAX && p->list.n + k->copies.n < COPIES_MAX &&
		       unpacked(k->c->arena, k->from, r->target, &copy.bytes) &&
		       package_content_type(k->c, k->from, r->target, &copy.content_type) && copy.content_type.at &&
		       !holds_macros(copy.content_type) && relations_of(k, k->from, r->target, &copy.relations);
	k->c->error = before;
	if (!is_fine)
		return false;
	*ARRAY_PUSH(k->c->arena, &p->list) = copy;
	for (size_t i = 0; i < copy.relations.n; i++)
		if (!plan_copy(p, &copy.relations.items[i], depth + 1))
			return false;
	return true;
}

static void write_relations(struct carry *k, const struct copy *copy)
{
	struct arena *a = k->c->arena;
	struct buffer rows = {.arena = a};

	/* Ids do not change, because the part is copied unchanged and contains them. */
	for (size_t i = 0; i < copy->relations.n; i++) {
		const struct relationship *r = &copy->relations.items[i];
		struct text target = r->is_external ? r->target : *copied(k, r->target);
		copies_put_row(a, &rows, TEXT(""), copy->to, r->id, r->type, target, r->is_external);
	}
	if (rows.len)
		*ARRAY_PUSH(a, &k->parts) =
			(struct zip_change){.member = ZIP_NONE,
					    .name = package_relations_name(a, copy->to),
					    .bytes = root_with_child(a, copies_no_relations, buffer_text(&rows))};
}

bool copies_make(struct carry *k, const struct relationship *r, struct text *name)
{
	struct arena *a = k->c->arena;
	struct plan p = {.k = k};
	struct text there;

	if (r->is_external || !plan_copy(&p, r, 0))
		return false;
	for (size_t i = 0; i < p.list.n; i++) {
		struct copy *copy = &p.list.items[i];
		copy->to = copies_name(k, text_format(a, "%s/compared", copy->folder), ending(a, copy->from), true);
		map_at(&k->copied, copy->from, (uint32_t)k->copies.n, NULL);
		*ARRAY_PUSH(a, &k->copies) = copy->to;
		if (!package_content_type(k->c, k->to, copy->to, &there))
			return false;
		if (!there.at || !text_same(there, copy->content_type))
			copies_put_type(k, copy->to, copy->content_type);
		*ARRAY_PUSH(a, &k->parts) =
			(struct zip_change){.member = ZIP_NONE, .name = copy->to, .bytes = copy->bytes};
	}
	for (size_t i = 0; i < p.list.n; i++)
		write_relations(k, &p.list.items[i]);
	*name = *copied(k, r->target);
	return true;
}
