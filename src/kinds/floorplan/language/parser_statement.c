#include "kinds/floorplan/language/syntax.h"

#include <assert.h>
#include <string.h>

enum { COMPOSED_MAX = 32 }; /* rooms within rooms; no building is deeper, and the parser is recursive */

/* `style` is also a clause. As a statement, a name and a brace follow it. */
static int statement_ahead(const struct parser *p)
{
	int kind = p->at->kind == TOKEN_WORD ? word_find(SET_STATEMENT, token_text(p, p->at)) : -1;

	if (kind == STATEMENT_STYLE &&
	    !(p->at[1].kind == TOKEN_WORD && p->at[2].kind == TOKEN_MARK && p->at[2].mark == '{'))
		return -1;
	return kind;
}

static enum statement_kind clauses_of(enum statement_kind kind)
{
	return kind == STATEMENT_SUB_ROOM ? STATEMENT_ROOM : kind;
}

/* The rows of a kind of statement, and their number. */
static const struct clause_row *rows_of(enum statement_kind kind, int *n)
{
	const struct clause_row *row = clause_rows;

	kind = clauses_of(kind);
	while (row->syntax && row->statement != kind)
		row++;
	for (*n = 0; row[*n].syntax && row[*n].statement == kind;)
		++*n;
	return row;
}

/* The row of the clause that begins here. The search starts at `likely`, because most clauses are in the order of the
 * rows. */
static int clause_ahead(const struct parser *p, const struct clause_row *rows, int n, int likely)
{
	struct text word = token_text(p, p->at);

	if (p->at->kind != TOKEN_WORD)
		return -1;
	for (int k = 0, i = likely; k < n; k++, i++) {
		i = i < n ? i : 0;
		if (rows[i].clause == CLAUSE_RELATIVE ? word_find(SET_DIRECTION, word) >= 0
						      : word_is(SET_CLAUSE, (int)rows[i].clause, word))
			return i;
		/* `door opens into` means the same as `opens into`. */
		if (rows[i].clause == CLAUSE_OPENS && word_is(SET_DOOR_TYPE, CONNECTION_DOOR, word))
			return i;
	}
	return -1;
}

static const char *clause_name(enum clause id)
{
	return id == CLAUSE_RELATIVE ? "the direction" : word_of(SET_CLAUSE, (int)id);
}

static bool no_clause(struct parser *p, const struct statement *s, const struct clause_row *rows, int n)
{
	struct buffer list = {.arena = p->arena};
	const char *near = NULL;

	for (int i = 0; i < n; i++) {
		const char *word = word_of(SET_CLAUSE, (int)rows[i].clause);

		if (statement_clause(s, rows[i].clause))
			continue;
		buffer_format(&list, "%s%s", list.len ? ", " : "", *word ? word : "a direction");
	}
	if (p->at->kind == TOKEN_WORD) {
		near = word_nearest(SET_CLAUSE, token_text(p, p->at));
		near = near && *near ? near : word_nearest(SET_DIRECTION, token_text(p, p->at));
	}
	return parse_unexpected(p, "%s%s%s%s%s", list.len ? buffer_text(&list).at : "the end of the statement",
				list.len ? " or the next statement" : "", near ? "; did you mean " : "",
				near ? near : "", near ? "?" : "");
}

static bool has_needed(struct parser *p, const struct statement *s, const struct clause_row *rows, int n)
{
	for (int i = 0; i < n; i++)
		if (rows[i].needed && !statement_clause(s, rows[i].clause)) {
			report_error(p->report, PROBLEM_PARSE, p->last, "%s %s has no %s; expected %s",
				     word_of(SET_STATEMENT, (int)s->kind), shown(&p->report->call, s->name.text),
				     word_of(SET_CLAUSE, (int)rows[i].clause), rows[i].syntax);
			return false;
		}
	return true;
}

