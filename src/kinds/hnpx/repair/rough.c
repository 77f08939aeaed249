#include "base/ascii.h"
#include "kinds/hnpx/repair/rough.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "format/xml.h"
#include "kinds/hnpx/tree/book.h"
#include "kinds/hnpx/tree/level.h"

#include <string.h>

/* RANK_SUMMARY follows the levels: every element may contain it, and it contains none. LOOK_AHEAD: how far an unknown
 * element may reach; LOOKS: how many are looked for, so that a hostile file costs no time. LISTED: more mends are only
 * counted. */
enum { RANK_NONE = -1, RANK_SUMMARY = LEVELS, RANKS };
enum { ATTRIBUTES_MOST = 16, LOOK_AHEAD = 4096, LOOKS = 10000, LISTED = 1000, AROUND = 24 };
static const struct xml_limits limits = {.depth = 64, .attributes = 256, .nodes = 2000000};

enum token_kind {
	TOKEN_TEXT,    /* also references */
	TOKEN_BARE,    /* a & or < that is only a character */
	TOKEN_ASIDE,   /* a comment or a CDATA section */
	TOKEN_IGNORED, /* the declaration, an instruction */
	TOKEN_BAD,     /* a comment with two hyphens, a DOCTYPE */
	TOKEN_START,
	TOKEN_EMPTY,
	TOKEN_END,
	TOKEN_BROKEN /* the tag of a known element, which cannot be read */
};
struct token {
	enum token_kind kind;
	int rank;
	struct text bytes;
};

struct rough {
	struct arena *arena;
	struct text bytes;
	size_t at;
	bool no_comment, no_section, no_instruction, no_doctype; /* no further one ends */
	unsigned looks;
	bool keeps_unknown, is_reading;
	struct buffer out;
	struct mends *mends;
	size_t line_at;
	uint32_t line;
	int open[RANKS];
	size_t n;
	bool has_root;
};

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' ||
	       c == '-' || c == '.';
}

static bool begins_name(char c) { return is_name(c) && c != '-' && c != '.' && !(c >= '0' && c <= '9'); }

static char byte_at(struct text t, size_t at) { return at < t.len ? t.at[at] : 0; }

static struct text name_at(struct text t, size_t at)
{
	size_t end = at;

	while (end < t.len && is_name(t.at[end]))
		end++;
	return begins_name(byte_at(t, at)) ? text_slice(t, at, end) : TEXT("");
}

static int rank_of(struct text name) { return text_is(name, "summary") ? RANK_SUMMARY : level_named(name); }

/* The rank of the tag that begins at `at`, if it is one of the format's. */
static int tag_rank(struct text t, size_t at, bool *is_end)
{
	*is_end = byte_at(t, at + 1) == '/';
	return rank_of(name_at(t, at + 1 + *is_end));
}

static bool is_known_tag(struct text t, size_t at)
{
	bool is_end;

	return byte_at(t, at) == '<' && tag_rank(t, at, &is_end) != RANK_NONE;
}

