/* history.c: quire history, diff, show, restore and undo. */
#include "tool/file_tools.h"

#include "base/clock.h"
#include "shell/command.h"

#include <errno.h>
#include <stdlib.h>

enum { ENTRIES_MAX = 1000 };

struct at_work {
	struct settings s;
	struct caller caller;
	struct ticker *ticker;
	struct text path;
};

/* Reads the arguments of a command on a file and opens its workspace. If false, *status is set. */
static bool begin(struct call *c, const char *name, size_t words_max, int argc, char **argv, struct at_work *w,
		  int *status)
{
	const struct shell_command *self = shell_command_find(name);

	*status = EXIT_USAGE;
	if (!options_read(c, self->options, argc, argv, &w->s)) {
		shell_usage(c, name);
		return false;
	}
	if (w->s.help) {
		help_command(stdout, self);
		*status = EXIT_DONE;
		return false;
	}
	bool has_file = w->s.rest.n && w->s.rest.items[0][0];
	if (!has_file || w->s.rest.n > words_max) {
		fail(c, FAULT_MISSING, has_file ? "quire %s was given too many arguments" : "quire %s needs a file",
		     name);
		shell_usage(c, name);
		return false;
	}
	const struct words no_kinds = {0};
	w->s.is_owner = true;
	w->path = text_of(w->s.rest.items[0]);
	if (!settings_complete(c, &w->s, &no_kinds) ||
	    (!w->s.roots.n && !root_above(c, &w->s, w->s.rest.items[0], &w->path)) ||
	    !workspace_open(c, &w->s, &c->work)) {
		shell_failed(c, EXIT_USAGE);
		return false;
	}
	w->caller.name = text_of(w->s.user ? w->s.user : getenv("USER"));
	if (!w->caller.name.at)
		w->caller.name = TEXT("shell");
	c->caller = &w->caller;
	c->tool = self->name;
	w->ticker = ticker_start(c->work);
	return true;
}

static int end(struct call *c, struct at_work *w, bool done)
{
	int status = done ? EXIT_DONE : shell_failed(c, EXIT_REFUSED);

	shell_warnings(c);
	work_release(c);
	ticker_stop(w->ticker);
	work_close(c->work);
	return status;
}

static void entry_print(struct call *c, const struct history_entry *e)
{
	printf("%-6lld %.*s  %-16.*s  %-16.*s -> %-16.*s", (long long)e->id, TEXT_ARGS(clock_iso(c->arena, e->time)),
	       TEXT_ARGS(e->who), TEXT_ARGS(e->before.at ? e->before : TEXT("(new)")),
	       TEXT_ARGS(e->after.at ? e->after : TEXT("(gone)")));
	printf("  %s", shown(c, e->summary));
	if (e->documents > 1)
		printf(" (%zu documents)", e->documents);
	printf("%s%s\n", e->is_undone ? " [undone]" : "", e->is_undo ? " [undo]" : "");
}

static bool history_print(struct call *c, const struct at_work *w)
{
	ARRAY(struct history_entry) all = {0};
	int64_t before = 0;
	bool more = true;

	while (more) {
		struct history_entry *entries = NULL;
		size_t n = 0;

		if (!history_list(c, w->path, before, ENTRIES_MAX, &entries, &n, &more))
			return false;
		for (size_t i = 0; i < n; i++) {
			before = entries[i].id;
			if (w->s.json)
				*ARRAY_PUSH(c->arena, &all) = entries[i];
			else
				entry_print(c, &entries[i]);
		}
		more = more && n;
	}
	if (w->s.json) {
		struct buffer b = {.arena = c->arena};
		struct json_out o = {.to = &b};
		struct history_answer answer = {.commits = commit_rows(c, all.items, all.n)};

		fields_encode(&o, history_out, &answer);
		buffer_byte(&b, '\n');
		return shell_write(buffer_text(&b));
	}
	if (!before)
		fprintf(stderr, "quire: nothing was written to %s by quire\n", shown(c, w->path));
	return true;
}

int history_run(struct call *c, int argc, char **argv)
{
	struct at_work w = {0};
	size_t forgotten = 0;
	int status;

	if (!begin(c, "history", 1, argc, argv, &w, &status))
		return status;
	if (!w.s.forget)
		return end(c, &w, history_print(c, &w));
	bool done = history_forget(c, w.path, &forgotten);
	if (done && w.s.json)
		printf("{\"forgotten\":%zu}\n", forgotten);
	else if (done)
		printf("%zu entries of %s are forgotten\n", forgotten, shown(c, w.path));
	return end(c, &w, done);
}

