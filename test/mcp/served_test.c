/* What a kind may ask of the server: tools that are left out, aliases, bare answers, handlers that run again, opening
 * under its own lock, news from a thread of its own. */
#include "support/check.h"

#include "mcp/inner.h"
#include "mcp/session.h"
#include "tool/again.h"
#include "work/work.h"

#include <pthread.h>
#include <semaphore.h>
#include <string.h>

struct nothing {
	int64_t unused;
};
static const struct field no_fields[] = {FIELDS_END};

struct shelf_config {
	bool searches;
};
static const struct field shelf_config[] = {
	FIELD(struct shelf_config, searches, FLAG, 0, "Offer search", .otherwise = "false"),
	FIELDS_END,
};

static bool has_search(const void *config) { return ((const struct shelf_config *)config)->searches; }

struct item {
	struct text name;
};
static const struct field item_out[] = {FIELD(struct item, name, TEXT, FIELD_REQUIRED, "Its name"), FIELDS_END};
static const struct shape item_shape = SHAPE(struct item, "item", item_out);

struct list_answer {
	struct objects result;
};
static const struct field list_out[] = {
	FIELD(struct list_answer, result, OBJECTS, FIELD_REQUIRED, "Items", .shape = &item_shape),
	FIELDS_END,
};

static bool list_items(struct call *c, const void *in, void *out)
{
	struct item *items = arena_array(c->arena, 2, sizeof *items);

	(void)in;
	items[0].name = TEXT("a");
	items[1].name = TEXT("b");
	*(struct list_answer *)out = (struct list_answer){{items, 2}};
	return true;
}

static bool warn_of_items(struct call *c, const void *in, void *out)
{
	warn(c, "one is broken");
	return list_items(c, in, out);
}

struct find_args {
	struct text name;
};
static const struct field find_in[] = {FIELD(struct find_args, name, TEXT, FIELD_REQUIRED, "Which"), FIELDS_END};
struct find_answer {
	const struct item *result;
};
static const struct field find_out[] = {
	FIELD(struct find_answer, result, OBJECT, FIELD_NULLABLE, "The item", .shape = &item_shape),
	FIELDS_END,
};

static bool find_item(struct call *c, const void *in, void *out)
{
	const struct find_args *args = in;
	struct item *item = arena_new(c->arena, struct item);

	if (!text_is(args->name, "none"))
		((struct find_answer *)out)->result = item;
	item->name = args->name;
	return true;
}

static struct {
	int runs, fails, opened, closed;
	int looks;       /* at watched resources */
	const char *now; /* their revision */
	bool open_fails;
	bool open_waits; /* for `released`, after it told `entered` */
	struct announcer announcer;
} seen;
static sem_t entered, released;

static bool busy(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	seen.runs++;
	warn(c, "run %d", seen.runs);
	reply_text(c, text_format(c->arena, "run %d", seen.runs));
	if (seen.runs > seen.fails)
		return true;
	c->again = true;
	return (fail)(c, FAULT_STORAGE, "the database is busy");
}

static bool refuse_own(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	return fail_as(c, "SHELF_FULL", "the shelf is full");
}

static bool write_elsewhere(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	c->revision = TEXT("7");
	reply_text(c, text_format(c->arena, "if %.*s%s", TEXT_ARGS(c->if_revision), c->dry_run ? ", dry" : ""));
	return true;
}

