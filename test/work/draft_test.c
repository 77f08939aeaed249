#include "work/work_fixture.h"

static bool begin(struct fixture *f, struct draft *d)
{
	struct document *base;

	return document_open(&f->call, TEXT("a.txt"), &base) && draft_new(&f->call, base, d);
}

static void keep_id(char to[64], const struct draft *d) { snprintf(to, 64, "%.*s", TEXT_ARGS(d->id)); }

static void a_draft_is_reopened_with_its_requests_and_its_base(void **state)
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
	assert_text(d.base, "base");
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
		WITH_ROOT(a_draft_is_reopened_with_its_requests_and_its_base),
		WITH_ROOT(a_request_behind_the_mark_cuts_off_what_stood_after_it),
		WITH_ROOT(two_that_append_at_once_do_not_lose_a_request),
		WITH_ROOT(a_closed_draft_is_gone),
	};

	return RUN_TESTS(tests);
}
