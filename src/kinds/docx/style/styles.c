#include "kinds/docx/style/styles.h"

#include <string.h>
#include <strings.h>

static const struct xml_limits limits = {.depth = 64, .attributes = 128, .nodes = 8000000};
enum { BASED_ON_MAX = 64 }; /* styles based on each other; a longer chain is a loop or not serious */

/* The state of the reader. */
struct reading {
	struct call *c;
	struct package *package;
	struct styles *styles;
	const struct names *names;
	struct style *style;          /* the current one */
	bool in_defaults;             /* docDefaults */
	unsigned run_depth, pr_depth; /* depth of the open rPr, pPr; 0: none */
	unsigned skip_depth;          /* inside elements that do not belong to the style itself: tblStylePr, *Change */
};

static bool has_word(struct text name, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= name.len; i++)
		if (!strncasecmp(name.at + i, word, n))
			return true;
	return false;
}

static void begin_style(struct reading *r, const struct xml_scan *s)
{
	static const char *const types[] = {"paragraph", "character", "table", "numbering"};
	struct arena *a = r->package->arena;
	struct styles *all = r->styles;
	struct text type = scan_value(s, r->names, "type");

	r->style = ARRAY_PUSH(a, &all->items);
	*r->style =
		(struct style){.based_on = STYLE_NONE, .id = xml_value(a, scan_value(s, r->names, "styleId"), true)};
	paragraph_properties_clear(&r->style->paragraph);
	for (int i = 0; i < 4; i++)
		if (text_is(type, types[i]))
			r->style->type = (enum style_type)i;
	uint32_t index = (uint32_t)all->items.n - 1;
	struct text is_default = scan_value(s, r->names, "default");
	if (is_default.at && value_is_on(is_default) && r->style->type == STYLE_PARAGRAPH &&
	    all->default_paragraph == STYLE_NONE)
		all->default_paragraph = index;
	if (r->style->id.at)
		map_at(&all->ids, r->style->id, index, NULL);
}

static void opened(struct reading *r, const struct xml_scan *s)
{
	struct arena *a = r->package->arena;
	struct text local;

	if (names_split(r->names, s->name, false, &local) != SPACE_W || r->skip_depth)
		return;
	if (r->run_depth == s->depth - 1 && r->run_depth) {
		run_property(a, s, r->names, local, r->style ? &r->style->run : &r->styles->run);
		if (text_is(local, "rPrChange"))
			r->skip_depth = s->depth;
	} else if (r->pr_depth && s->depth > r->pr_depth) {
		if (text_is(local, "pPrChange") || text_is(local, "rPr") || text_is(local, "sectPr"))
			r->skip_depth = s->depth;
		else
			paragraph_property(a, s, r->names, local,
					   r->style ? &r->style->paragraph : &r->styles->paragraph);
	} else if (text_is(local, "style")) {
		begin_style(r, s);
	} else if (text_is(local, "docDefaults")) {
		r->in_defaults = true;
	} else if (text_is(local, "rPr") && (r->style || r->in_defaults)) {
		r->run_depth = s->depth;
	} else if (text_is(local, "pPr") && (r->style || r->in_defaults)) {
		r->pr_depth = s->depth;
	} else if (text_is(local, "tblStylePr")) {
		r->skip_depth = s->depth;
	} else if (r->style && text_is(local, "name")) {
		r->style->name = xml_value(a, scan_value(s, r->names, "val"), true);
	} else if (r->style && text_is(local, "basedOn")) {
		r->style->based_on_id = xml_value(a, scan_value(s, r->names, "val"), true);
	}
}

static void closed(struct reading *r, const struct xml_scan *s)
{
	struct text local;

	if (s->depth == r->skip_depth)
		r->skip_depth = 0;
	if (s->depth == r->run_depth)
		r->run_depth = 0;
	if (s->depth == r->pr_depth)
		r->pr_depth = 0;
	if (r->skip_depth || names_split(r->names, s->name, false, &local) != SPACE_W)
		return;
	if (text_is(local, "style"))
		r->style = NULL;
	if (text_is(local, "docDefaults"))
		r->in_defaults = false;
}

