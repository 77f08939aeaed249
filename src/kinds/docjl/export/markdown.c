#include "kinds/docjl/export/export.h"

#include <string.h>

void export_json(struct buffer *to, const struct tree *t, bool with_auto_labels)
{
	struct buffer compact = {0};
	struct json_out o = {.to = &compact};

	tree_put_document(&o, t, &(struct tree_form){.leaves_auto_out = !with_auto_labels});
	json_spread(to, buffer_text(&compact));
	buffer_free(&compact);
}

struct page {
	const struct tree *t;
	struct buffer *to;
	const struct export_form *form;
	const struct words *words;
};

/* Escapes Markdown signs in prose. */
void markdown_text(struct buffer *to, struct text t)
{
	for (size_t i = 0; i < t.len; i++) {
		char c = t.at[i];
		bool starts_line = !to->len || to->at[to->len - 1] == '\n';
		if (strchr("\\`*_[]<>", c) || (starts_line && strchr("#+-=~", c) && c))
			buffer_byte(to, '\\');
		buffer_byte(to, c == '\n' ? ' ' : c);
	}
}

static void put_code(struct buffer *to, struct text t)
{
	size_t ticks = 0, run = 0;

	for (size_t i = 0; i < t.len; i++) {
		run = t.at[i] == '`' ? run + 1 : 0;
		ticks = run > ticks ? run : ticks;
	}
	buffer_fill(to, '`', ticks + 1);
	buffer_put(to, ticks ? " " : "");
	buffer_add(to, t);
	buffer_put(to, ticks ? " " : "");
	buffer_fill(to, '`', ticks + 1);
}

static void put_anchor(struct buffer *to, struct text label)
{
	if (!label.len)
		return;
	buffer_put(to, "<a id=\"");
	buffer_add(to, label);
	buffer_put(to, "\"></a>");
}

static void put_inline(struct page *p, uint32_t node, const struct json *v)
{
	struct text type = json_text(json_get(v, "type")), content = inline_text(v);
	const struct json *target = json_get(v, "target");

	if (v->type == JSON_STRING) {
		markdown_text(p->to, json_text(v));
	} else if (text_is(type, "ref")) {
		struct shown_ref r = ref_shown(p->t, v, node, json_is(target, JSON_INT) ? target->integer : -1);
		buffer_byte(p->to, '[');
		markdown_text(p->to, r.words);
		buffer_put(p->to, "](#");
		buffer_add(p->to, r.label);
		buffer_put(p->to, r.is_broken ? " \"missing\")" : ")");
	} else if (text_is(type, "link")) {
		buffer_byte(p->to, '[');
		markdown_text(p->to, content);
		buffer_put(p->to, "](<");
		buffer_add(p->to, inline_address(v));
		buffer_put(p->to, ">)");
	} else if (text_is(type, "code")) {
		put_code(p->to, content);
	} else {
		const char *mark = text_is(type, "bold") ? "**" : text_is(type, "italic") ? "*" : "";
		/* Emphasis marks do not work next to blanks, so move the blanks outside. */
		struct text core = *mark ? text_trim(content) : content;
		size_t lead = core.len ? (size_t)(core.at - content.at) : 0;
		buffer_add(p->to, text_slice(content, 0, lead));
		if (core.len) {
			buffer_put(p->to, mark);
			markdown_text(p->to, core);
			buffer_put(p->to, mark);
			buffer_add(p->to, text_slice(content, lead + core.len, content.len));
		}
	}
}

static void put_inlines(struct page *p, uint32_t node, const struct json *v)
{
	if (json_is(v, JSON_STRING))
		markdown_text(p->to, json_text(v));
	if (is_inline(v))
		put_inline(p, node, v);
	for (uint32_t i = 0; json_is(v, JSON_ARRAY) && i < v->len; i++)
		put_inline(p, node, &v->items[i]);
}

static void put_items(struct page *p, uint32_t node, const struct json *items, bool ordered, size_t indent)
{
	for (uint32_t i = 0; json_is(items, JSON_ARRAY) && i < items->len && indent < 100; i++) {
		const struct json *item = &items->items[i];
		buffer_fill(p->to, ' ', indent);
		if (ordered)
			buffer_format(p->to, "%u. ", i + 1);
		else
			buffer_put(p->to, "- ");
		put_inlines(p, node, item->type == JSON_OBJECT && !is_inline(item) ? json_get(item, "content") : item);
		buffer_byte(p->to, '\n');
		put_items(p, node, json_get(item, "items"), ordered, indent + (ordered ? 3 : 2));
	}
}

