#include "kinds/notes/tools/batch.h"

const struct field batch_out[] = {
	FIELD(struct batch_answer, changed, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes changed"),
	FIELD(struct batch_answer, ids, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "The first ten of them"),
	FIELDS_END,
};

/* An error about one of many notes names it. */
static bool fail_at(struct call *c, const struct batch *b, struct text path)
{
	struct error e = c->error;

	if (b->paths.n < 2 || e.fault == FAULT_CANCELLED || e.fault == FAULT_TIMEOUT || e.fault == FAULT_ARGUMENT)
		return false;
	return fail_as(c, "PROVIDER_ERROR", "%s: %s", shown(c, path), error_sentence(c->arena, &e));
}

static bool plan(struct call *c, const struct batch *b, struct document **documents, struct change *changes,
		 struct written *files, size_t *n)
{
	for (size_t i = 0; i < b->paths.n; i++) {
		struct text before = document_bytes(documents[i]), after;
		if (!goes_on(c))
			return false;
		if (!b->change(c, b->context, b->paths.items[i], before, &after))
			return fail_at(c, b, b->paths.items[i]);
		if (text_same(before, after))
			continue;
		changes[*n] = (struct change){.kind = CHANGE_SPLICE, .document = documents[i]};
		changes[*n].splices = splice_between(c->arena, before, after, &changes[*n].n);
		files[(*n)++] = (struct written){b->paths.items[i], after, documents[i]};
	}
	return true;
}

bool batch_apply(struct call *c, const struct batch *b, struct batch_answer *out)
{
	size_t most = b->paths.n + 1, n = 0;
	struct want *wants = arena_array(c->arena, most, sizeof *wants);
	struct document **documents = arena_array(c->arena, most, sizeof *documents);
	struct change *changes = arena_array(c->arena, most, sizeof *changes);
	struct written *files = arena_array(c->arena, most, sizeof *files);

	*out = (struct batch_answer){.ids = {arena_array(c->arena, BATCH_SHOWN, sizeof(struct text)), 0}};
	if (b->paths.n > BATCH_MAX)
		return fail(c, FAULT_TOO_LARGE,
			    "%zu notes are more than the %d that one call changes; narrow the conditions", b->paths.n,
			    (int)BATCH_MAX);
	for (size_t i = 0; i < b->paths.n; i++)
		wants[i] = (struct want){.path = b->paths.items[i], .want = DOCUMENT_THERE};
	if (!b->paths.n)
		return true;
	if (!documents_change(c, wants, b->paths.n, documents) || !plan(c, b, documents, changes, files, &n))
		return false;
	if (n && !work_commit(c, changes, n, "%s", b->summary))
		return false;
	if (n && !c->dry_run)
		vault_written(c, c->state, files, n);
	out->changed = (int64_t)n;
	for (size_t i = 0; i < n && i < BATCH_SHOWN; i++)
		out->ids.items[out->ids.n++] = files[i].path;
	return true;
}
