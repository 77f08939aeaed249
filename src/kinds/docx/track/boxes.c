/* boxes.c: text boxes of a paragraph that is in both versions. Their content is compared like any other text, so a
 * changed word in a box does not replace the whole drawing.
 *
 * While the paragraph itself is compared, a comment stands for the content of each box. */
#include "kinds/docx/track/comparing.h"

struct box {
	struct place place;
	bool is_twin;  /* in the copy for old readers */
	bool is_empty; /* has no place for content */
};
struct boxes {
	ARRAY(struct box) list;
};

/* The outermost boxes of a paragraph. */
static bool boxes_of(struct comparing *k, struct arena *a, struct text part, struct place at, struct boxes *out)
{
	unsigned twin = 0, box = 0; /* depths */
	struct text local;
	struct pass w;

	pass_begin(&w, a, text_slice(part, at.from, at.to), at.names);
	w.arena = k->c->arena; /* the survey keeps names */
	while (pass_next(&w)) {
		const struct xml_scan *s = &w.scan;
		bool opens = s->token == XML_SCAN_OPEN, closes = s->token == XML_SCAN_CLOSE;
		if ((!opens && !closes) || (box && !(closes && s->depth == box)))
			continue;
		if (!box && names_split(w.names[s->depth], s->name, false, &local) == SPACE_MC &&
		    text_is(local, "Fallback"))
			twin = opens && !twin ? s->depth : closes && s->depth == twin ? 0 : twin;
		if (opens && pass_tag(&w) == TAG_TXBX_CONTENT) {
			box = s->depth;
			*ARRAY_PUSH(a, &out->list) =
				(struct box){{at.from + s->from, 0, w.names[s->depth - 1]}, twin, s->is_empty};
		} else if (closes && box) {
			out->list.items[out->list.n - 1].place.to = at.from + s->to;
			box = 0;
		}
	}
	return !w.scan.is_bad;
}

static struct text sign_of(struct arena *a, size_t i) { return text_format(a, "<!--quire: box %zu-->", i); }

/* The paragraph with a sign in place of each box. */
static struct text with_signs(struct arena *a, struct text part, struct place at, const struct boxes *boxes)
{
	struct splice *edits = arena_array(a, boxes->list.n, sizeof *edits);

	for (size_t i = 0; i < boxes->list.n; i++)
		edits[i] = (struct splice){boxes->list.items[i].place.from - at.from,
					   boxes->list.items[i].place.to - at.from, sign_of(a, i)};
	return splice_apply(a, text_slice(part, at.from, at.to), edits, boxes->list.n);
}

/* The edits since `first`, applied to the box. */
static struct text redlined(struct comparing *k, struct arena *a, struct place box, size_t first)
{
	for (size_t i = first; i < k->edits.n; i++) {
		k->edits.items[i].from -= box.from;
		k->edits.items[i].to -= box.from;
	}
	struct text out =
		splice_apply(a, text_slice(k->old, box.from, box.to), k->edits.items + first, k->edits.n - first);
	k->edits.n = first;
	while (k->written.n && k->written.items[k->written.n - 1].edit >= first)
		k->written.n--;
	return out;
}

bool boxes_compare(struct comparing *k, struct arena *a, struct place old, struct place new, struct boxed *out)
{
	static const struct text name = TEXT("txbxContent");
	struct boxes was = {0}, now = {0};

	if (text_find(text_slice(k->old, old.from, old.to), name, 0) == SIZE_MAX ||
	    text_find(text_slice(k->new, new.from, new.to), name, 0) == SIZE_MAX ||
	    !boxes_of(k, a, k->old, old, &was) || !boxes_of(k, a, k->new, new, &now) || was.list.n != now.list.n)
		return false;
	for (size_t i = 0; i < was.list.n; i++)
		if (was.list.items[i].is_empty || was.list.items[i].is_twin != now.list.items[i].is_twin)
			return false;
	out->n = was.list.n;
	out->contents = arena_array(a, out->n + 1, sizeof *out->contents);
	for (size_t i = 0; i < out->n; i++) {
		const struct box *box = &was.list.items[i];
		size_t first = k->edits.n;
		struct tally tally = tally_begin(k);
		compare_inside(k, box->place, now.list.items[i].place, LEVEL_BLOCKS);
		/* A change in both copies of a box is one change. */
		if (box->is_twin)
			tally_end(k, &tally);
		if (!k->is_survey)
			out->contents[i] = redlined(k, a, box->place, first);
	}
	if (k->is_survey || k->is_broken)
		return false;
	out->was = with_signs(a, k->old, old, &was);
	out->now = with_signs(a, k->new, new, &now);
	return out->n > 0;
}

bool boxes_fill(struct arena *a, const struct boxed *boxes, struct text *paragraph)
{
	struct splice *edits = arena_array(a, boxes->n + 1, sizeof *edits);

	for (size_t i = 0; i < boxes->n; i++) {
		struct text sign = sign_of(a, i);
		size_t at = text_find(*paragraph, sign, 0);
		if (at == SIZE_MAX || text_find(*paragraph, sign, at + 1) != SIZE_MAX)
			return false;
		edits[i] = (struct splice){(uint32_t)at, (uint32_t)(at + sign.len), boxes->contents[i]};
	}
	*paragraph = splice_apply(a, *paragraph, edits, boxes->n);
	return true;
}
