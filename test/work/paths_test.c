/* Every known way out of a root, through both gates (openat2 and the walk), for reading and writing. */
#include "work/work_fixture.h"
#include "work/workspace.h"

#include <pthread.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#define SECRET "the secret"

/* The expected outcome. READS: it names a document inside. MAKES: it does not exist, and may be created. */
enum expect { REFUSED, READS, MAKES };

static void link_to(struct fixture *f, const char *name, const char *target)
{
	assert_int_equal(symlink(target, fixture_path(f, name)), 0);
}

static void outside_put(struct fixture *f, const char *name, const char *bytes)
{
	fixture_put(f, text_format(&f->arena, "../%s", name).at, bytes);
}

static const char *const depths[] = {"", "d/", "d/e/", "d/e/f/"};
static const char *const ups[] = {"", "../", "../../", "../../../"};

static void build(struct fixture *f)
{
	mkdir(text_format(&f->arena, "%s/outside", f->top).at, 0777);
	mkdir(text_format(&f->arena, "%s/rootx", f->top).at, 0777);
	outside_put(f, "outside/secret.txt", SECRET);
	outside_put(f, "rootx/secret.txt", SECRET);
	outside_put(f, "secret.txt", SECRET);
	for (size_t i = 1; i < ARRAY_COUNT(depths); i++)
		assert_int_equal(mkdir(fixture_path(f, depths[i]), 0777), 0);
	for (size_t i = 0; i < ARRAY_COUNT(depths); i++) {
		const char *d = depths[i], *up = ups[i];
		struct arena *a = &f->arena;
#define AT(name) text_format(a, "%s%s", d, name).at
		fixture_put(f, AT("a.txt"), "inside");
		link_to(f, AT("good"), "a.txt");
		link_to(f, AT("good_chain"), "good");
		link_to(f, AT("good_folder"), i + 1 < ARRAY_COUNT(depths) ? (const char *[]){"d", "e", "f"}[i] : ".");
		link_to(f, AT("good_up"), text_format(a, "%sa.txt", up).at);
		link_to(f, AT("out"), text_format(a, "%s../secret.txt", up).at);
		link_to(f, AT("out_chain"), "out");
		link_to(f, AT("out_folder"), text_format(a, "%s../outside", up).at);
		link_to(f, AT("out_and_in"), text_format(a, "%s../root/a.txt", up).at);
		link_to(f, AT("out_root"), text_format(a, "%s..", up).at);
		link_to(f, AT("absolute_out"), text_format(a, "%s/secret.txt", f->top).at);
		link_to(f, AT("absolute_in"), text_format(a, "%s/a.txt", f->root).at);
		link_to(f, AT("absolute_folder"), f->top);
		link_to(f, AT("etc"), "/etc/passwd");
		link_to(f, AT("proc_root"), "/proc/self/root");
		link_to(f, AT("proc_cwd"), "/proc/self/cwd");
		link_to(f, AT("zero"), "/dev/zero");
		link_to(f, AT("loop"), "loop");
		link_to(f, AT("loop_a"), "loop_b");
		link_to(f, AT("loop_b"), "loop_a");
		link_to(f, AT("dangling"), "nowhere.txt");
		link_to(f, AT("dangling_out"), text_format(a, "%s../outside/new.txt", up).at);
		link_to(f, AT("dangling_absolute"), text_format(a, "%s/outside/new.txt", f->top).at);
		link_to(f, AT("dangling_folder"), "nowhere");
		assert_int_equal(mkfifo(fixture_path(f, AT("pipe")), 0666), 0);
	}
}

/* The state folder exists and its databases are open, as after any write and read. */
static void begin_state(struct fixture *f)
{
	struct document *d;

	assert_done(put(f, "first.txt", "first"));
	assert_done(document_open(&f->call, TEXT("first.txt"), &d));
}

static int vectors;

static bool read_one(struct fixture *f, struct text path, struct text *bytes)
{
	struct document *d;

	if (!document_open(&f->call, path, &d))
		return false;
	*bytes = document_bytes(d);
	return true;
}

static bool write_one(struct fixture *f, struct text path)
{
	struct document *d;

	if (!documents_change(&f->call, &(struct want){path, DOCUMENT_EITHER, true}, 1, &d))
		return false;
	return work_commit(&f->call, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = TEXT("written")}, 1,
			   "vector");
}

