/* command.h: shared by the commands: their table, the options, the settings they fill, and how they print.
 *
 * A command is a row: name, usage, prose, its options, a function. Help and completion come from the rows, and tests
 * compare the man page with them. All options fill one struct settings. The configuration file fills only what the
 * command line did not set, so the command line wins. Results go to stdout, everything else as one sentence to
 * stderr. */
#ifndef QUIRE_SHELL_COMMAND_H
#define QUIRE_SHELL_COMMAND_H
#include "tool/kind.h"
#include "work/work.h"

#include <stdio.h>

enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_USAGE = 2, EXIT_DAMAGED = 4 };

struct words {
	const char **items; /* followed by a NULL; NULL when empty */
	size_t n, cap;
};
void words_add(struct arena *a, struct words *w, const char *word);

struct settings {
	struct words rest; /* words that are not options: kinds, files, names */
	struct words roots, allow_hosts, allow_origins, reads, writes, hides;
	const char *http, *config, *store, *state, *tools, *keys, *user, *log, *output, *commit;
	bool read_only, structured, allow_hidden, stdio, no_key, json, redo, dry_run, forget, with_key, snapshots,
		lists, help, repair, is_owner, make_root;

	struct json *kind_words; /* settings of kinds on the command line; NULL: none */

	/* From the file, or the defaults. */
	const struct json *tree; /* the whole file; NULL: none */
	const struct kind *const *kinds;
	bool kinds_are_named; /* on the command line or in the file */
	bool keys_are_filed;  /* the keys are set in the file, not on the command line */
	const char *host;     /* NULL: stdio */
	int port;
	const char *access_log, *state_key;
	const char *fresh_key;                  /* made for this run only; NULL: none */
	int requests_a_minute, writes_a_minute; /* -1: each kind's own limit */
	int call_ms, lock_wait_ms, keep_days, unread_seconds;
	size_t body_max, call_memory, document_max, cache_max, keep_bytes;
	unsigned connections_max, address_max, address_keyed_max, failures_max, sessions_max, watches_max;
	bool no_chunks, no_page;
	struct text shown; /* quire view: the document to show, below the root; absent: all */
	/* Called once the server listens; `once`: the secret of the page's one-time link, or NULL. */
	void (*ready)(void *settings, const char *host, int port, const char *once);
	int browser;               /* quire view: where its starter waits for the link; 0: there is none */
	struct maybe_flag confine; /* not there: the default of this build */
};

enum option_type { OPTION_FLAG, OPTION_WORD, OPTION_WORDS, OPTION_OF_KINDS };
struct option {
	const char *name, *takes, *prose; /* takes NULL: a flag */
	enum option_type type;
	size_t at; /* in struct settings */
};
/* clang-format off */
#define OPTION_TYPE(member) \
	_Generic((member), bool: OPTION_FLAG, const char *: OPTION_WORD, struct words: OPTION_WORDS)
#define OPTION(NAME, MEMBER, TAKES, PROSE) \
	{.name = (NAME), .takes = (TAKES), .prose = (PROSE), .at = offsetof(struct settings, MEMBER), \
	 .type = OPTION_TYPE(((struct settings *)0)->MEMBER)}
#define OPTIONS_END {.name = NULL}
/* Ends a table that also has the kinds' own settings as options. */
#define OPTIONS_OF_KINDS_END {.name = NULL, .type = OPTION_OF_KINDS}
/* clang-format on */

struct shell_command {
	const char *name, *usage, *prose; /* prose NULL: not listed */
	const struct option *options;     /* may be NULL */
	int (*run)(struct call *c, int argc, char **argv);
	const char *(*words)(size_t i); /* the words that the first argument can be; NULL: any */
};
extern const struct shell_command shell_commands[]; /* ends with a row without a name */
const struct shell_command *shell_command_find(const char *name);
extern const struct option verb_options[]; /* of quire KIND VERB */

/* Reads a command's words (argv[0] is its name). Unknown options are refused with the nearest name. */
bool options_read(struct call *c, const struct option *table, int argc, char **argv, struct settings *s);
/* Reads the option at argv[*i], if the table has it; *i moves past its value. False with no error set: not in the
 * table. */
bool option_take(struct call *c, const struct option *table, int argc, char **argv, int *i, struct settings *s);

/* The kinds' own settings as options (kind_options.c). NULL: no kind has one with this name. */
const struct field *kind_option(struct text option);
void kind_option_name(const struct field *f, char *to, size_t room);
bool kind_option_set(struct call *c, struct settings *s, const struct field *f, const char *value);
/* Merges the command line's settings into the kinds' parts of s->tree. */
void kind_options_merge(struct call *c, struct settings *s);
/* False: an option was given that none of these kinds (NULL-terminated) has. */
bool kind_options_fit(struct call *c, const struct settings *s, const struct kind *const *served);

