#include "format/toml_scan.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <string.h>

bool toml_refuse(struct toml_reader *r, const char *at, const char *format, ...)
{
	va_list ap;

	if (!r->err)
		return false;
	va_start(ap, format);
	*r->err = (struct json_error){text_vformat(r->arena, format, ap).at, (uint32_t)(at - r->text), 1, 1};
	va_end(ap);
	for (const char *p = r->text; p < at; p++) {
		r->err->column++;
		if (*p == '\n')
			r->err->line++, r->err->column = 1;
	}
	return false;
}

bool toml_at(const struct toml_reader *r, char c) { return r->at < r->end && *r->at == c; }

bool toml_sees(const struct toml_reader *r, const char *word)
{
	return text_starts((struct text){r->at, (size_t)(r->end - r->at)}, word);
}

bool toml_begin(struct toml_reader *r)
{
	struct text all = {r->text, (size_t)(r->end - r->text)};
	size_t bad = utf8_bad(all);

	if (all.len > UINT32_MAX)
		return toml_refuse(r, r->text, "the document is over 4 GB");
	if (bad < all.len)
		return toml_refuse(r, r->text + bad, "the document is not valid UTF-8");
	if (toml_sees(r, "\xEF\xBB\xBF"))
		r->at += 3;
	return true;
}

void toml_skip_blanks(struct toml_reader *r)
{
	while (toml_at(r, ' ') || toml_at(r, '\t'))
		r->at++;
}

static bool is_control(char c) { return ((unsigned char)c < 0x20 && c != '\t') || c == 0x7F; }

static size_t newline_len(const struct toml_reader *r) { return toml_at(r, '\n') ? 1 : toml_sees(r, "\r\n") ? 2 : 0; }

static bool skip_comment(struct toml_reader *r)
{
	if (!toml_at(r, '#'))
		return true;
	while (r->at < r->end && !newline_len(r)) {
		if (is_control(*r->at))
			return toml_refuse(r, r->at, "a control character in a comment");
		r->at++;
	}
	return true;
}

bool toml_skip_lines(struct toml_reader *r)
{
	for (;;) {
		toml_skip_blanks(r);
		if (!skip_comment(r))
			return false;
		size_t n = newline_len(r);
		if (!n)
			return true;
		r->at += n;
	}
}

bool toml_line_end(struct toml_reader *r)
{
	toml_skip_blanks(r);
	if (!skip_comment(r))
		return false;
	return r->at == r->end || newline_len(r) || toml_refuse(r, r->at, "expected the end of the line");
}

static bool unicode_escape(struct toml_reader *r, struct buffer *to, int digits)
{
	const char *from = r->at;
	uint32_t c = 0;
	char out[4];

	r->at += 2;
	for (int i = 0; i < digits; i++, r->at++) {
		char d = r->at < r->end ? *r->at : 0, low = (char)(d | 32);
		if (!(d >= '0' && d <= '9') && !(low >= 'a' && low <= 'f'))
			return toml_refuse(r, from, "the escape needs %d hexadecimal digits", digits);
		c = c << 4 | (uint32_t)(d <= '9' ? d - '0' : low - 'a' + 10);
	}
	if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
		return toml_refuse(r, from, "the escape is not a Unicode character");
	buffer_add(to, (struct text){out, utf8_put(out, c)});
	return true;
}

/* A backslash at the end of a line removes the blanks and newlines that follow. */
static bool skip_continuation(struct toml_reader *r)
{
	const char *from = r->at++;

	toml_skip_blanks(r);
	if (!newline_len(r))
		return toml_refuse(r, from, "unknown escape in a string");
	for (size_t n; (n = newline_len(r)); toml_skip_blanks(r))
		r->at += n;
	return true;
}

