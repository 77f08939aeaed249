/* words.h: the words of the plan language as enums and tables, all generated from words.def.
 *
 * An enum member is the index of its word in its set. Code never contains a word as a string: it looks up a text in a
 * set, and writes a word by its number. */
#ifndef QUIRE_KINDS_FLOORPLAN_WORDS_H
#define QUIRE_KINDS_FLOORPLAN_WORDS_H
#include "base/buffer.h"

#include <string.h>

enum word_set {
#define SET(id, rule, noun) SET_##id,
#include "kinds/floorplan/language/words.def"
	WORD_SETS
};

/* Numbers of all words; FIRST_x is the first word of a set. */
enum word_number {
#define SET(id, rule, noun) FIRST_##id, BEFORE_##id = FIRST_##id - 1,
#define WORD(set, id, text, meaning) WORD_##set##_##id,
#include "kinds/floorplan/language/words.def"
	WORDS
};

enum side {
#define SIDE(id, ...) SIDE_##id,
#include "kinds/floorplan/language/words.def"
};
enum wall_type {
#define WALL_TYPE(id, ...) WALL_##id,
#include "kinds/floorplan/language/words.def"
};
enum opening_kind {
#define OPENING_KIND(id, ...) KIND_##id,
#include "kinds/floorplan/language/words.def"
};
enum direction {
#define DIRECTION(id, ...) DIRECTION_##id,
#include "kinds/floorplan/language/words.def"
};
enum alignment {
#define ALIGNMENT(id, ...) ALIGNMENT_##id,
#include "kinds/floorplan/language/words.def"
};
enum unit {
#define UNIT(id, ...) UNIT_##id,
#include "kinds/floorplan/language/words.def"
};
enum area_unit {
#define AREA_UNIT(id, ...) AREA_##id,
#include "kinds/floorplan/language/words.def"
};
enum door_type {
#define DOOR_TYPE(id, ...) CONNECTION_##id,
#include "kinds/floorplan/language/words.def"
};
enum turn {
#define TURN(id, ...) TURN_##id,
#include "kinds/floorplan/language/words.def"
};
enum stair_shape {
#define STAIR_SHAPE(id, ...) STAIR_##id,
#include "kinds/floorplan/language/words.def"
};
enum rotation {
#define ROTATION(id, ...) ROTATION_##id,
#include "kinds/floorplan/language/words.def"
};
enum handrail {
#define HANDRAIL(id, ...) HANDRAIL_##id,
#include "kinds/floorplan/language/words.def"
};
enum stringer {
#define STRINGER(id, ...) STRINGER_##id,
#include "kinds/floorplan/language/words.def"
};
enum stair_code {
#define STAIR_CODE(id, ...) STAIR_CODE_##id,
#include "kinds/floorplan/language/words.def"
};
enum theme {
#define THEME(id, ...) THEME_##id,
#include "kinds/floorplan/language/words.def"
};
enum config_key {
#define CONFIG_KEY(id, ...) CONFIG_##id,
#include "kinds/floorplan/language/words.def"
};
enum style_key {
#define STYLE_KEY(id, ...) STYLE_##id,
#include "kinds/floorplan/language/words.def"
};
enum statement_kind {
#define STATEMENT(id, ...) STATEMENT_##id,
#include "kinds/floorplan/language/words.def"
};
enum clause {
#define CLAUSE(id, ...) CLAUSE_##id,
#include "kinds/floorplan/language/words.def"
};
enum glue {
#define GLUE(id, ...) GLUE_##id,
#include "kinds/floorplan/language/words.def"
};
enum draw_format {
#define FORMAT(id, ...) FORMAT_##id,
#include "kinds/floorplan/language/words.def"
};
enum draw_layout {
#define LAYOUT(id, ...) LAYOUT_##id,
#include "kinds/floorplan/language/words.def"
};
enum paper {
#define PAPER(id, ...) PAPER_##id,
#include "kinds/floorplan/language/words.def"
};
enum edit_result {
#define RESULT(id, ...) RESULT_##id,
#include "kinds/floorplan/language/words.def"
};
enum severity {
#define SEVERITY(id, ...) SEVERITY_##id,
#include "kinds/floorplan/language/words.def"
};
enum schedule {
#define SCHEDULE(id, ...) SCHEDULE_##id,
#include "kinds/floorplan/language/words.def"
};
enum draw_view {
#define VIEW(id, ...) VIEW_##id,
#include "kinds/floorplan/language/words.def"
};

