#include "kinds/docjl/export/export.h"

#include <string.h>
#include <strings.h>

struct page {
	const struct tree *t;
	struct buffer *to;
	const struct export_form *form;
	const struct words *words;
};

void html_text(struct buffer *to, struct text t)
{
	for (size_t i = 0; i < t.len; i++) {
		switch (t.at[i]) {
		case '&': buffer_put(to, "&amp;"); break;
		case '<': buffer_put(to, "&lt;"); break;
		case '>': buffer_put(to, "&gt;"); break;
		case '"': buffer_put(to, "&quot;"); break;
		default: buffer_byte(to, t.at[i]);
		}
	}
}

/* The page must not run scripts, so only addresses with harmless schemes are kept. */
static struct text safe(struct text href)
{
	static const char *const schemes[] = {"http://", "https://", "mailto:", NULL};
	size_t colon = text_find(href, TEXT(":"), 0), slash = text_find(href, TEXT("/"), 0);

	for (const char *const *s = schemes; *s; s++)
		if (href.len >= strlen(*s) && !strncasecmp(href.at, *s, strlen(*s)))
			return href;
	return colon == SIZE_MAX || slash < colon ? href : TEXT("#");
}

static void open_tag(struct buffer *to, const char *tag, struct text label)
{
	buffer_format(to, "<%s", tag);
	if (label.len) {
		buffer_put(to, " id=\"");
		html_text(to, label);
		buffer_byte(to, '"');
	}
	buffer_byte(to, '>');
}

/* A broken reference is marked, with the label that it names. One with words of its own says on paper where it leads,
 * unless the words say that. */
static void open_ref(struct buffer *to, const struct shown_ref *r)
{
	bool says_place =
		text_find(r->words, r->place, 0) != SIZE_MAX || text_find(r->words, label_id(r->label), 0) != SIZE_MAX;

	buffer_put(to, r->is_broken ? "<span class=\"missing\" title=\"" : "<a href=\"#");
	html_text(to, r->label);
	if (!r->is_broken && r->place.len && !says_place) {
		buffer_put(to, "\" data-place=\"");
		html_text(to, r->place);
	}
	buffer_put(to, "\">");
}

static void put_inline(struct page *p, uint32_t node, const struct json *v)
{
	struct text type = json_text(json_get(v, "type")), content = inline_text(v);
	const struct json *target = json_get(v, "target");

	if (v->type == JSON_STRING) {
		html_text(p->to, json_text(v));
	} else if (text_is(type, "ref")) {
		struct shown_ref r = ref_shown(p->t, v, node, json_is(target, JSON_INT) ? target->integer : -1);
		open_ref(p->to, &r);
		html_text(p->to, r.words);
		buffer_put(p->to, r.is_broken ? "</span>" : "</a>");
	} else if (text_is(type, "link")) {
		buffer_put(p->to, "<a href=\"");
		html_text(p->to, safe(inline_address(v)));
		buffer_put(p->to, "\">");
		html_text(p->to, content);
		buffer_put(p->to, "</a>");
	} else {
		const char *tag = text_is(type, "bold")     ? "strong"
				  : text_is(type, "italic") ? "em"
				  : text_is(type, "code")   ? "code"
							    : NULL;
		if (tag)
			buffer_format(p->to, "<%s>", tag);
		html_text(p->to, content);
		if (tag)
			buffer_format(p->to, "</%s>", tag);
	}
}

static void put_inlines(struct page *p, uint32_t node, const struct json *v)
{
	if (json_is(v, JSON_STRING))
		html_text(p->to, json_text(v));
	if (is_inline(v))
		put_inline(p, node, v);
	for (uint32_t i = 0; json_is(v, JSON_ARRAY) && i < v->len; i++)
		put_inline(p, node, &v->items[i]);
}

static void put_items(struct page *p, uint32_t node, const struct json *items, const char *tag, int depth)
{
	if (!json_is(items, JSON_ARRAY) || depth > BLOCK_DEPTH_MAX)
		return;
	for (uint32_t i = 0; i < items->len; i++) {
		const struct json *item = &items->items[i];
		buffer_put(p->to, "<li>");
		put_inlines(p, node, item->type == JSON_OBJECT && !is_inline(item) ? json_get(item, "content") : item);
		if (json_get(item, "items")) {
			buffer_format(p->to, "<%s>", tag);
			put_items(p, node, json_get(item, "items"), tag, depth + 1);
			buffer_format(p->to, "</%s>", tag);
		}
		buffer_put(p->to, "</li>\n");
	}
}

static void put_row(struct page *p, const struct json *row, const char *tag)
{
	buffer_put(p->to, "<tr>");
	for (uint32_t i = 0; json_is(row, JSON_ARRAY) && i < row->len; i++) {
		buffer_format(p->to, "<%s>", tag);
		html_text(p->to, value_text(p->t->m->c->arena, &row->items[i]));
		buffer_format(p->to, "</%s>", tag);
	}
	buffer_put(p->to, "</tr>\n");
}

