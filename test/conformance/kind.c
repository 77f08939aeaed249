/* kind.c: the fixture kind of the official conformance suite.
 *
 * The suite expects certain tools, resources and prompts on a server. They are ordinary rows of a kind, linked with the
 * unchanged program into build/quire-conformance. None of this is in the shipped binary. */
#include "base/log.h"
#include "tool/kind.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct nothing {
	int64_t unused;
};
static const struct field no_fields[] = {FIELDS_END};

/* The smallest PNG (one red pixel) and WAV (silence). */
static const unsigned char png[] = {
	0x89, 'P',  'N',  'G', 0x0d, 0x0a, 0x1a, 0x0a, 0,    0,    0,    0x0d, 'I',  'H',  'D',  'R', 0, 0,
	0,    1,    0,    0,   0,    1,    8,    2,    0,    0,    0,    0x90, 0x77, 0x53, 0xde, 0,   0, 0,
	0x0c, 'I',  'D',  'A', 'T',  0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0,    0,    3,    1,    1,   0, 0x18,
	0xdd, 0x8d, 0xb0, 0,   0,    0,    0,    'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82,
};
static const unsigned char wav[] = {
	'R', 'I',  'F',  'F', 0x26, 0,    0,    0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16,  0, 0, 0, 1, 0, 1,
	0,   0x40, 0x1f, 0,   0,    0x80, 0x3e, 0, 0,   2,   0,   16,  0,   'd', 'a', 't', 'a', 2, 0, 0, 0, 0, 0,
};
#define BYTES(b) ((struct text){(const char *)(b), sizeof(b)})

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL); }

static bool simple_text(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	reply_text(c, TEXT("This is a simple text response for testing."));
	return true;
}

static void tell_escape(struct call *c, const char *what, bool went)
{
	reply_text(c, text_format(c->arena, "%s: %s", what, went ? "went" : strerrorname_np(errno)));
}

/* Tries to leave: what a document could make a broken parser do. */
static bool escape(struct call *c, const void *in, void *out)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	char *const none[] = {NULL};

	(void)in, (void)out;
	tell_escape(c, "read", open("/etc/hostname", O_RDONLY | O_CLOEXEC) >= 0);
	tell_escape(c, "write", open("/tmp/quire-escaped", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0);
	tell_escape(c, "list", open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) >= 0);
	tell_escape(c, "exec", execve("/none", none, none) == 0 || errno == ENOENT);
	tell_escape(c, "fork", syscall(SYS_clone, 17 /* SIGCHLD */, 0, 0, 0, 0) > 0);
	tell_escape(c, "ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	tell_escape(c, "connect",
		    fd >= 0 && (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == ECONNREFUSED));
	return true;
}

static bool image_content(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	reply_image(c, "image/png", BYTES(png));
	return true;
}

static bool audio_content(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	reply_audio(c, "audio/wav", BYTES(wav));
	return true;
}

static bool embedded_resource(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	reply_resource(c, "test://embedded-resource", "text/plain", TEXT("This is an embedded resource content."));
	return true;
}

static bool mixed_content(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	reply_text(c, TEXT("Multiple content types test:"));
	reply_image(c, "image/png", BYTES(png));
	reply_resource(c, "test://mixed-content-resource", "application/json",
		       TEXT("{\"test\":\"data\",\"value\":123}"));
	return true;
}

static bool failing(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	return fail(c, FAULT_INTERNAL, "This tool intentionally returns an error for testing");
}

static bool with_progress(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	progress(c, 0, 100, "started");
	nap();
	progress(c, 50, 100, "half way");
	nap();
	progress(c, 100, 100, "done");
	nap(); /* a client may drop progress that arrives together with the result */
	reply_text(c, TEXT("Progress was reported."));
	return true;
}

static bool with_logging(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	reply_log(c, "info", TEXT("Tool execution started"));
	nap();
	reply_log(c, "info", TEXT("Tool processing data"));
	nap();
	reply_log(c, "info", TEXT("Tool execution completed"));
	reply_text(c, TEXT("Logged."));
	return true;
}

