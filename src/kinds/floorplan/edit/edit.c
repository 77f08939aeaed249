#include "kinds/floorplan/edit/edit.h"

#include "base/ascii.h"
#include "format/json_write.h"
#include "format/merge.h"
#include "kinds/floorplan/language/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool (*const runners[ACTIONS])(struct edit *, const struct operation *) = {
#define ACTION(id, name, ...) [ACTION_##id] = edit_##name,
#define ACTION_OF(id, name, ...) [ACTION_##id] = edit_##name,
#include "kinds/floorplan/language/words.def"
};

bool edit_refuse(struct edit *e, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	e->message.len = 0;
	buffer_add(&e->message, text_vformat(e->arena, format, ap));
	va_end(ap);
	e->refused = true;
	return false;
}

void edit_say(struct edit *e, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (e->message.len)
		buffer_put(&e->message, "; ");
	buffer_add(&e->message, text_vformat(e->arena, format, ap));
	va_end(ap);
}

/* The first error that the new plan has more often than the old one. */
static const struct problem *new_error(const struct plan *before, const struct plan *after)
{
	bool used[ERRORS_MAX + 1] = {0};

	for (size_t i = 0; i < after->problems.n; i++) {
		const struct problem *q = &after->problems.items[i];
		bool known = false;

		for (size_t k = 0, error = 0; q->is_error && !known && k < before->problems.n; k++) {
			const struct problem *old = &before->problems.items[k];

			if (!old->is_error)
				continue;
			if (!used[error] && !strcmp(old->type, q->type) && !strcmp(old->message, q->message))
				known = used[error] = true;
			error++;
		}
		if (q->is_error && !known)
			return q;
	}
	return NULL;
}

static void add_error(struct call *c, struct edited *out, size_t operation, struct text message,
		      const struct problem *q)
{
	*ARRAY_PUSH(c->arena, &out->errors) = (struct edit_error){
		message, (int64_t)operation, {q ? q->line : 0, q != NULL}, {q ? q->column : 0, q != NULL}};
}

/* Runs one operation on the plan's text. The new text is in the arena. Returns false if it was refused or changed
 * nothing. */
static bool run_action(struct edit *e, const struct variant_value *v, struct arena *arena, struct text *after)
{
	if (!runners[v->which](e, v->value) || e->refused)
		return false;
	*after = splice_apply(arena, e->source, e->splices.items, e->splices.n);
	return true;
}

bool edit_apply(struct call *c, const struct plan *p, const struct variant_value *v, struct text *after)
{
	struct edit e = {.c = c,
			 .arena = c->arena,
			 .plan = p,
			 .syntax = p->syntax,
			 .source = p->source,
			 .message = {.arena = c->arena}};

	return run_action(&e, v, c->arena, after) && !text_same(*after, p->source);
}

struct state {
	struct arena arena; /* of `plan` */
	const struct plan *plan;
};

/* The operation's splices refer to the text before it. Converts them to splices of the given text. */
static void keep_splices(struct call *c, const struct edit *e, struct edited *out)
{
	struct splice *then = splice_sorted(c->arena, e->splices.items, e->splices.n, out->source.len);

	for (size_t i = 0; i < e->splices.n; i++)
		then[i].with = text_copy(c->arena, then[i].with);
	out->splices = splice_then(c->arena, out->splices, out->n, then, e->splices.n, &out->n);
}

