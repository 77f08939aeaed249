#include "work/work_fixture.h"

#include "work/watch.h"

#include <sys/inotify.h>
#include <sys/vfs.h>
#include <time.h>

static int watches_left = -1; /* below 0: no limit */
static bool is_far;

int __real_inotify_add_watch(int fd, const char *path, uint32_t mask);
int __wrap_inotify_add_watch(int fd, const char *path, uint32_t mask);
int __wrap_inotify_add_watch(int fd, const char *path, uint32_t mask)
{
	if (watches_left == 0)
		return errno = ENOSPC, -1;
	if (watches_left > 0)
		watches_left--;
	return __real_inotify_add_watch(fd, path, mask);
}

int __real_fstatfs(int fd, struct statfs *fs);
int __wrap_fstatfs(int fd, struct statfs *fs);
int __wrap_fstatfs(int fd, struct statfs *fs)
{
	int r = __real_fstatfs(fd, fs);

	if (is_far)
		fs->f_type = 0x6969; /* NFS */
	return r;
}

static struct watch *opened(struct fixture *f, const char *folder)
{
	struct watch *w;
	struct watch_news news;

	if (!watch_open(&f->call, text_of(folder), ".md .markdown", &w))
		fail_msg("watch_open: %s", f->call.error.message);
	assert_true(watch_drain(&f->call, w, &news));
	assert_true(news.walk);
	assert_null(news.why);
	return w;
}

static bool has(const struct watch_news *news, const char *path, bool is_folder)
{
	for (size_t i = 0; i < news->n; i++)
		if (text_is(news->items[i].path, path) && news->items[i].is_folder == is_folder)
			return true;
	return false;
}

static struct watch_news drained(struct fixture *f, struct watch *w)
{
	struct watch_news news;

	fixture_next(f);
	if (!watch_drain(&f->call, w, &news))
		fail_msg("watch_drain: %s", f->call.error.message);
	return news;
}

static void folder(struct fixture *f, const char *name) { assert_int_equal(mkdir(fixture_path(f, name), 0777), 0); }

static void renamed(struct fixture *f, const char *from, const char *to)
{
	assert_int_equal(rename(fixture_path(f, from), fixture_path(f, to)), 0);
}

static void nothing_happened_is_no_news(void **state)
{
	struct fixture *f = *state;
	struct watch *w = opened(f, "");
	struct watch_news news = drained(f, w);

	assert_false(news.walk);
	assert_int_equal(news.n, 0);
	watch_close(w);
}

static void saves_of_every_sort_are_news(void **state)
{
	struct fixture *f = *state;
	struct watch_news news;

	folder(f, "deep");
	folder(f, "deep/er");
	fixture_put(f, "a.md", "1");
	fixture_put(f, "gone.md", "1");
	fixture_put(f, "old.md", "1");
	fixture_put(f, "deep/er/b.markdown", "1");
	struct watch *w = opened(f, "");

	fixture_put(f, "a.md", "2");                 /* in place */
	fixture_put(f, ".draft", "2");               /* hidden until it is renamed */
	renamed(f, ".draft", "deep/new.md");         /* renamed to a new name */
	renamed(f, "old.md", "deep/moved.md");       /* reports both names */
	unlink(fixture_path(f, "gone.md"));          /* deleted */
	fixture_put(f, "deep/er/b.markdown", "two"); /* in a subfolder */
	fixture_put(f, "picture.png", "2");          /* not a suffix of ours */
	fixture_put(f, ".hidden.md", "2");           /* hidden */
	news = drained(f, w);
	assert_false(news.walk);
	assert_true(has(&news, "a.md", false));
	assert_true(has(&news, "deep/new.md", false));
	assert_true(has(&news, "old.md", false));
	assert_true(has(&news, "deep/moved.md", false));
	assert_true(has(&news, "gone.md", false));
	assert_true(has(&news, "deep/er/b.markdown", false));
	assert_int_equal(news.n, 6);

	assert_done(put(f, "a.md", "by quire itself"));
	news = drained(f, w);
	assert_true(has(&news, "a.md", false));
	assert_int_equal(news.n, 1);
	watch_close(w);
}

