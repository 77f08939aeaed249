/* docx_bench: compares the cost of opening, editing and saving a Word file with the least possible cost.
 *
 * Opening with the first page is compared with inflating document.xml and one pass of expat over it, an edit with
 * opening, a save with deflating document.xml at level 6. These are medians of interleaved pairs in CPU time. Then
 * whole saves through the workspace, clean and as a redline, are compared by wall clock with deflating document.xml at
 * level 6 and a durable write of the same file (write, flush, rename, flush the folder). Then comes the
 * peak memory of comparing two versions and of accepting a document full of changes, and last the cost of proving a
 * redline, compared with that of making it. A ratio beyond its limit is marked OVER. */
#include "format/deflate.h"
#include "format/zip_write.h"
#include "kinds/docx/edit/change.h"
#include "kinds/docx/read/view.h"
#include "kinds/docx/track/compare.h"
#include "kinds/docx/track/notes.h"
#include "kinds/docx/track/proof.h"
#include "kinds/docx/track/settle.h"
#include "kinds/docx/track/track.h"
#include "work/work.h"

#include <expat.h>
#include <fcntl.h>
#include <ftw.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAIRS = 31, PAGE = 56000 };
#define W "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
#define R "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

static const struct zip_limits limits = {.entries = 1000,
					 .entry = (size_t)1 << 30,
					 .total = (size_t)1 << 31,
					 .ratio = 2000,
					 .ratio_from = (size_t)1 << 30};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Clauses as Word writes them: revision ids, several runs, numbering by style. */
static struct text document(struct arena *a, int paragraphs, bool has_ids)
{
	static const char *const words[] = {"the",  "Company", "shall",     "within",    "thirty",
					    "days", "notify",  "each",      "Purchaser", "of",
					    "any",  "breach",  "hereunder", "and",       "remedy"};
	struct buffer b = {.arena = a};
	unsigned seed = 7;

	buffer_put(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<w:document xmlns:w=\"" W
		       "\" xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\"><w:body>");
	for (int i = 0; i < paragraphs; i++) {
		if (has_ids)
			buffer_format(&b, "<w:p w14:paraId=\"%08X\" w:rsidR=\"00A1%04X\" w:rsidRDefault=\"00B2C3D4\">",
				      i + 1, i & 0xffff);
		else
			buffer_format(&b, "<w:p w:rsidR=\"00A1%04X\" w:rsidRDefault=\"00B2C3D4\">", i & 0xffff);
		buffer_format(
			&b,
			"<w:pPr><w:pStyle w:val=\"L%d\"/></w:pPr><w:r w:rsidRPr=\"00C4D5E6\"><w:rPr><w:b/></w:rPr>"
			"<w:t>Clause %d.</w:t></w:r>",
			i % 3, i);
		for (int k = 0; k < 3; k++) {
			buffer_put(&b, "<w:r><w:rPr><w:rFonts w:ascii=\"Times New Roman\" w:hAnsi=\"Times New "
				       "Roman\"/><w:sz w:val=\"22\"/></w:rPr><w:t xml:space=\"preserve\">");
			for (int j = 0; j < 12; j++) {
				seed = seed * 1103515245 + 12345;
				buffer_format(&b, " %s", words[seed >> 16 & 0xf ? (seed >> 16) % 15 : 0]);
			}
			buffer_put(&b, "</w:t></w:r>");
		}
		buffer_put(&b, "</w:p>");
	}
	buffer_put(&b, "<w:sectPr/></w:body></w:document>");
	return buffer_text(&b);
}

static struct text archive(struct arena *a, struct text xml)
{
	struct zip_writer z;
	struct buffer styles = {.arena = a};