int diff_run(struct call *c, int argc, char **argv)
{
	struct at_work w = {0};
	struct text diff = {0}, from = {0}, to = {0};
	int status;

	if (!begin(c, "diff", 3, argc, argv, &w, &status))
		return status;
	if (w.s.rest.n > 1)
		from = text_of(w.s.rest.items[1]);
	if (w.s.rest.n > 2)
		to = text_of(w.s.rest.items[2]);
	/* Without arguments, show the newest change. */
	if (!from.at) {
		struct history_entry *entries = NULL;
		size_t n = 0;
		bool more;

		if (!history_list(c, w.path, 0, 1, &entries, &n, &more))
			return end(c, &w, false);
		if (!n) {
			fprintf(stderr, "quire: nothing was written to %s by quire\n", shown(c, w.path));
			return end(c, &w, true);
		}
		from = entries[0].before;
	}
	bool done = history_diff(c, w.path, from, to, &diff);
	if (done)
		shell_diff(diff);
	return end(c, &w, done);
}

static int wants_moment(struct call *c, struct at_work *w, const char *command)
{
	fail(c, FAULT_MISSING, "quire %s needs a revision or the number of a commit; quire history %s lists them",
	     command, shown(c, w->path));
	end(c, w, false);
	return EXIT_USAGE;
}

int show_run(struct call *c, int argc, char **argv)
{
	struct at_work w = {0};
	struct text bytes, revision;
	int status;

	if (!begin(c, "show", 2, argc, argv, &w, &status))
		return status;
	if (w.s.rest.n < 2)
		return wants_moment(c, &w, "show");
	bool done = history_bytes(c, w.path, text_of(w.s.rest.items[1]), &bytes, &revision);
	return end(c, &w, done && shell_write(bytes));
}

static void changes_print(struct call *c)
{
	for (size_t i = 0; i < c->planned.n; i++)
		shell_diff(c->planned.items[i].diff);
}

int restore_run(struct call *c, int argc, char **argv)
{
	struct at_work w = {0};
	struct restored restored;
	int status;

	if (!begin(c, "restore", 2, argc, argv, &w, &status))
		return status;
	if (w.s.rest.n < 2)
		return wants_moment(c, &w, "restore");
	c->dry_run = w.s.dry_run;
	bool done = history_restore(c, w.path, text_of(w.s.rest.items[1]), &restored);
	if (done)
		printf(!restored.changed ? "%s is at revision %.*s already\n"
		       : w.s.dry_run     ? "would restore %s to revision %.*s\n"
					 : "restored %s to revision %.*s\n",
		       shown(c, w.path), TEXT_ARGS(restored.revision));
	if (done)
		changes_print(c);
	return end(c, &w, done);
}

int undo_run(struct call *c, int argc, char **argv)
{
	struct at_work w = {0};
	struct undone undone = {0};
	int64_t id = 0;
	int status;

	if (!begin(c, "undo", 1, argc, argv, &w, &status))
		return status;
	if (w.s.commit) {
		char *behind;

		errno = 0;
		id = strtoll(w.s.commit, &behind, 10);
		if (*behind || id <= 0 || errno)
			fail(c, FAULT_ARGUMENT, "--commit %s is not a commit number; quire history lists them",
			     shown(c, text_of(w.s.commit)));
		else if (w.s.redo)
			fail(c, FAULT_ARGUMENT, "--redo undoes the newest undo and cannot be used with --commit");
		if (c->error.fault) {
			end(c, &w, false);
			return EXIT_USAGE;
		}
	}
	c->dry_run = w.s.dry_run;
	bool done = history_undo(c, w.path, id, w.s.redo, &undone);
	if (done) {
		printf("%s %lld: %s\n", w.s.dry_run ? "would undo" : "undid", (long long)undone.id,
		       shown(c, undone.summary));
		for (size_t i = 0; i < undone.paths.n; i++)
			printf("  %s\n", shown(c, undone.paths.items[i]));
		changes_print(c);
	}
	return end(c, &w, done);
}
