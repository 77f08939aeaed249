#include "kinds/docx/track/proof.h"
#include "kinds/docx/track/pass.h"

enum { MISSES_MAX = 256, STRETCH = 8192 };

/* The forms of the element that are read side by side. */
enum form { FORM_ORIGINAL, FORM_REJECTED, FORM_ACCEPTED, FORM_REVISED, FORMS };

struct proving {
	struct proof *p;
	struct arena *arena;
	struct outcome_reader *readers[FORMS];
	struct outcome outcomes[FORMS];
	size_t used[3];            /* edits of the redline, the original and the clean document before the stretch */
	uint32_t grown;            /* what the redline has more than the bytes so far, modulo 2^32 */
	const struct names *names; /* in the element */
	bool is_broken;
};

/* The edits in the stretch, on its own bytes. An insertion between two stretches belongs to the first. */
static size_t edits_until(struct arena *a, const struct proof_edits *all, size_t *used, uint32_t from, uint32_t to,
			  struct splice **out)
{
	size_t first = *used;

	while (*used < all->n && all->items[*used].to <= to)
		++*used;
	size_t n = *used - first;
	*out = arena_array(a, n + 1, sizeof **out);
	for (size_t i = 0; i < n; i++) {
		struct splice e = all->items[first + i];
		(*out)[i] = (struct splice){e.from - from, e.to - from, e.with};
	}
	return n;
}

static void add(struct proving *v, struct arena *a, enum form form, struct text blocks, uint32_t base,
		const struct names *names)
{
	struct buffer wrapped = {.arena = a};

	buffer_put(&wrapped, "<x>");
	buffer_add(&wrapped, blocks);
	buffer_put(&wrapped, "</x>");
	v->is_broken |= !outcome_add(v->readers[form], buffer_text(&wrapped), names, base - 3);
}

static void stretch(struct proving *v, uint32_t from, uint32_t to)
{
	scoped(arena_free) struct arena scratch = {0};
	struct proof *p = v->p;
	struct text bytes = text_slice(p->bytes, from, to);
	struct splice *red, *was, *now;
	size_t red_n = edits_until(&scratch, &p->redline, &v->used[0], from, to, &red);
	size_t was_n = edits_until(&scratch, &p->original, &v->used[1], from, to, &was);
	size_t now_n = edits_until(&scratch, &p->clean, &v->used[2], from, to, &now);
	const struct names *names = p->redline_names ? p->redline_names : v->names;
	bool waits = false, has_edits = red_n || was_n || now_n;

	for (int i = 0; i < FORMS; i++)
		waits |= outcome_waits(v->readers[i]);
	bool is_apart = p->revised.at; /* the revised document is read on its own */
	uint32_t base = from + v->grown;
	struct text redline = red_n ? splice_apply(&scratch, bytes, red, red_n) : bytes;
	v->grown += (uint32_t)(redline.len - bytes.len);
	if (has_edits || waits) {
		add(v, &scratch, FORM_ORIGINAL, was_n ? splice_apply(&scratch, bytes, was, was_n) : bytes, base,
		    v->names);
		add(v, &scratch, FORM_REJECTED, redline, base, names);
	}
	if (p->has_revised && (is_apart || has_edits || waits))
		add(v, &scratch, FORM_ACCEPTED, redline, base, names);
	if (p->has_revised && !is_apart && (has_edits || waits))
		add(v, &scratch, FORM_REVISED, now_n ? splice_apply(&scratch, bytes, now, now_n) : bytes, base,
		    v->names);
}

/* Cuts the element between its blocks. */
static void read_all(struct proving *v)
{
	scoped(arena_free) struct arena scratch = {0};
	struct proof *p = v->p;
	uint32_t done = 0, last = 0, inner = 0;
	unsigned depth = 1; /* of the element around the blocks */
	struct pass w;

	pass_begin(&w, &scratch, p->bytes, p->names);
	while (!v->is_broken && pass_next(&w)) {
		const struct xml_scan *s = &w.scan;
		if (s->token == XML_SCAN_OPEN && (s->depth == 1 || (s->depth == 2 && pass_tag(&w) == TAG_BODY))) {
			depth = s->depth;
			v->names = w.names[depth];
			done = last = inner = s->to;
		} else if (s->token == XML_SCAN_CLOSE && s->depth == depth + 1) {
			last = s->to;
			if (last - done < STRETCH)
				continue;
			stretch(v, done, last);
			done = last;
		} else if (s->token == XML_SCAN_CLOSE && s->depth == depth) {
			if (inner && s->from > done)
				stretch(v, done, s->from);
			else if (inner)
				stretch(v, done, done);
			break;
		}
	}
	v->is_broken |= w.scan.is_bad;
}

