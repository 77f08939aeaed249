/* A row's text with tags where looks differ, its fingerprint, and the name of its style. */
#include "format/json_write.h"
#include "kinds/docx/read/row.h"

#include <string.h>

/* Tags in the order in which they nest, outermost first. */
enum nested { NEST_LINK, NEST_FONT, NEST_BOLD, NEST_ITALIC, NEST_UNDERLINE, NEST_HIGHLIGHT, NESTS };

struct tags {
	bool is_open[NESTS];
	struct text link, color, font;
	int32_t size;
};

static bool has_highlight(const struct run_properties *p) { return p->highlight.at && !text_is(p->highlight, "none"); }

/* The font of most of the paragraph's text. */
static struct run_properties plain_font(const struct row *r)
{
	struct run_properties best = {0};
	uint32_t most = 0;

	for (size_t i = 0; i < r->runs_n; i++) {
		uint32_t n = 0;
		for (size_t k = 0; k < r->runs_n && k < 64; k++)
			if (text_same(r->runs[k].look.color, r->runs[i].look.color) &&
			    text_same(r->runs[k].look.font, r->runs[i].look.font) &&
			    r->runs[k].look.size == r->runs[i].look.size)
				n += r->runs[k].to - r->runs[k].from;
		if (n > most) {
			most = n;
			best = r->runs[i].look;
		}
		if (i >= 64)
			break;
	}
	return best;
}

static struct tags tags_of(const struct row_run *run, const struct run_properties *plain, uint8_t base)
{
	const struct run_properties *look = &run->look;
	uint8_t on = (uint8_t)(look->on & ~base);
	struct tags t = {0};

	t.is_open[NEST_LINK] = run->link.at;
	t.link = run->link;
	t.is_open[NEST_BOLD] = on & 1 << TOGGLE_BOLD;
	t.is_open[NEST_ITALIC] = on & 1 << TOGGLE_ITALIC;
	t.is_open[NEST_UNDERLINE] = on & 1 << TOGGLE_UNDERLINE && !run->link.at;
	t.is_open[NEST_HIGHLIGHT] = has_highlight(look);
	/* The blue colour of a link belongs to the link. */
	if (run->link.at)
		return t;
	if (look->color.at && !text_same(look->color, plain->color) &&
	    !(text_is(look->color, "auto") && !plain->color.at))
		t.color = look->color;
	if (look->font.at && !text_same(look->font, plain->font))
		t.font = look->font;
	if (look->size != plain->size)
		t.size = look->size;
	t.is_open[NEST_FONT] = t.color.at || t.font.at || t.size;
	return t;
}

static bool same_tag(const struct tags *a, const struct tags *b, int i)
{
	if (a->is_open[i] != b->is_open[i])
		return false;
	if (i == NEST_LINK)
		return text_same(a->link, b->link);
	if (i == NEST_FONT)
		return text_same(a->color, b->color) && text_same(a->font, b->font) && a->size == b->size;
	return true;
}

static void put_quoted(struct buffer *to, struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		buffer_byte(to, t.at[i] == '"' ? '\'' : t.at[i]);
}

static void open_tag(struct buffer *to, const struct tags *t, int i)
{
	static const char *const names[NESTS] = {"a", "font", "b", "i", "u", "highlighting"};

	buffer_format(to, "<%s", names[i]);
	if (i == NEST_LINK) {
		buffer_put(to, " href=\"");
		put_quoted(to, t->link);
		buffer_byte(to, '"');
	} else if (i == NEST_FONT) {
		if (t->color.at) {
			buffer_put(to, " color=\"");
			put_quoted(to, t->color);
			buffer_byte(to, '"');
		}
		if (t->size)
			buffer_format(to, t->size % 2 ? " size=\"%d.5\"" : " size=\"%d\"", t->size / 2);
		if (t->font.at) {
			buffer_put(to, " face=\"");
			put_quoted(to, t->font);
			buffer_byte(to, '"');
		}
	}
	buffer_byte(to, '>');
}

/* Closes and opens the tags that differ, inner ones first. Tags around both stay open. */
static void change_tags(struct buffer *to, const struct tags *from, const struct tags *want)
{
	static const char *const names[NESTS] = {"a", "font", "b", "i", "u", "highlighting"};
	int common = 0;

	while (common < NESTS && same_tag(from, want, common))
		common++;
	for (int i = NESTS; i-- > common;)
		if (from->is_open[i])
			buffer_format(to, "</%s>", names[i]);
	for (int i = common; i < NESTS; i++)
		if (want->is_open[i])
			open_tag(to, want, i);
}

struct text row_text(struct arena *a, const struct row *r, bool with_tags, uint8_t base)
{
	struct buffer b = {.arena = a};
	struct run_properties plain = with_tags ? plain_font(r) : (struct run_properties){0};
	struct tags open = {0}, none = {0};
	size_t note = 0;

