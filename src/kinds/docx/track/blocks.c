#include "base/array.h"
#include "base/utf8.h"
#include "kinds/docx/track/comparing.h"

#include <string.h>

/* Collects the visible content of a block, token by token. */
struct reading {
	struct buffer words;
	unsigned top;  /* depth of the block */
	unsigned skip; /* depth of the element whose content does not count; 0: none */
	uint32_t cells;
	unsigned tables;    /* open ones inside the block */
	bool has_paragraph; /* the block is or holds one */
	uint64_t grid;
	uint32_t grid_from;
};

static void read_open(struct reading *r, const struct pass *w)
{
	uint8_t tag = pass_tag(w);

	if (tag == TAG_DEL || tag == TAG_MOVE_FROM || tag == TAG_PPR)
		r->skip = w->scan.depth;
	else if (tag == TAG_P && w->scan.depth != r->top)
		buffer_byte(&r->words, '\n');
	else if (tag == TAG_TAB || tag == TAG_BR)
		buffer_byte(&r->words, ' ');
	else if (w->scan.depth == r->top + 1 && tag == TAG_OTHER && pass_is(w, "tblGrid"))
		r->grid_from = w->scan.from;
	r->cells += tag == TAG_TC && !r->tables;
	r->tables += tag == TAG_TBL;
	r->has_paragraph |= tag == TAG_P;
}

static void read_token(struct reading *r, const struct pass *w)
{
	const struct xml_scan *s = &w->scan;

	if (r->skip) {
		if (s->token == XML_SCAN_CLOSE && s->depth == r->skip)
			r->skip = 0;
	} else if (s->token == XML_SCAN_OPEN) {
		read_open(r, w);
	} else if (s->token == XML_SCAN_TEXT && pass_tag(w) == TAG_T) {
		buffer_add(&r->words, xml_value(r->words.arena, text_slice(s->bytes, s->from, s->to), false));
	} else if (s->token == XML_SCAN_CLOSE) {
		r->tables -= r->tables && pass_tag(w) == TAG_TBL;
		if (s->depth == r->top + 1 && r->grid_from && pass_is(w, "tblGrid"))
			r->grid = text_hash(text_slice(s->bytes, r->grid_from, s->to)) | 1;
	}
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void hash_words(struct arena *a, struct arena *scratch, struct text t, struct likeness *out)
{
	ARRAY(uint32_t) list = {0};

	for (size_t at = 0, from = 0; at <= t.len;) {
		size_t next = at;
		uint32_t c = at < t.len ? utf8_next(t, &next) : ' ';
		if (!utf8_is_word(c)) {
			if (at > from)
				*ARRAY_PUSH(scratch, &list) = (uint32_t)text_hash(text_slice(t, from, at));
			from = next;
		}
		at = at < t.len ? next : at + 1;
	}
	if (list.n)
		array_sort(list.items, list.n, sizeof *list.items, by_value);
	out->words = arena_copy(a, list.items, list.n * sizeof *out->words);
	out->words_n = list.n;
}

void blocks_liken(struct comparing *k, struct text part, struct blocks *b, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		struct block *block = &b->list.items[i];
		scoped(arena_free) struct arena scratch = {0};
		struct reading r = {.words = {.arena = &scratch}, .top = 1};
		struct pass w;
		if (block->like)
			continue;
		pass_begin(&w, &scratch, text_slice(part, block->from, block->to), block->names);
		while (pass_next(&w))
			read_token(&r, &w);
		block->like = arena_new(k->c->arena, struct likeness);
		block->like->cells = block->tag == TAG_TR ? r.cells : 0;
		block->like->grid = block->tag == TAG_TBL ? r.grid : 0;
		hash_words(k->c->arena, &scratch, buffer_text(&r.words), block->like);
	}
}

static double shared_words(const struct likeness *a, const struct likeness *b)
{
	size_t i = 0, k = 0, same = 0;

	if (!a->words_n || !b->words_n)
		return a->words_n == b->words_n ? 1 : 0.1;
	while (i < a->words_n && k < b->words_n) {
		if (a->words[i] == b->words[k]) {
			same++;
			i++;
			k++;
		} else if (a->words[i] < b->words[k]) {
			i++;
		} else {
			k++;
		}
	}
	return (double)same / (double)(a->words_n + b->words_n - same);
}

double similarity(const struct block *a, const struct block *b)
{
	if (a->kind != b->kind || a->like->cells != b->like->cells)
		return 0;
	double least = a->like->grid && a->like->grid == b->like->grid ? ALIKE_PERCENT / 100.0 : 0;
	double shared = shared_words(a->like, b->like);
	return shared > least ? shared : least;
}

