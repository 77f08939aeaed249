#include "support/check.h"
#include "support/growth.h"

#include "format/xml.h"

#include <stdlib.h>
#include <string.h>

static struct arena arena;
static const struct xml_limits limits = {.depth = 100, .attributes = 100, .nodes = 1000000};

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static struct xml *parsed(struct text source)
{
	struct error err = {0};
	struct xml *x = xml_parse(&arena, source, &limits, &err);

	if (!x)
		fail_msg("%.*s: %s at %u:%u", TEXT_ARGS(source), err.message, err.line, err.column);
	return x;
}

static struct text piece(const struct xml *x, uint32_t from, uint32_t to) { return text_slice(x->bytes, from, to); }

static void every_node_knows_its_bytes(void **state)
{
	(void)state;
	struct xml *x = parsed(
		TEXT("\xEF\xBB\xBF<?xml version='1.0'?>\n<!--top--><a x=\"1\">t&amp;<![CDATA[<]]>\r\n<b/><?pi y?>u"
		     "<c ></c ></a>\n<!--end-->\n"));
	static const struct {
		const char *bytes, *inner;
		enum xml_type type;
		uint32_t parent, after;
		bool is_empty_tag;
	} want[] = {
		{"<!--top-->", NULL, XML_COMMENT, XML_NONE, 1, false},
		{"<a x=\"1\">t&amp;<![CDATA[<]]>\r\n<b/><?pi y?>u<c ></c ></a>",
		 "t&amp;<![CDATA[<]]>\r\n<b/><?pi y?>u<c ></c >", XML_ELEMENT, XML_NONE, 7, false},
		{"t&amp;<![CDATA[<]]>\r\n", NULL, XML_TEXT, 1, 3, false},
		{"<b/>", "", XML_ELEMENT, 1, 4, true},
		{"<?pi y?>", NULL, XML_INSTRUCTION, 1, 5, false},
		{"u", NULL, XML_TEXT, 1, 6, false},
		{"<c ></c >", "", XML_ELEMENT, 1, 7, false},
		{"<!--end-->", NULL, XML_COMMENT, XML_NONE, 8, false},
	};

	assert_int_equal(x->n, ARRAY_COUNT(want));
	assert_int_equal(x->root, 1);
	for (uint32_t i = 0; i < x->n; i++) {
		assert_text(piece(x, x->nodes[i].from, x->nodes[i].to), want[i].bytes);
		if (want[i].inner)
			assert_text(piece(x, x->nodes[i].inner, x->nodes[i].inner_to), want[i].inner);
		assert_int_equal(x->nodes[i].type, want[i].type);
		assert_int_equal(x->nodes[i].parent, want[i].parent);
		assert_int_equal(x->nodes[i].after, want[i].after);
		assert_int_equal(x->nodes[i].is_empty_tag, want[i].is_empty_tag);
	}
	assert_int_equal(x->nodes[3].inner, x->nodes[3].to);
	assert_text(xml_name(x, 6), "c");
	assert_text(xml_decoded(&arena, x, 2), "t&<\n");
}

static void children_are_walked_in_order(void **state)
{
	(void)state;
	struct xml *x = parsed(TEXT("<!--0--><a><b><c/></b>x<d/></a><!--1-->"));

	assert_int_equal(x->root, 1);
	assert_int_equal(xml_next(x, 0), 1);
	assert_int_equal(xml_next(x, 1), 6);
	assert_int_equal(xml_next(x, 6), XML_NONE);
	assert_int_equal(xml_first(x, 1), 2);
	assert_int_equal(xml_next(x, 2), 4);
	assert_int_equal(xml_next(x, 4), 5);
	assert_int_equal(xml_next(x, 5), XML_NONE);
	assert_int_equal(xml_first(x, 2), 3);
	assert_int_equal(xml_first(x, 3), XML_NONE);
	assert_int_equal(xml_next(x, 3), XML_NONE);
}

static void text_is_decoded(void **state)
{
	static const struct {
		const char *source, *want;
	} rows[] = {
		{"plain", "plain"},
		{"&lt;&gt;&amp;&quot;&apos;", "<>&\"'"},
		{"&#65;&#x42;&#x1F600;", "AB\xF0\x9F\x98\x80"},
		{"a\r\nb\rc\nd", "a\nb\nc\nd"},
		{"a&#13;b", "a\rb"},
		{"<![CDATA[&amp;]]>", "&amp;"},
		{"<![CDATA[]]>", ""},
		{"<![CDATA[a]]]]><![CDATA[>\r\nb]]>c", "a]]>\nbc"},
		{"&#0000000065;", "A"},
		{"\ttab", "\ttab"},
		{"]]", "]]"},
		{"é&amp;€", "é&€"},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct xml *x = parsed(text_format(&arena, "<a>%s</a>", rows[i].source));
		assert_int_equal(x->n, 2);
		assert_text(xml_decoded(&arena, x, 1), rows[i].want);
	}
}

