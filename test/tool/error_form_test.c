#include "support/check.h"

#include "base/arena.h"
#include "format/json.h"
#include "tool/kind.h"

#include <string.h>

static struct text written(struct arena *a, const struct kind *k, const struct error *e)
{
	struct buffer b = {.arena = a};

	kind_error(&(struct json_out){.to = &b}, k, e);
	return buffer_text(&b);
}

static void every_kind_tells_code_message_hint_and_argument_once(void **state)
{
	struct arena a = {0};
	const struct error e = {
		.fault = FAULT_ARGUMENT, .message = "a is; b", .hint = "give c", .where = "/d", .retry_after = 7};
	(void)state;

	for (const struct kind *const *k = kinds; *k; k++) {
		const char *json = text_string(&a, written(&a, *k, &e));
		const char *hint = strstr(json, "give c");
		if (!hint || strstr(hint + 1, "give c") || !strstr(json, "a is; b") || !strstr(json, kind_code(*k, &e)))
			fail_msg("%s: %s", (*k)->name, json);
		if ((*k)->error->argument && !strstr(json, "\"/d\""))
			fail_msg("%s: %s", (*k)->name, json);
	}
	arena_free(&a);
}

static void each_form_has_its_own_shape(void **state)
{
	static const char *const hints[FAULTS] = {[FAULT_TIMEOUT] = "ask for less"};
	static const struct {
		struct error_form form;
		const char *want;
	} rows[] = {
		{{.inside = "error"},
		 "{\"error\":{\"code\":\"TIMEOUT\",\"message\":\"slow; wait\",\"retry_after\":2}}"},
		{{.flag = "error",
		  .flag_is = true,
		  .hint = HINT_IN_DETAILS,
		  .details = DETAILS_ALWAYS,
		  .argument = "at"},
		 "{\"error\":true,\"code\":\"TIMEOUT\",\"message\":\"slow\",\"details\":{\"n\":1,\"hint\":\"wait\","
		 "\"at\":\"/x\",\"retry_after\":2}}"},
		{{.flag = "ok", .inside = "error", .hint = HINT_BESIDE, .details = DETAILS_BESIDE, .hints = hints},
		 "{\"ok\":false,\"error\":{\"code\":\"TIMEOUT\",\"message\":\"slow\",\"hint\":\"wait\","
		 "\"details\":{\"n\":1},\"retry_after\":2}}"},
		{{.inside = "errors", .is_list = true, .code = "type", .has_place = true, .details = DETAILS_OUTER},
		 "{\"errors\":[{\"type\":\"TIMEOUT\",\"message\":\"slow; wait\",\"line\":3,\"column\":4,"
		 "\"retry_after\":2}],\"n\":1}"},
		{{.inside = "n", .is_list = true, .details = DETAILS_OUTER}, "{\"n\":1}"},
	};
	struct arena a = {0};
	struct json *details = json_new_object(&a);
	(void)state;

	json_set_int(&a, details, "n", 1);
	const struct error e = {.fault = FAULT_TIMEOUT,
				.message = "slow",
				.hint = "wait",
				.where = "/x",
				.line = 3,
				.column = 4,
				.details = details,
				.retry_after = 2};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct kind k = {.error = &rows[i].form};
		assert_text(written(&a, &k, &e), rows[i].want);
	}
	const struct kind apart = {.error = &rows[2].form};
	assert_text(written(&a, &apart, &(struct error){.fault = FAULT_TIMEOUT, .message = "slow"}),
		    "{\"ok\":false,\"error\":{\"code\":\"TIMEOUT\",\"message\":\"slow\",\"hint\":\"ask for less\"}}");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_tells_code_message_hint_and_argument_once),
		cmocka_unit_test(each_form_has_its_own_shape),
	};

	return RUN_TESTS(tests);
}
