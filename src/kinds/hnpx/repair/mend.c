#include "kinds/hnpx/repair/mend.h"
#include "base/digest.h"
#include "base/map.h"
#include "format/splice.h"
#include "format/xml.h"
#include "kinds/hnpx/tree/book.h"
#include "kinds/hnpx/tree/level.h"

/* The depth limit of parse.c: each pass repairs one level of wrong nesting. */
enum { PASSES_MAX = 64 };
static const struct xml_limits limits = {.depth = 64, .attributes = 256, .nodes = 2000000};

struct pass {
	struct arena *arena; /* of this pass */
	struct arena *kept;
	const struct xml *xml;
	ARRAY(struct splice) splices;
	struct map taken, seen; /* every id of the file; those found so far */
	struct mends *mends;
	bool is_first, summarised;
	uint32_t line, line_at; /* a cached offset and its line, because passes mostly go forward */
	uint32_t above[LEVELS]; /* the parents of the current element */
};

static void splice(struct pass *p, uint32_t from, uint32_t to, struct text with)
{
	*ARRAY_PUSH(p->arena, &p->splices) = (struct splice){from, to, with};
}

static uint32_t line_of(struct pass *p, uint32_t at)
{
	if (at < p->line_at)
		p->line = 1, p->line_at = 0;
	for (; p->line_at < at; p->line_at++)
		p->line += p->xml->bytes.at[p->line_at] == '\n';
	return p->line;
}

