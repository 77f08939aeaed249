#include "kinds/docx/track/settle.h"
#include "kinds/docx/text/fragment.h"

#include <string.h>

/* The role of a node in revisions. */
enum role {
	ROLE_NONE,
	ROLE_INSERTION, /* w:ins, w:moveTo around content */
	ROLE_DELETION,  /* w:del, w:moveFrom around content */
	ROLE_MARK_IN,   /* the same in the properties of a paragraph mark */
	ROLE_MARK_OUT,
	ROLE_ROW_IN, /* the same in the properties of a row */
	ROLE_ROW_OUT,
	ROLE_CELL_IN, /* cellIns, cellDel: the cell is inserted or deleted */
	ROLE_CELL_OUT,
	ROLE_CELL,   /* cellMerge: dropped */
	ROLE_RANGE,  /* marks around moved ranges */
	ROLE_FORMER, /* rPrChange, pPrChange ...: the old properties */
	ROLE_DEL_TEXT,
	ROLE_DEL_CODE
};

struct settler {
	struct arena *arena;
	struct fragment f;
	struct settling which;
	uint8_t *roles;
	bool *has; /* a revision at or below the node */
	struct buffer out;
};

static const struct {
	const char *local;
	enum role role;
} former[] = {
	{"rPrChange", ROLE_FORMER},
	{"pPrChange", ROLE_FORMER},
	{"sectPrChange", ROLE_FORMER},
	{"tblPrChange", ROLE_FORMER},
	{"trPrChange", ROLE_FORMER},
	{"tcPrChange", ROLE_FORMER},
	{"tblPrExChange", ROLE_FORMER},
	{"tblGridChange", ROLE_FORMER},
	{"numberingChange", ROLE_FORMER},
	{"cellIns", ROLE_CELL_IN},
	{"cellDel", ROLE_CELL_OUT},
	{"cellMerge", ROLE_CELL},
	{"moveFromRangeStart", ROLE_RANGE},
	{"moveFromRangeEnd", ROLE_RANGE},
	{"moveToRangeStart", ROLE_RANGE},
	{"moveToRangeEnd", ROLE_RANGE},
	{"customXmlInsRangeStart", ROLE_RANGE},
	{"customXmlInsRangeEnd", ROLE_RANGE},
	{"customXmlDelRangeStart", ROLE_RANGE},
	{"customXmlDelRangeEnd", ROLE_RANGE},
};

bool revisions_may_be(struct text bytes)
{
	static const char *const others[] = {"ins", "del", "moveFrom", "moveTo", "delText", "delInstrText"};
	const char *end = bytes.at + bytes.len;

	for (const char *at = bytes.at; (at = memchr(at, '<', (size_t)(end - at)));) {
		const char *local = ++at;
		for (; at < end && !strchr(" \t\r\n/><", *at); at++)
			local = *at == ':' ? at + 1 : local;
		struct text name = {local, (size_t)(at - local)};
		if (name.len < 3)
			continue;
		for (size_t i = 0; i < sizeof others / sizeof *others; i++)
			if (text_is(name, others[i]))
				return true;
		for (size_t i = 0; i < sizeof former / sizeof *former; i++)
			if (text_is(name, former[i].local))
				return true;
	}
	return false;
}

static enum role role_of(const struct fragment *f, uint32_t node)
{
	uint32_t parent = f->xml.nodes[node].parent;
	uint8_t tag = f->tags[node], above = parent == XML_NONE ? TAG_OTHER : f->tags[parent];
	bool in = tag == TAG_INS || tag == TAG_MOVE_TO, gone = tag == TAG_DEL || tag == TAG_MOVE_FROM;
	enum space space;

	if (tag == TAG_NOT_ELEMENT)
		return ROLE_NONE;
	struct text local = fragment_local(f, node, &space);
	if (in || gone) {
		if (above == TAG_RPR)
			return in ? ROLE_MARK_IN : ROLE_MARK_OUT;
		if (parent != XML_NONE && text_is(fragment_local(f, parent, &space), "trPr"))
			return in ? ROLE_ROW_IN : ROLE_ROW_OUT;
		return in ? ROLE_INSERTION : ROLE_DELETION;
	}
	if (tag == TAG_DEL_TEXT)
		return ROLE_DEL_TEXT;
	if (tag == TAG_DEL_INSTR_TEXT)
		return ROLE_DEL_CODE;
	for (size_t i = 0; space == SPACE_W && i < sizeof former / sizeof *former; i++)
		if (text_is(local, former[i].local))
			return former[i].role;
	return ROLE_NONE;
}

