#include "kinds/docx/text/fragment.h"

#include "base/array.h"
#include "base/ascii.h"

#include <string.h>

/* Names of the main namespace are looked up by length first, for speed: a paragraph of a contract has hundreds of
 * them. */
#define IS(NAME, TAG)                                                                                                  \
	if (!memcmp(at, NAME, sizeof(NAME) - 1))                                                                       \
	return TAG

static enum tag short_tag(const char *at, size_t len)
{
	switch (len) {
	case 1: return *at == 'p' ? TAG_P : *at == 'r' ? TAG_R : *at == 't' ? TAG_T : TAG_OTHER;
	case 2:
		IS("br", TAG_BR);
		IS("cr", TAG_CR);
		IS("tr", TAG_TR);
		IS("tc", TAG_TC);
		break;
	case 3:
		IS("rPr", TAG_RPR);
		IS("pPr", TAG_PPR);
		IS("tab", TAG_TAB);
		IS("sym", TAG_SYM);
		IS("ins", TAG_INS);
		IS("del", TAG_DEL);
		IS("sdt", TAG_SDT);
		IS("bdo", TAG_BDO);
		IS("dir", TAG_DIR);
		IS("tbl", TAG_TBL);
		break;
	case 4:
		IS("ptab", TAG_PTAB);
		IS("pict", TAG_PICT);
		IS("lock", TAG_LOCK);
		IS("body", TAG_BODY);
		break;
	case 5:
		IS("sdtPr", TAG_SDT_PR);
		IS("numPr", TAG_NUM_PR);
		break;
	case 6:
		IS("pStyle", TAG_P_STYLE);
		IS("rStyle", TAG_R_STYLE);
		IS("sectPr", TAG_SECT_PR);
		IS("moveTo", TAG_MOVE_TO);
		IS("vanish", TAG_VANISH);
		IS("object", TAG_OBJECT);
		break;
	case 7:
		IS("fldChar", TAG_FLD_CHAR);
		IS("delText", TAG_DEL_TEXT);
		IS("drawing", TAG_DRAWING);
		IS("permEnd", TAG_RANGE_MARK);
		break;
	default: break;
	}
	return TAG_OTHER;
}

static enum tag long_tag(const char *at, size_t len)
{
	switch (len) {
	case 8:
		IS("moveFrom", TAG_MOVE_FROM);
		IS("smartTag", TAG_SMART_TAG);
		IS("proofErr", TAG_PROOF_ERR);
		break;
	case 9:
		IS("instrText", TAG_INSTR_TEXT);
		IS("fldSimple", TAG_FLD_SIMPLE);
		IS("hyperlink", TAG_HYPERLINK);
		IS("customXml", TAG_CUSTOM_XML);
		IS("pPrChange", TAG_PPR_CHANGE);
		IS("rPrChange", TAG_RPR_CHANGE);
		IS("permStart", TAG_RANGE_MARK);
		break;
	case 10:
		IS("softHyphen", TAG_SOFT_HYPHEN);
		IS("sdtContent", TAG_SDT_CONTENT);
		break;
	case 11:
		IS("bookmarkEnd", TAG_BOOKMARK_END);
		IS("dataBinding", TAG_DATA_BINDING);
		IS("txbxContent", TAG_TXBX_CONTENT);
		break;
	case 12: IS("delInstrText", TAG_DEL_INSTR_TEXT); break;
	case 13:
		IS("noBreakHyphen", TAG_NO_BREAK_HYPHEN);
		IS("bookmarkStart", TAG_BOOKMARK_START);
		IS("annotationRef", TAG_ANNOTATION_REF);
		break;
	case 14: IS("moveToRangeEnd", TAG_RANGE_MARK); break;
	case 15: IS("commentRangeEnd", TAG_COMMENT_END); break;
	case 16:
		IS("commentReference", TAG_COMMENT_REFERENCE);
		IS("endnoteReference", TAG_ENDNOTE_REFERENCE);
		IS("moveFromRangeEnd", TAG_RANGE_MARK);
		IS("moveToRangeStart", TAG_RANGE_MARK);
		break;
	case 17:
		IS("commentRangeStart", TAG_COMMENT_START);
		IS("footnoteReference", TAG_FOOTNOTE_REFERENCE);
		break;
	case 18: IS("moveFromRangeStart", TAG_RANGE_MARK); break;
	case 20:
		IS("customXmlInsRangeEnd", TAG_RANGE_MARK);
		IS("customXmlDelRangeEnd", TAG_RANGE_MARK);
		break;
	case 21: IS("lastRenderedPageBreak", TAG_LAST_PAGE_BREAK); break;
	case 22:
		IS("customXmlInsRangeStart", TAG_RANGE_MARK);
		IS("customXmlDelRangeStart", TAG_RANGE_MARK);
		break;
	case 23: IS("customXmlMoveToRangeEnd", TAG_RANGE_MARK); break;
	case 25:
		IS("customXmlMoveFromRangeEnd", TAG_RANGE_MARK);
		IS("customXmlMoveToRangeStart", TAG_RANGE_MARK);
		break;
	case 27: IS("customXmlMoveFromRangeStart", TAG_RANGE_MARK); break;
	default: break;
	}
	return TAG_OTHER;
}

