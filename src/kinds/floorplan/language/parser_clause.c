#include "kinds/floorplan/language/syntax.h"

#include <string.h>

bool parse_pair_value(struct parser *p, struct pair *pair)
{
	struct name string;
	uint32_t from = p->at->from;

	switch ((enum token_kind)p->at->kind) {
	case TOKEN_NUMBER:
		pair->kind = PAIR_NUMBER;
		if (!parse_length(p, false, &pair->number))
			return false;
		break;
	case TOKEN_STRING:
		pair->kind = PAIR_STRING;
		if (!expect_quoted(p, "a text", &string))
			return false;
		pair->text = string.text;
		break;
	case TOKEN_WORD:
		pair->kind = PAIR_WORD;
		pair->text = token_text(p, p->at);
		token_take(p);
		break;
	case TOKEN_MARK:
		pair->kind = PAIR_SIZE;
		if (!parse_size(p, false, false, &pair->size))
			return false;
		break;
	case TOKEN_END:
	case TOKEN_OPEN_STRING:
	case TOKEN_OPEN_COMMENT:
	case TOKEN_STRANGE: return parse_unexpected(p, "a value");
	}
	pair->value_span = (struct span){from, p->last};
	return true;
}

static bool parse_pair(struct parser *p, enum word_set keys, struct pair *pair)
{
	*pair = (struct pair){.span = {.from = p->at->from}, .key_word = {p->at->from, p->at->to}, .key = -1};
	if (keys == SET_CONFIG_KEY && p->at->kind == TOKEN_WORD)
		pair->key = config_key_find(token_text(p, p->at));
	if (pair->key >= 0)
		token_take(p);
	else if (!expect_word(p, keys, &pair->key))
		return false;
	if (!expect_mark(p, ':', "and a value after the key") || !parse_pair_value(p, pair))
		return false;
	pair->span.to = p->last;
	return true;
}

bool parse_pairs(struct parser *p, struct statement *s, enum word_set keys)
{
	if (!expect_mark(p, '{', "and keys with values"))
		return false;
	uint32_t body = p->last;

	do {
		struct pair pair;

		if (mark_ahead(p, '}'))
			return parse_unexpected(p, s->pairs.n ? "another key after the comma, or no comma"
							      : "at least one key with a value");
		if (!parse_pair(p, keys, &pair))
			return false;
		if (keys == SET_MATERIAL_KEY && pair.kind != PAIR_STRING) {
			report_error(p->report, PROBLEM_PARSE, pair.value_span.from, "a material is a text in quotes");
			return false;
		}
		*ARRAY_PUSH(p->arena, &s->pairs) = pair;
	} while (mark_take(p, ','));
	if (keys != SET_MATERIAL_KEY)
		s->body = (struct span){body, p->at->from};
	return expect_mark(p, '}', "or , after a value");
}

static bool side_after(struct parser *p, enum clause word, struct stair_syntax *s)
{
	int side;

	if (!expect_clause_word(p, word) || !expect_word(p, SET_SIDE, &side))
		return false;
	s->side = side;
	return true;
}

static bool turn_after(struct parser *p, struct stair_syntax *s)
{
	int turn;

	if (!expect_clause_word(p, CLAUSE_TURN) || !expect_word(p, SET_TURN, &turn))
		return false;
	s->turn = turn;
	return true;
}

static bool runs_if_any(struct parser *p, struct stair_syntax *s)
{
	ARRAY(double) runs = {0};
	int steps;

	if (!word_take(p, SET_CLAUSE, CLAUSE_RUNS))
		return true;
	do {
		if (!expect_count(p, "the steps of a flight", &steps))
			return false;
		*ARRAY_PUSH(p->arena, &runs) = steps;
	} while (mark_take(p, ','));
	s->runs = runs.items;
	s->run_count = runs.n;
	return true;
}

static bool turning(struct parser *p, struct stair_syntax *s)
{
	if (!side_after(p, CLAUSE_FROM, s) || !turn_after(p, s))
		return false;
	if (s->shape == STAIR_WINDER &&
	    (!expect_clause_word(p, CLAUSE_WINDERS) || !expect_count(p, "the number of winders", &s->winders)))
		return false;
	if (!runs_if_any(p, s))
		return false;
	return s->shape == STAIR_WINDER || !word_take(p, SET_CLAUSE, CLAUSE_LANDING) ||
	       parse_size(p, false, false, &s->landing);
}