static void assert_nothing_got_out(struct fixture *f, struct text path)
{
	static const char *const secrets[] = {"../secret.txt", "../outside/secret.txt", "../rootx/secret.txt"};

	for (size_t i = 0; i < ARRAY_COUNT(secrets); i++)
		if (!text_is(fixture_bytes(f, secrets[i]), SECRET))
			fail_msg("%s was written through %.*s", secrets[i], TEXT_ARGS(path));
	if (fixture_count(f->top, "") != 4 || fixture_count(fixture_path(f, "../outside"), "") != 1 ||
	    fixture_count(fixture_path(f, "../rootx"), "") != 1)
		fail_msg("a file was made outside through %.*s", TEXT_ARGS(path));
}

static void try_text(struct fixture *f, struct text path, enum expect expect)
{
	for (int walk = 0; walk < 2; walk++) {
		struct text bytes = {0};
		size_t descriptors = open_descriptors();
		f->work->roots.walk = walk;
		bool done = read_one(f, path, &bytes);
		if (done && text_same(bytes, TEXT(SECRET)))
			fail_msg("%.*s reads the secret", TEXT_ARGS(path));
		if (done != (expect == READS))
			fail_msg("reading %.*s (walk %d): %s", TEXT_ARGS(path), walk,
				 done ? "done" : f->call.error.message);
		fixture_next(f);
		assert_int_equal(open_descriptors(), descriptors);
		if (expect != REFUSED)
			continue;
		if (write_one(f, path))
			fail_msg("writing %.*s (walk %d) was done", TEXT_ARGS(path), walk);
		assert_int_not_equal(f->call.error.fault, FAULT_NONE);
		assert_int_not_equal(f->call.error.fault, FAULT_INTERNAL);
		fixture_next(f);
		assert_int_equal(open_descriptors(), descriptors);
		assert_nothing_got_out(f, path);
	}
	vectors++;
}

static void try(struct fixture *f, const char *path, enum expect expect)
{
	/* The fixture's arena is emptied between calls. */
	char *kept = strdup(path);

	try_text(f, text_of(kept), expect);
	free(kept);
}