/* The end of a reference that XML knows, or 0. */
static size_t reference_end(struct text t, size_t at)
{
	static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
	struct text rest = text_slice(t, at, at + 16);
	bool is_hex = byte_at(rest, 2) == 'x';
	uint32_t c = 0;
	size_t i = is_hex ? 3 : 2, digits = 0;
	char bytes[4];

	for (size_t k = 0; k < ARRAY_COUNT(names); k++)
		if (text_starts(rest, names[k]))
			return at + strlen(names[k]);
	if (byte_at(rest, 1) != '#')
		return 0;
	for (; i < rest.len && digits < 8; i++, digits++) {
		char d = rest.at[i];
		bool is_digit = d >= '0' && d <= '9', is_letter = is_hex && (d | 32) >= 'a' && (d | 32) <= 'f';
		if (!is_digit && !is_letter)
			break;
		c = c * (is_hex ? 16 : 10) + (uint32_t)(is_digit ? d - '0' : (d | 32) - 'a' + 10);
		if (c > 0x10ffff)
			return 0;
	}
	if (!digits || byte_at(rest, i) != ';' || !c || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	struct text character = {bytes, utf8_put(bytes, c)};
	return xml_unwritable(character) == character.len ? at + i + 1 : 0;
}

/* The end of an attribute's value, at its closing quote; 0: it has none before the next element. */
static size_t value_end(struct text t, size_t at)
{
	for (size_t i = at + 1; i < t.len; i++) {
		if (t.at[i] == t.at[at])
			return i;
		if (is_known_tag(t, i))
			return 0;
	}
	return 0;
}

/* The end of a start tag, given the end of its name; 0: its attributes cannot be read. */
static size_t tag_end(struct text t, size_t at, bool *is_empty)
{
	struct text names[ATTRIBUTES_MOST];

	for (size_t n = 0;; n++) {
		size_t from = at;
		while (is_space(byte_at(t, at)))
			at++;
		*is_empty = byte_at(t, at) == '/' && byte_at(t, at + 1) == '>';
		if (*is_empty || byte_at(t, at) == '>')
			return at + 1 + *is_empty;
		struct text name = name_at(t, at);
		if (at == from || !name.len || n == ATTRIBUTES_MOST)
			return 0;
		for (size_t i = 0; i < n; i++)
			if (text_same(names[i], name))
				return 0;
		names[n] = name;
		for (at += name.len; is_space(byte_at(t, at)); at++)
			;
		if (byte_at(t, at) != '=')
			return 0;
		for (at++; is_space(byte_at(t, at)); at++)
			;
		if (byte_at(t, at) != '"' && byte_at(t, at) != '\'')
			return 0;
		size_t end = value_end(t, at);
		if (!end)
			return 0;
		at = end + 1;
	}
}

/* Does an element of an unknown name end before the next known tag? Then its author meant it as one. */
static bool is_closed(struct rough *r, size_t at, struct text name)
{
	struct text t = r->bytes;
	size_t most = at + LOOK_AHEAD < t.len ? at + LOOK_AHEAD : t.len;

	if (!r->keeps_unknown || r->looks++ > LOOKS)
		return false;
	for (; at < most && !is_known_tag(t, at); at++)
		if (t.at[at] == '<' && byte_at(t, at + 1) == '/' && text_same(name_at(t, at + 2), name))
			return true;
	return false;
}

static bool was_opened(struct rough *r, size_t at, struct text name)
{
	struct text t = r->bytes;
	size_t least = at > LOOK_AHEAD ? at - LOOK_AHEAD : 0;

	if (!r->keeps_unknown || r->looks++ > LOOKS)
		return false;
	while (at-- > least && !is_known_tag(t, at))
		if (t.at[at] == '<' && text_same(name_at(t, at + 1), name))
			return true;
	return false;
}

static struct token token_to(struct rough *r, enum token_kind kind, int rank, size_t end)
{
	struct token token = {kind, rank, text_slice(r->bytes, r->at, end)};

	r->at = end;
	return token;
}

/* Markup that ends with certain characters. *never: there is no further end. */
static bool aside(struct rough *r, const char *opens, const char *closes, bool *never, size_t *end)
{
	if (*never || !text_starts(text_slice(r->bytes, r->at, r->at + 9), opens))
		return false;
	*end = text_find(r->bytes, text_of(closes), r->at + strlen(opens));
	*never = *end == SIZE_MAX;
	*end += strlen(closes);
	return !*never;
}

static struct token declaration(struct rough *r)
{
	size_t end = r->at, depth = 0;

	for (; end < r->bytes.len && (r->bytes.at[end] != '>' || depth); end++) {
		depth += r->bytes.at[end] == '[';
		depth -= r->bytes.at[end] == ']' && depth;
		if (is_known_tag(r->bytes, end))
			return token_to(r, TOKEN_BARE, RANK_NONE, r->at + 1);
	}
	r->no_doctype = end == r->bytes.len;
	return token_to(r, r->no_doctype ? TOKEN_BARE : TOKEN_BAD, RANK_NONE, r->no_doctype ? r->at + 1 : end + 1);
}

static struct token end_tag(struct rough *r)
{
	struct text t = r->bytes, name = name_at(t, r->at + 2);
	int rank = rank_of(name);
	size_t end = r->at + 2 + name.len;

	while (is_space(byte_at(t, end)))
		end++;
	if (!name.len || byte_at(t, end) != '>')
		return token_to(r, rank == RANK_NONE ? TOKEN_BARE : TOKEN_BROKEN, rank,
				rank == RANK_NONE ? r->at + 1 : end);
	if (rank == RANK_NONE && !was_opened(r, r->at, name))
		return token_to(r, TOKEN_BARE, rank, r->at + 1);
	return token_to(r, TOKEN_END, rank, end + 1);
}

static struct token start_tag(struct rough *r)
{
	struct text t = r->bytes, name = name_at(t, r->at + 1);
	int rank = rank_of(name);
	bool is_empty = false;
	size_t end = name.len ? tag_end(t, r->at + 1 + name.len, &is_empty) : 0;

	if (end && (rank != RANK_NONE || (is_empty && r->keeps_unknown) || is_closed(r, end, name)))
		return token_to(r, is_empty ? TOKEN_EMPTY : TOKEN_START, rank, end);
	if (rank != RANK_NONE)
		return token_to(r, TOKEN_BROKEN, rank, r->at + 1 + name.len);
	return token_to(r, TOKEN_BARE, rank, r->at + 1);
}

static struct token next(struct rough *r)
{
	struct text t = r->bytes;
	size_t end = r->at;

	while (end < t.len && t.at[end] != '<' && t.at[end] != '&')
		end++;
	if (end > r->at)
		return token_to(r, TOKEN_TEXT, RANK_NONE, end);
	if (t.at[end] == '&') {
		end = reference_end(t, r->at);
		return token_to(r, end ? TOKEN_TEXT : TOKEN_BARE, RANK_NONE, end ? end : r->at + 1);
	}
	if (aside(r, "<!--", "-->", &r->no_comment, &end)) {
		bool is_good = text_find(t, TEXT("--"), r->at + 4) == end - 3;
		return token_to(r, is_good ? TOKEN_ASIDE : TOKEN_BAD, RANK_NONE, end);
	}
	if (aside(r, "<![CDATA[", "]]>", &r->no_section, &end))
		return token_to(r, TOKEN_ASIDE, RANK_NONE, end);
	if (begins_name(byte_at(t, r->at + 2)) && aside(r, "<?", "?>", &r->no_instruction, &end))
		return token_to(r, TOKEN_IGNORED, RANK_NONE, end);
	if (!r->no_doctype && text_starts(text_slice(t, r->at, r->at + 9), "<!DOCTYPE"))
		return declaration(r);
	return byte_at(t, r->at + 1) == '/' ? end_tag(r) : start_tag(r);
}

static uint32_t line_of(struct rough *r, const char *at)
{
	for (; r->line_at < (size_t)(at - r->bytes.at); r->line_at++)
		r->line += r->bytes.at[r->line_at] == '\n';
	return r->line;
}

static void note(struct rough *r, struct text at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void note(struct rough *r, struct text at, const char *format, ...)
{
	va_list ap;

	if (r->mends->list.n >= LISTED) {
		r->mends->more++;
		return;
	}
	va_start(ap, format);
	struct text sentence = text_vformat(r->arena, format, ap);
	va_end(ap);
	*ARRAY_PUSH(r->arena, &r->mends->list) = (struct mended){line_of(r, at.at), sentence};
}

const char *rough_around(struct arena *a, struct text bytes, size_t at)
{
	size_t from = at > AROUND ? utf8_cut(bytes, at - AROUND) : 0;
	size_t to = at + AROUND < bytes.len ? utf8_cut(bytes, at + AROUND) : bytes.len;
	struct buffer out = {.arena = a};

	buffer_add(&out, text_slice(bytes, from, to));
	for (size_t i = 0; i < out.len; i++)
		if ((unsigned char)out.at[i] < ' ')
			out.at[i] = ' ';
	return text_string(a, text_trim(utf8_repaired(a, buffer_text(&out))));
}

/* Quotes what is left out, in one line. */
static const char *quoted(struct rough *r, struct text t)
{
	const char *words = rough_around(r->arena, text_trim(text_slice(t, 0, 2 * (size_t)AROUND)), AROUND);

	return t.len > 2 * (size_t)AROUND ? text_format(r->arena, "%s…", words).at : words;
}

static void put_bare(struct rough *r, struct text t)
{
	buffer_put(&r->out, t.at[0] == '&' ? "&amp;" : "&lt;");
	if (!r->mends->list.n)
		r->mends->first = (size_t)(t.at - r->bytes.at);
	if (r->mends->list.n < LISTED)
		note(r, t,
		     r->is_reading ? "the bare %c in \"%s\" is shown as it is" : "the bare %c in \"%s\" is escaped",
		     t.at[0], rough_around(r->arena, r->bytes, (size_t)(t.at - r->bytes.at)));
	else
		r->mends->more++;
}

/* Copies a tag. Bare characters in its values are escaped. */
static void put_tag(struct rough *r, struct text tag)
{
	char quote = 0;

	for (size_t i = 0; i < tag.len; i++) {
		char c = tag.at[i];
		size_t end = quote && c == '&' ? reference_end(tag, i) : 0;
		if (!quote && (c == '"' || c == '\''))
			quote = c;
		else if (quote && c == quote)
			quote = 0;
		else if (quote && (c == '<' || (c == '&' && !end))) {
			put_bare(r, text_slice(tag, i, i + 1));
			continue;
		}
		buffer_byte(&r->out, c);
	}
}

bool rough_escape(struct arena *a, struct text bytes, struct mends *out)
{
	/* First with the elements of other formats that a person may have pasted, then with those as text too. */
	for (int keeps = 1; keeps >= 0; keeps--) {
		struct arena scratch = {0};
		struct mends mends = {0};
		struct error error = {0};
		struct rough r = {.arena = a,
				  .bytes = bytes,
				  .keeps_unknown = keeps,
				  .out = {.arena = a},
				  .mends = &mends,
				  .line = 1};
		while (r.at < bytes.len) {
			struct token t = next(&r);
			if (t.kind == TOKEN_BARE)
				put_bare(&r, t.bytes);
			else if (t.kind == TOKEN_START || t.kind == TOKEN_EMPTY)
				put_tag(&r, t.bytes);
			else
				buffer_add(&r.out, t.bytes);
		}
		mends.bytes = buffer_text(&r.out);
		bool is_xml = mends.list.n && xml_parse(&scratch, mends.bytes, &limits, &error);
		arena_free(&scratch);
		if (is_xml) {
			*out = mends;
			return true;
		}
	}
	return false;
}

static void put_lines(struct rough *r, struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] == '\n')
			buffer_byte(&r->out, '\n');
}