static void attributes_are_found_where_they_stand(void **state)
{
	(void)state;
	struct xml *x = parsed(TEXT("<a one='1 &gt; \"0\"'\n  two = \"x\r\ny\tz&#10;\" ns:three=''/>"));
	struct xml_attribute *list;
	size_t n = xml_attributes(&arena, x, x->root, &list);

	assert_int_equal(n, 3);
	assert_text(list[0].name, "one");
	assert_text(list[0].value, "1 > \"0\"");
	assert_text(piece(x, list[0].from, list[0].to), "one='1 &gt; \"0\"'");
	assert_text(piece(x, list[0].value_from, list[0].value_to), "1 &gt; \"0\"");
	assert_text(list[1].value, "x y z\n");
	assert_text(piece(x, list[1].from, list[1].to), "two = \"x\r\ny\tz&#10;\"");
	assert_text(list[2].value, "");
	assert_text(xml_attribute(&arena, x, x->root, "ns:three"), "");
	assert_text(xml_attribute(&arena, x, x->root, "two"), "x y z\n");
	assert_text(xml_attribute(&arena, x, x->root, "tw"), NULL);
	x = parsed(TEXT("<a>text</a>"));
	assert_int_equal(xml_attributes(&arena, x, x->root, &list), 0);
	assert_text(xml_attribute(&arena, x, x->root, "id"), NULL);
}

static void bad_documents_are_refused_with_their_place(void **state)
{
	static const struct {
		struct text source;
		const char *says;
		uint32_t line, column;
	} rows[] = {
		{TEXT(""), "ends before", 1, 1},
		{TEXT("<a>"), "ends before", 1, 4},
		{TEXT("<a><b></a>"), "should be </b>", 1, 9},
		{TEXT("<a>\n\n <b x='1' x='2'/></a>"), "given twice", 3, 11},
		{TEXT("<a>\n&nope;</a>"), "not defined", 2, 1},
		{TEXT("<a/><b/>"), "after the root", 1, 5},
		{TEXT("<a/>text"), "after the root", 1, 5},
		{TEXT("<a>\xFF</a>"), "not valid UTF-8: byte 0xff", 1, 4},
		{TEXT("<a>ok\n\xC3(</a>"), "not valid UTF-8", 2, 1},
		{TEXT("<a>\xED\xA0\x80</a>"), "not valid UTF-8", 1, 4},
		{TEXT("<a>\0</a>"), "control character 0x00", 1, 4},
		{TEXT("<a>\x01</a>"), "control character 0x01", 1, 4},
		{TEXT("<a>&#0;</a>"), "does not allow", 1, 4},
		{TEXT("<a>&#xFFFF;</a>"), "does not allow", 1, 4},
		{TEXT("<a>&#x110000;</a>"), "does not allow", 1, 4},
		{TEXT("<a>\xEF\xBF\xBF</a>"), "not allowed here", 1, 4},
		{TEXT("<a>]]></a>"), "not allowed here", 1, 6},
		{TEXT("<a x=1/>"), "not allowed here", 1, 6},
		{TEXT("<a><![CDATA[x</a>"), "CDATA section is not closed", 1, 18},
		{TEXT("<a><!-- -- --></a>"), "not allowed here", 1, 11},
		{TEXT("<a x='<'/>"), "not allowed here", 1, 7},
		{TEXT(" <?xml version='1.0'?><a/>"), "first thing", 1, 2},
		{TEXT("<!DOCTYPE a><a/>"), "DOCTYPE", 1, 1},
		{TEXT("<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM 'file:///etc/passwd' [<!ENTITY x 'y'>]>\n<a>&x;</a>"),
		 "DOCTYPE", 2, 1},
		{TEXT("<!DOCTYPE a PUBLIC 'x' '<!http://localhost/'><a/>"), "DOCTYPE", 1, 1},
		{TEXT("<?xml version='1.0' encoding='ISO-8859-1'?><a/>"), "ISO-8859-1", 1, 1},
		{TEXT("<?xml version='1.0' encoding='UTF-16'?><a/>"), "UTF-16", 1, 1},
		{TEXT("\xFF\xFE<\0a\0/\0>\0"), "UTF-16; save it as UTF-8", 1, 1},
		{TEXT("\xFE\xFF\0<\0a\0/\0>"), "UTF-16", 1, 1},
		{TEXT("\0<\0a\0/\0>"), "UTF-16", 1, 1},
		{TEXT("just words"), "only a root element", 1, 1},
		{TEXT("<a"), "ends inside a tag", 1, 1},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct error err = {0};
		/* A copy of exactly this length, so that the sanitizer finds a read beyond its end. */
		struct text source = rows[i].source;
		char *copy = malloc(source.len + !source.len);
		memcpy(copy, source.at, source.len);
		struct xml *x = xml_parse(&arena, (struct text){copy, source.len}, &limits, &err);
		free(copy);
		if (x || !strstr(err.message, rows[i].says) || err.line != rows[i].line || err.column != rows[i].column)
			fail_msg("row %zu, %.*s: %s at %u:%u", i, TEXT_ARGS(rows[i].source),
				 x ? "accepted" : err.message, err.line, err.column);
		assert_int_equal(err.fault, FAULT_ARGUMENT);
	}
}

