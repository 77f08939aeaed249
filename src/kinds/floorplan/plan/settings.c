#include "kinds/floorplan/plan/reading.h"

#include <math.h>
#include <string.h>

/* Three counts of units, by importance: first those of rooms, then those of other drawn things, then those of steps,
 * which are in inches even in a plan in feet. */
struct tally {
	int n[3][8];
	const struct length *first[2]; /* by enum measure, in the order of the text */
};

static void count(struct tally *t, int weight, const struct length *l)
{
	if (!l->there || l->unit < 0)
		return;
	t->n[weight][l->unit]++;
	enum measure m = unit_rows[l->unit].measure;

	if (!t->first[m] || l->span.from < t->first[m]->span.from)
		t->first[m] = l;
}

static void count_size(struct tally *t, int weight, const struct size *s)
{
	count(t, weight, &s->width);
	count(t, weight, &s->height);
}

static void count_stair(struct tally *t, const struct stair_syntax *s)
{
	count(t, 1, &s->rise);
	count(t, 1, &s->width);
	count(t, 1, &s->inner_radius);
	count(t, 1, &s->outer_radius);
	count(t, 1, &s->radius);
	count_size(t, 1, &s->landing);
	for (size_t i = 0; i < s->segments.n; i++) {
		count(t, 1, &s->segments.items[i].width);
		count_size(t, 1, &s->segments.items[i].landing);
	}
	count(t, 2, &s->riser);
	count(t, 2, &s->tread);
	count(t, 2, &s->nosing);
	count(t, 2, &s->headroom);
}

static void count_statement(struct tally *t, const struct statement *s)
{
	count(t, 0, &s->at.x);
	count(t, 0, &s->at.y);
	count_size(t, 0, &s->size);
	count(t, 0, &s->height);
	count(t, 0, &s->elevation);
	count(t, 0, &s->relative.gap);
	for (size_t i = 0; i < s->walls.n; i++) {
		const struct wall_opening *o = s->walls.items[i].opening;

		if (!o)
			continue;
		count(t, 1, &o->at);
		count_size(t, 1, &o->size);
		count(t, 1, &o->height);
		count(t, 1, &o->sill);
		count(t, 1, &o->head);
	}
	for (size_t i = 0; s->kind == STATEMENT_CONFIG && i < s->pairs.n; i++) {
		count(t, 1, &s->pairs.items[i].number);
		count_size(t, 1, &s->pairs.items[i].size);
	}
	if (s->stair)
		count_stair(t, s->stair);
	if (s->connect)
		count_size(t, 1, &s->connect->size);
}

static int most_used(const struct tally *t)
{
	int best = -1;

	for (int weight = 0; weight < 3 && best < 0; weight++)
		for (int u = 0; u < (int)word_count(SET_UNIT); u++)
			if (t->n[weight][u] && (best < 0 || t->n[weight][u] > t->n[weight][best]))
				best = u;
	return best;
}

/* A door width below 1.6 or a storey height below 6 is in metres. All other public plans without a unit are in feet. */
static enum unit assumed_unit(const struct reading *r)
{
	const struct pair *size = r->config[CONFIG_DOOR_SIZE], *width = r->config[CONFIG_DOOR_WIDTH];
	const struct pair *height = r->config[CONFIG_DEFAULT_HEIGHT];

	if ((size && size->kind == PAIR_SIZE && size->size.width.value < 1.6) ||
	    (width && width->kind == PAIR_NUMBER && width->number.value < 1.6) ||
	    (height && height->kind == PAIR_NUMBER && height->number.value < 6))
		return UNIT_M;
	return UNIT_FT;
}

