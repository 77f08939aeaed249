/* markdown.h: the positions of headings, links, tags and named blocks in a Markdown text.
 *
 * One pass over the bytes; nothing is copied. Every part is a span of the original, so an edit of a link or a section
 * is a splice. Nothing in fenced code, indented code, code spans and HTML comments, or after a backslash, is a
 * link, tag or heading. Links are wikilinks ([[target#part|shown]], ![[embedded]]), Markdown links
 * ([shown](target)), images, and link definitions ([label]: target).
 *
 * The scanner follows CommonMark where it matters for links: fences and indented code inside quotes and list items,
 * code spans across lines, balanced brackets. It builds no tree. Any bytes are accepted. */
#ifndef QUIRE_FORMAT_MARKDOWN_H
#define QUIRE_FORMAT_MARKDOWN_H
#include "base/array.h"
#include "base/text.h"

struct span {
	uint32_t from, to;
};

struct markdown_heading {
	struct span lines; /* with the newline; two lines or more when underlined (setext) */
	struct span text;  /* without marks, trimmed */
	int level;         /* 1 to 6 */
};

enum markdown_link_form { LINK_WIKI, LINK_INLINE, LINK_DEFINITION };

struct markdown_link {
	enum markdown_link_form form;
	bool is_embed;  /* it begins with an exclamation mark, which is part of `all` */
	bool is_angled; /* the target is in <>, which are outside the span */
	struct span all;
	struct span target;   /* trimmed, up to the first #; empty when the link points into its own note */
	struct span fragment; /* with its #; empty when there is none */
	struct span shown;    /* after the bar, or in the brackets; empty when there is none */
};

/* A paragraph, list item or other run of lines with a trailing ^name. */
struct markdown_block {
	struct span text; /* without the name */
	struct span name; /* without the ^ */
};

struct markdown {
	ARRAY(struct markdown_heading) headings; /* in order; those inside quotes and lists are left out */
	ARRAY(struct markdown_link) links;       /* in order of their ends */
	ARRAY(struct span) tags;                 /* #tag, with its # */
	ARRAY(struct markdown_block) blocks;
	ARRAY(struct span) code; /* fences, indented code, code spans, comments: everything that is not prose */
};

/* Scans [from, bytes.len); spans refer to `bytes`. */
void markdown_scan(struct arena *a, struct text bytes, size_t from, struct markdown *out);

struct text span_text(struct text bytes, struct span s);

#endif
