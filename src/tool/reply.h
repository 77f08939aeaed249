/* reply.h: the parts of a result besides the tool's answer struct.
 *
 * A handler that only fills its struct returns it as JSON text, and as structuredContent to clients that ask for it.
 * The first reply_text() replaces that text; it must say all that a model needs to go on, because most clients get no
 * more. A tool without an answer table returns text by reply_text() only and declares no outputSchema. Errors never
 * have structuredContent. Warnings, the revision and a dry run's changes are in the call.
 *
 * A call without a reply (a command of the shell) has no client: progress, logs and blocks are dropped and ask()
 * returns UNABLE. mcp makes the struct, fills in the client's capabilities and answers, and reads it when the handler
 * returns. */
#ifndef QUIRE_TOOL_REPLY_H
#define QUIRE_TOOL_REPLY_H
#include "base/array.h"
#include "base/call.h"
#include "format/json.h"

struct field;

void reply_text(struct call *c, struct text t);
void reply_image(struct call *c, const char *mime, struct text bytes);
void reply_audio(struct call *c, const char *mime, struct text bytes);
/* Text or blob, depending on the mime type. */
void reply_resource(struct call *c, const char *uri, const char *mime, struct text bytes);

/* How long a result over the protocol may be: its texts and structuredContent together, in characters. An argument of
 * the tool may ask for more, up to ANSWER_WHOLE. */
enum { ANSWER_CHARACTERS = 60000, ANSWER_WHOLE = 4 << 20 };
/* The bytes that a handler's rows or text may have. It stops there and says how many there are, and which call returns
 * the rest. SIZE_MAX: the result goes to a program or a terminal and may have any length. */
size_t answer_room(const struct call *c);
/* The same for a caller who asks for at most this many bytes, which may be more than usual. */
size_t answer_widen(struct call *c, size_t bytes);
void progress(struct call *c, double done, double total, const char *message);

/* Asks the user of the client. ANSWERED: `into` is filled by the form's table. WAITING: return true at once; the
 * handler runs again from the top with the answer. DECLINED: the user said no. UNABLE: this client cannot ask. Several
 * questions of one run are asked together. If `bound_to` (for example a revision) has changed when the answer comes,
 * the question is asked again. */
enum asked { ANSWERED, WAITING, DECLINED, UNABLE };
enum asked ask(struct call *c, const char *key, const char *message, const struct field *form, size_t size, void *into,
	       struct text bound_to);

/* Sends any request to the client, by its protocol name; ask() uses it. The response is the raw result. */
enum asked ask_client(struct call *c, const char *key, const char *method, const char *capability,
		      const struct json *params, const struct json **response);

/* Sends a line to the client's log, if the client requested logs. */
void reply_log(struct call *c, const char *level, struct text message);
/* Notifies every subscriber that a list changed: "tools", "prompts" or "resources". The call's own response is sent
 * first. */
void reply_list_changed(struct call *c, const char *list);
/* The same without a call, from any thread. A kind gets the announcer in its open() and may use it until its close()
 * returns. Without a server (a command of the shell) it does nothing. */
struct announcer {
	void (*list_changed)(void *server, const char *list);
	void *server;
};
struct announcer reply_announcer(const struct call *c);
void announce(struct announcer a, const char *list);
/* A value that travels through the client, signed, to the handler's next run; absent in the first run. */
struct text reply_state(const struct call *c);
void reply_keep_state(struct call *c, struct text state);

/* The part that mcp reads. */

enum block_type { BLOCK_TEXT, BLOCK_IMAGE, BLOCK_AUDIO, BLOCK_RESOURCE };
struct block {
	enum block_type type;
	const char *mime, *uri;
	struct text bytes;
};
struct question {
	const char *key, *method, *capability;
	const struct json *params;
	struct text bound_to;
};

struct reply {
	ARRAY(struct block) blocks;
	ARRAY(struct question) questions; /* not empty: the handler waits for answers */
	struct text state, kept_state;

	/* Filled in by mcp. */
	const struct json *answers;      /* key -> response of the client, or NULL */
	const struct json *bindings;     /* key -> bound_to of the question that was asked, or NULL */
	const struct json *capabilities; /* of the client */
	const char *missing_capability;  /* set by require_capability() */
	/* Sends a notice on the call's own stream; may be NULL. */
	void (*notify)(void *to, const char *method, const struct json *params);
	void *to; /* of notify() */
	struct announcer announcer;
	struct announcer later;            /* the same, after the response; may be empty */
	const struct json *progress_token; /* NULL: no progress wanted */
	double progress_last;
	bool has_progressed;   /* true if progress_last was sent; 0 is a valid progress too */
	size_t room;           /* characters that the result may have; 0: any number */
	bool sends_structured; /* the result has structuredContent beside the text; tool_run() clears it if not */
	int log_level;         /* 0 debug .. 7 emergency; -1: no logs wanted */
};

/* If the client lacks the capability, returns false, and the call ends with the protocol's own error. */
bool require_capability(struct call *c, const char *capability);

#endif
