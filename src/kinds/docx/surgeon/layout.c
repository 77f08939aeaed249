#include "kinds/docx/surgeon/layout.h"

#include "base/array.h"
#include "format/splice.h"

#include <string.h>

/* The children of w:pPr in the order of the schema. */
static const char *const order[] = {
	"pStyle",
	"keepNext",
	"keepLines",
	"pageBreakBefore",
	"framePr",
	"widowControl",
	"numPr",
	"suppressLineNumbers",
	"pBdr",
	"shd",
	"tabs",
	"kinsoku",
	"suppressAutoHyphens",
	"wordWrap",
	"overflowPunct",
	"topLinePunct",
	"autoSpaceDE",
	"autoSpaceDN",
	"bidi",
	"adjustRightInd",
	"snapToGrid",
	"spacing",
	"ind",
	"contextualSpacing",
	"mirrorIndents",
	"suppressOverlap",
	"jc",
	"textDirection",
	"textAlignment",
	"textboxTightWrap",
	"outlineLvl",
	"divId",
	"cnfStyle",
	"rPr",
	"sectPr",
	"pPrChange",
};

static bool is_named(const struct fragment *f, uint32_t node, const char *local)
{
	enum space space;

	return f->xml.nodes[node].type == XML_ELEMENT && text_is(fragment_local(f, node, &space), local) &&
	       space == SPACE_W;
}

static struct text number(struct arena *a, int32_t n) { return text_format(a, "%d", n); }

/* The element with its other attributes. Removes the autospacing of a changed side, which would override its new
 * value. */
static struct text spacing_element(struct arena *a, const struct fragment *f, uint32_t old, const struct spacing *to)
{
	const struct names *names = fragment_names(f, 0);
	struct buffer b = {.arena = a};
	static const char *const own[] = {"before",           "beforeAutospacing", "beforeLines", "after",
					  "afterAutospacing", "afterLines",        "line",        "lineRule"};

	names_open(&b, names, "spacing");
	for (size_t i = 0; i < ARRAY_COUNT(own); i++) {
		bool is_set = i < 3    ? to->before >= 0
			      : i < 6  ? to->after >= 0
			      : i == 6 ? to->line >= 0
				       : to->line_rule.at != NULL;
		struct text was = old == XML_NONE ? (struct text){0} : fragment_attribute(a, f, old, SPACE_W, own[i]);
		if (is_set && i == 0)
			names_attribute(&b, names, own[i], number(a, to->before));
		else if (is_set && i == 3)
			names_attribute(&b, names, own[i], number(a, to->after));
		else if (is_set && i == 6)
			names_attribute(&b, names, own[i], number(a, to->line));
		else if (is_set && i == 7)
			names_attribute(&b, names, own[i], to->line_rule);
		else if (!is_set && was.at)
			names_attribute(&b, names, own[i], was);
	}
	buffer_put(&b, "/>");
	return buffer_text(&b);
}

static uint32_t child_named(const struct fragment *f, uint32_t node, const char *local)
{
	for (uint32_t i = node == XML_NONE ? 0 : node + 1; node != XML_NONE && i < f->xml.nodes[node].after;
	     i = f->xml.nodes[i].after)
		if (is_named(f, i, local))
			return i;
	return XML_NONE;
}

/* The paragraph with the element in its properties: replaces the one of that name, or is inserted in the order of the
 * schema. */
static struct text with_property(struct arena *a, const struct atoms *p, const char *local, struct text element)
{
	const struct fragment *f = &p->fragment;
	const struct names *names = fragment_names(f, 0);
	const struct xml_node *nodes = f->xml.nodes;
	struct buffer b = {.arena = a};
	uint32_t old = child_named(f, p->ppr, local), at = 0;
	size_t k = 0;

