/* hnpx_bench.c: compares work on a cached novel with physical limits: one expat pass over its bytes, and writing them
 * durably.
 *
 * Pairs are run in turn (A B A B ...), so that a busy machine slows both. It prints the median of each in CPU time, and
 * their ratio; for writing also the wall-clock time. The book has 40 chapters x 5 sequences x 5 beats x 4 paragraphs of
 * 80 words; a second one has ten times as many chapters. */
#include "kinds/hnpx/hnpx.h"
#include "tool/reply.h"

#include <expat.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PAIRS = 31 };

static char folder[32];
static struct work *work;
static const char *beat, *chapter, *paragraph;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static const char *id_of(unsigned n)
{
	static struct arena arena;

	return id_text(&arena, n + 1).at;
}

static struct text novel(struct arena *a, unsigned chapters)
{
	static const char *const words[] = {"light", "stone",   "the", "of",     "harbour",
					    "and",   "evening", "she", "turned", "slowly"};
	static const char *const starts[] = {"The", "Mira", "She", "Then", "Jonas"}, *const names[] = {"Mira", "Tom",
												       "sea", "Jonas",
												       "lamp"};
	struct buffer b = {.arena = a};
	unsigned id = 0, word = 0;

	buffer_format(&b,
		      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<book id=\"%s\">\n  <summary>A book.</summary>\n",
		      id_of(id++));
	for (unsigned c = 0; c < chapters; c++) {
		chapter = id_of(id++);
		buffer_format(&b,
			      "  <chapter id=\"%s\" title=\"Chapter %u\" pov=\"mira\">\n    <summary>What "
			      "happens.</summary>\n",
			      chapter, c);
		for (unsigned s = 0; s < 5; s++) {
			buffer_format(&b,
				      "    <sequence id=\"%s\" loc=\"Forest\" time=\"night\">\n      <summary>A "
				      "scene.</summary>\n",
				      id_of(id++));
			for (unsigned e = 0; e < 5; e++) {
				beat = id_of(id++);
				buffer_format(&b, "      <beat id=\"%s\">\n        <summary>A turn.</summary>\n", beat);
				for (unsigned p = 0; p < 4; p++) {
					paragraph = id_of(id++);
					buffer_format(&b,
						      "        <paragraph id=\"%s\" mode=\"narration\">\n          "
						      "<summary>A step.</summary>\n"
						      "          ",
						      paragraph);
					for (unsigned w = 0; w < 80; w++) {
						word = word * 31 + 7;
						buffer_format(&b, "%s%s%s", w ? " " : "",
							      w % 11 == 0   ? starts[word / 16 % 5]
							      : w % 11 == 5 ? names[word / 16 % 5]
									    : words[word / 16 % 10],
							      w % 11 == 10 ? "." : "");
					}
					buffer_put(&b, "\n        </paragraph>\n");
				}
				buffer_put(&b, "      </beat>\n");
			}
			buffer_put(&b, "    </sequence>\n");
		}
		buffer_put(&b, "  </chapter>\n");
	}
	buffer_put(&b, "</book>\n");
	return buffer_text(&b);
}

static void XMLCALL started(void *of, const XML_Char *name, const XML_Char **attributes)
{
	(void)name, (void)attributes;
	++*(unsigned *)of;
}

static void XMLCALL ended(void *of, const XML_Char *name) { (void)name, ++*(unsigned *)of; }

static double expat_pass(struct text bytes)
{
	unsigned count = 0;
	double start = now();
	XML_Parser p = XML_ParserCreate("UTF-8");

	XML_SetUserData(p, &count);
	XML_SetElementHandler(p, started, ended);
	if (XML_Parse(p, bytes.at, (int)bytes.len, 1) != XML_STATUS_OK)
		abort();
	XML_ParserFree(p);
	return now() - start;
}

static double durable_write(struct text bytes)
{
	double start = now();
	int dir = open(folder, O_RDONLY | O_DIRECTORY),
	    fd = openat(dir, "plain.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	for (size_t at = 0; at < bytes.len;) {
		ssize_t n = write(fd, bytes.at + at, bytes.len - at);
		if (n < 0)
			abort();
		at += (size_t)n;
	}
	if (fsync(fd) || renameat(dir, "plain.tmp", dir, "plain.hnpx") || fsync(dir))
		abort();
	close(fd);
	close(dir);
	return now() - start;
}

static double called(const struct tool *table, const char *name, const char *arguments)
{
	struct arena arena = {0};
	struct reply reply = {0};
	struct caller caller = {.name = TEXT("bench")};
	struct call c = {.arena = &arena, .reply = &reply, .work = work, .caller = &caller, .tool = name};
	struct text structured;

	while (strcmp(table->name, name))
		table++;
	double start = now();
	struct json *args = json_parse(&arena, text_of(arguments), JSON_DEPTH_MESSAGE, &(struct json_error){0});
	tool_run(&c, table, args, &structured);
	if (c.error.fault) {
		fprintf(stderr, "%s: %s\n", name, c.error.message);
		exit(1);
	}
	work_release(&c);
	double took = now() - start;
	arena_free(&arena);
	return took;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *values)
{
	qsort(values, PAIRS, sizeof *values, by_size);
	return values[PAIRS / 2];
}

