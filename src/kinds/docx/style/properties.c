#include "kinds/docx/style/properties.h"

#include "base/array.h"

#include <string.h>

void paragraph_properties_clear(struct paragraph_properties *p)
{
	*p = (struct paragraph_properties){.num_id = -1, .level = -1, .outline = -1};
}

struct text scan_value(const struct xml_scan *s, const struct names *names, const char *local)
{
	for (uint32_t i = 0; i < s->n; i++) {
		struct text name;
		if (names_split(names, s->attributes[i].name, true, &name) == SPACE_W && text_is(name, local))
			return s->attributes[i].value;
	}
	return (struct text){0};
}

bool value_is_on(struct text v) { return !v.at || !(text_is(v, "0") || text_is(v, "false") || text_is(v, "off")); }

int32_t value_number(struct text v, int32_t otherwise)
{
	bool is_negative = v.len && v.at[0] == '-';
	int64_t n = 0;
	size_t i = is_negative;

	for (; i < v.len && v.at[i] >= '0' && v.at[i] <= '9' && n < INT32_MAX; i++)
		n = n * 10 + (v.at[i] - '0');
	/* Some programs write fractions: 708.6614 twips. */
	if (i == (size_t)is_negative || (i < v.len && v.at[i] != '.' && v.at[i] != 'p'))
		return otherwise;
	if (n > INT32_MAX)
		n = INT32_MAX;
	/* Strict documents may write points. */
	if (v.len > 2 && v.at[v.len - 1] == 't' && v.at[v.len - 2] == 'p')
		n = n > INT32_MAX / 20 ? INT32_MAX : n * 20;
	return (int32_t)(is_negative ? -n : n);
}

static struct text kept(struct arena *a, struct text written)
{
	return written.at ? xml_value(a, written, true) : written;
}

void run_property(struct arena *a, const struct xml_scan *s, const struct names *names, struct text local,
		  struct run_properties *into)
{
	static const struct {
		const char *name;
		enum toggle toggle;
	} toggles[] = {{"b", TOGGLE_BOLD}, {"i", TOGGLE_ITALIC}, {"caps", TOGGLE_CAPS}, {"vanish", TOGGLE_VANISH}};

	for (size_t i = 0; i < ARRAY_COUNT(toggles); i++) {
		if (!text_is(local, toggles[i].name))
			continue;
		uint8_t bit = (uint8_t)(1 << toggles[i].toggle);
		into->said |= bit;
		into->on = (uint8_t)(value_is_on(scan_value(s, names, "val")) ? into->on | bit : into->on & ~bit);
		return;
	}
	if (text_is(local, "u")) {
		struct text v = scan_value(s, names, "val");
		uint8_t bit = 1 << TOGGLE_UNDERLINE;
		/* An element without val sets only the colour, not the line. */
		if (!v.at)
			return;
		into->said |= bit;
		into->on = (uint8_t)(text_is(v, "none") ? into->on & ~bit : into->on | bit);
	} else if (text_is(local, "rStyle")) {
		into->has_style = true;
		into->style = kept(a, scan_value(s, names, "val"));
	} else if (text_is(local, "color")) {
		struct text theme = scan_value(s, names, "themeColor"), v = scan_value(s, names, "val");
		/* The theme name shows that it is the page's own colour: white, unless the page is dark. */
		bool is_page = text_is(theme, "background1") || text_is(theme, "light1");
		into->color = is_page && (!v.at || text_is(v, "auto")) ? TEXT("FFFFFF") : kept(a, v);
	} else if (text_is(local, "highlight")) {
		into->highlight = kept(a, scan_value(s, names, "val"));
	} else if (text_is(local, "sz")) {
		/* Size zero means the smallest size, not the size of the style. */
		int32_t size = value_number(scan_value(s, names, "val"), -1);
		into->size = size == 0 ? 1 : size < 0 ? 0 : size;
	} else if (text_is(local, "rFonts")) {
		struct text font = scan_value(s, names, "ascii");
		if (!font.at)
			font = scan_value(s, names, "hAnsi");
		if (font.at)
			into->font = kept(a, font);
	}
}

static enum alignment alignment_of(struct text v)
{
	static const struct {
		const char *name;
		enum alignment alignment;
	} known[] = {{"left", ALIGN_LEFT},       {"start", ALIGN_LEFT},        {"center", ALIGN_CENTER},
		     {"right", ALIGN_RIGHT},     {"end", ALIGN_RIGHT},         {"both", ALIGN_JUSTIFY},
		     {"justify", ALIGN_JUSTIFY}, {"distribute", ALIGN_JUSTIFY}};

	for (size_t i = 0; i < ARRAY_COUNT(known); i++)
		if (text_is(v, known[i].name))
			return known[i].alignment;
	return ALIGN_UNSAID;
}

static void indent(const struct xml_scan *s, const struct names *names, struct paragraph_properties *into)
{
	static const struct {
		const char *name;
		uint8_t which;
		int8_t sign;
	} known[] = {{"left", INDENT_LEFT, 1}, {"start", INDENT_LEFT, 1},      {"right", INDENT_RIGHT, 1},
		     {"end", INDENT_RIGHT, 1}, {"firstLine", INDENT_FIRST, 1}, {"hanging", INDENT_FIRST, -1}};

	/* If both are given, hanging is used, so it comes last. */
	for (size_t i = 0; i < ARRAY_COUNT(known); i++) {
		struct text v = scan_value(s, names, known[i].name);
		if (!v.at)
			continue;
		into->indents_said |= (uint8_t)(1 << known[i].which);
		into->indents[known[i].which] = known[i].sign * value_number(v, 0);
	}
}

void paragraph_property(struct arena *a, const struct xml_scan *s, const struct names *names, struct text local,
			struct paragraph_properties *into)
{
	if (text_is(local, "pStyle"))
		into->style = kept(a, scan_value(s, names, "val"));
	else if (text_is(local, "numId"))
		into->num_id = value_number(scan_value(s, names, "val"), -1);
	else if (text_is(local, "ilvl"))
		into->level = value_number(scan_value(s, names, "val"), -1);
	else if (text_is(local, "outlineLvl"))
		into->outline = value_number(scan_value(s, names, "val"), -1);
	else if (text_is(local, "jc"))
		into->alignment = alignment_of(scan_value(s, names, "val"));
	else if (text_is(local, "ind"))
		indent(s, names, into);
	if (into->level < -1 || into->level > 8)
		into->level = -1;
	if (into->outline < -1 || into->outline > 8)
		into->outline = -1;
}

void run_properties_over(struct run_properties *base, const struct run_properties *over)
{
	base->on = (uint8_t)((base->on & ~over->said) | (over->on & over->said));
	base->said |= over->said;
	if (over->has_style) {
		base->has_style = true;
		base->style = over->style;
	}
	if (over->color.at)
		base->color = over->color;
	if (over->highlight.at)
		base->highlight = over->highlight;
	if (over->font.at)
		base->font = over->font;
	if (over->size)
		base->size = over->size;
}

void paragraph_properties_over(struct paragraph_properties *base, const struct paragraph_properties *over)
{
	if (over->style.at)
		base->style = over->style;
	if (over->num_id >= 0)
		base->num_id = over->num_id;
	if (over->level >= 0)
		base->level = over->level;
	if (over->outline >= 0)
		base->outline = over->outline;
	if (over->alignment)
		base->alignment = over->alignment;
	for (int i = 0; i < INDENTS; i++)
		if (over->indents_said & 1 << i)
			base->indents[i] = over->indents[i];
	base->indents_said |= over->indents_said;
}