/* What an element inside the parent is. All elements around it are looked through. */
enum position { IS_BLOCK, MAY_BE_BLOCK, IS_AROUND, IS_NOTHING };
static enum position position_of(const struct pass *w, enum block_level level)
{
	uint8_t tag = pass_tag(w);
	struct text local;

	if (level != LEVEL_BLOCKS && tag == (level == LEVEL_ROWS ? TAG_TR : TAG_TC))
		return IS_BLOCK;
	names_split(w->names[w->scan.depth], w->scan.name, false, &local);
	if (tag == TAG_PPR || tag == TAG_SDT_PR || tag == TAG_SECT_PR || text_ends(local, "Pr") ||
	    text_ends(local, "PrEx") || text_ends(local, "Grid"))
		return IS_NOTHING;
	if (level != LEVEL_BLOCKS)
		return IS_AROUND;
	return tag == TAG_P || tag == TAG_TBL || tag == TAG_SDT ? IS_BLOCK : MAY_BE_BLOCK;
}

/* Ends a block. Its hash stands for its visible content. */
static void close_block(struct block *b, struct reading *r, uint32_t to)
{
	b->to = to;
	b->len = (uint32_t)r->words.len;
	buffer_format(&r->words, " %u %u", b->kind, b->tag == TAG_TR ? r->cells : 0);
	b->hash = text_hash(buffer_text(&r->words));
}

static struct block open_block(const struct pass *w, uint32_t base)
{
	uint8_t tag = pass_tag(w);
	struct text local;

	names_split(w->names[w->scan.depth], w->scan.name, false, &local);
	return (struct block){.from = base + w->scan.from,
			      .kind = tag == TAG_OTHER ? TAGS + (uint32_t)(text_hash(local) & 0xffffff) : tag,
			      .tag = tag,
			      .names = w->names[w->scan.depth - 1]};
}

/* The blocks of one parent, as they are found. */
struct finding {
	enum block_level level;
	uint32_t base;
	struct blocks *out;
	struct arena *scratch;
	struct reading reading; /* of the open block; top is 0: none is open */
	struct block block;
	bool is_sure;         /* it is a block, even if it has no paragraph */
	unsigned nothing;     /* depth of the open element that holds no blocks; 0: none */
	struct buffer *found; /* on the heap, because a growing list would leave old copies in an arena */
};

static void find_token(struct finding *f, const struct pass *w)
{
	const struct xml_scan *s = &w->scan;
	struct reading *r = &f->reading;
	bool opens = s->token == XML_SCAN_OPEN, closes = s->token == XML_SCAN_CLOSE;

	if (s->depth == 1 && opens)
		f->out->start = f->out->inner = f->base + s->to;
	if (f->nothing) {
		if (closes && s->depth == f->nothing) {
			f->nothing = 0;
			/* New blocks come after the parent's properties. */
			if (s->depth == 2 && !f->found->len)
				f->out->inner = f->base + s->to;
		}
		return;
	}
	if (!r->top && opens && s->depth > 1) {
		enum position position = position_of(w, f->level);
		if (position == IS_NOTHING)
			f->nothing = s->depth;
		if (position == IS_NOTHING || position == IS_AROUND)
			return;
		arena_reset(f->scratch);
		*r = (struct reading){.words = {.arena = f->scratch}, .top = s->depth};
		f->block = open_block(w, f->base);
		f->is_sure = position == IS_BLOCK;
	}
	if (!r->top)
		return;
	read_token(r, w);
	if (!closes || s->depth != r->top)
		return;
	close_block(&f->block, r, f->base + s->to);
	if (f->is_sure || r->has_paragraph)
		buffer_add(f->found, (struct text){(const char *)&f->block, sizeof f->block});
	r->top = 0;
}

void blocks_of(struct comparing *k, struct text part, struct place parent, enum block_level level, struct blocks *out)
{
	scoped(arena_free) struct arena own = {0}, scratch = {0};
	scoped(buffer_free) struct buffer found = {0};
	struct finding f = {.level = level, .base = parent.from, .out = out, .scratch = &scratch, .found = &found};
	struct pass w;

	pass_begin(&w, &own, text_slice(part, parent.from, parent.to), parent.names);
	w.arena = k->c->arena; /* names are needed after this pass */
	while (pass_next(&w))
		find_token(&f, &w);
	k->is_broken |= w.scan.is_bad;
	out->list.items = arena_copy(k->c->arena, found.at, found.len);
	out->list.n = out->list.cap = found.len / sizeof f.block;
	/* The parent's declarations are needed after this pass. */
	out->names = names_read(k->c->arena, parent.names, text_slice(part, parent.from, out->start));
}