/* Runs one operation and updates the state if it succeeded. */
static void run_one(struct call *c, struct state *now, const struct variant_value *v, size_t number, struct edited *out)
{
	const struct operation *op = v->value;
	struct arena own = {0};
	struct edit e = {.c = c,
			 .arena = &own,
			 .plan = now->plan,
			 .syntax = now->plan->syntax,
			 .source = out->source,
			 .message = {.arena = &own}};
	struct change_row row = {
		.action = text_of(action_name((enum action)v->which)), .target = op->target, .result = RESULT_ERROR};
	const struct problem *worse = NULL;

	/* The new text has the lifetime of its plan. So even five hundred operations never need more than two of
	 * each. */
	struct state next = {0};
	struct text after;

	if (run_action(&e, v, &next.arena, &after)) {
		if (text_same(after, out->source)) {
			row.result = RESULT_SKIPPED;
			arena_free(&next.arena);
		} else {
			next.plan = plan_read(&next.arena, after);
			worse = new_error(now->plan, next.plan);
			if (worse) {
				const char *what =
					text_format(c->arena, "not applied, because the plan would be invalid: %s",
						    worse->message)
						.at;

				e.message.len = 0;
				buffer_put(&e.message, what);
			} else {
				row.result = RESULT_APPLIED;
				keep_splices(c, &e, out);
				out->source = after;
			}
			if (worse)
				add_error(c, out, number, text_copy(c->arena, buffer_text(&e.message)), worse);
			arena_free(worse ? &next.arena : &now->arena);
			if (!worse)
				*now = next;
		}
	}
	if (row.result == RESULT_SKIPPED && !e.message.len)
		buffer_put(&e.message, "it was so already");
	if (row.result == RESULT_ERROR && !worse)
		add_error(c, out, number, text_copy(c->arena, buffer_text(&e.message)), NULL);
	if (!row.target.at)
		row.target = e.about;
	if (e.message.len)
		row.message = text_copy(c->arena, buffer_text(&e.message));
	*ARRAY_PUSH(c->arena, &out->changes) = row;
	arena_free(&own);
}

bool edit_run(struct call *c, struct text source, const struct variant_value *operations, size_t n, struct edited *out)
{
	struct state now = {0};
	bool on = true;

	*out = (struct edited){.source = source};
	now.plan = plan_read(&now.arena, source);
	for (size_t i = 0; i < n && (on = goes_on(c)); i++)
		run_one(c, &now, &operations[i], i, out);
	out->source = text_copy(c->arena, out->source);
	arena_free(&now.arena);
	return on;
}

void edit_replace(struct edit *e, struct span span, struct text with)
{
	*ARRAY_PUSH(e->arena, &e->splices) = (struct splice){span.from, span.to, text_copy(e->arena, with)};
}

void edit_insert(struct edit *e, uint32_t at, struct text what) { edit_replace(e, (struct span){at, at}, what); }

static bool ends_line(const struct edit *e, uint32_t at)
{
	return at >= e->source.len || e->source.at[at] == '\n' ||
	       (e->source.at[at] == '\r' && at + 1 < e->source.len && e->source.at[at + 1] == '\n');
}

static uint32_t past_line_end(const struct edit *e, uint32_t at)
{
	if (at < e->source.len && e->source.at[at] == '\r')
		at++;
	return at < e->source.len ? at + 1 : at;
}

static uint32_t line_start(const struct edit *e, uint32_t at)
{
	while (at > 0 && e->source.at[at - 1] != '\n')
		at--;
	return at;
}

static uint32_t blanks_before(const struct edit *e, uint32_t at)
{
	while (at > 0 && is_blank(e->source.at[at - 1]))
		at--;
	return at;
}

static uint32_t blanks_after(const struct edit *e, uint32_t at)
{
	while (at < e->source.len && is_blank(e->source.at[at]))
		at++;
	return at;
}

/* The end of the line if only blanks and a comment are before it, or else 0. */
static uint32_t comment_end(const struct edit *e, uint32_t at)
{
	at = blanks_after(e, at);
	if (at < e->source.len && e->source.at[at] == '#')
		while (!ends_line(e, at))
			at++;
	return ends_line(e, at) ? at : 0;
}

/* Two cuts on one line both include the blanks between them. The second one leaves out what is already cut. */
static void cut(struct edit *e, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < e->splices.n; i++) {
		const struct splice *gone = &e->splices.items[i];

		if (gone->from >= to || gone->to <= from || gone->with.len)
			continue;
		if (gone->from <= from)
			from = gone->to;
		else
			to = gone->from;
	}
	if (from < to)
		edit_replace(e, (struct span){from, to}, TEXT(""));
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void cut_clause(struct edit *e, struct span span)
{
	uint32_t from = blanks_before(e, span.from), to = blanks_after(e, span.to);
	bool first = from == line_start(e, from);

	if (first && from > 0 && ends_line(e, to))
		cut(e, from, past_line_end(e, to));
	else if (first)
		cut(e, span.from, to);
	else if (from > 0 && span.to < e->source.len && is_word(e->source.at[from - 1]) &&
		 is_word(e->source.at[span.to]))
		cut(e, span.from, span.to); /* `A at (0,0)size`: keep the blank between the words */
	else
		cut(e, from, span.to);
}

