/* Reading and the cache; permissions; the properties that a file keeps when its bytes are replaced. */
#include "work/work_fixture.h"
#include "work/workspace.h"

#include "format/json.h"

#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/xattr.h>

static atomic_int parses;

static void *count_lines(struct arena *a, struct text bytes, struct error *error)
{
	size_t *lines = arena_new(a, size_t);

	atomic_fetch_add(&parses, 1);
	for (size_t i = 0; i < bytes.len; i++)
		*lines += bytes.at[i] == '\n';
	if (!bytes.len) {
		error->fault = FAULT_ARGUMENT;
		error->message = text_format(a, "line %d: there is nothing here", 1).at;
		error->line = 1;
		return NULL;
	}
	return lines;
}

static const struct format lines_format = {.name = "lines", .parse = count_lines};

static size_t lines_of(struct fixture *f, const char *path)
{
	struct document *d;

	assert_true(document_open(&f->call, text_of(path), &d));
	const size_t *lines = document_tree(&f->call, d, &lines_format);
	assert_non_null(lines);
	size_t n = *lines;
	fixture_next(f);
	return n;
}

static void a_tree_is_parsed_once(void **state)
{
	struct fixture *f = *state;

	atomic_store(&parses, 0);
	fixture_put(f, "a.txt", "1\n2\n");
	assert_int_equal(lines_of(f, "a.txt"), 2);
	assert_int_equal(lines_of(f, "a.txt"), 2);
	assert_int_equal(atomic_load(&parses), 1);
	fixture_put(f, "a.txt", "1\n2\n3\n");
	assert_int_equal(lines_of(f, "a.txt"), 3);
	assert_int_equal(atomic_load(&parses), 2);
}

static void a_parse_that_fails_says_where(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "");
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	assert_null(document_tree(&f->call, d, &lines_format));
	assert_int_equal(f->call.error.line, 1);
	assert_string_equal(f->call.error.message, "line 1: there is nothing here");
}

/* A store through mmap changes the stamp late. A write within the same clock tick does not change it at all. */
static void bytes_changed_behind_the_stamps_are_seen(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	atomic_store(&parses, 0);
	fixture_put(f, "a.txt", "1\n2\n");
	assert_int_equal(lines_of(f, "a.txt"), 2);
	assert_int_equal(stat(fixture_path(f, "a.txt"), &st), 0);
	int fd = open(fixture_path(f, "a.txt"), O_RDWR);
	assert_int_equal(pwrite(fd, "12\n\n", 4, 0), 4);
	assert_int_equal(pwrite(fd, "\n\n\n\n", 4, 0), 4);
	struct timespec times[] = {st.st_atim, st.st_mtim};
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
	assert_int_equal(lines_of(f, "a.txt"), 4);
}

static void opening_to_change_always_compares(void **state)
{
	struct fixture *f = *state;
	struct document *d;
	enum trust trust;
	struct stat st;

	fixture_put(f, "a.txt", "1\n2\n");
	assert_int_equal(lines_of(f, "a.txt"), 2);
	/* As if it was read long after its last change, followed by a store through mmap. */
	assert_int_equal(stat(fixture_path(f, "a.txt"), &st), 0);
	struct entry *e = cache_lookup(f->work->cache, &st, &trust);
	assert_int_equal(trust, TRUST_NONE);
	int fd = open(fixture_path(f, "a.txt"), O_RDWR);
	assert_int_equal(pwrite(fd, "3", 1, 0), 1);
	close(fd);
	assert_int_equal(stat(fixture_path(f, "a.txt"), &st), 0);
	cache_seen(f->work->cache, e, &st, real_now() + 10000);
	entry_drop(e);
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(document_bytes(d), "1\n2\n");
	fixture_next(f);
	assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
	assert_text(document_bytes(d), "3\n2\n");
}

/* Right after our own write the cache need not compare. Every kind of change by another program must still be seen. */
static void a_file_of_our_own_is_known_until_anybody_touches_it(void **state)
{
	struct fixture *f = *state;

	for (int how = 0; how < 5; how++) {
		struct document *d;
		assert_done(put(f, "a.txt", "ours"));
		int fd = open(fixture_path(f, "a.txt"), O_RDWR);
		char *mapped = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		assert_ptr_not_equal(mapped, MAP_FAILED);
		/* In memory (tmpfs) a store into a page that was read is not noticed. */
		assert_int_equal(*(volatile char *)mapped, 'o');
		if (how == 0)
			assert_int_equal(pwrite(fd, "OURS", 4, 0), 4);
		else if (how == 1)
			memcpy(mapped, "OURS", 4);
		else if (how == 2)
			fixture_put(f, "a.txt", "OURS");
		else if (how == 3)
			assert_true(ftruncate(fd, 0) == 0 && pwrite(fd, "OURS", 4, 0) == 4);
		bool is_opened = how == 4; /* between opening and commit */
		assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
		assert_text(document_bytes(d), is_opened ? "ours" : "OURS");
		if (is_opened)
			memcpy(mapped, "OURS", 4);
		struct splice s = {0, 0, TEXT("x")};
		bool done = work_commit(&f->call,
					&(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = &s, .n = 1},
					1, "x");
		assert_int_equal(done, !is_opened);
		fixture_next(f);
		assert_text(fixture_bytes(f, "a.txt"), is_opened ? "OURS" : "xOURS");
		munmap(mapped, 4);
		close(fd);
	}
}

/* Programs that reset the times: under another name, moved away and back, like `cp -p`, in a new file with the same
 * inode. */
static void who_puts_the_times_back_is_seen_all_the_same(void **state)
{
	struct fixture *f = *state;
	int same_numbers = 0;

	for (int how = 0; how < 5 * 4; how++) {
		struct document *d;
		struct stat st;
		assert_done(put(f, "a.txt", "ours"));
		assert_int_equal(stat(fixture_path(f, "a.txt"), &st), 0);
		const char *written = how % 4 == 0 ? "link" : how % 4 == 1 ? "away" : "a.txt";
		if (how % 4 == 0)
			assert_int_equal(link(fixture_path(f, "a.txt"), fixture_path(f, "link")), 0);
		else if (how % 4 == 1)
			assert_int_equal(rename(fixture_path(f, "a.txt"), fixture_path(f, "away")), 0);
		else if (how % 4 == 2)
			assert_int_equal(unlink(fixture_path(f, "a.txt")), 0);
		int fd = open(fixture_path(f, written), O_RDWR | O_CREAT, 0666);
		assert_int_equal(pwrite(fd, "OURS", 4, 0), 4);
		assert_int_equal(futimens(fd, (struct timespec[]){st.st_atim, st.st_mtim}), 0);
		close(fd);
		if (how % 4 == 0)
			assert_int_equal(unlink(fixture_path(f, "link")), 0);
		else if (how % 4 == 1)
			assert_int_equal(rename(fixture_path(f, "away"), fixture_path(f, "a.txt")), 0);
		struct stat now;
		assert_int_equal(stat(fixture_path(f, "a.txt"), &now), 0);
		assert_true(now.st_size == st.st_size && now.st_mtim.tv_nsec == st.st_mtim.tv_nsec);
		same_numbers += now.st_ino == st.st_ino;
		assert_true(document_open(&f->call, TEXT("a.txt"), &d));
		assert_text(document_bytes(d), "OURS");
		fixture_next(f);
		assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
		assert_text(document_bytes(d), "OURS");
		fixture_next(f);
	}
	assert_true(same_numbers >= 15);
}