static const char *const list_aliases[] = {"show_all", "look", NULL};
static const struct tool shelf_tools[] = {
	TOOL("list", "List", "Lists.", TOOL_READS | TOOL_BARE | TOOL_NO_REVISION, struct nothing, no_fields,
	     struct list_answer, list_out, list_items, .aliases = list_aliases),
	TOOL("warned", "List", "Lists and warns.", TOOL_READS | TOOL_BARE, struct nothing, no_fields,
	     struct list_answer, list_out, warn_of_items),
	TOOL("find", "Find", "Finds.", TOOL_READS | TOOL_BARE, struct find_args, find_in, struct find_answer, find_out,
	     find_item),
	TOOL("search", "Search", "Searches.", TOOL_READS | TOOL_BARE, struct nothing, no_fields, struct list_answer,
	     list_out, list_items, .offered = has_search),
	TEXT_TOOL("busy", "Busy", "Meets a rival.", TOOL_WRITES | TOOL_NO_FILE, struct nothing, no_fields, busy),
	TEXT_TOOL("full", "Full", "Refuses.", TOOL_READS, struct nothing, no_fields, refuse_own),
	TEXT_TOOL("put", "Put", "Writes elsewhere.", TOOL_WRITES | TOOL_NO_CHANGES, struct nothing, no_fields,
		  write_elsewhere),
	TEXT_TOOL("old_put", "Put", "What put was called.", TOOL_WRITES | TOOL_NO_FILE | TOOL_UNLISTED, struct nothing,
		  no_fields, write_elsewhere),
	TOOLS_END,
};
static const struct tool *const shelf_tables[] = {shelf_tools, NULL};

static const struct code shelf_codes[] = {{"SHELF_FULL", 507, "no room"}, {.name = NULL}};

static bool shelf_open(struct call *c, const void *config, void **state)
{
	(void)config;
	seen.opened++;
	if (seen.open_waits) {
		sem_post(&entered);
		sem_wait(&released);
	}
	if (seen.open_fails)
		return (fail)(c, FAULT_STORAGE, "it does not open");
	seen.announcer = reply_announcer(c);
	*state = &seen;
	return true;
}

static void shelf_close(void *state)
{
	assert_ptr_equal(state, &seen);
	seen.closed++;
}

static bool list_resources(struct call *c, struct text after, size_t most, struct resource_entry **out, size_t *n,
			   bool *more)
{
	(void)after, (void)most;
	assert_ptr_equal(c->state, &seen);
	*out = arena_array(c->arena, 1, sizeof **out);
	(*out)[0] = (struct resource_entry){.uri = TEXT("shelf:///a"), .name = TEXT("a")};
	*n = 1;
	*more = false;
	/* Whatever a row holds must be there when the next one is listed. */
	*ARRAY_PUSH(c->arena, &c->touched) = TEXT("a");
	return true;
}

static bool list_more_resources(struct call *c, struct text after, size_t most, struct resource_entry **out, size_t *n,
				bool *more)
{
	assert_int_equal(c->touched.n, 1);
	return list_resources(c, after, most, out, n, more);
}

static bool read_nothing(struct call *c, const struct text *values)
{
	(void)values;
	seen.runs++;
	c->again = seen.runs <= seen.fails;
	if (c->again)
		return (fail)(c, FAULT_STORAGE, "busy");
	reply_resource(c, "shelf:///a", "text/plain", TEXT("a"));
	return true;
}

static bool count_a_look(struct call *c, const struct text *values, struct text *out)
{
	(void)c, (void)values;
	seen.looks++;
	*out = text_of(seen.now);
	return true;
}

static const struct resource shelf_resources[] = {
	{.uri = "shelf:///{name}",
	 .name = "a",
	 .prose = "A",
	 .mime = "text/plain",
	 .read = read_nothing,
	 .list = list_resources},
	{.uri = "more:///{name}",
	 .name = "b",
	 .prose = "B",
	 .mime = "text/plain",
	 .read = read_nothing,
	 .list = list_more_resources},
	{.uri = "seen:///{name}",
	 .name = "c",
	 .prose = "C",
	 .mime = "text/plain",
	 .read = read_nothing,
	 .revision = count_a_look},
	{.uri = NULL},
};

