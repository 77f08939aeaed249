/* work_fixture.h: a root in a folder of its own, and calls on it. */
#ifndef QUIRE_TEST_WORK_FIXTURE_H
#define QUIRE_TEST_WORK_FIXTURE_H
#include "support/check.h"

#include "base/clock.h"
#include "work/draft.h"
#include "work/history/history.h"
#include "work/work.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
	char home[64]; /* contains the state folder and `top` */
	char top[80];  /* contains the root, and files that must not be reachable from it */
	char root[96], state[80];
	struct work *work;
	struct arena arena;
	struct call call;
};

static inline int fixture_remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

static inline void fixture_call(struct fixture *f)
{
	static const struct caller nobody = {.name = {"tester", 6}};

	f->call = (struct call){.arena = &f->arena, .work = f->work, .caller = &nobody, .tool = "test_tool"};
}

/* Ends the call and begins the next. */
static inline void fixture_next(struct fixture *f)
{
	work_release(&f->call);
	if (f->work)
		work_tick(f->work); /* as a server's ticker does */
	arena_free(&f->arena);
	fixture_call(f);
}

static inline void fixture_reopen(struct fixture *f, struct work_options options)
{
	const char *roots[] = {f->root, NULL};

	if (f->work) {
		fixture_next(f);
		work_close(f->work);
	}
	if (!options.roots)
		options.roots = roots;
	if (!options.state)
		options.state = f->state;
	fixture_call(f);
	if (!work_open(&f->call, &options, &f->work))
		fail_msg("work_open: %s", f->call.error.message);
	f->call.work = f->work;
}

static inline int fixture_open_in(void **state, const char *where)
{
	struct fixture *f = calloc(1, sizeof *f);

	snprintf(f->home, sizeof f->home, "%s/quire-work-XXXXXX", where);
	if (!mkdtemp(f->home))
		return -1;
	chmod(f->home, 0755);
	snprintf(f->top, sizeof f->top, "%s/top", f->home);
	if (mkdir(f->top, 0755) != 0)
		return -1;
	snprintf(f->root, sizeof f->root, "%s/root", f->top);
	snprintf(f->state, sizeof f->state, "%s/state", f->home);
	if (mkdir(f->root, 0777) != 0)
		return -1;
	fixture_reopen(f, (struct work_options){0});
	*state = f;
	return 0;
}

/* Uses memory (tmpfs) if possible. A killed process loses nothing there either that it gave to the kernel, and
 * thousands of flushes do not wait for a disk that others use. */
