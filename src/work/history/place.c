#include "work/history/place.h"

#include "work/workspace.h"

struct text place_of(struct arena *a, const struct root *root, struct text below)
{
	bool is_top = text_is(root->real, "/");

	return text_format(a, "%.*s/%.*s", is_top ? 0 : (int)root->real.len, root->real.at, TEXT_ARGS(below));
}

static bool holds(struct text root, struct text place, struct text *below)
{
	size_t len = text_is(root, "/") ? 0 : root.len;

	if (place.len <= len + 1 || place.at[len] != '/' ||
	    !text_same(text_slice(place, 0, len), text_slice(root, 0, len)))
		return false;
	*below = text_slice(place, len + 1, place.len);
	return true;
}

const struct root *place_root(const struct work *w, struct text place, struct text *below)
{
	const struct root *found = NULL;
	struct text rest;

	for (size_t i = 0; i < w->roots.n; i++) {
		const struct root *r = &w->roots.items[i];
		if ((!found || r->real.len > found->real.len) && holds(r->real, place, &rest)) {
			found = r;
			*below = rest;
		}
	}
	return found;
}

struct text place_name(struct call *c, struct text place)
{
	struct text below;

	if (holds(c->work->roots.items[0].real, place, &below))
		return below;
	return place_root(c->work, place, &below) ? place : (struct text){0};
}

bool place_is_granted(struct call *c, struct text place, bool to_write)
{
	const struct caller *caller = c->caller;
	struct text below;

	return place_root(c->work, place, &below) && (!caller || !caller->may || caller->may(caller, below, to_write));
}

bool history_place(struct call *c, struct text path, bool to_write, struct text *place)
{
	scoped(spot_drop) struct spot s = {.folder = -1};

	if (!spot_granted(c, path, SPOT_NEW | SPOT_FOLDERS | spot_owner(c), to_write, true, &s))
		return false;
	*place = place_of(c->arena, s.root, s.path);
	return true;
}