	while (note < r->notes_n && r->notes[note].at < r->body)
		note++;
	for (size_t i = 0; i < r->runs_n; i++) {
		const struct row_run *run = &r->runs[i];
		uint32_t at = run->from < r->body ? r->body : run->from;
		if (run->to <= r->body)
			continue;
		if (with_tags) {
			struct tags want = tags_of(run, &plain, base);
			change_tags(&b, &open, &want);
			open = want;
		}
		for (; note < r->notes_n && r->notes[note].at <= run->to &&
		       (r->notes[note].at < run->to || i + 1 == r->runs_n);
		     note++) {
			buffer_add(&b, text_slice(r->all, at, r->notes[note].at));
			buffer_format(&b, "[^%d]", r->notes[note].number);
			at = r->notes[note].at;
		}
		buffer_add(&b, text_slice(r->all, at, run->to));
	}
	change_tags(&b, &open, &none);
	return buffer_text(&b);
}

static const char *const alignments[] = {"LEFT", "LEFT", "CENTER", "RIGHT", "JUSTIFY"};

struct text row_plain_style(const struct session *s, const struct row *r, bool is_name)
{
	uint32_t style = styles_of_paragraph(s->styles, r->story->paragraphs.items[r->paragraph].style);

	if (style == STYLE_NONE)
		return TEXT("Normal");
	const struct style *found = &s->styles->items.items[style];
	return is_name && found->name.at ? found->name : found->id;
}

/* Tenths of a point, rounded. */
static int64_t tenths(int32_t twips) { return ((int64_t)twips + (twips < 0 ? -1 : 1)) / 2; }

struct text row_fingerprint(struct arena *a, const struct session *s, const struct row *r)
{
	struct buffer b = {.arena = a};
	struct json_out o = {.to = &b};
	const struct paragraph_properties *p = &r->properties;
	static const char *const keys[] = {"left", "right", "first_line"};
	static const struct {
		const char *key;
		enum toggle toggle;
	} looks[] = {{"bold", TOGGLE_BOLD},
		     {"italic", TOGGLE_ITALIC},
		     {"underline", TOGGLE_UNDERLINE},
		     {"caps", TOGGLE_CAPS}};

	json_open(&o, '{');
	json_key(&o, "style");
	json_put_text(&o, row_plain_style(s, r, true));
	json_key(&o, "list_level");
	json_put_int(&o, r->is_numbered ? r->item.level : -1);
	json_key(&o, "alignment");
	json_put_string(&o, alignments[p->alignment]);
	for (int i = 0; i < INDENTS; i++) {
		json_key(&o, keys[i]);
		json_put_number(&o, (double)tenths(p->indents[i]) / 10);
	}
	for (size_t i = 0; i < ARRAY_COUNT(looks); i++) {
		json_key(&o, looks[i].key);
		json_put_bool(&o, r->look.on & 1 << looks[i].toggle);
	}
	json_close(&o, '}');
	return buffer_text(&b);
}

struct text row_style_base(const struct session *s, const struct row *r)
{
	static const char *const deeper[][3] = {
		{"level_2", "level_2_letter", "level_2_roman"}, {"level_3", "level_3_letter", "level_3_roman"},
		{"level_4", "level_4_letter", "level_4_roman"}, {"level_5", "level_5_letter", "level_5_roman"},
		{"level_6", "level_6_letter", "level_6_roman"}, {"level_7", "level_7_letter", "level_7_roman"},
		{"level_8", "level_8_letter", "level_8_roman"}};
	uint32_t style = styles_of_paragraph(s->styles, r->story->paragraphs.items[r->paragraph].style);
	const struct style *named = style == STYLE_NONE ? NULL : &s->styles->items.items[style];
	enum label_type type = r->type;

	if (r->is_numbered && r->item.level == 0)
		return type == LABEL_ARTICLE                           ? TEXT("article")
		       : type == LABEL_SECTION || type == LABEL_NUMBER ? TEXT("section")
		       : type == LABEL_ROMAN                           ? TEXT("roman_section")
								       : TEXT("top_level");
	if (r->is_numbered && r->item.level == 1)
		return type == LABEL_LETTER                            ? TEXT("subsection")
		       : type == LABEL_NUMBER || type == LABEL_SECTION ? TEXT("subsection_number")
		       : type == LABEL_ROMAN                           ? TEXT("subsection_roman")
								       : TEXT("level_1");
	if (r->is_numbered)
		return text_of(deeper[r->item.level - 2][type == LABEL_LETTER ? 1 : type == LABEL_ROMAN ? 2 : 0]);
	if (named && named->is_heading)
		return TEXT("heading");
	if (named && named->is_quote)
		return TEXT("block_quote");
	return r->properties.indents[INDENT_LEFT] > 0 ? TEXT("indent_block") : TEXT("body");
}
