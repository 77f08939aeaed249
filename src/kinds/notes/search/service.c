/* service.c: vectors from a service with OpenAI's interface: Ollama, llama.cpp, LM Studio and others.
 *
 * POST BASE/embeddings with the model's name and a list of texts. It follows no redirects and uses only http and https,
 * so texts are sent only to the configured address. libcurl is loaded at the first request. */
#include "kinds/notes/search/service.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/lazy.h"
#include "base/utf8.h"
#include "format/json.h"
#include "kinds/notes/search/heap.h"

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	BATCH = 32,
	WORDS = 240,      /* these models read more than the built-in one */
	PATIENCE = 30000, /* ms for one request */
	CONNECT_PATIENCE = 5000,
	REPLY_MAX = 32 << 20 /* bytes: 32 of the largest vectors, written at length */
};

#define FUNCTIONS(X)                                                                                                   \
	X(curl_easy_init)                                                                                              \
	X(curl_easy_setopt)                                                                                            \
	X(curl_easy_perform)                                                                                           \
	X(curl_easy_getinfo) X(curl_easy_cleanup) X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all)
static struct {
	FUNCTIONS(LAZY_SLOT)
} curl;
static const char *const curl_names[] = {FUNCTIONS(LAZY_NAME) NULL};
static struct lazy curl_library = LAZY("libcurl.so.4", "libcurl4", curl_names, &curl);

struct service {
	struct embedder embedder; /* first member, so that a pointer to one is a pointer to the other */
	struct arena arena;
	const char *url;
	struct text model, key, query_prefix, note_prefix;
};

struct exchange {
	struct call *call;
	struct buffer body;
	bool is_too_large;
};

static size_t on_bytes(char *bytes, size_t size, size_t n, void *of)
{
	struct exchange *x = of;

	if (size * n > REPLY_MAX - x->body.len) {
		x->is_too_large = true;
		return 0;
	}
	buffer_add(&x->body, (struct text){bytes, size * n});
	return size * n;
}

/* libcurl calls this about once a second, and whenever bytes are transferred. */
static int on_progress(void *of, curl_off_t a, curl_off_t b, curl_off_t d, curl_off_t e)
{
	const struct call *c = ((struct exchange *)of)->call;

	(void)a, (void)b, (void)d, (void)e;
	return (c->cancelled && atomic_load(c->cancelled)) || (c->deadline && clock_ticks() >= c->deadline);
}

static bool unusable(struct call *c, const struct service *s, const char *why)
{
	return fail_as(
		c, "PROVIDER_ERROR",
		"the embedding service at %s %s; check that it runs and serves the model, or call `search` with mode text",
		shown(c, text_of(s->url)), why);
}

/* The service's error message: {"error":{"message":"..."}} or {"error":"..."}. */
static const char *complaint(struct call *c, struct text body)
{
	struct json_error error;
	const struct json *reply = json_parse(c->arena, body, JSON_DEPTH_MESSAGE, &error);
	const struct json *what = reply ? json_get(reply, "error") : NULL;
	struct text message = json_text(json_is(what, JSON_OBJECT) ? json_get(what, "message") : what);

	return message.len ? text_string(c->arena, text_format(c->arena, ": %s", shown(c, message))) : "";
}

static bool vector_of(struct call *c, const struct json *item, float *to, size_t dimension)
{
	const struct json *numbers = json_get(item, "embedding");

	if (!json_is(numbers, JSON_ARRAY) || numbers->len != dimension)
		return fail_as(c, "PROVIDER_ERROR", "the embedding service returned vectors of different sizes");
	for (size_t i = 0; i < dimension; i++) {
		const struct json *number = &numbers->items[i];
		to[i] = number->type == JSON_INT || number->type == JSON_REAL ? (float)json_real(number) : NAN;
		if (!isfinite(to[i]))
			return fail_as(c, "PROVIDER_ERROR",
				       "the embedding service returned a vector with a value that is no finite number");
	}
	return true;
}

