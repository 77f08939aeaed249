#include "kinds/notes/edit/kept.h"
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

void moving_written(struct call *c, const struct move_plan *plan, struct text bytes)
{
	struct written *files = arena_array(c->arena, plan->n_moves * 2 + plan->notes.n + 1, sizeof *files);
	size_t n = 0;

	if (c->dry_run)
		return;
	for (size_t i = 0; i < plan->n_moves; i++) {
		const struct move *m = &plan->moves[i];
		if (m->node == NODE_NONE)
			continue;
		if (!text_same(m->from, m->to))
			files[n++].path = m->from;
		files[n++] = (struct written){.path = m->to, .bytes = i || m->is_file ? (struct text){0} : bytes};
	}
	for (size_t i = 0; i < plan->notes.n; i++)
		if (plan->notes.items[i].move == UINT32_MAX)
			files[n++].path = plan->notes.items[i].path;
	vault_written(c, c->state, files, n);
}

void moving_done(struct call *c, const struct move_plan *plan, struct text path, struct text bytes, bool brief,
		 struct node_answer *out)
{
	moving_written(c, plan, bytes);
	scoped(vault_leave) struct vault *v = vault_again(c);
	uint32_t node = vault_node(c, v, path);
	if (brief)
		*out = (struct node_answer){.id = path,
					    .link = node == NODE_NONE ? (struct text){0}
								      : node_link(&v->graph, c->arena, node)};
	else
		node_answer_from(c, v, path, bytes, out);
	if (brief)
		out->rewritten = (struct maybe_int){(int64_t)plan->links, true};
	else if (plan->links)
		warn(c, "%zu link%s in %zu note%s rewritten", plan->links, plan->links == 1 ? "" : "s", plan->linking,
		     plan->linking == 1 ? "" : "s");
	vault_tell(c, v, &node, node != NODE_NONE);
}

void moving_again(struct call *c)
{
	documents_release(c);
	c->error = (struct error){0};
}

bool moving_conflict(struct call *c, struct text id)
{
	return fail(
		c, FAULT_CONFLICT,
		"another program keeps changing %s or notes that link to it; nothing was written, try again in a moment",
		shown(c, id));
}
