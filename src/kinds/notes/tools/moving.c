#include "kinds/notes/tools/moving.h"

const char *moving_summary(struct call *c, const struct move_plan *plan, const char *verb)
{
	const struct move *m = &plan->moves[0];

	if (plan->n_moves > 1)
		return text_format(c->arena, "%s %zu files, links in %zu notes", verb, plan->n_moves, plan->notes.n).at;
	if (text_same(m->from, m->to))
		return text_format(c->arena, "%s %s", verb, shown(c, m->from)).at;
	return text_format(c->arena, "rename %s to %s, links in %zu notes", shown(c, m->from), shown(c, m->to),
			   plan->notes.n - 1)
		.at;
}

void moving_reread(struct call *c, const struct move_plan *plan)
{
	struct text *paths = arena_array(c->arena, plan->n_moves * 2 + plan->notes.n, sizeof *paths);
	size_t n = 0;

	if (c->dry_run)
		return;
	for (size_t i = 0; i < plan->n_moves; i++) {
		if (plan->moves[i].node == NODE_NONE)
			continue;
		paths[n++] = plan->moves[i].from;
		paths[n++] = plan->moves[i].to;
	}
	for (size_t i = 0; i < plan->notes.n; i++)
		if (plan->notes.items[i].move == UINT32_MAX)
			paths[n++] = plan->notes.items[i].path;
	vault_reread(c, c->state, paths, n);
}

bool moving_done(struct call *c, const struct move_plan *plan, struct text path, struct text bytes,
		 struct node_answer *out)
{
	moving_reread(c, plan);
	scoped(vault_leave) struct vault *v = vault_read(c);
	if (!v)
		return false;
	uint32_t node = vault_node(c, v, path);
	node_answer_from(c, v, path, bytes, out);
	if (plan->links)
		warn(c, "%zu link%s in %zu note%s rewritten", plan->links, plan->links == 1 ? "" : "s", plan->linking,
		     plan->linking == 1 ? "" : "s");
	vault_tell(c, v, &node, node != NODE_NONE);
	return true;
}

bool moving_conflict(struct call *c, struct text id)
{
	return fail(
		c, FAULT_CONFLICT,
		"another program keeps changing %s or notes that link to it; nothing was written, try again in a moment",
		shown(c, id));
}
