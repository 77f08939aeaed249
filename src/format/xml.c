#include "format/xml.h"

#include "base/array.h"
#include "base/budget.h"
#include "base/utf8.h"

#include <expat.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

/* expat copies its input, so a large document is passed in pieces. The pieces are large, because expat rescans a token
 * that a piece boundary cuts. */
enum { PIECE = 8 << 20 };
/* The nodes of small documents are copied, so that a small tree is one piece of memory. */
enum { COPIED_MAX = 64 << 10 };

struct reader {
	XML_Parser expat;
	struct arena *arena;
	struct text bytes;
	const struct xml_limits *limits;
	struct error *err;
	struct xml_node *nodes; /* a block of the call while it grows */
	uint32_t n, cap;
	uint32_t open; /* innermost open element */
	uint32_t root;
	uint32_t behind; /* where the last tag, comment or instruction ended: the bytes up to the next one are text */
	unsigned depth;
	bool refused;
};

static uint32_t line_of(struct text bytes, uint32_t offset, uint32_t *column)
{
	uint32_t line = 1;
	const char *start = bytes.at, *end = start + (offset < bytes.len ? offset : bytes.len), *newline;

	while ((newline = memchr(start, '\n', (size_t)(end - start)))) {
		line++;
		start = newline + 1;
	}
	*column = (uint32_t)(end - start) + 1;
	return line;
}

