#include "tool/bound.h"

#include "tool/reply.h"

#include "base/utf8.h"

#include <stdio.h>

const struct field bound_in[] = {
	FIELD_AS("answer_from", struct bound_arguments, from, INT, FIELD_UNLISTED,
		 "Skip this many characters of the answer: to continue one that was cut", .limits = AT_LEAST(0),
		 .otherwise = "0"),
	FIELD_AS("answer_whole", struct bound_arguments, whole, FLAG, FIELD_UNLISTED,
		 "Return up to 4 MiB instead of 60,000 characters", .otherwise = "false"),
	FIELDS_END,
};

enum {
	NOTE_ROOM = 400,   /* of the block that says what was cut */
	BREAK_ROOM = 2000, /* a text is cut at a line that ends in its last characters */
	ROUNDS_MAX = 64,   /* lists that are shortened */
	MEMBERS_MANY = 50, /* an object with more members is a map, and may lose some */
	STRING_MIN = 200,
	WARNINGS_ROOM = 600, /* of the warnings about what was shortened */
	PATH_ROOM = 96,
};

/* A list or map, or else a string. */
struct longest {
	struct json *at;
	size_t bytes;
	char path[PATH_ROOM];
};

struct shortening {
	struct json *done[ROUNDS_MAX]; /* cannot lose more */
	size_t n_done;
	struct longest list, string;
};

static bool is_done(const struct shortening *s, const struct json *v)
{
	for (size_t i = 0; i < s->n_done; i++)
		if (s->done[i] == v)
			return true;
	return false;
}

static size_t source_size(const struct json *v)
{
	struct buffer b = {0};

	json_write(&b, v);
	size_t n = b.len;
	buffer_free(&b);
	return n;
}

static void keep_longest(struct longest *l, struct json *v, size_t bytes, const char *path)
{
	if (bytes <= l->bytes)
		return;
	l->at = v;
	l->bytes = bytes;
	snprintf(l->path, sizeof l->path, "%s", path);
}

/* Returns the length of the value as text, and finds the longest list and string in it. */
static size_t measure(struct shortening *s, struct json *v, const char *path)
{
	bool is_list = json_is(v, JSON_ARRAY), is_object = json_is(v, JSON_OBJECT);
	size_t sum = 2;

	for (uint32_t i = 0; (is_list || is_object) && i < v->len; i++) {
		char inner[PATH_ROOM];
		if (is_list)
			snprintf(inner, sizeof inner, "%s[%u]", path, i);
		else
			snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "." : "", v->members[i].key);
		sum += measure(s, is_list ? &v->items[i] : &v->members[i].value, inner) + 1;
		if (is_object)
			sum += v->members[i].key_len + 3;
	}
	if (!is_list && !is_object)
		sum = source_size(v);
	if (((is_list && v->len > 1) || (is_object && v->len > MEMBERS_MANY)) && !is_done(s, v))
		keep_longest(&s->list, v, sum, path);
	else if (json_is(v, JSON_STRING) && sum > STRING_MIN && !is_done(s, v))
		keep_longest(&s->string, v, sum, path);
	return sum;
}

/* How many items stay if `excess` bytes must go; at least one. */
static uint32_t items_kept(const struct json *v, size_t excess)
{
	uint32_t n = v->len;

	for (size_t gone = 0; n > 1 && gone < excess; n--)
		gone += json_is(v, JSON_ARRAY) ? source_size(&v->items[n - 1]) + 1
					       : source_size(&v->members[n - 1].value) + v->members[n - 1].key_len + 4;
	return n;
}

static bool shorten_one(struct call *c, struct shortening *s, size_t excess, struct json *notes)
{
	const struct longest *l = s->list.at ? &s->list : &s->string;
	struct json *v = l->at;
	uint32_t all;

	if (!v || s->n_done == ROUNDS_MAX)
		return false;
	all = v->len;
	s->done[s->n_done++] = v;
	if (v == s->string.at && l == &s->string) {
		struct text t = json_text(v);
		size_t room = excess < t.len ? t.len - excess : 0;
		size_t kept = utf8_cut(t, room > STRING_MIN / 2 ? room : STRING_MIN / 2);
		v->string = text_format(c->arena, "%.*s...", (int)kept, t.at).at;
		v->len = (uint32_t)kept + 3;
		json_push(c->arena, notes,
			  json_new_text(c->arena, text_format(c->arena, "%s is cut: %zu of %u bytes are here", l->path,
							      kept, all)));
		return true;
	}
	v->len = items_kept(v, excess);
	json_push(c->arena, notes,
		  json_new_text(c->arena, text_format(c->arena, "%s is cut: %u of %u are here", l->path, v->len, all)));
	return true;
}

