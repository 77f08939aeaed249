#include "kinds/docx/annotate/anchor.h"
#include "base/utf8.h"
#include "format/splice.h"
#include "kinds/docx/surgeon/match.h"

bool anchor_find(struct call *c, const struct story *s, uint32_t p, struct text words, uint32_t *from, uint32_t *to)
{
	struct runes text = runes_of(c->arena, story_text(c, s, p));
	struct matches found = match_find(c->arena, &text, words);

	if (!found.n)
		return fail_as(c, "TEXT_NOT_FOUND",
			       "%s is not in the paragraph; copy the words from read_file, without tags",
			       shown(c, words));
	if (found.n > 1)
		return fail_as(c, "MULTIPLE_MATCHES",
			       "%s occurs more than once in the paragraph; pass more words around it", shown(c, words));
	*from = found.items[0].from;
	*to = found.items[0].to;
	return true;
}

/* The atom with width that contains the character; ATOMS_NONE: after the last. */
static uint32_t atom_at(const struct atoms *t, uint32_t at)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (t->atoms[i].len && t->atoms[i].at <= at && at < t->atoms[i].at + t->atoms[i].len)
			return i;
	return ATOMS_NONE;
}

static void put_text(struct buffer *to, const struct names *names, struct text words)
{
	names_open(to, names, "t");
	buffer_put(to, " xml:space=\"preserve\">");
	xml_escape(to, words, false);
	names_close(to, names, "t");
}

/* Splits the run into two, with the bytes between them. */
static struct splice cut_run(struct arena *a, const struct atoms *t, const struct atom *at, uint32_t offset,
			     struct text bytes)
{
	const struct fragment *f = &t->fragment;
	const struct xml_node *run = &f->xml.nodes[t->runs[at->run].node], *child = &f->xml.nodes[at->node];
	const struct names *names = fragment_names(f, t->runs[at->run].node);
	uint32_t rpr = t->runs[at->run].rpr;
	struct text words = text_slice(t->text, at->byte, at->byte + at->bytes);
	struct text head = text_slice(f->xml.bytes, run->from, run->inner);
	size_t cut = 0;

	for (uint32_t i = 0; i < offset; i++)
		utf8_next(words, &cut);
	struct buffer out = {.arena = a};
	buffer_add(&out, text_slice(f->xml.bytes, run->from, child->from));
	if (cut)
		put_text(&out, names, text_slice(words, 0, cut));
	names_close(&out, names, "r");
	buffer_add(&out, bytes);
	buffer_add(&out, head);
	if (rpr != XML_NONE)
		buffer_add(&out, fragment_bytes(f, rpr));
	if (cut)
		put_text(&out, names, text_slice(words, cut, words.len));
	else
		buffer_add(&out, text_slice(f->xml.bytes, child->from, child->to));
	buffer_add(&out, text_slice(f->xml.bytes, child->to, run->to));
	return (struct splice){run->from, run->to, buffer_text(&out)};
}

/* Is the atom the first content of its run? */
static bool leads_run(const struct atoms *t, uint32_t atom)
{
	const struct atom *at = &t->atoms[atom];

	return at->run != ATOMS_NONE && t->runs[at->run].atom == atom;
}

bool anchor_put(struct call *c, struct story *s, uint32_t p, uint32_t at, struct text bytes)
{
	struct atoms t;
	struct splice edit;

	if (!story_atoms(c, s, p, &t))
		return false;
	const struct xml_node *root = &t.fragment.xml.nodes[t.fragment.xml.root];
	uint32_t atom = atom_at(&t, at);
	if (root->is_empty_tag) {
		struct buffer out = {.arena = c->arena};
		buffer_byte(&out, '>');
		buffer_add(&out, bytes);
		names_close(&out, t.fragment.names, "p");
		edit = (struct splice){root->to - 2, root->to, buffer_text(&out)};
	} else if (atom == ATOMS_NONE) {
		edit = (struct splice){root->inner_to, root->inner_to, bytes};
	} else {
		const struct atom *here = &t.atoms[atom];
		uint32_t run = t.fragment.xml.nodes[t.runs[here->run].node].from;
		edit = here->at == at && leads_run(&t, atom) ? (struct splice){run, run, bytes}
							     : cut_run(c->arena, &t, here, at - here->at, bytes);
	}
	story_replace(s, p, splice_apply(c->arena, t.fragment.xml.bytes, &edit, 1));
	return true;
}

static bool is_mark(uint8_t tag, bool is_comment)
{
	return is_comment ? tag == TAG_COMMENT_START || tag == TAG_COMMENT_END || tag == TAG_COMMENT_REFERENCE
			  : tag == TAG_FOOTNOTE_REFERENCE;
}

static int32_t mark_id(struct call *c, const struct fragment *f, uint32_t node)
{
	struct text id = fragment_attribute(c->arena, f, node, SPACE_W, "id");

	return id.at ? value_number(id, INT32_MIN) : INT32_MIN;
}

/* A run that contains only the reference is removed with it. */
static uint32_t to_remove(const struct fragment *f, uint32_t node)
{
	uint32_t run = f->xml.nodes[node].parent;

	if (run == XML_NONE || f->tags[run] != TAG_R)
		return node;
	for (uint32_t i = xml_first(&f->xml, run); i != XML_NONE; i = xml_next(&f->xml, i))
		if (i != node && f->tags[i] != TAG_RPR && f->tags[i] != TAG_NOT_ELEMENT)
			return node;
	return run;
}

bool anchor_take(struct call *c, struct story *s, uint32_t p, bool is_comment, int32_t id)
{
	struct atoms t;
	ARRAY(struct splice) edits = {0};

	if (!story_atoms(c, s, p, &t))
		return false;
	for (uint32_t i = 0; i < t.fragment.xml.n; i++)
		if (is_mark(t.fragment.tags[i], is_comment) && mark_id(c, &t.fragment, i) == id) {
			const struct xml_node *n = &t.fragment.xml.nodes[to_remove(&t.fragment, i)];
			*ARRAY_PUSH(c->arena, &edits) = (struct splice){n->from, n->to, TEXT("")};
		}
	if (edits.n)
		story_replace(s, p, splice_apply(c->arena, t.fragment.xml.bytes, edits.items, edits.n));
	return edits.n > 0;
}

size_t anchor_ids(struct call *c, const struct story *s, uint32_t p, bool is_comment, int32_t **out)
{
	ARRAY(int32_t) ids = {0};
	struct fragment f;
	struct text bytes = story_fragment(s, p);

	/* Most paragraphs have none. A search in the bytes shows this quickly. */
	if (text_find(bytes, is_comment ? TEXT("omment") : TEXT("footnoteReference"), 0) == SIZE_MAX ||
	    !fragment_parse(c->arena, bytes, s->paragraphs.items[p].names, &f))
		return 0;
	for (uint32_t i = 0; i < f.xml.n; i++)
		if (f.tags[i] == (is_comment ? TAG_COMMENT_REFERENCE : TAG_FOOTNOTE_REFERENCE))
			*ARRAY_PUSH(c->arena, &ids) = mark_id(c, &f, i);
	*out = ids.items;
	return ids.n;
}
