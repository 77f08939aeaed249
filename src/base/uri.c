#include "base/uri.h"

#include "base/buffer.h"
#include "base/digest.h"

static bool stands_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '-' ||
	       c == '.' || c == '_' || c == '~';
}

struct text uri_of(struct arena *a, const char *prefix, struct text path)
{
	struct buffer uri = {.arena = a};

	buffer_put(&uri, prefix);
	for (size_t i = 0; i < path.len; i++) {
		if (stands_plain(path.at[i]))
			buffer_byte(&uri, path.at[i]);
		else
			buffer_format(&uri, "%%%02X", (unsigned char)path.at[i]);
	}
	return buffer_text(&uri);
}

struct text uri_decode(struct arena *a, struct text chars)
{
	char *out = arena_alloc(a, chars.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < chars.len; i++) {
		unsigned char byte = (unsigned char)chars.at[i];
		if (byte == '%') {
			if (!hex_decode(text_slice(chars, i + 1, i + 3), &byte, 1))
				return (struct text){0};
			i += 2;
		}
		out[n++] = (char)byte;
	}
	out[n] = 0;
	return (struct text){out, n};
}
