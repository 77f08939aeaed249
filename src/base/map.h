/* map.h: texts to numbers, in an arena.
 *
 * Keys are borrowed, not copied: they must live at least as long as the map. The hash is keyed (text_hash), so hostile
 * keys cost no more than others. A value is a number, by convention an index into the caller's own array. */
#ifndef QUIRE_BASE_MAP_H
#define QUIRE_BASE_MAP_H
#include "base/text.h"

struct map_slot;

struct map {
	struct arena *arena;
	struct map_slot *slots;
	size_t n, cap;
};

/* Reserves room for this many keys in an empty map. */
void map_reserve(struct map *m, size_t keys);
/* Returns a pointer to the key's value. A missing key is added with the value `fresh`; *was (may be NULL) says whether
 * it existed. */
uint32_t *map_at(struct map *m, struct text key, uint32_t fresh, bool *was);
const uint32_t *map_find(const struct map *m, struct text key); /* NULL: not found */
/* False: it was not found. The key's bytes may be freed afterwards; pointers to values are no longer valid. */
bool map_remove(struct map *m, struct text key);

#endif
