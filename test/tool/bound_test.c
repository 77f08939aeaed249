/* Every result over the protocol has a bound, whatever its tool does. */
#include "support/check.h"

#include "base/utf8.h"
#include "tool/kind.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 3000 };

static struct arena arena;
static struct reply reply;
static struct call call;
static struct text structured;

static int begin(void **state)
{
	(void)state;
	arena = (struct arena){0};
	reply = (struct reply){.log_level = -1, .room = ANSWER_CHARACTERS};
	call = (struct call){.arena = &arena, .reply = &reply};
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

struct row {
	int64_t number;
	struct text name;
};
static const struct field row_out[] = {FIELD(struct row, number, INT, FIELD_REQUIRED, "n"),
				       FIELD(struct row, name, TEXT, 0, "n"), FIELDS_END};
static const struct shape row_shape = SHAPE(struct row, "row", row_out);
struct rows_args {
	int64_t rows;
};
static const struct field rows_in[] = {FIELD(struct rows_args, rows, INT, 0, "How many", .otherwise = "3000"),
				       FIELDS_END};
struct rows_answer {
	struct objects rows;
	struct text note;
};
static const struct field rows_out[] = {
	FIELD(struct rows_answer, rows, OBJECTS, FIELD_REQUIRED, "Rows", .shape = &row_shape),
	FIELD(struct rows_answer, note, TEXT, 0, "A text"), FIELDS_END};
static const struct field bare_out[] = {
	FIELD_AS("result", struct rows_answer, rows, OBJECTS, FIELD_REQUIRED, "Rows", .shape = &row_shape), FIELDS_END};

static bool list_rows(struct call *c, const void *in, void *out)
{
	size_t n = (size_t)((const struct rows_args *)in)->rows;
	struct row *rows = arena_array(c->arena, n, sizeof *rows);

	for (size_t i = 0; i < n; i++)
		rows[i] = (struct row){(int64_t)i, TEXT("a name that says hardly anything at all")};
	((struct rows_answer *)out)->rows = (struct objects){rows, n};
	return true;
}

static bool tell_note(struct call *c, const void *in, void *out)
{
	struct buffer b = {.arena = c->arena};

	for (int i = 0; i < ROWS; i++)
		buffer_put(&b, "\xc3\xa4 long note about nothing. ");
	(void)in;
	((struct rows_answer *)out)->rows = (struct objects){NULL, 0};
	((struct rows_answer *)out)->note = buffer_text(&b);
	return true;
}

static bool tell_lines(struct call *c, const void *in, void *out)
{
	struct buffer b = {.arena = c->arena};

	(void)out;
	for (int64_t i = 0; i < ((const struct rows_args *)in)->rows; i++)
		buffer_format(&b, "line %lld \xc3\xa4 with some words that fill it\n", (long long)i);
	reply_text(c, buffer_text(&b));
	return true;
}

static const struct tool tools[] = {
	TOOL("rows", "", "", TOOL_READS, struct rows_args, rows_in, struct rows_answer, rows_out, list_rows),
	TOOL("bare", "", "", TOOL_READS | TOOL_BARE, struct rows_args, rows_in, struct rows_answer, bare_out,
	     list_rows),
	TOOL("note", "", "", TOOL_READS, struct rows_args, rows_in, struct rows_answer, rows_out, tell_note),
	TEXT_TOOL("lines", "", "", TOOL_READS, struct rows_args, rows_in, tell_lines),
	TEXT_TOOL("change", "", "", TOOL_WRITES, struct rows_args, rows_in, tell_lines),
	TOOLS_END,
};

static const struct json *tree(struct text source)
{
	struct json_error e = {0};
	const struct json *v = json_parse(&arena, source, JSON_DEPTH_MAX, &e);

	if (!v)
		fail_msg("not JSON at %u: %s", e.pos, e.message);
	return v;
}

static void run(int tool, const char *arguments)
{
	reply.blocks.n = 0;
	reply.room = ANSWER_CHARACTERS;
	call.warnings.n = 0;
	tool_run(&call, &tools[tool], tree(text_of(arguments)), &structured);
}

static size_t length(void)
{
	size_t n = reply.sends_structured ? utf8_count(structured) : 0;

	for (size_t i = 0; i < reply.blocks.n; i++)
		n += utf8_count(reply.blocks.items[i].bytes);
	return n;
}

static void a_text_is_cut_at_a_line_and_continued(void **state)
{
	struct buffer whole = {.arena = &arena};
	size_t from = 0, calls = 0;

	(void)state;
	for (; calls < 20; calls++) {
		run(3, text_format(&arena, "{\"answer_from\":%zu}", from).at);
		assert_int_equal(call.error.fault, FAULT_NONE);
		assert_true(length() <= ANSWER_CHARACTERS);
		struct text part = reply.blocks.items[0].bytes, note = reply.blocks.items[1].bytes;
		assert_true(text_ends(part, "\n"));
		buffer_add(&whole, part);
		const char *next = strstr(text_string(&arena, note), "answer_from ");
		if (!next)
			break;
		assert_non_null(strstr(next, "answer_whole"));
		from = (size_t)atol(next + 12);
	}
	assert_in_range(calls, 1, 5);
	run(3, "{\"answer_whole\":true}");
	assert_int_equal(reply.blocks.n, 1);
	assert_true(text_same(buffer_text(&whole), reply.blocks.items[0].bytes));
	run(3, "{\"answer_from\":999999}");
	assert_non_null(strstr(call.error.message, "answer_from 999999 is after the end of the answer"));
}

static void a_list_is_shortened_and_counted_for_programs(void **state)
{
	(void)state;
	reply.sends_structured = true;
	run(0, "{}");
	assert_true(length() <= ANSWER_CHARACTERS);
	assert_text(reply.blocks.items[0].bytes, structured.at);
	const struct json *answer = tree(structured), *rows = json_get(answer, "rows");
	assert_in_range(rows->len, 300, 600);
	assert_text(json_text(&json_get(answer, "_warnings")->items[0]),
		    text_format(&arena, "rows is cut: %u of 3000 are here", rows->len).at);
	reply.sends_structured = true;
	run(1, "{}");
	assert_true(length() <= ANSWER_CHARACTERS);
	assert_true(json_same(tree(reply.blocks.items[0].bytes), json_get(tree(structured), "result")));
	assert_non_null(strstr(text_string(&arena, reply.blocks.items[1].bytes), "of 3000 are here"));
	reply.sends_structured = true;
	run(2, "{}");
	assert_true(length() <= ANSWER_CHARACTERS);
	assert_true(text_ends(json_text(json_get(tree(structured), "note")), "..."));
	assert_non_null(strstr(text_string(&arena, structured), "note is cut: "));
	reply.sends_structured = true;
	run(0, "{\"answer_whole\":true}");
	assert_int_equal(json_get(tree(structured), "rows")->len, ROWS);
}

static void a_model_can_read_all_of_a_list(void **state)
{
	struct buffer whole = {.arena = &arena};

	(void)state;
	run(0, "{}");
	assert_true(length() <= ANSWER_CHARACTERS);
	buffer_add(&whole, reply.blocks.items[0].bytes);
	for (int calls = 0; calls < 10; calls++) {
		struct text note = reply.blocks.items[reply.blocks.n - 1].bytes;
		const char *next = strstr(text_string(&arena, note), "answer_from ");
		if (!next)
			break;
		run(0, text_format(&arena, "{\"answer_from\":%ld}", atol(next + 12)).at);
		buffer_add(&whole, reply.blocks.items[0].bytes);
	}
	assert_int_equal(json_get(tree(buffer_text(&whole)), "rows")->len, ROWS);
}

static void a_write_is_not_repeated_for_the_rest(void **state)
{
	(void)state;
	run(4, "{}");
	assert_true(length() <= ANSWER_CHARACTERS);
	assert_non_null(
		strstr(text_string(&arena, reply.blocks.items[1].bytes), "The change was made; the rest is left out"));
	run(4, "{\"answer_from\":100}");
	assert_int_equal(call.error.fault, FAULT_ARGUMENT);
	assert_string_equal(call.error.message, "answer_from continues an answer, and change would write again");
}

static void a_program_without_a_limit_gets_all(void **state)
{
	(void)state;
	run(3, "{\"rows\":10}");
	assert_int_equal(reply.blocks.n, 1);
	reply.blocks.n = 0;
	reply.room = 0;
	assert_true(answer_room(&call) == SIZE_MAX);
	tool_run(&call, &tools[3], NULL, &structured);
	assert_int_equal(reply.blocks.n, 1);
	assert_true(reply.blocks.items[0].bytes.len > 2 * ANSWER_CHARACTERS);
}

static void a_handler_is_told_its_room(void **state)
{
	(void)state;
	assert_true(answer_room(&call) < ANSWER_CHARACTERS);
	assert_int_equal(answer_widen(&call, 100), 100);
	assert_true(answer_room(&call) < ANSWER_CHARACTERS);
	assert_int_equal(answer_widen(&call, SIZE_MAX), ANSWER_WHOLE);
	assert_int_equal(answer_room(&call), ANSWER_WHOLE);
}

#define TEST(T) cmocka_unit_test_setup_teardown(T, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_text_is_cut_at_a_line_and_continued), TEST(a_list_is_shortened_and_counted_for_programs),
		TEST(a_model_can_read_all_of_a_list),        TEST(a_write_is_not_repeated_for_the_rest),
		TEST(a_program_without_a_limit_gets_all),    TEST(a_handler_is_told_its_room),
	};
	return RUN_TESTS(tests);
}
