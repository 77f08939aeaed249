#include "kinds/docx/text/atoms.h"

#include "base/array.h"
#include "base/utf8.h"

#include <string.h>

struct reader {
	struct arena *arena;
	struct atoms *out;
	const struct fragment *f;
	const struct atom_styles *styles;
	struct buffer text, hidden;
	ARRAY(struct atom) atoms;
	ARRAY(struct atom_run) runs;
	ARRAY(struct container) containers;
	ARRAY(struct field_span) fields;
	struct buffer code; /* code of the innermost field whose code part is open */
	uint32_t len;       /* code points so far */
	uint32_t run, container, field;
};

/* Is an open field in its code part? Text there is not visible. */
static bool in_code(const struct reader *r)
{
	for (uint32_t i = r->field; i != ATOMS_NONE; i = r->fields.items[i].parent)
		if (!r->fields.items[i].in_result)
			return true;
	return false;
}

static struct atom *add_atom(struct reader *r, enum atom_kind kind, uint32_t node)
{
	struct atom *atom = ARRAY_PUSH(r->arena, &r->atoms);

	*atom = (struct atom){.kind = (uint8_t)kind,
			      .at = r->len,
			      .byte = (uint32_t)r->text.len,
			      .node = node,
			      .run = r->run,
			      .container = r->container,
			      .field = r->field};
	return atom;
}

static void add_visible(struct reader *r, enum atom_kind kind, uint32_t node, struct text t)
{
	bool is_hidden = r->run != ATOMS_NONE && r->runs.items[r->run].is_hidden;

	if (in_code(r)) {
		add_atom(r, ATOM_CODE, node);
		return;
	}
	struct atom *atom = add_atom(r, is_hidden ? ATOM_HIDDEN : kind, node);
	atom->bytes = (uint32_t)t.len;
	if (is_hidden) {
		atom->byte = (uint32_t)r->hidden.len;
		buffer_add(&r->hidden, t);
		return;
	}
	atom->len = (uint32_t)utf8_count(t);
	r->len += atom->len;
	buffer_add(&r->text, t);
}

/* All character data of an element. Most have one text node, whose bytes are not copied. */
static struct text element_text(struct reader *r, uint32_t node)
{
	const struct xml_node *nodes = r->f->xml.nodes;
	struct text only = TEXT("");
	struct buffer joined = {.arena = r->arena};
	unsigned n = 0;

	for (uint32_t i = node + 1; i < nodes[node].after; i = nodes[i].after) {
		if (nodes[i].type != XML_TEXT)
			continue;
		struct text t = text_slice(r->f->xml.bytes, nodes[i].from, nodes[i].to);
		if (memchr(t.at, '&', t.len) || memchr(t.at, '<', t.len) || memchr(t.at, '\r', t.len))
			t = xml_decoded(r->arena, &r->f->xml, i);
		if (n == 1)
			buffer_add(&joined, only);
		if (n++)
			buffer_add(&joined, t);
		only = t;
	}
	return n > 1 ? buffer_text(&joined) : only;
}

static uint32_t open_field(struct reader *r, uint32_t begin, bool is_simple)
{
	*ARRAY_PUSH(r->arena, &r->fields) = (struct field_span){.begin = begin,
								.separate = XML_NONE,
								.end = XML_NONE,
								.parent = r->field,
								.code = TEXT(""),
								.at = r->len,
								.to = r->len,
								.is_simple = is_simple,
								.in_result = is_simple};
	return r->field = (uint32_t)r->fields.n - 1;
}

static void close_field(struct reader *r, uint32_t end)
{
	struct field_span *field = &r->fields.items[r->field];

	field->end = end;
	field->to = r->len;
	if (!field->in_result)
		field->at = r->len;
	r->field = field->parent;
}

static void end_code(struct reader *r)
{
	struct field_span *field = &r->fields.items[r->field];

	if (!field->code.len)
		field->code = text_trim(text_copy(r->arena, buffer_text(&r->code)));
	r->code.len = 0;
}

