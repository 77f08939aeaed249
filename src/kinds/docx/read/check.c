/* check_document: defined terms and how they are used, references that lead nowhere, hidden text. */
#include "base/utf8.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/read/view.h"
#include "kinds/docx/surgeon/definition.h"
#include "tool/reply.h"

#include <string.h>
#include <strings.h>

#define scoped(drop) __attribute__((cleanup(drop)))

enum { TERMS_MAX = 1000, TERM_LEN = 80, PROBLEMS_MAX = 200, SHOWN_TERMS = 300 };

struct check_args {
	struct target target;
};
static const struct field check_in[] = {TARGET_FIELDS(struct check_args), FIELDS_END};

struct term_row {
	struct text term, para_id;
	int64_t uses;
};
static const struct field term_fields[] = {
	FIELD(struct term_row, term, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The defined term"),
	FIELD(struct term_row, para_id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Where it is defined"),
	FIELD(struct term_row, uses, INT, FIELD_REQUIRED | FIELD_TERSE, "How often it stands besides its definition"),
	FIELDS_END,
};
static const struct shape term_shape = SHAPE(struct term_row, "term", term_fields);

struct problem_row {
	struct text problem, para_id, detail;
};
static const struct field problem_fields[] = {
	FIELD(struct problem_row, problem, TEXT, FIELD_REQUIRED | FIELD_TERSE,
	      "unused_term, term_defined_twice, dangling_field, dangling_reference, broken_reference, hidden_text, white_text or tiny_text"),
	FIELD(struct problem_row, para_id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Where"),
	FIELD(struct problem_row, detail, TEXT, FIELD_REQUIRED | FIELD_TERSE | FIELD_EMPTY, "What"),
	FIELDS_END,
};
static const struct shape problem_shape = SHAPE(struct problem_row, "problem", problem_fields);

struct check_answer {
	struct session_facts session;
	struct objects terms, problems;
	int64_t total_terms, total_problems;
};
static const struct field check_out[] = {
	SESSION_FIELDS(struct check_answer),
	FIELD(struct check_answer, terms, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Defined terms, at most 300",
	      .shape = &term_shape),
	FIELD(struct check_answer, problems, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "At most 200",
	      .shape = &problem_shape),
	FIELD(struct check_answer, total_terms, INT, FIELD_REQUIRED | FIELD_TERSE, "Terms in all"),
	FIELD(struct check_answer, total_problems, INT, FIELD_REQUIRED | FIELD_TERSE, "Problems in all"),
	FIELDS_END,
};

struct check {
	struct call *c;
	struct session *s;
	ARRAY(struct term_row) terms;
	struct map by_term;
	struct map by_word; /* first words of terms: to the first such term; `next` links the others */
	ARRAY(uint32_t) next;
	ARRAY(struct problem_row) problems;
	int64_t total_problems;
	struct map labels, bookmarks;
};

static void tell(struct check *k, const char *problem, const char *id, struct text detail)
{
	if (k->total_problems++ >= PROBLEMS_MAX)
		return;
	detail.len = detail.len > 160 ? utf8_cut(detail, 160) : detail.len;
	*ARRAY_PUSH(k->c->arena, &k->problems) =
		(struct problem_row){text_of(problem), text_copy(k->c->arena, text_of(id)), detail};
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

static void add_term(struct check *k, struct text term, const char *id)
{
	struct arena *a = k->c->arena;
	bool was;

	term = text_trim(term);
	while (term.len && strchr(",.;:", term.at[term.len - 1]))
		term.len--;
	if (!term.len || term.len > TERM_LEN || !first_word(term).len || k->terms.n == TERMS_MAX)
		return;
	uint32_t *known = map_at(&k->by_term, term, (uint32_t)k->terms.n, &was);
	if (was) {
		if (!text_is(k->terms.items[*known].para_id, id))
			tell(k, "term_defined_twice", id,
			     text_format(a, "“%.*s” is defined in %.*s too", TEXT_ARGS(term),
					 TEXT_ARGS(k->terms.items[*known].para_id)));
		return;
	}
	uint32_t index = (uint32_t)k->terms.n;
	*ARRAY_PUSH(a, &k->terms) = (struct term_row){term, text_copy(a, text_of(id)), 0};
	*ARRAY_PUSH(a, &k->next) = UINT32_MAX;
	uint32_t *head = map_at(&k->by_word, first_word(term), index, &was);
	if (was) {
		k->next.items[index] = *head;
		*head = index;
	}
}

/* (the “Term”), (each, a “Term” and together the “Terms”): quoted words inside brackets that close right behind. */
static void bracketed_terms(struct check *k, const struct runes *r, const char *id)
{
	uint32_t depth = 0, open = UINT32_MAX;

	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t ch = r->at[i];
		depth += ch == '(';
		if (ch == ')' && depth)
			depth--;
		if (!rune_is_double_quote(ch) || !depth)
			continue;
		if (open == UINT32_MAX || i - open > TERM_LEN) {
			open = i;
			continue;
		}
		struct text term = runes_slice(r, open + 1, i);
		if (term.len && term.at[0] >= 'A' && term.at[0] <= 'Z')
			add_term(k, term, id);
		open = UINT32_MAX;
	}
}

static void find_terms(struct check *k, struct text t, const char *id)
{
	struct definition *list;

	if (!text_is_blank(t)) {
		struct runes r = runes_of(k->c->arena, t);
		size_t n = definitions_possible(t) ? definitions_find(k->c->arena, &r, &list) : 0;
		for (size_t i = 0; i < n; i++)
			add_term(k, runes_slice(&r, list[i].from, list[i].to), id);
		bracketed_terms(k, &r, id);
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
	map_at(&k->labels, path, 1, NULL);
}

static bool surplus(struct text t)
{
	int open = 0;

	for (size_t i = 0; i < t.len; i++)
		open += (t.at[i] == '(') - (t.at[i] == ')');
	return open < 0;
}

/* "Section 4.2(b)" of this document; one of another ("of the Code") is not ours to judge. */
static void check_sections(struct check *k, struct text t, const char *id)
{
	static const struct text word = {"Section ", 8};

	for (size_t at = 0; k->labels.n && (at = text_find(t, word, at)) != SIZE_MAX;) {
		size_t from = at + word.len, end = from;
		while (end < t.len && (strchr("0123456789.()", t.at[end]) ||
				       (end > from && t.at[end - 1] == '(' && t.at[end] >= 'a' && t.at[end] <= 'z') ||
				       (end > from + 1 && t.at[end] >= 'a' && t.at[end] <= 'z' &&
					t.at[end - 1] >= 'a' && t.at[end - 1] <= 'z')))
			end++;
		/* A point ends the sentence, a bracket that was not opened here ends what stands around the reference.
		 */
		while (end > from && (t.at[end - 1] == '.' || t.at[end - 1] == '(' ||
				      (t.at[end - 1] == ')' && surplus(text_slice(t, from, end)))))
			end--;
		struct text path = label_path(k->c->arena, text_slice(t, from, end));
		struct text rest = text_slice(t, end, t.len);
		/* Regulations are cited as 1.704-1. */
		bool is_foreign =
			text_starts(rest, "-") || (text_starts(rest, " of ") && !text_starts(rest, " of this"));
		bool is_known = !path.len || map_find(&k->labels, path);
		if (!is_known && !is_foreign && memchr(path.at, '.', path.len))
			tell(k, "dangling_reference", id,
			     text_format(k->c->arena, "Section %.*s: no paragraph has this number", TEXT_ARGS(path)));
		at = end > at ? end : at + word.len;
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
				     text_format(k->c->arena, "%.*s: there is no bookmark %.*s", TEXT_ARGS(code),
						 TEXT_ARGS(name)));
		}
	}
}

/* Text that a reader of the printed page does not see: hidden, white, or of no size. White may stand on a dark cell. */
static void check_hidden(struct check *k, const struct row *r, const char *id)
{
	if (r->atoms.hidden.len)
		tell(k, "hidden_text", id, r->atoms.hidden);
	for (size_t i = 0; i < r->runs_n; i++) {
		const struct run_properties *look = &r->runs[i].look;
		struct text t = text_slice(r->all, r->runs[i].from, r->runs[i].to);
		bool is_white = look->color.len == 6 && !strncasecmp(look->color.at, "ffffff", 6);
		bool is_tiny = look->size > 0 && look->size <= 2;
		if (!text_is_blank(t) && (is_white || is_tiny))
			tell(k, is_white ? "white_text" : "tiny_text", id, t);
	}
}

static bool check_document(struct call *c, const void *in, void *out)
{
	const struct check_args *args = in;
	struct check_answer *answer = out;
	scoped(session_leave) struct session *s = NULL;
	struct rows_walk w;

	if (!session_enter(c, &args->target, &s, &answer->session) || !rows_begin(c, s, SCOPE_BODY, &w))
		return false;
	struct check k = {.c = c,
			  .s = s,
			  .by_term = {.arena = c->arena},
			  .by_word = {.arena = c->arena},
			  .labels = {.arena = c->arena},
			  .bookmarks = {.arena = c->arena}};
	session_labels(c, s, add_label, &k);
	for (size_t i = 0; i < s->body->bookmarks.n; i++)
		map_at(&k.bookmarks, s->body->bookmarks.items[i].name, 1, NULL);
	while (rows_next(&w)) {
		struct row row;
		const char *id = story_id(c, w.story, w.paragraph);
		if (!rows_row(&w, &row) || (!(w.number % 256) && !goes_on(c)))
			return false;
		find_terms(&k, row.all, id);
		check_sections(&k, row.all, id);
		check_fields(&k, &row.atoms, id);
		check_hidden(&k, &row, id);
	}
	if (!rows_begin(c, s, SCOPE_BODY, &w))
		return false;
	while (rows_next(&w))
		count_uses(&k, story_text(c, w.story, w.paragraph));
	/* The definition itself is no use. */
	for (size_t i = 0; i < k.terms.n; i++)
		if (!k.terms.items[i].uses || !--k.terms.items[i].uses)
			tell(&k, "unused_term", k.terms.items[i].para_id.at, k.terms.items[i].term);
	answer->total_terms = (int64_t)k.terms.n;
	answer->terms = (struct objects){k.terms.items, k.terms.n < SHOWN_TERMS ? k.terms.n : SHOWN_TERMS};
	answer->problems = (struct objects){k.problems.items, k.problems.n};
	answer->total_problems = k.total_problems;
	return true;
}

const struct tool docx_check_tools[] = {
	TOOL("check_document", "Check terms and references",
	     "Lists defined terms with how often they are used, and problems: terms never used or defined twice, fields and "
	     "section numbers that lead nowhere, hidden text.",
	     TOOL_READS | TOOL_EXTRA, struct check_args, check_in, struct check_answer, check_out, check_document,
	     .example = "{\"file_path\":\"contract.docx\"}"),
	TOOLS_END,
};
