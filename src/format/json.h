/* json.h: a strict JSON tree in an arena.
 *
 * Values live as long as their arena. Objects keep the order of their keys; duplicate keys are refused. Strings are
 * checked UTF-8. They have a length, so a NUL written as \u0000 survives, and also end in a NUL byte. A number that is
 * not a plain 64-bit integer keeps its source text, so writing a document back does not change it. A parsed tree is
 * never changed. A built one grows by json_set() and json_push() in the arena it was made in. */
#ifndef QUIRE_FORMAT_JSON_H
#define QUIRE_FORMAT_JSON_H
#include "base/buffer.h"

enum json_type { JSON_NULL, JSON_BOOL, JSON_INT, JSON_REAL, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
	uint8_t type;
	bool indexed;      /* an object with a hash index before its members: see json_index.h */
	uint32_t len;      /* bytes of a string or of a real's text; items of an array or object */
	uint32_t pos, end; /* byte range in the source, for messages and for copying the source; 0, 0 when built */
	union {
		bool boolean;
		int64_t integer;
		const char *string; /* also the source text of a real */
		struct json *items;
		struct json_member *members;
	};
};

struct json_member {
	const char *key;
	uint32_t key_len, hash;
	struct json value;
};

struct json_error {
	const char *message;
	uint32_t pos, line, column; /* line and column count from 1; column in bytes */
};

/* The first limit is for protocol messages, the second for documents. */
enum { JSON_DEPTH_MESSAGE = 64, JSON_DEPTH_MAX = 200 };

struct json *json_parse(struct arena *a, struct text source, unsigned depth_max, struct json_error *err);

const struct json *json_get(const struct json *object, const char *key); /* NULL: not an object, or no such key */
const struct json *json_get_text(const struct json *object, struct text key);
const struct json *json_pointer(const struct json *v, struct text pointer); /* RFC 6901; NULL: nothing there */
double json_real(const struct json *v);                                     /* of an int or a real */
bool json_integer(const struct json *v, int64_t *out);   /* also 10.0 and 1e2; false: not a whole number in range */
struct text json_text(const struct json *v);             /* of a string; absent for any other value and for NULL */
bool json_is(const struct json *v, enum json_type type); /* false for NULL */
const char *json_type_name(const struct json *v);        /* "null", "boolean", "integer", "number", ... */

/* Building. json_set() and json_push() copy the value, so fill a container before adding it. Keys and texts are copied
 * too. Both return a pointer to the copy, which is valid until the next item is added. */
struct json *json_new_object(struct arena *a);
struct json *json_new_array(struct arena *a);
struct json *json_new_text(struct arena *a, struct text t);
struct json *json_new_int(struct arena *a, int64_t n);
struct json *json_new_number(struct arena *a, double n); /* shortest form that reads back equal; not finite: null */
struct json *json_new_bool(struct arena *a, bool b);
struct json *json_new_null(struct arena *a);
/* Replaces the member or adds it. */
struct json *json_set(struct arena *a, struct json *object, const char *key, const struct json *v);
struct json *json_set_key(struct arena *a, struct json *object, struct text key, const struct json *v);
void json_set_text(struct arena *a, struct json *object, const char *key, struct text t);
void json_set_int(struct arena *a, struct json *object, const char *key, int64_t n);
struct json *json_push(struct arena *a, struct json *array, const struct json *v);

/* Equal as JSON: numbers by value, objects without regard to order. */
bool json_same(const struct json *a, const struct json *b);

void json_write(struct buffer *to, const struct json *v);        /* compact */
void json_write_pretty(struct buffer *to, const struct json *v); /* two blanks a level */
struct text json_source(struct arena *a, const struct json *v);  /* compact, as text */

#endif
