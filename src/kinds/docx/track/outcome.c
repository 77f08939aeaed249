#include "kinds/docx/track/outcome.h"
#include "kinds/docx/track/pass.h"

#include <string.h>

/* What an open element is to its content. */
enum frame_kind {
	FRAME_BLOCKS,    /* paragraphs and tables */
	FRAME_PARAGRAPH, /* runs, or elements around runs */
	FRAME_RUN,
	FRAME_TEXT,
	FRAME_OBJECT,    /* a drawing, a field character: anything else in a run */
	FRAME_PROPERTIES /* properties, hashed as a whole when they end */
};

/* The look of the last characters. Text is hashed without its division into runs, with a sign where the look changes.
 */
struct look {
	uint64_t holders, run;
	uint64_t sort; /* text, or the code of a field */
};

/* The paragraph that is open, or that waits for the next one because its mark is removed. */
struct joined {
	struct buffer content;
	struct look look;
	uint64_t properties; /* of the last paragraph */
	uint32_t at;
	bool waits, has_any; /* the container has had a paragraph */
};

struct frame {
	uint8_t kind, tag;
	bool is_open;   /* of blocks: its start is an item already */
	bool is_hidden; /* of blocks: it is no item itself */
	bool has_lost;  /* something in it was removed */
	bool goes;      /* of a paragraph: its mark is removed */
	uint32_t from;
	uint64_t name;       /* hash of name and attributes */
	uint64_t properties; /* of a paragraph, run, table, row or cell */
	uint64_t holders;    /* of a paragraph: hash of the links and controls around its content */
	size_t before;       /* of a holder: length of the content when it began */
	struct joined *joined;
};

struct outcome_reader {
	struct arena *arena; /* scratch, of one call of outcome_add() */
	struct arena *own;   /* of the result */
	uint32_t base;
	struct pass pass;
	struct outcome_rule rule;
	struct outcome *out;
	struct frame frames[FRAGMENT_DEPTH_MAX + 2];
	struct joined joined[FRAGMENT_DEPTH_MAX + 2]; /* of the open element around blocks at each depth */
	unsigned skipped;                             /* depth of the removed element; 0: none */
	unsigned properties;                          /* depth of the outermost element of properties; 0: none */
	bool is_simple;                               /* its bytes are its canonical form */
	bool has_rpr;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t pair[] = {a, b};

	return text_hash((struct text){(const char *)pair, sizeof pair});
}

static void put_item(struct outcome_reader *r, uint64_t hash, uint32_t at)
{
	*ARRAY_PUSH(r->own, &r->out->items) = (struct outcome_item){hash, at + r->base};
}

static bool is_removal(const struct outcome_reader *r, uint8_t tag)
{
	return r->rule.how == SETTLE_ACCEPT ? tag == TAG_DEL || tag == TAG_MOVE_FROM
					    : tag == TAG_INS || tag == TAG_MOVE_TO;
}

static bool is_revision(uint8_t tag)
{
	return tag == TAG_INS || tag == TAG_DEL || tag == TAG_MOVE_FROM || tag == TAG_MOVE_TO;
}

static struct text local_of(struct text name)
{
	const char *colon = memchr(name.at, ':', name.len);

	return colon ? text_slice(name, (size_t)(colon + 1 - name.at), name.len) : name;
}

/* --- names and attributes ----------------------------------------------------------------------------------------- */

static bool counts(const struct outcome_reader *r, const struct xml_scan_attribute *a)
{
	struct text local = local_of(a->name);

	if (text_starts(a->name, "xmlns") || text_starts(local, "rsid") || text_is(local, "paraId") ||
	    text_is(local, "textId"))
		return false;
	return !r->rule.is_loose || (!text_starts(a->name, "r:") && !text_is(local, "id") && !text_is(local, "relid"));
}

/* Adds the name and the attributes of the current start tag. */
static void add_tag(struct outcome_reader *r, struct buffer *to)
{
	const struct xml_scan *s = &r->pass.scan;

	buffer_byte(to, '<');
	buffer_add(to, s->name);
	for (uint32_t i = 0; i < s->n; i++) {
		if (!counts(r, &s->attributes[i]))
			continue;
		buffer_byte(to, ' ');
		buffer_add(to, s->attributes[i].name);
		buffer_byte(to, '=');
		buffer_add(to, s->attributes[i].value);
	}
	buffer_byte(to, '>');
}

