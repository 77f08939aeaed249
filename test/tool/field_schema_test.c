#include "support/check.h"
#include "tool/table.h"

#include "format/json_schema.h"

#include <string.h>

static struct arena arena;

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static struct text schema_of(const struct field *table, bool is_answer)
{
	struct buffer to = {.arena = &arena};

	fields_schema_joined(&(struct json_out){.to = &to}, (const struct field *const[]){table, NULL}, is_answer);
	return buffer_text(&to);
}

static const struct json *tree(struct text source)
{
	struct json_error e = {0};
	const struct json *v = json_parse(&arena, source, JSON_DEPTH_MAX, &e);

	if (!v)
		fail_msg("not JSON at %u: %s", e.pos, e.message);
	return v;
}

/* The schema of one property of the table of everything. */
static void is_listed_as(const char *name, const char *want)
{
	const struct json *property = json_get(json_get(tree(schema_of(all_fields, false)), "properties"), name);
	struct text have = property ? json_source(&arena, property) : (struct text){0};

	assert_text(have, want);
}

static void an_empty_table_takes_nothing(void **state)
{
	(void)state;
	static const struct field none[] = {FIELDS_END};
	assert_text(schema_of(none, false), "{\"type\":\"object\",\"additionalProperties\":false}");
	assert_text(schema_of(NULL, false), "{\"type\":\"object\",\"additionalProperties\":false}");
}

static void every_type_has_its_schema(void **state)
{
	(void)state;
	is_listed_as("file_path",
		     "{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"Path of the file\"}");
	is_listed_as("note", "{\"type\":\"string\",\"minLength\":2,\"maxLength\":5,\"description\":\"A remark\"}");
	is_listed_as("code", "{\"type\":\"string\",\"description\":\"A code\",\"default\":\"none\"}");
	is_listed_as(
		"limit",
		"{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"description\":\"How many\",\"default\":10}");
	is_listed_as("line", "{\"type\":\"integer\",\"minimum\":1,\"description\":\"A line\"}");
	is_listed_as("width", "{\"type\":\"number\",\"maximum\":2.5,\"description\":\"Wide\"}");
	is_listed_as("height", "{\"type\":\"number\",\"description\":\"High\"}");
	is_listed_as("deep", "{\"type\":\"boolean\",\"description\":\"All below too\",\"default\":true}");
	is_listed_as("loud", "{\"type\":\"boolean\",\"description\":\"Loud\"}");
	is_listed_as("mode",
		     "{\"type\":\"string\",\"enum\":[\"add\",\"remove\",\"replace\"],\"description\":\"What to do\"}");
	is_listed_as("modes",
		     "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"add\",\"remove\",\"replace\"]},"
		     "\"description\":\"What to do in turn\"}");
	is_listed_as(
		"tags",
		"{\"type\":\"array\",\"items\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4},\"maxItems\":3,"
		"\"description\":\"Tags\"}");
	is_listed_as("weights",
		     "{\"type\":\"array\",\"items\":{\"type\":\"number\",\"minimum\":0},\"description\":\"Weights\"}");
	is_listed_as("extra", "{\"type\":\"object\",\"maxProperties\":4,\"description\":\"Anything by name\"}");
	is_listed_as("words", "{\"type\":\"object\",\"additionalProperties\":{\"type\":[\"string\",\"null\"]},"
			      "\"description\":\"Words by name\"}");
	is_listed_as("any", "{\"description\":\"Anything\",\"x-mcp-header\":\"Any\"}");
	is_listed_as("secret", NULL);
}

#define POINT                                                                                                          \
	"\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\",\"description\":\"Metres to the east\"},"      \
	"\"y\":{\"type\":\"number\",\"description\":\"Metres to the north\"},"                                         \
	"\"label\":{\"type\":\"string\",\"maxLength\":8,\"description\":\"What stands "                                \
	"there\"}},\"required\":[\"x\",\"y\"],"                                                                        \
	"\"additionalProperties\":false"
