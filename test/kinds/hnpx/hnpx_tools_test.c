/* Tools on a real folder, for cases that the program itself cannot show: ids that are already used, many writes and
 * their undo, and a write whose tree the next call reuses. */
#include "support/check.h"

#include "kinds/hnpx/hnpx.h"
#include "work/history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/quire-hnpx.XXXXXX";
static struct work *work;
static uint32_t forced[8]; /* the next random numbers; 0: not forced */
static size_t forced_n;

uint32_t __real_random_below(uint32_t bound);
uint32_t __wrap_random_below(uint32_t bound);
uint32_t __wrap_random_below(uint32_t bound) { return forced_n ? forced[--forced_n] : __real_random_below(bound); }

static unsigned parses;
struct book *__real_book_parse(struct arena *a, struct text bytes, struct problems *problems, struct error *error);
struct book *__wrap_book_parse(struct arena *a, struct text bytes, struct problems *problems, struct error *error);
struct book *__wrap_book_parse(struct arena *a, struct text bytes, struct problems *problems, struct error *error)
{
	parses++;
	return __real_book_parse(a, bytes, problems, error);
}

struct outcome {
	struct arena arena;
	struct error error;
	const struct json *answer; /* structured; NULL: none */
	struct text text;
};

static const struct tool *tool_of(const char *name)
{
	extern const struct kind kind_hnpx;

	for (const struct tool *const *table = kind_hnpx.tools; *table; table++)
		for (const struct tool *t = *table; t->name; t++)
			if (!strcmp(t->name, name))
				return t;
	fail_msg("no tool %s", name);
	return NULL;
}

static struct outcome *ran(const char *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));
static struct outcome *ran(const char *tool, const char *format, ...)
{
	struct outcome *o = calloc(1, sizeof *o);
	struct reply reply = {0};
	struct caller caller = {.name = TEXT("test")};
	struct call c = {.arena = &o->arena, .reply = &reply, .work = work, .caller = &caller, .tool = tool};
	struct text structured;
	va_list ap;

	va_start(ap, format);
	struct text source = text_vformat(&o->arena, format, ap);
	va_end(ap);
	struct json *args = json_parse(&o->arena, source, JSON_DEPTH_MESSAGE, &(struct json_error){0});
	assert_non_null(args);
	tool_run(&c, tool_of(tool), args, &structured);
	o->error = c.error;
	if (structured.at)
		o->answer = json_parse(&o->arena, text_copy(&o->arena, structured), JSON_DEPTH_MESSAGE,
				       &(struct json_error){0});
	if (reply.blocks.n)
		o->text = text_copy(&o->arena, reply.blocks.items[0].bytes);
	work_release(&c);
	return o;
}

static void end(struct outcome *o)
{
	arena_free(&o->arena);
	free(o);
}

static void done(const char *tool, const char *args)
{
	struct outcome *o = ran(tool, "%s", args);

	if (o->error.fault)
		fail_msg("%s: %s", tool, o->error.message);
	end(o);
}

static struct text member(struct outcome *o, const char *name)
{
	if (o->error.fault)
		fail_msg("%s", o->error.message);
	return json_text(json_get(o->answer, name));
}

static struct text file_bytes(struct arena *a, const char *name)
{
	struct buffer b = {.arena = a};
	FILE *f = fopen(text_format(a, "%s/%s", folder, name).at, "rb");

	assert_non_null(f);
	for (size_t n; (n = fread(buffer_room(&b, 4096), 1, 4096, f)) > 0;)
		b.len += n;
	fclose(f);
	return buffer_text(&b);
}

static uint32_t pack(struct text id)
{
	uint32_t packed = 0;

	assert_true(id_pack(id, &packed));
	return packed;
}