static void put_miss(struct proving *v, size_t edit)
{
	struct proof *p = v->p;

	if (edit < p->redline.n && p->misses.n < MISSES_MAX &&
	    (!p->misses.n || p->misses.items[p->misses.n - 1] != edit))
		*ARRAY_PUSH(v->arena, &p->misses) = edit;
}

/* The edit that wrote this place of the redline; if it is outside of all edits, those before and after it. */
static void miss(struct proving *v, uint32_t at)
{
	const struct proof_edits *all = &v->p->redline;
	int64_t shift = 0, end = -1;
	size_t next = 0;

	for (; next < all->n && all->items[next].from + shift <= at; next++) {
		const struct splice *e = &all->items[next];
		end = (int64_t)e->from + shift + (int64_t)e->with.len;
		shift += (int64_t)e->with.len - (e->to - e->from);
	}
	if (next)
		put_miss(v, next - 1);
	if (end <= at)
		put_miss(v, next);
}

static uint32_t place_of(const struct outcome *o, size_t i)
{
	return o->items.n ? o->items.items[i < o->items.n ? i : o->items.n - 1].at : 0;
}

/* If both have the same number of items, all places that differ; otherwise the first and the last one. */
static bool compare(struct proving *v, enum form got_form, enum form want_form)
{
	const struct outcome *got = &v->outcomes[got_form], *want = &v->outcomes[want_form];
	size_t n = got->items.n < want->items.n ? got->items.n : want->items.n, from = 0, back = 0;
	const struct outcome_item *x = got->items.items, *y = want->items.items;
	bool holds = true;

	for (size_t i = 0; i < n && got->items.n == want->items.n; i++) {
		if (x[i].hash == y[i].hash)
			continue;
		holds = false;
		miss(v, x[i].at);
	}
	if (got->items.n == want->items.n)
		return holds;
	while (from < n && x[from].hash == y[from].hash)
		from++;
	while (back < n - from && x[got->items.n - 1 - back].hash == y[want->items.n - 1 - back].hash)
		back++;
	miss(v, place_of(got, from));
	miss(v, place_of(got, got->items.n > back ? got->items.n - 1 - back : 0));
	return false;
}

bool proof_holds(struct arena *a, struct proof *p)
{
	struct outcome_rule reject = {.how = SETTLE_REJECT, .has_bookmarks = true};
	struct outcome_rule accept = {
		.how = SETTLE_ACCEPT, .is_loose = p->is_loose, .without_objects = p->without_objects};
	scoped(arena_free) struct arena scratch = {0};
	struct proving v = {.p = p, .arena = a};

	p->misses.n = 0;
	p->is_quiet_changed = false;
	for (int i = 0; i < FORMS; i++)
		v.readers[i] = outcome_open(&scratch, i < FORM_ACCEPTED ? reject : accept, &v.outcomes[i]);
	read_all(&v);
	if (p->has_revised && p->revised.at)
		v.is_broken |= !outcome_add(v.readers[FORM_REVISED], p->revised, p->revised_names, 0);
	for (int i = 0; i < FORMS; i++)
		outcome_close(v.readers[i]);
	if (v.is_broken)
		return false;
	bool holds = compare(&v, FORM_REJECTED, FORM_ORIGINAL);
	if (!p->has_revised)
		return holds;
	p->is_quiet_changed = v.outcomes[FORM_ACCEPTED].quiet != v.outcomes[FORM_REVISED].quiet;
	return compare(&v, FORM_ACCEPTED, FORM_REVISED) && holds;
}
