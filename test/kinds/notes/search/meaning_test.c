/* Vectors: the thread that computes them, the cache that keeps them, the service that may do it instead. */
#include "support/check.h"

#include "kinds/notes/search/vector_file.h"
#include "kinds/notes/search/encoder/encoder.h"
#include "kinds/notes/search/excerpt.h"
#include "kinds/notes/search/search.h"
#include "kinds/notes/search/service.h"

#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena arena;
static struct call call;
static char folder[64];
static int folder_fd;

enum { LONG = 60000 /* ms; longer than any step here, unless it hangs */ };

static int begin(void **state)
{
	(void)state;
	call = (struct call){.arena = &arena};
	snprintf(folder, sizeof folder, "/tmp/quire-search-XXXXXX");
	assert_non_null(mkdtemp(folder));
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY);
	return 0;
}

static int forget(void **state)
{
	char command[100];

	(void)state;
	close(folder_fd);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	assert_int_equal(system(command), 0);
	arena_free(&arena);
	return 0;
}

static struct search *opened(struct search_options o)
{
	struct search *s = NULL;

	o.state = folder_fd;
	o.vault = TEXT("/vault");
	if (!search_open(&call, &o, &s))
		fail_msg("%s", call.error.message);
	return s;
}

static void put(struct search *s, const char *path, const char *title, const char *text)
{
	struct search_note note = {.path = text_of(path), .title = text_of(title), .text = text_of(text)};

	search_put(s, &note);
}

static struct search_found find(struct search *s, enum search_mode mode, const char *words)
{
	struct search_query q = {.words = text_of(words), .mode = mode, .limit = 10};
	struct search_found found;

	if (!search_find(&call, s, &q, &found))
		fail_msg("%s", call.error.message);
	return found;
}

static bool is_missing(void)
{
	if (encoder_is_here())
		return false;
	print_message("# skipped: this build has no sentence model\n");
	return true;
}

static void household(struct search *s)
{
	put(s, "car.md", "Car maintenance", "Change the oil and check the brakes.");
	put(s, "baby.md", "Baby naps", "When he goes to bed and wakes up.");
	put(s, "doctor.md", "Doctor visits", "Dates and what she told me.");
}

static void a_query_finds_a_note_that_shares_no_word_with_it(void **state)
{
	(void)state;
	if (is_missing())
		return;
	struct search *s = opened((struct search_options){0});
	household(s);
	assert_true(search_settle(s, LONG));
	assert_int_equal(find(s, SEARCH_WORDS, "automobile repair").n, 0);
	struct search_found found = find(s, SEARCH_BLEND, "automobile repair");
	assert_text(found.items[0].path, "car.md");
	assert_true(found.items[0].words == 0 && found.items[0].meaning > 0.3);
	assert_true(fabs(found.items[0].score - found.items[0].meaning / 2) < 1e-9);
	assert_int_equal(found.vectors, 3);
	found = find(s, SEARCH_MEANING, "infant sleep");
	assert_text(found.items[0].path, "baby.md");
	assert_true(found.items[0].score == found.items[0].meaning);
	search_close(s);
}

static void notes_without_vectors_yet_count_by_their_words(void **state)
{
	char path[16];

	(void)state;
	if (is_missing())
		return;
	struct search *s = opened((struct search_options){0});
	for (int i = 0; i < 200; i++) {
		snprintf(path, sizeof path, "%d.md", i);
		put(s, path, path, "an apple a day keeps the doctor away, they say, and some believe it");
	}
	/* The thread cannot have read 200 notes by now. */
	struct search_found found = find(s, SEARCH_BLEND, "apple");
	assert_int_equal(found.n, 10);
	assert_int_equal(found.notes, 200);
	assert_true(found.vectors < 200);
	/* Closing does not wait for them either. */
	search_close(s);
}

