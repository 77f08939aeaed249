/* table.h: one field table with every type in it, shared by the tests of field tables and their fuzzer. */
#ifndef QUIRE_TEST_TOOL_TABLE_H
#define QUIRE_TEST_TOOL_TABLE_H
#include "tool/field.h"

static const char *const table_modes[] = {"add", "remove", "replace", NULL};
static const char *const table_path_aliases[] = {"file", "filename", NULL};

struct point {
	double x, y;
	struct text label;
};
static const struct field point_fields[] = {
	FIELD(struct point, x, NUMBER, FIELD_REQUIRED, "Metres to the east"),
	FIELD(struct point, y, NUMBER, FIELD_REQUIRED, "Metres to the north"),
	FIELD(struct point, label, TEXT, 0, "What stands there", .limits = AT_MOST(8)),
	FIELDS_END,
};
static const struct shape point_shape = SHAPE(struct point, "point", point_fields);

/* A recursive shape. */
struct branch {
	struct text name;
	struct objects children;
};
static const struct shape branch_shape;
static const struct field branch_fields[] = {
	FIELD(struct branch, name, TEXT, FIELD_REQUIRED, "Its name"),
	FIELD(struct branch, children, OBJECTS, 0, "What it holds", .shape = &branch_shape),
	FIELDS_END,
};
static const struct shape branch_shape = SHAPE(struct branch, "branch", branch_fields);

struct circle {
	double radius;
};
struct square {
	double side;
	int colour;
};
static const char *const table_colours[] = {"red", "green", NULL};
static const struct field circle_fields[] = {
	FIELD(struct circle, radius, NUMBER, FIELD_REQUIRED, "In metres", .limits = AT_LEAST(0)),
	FIELDS_END,
};
static const struct field square_fields[] = {
	FIELD(struct square, side, NUMBER, FIELD_REQUIRED, "In metres"),
	FIELD(struct square, colour, CHOICE, 0, "Of its edge", .choices = table_colours, .otherwise = "\"green\""),
	FIELDS_END,
};
static const struct variant table_figures[] = {
	{"circle", "A round one", SHAPE(struct circle, "circle", circle_fields)},
	{"square", "One with corners", SHAPE(struct square, "square", square_fields)},
	{0},
};

struct all {
	struct text file_path, note, code, kept;
	int64_t limit;
	struct maybe_int line;
	double width;
	struct maybe_number height;
	bool deep;
	struct maybe_flag loud;
	int mode;
	struct choices modes;
	struct texts tags;
	struct numbers weights;
	const struct point *origin;
	struct objects points;
	const struct branch *tree;
	struct variant_value figure;
	struct objects figures;
	const struct json *extra, *named, *words, *any;
	struct text secret;
};
static const struct field all_fields[] = {
	FIELD(struct all, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "Path of the file",
	      .more = RARE{.aliases = table_path_aliases}),
	FIELD(struct all, note, TEXT, 0, "A remark", .limits = BETWEEN(2, 5)),
	FIELD(struct all, code, TEXT, 0, "A code", .otherwise = "\"none\""),
	FIELD(struct all, kept, TEXT, FIELD_EMPTY, "May be empty"),
	FIELD(struct all, limit, INT, 0, "How many", .limits = BETWEEN(1, 100), .otherwise = "10"),
	FIELD(struct all, line, MAYBE_INT, 0, "A line", .limits = AT_LEAST(1)),
	FIELD(struct all, width, NUMBER, 0, "Wide", .limits = AT_MOST(2.5)),
	FIELD(struct all, height, MAYBE_NUMBER, 0, "High"),
	FIELD(struct all, deep, FLAG, 0, "All below too", .otherwise = "true"),
	FIELD(struct all, loud, MAYBE_FLAG, 0, "Loud"),
	FIELD(struct all, mode, CHOICE, 0, "What to do", .choices = table_modes),
	FIELD(struct all, modes, CHOICES, 0, "What to do in turn", .choices = table_modes),
	FIELD(struct all, tags, TEXTS, 0, "Tags", .limits = AT_MOST(3), .more = RARE{.item_limits = BETWEEN(1, 4)}),
	FIELD(struct all, weights, NUMBERS, 0, "Weights", .more = RARE{.item_limits = AT_LEAST(0)}),
	FIELD(struct all, origin, OBJECT, 0, "Where", .shape = &point_shape),
	FIELD(struct all, points, OBJECTS, 0, "A line of points", .shape = &point_shape),
	FIELD(struct all, tree, OBJECT, 0, "A tree", .shape = &branch_shape),
	FIELD(struct all, figure, UNION, 0, "A figure", .more = RARE{.by = "type", .variants = table_figures}),
	FIELD(struct all, figures, UNIONS, 0, "Figures", .more = RARE{.by = "type", .variants = table_figures}),
	FIELD(struct all, extra, MAP, 0, "Anything by name", .limits = AT_MOST(4)),
	FIELD(struct all, named, MAP, 0, "Points by name", .shape = &point_shape),
	FIELD(struct all, words, TEXT_MAP, 0, "Words by name"),
	FIELD(struct all, any, ANY, 0, "Anything", .more = RARE{.schema = "\"x-mcp-header\":\"Any\""}),
	FIELD(struct all, secret, TEXT, FIELD_HIDDEN, "Not told"),
	FIELDS_END,
};

#endif