static uint64_t tag_hash(struct outcome_reader *r)
{
	scoped(buffer_free) struct buffer b = {0};

	add_tag(r, &b);
	return text_hash(buffer_text(&b));
}

/* --- properties --------------------------------------------------------------------------------------------------- */

static bool is_header_or_footer(struct text local)
{
	return text_is(local, "headerReference") || text_is(local, "footerReference");
}

/* The element with the former properties in an element of properties, if changes are rejected; XML_NONE: none. */
static uint32_t former_of(const struct outcome_reader *r, const struct fragment *f, uint32_t node)
{
	enum space space;

	for (uint32_t i = xml_first(&f->xml, node); r->rule.how == SETTLE_REJECT && i != XML_NONE;
	     i = xml_next(&f->xml, i)) {
		if (f->tags[i] == TAG_NOT_ELEMENT || !text_ends(fragment_local(f, i, &space), "Change"))
			continue;
		for (uint32_t k = xml_first(&f->xml, i); k != XML_NONE; k = xml_next(&f->xml, k))
			if (f->tags[k] != TAG_NOT_ELEMENT)
				return k;
	}
	return XML_NONE;
}

static void add_children(struct outcome_reader *r, struct buffer *to, const struct fragment *f, uint32_t node);

/* The page setup; the references to headers come first. */
static void add_section(struct outcome_reader *r, struct buffer *to, const struct fragment *f, uint32_t node)
{
	enum space space;

	for (uint32_t i = xml_first(&f->xml, node); i != XML_NONE && !r->rule.is_loose; i = xml_next(&f->xml, i))
		if (f->tags[i] != TAG_NOT_ELEMENT && is_header_or_footer(fragment_local(f, i, &space)))
			buffer_add(to, fragment_bytes(f, i));
	add_children(r, to, f, node);
}

static void add_children(struct outcome_reader *r, struct buffer *to, const struct fragment *f, uint32_t node)
{
	uint32_t former = former_of(r, f, node);
	enum space space;

	node = former == XML_NONE ? node : former;
	for (uint32_t i = xml_first(&f->xml, node); i != XML_NONE; i = xml_next(&f->xml, i)) {
		if (f->tags[i] == TAG_NOT_ELEMENT || is_revision(f->tags[i]) || f->tags[i] == TAG_RPR ||
		    f->tags[i] == TAG_SECT_PR)
			continue;
		struct text local = fragment_local(f, i, &space);
		if (!text_ends(local, "Change") && !is_header_or_footer(local) && !text_is(local, "printerSettings"))
			buffer_add(to, fragment_bytes(f, i));
	}
}

/* The canonical form: the children without tracked changes, then the look of the paragraph mark, then the section. */
static void add_properties(struct outcome_reader *r, struct buffer *to, struct text element)
{
	struct fragment f;

	if (!fragment_parse(r->arena, element, r->pass.names[r->properties - 1], &f))
		return; /* not well-formed: the pass reports it */
	uint32_t root = f.xml.root;
	if (f.tags[root] == TAG_SECT_PR) {
		add_section(r, to, &f, root);
		return;
	}
	add_children(r, to, &f, root);
	uint32_t rpr = fragment_child(&f, root, TAG_RPR), section = fragment_child(&f, root, TAG_SECT_PR);
	if (rpr != XML_NONE) {
		struct buffer look = {.arena = r->arena};
		add_children(r, &look, &f, rpr);
		const struct xml_node *n = &f.xml.nodes[rpr];
		if (look.len)
			buffer_format(
				to, "<%.*s>%s</%.*s>", TEXT_ARGS(text_slice(element, n->name, n->name + n->name_len)),
				buffer_text(&look).at, TEXT_ARGS(text_slice(element, n->name, n->name + n->name_len)));
	}
	if (section == XML_NONE)
		return;
	struct buffer setup = {.arena = r->arena};
	add_section(r, &setup, &f, section);
	if (r->rule.is_loose) {
		r->out->quiet = mix(r->out->quiet, text_hash(buffer_text(&setup)));
	} else {
		buffer_put(to, "<section>");
		buffer_add(to, buffer_text(&setup));
	}
}

