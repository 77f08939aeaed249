#include "format/json.h"

#include "base/utf8.h"
#include "format/json_index.h"

#include <string.h>

/* Values of open containers are on a stack and move to the arena when their container closes, so every container is one
 * block of exactly its size. */
struct reader {
	struct arena *arena;
	const char *text, *at, *end;
	struct json_error *err;
	struct buffer stack;
	unsigned depth, depth_max;
};

static bool value(struct reader *r, struct json *v);

static bool refuse(struct reader *r, const char *at, const char *message)
{
	if (!r->err)
		return false;
	*r->err = (struct json_error){message, (uint32_t)(at - r->text), 1, 1};
	for (const char *p = r->text; p < at; p++) {
		r->err->column++;
		if (*p == '\n')
			r->err->line++, r->err->column = 1;
	}
	return false;
}

static inline void skip_blanks(struct reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
		r->at++;
}

static void *push(struct reader *r, size_t size)
{
	char *p = r->stack.cap - r->stack.len > size ? r->stack.at + r->stack.len : buffer_room(&r->stack, size);

	r->stack.len += size;
	return p;
}

/* True when one of the eight bytes is a quote, a backslash, a control byte or not ASCII. */
static inline bool has_special(const char *p)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
	uint64_t w;

	memcpy(&w, p, 8);
	uint64_t quote = w ^ (ones * '"'), backslash = w ^ (ones * '\\');
	return ((w | (w - ones * 0x20) | (quote - ones) | (backslash - ones)) & high) != 0;
}

/* Finds the first quote or backslash from p on and checks everything before it; NULL: refused. */
static const char *plain_run(struct reader *r, const char *p, const char *opened)
{
	for (;;) {
		while (r->end - p >= 8 && !has_special(p))
			p += 8;
		if (p == r->end)
			return refuse(r, opened, "the string is not closed"), NULL;
		unsigned char c = (unsigned char)*p;
		if (c == '"' || c == '\\')
			return p;
		if (c < 0x20)
			return refuse(r, p, "a control character in a string must be written as an escape"), NULL;
		int n = c < 0x80 ? 1 : utf8_len(p, r->end);
		if (!n)
			return refuse(r, p, "the string is not valid UTF-8"), NULL;
		p += n;
	}
}

static int hex4(const char *p, const char *end)
{
	int v = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int c = (unsigned char)p[i], low = c | 32;
		int digit = c >= '0' && c <= '9' ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
		if (digit < 0)
			return -1;
		v = v << 4 | digit;
	}
	return v;
}

/* Decodes the escape whose backslash is at p; NULL: refused. */
static const char *escape(struct reader *r, const char *p, char **out)
{
	static const char plain[128] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['n'] = '\n',
					['t'] = '\t', ['r'] = '\r',  ['b'] = '\b', ['f'] = '\f'};
	unsigned char c = r->end - p > 1 ? (unsigned char)p[1] : 0;

	if (c < 128 && plain[c]) {
		*(*out)++ = plain[c];
		return p + 2;
	}
	if (c != 'u')
		return refuse(r, p, "unknown escape in a string"), NULL;
	int u = hex4(p + 2, r->end);
	if (u < 0)
		return refuse(r, p, "\\u needs four hexadecimal digits"), NULL;
	if (u >= 0xD800 && u < 0xE000) {
		int low = r->end - p >= 12 && p[6] == '\\' && p[7] == 'u' ? hex4(p + 8, r->end) : -1;
		if (u >= 0xDC00 || low < 0xDC00 || low > 0xDFFF)
			return refuse(r, p, "half a surrogate pair in a string"), NULL;
		u = 0x10000 + ((u - 0xD800) << 10) + (low - 0xDC00);
		p += 6;
	}
	*out += utf8_put(*out, (uint32_t)u);
	return p + 6;
}

static bool string(struct reader *r, const char **out, uint32_t *out_len)
{
	const char *opened = r->at, *start = opened + 1, *p = plain_run(r, start, opened);

	if (!p)
		return false;
	if (*p == '"') {
		*out_len = (uint32_t)(p - start);
		*out = text_string(r->arena, (struct text){start, *out_len});
		r->at = p + 1;
		return true;
	}
	/* Decoding never makes text longer, so the distance to the closing quote bounds the copy. */
	const char *close = p;
	while (close < r->end && *close != '"')
		close += *close == '\\' && r->end - close > 1 ? 2 : 1;
	char *copy = arena_alloc(r->arena, (size_t)(close - start) + 1), *w = copy + (p - start);
	memcpy(copy, start, (size_t)(p - start));
	while (*p == '\\') {
		const char *from = escape(r, p, &w);
		p = from ? plain_run(r, from, opened) : NULL;
		if (!p)
			return false;
		memcpy(w, from, (size_t)(p - from));
		w += p - from;
	}
	*w = 0;
	*out = copy;
	*out_len = (uint32_t)(w - copy);
	r->at = p + 1;
	return true;
}