	buffer_put(&styles, "<w:styles xmlns:w=\"" W "\">");
	for (int i = 0; i < 3; i++)
		buffer_format(
			&styles,
			"<w:style w:type=\"paragraph\" w:styleId=\"L%d\"><w:name w:val=\"L%d\"/><w:pPr><w:numPr><w:ilvl "
			"w:val=\"%d\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>",
			i, i, i);
	buffer_put(&styles, "</w:styles>");
	zip_begin(&z, a);
	zip_add(&z, TEXT("_rels/.rels"),
		TEXT("<r><Relationship Id=\"a\" Type=\"" R "/officeDocument\" Target=\"word/document.xml\"/></r>"),
		true);
	zip_add(&z, TEXT("word/document.xml"), xml, true);
	zip_add(&z, TEXT("word/styles.xml"), buffer_text(&styles), true);
	zip_add(&z, TEXT("word/numbering.xml"),
		TEXT("<w:numbering xmlns:w=\"" W "\"><w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:start "
		     "w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl><w:lvl w:ilvl=\"1\"><w:start "
		     "w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.%2\"/></w:lvl><w:lvl w:ilvl=\"2\"><w:start "
		     "w:val=\"1\"/><w:numFmt w:val=\"lowerLetter\"/><w:lvlText w:val=\"(%3)\"/></w:lvl></w:abstractNum><w:num "
		     "w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num></w:numbering>"),
		true);
	zip_add(&z, TEXT("word/_rels/document.xml.rels"),
		TEXT("<r><Relationship Id=\"s\" Type=\"" R
		     "/styles\" Target=\"styles.xml\"/><Relationship Id=\"n\" Type=\"" R
		     "/numbering\" Target=\"numbering.xml\"/></r>"),
		true);
	return zip_end(&z);
}

static void XMLCALL opened(void *of, const XML_Char *name, const XML_Char **attributes)
{
	(void)name, (void)attributes;
	++*(size_t *)of;
}
static void XMLCALL closed(void *of, const XML_Char *name)
{
	(void)name;
	++*(size_t *)of;
}
static void XMLCALL texted(void *of, const XML_Char *text, int n)
{
	(void)text;
	*(size_t *)of += (size_t)n;
}

/* The minimum for any reader: inflate document.xml, and let expat report its elements and texts. */
static double least(struct text file)
{
	struct arena a = {0};
	enum zip_fault fault;
	struct error err;
	struct text xml;
	size_t seen = 0;
	double start = now();
	struct zip *z = zip_read(&a, file, &limits, &fault, &err);

	zip_unpack(&a, z, zip_find(z, TEXT("word/document.xml")), &xml, &fault, &err);
	XML_Parser expat = XML_ParserCreate("UTF-8");
	XML_SetUserData(expat, &seen);
	XML_SetElementHandler(expat, opened, closed);
	XML_SetCharacterDataHandler(expat, texted);
	for (size_t at = 0; at < xml.len; at += 1 << 20) {
		size_t n = xml.len - at < 1 << 20 ? xml.len - at : 1 << 20;
		if (XML_Parse(expat, xml.at + at, (int)n, at + n == xml.len) == XML_STATUS_ERROR)
			abort();
	}
	XML_ParserFree(expat);
	double spent = now() - start;
	arena_free(&a);
	return spent;
}

static struct session *loaded(struct call *c, struct text file)
{
	struct session *s = calloc(1, sizeof *s);

	s->journal.arena = &s->arena;
	if (!package_open(c, &s->arena, file, &limits, &s->package) || !(s->styles = styles_read(c, s->package)) ||
	    !(s->numbering = numbering_read(c, s->package, s->styles)) ||
	    !(s->body = story_read(c, &s->arena, s->package->main, STORY_BODY, s->styles, &s->journal)))
		abort();
	s->journal.package = s->package;
	return s;
}

static size_t first_page(struct call *c, struct session *s)
{
	struct arena scratch = {0};
	struct rows_walk w;
	struct row r;
	size_t bytes = 0;
	uint8_t base = view_base(c, s);

	rows_begin(c, s, SCOPE_BODY, &w);
	w.scratch = &scratch;
	while (bytes < PAGE && rows_next(&w)) {
		rows_row(&w, &r);
		bytes += row_text(&scratch, &r, true, base).len + view_style(c, s, &r).len + r.label.len +
			 strlen(story_id(c, w.story, w.paragraph)) + 16;
	}
	arena_free(&scratch);
	return bytes;
}

