/* edit_plan.c: the actions on floors, stairs, lifts, settings and styles. */
#include "kinds/floorplan/edit/edit.h"

#include "format/json.h"

#include <math.h>
#include <string.h>

static void put_clause(struct buffer *b, enum clause id) { buffer_format(b, " %s ", word_of(SET_CLAUSE, (int)id)); }

static void put_if(struct buffer *b, enum clause id, struct maybe_number n)
{
	if (!n.there)
		return;
	put_clause(b, id);
	put_number(b, n.value);
}

bool edit_add_floor(struct edit *e, const struct operation *op)
{
	const struct add_floor_params *p = op->params;
	struct buffer b = {.arena = e->arena};

	e->about = p->name;
	if (!check_new_name(e, p->name, -1, "floor"))
		return false;
	for (size_t i = 0; i < e->plan->floors.n; i++)
		if (text_same(e->plan->floors.items[i].name, p->name))
			return edit_refuse(e, "there is a floor \"%s\" already", shown(e->c, p->name));
	if (p->height.there && !check_length(e, p->height.value, "the height of the floor"))
		return false;
	buffer_format(&b, "%s %.*s", word_of(SET_STATEMENT, STATEMENT_FLOOR), TEXT_ARGS(p->name));
	put_if(&b, CLAUSE_HEIGHT, p->height);
	const struct statement *first =
		e->plan->floors.n ? e->syntax->statements.items[e->plan->floors.items[0].statement] : NULL;
	struct text indent = first ? indent_of(e, first->span.from) : TEXT("  ");

	buffer_format(&b, " {%s%.*s}", line_end(e), TEXT_ARGS(indent));
	insert_top(e, STATEMENT_FLOOR, buffer_text(&b));
	edit_say(e, "added floor %s", shown(e->c, p->name));
	return true;
}

static int floor_or_first(struct edit *e, struct text name)
{
	if (name.at)
		return find_floor(e, name);
	if (e->plan->floors.n)
		return 0;
	edit_refuse(e, "the plan has no floor; add one by %s", action_name(ACTION_ADD_FLOOR));
	return -1;
}

static bool put_place(struct edit *e, struct buffer *b, const struct point *position)
{
	if (!position)
		return true;
	if (!check_place(e, position->x, position->y))
		return false;
	put_clause(b, CLAUSE_AT);
	put_point(b, position->x, position->y);
	return true;
}

static bool put_end(struct edit *e, struct buffer *b, const struct relative_params *relative, struct text label,
		    struct text style)
{
	if (relative && !put_relative(e, b, relative))
		return false;
	if (label.at) {
		put_clause(b, CLAUSE_LABEL);
		if (!put_label(e, b, label))
			return false;
	}
	if (style.at) {
		if (!is_identifier(style))
			return edit_refuse(e, "\"%s\" is no style name", shown(e->c, style));
		put_clause(b, CLAUSE_STYLE);
		buffer_add(b, style);
	}
	return true;
}

/* Writes a turn or side that the shape requires. */
static bool put_word(struct edit *e, struct buffer *b, enum clause id, enum word_set set, int word, const char *param)
{
	if (word < 0)
		return edit_refuse(e, "this shape needs `%s`", param);
	put_clause(b, id);
	buffer_put(b, word_of(set, word));
	return true;
}

static bool put_runs(struct edit *e, struct buffer *b, const struct numbers *runs)
{
	if (!runs->n)
		return true;
	put_clause(b, CLAUSE_RUNS);
	for (size_t i = 0; i < runs->n; i++) {
		if (!(runs->items[i] >= 1 && runs->items[i] <= 10000) || runs->items[i] != floor(runs->items[i]))
			return edit_refuse(e, "runs are whole numbers of steps, from 1 to 10000");
		buffer_put(b, i ? ", " : "");
		put_number(b, runs->items[i]);
	}
	return true;
}

static bool put_radius(struct edit *e, struct buffer *b, enum clause id, struct maybe_number n)
{
	if (!n.there)
		return edit_refuse(e, "this shape needs a `radius` of more than 0");
	if (!check_length(e, n.value, "the radius"))
		return false;
	put_if(b, id, n);
	return true;
}

/* Accepts only words, numbers and the signs between them: nothing that could end the statement. */
static bool put_segments(struct edit *e, struct buffer *b, struct text t)
{
	static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,()-\xC2\xB0\t";

	if (!t.at || strspn(text_string(e->arena, t), fine) < t.len)
		return edit_refuse(
			e, "a custom stair needs `segments`, as in: flight 5, turn right landing (4 x 4), flight 6");
	buffer_format(b, " [%.*s]", TEXT_ARGS(t));
	return true;
}