static inline bool is_digit(const struct reader *r, const char *p) { return p < r->end && *p >= '0' && *p <= '9'; }

static const char *digits(const struct reader *r, const char *p)
{
	while (is_digit(r, p))
		p++;
	return p;
}

static bool number(struct reader *r, struct json *v)
{
	const char *start = r->at, *first = start + (*start == '-'), *p = first;
	bool negative = first > start, is_real = false;
	uint64_t n = 0;

	if (!is_digit(r, p))
		return refuse(r, start, negative ? "a digit must follow the minus sign" : "expected a value");
	for (; is_digit(r, p); p++)
		n = n * 10 + (uint64_t)(*p - '0');
	if (*first == '0' && p - first > 1)
		return refuse(r, start, "a number must not begin with a zero");
	bool fits = p - first < 19 || (p - first == 19 && n <= (uint64_t)INT64_MAX + negative);
	if (p < r->end && *p == '.') {
		is_real = true;
		if (!is_digit(r, ++p))
			return refuse(r, p, "a digit must follow the decimal point");
		p = digits(r, p);
	}
	if (p < r->end && (*p == 'e' || *p == 'E')) {
		is_real = true;
		if (++p < r->end && (*p == '+' || *p == '-'))
			p++;
		if (!is_digit(r, p))
			return refuse(r, p, "a digit must follow the exponent");
		p = digits(r, p);
	}
	r->at = p;
	if (is_real || !fits || (negative && !n)) {
		v->type = JSON_REAL;
		v->len = (uint32_t)(p - start);
		v->string = text_string(r->arena, (struct text){start, v->len});
		return true;
	}
	v->type = JSON_INT;
	v->integer = (int64_t)(negative ? 0 - n : n);
	return true;
}

static bool close_array(struct reader *r, struct json *v, size_t mark)
{
	size_t bytes = r->stack.len - mark;

	v->len = (uint32_t)(bytes / sizeof(struct json));
	v->items = arena_copy(r->arena, bytes ? r->stack.at + mark : "", bytes); /* the stack may not exist yet */
	r->stack.len = mark;
	return true;
}

static bool close_object(struct reader *r, struct json *v, size_t mark)
{
	size_t bytes = r->stack.len - mark;
	uint32_t n = (uint32_t)(bytes / sizeof(struct json_member));

	json_members_new(r->arena, v, n, n);
	struct json_member *members = v->members;
	v->len = n;
	if (bytes)
		memcpy(members, r->stack.at + mark, bytes);
	r->stack.len = mark;
	if (v->indexed) {
		for (uint32_t i = 0; i < n; i++) {
			members[i].hash = json_key_hash((struct text){members[i].key, members[i].key_len});
			if (!json_index_add(v, i))
				return refuse(r, r->text + members[i].value.pos, "the object has this key twice");
		}
		return true;
	}
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t j = 0; j < i; j++)
			if (members[j].key_len == members[i].key_len &&
			    !memcmp(members[j].key, members[i].key, members[i].key_len))
				return refuse(r, r->text + members[i].value.pos, "the object has this key twice");
	return true;
}

static bool key(struct reader *r, struct json_member *m)
{
	if (r->at == r->end || *r->at != '"')
		return refuse(r, r->at, "expected a key in double quotes");
	if (!string(r, &m->key, &m->key_len))
		return false;
	skip_blanks(r);
	if (r->at == r->end || *r->at != ':')
		return refuse(r, r->at, "expected ':' after the key");
	r->at++;
	skip_blanks(r);
	return true;
}

static bool container(struct reader *r, struct json *v)
{
	bool is_object = *r->at == '{';
	const char *opened = r->at, close = is_object ? '}' : ']';
	size_t mark = r->stack.len;

	if (++r->depth > r->depth_max)
		return refuse(r, r->at, "nested too deeply");
	v->type = is_object ? JSON_OBJECT : JSON_ARRAY;
	r->at++;
	skip_blanks(r);
	bool is_empty = r->at < r->end && *r->at == close;
	while (!is_empty) {
		struct json_member m = {0};
		if ((is_object && !key(r, &m)) || !value(r, &m.value))
			return false;
		if (is_object)
			*(struct json_member *)push(r, sizeof m) = m;
		else
			*(struct json *)push(r, sizeof m.value) = m.value;
		skip_blanks(r);
		if (r->at == r->end)
			return refuse(r, opened, is_object ? "the object is not closed" : "the array is not closed");
		if (*r->at == close)
			break;
		if (*r->at != ',')
			return refuse(r, r->at, is_object ? "expected ',' or '}'" : "expected ',' or ']'");
		r->at++;
		skip_blanks(r);
	}
	r->at++;
	r->depth--;
	return is_object ? close_object(r, v, mark) : close_array(r, v, mark);
}

