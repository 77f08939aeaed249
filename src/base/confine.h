/* confine.h: what this process may do from now on, whatever it is made to run: a second wall behind the path gate.
 *
 * 	no_new_privs   no program that it could start gets more rights
 * 	Landlock       the kernel opens only what is below the folders given here, and only the TCP ports given here
 * 	seccomp        no program is started, and no system call is made that quire does not need
 *
 * All of it is inherited by threads, so it is called before any thread starts; it cannot be undone. Rules name folders
 * rather than files: a file that is replaced by a rename stays reachable. On a kernel without one of these, the others
 * are used. Landlock before version 2 refuses to move files between folders, so it is left off there. */
#ifndef QUIRE_BASE_CONFINE_H
#define QUIRE_BASE_CONFINE_H
#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

struct confine_rule {
	const char *path; /* a folder with everything below it, or a file; a missing one is left out */
	bool writes;      /* also create, change, rename and remove */
};
struct confine_plan {
	struct arena *arena;
	ARRAY(struct confine_rule) rules;
	bool listens; /* this port; 0: any free one */
	uint16_t port;
	bool connects;         /* to services: sockets, name resolution */
	ARRAY(uint16_t) ports; /* their ports; none: any port */
};
struct confined {
	int landlock;     /* the version in force; 0: none */
	int landlock_has; /* the kernel's version */
	bool seccomp;
};

void confine_allow(struct confine_plan *p, const char *path, bool writes);
int confine_landlock_version(void); /* of the kernel; 0: it has none */
bool confine_has_seccomp(void);
void confine(const struct confine_plan *p, struct confined *out);

#endif
