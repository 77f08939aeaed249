#include "kinds/floorplan/tools/sketch.h"

#include "base/array.h"
#include "base/map.h"
#include "format/json_write.h"
#include "kinds/floorplan/language/names.h"
#include "kinds/floorplan/plan/room_use.h"

#include <math.h>
#include <string.h>

/* Usual sizes in metres, by use of the room. */
static const struct {
	double width, height;
	bool window;
} usual[ROOM_USES] = {
	[USE_OTHER] = {4, 3, true},          [USE_LIVING] = {5, 4, true},       [USE_DINING] = {4, 3.5, true},
	[USE_KITCHEN] = {3.5, 3, true},      [USE_WORK] = {3.5, 3, true},       [USE_BATH] = {2.4, 2.4, true},
	[USE_LAUNDRY] = {2, 2, false},       [USE_SLEEPING] = {4, 3.5, true},   [USE_ENTRANCE] = {4, 1.8, false},
	[USE_CIRCULATION] = {4, 1.8, false}, [USE_STORAGE] = {1.8, 1.8, false}, [USE_GARAGE] = {3.5, 6, false},
	[USE_OUTDOORS] = {4, 3, false},
};
static const double hall_depth = 1.8, stair_width = 2.6, stair_depth = 4.6, storey = 2.8, side_least = 1.2;

struct placed {
	struct text name, label; /* label absent: none */
	double x, y, width, height;
	bool above, window;
};

struct storey {
	struct text name;
	ARRAY(struct placed) rooms;
	struct placed hall;
	bool has_hall;
	double ends[2]; /* lengths of the rows above and below the hall */
};

struct sketch {
	struct call *c;
	double unit;        /* one metre in the plan's unit */
	double line, depth; /* top edge and depth of all halls, the same so that the stairs are above each other */
	struct map names;   /* of all rooms; each name is used once, so that connections need no floor */
	ARRAY(struct storey) storeys;
};

static double tidy(double n) { return round(n * 100) / 100; }

static struct text unique(struct sketch *s, struct text wanted)
{
	struct text name = name_in_ascii(s->c->arena, wanted);
	bool was = false;

	map_at(&s->names, name, 1, &was);
	for (int i = 2; was; i++) {
		struct text other = text_format(s->c->arena, "%.*s%d", TEXT_ARGS(name), i);

		map_at(&s->names, other, 1, &was);
		if (!was)
			return other;
	}
	return name;
}

static struct storey *storey_of(struct sketch *s, struct text name)
{
	struct text wanted = name_in_ascii(s->c->arena, name.at ? name : TEXT("Ground"));

	for (size_t i = 0; i < s->storeys.n; i++)
		if (text_same(s->storeys.items[i].name, wanted))
			return &s->storeys.items[i];
	struct storey *made = ARRAY_PUSH(s->c->arena, &s->storeys);

	*made = (struct storey){.name = wanted};
	return made;
}

/* Its size as requested, or else by its area, or else the usual one. */
static bool measure(struct sketch *s, const struct room_wanted *r, enum room_use use, struct placed *out)
{
	const struct maybe_number *figures[] = {&r->width, &r->height, &r->area};
	double least = side_least * s->unit, most = 200 * s->unit;

	for (size_t i = 0; i < ARRAY_COUNT(figures); i++)
		if (figures[i]->there && !(figures[i]->value > 0))
			return fail(s->c, FAULT_ARGUMENT, "room %s: width, height and area must be more than 0",
				    shown(s->c, r->name));
	if (r->area.there && r->width.there && r->height.there)
		return fail(s->c, FAULT_ARGUMENT, "room %s: give width and height, or area, not all three",
			    shown(s->c, r->name));
	double area = r->area.there ? r->area.value : 0;

	out->width = r->width.there                ? r->width.value
		     : r->height.there && area > 0 ? area / r->height.value
		     : area > 0                    ? sqrt(area * usual[use].width / usual[use].height)
						   : usual[use].width * s->unit;
	out->height = r->height.there ? r->height.value : area > 0 ? area / out->width : usual[use].height * s->unit;
	out->width = tidy(out->width);
	out->height = tidy(out->height);
	if (out->width < least || out->height < least || out->width > most || out->height > most)
		return fail(s->c, FAULT_ARGUMENT, "room %s would be %g x %g; a side is from %g to %g in this unit",
			    shown(s->c, r->name), out->width, out->height, tidy(least), tidy(most));
	return true;
}