struct costs {
	double open, change, save, deflate;
	size_t memory;
};

static size_t in_use(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

static struct costs measure(struct text file)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct costs k = {0};
	size_t before = in_use(), n;
	double start = now();
	struct session *s = loaded(&c, file);

	first_page(&c, s);
	k.open = now() - start;
	k.memory = in_use() - before;
	start = now();
	uint32_t p = s->body->original / 2;
	struct text old = story_fragment(s->body, p);
	struct text with[] = {text_slice(old, 0, old.len - 6), TEXT("<w:r><w:t>x</w:t></w:r></w:p>")};
	story_replace(s->body, p, text_format(&a, "%.*s%.*s", TEXT_ARGS(with[0]), TEXT_ARGS(with[1])));
	k.change = now() - start;
	start = now();
	struct splice *edits = session_archive(&c, s, &n, NULL);
	struct text saved = splice_apply(&a, file, edits, n);
	k.save = now() - start;
	start = now();
	(void)deflate_pack(&a, s->body->part->bytes);
	k.deflate = now() - start;
	if (!saved.len)
		abort();
	arena_free(&s->arena);
	free(s);
	arena_free(&a);
	return k;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof *values, by_value);
	return values[n / 2];
}

static void ratio(const char *name, int paragraphs, double value, double limit)
{
	printf("%-32s %6d %8.3f (at most %g)%s\n", name, paragraphs, value, limit, value > limit ? "  OVER" : "");
}

/* Whole saves. */

static double wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "docx_bench: %s\n", what ? what : "failed");
	exit(1);
}

/* Changes a word in every fiftieth paragraph. */
static void edit_some(struct session *s)
{
	for (uint32_t p = 0; p < s->body->original; p += 50) {
		struct arena a = {0};
		struct call c = {.arena = &a};
		struct changed done;
		struct change_text how = {.old_string = TEXT("the"), .new_string = TEXT("any such"), .occurrence = 1};
		if (!change_text(&c, s->body, p, &how, &done))
			must(text_is(text_of(c.error.code), "TEXT_NOT_FOUND"), c.error.message);
		arena_free(&a);
	}
}

static double save_once(struct work *w, struct session *s, int number, bool is_tracked, size_t *size)
{
	struct arena a = {0};
	struct call c = {.arena = &a, .work = w, .tool = "save"};
	struct want want = {text_format(&a, "%d-%d.docx", number, is_tracked), DOCUMENT_EITHER, false};
	struct document *d;
	struct track track;
	size_t n;
	double start = wall();

	if (is_tracked) {
		track_begin(&track, &c, s, TEXT("bench"));
		must(track_prove(&track, &c, s), "the redline does not hold");
	}
	struct splice *edits = session_archive(&c, s, &n, is_tracked ? &track.writer : NULL);
	struct text bytes = splice_apply(&a, s->package->zip->bytes, edits, n);
	struct change change = {.kind = CHANGE_WHOLE, .bytes = bytes};
	bool is_done = documents_change(&c, &want, 1, &d);
	change.document = d;
	must(is_done && work_commit(&c, &change, 1, "save"), c.error.message);
	work_release(&c);
	double spent = wall() - start;
	*size = bytes.len;
	arena_free(&a);
	return spent;
}

/* The minimum for any program that saves durably. */
static double least_save(const char *folder, struct text xml, struct text file, size_t size)
{
	struct arena a = {0};
	const char *temp = text_format(&a, "%s/temp", folder).at, *name = text_format(&a, "%s/bare", folder).at;
	double start = wall();

	(void)deflate_pack(&a, xml);
	int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC, 0666), at = open(folder, O_RDONLY | O_DIRECTORY);
	for (size_t left = size; left > 0;) {
		size_t n = left < file.len ? left : file.len;
		must(write(fd, file.at, n) == (ssize_t)n, "write");
		left -= n;
	}
	must(!fsync(fd) && !close(fd) && !rename(temp, name) && !fsync(at) && !close(at), "flush");
	double spent = wall() - start;
	arena_free(&a);
	return spent;
}

