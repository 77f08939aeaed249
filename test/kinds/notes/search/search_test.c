#include "support/check.h"

#include "kinds/notes/search/search.h"
#include "support/growth.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct arena arena;
static struct call call;

static int begin(void **state)
{
	(void)state;
	call = (struct call){.arena = &arena};
	return 0;
}

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static struct search *opened(void)
{
	struct search *s = NULL;
	struct search_options options = {.embed = TEXT("none"), .state = -1};

	assert_true(search_open(&call, &options, &s));
	return s;
}

static void put(struct search *s, const char *path, const char *title, const char *tag, const char *text)
{
	struct text tags[] = {text_of(tag)};
	struct search_note note = {
		.path = text_of(path), .title = text_of(title), .tags = {tags, tag ? 1 : 0}, .text = text_of(text)};

	search_put(s, &note);
}

static struct search_found find_in(struct search *s, struct search_query q)
{
	struct search_found found;

	q.mode = SEARCH_WORDS;
	q.limit = q.limit ? q.limit : 10;
	assert_true(search_find(&call, s, &q, &found));
	return found;
}

static struct search_found find(struct search *s, const char *words)
{
	return find_in(s, (struct search_query){.words = text_of(words)});
}

static struct search *kitchen(void)
{
	struct search *s = opened();

	put(s, "bread.md", "Sourdough bread", "food/baking", "Flour, water and salt. Feed the starter daily.");
	put(s, "soup.md", "Tomato soup", "food", "Roast the tomatoes, add salt and water.");
	put(s, "garden/beds.md", "Raised beds", "garden", "Tomatoes grow beside basil. Water them in the morning.");
	return s;
}

static void words_in_the_title_weigh_more_than_words_in_the_text(void **state)
{
	(void)state;
	struct search *s = kitchen();
	struct search_found found = find(s, "tomatoes");

	assert_int_equal(found.n, 2);
	assert_text(found.items[0].path, "soup.md");
	assert_true(found.items[0].score > found.items[1].score);
	assert_int_equal(found.notes, 3);
	search_close(s);
}

static void scores_are_shares_of_the_query(void **state)
{
	(void)state;
	struct search *s = kitchen();
	double whole = find(s, "sourdough").items[0].score;
	double half = find(s, "sourdough zeppelin").items[0].score;

	assert_true(whole > 0.5 && whole <= 1);
	assert_true(half < whole * 0.6 && half > 0);
	assert_int_equal(find(s, "zeppelin").n, 0);
	search_close(s);
}