void cut_statement(struct edit *e, const struct statement *s)
{
	uint32_t from = blanks_before(e, s->span.from), end = comment_end(e, s->span.to);

	if (from == line_start(e, from) && end)
		cut(e, from, past_line_end(e, end));
	else
		cut(e, from, s->span.to);
}

struct text indent_of(const struct edit *e, uint32_t at)
{
	uint32_t start = line_start(e, at);

	return text_slice(e->source, start, blanks_after(e, start));
}

const char *line_end(const struct edit *e)
{
	size_t at = text_find(e->source, TEXT("\n"), 0);

	return at != SIZE_MAX && at > 0 && e->source.at[at - 1] == '\r' ? "\r\n" : "\n";
}

const struct statement *room_statement(const struct edit *e, int room)
{
	return e->syntax->statements.items[e->plan->rooms.items[room].statement];
}

/* The first few valid names, for a caller who used a wrong one. */
const char *listed(struct edit *e, const char *const *names, size_t n, const char *before)
{
	enum { SHOWN_MAX = 12 };
	struct buffer b = {.arena = e->arena};

	buffer_format(&b, "%s%s", before, n ? " " : " none");
	for (size_t i = 0; i < n && i < SHOWN_MAX; i++)
		buffer_format(&b, "%s%s", i ? ", " : "", shown(e->c, text_of(names[i])));
	if (n > SHOWN_MAX)
		buffer_format(&b, " and %zu more", n - SHOWN_MAX);
	return buffer_text(&b).at;
}

/* The name is on several floors: the choices. */
static void refuse_ambiguous(struct edit *e, struct text name)
{
	const struct plan *p = e->plan;
	const char **names = arena_array(e->arena, p->rooms.n + 1, sizeof *names);
	size_t n = 0;
	int last = -1;

	for (size_t i = 0; i < p->rooms.n; i++)
		if (text_same(p->rooms.items[i].name, name) && p->rooms.items[i].floor != last) {
			last = p->rooms.items[i].floor;
			names[n++] = text_format(e->arena, "%.*s.%.*s", TEXT_ARGS(p->floors.items[last].name),
						 TEXT_ARGS(name))
					     .at;
		}
	edit_refuse(e, "room \"%s\" is on several floors; say which: %s", shown(e->c, name),
		    listed(e, names, n, "one of"));
}

/* The word for a stair or lift of this name; NULL: there is none. */
static const char *element_noun(const struct plan *p, struct text name)
{
	for (size_t i = 0; i < p->stairs.n; i++)
		if (text_same(p->stairs.items[i].name, name))
			return word_of(SET_STATEMENT, STATEMENT_STAIR);
	for (size_t i = 0; i < p->lifts.n; i++)
		if (text_same(p->lifts.items[i].name, name))
			return word_of(SET_STATEMENT, STATEMENT_LIFT);
	return NULL;
}

/* No room has the name. Lists the nearest name or all names, each as a valid target. */
static void refuse_unknown(struct edit *e, struct text target, struct text name)
{
	const struct plan *p = e->plan;
	const char **bare = arena_array(e->arena, p->rooms.n + 1, sizeof *bare);
	const char **whole = arena_array(e->arena, p->rooms.n + 1, sizeof *whole);
	const char *noun = element_noun(p, name), *near;

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];

		bare[i] = whole[i] = text_string(e->arena, r->name);
		if (p->floors.n > 1)
			whole[i] =
				text_format(e->arena, "%.*s.%s", TEXT_ARGS(p->floors.items[r->floor].name), bare[i]).at;
	}
	near = text_nearest(name, bare);
	for (size_t i = 0; near && i < p->rooms.n; i++)
		if (bare[i] == near) {
			near = whole[i];
			break;
		}
	if (noun)
		edit_refuse(e, "\"%s\" is a %s and not a room; use move_%s or remove_%s", shown(e->c, target), noun,
			    noun, noun);
	else if (near)
		edit_refuse(e, "room \"%s\" was not found; did you mean %s?", shown(e->c, target), near);
	else
		edit_refuse(e, "room \"%s\" was not found; %s", shown(e->c, target),
			    listed(e, whole, p->rooms.n, "the plan has"));
}

