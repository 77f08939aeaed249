#include "mcp/http/head.h"
#include "mcp/http/sse.h"
#include "support/check.h"

#include <stdbool.h>
#include <string.h>

static bool accepts(const char *accept, const char *type) { return media_accepted(text_of(accept), type); }

static void a_type_is_accepted_by_itself_its_family_or_anything(void **state)
{
	(void)state;
	assert_true(accepts("application/json", "application/json"));
	assert_true(accepts("text/html, Application/JSON;charset=utf-8", "application/json"));
	assert_true(accepts("text/html ,\ttext/event-stream ; q=0.5", "text/event-stream"));
	assert_true(accepts("text/*", "text/event-stream"));
	assert_true(accepts("*/*", "application/json"));
	assert_false(accepts("text/*", "application/json"));
	assert_false(accepts("text/event-streams", "text/event-stream"));
	assert_false(accepts("text", "text/event-stream"));
	assert_false(accepts("", "application/json"));
	assert_false(accepts(",;,q=1", "application/json"));
}

static void the_closest_range_decides_and_zero_excludes(void **state)
{
	(void)state;
	assert_false(accepts("application/json;q=0", "application/json"));
	assert_false(accepts("*/*, application/json; q=0.000", "application/json"));
	assert_true(accepts("*/*;q=0, application/json;q=0.001", "application/json"));
	assert_true(accepts("*/*, text/*;q=0", "application/json"));
	assert_false(accepts("*/*, text/*;q=0", "text/event-stream"));
	assert_true(accepts("text/event-stream;v=q=0", "text/event-stream"));
}

static void an_essence_is_compared_without_parameters_and_case(void **state)
{
	(void)state;
	assert_true(media_is(TEXT("Application/Json ; charset=utf-8"), "application/json"));
	assert_true(media_is(TEXT("application/json"), "application/json"));
	assert_false(media_is(TEXT("application/jsonx"), "application/json"));
	assert_false(media_is(TEXT("text/plain; application/json"), "application/json"));
	assert_false(media_is((struct text){0}, "application/json"));
}

static void headers_are_found_in_any_case_and_accept_may_come_in_parts(void **state)
{
	struct header lines[] = {{TEXT("HOST"), TEXT("localhost")},
				 {TEXT("Accept"), TEXT("text/html")},
				 {TEXT("accept"), TEXT("application/json")}};
	struct head h = {.version = TEXT("HTTP/1.1"), .headers = lines, .n = 3};

	(void)state;
	assert_text(head_find(&h, "host"), "localhost");
	assert_null(head_find(&h, "hos").at);
	assert_true(head_accepts(&h, "application/json"));
	assert_false(head_accepts(&h, "text/event-stream"));
	h.n = 1;
	assert_true(head_accepts(&h, "text/event-stream"));
	assert_null(head_fault(&h));
}

static void a_length_is_plain_digits(void **state)
{
	static const struct {
		const char *value;
		bool is_good;
	} cases[] = {{"0", true},
		     {"123456789012345678", true},
		     {"1234567890123456789", false},
		     {"", false},
		     {"+1", false},
		     {"1 2", false},
		     {"1,1", false},
		     {"0x1", false}};
	struct header lines[] = {{TEXT("Host"), TEXT("localhost")}, {TEXT("Content-Length"), {0}}};
	struct head h = {.version = TEXT("HTTP/1.1"), .headers = lines, .n = 2};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		lines[1].value = text_of(cases[i].value);
		assert_true(!head_fault(&h) == cases[i].is_good);
	}
	lines[1].value = TEXT("123456789012345678");
	assert_true(head_length(&h) == 123456789012345678);
	lines[1] = (struct header){TEXT("Transfer-Encoding"), TEXT("Chunked")};
	assert_null(head_fault(&h));
	assert_true(head_length(&h) == HEAD_CHUNKED);
	h.version = TEXT("HTTP/1.0");
	assert_non_null(head_fault(&h));
}

static struct text taken(struct sse *s, size_t at_a_time)
{
	static char bytes[400];
	size_t n = 0, more;

	while ((more = sse_take(s, bytes + n, at_a_time)))
		n += more;
	bytes[n] = 0;
	return (struct text){bytes, n};
}

static void an_event_is_one_message_whatever_its_line_breaks(void **state)
{
	struct sse s = {0};

	(void)state;
	sse_event(&s, TEXT("{\"a\":1}"));
	assert_text(taken(&s, 3), "event: message\ndata: {\"a\":1}\n\n");
	sse_event(&s, TEXT("{\n\r\n \"a\":\r1}\n"));
	assert_text(taken(&s, 100), "event: message\ndata: {\ndata:  \"a\":\ndata: 1}\n\n");
	sse_keepalive(&s);
	assert_text(taken(&s, 100), ": keepalive\n\n");
}

static void an_empty_queue_holds_no_memory(void **state)
{
	struct sse s = {0};

	(void)state;
	sse_event(&s, TEXT("{}"));
	sse_event(&s, TEXT("[]"));
	assert_int_equal(sse_waiting(&s), 2 * strlen("event: message\ndata: {}\n\n"));
	assert_int_equal(taken(&s, 7).len, 2 * strlen("event: message\ndata: {}\n\n"));
	assert_null(s.waiting.at);
	assert_int_equal(sse_waiting(&s), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_type_is_accepted_by_itself_its_family_or_anything),
		cmocka_unit_test(the_closest_range_decides_and_zero_excludes),
		cmocka_unit_test(an_essence_is_compared_without_parameters_and_case),
		cmocka_unit_test(headers_are_found_in_any_case_and_accept_may_come_in_parts),
		cmocka_unit_test(a_length_is_plain_digits),
		cmocka_unit_test(an_event_is_one_message_whatever_its_line_breaks),
		cmocka_unit_test(an_empty_queue_holds_no_memory),
	};
	return RUN_TESTS(tests);
}