static bool spiral(struct parser *p, struct stair_syntax *s)
{
	int rotation;

	if (!expect_clause_word(p, CLAUSE_ROTATION) || !expect_word(p, SET_ROTATION, &rotation))
		return false;
	s->rotation = rotation;
	if (word_take(p, SET_CLAUSE, CLAUSE_INNER_RADIUS) && !parse_length(p, false, &s->inner_radius))
		return false;
	return expect_clause_word(p, CLAUSE_OUTER_RADIUS) && parse_length(p, false, &s->outer_radius);
}

static bool curved(struct parser *p, struct stair_syntax *s)
{
	if (!side_after(p, CLAUSE_FROM, s))
		return false;
	if (word_take(p, SET_CLAUSE, CLAUSE_ARC) &&
	    (!expect_number(p, "an angle", &s->arc) ||
	     !(mark_take(p, DEGREE) || parse_unexpected(p, "° after the angle"))))
		return false;
	return expect_clause_word(p, CLAUSE_RADIUS) && parse_length(p, false, &s->radius);
}

static bool flight(struct parser *p, struct segment *g)
{
	if (!expect_count(p, "the steps of a flight", &g->steps))
		return false;
	if (word_take(p, SET_CLAUSE, CLAUSE_WIDTH) && !parse_length(p, false, &g->width))
		return false;
	g->along_word = p->at->from;
	return !word_take(p, SET_CLAUSE, CLAUSE_ALONG) ||
	       (expect_name(p, "the name of a room", &g->along) && expect_mark(p, '.', "and a side") &&
		expect_word(p, SET_SIDE, &g->along_side));
}

static bool turn(struct parser *p, struct segment *g)
{
	int way;

	if (!expect_word(p, SET_TURN, &way))
		return false;
	g->turns = true;
	g->turn = way;
	if (word_take(p, SET_CLAUSE, CLAUSE_WINDERS)) {
		if (!expect_count(p, "the number of winders", &g->winders))
			return false;
	} else if (!expect_clause_word(p, CLAUSE_LANDING) || !parse_size(p, false, false, &g->landing)) {
		return false;
	}
	return p->at->kind != TOKEN_NUMBER || (expect_number(p, "an angle", &g->angle) &&
					       (mark_take(p, DEGREE) || parse_unexpected(p, "° after the angle")));
}

static bool segments(struct parser *p, struct stair_syntax *s)
{
	if (!side_after(p, CLAUSE_FROM, s) || !expect_mark(p, '[', "and flights and turns"))
		return false;
	do {
		struct segment g = {.span = {.from = p->at->from}, .along_side = -1, .angle = 90};

		if (word_take(p, SET_CLAUSE, CLAUSE_FLIGHT)) {
			if (!flight(p, &g))
				return false;
		} else if (word_take(p, SET_CLAUSE, CLAUSE_TURN)) {
			if (!turn(p, &g))
				return false;
		} else {
			return parse_unexpected(p, "%s or %s", word_of(SET_CLAUSE, CLAUSE_FLIGHT),
						word_of(SET_CLAUSE, CLAUSE_TURN));
		}
		g.span.to = p->last;
		*ARRAY_PUSH(p->arena, &s->segments) = g;
	} while (mark_take(p, ','));
	return expect_mark(p, ']', "or , after a flight or turn");
}

bool parse_shape(struct parser *p, struct stair_syntax *s)
{
	int shape;

	s->shape_word = (struct span){p->at->from, p->at->to};
	if (!expect_word(p, SET_STAIR_SHAPE, &shape))
		return false;
	s->shape = shape;
	s->shaped = true;
	switch (s->shape) {
	case STAIR_STRAIGHT: return side_after(p, CLAUSE_TOWARD, s);
	case STAIR_L_SHAPED:
	case STAIR_U_SHAPED:
	case STAIR_DOUBLE_L:
	case STAIR_WINDER: return turning(p, s);
	case STAIR_SPIRAL: return spiral(p, s);
	case STAIR_CURVED: return curved(p, s);
	case STAIR_CUSTOM: return segments(p, s);
	}
	return false;
}

/* A floor may come after the connection that names it, so the names of floors are collected from the tokens. */
static bool is_floor(struct parser *p, struct text name)
{
	const struct tokens *all = &p->out->tokens;

	p->floors.arena = p->arena;
	for (size_t i = 0; !p->has_floors && i + 1 < all->n; i++)
		if (all->items[i].kind == TOKEN_WORD && all->items[i + 1].kind == TOKEN_WORD &&
		    word_is(SET_STATEMENT, STATEMENT_FLOOR, token_text(p, &all->items[i])))
			map_at(&p->floors, token_text(p, &all->items[i + 1]), 1, NULL);
	p->has_floors = true;
	return map_find(&p->floors, name);
}