struct text bound_object(struct call *c, struct text object)
{
	struct reply *r = c->reply;
	struct shortening s = {.n_done = 0};
	struct json_error never;

	if (!r->room || !r->sends_structured || utf8_count(object) <= r->room / 2)
		return object;
	struct json *tree = json_parse(c->arena, object, JSON_DEPTH_MAX, &never);
	struct json *notes = json_new_array(c->arena);
	size_t most = r->room / 2 - WARNINGS_ROOM, size;
	if (!tree)
		return object;
	while ((size = measure(&s, tree, "")) > most) {
		if (!shorten_one(c, &s, size - most, notes))
			break;
		s.list = s.string = (struct longest){0};
	}
	struct json *warnings = json_new_array(c->arena);
	const struct json *had = json_get(tree, "_warnings");
	for (uint32_t i = 0; json_is(had, JSON_ARRAY) && i < had->len; i++)
		json_push(c->arena, warnings, &had->items[i]);
	for (uint32_t i = 0; i < notes->len && i < 3; i++)
		json_push(c->arena, warnings, &notes->items[i]);
	json_push(
		c->arena, warnings,
		json_new_text(c->arena,
			      text_format(c->arena, "the whole answer has %zu characters; answer_whole true returns it",
					  utf8_count(object))));
	json_set(c->arena, tree, "_warnings", warnings);
	return json_source(c->arena, tree);
}

static size_t text_characters(const struct reply *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->blocks.n; i++)
		if (r->blocks.items[i].type == BLOCK_TEXT)
			n += utf8_count(r->blocks.items[i].bytes);
	return n;
}

/* The byte at which this many characters end. */
static size_t byte_of(struct text t, size_t characters)
{
	size_t at = 0;

	while (at < t.len && characters) {
		at++;
		while (at < t.len && ((unsigned char)t.at[at] & 0xc0) == 0x80)
			at++;
		characters--;
	}
	return at;
}

/* The characters of `t` to show: at most `room`, up to the end of a line, or else of a JSON value. */
static size_t cut_at(struct text t, size_t room)
{
	size_t end = byte_of(t, room), low = end > BREAK_ROOM ? end - BREAK_ROOM : 0;

	if (end == t.len)
		return end;
	for (const char *mark = "\n,"; *mark; mark++)
		for (size_t i = end; i > low; i--)
			if (t.at[i - 1] == *mark)
				return i;
	return end;
}

/* Keeps the blocks' characters from `from` on, as many as fit. Returns how many. */
static size_t keep_part(struct reply *r, size_t from, size_t room)
{
	size_t kept = 0, n = 0;
	bool is_full = false;

	for (size_t i = 0; i < r->blocks.n; i++) {
		struct block b = r->blocks.items[i];
		if (b.type != BLOCK_TEXT) {
			if (!from)
				r->blocks.items[n++] = b;
			continue;
		}
		size_t all = utf8_count(b.bytes), skip = from < all ? from : all;
		from -= skip;
		if (skip == all || is_full)
			continue;
		b.bytes = text_slice(b.bytes, byte_of(b.bytes, skip), b.bytes.len);
		size_t end = cut_at(b.bytes, room - kept);
		is_full = end < b.bytes.len;
		b.bytes.len = end;
		kept += utf8_count(b.bytes);
		r->blocks.items[n++] = b;
	}
	r->blocks.n = n;
	return kept;
}

bool bound_text(struct call *c, const struct tool *t, struct bound_arguments args, size_t beside, bool is_final)
{
	struct reply *r = c->reply;
	size_t all = text_characters(r), from = (size_t)args.from;
	size_t room = !r->room ? SIZE_MAX : r->room > beside + 2 * NOTE_ROOM ? r->room - beside : 2 * NOTE_ROOM;

	if (!from && all <= room)
		return true;
	if (from >= all)
		return fail(c, FAULT_ARGUMENT,
			    "answer_from %zu is after the end of the answer, which has %zu characters", from, all);
	size_t kept = keep_part(r, from, room == SIZE_MAX ? SIZE_MAX : room - NOTE_ROOM);
	struct text where = text_format(c->arena, "Characters %zu to %zu of %zu", from, from + kept, all);
	if (from + kept == all)
		reply_text(c, text_format(c->arena, "%.*s: the end.\n", TEXT_ARGS(where)));
	else if (is_final)
		reply_text(c, text_format(c->arena, "%.*s. The change was made; the rest is left out.\n",
					  TEXT_ARGS(where)));
	else
		reply_text(c, text_format(c->arena,
					  "%.*s. For the rest call %s again with the same arguments and answer_from "
					  "%zu; answer_whole true returns up to %d at once.\n",
					  TEXT_ARGS(where), prose(c, t->name).at, from + kept, ANSWER_WHOLE));
	return true;
}
