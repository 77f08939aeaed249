/* Two tables: what is JSON and what is not. RFC 8259, with checked UTF-8 and unique keys. */
#include "support/check.h"

#include "base/array.h"
#include "format/json.h"

#include <stdlib.h>
#include <string.h>

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

/* Parses a copy on the heap of exactly this length, so that the sanitizer finds a read beyond its end. */
static struct json *parse(struct text source, struct json_error *err)
{
	char *copy = malloc(source.len + !source.len);

	memcpy(copy, source.at, source.len);
	struct json *v = json_parse(&arena, (struct text){copy, source.len}, JSON_DEPTH_MAX, err);
	free(copy);
	return v;
}

/* clang-format off */
/* Each is accepted, and becomes the second one when written compactly (NULL: unchanged). */
static const struct { struct text source; const char *written; } taken[] = {
	/* literals and blanks */
	{TEXT("null"), NULL}, {TEXT("true"), NULL}, {TEXT("false"), NULL}, {TEXT(" null"), "null"},
	{TEXT("null "), "null"}, {TEXT("\t\r\n null \n\r\t"), "null"}, {TEXT("[]"), NULL}, {TEXT("{}"), NULL},
	{TEXT("[ ]"), "[]"}, {TEXT("{ }"), "{}"}, {TEXT("[\n]"), "[]"}, {TEXT("{\t}"), "{}"},
	{TEXT(" [ 1 , 2 ] "), "[1,2]"}, {TEXT("{ \"a\" : 1 }"), "{\"a\":1}"}, {TEXT("{\"a\"\n:\n1\n}"), "{\"a\":1}"},
	{TEXT("[null,true,false]"), NULL},
	/* integers */
	{TEXT("0"), NULL}, {TEXT("-0"), NULL}, {TEXT("1"), NULL}, {TEXT("-1"), NULL}, {TEXT("10"), NULL},
	{TEXT("123456789"), NULL}, {TEXT("2147483647"), NULL}, {TEXT("2147483648"), NULL}, {TEXT("-2147483649"), NULL},
	{TEXT("4294967296"), NULL}, {TEXT("9007199254740993"), NULL}, {TEXT("999999999999999999"), NULL},
	{TEXT("1000000000000000000"), NULL}, {TEXT("9223372036854775807"), NULL}, {TEXT("9223372036854775808"), NULL},
	{TEXT("-9223372036854775808"), NULL}, {TEXT("-9223372036854775809"), NULL},
	{TEXT("18446744073709551616"), NULL}, {TEXT("100000000000000000000000000000000000"), NULL},
	/* reals */
	{TEXT("0.0"), NULL}, {TEXT("-0.0"), NULL}, {TEXT("0.1"), NULL}, {TEXT("1.50"), NULL}, {TEXT("-1.5"), NULL},
	{TEXT("1e5"), NULL}, {TEXT("1E5"), NULL}, {TEXT("1e+5"), NULL}, {TEXT("1e-5"), NULL}, {TEXT("1.5e5"), NULL},
	{TEXT("0e0"), NULL}, {TEXT("0E+1"), NULL}, {TEXT("1e00"), NULL}, {TEXT("1e400"), NULL}, {TEXT("-1e400"), NULL},
	{TEXT("1e-400"), NULL}, {TEXT("123.456e78"), NULL},
	{TEXT("0.000000000000000000000000000000000000000000000000000001"), NULL},
	{TEXT("1.7976931348623157e308"), NULL}, {TEXT("[1e1,2]"), NULL}, {TEXT("[-0,1]"), NULL},
	{TEXT("1e99999999999999999999"), NULL},
	/* strings */
	{TEXT("\"\""), NULL}, {TEXT("\"a\""), NULL}, {TEXT("\"seven77\""), NULL}, {TEXT("\"eight888\""), NULL},
	{TEXT("\"a string longer than one machine word\""), NULL}, {TEXT("\" \""), NULL}, {TEXT("\"/\""), NULL},
	{TEXT("\"\\/\""), "\"/\""}, {TEXT("\"\\\"\""), NULL}, {TEXT("\"\\\\\""), NULL},
	{TEXT("\"\\b\\f\\n\\r\\t\""), NULL}, {TEXT("\"\\u0041\""), "\"A\""}, {TEXT("\"\\u00e9\""), "\"\xC3\xA9\""},
	{TEXT("\"\\u00E9\""), "\"\xC3\xA9\""}, {TEXT("\"\\u0000\""), NULL}, {TEXT("\"\\u001F\""), "\"\\u001f\""},
	{TEXT("\"\\u0022\""), "\"\\\"\""}, {TEXT("\"\\u005C\""), "\"\\\\\""}, {TEXT("\"\\u007F\""), "\"\x7F\""},
	{TEXT("\"\x7F\""), NULL}, {TEXT("\"\\ud83d\\ude00\""), "\"\xF0\x9F\x98\x80\""},
	{TEXT("\"\\uD800\\uDC00\""), "\"\xF0\x90\x80\x80\""}, {TEXT("\"\\uDBFF\\uDFFF\""), "\"\xF4\x8F\xBF\xBF\""},
	{TEXT("\"\\uFFFF\""), "\"\xEF\xBF\xBF\""}, {TEXT("\"\\uD7FF\\uE000\""), "\"\xED\x9F\xBF\xEE\x80\x80\""},
	{TEXT("\"\\u2028\\u2029\""), "\"\xE2\x80\xA8\xE2\x80\xA9\""}, {TEXT("\"\xC3\xA9\""), NULL},
	{TEXT("\"\xE2\x82\xAC\""), NULL}, {TEXT("\"\xF0\x9F\x98\x80\""), NULL}, {TEXT("\"\xC2\x80\""), NULL},
	{TEXT("\"\xE0\xA0\x80\""), NULL}, {TEXT("\"\xEF\xBF\xBF\""), NULL}, {TEXT("\"\xF4\x8F\xBF\xBF\""), NULL},
	{TEXT("\"\xE2\x80\xA8\""), NULL}, {TEXT("\"\xEF\xBB\xBF\""), NULL}, {TEXT("\"a\\nb\\nc\""), NULL},
	{TEXT("\"1234567\\n\""), NULL}, {TEXT("\"12345678\\n\""), NULL}, {TEXT("\"// no comment\""), NULL},
	{TEXT("\"\\u0061\\u30af\\u30EA\\u30b9\""), "\"a\xE3\x82\xAF\xE3\x83\xAA\xE3\x82\xB9\""},
	{TEXT("\"\\\\u0000\""), NULL}, {TEXT("\"\\\\\\\"\""), NULL}, {TEXT("\"'\""), NULL},
	/* containers */
	{TEXT("[[]]"), NULL}, {TEXT("[[],[]]"), NULL}, {TEXT("[{}]"), NULL}, {TEXT("{\"\":0}"), NULL},
	{TEXT("{\"a\":[]}"), NULL}, {TEXT("{\"a\":{\"a\":{\"a\":1}}}"), NULL}, {TEXT("{\"a\":1,\"b\":2}"), NULL},
	{TEXT("{\"b\":1,\"a\":2}"), NULL}, {TEXT("{\"a\":1,\"A\":2}"), NULL}, {TEXT("{\"a\\u0000b\":1,\"a\":2}"), NULL},
	{TEXT("{\"\\u0061\":1}"), "{\"a\":1}"}, {TEXT("[1,[2,[3,[4]]],\"x\",null]"), NULL},
	{TEXT("[\"\",\"\",\"\"]"), NULL}, {TEXT("[1]\n"), "[1]"},
	{TEXT("{\"1\":1,\"2\":2,\"3\":3,\"4\":4,\"5\":5,\"6\":6,\"7\":7,\"8\":8,\"9\":9,\"10\":10}"), NULL},
	{TEXT("[{\"a\":1},{\"a\":1}]"), NULL}, {TEXT("{\"key with spaces\":\"\",\"\xC3\xA9\":\"\"}"), NULL},
};