static void choose_unit(struct reading *r)
{
	const struct pair *said = r->config[CONFIG_DEFAULT_UNIT];
	struct tally t = {0};
	int unit = said ? word_find(SET_UNIT, said->text) : -1;

	for (size_t i = 0; r->syntax->has_units && i < r->syntax->statements.n; i++)
		count_statement(&t, r->syntax->statements.items[i]);
	if (unit < 0)
		unit = most_used(&t);
	r->plan->unit_assumed = unit < 0;
	r->plan->unit = unit < 0 ? assumed_unit(r) : (enum unit)unit;
	r->plan->metre = 1 / unit_rows[r->plan->unit].metres;
	if (t.first[MEASURE_METRIC] && t.first[MEASURE_IMPERIAL]) {
		const struct length *other =
			t.first[unit_rows[r->plan->unit].measure == MEASURE_METRIC ? MEASURE_IMPERIAL : MEASURE_METRIC];

		report_warning(&r->report, PROBLEM_UNIT, other->span.from,
			       "metric and imperial units are mixed; all is converted to %s",
			       word_of(SET_UNIT, (int)r->plan->unit));
	}
}

/* A value of the frontmatter is read as in a config block. A value of no other type is a text. */
static struct pair *head_pair(struct reading *r, const struct head_entry *e, int key)
{
	struct problems nowhere = {0};
	struct pair *pair = arena_new(r->arena, struct pair);
	struct syntax scratch = {.source = text_slice(r->syntax->source, 0, e->value_span.to)};
	struct report silent = r->report;
	struct parser p = {.arena = r->arena, .out = &scratch, .report = &silent};

	silent.problems = &nowhere;
	lex(r->arena, scratch.source, e->value_span.from, &scratch.tokens);
	p.at = scratch.tokens.items;
	*pair = (struct pair){.key = key};
	if (e->quoted || !parse_pair_value(&p, pair) || p.at->kind != TOKEN_END)
		*pair = (struct pair){.key = key, .kind = PAIR_STRING, .text = e->value};
	pair->key_word = pair->span = e->span;
	pair->value_span = e->value_span;
	return pair;
}

static void collect_config(struct reading *r)
{
	for (size_t i = 0; i < r->syntax->head.n; i++) {
		const struct head_entry *e = &r->syntax->head.items[i];
		int key = e->in_config ? config_key_find(e->key) : -1;

		if (key >= 0)
			r->config[key] = head_pair(r, e, key);
		else if (e->in_config)
			report_warning(&r->report, PROBLEM_CONFIG, e->span.from,
				       "config key '%s' is unknown and ignored", shown_name(r, e->key));
	}
	int blocks = 0;

	for (size_t i = 0; i < r->syntax->statements.n; i++) {
		const struct statement *s = r->syntax->statements.items[i];

		if (s->kind != STATEMENT_CONFIG)
			continue;
		if (blocks++)
			report_warning(&r->report, PROBLEM_ORDER, s->span.from,
				       "a second config block; a plan has one, and they are read as one");
		for (size_t k = 0; k < s->pairs.n; k++)
			r->config[s->pairs.items[k].key] = &s->pairs.items[k];
	}
}

static const char *value_expected(struct reading *r, int key, enum word_set *set)
{
	*set = WORD_SETS;
	switch (config_rows[key].value) {
	case CONFIG_VALUE_LENGTH: return "a length, as in 2.5";
	case CONFIG_VALUE_NUMBER: return "a number";
	case CONFIG_VALUE_SIZE: return "a size, as in (3 x 7)";
	case CONFIG_VALUE_STYLE: return "the name of a style";
	case CONFIG_VALUE_TEXT: return "a text in quotes";
	case CONFIG_VALUE_UNIT: *set = SET_UNIT; break;
	case CONFIG_VALUE_AREA_UNIT: *set = SET_AREA_UNIT; break;
	case CONFIG_VALUE_TRUTH: *set = SET_TRUTH; break;
	case CONFIG_VALUE_STAIR_CODE: *set = SET_STAIR_CODE; break;
	case CONFIG_VALUE_THEME: *set = SET_THEME; break;
	}
	struct buffer list = {.arena = r->arena};

	word_list(&list, *set);
	return buffer_text(&list).at;
}

/* A value of the wrong type is ignored with a warning, because the public grammar accepts any value for any key. An
 * unknown unit would change the meaning of every number, so it is an error. */
