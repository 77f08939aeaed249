/* commands.c: quire docjl VERB, for people at a terminal: import, export, changes, audit verify, rescue. */
#include "kinds/docjl/export/export.h"
#include "kinds/docjl/tools/anchor.h"
#include "kinds/docjl/tools/coverage.h"
#include "kinds/docjl/tools/trail.h"

#include "base/digest.h"
#include "base/own.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MAX_BYTES = 1 << 30 };

static int failed(struct call *c)
{
	fprintf(stderr, "quire: %s\n", error_sentence(c->arena, &c->error));
	return 1;
}

static int usage(const char *line)
{
	fprintf(stderr, "usage: quire docjl %s\n", line);
	return 2;
}

static bool slurp(struct call *c, const char *path, struct text *out)
{
	struct buffer b = {.arena = c->arena};
	int fd = open_at(AT_FDCWD, path, O_RDONLY, 0);
	ssize_t got = 0;

	if (fd < 0)
		return fail(c, FAULT_NOT_FOUND, "%s cannot be read: %s", path, strerror(errno));
	while (b.len <= FILE_MAX_BYTES && (got = read(fd, buffer_room(&b, 1 << 20), 1 << 20)) > 0)
		b.len += (size_t)got;
	fd_drop(&fd);
	if (got < 0 || b.len > FILE_MAX_BYTES)
		return fail(c, FAULT_TOO_LARGE, "%s cannot be read, or is larger than 1 GB", path);
	*out = buffer_text(&b);
	return true;
}

/* Removes `--name` or `--name VALUE` from the arguments. */
static bool take_flag(int *argc, char **argv, const char *name)
{
	for (int i = 1; i < *argc; i++)
		if (!strcmp(argv[i], name)) {
			memmove(argv + i, argv + i + 1, (size_t)(*argc - i - 1) * sizeof *argv);
			--*argc;
			return true;
		}
	return false;
}

static const char *take_word(int *argc, char **argv, const char *name)
{
	for (int i = 1; i + 1 < *argc; i++)
		if (!strcmp(argv[i], name)) {
			const char *value = argv[i + 1];
			memmove(argv + i, argv + i + 2, (size_t)(*argc - i - 2) * sizeof *argv);
			*argc -= 2;
			return value;
		}
	return NULL;
}

static void tell(void *to, const char *method, const struct json *params)
{
	(void)to;
	(void)method;
	double done = json_real(json_get(params, "progress")), total = json_real(json_get(params, "total"));
	if (isatty(STDERR_FILENO) && total > 0)
		fprintf(stderr, "\r%3.0f %%", 100 * done / total);
}

/* Shows the progress of a long command at a terminal. over() ends the progress line. */
static struct reply telling(struct call *c)
{
	return (struct reply){
		.notify = tell, .progress_token = json_new_int(c->arena, 1), .progress_last = -1, .log_level = -1};
}

static void over(struct call *c)
{
	c->reply = NULL;
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r     \r");
}

static int import(struct call *c, int argc, char **argv)
{
	static const char line[] = "import FILE [--id ID] [--replace] [--nest] [--keep-unlabelled] [--strict]";
	struct import_options o = {0};
	struct import_result r;
	struct json_error bad;
	struct text bytes;
	unsigned char digest[32];

	o.replace = take_flag(&argc, argv, "--replace");
	o.nest = take_flag(&argc, argv, "--nest");
	o.keep_unlabelled = take_flag(&argc, argv, "--keep-unlabelled");
	o.is_strict = take_flag(&argc, argv, "--strict");
	o.id = text_of(take_word(&argc, argv, "--id"));
	if (argc != 2 || argv[1][0] == '-')
		return usage(line);
	if (!slurp(c, argv[1], &bytes))
		return failed(c);
	sha256(bytes, digest);
	o.sha256 = hex_encode(c->arena, (struct text){(char *)digest, sizeof digest});
	const char *slash = strrchr(argv[1], '/'), *name = slash ? slash + 1 : argv[1], *dot = strrchr(name, '.');
	o.otherwise = dot && dot > name ? (struct text){name, (size_t)(dot - name)} : text_of(name);
	const struct json *document = json_parse(c->arena, bytes, JSON_DEPTH_MAX, &bad);
	if (!document) {
		fail(c, FAULT_ARGUMENT, "%s, line %u, column %u: %s", argv[1], bad.line, bad.column, bad.message);
		return failed(c);
	}
	struct reply reply = telling(c);
	c->reply = &reply;
	bool done = import_document(c, document, &o, &r);
	over(c);
	if (!done && c->error.fault == FAULT_EXISTS)
		c->error.hint = "on the command line: --id ID or --replace";
	if (!done)
		return failed(c);
	printf("imported %.*s: %lld blocks, %lld labels given, %lld broken references, %.*s\n", TEXT_ARGS(r.id),
	       (long long)r.blocks, (long long)r.labelled, (long long)r.broken, TEXT_ARGS(r.audit));
	for (size_t i = 0; i < r.changed.items.n; i++)
		printf("  %.*s\n", TEXT_ARGS(r.changed.items.items[i]));
	return 0;
}

