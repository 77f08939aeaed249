/* lazy.h: a library that only some calls need, loaded at its first use and never unloaded.
 *
 * The one file that includes the library's header lists the functions it calls in an X-macro; each becomes a pointer of
 * the function's own type, so the compiler still checks every call:
 *
 * 	#define FUNCTIONS(X) X(png_create_write_struct) X(png_destroy_write_struct)
 * 	static struct { FUNCTIONS(LAZY_SLOT) } png;
 * 	static const char *const png_names[] = {FUNCTIONS(LAZY_NAME) NULL};
 * 	static struct lazy png_library = LAZY("libpng16.so.16", "libpng16-16", png_names, &png);
 *
 * Except for the files that tools/layers.sh lists, these tables are the only mutable state that a file may have. */
#ifndef QUIRE_BASE_LAZY_H
#define QUIRE_BASE_LAZY_H
#include <pthread.h>
#include <stdbool.h>

struct lazy {
	const char *file;         /* the shared object's name */
	const char *package;      /* what to install when it is missing */
	const char *const *names; /* NULL-terminated */
	void **slots;             /* one pointer for each name, in the same order */
	pthread_mutex_t lock;
	bool loaded;
	char error[200];
};

#define LAZY_SLOT(f) __typeof__(f) *f;
#define LAZY_NAME(f) #f,
#define LAZY(file_, package_, names_, slots_)                                                                          \
	{                                                                                                              \
		.file = (file_), .package = (package_), .names = (names_), .slots = (void **)(slots_),                 \
		.lock = PTHREAD_MUTEX_INITIALIZER                                                                      \
	}

bool lazy_load(struct lazy *l); /* false: l->error says what is missing and which package has it */

#endif
