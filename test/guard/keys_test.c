/* Keys files, valid and hostile, and the access they grant. */
#include "guard/keys.h"
#include "guard/limits.h"

#include "base/clock.h"
#include "base/digest.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

static atomic_int compared;
static int64_t ticks = 1000, now_ms = 1800000000000; /* January 2027 */

bool __real_secret_same(const void *a, const void *b, size_t n);
bool __wrap_secret_same(const void *a, const void *b, size_t n);
bool __wrap_secret_same(const void *a, const void *b, size_t n)
{
	compared++;
	return __real_secret_same(a, b, n);
}
int64_t __wrap_clock_ticks(void);
int64_t __wrap_clock_ticks(void) { return ticks; }
int64_t __wrap_clock_now(void);
int64_t __wrap_clock_now(void) { return now_ms; }

static const struct kind hnpx = {.name = "hnpx", .requests_a_minute = 5, .writes_a_minute = 2};
static const struct kind notes = {.name = "notes"};
static const struct tool get_node = {.name = "get_node"}, remove_node = {.name = "remove_node"};

static struct call *call_new(void)
{
	static struct arena arena;
	static struct call c;

	arena_free(&arena);
	memset(&c, 0, sizeof c);
	c.arena = &arena;
	return &c;
}

/* A call ends with its arena; the address sanitizer finds memory that outlived it. */
static void call_end(struct call *c) { arena_free(c->arena); }

static const char *refusal(const char *source)
{
	struct call *c = call_new();
	struct key_set *s = key_set_parse(c, text_of(source), "k.json");
	static char message[1000];

	assert_null(s);
	assert_non_null(c->error.message);
	snprintf(message, sizeof message, "%s", c->error.message);
	call_end(c);
	return message;
}

static struct key_set *accepted(const char *source)
{
	struct call *c = call_new();
	struct key_set *s = key_set_parse(c, text_of(source), "k.json");

	if (!s)
		fail_msg("%s", c->error.message);
	call_end(c);
	return s;
}

#define SOME_GRANTS                                                                                                    \
	"\"grants\":{\"kinds\":[\"hnpx\"],\"tools\":[\"get_*\"],\"documents\":[\"novels/**\"],\"write\":[\"novels/"    \
	"mine/**\"]}"

static bool may(const struct key *k, const char *document, bool to_write)
{
	struct arena arena = {0};
	const struct caller *caller = key_caller(&arena, k, (struct text){0});
	bool yes = !caller->may || caller->may(caller, text_of(document), to_write);

	arena_free(&arena);
	return yes;
}

static void what_is_granted_is_allowed_and_nothing_else(void **state)
{
	struct key_set *s = accepted("{\"keys\":[{\"name\":\"anna\",\"key\":\"open sesame\"," SOME_GRANTS "}]}");
	const struct key *k = key_set_find(s, TEXT("open sesame"));

	(void)state;
	assert_non_null(k);
	assert_true(key_may_kind(k, &hnpx));
	assert_false(key_may_kind(k, &notes));
	assert_true(key_may_tool(k, &hnpx, &get_node));
	assert_false(key_may_tool(k, &hnpx, &remove_node));
	assert_false(key_may_tool(k, &notes, &get_node));
	assert_true(may(k, "novels/a.xml", false));
	assert_false(may(k, "novels/a.xml", true));
	assert_true(may(k, "novels/mine/a.xml", true));
	assert_true(may(k, "novels/mine/a.xml", false));
	assert_false(may(k, "letters/a.xml", false));
	assert_false(may(k, "", false));
	key_set_release(s);
}

static void a_tool_may_be_granted_with_its_kind_in_front(void **state)
{
	struct key_set *s = accepted(
		"[{\"name\":\"a\",\"key\":\"12345678\",\"grants\":{\"kinds\":[\"*\"],\"commands\":[\"hnpx_*\"],"
		"\"documents\":[\"**\"]}}]");
	const struct key *k = key_set_find(s, TEXT("12345678"));

	(void)state;
	assert_true(key_may_tool(k, &hnpx, &get_node));
	assert_false(key_may_tool(k, &notes, &get_node));
	key_set_release(s);
}

