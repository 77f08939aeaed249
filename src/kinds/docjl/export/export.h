/* export.h: a manual for readers: Markdown and HTML with a table of contents and resolved references. */
#ifndef QUIRE_KINDS_DOCJL_EXPORT_EXPORT_H
#define QUIRE_KINDS_DOCJL_EXPORT_EXPORT_H
#include "kinds/docjl/tree/tree.h"

void export_markdown(struct buffer *to, const struct tree *t);
void export_html(struct buffer *to, const struct tree *t);
void export_json(struct buffer *to, const struct tree *t, bool with_auto_labels);
void html_text(struct buffer *to, struct text t); /* escaped */
void markdown_text(struct buffer *to, struct text t);
void html_open(struct buffer *to, struct text title, struct text language); /* head and body of a page */
/* The text of a reference: its own words, or else the number and title of its target section, or else the label. */
struct shown_ref {
	struct text words, label;
	bool is_broken;
};
struct shown_ref ref_shown(const struct tree *t, const struct json *ref, uint32_t node, int64_t k);
/* "4.2 " for a section with the label sec:4.2; empty if it has no number. */
struct text section_number(const struct tree *t, uint32_t i);
struct text metadata_word(const struct tree *t, const char *key);
int64_t tree_level(const struct tree *t, uint32_t i, const struct json *stored, int depth); /* 1 to 6 */

#endif
