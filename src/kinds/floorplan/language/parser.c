#include "kinds/floorplan/language/syntax.h"

#include "base/utf8.h"
#include "kinds/floorplan/language/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool token_is(const struct parser *p, const struct token *t, const char *word)
{
	return t->kind == TOKEN_WORD && text_is(token_text(p, t), word);
}

bool mark_take(struct parser *p, char mark)
{
	if (!mark_ahead(p, mark))
		return false;
	token_take(p);
	return true;
}

bool word_take(struct parser *p, enum word_set set, int index)
{
	if (p->at->kind != TOKEN_WORD || !word_is(set, index, token_text(p, p->at)))
		return false;
	token_take(p);
	return true;
}

static const char *found(struct parser *p)
{
	const struct token *t = p->at;

	switch ((enum token_kind)t->kind) {
	case TOKEN_END: return "the end of the text";
	case TOKEN_OPEN_STRING: return "a string without its closing quote";
	case TOKEN_OPEN_COMMENT: return "a comment without its closing */";
	case TOKEN_WORD:
	case TOKEN_NUMBER:
	case TOKEN_STRING:
	case TOKEN_MARK:
	case TOKEN_STRANGE: return text_format(p->arena, "'%s'", shown(&p->report->call, token_text(p, t))).at;
	}
	return "";
}