static void a_missing_grant_grants_nothing(void **state)
{
	static const char *const grants[] = {"", ",\"grants\":{}", ",\"grants\":null", ",\"grants\":{\"kinds\":[]}",
					     ",\"grants\":{\"kinds\":null}"};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(grants); i++) {
		char source[300];

		snprintf(source, sizeof source, "{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\"%s}]}", grants[i]);
		struct key_set *s = accepted(source);
		const struct key *k = key_set_find(s, TEXT("12345678"));

		assert_false(key_may_kind(k, &hnpx));
		assert_false(key_may_tool(k, &hnpx, &get_node));
		assert_false(may(k, "a", false));
		assert_false(may(k, "a", true));
		key_set_release(s);
	}
}

static void the_flat_form_needs_its_documents(void **state)
{
	struct key_set *s =
		accepted("{\"api_keys\":[{\"name\":\"a\",\"api_key\":\"12345678\",\"allowed_documents\":[\"sop_*\"],"
			 "\"allowed_commands\":[\"get_*\"]}]}");
	const struct key *k = key_set_find(s, TEXT("12345678"));

	(void)state;
	assert_true(may(k, "sop_1", true));
	assert_false(may(k, "doc_1", false));
	assert_true(key_may_tool(k, &notes, &get_node));
	assert_false(key_may_tool(k, &notes, &remove_node));
	key_set_release(s);
	assert_non_null(strstr(refusal("[{\"name\":\"a\",\"key\":\"12345678\",\"allowed_commands\":[\"*\"]}]"),
			       "allowed_documents"));
	assert_non_null(strstr(refusal("[{\"name\":\"a\",\"api_key\":\"12345678\"}]"), "has no allowed_documents"));
	assert_non_null(strstr(refusal("{\"api_keys\":[{\"name\":\"a\",\"key\":\"12345678\"}]}"), "such as [\"*\"]"));
	assert_non_null(
		strstr(refusal("[{\"name\":\"a\",\"key\":\"12345678\",\"allowed_documents\":[\"*\"],\"grants\":{}}]"),
		       "both"));
}

