#include "base/map.h"

#include <string.h>

/* Open addressing; at most three quarters of the slots are taken, so a search always finds an empty one. */
struct map_slot {
	struct text key; /* at == NULL: empty */
	uint32_t hash;
	uint32_t value;
};

static struct map_slot *slot_of(const struct map *m, struct text key, uint32_t hash)
{
	for (size_t i = hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
		struct map_slot *s = &m->slots[i];
		if (!s->key.at)
			return s;
		if (s->hash == hash && s->key.len == key.len && (!key.len || !memcmp(s->key.at, key.at, key.len)))
			return s;
	}
}

static void widen(struct map *m)
{
	struct map old = *m;

	m->cap = old.cap ? old.cap * 2 : 16;
	m->slots = arena_array(m->arena, m->cap, sizeof *m->slots);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].key.at)
			*slot_of(m, old.slots[i].key, old.slots[i].hash) = old.slots[i];
}

void map_reserve(struct map *m, size_t keys)
{
	size_t cap = 16;

	while (cap / 4 * 3 <= keys && cap <= SIZE_MAX / 2)
		cap *= 2;
	m->cap = cap;
	m->slots = arena_array(m->arena, m->cap, sizeof *m->slots);
}

uint32_t *map_at(struct map *m, struct text key, uint32_t fresh, bool *was)
{
	uint32_t hash = (uint32_t)text_hash(key);

	if (m->n >= m->cap / 4 * 3)
		widen(m);
	struct map_slot *s = slot_of(m, key, hash);
	if (was)
		*was = s->key.at;
	if (!s->key.at) {
		*s = (struct map_slot){key.at ? key : TEXT(""), hash, fresh};
		m->n++;
	}
	return &s->value;
}

const uint32_t *map_find(const struct map *m, struct text key)
{
	if (!m->n)
		return NULL;
	const struct map_slot *s = slot_of(m, key, (uint32_t)text_hash(key));
	return s->key.at ? &s->value : NULL;
}

/* Deletion leaves no marks: each later key of the run that may fill the gap moves into it and leaves the next gap. A
 * key may fill it unless its own slot is cyclically after the gap. */
bool map_remove(struct map *m, struct text key)
{
	if (!m->n)
		return false;
	struct map_slot *gap = slot_of(m, key, (uint32_t)text_hash(key));
	if (!gap->key.at)
		return false;
	size_t mask = m->cap - 1, hole = (size_t)(gap - m->slots);
	for (size_t i = (hole + 1) & mask; m->slots[i].key.at; i = (i + 1) & mask) {
		size_t home = m->slots[i].hash & mask;
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		m->slots[hole] = m->slots[i];
		hole = i;
	}
	m->slots[hole] = (struct map_slot){0};
	m->n--;
	return true;
}