/* A page must not load anything from other hosts, so a remote picture becomes a link. */
static void put_image(struct page *p, const struct json *b)
{
	struct text src = json_text(json_get(b, "src")), alt = json_text(json_get(b, "alt"));
	bool is_elsewhere = text_find(src, TEXT("://"), 0) != SIZE_MAX || text_starts(src, "//");

	buffer_put(p->to, is_elsewhere ? "<a href=\"" : "<img src=\"");
	html_text(p->to, safe(src));
	buffer_put(p->to, is_elsewhere ? "\">" : "\" alt=\"");
	html_text(p->to, is_elsewhere && !alt.len ? src : alt);
	buffer_put(p->to, is_elsewhere ? "</a>" : "\">");
}

static void put_caption(struct page *p, uint32_t i, const struct json *b, const char *tag)
{
	struct text caption = json_text(json_get(b, "caption"));
	bool has_number = has_caption_number(&p->t->nodes.items[i]);

	if (!caption.len && !has_number)
		return;
	buffer_format(p->to, "<%s>", tag);
	if (has_number) {
		html_text(p->to, block_shown(p->t, i));
		buffer_put(p->to, caption.len ? ": " : "");
	}
	html_text(p->to, caption);
	buffer_format(p->to, "</%s>\n", tag);
}

static void put_margin(struct page *p, uint32_t i)
{
	struct text number = margin_number(p->t, i, p->form);

	if (!number.len)
		return;
	buffer_put(p->to, "<span class=\"margin\">");
	html_text(p->to, number);
	buffer_put(p->to, "</span> ");
}

static void put_list_number(struct page *p, uint32_t i)
{
	if (!margin_number(p->t, i, p->form).len)
		return;
	buffer_put(p->to, "<p>");
	put_margin(p, i);
	buffer_put(p->to, "</p>\n");
}

static void put_heading(struct page *p, uint32_t i, const struct json *b, int depth)
{
	const struct tree_node *n = &p->t->nodes.items[i];
	char tag[3] = {'h', (char)('0' + block_level(b, depth)), 0};

	open_tag(p->to, tag, n->label);
	buffer_add(p->to, section_number(p->t, i));
	if (json_get(b, "title"))
		html_text(p->to, json_text(json_get(b, "title")));
	else
		put_inlines(p, i, json_get(b, "content"));
	buffer_format(p->to, "</%s>\n", tag);
}

static void put_body(struct page *p, uint32_t i, const struct json *b, int depth)
{
	const struct tree_node *n = &p->t->nodes.items[i];
	const struct json *rows = json_get(b, "rows"), *footer = json_get(b, "footer_rows");
	const struct json *ordered = json_get(b, "ordered");
	struct text note = json_text(json_get(b, "compliance_note"));

	if (n->holds) {
		put_heading(p, i, b, depth);
	} else if (text_is(n->type, "paragraph")) {
		open_tag(p->to, "p", n->label);
		put_margin(p, i);
		put_inlines(p, i, json_get(b, "content"));
		buffer_put(p->to, "</p>\n");
	} else if (text_is(n->type, "table") || text_is(n->type, "signature_table")) {
		open_tag(p->to, "table", n->label);
		put_caption(p, i, b, "caption");
		buffer_put(p->to, "<thead>");
		put_row(p, json_get(b, "headers"), "th");
		buffer_put(p->to, "</thead><tbody>\n");
		for (uint32_t k = 0; json_is(rows, JSON_ARRAY) && k < rows->len; k++)
			put_row(p, &rows->items[k], "td");
		for (uint32_t k = 0; json_is(footer, JSON_ARRAY) && k < footer->len; k++)
			put_row(p, &footer->items[k], "td");
		buffer_put(p->to, "</tbody></table>\n");
	} else if (text_is(n->type, "list")) {
		const char *tag = ordered && ordered->type == JSON_BOOL && ordered->boolean ? "ol" : "ul";
		put_list_number(p, i);
		open_tag(p->to, tag, n->label);
		put_items(p, i, json_get(b, "items"), tag, 0);
		buffer_format(p->to, "</%s>\n", tag);
	} else if (text_is(n->type, "image")) {
		open_tag(p->to, "figure", n->label);
		put_image(p, b);
		put_caption(p, i, b, "figcaption");
		buffer_put(p->to, "</figure>\n");
	} else if (text_is(n->type, "code")) {
		open_tag(p->to, "pre", n->label);
		buffer_put(p->to, "<code>");
		html_text(p->to, json_text(json_get(b, "content")));
		buffer_put(p->to, "</code></pre>\n");
		if (n->is_cited || json_text(json_get(b, "caption")).len)
			put_caption(p, i, b, "p");
	} else if (text_is(n->type, "reference")) {
		const struct json *target = json_get(b, "target"), *content = json_get(b, "content");
		struct shown_ref r = {0};
		if (json_is(target, JSON_INT))
			r = ref_shown(p->t, b, i, target->integer);
		open_tag(p->to, "p", n->label);
		if (r.label.len) {
			open_ref(p->to, &r);
		} else {
			buffer_put(p->to, "<a href=\"");
			html_text(p->to, safe(json_text(json_get(b, "href"))));
			buffer_put(p->to, "\">");
		}
		if (json_is(content, JSON_ARRAY)) {
			put_inlines(p, i, content);
			html_text(p->to,
				  r.is_broken ? words_with(p->t->m->c->arena, p->words->missing, TEXT("")) : TEXT(""));
		} else
			html_text(p->to, r.words.len ? r.words : json_text(json_get(b, "href")));
		buffer_put(p->to, r.is_broken ? "</span></p>\n" : "</a></p>\n");
	} else {
		struct buffer words = {.arena = p->t->m->c->arena};
		block_words(&words, b);
		open_tag(p->to, "p", n->label);
		put_margin(p, i);
		html_text(p->to, buffer_text(&words));
		buffer_put(p->to, "</p>\n");
	}
	if (note.len) {
		buffer_put(p->to, "<aside>");
		html_text(p->to, words_with(p->t->m->c->arena, p->words->compliance, note));
		buffer_put(p->to, "</aside>\n");
	}
}