static void field_mark(struct reader *r, uint32_t node)
{
	struct text type = fragment_attribute(r->arena, r->f, node, SPACE_W, "fldCharType");

	if (text_is(type, "begin")) {
		/* The code of the outer field so far. Marks of an inner field do not belong to it. */
		if (r->field != ATOMS_NONE && !r->fields.items[r->field].in_result)
			end_code(r);
		r->code.len = 0;
		open_field(r, node, false);
		add_atom(r, ATOM_CODE, node);
		return;
	}
	add_atom(r, ATOM_CODE, node);
	/* A field of fldSimple ends with its element, so a stray mark inside cannot end it. */
	if (r->field == ATOMS_NONE || r->fields.items[r->field].is_simple)
		return;
	struct field_span *field = &r->fields.items[r->field];
	if (!field->in_result)
		end_code(r);
	if (text_is(type, "separate") && !field->in_result) {
		field->separate = node;
		field->in_result = true;
		field->at = r->len;
	} else if (text_is(type, "end")) {
		close_field(r, node);
	}
}

static void sym(struct reader *r, uint32_t node)
{
	char bytes[4];
	uint32_t c = symbol_character(fragment_attribute(r->arena, r->f, node, SPACE_W, "font"),
				      fragment_attribute(r->arena, r->f, node, SPACE_W, "char"));

	add_visible(r, ATOM_SYMBOL, node, (struct text){bytes, utf8_put(bytes, c)});
}

static void br(struct reader *r, uint32_t node)
{
	struct text type = fragment_attribute(r->arena, r->f, node, SPACE_W, "type");

	if (type.at && !text_is(type, "textWrapping"))
		add_atom(r, ATOM_OBJECT, node);
	else
		add_visible(r, ATOM_BREAK, node, TEXT("\n"));
}

static void run_child(struct reader *r, uint32_t node)
{
	switch (r->f->tags[node]) {
	case TAG_NOT_ELEMENT:
	case TAG_RPR: break;
	case TAG_T: add_visible(r, ATOM_TEXT, node, element_text(r, node)); break;
	case TAG_TAB:
	case TAG_PTAB: add_visible(r, ATOM_TAB, node, TEXT("\t")); break;
	case TAG_BR: br(r, node); break;
	case TAG_CR: add_visible(r, ATOM_BREAK, node, TEXT("\n")); break;
	case TAG_NO_BREAK_HYPHEN: add_visible(r, ATOM_HYPHEN, node, TEXT("\xE2\x80\x91")); break;
	case TAG_SOFT_HYPHEN: add_atom(r, ATOM_SOFT, node); break;
	case TAG_SYM: sym(r, node); break;
	case TAG_FLD_CHAR: field_mark(r, node); break;
	case TAG_INSTR_TEXT:
		add_atom(r, ATOM_CODE, node);
		if (r->field != ATOMS_NONE && !r->fields.items[r->field].in_result)
			buffer_add(&r->code, element_text(r, node));
		break;
	case TAG_DEL_TEXT:
	case TAG_DEL_INSTR_TEXT: add_atom(r, ATOM_GONE, node); break;
	case TAG_LAST_PAGE_BREAK:
	case TAG_PROOF_ERR: add_atom(r, ATOM_LAID, node); break;
	default: add_atom(r, ATOM_OBJECT, node); break;
	}
}

static bool run_is_hidden(struct reader *r, uint32_t rpr)
{
	uint32_t vanish = rpr == XML_NONE ? XML_NONE : fragment_child(r->f, rpr, TAG_VANISH);
	if (vanish != XML_NONE)
		return fragment_is_on(r->arena, r->f, vanish);
	if (!r->styles || !r->styles->is_hidden)
		return false;
	uint32_t style = rpr == XML_NONE ? XML_NONE : fragment_child(r->f, rpr, TAG_R_STYLE);
	struct text none = {0};
	return r->styles->is_hidden(
		r->styles, style == XML_NONE ? none : fragment_attribute(r->arena, r->f, style, SPACE_W, "val"));
}

