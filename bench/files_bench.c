/* files_bench.c: compares work on documents with the cost of the disk.
 *
 * First a commit of 3,000 notes of 2 KB against a bare loop that does the same to the files: writes the same temps,
 * flushes once (syncfs), exchanges, reads back and unlinks, flushes the folders. By wall clock, on a disk, in turn (A B
 * A B); medians. Then document_open with a pending commit of 3,000 documents against one without, and the memory of
 * 10,000 cached documents of 2 KB. */
#include "work/work.h"

#include "work/history/store.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { NOTES = 3000, MANY = 10000, FOLDERS = 30, SIZE = 2048, PAIRS = 5, OPENS = 2000 };

static char top[64], root[80], bare[80], state[80];
static struct work *work;
static struct arena arena;
static struct call call;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "files_bench: %s: %s\n", what, call.error.message ? call.error.message : "failed");
	exit(1);
}

static void next_call(void)
{
	if (call.work)
		work_release(&call);
	arena_free(&arena);
	call = (struct call){.arena = &arena, .work = work, .tool = "bench"};
}

static void reopen(void)
{
	const char *roots[] = {root, NULL};

	if (work) {
		next_call();
		call.work = NULL;
		work_close(work);
	}
	next_call();
	must(work_open(&call, &(struct work_options){.roots = roots, .state = state}, &work), "work_open");
	call.work = work;
}

static const char *name_of(int i) { return text_format(&arena, "d%d/n%d.md", i % FOLDERS, i).at; }

static void put(const char *path, char fill)
{
	char bytes[SIZE];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	memset(bytes, fill, sizeof bytes);
	must(fd >= 0 && write(fd, bytes, sizeof bytes) == sizeof bytes, path);
	close(fd);
}

static void fill(const char *where, int notes)
{
	for (int i = 0; i < FOLDERS; i++)
		mkdir(text_format(&arena, "%s/d%d", where, i).at, 0777);
	for (int i = 0; i < notes; i++)
		put(text_format(&arena, "%s/%s", where, name_of(i)).at, 'a');
	arena_free(&arena);
}

static double quire_once(char letter)
{
	struct want *wants = arena_array(&arena, NOTES, sizeof *wants);
	struct document **documents = arena_array(&arena, NOTES, sizeof *documents);
	struct change *changes = arena_array(&arena, NOTES, sizeof *changes);
	struct splice splice = {100, 101, {&letter, 1}};

	for (int i = 0; i < NOTES; i++)
		wants[i] = (struct want){text_of(name_of(i)), DOCUMENT_THERE, false};
	must(documents_change(&call, wants, NOTES, documents), "documents_change");
	for (int i = 0; i < NOTES; i++)
		changes[i] =
			(struct change){.kind = CHANGE_SPLICE, .document = documents[i], .splices = &splice, .n = 1};
	double from = now();
	must(work_commit(&call, changes, NOTES, "bench"), "work_commit");
	double took = now() - from;
	next_call();
	return took;
}

static double bare_once(char letter)
{
	static char bytes[SIZE], back[SIZE];
	int folders[FOLDERS];

	memset(bytes, 'a', sizeof bytes);
	bytes[100] = letter;
	for (int i = 0; i < FOLDERS; i++)
		folders[i] = open(text_format(&arena, "%s/d%d", bare, i).at, O_RDONLY | O_DIRECTORY);
	const char **names = arena_array(&arena, NOTES, sizeof *names),
		   **temps = arena_array(&arena, NOTES, sizeof *temps);
	for (int i = 0; i < NOTES; i++) {
		names[i] = text_format(&arena, "n%d.md", i).at;
		temps[i] = text_format(&arena, ".n%d.md.tmp~", i).at;
	}
	double from = now();
	for (int i = 0; i < NOTES; i++) {
		int fd = openat(folders[i % FOLDERS], temps[i], O_WRONLY | O_CREAT | O_EXCL, 0666);
		must(fd >= 0 && write(fd, bytes, SIZE) == SIZE, "bare write");
		close(fd);
	}
	must(syncfs(folders[0]) == 0, "bare syncfs");
	for (int i = 0; i < NOTES; i++) {
		int at = folders[i % FOLDERS];
		must(renameat2(at, temps[i], at, names[i], RENAME_EXCHANGE) == 0, "bare exchange");
		int fd = openat(at, temps[i], O_RDONLY);
		must(read(fd, back, SIZE) == SIZE, "bare read");
		close(fd);
		unlinkat(at, temps[i], 0);
	}
	for (int i = 0; i < FOLDERS; i++)
		must(fsync(folders[i]) == 0, "bare fsync");
	double took = now() - from;
	for (int i = 0; i < FOLDERS; i++)
		close(folders[i]);
	arena_free(&arena);
	return took;
}

static int by_value(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return d < 0 ? -1 : d > 0;
}

