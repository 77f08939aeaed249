#include "base/confine.h"

#include "base/own.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Landlock, by its stable numbers: the headers of older systems lack the later ones. */
enum {
	LANDLOCK_CREATE = 444,
	LANDLOCK_ADD = 445,
	LANDLOCK_RESTRICT = 446,
	ASK_VERSION = 1,
	RULE_PATH = 1,
	RULE_PORT = 2,
	LEAST_VERSION = 2, /* moves between folders */
};
enum {
	FILE_EXECUTE = 1 << 0,
	FILE_WRITE = 1 << 1,
	FILE_READ = 1 << 2,
	FOLDER_READ = 1 << 3,
	REMOVE_FOLDER = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_FOLDER = 1 << 7,
	MAKE_FILE = 1 << 8,
	REFER = 1 << 13,
	TRUNCATE = 1 << 14,
	DEVICE_IOCTL = 1 << 15,
	UP_TO_REFER = (1 << 14) - 1,
};
enum { NET_BIND = 1, NET_CONNECT = 2 };
enum { SCOPE_ABSTRACT = 1, SCOPE_SIGNAL = 2 };

struct landlock_set {
	uint64_t files, net, scoped;
};
struct landlock_path {
	uint64_t allowed;
	int32_t folder;
} __attribute__((packed));
struct landlock_port {
	uint64_t allowed, port;
};

void confine_allow(struct confine_plan *p, const char *path, bool writes)
{
	if (path && *path)
		*ARRAY_PUSH(p->arena, &p->rules) = (struct confine_rule){path, writes};
}

int confine_landlock_version(void)
{
	long version = syscall(LANDLOCK_CREATE, NULL, 0, ASK_VERSION);

	return version > 0 ? (int)version : 0;
}