static void count(struct revision_counts *c, enum role role, uint8_t tag)
{
	bool moves = tag == TAG_MOVE_FROM || tag == TAG_MOVE_TO;

	switch (role) {
	case ROLE_INSERTION: *(moves ? &c->moves : &c->insertions) += 1; break;
	case ROLE_DELETION: *(moves ? &c->departures : &c->deletions) += 1; break;
	case ROLE_MARK_IN:
	case ROLE_MARK_OUT: c->paragraphs++; break;
	case ROLE_ROW_IN:
	case ROLE_ROW_OUT:
	case ROLE_CELL_IN:
	case ROLE_CELL_OUT: c->rows++; break;
	case ROLE_FORMER: c->formats++; break;
	case ROLE_NONE:
	case ROLE_CELL:
	case ROLE_RANGE:
	case ROLE_DEL_TEXT:
	case ROLE_DEL_CODE: break;
	}
}

/* The role that counts: none for a change that is not taken, and for what belongs to it. */
static enum role chosen_role(const struct settler *s, uint32_t node)
{
	enum role role = role_of(&s->f, node);
	uint32_t up = node;

	if (!s->which.takes || role == ROLE_NONE)
		return role;
	if (role == ROLE_RANGE)
		return ROLE_NONE;
	if (role != ROLE_DEL_TEXT && role != ROLE_DEL_CODE)
		return s->which.takes(s->which.of, &s->f, node) ? role : ROLE_NONE;
	while (up != XML_NONE && s->f.tags[up] != TAG_DEL && s->f.tags[up] != TAG_MOVE_FROM)
		up = s->f.xml.nodes[up].parent;
	return up == XML_NONE || s->roles[up] == ROLE_NONE ? ROLE_NONE : role;
}

static void survey(struct settler *s, struct revision_counts *counts)
{
	const struct xml *x = &s->f.xml;
	uint32_t elsewhere = 0; /* up to this node */

	s->roles = arena_array(s->arena, x->n + 1, 1);
	s->has = arena_array(s->arena, x->n + 1, sizeof(bool));
	for (uint32_t i = 0; i < x->n; i++) {
		s->roles[i] = (uint8_t)chosen_role(s, i);
		if (i >= elsewhere && (s->f.tags[i] == TAG_TXBX_CONTENT || fragment_is_fallback(&s->f, i)))
			elsewhere = x->nodes[i].after;
		if (s->roles[i] == ROLE_NONE)
			continue;
		if (i < elsewhere)
			counts->elsewhere++;
		else
			count(counts, (enum role)s->roles[i], s->f.tags[i]);
		for (uint32_t up = i; up != XML_NONE && !s->has[up]; up = x->nodes[up].parent)
			s->has[up] = true;
	}
}

static bool goes(const struct settler *s, enum role role)
{
	return role == (s->which.how == SETTLE_ACCEPT ? ROLE_DELETION : ROLE_INSERTION);
}

static bool unwraps(const struct settler *s, enum role role)
{
	return role == (s->which.how == SETTLE_ACCEPT ? ROLE_INSERTION : ROLE_DELETION);
}

/* Do the properties below the node have a mark that removes the paragraph or row? */
static bool is_taken_away(const struct settler *s, uint32_t node, enum role in, enum role out)
{
	const struct xml *x = &s->f.xml;
	enum role wanted = s->which.how == SETTLE_ACCEPT ? out : in;

	if (!s->has[node])
		return false;
	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i)) {
		enum space space;
		if (s->f.tags[i] == TAG_NOT_ELEMENT)
			continue;
		struct text local = fragment_local(&s->f, i, &space);
		bool is_properties = text_is(local, "pPr") || text_is(local, "trPr") || text_is(local, "tcPr");
		for (uint32_t k = i + 1; is_properties && k < x->nodes[i].after; k++) {
			if (s->roles[k] == wanted)
				return true;
			if (s->roles[k] == ROLE_FORMER)
				k = x->nodes[k].after - 1; /* marks inside former properties do not count */
		}
	}
	return false;
}

