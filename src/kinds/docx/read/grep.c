/* grep: regular expressions over the visible text of paragraphs. */
#include "base/pattern.h"
#include "base/utf8.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/read/hidden.h"
#include "kinds/docx/read/view.h"
#include "kinds/docx/text/composed.h"
#include "tool/reply.h"

enum { PATTERNS_MAX = 20 };

struct grep_args {
	struct target target;
	struct texts patterns;
	struct text pattern;
	bool case_sensitive, whole_word, dedupe_by_paragraph;
	int64_t max_results, context_chars;
	int scope;
};
static const struct field grep_in[] = {
	TARGET_FIELDS(struct grep_args),
	FIELD(struct grep_args, patterns, TEXTS, FIELD_LATE, "Regular expressions", .limits = AT_MOST(PATTERNS_MAX),
	      .more = RARE{.item_limits = AT_MOST(1000)}),
	FIELD(struct grep_args, pattern, TEXT, FIELD_HIDDEN, "One regular expression", .limits = AT_MOST(1000)),
	FIELD(struct grep_args, case_sensitive, FLAG, FIELD_TERSE, "Upper and lower case differ", .otherwise = "false"),
	FIELD(struct grep_args, whole_word, FLAG, FIELD_TERSE, "Whole words only", .otherwise = "false"),
	FIELD(struct grep_args, max_results, INT, FIELD_TERSE, "Most matches listed", .limits = BETWEEN(1, 1000),
	      .otherwise = "100"),
	FIELD(struct grep_args, context_chars, INT, FIELD_TERSE, "Characters shown on each side",
	      .limits = BETWEEN(0, 2000), .otherwise = "50"),
	FIELD(struct grep_args, dedupe_by_paragraph, FLAG, FIELD_TERSE, "List a paragraph once", .otherwise = "true"),
	FIELD(struct grep_args, scope, CHOICE, FIELD_TERSE, "Part of the document", .choices = scope_names,
	      .otherwise = "\"body\""),
	FIELDS_END,
};