/* `name` was read and a dot follows. Is it a floor before a room? A side takes precedence over a room. */
static bool floor_ahead(struct parser *p, struct text name)
{
	if (!mark_ahead(p, '.') || p->at[1].kind != TOKEN_WORD)
		return false;
	bool more = p->at[2].kind == TOKEN_MARK && p->at[2].mark == '.';

	return (more || word_find(SET_SIDE, token_text(p, &p->at[1])) < 0) && is_floor(p, name);
}

static bool end(struct parser *p, struct end_syntax *e)
{
	e->side = -1;
	if (!expect_name(p, "the name of a room, or outside", &e->name))
		return false;
	e->span = e->name.span;
	if (floor_ahead(p, e->name.text)) {
		e->floor = e->name;
		mark_take(p, '.');
		if (!expect_name(p, "the name of a room", &e->name))
			return false;
	}
	e->outside = !e->floor.text.at && text_is(e->name.text, word_of(SET_GLUE, GLUE_OUTSIDE));
	if (mark_take(p, '.') && !expect_word(p, SET_SIDE, &e->side))
		return false;
	e->span.to = p->last;
	return true;
}

static bool percent_clause(struct parser *p, struct statement *s)
{
	return parse_length(p, false, &s->connect->at) &&
	       expect_mark(p, '%', "after the place of a connection, as in at 50%");
}

static bool opening_clause(struct parser *p, struct statement *s)
{
	return parse_size(p, false, true, &s->connect->size);
}

static bool opens_clause(struct parser *p, struct statement *s)
{
	const struct token *word = p->at - 1;

	/* clause_ahead() also accepts the optional `door` before it. */
	if (!token_is(p, word, word_of(SET_CLAUSE, CLAUSE_OPENS)) && !expect_clause_word(p, CLAUSE_OPENS))
		return false;
	if (!expect_glue(p, GLUE_INTO) || !expect_name(p, "the name of a room, or outside", &s->connect->opens))
		return false;
	if (floor_ahead(p, s->connect->opens.text)) {
		s->connect->opens_floor = s->connect->opens;
		mark_take(p, '.');
		return expect_name(p, "the name of a room", &s->connect->opens);
	}
	s->connect->opens_outside = text_is(s->connect->opens.text, word_of(SET_GLUE, GLUE_OUTSIDE));
	return true;
}

static bool swing_clause(struct parser *p, struct statement *s)
{
	if (!expect_mark(p, ':', "and a side after swing"))
		return false;
	s->connect->swing_word = (struct span){p->at->from, p->at->to};
	return expect_word(p, SET_TURN, &s->connect->swing);
}

bool parse_connect(struct parser *p, struct statement *s)
{
	static bool (*const clauses[])(struct parser *, struct statement *) = {
		[CLAUSE_AT] = percent_clause,
		[CLAUSE_SIZE] = opening_clause,
		[CLAUSE_OPENS] = opens_clause,
		[CLAUSE_SWING] = swing_clause,
	};
	struct connect_syntax *k = s->connect = arena_new(p->arena, struct connect_syntax);
	int type;

	k->swing = -1;
	if (!end(p, &k->from) || !expect_glue(p, GLUE_TO) || !end(p, &k->to))
		return false;
	k->type_word = (struct span){p->at->from, p->at->to};
	if (!expect_word(p, SET_DOOR_TYPE, &type))
		return false;
	k->type = type;
	return parse_clauses(p, s, clauses);
}

static bool stop(struct parser *p, struct statement *s)
{
	struct stop_syntax stop;

	if (!expect_name(p, "the name of a floor", &stop.floor) ||
	    !expect_mark(p, '.', "and a stair or lift of the floor") ||
	    !expect_name(p, "the name of a stair or lift", &stop.element))
		return false;
	*ARRAY_PUSH(p->arena, &s->stops) = stop;
	return true;
}

bool parse_vertical(struct parser *p, struct statement *s)
{
	if (!stop(p, s) || !expect_glue(p, GLUE_TO))
		return false;
	do {
		if (!stop(p, s))
			return false;
	} while (word_take(p, SET_GLUE, GLUE_TO));
	return true;
}