static void misfit(struct reading *r, int key)
{
	const struct pair *pair = r->config[key];
	enum config_value want = config_rows[key].value;
	struct text found = text_slice(r->syntax->source, pair->value_span.from, pair->value_span.to);
	enum word_set set;
	const char *expected = value_expected(r, key, &set);
	const char *near = set < WORD_SETS ? word_nearest(set, found) : NULL;
	const char *message =
		text_format(r->arena, "%s '%s'; expected %s%s%s%s", word_of(SET_CONFIG_KEY, key), shown_name(r, found),
			    expected, near ? "; did you mean " : "", near ? near : "", near ? "?" : "")
			.at;

	if (want == CONFIG_VALUE_UNIT || want == CONFIG_VALUE_AREA_UNIT)
		report_error(&r->report, PROBLEM_VALUE, pair->value_span.from, "%s", message);
	else
		report_warning(&r->report, PROBLEM_CONFIG, pair->value_span.from, "%s; it is ignored", message);
}

static double config_length(struct reading *r, int key, double metres)
{
	const struct pair *pair = r->config[key];

	if (!pair)
		return metres * r->plan->metre;
	if (pair->kind == PAIR_NUMBER)
		return in_plan(r, &pair->number);
	misfit(r, key);
	return metres * r->plan->metre;
}

static int config_word(struct reading *r, int key, enum word_set set, int otherwise)
{
	const struct pair *pair = r->config[key];
	int found = pair && (pair->kind == PAIR_WORD || pair->kind == PAIR_STRING) ? word_find(set, pair->text) : -1;

	if (pair && found < 0)
		misfit(r, key);
	return found < 0 ? otherwise : found;
}

static void config_size(struct reading *r, int key, int width_key, int height_key, double *width, double *height)
{
	const struct pair *pair = r->config[key];

	if (!pair)
		return;
	if (pair->kind != PAIR_SIZE) {
		misfit(r, key);
		return;
	}
	*width = in_plan(r, &pair->size.width);
	*height = in_plan(r, &pair->size.height);
	const struct pair *beaten = r->config[width_key] ? r->config[width_key] : r->config[height_key];

	if (beaten)
		report_warning(&r->report, PROBLEM_CONFIG, beaten->span.from, "%s is given, so %s has no effect",
			       word_of(SET_CONFIG_KEY, key), word_of(SET_CONFIG_KEY, beaten->key));
}

static void config_looks(struct reading *r, struct plan_config *c)
{
	const struct pair *font = r->config[CONFIG_FONT_FAMILY], *size = r->config[CONFIG_FONT_SIZE];
	bool dark = config_word(r, CONFIG_DARK_MODE, SET_TRUTH, 0);

	c->theme = config_word(r, CONFIG_THEME, SET_THEME, dark ? THEME_DARK : THEME_DEFAULT);
	if (r->config[CONFIG_THEME] && r->config[CONFIG_DARK_MODE])
		report_warning(&r->report, PROBLEM_CONFIG, r->config[CONFIG_DARK_MODE]->span.from,
			       "%s is given, so %s has no effect", word_of(SET_CONFIG_KEY, CONFIG_THEME),
			       word_of(SET_CONFIG_KEY, CONFIG_DARK_MODE));
	if (font && (font->kind == PAIR_STRING || font->kind == PAIR_WORD))
		c->font_family = font->text;
	else if (font)
		misfit(r, CONFIG_FONT_FAMILY);
	c->font_size = 0.8;
	if (size && size->kind == PAIR_NUMBER && size->number.value > 0)
		c->font_size = size->number.value;
	else if (size)
		misfit(r, CONFIG_FONT_SIZE);
	c->show_labels = config_word(r, CONFIG_SHOW_LABELS, SET_TRUTH, 1);
	c->show_dimensions = config_word(r, CONFIG_SHOW_DIMENSIONS, SET_TRUTH, 0);
}

