/* confine.c: which folders, files and services the settings need, for base/confine.h.
 *
 * Libraries, fonts and the tables of the C library are read at first use, long after the process is confined. */
#include "base/confine.h"
#include "base/log.h"
#include "base/uri.h"
#include "shell/command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Always read: libraries, and what pango, fontconfig and the C library open at first use. */
static const char *const always[] = {"/usr/lib",
				     "/usr/lib64",
				     "/usr/lib32",
				     "/lib",
				     "/lib64",
				     "/usr/local/lib",
				     "/usr/share",
				     "/usr/local/share",
				     "/etc/fonts",
				     "/var/cache/fontconfig",
				     "/etc/ld.so.cache",
				     "/etc/ld.so.conf",
				     "/etc/ld.so.conf.d",
				     "/etc/localtime",
				     "/etc/pango",
				     "/dev/urandom",
				     "/dev/random",
				     "/proc/cpuinfo",
				     "/proc/meminfo",
				     "/proc/sys/vm/overcommit_memory",
				     "/sys/devices/system/cpu",
				     NULL};
/* Only if a service is named: names, certificates, and the client files of PostgreSQL. */
static const char *const for_services[] = {
	"/etc/resolv.conf",       "/etc/hosts",           "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
	"/etc/services",          "/etc/protocols",       "/etc/passwd",    "/etc/ssl",           "/etc/pki",
	"/etc/ca-certificates",   "/etc/crypto-policies", "/etc/krb5.conf", "/etc/krb5.conf.d",   "/etc/gss",
	"/etc/postgresql-common", "/run/systemd/resolve", "/run/nscd",      "/run/postgresql",    NULL};
/* In the user's home. */
static const char *const home_fonts[] = {".fonts",      ".local/share/fonts", ".config/fontconfig",
					 ".fonts.conf", ".cache/fontconfig",  NULL};
static const char *const home_services[] = {".pgpass", ".pg_service.conf", ".postgresql", NULL};
/* Settings of kinds that name a file, which may be replaced, or written beside (journals, locks): its folder is
 * allowed. Settings that name a service. */
static const struct {
	const char *key;
	bool writes;
} files[] = {{"ironbase_path", true}, {"audit_log_path", true}, {"schema_file", false}};
static const char *const services[] = {"store", "embed"};

bool shell_confines(const struct settings *s)
{
#ifdef QUIRE_DEBUG
	/* Sanitizers read /proc and trace the process, and tests replace system calls. */
	return s->confine.there && s->confine.value;
#else
	return !s->confine.there || s->confine.value;
#endif
}

static void allow_all(struct confine_plan *p, const char *const *list, const char *home)
{
	for (; *list; list++)
		confine_allow(p, home ? text_format(p->arena, "%s/%s", home, *list).at : *list, false);
}

static void allow_folder_of(struct confine_plan *p, const char *file, bool writes)
{
	const char *path = file ? absolute_path(p->arena, file) : NULL;
	const char *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		confine_allow(p, slash == path ? "/" : text_format(p->arena, "%.*s", (int)(slash - path), path).at,
			      writes);
}

static void allow_list(struct confine_plan *p, const char *folders)
{
	struct text all = text_of(folders ? folders : "");

	for (size_t at = 0; at < all.len;) {
		size_t end = text_find(all, TEXT(":"), at);
		end = end == SIZE_MAX ? all.len : end;
		confine_allow(p, text_string(p->arena, text_slice(all, at, end)), false);
		at = end + 1;
	}
}