static const struct kind shelf = {
	.name = "shelf",
	.title = "A shelf",
	.prose = "A shelf.",
	.instructions = "list shows all. `search` finds one.",
	.config = shelf_config,
	.config_size = sizeof(struct shelf_config),
	.tools = shelf_tables,
	.resources = shelf_resources,
	.codes = shelf_codes,
	.no_files = true,
	.lists_change = true,
	.open = shelf_open,
	.close = shelf_close,
};

static bool look_out(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	reply_text(c, TEXT("the yard"));
	return true;
}

static const struct tool window_tools[] = {
	TEXT_TOOL("look", "Look", "Looks out.", TOOL_READS, struct nothing, no_fields, look_out),
	TEXT_TOOL("find", "Find", "Finds the window.", TOOL_READS, struct nothing, no_fields, look_out),
	TOOLS_END,
};
static const struct tool *const window_tables[] = {window_tools, NULL};
static const struct kind window = {.name = "window", .title = "A window", .prose = "A window.", .tools = window_tables};

static bool door_open(struct call *c, const void *config, void **state)
{
	(void)c, (void)config;
	*state = (void *)&window;
	return true;
}

static const struct kind door = {
	.name = "door", .title = "A door", .prose = "A door.", .tools = window_tables, .open = door_open};

static const struct kind *const only_shelf[] = {&shelf, NULL}, *const only_window[] = {&window, NULL},
				*const both[] = {&shelf, &window, NULL},
				*const shelf_and_door[] = {&shelf, &door, NULL};

static struct arena arena;
static struct server *server;
static struct guard *guard;
static struct text answer;
static int status;
static struct buffer notices;

static void on_send(struct exchange *x, struct text message)
{
	(void)x;
	buffer_add(&notices, message);
}

static void on_finish(struct exchange *x, int code, struct text message)
{
	answer = text_copy(&arena, message);
	status = code;
	exchange_free(x);
}

static const struct wire pipe_wire = {on_send, on_finish, NULL, false, false},
			 web = {on_send, on_finish, NULL, true, false};

static bool is_structured; /* the next server sends structuredContent with every result */

static void start_with(const struct kind *const *kinds_here, const char *config, struct work *work)
{
	struct call c = {.arena = &arena};
	struct json_error never;
	const struct server_options options = {
		.kinds = kinds_here,
		.config = config ? json_parse(&arena, text_of(config), JSON_DEPTH_MAX, &never) : NULL,
		.work = work,
		.guard = guard,
		.structured = is_structured,
	};

	memset(&seen, 0, sizeof seen);
	notices = (struct buffer){.arena = &arena};
	assert_true(server_open(&c, &options, &server));
}

static void start(const struct kind *const *kinds_here, const char *config) { start_with(kinds_here, config, NULL); }

static int begin(void **state)
{
	struct call c = {.arena = &arena};

	(void)state;
	is_structured = false;
	assert_true(guard_open(
		&c, &(struct guard_options){.requests_a_minute = -1, .writes_a_minute = -1, .local = true}, &guard));
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (server)
		server_close(server);
	server = NULL;
	guard_close(guard);
	arena_free(&arena);
	return 0;
}

static void post(const struct wire *wire, const char *path, struct session *session, const char *message)
{
	struct exchange x = {.server = server,
			     .endpoint = server_endpoint(server, text_of(path)),
			     .wire = wire,
			     .session = session,
			     .bytes = text_of(message)};

	if (server_receive(&x) == SERVER_WORK)
		server_work(&x);
}

#define META                                                                                                           \
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                       \
	"\"io.modelcontextprotocol/clientCapabilities\":{}}"

static const struct json *request(const char *method, const char *params)
{
	struct json_error never;

	post(&pipe_wire, "", NULL,
	     text_format(&arena, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s%s" META "}}", method,
			 params, *params ? "," : "")
		     .at);
	const struct json *message = json_parse(&arena, answer, JSON_DEPTH_MAX, &never);
	assert_non_null(message);
	return message;
}