/* Does the element of properties say that its paragraph, row or cell goes? */
static bool says_goes(const struct outcome_reader *r, struct text element)
{
	const char *cell = r->rule.how == SETTLE_ACCEPT ? "cellDel" : "cellIns";
	struct fragment f;
	enum space space;

	if (!fragment_parse(r->arena, element, r->pass.names[r->properties - 1], &f))
		return false;
	uint32_t parent = f.tags[f.xml.root] == TAG_PPR ? fragment_child(&f, f.xml.root, TAG_RPR) : f.xml.root;
	for (uint32_t i = parent == XML_NONE ? XML_NONE : xml_first(&f.xml, parent); i != XML_NONE;
	     i = xml_next(&f.xml, i))
		if (f.tags[i] != TAG_NOT_ELEMENT &&
		    (is_removal(r, f.tags[i]) || text_is(fragment_local(&f, i, &space), cell)))
			return true;
	return false;
}

static bool has_properties(const struct frame *parent, struct text local)
{
	if (parent->kind == FRAME_RUN || parent->kind == FRAME_PARAGRAPH)
		return text_is(local, parent->kind == FRAME_RUN ? "rPr" : "pPr") || text_is(local, "sdtPr") ||
		       text_is(local, "sdtEndPr");
	return parent->kind == FRAME_BLOCKS &&
	       (text_starts(local, "tblPr") || text_is(local, "tblGrid") || text_is(local, "trPr") ||
		text_is(local, "tcPr") || text_is(local, "sectPr") || text_starts(local, "sdtPr") ||
		text_is(local, "sdtEndPr") || text_is(local, "customXmlPr"));
}

/* A tag inside properties: are their bytes still their canonical form? */
static void look_inside(struct outcome_reader *r)
{
	const struct xml_scan *s = &r->pass.scan;
	uint8_t tag = pass_tag(&r->pass);
	struct text local = s->token == XML_SCAN_OPEN ? local_of(s->name) : TEXT("");

	if (s->token == XML_SCAN_CLOSE)
		return;
	bool is_child = s->depth == r->properties + 1, is_rpr = tag == TAG_RPR;
	r->is_simple &= s->token == XML_SCAN_OPEN && !is_revision(tag) && tag != TAG_SECT_PR &&
			!text_ends(local, "Change") && !text_starts(local, "cell") && !(is_child && r->has_rpr) &&
			!(is_rpr && s->is_empty);
	r->has_rpr |= is_child && is_rpr;
}