static const struct {
	const char *path;
	enum expect expect;
} plain[] = {
	{"a.txt", READS},
	{"./a.txt", READS},
	{"d/../a.txt", READS},
	{"d/e/../../a.txt", READS},
	{"d//e///a.txt", READS},
	{"./././d/./a.txt", READS},
	{"d/e/f/../../../a.txt", READS},
	{"none.txt", MAKES},
	{"d/none.txt", MAKES},
	{"new/none.txt", MAKES},
	{"new/er/none.txt", MAKES},
	{"", REFUSED},
	{".", REFUSED},
	{"./", REFUSED},
	{"/", REFUSED},
	{"//", REFUSED},
	{"d", REFUSED},
	{"d/", REFUSED},
	{"d/.", REFUSED},
	{"d/..", REFUSED},
	{"a.txt/", REFUSED},
	{"a.txt/.", REFUSED},
	{"a.txt/..", REFUSED},
	{"a.txt/../a.txt", REFUSED},
	{"a.txt/b", REFUSED},
	{"a.txt/b/c", REFUSED},
	{"none.txt/", REFUSED},
	{"none/.", REFUSED},
	{"none/..", REFUSED},
	{"none/../a.txt", REFUSED},
	{"none/../../secret.txt", REFUSED},
	{"new/../../outside/x.txt", REFUSED},
	{"..", REFUSED},
	{"../", REFUSED},
	{"../..", REFUSED},
	{"../secret.txt", REFUSED},
	{"../outside/secret.txt", REFUSED},
	{"../rootx/secret.txt", REFUSED},
	{"./../secret.txt", REFUSED},
	{".//../secret.txt", REFUSED},
	{"../root/a.txt", REFUSED},
	{"../outside/new.txt", REFUSED},
	{"../new.txt", REFUSED},
	{"d/../../secret.txt", REFUSED},
	{"d/e/../../../secret.txt", REFUSED},
	{"d/../../root/a.txt", REFUSED},
	{"d/../../root/../secret.txt", REFUSED},
	{"..//secret.txt", REFUSED},
	{"../../../../../../../../etc/passwd", REFUSED},
	{"/etc/passwd", REFUSED},
	{"//etc/passwd", REFUSED},
	{"/../etc/passwd", REFUSED},
	{"/./etc/passwd", REFUSED},
	{"/proc/self/environ", REFUSED},
	{"/proc/self/fd/0", REFUSED},
	{"/proc/self/root/etc/passwd", REFUSED},
	{"/proc/self/cwd/a.txt", REFUSED},
	{"/dev/zero", REFUSED},
	{"/dev/stdin", REFUSED},
	{"/dev/null", REFUSED},
	{"/dev/tty", REFUSED},
	{"/sys/kernel/profiling", REFUSED},
	{"/tmp", REFUSED},
	{".quire/history.db", REFUSED},
	{".quire/new.txt", REFUSED},
	{"./.quire/history.db", REFUSED},
	{"d/../.quire/history.db", REFUSED},
	{".quire", REFUSED},
	{"d/.quire/x.txt", REFUSED},
	{".quire/../.quire/history.db", REFUSED},
	{".a.txt.quire~", REFUSED},
	{"d/.a.txt.quire~", REFUSED},
	{"..a", MAKES},
	{"...", MAKES},
	{"..a/b.txt", MAKES},
	{"d/...", MAKES},
	{" ", MAKES},
	{"\\..\\secret.txt", MAKES},
	{"%2e%2e/secret.txt", MAKES},
	{"..%2fsecret.txt", MAKES},
	{"~/a.txt", MAKES},
	{"$HOME/a.txt", MAKES},
	{"a.txt ", MAKES},
	{"A.TXT", MAKES},
	{"-rf", MAKES},
	{"file:///etc/passwd", MAKES},
	{"http://x/a.txt", MAKES},
	{"a.txt:stream", MAKES},
	{"CON", MAKES},
	{"*", MAKES},
	{"?", MAKES},
	{"a\nb", MAKES},
	{"\x1b[2J", MAKES},
	/* Composed and decomposed letters, full-width dots, one-dot leaders, overlong and broken UTF-8: names are plain
	 * bytes. */
	{"\xC3\xA9.txt", MAKES},
	{"e\xCC\x81.txt", MAKES},
	{"\xEF\xBC\x8E\xEF\xBC\x8E/secret.txt", MAKES},
	{"\xE2\x80\xA4\xE2\x80\xA4/secret.txt", MAKES},
	{"\xE2\x80\xA5/secret.txt", MAKES},
	{"..\xE2\x88\x95secret.txt", MAKES},
	{"\xC0\xAE\xC0\xAE/secret.txt", MAKES},
	{"\xC0\xAF", MAKES},
	{"\xFF\xFE", MAKES},
	{"\xE2\x80\xAE"
	 "txt.a",
	 MAKES},
};

static const struct {
	const char *name;
	enum expect expect;
} links[] = {
	{"a.txt", READS},
	{"good", READS},
	{"good_chain", READS},
	{"good_up", READS},
	{"good_folder/a.txt", READS},
	{"good_folder/../a.txt", READS},
	{"good_folder/none.txt", MAKES},
	{"out", REFUSED},
	{"out_chain", REFUSED},
	{"out_folder/secret.txt", REFUSED},
	{"out_folder/new.txt", REFUSED},
	{"out_folder", REFUSED},
	{"out_folder/../secret.txt", REFUSED},
	{"out_folder/../root/a.txt", REFUSED},
	{"out_and_in", REFUSED},
	{"out_root/secret.txt", REFUSED},
	{"out_root/root/a.txt", REFUSED},
	{"out_root/new/new.txt", REFUSED},
	{"absolute_out", REFUSED},
	{"absolute_in", REFUSED},
	{"absolute_folder/secret.txt", REFUSED},
	{"absolute_folder/root/a.txt", REFUSED},
	{"absolute_folder/outside/new.txt", REFUSED},
	{"etc", REFUSED},
	{"zero", REFUSED},
	{"proc_root/etc/passwd", REFUSED},
	{"proc_cwd/new.txt", REFUSED},
	{"proc_root", REFUSED},
	{"loop", REFUSED},
	{"loop_a", REFUSED},
	{"loop/a.txt", REFUSED},
	{"loop_a/b/c.txt", REFUSED},
	{"dangling", REFUSED},
	{"dangling_out", REFUSED},
	{"dangling_absolute", REFUSED},
	{"dangling_folder/new.txt", REFUSED},
	{"dangling_folder/a/b.txt", REFUSED},
	{"dangling/new.txt", REFUSED},
	{"pipe", REFUSED},
	{"pipe/x", REFUSED},
	{"good/x", REFUSED},
	{"good/", REFUSED},
	{"good_folder/", REFUSED},
	{"good_folder", REFUSED},
};