/* Waits until it is cancelled or its time is over. Tests wait for its log lines, not for a clock. */
static bool slow(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	log_line(LOG_WARNING, "test_slow begins");
	while (goes_on(c))
		nap();
	log_line(LOG_WARNING, "test_slow ends: %s", c->error.fault == FAULT_CANCELLED ? "cancelled" : "out of time");
	return false;
}

static const struct json *sampling_params(struct call *c, struct text prompt)
{
	struct arena *a = c->arena;
	struct json *params = json_new_object(a), *messages = json_new_array(a), *message = json_new_object(a),
		    *content = json_new_object(a);

	json_set_text(a, content, "type", TEXT("text"));
	json_set_text(a, content, "text", prompt);
	json_set_text(a, message, "role", TEXT("user"));
	json_set(a, message, "content", content);
	json_push(a, messages, message);
	json_set(a, params, "messages", messages);
	json_set_int(a, params, "maxTokens", 100);
	return params;
}

static enum asked sample(struct call *c, const char *key, struct text prompt, const struct json **response)
{
	return ask_client(c, key, "sampling/createMessage", "sampling", sampling_params(c, prompt), response);
}

static enum asked roots(struct call *c, const char *key, const struct json **response)
{
	return ask_client(c, key, "roots/list", "roots", json_new_object(c->arena), response);
}

struct prompt_args {
	struct text prompt;
};
static const struct field prompt_in[] = {
	FIELD(struct prompt_args, prompt, TEXT, FIELD_REQUIRED, "What to ask the model"), FIELDS_END};

static bool sampling(struct call *c, const void *in, void *out)
{
	const struct json *response = NULL;

	(void)out;
	if (sample(c, "sample", ((const struct prompt_args *)in)->prompt, &response) == WAITING)
		return true;
	struct text said = json_text(json_get(json_get(response, "content"), "text"));
	reply_text(c, text_format(c->arena, "LLM response: %.*s", TEXT_ARGS(said)));
	return true;
}

static enum asked elicit(struct call *c, const char *key, struct text message, const char *schema,
			 const struct json **response)
{
	struct json *params = json_new_object(c->arena);
	struct json_error err;

	json_set_text(c->arena, params, "message", message);
	json_set(c->arena, params, "requestedSchema", json_parse(c->arena, text_of(schema), 16, &err));
	return ask_client(c, key, "elicitation/create", "elicitation", params, response);
}

struct message_args {
	struct text message;
};
static const struct field message_in[] = {
	FIELD(struct message_args, message, TEXT, FIELD_REQUIRED, "What to ask the person"), FIELDS_END};

static bool elicitation(struct call *c, const void *in, void *out)
{
	const struct json *response = NULL;
	static const char schema[] =
		"{\"type\":\"object\",\"properties\":{\"username\":{\"type\":\"string\",\"description\":"
		"\"User's response\"},\"email\":{\"type\":\"string\",\"description\":\"User's email address\"}},"
		"\"required\":[\"username\",\"email\"]}";

	(void)out;
	if (elicit(c, "answer", ((const struct message_args *)in)->message, schema, &response) == WAITING)
		return true;
	reply_text(c,
		   text_format(c->arena, "User response: %s", response ? json_source(c->arena, response).at : "none"));
	return true;
}

static bool completed(struct call *c, const struct json *response)
{
	struct text action = json_text(json_get(response, "action"));
	const struct json *content = json_get(response, "content");

	reply_text(c, text_format(c->arena, "Elicitation completed: action=%.*s, content=%s", TEXT_ARGS(action),
				  content ? json_source(c->arena, content).at : "{}"));
	return true;
}

static bool elicit_defaults(struct call *c, const void *in, void *out)
{
	const struct json *response = NULL;
	static const char schema[] =
		"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
		"\"age\":{\"type\":\"integer\",\"default\":30},\"score\":{\"type\":\"number\",\"default\":95.5},"
		"\"status\":{\"type\":\"string\",\"enum\":[\"active\",\"inactive\",\"pending\"],\"default\":\"active\"},"
		"\"verified\":{\"type\":\"boolean\",\"default\":true}},\"required\":[]}";

	(void)in, (void)out;
	if (elicit(c, "answer", TEXT("Please review the defaults"), schema, &response) == WAITING)
		return true;
	return completed(c, response);
}