static bool escape(struct toml_reader *r, struct buffer *to, bool many_lines)
{
	static const char plain[128] = {
		['b'] = '\b', ['t'] = '\t', ['n'] = '\n', ['f'] = '\f', ['r'] = '\r', ['"'] = '"', ['\\'] = '\\'};
	unsigned char c = r->end - r->at > 1 ? (unsigned char)r->at[1] : 0;

	if (c < 128 && plain[c]) {
		buffer_byte(to, plain[c]);
		r->at += 2;
		return true;
	}
	if (c == 'u' || c == 'U')
		return unicode_escape(r, to, c == 'u' ? 4 : 8);
	if (many_lines && (c == ' ' || c == '\t' || c == '\n' || c == '\r'))
		return skip_continuation(r);
	return toml_refuse(r, r->at, "unknown escape in a string");
}

/* At three quotes: do they close the string? Up to two quotes before the closing three belong to the string. */
static bool closes(const struct toml_reader *r, char quote)
{
	return r->end - r->at >= 3 && r->at[0] == quote && r->at[1] == quote && r->at[2] == quote &&
	       !(r->end - r->at > 3 && r->at[3] == quote);
}

static bool long_string(struct toml_reader *r, struct buffer *to)
{
	const char *from = r->at, quote = *from;
	int quotes = 0;

	r->at += 3;
	r->at += newline_len(r);
	while (r->at < r->end) {
		if (closes(r, quote)) {
			r->at += 3;
			return true;
		}
		quotes = *r->at == quote ? quotes + 1 : 0;
		if (quotes > 2)
			return toml_refuse(r, r->at, "too many quotes in a row");
		if (*r->at == '\\' && quote == '"') {
			if (!escape(r, to, true))
				return false;
			continue;
		}
		size_t n = newline_len(r);
		if (!n && is_control(*r->at))
			return toml_refuse(r, r->at, "a control character in a string must be written as an escape");
		buffer_byte(to, n ? '\n' : *r->at);
		r->at += n ? n : 1;
	}
	return toml_refuse(r, from, "the string is not closed");
}

static bool short_string(struct toml_reader *r, struct buffer *to)
{
	const char *from = r->at, quote = *r->at++;

	while (r->at < r->end && !newline_len(r)) {
		if (*r->at == quote) {
			r->at++;
			return true;
		}
		if (*r->at == '\\' && quote == '"') {
			if (!escape(r, to, false))
				return false;
			continue;
		}
		if (is_control(*r->at))
			return toml_refuse(r, r->at, "a control character in a string must be written as an escape");
		buffer_byte(to, *r->at++);
	}
	return toml_refuse(r, from, "the string is not closed on its line");
}

bool toml_string(struct toml_reader *r, struct text *out)
{
	struct buffer to = {.arena = r->arena};
	bool many_lines = toml_sees(r, "\"\"\"") || toml_sees(r, "'''");

	if (!(many_lines ? long_string(r, &to) : short_string(r, &to)))
		return false;
	*out = buffer_text(&to);
	return true;
}

static int digit_of(char c, int base)
{
	char low = (char)(c | 32);
	int d = c >= '0' && c <= '9' ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : 99;

	return d < base ? d : -1;
}

/* Copies digits from *p on into `to`, without the single underscores between them. False: no digits, or a misplaced
 * underscore. */
static bool digits(struct text word, size_t *p, int base, struct buffer *to)
{
	size_t from = *p;

	for (; *p < word.len; ++*p) {
		char c = word.at[*p];
		if (digit_of(c, base) >= 0) {
			buffer_byte(to, c);
			continue;
		}
		if (c != '_')
			break;
		if (*p == from || *p + 1 == word.len || digit_of(word.at[*p - 1], base) < 0 ||
		    digit_of(word.at[*p + 1], base) < 0)
			return false;
	}
	return *p > from;
}

static struct json *integer_of(struct toml_reader *r, struct text word, struct text plain, bool negative, int base)
{
	uint64_t n = 0, most = (uint64_t)INT64_MAX + negative;

	for (size_t i = 0; i < plain.len; i++) {
		uint64_t d = (uint64_t)digit_of(plain.at[i], base);
		if (n > (most - d) / (uint64_t)base)
			return toml_refuse(r, word.at, "the number does not fit into 64 bits"), NULL;
		n = n * (uint64_t)base + d;
	}
	return json_new_int(r->arena, (int64_t)(negative ? 0 - n : n));
}

