/* subscribe.c: notifies clients of changes.
 *
 * A watched resource is polled once a second, and immediately after our own writes. Polling is needed because other
 * programs and machines write too. If more than LOOKS_A_TICK resources are watched, they take turns, so the cost is
 * bounded. Legacy clients watch through their session, modern ones through an open subscriptions/listen. */
#include "mcp/inner.h"

#include "base/mutex.h"

#include <stdlib.h>

enum { WATCHES_MAX = 256, WATCHES_A_KEY = 1024, LISTENS_MAX = 1024, LOOKS_A_TICK = 1024 };

void watches_free(struct watch *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(w[i].uri);
	free(w);
}

static struct watch watch_new(struct exchange *x, struct text uri)
{
	struct watch w = {0};
	char *copy = budget_text(uri.at, uri.len);

	w.is_known = resource_stamp(x->server, SERVED(x), x->key, copy, &w.stamp);
	w.uri = copy;
	return w;
}

static struct watch *watches_more(struct watch *w, size_t n) { return budget_memory(w, (n + 1) * sizeof *w); }

/* Counts the resources that a key watches in all its sessions and subscriptions. */
static size_t watches_of(struct server *s, const struct key *key)
{
	struct arena a = {0};
	size_t n, sum = 0;
	struct session **all = sessions_held(s, &a, &n);

	for (size_t i = 0; i < n; i++) {
		mutex_lock(&s->lock);
		bool is_own = text_same(key_name(all[i]->key), key_name(key));
		mutex_unlock(&s->lock);
		mutex_lock(&all[i]->lock);
		sum += is_own ? all[i]->n_watches : 0;
		mutex_unlock(&all[i]->lock);
		session_release(all[i]);
	}
	arena_free(&a);
	mutex_lock(&s->lock);
	for (const struct listen *l = s->listens; l; l = l->next)
		sum += text_same(key_name(l->key), key_name(key)) ? l->n_watches : 0;
	mutex_unlock(&s->lock);
	return sum;
}

static bool has_watches_left(struct exchange *x, size_t more)
{
	struct server *s = x->server;
	size_t most = s->options.watches_max ? s->options.watches_max : WATCHES_A_KEY;

	return watches_of(s, x->key) + more <= most ||
	       refuse(x, RPC_PARAMS, "at most %zu resources can be watched with one key; unsubscribe from some first",
		      most);
}

bool resources_subscribe(struct exchange *x, struct json_out *o)
{
	struct text uri;
	struct session *s = x->inner->session;

	(void)o;
	if (!param_text(x, "uri", "a string, the resource's address", &uri))
		return false;
	if (text_has_nul(uri) || !resource_exists(x, uri))
		return resource_missing(x, uri, NULL);
	if (!has_watches_left(x, 1))
		return false;
	struct watch w = watch_new(x, uri);
	mutex_lock(&s->lock);
	bool known = false, full = s->n_watches >= WATCHES_MAX;
	for (size_t i = 0; i < s->n_watches; i++)
		known |= text_is(uri, s->watches[i].uri);
	if (!known && !full) {
		s->watches = watches_more(s->watches, s->n_watches);
		s->watches[s->n_watches++] = w;
	}
	mutex_unlock(&s->lock);
	if (known || full)
		free(w.uri);
	return known || !full || refuse(x, RPC_PARAMS, "at most %d resources can be watched at once", WATCHES_MAX);
}

bool resources_unsubscribe(struct exchange *x, struct json_out *o)
{
	struct text uri;
	struct session *s = x->inner->session;

	(void)o;
	if (!param_text(x, "uri", "a string, the resource's address", &uri))
		return false;
	mutex_lock(&s->lock);
	for (size_t i = 0; i < s->n_watches; i++)
		if (text_is(uri, s->watches[i].uri)) {
			free(s->watches[i].uri);
			s->watches[i--] = s->watches[--s->n_watches];
		}
	mutex_unlock(&s->lock);
	return true;
}

static struct text listen_notice(struct arena *a, const struct listen *l, const char *method, struct json *params)
{
	struct json_error err;
	struct json *meta = json_new_object(a);

	json_set(a, meta, META_PREFIX "subscriptionId", json_parse(a, l->id, 4, &err));
	json_set(a, params, "_meta", meta);
	return notice(a, method, params);
}

static struct json *honoured(struct arena *a, const struct listen *l, bool wants_resources)
{
	struct json *out = json_new_object(a);

