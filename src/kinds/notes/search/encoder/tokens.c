#include "kinds/notes/search/encoder/tokens.h"

#include "base/buffer.h"
#include "base/utf8.h"

#include <float.h>
#include <string.h>

enum {
	/* A piece has less than 32 bytes. So 128 tokens end before this, unless most characters are unknown. */
	READ_MAX = 8192
};

static uint32_t piece_find(const struct weights *w, const char *at, size_t len)
{
	uint32_t hash = 2166136261u; /* FNV-1a, as in the packer */

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)at[i]) * 16777619u;
	for (uint32_t slot = hash % PIECE_SLOTS; w->piece_slots[slot] < PIECES; slot = (slot + 1) % PIECE_SLOTS) {
		uint32_t piece = w->piece_slots[slot], from = piece ? w->piece_ends[piece - 1] : 0;
		if (w->piece_ends[piece] - from == len && !memcmp(w->piece_bytes + from, at, len))
			return piece;
	}
	return PIECES;
}

/* Composes compatibility forms, puts U+2581 at the start and for every blank, and U+FFFD for malformed bytes. */
static struct text prepared(struct arena *a, struct text t)
{
	struct buffer b = {.arena = a};
	struct text read = text_trim(text_slice(t, 0, utf8_cut(t, READ_MAX)));
	struct text composed = utf8_nfkc(a, utf8_repaired(a, read));

	if (!composed.len)
		return composed;
	buffer_put(&b, "\xe2\x96\x81");
	for (size_t i = 0; i < composed.len; i++)
		if (strchr(" \t\r\n", composed.at[i]))
			buffer_put(&b, "\xe2\x96\x81");
		else
			buffer_byte(&b, composed.at[i]);
	return buffer_text(&b);
}

/* The best split of the text up to a byte: its score, its last piece and where that piece begins. */
struct step {
	float score;
	uint32_t piece, from;
};

static void reach(struct step *s, float score, uint32_t piece, size_t from)
{
	if (score >= s->score)
		*s = (struct step){score, piece, (uint32_t)from};
}

static struct step *steps_of(struct arena *a, const struct weights *w, struct text t)
{
	struct step *steps = arena_array(a, t.len + 1, sizeof *steps);
	const char *end = t.at + t.len;

	for (size_t i = 1; i <= t.len; i++)
		steps[i].score = -FLT_MAX;
	for (size_t i = 0; i < t.len; i += (size_t)utf8_len(t.at + i, end)) {
		bool is_known = false;
		size_t to = i;
		if (i && steps[i].score <= -FLT_MAX)
			continue;
		while (to < t.len && (to += (size_t)utf8_len(t.at + to, end)) - i <= w->piece_longest) {
			uint32_t piece = piece_find(w, t.at + i, to - i);
			if (piece < PIECE_FIRST || piece >= PIECES)
				continue;
			is_known = true;
			reach(&steps[to], steps[i].score + w->piece_scores[piece], piece, i);
		}
		if (!is_known)
			reach(&steps[i + (size_t)utf8_len(t.at + i, end)], steps[i].score, 0, i);
	}
	return steps;
}

size_t tokens_of(const struct weights *w, struct text t, uint16_t *out, size_t most)
{
	struct arena a = {0};
	struct text text = prepared(&a, t);
	struct step *steps = steps_of(&a, w, text);
	uint16_t *reversed = arena_array(&a, text.len + 1, sizeof *reversed);
	size_t n = 0, kept;

	for (size_t at = text.len; at > 0; at = steps[at].from)
		if (steps[at].piece || !n || reversed[n - 1])
			reversed[n++] = (uint16_t)steps[at].piece;
	kept = n < most ? n : most;
	for (size_t i = 0; i < kept; i++)
		out[i] = reversed[n - 1 - i];
	arena_free(&a);
	return kept;
}