enum tag fragment_tag(enum space space, struct text local)
{
	if (space == SPACE_W)
		return local.len < 8 ? short_tag(local.at, local.len) : long_tag(local.at, local.len);
	if (space == SPACE_M && (text_is(local, "oMath") || text_is(local, "oMathPara")))
		return TAG_MATH;
	if (space == SPACE_MC && text_is(local, "AlternateContent"))
		return TAG_ALTERNATE_CONTENT;
	if (space == SPACE_W15 && text_is(local, "dataBinding"))
		return TAG_DATA_BINDING;
	return TAG_OTHER;
}

struct reading {
	struct arena *arena;
	struct text bytes;
	ARRAY(struct xml_node) nodes;
	ARRAY(uint8_t) tags;
	ARRAY(struct fragment_scope) scopes;
	const struct names *names;
	const struct names *outer[FRAGMENT_DEPTH_MAX]; /* the scope around each open element */
	uint32_t open[FRAGMENT_DEPTH_MAX];
	unsigned depth;
	bool is_outline;
};

static uint32_t add_node(struct reading *r, enum xml_type type, size_t from, size_t to, enum tag tag)
{
	/* The initial space is enough for most fragments. */
	struct xml_node *node =
		r->nodes.n < r->nodes.cap ? &r->nodes.items[r->nodes.n++] : ARRAY_PUSH(r->arena, &r->nodes);

	if (r->tags.n < r->tags.cap)
		r->tags.items[r->tags.n++] = (uint8_t)tag;
	else
		*ARRAY_PUSH(r->arena, &r->tags) = (uint8_t)tag;
	*node = (struct xml_node){.from = (uint32_t)from,
				  .to = (uint32_t)to,
				  .inner = (uint32_t)to,
				  .inner_to = (uint32_t)to,
				  .parent = r->depth ? r->open[r->depth - 1] : XML_NONE,
				  .after = (uint32_t)r->nodes.n,
				  .type = (uint8_t)type};
	return (uint32_t)r->nodes.n - 1;
}

/* Where the next `what` after `at` ends; 0 if there is none. */
static size_t behind(struct text bytes, size_t at, const char *what)
{
	size_t found = text_find(bytes, text_of(what), at);

	return found == SIZE_MAX ? 0 : found + strlen(what);
}

static size_t past_blanks(struct text bytes, size_t at)
{
	while (at < bytes.len && is_space(bytes.at[at]))
		at++;
	return at;
}

static size_t past_name(struct text bytes, size_t at)
{
	for (; at < bytes.len && !is_space(bytes.at[at]); at++) {
		char c = bytes.at[at];
		if (c == '=' || c == '>' || c == '/' || c == '<' || c == '"' || c == '\'')
			break;
	}
	return at;
}

/* The end of the start tag whose name is at `at`, and whether the tag declares prefixes. 0: malformed. Each attribute
 * is a name, a sign and a value in quotes: xml_attribute() does not check that again. */