static const struct text refused[] = {
	/* nothing, or not a value */
	TEXT(""), TEXT(" "), TEXT("\n"), TEXT("\0"), TEXT("null\0"), TEXT("[1]\0"), TEXT("nul"), TEXT("nulll"),
	TEXT("Null"), TEXT("NULL"), TEXT("tru"), TEXT("True"), TEXT("fals"), TEXT("FALSE"), TEXT("undefined"),
	TEXT("NaN"), TEXT("nan"), TEXT("Infinity"), TEXT("-Infinity"), TEXT("inf"), TEXT("a"), TEXT("*"), TEXT("'a'"),
	TEXT("`a`"), TEXT("\xC3\xA9"), TEXT("\xEF\xBB\xBF"), TEXT("\xEF\xBB\xBF[]"), TEXT("\xFF\xFE[\0]\0"),
	TEXT("\0[\0]"), TEXT("\xE2\x80\x83[]"), TEXT("\xC2\xA0[]"), TEXT("\f[]"), TEXT("\v[]"), TEXT("[\f]"),
	TEXT("[1,\v2]"), TEXT("// c\n1"), TEXT("/* c */1"), TEXT("1 // c"), TEXT("[1/**/]"), TEXT("# c\n1"),
	TEXT("1 2"), TEXT("1,2"), TEXT("[] []"), TEXT("{}{}"), TEXT("[],"), TEXT("null,"), TEXT("[]x"), TEXT("{}x"),
	TEXT("\"a\"\"b\""), TEXT("\"a\"x"), TEXT("]"), TEXT("}"), TEXT(","), TEXT(":"), TEXT("[]]"), TEXT("{}}"),
	TEXT("()"), TEXT("<a/>"), TEXT("true false"),
	/* numbers */
	TEXT("-"), TEXT("+"), TEXT("+1"), TEXT("++1"), TEXT("--1"), TEXT("- 1"), TEXT("-a"), TEXT("00"), TEXT("01"),
	TEXT("-01"), TEXT("007"), TEXT("0123.4"), TEXT("1."), TEXT("-1."), TEXT(".5"), TEXT("-.5"), TEXT("0."),
	TEXT("1.e1"), TEXT("0.e1"), TEXT("1..0"), TEXT("1.2.3"), TEXT("1e"), TEXT("1E"), TEXT("1e+"), TEXT("1e-"),
	TEXT("1e++1"), TEXT("1ee1"), TEXT("1e1.5"), TEXT("1e1e1"), TEXT("0x1"), TEXT("0xFF"), TEXT("0b1"), TEXT("0o7"),
	TEXT("1_000"), TEXT("1,000"), TEXT("1 000"), TEXT("1a"), TEXT("1.0f"), TEXT("12L"), TEXT("0-1"), TEXT("1+1"),
	TEXT("1/2"), TEXT("[1.]"), TEXT("[.1]"), TEXT("[01]"), TEXT("[-]"), TEXT("[+1]"), TEXT("[1e]"),
	TEXT("{\"a\":01}"), TEXT("\xEF\xBC\x91"), TEXT("-NaN"), TEXT("1e\xEF\xBC\x91"), TEXT("0e"), TEXT("-0x1"),
	/* strings */
	TEXT("\""), TEXT("\"a"), TEXT("a\""), TEXT("\"\\\""), TEXT("\"\\"), TEXT("\"abc\\"), TEXT("\"\n\""),
	TEXT("\"\t\""), TEXT("\"\r\""), TEXT("\"\0\""), TEXT("\"a\x01\""), TEXT("\"\x1F\""), TEXT("\"12345678\x1F\""),
	TEXT("\"line\nbreak\""), TEXT("\"\\a\""), TEXT("\"\\v\""), TEXT("\"\\0\""), TEXT("\"\\x41\""), TEXT("\"\\'\""),
	TEXT("\"\\ \""), TEXT("\"\\\n\""), TEXT("\"\\N\""), TEXT("\"\\U0041\""), TEXT("\"\\u\""), TEXT("\"\\u1\""),
	TEXT("\"\\u12\""), TEXT("\"\\u123\""), TEXT("\"\\u123"), TEXT("\"\\u12G4\""), TEXT("\"\\u-123\""),
	TEXT("\"\\u 123\""), TEXT("\"\\u00\"41\""), TEXT("\"\\u{41}\""), TEXT("\"\\uD800\""), TEXT("\"\\uDBFF\""),
	TEXT("\"\\uDC00\""), TEXT("\"\\uDFFF\""), TEXT("\"\\uD800\\u0041\""), TEXT("\"\\uD800\\uD800\""),
	TEXT("\"\\uDC00\\uD800\""), TEXT("\"\\uD800x\""), TEXT("\"\\uD800\\n\""), TEXT("\"\\uD800\\uDC0\""),
	TEXT("\"\\uD800\\\""), TEXT("\"\\\xC3\xA9\""), TEXT("\"\\a\\"), TEXT("\"\\uD83D\\"), TEXT("\"\\uD83D\\u"),
	/* UTF-8 */
	TEXT("\"\x80\""), TEXT("\"\xBF\""), TEXT("\"\xC0\x80\""), TEXT("\"\xC0\xAF\""), TEXT("\"\xC1\xBF\""),
	TEXT("\"\xC3\""), TEXT("\"\xC3(\""), TEXT("\"\xC3"), TEXT("\"\xE0\x80\x80\""), TEXT("\"\xE0\x9F\xBF\""),
	TEXT("\"\xE2\x82\""), TEXT("\"\xE2\x82(\""), TEXT("\"\xE2(\xAC\""), TEXT("\"\xE2"), TEXT("\"\xED\xA0\x80\""),
	TEXT("\"\xED\xBF\xBF\""), TEXT("\"\xF0\x80\x80\x80\""), TEXT("\"\xF0\x8F\xBF\xBF\""), TEXT("\"\xF0\x9F\x98\""),
	TEXT("\"\xF0\x9F\x98(\""), TEXT("\"\xF4\x90\x80\x80\""), TEXT("\"\xF5\x80\x80\x80\""),
	TEXT("\"\xF8\x88\x80\x80\x80\""), TEXT("\"\xFC\x84\x80\x80\x80\x80\""), TEXT("\"\xFE\""), TEXT("\"\xFF\""),
	TEXT("\"1234567\xFF\""), TEXT("\"12345678\xFF\""), TEXT("\"\\n\xFF\""), TEXT("{\"\xFF\":1}"), TEXT("[\xFF]"),
	TEXT("\"\xE9\""), TEXT("\"caf\xE9\""), TEXT("[\"\xF0\x9F\x98\"]"),
	/* arrays */
	TEXT("["), TEXT("[1"), TEXT("[1,"), TEXT("[,"), TEXT("[,]"), TEXT("[,1]"), TEXT("[1,]"), TEXT("[1,,2]"),
	TEXT("[1,,]"), TEXT("[1 2]"), TEXT("[1;2]"), TEXT("[1:2]"), TEXT("[\"a\" \"b\"]"), TEXT("[\"a\":1]"),
	TEXT("[1}"), TEXT("[}"), TEXT("[[]"), TEXT("[[1,2]"), TEXT("[1]]"), TEXT("[a]"), TEXT("[\"a]"), TEXT("[\""),
	TEXT("[\n"), TEXT("[*]"), TEXT("[1, ]"), TEXT("[null,"), TEXT("[nul]"),
	/* objects */
	TEXT("{"), TEXT("{\""), TEXT("{\"a"), TEXT("{\"a\""), TEXT("{\"a\":"), TEXT("{\"a\":1"), TEXT("{\"a\":1,"),
	TEXT("{\"a\":1,}"), TEXT("{,}"), TEXT("{,\"a\":1}"), TEXT("{\"a\":1,,\"b\":2}"), TEXT("{\"a\"}"),
	TEXT("{\"a\",\"b\"}"), TEXT("{\"a\":}"), TEXT("{\"a\"::1}"), TEXT("{\"a\" 1}"), TEXT("{\"a\"=1}"), TEXT("{:1}"),
	TEXT("{a:1}"), TEXT("{'a':1}"), TEXT("{1:1}"), TEXT("{null:1}"), TEXT("{true:1}"), TEXT("{[]:1}"),
	TEXT("{{}:1}"), TEXT("{\"a\":1]"), TEXT("{]"), TEXT("{\"a\":1 \"b\":2}"), TEXT("{\"a\":1;\"b\":2}"),
	TEXT("{\"a\":1}}"), TEXT("{\"a\":{}"), TEXT("{\"a\":\"b}"), TEXT("{\"a\":1,\"a\":1}"),
	TEXT("{\"a\":1,\"\\u0061\":2}"), TEXT("{\"\":1,\"\":2}"), TEXT("{\"a\":1,\"b\":2,\"a\":3}"),
	TEXT("{\"x\":{\"a\":1,\"a\":2}}"),
	TEXT("{\"1\":1,\"2\":2,\"3\":3,\"4\":4,\"5\":5,\"6\":6,\"7\":7,\"8\":8,\"9\":9,\"10\":10,\"3\":0}"),
	TEXT("{\"a\":1 // c\n}"), TEXT("{\"a\" b}"), TEXT("{\"a\":/* c */1}"), TEXT("{\"a\":1 /"), TEXT("{x}"),
	TEXT("{\"a\":nul}"), TEXT("{...}"),
};
/* clang-format on */

