#include "guard/keys.h"

#include "base/budget.h"
#include "base/digest.h"
#include "base/map.h"
#include "base/own.h"
#include "base/pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct grants_row {
	struct texts kinds, tools, documents, write, hide;
};

struct rate_row {
	struct maybe_int requests_per_minute, writes_per_minute;
};

struct key_row {
	struct text name, key, hash, expires;
	const struct grants_row *grants;
	const struct rate_row *rate_limit;
	struct texts allowed_documents, allowed_commands;
};

struct file_row {
	struct objects keys;
};

#define GLOBS                                                                                                          \
	.limits = AT_MOST(1000), .more = RARE { .item_limits = BETWEEN(1, 1000) }

static const struct field grants_table[] = {
	FIELD(struct grants_row, kinds, TEXTS, 0, "Kinds it may use, by glob", GLOBS),
	FIELD(struct grants_row, tools, TEXTS, 0, "Tools it may call, by glob", .limits = AT_MOST(1000),
	      .more = RARE{.item_limits = BETWEEN(1, 1000), .aliases = (const char *const[]){"commands", NULL}}),
	FIELD(struct grants_row, documents, TEXTS, 0, "Documents it may read, by glob", GLOBS),
	FIELD(struct grants_row, write, TEXTS, 0, "Documents it may read and write, by glob", GLOBS),
	FIELD(struct grants_row, hide, TEXTS, 0, "Documents that are not there for it, by glob, granted or not", GLOBS),
	FIELDS_END,
};
static const struct shape grants_shape = SHAPE(struct grants_row, "grants", grants_table);

static const struct field rate_table[] = {
	FIELD(struct rate_row, requests_per_minute, MAYBE_INT, 0, "Requests a minute; 0: no limit",
	      .limits = BETWEEN(0, 100000)),
	FIELD(struct rate_row, writes_per_minute, MAYBE_INT, 0, "Writes a minute; 0: no limit",
	      .limits = BETWEEN(0, 100000)),
	FIELDS_END,
};
static const struct shape rate_shape = SHAPE(struct rate_row, "rate_limit", rate_table);

static const struct field key_table[] = {
	FIELD(struct key_row, name, TEXT, FIELD_REQUIRED, "Who it is", .limits = BETWEEN(1, 100)),
	FIELD(struct key_row, key, TEXT, 0, "The secret",
	      .more = RARE{.aliases = (const char *const[]){"api_key", NULL}}),
	FIELD(struct key_row, hash, TEXT, 0, "sha256: and the secret's digest in hex"),
	FIELD(struct key_row, grants, OBJECT, 0, "What it may do", .shape = &grants_shape),
	FIELD(struct key_row, rate_limit, OBJECT, 0, "Its own limits", .shape = &rate_shape),
	FIELD(struct key_row, expires, TEXT, 0, "When it ends"),
	FIELD(struct key_row, allowed_documents, TEXTS, 0, "Documents it may read and write, by glob", GLOBS),
	FIELD(struct key_row, allowed_commands, TEXTS, 0, "Tools it may call, by glob", GLOBS),
	FIELDS_END,
};
static const struct shape key_shape = SHAPE(struct key_row, "key", key_table);

static const struct field file_table[] = {
	FIELD(struct file_row, keys, OBJECTS, FIELD_REQUIRED, "The keys", .shape = &key_shape,
	      .limits = AT_MOST(KEYS_MAX), .more = RARE{.aliases = (const char *const[]){"api_keys", NULL}}),
	FIELDS_END,
};

static bool digits(struct text t, size_t from, size_t n, int *out)
{
	*out = 0;
	for (size_t i = from; i < from + n; i++) {
		if (i >= t.len || t.at[i] < '0' || t.at[i] > '9')
			return false;
		*out = *out * 10 + (t.at[i] - '0');
	}
	return true;
}

