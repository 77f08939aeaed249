#include "kinds/docjl/tools/coverage.h"

#include "kinds/docjl/export/export.h"
#include "kinds/docjl/export/words.h"

bool coverage_find(struct manual *m, struct text csv, struct clauses *out)
{
	struct call *c = m->c;
	struct uids noted = {0};
	struct text why;
	struct tree t;

	if (!clauses_read(c->arena, csv, out, &why))
		return fail(c, FAULT_ARGUMENT, "clauses must be CSV with the columns clause and title: %.*s",
			    TEXT_ARGS(why));
	struct query q = query_on(m->t, "SELECT uid FROM body WHERE doc = ?1 AND note = 1 ORDER BY uid");
	bind_int(&q, m->doc);
	while (query_row(&q))
		*ARRAY_PUSH(c->arena, &noted.items) = query_int(&q, 0);
	query_end(&q);
	if (noted.items.n && !tree_read_part(m, &noted, 1, &t))
		return false;
	for (size_t i = 0; i < noted.items.n && goes_on(c); i++) {
		uint32_t at = tree_at(&t, noted.items.items[i]);
		if (at == TREE_NONE)
			continue;
		struct text label = t.nodes.items[at].label;
		clauses_see(out, json_text(json_get(tree_stored(&t, at), "compliance_note")),
			    label.at ? label : TEXT("(no label)"));
	}
	return manual_is_sound(m) && goes_on(c);
}

void coverage_page(struct call *c, struct buffer *to, const struct clauses *list, struct text document)
{
	struct text heading = text_format(c->arena, "Coverage of clauses by %.*s", TEXT_ARGS(document));

	html_open(to, heading, TEXT(""), words_in((struct text){0})->page);
	buffer_put(to, "<h1>");
	html_text(to, heading);
	buffer_put(to, "</h1>\n<table>\n<tr><th>Clause</th><th>Title</th><th>State</th><th>Blocks</th></tr>\n");
	for (size_t i = 0; i < list->items.n; i++) {
		const struct clause *k = &list->items.items[i];
		buffer_put(to, "<tr><td>");
		html_text(to, k->number);
		buffer_put(to, "</td><td>");
		html_text(to, k->title);
		buffer_format(to, "</td><td>%s</td><td>", clause_states[clause_state(k)]);
		for (size_t n = 0; n < k->labels.n; n++) {
			buffer_put(to, n ? ", " : "");
			html_text(to, k->labels.items[n]);
		}
		if (k->named > (int64_t)k->labels.n)
			buffer_format(to, " and %lld more", (long long)(k->named - (int64_t)k->labels.n));
		buffer_put(to, "</td></tr>\n");
	}
	buffer_put(to, "</table>\n</body>\n</html>\n");
}

struct coverage_args {
	struct text document_id, clauses;
};
static const struct field coverage_in[] = {
	DOCUMENT_ID(struct coverage_args),
	FIELD(struct coverage_args, clauses, TEXT, FIELD_REQUIRED,
	      "The clauses of a standard as CSV with the columns clause,title, such as \"8.3,Control of documents\"",
	      .limits = BETWEEN(1, 1 << 20)),
	FIELDS_END,
};
struct coverage_row {
	struct text clause, title, state;
	struct texts labels;
	struct maybe_int blocks;
};
static const struct field row_out[] = {
	FIELD(struct coverage_row, clause, TEXT, FIELD_REQUIRED, ""),
	FIELD(struct coverage_row, title, TEXT, FIELD_REQUIRED | FIELD_EMPTY, ""),
	FIELD(struct coverage_row, state, TEXT, FIELD_REQUIRED,
	      "covered, partly (only clauses below it are named) or missing"),
	FIELD(struct coverage_row, labels, TEXTS, 0, "The first blocks that name it"),
	FIELD(struct coverage_row, blocks, MAYBE_INT, 0, "How many, if there are more"),
	FIELDS_END,
};
static const struct shape row_shape = SHAPE(struct coverage_row, "clause", row_out);
struct coverage_answer {
	int64_t covered, partly, missing;
	struct objects clauses;
};
static const struct field coverage_out[] = {
	FIELD(struct coverage_answer, covered, INT, FIELD_REQUIRED, ""),
	FIELD(struct coverage_answer, partly, INT, FIELD_REQUIRED, ""),
	FIELD(struct coverage_answer, missing, INT, FIELD_REQUIRED, ""),
	FIELD(struct coverage_answer, clauses, OBJECTS, FIELD_REQUIRED, "", .shape = &row_shape),
	FIELDS_END,
};

static bool coverage(struct call *c, const void *in, void *out)
{
	const struct coverage_args *args = in;
	struct coverage_answer *answer = out;
	struct clauses list;
	struct manual m;
	int64_t counts[CLAUSE_STATES] = {0};

	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	bool done = coverage_find(&m, args->clauses, &list);
	manual_close(&m);
	if (!done)
		return false;
	struct coverage_row *rows = arena_array(c->arena, list.items.n, sizeof *rows);
	for (size_t i = 0; i < list.items.n; i++) {
		const struct clause *k = &list.items.items[i];
		enum clause_state state = clause_state(k);
		counts[state]++;
		rows[i] = (struct coverage_row){k->number,
						k->title,
						text_of(clause_states[state]),
						{k->labels.items, k->labels.n},
						{k->named, k->named > (int64_t)k->labels.n}};
	}
	*answer = (struct coverage_answer){
		counts[CLAUSE_COVERED], counts[CLAUSE_PARTLY], counts[CLAUSE_MISSING], {rows, list.items.n}};
	return true;
}

const struct tool docjl_coverage_tools[] = {
	TOOL("mcp_docjl_coverage", "Check clause coverage",
	     "Compares the clauses of a standard with the compliance notes of a manual: covered, partly or missing.",
	     TOOL_READS | TOOL_EXTRA, struct coverage_args, coverage_in, struct coverage_answer, coverage_out,
	     coverage),
	TOOLS_END,
};
