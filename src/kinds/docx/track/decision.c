#include "kinds/docx/track/decision.h"

#include <string.h>

static const char *const kinds[] = {"insertion", "deletion", "move", "format", NULL};
const struct field decide_in[] = {
	TARGET_FIELDS(struct decide_args),
	FIELD(struct decide_args, revision_ids, TEXTS, 0, "Only these, from extract_revisions",
	      .limits = BETWEEN(1, 5000)),
	FIELD(struct decide_args, target_paragraph_ids, TEXTS, FIELD_TERSE, "Only in these paragraphs",
	      .limits = BETWEEN(1, 5000)),
	FIELD(struct decide_args, author, TEXT, FIELD_TERSE, "Only of this author"),
	FIELD(struct decide_args, kind, TEXT, FIELD_TERSE, "Only of this kind",
	      .more = RARE{.schema = "\"enum\":[\"insertion\",\"deletion\",\"move\",\"format\"]"}),
	FIELD(struct decide_args, from_date, TEXT, FIELD_UNLISTED, "Only from this date or time on (2026-01-31)"),
	FIELD(struct decide_args, to_date, TEXT, FIELD_UNLISTED, "Only up to this date or time"),
	FIELDS_END,
};

struct text decision_part(const struct story *s)
{
	struct text name = s->part->name;
	size_t from = name.len, to = text_ends(name, ".xml") ? name.len - 4 : name.len;

	while (from && name.at[from - 1] != '/')
		from--;
	return text_slice(name, from, to);
}

static const char *kind_of(const struct fragment *f, uint32_t node)
{
	uint8_t tag = f->tags[node];
	enum space space;

	if (tag == TAG_MOVE_FROM || tag == TAG_MOVE_TO)
		return "move";
	struct text local = fragment_local(f, node, &space);
	if (tag == TAG_INS || text_is(local, "cellIns"))
		return "insertion";
	return tag == TAG_DEL || text_is(local, "cellDel") ? "deletion" : "format";
}

/* Times are written as 2026-01-31T12:00:00Z, so they can be compared as text, also if one is only a date. */
static bool is_within(struct text date, struct text from, struct text to)
{
	struct text head = text_slice(date, 0, to.len < date.len ? to.len : date.len);

	if (!date.len)
		return !from.at && !to.at;
	return (!from.at || text_order(date, from) >= 0) && (!to.at || text_order(head, to) <= 0);
}

static bool takes(void *of, const struct fragment *f, uint32_t node)
{
	struct decision *d = of;
	const struct decide_args *args = d->args;

	if (args->author.at && !text_same(fragment_attribute(d->arena, f, node, SPACE_W, "author"), args->author))
		return false;
	if (args->kind.at && !text_is(args->kind, kind_of(f, node)))
		return false;
	if ((args->from_date.at || args->to_date.at) &&
	    !is_within(fragment_attribute(d->arena, f, node, SPACE_W, "date"), args->from_date, args->to_date))
		return false;
	if (!d->ids.n)
		return true;
	struct text id = fragment_attribute(d->arena, f, node, SPACE_W, "id");
	return id.at && map_find(&d->ids, text_format(d->arena, "%.*s/%.*s", TEXT_ARGS(d->part), TEXT_ARGS(id)));
}

/* Is there a change with this w:id in the part? A change has an author. */
static bool has_change(const struct story *s, struct text id)
{
	struct text bytes = s->part->bytes;

	for (size_t at = 0; (at = text_find(bytes, TEXT(":id=\""), at)) != SIZE_MAX;) {
		at += 5;
		if (at + id.len >= bytes.len || memcmp(bytes.at + at, id.at, id.len) || bytes.at[at + id.len] != '"')
			continue;
		const char *start = memrchr(bytes.at, '<', at), *end = memchr(bytes.at + at, '>', bytes.len - at);
		if (start && end &&
		    text_find((struct text){start, (size_t)(end - start)}, TEXT(":author=\""), 0) != SIZE_MAX &&
		    text_find((struct text){start, (size_t)(end - start)}, TEXT("comment "), 0) == SIZE_MAX)
			return true;
	}
	return false;
}

static bool want_id(struct call *c, const struct session *s, struct text id, struct decision *d)
{
	size_t slash = text_find(id, TEXT("/"), 0);
	struct text number = slash == SIZE_MAX ? id : text_slice(id, slash + 1, id.len);
	struct buffer found = {.arena = c->arena};
	unsigned n = 0;

	for (size_t i = 0; i <= s->stories_n; i++) {
		const struct story *story = i ? s->stories[i - 1] : s->body;
		struct text part = decision_part(story),
			    full = text_format(c->arena, "%.*s/%.*s", TEXT_ARGS(part), TEXT_ARGS(number));
		if ((slash != SIZE_MAX && !text_same(full, id)) || !number.len || !has_change(story, number))
			continue;
		map_at(&d->ids, full, 0, NULL);
		buffer_format(&found, "%s%.*s", n++ ? ", " : "", TEXT_ARGS(full));
	}
	if (n > 1)
		return fail_as(c, "REVISION_NOT_FOUND", "several changes have the number %s; name one of %s",
			       shown(c, id), buffer_text(&found).at);
	return n || fail_as(c, "REVISION_NOT_FOUND", "there is no tracked change %s; extract_revisions lists them",
			    shown(c, id));
}

static struct text paragraph_key(struct arena *a, const struct story *s, uint32_t p)
{
	return text_format(a, "%p:%u", (const void *)s, p);
}

bool decision_read(struct call *c, struct session *s, const struct decide_args *args, enum settlement how,
		   struct decision *out)
{
	bool has_filter =
		args->revision_ids.n || args->author.at || args->kind.at || args->from_date.at || args->to_date.at;
	bool is_kind = !args->kind.at;

	*out = (struct decision){.settling = {.how = how, .takes = has_filter ? takes : NULL, .of = out},
				 .args = args,
				 .ids = {.arena = c->arena},
				 .paragraphs = {.arena = c->arena},
				 .arena = c->arena};
	for (size_t i = 0; kinds[i]; i++)
		is_kind |= text_is(args->kind, kinds[i]);
	if (!is_kind)
		return fail(c, FAULT_ARGUMENT, "there is no kind %s; use insertion, deletion, move or format",
			    shown(c, args->kind));
	for (size_t i = 0; i < args->revision_ids.n; i++)
		if (!want_id(c, s, args->revision_ids.items[i], out))
			return false;
	for (size_t i = 0; i < args->target_paragraph_ids.n; i++) {
		struct story *story;
		uint32_t p;
		if (!session_anchor(c, s, args->target_paragraph_ids.items[i], &story, &p))
			return false;
		map_at(&out->paragraphs, paragraph_key(c->arena, story, p), 0, NULL);
	}
	return true;
}

void decision_enter(struct decision *d, const struct story *s) { d->part = decision_part(s); }

bool decision_has(const struct decision *d, const struct story *s, uint32_t p)
{
	return !d->paragraphs.n || map_find(&d->paragraphs, paragraph_key(d->arena, s, p));
}
