#include "support/check.h"

#include "format/json_schema.h"

#include <string.h>

static struct arena arena;

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
		fail_msg("the test's own JSON is wrong: %s: %s", source, e.message);
	return v;
}

static void keeps(const char *schema, const char *value)
{
	struct text why;

	if (!json_schema_holds(&arena, tree(schema), tree(value), &why))
		fail_msg("%s does not keep %s: %s", value, schema, why.at);
}

static void breaks(const char *schema, const char *value, const char *why_not)
{
	struct text why;

	if (json_schema_holds(&arena, tree(schema), tree(value), &why))
		fail_msg("%s keeps %s", value, schema);
	assert_text(why, why_not);
}

static void types_are_told_apart(void **state)
{
	(void)state;
	static const char *const types[] = {"null", "boolean", "integer", "number", "string", "array", "object"};
	static const struct {
		const char *value;
		unsigned is; /* bit i: matches types[i] */
	} values[] = {{"null", 1}, {"true", 2},   {"1", 4 | 8}, {"1.0", 4 | 8}, {"1e2", 4 | 8},
		      {"1.5", 8},  {"\"1\"", 16}, {"[]", 32},   {"{}", 64}};
	for (size_t v = 0; v < sizeof values / sizeof *values; v++)
		for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
			const char *schema = text_format(&arena, "{\"type\":\"%s\"}", types[t]).at;
			struct text why;
			if (json_schema_holds(&arena, tree(schema), tree(values[v].value), &why) !=
			    !!(values[v].is >> t & 1))
				fail_msg("%s and %s", values[v].value, types[t]);
		}
	keeps("{\"type\":[\"string\",\"null\"]}", "null");
	breaks("{\"type\":[\"string\",\"null\"]}", "1", "is integer, which is none of the types allowed");
}

static void constants_and_lists_of_values_compare_as_json(void **state)
{
	(void)state;
	keeps("{\"const\":{\"a\":1,\"b\":2}}", "{\"b\":2.0,\"a\":1}");
	breaks("{\"const\":\"x\"}", "\"y\"", "must be \"x\"");
	keeps("{\"enum\":[1,null]}", "null");
	breaks("{\"enum\":[1,null]}", "2", "2 is none of the values listed");
}

static void numbers_keep_their_range(void **state)
{
	(void)state;
	keeps("{\"minimum\":1,\"maximum\":2}", "1");
	breaks("{\"minimum\":1}", "0.5", "0.5 is below 1");
	breaks("{\"maximum\":1}", "1.5", "1.5 is above 1");
	breaks("{\"exclusiveMinimum\":1}", "1", "1 is not above 1");
	breaks("{\"exclusiveMaximum\":1}", "1", "1 is not below 1");
	breaks("{\"multipleOf\":2}", "3", "3 is no multiple of 2");
	keeps("{\"minimum\":1}", "\"text\"");
}

static void lengths_count_code_points(void **state)
{
	(void)state;
	keeps("{\"minLength\":2,\"maxLength\":2}", "\"\\u00e4\\ud83d\\ude00\"");
	breaks("{\"minLength\":2}", "\"\\ud83d\\ude00\"", "has 1 characters, fewer than 2");
	breaks("{\"maxLength\":1}", "\"ab\"", "has 2 characters, more than 1");
}

static void patterns_search(void **state)
{
	(void)state;
	keeps("{\"pattern\":\"b+\"}", "\"abba\"");
	breaks("{\"pattern\":\"^b+$\"}", "\"abba\"", "does not match ^b+$");
	breaks("{\"pattern\":\"(b\"}", "\"abba\"",
	       "the schema's pattern is wrong: the pattern (b is not valid at character 3: missing closing "
	       "parenthesis");
}

