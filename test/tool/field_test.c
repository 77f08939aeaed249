#include "support/check.h"
#include "support/growth.h"
#include "tool/table.h"

#include <stdio.h>
#include <string.h>

static struct arena arena;
static struct call call;
static struct all got;

static int begin(void **state)
{
	(void)state;
	arena = (struct arena){0};
	call = (struct call){.arena = &arena};
	memset(&got, 0x5A, sizeof got);
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static const struct json *tree(struct text source)
{
	struct json_error e = {0};
	const struct json *v = json_parse(&arena, source, JSON_DEPTH_MAX, &e);

	if (!v)
		fail_msg("the test's own JSON is wrong at %u: %s", e.pos, e.message);
	return v;
}

static bool decodes_text(struct text source)
{
	call.error = (struct error){0};
	call.warnings.n = 0;
	return fields_decode(&call, all_fields, sizeof got, tree(source), &got, NULL);
}

static bool decodes(const char *source) { return decodes_text(text_of(source)); }

/* The members beside the one that is always needed. */
static bool takes(const char *members)
{
	return decodes_text(text_format(&arena, "{\"file_path\":\"a\"%s%s}", *members ? "," : "", members));
}

#define ACCEPTED(members)                                                                                              \
	do {                                                                                                           \
		if (!takes(members))                                                                                   \
			fail_msg("%s was refused: %s", members, call.error.message);                                   \
	} while (0)

static void refused(const char *members, enum fault fault, const char *where, const char *message)
{
	if (takes(members))
		fail_msg("%s was accepted", members);
	if (call.error.fault != fault || strcmp(call.error.message, message) || strcmp(call.error.where, where))
		fail_msg("%s: fault %d at %s: %s", members, call.error.fault, call.error.where, call.error.message);
}

static void what_is_not_given_is_absent_or_its_default(void **state)
{
	(void)state;
	ACCEPTED("");
	assert_text(got.file_path, "a");
	assert_null(got.note.at);
	assert_text(got.code, "none");
	assert_null(got.kept.at);
	assert_int_equal(got.limit, 10);
	assert_false(got.line.there);
	assert_true(got.width == 0);
	assert_false(got.height.there);
	assert_true(got.deep);
	assert_false(got.loud.there);
	assert_int_equal(got.mode, -1);
	assert_null(got.modes.items);
	assert_null(got.tags.items);
	assert_null(got.weights.items);
	assert_null(got.origin);
	assert_null(got.points.items);
	assert_null(got.tree);
	assert_null(got.figure.value);
	assert_null(got.figures.items);
	assert_null(got.extra);
	assert_null(got.words);
	assert_null(got.any);
}

static void null_is_absent_for_every_type(void **state)
{
	(void)state;
	for (const struct field *f = all_fields + 1; f->name; f++) {
		ACCEPTED(text_format(&arena, "\"%s\":null", f->name).at);
		assert_int_equal(call.warnings.n, 0);
	}
	ACCEPTED("\"limit\":null,\"mode\":null,\"line\":null,\"code\":null");
	assert_int_equal(got.limit, 10);
	assert_int_equal(got.mode, -1);
	assert_false(got.line.there);
	assert_text(got.code, "none");
}

static void null_is_a_value_of_any_json(void **state)
{
	(void)state;
	ACCEPTED("\"any\":null");
	assert_true(json_is(got.any, JSON_NULL));
}

static void a_required_argument_must_be_there(void **state)
{
	(void)state;
	static const char *const without[] = {"{}", "{\"file_path\":null}", NULL};
	for (size_t i = 0; without[i]; i++) {
		assert_false(decodes(without[i]));
		assert_int_equal(call.error.fault, FAULT_MISSING);
		assert_string_equal(call.error.message, "file_path is required: Path of the file");
		assert_string_equal(call.error.where, "/file_path");
	}
	refused("\"points\":[{\"x\":1,\"y\":2},{\"x\":1}]", FAULT_MISSING, "/points/1/y",
		"points[1].y is required: Metres to the north");
}

static void no_arguments_at_all_are_an_empty_object(void **state)
{
	(void)state;
	assert_true(fields_decode(&call, point_fields + 2, sizeof(struct point), NULL, &(struct point){0}, NULL));
}

static void what_is_not_an_object_is_refused(void **state)
{
	(void)state;
	assert_false(decodes("[1]"));
	assert_string_equal(call.error.message, "the arguments must be an object, not a list");
	assert_false(decodes("\"{}\""));
}

/* Every type against every JSON type: what does not fit is refused by name, at its place. */
static void a_wrong_type_is_refused_by_name(void **state)
{
	(void)state;
	/* The letters of the values that the type takes. */
	static const char *const fitting[FIELD_ANY + 1] = {
		[FIELD_TEXT] = "s",     [FIELD_INT] = "i",           [FIELD_MAYBE_INT] = "i",  [FIELD_NUMBER] = "in",
		[FIELD_FLAG] = "b",     [FIELD_MAYBE_NUMBER] = "in", [FIELD_MAYBE_FLAG] = "b", [FIELD_CHOICE] = "",
		[FIELD_CHOICES] = "a",  [FIELD_TEXTS] = "a",         [FIELD_NUMBERS] = "a",    [FIELD_OBJECT] = "",
		[FIELD_OBJECTS] = "a",  [FIELD_UNION] = "",          [FIELD_UNIONS] = "a",     [FIELD_MAP] = "o",
		[FIELD_TEXT_MAP] = "o", [FIELD_ANY] = "sinbao",
	};
	static const struct {
		char letter;
		const char *source;
	} values[] = {{'s', "\"abc\""}, {'i', "2"}, {'n', "1.5"}, {'b', "true"}, {'a', "[]"}, {'o', "{}"}};

	for (const struct field *f = all_fields + 1; f->name; f++)
		for (size_t i = 0; i < ARRAY_COUNT(values); i++) {
			struct text members = text_format(&arena, "\"%s\":%s", f->name, values[i].source);
			bool fits = strchr(fitting[f->type], values[i].letter);
			if (takes(members.at) != fits)
				fail_msg("%s: %s", members.at, fits ? call.error.message : "accepted");
			if (fits)
				continue;
			assert_non_null(strstr(error_sentence(call.arena, &call.error), f->name));
			assert_int_equal(strncmp(call.error.where + 1, f->name, strlen(f->name)), 0);
		}
}

static void messages_say_what_would_be_right(void **state)
{
	(void)state;
	refused("\"limit\":0", FAULT_ARGUMENT, "/limit", "limit must be 1 to 100, not 0");
	refused("\"limit\":101", FAULT_ARGUMENT, "/limit", "limit must be 1 to 100, not 101");
	refused("\"limit\":1.5", FAULT_ARGUMENT, "/limit", "limit must be an integer, not 1.5");
	refused("\"limit\":\"5x\"", FAULT_ARGUMENT, "/limit", "limit must be an integer, not \"5x\"");
	refused("\"line\":0", FAULT_ARGUMENT, "/line", "line must be at least 1, not 0");
	refused("\"width\":2.75", FAULT_ARGUMENT, "/width", "width must be at most 2.5, not 2.75");
	refused("\"height\":1e999", FAULT_ARGUMENT, "/height", "height must be a number within 1.8e308, not 1e999");
	refused("\"note\":\"abcdef\"", FAULT_ARGUMENT, "/note", "note must have 2 to 5 characters, not 6");
	refused("\"note\":7", FAULT_ARGUMENT, "/note", "note must be a string, not 7");
	refused("\"deep\":\"yes\"", FAULT_ARGUMENT, "/deep", "deep must be true or false, not \"yes\"");
	refused("\"mode\":\"ad\"", FAULT_ARGUMENT, "/mode",
		"mode must be \"add\", \"remove\" or \"replace\", not \"ad\"");
	refused("\"modes\":[\"add\",3]", FAULT_ARGUMENT, "/modes/1",
		"modes[1] must be \"add\", \"remove\" or \"replace\", not 3");
	refused("\"tags\":[\"a\",\"b\",\"c\",\"d\"]", FAULT_ARGUMENT, "/tags", "tags must have at most 3 items, not 4");
	refused("\"tags\":[\"a\",\"abcde\"]", FAULT_ARGUMENT, "/tags/1", "tags[1] must have 1 to 4 characters, not 5");
	refused("\"tags\":[\"a\",null]", FAULT_ARGUMENT, "/tags/1", "tags[1] must be a string, not null");
	refused("\"tags\":\"a,b\"", FAULT_ARGUMENT, "/tags", "tags must be a list of strings, not \"a,b\"");
	refused("\"weights\":[1,-1]", FAULT_ARGUMENT, "/weights/1", "weights[1] must be at least 0, not -1");
	refused("\"points\":[[]]", FAULT_ARGUMENT, "/points/0", "points[0] must be an object, not a list");
	refused("\"named\":{\"a\":1}", FAULT_ARGUMENT, "/named/a", "named.a must be an object, not 1");
	refused("\"origin\":[]", FAULT_ARGUMENT, "/origin", "origin must be an object, not a list");
	refused("\"points\":[{\"x\":\"1x\",\"y\":2}]", FAULT_ARGUMENT, "/points/0/x",
		"points[0].x must be a number, not \"1x\"");
	refused("\"extra\":{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5}", FAULT_ARGUMENT, "/extra",
		"extra must have at most 4 members, not 5");
	refused("\"words\":{\"a\":\"b\",\"c\":1}", FAULT_ARGUMENT, "/words/c", "words.c must be a string, not 1");
	refused("\"named\":{\"a/b\":{\"x\":1,\"y\":true}}", FAULT_ARGUMENT, "/named/a~1b/y",
		"named.a/b.y must be a number, not true");
}

static void an_empty_string_is_absent_only_for_optional_texts_and_choices(void **state)
{
	(void)state;
	ACCEPTED("\"note\":\"\",\"code\":\"\",\"mode\":\"\",\"kept\":\"\"");
	assert_null(got.note.at);
	assert_text(got.code, "none");
	assert_int_equal(got.mode, -1);
	assert_text(got.kept, "");
	assert_false(takes("\"limit\":\"\""));
	assert_false(takes("\"deep\":\"\""));
	assert_false(takes("\"tags\":\"\""));
	assert_false(takes("\"modes\":[\"\"]"));
	assert_false(decodes("{\"file_path\":\"\"}"));
	assert_string_equal(call.error.message, "file_path must not be empty: it is the path of a file");
}

static void a_whole_number_may_be_written_with_a_point(void **state)
{
	(void)state;
	ACCEPTED("\"limit\":20.0,\"line\":1e2");
	assert_int_equal(got.limit, 20);
	assert_int_equal(got.line.value, 100);
	assert_false(takes("\"line\":99999999999999999999"));
}

static void zero_is_not_absent(void **state)
{
	(void)state;
	ACCEPTED("\"height\":0,\"loud\":false");
	assert_true(got.height.there && got.height.value == 0);
	assert_true(got.loud.there && !got.loud.value);
}

static void lengths_count_code_points(void **state)
{
	(void)state;
	ACCEPTED("\"note\":\"\\u00e4\\ud83d\\ude00\\u4e2d\\u6587x\"");
	assert_false(takes("\"note\":\"\\u00e4\"")); /* two bytes, one character */
}

static void a_nul_is_refused_in_paths_and_choices_only(void **state)
{
	(void)state;
	ACCEPTED("\"code\":\"a\\u0000b\"");
	assert_int_equal(got.code.len, 3);
	assert_false(takes("\"mode\":\"add\\u0000\""));
	assert_false(decodes("{\"file_path\":\"a\\u0000b\"}"));
	assert_string_equal(call.error.message, "file_path must not contain a NUL character: it is the path of a file");
}

static void a_path_is_no_longer_than_the_system_takes(void **state)
{
	(void)state;
	char *name = memset(arena_zero(&arena, FIELD_PATH_MAX + 2), 'n', FIELD_PATH_MAX + 1);
	assert_false(decodes_text(text_format(&arena, "{\"file_path\":\"%s\"}", name)));
	assert_string_equal(call.error.message, "file_path must have at most 4096 bytes, not 4097");
	name[FIELD_PATH_MAX] = 0;
	assert_true(decodes_text(text_format(&arena, "{\"file_path\":\"%s\"}", name)));
}

static void an_alias_is_accepted_but_not_beside_its_name(void **state)
{
	(void)state;
	assert_true(decodes("{\"file\":\"b\"}"));
	assert_text(got.file_path, "b");
	refused("\"filename\":\"b\"", FAULT_ARGUMENT, "/file_path",
		"file_path is given twice, as file_path and as filename: give it once");
	ACCEPTED("\"file\":null");
}

static void an_unknown_name_is_refused_with_the_nearest(void **state)
{
	(void)state;
	refused("\"limits\":1", FAULT_ARGUMENT, "/limits", "there is no argument limits: did you mean limit?");
	refused("\"points\":[{\"x\":1,\"y\":2,\"lable\":\"\"}]", FAULT_ARGUMENT, "/points/0/lable",
		"points[0] has no member lable: did you mean label?");
	refused("\"points\":[{\"quite\":1}]", FAULT_ARGUMENT, "/points/0/quite",
		"points[0] has no member quite: there is x, y or label");
	refused("\"secrat\":1", FAULT_ARGUMENT, "/secrat", "there is no argument secrat");
	ACCEPTED("\"secret\":\"open\"");
	assert_text(got.secret, "open");
}

static void names_decoded_elsewhere_are_suggested_too(void **state)
{
	(void)state;
	static const struct field beside[] = {{.name = "dry_run"}, FIELDS_END};
	struct all into;
	assert_false(fields_decode(&call, all_fields, sizeof into, tree(TEXT("{\"dryrun\":true}")), &into,
				   &(struct decode_options){.also = beside}));
	assert_string_equal(call.error.message, "there is no argument dryrun: did you mean dry_run?");
}

static void a_configuration_warns_of_unknown_keys(void **state)
{
	(void)state;
	static const struct decode_options options = {.lenient = true, .noun = "key"};
	struct buffer many = {.arena = &arena};
	struct all into;

	buffer_put(&many, "{\"file_path\":\"a\",\"limti\":3");
	for (int i = 0; i < 40; i++)
		buffer_format(&many, ",\"unheard_of_%d\":1", i);
	buffer_put(&many, "}");
	assert_true(fields_decode(&call, all_fields, sizeof into, tree(buffer_text(&many)), &into, &options));
	assert_text(call.warnings.items[0], "there is no key limti: did you mean limit?");
	assert_int_equal(call.warnings.n, 17);
	assert_text(call.warnings.items[16], "and 25 more unknown ones");
}

static void an_encoded_string_is_taken_for_objects_and_lists_with_one_warning(void **state)
{
	(void)state;
	ACCEPTED("\"points\":\"[{\\\"x\\\":1,\\\"y\\\":2}]\",\"tags\":\" [\\\"a\\\"]\"");
	assert_int_equal(got.points.n, 1);
	assert_true(((struct point *)got.points.items)[0].y == 2);
	assert_text(got.tags.items[0], "a");
	assert_int_equal(call.warnings.n, 1);
	assert_text(call.warnings.items[0], "points was a JSON-encoded string; give the list itself");
	ACCEPTED("\"origin\":\"{\\\"x\\\":1,\\\"y\\\":2}\"");
	assert_true(got.origin->x == 1);
	ACCEPTED("\"figure\":\"{\\\"type\\\":\\\"circle\\\",\\\"radius\\\":2}\"");
	assert_int_equal(got.figure.which, 0);
	ACCEPTED("\"figures\":[\"{\\\"type\\\":\\\"circle\\\",\\\"radius\\\":2}\"]");
	ACCEPTED("\"words\":\"{\\\"a\\\":\\\"b\\\"}\"");
	assert_int_equal(got.words->len, 1);
	ACCEPTED("\"modes\":\"[\\\"add\\\"]\"");
	ACCEPTED("\"weights\":\"[1]\"");
}

static void a_quoted_number_or_boolean_is_taken_with_a_warning(void **state)
{
	(void)state;
	ACCEPTED("\"limit\":\"5\"");
	assert_int_equal(got.limit, 5);
	assert_int_equal(call.warnings.n, 1);
	assert_text(call.warnings.items[0], "limit was the string \"5\"; give the number itself");
	ACCEPTED("\"deep\":\"false\"");
	assert_false(got.deep);
	assert_text(call.warnings.items[0], "deep was the string \"false\"; give the boolean itself");
	ACCEPTED("\"loud\":\"true\"");
	assert_true(got.loud.value);
	ACCEPTED("\"width\":\"1.5\"");
	assert_true(got.width == 1.5);
	ACCEPTED("\"weights\":[\"1\",\"2\"]");
	assert_int_equal(call.warnings.n, 1);
	static const char *const others[] = {"\"limit\":\"true\"", "\"deep\":\"1\"",    "\"limit\":\" 5\"",
					     "\"limit\":\"5x\"",   "\"deep\":\"True\"", "\"limit\":\"1000\"",
					     "\"width\":\"NaN\"",  "\"deep\":\"null\"", "\"limit\":\"[5]\""};
	for (size_t i = 0; i < ARRAY_COUNT(others); i++)
		assert_false(takes(others[i]));
}

static void an_encoded_string_is_taken_nowhere_else(void **state)
{
	(void)state;
	assert_false(takes("\"origin\":\"[]\""));
	assert_false(takes("\"tags\":\"{}\""));
	assert_false(takes("\"tags\":\"[\\\"a\\\"\""));
	assert_false(takes("\"tags\":\"[1]\""));
	ACCEPTED("\"any\":\"{}\"");
	assert_true(json_is(got.any, JSON_STRING));
	ACCEPTED("\"code\":\"[]\"");
	assert_text(got.code, "[]");
	assert_false(takes("\"named\":{\"a\":\"{\\\"x\\\":1,\\\"y\\\":2}\"}")); /* the tree is handed on as it came */
}

static void lists_keep_order_and_duplicates(void **state)
{
	(void)state;
	ACCEPTED("\"tags\":[\"a\",\"b\",\"a\"],\"modes\":[\"replace\",\"add\",\"add\"],\"weights\":[1,2.5,1]");
	assert_int_equal(got.tags.n, 3);
	assert_text(got.tags.items[2], "a");
	assert_int_equal(got.modes.items[0], 2);
	assert_int_equal(got.modes.items[2], 0);
	assert_true(got.weights.items[1] == 2.5);
}

static void an_empty_list_is_there(void **state)
{
	(void)state;
	ACCEPTED("\"tags\":[],\"points\":[],\"figures\":[],\"modes\":[],\"weights\":[]");
	assert_non_null(got.tags.items);
	assert_int_equal(got.tags.n, 0);
	assert_non_null(got.points.items);
	assert_non_null(got.figures.items);
	assert_non_null(got.modes.items);
	assert_non_null(got.weights.items);
}

static void a_union_is_told_apart_by_its_member(void **state)
{
	(void)state;
	ACCEPTED("\"figures\":[{\"radius\":2,\"type\":\"circle\"},{\"type\":\"square\",\"side\":3},"
		 "{\"type\":\"square\",\"side\":3,\"colour\":\"red\"}]");
	const struct variant_value *items = got.figures.items;
	assert_int_equal(items[0].which, 0);
	assert_true(((const struct circle *)items[0].value)->radius == 2);
	assert_int_equal(items[1].which, 1);
	assert_int_equal(((const struct square *)items[1].value)->colour, 1);
	assert_int_equal(((const struct square *)items[2].value)->colour, 0);
	refused("\"figures\":[{\"radius\":2}]", FAULT_MISSING, "/figures/0/type",
		"figures[0].type is required: \"circle\" or \"square\"");
	refused("\"figure\":{\"type\":\"cirle\"}", FAULT_ARGUMENT, "/figure/type",
		"figure.type must be \"circle\" or \"square\", not \"cirle\"");
	refused("\"figure\":{\"type\":7}", FAULT_ARGUMENT, "/figure/type",
		"figure.type must be \"circle\" or \"square\", not 7");
	refused("\"figure\":{\"type\":\"circle\",\"side\":1}", FAULT_ARGUMENT, "/figure/side",
		"figure has no member side: there is radius");
	refused("\"figure\":{\"type\":\"circle\",\"radius\":-1}", FAULT_ARGUMENT, "/figure/radius",
		"figure.radius must be at least 0, not -1");
}

static void a_long_list_of_choices_is_not_recited(void **state)
{
	(void)state;
	static const char *const colours[] = {"red",   "green", "blue",  "white", "black", "brown", "pink",
					      "olive", "beige", "ivory", "amber", "coral", "teal",  NULL};
	struct paint {
		int colour;
	} into;
	static const struct field paint[] = {
		FIELD(struct paint, colour, CHOICE, 0, "", .choices = colours),
		FIELDS_END,
	};
	assert_false(fields_decode(&call, paint, sizeof into, tree(TEXT("{\"colour\":\"gren\"}")), &into, NULL));
	assert_string_equal(call.error.message, "colour cannot be \"gren\": did you mean \"green\"?");
	assert_false(fields_decode(&call, paint, sizeof into, tree(TEXT("{\"colour\":\"xyzzy\"}")), &into, NULL));
	assert_string_equal(call.error.message, "colour cannot be \"xyzzy\": the schema lists the 13 allowed values");
}

static void maps_are_handed_on_as_they_are(void **state)
{
	(void)state;
	ACCEPTED("\"extra\":{\"a\":[1]},\"named\":{\"home\":{\"x\":1,\"y\":2}},\"words\":{\"a\":\"b\",\"c\":null}");
	assert_text(json_source(&arena, got.extra), "{\"a\":[1]}");
	assert_text(json_source(&arena, got.named), "{\"home\":{\"x\":1,\"y\":2}}");
	assert_text(json_source(&arena, got.words), "{\"a\":\"b\",\"c\":null}");
}

static struct text nested(unsigned levels)
{
	struct buffer to = {.arena = &arena};

	buffer_put(&to, "{\"file_path\":\"a\",\"tree\":");
	for (unsigned i = 0; i < levels; i++)
		buffer_put(&to, "{\"name\":\"n\",\"children\":[");
	for (unsigned i = 0; i < levels; i++)
		buffer_put(&to, "]}");
	buffer_put(&to, "}");
	return buffer_text(&to);
}

static void recursion_is_decoded_to_its_depth_and_no_deeper(void **state)
{
	(void)state;
	assert_true(decodes_text(nested(FIELD_DEPTH_MAX - 1)));
	unsigned levels = 1;
	for (const struct branch *b = got.tree; b->children.n; b = b->children.items)
		levels++;
	assert_int_equal(levels, FIELD_DEPTH_MAX - 1);
	assert_false(decodes_text(nested(FIELD_DEPTH_MAX)));
	assert_int_equal(call.error.fault, FAULT_ARGUMENT);
	assert_non_null(strstr(error_sentence(call.arena, &call.error), "is nested deeper than 32 levels"));
}

struct hostile {
	const char *opening, *item, *closing;
	bool fits;
};

static int64_t cost_of_list(const void *of, int size)
{
	const struct hostile *h = of;
	struct buffer to = {.arena = &arena};

	buffer_put(&to, h->opening);
	for (int n = 0; n < size; n++)
		buffer_format(&to, "%s%s", n ? "," : "", h->item);
	buffer_put(&to, h->closing);
	const struct json *v = tree(buffer_text(&to));
	int64_t from = cost_now();
	assert_int_equal(fields_decode(&call, all_fields, sizeof got, v, &got, NULL), h->fits);
	int64_t cost = cost_now() - from;
	assert_true(call.warnings.n <= 1);
	end(NULL);
	begin(NULL);
	return cost;
}

static void hostile_sizes_cost_linear_time(void **state)
{
	(void)state;
	static const struct hostile cases[] = {
		{"{\"file_path\":\"a\",\"points\":[", "{\"x\":1,\"y\":2}", "]}", true},
		{"{\"file_path\":\"a\",\"points\":[", "\"{\\\"x\\\":1,\\\"y\\\":2}\"", "]}", true},
		{"{\"file_path\":\"a\",\"weights\":[", "1e308", "]}", true},
		{"{\"file_path\":\"a\",\"figures\":[", "{\"type\":\"square\",\"side\":1}", "]}", true},
		{"{\"file_path\":\"a\",\"any\":[", "[[]]", "]}", true},
	};
	static const struct hostile refused = {"{\"file_path\":\"a\",\"tags\":[", "\"\"", "]}", false};

	for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
		assert_not_quadratic(cost_of_list, &cases[i], 10 * 1000);
	assert_not_quadratic(cost_of_list, &refused, 10 * 1000);
}

static int64_t cost_of_unknown_names(const void *of, int size)
{
	struct buffer to = {.arena = &arena};
	struct all into;
	(void)of;

	buffer_put(&to, "{\"file_path\":\"a\"");
	for (int n = 0; n < size; n++)
		buffer_format(&to, ",\"u%d\":0", n);
	buffer_put(&to, "}");
	const struct json *v = tree(buffer_text(&to));
	int64_t from = cost_now();
	assert_false(fields_decode(&call, all_fields, sizeof into, v, &into, NULL));
	assert_true(fields_decode(&call, all_fields, sizeof into, v, &into, &(struct decode_options){.lenient = true}));
	int64_t cost = cost_now() - from;
	assert_int_equal(call.warnings.n, 17);
	end(NULL);
	begin(NULL);
	return cost;
}

static void unknown_names_by_the_thousand_cost_one_refusal_or_few_warnings(void **state)
{
	(void)state;
	assert_not_quadratic(cost_of_unknown_names, NULL, 12 * 1000);
}

static void long_values_are_cut_in_messages(void **state)
{
	(void)state;
	char *word = memset(arena_zero(&arena, 100001), 'w', 100000);
	assert_false(takes(text_format(&arena, "\"mode\":\"%s\"", word).at));
	assert_true(strlen(call.error.message) < 300);
	assert_false(takes(text_format(&arena, "\"%s\":1", word).at));
	assert_true(strlen(call.error.message) < 300 && strlen(call.error.where) < 300);
	assert_false(takes(text_format(&arena, "\"named\":{\"%s\":1}", word).at));
	assert_true(strlen(call.error.message) < 300 && strlen(call.error.where) < 300);
}

static struct text encoded(const void *from)
{
	struct buffer to = {.arena = &arena};

	fields_encode(&(struct json_out){.to = &to}, all_fields, from);
	return buffer_text(&to);
}

static void encoding_gives_back_what_was_decoded(void **state)
{
	(void)state;
	static const char whole[] =
		"{\"file_path\":\"a\",\"note\":\"note\",\"code\":\"c\",\"kept\":\"\",\"limit\":7,\"line\":3,\"width\":"
		"1.5,\"height\":0,"
		"\"deep\":false,\"loud\":true,\"mode\":\"remove\",\"modes\":[\"add\",\"replace\"],\"tags\":[\"x\"],"
		"\"weights\":[0.5],"
		"\"origin\":{\"x\":1,\"y\":2,\"label\":\"here\"},\"points\":[{\"x\":3,\"y\":4}],"
		"\"tree\":{\"name\":\"r\",\"children\":[{\"name\":\"s\"}]},\"figure\":{\"type\":\"circle\",\"radius\":"
		"1},"
		"\"figures\":[{\"type\":\"square\",\"side\":2,\"colour\":\"red\"}],\"extra\":{\"k\":[null]},"
		"\"named\":{\"p\":{\"x\":0,\"y\":0}},\"words\":{\"a\":\"b\"},\"any\":[1,\"2\"]}";
	assert_true(decodes(whole));
	assert_text(encoded(&got), whole);
}

static void absent_is_left_out_null_or_empty_as_the_row_says(void **state)
{
	(void)state;
	struct answer {
		struct text a, b;
		struct texts c, d;
		struct maybe_int e;
		int f;
		const struct point *g;
		bool h;
	};
	static const struct field answer[] = {
		FIELD(struct answer, a, TEXT, 0, ""),
		FIELD(struct answer, b, TEXT, FIELD_NULLABLE, ""),
		FIELD(struct answer, c, TEXTS, FIELD_REQUIRED, ""),
		FIELD(struct answer, d, TEXTS, 0, ""),
		FIELD(struct answer, e, MAYBE_INT, FIELD_NULLABLE | FIELD_REQUIRED, ""),
		FIELD(struct answer, f, CHOICE, FIELD_NULLABLE, "", .choices = table_modes),
		FIELD(struct answer, g, OBJECT, FIELD_NULLABLE, "", .shape = &point_shape),
		FIELD(struct answer, h, FLAG, 0, ""),
		FIELDS_END};
	struct buffer to = {.arena = &arena};
	fields_encode(&(struct json_out){.to = &to}, answer, &(struct answer){.f = -1});
	assert_text(buffer_text(&to), "{\"b\":null,\"c\":[],\"e\":null,\"f\":null,\"g\":null,\"h\":false}");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_not_given_is_absent_or_its_default),
		TEST(null_is_absent_for_every_type),
		TEST(null_is_a_value_of_any_json),
		TEST(a_required_argument_must_be_there),
		TEST(no_arguments_at_all_are_an_empty_object),
		TEST(what_is_not_an_object_is_refused),
		TEST(a_wrong_type_is_refused_by_name),
		TEST(messages_say_what_would_be_right),
		TEST(an_empty_string_is_absent_only_for_optional_texts_and_choices),
		TEST(a_whole_number_may_be_written_with_a_point),
		TEST(zero_is_not_absent),
		TEST(lengths_count_code_points),
		TEST(a_nul_is_refused_in_paths_and_choices_only),
		TEST(a_path_is_no_longer_than_the_system_takes),
		TEST(an_alias_is_accepted_but_not_beside_its_name),
		TEST(an_unknown_name_is_refused_with_the_nearest),
		TEST(names_decoded_elsewhere_are_suggested_too),
		TEST(a_configuration_warns_of_unknown_keys),
		TEST(an_encoded_string_is_taken_for_objects_and_lists_with_one_warning),
		TEST(a_quoted_number_or_boolean_is_taken_with_a_warning),
		TEST(an_encoded_string_is_taken_nowhere_else),
		TEST(lists_keep_order_and_duplicates),
		TEST(an_empty_list_is_there),
		TEST(a_union_is_told_apart_by_its_member),
		TEST(a_long_list_of_choices_is_not_recited),
		TEST(maps_are_handed_on_as_they_are),
		TEST(recursion_is_decoded_to_its_depth_and_no_deeper),
		TEST(hostile_sizes_cost_linear_time),
		TEST(unknown_names_by_the_thousand_cost_one_refusal_or_few_warnings),
		TEST(long_values_are_cut_in_messages),
		TEST(encoding_gives_back_what_was_decoded),
		TEST(absent_is_left_out_null_or_empty_as_the_row_says),
	};
	return RUN_TESTS(tests);
}
