#include "format/json_index.h"
#include "base/budget.h"
#include "format/json_write.h"

#include <math.h>
#include <string.h>

uint32_t json_room(uint32_t n)
{
	uint32_t room = JSON_ROOM_MIN;

	if (n > 1u << 30)
		out_of_memory();
	while (room < n)
		room *= 2;
	return room;
}

static uint32_t *index_of(const struct json *object)
{
	return (uint32_t *)(void *)object->members - json_room(object->len) * 2;
}

void json_members_new(struct arena *a, struct json *object, uint32_t n, uint32_t room)
{
	object->indexed = n > JSON_LINEAR_MAX;
	size_t index = object->indexed ? json_room(n) * 2 * sizeof(uint32_t) : 0;
	char *block = arena_alloc(a, index + (size_t)room * sizeof(struct json_member));
	memset(block, 0, index);
	object->members = (struct json_member *)(void *)(block + index);
}

uint32_t json_key_hash(struct text key) { return (uint32_t)text_hash(key); }

static uint32_t *slot_of(const struct json *object, struct text key, uint32_t hash)
{
	uint32_t *index = index_of(object), mask = json_room(object->len) * 2 - 1;

	for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
		if (!index[i])
			return &index[i];
		const struct json_member *m = &object->members[index[i] - 1];
		if (m->hash == hash && m->key_len == key.len && !memcmp(m->key, key.at, key.len))
			return &index[i];
	}
}

bool json_index_add(struct json *object, uint32_t member)
{
	struct json_member *m = &object->members[member];
	uint32_t *slot = slot_of(object, (struct text){m->key, m->key_len}, m->hash);

	if (*slot)
		return false;
	*slot = member + 1;
	return true;
}

uint32_t json_member_of(const struct json *object, struct text key)
{
	if (object->indexed) {
		uint32_t found = *slot_of(object, key.at ? key : TEXT(""), json_key_hash(key));
		return found ? found - 1 : UINT32_MAX;
	}
	uint32_t i = 0;
	while (i < object->len &&
	       (object->members[i].key_len != key.len || (key.len && memcmp(object->members[i].key, key.at, key.len))))
		i++;
	return i;
}

static struct json *made(struct arena *a, enum json_type type)
{
	struct json *v = arena_new(a, struct json);

	v->type = (uint8_t)type;
	return v;
}

struct json *json_new_object(struct arena *a) { return made(a, JSON_OBJECT); }

struct json *json_new_array(struct arena *a) { return made(a, JSON_ARRAY); }

struct json *json_new_null(struct arena *a) { return made(a, JSON_NULL); }

struct json *json_new_text(struct arena *a, struct text t)
{
	if (!t.at)
		return json_new_null(a);
	if (t.len > UINT32_MAX)
		arena_die("a text over 4 GB");
	struct json *v = made(a, JSON_STRING);
	v->len = (uint32_t)t.len;
	v->string = text_string(a, t);
	return v;
}

struct json *json_new_int(struct arena *a, int64_t n)
{
	struct json *v = made(a, JSON_INT);

	v->integer = n;
	return v;
}

struct json *json_new_bool(struct arena *a, bool b)
{
	struct json *v = made(a, JSON_BOOL);

	v->boolean = b;
	return v;
}

struct json *json_new_number(struct arena *a, double n)
{
	char digits[NUMBER_MAX];

	if (!isfinite(n))
		return json_new_null(a);
	/* A whole number is an integer, as it would be when read back. */
	if (n == trunc(n) && fabs(n) < 0x1p62)
		return json_new_int(a, (int64_t)n);
	struct json *v = made(a, JSON_REAL);
	v->len = (uint32_t)number_write(digits, n);
	v->string = text_string(a, (struct text){digits, v->len});
	return v;
}

/* Makes room for one more member. A parsed container has no spare room and must not be changed, so it is copied. */
static void widen_object(struct arena *a, struct json *object)
{
	uint32_t n = object->len;

	if (!object->end && n && n < json_room(n))
		return;
	const struct json_member *old = object->members;
	object->pos = object->end = 0;
	json_members_new(a, object, n + 1, json_room(n + 1));
	if (n)
		memcpy(object->members, old, n * sizeof *old);
	if (!object->indexed)
		return;
	object->len = n + 1; /* the index was built for the wider object */
	for (uint32_t i = 0; i < n; i++) {
		struct json_member *m = &object->members[i];
		m->hash = json_key_hash((struct text){m->key, m->key_len});
		json_index_add(object, i);
	}
	object->len = n;
}

struct json *json_set_key(struct arena *a, struct json *object, struct text key, const struct json *v)
{
	uint32_t i = json_member_of(object, key);

	if (i >= object->len) {
		widen_object(a, object);
		i = object->len++;
		object->members[i] = (struct json_member){.key = text_string(a, key.at ? key : TEXT("")),
							  .key_len = (uint32_t)key.len};
		if (object->indexed) {
			object->members[i].hash = json_key_hash(key);
			json_index_add(object, i);
		}
	}
	object->members[i].value = *v;
	return &object->members[i].value;
}

struct json *json_set(struct arena *a, struct json *object, const char *key, const struct json *v)
{
	return json_set_key(a, object, text_of(key), v);
}

void json_set_text(struct arena *a, struct json *object, const char *key, struct text t)
{
	json_set(a, object, key, json_new_text(a, t));
}

void json_set_int(struct arena *a, struct json *object, const char *key, int64_t n)
{
	json_set(a, object, key, json_new_int(a, n));
}

struct json *json_push(struct arena *a, struct json *array, const struct json *v)
{
	uint32_t n = array->len;

	if (array->end || !n || n == json_room(n)) {
		struct json *items = arena_alloc(a, (size_t)json_room(n + 1) * sizeof *items);
		if (n)
			memcpy(items, array->items, n * sizeof *items);
		array->items = items;
		array->pos = array->end = 0;
	}
	array->items[array->len++] = *v;
	return &array->items[n];
}