static void word_forms_case_and_accents_meet(void **state)
{
	static const struct {
		const char *text, *query;
	} rows[] = {
		{"Encoding sentences", "encode a sentence"},
		{"cached queries", "caching the query"},
		{"planned", "planning plans"},
		{"CAFE", "café"},
		{"Стратегия", "СТРАТЕГИЯ"},
		{"ﬁle", "file"},
		{"five o'clock", "oclock"},
		{"the note's author", "note"},
		{"the note’s author", "notes"},
		{"東京都の天気", "京都"},
		{"東京都の天気", "天"},
		{"work_commit()", "work commit"},
		{"straße", "STRASSE"},
		{"naïveté", "naivete"},
		{"using boxes", "used box"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct search *s = opened();
		put(s, "a.md", "", NULL, rows[i].text);
		if (find(s, rows[i].query).n != 1)
			fail_msg("\"%s\" does not find \"%s\"", rows[i].query, rows[i].text);
		search_close(s);
	}
}

static void different_words_stay_apart(void **state)
{
	static const struct {
		const char *text, *query;
	} rows[] = {{"string", "stre"}, {"need", "ne"}, {"天気", "気天"}, {"embed", "emb"}, {"business", "busine"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct search *s = opened();
		put(s, "a.md", "", NULL, rows[i].text);
		if (find(s, rows[i].query).n)
			fail_msg("\"%s\" finds \"%s\"", rows[i].query, rows[i].text);
		search_close(s);
	}
}

static void a_title_of_stop_words_is_found(void **state)
{
	(void)state;
	struct search *s = kitchen();

	put(s, "band.md", "The Who", NULL, "Rock from London");
	assert_text(find(s, "the who").items[0].path, "band.md");
	/* Next to other words they do not count. */
	assert_int_equal(find(s, "the soup").n, 1);
	search_close(s);
}

static void filters_narrow_by_tag_path_and_permission(void **state)
{
	struct text baking[] = {TEXT("#Food/Baking")}, food[] = {TEXT("food")}, none[] = {TEXT("foo")},
		    empty[] = {TEXT("#")};
	struct search *s = kitchen();

	(void)state;
	assert_int_equal(find(s, "water").n, 3);
	assert_int_equal(find_in(s, (struct search_query){.words = TEXT("water"), .tags = {baking, 1}}).n, 1);
	assert_int_equal(find_in(s, (struct search_query){.words = TEXT("water"), .tags = {food, 1}}).n, 2);
	assert_int_equal(find_in(s, (struct search_query){.words = TEXT("water"), .tags = {none, 1}}).n, 0);
	assert_int_equal(find_in(s, (struct search_query){.words = TEXT("water"), .tags = {empty, 1}}).n, 0);
	assert_int_equal(find_in(s, (struct search_query){.words = TEXT("water"), .path = TEXT("./Garden/")}).n, 1);
	assert_int_equal(find_in(s, (struct search_query){.words = TEXT("water"), .path = TEXT("gard")}).n, 0);
	assert_int_equal(find_in(s, (struct search_query){.words = TEXT("water"), .path = TEXT("soup.md")}).n, 1);
	assert_int_equal(find_in(s, (struct search_query){.words = TEXT("water"), .path = TEXT("/")}).n, 3);
	search_close(s);
}

static bool may_not_soup(const void *context, struct text path) { return !text_is(path, context); }

static void notes_that_a_caller_may_not_read_are_not_counted(void **state)
{
	struct search *s = kitchen();

	(void)state;
	struct search_found found =
		find_in(s, (struct search_query){.words = TEXT("water"), .may = may_not_soup, .context = "soup.md"});
	assert_int_equal(found.total, 2);
	search_close(s);
}

static void limit_and_threshold_cut_the_list_and_total_counts_all(void **state)
{
	struct search *s = opened();
	char path[32];

	(void)state;
	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof path, "n%02d.md", i);
		char text[400] = "apple";
		for (int k = 0; k < i % 10; k++)
			strcat(text, " filler words make it longer");
		put(s, path, "", NULL, text);
	}
	struct search_found found = find_in(s, (struct search_query){.words = TEXT("apple"), .limit = 12});
	assert_int_equal(found.n, 12);
	assert_int_equal(found.total, 100);
	/* The shortest are best, and equal ones are in the order of their paths. */
	assert_text(found.items[0].path, "n00.md");
	assert_text(found.items[9].path, "n90.md");
	assert_text(found.items[10].path, "n01.md");
	double least = found.items[9].score;
	found = find_in(s, (struct search_query){.words = TEXT("apple"), .threshold = least});
	assert_int_equal(found.total, 10);
	search_close(s);
}

static void changes_are_seen_by_the_next_query(void **state)
{
	struct search *s = kitchen();

	(void)state;
	put(s, "soup.md", "Pumpkin soup", NULL, "Roast the pumpkin.");
	assert_int_equal(find(s, "tomato").n, 1);
	assert_text(find(s, "pumpkin").items[0].path, "soup.md");
	put(s, "bread.md", "Pumpkin bread", NULL, "Bake the pumpkin.");
	assert_int_equal(find(s, "sourdough").n, 0);
	assert_true(search_has(s, TEXT("bread.md")));
	assert_true(search_remove(s, TEXT("soup.md")));
	assert_true(search_remove(s, TEXT("bread.md")));
	assert_false(search_remove(s, TEXT("bread.md")));
	assert_int_equal(find(s, "pumpkin").n, 0);
	assert_int_equal(search_count(s, &arena).notes, 1);
	search_close(s);
}