static void read_run(struct reader *r, uint32_t node)
{
	const struct xml_node *nodes = r->f->xml.nodes;
	uint32_t rpr = fragment_child(r->f, node, TAG_RPR);
	uint32_t index = (uint32_t)r->runs.n;

	*ARRAY_PUSH(r->arena, &r->runs) = (struct atom_run){.node = node,
							    .rpr = rpr,
							    .container = r->container,
							    .field = r->field,
							    .atom = (uint32_t)r->atoms.n,
							    .is_hidden = run_is_hidden(r, rpr)};
	r->run = index;
	for (uint32_t i = node + 1; i < nodes[node].after; i = nodes[i].after)
		run_child(r, i);
	r->run = ATOMS_NONE;
	r->runs.items[index].n = (uint32_t)r->atoms.n - r->runs.items[index].atom;
}

static void read_children(struct reader *r, uint32_t node);

static void enter(struct reader *r, uint32_t node, uint32_t content)
{
	uint32_t outer = r->container;
	struct container entry = {.node = node, .tag = r->f->tags[node], .parent = outer};

	if (entry.tag == TAG_SDT) {
		uint32_t pr = fragment_child(r->f, node, TAG_SDT_PR);
		uint32_t lock = pr == XML_NONE ? XML_NONE : fragment_child(r->f, pr, TAG_LOCK);
		struct text val =
			lock == XML_NONE ? TEXT("") : fragment_attribute(r->arena, r->f, lock, SPACE_W, "val");
		entry.is_locked = text_is(val, "contentLocked") || text_is(val, "sdtContentLocked");
		entry.is_bound = pr != XML_NONE && fragment_child(r->f, pr, TAG_DATA_BINDING) != XML_NONE;
	}
	*ARRAY_PUSH(r->arena, &r->containers) = entry;
	r->container = (uint32_t)r->containers.n - 1;
	if (content != XML_NONE)
		read_children(r, content);
	r->container = outer;
}

static void read_simple_field(struct reader *r, uint32_t node)
{
	struct text code = fragment_attribute(r->arena, r->f, node, SPACE_W, "instr");
	uint32_t field = open_field(r, node, true);

	r->fields.items[field].code = code.at ? text_trim(code) : TEXT("");
	enter(r, node, node);
	/* A complex field that begins inside and does not end there ends here. */
	while (r->field != field && r->field != ATOMS_NONE)
		close_field(r, XML_NONE);
	close_field(r, XML_NONE);
}

/* The field marks below a deletion still open and close fields. */
static void read_gone(struct reader *r, uint32_t node)
{
	const struct xml_node *nodes = r->f->xml.nodes;

	add_atom(r, ATOM_GONE, node);
	for (uint32_t i = node + 1; i < nodes[node].after; i++) {
		if (r->f->tags[i] == TAG_FLD_CHAR) {
			field_mark(r, i);
			r->atoms.n--; /* the whole deletion is one atom */
		} else if (r->f->tags[i] >= TAG_DRAWING && r->f->tags[i] <= TAG_ALTERNATE_CONTENT) {
			i = nodes[i].after - 1;
		}
	}
}

static void read_child(struct reader *r, uint32_t node)
{
	switch (r->f->tags[node]) {
	case TAG_NOT_ELEMENT:
	case TAG_PPR: break;
	case TAG_R: read_run(r, node); break;
	case TAG_INS:
	case TAG_MOVE_TO:
	case TAG_HYPERLINK:
	case TAG_SMART_TAG:
	case TAG_CUSTOM_XML:
	case TAG_BDO:
	case TAG_DIR: enter(r, node, node); break;
	case TAG_SDT: enter(r, node, fragment_child(r->f, node, TAG_SDT_CONTENT)); break;
	case TAG_FLD_SIMPLE: read_simple_field(r, node); break;
	case TAG_DEL:
	case TAG_MOVE_FROM: read_gone(r, node); break;
	case TAG_BOOKMARK_START:
	case TAG_BOOKMARK_END:
	case TAG_COMMENT_START:
	case TAG_COMMENT_END:
	case TAG_RANGE_MARK: add_atom(r, ATOM_MARK, node); break;
	case TAG_PROOF_ERR: add_atom(r, ATOM_LAID, node); break;
	default:
		/* Properties of the containers themselves (smartTagPr, customXmlPr) are not content. */
		if (r->f->tags[node] != TAG_OTHER || !text_ends(fragment_local(r->f, node, NULL), "Pr"))
			add_atom(r, ATOM_OBJECT, node);
		break;
	}
}

