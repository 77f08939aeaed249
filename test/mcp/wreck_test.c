#include "support/check.h"

#include "mcp/wreck.h"

#include <string.h>

static struct arena arena;

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

/* Finds the same in the whole message and byte by byte. */
static void finds(const char *message, const char *want)
{
	struct wreck whole = {0}, bytes = {0};

	wreck_feed(&whole, text_of(message));
	for (const char *c = message; *c; c++)
		wreck_feed(&bytes, (struct text){c, 1});
	assert_text(wreck_id(&whole, &arena), want);
	assert_text(wreck_id(&bytes, &arena), want);
}

static void the_id_of_a_broken_request_is_found_wherever_it_stands(void **state)
{
	(void)state;
	finds("{\"id\":7,\"method\":\"m\",\"params\":{\"a\":\"\\ud800\"}}", "7");
	finds("{\"method\":\"m\",\"params\":{\"a\":1,\"a\":2},\"id\":\"x y\"}", "\"x y\"");
	finds("{\"method\":\"m\",\"params\":[[[[{\"id\":9}]]]] ,\"id\" : -12 }", "-12");
	finds("{\"id\":1,\"method\":\"m\",\"params\":{", "1");
	finds("{\"id\":\"a\\\"b\",\"method\":\"m\" x", "\"a\\\"b\"");
	finds("{\"method\":\"m\",\"id\":3", NULL); /* it may continue, such as 30 */
}

static void nothing_else_is_taken_for_one(void **state)
{
	(void)state;
	finds("", NULL);
	finds("[{\"id\":1,\"method\":\"m\"}", NULL);
	finds("{\"id\":1,\"result\":{}", NULL); /* a response: the id is one of ours */
	finds("{\"params\":{\"id\":1},\"method\":\"m\"}}", NULL);
	finds("{\"id\":1,\"id\":2,\"method\":\"m\"}", NULL);
	finds("{\"id\":1,\"id\":1,\"method\":\"m\"}", "1");
	finds("{\"id\":1.5,\"method\":\"m\"}}", NULL);
	finds("{\"id\":null,\"method\":\"m\"}}", NULL);
	finds("{\"id\":{\"id\":1},\"method\":\"m\"}}", NULL);
	finds("{\"id\":\"\\ud800\",\"method\":\"m\"}", NULL);
	finds("{\"id\":\"\xff\",\"method\":\"m\"}", NULL);
	finds("{\"x\":\"id\",\"method\":\"m\",1}", NULL);
	finds("}}}]]{\"id\":1,\"method\":\"m\"}", "1");
	char long_id[WRECK_ID_MAX + 100] = "{\"method\":\"m\",\"id\":\"";
	memset(long_id + strlen(long_id), 'x', WRECK_ID_MAX);
	strcat(long_id, "\"}}");
	finds(long_id, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_id_of_a_broken_request_is_found_wherever_it_stands, end),
		cmocka_unit_test_teardown(nothing_else_is_taken_for_one, end),
	};
	return RUN_TESTS(tests);
}