static bool elicit_enums(struct call *c, const void *in, void *out)
{
	const struct json *response = NULL;
	static const char schema[] =
		"{\"type\":\"object\",\"properties\":{"
		"\"untitledSingle\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]},"
		"\"titledSingle\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"value1\",\"title\":\"First Option\"},"
		"{\"const\":\"value2\",\"title\":\"Second Option\"},{\"const\":\"value3\",\"title\":\"Third Option\"}]},"
		"\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],\"enumNames\":[\"Option One\","
		"\"Option Two\",\"Option Three\"]},"
		"\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]}},"
		"\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"value1\",\"title\":\"First Choice\"},"
		"{\"const\":\"value2\",\"title\":\"Second Choice\"},{\"const\":\"value3\",\"title\":\"Third Choice\"}]}}},"
		"\"required\":[]}";

	(void)in, (void)out;
	if (elicit(c, "answer", TEXT("Please choose"), schema, &response) == WAITING)
		return true;
	return completed(c, response);
}

static bool missing_capability(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	if (!require_capability(c, "sampling"))
		return false;
	reply_text(c, TEXT("The client can sample."));
	return true;
}

struct name_form {
	struct text name;
};
static const struct field name_form[] = {FIELD(struct name_form, name, TEXT, FIELD_REQUIRED, "Your name"), FIELDS_END};

static bool ask_name(struct call *c, const void *in, void *out)
{
	struct name_form form;

	(void)in, (void)out;
	switch (ask(c, "user_name", "What is your name?", name_form, sizeof form, &form, (struct text){0})) {
	case WAITING: return true;
	case ANSWERED: reply_text(c, text_format(c->arena, "Hello, %.*s!", TEXT_ARGS(form.name))); return true;
	case DECLINED: reply_text(c, TEXT("No name was given.")); return true;
	case UNABLE: reply_text(c, TEXT("Hello, whoever you are!")); return true;
	}
	return true;
}

static bool ask_sampling(struct call *c, const void *in, void *out)
{
	const struct json *response = NULL;

	(void)in, (void)out;
	if (sample(c, "capital", TEXT("What is the capital of France?"), &response) == WAITING)
		return true;
	reply_text(c, TEXT("Sampled."));
	return true;
}

static bool ask_roots(struct call *c, const void *in, void *out)
{
	const struct json *response = NULL;

	(void)in, (void)out;
	if (roots(c, "client_roots", &response) == WAITING)
		return true;
	reply_text(c, TEXT("Roots received."));
	return true;
}

struct confirm_form {
	bool ok;
};
static const struct field confirm_form[] = {FIELD(struct confirm_form, ok, FLAG, FIELD_REQUIRED, "Go on?"), FIELDS_END};

static bool ask_with_state(struct call *c, const void *in, void *out)
{
	struct confirm_form form;

	(void)in, (void)out;
	reply_keep_state(c, TEXT("step-1"));
	if (ask(c, "confirm", "Please confirm", confirm_form, sizeof form, &form, (struct text){0}) == WAITING)
		return true;
	reply_text(c, text_is(reply_state(c), "step-1") ? TEXT("state-ok") : TEXT("state-lost"));
	return true;
}

static bool ask_several(struct call *c, const void *in, void *out)
{
	struct name_form form;
	const struct json *response = NULL;

	(void)in, (void)out;
	reply_keep_state(c, TEXT("several"));
	bool waits =
		ask(c, "user_name", "What is your name?", name_form, sizeof form, &form, (struct text){0}) == WAITING;
	waits |= sample(c, "greeting", TEXT("Generate a greeting"), &response) == WAITING;
	waits |= roots(c, "client_roots", &response) == WAITING;
	if (waits)
		return true;
	reply_text(c, TEXT("All answered."));
	return true;
}

struct colour_form {
	struct text color;
};
static const struct field colour_form[] = {
	FIELD(struct colour_form, color, TEXT, FIELD_REQUIRED, "Your favourite colour"), FIELDS_END};

