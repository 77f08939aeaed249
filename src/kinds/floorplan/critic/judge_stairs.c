/* judge_stairs.c: stride, headroom, rise, and free space before the first and after the last step.
 *
 * Riser, tread and width by the plan's stair_code are checks of the plan itself (plan/check_stairs.c). */
#include "base/budget.h"
#include "kinds/floorplan/critic/room.h"

#include <math.h>

static struct finding *about(struct critic *k, const struct plan_stair *s, struct finding *f)
{
	finding_at(f, s->box.x + s->box.width / 2, s->box.y + s->box.height / 2);
	finding_names(k, f, s->name, (struct text){0});
	return f;
}

/* The tread on the walking line. A spiral's treads are measured in the middle. */
static double tread_walked(const struct plan_stair *s)
{
	if (s->shape != STAIR_SPIRAL || s->steps < 1)
		return s->tread;
	return (s->inner_radius + s->outer_radius) / 2 * fabs(s->sweep) / s->steps;
}

static void judge_stride(struct critic *k, const struct plan_stair *s)
{
	double stride = metres(k, 2 * s->riser + tread_walked(s)), slack = 0.005;
	double off = fmax(k->limits->step_least - stride, stride - k->limits->step_most);

	if (off <= slack)
		return;
	about(k, s,
	      find(k, RULE_STEP, off > 0.03 ? SEVERITY_WARNING : SEVERITY_INFO, statement_from(k, s->statement),
		   s->floor, "stair %s: two risers of %s and a tread of %s make %s; %s to %s is a stride",
		   name_shown(k, s->name), length_shown(k, s->riser), length_shown(k, tread_walked(s)),
		   length_shown(k, stride * k->plan->metre), length_shown(k, k->limits->step_least * k->plan->metre),
		   length_shown(k, k->limits->step_most * k->plan->metre)));
}

static int room_around(const struct critic *k, const struct plan_stair *s)
{
	return locate(k->plan, &k->locators[s->floor], s->box.x + s->box.width / 2, s->box.y + s->box.height / 2, -1);
}

/* The headroom as given or, for steps to a platform within a room, the height between the steps and the ceiling. */
static void judge_headroom(struct critic *k, const struct plan_stair *s)
{
	int room = room_around(k, s);
	double height = room >= 0 ? k->plan->rooms.items[room].height : 0, least = k->limits->headroom * k->plan->metre;
	bool platform = room >= 0 && !s->goes_up && !s->comes_from_below && s->rise <= height / 2;

	if (s->headroom > 0 && s->headroom < least - 0.005 * k->plan->metre)
		about(k, s,
		      find(k, RULE_HEADROOM, SEVERITY_WARNING, statement_from(k, s->statement), s->floor,
			   "stair %s has a headroom of %s; the minimum is %s", name_shown(k, s->name),
			   length_shown(k, s->headroom), length_shown(k, least)));
	else if (platform && height - s->rise < least)
		about(k, s,
		      find(k, RULE_HEADROOM, SEVERITY_WARNING, statement_from(k, s->statement), s->floor,
			   "above the last step of stair %s there are %s to the ceiling; the minimum is %s",
			   name_shown(k, s->name), length_shown(k, height - s->rise), length_shown(k, least)));
}

/* Only if the plan gives heights: a default value tells nothing about the building. */
static void judge_rise(struct critic *k, const struct plan_stair *s)
{
	const struct plan_floor *f = &k->plan->floors.items[s->floor];
	double slab = k->plan->config.floor_thickness;
	bool said = f->has_height || k->plan->config.given[CONFIG_DEFAULT_HEIGHT];

	/* Authors give the clear height or the height from floor to floor. Both are accepted. */
	if (!s->goes_up || !said || (s->rise >= f->height - s->riser && s->rise <= f->height + slab + s->riser))
		return;
	about(k, s,
	      find(k, RULE_STAIR_RISE, SEVERITY_INFO, statement_from(k, s->statement), s->floor,
		   "stair %s climbs %s; the storey is %s high and the slab above it %s", name_shown(k, s->name),
		   length_shown(k, s->rise), length_shown(k, f->height), length_shown(k, slab)));
}

/* Checks a rectangle as wide as the flight, from `at` along `way`. It is a little narrower, so that walls along the
 * flight do not count. */
static bool is_blocked(const struct critic *k, const struct plan_stair *s, struct point at, struct point way,
		       double width, double depth)
{
	double inset = fmin(0.2 * width, 0.15 * k->plan->metre), half = width / 2 - inset,
	       start = 0.02 * k->plan->metre;
	struct point side = {-way.y, way.x};
	double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;

	for (int i = 0; i < 4; i++) {
		double u = i % 2 ? depth : start, v = i / 2 ? half : -half;
		double x = at.x + way.x * u + side.x * v, y = at.y + way.y * u + side.y * v;

		left = fmin(left, x);
		right = fmax(right, x);
		top = fmin(top, y);
		bottom = fmax(bottom, y);
	}
	for (size_t i = 0; i < k->walls[s->floor].pieces.n; i++, budget_step()) {
		const struct wall_piece *w = &k->walls[s->floor].pieces.items[i];
		double wall = wall_thickness(k->plan, w->weight) / 2;
		double x1 = w->at.vertical ? w->at.line - wall : w->at.from,
		       x2 = w->at.vertical ? w->at.line + wall : w->at.to;
		double y1 = w->at.vertical ? w->at.from : w->at.line - wall,
		       y2 = w->at.vertical ? w->at.to : w->at.line + wall;

		if (x1 < right && x2 > left && y1 < bottom && y2 > top)
			return true;
	}
	return false;
}

static void judge_landing(struct critic *k, const struct plan_stair *s)
{
	double depth = k->limits->landing_depth * k->plan->metre;

	if (s->walk_points < 2 || s->shape == STAIR_SPIRAL)
		return;
	/* A stair that only arrives on this floor has its foot on the floor below. */
	bool foot = s->goes_up || !s->comes_from_below;

	for (int end = foot ? 0 : 1; end < 2; end++) {
		struct point at = s->walk[end ? s->walk_points - 1 : 0];
		struct point next = s->walk[end ? s->walk_points - 2 : 1];
		double length = point_distance(at, next);

		/* A stair that leaves this floor has its top on the next floor. */
		if (length <= 0 || (end && s->goes_up && !s->comes_from_below))
			continue;
		struct point way = {(at.x - next.x) / length, (at.y - next.y) / length};

		if (!is_blocked(k, s, at, way, s->width, depth))
			continue;
		struct finding *f = find(k, RULE_STAIR_LANDING, SEVERITY_WARNING, statement_from(k, s->statement),
					 s->floor, "stair %s has a wall within %s of its %s step",
					 name_shown(k, s->name), length_shown(k, depth), end ? "last" : "first");

		finding_at(f, at.x, at.y);
		finding_names(k, f, s->name, (struct text){0});
	}
}

void judge_stairs(struct critic *k)
{
	for (size_t i = 0; i < k->plan->stairs.n; i++) {
		const struct plan_stair *s = &k->plan->stairs.items[i];

		if (!s->placed)
			continue;
		judge_stride(k, s);
		judge_headroom(k, s);
		judge_rise(k, s);
		judge_landing(k, s);
	}
}