static bool literal(struct reader *r, const char *word, size_t n)
{
	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n))
		return refuse(r, r->at, "expected a value");
	r->at += n;
	return true;
}

static bool typed_value(struct reader *r, struct json *v)
{
	switch (*r->at) {
	case '{':
	case '[': return container(r, v);
	case '"': v->type = JSON_STRING; return string(r, &v->string, &v->len);
	case 't':
		v->type = JSON_BOOL;
		v->boolean = true;
		return literal(r, "true", 4);
	case 'f': v->type = JSON_BOOL; return literal(r, "false", 5);
	case 'n': v->type = JSON_NULL; return literal(r, "null", 4);
	default: return number(r, v);
	}
}

static bool value(struct reader *r, struct json *v)
{
	if (r->at == r->end)
		return refuse(r, r->at, "expected a value");
	v->pos = (uint32_t)(r->at - r->text);
	if (!typed_value(r, v))
		return false;
	v->end = (uint32_t)(r->at - r->text);
	return true;
}

static bool document(struct reader *r, struct json *v)
{
	size_t len = (size_t)(r->end - r->text);

	if (len > UINT32_MAX)
		return refuse(r, r->text, "the document is over 4 GB");
	if (len >= 3 && !memcmp(r->text, "\xEF\xBB\xBF", 3))
		return refuse(r, r->text, "the document begins with a byte order mark; write it without");
	skip_blanks(r);
	if (!value(r, v))
		return false;
	skip_blanks(r);
	return r->at == r->end || refuse(r, r->at, "text after the end of the document");
}

struct json *json_parse(struct arena *a, struct text source, unsigned depth_max, struct json_error *err)
{
	const char *at = source.at ? source.at : "";
	struct reader r = {
		.arena = a, .text = at, .at = at, .end = at + source.len, .err = err, .depth_max = depth_max};
	struct json *v = arena_new(a, struct json);

	if (err)
		*err = (struct json_error){0};
	bool ok = document(&r, v);
	buffer_free(&r.stack);
	return ok ? v : NULL;
}

const struct json *json_get_text(const struct json *object, struct text name)
{
	if (!json_is(object, JSON_OBJECT))
		return NULL;
	uint32_t i = json_member_of(object, name);
	return i < object->len ? &object->members[i].value : NULL;
}

const struct json *json_get(const struct json *object, const char *name)
{
	return json_get_text(object, text_of(name));
}

/* Is this the key that a JSON pointer's token names? In a token ~1 is a slash and ~0 a tilde. */
static bool is_token_of(struct text token, struct text name)
{
	size_t n = 0;

	for (size_t i = 0; i < token.len; i++, n++) {
		char c = token.at[i];
		if (c == '~') {
			if (++i == token.len || (token.at[i] != '0' && token.at[i] != '1'))
				return false;
			c = token.at[i] == '0' ? '~' : '/';
		}
		if (n >= name.len || name.at[n] != c)
			return false;
	}
	return n == name.len;
}

static const struct json *item_of(const struct json *array, struct text token)
{
	uint64_t i = 0;

	if (!token.len || token.len > 10 || (token.len > 1 && *token.at == '0'))
		return NULL;
	for (size_t k = 0; k < token.len; k++) {
		if (token.at[k] < '0' || token.at[k] > '9')
			return NULL;
		i = i * 10 + (uint64_t)(token.at[k] - '0');
	}
	return i < array->len ? &array->items[i] : NULL;
}

static const struct json *member_of_token(const struct json *object, struct text token)
{
	if (text_find(token, TEXT("~"), 0) == SIZE_MAX)
		return json_get_text(object, token);
	for (uint32_t i = 0; i < object->len; i++)
		if (is_token_of(token, (struct text){object->members[i].key, object->members[i].key_len}))
			return &object->members[i].value;
	return NULL;
}

const struct json *json_pointer(const struct json *v, struct text pointer)
{
	while (v && pointer.len) {
		if (*pointer.at != '/')
			return NULL;
		size_t next = text_find(pointer, TEXT("/"), 1);
		struct text token = text_slice(pointer, 1, next);
		pointer = text_slice(pointer, next, SIZE_MAX);
		v = v->type == JSON_OBJECT  ? member_of_token(v, token)
		    : v->type == JSON_ARRAY ? item_of(v, token)
					    : NULL;
	}
	return v;
}

struct text json_text(const struct json *v)
{
	return json_is(v, JSON_STRING) ? (struct text){v->string, v->len} : (struct text){0};
}

bool json_is(const struct json *v, enum json_type type) { return v && v->type == type; }

const char *json_type_name(const struct json *v)
{
	static const char *const names[] = {
		[JSON_NULL] = "null",     [JSON_BOOL] = "boolean", [JSON_INT] = "integer",   [JSON_REAL] = "number",
		[JSON_STRING] = "string", [JSON_ARRAY] = "array",  [JSON_OBJECT] = "object",
	};
	return v ? names[v->type] : "nothing";
}