static int removed(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st, (void)type, (void)walk;
	return remove(path);
}

static void whole_saves(int paragraphs)
{
	char top[] = "docx_bench.XXXXXX";
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct text xml = document(&a, paragraphs, true), file = archive(&a, xml);
	int pairs = paragraphs > 10000 ? 7 : PAIRS;
	double save[2][PAIRS], least_of[2][PAIRS];
	struct work *w;
	size_t size;

	must(mkdtemp(top) != NULL, "mkdtemp");
	const char *root = text_format(&a, "%s/root", top).at, *roots[] = {root, NULL};
	must(!mkdir(root, 0777), "mkdir");
	struct work_options options = {.roots = roots, .state = text_format(&a, "%s/state", top).at};
	must(work_open(&c, &options, &w), c.error.message);
	struct session *s = loaded(&c, file);
	edit_some(s);
	for (int i = 0; i < pairs; i++)
		for (int is_tracked = 0; is_tracked < 2; is_tracked++) {
			save[is_tracked][i] = save_once(w, s, i, is_tracked, &size);
			least_of[is_tracked][i] = least_save(top, xml, file, size);
		}
	for (int is_tracked = 0; is_tracked < 2; is_tracked++) {
		double spent = median(save[is_tracked], pairs), base = median(least_of[is_tracked], pairs);
		printf("# %d paragraphs, %s: saved in %.1f ms, deflate and durable write %.1f ms\n", paragraphs,
		       is_tracked ? "tracked" : "clean", spent, base);
		ratio(is_tracked ? "save tracked, durable" : "save clean, durable", paragraphs, spent / base, 1.5);
	}
	work_close(w);
	arena_free(&s->arena);
	free(s);
	arena_free(&a);
	nftw(top, removed, 16, FTW_DEPTH | FTW_PHYS);
}

/* --- memory of calls that read a whole document ------------------------------------------------------------------ */

static size_t status_kb(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	size_t kb = 0;

	must(f != NULL, "/proc/self/status");
	while (fgets(line, sizeof line, f))
		if (!strncmp(line, name, strlen(name)))
			kb = strtoul(line + strlen(name), NULL, 10);
	fclose(f);
	return kb;
}

/* The document with one word changed in every hundredth paragraph, or with a tracked change in every paragraph. */
static struct text changed(struct arena *a, struct text xml, bool is_tracked)
{
	static const struct text mark = TEXT("</w:p>");
	struct buffer b = {.arena = a};
	size_t from = 0, at;

	for (int i = 0; (at = text_find(xml, mark, from)) != SIZE_MAX; i++, from = at + mark.len) {
		buffer_add(&b, text_slice(xml, from, at));
		if (is_tracked)
			buffer_format(
				&b,
				"<w:del w:id=\"%d\" w:author=\"a\" w:date=\"2026-01-01T00:00:00Z\"><w:r><w:delText>old"
				"</w:delText></w:r></w:del><w:ins w:id=\"%d\" w:author=\"a\" w:date=\"2026-01-01T00:00:00Z\">"
				"<w:r><w:t>new</w:t></w:r></w:ins>",
				2 * i, 2 * i + 1);
		else if (i % 100 == 0)
			buffer_put(&b, "<w:r><w:t> and more</w:t></w:r>");
		buffer_add(&b, mark);
	}
	buffer_add(&b, text_slice(xml, from, xml.len));
	return buffer_text(&b);
}

static void compare_files(struct call *c, struct text original, struct text revised)
{
	struct stamp stamp = {.author = TEXT("bench"), .date = TEXT("2026-01-01T00:00:00Z"), .next_id = 1};
	struct text files[] = {original, revised}, parts[2];
	struct comparison counts = {0};
	struct package *p[2];
	struct pieces redline;
	struct carry carry;
	struct notes notes;
	size_t n;

	for (int i = 0; i < 2; i++)
		must(package_open(c, c->arena, files[i], &limits, &p[i]) &&
			     settle_part(c->arena, p[i]->main->bytes, &parts[i]),
		     "open");
	carry_begin(&carry, c, p[1], p[0]);
	must(notes_begin(&notes, c, &carry) &&
		     compare_parts(c, parts[0], parts[1], &carry, &notes, &stamp, &counts, &redline) && counts.modified,
	     "compare");
	struct zip_change change = {.member = p[0]->main->member, .name = p[0]->main->name, .pieces = redline};
	zip_splices(c->arena, p[0]->zip, &change, 1, &n);
}