bool moment_parse(struct text t, int64_t *ms)
{
	static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int year, month, day, hour = 0, minute = 0, second = 0;

	if ((t.len != 10 && t.len != 20) || t.at[4] != '-' || t.at[7] != '-' || !digits(t, 0, 4, &year) ||
	    !digits(t, 5, 2, &month) || !digits(t, 8, 2, &day))
		return false;
	if (t.len == 20 && (t.at[10] != 'T' || t.at[13] != ':' || t.at[16] != ':' || t.at[19] != 'Z' ||
			    !digits(t, 11, 2, &hour) || !digits(t, 14, 2, &minute) || !digits(t, 17, 2, &second)))
		return false;
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	if (year < 1970 || month < 1 || month > 12 || day < 1 || day > days[month - 1] + (month == 2 && leap))
		return false;
	if (hour > 23 || minute > 59 || second > 59)
		return false;
	int64_t before = year - 1, n = 365 * before + before / 4 - before / 100 + before / 400 - 719162;
	for (int m = 1; m < month; m++)
		n += days[m - 1] + (m == 2 && leap);
	n += day - 1;
	*ms = (((n * 24 + hour) * 60 + minute) * 60 + second) * 1000;
	return true;
}

static struct texts texts_copy(struct arena *a, struct texts from)
{
	struct texts to = {.items = arena_array(a, from.n ? from.n : 1, sizeof *to.items), .n = from.n};

	for (size_t i = 0; i < from.n; i++)
		to.items[i] = text_copy(a, from.items[i]);
	return to;
}

static struct texts everything(struct arena *a, const char *glob)
{
	struct text one = text_of(glob);

	return texts_copy(a, (struct texts){&one, 1});
}

static bool secret_digest(struct call *c, const struct key_row *row, unsigned char digest[32])
{
	const char *name = shown(c, row->name);

	if (!row->key.at == !row->hash.at)
		return fail(c, FAULT_ARGUMENT, "the key %s needs exactly one of \"hash\" and \"key\"", name);
	if (row->hash.at) {
		if (!text_starts(row->hash, "sha256:") || row->hash.len != 7 + 64 ||
		    !hex_decode(text_slice(row->hash, 7, row->hash.len), digest, 32))
			return fail(c, FAULT_ARGUMENT,
				    "the hash of %s must be sha256: and 64 hex digits; `quire key` makes one", name);
		return true;
	}
	if (row->key.len < KEY_SECRET_MIN || row->key.len > KEY_SECRET_MAX)
		return fail(c, FAULT_ARGUMENT,
			    "the key of %s must have %d to %d characters; `quire key` makes a good one", name,
			    KEY_SECRET_MIN, KEY_SECRET_MAX);
	sha256(row->key, digest);
	return true;
}

static bool key_grants(struct call *c, const struct key_row *row, struct key *k)
{
	struct arena *a = &k->set->arena;
	const char *name = shown(c, row->name);

	if (row->grants && (row->allowed_documents.items || row->allowed_commands.items))
		return fail(c, FAULT_ARGUMENT, "the key %s has both \"grants\" and allowed_ lists: keep one of them",
			    name);
	if (row->grants) {
		k->kinds = texts_copy(a, row->grants->kinds);
		k->tools = texts_copy(a, row->grants->tools);
		k->documents = texts_copy(a, row->grants->documents);
		k->write = texts_copy(a, row->grants->write);
		k->hide = texts_copy(a, row->grants->hide);
	} else if (row->allowed_documents.items) {
		k->kinds = everything(a, "*");
		k->tools = row->allowed_commands.items ? texts_copy(a, row->allowed_commands) : everything(a, "*");
		k->documents = k->write = texts_copy(a, row->allowed_documents);
	} else if (row->allowed_commands.items) {
		return fail(c, FAULT_ARGUMENT,
			    "the key %s has allowed_commands but no allowed_documents: list the documents it may use",
			    name);
	}
	if (!k->kinds.n || !k->tools.n || (!k->documents.n && !k->write.n))
		warn(c, "the key %s is granted no %s, so it can do nothing", name,
		     !k->kinds.n   ? "kinds"
		     : !k->tools.n ? "tools"
				   : "documents");
	return true;
}

static bool key_fill(struct call *c, const struct key_row *row, struct key *k)
{
	k->name = text_copy(&k->set->arena, row->name);
	k->requests = k->writes = -1;
	k->expires = INT64_MAX;
	if (!secret_digest(c, row, k->digest) || !key_grants(c, row, k))
		return false;
	if (row->rate_limit && row->rate_limit->requests_per_minute.there)
		k->requests = (int)row->rate_limit->requests_per_minute.value;
	if (row->rate_limit && row->rate_limit->writes_per_minute.there)
		k->writes = (int)row->rate_limit->writes_per_minute.value;
	if (row->expires.at && !moment_parse(row->expires, &k->expires))
		return fail(c, FAULT_ARGUMENT, "the key %s expires at %s, which is not a date like 2027-01-01",
			    shown(c, row->name), shown(c, row->expires));
	return true;
}