static void read_children(struct reader *r, uint32_t node)
{
	const struct xml_node *nodes = r->f->xml.nodes;

	for (uint32_t i = node + 1; i < nodes[node].after; i = nodes[i].after)
		read_child(r, i);
}

static void read_properties(struct reader *r)
{
	struct atoms *out = r->out;
	const struct fragment *f = r->f;

	out->ppr = fragment_child(f, 0, TAG_PPR);
	if (out->ppr == XML_NONE)
		return;
	out->has_section = fragment_child(f, out->ppr, TAG_SECT_PR) != XML_NONE;
	uint32_t mark = fragment_child(f, out->ppr, TAG_RPR);
	if (mark == XML_NONE)
		return;
	out->mark_is_deleted =
		fragment_child(f, mark, TAG_DEL) != XML_NONE || fragment_child(f, mark, TAG_MOVE_FROM) != XML_NONE;
	out->mark_is_inserted =
		fragment_child(f, mark, TAG_INS) != XML_NONE || fragment_child(f, mark, TAG_MOVE_TO) != XML_NONE;
}

static struct field_state state_after(const struct reader *r)
{
	struct field_state s = {0};

	/* From the innermost outwards, so that the innermost is in the highest bit. Documents do not nest deeper than
	 * 64. */
	for (uint32_t i = r->field; i != ATOMS_NONE && s.depth < 64; i = r->fields.items[i].parent, s.depth++)
		s.in_result = s.in_result << 1 | r->fields.items[i].in_result;
	return s;
}

bool atoms_read(struct arena *a, struct text fragment, const struct names *names, struct field_state before,
		const struct atom_styles *styles, struct atoms *out)
{
	*out = (struct atoms){.ppr = XML_NONE, .fields_before = before, .styles = styles};
	if (!fragment_parse(a, fragment, names, &out->fragment))
		return false;
	struct reader r = {.arena = a,
			   .out = out,
			   .f = &out->fragment,
			   .styles = styles,
			   .text = {.arena = a},
			   .hidden = {.arena = a},
			   .code = {.arena = a},
			   .run = ATOMS_NONE,
			   .container = ATOMS_NONE,
			   .field = ATOMS_NONE};
	for (uint32_t i = 0; i < before.depth && i < 64; i++) {
		open_field(&r, XML_NONE, false);
		r.fields.items[i].in_result = before.in_result >> i & 1;
	}
	read_properties(&r);
	read_children(&r, 0);
	for (uint32_t i = r.field; i != ATOMS_NONE; i = r.fields.items[i].parent)
		r.fields.items[i].to = r.len;
	if (r.field != ATOMS_NONE && !r.fields.items[r.field].in_result)
		end_code(&r);
	out->text = buffer_text(&r.text);
	out->len = r.len;
	out->hidden = r.hidden.len ? buffer_text(&r.hidden) : (struct text){0};
	out->atoms = r.atoms.items;
	out->n = (uint32_t)r.atoms.n;
	out->runs = r.runs.items;
	out->runs_n = (uint32_t)r.runs.n;
	out->containers = r.containers.items;
	out->containers_n = (uint32_t)r.containers.n;
	out->fields = r.fields.items;
	out->fields_n = (uint32_t)r.fields.n;
	out->fields_after = state_after(&r);
	return true;
}

bool atoms_text(struct arena *a, struct text fragment, const struct names *names, struct field_state *fields,
		const struct atom_styles *styles, struct text *out)
{
	struct atoms p;

	if (!atoms_read(a, fragment, names, *fields, styles, &p))
		return false;
	*fields = p.fields_after;
	*out = p.text;
	return true;
}
