#include "kinds/docx/track/tail.h"

#include "format/xml.h"
#include "kinds/docx/text/fragment.h"

#include <string.h>

static enum redline_mark mark_of(const struct tail_paragraph *next)
{
	return !next->before.at ? MARK_INSERTED : !next->after.at ? MARK_DELETED : MARK_PLAIN;
}

/* The paragraph with other properties. */
static struct text with_properties(struct arena *a, struct text fragment, struct text ppr, const struct names *names)
{
	struct buffer out = {.arena = a};
	struct fragment f;

	if (!fragment_parse(a, fragment, names, &f))
		return fragment;
	const struct xml_node *root = &f.xml.nodes[f.xml.root];
	uint32_t old = fragment_child(&f, f.xml.root, TAG_PPR);
	buffer_add(&out, text_slice(fragment, 0, root->is_empty_tag ? root->to - 2 : root->inner));
	buffer_put(&out, root->is_empty_tag ? ">" : "");
	buffer_add(&out, ppr);
	if (root->is_empty_tag)
		names_close(&out, names, "p");
	else
		buffer_add(&out,
			   text_slice(fragment, old == XML_NONE ? root->inner : f.xml.nodes[old].to, fragment.len));
	return buffer_text(&out);
}

static bool has_section(struct text ppr) { return text_find(ppr, TEXT("sectPr"), 0) != SIZE_MAX; }

bool tail_write(struct arena *a, const struct tail_paragraph *list, size_t n, const struct names *names,
		struct stamp *stamp, struct text *out)
{
	struct text now = {0}, was = {0}; /* properties of the paragraph that the mark ends, after and before */

	for (size_t i = 0; i < n; i++)
		if (has_section(redline_properties(a, list[i].after.at ? list[i].after : list[i].before, names)))
			return false;
	for (size_t i = 0; i < n; i++) {
		const struct tail_paragraph *p = &list[i];
		enum redline_mark mark = i + 1 < n ? mark_of(&list[i + 1]) : MARK_PLAIN;
		struct text before = p->before, ppr = {0};
		if (p->after.at)
			now = redline_properties(a, p->after, names);
		if (p->before.at)
			was = redline_properties(a, p->before, names);
		if (p->before.at && p->after.at && text_same(p->before, p->after)) {
			out[i] = redline_mark(a, p->before, names, mark, stamp);
			continue;
		}
		if (!p->before.at || !p->after.at)
			ppr = was;
		if (!p->after.at)
			before = with_properties(a, p->before, now, names);
		if (!redline_paragraph(a, before, p->after, names, mark, ppr, stamp, &out[i]))
			return false;
	}
	return true;
}

static bool is_mark(enum tag tag)
{
	return tag == TAG_BOOKMARK_START || tag == TAG_BOOKMARK_END || tag == TAG_COMMENT_START ||
	       tag == TAG_COMMENT_END || tag == TAG_RANGE_MARK || tag == TAG_PROOF_ERR;
}

/* Behind white space and marks. */
static size_t behind_marks(struct text b, size_t at, const struct names *names)
{
	for (;;) {
		size_t i = at, name;
		struct text local;
		while (i < b.len && strchr(" \t\r\n", b.at[i]) && b.at[i])
			i++;
		const char *end = i < b.len && b.at[i] == '<' ? memchr(b.at + i, '>', b.len - i) : NULL;
		if (!end || end[-1] != '/')
			return i;
		for (name = i + 1; name < b.len && !strchr(" \t\r\n/>", b.at[name]); name++)
			;
		enum space space = names_split(names, text_slice(b, i + 1, name), false, &local);
		if (!is_mark(fragment_tag(space, local)))
			return i;
		at = (size_t)(end - b.at) + 1;
	}
}

bool tail_ends(struct text bytes, size_t at, const struct names *names)
{
	static const char *const ends[] = {"tc", "body", "footnote", "endnote", "comment", "hdr", "ftr", "txbxContent"};
	struct text local;
	size_t i = behind_marks(bytes, at, names), name;

	if (i + 2 >= bytes.len || bytes.at[i] != '<')
		return false;
	bool closes = bytes.at[i + 1] == '/';
	for (name = i += 1 + closes; name < bytes.len && !strchr(" \t\r\n/>", bytes.at[name]); name++)
		;
	enum space space = names_split(names, text_slice(bytes, i, name), false, &local);
	if (!closes)
		return fragment_tag(space, local) == TAG_SECT_PR;
	for (size_t k = 0; space == SPACE_W && k < sizeof ends / sizeof *ends; k++)
		if (text_is(local, ends[k]))
			return true;
	return false;
}

bool tail_touches(struct text bytes, size_t from, size_t to, const struct names *names)
{
	return behind_marks(text_slice(bytes, 0, to), from, names) == to;
}
