#include "tool/doc.h"

#include "base/utf8.h"

#include <string.h>

void doc_cell(struct buffer *to, const char *prose)
{
	for (const char *p = prose ? prose : ""; *p; p++)
		if (*p == '\n')
			buffer_byte(to, ' ');
		else if (*p == '|')
			buffer_put(to, "\\|");
		else
			buffer_byte(to, *p);
}

static void wrap_line(struct buffer *to, struct text line, size_t indent)
{
	size_t column = 0;

	for (size_t at = 0; at < line.len;) {
		size_t end = at;
		while (end < line.len && line.at[end] != ' ')
			end++;
		struct text word = text_slice(line, at, end);
		size_t width = utf8_count(word);
		at = end + 1;
		if (!word.len)
			continue;
		if (column && column + 1 + width > DOC_COLUMNS) {
			buffer_byte(to, '\n');
			column = 0;
		}
		if (!column) {
			buffer_fill(to, ' ', indent);
			column = indent + width;
		} else {
			buffer_byte(to, ' ');
			column += 1 + width;
		}
		buffer_add(to, word);
	}
	buffer_byte(to, '\n');
}

void doc_wrap(struct buffer *to, const char *prose, size_t indent)
{
	for (const char *p = prose ? prose : ""; *p;) {
		const char *end = strchr(p, '\n');
		struct text line = {p, end ? (size_t)(end - p) : strlen(p)};
		wrap_line(to, line, indent);
		p += line.len + (end ? 1 : 0);
	}
}
