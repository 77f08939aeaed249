#include "kinds/floorplan/edit/fix.h"

#include "format/json.h"
#include "kinds/floorplan/edit/edit.h"

#include <string.h>

struct json *operation_json(struct arena *a, const char *action, struct text target, struct json *params)
{
	struct json *o = json_new_object(a);

	json_set_text(a, o, "action", text_of(action));
	if (target.at)
		json_set_text(a, o, "target", target);
	if (params)
		json_set(a, o, "params", params);
	return o;
}

bool plan_is_editable(const struct plan *p)
{
	for (size_t i = 0; i < p->problems.n; i++)
		if (p->problems.items[i].is_error && text_is(text_of(p->problems.items[i].type), "parse"))
			return false;
	/* A number beyond the limit is an error of the value, but its statement was not read to the end. */
	for (size_t i = 0; i < p->syntax->statements.n; i++)
		if (p->syntax->statements.items[i]->broken)
			return false;
	return true;
}

/* Two problems are the same if their texts are equal. Lines cannot be compared, because every edit moves them. */
static struct text identity(struct arena *a, const struct problem *p)
{
	return text_format(a, "%d %s %s", p->is_error, p->type, p->message);
}

void fix_trial_open(struct fix_trial *t, struct call *c, const struct plan *before)
{
	*t = (struct fix_trial){.c = c, .before = before};
	size_t n = before->problems.n, bytes = before->source.len + 1;

	t->known.arena = &t->arena;
	t->counts = arena_array(&t->arena, n + 1, sizeof *t->counts);
	t->seen = arena_array(&t->arena, n + 1, sizeof *t->seen);
	for (size_t i = 0; i < n; i++)
		t->counts[*map_at(&t->known, identity(&t->arena, &before->problems.items[i]), (uint32_t)i, NULL)]++;
	t->left = TRIAL_BYTES_MAX / bytes < 1            ? 1
		  : TRIAL_BYTES_MAX / bytes > TRIALS_MAX ? TRIALS_MAX
							 : TRIAL_BYTES_MAX / bytes;
	if (!plan_is_editable(before))
		t->left = 0;
}

void fix_trial_close(struct fix_trial *t)
{
	arena_free(&t->after);
	arena_free(&t->arena);
}

struct one_operation {
	struct variant_value operation;
};
static const struct field one_operation[] = {FIELD(struct one_operation, operation, UNION, FIELD_REQUIRED, "",
						   .more = RARE{.by = "action", .variants = action_variants}),
					     FIELDS_END};

/* Fills `seen` with the number of solved occurrences of each problem. Returns false if there is a new problem. */
static bool adds_none(struct fix_trial *t, const struct plan *after)
{
	memcpy(t->seen, t->counts, (t->before->problems.n + 1) * sizeof *t->seen);
	for (size_t i = 0; i < after->problems.n; i++) {
		const uint32_t *place = map_find(&t->known, identity(&t->after, &after->problems.items[i]));

		if (!place || !t->seen[*place])
			return false;
		t->seen[*place]--;
	}
	return after->problems.warnings <= t->before->problems.warnings &&
	       after->problems.errors <= t->before->problems.errors;
}

const struct plan *fix_trial_run(struct fix_trial *t, const struct json *operation)
{
	struct one_operation holder;
	struct call aside = *t->c;
	struct text after;

	if (!t->left)
		return NULL;
	t->left--;
	arena_free(&t->after);
	t->after = (struct arena){0};
	aside.arena = &t->after;
	aside.error = (struct error){0};
	memset(&aside.warnings, 0, sizeof aside.warnings);
	struct json *args = json_new_object(&t->after);

	json_set(&t->after, args, "operation", operation);
	if (!fields_decode(&aside, one_operation, sizeof holder, args, &holder, NULL) ||
	    !edit_apply(&aside, t->before, &holder.operation, &after))
		return NULL;
	const struct plan *p = plan_read(&t->after, after);

	return adds_none(t, p) ? p : NULL;
}

bool fix_trial_solved(const struct fix_trial *t, const struct problem *p)
{
	struct arena own = {0};
	const uint32_t *place = map_find(&t->known, identity(&own, p));
	bool solved = place && t->seen[*place] > 0;

	arena_free(&own);
	return solved;
}

/* After a successful run: are all problems with this text solved? */
static bool is_gone(const struct fix_trial *t, const struct problem *p)
{
	struct arena own = {0};
	const uint32_t *place = map_find(&t->known, identity(&own, p));
	bool gone = place && t->seen[*place] == t->counts[*place];

	arena_free(&own);
	return gone;
}

/* An operation on a room changes nothing if it is applied a second time. */
static bool is_repeatable(const struct json *operation) { return json_get(operation, "target"); }

/* Problems that the operation also solved get the same fix. For example, if a room was moved too far, one problem's fix
 * would remove a door that lost its wall and another's would move the room back. With one operation for both, all fixes
 * can be applied together. */
static void fix_share(const struct fix_trial *t, struct problems *all, const struct json *operation)
{
	if (!is_repeatable(operation))
		return;
	for (size_t i = 0; i < all->n; i++) {
		struct problem *p = &all->items[i];

		if (!(p->fix && is_repeatable(p->fix)) && is_gone(t, p))
			p->fix = operation;
	}
}

bool fixes_offer(struct call *c, struct plan *p)
{
	struct fix_trial t;
	size_t untried = 0;
	bool on = true;

	fix_trial_open(&t, c, p);
	bool usable = t.left > 0;

	for (size_t i = 0; usable && i < p->problems.n && (on = goes_on(c)); i++) {
		struct problem *q = &p->problems.items[i];

		if (!t.left && q->candidates[0])
			untried++;
		for (int k = 0; k < FIX_CANDIDATES && q->candidates[k] && !q->fix && t.left; k++)
			if (fix_trial_run(&t, q->candidates[k]) && fix_trial_solved(&t, q)) {
				q->fix = q->candidates[k];
				fix_share(&t, &p->problems, q->fix);
			}
	}
	fix_trial_close(&t);
	if (untried)
		warn(c, "%zu problems may have a fix that was not tried; apply the fixes given and validate again",
		     untried);
	return on;
}

bool fixes_offer_new(struct call *c, const struct plan *before, struct plan *after)
{
	struct fix_trial t;
	struct problems *all = &after->problems;
	bool *known = arena_array(c->arena, all->n + 1, sizeof *known);
	size_t n = 0;

	fix_trial_open(&t, c, before);
	memcpy(t.seen, t.counts, (before->problems.n + 1) * sizeof *t.seen);
	for (size_t i = 0; i < all->n; i++) {
		const uint32_t *place = map_find(&t.known, identity(&t.after, &all->items[i]));

		known[i] = !all->items[i].is_error && place && t.seen[*place];
		if (known[i]) {
			t.seen[*place]--;
			memset(all->items[i].candidates, 0, sizeof all->items[i].candidates);
		}
	}
	fix_trial_close(&t);
	/* Try fixes while the list is complete, so that old problems do not look new. */
	if (!fixes_offer(c, after))
		return false;
	for (size_t i = 0; i < all->n; i++)
		if (!known[i])
			all->items[n++] = all->items[i];
	all->n = n;
	return true;
}