static bool write_out(struct call *c, const char *path, struct text t)
{
	FILE *f = path ? fopen(path, "wx") : stdout;

	if (!f)
		return fail(c, errno == EEXIST ? FAULT_EXISTS : FAULT_DENIED, "%s cannot be written: %s", path,
			    strerror(errno));
	bool written = fwrite(t.at, 1, t.len, f) == t.len && !fflush(f);
	if (path)
		written = !fclose(f) && written;
	return written || fail(c, FAULT_STORAGE, "%s cannot be written: %s", path ? path : "stdout", strerror(errno));
}

static int export(struct call *c, int argc, char **argv)
{
	static const char line[] = "export ID [--format json|md|html] [--all-labels] [--paragraph-numbers] [-o FILE]";
	bool all = take_flag(&argc, argv, "--all-labels");
	const struct export_form form = {.numbers_paragraphs = take_flag(&argc, argv, "--paragraph-numbers")};
	const char *format = take_word(&argc, argv, "--format"), *to = take_word(&argc, argv, "-o");
	struct buffer b = {0};
	struct manual m;
	struct tree t;

	if (argc != 2 || argv[1][0] == '-')
		return usage(line);
	bool is_html = format && !strcmp(format, "html"),
	     is_md = format && (!strcmp(format, "md") || !strcmp(format, "markdown"));
	if (format && !is_html && !is_md && strcmp(format, "json") != 0)
		return usage(line);
	if (!manual_open(c, text_of(argv[1]), MANUAL_READ, &m))
		return failed(c);
	struct reply reply = telling(c);
	c->reply = &reply;
	bool done = tree_read(&m, TREE_BODIES | TREE_REFS, &t);
	over(c);
	if (done && is_html)
		export_html(&b, &t, &form);
	else if (done && is_md)
		export_markdown(&b, &t, &form);
	else if (done)
		export_json(&b, &t, all);
	manual_close(&m);
	done = done && write_out(c, to, buffer_text(&b));
	buffer_free(&b);
	return done ? 0 : failed(c);
}

static int changes(struct call *c, int argc, char **argv)
{
	const char *format = take_word(&argc, argv, "--format"), *path = take_word(&argc, argv, "-o");
	struct buffer b = {.arena = c->arena};
	struct changes found;
	struct manual m;
	int64_t from, to;

	if (argc < 3 || argc > 4 || (format && strcmp(format, "md") != 0 && strcmp(format, "html") != 0))
		return usage(
			"changes ID FROM [TO] [--format md|html] [-o FILE]   (FROM, TO: revisions such as r12, or dates such as "
			"2026-11-16)");
	if (!manual_open(c, text_of(argv[1]), MANUAL_READ, &m))
		return failed(c);
	bool done = revision_at(&m, text_of(argv[2]), 0, &from) &&
		    revision_at(&m, argc == 4 ? text_of(argv[3]) : (struct text){0}, m.revision, &to);
	if (done)
		trail_changes(&m, from, to, &found);
	const struct json *metadata = json_parse(c->arena, m.metadata, JSON_DEPTH_MAX, &(struct json_error){0});
	done = done && manual_is_sound(&m);
	manual_close(&m);
	if (!done)
		return failed(c);
	changes_page(c, &b, &found, value_text(c->arena, json_get(metadata, "title")),
		     format && !strcmp(format, "html"));
	return write_out(c, path, buffer_text(&b)) ? 0 : failed(c);
}