bool confine_has_seccomp(void)
{
	uint32_t action = SECCOMP_RET_ERRNO;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

static void allow_path(int set, const struct confine_rule *r, uint64_t handled)
{
	struct landlock_path rule = {.allowed = FILE_READ | FOLDER_READ};
	struct stat st;
	int folder = open_at(AT_FDCWD, r->path, O_PATH, 0);

	if (folder < 0)
		return;
	rule.folder = folder;
	if (r->writes)
		rule.allowed |= FILE_WRITE | TRUNCATE | REMOVE_FILE | REMOVE_FOLDER | MAKE_FILE | MAKE_FOLDER | REFER;
	if (fstat(folder, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.allowed &= FILE_READ | FILE_WRITE | TRUNCATE;
	rule.allowed &= handled;
	syscall(LANDLOCK_ADD, set, RULE_PATH, &rule, 0);
	fd_drop(&folder);
}

static void allow_port(int set, uint64_t what, uint16_t port)
{
	struct landlock_port rule = {what, port};

	syscall(LANDLOCK_ADD, set, RULE_PORT, &rule, 0);
}

static bool landlock(const struct confine_plan *p, int version)
{
	struct landlock_set set = {.files = UP_TO_REFER};
	size_t size = sizeof set.files;

	if (version < LEAST_VERSION)
		return false;
	if (version >= 3)
		set.files |= TRUNCATE;
	if (version >= 5)
		set.files |= DEVICE_IOCTL;
	if (version >= 4) {
		set.net = NET_BIND | (p->connects && !p->ports.n ? 0 : NET_CONNECT);
		size = offsetof(struct landlock_set, scoped);
	}
	if (version >= 6) {
		set.scoped = SCOPE_SIGNAL | (p->connects ? 0 : SCOPE_ABSTRACT);
		size = sizeof set;
	}
	int fd = (int)syscall(LANDLOCK_CREATE, &set, size, 0);
	if (fd < 0)
		return false;
	for (size_t i = 0; i < p->rules.n; i++)
		allow_path(fd, &p->rules.items[i], set.files);
	if (set.net && p->listens)
		allow_port(fd, NET_BIND, p->port);
	for (size_t i = 0; set.net && i < p->ports.n; i++)
		allow_port(fd, NET_CONNECT, p->ports.items[i]);
	bool done = syscall(LANDLOCK_RESTRICT, fd, 0) == 0;
	close(fd);
	return done;
}

#if defined(__x86_64__)
enum { MACHINE = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = AUDIT_ARCH_AARCH64 };
#else
enum { MACHINE = 0 };
#endif

/* What the tests of all kinds and transports need, by subject. */
/* clang-format off */
static const short calls[] = {
	/* files; which ones, Landlock decides */
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev, SYS_preadv2,
	SYS_pwritev2, SYS_lseek, SYS_close, SYS_close_range, SYS_dup, SYS_dup3, SYS_fcntl, SYS_flock, SYS_fsync,
	SYS_fdatasync, SYS_syncfs, SYS_sync_file_range, SYS_ftruncate, SYS_truncate, SYS_fallocate, SYS_fadvise64,
	SYS_openat, SYS_openat2, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat,
	SYS_faccessat2, SYS_getdents64, SYS_getcwd, SYS_readlinkat, SYS_renameat, SYS_renameat2, SYS_linkat,
	SYS_unlinkat, SYS_mkdirat, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_umask, SYS_utimensat,
	SYS_fgetxattr, SYS_fsetxattr, SYS_flistxattr, SYS_fremovexattr, SYS_getxattr, SYS_lgetxattr, SYS_listxattr,
	SYS_sendfile, SYS_copy_file_range, SYS_readahead, SYS_inotify_init1, SYS_inotify_add_watch,
	SYS_inotify_rm_watch,
	/* memory */
	SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk, SYS_msync, SYS_mincore, SYS_mlock,
	SYS_munlock, SYS_membarrier, SYS_memfd_create,
	/* threads and this process */
	SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_rseq, SYS_set_tid_address, SYS_exit, SYS_exit_group,
	SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
	SYS_sched_setscheduler, SYS_sched_setattr, SYS_sched_getattr, SYS_sched_get_priority_max,
	SYS_sched_get_priority_min, SYS_getpriority, SYS_setpriority, SYS_getpid, SYS_gettid, SYS_getppid,
	SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getgroups, SYS_getresuid, SYS_getresgid, SYS_getrusage,
	SYS_prlimit64, SYS_getrlimit, SYS_setrlimit, SYS_sysinfo, SYS_uname, SYS_times, SYS_getrandom, SYS_prctl,
	SYS_restart_syscall, SYS_getcpu, SYS_capget,
	/* signals and time */
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait, SYS_rt_sigpending,
	SYS_rt_sigsuspend, SYS_sigaltstack, SYS_timer_create, SYS_timer_settime,
	SYS_timer_gettime, SYS_timer_getoverrun, SYS_timer_delete, SYS_timerfd_create, SYS_timerfd_settime,
	SYS_timerfd_gettime, SYS_signalfd4, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres,
	SYS_gettimeofday,
	/* waiting, and sockets that are open already */
	SYS_eventfd2, SYS_pipe2, SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
	SYS_socketpair, SYS_getsockname, SYS_getpeername, SYS_setsockopt, SYS_getsockopt, SYS_sendto, SYS_recvfrom,
	SYS_sendmsg, SYS_recvmsg, SYS_sendmmsg, SYS_recvmmsg, SYS_shutdown,
#ifdef SYS_epoll_pwait2
	SYS_epoll_pwait2,
#endif
#ifdef __x86_64__
	/* the older forms of the same */
	SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_rename, SYS_link, SYS_unlink, SYS_mkdir,
	SYS_rmdir, SYS_chmod, SYS_dup2, SYS_pipe, SYS_poll, SYS_select, SYS_epoll_wait, SYS_time, SYS_arch_prctl,
	SYS_getpgrp, SYS_utimes, SYS_futimesat, SYS_getdents, SYS_pause,
#endif
};
static const short listening[] = {SYS_socket, SYS_bind, SYS_listen, SYS_accept, SYS_accept4};
static const short connecting[] = {SYS_socket, SYS_connect, SYS_bind};
/* Everything else does not exist, so that a library takes its other way; for these, the error says what it is. */
static const short refused[] = {SYS_execve, SYS_execveat, SYS_ptrace, SYS_mount, SYS_bpf, SYS_socket, SYS_connect};
/* clang-format on */

enum { PROGRAM_MAX = 2 * ARRAY_COUNT(calls) + 128 };
struct program {
	struct sock_filter items[PROGRAM_MAX];
	unsigned short n;
};

static void add(struct program *p, unsigned short code, uint32_t k, unsigned char yes, unsigned char no)
{
	if (p->n < PROGRAM_MAX)
		p->items[p->n++] = (struct sock_filter){code, yes, no, k};
}

static void load(struct program *p, size_t at) { add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)at, 0, 0); }
static void end(struct program *p, uint32_t action) { add(p, BPF_RET | BPF_K, action, 0, 0); }

/* For the loaded number: if it is this call, the action. */
static void decide(struct program *p, const short *list, size_t n, uint32_t action)
{
	for (size_t i = 0; i < n; i++) {
		add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)list[i], 0, 1);
		end(p, action);
	}
}

