/* ignored.c: which notes the user leaves out of the graph, or out of search.
 *
 * `.quireignore` at the root has one pattern per line. A name without a slash matches at any depth, one with a slash
 * from the root. A folder also matches everything below it. Each entry of Obsidian's excluded files (userIgnoreFilters
 * in .obsidian/app.json) is the start of a path, or a regular expression between slashes that is searched in the
 * path. */
#include "base/pattern.h"
#include "format/json.h"
#include "kinds/notes/vault/vault.h"

#include <stdlib.h>
#include <string.h>

#define IGNORE_FILE ".quireignore"
#define OBSIDIAN_FILE ".obsidian/app.json"

static void add_glob(struct ignored *i, struct text pattern)
{
	struct arena *a = &i->arena;

	pattern = text_trim(pattern);
	if (pattern.len && pattern.at[pattern.len - 1] == '/')
		pattern.len--;
	if (!pattern.len)
		return;
	bool from_root = memchr(pattern.at, '/', pattern.len);
	if (pattern.at[0] == '/')
		pattern = text_slice(pattern, 1, pattern.len);
	*ARRAY_PUSH(a, &i->globs) = text_copy(a, pattern);
	*ARRAY_PUSH(a, &i->globs) = text_format(a, "%.*s/**", TEXT_ARGS(pattern));
	if (from_root)
		return;
	*ARRAY_PUSH(a, &i->globs) = text_format(a, "**/%.*s", TEXT_ARGS(pattern));
	*ARRAY_PUSH(a, &i->globs) = text_format(a, "**/%.*s/**", TEXT_ARGS(pattern));
}

static void take_lines(struct ignored *i, struct text bytes)
{
	while (bytes.len) {
		size_t newline = text_find(bytes, TEXT("\n"), 0);
		struct text line = text_trim(newline == SIZE_MAX ? bytes : text_slice(bytes, 0, newline));
		bytes = newline == SIZE_MAX ? TEXT("") : text_slice(bytes, newline + 1, bytes.len);
		if (line.len && line.at[0] != '#')
			add_glob(i, line);
	}
}

/* The pattern outlives the call, so it is allocated in the arena of the rules. */
static void add_pattern(struct call *c, struct ignored *i, struct text source)
{
	struct arena *of_call = c->arena;

	c->arena = &i->arena;
	struct pattern *p = pattern_new(c, source, true);
	if (p)
		*ARRAY_PUSH(&i->arena, &i->patterns) = p;
	else
		*ARRAY_PUSH(&i->arena, &i->faults) = text_copy(&i->arena, text_of(error_sentence(c->arena, &c->error)));
	c->arena = of_call;
	c->error = (struct error){0};
}

static void take_filters(struct call *c, struct ignored *i, struct text bytes)
{
	const struct json *app = json_parse(c->arena, bytes, JSON_DEPTH_MAX, NULL);
	const struct json *list = json_is(app, JSON_OBJECT) ? json_get(app, "userIgnoreFilters") : NULL;

	for (uint32_t k = 0; json_is(list, JSON_ARRAY) && k < list->len; k++) {
		struct text filter = json_text(&list->items[k]);
		if (filter.len > 2 && filter.at[0] == '/' && filter.at[filter.len - 1] == '/')
			add_pattern(c, i, text_slice(filter, 1, filter.len - 1));
		else if (filter.len)
			*ARRAY_PUSH(&i->arena, &i->excluded) = text_format(&i->arena, "%.*s**", TEXT_ARGS(filter));
	}
}

static const char *stamp_now(struct call *c, struct text *one, struct text *two)
{
	*one = *two = (struct text){0};
	c->own_names = true;
	if (!work_stamp(c, TEXT(IGNORE_FILE), one) || !work_stamp(c, TEXT(OBSIDIAN_FILE), two))
		c->error = (struct error){0};
	c->own_names = false;
	return text_format(c->arena, "%.*s %.*s", TEXT_ARGS(*one), TEXT_ARGS(*two)).at;
}

static bool is_as_known(const struct ignored *i, const char *stamp)
{
	return i->stamp ? !strcmp(i->stamp, stamp) : !strcmp(stamp, " ");
}

bool ignored_is_stale(struct call *c, const struct ignored *i)
{
	struct text one, two;

	return !is_as_known(i, stamp_now(c, &one, &two));
}

static void look_again(struct call *c, struct ignored *i)
{
	struct text one, two;
	const char *stamp = stamp_now(c, &one, &two);

	if (is_as_known(i, stamp))
		return;
	free(i->stamp);
	i->stamp = budget_text(stamp, strlen(stamp));
	arena_free(&i->arena);
	memset(&i->globs, 0, sizeof i->globs);
	memset(&i->excluded, 0, sizeof i->excluded);
	memset(&i->patterns, 0, sizeof i->patterns);
	memset(&i->faults, 0, sizeof i->faults);
	struct file_content file;
	c->own_names = true;
	if (one.at && work_read(c, TEXT(IGNORE_FILE), c->arena, &file))
		take_lines(i, file.bytes);
	if (two.at && work_read(c, TEXT(OBSIDIAN_FILE), c->arena, &file))
		take_filters(c, i, file.bytes);
	c->own_names = false;
	c->error = (struct error){0};
}

void ignored_renew(struct call *c, struct ignored *i)
{
	look_again(c, i);
	for (size_t k = 0; k < i->patterns.n; k++)
		if (i->patterns.items[k])
			pattern_renew(i->patterns.items[k]);
}

/* A pattern that needs too many steps on a path is dropped, so that it does not exclude some paths and miss others. */
static bool pattern_fits(struct call *c, struct ignored *i, size_t k, struct text path)
{
	size_t from, to;
	int found = i->patterns.items[k] ? pattern_find(c, i->patterns.items[k], path, 0, &from, &to) : 0;

	if (found >= 0)
		return found;
	*ARRAY_PUSH(&i->arena, &i->faults) = text_copy(&i->arena, text_of(error_sentence(c->arena, &c->error)));
	i->patterns.items[k] = NULL;
	c->error = (struct error){0};
	return false;
}

bool is_ignored(struct call *c, struct ignored *i, struct text path)
{
	(void)c;
	for (size_t k = 0; k < i->globs.n; k++)
		if (glob_matches(i->globs.items[k], path))
			return true;
	return false;
}

bool is_excluded(struct call *c, struct ignored *i, struct text path)
{
	for (size_t k = 0; k < i->excluded.n; k++)
		if (glob_matches(i->excluded.items[k], path))
			return true;
	for (size_t k = 0; k < i->patterns.n; k++)
		if (pattern_fits(c, i, k, path))
			return true;
	return false;
}
