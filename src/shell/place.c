/* place.c: finds the documents' roots, and the kind that is meant. */
#include "shell/command.h"

#include "base/mutex.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

const char *absolute_path(struct arena *a, const char *path)
{
	char resolved[PATH_MAX], here[PATH_MAX];

	if (realpath(path, resolved))
		return text_string(a, text_of(resolved));
	if (path[0] == '/' || !getcwd(here, sizeof here))
		return path;
	return text_format(a, "%s/%s", strcmp(here, "/") ? here : "", path).at;
}

const char *program_path(struct arena *a)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	return n > 0 ? text_string(a, (struct text){path, (size_t)n}) : "quire";
}

bool file_slurp(struct call *c, const char *path, size_t most, struct text *out)
{
	struct stat st;
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : dup(0);

	if (fd < 0)
		return fail(c, errno == ENOENT ? FAULT_NOT_FOUND : FAULT_DENIED, "%s cannot be read: %s", path,
			    strerror(errno));
	if (strcmp(path, "-") != 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		return fail(c, FAULT_PATH, "%s is not a regular file", path);
	}
	struct buffer b = {.arena = c->arena};
	ssize_t got = 1;
	while (got && b.len <= most) {
		char *room = buffer_room(&b, 65536);

		got = read(fd, room, 65536);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		b.len += (size_t)got;
	}
	int error = errno;
	close(fd);
	if (got < 0)
		return fail(c, FAULT_STORAGE, "%s cannot be read: %s", path, strerror(error));
	if (b.len > most)
		return fail(c, FAULT_TOO_LARGE, "%s is larger than %zu bytes", path, most);
	*out = buffer_text(&b);
	return true;
}

static bool same_folder(const char *a, const char *b)
{
	struct stat one, two;

	return a && b && !stat(a, &one) && !stat(b, &two) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

/* Reading the system's list of users takes longer than the rest of the start, so it is done only without $HOME. */
static const char *home(void)
{
	const char *said = getenv("HOME");
	const struct passwd *me = said && *said ? NULL : getpwuid(getuid());

	return me ? me->pw_dir : said;
}

bool default_root(struct call *c, struct settings *s)
{
	char here[PATH_MAX];

	if (s->roots.n)
		return true;
	if (!getcwd(here, sizeof here))
		return fail(c, FAULT_PATH, "the current folder does not exist any more; give one with --root DIR");
	/* Clients start servers in an arbitrary folder. */
	if (same_folder(here, "/"))
		return fail(
			c, FAULT_PATH,
			"the current folder is /, and serving it would expose the whole machine; give a folder with "
			"--root DIR");
	if (same_folder(here, home()))
		return fail(
			c, FAULT_PATH,
			"the current folder is your home folder, and serving it would expose all of it; give a folder "
			"with --root DIR");
	words_add(c->arena, &s->roots, text_string(c->arena, text_of(here)));
	return true;
}

bool roots_make(struct call *c, const struct settings *s)
{
	for (size_t i = 0; i < s->roots.n; i++) {
		char *path = arena_copy(c->arena, s->roots.items[i], strlen(s->roots.items[i]) + 1);

		for (char *slash = path; slash; slash = strchr(slash + 1, '/')) {
			char *next = strchr(slash + 1, '/');
			if (next)
				*next = 0;
			/* A component may exist and not be writable. Only the last one matters. */
			if (mkdir(path, 0777) && errno != EEXIST && !next)
				return fail(c, FAULT_PATH, "--make-root: the folder %s cannot be created: %s", path,
					    strerror(errno));
			if (next)
				*next = '/';
		}
	}
	return true;
}

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (path[len] == '/' || !path[len]);
}

bool root_above(struct call *c, struct settings *s, const char *file, struct text *path)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	char folder[PATH_MAX], here[PATH_MAX];
	const char *given = !slash          ? "."
			    : slash == file ? "/"
					    : text_string(c->arena, (struct text){file, (size_t)(slash - file)});

	if (!*name)
		return fail(c, FAULT_PATH, "%s is a folder; name a file", shown(c, text_of(file)));
	if (!realpath(given, folder))
		return fail(c, FAULT_NOT_FOUND, "there is no folder %s: %s", shown(c, text_of(given)), strerror(errno));
	bool is_here = getcwd(here, sizeof here) && strcmp(here, "/") != 0 && !same_folder(here, home()) &&
		       is_below(folder, here);
	const char *root = text_string(c->arena, text_of(is_here ? here : folder));
	const char *whole = text_format(c->arena, "%s/%s", strcmp(folder, "/") ? folder : "", name).at;
	words_add(c->arena, &s->roots, root);
	*path = text_of(whole + (strcmp(root, "/") ? strlen(root) + 1 : 1));
	return true;
}

