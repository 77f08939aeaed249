#include "kinds/docx/package/encoding.h"

#include "base/buffer.h"
#include "base/utf8.h"

#include <string.h>

bool encoding_is_utf16(struct text bytes)
{
	return bytes.len >= 2 && (!memcmp(bytes.at, "\xFE\xFF", 2) || !memcmp(bytes.at, "\xFF\xFE", 2) ||
				  !memcmp(bytes.at, "<\0", 2) || !memcmp(bytes.at, "\0<", 2));
}

static uint32_t unit(struct text bytes, size_t at, bool is_big)
{
	uint32_t one = (unsigned char)bytes.at[at], two = (unsigned char)bytes.at[at + 1];

	return is_big ? one << 8 | two : two << 8 | one;
}

/* Changes the XML declaration to match the new encoding. */
static struct text redeclared(struct arena *a, struct text t)
{
	size_t end = text_starts(t, "<?xml") ? text_find(t, TEXT("?>"), 0) : SIZE_MAX;
	size_t at = end == SIZE_MAX ? end : text_find(text_slice(t, 0, end), TEXT("UTF-16"), 0);

	if (at == SIZE_MAX && end != SIZE_MAX)
		at = text_find(text_slice(t, 0, end), TEXT("utf-16"), 0);
	if (at == SIZE_MAX)
		return t;
	struct buffer b = {.arena = a};
	buffer_add(&b, text_slice(t, 0, at));
	buffer_put(&b, "UTF-8");
	buffer_add(&b, text_slice(t, at + 6, t.len));
	return buffer_text(&b);
}

struct text encoding_from_utf16(struct arena *a, struct text bytes)
{
	bool is_big = bytes.at[0] == '\xFE' || !bytes.at[0];
	bool is_marked = bytes.at[0] == '\xFE' || bytes.at[0] == '\xFF';
	struct buffer b = {.arena = a};

	if (bytes.len % 2)
		return (struct text){0};
	for (size_t i = is_marked ? 2 : 0; i < bytes.len; i += 2) {
		uint32_t c = unit(bytes, i, is_big);
		if (c >= 0xD800 && c < 0xDC00 && i + 3 < bytes.len) {
			uint32_t low = unit(bytes, i + 2, is_big);
			if (low < 0xDC00 || low > 0xDFFF)
				return (struct text){0};
			c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
			i += 2;
		} else if (c >= 0xD800 && c <= 0xDFFF) {
			return (struct text){0};
		}
		char *to = buffer_room(&b, 4);
		b.len += utf8_put(to, c);
	}
	return redeclared(a, buffer_text(&b));
}
