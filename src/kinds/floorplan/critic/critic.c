#include "kinds/floorplan/critic/critic.h"

#include "base/array.h"
#include "base/call.h"
#include "format/json.h"
#include "kinds/floorplan/critic/room.h"
#include "kinds/floorplan/edit/edit.h"
#include "kinds/floorplan/plan/reading.h"

#include <stdarg.h>
#include <stdio.h>

const struct rule_row rule_rows[RULES] = {
#define RULE(id, name, source) [RULE_##id] = {name, source},
#include "kinds/floorplan/critic/critic.def"
};

void critic_limits_default(struct critic_limits *out)
{
	*out = (struct critic_limits){
#define LIMIT(member, otherwise, prose) .member = (otherwise),
#include "kinds/floorplan/critic/critic.def"
	};
}

struct finding *find(struct critic *k, enum critic_rule rule, enum severity severity, uint32_t from, int floor,
		     const char *format, ...)
{
	char message[600];
	va_list args;

	if (k->out->n >= FINDINGS_MAX)
		return NULL;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	struct finding *f = ARRAY_PUSH(k->arena, k->out);

	f->rule = rule;
	f->severity = severity;
	f->message = text_copy(k->arena, text_of(message)).at;
	f->from = from;
	f->floor = floor;
	return f;
}

void finding_at(struct finding *f, double x, double y)
{
	if (!f)
		return;
	f->placed = true;
	f->at = (struct point){x, y};
}

void finding_names(struct critic *k, struct finding *f, struct text a, struct text b)
{
	if (!f)
		return;
	f->rooms.items = arena_array(k->arena, 2, sizeof(struct text));
	f->rooms.items[f->rooms.n++] = a;
	if (b.at)
		f->rooms.items[f->rooms.n++] = b;
}

void finding_try(struct finding *f, const struct json *operation)
{
	if (!f || !operation)
		return;
	for (int i = 0; i < FIXES_A_FINDING; i++)
		if (!f->candidates[i]) {
			f->candidates[i] = operation;
			return;
		}
}

double metres(const struct critic *k, double plan_units) { return plan_units / k->plan->metre; }

const char *length_shown(const struct critic *k, double length)
{
	return text_format(k->arena, "%s %s", figure(k->arena, length), word_of(SET_UNIT, (int)k->plan->unit)).at;
}

const char *name_shown(const struct critic *k, struct text name)
{
	struct call lends = {.arena = k->arena};

	return shown(&lends, name);
}

uint32_t statement_from(const struct critic *k, uint32_t statement)
{
	return k->plan->syntax->statements.items[statement]->span.from;
}

uint32_t room_from(const struct critic *k, int room) { return statement_from(k, k->plan->rooms.items[room].statement); }

bool is_habitable(enum room_use use)
{
	return use == USE_LIVING || use == USE_DINING || use == USE_KITCHEN || use == USE_SLEEPING || use == USE_WORK;
}

bool room_serves(const struct critic *k, int room, enum room_use use) { return k->said[room] >> use & 1; }

static struct json *operation(const struct critic *k, enum action action, struct json *params)
{
	struct json *o = json_new_object(k->arena);

	json_set_text(k->arena, o, "action", text_of(action_name(action)));
	json_set(k->arena, o, "params", params);
	return o;
}

/* A name as edits expect it: with its floor if another floor has the same name. */
static struct text room_name(const struct critic *k, int room)
{
	const struct plan *p = k->plan;
	const struct plan_room *r = &p->rooms.items[room];

	for (size_t i = 0; p->floors.n > 1 && i < p->rooms.n; i++)
		if (p->rooms.items[i].floor != r->floor && text_same(p->rooms.items[i].name, r->name))
			return text_format(k->arena, "%.*s.%.*s", TEXT_ARGS(p->floors.items[r->floor].name),
					   TEXT_ARGS(r->name));
	return r->name;
}

static struct text end_text(const struct critic *k, const struct end_syntax *e)
{
	return text_copy(k->arena, text_slice(k->plan->source, e->span.from, e->span.to));
}