static void put_cells(struct page *p, const struct json *row, uint32_t columns)
{
	for (uint32_t i = 0; i < columns; i++) {
		struct text cell = json_is(row, JSON_ARRAY) && i < row->len
					   ? value_text(p->t->m->c->arena, &row->items[i])
					   : TEXT("");
		buffer_put(p->to, "| ");
		for (size_t k = 0; k < cell.len; k++) {
			if (cell.at[k] == '|' || cell.at[k] == '\\')
				buffer_byte(p->to, '\\');
			buffer_byte(p->to, cell.at[k] == '\n' ? ' ' : cell.at[k]);
		}
		buffer_byte(p->to, ' ');
	}
	buffer_put(p->to, "|\n");
}

static void put_table(struct page *p, const struct json *b)
{
	const struct json *headers = json_get(b, "headers"), *rows = json_get(b, "rows");
	const struct json *footer = json_get(b, "footer_rows");
	uint32_t columns = json_is(headers, JSON_ARRAY) ? headers->len : 0;

	for (uint32_t i = 0; json_is(rows, JSON_ARRAY) && i < rows->len; i++)
		if (rows->items[i].type == JSON_ARRAY && rows->items[i].len > columns)
			columns = rows->items[i].len;
	if (!columns)
		return;
	put_cells(p, headers, columns);
	for (uint32_t i = 0; i < columns; i++)
		buffer_put(p->to, "|---");
	buffer_put(p->to, "|\n");
	for (uint32_t i = 0; json_is(rows, JSON_ARRAY) && i < rows->len; i++)
		put_cells(p, &rows->items[i], columns);
	for (uint32_t i = 0; json_is(footer, JSON_ARRAY) && i < footer->len; i++)
		put_cells(p, &footer->items[i], columns);
}

static void put_caption(struct page *p, uint32_t node, const struct json *b)
{
	struct text caption = json_text(json_get(b, "caption"));
	bool has_number = has_caption_number(&p->t->nodes.items[node]);

	if (!caption.len && !has_number)
		return;
	buffer_put(p->to, "\n*");
	if (has_number) {
		markdown_text(p->to, block_shown(p->t, node));
		buffer_put(p->to, caption.len ? ": " : "");
	}
	markdown_text(p->to, caption);
	buffer_put(p->to, "*\n");
}

static void put_margin(struct page *p, uint32_t i)
{
	struct text number = margin_number(p->t, i, p->form);

	if (p->t->nodes.items[i].is_cited)
		put_anchor(p->to, p->t->nodes.items[i].label);
	if (!number.len)
		return;
	buffer_put(p->to, "**");
	markdown_text(p->to, number);
	buffer_put(p->to, "** ");
}

static void put_fence(struct page *p, const struct json *b)
{
	struct text code = json_text(json_get(b, "content"));

	buffer_put(p->to, "````");
	buffer_add(p->to, json_text(json_get(b, "language")));
	buffer_byte(p->to, '\n');
	buffer_add(p->to, code);
	buffer_put(p->to, code.len && code.at[code.len - 1] == '\n' ? "````\n" : "\n````\n");
}

