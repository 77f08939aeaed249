/* Any bytes as a plan. Every problem has a position inside the text. Tokens are in order with only blanks and comments
 * between. Statements contain their clauses. A valid plan printed from its tokens, separated by single blanks, is the
 * same plan. */
#include "must.h"
#include "kinds/floorplan/plan/plan.h"
#include "kinds/floorplan/language/syntax.h"

#include <math.h>
#include <string.h>

static bool only_blanks(struct arena *a, struct text t)
{
	struct tokens none = {0};

	lex(a, t, 0, &none);
	return none.n == 1 && none.items[0].kind == TOKEN_END;
}

static void check_spans(struct arena *a, const struct syntax *s)
{
	uint32_t last = s->tokens.items[0].from;

	for (size_t i = 0; i < s->tokens.n; i++) {
		const struct token *t = &s->tokens.items[i];

		MUST(t->from >= last && t->to >= t->from && t->to <= s->source.len);
		MUST(only_blanks(a, text_slice(s->source, last, t->from)));
		last = t->to;
	}
	for (size_t i = 0; i < s->statements.n; i++) {
		const struct statement *k = s->statements.items[i];

		MUST(k->span.from < k->span.to && k->parent < (int)i && k->number == (int)i);
		MUST(k->parent < 0 || k->span.from > s->statements.items[k->parent]->span.from);
		for (size_t c = 0; c < k->clause_count; c++)
			MUST(k->clauses[c].span.from >= k->span.from && k->clauses[c].span.to <= k->span.to);
	}
}

static struct text printed(struct arena *a, const struct syntax *s)
{
	struct buffer b = {.arena = a};

	buffer_add(&b, text_slice(s->source, 0, s->tokens.items[0].from));
	for (size_t i = 0; i < s->tokens.n; i++) {
		buffer_add(&b, text_slice(s->source, s->tokens.items[i].from, s->tokens.items[i].to));
		buffer_byte(&b, ' ');
	}
	return buffer_text(&b);
}

static void check_same(const struct plan *a, const struct plan *b)
{
	MUST(b->problems.errors == 0 && a->rooms.n == b->rooms.n && a->stairs.n == b->stairs.n &&
	     a->connections.n == b->connections.n);
	MUST(a->unit == b->unit && a->floors.n == b->floors.n && a->lifts.n == b->lifts.n &&
	     a->problems.n == b->problems.n);
	for (size_t i = 0; i < a->rooms.n; i++) {
		MUST(text_same(a->rooms.items[i].name, b->rooms.items[i].name));
		MUST(!memcmp(&a->rooms.items[i].box, &b->rooms.items[i].box, sizeof(struct box)));
		MUST(isfinite(a->rooms.items[i].box.x) && isfinite(a->rooms.items[i].box.y));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct text source = {(const char *)bytes, n};

	if (n > 20000)
		return 0;
	const struct plan *p = plan_read(&a, source);

	for (size_t i = 0; i < p->problems.n; i++) {
		const struct problem *q = &p->problems.items[i];

		MUST(q->from <= n && q->line >= 1 && q->column >= 1 && q->message && *q->message);
	}
	check_spans(&a, p->syntax);
	if (plan_is_valid(p))
		check_same(p, plan_read(&a, printed(&a, p->syntax)));
	arena_free(&a);
	return 0;
}