/* Do other connections join the same two rooms? Then an edit must say which one it means. */
static bool is_one_of_many(const struct critic *k, int connection)
{
	const struct plan_connection *c = &k->plan->connections.items[connection];

	for (size_t i = 0; i < k->plan->connections.n; i++) {
		const struct plan_connection *o = &k->plan->connections.items[i];

		if ((int)i != connection && ((o->from.room == c->from.room && o->to.room == c->to.room) ||
					     (o->from.room == c->to.room && o->to.room == c->from.room)))
			return true;
	}
	return false;
}

const struct json *try_connection(const struct critic *k, int connection, const char *key, const struct json *value)
{
	const struct plan_connection *c = &k->plan->connections.items[connection];
	const struct connect_syntax *t = k->plan->syntax->statements.items[c->statement]->connect;
	struct json *params = json_new_object(k->arena);

	json_set_text(k->arena, params, "from", end_text(k, &t->from));
	json_set_text(k->arena, params, "to", end_text(k, &t->to));
	if (is_one_of_many(k, connection))
		json_set(k->arena, params, "which", json_new_number(k->arena, c->percent));
	json_set(k->arena, params, key, value);
	return operation(k, ACTION_UPDATE_CONNECTION, params);
}

const struct json *try_walls(const struct critic *k, int room, enum side side, enum wall_type type)
{
	struct json *params = json_new_object(k->arena), *o;

	json_set_text(k->arena, params, word_of(SET_SIDE, (int)side), text_of(word_of(SET_WALL_TYPE, (int)type)));
	o = operation(k, ACTION_UPDATE_WALLS, params);
	json_set_text(k->arena, o, "target", room_name(k, room));
	return o;
}

const struct json *try_add_connection(const struct critic *k, int from, int to)
{
	struct json *params = json_new_object(k->arena);

	json_set_text(k->arena, params, "from", room_name(k, from));
	json_set_text(k->arena, params, "to",
		      to < (int)k->plan->rooms.n ? room_name(k, to) : text_of(word_of(SET_GLUE, GLUE_OUTSIDE)));
	return operation(k, ACTION_ADD_CONNECTION, params);
}

static int graver_first(const void *a, const void *b)
{
	const struct finding *l = a, *r = b;

	if (l->severity != r->severity)
		return l->severity > r->severity ? -1 : 1;
	if (l->from != r->from)
		return l->from < r->from ? -1 : 1;
	return (int)l->rule - (int)r->rule;
}

/* Rule, floor and names. They stay the same when something else is edited. */
static void name_subjects(struct critic *k)
{
	for (size_t i = 0; i < k->out->n; i++) {
		struct finding *f = &k->out->items[i];
		struct buffer b = {.arena = k->arena};

		buffer_format(&b, "%s %d", rule_rows[f->rule].name, f->floor);
		for (size_t n = 0; n < f->rooms.n; n++)
			buffer_format(&b, " %.*s", TEXT_ARGS(f->rooms.items[n]));
		f->subject = buffer_text(&b);
	}
}

void critic_read(struct arena *a, const struct plan *p, const struct critic_limits *limits, struct findings *out)
{
	struct critic k = {.arena = a, .plan = p, .limits = limits, .out = out};

	*out = (struct findings){0};
	k.walls = arena_array(a, p->floors.n + 1, sizeof *k.walls);
	k.locators = arena_array(a, p->floors.n + 1, sizeof *k.locators);
	k.uses = arena_array(a, p->rooms.n + 1, sizeof *k.uses);
	k.said = arena_array(a, p->rooms.n + 1, sizeof *k.said);
	for (size_t i = 0; i < p->floors.n; i++) {
		wall_graph_make(a, p, (int)i, &k.walls[i]);
		locator_make(a, p, (int)i, &k.locators[i]);
	}
	for (size_t i = 0; i < p->rooms.n; i++) {
		struct room_uses uses = room_uses_of(p->rooms.items[i].name, p->rooms.items[i].label);

		k.uses[i] = uses.use;
		k.said[i] = uses.said;
	}
	ways_make(&k);
	judge_swings(&k);
	judge_widths(&k);
	judge_light(&k);
	judge_rooms(&k);
	judge_access(&k);
	judge_distances(&k);
	judge_stairs(&k);
	name_subjects(&k);
	if (out->n)
		array_sort(out->items, out->n, sizeof *out->items, graver_first);
}
