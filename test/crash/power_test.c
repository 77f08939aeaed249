/* The power fails at any moment, and again while quire recovers. Everything acknowledged must be there, each commit
 * must have happened for all of its documents or for none, and the history must be sound. The disks are those of
 * disk_model.h, made from what the real code wrote and flushed. */
#include "crash/disk_model.h"

#include "base/digest.h"
#include "base/log.h"
#include "work/history/fsck.h"

/* Power cuts to try in each test. make torture sets QUIRE_TRIALS and QUIRE_SEED, to try more and different ones. */
#ifdef QUIRE_DEBUG
enum { TRIALS = 80 };
#else
enum { TRIALS = 400 };
#endif
enum { BATCH = 70, LARGE = 600 << 10, OPERATIONS_MAX = 64, DEATHS = 8, TRIED_EVERY = 20 };

static const char long_text[] =
	"a text that is long enough to be kept as splices and not as whole bytes in the history\n";

static unsigned number_from(const char *variable, unsigned otherwise)
{
	const char *set = getenv(variable);

	return set ? (unsigned)strtoul(set, NULL, 10) : otherwise;
}

static bool one_splice(struct fixture *f) { return insert(f, "a.txt", 2, "new "); }
static bool one_more(struct fixture *f) { return insert(f, "a.txt", 6, "newer "); }
static bool one_whole(struct fixture *f) { return put(f, "x/b.txt", "whole"); }
static bool one_new(struct fixture *f) { return put(f, "x/new.txt", "made"); }

static bool folders_and_all(struct fixture *f) { return make(f, "n/e/w.txt", "made"); }
static bool a_deletion(struct fixture *f) { return delete_document(f, "x/c.txt"); }

static bool a_move(struct fixture *f)
{
	return move(f, "x/d.txt", "moved.txt", &(struct splice){0, 1, TEXT("THE")}, 1);
}

static bool four_at_once(struct fixture *f)
{
	return change_four(f, (const char *const[]){"a.txt", "x/b.txt", "x/new.txt", "m/a/d/e.txt"}, long_text);
}

static bool an_undo(struct fixture *f)
{
	struct undone u;

	return history_undo(&f->call, TEXT("a.txt"), 0, false, &u);
}

/* Enough documents that they are flushed together. */
static bool a_batch(struct fixture *f)
{
	struct document *d[BATCH];
	struct want wants[BATCH];
	struct change changes[BATCH];

	for (int i = 0; i < BATCH; i++)
		wants[i] = (struct want){text_format(&f->arena, "many/%02d.txt", i), DOCUMENT_EITHER, true};
	if (!documents_change(&f->call, wants, BATCH, d))
		return false;
	for (int i = 0; i < BATCH; i++)
		changes[i] = (struct change){.kind = CHANGE_WHOLE,
					     .document = d[i],
					     .bytes = text_format(&f->arena, "number %d of many", i)};
	return work_commit(&f->call, changes, BATCH, "many");
}

/* Bytes that do not deflate: a few of these make SQLite copy its -wal file into the database. */
static bool a_large_one(struct fixture *f)
{
	static unsigned dice = 7;
	char *bytes = arena_alloc(&f->arena, LARGE + 1);

	for (size_t i = 0; i < LARGE; i++) {
		dice = dice * 1664525u + 1013904223u;
		bytes[i] = (char)(1 + (dice >> 24) % 255);
	}
	bytes[LARGE] = '\0';
	return put(f, "x/large.txt", bytes);
}

static bool a_draft(struct fixture *f)
{
	struct document *d;
	struct draft draft;

	return document_open(&f->call, TEXT("a.txt"), &d) && draft_new(&f->call, d, TEXT("draft-one"), &draft) &&
	       draft_append(&f->call, &draft, TEXT("{\"first\": 1}"));
}

static bool a_draft_goes_on(struct fixture *f)
{
	struct draft draft;

	return draft_open(&f->call, TEXT("draft-one"), &draft) &&
	       draft_append(&f->call, &draft, TEXT("{\"second\": 2}"));
}

