/* json_write.h: writes JSON directly into a buffer, for results.
 *
 * Commas and colons are added automatically. Keys and values must alternate inside an object (asserted in debug
 * builds).
 *
 *	struct json_out o = {.to = &buffer};
 *	json_open(&o, '{');
 *	json_key(&o, "id");  json_put_int(&o, 7);
 *	json_close(&o, '}'); */
#ifndef QUIRE_FORMAT_JSON_WRITE_H
#define QUIRE_FORMAT_JSON_WRITE_H
#include "format/json.h"

struct json_out {
	struct buffer *to;
	bool comma; /* this container already has an element */
};

void json_open(struct json_out *o, char bracket);  /* '{' or '[' */
void json_close(struct json_out *o, char bracket); /* '}' or ']' */
void json_key(struct json_out *o, const char *key);
void json_key_text(struct json_out *o, struct text key);
void json_put_text(struct json_out *o, struct text t); /* absent: null */
void json_put_string(struct json_out *o, const char *s);
void json_put_int(struct json_out *o, int64_t n);
void json_put_number(struct json_out *o, double n); /* shortest form that reads back equal; not finite: null */
void json_put_bool(struct json_out *o, bool b);
void json_put_null(struct json_out *o);
void json_put(struct json_out *o, const struct json *v);   /* a tree */
void json_put_raw(struct json_out *o, struct text source); /* a value that is already JSON */

/* Writes the shortest decimal that reads back equal, without exponent below 1e21; returns its length. */
enum { NUMBER_MAX = 32 };
size_t number_write(char to[static NUMBER_MAX], double n);

#endif
