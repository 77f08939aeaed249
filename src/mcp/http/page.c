#include "mcp/http/page.h"

#include "format/deflate.h"

#include <stdlib.h>
#include <string.h>

/* page.S */
extern const char quire_page[], quire_page_end[];

/* The page's own addresses; one that ends in a slash is a prefix. web/router.js has the same. */
static const char *const addresses[] = {"/d/", "/kind/", "/server", "/help", NULL};

/* What a page may do: nothing but load its own files and talk to its own server. Pictures may be data: they come as
 * results of tools. */
const char *const page_headers[][2] = {
	{"Content-Security-Policy",
	 "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
	 "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
	 "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Vary", "Accept-Encoding"},
	{NULL, NULL},
};

bool page_is_here(void) { return &quire_page_end[0] > &quire_page[0]; }

/* Takes the text up to a blank or the end of the line. */
static struct text word_next(const char **at)
{
	size_t len = strcspn(*at, " \n");
	struct text word = {*at, len};

	*at += len + ((*at)[len] == ' ');
	return word;
}

static bool file_find(struct text path, struct page_file *out)
{
	struct page_file file;
	const char *files = page_is_here() ? strstr(quire_page, "\n\n") : NULL;

	for (const char *at = quire_page; files && at < files; at = strchr(at, '\n') + 1) {
		file.path = word_next(&at);
		file.tag = word_next(&at);
		size_t from = strtoul(word_next(&at).at, NULL, 10), len = strtoul(word_next(&at).at, NULL, 10);
		file.lasts = text_is(word_next(&at), "lasts");
		file.type = (struct text){at, strcspn(at, "\n")};
		file.bytes = (struct text){files + 2 + from, len};
		if (!text_same(file.path, path))
			continue;
		*out = file;
		return true;
	}
	return false;
}

bool page_find(struct text path, struct page_file *out)
{
	path = text_slice(path, 0, text_find(path, TEXT("?"), 0));
	bool is_own = text_is(path, "/");

	for (const char *const *a = addresses; *a; a++)
		is_own |= (*a)[strlen(*a) - 1] == '/' ? text_starts(path, *a) && path.len > strlen(*a)
						      : text_is(path, *a);
	return is_own ? file_find(TEXT("/"), out) : file_find(path, out);
}

struct text page_unpack(struct arena *a, const struct page_file *file)
{
	enum { HEAD = 10, TAIL = 8 }; /* of a gzip file without a name */
	const unsigned char *size = (const unsigned char *)file->bytes.at + file->bytes.len - 4;
	size_t len = size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;
	char *to = arena_array(a, len + 1, 1);

	deflate_unpack(text_slice(file->bytes, HEAD, file->bytes.len - TAIL), to, len, &len);
	return (struct text){to, len};
}

bool page_missing(struct page_file *out) { return file_find(TEXT("/"), out); }