static void the_tree_of_the_result_is_taken_over(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "1\n");
	assert_int_equal(lines_of(f, "a.txt"), 1);
	assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
	struct arena arena = {0};
	size_t *lines = arena_new(&arena, size_t);
	*lines = 2;
	struct splice s = {2, 2, TEXT("2\n")};
	struct change change = {.kind = CHANGE_SPLICE,
				.document = d,
				.splices = &s,
				.n = 1,
				.tree = lines,
				.format = &lines_format,
				.tree_arena = &arena};
	assert_true(work_commit(&f->call, &change, 1, "with tree"));
	assert_null(arena.head);
	assert_text(document_bytes(d), "1\n2\n");
	fixture_next(f);
	atomic_store(&parses, 0);
	assert_int_equal(lines_of(f, "a.txt"), 2);
	assert_int_equal(atomic_load(&parses), 0);
	assert_text(fixture_bytes(f, "a.txt"), "1\n2\n");
}

/* A tree that points to its bytes. */
struct shadow {
	struct text bytes;
};

static void *shadow_parse(struct arena *a, struct text bytes, struct error *error)
{
	struct shadow *s = arena_new(a, struct shadow);

	(void)error;
	atomic_fetch_add(&parses, 1);
	s->bytes = bytes;
	return s;
}

static void shadow_place(void *tree, struct text bytes) { ((struct shadow *)tree)->bytes = bytes; }

static const struct format shadow_format = {.name = "shadow", .parse = shadow_parse, .place = shadow_place};

/* A second call that has the document open in its current state. */
struct holder {
	struct arena arena;
	struct call call;
	struct document *document;
	struct text kept; /* a copy */
};

static void hold(struct holder *h, struct fixture *f, const char *path)
{
	*h = (struct holder){0};
	h->call = (struct call){.arena = &h->arena, .work = f->work};
	assert_true(document_open(&h->call, text_of(path), &h->document));
	const struct shadow *shadow = document_tree(&h->call, h->document, &shadow_format);
	assert_true(text_same(shadow->bytes, document_bytes(h->document)));
	h->kept = text_copy(&h->arena, document_bytes(h->document));
}

static void let_go(struct holder *h)
{
	const struct shadow *shadow = document_tree(&h->call, h->document, &shadow_format);

	assert_true(text_same(document_bytes(h->document), h->kept));
	assert_true(text_same(shadow->bytes, h->kept));
	work_release(&h->call);
	arena_free(&h->arena);
}

/* Makes one random edit of "a.txt", with its tree. `bytes` are the document's bytes, before and afterwards. */
static void edit_somewhere(struct fixture *f, struct text *bytes, struct arena *keep, bool look)
{
	enum { MOST = 4 };
	struct document *d;
	struct splice splices[MOST];
	size_t n = 0, at = 0;
	struct arena *arena = arena_new(&f->arena, struct arena);

	assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
	struct text before = document_bytes(d);
	assert_true(text_same(before, *bytes));
	for (; n < (size_t)(1 + rand() % MOST) && at < before.len; n++) {
		uint32_t from = (uint32_t)(at + (size_t)rand() % (before.len - at + 1)),
			 to = (uint32_t)(from + (size_t)rand() % 40);
		to = to > before.len ? (uint32_t)before.len : to;
		/* New words, or words from the document itself. */
		struct text with = rand() % 2 ? text_slice(before, (size_t)rand() % before.len, before.len)
					      : TEXT("some new words, longer than what they replace as a rule");
		splices[n] = (struct splice){from, to, text_slice(with, 0, (size_t)rand() % 60)};
		at = to + 1;
	}
	*bytes = splice_apply(keep, before, splices, n);
	assert_true(work_commit(&f->call,
				&(struct change){.kind = CHANGE_SPLICE,
						 .document = d,
						 .splices = splices,
						 .n = n,
						 .tree = arena_new(arena, struct shadow),
						 .format = &shadow_format,
						 .tree_arena = arena},
				1, "edit"));
	if (look) {
		const struct shadow *shadow = document_tree(&f->call, d, &shadow_format);
		assert_true(text_same(document_bytes(d), *bytes));
		assert_true(text_same(shadow->bytes, *bytes));
	}
	/* The bytes that a call has read stay the same until the call ends. */
	fixture_next(f);
}

static void results_of_edits_are_right_whoever_holds_the_old_bytes(void **state)
{
	struct fixture *f = *state;
	struct arena keep = {0};
	struct text bytes = {0};

	srand(7);
	for (int i = 0; i < 1500; i++) {
		struct holder holder;
		bool held = rand() % 4 == 0;
		if (bytes.len < 100) {
			bytes = text_copy(&keep,
					  TEXT("Words enough to be cut, moved and put elsewhere, again and again, "
					       "until nobody knows where any of them came from.\n"));
			assert_done(put(f, "a.txt", bytes.at));
		}
		if (held)
			hold(&holder, f, "a.txt");
		atomic_store(&parses, 0);
		edit_somewhere(f, &bytes, &keep, rand() % 4 == 0);
		if (held)
			let_go(&holder);
		assert_true(text_same(fixture_bytes(f, "a.txt"), bytes));
		hold(&holder, f, "a.txt");
		assert_true(text_same(holder.kept, bytes));
		assert_int_equal(atomic_load(&parses), 0);
		let_go(&holder);
		if (i % 20 == 0)
			fixture_next(f);
	}
	arena_free(&keep);
}

#ifndef QUIRE_DEBUG
static const char *where_it_stands(struct fixture *f)
{
	struct document *d;

	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	const char *at = document_bytes(d).at;
	fixture_next(f);
	return at;
}

/* The work depends on the size of the change: the bytes of a document that nobody else reads are not copied. */
static void an_edit_that_nobody_watches_is_made_in_place(void **state)
{
	struct fixture *f = *state;
	struct holder holder;
	static char large[80 << 10]; /* small documents are kept without room to grow */

	memset(large, 'x', sizeof large - 1);
	fixture_put(f, "a.txt", large);
	assert_done(insert(f, "a.txt", 5, " second"));
	const char *stood = where_it_stands(f);
	for (int i = 0; i < 10; i++) {
		assert_done(insert(f, "a.txt", 5, " more"));
		assert_ptr_equal(where_it_stands(f), stood);
	}
	hold(&holder, f, "a.txt");
	assert_done(insert(f, "a.txt", 0, "another "));
	assert_ptr_not_equal(where_it_stands(f), stood);
	let_go(&holder);
}
#endif