static inline int fixture_open(void **state)
{
	return fixture_open_in(state, access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
}
static inline int fixture_open_on_disk(void **state) { return fixture_open_in(state, "/tmp"); }

static inline int fixture_close(void **state)
{
	struct fixture *f = *state;

	fixture_next(f);
	work_close(f->work);
	nftw(f->home, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(f);
	return 0;
}

#define WITH_ROOT_ON_DISK(test) cmocka_unit_test_setup_teardown(test, fixture_open_on_disk, fixture_close)
#define WITH_ROOT(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

/* Files as another program sees them; names are relative to the root. */
static inline const char *fixture_path(struct fixture *f, const char *name)
{
	return text_format(&f->arena, "%s/%s", f->root, name).at;
}

static inline void fixture_put(struct fixture *f, const char *name, const char *bytes)
{
	FILE *file = fopen(fixture_path(f, name), "w");

	assert_non_null(file);
	fputs(bytes, file);
	assert_int_equal(fclose(file), 0);
}

static inline struct text fixture_bytes(struct fixture *f, const char *name)
{
	int fd = open(fixture_path(f, name), O_RDONLY | O_NOFOLLOW);
	struct stat st;

	if (fd < 0)
		return (struct text){0};
	assert_int_equal(fstat(fd, &st), 0);
	char *bytes = arena_alloc(&f->arena, (size_t)st.st_size + 1);
	assert_int_equal(read(fd, bytes, (size_t)st.st_size), st.st_size);
	close(fd);
	return (struct text){bytes, (size_t)st.st_size};
}

static inline size_t fixture_count(const char *folder, const char *suffix)
{
	DIR *dir = opendir(folder);
	size_t n = 0;

	if (!dir)
		return 0;
	for (struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.' || (e->d_name[1] && strcmp(e->d_name, "..") != 0)
			     ? text_ends(text_of(e->d_name), suffix)
			     : 0;
	closedir(dir);
	return n;
}

static inline size_t open_descriptors(void) { return fixture_count("/proc/self/fd", "") - 1; }

/* Each of these is one whole call. True: it succeeded. The error stays in f->call until the next call. */
static inline bool put(struct fixture *f, const char *path, const char *bytes)
{
	struct document *d;

	if (!documents_change(&f->call, &(struct want){text_of(path), DOCUMENT_EITHER, false}, 1, &d))
		return false;
	return work_commit(&f->call, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = text_of(bytes)}, 1,
			   "put %s", path);
}

static inline bool insert(struct fixture *f, const char *path, size_t at, const char *bytes)
{
	struct document *d;

	if (!documents_change(&f->call, &(struct want){text_of(path), DOCUMENT_THERE, false}, 1, &d))
		return false;
	struct splice s = {(uint32_t)at, (uint32_t)at, text_of(bytes)};
	return work_commit(&f->call, &(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = &s, .n = 1}, 1,
			   "insert");
}

/* Creates a document and its folders. */
static inline bool make(struct fixture *f, const char *path, const char *bytes)
{
	struct document *d;

	return documents_change(&f->call, &(struct want){text_of(path), DOCUMENT_NEW, true}, 1, &d) &&
	       work_commit(&f->call, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = text_of(bytes)}, 1,
			   "make");
}

static inline bool delete_document(struct fixture *f, const char *path)
{
	struct document *d;

	return documents_change(&f->call, &(struct want){text_of(path), DOCUMENT_THERE, false}, 1, &d) &&
	       work_commit(&f->call, &(struct change){.kind = CHANGE_DELETE, .document = d}, 1, "delete");
}

/* Renames and changes a document in one commit, and creates its new folders. */
static inline bool move(struct fixture *f, const char *from, const char *to, const struct splice *s, size_t n)
{
	struct document *d[2];
	struct want wants[] = {{text_of(from), DOCUMENT_THERE, false}, {text_of(to), DOCUMENT_NEW, true}};

	return documents_change(&f->call, wants, 2, d) &&
	       work_commit(
		       &f->call,
		       &(struct change){.kind = CHANGE_MOVE, .document = d[0], .target = d[1], .splices = s, .n = n}, 1,
		       "move");
}

/* One commit of four documents: the first is spliced, the second replaced by `whole`, the third deleted, the fourth is
 * new. */
static inline bool change_four(struct fixture *f, const char *const paths[4], const char *whole)
{
	struct document *d[4];
	struct want wants[] = {{text_of(paths[0]), DOCUMENT_THERE, false},
			       {text_of(paths[1]), DOCUMENT_THERE, false},
			       {text_of(paths[2]), DOCUMENT_THERE, false},
			       {text_of(paths[3]), DOCUMENT_NEW, true}};

	if (!documents_change(&f->call, wants, 4, d))
		return false;
	struct splice s = {5, 5, TEXT(" spliced")};
	struct change changes[] = {{.kind = CHANGE_SPLICE, .document = d[0], .splices = &s, .n = 1},
				   {.kind = CHANGE_WHOLE, .document = d[1], .bytes = text_of(whole)},
				   {.kind = CHANGE_DELETE, .document = d[2]},
				   {.kind = CHANGE_WHOLE, .document = d[3], .bytes = TEXT("made")}};
	return work_commit(&f->call, changes, 4, "four at once");
}

#define assert_done(claim)                                                                                             \
	do {                                                                                                           \
		if (!(claim))                                                                                          \
			fail_msg("%s: %s", #claim, f->call.error.message ? f->call.error.message : "(no error)");      \
		fixture_next(f);                                                                                       \
	} while (0)
#define assert_refused(claim, reason)                                                                                  \
	do {                                                                                                           \
		assert_false(claim);                                                                                   \
		if (f->call.error.fault != (reason))                                                                   \
			fail_msg("%s: fault %d: %s", #claim, f->call.error.fault,                                      \
				 f->call.error.message ? f->call.error.message : "(no error)");                        \
		fixture_next(f);                                                                                       \
	} while (0)

#endif