static bool is_name_byte(char c)
{
	return (unsigned char)c >= 0x80 || c == '_' || (c >= '0' && c <= '9') ||
	       ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* A character that is not ASCII: the whole word was meant as a name. */
static bool foreign_name(struct parser *p)
{
	struct text source = p->out->source;
	uint32_t from = p->at->from, to = p->at->to;

	if (p->at->kind != TOKEN_STRANGE || !utf8_len(source.at + from, source.at + to) ||
	    !utf8_is_word(utf8_next(source, &(size_t){from})))
		return false;
	while (from > 0 && is_name_byte(source.at[from - 1]))
		from--;
	while (to < source.len && is_name_byte(source.at[to]))
		to++;
	struct text word = text_slice(source, from, to);

	report_error(p->report, PROBLEM_PARSE, from, "'%s' is no name: %s", shown(&p->report->call, word),
		     name_advice(p->arena, word));
	return true;
}

bool parse_unexpected(struct parser *p, const char *format, ...)
{
	va_list ap;

	if (foreign_name(p))
		return false;

	va_start(ap, format);
	const char *expected = text_vformat(p->arena, format, ap).at;
	va_end(ap);
	report_error(p->report, PROBLEM_PARSE, p->at->from, "found %s; expected %s", found(p), expected);
	return false;
}

bool expect_mark(struct parser *p, char mark, const char *where)
{
	return mark_take(p, mark) || parse_unexpected(p, "%c %s", mark, where);
}

bool expect_glue(struct parser *p, enum glue word)
{
	return word_take(p, SET_GLUE, (int)word) || parse_unexpected(p, "%s", word_of(SET_GLUE, (int)word));
}

bool expect_clause_word(struct parser *p, enum clause id)
{
	return word_take(p, SET_CLAUSE, (int)id) || parse_unexpected(p, "%s", word_of(SET_CLAUSE, (int)id));
}

/* The language has no compass words, but people use them. */
static const char *compass(struct text word)
{
	static const struct {
		const char *word;
		enum side side;
	} rows[] = {
		{"north", SIDE_TOP},
		{"east", SIDE_RIGHT},
		{"south", SIDE_BOTTOM},
		{"west", SIDE_LEFT},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (text_is(word, rows[i].word))
			return word_of(SET_SIDE, rows[i].side);
	return NULL;
}

static bool no_word(struct parser *p, enum word_set set)
{
	struct buffer list = {.arena = p->arena};
	struct text word = token_text(p, p->at);

	word_list(&list, set);
	if (p->at->kind != TOKEN_WORD)
		return parse_unexpected(p, "a %s: %s", word_sets[set].noun, buffer_text(&list).at);
	const char *near = set == SET_SIDE ? compass(word) : NULL;

	near = near ? near : word_nearest(set, word);
	report_error(p->report, PROBLEM_PARSE, p->at->from, "%s '%s'; expected %s%s%s%s", word_sets[set].noun,
		     shown(&p->report->call, word), buffer_text(&list).at, near ? "; did you mean " : "",
		     near ? near : "", near ? "?" : "");
	return false;
}

bool expect_word(struct parser *p, enum word_set set, int *out)
{
	int index = p->at->kind == TOKEN_WORD ? word_find(set, token_text(p, p->at)) : -1;

	if (index < 0)
		return no_word(p, set);
	*out = index;
	token_take(p);
	return true;
}

bool expect_name(struct parser *p, const char *what, struct name *out)
{
	if (p->at->kind != TOKEN_WORD || memchr(p->out->source.at + p->at->from, '-', p->at->to - p->at->from))
		return parse_unexpected(p, "%s (letters, digits and _)", what);
	struct token t = token_take(p);

	*out = (struct name){token_text(p, &t), {t.from, t.to}};
	return true;
}

bool expect_quoted(struct parser *p, const char *what, struct name *out)
{
	if (p->at->kind != TOKEN_STRING)
		return parse_unexpected(p, "%s in quotes", what);
	struct token t = token_take(p);

	*out = (struct name){{p->out->source.at + t.from + 1, t.to - t.from - 2}, {t.from, t.to}};
	return true;
}

/* Digits with at most one point, as the lexer cut them. */
static double number_of(struct text t)
{
	double whole = 0, scale = 1;
	size_t i = 0;
	char copy[32];

	if (t.len >= sizeof copy - 1) {
		struct text digits = text_slice(t, 0, sizeof copy - 2);

		if (!memchr(digits.at, '.', digits.len))
			return HUGE_VAL;
		t = digits;
	}
	if (t.len > 15) {
		snprintf(copy, sizeof copy, "%.*s", TEXT_ARGS(t));
		return strtod(copy, NULL);
	}
	for (; i < t.len && t.at[i] != '.'; i++)
		whole = whole * 10 + (t.at[i] - '0');
	if (i == t.len)
		return whole;
	for (i++; i < t.len; i++) {
		whole = whole * 10 + (t.at[i] - '0');
		scale *= 10;
	}
	return whole / scale; /* both are exact, so the quotient is the nearest double */
}

bool expect_number(struct parser *p, const char *what, double *out)
{
	if (p->at->kind != TOKEN_NUMBER)
		return parse_unexpected(p, "%s", what);
	double value = number_of(token_text(p, p->at));

	if (value > NUMBER_LIMIT) {
		report_error(p->report, PROBLEM_VALUE, p->at->from, "%s %s is too large; the limit is %d", what,
			     shown(&p->report->call, token_text(p, p->at)), (int)NUMBER_LIMIT);
		return false;
	}
	*out = value;
	token_take(p);
	return true;
}

bool expect_count(struct parser *p, const char *what, int *out)
{
	enum { COUNT_LIMIT = 10000 }; /* steps of one flight */
	uint32_t from = p->at->from;
	double value;

	if (!expect_number(p, what, &value))
		return false;
	if (value != (int)value || value < 1 || value > COUNT_LIMIT) {
		report_error(p->report, PROBLEM_VALUE, from, "%s must be a whole number from 1 to %d", what,
			     (int)COUNT_LIMIT);
		return false;
	}
	*out = (int)value;
	return true;
}

bool parse_length(struct parser *p, bool may_be_negative, struct length *out)
{
	uint32_t from = p->at->from;
	bool negative = may_be_negative && mark_take(p, '-');
	double value;

	*out = (struct length){.unit = -1};
	if (!expect_number(p, "a number", &value))
		return false;
	out->value = negative ? -value : value;
	out->there = true;
	out->number = out->span = (struct span){from, p->last};
	if (p->at->kind != TOKEN_WORD)
		return true;
	struct text word = token_text(p, p->at);

	out->unit = word_find(SET_UNIT, word);
	if (out->unit >= 0) {
		p->out->has_units = true;
		token_take(p);
		out->span.to = p->last;
	} else if (p->at->from == p->last && !text_is(word, word_of(SET_GLUE, GLUE_X))) {
		return expect_word(p, SET_UNIT, &out->unit);
	}
	return true;
}

bool parse_size(struct parser *p, bool may_be_named, bool may_be_full, struct size *out)
{
	*out = (struct size){.span = {.from = p->at->from}};
	if (may_be_named && p->at->kind == TOKEN_WORD) {
		if (!expect_name(p, "a defined size", &out->name))
			return false;
	} else {
		if (!expect_mark(p, '(',
				 may_be_named ? "and a width, or the name of a defined size"
					      : "and a width, as in (10 x 12)") ||
		    !parse_length(p, false, &out->width) || !expect_glue(p, GLUE_X))
			return false;
		out->height.span = (struct span){p->at->from, p->at->to};
		if (may_be_full && word_take(p, SET_GLUE, GLUE_FULL)) {
			out->full = true;
		} else if (!parse_length(p, false, &out->height)) {
			return false;
		}
		if (!expect_mark(p, ')', "after the height"))
			return false;
	}
	out->span.to = p->last;
	out->there = true;
	return true;
}

bool parse_point(struct parser *p, struct point_syntax *out)
{
	*out = (struct point_syntax){.span = {.from = p->at->from}};
	if (!expect_mark(p, '(', "and coordinates, as in (0,0)") || !parse_length(p, true, &out->x) ||
	    !expect_mark(p, ',', "between the coordinates") || !parse_length(p, true, &out->y) ||
	    !expect_mark(p, ')', "after the coordinates"))
		return false;
	out->span.to = p->last;
	out->there = true;
	return true;
}

bool parse_relative(struct parser *p, struct relative *out)
{
	int direction;

	*out = (struct relative){.span = {.from = p->at->from}, .word = {p->at->from, p->at->to}, .alignment = -1};
	if (!expect_word(p, SET_DIRECTION, &direction) || !expect_name(p, "the name of a room", &out->reference))
		return false;
	out->direction = direction;
	for (;;) {
		if (!out->gap.there && word_take(p, SET_CLAUSE, CLAUSE_GAP)) {
			if (!parse_length(p, true, &out->gap))
				return false;
			if (out->gap.value < 0)
				report_warning(p->report, PROBLEM_POSITION, out->gap.span.from,
					       "a gap of less than 0 lets the rooms overlap");
		} else if (out->alignment < 0 && word_take(p, SET_CLAUSE, CLAUSE_ALIGN)) {
			out->alignment_word = (struct span){p->at->from, p->at->to};
			if (!expect_word(p, SET_ALIGNMENT, &out->alignment))
				return false;
			if (!out->gap.there && token_is(p, p->at, word_of(SET_CLAUSE, CLAUSE_GAP)))
				report_warning(p->report, PROBLEM_ORDER, p->at->from,
					       "gap comes after align; its place is before it");
		} else {
			break;
		}
	}
	out->span.to = p->last;
	out->there = true;
	return true;
}

/* What a kind belongs to. */
static enum wall_built built_of_kind(int kind)
{
	static const enum wall_built of[] = {
#define OPENING_KIND(id, text, of, drawn, meaning) BUILT_##of,
#include "kinds/floorplan/language/words.def"
	};

	return of[kind];
}

static bool parse_kind(struct parser *p, const struct wall *w, struct wall_opening *o)
{
	o->kind_word = (struct span){p->at->from, p->at->to};
	token_take(p);
	if (built_of_kind(o->kind) == wall_built(w->type))
		return true;
	report_error(p->report, PROBLEM_PARSE, o->kind_word.from, "%s is no kind of %s",
		     word_of(SET_OPENING_KIND, o->kind), word_of(SET_WALL_TYPE, (int)w->type));
	return false;
}

/* Parses a kind, at N or N%, size (W x H), height H, sill H, head H: in any order, each once. */
static bool parse_opening(struct parser *p, struct wall *w)
{
	struct wall_opening *o = arena_new(p->arena, struct wall_opening);

	o->kind = -1;
	for (;; w->opening = o) {
		int kind = o->kind < 0 && p->at->kind == TOKEN_WORD ? word_find(SET_OPENING_KIND, token_text(p, p->at))
								    : -1;

		if (kind >= 0) {
			o->kind = kind;
			if (!parse_kind(p, w, o))
				return false;
			continue;
		}
		if (!o->at.there && word_take(p, SET_CLAUSE, CLAUSE_AT)) {
			if (!parse_length(p, false, &o->at))
				return false;
			o->percent = o->at.unit < 0 && mark_take(p, '%');
			o->at.span.to = p->last;
		} else if (!o->size.there && word_take(p, SET_CLAUSE, CLAUSE_SIZE)) {
			if (!parse_size(p, false, false, &o->size))
				return false;
		} else if (!o->height.there && word_take(p, SET_CLAUSE, CLAUSE_HEIGHT)) {
			if (!parse_length(p, false, &o->height))
				return false;
		} else if (!o->sill.there && word_take(p, SET_CLAUSE, CLAUSE_SILL)) {
			if (!parse_length(p, false, &o->sill))
				return false;
		} else if (!o->head.there && word_take(p, SET_CLAUSE, CLAUSE_HEAD)) {
			if (!parse_length(p, false, &o->head))
				return false;
		} else {
			return true;
		}
	}
}

/* Does the list of the side before go on: `top: window, window`? */
static bool more_ahead(const struct parser *p)
{
	return p->at->kind == TOKEN_WORD && word_find(SET_WALL_TYPE, token_text(p, p->at)) >= 0 &&
	       !(p->at[1].kind == TOKEN_MARK && p->at[1].mark == ':');
}

static bool has_opening(enum wall_type type)
{
	enum wall_built built = wall_built(type);

	return built == BUILT_DOOR || built == BUILT_WINDOW;
}

/* `before`: the entry before this one; NULL: none. */
static bool parse_wall(struct parser *p, const struct wall *before, struct wall *w)
{
	int side, type;

	*w = (struct wall){.span = {.from = p->at->from}, .side_word = {p->at->from, p->at->to}};
	if (before && more_ahead(p)) {
		w->is_more = true;
		w->side_word.to = w->side_word.from;
		side = (int)before->side;
	} else if (!expect_word(p, SET_SIDE, &side) || !expect_mark(p, ':', "and a wall type after the side")) {
		return false;
	}
	w->type_word = (struct span){p->at->from, p->at->to};
	if (!expect_word(p, SET_WALL_TYPE, &type))
		return false;
	w->side = side;
	w->type = type;
	if (w->is_more && (!has_opening(w->type) || !has_opening(before->type))) {
		report_error(p->report, PROBLEM_PARSE, w->type_word.from,
			     "several entries of a side are doors and windows; a %s has its side to itself",
			     word_of(SET_WALL_TYPE, (int)(has_opening(w->type) ? before->type : w->type)));
		return false;
	}
	if (p->at->kind == TOKEN_WORD && !parse_opening(p, w))
		return false;
	w->span.to = p->last;
	return true;
}

bool parse_walls(struct parser *p, struct statement *s)
{
	if (!expect_mark(p, '[', "and the walls, as in [top: solid]"))
		return false;
	s->walls_body.from = p->last;
	/* Four sides, most often all of them. */
	ARRAY_RESERVE(p->arena, &s->walls, 4);
	if (mark_ahead(p, ']'))
		return parse_unexpected(p, "at least one side, as in [top: solid]; sides not listed are solid");
	do {
		if (mark_ahead(p, ']'))
			return parse_unexpected(p, "another side after the comma, or no comma");
		struct wall *w = ARRAY_PUSH(p->arena, &s->walls);

		if (!parse_wall(p, s->walls.n > 1 ? w - 1 : NULL, w)) {
			s->walls.n--;
			return false;
		}
		for (const struct wall *other = s->walls.items; other < w; other++)
			if (other->side == w->side && !w->is_more && !other->is_more)
				report_warning(p->report, PROBLEM_WALL, w->span.from,
					       "%s is listed twice; the last one holds",
					       word_of(SET_SIDE, (int)w->side));
	} while (mark_take(p, ','));
	s->walls_body.to = p->last;
	return expect_mark(p, ']', "or , after a wall");
}

struct syntax *syntax_read(struct arena *arena, struct text source, struct report *report)
{
	struct syntax *out = arena_new(arena, struct syntax);
	struct parser p = {.arena = arena, .out = out, .report = report};

	out->source = source;
	size_t bad = utf8_bad(source);

	if (bad < source.len) {
		report_error(report, PROBLEM_PARSE, (uint32_t)bad,
			     "the text is not UTF-8 from here on; save it as UTF-8");
		out->source.len = bad;
	}
	lex(arena, out->source, head_read(arena, out, report), &out->tokens);
	p.at = out->tokens.items;
	p.last = p.at->from;
	out->floorplan = (struct span){p.at->from, p.at->to};
	if (!word_take(&p, SET_GLUE, GLUE_FLOORPLAN)) {
		parse_unexpected(&p, "%s: it begins every plan", word_of(SET_GLUE, GLUE_FLOORPLAN));
		out->floorplan.to = out->floorplan.from;
	}
	parse_statements(&p);
	return out;
}
