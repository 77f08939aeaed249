/* render.c: render_floorplan. The picture is a separate content block; the rooms are JSON. */
#include "kinds/floorplan/tools/answer.h"
#include "kinds/floorplan/tools/export.h"
#include "kinds/floorplan/kind.h"
#include "kinds/floorplan/state.h"

#include <math.h>

struct render_args {
	struct text dsl, file_path, output_path;
	int format, layout, area_unit, length_unit, theme, paper;
	struct maybe_int width, height;
	int64_t first_room, first_stair, first_lift;
	struct maybe_int floor_index;
	struct text floor, crop, north, date;
	struct maybe_number zoom;
	bool all_floors, show_area, show_floor_summary, overwrite, hatch, sheet_set, rooms;
	struct maybe_flag show_dimensions;
	struct maybe_int page_scale;
	int schedule, view;
	const struct json *ignored;
};

struct summary_row {
	int64_t rooms, floors, stairs, lifts, connections;
	double net_area, centre_line_area;
	int area_unit;
};

struct render_answer {
	bool success;
	int format;
	int64_t floor_count;
	const struct json *rendered_floor;
	const struct unit_said *unit;
	int64_t width, height;
	struct maybe_int pages;
	double scale;
	struct text title, output_path;
	struct objects rooms, stairs, lifts;
	const struct summary_row *summary;
	struct objects floor_metrics, warnings;
};

