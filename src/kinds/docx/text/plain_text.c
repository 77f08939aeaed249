/* The visible text of a plain paragraph.
 *
 * Most paragraphs contain only runs of text: no fields, no deletions, no hidden runs. The pass over the part finds
 * these plain paragraphs. Their text is the content of their w:t, byte by byte, so it can be collected without a table
 * of nodes. docx_fuzz compares it with the result of atoms.c. */
#include "kinds/docx/text/atoms.h"

#include <string.h>

struct text plain_text(struct arena *a, struct text fragment, const struct names *names)
{
	struct buffer out = {.arena = a};
	const char *at = fragment.at, *end = fragment.at + fragment.len;
	size_t n = names->w.len;

	/* An attribute's value never contains `<`, so each one begins a tag. */
	while ((at = memchr(at, '<', (size_t)(end - at)))) {
		at++;
		if ((size_t)(end - at) < n + 3 || at[n + 1] != 't' || at[n] != ':' || memcmp(at, names->w.at, n) != 0 ||
		    !strchr("> \t\r\n/", at[n + 2]))
			continue;
		const char *open = memchr(at, '>', (size_t)(end - at));
		if (open[-1] == '/')
			continue;
		at = memchr(open, '<', (size_t)(end - open));
		buffer_add(&out, (struct text){open + 1, (size_t)(at - open) - 1});
	}
	return buffer_text(&out);
}