static void malformed_files_are_refused_whole(void **state)
{
	static const struct {
		const char *source, *says;
	} bad[] = {
		{"", "line 1"},
		{"{", "line 1"},
		{"7", "{\"keys\": [...]}"},
		{"null", "{\"keys\": [...]}"},
		{"\"keys\"", "{\"keys\": [...]}"},
		{"[{\"name\":\"a\",\"key\":\"12345678\",\"expires\":\"\"}]", "keys[0].expires is empty"},
		{"{}", "keys"},
		{"{\"keys\":{}}", "keys"},
		{"{\"keys\":[7]}", ""},
		{"{\"keys\":[null]}", ""},
		{"{\"keys\":[[]]}", ""},
		{"{\"keys\":[{}]}", "name"},
		{"{\"keys\":[],\"more\":1}", "more"},
		{"{\"keys\":[{\"name\":\"a\"}]}", "exactly one"},
		{"{\"keys\":[{\"name\":\"\",\"key\":\"12345678\"}]}", "name"},
		{"{\"keys\":[{\"name\":7,\"key\":\"12345678\"}]}", "name"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"short\"}]}", "8"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"hash\":\"sha256:00\"}]}", "exactly one"},
		{"{\"keys\":[{\"name\":\"a\",\"hash\":\"sha256:00\"}]}", "64 hex"},
		{"{\"keys\":[{\"name\":\"a\",\"hash\":\"md5:0123456789abcdef0123456789abcdef\"}]}", "64 hex"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"grant\":{}}]}", "grants"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"grants\":[]}]}", "grants"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"grants\":{\"kinds\":\"hnpx\"}}]}", "kinds"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"grants\":{\"kinds\":[1]}}]}", "kinds"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"grants\":{\"kinds\":{\"0\":\"*\"}}}]}", "kinds"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"grants\":{\"writes\":[\"*\"]}}]}", "write"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"rate_limit\":5}]}", "rate_limit"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"rate_limit\":{\"requests_per_minute\":-1}}]}",
		 "requests_per_minute"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"expires\":\"soon\"}]}", "2027-01-01"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\",\"expires\":2027}]}", "expires"},
		{"{\"keys\":[{\"name\":\"a\",\"name\":\"b\",\"key\":\"12345678\"}]}", "line 1"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\"},{\"name\":\"a\",\"key\":\"12345679\"}]}",
		 "two keys"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\"},{\"name\":\"b\",\"key\":\"12345678\"}]}",
		 "same secret"},
		{"{\"keys\":[{\"name\":\"a\",\"key\":\"12345678\"}]} more", "line 1"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
		const char *message = refusal(bad[i].source);

		assert_ptr_equal(strstr(message, "keys file k.json: "), message);
		if (!strstr(message, bad[i].says))
			fail_msg("%s: %s", bad[i].source, message);
	}
}

static void a_message_never_shows_a_secret(void **state)
{
	(void)state;
	assert_null(strstr(refusal("{\"keys\":[{\"name\":\"a\",\"key\":[\"hunter2hunter2\"]}]}"), "hunter2"));
	assert_null(strstr(refusal("{\"keys\":[{\"name\":\"a\",\"api_key\":{\"k\":\"hunter2hunter2\"}}]}"), "hunter2"));
	assert_null(strstr(refusal("{\"keys\":[{\"name\":\"a\",\"key\":4242424242}]}"), "4242"));
	assert_null(strstr(refusal("{\"keys\":[{\"name\":\"a\",\"key\":\"hunter2\"}]}"), "hunter2"));
	assert_null(strstr(refusal("{\"keys\":[{\"name\":\"a\",\"key\":\"hunter2hunter2\",\"expires\":\"x\"}]}"),
			   "hunter2"));
}

static void deep_and_huge_files_are_refused_quickly(void **state)
{
	size_t n = 200000;
	char *deep = malloc(n + 1);

	(void)state;
	memset(deep, '[', n);
	deep[n] = 0;
	assert_non_null(strstr(refusal(deep), "k.json"));
	free(deep);

	struct buffer many = {0};
	buffer_put(&many, "{\"keys\":[");
	for (int i = 0; i <= KEYS_MAX; i++)
		buffer_format(&many, "%s{\"name\":\"n%d\",\"key\":\"secret %d\"}", i ? "," : "", i, i);
	buffer_put(&many, "]}");
	buffer_byte(&many, 0);
	assert_non_null(strstr(refusal(many.at), "10000"));
	buffer_free(&many);
}

static void a_hash_opens_the_door_as_its_key_does(void **state)
{
	struct arena arena = {0};
	struct text hash = guard_hash(&arena, TEXT("open sesame"));
	char source[300];

	(void)state;
	assert_true(text_is(hash, "sha256:41ef4bb0b23661e66301aac36066912dac037827b4ae63a7b1165a5aa93ed4eb"));
	snprintf(source, sizeof source, "[{\"name\":\"a\",\"hash\":\"%.*s\"}]", TEXT_ARGS(hash));
	struct key_set *s = accepted(source);
	assert_non_null(key_set_find(s, TEXT("open sesame")));
	assert_null(key_set_find(s, TEXT("open sesame ")));
	assert_null(key_set_find(s, hash));
	key_set_release(s);
	arena_free(&arena);
}

static void every_key_is_compared_in_constant_time_whichever_matches(void **state)
{
	struct key_set *s = accepted("[{\"name\":\"a\",\"key\":\"secret 1\"},{\"name\":\"b\",\"key\":\"secret 2\"},"
				     "{\"name\":\"c\",\"key\":\"secret 3\"}]");
	static const char *const tried[] = {"secret 1", "secret 2", "secret 3", "secret 4", ""};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(tried); i++) {
		compared = 0;
		const struct key *k = key_set_find(s, text_of(tried[i]));

		assert_int_equal(compared, 3);
		assert_int_equal(k != NULL, i < 3);
	}
	key_set_release(s);
}