static bool ask_twice(struct call *c, const void *in, void *out)
{
	struct name_form form;
	struct colour_form colour;

	(void)in, (void)out;
	if (ask(c, "step1", "Step 1: What is your name?", name_form, sizeof form, &form, (struct text){0}) == WAITING ||
	    ask(c, "step2", "Step 2: What is your favourite colour?", colour_form, sizeof colour, &colour,
		(struct text){0}) == WAITING)
		return true;
	reply_text(c, TEXT("Both rounds done."));
	return true;
}

static bool ask_what_is_possible(struct call *c, const void *in, void *out)
{
	struct name_form form;
	const struct json *response = NULL;

	(void)in, (void)out;
	bool waits =
		ask(c, "user_name", "What is your name?", name_form, sizeof form, &form, (struct text){0}) == WAITING;
	waits |= sample(c, "greeting", TEXT("Generate a greeting"), &response) == WAITING;
	if (!waits)
		reply_text(c, TEXT("Answered."));
	return true;
}

static bool trigger_tools(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	reply_list_changed(c, "tools");
	reply_text(c, TEXT("Tools changed."));
	return true;
}

static bool trigger_prompts(struct call *c, const void *in, void *out)
{
	(void)in, (void)out;
	reply_list_changed(c, "prompts");
	reply_text(c, TEXT("Prompts changed."));
	return true;
}

struct any_args {
	const struct json *all;
};
static const struct field any_in[] = {FIELD(struct any_args, all, MAP, 0, "Everything"), FIELDS_END};

static bool echo_arguments(struct call *c, const void *in, void *out)
{
	const struct any_args *args = in;

	(void)out;
	reply_text(c, args->all ? json_source(c->arena, args->all) : TEXT("{}"));
	return true;
}

static const char schema_2020_12[] =
	"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\",\"$defs\":{\"address\":{\"$anchor\":"
	"\"addressDef\",\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},"
	"\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},\"contactMethod\":{\"type\":"
	"\"string\",\"enum\":[\"phone\",\"email\"]},\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},"
	"\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],\"if\":{\"properties\":{"
	"\"contactMethod\":{\"const\":\"phone\"}},\"required\":[\"contactMethod\"]},\"then\":{\"required\":[\"phone\"]},"
	"\"else\":{\"required\":[\"email\"]},\"additionalProperties\":false}";

struct region_args {
	struct text region;
};
static const struct field region_in[] = {
	FIELD(struct region_args, region, TEXT, 0, "Where", .more = RARE{.schema = "\"x-mcp-header\":\"Region\""}),
	FIELDS_END};

static bool region(struct call *c, const void *in, void *out)
{
	(void)out;
	reply_text(c, text_format(c->arena, "region=%.*s", TEXT_ARGS(((const struct region_args *)in)->region)));
	return true;
}

#define FIXTURE(name, prose, run) TEXT_TOOL(name, name, prose, TOOL_READS, struct nothing, no_fields, run)

