/* format_bench.c: measures reading and writing of formats. Prints `name value unit`, medians of several rounds in CPU
 * time.
 *
 * Documents are generated, so that every machine measures the same bytes. The XML figure is a ratio: our table of spans
 * against expat with empty handlers, in turn on the same bytes. */
#include "base/array.h"
#include "format/json_write.h"
#include "format/splice.h"
#include "format/toml.h"
#include "format/xml.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 15 };

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
	qsort(values, n, sizeof *values, by_value);
	return values[n / 2];
}

enum { DOCUMENT = 8 << 20 };

static struct text json_document(struct arena *a)
{
	struct buffer b = {.arena = a};
	struct json_out o = {.to = &b};

	json_open(&o, '[');
	for (int i = 0; b.len < DOCUMENT; i++) {
		json_open(&o, '{');
		json_key(&o, "id");
		json_put_int(&o, i * 7919);
		json_key(&o, "title");
		json_put_text(&o, text_format(a, "Chapter %d: the harbour, \"again\"", i));
		json_key(&o, "text");
		json_put_string(
			&o,
			"The rain had not stopped since the ships came in, and nobody in the harbour spoke of it any "
			"more. \xC3\x89t\xC3\xA9, said the old man.\nThen he went home.");
		json_key(&o, "size");
		json_open(&o, '[');
		json_put_number(&o, i * 0.25);
		json_put_number(&o, 3.5);
		json_put_bool(&o, i % 2);
		json_put_null(&o);
		json_close(&o, ']');
		json_close(&o, '}');
	}
	json_close(&o, ']');
	return buffer_text(&b);
}

static struct text xml_document(struct arena *a)
{
	struct buffer b = {.arena = a};

	buffer_put(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<book id=\"aaaaaa\">\n");
	for (int i = 0; b.len < DOCUMENT; i++)
		buffer_format(&b,
			      "        <paragraph id=\"p%05d\" mode=\"dialogue\" char=\"anna\">\n"
			      "          <summary>She answers.</summary>\n"
			      "          \xE2\x80\x9CI did not say that,\xE2\x80\x9D she said &amp; turned to the "
			      "window, where the "
			      "rain was still falling on the boats.\n        </paragraph>\n",
			      i);
	buffer_put(&b, "</book>\n");
	return buffer_text(&b);
}

static struct text toml_document(struct arena *a)
{
	struct buffer b = {.arena = a};

	for (int i = 0; b.len < DOCUMENT / 8; i++)
		buffer_format(
			&b, "[section_%d]\nname = \"number %d\" # a remark\nvalues = [1, 2.5, true]\nauth.key = 'k'\n",
			i, i);
	return buffer_text(&b);
}

static void bench_json(struct text source)
{
	double reading[ROUNDS], writing[ROUNDS], megabytes = (double)source.len / 1e6;

	for (int i = 0; i < ROUNDS; i++) {
		struct arena a = {0};
		struct buffer b = {0};
		double begun = cpu_seconds();
		struct json *v = json_parse(&a, source, JSON_DEPTH_MAX, NULL);
		double read = cpu_seconds();
		json_write(&b, v);
		writing[i] = megabytes / (cpu_seconds() - read);
		reading[i] = megabytes / (read - begun);
		buffer_free(&b);
		arena_free(&a);
	}
	printf("json_parse %.0f MB/s\njson_write %.0f MB/s\n", median(reading, ROUNDS), median(writing, ROUNDS));
}

static void XMLCALL on_start(void *n, const XML_Char *name, const XML_Char **attributes)
{
	(void)name, (void)attributes;
	++*(size_t *)n;
}

static void XMLCALL on_end(void *n, const XML_Char *name)
{
	(void)name;
	++*(size_t *)n;
}

static void XMLCALL on_text(void *n, const XML_Char *text, int len)
{
	(void)text, (void)len;
	++*(size_t *)n;
}

static double bare_expat(struct text source)
{
	double begun = cpu_seconds();
	XML_Parser p = XML_ParserCreate("UTF-8");
	size_t n = 0;

	XML_SetUserData(p, &n);
	XML_SetElementHandler(p, on_start, on_end);
	XML_SetCharacterDataHandler(p, on_text);
	if (XML_Parse(p, source.at, (int)source.len, 1) != XML_STATUS_OK || !n)
		exit(1);
	XML_ParserFree(p);
	return cpu_seconds() - begun;
}

static void bench_xml(struct text source)
{
	const struct xml_limits limits = {.depth = 100, .attributes = 100, .nodes = UINT32_MAX - 1};
	double ratio[ROUNDS], speed[ROUNDS], table = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double bare = bare_expat(source), begun = cpu_seconds();
		struct arena a = {0};
		struct error err;
		struct xml *x = xml_parse(&a, source, &limits, &err);
		double took = cpu_seconds() - begun;
		if (!x)
			exit(1);
		ratio[i] = took / bare;
		speed[i] = (double)source.len / 1e6 / took;
		table = (double)a.used / (double)source.len;
		arena_free(&a);
	}
	printf("xml_parse %.0f MB/s\nxml_parse_to_expat %.2f ratio\nxml_table %.2f bytes/byte\n", median(speed, ROUNDS),
	       median(ratio, ROUNDS), table);
}

static void bench_toml(struct text source)
{
	double speed[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		struct arena a = {0};
		double begun = cpu_seconds();
		if (!toml_parse(&a, source, NULL))
			exit(1);
		speed[i] = (double)source.len / 1e6 / (cpu_seconds() - begun);
		arena_free(&a);
	}
	printf("toml_parse %.0f MB/s\n", median(speed, ROUNDS));
}

static void bench_splice(struct text source)
{
	enum { EDITS = 500 };
	double applying[ROUNDS], finding[ROUNDS];
	struct splice edits[EDITS];

	for (uint32_t i = 0; i < EDITS; i++)
		edits[i] = (struct splice){i * 16000, i * 16000 + 5, TEXT("changed")};
	for (int i = 0; i < ROUNDS; i++) {
		struct arena a = {0};
		size_t n;
		double begun = cpu_seconds();
		struct text result = splice_apply(&a, source, edits, EDITS);
		double applied = cpu_seconds();
		struct splice *found = splice_between(&a, source, result, &n);
		finding[i] = (cpu_seconds() - applied) * 1e3;
		applying[i] = (applied - begun) * 1e3;
		if (!text_same(splice_apply(&a, source, found, n), result))
			exit(1);
		arena_free(&a);
	}
	printf("splice_apply_8MB_500_edits %.2f ms\nsplice_between_8MB_500_edits %.1f ms\n", median(applying, ROUNDS),
	       median(finding, ROUNDS));
}

int main(void)
{
	struct arena a = {0};

	bench_json(json_document(&a));
	bench_xml(xml_document(&a));
	bench_toml(toml_document(&a));
	bench_splice(xml_document(&a));
	arena_free(&a);
	return 0;
}