/* --- the proof of a redline -------------------------------------------------------------------------------------- */

/* The edits that lead from the part to these pieces, which are slices of it and new bytes. */
static struct proof_edits edits_of(struct arena *a, struct text part, struct pieces redline)
{
	ARRAY(struct splice) list = {0};
	uint32_t at = 0;

	for (size_t i = 0; i < redline.n; i++) {
		struct text piece = redline.items[i];
		bool is_kept = piece.at >= part.at && piece.at < part.at + part.len;
		if (!is_kept) {
			*ARRAY_PUSH(a, &list) = (struct splice){at, at, piece};
			continue;
		}
		uint32_t from = (uint32_t)(piece.at - part.at);
		if (from > at && list.n && list.items[list.n - 1].to == at)
			list.items[list.n - 1].to = from;
		else if (from > at)
			*ARRAY_PUSH(a, &list) = (struct splice){at, from, TEXT("")};
		at = from + (uint32_t)piece.len;
	}
	return (struct proof_edits){list.items, list.n};
}

/* The cost of the proof of a comparison, and of the whole comparison with it. */
static void prove_comparison(struct text original, struct text revised, double *whole, double *proof)
{
	static const struct names none = {0};
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct stamp stamp = {.author = TEXT("bench"), .date = TEXT("2026-01-01T00:00:00Z"), .next_id = 1};
	struct comparison counts = {0};
	struct package *p[2];
	struct pieces redline;
	struct carry carry;
	struct notes notes;
	size_t n;

	must(package_open(&c, &a, original, &limits, &p[0]) && package_open(&c, &a, revised, &limits, &p[1]), "open");
	struct text was = p[0]->main->bytes, is = p[1]->main->bytes;
	double start = now();
	carry_begin(&carry, &c, p[1], p[0]);
	must(notes_begin(&notes, &c, &carry) && compare_parts(&c, was, is, &carry, &notes, &stamp, &counts, &redline),
	     "compare");
	struct zip_change change = {.member = p[0]->main->member, .name = p[0]->main->name, .pieces = redline};
	zip_splices(&a, p[0]->zip, &change, 1, &n);
	*whole = now() - start;
	struct proof q = {
		.bytes = was,
		.names = &none,
		.redline = edits_of(&a, was, redline),
		.revised = text_slice(is, text_find(is, TEXT("<w:body>"), 0), text_find(is, TEXT("</w:document>"), 0)),
		.revised_names = names_read(
			&a, NULL,
			text_slice(is, text_find(is, TEXT("<w:document"), 0), text_find(is, TEXT("<w:body>"), 0))),
		.has_revised = true,
		.is_loose = true};
	start = now();
	must(proof_holds(&a, &q), "the redline does not hold");
	*proof = now() - start;
	arena_free(&a);
}

/* The cost of the redline of a session, proved or not. */
static double redline_cost(struct session *s, bool is_proved)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct track track;
	size_t n;
	double start = now();

	track_begin(&track, &c, s, TEXT("bench"));
	must(!is_proved || track_prove(&track, &c, s), "the redline does not hold");
	(void)session_archive(&c, s, &n, &track.writer);
	double spent = now() - start;
	arena_free(&a);
	return spent;
}

