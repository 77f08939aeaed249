/* continuity.c: check_continuity reports possible contradictions in a book. It never blocks an edit. */
#include "kinds/hnpx/bible/beside.h"
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/continuity/checks.h"
#include "kinds/hnpx/prose/words.h"
#include "kinds/hnpx/prose/names.h"
#include "kinds/hnpx/prose/loose.h"
#include "kinds/hnpx/tree/reading.h"

static const char *const check_choices[CHECKS + 1] = {"names", "spelling", "places", "pov",
						      "facts", "threads",  "format", NULL};

struct check_args {
	struct text file_path;
	struct choices checks;
	int64_t limit, offset;
};
struct check_answer {
	int64_t total;
	struct objects findings;
	struct texts not_checked;
	struct maybe_int next_offset;
};

static const struct field check_in[] = {
	FILE_PATH(struct check_args),
	FIELD(struct check_args, checks, CHOICES, 0, "Default: all", .choices = check_choices),
	FIELD(struct check_args, limit, INT, FIELD_TERSE, "Maximum number of findings", .limits = BETWEEN(1, 1000),
	      .otherwise = "50"),
	FIELD(struct check_args, offset, INT, FIELD_TERSE, "Findings to skip", .limits = AT_LEAST(0), .otherwise = "0"),
	FIELDS_END,
};
static const struct field finding_fields[] = {
	FIELD(struct finding, check, TEXT, FIELD_REQUIRED, "names, spelling, places, pov, facts, threads or format"),
	FIELD(struct finding, name, TEXT, 0, "Name or bible entry it is about"),
	FIELD(struct finding, line, MAYBE_INT, 0, "format: line in the file, from 1"),
	FIELD(struct finding, message, TEXT, FIELD_REQUIRED, "What may be wrong"),
	FIELD(struct finding, ids, TEXTS, FIELD_REQUIRED, "Nodes to look at, at most five"),
	FIELDS_END,
};
static const struct shape finding_shape = SHAPE(struct finding, "finding", finding_fields);
static const struct field check_out[] = {
	FIELD(struct check_answer, total, INT, FIELD_REQUIRED, "Number of findings"),
	FIELD(struct check_answer, findings, OBJECTS, FIELD_REQUIRED, "What to look at", .shape = &finding_shape),
	FIELD(struct check_answer, not_checked, TEXTS, 0,
	      "Checks left out: all but format if the file is not valid HNPX; facts and threads need a bible; names in prose need a cast, "
	      "and a language where only names have capitals"),
	FIELD(struct check_answer, next_offset, MAYBE_INT, 0, "There are more: call again with this offset"),
	FIELDS_END,
};

void finding_add(struct findings *f, enum check check, struct text name, const uint32_t *nodes, size_t n,
		 const char *format, ...)
{
	struct arena *a = f->c->arena;
	struct finding *one = ARRAY_PUSH(a, &f->list);
	va_list ap;

	one->check = text_of(check_choices[check]);
	one->name = text_of(shown(f->c, name));
	va_start(ap, format);
	one->message = text_vformat(a, format, ap);
	va_end(ap);
	one->ids.items = arena_array(a, n + 1, sizeof *one->ids.items);
	for (; one->ids.n < n; one->ids.n++)
		one->ids.items[one->ids.n] = book_id(a, f->book, nodes[one->ids.n]);
}

bool same_person(const struct findings *f, struct text a, struct text b)
{
	struct arena *arena = f->c->arena;
	struct text x = loose_text(arena, text_trim(a)), y = loose_text(arena, text_trim(b));

	if (name_find(x, y, 0) != SIZE_MAX || name_find(y, x, 0) != SIZE_MAX)
		return true;
	for (size_t i = 0; f->bible && i < f->bible->entries.n; i++) {
		struct texts names = bible_names(arena, f->bible, &f->bible->entries.items[i]);
		if (names_stand_in(names, x) && names_stand_in(names, y))
			return true;
	}
	return false;
}

/* Splits each paragraph into words once, for all checks. */
static bool read_prose(struct findings *f, struct cast_check *cast, struct threads *threads)
{
	struct words words = {0};

	for (uint32_t i = 0; i < f->book->n; i++) {
		bool is_paragraph = f->book->nodes[i].level == LEVEL_PARAGRAPH;
		struct arena scratch = {0};
		struct text prose = is_paragraph ? node_shown_prose(&scratch, f->book, i) : TEXT("");
		words_split(&words, f->c->arena, prose);
		if (cast && is_paragraph)
			cast_check_read(cast, i, prose, &words);
		if (threads)
			threads_read(threads, i, prose, &words);
		arena_free(&scratch);
		if (!(i % 256) && !goes_on(f->c))
			return false;
	}
	return true;
}

