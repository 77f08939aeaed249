#include "work/work_fixture.h"

static bool begin(struct fixture *f, struct draft *d)
{
	struct document *base;

	return document_open(&f->call, TEXT("a.txt"), &base) && draft_new(&f->call, base, (struct text){0}, d);
}

static void keep_id(char to[64], const struct draft *d) { snprintf(to, 64, "%.*s", TEXT_ARGS(d->id)); }

static void a_draft_is_reopened_with_its_requests(void **state)
{
	struct fixture *f = *state;
	struct draft d;
	char id[64];

	fixture_put(f, "a.txt", "base");
	assert_true(begin(f, &d));
	keep_id(id, &d);
	assert_true(draft_append(&f->call, &d, TEXT("one")));
	assert_true(draft_append(&f->call, &d, TEXT("two")));
	fixture_next(f);
	/* Another process, after the document has changed. */
	fixture_put(f, "a.txt", "changed");
	fixture_reopen(f, (struct work_options){0});
	assert_true(draft_open(&f->call, text_of(id), &d));
	assert_text(d.path, "a.txt");
	assert_int_equal(d.requests.n, 2);
	assert_int_equal(d.mark, 2);
	assert_text(d.requests.items[1], "two");
	assert_true(strlen(id) >= 20);
}

static void a_request_behind_the_mark_cuts_off_what_stood_after_it(void **state)
{
	struct fixture *f = *state;
	struct draft d;
	char id[64];

	fixture_put(f, "a.txt", "base");
	assert_true(begin(f, &d));
	keep_id(id, &d);
	assert_true(draft_append(&f->call, &d, TEXT("one")));
	assert_true(draft_append(&f->call, &d, TEXT("two")));
	assert_true(draft_append(&f->call, &d, TEXT("three")));
	assert_true(draft_set_mark(&f->call, &d, 1));
	fixture_next(f);
	assert_true(draft_open(&f->call, text_of(id), &d));
	assert_int_equal(d.mark, 1);
	assert_int_equal(d.requests.n, 3);
	assert_true(draft_set_mark(&f->call, &d, 3));
	assert_true(draft_set_mark(&f->call, &d, 2));
	assert_true(draft_append(&f->call, &d, TEXT("other")));
	assert_int_equal(d.requests.n, 3);
	assert_text(d.requests.items[2], "other");
	fixture_next(f);
	assert_true(draft_open(&f->call, text_of(id), &d));
	assert_int_equal(d.requests.n, 3);
	assert_text(d.requests.items[2], "other");
	assert_refused(draft_set_mark(&f->call, &d, 4), FAULT_ARGUMENT);
}

static void two_that_append_at_once_do_not_lose_a_request(void **state)
{
	struct fixture *f = *state;
	struct draft d, same;

	fixture_put(f, "a.txt", "base");
	assert_true(begin(f, &d));
	assert_true(draft_open(&f->call, d.id, &same));
	assert_true(draft_append(&f->call, &d, TEXT("mine")));
	assert_false(draft_append(&f->call, &same, TEXT("theirs")));
	assert_int_equal(f->call.error.fault, FAULT_CONFLICT);
}

/* The mark has the same position, but another process changed the requests before it. */
static void a_mark_that_came_back_is_not_mistaken_for_one_that_stayed(void **state)
{
	struct fixture *f = *state;
	struct draft d, same;

	setenv("QUIRE_NOW", "1700000000", 1); /* all at the same time */
	fixture_put(f, "a.txt", "base");
	assert_true(begin(f, &d));
	assert_true(draft_append(&f->call, &d, TEXT("one")));
	assert_true(draft_open(&f->call, d.id, &same));
	assert_true(draft_set_mark(&f->call, &d, 0));
	assert_true(draft_append(&f->call, &d, TEXT("other")));
	assert_int_equal(d.mark, same.mark);
	assert_false(draft_append(&f->call, &same, TEXT("two")));
	assert_int_equal(f->call.error.fault, FAULT_CONFLICT);
	f->call.error = (struct error){0};
	assert_false(draft_set_mark(&f->call, &same, 0));
	assert_int_equal(f->call.error.fault, FAULT_CONFLICT);
	unsetenv("QUIRE_NOW");
}

/* Saves the draft over its document. */
static bool save(struct fixture *f, const struct draft *d, const char *bytes)
{
	struct document *at;

	if (!documents_change(&f->call, &(struct want){d->path, DOCUMENT_THERE, false}, 1, &at))
		return false;
	bool done = work_commit(
		&f->call, &(struct change){.kind = CHANGE_WHOLE, .document = at, .bytes = text_of(bytes), .draft = d},
		1, "save");
	documents_release(&f->call);
	return done;
}

static void a_draft_knows_what_its_save_made(void **state)
{
	struct fixture *f = *state;
	struct draft d, same;
	bool found;

	fixture_put(f, "a.txt", "base");
	assert_true(begin(f, &d));
	struct text base = text_copy(f->call.arena, d.revision);
	assert_true(draft_open(&f->call, d.id, &same));
	assert_null(same.saved.at);
	assert_true(save(f, &d, "one"));
	assert_true(save(f, &d, "two"));
	assert_true(draft_peek(&f->call, d.id, &same, &found));
	assert_true(text_same(same.revision, base));
	assert_text(same.saved, revision_of(TEXT("two")).chars);
	/* It is not an edit, so a process that has the draft open can continue. */
	assert_true(draft_append(&f->call, &d, TEXT("request")));
}