static const char *rank_name(int rank) { return rank == RANK_SUMMARY ? "summary" : level_names[rank]; }

static void close_top(struct rough *r, struct text at)
{
	int rank = r->open[--r->n];

	buffer_format(&r->out, "</%s>", rank_name(rank));
	if (at.at)
		note(r, at, "<%s> has no end before this; it is ended here", rank_name(rank));
}

/* Leaves out the element whose tag cannot be read, up to its end or to whatever cannot be in it. */
static void leave_out(struct rough *r, const struct token *t, const char *why)
{
	size_t from = (size_t)(t->bytes.at - r->bytes.at), at = from + 1;
	bool is_end = byte_at(r->bytes, from + 1) == '/';

	for (; !is_end && at < r->bytes.len; at++) {
		bool ends;
		int rank = r->bytes.at[at] == '<' ? tag_rank(r->bytes, at, &ends) : RANK_NONE;
		if (rank == RANK_NONE || rank > t->rank)
			continue;
		if (ends && rank == t->rank) {
			const char *close = memchr(r->bytes.at + at, '>', r->bytes.len - at);
			at = close ? (size_t)(close - r->bytes.at) + 1 : r->bytes.len;
		}
		break;
	}
	r->at = is_end ? r->at : at;
	struct text gone = text_slice(r->bytes, from, r->at);
	note(r, gone, "%s: \"%s\" is left out", why, quoted(r, gone));
	put_lines(r, gone);
}