bool parse_clauses(struct parser *p, struct statement *s, bool (*const *parsers)(struct parser *, struct statement *))
{
	int n, highest = -1;
	const struct clause_row *rows = rows_of(s->kind, &n);

	s->clauses = array_room(p->arena, (size_t)n, sizeof *s->clauses);
	while (p->at->kind != TOKEN_END) {
		int rank = clause_ahead(p, rows, n, highest + 1);
		uint32_t from = p->at->from;

		/* `style` is the only clause that may also be a statement. */
		if ((rank < 0 || rows[rank].clause == CLAUSE_STYLE) && statement_ahead(p) >= 0)
			break;
		if (p->at->kind == TOKEN_MARK && p->at->mark && strchr("{}]", p->at->mark))
			break;
		if (rank < 0)
			return no_clause(p, s, rows, n);
		enum clause id = rows[rank].clause;

		if (statement_clause(s, id)) {
			report_error(p->report, PROBLEM_PARSE, from,
				     "%s is given twice in this %s; each clause is allowed once", clause_name(id),
				     word_of(SET_STATEMENT, (int)s->kind));
			return false;
		}
		if (rank < highest)
			report_warning(p->report, PROBLEM_ORDER, from,
				       "%s comes after %s; its canonical place is before it", clause_name(id),
				       clause_name(rows[highest].clause));
		highest = rank > highest ? rank : highest;
		if (id != CLAUSE_RELATIVE)
			token_take(p);
		if (!parsers[id](p, s))
			return false;
		assert(s->clause_count < (size_t)n);
		s->clauses[s->clause_count++] = (struct clause_span){id, {from, p->last}};
	}
	return has_needed(p, s, rows, n);
}

static bool parse_body(struct parser *p, struct statement *owner, char close);

static bool at_clause(struct parser *p, struct statement *s) { return parse_point(p, &s->at); }

static bool named_size_clause(struct parser *p, struct statement *s) { return parse_size(p, true, false, &s->size); }

static bool size_clause(struct parser *p, struct statement *s) { return parse_size(p, false, false, &s->size); }

static bool height_clause(struct parser *p, struct statement *s) { return parse_length(p, false, &s->height); }

static bool elevation_clause(struct parser *p, struct statement *s) { return parse_length(p, true, &s->elevation); }

static bool relative_clause(struct parser *p, struct statement *s) { return parse_relative(p, &s->relative); }

static bool label_clause(struct parser *p, struct statement *s) { return expect_quoted(p, "a label", &s->label); }

static bool style_clause(struct parser *p, struct statement *s)
{
	return expect_name(p, "the name of a style", &s->style);
}

static bool composed_clause(struct parser *p, struct statement *s)
{
	if (!expect_glue(p, GLUE_OF) || !expect_mark(p, '[', "and sub-rooms"))
		return false;
	s->body.from = s->body.to = p->last;
	if (p->depth >= COMPOSED_MAX) {
		report_error(p->report, PROBLEM_PARSE, p->last, "rooms are composed deeper than %d levels",
			     (int)COMPOSED_MAX);
		return false;
	}
	p->depth++;
	bool done = parse_body(p, s, ']');

	p->depth--;
	return done;
}

static bool doors_clause(struct parser *p, struct statement *s)
{
	int side;

	if (!expect_mark(p, '(', "and the sides with a door"))
		return false;
	do {
		if (!expect_word(p, SET_SIDE, &side))
			return false;
		s->doors[side] = true;
	} while (mark_take(p, ','));
	return expect_mark(p, ')', "or , after a side");
}

static bool shape_clause(struct parser *p, struct statement *s) { return parse_shape(p, s->stair); }

#define STAIR_LENGTH(member)                                                                                           \
	static bool member##_clause(struct parser *p, struct statement *s)                                             \
	{                                                                                                              \
		return parse_length(p, false, &s->stair->member);                                                      \
	}
STAIR_LENGTH(rise)
STAIR_LENGTH(width)
STAIR_LENGTH(riser)
STAIR_LENGTH(tread)
STAIR_LENGTH(nosing)
STAIR_LENGTH(headroom)

static bool handrail_clause(struct parser *p, struct statement *s)
{
	return expect_mark(p, '(', "and where the handrail is") && expect_word(p, SET_HANDRAIL, &s->stair->handrail) &&
	       expect_mark(p, ')', "after the handrail");
}

static bool stringers_clause(struct parser *p, struct statement *s)
{
	return expect_word(p, SET_STRINGER, &s->stair->stringer);
}

static bool material_clause(struct parser *p, struct statement *s) { return parse_pairs(p, s, SET_MATERIAL_KEY); }