static void vectors_outlive_the_program(void **state)
{
	(void)state;
	if (is_missing())
		return;
	struct search *s = opened((struct search_options){0});
	household(s);
	assert_true(search_settle(s, LONG));
	double before = find(s, SEARCH_MEANING, "physician").items[0].score;
	search_close(s);
	/* The vectors are known at once, even under another path, and give the same results. */
	s = opened((struct search_options){0});
	put(s, "moved/doctor.md", "Doctor visits", "Dates and what she told me.");
	assert_int_equal(search_count(s, &arena).vectors, 1);
	assert_true(find(s, SEARCH_MEANING, "physician").items[0].score == before);
	search_close(s);
}

static void a_changed_note_gets_a_new_vector(void **state)
{
	(void)state;
	if (is_missing())
		return;
	struct search *s = opened((struct search_options){0});
	household(s);
	assert_true(search_settle(s, LONG));
	assert_text(find(s, SEARCH_MEANING, "automobile repair").items[0].path, "car.md");
	put(s, "car.md", "Gardening", "Plant the roses in spring.");
	assert_true(search_settle(s, LONG));
	struct search_found found = find(s, SEARCH_MEANING, "flowers");
	assert_text(found.items[0].path, "car.md");
	search_remove(s, TEXT("car.md"));
	found = find(s, SEARCH_MEANING, "flowers");
	for (size_t i = 0; i < found.n; i++)
		assert_false(text_is(found.items[i].path, "car.md"));
	/* A note without words needs no vector. */
	put(s, "empty.md", "", "");
	assert_int_equal(search_count(s, &arena).vectors, 3);
	search_close(s);
}

/* The one file in the folder. */
static struct vector_file *kept(void)
{
	char command[120], name[64];

	snprintf(command, sizeof command, "ls %s", folder);
	FILE *f = popen(command, "r");
	assert_int_equal(fscanf(f, "%63s", name), 1);
	pclose(f);
	return vector_file_open(folder_fd, name);
}

static void vectors_of_notes_that_are_gone_go_once_all_notes_are_known(void **state)
{
	enum { GONE = 1500 };
	int8_t row[ENCODER_DIMENSION] = {1};

	(void)state;
	if (is_missing())
		return;
	struct search *s = opened((struct search_options){0});
	household(s);
	assert_true(search_settle(s, LONG));
	search_close(s);
	struct vector_file *f = kept();
	for (int i = 0; i < GONE; i++) {
		struct text text = text_format(&arena, "gone %d", i);
		vector_file_add(f, &(struct vector_record){revision_of(text), ENCODER_DIMENSION, 1, row}, 1);
	}
	vector_file_close(f);
	/* Putting the first notes of a vault must not delete the vectors of the others. */
	s = opened((struct search_options){0});
	put(s, "new.md", "New", "A note that waits for its vector.");
	assert_true(search_settle(s, LONG));
	usleep(50000);
	search_close(s);
	f = kept();
	assert_int_equal(vector_file_count(f), GONE + 4);
	vector_file_close(f);
	s = opened((struct search_options){0});
	household(s);
	search_complete(s);
	size_t left = 0;
	for (int i = 0; i < 600 && left != 3; i++) {
		usleep(20000);
		f = kept();
		left = vector_file_count(f);
		vector_file_close(f);
	}
	assert_int_equal(left, 3);
	search_close(s);
}

static void similar_notes_leave_out_the_note_itself(void **state)
{
	struct search_query q = {.limit = 5};
	struct search_found found;

	(void)state;
	if (is_missing())
		return;
	struct search *s = opened((struct search_options){0});
	household(s);
	put(s, "bike.md", "Bicycle repair", "Oil the chain, adjust the brakes.");
	assert_true(search_settle(s, LONG));
	assert_true(search_similar(&call, s, TEXT("bike.md"), &q, &found));
	assert_text(found.items[0].path, "car.md");
	for (size_t i = 0; i < found.n; i++)
		assert_false(text_is(found.items[i].path, "bike.md"));
	assert_true(search_similar(&call, s, TEXT("nowhere.md"), &q, &found));
	assert_int_equal(found.n, 0);
	search_close(s);
}