/* Allows a call whose argument (its lower half) is one of the values. The number is loaded. */
static void allow_if(struct program *p, short call, unsigned argument, const uint32_t *values, unsigned char n)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, (unsigned char)(2 + 2 * n));
	load(p, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t));
	for (unsigned char i = 0; i < n; i++) {
		add(p, BPF_JMP | BPF_JEQ | BPF_K, values[i], 0, 1);
		end(p, SECCOMP_RET_ALLOW);
	}
	end(p, SECCOMP_RET_ERRNO | EPERM);
}

/* Threads, but no processes. */
static void allow_threads(struct program *p)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
	load(p, offsetof(struct seccomp_data, args));
	add(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
	end(p, SECCOMP_RET_ALLOW);
	end(p, SECCOMP_RET_ERRNO | EPERM);
}

static bool seccomp(const struct confine_plan *plan)
{
	const uint32_t own[] = {(uint32_t)getpid()};
	const uint32_t ioctls[] = {TIOCGWINSZ, TCGETS, FIONREAD, FIONBIO, FIOCLEX};
	struct program p = {.n = 0};

	if (MACHINE == 0)
		return false;
	load(&p, offsetof(struct seccomp_data, arch));
	add(&p, BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
	end(&p, SECCOMP_RET_KILL_PROCESS);
	load(&p, offsetof(struct seccomp_data, nr));
	decide(&p, calls, ARRAY_COUNT(calls), SECCOMP_RET_ALLOW);
	if (plan->listens)
		decide(&p, listening, ARRAY_COUNT(listening), SECCOMP_RET_ALLOW);
	if (plan->connects)
		decide(&p, connecting, ARRAY_COUNT(connecting), SECCOMP_RET_ALLOW);
	allow_if(&p, SYS_kill, 0, own, ARRAY_COUNT(own));
	allow_if(&p, SYS_tgkill, 0, own, ARRAY_COUNT(own));
	allow_if(&p, SYS_ioctl, 1, ioctls, ARRAY_COUNT(ioctls));
	decide(&p, refused, ARRAY_COUNT(refused), SECCOMP_RET_ERRNO | EPERM);
	allow_threads(&p);
	end(&p, SECCOMP_RET_ERRNO | ENOSYS);
	const struct sock_fprog program = {p.n, p.items};
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

void confine(const struct confine_plan *p, struct confined *out)
{
	*out = (struct confined){.landlock_has = confine_landlock_version()};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return;
	if (landlock(p, out->landlock_has))
		out->landlock = out->landlock_has;
	out->seccomp = seccomp(p);
}