static bool add_room(struct sketch *s, const struct room_wanted *r)
{
	struct storey *st = storey_of(s, r->floor);
	enum room_use use = room_use_of(r->name, r->name);
	struct placed p = {.name = unique(s, r->name), .window = usual[use].window};

	if (!text_same(p.name, r->name))
		p.label = r->name;
	if (memchr(r->name.at, '"', r->name.len) || memchr(r->name.at, '\n', r->name.len) || text_has_nul(r->name))
		return fail(s->c, FAULT_ARGUMENT, "room %s: a name cannot hold a quote or a line end",
			    shown(s->c, r->name));
	if (!measure(s, r, use, &p))
		return false;
	if ((use == USE_CIRCULATION || use == USE_ENTRANCE) && !st->has_hall) {
		st->hall = p;
		st->has_hall = true;
		return true;
	}
	*ARRAY_PUSH(s->c->arena, &st->rooms) = p;
	return true;
}

/* Puts each room into the shorter row. The hall is as long as the longer row. */
static void lay_out(struct sketch *s, struct storey *st)
{
	bool with_stair = s->storeys.n > 1;

	if (!st->has_hall && (st->rooms.n > 1 || with_stair)) {
		st->hall = (struct placed){.name = unique(s, TEXT("Hall"))};
		st->has_hall = true;
	}
	st->ends[1] = with_stair ? stair_width * s->unit : 0;
	for (size_t i = 0; i < st->rooms.n; i++) {
		struct placed *p = &st->rooms.items[i];
		int row = !st->has_hall || st->ends[1] < st->ends[0];

		p->above = !row;
		p->x = tidy(st->ends[row]);
		st->ends[row] += p->width;
		if (p->above)
			s->line = fmax(s->line, p->height);
	}
	st->hall.height = s->depth;
	st->hall.width = tidy(fmax(st->hall.width, fmax(fmax(st->ends[0], st->ends[1]), 2 * s->unit)));
}

static void put(struct buffer *b, double n)
{
	char digits[NUMBER_MAX];

	buffer_add(b, (struct text){digits, number_write(digits, tidy(n) + 0.0)});
}

static void put_room(struct buffer *b, const struct placed *p)
{
	buffer_format(b, "    %s %.*s at (", word_of(SET_STATEMENT, STATEMENT_ROOM), TEXT_ARGS(p->name));
	put(b, p->x);
	buffer_byte(b, ',');
	put(b, p->y);
	buffer_put(b, ") size (");
	put(b, p->width);
	buffer_put(b, " x ");
	put(b, p->height);
	buffer_put(b, ") walls [");
	for (int side = 0; side < 4; side++) {
		bool outer = side == (p->above ? SIDE_TOP : SIDE_BOTTOM);

		buffer_format(b, "%s%s: %s", side ? ", " : "", word_of(SET_SIDE, side),
			      word_of(SET_WALL_TYPE, outer && p->window ? WALL_WINDOW : WALL_SOLID));
	}
	buffer_byte(b, ']');
	if (p->label.at)
		buffer_format(b, " label \"%.*s\"", TEXT_ARGS(p->label));
	buffer_byte(b, '\n');
}

static void put_stair(struct sketch *s, struct buffer *b, struct storey *st)
{
	double below = s->line + s->depth;
	struct placed room = {.name = unique(s, TEXT("Stairwell")),
			      .y = below,
			      .width = stair_width * s->unit,
			      .height = stair_depth * s->unit};

	put_room(b, &room);
	*ARRAY_PUSH(s->c->arena, &st->rooms) = room; /* for its door */
	buffer_format(b, "    %s Main at (", word_of(SET_STATEMENT, STATEMENT_STAIR));
	put(b, 0.25 * s->unit);
	buffer_byte(b, ',');
	put(b, below + 1.1 * s->unit);
	buffer_format(b, ") shape %s from %s turn %s rise ", word_of(SET_STAIR_SHAPE, STAIR_U_SHAPED),
		      word_of(SET_SIDE, SIDE_TOP), word_of(SET_TURN, TURN_RIGHT));
	put(b, storey * s->unit);
	buffer_put(b, " width ");
	put(b, s->unit);
	buffer_put(b, " tread ");
	put(b, 0.28 * s->unit);
	buffer_byte(b, '\n');
}

