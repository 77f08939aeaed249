/* edit.h: operations on a plan's text.
 *
 * An operation becomes splices of the given text; other bytes stay unchanged. Operations run one after the other, each
 * on the result of the one before. After each operation the plan is read again. An operation that causes a new error is
 * undone and reported. The rows of words.def define the names and params of the actions. */
#ifndef QUIRE_KINDS_FLOORPLAN_EDIT_H
#define QUIRE_KINDS_FLOORPLAN_EDIT_H
#include "format/splice.h"
#include "kinds/floorplan/language/syntax.h"
#include "kinds/floorplan/plan/plan.h"
#include "tool/field.h"

enum action {
#define ACTION(id, ...) ACTION_##id,
#define ACTION_OF(id, ...) ACTION_##id,
#include "kinds/floorplan/language/words.def"
	ACTIONS
};

struct relative_params {
	int direction;
	struct text reference;
	struct maybe_number gap;
	int alignment;
};
struct walls_params {
	int sides[4];
}; /* enum wall_type by enum side, -1: not given */

/* struct add_room_params and so on. The member `none` exists because a struct needs one. */
struct no_params {
	bool none;
#define ACTION(id, name, ...)                                                                                          \
	}                                                                                                              \
	;                                                                                                              \
	struct name##_params {                                                                                         \
		bool none;
#define PARAM(action, type, name, ...) type name;
#include "kinds/floorplan/language/words.def"
};

enum { STYLE_KEYS = WORD_STYLE_KEY_METALNESS - WORD_STYLE_KEY_FLOOR_COLOR + 1 };
struct set_style_params {
	struct text name;
	struct text texts[STYLE_KEYS];
	struct maybe_number shares[STYLE_KEYS];
};

struct operation {
	struct text target;
	const void *params; /* struct NAME_params of its action, or NULL */
};

const char *action_name(enum action a);
/* For UNIONS of struct operation, selected by `action`. */
extern const struct variant action_variants[];

struct change_row {
	struct text action, target;
	int result; /* enum edit_result */
	struct text message;
};
struct edit_error {
	struct text message;
	int64_t operation;
	struct maybe_int line, column;
};

struct edited {
	struct text source;           /* with all successful operations applied */
	const struct splice *splices; /* from the given text to `source` */
	size_t n;
	ARRAY(struct change_row) changes;
	ARRAY(struct edit_error) errors;
};

/* Runs all operations. Returns false only if the call must end. The text must parse: check with plan_read() first. */
bool edit_run(struct call *c, struct text source, const struct variant_value *operations, size_t n, struct edited *out);

/* Runs one operation on a plan that parses. The new text is in the call's arena; the old one is unchanged. Returns
 * false if it was refused or changed nothing. */
bool edit_apply(struct call *c, const struct plan *p, const struct variant_value *operation, struct text *after);

/* The parts that actions are made of. */

struct edit {
	struct call *c;
	struct arena *arena; /* of this operation */
	const struct plan *plan;
	const struct syntax *syntax;
	struct text source;
	ARRAY(struct splice) splices;
	struct buffer message;
	struct text about; /* the created or changed thing, for operations without a target */
	bool refused;
};