static void unusual_documents_are_accepted(void **state)
{
	static const struct text rows[] = {
		TEXT("<a/>"),
		TEXT("\xEF\xBB\xBF<a/>"),
		TEXT("<?xml version=\"1.0\" encoding=\"utf-8\" standalone='yes'?>\r\n<a/>\r\n"),
		TEXT("<é/>"),
		TEXT("<a xmlns:x='u'><x:b x:c='1'/></a>"),
		TEXT("<a><!-- - --></a>"),
		TEXT("<a>]] ></a>"),
		TEXT("<a\n/>"),
		TEXT("<a>&#9;&#xD;&#xFFFD;&#x10FFFF;</a>"),
		TEXT("<undefined:a/>"),
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		parsed(rows[i]);
}

static int64_t cost_of_attributes(const void *of, int size)
{
	struct buffer wide = {.arena = &arena};
	struct error err = {0};

	buffer_put(&wide, "<a");
	for (int i = 0; i < size; i++)
		buffer_format(&wide, " a%d='1'", i);
	buffer_put(&wide, "/>");
	int64_t from = cost_now();
	assert_null(xml_parse(&arena, buffer_text(&wide), of, &err));
	int64_t cost = cost_now() - from;
	assert_string_equal(err.message, "an element has more than 100 attributes");
	return cost;
}

/* Input that is too deep or too long is refused at that point, and not read to its end. */
static void hostile_sizes_are_refused_at_once(void **state)
{
	struct buffer deep = {.arena = &arena}, long_list = {.arena = &arena};
	struct error err = {0};
	(void)state;

	for (int i = 0; i < 1000000; i++)
		buffer_put(&deep, "<a>");
	buffer_put(&long_list, "<a>");
	for (int i = 0; i < 1000000; i++)
		buffer_put(&long_list, "<b/>");

	assert_null(xml_parse(&arena, buffer_text(&deep), &limits, &err));
	assert_string_equal(err.message, "elements are nested more than 100 deep");
	assert_int_equal(err.column, 301);
	assert_int_equal(err.fault, FAULT_TOO_LARGE);
	assert_null(xml_parse(&arena, buffer_text(&long_list), &(struct xml_limits){10, 10, 1000}, &err));
	assert_int_equal(err.column, 3 + 999 * 4 + 1);
	assert_not_quadratic(cost_of_attributes, &limits, 6000);
}

static void limits_are_exact(void **state)
{
	struct error err = {0};
	(void)state;

	assert_non_null(xml_parse(&arena, TEXT("<a x='' y=''><b>t</b></a>"), &(struct xml_limits){2, 2, 3}, &err));
	assert_null(xml_parse(&arena, TEXT("<a x='' y=''><b>t</b></a>"), &(struct xml_limits){1, 2, 3}, &err));
	assert_null(xml_parse(&arena, TEXT("<a x='' y=''><b>t</b></a>"), &(struct xml_limits){2, 1, 3}, &err));
	assert_null(xml_parse(&arena, TEXT("<a x='' y=''><b>t</b></a>"), &(struct xml_limits){2, 2, 2}, &err));
}

static void pieces_of_a_large_document_join_exactly(void **state)
{
	struct buffer b = {.arena = &arena};
	(void)state;

	/* Longer than two pieces of eight megabytes, with tokens of odd length that cross the borders. */
	buffer_put(&b, "<a>");
	while (b.len < (17 << 20))
		buffer_put(&b, "<bcd efg='hij'>prose \xE2\x82\xAC &amp; more<!-- aside --></bcd>");
	buffer_put(&b, "</a>");
	struct xml *x = parsed(buffer_text(&b));
	assert_int_equal((x->n - 1) % 3, 0);
	for (uint32_t i = 1; i < x->n; i += 3) {
		const struct xml_node *node = &x->nodes[i];
		if (x->bytes.at[node->from] != '<' || x->bytes.at[node->to - 1] != '>' ||
		    node->inner - node->from != 15 || node->after != i + 3 || node[1].to != node[2].from ||
		    node[2].to != node->inner_to)
			fail_msg("node %u", i);
	}
	assert_int_equal(x->nodes[0].to, b.len);
}

static void lines_and_columns_count_from_one(void **state)
{
	(void)state;
	struct xml *x = parsed(TEXT("<a>\n  <b/>\n</a>"));
	uint32_t column;

	assert_int_equal(xml_line(x, 0, &column), 1);
	assert_int_equal(column, 1);
	assert_int_equal(xml_line(x, 6, &column), 2);
	assert_int_equal(column, 3);
	assert_int_equal(xml_line(x, 11, NULL), 3);
}

static void what_is_escaped_reads_back(void **state)
{
	(void)state;
	struct text hard = TEXT("a<b>&\"'\r\n\t]]>\xC3\xA9\xF0\x9F\x98\x80 ");
	struct buffer b = {.arena = &arena};

	buffer_put(&b, "<a x=\"");
	assert_int_equal(xml_escape(&b, hard, true), hard.len);
	buffer_put(&b, "\">");
	assert_int_equal(xml_escape(&b, hard, false), hard.len);
	buffer_put(&b, "</a>");
	assert_text(buffer_text(&b), "<a x=\"a&lt;b&gt;&amp;&quot;'&#13;&#10;&#9;]]&gt;\xC3\xA9\xF0\x9F\x98\x80 \">"
				     "a&lt;b&gt;&amp;\"'&#13;\n\t]]&gt;\xC3\xA9\xF0\x9F\x98\x80 </a>");
	struct xml *x = parsed(buffer_text(&b));
	assert_true(text_same(xml_attribute(&arena, x, 0, "x"), hard));
	assert_true(text_same(xml_decoded(&arena, x, 1), hard));
}

static void what_xml_cannot_hold_is_found(void **state)
{
	static const struct {
		struct text t;
		size_t at;
	} rows[] = {
		{TEXT("abc"), 3},           {TEXT("ab\0"), 2},
		{TEXT("\x1F"), 0},          {TEXT("\t\n\r\x7F"), 4},
		{TEXT("x\xEF\xBF\xBE"), 1}, {TEXT("x\xEF\xBF\xBF"), 1},
		{TEXT("\xEF\xBF\xBD"), 3},  {TEXT("a\xED\xA0\x80"), 1},
		{TEXT("\xC3"), 0},          {TEXT(""), 0},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct buffer b = {.arena = &arena};
		assert_int_equal(xml_unwritable(rows[i].t), rows[i].at);
		assert_int_equal(xml_escape(&b, rows[i].t, false), rows[i].at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(every_node_knows_its_bytes, forget),
		cmocka_unit_test_teardown(children_are_walked_in_order, forget),
		cmocka_unit_test_teardown(text_is_decoded, forget),
		cmocka_unit_test_teardown(attributes_are_found_where_they_stand, forget),
		cmocka_unit_test_teardown(bad_documents_are_refused_with_their_place, forget),
		cmocka_unit_test_teardown(unusual_documents_are_accepted, forget),
		cmocka_unit_test_teardown(hostile_sizes_are_refused_at_once, forget),
		cmocka_unit_test_teardown(limits_are_exact, forget),
		cmocka_unit_test_teardown(pieces_of_a_large_document_join_exactly, forget),
		cmocka_unit_test_teardown(lines_and_columns_count_from_one, forget),
		cmocka_unit_test_teardown(what_is_escaped_reads_back, forget),
		cmocka_unit_test_teardown(what_xml_cannot_hold_is_found, forget),
	};
	return RUN_TESTS(tests);
}