#define FIGURES                                                                                                                          \
	"\"oneOf\":[{\"description\":\"A round "                                                                                         \
	"one\",\"type\":\"object\",\"properties\":{\"type\":{\"type\":\"string\",\"enum\":[\"circle\"]},"                                \
	"\"radius\":{\"type\":\"number\",\"minimum\":0,\"description\":\"In "                                                            \
	"metres\"}},\"required\":[\"type\",\"radius\"],"                                                                                 \
	"\"additionalProperties\":false},{\"description\":\"One with corners\",\"type\":\"object\",\"properties\":{"                     \
	"\"type\":{\"type\":\"string\",\"enum\":[\"square\"]},\"side\":{\"type\":\"number\",\"description\":\"In metres\"},\"colour\":{" \
	"\"type\":\"string\",\"enum\":[\"red\",\"green\"],\"description\":\"Of its edge\",\"default\":\"green\"}},"                      \
	"\"required\":[\"type\",\"side\"],\"additionalProperties\":false}]"

static void shapes_stand_where_they_are_used(void **state)
{
	(void)state;
	is_listed_as("origin", "{" POINT ",\"description\":\"Where\"}");
	is_listed_as("points", "{\"type\":\"array\",\"items\":{" POINT "},\"description\":\"A line of points\"}");
	is_listed_as("named",
		     "{\"type\":\"object\",\"additionalProperties\":{" POINT "},\"description\":\"Points by name\"}");
}

static void unions_are_branches_told_apart_by_a_constant(void **state)
{
	(void)state;
	is_listed_as("figure", "{" FIGURES ",\"description\":\"A figure\"}");
	is_listed_as("figures", "{\"type\":\"array\",\"items\":{" FIGURES "},\"description\":\"Figures\"}");
}

static void a_shape_that_holds_itself_is_defined_once(void **state)
{
	(void)state;
	is_listed_as("tree", "{\"$ref\":\"#/$defs/branch\",\"description\":\"A tree\"}");
	const struct json *definitions = json_get(tree(schema_of(all_fields, false)), "$defs");
	assert_text(json_source(&arena, definitions), "{\"branch\":{\"type\":\"object\",\"properties\":{\"name\":{"
						      "\"type\":\"string\",\"description\":\"Its name\"},"
						      "\"children\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/"
						      "branch\"},\"description\":\"What it holds\"}},"
						      "\"required\":[\"name\"],\"additionalProperties\":false}}");
}

/* A group holds figures, and a figure may be a group: the way round goes through the union. */
struct group {
	struct objects members;
};
static const struct variant group_variants[3];
static const struct field group_fields[] = {
	FIELD(struct group, members, UNIONS, 0, "", .more = RARE{.by = "is", .variants = group_variants}),
	FIELDS_END,
};
static const struct variant group_variants[3] = {
	{"group", NULL, SHAPE(struct group, "group", group_fields)},
	{"circle", NULL, SHAPE(struct circle, "circle", circle_fields)},
	{0},
};

static void a_union_that_holds_itself_is_defined_once(void **state)
{
	(void)state;
	struct text schema = schema_of(group_fields, false), why;
	assert_text(
		schema,
		"{\"type\":\"object\",\"properties\":{\"members\":{\"type\":\"array\",\"items\":{\"$ref\":"
		"\"#/$defs/members\"}}},\"additionalProperties\":false,\"$defs\":{\"members\":{\"oneOf\":[{\"type\":"
		"\"object\",\"properties\":{\"is\":{\"type\":\"string\",\"enum\":[\"group\"]},\"members\":{\"type\":\"array\",\"items\":"
		"{\"$ref\":\"#/$defs/members\"}}},\"required\":[\"is\"],\"additionalProperties\":false},{\"type\":"
		"\"object\",\"properties\":{\"is\":{\"type\":\"string\",\"enum\":[\"circle\"]},\"radius\":{\"type\":\"number\",\"minimum\":"
		"0,"
		"\"description\":\"In metres\"}},\"required\":[\"is\",\"radius\"],\"additionalProperties\":false}]}}}");
	struct text value = TEXT("{\"members\":[{\"is\":\"group\",\"members\":[{\"is\":\"circle\",\"radius\":1}]}]}");
	assert_true(json_schema_holds(&arena, tree(schema), tree(value), &why));
	struct call c = {.arena = &arena};
	struct group into;
	assert_true(fields_decode(&c, group_fields, sizeof into, tree(value), &into, NULL));
}

