#include "format/splice.h"

#include "base/digest.h"
#include "format/lines.h"

#include <assert.h>
#include <string.h>

static bool comes_before(const struct splice *a, const struct splice *b)
{
	/* An insertion at the start of a range comes before the bytes that replace the range. */
	return a->from != b->from ? a->from < b->from : a->to < b->to;
}

/* Merge sort; equal edits keep their order. */
static void sort(struct splice *edits, struct splice *spare, size_t n)
{
	for (size_t run = 1; run < n; run *= 2) {
		for (size_t start = 0; start < n; start += run * 2) {
			size_t middle = start + run < n ? start + run : n,
			       end = start + run * 2 < n ? start + run * 2 : n;
			size_t left = start, right = middle;
			for (size_t k = start; k < end; k++) {
				bool from_right =
					left == middle || (right < end && comes_before(&edits[right], &edits[left]));
				spare[k] = from_right ? edits[right++] : edits[left++];
			}
		}
		memcpy(edits, spare, n * sizeof *edits);
	}
}

static bool is_sorted(const struct splice *edits, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (comes_before(&edits[i], &edits[i - 1]))
			return false;
	return true;
}

static bool fits(const struct splice *sorted, size_t n, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (sorted[i].from > sorted[i].to || sorted[i].to > len || (i && sorted[i].from < sorted[i - 1].to))
			return false;
	return true;
}

static struct splice *in_order(struct arena *a, const struct splice *edits, size_t n)
{
	struct splice *sorted = arena_copy(a, edits, n * sizeof *edits);

	if (!is_sorted(sorted, n))
		sort(sorted, arena_array(a, n, sizeof *sorted), n);
	return sorted;
}

struct splice *splice_sorted(struct arena *a, const struct splice *edits, size_t n, size_t len)
{
	struct splice *sorted = in_order(a, edits, n);

	assert(fits(sorted, n, len));
	return sorted;
}

struct pieces splice_pieces(struct arena *a, struct text original, const struct splice *edits, size_t n)
{
	const struct splice *sorted = splice_sorted(a, edits, n, original.len);
	struct pieces p = {.items = arena_array(a, 2 * n + 1, sizeof *p.items)};
	size_t at = 0;

	for (size_t i = 0; i <= n; i++) {
		struct text stays = text_slice(original, at, i < n ? sorted[i].from : original.len);
		if (stays.len || (i == n && !p.n))
			p.items[p.n++] = stays;
		p.len += stays.len;
		if (i == n)
			break;
		if (sorted[i].with.len)
			p.items[p.n++] = sorted[i].with;
		p.len += sorted[i].with.len;
		at = sorted[i].to;
	}
	return p;
}

void pieces_join(struct pieces p, char *to)
{
	for (size_t i = 0; i < p.n; i++) {
		if (p.items[i].len)
			memcpy(to, p.items[i].at, p.items[i].len);
		to += p.items[i].len;
	}
	*to = '\0';
}

struct text splice_apply(struct arena *a, struct text original, const struct splice *edits, size_t n)
{
	struct pieces p = splice_pieces(a, original, edits, n);
	char *result = arena_alloc(a, p.len + 1);

	pieces_join(p, result);
	return (struct text){result, p.len};
}

/* A piece that stays moves left or right by the difference of all edits before it. Move right-shifted pieces from the
 * end first, then left-shifted pieces from the start: no piece overwrites another. */
void splice_within(char *bytes, size_t len, const struct splice *sorted, size_t n)
{
	int64_t grown = 0;

	for (size_t i = 0; i < n; i++)
		grown += (int64_t)sorted[i].with.len - (sorted[i].to - sorted[i].from);
	for (size_t i = n; i > 0; i--) {
		size_t from = sorted[i - 1].to, to = i < n ? sorted[i].from : len;
		if (grown > 0)
			memmove(bytes + from + grown, bytes + from, to - from);
		grown -= (int64_t)sorted[i - 1].with.len - (sorted[i - 1].to - sorted[i - 1].from);
	}
	for (size_t i = 0; i < n; i++) {
		size_t from = sorted[i].to, to = i + 1 < n ? sorted[i + 1].from : len;
		int64_t before = grown;
		grown += (int64_t)sorted[i].with.len - (sorted[i].to - sorted[i].from);
		if (grown < 0)
			memmove(bytes + (int64_t)from + grown, bytes + from, to - from);
		if (sorted[i].with.len)
			memcpy(bytes + sorted[i].from + before, sorted[i].with.at, sorted[i].with.len);
	}
	bytes[(int64_t)len + grown] = '\0';
}

