#include "tool/tool.h"

#include "tool/again.h"
#include "tool/bound.h"
#include "tool/kind.h"
#include "tool/reply.h"

#include "base/utf8.h"

#ifdef QUIRE_DEBUG
#include "format/json_schema.h"
#endif

#include <string.h>

enum { REVISION_MAX = 128 }; /* a file's revision has 16 characters; a kind's own revision may be any text */

struct core_arguments {
	struct text if_revision;
	bool dry_run, diff;
};

/* An empty if_revision is refused: it is neither a revision nor absent. */
#define CONDITION_ROW                                                                                                  \
	FIELD(struct core_arguments, if_revision, TEXT, FIELD_EMPTY, "Expected revision",                              \
	      .limits = BETWEEN(1, REVISION_MAX))
#define DRY_RUN_ROW FIELD(struct core_arguments, dry_run, FLAG, 0, "Write nothing", .otherwise = "false")

/* Not listed: a dry run that has diffs to show names it. */
#define DIFF_ROW                                                                                                       \
	FIELD(struct core_arguments, diff, FLAG, FIELD_UNLISTED, "With dry_run: also the diff of each change",         \
	      .otherwise = "false")

static const struct field both_in[] = {CONDITION_ROW, DRY_RUN_ROW, DIFF_ROW, FIELDS_END};
static const struct field condition_in[] = {CONDITION_ROW, FIELDS_END};
static const struct field dry_run_in[] = {DRY_RUN_ROW, DIFF_ROW, FIELDS_END};

static const char *const actions[] = {[PLANNED_CREATE] = "create",
				      [PLANNED_EDIT] = "edit",
				      [PLANNED_MOVE] = "move",
				      [PLANNED_DELETE] = "delete",
				      NULL};