/* Both tools have the same options, which are rows of words.def. */
#define RENDER_OPTION(name, member, type, flags, prose, ...)                                                           \
	FIELD_AS(name, struct render_args, member, type, flags, prose, ##__VA_ARGS__),
static const struct field render_in[] = {DSL_ROW(struct render_args), FILE_ROW(struct render_args),
#include "kinds/floorplan/language/words.def"
					 FIELDS_END};

#define RENDER_OPTION(name, member, type, flags, prose, ...)                                                           \
	FIELD_AS(name, struct render_args, member, type, flags, prose, ##__VA_ARGS__),
#define RENDER_FORMAT(name, member, type, flags, prose, ...)                                                           \
	FIELD_AS(name, struct render_args, member, type, FIELD_UNLISTED, "Default: by output_path's extension",        \
		 .choices = CHOICES_OF(FORMAT)),
#define RENDER_DETAIL(name, member, type, flags, prose, ...)                                                           \
	FIELD_AS(name, struct render_args, member, type, (flags) | FIELD_UNLISTED, prose, ##__VA_ARGS__),
static const struct field export_in[] = {
	FIELD(struct render_args, output_path, TEXT, FIELD_REQUIRED | FIELD_PATH,
	      "File to write; its extension is the format", .more = RARE{.extensions = ""}),
	FIELD(struct render_args, overwrite, FLAG, FIELD_TERSE, "Replace an existing file", .otherwise = "false"),
	FIELD(struct render_args, sheet_set, FLAG, 0, "pdf: a page for each floor", .otherwise = "false"),
	FIELD(struct render_args, paper, CHOICE, FIELD_TERSE,
	      "pdf: size of the paper; default: the smallest that takes the plan", .choices = CHOICES_OF(PAPER)),
	FIELD(struct render_args, date, TEXT, FIELD_UNLISTED,
	      "sheet_set: date of the title block; default: the head's date, else today"),
	DSL_ROW(struct render_args),
	FILE_ROW(struct render_args),
	FIELD(struct render_args, schedule, CHOICE, FIELD_TERSE,
	      "csv: what is listed; default rooms. sheet_set: list it on pages of its own",
	      .choices = CHOICES_OF(SCHEDULE)),
#include "kinds/floorplan/language/words.def"
	FIELDS_END};

static const struct field summary_fields[] = {
	FIELD_AS("totalRooms", struct summary_row, rooms, INT, FIELD_REQUIRED,
		 "Rooms of all floors, without sub-rooms"),
	FIELD_AS("floorCount", struct summary_row, floors, INT, FIELD_REQUIRED, "Floors"),
	FIELD(struct summary_row, stairs, INT, FIELD_REQUIRED, "Stairs"),
	FIELD(struct summary_row, lifts, INT, FIELD_REQUIRED, "Lifts"),
	FIELD(struct summary_row, connections, INT, FIELD_REQUIRED, "Connections"),
	FIELD_AS("netArea", struct summary_row, net_area, NUMBER, FIELD_REQUIRED, "Inside the walls, in the area unit"),
	FIELD_AS("centreLineArea", struct summary_row, centre_line_area, NUMBER, FIELD_REQUIRED,
		 "Sum of the rooms, to wall centre lines, as the drawing says"),
	FIELD_AS("areaUnit", struct summary_row, area_unit, CHOICE, FIELD_REQUIRED, "The area unit",
		 .choices = CHOICES_OF(AREA_UNIT)),
	FIELDS_END};
static const struct shape summary_shape = SHAPE(struct summary_row, "summary", summary_fields);

static const struct field render_out[] = {
	FIELD(struct render_answer, success, FLAG, FIELD_REQUIRED, "The plan was drawn"),
	FIELD(struct render_answer, format, CHOICE, FIELD_REQUIRED, "Kind of picture", .choices = CHOICES_OF(FORMAT)),
	FIELD_AS("floorCount", struct render_answer, floor_count, INT, FIELD_REQUIRED, "Floors of the plan"),
	FIELD_AS("renderedFloor", struct render_answer, rendered_floor, ANY, FIELD_REQUIRED,
		 "Index of the floor drawn, or \"all\""),
	FIELD(struct render_answer, unit, OBJECT, FIELD_REQUIRED, "The plan's unit: all numbers here are in it",
	      .shape = &unit_shape),
	FIELD(struct render_answer, width, INT, FIELD_REQUIRED, "Of the picture, in pixels (pdf: points)"),
	FIELD(struct render_answer, height, INT, FIELD_REQUIRED, "Of the picture, in pixels (pdf: points)"),
	FIELD(struct render_answer, scale, NUMBER, FIELD_REQUIRED, "Pixels (points) of one plan unit"),
	FIELD(struct render_answer, title, TEXT, 0, "Title of the plan"),
	FIELD(struct render_answer, rooms, OBJECTS, FIELD_REQUIRED | FIELD_TERSE,
	      "Rooms of all floors, whichever is drawn", .shape = &room_shape),
	FIELD(struct render_answer, stairs, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Stairs of all floors",
	      .shape = &stair_shape),
	FIELD(struct render_answer, lifts, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Lifts of all floors",
	      .shape = &lift_shape),
	FIELD(struct render_answer, summary, OBJECT, FIELD_REQUIRED, "The plan in figures", .shape = &summary_shape),
	FIELD_AS("floorMetrics", struct render_answer, floor_metrics, OBJECTS, FIELD_REQUIRED | FIELD_TERSE,
		 "Each floor in figures", .shape = &floor_shape),
	FIELD(struct render_answer, warnings, OBJECTS, FIELD_REQUIRED, "What is valid but looks wrong",
	      .shape = &warning_shape),
	FIELDS_END};

/* An export returns only facts about the file; render_floorplan returns the rooms. */
static const struct field export_out[] = {
	FIELD(struct render_answer, success, FLAG, FIELD_REQUIRED, "The plan was drawn"),
	FIELD(struct render_answer, output_path, TEXT, FIELD_REQUIRED, "The file that was written"),
	FIELD(struct render_answer, format, CHOICE, FIELD_REQUIRED, "Kind of picture", .choices = CHOICES_OF(FORMAT)),
	FIELD_AS("renderedFloor", struct render_answer, rendered_floor, ANY, FIELD_REQUIRED,
		 "Index of the floor drawn, or \"all\""),
	FIELD(struct render_answer, width, INT, FIELD_REQUIRED, "Of the picture, in pixels (pdf: points); 0 for data"),
	FIELD(struct render_answer, height, INT, FIELD_REQUIRED, "Of the picture, in pixels (pdf: points); 0 for data"),
	FIELD(struct render_answer, scale, NUMBER, FIELD_REQUIRED, "Pixels (points) of one plan unit; 1 for data"),
	FIELD(struct render_answer, pages, MAYBE_INT, 0, "Pages of a pdf"),
	FIELD(struct render_answer, warnings, OBJECTS, FIELD_REQUIRED, "What is valid but looks wrong",
	      .shape = &warning_shape),
	FIELDS_END};

static bool choose_floor(struct call *c, const struct plan *p, const struct render_args *args, int *out)
{
	*out = 0;
	if (args->all_floors)
		return true;
	if (args->floor.at) {
		for (size_t i = 0; i < p->floors.n; i++)
			if (text_same(p->floors.items[i].name, args->floor)) {
				*out = (int)i;
				return true;
			}
		return fail(c, FAULT_ARGUMENT,
			    "there is no floor %s in the plan; floorIndex takes one by its place, from 0",
			    shown(c, args->floor));
	}
	if (!args->floor_index.there)
		return true;
	if (!p->floors.n && args->floor_index.value == 0)
		return true;
	if (args->floor_index.value < 0 || args->floor_index.value >= (int64_t)p->floors.n) {
		fail(c, FAULT_ARGUMENT, "floorIndex %lld: the plan has %s 0 to %zu", (long long)args->floor_index.value,
		     p->floors.n ? "floors" : "no floor; expected", p->floors.n ? p->floors.n - 1 : 0);
		c->error.where = "/floorIndex";
		return false;
	}
	*out = (int)args->floor_index.value;
	return true;
}

static const struct summary_row *summary(struct arena *a, const struct plan *p, enum area_unit unit)
{
	struct summary_row row = {.floors = (int64_t)p->floors.n,
				  .stairs = (int64_t)p->stairs.n,
				  .lifts = (int64_t)p->lifts.n,
				  .connections = (int64_t)p->connections.n,
				  .area_unit = (int)unit};

	for (size_t i = 0; i < p->floors.n; i++) {
		row.rooms += p->floors.items[i].rooms;
		struct arena scratch = {0};
		struct wall_graph walls;

		wall_graph_make(&scratch, p, (int)i, &walls);
		struct floor_areas areas = floor_areas(&scratch, p, (int)i, &walls);
		row.net_area += plan_area_in(p, areas.net, unit);
		row.centre_line_area += plan_area_in(p, areas.centre_line, unit);
		arena_free(&scratch);
	}
	row.net_area = round(row.net_area * 100) / 100;
	row.centre_line_area = round(row.centre_line_area * 100) / 100;
	return arena_copy(a, &row, sizeof row);
}

static bool option_refuse(struct call *c, const char *name, const char *use, const char *not_for)
{
	fail(c, FAULT_ARGUMENT, "%s is for %s, not for %s; leave it out", name, use, not_for);
	c->error.where = text_format(c->arena, "/%s", name).at;
	return false;
}

/* Refuses options that a format or view does not support, instead of ignoring them. Sizes and the layout have defaults,
 * so it is not known whether they were given. */
static bool options_fit(struct call *c, const struct render_args *args, enum draw_format format)
{
	bool is_export = args->output_path.at, solid = args->view == VIEW_AXONOMETRIC;
	const struct {
		const char *name;
		bool given;
	} of_plans[] = {
		{"sheet_set", args->sheet_set},
		{"paper", is_export && args->paper >= 0},
		{"date", args->date.at},
		{"crop", args->crop.at},
		{"zoom", args->zoom.there},
		{"north", args->north.at},
		{"hatch", args->hatch},
		{"pageScale", args->page_scale.there},
		{"showArea", args->show_area},
		{"showDimensions", args->show_dimensions.there},
		{"showFloorSummary", args->show_floor_summary},
		{"theme", args->theme >= 0 && !solid},
	};
	const char *file = text_format(c->arena, ".%s", word_of(SET_FORMAT, (int)format)).at;

	if (is_export && args->schedule >= 0 && format != FORMAT_CSV && !(format == FORMAT_PDF && args->sheet_set))
		return option_refuse(c, "schedule", ".csv files and sheet_set", file);
	if (solid && format != FORMAT_PNG && format != FORMAT_SVG)
		return option_refuse(c, "view", ".png and .svg pictures", file);
	for (size_t i = 0; (format_is_data(format) || solid) && i < ARRAY_COUNT(of_plans); i++)
		if (of_plans[i].given)
			return option_refuse(c, of_plans[i].name, "pictures of the plan",
					     solid ? "an axonometric view" : file);
	return true;
}

enum { PICTURE_BYTES = 60000, PICTURE_SIDE_MIN = 400 };

static struct draw_options options_of(struct call *c, const struct render_args *args, int floor)
{
	struct draw_options o = DRAW_DEFAULTS;

	o.width = args->width.there ? (int)args->width.value : DRAW_WIDTH;
	o.height = args->height.there ? (int)args->height.value : DRAW_HEIGHT;
	o.floor = floor;
	o.all_floors = args->all_floors;
	o.layout = (enum draw_layout)(args->layout < 0 ? LAYOUT_SIDE_BY_SIDE : args->layout);
	o.show_area = args->show_area;
	o.show_floor_summary = args->show_floor_summary;
	o.show_dimensions = args->show_dimensions.there ? args->show_dimensions.value : -1;
	o.theme = args->theme;
	o.area_unit = args->area_unit;
	o.length_unit = args->length_unit;
	o.page_scale = args->page_scale.there ? (int)args->page_scale.value : 0;
	o.paper = args->output_path.at ? args->paper : -1;
	o.sheet_set = args->sheet_set;
	o.date = args->date;
	o.crop = args->crop;
	o.zoom_given = args->zoom.there;
	o.zoom = args->zoom.value;
	o.north = args->north;
	o.hatch = args->hatch;
	o.floor_given = args->floor.at || args->floor_index.there;
	/* A set has a page for each floor, unless one floor is named. */
	o.all_floors = o.all_floors || (o.sheet_set && !o.floor_given);
	o.view = (enum draw_view)args->view;
	o.schedule = args->schedule < 0 ? SCHEDULE_ROOMS : (enum schedule)args->schedule;
	o.schedule_given = args->schedule >= 0;
	o.lettering = state_of(c)->lettering;
	return o;
}

static void show(struct call *c, const struct drawing *d, enum draw_format format)
{
	if (format == FORMAT_PNG)
		reply_image(c, d->mime, d->bytes);
	else
		reply_resource(c, text_format(c->arena, "floorplan:///drawing.%s", word_of(SET_FORMAT, (int)format)).at,
			       d->mime, d->bytes);
}

/* A picture for a model, within a size that a client passes on: with fewer colours first, then smaller. Somebody who
 * wants a larger one says width or height. */
static bool make_small(struct call *c, const struct plan *p, struct draw_options *o, struct drawing *out)
{
	o->png_most = PICTURE_BYTES;
	while (export_make(c, p, o, out)) {
		if (out->bytes.len <= PICTURE_BYTES || o->width <= PICTURE_SIDE_MIN)
			return true;
		o->width = o->width * 4 / 5;
		o->height = o->height * 4 / 5;
	}
	return false;
}

/* Six digits are enough to find a pixel of the largest picture. */
static double six_digits(double n)
{
	double unit = n > 0 ? pow(10, floor(log10(n)) - 5) : 1;

	return unit < 1 ? round(n / unit) / round(1 / unit) : round(n / unit) * unit;
}

static bool render(struct call *c, const void *in, void *out)
{
	const struct render_args *args = in;
	struct render_answer *answer = out;
	struct text source;
	struct drawing drawing = {0};
	int floor;

	if (!plan_source(c, args->dsl, args->file_path, &source))
		return false;
	const struct plan *p = plan_checked(c, source);

	if (!p)
		return false;
	if (!plan_is_valid(p))
		return plan_refuse(c, p);
	if (!choose_floor(c, p, args, &floor))
		return false;
	struct draw_options o = options_of(c, args, floor);

	o.format = args->format < 0 ? FORMAT_PNG : (enum draw_format)args->format;
	if ((args->output_path.at && !export_format(c, args->format, args->output_path, &o.format)) ||
	    !options_fit(c, args, o.format))
		return false;
	/* A list or a model has all floors, unless one floor is requested. */
	o.all_floors = o.all_floors || (format_is_data(o.format) && !args->floor.at && !args->floor_index.there);
	bool is_small = !args->output_path.at && o.format == FORMAT_PNG && !args->width.there && !args->height.there;
	if (!(is_small ? make_small(c, p, &o, &drawing) : export_make(c, p, &o, &drawing)))
		return false;
	enum area_unit unit = args->area_unit < 0 ? p->config.area_unit : (enum area_unit)args->area_unit;

	*answer = (struct render_answer){
		.success = true,
		.format = (int)o.format,
		.floor_count = (int64_t)p->floors.n,
		.rendered_floor =
			o.all_floors ? json_new_text(c->arena, TEXT("all")) : json_new_int(c->arena, drawing.floor),
		.unit = answer_unit(c->arena, p),
		.width = drawing.width,
		.height = drawing.height,
		.scale = six_digits(drawing.scale),
		.pages = {drawing.pages, drawing.pages > 0},
		.title = p->title,
		.rooms = args->output_path.at || !args->rooms
				 ? (struct objects){0}
				 : answer_page(c, answer_rooms(c, p), &room_shape, ROOMS_LISTED, ROOMS_BYTES,
					       args->first_room, "rooms", "call again with firstRoom"),
		.stairs = answer_page(c, answer_stairs(c, p), &stair_shape, STAIRS_LISTED, STAIRS_BYTES,
				      args->first_stair, "stairs", "call again with firstStair"),
		.lifts = answer_page(c, answer_lifts(c, p), &lift_shape, STAIRS_LISTED, STAIRS_BYTES, args->first_lift,
				     "lifts", "call again with firstLift"),
		.summary = summary(c->arena, p, unit),
		.floor_metrics = answer_page(c, answer_floors(c, p, unit), &floor_shape, FLOORS_LISTED, FLOORS_BYTES, 0,
					     "floors", "call analyze_floorplan with firstFloor"),
		.warnings = answer_problems(c, p, false, 0, "call validate_floorplan with firstWarning"),
	};
	if (!args->output_path.at) {
		show(c, &drawing, o.format);
		return true;
	}
	answer->output_path = args->output_path;
	return export_write(c, &(struct export_target){args->output_path, args->file_path, args->overwrite}, &drawing);
}

const struct tool render_tools[] = {
	TOOL("render_floorplan", "Draw a floor plan",
	     "Draws a floor plan (language: describe_language). Returns the picture and the rooms with positions, "
	     "sizes and walls.",
	     TOOL_READS, struct render_args, render_in, struct render_answer, render_out, render,
	     .example = "{\"dsl\": \"floorplan\\n  floor f1 {\\n    room Office at (0,0) size (10 x 12) walls [top: "
			"solid]\\n  }\\n\"}"),
	TOOL("export_floorplan", "Draw a floor plan into a file",
	     "Writes a floor plan to a file: a picture (png, svg, pdf), a CAD drawing (dxf), a model (glb) or a schedule (csv). Takes all "
	     "options of render_floorplan.",
	     TOOL_WRITES | TOOL_IDEMPOTENT | TOOL_EXTRA | TOOL_DELETES, struct render_args, export_in,
	     struct render_answer, export_out, render,
	     .example = "{\"file_path\": \"house.floorplan\", \"format\": \"pdf\", \"output_path\": \"house.pdf\"}"),
	TOOLS_END};