static void no_path_leads_out(void **state)
{
	struct fixture *f = *state;

	vectors = 0;
	build(f);
	begin_state(f);
	for (size_t i = 0; i < ARRAY_COUNT(plain); i++)
		try(f, plain[i].path, plain[i].expect);
	for (size_t i = 0; i < ARRAY_COUNT(depths); i++)
		for (size_t j = 0; j < ARRAY_COUNT(links); j++)
			try(f, text_format(&f->arena, "%s%s", depths[i], links[j].name).at, links[j].expect);
	assert_true(vectors >= 200);
	TRIED("%d paths\n", vectors);
}

static void an_absolute_path_is_translated_by_whole_components(void **state)
{
	struct fixture *f = *state;
	struct arena a = {0};
	const char *top = f->top, *root = f->root;

	vectors = 0;
	build(f);
#define ABSOLUTE(...) text_format(&a, __VA_ARGS__).at
	try(f, ABSOLUTE("%s/a.txt", root), READS);
	try(f, ABSOLUTE("%s/d/e/a.txt", root), READS);
	try(f, ABSOLUTE("/%s//a.txt", root), READS);
	try(f, ABSOLUTE("%s/./a.txt", root), READS);
	try(f, ABSOLUTE("%s/d/../a.txt", root), READS);
	try(f, ABSOLUTE("%s/good", root), READS);
	try(f, ABSOLUTE("%s", root), REFUSED);
	try(f, ABSOLUTE("%s/", root), REFUSED);
	try(f, ABSOLUTE("%s/../secret.txt", root), REFUSED);
	try(f, ABSOLUTE("%s/../root/a.txt", root), REFUSED);
	try(f, ABSOLUTE("%s/d/../../secret.txt", root), REFUSED);
	try(f, ABSOLUTE("%sx/secret.txt", root), REFUSED);
	try(f, ABSOLUTE("%sx/new.txt", root), REFUSED);
	try(f, ABSOLUTE("%s.txt", root), REFUSED);
	try(f, ABSOLUTE("%s/secret.txt", top), REFUSED);
	try(f, ABSOLUTE("%s/outside/secret.txt", top), REFUSED);
	try(f, ABSOLUTE("%s/outside/../root/a.txt", top), REFUSED);
	try(f, ABSOLUTE("%s", top), REFUSED);
	try(f, ABSOLUTE("%s/out", root), REFUSED);
	try(f, ABSOLUTE("%s/absolute_in", root), REFUSED);
	arena_free(&a);
}

static void a_root_reached_by_a_link_is_known_by_both_names(void **state)
{
	struct fixture *f = *state;
	char link[128], under[160];
	const char *roots[] = {link, NULL};

	fixture_put(f, "a.txt", "inside");
	snprintf(link, sizeof link, "%s/alias", f->top);
	assert_int_equal(symlink(f->root, link), 0);
	fixture_reopen(f, (struct work_options){.roots = roots});
	snprintf(under, sizeof under, "%s/a.txt", link);
	try(f, under, READS);
	snprintf(under, sizeof under, "%s/a.txt", f->root);
	try(f, under, READS);
}

