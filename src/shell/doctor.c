/* doctor.c: quire doctor: checks that everything quire needs is there.
 *
 * Each check is a row. Files that a check creates are removed again. A fault makes the exit status 1; a warning does
 * not. */
#include "shell/command.h"

#include "base/confine.h"
#include "guard/guard.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

enum verdict { FINE, DOUBTFUL, FAULTY };
static const char *const verdicts[] = {"ok", "warning", "FAULT"};

struct doctor {
	struct call *c;
	const struct settings *s;
	struct json *findings;
	int worst;
};

static void found(struct doctor *d, enum verdict v, const char *what, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void found(struct doctor *d, enum verdict v, const char *what, const char *format, ...)
{
	struct arena *a = d->c->arena;
	struct json *finding = json_new_object(a);
	va_list ap;

	va_start(ap, format);
	struct text words = text_vformat(a, format, ap);
	va_end(ap);
	d->worst = (int)v > d->worst ? (int)v : d->worst;
	json_set_text(a, finding, "verdict", text_of(verdicts[v]));
	json_set_text(a, finding, "what", text_of(what));
	json_set_text(a, finding, "words", words);
	json_push(a, d->findings, finding);
	if (!d->s->json)
		printf("%-8s %-10s %.*s\n", verdicts[v], what, TEXT_ARGS(words));
}

static void check_version(struct doctor *d)
{
	struct utsname u;

	if (uname(&u))
		memset(&u, 0, sizeof u);
	found(d, FINE, "version", "quire %s on %s %s %s", QUIRE_VERSION, u.sysname, u.release, u.machine);
}

/* Libraries that are loaded at first use: who needs them, and the package that contains them. */
static const struct {
	const char *file, *package, *wanted_for;
	enum verdict if_missing;
} libraries[] = {
	{"libmicrohttpd.so.12", "libmicrohttpd12", "serving over HTTP", FAULTY},
	{"libcairo.so.2", "libcairo2", "drawings: PNG, PDF and SVG (SVG needs it to measure text)", FAULTY},
	{"libpangocairo-1.0.so.0", "libpangocairo-1.0-0", "text in drawings", FAULTY},
	{"libpangoft2-1.0.so.0", "libpangoft2-1.0-0", "text in drawings", FAULTY},
	{"libfontconfig.so.1", "libfontconfig1", "finding fonts", FAULTY},
	{"libpng16.so.16", "libpng16-16", "PNG", FAULTY},
	{"libcurl.so.4", "libcurl4", "embedding services (--embed URL)", DOUBTFUL},
};

static void check_libraries(struct doctor *d)
{
	for (size_t i = 0; i < ARRAY_COUNT(libraries); i++) {
		/* Never closed, as in lazy.h: some of them cannot be unloaded cleanly. */
		if (dlopen(libraries[i].file, RTLD_NOW | RTLD_LOCAL))
			found(d, FINE, "library", "%s is installed, for %s", libraries[i].file,
			      libraries[i].wanted_for);
		else
			found(d, libraries[i].if_missing, "library",
			      "%s is missing; it is needed for %s: apt-get install %s", libraries[i].file,
			      libraries[i].wanted_for, libraries[i].package);
	}
}

static void check_confinement(struct doctor *d)
{
	int version = confine_landlock_version();
	bool limits = confine_has_seccomp();

	if (!shell_confines(d->s))
		found(d, DOUBTFUL, "confine", "confine = false: quire serve and quire call are not confined");
	else if (version >= 2 && limits)
		found(d, FINE, "confine",
		      "quire serve and quire call confine themselves: no_new_privs, Landlock %d, seccomp", version);
	else
		found(d, DOUBTFUL, "confine", "this kernel has %s and %s; quire serve uses what there is",
		      version >= 2 ? "Landlock"
		      : version    ? "only Landlock 1, which is left off"
				   : "no Landlock",
		      limits ? "seccomp" : "no seccomp");
}

static bool has_fonts(const char *folder, int depth)
{
	DIR *dir = depth < 6 ? opendir(folder) : NULL;
	bool any = false;

	for (const struct dirent *e; dir && !any && (e = readdir(dir));) {
		char path[4096];
		size_t len = strlen(e->d_name);

		if (e->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path)
			continue;
		any = (len > 4 &&
		       (!strcasecmp(e->d_name + len - 4, ".ttf") || !strcasecmp(e->d_name + len - 4, ".otf"))) ||
		      (e->d_type != DT_REG && has_fonts(path, depth + 1));
	}
	if (dir)
		closedir(dir);
	return any;
}

static void check_fonts(struct doctor *d)
{
	if (has_fonts("/usr/share/fonts", 0) || has_fonts("/usr/local/share/fonts", 0))
		found(d, FINE, "fonts", "there are fonts for drawings");
	else
		found(d, FAULTY, "fonts",
		      "there are no fonts, so drawings have no text: apt-get install fonts-dejavu-core");
}

/* From statfs(2): file systems where locks and write-ahead logs do not work reliably between machines. */
static const struct {
	long magic;
	const char *name;
} shared_filesystems[] = {
	{0x6969, "NFS"},      {0xff534d42, "CIFS"}, {0xfe534d42, "SMB2"},
	{0x65735546, "FUSE"}, {0x01021997, "9p"},   {0x5346414f, "AFS"},
};

static const char *shared_filesystem(const char *path)
{
	struct statfs st;

	if (statfs(path, &st))
		return NULL;
	for (size_t i = 0; i < ARRAY_COUNT(shared_filesystems); i++)
		if ((unsigned long)st.f_type == (unsigned long)shared_filesystems[i].magic)
			return shared_filesystems[i].name;
	return NULL;
}

static bool check_folder(struct doctor *d, const char *what, const char *path)
{
	struct stat st;

	if (stat(path, &st)) {
		found(d, FAULTY, what, "%s: %s", path, strerror(errno));
		return false;
	}
	if (!S_ISDIR(st.st_mode)) {
		found(d, FAULTY, what, "%s is not a folder", path);
		return false;
	}
	if (access(path, R_OK | X_OK)) {
		found(d, FAULTY, what, "%s cannot be read by this user", path);
		return false;
	}
	const char *shared = shared_filesystem(path);
	if (shared)
		found(d, DOUBTFUL, what,
		      "%s is on %s: the history has no write-ahead log there, and locks are only as reliable as those "
		      "of %s",
		      path, shared, shared);
	else if (access(path, W_OK))
		found(d, DOUBTFUL, what, "%s can be read but not written by this user", path);
	else
		found(d, FINE, what, "%s can be read and written", path);
	return true;
}

static void check_state(struct doctor *d)
{
	const char *state = state_folder(d->c->arena, d->s);
	struct stat st;

	if (!state)
		found(d, FAULTY, "state",
		      "there is no folder for the history, so nothing can be written: set $HOME or give --state DIR");
	else if (stat(state, &st))
		found(d, FINE, "state", "%s does not exist yet; the first write makes it", state);
	else if (st.st_uid != geteuid())
		found(d, FAULTY, "state", "%s belongs to another user, so nothing can be written; give --state DIR",
		      state);
	else if (check_folder(d, "state", state) && st.st_mode & 077)
		found(d, DOUBTFUL, "state",
		      "%s is open to other users; the next write restricts it, or chmod 700 it now", state);
}

static void check_fleeting(struct doctor *d)
{
	const char *noun = state_fleeting(d->c->arena, d->s);

	if (noun)
		found(d, DOUBTFUL, "state",
		      "%s is %s and the documents are not: a restart loses the history; give --state DIR",
		      state_folder(d->c->arena, d->s), noun);
}

static void check_workspace(struct doctor *d)
{
	struct work *work = NULL;

	for (size_t i = 0; i < d->s->roots.n; i++)
		if (!check_folder(d, "root", d->s->roots.items[i]))
			return;
	if (!workspace_open(d->c, d->s, &work)) {
		found(d, FAULTY, "root", "%s", error_sentence(d->c->arena, &d->c->error));
		return;
	}
	const char *root = work_not_exchanging(d->c, work);
	if (root)
		found(d, DOUBTFUL, "root",
		      "%s is on a file system that cannot exchange names: a file that another program saves during a "
		      "write may be overwritten; a local disk protects it",
		      root);
	work_close(work);
	check_state(d);
	check_fleeting(d);
}

static void check_kinds(struct doctor *d)
{
	for (size_t i = 0; kinds[i]; i++) {
		const void *config = NULL;
		const char *advice = NULL;
		if (kinds[i]->advice && kind_settings(d->c, kinds[i], d->s, &config))
			advice = kinds[i]->advice(config);
		if (advice)
			found(d, DOUBTFUL, kinds[i]->name, "%s", advice);
	}
}

static void check_keys(struct doctor *d)
{
	struct guard *guard = NULL;

	if (!d->s->keys) {
		found(d, FINE, "keys",
		      "no keys file: over HTTP quire listens on this machine only, and prints a fresh key at each "
		      "start");
		return;
	}
	d->c->warnings.n = 0;
	if (!guard_open(
		    d->c,
		    &(struct guard_options){.keys_file = d->s->keys, .requests_a_minute = -1, .writes_a_minute = -1},
		    &guard)) {
		found(d, FAULTY, "keys", "%s", error_sentence(d->c->arena, &d->c->error));
		return;
	}
	guard_close(guard);
	for (size_t i = 0; i < d->c->warnings.n; i++)
		found(d, DOUBTFUL, "keys", "%.*s", TEXT_ARGS(d->c->warnings.items[i]));
	found(d, FINE, "keys", "%s is sound", d->s->keys);
	d->c->warnings.n = 0;
}

int doctor_run(struct call *c, int argc, char **argv)
{
	const struct shell_command *self = shell_command_find("doctor");
	struct settings s = {0};
	struct doctor d = {.c = c, .s = &s, .findings = json_new_array(c->arena)};
	const struct words no_kinds = {0};

	if (!options_read(c, self->options, argc, argv, &s))
		return shell_usage(c, "doctor");
	if (s.help) {
		help_command(stdout, self);
		return EXIT_DONE;
	}
	if (s.rest.n) {
		fail(c, FAULT_ARGUMENT, "quire doctor takes options only");
		return shell_usage(c, "doctor");
	}
	check_version(&d);
	check_libraries(&d);
	check_fonts(&d);
	check_confinement(&d);
	bool is_set = settings_complete(c, &s, &no_kinds);
	if (!is_set)
		found(&d, FAULTY, "settings", "%s", error_sentence(c->arena, &c->error));
	else if (s.config)
		found(&d, FINE, "settings", "%s is sound", s.config);
	for (size_t i = 0; i < c->warnings.n; i++)
		found(&d, DOUBTFUL, "settings", "%.*s", TEXT_ARGS(c->warnings.items[i]));
	if (is_set && default_root(c, &s))
		check_workspace(&d);
	else if (is_set)
		found(&d, DOUBTFUL, "root", "%s", error_sentence(c->arena, &c->error));
	if (is_set) {
		check_kinds(&d);
		check_keys(&d);
	}
	if (s.json) {
		struct buffer b = {.arena = c->arena};

		json_write_pretty(&b, d.findings);
		buffer_byte(&b, '\n');
		shell_write(buffer_text(&b));
	}
	return d.worst == FAULTY ? EXIT_REFUSED : EXIT_DONE;
}
