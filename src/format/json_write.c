#include "format/json_write.h"

#include "base/utf8.h"

#include <assert.h>
#include <string.h>

/* True when the eight bytes can be written as they are: no quote, backslash, control byte, and all ASCII. */
static inline bool is_plain(uint64_t w)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
	uint64_t quote = w ^ (ones * '"'), backslash = w ^ (ones * '\\');

	return !((w | (w - ones * 0x20) | (quote - ones) | (backslash - ones)) & high);
}

static char *put_escape(char *w, unsigned char c)
{
	static const char short_forms[0x20] = {['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r', ['\b'] = 'b', ['\f'] = 'f'};

	*w++ = '\\';
	if (c >= 0x20 || short_forms[c]) {
		*w++ = c >= 0x20 ? (char)c : short_forms[c];
		return w;
	}
	memcpy(w, "u00", 3);
	w[3] = "0123456789abcdef"[c >> 4];
	w[4] = "0123456789abcdef"[c & 15];
	return w + 5;
}

static void write_string(struct buffer *to, struct text t)
{
	/* A byte becomes at most six. Room is reserved piece by piece, so that a long text does not reserve six times
	 * its length. */
	enum { PIECE = 4096, BYTE_MAX = 6 };
	const char *p = t.at, *end = p + t.len;

	buffer_byte(to, '"');
	while (p < end) {
		size_t n = (size_t)(end - p) < PIECE ? (size_t)(end - p) : PIECE;
		const char *piece_end = p + n;
		char *w = buffer_room(to, n * BYTE_MAX + 8), *start = w;
		while (p < piece_end) {
			uint64_t word;
			while (piece_end - p >= 8 && (memcpy(&word, p, 8), is_plain(word))) {
				memcpy(w, p, 8);
				w += 8, p += 8;
			}
			if (p == piece_end)
				break;
			unsigned char c = (unsigned char)*p;
			if (c < 0x80) {
				w = c == '"' || c == '\\' || c < 0x20 ? put_escape(w, c) : (*w = (char)c, w + 1);
				p++;
				continue;
			}
			/* A file's name need not be UTF-8, but the output always is. */
			int len = utf8_len(p, end);
			memcpy(w, len ? p : "\xEF\xBF\xBD", (size_t)(len ? len : 3));
			w += len ? len : 3;
			p += len ? len : 1;
		}
		to->len += (size_t)(w - start);
	}
	buffer_byte(to, '"');
}

static void write_int(struct buffer *to, int64_t n)
{
	char digits[24], *p = digits + sizeof digits;
	uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	do
		*--p = (char)('0' + rest % 10);
	while (rest /= 10);
	if (n < 0)
		*--p = '-';
	buffer_add(to, (struct text){p, (size_t)(digits + sizeof digits - p)});
}

static void write_break(struct buffer *to, unsigned level)
{
	buffer_byte(to, '\n');
	buffer_fill(to, ' ', (size_t)level * 2);
}

/* level: the value's depth when pretty, else always 0. */
static void write_tree(struct buffer *to, const struct json *v, bool pretty, unsigned level)
{
	switch ((enum json_type)v->type) {
	case JSON_NULL: buffer_add(to, TEXT("null")); return;
	case JSON_BOOL: buffer_add(to, v->boolean ? TEXT("true") : TEXT("false")); return;
	case JSON_INT: write_int(to, v->integer); return;
	case JSON_REAL: buffer_add(to, (struct text){v->string, v->len}); return;
	case JSON_STRING: write_string(to, (struct text){v->string, v->len}); return;
	case JSON_ARRAY:
	case JSON_OBJECT: break;
	}
	bool is_object = v->type == JSON_OBJECT;
	buffer_byte(to, is_object ? '{' : '[');
	for (uint32_t i = 0; i < v->len; i++) {
		if (i)
			buffer_byte(to, ',');
		if (pretty)
			write_break(to, level + 1);
		if (is_object) {
			write_string(to, (struct text){v->members[i].key, v->members[i].key_len});
			buffer_byte(to, ':');
			if (pretty)
				buffer_byte(to, ' ');
		}
		write_tree(to, is_object ? &v->members[i].value : &v->items[i], pretty, level + 1);
	}
	if (pretty && v->len)
		write_break(to, level);
	buffer_byte(to, is_object ? '}' : ']');
}

void json_write(struct buffer *to, const struct json *v) { write_tree(to, v, false, 0); }

void json_write_pretty(struct buffer *to, const struct json *v) { write_tree(to, v, true, 0); }

struct text json_source(struct arena *a, const struct json *v)
{
	struct buffer b = {.arena = a};

	json_write(&b, v);
	return buffer_text(&b);
}

static char newest(const struct json_out *o) { return o->to->len ? o->to->at[o->to->len - 1] : 0; }

static void separate(struct json_out *o)
{
	if (o->comma)
		buffer_byte(o->to, ',');
	o->comma = true;
}

void json_open(struct json_out *o, char bracket)
{
	separate(o);
	buffer_byte(o->to, bracket);
	o->comma = false;
}

void json_close(struct json_out *o, char bracket)
{
	assert(o->comma || newest(o) == (bracket == '}' ? '{' : '['));
	buffer_byte(o->to, bracket);
	o->comma = true;
}

void json_key_text(struct json_out *o, struct text key)
{
	assert(o->comma || newest(o) == '{');
	separate(o);
	write_string(o->to, key);
	buffer_byte(o->to, ':');
	o->comma = false;
}

void json_key(struct json_out *o, const char *key) { json_key_text(o, text_of(key)); }

void json_put_raw(struct json_out *o, struct text source)
{
	separate(o);
	buffer_add(o->to, source);
}

void json_put_text(struct json_out *o, struct text t)
{
	if (!t.at) {
		json_put_null(o);
		return;
	}
	separate(o);
	write_string(o->to, t);
}

void json_put_string(struct json_out *o, const char *s) { json_put_text(o, text_of(s)); }

void json_put_int(struct json_out *o, int64_t n)
{
	separate(o);
	write_int(o->to, n);
}

void json_put_number(struct json_out *o, double n)
{
	char digits[NUMBER_MAX];

	json_put_raw(o, (struct text){digits, number_write(digits, n)});
}

void json_put_bool(struct json_out *o, bool b) { json_put_raw(o, b ? TEXT("true") : TEXT("false")); }

void json_put_null(struct json_out *o) { json_put_raw(o, TEXT("null")); }

void json_put(struct json_out *o, const struct json *v)
{
	separate(o);
	write_tree(o->to, v, false, 0);
}
