#include "kinds/docx/package/package.h"

#include "base/utf8.h"
#include "format/xml_scan.h"
#include "kinds/docx/package/encoding.h"

#include <string.h>

/* Limits of small parts; the stories have their own. */
static const struct xml_limits small_limits = {.depth = 64, .attributes = 64, .nodes = 200000};

static const char *const zip_codes[] = {
	[ZIP_FINE] = "INVALID_DOCX_ARCHIVE",
	[ZIP_BROKEN] = "INVALID_DOCX_ARCHIVE",
	[ZIP_ENTRIES] = "DOCX_ARCHIVE_TOO_MANY_ENTRIES",
	[ZIP_ENTRY] = "DOCX_ARCHIVE_ENTRY_TOO_LARGE",
	[ZIP_TOTAL] = "DOCX_ARCHIVE_UNCOMPRESSED_TOO_LARGE",
	[ZIP_RATIO] = "DOCX_ARCHIVE_COMPRESSION_RATIO_TOO_HIGH",
};

static bool refuse_archive(struct call *c, enum zip_fault fault, const struct error *why)
{
	const char *advice = fault == ZIP_BROKEN ? "open it in a word processor and save it again as .docx"
						 : "split the document, or raise the limit in [kinds.docx]";

	return fail_as(c, zip_codes[fault], "%s; %s", why->message, advice);
}

bool package_refuse(struct call *c, struct text part, const struct error *why)
{
	if (why->line)
		return fail_as(c, "INVALID_DOCX_ARCHIVE",
			       "%s, line %u, column %u: %s; open the file in a word processor "
			       "and save it again",
			       shown(c, part), why->line, why->column, why->message);
	return fail_as(c, "INVALID_DOCX_ARCHIVE", "%s: %s; open the file in a word processor and save it again",
		       shown(c, part), why->message);
}

enum relation relation_of(struct text type)
{
	static const struct {
		const char *step;
		enum relation relation;
	} known[] = {{"officeDocument", RELATION_DOCUMENT},
		     {"styles", RELATION_STYLES},
		     {"numbering", RELATION_NUMBERING},
		     {"settings", RELATION_SETTINGS},
		     {"footnotes", RELATION_FOOTNOTES},
		     {"endnotes", RELATION_ENDNOTES},
		     {"comments", RELATION_COMMENTS},
		     {"commentsExtended", RELATION_COMMENTS_EXTENDED},
		     {"people", RELATION_PEOPLE},
		     {"header", RELATION_HEADER},
		     {"footer", RELATION_FOOTER},
		     {"hyperlink", RELATION_HYPERLINK},
		     {"theme", RELATION_THEME}};
	static const char *const families[] = {"http://schemas.openxmlformats.org/officeDocument/2006/relationships/",
					       "http://purl.oclc.org/ooxml/officeDocument/relationships/",
					       "http://schemas.microsoft.com/office/2011/relationships/"};

	for (size_t f = 0; f < ARRAY_COUNT(families); f++) {
		if (!text_starts(type, families[f]))
			continue;
		struct text step = text_slice(type, strlen(families[f]), type.len);
		for (size_t i = 0; i < ARRAY_COUNT(known); i++)
			if (text_is(step, known[i].step))
				return known[i].relation;
	}
	return RELATION_OTHER;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 32);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A target as a part's name: relative to the folder of the part that names it, or from the top. A `..` at the top has
 * no effect. */
static struct text resolved(struct arena *a, struct text from, struct text target)
{
	struct buffer b = {.arena = a};
	size_t folder = from.len;

	while (folder && from.at[folder - 1] != '/')
		folder--;
	if (target.len && target.at[0] == '/')
		target = text_slice(target, 1, target.len);
	else
		buffer_add(&b, text_slice(from, 0, folder));
	for (size_t i = 0; i < target.len;) {
		size_t end = i;
		while (end < target.len && target.at[end] != '/')
			end++;
		struct text step = text_slice(target, i, end);
		if (text_is(step, "..")) {
			for (b.len -= b.len > 0; b.len && b.at[b.len - 1] != '/';)
				b.len--;
		} else if (!text_is(step, ".") && step.len) {
			for (size_t k = 0; k < step.len; k++) {
				int high = step.at[k] == '%' && k + 2 < step.len ? hex_digit(step.at[k + 1]) : -1;
				int low = high >= 0 ? hex_digit(step.at[k + 2]) : -1;
				buffer_byte(&b, low >= 0 ? (char)(high * 16 + low) : step.at[k]);
				k += low >= 0 ? 2 : 0;
			}
			if (end < target.len)
				buffer_byte(&b, '/');
		}
		i = end + 1;
	}
	return buffer_text(&b);
}

