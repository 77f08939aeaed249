/* export.h: a manual for readers: Markdown and HTML with a table of contents and resolved references. */
#ifndef QUIRE_KINDS_DOCJL_EXPORT_EXPORT_H
#define QUIRE_KINDS_DOCJL_EXPORT_EXPORT_H
#include "kinds/docjl/export/words.h"
#include "kinds/docjl/tree/tree.h"

struct export_form {
	bool numbers_paragraphs; /* in the margin; without it only paragraphs that a reference names are numbered */
};
void export_markdown(struct buffer *to, const struct tree *t, const struct export_form *f);
void export_html(struct buffer *to, const struct tree *t, const struct export_form *f);
void export_json(struct buffer *to, const struct tree *t, bool with_auto_labels);
void html_text(struct buffer *to, struct text t); /* escaped */
void markdown_text(struct buffer *to, struct text t);
/* Head and body of a page; `page` numbers the pages on paper, as words.page does. */
void html_open(struct buffer *to, struct text title, struct text language, const char *page);

/* A reference for a reader: its own words, or else where its target is; a broken one says so. */
struct shown_ref {
	struct text words, label;
	struct text place; /* where the target is on paper, such as "Table 1" or "section 3.2" */
	bool is_broken;
};
struct shown_ref ref_shown(const struct tree *t, const struct json *ref, uint32_t node, int64_t k);
/* "4.2 " for a section with the label sec:4.2; empty if it has no number, or is `unnumbered`. */
struct text section_number(const struct tree *t, uint32_t i);
/* "Table 1", "section 3.2", or the title of a section without a number. */
struct text block_shown(const struct tree *t, uint32_t i);
bool has_caption_number(const struct tree_node *n); /* its label is the author's, or a reference names it */
/* The number beside a block without a caption; empty: none. */
struct text margin_number(const struct tree *t, uint32_t i, const struct export_form *f);
struct text metadata_word(const struct tree *t, const char *key);
int64_t block_level(const struct json *stored, int depth); /* 1 to 6 */

#endif