static void read_start(struct rough *r, const struct token *t)
{
	if (r->has_root && !r->n) {
		leave_out(r, t, "the book has ended before this");
		return;
	}
	while (r->n && r->open[r->n - 1] >= t->rank)
		close_top(r, t->bytes);
	put_tag(r, t->bytes);
	r->has_root = true;
	if (t->kind == TOKEN_START)
		r->open[r->n++] = t->rank;
}

static void read_end(struct rough *r, const struct token *t)
{
	size_t at = r->n;

	while (at && r->open[at - 1] != t->rank)
		at--;
	if (!at) {
		note(r, t->bytes, "</%s> ends nothing and is left out", rank_name(t->rank));
		return;
	}
	while (r->n > at)
		close_top(r, t->bytes);
	close_top(r, (struct text){0});
}

static void read_token(struct rough *r, const struct token *t)
{
	switch (t->kind) {
	case TOKEN_TEXT:
	case TOKEN_BARE:
		if (r->n && t->kind == TOKEN_BARE) {
			put_bare(r, t->bytes);
		} else if (r->n) {
			buffer_add(&r->out, t->bytes);
		} else {
			if (!text_is_blank(t->bytes))
				note(r, t->bytes, "\"%s\" outside of the book is left out", quoted(r, t->bytes));
			put_lines(r, t->bytes);
		}
		break;
	case TOKEN_ASIDE:
		if (r->n || t->bytes.at[2] == '-')
			buffer_add(&r->out, t->bytes);
		break;
	case TOKEN_BAD:
		note(r, t->bytes, "\"%s\" is no comment that XML allows and is left out", quoted(r, t->bytes));
		put_lines(r, t->bytes);
		break;
	case TOKEN_IGNORED: put_lines(r, t->bytes); break;
	case TOKEN_START:
	case TOKEN_EMPTY: read_start(r, t); break;
	case TOKEN_END: read_end(r, t); break;
	case TOKEN_BROKEN:
		leave_out(r, t, text_format(r->arena, "the tag of <%s> cannot be read", rank_name(t->rank)).at);
		break;
	}
}

