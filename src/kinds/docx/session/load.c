/* Loads a session's document and replays its requests. */
#include "kinds/docx/session/load.h"

#include "base/clock.h"
#include "base/sha1.h"
#include "format/json.h"
#include "format/json_write.h"
#include "kinds/docx/style/numbering.h"

#include <string.h>

void session_unload(struct session *s)
{
	arena_free(&s->arena);
	s->package = NULL;
	s->styles = NULL;
	s->numbering = NULL;
	s->numbering_of = NULL;
	s->body = NULL;
	s->stories = NULL;
	s->stories_n = 0;
	s->has_all_stories = false;
	s->journal = (struct journal){0};
	s->view = NULL;
	s->mark = s->requests_n = 0;
	s->draft_changed = 0;
	for (int i = 0; i < 2; i++) {
		arena_free(&s->made_arena[i]);
		s->made[i] = NULL;
	}
}

bool session_numbering(struct call *c, struct session *s)
{
	const struct relationship *r = package_find(s->package, RELATION_NUMBERING);
	struct part *part = NULL;

	if (r && !r->is_external && !package_part(c, s->package, r->target, &part))
		return false;
	const char *now = part ? part_now(part).at : NULL;
	if (s->numbering && s->numbering_of == now)
		return true;
	struct numbering *read = numbering_read(c, s->package, s->styles);
	if (!read)
		return false;
	s->numbering = read;
	s->numbering_of = now;
	return true;
}

bool session_load(struct call *c, struct session *s, struct text bytes)
{
	const struct docx_state *state = c->state;

	s->journal = (struct journal){.arena = &s->arena};
	/* Copy the bytes: the session outlives the call, and the file may change. */
	bytes = text_copy(&s->arena, bytes);
	if (!package_open(c, &s->arena, bytes, &state->limits, &s->package) ||
	    !(s->styles = styles_read(c, s->package)) || !session_numbering(c, s) ||
	    !(s->body = story_read(c, &s->arena, s->package->main, STORY_BODY, s->styles, &s->journal))) {
		session_unload(s);
		return false;
	}
	s->journal.package = s->package;
	return true;
}

static bool is_read(const struct session *s, const struct part *part)
{
	for (size_t i = 0; i < s->stories_n; i++)
		if (s->stories[i]->part == part)
			return true;
	return false;
}

bool session_stories(struct call *c, struct session *s)
{
	static const struct {
		enum relation relation;
		enum story_kind kind;
	} kinds[] = {{RELATION_HEADER, STORY_HEADER},
		     {RELATION_FOOTER, STORY_FOOTER},
		     {RELATION_FOOTNOTES, STORY_FOOTNOTES},
		     {RELATION_ENDNOTES, STORY_ENDNOTES},
		     {RELATION_COMMENTS, STORY_COMMENTS}};
	const struct relationships *r = &s->package->relations;

	if (s->has_all_stories)
		return true;
	s->stories_n = 0;
	s->stories = arena_array(&s->arena, r->n + 1, sizeof(struct story *));
	for (size_t k = 0; k < ARRAY_COUNT(kinds); k++) {
		for (size_t i = 0; i < r->n; i++) {
			struct part *part;
			if (r->items[i].relation != kinds[k].relation || r->items[i].is_external)
				continue;
			if (!package_part(c, s->package, r->items[i].target, &part))
				return false;
			/* Parts that the session created are read from their layer by their own tools. Two
			 * relationships may lead to one part. */
			if (!part || !part->bytes.at || is_read(s, part))
				continue;
			struct story *story = story_read(c, &s->arena, part, kinds[k].kind, s->styles, &s->journal);
			if (!story)
				return false;
			s->stories[s->stories_n++] = story;
		}
	}
	s->has_all_stories = true;
	return true;
}

struct text session_mint(struct call *c, struct session *s)
{
	unsigned char sum[20];

	for (;;) {
		struct text seed = text_format(c->arena, "%s|%zu|%u", s->first.chars, s->mark, s->minted++);
		sha1(seed, sum);
		uint32_t n =
			((uint32_t)(sum[0] & 0x7f) << 24 | (uint32_t)sum[1] << 16 | (uint32_t)sum[2] << 8 | sum[3]);
		struct text id = text_format(c->arena, "%08X", n);
		bool is_taken = !n || n >= 0x7fffffff;
		for (size_t i = 0; i <= s->stories_n && !is_taken; i++) {
			const struct story *story = i ? s->stories[i - 1] : s->body;
			for (size_t p = 0; p < story->paragraphs.n && !is_taken; p++) {
				struct text other = story->paragraphs.items[p].para_id;
				is_taken = other.len == 8 && !strncasecmp(other.at, id.at, 8);
			}
		}
		if (!is_taken)
			return id;
	}
}

