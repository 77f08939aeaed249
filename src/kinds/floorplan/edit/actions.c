/* actions.c: the tables of modify_floorplan, generated from the rows of words.def. */
#include "kinds/floorplan/edit/edit.h"

static const struct field point_fields[] = {
	FIELD(struct point, x, NUMBER, FIELD_REQUIRED | FIELD_TERSE, "To the right"),
	FIELD(struct point, y, NUMBER, FIELD_REQUIRED | FIELD_TERSE, "Downwards"), FIELDS_END};
static const struct shape point_shape = SHAPE(struct point, "position", point_fields);

static const struct field extent_fields[] = {
	FIELD(struct extent, width, NUMBER, FIELD_REQUIRED | FIELD_TERSE, "Width, more than 0"),
	FIELD(struct extent, height, NUMBER, FIELD_REQUIRED, "Depth (of an opening: height)"), FIELDS_END};
static const struct shape extent_shape = SHAPE(struct extent, "size", extent_fields);

static const struct field relative_fields[] = {
	FIELD(struct relative_params, direction, CHOICE, FIELD_REQUIRED, "Seen from the reference",
	      .choices = CHOICES_OF(DIRECTION)),
	FIELD(struct relative_params, reference, TEXT, FIELD_REQUIRED, "A room"),
	FIELD(struct relative_params, gap, MAYBE_NUMBER, 0, "Distance; default 0"),
	FIELD(struct relative_params, alignment, CHOICE, 0, "Edges in line", .choices = CHOICES_OF(ALIGNMENT)),
	FIELDS_END};
static const struct shape relative_shape = SHAPE(struct relative_params, "relativePosition", relative_fields);

static const struct field walls_fields[] = {
#define SIDE(id, text, meaning)                                                                                        \
	{.name = text,                                                                                                 \
	 .type = FIELD_CHOICE,                                                                                         \
	 .flags = FIELD_TERSE,                                                                                         \
	 .at = offsetof(struct walls_params, sides) + SIDE_##id * sizeof(int),                                         \
	 .prose = meaning,                                                                                             \
	 .choices = CHOICES_OF(WALL_TYPE)},
#include "kinds/floorplan/language/words.def"
	FIELDS_END};
static const struct shape walls_shape = SHAPE(struct walls_params, "walls", walls_fields);

#define STYLE_FIELD_COLOUR(id)                                                                                         \
	.type = FIELD_TEXT, .at = offsetof(struct set_style_params, texts) + STYLE_##id * sizeof(struct text)
#define STYLE_FIELD_TEXT(id) STYLE_FIELD_COLOUR(id)
#define STYLE_FIELD_SHARE(id)                                                                                          \
	.type = FIELD_MAYBE_NUMBER, .limits = BETWEEN(0, 1),                                                           \
	.at = offsetof(struct set_style_params, shares) + STYLE_##id * sizeof(struct maybe_number)
static const struct field style_fields[] = {
	FIELD(struct set_style_params, name, TEXT, FIELD_REQUIRED, "Name of the style"),
#define STYLE_KEY(id, text, value, meaning)                                                                            \
	{.name = text, STYLE_FIELD_##value(id), .flags = FIELD_TERSE, .prose = meaning},
#include "kinds/floorplan/language/words.def"
	FIELDS_END};
static const struct shape style_shape = SHAPE(struct set_style_params, "style", style_fields);

/* static const struct field add_room_fields[] = {...}; and so on. */
static const struct field no_fields[] __attribute__((unused)) = {
#define ACTION(id, name, ...)                                                                                          \
	FIELDS_END                                                                                                     \
	}                                                                                                              \
	;                                                                                                              \
	static const struct field name##_fields[] = {
#define PARAM(action, type, name, field, flags, prose, ...)                                                            \
	FIELD(struct action##_params, name, field, flags, prose, ##__VA_ARGS__),
#include "kinds/floorplan/language/words.def"
	FIELDS_END};

/* An object without members, so that `params: {}` is accepted by actions without params. */
#define ACTION(id, name, ...)                                                                                          \
	static const struct shape name##_shape = SHAPE(struct name##_params, #name, name##_fields);
#include "kinds/floorplan/language/words.def"

#define TARGET_ROOM                                                                                                    \
	{                                                                                                              \
		.name = "target", .type = FIELD_TEXT, .flags = FIELD_REQUIRED, .prose = "Room: NAME or FLOOR.NAME"     \
	}
#define TARGET_NAMED(what)                                                                                             \
	{                                                                                                              \
		.name = "target", .type = FIELD_TEXT, .flags = FIELD_REQUIRED, .prose = what                           \
	}
#define TARGET_STAIR TARGET_NAMED("Stair: NAME or FLOOR.NAME")
#define TARGET_LIFT TARGET_NAMED("Lift: NAME or FLOOR.NAME")
#define TARGET_FLOOR TARGET_NAMED("Floor")
#define TARGET_STYLED                                                                                                  \
	{                                                                                                              \
		.name = "target", .type = FIELD_TEXT, .prose = "Room that takes the style"                             \
	}
#define TARGET_NONE                                                                                                    \
	{                                                                                                              \
		.name = "target", .type = FIELD_TEXT, .flags = FIELD_HIDDEN, .prose = "Not used"                       \
	}
#define PARAMS_ROW(table, needed)                                                                                      \
	{                                                                                                              \
		.name = "params", .type = FIELD_OBJECT, .flags = (needed) ? FIELD_REQUIRED : FIELD_HIDDEN,             \
		.at = offsetof(struct operation, params), .shape = &(table), .prose = "What to do it with"             \
	}
#define ACTION(id, name, target, params, meaning)                                                                      \
	static const struct field name##_operation[] = {TARGET_##target, PARAMS_ROW(name##_shape, params), FIELDS_END};
#define ACTION_OF(id, name, shape, target, params, meaning)                                                            \
	static const struct field name##_operation[] = {TARGET_##target, PARAMS_ROW(shape, params), FIELDS_END};
#include "kinds/floorplan/language/words.def"

const struct variant action_variants[] = {
#define ACTION(id, action, target, params, meaning)                                                                    \
	{.name = #action, .prose = meaning, .shape = SHAPE(struct operation, #action "_operation", action##_operation)},
#define ACTION_OF(id, action, shared, target, params, meaning)                                                         \
	{.name = #action, .prose = meaning, .shape = SHAPE(struct operation, #action "_operation", action##_operation)},
#include "kinds/floorplan/language/words.def"
	{.name = NULL},
};

const char *action_name(enum action a) { return action_variants[a].name; }