static void a_file_is_open_from_its_first_write_until_it_is_closed(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.md", "1");
	struct watch *w = opened(f, "");
	int fd = open(fixture_path(f, "a.md"), O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, "two", 3), 3);
	struct watch_news news = drained(f, w);
	assert_int_equal(news.n, 1);
	assert_true(news.items[0].is_open);
	assert_int_equal(fchmod(fd, 0600), 0);
	assert_int_equal(write(fd, "three", 5), 5);
	assert_int_equal(close(fd), 0);
	news = drained(f, w);
	assert_int_equal(news.n, 1);
	assert_false(news.items[0].is_open);
	watch_close(w);
}

static void new_folders_are_watched_with_what_is_in_them(void **state)
{
	struct fixture *f = *state;
	struct watch *w = opened(f, "");
	struct watch_news news;

	folder(f, "one");
	folder(f, "one/two");
	fixture_put(f, "one/two/a.md", "1");
	news = drained(f, w);
	assert_false(news.walk);
	assert_true(has(&news, "one", true));
	fixture_put(f, "one/two/b.md", "1");
	news = drained(f, w);
	assert_true(has(&news, "one/two/b.md", false));
	assert_int_equal(news.n, 1);
	watch_close(w);
}

static void a_folder_that_moves_takes_its_subtree_along(void **state)
{
	struct fixture *f = *state;
	struct watch_news news;

	folder(f, "one");
	folder(f, "one/two");
	folder(f, "other");
	struct watch *w = opened(f, "");
	renamed(f, "one", "other/uno");
	news = drained(f, w);
	assert_true(has(&news, "one", true));
	assert_true(has(&news, "other/uno", true));
	fixture_put(f, "other/uno/two/a.md", "1");
	news = drained(f, w);
	assert_true(has(&news, "other/uno/two/a.md", false));
	assert_int_equal(news.n, 1);

	/* Two folders move into each other, then one gets a hidden name. */
	renamed(f, "other/uno", "uno");
	renamed(f, "other", "uno/other");
	renamed(f, "uno/two", "uno/other/two");
	drained(f, w);
	fixture_put(f, "uno/other/two/a.md", "2");
	news = drained(f, w);
	assert_true(has(&news, "uno/other/two/a.md", false));
	assert_int_equal(news.n, 1);
	renamed(f, "uno", ".uno");
	news = drained(f, w);
	assert_true(has(&news, "uno", true));
	fixture_put(f, ".uno/other/two/a.md", "3");
	assert_int_equal(drained(f, w).n, 0);
	renamed(f, ".uno", "back");
	assert_true((news = drained(f, w), has(&news, "back", true)));
	fixture_put(f, "back/other/two/a.md", "4");
	assert_true((news = drained(f, w), has(&news, "back/other/two/a.md", false)));
	watch_close(w);
}

static void a_folder_below_the_root_is_named_from_the_root(void **state)
{
	struct fixture *f = *state;
	struct watch_news news;

	folder(f, "vault");
	folder(f, "vault/a");
	struct watch *w = opened(f, "vault");
	fixture_put(f, "vault/a/x.md", "1");
	fixture_put(f, "outside.md", "1");
	news = drained(f, w);
	assert_true(has(&news, "vault/a/x.md", false));
	assert_int_equal(news.n, 1);

	renamed(f, "vault", "elsewhere");
	folder(f, "vault");
	news = drained(f, w);
	assert_true(news.walk);
	assert_non_null(news.why);
	fixture_put(f, "vault/y.md", "1");
	fixture_put(f, "elsewhere/a/x.md", "1");
	news = drained(f, w);
	assert_true(has(&news, "vault/y.md", false));
	assert_int_equal(news.n, 1);

	renamed(f, "vault", "gone");
	fixture_next(f);
	assert_refused(watch_drain(&f->call, w, &news), FAULT_NOT_FOUND);
	renamed(f, "gone", "vault");
	assert_true(drained(f, w).walk);
	assert_false(drained(f, w).walk);
	watch_close(w);
}

