/* fsck.c: quire fsck: checks quire's own data, and searches for commits that a crash interrupted. Exit 0: sound, or
 * everything found was repaired; 1: --repair would help; 4: damage that cannot be repaired. */
#include "work/history/fsck.h"

#include "shell/command.h"

#include <stdlib.h>

static const char *const kinds_of[] = {"repaired", "fault", "DAMAGE"};

static int report(struct call *c, const struct settings *s, const struct findings *f)
{
	struct json *list = json_new_array(c->arena);
	size_t counts[3] = {0};

	for (size_t i = 0; i < f->n; i++) {
		struct json *one = json_new_object(c->arena);
		counts[f->items[i].kind]++;
		json_set_text(c->arena, one, "kind", text_of(kinds_of[f->items[i].kind]));
		json_set_text(c->arena, one, "words", f->items[i].words);
		json_push(c->arena, list, one);
		if (!s->json)
			printf("%-9s %.*s\n", kinds_of[f->items[i].kind], TEXT_ARGS(f->items[i].words));
	}
	if (s->json) {
		struct buffer b = {.arena = c->arena};
		json_write_pretty(&b, list);
		buffer_byte(&b, '\n');
		shell_write(buffer_text(&b));
	} else {
		printf("%zu records of %zu documents: %s\n", f->records, f->documents,
		       counts[FINDING_DAMAGED]      ? "there is damage"
		       : counts[FINDING_REPAIRABLE] ? "quire fsck --repair repairs what can be repaired"
		       : counts[FINDING_REPAIRED]   ? "everything that was found is repaired"
						    : "sound");
	}
	return counts[FINDING_DAMAGED] ? EXIT_DAMAGED : counts[FINDING_REPAIRABLE] ? EXIT_REFUSED : EXIT_DONE;
}

int fsck_run(struct call *c, int argc, char **argv)
{
	const struct shell_command *self = shell_command_find("fsck");
	struct settings s = {.is_owner = true};
	struct caller caller = {.name = TEXT("fsck")};
	const struct words no_kinds = {0};
	struct findings findings;

	if (!options_read(c, self->options, argc, argv, &s))
		return shell_usage(c, "fsck");
	if (s.help) {
		help_command(stdout, self);
		return EXIT_DONE;
	}
	if (s.rest.n) {
		fail(c, FAULT_ARGUMENT, "quire fsck takes options only; give folders with --root DIR");
		return shell_usage(c, "fsck");
	}
	s.is_owner = true;
	if (!settings_complete(c, &s, &no_kinds) || !default_root(c, &s) || !workspace_open(c, &s, &c->work))
		return shell_failed(c, EXIT_USAGE);
	c->caller = &caller;
	c->tool = "fsck";
	struct ticker *ticker = ticker_start(c->work);
	bool done = history_check(c, s.repair, &findings);
	int status = done ? report(c, &s, &findings) : shell_failed(c, EXIT_DAMAGED);
	shell_warnings(c);
	work_release(c);
	ticker_stop(ticker);
	work_close(c->work);
	return status;
}
