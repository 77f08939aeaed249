#include "kinds/floorplan/language/words.h"

#include <string.h>

const struct word words[] = {
#define WORD(set, id, text, meaning) {text, meaning, sizeof(text) - 1},
#include "kinds/floorplan/language/words.def"
};

/* A NULL before each set, so that each ends where the next begins. */
const char *const word_names[] = {
#define SET(id, rule, noun) NULL,
#define WORD(set, id, text, meaning) text,
#include "kinds/floorplan/language/words.def"
	NULL,
};

const struct word_range word_sets[] = {
#define SET(id, rule, noun) {rule, noun, FIRST_##id},
#include "kinds/floorplan/language/words.def"
	{NULL, NULL, WORDS},
};

static const enum wall_built wall_rows[] = {
#define WALL_TYPE(id, text, built, meaning) BUILT_##built,
#include "kinds/floorplan/language/words.def"
};
const struct direction_row direction_rows[] = {
#define DIRECTION(id, text, dx, dy, meaning) {dx, dy},
#include "kinds/floorplan/language/words.def"
};
const struct alignment_row alignment_rows[] = {
#define ALIGNMENT(id, text, axis, share, meaning) {AXIS_##axis, share},
#include "kinds/floorplan/language/words.def"
};
const struct unit_row unit_rows[] = {
#define UNIT(id, text, metres, system, meaning) {metres, MEASURE_##system},
#include "kinds/floorplan/language/words.def"
};
const double area_unit_rows[] = {
#define AREA_UNIT(id, text, square_metres, meaning) square_metres,
#include "kinds/floorplan/language/words.def"
};
const struct door_row door_rows[] = {
#define DOOR_TYPE(id, text, metres, percent, meaning) {metres, percent},
#include "kinds/floorplan/language/words.def"
};
const struct stair_code_row stair_code_rows[] = {
#define STAIR_CODE(id, text, riser, tread, width, headroom, meaning) {riser, tread, width, headroom},
#include "kinds/floorplan/language/words.def"
};
const struct config_row config_rows[] = {
#define CONFIG_KEY(id, text, alias, value, otherwise, meaning) {alias, CONFIG_VALUE_##value, otherwise},
#include "kinds/floorplan/language/words.def"
};
const enum style_value style_rows[] = {
#define STYLE_KEY(id, text, value, meaning) STYLE_VALUE_##value,
#include "kinds/floorplan/language/words.def"
};
const struct statement_row statement_rows[] = {
#define STATEMENT(id, text, where, syntax, meaning) {PLACE_##where, syntax},
#include "kinds/floorplan/language/words.def"
};
const char *const stair_shape_syntax[] = {
#define STAIR_SHAPE(id, text, syntax, meaning) syntax,
#include "kinds/floorplan/language/words.def"
};
const struct paper_row paper_rows[] = {
#define PAPER(id, text, width, height, scales, meaning) {width, height, MEASURE_##scales},
#include "kinds/floorplan/language/words.def"
};
const char *const format_mimes[] = {
#define FORMAT(id, text, mime, what, meaning) mime,
#include "kinds/floorplan/language/words.def"
};
#define PICTURE true
#define DATA false
const bool format_is_picture[] = {
#define FORMAT(id, text, mime, what, meaning) what,
#include "kinds/floorplan/language/words.def"
};
#undef PICTURE
#undef DATA
/* An index here is an enum draw_format, because pictures come first. */
#define PICTURE(text) text,
#define DATA(text)
const char *const picture_names[] = {
#define FORMAT(id, text, mime, what, meaning) what(text)
#include "kinds/floorplan/language/words.def"
	NULL,
};
const struct clause_row clause_rows[] = {
#define HAS_CLAUSE(statement, clause, needed, syntax, meaning)                                                         \
	{STATEMENT_##statement, CLAUSE_##clause, needed, syntax, meaning},
#include "kinds/floorplan/language/words.def"
	{.syntax = NULL},
};

enum wall_built wall_built(enum wall_type type) { return wall_rows[type]; }

size_t word_count(enum word_set set) { return (size_t)(word_sets[set + 1].first - word_sets[set].first); }

int word_find(enum word_set set, struct text t)
{
	const struct word *first = &words[word_sets[set].first], *end = &words[word_sets[set + 1].first];

	if (!t.len)
		return -1;
	for (const struct word *w = first; w < end; w++)
		if (w->len == t.len && w->text[0] == t.at[0] && !memcmp(w->text, t.at, t.len))
			return (int)(w - first);
	return -1;
}

const char *word_of(enum word_set set, int index) { return words[word_sets[set].first + index].text; }

/* The words of the tools are not words of the language. Their sets come last. */
static bool is_grammar(enum word_set set) { return set < SET_FORMAT; }

bool word_is_reserved(struct text t)
{
	for (int set = 0; set < WORD_SETS; set++)
		if (is_grammar(set) && word_find(set, t) >= 0)
			return true;
	return config_key_find(t) >= 0;
}

int config_key_find(struct text t)
{
	int found = word_find(SET_CONFIG_KEY, t);

	for (int i = 0; found < 0 && i < COUNT_CONFIG_KEY; i++)
		if (text_is(t, config_rows[i].alias))
			found = i;
	return found;
}

void word_list(struct buffer *to, enum word_set set)
{
	size_t n = word_count(set);

	for (size_t i = 0; i < n; i++) {
		if (i)
			buffer_put(to, i + 1 == n ? " or " : ", ");
		buffer_put(to, word_of(set, (int)i));
	}
}

const char *word_nearest(enum word_set set, struct text t)
{
	return text_nearest(t, &word_names[word_sets[set].first + set + 1]);
}

void word_table(struct buffer *to)
{
	for (int set = 0; set < WORD_SETS; set++)
		for (size_t i = 0; i < word_count(set); i++) {
			const struct word *w = &words[word_sets[set].first + i];

			if (w->len)
				buffer_format(to, "%s\t%s\t%s\n", word_sets[set].rule, w->text, w->meaning);
		}
	for (int i = 0; i < COUNT_CONFIG_KEY; i++)
		if (strcmp(config_rows[i].alias, word_of(SET_CONFIG_KEY, i)) != 0)
			buffer_format(to, "ConfigAlias\t%s\tthe same as %s\n", config_rows[i].alias,
				      word_of(SET_CONFIG_KEY, i));
}