static void what_is_json_is_taken_and_written_back(void **state)
{
	(void)state;
	assert_true(ARRAY_COUNT(taken) >= 95);
	for (size_t i = 0; i < ARRAY_COUNT(taken); i++) {
		struct json_error err;
		struct json *v = parse(taken[i].source, &err);
		if (!v)
			fail_msg("row %zu, %s: %s", i, taken[i].source.at, err.message);
		struct text written = json_source(&arena, v);
		assert_text(written, taken[i].written ? taken[i].written : taken[i].source.at);
		assert_true(json_same(v, parse(written, NULL)));
	}
}

static void what_is_not_json_is_refused_inside_its_bytes(void **state)
{
	(void)state;
	assert_true(ARRAY_COUNT(refused) >= 150);
	for (size_t i = 0; i < ARRAY_COUNT(refused); i++) {
		struct json_error err;
		if (parse(refused[i], &err))
			fail_msg("row %zu is accepted: %s", i, refused[i].at);
		assert_non_null(err.message);
		assert_true(err.pos <= refused[i].len);
		assert_true(err.line >= 1 && err.column >= 1);
	}
}

static void every_beginning_of_a_document_is_refused(void **state)
{
	(void)state;
	struct text whole = TEXT("{\"a\":[1.5e3,true,{\"b\":\"\\ud83d\\ude00\xC3\xA9\"},null],\"c\":-0.25}");

	assert_non_null(parse(whole, NULL));
	for (size_t i = 0; i < whole.len; i++)
		assert_null(parse(text_slice(whole, 0, i), NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_is_json_is_taken_and_written_back, forget),
		cmocka_unit_test_teardown(what_is_not_json_is_refused_inside_its_bytes, forget),
		cmocka_unit_test_teardown(every_beginning_of_a_document_is_refused, forget),
	};
	return RUN_TESTS(tests);
}
