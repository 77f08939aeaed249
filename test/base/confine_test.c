/* What a confined process can no longer do, and what it still can. Each claim is tried in a process of its own. */
#include "support/check.h"

#include "base/arena.h"
#include "base/confine.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char top[64], inside[96], outside[96];

static const char *at(const char *folder, const char *name)
{
	static char paths[4][160];
	static int n;
	char *path = paths[n++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

static bool opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void *nothing(void *of) { return of; }

static int connect_to(uint16_t port)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		return errno;
	int r = connect(fd, (struct sockaddr *)&to, sizeof to) ? errno : 0;
	close(fd);
	return r;
}

/* Returns the number of the line that does not hold; 0: all do. */
#define HOLDS(claim)                                                                                                   \
	do {                                                                                                           \
		if (!(claim))                                                                                          \
			return __LINE__;                                                                               \
	} while (0)

static int nothing_leads_out(const struct confined *in)
{
	pthread_t thread;

	if (in->landlock) {
		HOLDS(!opens(at(outside, "secret"), O_RDONLY) && errno == EACCES);
		HOLDS(!opens(at(outside, "made"), O_WRONLY | O_CREAT) && errno == EACCES);
		HOLDS(!opens("/etc/hostname", O_RDONLY) && !opens("/proc/1/environ", O_RDONLY));
		HOLDS(rename(at(inside, "a"), at(outside, "a")) != 0);
		HOLDS(unlink(at(outside, "secret")) != 0);
		HOLDS(link(at(inside, "a"), at(outside, "b")) != 0);
		HOLDS(symlink(at(outside, "secret"), at(inside, "link")) != 0);
		HOLDS(opens(at(inside, "a"), O_RDWR) && opens(at(inside, "new"), O_RDWR | O_CREAT));
		HOLDS(mkdir(at(inside, "d"), 0700) == 0 && rename(at(inside, "a"), at(inside, "d/a")) == 0);
		HOLDS(renameat2(AT_FDCWD, at(inside, "new"), AT_FDCWD, at(inside, "d/a"), RENAME_EXCHANGE) == 0);
		HOLDS(unlink(at(inside, "d/a")) == 0 && rmdir(at(inside, "d")) == 0);
	}
	if (in->seccomp) {
		char *const none[] = {NULL};
		HOLDS(execve("/none", none, none) != 0 && errno == EPERM);
		HOLDS(fork() < 0 && errno == EPERM);
		HOLDS(ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0 && errno == EPERM);
		HOLDS(mount("none", inside, "tmpfs", 0, NULL) != 0);
		HOLDS(syscall(SYS_bpf, 0, NULL, 0) != 0);
		HOLDS(syscall(SYS_userfaultfd, 0) < 0 && errno == ENOSYS);
		HOLDS(syscall(SYS_init_module, NULL, 0, "") != 0 && errno == ENOSYS);
		HOLDS(kill(getppid(), 0) != 0 && errno == EPERM);
		HOLDS(kill(getpid(), 0) == 0);
		HOLDS(connect_to(9) == EPERM);
	}
	HOLDS(pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0);
	HOLDS(dlopen("libz.so.1", RTLD_NOW) || dlopen("libm.so.6", RTLD_NOW));
	return 0;
}

/* A server of HTTP with a service at port 9. */
static int only_the_ports_given_can_be_used(const struct confined *in)
{
	struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	HOLDS(connect_to(9) == ECONNREFUSED || connect_to(9) == 0);
	if (in->landlock >= 4)
		HOLDS(connect_to(10) == EACCES);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	HOLDS(fd >= 0 && bind(fd, (struct sockaddr *)&any, sizeof any) == 0 && listen(fd, 1) == 0);
	return 0;
}

static int in_a_process(bool serves, int (*what)(const struct confined *))
{
	fflush(NULL);
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		struct arena arena = {0};
		struct confine_plan p = {.arena = &arena, .listens = serves, .connects = serves};
		struct confined in_force;
		confine_allow(&p, inside, true);
		confine_allow(&p, "/no/such/folder", true);
		confine_allow(&p, "/usr/lib", false);
		confine_allow(&p, "/lib", false);
		confine_allow(&p, "/etc/ld.so.cache", false);
		if (serves)
			*ARRAY_PUSH(&arena, &p.ports) = 9;
		confine(&p, &in_force);
		_exit(what(&in_force) ? 1 : 0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int tell(const struct confined *in)
{
	int line = nothing_leads_out(in);

	if (line)
		fprintf(stderr, "# line %d: %s\n", line, strerrordesc_np(errno));
	return line;
}

static int tell_ports(const struct confined *in)
{
	int line = only_the_ports_given_can_be_used(in);

	if (line)
		fprintf(stderr, "# line %d: %s\n", line, strerrordesc_np(errno));
	return line;
}

static void a_confined_process_stays_in_its_folders(void **state)
{
	(void)state;
	print_message("# Landlock %d, seccomp %d\n", confine_landlock_version(), confine_has_seccomp());
	assert_int_equal(in_a_process(false, tell), 0);
	assert_true(access(at(outside, "secret"), F_OK) == 0);
	assert_true(access(at(outside, "made"), F_OK) != 0);
}

static void a_confined_server_uses_its_ports_only(void **state)
{
	(void)state;
	assert_int_equal(in_a_process(true, tell_ports), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_confined_process_stays_in_its_folders),
		cmocka_unit_test(a_confined_server_uses_its_ports_only),
	};

	snprintf(top, sizeof top, "/tmp/quire-confine-XXXXXX");
	if (!mkdtemp(top))
		return 1;
	snprintf(inside, sizeof inside, "%s/inside", top);
	snprintf(outside, sizeof outside, "%s/outside", top);
	if (mkdir(inside, 0700) || mkdir(outside, 0700) || !opens(at(inside, "a"), O_WRONLY | O_CREAT) ||
	    !opens(at(outside, "secret"), O_WRONLY | O_CREAT))
		return 1;
	int failed = RUN_TESTS(tests);
	char remove[128];
	snprintf(remove, sizeof remove, "rm -rf %s", top);
	return system(remove) || failed;
}
