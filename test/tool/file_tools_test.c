#include "support/check.h"

#include "base/buffer.h"
#include "tool/kind.h"
#include "work/history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct arena lasting, arena;
static struct work *work;
static struct reply reply;
static size_t room; /* of the next answers */
static struct call call;
static struct text structured;
static char root[] = "/tmp/quire-file-tools-XXXXXX";

static void renew(void)
{
	if (call.arena)
		work_release(&call);
	arena_free(&arena);
	arena = (struct arena){0};
	reply = (struct reply){.log_level = -1, .room = room};
	call = (struct call){.arena = &arena, .reply = &reply, .work = work, .tool = "test"};
}

static int open_root(void **state)
{
	struct call c = {.arena = &lasting};

	(void)state;
	if (!mkdtemp(root))
		return -1;
	const char *roots[] = {root, NULL};
	const char *state_folder = text_format(&lasting, "%s/.state", root).at;
	return work_open(&c, &(struct work_options){.roots = roots, .state = state_folder}, &work) ? 0 : -1;
}

static int close_root(void **state)
{
	char remove[64];

	(void)state;
	renew();
	work_release(&call);
	work_close(work);
	arena_free(&arena);
	arena_free(&lasting);
	snprintf(remove, sizeof remove, "rm -rf %s", root);
	return system(remove);
}

static void is_written(const char *path, const char *bytes)
{
	struct document *d;

	renew();
	if (!documents_change(&call, &(struct want){.path = text_of(path), .want = DOCUMENT_EITHER}, 1, &d) ||
	    !work_commit(&call, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = text_of(bytes)}, 1,
			 "write %s", path))
		fail_msg("%s: %s", path, call.error.message);
}

static const struct json *answer(const char *tool, const char *arguments)
{
	struct json_error e;
	const struct tool *t = file_tools;

	renew();
	while (t->name && strcmp(t->name, tool))
		t++;
	tool_run(&call, t, json_parse(&arena, text_of(arguments), JSON_DEPTH_MESSAGE, &e), &structured);
	return structured.at ? json_parse(&arena, structured, JSON_DEPTH_MESSAGE, &e) : NULL;
}

static struct text at(const struct json *v, const char *pointer)
{
	const struct json *found = json_pointer(v, text_of(pointer));

	return found ? json_source(&arena, found) : (struct text){0};
}

static void holds(const char *path, const char *bytes)
{
	char have[256] = "", name[128];

	snprintf(name, sizeof name, "%s/%s", root, path);
	FILE *from = fopen(name, "r");
	if (!from && !bytes)
		return;
	if (!from || !bytes)
		fail_msg("%s is %s", path, from ? "there" : "not there");
	have[fread(have, 1, sizeof have - 1, from)] = 0;
	fclose(from);
	assert_string_equal(have, bytes);
}

static void history_tells_every_commit_newest_first(void **state)
{
	(void)state;
	is_written("a.txt", "one\n");
	is_written("a.txt", "two\n");
	is_written("a.txt", "three\n");
	const struct json *have = answer("file_history", "{\"file_path\":\"a.txt\"}");
	assert_int_equal(json_get(have, "commits")->len, 3);
	assert_text(at(have, "/commits/0/summary"), "\"write a.txt\"");
	assert_text(at(have, "/commits/0/before"), at(have, "/commits/1/after").at);
	assert_text(at(have, "/commits/2/before"), "null");
	assert_text(at(have, "/commits/0/can_undo"), "true");
	assert_null(at(have, "/next").at);
	have = answer("file_history", "{\"file_path\":\"a.txt\",\"limit\":2}");
	const char *older = text_format(&lasting, "{\"file_path\":\"a.txt\",\"before\":%s}", at(have, "/next").at).at;
	have = answer("file_history", older);
	assert_int_equal(json_get(have, "commits")->len, 1);
	assert_text(at(have, "/commits/0/before"), "null");
}

static void diff_shows_the_newest_change_or_the_one_asked_for(void **state)
{
	(void)state;
	is_written("b.txt", "same\none\n");
	answer("file_diff", "{\"file_path\":\"b.txt\"}");
	assert_non_null(strstr(reply.blocks.items[0].bytes.at, "+same\n+one\n"));
	is_written("b.txt", "same\ntwo\n");
	answer("file_diff", "{\"file_path\":\"b.txt\"}");
	assert_non_null(strstr(reply.blocks.items[0].bytes.at, "-one\n+two\n"));
	const struct json *have = answer("file_history", "{\"file_path\":\"b.txt\"}");
	const char *same =
		text_format(&lasting, "{\"file_path\":\"b.txt\",\"from\":%s}", at(have, "/commits/0/after").at).at;
	answer("file_diff", same);
	assert_text(reply.blocks.items[0].bytes, "There is no difference.\n");
	answer("file_diff", "{\"file_path\":\"never.txt\"}");
	assert_int_equal(call.error.fault, FAULT_NOT_FOUND);
}

