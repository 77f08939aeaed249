#include "kinds/floorplan/language/syntax.h"

#include "base/ascii.h"

#include <string.h>

struct lexer {
	struct arena *arena;
	const char *text;
	uint32_t at, len;
	struct tokens *out;
	int parens;
};

static bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static char peek(const struct lexer *l, uint32_t ahead)
{
	return l->at + ahead < l->len ? l->text[l->at + ahead] : '\0';
}

static void emit(struct lexer *l, enum token_kind kind, uint32_t to, char mark)
{
	struct token *t = ARRAY_PUSH(l->arena, l->out);

	*t = (struct token){.from = l->at, .to = to, .kind = kind, .mark = mark};
	l->at = to;
}

/* Skips blanks and comments. Returns false if a comment has no end; it then becomes a token. */
static bool skip(struct lexer *l)
{
	while (l->at < l->len) {
		char c = l->text[l->at];

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			l->at++;
		} else if (c == '#') {
			const char *end = memchr(l->text + l->at, '\n', l->len - l->at);

			l->at = end ? (uint32_t)(end - l->text) : l->len;
		} else if (c == '/' && peek(l, 1) == '*') {
			const char *end =
				l->at + 2 < l->len ? memmem(l->text + l->at + 2, l->len - l->at - 2, "*/", 2) : NULL;

			if (!end) {
				emit(l, TOKEN_OPEN_COMMENT, l->len, 0);
				return false;
			}
			l->at = (uint32_t)(end - l->text) + 2;
		} else {
			return true;
		}
	}
	return true;
}

static const struct token *before(const struct lexer *l, size_t back)
{
	return l->out->n > back ? &l->out->items[l->out->n - 1 - back] : NULL;
}

/* Is there a number, or a number and its unit, before this word? */
static bool after_number(const struct lexer *l)
{
	const struct token *t = before(l, 0);

	if (t && t->kind == TOKEN_WORD && word_find(SET_UNIT, (struct text){l->text + t->from, t->to - t->from}) >= 0)
		t = before(l, 1);
	return t && t->kind == TOKEN_NUMBER;
}

/* In (10x12) and (10ftx12ft) there is no blank around the x. So within parentheses, after a number, a word ends before
 * its x, and the x before its digits. */
static uint32_t size_word(const struct lexer *l, uint32_t to)
{
	const char *cross = word_of(SET_GLUE, GLUE_X);
	struct text word = {l->text + l->at, to - l->at};

	if (word.len > 1 && word.at[0] == *cross && is_digit(word.at[1]))
		return l->at + 1;
	for (size_t i = word.len - 1; i >= 1; i--)
		if (word.at[i] == *cross && (i + 1 == word.len || is_digit(word.at[i + 1])) &&
		    word_find(SET_UNIT, text_slice(word, 0, i)) >= 0)
			return l->at + (uint32_t)i;
	return to;
}

/* A word with hyphens is one token only if the language has that word. */
static bool hyphened(struct text word)
{
	return word_find(SET_DIRECTION, word) >= 0 || word_find(SET_STATEMENT, word) >= 0 ||
	       word_find(SET_DOOR_TYPE, word) >= 0 || word_find(SET_STAIR_SHAPE, word) >= 0 ||
	       word_find(SET_CLAUSE, word) >= 0 || word_find(SET_WALL_TYPE, word) >= 0;
}

static void lex_word(struct lexer *l)
{
	uint32_t to = l->at, plain;

	while (to < l->len && (is_name_letter(l->text[to]) || is_digit(l->text[to])))
		to++;
	plain = to;
	while (to + 1 < l->len && l->text[to] == '-' && is_name_letter(l->text[to + 1])) {
		to++;
		while (to < l->len && (is_name_letter(l->text[to]) || is_digit(l->text[to])))
			to++;
	}
	while (to > plain && !hyphened((struct text){l->text + l->at, to - l->at}))
		do
			to--;
		while (l->text[to] != '-');
	if (to == plain && l->parens && after_number(l))
		to = size_word(l, to);
	emit(l, TOKEN_WORD, to, 0);
}

static void lex_number(struct lexer *l)
{
	uint32_t to = l->at;

	while (to < l->len && is_digit(l->text[to]))
		to++;
	if (to + 1 < l->len && l->text[to] == '.' && is_digit(l->text[to + 1]))
		for (to++; to < l->len && is_digit(l->text[to]);)
			to++;
	emit(l, TOKEN_NUMBER, to, 0);
}

static void lex_string(struct lexer *l)
{
	const char *end = memchr(l->text + l->at + 1, l->text[l->at], l->len - l->at - 1);

	emit(l, end ? TOKEN_STRING : TOKEN_OPEN_STRING, end ? (uint32_t)(end - l->text) + 1 : l->len, 0);
}

static void lex_strange(struct lexer *l)
{
	uint32_t to = l->at + 1;

	while (to < l->len && ((unsigned char)l->text[to] & 0xC0) == 0x80)
		to++;
	emit(l, TOKEN_STRANGE, to, 0);
}

static void lex_other(struct lexer *l)
{
	char c = l->text[l->at];

	switch (c) {
	case '(':
	case ')': l->parens += c == '(' ? 1 : l->parens > 0 ? -1 : 0; /* fall through */
	case '{':
	case '}':
	case '[':
	case ']':
	case ',':
	case ':':
	case '.':
	case '%':
	case '-': emit(l, TOKEN_MARK, l->at + 1, c); break;
	case '"':
	case '\'': lex_string(l); break;
	default:
		if (c == '\xC2' && peek(l, 1) == '\xB0')
			emit(l, TOKEN_MARK, l->at + 2, DEGREE);
		else
			lex_strange(l);
		break;
	}
}

void lex(struct arena *arena, struct text source, uint32_t from, struct tokens *out)
{
	struct lexer l = {.arena = arena, .text = source.at, .at = from, .len = (uint32_t)source.len, .out = out};

	/* About as many as a plan of that length has, so that the list is rarely reallocated. */
	out->cap = (source.len - from) / 4 + 16;
	out->items = arena_alloc(arena, out->cap * sizeof *out->items);
	while (skip(&l) && l.at < l.len) {
		char c = l.text[l.at];

		if (is_name_letter(c))
			lex_word(&l);
		else if (is_digit(c))
			lex_number(&l);
		else
			lex_other(&l);
	}
	emit(&l, TOKEN_END, l.len, 0);
}