static void a_commit_after_a_commit_builds_on_it(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "b");
	assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
	struct splice head = {0, 0, TEXT("a")}, tail = {2, 2, TEXT("c")};
	assert_true(work_commit(
		&f->call, &(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = &head, .n = 1}, 1, "head"));
	assert_true(work_commit(
		&f->call, &(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = &tail, .n = 1}, 1, "tail"));
	fixture_next(f);
	assert_text(fixture_bytes(f, "a.txt"), "abc");
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(document_bytes(d), "abc");
}

static void many_small_pieces_are_one_document(void **state)
{
	struct fixture *f = *state;
	enum { LINES = 500 };
	struct buffer b = {.arena = &f->arena}, want = {.arena = &f->arena};
	struct splice splices[LINES];
	struct document *d;

	for (int i = 0; i < LINES; i++) {
		buffer_put(&b, "a line\n");
		buffer_put(&want, "the line\n");
		splices[i] = (struct splice){(uint32_t)(i * 7), (uint32_t)(i * 7 + 1), TEXT("the")};
	}
	fixture_put(f, "a.txt", buffer_text(&b).at);
	assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
	assert_true(work_commit(&f->call,
				&(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = splices, .n = LINES},
				1, "all"));
	assert_text(fixture_bytes(f, "a.txt"), buffer_text(&want).at);
}

static void a_refused_commit_frees_the_tree_too(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "1\n");
	assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
	fixture_put(f, "a.txt", "by another program\n");
	struct arena arena = {0};
	size_t *lines = arena_new(&arena, size_t);
	struct splice s = {2, 2, TEXT("2\n")};
	struct change change = {.kind = CHANGE_SPLICE,
				.document = d,
				.splices = &s,
				.n = 1,
				.tree = lines,
				.format = &lines_format,
				.tree_arena = &arena};
	assert_refused(work_commit(&f->call, &change, 1, "with tree"), FAULT_CONFLICT);
	assert_null(arena.head);
	assert_text(fixture_bytes(f, "a.txt"), "by another program\n");
}

static size_t documents_in_cache(struct fixture *f, int n)
{
	size_t found = 0;
	char name[16];

	for (int i = 0; i < n; i++) {
		struct stat st;
		enum trust trust;
		snprintf(name, sizeof name, "%d.txt", i);
		assert_int_equal(stat(fixture_path(f, name), &st), 0);
		struct entry *e = cache_lookup(f->work->cache, &st, &trust);
		found += e != NULL;
		if (e)
			entry_drop(e);
	}
	return found;
}

static void the_cache_stays_within_its_bytes(void **state)
{
	struct fixture *f = *state;

	fixture_reopen(f, (struct work_options){.cache_max = 200000});
	char *bytes = calloc(1, 20001);
	memset(bytes, '\n', 20000);
	for (int i = 0; i < 40; i++) {
		char name[16];
		snprintf(name, sizeof name, "%d.txt", i);
		fixture_put(f, name, bytes);
		assert_int_equal(lines_of(f, name), 20000);
	}
	size_t n = documents_in_cache(f, 40);
	assert_in_range(n, 1, 200000 / 20000);
	cache_age(f->work->cache, -1000);
	assert_int_equal(documents_in_cache(f, 40), 0);
	free(bytes);
}

static void lent_bytes_stay_whatever_others_write(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "before");
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	struct text lent = document_bytes(d);
	struct arena arena = {0};
	struct call other = {.arena = &arena, .work = f->work};
	struct document *o;
	assert_true(documents_change(&other, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &o));
	assert_true(work_commit(&other, &(struct change){.kind = CHANGE_WHOLE, .document = o, .bytes = TEXT("after")},
				1, "x"));
	work_release(&other);
	arena_free(&arena);
	assert_text(lent, "before");
	assert_text(fixture_bytes(f, "a.txt"), "after");
}

static void a_document_too_large_is_refused_before_it_is_read(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "x");
	assert_int_equal(truncate(fixture_path(f, "a.txt"), (off_t)1 << 40), 0);
	assert_refused(document_open(&f->call, TEXT("a.txt"), &d), FAULT_TOO_LARGE);
	assert_int_equal(truncate(fixture_path(f, "a.txt"), 2000), 0);
	f->call.document_max = 1000;
	assert_refused(document_open(&f->call, TEXT("a.txt"), &d), FAULT_TOO_LARGE);
	fixture_put(f, "b.txt", "x");
	f->call.document_max = 1000;
	assert_refused(put(f, "b.txt", text_format(&f->arena, "%01001d", 1).at), FAULT_TOO_LARGE);
	assert_text(fixture_bytes(f, "b.txt"), "x");
}

static void a_write_by_another_program_in_between_is_a_conflict(void **state)
{
	struct fixture *f = *state;

	for (int how = 0; how < 4; how++) {
		struct document *d;
		fixture_put(f, "a.txt", "planned on");
		assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
		if (how == 0) {
			fixture_put(f, "a.txt", "rewritten");
		} else if (how == 1) {
			fixture_put(f, "editor", "planned on"); /* the same bytes with a new inode: another file */
			assert_int_equal(rename(fixture_path(f, "editor"), fixture_path(f, "a.txt")), 0);
			fixture_put(f, "a.txt", "replaced");
		} else if (how == 2) {
			assert_int_equal(unlink(fixture_path(f, "a.txt")), 0);
		} else {
			assert_int_equal(unlink(fixture_path(f, "a.txt")), 0);
			assert_int_equal(symlink("elsewhere", fixture_path(f, "a.txt")), 0);
		}
		assert_refused(work_commit(&f->call,
					   &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = TEXT("mine")},
					   1, "x"),
			       FAULT_CONFLICT);
		assert_int_equal(fixture_count(f->root, "quire~"), 0);
		unlink(fixture_path(f, "a.txt"));
	}
}

static void a_name_taken_by_another_program_in_between_is_a_conflict(void **state)
{
	struct fixture *f = *state;
	struct document *d[2];
	struct want wants[] = {{TEXT("old.txt"), DOCUMENT_THERE, false}, {TEXT("new.txt"), DOCUMENT_NEW, false}};

	fixture_put(f, "old.txt", "old");
	assert_true(documents_change(&f->call, wants, 2, d));
	fixture_put(f, "new.txt", "theirs");
	struct change changes[] = {{.kind = CHANGE_WHOLE, .document = d[0], .bytes = TEXT("changed")},
				   {.kind = CHANGE_WHOLE, .document = d[1], .bytes = TEXT("mine")}};
	assert_refused(work_commit(&f->call, changes, 2, "x"), FAULT_CONFLICT);
	assert_text(fixture_bytes(f, "new.txt"), "theirs");
	assert_text(fixture_bytes(f, "old.txt"), "old");
	/* The history does not contain the change either. */
	struct history_entry *e;
	size_t n;
	bool more;
	assert_true(history_list(&f->call, TEXT("old.txt"), 0, 10, &e, &n, &more));
	assert_int_equal(n, 1);
	assert_true(e[0].is_outside); /* only the state before */
	assert_int_equal(fixture_count(f->root, "quire~"), 0);
}

