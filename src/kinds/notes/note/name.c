#include "kinds/notes/note/name.h"

#include "base/buffer.h"
#include "base/utf8.h"

#include <string.h>

struct text name_fold(struct arena *a, struct text t)
{
	struct text folded = utf8_fold(a, t.at ? t : TEXT(""));

	return folded;
}

struct text name_lower(struct arena *a, struct text t)
{
	enum { FINAL_SIGMA = 0x3c2, SIGMA = 0x3c3 };
	struct buffer b = {.arena = a};

	t = utf8_nfc(a, t);
	for (size_t i = 0; i < t.len;) {
		char bytes[4];
		uint32_t c = utf8_lower(utf8_next(t, &i));
		buffer_add(&b, (struct text){bytes, utf8_put(bytes, c == FINAL_SIGMA ? SIGMA : c)});
	}
	return buffer_text(&b);
}

struct text id_folder(struct text path)
{
	for (size_t i = path.len; i; i--)
		if (path.at[i - 1] == '/')
			return text_slice(path, 0, i - 1);
	return TEXT("");
}

struct text id_name(struct text path)
{
	struct text folder = id_folder(path);

	return folder.len || (path.len && path.at[0] == '/') ? text_slice(path, folder.len + 1, path.len) : path;
}

bool id_is_note(struct text path)
{
	char last = path.len ? (char)(path.at[path.len - 1] | 32) : 0;

	return (last == 'd' || last == 'n') && text_ends_in(path, NOTE_SUFFIXES);
}

uint32_t id_units(struct text path)
{
	uint32_t units = 0;

	for (size_t i = 0; i < path.len; i++) {
		unsigned char c = (unsigned char)path.at[i];
		units += (c & 0xc0) != 0x80;
		units += c >= 0xf0;
	}
	return units;
}

struct text id_bare(struct text path)
{
	if (text_ends_in(path, ".md"))
		return text_slice(path, 0, path.len - 3);
	return text_ends_in(path, ".markdown") ? text_slice(path, 0, path.len - 9) : path;
}

struct text id_join(struct arena *a, struct text folder, struct text path)
{
	struct buffer b = {.arena = a};

	buffer_add(&b, folder);
	while (path.len) {
		size_t slash = text_find(path, TEXT("/"), 0);
		struct text part = slash == SIZE_MAX ? path : text_slice(path, 0, slash);
		path = slash == SIZE_MAX ? TEXT("") : text_slice(path, slash + 1, path.len);
		if (!part.len || text_is(part, "."))
			continue;
		if (text_is(part, "..")) {
			if (!b.len)
				return (struct text){0};
			b.len = id_folder(buffer_text(&b)).len;
			continue;
		}
		if (b.len)
			buffer_byte(&b, '/');
		buffer_add(&b, part);
	}
	return buffer_text(&b);
}

struct text id_between(struct arena *a, struct text folder, struct text path)
{
	struct buffer b = {.arena = a};
	size_t same = 0;

	/* The folders that both paths share, whole components only. */
	for (size_t i = 0; i < folder.len + 1; i++) {
		bool ends = i == folder.len || folder.at[i] == '/';
		if (ends && i && i < path.len && path.at[i] == '/' && !memcmp(folder.at, path.at, i))
			same = i + 1;
	}
	struct text rest = text_slice(folder, same, folder.len);
	for (size_t i = 0; rest.len && i <= rest.len; i++)
		if (i == rest.len || rest.at[i] == '/')
			buffer_put(&b, "../");
	buffer_add(&b, text_slice(path, same, path.len));
	return buffer_text(&b);
}

struct text id_extension(struct text path)
{
	struct text name = id_name(path);
	size_t dot = name.len;
	bool has_letter = false;

