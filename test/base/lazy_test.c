#include "support/check.h"

#include "base/lazy.h"

#include <math.h>
#include <string.h>

static void a_library_is_loaded_and_called(void **state)
{
	static struct {
		double (*cbrt)(double);
		double (*hypot)(double, double);
	} maths;
	static const char *const names[] = {"cbrt", "hypot", NULL};
	struct lazy library = LAZY("libm.so.6", "libc6", names, &maths);
	(void)state;

	assert_true(lazy_load(&library));
	assert_true(fabs(maths.cbrt(27) - 3) < 1e-9);
	assert_true(maths.hypot(3, 4) == 5);
	assert_true(lazy_load(&library));
}

static void a_missing_library_names_its_package(void **state)
{
	static const char *const names[] = {"anything", NULL};
	static void *slots[1];
	struct lazy library = LAZY("libquire-absent.so.9", "libquire-absent9", names, slots);
	(void)state;

	assert_false(lazy_load(&library));
	assert_non_null(strstr(library.error, "libquire-absent.so.9"));
	assert_non_null(strstr(library.error, "install the Debian package libquire-absent9"));
	assert_false(lazy_load(&library));
}

static void a_missing_function_is_named(void **state)
{
	static const char *const names[] = {"cbrt", "quire_absent", NULL};
	static void *slots[2];
	struct lazy library = LAZY("libm.so.6", "libc6", names, slots);
	(void)state;

	assert_false(lazy_load(&library));
	assert_non_null(strstr(library.error, "quire_absent"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_library_is_loaded_and_called),
		cmocka_unit_test(a_missing_library_names_its_package),
		cmocka_unit_test(a_missing_function_is_named),
	};
	return RUN_TESTS(tests);
}