static double median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof *values, by_value);
	return values[n / 2];
}

static void print(const char *what, double value, const char *unit, double most)
{
	printf("%-72s %8.2f %s%s\n", what, value, unit,
	       !most                 ? ""
	       : value <= most       ? "  ok"
	       : value < most * 1.15 ? "  near"
				     : "  MISSED");
}

static void commit_against_loop(void)
{
	double ours[PAIRS], theirs[PAIRS];

	for (int i = 0; i < PAIRS; i++) {
		ours[i] = quire_once((char)('b' + i));
		theirs[i] = bare_once((char)('b' + i));
	}
	double a = median(ours, PAIRS), b = median(theirs, PAIRS);
	print("a commit of 3,000 notes of 2 KB, wall", a, "ms", 0);
	print("a bare loop over the same files, wall", b, "ms", 0);
	print("commit / bare loop (at most 1.5)", a / b, "", 1.5);
}

static double opens(void)
{
	double from = now();

	for (int i = 0; i < OPENS; i++) {
		struct document *d;
		must(document_open(&call, TEXT("alone/a.md"), &d), "document_open");
		next_call();
	}
	return (now() - from) * 1e3 / OPENS;
}

/* Starts a process that has recorded a commit of 3,000 documents and holds its locks. Every other call meets this
 * commit. */
static pid_t pend(int *ready)
{
	int ends[2];

	must(pipe(ends) == 0, "pipe");
	fflush(NULL);
	pid_t pid = fork();
	if (pid) {
		close(ends[1]);
		*ready = ends[0];
		return pid;
	}
	reopen();
	struct record r = {.summary = TEXT("pending"), .who = TEXT("bench"), .tool = TEXT("bench"), .n = NOTES};
	r.documents = arena_array(&arena, NOTES, sizeof *r.documents);
	for (int i = 0; i < NOTES; i++)
		r.documents[i] = (struct record_document){
			.path = text_format(&arena, "%s/%s", root, name_of(i)),
			.before = TEXT("aaaaaaaaaaaaaaaa"),
			.after = TEXT("bbbbbbbbbbbbbbbb"),
			.delta = text_copy(&arena, TEXT("0123456789012345678901234567890123456789"))};
	for (int i = 0; i < FOLDERS; i++) {
		int fd = open(text_format(&arena, "%s/d%d", root, i).at, O_RDONLY | O_DIRECTORY);
		must(flock(fd, LOCK_EX) == 0, "flock");
	}
	must(history_record(&call, &r), "history_record");
	must(write(ends[1], "x", 1) == 1, "write");
	pause();
	_exit(0);
}

static void opening_beside_a_commit(void)
{
	double with[PAIRS], without[PAIRS];
	char byte;
	int ready;

	mkdir(text_format(&arena, "%s/alone", root).at, 0777);
	put(text_format(&arena, "%s/alone/a.md", root).at, 'a');
	for (int i = 0; i < PAIRS; i++)
		without[i] = opens();
	call.work = NULL;
	next_call();
	work_close(work);
	work = NULL;
	pid_t pid = pend(&ready);
	must(read(ready, &byte, 1) == 1, "the pending commit");
	reopen();
	opens();
	for (int i = 0; i < PAIRS; i++)
		with[i] = opens();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	double a = median(with, PAIRS), b = median(without, PAIRS);
	print("document_open beside a pending commit of 3,000", a, "us", 0);
	print("document_open without", b, "us", 0);
	print("beside / without (at most 2)", a / b, "", 2);
}

static double resident(void)
{
	long pages = 0, all = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	must(f && fscanf(f, "%ld %ld", &all, &pages) == 2, "statm");
	fclose(f);
	return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

/* Must run first, while the process has no freed memory to reuse. */
static void memory_of_small_documents(void)
{
	double before = resident();
	for (int i = 0; i < MANY; i++) {
		struct document *d;
		must(document_open(&call, text_of(name_of(i)), &d), "document_open");
		next_call();
	}
	print("resident for 10,000 cached documents of 2 KB (at most 40)", resident() - before, "MB", 40);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st, (void)type, (void)walk;
	return remove(path);
}

int main(int argc, char **argv)
{
	snprintf(top, sizeof top, "%s/quire-bench-XXXXXX", argc > 1 ? argv[1] : "/var/tmp");
	if (!mkdtemp(top))
		return 1;
	snprintf(root, sizeof root, "%s/root", top);
	snprintf(bare, sizeof bare, "%s/bare", top);
	snprintf(state, sizeof state, "%s/state", top);
	mkdir(root, 0777);
	mkdir(bare, 0777);
	mkdir(state, 0700);
	fill(root, MANY);
	fill(bare, NOTES);
	reopen();
	memory_of_small_documents();
	reopen();
	commit_against_loop();
	opening_beside_a_commit();
	next_call();
	work_close(work);
	nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}
