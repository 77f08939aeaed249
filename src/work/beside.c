#include "work/beside.h"

#include "base/digest.h"
#include "base/mutex.h"
#include "work/history/place.h"
#include "work/history/store.h"
#include "work/history/taken.h"
#include "work/temp.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ending[] = ".quire~";

const char *beside_name(struct arena *a, const char *document, const char *mark, int number)
{
	char more[16] = "";

	if (number)
		snprintf(more, sizeof more, "-%d", number);
	if (strlen(document) + strlen(mark) + strlen(more) + strlen("..") + strlen(ending) > NAME_MAX)
		document = revision_of(text_of(document)).chars;
	return text_format(a, ".%s.%s%s%s", document, mark, more, ending).at;
}

static bool is_revision(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (!(t.at[i] >= '0' && t.at[i] <= '9') && !(t.at[i] >= 'a' && t.at[i] <= 'z'))
			return false;
	return t.len == REVISION_LEN;
}

/* Without the number of a name that was taken: "-2". */
static struct text unnumbered(struct text mark)
{
	size_t end = mark.len;

	while (end && mark.at[end - 1] >= '0' && mark.at[end - 1] <= '9')
		end--;
	return end && end < mark.len && mark.at[end - 1] == '-' ? text_slice(mark, 0, end - 1) : mark;
}

struct beside beside_parse(struct arena *a, int folder, const char *name)
{
	struct text all = text_of(name);
	struct beside b = {0};
	struct stat st;

	if (name[0] != '.' || all.len <= 1 + strlen(ending) || !text_ends(all, ending))
		return b;
	struct text core = text_slice(all, 1, all.len - strlen(ending));
	size_t dot = core.len;
	while (dot && core.at[dot - 1] != '.')
		dot--;
	struct text mark = unnumbered(text_slice(core, dot, core.len));
	b.document = text_string(a, core);
	b.kind = BESIDE_TEMP;
	if (dot < 2)
		return b;
	if (text_is(mark, "old"))
		b.kind = BESIDE_OLD;
	else if ((is_revision(mark) || text_is(mark, "unread")) &&
		 fstatat(folder, b.document, &st, AT_SYMLINK_NOFOLLOW) != 0)
		b.kind = BESIDE_KEPT;
	else
		return b;
	b.document = text_string(a, text_slice(core, 0, dot - 1));
	if (b.kind == BESIDE_KEPT && is_revision(mark))
		b.revision = text_copy(a, mark);
	return b;
}

void beside_open(struct beside_memory *m) { pthread_mutex_init(&m->mutex, NULL); }

void beside_close(struct beside_memory *m)
{
	for (unsigned i = 0; i < atomic_load(&m->n); i++)
		free(m->files[i]);
	pthread_mutex_destroy(&m->mutex);
}

void beside_remember(struct beside_memory *m, struct text file)
{
	mutex_lock(&m->mutex);
	unsigned n = atomic_load(&m->n);
	bool is_known = false;
	for (unsigned i = 0; i < n; i++)
		is_known |= text_same(text_of(m->files[i]), file);
	if (!is_known && n < BESIDE_FILES) {
		m->files[n] = budget_text(file.at, file.len);
		atomic_store(&m->n, n + 1);
	}
	mutex_unlock(&m->mutex);
}

static void forget(struct beside_memory *m, struct text file)
{
	mutex_lock(&m->mutex);
	unsigned n = atomic_load(&m->n);
	for (unsigned i = 0; i < n; i++)
		if (text_same(text_of(m->files[i]), file)) {
			free(m->files[i]);
			m->files[i] = m->files[n - 1];
			atomic_store(&m->n, n - 1);
			break;
		}
	mutex_unlock(&m->mutex);
}

void beside_take_all(struct call *c, const struct texts *files)
{
	for (size_t i = 0; i < files->n; i++) {
		enum taken how = taken_in(c, files->items[i]);
		if (how == LEFT_OPEN || how == LEFT_NEEDED)
			beside_remember(&c->work->beside, files->items[i]);
		else
			forget(&c->work->beside, files->items[i]);
	}
}