/* The program ends and is started again: SQLite then removes its -wal file. */
static bool a_restart(struct fixture *f)
{
	fixture_reopen(f, (struct work_options){0});
	return true;
}

static bool (*const operations[])(struct fixture *) = {
	one_splice,  one_whole,   one_new,     folders_and_all, a_deletion, a_move,          four_at_once,
	an_undo,     a_draft,     a_restart,   one_more,        an_undo,    a_draft_goes_on, a_batch,
	a_large_one, a_large_one, one_new,     a_large_one,     one_splice, a_batch,         a_large_one,
	a_large_one, a_large_one, a_large_one, a_large_one,     one_more,
};

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Lists every document below a folder with its revision, sorted; for many documents, one revision for all. */
static void show_folder(struct fixture *f, const char *below, struct buffer *out)
{
	ARRAY(const char *) names = {0};
	DIR *dir = opendir(fixture_path(f, below));

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));)
		if (e->d_name[0] != '.')
			*ARRAY_PUSH(&f->arena, &names) =
				text_format(&f->arena, "%s%s%s", below, *below ? "/" : "", e->d_name).at;
	closedir(dir);
	if (names.n)
		qsort(names.items, names.n, sizeof *names.items, by_name);
	struct buffer crowd = {.arena = &f->arena}, *to = names.n < BATCH / 2 ? out : &crowd;
	for (size_t i = 0; i < names.n; i++) {
		struct stat st;
		assert_int_equal(lstat(fixture_path(f, names.items[i]), &st), 0);
		if (S_ISDIR(st.st_mode))
			show_folder(f, names.items[i], to);
		else
			buffer_format(to, "%s=%s ", names.items[i],
				      revision_of(fixture_bytes(f, names.items[i])).chars);
	}
	if (crowd.len)
		buffer_format(out, "%s/=%zu,%s ", below, names.n, revision_of(buffer_text(&crowd)).chars);
}

/* Everything that a user can see: the documents, the changes in the history, the requests of the draft. */
static struct text picture(struct fixture *f)
{
	struct buffer b = {.arena = &f->arena};
	struct history_entry *e;
	struct draft *drafts, draft;
	size_t n, ours = 0;
	bool more;

	if (!history_list(&f->call, TEXT(""), 0, 10000, &e, &n, &more))
		return text_format(&f->arena, "the history cannot be read: %s", f->call.error.message);
	for (size_t i = 0; i < n; i++)
		ours += !e[i].is_outside;
	if (!draft_list(&f->call, (struct text){0}, &drafts, &n))
		return text_format(&f->arena, "drafts cannot be read: %s", f->call.error.message);
	size_t requests = n && draft_open(&f->call, TEXT("draft-one"), &draft) ? draft.mark : 0;
	buffer_format(&b, "%zu changes, %zu requests: ", ours, requests);
	show_folder(f, "", &b);
	return buffer_text(&b);
}

/* The pictures after each operation, shared with the process that made them. */
struct pictures {
	char of[OPERATIONS_MAX + 1][8192];
};
static struct pictures *pictures;

static void picture_keep(struct fixture *f, size_t at)
{
	struct text now = picture(f);

	assert_true(now.len < sizeof pictures->of[at]);
	memcpy(pictures->of[at], now.at, now.len + 1);
	fixture_next(f);
}

static void close_work(struct fixture *f)
{
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
}

