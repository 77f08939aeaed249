/* syntax.h: a plan's text as statements and clauses, each with its place.
 *
 * The lexer splits the text into tokens, the parser groups them. Nothing is resolved here: numbers and names are as
 * written. Every statement, clause, number and name keeps its byte range, so that an edit replaces ranges and cannot
 * change other bytes. Only blanks and comments are between two tokens. */
#ifndef QUIRE_KINDS_FLOORPLAN_SYNTAX_H
#define QUIRE_KINDS_FLOORPLAN_SYNTAX_H
#include "base/map.h"
#include "kinds/floorplan/language/problem.h"

struct span {
	uint32_t from, to;
};

enum token_kind {
	TOKEN_END,
	TOKEN_WORD, /* identifier or keyword; the parser decides by its place */
	TOKEN_NUMBER,
	TOKEN_STRING,      /* quotes included */
	TOKEN_MARK,        /* one character of punctuation; the degree sign is DEGREE */
	TOKEN_OPEN_STRING, /* a string without an end */
	TOKEN_OPEN_COMMENT,
	TOKEN_STRANGE /* a character that is not in the language */
};
enum { DEGREE = 1 };
enum { NUMBER_LIMIT = 1000000000 }; /* larger than any building in any unit; keeps sums finite and exact */

struct token {
	uint32_t from, to;
	uint8_t kind;
	char mark;
};

struct tokens {
	struct token *items; /* the last one is TOKEN_END at the end of the text */
	size_t n, cap;
};

/* Splits the text from the offset on. The head before it has no tokens. */
void lex(struct arena *arena, struct text source, uint32_t from, struct tokens *out);

struct name {
	struct text text;
	struct span span;
}; /* a string: the text without, the span with its quotes */

struct length {
	double value; /* as written, sign applied */
	int unit;     /* enum unit, -1: none */
	bool there;
	struct span span;   /* sign, number and unit */
	struct span number; /* sign and number */
};

struct size {
	bool there;
	struct span span; /* the parentheses, or the name */
	struct name name; /* size NAME; absent: the two lengths */
	struct length width, height;
	bool full; /* (W x full) */
};

struct point_syntax {
	bool there;
	struct span span;
	struct length x, y;
};

struct relative {
	bool there;
	enum direction direction;
	struct span span, word;
	struct name reference;
	struct length gap;
	int alignment; /* -1: none */
	struct span alignment_word;
};

/* The opening of a wall. Most walls have none. */
struct wall_opening {
	struct length at;
	bool percent;
	struct size size;
	struct length height, sill, head;
	int kind; /* enum opening_kind; -1: not given */
	struct span kind_word;
};

/* A side of a room, or, with `is_more`, another door or window of the side before it. */
struct wall {
	enum side side;
	enum wall_type type;
	bool is_more;
	struct span span, side_word, type_word; /* `is_more`: no side_word */
	const struct wall_opening *opening;     /* NULL: nothing */
};

struct clause_span {
	enum clause id;
	struct span span;
};

struct segment {
	bool turns; /* else a flight */
	struct span span;
	int steps;
	struct length width;
	struct name along;
	uint32_t along_word; /* where `along` begins */
	int along_side;
	enum turn turn;
	struct size landing;
	int winders;  /* 0: a landing */
	double angle; /* 90 unless given */
};

struct stair_syntax {
	bool shaped; /* the shape is known */
	enum stair_shape shape;
	struct span shape_word;
	enum side side; /* toward or from */
	enum turn turn;
	double *runs;
	size_t run_count;
	struct size landing;
	enum rotation rotation;
	struct length inner_radius, outer_radius, radius;
	double arc; /* 0: not given */
	int winders;
	ARRAY(struct segment) segments;
	struct length rise, width, riser, tread, nosing, headroom;
	int handrail, stringer; /* -1: not said */
};

struct end_syntax {
	struct name floor; /* FLOOR.ROOM; absent: none */
	struct name name;
	bool outside;
	int side; /* -1: none */
	struct span span;
};

struct connect_syntax {
	struct end_syntax from, to;
	enum door_type type;
	struct span type_word;
	struct length at; /* percent */
	struct size size;
	struct name opens, opens_floor;
	bool opens_outside;
	int swing; /* enum turn, -1: not said */
	struct span swing_word;
};

struct stop_syntax {
	struct name floor, element;
};

enum pair_kind { PAIR_NUMBER, PAIR_SIZE, PAIR_STRING, PAIR_WORD };
struct pair {
	int key; /* enum config_key, style_key or material key */
	struct span span, key_word, value_span;
	enum pair_kind kind;
	struct length number;
	struct size size;
	struct text text; /* a word, or a string without its quotes */
};