/* Is the row or cell removed, or all rows or cells of the table or row? */
static bool is_block_out(const struct settler *s, uint32_t node)
{
	const struct xml *x = &s->f.xml;
	uint8_t tag = s->f.tags[node], inner = tag == TAG_TBL ? TAG_TR : TAG_TC;
	bool has_any = false;

	if ((tag != TAG_TBL && tag != TAG_TR && tag != TAG_TC) || !s->has[node])
		return false;
	if (tag == TAG_TC)
		return is_taken_away(s, node, ROLE_CELL_IN, ROLE_CELL_OUT);
	if (tag == TAG_TR && is_taken_away(s, node, ROLE_ROW_IN, ROLE_ROW_OUT))
		return true;
	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i)) {
		if (s->f.tags[i] == inner && !is_block_out(s, i))
			return false;
		has_any |= s->f.tags[i] == inner;
		/* Rows may be in content controls, which are not checked. */
		if (s->f.tags[i] == TAG_SDT)
			return false;
	}
	return has_any;
}

static void write_node(struct settler *s, uint32_t node);

static struct text between(const struct settler *s, uint32_t from, uint32_t to)
{
	return text_slice(s->f.xml.bytes, from, to);
}

static void write_renamed(struct settler *s, uint32_t node, const char *local)
{
	const struct xml_node *n = &s->f.xml.nodes[node];
	const struct names *names = fragment_names(&s->f, node);

	names_open(&s->out, names, local);
	buffer_add(&s->out, between(s, n->name + n->name_len, n->is_empty_tag ? n->to : n->inner_to));
	if (!n->is_empty_tag)
		names_close(&s->out, names, local);
}

/* Writes the old properties: the children of the former element, and those that a former element never contains. */
static void write_former(struct settler *s, uint32_t node, uint32_t change)
{
	const struct xml *x = &s->f.xml;
	const struct xml_node *n = &x->nodes[node];
	uint32_t old = XML_NONE;

	for (uint32_t i = xml_first(x, change); i != XML_NONE && old == XML_NONE; i = xml_next(x, i))
		if (s->f.tags[i] != TAG_NOT_ELEMENT)
			old = i;
	buffer_add(&s->out, between(s, n->from, n->inner));
	/* Tracked paragraph marks come first in rPr. */
	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i))
		if (s->f.tags[i] == TAG_INS || s->f.tags[i] == TAG_DEL || s->f.tags[i] == TAG_MOVE_FROM ||
		    s->f.tags[i] == TAG_MOVE_TO)
			write_node(s, i);
	if (old != XML_NONE && !x->nodes[old].is_empty_tag)
		buffer_add(&s->out, between(s, x->nodes[old].inner, x->nodes[old].inner_to));
	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i))
		if (s->f.tags[node] == TAG_PPR && (s->f.tags[i] == TAG_RPR || s->f.tags[i] == TAG_SECT_PR))
			write_node(s, i);
	buffer_add(&s->out, between(s, n->inner_to, n->to));
}

static uint32_t former_of(const struct settler *s, uint32_t node)
{
	const struct xml *x = &s->f.xml;

	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i))
		if (s->roles[i] == ROLE_FORMER)
			return i;
	return XML_NONE;
}

/* A paragraph's content without its properties. */
static struct text content_of(struct settler *s, uint32_t paragraph)
{
	const struct xml *x = &s->f.xml;
	struct buffer saved = s->out;
	struct text content;

	s->out = (struct buffer){.arena = s->arena};
	for (uint32_t i = xml_first(x, paragraph); i != XML_NONE; i = xml_next(x, i))
		if (s->f.tags[i] != TAG_PPR)
			write_node(s, i);
	content = buffer_text(&s->out);
	s->out = saved;
	return content;
}

/* A paragraph with other content before its own. */
static void write_paragraph(struct settler *s, uint32_t node, struct text before)
{
	const struct xml_node *n = &s->f.xml.nodes[node];
	uint32_t ppr = fragment_child(&s->f, node, TAG_PPR);

	if (!before.len && !s->has[node]) {
		buffer_add(&s->out, between(s, n->from, n->to));
		return;
	}
	buffer_add(&s->out, between(s, n->from, n->is_empty_tag ? n->to - 2 : n->inner));
	buffer_put(&s->out, n->is_empty_tag ? ">" : "");
	if (ppr != XML_NONE)
		write_node(s, ppr);
	buffer_add(&s->out, before);
	buffer_add(&s->out, content_of(s, node));
	names_close(&s->out, fragment_names(&s->f, node), "p");
}

