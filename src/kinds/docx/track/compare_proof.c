/* compare_proof.c: proves the redline of two parts, and makes changes coarser where it does not hold. */
#include "kinds/docx/text/excerpt.h"
#include "kinds/docx/track/comparing.h"
#include "kinds/docx/track/proof.h"

#include "kinds/docx/text/atoms.h"

enum { ROUNDS_MAX = 12, TOLD_MAX = 5 };

/* The old words at an edit, for a message. */
static const char *words_at(struct comparing *k, const struct splice *edit)
{
	struct field_state fields = {0};
	struct text words = {0};

	if (edit->to > edit->from)
		atoms_text(k->c->arena, text_slice(k->old, edit->from, edit->to), k->old_names, &fields, NULL, &words);
	return words.len ? shown(k->c, excerpt_short(k->c->arena, words)) : "a paragraph without words";
}

/* The edits inside the pair, on its old bytes, in order. *which are their indices. */
static size_t edits_in(struct comparing *k, struct arena *a, struct place at, struct splice **out, size_t **which)
{
	struct splice *list = arena_array(a, k->edits.n + 1, sizeof *list);
	size_t *index = arena_array(a, k->edits.n + 1, sizeof *index), n = 0;

	for (size_t i = 0; i < k->edits.n; i++) {
		struct splice e = k->edits.items[i];
		if (e.from < at.from || e.to > at.to)
			continue;
		/* They are almost in order: an insertion comes before the change of what it is in front of. */
		size_t to = n++;
		e.from -= at.from;
		e.to -= at.from;
		for (; to && (list[to - 1].from > e.from || (list[to - 1].from == e.from && list[to - 1].to > e.to));
		     to--) {
			list[to] = list[to - 1];
			index[to] = index[to - 1];
		}
		list[to] = e;
		index[to] = i;
	}
	*out = list;
	*which = index;
	return n;
}

/* Makes the changes at the misses coarser. Returns false if none can be. */
static bool make_coarser(struct comparing *k, const struct proof *p, const size_t *which)
{
	bool is_any = false;

	for (size_t i = 0; i < p->misses.n; i++) {
		size_t at = p->misses.items[i];
		if (!compare_coarser(k, which[at]))
			continue;
		is_any = true;
		if (k->counts->coarser++ < TOLD_MAX)
			warn(k->c,
			     "a change did not hold word by word and is written as one deletion and one insertion: %s",
			     words_at(k, &k->edits.items[which[at]]));
	}
	return is_any;
}

/* `names`: in the redline's element, if it declares more prefixes than the original; NULL: the same. */
static bool prove_pair(struct comparing *k, const struct place_pair *pair, const struct names *names)
{
	for (int round = 0; round < ROUNDS_MAX && goes_on(k->c); round++) {
		scoped(arena_free) struct arena scratch = {0};
		struct splice *edits;
		size_t *which, n = edits_in(k, &scratch, pair->old, &edits, &which);
		struct proof p = {.bytes = text_slice(k->old, pair->old.from, pair->old.to),
				  .names = pair->old.names,
				  .redline = {edits, n},
				  .revised = text_slice(k->new, pair->new.from, pair->new.to),
				  .revised_names = pair->new.names,
				  .redline_names = names,
				  .has_revised = true,
				  .is_loose = true,
				  .without_objects = k->counts->left_out > 0};
		bool holds = proof_holds(&scratch, &p);
		k->counts->is_quiet_changed |= p.is_quiet_changed;
		if (holds)
			return true;
		if (make_coarser(k, &p, which))
			continue;
		size_t at = p.misses.n ? p.misses.items[0] : SIZE_MAX;
		return fail_as(k->c, "REDLINE_NOT_PROVED",
			       "the redline would not give back both versions near %s, so it is not written; compare "
			       "parts of the documents, or save both with the same program and compare again",
			       at == SIZE_MAX ? "the beginning" : words_at(k, &k->edits.items[which[at]]));
	}
	return fail_as(k->c, "REDLINE_NOT_PROVED",
		       "the redline would not give back both versions in too many places, so it is not written; save "
		       "both with the same program and compare again");
}

bool compare_proved(struct comparing *k, const struct place_pair *pairs, size_t n, const struct names *inside,
		    struct text prefixes)
{
	struct text tag = text_format(k->c->arena, "<x%.*s>", TEXT_ARGS(prefixes));
	const struct names *names = prefixes.len ? names_read(k->c->arena, inside, tag) : NULL;

	for (size_t i = 0; i < n; i++)
		if (!prove_pair(k, &pairs[i], names))
			return false;
	return true;
}
