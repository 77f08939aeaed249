#include "kinds/docx/annotate/note.h"

#include "kinds/docx/annotate/tools.h"
#include "kinds/docx/surgeon/look.h"
#include "kinds/docx/text/root.h"

#include <string.h>
#include <strings.h>

enum { NOTE_HALF_POINTS = 20 }; /* font size of Word's style for notes */

/* The styles that Word makes when the first footnote is added. */
static const struct note_style {
	enum style_type type;
	const char *id, *name, *head, *rest; /* w:basedOn is written between the two */
} styles[] = {
	{STYLE_PARAGRAPH, "FootnoteText", "footnote text",
	 "<w:style w:type=\"paragraph\" w:styleId=\"FootnoteText\"><w:name w:val=\"footnote text\"/>",
	 "<w:uiPriority w:val=\"99\"/><w:semiHidden/><w:unhideWhenUsed/>"
	 "<w:pPr><w:spacing w:after=\"0\" w:line=\"240\" w:lineRule=\"auto\"/></w:pPr>"
	 "<w:rPr><w:sz w:val=\"20\"/><w:szCs w:val=\"20\"/></w:rPr></w:style>"},
	{STYLE_CHARACTER, "FootnoteReference", "footnote reference",
	 "<w:style w:type=\"character\" w:styleId=\"FootnoteReference\"><w:name w:val=\"footnote reference\"/>",
	 "<w:uiPriority w:val=\"99\"/><w:semiHidden/><w:unhideWhenUsed/>"
	 "<w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr></w:style>"},
};

static struct text style_there(const struct session *s, const struct note_style *k)
{
	for (size_t i = 0; i < s->styles->items.n; i++) {
		const struct style *style = &s->styles->items.items[i];
		if (style->type == k->type && style->id.at && style->name.len == strlen(k->name) &&
		    !strncasecmp(style->name.at, k->name, style->name.len))
			return style->id;
	}
	return styles_find(s->styles, text_of(k->id), k->type) != STYLE_NONE ? text_of(k->id) : (struct text){0};
}

/* Writes the bytes with the prefix that the part uses instead of "w:". */
static void put_as(struct buffer *to, const char *bytes, struct text prefix)
{
	for (const char *at = bytes; *at; at++) {
		if (strncmp(at, "w:", 2) || !strchr("</ ", at[-1])) {
			buffer_byte(to, *at);
			continue;
		}
		buffer_add(to, prefix);
		at++;
	}
}

static struct text style_written(struct call *c, const struct session *s, const struct note_style *k,
				 struct text prefix)
{
	struct buffer out = {.arena = c->arena};
	uint32_t base = k->type == STYLE_PARAGRAPH ? s->styles->default_paragraph : STYLE_NONE;

	put_as(&out, k->head, prefix);
	if (base != STYLE_NONE && s->styles->items.items[base].id.at) {
		put_as(&out, "<w:basedOn w:val=\"", prefix);
		xml_escape(&out, s->styles->items.items[base].id, true);
		buffer_put(&out, "\"/>");
	}
	put_as(&out, k->rest, prefix);
	return buffer_text(&out);
}

/* The id of the style. A missing style is added. Absent: the document has no part for styles. */
static bool style_id(struct call *c, struct session *s, const struct note_style *k, struct text *out)
{
	const struct relationship *r = package_find(s->package, RELATION_STYLES);
	struct part *part = NULL;

	*out = style_there(s, k);
	if (out->at || !r || r->is_external)
		return true;
	if (!package_part(c, s->package, r->target, &part))
		return false;
	struct text bytes = part ? part_now(part) : (struct text){0};
	struct text prefix = bytes.at ? root_prefix(bytes) : (struct text){0};
	if (!prefix.len) /* attributes need a prefix */
		return true;
	*out = text_of(k->id);
	if (text_find(bytes, text_format(c->arena, "styleId=\"%s\"", k->id), 0) == SIZE_MAX)
		journal_lay(&s->journal, part->name, root_with_child(c->arena, bytes, style_written(c, s, k, prefix)));
	return true;
}

static struct text properties(struct call *c, const struct fragment *f, uint32_t rpr, const struct look *look)
{
	struct buffer out = {.arena = c->arena};

	rpr_write(c->arena, &out, f, rpr, look, true);
	return out.len ? buffer_text(&out) : (struct text){0};
}

/* Direct formatting as superscript, for a document without the style. */
static struct text raised(struct call *c, const struct names *names)
{
	struct buffer out = {.arena = c->arena};

	names_open(&out, names, "rPr");
	buffer_byte(&out, '>');
	names_open(&out, names, "vertAlign");
	names_attribute(&out, names, "val", TEXT("superscript"));
	buffer_put(&out, "/>");
	names_close(&out, names, "rPr");
	return buffer_text(&out);
}