/* The port of scheme://user@host:port/path. Without one, or with several hosts, any port is allowed. */
static void connect_to(struct confine_plan *p, struct text address)
{
	static const struct {
		const char *scheme;
		uint16_t port;
	} usual[] = {{"https://", 443}, {"http://", 80}, {"postgresql://", 5432}, {"postgres://", 5432}};
	bool is_first = !p->connects, is_any = !is_first && !p->ports.n;
	uint16_t port = 0;

	p->connects = true;
	for (size_t i = 0; i < ARRAY_COUNT(usual); i++) {
		if (!text_starts(address, usual[i].scheme))
			continue;
		size_t from = strlen(usual[i].scheme), end = from, at;
		while (end < address.len && !strchr("/?#", address.at[end]))
			end++;
		struct text host = text_slice(address, from, end);
		while ((at = text_find(host, TEXT("@"), 0)) != SIZE_MAX)
			host = text_slice(host, at + 1, host.len);
		size_t bracket = text_find(host, TEXT("]"), 0);
		size_t colon = text_find(host, TEXT(":"), bracket == SIZE_MAX ? 0 : bracket);
		bool is_plain =
			text_find(host, TEXT(","), 0) == SIZE_MAX && text_find(address, TEXT("port="), 0) == SIZE_MAX;
		long given = colon == SIZE_MAX ? usual[i].port : strtol(host.at + colon + 1, NULL, 10);
		port = is_plain && given > 0 && given <= UINT16_MAX ? (uint16_t)given : 0;
	}
	if (!port || is_any)
		p->ports.n = 0;
	else
		*ARRAY_PUSH(p->arena, &p->ports) = port;
}

static void allow_kinds(struct confine_plan *p, const struct settings *s)
{
	for (const struct kind *const *k = s->kinds; k && *k; k++) {
		const struct json *own = json_get(json_get(s->tree, "kinds"), (*k)->name);
		for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
			struct text file = json_text(json_get(own, files[i].key));
			if (file.at)
				allow_folder_of(p, text_string(p->arena, file), files[i].writes && !s->read_only);
		}
		for (size_t i = 0; i < ARRAY_COUNT(services); i++) {
			struct text address = json_text(json_get(own, services[i]));
			if (address.at && text_find(address, TEXT("://"), 0) != SIZE_MAX)
				connect_to(p, address);
		}
	}
}

static void plan(struct call *c, const struct settings *s, const struct work *work, struct confine_plan *p)
{
	const char *home = getenv("HOME"), *data = getenv("XDG_DATA_HOME");

	for (size_t i = 0; work_root(work, i).at; i++)
		confine_allow(p, text_string(c->arena, work_root(work, i)), !s->read_only);
	confine_allow(p, state_folder(c->arena, s), !s->read_only);
	confine_allow(p, "/dev/null", true);
	allow_all(p, always, NULL);
	allow_list(p, getenv("LD_LIBRARY_PATH"));
	if (home)
		allow_all(p, home_fonts, home);
	if (data)
		confine_allow(p, text_format(c->arena, "%s/fonts", data).at, false);
	allow_folder_of(p, s->config, false);
	allow_folder_of(p, s->host ? s->keys : NULL, false);
	allow_folder_of(p, s->access_log, true);
	allow_folder_of(p, s->output && strcmp(s->output, "-") ? s->output : NULL, true);
	allow_kinds(p, s);
	if (s->store)
		connect_to(p, text_of(s->store));
	if (p->connects) {
		allow_all(p, for_services, NULL);
		if (home)
			allow_all(p, home_services, home);
	}
	p->listens = s->host;
	p->port = (uint16_t)s->port;
}

void shell_confine(struct call *c, const struct settings *s, struct work *work)
{
	struct confine_plan p = {.arena = c->arena};
	struct confined in_force;

	if (!shell_confines(s)) {
		if (s->confine.there)
			log_line(LOG_WARNING, "confine = false: the kernel does not keep this process to its folders");
		return;
	}
	/* A folder that does not exist yet cannot be allowed. */
	struct call own = {.arena = c->arena, .work = work, .tool = ""};
	int state = s->read_only ? -1 : work_state_folder(&own);
	fd_drop(&state);
	plan(c, s, work, &p);
	confine(&p, &in_force);
	if (!in_force.landlock)
		log_line(LOG_INFO, in_force.landlock_has
					   ? "this kernel's Landlock is too old to move files between folders, so "
					     "it is not used"
					   : "this kernel has no Landlock: the kernel does not keep this process "
					     "to its folders");
	if (!in_force.seccomp)
		log_line(LOG_INFO, "this kernel has no seccomp filters: system calls are not limited");
}