static bool put_shape(struct edit *e, struct buffer *b, const struct add_stair_params *p)
{
	put_clause(b, CLAUSE_SHAPE);
	buffer_put(b, word_of(SET_STAIR_SHAPE, p->shape));
	switch ((enum stair_shape)p->shape) {
	case STAIR_STRAIGHT: return put_word(e, b, CLAUSE_TOWARD, SET_SIDE, p->side, "side");
	case STAIR_L_SHAPED:
	case STAIR_U_SHAPED:
	case STAIR_DOUBLE_L:
		return put_word(e, b, CLAUSE_FROM, SET_SIDE, p->side, "side") &&
		       put_word(e, b, CLAUSE_TURN, SET_TURN, p->turn, "turn") && put_runs(e, b, &p->runs);
	case STAIR_WINDER:
		if (!put_word(e, b, CLAUSE_FROM, SET_SIDE, p->side, "side") ||
		    !put_word(e, b, CLAUSE_TURN, SET_TURN, p->turn, "turn"))
			return false;
		put_clause(b, CLAUSE_WINDERS);
		put_number(b, p->winders.there ? (double)p->winders.value : 3);
		return put_runs(e, b, &p->runs);
	case STAIR_SPIRAL:
		return put_word(e, b, CLAUSE_ROTATION, SET_ROTATION, p->rotation < 0 ? ROTATION_CLOCKWISE : p->rotation,
				"rotation") &&
		       put_radius(e, b, CLAUSE_OUTER_RADIUS, p->radius);
	case STAIR_CURVED:
		return put_word(e, b, CLAUSE_FROM, SET_SIDE, p->side, "side") &&
		       put_radius(e, b, CLAUSE_RADIUS, p->radius);
	case STAIR_CUSTOM:
		return put_word(e, b, CLAUSE_FROM, SET_SIDE, p->side, "side") && put_segments(e, b, p->segments);
	}
	return false;
}

static bool more_than_0(struct edit *e, struct maybe_number n, const char *what)
{
	return !n.there || check_length(e, n.value, what);
}

bool edit_add_stair(struct edit *e, const struct operation *op)
{
	const struct add_stair_params *p = op->params;
	int floor = floor_or_first(e, p->floor);
	struct buffer b = {.arena = e->arena};

	e->about = p->name;
	if (floor < 0 || !check_new_name(e, p->name, floor, "stair") ||
	    !more_than_0(e, (struct maybe_number){p->rise, true}, "rise") || !more_than_0(e, p->width, "width") ||
	    !more_than_0(e, p->riser, "riser") || !more_than_0(e, p->tread, "tread"))
		return false;
	buffer_format(&b, "%s %.*s", word_of(SET_STATEMENT, STATEMENT_STAIR), TEXT_ARGS(p->name));
	if (!put_place(e, &b, p->position) || !put_shape(e, &b, p))
		return false;
	put_if(&b, CLAUSE_RISE, (struct maybe_number){p->rise, true});
	put_if(&b, CLAUSE_WIDTH, p->width);
	put_if(&b, CLAUSE_RISER, p->riser);
	put_if(&b, CLAUSE_TREAD, p->tread);
	if (!put_end(e, &b, p->relativePosition, p->label, p->style))
		return false;
	insert_child(e, e->syntax->statements.items[e->plan->floors.items[floor].statement], STATEMENT_STAIR,
		     buffer_text(&b));
	edit_say(e, "added stair %s to floor %s", shown(e->c, p->name), shown(e->c, e->plan->floors.items[floor].name));
	return true;
}

bool edit_add_lift(struct edit *e, const struct operation *op)
{
	const struct add_lift_params *p = op->params;
	int floor = floor_or_first(e, p->floor);
	struct buffer b = {.arena = e->arena};

	e->about = p->name;
	if (floor < 0 || !check_new_name(e, p->name, floor, "lift") || !check_size(e, p->size->width, p->size->height))
		return false;
	buffer_format(&b, "%s %.*s", word_of(SET_STATEMENT, STATEMENT_LIFT), TEXT_ARGS(p->name));
	if (!put_place(e, &b, p->position))
		return false;
	put_clause(&b, CLAUSE_SIZE);
	put_size(&b, p->size->width, p->size->height);
	for (size_t i = 0; i < p->doors.n; i++) {
		if (!i)
			put_clause(&b, CLAUSE_DOORS);
		buffer_format(&b, "%s%s%s", i ? ", " : "(", word_of(SET_SIDE, p->doors.items[i]),
			      i + 1 == p->doors.n ? ")" : "");
	}
	if (!put_end(e, &b, p->relativePosition, p->label, p->style))
		return false;
	insert_child(e, e->syntax->statements.items[e->plan->floors.items[floor].statement], STATEMENT_LIFT,
		     buffer_text(&b));
	edit_say(e, "added lift %s to floor %s", shown(e->c, p->name), shown(e->c, e->plan->floors.items[floor].name));
	return true;
}