static const struct tool fixture_tools[] = {
	FIXTURE("test_simple_text", "Answers a line of text", simple_text),
	FIXTURE("test_escape", "Tries to leave the folders of this server", escape),
	FIXTURE("test_image_content", "Answers an image", image_content),
	FIXTURE("test_audio_content", "Answers a sound", audio_content),
	FIXTURE("test_embedded_resource", "Answers an embedded resource", embedded_resource),
	FIXTURE("test_multiple_content_types", "Answers text, image and resource", mixed_content),
	FIXTURE("test_error_handling", "Fails", failing),
	FIXTURE("test_tool_with_progress", "Reports progress", with_progress),
	FIXTURE("test_tool_with_logging", "Writes log lines", with_logging),
	FIXTURE("test_logging_tool", "Writes log lines where they are wanted", with_logging),
	FIXTURE("test_slow", "Goes on until it is cancelled or out of time", slow),
	TEXT_TOOL("test_sampling", "Sampling", "Asks the client's model", TOOL_READS, struct prompt_args, prompt_in,
		  sampling),
	TEXT_TOOL("test_elicitation", "Elicitation", "Asks the person", TOOL_READS, struct message_args, message_in,
		  elicitation),
	FIXTURE("test_elicitation_sep1034_defaults", "Asks with defaults", elicit_defaults),
	FIXTURE("test_elicitation_sep1330_enums", "Asks with choices", elicit_enums),
	FIXTURE("test_missing_capability", "Needs a client that samples", missing_capability),
	FIXTURE("test_streaming_elicitation", "Asks the person", ask_name),
	FIXTURE("test_trigger_tool_change", "Says that the tools changed", trigger_tools),
	FIXTURE("test_trigger_prompt_change", "Says that the prompts changed", trigger_prompts),
	FIXTURE("test_input_required_result_elicitation", "Asks for a name", ask_name),
	FIXTURE("test_input_required_result_sampling", "Asks the client's model", ask_sampling),
	FIXTURE("test_input_required_result_list_roots", "Asks for the client's roots", ask_roots),
	FIXTURE("test_input_required_result_request_state", "Asks and keeps a state", ask_with_state),
	FIXTURE("test_input_required_result_multiple_inputs", "Asks three things at once", ask_several),
	FIXTURE("test_input_required_result_multi_round", "Asks twice", ask_twice),
	FIXTURE("test_input_required_result_tampered_state", "Asks with a signed state", ask_with_state),
	FIXTURE("test_input_required_result_capabilities", "Asks what the client can answer", ask_what_is_possible),
	TEXT_TOOL("json_schema_2020_12_tool", "Schema", "Has a schema of its own", TOOL_READS, struct any_args, any_in,
		  echo_arguments, .in_schema = schema_2020_12),
	TEXT_TOOL("test_header_parameter", "Header", "Repeats a parameter in a header", TOOL_READS, struct region_args,
		  region_in, region),
	TOOLS_END};
static const struct tool *const fixture_tables[] = {fixture_tools, NULL};

static bool read_text(struct call *c, const struct text *values)
{
	(void)values;
	reply_resource(c, "test://static-text", "text/plain", TEXT("This is the content of the static text resource."));
	return true;
}

static bool read_binary(struct call *c, const struct text *values)
{
	(void)values;
	reply_resource(c, "test://static-binary", "image/png", BYTES(png));
	return true;
}

static bool read_watched(struct call *c, const struct text *values)
{
	(void)values;
	reply_resource(c, "test://watched-resource", "text/plain", TEXT("Watched."));
	return true;
}

static bool watched_revision(struct call *c, const struct text *values, struct text *out)
{
	(void)c, (void)values;
	*out = TEXT("always the same");
	return true;
}

static bool read_template(struct call *c, const struct text *values)
{
	struct text id = values[0];
	const char *uri = text_format(c->arena, "test://template/%.*s/data", TEXT_ARGS(id)).at;

	reply_resource(c, uri, "application/json",
		       text_format(c->arena, "{\"id\":\"%.*s\",\"templateTest\":true,\"data\":\"Data for ID: %.*s\"}",
				   TEXT_ARGS(id), TEXT_ARGS(id)));
	return true;
}

static const struct resource fixture_resources[] = {
	{"test://static-text", "static-text", "Static text", "A text that stays", "text/plain", read_text, NULL, NULL,
	 NULL},
	{"test://static-binary", "static-binary", "Static picture", "A picture that stays", "image/png", read_binary,
	 NULL, NULL, NULL},
	{"test://watched-resource", "watched-resource", "Watched", "A resource to watch", "text/plain", read_watched,
	 NULL, NULL, watched_revision},
	{"test://template/{id}/data", "template", "Template", "A resource by id", "application/json", read_template,
	 NULL, NULL, NULL},
	{.uri = NULL},
};

static bool simple_prompt(struct call *c, const void *in)
{
	(void)in;
	reply_text(c, TEXT("This is a simple prompt for testing."));
	return true;
}

struct two_args {
	struct text arg1, arg2;
};
static const struct field two_in[] = {FIELD(struct two_args, arg1, TEXT, FIELD_REQUIRED, "First"),
				      FIELD(struct two_args, arg2, TEXT, FIELD_REQUIRED, "Second"), FIELDS_END};

static bool prompt_with_arguments(struct call *c, const void *in)
{
	const struct two_args *args = in;

	reply_text(c, text_format(c->arena, "Prompt with arguments: arg1='%.*s', arg2='%.*s'", TEXT_ARGS(args->arg1),
				  TEXT_ARGS(args->arg2)));
	return true;
}

