#include "base/lazy.h"

#include <dlfcn.h>
#include <stdio.h>

static bool load(struct lazy *l)
{
	void *library = dlopen(l->file, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		snprintf(l->error, sizeof l->error, "the library %s is missing; install the Debian package %s", l->file,
			 l->package);
		return false;
	}
	for (size_t i = 0; l->names[i]; i++) {
		l->slots[i] = dlsym(library, l->names[i]);
		if (l->slots[i])
			continue;
		snprintf(l->error, sizeof l->error,
			 "the library %s has no function %s; install a newer Debian package %s", l->file, l->names[i],
			 l->package);
		return false;
	}
	return true;
}

bool lazy_load(struct lazy *l)
{
	pthread_mutex_lock(&l->lock);
	if (!l->loaded)
		l->loaded = load(l);
	bool loaded = l->loaded;
	pthread_mutex_unlock(&l->lock);
	return loaded;
}