/* The cache */

static struct vector_record record(int n, int8_t *row)
{
	char text[16];

	snprintf(text, sizeof text, "note %d", n);
	for (int i = 0; i < 8; i++)
		row[i] = (int8_t)(n + i);
	return (struct vector_record){revision_of(text_of(text)), 8, 0.5f, row};
}

static bool cached(struct vector_file *c, int n)
{
	int8_t row[8];
	struct vector_record want = record(n, row), have;

	return vector_file_find(c, &arena, &want.key, &have) && have.dimension == 8 && have.scale == 0.5f &&
	       !memcmp(have.row, row, 8);
}

static void add_records(struct vector_file *c, int from, int to)
{
	for (int i = from; i < to; i++) {
		int8_t row[8];
		struct vector_record r = record(i, row);
		vector_file_add(c, &r, 1);
	}
}

static off_t size_of(const char *name)
{
	struct stat st;

	assert_int_equal(fstatat(folder_fd, name, &st, 0), 0);
	return st.st_size;
}

static void a_cache_cut_short_anywhere_keeps_what_is_whole(void **state)
{
	enum { RECORDS = 4, RECORD = 40, HEAD = 16 };
	struct vector_file *c = vector_file_open(folder_fd, "v");

	(void)state;
	add_records(c, 0, RECORDS);
	vector_file_close(c);
	assert_int_equal(size_of("v"), HEAD + RECORDS * RECORD);
	for (off_t size = HEAD + RECORDS * RECORD; size >= 0; size--) {
		int fd = openat(folder_fd, "v", O_WRONLY);
		assert_int_equal(ftruncate(fd, size), 0);
		close(fd);
		int whole = size < HEAD ? 0 : (int)(size - HEAD) / RECORD;
		c = vector_file_open(folder_fd, "v");
		for (int i = 0; i < RECORDS; i++)
			assert_int_equal(cached(c, i), i < whole);
		add_records(c, whole, RECORDS);
		vector_file_close(c);
		c = vector_file_open(folder_fd, "v");
		for (int i = 0; i < RECORDS; i++)
			assert_true(cached(c, i));
		vector_file_close(c);
	}
}

static void a_damaged_byte_never_gives_a_wrong_vector(void **state)
{
	struct vector_file *c = vector_file_open(folder_fd, "v");

	(void)state;
	add_records(c, 0, 3);
	vector_file_close(c);
	off_t size = size_of("v");
	for (off_t at = 0; at < size; at++) {
		char byte;
		int fd = openat(folder_fd, "v", O_RDWR);
		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte ^= 0x55;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		close(fd);
		c = vector_file_open(folder_fd, "v");
		assert_non_null(c);
		for (int i = 0; i < 3; i++) {
			int8_t row[8];
			struct vector_record want = record(i, row), have;
			if (vector_file_find(c, &arena, &want.key, &have))
				assert_memory_equal(have.row, row, 8);
		}
		vector_file_renew(c, NULL, 0);
		add_records(c, 0, 3);
		vector_file_close(c);
	}
}

static void a_renewed_cache_holds_what_it_was_given(void **state)
{
	struct vector_file *c = vector_file_open(folder_fd, "v"), *other = vector_file_open(folder_fd, "v");
	int8_t row[8];
	struct vector_record kept = record(7, row);

	(void)state;
	add_records(c, 0, 20);
	vector_file_renew(c, &kept, 1);
	assert_true(cached(c, 7) && !cached(c, 8));
	add_records(c, 30, 31);
	/* The other program writes into the replaced file. Its records are lost, which is harmless. */
	add_records(other, 40, 41);
	assert_true(cached(other, 40));
	vector_file_close(c);
	vector_file_close(other);
	c = vector_file_open(folder_fd, "v");
	assert_true(cached(c, 7) && cached(c, 30) && !cached(c, 8) && !cached(c, 40));
	assert_int_equal(vector_file_count(c), 2);
	vector_file_close(c);
	assert_int_equal(faccessat(folder_fd, "v~", F_OK, 0), -1);
}

