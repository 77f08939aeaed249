/* slots.h: a hash table of numbers.
 *
 * Eight bytes a slot, where base/map.h needs 24 and never forgets a key. The owner compares what the numbers stand for:
 *
 *	for (uint32_t at = slots_first(&t, hash), n; (n = slots_at(&t, &at, hash)) != SLOTS_NONE;)
 *		if (is_the_one(n)) ... */
#ifndef QUIRE_KINDS_NOTES_SEARCH_SLOTS_H
#define QUIRE_KINDS_NOTES_SEARCH_SLOTS_H
#include <stddef.h>
#include <stdint.h>

enum { SLOTS_NONE = UINT32_MAX };

struct slots {
	struct slot {
		uint32_t hash, number;
	} * items;
	uint32_t n, cap; /* cap is a power of two, and n at most three quarters of it */
};

void slots_add(struct slots *t, uint32_t hash, uint32_t number);
void slots_remove(struct slots *t, uint32_t hash, uint32_t number);
void slots_free(struct slots *t);

static inline uint32_t slots_first(const struct slots *t, uint32_t hash) { return t->cap ? hash & (t->cap - 1) : 0; }

/* The next number with this hash, or SLOTS_NONE. Moves *at past it. */
static inline uint32_t slots_at(const struct slots *t, uint32_t *at, uint32_t hash)
{
	if (!t->cap)
		return SLOTS_NONE;
	for (;; *at = (*at + 1) & (t->cap - 1)) {
		struct slot s = t->items[*at];
		if (s.number == SLOTS_NONE)
			return SLOTS_NONE;
		if (s.hash == hash) {
			*at = (*at + 1) & (t->cap - 1);
			return s.number;
		}
	}
}

#endif
