/* draw_fixture.h: plans and sheets for the tests of the drawing.
 *
 * One lettering serves a whole test program. */
#ifndef QUIRE_TEST_DRAW_FIXTURE_H
#define QUIRE_TEST_DRAW_FIXTURE_H
#include "support/check.h"

#include "kinds/floorplan/draw/sheet.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct desk {
	struct arena arena;
	struct call call;
	const struct plan *plan;
	struct sheet sheet;
	struct draw_options options;
};

/* Memory that pango, glib and fontconfig allocate once and keep. It does not grow with drawings. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libglib-2.0\nleak:libgobject-2.0\nleak:libpango\nleak:libfontconfig\n";
}

static struct lettering *desk_lettering;

static inline int desk_open(void **state)
{
	(void)state;
	desk_lettering = lettering_new();
	return 0;
}

static inline int desk_close(void **state)
{
	(void)state;
	lettering_free(desk_lettering);
	return 0;
}

#define RUN_DESK_TESTS(tests)                                                                                          \
	(cmocka_set_message_output(CM_OUTPUT_TAP), cmocka_run_group_tests(tests, desk_open, desk_close))

static inline struct desk *desk_new(const char *source)
{
	struct desk *d = calloc(1, sizeof *d);

	d->call.arena = &d->arena;
	d->options = DRAW_DEFAULTS;
	d->options.lettering = desk_lettering;
	d->plan = plan_read(&d->arena, text_copy(&d->arena, text_of(source)));
	for (size_t i = 0; i < d->plan->problems.n; i++)
		if (d->plan->problems.items[i].is_error)
			fail_msg("line %u: %s", d->plan->problems.items[i].line, d->plan->problems.items[i].message);
	return d;
}

static inline void desk_free(struct desk *d)
{
	sheet_free(&d->sheet);
	arena_free(&d->arena);
	free(d);
}

static inline void desk_compose(struct desk *d)
{
	if (!sheet_compose(&d->call, d->plan, &d->options, &d->sheet))
		fail_msg("%s", d->call.error.message);
}

static inline struct desk *desk_with(const char *source)
{
	struct desk *d = desk_new(source);

	desk_compose(d);
	return d;
}

static inline bool is_valid(const char *source)
{
	struct arena arena = {0};
	bool valid = plan_is_valid(plan_read(&arena, text_of(source)));

	arena_free(&arena);
	return valid;
}

/* Calls `with` for every valid plan of data_folder(). */
static inline void each_data_plan(void with(const char *name, const char *source))
{
	char folder[512], path[1024];
	struct dirent **names;
	int n, plans = 0;

	snprintf(folder, sizeof folder, "%s/floorplan/plans", data_folder());
	n = scandir(folder, &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		static char bytes[1 << 18];
		FILE *f;

		snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
		if (strstr(names[i]->d_name, ".floorplan") && (f = fopen(path, "rb"))) {
			bytes[fread(bytes, 1, sizeof bytes - 1, f)] = '\0';
			fclose(f);
			if (is_valid(bytes)) {
				with(names[i]->d_name, bytes);
				plans++;
			}
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	assert_true(plans > 3);
}

#endif