/* Writes the children of a block container. The content of a paragraph whose mark is removed joins the next one. */
static void write_blocks(struct settler *s, uint32_t node)
{
	const struct xml *x = &s->f.xml;
	struct buffer carried = {.arena = s->arena};
	uint32_t waiting = XML_NONE; /* the last paragraph whose mark was removed */
	size_t before = 0;           /* length of `carried` that is not its own */
	bool has_paragraph = false;

	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i)) {
		uint8_t tag = s->f.tags[i];
		if (tag == TAG_P && is_taken_away(s, i, ROLE_MARK_IN, ROLE_MARK_OUT)) {
			before = carried.len;
			buffer_add(&carried, content_of(s, i));
			waiting = i;
			continue;
		}
		if (tag == TAG_P) {
			write_paragraph(s, i, buffer_text(&carried));
			carried.len = 0;
			waiting = XML_NONE;
			has_paragraph = true;
			continue;
		}
		/* A table or the section's end follows, so the carried content has no next paragraph to join. */
		if (waiting != XML_NONE && carried.len && (tag == TAG_TBL || tag == TAG_SECT_PR)) {
			write_paragraph(s, waiting, text_slice(buffer_text(&carried), 0, before));
			carried.len = 0;
			has_paragraph = true;
		}
		write_node(s, i);
	}
	if (waiting != XML_NONE && (carried.len || (!has_paragraph && s->f.tags[node] == TAG_TC)))
		write_paragraph(s, waiting, text_slice(buffer_text(&carried), 0, before));
}

static bool holds_paragraphs(const struct settler *s, uint32_t node)
{
	const struct xml *x = &s->f.xml;

	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i))
		if (s->f.tags[i] == TAG_P)
			return true;
	return false;
}

/* A link or a run that contained only removed content is removed too. */
static bool is_emptied(const struct settler *s, uint32_t node)
{
	const struct xml *x = &s->f.xml;
	bool lost = false;

	if (s->f.tags[node] != TAG_HYPERLINK && s->f.tags[node] != TAG_R && s->f.tags[node] != TAG_SMART_TAG)
		return false;
	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i)) {
		if (s->f.tags[i] == TAG_NOT_ELEMENT || s->f.tags[i] == TAG_RPR)
			continue;
		if (!goes(s, (enum role)s->roles[i]))
			return false;
		lost = true;
	}
	return lost;
}

static void write_inside(struct settler *s, uint32_t node)
{
	const struct xml *x = &s->f.xml;

	if (holds_paragraphs(s, node)) {
		write_blocks(s, node);
		return;
	}
	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i))
		write_node(s, i);
}

static void write_node(struct settler *s, uint32_t node)
{
	const struct xml_node *n = &s->f.xml.nodes[node];
	enum role role = (enum role)s->roles[node];

	if (!s->has[node]) {
		buffer_add(&s->out, between(s, n->from, n->to));
		return;
	}
	if (goes(s, role) || (role >= ROLE_MARK_IN && role <= ROLE_FORMER) || is_emptied(s, node) ||
	    is_block_out(s, node))
		return;
	if (unwraps(s, role)) {
		write_inside(s, node);
		return;
	}
	if (role == ROLE_DEL_TEXT || role == ROLE_DEL_CODE) {
		write_renamed(s, node, role == ROLE_DEL_TEXT ? "t" : "instrText");
		return;
	}
	uint32_t change = s->which.how == SETTLE_REJECT ? former_of(s, node) : XML_NONE;
	if (change != XML_NONE && !n->is_empty_tag) {
		write_former(s, node, change);
		return;
	}
	if (s->f.tags[node] == TAG_P) {
		write_paragraph(s, node, (struct text){0});
		return;
	}
	buffer_add(&s->out, between(s, n->from, n->inner));
	write_inside(s, node);
	buffer_add(&s->out, between(s, n->inner_to, n->to));
}

static const struct names no_names;

static bool open_settler(struct settler *s, struct arena *a, struct text root, const struct names *names)
{
	*s = (struct settler){.arena = a, .out = {.arena = a}};
	return fragment_parse(a, root, names ? names : &no_names, &s->f);
}

bool settle_chosen(struct arena *a, struct text bytes, const struct names *names, const struct settling *which,
		   struct text *out, struct revision_counts *counts)
{
	struct text root = fragment_root(bytes);
	struct settler s;

	if (!open_settler(&s, a, root, names))
		return false;
	s.which = *which;
	*counts = (struct revision_counts){0};
	survey(&s, counts);
	*out = bytes;
	if (!s.has[s.f.xml.root])
		return true;
	size_t from = (size_t)(root.at - bytes.at);
	buffer_add(&s.out, text_slice(bytes, 0, from));
	write_node(&s, s.f.xml.root);
	buffer_add(&s.out, text_slice(bytes, from + root.len, bytes.len));
	*out = buffer_text(&s.out);
	return true;
}

