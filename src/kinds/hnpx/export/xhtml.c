#include "kinds/hnpx/export/xhtml.h"
#include "base/digest.h"
#include "format/xml.h"

#include <string.h>

const char book_style[] = "body { margin: 5%; line-height: 1.4; }\n"
			  "h1, h2 { text-align: center; margin: 2em 0; font-weight: normal; }\n"
			  "p { margin: 0; text-indent: 1.5em; }\n"
			  "h1 + p, h2 + p, hr + p { text-indent: 0; }\n"
			  "hr { border: 0; margin: 1.5em 0; text-align: center; }\n"
			  "hr::after { content: \"* * *\"; }\n"
			  ".title { margin-top: 30%; text-align: center; }\n"
			  ".author, .cover, .unwritten { text-align: center; text-indent: 0; }\n"
			  ".cover img { max-width: 100%; max-height: 100%; }\n"
			  ".unwritten { color: #777; }\n";

/* Languages written from right to left. Pages turn in that direction too. */
bool is_right_to_left(struct text language)
{
	static const char *const tags[] = {"ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "arc", "syr"};

	for (size_t i = 0; i < ARRAY_COUNT(tags); i++) {
		size_t len = strlen(tags[i]);
		if (text_starts(language, tags[i]) && (language.len == len || language.at[len] == '-'))
			return true;
	}
	return false;
}

void xhtml_add(struct buffer *to, struct text words) { xml_escape(to, words, true); }

void xhtml_language(struct buffer *to, const struct manuscript *m)
{
	buffer_put(to, " lang=\"");
	xhtml_add(to, m->language);
	buffer_put(to, is_right_to_left(m->language) ? "\" dir=\"rtl\"" : "\"");
}

static void put_chapter(void *to, uint32_t chapter, struct text heading)
{
	struct xhtml *x = to;

	(void)chapter;
	buffer_format(&x->out, "<%s>", x->heading);
	xml_escape(&x->out, heading, false);
	buffer_format(&x->out, "</%s>\n", x->heading);
}

static void put_break(void *to) { buffer_put(&((struct xhtml *)to)->out, "<hr/>\n"); }

static void put_block(void *to, const struct type_block *b)
{
	struct buffer *out = &((struct xhtml *)to)->out;
	bool italic = false, bold = false;

	buffer_put(out, "<p>");
	for (size_t i = 0; i <= b->runs.n; i++) {
		const struct type_run *run = i < b->runs.n ? &b->runs.items[i] : NULL;
		/* <strong> is inside <em>, so it is closed first and opened last. */
		bool turns = !run || italic != run->is_italic;
		if (bold && (turns || !run->is_bold)) {
			buffer_put(out, "</strong>");
			bold = false;
		}
		if (turns && (run || italic)) {
			buffer_put(out, italic ? "</em>" : "<em>");
			italic = !italic;
		}
		if (!run)
			break;
		if (run->is_bold && !bold) {
			buffer_put(out, "<strong>");
			bold = true;
		}
		xml_escape(out, run->words, false);
		buffer_put(out, run->ends_line ? "<br/>\n" : "");
	}
	buffer_put(out, "</p>\n");
}

static void put_unwritten(void *to, struct text summary)
{
	struct buffer *out = &((struct xhtml *)to)->out;

	buffer_put(out, "<p class=\"unwritten\">[Unwritten: ");
	xml_escape(out, summary, false);
	buffer_put(out, "]</p>\n");
}

const struct form xhtml_form = {put_chapter, put_break, put_block, put_unwritten};

struct text manuscript_html(struct arena *a, const struct manuscript *m)
{
	struct xhtml page = {.out = {.arena = a}, .heading = "h2"};

	buffer_put(&page.out, "<!DOCTYPE html>\n<html");
	xhtml_language(&page.out, m);
	buffer_put(&page.out, ">\n<head>\n<meta charset=\"utf-8\"/>\n"
			      "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>");
	xml_escape(&page.out, m->title, false);
	buffer_put(&page.out, "</title>\n<style>\n");
	buffer_put(&page.out, book_style);
	buffer_put(&page.out,
		   "body { max-width: 36em; margin: 5% auto; padding: 0 1em; }\n</style>\n</head>\n<body>\n");
	if (m->cover.at) {
		buffer_format(&page.out, "<p class=\"cover\"><img alt=\"Cover\" src=\"data:%s;base64,",
			      m->picture.mime);
		buffer_add(&page.out, base64_encode(a, m->cover));
		buffer_put(&page.out, "\"/></p>\n");
	}
	buffer_put(&page.out, "<h1 class=\"title\">");
	xml_escape(&page.out, m->title, false);
	buffer_put(&page.out, "</h1>\n");
	if (m->author.at) {
		buffer_put(&page.out, "<p class=\"author\">");
		xml_escape(&page.out, m->author, false);
		buffer_put(&page.out, "</p>\n");
	}
	manuscript_walk(a, m, 0, &xhtml_form, &page);
	buffer_put(&page.out, "</body>\n</html>\n");
	return buffer_text(&page.out);
}
