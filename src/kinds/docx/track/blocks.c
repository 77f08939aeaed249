#include "base/utf8.h"
#include "kinds/docx/track/comparing.h"

#include <stdlib.h>
#include <string.h>

#define scoped(drop) __attribute__((cleanup(drop)))

static struct text words_of(struct arena *a, const struct side *s, uint32_t node)
{
	struct buffer out = {.arena = a};

	for (uint32_t i = node; i < s->f.xml.nodes[node].after; i++) {
		uint32_t parent = s->f.xml.nodes[i].parent;
		if (s->f.tags[i] == TAG_DEL || s->f.tags[i] == TAG_MOVE_FROM || s->f.tags[i] == TAG_PPR)
			i = s->f.xml.nodes[i].after - 1;
		else if (s->f.tags[i] == TAG_P && i != node)
			buffer_byte(&out, '\n');
		else if (s->f.tags[i] == TAG_TAB || s->f.tags[i] == TAG_BR)
			buffer_byte(&out, ' ');
		else if (s->f.xml.nodes[i].type == XML_TEXT && s->f.tags[parent] == TAG_T)
			buffer_add(&out, xml_decoded(a, &s->f.xml, i));
	}
	return buffer_text(&out);
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void hash_words(struct arena *a, struct arena *scratch, struct text t, struct block *b)
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
		qsort(list.items, list.n, sizeof *list.items, by_value);
	b->words = arena_array(a, list.n, sizeof *b->words);
	b->words_n = list.n;
	if (list.n)
		memcpy(b->words, list.items, list.n * sizeof *b->words);
}

static double shared_words(const struct block *a, const struct block *b)
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
	if (a->tag != b->tag || a->cells != b->cells)
		return 0;
	double least = a->grid && a->grid == b->grid ? ALIKE_PERCENT / 100.0 : 0, shared = shared_words(a, b);
	return shared > least ? shared : least;
}

static uint64_t grid_of(const struct side *s, uint32_t table)
{
	enum space space;

	for (uint32_t i = xml_first(&s->f.xml, table); i != XML_NONE; i = xml_next(&s->f.xml, i))
		if (s->f.tags[i] != TAG_NOT_ELEMENT && text_is(fragment_local(&s->f, i, &space), "tblGrid"))
			return text_hash(fragment_bytes(&s->f, i)) | 1;
	return 0;
}

static uint32_t count_cells(const struct side *s, uint32_t row)
{
	uint32_t n = 0;

	for (uint32_t i = xml_first(&s->f.xml, row); i != XML_NONE; i = xml_next(&s->f.xml, i))
		n += s->f.tags[i] == TAG_TC;
	return n;
}

static bool is_block(uint8_t tag, bool rows)
{
	return rows ? tag == TAG_TR : tag == TAG_P || tag == TAG_TBL || tag == TAG_SDT;
}

/* The number of a text: equal for equal ones. */
static uint32_t number_of(struct comparing *k, struct text key)
{
	const uint32_t *known = map_find(&k->keys, key);

	return known ? *known : *map_at(&k->keys, text_copy(k->c->arena, key), (uint32_t)k->keys.n, NULL);
}

void blocks_of(struct comparing *k, const struct side *s, uint32_t parent, bool rows, struct blocks *out)
{
	struct arena *a = k->c->arena;

	for (uint32_t i = xml_first(&s->f.xml, parent); i != XML_NONE; i = xml_next(&s->f.xml, i)) {
		if (!is_block(s->f.tags[i], rows))
			continue;
		/* A long document has very many: only what is needed later is kept. */
		scoped(arena_free) struct arena scratch = {0};
		struct block *b = ARRAY_PUSH(a, &out->list);
		struct text words = words_of(&scratch, s, i);
		*b = (struct block){.node = i,
				    .tag = s->f.tags[i],
				    .len = words.len,
				    .cells = rows ? count_cells(s, i) : 0,
				    .grid = s->f.tags[i] == TAG_TBL ? grid_of(s, i) : 0};
		b->key = number_of(k, text_format(&scratch, "%u %u %.*s", b->tag, b->cells, TEXT_ARGS(words)));
		hash_words(a, &scratch, words, b);
	}
}

struct text bytes_of(const struct side *s, uint32_t node)
{
	return text_slice(s->bytes, s->f.xml.nodes[node].from, s->f.xml.nodes[node].to);
}