static void a_draft_moves_to_another_base(void **state)
{
	struct fixture *f = *state;
	struct draft d, again;
	char id[64];

	fixture_put(f, "a.txt", "base");
	assert_true(begin(f, &d));
	keep_id(id, &d);
	struct text first = text_copy(f->call.arena, d.revision);
	assert_true(draft_append(&f->call, &d, TEXT("one")));
	int64_t changed = d.changed;
	assert_true(draft_set_base(&f->call, &d, TEXT("other")));
	assert_true(d.changed > changed);
	assert_true(save(f, &d, "saved"));
	assert_true(draft_open(&f->call, text_of(id), &again));
	assert_text(again.revision, "other");
	assert_text(again.saved, revision_of(TEXT("saved")).chars);
	assert_true(text_same(again.first, first));
	assert_int_equal(again.mark, 1);
	/* What was saved is of the base before; the first stays the first. */
	assert_true(draft_set_base(&f->call, &again, TEXT("third")));
	assert_true(draft_open(&f->call, text_of(id), &again));
	assert_text(again.revision, "third");
	assert_null(again.saved.at);
	assert_true(text_same(again.first, first));
	/* Another process was quicker. */
	assert_refused(draft_set_base(&f->call, &d, TEXT("fourth")), FAULT_CONFLICT);
}

static void a_draft_in_use_is_as_new(void **state)
{
	struct fixture *f = *state;
	struct draft d, same;

	setenv("QUIRE_NOW", "1700000000", 1);
	fixture_put(f, "a.txt", "base");
	assert_true(begin(f, &d));
	assert_true(draft_append(&f->call, &d, TEXT("one")));
	setenv("QUIRE_NOW", "1700003000", 1);
	assert_true(draft_touch(&f->call, &d));
	assert_true(draft_open(&f->call, d.id, &same));
	assert_int_equal(same.changed, INT64_C(1700003000000));
	assert_int_equal(same.mark, 1);
	assert_true(draft_append(&f->call, &d, TEXT("two")));
	/* Another process has changed it, which is newer anyway. */
	assert_true(draft_touch(&f->call, &same));
	assert_int_equal(same.changed, INT64_C(1700003000000));
	unsetenv("QUIRE_NOW");
}

static bool nothing(const struct caller *caller, struct text place, bool to_write)
{
	(void)caller;
	(void)place;
	(void)to_write;
	return false;
}

static void who_may_not_write_the_document_may_not_close_its_draft(void **state)
{
	struct fixture *f = *state;
	static const struct caller stranger = {.name = {"stranger", 8}, .may = nothing};
	struct draft d;
	char id[64];

	fixture_put(f, "a.txt", "base");
	assert_true(begin(f, &d));
	keep_id(id, &d);
	fixture_next(f);
	f->call.caller = &stranger;
	assert_refused(draft_close(&f->call, text_of(id)), FAULT_DENIED);
	assert_done(draft_open(&f->call, text_of(id), &d));
}

static void a_draft_in_a_second_root_names_its_document_there(void **state)
{
	struct fixture *f = *state;
	char other[100], path[120], id[64];
	const char *roots[] = {f->root, other, NULL};
	struct document *base;
	struct draft d, *list;
	size_t n;

	snprintf(other, sizeof other, "%s/other", f->top);
	snprintf(path, sizeof path, "%s/a.txt", other);
	assert_int_equal(mkdir(other, 0777), 0);
	fixture_put(f, "a.txt", "first root");
	fixture_put(f, "../other/a.txt", "second root");
	fixture_reopen(f, (struct work_options){.roots = roots});
	assert_true(document_open(&f->call, text_of(path), &base));
	assert_true(draft_new(&f->call, base, (struct text){0}, &d));
	assert_text(d.path, path);
	keep_id(id, &d);
	fixture_next(f);
	assert_true(draft_open(&f->call, text_of(id), &d));
	assert_text(d.path, path);
	assert_true(document_open(&f->call, d.path, &base));
	assert_true(text_same(document_revision(base), d.revision));
	assert_true(draft_list(&f->call, (struct text){0}, &list, &n));
	assert_int_equal(n, 1);
	assert_text(list[0].path, path);
	fixture_reopen(f, (struct work_options){0});
	assert_refused(draft_open(&f->call, text_of(id), &d), FAULT_NOT_FOUND);
}

static void a_closed_draft_is_gone(void **state)
{
	struct fixture *f = *state;
	struct draft d, *list;
	char id[64];
	size_t n;

	fixture_put(f, "a.txt", "base");
	assert_true(begin(f, &d));
	keep_id(id, &d);
	assert_true(draft_list(&f->call, TEXT("a.txt"), &list, &n));
	assert_int_equal(n, 1);
	assert_text(list[0].id, id);
	assert_true(draft_list(&f->call, (struct text){0}, &list, &n));
	assert_int_equal(n, 1);
	assert_true(draft_list(&f->call, TEXT("b.txt"), &list, &n));
	assert_int_equal(n, 0);
	assert_done(draft_close(&f->call, text_of(id)));
	assert_refused(draft_open(&f->call, text_of(id), &d), FAULT_NOT_FOUND);
	assert_refused(draft_close(&f->call, text_of(id)), FAULT_NOT_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(a_draft_is_reopened_with_its_requests),
		WITH_ROOT(a_request_behind_the_mark_cuts_off_what_stood_after_it),
		WITH_ROOT(two_that_append_at_once_do_not_lose_a_request),
		WITH_ROOT(a_mark_that_came_back_is_not_mistaken_for_one_that_stayed),
		WITH_ROOT(a_draft_knows_what_its_save_made),
		WITH_ROOT(a_draft_moves_to_another_base),
		WITH_ROOT(a_draft_in_use_is_as_new),
		WITH_ROOT(who_may_not_write_the_document_may_not_close_its_draft),
		WITH_ROOT(a_draft_in_a_second_root_names_its_document_there),
		WITH_ROOT(a_closed_draft_is_gone),
	};

	return RUN_TESTS(tests);
}