/* Fills in the values of the configuration file, then checks kinds, address and keys. `words` are the kinds' names. */
bool settings_complete(struct call *c, struct settings *s, const struct words *kind_names);
extern const struct field config_table[]; /* of the file, for docs */

/* The folder to serve when none is given: the current one, unless that is / or the home folder. */
bool default_root(struct call *c, struct settings *s);
bool roots_make(struct call *c, const struct settings *s); /* creates the missing roots and their parent folders */
/* The root is the current folder if the file is below it, else the folder of the file. *path is the file's path below
 * the root. */
bool root_above(struct call *c, struct settings *s, const char *file, struct text *path);
/* The same for several files; the paths become relative to the roots found. Without files: default_root(). */
bool roots_above(struct call *c, struct settings *s, struct text *paths, size_t n);
/* False: s->tools names a tool that no kind of s->kinds has. */
bool tools_exist(struct call *c, const struct settings *s);
/* The state folder: --state, else $STATE_DIRECTORY, $XDG_STATE_HOME/quire, ~/.local/state/quire; else NULL. */
const char *state_folder(struct arena *a, const struct settings *s);
/* If the state would be lost at a restart but the documents would not: where the state is, in words. NULL: it is
 * safe. */
const char *state_fleeting(struct arena *a, const struct settings *s);
/* Opens the workspace. The ticker ends waits for locks while a command runs without a server. */
bool workspace_open(struct call *c, const struct settings *s, struct work **out);
/* Confines this process to what the settings need (base/confine.h). It is called before any thread starts and before
 * any document is read. */
void shell_confine(struct call *c, const struct settings *s, struct work *work);
bool shell_confines(const struct settings *s); /* the settings ask for it */

struct ticker;
struct ticker *ticker_start(struct work *w);
void ticker_stop(struct ticker *t);

const struct kind *kind_find(const char *name);      /* NULL: there is none */
bool kind_missing(struct call *c, const char *name); /* fails with a message */
/* A tool of the kind by its bare name or with the kind's prefix; includes the core's file tools. */
const struct tool *tool_named(const struct kind *k, struct text name);
/* Walks the kind's tools: start with *table = *row = 0. NULL: no more. */
const struct tool *kind_tool_next(const struct kind *k, size_t *table, size_t *row);
/* The kind's part of the configuration, decoded; NULL if the kind has none. */
bool kind_settings(struct call *c, const struct kind *k, const struct settings *s, const void **config);
bool kind_open(struct call *c, const struct kind *k, const void *config, void **state);

int shell_failed(const struct call *c, int status);         /* prints the error on stderr; returns the status */
int shell_usage(const struct call *c, const char *command); /* the same with a hint about help; EXIT_USAGE */
void shell_warnings(struct call *c);                        /* prints them on stderr, then clears them */
void shell_heading(FILE *to, const char *words);            /* bold at a terminal */
bool shell_diff(struct text diff);                          /* to stdout, coloured at a terminal */
bool shell_write(struct text t);                            /* to stdout, by terminal_write() */
bool terminal_write(FILE *to, struct text t);               /* at a terminal, control characters are shown as escapes */
const char *program_path(struct arena *a);                  /* of this program, absolute */
const char *absolute_path(struct arena *a, const char *path);
bool file_slurp(struct call *c, const char *path, size_t most, struct text *out);

const char *secret_new(struct arena *a); /* a random key, with the prefix of quire's keys */

int serve_run(struct call *c, int argc, char **argv);
int view_run(struct call *c, int argc, char **argv);
int call_run(struct call *c, int argc, char **argv);
int tools_run(struct call *c, int argc, char **argv);
int help_run(struct call *c, int argc, char **argv);
int history_run(struct call *c, int argc, char **argv);
int diff_run(struct call *c, int argc, char **argv);
int undo_run(struct call *c, int argc, char **argv);
int show_run(struct call *c, int argc, char **argv);
int restore_run(struct call *c, int argc, char **argv);
int fsck_run(struct call *c, int argc, char **argv);
int config_run(struct call *c, int argc, char **argv);
int key_run(struct call *c, int argc, char **argv);
int doctor_run(struct call *c, int argc, char **argv);
int version_run(struct call *c, int argc, char **argv);
int docs_run(struct call *c, int argc, char **argv);
int complete_run(struct call *c, int argc, char **argv);
const char *config_client(size_t i); /* the names that quire config accepts; NULL: no more */

/* quire KIND VERB ...; the kind's own commands. */
int kind_run(struct call *c, const struct kind *k, int argc, char **argv);
void help_command(FILE *to, const struct shell_command *command);
void help_kind(FILE *to, const struct kind *k);

#endif