static void read_config(struct reading *r)
{
	struct plan_config *c = &r->plan->config;
	bool imperial = unit_rows[r->plan->unit].measure == MEASURE_IMPERIAL;

	for (int i = 0; i < COUNT_CONFIG_KEY; i++)
		c->given[i] = r->config[i];
	c->wall_thickness = config_length(r, CONFIG_WALL_THICKNESS, 0.15);
	c->floor_thickness = config_length(r, CONFIG_FLOOR_THICKNESS, 0.2);
	c->default_height = config_length(r, CONFIG_DEFAULT_HEIGHT, 3.35);
	c->door_width = config_length(r, CONFIG_DOOR_WIDTH, door_rows[CONNECTION_DOOR].metres);
	c->door_height = config_length(r, CONFIG_DOOR_HEIGHT, 2.1);
	c->window_width = config_length(r, CONFIG_WINDOW_WIDTH, 0);
	c->window_height = config_length(r, CONFIG_WINDOW_HEIGHT, 1.5);
	c->window_sill = config_length(r, CONFIG_WINDOW_SILL, 0.9);
	config_size(r, CONFIG_DOOR_SIZE, CONFIG_DOOR_WIDTH, CONFIG_DOOR_HEIGHT, &c->door_width, &c->door_height);
	config_size(r, CONFIG_WINDOW_SIZE, CONFIG_WINDOW_WIDTH, CONFIG_WINDOW_HEIGHT, &c->window_width,
		    &c->window_height);
	c->area_unit = config_word(r, CONFIG_AREA_UNIT, SET_AREA_UNIT, imperial ? AREA_SQFT : AREA_SQM);
	c->stair_code = config_word(r, CONFIG_STAIR_CODE, SET_STAIR_CODE, STAIR_CODE_NONE);
	if (r->config[CONFIG_DEFAULT_UNIT])
		config_word(r, CONFIG_DEFAULT_UNIT, SET_UNIT, 0);
	config_looks(r, c);
}

static void read_default_style(struct reading *r)
{
	const struct pair *pair = r->config[CONFIG_DEFAULT_STYLE];

	r->plan->config.default_style = -1;
	if (!pair)
		return;
	const uint32_t *found = map_find(&r->styles, pair->text.at ? pair->text : TEXT(""));

	if (pair->kind != PAIR_WORD && pair->kind != PAIR_STRING)
		misfit(r, CONFIG_DEFAULT_STYLE);
	else if (found)
		r->plan->config.default_style = (int)*found;
	else
		report_error(&r->report, PROBLEM_UNDEFINED_STYLE, pair->value_span.from, "style '%s' is not defined",
			     shown_name(r, pair->text));
}