static bool complete_argument(struct call *c, const char *argument, struct text typed, struct texts *out)
{
	(void)argument;
	out->items = arena_array(c->arena, 2, sizeof *out->items);
	out->items[0] = text_format(c->arena, "%.*s1", TEXT_ARGS(typed));
	out->items[1] = text_format(c->arena, "%.*s2", TEXT_ARGS(typed));
	out->n = 2;
	return true;
}

struct uri_args {
	struct text resourceUri;
};
static const struct field uri_in[] = {FIELD(struct uri_args, resourceUri, TEXT, FIELD_REQUIRED, "Which resource"),
				      FIELDS_END};

static bool prompt_with_resource(struct call *c, const void *in)
{
	const char *uri = text_string(c->arena, ((const struct uri_args *)in)->resourceUri);

	reply_resource(c, uri, "text/plain", TEXT("Embedded resource content for testing."));
	reply_text(c, TEXT("Please process the embedded resource above."));
	return true;
}

static bool prompt_with_image(struct call *c, const void *in)
{
	(void)in;
	reply_image(c, "image/png", BYTES(png));
	reply_text(c, TEXT("Please analyze the image above."));
	return true;
}

struct context_form {
	struct text context;
};
static const struct field context_form[] = {
	FIELD(struct context_form, context, TEXT, FIELD_REQUIRED, "What it is about"), FIELDS_END};

static bool prompt_that_asks(struct call *c, const void *in)
{
	struct context_form form = {0};

	(void)in;
	if (ask(c, "user_context", "What context should the prompt use?", context_form, sizeof form, &form,
		(struct text){0}) == WAITING)
		return true;
	reply_text(c, text_format(c->arena, "Context: %.*s", TEXT_ARGS(form.context)));
	return true;
}

static const struct prompt fixture_prompts[] = {
	{"test_simple_prompt", "Simple", "A prompt without arguments", no_fields, 0, simple_prompt, NULL},
	{"test_prompt_with_arguments", "With arguments", "A prompt with two arguments", two_in, sizeof(struct two_args),
	 prompt_with_arguments, complete_argument},
	{"test_prompt_with_embedded_resource", "With a resource", "A prompt with a resource", uri_in,
	 sizeof(struct uri_args), prompt_with_resource, NULL},
	{"test_prompt_with_image", "With an image", "A prompt with an image", no_fields, 0, prompt_with_image, NULL},
	{"test_input_required_result_prompt", "That asks", "A prompt that asks first", no_fields, 0, prompt_that_asks,
	 NULL},
	{.name = NULL},
};

static const char *const fixture_faults[FAULTS] = {
	[FAULT_ARGUMENT] = "ARGUMENT",   [FAULT_MISSING] = "MISSING",   [FAULT_NOT_FOUND] = "NOT_FOUND",
	[FAULT_EXISTS] = "EXISTS",       [FAULT_PATH] = "PATH",         [FAULT_TOO_LARGE] = "TOO_LARGE",
	[FAULT_LOCKED] = "LOCKED",       [FAULT_CONFLICT] = "CONFLICT", [FAULT_READ_ONLY] = "READ_ONLY",
	[FAULT_DENIED] = "DENIED",       [FAULT_RATE] = "RATE",         [FAULT_TIMEOUT] = "TIMEOUT",
	[FAULT_CANCELLED] = "CANCELLED", [FAULT_STORAGE] = "STORAGE",   [FAULT_INTERNAL] = "INTERNAL",
};

static const struct error_form fixture_form = {.code = "code"};

static const struct kind kind_fixture = {
	.name = "test",
	.title = "Conformance fixtures",
	.prose = "What the conformance suite wants to find.",
	.instructions = "Fixtures of the conformance suite.",
	.tools = fixture_tables,
	.resources = fixture_resources,
	.prompts = fixture_prompts,
	.faults = fixture_faults,
	.error = &fixture_form,
	.logs = true,
	.lists_change = true,
};

const struct kind *const kinds[] = {&kind_fixture, NULL};
