/* The visible text of an ordinary paragraph, without a table of its nodes.
 *
 * Most paragraphs hold runs of text and nothing that takes thought: no fields, no deletions, no hidden runs. Their text
 * is found in one pass. At the first thing that is not one of these the pass gives up, and atoms.c reads the paragraph
 * in full; both give the same text (docx_atoms_fuzz compares them). */
#include "kinds/docx/text/atoms.h"

#include <string.h>

struct pass {
	struct text bytes;
	struct text prefix; /* of the main namespace, with the colon */
	size_t at;
	struct buffer out;
	bool has_styles; /* a character style may hide a run */
};

/* What the tag at `at` is, which is behind `<` or `</`; TAG_NOT_ELEMENT: of another namespace. */
static enum tag tag_at(const struct pass *p, size_t at)
{
	const char *from = p->bytes.at + at, *end = p->bytes.at + p->bytes.len;

	for (size_t i = 0; i < p->prefix.len; i++, from++)
		if (from == end || *from != p->prefix.at[i])
			return TAG_NOT_ELEMENT;
	const char *to = from;
	while (to < end && *to != '>' && *to != '/' && (unsigned char)*to > ' ')
		to++;
	return fragment_tag(SPACE_W, (struct text){from, (size_t)(to - from)});
}

/* Behind the end of the tag that the position is in. False: not an ordinary one. */
static bool skip_tag(struct pass *p, bool *is_empty)
{
	const char *at = p->bytes.at + p->at, *end = p->bytes.at + p->bytes.len;
	bool is_quoted = false;

	for (; at < end && *at != '>'; at++) {
		is_quoted ^= *at == '"';
		/* A bracket in a value, the other quotes, prefixes declared here. */
		if (*at == '<' || *at == '\'' || (*at == 'x' && end - at > 5 && !memcmp(at, "xmlns", 5)))
			return false;
	}
	if (at == end || is_quoted)
		return false;
	*is_empty = at[-1] == '/';
	p->at = (size_t)(at - p->bytes.at) + 1;
	return true;
}

/* Properties, to their end. */
static bool skip_properties(struct pass *p, enum tag properties)
{
	bool is_empty;

	if (!skip_tag(p, &is_empty))
		return false;
	while (!is_empty) {
		const char *next = memchr(p->bytes.at + p->at, '<', p->bytes.len - p->at);
		if (!next || next + 2 >= p->bytes.at + p->bytes.len || next[1] == '!')
			return false;
		bool closes = next[1] == '/';
		p->at = (size_t)(next - p->bytes.at) + 1 + closes;
		enum tag inner = tag_at(p, p->at);
		if (!closes && (inner == TAG_VANISH || (p->has_styles && inner == TAG_R_STYLE)))
			return false;
		if (closes && inner == properties)
			return skip_tag(p, &is_empty);
	}
	return true;
}

/* The content of a w:t. */
static bool take_text(struct pass *p)
{
	bool is_empty;

	if (!skip_tag(p, &is_empty))
		return false;
	if (is_empty)
		return true;
	const char *end = memchr(p->bytes.at + p->at, '<', p->bytes.len - p->at);
	if (!end)
		return false;
	struct text t = text_slice(p->bytes, p->at, (size_t)(end - p->bytes.at));
	if (memchr(t.at, '&', t.len) || memchr(t.at, '\r', t.len) || p->bytes.len - p->at - t.len < 2 || end[1] != '/')
		return false;
	buffer_add(&p->out, t);
	p->at += t.len + 2;
	return tag_at(p, p->at) == TAG_T && skip_tag(p, &is_empty);
}

static bool is_mark(enum tag tag)
{
	return tag == TAG_BOOKMARK_START || tag == TAG_BOOKMARK_END || tag == TAG_PROOF_ERR ||
	       tag == TAG_LAST_PAGE_BREAK;
}

/* Where the pass stands: around the paragraph, in it, in a run. */
enum place { AROUND, IN_PARAGRAPH, IN_RUN };

/* The tag at the position, which is behind its bracket. */
static bool take_tag(struct pass *p, enum place *place)
{
	bool closes = p->at < p->bytes.len && p->bytes.at[p->at] == '/', is_empty;

	p->at += closes;
	enum tag tag = tag_at(p, p->at);
	if (!closes && *place == IN_RUN && tag == TAG_T)
		return take_text(p);
	if (!closes && ((*place == IN_RUN && tag == TAG_RPR) || (*place == IN_PARAGRAPH && tag == TAG_PPR)))
		return skip_properties(p, tag);
	bool is_frame = tag == (*place + !closes == IN_RUN ? TAG_R : TAG_P);
	if ((!is_frame && (closes || !is_mark(tag))) || (is_frame && *place + !closes > IN_RUN) ||
	    !skip_tag(p, &is_empty))
		return false;
	if (!is_frame)
		return is_empty && *place != AROUND;
	if (!is_empty)
		*place = closes ? *place - 1 : *place + 1;
	return !(closes && is_empty);
}

bool plain_text(struct arena *a, struct text fragment, const struct names *names, bool has_styles, struct text *out)
{
	struct pass p = {.bytes = fragment, .out = {.arena = a}, .has_styles = has_styles};
	enum place place = AROUND;

	if (!names->w.at || !fragment.len || fragment.at[0] != '<')
		return false;
	p.prefix = text_format(a, "%.*s:", TEXT_ARGS(names->w));
	do {
		const char *next = memchr(fragment.at + p.at, '<', fragment.len - p.at);
		if (!next)
			return false;
		p.at = (size_t)(next - fragment.at) + 1;
		if (!take_tag(&p, &place))
			return false;
	} while (place != AROUND);
	*out = buffer_text(&p.out);
	return p.at == fragment.len;
}