static void two_programs_may_add_to_one_cache(void **state)
{
	struct vector_file *a = vector_file_open(folder_fd, "v"), *b = vector_file_open(folder_fd, "v");

	(void)state;
	for (int i = 0; i < 40; i += 2) {
		add_records(a, i, i + 1);
		add_records(b, i + 1, i + 2);
	}
	for (int i = 0; i < 40; i++)
		assert_true(cached(i % 2 ? b : a, i));
	vector_file_close(a);
	vector_file_close(b);
	a = vector_file_open(folder_fd, "v");
	for (int i = 0; i < 40; i++)
		assert_true(cached(a, i));
	vector_file_close(a);
}

static void what_is_no_cache_file_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(mkdirat(folder_fd, "v", 0700), 0);
	assert_null(vector_file_open(folder_fd, "v"));
	assert_int_equal(symlinkat("/etc/passwd", folder_fd, "w"), 0);
	assert_null(vector_file_open(folder_fd, "w"));
	assert_int_equal(mkfifoat(folder_fd, "x", 0600), 0);
	assert_null(vector_file_open(folder_fd, "x"));
	assert_null(vector_file_open(-1, "v"));
}

static void vectors_are_packed_within_half_a_hundredth(void **state)
{
	float a[512], b[512];
	int8_t pa[512], pb[512];
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 50; round++) {
		double dot = 0, aa = 0, bb = 0, packed = 0;
		for (int i = 0; i < 512; i++) {
			a[i] = (float)(rand_r(&seed) % 2001) / 1000 - 1;
			b[i] = a[i] * (float)(round % 5) / 4 + (float)(rand_r(&seed) % 2001) / 1000 - 1;
			dot += (double)a[i] * b[i], aa += (double)a[i] * a[i], bb += (double)b[i] * b[i];
		}
		float sa = vector_packed(a, 512, pa), sb = vector_packed(b, 512, pb);
		for (int i = 0; i < 512; i++)
			packed += pa[i] * pb[i];
		assert_true(fabs(packed * sa * sb - dot / sqrt(aa * bb)) < 0.005);
	}
	a[3] = NAN;
	assert_true(vector_packed(a, 512, pa) == 0);
	assert_int_equal(pa[5], 0);
}