static bool is_inside_character(const char *p) { return (*p & 0xC0) == 0x80; }

/* Removes the common beginning and end of both sides of an edit, at character boundaries. */
static void narrow(struct text before, struct splice *s)
{
	struct text old = text_slice(before, s->from, s->to), new = s->with;
	size_t most = old.len < new.len ? old.len : new.len, head = 0, tail = 0;

	while (head < most && old.at[head] == new.at[head])
		head++;
	while (head && ((head < old.len && is_inside_character(old.at + head)) ||
			(head < new.len &&is_inside_character(new.at + head))))
		head--;
	while (tail < most - head && old.at[old.len - 1 - tail] == new.at[new.len - 1 - tail])
		tail++;
	while (tail && is_inside_character(old.at + old.len - tail))
		tail--;
	s->from += (uint32_t)head;
	s->to -= (uint32_t)tail;
	s->with = text_slice(new, head, new.len - tail);
}

struct splice *splice_between(struct arena *a, struct text before, struct text after, size_t *n)
{
	struct line_changes changes = lines_compare(a, before, after);
	struct splice *edits = arena_array(a, changes.n, sizeof *edits);

	for (size_t i = 0; i < changes.n; i++) {
		const struct line_change *c = &changes.items[i];
		uint32_t from = line_start(&changes.before, c->before), to = line_start(&changes.before, c->before_to);
		edits[i] = (struct splice){from, to, lines_text(&changes.after, c->after, c->after_to)};
		narrow(before, &edits[i]);
	}
	*n = changes.n;
	return edits;
}

static void add_lines(struct buffer *to, char sign, const struct lines *l, uint32_t from, uint32_t until)
{
	for (uint32_t i = from; i < until; i++) {
		struct text line = lines_text(l, i, i + 1);
		buffer_byte(to, sign);
		buffer_add(to, line);
		if (!text_ends(line, "\n"))
			buffer_put(to, "\n\\ No newline at end of file\n");
	}
}

/* A range of lines in a hunk's header. An empty range has the number of the line before it. */
static void add_range(struct buffer *to, char sign, uint32_t from, uint32_t until)
{
	uint32_t n = until - from;

	buffer_format(to, n == 1 ? "%c%u" : "%c%u,%u", sign, n ? from + 1 : from, n);
}

/* A reader may see only the beginning of a diff. So a long replacement alternates between both sides, and a long hunk
 * ends at the next unchanged lines. */
enum { PIECE_LINES = 20, HUNK_LINES = 120 };

static void add_change(struct buffer *to, const struct line_changes *c, const struct line_change *change)
{
	uint64_t gone = change->before_to - change->before, come = change->after_to - change->after;
	uint64_t most = gone > come ? gone : come, pieces = gone && come ? (most + PIECE_LINES - 1) / PIECE_LINES : 1;

	for (uint64_t i = 0; i < pieces; i++) {
		add_lines(to, '-', &c->before, change->before + (uint32_t)(gone * i / pieces),
			  change->before + (uint32_t)(gone * (i + 1) / pieces));
		add_lines(to, '+', &c->after, change->after + (uint32_t)(come * i / pieces),
			  change->after + (uint32_t)(come * (i + 1) / pieces));
	}
}

/* Unchanged lines before change i; after the last change with i = n. */
static uint32_t kept_before(const struct line_changes *c, size_t i)
{
	return (i < c->n ? c->items[i].before : c->before.n) - (i ? c->items[i - 1].before_to : 0);
}

/* The lines between two hunks: at most the first half ends the first hunk, and the second half begins the second. */
static uint32_t trail_of(const struct line_changes *c, size_t last, unsigned context)
{
	uint32_t kept = kept_before(c, last + 1), share = last + 1 < c->n ? kept / 2 : kept;

	return share < context ? share : context;
}

static uint32_t lead_of(const struct line_changes *c, size_t first, unsigned context)
{
	uint32_t kept = kept_before(c, first), share = first ? kept - kept / 2 : kept;

	return share < context ? share : context;
}

