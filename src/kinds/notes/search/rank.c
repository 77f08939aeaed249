/* rank.c: filters, scores and the best few. */
#include "kinds/notes/search/engine.h"

#include "base/array.h"
#include "base/utf8.h"
#include "kinds/notes/search/heap.h"

#include <string.h>

/* The cosine of two unrelated sentences is about this high. A note that shares no word with the query must be above it
 * to be a hit. */
static const float NOISE = 0.25f;

static struct text tag_folded(struct arena *a, struct text tag)
{
	tag = text_trim(tag);
	while (tag.len && *tag.at == '#')
		tag = text_slice(tag, 1, tag.len);
	return utf8_fold(a, tag);
}

char *known_tags(struct texts tags)
{
	struct arena a = {0};
	size_t len = 2;

	struct text *folded = arena_array(&a, tags.n ? tags.n : 1, sizeof *folded);
	for (size_t i = 0; i < tags.n; i++) {
		folded[i] = tag_folded(&a, tags.items[i]);
		len += folded[i].len + 1;
	}
	char *joined = heap_array(NULL, len, 1), *to = joined;
	*to++ = '\n';
	for (size_t i = 0; i < tags.n; i++) {
		for (size_t k = 0; k < folded[i].len; k++)
			*to++ = folded[i].at[k] == '\n' || !folded[i].at[k] ? ' ' : folded[i].at[k];
		*to++ = '\n';
	}
	*to = 0;
	arena_free(&a);
	return joined;
}

struct filter {
	const struct search_query *query;
	struct arena *arena;
	struct text *tags; /* each after a line feed */
	size_t tags_n;
	struct text path; /* folded, no slash at its end; empty: any */
};

static struct filter filter_of(struct call *c, const struct search_query *q)
{
	struct filter f = {.query = q, .arena = c->arena, .path = q->path};

	f.tags = arena_array(c->arena, q->tags.n ? q->tags.n : 1, sizeof *f.tags);
	for (size_t i = 0; i < q->tags.n; i++) {
		struct text tag = tag_folded(c->arena, q->tags.items[i]);
		if (tag.len)
			f.tags[f.tags_n++] = text_format(c->arena, "\n%.*s", TEXT_ARGS(tag));
	}
	while (text_starts(f.path, "./"))
		f.path = text_slice(f.path, 2, f.path.len);
	while (f.path.len && f.path.at[0] == '/')
		f.path = text_slice(f.path, 1, f.path.len);
	while (f.path.len && f.path.at[f.path.len - 1] == '/')
		f.path.len--;
	if (text_is(f.path, "."))
		f.path.len = 0;
	f.path = f.path.len ? utf8_fold(c->arena, f.path) : TEXT("");
	return f;
}

static bool has_tag(const char *tags, struct text tag)
{
	for (const char *at = tags; (at = strstr(at, tag.at)); at++)
		if (at[tag.len] == '\n' || at[tag.len] == '/')
			return true;
	return false;
}

static bool passes(const struct filter *f, const struct known *n)
{
	bool tagged = !f->query->tags.n;

	for (size_t i = 0; i < f->tags_n && !tagged; i++)
		tagged = has_tag(n->tags, f->tags[i]);
	if (!tagged)
		return false;
	if (f->path.len) {
		struct text path = utf8_fold(f->arena, known_path(n));
		if (!text_starts(path, f->path.at) || (path.len > f->path.len && path.at[f->path.len] != '/'))
			return false;
	}
	return !f->query->may || f->query->may(f->query->context, known_path(n));
}

static bool is_worse(const struct search_hit *a, const struct search_hit *b)
{
	return a->score != b->score ? a->score < b->score : text_order(a->path, b->path) > 0;
}

/* A heap of at most `limit` hits with the worst on top. */
static void sink(struct search_hit *items, size_t n, size_t at)
{
	for (size_t child; (child = at * 2 + 1) < n; at = child) {
		if (child + 1 < n && is_worse(&items[child + 1], &items[child]))
			child++;
		if (!is_worse(&items[child], &items[at]))
			return;
		struct search_hit swap = items[at];
		items[at] = items[child];
		items[child] = swap;
	}
}

static void keep(struct search_found *out, size_t limit, struct search_hit hit)
{
	out->total++;
	if (out->n < limit) {
		out->items[out->n++] = hit;
		if (out->n == limit)
			for (size_t i = limit / 2 + 1; i-- > 0;)
				sink(out->items, limit, i);
		return;
	}
	if (is_worse(&hit, &out->items[0]))
		return;
	out->items[0] = hit;
	sink(out->items, limit, 0);
}

static int best_first(const void *a, const void *b) { return is_worse(a, b) ? 1 : is_worse(b, a) ? -1 : 0; }

static double bounded(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

void hits_rank(struct call *c, const struct search *s, const struct search_query *q, const float *words,
	       const float *meaning, struct search_found *out)
{
	struct filter f = filter_of(c, q);
	size_t limit = q->limit < s->alive ? q->limit : s->alive;
	double share = words && meaning ? 0.5 : 1;

	out->n = out->total = 0;
	out->items = arena_array(c->arena, limit ? limit : 1, sizeof *out->items);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct known *n = &s->notes[i];
		if (!n->path)
			continue;
		float said = words ? words[n->document] : 0, meant = meaning ? meaning[i] : 0;
		if (said <= 0 && meant < NOISE)
			continue;
		struct search_hit hit = {known_path(n), 0, bounded(said), bounded(meant)};
		hit.score = share * (hit.words + hit.meaning);
		if (hit.score >= q->threshold && passes(&f, n))
			keep(out, limit, hit);
	}
	array_sort(out->items, out->n, sizeof *out->items, best_first);
	/* Copy the paths: another caller may remove their notes. */
	for (size_t i = 0; i < out->n; i++)
		out->items[i].path = text_copy(c->arena, out->items[i].path);
}
