#include "kinds/hnpx/prose/loose.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/utf8.h"

enum { FORM_MAX = 128 }; /* bytes of the loose form of one character; some ligatures stand for a phrase */

/* Letters with a stroke that Unicode decomposition does not separate, and the forms of quotes. */
static const struct {
	uint32_t from;
	char to;
} alike[] = {
	{0x2018, '\''}, {0x2019, '\''}, {0x201a, '\''}, {0x201b, '\''}, {0x2032, '\''}, {0x2039, '\''}, {0x203a, '\''},
	{0x02bc, '\''}, {0x02b9, '\''}, {0xff07, '\''}, {0x00b4, '\''}, {'`', '\''},    {0x201c, '"'},  {0x201d, '"'},
	{0x201e, '"'},  {0x201f, '"'},  {0x2033, '"'},  {0x00ab, '"'},  {0x00bb, '"'},  {0xff02, '"'},  {0x00f8, 'o'},
	{0x00d8, 'o'},  {0x0142, 'l'},  {0x0141, 'l'},  {0x0111, 'd'},  {0x0110, 'd'},  {0x0131, 'i'},
};

/* The loose form of the character at the offset. Advances the offset. */
static size_t form_of(struct text t, size_t *at, char *to)
{
	size_t from = *at;
	uint32_t c = utf8_next(t, at);

	if (c < 0x80 && c != '`') {
		*to = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
		return 1;
	}
	for (size_t i = 0; i < ARRAY_COUNT(alike); i++)
		if (alike[i].from == c) {
			*to = alike[i].to;
			return 1;
		}
	return utf8_loose(text_slice(t, from, *at), to, FORM_MAX);
}

struct text loose_text(struct arena *a, struct text t)
{
	struct buffer out = {.arena = a};
	char form[FORM_MAX];

	for (size_t at = 0; at < t.len;) {
		size_t end = at;
		while (end < t.len && (unsigned char)t.at[end] < 0x80 && t.at[end] != '`')
			end++;
		char *room = buffer_room(&out, end - at);
		for (size_t i = at; i < end; i++)
			room[i - at] = (char)(t.at[i] >= 'A' && t.at[i] <= 'Z' ? t.at[i] | 32 : t.at[i]);
		out.len += end - at;
		at = end;
		if (at < t.len)
			buffer_add(&out, (struct text){form, form_of(t, &at, form)});
	}
	return buffer_text(&out);
}

size_t loose_source(struct text t, size_t at)
{
	char form[FORM_MAX];
	size_t passed = 0, here = 0;

	for (size_t next = 0; next < t.len; here = next) {
		passed += form_of(t, &next, form);
		if (passed > at)
			break;
	}
	return here;
}
