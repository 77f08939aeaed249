/* notes_readers_bench.c: notes: two threads that call tools in one process, against one. Throughput by wall clock, in
 * turn; medians. Prints nothing useful on a machine with one free core. */
#include "kinds/notes/notes.h"
#include "work/work.h"

#include "format/json.h"
#include "tool/reply.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { NOTES = 2000, CALLS = 1500, ROUNDS = 7 };

static char root[64] = "/tmp/quire-bench.XXXXXX";
static struct work *work;
static void *vault;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fill(void)
{
	char path[100];

	for (int i = 0; i < NOTES; i++) {
		snprintf(path, sizeof path, "%s/note-%d.md", root, i);
		FILE *f = fopen(path, "w");
		fprintf(f, "---\nstatus: %s\n---\n# Note\n[[note-%d]] [[note-%d]]\n", i % 3 ? "open" : "done",
			(i * 7) % NOTES, (i * 13) % NOTES);
		for (int k = 0; k < 60; k++)
			fprintf(f, "word%d ", (i * 31 + k * 17) % 900);
		fclose(f);
	}
}

static void call_tool(const struct tool *tool, const char *arguments)
{
	struct arena a = {0};
	struct reply reply = {0};
	struct call c = {.arena = &a, .work = work, .state = vault, .tool = tool->name, .reply = &reply};
	struct text structured;

	tool_run(&c, tool, json_parse(&a, text_of(arguments), JSON_DEPTH_MAX, NULL), &structured);
	if (c.error.message) {
		fprintf(stderr, "notes_readers_bench: %s\n", c.error.message);
		exit(1);
	}
	work_release(&c);
	arena_free(&a);
}

struct job {
	const struct tool *tool;
	const char *arguments;
	int calls;
};

static void *run(void *job)
{
	const struct job *j = job;

	for (int i = 0; i < j->calls; i++)
		call_tool(j->tool, j->arguments);
	return NULL;
}

static double throughput(struct job job, int threads)
{
	pthread_t ids[2];
	double from = now();

	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, run, &job);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	return threads * job.calls / (now() - from);
}

static int by_value(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

int main(void)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	char state[80];

	if (!mkdtemp(root))
		return 1;
	snprintf(state, sizeof state, "%s.state", root);
	mkdir(state, 0700);
	fill();
	if (!work_open(&c, &(struct work_options){.roots = (const char *[]){root, NULL}, .state = state}, &work))
		return 1;
	c.work = work;
	if (!vault_open(&c, &(struct notes_config){.embed = TEXT("none")}, &vault))
		return 1;
	const struct job jobs[] = {{&notes_find_tools[0], "{\"where\":[\"status = open\"],\"limit\":20}", CALLS / 5},
				   {&notes_node_tools[0], "{\"id\":\"note-7.md\",\"depth\":1}", CALLS}};
	for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) {
		double ratios[ROUNDS];
		call_tool(jobs[k].tool, jobs[k].arguments);
		for (int i = 0; i < ROUNDS; i++) {
			double one = throughput(jobs[k], 1);
			ratios[i] = throughput(jobs[k], 2) / one;
		}
		qsort(ratios, ROUNDS, sizeof *ratios, by_value);
		printf("notes: %s, two threads / one: %.2f (at least 1.7)\n", jobs[k].tool->name, ratios[ROUNDS / 2]);
	}
	vault_close(vault);
	work_release(&c);
	work_close(work);
	return 0;
}
