#include "guard/shared_limits.h"

#include "base/budget.h"
#include "base/digest.h"
#include "guard/limits.h"
#include "store/store.h"

#include <stdlib.h>

static const char *const version_1[] = {
	"CREATE TABLE rate_key (name TEXT NOT NULL PRIMARY KEY) STRICT",
	"CREATE TABLE rate (name TEXT NOT NULL, at INTEGER NOT NULL, nonce INTEGER NOT NULL, PRIMARY KEY (name, at, nonce)) "
	"WITHOUT ROWID, STRICT",
	NULL,
};
static const struct schema_version versions[] = {{version_1, NULL}, {NULL, NULL}};
static const struct schema rate_schema = {.name = "rate", .application_id = 0x51524154, .versions = versions};

struct shared_windows {
	struct store *store;
};

struct shared_windows *shared_windows_new(const char *url)
{
	struct shared_windows *w = budget_zero(1, sizeof *w);

	w->store = store_open(&(struct store_options){
		.place = url, .schema = &rate_schema, .noun = "the limits", .is_cache = true, .wait_ms = 5000});
	return w;
}

void shared_windows_free(struct shared_windows *w)
{
	if (!w)
		return;
	store_close(w->store);
	free(w);
}

static void run_named(struct transaction *t, const char *sql, struct text name, const int64_t *numbers, int n)
{
	struct query q = query_on(t, sql);

	bind_text(&q, name);
	for (int i = 0; i < n; i++)
		bind_int(&q, numbers[i]);
	query_run(&q);
}

/* Locks the key's row and returns the database's time in ms. */
static int64_t enter(struct transaction *t, struct text name)
{
	int64_t now = 0;

	run_named(t, "INSERT INTO rate_key (name) VALUES (?1) ON CONFLICT DO NOTHING", name, NULL, 0);
	struct query q = query_on(t, "SELECT name FROM rate_key WHERE name = ?1 FOR UPDATE");
	bind_text(&q, name);
	query_row(&q);
	query_end(&q);
	q = query_on(t, "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)");
	if (query_row(&q))
		now = query_int(&q, 0);
	query_end(&q);
	return now;
}

static bool take(struct transaction *t, struct text name, int limit, int *retry_after)
{
	int64_t now = enter(t, name), oldest = 0, count = 0;
	uint32_t nonce;

	run_named(t, "DELETE FROM rate WHERE name = ?1 AND at <= ?2", name, &(int64_t){now - WINDOW_MS}, 1);
	struct query q = query_on(t, "SELECT count(*), min(at) FROM rate WHERE name = ?1");
	bind_text(&q, name);
	if (query_row(&q)) {
		count = query_int(&q, 0);
		oldest = query_int(&q, 1);
	}
	query_end(&q);
	if (count >= limit) {
		*retry_after = (int)((oldest + WINDOW_MS - now + 999) / 1000);
		*retry_after = *retry_after < 1 ? 1 : *retry_after;
		return false;
	}
	random_bytes(&nonce, sizeof nonce);
	run_named(t, "INSERT INTO rate (name, at, nonce) VALUES (?1, ?2, ?3)", name, (int64_t[]){now, nonce}, 2);
	return true;
}

bool shared_windows_take(struct shared_windows *w, struct text name, int limit, int *retry_after, bool *known)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena};
	struct transaction *t;
	bool taken = false;

	*known = false;
	for (int tries = 0; tries < 5 && !*known; tries++) {
		c.again = false;
		if (!store_begin(&c, w->store, STORE_WRITE_LAZY, &t))
			break;
		taken = take(t, name, limit, retry_after);
		*known = transaction_commit(&c, t, "count");
		if (!*known && !c.again)
			break;
	}
	arena_free(&arena);
	return *known && taken;
}

void shared_windows_return(struct shared_windows *w, struct text name)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena};
	struct transaction *t;

	if (store_begin(&c, w->store, STORE_WRITE_LAZY, &t)) {
		enter(t, name);
		run_named(
			t,
			"DELETE FROM rate WHERE name = ?1 AND at = (SELECT max(at) FROM rate WHERE name = ?1) AND nonce = "
			"(SELECT max(nonce) FROM rate WHERE name = ?1 AND at = (SELECT max(at) FROM rate WHERE name = ?1))",
			name, NULL, 0);
		transaction_commit(&c, t, "give back");
	}
	arena_free(&arena);
}