static struct json *malformed(struct toml_reader *r, struct text word)
{
	toml_refuse(r, word.at, "expected a value: a string in quotes, a number, true, false, a date, [ or {");
	return NULL;
}

static struct json *based_integer(struct toml_reader *r, struct text word, int base)
{
	struct buffer plain = {.arena = r->arena};
	size_t p = 2;

	if (!digits(word, &p, base, &plain) || p < word.len)
		return malformed(r, word);
	return integer_of(r, word, buffer_text(&plain), false, base);
}

static struct json *number(struct toml_reader *r, struct text word)
{
	bool negative = word.at[0] == '-';
	size_t p = negative || word.at[0] == '+';
	struct buffer plain = {.arena = r->arena};

	if (text_starts(word, "0x") || text_starts(word, "0o") || text_starts(word, "0b"))
		return based_integer(r, word, word.at[1] == 'x' ? 16 : word.at[1] == 'o' ? 8 : 2);
	if (negative)
		buffer_byte(&plain, '-');
	if (!digits(word, &p, 10, &plain) || (plain.at[negative] == '0' && plain.len > 1u + negative))
		return malformed(r, word);
	if (p == word.len)
		return integer_of(r, word, text_slice(buffer_text(&plain), negative, SIZE_MAX), negative, 10);
	if (word.at[p] == '.') {
		p++;
		buffer_byte(&plain, '.');
		if (!digits(word, &p, 10, &plain))
			return malformed(r, word);
	}
	if (p < word.len && (word.at[p] | 32) == 'e') {
		p++;
		buffer_byte(&plain, 'e');
		if (p < word.len && (word.at[p] == '+' || word.at[p] == '-'))
			buffer_byte(&plain, word.at[p++]);
		if (!digits(word, &p, 10, &plain))
			return malformed(r, word);
	}
	if (p < word.len)
		return malformed(r, word);
	struct json *v = json_new_text(r->arena, buffer_text(&plain));
	v->type = JSON_REAL;
	return v;
}

static bool is_moment(struct text word)
{
	enum clock_form form;
	int64_t ignored;

	if (word.len > 2 && word.at[2] == ':')
		return clock_is_time(word);
	return clock_read(word, &ignored, &form) && form != CLOCK_MINUTE;
}

static bool ends_word(char c)
{
	return c == ',' || c == ']' || c == '}' || c == '#' || c == ' ' || c == '\t' || c == '\n' || c == '\r' ||
	       c == '=';
}

static size_t word_end(const struct toml_reader *r, const char *p)
{
	while (p < r->end && !ends_word(*p))
		p++;
	return (size_t)(p - r->at);
}

/* Four digits and a dash, or two and a colon: the word is meant as a date or a time. */
static bool is_like_moment(struct text word)
{
	int n = 0;

	while ((size_t)n < word.len && digit_of(word.at[n], 10) >= 0)
		n++;
	return (size_t)n < word.len && ((n == 4 && word.at[4] == '-') || (n == 2 && word.at[2] == ':'));
}

struct json *toml_scalar(struct toml_reader *r)
{
	struct text word = {r->at, word_end(r, r->at)};

	if (!word.len)
		return malformed(r, word);
	/* A date and a time may be separated by one blank. */
	if (word.len == 10 && is_like_moment(word) && r->end - r->at > 11 && word.at[10] == ' ' &&
	    digit_of(word.at[11], 10) >= 0)
		word.len = word_end(r, word.at + 11);
	r->at += word.len;
	if (text_is(word, "true") || text_is(word, "false"))
		return json_new_bool(r->arena, *word.at == 't');
	struct text without_sign = text_slice(word, *word.at == '+' || *word.at == '-', SIZE_MAX);
	if (text_is(without_sign, "inf") || text_is(without_sign, "nan"))
		return toml_refuse(r, word.at, "inf and nan cannot be used here; write a number"), NULL;
	if (!is_like_moment(word))
		return number(r, word);
	if (is_moment(word))
		return json_new_text(r->arena, word);
	return toml_refuse(r, word.at, "this is not a date or time, as in 2026-11-15T20:47:49Z"), NULL;
}
