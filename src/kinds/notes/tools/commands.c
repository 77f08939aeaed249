/* commands.c: quire notes index: computes the vectors of a vault now instead of in the background. */
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/engine.h"

#include <stdio.h>
#include <unistd.h>

static int failed(const char *why)
{
	fprintf(stderr, "quire: %s\n", why);
	return 1;
}

static int index_notes(struct call *c, int argc, char **argv)
{
	enum { LOOK_AGAIN = 500 /* ms */ };
	struct search *search;
	struct search_count count;
	bool is_watched = isatty(STDERR_FILENO), is_done = false;

	(void)argc, (void)argv;
	if (!c->work)
		return failed("name the folder of the notes with --root DIR");
	if (!engine_is_offered(&((const struct vault *)c->state)->config))
		return failed("search is switched off by --embed none; leave that out");
	if (!engine_ready(c, &search))
		return failed(error_sentence(c->arena, &c->error));
	do {
		is_done = search_settle(search, LOOK_AGAIN);
		count = search_count(search, c->arena);
		if (is_watched)
			fprintf(stderr, "\r\033[K%zu of %zu notes", count.vectors, count.notes);
	} while (!is_done && !count.problem);
	if (is_watched)
		fputc('\n', stderr);
	if (count.problem)
		return failed(count.problem);
	printf("%zu notes are ready to be found by meaning\n", count.vectors);
	return 0;
}

const struct command notes_commands[] = {
	{"index", "", "Compute the vectors of all notes now, so that search finds them by meaning from its first call.",
	 index_notes},
	{.name = NULL},
};
