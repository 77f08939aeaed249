#include "kinds/floorplan/language/syntax.h"

#include "base/ascii.h"

#include <string.h>

struct head {
	struct arena *arena;
	struct syntax *out;
	struct report *report;
	struct text source;
	uint32_t at;
	int config_indent; /* of the key `config`, -1: not below it */
};

static bool starts(const struct head *h, const char *what)
{
	return text_starts(text_slice(h->source, h->at, h->source.len), what);
}

static char here(const struct head *h) { return h->at < h->source.len ? h->source.at[h->at] : '\0'; }

static bool is_key(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static void skip_line(struct head *h)
{
	while (h->at < h->source.len && h->source.at[h->at] != '\n')
		h->at++;
}

static void skip(struct head *h, bool block_comments)
{
	for (;;) {
		while (h->at < h->source.len && is_space(here(h)))
			h->at++;
		if (here(h) == '#') {
			skip_line(h);
		} else if (block_comments && starts(h, "/*")) {
			size_t end = text_find(h->source, TEXT("*/"), h->at + 2);

			if (end == SIZE_MAX)
				return; /* the lexer reports it */
			h->at = (uint32_t)end + 2;
		} else {
			return;
		}
	}
}

static int indent_of(const struct head *h)
{
	uint32_t start = h->at;

	while (start > 0 && h->source.at[start - 1] != '\n')
		start--;
	for (uint32_t i = start; i < h->at; i++)
		if (!is_space(h->source.at[i]))
			return 0;
	return (int)(h->at - start);
}

static bool is_number(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] != '.' && (t.at[i] < '0' || t.at[i] > '9'))
			return false;
	return t.len > 0;
}

/* A value without quotes ends at the end of its line or at a comment. A number or boolean ends at a blank, because the
 * public grammar allows several keys on one line. */
static struct span bare_value(struct head *h)
{
	uint32_t from = h->at, end, word;
	struct text first;

	for (word = from; word < h->source.len && !is_space(h->source.at[word]);)
		word++;
	first = text_slice(h->source, from, word);
	for (end = from; end < h->source.len && h->source.at[end] != '\n'; end++)
		if (is_space(h->source.at[end]) && (text_starts(text_slice(h->source, end + 1, h->source.len), "#") ||
						    text_starts(text_slice(h->source, end + 1, h->source.len), "---")))
			break;
	if (is_number(first) || word_find(SET_TRUTH, first) >= 0)
		end = word;
	h->at = end;
	while (end > from && is_space(h->source.at[end - 1]))
		end--;
	return (struct span){from, end};
}

static bool value(struct head *h, struct head_entry *e)
{
	char quote = here(h);

	if (quote != '"' && quote != '\'') {
		e->value_span = bare_value(h);
		e->value = text_slice(h->source, e->value_span.from, e->value_span.to);
		return true;
	}
	size_t end = text_find(h->source, (struct text){&quote, 1}, h->at + 1);

	if (end == SIZE_MAX) {
		report_error(h->report, PROBLEM_PARSE, h->at, "a string in the frontmatter has no end; expected %c",
			     quote);
		h->at = (uint32_t)h->source.len;
		return false;
	}
	e->quoted = true;
	e->value_span = (struct span){h->at, (uint32_t)end + 1};
	e->value = text_slice(h->source, h->at + 1, end);
	h->at = (uint32_t)end + 1;
	return true;
}

static bool entry(struct head *h)
{
	uint32_t from = h->at;
	int indent = indent_of(h);
	struct head_entry e = {.span = {.from = from}};

	while (h->at < h->source.len && is_key(here(h)))
		h->at++;
	e.key = text_slice(h->source, from, h->at);
	if (!e.key.len || here(h) != ':') {
		skip_line(h);
		report_warning(h->report, PROBLEM_PARSE, from,
			       "a line of the frontmatter is not `key: value`; it is ignored");
		return true;
	}
	h->at++;
	while (here(h) == ' ' || here(h) == '\t')
		h->at++;
	e.in_config = h->config_indent >= 0 && indent > h->config_indent;
	if (!e.in_config)
		h->config_indent = -1;
	if (!here(h) || here(h) == '\n' || here(h) == '\r' || here(h) == '#') {
		if (text_is(e.key, word_of(SET_STATEMENT, STATEMENT_CONFIG)))
			h->config_indent = indent;
		return true;
	}
	if (!value(h, &e))
		return false;
	e.span.to = h->at;
	*ARRAY_PUSH(h->arena, &h->out->head) = e;
	if (!e.in_config && text_is(e.key, word_of(SET_GLUE, GLUE_VERSION)) && !h->out->version_directive)
		h->out->version = (struct name){e.value, e.value_span};
	return true;
}

static void frontmatter(struct head *h)
{
	uint32_t from = h->at;

	h->at += 3;
	h->config_indent = -1;
	for (;;) {
		skip(h, false);
		if (h->at >= h->source.len) {
			report_error(h->report, PROBLEM_PARSE, h->at,
				     "the frontmatter has no end; expected --- on a line of its own");
			break;
		}
		if (starts(h, "---")) {
			h->at += 3;
			break;
		}
		if (!entry(h))
			break;
	}
	h->out->frontmatter = (struct span){from, h->at};
}

static void directive(struct head *h)
{
	size_t end = text_find(h->source, TEXT("}%%"), h->at);
	uint32_t from = h->at;
	struct text inside = text_slice(h->source, from + 3, end);

	if (end == SIZE_MAX) {
		report_error(h->report, PROBLEM_PARSE, from,
			     "the directive has no end; expected %%%%{version: 1.0}%%%%");
		skip_line(h);
		return;
	}
	h->at = (uint32_t)end + 3;
	size_t colon = text_find(inside, TEXT(":"), 0);

	if (colon == SIZE_MAX || !text_is(text_trim(text_slice(inside, 0, colon)), word_of(SET_GLUE, GLUE_VERSION))) {
		report_error(h->report, PROBLEM_PARSE, from + 3,
			     "a directive that is not a version; expected %%%%{version: 1.0}%%%%");
		return;
	}
	struct text version = text_trim(text_slice(inside, colon + 1, inside.len));
	uint32_t at = (uint32_t)(version.at - h->source.at);

	if (version.len >= 2 && (version.at[0] == '"' || version.at[0] == '\'') &&
	    version.at[version.len - 1] == version.at[0])
		version = text_slice(version, 1, version.len - 1);
	h->out->version = (struct name){version, {at, h->at - 3}};
	h->out->version_directive = true;
}

uint32_t head_read(struct arena *arena, struct syntax *out, struct report *report)
{
	struct head h = {.arena = arena, .out = out, .report = report, .source = out->source};

	if (text_starts(h.source, "\xEF\xBB\xBF"))
		h.at = 3;
	for (;;) {
		uint32_t before = h.at;

		skip(&h, true);
		if (starts(&h, "---"))
			frontmatter(&h);
		else if (starts(&h, "%%{"))
			directive(&h);
		else
			return before;
	}
}
