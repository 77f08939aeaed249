#include "kinds/docx/text/composed.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/utf8.h"

#include <string.h>

/* The first byte of U+0300. Characters below it are not marks, and are all composed. */
enum { FIRST_BYTE = 0xCC };

static bool may_differ(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if ((unsigned char)t.at[i] >= FIRST_BYTE)
			return true;
	return false;
}

/* The end of the letter that begins at `at`, after all its marks. */
static size_t letter_end(struct text t, size_t at)
{
	size_t next = at;

	for (utf8_next(t, &at); (next = at) < t.len;)
		if (!utf8_completes(utf8_next(t, &next)))
			break;
		else
			at = next;
	return at;
}

/* The letter in its composed form, or unchanged if that is the same. A letter with more marks than people write is left
 * unchanged. */
static struct text composed_letter(struct text letter, char *room)
{
	uint32_t points[UTF8_LETTER_MAX];
	size_t n = 0, at = 0, len = 0;

	while (at < letter.len && n < UTF8_LETTER_MAX)
		points[n++] = utf8_next(letter, &at);
	uint32_t parts[UTF8_PARTS_MAX];
	bool is_plain = n == 1 && utf8_decompose(points[0], parts) == 1 && parts[0] == points[0];
	if (is_plain || at < letter.len || !(n = utf8_compose(points, n)))
		return letter;
	for (size_t i = 0; i < n; i++)
		len += utf8_put(room + len, points[i]);
	return text_same((struct text){room, len}, letter) ? letter : (struct text){room, len};
}

struct composed composed_of(struct arena *a, struct text source)
{
	struct composed k = {.text = source};
	ARRAY(struct composed_letter) letters = {0};
	struct buffer out = {.arena = a};
	size_t copied = 0;

	if (!may_differ(source))
		return k;
	for (size_t at = 0, to; at < source.len; at = to) {
		char room[4 * UTF8_LETTER_MAX];
		to = letter_end(source, at);
		struct text letter = text_slice(source, at, to);
		struct text whole = may_differ(letter) ? composed_letter(letter, room) : letter;
		if (whole.at == letter.at)
			continue;
		buffer_add(&out, text_slice(source, copied, at));
		struct composed_letter *l = ARRAY_PUSH(a, &letters);
		*l = (struct composed_letter){(uint32_t)out.len, (uint32_t)(out.len + whole.len), (uint32_t)at,
					      (uint32_t)to};
		buffer_add(&out, whole);
		copied = to;
	}
	if (!letters.n)
		return k;
	buffer_add(&out, text_slice(source, copied, source.len));
	return (struct composed){buffer_text(&out), letters.items, letters.n};
}

/* Maps a byte of the composed text to the source. Inside a letter, it is the letter's start or end. */
static size_t source_of(const struct composed *k, size_t at, bool is_end)
{
	size_t low = 0, high = k->n;

	/* Find the first letter that ends after `at`. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (k->letters[middle].to <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < k->n && k->letters[low].at < at)
		return is_end ? k->letters[low].source_to : k->letters[low].source_at;
	if (!low)
		return at;
	return k->letters[low - 1].source_to + (at - k->letters[low - 1].to);
}

void composed_source(const struct composed *k, size_t *from, size_t *to)
{
	bool is_empty = *from == *to;

	*from = source_of(k, *from, false);
	*to = is_empty ? *from : source_of(k, *to, true);
}

static bool is_one_point(struct text t) { return utf8_count(t) == 1; }

/* Does the text have accents as separate marks (`behind`), and accents inside characters (`within`)? */
static void ways_of(struct arena *a, struct text t, bool *behind, bool *within)
{
	struct composed k = composed_of(a, t);

	*behind = *within = false;
	for (size_t i = 0; i < k.n; i++)
		*behind |= !is_one_point(text_slice(t, k.letters[i].source_at, k.letters[i].source_to));
	for (size_t at = 0; at < t.len;) {
		uint32_t parts[UTF8_PARTS_MAX];
		*within |= utf8_decompose(utf8_next(t, &at), parts) > 1;
	}
}

static struct text decomposed(struct arena *a, struct text t)
{
	struct buffer out = {.arena = a};

	for (size_t at = 0; at < t.len;) {
		uint32_t parts[UTF8_PARTS_MAX];
		char bytes[4];
		size_t from = at, n = utf8_decompose(utf8_next(t, &at), parts);
		if (n < 2)
			buffer_add(&out, text_slice(t, from, at));
		for (size_t i = 0; n > 1 && i < n; i++) {
			size_t len = utf8_put(bytes, parts[i]);
			buffer_add(&out, (struct text){bytes, len});
		}
	}
	return buffer_text(&out);
}

struct text composed_like(struct arena *a, struct text t, struct text like)
{
	bool behind, within;
	size_t copied = 0;
	struct buffer out = {.arena = a};

	ways_of(a, like, &behind, &within);
	if (behind == within)
		return t;
	if (behind)
		return decomposed(a, t);
	struct composed k = composed_of(a, t);
	for (size_t i = 0; i < k.n; i++) {
		const struct composed_letter *l = &k.letters[i];
		/* One character replaced by another, such as the ohm sign by omega, is not about accents. */
		if (is_one_point(text_slice(t, l->source_at, l->source_to)))
			continue;
		buffer_add(&out, text_slice(t, copied, l->source_at));
		buffer_add(&out, text_slice(k.text, l->at, l->to));
		copied = l->source_to;
	}
	buffer_add(&out, text_slice(t, copied, t.len));
	return buffer_text(&out);
}