/* The problems of a file that is not valid HNPX. Returns false if the file could not be read. */
static bool check_format(struct findings *f, struct text path, bool *is_valid)
{
	struct call *c = f->c;
	struct document *d;
	struct problems problems = {0};
	struct error error = {0};

	if (!document_open(c, path, &d))
		return book_refused(c, path, NULL);
	*is_valid = book_parse(c->arena, document_bytes(d), &problems, &error) != NULL;
	if (!*is_valid && !problems.list.n)
		*ARRAY_PUSH(c->arena, &f->list) = (struct finding){.check = text_of(check_choices[CHECK_FORMAT]),
								   .line = {error.line, error.line != 0},
								   .message = text_of(error.message)};
	for (size_t i = 0; !*is_valid && i < problems.list.n; i++) {
		const struct problem *p = &problems.list.items[i];
		struct finding *one = ARRAY_PUSH(c->arena, &f->list);
		*one = (struct finding){.check = text_of(check_choices[CHECK_FORMAT]),
					.line = {p->line, true},
					.message = text_of(p->sentence)};
		if (p->id == BOOK_NONE)
			continue;
		one->ids.items = arena_new(c->arena, struct text);
		one->ids.items[one->ids.n++] = id_text(c->arena, p->id);
	}
	return true;
}

static bool check_story(struct findings *f, const bool *wanted)
{
	struct cast_check *cast = wanted[CHECK_NAMES] || wanted[CHECK_SPELLING] ? cast_check_new(f) : NULL;
	struct threads *threads = wanted[CHECK_THREADS] && f->bible ? threads_new(f) : NULL;

	if ((cast || threads) && !read_prose(f, cast, threads))
		return false;
	if (cast)
		cast_check_tell(cast, wanted[CHECK_NAMES], wanted[CHECK_SPELLING]);
	if (wanted[CHECK_PLACES])
		check_places(f);
	if (wanted[CHECK_POV])
		check_pov(f);
	if (wanted[CHECK_FACTS])
		check_facts(f);
	if (threads)
		threads_tell(threads);
	return true;
}

static bool is_left_out(const struct findings *f, int check, bool is_valid)
{
	if (check == CHECK_FORMAT)
		return false;
	return !is_valid || (check == CHECK_NAMES ? f->left_names : check >= CHECK_FACTS && !f->bible);
}

static bool check_continuity(struct call *c, const void *in, void *out)
{
	const struct check_args *args = in;
	struct check_answer *answer = out;
	struct opened o;
	bool wanted[CHECKS] = {false}, is_valid = true;
	struct findings f = {.c = c};

	for (size_t i = 0; i < CHECKS; i++)
		wanted[i] = !args->checks.n;
	for (size_t i = 0; i < args->checks.n; i++)
		wanted[args->checks.items[i]] = true;
	if (wanted[CHECK_FORMAT] && !check_format(&f, args->file_path, &is_valid))
		return false;
	if (is_valid) {
		if (!book_read(c, args->file_path, &o))
			return false;
		f.book = o.book;
		f.bible = bible_look(c, args->file_path);
		if (!check_story(&f, wanted))
			return false;
	}
	size_t from = args->offset < (int64_t)f.list.n ? (size_t)args->offset : f.list.n, n = f.list.n - from;
	n = n > (size_t)args->limit ? (size_t)args->limit : n;
	*answer = (struct check_answer){.total = (int64_t)f.list.n, .findings = {f.list.items + from, n}};
	if (from + n < f.list.n)
		answer->next_offset = (struct maybe_int){(int64_t)(from + n), true};
	answer->not_checked.items = arena_array(c->arena, CHECKS, sizeof *answer->not_checked.items);
	for (int i = 0; i < CHECKS; i++)
		if (wanted[i] && is_left_out(&f, i, is_valid))
			answer->not_checked.items[answer->not_checked.n++] = text_of(check_choices[i]);
	if (!answer->not_checked.n)
		answer->not_checked.items = NULL;
	return true;
}

const struct tool hnpx_continuity_tools[] = {
	TOOL("check_continuity", "Check the continuity",
	     "Lists what may contradict itself: unknown names, varying spellings, a person in two places, changes of the point "
	     "of view, bible facts whose paragraph changed, threads that end. format: what is not valid HNPX.",
	     TOOL_READS, struct check_args, check_in, struct check_answer, check_out, check_continuity,
	     .example = "{\"file_path\":\"novel.hnpx\"}"),
	TOOLS_END,
};