	if (l->tools)
		json_set(a, out, "toolsListChanged", json_new_bool(a, true));
	if (l->prompts)
		json_set(a, out, "promptsListChanged", json_new_bool(a, true));
	if (l->resources)
		json_set(a, out, "resourcesListChanged", json_new_bool(a, true));
	if (wants_resources) {
		struct json *uris = json_new_array(a);
		for (size_t i = 0; i < l->n_watches; i++)
			json_push(a, uris, json_new_text(a, text_of(l->watches[i].uri)));
		json_set(a, out, "resourceSubscriptions", uris);
	}
	return out;
}

/* Reads a flag of the filter. False: refused. */
static bool asked_for(struct exchange *x, const struct json *filter, const char *name, bool *out)
{
	const struct json *v = json_get(filter, name);

	*out = json_is(v, JSON_BOOL) && v->boolean;
	return !v || v->type == JSON_BOOL || v->type == JSON_NULL ||
	       refuse_missing(x, text_format(&x->arena, "notifications.%s", name).at, v, "true or false");
}

static bool read_filter(struct exchange *x, struct listen *l, const struct json *filter)
{
	const struct served *p = SERVED(x);
	const struct json *uris = json_get(filter, "resourceSubscriptions");

	if (!asked_for(x, filter, "toolsListChanged", &l->tools) ||
	    !asked_for(x, filter, "promptsListChanged", &l->prompts) ||
	    !asked_for(x, filter, "resourcesListChanged", &l->resources))
		return false;
	l->tools &= p->lists_change;
	l->prompts &= p->lists_change && p->has_prompts;
	l->resources &= p->lists_change && p->has_resources;
	if (!uris || uris->type == JSON_NULL)
		return true;
	if (uris->type != JSON_ARRAY)
		return refuse_missing(x, "notifications.resourceSubscriptions", uris, "an array of addresses");
	if (uris->len > WATCHES_MAX)
		return refuse(x, RPC_PARAMS, "at most %d resources can be watched at once", WATCHES_MAX);
	if (uris->len && !has_watches_left(x, uris->len))
		return false;
	for (uint32_t i = 0; i < uris->len; i++) {
		struct text uri = json_text(&uris->items[i]);
		if (!uri.at)
			return refuse_missing(x, "notifications.resourceSubscriptions", &uris->items[i],
					      "an array of strings");
		if (text_has_nul(uri) || !resource_exists(x, uri))
			continue; /* not watched; the acknowledgement shows this */
		l->watches = watches_more(l->watches, l->n_watches);
		l->watches[l->n_watches++] = watch_new(x, uri);
	}
	return true;
}

static void listen_free(struct listen *l)
{
	key_release(l->key);
	watches_free(l->watches, l->n_watches);
	free(l);
}

static void write_end(struct listen *l)
{
	struct exchange *x = l->exchange;
	struct buffer b = {.arena = &x->arena};
	struct json_out o = {.to = &b};

	json_open(&o, '{');
	json_key(&o, "resultType");
	json_put_string(&o, "complete");
	json_key(&o, "_meta");
	json_open(&o, '{');
	json_key(&o, META_PREFIX "subscriptionId");
	json_put_raw(&o, l->id);
	json_key(&o, META_PREFIX "serverInfo");
	write_server(&o, -1);
	json_close(&o, '}');
	json_close(&o, '}');
	answer_result(x, buffer_text(&b));
}

bool subscriptions_listen(struct exchange *x, struct json_out *o)
{
	struct exchange_inner *i = x->inner;
	const struct json *filter = json_get(i->params, "notifications");
	struct server *s = x->server;

	(void)o;
	if (!json_is(filter, JSON_OBJECT))
		return refuse_missing(x, "notifications", filter, "an object with the events to listen to");
	struct listen *l = budget_zero(1, sizeof *l);
	*l = (struct listen){.exchange = x, .id = i->id, .key = key_hold(x->key)};
	if (!read_filter(x, l, filter)) {
		listen_free(l);
		return false;
	}
	bool wants_resources = json_is(json_get(filter, "resourceSubscriptions"), JSON_ARRAY) &&
			       (SERVED(x)->subscribes || l->n_watches);
	bool idle = !l->tools && !l->prompts && !l->resources && !l->n_watches;
	/* Not in the exchange's arena, which lives as long as the stream. */
	struct arena scratch = {0};
	struct json *params = json_new_object(&scratch);
	json_set(&scratch, params, "notifications", honoured(&scratch, l, wants_resources));
	struct text first = listen_notice(&scratch, l, "notifications/subscriptions/acknowledged", params);

	x->is_stream = true;
	mutex_lock(&s->lock);
	bool full = s->n_listens >= LISTENS_MAX || atomic_load(&s->stopping), left = false;
	if (!full) {
		/* The acknowledgement must be the first message on it. */
		x->wire->send(x, first);
		if (!idle) {
			atomic_store(&i->is_listen, true);
			l->next = s->listens;
			l->serial = ++s->serials;
			s->listens = l;
			s->n_listens++;
			left = atomic_load(&x->cancelled);
		}
	}
	mutex_unlock(&s->lock);
	arena_free(&scratch);
	if (left)
		listens_end(s, x, false); /* it ends here at the latest; another thread may have ended it before */
	if (full || idle) {
		if (idle && !full)
			write_end(l);
		listen_free(l);
	}
	return !full || refuse(x, RPC_INTERNAL, "too many open subscriptions; try again later");
}

