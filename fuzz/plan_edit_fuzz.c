/* Random operations on random plans. The first byte is the number of operations; the next bytes make the operations;
 * the rest is the plan. A valid plan always stays valid, a refused operation changes no byte, and comments survive,
 * unless a room before them on the same line was removed. */
#include "must.h"
#include "kinds/floorplan/edit/edit.h"

#include <string.h>

struct dice {
	const uint8_t *at;
	size_t n;
};

static unsigned roll(struct dice *d, unsigned sides)
{
	if (!d->n || !sides)
		return 0;
	d->n--;
	return *d->at++ % sides;
}

/* A name for operations: of a room, stair, lift or floor, with or without its floor before it. */
static struct text some_name(struct arena *a, const struct plan *p, struct dice *d)
{
	static const char *const names[] = {"A", "B", "Hall", "x", "door", "9", "", "outside"};
	unsigned which = roll(d, 20);
	int floor = -1;
	struct text name = {0};

	if (which < 14 && p->rooms.n) {
		const struct plan_room *r = &p->rooms.items[roll(d, (unsigned)p->rooms.n)];

		floor = r->floor;
		name = r->name;
	} else if (which == 14 && p->stairs.n) {
		const struct plan_stair *s = &p->stairs.items[roll(d, (unsigned)p->stairs.n)];

		floor = s->floor;
		name = s->name;
	} else if (which == 15 && p->lifts.n) {
		const struct plan_lift *l = &p->lifts.items[roll(d, (unsigned)p->lifts.n)];

		floor = l->floor;
		name = l->name;
	} else if (which == 16 && p->floors.n) {
		name = p->floors.items[roll(d, (unsigned)p->floors.n)].name;
	} else {
		return text_of(names[which % 8]);
	}
	if (floor >= 0 && roll(d, 3) == 0)
		return text_format(a, "%.*s.%.*s", TEXT_ARGS(p->floors.items[floor].name), TEXT_ARGS(name));
	return text_copy(a, name);
}

static struct texts some_names(struct arena *a, const struct plan *p, struct dice *d)
{
	struct texts t = {.items = arena_array(a, 4, sizeof *t.items)};

	for (size_t n = roll(d, 4); t.n < n;)
		t.items[t.n++] = some_name(a, p, d);
	return t;
}

static double some_number(struct dice *d)
{
	static const double odd[] = {0, -1, 0.1, 1e9, 1e-7, 3.25, 10, 12};

	return roll(d, 4) ? roll(d, 60) / 2.0 : odd[roll(d, 8)];
}

static struct maybe_number perhaps(struct dice *d) { return (struct maybe_number){some_number(d), roll(d, 2)}; }

/* Fills parameters by size: numbers, texts and choices are random; pointers point to filled structs. */
static const void *some_params(struct arena *a, const struct plan *p, struct dice *d, const struct field *table,
			       size_t size)
{
	char *out = arena_zero(a, size + 64);

	for (const struct field *f = table; f->name; f++) {
		void *to = out + f->at;
		bool given = f->flags & FIELD_REQUIRED || roll(d, 3) == 0;
		unsigned choices = 0;

		while (f->choices && f->choices[choices])
			choices++;
		switch (f->type) {
		case FIELD_TEXT:
			if (given)
				*(struct text *)to = some_name(a, p, d);
			break;
		case FIELD_NUMBER: *(double *)to = some_number(d); break;
		case FIELD_MAYBE_NUMBER: *(struct maybe_number *)to = perhaps(d); break;
		case FIELD_CHOICE: *(int *)to = given ? (int)roll(d, choices) : -1; break;
		case FIELD_OBJECT:
			if (given) {
				const void *object = some_params(a, p, d, f->shape->fields, f->shape->size);
				memcpy(to, &object, sizeof object);
			}
			break;
		case FIELD_ANY: *(const struct json **)to = json_new_number(a, some_number(d)); break;
		case FIELD_TEXTS: *(struct texts *)to = some_names(a, p, d); break;
		case FIELD_INT:
		case FIELD_MAYBE_INT:
		case FIELD_FLAG:
		case FIELD_MAYBE_FLAG:
		case FIELD_CHOICES:
		case FIELD_NUMBERS:
		case FIELD_OBJECTS:
		case FIELD_UNION:
		case FIELD_UNIONS:
		case FIELD_MAP:
		case FIELD_TEXT_MAP: break;
		}
	}
	return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	enum { DICE = 64 };
	struct arena a = {0};

	if (n < DICE || n > 8000)
		return 0;
	struct dice d = {bytes, DICE};
	struct text source = {(const char *)bytes + DICE, n - DICE};
	const struct plan *p = plan_read(&a, source);

	for (int i = 0, most = 1 + (int)roll(&d, 4); plan_is_valid(p) && i < most; i++) {
		struct call c = {.arena = &a};
		unsigned which = roll(&d, ACTIONS);
		const struct variant *v = &action_variants[which];
		struct operation op = {.target = some_name(&a, p, &d)};
		struct edited out;

		for (const struct field *f = v->shape.fields; f->name; f++)
			if (f->shape)
				op.params = some_params(&a, p, &d, f->shape->fields, f->shape->size);
		MUST(edit_run(&c, source, &(struct variant_value){(int)which, &op}, 1, &out));
		MUST(out.changes.n == 1);
		const struct plan *after = plan_read(&a, out.source);

		MUST(plan_is_valid(after));
		if (out.changes.items[0].result != RESULT_APPLIED)
			MUST(text_same(out.source, source));
		if (which != ACTION_REMOVE_ROOM && which != ACTION_REMOVE_CONNECTION)
			for (size_t k = 0; k < source.len; k++)
				if (source.at[k] == '#' && out.changes.items[0].result == RESULT_SKIPPED)
					MUST(out.source.at[k] == '#');
		if (which == ACTION_CONVERT_TO_RELATIVE)
			for (size_t k = 0; k < p->rooms.n; k++)
				MUST(after->rooms.items[k].box.x - p->rooms.items[k].box.x < 1e-3 &&
				     p->rooms.items[k].box.x - after->rooms.items[k].box.x < 1e-3);
		source = out.source;
		p = after;
	}
	arena_free(&a);
	return 0;
}