	if (old != XML_NONE)
		return splice_apply(a, f->xml.bytes, &(struct splice){nodes[old].from, nodes[old].to, element}, 1);
	if (p->ppr != XML_NONE && !nodes[p->ppr].is_empty_tag) {
		while (strcmp(order[k], local) != 0)
			k++;
		for (; k < ARRAY_COUNT(order); k++) {
			uint32_t next = child_named(f, p->ppr, order[k]);
			if (next != XML_NONE && (!at || nodes[next].from < at))
				at = nodes[next].from;
		}
		at = at ? at : nodes[p->ppr].inner_to;
		return splice_apply(a, f->xml.bytes, &(struct splice){at, at, element}, 1);
	}
	names_open(&b, names, "pPr");
	buffer_byte(&b, '>');
	buffer_add(&b, element);
	names_close(&b, names, "pPr");
	if (p->ppr != XML_NONE)
		return splice_apply(a, f->xml.bytes,
				    &(struct splice){nodes[p->ppr].from, nodes[p->ppr].to, buffer_text(&b)}, 1);
	if (!nodes[0].is_empty_tag)
		return splice_apply(a, f->xml.bytes, &(struct splice){nodes[0].inner, nodes[0].inner, buffer_text(&b)},
				    1);
	struct buffer whole = {.arena = a};
	buffer_add(&whole, text_slice(f->xml.bytes, 0, nodes[0].to - 2));
	buffer_byte(&whole, '>');
	buffer_add(&whole, buffer_text(&b));
	buffer_put(&whole, "</");
	buffer_add(&whole, xml_name(&f->xml, 0));
	buffer_byte(&whole, '>');
	return buffer_text(&whole);
}

struct text layout_spacing(struct arena *a, const struct atoms *p, const struct spacing *to)
{
	uint32_t old = child_named(&p->fragment, p->ppr, "spacing");

	return with_property(a, p, "spacing", spacing_element(a, &p->fragment, old, to));
}

struct text layout_numbering(struct arena *a, const struct atoms *p, int32_t num_id, int level)
{
	const struct names *names = fragment_names(&p->fragment, 0);
	struct buffer b = {.arena = a};

	names_open(&b, names, "numPr");
	buffer_byte(&b, '>');
	names_open(&b, names, "ilvl");
	names_attribute(&b, names, "val", number(a, level));
	buffer_put(&b, "/>");
	names_open(&b, names, "numId");
	names_attribute(&b, names, "val", number(a, num_id));
	buffer_put(&b, "/>");
	names_close(&b, names, "numPr");
	return with_property(a, p, "numPr", buffer_text(&b));
}

static const struct {
	const char *local;
	unsigned flag;
} clearable[] = {
	{"b", CLEAR_BOLD},        {"bCs", CLEAR_BOLD},    {"i", CLEAR_ITALIC},
	{"iCs", CLEAR_ITALIC},    {"u", CLEAR_UNDERLINE}, {"highlight", CLEAR_HIGHLIGHT},
	{"shd", CLEAR_HIGHLIGHT}, {"color", CLEAR_COLOR}, {"rFonts", CLEAR_FONT},
	{"sz", CLEAR_SIZE},       {"szCs", CLEAR_SIZE},
};

struct text layout_clear(struct arena *a, const struct atoms *p, unsigned what, uint32_t *runs)
{
	const struct fragment *f = &p->fragment;
	const struct xml_node *nodes = f->xml.nodes;
	ARRAY(struct splice) edits = {0};

	*runs = 0;
	for (uint32_t r = 0; r < p->runs_n; r++) {
		uint32_t rpr = p->runs[r].rpr, kept = 0;
		size_t before = edits.n;
		if (rpr == XML_NONE)
			continue;
		for (uint32_t i = rpr + 1; i < nodes[rpr].after; i = nodes[i].after) {
			bool goes = false;
			for (size_t k = 0; k < ARRAY_COUNT(clearable); k++)
				goes |= (what & clearable[k].flag) && is_named(f, i, clearable[k].local);
			if (goes)
				*ARRAY_PUSH(a, &edits) = (struct splice){nodes[i].from, nodes[i].to, TEXT("")};
			else
				kept += nodes[i].type == XML_ELEMENT;
		}
		if (edits.n == before)
			continue;
		++*runs;
		if (!kept) {
			edits.n = before;
			*ARRAY_PUSH(a, &edits) = (struct splice){nodes[rpr].from, nodes[rpr].to, TEXT("")};
		}
	}
	return splice_apply(a, f->xml.bytes, edits.items, edits.n);
}