static void proofs(int paragraphs)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct text xml = document(&a, paragraphs, true), file = archive(&a, xml);
	struct text other = archive(&a, changed(&a, xml, false));
	int pairs = paragraphs > 10000 ? 5 : 15;
	double of_save[PAIRS], of_compare[PAIRS];
	struct session *s = loaded(&c, file);

	edit_some(s);
	for (int i = 0; i < pairs; i++) {
		double whole, proof;
		double bare = redline_cost(s, false);
		of_save[i] = redline_cost(s, true) / bare - 1;
		prove_comparison(file, other, &whole, &proof);
		of_compare[i] = proof / (whole - proof);
	}
	ratio("proof / redline of a session", paragraphs, median(of_save, pairs), 0.5);
	ratio("proof / redline of two files", paragraphs, median(of_compare, pairs), 0.5);
	arena_free(&s->arena);
	free(s);
	arena_free(&a);
}

static void accept_all(struct call *c, struct text file, struct text unused)
{
	struct session *s = loaded(c, file);
	const struct edit *const *e = docx_edits;

	(void)unused;
	while (strcmp((*e)->name, "accept_changes"))
		e++;
	must((*e)->apply(c, s, arena_zero(c->arena, (*e)->in_size), arena_zero(c->arena, (*e)->out_size)), "accept");
	arena_free(&s->arena);
	free(s);
}

static void most_memory(const char *name, int paragraphs, struct text xml,
			void (*run)(struct call *, struct text, struct text), struct text first, struct text second)
{
	struct arena a = {0};
	struct call c = {.arena = &a};

	malloc_trim(0);
	FILE *f = fopen("/proc/self/clear_refs", "w"); /* resets the peak to the current use */
	must(f && fputs("5", f) >= 0 && !fclose(f), "/proc/self/clear_refs");
	size_t before = status_kb("VmHWM:");
	run(&c, first, second);
	ratio(name, paragraphs, (double)(status_kb("VmHWM:") - before) * 1024 / (double)xml.len, 5);
	arena_free(&a);
}

static void large_ones(int paragraphs)
{
	struct arena a = {0};
	struct text xml = document(&a, paragraphs, true), other = changed(&a, xml, false);
	struct text tracked = changed(&a, xml, true), tracked_other = changed(&a, other, true);

	most_memory("compare, memory / document.xml", paragraphs, other, compare_files, archive(&a, xml),
		    archive(&a, other));
	most_memory("compare tracked, memory", paragraphs, tracked_other, compare_files, archive(&a, tracked),
		    archive(&a, tracked_other));
	most_memory("accept, memory / document.xml", paragraphs, tracked, accept_all, archive(&a, tracked),
		    (struct text){0});
	arena_free(&a);
}

int main(void)
{
	static const int sizes[] = {100, 5000, 50000};

	for (int ids = 1; ids >= 0; ids--) {
		for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
			struct arena a = {0};
			int n = sizes[i], pairs = n > 10000 ? 9 : PAIRS;
			double base[PAIRS], open[PAIRS], change[PAIRS], save[PAIRS], pack[PAIRS];
			struct text xml = document(&a, n, ids), file = archive(&a, xml);
			struct costs k = {0};
			for (int r = 0; r < pairs; r++) {
				base[r] = least(file);
				k = measure(file);
				open[r] = k.open, change[r] = k.change, save[r] = k.save, pack[r] = k.deflate;
			}
			double b = median(base, pairs), o = median(open, pairs);
			printf("# %d paragraphs, %s: document.xml %.1f MB; inflate + expat %.2f ms, open + first page %.2f ms\n",
			       n, ids ? "with paraId" : "without", (double)xml.len / 1e6, b, o);
			/* A document of one page is shown whole, so every row is written as well as read. */
			ratio("open and first page / least", n, o / b, 1.5);
			ratio("change / open", n, median(change, pairs) / o, n > 1000 ? 0.01 : 0.05);
			ratio("save / deflate", n, median(save, pairs) / median(pack, pairs), 1.5);
			ratio("memory / document.xml", n, (double)k.memory / (double)xml.len, 5);
			arena_free(&a);
		}
	}
	for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
		whole_saves(sizes[i]);
	for (size_t i = 1; i < ARRAY_COUNT(sizes); i++)
		large_ones(sizes[i]);
	for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
		proofs(sizes[i]);
	return 0;
}
