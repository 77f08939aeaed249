/* Any bytes as the body of a part with tracked changes. Accepting it stretch by stretch refuses what is not
 * well-formed. Everything else it accepts as settle() does at once, and the result has no changes left. An outline is a
 * part of the whole tree. */
#include "must.h"
#include "base/buffer.h"
#include "kinds/docx/text/fragment.h"
#include "kinds/docx/track/settle.h"

static const char head[] =
	"<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>";
static const char tail[] = "</w:body></w:document>";
static const struct xml_limits limits = {.depth = 400, .attributes = 50, .nodes = 100000};
enum { LONG_BYTES = 200000 };

static uint32_t paragraphs(const struct fragment *f)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->xml.n; i++)
		n += f->tags[i] == TAG_P;
	return n;
}

static void check(struct arena *a, struct text part)
{
	struct text whole, parts, again;
	struct revision_counts counts;
	struct structure_changes changes = {0};
	struct fragment tree, outline;
	struct error err = {0};
	bool is_settled = settle_part(a, part, &parts);

	for (enum settlement how = SETTLE_ACCEPT; how <= SETTLE_REJECT; how++)
		settle_structure(a, part, &(struct settling){.how = how}, &changes);
	if (fragment_parse(a, part, NULL, &tree) && fragment_outline(a, part, NULL, &outline))
		MUST(paragraphs(&outline) <= paragraphs(&tree) && outline.xml.n <= tree.xml.n);
	if (!xml_parse(a, part, &limits, &err))
		return;
	MUST(is_settled && settle(a, part, NULL, SETTLE_ACCEPT, &whole, &counts) && text_same(whole, parts));
	MUST(settle(a, whole, NULL, SETTLE_ACCEPT, &again, &counts));
	MUST(revisions_total(&counts) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct buffer part = {.arena = &a};

	/* Some parts are long enough for several stretches. */
	size_t times = n >= 16 && n % 4 == 0 ? LONG_BYTES / n : 1;

	buffer_put(&part, head);
	for (size_t i = 0; i < times; i++)
		buffer_add(&part, (struct text){(const char *)bytes, n});
	buffer_put(&part, tail);
	check(&a, buffer_text(&part));
	arena_free(&a);
	return 0;
}
