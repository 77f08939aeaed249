#include "kinds/floorplan/language/names.h"

#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/floorplan/language/words.h"

#include <string.h>

/* The usual ASCII spelling of these letters. Other letters lose their accent. */
static const struct {
	uint32_t letter;
	const char *ascii;
} spellings[] = {
	{0xE4, "ae"}, {0xF6, "oe"}, {0xFC, "ue"}, {0xDF, "ss"},  {0xE6, "ae"}, {0xF8, "oe"},
	{0xE5, "aa"}, {0xFE, "th"}, {0xF0, "d"},  {0x153, "oe"}, {0x142, "l"}, {0x111, "d"},
};

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void put_letter(struct buffer *b, struct text letter, uint32_t c)
{
	uint32_t lower = utf8_lower(c);
	char loose[32];
	const char *spelt = NULL;

	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
		if (spellings[i].letter == lower)
			spelt = spellings[i].ascii;
	size_t len = spelt ? strlen(spelt) : utf8_loose(letter, loose, sizeof loose);
	const char *from = spelt ? spelt : loose;

	for (size_t i = 0; i < len; i++) {
		bool capital = lower != c && i == 0 && from[i] >= 'a' && from[i] <= 'z';

		if (is_plain(from[i]))
			buffer_byte(b, (char)(capital ? from[i] - 'a' + 'A' : from[i]));
	}
}

struct text name_in_ascii(struct arena *a, struct text name)
{
	struct buffer b = {.arena = a};
	struct text whole = utf8_nfc(a, utf8_repaired(a, name));

	for (size_t at = 0; at < whole.len && b.len < 100;) {
		size_t from = at;
		uint32_t c = utf8_next(whole, &at);

		if (c < 0x80 && is_plain((char)c))
			buffer_byte(&b, (char)c);
		else if (c < 0x80)
			buffer_byte(&b, '_');
		else
			put_letter(&b, text_slice(whole, from, at), c);
	}
	if (!b.len || (b.at[0] >= '0' && b.at[0] <= '9'))
		return TEXT("Room1");
	if (word_is_reserved(buffer_text(&b)))
		buffer_byte(&b, '_');
	return buffer_text(&b);
}

const char *name_advice(struct arena *a, struct text name)
{
	bool ascii = true;

	for (size_t i = 0; i < name.len; i++)
		ascii = ascii && (unsigned char)name.at[i] < 0x80;
	if (ascii)
		return NULL;
	struct text whole = utf8_repaired(a, name), cut = text_slice(whole, 0, utf8_cut(whole, 80));

	return text_format(a, "names are ASCII letters, digits and _; write %.*s %s \"%.*s\"",
			   TEXT_ARGS(name_in_ascii(a, cut)), word_of(SET_CLAUSE, CLAUSE_LABEL), TEXT_ARGS(cut))
		.at;
}