static const struct field change_out[] = {
	FIELD(struct planned, path, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The file"),
	FIELD(struct planned, action, CHOICE, FIELD_REQUIRED | FIELD_TERSE, "What would happen to it",
	      .choices = actions),
	FIELD(struct planned, to, TEXT, FIELD_TERSE, "New name, of a move"),
	FIELD(struct planned, lines, TEXT, FIELD_TERSE, "Lines added and removed: +3 -1"),
	FIELD(struct planned, diff, TEXT, FIELD_TERSE, "A unified diff, if it is asked for"),
	FIELDS_END,
};
static const struct shape change_shape = SHAPE(struct planned, "change", change_out);

struct core_answer {
	struct text revision;
	struct maybe_flag dry_run;
	struct objects changes;
	struct texts warnings;
};

#define REVISION_OUT FIELD(struct core_answer, revision, TEXT, 0, "For if_revision")
#define DRY_RUN_OUT FIELD(struct core_answer, dry_run, MAYBE_FLAG, 0, "True: nothing was written")
#define CHANGES_OUT                                                                                                    \
	FIELD(struct core_answer, changes, OBJECTS, 0, "Changes of a dry run, at most ten", .shape = &change_shape)
#define WARNINGS_OUT                                                                                                   \
	FIELD_AS("_warnings", struct core_answer, warnings, TEXTS, FIELD_TERSE, "Warnings; the call succeeded")

/* The members that a tool's effect requires: OUT_REVISION | OUT_DRY_RUN | OUT_CHANGES. */
enum { OUT_REVISION = 1, OUT_DRY_RUN = 2, OUT_CHANGES = 4, OUT_TABLES = 8, OUT_ROWS = 5 };
static const struct field core_out[OUT_TABLES][OUT_ROWS] = {
	[0] = {WARNINGS_OUT, FIELDS_END},
	[OUT_REVISION] = {REVISION_OUT, WARNINGS_OUT, FIELDS_END},
	[OUT_DRY_RUN] = {DRY_RUN_OUT, WARNINGS_OUT, FIELDS_END},
	[OUT_REVISION | OUT_DRY_RUN] = {REVISION_OUT, DRY_RUN_OUT, WARNINGS_OUT, FIELDS_END},
	[OUT_DRY_RUN | OUT_CHANGES] = {DRY_RUN_OUT, CHANGES_OUT, WARNINGS_OUT, FIELDS_END},
	[OUT_REVISION | OUT_DRY_RUN | OUT_CHANGES] = {REVISION_OUT, DRY_RUN_OUT, CHANGES_OUT, WARNINGS_OUT, FIELDS_END},
};
static const struct field none[] = {FIELDS_END};

bool tool_writes(const struct tool *t) { return t->effect & (TOOL_WRITES | TOOL_DELETES); }

static bool takes_condition(const struct tool *t) { return tool_writes(t) && !(t->effect & TOOL_NO_CONDITION); }

static bool takes_dry_run(const struct tool *t) { return tool_writes(t) && !(t->effect & TOOL_NO_DRY_RUN); }

static bool tells_changes(const struct tool *t) { return takes_dry_run(t) && !(t->effect & TOOL_NO_CHANGES); }

bool tool_is_named(const struct tool *t, struct text name)
{
	/* Prose with thousands of words is compared with these names: most differ in the first letter. */
	if (name.len && *name.at == *t->name && text_is(name, t->name))
		return true;
	for (const char *const *alias = t->aliases; alias && *alias; alias++)
		if (text_is(name, *alias))
			return true;
	return false;
}

const struct field *tool_core_in(const struct tool *t)
{
	if (takes_condition(t))
		return takes_dry_run(t) ? both_in : condition_in;
	return takes_dry_run(t) ? dry_run_in : none;
}

const struct field *tool_core_out(const struct tool *t)
{
	unsigned rows = t->effect & TOOL_NO_REVISION ? 0 : OUT_REVISION;

	if (takes_dry_run(t))
		rows |= OUT_DRY_RUN;
	if (tells_changes(t))
		rows |= OUT_CHANGES;
	return core_out[rows];
}

static bool has_own(const struct field *table, const char *name) { return fields_find(table, text_of(name)); }

void tool_input_schema(struct json_out *o, const struct tool *t)
{
	if (t->in_schema) {
		json_put_raw(o, text_of(t->in_schema));
		return;
	}
	fields_listed(o, (const struct field *const[]){t->in ? t->in : none, tool_core_in(t), NULL}, false, false);
}

/* Is the bare answer an object or null? */
static bool is_bare_object(const struct tool *t) { return t->effect & TOOL_BARE && t->out->type == FIELD_OBJECT; }

/* Other members that the core adds are not in the schema, which is open. docs/tools/file.md documents them once. */
void tool_output_schema(struct json_out *o, const struct tool *t)
{
	static const struct field revision[] = {REVISION_OUT, FIELDS_END};
	const struct field *core = t->effect & TOOL_NO_REVISION ? none : revision;

	if (!is_bare_object(t)) {
		fields_listed(o, (const struct field *const[]){t->out, core, NULL}, true, false);
		return;
	}
	bool may_be_null = t->out->flags & FIELD_NULLABLE;
	const struct field null_row[] = {
		{.name = t->out->name, .type = FIELD_ANY, .more = RARE{.schema = "\"type\":\"null\""}}, FIELDS_END};
	fields_listed(o,
		      (const struct field *const[]){t->out->shape->fields, core, may_be_null ? null_row : none, NULL},
		      true, may_be_null);
}

static void put_hint(struct json_out *o, const char *name, bool is_so)
{
	json_key(o, name);
	json_put_bool(o, is_so);
}

void tool_describe(struct json_out *o, const struct tool *t, const char *name, const char *version, bool structured)
{
	bool titles = !version || strcmp(version, "2025-06-18") >= 0;
	bool annotations = !version || strcmp(version, "2025-03-26") >= 0;

	json_open(o, '{');
	json_key(o, "name");
	json_put_string(o, name ? name : t->name);
	if (titles && t->title) {
		json_key(o, "title");
		json_put_string(o, t->title);
	}
	json_key(o, "description");
	json_put_string(o, t->prose);
	json_key(o, "inputSchema");
	tool_input_schema(o, t);
	if (structured && titles && t->out) {
		json_key(o, "outputSchema");
		tool_output_schema(o, t);
	}
	if (annotations) {
		/* Clients assume the worst for a missing hint, so all four are written. */
		json_key(o, "annotations");
		json_open(o, '{');
		put_hint(o, "readOnlyHint", !tool_writes(t));
		put_hint(o, "destructiveHint", t->effect & TOOL_DELETES);
		put_hint(o, "idempotentHint", !tool_writes(t) || t->effect & TOOL_IDEMPOTENT);
		put_hint(o, "openWorldHint", false);
		json_close(o, '}');
	}
	json_close(o, '}');
}

/* Separates the arguments in this table of the core's from the tool's. */
static const struct json *part(struct call *c, const struct tool *t, const struct field *table,
			       const struct json *arguments, struct json **own)
{
	bool any = false;

	*own = json_new_object(c->arena);
	for (const struct field *f = table; f->name; f++) {
		const struct json *v = has_own(t->in, f->name) ? NULL : json_get(arguments, f->name);
		if (v)
			json_set(c->arena, *own, f->name, v);
		any |= v != NULL;
	}
	if (!any)
		return arguments;
	struct json *rest = json_new_object(c->arena);
	for (uint32_t i = 0; i < arguments->len; i++) {
		struct text key = {arguments->members[i].key, arguments->members[i].key_len};
		if (!json_get_text(*own, key))
			json_set_key(c->arena, rest, key, &arguments->members[i].value);
	}
	return rest;
}

/* What a call asks of the core. */
struct asked_of_core {
	struct bound_arguments bound;
	bool diff;
};

static bool decode(struct call *c, const struct tool *t, const struct json *arguments, void *in,
		   struct asked_of_core *asked)
{
	struct core_arguments core;
	struct json *own, *of_bound;

	if (!arguments)
		arguments = json_new_object(c->arena);
	if (!json_is(arguments, JSON_OBJECT))
		return fail(c, FAULT_ARGUMENT, "the arguments of %s must be an object, not %s", t->name,
			    json_type_name(arguments));
	const struct json *rest = part(c, t, tool_core_in(t), arguments, &own);
	rest = part(c, t, bound_in, rest, &of_bound);
	if (!fields_decode(c, tool_core_in(t), sizeof core, own, &core, NULL) ||
	    !fields_decode(c, bound_in, sizeof asked->bound, of_bound, &asked->bound, NULL))
		return false;
	asked->diff = core.diff;
	if (takes_condition(t) && !has_own(t->in, "if_revision"))
		c->if_revision = core.if_revision;
	if (takes_dry_run(t) && !has_own(t->in, "dry_run"))
		c->dry_run = core.dry_run;
	if (t->in_schema) {
		*(const struct json **)in = rest;
		return true;
	}
	return fields_decode(c, t->in, t->in_size, rest, in, &(struct decode_options){.also = tool_core_in(t)});
}

bool tool_would_write(struct call *c, const struct tool *t, const struct json *arguments)
{
	if (!tool_writes(t) || !t->writes)
		return tool_writes(t);
	struct call aside = {.arena = c->arena};
	struct asked_of_core asked;
	void *in = arena_zero(c->arena, t->in_size ? t->in_size : 1);
	return decode(&aside, t, arguments, in, &asked) && t->writes(in);
}

/* The diff of a large rewrite would fill a model's context. So a dry run lists a few files, and their diffs only on
 * request. */
enum { CHANGES_SHOWN = 10, CHANGES_BYTES = 30000 };

static void count_lines(struct call *c, struct planned *change)
{
	struct text diff = change->diff;
	size_t added = 0, removed = 0;

	for (size_t at = 0, end; at < diff.len; at = end + 1) {
		end = text_find(diff, TEXT("\n"), at);
		end = end == SIZE_MAX ? diff.len : end;
		struct text line = text_slice(diff, at, end);
		if (text_starts(line, "+++") || text_starts(line, "---"))
			continue;
		added += text_starts(line, "+");
		removed += text_starts(line, "-");
	}
	if (added || removed)
		change->lines = text_format(c->arena, "+%zu -%zu", added, removed);
}

/* Cuts the diffs to what they may have together. Returns how many were cut. */
static size_t cut_diffs(struct call *c)
{
	size_t room = answer_room(c) < CHANGES_BYTES ? answer_room(c) : CHANGES_BYTES, cut = 0;

	for (size_t i = 0; i < c->planned.n; i++) {
		struct text *diff = &c->planned.items[i].diff;

		if (diff->len > room) {
			while (room && diff->at[room - 1] != '\n')
				room--;
			diff->len = room;
			cut++;
		}
		room -= diff->len;
	}
	return cut;
}

static void bound_changes(struct call *c, bool wants_diff)
{
	size_t all = c->planned.n, cut = 0;

	for (size_t i = 0; i < all; i++)
		count_lines(c, &c->planned.items[i]);
	if (!c->dry_run || answer_room(c) == SIZE_MAX)
		return;
	if (all > CHANGES_SHOWN)
		c->planned.n = CHANGES_SHOWN;
	if (wants_diff)
		cut = cut_diffs(c);
	for (size_t i = 0; i < all && !wants_diff; i++)
		c->planned.items[i].diff = (struct text){0};
	if (all > c->planned.n)
		warn(c, "%zu files would change; %zu are listed here", all, c->planned.n);
	if (cut)
		warn(c, "the diffs of %zu files are cut", cut);
}

/* Adds a row of the core's answer, unless the tool has a row with that name. */
static void put_row(struct json_out *o, const struct tool *t, const char *name, const struct core_answer *answer)
{
	const struct field *row = fields_find(tool_core_out(t), text_of(name));

	if (!row || has_own(t->out, name))
		return;
	json_key(o, name);
	fields_encode_value(o, row, answer);
}

/* Adds all the core's members except the revision. */
static void put_notes(struct json_out *o, struct call *c, const struct tool *t)
{
	const struct core_answer answer = {
		.dry_run = {true, true},
		.changes = {c->planned.items, c->planned.n},
		.warnings = {c->warnings.items, c->warnings.n},
	};

	if (c->dry_run) {
		put_row(o, t, "dry_run", &answer);
		put_row(o, t, "changes", &answer);
	}
	if (c->warnings.n)
		put_row(o, t, "_warnings", &answer);
}

static void put_core(struct json_out *o, struct call *c, const struct tool *t)
{
	if (c->revision.at)
		put_row(o, t, "revision", &(struct core_answer){.revision = c->revision});
	put_notes(o, c, t);
}

/* The object of a bare answer; NULL: the answer is not an object and is wrapped in `result`. */
static const void *bare_object(const struct tool *t, const void *out)
{
	const void *object = NULL;

	if (t->effect & TOOL_BARE && t->out->type == FIELD_OBJECT)
		memcpy(&object, (const char *)out + t->out->at, sizeof object);
	return object;
}

static struct text encode(struct call *c, const struct tool *t, const void *out)
{
	struct buffer to = {.arena = c->arena};
	struct json_out o = {.to = &to};
	const void *object = bare_object(t, out);

	json_open(&o, '{');
	fields_encode_members(&o, object ? t->out->shape->fields : t->out, object ? object : out);
	put_core(&o, c, t);
	json_close(&o, '}');
	return buffer_text(&to);
}

/* Lists the changes of a dry run, for a tool that returns text. */
static struct text change_list(struct call *c)
{
	struct buffer to = {.arena = c->arena};

	if (!c->planned.n)
		return TEXT("Dry run: nothing would change.\n");
	buffer_put(&to, "Dry run: nothing was written. This would change:\n");
	for (size_t i = 0; i < c->planned.n; i++) {
		const struct planned *change = &c->planned.items[i];
		buffer_format(&to, "\n%s %.*s", actions[change->action], TEXT_ARGS(change->path));
		if (change->to.at)
			buffer_format(&to, " to %.*s", TEXT_ARGS(change->to));
		if (change->lines.at)
			buffer_format(&to, " %.*s", TEXT_ARGS(change->lines));
		buffer_byte(&to, '\n');
		buffer_add(&to, change->diff);
	}
	return buffer_text(&to);
}

static struct text warning_list(struct call *c)
{
	struct buffer to = {.arena = c->arena};

	for (size_t i = 0; i < c->warnings.n; i++) {
		buffer_put(&to, i ? "\nWarning: " : "Warning: ");
		buffer_add(&to, c->warnings.items[i]);
	}
	return buffer_text(&to);
}

static bool has_text(const struct reply *r)
{
	for (size_t i = 0; i < r->blocks.n; i++)
		if (r->blocks.items[i].type == BLOCK_TEXT)
			return true;
	return false;
}

static void put_first(struct call *c, struct text t)
{
	struct reply *r = c->reply;

	reply_text(c, t);
	struct block mine = r->blocks.items[r->blocks.n - 1];
	memmove(r->blocks.items + 1, r->blocks.items, (r->blocks.n - 1) * sizeof mine);
	r->blocks.items[0] = mine;
}

/* Writes an array or null as the specification requires. The other members follow in a block of their own. */
static void put_bare(struct call *c, const struct tool *t, const void *out, const struct json *cut)
{
	struct buffer value = {.arena = c->arena}, notes = {.arena = c->arena};
	struct json_out v = {.to = &value}, n = {.to = &notes};

	if (cut)
		json_put(&v, json_get(cut, t->out->name));
	else
		fields_encode_value(&v, t->out, out);
	put_first(c, buffer_text(&value));
	json_open(&n, '{');
	put_notes(&n, c, t);
	json_close(&n, '}');
	if (cut) {
		struct json *warnings = json_new_object(c->arena);
		json_set(c->arena, warnings, "_warnings", json_get(cut, "_warnings"));
		reply_text(c, json_source(c->arena, warnings));
	} else if (notes.len > 2) {
		reply_text(c, buffer_text(&notes));
	}
}

/* Completes the text that a model reads: the answer's JSON, unless the handler wrote its own text, and then the core's
 * members that only the JSON has. */
static void finish_blocks(struct call *c, const struct tool *t, const void *out, struct text structured, bool is_cut)
{
	bool own_text = has_text(c->reply);
	struct json_error never;

	if (t->out && !own_text) {
		if (t->effect & TOOL_BARE && !bare_object(t, out))
			put_bare(c, t, out, is_cut ? json_parse(c->arena, structured, JSON_DEPTH_MAX, &never) : NULL);
		else
			put_first(c, structured);
		return;
	}
	if (c->dry_run && !t->out)
		c->reply->blocks.n = 0;
	if (c->dry_run && tells_changes(t))
		reply_text(c, change_list(c));
	if (c->warnings.n)
		reply_text(c, warning_list(c));
}

#ifdef QUIRE_DEBUG
/* Writes the full schema: a result may contain only members of its table. */
static void check_schema(struct json_out *o, const struct tool *t)
{
	const struct field *const *tables = (const struct field *const[]){t->out, tool_core_out(t), NULL};

	if (is_bare_object(t))
		fields_schema_bare(o, tables);
	else
		fields_schema_joined(o, tables, true);
}

static bool answer_holds(struct call *c, const struct tool *t, struct text structured)
{
	struct buffer to = {.arena = c->arena};
	struct json_out o = {.to = &to};
	struct json_error bad = {0};
	struct text why;

	check_schema(&o, t);
	const struct json *schema = json_parse(c->arena, buffer_text(&to), JSON_DEPTH_MAX, &bad);
	const struct json *answer = json_parse(c->arena, structured, JSON_DEPTH_MAX, &bad);
	if (!schema || !answer)
		return fail(c, FAULT_INTERNAL, "the %s of %s is not JSON: %s", schema ? "answer" : "schema", t->name,
			    bad.message);
	if (!json_schema_holds(c->arena, schema, answer, &why))
		return fail(c, FAULT_INTERNAL, "the result of %s does not match its schema: %s", t->name, why.at);
	return true;
}
#else
static bool answer_holds(struct call *c, const struct tool *t, struct text structured)
{
	(void)c;
	(void)t;
	(void)structured;
	return true;
}
#endif

/* Encodes what the handler left, in the room that the result may have. */
static bool finish(struct call *c, const struct tool *t, const void *out, const struct asked_of_core *asked,
		   struct text *structured)
{
	struct reply *r = c->reply;
	bool is_cut = false;

	bound_changes(c, asked->diff);
	if (t->out) {
		struct text answer = encode(c, t, out);
		if (!answer_holds(c, t, answer))
			return false;
		*structured = bound_object(c, answer);
		is_cut = structured->at != answer.at;
	}
	finish_blocks(c, t, out, *structured, is_cut);
	return bound_text(c, t, asked->bound, r->sends_structured ? utf8_count(*structured) : 0,
			  tool_writes(t) && !c->dry_run);
}

static bool run(struct call *c, const struct tool *t, const struct json *arguments, struct text *structured)
{
	struct asked_of_core asked = {0};
	void *in = arena_zero(c->arena, t->in_size ? t->in_size : 1);
	void *out = arena_zero(c->arena, t->out_size ? t->out_size : 1);

	if (!decode(c, t, arguments, in, &asked))
		return false;
	if (asked.bound.from && tool_writes(t) && !c->dry_run && !(t->writes && !t->writes(in)))
		return fail(c, FAULT_ARGUMENT, "answer_from continues an answer, and %s would write again", t->name);
	c->reply->sends_structured &= t->out != NULL;
	if (asked.bound.whole)
		answer_widen(c, ANSWER_WHOLE);
	struct again mark = again_mark(c);
	bool done;
	while (!(done = t->run(c, in, out)) && again(c, &mark))
		memset(out, 0, t->out_size);
	if (!done)
		return c->error.fault ? false : fail(c, FAULT_INTERNAL, "%s failed without saying why", t->name);
	c->error = (struct error){0}; /* errors that the handler recovered from */
	return c->reply->questions.n || finish(c, t, out, &asked, structured);
}

void tool_run(struct call *c, const struct tool *t, const struct json *arguments, struct text *structured)
{
	*structured = (struct text){0};
	c->tool = t->name;
	c->progress = progress;
	c->error = (struct error){0};
	if (run(c, t, arguments, structured))
		return;
	c->reply->blocks.n = 0;
	c->reply->questions.n = 0;
}