bool settle(struct arena *a, struct text bytes, const struct names *names, enum settlement how, struct text *out,
	    struct revision_counts *counts)
{
	return settle_chosen(a, bytes, names, &(struct settling){.how = how}, out, counts);
}

bool settle_joined(struct arena *a, const struct text *paragraphs, size_t n, const struct names *names,
		   const struct settling *which, struct text *out)
{
	struct buffer content = {.arena = a};
	struct revision_counts counts = {0};

	for (size_t i = 0; i < n; i++) {
		scoped(arena_free) struct arena scratch = {0};
		struct settler s;
		if (!open_settler(&s, &scratch, paragraphs[i], names))
			return false;
		s.which = *which;
		survey(&s, &counts);
		if (i + 1 < n) {
			buffer_add(&content, content_of(&s, s.f.xml.root));
			continue;
		}
		bool goes = is_taken_away(&s, s.f.xml.root, ROLE_MARK_IN, ROLE_MARK_OUT);
		if (!goes || content.len || content_of(&s, s.f.xml.root).len)
			write_paragraph(&s, s.f.xml.root, buffer_text(&content));
		*out = text_copy(a, buffer_text(&s.out));
	}
	return true;
}

bool settle_takes_mark(struct text paragraph, const struct names *names, const struct settling *which)
{
	scoped(arena_free) struct arena scratch = {0};
	struct revision_counts counts = {0};
	struct settler s;

	if (!open_settler(&s, &scratch, paragraph, names))
		return false;
	s.which = *which;
	survey(&s, &counts);
	return is_taken_away(&s, s.f.xml.root, ROLE_MARK_IN, ROLE_MARK_OUT);
}

/* The element of properties with its former properties; absent: it has no former ones to restore. */
static struct text restored(struct settler *s, struct arena *a, uint32_t node)
{
	uint32_t change = s->which.how == SETTLE_REJECT && s->has[node] ? former_of(s, node) : XML_NONE;

	if (change == XML_NONE || s->f.xml.nodes[node].is_empty_tag)
		return (struct text){0};
	s->out = (struct buffer){.arena = a};
	write_former(s, node, change);
	return buffer_text(&s->out);
}

bool settle_structure(struct arena *a, struct text part, const struct settling *which, struct structure_changes *out)
{
	struct text root = fragment_root(part);
	uint32_t base = (uint32_t)(root.at - part.at);
	struct revision_counts counts = {0};
	scoped(arena_free) struct arena scratch = {0};
	struct settler s = {.arena = &scratch, .which = *which};

	if (!fragment_outline(&scratch, root, &no_names, &s.f))
		return false;
	survey(&s, &counts);
	for (uint32_t i = 0, fallback = 0; i < s.f.xml.n; i++) {
		const struct xml_node *n = &s.f.xml.nodes[i];
		enum role role = (enum role)s.roles[i];
		if (i >= fallback && fragment_is_fallback(&s.f, i))
			fallback = n->after;
		bool is_twin = i < fallback;
		if (!s.has[i] || s.f.tags[i] == TAG_P) {
			i = n->after - 1; /* nothing inside, or handled with the paragraph */
			continue;
		}
		bool is_block = goes(&s, role) || is_block_out(&s, i);
		struct text old = is_block ? (struct text){0} : restored(&s, a, i);
		if (old.at || is_block || (role >= ROLE_MARK_IN && role <= ROLE_FORMER)) {
			*ARRAY_PUSH(a, &out->list) = (struct structure_change){
				base + n->from, base + n->to, old.at ? old : TEXT(""), is_block, is_twin};
			i = n->after - 1;
		} else if (unwraps(&s, role) && !n->is_empty_tag) {
			*ARRAY_PUSH(a, &out->list) =
				(struct structure_change){base + n->from, base + n->inner, TEXT(""), false, is_twin};
			*ARRAY_PUSH(a, &out->list) =
				(struct structure_change){base + n->inner_to, base + n->to, TEXT(""), false, is_twin};
		}
	}
	return true;
}

bool revisions_count(struct text bytes, const struct names *names, const struct settling *which,
		     struct revision_counts *counts)
{
	scoped(arena_free) struct arena scratch = {0};
	struct settler s;

	if (!open_settler(&s, &scratch, fragment_root(bytes), names))
		return false;
	if (which)
		s.which = *which;
	*counts = (struct revision_counts){0};
	survey(&s, counts);
	return true;
}

uint32_t revisions_total(const struct revision_counts *c)
{
	return c->insertions + c->deletions + c->moves + c->formats + c->paragraphs + c->rows + c->departures;
}