static void nul_and_endless_names_are_refused(void **state)
{
	struct fixture *f = *state;
	char *name = malloc(9000);

	build(f);
	try_text(f, (struct text){"a.txt\0.md", 9}, REFUSED);
	try_text(f, (struct text){"\0", 1}, REFUSED);
	try_text(f, (struct text){"../secret.txt\0a.txt", 19}, REFUSED);
	const size_t lengths[] = {256, 300, 1000, 4095, 4096, 4097, 8192};
	for (size_t i = 0; i < ARRAY_COUNT(lengths); i++) {
		memset(name, 'x', lengths[i]);
		try_text(f, (struct text){name, lengths[i]}, REFUSED);
		for (size_t at = 0; at + 1 < lengths[i]; at += 2)
			memcpy(name + at, "d/", 2);
		/* The one with odd length is a file in very many folders, which is allowed. */
		try_text(f, (struct text){name, lengths[i]}, lengths[i] == 4095 ? MAKES : REFUSED);
		for (size_t at = 0; at + 2 < lengths[i]; at += 3)
			memcpy(name + at, "../", 3);
		try_text(f, (struct text){name, lengths[i]}, REFUSED);
	}
	free(name);
}

static void a_name_of_full_length_can_be_written(void **state)
{
	struct fixture *f = *state;
	char name[256];

	memset(name, 'n', 255);
	name[255] = 0;
	assert_done(put(f, name, "x"));
	assert_done(put(f, name, "y"));
	assert_text(fixture_bytes(f, name), "y");
	assert_int_equal(fixture_count(f->root, "quire~"), 0);
}

static void what_is_no_regular_file_is_neither_read_nor_entered(void **state)
{
	struct fixture *f = *state;
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	build(f);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", f->root);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
	close(fd);
	try(f, "socket", REFUSED);
	if (mknod(fixture_path(f, "device"), S_IFCHR | 0666, makedev(1, 5)) == 0)
		try(f, "device", REFUSED);
	try(f, "pipe", REFUSED);
}

static void assert_path_fault(struct fixture *f, const char *path, const char *word)
{
	for (int walk = 0; walk < 2; walk++) {
		struct document *d;
		f->work->roots.walk = walk;
		assert_false(document_open(&f->call, text_of(path), &d));
		if (f->call.error.fault != FAULT_PATH || !strstr(error_sentence(f->call.arena, &f->call.error), word))
			fail_msg("%s (walk %d): fault %d, %s", path, walk, f->call.error.fault, f->call.error.message);
		fixture_next(f);
	}
}

static void a_refusal_says_what_is_wrong_with_the_path(void **state)
{
	struct fixture *f = *state;

	build(f);
	assert_path_fault(f, "absolute_in", "link");
	assert_path_fault(f, "d/absolute_out", "link");
	assert_path_fault(f, "out", "outside");
	assert_path_fault(f, "../secret.txt", "outside");
	assert_path_fault(f, "/etc/passwd", "outside");
	assert_path_fault(f, "loop", "links");
	assert_path_fault(f, "pipe", "a pipe");
	assert_path_fault(f, "d", "a folder");
	assert_path_fault(f, ".", "a folder");
	if (mknod(fixture_path(f, "device"), S_IFCHR | 0666, makedev(1, 5)) == 0)
		assert_path_fault(f, "device", "a device");
}

static void a_hard_link_is_replaced_here_and_kept_there(void **state)
{
	struct fixture *f = *state;

	outside_put(f, "shared.txt", "shared");
	assert_int_equal(link(fixture_path(f, "../shared.txt"), fixture_path(f, "a.txt")), 0);
	assert_true(put(f, "a.txt", "mine"));
	assert_int_equal(f->call.warnings.n, 1);
	assert_text(fixture_bytes(f, "../shared.txt"), "shared");
	assert_text(fixture_bytes(f, "a.txt"), "mine");
}