/* A relative path whose folder does not exist yet: it will be created below the current folder. */
static bool is_new_below(const char *file)
{
	const char *slash = strrchr(file, '/');
	struct stat st;

	if (file[0] == '/' || !slash || !strncmp(file, "../", 3))
		return false;
	char folder[PATH_MAX];
	return snprintf(folder, sizeof folder, "%.*s", (int)(slash - file), file) < (int)sizeof folder &&
	       stat(folder, &st) && errno == ENOENT;
}

bool roots_above(struct call *c, struct settings *s, struct text *paths, size_t n)
{
	struct words found = {0};
	const char **roots = arena_array(c->arena, n, sizeof *roots);

	if (!n)
		return default_root(c, s);
	for (size_t i = 0; i < n; i++) {
		const char *file = text_string(c->arena, paths[i]);
		struct settings one = {0};
		bool is_known = false;

		if (is_new_below(file) ? !default_root(c, &one) : !root_above(c, &one, file, &paths[i]))
			return false;
		roots[i] = one.roots.items[0];
		for (size_t k = 0; k < found.n; k++)
			is_known |= !strcmp(found.items[k], roots[i]);
		if (!is_known)
			words_add(c->arena, &found, roots[i]);
	}
	/* With several roots, only an absolute path is unambiguous. */
	for (size_t i = 0; found.n > 1 && i < n; i++)
		paths[i] = text_format(c->arena, "%s/%.*s", roots[i], TEXT_ARGS(paths[i]));
	s->roots = found;
	return true;
}

/* ~ is $HOME; a relative path is below the current folder. */
static const char *state_given(struct arena *a, const char *path)
{
	const char *at = getenv("HOME");
	char here[PATH_MAX];

	if (path[0] == '~' && (path[1] == '/' || !path[1]) && at && at[0] == '/')
		return text_format(a, "%s%s", at, path + 1).at;
	if (path[0] == '/' || !getcwd(here, sizeof here))
		return path;
	return text_format(a, "%s/%s", strcmp(here, "/") ? here : "", path).at;
}

const char *state_folder(struct arena *a, const struct settings *s)
{
	const char *at = getenv("STATE_DIRECTORY");

	if (s->state)
		return state_given(a, s->state);
	/* systemd may list several, separated by colons. */
	if (at && at[0] == '/')
		return text_string(a, (struct text){at, strcspn(at, ":")});
	at = getenv("XDG_STATE_HOME");
	if (at && at[0] == '/')
		return text_format(a, "%s/quire", at).at;
	at = getenv("HOME");
	return at && at[0] == '/' ? text_format(a, "%s/.local/state/quire", at).at : NULL;
}

/* From statfs(2): file systems whose files are gone after a restart. */
static const struct {
	unsigned long magic;
	const char *noun;
} fleeting[] = {
	{0x01021994, "in memory (tmpfs)"},
	{0x858458f6, "in memory (ramfs)"},
	{0x794c7630, "on a container's own layer (overlayfs)"},
};

static const char *fleeting_noun(struct arena *a, const char *path)
{
	char *at = arena_copy(a, path, strlen(path) + 1);
	struct statfs st;

	/* For a folder that does not exist yet, check the parent that will contain it. */
	while (statfs(at, &st) != 0) {
		char *slash = strrchr(at, '/');
		if (!slash || slash == at)
			return NULL;
		*slash = 0;
	}
	for (size_t i = 0; i < ARRAY_COUNT(fleeting); i++)
		if ((unsigned long)st.f_type == fleeting[i].magic)
			return fleeting[i].noun;
	return NULL;
}