static void a_large_diff_comes_in_pages(void **state)
{
	enum { LINES = 20000, PAGE = 60000 };
	struct buffer text = {.arena = &lasting}, whole = {.arena = &lasting};
	size_t pages = 0;

	(void)state;
	for (int i = 0; i < LINES; i++)
		buffer_format(&text, "line %d\n", i);
	is_written("large.txt", "");
	is_written("large.txt", buffer_text(&text).at);
	room = ANSWER_CHARACTERS;
	for (const char *next = "offset 0"; next; pages++) {
		answer("file_diff",
		       text_format(&lasting, "{\"file_path\":\"large.txt\",\"offset\":%ld}", atol(next + 7)).at);
		assert_int_equal(reply.blocks.n, 2);
		assert_in_range(reply.blocks.items[0].bytes.len, 1, PAGE);
		buffer_add(&whole, reply.blocks.items[0].bytes);
		next = strstr(text_string(&lasting, reply.blocks.items[1].bytes), "offset ");
	}
	assert_in_range(pages, 4, 10);
	const char *at = strstr(buffer_text(&whole).at, "+line 0\n");
	for (int i = 0; i < LINES; i++) {
		const char *line = text_format(&lasting, "+line %d\n", i).at;

		assert_true(at && !strncmp(at, line, strlen(line)));
		at += strlen(line);
	}
	answer("file_diff", "{\"file_path\":\"large.txt\",\"offset\":99999999}");
	assert_int_equal(call.error.fault, FAULT_ARGUMENT);
	room = 0;
}

static void undo_takes_back_and_redo_brings_again(void **state)
{
	(void)state;
	is_written("c.txt", "one\n");
	is_written("c.txt", "two\n");
	const struct json *have = answer("file_undo", "{\"file_path\":\"c.txt\",\"dry_run\":true}");
	assert_text(at(have, "/dry_run"), "true");
	assert_text(at(have, "/changes/0/action"), "\"edit\"");
	assert_non_null(strstr(at(have, "/changes/0/diff").at, "-two\\n+one"));
	holds("c.txt", "two\n");
	have = answer("file_undo", "{\"file_path\":\"c.txt\"}");
	assert_int_equal(call.error.fault, FAULT_NONE);
	assert_text(at(have, "/files"), "[\"c.txt\"]");
	holds("c.txt", "one\n");
	answer("file_undo", "{\"file_path\":\"c.txt\",\"redo\":true}");
	holds("c.txt", "two\n");
}

static void undoing_a_creation_deletes_the_file(void **state)
{
	(void)state;
	is_written("d.txt", "one\n");
	const struct json *have = answer("file_undo", "{\"file_path\":\"d.txt\"}");
	assert_int_equal(call.error.fault, FAULT_NONE);
	assert_text(at(have, "/revision"), "null");
	holds("d.txt", NULL);
	answer("file_undo", "{\"file_path\":\"d.txt\",\"redo\":true}");
	holds("d.txt", "one\n");
}

static void undo_is_refused_where_it_would_lose_something(void **state)
{
	(void)state;
	is_written("e.txt", "one\n");
	is_written("e.txt", "two\n");
	answer("file_undo", "{\"file_path\":\"e.txt\",\"if_revision\":\"aaaaaaaaaaaaaaaa\"}");
	assert_int_equal(call.error.fault, FAULT_CONFLICT);
	answer("file_undo", "{\"file_path\":\"e.txt\",\"redo\":true,\"commit\":1}");
	assert_int_equal(call.error.fault, FAULT_ARGUMENT);
	char name[128];
	snprintf(name, sizeof name, "%s/e.txt", root);
	FILE *editor = fopen(name, "w");
	fputs("an editor was here\n", editor);
	fclose(editor);
	answer("file_undo", "{\"file_path\":\"e.txt\"}");
	assert_int_equal(call.error.fault, FAULT_CONFLICT);
	holds("e.txt", "an editor was here\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(history_tells_every_commit_newest_first),
		cmocka_unit_test(diff_shows_the_newest_change_or_the_one_asked_for),
		cmocka_unit_test(a_large_diff_comes_in_pages),
		cmocka_unit_test(undo_takes_back_and_redo_brings_again),
		cmocka_unit_test(undoing_a_creation_deletes_the_file),
		cmocka_unit_test(undo_is_refused_where_it_would_lose_something),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, open_root, close_root);
}