static void note(struct pass *p, uint32_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void note(struct pass *p, uint32_t at, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	struct text sentence = text_vformat(p->kept, format, ap);
	va_end(ap);
	*ARRAY_PUSH(p->kept, &p->mends->list) = (struct mended){p->is_first ? line_of(p, at) : 0, sentence};
}

static const char *words(struct pass *p, struct text t)
{
	return text_string(p->arena, t.len > 60 ? text_slice(t, 0, 60) : t);
}

static struct text fresh_id(struct pass *p)
{
	for (;;) {
		struct text id = id_text(p->arena, random_below(36u * 36 * 36 * 36 * 36 * 36));
		bool was;
		map_at(&p->taken, id, 0, &was);
		if (!was)
			return id;
	}
}

/* Keeps misplaced content as a comment before the element. A comment must not contain two hyphens in a row. */
static void keep(struct pass *p, uint32_t element, struct text raw)
{
	struct buffer out = {.arena = p->arena};

	buffer_put(&out, "<!-- ");
	for (size_t i = 0; i < raw.len; i++) {
		buffer_byte(&out, raw.at[i]);
		if (raw.at[i] == '-' && i + 1 < raw.len && raw.at[i + 1] == '-')
			buffer_byte(&out, ' ');
	}
	buffer_put(&out, " -->");
	splice(p, p->xml->nodes[element].from, p->xml->nodes[element].from, buffer_text(&out));
}

static struct text raw_of(const struct pass *p, const struct xml_attribute *x)
{
	return text_slice(p->xml->bytes, x->from, x->to);
}

static void drop_attribute(struct pass *p, const struct xml_attribute *x)
{
	uint32_t from = x->from;

	while (p->xml->bytes.at[from - 1] == ' ' || p->xml->bytes.at[from - 1] == '\t' ||
	       p->xml->bytes.at[from - 1] == '\n' || p->xml->bytes.at[from - 1] == '\r')
		from--;
	splice(p, from, x->to, TEXT(""));
}

static void add_attribute(struct pass *p, uint32_t element, const char *name, struct text value)
{
	const struct xml_node *x = &p->xml->nodes[element];
	struct buffer out = {.arena = p->arena};

	buffer_format(&out, " %s=\"", name);
	xml_escape(&out, value, true);
	buffer_byte(&out, '"');
	splice(p, x->name + x->name_len, x->name + x->name_len, buffer_text(&out));
}

static void mend_id(struct pass *p, uint32_t element, int level, const struct xml_attribute *id)
{
	uint32_t at = p->xml->nodes[element].from, packed;
	bool was = false;

	if (id && id_pack(id->value, &packed)) {
		map_at(&p->seen, id->value, 0, &was);
		if (!was)
			return;
	}
	struct text fresh = fresh_id(p);
	if (!id)
		add_attribute(p, element, "id", fresh);
	else
		splice(p, id->value_from, id->value_to, fresh);
	map_at(&p->seen, fresh, 0, NULL);
	if (!id)
		note(p, at, "<%s> had no id and gets %s", level_names[level], fresh.at);
	else
		note(p, at, "the id \"%s\" of <%s> %s; it gets %s", words(p, id->value), level_names[level],
		     was ? "was taken already" : "is not six characters of a-z and 0-9", fresh.at);
}

/* An attribute that the level does not have. A misspelled name is corrected; any other attribute becomes a comment. */
static void mend_unknown(struct pass *p, uint32_t element, int level, const struct xml_attribute *list, size_t n,
			 size_t i, bool *renamed)
{
	const char *near = text_nearest(list[i].name, level_rules[level].attributes);

	for (size_t k = 0; near && k < n; k++)
		if (text_is(list[k].name, near))
			near = NULL;
	if (near && !*renamed) {
		*renamed = true;
		splice(p, list[i].from, list[i].from + (uint32_t)list[i].name.len, text_of(near));
		note(p, list[i].from, "attribute %s of <%s> becomes %s", words(p, list[i].name), level_names[level],
		     near);
		return;
	}
	keep(p, element, raw_of(p, &list[i]));
	drop_attribute(p, &list[i]);
	note(p, list[i].from, "attribute %s is not allowed on <%s> and becomes a comment", words(p, list[i].name),
	     level_names[level]);
}

static const struct xml_attribute *named(const struct xml_attribute *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (text_is(list[i].name, name))
			return &list[i];
	return NULL;
}

/* Adds a required value that is missing. */
static void mend_missing(struct pass *p, uint32_t element, const char *name, const struct xml_attribute *there,
			 struct text value)
{
	if (there && !text_is_blank(there->value))
		return;
	if (there)
		splice(p, there->value_from, there->value_to, value);
	else
		add_attribute(p, element, name, value);
	note(p, p->xml->nodes[element].from, "%s was missing and becomes \"%s\"", name, value.at);
}

static void mend_attributes(struct pass *p, uint32_t element, int level)
{
	struct xml_attribute *list;
	size_t n = xml_attributes(p->arena, p->xml, element, &list);
	bool renamed = false;

	mend_id(p, element, level, named(list, n, "id"));
	for (size_t i = 0; i < n; i++)
		if (!text_is(list[i].name, "id") && !level_allows(level, list[i].name))
			mend_unknown(p, element, level, list, n, i, &renamed);
	const struct xml_attribute *loc = named(list, n, "loc"), *location = named(list, n, "location"),
				   *mode = named(list, n, "mode");
	if (renamed)
		return; /* the renamed attribute may be the missing one: the next pass checks */
	if (level == LEVEL_CHAPTER)
		mend_missing(p, element, "title", named(list, n, "title"), TEXT("Untitled"));
	if (level == LEVEL_SEQUENCE && loc && location) {
		const struct xml_attribute *worse = text_is_blank(loc->value) ? loc : location;
		if (!text_same(loc->value, location->value) && !text_is_blank(worse->value))
			keep(p, element, raw_of(p, worse));
		drop_attribute(p, worse);
		note(p, worse->from, "<sequence> had loc and location; only %s stays",
		     worse == loc ? "location" : "loc");
	} else if (level == LEVEL_SEQUENCE) {
		mend_missing(p, element, "loc", loc ? loc : location, TEXT("unknown"));
	}
	if (level == LEVEL_PARAGRAPH && mode && mode_named(mode->value) < 0) {
		const char *near = text_nearest(mode->value, mode_names);
		keep(p, element, raw_of(p, mode));
		splice(p, mode->value_from, mode->value_to, text_of(near ? near : "narration"));
		note(p, mode->from, "mode \"%s\" becomes %s", words(p, mode->value), near ? near : "narration");
	} else if (level == LEVEL_PARAGRAPH && mode && text_is(mode->value, "dialogue")) {
		mend_missing(p, element, "char", named(list, n, "char"), TEXT("unknown"));
	}
}

/* Wraps the content in the levels from `first` to `last` (exclusive), each with an id and a summary. */
static struct text wrapped(struct pass *p, int first, int last, struct text inside)
{
	static const char *const more[LEVELS] = {"", " title=\"Untitled\"", " loc=\"unknown\"", "", ""};
	struct buffer out = {.arena = p->arena};

	for (int level = first; level < last; level++) {
		buffer_format(&out, "<%s id=\"%s\"%s>", level_names[level], fresh_id(p).at, more[level]);
		if (level < LEVEL_PARAGRAPH || p->summarised)
			buffer_put(&out, "<summary>Recovered by a repair</summary>");
	}
	buffer_add(&out, inside);
	for (int level = last; level-- > first;)
		buffer_format(&out, "</%s>", level_names[level]);
	return buffer_text(&out);
}

/* Removes the tags of an element and keeps its content. */
static void unwrap(struct pass *p, uint32_t element, const char *where)
{
	const struct xml_node *x = &p->xml->nodes[element];
	struct text name = xml_name(p->xml, element);
	struct xml_attribute *list;
	size_t n = xml_attributes(p->arena, p->xml, element, &list);
	const char *mark = "";

	if (text_is(name, "em") || text_is(name, "i"))
		mark = "*";
	if (text_is(name, "strong") || text_is(name, "b"))
		mark = "**";
	if (n)
		keep(p, element, text_slice(p->xml->bytes, list[0].from, list[n - 1].to));
	if (x->is_empty_tag) {
		splice(p, x->from, x->to, text_is(name, "br") ? TEXT("\n") : TEXT(""));
	} else {
		splice(p, x->from, x->inner, text_of(mark));
		splice(p, x->inner_to, x->to, text_of(mark));
	}
	note(p, x->from, "<%s> in %s loses its tags; what it holds stays", words(p, name), where);
}

static void mend_summary(struct pass *p, uint32_t element)
{
	const struct xml_node *x = &p->xml->nodes[element];
	struct xml_attribute *list;
	size_t n = xml_attributes(p->arena, p->xml, element, &list);
	bool has_words = false;

	for (uint32_t i = xml_first(p->xml, element); i != XML_NONE; i = xml_next(p->xml, i)) {
		if (p->xml->nodes[i].type == XML_ELEMENT) {
			unwrap(p, i, "<summary>");
			has_words = true; /* if there are none, the next pass finds that */
		}
		has_words |= p->xml->nodes[i].type == XML_TEXT && !text_is_blank(xml_decoded(p->arena, p->xml, i));
	}
	for (size_t i = 0; i < n; i++) {
		keep(p, element, raw_of(p, &list[i]));
		drop_attribute(p, &list[i]);
		note(p, list[i].from, "attribute %s of <summary> becomes a comment", words(p, list[i].name));
	}
	if (has_words)
		return;
	note(p, x->from, "an empty <summary> gets words to replace");
	if (x->is_empty_tag)
		splice(p, x->to - 2, x->to, TEXT(">To be written</summary>"));
	else
		splice(p, x->inner_to, x->inner_to, TEXT("To be written"));
}

/* If there are several summaries, the first that is not an empty tag gets the words of all. */
static uint32_t main_summary(const struct pass *p, uint32_t element)
{
	uint32_t first = XML_NONE;

	for (uint32_t i = xml_first(p->xml, element); i != XML_NONE; i = xml_next(p->xml, i)) {
		if (p->xml->nodes[i].type != XML_ELEMENT || !text_is(xml_name(p->xml, i), "summary"))
			continue;
		if (first == XML_NONE || p->xml->nodes[first].is_empty_tag)
			first = i;
	}
	return first;
}

static void join_summary(struct pass *p, uint32_t main, uint32_t other)
{
	const struct xml_node *x = &p->xml->nodes[other];
	struct text inside = text_slice(p->xml->bytes, x->inner, x->inner_to);

	if (!x->is_empty_tag && !text_is_blank(inside))
		splice(p, p->xml->nodes[main].inner_to, p->xml->nodes[main].inner_to,
		       text_format(p->arena, " %s", text_string(p->arena, text_trim(inside))));
	splice(p, x->from, x->to, TEXT(""));
	note(p, x->from, "a second <summary> is joined to the first");
}

static void mend_element(struct pass *p, uint32_t element, int level);

/* Repairs an element inside a wrong parent. */
static void mend_child(struct pass *p, uint32_t child, int holder)
{
	const struct xml_node *x = &p->xml->nodes[child];
	int level = level_named(xml_name(p->xml, child));
	struct text whole = text_slice(p->xml->bytes, x->from, x->to);

	if (level == holder + 1) {
		mend_element(p, child, level);
	} else if (level > holder) {
		splice(p, x->from, x->to, wrapped(p, holder + 1, level, whole));
		note(p, x->from, "<%s> in <%s> gets the levels between them", level_names[level], level_names[holder]);
	} else if (level > LEVEL_BOOK) {
		uint32_t behind = p->xml->nodes[p->above[level]].to;
		splice(p, x->from, x->to, TEXT(""));
		splice(p, behind, behind, whole);
		note(p, x->from, "<%s> in <%s> moves after the <%s> it was in", level_names[level], level_names[holder],
		     level_names[level]);
	} else {
		unwrap(p, child, text_format(p->arena, "<%s>", level_names[holder]).at);
	}
}

static void mend_text(struct pass *p, uint32_t text, int holder, bool *has_summary)
{
	const struct xml_node *x = &p->xml->nodes[text];
	struct text raw = text_slice(p->xml->bytes, x->from, x->to);

	if (holder == LEVEL_PARAGRAPH || text_is_blank(xml_decoded(p->arena, p->xml, text)))
		return;
	if (!*has_summary) {
		splice(p, x->from, x->to,
		       text_format(p->arena, "<summary>%s</summary>", text_string(p->arena, text_trim(raw))));
		note(p, x->from, "text in <%s> becomes its summary", level_names[holder]);
		*has_summary = true;
		return;
	}
	splice(p, x->from, x->to, wrapped(p, holder + 1, LEVELS, text_trim(raw)));
	note(p, x->from, "text in <%s> outside of its summary becomes a paragraph", level_names[holder]);
}

static void mend_element(struct pass *p, uint32_t element, int level)
{
	const struct xml_node *x = &p->xml->nodes[element];
	uint32_t summary = main_summary(p, element);
	bool has_summary = summary != XML_NONE;

	p->above[level] = element;
	mend_attributes(p, element, level);
	for (uint32_t i = xml_first(p->xml, element); i != XML_NONE; i = xml_next(p->xml, i)) {
		if (p->xml->nodes[i].type == XML_TEXT)
			mend_text(p, i, level, &has_summary);
		if (p->xml->nodes[i].type != XML_ELEMENT)
			continue;
		if (!text_is(xml_name(p->xml, i), "summary"))
			mend_child(p, i, level);
		else if (i != summary)
			join_summary(p, summary, i);
		else
			mend_summary(p, i);
	}
	if (has_summary || (level == LEVEL_PARAGRAPH && !p->summarised))
		return;
	note(p, x->from, "<%s> had no summary and gets words to replace", level_names[level]);
	if (x->is_empty_tag)
		splice(p, x->to - 2, x->to,
		       text_format(p->arena, "><summary>To be written</summary></%s>", level_names[level]));
	else
		splice(p, x->inner, x->inner, TEXT("<summary>To be written</summary>"));
}

static void take_stock(struct pass *p)
{
	for (uint32_t i = 0; i < p->xml->n; i++) {
		const struct xml_node *x = &p->xml->nodes[i];
		if (x->type != XML_ELEMENT)
			continue;
		struct text id = xml_attribute(p->arena, p->xml, i, "id");
		if (id.at)
			map_at(&p->taken, id, 0, NULL);
		if (text_is(xml_name(p->xml, i), "summary") && x->parent != XML_NONE &&
		    text_is(xml_name(p->xml, x->parent), "paragraph"))
			p->summarised = true;
	}
}

/* One pass over the bytes. Returns false if they cannot be repaired. *more: another pass is necessary. */
static bool mend_pass(struct pass *p, struct text *bytes, bool *more, struct error *error)
{
	p->xml = xml_parse(p->arena, *bytes, &limits, error);
	if (!p->xml)
		return false;
	if (!text_is(xml_name(p->xml, p->xml->root), "book")) {
		*error = (struct error){.fault = FAULT_OWN, .code = "NOT_HNPX"};
		error->message = "the root element is no <book>";
		return false;
	}
	p->taken.arena = p->seen.arena = p->arena;
	take_stock(p);
	mend_element(p, p->xml->root, LEVEL_BOOK);
	*more = p->splices.n > 0;
	*bytes = splice_apply(p->arena, *bytes, p->splices.items, p->splices.n);
	return true;
}

bool mend_book(struct arena *a, struct text bytes, struct mends *out, struct error *error)
{
	struct arena arenas[2] = {0}; /* of this pass and of the previous one, which owns the bytes */
	bool more = true, is_fine = true;

	for (int i = 0; i < PASSES_MAX && more && is_fine; i++) {
		arena_free(&arenas[i % 2]);
		arenas[i % 2] = (struct arena){0};
		struct pass p = {.arena = &arenas[i % 2], .kept = a, .mends = out, .is_first = i == 0, .line = 1};
		is_fine = mend_pass(&p, &bytes, &more, error);
	}
	if (is_fine)
		out->bytes = text_copy(a, bytes);
	else if (error->message)
		error->message = text_string(a, text_of(error->message));
	arena_free(&arenas[0]);
	arena_free(&arenas[1]);
	return is_fine;
}
