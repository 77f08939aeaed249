/* Typeset prose: quotation marks, apostrophes, emphasis, lines and parts. */
#include "kinds/hnpx/export/typeset.h"
#include "base/buffer.h"
#include "support/check.h"

/* The typeset prose in one line: /italics/, =bold=, | for a line break, || between blocks. */
static const char *set(struct arena *a, const char *prose, enum voice voice, const char *language)
{
	struct quotes quotes = quotes_of(text_of(language));
	struct type_blocks blocks = {0};
	struct buffer out = {.arena = a};

	typeset(a, text_of(prose), voice, &quotes, &blocks);
	for (size_t i = 0; i < blocks.list.n; i++) {
		buffer_put(&out, i ? "||" : "");
		for (size_t k = 0; k < blocks.list.items[i].runs.n; k++) {
			const struct type_run *run = &blocks.list.items[i].runs.items[k];
			buffer_put(&out, run->is_italic ? "/" : "");
			buffer_put(&out, run->is_bold ? "=" : "");
			buffer_add(&out, run->words);
			buffer_put(&out, run->is_bold ? "=" : "");
			buffer_put(&out, run->is_italic ? "/" : "");
			buffer_put(&out, run->ends_line ? "|" : "");
		}
	}
	return buffer_text(&out).at;
}

struct row {
	enum voice voice;
	const char *language, *prose, *want;
};

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct arena a = {0};
		assert_string_equal(set(&a, rows[i].prose, rows[i].voice, rows[i].language), rows[i].want);
		arena_free(&a);
	}
}

static void bare_speech_is_wrapped_and_quoted_speech_is_kept(void **state)
{
	static const struct row rows[] = {
		{VOICE_SPEECH, "en", "Leave it.", "“Leave it.”"},
		{VOICE_SPEECH, "en", "Ada turned. \"Leave it,\" she said.", "Ada turned. “Leave it,” she said."},
		{VOICE_SPEECH, "en", "\"Help\" was all he could say.", "“Help” was all he could say."},
		{VOICE_SPEECH, "en", "'Leave it,' she said.", "‘Leave it,’ she said."},
		{VOICE_SPEECH, "en", "They call him 'Ace' here.", "“They call him ‘Ace’ here.”"},
		{VOICE_SPEECH, "en", "— Leave it.", "— Leave it."},
		{VOICE_SPEECH, "en", "One.\n\nTwo.", "“One.||“Two.”"},
		{VOICE_SPEECH, "en", "\"One.\n\n\"Two.\"", "“One.||“Two.”"},
		{VOICE_SPEECH, "en", "One\n  two", "“One|two”"},
		{VOICE_SPEECH, "de", "»Ja«, sagte sie.", "»Ja«, sagte sie."},
		{VOICE_SPEECH, "ja", "はい", "「はい」"},
		{VOICE_SPEECH, "en", "*No.*", "“/No./”"},
		{VOICE_NARRATION, "en", "No speech here.", "No speech here."},
	};
	(void)state;
	check_rows(rows, ARRAY_COUNT(rows));
}

static void apostrophes_are_told_from_opening_quotes(void **state)
{
	static const struct row rows[] = {
		{VOICE_SPEECH, "en", "'Cause I said so.", "“’Cause I said so.”"},
		{VOICE_SPEECH, "en", "'Cause I said so,' he muttered.", "‘Cause I said so,’ he muttered."},
		{VOICE_SPEECH, "en", "It's rock 'n' roll, '98 style.", "“It’s rock ’n’ roll, ’98 style.”"},
		{VOICE_NARRATION, "en", "the dogs' dinner, James's hat", "the dogs’ dinner, James’s hat"},
		{VOICE_SPEECH, "en", "'The dogs' bone is gone,' she said.", "‘The dogs’ bone is gone,’ she said."},
		{VOICE_NARRATION, "fr", "l'heure d'été", "l’heure d’été"},
		{VOICE_NARRATION, "en", "12\" records", "12″ records"},
	};
	(void)state;
	check_rows(rows, ARRAY_COUNT(rows));
}

static void mixed_marks_become_one_kind(void **state)
{
	static const struct row rows[] = {
		{VOICE_NARRATION, "en", "“Mixed,\" she said. \"Yes.”", "“Mixed,” she said. “Yes.”"},
		{VOICE_NARRATION, "de", "„Ja\", sagte sie.", "„Ja“, sagte sie."},
		{VOICE_NARRATION, "en", "\"I was—\" he began.", "“I was—” he began."},
		{VOICE_NARRATION, "en", "\"He said 'no' to me,\" she said.", "“He said ‘no’ to me,” she said."},
		{VOICE_NARRATION, "en", "(\"Yes.\")", "(“Yes.”)"},
		{VOICE_NARRATION, "en", "*\"Yes,\"* he said.", "/“Yes,”/ he said."},
	};
	(void)state;
	check_rows(rows, ARRAY_COUNT(rows));
}

static void stars_are_emphasis_where_they_pair(void **state)
{
	static const struct row rows[] = {
		{VOICE_NARRATION, "en", "a *b* c **d** e ***f***", "a /b/ c =d= e /=f=/"},
		{VOICE_NARRATION, "en", "a * b * c *d", "a * b * c *d"},
		{VOICE_NARRATION, "en", "* * *", "* * *"},
		{VOICE_NARRATION, "en", "*a **b*", "/a **b/"},
		{VOICE_NARRATION, "en", "**a *b* c**", "=a =/=b=/= c="},
		{VOICE_NARRATION, "en", "*****", "*****"},
		{VOICE_THOUGHT, "en", "*Why?*", "/Why?/"},
		{VOICE_THOUGHT, "en", "Why *me*?", "/Why /me/?/"},
		{VOICE_THOUGHT, "en", "*a* or *b*", "a/ or /b"},
	};
	(void)state;
	check_rows(rows, ARRAY_COUNT(rows));
}

static void the_longest_known_part_of_a_tag_decides(void **state)
{
	(void)state;
	assert_string_equal(quotes_of(TEXT("fr-CH")).open, "«");
	assert_string_equal(quotes_of(TEXT("de-CH-1996")).open, "„");
	assert_string_equal(quotes_of(TEXT("PT-br")).open, "“");
	assert_string_equal(quotes_of(TEXT("pt-PT")).open, "«");
	assert_string_equal(quotes_of(TEXT("zh-TW")).open, "「");
	assert_string_equal(quotes_of(TEXT("zh")).open, "“");
	assert_string_equal(quotes_of(TEXT("tlh")).open, "“");
	assert_string_equal(quotes_of(TEXT("")).open, "“");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bare_speech_is_wrapped_and_quoted_speech_is_kept),
		cmocka_unit_test(apostrophes_are_told_from_opening_quotes),
		cmocka_unit_test(mixed_marks_become_one_kind),
		cmocka_unit_test(stars_are_emphasis_where_they_pair),
		cmocka_unit_test(the_longest_known_part_of_a_tag_decides),
	};
	return RUN_TESTS(tests);
}
