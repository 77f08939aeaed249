#include "kinds/notes/edit/heading.h"

#include "base/buffer.h"
#include "kinds/notes/note/name.h"

#include <string.h>

enum { HEADINGS_SHOWN = 30, LEVELS = 7 };

struct finding {
	struct arena *arena;
	const struct note *n;
	uint32_t *above; /* parent of each heading; UINT32_MAX: none */
	struct text whole, bare, path,
		plain;        /* the requested heading, folded: as given, without #, as a path, without markup */
	struct text numbered; /* the path before a [number]; absent if there is no number */
	size_t number;
};

static struct text heading_text(const struct finding *f, size_t i)
{
	return span_text(f->n->bytes, f->n->parts.headings.items[i].text);
}

/* The heading with its parents: A > B > C. */
static struct text heading_path(const struct finding *f, size_t i)
{
	struct text path = heading_text(f, i);

	while (f->above[i] != UINT32_MAX) {
		i = f->above[i];
		path = text_format(f->arena, "%.*s > %.*s", TEXT_ARGS(heading_text(f, i)), TEXT_ARGS(path));
	}
	return path;
}

/* A heading in a list of headings. A very long one is cut. */
static struct text listed_path(struct call *c, const struct finding *f, size_t i)
{
	enum { LISTED_MAX = 300 };
	struct text path = heading_path(f, i);

	return path.len <= LISTED_MAX ? path : text_of(shown(c, path));
}

static struct text without_marks(struct text t)
{
	t = text_trim(t);
	while (t.len && t.at[0] == '#')
		t = text_slice(t, 1, t.len);
	return text_trim(t);
}

/* Normalises "A>B" and "## A > ## B" to "A > B". */
static struct text as_path(struct arena *a, struct text heading)
{
	struct buffer b = {.arena = a};

	for (struct text rest = heading; rest.at;) {
		size_t cut = text_find(rest, TEXT(">"), 0);
		struct text part = without_marks(cut == SIZE_MAX ? rest : text_slice(rest, 0, cut));
		rest = cut == SIZE_MAX ? (struct text){0} : text_slice(rest, cut + 1, rest.len);
		buffer_put(&b, b.len ? " > " : "");
		buffer_add(&b, part);
	}
	return buffer_text(&b);
}

/* The visible text of the link at `at`, and where the link ends. Returns false if there is no link. */
static bool link_words(struct text t, size_t at, struct text *shown, size_t *behind)
{
	bool is_wiki = at + 1 < t.len && t.at[at + 1] == '[';
	size_t close = text_find(t, is_wiki ? TEXT("]]") : TEXT("]("), at);
	size_t end = is_wiki || close == SIZE_MAX ? close : text_find(t, TEXT(")"), close);

	if (close == SIZE_MAX || end == SIZE_MAX)
		return false;
	*shown = text_slice(t, at + 1 + is_wiki, close);
	size_t bar = is_wiki ? text_find(*shown, TEXT("|"), 0) : SIZE_MAX;
	if (bar != SIZE_MAX)
		*shown = text_slice(*shown, bar + 1, shown->len);
	*behind = end + 1 + is_wiki;
	return true;
}

/* The heading as a reader sees it: without emphasis, code marks and HTML tags, and with the visible text of links. */
static struct text without_markup(struct arena *a, struct text t)
{
	struct buffer b = {.arena = a};

	for (size_t i = 0; i < t.len;) {
		size_t behind = i + 1;
		struct text words = text_slice(t, i, i + 1);
		if (t.at[i] == '\\' && i + 1 < t.len) {
			words = text_slice(t, i + 1, i + 2);
			behind = i + 2;
		} else if (t.at[i] == '[') {
			link_words(t, i, &words, &behind);
		} else if (t.at[i] == '<') {
			size_t close = text_find(t, TEXT(">"), i);
			if (close != SIZE_MAX && i + 1 < t.len && t.at[i + 1] != ' ') {
				words.len = 0;
				behind = close + 1;
			}
		} else if (t.at[i] && strchr("*_`~", t.at[i])) {
			words.len = 0;
		}
		for (size_t k = 0; k < words.len; k++)
			if (!strchr("*_`~", words.at[k]) && (words.at[k] != ' ' || (b.len && b.at[b.len - 1] != ' ')))
				buffer_byte(&b, words.at[k]);
		i = behind;
	}
	return text_trim(buffer_text(&b));
}

/* Splits "A [2]" into the path and the number. */
static void take_number(struct finding *f, struct text asked)
{
	size_t open = asked.len;
	size_t number = 0;

	if (!asked.len || asked.at[asked.len - 1] != ']')
		return;
	while (open && asked.at[open - 1] != '[')
		open--;
	for (size_t i = open; i + 1 < asked.len; i++) {
		if (asked.at[i] < '0' || asked.at[i] > '9' || number > UINT32_MAX)
			return;
		number = number * 10 + (size_t)(asked.at[i] - '0');
	}
	if (!open || !number)
		return;
	f->number = number;
	f->numbered = name_fold(f->arena, as_path(f->arena, text_slice(asked, 0, open - 1)));
}

