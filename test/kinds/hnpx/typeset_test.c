/* Typeset prose: quotation marks, apostrophes, emphasis, lines and parts. */
#include "kinds/hnpx/prose/typeset.h"
#include "base/buffer.h"
#include "kinds/hnpx/import/inline.h"
#include "kinds/hnpx/prose/markup.h"
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
		{VOICE_SPEECH, "en", "My mother always said \"never trust a man with clean boots\", and look.",
		 "“My mother always said ‘never trust a man with clean boots’, and look.”"},
		{VOICE_SPEECH, "en", "My mother said “never trust 'em, or 'cats'”, and look.",
		 "“My mother said ‘never trust ’em, or “cats”’, and look.”"},
		{VOICE_SPEECH, "en", "My mother said \"Trust no 'friend' of mine.\"",
		 "“My mother said ‘Trust no “friend” of mine.’”"},
		{VOICE_SPEECH, "de", "Meine Mutter sagte \"nie wieder\", weißt du.",
		 "„Meine Mutter sagte ‚nie wieder‘, weißt du.“"},
		{VOICE_SPEECH, "fr", "Elle disait \"jamais\", tu sais.",
		 "«\u00a0Elle disait “jamais”, tu sais.\u00a0»"},
		{VOICE_SPEECH, "nl", "Zij zei \"nooit\", weet je.", "‘Zij zei “nooit”, weet je.’"},
		{VOICE_SPEECH, "en", "They call it \"the Hall,\" you know.", "“They call it ‘the Hall,’ you know.”"},
		{VOICE_SPEECH, "en", "They call him 'Ace,' you know.", "“They call him ‘Ace,’ you know.”"},
		{VOICE_SPEECH, "en", "Ada said \"Leave it.\"", "Ada said “Leave it.”"},
		{VOICE_SPEECH, "en", "Ada said: \"Leave it\", and went.", "Ada said: “Leave it”, and went."},
		{VOICE_SPEECH, "en", "I turned. \"Leave it,\" I said.", "I turned. “Leave it,” I said."},
		{VOICE_SPEECH, "en", "I said, \"Leave it.\"", "I said, “Leave it.”"},
		{VOICE_SPEECH, "en", "*\"Yes,\"* he said.", "/“Yes,”/ he said."},
		{VOICE_SPEECH, "en", "\"Leave it", "“Leave it"},
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
		{VOICE_NARRATION, "en", "12\" records", "12\" records"},
		{VOICE_NARRATION, "en", "He was 6'2\" tall.", "He was 6'2\" tall."},
		{VOICE_NARRATION, "en", "\"He is 6'2\",\" she said.", "“He is 6'2\",” she said."},
		{VOICE_SPEECH, "en", "He is 6'2\" in his socks.", "“He is 6'2\" in his socks.”"},
		{VOICE_NARRATION, "en", "5'10\" and 6'", "5'10\" and 6’"},
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
		{VOICE_NARRATION, "en", "*a **b*", "*a */b/"},
		{VOICE_NARRATION, "en", "**a *b* c**", "=a =/=b=/= c="},
		{VOICE_NARRATION, "en", "*****", "*****"},
		{VOICE_NARRATION, "en", "2*3*4 and a*2*b, 2**3**4", "2*3*4 and a*2*b, 2**3**4"},
		{VOICE_NARRATION, "en", "un*frigging*believable, snake_case_name",
		 "un/frigging/believable, snake_case_name"},
		{VOICE_NARRATION, "en", "_a_ *_b_* __c__ (_d_).", "/a/ b =c= (/d/)."},
		{VOICE_NARRATION, "en", "\"_Yes_,\" he said. _\"No.\"_", "“/Yes/,” he said. /“No.”/"},
		{VOICE_NARRATION, "en", "*Is he* lying*? ...*", "/Is he/ lying*? ...*"},
		{VOICE_NARRATION, "en", "\\*a\\* b\\_c C:\\\\x\\", "*a* b_c C:\\\\x\\"},
		{VOICE_NARRATION, "ru", "_да_, *нет*.", "/да/, /нет/."},
		{VOICE_THOUGHT, "en", "_Why?_", "/Why?/"},
		{VOICE_THOUGHT, "en", "*Why?*", "/Why?/"},
		{VOICE_THOUGHT, "en", "Why *me*?", "/Why /me/?/"},
		{VOICE_THOUGHT, "en", "*a* or *b*", "a/ or /b"},
	};
	(void)state;
	check_rows(rows, ARRAY_COUNT(rows));
}

