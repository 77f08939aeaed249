/* schema_resource.c: floorplan://schema, the language for new readers.
 *
 * The tables come from words.def; only the prose around them and the examples are written here. */
#include "kinds/floorplan/edit/edit.h"
#include "kinds/floorplan/kind.h"

#include <string.h>

static const char opening[] = "# The floorplan language\n"
			      "\n"
			      "A plan is plain text: the word `floorplan`, then definitions, settings, floors with "
			      "rooms, and connections between rooms.\n"
			      "\n"
			      "```\n"
			      "floorplan\n"
			      "  config { default_unit: m }\n"
			      "\n"
			      "  floor Ground {\n"
			      "    # the first room has coordinates, the others lie beside it\n"
			      "    room Hall at (0,0) size (2 x 6) walls [top: solid, right: solid, bottom: solid, "
			      "left: solid] label \"Hall\"\n"
			      "    room Living size (5 x 4) walls [top: window, right: window, bottom: solid, left: "
			      "solid] right-of Hall label \"Living room\"\n"
			      "    room Kitchen size (5 x 2) walls [top: solid, right: window, bottom: solid, left: "
			      "solid] below Living align left\n"
			      "  }\n"
			      "\n"
			      "  connect Hall.bottom to outside door at 50% opens into Hall\n"
			      "  connect Hall.right to Living.left door at 50%\n"
			      "  connect Living.bottom to Kitchen.top opening at 30%\n"
			      "```\n"
			      "\n"
			      "## Rules\n"
			      "\n"
			      "- Coordinates: the origin is the top left corner, x grows to the right, y downwards. A "
			      "room is a rectangle with sides along the axes; "
			      "its edge is the middle of the wall. Rooms whose edges meet share one wall.\n"
			      "- Names are ASCII letters, digits and `_`, not beginning with a digit; case counts. "
			      "Words of the language should not be used as names. Other letters go into the label: "
			      "`room Kueche ... label \"Küche\"`.\n"
			      "- Numbers have no sign but in `at` and `elevation`, and may carry a unit: `3.5m`, "
			      "`12ft`. Strings are in `\"` or `'` and have no escapes.\n"
			      "- Comments: `#` to the end of the line, and `/* ... */`.\n"
			      "- Before `floorplan` there may be `%%{version: 1.0}%%`, or a block between two lines of "
			      "`---` with `title:` and other keys.\n"
			      "- The plan's unit is `default_unit`, else the unit used most, else it is assumed (feet, "
			      "or metres where door and storey are that small). "
			      "All numbers in answers are in it.\n"
			      "\n";

static const char rooms[] =
	"Positions of sub-rooms count from their parent's top left corner:\n"
	"\n"
	"```\n"
	"floorplan\n"
	"  define booth (3 x 3)\n"
	"  floor f1 {\n"
	"    room Studio at (0,0) size (20 x 12) walls [top: window, right: solid, bottom: door, left: solid] label "
	"\"Studio\" composed of [\n"
	"      sub-room Booth1 at (1,1) size booth walls [top: solid, right: solid, bottom: door, left: solid]\n"
	"      sub-room Booth2 size booth walls [top: solid, right: solid, bottom: door, left: solid] right-of Booth1 "
	"gap 1\n"
	"    ]\n"
	"  }\n"
	"```\n"
	"\n";

static const char places[] =
	"`at (X,Y)` gives the top left corner. Without it a direction places the room beside another of the same "
	"floor; `gap` is the distance "
	"between the two, `align` says which edges are in line. Diagonals take no alignment. With both, `at` holds.\n"
	"\n"
	"```\n"
	"floorplan\n"
	"  floor f1 {\n"
	"    room A at (0,0) size (10 x 8) walls [top: solid]\n"
	"    room B size (6 x 4) walls [top: solid] right-of A gap 1 align center\n"
	"    room C size (4 x 4) walls [top: solid] below-right-of A\n"
	"  }\n"
	"```\n"
	"\n";

static const char connections[] =
	"The percent counts along the part of the wall that both rooms share, from its left "
	"or top end; to `outside` along the whole side. Sides "
	"may be left out: the shared wall is found. Two connections between the same rooms need "
	"places more than 10% apart (20% with a double door). Where a name is on several floors, "
	"write `FLOOR.ROOM` or `FLOOR.ROOM.SIDE`. Rooms that share no wall cannot be connected.\n"
	"\n";

