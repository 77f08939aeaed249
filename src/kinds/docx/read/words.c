/* The words of a Word file that is no session: a line for each paragraph of every story, as read_file shows it. Two
 * versions of a file are compared by these lines. */
#include "kinds/docx/read/words.h"

#include "kinds/docx/read/view.h"
#include "kinds/docx/session/load.h"

static bool write_rows(struct call *c, struct session *s, struct buffer *to)
{
	struct arena scratch = {0};
	struct rows_walk w = {0};
	uint8_t base = view_base(c, s);
	bool done = rows_begin(c, s, SCOPE_ALL, &w);
	struct row row;

	w.scratch = &scratch;
	while (done && rows_next(&w)) {
		done = rows_row(&w, &row);
		if (!done)
			break;
		if (row.label.len)
			buffer_format(to, "%.*s ", TEXT_ARGS(row.label));
		if (row.header.len)
			buffer_format(to, "%.*s ", TEXT_ARGS(row.header));
		buffer_add(to, row_text(&scratch, &row, true, base));
		buffer_put(to, "\n");
	}
	arena_free(&scratch);
	return done;
}

bool docx_words(struct call *c, struct text bytes, const struct zip_limits *limits, struct text *out)
{
	void *mine = c->state;
	struct docx_state state = {.limits = *limits};
	struct session s = {0};
	struct buffer b = {.arena = c->arena};

	c->state = &state;
	bool done = session_load(c, &s, bytes);
	if (done) {
		done = write_rows(c, &s, &b);
		session_unload(&s);
	}
	c->state = mine;
	*out = buffer_text(&b);
	return done;
}
