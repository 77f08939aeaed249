/* absent.c: stands in for rooms that are still being built; each part goes when its file comes, then this file. */
#include "work/history.h"
#define W __attribute__((weak))
#if !__has_include("work/history.c")
W bool history_diff(struct call *c, struct text path, struct text from, struct text to, struct text *diff)
{
	(void)path;
	(void)from;
	(void)to;
	(void)diff;
	return fail(c, FAULT_INTERNAL, "absent");
}
W bool history_forget(struct call *c, struct text path, size_t *forgotten)
{
	(void)path;
	(void)forgotten;
	return fail(c, FAULT_INTERNAL, "absent");
}
W bool history_undo(struct call *c, struct text path, int64_t id, bool redo, struct undone *out)
{
	(void)path;
	(void)id;
	(void)redo;
	(void)out;
	return fail(c, FAULT_INTERNAL, "absent");
}
W bool history_list(struct call *c, struct text path, int64_t before_id, size_t most, struct history_entry **out,
		    size_t *n, bool *more)
{
	(void)path;
	(void)before_id;
	(void)most;
	(void)out;
	(void)n;
	(void)more;
	return fail(c, FAULT_INTERNAL, "absent");
}
#endif