static const struct json *call_tool(const char *name, const char *arguments)
{
	return request("tools/call",
		       text_format(&arena, "\"name\":\"%s\",\"arguments\":%s", name, arguments ? arguments : "{}").at);
}

static struct text text_block(const struct json *message, uint32_t i)
{
	const struct json *content = json_get(json_get(message, "result"), "content");

	return content && i < content->len ? json_text(json_get(&content->items[i], "text")) : (struct text){0};
}

static struct text structured(const struct json *message)
{
	const struct json *v = json_get(json_get(message, "result"), "structuredContent");

	return v ? json_source(&arena, v) : (struct text){0};
}

static struct text listed(void)
{
	const struct json *list = json_get(json_get(request("tools/list", ""), "result"), "tools");
	struct buffer b = {.arena = &arena};

	for (uint32_t i = 0; list && i < list->len; i++)
		buffer_format(&b, "%s%s", i ? " " : "", json_text(json_get(&list->items[i], "name")).at);
	return buffer_text(&b);
}

static void a_kind_may_leave_a_tool_out(void **state)
{
	(void)state;
	start(only_shelf, NULL);
	assert_text(listed(), "list warned find busy full put");
	assert_non_null(json_get(call_tool("search", NULL), "error"));
	const struct json *hello = request("server/discover", "");
	/* A sentence that names a tool which is not there is left out. */
	struct text told = json_text(json_get(json_get(hello, "result"), "instructions"));
	assert_true(!told.at || !strstr(told.at, "search"));
	server_close(server);
	start(only_shelf, "{\"kinds\":{\"shelf\":{\"searches\":true}}}");
	assert_text(listed(), "list warned find search busy full put");
	assert_text(text_block(call_tool("search", NULL), 0), "[{\"name\":\"a\"},{\"name\":\"b\"}]");
}

static void an_array_is_text_as_it_is_and_wrapped_as_structure(void **state)
{
	(void)state;
	is_structured = true;
	start(only_shelf, NULL);
	const struct json *message = call_tool("list", NULL);
	assert_text(text_block(message, 0), "[{\"name\":\"a\"},{\"name\":\"b\"}]");
	assert_null(text_block(message, 1).at);
	assert_text(structured(message), "{\"result\":[{\"name\":\"a\"},{\"name\":\"b\"}]}");
	message = call_tool("warned", NULL);
	assert_text(text_block(message, 0), "[{\"name\":\"a\"},{\"name\":\"b\"}]");
	assert_text(text_block(message, 1), "{\"_warnings\":[\"one is broken\"]}");
	assert_text(structured(message),
		    "{\"result\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"_warnings\":[\"one is broken\"]}");
}

static void null_is_text_and_an_object_stands_for_itself(void **state)
{
	(void)state;
	is_structured = true;
	start(only_shelf, NULL);
	const struct json *message = call_tool("find", "{\"name\":\"none\"}");
	assert_text(text_block(message, 0), "null");
	assert_text(structured(message), "{\"result\":null}");
	message = call_tool("find", "{\"name\":\"x\"}");
	assert_text(text_block(message, 0), "{\"name\":\"x\"}");
	assert_text(structured(message), "{\"name\":\"x\"}");
}

static void a_result_is_text_alone_unless_the_request_asks_for_more(void **state)
{
	(void)state;
	start(only_shelf, NULL);
	assert_null(structured(call_tool("list", NULL)).at);
	const struct json *list = json_get(json_get(request("tools/list", ""), "result"), "tools");
	for (uint32_t i = 0; i < list->len; i++)
		assert_null(json_get(&list->items[i], "outputSchema"));
	post(&pipe_wire, "", NULL,
	     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"list\",\"_meta\":{"
	     "\"quire/structured\":true,\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
	     "\"io.modelcontextprotocol/clientCapabilities\":{}}}}");
	assert_non_null(strstr(answer.at, "\"structuredContent\":{\"result\":[{\"name\":\"a\"}"));
}