static const char *written(struct arena *a, const char *prose, enum markup form)
{
	struct looks looks = emphasis_looks(a, text_of(prose), EMPHASIS_PROSE, 0);
	struct buffer out = {.arena = a};

	markup_put(&out, a, &looks, form);
	return buffer_text(&out).at;
}

static void emphasis_beside_punctuation_is_written_as_it_reads(void **state)
{
	struct arena a = {0};
	struct looks looks = {TEXT("Is he lying? Yes"), (uint8_t *)(char[17]){"\1\1\1\1\1\1\0\0\0\0\0\1\1\1\1\1"}};
	struct buffer out = {.arena = &a};

	(void)state;
	/* A reader of Markdown would not take a star between a letter and a question mark. */
	markup_put(&out, &a, &looks, MARKUP_MARKDOWN);
	assert_string_equal(buffer_text(&out).at, "*Is he* lying? *Yes*");
	assert_string_equal(written(&a, "2*3*4 \\ a_b _c_", MARKUP_MARKDOWN), "2\\*3\\*4 \\ a_b *c*");
	assert_string_equal(written(&a, "C:\\x \\*a\\*", MARKUP_MARKDOWN), "C:\\x \\*a\\*");
	assert_string_equal(written(&a, "\\*a\\* 2*3*4 *b*", MARKUP_PROSE), "\\*a\\* 2\\*3\\*4 *b*");
	assert_string_equal(written(&a, "2*3*4 *b*", MARKUP_PROSE), "2*3*4 *b*");
	assert_string_equal(inline_prose(&a, TEXT("2\\*3\\*4 \\\\x <em>a</em>b &amp; &#42;c&#42; \\<em>")).at,
			    "2\\*3\\*4 \\x *a*b & \\*c\\* <em>");
	arena_free(&a);
}

/* Any words with any looks: prose to Markdown to prose shows the same. */
static void markdown_round_trips(void **state)
{
	static const char *const pieces[] = {"a",  "b",   "7", " ", "*", "_",    "\\", ".",    "\n", "é",
					     "**", "***", "!", "`", "<", "<em>", "&",  "amp;", "(",  ")"};
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 60000; i++) {
		struct arena a = {0};
		struct buffer prose = {.arena = &a}, markdown = {.arena = &a};
		for (int k = 0; k < 9; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			buffer_put(&prose, pieces[(seed >> 33) % ARRAY_COUNT(pieces)]);
		}
		struct text source = text_trim(buffer_text(&prose));
		struct looks looks = emphasis_looks(&a, source, EMPHASIS_PROSE, 0);
		markup_put(&markdown, &a, &looks, MARKUP_MARKDOWN);
		struct buffer joined = {.arena = &a}; /* without the hard breaks, as the importer reads lines */
		for (size_t k = 0; k < markdown.len; k++)
			if (markdown.at[k] != '\\' || k + 1 == markdown.len || markdown.at[k + 1] != '\n')
				buffer_byte(&joined, markdown.at[k]);
		struct text again = inline_prose(&a, buffer_text(&joined));
		struct looks back = emphasis_looks(&a, again, EMPHASIS_PROSE, 0);
		if (!text_same(back.words, looks.words))
			fail_msg("%s -> %s -> %s", buffer_text(&prose).at, buffer_text(&markdown).at, again.at);
		arena_free(&a);
	}
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
		cmocka_unit_test(emphasis_beside_punctuation_is_written_as_it_reads),
		cmocka_unit_test(markdown_round_trips),
		cmocka_unit_test(the_longest_known_part_of_a_tag_decides),
	};
	return RUN_TESTS(tests);
}