static void links_are_not_followed(void **state)
{
	struct fixture *f = *state;

	folder(f, "real");
	assert_int_equal(symlink("/tmp", fixture_path(f, "out")), 0);
	assert_int_equal(symlink("real", fixture_path(f, "loop")), 0);
	struct watch *w = opened(f, "");
	fixture_put(f, "real/a.md", "1");
	struct watch_news news = drained(f, w);
	assert_int_equal(news.n, 1);
	watch_close(w);
}

static void a_queue_that_ran_over_tells_to_walk(void **state)
{
	struct fixture *f = *state;
	struct watch *w = opened(f, "");
	struct watch_news news;

	folder(f, "late");
	for (int i = 0; i < 20000; i++) {
		char name[32];
		snprintf(name, sizeof name, "n%d.md", i);
		fixture_put(f, name, "");
		if (i % 1000 == 0)
			arena_free(&f->arena);
	}
	folder(f, "later");
	news = drained(f, w);
	assert_true(news.walk);
	assert_non_null(news.why);
	news = drained(f, w);
	assert_false(news.walk);
	fixture_put(f, "later/a.md", "1");
	news = drained(f, w);
	assert_true(has(&news, "later/a.md", false));
	assert_int_equal(news.n, 1);
	watch_close(w);
}

static void without_enough_watches_every_drain_tells_to_walk(void **state)
{
	struct fixture *f = *state;
	struct watch_news news;
	struct watch *w;

	folder(f, "one");
	folder(f, "one/two");
	watches_left = 2;
	assert_true(watch_open(&f->call, TEXT(""), ".md", &w));
	for (int i = 0; i < 3; i++) {
		news = drained(f, w);
		assert_true(news.walk);
		assert_non_null(strstr(news.why, "max_user_watches"));
	}
	watches_left = -1;
	watch_close(w);

	/* The watches run out later. */
	w = opened(f, "");
	watches_left = 0;
	folder(f, "three");
	assert_true(drained(f, w).walk);
	assert_true(drained(f, w).walk);
	watches_left = -1;
	watch_close(w);
}

static void a_network_file_system_is_walked(void **state)
{
	struct fixture *f = *state;
	struct watch *w;

	is_far = true;
	assert_true(watch_open(&f->call, TEXT(""), ".md", &w));
	for (int i = 0; i < 2; i++) {
		struct watch_news news = drained(f, w);
		assert_true(news.walk);
		assert_non_null(strstr(news.why, "network"));
	}
	is_far = false;
	watch_close(w);
}

static void a_call_that_ends_leads_to_a_walk(void **state)
{
	struct fixture *f = *state;
	atomic_bool cancelled = true;
	struct watch_news news;
	struct watch *w = opened(f, "");

	folder(f, "one");
	fixture_next(f);
	f->call.cancelled = &cancelled;
	assert_refused(watch_drain(&f->call, w, &news), FAULT_CANCELLED);
	assert_true(drained(f, w).walk);
	assert_false(drained(f, w).walk);
	watch_close(w);
}

static void folders_outside_are_refused(void **state)
{
	struct fixture *f = *state;
	struct watch *w = NULL;

	assert_refused(watch_open(&f->call, TEXT("../"), "", &w), FAULT_PATH);
	assert_refused(watch_open(&f->call, TEXT("none"), "", &w), FAULT_NOT_FOUND);
	fixture_put(f, "a.md", "");
	assert_refused(watch_open(&f->call, TEXT("a.md"), "", &w), FAULT_PATH);
	watch_close(NULL);
}