static size_t tag_end(struct text bytes, size_t at, bool *declares)
{
	*declares = false;
	at = past_name(bytes, at);
	for (;;) {
		size_t name = at = past_blanks(bytes, at);
		if (at < bytes.len && bytes.at[at] == '>')
			return at + 1;
		if (bytes.len - at > 1 && bytes.at[at] == '/')
			return bytes.at[at + 1] == '>' ? at + 2 : 0;
		at = past_name(bytes, at);
		*declares |= at - name >= 5 && !memcmp(bytes.at + name, "xmlns", 5);
		size_t sign = past_blanks(bytes, at);
		if (at == name || sign >= bytes.len || bytes.at[sign] != '=')
			return 0;
		size_t quote = past_blanks(bytes, sign + 1);
		if (quote >= bytes.len || !(bytes.at[quote] == '"' || bytes.at[quote] == '\''))
			return 0;
		const char *end = memchr(bytes.at + quote + 1, bytes.at[quote], bytes.len - quote - 1);
		if (!end || memchr(bytes.at + quote, '<', (size_t)(end - bytes.at) - quote))
			return 0;
		at = (size_t)(end - bytes.at) + 1;
	}
}

static bool is_cdata(struct text bytes, size_t at)
{
	return bytes.len - at > 1 && bytes.at[at + 1] == '!' &&
	       text_starts(text_slice(bytes, at, bytes.len), "<![CDATA[");
}

/* Finds the end tag of the element whose content begins at `at`; 0: there is none. */
static size_t content_end(struct text bytes, size_t at)
{
	unsigned depth = 1;
	bool declares;

	while (at < bytes.len) {
		const char *next = memchr(bytes.at + at, '<', bytes.len - at);
		size_t here = next ? (size_t)(next - bytes.at) : bytes.len;
		char kind = here + 1 < bytes.len ? bytes.at[here + 1] : 0;
		if (kind == '/' && !--depth)
			return here;
		at = kind == '/'             ? here + 2
		     : is_cdata(bytes, here) ? behind(bytes, here, "]]>")
		     : kind == '!'           ? behind(bytes, here + 4, "-->")
		     : kind == '?'           ? behind(bytes, here + 2, "?>")
		     : kind                  ? tag_end(bytes, here + 1, &declares)
					     : 0;
		if (!at)
			return 0;
		depth += kind != '/' && kind != '!' && kind != '?' && bytes.at[at - 2] != '/';
	}
	return 0;
}

static size_t start_tag(struct reading *r, size_t at)
{
	const char *p = r->bytes.at;
	bool declares;
	size_t end = tag_end(r->bytes, at + 1, &declares), name = at + 1;

	if (!end || r->depth == FRAGMENT_DEPTH_MAX)
		return 0;
	bool is_empty = p[end - 2] == '/';
	while (name < end - 1 - is_empty && p[name] != ' ' && p[name] != '\t' && p[name] != '\n' && p[name] != '\r')
		name++;
	if (name == at + 1)
		return 0;
	const struct names *outer = r->names;
	if (declares)
		r->names = names_read(r->arena, outer, text_slice(r->bytes, at, end));
	struct text local;
	enum space space = names_split(r->names, text_slice(r->bytes, at + 1, name), false, &local);
	uint32_t i = add_node(r, XML_ELEMENT, at, end, fragment_tag(space, local));
	struct xml_node *node = &r->nodes.items[i];
	node->name = (uint32_t)at + 1;
	node->name_len = (uint32_t)(name - at - 1);
	node->is_empty_tag = is_empty;
	if (declares && r->names != outer)
		*ARRAY_PUSH(r->arena, &r->scopes) = (struct fragment_scope){i, r->names};
	if (is_empty) {
		r->names = outer;
		return end;
	}
	r->outer[r->depth] = outer;
	r->open[r->depth++] = i;
	return r->is_outline && r->tags.items[i] == TAG_P ? content_end(r->bytes, end) : end;
}

static size_t end_tag(struct reading *r, size_t at)
{
	const char *end = memchr(r->bytes.at + at, '>', r->bytes.len - at);

	if (!end || !r->depth)
		return 0;
	struct xml_node *node = &r->nodes.items[r->open[--r->depth]];
	if (r->bytes.len - at < 2 + node->name_len ||
	    memcmp(r->bytes.at + at + 2, r->bytes.at + node->name, node->name_len))
		return 0;
	node->inner_to = (uint32_t)at;
	node->to = (uint32_t)(end - r->bytes.at) + 1;
	node->after = (uint32_t)r->nodes.n;
	r->names = r->outer[r->depth];
	return node->to;
}

