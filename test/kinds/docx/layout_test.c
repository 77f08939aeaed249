#include "support/check.h"

#include "base/array.h"
#include "kinds/docx/surgeon/layout.h"

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static struct atoms paragraph(const char *bytes)
{
	struct atoms p;
	const struct names *names = names_read(
		&arena, NULL, TEXT("<w:d xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">"));

	assert_true(atoms_read(&arena, text_of(bytes), names, (struct field_state){0}, NULL, &p));
	return p;
}

static void spacing_stands_where_the_schema_wants_it(void **state)
{
	(void)state;
	static const struct {
		const char *in, *out;
	} rows[] = {
		{"<w:p/>", "<w:p><w:pPr><w:spacing w:before=\"0\" w:after=\"120\"/></w:pPr></w:p>"},
		{"<w:p><w:r/></w:p>", "<w:p><w:pPr><w:spacing w:before=\"0\" w:after=\"120\"/></w:pPr><w:r/></w:p>"},
		{"<w:p><w:pPr/></w:p>", "<w:p><w:pPr><w:spacing w:before=\"0\" w:after=\"120\"/></w:pPr></w:p>"},
		{"<w:p><w:pPr><w:pStyle w:val=\"a\"/><w:jc w:val=\"left\"/><w:rPr/></w:pPr></w:p>",
		 "<w:p><w:pPr><w:pStyle w:val=\"a\"/><w:spacing w:before=\"0\" w:after=\"120\"/><w:jc w:val=\"left\"/><w:rPr/></w:pPr></w:p>"},
		{"<w:p><w:pPr><w:keepNext/></w:pPr></w:p>",
		 "<w:p><w:pPr><w:keepNext/><w:spacing w:before=\"0\" w:after=\"120\"/></w:pPr></w:p>"},
		{"<w:p><w:pPr><w:spacing w:beforeAutospacing=\"1\" w:after=\"9\" w:line=\"240\" w:lineRule=\"auto\"/></w:pPr></w:p>",
		 "<w:p><w:pPr><w:spacing w:before=\"0\" w:after=\"120\" w:line=\"240\" w:lineRule=\"auto\"/></w:pPr></w:p>"},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct atoms p = paragraph(rows[i].in);
		assert_text(layout_spacing(&arena, &p, &(struct spacing){0, 120, -1, {0}}), rows[i].out);
	}
	struct atoms p = paragraph("<w:p><w:pPr><w:spacing w:after=\"9\"/></w:pPr></w:p>");
	assert_text(layout_spacing(&arena, &p, &(struct spacing){-1, -1, 360, TEXT("exact")}),
		    "<w:p><w:pPr><w:spacing w:after=\"9\" w:line=\"360\" w:lineRule=\"exact\"/></w:pPr></w:p>");
}

static void only_the_formatting_named_is_cleared(void **state)
{
	(void)state;
	struct atoms p =
		paragraph("<w:p><w:r><w:rPr><w:rStyle w:val=\"s\"/><w:b/><w:sz w:val=\"20\"/></w:rPr><w:t>a</w:t></w:r>"
			  "<w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t>b</w:t></w:r><w:r><w:t>c</w:t></w:r></w:p>");
	uint32_t runs;

	assert_text(
		layout_clear(&arena, &p, CLEAR_BOLD, &runs),
		"<w:p><w:r><w:rPr><w:rStyle w:val=\"s\"/><w:sz w:val=\"20\"/></w:rPr><w:t>a</w:t></w:r><w:r><w:t>b</w:t></w:r>"
		"<w:r><w:t>c</w:t></w:r></w:p>");
	assert_int_equal(runs, 2);
	assert_text(layout_clear(&arena, &p, CLEAR_ITALIC, &runs), p.fragment.xml.bytes.at);
	assert_int_equal(runs, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(spacing_stands_where_the_schema_wants_it, forget),
		cmocka_unit_test_teardown(only_the_formatting_named_is_cleared, forget),
	};
	return RUN_TESTS(tests);
}
