#include "kinds/docjl/block/clauses.h"

#include "base/utf8.h"

#include <string.h>

const char *const clause_states[CLAUSE_STATES] = {"covered", "partly", "missing"};

/* A cell of CSV: quoted ("" is a quote) or up to the separator. `at` moves behind it, to the separator or the end of
 * the line. */
static struct text cell_read(struct arena *a, struct text csv, size_t *at, char separator)
{
	struct buffer b = {.arena = a};
	size_t i = *at;
	bool is_quoted = false;

	while (i < csv.len && (csv.at[i] == ' ' || csv.at[i] == '\t'))
		i++;
	if (i < csv.len && csv.at[i] == '"') {
		is_quoted = true;
		for (i++; i < csv.len; i++) {
			if (csv.at[i] == '"' && i + 1 < csv.len && csv.at[i + 1] == '"')
				i++;
			else if (csv.at[i] == '"')
				break;
			buffer_byte(&b, csv.at[i]);
		}
		i += i < csv.len;
	}
	size_t from = i;
	while (i < csv.len && csv.at[i] != separator && csv.at[i] != '\n' && csv.at[i] != '\r')
		i++;
	if (!is_quoted)
		buffer_add(&b, text_slice(csv, from, i));
	*at = i;
	return text_trim(b.len ? buffer_text(&b) : TEXT(""));
}

static bool is_token(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
	       (unsigned char)c >= 0x80;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The next number of a clause: 8.3.2, A.1, or 8.3.2.a for 8.3.2 a). Folded. Absent: there is none. */
static struct text number_next(struct arena *a, struct text t, size_t *at)
{
	for (size_t i = *at, from; i < t.len; i++) {
		if (!is_token(t.at[i]))
			continue;
		bool has_digit = false;
		for (from = i; i < t.len && is_token(t.at[i]); i++)
			has_digit |= t.at[i] >= '0' && t.at[i] <= '9';
		size_t end = i;
		while (end > from && t.at[end - 1] == '.')
			end--;
		*at = i;
		if (!has_digit || end == from) {
			i--;
			continue;
		}
		struct text number = utf8_fold(a, text_slice(t, from, end));
		while (i < t.len && (t.at[i] == ' ' || t.at[i] == '('))
			i++;
		if (i + 1 < t.len && is_letter(t.at[i]) && t.at[i + 1] == ')') {
			number = text_format(a, "%.*s.%c", TEXT_ARGS(number), t.at[i] | 0x20);
			*at = i + 2;
		}
		return number;
	}
	*at = t.len;
	return (struct text){0};
}

static char separator_of(struct text csv)
{
	for (size_t i = 0; i < csv.len && csv.at[i] != '\n'; i++)
		if (csv.at[i] == ',' || csv.at[i] == ';')
			return csv.at[i];
	return ',';
}

static bool clause_add(struct clauses *out, struct text number, struct text title, unsigned line, struct text *why)
{
	struct arena *a = out->arena;
	size_t at = 0;
	bool was;
	struct text key = number_next(a, number, &at);

	if (!key.at && line == 1)
		return true; /* a heading */
	if (!key.at)
		*why = text_format(a, "line %u has no number of a clause in its first column", line);
	else if (out->items.n == CLAUSES_MAX)
		*why = text_format(a, "there are more than %d clauses", CLAUSES_MAX);
	if (why->at)
		return false;
	map_at(&out->at, key, (uint32_t)out->items.n, &was);
	if (was) {
		*why = text_format(a, "line %u repeats the clause %.*s", line, TEXT_ARGS(number));
		return false;
	}
	*ARRAY_PUSH(a, &out->items) = (struct clause){.number = number, .title = title};
	return true;
}

bool clauses_read(struct arena *a, struct text csv, struct clauses *out, struct text *why)
{
	char separator = separator_of(csv);
	unsigned line = 0;

	*why = (struct text){0};
	*out = (struct clauses){.arena = a, .at = {.arena = a}};
	if (text_starts(csv, "\xef\xbb\xbf"))
		csv = text_slice(csv, 3, csv.len);
	for (size_t at = 0; at < csv.len;) {
		line++;
		struct text number = cell_read(a, csv, &at, separator), title = {0};
		if (at < csv.len && csv.at[at] == separator) {
			at++;
			title = cell_read(a, csv, &at, separator);
		}
		bool is_empty = !number.len && !title.len;
		while (at < csv.len && csv.at[at] != '\n')
			at++;
		at++;
		if (!is_empty && !clause_add(out, number, title.at ? title : TEXT(""), line, why))
			return false;
	}
	if (!out->items.n)
		*why = TEXT("there is no clause");
	return out->items.n > 0;
}

void clauses_see(struct clauses *list, struct text note, struct text label)
{
	struct arena *a = list->arena;
	struct map seen = {.arena = a}; /* a note may repeat a number */
	size_t at = 0;
	bool was;

	for (struct text number; (number = number_next(a, note, &at)).at;) {
		for (size_t end = number.len; end; end--) {
			if (end != number.len && number.at[end] != '.')
				continue;
			struct text key = text_slice(number, 0, end);
			const uint32_t *found = map_find(&list->at, key);
			if (!found)
				continue;
			struct clause *c = &list->items.items[*found];
			bool is_below = end != number.len;
			map_at(&seen, is_below ? text_format(a, "%.*s.", TEXT_ARGS(key)) : key, 1, &was);
			if (was)
				continue;
			c->below += is_below;
			c->named += !is_below;
			if (!is_below && c->labels.n < CLAUSE_LABELS_MAX)
				*ARRAY_PUSH(a, &c->labels) = label;
		}
	}
}

enum clause_state clause_state(const struct clause *c)
{
	return c->named ? CLAUSE_COVERED : c->below ? CLAUSE_PARTLY : CLAUSE_MISSING;
}

static void cell_write(struct buffer *to, struct text t)
{
	/* A program for tables takes a cell that begins so for a formula. */
	bool is_formula = t.len && strchr("=+-@", t.at[0]);

	buffer_byte(to, '"');
	if (is_formula)
		buffer_byte(to, '\'');
	for (size_t i = 0; i < t.len; i++) {
		if (t.at[i] == '"')
			buffer_byte(to, '"');
		buffer_byte(to, t.at[i]);
	}
	buffer_byte(to, '"');
}

void clauses_csv(struct buffer *to, const struct clauses *list)
{
	buffer_put(to, "clause,title,state,blocks\r\n");
	for (size_t i = 0; i < list->items.n; i++) {
		const struct clause *c = &list->items.items[i];
		struct buffer labels = {.arena = list->arena};
		for (size_t k = 0; k < c->labels.n; k++)
			buffer_format(&labels, "%s%.*s", k ? " " : "", TEXT_ARGS(c->labels.items[k]));
		if (c->named > (int64_t)c->labels.n)
			buffer_format(&labels, " and %lld more", (long long)(c->named - (int64_t)c->labels.n));
		cell_write(to, c->number);
		buffer_byte(to, ',');
		cell_write(to, c->title);
		buffer_format(to, ",%s,", clause_states[clause_state(c)]);
		cell_write(to, labels.len ? buffer_text(&labels) : TEXT(""));
		buffer_put(to, "\r\n");
	}
}