static void put_body(struct page *p, uint32_t i, const struct json *b, int depth)
{
	const struct tree_node *n = &p->t->nodes.items[i];
	struct text note = json_text(json_get(b, "compliance_note"));

	if (n->holds) {
		buffer_fill(p->to, '#', (size_t)block_level(b, depth));
		buffer_byte(p->to, ' ');
		put_anchor(p->to, n->label);
		buffer_add(p->to, section_number(p->t, i));
		if (json_get(b, "title"))
			markdown_text(p->to, json_text(json_get(b, "title")));
		else
			put_inlines(p, i, json_get(b, "content"));
		buffer_byte(p->to, '\n');
	} else if (text_is(n->type, "paragraph")) {
		put_margin(p, i);
		put_inlines(p, i, json_get(b, "content"));
		buffer_byte(p->to, '\n');
	} else if (text_is(n->type, "table") || text_is(n->type, "signature_table")) {
		put_anchor(p->to, n->label);
		buffer_put(p->to, "\n\n");
		put_table(p, b);
		put_caption(p, i, b);
	} else if (text_is(n->type, "list")) {
		const struct json *ordered = json_get(b, "ordered");
		put_margin(p, i);
		buffer_put(p->to, n->is_cited ? "\n\n" : "");
		put_items(p, i, json_get(b, "items"), ordered && ordered->type == JSON_BOOL && ordered->boolean, 0);
	} else if (text_is(n->type, "image")) {
		put_anchor(p->to, n->label);
		buffer_put(p->to, "![");
		markdown_text(p->to, json_text(json_get(b, "alt")));
		buffer_put(p->to, "](<");
		buffer_add(p->to, json_text(json_get(b, "src")));
		buffer_put(p->to, ">)\n");
		put_caption(p, i, b);
	} else if (text_is(n->type, "code")) {
		put_anchor(p->to, n->is_cited ? n->label : TEXT(""));
		buffer_put(p->to, n->is_cited ? "\n\n" : "");
		put_fence(p, b);
		if (n->is_cited || json_text(json_get(b, "caption")).len)
			put_caption(p, i, b);
	} else if (text_is(n->type, "reference")) {
		struct shown_ref r = {0};
		const struct json *target = json_get(b, "target"), *content = json_get(b, "content");
		buffer_byte(p->to, '[');
		if (json_is(target, JSON_INT))
			r = ref_shown(p->t, b, i, target->integer);
		if (json_is(content, JSON_ARRAY)) {
			put_inlines(p, i, content);
			markdown_text(p->to, r.is_broken ? words_with(p->t->m->c->arena, p->words->missing, TEXT(""))
							 : TEXT(""));
		} else
			markdown_text(p->to, r.words.len ? r.words : json_text(json_get(b, "href")));
		buffer_put(p->to, "](");
		if (json_is(target, JSON_INT)) {
			buffer_byte(p->to, '#');
			buffer_add(p->to, r.label);
		} else {
			buffer_add(p->to, json_text(json_get(b, "href")));
		}
		buffer_put(p->to, ")\n");
	} else {
		/* An extension type: write its words, so that nothing is lost. */
		struct buffer words = {.arena = p->t->m->c->arena};
		block_words(&words, b);
		put_margin(p, i);
		if (words.len) {
			markdown_text(p->to, buffer_text(&words));
			buffer_byte(p->to, '\n');
		}
	}
	if (note.len) {
		buffer_put(p->to, "\n> ");
		markdown_text(p->to, words_with(p->t->m->c->arena, p->words->compliance, note));
		buffer_byte(p->to, '\n');
	}
	buffer_byte(p->to, '\n');
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
	for (; i != TREE_NONE && depth < 4; i = p->t->nodes.items[i].next) {
		const struct tree_node *n = &p->t->nodes.items[i];
		if (!n->holds)
			continue;
		buffer_fill(p->to, ' ', 2 * (size_t)(depth - 1));
		buffer_put(p->to, "- [");
		buffer_add(p->to, section_number(p->t, i));
		markdown_text(p->to, block_title(p->t->m->c->arena, tree_stored(p->t, i)));
		buffer_put(p->to, "](#");
		buffer_add(p->to, n->label);
		buffer_put(p->to, ")\n");
		put_contents(p, n->first, depth + 1);
	}
}

void export_markdown(struct buffer *to, const struct tree *t, const struct export_form *f)
{
	struct arena *a = t->m->c->arena;
	struct page p = {t, to, f, words_in(metadata_word(t, "language"))};
	struct text version = metadata_word(t, "version");

	buffer_put(to, "# ");
	markdown_text(to, metadata_word(t, "title"));
	buffer_put(to, "\n\n");
	buffer_add(to, words_with(a, p.words->document, t->m->id));
	buffer_put(to, ", ");
	if (version.len)
		buffer_format(to, "%s, ", words_with(a, p.words->version, version).at);
	buffer_add(to, words_with(a, p.words->revision, manual_revision(t->m)));
	buffer_format(to, ".\n\n## %s\n\n", p.words->contents);
	put_contents(&p, t->first, 1);
	buffer_byte(to, '\n');
	put_blocks(&p, t->first, 1);
}
