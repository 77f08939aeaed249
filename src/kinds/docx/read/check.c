/* check_document: defined terms and their uses, broken references, hidden text.
 *
 * The document is read twice, row by row: once for terms, because definitions may come after uses, and once for the
 * rest. Each row reuses the memory of the row before. */
#include "base/utf8.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/read/hidden.h"
#include "kinds/docx/read/view.h"
#include "kinds/docx/surgeon/definition.h"
#include "tool/reply.h"

#include <string.h>

enum { TERM_LEN = 80, DETAIL_MAX = 160, PAGE = 150 };

struct check_args {
	struct target target;
	int64_t offset;
};
static const struct field check_in[] = {
	TARGET_FIELDS(struct check_args),
	FIELD(struct check_args, offset, INT, FIELD_TERSE, "Terms and problems to skip",
	      .limits = BETWEEN(0, 1000000000), .otherwise = "0"),
	FIELDS_END,
};

struct term_row {
	struct text term, para_id;
	int64_t uses;
	bool is_pointer; /* it only names the place of the definition */
};
static const struct field term_fields[] = {
	FIELD(struct term_row, term, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The defined term"),
	FIELD(struct term_row, para_id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Where it is defined"),
	FIELD(struct term_row, uses, INT, FIELD_REQUIRED | FIELD_TERSE, "How often it occurs besides its definition"),
	FIELDS_END,
};
static const struct shape term_shape = SHAPE(struct term_row, "term", term_fields);

struct problem_row {
	struct text problem, para_id, detail;
};
static const struct field problem_fields[] = {
	FIELD(struct problem_row, problem, TEXT, FIELD_REQUIRED | FIELD_TERSE,
	      "unused_term, term_defined_twice, dangling_field, dangling_reference, broken_reference, or what people do not see: hidden_text, white_text, tiny_text, zero_width, reordered_text, tag_characters, off_page_text"),
	FIELD(struct problem_row, para_id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Where"),
	FIELD(struct problem_row, detail, TEXT, FIELD_REQUIRED | FIELD_TERSE | FIELD_EMPTY, "What"),
	FIELDS_END,
};
static const struct shape problem_shape = SHAPE(struct problem_row, "problem", problem_fields);

struct check_answer {
	struct session_facts session;
	struct objects terms, problems;
	int64_t total_terms, total_problems;
	struct maybe_int next_offset;
};
static const struct field check_out[] = {
	SESSION_FIELDS(struct check_answer),
	FIELD(struct check_answer, terms, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Defined terms, at most 150",
	      .shape = &term_shape),
	FIELD(struct check_answer, problems, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "At most 150",
	      .shape = &problem_shape),
	FIELD(struct check_answer, total_terms, INT, FIELD_REQUIRED | FIELD_TERSE, "Terms in all"),
	FIELD(struct check_answer, total_problems, INT, FIELD_REQUIRED | FIELD_TERSE, "Problems in all"),
	FIELD(struct check_answer, next_offset, MAYBE_INT, FIELD_TERSE, "Offset of the next page"),
	FIELDS_END,
};

struct check {
	struct call *c;
	struct session *s;
	struct arena *scratch; /* of one row */
	ARRAY(struct term_row) terms;
	struct map by_term;
	struct map by_word; /* maps the first word of a term to the first such term; `next` links the others */
	ARRAY(uint32_t) next;
	ARRAY(struct problem_row) problems; /* those of the page */
	int64_t first, total_problems;
	struct map labels, bookmarks;
};

static void tell(struct check *k, const char *problem, const char *id, struct text detail)
{
	struct arena *a = k->c->arena;
	int64_t number = k->total_problems++;

	if (number < k->first || number >= k->first + PAGE)
		return;
	detail.len = detail.len > DETAIL_MAX ? utf8_cut(detail, DETAIL_MAX) : detail.len;
	*ARRAY_PUSH(a, &k->problems) =
		(struct problem_row){text_of(problem), text_copy(a, text_of(id)), text_copy(a, detail)};
}

static struct text first_word(struct text t)
{
	size_t i = 0;

	while (i < t.len) {
		size_t next = i;
		if (!utf8_is_word(utf8_next(t, &next)))
			break;
		i = next;
	}
	return text_slice(t, 0, i);
}

static void add_term(struct check *k, struct text term, const char *id, bool is_pointer)
{
	struct arena *a = k->c->arena;
	bool was;

	term = text_trim(term);
	while (term.len && strchr(",.;:", term.at[term.len - 1]))
		term.len--;
	if (!term.len || term.len > TERM_LEN || !first_word(term).len)
		return;
	const uint32_t *known = map_find(&k->by_term, term);
	if (known) {
		struct term_row *row = &k->terms.items[*known];
		if (row->is_pointer && !is_pointer) {
			row->para_id = text_copy(a, text_of(id));
			row->is_pointer = false;
		} else if (!is_pointer && !text_is(row->para_id, id)) {
			tell(k, "term_defined_twice", id,
			     text_format(k->scratch, "“%.*s” is defined in %.*s too", TEXT_ARGS(term),
					 TEXT_ARGS(row->para_id)));
		}
		return;
	}
	term = text_copy(a, term);
	map_at(&k->by_term, term, (uint32_t)k->terms.n, NULL);
	uint32_t index = (uint32_t)k->terms.n;
	*ARRAY_PUSH(a, &k->terms) = (struct term_row){term, text_copy(a, text_of(id)), 0, is_pointer};
	*ARRAY_PUSH(a, &k->next) = UINT32_MAX;
	uint32_t *head = map_at(&k->by_word, first_word(term), index, &was);
	if (was) {
		k->next.items[index] = *head;
		*head = index;
	}
}

/* "has the meaning set forth in Section 6.2": the definition is elsewhere. */
static bool points(const struct runes *r, uint32_t verb)
{
	struct text t = runes_slice(r, verb, r->n);
	size_t skip = t.len > 6 && !strncasecmp(t.at, "shall ", 6) ? 6 : 0;

	return t.len > skip + 3 && (!strncasecmp(t.at + skip, "has", 3) || !strncasecmp(t.at + skip, "hav", 3));
}

static void find_terms(struct check *k, struct text t, const char *id)
{
	struct definition *list;

	if (!text_is_blank(t)) {
		struct runes r = runes_of(k->scratch, t);
		size_t n = definitions_possible(t) ? definitions_find(k->scratch, &r, &list) : 0;
		for (size_t i = 0; i < n; i++)
			add_term(k, runes_slice(&r, list[i].from, list[i].to), id, points(&r, list[i].verb));
		n = definitions_bracketed(k->scratch, &r, &list);
		for (size_t i = 0; i < n; i++)
			add_term(k, runes_slice(&r, list[i].from, list[i].to), id, false);
	}
}

/* Each word of the text is looked up once; the longest term that begins there is used. */
static void count_uses(struct check *k, struct text t)
{
	for (size_t i = 0; i < t.len;) {
		struct text word = first_word(text_slice(t, i, t.len));
		if (!word.len) {
			utf8_next(t, &i);
			continue;
		}
		const uint32_t *head = map_find(&k->by_word, word);
		uint32_t best = UINT32_MAX;
		for (uint32_t at = head ? *head : UINT32_MAX; at != UINT32_MAX; at = k->next.items[at]) {
			struct text term = k->terms.items[at].term;
			size_t behind = i + term.len, next = behind;
			if (behind > t.len || memcmp(t.at + i, term.at, term.len) ||
			    (behind < t.len && utf8_is_word(utf8_next(t, &next))))
				continue;
			if (best == UINT32_MAX || term.len > k->terms.items[best].term.len)
				best = at;
		}
		if (best != UINT32_MAX)
			k->terms.items[best].uses++;
		i += best != UINT32_MAX ? k->terms.items[best].term.len : word.len;
	}
}

static void add_label(void *to, struct text path, uint32_t p)
{
	struct check *k = to;

	(void)p;
	if (!map_find(&k->labels, path))
		map_at(&k->labels, text_copy(k->c->arena, path), 1, NULL);
}

static bool surplus(struct text t)
{
	int open = 0;

	for (size_t i = 0; i < t.len; i++)
		open += (t.at[i] == '(') - (t.at[i] == ')');
	return open < 0;
}

/* Where the number of a reference begins, if the stem of its word ("ection", "lause") is at `at`; 0 for any other word.
 * The sign § is ignored, because it cites laws. */
static size_t number_behind(struct text t, size_t at, struct text stem)
{
	const char *first = stem.at[0] == 'e' ? "Ss" : "Cc";
	size_t i = at + stem.len;

	if (!at || !memchr(first, t.at[at - 1], 2) ||
	    (at > 1 && ((t.at[at - 2] | 32) >= 'a' && (t.at[at - 2] | 32) <= 'z')))
		return 0;
	i += i < t.len && t.at[i] == 's';
	struct text rest = text_slice(t, i, t.len);
	size_t space = text_starts(rest, " ") ? 1 : text_starts(rest, "\xC2\xA0") ? 2 : 0;
	return space ? i + space : 0;
}

/* Checks one reference to this document. A reference to another text ("of the Code") is not checked. Returns where it
 * ends. */
static size_t check_section(struct check *k, struct text t, size_t word, size_t from, const char *id)
{
	size_t end = from;

	while (end < t.len && ((t.at[end] && strchr("0123456789.()", t.at[end])) ||
			       (end > from && t.at[end - 1] == '(' && t.at[end] >= 'a' && t.at[end] <= 'z') ||
			       (end > from + 1 && t.at[end] >= 'a' && t.at[end] <= 'z' && t.at[end - 1] >= 'a' &&
				t.at[end - 1] <= 'z')))
		end++;
	/* A point at the end belongs to the sentence, and a bracket that was not opened here to the text around the
	 * reference. */
	while (end > from && (t.at[end - 1] == '.' || t.at[end - 1] == '(' ||
			      (t.at[end - 1] == ')' && surplus(text_slice(t, from, end)))))
		end--;
	struct text path = label_path(k->scratch, text_slice(t, from, end));
	struct text rest = text_slice(t, end, t.len);
	/* Regulations are cited as 1.704-1. */
	bool is_foreign = text_starts(rest, "-") || (text_starts(rest, " of ") && !text_starts(rest, " of this"));
	bool is_known = !path.len || map_find(&k->labels, path);
	if (!is_known && !is_foreign && memchr(path.at, '.', path.len))
		tell(k, "dangling_reference", id,
		     text_format(k->scratch, "%.*s: no paragraph has this number",
				 TEXT_ARGS(text_slice(t, word, end))));
	return end;
}

static void check_sections(struct check *k, struct text t, const char *id)
{
	static const struct text stems[] = {{"ection", 6}, {"lause", 5}};

	for (size_t i = 0; i < ARRAY_COUNT(stems) && k->labels.n; i++)
		for (size_t at = 0; (at = text_find(t, stems[i], at)) != SIZE_MAX;) {
			size_t from = number_behind(t, at, stems[i]);
			at = from ? check_section(k, t, at - 1, from, id) : at + stems[i].len;
		}
	if (text_find(t, TEXT("Reference source not found"), 0) != SIZE_MAX)
		tell(k, "broken_reference", id, TEXT("Error! Reference source not found"));
}

/* REF, PAGEREF and NOTEREF name a bookmark. */
static void check_fields(struct check *k, const struct atoms *p, const char *id)
{
	static const char *const names[] = {"REF ", "PAGEREF ", "NOTEREF "};

	for (uint32_t i = 0; i < p->fields_n; i++) {
		struct text code = text_trim(p->fields[i].code);
		for (size_t n = 0; n < ARRAY_COUNT(names); n++) {
			if (!text_starts(code, names[n]))
				continue;
			struct text rest = text_trim(text_slice(code, strlen(names[n]), code.len));
			size_t end = 0;
			while (end < rest.len && rest.at[end] != ' ')
				end++;
			struct text name = text_slice(rest, 0, end);
			if (name.len && name.at[0] != '\\' && !map_find(&k->bookmarks, name))
				tell(k, "dangling_field", id,
				     text_format(k->scratch, "%.*s: there is no bookmark %.*s", TEXT_ARGS(code),
						 TEXT_ARGS(name)));
		}
	}
}

struct hidden_row {
	struct check *check;
	const char *id;
};

static void tell_hidden(void *of, const char *sort, struct text words)
{
	struct hidden_row *h = of;

	tell(h->check, sort, h->id, words);
}

/* Terms are defined in the body. They may be used in any story. */
static bool read_terms(struct check *k)
{
	struct call *c = k->c;
	struct arena *own = c->arena;
	struct rows_walk w;

	if (!rows_begin(c, k->s, SCOPE_BODY, &w))
		return false;
	while (rows_next(&w)) {
		const char *id = story_id(c, w.story, w.paragraph);
		arena_reset(k->scratch);
		c->arena = k->scratch;
		struct text t = story_text(c, w.story, w.paragraph);
		c->arena = own;
		find_terms(k, t, id);
		if (!(w.number % 256) && !goes_on(c))
			return false;
	}
	return true;
}

static bool read_rows(struct check *k)
{
	struct rows_walk w;

	if (!rows_begin(k->c, k->s, SCOPE_ALL, &w))
		return false;
	w.scratch = k->scratch;
	for (size_t i = 0; i <= k->s->stories_n; i++) {
		const struct story *story = i ? k->s->stories[i - 1] : k->s->body;
		for (size_t b = 0; b < story->bookmarks.n; b++)
			map_at(&k->bookmarks, story->bookmarks.items[b].name, 1, NULL);
	}
	while (rows_next(&w)) {
		struct row row;
		const char *id = story_id(k->c, w.story, w.paragraph);
		if (!rows_row(&w, &row) || (!(w.number % 256) && !goes_on(k->c)))
			return false;
		count_uses(k, row.all);
		check_sections(k, row.all, id);
		check_fields(k, &row.atoms, id);
		hidden_each(k->scratch, &row, tell_hidden, &(struct hidden_row){k, id});
	}
	return true;
}

static struct objects page_of(struct term_row *rows, size_t n, int64_t first)
{
	size_t from = (uint64_t)first < n ? (size_t)first : n;

	return (struct objects){rows + from, n - from < PAGE ? n - from : PAGE};
}

static bool check_document(struct call *c, const void *in, void *out)
{
	const struct check_args *args = in;
	struct check_answer *answer = out;
	scoped(session_leave) struct session *s = NULL;
	scoped(arena_free) struct arena scratch = {0};

	if (!session_enter(c, &args->target, &s, &answer->session))
		return false;
	struct check k = {.c = c,
			  .s = s,
			  .scratch = &scratch,
			  .first = args->offset,
			  .by_term = {.arena = c->arena},
			  .by_word = {.arena = c->arena},
			  .labels = {.arena = c->arena},
			  .bookmarks = {.arena = c->arena}};
	session_labels(c, s, add_label, &k);
	if (!read_terms(&k) || !read_rows(&k))
		return false;
	/* The definition itself does not count as a use. */
	for (size_t i = 0; i < k.terms.n; i++)
		if (!k.terms.items[i].uses || !--k.terms.items[i].uses)
			tell(&k, "unused_term", k.terms.items[i].para_id.at, k.terms.items[i].term);
	answer->total_terms = (int64_t)k.terms.n;
	answer->terms = page_of(k.terms.items, k.terms.n, args->offset);
	answer->problems = (struct objects){k.problems.items, k.problems.n};
	answer->total_problems = k.total_problems;
	if (args->offset + PAGE < (int64_t)k.terms.n || args->offset + PAGE < k.total_problems)
		answer->next_offset = (struct maybe_int){args->offset + PAGE, true};
	return true;
}

const struct tool docx_check_tools[] = {
	TOOL("check_document", "Check terms and references",
	     "Lists defined terms with how often they are used, and problems: terms never used or defined twice, fields and "
	     "section numbers that lead nowhere, text that people do not see. Headers, footers, notes and comments are checked too.",
	     TOOL_READS | TOOL_EXTRA, struct check_args, check_in, struct check_answer, check_out, check_document,
	     .example = "{\"file_path\":\"contract.docx\"}"),
	TOOLS_END,
};
