#include "guard/visits.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/mutex.h"
#include "base/own.h"
#include "guard/keys.h"
#include "work/work.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	DIGEST = 32,
	HEX = 2 * DIGEST,
	REMEMBERED = 64, /* visits of a server without a state folder; the oldest one ends */
	FILES_MAX = 1024,
	ID_BYTES = 4
};

/* One line of a file: both digests, the time when it ends, and the key's name, which comes last because it may contain
 * blanks. */
struct kept {
	unsigned char cookie[DIGEST], token[DIGEST], key[DIGEST];
	int64_t until; /* ms since 1970 */
	char name[512];
};

struct visits {
	struct guard *guard;
	struct work *work;
	int port;
	pthread_mutex_t lock; /* protects the rest */
	struct kept kept[REMEMBERED];
	size_t next;
	unsigned char once[DIGEST];
	bool is_offered;
	char cookie[2 * ID_BYTES + 32]; /* "": not known yet */
};

struct visits *visits_new(struct guard *guard, struct work *work, int port)
{
	struct visits *v = budget_zero(1, sizeof *v);

	*v = (struct visits){.guard = guard, .work = work, .port = port};
	pthread_mutex_init(&v->lock, NULL);
	return v;
}

void visits_free(struct visits *v)
{
	if (!v)
		return;
	pthread_mutex_destroy(&v->lock);
	secret_clear(v->once, sizeof v->once);
	free(v);
}

/* The folder of the visits; -1: there is none. The caller closes it. */
static int visits_folder(struct visits *v)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena, .work = v->work};
	int state = v->work ? work_state_folder(&c) : -1, folder = -1;

	if (state >= 0) {
		mkdirat(state, "visits", 0700);
		folder = open_at(state, "visits", O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
		fd_drop(&state);
	}
	arena_free(&arena);
	return folder;
}

/* A visit's file is named by the digest of its cookie. */
static const char *file_name(char to[HEX + 1], const unsigned char digest[DIGEST])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < DIGEST; i++) {
		to[2 * i] = digits[digest[i] >> 4];
		to[2 * i + 1] = digits[digest[i] & 15];
	}
	to[HEX] = 0;
	return to;
}

static bool file_read(int folder, struct kept *k)
{
	char name[HEX + 1], line[2 * HEX + sizeof k->name + 64], token[HEX + 1], key[HEX + 1];
	int fd = open_at(folder, file_name(name, k->cookie), O_RDONLY | O_NOFOLLOW, 0);
	ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
	long long until;
	int at = 0;

	fd_drop(&fd);
	if (n <= 0)
		return false;
	line[n] = 0;
	if (sscanf(line, "%64[0-9a-f] %64[0-9a-f] %lld %n", token, key, &until, &at) != 3 || !at ||
	    !hex_decode(text_of(token), k->token, DIGEST) || !hex_decode(text_of(key), k->key, DIGEST))
		return false;
	k->until = until;
	size_t len = strcspn(line + at, "\n");
	if (len >= sizeof k->name)
		return false;
	memcpy(k->name, line + at, len);
	k->name[len] = 0;
	return true;
}

static void file_write(int folder, const struct kept *k)
{
	char name[HEX + 1], token[HEX + 1], key[HEX + 1], line[2 * HEX + sizeof k->name + 64];
	int fd = open_at(folder, file_name(name, k->cookie), O_WRONLY | O_CREAT | O_EXCL, 0600);
	int n = snprintf(line, sizeof line, "%s %s %lld %s\n", file_name(token, k->token), file_name(key, k->key),
			 (long long)k->until, k->name);

	if (fd < 0)
		return;
	/* A torn file is no visit: the user logs in again. */
	if (write(fd, line, (size_t)n) != n)
		unlinkat(folder, name, 0);
	fd_drop(&fd);
}

/* Removes visits that have ended. More than FILES_MAX are more than people have: then all of them end. */
static void folder_tidy(int folder)
{
	int copy = fd_copy(folder);
	DIR *dir = copy >= 0 ? folder_open(&copy) : NULL;
	size_t n = 0;

	if (!dir)
		return;
	rewinddir(dir);
	for (const struct dirent *e; (e = readdir(dir));) {
		struct kept k;
		if (strlen(e->d_name) != HEX || !hex_decode(text_of(e->d_name), k.cookie, DIGEST))
			continue;
		if (++n > FILES_MAX || !file_read(folder, &k) || k.until <= clock_now())
			unlinkat(folder, e->d_name, 0);
	}
	folder_close(&dir);
}