/* Sets the reason and returns false. */
bool edit_refuse(struct edit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void edit_say(struct edit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

void edit_replace(struct edit *e, struct span span, struct text with);
void edit_insert(struct edit *e, uint32_t at, struct text what);
void cut_clause(struct edit *e, struct span span); /* with the blanks before it, or its line */
void cut_statement(struct edit *e,
		   const struct statement *s); /* with its line and trailing comment if nothing else is on the line */

const struct statement *room_statement(const struct edit *e, int room);
int find_target(struct edit *e, struct text target); /* NAME or FLOOR.NAME; -1: refused */
int find_floor(struct edit *e, struct text name);    /* -1: refused */
bool check_new_name(struct edit *e, struct text name, int floor, const char *what);
/* A written number must be readable again: within the language's limit, and not 0 after rounding. */
bool check_number(struct edit *e, double n, const char *what);
bool check_length(struct edit *e, double n, const char *what);
bool check_size(struct edit *e, double width, double height);
bool check_place(struct edit *e, double x, double y);
bool is_identifier(struct text t);

void put_number(struct buffer *b, double n); /* shortest decimal, without exponent */
/* The number in the unit that follows it in the text. */
void put_length(struct edit *e, struct buffer *b, double n, const struct length *as);
bool put_label(struct edit *e, struct buffer *b, struct text label); /* in quotes */
void put_point(struct buffer *b, double x, double y);
void put_size(struct buffer *b, double width, double height);
bool put_relative(struct edit *e, struct buffer *b, const struct relative_params *p);

/* The place of a clause in a statement by the canonical order: after the last clause that comes before it. */
uint32_t clause_place(const struct edit *e, const struct statement *s, enum clause id);

/* Inserts a statement after the last child of one of these kinds, or before the closing bracket of the block. */
void insert_child(struct edit *e, const struct statement *owner, enum statement_kind kind, struct text line);
/* Inserts a statement at the top level, in canonical order. */
void insert_top(struct edit *e, enum statement_kind kind, struct text line);

/* Inserts a statement after another one, on a line of its own. */
void insert_behind(struct edit *e, const struct statement *s, struct text line);
void insert_before(struct edit *e, const struct statement *s, struct text line);

/* Replaces a direction by coordinates. */
void fix_place(struct edit *e, const struct statement *s, double x, double y);
/* Sets coordinates of a room, stair or lift that is at `now` in its own frame. Removes a direction. */
void place_at(struct edit *e, const struct statement *s, struct point now, double x, double y);
/* "A, B and C": the first few of these names. */
const char *listed(struct edit *e, const char *const *names, size_t n, const char *before);

struct text indent_of(const struct edit *e, uint32_t at);
const char *line_end(const struct edit *e); /* "\n" or "\r\n", like the text */

bool edit_add_room(struct edit *e, const struct operation *op);
bool edit_remove_room(struct edit *e, const struct operation *op);
bool edit_resize_room(struct edit *e, const struct operation *op);
bool edit_move_room(struct edit *e, const struct operation *op);
bool edit_rename_room(struct edit *e, const struct operation *op);
bool edit_update_walls(struct edit *e, const struct operation *op);
bool edit_add_opening(struct edit *e, const struct operation *op);
bool edit_update_opening(struct edit *e, const struct operation *op);
bool edit_remove_opening(struct edit *e, const struct operation *op);
bool edit_set_head(struct edit *e, const struct operation *op);
bool edit_replace_text(struct edit *e, const struct operation *op);
bool edit_add_label(struct edit *e, const struct operation *op);
bool edit_convert_to_relative(struct edit *e, const struct operation *op);
bool edit_add_connection(struct edit *e, const struct operation *op);
bool edit_remove_connection(struct edit *e, const struct operation *op);
bool edit_update_connection(struct edit *e, const struct operation *op);
bool edit_add_floor(struct edit *e, const struct operation *op);
bool edit_add_stair(struct edit *e, const struct operation *op);
bool edit_add_lift(struct edit *e, const struct operation *op);
bool edit_move_stair(struct edit *e, const struct operation *op);
bool edit_remove_stair(struct edit *e, const struct operation *op);
bool edit_move_lift(struct edit *e, const struct operation *op);
bool edit_remove_lift(struct edit *e, const struct operation *op);
bool edit_move_floor(struct edit *e, const struct operation *op);
bool edit_remove_floor(struct edit *e, const struct operation *op);
bool edit_add_vertical(struct edit *e, const struct operation *op);
bool edit_remove_vertical(struct edit *e, const struct operation *op);
bool edit_set_config(struct edit *e, const struct operation *op);
bool edit_set_style(struct edit *e, const struct operation *op);

#endif