static void dates_are_checked(void **state)
{
	int64_t ms;

	(void)state;
	assert_true(moment_parse(TEXT("1970-01-01"), &ms));
	assert_int_equal(ms, 0);
	assert_true(moment_parse(TEXT("2024-02-29T12:34:56Z"), &ms));
	assert_int_equal(ms, 1709210096000);
	assert_true(moment_parse(TEXT("2027-01-01"), &ms));
	assert_int_equal(ms, 1798761600000);
	static const char *const bad[] = {
		"2023-02-29", "2027-13-01",           "2027-00-01",           "2027-01-32",          "2027-1-1",
		"1969-12-31", "2027-01-01T24:00:00Z", "2027-01-01 00:00:00Z", "2027-01-01T00:00:00", "",
		"20270101"};
	for (size_t i = 0; i < ARRAY_COUNT(bad); i++)
		assert_false(moment_parse(text_of(bad[i]), &ms));
}

static char folder[] = "/tmp/quire-keys-XXXXXX";
static char file[64];

static int folder_make(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof file, "%s/keys.json", folder);
	return 0;
}

static int folder_remove(void **state)
{
	(void)state;
	unlink(file);
	return rmdir(folder);
}

static void file_write(const char *source, mode_t mode)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, source, strlen(source)), (ssize_t)strlen(source));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static struct guard *guard_over(const char *source, struct guard_options options)
{
	struct call *c = call_new();
	struct guard *g = NULL;

	file_write(source, 0600);
	options.keys_file = file;
	if (!guard_open(c, &options, &g))
		fail_msg("%s", c->error.message);
	call_end(c);
	return g;
}

#define ANNA "{\"keys\":[{\"name\":\"anna\",\"key\":\"open sesame\"," SOME_GRANTS "}]}"
#define NO_LIMITS                                                                                                      \
	{                                                                                                              \
		.requests_a_minute = -1, .writes_a_minute = -1                                                         \
	}

static void only_a_bearer_of_a_known_key_comes_in(void **state)
{
	struct guard *g = guard_over("[{\"name\":\"anna\",\"key\":\"open-sesame\"," SOME_GRANTS "}]",
				     (struct guard_options)NO_LIMITS);
	const char *why = NULL;
	static const struct {
		const char *header, *says;
	} bad[] = {
		{NULL, "no key was sent"},
		{"", "Bearer"},
		{"Bearer", "Bearer"},
		{"Bearer ", "Bearer"},
		{"open-sesame", "Bearer"},
		{"Basic b3Blbg==", "Bearer"},
		{"Bearer open-sesame x", "Bearer"},
		{"Bearer wrong", "unknown key"},
		{"Bearer open-sesam", "unknown key"},
		{"Bearer Open-sesame", "unknown key"},
	};

	(void)state;
	assert_true(guard_needs_key(g));
	for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
		assert_null(guard_key(g, text_of(bad[i].header), &why));
		assert_non_null(strstr(why, bad[i].says));
	}
	static const char *const good[] = {"Bearer open-sesame", "bearer open-sesame", "BEARER  open-sesame "};
	for (size_t i = 0; i < ARRAY_COUNT(good); i++) {
		const struct key *k = guard_key(g, text_of(good[i]), &why);

		assert_non_null(k);
		assert_true(text_is(key_name(k), "anna"));
		key_release(k);
	}
	guard_close(g);
}

static void without_a_file_everybody_may_everything(void **state)
{
	struct call *c = call_new();
	struct guard *g = NULL;
	struct guard_options options = NO_LIMITS;

	(void)state;
	assert_true(guard_open(c, &options, &g));
	assert_false(guard_needs_key(g));
	assert_true(guard_reload(c, g));
	assert_true(key_may_tool(NULL, &hnpx, &remove_node));
	assert_true(may(NULL, "a", true));
	assert_false(key_name(NULL).at != NULL);
	call_end(c);
	guard_close(g);
}

static void a_key_that_expired_is_refused(void **state)
{
	struct guard *g = guard_over("[{\"name\":\"a\",\"key\":\"12345678\",\"expires\":\"2027-01-15T08:00:01Z\"}]",
				     (struct guard_options)NO_LIMITS);
	const char *why = NULL;
	const struct key *k = guard_key(g, TEXT("Bearer 12345678"), &why);

	(void)state;
	assert_non_null(k);
	key_release(k);
	now_ms += 1000;
	assert_null(guard_key(g, TEXT("Bearer 12345678"), &why));
	assert_non_null(strstr(why, "expired"));
	now_ms -= 1000;
	guard_close(g);
}