/* Character data from `at`: CDATA sections belong to it. */
static size_t text_end(struct text bytes, size_t at)
{
	while (at < bytes.len) {
		if (bytes.at[at] != '<') {
			const char *next = memchr(bytes.at + at, '<', bytes.len - at);
			at = next ? (size_t)(next - bytes.at) : bytes.len;
		} else if (is_cdata(bytes, at)) {
			size_t end = behind(bytes, at, "]]>");
			if (!end)
				return 0;
			at = end;
		} else {
			break;
		}
	}
	return at;
}

static size_t next_thing(struct reading *r, size_t at)
{
	struct text rest = text_slice(r->bytes, at, r->bytes.len);
	size_t end;

	if (rest.at[0] != '<' || is_cdata(r->bytes, at)) {
		end = text_end(r->bytes, at);
		if (end)
			add_node(r, XML_TEXT, at, end, TAG_NOT_ELEMENT);
		return end;
	}
	if (rest.len < 2)
		return 0;
	if (rest.at[1] == '/')
		return end_tag(r, at);
	if (rest.at[1] != '!' && rest.at[1] != '?')
		return start_tag(r, at);
	bool is_comment = text_starts(rest, "<!--");
	end = is_comment ? behind(r->bytes, at + 4, "-->") : rest.at[1] == '?' ? behind(r->bytes, at + 2, "?>") : 0;
	if (end)
		add_node(r, is_comment ? XML_COMMENT : XML_INSTRUCTION, at, end, TAG_NOT_ELEMENT);
	return end;
}

/* The expected number of nodes. An estimate is enough for a paragraph, but the list of a whole part's nodes must not
 * grow by copying. */
static size_t nodes_in(struct text bytes)
{
	enum { COUNTED_FROM = 1 << 20 };
	size_t n = 16;

	if (bytes.len < COUNTED_FROM)
		return n + bytes.len / 48;
	for (const char *at = bytes.at, *end = bytes.at + bytes.len; (at = memchr(at, '<', (size_t)(end - at))); at++)
		n += (at + 1 < end && at[1] != '/') + (at > bytes.at && at[-1] != '>');
	return n;
}

static bool parse(struct arena *a, struct text bytes, const struct names *names, bool is_outline, struct fragment *out)
{
	struct reading r;
	size_t at = 0;

	memset(&r, 0, offsetof(struct reading, outer));
	r.depth = 0;
	r.is_outline = is_outline;
	r.arena = a;
	r.bytes = bytes;
	r.names = names;
	if (bytes.len < 4 || bytes.len >= XML_NONE || bytes.at[0] != '<' || bytes.at[1] == '!' || bytes.at[1] == '?')
		return false;
	size_t nodes = is_outline ? 16 + bytes.len / 96 : nodes_in(bytes);
	ARRAY_RESERVE(a, &r.nodes, nodes);
	ARRAY_RESERVE(a, &r.tags, nodes);
	do {
		at = next_thing(&r, at);
	} while (at && at < bytes.len && r.depth);
	if (!at || at != bytes.len || r.depth)
		return false;
	*out = (struct fragment){.xml = {bytes, r.nodes.items, (uint32_t)r.nodes.n, 0},
				 .tags = r.tags.items,
				 .names = names,
				 .scopes = r.scopes.items,
				 .scopes_n = r.scopes.n};
	return true;
}

bool fragment_parse(struct arena *a, struct text bytes, const struct names *names, struct fragment *out)
{
	return parse(a, bytes, names, false, out);
}

bool fragment_outline(struct arena *a, struct text bytes, const struct names *names, struct fragment *out)
{
	return parse(a, bytes, names, true, out);
}

const struct names *fragment_names(const struct fragment *f, uint32_t node)
{
	for (size_t i = f->scopes_n; i-- > 0;) {
		uint32_t at = f->scopes[i].node;
		if (at <= node && node < f->xml.nodes[at].after)
			return f->scopes[i].names;
	}
	return f->names;
}

/* Reads the tag's bytes itself: xml_attributes() would make a list of all for the one asked for. */
/* The value as it is between the quotes; absent: none. *name is the attribute's name with its prefix. */
static struct text raw_attribute(const struct fragment *f, uint32_t node, enum space space, const char *local,
				 struct text *name)
{
	const struct xml_node *e = &f->xml.nodes[node];
	const char *p = f->xml.bytes.at;
	size_t want = strlen(local);
	const struct names *names = NULL;