static void report(const char *name, double *ours, double *limit, const char *of)
{
	double a = median(ours), b = median(limit);

	printf("%-28s %10.1f us   %s %10.1f us   ratio %.4f\n", name, a, of, b, a / b);
}

static const char *only; /* a single tool to run on the small book, from the command line */

static void compare(const char *name, const struct tool *table, const char *arguments, struct text bytes)
{
	double ours[PAIRS], limit[PAIRS];

	if (only && strcmp(only, name) != 0)
		return;
	for (int i = 0; i < PAIRS; i++) {
		double start = cpu();
		called(table, name, arguments);
		ours[i] = cpu() - start;
		start = cpu();
		expat_pass(bytes);
		limit[i] = cpu() - start;
	}
	report(name, ours, limit, "expat");
}

static long resident(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (!f || fscanf(f, "%*d %ld", &pages) != 1)
		abort();
	fclose(f);
	return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static int measure(unsigned chapters)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena};
	struct text bytes = novel(&arena, chapters);

	strcpy(folder, "/var/tmp/quire-bench.XXXXXX"); /* a disk; /tmp may be in memory */
	if (!mkdtemp(folder))
		return 1;
	const struct work_options options = {.roots = (const char *const[]){folder, NULL},
					     .state = text_format(&arena, "%s/.state", folder).at};
	if (!work_open(&c, &options, &work))
		return 1;
	FILE *f = fopen(text_format(&arena, "%s/novel.hnpx", folder).at, "wb");
	fwrite(bytes.at, 1, bytes.len, f);
	fclose(f);
	f = fopen(text_format(&arena, "%s/novel.bible.md", folder).at, "wb");
	fputs("# Characters\n\n## Mira\n\n- Mira turned. [00000a]\n\n## Tom\n\n# Things\n\n## Lamp\n\n", f);
	for (int i = 0; i < 40; i++)
		fprintf(f, "## Kettle %d\n\nAliases: copper %d, pot of %d\n\n- It boils. [00000a:aaaa]\n\n", i, i, i);
	fclose(f);
	/* The bytes of a file younger than two seconds are compared, because its time cannot be trusted yet. */
	sleep(3);
	long idle = resident();
	printf("%u chapters, %.1f MB\n", chapters, (double)bytes.len / 1e6);
	const char *file = "{\"file_path\":\"novel.hnpx\"}";
	printf("first call, parsing          %10.1f us\n",
	       called(hnpx_inspect_tools, "get_next_empty_container", file));
	printf("resident above idle          %10.1f times the file\n",
	       (double)(resident() - idle) * 1024 / (double)bytes.len);
	compare("get_next_empty_container", hnpx_inspect_tools, file, bytes);
	compare("get_node", hnpx_inspect_tools,
		text_format(&arena, "{\"file_path\":\"novel.hnpx\",\"node_id\":\"%s\"}", paragraph).at, bytes);
	compare("get_subtree", hnpx_inspect_tools,
		text_format(&arena, "{\"file_path\":\"novel.hnpx\",\"node_id\":\"%s\"}", chapter).at, bytes);
	compare("render_document", hnpx_render_tools, file, bytes);
	compare("get_writing_context", hnpx_writing_tools,
		text_format(&arena, "{\"file_path\":\"novel.hnpx\",\"node_id\":\"%s\"}", beat).at, bytes);
	compare("get_bible", hnpx_bible_tools, "{\"file_path\":\"novel.hnpx\",\"view\":\"timeline\"}", bytes);
	compare("check_continuity", hnpx_continuity_tools, file, bytes);
	compare("get_bible", hnpx_bible_tools, "{\"file_path\":\"novel.hnpx\",\"view\":\"characters\"}", bytes);
	double ours[PAIRS], limit[PAIRS], ours_cpu[PAIRS], limit_cpu[PAIRS];
	for (int i = 0; i < PAIRS; i++) {
		double start = cpu();
		ours[i] = called(hnpx_create_tools, "create_paragraph",
				 text_format(&arena,
					     "{\"file_path\":\"novel.hnpx\",\"parent_id\":\"%s\",\"summary\":\"s\","
					     "\"text\":\"words %d\"}",
					     beat, i)
					 .at);
		ours_cpu[i] = cpu() - start;
		start = cpu();
		limit[i] = durable_write(bytes);
		limit_cpu[i] = cpu() - start;
	}
	report("create_paragraph", ours, limit, "write");
	report("create_paragraph, CPU", ours_cpu, limit_cpu, "write");
	work_close(work);
	if (system(text_format(&arena, "rm -rf %s", folder).at))
		return 1;
	arena_free(&arena);
	return 0;
}

int main(int argc, char **argv)
{
	only = argc > 1 ? argv[1] : NULL;
	setvbuf(stdout, NULL, _IOLBF, 0);
	return measure(40) || (!only && measure(400));
}
