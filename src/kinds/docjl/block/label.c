#include "kinds/docjl/block/label.h"

#include "base/ascii.h"
#include "base/buffer.h"
#include "base/utf8.h"

#include <string.h>

struct text label_id(struct text label)
{
	size_t colon = text_find(label, TEXT(":"), 0);

	return colon == SIZE_MAX ? (struct text){0} : text_slice(label, colon + 1, label.len);
}

struct text storable(struct arena *a, struct text t)
{
	struct buffer b = {.arena = a};

	if (!t.len || !memchr(t.at, 0, t.len))
		return t;
	for (size_t i = 0; i < t.len; i++)
		buffer_put(&b, t.at[i] ? (char[]){t.at[i], 0} : "\xef\xbf\xbd");
	return buffer_text(&b);
}

/* Numbers have no leading zeros. With zeros, a computed label would differ from the given one. */
static bool parse_number(struct text t, int64_t *out)
{
	int64_t n = 0;

	if (!t.len || t.len > 9 || (t.at[0] == '0' && t.len > 1))
		return false;
	for (size_t i = 0; i < t.len; i++) {
		if (!is_digit((unsigned char)t.at[i]))
			return false;
		n = n * 10 + (t.at[i] - '0');
	}
	*out = n;
	return true;
}

static void parse_numbers(struct label *l)
{
	size_t from = 0, last = SIZE_MAX;

	while (true) {
		size_t dot = text_find(l->id, TEXT("."), from);
		if (!parse_number(text_slice(l->id, from, dot == SIZE_MAX ? l->id.len : dot), &l->number))
			return;
		if (dot == SIZE_MAX)
			break;
		last = dot;
		from = dot + 1;
	}
	l->is_numeric = true;
	l->is_dotted = last != SIZE_MAX;
	if (l->is_dotted)
		l->stem = text_slice(l->id, 0, last);
}

bool label_parse(struct text t, struct label *out)
{
	size_t colon = t.at ? text_find(t, TEXT(":"), 0) : SIZE_MAX;

	*out = (struct label){0};
	if (colon == SIZE_MAX || !colon || colon + 1 == t.len || t.len > LABEL_MAX || utf8_bad(t) < t.len)
		return false;
	for (size_t i = 0; i < colon; i++) {
		unsigned char c = (unsigned char)t.at[i];
		if (!is_letter(c) && (!i || (!is_digit(c) && c != '_')))
			return false;
	}
	for (size_t i = colon + 1; i < t.len;) {
		unsigned char c = (unsigned char)t.at[i];
		if (c >= 0x80) {
			if (!utf8_is_word(utf8_next(t, &i)))
				return false;
			continue;
		}
		if (!is_letter(c) && !is_digit(c) && c != '.' && c != '_' && c != '-' && c != ':')
			return false;
		i++;
	}
	out->prefix = text_slice(t, 0, colon);
	out->id = text_slice(t, colon + 1, t.len);
	parse_numbers(out);
	return true;
}
