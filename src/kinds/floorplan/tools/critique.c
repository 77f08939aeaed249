/* critique.c: critique_floorplan: the weaknesses of a building after this plan. */
#include "kinds/floorplan/tools/answer.h"
#include "kinds/floorplan/edit/fix.h"
#include "kinds/floorplan/kind.h"
#include "kinds/floorplan/language/problem.h"
#include "kinds/floorplan/state.h"

#include <math.h>

struct critique_args {
	struct text dsl, file_path, floor;
	int severity;
	int64_t first;
	bool fixes;
};

struct finding_row {
	struct text rule, message, source, floor;
	int severity;
	const struct point *at;
	struct texts rooms;
	int64_t line, column;
	const struct json *fix;
};

struct severity_counts {
	int64_t errors, warnings, infos;
};

struct critique_answer {
	bool success;
	const struct severity_counts *counts;
	struct objects findings;
	struct maybe_int next;
};

/* A finding has about 450 bytes. */
enum { FINDINGS_LISTED = 80 };

static const struct field critique_in[] = {
	DSL_ROW(struct critique_args),
	FILE_ROW(struct critique_args),
	FIELD(struct critique_args, severity, CHOICE, FIELD_TERSE, "Minimum severity that is listed",
	      .choices = CHOICES_OF(SEVERITY), .otherwise = "\"info\""),
	FIELD(struct critique_args, floor, TEXT, FIELD_TERSE, "List only the findings of this floor"),
	FIELD(struct critique_args, fixes, FLAG, FIELD_UNLISTED,
	      "Try operations that remove a finding; each reads the plan again", .otherwise = "true"),
	FIELD(struct critique_args, first, INT, FIELD_UNLISTED,
	      "Index of the first finding to list: next of the last answer", .otherwise = "0", .limits = AT_LEAST(0)),
	FIELDS_END};

static const struct field finding_fields[] = {
	FIELD(struct finding_row, rule, TEXT, FIELD_REQUIRED, "Name of the rule"),
	FIELD(struct finding_row, severity, CHOICE, FIELD_REQUIRED,
	      "error: cannot be used so; warning: a flaw; info: worth a look", .choices = CHOICES_OF(SEVERITY)),
	FIELD(struct finding_row, message, TEXT, FIELD_REQUIRED, "What was found, with figures in the plan's unit"),
	FIELD(struct finding_row, source, TEXT, FIELD_REQUIRED, "Where the rule comes from"),
	FIELD(struct finding_row, floor, TEXT, 0, "The floor it is on"),
	FIELD(struct finding_row, at, OBJECT, 0, "Where on the floor", .shape = &point_answer),
	FIELD(struct finding_row, rooms, TEXTS, 0, "Rooms, stairs, or doors as ROOM-ROOM that it is about"),
	FIELD(struct finding_row, line, INT, FIELD_REQUIRED, "Line of the statement, from 1"),
	FIELD(struct finding_row, column, INT, FIELD_REQUIRED, "Column in characters, from 1"),
	FIELD(struct finding_row, fix, MAP, 0,
	      "An operation for modify_floorplan that was tried: it removes the finding and adds none"),
	FIELDS_END};
static const struct shape finding_shape = SHAPE(struct finding_row, "finding", finding_fields);

static const struct field count_fields[] = {
	FIELD_AS("error", struct severity_counts, errors, INT, FIELD_REQUIRED, "Errors"),
	FIELD_AS("warning", struct severity_counts, warnings, INT, FIELD_REQUIRED, "Warnings"),
	FIELD_AS("info", struct severity_counts, infos, INT, FIELD_REQUIRED, "Remarks"), FIELDS_END};
static const struct shape count_shape = SHAPE(struct severity_counts, "severityCounts", count_fields);

static const struct field critique_out[] = {
	FIELD(struct critique_answer, success, FLAG, FIELD_REQUIRED, "The plan was judged"),
	FIELD(struct critique_answer, counts, OBJECT, FIELD_REQUIRED, "All findings by severity",
	      .shape = &count_shape),
	FIELD(struct critique_answer, findings, OBJECTS, FIELD_REQUIRED, "The gravest first", .shape = &finding_shape),
	FIELD(struct critique_answer, next, MAYBE_INT, 0, "There are more: pass it as `first`"), FIELDS_END};

static bool floor_named(struct call *c, const struct plan *p, struct text name, int *out)
{
	struct buffer names = {.arena = c->arena};

	*out = -1;
	if (!name.at)
		return true;
	for (size_t i = 0; i < p->floors.n; i++) {
		if (text_same(p->floors.items[i].name, name)) {
			*out = (int)i;
			return true;
		}
		if (i < 20)
			buffer_format(&names, "%s%s", i ? ", " : "", shown(c, p->floors.items[i].name));
	}
	fail(c, FAULT_ARGUMENT, "there is no floor %s; the plan has %s", shown(c, name),
	     p->floors.n ? buffer_text(&names).at : "none");
	c->error.where = "/floor";
	return false;
}

static double two_places(double n) { return round(n * 100) / 100 + 0.0; }

static struct finding_row row_of(struct call *c, const struct plan *p, struct report *lines, const struct finding *f)
{
	struct finding_row row = {.rule = text_of(rule_rows[f->rule].name),
				  .message = text_of(f->message),
				  .source = text_of(rule_rows[f->rule].source),
				  .severity = (int)f->severity,
				  .rooms = answer_names(c, f->rooms)};
	uint32_t line, column;