static const char stairs[] =
	"`at` is the top left corner of the bounding box. `toward S` climbs towards side S; `from S` is entered at "
	"side S and climbs away from it; "
	"turns are as the climber sees them.\n"
	"\n"
	"```\n"
	"floorplan\n"
	"  style Stone { floor_color: \"#D8D8D0\", wall_color: \"#606060\" }\n"
	"  config { default_unit: m, stair_code: residential }\n"
	"  floor Ground height 2.8 {\n"
	"    room Core at (0,0) size (4 x 6) walls [top: solid, right: solid, bottom: solid, left: solid] style Stone\n"
	"    stair Main at (0.2,0.2) shape U-shaped from bottom turn right rise 2.8 width 1 tread 0.28 label "
	"\"Stairs\"\n"
	"    lift Shaft at (2.4,3.8) size (1.5 x 2) doors (left)\n"
	"  }\n"
	"  floor Upper height 2.8 {\n"
	"    room CoreUp at (0,0) size (4 x 6) walls [top: solid, right: solid, bottom: solid, left: solid] style "
	"Stone\n"
	"    stair Main at (0.2,0.2) shape U-shaped from bottom turn right rise 2.8 width 1 tread 0.28\n"
	"    lift Shaft at (2.4,3.8) size (1.5 x 2) doors (left)\n"
	"  }\n"
	"  connect Core.bottom to outside door at 30%\n"
	"  vertical Ground.Main to Upper.Main\n"
	"  vertical Ground.Shaft to Upper.Shaft\n"
	"```\n"
	"\n";

static const char drawing[] =
	"Head keys for drawings: `title`, `north` (where north is: top, right, bottom, left, or degrees clockwise from the "
	"top; it draws a north arrow) and `date` (of the title block).\n"
	"\n"
	"```\n"
	"---\n"
	"title: House on the hill\n"
	"north: 30\n"
	"date: 2026-05-01\n"
	"---\n"
	"floorplan\n"
	"  style Brick { wall_texture: \"brick.jpg\" }\n"
	"  floor f1 {\n"
	"    room Hall at (0,0) size (10 x 8) walls [top: door] style Brick\n"
	"  }\n"
	"```\n"
	"\n"
	"A plan has three areas: centre-line (the rooms as written), gross (to the outer faces of outer walls) and net (inside "
	"the walls). Dimensions and areas on a drawing refer to wall centre lines, unless they say another. `crop` draws one room or floor, `zoom` a part around "
	"the middle. `hatch` hatches walls by the material in a style's wall_texture, else in its name: brick, concrete, "
	"stone, wood, insulation, glass. A PDF with `sheet_set` has a page for each floor, at a standard scale, with frame and "
	"title block. Metric paper takes scales such as 1:50, the others scales such as 1/4\" = 1'-0\".\n"
	"\n"
	"In an SVG each part is a group with a class: `rooms`, `stairs`, `walls`, `edges` (where two open sides meet), "
	"`windows`, `doors`, `lifts`, `labels`, `dimensions`, `sheet`. A class may have several groups. These names are "
	"stable. A DXF is in the plan's unit with y upwards, floors side by side, on the layers ROOMS (to wall centre lines), WALLS "
	"(outlines), DOORS, WINDOWS, STAIRS, LIFTS, LABELS and DIMENSIONS. A GLB is in metres with y up and the plan's y along +z.\n"
	"\n";

static const char editing[] = "modify_floorplan takes `operations`, a list of `{\"action\", \"target\", \"params\"}`. "
			      "They run in order, each on the result of the one "
			      "before; numbers are in the plan's unit.\n"
			      "\n";

static void put_heading(struct buffer *to, const char *text) { buffer_format(to, "## %s\n\n", text); }

/* Escapes pipes, which would end a table's cell. */
static void put_cell(struct buffer *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			buffer_byte(to, '\\');
		buffer_byte(to, *text);
	}
}

static void put_words(struct buffer *to, enum word_set set)
{
	buffer_format(to, "| %s | meaning |\n|---|---|\n", word_sets[set].noun);
	for (size_t i = 0; i < word_count(set); i++) {
		buffer_format(to, "| `%s` | ", word_of(set, (int)i));
		put_cell(to, words[word_sets[set].first + i].meaning);
		buffer_put(to, " |\n");
	}
	buffer_byte(to, '\n');
}

static void put_clauses(struct buffer *to, enum statement_kind kind)
{
	buffer_format(to, "`%s`: %s\n\n", statement_rows[kind].syntax,
		      words[word_sets[SET_STATEMENT].first + kind].meaning);
	buffer_put(to, "| clause | needed | meaning |\n|---|---|---|\n");
	for (const struct clause_row *row = clause_rows; row->syntax; row++)
		if (row->statement == kind) {
			buffer_put(to, "| `");
			put_cell(to, row->syntax);
			buffer_format(to, "` | %s | ", row->needed ? "yes" : "");
			put_cell(to, row->meaning);
			buffer_put(to, " |\n");
		}
	buffer_byte(to, '\n');
}

static void put_statements(struct buffer *to)
{
	buffer_put(to, "| statement | meaning |\n|---|---|\n");
	for (size_t i = 0; i < word_count(SET_STATEMENT); i++)
		buffer_format(to, "| `%s` | %s |\n", statement_rows[i].syntax,
			      words[word_sets[SET_STATEMENT].first + i].meaning);
	buffer_put(to, "\nStatements and clauses should be in the order of these tables; another order is accepted "
		       "with a warning.\n\n");
}