int find_target(struct edit *e, struct text target)
{
	size_t dot = text_find(target, TEXT("."), 0);
	struct text floor = dot == SIZE_MAX ? (struct text){0} : text_slice(target, 0, dot);
	struct text name = dot == SIZE_MAX ? target : text_slice(target, dot + 1, target.len);
	const struct plan *p = e->plan;
	int found = -1;

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];

		if (!text_same(r->name, name) || (floor.at && !text_same(p->floors.items[r->floor].name, floor)))
			continue;
		if (found >= 0 && p->rooms.items[found].floor != r->floor) {
			refuse_ambiguous(e, name);
			return -1;
		}
		found = found < 0 ? (int)i : found;
	}
	if (found >= 0)
		return found;
	refuse_unknown(e, target, name);
	return -1;
}

int find_floor(struct edit *e, struct text name)
{
	const char **names = arena_array(e->arena, e->plan->floors.n + 1, sizeof *names);

	for (size_t i = 0; i < e->plan->floors.n; i++) {
		if (text_same(e->plan->floors.items[i].name, name))
			return (int)i;
		names[i] = text_string(e->arena, e->plan->floors.items[i].name);
	}
	edit_refuse(e, "floor \"%s\" was not found; %s", shown(e->c, name),
		    listed(e, names, e->plan->floors.n, "floors of the plan:"));
	return -1;
}

