/* Any bytes as a story bible, edited as the last bytes say. Every span is inside the bytes and inside its entry, an
 * edit of one entry keeps the facts of the others, added evidence reads back, and bytes outside the splices stay
 * (splice_fuzz). The same bytes as prose: words are in order, and none contains a blank. */
#include "must.h"
#include "base/utf8.h"
#include "kinds/hnpx/bible/bible_edits.h"
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/prose/words.h"
#include "kinds/hnpx/prose/loose.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void spans_hold(struct arena *a, const struct bible *b)
{
	uint32_t at = 0;

	for (size_t i = 0; i < b->entries.n; i++) {
		const struct bible_entry *e = &b->entries.items[i];
		MUST(e->all.from >= at && e->heading.from == e->all.from && e->heading.to <= e->all.to &&
		     e->all.to <= b->bytes.len && e->name.len);
		MUST(e->section == BIBLE_NONE || e->section < b->sections.n);
		at = e->heading.to;
		for (uint32_t k = e->first_fact; k < e->first_fact + e->facts; k++) {
			const struct bible_fact *f = &b->facts.items[k];
			MUST(f->lines.from >= at && f->lines.to > f->lines.from && f->lines.to <= e->all.to &&
			     f->text.len);
			MUST(f->words_to <= f->lines.to && f->evidence.to <= f->lines.to);
			MUST((f->id == BOOK_NONE) == (f->evidence.from == f->evidence.to));
			MUST(bible_fact_said(a, b, e, f->text) != BIBLE_NONE);
			at = f->lines.to;
		}
		at = e->all.to;
		MUST(bible_find(a, b, (struct text){0}, e->name) != BIBLE_NONE);
		bible_names(a, b, e);
		bible_prose(a, b, e);
	}
}

static void words_hold(struct arena *a, struct text t)
{
	struct words words = {0};
	uint32_t at = 0;

	words_split(&words, a, t);
	for (size_t i = 0; i < words.list.n; i++) {
		const struct word *w = &words.list.items[i];
		char room[WORD_ROOM];
		MUST(w->from >= at && w->to > w->from && w->to <= t.len);
		struct text loose = word_loose(a, t, w, room);
		MUST(text_find(loose, TEXT(" "), 0) == SIZE_MAX);
		MUST(!w->is_plain || text_same(loose, loose_text(a, text_slice(t, w->from, w->to))));
		at = w->to;
	}
}

static void edit(struct arena *a, const struct bible *b, const uint8_t *choice)
{
	struct bible_edits p = {.arena = a, .bible = b};
	struct new_fact fact = {TEXT("It is so."), TEXT("fxs2di"), TEXT("k4f2")};
	struct text alias = TEXT("Nemo");
	uint32_t entry = b->entries.n ? choice[1] % (uint32_t)b->entries.n : BIBLE_NONE;

	if (entry == BIBLE_NONE || choice[0] % 8 == 0)
		bible_put_entry(&p, text_of(bible_sections[choice[1] % SECTIONS]), TEXT("Nemo"),
				(struct texts){&alias, 1}, &fact, 1);
	else if (choice[0] % 8 == 1)
		bible_put_facts(&p, entry, &fact, 1);
	else if (choice[0] % 8 == 2)
		bible_put_aliases(&p, entry, (struct texts){&alias, choice[0] & 1});
	else if (choice[0] % 8 == 3)
		bible_put_name(&p, entry, alias);
	else if (choice[0] % 8 == 4)
		bible_drop_entry(&p, entry);
	else if (choice[0] % 8 == 5)
		bible_put_names(&p, b->entries.items[entry].name, alias);
	else
		for (uint32_t k = 0; k < b->facts.n; k++)
			choice[0] % 8 == 6 ? bible_put_evidence(&p, k, fact.id, fact.check) : bible_drop_fact(&p, k);
	const struct bible *after = bible_read(a, splice_apply(a, b->bytes, p.splices.items, p.splices.n));
	spans_hold(a, after);
	if (entry != BIBLE_NONE && choice[0] % 8 == 6)
		for (size_t k = 0; k < after->facts.n && after->facts.n == b->facts.n; k++)
			MUST(text_same(after->facts.items[k].check, fact.check));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct arena arena = {0};

	if (len < 2)
		return 0;
	struct text source = text_copy(&arena, (struct text){(const char *)bytes, len - 2});
	source.len = utf8_bad(source);
	const struct bible *b = bible_read(&arena, source);
	spans_hold(&arena, b);
	edit(&arena, b, bytes + len - 2);
	words_hold(&arena, source);
	arena_free(&arena);
	return 0;
}