static bool (*const floor_clauses[])(struct parser *, struct statement *) = {[CLAUSE_HEIGHT] = height_clause};
static bool (*const room_clauses[])(struct parser *, struct statement *) = {
	[CLAUSE_AT] = at_clause,         [CLAUSE_SIZE] = named_size_clause,
	[CLAUSE_HEIGHT] = height_clause, [CLAUSE_ELEVATION] = elevation_clause,
	[CLAUSE_WALLS] = parse_walls,    [CLAUSE_RELATIVE] = relative_clause,
	[CLAUSE_LABEL] = label_clause,   [CLAUSE_COMPOSED] = composed_clause,
	[CLAUSE_STYLE] = style_clause,
};
static bool (*const stair_clauses[])(struct parser *, struct statement *) = {
	[CLAUSE_AT] = at_clause,
	[CLAUSE_SHAPE] = shape_clause,
	[CLAUSE_RISE] = rise_clause,
	[CLAUSE_WIDTH] = width_clause,
	[CLAUSE_RISER] = riser_clause,
	[CLAUSE_TREAD] = tread_clause,
	[CLAUSE_NOSING] = nosing_clause,
	[CLAUSE_HEADROOM] = headroom_clause,
	[CLAUSE_HANDRAIL] = handrail_clause,
	[CLAUSE_STRINGERS] = stringers_clause,
	[CLAUSE_MATERIAL] = material_clause,
	[CLAUSE_RELATIVE] = relative_clause,
	[CLAUSE_LABEL] = label_clause,
	[CLAUSE_STYLE] = style_clause,
};
static bool (*const lift_clauses[])(struct parser *, struct statement *) = {
	[CLAUSE_AT] = at_clause,       [CLAUSE_SIZE] = size_clause,
	[CLAUSE_DOORS] = doors_clause, [CLAUSE_RELATIVE] = relative_clause,
	[CLAUSE_LABEL] = label_clause, [CLAUSE_STYLE] = style_clause,
};

static bool parse_define(struct parser *p, struct statement *s) { return parse_size(p, false, false, &s->size); }

static bool parse_style(struct parser *p, struct statement *s) { return parse_pairs(p, s, SET_STYLE_KEY); }

static bool parse_config(struct parser *p, struct statement *s) { return parse_pairs(p, s, SET_CONFIG_KEY); }

/* A broken head must not lose the rooms after it. */
static bool parse_floor(struct parser *p, struct statement *s)
{
	bool sound = parse_clauses(p, s, floor_clauses);

	while (!sound && !mark_ahead(p, '{') && statement_ahead(p) < 0 && p->at->kind != TOKEN_END)
		token_take(p);
	if (!mark_ahead(p, '{'))
		return sound && parse_unexpected(p, "{ and the floor's rooms");
	token_take(p);
	s->body.from = s->body.to = p->last;
	return parse_body(p, s, '}') && sound;
}

static bool parse_room(struct parser *p, struct statement *s) { return parse_clauses(p, s, room_clauses); }

static bool parse_stair(struct parser *p, struct statement *s) { return parse_clauses(p, s, stair_clauses); }

static bool parse_lift(struct parser *p, struct statement *s) { return parse_clauses(p, s, lift_clauses); }

static bool (*const statement_parsers[])(struct parser *, struct statement *) = {
	[STATEMENT_DEFINE] = parse_define,     [STATEMENT_STYLE] = parse_style, [STATEMENT_CONFIG] = parse_config,
	[STATEMENT_FLOOR] = parse_floor,       [STATEMENT_ROOM] = parse_room,   [STATEMENT_SUB_ROOM] = parse_room,
	[STATEMENT_STAIR] = parse_stair,       [STATEMENT_LIFT] = parse_lift,   [STATEMENT_CONNECT] = parse_connect,
	[STATEMENT_VERTICAL] = parse_vertical,
};

static bool is_named(enum statement_kind kind)
{
	return kind != STATEMENT_CONFIG && kind != STATEMENT_CONNECT && kind != STATEMENT_VERTICAL;
}

static bool closes(char open, char close)
{
	return (open == '(' && close == ')') || (open == '[' && close == ']') || (open == '{' && close == '}');
}

/* Skips to the next statement, or to the bracket that closes the block around the broken one. */
static void recover(struct parser *p, int open_before)
{
	while (p->at->kind != TOKEN_END && statement_ahead(p) < 0) {
		char mark = p->at->kind == TOKEN_MARK ? p->at->mark : 0;

		if (mark && strchr(")]}", mark)) {
			int i = p->open_count - 1;

			while (i >= 0 && !closes(p->open[i], mark))
				i--;
			if (i >= 0 && i < open_before)
				break;
			if (i >= 0)
				p->open_count = i + 1;
		}
		token_take(p);
		if (p->open_count < open_before)
			p->open_count = open_before;
	}
	p->open_count = open_before;
}