static bool put_json_number(struct edit *e, struct buffer *b, int key, const struct json *v)
{
	double n = json_is(v, JSON_INT) || json_is(v, JSON_REAL) ? json_real(v) : -1;

	if (!(n >= 0))
		return edit_refuse(e, "%s expects a number, not below 0, in the plan's unit",
				   word_of(SET_CONFIG_KEY, key));
	if (!check_number(e, n, word_of(SET_CONFIG_KEY, key)))
		return false;
	put_number(b, n);
	return true;
}

static enum word_set words_of(enum config_value value)
{
	switch (value) {
	case CONFIG_VALUE_UNIT: return SET_UNIT;
	case CONFIG_VALUE_AREA_UNIT: return SET_AREA_UNIT;
	case CONFIG_VALUE_STAIR_CODE: return SET_STAIR_CODE;
	case CONFIG_VALUE_THEME: return SET_THEME;
	case CONFIG_VALUE_TRUTH: return SET_TRUTH;
	case CONFIG_VALUE_LENGTH:
	case CONFIG_VALUE_SIZE:
	case CONFIG_VALUE_STYLE:
	case CONFIG_VALUE_TEXT:
	case CONFIG_VALUE_NUMBER: break;
	}
	return WORD_SETS;
}

static bool put_value(struct edit *e, struct buffer *b, int key, const struct json *v)
{
	enum config_value value = config_rows[key].value;
	enum word_set set = words_of(value);
	struct text word = json_is(v, JSON_BOOL) ? text_of(word_of(SET_TRUTH, v->boolean)) : json_text(v);

	if (value == CONFIG_VALUE_LENGTH || value == CONFIG_VALUE_NUMBER)
		return put_json_number(e, b, key, v);
	if (value == CONFIG_VALUE_SIZE) {
		const struct json *width = json_get(v, "width"), *height = json_get(v, "height");

		if (!width || !height)
			return edit_refuse(e, "%s expects {\"width\": W, \"height\": H}", word_of(SET_CONFIG_KEY, key));
		buffer_byte(b, '(');
		if (!put_json_number(e, b, key, width))
			return false;
		buffer_format(b, " %s ", word_of(SET_GLUE, GLUE_X));
		if (!put_json_number(e, b, key, height))
			return false;
		buffer_byte(b, ')');
		return true;
	}
	if (value == CONFIG_VALUE_TEXT)
		return word.at ? put_label(e, b, word)
			       : edit_refuse(e, "%s expects a text", word_of(SET_CONFIG_KEY, key));
	if (value == CONFIG_VALUE_STYLE) {
		if (!is_identifier(word))
			return edit_refuse(e, "%s expects the name of a style", word_of(SET_CONFIG_KEY, key));
	} else if (!word.at || word_find(set, word) < 0) {
		struct buffer list = {.arena = e->arena};

		word_list(&list, set);
		return edit_refuse(e, "%s expects %s", word_of(SET_CONFIG_KEY, key), buffer_text(&list).at);
	}
	buffer_add(b, word);
	return true;
}

/* Sets `key: value` in a block of pairs. Uses the same separator as between the last two pairs. */
static void set_pair(struct edit *e, const struct statement *s, int key, const char *name, struct text value)
{
	const struct pair *last = s->pairs.n ? &s->pairs.items[s->pairs.n - 1] : NULL;
	struct buffer b = {.arena = e->arena};

	for (size_t i = s->pairs.n; i-- > 0;)
		if (s->pairs.items[i].key == key) {
			edit_replace(e, s->pairs.items[i].value_span, value);
			return;
		}
	if (last && s->pairs.n > 1 &&
	    memchr(e->source.at + s->pairs.items[s->pairs.n - 2].span.to, '\n',
		   last->span.from - s->pairs.items[s->pairs.n - 2].span.to))
		buffer_format(&b, ",%s%.*s%s: ", line_end(e), TEXT_ARGS(indent_of(e, last->span.from)), name);
	else
		buffer_format(&b, ", %s: ", name);
	buffer_add(&b, value);
	edit_insert(e, last ? last->span.to : s->body.from, buffer_text(&b));
}