/* Changes i to last share a hunk. */
static void add_hunk(struct buffer *to, const struct line_changes *c, size_t i, size_t last, unsigned context)
{
	const struct line_change *first = &c->items[i], *end = &c->items[last];
	uint32_t lead = lead_of(c, i, context), trail = trail_of(c, last, context);

	buffer_put(to, "@@ ");
	add_range(to, '-', first->before - lead, end->before_to + trail);
	buffer_byte(to, ' ');
	add_range(to, '+', first->after - lead, end->after_to + trail);
	buffer_put(to, " @@\n");
	for (uint32_t at = first->before - lead; i <= last; i++) {
		add_lines(to, ' ', &c->before, at, c->items[i].before);
		add_change(to, c, &c->items[i]);
		at = c->items[i].before_to;
	}
	add_lines(to, ' ', &c->before, end->before_to, end->before_to + trail);
}

static bool ends_hunk(const struct line_changes *c, size_t i, size_t last, unsigned context)
{
	uint32_t kept = kept_before(c, last + 1);
	bool is_long = c->items[last].before_to - c->items[i].before >= HUNK_LINES ||
		       c->items[last].after_to - c->items[i].after >= HUNK_LINES;

	/* Programs that apply diffs need an unchanged line after each change. */
	return kept > 2 * (uint64_t)context || (is_long && context && kept >= 2);
}

struct text splice_diff(struct arena *a, struct text before, struct text after, const char *name, unsigned context)
{
	struct line_changes c = lines_compare(a, before, after);
	struct buffer to = {.arena = a};

	if (c.n)
		buffer_format(&to, "--- %s\n+++ %s\n", name, name);
	for (size_t i = 0, last; i < c.n; i = last + 1) {
		for (last = i; last + 1 < c.n && !ends_hunk(&c, i, last, context); last++)
			;
		add_hunk(&to, &c, i, last, context);
	}
	return buffer_text(&to);
}

/* A packed list: a version byte, the number of edits, then for each edit: from, bytes removed, bytes inserted, the
 * inserted bytes. Numbers have seven bits a byte, low ones first. It ends with the digest of everything before. */
enum { PACK_VERSION = 1, NUMBER_BYTES_MAX = 5 };

static void pack_number(struct buffer *to, uint32_t n)
{
	for (; n >= 0x80; n >>= 7)
		buffer_byte(to, (char)(n | 0x80));
	buffer_byte(to, (char)n);
}

void splice_pack(struct buffer *to, const struct splice *edits, size_t n)
{
	size_t start = to->len;

	assert(n <= UINT32_MAX);
	buffer_byte(to, PACK_VERSION);
	pack_number(to, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		pack_number(to, edits[i].from);
		pack_number(to, edits[i].to - edits[i].from);
		pack_number(to, (uint32_t)edits[i].with.len);
		buffer_add(to, edits[i].with);
	}
	struct revision digest = revision_of((struct text){to->at + start, to->len - start});
	buffer_add(to, (struct text){digest.chars, REVISION_LEN});
}

static bool unpack_number(struct text packed, size_t *at, uint32_t *n)
{
	uint64_t v = 0;

	for (int i = 0; i < NUMBER_BYTES_MAX && *at < packed.len; i++) {
		unsigned char c = (unsigned char)packed.at[(*at)++];
		v |= (uint64_t)(c & 0x7F) << (7 * i);
		*n = (uint32_t)v;
		if (!(c & 0x80))
			return v <= UINT32_MAX;
	}
	return false;
}

static bool unpack_edit(struct text packed, size_t *at, struct splice *s)
{
	uint32_t removed, inserted;

	if (!unpack_number(packed, at, &s->from) || !unpack_number(packed, at, &removed) ||
	    !unpack_number(packed, at, &inserted) || removed > UINT32_MAX - s->from || inserted > packed.len - *at)
		return false;
	s->to = s->from + removed;
	s->with = (struct text){packed.at + *at, inserted};
	*at += inserted;
	return true;
}

struct splice *splice_unpack(struct arena *a, struct text packed, size_t *n)
{
	size_t at = 1;
	uint32_t count;

	if (packed.len < 2 + REVISION_LEN || packed.at[0] != PACK_VERSION)
		return NULL;
	packed.len -= REVISION_LEN;
	if (memcmp(revision_of(packed).chars, packed.at + packed.len, REVISION_LEN))
		return NULL;
	/* An edit takes at least three bytes, so a false count cannot request more memory than the record's size
	 * allows. */
	if (!unpack_number(packed, &at, &count) || count > (packed.len - at) / 3)
		return NULL;
	struct splice *edits = arena_array(a, count, sizeof *edits);
	for (uint32_t i = 0; i < count; i++)
		if (!unpack_edit(packed, &at, &edits[i]))
			return NULL;
	if (at != packed.len || !fits(in_order(a, edits, count), count, UINT32_MAX))
		return NULL;
	*n = count;
	return edits;
}