static void three_taken_ids_in_a_row_are_refused(void **state)
{
	(void)state;
	struct outcome *book = ran("create_document", "{\"file_path\":\"ids.hnpx\"}");
	uint32_t taken = pack(member(book, "id"));

	/* Two ids are taken, the third is free: three attempts are made. */
	forced_n = 3, forced[2] = taken, forced[1] = taken, forced[0] = 7;
	struct outcome *chapter =
		ran("create_chapter",
		    "{\"file_path\":\"ids.hnpx\",\"parent_id\":\"book\",\"title\":\"a\",\"summary\":\"s\"}");
	assert_text(member(chapter, "id"), "000007");
	forced_n = 3, forced[2] = taken, forced[1] = 7, forced[0] = taken;
	struct outcome *refused =
		ran("create_chapter",
		    "{\"file_path\":\"ids.hnpx\",\"parent_id\":\"book\",\"title\":\"b\",\"summary\":\"s\"}");
	assert_string_equal(refused->error.code, "DUPLICATE_ID");
	assert_int_equal(forced_n, 0);
	/* An id of the same call also counts as taken. */
	forced_n = 4, forced[3] = 8, forced[2] = 8, forced[1] = 8, forced[0] = 8;
	struct outcome *pair =
		ran("create_nodes", "{\"file_path\":\"ids.hnpx\",\"parent_id\":\"book\",\"children\":["
				    "{\"title\":\"c\",\"summary\":\"s\"},{\"title\":\"d\",\"summary\":\"s\"}]}");
	assert_string_equal(pair->error.code, "DUPLICATE_ID");
	assert_int_equal(forced_n, 0);
	end(book), end(chapter), end(refused), end(pair);
}

static void a_long_call_ends_by_the_clock_or_by_its_caller(void **state)
{
	extern const struct kind kind_hnpx;
	static const char *const slow[] = {"check_continuity", "search", "get_subtree"};

	(void)state;
	done("create_document", "{\"file_path\":\"slow.hnpx\"}");
	struct buffer args = {0};
	buffer_put(&args, "{\"file_path\":\"slow.hnpx\",\"parent_id\":\"book\",\"children\":[");
	for (int i = 0; i < 300; i++)
		buffer_format(&args, "%s{\"title\":\"%d\",\"summary\":\"s\"}", i ? "," : "", i);
	buffer_put(&args, "]}");
	done("create_nodes", buffer_text(&args).at);
	buffer_free(&args);
	for (size_t i = 0; i < ARRAY_COUNT(slow); i++)
		for (int how = 0; how < 2; how++) {
			struct arena arena = {0};
			struct reply reply = {0};
			struct caller caller = {.name = TEXT("test")};
			atomic_bool cancelled = how == 1;
			struct call c = {
				.arena = &arena, .reply = &reply, .work = work, .caller = &caller, .tool = slow[i]};
			struct text structured;
			c.deadline = how ? 0 : 1;
			c.cancelled = &cancelled;
			const char *words = !strcmp(slow[i], "search")       ? ",\"query\":\"s\""
					    : strcmp(slow[i], "get_subtree") ? ""
									     : ",\"node_id\":\"book\"";
			struct text source = text_format(&arena, "{\"file_path\":\"slow.hnpx\"%s}", words);
			tool_run(&c, tool_of(slow[i]),
				 json_parse(&arena, source, JSON_DEPTH_MESSAGE, &(struct json_error){0}), &structured);
			assert_string_equal(kind_code(&kind_hnpx, &c.error), how ? "CANCELLED" : "TIMEOUT");
			work_release(&c);
			arena_free(&arena);
		}
}

static void ids_use_the_whole_alphabet(void **state)
{
	bool seen[256] = {false};

	(void)state;
	done("create_document", "{\"file_path\":\"many.hnpx\"}");
	struct buffer args = {0};
	buffer_put(&args, "{\"file_path\":\"many.hnpx\",\"parent_id\":\"book\",\"children\":[");
	for (int i = 0; i < 300; i++)
		buffer_format(&args, "%s{\"title\":\"%d\",\"summary\":\"s\"}", i ? "," : "", i);
	buffer_put(&args, "]}");
	struct outcome *o = ran("create_nodes", "%s", buffer_text(&args).at);
	const struct json *ids = json_get(o->answer, "ids");
	assert_int_equal(ids->len, 300);
	for (uint32_t i = 0; i < ids->len; i++) {
		pack(json_text(&ids->items[i]));
		for (int k = 0; k < ID_LEN; k++)
			seen[(unsigned char)ids->items[i].string[k]] = true;
	}
	for (const char *c = "abcdefghijklmnopqrstuvwxyz0123456789"; *c; c++)
		assert_true(seen[(unsigned char)*c]);
	buffer_free(&args);
	end(o);
}