static bool keys_differ(struct call *c, const struct key_set *s)
{
	struct map names = {.arena = c->arena}, digests = {.arena = c->arena};

	for (size_t i = 0; i < s->n; i++) {
		bool was = false;

		map_at(&names, s->keys[i].name, 0, &was);
		if (was)
			return fail(c, FAULT_ARGUMENT, "two keys are named %s: names tell them apart in the history",
				    shown(c, s->keys[i].name));
		map_at(&digests, (struct text){(const char *)s->keys[i].digest, sizeof s->keys[i].digest}, 0, &was);
		if (was)
			return fail(c, FAULT_ARGUMENT, "the key %s has the same secret as another",
				    shown(c, s->keys[i].name));
	}
	return true;
}

/* The decoder's error quotes the value. A secret must not be quoted. */
static void hide_secret(struct call *c)
{
	static const char *const secrets[] = {"/key", "/api_key", "/hash"};

	for (size_t i = 0; c->error.where && i < ARRAY_COUNT(secrets); i++)
		if (text_ends(text_of(c->error.where), secrets[i]))
			c->error.message = text_format(c->arena, "%s must be a string", c->error.where).at;
}

static bool fail_in_file(struct call *c, const char *name)
{
	c->error.message = text_format(c->arena, "keys file %s: %s", name, c->error.message).at;
	return false;
}

/* Elsewhere an empty text means "none". Here that would make a key valid forever. */
static bool ends_are_said(struct call *c, const struct json *rows)
{
	for (uint32_t i = 0; json_is(rows, JSON_ARRAY) && i < rows->len; i++) {
		const struct json *expires = json_get(&rows->items[i], "expires");

		if (json_is(expires, JSON_STRING) && !expires->len)
			return fail(c, FAULT_ARGUMENT,
				    "keys[%u].expires is empty: write a date like 2027-01-01, or leave it out", i);
	}
	return true;
}

/* The flat form must list its documents. A key without them is unfinished, so the server does not start. */
static bool documents_are_said(struct call *c, const struct json *rows, bool is_flat)
{
	for (uint32_t i = 0; json_is(rows, JSON_ARRAY) && i < rows->len; i++) {
		const struct json *row = &rows->items[i];

		if ((is_flat || json_get(row, "api_key")) && !json_get(row, "grants") &&
		    !json_get(row, "allowed_documents"))
			return fail(
				c, FAULT_ARGUMENT,
				"keys[%u] has no allowed_documents: list the documents it may use, such as [\"*\"] for all",
				i);
	}
	return true;
}

static bool keys_fill(struct call *c, struct text bytes, struct key_set *s)
{
	struct json_error bad;
	struct file_row file;
	const struct json *tree = json_parse(c->arena, bytes, JSON_DEPTH_MESSAGE, &bad);

	if (!tree)
		return fail(c, FAULT_ARGUMENT, "line %u, column %u: %s", bad.line, bad.column, bad.message);
	if (json_is(tree, JSON_ARRAY)) {
		struct json *whole = json_new_object(c->arena);

		json_set(c->arena, whole, "keys", tree);
		tree = whole;
	}
	if (!json_is(tree, JSON_OBJECT))
		return fail(c, FAULT_ARGUMENT, "it must hold {\"keys\": [...]}; `quire key` makes an entry");
	if (!fields_decode(c, file_table, sizeof file, tree, &file, &(struct decode_options){.noun = "member"})) {
		hide_secret(c);
		return false;
	}
	const struct json *rows = json_get(tree, "keys") ? json_get(tree, "keys") : json_get(tree, "api_keys");
	if (!ends_are_said(c, rows) || !documents_are_said(c, rows, json_get(tree, "api_keys") != NULL))
		return false;
	s->n = file.keys.n;
	s->keys = arena_array(&s->arena, s->n ? s->n : 1, sizeof *s->keys);
	for (size_t i = 0; i < s->n; i++) {
		s->keys[i].set = s;
		if (!key_fill(c, (const struct key_row *)file.keys.items + i, &s->keys[i]))
			return false;
	}
	if (!s->n)
		warn(c, "the keys file has no keys, so nobody could use the server");
	return keys_differ(c, s);
}

struct key_set *key_set_parse(struct call *c, struct text bytes, const char *name)
{
	struct key_set *s = budget_zero(1, sizeof *s);