static void the_root_is_a_plain_object(void **state)
{
	(void)state;
	const struct json *schema = tree(schema_of(all_fields, false));
	static const char *const allowed[] = {"type", "properties", "required", "additionalProperties", "$defs", NULL};
	for (uint32_t i = 0; i < schema->len; i++)
		assert_string_equal(schema->members[i].key, allowed[i]);
	assert_text(json_source(&arena, json_get(schema, "required")), "[\"file_path\"]");
	assert_text(json_source(&arena, json_get(schema, "additionalProperties")), "false");
}

static void an_answer_says_where_null_may_stand(void **state)
{
	(void)state;
	struct answer {
		struct text a;
		int b;
		struct texts c;
		const struct branch *d;
		struct variant_value e;
		int64_t f;
	};
	static const struct field answer[] = {
		FIELD(struct answer, a, TEXT, FIELD_NULLABLE | FIELD_REQUIRED, ""),
		FIELD(struct answer, b, CHOICE, FIELD_NULLABLE, "", .choices = table_colours),
		FIELD(struct answer, c, TEXTS, FIELD_NULLABLE, ""),
		FIELD(struct answer, d, OBJECT, FIELD_NULLABLE, "", .shape = &branch_shape),
		FIELD(struct answer, f, INT, 0, "", .otherwise = "3"),
		FIELDS_END};
	const struct json *have = json_get(tree(schema_of(answer, true)), "properties");
	assert_text(
		json_source(&arena, have),
		"{\"a\":{\"type\":[\"string\",\"null\"]},\"b\":{\"type\":[\"string\",\"null\"],\"enum\":[\"red\","
		"\"green\",null]},"
		"\"c\":{\"type\":[\"array\",\"null\"],\"items\":{\"type\":\"string\"}},"
		"\"d\":{\"anyOf\":[{\"$ref\":\"#/$defs/branch\"},{\"type\":\"null\"}]},\"f\":{\"type\":\"integer\"}}");
	assert_text(json_source(&arena, json_get(json_get(tree(schema_of(answer, false)), "properties"), "a")),
		    "{\"type\":\"string\"}");
}

/* Another shape of the same name, which holds itself too. */
struct twig {
	struct objects buds;
};
static const struct shape twig_shape;
static const struct field twig_fields[] = {
	FIELD(struct twig, buds, OBJECTS, 0, "", .shape = &twig_shape),
	FIELDS_END,
};
static const struct shape twig_shape = SHAPE(struct twig, "branch", twig_fields);

static void definitions_of_one_name_are_told_apart(void **state)
{
	(void)state;
	struct both {
		const struct branch *a;
		const struct twig *b;
		struct variant_value c;
	};
	const struct field both[] = {
		FIELD(struct both, a, OBJECT, 0, "", .shape = &branch_shape),
		FIELD(struct both, b, OBJECT, 0, "", .shape = &twig_shape),
		FIELD(struct both, c, UNION, FIELD_NULLABLE, "", .more = RARE{.by = "is", .variants = group_variants}),
		FIELDS_END,
	};
	const struct json *schema = tree(schema_of(both, true));
	assert_text(json_text(json_pointer(schema, TEXT("/properties/a/$ref"))), "#/$defs/branch");
	assert_text(json_text(json_pointer(schema, TEXT("/properties/b/$ref"))), "#/$defs/branch_2");
	assert_non_null(json_pointer(schema, TEXT("/$defs/branch/properties/name")));
	assert_non_null(json_pointer(schema, TEXT("/$defs/branch_2/properties/buds")));
	assert_text(json_source(&arena, json_pointer(schema, TEXT("/properties/c"))),
		    "{\"anyOf\":[{\"$ref\":\"#/$defs/c\"},{\"type\":\"null\"}]}");
}

