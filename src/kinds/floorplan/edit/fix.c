/* fix.c: operations of modify_floorplan that would mend what a warning tells, ready to be sent. */
#include "format/json.h"
#include "kinds/floorplan/edit/edit.h"
#include "kinds/floorplan/plan/reading.h"

static struct json *operation(struct reading *r, enum action action, struct text target, struct json *params)
{
	struct json *o = json_new_object(r->arena);

	json_set_text(r->arena, o, "action", text_of(action_name(action)));
	if (target.at)
		json_set_text(r->arena, o, "target", target);
	if (params)
		json_set(r->arena, o, "params", params);
	return o;
}

const struct json *fix_walls(struct reading *r, struct text room, enum side side, enum wall_type type)
{
	struct json *params = json_new_object(r->arena);

	json_set_text(r->arena, params, word_of(SET_SIDE, (int)side), text_of(word_of(SET_WALL_TYPE, (int)type)));
	return operation(r, ACTION_UPDATE_WALLS, room, params);
}

const struct json *fix_move(struct reading *r, struct text room, double x, double y)
{
	struct json *params = json_new_object(r->arena);

	json_set(r->arena, params, "x", json_new_number(r->arena, x));
	json_set(r->arena, params, "y", json_new_number(r->arena, y));
	return operation(r, ACTION_MOVE_ROOM, room, params);
}

static struct text end_text(struct reading *r, const struct end_syntax *e)
{
	return text_copy(r->arena, text_slice(r->syntax->source, e->span.from, e->span.to));
}

/* To another place, or away (a percent below 0). */
const struct json *fix_connection(struct reading *r, const struct plan_connection *k, double percent)
{
	const struct connect_syntax *t = statement_of(r, k->statement)->connect;
	struct json *params = json_new_object(r->arena);

	json_set_text(r->arena, params, "from", end_text(r, &t->from));
	json_set_text(r->arena, params, "to", end_text(r, &t->to));
	if (percent >= 0)
		json_set(r->arena, params, "at", json_new_number(r->arena, percent));
	return operation(r, percent >= 0 ? ACTION_UPDATE_CONNECTION : ACTION_REMOVE_CONNECTION, (struct text){0},
			 params);
}
