/* outline_test.c: loops of axis-parallel edges around the area that boxes cover, for all kinds of boxes. */
#include "support/check.h"

#include "kinds/floorplan/plan/cover.h"
#include "kinds/floorplan/plan/outline.h"

#include <math.h>

static struct arena arena;

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static double loop_area(const struct outline_loop *l)
{
	double area = 0;

	for (size_t i = 0; i < l->n; i++) {
		struct point a = l->points[i], b = l->points[(i + 1) % l->n];

		area += a.x * b.y - b.x * a.y;
	}
	return area / 2;
}

/* Every edge is level or upright, and the next one turns. */
static void loop_is_sound(const struct outline_loop *l)
{
	assert_true(l->n >= 4 && l->n % 2 == 0);
	for (size_t i = 0; i < l->n; i++) {
		struct point a = l->points[i], b = l->points[(i + 1) % l->n], c = l->points[(i + 2) % l->n];

		assert_true((a.x == b.x) != (a.y == b.y));
		assert_true((a.x == b.x) != (b.x == c.x));
	}
}

static void check_outline(const struct box *boxes, size_t n, size_t loops)
{
	struct outline out;
	double area = 0;

	boxes_outline(&arena, boxes, n, 1e-9, &out);
	for (size_t i = 0; i < out.n; i++) {
		loop_is_sound(&out.items[i]);
		area += loop_area(&out.items[i]);
	}
	assert_true(fabs(fabs(area) - boxes_cover(&arena, boxes, n)) < 1e-6);
	if (loops)
		assert_int_equal(out.n, loops);
}

static void walls_that_meet_have_one_outline(void **state)
{
	static const struct box corner[] = {{0, 0, 5, 1}, {0, 0, 1, 5}}, tee[] = {{0, 0, 5, 1}, {2, 0, 1, 4}},
				ring[] = {{0, 0, 5, 1}, {0, 4, 5, 1}, {0, 0, 1, 5}, {4, 0, 1, 5}},
				apart[] = {{0, 0, 1, 1}, {3, 0, 1, 1}}, twice[] = {{0, 0, 2, 1}, {0, 0, 2, 1}},
				in_line[] = {{0, 0, 2, 1}, {2, 0, 2, 1}}, tips[] = {{0, 0, 1, 1}, {1, 1, 1, 1}};
	struct outline out;

	(void)state;
	check_outline(corner, 2, 1);
	check_outline(tee, 2, 1);
	check_outline(ring, 4, 2);
	check_outline(apart, 2, 2);
	check_outline(twice, 2, 1);
	check_outline(in_line, 2, 1);
	/* Boxes that touch only at a corner have two loops. */
	check_outline(tips, 2, 2);
	check_outline(NULL, 0, 0);
	boxes_outline(&arena, in_line, 2, 1e-9, &out);
	assert_int_equal(out.items[0].n, 4);
}

/* 0.1 + 0.2 is not 0.3. This must not cause a narrow gap. */
static void coordinates_that_nearly_agree_are_one(void **state)
{
	static const struct box boxes[] = {{0, 0, 0.1 + 0.2, 1}, {0.3, 0, 1, 1}, {0, 1 - 1e-12, 1.3, 1}};
	struct outline out;

	(void)state;
	boxes_outline(&arena, boxes, 3, 1e-6, &out);
	assert_int_equal(out.n, 1);
	assert_int_equal(out.items[0].n, 4);
}

static void any_boxes_are_outlined(void **state)
{
	uint32_t dice = 7;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct box boxes[24];
		size_t n = 1 + (size_t)round % 24;

		for (size_t i = 0; i < n; i++) {
			double d[4];

			for (int k = 0; k < 4; k++) {
				dice = dice * 1664525 + 1013904223;
				d[k] = (double)(dice >> 29);
			}
			boxes[i] = (struct box){d[0], d[1], 1 + d[2] / 2, 1 + d[3] / 2};
		}
		check_outline(boxes, n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walls_that_meet_have_one_outline),
		cmocka_unit_test(coordinates_that_nearly_agree_are_one),
		cmocka_unit_test(any_boxes_are_outlined),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, end);
}