static void check_order(struct parser *p, const struct statement *s, int *highest)
{
	int rank = (int)clauses_of(s->kind);

	if (rank < *highest)
		report_warning(p->report, PROBLEM_ORDER, s->span.from,
			       "%s comes after %s; its canonical place is before it", word_of(SET_STATEMENT, rank),
			       word_of(SET_STATEMENT, *highest));
	*highest = rank > *highest ? rank : *highest;
}

static void parse_statement(struct parser *p, int kind, struct statement *owner, int *highest)
{
	struct statement *s = arena_new(p->arena, struct statement);
	int open_before = p->open_count;
	struct token word = token_take(p);

	s->kind = kind == STATEMENT_ROOM && p->depth ? STATEMENT_SUB_ROOM : (enum statement_kind)kind;
	if (kind == STATEMENT_SUB_ROOM && !p->depth)
		s->kind = STATEMENT_ROOM;
	s->parent = owner ? owner->number : -1;
	s->number = (int)p->out->statements.n;
	s->keyword = s->span = (struct span){word.from, word.to};
	*ARRAY_PUSH(p->arena, &p->out->statements) = s;
	if (s->kind == STATEMENT_STAIR) {
		/* A stair without a name also gets a shape, so that no caller needs to check. */
		s->stair = arena_new(p->arena, struct stair_syntax);
		s->stair->handrail = s->stair->stringer = -1;
	}
	check_order(p, s, highest);
	bool sound = !is_named(s->kind) || expect_name(p, "a name", &s->name);

	if (sound || s->kind == STATEMENT_FLOOR)
		sound = statement_parsers[s->kind](p, s) && sound;
	s->broken = !sound;
	s->span.to = p->last;
	if (!sound)
		recover(p, open_before);
}

/* May the statement be in this owner? A connection inside a floor belongs to that floor. */
static bool belongs(int kind, const struct statement *owner)
{
	enum statement_place place = statement_rows[kind].place;

	if (!owner)
		return place == PLACE_TOP;
	if (owner->kind == STATEMENT_FLOOR)
		return place != PLACE_TOP || kind == STATEMENT_CONNECT;
	return kind == STATEMENT_ROOM || kind == STATEMENT_SUB_ROOM;
}

static bool parse_body(struct parser *p, struct statement *owner, char close)
{
	int highest = 0;

	while (!mark_ahead(p, close)) {
		int kind = statement_ahead(p);

		if (p->at->kind == TOKEN_END)
			return parse_unexpected(p, "%c to close %s %s", close, word_of(SET_STATEMENT, (int)owner->kind),
						shown(&p->report->call, owner->name.text));
		if (kind >= 0 && belongs(kind, owner)) {
			if (kind == STATEMENT_CONNECT && owner->kind == STATEMENT_FLOOR)
				report_warning(p->report, PROBLEM_ORDER, p->at->from,
					       "connect is inside a floor; its canonical place is after the floors");
			parse_statement(p, kind, owner, &highest);
			continue;
		}
		/* A statement that belongs outside ends the block: the closing bracket is missing. */
		if (kind >= 0)
			return parse_unexpected(p, "%c to close %s %s before it", close,
						word_of(SET_STATEMENT, (int)owner->kind),
						shown(&p->report->call, owner->name.text));
		parse_unexpected(p, "a room%s or %c", owner->kind == STATEMENT_FLOOR ? ", stair, lift" : "", close);
		int open = p->open_count;

		if (p->at->kind == TOKEN_MARK && p->at->mark && strchr(")]}", p->at->mark))
			return false;
		token_take(p);
		recover(p, open);
	}
	owner->body.to = p->at->from;
	token_take(p);
	return true;
}

void parse_statements(struct parser *p)
{
	int highest = 0;

	while (p->at->kind != TOKEN_END) {
		int kind = statement_ahead(p);

		if (kind >= 0 && belongs(kind, NULL)) {
			parse_statement(p, kind, NULL, &highest);
			continue;
		}
		struct buffer list = {.arena = p->arena};

		for (int i = 0; i < (int)word_count(SET_STATEMENT); i++)
			if (statement_rows[i].place == PLACE_TOP)
				buffer_format(&list, "%s%s", list.len ? ", " : "", word_of(SET_STATEMENT, i));
		if (kind >= 0)
			parse_unexpected(p, "a floor around it: %s", statement_rows[STATEMENT_FLOOR].syntax);
		else
			parse_unexpected(p, "a statement: %s", buffer_text(&list).at);
		token_take(p);
		p->open_count = 0;
		recover(p, 0);
	}
}
