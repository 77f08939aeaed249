/* read.c: read_floorplan: the text with line numbers, whole, one floor, or one room with its connections. */
#include "kinds/floorplan/tools/answer.h"
#include "kinds/floorplan/kind.h"
#include "kinds/floorplan/language/syntax.h"

struct read_args {
	struct text dsl, file_path, floor, room;
	int64_t first_line;
};

struct read_answer {
	struct text text;
	int64_t lines;
	struct maybe_int next;
};

static const struct field read_in[] = {DSL_ROW(struct read_args),
				       FILE_ROW(struct read_args),
				       FIELD(struct read_args, floor, TEXT, 0, "Only this floor"),
				       FIELD(struct read_args, room, TEXT, 0, "Only this room: NAME or FLOOR.NAME"),
				       FIELD_AS("firstLine", struct read_args, first_line, INT, FIELD_TERSE,
						"Line to begin at", .otherwise = "1", .limits = AT_LEAST(1)),
				       FIELDS_END};

static const struct field read_out[] = {
	FIELD(struct read_answer, text, TEXT, FIELD_REQUIRED | FIELD_EMPTY,
	      "Each line after its number and a tab; ... marks lines left out"),
	FIELD(struct read_answer, lines, INT, FIELD_REQUIRED, "Lines of the plan"),
	FIELD(struct read_answer, next, MAYBE_INT, 0, "There is more: call again with firstLine"), FIELDS_END};

struct selection {
	const struct plan *p;
	uint32_t *starts; /* offset of each line */
	size_t lines;
	bool *wanted; /* by line */
};

static void find_lines(struct call *c, struct selection *s)
{
	struct text source = s->p->source;
	size_t n = 1;

	for (size_t i = 0; i + 1 < source.len; i++)
		n += source.at[i] == '\n';
	s->starts = arena_array(c->arena, n + 1, sizeof *s->starts);
	s->wanted = arena_array(c->arena, n + 1, sizeof *s->wanted);
	s->lines = 1;
	for (size_t i = 0; i + 1 < source.len; i++)
		if (source.at[i] == '\n')
			s->starts[s->lines++] = (uint32_t)i + 1;
	s->starts[s->lines] = (uint32_t)source.len;
}

static void want_statement(struct selection *s, uint32_t number)
{
	const struct statement *it = s->p->syntax->statements.items[number];
	size_t low = 0, high = s->lines;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (s->starts[middle] <= it->span.from)
			low = middle;
		else
			high = middle;
	}
	for (; low < s->lines && s->starts[low] < it->span.to; low++)
		s->wanted[low] = true;
}

static void want_connections(struct selection *s, bool (*fits)(const struct plan *, int room, int of), int of)
{
	const struct plan *p = s->p;

	for (size_t i = 0; i < p->connections.n; i++) {
		const struct plan_connection *k = &p->connections.items[i];

		if ((k->from.room >= 0 && fits(p, k->from.room, of)) || (k->to.room >= 0 && fits(p, k->to.room, of)))
			want_statement(s, k->statement);
	}
}

static bool is_on(const struct plan *p, int room, int floor) { return p->rooms.items[room].floor == floor; }

static bool is_within(const struct plan *p, int room, int of)
{
	while (room >= 0 && room != of)
		room = p->rooms.items[room].parent;
	return room == of;
}

static const char *floor_names(struct call *c, const struct plan *p)
{
	enum { NAMED_MAX = 20 };
	struct buffer b = {.arena = c->arena};

	for (size_t i = 0; i < p->floors.n && i < NAMED_MAX; i++)
		buffer_format(&b, "%s%s", i ? ", " : "", shown(c, p->floors.items[i].name));
	return p->floors.n ? buffer_text(&b).at : "none";
}

static bool want_floor(struct call *c, struct selection *s, struct text name)
{
	const struct plan *p = s->p;

	for (size_t f = 0; f < p->floors.n; f++) {
		if (!text_same(p->floors.items[f].name, name))
			continue;
		want_statement(s, p->floors.items[f].statement);
		want_connections(s, is_on, (int)f);
		for (size_t i = 0; i < p->verticals.n; i++)
			for (size_t k = 0; k < p->verticals.items[i].n; k++)
				if (p->verticals.items[i].stops[k].floor == (int)f)
					want_statement(s, p->verticals.items[i].statement);
		return true;
	}
	return fail(c, FAULT_NOT_FOUND, "there is no floor %s; the plan has %s", shown(c, name), floor_names(c, p));
}