struct text package_relations_name(struct arena *a, struct text part)
{
	size_t folder = part.at ? part.len : 0;

	while (folder && part.at[folder - 1] != '/')
		folder--;
	struct text name = text_slice(part, folder, part.len);
	return text_format(a, "%.*s_rels/%.*s.rels", (int)folder, part.at ? part.at : "", TEXT_ARGS(name));
}

static bool is_alike(struct text a, struct text b) { return a.len == b.len && !strncasecmp(a.at, b.at, a.len); }

static struct part *known_part(const struct package *p, struct text name)
{
	for (size_t i = 0; i < p->parts.n; i++)
		if (is_alike(p->parts.items[i]->name, name))
			return p->parts.items[i];
	return NULL;
}

static struct part *new_part(struct package *p, struct text name, uint32_t member)
{
	struct part *part = arena_new(p->arena, struct part);

	part->name = member == ZIP_NONE ? text_copy(p->arena, name) : p->zip->members[member].name;
	part->member = member;
	*ARRAY_PUSH(p->arena, &p->parts) = part;
	return part;
}

bool package_part(struct call *c, struct package *p, struct text name, struct part **out)
{
	enum zip_fault fault;
	struct error why;
	struct text bytes;

	if ((*out = known_part(p, name)))
		return true;
	uint32_t member = zip_find(p->zip, name);
	if (member == ZIP_NONE)
		return true;
	if (!zip_unpack(p->arena, p->zip, member, &bytes, &fault, &why))
		return refuse_archive(c, fault, &why);
	struct part *part = new_part(p, name, member);
	part->bytes = bytes;
	if (encoding_is_utf16(bytes)) {
		part->was_transcoded = true;
		part->bytes = encoding_from_utf16(p->arena, bytes);
		if (!part->bytes.at) {
			why = (struct error){.message =
						     "the XML is UTF-16 with an unpaired surrogate or an odd length"};
			return package_refuse(c, part->name, &why);
		}
	}
	*out = part;
	return true;
}

struct text part_now(const struct part *part) { return part->now.at ? part->now : part->bytes; }

struct part *package_named(struct package *p, struct text name)
{
	struct part *part = known_part(p, name);

	return part ? part : new_part(p, name, zip_find(p->zip, name));
}

static struct text local_name(struct text name)
{
	const char *colon = memchr(name.at, ':', name.len);

	return colon ? text_slice(name, (size_t)(colon - name.at) + 1, name.len) : name;
}

bool package_relations(struct call *c, struct package *p, struct text part, struct relationships *out)
{
	struct text name = package_relations_name(c->arena, part);
	ARRAY(struct relationship) list = {0};
	struct part *rels;
	struct error why;

	*out = (struct relationships){0};
	if (!package_part(c, p, name, &rels))
		return false;
	if (!rels)
		return true;
	struct xml_scan *s = arena_new(c->arena, struct xml_scan);
	for (xml_scan_begin(s, c->arena, part_now(rels), &small_limits, &why); xml_scan_next(s) != XML_SCAN_END;) {
		if (s->token != XML_SCAN_OPEN || !text_is(local_name(s->name), "Relationship"))
			continue;
		struct text target = xml_value(p->arena, xml_scan_attribute(s, "Target"), true);
		struct relationship r = {.id = xml_value(p->arena, xml_scan_attribute(s, "Id"), true),
					 .relation = relation_of(xml_scan_attribute(s, "Type")),
					 .type = xml_value(p->arena, xml_scan_attribute(s, "Type"), true),
					 .is_external = text_is(xml_scan_attribute(s, "TargetMode"), "External")};
		if (!target.at)
			continue;
		r.target = r.is_external ? target : resolved(p->arena, part.at ? part : TEXT(""), target);
		*ARRAY_PUSH(p->arena, &list) = r;
	}
	if (s->is_bad)
		return package_refuse(c, rels->name, &why);
	*out = (struct relationships){list.items, list.n};
	return true;
}