static void a_temp_is_litter_only_in_a_folder_that_nobody_has_locked(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "x");
	fixture_put(f, ".a.txt.quire~", "on its way");
	int writer = open(f->root, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(writer, LOCK_EX), 0);
	assert_done(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(fixture_bytes(f, ".a.txt.quire~"), "on its way");
	close(writer);
	fixture_next(f);
	assert_done(document_open(&f->call, TEXT("a.txt"), &d));
	assert_int_equal(fixture_count(f->root, "quire~"), 0);
	/* The reader has released the folder's lock. */
	writer = open(f->root, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(writer, LOCK_EX | LOCK_NB), 0);
	close(writer);
}

static void a_folder_in_the_place_of_a_temp_is_named_and_kept(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "x");
	assert_int_equal(mkdir(fixture_path(f, ".a.txt.quire~"), 0777), 0);
	assert_false(put(f, "a.txt", "y"));
	assert_int_equal(f->call.error.fault, FAULT_LOCKED);
	assert_non_null(strstr(error_sentence(f->call.arena, &f->call.error), ".a.txt.quire~"));
	fixture_next(f);
	assert_text(fixture_bytes(f, "a.txt"), "x");
	assert_int_equal(rmdir(fixture_path(f, ".a.txt.quire~")), 0);
	assert_done(put(f, "a.txt", "y"));
}

static bool may_only_read_open(const struct caller *caller, struct text document, bool to_write)
{
	(void)caller;
	return text_starts(document, "open/") && (!to_write || text_ends(document, "write.txt"));
}

static void grants_are_asked_by_the_true_place(void **state)
{
	struct fixture *f = *state;
	static const struct caller limited = {.name = {"limited", 7}, .may = may_only_read_open};
	struct document *d;
	struct history_entry *e;
	struct file_entry *files;
	struct text stamp;
	size_t n;
	bool more;

	mkdir(fixture_path(f, "open"), 0777);
	mkdir(fixture_path(f, "closed"), 0777);
	fixture_put(f, "open/read.txt", "r");
	fixture_put(f, "open/write.txt", "w");
	fixture_put(f, "closed/secret.txt", "s");
	assert_int_equal(symlink("../closed/secret.txt", fixture_path(f, "open/link.txt")), 0);
#define AS_LIMITED(claim) (f->call.caller = &limited, (claim))
	assert_done(AS_LIMITED(document_open(&f->call, TEXT("open/read.txt"), &d)));
	assert_done(AS_LIMITED(put(f, "open/write.txt", "x")));
	assert_refused(AS_LIMITED(put(f, "open/read.txt", "x")), FAULT_DENIED);
	assert_refused(AS_LIMITED(document_open(&f->call, TEXT("closed/secret.txt"), &d)), FAULT_NOT_FOUND);
	assert_refused(AS_LIMITED(document_open(&f->call, TEXT("open/link.txt"), &d)), FAULT_NOT_FOUND);
	assert_refused(AS_LIMITED(document_open(&f->call, TEXT("open/../closed/secret.txt"), &d)), FAULT_NOT_FOUND);
	/* The error does not reveal whether it exists. */
	assert_refused(AS_LIMITED(document_open(&f->call, TEXT("closed/none.txt"), &d)), FAULT_NOT_FOUND);
	assert_refused(AS_LIMITED(document_open(&f->call, TEXT("open/none.txt"), &d)), FAULT_NOT_FOUND);
	assert_refused(AS_LIMITED(put(f, "closed/new.txt", "x")), FAULT_DENIED);
	assert_refused(AS_LIMITED(history_list(&f->call, TEXT("closed/secret.txt"), 0, 10, &e, &n, &more)),
		       FAULT_NOT_FOUND);
	assert_done(AS_LIMITED(work_stamp(&f->call, TEXT("closed/secret.txt"), &stamp)));
	assert_null(stamp.at); /* the same as for a name that does not exist */
	struct undone u;
	assert_done(put(f, "open/read.txt", "changed"));
	assert_refused(AS_LIMITED(history_undo(&f->call, TEXT("open/read.txt"), 0, false, &u)), FAULT_DENIED);
	assert_true(AS_LIMITED(work_list(&f->call, TEXT(""), ".txt", 100, &files, &n)));
	assert_int_equal(n, 2);
}