static void put_config(struct buffer *to)
{
	buffer_put(to, "| key | also | default | meaning |\n|---|---|---|---|\n");
	for (int i = 0; i < COUNT_CONFIG_KEY; i++)
		buffer_format(to, "| `%s` | `%s` | %s | %s |\n", word_of(SET_CONFIG_KEY, i), config_rows[i].alias,
			      config_rows[i].otherwise, words[word_sets[SET_CONFIG_KEY].first + i].meaning);
	buffer_byte(to, '\n');
}

static void put_shapes(struct buffer *to)
{
	buffer_put(to, "| stair shape | meaning |\n|---|---|\n");
	for (size_t i = 0; i < word_count(SET_STAIR_SHAPE); i++) {
		buffer_put(to, "| `");
		put_cell(to, stair_shape_syntax[i]);
		buffer_format(to, "` | %s |\n", words[word_sets[SET_STAIR_SHAPE].first + i].meaning);
	}
	buffer_byte(to, '\n');
}

static void put_actions(struct buffer *to)
{
	for (const struct variant *v = action_variants; v->name; v++) {
		const struct field *params = NULL;

		buffer_format(to, "### %s\n\n%s.", v->name, v->prose);
		for (const struct field *f = v->shape.fields; f->name; f++) {
			if (!strcmp(f->name, "target") && !(f->flags & FIELD_HIDDEN))
				buffer_format(to, " `target`: %s.", f->prose);
			if (f->shape && !(f->flags & FIELD_HIDDEN))
				params = f->shape->fields;
		}
		buffer_put(to, "\n\n");
		if (!params)
			continue;
		buffer_put(to, "| param | type | meaning |\n|---|---|---|\n");
		fields_doc(to, params, false);
		buffer_byte(to, '\n');
	}
}

static void write_overview(struct buffer *to) { buffer_put(to, opening); }

static void write_statements(struct buffer *to)
{
	put_heading(to, "Statements");
	put_statements(to);
}

static void write_rooms(struct buffer *to)
{
	put_heading(to, "Rooms");
	put_clauses(to, STATEMENT_ROOM);
	put_words(to, SET_SIDE);
	put_words(to, SET_WALL_TYPE);
	buffer_put(
		to,
		"A side may have several doors and windows: the first follows the side, each further one a comma. Each may have "
		"a kind, a place, a size, and a window a sill and a head. Older programs cannot read this.\n\n"
		"```\nwalls [top: window at 25% size (1.1 x 1.4) sill 0.9, window fixed at 75% head 2.3, right: door sliding at 40%]\n```\n\n");
	put_words(to, SET_OPENING);
	put_words(to, SET_OPENING_KIND);
	put_heading(to, "Sub-rooms and defined sizes");
	buffer_put(to, rooms);
}

static void write_places(struct buffer *to)
{
	put_heading(to, "Places");
	buffer_put(to, places);
	put_words(to, SET_DIRECTION);
	put_words(to, SET_ALIGNMENT);
}

static void write_connections(struct buffer *to)
{
	put_heading(to, "Connections");
	put_clauses(to, STATEMENT_CONNECT);
	buffer_put(to, connections);
	put_words(to, SET_DOOR_TYPE);
	put_words(to, SET_TURN);
}

static void write_stairs(struct buffer *to)
{
	put_heading(to, "Stairs, lifts and verticals");
	put_clauses(to, STATEMENT_STAIR);
	put_shapes(to);
	buffer_put(to, stairs);
	put_words(to, SET_ROTATION);
	put_words(to, SET_HANDRAIL);
	put_words(to, SET_STRINGER);
	put_words(to, SET_MATERIAL_KEY);
	put_clauses(to, STATEMENT_LIFT);
}

static void write_config(struct buffer *to)
{
	put_heading(to, "Styles");
	put_words(to, SET_STYLE_KEY);
	put_heading(to, "Config");
	put_config(to);
	put_words(to, SET_UNIT);
	put_words(to, SET_AREA_UNIT);
	put_words(to, SET_THEME);
	put_words(to, SET_STAIR_CODE);
}

static void write_drawing(struct buffer *to)
{
	put_heading(to, "Drawing");
	buffer_put(to, drawing);
	put_words(to, SET_PAPER);
}

static void write_editing(struct buffer *to)
{
	put_heading(to, "Editing");
	buffer_put(to, editing);
	put_actions(to);
}

const char *const schema_sections[] = {"overview", "statements", "rooms",   "places", "connections", "stairs",
				       "config",   "drawing",    "editing", "all",    NULL};
/* In the order of schema_sections; `all` is the whole page. */
static void (*const writers[])(struct buffer *) = {
	write_overview, write_statements, write_rooms,   write_places,  write_connections,
	write_stairs,   write_config,     write_drawing, write_editing, schema_write,
};

void schema_write(struct buffer *to)
{
	for (size_t i = 0; writers[i] != schema_write; i++)
		writers[i](to);
}

void schema_write_section(struct buffer *to, int section) { writers[section](to); }

bool schema_read(struct call *c, const struct text *values)
{
	struct buffer b = {.arena = c->arena};

	(void)values;
	schema_write(&b);
	reply_resource(c, "floorplan://schema", "text/markdown", buffer_text(&b));
	return true;
}