/* Computes the properties of each style with everything it inherits. Loops end after BASED_ON_MAX steps. */
static void inherit(struct styles *all)
{
	for (size_t i = 0; i < all->items.n; i++) {
		struct style *style = &all->items.items[i];
		const uint32_t *base = style->based_on_id.at ? map_find(&all->ids, style->based_on_id) : NULL;
		if (base && *base != i)
			style->based_on = *base;
	}
	for (size_t i = 0; i < all->items.n; i++) {
		uint32_t chain[BASED_ON_MAX], n = 0;
		struct style *style = &all->items.items[i];
		for (uint32_t at = (uint32_t)i; at != STYLE_NONE && n < BASED_ON_MAX;
		     at = all->items.items[at].based_on)
			chain[n++] = at;
		paragraph_properties_clear(&style->all_paragraph);
		while (n--) {
			const struct style *from = &all->items.items[chain[n]];
			run_properties_over(&style->all_run, &from->run);
			paragraph_properties_over(&style->all_paragraph, &from->paragraph);
			style->is_heading |= has_word(from->name, "heading") || has_word(from->name, "title");
			style->is_quote |= has_word(from->name, "quote") || has_word(from->name, "block text");
		}
		all->hides |= style->all_run.on & 1 << TOGGLE_VANISH;
	}
	all->hides |= all->run.on & 1 << TOGGLE_VANISH;
}

struct styles *styles_read(struct call *c, struct package *p)
{
	struct styles *all = arena_new(p->arena, struct styles);
	const struct relationship *r = package_find(p, RELATION_STYLES);
	struct part *part = NULL;
	struct error why;

	all->ids.arena = p->arena;
	all->default_paragraph = STYLE_NONE;
	paragraph_properties_clear(&all->paragraph);
	if (r && !package_part(c, p, r->target, &part))
		return NULL;
	if (!part)
		return all;
	struct reading reading = {.c = c, .package = p, .styles = all};
	struct xml_scan *s = arena_new(c->arena, struct xml_scan);
	for (xml_scan_begin(s, c->arena, part_now(part), &limits, &why); xml_scan_next(s) != XML_SCAN_END;) {
		if (s->token == XML_SCAN_OPEN) {
			if (s->depth == 1)
				reading.names = names_read(p->arena, NULL, text_slice(s->bytes, s->from, s->to));
			opened(&reading, s);
		} else if (s->token == XML_SCAN_CLOSE) {
			closed(&reading, s);
		}
	}
	if (s->is_bad) {
		package_refuse(c, part->name, &why);
		return NULL;
	}
	inherit(all);
	return all;
}

uint32_t styles_find(const struct styles *s, struct text id, enum style_type type)
{
	const uint32_t *found = id.at ? map_find(&s->ids, id) : NULL;

	return found && s->items.items[*found].type == type ? *found : STYLE_NONE;
}

uint32_t styles_of_paragraph(const struct styles *s, uint32_t named)
{
	return named != STYLE_NONE ? named : s->default_paragraph;
}

struct run_properties styles_run(const struct styles *s, uint32_t paragraph_style, uint32_t table,
				 const struct run_properties *direct)
{
	static const uint8_t cancelling = 1 << TOGGLE_BOLD | 1 << TOGGLE_ITALIC | 1 << TOGGLE_CAPS | 1 << TOGGLE_VANISH;
	struct run_properties look = s->run;
	uint32_t character = direct->has_style ? styles_find(s, direct->style, STYLE_CHARACTER) : STYLE_NONE;
	uint8_t by_paragraph = 0;

	paragraph_style = styles_of_paragraph(s, paragraph_style);
	if (table != STYLE_NONE)
		run_properties_over(&look, &s->items.items[table].all_run);
	if (paragraph_style != STYLE_NONE) {
		const struct run_properties *p = &s->items.items[paragraph_style].all_run;
		by_paragraph = p->on & p->said & cancelling;
		run_properties_over(&look, p);
	}
	if (character != STYLE_NONE) {
		const struct run_properties *p = &s->items.items[character].all_run;
		uint8_t both = by_paragraph & p->on & p->said;
		run_properties_over(&look, p);
		look.on &= (uint8_t)~both;
	}
	run_properties_over(&look, direct);
	return look;
}

bool styles_hide(const struct styles *s, uint32_t paragraph_style, uint32_t table, struct text run_style)
{
	struct run_properties direct = {.has_style = run_style.at, .style = run_style};

	return s->hides && styles_run(s, paragraph_style, table, &direct).on & 1 << TOGGLE_VANISH;
}