struct statement {
	int number;               /* its place in the list */
	enum statement_kind kind; /* SUB_ROOM for both keywords inside `composed of` */
	int parent;               /* statement: floor or room; -1: top level */
	bool broken;              /* it contains an error; the part that was read is filled */
	struct span span, keyword;
	struct name name;
	struct span body; /* inside the braces of a floor, style, config or the brackets of `composed of`; 0,0: none */
	struct clause_span *clauses; /* as written; each at most once */
	size_t clause_count;
	struct point_syntax at;
	struct size size;
	struct length height, elevation;
	ARRAY(struct wall) walls;
	struct span walls_body; /* inside the brackets */
	struct relative relative;
	struct name label, style;
	bool doors[4];
	struct stair_syntax *stair;
	struct connect_syntax *connect;
	ARRAY(struct stop_syntax) stops;
	ARRAY(struct pair) pairs;
};

/* A key of the frontmatter. */
struct head_entry {
	struct text key, value; /* value without quotes */
	struct span span, value_span;
	bool quoted;
	bool in_config; /* below `config:` */
};

struct syntax {
	struct text source;
	struct tokens tokens;
	ARRAY(struct statement *) statements; /* in the order of the text, a parent before its children */
	ARRAY(struct head_entry) head;
	struct span frontmatter; /* with its dashes; 0,0: none */
	struct name version;     /* of the directive, else of the frontmatter */
	bool version_directive;
	struct span floorplan; /* the word */
	bool has_units;        /* at least one length has a unit */
};

/* Never fails. Errors are reported. */
struct syntax *syntax_read(struct arena *arena, struct text source, struct report *report);

/* The parser's own parts; each returns false after reporting an error. */
struct parser {
	struct arena *arena;
	struct syntax *out;
	struct report *report;
	const struct token *at; /* the next token */
	uint32_t last;          /* end of the one before */
	int depth;              /* of `composed of` */
	char open[64];          /* brackets that are open */
	int open_count;
	struct map floors; /* the names of all floors, collected at the first FLOOR.ROOM */
	bool has_floors;
};

static inline struct text token_text(const struct parser *p, const struct token *t)
{
	return (struct text){p->out->source.at + t->from, t->to - t->from};
}

/* Open brackets are recorded, so that the parser knows its block after an error. */
static inline struct token token_take(struct parser *p)
{
	struct token t = *p->at;

	if (t.kind == TOKEN_END)
		return t;
	p->at++;
	p->last = t.to;
	if (t.kind != TOKEN_MARK)
		return t;
	switch (t.mark) {
	case '(':
	case '[':
	case '{':
		if (p->open_count < (int)sizeof p->open)
			p->open[p->open_count++] = t.mark;
		break;
	case ')':
	case ']':
	case '}':
		if (p->open_count > 0)
			p->open_count--;
		break;
	}
	return t;
}

static inline bool mark_ahead(const struct parser *p, char mark)
{
	return p->at->kind == TOKEN_MARK && p->at->mark == mark;
}

bool token_is(const struct parser *p, const struct token *t, const char *word);
bool mark_take(struct parser *p, char mark);
bool word_take(struct parser *p, enum word_set set, int index);
bool expect_mark(struct parser *p, char mark, const char *where);
bool expect_glue(struct parser *p, enum glue word);
bool expect_word(struct parser *p, enum word_set set, int *out);
bool expect_clause_word(struct parser *p, enum clause id);
bool expect_name(struct parser *p, const char *what, struct name *out);
bool expect_quoted(struct parser *p, const char *what, struct name *out);
bool expect_number(struct parser *p, const char *what, double *out);
bool expect_count(struct parser *p, const char *what, int *out);
bool parse_unexpected(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool parse_length(struct parser *p, bool may_be_negative, struct length *out);
bool parse_size(struct parser *p, bool may_be_named, bool may_be_full, struct size *out);
bool parse_point(struct parser *p, struct point_syntax *out);
bool parse_relative(struct parser *p, struct relative *out);
bool parse_walls(struct parser *p, struct statement *s);
bool parse_shape(struct parser *p, struct stair_syntax *stair);
bool parse_pairs(struct parser *p, struct statement *s, enum word_set keys);
bool parse_pair_value(struct parser *p, struct pair *pair);
bool parse_connect(struct parser *p, struct statement *s);
bool parse_vertical(struct parser *p, struct statement *s);

/* Clauses in any order, each once, by the rows of words.def; `parsers` has a function for each. */
bool parse_clauses(struct parser *p, struct statement *s, bool (*const *parsers)(struct parser *, struct statement *));

/* Parses all statements up to the end. Recovers after each broken one. */
void parse_statements(struct parser *p);

/* Reads the head and returns the offset after it. */
uint32_t head_read(struct arena *arena, struct syntax *out, struct report *report);

static inline const struct clause_span *statement_clause(const struct statement *s, enum clause id)
{
	for (size_t i = 0; i < s->clause_count; i++)
		if (s->clauses[i].id == id)
			return &s->clauses[i];
	return NULL;
}

#endif