/* Both eras get the same; a debug build has checked each answer above against the schema. */
static void the_schema_of_a_bare_answer_allows_what_comes(void **state)
{
	(void)state;
	is_structured = true;
	start(only_shelf, NULL);
	const struct json *list = json_get(json_get(request("tools/list", ""), "result"), "tools");
	assert_text(
		json_source(&arena, json_get(&list->items[0], "outputSchema")),
		"{\"type\":\"object\",\"properties\":{\"result\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
		"\"properties\":{\"name\":{\"type\":\"string\"}}}}},\"required\":[\"result\"]}");
	const struct json *find = json_get(&list->items[2], "outputSchema");
	assert_text(json_source(&arena, json_get(json_get(find, "properties"), "result")), "{\"type\":\"null\"}");
	assert_non_null(json_get(json_get(find, "properties"), "name"));
	assert_null(json_get(find, "required"));
}

static void an_alias_is_called_and_never_listed(void **state)
{
	(void)state;
	start(only_shelf, NULL);
	assert_text(text_block(call_tool("show_all", NULL), 0), "[{\"name\":\"a\"},{\"name\":\"b\"}]");
	assert_text(text_block(call_tool("look", NULL), 0), "[{\"name\":\"a\"},{\"name\":\"b\"}]");
	assert_text(text_block(call_tool("old_put", NULL), 0), "if ");
	server_close(server);
	start(both, NULL);
	assert_text(listed(),
		    "shelf_list shelf_warned shelf_find shelf_busy shelf_full shelf_put window_look window_find");
	assert_text(text_block(call_tool("shelf_look", NULL), 0), "[{\"name\":\"a\"},{\"name\":\"b\"}]");
	assert_text(text_block(call_tool("show_all", NULL), 0), "[{\"name\":\"a\"},{\"name\":\"b\"}]");
	/* Another kind's own name goes before an alias; a name that two kinds have is nobody's. */
	assert_text(text_block(call_tool("look", NULL), 0), "the yard");
	assert_non_null(json_get(call_tool("find", NULL), "error"));
}

static void file_tools_are_there_only_for_kinds_with_files(void **state)
{
	struct call c = {.arena = &arena};
	struct work *work;

	(void)state;
	assert_true(work_open(&c, &(struct work_options){.roots = (const char *const[]){".", NULL}, .read_only = true},
			      &work));
	start_with(only_shelf, NULL, work);
	assert_text(listed(), "list warned find busy full put");
	server_close(server);
	start_with(only_window, NULL, work);
	assert_non_null(strstr(listed().at, "file_history"));
	server_close(server);
	start_with(both, NULL, work);
	assert_non_null(strstr(listed().at, "file_history"));
	server_close(server);
	server = NULL;
	work_close(work);
}

static void a_handler_runs_again_when_a_store_asks(void **state)
{
	(void)state;
	start(only_shelf, NULL);
	seen.fails = 3;
	const struct json *message = call_tool("busy", NULL);
	assert_int_equal(seen.runs, 4);
	assert_text(text_block(message, 0), "run 4");
	assert_text(text_block(message, 1), "Warning: run 4");
	seen.runs = 0;
	seen.fails = 1000;
	message = call_tool("busy", NULL);
	assert_int_equal(seen.runs, AGAIN_RUNS_MAX);
	assert_non_null(strstr(text_block(message, 0).at, "the database is busy"));
	seen.runs = 0;
	seen.fails = 2;
	message = request("resources/read", "\"uri\":\"shelf:///a\"");
	assert_non_null(json_get(json_get(message, "result"), "contents"));
	assert_int_equal(seen.runs, 3);
}