void beside_look(struct call *c)
{
	struct beside_memory *m = &c->work->beside;
	ARRAY(struct text) files = {0};

	if (!atomic_load(&m->n) || c->work->read_only || (c->held && (c->held->locks.n || c->held->is_taking)))
		return;
	mutex_lock(&m->mutex);
	for (unsigned i = 0; i < atomic_load(&m->n); i++)
		*ARRAY_PUSH(c->arena, &files) = text_copy(c->arena, text_of(m->files[i]));
	mutex_unlock(&m->mutex);
	beside_take_all(c, &(struct texts){files.items, files.n});
}

static int64_t modified_of(const struct stat *st)
{
	return st->st_mtim.tv_sec * (int64_t)1000000000 + st->st_mtim.tv_nsec;
}

static bool is_swept(struct beside_memory *m, const struct stat *st)
{
	bool is = false;

	mutex_lock(&m->mutex);
	for (size_t i = 0; i < BESIDE_FOLDERS && !is; i++)
		is = m->folders[i].inode == st->st_ino && m->folders[i].device == st->st_dev &&
		     m->folders[i].modified == modified_of(st);
	mutex_unlock(&m->mutex);
	return is;
}

void beside_swept(struct beside_memory *m, const struct locks *l)
{
	struct stat st;

	for (size_t i = 0; i < l->n; i++) {
		if (!l->items[i].is_swept || fstat(l->items[i].fd, &st) != 0)
			continue;
		mutex_lock(&m->mutex);
		size_t at = 0;
		while (at < BESIDE_FOLDERS && (m->folders[at].inode != st.st_ino || m->folders[at].device != st.st_dev))
			at++;
		if (at == BESIDE_FOLDERS)
			at = m->next++ % BESIDE_FOLDERS;
		m->folders[at].device = st.st_dev;
		m->folders[at].inode = st.st_ino;
		m->folders[at].modified = modified_of(&st);
		mutex_unlock(&m->mutex);
	}
}

static struct text below(struct arena *a, struct text folder, const char *name)
{
	return folder.len ? text_format(a, "%.*s/%s", TEXT_ARGS(folder), name) : text_copy(a, text_of(name));
}

/* Some files cannot be taken in now: each is tried once in a call. */
static bool is_tried(const struct work_call *h, struct text file)
{
	for (size_t i = 0; i < h->taken.n; i++)
		if (text_same(h->taken.items[i], file))
			return true;
	return false;
}

static void sweep_folder(struct call *c, const struct lock *l, struct texts *files)
{
	ARRAY(struct text) found = {.items = files->items, .n = files->n, .cap = files->n};
	ARRAY(const char *) names = {0};
	int list = open_at(l->fd, ".", O_RDONLY | O_DIRECTORY, 0);
	DIR *dir = folder_open(&list);

	for (const struct dirent *e; dir && (e = readdir(dir));)
		if (e->d_name[0] == '.' && text_ends(text_of(e->d_name), ending))
			*ARRAY_PUSH(c->arena, &names) = text_string(c->arena, text_of(e->d_name));
	if (dir)
		folder_close(&dir);
	for (size_t i = 0; i < names.n; i++) {
		struct beside b = beside_parse(c->arena, l->fd, names.items[i]);
		if (b.kind == BESIDE_TEMP)
			temp_sweep(c, l->root, l->fd, b.document, below(c->arena, l->below, b.document));
		if (b.kind != BESIDE_OLD && b.kind != BESIDE_KEPT)
			continue;
		struct text file = place_of(c->arena, l->root, below(c->arena, l->below, names.items[i]));
		if (is_tried(c->held, file))
			continue;
		*ARRAY_PUSH(c->arena, &c->held->taken) = file;
		*ARRAY_PUSH(c->arena, &found) = file;
	}
	*files = (struct texts){found.items, found.n};
}

bool beside_sweep(struct call *c, struct locks *l, struct texts *files)
{
	struct stat st;

	*files = (struct texts){0};
	if (c->dry_run || c->held->is_taking)
		return false;
	for (size_t i = 0; i < l->n; i++) {
		if (!l->items[i].root || fstat(l->items[i].fd, &st) != 0)
			continue;
		if (!is_swept(&c->work->beside, &st))
			sweep_folder(c, &l->items[i], files);
		l->items[i].is_swept = true;
	}
	return files->n;
}