static int verify_one(struct call *c, struct text id, struct text anchor)
{
	const struct trail_file *file = trail_file_read(c, c->state);
	struct manual m;
	struct verdict v;

	if (!manual_open(c, id, MANUAL_READ, &m))
		return failed(c);
	bool done = trail_verify(&m, anchor, file, &v);
	manual_close(&m);
	if (!done)
		return failed(c);
	printf("%.*s: ", TEXT_ARGS(id));
	if (v.valid)
		printf("%lld entries, valid; head %.*s\n", (long long)v.entries, TEXT_ARGS(v.head));
	else if (v.bad_entry.at)
		printf("BROKEN at %.*s: %.*s\n", TEXT_ARGS(v.bad_entry), TEXT_ARGS(v.reason));
	else
		printf("BROKEN: %.*s\n", TEXT_ARGS(v.reason));
	for (size_t i = 0; i < v.altered.n; i++)
		printf("  altered: %.*s\n", TEXT_ARGS(v.altered.items[i]));
	if (v.altered_count.value > (int64_t)v.altered.n)
		printf("  and %lld more\n", (long long)(v.altered_count.value - (int64_t)v.altered.n));
	if (v.accepted.at)
		printf("  altered text was accepted by %.*s\n", TEXT_ARGS(v.accepted));
	if (v.protected_from.at && !text_same(v.protected_from, audit_id(c->arena, id, 1)))
		printf("  the text is protected from %.*s on\n", TEXT_ARGS(v.protected_from));
	if (!v.protected_from.at)
		printf("  the text is not protected yet: the next write, or quire docjl audit seal, protects it\n");
	return v.valid ? 0 : 1;
}

/* The newest hash, signed: to a file that grows by one line, or to the terminal. */
static int anchor_one(struct call *c, struct text id, const char *to)
{
	struct manual m;
	struct text line;

	if (!manual_open(c, id, MANUAL_READ, &m))
		return failed(c);
	bool done = anchor_line(&m, &line);
	manual_close(&m);
	if (!done)
		return failed(c);
	FILE *f = to ? fopen(to, "a") : stdout;
	if (!f || fprintf(f, "%.*s\n", TEXT_ARGS(line)) < 0 || (to ? fclose(f) : fflush(f))) {
		fail(c, FAULT_STORAGE, "%s cannot be written: %s", to ? to : "stdout", strerror(errno));
		return failed(c);
	}
	return 0;
}

/* Accepts the stored text as it is: with an entry that names what differs from the trail. */
static int seal_one(struct call *c, struct text id)
{
	struct manual m;
	struct verdict v;
	struct json *altered = json_new_array(c->arena);

	if (!manual_open(c, id, MANUAL_WRITE, &m))
		return failed(c);
	if (!trail_verify(&m, (struct text){0}, NULL, &v)) {
		manual_close(&m);
		return failed(c);
	}
	for (size_t i = 0; i < v.altered.n; i++)
		json_push(c->arena, altered, json_new_text(c->arena, v.altered.items[i]));
	m.seals = (struct seals){0};
	if (v.valid) {
		bool done = manual_commit(&m, "seal the document");
		printf("%.*s: the text is protected from %.*s on\n", TEXT_ARGS(id), TEXT_ARGS(v.protected_from));
		return done ? 0 : failed(c);
	}
	manual_seal(&m, altered);
	if (!manual_commit(&m, "seal the document"))
		return failed(c);
	printf("%.*s: accepted as it is, by %.*s: %.*s\n", TEXT_ARGS(id),
	       TEXT_ARGS(audit_id(c->arena, id, m.audit_seq)), TEXT_ARGS(v.reason));
	return 0;
}

static int audit_all(struct call *c, struct text anchor, const char *to, bool verifies)
{
	struct docjl *kind = c->state;
	struct transaction *t;
	ARRAY(struct text) ids = {0};
	int status = 0;

	if (!store_begin(c, kind->store, STORE_READ, &t))
		return failed(c);
	if (t) {
		struct query q = query_on(t, "SELECT id FROM doc ORDER BY id");
		while (query_row(&q))
			*ARRAY_PUSH(c->arena, &ids) = query_text(&q, c->arena, 0);
		query_end(&q);
		transaction_rollback(t);
	}
	for (size_t i = 0; i < ids.n; i++)
		status |= verifies ? verify_one(c, ids.items[i], anchor) : anchor_one(c, ids.items[i], to);
	if (!ids.n)
		printf("there are no documents\n");
	return status;
}

