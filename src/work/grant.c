/* grant.c: which documents a caller with grants may find, and what it learns about the others.
 *
 * A key learns nothing about documents outside its grant. Whatever is there, a file, a folder, a pipe, a link or
 * nothing, the error is the same as for a name that does not exist. A new name outside the grant gets the same refusal
 * whether or not it is taken. So an ungranted name is refused before the disk is read, and a link's target is checked
 * again by its true name. */
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static bool is_granted(const struct call *c, struct text place, bool to_write)
{
	return !c->caller || !c->caller->may || c->caller->may(c->caller, place, to_write);
}

static void note(struct call *c, struct text place, bool for_log)
{
	if (place.len && for_log)
		*ARRAY_PUSH(c->arena, &c->touched) = text_copy(c->arena, place);
}

static bool conceal(struct call *c, struct text path) { return path_refuse(c, ENOENT, "open", path); }

static bool deny(struct call *c, struct text path, bool is_new)
{
	return fail(c, FAULT_DENIED, "this key may %s %s; ask whoever runs the server for the grant",
		    is_new ? "not write" : "read, but not change", shown(c, path));
}

/* A path with .. is judged by the path it resolves to, not by its first component. */
static bool climbs(struct text plain)
{
	for (size_t at = 0; at < plain.len;) {
		size_t end = text_find(plain, TEXT("/"), at);
		end = end == SIZE_MAX ? plain.len : end;
		if (text_is(text_slice(plain, at, end), ".."))
			return true;
		at = end + 1;
	}
	return false;
}

/* Do not reveal what is wrong with a link's target: it may be outside the grant. */
static bool has_link(struct call *c, const struct root *root, struct text plain)
{
	struct stat st;

	for (size_t end = 0; end < plain.len;) {
		end = text_find(plain, TEXT("/"), end);
		end = end == SIZE_MAX ? plain.len : end;
		const char *so_far = text_string(c->arena, text_slice(plain, 0, end));
		if (!fstatat(root->fd, so_far, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode))
			return true;
		end++;
	}
	return false;
}

bool spot_granted(struct call *c, struct text path, unsigned flags, bool to_write, bool for_log, struct spot *out)
{
	const struct roots *roots = &c->work->roots;
	bool makes = to_write && flags & SPOT_NEW;
	const struct root *root;
	struct text plain;

	if (!c->caller || !c->caller->may) {
		if (!spot_find(c, roots, path, flags, out))
			return false;
		note(c, out->path, for_log);
		return true;
	}
	if (!path_below(c, roots, path, &root, &plain))
		return false;
	bool is_told = !climbs(plain) && is_granted(c, plain, makes);
	if (!is_told && !climbs(plain)) {
		note(c, plain, for_log);
		return makes ? deny(c, path, true) : conceal(c, path);
	}
	if (!spot_find(c, roots, path, flags, out)) {
		note(c, plain, for_log);
		is_told &= c->error.fault == FAULT_NOT_FOUND || !has_link(c, root, plain);
		return is_told ? false : makes ? deny(c, path, true) : conceal(c, path);
	}
	note(c, out->path, for_log);
	if (is_granted(c, out->path, to_write))
		return true;
	bool is_known = is_granted(c, out->path, false);
	spot_drop(out);
	return is_known && !makes ? deny(c, path, false) : makes ? deny(c, path, true) : conceal(c, path);
}