	s->arena.lasts = true;
	atomic_init(&s->held, 1);
	if (keys_fill(c, bytes, s))
		return s;
	fail_in_file(c, name);
	key_set_release(s);
	return NULL;
}

static bool file_read(struct call *c, int fd, struct text *out)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return fail(c, FAULT_PATH, "it is not a regular file");
	if (st.st_size > KEYS_FILE_MAX)
		return fail(c, FAULT_TOO_LARGE, "it is larger than %d bytes", KEYS_FILE_MAX);
	if (st.st_mode & (S_IRGRP | S_IROTH | S_IWGRP | S_IWOTH))
		warn(c, "other users can read or write the keys file: chmod 600 it");
	char *bytes = arena_alloc(c->arena, (size_t)st.st_size + 1);
	size_t n = 0;
	while (n < (size_t)st.st_size) {
		ssize_t got = read(fd, bytes + n, (size_t)st.st_size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail(c, FAULT_STORAGE, "%s", strerror(errno));
		if (!got)
			break;
		n += (size_t)got;
	}
	bytes[n] = 0;
	*out = (struct text){bytes, n};
	return true;
}

struct key_set *key_set_read(struct call *c, const char *path)
{
	struct text bytes = {0};
	int fd = open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK, 0);

	if (fd < 0) {
		fail(c, errno == ENOENT ? FAULT_NOT_FOUND : FAULT_DENIED, "%s", strerror(errno));
		fail_in_file(c, path);
		return NULL;
	}
	bool was_read = file_read(c, fd, &bytes);
	fd_drop(&fd);
	if (!was_read) {
		fail_in_file(c, path);
		return NULL;
	}
	return key_set_parse(c, bytes, path);
}

void key_set_release(struct key_set *s)
{
	if (!s || atomic_fetch_sub(&s->held, 1) != 1)
		return;
	if (s->keys)
		secret_clear(s->keys, s->n * sizeof *s->keys);
	arena_free(&s->arena);
	free(s);
}

const struct key *key_set_find(const struct key_set *s, struct text secret)
{
	unsigned char digest[32];
	const struct key *found = NULL;

	sha256(secret, digest);
	for (size_t i = 0; i < s->n; i++)
		if (secret_same(digest, s->keys[i].digest, sizeof digest))
			found = &s->keys[i];
	secret_clear(digest, sizeof digest);
	return found;
}

const struct key *key_hold(const struct key *k)
{
	if (k)
		atomic_fetch_add(&k->set->held, 1);
	return k;
}

void key_release(const struct key *k)
{
	if (k)
		key_set_release(k->set);
}

struct text key_name(const struct key *k) { return k && !k->is_fresh && !k->is_local ? k->name : (struct text){0}; }

bool key_writes(const struct key *k) { return key_sees_all(k) || k->write.n > 0; }

bool key_sees_all(const struct key *k) { return !k || k->is_fresh; }

static bool any_matches(struct texts globs, struct text name)
{
	for (size_t i = 0; i < globs.n; i++)
		if (glob_matches(globs.items[i], name))
			return true;
	return false;
}

bool key_may_kind(const struct key *k, const struct kind *kind)
{
	return !k || any_matches(k->kinds, text_of(kind->name));
}

bool key_may_tool(const struct key *k, const struct kind *kind, const struct tool *t)
{
	char joined[256];

	if (!k)
		return true;
	if (!key_may_kind(k, kind))
		return false;
	if (any_matches(k->tools, text_of(t->name)))
		return true;
	/* If several kinds are served, a tool's name begins with its kind. A grant may use either name. */
	int n = snprintf(joined, sizeof joined, "%s_%s", kind->name, t->name);
	return n > 0 && (size_t)n < sizeof joined && any_matches(k->tools, text_of(joined));
}

static bool caller_may(const struct caller *caller, struct text document, bool to_write)
{
	const struct key *k = caller->grants;

	return !any_matches(k->hide, document) &&
	       (any_matches(k->write, document) || (!to_write && any_matches(k->documents, document)));
}

const struct caller *key_caller(struct arena *a, const struct key *k, struct text otherwise_named)
{
	struct caller *caller = arena_new(a, struct caller);

	caller->name = k && !k->is_fresh && !k->is_local ? k->name : otherwise_named;
	caller->may = key_sees_all(k) ? NULL : caller_may;
	caller->grants = k;
	return caller;
}
