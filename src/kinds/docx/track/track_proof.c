/* track_proof.c: proves the redline of a session, and makes changes coarser where it does not hold. */
#include "kinds/docx/track/proof.h"
#include "kinds/docx/track/track.h"

enum { ROUNDS_MAX = 12 };

static struct text before(void *unused, const struct story *s, uint32_t p)
{
	(void)unused;
	return track_before(s, p);
}

static struct splice *made(void *track, const struct story *s, size_t *n)
{
	struct track *t = track;

	for (size_t i = 0; i < t->stories_n; i++)
		if (t->stories[i].story == s) {
			*n = t->stories[i].n;
			return t->stories[i].edits;
		}
	*n = 0;
	return NULL;
}

/* The paragraph that begins at this place of the part, or the last one before it. */
static uint32_t paragraph_at(const struct story *s, uint32_t from)
{
	uint32_t found = STORY_NONE;

	for (uint32_t p = 0; p < s->original; p++)
		if (s->paragraphs.items[p].host == STORY_NONE && s->paragraphs.items[p].from <= from)
			found = p;
	return found;
}

/* The edits that lead from a part to a form of the story. */
struct form_edits {
	struct splice *items;
	size_t n;
};

/* Those inside a note, on its own bytes. */
static struct proof_edits edits_in(struct arena *a, struct form_edits all, const struct story_note *note)
{
	struct splice *inside = arena_array(a, all.n + 1, sizeof *inside);
	size_t n = 0;

	for (size_t i = 0; i < all.n; i++)
		if (all.items[i].from > note->from && all.items[i].to < note->to)
			inside[n++] = (struct splice){all.items[i].from - note->from, all.items[i].to - note->from,
						      all.items[i].with};
	return (struct proof_edits){inside, n};
}

/* Do edits take out the whole note? */
static bool is_gone(struct form_edits all, const struct story_note *note)
{
	uint32_t at = note->from;

	for (size_t i = 0; i < all.n; i++)
		if (all.items[i].from == at && all.items[i].to > at && !all.items[i].with.len)
			at = all.items[i].to;
	return at >= note->to;
}

/* Marks the changes at the misses as coarse. Returns false if none can be. */
static bool make_coarser(struct track *t, struct story *s, const struct proof *p, uint32_t base)
{
	bool is_any = false;

	for (size_t i = 0; i < p->misses.n; i++) {
		uint32_t at = paragraph_at(s, p->redline.items[p->misses.items[i]].from + base);
		if (at == STORY_NONE)
			continue;
		t->failed = (struct track_place){s, at};
		if (!track_coarser(t, s, at))
			continue;
		is_any = true;
		*ARRAY_PUSH(t->arena, &t->coarser) = t->failed;
	}
	return is_any;
}

enum proved { PROVED, PROVED_LATER, NOT_PROVED };

/* PROVED_LATER: changes are coarser now. */
static enum proved prove(struct track *t, struct arena *a, struct story *s, struct proof *p, uint32_t base)
{
	if (proof_holds(a, p))
		return PROVED;
	return make_coarser(t, s, p, base) ? PROVED_LATER : NOT_PROVED;
}

/* Notes that only one file has follow their references, which are proved with the text. */
static enum proved prove_notes(struct track *t, struct arena *a, struct story *s, struct form_edits red,
			       struct form_edits was, struct form_edits clean)
{
	enum proved worst = PROVED;

	for (size_t i = 0; i < s->notes.n; i++) {
		const struct story_note *note = &s->notes.items[i];
		struct proof p = {.bytes = text_slice(s->part->bytes, note->from, note->to),
				  .names = s->names,
				  .redline = edits_in(a, red, note),
				  .original = edits_in(a, was, note),
				  .clean = edits_in(a, clean, note),
				  .has_revised = !is_gone(clean, note)};
		if (is_gone(red, note) || (!p.redline.n && !p.clean.n))
			continue;
		enum proved how = prove(t, a, s, &p, note->from);
		worst = how > worst ? how : worst;
	}
	return worst;
}

static struct form_edits sorted(struct arena *a, const struct story *s, const struct story_writer *writer)
{
	struct form_edits f;

	f.items = writer ? story_splices_by(a, s, &f.n, writer) : story_splices(a, s, &f.n);
	if (f.n)
		f.items = splice_sorted(a, f.items, f.n, s->part->bytes.len);
	return f;
}

static bool prove_story(struct track *t, struct story *s, struct track_story *out)
{
	static const struct names none = {0};
	const struct story_writer writer = t->writer, was = {.write = before, .is_redline = true};
	struct stamp stamp = t->stamp;

	for (int round = 0; round < ROUNDS_MAX; round++) {
		scoped(arena_free) struct arena scratch = {0};
		struct form_edits base = {0};

		t->stamp = stamp;
		struct form_edits red = sorted(t->arena, s, &writer), clean = sorted(&scratch, s, NULL);
		*out = (struct track_story){s, red.items, red.n};
		if (!red.n && !clean.n)
			return true;
		if (s->revisions || s->patches.n)
			base = sorted(&scratch, s, &was);
		struct proof p = {.bytes = s->part->bytes,
				  .names = &none,
				  .redline = {red.items, red.n},
				  .original = {base.items, base.n},
				  .clean = {clean.items, clean.n},
				  .has_revised = true};
		enum proved how =
			s->notes.n ? prove_notes(t, &scratch, s, red, base, clean) : prove(t, &scratch, s, &p, 0);
		if (how != PROVED_LATER)
			return how == PROVED;
	}
	return false;
}

bool track_prove(struct track *t, struct call *c, struct session *s)
{
	t->stories = arena_array(c->arena, s->stories_n + 1, sizeof *t->stories);
	for (size_t i = 0; i <= s->stories_n; i++) {
		struct story *story = i ? s->stories[i - 1] : s->body;
		t->failed = (struct track_place){story, story->first};
		if (!prove_story(t, story, &t->stories[t->stories_n++]))
			return false;
		if (!goes_on(c))
			return false;
	}
	t->writer.made = made;
	return true;
}