static int hex(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

/* #RRGGBB, or #RGB where each digit stands for two. */
static bool read_colour(struct text t, struct colour *out)
{
	int digit[6];

	if ((t.len != 7 && t.len != 4) || t.at[0] != '#')
		return false;
	for (size_t i = 0; i < 6; i++)
		if ((digit[i] = hex(t.at[1 + (t.len == 7 ? i : i / 2)])) < 0)
			return false;
	*out = (struct colour){true, (uint8_t)(digit[0] * 16 + digit[1]), (uint8_t)(digit[2] * 16 + digit[3]),
			       (uint8_t)(digit[4] * 16 + digit[5])};
	return true;
}

static void read_style_pair(struct reading *r, struct plan_style *style, const struct pair *pair)
{
	struct text found = text_slice(r->syntax->source, pair->value_span.from, pair->value_span.to);
	const char *key = word_of(SET_STYLE_KEY, pair->key);
	struct colour colour;

	switch (style_rows[pair->key]) {
	case STYLE_VALUE_COLOUR:
		if (pair->kind != PAIR_STRING || !read_colour(pair->text, &colour))
			report_error(&r->report, PROBLEM_VALUE, pair->value_span.from,
				     "%s %s; expected a colour as \"#RRGGBB\" or \"#RGB\"", key, shown_name(r, found));
		else
			*(pair->key == STYLE_FLOOR_COLOR ? &style->floor : &style->wall) = colour;
		break;
	case STYLE_VALUE_TEXT:
		*(pair->key == STYLE_FLOOR_TEXTURE ? &style->floor_texture : &style->wall_texture) = pair->text;
		break;
	case STYLE_VALUE_SHARE:
		if (pair->kind != PAIR_NUMBER || pair->number.value > 1)
			report_error(&r->report, PROBLEM_VALUE, pair->value_span.from,
				     "%s %s; expected a number from 0 to 1", key, shown_name(r, found));
		else
			*(pair->key == STYLE_ROUGHNESS ? &style->roughness : &style->metalness) = pair->number.value;
		break;
	}
}

static bool first_of(struct reading *r, struct map *names, const struct statement *s, size_t index)
{
	bool was = false;

	if (!s->name.text.at)
		return false;
	map_at(names, s->name.text, (uint32_t)index, &was);
	if (was)
		report_error(&r->report, PROBLEM_DUPLICATE_DEFINITION, s->name.span.from,
			     "%s '%s' is defined twice; the first one holds", word_of(SET_STATEMENT, (int)s->kind),
			     shown_name(r, s->name.text));
	return !was;
}

static void read_definitions(struct reading *r)
{
	struct plan *p = r->plan;

	for (size_t i = 0; i < r->syntax->statements.n; i++) {
		const struct statement *s = r->syntax->statements.items[i];

		if (s->kind == STATEMENT_DEFINE && first_of(r, &r->defines, s, p->defines.n))
			*ARRAY_PUSH(r->arena, &p->defines) = (struct plan_define){
				s->name.text, {in_plan(r, &s->size.width), in_plan(r, &s->size.height)}, (uint32_t)i};
		if (s->kind == STATEMENT_STYLE && first_of(r, &r->styles, s, p->styles.n)) {
			struct plan_style *style = ARRAY_PUSH(r->arena, &p->styles);

			*style = (struct plan_style){
				.name = s->name.text, .roughness = -1, .metalness = -1, .statement = (uint32_t)i};
			for (size_t k = 0; k < s->pairs.n; k++)
				read_style_pair(r, style, &s->pairs.items[k]);
		}
	}
}

static void check_version(struct reading *r)
{
	const struct name *version = &r->syntax->version;
	int part[3] = {0}, n = 0;
	bool sound = version->text.len > 0;

	if (!version->text.at)
		return;
	r->plan->version = version->text;
	for (size_t i = 0; i < version->text.len && sound; i++) {
		char c = version->text.at[i];

		if (c == '.')
			sound = ++n < 3;
		else
			sound = c >= '0' && c <= '9' && (part[n] = part[n] * 10 + (c - '0')) < 100000;
	}
	if (!sound)
		report_error(&r->report, PROBLEM_VERSION, version->span.from, "version '%s'; expected a version as 1.0",
			     shown_name(r, version->text));
	else if (part[0] > 1 || (part[0] == 1 && (part[1] || part[2])))
		report_error(&r->report, PROBLEM_VERSION, version->span.from,
			     "version %s is newer than 1.0, the language spoken here", shown_name(r, version->text));
	else if (part[0] < 1)
		report_warning(&r->report, PROBLEM_VERSION, version->span.from,
			       "version %s is older than 1.0; it is read as 1.0", shown_name(r, version->text));
}

static void read_head(struct reading *r)
{
	for (size_t i = 0; i < r->syntax->head.n; i++) {
		const struct head_entry *e = &r->syntax->head.items[i];

		if (e->in_config)
			continue;
		if (text_is(e->key, "title"))
			r->plan->title = e->value;
		else
			*ARRAY_PUSH(r->arena, &r->plan->meta) = (struct plan_meta){e->key, e->value};
	}
	check_version(r);
}

void read_settings(struct reading *r)
{
	read_head(r);
	collect_config(r);
	choose_unit(r);
	read_definitions(r);
	read_config(r);
	read_default_style(r);
}