static void end(struct listen *l, bool say_so)
{
	if (say_so)
		write_end(l);
	else
		answer_nothing(l->exchange);
	listen_free(l);
}

/* Call it with the server's lock held. Removes it from the list, so that no other thread finds it. */
static struct listen *unlist(struct server *s, struct listen **at)
{
	struct listen *gone = *at;

	*at = gone->next;
	s->n_listens--;
	return gone;
}

void listens_end(struct server *s, struct exchange *one, bool say_so)
{
	for (;;) {
		struct listen *gone = NULL;
		mutex_lock(&s->lock);
		for (struct listen **at = &s->listens; *at && !gone;)
			if (!one || (*at)->exchange == one)
				gone = unlist(s, at);
			else
				at = &(*at)->next;
		mutex_unlock(&s->lock);
		if (!gone)
			return;
		end(gone, say_so);
	}
}

void listens_renew(struct server *s)
{
	struct listen *gone = NULL;

	mutex_lock(&s->lock);
	for (struct listen **at = &s->listens; *at;) {
		const struct key *now = guard_key_now(s->options.guard, (*at)->key);
		if (!now) {
			struct listen *l = unlist(s, at);
			l->next = gone;
			gone = l;
			continue;
		}
		key_release((*at)->key);
		(*at)->key = now;
		at = &(*at)->next;
	}
	mutex_unlock(&s->lock);
	for (struct listen *next; gone; gone = next) {
		next = gone->next;
		end(gone, true);
	}
}

static const char *const lists[] = {"tools", "prompts", "resources"};

/* Listener lists change only under the server's lock, and sending only queues. So a notified listener exists and gets
 * its messages in order. */
static void tell_list(struct server *s, size_t list)
{
	struct arena a = {0};
	size_t n;
	const char *method = text_format(&a, "notifications/%s/list_changed", lists[list]).at;
	struct session **sessions = sessions_held(s, &a, &n);

	for (size_t i = 0; i < n; i++) {
		mutex_lock(&sessions[i]->lock);
		if (sessions[i]->initialized && sessions[i]->stream.send)
			sessions[i]->stream.send(sessions[i]->stream.stream, notice(&a, method, NULL));
		mutex_unlock(&sessions[i]->lock);
		session_release(sessions[i]);
	}
	mutex_lock(&s->lock);
	for (struct listen *l = s->listens; l; l = l->next)
		if ((const bool[]){l->tools, l->prompts, l->resources}[list])
			l->exchange->wire->send(l->exchange, listen_notice(&a, l, method, json_new_object(&a)));
	mutex_unlock(&s->lock);
	arena_free(&a);
}

void news_tell(struct server *s, const struct news *n)
{
	for (size_t i = 0; i < ARRAY_COUNT(lists); i++)
		if (n->lists & 1U << i)
			tell_list(s, i);
	if (n->has_commit)
		server_poke(s);
}

static size_t list_number(const char *list)
{
	size_t i = 0;

	while (strcmp(lists[i], list) != 0)
		i++;
	return i;
}

static void list_changed(void *server, const char *list) { tell_list(server, list_number(list)); }

static void list_changed_later(void *news, const char *list)
{
	((struct news *)news)->lists |= 1U << list_number(list);
}

struct announcer news_announcer(struct news *n)
{
	return n ? (struct announcer){list_changed_later, n} : (struct announcer){0};
}

struct announcer server_announcer(struct server *s) { return (struct announcer){list_changed, s}; }

/* A copy of a watched resource: polling reads disks, so it must not hold a lock. */
struct look {
	char *uri;
	const struct served *place;
	const struct key *key;
	uint64_t listen; /* its serial number, because the listen may end meanwhile */
	size_t watch;
	struct revision was, is;
	bool was_known, is_known;
};

static bool changed(const struct look *l)
{
	return l->was_known != l->is_known || (l->is_known && memcmp(&l->was, &l->is, sizeof l->is));
}