static int audit(struct call *c, int argc, char **argv)
{
	static const char line[] =
		"audit verify [ID] [--anchor NUMBER:HASH|FILE] | anchor [ID] [-o FILE] | seal ID | key";
	const char *given = take_word(&argc, argv, "--anchor"), *to = take_word(&argc, argv, "-o");
	const char *verb = argc > 1 ? argv[1] : "";
	struct text id = argc == 3 ? text_of(argv[2]) : (struct text){0}, anchor = text_of(given);
	bool verifies = !strcmp(verb, "verify"), anchors = !strcmp(verb, "anchor");

	if (argc < 2 || argc > 3 || (given && !verifies) || (to && !anchors) || (given && !id.at))
		return usage(line);
	if (given && !access(given, F_OK) && !slurp(c, given, &anchor))
		return failed(c);
	if (verifies && id.at)
		return verify_one(c, id, anchor);
	if (anchors && id.at)
		return anchor_one(c, id, to);
	if (verifies || anchors)
		return audit_all(c, anchor, to, verifies);
	if (!strcmp(verb, "seal") && id.at)
		return seal_one(c, id);
	if (strcmp(verb, "key") != 0 || id.at)
		return usage(line);
	struct text key = anchor_key(c);
	if (!key.at && !fail(c, FAULT_NOT_FOUND, "there is no key yet; quire docjl audit anchor makes it"))
		return failed(c);
	printf("%.*s\n", TEXT_ARGS(key));
	return 0;
}

static int coverage(struct call *c, int argc, char **argv)
{
	static const char line[] = "coverage ID CLAUSES.csv [--format csv|html] [-o FILE]";
	const char *format = take_word(&argc, argv, "--format"), *to = take_word(&argc, argv, "-o");
	bool is_html = format && !strcmp(format, "html");
	struct buffer b = {.arena = c->arena};
	struct clauses list;
	struct manual m;
	struct text csv;

	if (argc != 3 || (format && !is_html && strcmp(format, "csv") != 0))
		return usage(line);
	if (!slurp(c, argv[2], &csv) || !manual_open(c, text_of(argv[1]), MANUAL_READ, &m))
		return failed(c);
	bool done = coverage_find(&m, csv, &list);
	manual_close(&m);
	if (done && is_html)
		coverage_page(c, &b, &list, text_of(argv[1]));
	else if (done)
		clauses_csv(&b, &list);
	return done && write_out(c, to, buffer_text(&b)) ? 0 : failed(c);
}

static int rescue(struct call *c, int argc, char **argv)
{
	const struct store_options o = {
		.schema = &docjl_schema, .noun = "the manuals", .place = argc > 1 ? argv[1] : "", .wait_ms = 10000};
	struct texts lost;
	int64_t rows;

	if (argc != 3)
		return usage("rescue OLD.db NEW.db");
	if (!store_rescue(c, &o, argv[2], &rows, &lost))
		return failed(c);
	if (!rows && lost.n) {
		remove(argv[2]);
		fprintf(stderr, "quire: nothing in %s can be read\n", argv[1]);
		return 1;
	}
	printf("%lld rows saved in %s; check them with quire docjl audit verify\n", (long long)rows, argv[2]);
	for (size_t i = 0; i < lost.n; i++)
		fprintf(stderr, "quire: lost: %.*s\n", TEXT_ARGS(lost.items[i]));
	return lost.n ? 1 : 0;
}

const struct command docjl_commands[] = {
	{"import", "FILE [--id ID] [--replace] [--nest] [--keep-unlabelled] [--strict]",
	 "Read a document from a JSON file", import},
	{"export", "ID [--format json|md|html] [--all-labels] [--paragraph-numbers] [-o FILE]",
	 "Write a document as JSON, Markdown or HTML", export},
	{"changes", "ID FROM [TO] [--format md|html] [-o FILE]",
	 "Print what changed between two revisions or dates, as a page", changes},
	{"audit", "verify [ID] [--anchor NUMBER:HASH|FILE] | anchor [ID] [-o FILE] | seal ID | key",
	 "Verify the audit trail and the text; sign its newest entry; accept altered text; print the public key",
	 audit},
	{"coverage", "ID CLAUSES.csv [--format csv|html] [-o FILE]",
	 "Compare the clauses of a standard with the compliance notes", coverage},
	{"rescue", "OLD.db NEW.db", "Copy the rows of a rejected database into a new file", rescue},
	{.name = NULL},
};