static void excerpts_are_plain_words(void **state)
{
	static const struct {
		const char *title, *text, *want;
	} rows[] = {
		{"Title", "", "Title."},
		{"", "Words.", "Words."},
		{"Why?", "Because.", "Why? Because."},
		{"T", "# Heading\n\nText with **bold**, _this_ and `code`.",
		 "T. Heading. Text with bold, _this_ and code."},
		{"T", "See [[folder/note|the note]] and [[folder/other#part]].", "T. See the note and other."},
		{"T", "A [link](https://example.org/x) and ![picture](a.png).", "T. A link and picture."},
		{"T", "```c\nint main;\n```\nafter", "T. after"},
		{"T", "~~~\n```\n~~~\nafter", "T. after"},
		{"T", "- [ ] task\n- [x] done\n1. first\n> quote", "T. task done first quote"},
		{"T", "| a | b |\n|---|---|\n| c | d |", "T. a b c d"},
		{"T", "before <!-- hidden --> <b>after</b> 1 < 2", "T. before after 1 < 2"},
		{"T", "at https://example.org/long and more", "T. at and more"},
		{"T", "[unclosed and [[also", "T. unclosed and also"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_text(excerpt_of(&arena, text_of(rows[i].title), text_of(rows[i].text), 80), rows[i].want);
	assert_text(excerpt_of(&arena, TEXT("T"), TEXT("one two three four five"), 3), "T. one two three");
}

/* The service: a small server with a minimum of HTTP. */

struct fake {
	int fd, port, requests, fail_first;
	const char *reply; /* NULL: vectors computed from the texts */
	int dimension;
	char last[20000];
	pthread_t thread;
};

static void answer(struct fake *f, int fd)
{
	char reply[60000];
	size_t len = 0, want = SIZE_MAX;

	while (len < want && len < sizeof f->last - 1) {
		ssize_t n = read(fd, f->last + len, sizeof f->last - 1 - len);
		if (n <= 0)
			return;
		len += (size_t)n;
		f->last[len] = 0;
		char *end = strstr(f->last, "\r\n\r\n"), *length = strcasestr(f->last, "content-length:");
		if (end && length)
			want = (size_t)(end + 4 - f->last) + (size_t)atol(length + 15);
	}
	f->requests++;
	char *body = reply + sprintf(reply, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
	if (f->requests <= f->fail_first) {
		sprintf(reply,
			"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n{\"error\":{\"message\":\"model not loaded\"}}");
	} else if (f->reply) {
		sprintf(body, "%s", f->reply);
	} else {
		/* One number for each of a few words, so that cosines are meaningful; in reverse order. */
		static const char *const words[] = {"car", "baby", "doctor"};
		char *input = strstr(f->last, "\"input\":[") + 9;
		const char *texts[64];
		int n = 0;
		for (char *p = strtok(input, "\"]"); p && *p != '}'; p = strtok(NULL, "\"]"))
			if (*p != ',')
				texts[n++] = p;
		/* The member after the list was read as a text too; it ends the texts. */
		while (n && !strcmp(texts[n - 1], "encoding_format"))
			n--;
		for (int i = 0; i < n; i++)
			if (!strcmp(texts[i], "encoding_format"))
				n = i;
		body += sprintf(body, "{\"data\":[");
		for (int i = n - 1; i >= 0; i--) {
			body += sprintf(body, "{\"index\":%d,\"embedding\":[0.1", i);
			for (int k = 1; k < f->dimension; k++)
				body += sprintf(body, ",%s", k <= 3 && strcasestr(texts[i], words[k - 1]) ? "1" : "0");
			body += sprintf(body, "]}%s", i ? "," : "");
		}
		sprintf(body, "]}");
	}
	(void)!write(fd, reply, strlen(reply));
}

static void *serve(void *of)
{
	struct fake *f = of;

	for (int fd; (fd = accept(f->fd, NULL, NULL)) >= 0; close(fd))
		answer(f, fd);
	return NULL;
}

static struct text fake_open(struct fake *f)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof address;

	f->dimension = f->dimension ? f->dimension : 4;
	f->fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(f->fd, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(f->fd, 8), 0);
	assert_int_equal(getsockname(f->fd, (struct sockaddr *)&address, &len), 0);
	pthread_create(&f->thread, NULL, serve, f);
	return text_format(&arena, "http://127.0.0.1:%d/v1/", ntohs(address.sin_port));
}

static void fake_close(struct fake *f)
{
	shutdown(f->fd, SHUT_RDWR);
	pthread_join(f->thread, NULL);
	close(f->fd);
}

static void a_service_gives_the_vectors(void **state)
{
	struct fake f = {0};
	struct search_options o = {.embed_model = TEXT("toy"),
				   .embed_key = TEXT("secret"),
				   .query_prefix = TEXT("query: "),
				   .note_prefix = TEXT("note: ")};

	(void)state;
	o.embed = fake_open(&f);
	struct search *s = opened(o);
	household(s);
	assert_true(search_settle(s, LONG));
	assert_int_equal(search_count(s, &arena).vectors, 3);
	assert_null(search_count(s, &arena).problem);
	struct search_found found = find(s, SEARCH_MEANING, "BABY");
	assert_text(found.items[0].path, "baby.md");
	assert_true(found.items[0].score > 0.9);
	assert_non_null(strstr(f.last, "POST /v1/embeddings "));
	assert_non_null(strstr(f.last, "Authorization: Bearer secret"));
	assert_non_null(strstr(f.last, "\"model\":\"toy\""));
	assert_non_null(strstr(f.last, "query: BABY"));
	/* Words need no service. */
	int before = f.requests;
	find(s, SEARCH_WORDS, "baby");
	assert_int_equal(f.requests, before);
	search_close(s);
	fake_close(&f);
}

static void a_service_that_fails_is_an_error_of_the_provider(void **state)
{
	struct fake f = {.fail_first = 1000};
	struct search_query q = {.words = TEXT("car"), .limit = 5};
	struct search_found found;

	(void)state;
	struct search *s = opened((struct search_options){.embed = fake_open(&f)});
	household(s);
	assert_false(search_find(&call, s, &q, &found));
	assert_string_equal(call.error.code, "PROVIDER_ERROR");
	assert_non_null(strstr(error_sentence(call.arena, &call.error), "404"));
	assert_non_null(strstr(error_sentence(call.arena, &call.error), "model not loaded"));
	assert_false(search_settle(s, LONG));
	assert_non_null(strstr(search_count(s, &arena).problem, "model not loaded"));
	search_close(s);
	fake_close(&f);
	/* The server is closed now. */
	call.error = (struct error){0};
	s = opened((struct search_options){.embed = TEXT("http://127.0.0.1:1/v1")});
	assert_false(search_find(&call, s, &q, &found));
	assert_string_equal(call.error.code, "PROVIDER_ERROR");
	q.mode = SEARCH_WORDS;
	assert_true(search_find(&call, s, &q, &found));
	search_close(s);
}

static void the_thread_tries_again_after_a_failure(void **state)
{
	struct fake f = {.fail_first = 1};
	bool is_done = false;

	(void)state;
	struct search *s = opened((struct search_options){.embed = fake_open(&f)});
	household(s);
	for (int i = 0; i < 200 && !is_done; i++) {
		is_done = search_settle(s, LONG);
		if (!is_done)
			usleep(50000);
	}
	assert_true(is_done);
	assert_null(search_count(s, &arena).problem);
	search_close(s);
	fake_close(&f);
}

static void a_cancelled_query_gives_up(void **state)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof address;
	atomic_bool cancelled = true;
	struct search_query q = {.words = TEXT("car"), .limit = 5};
	struct search_found found;
	/* Accepts connections and never replies. */
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	(void)state;
	assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	struct text url = text_format(&arena, "http://127.0.0.1:%d", ntohs(address.sin_port));
	struct search *s = opened((struct search_options){.embed = url});
	put(s, "a.md", "A", "text"); /* the thread also waits for it until search_close() */
	call.cancelled = &cancelled;
	assert_false(search_find(&call, s, &q, &found));
	assert_int_equal(call.error.fault, FAULT_CANCELLED);
	call = (struct call){.arena = &arena, .deadline = 1};
	assert_false(search_find(&call, s, &q, &found));
	assert_int_equal(call.error.fault, FAULT_TIMEOUT);
	search_close(s);
	close(fd);
}

static void replies_that_are_not_vectors_are_refused(void **state)
{
	static const char *const replies[] = {
		"",
		"<html>",
		"[]",
		"{}",
		"{\"data\":{}}",
		"{\"data\":[]}",
		"{\"data\":[{\"embedding\":[1,2]}]}",
		"{\"data\":[{\"embedding\":[1,2]},{\"embedding\":[1]}]}",
		"{\"data\":[{\"embedding\":[]},{\"embedding\":[]}]}",
		"{\"data\":[{\"embedding\":\"AAAA\"},{\"embedding\":\"AAAA\"}]}",
		"{\"data\":[{\"embedding\":[1,null]},{\"embedding\":[1,2]}]}",
		"{\"data\":[{\"embedding\":[1,1e999]},{\"embedding\":[1,2]}]}",
		"{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":0,\"embedding\":[1]}]}",
		"{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":2,\"embedding\":[1]}]}",
		"{\"data\":[{\"index\":-1,\"embedding\":[1]},{\"index\":0,\"embedding\":[1]}]}",
		"{\"data\":[{\"index\":\"a\",\"embedding\":[1]},{\"index\":0,\"embedding\":[1]}]}",
		"{\"data\":[1,2]}",
	};
	size_t dimension;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(replies); i++) {
		call.error = (struct error){0};
		if (service_vectors(&call, text_of(replies[i]), 2, &dimension))
			fail_msg("%s", replies[i]);
		assert_string_equal(call.error.code, "PROVIDER_ERROR");
	}
	float *v = service_vectors(
		&call, TEXT("{\"data\":[{\"index\":1,\"embedding\":[3,4.5]},{\"index\":0,\"embedding\":[1,2]}]}"), 2,
		&dimension);
	assert_int_equal(dimension, 2);
	assert_true(v[0] == 1 && v[1] == 2 && v[2] == 3 && v[3] == 4.5f);
}

