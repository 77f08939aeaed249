#include "kinds/docx/track/pass.h"

#include <string.h>

static const struct xml_limits limits = {
	.depth = FRAGMENT_DEPTH_MAX, .attributes = XML_SCAN_ATTRIBUTES_MAX, .nodes = UINT32_MAX};

void pass_begin(struct pass *w, struct arena *a, struct text element, const struct names *names)
{
	w->arena = a;
	w->names[0] = names;
	w->tags[0] = TAG_OTHER;
	xml_scan_begin(&w->scan, a, element, &limits, &w->why);
}

static bool declares(const struct xml_scan *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->attributes[i].name.len >= 5 && !memcmp(s->attributes[i].name.at, "xmlns", 5))
			return true;
	return false;
}

bool pass_next(struct pass *w)
{
	struct xml_scan *s = &w->scan;
	struct text local;

	if (xml_scan_next(s) == XML_SCAN_END)
		return false;
	if (s->token == XML_SCAN_OPEN) {
		const struct names *outer = w->names[s->depth - 1];
		w->names[s->depth] =
			declares(s) ? names_read(w->arena, outer, text_slice(s->bytes, s->from, s->to)) : outer;
		enum space space = names_split(w->names[s->depth], s->name, false, &local);
		w->tags[s->depth] = (uint8_t)fragment_tag(space, local);
	}
	return true;
}

bool pass_is(const struct pass *w, const char *local)
{
	struct text name;

	return names_split(w->names[w->scan.depth], w->scan.name, false, &name) == SPACE_W && text_is(name, local);
}

bool pass_children(struct arena *a, struct text part, struct place parent, enum tag tag, size_t most,
		   struct places *out)
{
	struct pass w;
	uint32_t from = 0;

	pass_begin(&w, a, text_slice(part, parent.from, parent.to), parent.names);
	while (out->list.n < most && pass_next(&w)) {
		if (w.scan.depth != 2 || pass_tag(&w) != tag)
			continue;
		if (w.scan.token == XML_SCAN_OPEN)
			from = parent.from + w.scan.from;
		else if (w.scan.token == XML_SCAN_CLOSE)
			*ARRAY_PUSH(a, &out->list) = (struct place){from, parent.from + w.scan.to, w.names[1]};
	}
	return !w.scan.is_bad;
}