static void a_kind_opens_at_its_first_allowed_call_and_again_if_it_failed(void **state)
{
	(void)state;
	start(only_shelf, NULL);
	assert_non_null(listed().at);
	assert_int_equal(seen.opened, 0);
	seen.open_fails = true;
	assert_non_null(strstr(text_block(call_tool("list", NULL), 0).at, "it does not open"));
	seen.open_fails = false;
	assert_text(text_block(call_tool("find", "{\"name\":\"none\"}"), 0), "null");
	call_tool("list", NULL);
	assert_int_equal(seen.opened, 2);
	server_close(server);
	server = NULL;
	assert_int_equal(seen.closed, 1);
}

static void *open_shelf(void *of)
{
	struct arena mine = {0};
	struct call c = {.arena = &mine};

	*(bool *)of = kind_state(&c, server, &shelf, &(void *){NULL});
	arena_free(&mine);
	return NULL;
}

static void a_slow_open_holds_up_only_its_own_kind(void **state)
{
	pthread_t first, second;
	bool is_open[2] = {false, false};

	(void)state;
	sem_init(&entered, 0, 0);
	sem_init(&released, 0, 0);
	start(shelf_and_door, NULL);
	seen.open_waits = true;
	pthread_create(&first, NULL, open_shelf, &is_open[0]);
	sem_wait(&entered);
	/* The shelf is being opened: lists and the other kind answer, and a second call for the shelf waits. */
	assert_non_null(strstr(listed().at, "door_look"));
	assert_text(text_block(call_tool("door_look", NULL), 0), "the yard");
	pthread_create(&second, NULL, open_shelf, &is_open[1]);
	assert_text(text_block(call_tool("door_look", NULL), 0), "the yard");
	sem_post(&released);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	assert_true(is_open[0] && is_open[1]);
	assert_int_equal(seen.opened, 1);
	sem_destroy(&entered);
	sem_destroy(&released);
}

static void rows_of_resources_keep_what_the_first_holds(void **state)
{
	(void)state;
	start(only_shelf, NULL);
	const struct json *list = json_get(json_get(request("resources/list", ""), "result"), "resources");
	assert_int_equal(list->len, 2);
	assert_int_equal(seen.opened, 1);
}

static void *tell_from_afar(void *of)
{
	announce(*(struct announcer *)of, "resources");
	return NULL;
}

static void hear(void *stream, struct text message)
{
	(void)stream;
	buffer_add(&notices, message);
}

static void hang_up(void *stream) { (void)stream; }