static void a_reload_leaves_running_calls_their_key(void **state)
{
	struct guard *g = guard_over("[{\"name\":\"anna\",\"key\":\"open-sesame\"," SOME_GRANTS "}]",
				     (struct guard_options)NO_LIMITS);
	const char *why = NULL;
	const struct key *k = guard_key(g, TEXT("Bearer open-sesame"), &why);
	struct call *c = call_new();

	(void)state;
	assert_non_null(k);
	file_write("[{\"name\":\"bert\",\"key\":\"another-one\"," SOME_GRANTS "}]", 0600);
	assert_true(guard_reload(c, g));
	assert_true(text_is(key_name(k), "anna"));
	assert_true(may(k, "novels/a.xml", false));
	assert_null(guard_key(g, TEXT("Bearer open-sesame"), &why));
	const struct key *more = key_hold(k);
	key_release(k);
	assert_true(may(more, "novels/a.xml", false));
	key_release(more);
	call_end(c);
	guard_close(g);
}

static void a_reload_that_fails_leaves_the_old_keys(void **state)
{
	struct guard *g = guard_over("[{\"name\":\"anna\",\"key\":\"open-sesame\"," SOME_GRANTS "}]",
				     (struct guard_options)NO_LIMITS);
	static const char *const broken[] = {"", "{\"keys\":[{\"name\":\"x\"}]}", NULL};
	const char *why = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(broken); i++) {
		struct call *c = call_new();

		if (broken[i])
			file_write(broken[i], 0600);
		else
			unlink(file);
		assert_false(guard_reload(c, g));
		assert_non_null(strstr(c->error.message, "keys file"));
		const struct key *k = guard_key(g, TEXT("Bearer open-sesame"), &why);
		assert_non_null(k);
		key_release(k);
		call_end(c);
	}
	guard_close(g);
}

static void a_file_others_may_read_is_warned_about(void **state)
{
	struct call *c = call_new();

	(void)state;
	file_write(ANNA, 0644);
	struct key_set *s = key_set_read(c, file);
	assert_non_null(s);
	assert_int_equal(c->warnings.n, 1);
	assert_true(text_find(c->warnings.items[0], TEXT("chmod 600"), 0) != SIZE_MAX);
	key_set_release(s);
	c = call_new();
	file_write(ANNA, 0600);
	s = key_set_read(c, file);
	assert_int_equal(c->warnings.n, 0);
	key_set_release(s);
	call_end(c);
}

static void what_is_no_regular_file_is_refused_without_waiting(void **state)
{
	struct call *c = call_new();
	char fifo[80];

	(void)state;
	snprintf(fifo, sizeof fifo, "%s/fifo", folder);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_null(key_set_read(c, fifo));
	unlink(fifo);
	assert_null(key_set_read(c, folder));
	assert_null(key_set_read(c, "/dev/zero"));
	file_write("", 0600);
	assert_int_equal(truncate(file, KEYS_FILE_MAX + 1), 0);
	assert_null(key_set_read(c, file));
	assert_non_null(strstr(c->error.message, "larger"));
	call_end(c);
}

static const struct client whoever;

static const struct key *key_of(struct guard *g, const char *header)
{
	const char *why;

	return guard_key(g, text_of(header), &why);
}

