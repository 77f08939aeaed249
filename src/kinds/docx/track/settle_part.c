/* settle_part.c: accepts the tracked changes of a whole part, one stretch after another. */
#include "kinds/docx/track/pass.h"
#include "kinds/docx/track/settle.h"

enum { STRETCH = 1 << 16 }; /* bytes that are parsed at once, if the part can be divided there */

/* The new bytes of a part. */
struct rewriting {
	struct buffer out;
	bool is_broken;
};

static void settle_element(struct rewriting *r, struct text element, const struct names *names, uint8_t tag);

/* Settles neighbouring blocks as a body of their own. */
static void settle_stretch(struct rewriting *r, struct text blocks, const struct names *names)
{
	scoped(arena_free) struct arena scratch = {0};
	struct buffer wrapped = {.arena = &scratch};
	struct revision_counts counts;
	struct text out;

	if (!revisions_may_be(blocks)) {
		buffer_add(&r->out, blocks);
		return;
	}
	names_open(&wrapped, names, "body");
	buffer_byte(&wrapped, '>');
	size_t before = wrapped.len;
	buffer_add(&wrapped, blocks);
	size_t behind = wrapped.len;
	names_close(&wrapped, names, "body");
	behind = wrapped.len - behind;
	r->is_broken |= !settle(&scratch, buffer_text(&wrapped), names, SETTLE_ACCEPT, &out, &counts);
	if (!r->is_broken)
		buffer_add(&r->out, text_slice(out, before, out.len - behind));
}

/* A body can be divided after a paragraph whose mark is not tracked, and around a table if no paragraph before it waits
 * to be joined. */
struct division {
	uint32_t done;  /* bytes of the body that are written so far */
	uint32_t from;  /* start of the current child */
	bool has_mark;  /* the child's paragraph mark is tracked */
	bool is_joined; /* a paragraph before may be joined to what follows */
};

static void divide(struct rewriting *r, struct division *d, const struct pass *w)
{
	const struct xml_scan *s = &w->scan;
	uint8_t tag = pass_tag(w);
	bool is_paragraph = tag == TAG_P, is_free = !d->is_joined;
	struct text body = s->bytes;

	if (is_paragraph)
		d->is_joined = d->has_mark;
	else if (tag == TAG_TBL || tag == TAG_SECT_PR)
		d->is_joined = false;
	if (tag == TAG_TBL && is_free && s->to - d->from > STRETCH) {
		settle_stretch(r, text_slice(body, d->done, d->from), w->names[1]);
		settle_element(r, text_slice(body, d->from, s->to), w->names[1], tag);
		d->done = s->to;
	} else if (!d->is_joined && s->to - d->done > STRETCH) {
		settle_stretch(r, text_slice(body, d->done, s->to), w->names[1]);
		d->done = s->to;
	}
}

static void settle_body(struct rewriting *r, struct text body, const struct names *names)
{
	scoped(arena_free) struct arena scratch = {0};
	struct division d = {0};
	struct pass w;

	pass_begin(&w, &scratch, body, names);
	while (!r->is_broken && pass_next(&w)) {
		const struct xml_scan *s = &w.scan;
		uint8_t tag = pass_tag(&w);
		if (s->depth == 1 && s->token == XML_SCAN_OPEN) {
			buffer_add(&r->out, text_slice(body, 0, s->to));
			d.done = s->to;
		} else if (s->depth == 2 && s->token == XML_SCAN_OPEN) {
			d.from = s->from;
			d.has_mark = false;
		} else if (s->depth == 2 && s->token == XML_SCAN_CLOSE) {
			divide(r, &d, &w);
		} else if (s->depth == 1 && s->token == XML_SCAN_CLOSE) {
			settle_stretch(r, text_slice(body, d.done, s->from), w.names[1]);
			buffer_add(&r->out, text_slice(body, s->from, s->to));
		}
		d.has_mark |= s->depth == 5 && w.tags[3] == TAG_PPR && w.tags[4] == TAG_RPR &&
			      (tag == TAG_INS || tag == TAG_DEL || tag == TAG_MOVE_FROM || tag == TAG_MOVE_TO);
	}
	r->is_broken |= w.scan.is_bad;
}

/* Settles each child separately. A table is removed if all its rows are. */
static void settle_children(struct rewriting *r, struct text element, const struct names *names, bool is_table)
{
	scoped(arena_free) struct arena scratch = {0};
	size_t start = r->out.len, rows = 0, left = 0;
	uint32_t from = 0, done = 0;
	bool has_control = false;
	struct pass w;

	pass_begin(&w, &scratch, element, names);
	while (!r->is_broken && pass_next(&w)) {
		const struct xml_scan *s = &w.scan;
		if (s->depth != 2 || (s->token != XML_SCAN_OPEN && s->token != XML_SCAN_CLOSE))
			continue;
		if (s->token == XML_SCAN_OPEN) {
			buffer_add(&r->out, text_slice(element, done, s->from));
			from = s->from;
			continue;
		}
		size_t before = r->out.len;
		settle_element(r, text_slice(element, from, s->to), w.names[1], pass_tag(&w));
		done = s->to;
		rows += pass_tag(&w) == TAG_TR;
		left += pass_tag(&w) == TAG_TR && r->out.len > before;
		has_control |= pass_tag(&w) == TAG_SDT;
	}
	r->is_broken |= w.scan.is_bad;
	buffer_add(&r->out, text_slice(element, done, element.len));
	if (is_table && rows && !left && !has_control)
		r->out.len = start;
}

static void settle_element(struct rewriting *r, struct text element, const struct names *names, uint8_t tag)
{
	scoped(arena_free) struct arena scratch = {0};
	struct revision_counts counts;
	struct text out;

	if (!revisions_may_be(element)) {
		buffer_add(&r->out, element);
	} else if (tag == TAG_BODY) {
		settle_body(r, element, names);
	} else if (tag == TAG_TBL && element.len > STRETCH) {
		settle_children(r, element, names, true);
	} else {
		r->is_broken |= !settle(&scratch, element, names, SETTLE_ACCEPT, &out, &counts);
		if (!r->is_broken)
			buffer_add(&r->out, out);
	}
}

bool settle_part(struct arena *a, struct text part, struct text *out)
{
	static const struct names none = {0};
	struct text root = fragment_root(part);
	struct rewriting r = {.out = {.arena = a}};
	size_t from = (size_t)(root.at - part.at);

	*out = part;
	if (!revisions_may_be(part))
		return true;
	/* Accepting makes a part shorter on the whole, so one allocation is enough. */
	buffer_room(&r.out, part.len + STRETCH);
	buffer_add(&r.out, text_slice(part, 0, from));
	settle_children(&r, root, &none, false);
	buffer_add(&r.out, text_slice(part, from + root.len, part.len));
	*out = buffer_text(&r.out);
	return !r.is_broken;
}
