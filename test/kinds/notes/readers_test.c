/* Calls that read the graph of a vault at the same time. */
#include "../../work/work_fixture.h"

#include "kinds/notes/notes.h"

#include <pthread.h>
#include <semaphore.h>

struct side {
	struct fixture *f;
	struct arena arena;
	struct call call;
	void *state;
	sem_t done;
	uint32_t notes;
	bool writes;
};

static void begin(struct side *s, struct fixture *f, void *state)
{
	*s = (struct side){.f = f, .state = state};
	s->call = (struct call){.arena = &s->arena, .work = f->work, .tool = "test", .state = state};
	sem_init(&s->done, 0, 0);
}

static void end(struct side *s)
{
	work_release(&s->call);
	arena_free(&s->arena);
	sem_destroy(&s->done);
}

static void *enter_and_leave(void *side)
{
	struct side *s = side;
	struct vault *v = s->writes ? vault_change(&s->call) : vault_read(&s->call);

	s->notes = v ? v->graph.count : 0;
	vault_leave(&v);
	sem_post(&s->done);
	return NULL;
}

static void write_note(const struct fixture *f, const char *name)
{
	char path[200];

	snprintf(path, sizeof path, "%s/%s", f->root, name);
	FILE *file = fopen(path, "w");
	fputs("x\n", file);
	fclose(file);
}

/* A test that fails here hangs: the second reader waits for the first. */
static void a_reader_that_waits_inside_does_not_hold_up_another(void **state)
{
	struct fixture *f = *state;
	struct side first, second;
	pthread_t thread;
	void *vault;

	write_note(f, "a.md");
	assert_true(vault_open(&f->call, NULL, &vault));
	begin(&first, f, vault);
	begin(&second, f, vault);
	struct vault *v = vault_read(&first.call);
	assert_non_null(v);
	assert_int_equal(v->graph.count, 1);
	pthread_create(&thread, NULL, enter_and_leave, &second);
	sem_wait(&second.done);
	assert_int_equal(second.notes, 1);
	pthread_join(thread, NULL);
	vault_leave(&v);
	end(&first);
	end(&second);
	vault_close(vault);
}

/* News must wait for the reader inside, and is there afterwards. */
static void a_change_is_seen_by_the_next_reader(void **state)
{
	struct fixture *f = *state;
	struct side first, second;
	pthread_t thread;
	void *vault;

	write_note(f, "a.md");
	assert_true(vault_open(&f->call, NULL, &vault));
	for (int writes = 0; writes < 2; writes++) {
		begin(&first, f, vault);
		begin(&second, f, vault);
		second.writes = writes;
		struct vault *v = vault_read(&first.call);
		assert_non_null(v);
		write_note(f, writes ? "c.md" : "b.md");
		pthread_create(&thread, NULL, enter_and_leave, &second);
		assert_int_equal(v->graph.count, 1 + writes);
		vault_leave(&v);
		sem_wait(&second.done);
		assert_int_equal(second.notes, 2 + writes);
		pthread_join(thread, NULL);
		end(&first);
		end(&second);
	}
	vault_close(vault);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_reader_that_waits_inside_does_not_hold_up_another, fixture_open,
						fixture_close),
		cmocka_unit_test_setup_teardown(a_change_is_seen_by_the_next_reader, fixture_open, fixture_close),
	};
	return RUN_TESTS(tests);
}