/* A copy without the characters that XML cannot contain. */
static struct text readable(struct rough *r, struct text bytes)
{
	struct text t = utf8_repaired(r->arena, bytes);
	struct buffer out = {.arena = r->arena};

	if (t.at != bytes.at)
		note(r, text_slice(r->bytes, 0, 0), "bytes that are not UTF-8 are shown as \xef\xbf\xbd");
	if (text_starts(t, "\xef\xbb\xbf"))
		t = text_slice(t, 3, t.len);
	for (size_t bad; (bad = xml_unwritable(t)) < t.len;) {
		size_t end = bad;
		utf8_next(t, &end);
		buffer_add(&out, text_slice(t, 0, bad));
		t = text_slice(t, end, t.len);
	}
	if (!out.len)
		return t;
	buffer_add(&out, t);
	note(r, text_slice(r->bytes, 0, 0), "characters that XML cannot contain are left out");
	return buffer_text(&out);
}

void rough_read(struct arena *a, struct text bytes, struct mends *out)
{
	struct rough r = {.arena = a, .bytes = bytes, .is_reading = true, .out = {.arena = a}, .mends = out, .line = 1};

	r.bytes = readable(&r, bytes);
	while (r.at < r.bytes.len) {
		struct token t = next(&r);
		read_token(&r, &t);
	}
	while (r.n)
		close_top(&r, text_slice(r.bytes, r.bytes.len, r.bytes.len));
	out->bytes = buffer_text(&r.out);
}