float *service_vectors(struct call *c, struct text body, size_t n, size_t *dimension)
{
	struct json_error error;
	const struct json *reply = json_parse(c->arena, body, JSON_DEPTH_MESSAGE, &error);
	const struct json *list = reply ? json_get(reply, "data") : NULL;

	if (!list || !json_is(list, JSON_ARRAY) || list->len != n || !n) {
		fail_as(c, "PROVIDER_ERROR", "the embedding service did not return a list \"data\" of %zu vectors: %s",
			n, shown(c, body));
		return NULL;
	}
	const struct json *first = json_get(&list->items[0], "embedding");
	*dimension = json_is(first, JSON_ARRAY) ? first->len : 0;
	if (!*dimension || *dimension > DIMENSION_MAX) {
		fail_as(c, "PROVIDER_ERROR",
			"the embedding service returned vectors of %zu numbers; 1 to %d are possible", *dimension,
			(int)DIMENSION_MAX);
		return NULL;
	}
	float *vectors = arena_array(c->arena, n * *dimension, sizeof *vectors);
	bool *seen = arena_array(c->arena, n, sizeof *seen);
	for (size_t i = 0; i < n; i++) {
		const struct json *index = json_get(&list->items[i], "index");
		int64_t at = (int64_t)i;
		if (index && (!json_integer(index, &at) || at < 0 || (size_t)at >= n || seen[at])) {
			fail_as(c, "PROVIDER_ERROR", "the embedding service numbered its vectors wrongly");
			return NULL;
		}
		seen[at] = true;
		if (!vector_of(c, &list->items[i], vectors + (size_t)at * *dimension, *dimension))
			return NULL;
	}
	return vectors;
}

static struct text request(struct call *c, const struct service *s, const struct text *texts, size_t n,
			   bool are_queries)
{
	struct json *body = json_new_object(c->arena), *input = json_new_array(c->arena);
	struct text prefix = are_queries ? s->query_prefix : s->note_prefix;

	for (size_t i = 0; i < n; i++) {
		struct buffer b = {.arena = c->arena};
		buffer_add(&b, prefix);
		buffer_add(&b, utf8_repaired(c->arena, texts[i]));
		json_push(c->arena, input, json_new_text(c->arena, buffer_text(&b)));
	}
	if (s->model.len)
		json_set_text(c->arena, body, "model", s->model);
	json_set(c->arena, body, "input", input);
	json_set_text(c->arena, body, "encoding_format", TEXT("float"));
	return json_source(c->arena, body);
}

static int64_t patience(const struct call *c)
{
	int64_t left = c->deadline ? c->deadline - clock_ticks() : PATIENCE;

	left -= left / 20; /* the rest of the time is for reporting a timeout */
	return left < 1 ? 1 : left < PATIENCE ? left : PATIENCE;
}

/* libcurl's frames cannot be unwound, so the call must not be ended here. */
static CURLcode perform(const struct service *s, struct exchange *x, struct text body, int64_t most, long *status)
{
	struct call *c = x->call;
	CURL *h = curl.curl_easy_init();
	struct curl_slist *headers = curl.curl_slist_append(NULL, "Content-Type: application/json");

	if (s->key.len)
		headers = curl.curl_slist_append(
			headers, text_format(c->arena, "Authorization: Bearer %.*s", TEXT_ARGS(s->key)).at);
	curl.curl_easy_setopt(h, CURLOPT_URL, s->url);
	curl.curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
	curl.curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
	curl.curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
	curl.curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_PATIENCE);
	curl.curl_easy_setopt(h, CURLOPT_TIMEOUT_MS, (long)most);
	curl.curl_easy_setopt(h, CURLOPT_HTTPHEADER, headers);
	curl.curl_easy_setopt(h, CURLOPT_POST, 1L);
	curl.curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
	curl.curl_easy_setopt(h, CURLOPT_POSTFIELDS, body.at);
	curl.curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_bytes);
	curl.curl_easy_setopt(h, CURLOPT_WRITEDATA, x);
	curl.curl_easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
	curl.curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl.curl_easy_setopt(h, CURLOPT_XFERINFODATA, x);
	CURLcode code = curl.curl_easy_perform(h);
	curl.curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, status);
	curl.curl_slist_free_all(headers);
	curl.curl_easy_cleanup(h);
	return code;
}

