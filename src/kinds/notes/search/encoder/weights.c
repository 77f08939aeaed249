#include "kinds/notes/search/encoder/weights.h"

#include <string.h>

enum { ALIGNMENT = 64, VERSION = 1 };

/* From weights.S. Equal when there is no model. */
extern const char quire_model_weights[], quire_model_weights_end[];

struct text weights_packed(void)
{
	return (struct text){quire_model_weights, (uintptr_t)quire_model_weights_end - (uintptr_t)quire_model_weights};
}

struct reader {
	struct text packed;
	size_t at;
	bool is_short;
};

static const void *take(struct reader *r, size_t n, size_t size)
{
	size_t from = (r->at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, bytes = n * size;

	if (r->is_short || from > r->packed.len || bytes > r->packed.len - from) {
		r->is_short = true;
		return NULL;
	}
	r->at = from + bytes;
	return r->packed.at + from;
}

static const float *take_floats(struct reader *r, size_t n) { return take(r, n, sizeof(float)); }

static struct dense take_dense(struct reader *r, size_t n, size_t m)
{
	struct dense d = {.n = n, .m = m};

	d.scale = take_floats(r, m);
	d.bias = take_floats(r, m);
	d.panels = take(r, n * m, 1);
	return d;
}

static struct norm take_norm(struct reader *r, size_t width)
{
	struct norm n;

	n.scale = take_floats(r, width);
	n.bias = take_floats(r, width);
	return n;
}

static struct layer take_layer(struct reader *r, size_t width)
{
	struct layer l = {.width = width};

	l.before = take_norm(r, width);
	l.qkv = take_dense(r, width, 3 * width);
	l.output = take_dense(r, width, WIDTH);
	if (width != WIDTH)
		l.residual = take_dense(r, width, WIDTH);
	l.between = take_norm(r, WIDTH);
	l.inner = take_dense(r, WIDTH, WIDTH_INNER);
	l.outer = take_dense(r, WIDTH_INNER, WIDTH);
	return l;
}

bool weights_read(struct text packed, struct weights *out)
{
	struct reader r = {.packed = packed};
	struct {
		char magic[8];
		uint32_t version, pieces, longest;
	} head;

	const char *start = take(&r, 1, sizeof head);
	if (!start)
		return false;
	memcpy(&head, start, sizeof head);
	if (memcmp(head.magic, "QUIREUSE", 8) || head.version != VERSION || head.pieces != PIECES)
		return false;
	struct weights w = {.piece_longest = head.longest};
	w.piece_ends = take(&r, PIECES, sizeof *w.piece_ends);
	w.piece_scores = take_floats(&r, PIECES);
	w.piece_slots = take(&r, PIECE_SLOTS, sizeof *w.piece_slots);
	w.piece_bytes = take(&r, w.piece_ends ? w.piece_ends[PIECES - 1] : 0, 1);
	w.embedding_scales = take_floats(&r, EMBEDDINGS);
	w.embeddings = take(&r, (size_t)EMBEDDINGS * WIDTH_NARROW, 1);
	w.frequencies = take_floats(&r, WIDTH_NARROW / 2);
	w.layers[0] = take_layer(&r, WIDTH_NARROW);
	w.layers[1] = take_layer(&r, WIDTH);
	w.last = take_dense(&r, WIDTH, WIDTH);
	*out = w;
	return !r.is_short && r.at == packed.len;
}
