#include "support/check.h"

#include "tool/kind.h"

#include <math.h>
#include <string.h>

static struct arena arena;
static struct reply reply;
static struct call call;
static struct buffer sent;

static void notify(void *to, const char *method, const struct json *params)
{
	buffer_format(to, "%s ", method);
	json_write(to, params);
	buffer_byte(to, '\n');
}

static void list_changed(void *to, const char *list) { buffer_format(to, "%s changed\n", list); }

static int begin(void **state)
{
	(void)state;
	arena = (struct arena){0};
	sent = (struct buffer){.arena = &arena};
	reply = (struct reply){.log_level = -1, .notify = notify, .announcer = {list_changed, &sent}, .to = &sent};
	call = (struct call){.arena = &arena, .reply = &reply};
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static const struct json *tree(const char *source)
{
	struct json_error e = {0};
	const struct json *v = json_parse(&arena, text_of(source), JSON_DEPTH_MAX, &e);

	if (!v)
		fail_msg("the test's own JSON is wrong: %s", e.message);
	return v;
}

static void blocks_keep_their_order_and_words(void **state)
{
	(void)state;
	char uri[] = "note:///a";
	reply_text(&call, (struct text){0});
	reply_image(&call, "image/png", TEXT("png"));
	reply_audio(&call, "audio/wav", TEXT("wav"));
	reply_resource(&call, uri, "text/plain", TEXT("a"));
	uri[0] = 'X';
	static const enum block_type types[] = {BLOCK_TEXT, BLOCK_IMAGE, BLOCK_AUDIO, BLOCK_RESOURCE};
	assert_int_equal(reply.blocks.n, ARRAY_COUNT(types));
	for (size_t i = 0; i < ARRAY_COUNT(types); i++)
		assert_int_equal(reply.blocks.items[i].type, types[i]);
	assert_text(reply.blocks.items[0].bytes, "");
	assert_string_equal(reply.blocks.items[3].uri, "note:///a");
}

static void progress_only_grows_and_only_where_wanted(void **state)
{
	(void)state;
	progress(&call, 1, 2, "nobody asked");
	assert_int_equal(sent.len, 0);
	reply.progress_token = tree("\"t\"");
	progress(&call, 0, 100, NULL);
	progress(&call, 0, 100, NULL);
	progress(&call, NAN, 100, NULL);
	progress(&call, 50, 100, "half");
	progress(&call, 20, 100, NULL);
	progress(&call, 50.5, 0, NULL);
	assert_text(
		buffer_text(&sent),
		"notifications/progress {\"progressToken\":\"t\",\"progress\":0,\"total\":100}\n"
		"notifications/progress {\"progressToken\":\"t\",\"progress\":50,\"total\":100,\"message\":\"half\"}\n"
		"notifications/progress {\"progressToken\":\"t\",\"progress\":50.5}\n");
}

static void logs_go_out_from_the_level_that_was_asked_for(void **state)
{
	(void)state;
	reply_log(&call, "error", TEXT("nobody asked"));
	reply.log_level = 3;
	reply_log(&call, "info", TEXT("too quiet"));
	reply_log(&call, "shout", TEXT("no such level"));
	reply_log(&call, "warning", TEXT("heard"));
	assert_text(buffer_text(&sent), "notifications/message {\"level\":\"warning\",\"data\":\"heard\"}\n");
}

static void a_call_without_a_reply_tells_nobody(void **state)
{
	(void)state;
	call.reply = NULL;
	const struct json *response;
	reply_text(&call, TEXT("x"));
	progress(&call, 1, 2, NULL);
	reply_log(&call, "error", TEXT("x"));
	reply_list_changed(&call, "tools");
	reply_keep_state(&call, TEXT("x"));
	assert_null(reply_state(&call).at);
	assert_int_equal(ask_client(&call, "k", "m", NULL, NULL, &response), UNABLE);
	assert_false(require_capability(&call, "sampling"));
}

static void lists_and_state_pass_through(void **state)
{
	(void)state;
	reply_list_changed(&call, "tools");
	assert_text(buffer_text(&sent), "tools changed\n");
	assert_null(reply_state(&call).at);
	reply.state = TEXT("before");
	assert_text(reply_state(&call), "before");
	reply_keep_state(&call, TEXT("after"));
	assert_text(reply.kept_state, "after");
}

struct confirmation {
	bool confirm;
	struct text reason;
};
static const struct field form[] = {
	FIELD(struct confirmation, confirm, FLAG, FIELD_REQUIRED, "Delete it for good"),
	FIELD(struct confirmation, reason, TEXT, 0, "Why", .limits = AT_MOST(10)),
	FIELDS_END,
};

static enum asked asked_with(const char *answers, const char *bindings, struct text bound_to, struct confirmation *into)
{
	reply.answers = answers ? tree(answers) : NULL;
	reply.bindings = bindings ? tree(bindings) : NULL;
	reply.questions.n = 0;
	return ask(&call, "confirm", "Delete the plan?", form, sizeof *into, into, bound_to);
}

static void a_question_waits_with_its_form(void **state)
{
	(void)state;
	struct confirmation into;
	reply.capabilities = tree("{\"elicitation\":{}}");
	assert_int_equal(asked_with(NULL, NULL, TEXT("rev1"), &into), WAITING);
	assert_int_equal(ask(&call, "confirm", "Delete the plan?", form, sizeof into, &into, TEXT("rev1")), WAITING);
	assert_int_equal(reply.questions.n, 1); /* the same key is one question */
	const struct question *q = &reply.questions.items[0];
	assert_string_equal(q->key, "confirm");
	assert_string_equal(q->method, "elicitation/create");
	assert_text(q->bound_to, "rev1");
	assert_text(json_source(&arena, q->params),
		    "{\"message\":\"Delete the "
		    "plan?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"confirm\":"
		    "{\"type\":\"boolean\",\"description\":\"Delete it for "
		    "good\"},\"reason\":{\"type\":\"string\",\"maxLength\":10,"
		    "\"description\":\"Why\"}},\"required\":[\"confirm\"]}}");
}

static void only_an_accepted_and_well_formed_answer_counts(void **state)
{
	(void)state;
	static const struct {
		const char *response;
		enum asked outcome;
	} cases[] = {
		{"{\"action\":\"accept\",\"content\":{\"confirm\":true}}", ANSWERED},
		{"{\"action\":\"accept\",\"content\":{\"confirm\":false,\"reason\":\"no\"}}", ANSWERED},
		{"{\"action\":\"decline\"}", DECLINED},
		{"{\"action\":\"cancel\",\"content\":{\"confirm\":true}}", DECLINED},
		{"{\"action\":\"accept\"}", WAITING},
		{"{\"action\":\"accept\",\"content\":{}}", WAITING},
		{"{\"action\":\"accept\",\"content\":{\"confirm\":\"true\"}}", WAITING},
		{"{\"action\":\"accept\",\"content\":{\"confirm\":true,\"reason\":\"far too long to be one\"}}",
		 WAITING},
		{"{\"action\":\"perhaps\",\"content\":{\"confirm\":true}}", WAITING},
		{"{\"content\":{\"confirm\":true}}", WAITING},
		{"{\"action\":7}", WAITING},
		{"12345", WAITING},
		{"null", WAITING},
		{"[]", WAITING},
	};
	reply.capabilities = tree("{\"elicitation\":{\"form\":{}}}");
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct confirmation into = {0};
		const char *answers = text_format(&arena, "{\"other\":1,\"confirm\":%s}", cases[i].response).at;
		if (asked_with(answers, NULL, (struct text){0}, &into) != cases[i].outcome)
			fail_msg("%s", cases[i].response);
		assert_int_equal(reply.questions.n, cases[i].outcome == WAITING);
		assert_int_equal(call.error.fault, FAULT_NONE);
		assert_int_equal(call.warnings.n, 0);
		if (!i)
			assert_true(into.confirm);
	}
}