/* The server's name in cookies is kept beside the visits, so that a restart finds them. */
static void identify(struct visits *v, int folder)
{
	unsigned char chance[ID_BYTES];
	char id[2 * ID_BYTES + 1] = "";
	int fd = folder >= 0 ? open_at(folder, "server", O_RDWR | O_CREAT | O_NOFOLLOW, 0600) : -1;
	ssize_t n = fd >= 0 ? read(fd, id, sizeof id - 1) : 0;

	if (n != sizeof id - 1 || !hex_decode(text_of(id), chance, sizeof chance)) {
		random_bytes(chance, sizeof chance);
		for (size_t i = 0; i < sizeof chance; i++)
			snprintf(id + 2 * i, 3, "%02x", chance[i]);
		/* A torn file is written again at the next start. */
		if (fd >= 0 && pwrite(fd, id, sizeof id - 1, 0) != sizeof id - 1)
			unlinkat(folder, "server", 0);
	}
	fd_drop(&fd);
	snprintf(v->cookie, sizeof v->cookie, "quire-%d-%s", v->port, id);
}

const char *visits_cookie(struct visits *v)
{
	mutex_lock(&v->lock);
	if (!*v->cookie) {
		int folder = visits_folder(v);
		identify(v, folder);
		fd_drop(&folder);
	}
	mutex_unlock(&v->lock);
	return v->cookie;
}

static void secret_make(char to[VISIT_SECRET + 1])
{
	unsigned char chance[DIGEST];
	struct arena a = {0};

	random_bytes(chance, sizeof chance);
	struct text secret = base64url_encode(&a, (struct text){(const char *)chance, sizeof chance});
	memcpy(to, secret.at, VISIT_SECRET);
	to[VISIT_SECRET] = 0;
	arena_free(&a);
}

void visits_begin(struct visits *v, const struct key *key, struct visit *out)
{
	struct kept k = {.until = clock_now() + VISIT_SECONDS * INT64_C(1000)};

	secret_make(out->cookie);
	secret_make(out->token);
	sha256(text_of(out->cookie), k.cookie);
	sha256(text_of(out->token), k.token);
	memcpy(k.key, key->digest, DIGEST);
	snprintf(k.name, sizeof k.name, "%.*s", TEXT_ARGS(key->name));
	mutex_lock(&v->lock);
	int folder = visits_folder(v);
	if (folder >= 0) {
		folder_tidy(folder);
		file_write(folder, &k);
		fd_drop(&folder);
	} else {
		v->kept[v->next++ % REMEMBERED] = k;
	}
	mutex_unlock(&v->lock);
}

/* Call it with the lock held. Finds the visit of the cookie, and checks the token. */
static bool visit_find(struct visits *v, struct text cookie, struct text token, struct kept *out)
{
	unsigned char digest[DIGEST];
	bool found = false;

	if (cookie.len != VISIT_SECRET || token.len != VISIT_SECRET)
		return false;
	sha256(cookie, out->cookie);
	sha256(token, digest);
	int folder = visits_folder(v);
	if (folder >= 0) {
		found = file_read(folder, out);
		fd_drop(&folder);
	}
	for (size_t i = 0; i < REMEMBERED && !found; i++) {
		found = v->kept[i].until && secret_same(v->kept[i].cookie, out->cookie, DIGEST);
		if (found)
			*out = v->kept[i];
	}
	return found && out->until > clock_now() && secret_same(out->token, digest, DIGEST);
}

const struct key *visits_key(struct visits *v, struct text cookie, struct text token)
{
	struct kept k;

	mutex_lock(&v->lock);
	bool found = visit_find(v, cookie, token, &k);
	mutex_unlock(&v->lock);
	return found ? guard_key_known(v->guard, text_of(k.name), k.key) : NULL;
}

void visits_end(struct visits *v, struct text cookie, struct text token)
{
	struct kept k;
	char name[HEX + 1];

	mutex_lock(&v->lock);
	if (visit_find(v, cookie, token, &k)) {
		int folder = visits_folder(v);
		if (folder >= 0) {
			unlinkat(folder, file_name(name, k.cookie), 0);
			fd_drop(&folder);
		}
		for (size_t i = 0; i < REMEMBERED; i++)
			if (!memcmp(v->kept[i].cookie, k.cookie, DIGEST))
				v->kept[i] = (struct kept){0};
	}
	mutex_unlock(&v->lock);
}

struct text visits_offer(struct visits *v, struct arena *a)
{
	char secret[VISIT_SECRET + 1];

	secret_make(secret);
	mutex_lock(&v->lock);
	sha256(text_of(secret), v->once);
	v->is_offered = true;
	mutex_unlock(&v->lock);
	return text_copy(a, text_of(secret));
}

const struct key *visits_accept(struct visits *v, struct text once)
{
	unsigned char digest[DIGEST];

	sha256(once, digest);
	mutex_lock(&v->lock);
	bool is_right = v->is_offered && secret_same(digest, v->once, DIGEST);
	if (is_right)
		v->is_offered = false;
	mutex_unlock(&v->lock);
	return is_right ? guard_key_of_run(v->guard) : NULL;
}
