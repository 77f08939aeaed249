/* refusals.c: reports requests that the guard refused before their body was read, for the kinds' own audit trails.
 *
 * A kind's trail may be a database, so the refusing thread only stores a note, and the ticker passes the notes on.
 * There is one note per minute for the same caller and fault, and only a few in total. So a flood of requests costs the
 * sender more than the server. */
#include "mcp/inner.h"

#include "base/mutex.h"

#include <stdio.h>

enum { AGAIN_MS = 60000 };

static bool has_trail(const struct endpoint *at)
{
	for (const struct kind *const *k = at->kinds; *k; k++)
		if ((*k)->refused)
			return true;
	return false;
}

void server_turned_away(struct server *s, const struct endpoint *at, enum fault fault, const char *message,
			struct client who)
{
	struct turned_away *oldest = s->turned_away;
	int64_t now = clock_ticks();
	char name[sizeof oldest->name], peer[sizeof oldest->peer];

	if (!has_trail(at))
		return;
	snprintf(name, sizeof name, "%.*s", TEXT_ARGS(who.key ? key_name(who.key) : TEXT("(no key)")));
	snprintf(peer, sizeof peer, "%.*s", TEXT_ARGS(who.peer));
	mutex_lock(&s->lock);
	for (size_t i = 0; i < TURNED_AWAY_MAX; i++) {
		struct turned_away *t = &s->turned_away[i];
		bool is_recent = t->message && now - t->ticks < AGAIN_MS;
		if (is_recent && t->fault == fault && t->at == at && !strcmp(t->name, name) && !strcmp(t->peer, peer)) {
			mutex_unlock(&s->lock);
			return;
		}
		if (!t->message || (oldest->message && t->ticks < oldest->ticks))
			oldest = t;
	}
	bool is_free = !oldest->message || (!oldest->waits && now - oldest->ticks >= AGAIN_MS);
	if (is_free) {
		*oldest =
			(struct turned_away){.at = at, .fault = fault, .message = message, .ticks = now, .waits = true};
		memcpy(oldest->name, name, sizeof name);
		memcpy(oldest->peer, peer, sizeof peer);
	}
	mutex_unlock(&s->lock);
	if (is_free)
		server_tick_needed(s);
}

static void tell(struct server *s, const struct turned_away *t)
{
	for (const struct kind *const *k = t->at->kinds; *k; k++) {
		struct arena a = {0};
		const struct caller caller = {.name = text_of(t->name)};
		struct call c = {.arena = &a,
				 .caller = &caller,
				 .work = s->options.work,
				 .deadline = clock_ticks() + AGAIN_MS / 6};
		if ((*k)->refused && kind_state(&c, s, *k, &c.state)) {
			c.error = (struct error){.fault = t->fault,
						 .message = text_format(&a, "%s (address %s)", t->message,
									*t->peer ? t->peer : "unknown")
								    .at};
			(*k)->refused(&c, NULL, NULL);
		}
		if (c.work)
			work_release(&c);
		arena_free(&a);
	}
}

void refusals_tell(struct server *s)
{
	for (size_t i = 0; i < TURNED_AWAY_MAX; i++) {
		mutex_lock(&s->lock);
		struct turned_away t = s->turned_away[i];
		s->turned_away[i].waits = false;
		mutex_unlock(&s->lock);
		if (t.waits)
			tell(s, &t);
	}
}