static void objects_have_what_they_must_and_no_more(void **state)
{
	(void)state;
	static const char schema[] =
		"{\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"],\"additionalProperties\":false}";
	keeps(schema, "{\"a\":1}");
	breaks(schema, "{}", "a is required");
	breaks(schema, "{\"a\":1,\"b\":2}", "b is not a member it may have");
	breaks(schema, "{\"a\":\"1\"}", "/a: is string, not integer");
	keeps("{\"additionalProperties\":{\"type\":\"string\"}}", "{\"x\":\"y\"}");
	breaks("{\"additionalProperties\":{\"type\":\"string\"}}", "{\"x\":1}", "/x: is integer, not string");
	breaks("{\"maxProperties\":1}", "{\"x\":1,\"y\":2}", "has 2 members, more than 1");
	breaks("{\"minProperties\":1}", "{}", "has 0 members, fewer than 1");
}

static void lists_check_every_item(void **state)
{
	(void)state;
	breaks("{\"items\":{\"type\":\"string\"}}", "[\"a\",1]", "/1: is integer, not string");
	keeps("{\"prefixItems\":[{\"type\":\"string\"}],\"items\":{\"type\":\"integer\"}}", "[\"a\",1,2]");
	breaks("{\"prefixItems\":[{\"type\":\"string\"}],\"items\":false}", "[\"a\",1]", "/1: must not be there");
	breaks("{\"minItems\":1}", "[]", "has 0 items, fewer than 1");
	breaks("{\"maxItems\":1}", "[1,2]", "has 2 items, more than 1");
	breaks("{\"uniqueItems\":true}", "[1,2,1.0]", "items 0 and 2 are the same");
	keeps("{\"uniqueItems\":true}", "[1,2,\"1\"]");
	keeps("{\"uniqueItems\":false}", "[1,1]");
}

static void schemas_combine(void **state)
{
	(void)state;
	keeps("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "null");
	breaks("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "1", "keeps none of the schemas of anyOf");
	breaks("{\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"number\"}]}", "1", "keeps 2 schemas of oneOf");
	keeps("{\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"number\"}]}", "1.5");
	breaks("{\"allOf\":[{\"minimum\":1},{\"maximum\":2}]}", "3", "3 is above 2");
	breaks("{\"not\":{\"type\":\"null\"}}", "null", "keeps the schema of not");
	breaks("{\"oneOf\":[{\"properties\":{\"type\":{\"const\":\"a\"}},\"required\":[\"n\"]},{\"properties\":{"
	       "\"type\":{\"const\":\"b\"}}}]}",
	       "{\"type\":\"a\"}", "n is required");
}

static void references_stay_inside_the_schema(void **state)
{
	(void)state;
	static const char list[] =
		"{\"$ref\":\"#/$defs/node\",\"$defs\":{\"node\":{\"properties\":{\"next\":{\"$ref\":\"#/$defs/node\"}},"
		"\"required\":[\"v\"]}}}";
	keeps(list, "{\"v\":1,\"next\":{\"v\":2}}");
	breaks(list, "{\"v\":1,\"next\":{}}", "/next: v is required");
	breaks("{\"$ref\":\"https://example.com/s\"}", "1",
	       "the schema refers to https://example.com/s, which is not in it");
	breaks("{\"$ref\":\"#/$defs/none\"}", "1", "the schema refers to #/$defs/none, which is not in it");
	breaks("{\"$ref\":\"#\"}", "1", "the schema refers to itself without end");
}

static void true_and_false_are_schemas(void **state)
{
	(void)state;
	keeps("true", "1");
	breaks("false", "1", "must not be there");
	breaks("{\"properties\":{\"a\":false}}", "{\"a\":1}", "/a: must not be there");
	breaks("3", "1", "the schema here is neither an object nor true or false");
}

#define TEST(f) cmocka_unit_test_teardown(f, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(types_are_told_apart),
		TEST(constants_and_lists_of_values_compare_as_json),
		TEST(numbers_keep_their_range),
		TEST(lengths_count_code_points),
		TEST(patterns_search),
		TEST(objects_have_what_they_must_and_no_more),
		TEST(lists_check_every_item),
		TEST(schemas_combine),
		TEST(references_stay_inside_the_schema),
		TEST(true_and_false_are_schemas),
	};
	return RUN_TESTS(tests);
}