static void put_storey(struct sketch *s, struct buffer *b, struct storey *st)
{
	buffer_format(b, "\n  %s %.*s height ", word_of(SET_STATEMENT, STATEMENT_FLOOR), TEXT_ARGS(st->name));
	put(b, storey * s->unit);
	buffer_put(b, " {\n");
	st->hall.y = s->line;
	if (st->has_hall)
		put_room(b, &st->hall);
	for (size_t i = 0; i < st->rooms.n; i++) {
		struct placed *p = &st->rooms.items[i];

		p->y = p->above ? s->line - p->height : st->has_hall ? s->line + s->depth : 0;
		put_room(b, p);
	}
	if (s->storeys.n > 1)
		put_stair(s, b, st);
	buffer_put(b, "  }\n");
}

static void put_connect(struct buffer *b, struct text from, enum side side, struct text to)
{
	buffer_format(b, "  %s %.*s.%s %s %.*s", word_of(SET_STATEMENT, STATEMENT_CONNECT), TEXT_ARGS(from),
		      word_of(SET_SIDE, (int)side), word_of(SET_GLUE, GLUE_TO), TEXT_ARGS(to));
}

static void put_doors(struct buffer *b, const struct storey *st, bool entrance)
{
	const char *door = word_of(SET_DOOR_TYPE, CONNECTION_DOOR);
	struct text first = st->has_hall ? st->hall.name : st->rooms.items[0].name;

	for (size_t i = 0; st->has_hall && i < st->rooms.n; i++) {
		const struct placed *p = &st->rooms.items[i];

		put_connect(b, st->hall.name, p->above ? SIDE_TOP : SIDE_BOTTOM, p->name);
		buffer_format(b, ".%s %s\n", word_of(SET_SIDE, p->above ? SIDE_BOTTOM : SIDE_TOP), door);
	}
	if (!entrance)
		return;
	put_connect(b, first, SIDE_LEFT, text_of(word_of(SET_GLUE, GLUE_OUTSIDE)));
	buffer_format(b, " %s\n", door);
}

bool sketch_plan(struct call *c, const struct room_wanted *rooms, size_t n, enum unit unit, struct text *out)
{
	struct sketch s = {.c = c, .unit = 1 / unit_rows[unit].metres, .names = {.arena = c->arena}};
	struct buffer b = {.arena = c->arena};

	s.depth = hall_depth * s.unit;
	for (size_t i = 0; i < n; i++)
		if (!add_room(&s, &rooms[i]))
			return false;
	for (size_t i = 0; i < s.storeys.n; i++)
		if (s.storeys.items[i].has_hall)
			s.depth = fmax(s.depth, fmin(s.storeys.items[i].hall.height, s.storeys.items[i].hall.width));
	s.depth = tidy(s.depth);
	for (size_t i = 0; i < s.storeys.n; i++)
		lay_out(&s, &s.storeys.items[i]);
	s.line = tidy(s.line);
	buffer_format(&b, "floorplan\n  config { default_unit: %s }\n", word_of(SET_UNIT, (int)unit));
	for (size_t i = 0; i < s.storeys.n; i++)
		put_storey(&s, &b, &s.storeys.items[i]);
	buffer_byte(&b, '\n');
	for (size_t i = 0; i < s.storeys.n; i++)
		put_doors(&b, &s.storeys.items[i], i == 0);
	for (size_t i = 0; s.storeys.n > 1 && i < s.storeys.n; i++)
		buffer_format(&b, "%s%.*s.Main%s", i ? " to " : "\n  vertical ", TEXT_ARGS(s.storeys.items[i].name),
			      i + 1 == s.storeys.n ? "\n" : "");
	*out = buffer_text(&b);
	return true;
}