static void a_union_may_be_null_in_an_answer(void **state)
{
	(void)state;
	struct one {
		struct variant_value figure;
	};
	const struct field one[] = {
		FIELD(struct one, figure, UNION, FIELD_NULLABLE, "",
		      .more = RARE{.by = "type", .variants = table_figures}),
		FIELDS_END,
	};
	const struct json *branches = json_pointer(tree(schema_of(one, true)), TEXT("/properties/figure/oneOf"));
	assert_int_equal(branches->len, 3);
	assert_text(json_source(&arena, &branches->items[2]), "{\"type\":\"null\"}");
}

static void joined_tables_are_one_schema_and_the_first_wins(void **state)
{
	(void)state;
	struct both {
		struct text a, b;
	};
	static const struct field first[] = {FIELD(struct both, a, TEXT, 0, "mine"), FIELDS_END};
	static const struct field second[] = {FIELD(struct both, a, TEXT, FIELD_REQUIRED, "theirs"),
					      FIELD(struct both, b, TEXT, FIELD_REQUIRED, "too"), FIELDS_END};
	struct buffer to = {.arena = &arena};
	fields_schema_joined(&(struct json_out){.to = &to}, (const struct field *const[]){first, second, NULL}, false);
	assert_text(buffer_text(&to),
		    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"description\":\"mine\"},"
		    "\"b\":{\"type\":\"string\",\"description\":\"too\"}},\"required\":[\"b\"],"
		    "\"additionalProperties\":false}");
}

static struct text listed(const struct field *table, bool is_answer)
{
	struct buffer to = {.arena = &arena};

	fields_listed(&(struct json_out){.to = &to}, (const struct field *const[]){table, NULL}, is_answer, false);
	return buffer_text(&to);
}

static void sent_as(const char *name, const char *want)
{
	const struct json *property = json_get(json_get(tree(listed(all_fields, false)), "properties"), name);

	assert_text(property ? json_source(&arena, property) : (struct text){0}, want);
}

static void a_list_says_what_a_caller_needs_and_no_more(void **state)
{
	(void)state;
	sent_as("file_path", "{\"type\":\"string\",\"description\":\"Path of the file\"}");
	sent_as("tags", "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"Tags\"}");
	sent_as("limit", "{\"type\":\"integer\",\"maximum\":100,\"description\":\"How many\",\"default\":10}");
	sent_as("mode",
		"{\"type\":\"string\",\"enum\":[\"add\",\"remove\",\"replace\"],\"description\":\"What to do\"}");
	sent_as("secret", NULL);
	const char *whole = listed(all_fields, false).at;
	static const char *const never[] = {
		"minLength", "maxLength", "pattern", "maxItems", "\"const\"",
		"oneOf",     "anyOf",     "$ref",    "$defs",    "additionalProperties\":false"};
	for (size_t i = 0; i < ARRAY_COUNT(never); i++)
		if (strstr(whole, never[i]))
			fail_msg("%s in %s", never[i], whole);
}

static void a_union_is_sent_as_one_object_with_all_members(void **state)
{
	(void)state;
	sent_as("figure",
		"{\"type\":\"object\",\"properties\":{\"type\":{\"type\":\"string\",\"enum\":[\"circle\","
		"\"square\"],\"description\":\"circle radius: A round one\\nsquare side colour?: One with corners\"},"
		"\"radius\":{\"type\":\"number\",\"description\":\"In metres\"},\"side\":{\"type\":\"number\","
		"\"description\":\"In metres\"},\"colour\":{\"type\":\"string\",\"enum\":[\"red\",\"green\"],"
		"\"description\":\"Of its edge\",\"default\":\"green\"}},\"required\":[\"type\"],"
		"\"description\":\"A figure\"}");
}