/* Random trees: the known files with the news applied are always what a walk finds. */
static void news_are_as_good_as_a_walk(void **state)
{
	struct fixture *f = *state;
	struct watch *w = opened(f, "");
	unsigned seed = 7;

	for (int round = 0; round < 150; round++) {
		for (int i = 0; i < 8; i++) {
			char from[64], to[64];
			int a = rand_r(&seed) % 6, b = rand_r(&seed) % 6, d = rand_r(&seed) % 6;
			snprintf(from, sizeof from, "d%d/d%d", a, b);
			snprintf(to, sizeof to, "d%d/d%d", b, d);
			switch (rand_r(&seed) % 5) {
			case 0:
				mkdir(fixture_path(f, from + 3), 0777);
				mkdir(fixture_path(f, from), 0777);
				break;
			case 1: rename(fixture_path(f, from), fixture_path(f, to)); break;
			case 2: rename(fixture_path(f, from + 3), fixture_path(f, to)); break;
			case 3: rename(fixture_path(f, from), fixture_path(f, to + 3)); break;
			default: rmdir(fixture_path(f, to));
			}
		}
		drained(f, w);
		/* After a drain, every existing folder reports a new file by its true name. */
		struct file_entry *files;
		size_t n;
		for (int a = 0; a < 6; a++)
			for (int b = 0; b < 6; b++) {
				char name[64];
				struct stat st;
				snprintf(name, sizeof name, "d%d/d%d", a, b);
				if (stat(fixture_path(f, name), &st) != 0)
					continue;
				snprintf(name, sizeof name, "d%d/d%d/n.md", a, b);
				fixture_put(f, name, "");
				struct watch_news news = drained(f, w);
				if (!has(&news, name, false) || news.n != 1)
					fail_msg("round %d: %s not reported", round, name);
				unlink(fixture_path(f, name));
				news = drained(f, w);
				assert_true(has(&news, name, false));
			}
		assert_true(work_list(&f->call, TEXT(""), ".md", 100, &files, &n));
		assert_int_equal(n, 0);
	}
	watch_close(w);
}

/* A drain without news reads the queue once, for any number of folders. */
static void a_quiet_drain_takes_no_descriptor_and_no_memory(void **state)
{
	struct fixture *f = *state;
	char name[32];

	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof name, "d%d", i);
		folder(f, name);
	}
	struct watch *w = opened(f, "");
	size_t before = open_descriptors();
	for (int i = 0; i < 10000; i++) {
		struct watch_news news;
		assert_true(watch_drain(&f->call, w, &news));
		assert_int_equal(news.n, 0);
	}
	assert_int_equal(open_descriptors(), before);
	assert_true(f->arena.used < 1 << 20);
	watch_close(w);
	assert_int_equal(open_descriptors(), before - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(nothing_happened_is_no_news),
		WITH_ROOT(saves_of_every_sort_are_news),
		WITH_ROOT(a_file_is_open_from_its_first_write_until_it_is_closed),
		WITH_ROOT(new_folders_are_watched_with_what_is_in_them),
		WITH_ROOT(a_folder_that_moves_takes_its_subtree_along),
		WITH_ROOT(a_folder_below_the_root_is_named_from_the_root),
		WITH_ROOT(links_are_not_followed),
		WITH_ROOT(a_queue_that_ran_over_tells_to_walk),
		WITH_ROOT(without_enough_watches_every_drain_tells_to_walk),
		WITH_ROOT(a_network_file_system_is_walked),
		WITH_ROOT(a_call_that_ends_leads_to_a_walk),
		WITH_ROOT(folders_outside_are_refused),
		WITH_ROOT(news_are_as_good_as_a_walk),
		WITH_ROOT(a_quiet_drain_takes_no_descriptor_and_no_memory),
	};
	return RUN_TESTS(tests);
}