static void an_answer_to_another_state_of_things_is_asked_again(void **state)
{
	(void)state;
	static const char yes[] = "{\"confirm\":{\"action\":\"accept\",\"content\":{\"confirm\":true}}}";
	struct confirmation into;
	reply.capabilities = tree("{\"elicitation\":{}}");
	assert_int_equal(asked_with(yes, "{\"confirm\":\"rev1\"}", TEXT("rev1"), &into), ANSWERED);
	assert_int_equal(asked_with(yes, "{\"confirm\":\"rev1\"}", TEXT("rev2"), &into), WAITING);
	assert_int_equal(asked_with(yes, NULL, TEXT("rev2"), &into), WAITING);
	assert_int_equal(asked_with("{\"confirm\":{\"action\":\"decline\"}}", NULL, TEXT("rev2"), &into), WAITING);
}

static void a_client_without_forms_cannot_be_asked(void **state)
{
	(void)state;
	static const char *const unable[] = {"{}", "{\"elicitation\":{\"url\":{}}}", "{\"elicitation\":true}",
					     "{\"elicitation\":null}", NULL};
	struct confirmation into;
	assert_int_equal(asked_with(NULL, NULL, TEXT("r"), &into), UNABLE);
	for (size_t i = 0; unable[i]; i++) {
		reply.capabilities = tree(unable[i]);
		assert_int_equal(asked_with(NULL, NULL, TEXT("r"), &into), UNABLE);
		assert_int_equal(reply.questions.n, 0);
	}
	reply.capabilities = tree("{\"elicitation\":{\"url\":{},\"form\":{}}}");
	assert_int_equal(asked_with(NULL, NULL, TEXT("r"), &into), WAITING);
}