/* Writing through a link inside the root changes its target and keeps the link. */
static void a_link_inside_stays_a_link(void **state)
{
	struct fixture *f = *state;
	struct document *d;
	struct stat st;

	build(f);
	assert_done(put(f, "d/good_up", "through the link"));
	assert_text(fixture_bytes(f, "a.txt"), "through the link");
	assert_int_equal(lstat(fixture_path(f, "d/good_up"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_true(document_open(&f->call, TEXT("d/good_up"), &d));
	assert_text(document_place(d), "a.txt");
	assert_text(document_path(d), "d/good_up");
}

struct swapper {
	struct fixture *f;
	atomic_bool stop;
	char a[128], b[128];
};

static void *swap(void *arg)
{
	struct swapper *s = arg;

	while (!atomic_load(&s->stop))
		renameat2(AT_FDCWD, s->a, AT_FDCWD, s->b, RENAME_EXCHANGE);
	return NULL;
}

enum { SWAPPED_CALLS = 400 };

static void swap_while_trying(struct fixture *f, const char *a, const char *b, const char *path)
{
	struct swapper s = {.f = f};
	pthread_t thread;
	size_t descriptors = open_descriptors();

	snprintf(s.a, sizeof s.a, "%s/%s", f->root, a);
	snprintf(s.b, sizeof s.b, "%s/%s", f->root, b);
	assert_int_equal(pthread_create(&thread, NULL, swap, &s), 0);
	for (int i = 0; i < SWAPPED_CALLS; i++) {
		struct text bytes;
		f->work->roots.walk = i % 2;
		if (read_one(f, text_of(path), &bytes) && text_same(bytes, TEXT(SECRET)))
			fail_msg("the secret was read through %s", path);
		fixture_next(f);
		if (i % 8 == 0)
			write_one(f, text_of(path));
		fixture_next(f);
	}
	atomic_store(&s.stop, true);
	pthread_join(thread, NULL);
	assert_nothing_got_out(f, text_of(path));
	assert_int_equal(open_descriptors(), descriptors);
	TRIED("%d calls while links are swapped\n", SWAPPED_CALLS);
}

static void a_link_swapped_in_during_the_call_does_not_lead_out(void **state)
{
	struct fixture *f = *state;

	build(f);
	assert_int_equal(mkdir(fixture_path(f, "folder"), 0777), 0);
	fixture_put(f, "folder/secret.txt", "harmless");
	link_to(f, "to_outside", "../outside");
	link_to(f, "to_outside_absolute", text_format(&f->arena, "%s/outside", f->top).at);
	fixture_put(f, "file.txt", "harmless");
	begin_state(f);
	swap_while_trying(f, "folder", "to_outside", "folder/secret.txt");
	swap_while_trying(f, "folder", "to_outside_absolute", "folder/secret.txt");
	swap_while_trying(f, "file.txt", "out", "file.txt");
	swap_while_trying(f, "file.txt", "pipe", "file.txt");
	swap_while_trying(f, "file.txt", "d", "file.txt");
}

static void a_second_root_is_reached_by_absolute_path_only(void **state)
{
	struct fixture *f = *state;
	char second[128], path[160];
	const char *roots[] = {f->root, second, NULL};
	struct document *d;

	snprintf(second, sizeof second, "%s/second", f->top);
	assert_int_equal(mkdir(second, 0777), 0);
	fixture_put(f, "../second/b.txt", "second");
	fixture_reopen(f, (struct work_options){.roots = roots});
	assert_refused(document_open(&f->call, TEXT("b.txt"), &d), FAULT_NOT_FOUND);
	assert_refused(document_open(&f->call, TEXT("../second/b.txt"), &d), FAULT_PATH);
	snprintf(path, sizeof path, "%s/b.txt", second);
	assert_true(document_open(&f->call, text_of(path), &d));
	assert_text(document_bytes(d), "second");
	fixture_next(f);
	struct undone u;
	assert_done(put(f, path, "changed"));
	assert_done(history_undo(&f->call, text_of(path), 0, false, &u));
	assert_text(fixture_bytes(f, "../second/b.txt"), "second");
	assert_int_not_equal(access(fixture_path(f, "../second/.quire"), F_OK), 0);
}

int main(void)
{
	alarm(240); /* ends the test if something hangs */
	const struct CMUnitTest tests[] = {
		WITH_ROOT(no_path_leads_out),
		WITH_ROOT(an_absolute_path_is_translated_by_whole_components),
		WITH_ROOT(a_root_reached_by_a_link_is_known_by_both_names),
		WITH_ROOT(nul_and_endless_names_are_refused),
		WITH_ROOT(a_name_of_full_length_can_be_written),
		WITH_ROOT(what_is_no_regular_file_is_neither_read_nor_entered),
		WITH_ROOT(a_refusal_says_what_is_wrong_with_the_path),
		WITH_ROOT(a_hard_link_is_replaced_here_and_kept_there),
		WITH_ROOT(a_link_inside_stays_a_link),
		WITH_ROOT(a_link_swapped_in_during_the_call_does_not_lead_out),
		WITH_ROOT(a_second_root_is_reached_by_absolute_path_only),
	};

	return RUN_TESTS(tests);
}
