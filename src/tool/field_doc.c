/* field_doc.c: describes field tables, for Markdown and for a terminal. */
#include "tool/doc.h"
#include "tool/field.h"
#include "tool/field_inner.h"

#include <stdio.h>
#include <string.h>

/* A row's path: "links[].line". It keeps the enclosing tables, so a recursive one is described once. */
struct way {
	const struct way *up;
	bool is_answer;
	const void *key;
	const char *prefix;
};

enum { PREFIX_MAX = 256 };

static void put_choices(struct buffer *to, const char *const *choices, const char *quote)
{
	for (size_t i = 0; choices[i]; i++)
		buffer_format(to, "%s%s%s%s", i == 0 ? "" : choices[i + 1] ? ", " : " or ", quote, choices[i], quote);
}

static const char *unit_of(const struct field *f)
{
	if (field_words[f->type].is_list)
		return " items";
	if (f->type == FIELD_TEXT)
		return " characters";
	return f->type == FIELD_MAP || f->type == FIELD_TEXT_MAP ? " members" : "";
}

/* Numbers and flags of a result are always written; other values only if present. */
static bool may_lack(const struct field *f)
{
	bool always = f->type == FIELD_INT || f->type == FIELD_NUMBER || f->type == FIELD_FLAG;

	return !always && !(f->flags & (FIELD_REQUIRED | FIELD_NULLABLE));
}

/* "text, 1 to 64 characters, required" */
static void put_type(struct buffer *to, const struct field *f, const char *quote, bool is_answer)
{
	char words[LIMITS_WORDS_MAX];

	if (f->choices) {
		buffer_put(to, f->type == FIELD_CHOICES ? "list of " : "");
		put_choices(to, f->choices, quote);
	} else {
		buffer_put(to, f->type == FIELD_TEXT && f->flags & FIELD_PATH ? "path" : field_words[f->type].brief);
	}
	if (*limits_words(words, f->limits)) {
		const char *unit = unit_of(f);
		int len = (int)strlen(unit) - (*unit && text_ends(text_of(words), " 1")); /* "at least 1 character" */
		buffer_format(to, ", %s%.*s", words, len, unit);
	}
	if (f->type == FIELD_TEXTS && *limits_words(words, field_more(f)->item_limits))
		buffer_format(to, ", each %s characters", words);
	if (f->type == FIELD_NUMBERS && *limits_words(words, field_more(f)->item_limits))
		buffer_format(to, ", each %s", words);
	if (f->flags & FIELD_NULLABLE)
		buffer_put(to, " or null");
	if (is_answer) {
		buffer_put(to, may_lack(f) ? ", optional" : "");
		return;
	}
	if (f->flags & FIELD_REQUIRED)
		buffer_put(to, ", required");
	if (f->otherwise)
		buffer_format(to, ", default %s%s%s", quote, f->otherwise, quote);
}

typedef void row_writer(struct buffer *to, const char *prefix, const struct field *f, bool is_answer);

static void walk(struct buffer *to, const struct field *table, const struct way *way, row_writer *put);

static void walk_below(struct buffer *to, const struct field *f, const struct way *way, row_writer *put)
{
	const void *key = field_shape_key(f);
	char prefix[PREFIX_MAX];
	const char *brackets = field_words[f->type].is_list ? "[]" : f->type == FIELD_MAP ? ".*" : "";

	for (const struct way *w = way; w; w = w->up)
		if (!key || w->key == key)
			return;
	if (!field_more(f)->variants) {
		snprintf(prefix, sizeof prefix, "%s%s%s.", way->prefix, f->name, brackets);
		walk(to, f->shape->fields,
		     &(struct way){.up = way, .is_answer = way->is_answer, .key = key, .prefix = prefix}, put);
		return;
	}
	for (const struct variant *v = field_more(f)->variants; v->name; v++) {
		struct field by = {.name = field_more(f)->by,
				   .type = FIELD_CHOICE,
				   .flags = FIELD_REQUIRED,
				   .prose = v->prose,
				   .choices = (const char *const[]){v->name, NULL}};
		snprintf(prefix, sizeof prefix, "%s%s%s.", way->prefix, f->name, brackets);
		put(to, prefix, &by, way->is_answer);
		snprintf(prefix, sizeof prefix, "%s%s%s(%s).", way->prefix, f->name, brackets, v->name);
		walk(to, v->shape.fields,
		     &(struct way){.up = way, .is_answer = way->is_answer, .key = key, .prefix = prefix}, put);
	}
}

static void walk(struct buffer *to, const struct field *table, const struct way *way, row_writer *put)
{
	for (const struct field *f = table; f && f->name; f++) {
		if (!field_is_listed(f))
			continue;
		put(to, way->prefix, f, way->is_answer);
		walk_below(to, f, way, put);
	}
}

static void put_markdown(struct buffer *to, const char *prefix, const struct field *f, bool is_answer)
{
	struct buffer type = {0};

	buffer_format(to, "| `%s%s` | ", prefix, f->name);
	put_type(&type, f, "`", is_answer);
	doc_cell(to, buffer_text(&type).at);
	buffer_free(&type);
	buffer_put(to, " | ");
	doc_cell(to, f->prose);
	buffer_put(to, " |\n");
}

static void put_terminal(struct buffer *to, const char *prefix, const struct field *f, bool is_answer)
{
	struct buffer head = {0};

	buffer_format(&head, "%s%s: ", prefix, f->name);
	put_type(&head, f, "", is_answer);
	doc_wrap(to, buffer_text(&head).at, 2);
	doc_wrap(to, f->prose, 6);
	buffer_free(&head);
}

void fields_doc(struct buffer *to, const struct field *table, bool is_answer)
{
	walk(to, table, &(struct way){.is_answer = is_answer, .key = table, .prefix = ""}, put_markdown);
}

void fields_help(struct buffer *to, const struct field *table, bool is_answer)
{
	walk(to, table, &(struct way){.is_answer = is_answer, .key = table, .prefix = ""}, put_terminal);
}
