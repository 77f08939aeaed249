/* Front matter as spans: both readers, the input they refuse, and written values. */
#include "support/check.h"
#include "base/buffer.h"
#include "format/yaml.h"

#include <string.h>

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

/* key=value, key=[a|b] for lists, with the source of the value after @. */
static const char *told(const struct yaml *y, const char *source)
{
	struct buffer b = {.arena = &arena};

	if (!y)
		return "refused";
	for (size_t i = 0; i < y->entries.n; i++) {
		const struct yaml_entry *e = &y->entries.items[i];
		buffer_format(&b, "%s%.*s=", i ? " " : "", TEXT_ARGS(e->key.value));
		if (e->type == YAML_OTHER || !e->all_scalars)
			buffer_put(&b, "?");
		for (size_t k = 0; e->type != YAML_OTHER && k < e->n; k++)
			buffer_format(&b, "%s%.*s",
				      k                        ? "|"
				      : e->type == YAML_SCALAR ? ""
							       : "[",
				      TEXT_ARGS(e->items[k].value));
		buffer_format(&b, "@%.*s", (int)(e->to - e->from), source + e->from);
	}
	return buffer_text(&b).at;
}

static void values_have_texts_and_places(void **state)
{
	(void)state;
	static const struct {
		const char *source, *want;
		bool quick;
	} rows[] = {
		{"a: b\n", "a=b@b", true},
		{"", "", true},
		{"# only\n", "", true},
		{"t: [a, \"b c\", 2024]\n", "t=[a|b c|2024@[a, \"b c\", 2024]", true},
		{"t:\n  - a\n  - 'b'\nz: 1\n", "t=[a|b@- a\n  - 'b' z=1@1", true},
		{"t:\n- a\nz: 1\n", "t=[a@- a z=1@1", true},
		{"a: b # why\n", "a=b@b", false},
		{"a: \"x\\n\"\n", "a=x\n@\"x\\n\"", false},
		{"é: ü\nb: c\n", "é=ü@ü b=c@c", false},
		{"a: {b: [1]}\nc: d\n", "a=?@{b: [1]} c=d@d", false},
		{"a: &x v\nb: *x\n", "a=v@&x v b=?@*x", false},
		{"a: [b, [c]]\n", "a=?[b@[b, [c]]", false},
		{"a: |\n  one\n  two\n", "a=one\ntwo\n@|\n  one\n  two\n", false},
		{"a: [\n", "refused", false},
		{"a: *x\nb: &x v\n", "refused", false},
		{"- a\n", "refused", false},
		{"just words\n", "refused", false},
		{"a: b\n---\nc: d\n", "refused", false},
		{"? [x]\n: y\n", "refused", false},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct error error = {0};
		struct text source = text_of(rows[i].source);
		const struct yaml *quick = yaml_quick(&arena, source);
		assert_string_equal(told(yaml_full(&arena, source, &error), rows[i].source), rows[i].want);
		assert_string_equal(told(yaml_parse(&arena, source, &error), rows[i].source), rows[i].want);
		if ((quick != NULL) != rows[i].quick)
			fail_msg("%s: the quick reader %s it", rows[i].source, quick ? "takes" : "leaves");
	}
}

static void refusals_have_a_line(void **state)
{
	(void)state;
	struct error error = {0};
	assert_null(yaml_parse(&arena, TEXT("a: b\nc: [\n"), &error));
	assert_true(error.message && error.line >= 2);
	struct buffer large = {.arena = &arena};
	buffer_fill(&large, '#', YAML_MAX + 1);
	assert_null(yaml_parse(&arena, buffer_text(&large), &error));
}

static void values_are_quoted_where_yaml_needs_it(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"plain", "plain"},
		{"two words", "two words"},
		{"2024", "\"2024\""},
		{"true", "\"true\""},
		{"a: b", "\"a: b\""},
		{"#x", "\"#x\""},
		{"a, b", "\"a, b\""},
		{"", "\"\""},
		{"say \"x\"", "\"say \\\"x\\\"\""},
		{"日本", "日本"},
		{"1e5", "\"1e5\""},
		{"v1.2", "v1.2"},
		{"line\nbreak", "\"line\\x0Abreak\""},
		{"no", "\"no\""},
		{"- x", "\"- x\""},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct error error = {0};
		struct text written = yaml_quoted(&arena, text_of(rows[i][0]));
		assert_text(written, rows[i][1]);
		struct text list = text_format(&arena, "k: [%.*s]\n", TEXT_ARGS(written));
		const struct yaml *y = yaml_parse(&arena, list, &error);
		assert_true(y && y->entries.items[0].n == 1);
		assert_text(y->entries.items[0].items[0].value, rows[i][0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(values_have_texts_and_places, forget),
		cmocka_unit_test_teardown(refusals_have_a_line, forget),
		cmocka_unit_test_teardown(values_are_quoted_where_yaml_needs_it, forget),
	};
	return RUN_TESTS(tests);
}