void note_look_of(struct call *c, const struct annotations *a, uint32_t node, struct note_look *out)
{
	const struct fragment *f = &a->f;
	uint32_t p = fragment_child(f, node, TAG_P), most = 0;
	static const struct look plain = {0};

	*out = (struct note_look){0};
	if (p == XML_NONE)
		return;
	uint32_t ppr = fragment_child(f, p, TAG_PPR);
	bool is_tracked = false;
	for (uint32_t i = ppr == XML_NONE ? 0 : ppr; ppr != XML_NONE && i < f->xml.nodes[ppr].after; i++)
		is_tracked |= f->tags[i] == TAG_PPR_CHANGE || f->tags[i] == TAG_RPR_CHANGE || f->tags[i] == TAG_INS ||
			      f->tags[i] == TAG_DEL;
	if (ppr != XML_NONE && !is_tracked)
		out->paragraph = fragment_bytes(f, ppr);
	for (uint32_t i = p; i < f->xml.nodes[p].after; i++) {
		uint32_t run = f->tags[i] == TAG_NOT_ELEMENT ? XML_NONE : f->xml.nodes[i].parent;
		if (run == XML_NONE || f->tags[run] != TAG_R)
			continue;
		uint32_t rpr = fragment_child(f, run, TAG_RPR), len = f->xml.nodes[i].to - f->xml.nodes[i].from;
		if (text_is(fragment_local(f, i, NULL), "footnoteRef"))
			out->mark = properties(c, f, rpr, &plain);
		if (f->tags[i] != TAG_T || len <= most)
			continue;
		out->words = properties(c, f, rpr, &plain);
		most = len;
	}
}

/* The properties of the run that contains the character before `at`, or else the one at `at`; XML_NONE: none. */
static uint32_t properties_before(const struct atoms *t, uint32_t at)
{
	uint32_t run = ATOMS_NONE;

	for (uint32_t i = 0; i < t->n; i++) {
		if (!t->atoms[i].len || t->atoms[i].run == ATOMS_NONE || (t->atoms[i].at >= at && run != ATOMS_NONE))
			continue;
		run = t->atoms[i].run;
	}
	return run == ATOMS_NONE ? XML_NONE : t->runs[run].rpr;
}

bool note_look_new(struct call *c, struct session *s, const struct annotations *a, const struct atoms *about,
		   uint32_t at, struct note_look *out)
{
	struct fragment here = {.names = a->names};
	struct look of = look_of(c->arena, &about->fragment, properties_before(about, at)), look = {0};
	struct text style, mark;

	*out = (struct note_look){0};
	bool is_made = !style_there(s, &styles[0]).at;
	if (!style_id(c, s, &styles[0], &style) || !style_id(c, s, &styles[1], &mark))
		return false;
	if (is_made)
		look = (struct look){.face = of.face,
				     .half_points = of.half_points < NOTE_HALF_POINTS ? of.half_points : 0};
	out->words = properties(c, &here, XML_NONE, &look);
	look.style = mark;
	out->mark = mark.at ? properties(c, &here, XML_NONE, &look) : raised(c, a->names);
	if (!style.at)
		return true;
	struct buffer ppr = {.arena = c->arena};
	names_open(&ppr, a->names, "pPr");
	buffer_byte(&ppr, '>');
	names_open(&ppr, a->names, "pStyle");
	names_attribute(&ppr, a->names, "val", style);
	buffer_put(&ppr, "/>");
	names_close(&ppr, a->names, "pPr");
	out->paragraph = buffer_text(&ppr);
	return true;
}

struct text note_element(struct call *c, const struct names *names, const struct note_look *look, int32_t id,
			 struct text words)
{
	struct buffer out = {.arena = c->arena};

	names_open(&out, names, "footnote");
	names_attribute(&out, names, "id", text_format(c->arena, "%d", id));
	buffer_byte(&out, '>');
	names_open(&out, names, "p");
	buffer_byte(&out, '>');
	buffer_add(&out, look->paragraph);
	names_open(&out, names, "r");
	buffer_byte(&out, '>');
	buffer_add(&out, look->mark.at ? look->mark : raised(c, names));
	names_open(&out, names, "footnoteRef");
	buffer_put(&out, "/>");
	names_close(&out, names, "r");
	annotation_run(&out, names, look->words, text_format(c->arena, " %.*s", TEXT_ARGS(words)));
	names_close(&out, names, "p");
	names_close(&out, names, "footnote");
	return buffer_text(&out);
}

bool note_reference(struct call *c, struct session *s, const struct atoms *about, uint32_t at, int32_t id,
		    struct text *out)
{
	const struct names *names = about->fragment.names;
	uint32_t rpr = properties_before(about, at);
	struct buffer to = {.arena = c->arena};
	struct look look = {0};

	if (!style_id(c, s, &styles[1], &look.style))
		return false;
	/* The note's number is not underlined or highlighted, even if the words before it are. */
	struct look of = look_of(c->arena, &about->fragment, rpr);
	if (of.underline.at)
		look.underline = TEXT("none");
	if (of.highlight.at)
		look.highlight = TEXT("");
	names_open(&to, names, "r");
	buffer_byte(&to, '>');
	buffer_add(&to, look.style.at ? properties(c, &about->fragment, rpr, &look) : raised(c, names));
	names_open(&to, names, "footnoteReference");
	names_attribute(&to, names, "id", text_format(c->arena, "%d", id));
	buffer_put(&to, "/>");
	names_close(&to, names, "r");
	*out = buffer_text(&to);
	return true;
}

struct text note_separators(struct call *c, const struct names *names)
{
	static const char *const types[] = {"separator", "continuationSeparator"};
	struct buffer out = {.arena = c->arena};

	for (int i = 0; i < 2; i++) {
		names_open(&out, names, "footnote");
		names_attribute(&out, names, "type", text_of(types[i]));
		names_attribute(&out, names, "id", text_format(c->arena, "%d", i - 1));
		buffer_byte(&out, '>');
		names_open(&out, names, "p");
		buffer_byte(&out, '>');
		names_open(&out, names, "r");
		buffer_byte(&out, '>');
		names_open(&out, names, types[i]);
		buffer_put(&out, "/>");
		names_close(&out, names, "r");
		names_close(&out, names, "p");
		names_close(&out, names, "footnote");
	}
	return buffer_text(&out);
}