bool is_identifier(struct text t)
{
	for (size_t i = 0; i < t.len; i++) {
		char c = t.at[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

		if (!letter && (i == 0 || c < '0' || c > '9'))
			return false;
	}
	return t.len > 0 && t.len <= 200;
}

/* Nine places are precise enough and remove rounding errors of conversions. */
static double tidy(double n) { return fabs(n) < 1e6 ? round(n * 1e9) / 1e9 + 0.0 : n; }

/* A negative floor means that the name is not for a room. */
bool check_new_name(struct edit *e, struct text name, int floor, const char *what)
{
	const struct plan *p = e->plan;

	const char *advice = name_advice(e->arena, name);

	if (!is_identifier(name))
		return edit_refuse(e, "\"%s\" is no %s name: %s", shown(e->c, name), what,
				   advice ? advice : "letters, digits and _, not beginning with a digit");
	if (word_is_reserved(name))
		return edit_refuse(e, "\"%s\" is a word of the language and cannot name a %s", shown(e->c, name), what);
	for (size_t i = 0; floor >= 0 && i < p->rooms.n; i++)
		if (p->rooms.items[i].floor == floor && text_same(p->rooms.items[i].name, name))
			return edit_refuse(e, "floor %s has a room \"%s\" already",
					   shown(e->c, p->floors.items[floor].name), shown(e->c, name));
	for (size_t i = 0; floor >= 0 && i < p->stairs.n; i++)
		if (p->stairs.items[i].floor == floor && text_same(p->stairs.items[i].name, name))
			return edit_refuse(e, "floor %s has a stair \"%s\" already",
					   shown(e->c, p->floors.items[floor].name), shown(e->c, name));
	for (size_t i = 0; floor >= 0 && i < p->lifts.n; i++)
		if (p->lifts.items[i].floor == floor && text_same(p->lifts.items[i].name, name))
			return edit_refuse(e, "floor %s has a lift \"%s\" already",
					   shown(e->c, p->floors.items[floor].name), shown(e->c, name));
	return true;
}

bool check_number(struct edit *e, double n, const char *what)
{
	return fabs(n) <= NUMBER_LIMIT || edit_refuse(e, "%s is too large; the limit is %d", what, (int)NUMBER_LIMIT);
}

bool check_length(struct edit *e, double n, const char *what)
{
	return tidy(n) > 0 ? check_number(e, n, what)
			   : edit_refuse(e, "%s must be more than 0, by a billionth at least", what);
}

bool check_size(struct edit *e, double width, double height)
{
	return check_length(e, width, "the width") && check_length(e, height, "the height");
}

bool check_place(struct edit *e, double x, double y) { return check_number(e, x, "x") && check_number(e, y, "y"); }

void put_number(struct buffer *b, double n)
{
	char digits[NUMBER_MAX];

	size_t len = number_write(digits, tidy(n));

	if (memchr(digits, 'e', len)) { /* below a millionth; the language has no exponent */
		len = (size_t)snprintf(digits, sizeof digits, "%.9f", tidy(n));
		while (digits[len - 1] == '0')
			len--;
	}
	buffer_add(b, (struct text){digits, len});
}

void put_length(struct edit *e, struct buffer *b, double n, const struct length *as)
{
	if (as->unit >= 0 && as->unit != (int)e->plan->unit)
		n = plan_length_in(e->plan, n, (enum unit)as->unit);
	put_number(b, n);
}

bool put_label(struct edit *e, struct buffer *b, struct text label)
{
	char quote = memchr(label.at, '"', label.len) ? '\'' : '"';

	if (quote == '\'' && memchr(label.at, '\'', label.len))
		return edit_refuse(e, "a label cannot hold both \" and ': the language has no escapes");
	if (text_has_nul(label))
		return edit_refuse(e, "a label cannot hold a NUL");
	buffer_byte(b, quote);
	buffer_add(b, label);
	buffer_byte(b, quote);
	return true;
}

void put_point(struct buffer *b, double x, double y)
{
	buffer_byte(b, '(');
	put_number(b, x);
	buffer_byte(b, ',');
	put_number(b, y);
	buffer_byte(b, ')');
}

void put_size(struct buffer *b, double width, double height)
{
	buffer_byte(b, '(');
	put_number(b, width);
	buffer_format(b, " %s ", word_of(SET_GLUE, GLUE_X));
	put_number(b, height);
	buffer_byte(b, ')');
}

bool put_relative(struct edit *e, struct buffer *b, const struct relative_params *p)
{
	if (!is_identifier(p->reference))
		return edit_refuse(e, "\"%s\" is no room name", shown(e->c, p->reference));
	buffer_format(b, " %s %.*s", word_of(SET_DIRECTION, p->direction), TEXT_ARGS(p->reference));
	if (p->gap.there && p->gap.value < 0)
		return edit_refuse(e, "a gap must not be below 0; to let rooms overlap give a position {x, y}");
	if (p->gap.there && !check_number(e, p->gap.value, "the gap"))
		return false;
	if (p->gap.there && tidy(p->gap.value) > 0) {
		buffer_format(b, " %s ", word_of(SET_CLAUSE, CLAUSE_GAP));
		put_number(b, p->gap.value);
	}
	if (p->alignment >= 0)
		buffer_format(b, " %s %s", word_of(SET_CLAUSE, CLAUSE_ALIGN), word_of(SET_ALIGNMENT, p->alignment));
	return true;
}

static int rank_of(enum statement_kind kind, enum clause id)
{
	int rank = 0;

	if (kind == STATEMENT_SUB_ROOM)
		kind = STATEMENT_ROOM;
	for (const struct clause_row *row = clause_rows; row->syntax; row++)
		if (row->statement == kind) {
			if (row->clause == id)
				return rank;
			rank++;
		}
	return rank;
}

uint32_t clause_place(const struct edit *e, const struct statement *s, enum clause id)
{
	uint32_t at = s->kind == STATEMENT_CONNECT ? s->connect->type_word.to : s->name.span.to;
	int rank = rank_of(s->kind, id);

	(void)e;
	for (size_t i = 0; i < s->clause_count; i++)
		if (rank_of(s->kind, s->clauses[i].id) < rank && s->clauses[i].span.to > at)
			at = s->clauses[i].span.to;
	return at;
}

/* The place after a statement: the end of its line, after a comment, if nothing else follows on that line. */
void insert_behind(struct edit *e, const struct statement *s, struct text line)
{
	struct text indent = indent_of(e, s->span.from);
	uint32_t end = comment_end(e, s->span.to);
	struct buffer b = {.arena = e->arena};

	buffer_put(&b, line_end(e));
	buffer_add(&b, indent);
	buffer_add(&b, line);
	edit_insert(e, end ? end : s->span.to, buffer_text(&b));
}

void insert_before(struct edit *e, const struct statement *s, struct text line)
{
	struct buffer b = {.arena = e->arena};

	buffer_add(&b, line);
	buffer_put(&b, line_end(e));
	buffer_add(&b, indent_of(e, s->span.from));
	edit_insert(e, s->span.from, buffer_text(&b));
}

static const char *step_in(struct text indent) { return memchr(indent.at, '\t', indent.len) ? "\t" : "  "; }

/* Inserts before the bracket that closes a block, on a separate line. */
static void insert_before_close(struct edit *e, const struct statement *owner, struct text indent, struct text line)
{
	uint32_t close = owner->body.to, start = blanks_before(e, close);
	struct buffer b = {.arena = e->arena};

	if (start == line_start(e, close) && start > owner->body.from) {
		buffer_add(&b, indent);
		buffer_add(&b, line);
		buffer_put(&b, line_end(e));
		edit_insert(e, start, buffer_text(&b));
		return;
	}
	buffer_put(&b, line_end(e));
	buffer_add(&b, indent);
	buffer_add(&b, line);
	buffer_put(&b, line_end(e));
	buffer_add(&b, indent_of(e, owner->span.from));
	edit_replace(e, (struct span){start, close}, buffer_text(&b));
}

void insert_child(struct edit *e, const struct statement *owner, enum statement_kind kind, struct text line)
{
	const struct statement *last = NULL, *model = NULL;
	bool others = false;

	for (size_t i = (size_t)owner->number + 1; i < e->syntax->statements.n; i++) {
		const struct statement *s = e->syntax->statements.items[i];

		if (s->parent != owner->number)
			continue;
		model = s;
		if (s->kind <= kind || (kind == STATEMENT_ROOM && s->kind == STATEMENT_SUB_ROOM))
			last = s;
		else
			others = true;
	}
	if (last && others) {
		insert_behind(e, last, line);
		return;
	}
	if (!last && others) {
		/* There is no statement of its rank: insert before the first of the others. */
		for (size_t i = (size_t)owner->number + 1; i < e->syntax->statements.n; i++)
			if (e->syntax->statements.items[i]->parent == owner->number) {
				model = e->syntax->statements.items[i];
				break;
			}
		insert_before(e, model, line);
		return;
	}
	struct text base = indent_of(e, owner->span.from);
	struct text indent = last && line_start(e, last->span.from) != line_start(e, owner->span.from)
				     ? indent_of(e, last->span.from)
				     : text_format(e->arena, "%.*s%s", TEXT_ARGS(base), step_in(base));

	insert_before_close(e, owner, indent, line);
}

void insert_top(struct edit *e, enum statement_kind kind, struct text line)
{
	const struct statement *before = NULL, *any = NULL;
	struct buffer b = {.arena = e->arena};

	for (size_t i = 0; i < e->syntax->statements.n; i++) {
		const struct statement *s = e->syntax->statements.items[i];

		if (s->parent >= 0)
			continue;
		any = any ? any : s;
		if (s->kind <= kind)
			before = s;
	}
	if (before) {
		insert_behind(e, before, line);
		return;
	}
	/* The first statement of the plan: on the line below the word floorplan. */
	struct text indent = any && line_start(e, any->span.from) != line_start(e, e->syntax->floorplan.from)
				     ? indent_of(e, any->span.from)
				     : TEXT("  ");
	uint32_t end = comment_end(e, e->syntax->floorplan.to);

	buffer_put(&b, line_end(e));
	buffer_add(&b, indent);
	buffer_add(&b, line);
	if (!end) {
		buffer_put(&b, line_end(e));
		buffer_add(&b, indent);
	}
	edit_insert(e, end ? end : blanks_after(e, e->syntax->floorplan.to), buffer_text(&b));
}