static void refuse(struct reader *r, enum fault fault, uint32_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void refuse(struct reader *r, enum fault fault, uint32_t offset, const char *format, ...)
{
	va_list ap;

	/* expat may call once more after XML_StopParser(). */
	if (r->refused)
		return;
	r->refused = true;
	va_start(ap, format);
	*r->err = (struct error){.fault = fault, .message = text_vformat(r->arena, format, ap).at};
	va_end(ap);
	r->err->line = line_of(r->bytes, offset, &r->err->column);
	if (r->expat)
		XML_StopParser(r->expat, XML_FALSE);
}

static uint32_t place(struct reader *r) { return (uint32_t)XML_GetCurrentByteIndex(r->expat); }

static uint32_t place_behind(struct reader *r) { return place(r) + (uint32_t)XML_GetCurrentByteCount(r->expat); }

/* The call cannot be ended inside expat. It ends in parse(), or later if it cannot be ended there either. */
static void refuse_to_go_on(struct reader *r, uint32_t from)
{
	enum budget_end why = budget_passed();

	refuse(r,
	       why == BUDGET_TIME        ? FAULT_TIMEOUT
	       : why == BUDGET_CANCELLED ? FAULT_CANCELLED
					 : FAULT_TOO_LARGE,
	       from, "the document was not read to its end: the call has no %s left",
	       why == BUDGET_TIME ? "time" : "memory");
}

static struct xml_node *add(struct reader *r, enum xml_type type, uint32_t from, uint32_t to)
{
	if (r->n >= r->limits->nodes) {
		refuse(r, FAULT_TOO_LARGE, from, "the document has more than %u elements, texts and comments",
		       r->limits->nodes);
		return NULL;
	}
	if (!budget_goes_on()) {
		refuse_to_go_on(r, from);
		return NULL;
	}
	if (r->n == r->cap) {
		r->cap = r->cap ? r->cap * 2 : 64;
		r->nodes = budget_block(r->nodes, (size_t)r->cap * sizeof *r->nodes);
	}
	struct xml_node *node = &r->nodes[r->n++];
	*node = (struct xml_node){.from = from, .to = to, .parent = r->open, .after = r->n, .type = (uint8_t)type};
	return node;
}

/* Adds the text before the markup at `from`: character data, references and CDATA sections. */
static void close_text(struct reader *r, uint32_t from)
{
	if (r->depth && from > r->behind)
		add(r, XML_TEXT, r->behind, from);
}

static void XMLCALL started(void *of, const XML_Char *name, const XML_Char **attributes)
{
	struct reader *r = of;
	uint32_t from = place(r);

	(void)attributes;
	if (r->refused)
		return;
	close_text(r, from);
	if (++r->depth > r->limits->depth) {
		refuse(r, FAULT_TOO_LARGE, from, "elements are nested more than %u deep", r->limits->depth);
		return;
	}
	if ((uint32_t)XML_GetSpecifiedAttributeCount(r->expat) / 2 > r->limits->attributes) {
		refuse(r, FAULT_TOO_LARGE, from, "an element has more than %u attributes", r->limits->attributes);
		return;
	}
	struct xml_node *node = r->refused ? NULL : add(r, XML_ELEMENT, from, 0);
	if (!node)
		return;
	node->name = from + 1;
	node->name_len = (uint32_t)strlen(name);
	node->inner = r->behind = place_behind(r);
	if (r->open == XML_NONE)
		r->root = r->n - 1;
	r->open = r->n - 1;
}

static void XMLCALL ended(void *of, const XML_Char *name)
{
	struct reader *r = of;
	uint32_t from = place(r), to = place_behind(r);

	(void)name;
	if (r->refused)
		return;
	close_text(r, from);
	struct xml_node *node = &r->nodes[r->open];
	/* expat reports the end of <a/> as an empty token after it. */
	node->is_empty_tag = from == to;
	node->inner_to = from;
	node->to = r->behind = to;
	node->after = r->n;
	r->open = node->parent;
	r->depth--;
}

static void leaf(struct reader *r, enum xml_type type)
{
	if (r->refused)
		return;
	close_text(r, place(r));
	r->behind = place_behind(r);
	if (!r->refused)
		add(r, type, place(r), r->behind);
}

static void XMLCALL commented(void *of, const XML_Char *text)
{
	(void)text;
	leaf(of, XML_COMMENT);
}

static void XMLCALL instructed(void *of, const XML_Char *target, const XML_Char *text)
{
	(void)target, (void)text;
	leaf(of, XML_INSTRUCTION);
}

static void XMLCALL declared(void *of, const XML_Char *version, const XML_Char *encoding, int standalone)
{
	struct reader *r = of;

	(void)version, (void)standalone;
	if (encoding && strcasecmp(encoding, "UTF-8"))
		refuse(r, FAULT_ARGUMENT, place(r), "the XML declares the encoding %.40s; save the document as UTF-8",
		       encoding);
}

static void XMLCALL doctype_begun(void *of, const XML_Char *name, const XML_Char *system, const XML_Char *public,
				  int subset)
{
	static const struct text opening = {"<!DOCTYPE", 9};
	struct reader *r = of;
	size_t from = place(r), last = r->bytes.len - opening.len;

	(void)name, (void)system, (void)public, (void)subset;
	/* expat reports it late in the declaration. Search back for the declaration's start. */
	for (from = from < last ? from : last; from && memcmp(r->bytes.at + from, opening.at, opening.len);)
		from--;
	refuse(r, FAULT_ARGUMENT, (uint32_t)from, "the XML has a DOCTYPE, which is not supported; remove it");
}

static bool is_utf16(struct text bytes)
{
	return bytes.len >= 2 && (!memcmp(bytes.at, "\xFE\xFF", 2) || !memcmp(bytes.at, "\xFF\xFE", 2) ||
				  !memcmp(bytes.at, "<\0", 2) || !memcmp(bytes.at, "\0<", 2));
}

static void refuse_character(struct reader *r, uint32_t offset)
{
	unsigned char c = offset < r->bytes.len ? (unsigned char)r->bytes.at[offset] : ' ';

	if (c >= 0x80 && !utf8_len(r->bytes.at + offset, r->bytes.at + r->bytes.len))
		refuse(r, FAULT_ARGUMENT, offset, "the XML is not valid UTF-8: byte 0x%02x", c);
	else if (c < 0x20 && c != '\t' && c != '\n' && c != '\r')
		refuse(r, FAULT_ARGUMENT, offset,
		       "the XML contains the control character 0x%02x, which XML does not allow", c);
	else
		refuse(r, FAULT_ARGUMENT, offset, "the XML is not well-formed: this character is not allowed here");
}

/* Turns expat's errors into words for the person who must repair the document. */
static void refuse_as_expat(struct reader *r)
{
	static const struct {
		enum XML_Error error;
		const char *why;
	} reasons[] = {
		{XML_ERROR_SYNTAX, "only a root element, comments and instructions are allowed here"},
		{XML_ERROR_NO_ELEMENTS, "it ends before its root element does"},
		{XML_ERROR_UNCLOSED_TOKEN, "it ends inside a tag or a reference"},
		{XML_ERROR_PARTIAL_CHAR, "it ends inside a character"},
		{XML_ERROR_DUPLICATE_ATTRIBUTE, "an attribute is given twice in one tag"},
		{XML_ERROR_JUNK_AFTER_DOC_ELEMENT, "there is content after the root element"},
		{XML_ERROR_UNDEFINED_ENTITY, "an entity is not defined; only amp, lt, gt, quot and apos are"},
		{XML_ERROR_BAD_CHAR_REF, "a reference names a character that XML does not allow"},
		{XML_ERROR_MISPLACED_XML_PI, "the XML declaration must be the first thing in the document"},
		{XML_ERROR_UNCLOSED_CDATA_SECTION, "a CDATA section is not closed"},
		{XML_ERROR_NO_MEMORY, "it needs too much memory"},
	};
	enum XML_Error error = XML_GetErrorCode(r->expat);
	XML_Index index = XML_GetCurrentByteIndex(r->expat);
	uint32_t offset = index < 0 ? 0 : (uint32_t)index;

	if (error == XML_ERROR_INVALID_TOKEN) {
		refuse_character(r, offset);
		return;
	}
	if (error == XML_ERROR_TAG_MISMATCH && r->open != XML_NONE) {
		struct text name = text_slice(r->bytes, r->nodes[r->open].name,
					      r->nodes[r->open].name + r->nodes[r->open].name_len);
		name.len = utf8_cut(name, 60);
		refuse(r, FAULT_ARGUMENT, offset, "the XML is not well-formed: this end tag should be </%.*s>",
		       TEXT_ARGS(name));
		return;
	}
	const char *why = XML_ErrorString(error);
	for (size_t i = 0; i < ARRAY_COUNT(reasons); i++)
		if (reasons[i].error == error)
			why = reasons[i].why;
	refuse(r, FAULT_ARGUMENT, offset, "the XML is not well-formed: %s", why);
}

static void feed(struct reader *r)
{
	for (size_t at = 0;;) {
		size_t left = r->bytes.len - at, n = left < PIECE ? left : PIECE;
		bool is_last = n == left;
		if (XML_Parse(r->expat, r->bytes.at + at, (int)n, is_last) == XML_STATUS_ERROR) {
			refuse_as_expat(r);
			return;
		}
		if (is_last)
			return;
		at += n;
	}
}

static void *take_memory(size_t bytes) { return budget_block(NULL, bytes); }

static void parse(struct reader *r)
{
	if (r->bytes.len > INT_MAX) {
		refuse(r, FAULT_TOO_LARGE, 0, "the document is over 2 GB");
		return;
	}
	if (is_utf16(r->bytes)) {
		refuse(r, FAULT_ARGUMENT, 0, "the document is UTF-16; save it as UTF-8");
		return;
	}
	static const XML_Memory_Handling_Suite memory = {take_memory, budget_block, budget_block_free};
	budget_hold();
	r->expat = XML_ParserCreate_MM("UTF-8", &memory, NULL);
	if (!r->expat)
		out_of_memory();
	XML_SetUserData(r->expat, r);
	XML_SetElementHandler(r->expat, started, ended);
	XML_SetCommentHandler(r->expat, commented);
	XML_SetProcessingInstructionHandler(r->expat, instructed);
	XML_SetXmlDeclHandler(r->expat, declared);
	XML_SetStartDoctypeDeclHandler(r->expat, doctype_begun);
	feed(r);
	XML_ParserFree(r->expat);
	r->expat = NULL;
	budget_let();
	budget_check();
}

struct xml *xml_parse(struct arena *a, struct text bytes, const struct xml_limits *limits, struct error *err)
{
	struct reader r = {
		.arena = a, .bytes = bytes, .limits = limits, .err = err, .open = XML_NONE, .root = XML_NONE};

	if (!r.bytes.at)
		r.bytes = TEXT("");
	parse(&r);
	if (r.refused) {
		budget_block_free(r.nodes);
		return NULL;
	}
	struct xml *x = arena_new(a, struct xml);
	size_t size = r.n * sizeof *r.nodes;
	*x = (struct xml){r.bytes, NULL, r.n, r.root};
	if (size < COPIED_MAX) {
		x->nodes = arena_copy(a, r.nodes, size);
		budget_block_free(r.nodes);
	} else {
		x->nodes = arena_adopt(a, r.nodes, size);
	}
	return x;
}

struct text xml_name(const struct xml *x, uint32_t element)
{
	return (struct text){x->bytes.at + x->nodes[element].name, x->nodes[element].name_len};
}

uint32_t xml_first(const struct xml *x, uint32_t element)
{
	return element + 1 < x->nodes[element].after ? element + 1 : XML_NONE;
}

uint32_t xml_next(const struct xml *x, uint32_t node)
{
	uint32_t after = x->nodes[node].after, parent = x->nodes[node].parent;

	return after < (parent == XML_NONE ? x->n : x->nodes[parent].after) ? after : XML_NONE;
}

uint32_t xml_line(const struct xml *x, uint32_t offset, uint32_t *column)
{
	uint32_t ignored;

	return line_of(x->bytes, offset, column ? column : &ignored);
}
