/* suggest.c: the operations of modify_floorplan that a check suggests, as JSON. None of them is tried here. */
#include "format/json.h"
#include "kinds/floorplan/edit/edit.h"
#include "kinds/floorplan/edit/fix.h"
#include "kinds/floorplan/plan/reading.h"

#include <math.h>

static void suggest(struct reading *r, struct problem *p, enum action action, struct text target, struct json *params)
{
	for (int i = 0; i < FIX_CANDIDATES; i++)
		if (!p->candidates[i]) {
			p->candidates[i] = operation_json(r->arena, action_name(action), target, params);
			return;
		}
}

/* FLOOR.NAME if the name alone would be ambiguous. */
static struct text target_of(struct reading *r, int room)
{
	const struct plan_room *it = &r->plan->rooms.items[room];
	const uint32_t *first = map_find(&r->rooms, it->name);

	if (first && r->next_same[*first] < 0)
		return it->name;
	return text_format(r->arena, "%.*s.%.*s", TEXT_ARGS(r->plan->floors.items[it->floor].name),
			   TEXT_ARGS(it->name));
}

/* As a person would write it, without the rounding errors of sums. */
static double plain(double n) { return fabs(n) < 1e6 ? round(n * 1e9) / 1e9 : n; }

static void put(struct reading *r, struct json *params, const char *key, double n)
{
	json_set(r->arena, params, key, json_new_number(r->arena, plain(n)));
}

void suggest_walls(struct reading *r, struct problem *p, int room, enum side side, enum wall_type type)
{
	struct json *params = json_new_object(r->arena);

	json_set_text(r->arena, params, word_of(SET_SIDE, (int)side), text_of(word_of(SET_WALL_TYPE, (int)type)));
	suggest(r, p, ACTION_UPDATE_WALLS, target_of(r, room), params);
}

void suggest_move(struct reading *r, struct problem *p, int room, double x, double y)
{
	struct json *params = json_new_object(r->arena);

	put(r, params, "x", x);
	put(r, params, "y", y);
	suggest(r, p, ACTION_MOVE_ROOM, target_of(r, room), params);
}

void suggest_size(struct reading *r, struct problem *p, int room, double width, double height)
{
	struct json *params = json_new_object(r->arena);

	put(r, params, "width", width);
	put(r, params, "height", height);
	suggest(r, p, ACTION_RESIZE_ROOM, target_of(r, room), params);
}

/* As written, with its floor if the name alone would be ambiguous. */
static struct text end_text(struct reading *r, const struct end_syntax *e, const struct plan_end *bound)
{
	if (bound->room < 0 || e->floor.text.at)
		return text_copy(r->arena, text_slice(r->syntax->source, e->span.from, e->span.to));
	struct text target = target_of(r, bound->room);

	if (e->side < 0)
		return target;
	return text_format(r->arena, "%.*s.%s", TEXT_ARGS(target), word_of(SET_SIDE, e->side));
}

static bool ends_same(const struct plan_end *a, const struct plan_end *b)
{
	return a->outside || b->outside ? a->outside && b->outside : a->room >= 0 && a->room == b->room;
}

/* Do other connections join the same two rooms? A connection to a room that does not exist also counts. */
static bool has_twin(const struct reading *r, const struct plan_connection *k)
{
	if ((!k->from.outside && k->from.room < 0) || (!k->to.outside && k->to.room < 0))
		return true;
	for (size_t i = 0; i < r->plan->connections.n; i++) {
		const struct plan_connection *o = &r->plan->connections.items[i];

		if (o != k && ((ends_same(&o->from, &k->from) && ends_same(&o->to, &k->to)) ||
			       (ends_same(&o->from, &k->to) && ends_same(&o->to, &k->from))))
			return true;
	}
	return false;
}

/* Its ends as written. Its percent only if others join the same two rooms, because another fix may change it. */
static struct json *params_of(struct reading *r, const struct plan_connection *k)
{
	const struct connect_syntax *t = statement_of(r, k->statement)->connect;
	struct json *params = json_new_object(r->arena);

	json_set_text(r->arena, params, "from", end_text(r, &t->from, &k->from));
	json_set_text(r->arena, params, "to", end_text(r, &t->to, &k->to));
	if (t->at.there && has_twin(r, k))
		put(r, params, "which", k->percent);
	return params;
}

static void suggest_update(struct reading *r, struct problem *p, struct json *params)
{
	suggest(r, p, ACTION_UPDATE_CONNECTION, (struct text){0}, params);
}

void suggest_percent(struct reading *r, struct problem *p, const struct plan_connection *k, double percent)
{
	struct json *params = params_of(r, k);

	put(r, params, "at", percent);
	suggest_update(r, p, params);
}

/* Rounds down to a thousandth of a unit, so that it still fits. */
static double fitting(double n) { return floor(n * 1000 + 1e-6) / 1000; }

void suggest_opening(struct reading *r, struct problem *p, const struct plan_connection *k, double width, double height)
{
	struct json *params = params_of(r, k), *size = json_new_object(r->arena);

	put(r, size, "width", fitting(width));
	put(r, size, "height", fitting(height));
	json_set(r->arena, params, "size", size);
	suggest_update(r, p, params);
}

void suggest_into(struct reading *r, struct problem *p, const struct plan_connection *k, struct text room)
{
	struct json *params = params_of(r, k);

	json_set_text(r->arena, params, "opensInto", room);
	suggest_update(r, p, params);
}

void suggest_ends(struct reading *r, struct problem *p, const struct plan_connection *k, struct text from,
		  struct text to)
{
	struct json *params = params_of(r, k);

	if (from.at)
		json_set_text(r->arena, params, "newFrom", from);
	if (to.at)
		json_set_text(r->arena, params, "newTo", to);
	suggest_update(r, p, params);
}

void suggest_door(struct reading *r, struct problem *p, int from, int to)
{
	struct json *params = json_new_object(r->arena);

	json_set_text(r->arena, params, "from", target_of(r, from));
	json_set_text(r->arena, params, "to", target_of(r, to));
	suggest(r, p, ACTION_ADD_CONNECTION, (struct text){0}, params);
}

void suggest_removal(struct reading *r, struct problem *p, const struct plan_connection *k)
{
	suggest(r, p, ACTION_REMOVE_CONNECTION, (struct text){0}, params_of(r, k));
}
