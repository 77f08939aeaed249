/* changes_page.c: the list of changes as a page to read, in Markdown or HTML. */
#include "kinds/docjl/export/export.h"
#include "kinds/docjl/tools/trail.h"

#include "base/clock.h"

static const char *const titles[CHANGE_KINDS] = {"Added", "Removed", "Moved", "Changed", "References redirected"};

struct changes_sheet {
	struct call *c;
	struct buffer *to;
	const struct changes *all;
	bool is_html;
};

static void put(const struct changes_sheet *p, struct text t) { (p->is_html ? html_text : markdown_text)(p->to, t); }

/* 2026-11-18 10:24 UTC */
static void put_time(const struct changes_sheet *p, int64_t at)
{
	struct text iso = clock_iso(p->c->arena, at);

	buffer_format(p->to, "%.10s %.5s UTC", iso.at, iso.len > 16 ? iso.at + 11 : "");
}

static void put_label(const struct changes_sheet *p, const struct block_change *n)
{
	struct text label = n->after_label.at ? n->after_label : n->before_label;

	buffer_put(p->to, p->is_html ? "<strong>" : "**");
	put(p, label.at ? label : TEXT("(no label)"));
	buffer_put(p->to, p->is_html ? "</strong>" : "**");
	if (n->before_label.at && n->after_label.at && !text_same(n->before_label, n->after_label)) {
		buffer_put(p->to, " (was ");
		put(p, n->before_label);
		buffer_byte(p->to, ')');
	}
}

static void put_way(const struct changes_sheet *p, struct text from, struct text to)
{
	buffer_put(p->to, ", from ");
	put(p, from.at ? from : TEXT("top"));
	buffer_put(p->to, " to ");
	put(p, to.at ? to : TEXT("top"));
}

/* Rows of a table and items of a list are lines. */
static void put_lines(const struct changes_sheet *p, struct text words)
{
	for (size_t at = 0, end; at < words.len; at = end + 1) {
		end = text_find(words, TEXT("\n"), at);
		end = end == SIZE_MAX ? words.len : end;
		if (at)
			buffer_put(p->to, p->is_html ? "<br>\n" : "\\\n  ");
		put(p, text_slice(words, at, end));
	}
}

static void put_words(const struct changes_sheet *p, const struct block_change *n, enum change_kind kind)
{
	static const struct change_marks html = {"<del>", "</del>", "<ins>", "</ins>", "<br>\n", html_text},
					 markdown = {"~~", "~~", "**", "**", "\\\n  ", markdown_text};

	if (kind == CHANGE_CHANGED && n->fields.items.n) {
		buffer_put(p->to, "Same words; other values in: ");
		for (size_t i = 0; i < n->fields.items.n; i++) {
			buffer_put(p->to, i ? ", " : "");
			put(p, n->fields.items.items[i]);
		}
	} else if (kind == CHANGE_CHANGED) {
		change_words(p->to, p->c->arena, n, p->is_html ? &html : &markdown);
	} else {
		put_lines(p, kind == CHANGE_ADDED ? n->after_words : n->before_words);
	}
}

static void put_change(const struct changes_sheet *p, const struct block_change *n, enum change_kind kind)
{
	buffer_put(p->to, p->is_html ? "<li>" : "- ");
	put_label(p, n);
	if (kind == CHANGE_MOVED)
		put_way(p, n->from, n->to);
	else if (kind == CHANGE_REDIRECTED)
		put_way(p, n->from_label, n->to_label);
	buffer_put(p->to, p->is_html ? " <small>" : ", ");
	put(p, n->by);
	buffer_put(p->to, ", ");
	put_time(p, n->at);
	buffer_put(p->to, ", ");
	put(p, audit_id(p->c->arena, p->all->id, n->seq));
	buffer_put(p->to, p->is_html ? "</small>" : "");
	if (kind != CHANGE_MOVED && kind != CHANGE_REDIRECTED) {
		buffer_put(p->to, p->is_html ? "<br>" : "\n  ");
		put_words(p, n, kind);
	}
	buffer_put(p->to, p->is_html ? "</li>\n" : "\n");
}

static void put_kind(const struct changes_sheet *p, enum change_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < p->all->list.n; i++) {
		if (!change_is(&p->all->list.items[i], kind))
			continue;
		if (!n++)
			buffer_format(p->to, p->is_html ? "<h2>%s</h2>\n<ul>\n" : "\n## %s\n\n", titles[kind]);
		put_change(p, &p->all->list.items[i], kind);
	}
	if (n && p->is_html)
		buffer_put(p->to, "</ul>\n");
}

static void put_imports(const struct changes_sheet *p)
{
	for (uint32_t i = 0; i < p->all->imports->len; i++) {
		buffer_put(p->to, p->is_html ? "<p>" : "\n");
		buffer_put(p->to, "The whole document was imported by ");
		put(p, json_text(json_get(&p->all->imports->items[i], "by")));
		buffer_put(p->to, ", ");
		put(p, json_text(json_get(&p->all->imports->items[i], "at")));
		buffer_put(p->to, p->is_html ? ".</p>\n" : ".\n");
	}
}

void changes_page(struct call *c, struct buffer *to, const struct changes *all, struct text title, bool is_html)
{
	struct changes_sheet p = {c, to, all, is_html};
	struct text heading = text_format(c->arena, "Changes of %.*s, r%lld to r%lld", TEXT_ARGS(all->id),
					  (long long)all->from, (long long)all->to);

	if (is_html)
		html_open(to, heading, TEXT(""), words_in((struct text){0})->page);
	buffer_put(to, is_html ? "<h1>" : "# ");
	put(&p, heading);
	buffer_put(to, is_html ? "</h1>\n<p>" : "\n\n");
	put(&p, title);
	buffer_put(to, is_html ? "</p>\n" : "\n");
	put_imports(&p);
	for (int kind = 0; kind < CHANGE_KINDS; kind++)
		put_kind(&p, (enum change_kind)kind);
	if (!all->entries)
		buffer_put(to, is_html ? "<p>Nothing changed.</p>\n" : "\nNothing changed.\n");
	if (is_html)
		buffer_put(to, "</body>\n</html>\n");
}