static void begin_world(struct fixture *f)
{
	close_work(f);
	nftw(f->root, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	nftw(f->state, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	assert_int_equal(mkdir(f->root, 0777), 0);
	assert_int_equal(mkdir(fixture_path(f, "x"), 0777), 0);
	fixture_put(f, "a.txt", long_text);
	fixture_put(f, "x/b.txt", long_text);
	fixture_put(f, "x/c.txt", "short");
	fixture_put(f, "x/d.txt", long_text);
	if (!pictures) {
		pictures = mmap(NULL, sizeof *pictures, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		assert_true(pictures != MAP_FAILED);
	}
}

/* Runs in a process of its own: all operations, each with its acknowledgement and its picture. */
static void operate(struct fixture *f)
{
	fixture_reopen(f, (struct work_options){0});
	for (size_t i = 0; i < ARRAY_COUNT(operations); i++) {
		if (!operations[i](f)) {
			fprintf(stderr, "operation %zu: %s\n", i, f->call.error.message);
			_exit(1);
		}
		fixture_next(f);
		disk_done(i + 1);
		picture_keep(f, i + 1);
	}
	close_work(f);
	_exit(0);
}

/* Makes a call on every document, which finishes and cleans up. */
static bool look_around(struct fixture *f)
{
	static const char *const names[] = {"a.txt",     "x/b.txt",   "x/c.txt",     "x/d.txt",    "x/new.txt",
					    "moved.txt", "n/e/w.txt", "m/a/d/e.txt", "x/large.txt"};
	struct document *d;

	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		if (!documents_change(&f->call, &(struct want){text_of(names[i]), DOCUMENT_EITHER, true}, 1, &d))
			return false;
		fixture_next(f);
	}
	return true;
}

static void look_and_go(struct fixture *f)
{
	fixture_reopen(f, (struct work_options){0});
	if (!look_around(f))
		_exit(1);
	disk_done(OPERATIONS_MAX);
	picture_keep(f, OPERATIONS_MAX);
	_exit(0);
}

/* Runs it in a process of its own, with the log on. True: it was not killed. */
static bool run_logged(struct fixture *f, void (*what)(struct fixture *))
{
	int status;

	fflush(NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		disk_log_on = true;
		what(f);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	atomic_flag_clear(&disk->lock);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return false;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	return true;
}

/* The operations that were acknowledged before the cut. */
static size_t done_before(size_t cut)
{
	size_t done = 0;

	for (size_t i = 0; i < cut; i++)
		if (disk->effects[i].kind == EFFECT_DONE)
			done = disk->effects[i].at;
	return done;
}

struct said {
	char words[20000]; /* "": no problem */
};

static bool wrong(struct said *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct said *s, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(s->words, sizeof s->words, format, ap);
	va_end(ap);
	return false;
}

/* Like quire fsck: exit 0, with or without a repair. */
static bool is_sound(struct fixture *f, bool repair, struct said *s)
{
	struct findings found;

	if (!history_check(&f->call, repair, &found))
		return wrong(s, "fsck: %s", f->call.error.message);
	for (size_t i = 0; i < found.n; i++)
		if (!repair || found.items[i].kind != FINDING_REPAIRED)
			return wrong(s, "fsck%s: %.*s", repair ? " --repair" : "", TEXT_ARGS(found.items[i].words));
	fixture_next(f);
	return true;
}

/* quire starts on the disk after the cut, by a call or by fsck, and must find one of two pictures. Then further work
 * must succeed. */
static bool recovers(struct fixture *f, const char *one, const char *two, bool by_fsck, struct said *s)
{
	fixture_reopen(f, (struct work_options){0});
	s->words[0] = '\0';
	if (!by_fsck && !look_around(f))
		return wrong(s, "a call was refused: %s", f->call.error.message);
	if (!is_sound(f, true, s) || !is_sound(f, false, s))
		return false;
	struct text now = picture(f);
	if (strcmp(now.at, one) != 0 && strcmp(now.at, two) != 0)
		return wrong(s, "\n  found %s\n  want  %s\n  or    %s", now.at, one, two);
	fixture_next(f);
	return put(f, "x/after.txt", "the workspace goes on") || wrong(s, "%s", f->call.error.message);
}

static void recover_and_check(struct fixture *f, const char *one, const char *two, bool by_fsck, const char *when)
{
	static struct said said;
	static int tried;

	if (!recovers(f, one, two, by_fsck, &said))
		fail_msg("%s: %s", when, said.words);
	close_work(f);
	if (++tried % TRIED_EVERY == 0)
		TRIED("%d power cuts\n", TRIED_EVERY);
}

static const char *when_of(size_t cut, enum manner manner, unsigned seed, const char *more)
{
	static char said[128];

	snprintf(said, sizeof said, "cut after effect %zu, manner %d, seed %u%s", cut, manner, seed, more);
	return said;
}

/* Checks the model: with everything on the disk, it must build exactly the real tree. */
static void the_model_knows_every_effect(void **state)
{
	struct fixture *f = *state;
	struct arena kept = {0};

	begin_world(f);
	disk_begin(f->home);
	assert_true(run_logged(f, operate));
	struct buffer real = {.arena = &kept}, built = {.arena = &kept};
	const char *database = text_format(&kept, "%s/history.db", f->state).at;
	show_folder(f, "", &real);
	int fd = open(database, O_RDONLY);
	struct stat st, again;
	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	char *bytes = arena_alloc(&kept, (size_t)st.st_size * 2);
	assert_int_equal(read(fd, bytes, (size_t)st.st_size), st.st_size);
	close(fd);
	disk_cut(f->home, disk->n, CUT_ALL, 1);
	show_folder(f, "", &built);
	assert_text(buffer_text(&built), buffer_text(&real).at);
	fd = open(database, O_RDONLY);
	assert_true(fd >= 0 && fstat(fd, &again) == 0 && again.st_size == st.st_size);
	assert_int_equal(read(fd, bytes + st.st_size, (size_t)st.st_size), st.st_size);
	close(fd);
	assert_memory_equal(bytes, bytes + st.st_size, (size_t)st.st_size);
	arena_free(&kept);
	fixture_reopen(f, (struct work_options){0});
}

static void begin_log(struct fixture *f)
{
	begin_world(f);
	fixture_reopen(f, (struct work_options){0});
	picture_keep(f, 0);
	close_work(f);
	disk_begin(f->home);
	assert_true(run_logged(f, operate));
}

static const char *after_next(size_t done) { return pictures->of[done < ARRAY_COUNT(operations) ? done + 1 : done]; }

static void a_power_cut_loses_nothing_acknowledged(void **state)
{
	struct fixture *f = *state;
	unsigned trials = number_from("QUIRE_TRIALS", TRIALS), seed = number_from("QUIRE_SEED", 1) * 100000;
	unsigned tried = 0;

	begin_log(f);
	/* Cuts are spread over the log, so that a few trials cover all of it. The seed moves them. */
	for (; tried < trials; tried++) {
		size_t cut = 1 + ((size_t)tried * disk->n / trials + seed / 100000 * 7) % disk->n;
		enum manner manner = tried % CUT_MANNERS;
		size_t done = done_before(cut);
		disk_cut(f->home, cut, manner, seed + tried);
		recover_and_check(f, pictures->of[done], after_next(done), tried / CUT_MANNERS % 2,
				  when_of(cut, manner, seed + tried, ""));
	}
	print_message("# in %zu effects\n", disk->n);
	fixture_reopen(f, (struct work_options){0});
}

/* Checks the test itself: it must detect a disk that ignores one kind of flush. */
static void a_flush_left_out_is_found_out(void **state)
{
	static struct said said;
	struct fixture *f = *state;

	begin_log(f);
	for (disk_lie = LIE_FOLDERS; disk_lie < LIES; disk_lie++) {
		unsigned losses = 0;
		for (unsigned i = 0; i < 200 && !losses; i++) {
			size_t cut = 1 + (size_t)i * 7919 % disk->n, done = done_before(cut);
			disk_cut(f->home, cut, i % CUT_MANNERS, i);
			losses += !recovers(f, pictures->of[done], after_next(done), i % 2, &said);
			close_work(f);
		}
		assert_true(losses > 0);
	}
	disk_lie = LIE_NONE;
	fixture_reopen(f, (struct work_options){0});
}

/* The second cut comes while quire recovers from the first, or right after it responded: then its response must stay
 * true. */
static void a_power_cut_during_recovery_loses_nothing(void **state)
{
	struct fixture *f = *state;
	unsigned trials = number_from("QUIRE_TRIALS", TRIALS) / 4, seed = number_from("QUIRE_SEED", 1) * 100000;
	struct disk *first, *second;

	begin_log(f);
	first = disk;
	disk = NULL;
	disk_begin(f->home);
	second = disk;
	for (unsigned i = 0; i < trials; i++) {
		disk = first;
		size_t cut = 1 + ((size_t)i * disk->n / trials + seed / 100000 * 7) % disk->n, done = done_before(cut);
		disk_cut(f->home, cut, i % CUT_MANNERS, seed + i);
		disk = second;
		disk_begin(f->home);
		assert_true(run_logged(f, look_and_go));
		const char *told = pictures->of[OPERATIONS_MAX];
		size_t again = i % 3 ? (size_t)(seed + i * 7919) % disk->n : disk->n;
		bool is_told = done_before(again) == OPERATIONS_MAX;
		disk_cut(f->home, again, i / 3 % CUT_MANNERS, seed + i);
		recover_and_check(f, is_told ? told : pictures->of[done], is_told ? told : after_next(done), i % 2,
				  when_of(cut, i % CUT_MANNERS, seed + i,
					  is_told ? ", then after recovery" : ", then in recovery"));
	}
	munmap(first, sizeof *first + disk_room);
	fixture_reopen(f, (struct work_options){0});
}

/* A killed process may leave data for the next one that is in the kernel's memory only. */
static void a_power_cut_after_a_kill_loses_nothing(void **state)
{
	struct fixture *f = *state;
	unsigned trials = number_from("QUIRE_TRIALS", TRIALS) / 2, seed = number_from("QUIRE_SEED", 1) * 100000;

	begin_log(f);
	size_t effects = disk->n;
	for (unsigned i = 0; i < trials; i++) {
		if (i % DEATHS == 0) {
			begin_world(f);
			disk_begin(f->home);
			/* Most kills hit the first operations, which are the shorter ones. */
			size_t part = i / DEATHS % 4 ? effects / 4 : effects;
			disk->die_at = 1 + (size_t)(seed + i / DEATHS * 7919) % part;
			assert_false(run_logged(f, operate));
			disk->die_at = 0;
			assert_true(run_logged(f, look_and_go));
		}
		size_t end = disk->n, cut = end - (i % DEATHS ? (seed + i * 31) % 24 % end : 0), done = 0;
		for (size_t j = 0; j < cut; j++)
			if (disk->effects[j].kind == EFFECT_DONE && disk->effects[j].at != OPERATIONS_MAX)
				done = disk->effects[j].at;
		bool is_told = done_before(cut) == OPERATIONS_MAX;
		const char *told = pictures->of[OPERATIONS_MAX];
		disk_cut(f->home, cut, i % CUT_MANNERS, seed + i);
		recover_and_check(f, is_told ? told : pictures->of[done], is_told ? told : after_next(done), i % 2,
				  when_of(cut, i % CUT_MANNERS, seed + i, ", killed before"));
	}
	fixture_reopen(f, (struct work_options){0});
}

int main(void)
{
	log_set(LOG_ERROR); /* many warnings are expected here */
	const struct CMUnitTest tests[] = {
		WITH_ROOT(the_model_knows_every_effect),           WITH_ROOT(a_flush_left_out_is_found_out),
		WITH_ROOT(a_power_cut_loses_nothing_acknowledged), WITH_ROOT(a_power_cut_during_recovery_loses_nothing),
		WITH_ROOT(a_power_cut_after_a_kill_loses_nothing),
	};

	return RUN_TESTS(tests);
}
