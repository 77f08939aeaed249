#include "support/check.h"

#include "base/budget.h"
#include "base/own.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY = 40 };

/* What a call takes in the tests below, and in which order it is released. */
struct taking {
	struct arena *arena;
	bool ends;
	int n, first_fd, kept;
	int released[MANY];
	size_t n_released;
};

struct thing {
	struct taking *of;
	int number;
};

static size_t open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void note_released(void *of)
{
	struct thing *t = of;

	t->of->released[t->of->n_released++] = t->number;
}

static struct thing *take_thing(struct taking *t, int number)
{
	struct thing *made = arena_new(t->arena, struct thing);

	*made = (struct thing){t, number};
	own_object(note_released, made);
	return made;
}

static void end_if_wanted(struct taking *t)
{
	if (t->ends)
		arena_array(t->arena, SIZE_MAX / 4, 8);
}

static void take_descriptors(void *of)
{
	struct taking *t = of;

	for (int i = 0; i < t->n; i++) {
		int fd = open_at(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY, 0), copy = fd_copy(fd);
		DIR *dir = folder_open(&fd);
		assert_int_equal(fd, -1);
		assert_non_null(dir);
		if (i % 3 == 0)
			folder_close(&dir);
		if (i % 4 == 0)
			fd_drop(&copy);
	}
	end_if_wanted(t);
}

static void take_things(void *of)
{
	struct taking *t = of;
	struct thing *third = NULL;

	for (int i = 0; i < MANY; i++) {
		struct thing *made = take_thing(t, i);
		third = i == 3 ? made : third;
	}
	own_not(third);
	end_if_wanted(t);
}

static void keep_one(void *of)
{
	struct taking *t = of;

	t->kept = open_at(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY, 0);
	own_keep(LASTING_WATCH, t->kept);
	end_if_wanted(t);
}

static void run(void (*body)(void *), struct taking *t)
{
	struct arena arena = {0};
	struct budget b = {.most = 32 << 20};

	t->arena = &arena;
	enum budget_end why = budget_run(&b, &arena, body, t);
	assert_int_equal(why != BUDGET_KEPT, t->ends);
	if (why != BUDGET_KEPT)
		budget_clear(&b);
	arena_free(&arena);
}

static void descriptors_and_folders_are_closed_however_a_call_ends(void **state)
{
	struct rlimit limit;
	size_t before = open_descriptors();

	(void)state;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max < 8192 ? limit.rlim_max : 8192;
	setrlimit(RLIMIT_NOFILE, &limit);
	for (int ends = 0; ends < 2; ends++)
		for (int n = 1; n <= 1500; n *= 5) {
			run(take_descriptors, &(struct taking){.ends = ends, .n = n});
			assert_int_equal(open_descriptors(), before);
		}
}

static void objects_are_released_newest_first(void **state)
{
	(void)state;
	for (int ends = 0; ends < 2; ends++) {
		struct taking t = {.ends = ends};
		run(take_things, &t);
		assert_int_equal(t.n_released, MANY - 1);
		for (size_t i = 0; i < t.n_released; i++)
			assert_int_equal(t.released[i], MANY - 1 - (int)i - (i >= MANY - 4));
	}
}

static void what_is_handed_over_stays_and_is_counted(void **state)
{
	struct stat st;

	(void)state;
	for (int ends = 0; ends < 2; ends++) {
		struct taking t = {.ends = ends};
		long before = own_kept(LASTING_WATCH);
		run(keep_one, &t);
		assert_int_equal(fstat(t.kept, &st), 0);
		assert_int_equal(own_kept(LASTING_WATCH), before + 1);
		fd_drop(&t.kept);
		own_gone(LASTING_WATCH);
		assert_int_equal(own_kept(LASTING_WATCH), before);
	}
}

static void without_a_call_nothing_is_registered(void **state)
{
	struct taking t = {0};
	struct arena arena = {0};
	size_t before = open_descriptors();
	int fd = open_at(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY, 0);

	(void)state;
	t.arena = &arena;
	take_thing(&t, 1);
	run(take_descriptors, &(struct taking){.n = 1});
	assert_int_equal(open_descriptors(), before + 1);
	assert_int_equal(t.n_released, 0);
	fd_drop(&fd);
	assert_int_equal(fd, -1);
	fd_drop(&fd);
	assert_int_equal(open_descriptors(), before);
	arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_and_folders_are_closed_however_a_call_ends),
		cmocka_unit_test(objects_are_released_newest_first),
		cmocka_unit_test(what_is_handed_over_stays_and_is_counted),
		cmocka_unit_test(without_a_call_nothing_is_registered),
	};
	return RUN_TESTS(tests);
}