static float *embed(struct call *c, const struct embedder *e, const struct text *texts, size_t n, bool are_queries,
		    size_t *dimension)
{
	const struct service *s = (const struct service *)e;
	struct exchange x = {.call = c, .body = {.arena = c->arena}};
	long status = 0;

	if (!goes_on(c))
		return NULL;
	if (!lazy_load(&curl_library)) {
		fail_as(c, "PROVIDER_ERROR", "--embed needs libcurl: %s", curl_library.error);
		return NULL;
	}
	struct text body = request(c, s, texts, n, are_queries);
	int64_t most = patience(c);
	budget_hold();
	CURLcode code = perform(s, &x, body, most, &status);
	budget_let();
	if (!goes_on(c))
		return NULL;
	if (x.is_too_large)
		unusable(c, s, "returned more than 32 MB");
	else if (code == CURLE_OPERATION_TIMEDOUT)
		unusable(c, s, text_format(c->arena, "did not answer within %.1f seconds", (double)most / 1000).at);
	else if (code != CURLE_OK)
		unusable(c, s, text_format(c->arena, "cannot be used (%s)", curl.curl_easy_strerror(code)).at);
	else if (status != 200)
		unusable(c, s,
			 text_format(c->arena, "returned HTTP status %ld%s", status, complaint(c, buffer_text(&x.body)))
				 .at);
	else
		return service_vectors(c, buffer_text(&x.body), n, dimension);
	return NULL;
}

static void service_close(struct embedder *e)
{
	struct arena arena = ((struct service *)e)->arena;

	free(e);
	arena_free(&arena);
}

/* Accepts a base URL without user, query or fragment. */
static bool url_is_sound(struct call *c, struct text url)
{
	size_t host = text_starts(url, "http://") ? 7 : text_starts(url, "https://") ? 8 : 0;

	if (!host || host >= url.len || url.at[host] == '/')
		return fail(c, FAULT_ARGUMENT,
			    "--embed must be none or the http:// or https:// address of an embedding service, such as "
			    "http://localhost:11434/v1, not %s",
			    shown(c, url));
	for (size_t i = 0; i < url.len; i++)
		if ((unsigned char)url.at[i] <= ' ' || url.at[i] == 127 || strchr("?#@", url.at[i]))
			return fail(
				c, FAULT_ARGUMENT,
				"the address of --embed must not hold blanks, a user name, a query or a fragment: %s",
				shown(c, text_slice(url, 0, host)));
	return true;
}

struct embedder *service_open(struct call *c, const struct search_options *o)
{
	struct text url = o->embed;

	while (url.len && url.at[url.len - 1] == '/')
		url.len--;
	if (!url_is_sound(c, url))
		return NULL;
	for (size_t i = 0; i < o->embed_key.len; i++)
		if ((unsigned char)o->embed_key.at[i] <= ' ' || o->embed_key.at[i] == 127) {
			fail(c, FAULT_ARGUMENT, "the key of the embedding service holds blanks or control characters");
			return NULL;
		}
	struct service *s = heap_array(NULL, 1, sizeof *s);
	*s = (struct service){.embedder = {.words = WORDS, .batch = BATCH, .embed = embed, .close = service_close},
			      .arena = {.lasts = true}};
	s->url = text_format(&s->arena, "%.*s/embeddings", TEXT_ARGS(url)).at;
	s->model = text_copy(&s->arena, o->embed_model);
	s->key = text_copy(&s->arena, o->embed_key);
	s->query_prefix = text_copy(&s->arena, o->query_prefix.at ? o->query_prefix : TEXT(""));
	s->note_prefix = text_copy(&s->arena, o->note_prefix.at ? o->note_prefix : TEXT(""));
	s->embedder.name =
		text_format(&s->arena, "%s\n%.*s\n%.*s", s->url, TEXT_ARGS(s->model), TEXT_ARGS(s->note_prefix));
	return &s->embedder;
}