struct text request_write(struct call *c, const struct edit *e, const void *in, int64_t now, struct text places)
{
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};

	json_open(&o, '{');
	json_key(&o, "tool");
	json_put_string(&o, e->name);
	json_key(&o, "at");
	json_put_int(&o, now);
	json_key(&o, "in");
	fields_encode(&o, e->in, in);
	if (places.at) {
		json_key(&o, "places");
		json_put_text(&o, places);
	}
	json_close(&o, '}');
	return buffer_text(&b);
}

struct text request_tool(struct call *c, struct text request)
{
	struct json_error why;
	struct text name = json_text(json_get(json_parse(c->arena, request, JSON_DEPTH_MAX, &why), "tool"));

	return name.at ? name : TEXT("");
}

static const struct edit *edit_named(struct text name)
{
	for (const struct edit *const *e = docx_edits; *e; e++)
		if (text_is(name, (*e)->name))
			return *e;
	return NULL;
}

bool session_apply(struct call *c, struct session *s, const struct edit *e, const void *in, void *out, int64_t now)
{
	size_t before = s->journal.notes.n;

	s->now = now;
	s->minted = 0;
	if (!session_numbering(c, s))
		return false;
	if (!e->apply(c, s, in, out)) {
		journal_back(&s->journal, before);
		return false;
	}
	*ARRAY_PUSH(&s->arena, &s->journal.edits) = before;
	s->mark++;
	return true;
}

static bool replay_one(struct call *c, struct session *s, struct text request)
{
	struct json_error why;
	const struct json *j = json_parse(c->arena, request, JSON_DEPTH_MAX, &why), *in = j ? json_get(j, "in") : NULL;
	const struct edit *e = j ? edit_named(json_text(json_get(j, "tool"))) : NULL;
	int64_t now = 0;

	if (!e || !in || !json_is(json_get(j, "at"), JSON_INT) || !json_integer(json_get(j, "at"), &now))
		return fail(c, FAULT_INTERNAL, "it was made by another version of this program, or is damaged");
	void *args = arena_zero(c->arena, e->in_size), *out = arena_zero(c->arena, e->out_size);
	size_t before = s->journal.notes.n;
	if (!fields_decode(c, e->in, e->in_size, in, args, NULL) || !session_apply(c, s, e, args, out, now))
		return false;
	/* If the file has changed, the edit must have the same effect as on the original file. */
	if (!memcmp(s->first.chars, s->revision.chars, REVISION_LEN))
		return true;
	struct text was = json_text(json_get(j, "places")), is = request_places(c, s, before);
	return (was.at && is.at && text_same(was, is)) ||
	       fail_as(c, "CONFLICT", "what it changes was changed in the file as well");
}

/* The request is not the caller's, so its own error message would not help. Limits of the call keep their errors. */
static bool not_repeated(struct call *c, const struct session *s, size_t number)
{
	static const enum fault own[] = {FAULT_OWN, FAULT_ARGUMENT, FAULT_MISSING, FAULT_NOT_FOUND, FAULT_INTERNAL};
	const char *why = c->error.message ? c->error.message : "";

	for (size_t i = 0; i < ARRAY_COUNT(own); i++)
		if (c->error.fault == own[i])
			return fail_as(c, "SESSION_NOT_FOUND",
				       "edit %zu of session %s cannot be repeated: %s; call clear_session with this "
				       "session_id, then read_file with file_path to start again",
				       number, s->id, why);
	return false;
}

bool session_replay(struct call *c, struct session *s, const struct texts *requests, size_t mark)
{
	size_t warnings = c->warnings.n;

	for (size_t i = s->mark; i < mark; i++)
		if (!replay_one(c, s, requests->items[i]))
			return not_repeated(c, s, i + 1);
	c->warnings.n = warnings;
	s->requests_n = requests->n;
	return true;
}

void session_back(struct session *s, size_t mark)
{
	while (s->mark > mark) {
		journal_back(&s->journal, s->journal.edits.items[--s->journal.edits.n]);
		s->mark--;
	}
}