static void find_above(struct finding *f, const struct note *n)
{
	uint32_t last[LEVELS];

	memset(last, 0xff, sizeof last);
	f->above = arena_array(f->arena, n->parts.headings.n + 1, sizeof *f->above);
	for (size_t i = 0; i < n->parts.headings.n; i++) {
		int level = n->parts.headings.items[i].level;
		f->above[i] = UINT32_MAX;
		for (int k = level - 1; k > 0 && f->above[i] == UINT32_MAX; k--)
			f->above[i] = last[k];
		last[level] = (uint32_t)i;
		for (int k = level + 1; k < LEVELS; k++)
			last[k] = UINT32_MAX;
	}
}

/* Does the path end in the requested path? Compares component by component. */
static bool path_ends(struct text have, struct text want)
{
	if (have.len < want.len || memcmp(have.at + have.len - want.len, want.at, want.len) != 0)
		return false;
	return have.len == want.len ||
	       (have.len >= want.len + 3 && !memcmp(have.at + have.len - want.len - 3, " > ", 3));
}

static struct text folded_path(const struct finding *f, size_t i) { return name_fold(f->arena, heading_path(f, i)); }

static bool fits_by_number(const struct finding *f, size_t i)
{
	return text_same(as_path(f->arena, folded_path(f, i)), f->numbered);
}

static bool fits_by_text(const struct finding *f, size_t i)
{
	struct text text = name_fold(f->arena, heading_text(f, i));

	if (text_same(text, f->whole) || text_same(text, f->bare))
		return true;
	return text_find(f->path, TEXT(">"), 0) != SIZE_MAX && path_ends(folded_path(f, i), f->path);
}

static bool fits_by_words(const struct finding *f, size_t i)
{
	return f->plain.len && text_same(name_fold(f->arena, without_markup(f->arena, heading_text(f, i))), f->plain);
}

struct found {
	uint32_t *items;
	size_t n, cap;
};

static void find_all(const struct finding *f, bool (*fits)(const struct finding *, size_t), struct found *out)
{
	out->n = 0;
	for (size_t i = 0; i < f->n->parts.headings.n; i++)
		if (fits(f, i))
			*ARRAY_PUSH(f->arena, out) = (uint32_t)i;
}

static bool refuse_missing(struct call *c, const struct finding *f, struct text asked)
{
	struct buffer list = {.arena = c->arena};
	size_t n = f->n->parts.headings.n;

	if (!n)
		return fail(c, FAULT_ARGUMENT, "the note has no headings; leave heading out to edit the whole text");
	for (size_t i = 0; i < n && i < HEADINGS_SHOWN; i++)
		buffer_format(&list, "%s\"%.*s\"", i ? ", " : "", TEXT_ARGS(listed_path(c, f, i)));
	if (n > HEADINGS_SHOWN)
		buffer_format(&list, " and %zu more", n - HEADINGS_SHOWN);
	return fail(c, FAULT_ARGUMENT, "there is no heading %s; the headings are %s", shown(c, asked),
		    buffer_text(&list).at);
}

static bool refuse_several(struct call *c, const struct finding *f, struct text asked, const struct found *found)
{
	struct buffer list = {.arena = c->arena};
	struct text *paths = arena_array(c->arena, found->n, sizeof *paths);

	for (size_t i = 0; i < found->n; i++)
		paths[i] = folded_path(f, found->items[i]);
	for (size_t i = 0; i < found->n && i < HEADINGS_SHOWN; i++) {
		size_t fit = 0, before = 0;
		for (size_t k = 0; k < found->n; k++) {
			fit += path_ends(paths[k], paths[i]);
			before += k < i && text_same(paths[k], paths[i]);
		}
		buffer_format(&list, "%s\"%.*s", i ? ", " : "", TEXT_ARGS(listed_path(c, f, found->items[i])));
		/* If several headings have this path, add the heading's number among them. */
		if (fit > 1)
			buffer_format(&list, " [%zu]", before + 1);
		buffer_put(&list, "\"");
	}
	if (found->n > HEADINGS_SHOWN)
		buffer_format(&list, " and %zu more", found->n - HEADINGS_SHOWN);
	return fail(c, FAULT_ARGUMENT, "%zu headings are called %s; give the path of one: %s", found->n,
		    shown(c, asked), buffer_text(&list).at);
}

bool heading_find(struct call *c, const struct note *n, struct text asked, size_t *out)
{
	struct arena *a = c->arena;
	struct finding f = {.arena = a, .n = n};
	struct found found = {0};

	f.whole = name_fold(a, text_trim(asked));
	f.bare = name_fold(a, without_marks(asked));
	f.path = name_fold(a, as_path(a, asked));
	f.plain = name_fold(a, without_markup(a, without_marks(asked)));
	take_number(&f, text_trim(asked));
	find_above(&f, n);
	find_all(&f, fits_by_text, &found);
	if (!found.n && f.number) {
		find_all(&f, fits_by_number, &found);
		if (f.number <= found.n) {
			*out = found.items[f.number - 1];
			return true;
		}
		found.n = 0;
	}
	if (!found.n)
		find_all(&f, fits_by_words, &found);
	if (!found.n)
		return refuse_missing(c, &f, asked);
	if (found.n > 1)
		return refuse_several(c, &f, asked, &found);
	*out = found.items[0];
	return true;
}