static void limits_hold_a_key_and_a_kind_at_a_time(void **state)
{
	struct guard *g = guard_over("[{\"name\":\"a\",\"key\":\"secret-a\"},{\"name\":\"b\",\"key\":\"secret-b\"}]",
				     (struct guard_options)NO_LIMITS);
	const struct key *a = key_of(g, "Bearer secret-a"), *b = key_of(g, "Bearer secret-b");
	int retry = 0;

	(void)state;
	for (int i = 0; i < 5; i++)
		assert_true(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
	assert_false(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
	assert_int_equal(retry, 60);
	assert_true(guard_take(g, (struct client){.key = b}, &hnpx, GUARD_REQUEST, &retry));
	for (int i = 0; i < 100; i++) {
		assert_true(guard_take(g, (struct client){.key = a}, &notes, GUARD_REQUEST, &retry));
		assert_true(guard_take(g, (struct client){.key = a}, NULL, GUARD_REQUEST, &retry));
	}
	ticks += WINDOW_MS;
	assert_true(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
	key_release(a);
	key_release(b);
	guard_close(g);
}

static void a_refused_write_counts_neither_as_write_nor_as_request(void **state)
{
	struct guard *g = guard_over("[{\"name\":\"a\",\"key\":\"secret-a\"}]", (struct guard_options)NO_LIMITS);
	const struct key *a = key_of(g, "Bearer secret-a");
	int retry = 0;

	(void)state;
	ticks += WINDOW_MS;
	for (int i = 0; i < 2; i++) {
		assert_true(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
		assert_true(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_WRITE, &retry));
	}
	for (int i = 0; i < 10; i++) {
		assert_true(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
		assert_false(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_WRITE, &retry));
		guard_return(g, (struct client){.key = a}, &hnpx);
	}
	for (int i = 0; i < 3; i++)
		assert_true(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
	assert_false(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
	key_release(a);
	guard_close(g);
}

static void a_key_goes_before_the_server_and_the_server_before_the_kind(void **state)
{
	struct guard *g =
		guard_over("[{\"name\":\"a\",\"key\":\"secret-a\",\"rate_limit\":{\"requests_per_minute\":1}},"
			   "{\"name\":\"b\",\"key\":\"secret-b\"},"
			   "{\"name\":\"c\",\"key\":\"secret-c\",\"rate_limit\":{\"requests_per_minute\":0}}]",
			   (struct guard_options){.requests_a_minute = 3, .writes_a_minute = 0});
	static const struct {
		const char *header;
		int passes;
	} rows[] = {{"Bearer secret-a", 1}, {"Bearer secret-b", 3}, {"Bearer secret-c", 50}};
	int retry = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct key *k = key_of(g, rows[i].header);
		int passed = 0;

		while (passed < 50 && guard_take(g, (struct client){.key = k}, &hnpx, GUARD_REQUEST, &retry))
			passed++;
		assert_int_equal(passed, rows[i].passes);
		for (int w = 0; w < 20; w++)
			assert_true(guard_take(g, (struct client){.key = k}, &hnpx, GUARD_WRITE, &retry));
		key_release(k);
	}
	guard_close(g);
}

static void a_reload_does_not_empty_the_windows(void **state)
{
	struct guard *g =
		guard_over("[{\"name\":\"a\",\"key\":\"secret-a\"}]", (struct guard_options){.requests_a_minute = 1});
	const struct key *a = key_of(g, "Bearer secret-a");
	struct call *c = call_new();
	int retry = 0;

	(void)state;
	assert_true(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
	key_release(a);
	file_write("[{\"name\":\"a\",\"key\":\"secret-a\"}]", 0600);
	assert_true(guard_reload(c, g));
	a = key_of(g, "Bearer secret-a");
	assert_false(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
	key_release(a);
	call_end(c);
	guard_close(g);
}

static void without_keys_each_address_has_its_window(void **state)
{
	struct call *c = call_new();
	struct guard *g = NULL;
	struct client here = {.peer = TEXT("127.0.0.1")}, there = {.peer = TEXT("127.0.0.2")};
	int retry = 0;

	(void)state;
	assert_true(guard_open(c, &(struct guard_options){.requests_a_minute = 2, .writes_a_minute = 1}, &g));
	for (int i = 0; i < 2; i++)
		assert_true(guard_take(g, here, &hnpx, GUARD_REQUEST, &retry));
	assert_false(guard_take(g, here, &hnpx, GUARD_REQUEST, &retry));
	assert_true(guard_take(g, there, &hnpx, GUARD_REQUEST, &retry));
	guard_return(g, there, &hnpx);
	assert_false(guard_take(g, here, &hnpx, GUARD_REQUEST, &retry));
	assert_true(guard_take(g, there, &hnpx, GUARD_WRITE, &retry));
	assert_true(guard_take(g, here, &hnpx, GUARD_WRITE, &retry));
	assert_false(guard_take(g, here, &hnpx, GUARD_WRITE, &retry));
	call_end(c);
	guard_close(g);
}

static void a_key_named_like_an_address_is_not_that_address(void **state)
{
	struct guard *g = guard_over("[{\"name\":\"127.0.0.1\",\"key\":\"secret-a\"}]",
				     (struct guard_options){.requests_a_minute = 1});
	const struct key *a = key_of(g, "Bearer secret-a");
	int retry = 0;

	(void)state;
	assert_true(guard_take(g, (struct client){.key = a}, &hnpx, GUARD_REQUEST, &retry));
	assert_true(guard_take(g, (struct client){.peer = TEXT("127.0.0.1")}, &hnpx, GUARD_REQUEST, &retry));
	key_release(a);
	guard_close(g);
}

static void a_key_is_known_by_name_and_secret_after_a_reload(void **state)
{
	struct guard *g = guard_over("[{\"name\":\"a\",\"key\":\"secret-a\"},{\"name\":\"b\",\"key\":\"secret-b\"},"
				     "{\"name\":\"c\",\"key\":\"secret-c\"},{\"name\":\"d\",\"key\":\"secret-d\"}]",
				     (struct guard_options)NO_LIMITS);
	static const char *const headers[] = {"Bearer secret-a", "Bearer secret-b", "Bearer secret-c",
					      "Bearer secret-d"};
	struct call *c = call_new();

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(headers); i++) {
		const struct key *k = key_of(g, headers[i]), *now = guard_key_now(g, k);

		assert_ptr_equal(now, k);
		key_release(now);
		file_write("[{\"name\":\"a\",\"key\":\"secret-a\"},{\"name\":\"b\",\"key\":\"secret-x\"},"
			   "{\"name\":\"d\",\"key\":\"secret-d\",\"expires\":\"2020-01-01\"}]",
			   0600);
		assert_true(guard_reload(c, g));
		now = guard_key_now(g, k);
		assert_int_equal(now != NULL, i == 0);
		assert_true(!now || (now != k && text_is(key_name(now), "a")));
		key_release(now);
		key_release(k);
		file_write("[{\"name\":\"a\",\"key\":\"secret-a\"},{\"name\":\"b\",\"key\":\"secret-b\"},"
			   "{\"name\":\"c\",\"key\":\"secret-c\"},{\"name\":\"d\",\"key\":\"secret-d\"}]",
			   0600);
		assert_true(guard_reload(c, g));
	}
	call_end(c);
	guard_close(g);
}

static void a_local_guard_knows_only_the_limits_that_were_set(void **state)
{
	struct call *c = call_new();
	struct guard *g = NULL;
	int retry = 0;

	(void)state;
	assert_true(guard_open(c, &(struct guard_options){.requests_a_minute = -1, .writes_a_minute = 2, .local = true},
			       &g));
	for (int i = 0; i < 100; i++)
		assert_true(guard_take(g, whoever, &hnpx, GUARD_REQUEST, &retry));
	assert_true(guard_take(g, whoever, &hnpx, GUARD_WRITE, &retry));
	assert_true(guard_take(g, whoever, &hnpx, GUARD_WRITE, &retry));
	assert_false(guard_take(g, whoever, &hnpx, GUARD_WRITE, &retry));
	call_end(c);
	guard_close(g);
}

struct crowd {
	struct guard *guard;
	atomic_bool stop;
};

static void *knock(void *arg)
{
	struct crowd *crowd = arg;

	while (!atomic_load(&crowd->stop)) {
		const struct key *k = key_of(crowd->guard, "Bearer secret-a");

		assert_true(k && text_is(key_name(k), "a"));
		key_release(k);
	}
	return NULL;
}

static void keys_are_found_while_they_are_reloaded(void **state)
{
	struct crowd crowd = {
		.guard = guard_over("[{\"name\":\"a\",\"key\":\"secret-a\"}]", (struct guard_options)NO_LIMITS)};
	pthread_t threads[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, knock, &crowd);
	for (int i = 0; i < 100; i++) {
		struct call *c = call_new();

		assert_true(guard_reload(c, crowd.guard));
		call_end(c);
	}
	atomic_store(&crowd.stop, true);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	guard_close(crowd.guard);
}

static void the_access_log_has_one_json_line_a_request(void **state)
{
	struct call *c = call_new();
	char bytes[1000];

	(void)state;
	unlink(file);
	struct access_log *l = access_log_open(c, file);
	assert_non_null(l);
	struct text paths[] = {TEXT("a.xml"), TEXT("b.xml"), TEXT("a.xml")};
	access_log_line(l, &(struct access){.key = TEXT("an\"na"),
					    .peer = TEXT("127.0.0.1"),
					    .method = TEXT("tools/call"),
					    .kind = "hnpx",
					    .tool = "get_node",
					    .documents = {paths, ARRAY_COUNT(paths)},
					    .outcome = "done",
					    .ms = 12});
	access_log_line(l, &(struct access){.method = TEXT("POST /mcp"), .outcome = "refused", .code = 401});
	access_log_close(l);
	int fd = open(file, O_RDONLY);
	ssize_t n = read(fd, bytes, sizeof bytes - 1);
	close(fd);
	assert_true(n > 0);
	bytes[n] = 0;
	assert_string_equal(
		bytes,
		"{\"time\":\"2027-01-15T08:00:00Z\",\"peer\":\"127.0.0.1\",\"key\":\"an\\\"na\",\"method\":"
		"\"tools/call\",\"kind\":\"hnpx\",\"tool\":\"get_node\",\"documents\":[\"a.xml\",\"b.xml\"],"
		"\"outcome\":\"done\",\"ms\":12}\n"
		"{\"time\":\"2027-01-15T08:00:00Z\",\"peer\":null,\"key\":null,\"method\":\"POST /mcp\",\"kind\":null,"
		"\"tool\":null,\"outcome\":\"refused\",\"code\":401,\"ms\":0}\n");
	assert_null(access_log_open(c, "/nowhere/log"));
	assert_non_null(strstr(c->error.message, "/nowhere/log"));
	access_log_line(NULL, &(struct access){.outcome = "done"});
	access_log_close(NULL);
	call_end(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_granted_is_allowed_and_nothing_else),
		cmocka_unit_test(a_tool_may_be_granted_with_its_kind_in_front),
		cmocka_unit_test(a_missing_grant_grants_nothing),
		cmocka_unit_test(the_flat_form_needs_its_documents),
		cmocka_unit_test(malformed_files_are_refused_whole),
		cmocka_unit_test(a_message_never_shows_a_secret),
		cmocka_unit_test(deep_and_huge_files_are_refused_quickly),
		cmocka_unit_test(a_hash_opens_the_door_as_its_key_does),
		cmocka_unit_test(every_key_is_compared_in_constant_time_whichever_matches),
		cmocka_unit_test(dates_are_checked),
		cmocka_unit_test(only_a_bearer_of_a_known_key_comes_in),
		cmocka_unit_test(without_a_file_everybody_may_everything),
		cmocka_unit_test(a_key_that_expired_is_refused),
		cmocka_unit_test(a_reload_leaves_running_calls_their_key),
		cmocka_unit_test(a_reload_that_fails_leaves_the_old_keys),
		cmocka_unit_test(a_file_others_may_read_is_warned_about),
		cmocka_unit_test(what_is_no_regular_file_is_refused_without_waiting),
		cmocka_unit_test(limits_hold_a_key_and_a_kind_at_a_time),
		cmocka_unit_test(a_refused_write_counts_neither_as_write_nor_as_request),
		cmocka_unit_test(a_key_goes_before_the_server_and_the_server_before_the_kind),
		cmocka_unit_test(a_reload_does_not_empty_the_windows),
		cmocka_unit_test(without_keys_each_address_has_its_window),
		cmocka_unit_test(a_key_named_like_an_address_is_not_that_address),
		cmocka_unit_test(a_key_is_known_by_name_and_secret_after_a_reload),
		cmocka_unit_test(a_local_guard_knows_only_the_limits_that_were_set),
		cmocka_unit_test(keys_are_found_while_they_are_reloaded),
		cmocka_unit_test(the_access_log_has_one_json_line_a_request),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
