/* Compares the cost of an edit of a Word document with the cost of opening it: medians of many edits, each of another
 * paragraph, on generated documents. Prints ratios; the goal is a hundredth. Durable writes belong to the draft and are
 * not counted here. */
#include "base/array.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "format/zip_write.h"
#include "kinds/docx/edit/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define W "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
#define R "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

static const struct zip_limits limits = {
	.entries = 5000, .entry = 512u << 20, .total = 1u << 30, .ratio = 1000, .ratio_from = 1 << 20};

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct text made(struct arena *a, int paragraphs)
{
	struct buffer b = {.arena = a};
	struct zip_writer z;

	buffer_put(&b, "<w:document xmlns:w=\"" W "\"><w:body>");
	for (int i = 0; i < paragraphs; i++)
		buffer_format(
			&b,
			"<w:p w:rsidR=\"00A1\"><w:pPr><w:pStyle w:val=\"Body\"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>Clause %d.</w:t>"
			"</w:r><w:r><w:t xml:space=\"preserve\"> The Company gives notice within %d days of the event described here, in "
			"writing, to the </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>other party</w:t></w:r><w:r><w:t>.</w:t></w:r></w:p>",
			i, i % 90);
	buffer_put(&b, "<w:sectPr/></w:body></w:document>");
	zip_begin(&z, a);
	zip_add(&z, TEXT("_rels/.rels"),
		TEXT("<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r\" "
		     "Type=\"" R "/officeDocument\" Target=\"word/document.xml\"/></Relationships>"),
		true);
	zip_add(&z, TEXT("word/document.xml"), buffer_text(&b), true);
	return zip_end(&z);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

enum { ROUNDS = 5, EDITS = 201 };

static struct story *opened(struct call *c, struct arena *a, struct text bytes, struct journal *journal)
{
	struct package *p;

	c->arena = a;
	if (!package_open(c, a, bytes, &limits, &p))
		return NULL;
	*journal = (struct journal){.arena = a, .package = p};
	return story_read(c, a, p->main, STORY_BODY, styles_read(c, p), journal);
}

static void measure(int paragraphs)
{
	struct arena file = {0}, a = {0};
	struct text bytes = made(&file, paragraphs);
	double opens[ROUNDS], edits[EDITS], inserts[EDITS];
	struct journal journal;
	struct story *s = NULL;
	struct call c = {0};
	int n = paragraphs < EDITS ? paragraphs : EDITS;

	for (int i = 0; i < ROUNDS; i++) {
		arena_free(&a);
		a = (struct arena){0};
		double from = cpu_ms();
		s = opened(&c, &a, bytes, &journal);
		if (!s) {
			printf("docx_edit: %s\n", c.error.message);
			exit(1);
		}
		story_id(&c, s, 0);
		opens[i] = cpu_ms() - from;
	}
	for (int i = 0; i < n; i++) {
		struct arena scratch = {0};
		struct call one = {.arena = &scratch};
		struct changed done;
		struct inserted new;
		uint32_t p = (uint32_t)((int64_t)paragraphs * i / n);
		struct change_text how = {TEXT("notice within"), TEXT("a written note within")};
		double from = cpu_ms();
		bool is_done = change_text(&one, s, p, &how, &done);
		edits[i] = cpu_ms() - from;
		from = cpu_ms();
		is_done =
			is_done && change_insert(&one, s, p, true, p, TEXT("A new clause of a few words."), NULL, &new);
		inserts[i] = cpu_ms() - from;
		if (!is_done) {
			printf("docx_edit: %s\n", one.error.message);
			exit(1);
		}
		arena_free(&scratch);
	}
	qsort(opens, ROUNDS, sizeof *opens, by_size);
	qsort(edits, (size_t)n, sizeof *edits, by_size);
	qsort(inserts, (size_t)n, sizeof *inserts, by_size);
	printf("docx_edit %d paragraphs: open %.2f ms, edit %.4f ms (1/%.0f), insert %.4f ms (1/%.0f)\n", paragraphs,
	       opens[ROUNDS / 2], edits[n / 2], opens[ROUNDS / 2] / edits[n / 2], inserts[n / 2],
	       opens[ROUNDS / 2] / inserts[n / 2]);
	arena_free(&a);
	arena_free(&file);
}

int main(void)
{
	measure(100);
	measure(5000);
	measure(50000);
	return 0;
}