static uint32_t chance(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

/* After any sequence of puts and removals, the index equals one that is built only from the last versions. */
static void an_index_with_a_history_equals_a_fresh_one(void **state)
{
	enum { NOTES = 120, STEPS = 6000, WORDS = 60 };
	char texts[NOTES][200] = {{0}};
	bool there[NOTES] = {false};
	struct search *s = opened(), *fresh = opened();
	uint32_t seed = 7;
	char path[16], words[16];

	(void)state;
	for (int i = 0; i < STEPS; i++) {
		uint32_t n = chance(&seed, NOTES);
		snprintf(path, sizeof path, "n%u.md", n);
		uint32_t what = chance(&seed, 10);
		if (what == 0) {
			assert_int_equal(search_remove(s, text_of(path)), there[n]);
			there[n] = false;
		} else {
			texts[n][0] = 0;
			for (uint32_t k = chance(&seed, 12); k-- > 0;) {
				snprintf(words, sizeof words, "word%u ", chance(&seed, WORDS));
				strcat(texts[n], words);
			}
			put(s, path, "", NULL, texts[n]);
			there[n] = true;
		}
	}
	for (int n = 0; n < NOTES; n++) {
		snprintf(path, sizeof path, "n%d.md", n);
		if (there[n])
			put(fresh, path, "", NULL, texts[n]);
	}
	for (int i = 0; i < WORDS; i++) {
		struct search_query q = {.limit = NOTES};
		snprintf(words, sizeof words, "word%d", i);
		q.words = text_of(words);
		struct search_found a = find_in(s, q), b = find_in(fresh, q);
		assert_int_equal(a.n, b.n);
		for (size_t k = 0; k < a.n; k++) {
			assert_true(text_same(a.items[k].path, b.items[k].path));
			assert_true(a.items[k].score == b.items[k].score);
		}
	}
	search_close(s);
	search_close(fresh);
}

static void bad_queries_are_refused_with_advice(void **state)
{
	struct search *s = kitchen();
	struct search_found found;
	struct search_query q = {.words = TEXT(" \n"), .mode = SEARCH_WORDS, .limit = 5};

	(void)state;
	assert_false(search_find(&call, s, &q, &found));
	assert_int_equal(call.error.fault, FAULT_ARGUMENT);
	q.words = TEXT("?!");
	assert_false(search_find(&call, s, &q, &found));
	assert_non_null(strstr(error_sentence(call.arena, &call.error), "?!"));
	q = (struct search_query){.words = TEXT("soup"), .mode = SEARCH_BLEND, .limit = 5};
	assert_false(search_find(&call, s, &q, &found));
	assert_string_equal(call.error.code, "PROVIDER_ERROR");
	search_close(s);
}

static void any_bytes_can_be_put_and_asked_for(void **state)
{
	struct search *s = opened();
	char bytes[256], path[8];
	uint32_t seed = 3;

	(void)state;
	for (int i = 0; i < 300; i++) {
		for (size_t k = 0; k < sizeof bytes; k++)
			bytes[k] = (char)chance(&seed, 256);
		struct text t = {bytes, chance(&seed, sizeof bytes)};
		struct search_note note = {.path = {path, 2}, .title = t, .tags = {&t, 1}, .text = t};
		memcpy(path, bytes, 2);
		search_put(s, &note);
		struct search_query q = {.words = t, .mode = SEARCH_WORDS, .limit = 3};
		struct search_found found;
		search_find(&call, s, &q, &found);
		search_snippet(&call, s, t, t, 20);
	}
	search_close(s);
}

static void snippets_show_the_match(void **state)
{
	struct search *s = opened();
	char text[4000] = "";

	(void)state;
	for (int i = 0; i < 60; i++)
		strcat(text, "Plain filler stands here and there. ");
	strcat(text, "The copper kettle whistles. ");
	for (int i = 0; i < 30; i++)
		strcat(text, "More filler follows it. ");
	put(s, "a.md", "", NULL, text);
	put(s, "b.md", "", NULL, "filler");
	struct text got = search_snippet(&call, s, TEXT("filler kettle copper"), text_of(text), 100);
	const char *shown_text = text_string(&arena, got);
	assert_non_null(strstr(shown_text, "copper kettle whistles"));
	assert_true(text_starts(got, "...") && text_ends(got, "..."));
	assert_true(got.len <= 100);
	/* No match: the beginning. A short text: all of it. */
	got = search_snippet(&call, s, TEXT("zeppelin"), text_of(text), 50);
	assert_true(text_starts(got, "Plain filler") && text_ends(got, "...") && got.len <= 50);
	assert_text(search_snippet(&call, s, TEXT("kettle"), TEXT(" a kettle \n"), 50), "a kettle");
	search_close(s);
}

static void snippets_are_cut_between_characters(void **state)
{
	struct search *s = opened();
	char text[8000] = "";

	(void)state;
	for (int i = 0; i < 100; i++)
		strcat(text, "e\xcc\x81"
			     "👩\xe2\x80\x8d🚀"
			     "漢");
	strcat(text, " kettle ");
	for (int i = 0; i < 100; i++)
		strcat(text, "e\xcc\x81"
			     "👩\xe2\x80\x8d🚀"
			     "漢");
	put(s, "a.md", "", NULL, text);
	for (size_t most = 1; most < 120; most++) {
		struct text got = search_snippet(&call, s, TEXT("kettle"), text_of(text), most);
		size_t points = 0;
		for (size_t i = 0; i < got.len; i++)
			points += (got.at[i] & 0xC0) != 0x80;
		assert_true(points <= most);
		if (most < 12)
			continue;
		assert_non_null(memmem(got.at, got.len, "kettle", 6));
		/* It must not begin with a mark or joiner, and not end in a joiner. */
		struct text inner = text_slice(got, 3, got.len - 3);
		assert_false(text_starts(inner, "\xcc\x81") || text_starts(inner, "\xe2\x80\x8d"));
		assert_false(text_ends(inner, "\xe2\x80\x8d"));
	}
	search_close(s);
}

struct crowd {
	struct search *search;
	int number;
};

static void *one_of_the_crowd(void *of)
{
	struct crowd *crowd = of;
	struct arena own = {0};
	struct call c = {.arena = &own};
	char path[16];

	for (int i = 0; i < 300; i++) {
		snprintf(path, sizeof path, "%d-%d.md", crowd->number, i % 20);
		struct search_note note = {.path = text_of(path), .title = TEXT("Crowd"), .text = TEXT("shared words")};
		struct search_query q = {.words = TEXT("shared crowd"), .mode = SEARCH_WORDS, .limit = 5};
		struct search_found found;
		search_put(crowd->search, &note);
		search_find(&c, crowd->search, &q, &found);
		if (i % 3 == 0)
			search_remove(crowd->search, text_of(path));
	}
	arena_free(&own);
	return NULL;
}

static void threads_may_search_and_change_at_once(void **state)
{
	struct search *s = opened();
	struct crowd crowd[4];
	pthread_t threads[4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		crowd[i] = (struct crowd){s, i};
		pthread_create(&threads[i], NULL, one_of_the_crowd, &crowd[i]);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(find(s, "crowd").total, search_count(s, &arena).notes);
	search_close(s);
}

static int64_t cost_of_index(const void *of, int size)
{
	struct search *s = opened();
	int64_t began = cost_now();

	(void)of;
	for (int i = 0; i < size; i++) {
		char path[16];
		snprintf(path, sizeof path, "%d.md", i);
		put(s, path, "Same title", "tag",
		    "the same twenty words appear in every single note that this vault holds");
	}
	int64_t spent = cost_now() - began;
	search_close(s);
	return spent;
}

static void the_cost_of_indexing_follows_the_number_of_notes(void **state)
{
	(void)state;
	assert_not_quadratic(cost_of_index, NULL, 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(words_in_the_title_weigh_more_than_words_in_the_text, begin, forget),
		cmocka_unit_test_setup_teardown(scores_are_shares_of_the_query, begin, forget),
		cmocka_unit_test_setup_teardown(word_forms_case_and_accents_meet, begin, forget),
		cmocka_unit_test_setup_teardown(different_words_stay_apart, begin, forget),
		cmocka_unit_test_setup_teardown(a_title_of_stop_words_is_found, begin, forget),
		cmocka_unit_test_setup_teardown(filters_narrow_by_tag_path_and_permission, begin, forget),
		cmocka_unit_test_setup_teardown(notes_that_a_caller_may_not_read_are_not_counted, begin, forget),
		cmocka_unit_test_setup_teardown(limit_and_threshold_cut_the_list_and_total_counts_all, begin, forget),
		cmocka_unit_test_setup_teardown(changes_are_seen_by_the_next_query, begin, forget),
		cmocka_unit_test_setup_teardown(an_index_with_a_history_equals_a_fresh_one, begin, forget),
		cmocka_unit_test_setup_teardown(bad_queries_are_refused_with_advice, begin, forget),
		cmocka_unit_test_setup_teardown(any_bytes_can_be_put_and_asked_for, begin, forget),
		cmocka_unit_test_setup_teardown(snippets_show_the_match, begin, forget),
		cmocka_unit_test_setup_teardown(snippets_are_cut_between_characters, begin, forget),
		cmocka_unit_test_setup_teardown(threads_may_search_and_change_at_once, begin, forget),
		cmocka_unit_test_setup_teardown(the_cost_of_indexing_follows_the_number_of_notes, begin, forget),
	};

	return RUN_TESTS(tests);
}
