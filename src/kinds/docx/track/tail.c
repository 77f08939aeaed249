#include "kinds/docx/track/tail.h"

#include "format/splice.h"
#include "format/xml.h"
#include "kinds/docx/text/fragment.h"
#include "kinds/docx/track/pieces.h"

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

bool tail_has_section(struct text ppr) { return text_find(ppr, TEXT("sectPr"), 0) != SIZE_MAX; }

struct text tail_without_section(struct arena *a, struct text ppr, const struct names *names)
{
	struct fragment f;
	uint32_t section;

	if (!fragment_parse(a, ppr, names, &f) || (section = fragment_child(&f, f.xml.root, TAG_SECT_PR)) == XML_NONE)
		return ppr;
	const struct xml_node *root = &f.xml.nodes[f.xml.root], *s = &f.xml.nodes[section];
	if (s->from == root->inner && s->to == root->inner_to)
		return TEXT("");
	return splice_apply(a, ppr, &(struct splice){s->from, s->to, TEXT("")}, 1);
}

/* The properties without a deletion of the paragraph mark. */
static struct text undeleted(struct arena *a, struct text ppr, const struct names *names)
{
	struct fragment f;
	uint32_t rpr, gone;

	if (!ppr.len || !fragment_parse(a, ppr, names, &f) ||
	    (rpr = fragment_child(&f, f.xml.root, TAG_RPR)) == XML_NONE ||
	    (gone = fragment_child(&f, rpr, TAG_DEL)) == XML_NONE)
		return ppr;
	return splice_apply(a, ppr, &(struct splice){f.xml.nodes[gone].from, f.xml.nodes[gone].to, TEXT("")}, 1);
}

static bool is_empty(struct arena *a, struct text fragment, const struct names *names)
{
	struct map chains = {.arena = a};
	struct track_pieces pieces = {0};

	return pieces_read(a, fragment, names, &chains, &pieces) && !pieces.list.n;
}

/* Finds the paragraph that takes over the section of the last one, which is deleted. SIZE_MAX: no section ends in any
 * of them. Returns false if a section ends in one of them and is not taken over. */
static bool find_heir(struct arena *a, const struct tail_paragraph *list, size_t n, const struct names *names,
		      size_t *out)
{
	*out = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (!tail_has_section(redline_properties(a, list[i].after.at ? list[i].after : list[i].before, names)))
			continue;
		if (list[i].after.at && *out == SIZE_MAX && i + 1 < n)
			*out = i;
		else if (list[i].after.at || *out == SIZE_MAX || i + 1 < n)
			return false;
	}
	if (*out == SIZE_MAX)
		return true;
	for (size_t i = *out + 1; i < n; i++)
		if (list[i].after.at)
			return false;
	return tail_has_section(redline_properties(a, list[n - 1].before, names));
}

bool tail_write(struct arena *a, const struct tail_paragraph *list, size_t n, const struct names *names,
		struct stamp *stamp, struct text *out)
{
	struct text now = {0}, was = {0}; /* properties of the paragraph that the mark ends, after and before */
	struct text section = {0};        /* the heir's properties with the section, which the last mark still ends */
	struct text stays = {0};          /* the last paragraph that stays */
	size_t heir;

	if (!find_heir(a, list, n, names, &heir))
		return false;
	for (size_t i = 0; i < n; i++) {
		enum redline_mark mark = i + 1 < n ? mark_of(&list[i + 1]) : MARK_PLAIN;
		struct text before = list[i].before, after = list[i].after, ppr = {0};
		if (after.at) {
			now = redline_properties(a, after, names);
			stays = after;
		}
		if (i == heir) {
			section = now;
			now = tail_without_section(a, now, names);
			after = with_properties(a, after, now, names);
		}
		if (before.at)
			was = redline_properties(a, before, names);
		if (before.at && after.at && text_same(before, after)) {
			out[i] = redline_mark(a, before, names, mark, stamp);
			continue;
		}
		if (!before.at || !after.at)
			ppr = was;
		/* An empty paragraph with a deleted mark would be removed on accepting, so the deletion is left out. */
		if (!after.at && i + 1 == n && is_empty(a, stays, names))
			ppr = undeleted(a, was, names);
		if (!after.at)
			before = with_properties(a, before, i + 1 == n && section.at ? section : now, names);
		if (!redline_paragraph(a, before, after, names, mark, ppr, stamp, &out[i]))
			return false;
	}
	return true;
}

static bool is_mark(enum tag tag)
{
	return tag == TAG_BOOKMARK_START || tag == TAG_BOOKMARK_END || tag == TAG_COMMENT_START ||
	       tag == TAG_COMMENT_END || tag == TAG_RANGE_MARK || tag == TAG_PROOF_ERR;
}

/* The offset after white space and marks. */
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
		return fragment_tag(space, local) == TAG_SECT_PR || fragment_tag(space, local) == TAG_TBL;
	for (size_t k = 0; space == SPACE_W && k < sizeof ends / sizeof *ends; k++)
		if (text_is(local, ends[k]))
			return true;
	return false;
}

bool tail_touches(struct text bytes, size_t from, size_t to, const struct names *names)
{
	return behind_marks(text_slice(bytes, 0, to), from, names) == to;
}