/* An undo as the shell makes it. */
static bool undo(const char *path)
{
	struct arena arena = {0};
	struct caller caller = {.name = TEXT("test")};
	struct call c = {.arena = &arena, .work = work, .caller = &caller, .tool = "file_undo"};
	struct undone undone;
	bool was = history_undo(&c, text_of(path), 0, false, &undone);

	work_release(&c);
	arena_free(&arena);
	return was;
}

static void many_writes_are_undone_to_the_first_bytes(void **state)
{
	struct arena arena = {0};
	enum { WRITES = 60 };

	(void)state;
	done("create_document", "{\"file_path\":\"undo.hnpx\"}");
	struct text first = file_bytes(&arena, "undo.hnpx");
	struct outcome *chapter =
		ran("create_chapter",
		    "{\"file_path\":\"undo.hnpx\",\"parent_id\":\"book\",\"title\":\"t\",\"summary\":\"s\"}");
	const char *parent = text_string(&arena, member(chapter, "id"));
	int writes = 1;
	for (; writes < WRITES; writes++) {
		const char *args = NULL, *tool = NULL;
		switch (writes % 4) {
		case 0:
			tool = "create_sequence";
			args = "{\"file_path\":\"undo.hnpx\",\"parent_id\":\"%s\",\"location\":\"%d\",\"summary\":"
			       "\"s\",\"position\":0}";
			break;
		case 1:
			tool = "edit_node_attributes";
			args = "{\"file_path\":\"undo.hnpx\",\"node_id\":\"%s\",\"attributes\":{\"pov\":\"p%d\"}}";
			break;
		case 2:
			tool = "edit_node_attributes";
			args = "{\"file_path\":\"undo.hnpx\",\"node_id\":\"%s\",\"attributes\":{\"summary\":\"<%d>\"}}";
			break;
		default:
			tool = "create_nodes";
			args = "{\"file_path\":\"undo.hnpx\",\"parent_id\":\"%s\",\"children\":[{\"location\":\"%d\","
			       "\"summary\":\"s\","
			       "\"children\":[{\"summary\":\"b\"}]}]}";
			break;
		}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		struct text source = text_format(&arena, args, parent, writes);
#pragma GCC diagnostic pop
		done(tool, source.at);
	}
	for (int i = 0; i < writes; i++)
		assert_true(undo("undo.hnpx"));
	assert_true(text_same(file_bytes(&arena, "undo.hnpx"), first));
	end(chapter);
	arena_free(&arena);
}

static void a_write_hands_its_tree_to_the_next_call(void **state)
{
	struct arena arena = {0};
	struct caller caller = {.name = TEXT("test")};
	struct call c = {.arena = &arena, .work = work, .caller = &caller};
	struct opened o;

	(void)state;
	done("create_document", "{\"file_path\":\"tree.hnpx\"}");
	done("create_chapter",
	     "{\"file_path\":\"tree.hnpx\",\"parent_id\":\"book\",\"title\":\"t\",\"summary\":\"s\"}");
	unsigned before = parses;
	assert_true(book_read(&c, TEXT("tree.hnpx"), &o));
	assert_int_equal(o.book->n, 2);
	assert_int_equal(parses, before);
	work_release(&c);
	arena_free(&arena);
}

static int set_up(void **state)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena};

	(void)state;
	if (!mkdtemp(folder))
		return 1;
	const struct work_options options = {.roots = (const char *const[]){folder, NULL},
					     .state = text_format(&arena, "%s/.state", folder).at};
	bool opened = work_open(&c, &options, &work);
	arena_free(&arena);
	return opened ? 0 : 1;
}

static int tear_down(void **state)
{
	char command[64];

	(void)state;
	work_close(work);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_taken_ids_in_a_row_are_refused),
		cmocka_unit_test(a_long_call_ends_by_the_clock_or_by_its_caller),
		cmocka_unit_test(ids_use_the_whole_alphabet),
		cmocka_unit_test(many_writes_are_undone_to_the_first_bytes),
		cmocka_unit_test(a_write_hands_its_tree_to_the_next_call),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