static void a_shape_that_holds_itself_is_an_object_the_second_time(void **state)
{
	(void)state;
	sent_as("tree",
		"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"description\":\"Its "
		"name\"},\"children\":{\"type\":\"array\",\"items\":{\"type\":\"object\"},\"description\":\"What "
		"it holds\"}},\"required\":[\"name\"],\"description\":\"A tree\"}");
}

static void an_answer_is_sent_two_levels_deep_without_words(void **state)
{
	(void)state;
	struct deep {
		const struct branch *a;
	};
	static const struct field deep[] = {
		FIELD(struct deep, a, OBJECT, FIELD_REQUIRED | FIELD_NULLABLE, "Words", .shape = &branch_shape),
		FIELDS_END};
	assert_text(listed(deep, true),
		    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":[\"object\",\"null\"],\"properties\":{"
		    "\"name\":{\"type\":\"string\"},\"children\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}"
		    "}}},\"required\":[\"a\"]}");
}

static void a_form_is_flat_and_plain(void **state)
{
	(void)state;
	struct form {
		bool confirm;
		int64_t age;
	};
	const struct field form[] = {FIELD(struct form, confirm, FLAG, FIELD_REQUIRED, "Delete it",
					   .more = RARE{.schema = "\"title\":\"Delete\""}),
				     FIELD(struct form, age, INT, 0, "", .limits = AT_MOST(150), .otherwise = "30"),
				     FIELDS_END};
	struct buffer to = {.arena = &arena};
	fields_form(&(struct json_out){.to = &to}, form);
	assert_text(buffer_text(&to),
		    "{\"type\":\"object\",\"properties\":{\"confirm\":{\"type\":\"boolean\",\"description\":"
		    "\"Delete it\",\"title\":\"Delete\"},\"age\":{\"type\":\"integer\",\"maximum\":150,"
		    "\"default\":30}},\"required\":[\"confirm\"]}");
}

static void docs_tell_nested_rows_by_their_path_and_end(void **state)
{
	(void)state;
	struct buffer to = {.arena = &arena};
	fields_doc(&to, all_fields, false);
	const char *have = buffer_text(&to).at;
	static const char *const rows[] = {
		"| `file_path` | path, required | Path of the file |\n",
		"| `limit` | integer, 1 to 100, default `10` | How many |\n",
		"| `mode` | `add`, `remove` or `replace` | What to do |\n",
		"| `tags` | list of texts, at most 3 items, each 1 to 4 characters | Tags |\n",
		"| `points[].x` | number, required | Metres to the east |\n",
		"| `tree.children` | list of objects | What it holds |\n",
		"| `figures[].type` | `circle`, required | A round one |\n",
		"| `figures[](square).colour` | `red` or `green`, default `\"green\"` | Of its edge |\n",
		"| `named.*.x` | number, required | Metres to the east |\n",
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (!strstr(have, rows[i]))
			fail_msg("no row %s in\n%s", rows[i], have);
	assert_null(strstr(have, "secret"));
	assert_null(strstr(have, "tree.children[].children"));
}

#define TEST(f) cmocka_unit_test_teardown(f, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_table_takes_nothing),
		TEST(every_type_has_its_schema),
		TEST(shapes_stand_where_they_are_used),
		TEST(unions_are_branches_told_apart_by_a_constant),
		TEST(a_shape_that_holds_itself_is_defined_once),
		TEST(a_union_that_holds_itself_is_defined_once),
		TEST(the_root_is_a_plain_object),
		TEST(an_answer_says_where_null_may_stand),
		TEST(definitions_of_one_name_are_told_apart),
		TEST(a_union_may_be_null_in_an_answer),
		TEST(joined_tables_are_one_schema_and_the_first_wins),
		TEST(a_list_says_what_a_caller_needs_and_no_more),
		TEST(a_union_is_sent_as_one_object_with_all_members),
		TEST(a_shape_that_holds_itself_is_an_object_the_second_time),
		TEST(an_answer_is_sent_two_levels_deep_without_words),
		TEST(a_form_is_flat_and_plain),
		TEST(docs_tell_nested_rows_by_their_path_and_end),
	};
	return RUN_TESTS(tests);
}