bool package_content_type(struct call *c, struct package *p, struct text part, struct text *out)
{
	struct part *types;
	struct error why;
	size_t dot = part.len;
	bool has_own = false;

	*out = (struct text){0};
	if (!package_part(c, p, TEXT("[Content_Types].xml"), &types))
		return false;
	if (!types)
		return true;
	while (dot && part.at[dot - 1] != '.' && part.at[dot - 1] != '/')
		dot--;
	struct text extension = text_slice(part, dot, part.len);
	struct xml_scan *s = arena_new(c->arena, struct xml_scan);
	for (xml_scan_begin(s, c->arena, part_now(types), &small_limits, &why); xml_scan_next(s) != XML_SCAN_END;) {
		if (s->token != XML_SCAN_OPEN)
			continue;
		struct text name = xml_value(c->arena, xml_scan_attribute(s, "PartName"), true);
		struct text ending = xml_value(c->arena, xml_scan_attribute(s, "Extension"), true);
		bool is_own = name.len && is_alike(text_slice(name, 1, name.len), part);
		if (is_own || (!has_own && ending.len && is_alike(ending, extension)))
			*out = xml_value(p->arena, xml_scan_attribute(s, "ContentType"), true);
		has_own |= is_own;
	}
	return !s->is_bad || package_refuse(c, types->name, &why);
}

const struct relationship *package_find(const struct package *p, enum relation relation)
{
	for (size_t i = 0; i < p->relations.n; i++)
		if (p->relations.items[i].relation == relation && !p->relations.items[i].is_external)
			return &p->relations.items[i];
	return NULL;
}

const struct relationship *relationship_by_id(const struct relationships *r, struct text id)
{
	for (size_t i = 0; i < r->n; i++)
		if (text_same(r->items[i].id, id))
			return &r->items[i];
	return NULL;
}

/* The format of a file that is not a ZIP, if its first bytes show it. */
static const char *other_format(struct text bytes)
{
	static const struct {
		const char *sign;
		size_t len;
		const char *name;
	} known[] = {{"\xD0\xCF\x11\xE0", 4, "an old .doc or an encrypted document"},
		     {"%PDF", 4, "a PDF"},
		     {"{\\rtf", 5, "an RTF document"},
		     {"<?xml", 5, "an XML document"},
		     {"<!DOCTYPE", 9, "an HTML page"},
		     {"<html", 5, "an HTML page"}};

	for (size_t i = 0; i < ARRAY_COUNT(known); i++)
		if (bytes.len >= known[i].len && !memcmp(bytes.at, known[i].sign, known[i].len))
			return known[i].name;
	return NULL;
}

static bool find_main(struct call *c, struct package *p)
{
	struct relationships own;

	if (!package_relations(c, p, (struct text){0}, &own))
		return false;
	for (size_t i = 0; i < own.n && !p->main; i++)
		if (own.items[i].relation == RELATION_DOCUMENT && !own.items[i].is_external &&
		    !package_part(c, p, own.items[i].target, &p->main))
			return false;
	if (!p->main)
		return fail_as(
			c, "INVALID_DOCX_ARCHIVE",
			"the archive has no main document: its relationships (_rels/.rels) name none that is there; "
			"open the file in a word processor and save it again as .docx");
	return package_relations(c, p, p->main->name, &p->relations);
}

bool package_open(struct call *c, struct arena *a, struct text bytes, const struct zip_limits *limits,
		  struct package **out)
{
	enum zip_fault fault;
	struct error why;
	struct package *p = arena_new(a, struct package);

	p->arena = a;
	const char *format = other_format(bytes);
	if (format)
		return fail_as(c, "INVALID_DOCX_ARCHIVE",
			       "the file is %s, not a .docx; open it in a word processor and save it as .docx", format);
	p->zip = zip_read(a, bytes, limits, &fault, &why);
	if (!p->zip)
		return refuse_archive(c, fault, &why);
	if (p->zip->behind)
		warn(c, "the file has %u byte%s after the end of its archive; they are ignored, and saved as they were",
		     p->zip->behind, p->zip->behind == 1 ? "" : "s");
	if (!find_main(c, p))
		return false;
	*out = p;
	return true;
}

static bool is_xml(struct text name) { return text_ends(name, ".xml") || text_ends(name, ".rels"); }

static bool is_well_formed(struct arena *a, struct text bytes)
{
	static const struct xml_limits limits = {.depth = 512, .attributes = 128, .nodes = 100000000};
	struct error ignored = {0};
	struct xml_scan scan;

	xml_scan_begin(&scan, a, bytes, &limits, &ignored);
	while (xml_scan_next(&scan) != XML_SCAN_END)
		;
	return !scan.is_bad;
}

bool package_holds(struct arena *a, struct text bytes, const struct zip_limits *limits)
{
	struct call c = {.arena = a};
	struct package *p;
	struct part *part;

	if (!text_starts(bytes, "PK") || !package_open(&c, a, bytes, limits, &p))
		return false;
	for (uint32_t i = 0; i < p->zip->n; i++) {
		const struct zip_member *m = &p->zip->members[i];

		if (!m->is_folder && (!package_part(&c, p, m->name, &part) || !part ||
				      (is_xml(m->name) && !is_well_formed(a, part->bytes))))
			return false;
	}
	return true;
}
