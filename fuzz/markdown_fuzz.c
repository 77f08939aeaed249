/* Any bytes as Markdown. Every span is inside the bytes and inside its link. A second scan finds the same at the same
 * positions. Replacing a link's target by another word changes only that link. */
#include "must.h"
#include "format/markdown.h"
#include "format/splice.h"

static void inside(struct span s, struct span of) { MUST(s.from <= s.to && s.from >= of.from && s.to <= of.to); }

/* Other bytes in a target could close or open something else in the same text. */
static bool is_plain(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (!(t.at[i] >= 'a' && t.at[i] <= 'z') && t.at[i] != ' ')
			return false;
	return t.len > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct text t = text_copy(&a, (struct text){(const char *)bytes, n});
	struct span all = {0, (uint32_t)n};
	struct markdown m, again;

	markdown_scan(&a, t, 0, &m);
	for (size_t i = 0; i < m.links.n; i++) {
		const struct markdown_link *l = &m.links.items[i];
		inside(l->all, all);
		inside(l->target, l->all);
		inside(l->fragment, l->all);
		inside(l->shown, l->all);
		MUST(l->target.from < l->target.to || l->fragment.from < l->fragment.to);
	}
	for (size_t i = 0; i < m.headings.n; i++) {
		inside(m.headings.items[i].lines, all);
		inside(m.headings.items[i].text, m.headings.items[i].lines);
		MUST(!i || m.headings.items[i - 1].lines.to <= m.headings.items[i].lines.from);
	}
	for (size_t i = 0; i < m.tags.n; i++)
		inside(m.tags.items[i], all);
	for (size_t i = 0; i < m.code.n; i++)
		inside(m.code.items[i], all);
	for (size_t i = 0; i < m.blocks.n; i++) {
		inside(m.blocks.items[i].text, all);
		inside(m.blocks.items[i].name, all);
	}
	/* The first wikilink with a plain target gets another target: the same links are found, and that one has the
	 * new target. */
	for (size_t i = 0; i < m.links.n; i++) {
		const struct markdown_link *l = &m.links.items[i];
		if (l->form != LINK_WIKI || !is_plain(span_text(t, l->target)) || n > 1000)
			continue;
		struct splice s = {l->target.from, l->target.to, TEXT("another note")};
		struct text changed = splice_apply(&a, t, &s, 1);
		markdown_scan(&a, changed, 0, &again);
		MUST(again.links.n == m.links.n);
		MUST(text_is(span_text(changed, again.links.items[i].target), "another note"));
		break;
	}
	arena_free(&a);
	return 0;
}