/* Selects the rooms that a target may mean, on all floors. */
static bool want_room(struct call *c, struct selection *s, struct text target)
{
	const struct plan *p = s->p;
	size_t dot = text_find(target, TEXT("."), 0);
	struct text floor = dot == SIZE_MAX ? (struct text){0} : text_slice(target, 0, dot);
	struct text name = dot == SIZE_MAX ? target : text_slice(target, dot + 1, target.len);
	const char **names = arena_array(c->arena, p->rooms.n + 1, sizeof *names);
	bool found = false;

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];

		names[i] = text_string(c->arena, r->name);
		if (!text_same(r->name, name) || (floor.at && !text_same(p->floors.items[r->floor].name, floor)))
			continue;
		found = true;
		want_statement(s, r->statement);
		want_connections(s, is_within, (int)i);
	}
	const char *near = found ? NULL : text_nearest(name, names);

	return found ||
	       (near ? fail(c, FAULT_NOT_FOUND, "there is no room %s; did you mean %s?", shown(c, target), near)
		     : fail(c, FAULT_NOT_FOUND, "there is no room %s; read the whole plan to see its names",
			    shown(c, target)));
}

static bool put_lines(struct selection *s, size_t from, size_t room, struct buffer *to, size_t *next)
{
	bool gap = false;

	for (size_t i = from; i < s->lines; i++) {
		struct text line = text_slice(s->p->source, s->starts[i], s->starts[i + 1]);

		if (!s->wanted[i]) {
			gap = true;
			continue;
		}
		while (line.len && (line.at[line.len - 1] == '\n' || line.at[line.len - 1] == '\r'))
			line.len--;
		/* A line that is longer than a result is still returned whole, so that later lines can be read. */
		if (to->len && to->len + line.len > room) {
			*next = i + 1;
			return true;
		}
		if (gap && to->len)
			buffer_put(to, "...\n");
		gap = false;
		buffer_format(to, "%zu\t", i + 1);
		buffer_add(to, line);
		buffer_byte(to, '\n');
	}
	return false;
}

static bool read_plan(struct call *c, const void *in, void *out)
{
	const struct read_args *args = in;
	struct read_answer *answer = out;
	struct text source;
	struct buffer b = {.arena = c->arena};
	size_t next;

	if (args->floor.at && args->room.at)
		return fail(c, FAULT_ARGUMENT, "give floor or room, not both; a room of a floor is FLOOR.NAME");
	if (!plan_source(c, args->dsl, args->file_path, &source))
		return false;
	struct selection s = {.p = plan_read(c->arena, source)};

	find_lines(c, &s);
	if ((args->floor.at && !want_floor(c, &s, args->floor)) || (args->room.at && !want_room(c, &s, args->room)))
		return false;
	for (size_t i = 0; !args->floor.at && !args->room.at && i < s.lines; i++)
		s.wanted[i] = true;
	if (args->first_line > (int64_t)s.lines)
		return fail(c, FAULT_ARGUMENT, "firstLine %lld is after the end; the plan has %zu lines",
			    (long long)args->first_line, s.lines);
	if (put_lines(&s, (size_t)args->first_line - 1, answer_room(c) / 10 * 9, &b, &next))
		answer->next = (struct maybe_int){(int64_t)next, true};
	answer->text = b.len ? buffer_text(&b) : TEXT("");
	answer->lines = (int64_t)s.lines;
	return true;
}

const struct tool read_tools[] = {
	TOOL("read_floorplan", "Read a floor plan",
	     "Returns the text of a floor plan with line numbers: all of it, one floor, or one room.", TOOL_READS,
	     struct read_args, read_in, struct read_answer, read_out, read_plan,
	     .example = "{\"file_path\": \"house.floorplan\", \"room\": \"Hall\"}"),
	TOOLS_END};
