/* Measures the quality of search: the share of queries whose note is among the first five, and the mean of 1/rank
 * (MRR), by words, by meaning and by both. Uses the project's own pages, one note for each section, and own notes with
 * a paraphrase each that was written without looking at the results. */
#include "support/check.h"

#include "base/buffer.h"
#include "kinds/notes/search/encoder/encoder.h"
#include "kinds/notes/search/search.h"

#include <stdio.h>
#include <string.h>

static struct arena arena;

struct item {
	struct text path, title, text, query;
};

struct items {
	struct item *items;
	size_t n, cap;
};

struct figures {
	double recall, reciprocal;
};

static struct text file(const char *path)
{
	struct buffer b = {.arena = &arena};
	FILE *f = fopen(path, "rb");

	if (!f)
		fail_msg("%s is missing", path);
	for (size_t n; (n = fread(buffer_room(&b, 4096), 1, 4096, f)) > 0;)
		b.len += n;
	fclose(f);
	return buffer_text(&b);
}

static struct text line_of(struct text t, size_t *at)
{
	size_t end = text_find(t, TEXT("\n"), *at);
	struct text line = text_slice(t, *at, end);

	*at = end == SIZE_MAX ? t.len : end + 1;
	return line;
}

/* Title, text, paraphrase, blank line. */
static void own_notes(struct items *out)
{
	struct text all = file("test/kinds/notes/search/quality.txt");

	for (size_t at = 0; at < all.len;) {
		struct item *i = ARRAY_PUSH(&arena, out);
		i->title = line_of(all, &at);
		i->text = line_of(all, &at);
		i->query = line_of(all, &at);
		i->path = text_format(&arena, "own/%zu.md", out->n);
		line_of(all, &at);
	}
}

/* Each section of a page with enough text is a note. Its heading is the query and is not part of the note. */
static void sections(struct items *out, const char *page)
{
	enum { TEXT_MIN = 120 };
	struct text all = file(page), heading = {0};
	size_t from = 0;

	for (size_t at = 0; at <= all.len;) {
		size_t start = at;
		struct text line = at < all.len ? line_of(all, &at) : TEXT("## ");
		at += start == all.len;
		if (!text_starts(line, "#"))
			continue;
		struct text body = text_trim(text_slice(all, from, start));
		if (heading.len && body.len >= TEXT_MIN)
			*ARRAY_PUSH(&arena, out) =
				(struct item){text_format(&arena, "%s#%zu", page, out->n), TEXT(""), body, heading};
		while (line.len && (*line.at == '#' || *line.at == ' '))
			line = text_slice(line, 1, line.len);
		heading = line;
		from = at;
	}
}

static struct search *vault(const struct items *items)
{
	struct call c = {.arena = &arena};
	struct search *s;

	assert_true(search_open(&c, &(struct search_options){.state = -1}, &s));
	for (size_t i = 0; i < items->n; i++) {
		const struct item *of = &items->items[i];
		search_put(s, &(struct search_note){.path = of->path, .title = of->title, .text = of->text});
	}
	assert_true(search_settle(s, 600000));
	return s;
}

static size_t place_of(struct search *s, const struct item *i, struct text query, enum search_mode mode)
{
	struct arena own = {0};
	struct call c = {.arena = &own};
	struct search_query q = {.words = query, .mode = mode, .limit = 100};
	struct search_found found;
	size_t place = 0;

	if (search_find(&c, s, &q, &found))
		for (size_t k = 0; k < found.n && !place; k++)
			if (text_same(found.items[k].path, i->path))
				place = k + 1;
	arena_free(&own);
	return place;
}

static struct figures measure(struct search *s, const struct items *items, bool by_title, enum search_mode mode)
{
	struct figures f = {0};

	for (size_t i = 0; i < items->n; i++) {
		const struct item *of = &items->items[i];
		size_t place = place_of(s, of, by_title ? of->title : of->query, mode);
		f.recall += place && place <= 5;
		f.reciprocal += place ? 1.0 / (double)place : 0;
	}
	f.recall /= (double)items->n;
	f.reciprocal /= (double)items->n;
	return f;
}

static void measured(const char *name, struct search *s, const struct items *items, bool by_title,
		     struct figures out[3])
{
	for (int mode = SEARCH_BLEND; mode <= SEARCH_MEANING; mode++)
		out[mode] = measure(s, items, by_title, (enum search_mode)mode);
	print_message("# %s (%zu queries), recall@5 / MRR: words %.3f / %.3f, meaning %.3f / %.3f, blend %.3f / %.3f\n",
		      name, items->n, out[SEARCH_WORDS].recall, out[SEARCH_WORDS].reciprocal,
		      out[SEARCH_MEANING].recall, out[SEARCH_MEANING].reciprocal, out[SEARCH_BLEND].recall,
		      out[SEARCH_BLEND].reciprocal);
}

static bool is_missing(void)
{
	if (encoder_is_here())
		return false;
	print_message("# skipped: this build has no sentence model\n");
	return true;
}

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void both_find_what_words_find_and_more(void **state)
{
	struct items items = {0};
	struct figures titles[3], paraphrases[3];

	(void)state;
	if (is_missing())
		return;
	own_notes(&items);
	struct search *s = vault(&items);
	measured("titles of own notes", s, &items, true, titles);
	measured("paraphrases of own notes", s, &items, false, paraphrases);
	assert_true(titles[SEARCH_BLEND].reciprocal >= titles[SEARCH_WORDS].reciprocal);
	assert_true(titles[SEARCH_BLEND].recall >= titles[SEARCH_WORDS].recall);
	assert_true(paraphrases[SEARCH_BLEND].reciprocal > paraphrases[SEARCH_WORDS].reciprocal + 0.1);
	assert_true(paraphrases[SEARCH_BLEND].recall > paraphrases[SEARCH_WORDS].recall + 0.1);
	/* A paraphrase that shares no word with its note can be found only by its meaning. */
	size_t apart = 0, found = 0;
	for (size_t i = 0; i < items.n; i++)
		if (!place_of(s, &items.items[i], items.items[i].query, SEARCH_WORDS)) {
			size_t place = place_of(s, &items.items[i], items.items[i].query, SEARCH_BLEND);
			apart++;
			found += place && place <= 5;
		}
	print_message("# %zu paraphrases share no word with their note; %zu of them find it among the first five\n",
		      apart, found);
	assert_true(found * 2 > apart);
	search_close(s);
}

static void on_the_project_s_own_pages_both_are_not_below_words(void **state)
{
	static const char *const pages[] = {"README.md",          "ARCHITECTURE.md",        "CONTRIBUTING.md",
					    "SECURITY.md",        "docs/config.md",         "docs/tools/file.md",
					    "docs/tools/hnpx.md", "docs/tools/floorplan.md"};
	struct items items = {0};
	struct figures headings[3];

	(void)state;
	if (is_missing())
		return;
	for (size_t i = 0; i < ARRAY_COUNT(pages); i++)
		sections(&items, pages[i]);
	assert_true(items.n > 40);
	struct search *s = vault(&items);
	measured("headings of own pages", s, &items, false, headings);
	assert_true(headings[SEARCH_BLEND].reciprocal >= headings[SEARCH_WORDS].reciprocal);
	search_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(both_find_what_words_find_and_more, forget),
		cmocka_unit_test_teardown(on_the_project_s_own_pages_both_are_not_below_words, forget),
	};

	return RUN_TESTS(tests);
}