const char *state_fleeting(struct arena *a, const struct settings *s)
{
	const char *state = state_folder(a, s), *noun = state ? fleeting_noun(a, state) : NULL;

	for (size_t i = 0; noun && i < s->roots.n; i++)
		if (fleeting_noun(a, absolute_path(a, s->roots.items[i])))
			return NULL;
	return noun;
}

/* After an undo, every kind that can read a document now must still be able to read it. */
static const struct format *const *formats_all(struct arena *a)
{
	ARRAY(const struct format *) list = {0};

	for (const struct kind *const *k = kinds; *k; k++)
		if ((*k)->format)
			*ARRAY_PUSH(a, &list) = (*k)->format;
	*ARRAY_PUSH(a, &list) = NULL;
	return list.items;
}

bool workspace_open(struct call *c, const struct settings *s, struct work **out)
{
	const struct work_options options = {
		.roots = s->roots.items,
		.state = state_folder(c->arena, s),
		.state_is_named = s->state || getenv("STATE_DIRECTORY"),
		.read_only = s->read_only,
		.allow_hidden = s->allow_hidden,
		.is_owner = s->is_owner,
		.formats = formats_all(c->arena),
		.document_max = s->document_max,
		.cache_max = s->cache_max,
		.lock_wait_ms = s->lock_wait_ms,
		.keep_days = s->keep_days,
		.keep_bytes = s->keep_bytes,
	};

	return work_open(c, &options, out);
}

struct ticker {
	struct work *work;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stopping;
};

static void *tick(void *arg)
{
	struct ticker *t = arg;

	mutex_lock(&t->lock);
	while (!t->stopping) {
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		pthread_cond_timedwait(&t->wake, &t->lock, &until);
		work_tick(t->work);
	}
	mutex_unlock(&t->lock);
	return NULL;
}

struct ticker *ticker_start(struct work *w)
{
	struct ticker *t = budget_zero(1, sizeof *t);

	t->work = w;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->wake, NULL);
	if (pthread_create(&t->thread, NULL, tick, t))
		arena_die("no thread could be started");
	return t;
}

void ticker_stop(struct ticker *t)
{
	mutex_lock(&t->lock);
	t->stopping = true;
	pthread_cond_signal(&t->wake);
	mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->wake);
	free(t);
}

const struct kind *kind_find(const char *name)
{
	for (const struct kind *const *k = kinds; *k; k++)
		if (!strcmp((*k)->name, name))
			return *k;
	return NULL;
}

bool kind_missing(struct call *c, const char *name)
{
	struct buffer all = {.arena = c->arena};

	for (const struct kind *const *k = kinds; *k; k++)
		buffer_format(&all, "%s%s", k == kinds ? "" : ", ", (*k)->name);
	return fail(c, FAULT_NOT_FOUND, "there is no kind %s; there are: %s", shown(c, text_of(name)),
		    all.len ? buffer_text(&all).at : "none");
}

const struct tool *kind_tool_next(const struct kind *k, size_t *table, size_t *row)
{
	while (k->tools && k->tools[*table]) {
		const struct tool *t = &k->tools[*table][*row];

		if (t->name) {
			++*row;
			if (t->effect & TOOL_UNLISTED)
				continue;
			return t;
		}
		++*table;
		*row = 0;
	}
	return NULL;
}

const struct tool *tool_named(const struct kind *k, struct text name)
{
	const struct tool *t = kind_tool(k, name);
	size_t prefix = strlen(k->name);

	for (const struct tool *f = file_tools; !t && f->name; f++)
		t = text_is(name, f->name) ? f : NULL;
	if (!t && name.len > prefix && text_starts(name, k->name) && name.at[prefix] == '_')
		return kind_tool(k, text_slice(name, prefix + 1, name.len));
	return t;
}

bool kind_settings(struct call *c, const struct kind *k, const struct settings *s, const void **config)
{
	const struct json *part = json_get(json_get(s->tree, "kinds"), k->name);
	const struct decode_options lenient = {.lenient = true, .noun = "key"};

	*config = NULL;
	if (!k->config)
		return true;
	void *into = arena_zero(c->arena, k->config_size);
	*config = into;
	return fields_decode(c, k->config, k->config_size, part, into, &lenient);
}

bool kind_open(struct call *c, const struct kind *k, const void *config, void **state)
{
	*state = NULL;
	return !k->open || k->open(c, config, state);
}