enum {
	COUNT_CONFIG_KEY = 0
#define CONFIG_KEY(...) +1
#include "kinds/floorplan/language/words.def"
};

/* How a wall type is built and drawn. A new wall type uses one of these. */
enum wall_built { BUILT_FULL, BUILT_DOOR, BUILT_WINDOW, BUILT_GAP };
enum wall_built wall_built(enum wall_type type);

enum axis { AXIS_X, AXIS_Y, AXIS_BOTH };
struct direction_row {
	int dx, dy;
};
struct alignment_row {
	enum axis axis;
	double share;
};
enum measure { MEASURE_METRIC, MEASURE_IMPERIAL };
struct unit_row {
	double metres;
	enum measure measure;
};
struct door_row {
	double metres, percent;
};
struct stair_code_row {
	double riser, tread, width, headroom;
}; /* inches */
enum config_value {
	CONFIG_VALUE_LENGTH,
	CONFIG_VALUE_SIZE,
	CONFIG_VALUE_STYLE,
	CONFIG_VALUE_UNIT,
	CONFIG_VALUE_AREA_UNIT,
	CONFIG_VALUE_TRUTH,
	CONFIG_VALUE_TEXT,
	CONFIG_VALUE_NUMBER,
	CONFIG_VALUE_STAIR_CODE,
	CONFIG_VALUE_THEME
};
struct config_row {
	const char *alias;
	enum config_value value;
	const char *otherwise;
};
enum style_value { STYLE_VALUE_COLOUR, STYLE_VALUE_TEXT, STYLE_VALUE_SHARE };
enum statement_place { PLACE_TOP, PLACE_FLOOR, PLACE_ROOM };
struct statement_row {
	enum statement_place place;
	const char *syntax;
};
struct clause_row {
	enum statement_kind statement;
	enum clause clause;
	bool needed;
	const char *syntax, *meaning;
};

extern const struct direction_row direction_rows[];
extern const struct alignment_row alignment_rows[];
extern const struct unit_row unit_rows[];
extern const double area_unit_rows[]; /* square metres */
extern const struct door_row door_rows[];
extern const struct stair_code_row stair_code_rows[];
extern const struct config_row config_rows[];
extern const enum style_value style_rows[];
extern const struct statement_row statement_rows[];
extern const char *const stair_shape_syntax[];
struct paper_row {
	double width, height; /* upright, in millimetres */
	enum measure scales;
};
extern const struct paper_row paper_rows[];
extern const char *const format_mimes[];
extern const bool format_is_picture[];
extern const char *const picture_names[];     /* the formats that are pictures, NULL-terminated, for .choices */
extern const struct clause_row clause_rows[]; /* ended by a row without syntax */

struct word {
	const char *text, *meaning;
	uint8_t len;
};
struct word_range {
	const char *rule; /* name of the set in the grammar */
	const char *noun; /* name of one of its words in messages */
	uint16_t first;
};
extern const struct word words[];
extern const struct word_range word_sets[]; /* one more than there are, as the end */

/* The words of a set, NULL-terminated, for .choices; a constant expression. */
extern const char *const word_names[];
#define CHOICES_OF(set) (&word_names[FIRST_##set + SET_##set + 1])

static inline bool word_is(enum word_set set, int index, struct text t)
{
	const struct word *w = &words[word_sets[set].first + index];

	return w->len == t.len && t.len && w->text[0] == t.at[0] && !memcmp(w->text, t.at, t.len);
}

int word_find(enum word_set set, struct text t); /* the index within the set, or -1 */
size_t word_count(enum word_set set);
const char *word_of(enum word_set set, int index);
bool word_is_reserved(struct text t); /* a word of the grammar cannot be a name */
int config_key_find(struct text t);   /* also by its camelCase name */

/* "solid, door, window or open" */
void word_list(struct buffer *to, enum word_set set);
const char *word_nearest(enum word_set set, struct text t); /* NULL: none is similar */

/* The table that `quire floorplan words` prints: set, word, meaning, separated by tabs; then config aliases. */
void word_table(struct buffer *to);

#endif
