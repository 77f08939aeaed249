/* floorplan_bench: compares the cost of reading and drawing plans with the least possible cost.
 *
 * Prints `name value unit`, and the limit of each ratio. It uses CPU time, the best of several runs, so that a busy
 * machine matters little. A ratio beyond its limit is marked OVER. */
#include "kinds/floorplan/cad/dxf.h"
#include "kinds/floorplan/critic/critic.h"
#include "kinds/floorplan/draw/sheet.h"
#include "kinds/floorplan/language/syntax.h"
#include "kinds/floorplan/model/glb.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 9, ROOMS_A_ROW = 25 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* A building of rooms in rows, with doors and windows and labels. */
static struct text building(struct arena *a, int rooms)
{
	static const char *const names[] = {"Office",  "Bath", "Bedroom", "Hall",
					    "Storage", "Lab",  "Meeting", "Kitchen"};
	struct buffer b = {.arena = a};

	buffer_put(&b, "floorplan\n  config { default_unit: m, area_unit: sqm }\n  floor Main {\n");
	for (int i = 0; i < rooms; i++)
		buffer_format(
			&b,
			"    room %s%d at (%d,%d) size (4 x 3) walls [top: %s, right: solid, bottom: solid, left: %s] "
			"label \"%s %d\"\n",
			names[i % 8], i, i % ROOMS_A_ROW * 4, i / ROOMS_A_ROW * 3, i < ROOMS_A_ROW ? "window" : "solid",
			i % ROOMS_A_ROW ? "solid" : "window", names[i % 8], i);
	buffer_put(&b, "  }\n");
	for (int i = 1; i < rooms; i++)
		if (i % ROOMS_A_ROW)
			buffer_format(&b, "  connect %s%d.right to %s%d.left door at 50%%\n", names[(i - 1) % 8], i - 1,
				      names[i % 8], i);
	return buffer_text(&b);
}

struct costs {
	double lex, read, render, replay, critique, dxf, glb; /* ms */
};

static void draw_or_die(struct call *c, const struct plan *p, struct lettering *l, double *compose_and_paint,
			double *paint)
{
	struct draw_options o = DRAW_DEFAULTS;
	struct sheet s;
	struct drawing drawing;
	double start = now(), composed;

	o.show_area = true;
	o.show_dimensions = 1;
	o.lettering = l;
	if (!sheet_compose(c, p, &o, &s)) {
		fprintf(stderr, "%s\n", c->error.message);
		exit(2);
	}
	composed = now();
	sheet_paint(&s, &drawing);
	*paint = fmin(*paint, now() - composed);
	*compose_and_paint = fmin(*compose_and_paint, now() - start);
	sheet_free(&s);
}

static void data_or_die(struct call *c, const struct plan *p, struct costs *best)
{
	struct draw_options o = DRAW_DEFAULTS;
	struct critic_limits limits;
	struct findings findings;
	struct drawing drawing;
	double start = now();

	critic_limits_default(&limits);
	critic_read(c->arena, p, &limits, &findings);
	best->critique = fmin(best->critique, now() - start);
	o.all_floors = true;
	start = now();
	if (!dxf_write(c, p, &o, &drawing))
		exit(2);
	best->dxf = fmin(best->dxf, now() - start);
	start = now();
	if (!glb_write(c, p, &o, &drawing))
		exit(2);
	best->glb = fmin(best->glb, now() - start);
}

static struct costs costs_of(int rooms, struct lettering *l)
{
	struct arena kept = {0};
	struct text source = building(&kept, rooms);
	struct costs best = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};

	for (int i = 0; i < RUNS; i++) {
		struct arena arena = {0};
		struct call call = {.arena = &arena};
		struct tokens tokens = {0};
		const struct plan *plan;
		double start = now();

		lex(&arena, source, 0, &tokens);
		best.lex = fmin(best.lex, now() - start);
		start = now();
		plan = plan_read(&arena, source);
		best.read = fmin(best.read, now() - start);
		draw_or_die(&call, plan, l, &best.render, &best.replay);
		data_or_die(&call, plan, &best);
		arena_free(&arena);
	}
	arena_free(&kept);
	return best;
}

static void within(const char *name, double ratio, double limit)
{
	printf("%-38s %8.2f x   limit %.2f  %s\n", name, ratio, limit, ratio <= limit ? "ok" : "OVER");
}

int main(void)
{
	/* As in the program: memory that a call frees is used by the next one. */
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);

	struct lettering *l = lettering_new();
	struct arena arena = {0};
	struct call call = {.arena = &arena};
	double first = INFINITY, warm = INFINITY, unused = INFINITY;
	const struct plan *small = plan_read(&arena, building(&arena, 8));
	struct costs hundred, five, thousand;

	/* The very first drawing of the process loads the libraries and the fonts. */
	draw_or_die(&call, small, l, &first, &unused);
	for (int i = 0; i < RUNS; i++)
		draw_or_die(&call, small, l, &warm, &unused);
	hundred = costs_of(100, l);
	five = costs_of(500, l);
	thousand = costs_of(1000, l);

	printf("%-38s %8.3f ms\n", "floorplan.lex.500_rooms", five.lex);
	printf("%-38s %8.3f ms\n", "floorplan.validate.500_rooms", five.read);
	printf("%-38s %8.2f ms\n", "floorplan.render.100_rooms", hundred.render);
	printf("%-38s %8.2f ms\n", "floorplan.render.500_rooms", five.render);
	printf("%-38s %8.2f ms\n", "floorplan.replay_and_encode.500_rooms", five.replay);
	printf("%-38s %8.2f ms\n", "floorplan.render.1000_rooms", thousand.render);
	printf("%-38s %8.2f ms\n", "floorplan.render.first", first);
	printf("%-38s %8.2f ms\n", "floorplan.render.warm", warm);

	within("validate / lex, 500 rooms", five.read / five.lex, 3);
	within("render / replay and encode, 500 rooms", five.render / five.replay, 1.5);
	/* Ten times the rooms may cost ten times log 1000 / log 100 as much. */
	within("validate, 1000 / 100 rooms", thousand.read / hundred.read, 15);
	within("render, 1000 / 100 rooms", thousand.render / hundred.render, 15);
	within("compose, 1000 / 100 rooms", (thousand.render - thousand.replay) / (hundred.render - hundred.replay),
	       15);
	printf("%-38s %8.3f ms\n", "floorplan.critique.500_rooms", five.critique);
	printf("%-38s %8.3f ms\n", "floorplan.dxf.500_rooms", five.dxf);
	printf("%-38s %8.3f ms\n", "floorplan.glb.500_rooms", five.glb);
	within("validate and critique / validate, 500", (five.read + five.critique) / five.read, 3);
	within("dxf / compose, 500 rooms", five.dxf / (five.render - five.replay), 2);
	within("glb / compose, 500 rooms", five.glb / (five.render - five.replay), 2);
	within("critique, 1000 / 100 rooms", thousand.critique / hundred.critique, 15);
	within("dxf, 1000 / 100 rooms", thousand.dxf / hundred.dxf, 15);
	within("glb, 1000 / 100 rooms", thousand.glb / hundred.glb, 15);
	printf("%-38s %8.2f ms  limit 60  %s\n", "first render above a warm one", first - warm,
	       first - warm <= 60 ? "ok" : "OVER");
	lettering_free(l);
	arena_free(&arena);
	return 0;
}