	if (f->floor >= 0)
		row.floor = answer_name(c, p->floors.items[f->floor].name);
	if (f->placed)
		row.at = arena_copy(c->arena, &(struct point){two_places(f->at.x), two_places(f->at.y)},
				    sizeof(struct point));
	report_place(lines, f->from, &line, &column);
	row.line = line;
	row.column = column;
	return row;
}

/* How often each finding occurs. */
struct tally {
	struct map counts;
};

static struct text key_of(struct arena *a, const struct finding *f)
{
	return text_format(a, "%d %.*s", (int)f->severity, TEXT_ARGS(f->subject));
}

static void tally_add(struct tally *t, struct arena *a, const struct findings *list)
{
	t->counts = (struct map){.arena = a};
	for (size_t i = 0; i < list->n; i++)
		++*map_at(&t->counts, key_of(a, &list->items[i]), 0, NULL);
}

static uint32_t tally_of(const struct tally *t, struct text key)
{
	const uint32_t *n = map_find(&t->counts, key);

	return n ? *n : 0;
}

/* Is the finding solved, without new findings? */
static bool is_solved(struct arena *a, const struct tally *before, const struct findings *left, const struct finding *f)
{
	struct tally after;

	tally_add(&after, a, left);
	for (size_t i = 0; i < left->n; i++) {
		struct text key = key_of(a, &left->items[i]);

		if (tally_of(&after, key) > tally_of(before, key))
			return false;
	}
	return tally_of(&after, key_of(a, f)) < tally_of(before, key_of(a, f));
}

/* Returns the first candidate that works, or NULL. */
static const struct json *fix_of(struct fix_trial *t, const struct critic_limits *limits, const struct tally *before,
				 const struct finding *f)
{
	for (int i = 0; i < FIXES_A_FINDING && f->candidates[i] && t->left; i++) {
		const struct plan *after = fix_trial_run(t, f->candidates[i]);
		struct findings left;

		if (!after || !plan_is_valid(after))
			continue;
		critic_read(&t->after, after, limits, &left);
		if (is_solved(&t->after, before, &left, f))
			return f->candidates[i];
	}
	return NULL;
}

/* `found` are the findings of the rows. */
static void offer_fixes(struct call *c, const struct plan *p, const struct findings *all,
			const struct finding *const *found, struct finding_row *rows, size_t n)
{
	struct fix_trial t;
	struct tally before;
	size_t untried = 0;

	tally_add(&before, c->arena, all);
	fix_trial_open(&t, c, p);
	for (size_t i = 0; i < n; i++) {
		untried += !t.left && found[i]->candidates[0];
		rows[i].fix = fix_of(&t, &state_of(c)->limits, &before, found[i]);
	}
	fix_trial_close(&t);
	if (untried)
		warn(c, "fixes of the last %zu findings were not tried; apply those given and call again", untried);
}

static bool critique(struct call *c, const void *in, void *out)
{
	const struct critique_args *args = in;
	struct critique_answer *answer = out;
	struct severity_counts counts = {0};
	struct problems unused = {0};
	struct findings all;
	struct report lines;
	struct text source;
	int floor;

	if (!plan_source(c, args->dsl, args->file_path, &source))
		return false;
	const struct plan *p = plan_read(c->arena, source);

	if (!plan_is_valid(p))
		return plan_refuse(c, p);
	if (!floor_named(c, p, args->floor, &floor))
		return false;
	critic_read(c->arena, p, &state_of(c)->limits, &all);
	report_open(&lines, c->arena, source, &unused);
	struct finding_row *rows = arena_array(c->arena, FINDINGS_LISTED, sizeof *rows);
	const struct finding **found = arena_array(c->arena, FINDINGS_LISTED, sizeof(void *));
	size_t n = 0, listed = 0;

	for (size_t i = 0; i < all.n; i++) {
		const struct finding *f = &all.items[i];

		counts.errors += f->severity == SEVERITY_ERROR;
		counts.warnings += f->severity == SEVERITY_WARNING;
		counts.infos += f->severity == SEVERITY_INFO;
		if ((int)f->severity < args->severity || (floor >= 0 && f->floor != floor))
			continue;
		if ((int64_t)listed++ < args->first)
			continue;
		if (n < FINDINGS_LISTED) {
			found[n] = f;
			rows[n++] = row_of(c, p, &lines, f);
		}
	}
	if (args->fixes && n)
		offer_fixes(c, p, &all, found, rows, n);
	if (!goes_on(c))
		return false;
	*answer = (struct critique_answer){
		.success = true,
		.counts = arena_copy(c->arena, &counts, sizeof counts),
		.findings = {rows, n},
		.next = {args->first + (int64_t)n, args->first + (int64_t)n < (int64_t)listed}};
	return true;
}

const struct tool critique_tools[] = {
	TOOL("critique_floorplan", "Review a floor plan",
	     "Judges a plan as an architect would: access, doors, windows, corridors, stairs, exits. Returns findings with "
	     "place, rule, source and, where one is safe, a fix for modify_floorplan.",
	     TOOL_READS, struct critique_args, critique_in, struct critique_answer, critique_out, critique,
	     .example = "{\"file_path\": \"house.floorplan\", \"severity\": \"warning\"}"),
	TOOLS_END};
