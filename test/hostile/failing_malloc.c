/* failing_malloc.c: a preloaded library that makes the n-th allocation fail.
 *
 * The test and this library share the file that FAILING_ORDER names. It contains the number of allocations until the
 * one that fails (0: none fails). Only calls from the program itself count, including everything linked into it. Loaded
 * libraries have rules of their own (GLib ends the program). */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic int64_t *countdown;
static uintptr_t from, to; /* address range of the program's instructions */

static int find_program(struct dl_phdr_info *program, size_t size, void *of)
{
	(void)size;
	(void)of;
	for (int i = 0; i < program->dlpi_phnum; i++)
		if (program->dlpi_phdr[i].p_type == PT_LOAD && program->dlpi_phdr[i].p_flags & PF_X) {
			from = program->dlpi_addr + program->dlpi_phdr[i].p_vaddr;
			to = from + program->dlpi_phdr[i].p_memsz;
		}
	return 1; /* the first object is the program */
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("FAILING_ORDER");
	int fd = path ? open(path, O_RDWR) : -1;
	void *at = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *countdown, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	dl_iterate_phdr(find_program, NULL);
	if (at != MAP_FAILED)
		countdown = at;
}

static bool fails(const void *caller)
{
	if (!countdown || (uintptr_t)caller < from || (uintptr_t)caller >= to || atomic_load(countdown) <= 0 ||
	    atomic_fetch_sub(countdown, 1) != 1)
		return false;
	errno = ENOMEM;
	return true;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size); }