static void vectors_of_another_size_are_refused_with_advice(void **state)
{
	struct fake f = {.dimension = 4};
	struct search_query q = {.words = TEXT("car"), .limit = 5};
	struct search_found found;

	(void)state;
	struct search *s = opened((struct search_options){.embed = fake_open(&f)});
	household(s);
	assert_true(search_settle(s, LONG));
	f.dimension = 6;
	assert_false(search_find(&call, s, &q, &found));
	assert_non_null(strstr(error_sentence(call.arena, &call.error), "vectors-"));
	search_close(s);
	fake_close(&f);
}

static void addresses_that_cannot_work_are_refused_when_opened(void **state)
{
	static const char *const addresses[] = {
		"ftp://host/v1",
		"localhost:11434",
		"http://",
		"http:///v1",
		"http://user:pass@host/v1",
		"http://host/v1?x=1",
		"http://host/#a",
		"http://ho st/",
		"file:///etc/passwd",
		"NONE",
	};
	struct search *s = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(addresses); i++) {
		struct search_options o = {.embed = text_of(addresses[i]), .state = -1};
		if (search_open(&call, &o, &s))
			fail_msg("%s is taken", addresses[i]);
		assert_int_equal(call.error.fault, FAULT_ARGUMENT);
		assert_null(strstr(error_sentence(call.arena, &call.error), "pass@"));
	}
	struct search_options o = {.embed = TEXT("http://host/v1"), .embed_key = TEXT("a\nb"), .state = -1};
	assert_false(search_open(&call, &o, &s));
	assert_non_null(search_absence(&(struct search_options){.embed = TEXT("none")}));
	assert_null(search_absence(&(struct search_options){.embed = TEXT("http://host/v1")}));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_query_finds_a_note_that_shares_no_word_with_it),
		CASE(notes_without_vectors_yet_count_by_their_words),
		CASE(vectors_outlive_the_program),
		CASE(a_changed_note_gets_a_new_vector),
		CASE(vectors_of_notes_that_are_gone_go_once_all_notes_are_known),
		CASE(similar_notes_leave_out_the_note_itself),
		CASE(a_cache_cut_short_anywhere_keeps_what_is_whole),
		CASE(a_damaged_byte_never_gives_a_wrong_vector),
		CASE(a_renewed_cache_holds_what_it_was_given),
		CASE(two_programs_may_add_to_one_cache),
		CASE(what_is_no_cache_file_is_left_alone),
		CASE(vectors_are_packed_within_half_a_hundredth),
		CASE(excerpts_are_plain_words),
		CASE(a_service_gives_the_vectors),
		CASE(a_service_that_fails_is_an_error_of_the_provider),
		CASE(the_thread_tries_again_after_a_failure),
		CASE(a_cancelled_query_gives_up),
		CASE(replies_that_are_not_vectors_are_refused),
		CASE(vectors_of_another_size_are_refused_with_advice),
		CASE(addresses_that_cannot_work_are_refused_when_opened),
	};

	return RUN_TESTS(tests);
}
