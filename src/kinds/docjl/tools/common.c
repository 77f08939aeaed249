#include "kinds/docjl/tools/common.h"

#include <stdlib.h>

const struct json *parsed(struct call *c, const struct buffer *b)
{
	const struct json *v = json_parse(c->arena, buffer_text(b), JSON_DEPTH_MAX, &(struct json_error){0});

	return v ? v : json_new_object(c->arena);
}

bool cursor_read(struct call *c, struct text cursor, int64_t *from)
{
	char *end = NULL;

	*from = 0;
	if (!cursor.at)
		return true;
	*from = strtoll(text_string(c->arena, cursor), &end, 10);
	return (!*end && *from > 0) ||
	       fail(c, FAULT_ARGUMENT, "cursor %s is not one that this tool returned; leave it out to begin",
		    shown(c, cursor));
}

struct text cursor_write(struct call *c, int64_t from) { return text_format(c->arena, "%lld", (long long)from); }

static const struct field pair_table[] = {
	FIELD_AS("old", struct label_pair, before, TEXT, FIELD_REQUIRED, ""),
	FIELD_AS("new", struct label_pair, after, TEXT, FIELD_REQUIRED, ""),
	FIELDS_END,
};
const struct shape pair_shape = SHAPE(struct label_pair, "label_change", pair_table);

size_t shown_max(struct call *c, size_t n) { return n > SHOWN_MAX && answer_room(c) != SIZE_MAX ? SHOWN_MAX : n; }

struct maybe_int shown_count(struct call *c, int64_t n, bool brief)
{
	return (struct maybe_int){n, brief || n > (int64_t)shown_max(c, (size_t)n)};
}

struct objects pairs_of(struct manual *m)
{
	size_t n = shown_max(m->c, m->changes.n);
	struct label_pair *list = arena_array(m->c->arena, n + 1, sizeof *list);

	for (size_t i = 0; i < n; i++)
		list[i] = (struct label_pair){m->changes.items[i].before, m->changes.items[i].after};
	return (struct objects){list, n};
}