static void mode_owner_and_attributes_stay(void **state)
{
	struct fixture *f = *state;
	struct stat st;
	char value[16];

	fixture_put(f, "a.txt", "x");
	assert_int_equal(chmod(fixture_path(f, "a.txt"), 0640), 0);
	bool has_attributes = setxattr(fixture_path(f, "a.txt"), "user.colour", "blue", 4, 0) == 0;
	if (geteuid() == 0)
		assert_int_equal(chown(fixture_path(f, "a.txt"), 65534, 65534), 0);
	assert_done(put(f, "a.txt", "y"));
	assert_int_equal(stat(fixture_path(f, "a.txt"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	if (geteuid() == 0)
		assert_int_equal(st.st_uid, 65534);
	if (has_attributes) {
		assert_int_equal(getxattr(fixture_path(f, "a.txt"), "user.colour", value, sizeof value), 4);
		assert_memory_equal(value, "blue", 4);
	}
}

static void an_access_list_stays(void **state)
{
	struct fixture *f = *state;
	/* Version 2: owner rw, user 1234 r, group r, mask r, others none. */
	static const unsigned char acl[] = {2, 0,    0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,  4,
					    0, 0xD2, 4,   0,   0,   4,   0,  4, 0,   255, 255, 255, 255, 16, 0,
					    4, 0,    255, 255, 255, 255, 32, 0, 0,   0,   255, 255, 255, 255};
	unsigned char have[sizeof acl];

	fixture_put(f, "a.txt", "x");
	if (setxattr(fixture_path(f, "a.txt"), "system.posix_acl_access", acl, sizeof acl, 0) != 0)
		return; /* this file system has no access lists */
	assert_done(put(f, "a.txt", "y"));
	assert_int_equal(getxattr(fixture_path(f, "a.txt"), "system.posix_acl_access", have, sizeof have), sizeof acl);
	assert_memory_equal(have, acl, sizeof acl);
}

/* The folder's default ACL grants access to user 1234. The document, made private by its owner, does not. */
static void no_access_is_inherited_by_an_edit(void **state)
{
	struct fixture *f = *state;
	/* Version 2: owner rwx, user 1234 rwx, group rwx, mask rwx, others none. */
	static const unsigned char acl[] = {2, 0,    0,   0,   1,   0,   7,  0, 255, 255, 255, 255, 2,   0,  7,
					    0, 0xD2, 4,   0,   0,   4,   0,  7, 0,   255, 255, 255, 255, 16, 0,
					    7, 0,    255, 255, 255, 255, 32, 0, 0,   0,   255, 255, 255, 255};
	unsigned char have[sizeof acl];
	struct stat st;

	fixture_put(f, "a.txt", "x");
	assert_int_equal(chmod(fixture_path(f, "a.txt"), 0660), 0);
	if (setxattr(f->root, "system.posix_acl_default", acl, sizeof acl, 0) != 0)
		return;
	assert_done(put(f, "a.txt", "y"));
	assert_int_equal(getxattr(fixture_path(f, "a.txt"), "system.posix_acl_access", have, sizeof have), -1);
	assert_int_equal(errno, ENODATA);
	assert_int_equal(stat(fixture_path(f, "a.txt"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0660);
	/* A new file gets the folder's ACL. */
	assert_done(put(f, "new.txt", "y"));
	assert_true(getxattr(fixture_path(f, "new.txt"), "system.posix_acl_access", have, sizeof have) > 0);
}

static void a_new_document_gets_the_mode_of_new_files(void **state)
{
	struct fixture *f = *state;
	struct stat st;
	mode_t before = umask(027);

	assert_done(put(f, "a.txt", "x"));
	umask(before);
	assert_int_equal(stat(fixture_path(f, "a.txt"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(stat(f->state, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(stat(fixture_path(f, "../../state/history.db"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void a_file_without_any_write_bit_is_refused_even_for_root(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "x");
	assert_int_equal(chmod(fixture_path(f, "a.txt"), 0444), 0);
	assert_refused(put(f, "a.txt", "y"), FAULT_READ_ONLY);
	assert_text(fixture_bytes(f, "a.txt"), "x");
}

/* Runs the test without root's permissions. */
static void as_nobody(struct fixture *f, int (*claim)(struct fixture *))
{
	fflush(NULL);
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (geteuid() == 0 && (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0))
			_exit(99);
		fixture_reopen(f, (struct work_options){0});
		_exit(claim(f));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int reads_but_cannot_write(struct fixture *f)
{
	struct document *d;

	if (!document_open(&f->call, TEXT("a.txt"), &d) || !text_is(document_bytes(d), "x"))
		return 1;
	fixture_next(f);
	if (put(f, "a.txt", "y") || (f->call.error.fault != FAULT_DENIED && f->call.error.fault != FAULT_READ_ONLY))
		return 2;
	fixture_next(f);
	if (put(f, "new.txt", "y") || f->call.error.fault != FAULT_DENIED)
		return 3;
	fixture_next(f);
	struct history_entry *e;
	size_t n;
	bool more;
	if (!history_list(&f->call, TEXT("a.txt"), 0, 10, &e, &n, &more) || n)
		return 4;
	return access(f->state, F_OK) == 0 ? 5 : 0;
}

static void a_root_that_cannot_be_written_is_read_without_state(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "x");
	assert_int_equal(chmod(f->root, 0555), 0);
	as_nobody(f, reads_but_cannot_write);
	assert_int_equal(chmod(f->root, 0755), 0);
}

static int reads_beside_a_closed_state(struct fixture *f)
{
	struct document *d;
	struct history_entry *e;
	size_t n;
	bool more;

	if (!document_open(&f->call, TEXT("a.txt"), &d) || !text_is(document_bytes(d), "x"))
		return 1;
	fixture_next(f);
	if (put(f, "b.txt", "y") || f->call.error.fault != FAULT_DENIED)
		return 2;
	fixture_next(f);
	return !history_list(&f->call, TEXT("a.txt"), 0, 10, &e, &n, &more) && f->call.error.fault == FAULT_DENIED ? 0
														   : 3;
}

static void a_state_of_somebody_else_keeps_nobody_from_reading(void **state)
{
	struct fixture *f = *state;

	if (geteuid() != 0)
		return; /* only root can change the user */
	assert_done(put(f, "a.txt", "x"));
	assert_int_equal(chmod(f->root, 0777), 0);
	fixture_reopen(f, (struct work_options){0});
	as_nobody(f, reads_beside_a_closed_state);
	/* The same if it may be read, but not written. */
	assert_int_equal(chmod(f->state, 0755), 0);
	assert_int_equal(chmod(fixture_path(f, "../../state/history.db"), 0644), 0);
	as_nobody(f, reads_beside_a_closed_state);
}

static int finds_a_closed_file(struct fixture *f)
{
	struct document *d;

	if (document_open(&f->call, TEXT("closed.txt"), &d) || f->call.error.fault != FAULT_DENIED)
		return 1;
	fixture_next(f);
	if (put(f, "theirs.txt", "y") || f->call.error.fault != FAULT_DENIED)
		return 2;
	fixture_next(f);
	return put(f, "mine.txt", "y") ? 0 : 3;
}

static void what_the_system_denies_is_denied(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(chmod(f->root, 0777), 0);
	fixture_put(f, "closed.txt", "x");
	assert_int_equal(chmod(fixture_path(f, "closed.txt"), 0600), 0);
	fixture_put(f, "theirs.txt", "x");
	assert_int_equal(chmod(fixture_path(f, "theirs.txt"), 0644), 0);
	if (geteuid() != 0)
		return; /* only root can change the user */
	assert_int_equal(mkdir(f->state, 0700), 0);
	assert_int_equal(chown(f->state, 65534, 65534), 0);
	as_nobody(f, finds_a_closed_file);
	assert_text(fixture_bytes(f, "theirs.txt"), "x");
}

static void a_read_only_server_writes_nothing(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "x");
	fixture_reopen(f, (struct work_options){.read_only = true});
	assert_done(document_open(&f->call, TEXT("a.txt"), &d));
	assert_refused(put(f, "a.txt", "y"), FAULT_READ_ONLY);
	assert_int_equal(work_state_folder(&f->call), -1);
	assert_int_not_equal(access(f->state, F_OK), 0);
}

static void lists_take_several_suffixes_and_tell_stamps(void **state)
{
	struct fixture *f = *state;
	struct file_entry *files;
	struct stat st;
	size_t n;

	fixture_put(f, "a.md", "1");
	fixture_put(f, "b.MARKDOWN", "22");
	fixture_put(f, "c.txt", "3");
	assert_true(work_list(&f->call, TEXT(""), ".md .markdown", 100, &files, &n));
	assert_int_equal(n, 2);
	assert_text(files[1].path, "b.MARKDOWN");
	assert_int_equal(stat(fixture_path(f, "b.MARKDOWN"), &st), 0);
	assert_int_equal(files[1].stamp.inode, st.st_ino);
	assert_int_equal(files[1].stamp.device, st.st_dev);
	assert_int_equal(files[1].stamp.size, 2);
	assert_int_equal(files[1].stamp.modified, st.st_mtim.tv_sec * 1000000000L + st.st_mtim.tv_nsec);
	assert_int_equal(files[1].stamp.changed, st.st_ctim.tv_sec * 1000000000L + st.st_ctim.tv_nsec);
	assert_int_equal(files[1].modified, files[1].stamp.modified / 1000000);
	assert_true(file_stamp_same(files[1].stamp, files[1].stamp));
	assert_false(file_stamp_same(files[0].stamp, files[1].stamp));
}

/* An index reads without the cache, and owns what it reads. */
static void a_read_past_the_cache_is_the_callers_own(void **state)
{
	struct fixture *f = *state;
	struct arena own = {0};
	struct file_content content;
	struct file_entry *files;
	struct document *d;
	size_t n;

	fixture_put(f, "a.md", "one");
	assert_true(work_list(&f->call, TEXT(""), ".md", 100, &files, &n));
	assert_true(work_read(&f->call, TEXT("./a.md"), &own, &content));
	assert_true(file_stamp_same(content.stamp, files[0].stamp));
	assert_null(f->call.revision.at);
	assert_int_equal(f->call.touched.n, 0);
	assert_true(document_open(&f->call, TEXT("a.md"), &d));
	assert_text(document_revision(d), content.revision.chars);
	fixture_next(f);
	assert_text(content.bytes, "one");
	assert_text(content.place, "a.md");
	assert_int_equal(content.bytes.at[3], '\0');
	assert_refused(work_read(&f->call, TEXT("none.md"), &own, &content), FAULT_NOT_FOUND);
	assert_refused(work_read(&f->call, TEXT("../a.md"), &own, &content), FAULT_PATH);
	f->call.document_max = 2;
	assert_refused(work_read(&f->call, TEXT("a.md"), &own, &content), FAULT_TOO_LARGE);
	arena_free(&own);
}

/* A caller may not use hidden names. A kind may use its format's own hidden names. */
static void hidden_names_are_the_kinds_alone(void **state)
{
	struct fixture *f = *state;
	struct document *d[2];
	struct file_entry *files;
	struct file_content content;
	struct text stamp;
	size_t n;

	mkdir(fixture_path(f, ".trash"), 0777);
	fixture_put(f, ".trash/old.md", "old");
	fixture_put(f, "a.md", "a");
	assert_int_equal(symlink(".trash/old.md", fixture_path(f, "link.md")), 0);
	assert_int_equal(symlink(".trash", fixture_path(f, "bin")), 0);
	static const char *const names[] = {".trash/old.md", "link.md", "bin/old.md", "./.trash/old.md",
					    ".trash/none.md"};
	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct text name = text_of(names[i]);
		assert_refused(document_open(&f->call, name, d), FAULT_PATH);
		assert_refused(work_read(&f->call, name, &f->arena, &content), FAULT_PATH);
		assert_refused(work_stamp(&f->call, name, &stamp), FAULT_PATH);
		assert_refused(put(f, names[i], "x"), FAULT_PATH);
	}
	assert_refused(work_list(&f->call, TEXT(".trash"), "", 10, &files, &n), FAULT_PATH);
	assert_refused(work_list(&f->call, TEXT("bin"), "", 10, &files, &n), FAULT_PATH);
	f->call.own_names = true;
	assert_true(document_open(&f->call, TEXT(".trash/old.md"), d));
	assert_true(work_list(&f->call, TEXT(".trash"), "", 10, &files, &n));
	assert_int_equal(n, 1);
	fixture_next(f);
	struct want wants[] = {{TEXT("a.md"), DOCUMENT_THERE, false},
			       {TEXT(".trash/a.md"), DOCUMENT_NEW | DOCUMENT_OWN, false}};
	assert_true(documents_change(&f->call, wants, 2, d));
	assert_done(work_commit(&f->call, &(struct change){.kind = CHANGE_MOVE, .document = d[0], .target = d[1]}, 1,
				"to the bin"));
	assert_text(fixture_bytes(f, ".trash/a.md"), "a");
	struct undone u;
	assert_done(history_undo(&f->call, TEXT("a.md"), 0, false, &u));
	assert_text(fixture_bytes(f, "a.md"), "a");
	fixture_reopen(f, (struct work_options){.allow_hidden = true});
	assert_done(document_open(&f->call, TEXT(".trash/old.md"), d));
}

static void a_link_does_not_change_the_ending_of_a_name(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "Makefile", "all:");
	fixture_put(f, "b.MD", "b");
	assert_int_equal(symlink("Makefile", fixture_path(f, "a.md")), 0);
	assert_int_equal(symlink("b.MD", fixture_path(f, "b.md")), 0);
	assert_refused(document_open(&f->call, TEXT("a.md"), &d), FAULT_PATH);
	assert_refused(put(f, "a.md", "x"), FAULT_PATH);
	assert_done(document_open(&f->call, TEXT("b.md"), &d));
	assert_text(fixture_bytes(f, "Makefile"), "all:");
}

static void a_handler_may_plan_again(void **state)
{
	struct fixture *f = *state;
	struct want wants[] = {{TEXT("a.md"), DOCUMENT_THERE, false}, {TEXT("sub/b.md"), DOCUMENT_THERE, false}};
	struct document *first, *both[2];

	mkdir(fixture_path(f, "sub"), 0777);
	fixture_put(f, "a.md", "one");
	fixture_put(f, "sub/b.md", "two");
	size_t before = open_descriptors();
	documents_release(&f->call); /* nothing is locked yet */
	assert_true(documents_change(&f->call, wants, 1, &first));
	struct text revision = f->call.revision;
	assert_true(revision.at);
	documents_release(&f->call);
	assert_null(f->call.revision.at);
	assert_int_equal(open_descriptors(), before); /* no lock left */
	assert_text(document_bytes(first), "one");
	assert_true(documents_change(&f->call, wants, 2, both));
	assert_true(text_same(f->call.revision, revision));
	struct change changes[] = {{.kind = CHANGE_WHOLE, .document = both[0], .bytes = TEXT("uno")},
				   {.kind = CHANGE_WHOLE, .document = both[1], .bytes = TEXT("due")}};
	assert_true(work_commit(&f->call, changes, 2, "both"));
	assert_text(document_bytes(first), "one"); /* stays valid until the call ends */
	documents_release(&f->call);
	assert_true(documents_change(&f->call, wants, 1, &first));
	assert_text(document_bytes(first), "uno");
	fixture_next(f);
	assert_text(fixture_bytes(f, "sub/b.md"), "due");
}

static void files_are_listed_in_the_order_of_their_paths(void **state)
{
	struct fixture *f = *state;
	struct file_entry *files;
	size_t n;

	mkdir(fixture_path(f, "a"), 0777);
	mkdir(fixture_path(f, ".hidden"), 0777);
	fixture_put(f, "a.txt", "12345");
	fixture_put(f, "a/b.txt", "");
	fixture_put(f, "a0.txt", "");
	fixture_put(f, "a/c.md", "");
	fixture_put(f, ".hidden/x.txt", "");
	fixture_put(f, ".x.txt", "");
	assert_int_equal(symlink("/etc", fixture_path(f, "link")), 0);
	assert_int_equal(symlink("a.txt", fixture_path(f, "link.txt")), 0);
	assert_int_equal(mkfifo(fixture_path(f, "pipe.txt"), 0666), 0);
	assert_true(work_list(&f->call, TEXT(""), ".txt", 100, &files, &n));
	assert_int_equal(n, 3);
	assert_text(files[0].path, "a.txt");
	assert_int_equal(files[0].size, 5);
	assert_true(files[0].modified > 0);
	assert_text(files[1].path, "a/b.txt");
	assert_text(files[2].path, "a0.txt");
	assert_true(work_list(&f->call, TEXT("a"), "", 100, &files, &n));
	assert_int_equal(n, 2);
	assert_text(files[0].path, "a/b.txt");
	assert_true(work_list(&f->call, TEXT(""), ".txt", 2, &files, &n));
	assert_int_equal(n, 2);
	assert_refused(work_list(&f->call, TEXT("../"), "", 100, &files, &n), FAULT_PATH);
	assert_refused(work_list(&f->call, TEXT("link"), "", 100, &files, &n), FAULT_PATH);
}

static void a_stamp_changes_when_the_file_does(void **state)
{
	struct fixture *f = *state;
	struct text one, two, three;

	assert_true(work_stamp(&f->call, TEXT("a.txt"), &one));
	assert_null(one.at);
	fixture_put(f, "a.txt", "x");
	assert_true(work_stamp(&f->call, TEXT("a.txt"), &one));
	assert_true(work_stamp(&f->call, TEXT("a.txt"), &two));
	assert_true(text_same(one, two));
	struct arena keep = {0};
	one = text_copy(&keep, one);
	assert_done(put(f, "a.txt", "y"));
	assert_true(work_stamp(&f->call, TEXT("a.txt"), &three));
	assert_false(text_same(one, three));
	arena_free(&keep);
}

static void caches_may_use_the_state_folder(void **state)
{
	struct fixture *f = *state;
	int folder = work_state_folder(&f->call);

	assert_true(folder >= 0);
	assert_int_equal(f->call.error.fault, FAULT_NONE);
	close(openat(folder, "cache", O_CREAT | O_WRONLY, 0600));
	assert_int_equal(access(fixture_path(f, "../../state/cache"), F_OK), 0);
	close(folder);
}

static void nothing_is_kept_beside_the_documents(void **state)
{
	struct fixture *f = *state;

	assert_done(put(f, "a.txt", "x"));
	assert_done(put(f, "a.txt", "y"));
	assert_int_equal(fixture_count(f->root, ""), 1);
	assert_int_equal(access(fixture_path(f, "../../state/history.db"), F_OK), 0);
}

static void without_a_state_folder_nothing_is_written(void **state)
{
	struct fixture *f = *state;
	const char *roots[] = {f->root, NULL};
	struct work_options options = {.roots = roots};
	struct work *with_state = f->work;
	struct document *d;

	fixture_put(f, "a.txt", "x");
	assert_true(work_open(&f->call, &options, &f->work));
	fixture_next(f);
	assert_done(document_open(&f->call, TEXT("a.txt"), &d));
	assert_false(put(f, "a.txt", "y"));
	assert_int_equal(f->call.error.fault, FAULT_STORAGE);
	assert_non_null(strstr(error_sentence(f->call.arena, &f->call.error), "--state /"));
	fixture_next(f);
	assert_text(fixture_bytes(f, "a.txt"), "x");
	work_close(f->work);
	f->work = with_state;
	fixture_next(f);
}

static void a_state_folder_is_made_with_its_parents(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	char deep[160];

	snprintf(deep, sizeof deep, "%s/deep/er/state", f->top);
	fixture_reopen(f, (struct work_options){.state = deep});
	assert_done(put(f, "a.txt", "x"));
	assert_int_equal(stat(fixture_path(f, "../deep"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(access(fixture_path(f, "../deep/er/state/history.db"), F_OK), 0);
}

static void a_state_that_others_can_read_is_narrowed(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	assert_done(put(f, "a.txt", "x"));
	assert_int_equal(chmod(f->state, 0755), 0);
	assert_int_equal(chmod(fixture_path(f, "../../state/history.db"), 0644), 0);
	fixture_reopen(f, (struct work_options){0});
	assert_true(put(f, "a.txt", "y"));
	assert_int_equal(f->call.warnings.n, 1);
	assert_non_null(strstr(f->call.warnings.items[0].at, "mode is 700 now"));
	assert_int_equal(stat(f->state, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(stat(fixture_path(f, "../../state/history.db"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void a_state_is_not_made_below_a_folder_of_another_user(void **state)
{
	struct fixture *f = *state;

	if (geteuid() != 0)
		return; /* only root can change a folder's owner */
	assert_int_equal(mkdir(fixture_path(f, "../home"), 0755), 0);
	assert_int_equal(chown(fixture_path(f, "../home"), 65534, 65534), 0);
	char theirs[160];
	snprintf(theirs, sizeof theirs, "%s/home/state", f->top);
	fixture_reopen(f, (struct work_options){.state = theirs});
	fixture_put(f, "a.txt", "x");
	assert_false(put(f, "a.txt", "y"));
	assert_int_equal(f->call.error.fault, FAULT_DENIED);
	assert_non_null(strstr(error_sentence(f->call.arena, &f->call.error), "another user"));
	/* The error names a folder that works. */
	const char *named = strstr(error_sentence(f->call.arena, &f->call.error), "--state ") + strlen("--state ");
	assert_int_equal(named[0], '/');
	assert_null(strstr(named, "home/state"));
	fixture_next(f);
	assert_int_equal(fixture_count(fixture_path(f, "../home"), ""), 0);
	assert_text(fixture_bytes(f, "a.txt"), "x");
}

static void one_document_has_one_history_through_every_root(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	size_t n;
	bool more;

	assert_int_equal(mkdir(fixture_path(f, "novels"), 0777), 0);
	assert_done(put(f, "novels/a.txt", "one"));
	char novels[160];
	const char *inner[] = {novels, NULL};
	snprintf(novels, sizeof novels, "%s/novels", f->root);
	fixture_reopen(f, (struct work_options){.roots = inner});
	assert_done(put(f, "a.txt", "two"));
	assert_true(history_list(&f->call, TEXT("a.txt"), 0, 10, &e, &n, &more));
	assert_int_equal(n, 2);
	assert_text(e[1].path, "a.txt");
	fixture_reopen(f, (struct work_options){0});
	assert_true(history_list(&f->call, TEXT("novels/a.txt"), 0, 10, &e, &n, &more));
	assert_int_equal(n, 2);
	assert_text(e[0].path, "novels/a.txt");
}

static void losing_the_state_folder_loses_undo_and_nothing_else(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	size_t n;
	bool more;

	assert_done(put(f, "a.txt", "x"));
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
	nftw(f->state, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	fixture_reopen(f, (struct work_options){0});
	assert_true(history_list(&f->call, TEXT("a.txt"), 0, 10, &e, &n, &more));
	assert_int_equal(n, 0);
	fixture_next(f);
	assert_done(put(f, "a.txt", "y"));
	assert_text(fixture_bytes(f, "a.txt"), "y");
}

static void a_state_folder_deleted_under_a_running_server_is_made_again(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct undone u;
	size_t n;
	bool more;

	assert_done(put(f, "a.txt", "one"));
	assert_true(history_list(&f->call, TEXT("a.txt"), 0, 10, &e, &n, &more));
	fixture_next(f);
	nftw(f->state, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	assert_done(put(f, "a.txt", "two"));
	assert_true(history_list(&f->call, TEXT("a.txt"), 0, 10, &e, &n, &more));
	assert_int_equal(n, 2); /* the state before, and the change */
	assert_true(e[1].is_outside);
	fixture_next(f);
	/* It is on disk, so another process would find it. */
	fixture_reopen(f, (struct work_options){0});
	assert_done(history_undo(&f->call, TEXT("a.txt"), 0, false, &u));
	assert_text(fixture_bytes(f, "a.txt"), "one");
	assert_int_equal(unlink(fixture_path(f, "../../state/history.db")), 0);
	unlink(fixture_path(f, "../../state/history.db-wal"));
	unlink(fixture_path(f, "../../state/history.db-shm"));
	assert_done(put(f, "a.txt", "three"));
	assert_true(history_list(&f->call, TEXT("a.txt"), 0, 10, &e, &n, &more));
	assert_int_equal(n, 2); /* the state before, and the change */
	assert_true(e[1].is_outside);
}

/* A new name must look like what it is. Joiners, selectors and flags are ordinary; a name that is there stays usable.
 */
static void new_names_have_no_characters_that_nobody_sees(void **state)
{
	static const char *const refused[] = {
		"a\u061C.txt",  "a\u200B.txt", "a\u200E.txt",     "a\u200Fb.txt",  "a\u202Etxt.txt", "\u2060a.txt",
		"a\u2066b.txt", "\uFEFFa.txt", "a\U000E0041.txt", "d\u200B/a.txt", "\u200B/d/a.txt",
	};
	static const char *const ordinary[] = {
		"\u0646\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645.txt", /* Persian, with a non-joiner */
		"\U0001F468\u200D\U0001F469\u200D\U0001F467.txt",             /* a family */
		"\u2764\uFE0F.txt",
		"\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F.txt", /* Scotland's flag */
	};
	struct fixture *f = *state;
	struct document *d;

	for (size_t i = 0; i < ARRAY_COUNT(refused); i++)
		assert_refused(make(f, refused[i], "x"), FAULT_PATH);
	assert_int_equal(fixture_count(f->root, ".txt"), 0);
	for (size_t i = 0; i < ARRAY_COUNT(ordinary); i++)
		assert_done(make(f, ordinary[i], "x"));
	fixture_put(f, "a\u200B.txt", "there");
	assert_done(document_open(&f->call, TEXT("a\u200B.txt"), &d));
	assert_done(put(f, "a\u200B.txt", "changed"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(a_tree_is_parsed_once),
		WITH_ROOT(a_parse_that_fails_says_where),
		WITH_ROOT(bytes_changed_behind_the_stamps_are_seen),
		WITH_ROOT(opening_to_change_always_compares),
		WITH_ROOT_ON_DISK(a_file_of_our_own_is_known_until_anybody_touches_it),
		WITH_ROOT(a_file_of_our_own_is_known_until_anybody_touches_it),
		WITH_ROOT(who_puts_the_times_back_is_seen_all_the_same),
		WITH_ROOT_ON_DISK(who_puts_the_times_back_is_seen_all_the_same),
		WITH_ROOT(the_tree_of_the_result_is_taken_over),
		WITH_ROOT(a_refused_commit_frees_the_tree_too),
		WITH_ROOT(results_of_edits_are_right_whoever_holds_the_old_bytes),
#ifndef QUIRE_DEBUG
		WITH_ROOT(an_edit_that_nobody_watches_is_made_in_place),
#endif
		WITH_ROOT(a_commit_after_a_commit_builds_on_it),
		WITH_ROOT(many_small_pieces_are_one_document),
		WITH_ROOT(the_cache_stays_within_its_bytes),
		WITH_ROOT(lent_bytes_stay_whatever_others_write),
		WITH_ROOT(a_document_too_large_is_refused_before_it_is_read),
		WITH_ROOT(a_write_by_another_program_in_between_is_a_conflict),
		WITH_ROOT(a_temp_is_litter_only_in_a_folder_that_nobody_has_locked),
		WITH_ROOT(a_folder_in_the_place_of_a_temp_is_named_and_kept),
		WITH_ROOT(a_name_taken_by_another_program_in_between_is_a_conflict),
		WITH_ROOT(a_temp_is_litter_only_in_a_folder_that_nobody_has_locked),
		WITH_ROOT(a_folder_in_the_place_of_a_temp_is_named_and_kept),
		WITH_ROOT(grants_are_asked_by_the_true_place),
		WITH_ROOT_ON_DISK(mode_owner_and_attributes_stay),
		WITH_ROOT_ON_DISK(an_access_list_stays),
		WITH_ROOT_ON_DISK(no_access_is_inherited_by_an_edit),
		WITH_ROOT(a_new_document_gets_the_mode_of_new_files),
		WITH_ROOT(a_file_without_any_write_bit_is_refused_even_for_root),
		WITH_ROOT(a_root_that_cannot_be_written_is_read_without_state),
		WITH_ROOT(a_state_of_somebody_else_keeps_nobody_from_reading),
		WITH_ROOT(what_the_system_denies_is_denied),
		WITH_ROOT(a_read_only_server_writes_nothing),
		WITH_ROOT(files_are_listed_in_the_order_of_their_paths),
		WITH_ROOT(lists_take_several_suffixes_and_tell_stamps),
		WITH_ROOT(a_read_past_the_cache_is_the_callers_own),
		WITH_ROOT(a_handler_may_plan_again),
		WITH_ROOT(hidden_names_are_the_kinds_alone),
		WITH_ROOT(a_link_does_not_change_the_ending_of_a_name),
		WITH_ROOT(a_stamp_changes_when_the_file_does),
		WITH_ROOT(caches_may_use_the_state_folder),
		WITH_ROOT(nothing_is_kept_beside_the_documents),
		WITH_ROOT(without_a_state_folder_nothing_is_written),
		WITH_ROOT(a_state_folder_is_made_with_its_parents),
		WITH_ROOT(a_state_that_others_can_read_is_narrowed),
		WITH_ROOT(a_state_is_not_made_below_a_folder_of_another_user),
		WITH_ROOT(one_document_has_one_history_through_every_root),
		WITH_ROOT(losing_the_state_folder_loses_undo_and_nothing_else),
		WITH_ROOT(a_state_folder_deleted_under_a_running_server_is_made_again),
		WITH_ROOT(new_names_have_no_characters_that_nobody_sees),
	};

	return RUN_TESTS(tests);
}