	while (dot && name.at[dot - 1] != '.')
		dot--;
	struct text extension = text_slice(name, dot, name.len);
	if (!dot || dot == 1 || !extension.len || extension.len > 4)
		return text_ends_in(path, ".markdown") ? TEXT("markdown") : (struct text){0};
	for (size_t i = 0; i < extension.len; i++) {
		char c = extension.at[i];
		bool is_letter = (c | 32) >= 'a' && (c | 32) <= 'z';
		if (!is_letter && !(c >= '0' && c <= '9'))
			return (struct text){0};
		has_letter |= is_letter;
	}
	return has_letter ? extension : (struct text){0};
}

/* A file's name keeps a final sigma, so this is not name_lower(). */
static struct text lowered(struct arena *a, struct text t)
{
	struct buffer b = {.arena = a};

	for (size_t i = 0; i < t.len;) {
		char bytes[4];
		uint32_t c = utf8_lower(utf8_next(t, &i));
		buffer_add(&b, (struct text){bytes, utf8_put(bytes, c)});
	}
	return buffer_text(&b);
}

static bool is_dropped(uint32_t c)
{
	return c < ' ' || c == 0x7f || (c >= 0x80 && c < 0xa0) || (c < 0x80 && strchr("*\"<>|?:\\/[]#^", (int)c));
}

static bool is_white(uint32_t c)
{
	return c == ' ' || (c >= 9 && c <= 13) || c == 0xa0 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
	       c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

static struct text file_name(struct arena *a, struct text t, char blank)
{
	enum { NAME_MAX_BARE = 252 }; /* NAME_MAX less ".md" */
	struct buffer b = {.arena = a};

	for (size_t i = 0; i < t.len;) {
		char bytes[4];
		uint32_t c = utf8_next(t, &i);
		if (is_white(c))
			c = (unsigned char)blank;
		if (is_dropped(c) || (c == (unsigned char)blank && b.len && b.at[b.len - 1] == blank))
			continue;
		buffer_add(&b, (struct text){bytes, utf8_put(bytes, c)});
	}
	struct text slug = buffer_text(&b);
	slug = text_slice(slug, 0, utf8_cut(slug, NAME_MAX_BARE));
	while (slug.len && strchr("-. ", slug.at[0]))
		slug = text_slice(slug, 1, slug.len);
	while (slug.len && strchr("-. ", slug.at[slug.len - 1]))
		slug.len--;
	return slug.len ? text_copy(a, slug) : TEXT("untitled");
}

struct text slug_of(struct arena *a, struct text title) { return file_name(a, lowered(a, utf8_nfc(a, title)), '-'); }

struct text name_of(struct arena *a, struct text title) { return file_name(a, utf8_nfc(a, title), ' '); }

/* A slug shows its hyphens as blanks. A name that a person typed, or one that begins with a date, is its own title. */
struct text title_of(struct arena *a, struct text path)
{
	struct text name = text_copy(a, id_bare(id_name(path)));
	bool begins_digit = name.len && name.at[0] >= '0' && name.at[0] <= '9';

	if (begins_digit || !memchr(name.at, '-', name.len) || !text_same(slug_of(a, name), name))
		return name;
	for (size_t i = 0; i < name.len; i++)
		if (name.at[i] == '-')
			((char *)name.at)[i] = ' ';
	return name;
}

struct text content_cut(struct arena *a, struct text t, size_t most)
{
	enum { MARK = sizeof CONTENT_MARK - 1, JOINER = 0x200d };
	size_t at = 0, count = 0, cut = 0;

	if (t.len <= most)
		return t;
	/* Find the last place to cut that leaves room for the mark and does not split a character from its combining
	 * marks. */
	for (bool joined = false; at < t.len && count <= most; count++) {
		size_t here = at;
		uint32_t c = utf8_next(t, &at);
		if (count <= most - MARK && !joined && !utf8_joins(c))
			cut = here;
		joined = c == JOINER;
	}
	if (count <= most)
		return t;
	return text_format(a, "%.*s" CONTENT_MARK, (int)cut, t.at);
}

size_t content_at(struct text t, size_t number)
{
	size_t at = 0;

	while (number-- && at < t.len)
		utf8_next(t, &at);
	return at;
}