bool edit_set_config(struct edit *e, const struct operation *op)
{
	const struct set_config_params *p = op->params;
	const char *key = word_of(SET_CONFIG_KEY, p->key);
	struct buffer value = {.arena = e->arena};
	const struct statement *block = NULL;

	if (!put_value(e, &value, p->key, p->value))
		return false;
	for (size_t i = 0; i < e->syntax->statements.n; i++)
		if (e->syntax->statements.items[i]->kind == STATEMENT_CONFIG)
			block = e->syntax->statements.items[i];
	if (block)
		set_pair(e, block, p->key, key, buffer_text(&value));
	else
		insert_top(e, STATEMENT_CONFIG,
			   text_format(e->arena, "%s { %s: %.*s }", word_of(SET_STATEMENT, STATEMENT_CONFIG), key,
				       TEXT_ARGS(buffer_text(&value))));
	edit_say(e, "%s is %s", key, shown(e->c, buffer_text(&value)));
	return true;
}

static bool style_value(struct edit *e, const struct set_style_params *p, int key, struct buffer *b)
{
	if (style_rows[key] == STYLE_VALUE_SHARE) {
		put_number(b, p->shares[key].value);
		return true;
	}
	return put_label(e, b, p->texts[key]);
}

static bool gives(const struct set_style_params *p, int key)
{
	return style_rows[key] == STYLE_VALUE_SHARE ? p->shares[key].there : p->texts[key].at != NULL;
}

static void take_style(struct edit *e, const struct statement *s, struct text name)
{
	if (!s->style.text.at)
		edit_insert(e, clause_place(e, s, CLAUSE_STYLE),
			    text_format(e->arena, " %s %.*s", word_of(SET_CLAUSE, CLAUSE_STYLE), TEXT_ARGS(name)));
	else if (!text_same(s->style.text, name))
		edit_replace(e, s->style.span, name);
}

bool edit_set_style(struct edit *e, const struct operation *op)
{
	const struct set_style_params *p = op->params;
	const struct statement *block = NULL;
	struct buffer fresh = {.arena = e->arena};
	int room = op->target.at ? find_target(e, op->target) : -1;

	e->about = p->name;
	if (e->refused)
		return false;
	for (size_t i = 0; i < e->syntax->statements.n && !block; i++)
		if (e->syntax->statements.items[i]->kind == STATEMENT_STYLE &&
		    text_same(e->syntax->statements.items[i]->name.text, p->name))
			block = e->syntax->statements.items[i];
	if (!block && !check_new_name(e, p->name, -1, "style"))
		return false;
	for (int key = 0; key < STYLE_KEYS; key++) {
		struct buffer value = {.arena = e->arena};
		const char *name = word_of(SET_STYLE_KEY, key);

		if (!gives(p, key))
			continue;
		if (!style_value(e, p, key, &value))
			return false;
		bool listed = false;

		for (size_t i = 0; block && i < block->pairs.n; i++)
			listed |= block->pairs.items[i].key == key;
		if (listed)
			set_pair(e, block, key, name, buffer_text(&value));
		else
			buffer_format(&fresh, "%s%s: %.*s", fresh.len ? ", " : "", name,
				      TEXT_ARGS(buffer_text(&value)));
	}
	if (!block && !fresh.len)
		return edit_refuse(e, "style \"%s\" is not defined; give at least one key to define it",
				   shown(e->c, p->name));
	if (!block)
		insert_top(e, STATEMENT_STYLE,
			   text_format(e->arena, "%s %.*s { %.*s }", word_of(SET_STATEMENT, STATEMENT_STYLE),
				       TEXT_ARGS(p->name), TEXT_ARGS(buffer_text(&fresh))));
	else if (fresh.len)
		edit_insert(e, block->pairs.items[block->pairs.n - 1].span.to,
			    text_format(e->arena, ", %.*s", TEXT_ARGS(buffer_text(&fresh))));
	if (room >= 0)
		take_style(e, room_statement(e, room), p->name);
	edit_say(e, "style %s%s%s", shown(e->c, p->name), room >= 0 ? " on " : "",
		 room >= 0 ? shown(e->c, op->target) : "");
	return true;
}
