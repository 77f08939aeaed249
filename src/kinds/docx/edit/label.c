#include "kinds/docx/edit/label.h"

#include "base/ascii.h"

#include <string.h>

enum sort { SORT_DECIMAL = 1, SORT_LETTER = 2, SORT_ROMAN = 4 };

static unsigned sort_of(enum number_format format)
{
	switch (format) {
	case FORMAT_DECIMAL:
	case FORMAT_DECIMAL_ZERO: return SORT_DECIMAL;
	case FORMAT_LOWER_LETTER:
	case FORMAT_UPPER_LETTER: return SORT_LETTER;
	case FORMAT_LOWER_ROMAN:
	case FORMAT_UPPER_ROMAN: return SORT_ROMAN;
	case FORMAT_ORDINAL:
	case FORMAT_CARDINAL_TEXT:
	case FORMAT_ORDINAL_TEXT:
	case FORMAT_BULLET:
	case FORMAT_NONE:
	case FORMAT_HEX:
	case FORMAT_CHICAGO: break;
	}
	return 0;
}

/* Length of the label at the text's start, including the blanks after it; 0: none. *sorts: its possible kinds. */
static size_t typed_label(struct text t, unsigned *sorts)
{
	size_t i = 0, from;
	bool has_open = t.len && t.at[0] == '(';

	i += has_open;
	from = i;
	if (i < t.len && is_digit(t.at[i])) {
		*sorts = SORT_DECIMAL;
		while (i < t.len && (is_digit(t.at[i]) || (t.at[i] == '.' && i + 1 < t.len && is_digit(t.at[i + 1]))))
			i++;
	} else {
		bool is_roman = true;
		while (i < t.len && ((t.at[i] | 32) >= 'a' && (t.at[i] | 32) <= 'z')) {
			is_roman &= strchr("ivxlcdm", t.at[i] | 32) != NULL;
			i++;
		}
		*sorts = (i - from == 1 ? SORT_LETTER : 0) | (is_roman ? SORT_ROMAN : 0) |
			 (i - from == 2 && t.at[from] == t.at[from + 1] ? SORT_LETTER : 0);
	}
	bool is_path = *sorts == SORT_DECIMAL && memchr(t.at + from, '.', i - from);
	if (i == from || i - from > 12 || !*sorts)
		return 0;
	if (i < t.len && (t.at[i] == ')' || (!has_open && t.at[i] == '.')))
		i++;
	else if (has_open || !is_path)
		return 0;
	size_t blank = i;
	while (i < t.len && (t.at[i] == ' ' || t.at[i] == '\t'))
		i++;
	return i > blank && i < t.len ? i : 0;
}

struct text label_strip(struct call *c, struct text t, const struct list_item *item)
{
	unsigned want = sort_of(item->definition->format), sorts = 0;
	struct buffer to = {.arena = c->arena};

	for (size_t i = 0; i < t.len;) {
		bool is_start = !i || (i > 1 && t.at[i - 1] == '\n' && (t.at[i - 2] == '\n' || t.at[i - 2] == '\r'));
		size_t label = is_start ? typed_label(text_slice(t, i, t.len), &sorts) : 0;
		if (label && sorts & want) {
			warn(c, "the typed label %s was left out: the list numbers this paragraph by itself",
			     shown(c, text_trim(text_slice(t, i, i + label))));
			i += label;
			continue;
		}
		buffer_byte(&to, t.at[i++]);
	}
	return buffer_text(&to);
}