static void end_properties(struct outcome_reader *r)
{
	const struct xml_scan *s = &r->pass.scan;
	struct frame *own = &r->frames[s->depth], *parent = own - 1;
	struct text element = text_slice(s->bytes, own->from, s->to);
	scoped(buffer_free) struct buffer canonical = {0};
	uint64_t hash = 0;

	if (r->is_simple) {
		const char *inner = memchr(element.at, '>', element.len);
		size_t from = inner ? (size_t)(inner + 1 - element.at) : 0, to = element.len;
		while (to > from && element.at[to - 1] != '<')
			to--;
		to = to > from ? to - 1 : from;
		hash = to > from ? text_hash(text_slice(element, from, to)) : 0;
	} else {
		add_properties(r, &canonical, element);
		hash = canonical.len ? text_hash(buffer_text(&canonical)) : 0;
		if (own->tag == TAG_PPR)
			parent->goes = says_goes(r, element);
		else if (parent->tag == TAG_TR || parent->tag == TAG_TC)
			r->skipped = says_goes(r, element) ? s->depth - 1 : 0;
		if (r->skipped)
			(parent - 1)->has_lost = true;
	}
	r->properties = 0;
	if (own->tag == TAG_SECT_PR || (own->tag == TAG_SDT_PR && parent->kind == FRAME_BLOCKS && r->rule.is_loose)) {
		/* The end of the last section, or properties that cannot be tracked. */
		if (r->rule.is_loose)
			r->out->quiet = mix(r->out->quiet, hash);
		else
			put_item(r, mix(hash, 'S'), own->from);
	} else if (parent->kind == FRAME_PARAGRAPH && own->tag != TAG_PPR) {
		parent->holders = mix(parent->holders, hash); /* of a content control */
	} else if (parent->kind == FRAME_BLOCKS) {
		/* Absent properties and empty ones are the same. */
		parent->properties =
			hash ? mix(parent->properties, mix(hash, text_hash(local_of(s->name)))) : parent->properties;
	} else {
		parent->properties = hash;
	}
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

/* Makes the starts of the element and of those around it items, now that it has content. */
static void finish_item_start(struct outcome_reader *r, unsigned depth)
{
	for (unsigned d = 1; d <= depth; d++) {
		struct frame *f = &r->frames[d];
		if (f->kind != FRAME_BLOCKS || f->is_open)
			continue;
		f->is_open = true;
		if (!f->is_hidden)
			put_item(r, mix(f->name, f->properties), f->from);
	}
}

static void end_paragraph(struct outcome_reader *r, struct joined *j, unsigned container)
{
	finish_item_start(r, container);
	put_item(r, mix(mix(text_hash(buffer_text(&j->content)), j->properties), 'P'), j->at);
	j->content.len = 0;
	j->look = (struct look){0};
	j->waits = false;
	j->has_any = true;
}

/* What waits has no next paragraph to join. */
static void end_waiting(struct outcome_reader *r, unsigned container, bool is_required)
{
	struct frame *f = &r->frames[container];

	if (f->joined && f->joined->waits && (f->joined->content.len || is_required))
		end_paragraph(r, f->joined, container);
}

static void end_blocks(struct outcome_reader *r)
{
	unsigned depth = r->pass.scan.depth;
	struct frame *f = &r->frames[depth];

	end_waiting(r, depth, f->tag == TAG_TC && !f->joined->has_any);
	if (!f->is_open && f->has_lost) {
		f[-1].has_lost = true; /* nothing of it is left */
	} else {
		finish_item_start(r, depth);
		if (!f->is_hidden)
			put_item(r, mix(f->name, 'E'), f->from);
	}
}

static bool is_hidden(const struct outcome_reader *r, const struct frame *parent, uint8_t tag)
{
	if (tag == TAG_SDT_CONTENT || is_revision(tag))
		return true;
	/* A comparison looks through what is around rows and cells. */
	return r->rule.is_loose && (tag == TAG_SDT || tag == TAG_CUSTOM_XML) &&
	       (parent->tag == TAG_TBL || parent->tag == TAG_TR ||
		(parent->is_hidden && (parent[-1].tag == TAG_TBL || parent[-1].tag == TAG_TR)));
}

static void begin_blocks(struct outcome_reader *r, const struct frame *parent)
{
	const struct xml_scan *s = &r->pass.scan;
	struct frame *f = &r->frames[s->depth];
	bool is_table = f->tag == TAG_TBL || f->tag == TAG_TR || f->tag == TAG_TC;

	f->kind = FRAME_BLOCKS;
	f->is_hidden = is_hidden(r, parent, f->tag);
	f->name = is_table ? f->tag : f->is_hidden ? 0 : tag_hash(r);
	f->joined = &r->joined[s->depth];
	*f->joined = (struct joined){.content = f->joined->content};
	f->joined->content.arena = r->own;
	f->joined->content.len = 0;
	if (f->tag == TAG_TBL)
		end_waiting(r, s->depth - 1, false);
}

/* --- paragraphs --------------------------------------------------------------------------------------------------- */

/* The container of the paragraph that is open at this depth. */
static unsigned container_of(const struct outcome_reader *r, unsigned depth)
{
	while (depth && r->frames[depth].kind != FRAME_BLOCKS)
		depth--;
	return depth;
}

/* Writes the sign of a look that differs from the last one, and returns the content to write to. */
static struct buffer *content_at(struct outcome_reader *r, unsigned depth, struct look look)
{
	struct joined *j = r->frames[container_of(r, depth)].joined;

	if (memcmp(&look, &j->look, sizeof look)) {
		buffer_byte(&j->content, 1);
		buffer_add(&j->content, (struct text){(const char *)&look, sizeof look});
		j->look = look;
	}
	return &j->content;
}

static struct look look_of(const struct outcome_reader *r, unsigned depth, uint64_t sort)
{
	const struct frame *f = &r->frames[depth];
	uint64_t run = 0;

	for (; f->kind != FRAME_PARAGRAPH; f--)
		if (f->kind == FRAME_RUN)
			run = f->properties;
	return (struct look){f->holders, run, sort};
}

static void close_paragraph(struct outcome_reader *r)
{
	unsigned depth = r->pass.scan.depth, container = container_of(r, depth - 1);
	struct frame *f = &r->frames[depth];
	struct joined *j = r->frames[container].joined;

	j->properties = f->properties;
	j->at = f->from;
	j->waits = true;
	if (!f->goes)
		end_paragraph(r, j, container);
	else if (!j->content.len)
		r->frames[container].has_lost = true;
}

/* The end of an element around runs. */
static void close_holder(struct outcome_reader *r)
{
	unsigned depth = r->pass.scan.depth;
	struct frame *f = &r->frames[depth];

	if (is_revision(f->tag)) {
		f[-1].has_lost |= f->has_lost;
		return;
	}
	if (r->frames[container_of(r, depth)].joined->content.len > f->before)
		return;
	if (f->has_lost)
		f[-1].has_lost = true;
	else if (f->tag != TAG_SDT_CONTENT)
		buffer_byte(content_at(r, depth, (struct look){f->holders, 0, 'H'}), 2);
}

static bool is_mark(uint8_t tag)
{
	return tag == TAG_BOOKMARK_START || tag == TAG_BOOKMARK_END || tag == TAG_COMMENT_START ||
	       tag == TAG_COMMENT_END || tag == TAG_RANGE_MARK || tag == TAG_PROOF_ERR || tag == TAG_LAST_PAGE_BREAK;
}

/* Comments are not tracked: a new one is in the redline even if all changes are rejected. */
static bool counts_as_mark(const struct outcome_reader *r, uint8_t tag)
{
	return r->rule.has_bookmarks && (tag == TAG_BOOKMARK_START || tag == TAG_BOOKMARK_END);
}

static bool is_object(uint8_t tag)
{
	return tag == TAG_DRAWING || tag == TAG_OBJECT || tag == TAG_PICT || tag == TAG_ALTERNATE_CONTENT ||
	       tag == TAG_FOOTNOTE_REFERENCE || tag == TAG_ENDNOTE_REFERENCE || tag == TAG_COMMENT_REFERENCE;
}

static void begin_holder(struct outcome_reader *r, const struct frame *parent)
{
	unsigned depth = r->pass.scan.depth;
	struct frame *f = &r->frames[depth];

	f->kind = FRAME_PARAGRAPH;
	f->holders = parent->holders;
	f->before = r->frames[container_of(r, depth)].joined->content.len;
	if (!is_revision(f->tag) && f->tag != TAG_SDT_CONTENT && !(r->rule.without_objects && f->tag == TAG_HYPERLINK))
		f->holders = mix(parent->holders, tag_hash(r));
}

/* An element in a run. */
static void begin_in_run(struct outcome_reader *r)
{
	unsigned depth = r->pass.scan.depth;
	struct frame *f = &r->frames[depth];

	if (f->tag == TAG_T || f->tag == TAG_DEL_TEXT || f->tag == TAG_INSTR_TEXT || f->tag == TAG_DEL_INSTR_TEXT) {
		f->kind = FRAME_TEXT;
		f->name = f->tag == TAG_T || f->tag == TAG_DEL_TEXT ? 't' : 'c';
		return;
	}
	f->kind = FRAME_OBJECT;
	add_tag(r, content_at(r, depth, look_of(r, depth, 'o')));
}

/* --- the pass ----------------------------------------------------------------------------------------------------- */

static void open_tag(struct outcome_reader *r)
{
	const struct xml_scan *s = &r->pass.scan;
	struct frame *f = &r->frames[s->depth];
	const struct frame *parent = f - 1;
	uint8_t tag = pass_tag(&r->pass);

	if (r->properties) {
		look_inside(r);
		return;
	}
	*f = (struct frame){.tag = tag, .from = s->from};
	if (has_properties(parent, local_of(s->name))) {
		f->kind = FRAME_PROPERTIES;
		r->properties = s->depth;
		r->is_simple = tag != TAG_SECT_PR;
		r->has_rpr = false;
		if (tag == TAG_SECT_PR)
			end_waiting(r, s->depth - 1, false);
	} else if (is_removal(r, tag) ||
		   (is_mark(tag) && !(counts_as_mark(r, tag) && parent->kind == FRAME_PARAGRAPH)) ||
		   (r->rule.without_objects && is_object(tag)) ||
		   (tag == TAG_COMMENT_REFERENCE && r->rule.how == SETTLE_REJECT)) {
		r->skipped = s->depth;
		r->frames[s->depth - 1].has_lost |= is_removal(r, tag);
	} else if (parent->kind == FRAME_BLOCKS && tag != TAG_P) {
		begin_blocks(r, parent);
	} else if (parent->kind == FRAME_BLOCKS) {
		f->kind = FRAME_PARAGRAPH;
	} else if (parent->kind == FRAME_PARAGRAPH && tag == TAG_R) {
		f->kind = FRAME_RUN;
	} else if (parent->kind == FRAME_PARAGRAPH && is_mark(tag)) {
		f->kind = FRAME_OBJECT;
		add_tag(r, &r->frames[container_of(r, s->depth - 1)].joined->content);
	} else if (parent->kind == FRAME_PARAGRAPH) {
		begin_holder(r, parent);
	} else if (tag == TAG_TXBX_CONTENT) {
		begin_blocks(r, parent);
	} else {
		begin_in_run(r);
	}
}

static void close_tag(struct outcome_reader *r)
{
	unsigned depth = r->pass.scan.depth;
	struct frame *f = &r->frames[depth];

	if (r->properties) {
		if (r->properties == depth)
			end_properties(r);
		return;
	}
	switch ((enum frame_kind)f->kind) {
	case FRAME_BLOCKS: end_blocks(r); break;
	case FRAME_PARAGRAPH: f->tag == TAG_P ? close_paragraph(r) : close_holder(r); break;
	case FRAME_OBJECT:
		if (!is_mark(f->tag))
			buffer_byte(content_at(r, depth, look_of(r, depth - 1, 'o')), 3);
		break;
	case FRAME_RUN: f[-1].has_lost |= f->has_lost; break;
	case FRAME_TEXT:
	case FRAME_PROPERTIES: break;
	}
}

static void text_token(struct outcome_reader *r)
{
	const struct xml_scan *s = &r->pass.scan;
	const struct frame *f = &r->frames[s->depth];
	struct text t = text_slice(s->bytes, s->from, s->to);

	if (r->properties) {
		look_inside(r);
		return;
	}
	if (f->kind == FRAME_BLOCKS || f->kind == FRAME_RUN)
		return;
	if (f->kind != FRAME_TEXT && text_trim(t).len == 0)
		return;
	struct buffer *to = content_at(r, s->depth, look_of(r, s->depth, f->kind == FRAME_TEXT ? f->name : 'o'));
	buffer_add(to, s->is_plain ? t : xml_value(r->arena, t, false));
}

struct outcome_reader *outcome_open(struct arena *a, struct outcome_rule rule, struct outcome *out)
{
	struct outcome_reader *r = arena_new(a, struct outcome_reader);

	*out = (struct outcome){.quiet = 0};
	r->own = a;
	r->rule = rule;
	r->out = out;
	r->frames[1] =
		(struct frame){.kind = FRAME_BLOCKS, .is_open = true, .is_hidden = true, .joined = &r->joined[1]};
	r->joined[1].content.arena = a;
	return r;
}

bool outcome_add(struct outcome_reader *r, struct text element, const struct names *names, uint32_t base)
{
	scoped(arena_free) struct arena scratch = {0};
	struct xml_scan *s = &r->pass.scan;

	r->arena = &scratch;
	r->base = base;
	pass_begin(&r->pass, &scratch, element, names);
	while (pass_next(&r->pass)) {
		if (r->skipped) {
			if (s->token == XML_SCAN_CLOSE && s->depth == r->skipped)
				r->skipped = 0;
		} else if (s->depth <= 1 && s->token != XML_SCAN_TEXT) {
			continue;
		} else if (s->token == XML_SCAN_OPEN) {
			open_tag(r);
		} else if (s->token == XML_SCAN_CLOSE) {
			close_tag(r);
		} else if (s->token == XML_SCAN_TEXT && s->depth > 1) {
			text_token(r);
		} else if (r->properties) {
			look_inside(r);
		}
	}
	return !s->is_bad;
}

bool outcome_waits(const struct outcome_reader *r) { return r->joined[1].waits; }

void outcome_close(struct outcome_reader *r) { end_waiting(r, 1, false); }
