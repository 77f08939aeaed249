/* Numbers as lists print them. Values come from files: every format has a bound beyond which it prints decimals. */
#include "kinds/docx/style/numbering.h"

enum { ROMAN_MAX = 32767, LETTERS_MAX = 30, WORDS_MAX = 999999 };

static void put_letters(struct buffer *to, int32_t n, char first)
{
	int32_t times = (n - 1) / 26 + 1;

	if (n < 1 || times > LETTERS_MAX) {
		buffer_format(to, "%d", n);
		return;
	}
	/* After z comes aa, then bb: the letter is repeated. */
	buffer_fill(to, (char)(first + (n - 1) % 26), (size_t)times);
}

static void put_roman(struct buffer *to, int32_t n, bool is_upper)
{
	static const struct {
		int32_t value;
		const char *lower, *upper;
	} signs[] = {{1000, "m", "M"}, {900, "cm", "CM"}, {500, "d", "D"},  {400, "cd", "CD"}, {100, "c", "C"},
		     {90, "xc", "XC"}, {50, "l", "L"},    {40, "xl", "XL"}, {10, "x", "X"},    {9, "ix", "IX"},
		     {5, "v", "V"},    {4, "iv", "IV"},   {1, "i", "I"}};

	if (n < 1 || n > ROMAN_MAX) {
		buffer_format(to, "%d", n);
		return;
	}
	for (size_t i = 0; i < ARRAY_COUNT(signs); i++)
		for (; n >= signs[i].value; n -= signs[i].value)
			buffer_put(to, is_upper ? signs[i].upper : signs[i].lower);
}

static const char *const small[] = {"zero",     "one",     "two",     "three",     "four",     "five",    "six",
				    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
				    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
static const char *const small_ordinals[] = {"zeroth",    "first",     "second",      "third",      "fourth",
					     "fifth",     "sixth",     "seventh",     "eighth",     "ninth",
					     "tenth",     "eleventh",  "twelfth",     "thirteenth", "fourteenth",
					     "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"};
static const char *const tens[] = {"",      "",      "twenty",  "thirty", "forty",
				   "fifty", "sixty", "seventy", "eighty", "ninety"};
static const char *const tens_ordinals[] = {"",         "",         "twentieth",  "thirtieth", "fortieth",
					    "fiftieth", "sixtieth", "seventieth", "eightieth", "ninetieth"};

static void put_words(struct buffer *to, int32_t n, bool is_ordinal)
{
	static const struct {
		int32_t value;
		const char *name;
	} large[] = {{1000, "thousand"}, {100, "hundred"}};

	for (size_t i = 0; i < ARRAY_COUNT(large); i++) {
		if (n < large[i].value)
			continue;
		put_words(to, n / large[i].value, false);
		n %= large[i].value;
		buffer_format(to, " %s%s", large[i].name, !n && is_ordinal ? "th" : "");
		if (!n)
			return;
		buffer_byte(to, ' ');
	}
	if (n < 20) {
		buffer_put(to, is_ordinal ? small_ordinals[n] : small[n]);
	} else if (n % 10) {
		buffer_format(to, "%s-%s", tens[n / 10], is_ordinal ? small_ordinals[n % 10] : small[n % 10]);
	} else {
		buffer_put(to, is_ordinal ? tens_ordinals[n / 10] : tens[n / 10]);
	}
}

static void put_capitalised(struct buffer *to, int32_t n, bool is_ordinal)
{
	size_t at = to->len;

	if (n < 0 || n > WORDS_MAX) {
		buffer_format(to, "%d", n);
		return;
	}
	put_words(to, n, is_ordinal);
	to->at[at] = (char)(to->at[at] - 32);
}

static void put_ordinal(struct buffer *to, int32_t n)
{
	int32_t last = n % 100;
	const char *ending = last >= 11 && last <= 13 ? "th"
			     : n % 10 == 1            ? "st"
			     : n % 10 == 2            ? "nd"
			     : n % 10 == 3            ? "rd"
						      : "th";

	buffer_format(to, "%d%s", n, ending);
}

static void put_chicago(struct buffer *to, int32_t n)
{
	static const char *const marks[] = {"*", "†", "‡", "§"};
	int32_t times = (n - 1) / 4 + 1;

	if (n < 1 || times > LETTERS_MAX) {
		buffer_format(to, "%d", n);
		return;
	}
	while (times--)
		buffer_put(to, marks[(n - 1) % 4]);
}

void number_put(struct buffer *to, enum number_format format, int32_t n)
{
	switch (format) {
	case FORMAT_DECIMAL_ZERO: buffer_format(to, n >= 0 && n < 10 ? "0%d" : "%d", n); break;
	case FORMAT_LOWER_LETTER: put_letters(to, n, 'a'); break;
	case FORMAT_UPPER_LETTER: put_letters(to, n, 'A'); break;
	case FORMAT_LOWER_ROMAN: put_roman(to, n, false); break;
	case FORMAT_UPPER_ROMAN: put_roman(to, n, true); break;
	case FORMAT_ORDINAL: put_ordinal(to, n); break;
	case FORMAT_CARDINAL_TEXT: put_capitalised(to, n, false); break;
	case FORMAT_ORDINAL_TEXT: put_capitalised(to, n, true); break;
	case FORMAT_HEX: buffer_format(to, "%X", (unsigned)n); break;
	case FORMAT_CHICAGO: put_chicago(to, n); break;
	case FORMAT_BULLET:
	case FORMAT_NONE: break;
	case FORMAT_DECIMAL:
	default: buffer_format(to, "%d", n); break;
	}
}
