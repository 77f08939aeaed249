#include "kinds/notes/search/slots.h"

#include "kinds/notes/search/heap.h"

#include <stdlib.h>

static void place(struct slots *t, struct slot s)
{
	uint32_t at = s.hash & (t->cap - 1);

	while (t->items[at].number != SLOTS_NONE)
		at = (at + 1) & (t->cap - 1);
	t->items[at] = s;
}

static void widen(struct slots *t)
{
	struct slots old = *t;

	t->cap = old.cap ? old.cap * 2 : 64;
	t->items = heap_array(NULL, t->cap, sizeof *t->items);
	for (uint32_t i = 0; i < t->cap; i++)
		t->items[i].number = SLOTS_NONE;
	for (uint32_t i = 0; i < old.cap; i++)
		if (old.items[i].number != SLOTS_NONE)
			place(t, old.items[i]);
	free(old.items);
}

void slots_add(struct slots *t, uint32_t hash, uint32_t number)
{
	if (t->n >= t->cap / 4 * 3)
		widen(t);
	place(t, (struct slot){hash, number});
	t->n++;
}

static uint32_t slot_of(const struct slots *t, uint32_t hash, uint32_t number)
{
	uint32_t at = slots_first(t, hash);

	while (t->items[at].hash != hash || t->items[at].number != number)
		at = (at + 1) & (t->cap - 1);
	return at;
}

/* Moves later entries back into the hole, unless they would then be before their own first place. */
void slots_remove(struct slots *t, uint32_t hash, uint32_t number)
{
	uint32_t mask = t->cap - 1, hole = slot_of(t, hash, number);

	for (uint32_t at = (hole + 1) & mask; t->items[at].number != SLOTS_NONE; at = (at + 1) & mask) {
		uint32_t home = t->items[at].hash & mask;
		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		t->items[hole] = t->items[at];
		hole = at;
	}
	t->items[hole].number = SLOTS_NONE;
	t->n--;
}

void slots_free(struct slots *t)
{
	free(t->items);
	*t = (struct slots){0};
}