static void news_come_from_a_thread_of_the_kinds_own(void **state)
{
	pthread_t thread;

	(void)state;
	start(only_shelf, NULL);
	struct session *session = session_new(server, NULL, true);
	session_attach(session, (struct session_stream){hear, hang_up, NULL});
	post(&pipe_wire, "", session,
	     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
	     "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}");
	post(&pipe_wire, "", session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	post(&pipe_wire, "", session,
	     "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"list\","
	     "\"_meta\":{\"quire/structured\":true}}}");
	assert_non_null(strstr(answer.at, "\"structuredContent\":{\"result\":[{\"name\":\"a\"}"));
	pthread_create(&thread, NULL, tell_from_afar, &seen.announcer);
	pthread_join(thread, NULL);
	assert_non_null(strstr(buffer_text(&notices).at, "notifications/resources/list_changed"));
	session_release(session);
}

static size_t count_of(const char *words)
{
	size_t n = 0;

	for (const char *at = buffer_text(&notices).at; at && (at = strstr(at, words)); at++)
		n++;
	return n;
}

static void many_watches_take_turns(void **state)
{
	enum { SESSIONS = 11, EACH = 200, ALL = SESSIONS * EACH, A_TICK = 1024 };
	struct session *sessions[SESSIONS];

	(void)state;
	start(only_shelf, NULL);
	server->ticks = true; /* no ticker: this test is the clock */
	server->options.watches_max = ALL;
	seen.now = "one";
	for (int i = 0; i < SESSIONS; i++) {
		sessions[i] = session_new(server, NULL, false);
		session_attach(sessions[i], (struct session_stream){hear, hang_up, NULL});
		post(&pipe_wire, "", sessions[i],
		     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
		     "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}");
		for (int k = 0; k < EACH; k++)
			post(&pipe_wire, "", sessions[i],
			     text_format(&arena,
					 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\","
					 "\"params\":{\"uri\":\"seen:///%d-%d\"}}",
					 i, k)
				     .at);
	}
	notices.len = 0;
	seen.looks = 0;
	subscriptions_look(server, true);
	assert_int_equal(seen.looks, ALL);
	seen.now = "two";
	/* However many are watched, a tick has its number of looks; and after a round each was told, once. */
	for (int left = ALL; left > 0; left -= A_TICK) {
		seen.looks = 0;
		subscriptions_look(server, false);
		assert_int_equal(seen.looks, left < A_TICK ? left : A_TICK);
	}
	assert_int_equal(count_of("notifications/resources/updated"), ALL);
	seen.looks = 0;
	subscriptions_look(server, false);
	assert_int_equal(seen.looks, A_TICK);
	/* A write of our own does not wait for turns. */
	seen.now = "three";
	subscriptions_look(server, true);
	assert_int_equal(count_of("notifications/resources/updated"), 2 * ALL);
	server->ticks = false;
	for (int i = 0; i < SESSIONS; i++)
		session_release(sessions[i]);
}

static void a_code_of_the_kinds_own_has_its_status(void **state)
{
	(void)state;
	start(only_shelf, NULL);
	post(&web, "/mcp", NULL, "{\"method\":\"full\"}");
	assert_int_equal(status, 507);
	assert_text(answer, "{\"error\":{\"code\":\"SHELF_FULL\",\"message\":\"the shelf is full\"}}");
	post(&web, "/mcp", NULL, "{\"method\":\"list\"}");
	assert_text(answer, "{\"result\":[{\"name\":\"a\"},{\"name\":\"b\"}]}");
	post(&web, "/mcp", NULL, "{\"method\":\"find\",\"params\":{\"name\":\"none\"}}");
	assert_text(answer, "{\"result\":null}");
}

static void a_revision_that_is_no_files_is_any_text(void **state)
{
	(void)state;
	start(only_shelf, NULL);
	const struct json *message = call_tool("put", "{\"if_revision\":\"7\",\"dry_run\":true}");
	assert_text(json_text(json_get(json_get(json_get(message, "result"), "_meta"), "quire/revision")), "7");
	assert_non_null(strstr(text_block(call_tool("put", "{\"if_revision\":\"\"}"), 0).at, "if_revision"));
	assert_true(json_get(json_get(call_tool("put", "{\"if_revision\":\"\"}"), "result"), "isError") != NULL);
	message = call_tool("old_put", "{\"if_revision\":\"7\"}");
	assert_non_null(json_get(json_get(message, "result"), "isError"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_kind_may_leave_a_tool_out),
		TEST(an_array_is_text_as_it_is_and_wrapped_as_structure),
		TEST(null_is_text_and_an_object_stands_for_itself),
		TEST(a_result_is_text_alone_unless_the_request_asks_for_more),
		TEST(the_schema_of_a_bare_answer_allows_what_comes),
		TEST(an_alias_is_called_and_never_listed),
		TEST(file_tools_are_there_only_for_kinds_with_files),
		TEST(a_handler_runs_again_when_a_store_asks),
		TEST(a_kind_opens_at_its_first_allowed_call_and_again_if_it_failed),
		TEST(a_slow_open_holds_up_only_its_own_kind),
		TEST(rows_of_resources_keep_what_the_first_holds),
		TEST(news_come_from_a_thread_of_the_kinds_own),
		TEST(many_watches_take_turns),
		TEST(a_code_of_the_kinds_own_has_its_status),
		TEST(a_revision_that_is_no_files_is_any_text),
	};
	return RUN_TESTS(tests);
}
