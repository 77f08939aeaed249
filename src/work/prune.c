/* prune.c: removes the empty folders that a move left behind. A folder with any file, even a hidden one, stays: the
 * system refuses to remove it. */
#include "work/workspace.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH_MAX = 64 }; /* as in list.c */

static void prune(struct arena *a, int at, const char *name, int depth)
{
	int fd = open_at(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	DIR *dir = folder_open(&fd);
	ARRAY(const char *) folders = {0};

	if (!dir)
		return;
	for (struct dirent *e; depth < DEPTH_MAX && (e = readdir(dir));)
		if (name_is_listed(e->d_name) && (e->d_type == DT_DIR || e->d_type == DT_UNKNOWN))
			*ARRAY_PUSH(a, &folders) = text_string(a, text_of(e->d_name));
	for (size_t i = 0; i < folders.n; i++)
		prune(a, dirfd(dir), folders.items[i], depth + 1);
	folder_close(&dir);
	unlinkat(at, name, AT_REMOVEDIR);
}

void work_prune(struct call *c, struct text folder)
{
	struct error before = c->error;
	const struct root *root;
	struct text below;
	size_t cut = folder.len;

	while (cut && folder.at[cut - 1] != '/')
		cut--;
	scoped(fd_drop) int parent = -1;
	if (cut < folder.len && root_folder(c, &c->work->roots, text_slice(folder, 0, cut ? cut - 1 : 0), spot_owner(c),
					    &root, &below, &parent))
		prune(c->arena, parent, text_string(c->arena, text_slice(folder, cut, folder.len)), 0);
	c->error = before;
}
