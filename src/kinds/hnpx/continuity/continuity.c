/* continuity.c: check_continuity reports possible contradictions in a book. It never blocks an edit. */
#include "kinds/hnpx/bible/beside.h"
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/continuity/checks.h"
#include "kinds/hnpx/prose/words.h"
#include "kinds/hnpx/story/cast.h"
#include "kinds/hnpx/story/loose.h"
#include "kinds/hnpx/tree/reading.h"

static const char *const check_choices[CHECKS + 1] = {"names", "spelling", "places", "pov", "facts", "threads", NULL};

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
	FIELD(struct check_args, limit, INT, FIELD_TERSE, "Most to return", .limits = BETWEEN(1, 200),
	      .otherwise = "50"),
	FIELD(struct check_args, offset, INT, FIELD_TERSE, "Findings to skip", .limits = AT_LEAST(0), .otherwise = "0"),
	FIELDS_END,
};
static const struct field finding_fields[] = {
	FIELD(struct finding, check, TEXT, FIELD_REQUIRED, "names, spelling, places, pov, facts or threads"),
	FIELD(struct finding, name, TEXT, FIELD_REQUIRED, "Name or bible entry it is about"),
	FIELD(struct finding, message, TEXT, FIELD_REQUIRED, "What may be wrong"),
	FIELD(struct finding, ids, TEXTS, FIELD_REQUIRED, "Nodes to look at, at most five"),
	FIELDS_END,
};
static const struct shape finding_shape = SHAPE(struct finding, "finding", finding_fields);
static const struct field check_out[] = {
	FIELD(struct check_answer, total, INT, FIELD_REQUIRED, "Number of findings"),
	FIELD(struct check_answer, findings, OBJECTS, FIELD_REQUIRED, "What to look at", .shape = &finding_shape),
	FIELD(struct check_answer, not_checked, TEXTS, 0,
	      "Checks left out: facts and threads need a bible; names in prose need a cast, and a language where only names have capitals"),
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

static bool check_continuity(struct call *c, const void *in, void *out)
{
	const struct check_args *args = in;
	struct check_answer *answer = out;
	struct opened o;
	bool wanted[CHECKS] = {false};

	if (!book_read(c, args->file_path, &o))
		return false;
	for (size_t i = 0; i < CHECKS; i++)
		wanted[i] = !args->checks.n;
	for (size_t i = 0; i < args->checks.n; i++)
		wanted[args->checks.items[i]] = true;
	struct findings f = {.c = c, .book = o.book, .bible = bible_look(c, args->file_path)};
	struct cast_check *cast = wanted[CHECK_NAMES] || wanted[CHECK_SPELLING] ? cast_check_new(&f) : NULL;
	struct threads *threads = wanted[CHECK_THREADS] && f.bible ? threads_new(&f) : NULL;
	if ((cast || threads) && !read_prose(&f, cast, threads))
		return false;
	if (cast)
		cast_check_tell(cast, wanted[CHECK_NAMES], wanted[CHECK_SPELLING]);
	if (wanted[CHECK_PLACES])
		check_places(&f);
	if (wanted[CHECK_POV])
		check_pov(&f);
	if (wanted[CHECK_FACTS])
		check_facts(&f);
	if (threads)
		threads_tell(threads);
	size_t from = args->offset < (int64_t)f.list.n ? (size_t)args->offset : f.list.n, n = f.list.n - from;
	n = n > (size_t)args->limit ? (size_t)args->limit : n;
	*answer = (struct check_answer){.total = (int64_t)f.list.n, .findings = {f.list.items + from, n}};
	if (from + n < f.list.n)
		answer->next_offset = (struct maybe_int){(int64_t)(from + n), true};
	answer->not_checked.items = arena_array(c->arena, CHECKS, sizeof *answer->not_checked.items);
	for (int i = 0; i < CHECKS; i++)
		if (wanted[i] && (i == CHECK_NAMES ? f.left_names : i >= CHECK_FACTS && !f.bible))
			answer->not_checked.items[answer->not_checked.n++] = text_of(check_choices[i]);
	if (!answer->not_checked.n)
		answer->not_checked.items = NULL;
	return true;
}

const struct tool hnpx_continuity_tools[] = {
	TOOL("check_continuity", "Check the continuity",
	     "Lists what may contradict itself, with node ids: names that no character has, spellings that vary, a character in "
	     "two places at one time, a point of view that changes inside a sequence, bible facts whose paragraph changed, "
	     "threads never named again. Blocks nothing.",
	     TOOL_READS | TOOL_EXTRA, struct check_args, check_in, struct check_answer, check_out, check_continuity,
	     .example = "{\"file_path\":\"novel.hnpx\"}"),
	TOOLS_END,
};