static void put_blocks(struct page *p, uint32_t i, int depth)
{
	for (; i != TREE_NONE && depth < 2 * DEPTH_MAX; i = p->t->nodes.items[i].next) {
		put_body(p, i, tree_stored(p->t, i), depth);
		put_blocks(p, p->t->nodes.items[i].first, depth + 1);
	}
}

static void put_contents(struct page *p, uint32_t i, int depth)
{
	bool is_open = false;

	for (; i != TREE_NONE && depth < 4; i = p->t->nodes.items[i].next) {
		const struct tree_node *n = &p->t->nodes.items[i];
		if (!n->holds)
			continue;
		buffer_put(p->to, is_open ? "<li><a href=\"#" : "<ul>\n<li><a href=\"#");
		is_open = true;
		html_text(p->to, n->label);
		buffer_put(p->to, "\">");
		buffer_add(p->to, section_number(p->t, i));
		html_text(p->to, block_title(p->t->m->c->arena, tree_stored(p->t, i)));
		buffer_put(p->to, "</a>");
		put_contents(p, n->first, depth + 1);
		buffer_put(p->to, "</li>\n");
	}
	if (is_open)
		buffer_put(p->to, "</ul>\n");
}

/* Browsers and PDF printers number the pages of a sheet by this rule. */
static void put_page_rule(struct buffer *to, const char *page)
{
	const char *first = strchr(page, '#'), *second = strchr(first + 1, '#');

	buffer_format(to,
		      "@page{margin:2cm;@bottom-right{content:\"%.*s\" counter(page) \"%.*s\" counter(pages) \"%s\"}}",
		      (int)(first - page), page, (int)(second - first - 1), first + 1, second + 1);
}

void html_open(struct buffer *to, struct text title, struct text language, const char *page)
{
	buffer_put(to, "<!doctype html>\n<html lang=\"");
	html_text(to, language.len ? language : TEXT("und"));
	buffer_put(
		to,
		"\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<meta http-equiv="
		"\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'\">\n"
		"<title>");
	html_text(to, title);
	buffer_put(to, "</title>\n<style>");
	put_page_rule(to, page);
	buffer_put(
		to,
		"body{font-family:sans-serif;max-width:50em;margin:2em auto;padding:0 1em;line-height:1.4}table{border-"
		"collapse:collapse}th,td{border:1px solid #888;padding:.2em .5em}aside{border-left:3px solid #888;padding-left:1em;"
		"color:#444}li{margin:.3em 0}small{color:#555}ins{background:#dfd}del{background:#fdd}"
		".missing{color:#b00;text-decoration:underline wavy}.margin{color:#555;font-size:.8em;margin-right:.5em}"
		"p>.margin{float:left;width:4.5em;margin-left:-5em;margin-right:.5em;text-align:right}@media "
		"print{a[data-place]::after{content:\" (\" attr(data-place) \")\"}}</style>\n</head>\n<body>\n");
}

void export_html(struct buffer *to, const struct tree *t, const struct export_form *f)
{
	struct arena *a = t->m->c->arena;
	struct page p = {t, to, f, words_in(metadata_word(t, "language"))};
	struct text title = metadata_word(t, "title"), version = metadata_word(t, "version");

	html_open(to, title, metadata_word(t, "language"), p.words->page);
	buffer_put(to, "<h1>");
	html_text(to, title);
	buffer_put(to, "</h1>\n<p>");
	html_text(to, words_with(a, p.words->document, t->m->id));
	if (version.len) {
		buffer_put(to, ", ");
		html_text(to, words_with(a, p.words->version, version));
	}
	buffer_put(to, ", ");
	html_text(to, words_with(a, p.words->revision, manual_revision(t->m)));
	buffer_format(to, "</p>\n<nav>\n<h2>%s</h2>\n", p.words->contents);
	put_contents(&p, t->first, 1);
	buffer_put(to, "</nav>\n");
	put_blocks(&p, t->first, 1);
	buffer_put(to, "</body>\n</html>\n");
}