struct grep_match {
	struct text para_id;
	int64_t para_index_1based;
	struct text list_label, header;
	int64_t match_count_in_paragraph;
	struct text match_text, context;
};
static const struct field match_fields[] = {
	FIELD(struct grep_match, para_id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Id of the paragraph"),
	FIELD(struct grep_match, para_index_1based, INT, FIELD_REQUIRED | FIELD_TERSE, "Its row in read_file"),
	FIELD(struct grep_match, list_label, TEXT, FIELD_TERSE | FIELD_EMPTY, "Its label"),
	FIELD(struct grep_match, header, TEXT, FIELD_TERSE | FIELD_EMPTY, "Its header"),
	FIELD(struct grep_match, match_count_in_paragraph, INT, FIELD_REQUIRED | FIELD_TERSE, "Hits in it"),
	FIELD(struct grep_match, match_text, TEXT, FIELD_REQUIRED | FIELD_TERSE | FIELD_EMPTY, "What was found"),
	FIELD(struct grep_match, context, TEXT, FIELD_REQUIRED | FIELD_TERSE | FIELD_EMPTY, "With its surroundings"),
	FIELDS_END,
};
static const struct shape match_shape = SHAPE(struct grep_match, "match", match_fields);

struct grep_answer {
	struct session_facts session;
	int64_t total_matches, paragraphs_with_matches;
	struct objects matches;
	bool matches_truncated;
};
static const struct field grep_out[] = {
	SESSION_FIELDS(struct grep_answer),
	FIELD(struct grep_answer, total_matches, INT, FIELD_REQUIRED | FIELD_TERSE, "All hits, listed or not"),
	FIELD(struct grep_answer, paragraphs_with_matches, INT, FIELD_REQUIRED | FIELD_TERSE,
	      "Paragraphs that have one"),
	FIELD(struct grep_answer, matches, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Hits in document order",
	      .shape = &match_shape),
	FIELD(struct grep_answer, matches_truncated, FLAG, FIELD_REQUIRED | FIELD_TERSE, "Not all are listed"),
	FIELDS_END,
};

struct grep {
	struct call *c;
	const struct grep_args *args;
	struct pattern *patterns[PATTERNS_MAX]; /* with their letters composed */
	struct pattern *written[PATTERNS_MAX];  /* as the caller wrote them; NULL: the same */
	size_t n;
	ARRAY(struct grep_match) list;
	size_t bytes;
	bool is_full;
	struct hidden_places unseen;
};

static bool compile(struct grep *g)
{
	const struct grep_args *args = g->args;
	struct texts all = args->patterns;
	struct text one = args->pattern;

	if (!all.n && one.at)
		all = (struct texts){&one, 1};
	if (!all.n)
		return fail_as(g->c, "MISSING_PATTERN",
			       "no pattern is given; pass patterns, a list of regular expressions");
	for (size_t i = 0; i < all.n; i++) {
		struct text source = all.items[i];
		if (!source.len)
			return fail_as(g->c, "MISSING_PATTERN", "pattern %zu is empty; give it at least one character",
				       i + 1);
		if (args->whole_word)
			source = text_format(g->c->arena, "\\b(?:%.*s)\\b", TEXT_ARGS(source));
		struct composed k = composed_of(g->c->arena, source);
		g->patterns[g->n] = pattern_new(g->c, k.text, !args->case_sensitive);
		g->written[g->n] = k.n ? pattern_new(g->c, source, !args->case_sensitive) : NULL;
		if (!g->patterns[g->n] || (k.n && !g->written[g->n])) {
			const char *why = g->c->error.message;
			return fail_as(g->c, "INVALID_PATTERN",
				       "pattern %zu: %s; write \\ before a character to mean it literally", i + 1, why);
		}
		g->n++;
	}
	return true;
}

static size_t back(struct text t, size_t at, int64_t n)
{
	while (at && n-- > 0)
		while (at && ((unsigned char)t.at[--at] & 0xC0) == 0x80)
			;
	return at;
}

static size_t onward(struct text t, size_t at, int64_t n)
{
	while (at < t.len && n-- > 0)
		utf8_next(t, &at);
	return at;
}

static struct text context_of(const struct grep *g, struct text t, size_t from, size_t to)
{
	size_t start = back(t, from, g->args->context_chars), end = onward(t, to, g->args->context_chars);
	struct text inner = text_slice(t, start, end);

	return text_format(g->c->arena, "%s%.*s%s", start ? "..." : "", TEXT_ARGS(inner), end < t.len ? "..." : "");
}

static void list_match(struct grep *g, struct rows_walk *w, const struct row *r, struct text t, size_t from, size_t to)
{
	struct grep_match *m;

	if (g->is_full)
		return;
	if ((int64_t)g->list.n == g->args->max_results || g->bytes > answer_room(g->c)) {
		g->is_full = true;
		return;
	}
	m = ARRAY_PUSH(g->c->arena, &g->list);
	struct text found = text_slice(t, from, to);
	found.len = found.len > 1000 ? utf8_cut(found, 1000) : found.len;
	*m = (struct grep_match){.para_id = text_of(story_id(g->c, w->story, w->paragraph)),
				 .para_index_1based = (int64_t)w->number,
				 .list_label = r->label,
				 .header = r->header,
				 .match_text = found,
				 .context = context_of(g, t, from, to)};
	if (m->context.len > 6000)
		m->context.len = utf8_cut(m->context, 6000);
	g->bytes += m->context.len + m->match_text.len + m->header.len + 160;
}

/* A paragraph that is searched. */
struct searched {
	struct rows_walk *walk;
	struct text text;
	struct composed composed; /* of `text` */
	struct row row;           /* made at the first hit */
	int64_t hits;
};

static bool note_hit(struct grep *g, struct searched *p, size_t from, size_t to)
{
	if (!p->hits && !g->is_full && !rows_row(p->walk, &p->row))
		return false;
	if (!p->hits++ || !g->args->dedupe_by_paragraph)
		list_match(g, p->walk, &p->row, p->text, from, to);
	return true;
}

static bool completes_at(struct text t, size_t at) { return at < t.len && utf8_completes(utf8_next(t, &at)); }

/* Searches the composed text: a hit is extended to include the marks of its last letter. Or searches the text as it is:
 * a hit that cuts off such marks does not count. */
static bool search(struct grep *g, struct searched *p, struct pattern *pattern, bool composed)
{
	struct text t = composed ? p->composed.text : p->text;
	size_t from, to, whole = 0; /* end of the last letter that was checked */
	int found;

	for (size_t at = 0; (found = pattern_find(g->c, pattern, t, at, &from, &to)) > 0;) {
		size_t start = from, end = to;
		if (composed && to > from) {
			for (end = whole > to ? whole : to; completes_at(t, end);)
				end = onward(t, end, 1);
			whole = end;
		}
		bool is_torn = end > start && completes_at(t, end);
		if (composed)
			composed_source(&p->composed, &start, &end);
		if (!is_torn && !note_hit(g, p, start, end))
			return false;
		/* An empty match counts. The search continues after the next character. */
		at = to > from ? to : onward(t, to, 1);
		if (at >= t.len)
			break;
	}
	return found >= 0;
}

static bool search_paragraph(struct grep *g, struct rows_walk *w, struct grep_answer *answer)
{
	struct text t = story_text(g->c, w->story, w->paragraph);
	struct searched p = {.walk = w, .text = t, .composed = composed_of(g->c->arena, t)};
	size_t first = g->list.n;

	for (size_t i = 0; i < g->n; i++) {
		int64_t before = p.hits;
		if (!search(g, &p, g->patterns[i], true))
			return false;
		/* The pattern may search for the marks themselves, so it is tried on the text as it is too. */
		bool differs = p.composed.n || g->written[i];
		if (p.hits == before && differs &&
		    !search(g, &p, g->written[i] ? g->written[i] : g->patterns[i], false))
			return false;
	}
	for (size_t i = first; i < g->list.n; i++)
		g->list.items[i].match_count_in_paragraph = p.hits;
	if (g->list.n > first)
		hidden_note(g->c, &g->unseen, &p.row);
	answer->total_matches += p.hits;
	answer->paragraphs_with_matches += p.hits > 0;
	return true;
}

static bool grep(struct call *c, const void *in, void *out)
{
	const struct grep_args *args = in;
	struct grep_answer *answer = out;
	scoped(session_leave) struct session *s = NULL;
	struct grep g = {.c = c, .args = args};
	struct rows_walk w;

	if (!compile(&g) || !session_enter(c, &args->target, &s, &answer->session) ||
	    !rows_begin(c, s, (enum scope)args->scope, &w))
		return false;
	while (rows_next(&w)) {
		if (!search_paragraph(&g, &w, answer))
			return false;
		if (!(w.number % 256) && !goes_on(c))
			return false;
	}
	answer->matches = (struct objects){g.list.items, g.list.n};
	answer->matches_truncated = g.is_full;
	hidden_warn(c, &g.unseen);
	return true;
}

const struct tool docx_grep_tools[] = {
	TOOL("grep", "Search a Word document",
	     "Finds paragraphs by regular expressions over their visible text, and returns their ids with the words around "
	     "each match. Runs, fields and links do not interrupt the text.",
	     TOOL_READS, struct grep_args, grep_in, struct grep_answer, grep_out, grep,
	     .example = "{\"file_path\":\"contract.docx\",\"patterns\":[\"thirty \\\\(30\\\\) days\"]}"),
	TOOLS_END,
};