static struct json *updated(struct arena *a, const char *uri)
{
	struct json *params = json_new_object(a);
	json_set_text(a, params, "uri", text_of(uri));
	return params;
}

/* One tick: the number of the round, and how many polls are left. */
struct turn {
	unsigned round;
	size_t left;
};

/* Is this watch due? Each is polled once per round, in any order. */
static bool is_due(struct watch *w, struct turn *t)
{
	if (w->round == t->round || !t->left)
		return false;
	w->round = t->round;
	t->left--;
	return true;
}

static void look_for_session(struct session *s, struct turn *t, struct arena *a)
{
	ARRAY(struct look) looks = {0};

	mutex_lock(&s->server->lock);
	const struct key *key = key_hold(s->key);
	mutex_unlock(&s->server->lock);
	mutex_lock(&s->lock);
	for (size_t i = 0; i < s->n_watches; i++)
		if (is_due(&s->watches[i], t))
			*ARRAY_PUSH(a, &looks) =
				(struct look){.uri = (char *)text_string(a, text_of(s->watches[i].uri)),
					      .was = s->watches[i].stamp,
					      .was_known = s->watches[i].is_known};
	mutex_unlock(&s->lock);
	for (size_t i = 0; i < looks.n; i++) {
		struct look *k = &looks.items[i];
		k->is_known = resource_stamp(s->server, &s->server->served[0], key, k->uri, &k->is);
	}
	key_release(key);
	mutex_lock(&s->lock);
	for (size_t i = 0; i < looks.n; i++) {
		const struct look *k = &looks.items[i];
		for (size_t j = 0; changed(k) && j < s->n_watches; j++)
			if (!strcmp(s->watches[j].uri, k->uri)) {
				s->watches[j].stamp = k->is;
				s->watches[j].is_known = k->is_known;
				if (s->stream.send)
					s->stream.send(s->stream.stream, notice(a, "notifications/resources/updated",
										updated(a, k->uri)));
			}
	}
	mutex_unlock(&s->lock);
}

/* Listeners have different grants, so each resource is polled with the listener's own key. */
static void look_for_listens(struct server *s, struct turn *t, struct arena *a)
{
	ARRAY(struct look) looks = {0};

	mutex_lock(&s->lock);
	for (struct listen *l = s->listens; l; l = l->next)
		for (size_t i = 0; i < l->n_watches; i++)
			if (is_due(&l->watches[i], t))
				*ARRAY_PUSH(a, &looks) =
					(struct look){.uri = (char *)text_string(a, text_of(l->watches[i].uri)),
						      .place = SERVED(l->exchange),
						      .key = key_hold(l->key),
						      .listen = l->serial,
						      .watch = i,
						      .was = l->watches[i].stamp,
						      .was_known = l->watches[i].is_known};
	mutex_unlock(&s->lock);
	for (size_t i = 0; i < looks.n; i++) {
		struct look *k = &looks.items[i];
		k->is_known = resource_stamp(s, k->place, k->key, k->uri, &k->is);
		key_release(k->key);
	}
	mutex_lock(&s->lock);
	for (size_t i = 0; i < looks.n; i++) {
		const struct look *k = &looks.items[i];
		for (struct listen *l = s->listens; l && changed(k); l = l->next) {
			if (l->serial != k->listen)
				continue;
			l->watches[k->watch].stamp = k->is;
			l->watches[k->watch].is_known = k->is_known;
			l->exchange->wire->send(l->exchange, listen_notice(a, l, "notifications/resources/updated",
									   updated(a, k->uri)));
		}
	}
	mutex_unlock(&s->lock);
}

bool subscriptions_want(struct server *s, const char *uri)
{
	bool wanted = false;

	mutex_lock(&s->lock);
	for (const struct listen *l = s->listens; l && !wanted; l = l->next)
		for (size_t i = 0; i < l->n_watches; i++)
			wanted |= !strcmp(l->watches[i].uri, uri);
	mutex_unlock(&s->lock);
	return wanted;
}

void subscriptions_look(struct server *s, bool at_all)
{
	/* Polling all resources is a round of its own. */
	s->round += at_all;
	struct turn t = {s->round, at_all ? SIZE_MAX : LOOKS_A_TICK};
	struct arena a = {0};
	size_t n;
	struct session **sessions = sessions_held(s, &a, &n);

	for (size_t i = 0; i < n; i++) {
		look_for_session(sessions[i], &t, &a);
		session_release(sessions[i]);
	}
	look_for_listens(s, &t, &a);
	s->round += t.left > 0;
	arena_free(&a);
}