	for (uint32_t i = e->name + e->name_len; i < e->inner && p[i] != '>' && p[i] != '/';) {
		while (i < e->inner && strchr(" \t\r\n", p[i]))
			i++;
		uint32_t from = i;
		while (i < e->inner && p[i] != '=' && p[i] != '>' && p[i] != '/' && !strchr(" \t\r\n", p[i]))
			i++;
		struct text own;
		*name = (struct text){p + from, i - from};
		while (i < e->inner && p[i] != '"' && p[i] != '\'' && p[i] != '>')
			i++;
		const char *end = i < e->inner && p[i] != '>' ? memchr(p + i + 1, p[i], e->inner - i - 1) : NULL;
		if (!end)
			break;
		if (name->len >= want && !memcmp(name->at + name->len - want, local, want)) {
			names = names ? names : fragment_names(f, node);
			if (names_split(names, *name, true, &own) == space && text_is(own, local))
				return (struct text){p + i + 1, (size_t)(end - p) - i - 1};
		}
		i = (uint32_t)(end - p) + 1;
	}
	return (struct text){0};
}

struct text fragment_attribute(struct arena *a, const struct fragment *f, uint32_t node, enum space space,
			       const char *local)
{
	struct text name, raw = raw_attribute(f, node, space, local, &name);

	if (!raw.len)
		return raw.at ? TEXT("") : raw;
	return memchr(raw.at, '&', raw.len) ? xml_attribute(a, &f->xml, node, text_string(a, name)) : raw;
}

struct text fragment_id(const struct fragment *f, uint32_t node)
{
	struct text name;

	return raw_attribute(f, node, SPACE_W, "id", &name);
}

struct text fragment_local(const struct fragment *f, uint32_t node, enum space *space)
{
	struct text local;
	enum space s = names_split(fragment_names(f, node), xml_name(&f->xml, node), false, &local);

	if (space)
		*space = s;
	return local;
}

uint32_t fragment_child(const struct fragment *f, uint32_t node, enum tag tag)
{
	const struct xml_node *nodes = f->xml.nodes;

	for (uint32_t i = node + 1; i < nodes[node].after; i = nodes[i].after)
		if (f->tags[i] == tag)
			return i;
	return XML_NONE;
}

struct text fragment_bytes(const struct fragment *f, uint32_t node)
{
	return text_slice(f->xml.bytes, f->xml.nodes[node].from, f->xml.nodes[node].to);
}

bool fragment_is_on(struct arena *a, const struct fragment *f, uint32_t element)
{
	if (element == XML_NONE)
		return false;
	struct text val = fragment_attribute(a, f, element, SPACE_W, "val");
	return !val.at || !(text_is(val, "0") || text_is(val, "false") || text_is(val, "off"));
}

/* The end of the declaration, instruction or comment at `at`. */
static size_t past_misc(struct text part, size_t at)
{
	bool is_instruction = part.at[at + 1] == '?';
	size_t end = text_find(part, is_instruction ? TEXT("?>") : TEXT("-->"), at);

	return end == SIZE_MAX ? part.len : end + (is_instruction ? 2 : 3);
}

struct text fragment_root(struct text part)
{
	size_t from = 0, to = part.len;

	while (from + 1 < part.len && (part.at[from] != '<' || part.at[from + 1] == '?' || part.at[from + 1] == '!'))
		from = part.at[from] == '<' ? past_misc(part, from) : from + 1;
	/* Comments may follow the element. */
	for (;;) {
		while (to > from && part.at[to - 1] != '>')
			to--;
		if (to < from + 3 || part.at[to - 2] != '-' || part.at[to - 3] != '-')
			return text_slice(part, from, to);
		while (to > from && part.at[to - 1] != '<')
			to--;
		to = to > from ? to - 1 : to;
	}
}

bool fragment_is_fallback(const struct fragment *f, uint32_t node)
{
	uint32_t parent = f->xml.nodes[node].parent;
	enum space space;

	return parent != XML_NONE && f->tags[parent] == TAG_ALTERNATE_CONTENT && f->tags[node] != TAG_NOT_ELEMENT &&
	       text_is(fragment_local(f, node, &space), "Fallback");
}