static void any_request_can_be_put_to_a_client_that_offers_it(void **state)
{
	(void)state;
	const struct json *response = NULL;
	reply.capabilities = tree("{\"roots\":{}}");
	assert_int_equal(ask_client(&call, "s", "sampling/createMessage", "sampling", NULL, &response), UNABLE);
	assert_int_equal(ask_client(&call, "r", "roots/list", "roots", NULL, &response), WAITING);
	assert_int_equal(ask_client(&call, "q", "roots/list", "roots", NULL, &response), WAITING);
	assert_int_equal(reply.questions.n, 2);
	reply.answers = tree("{\"r\":{\"roots\":[]},\"q\":3}");
	assert_int_equal(ask_client(&call, "r", "roots/list", "roots", NULL, &response), ANSWERED);
	assert_text(json_source(&arena, response), "{\"roots\":[]}");
	assert_int_equal(ask_client(&call, "q", "roots/list", "roots", NULL, &response), WAITING);
}

static void a_capability_that_is_needed_is_named(void **state)
{
	(void)state;
	reply.capabilities = tree("{\"roots\":{}}");
	assert_true(require_capability(&call, "roots"));
	assert_null(reply.missing_capability);
	assert_false(require_capability(&call, "sampling"));
	assert_string_equal(reply.missing_capability, "sampling");
	assert_int_equal(call.error.fault, FAULT_DENIED);
}

static void a_kind_names_faults_in_its_own_words(void **state)
{
	(void)state;
	static const char *const words[FAULTS] = {[FAULT_NOT_FOUND] = "FILE_NOT_FOUND"};
	static const struct kind kind = {.name = "k", .faults = words};
	assert_string_equal(kind_code(&kind, &(struct error){.fault = FAULT_NOT_FOUND}), "FILE_NOT_FOUND");
	assert_string_equal(kind_code(&kind, &(struct error){.fault = FAULT_LOCKED}), "LOCKED");
	assert_string_equal(kind_code(&kind, &(struct error){.fault = FAULT_OWN, .code = "BAD_WALL"}), "BAD_WALL");
	assert_string_equal(kind_code(NULL, &(struct error){.fault = FAULT_NOT_FOUND}), "NOT_FOUND");
	struct buffer to = {.arena = &arena};
	kind_error(&(struct json_out){.to = &to}, &kind,
		   &(struct error){.fault = FAULT_NOT_FOUND, .message = "no \"x\"", .where = "/path"});
	assert_text(buffer_text(&to),
		    "{\"error\":{\"code\":\"FILE_NOT_FOUND\",\"message\":\"no \\\"x\\\"\",\"where\":\"/path\"}}");
}

static void every_fault_has_a_status_a_name_and_a_meaning(void **state)
{
	(void)state;
	static const int allowed[] = {400, 401, 403, 404, 409, 413, 422, 429, 500};
	for (int f = FAULT_NONE + 1; f < FAULTS; f++) {
		bool is_allowed = false;
		for (size_t i = 0; i < ARRAY_COUNT(allowed); i++)
			is_allowed |= fault_status((enum fault)f) == allowed[i];
		assert_true(is_allowed);
		assert_non_null(fault_name((enum fault)f));
		assert_non_null(fault_prose((enum fault)f));
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(blocks_keep_their_order_and_words),
		TEST(progress_only_grows_and_only_where_wanted),
		TEST(logs_go_out_from_the_level_that_was_asked_for),
		TEST(a_call_without_a_reply_tells_nobody),
		TEST(lists_and_state_pass_through),
		TEST(a_question_waits_with_its_form),
		TEST(only_an_accepted_and_well_formed_answer_counts),
		TEST(an_answer_to_another_state_of_things_is_asked_again),
		TEST(a_client_without_forms_cannot_be_asked),
		TEST(any_request_can_be_put_to_a_client_that_offers_it),
		TEST(a_capability_that_is_needed_is_named),
		TEST(a_kind_names_faults_in_its_own_words),
		TEST(every_fault_has_a_status_a_name_and_a_meaning),
	};
	return RUN_TESTS(tests);
}
