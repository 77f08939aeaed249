/* Any bytes as a note, after two bytes that choose an edit. A change of tags or title keeps the text, and an edit of
 * the text keeps the front matter. An insertion removes nothing. An error has a message. */
#include "must.h"
#include "kinds/notes/edit/section.h"

#include <string.h>

static struct text some_place(const struct note *n, unsigned which, unsigned kind)
{
	if (kind == 0 && n->parts.headings.n)
		return span_text(n->bytes, n->parts.headings.items[which % n->parts.headings.n].text);
	if (kind == 1 && n->parts.blocks.n)
		return span_text(n->bytes, n->parts.blocks.items[which % n->parts.blocks.n].name);
	struct text text = span_text(n->bytes, n->text);
	return text_slice(text, text.len / 3, text.len / 3 + (text.len > 8 ? 4 : 1));
}

static void change_front(struct call *c, const struct note *n, unsigned which)
{
	static const struct text lists[][3] = {
		{{"a", 1}, {"b", 1}}, {{"new tag", 7}, {"b", 1}, {"#", 1}}, {{"b", 1}, {"a", 1}}};
	struct text items[3];
	struct texts tags = {items, which % 4};
	struct edits edits = {0};
	struct note after;

	memcpy(items, lists[which / 4 % 3], sizeof items);
	struct text title = which & 64 ? TEXT("A: \"title\"") : (struct text){0};
	if (which & 128)
		tags = (struct texts){0};
	if (!front_change(c, n, title, tags, &edits)) {
		MUST(c->error.message);
		return;
	}
	struct text bytes = splice_apply(c->arena, n->bytes, edits.items, edits.n);
	note_read(c->arena, bytes, &after);
	struct text was = text_slice(n->bytes, n->front_end, n->bytes.len);
	MUST(bytes.len >= was.len && text_same(was, text_slice(bytes, bytes.len - was.len, bytes.len)));
	MUST(!after.malformed || n->malformed);
}

static void change_section(struct call *c, const struct note *n, unsigned which, unsigned content)
{
	static const char *const contents[] = {"new",        "- item", "| x |",     "  - sub\n", "---\na: b\n---",
					       "\n> q\n> r", "",       "1. x\n2. y"};
	struct section_edit e = {.operation = (enum operation)(which % 4), .content = text_of(contents[content % 8])};
	struct edits edits = {0};
	struct note after;
	struct text place = some_place(n, which / 16, which / 4 % 4);

	if (which / 4 % 4 == 0)
		e.heading = place;
	else if (which / 4 % 4 == 1)
		e.block = place;
	else if (which / 4 % 4 == 2)
		e.text = place;
	if ((e.text.at && !e.text.len) || (e.heading.at && !e.heading.len))
		return;
	if (!section_change(c, n, &e, &edits)) {
		MUST(c->error.message);
		return;
	}
	for (size_t i = 0; i < edits.n; i++) {
		MUST(edits.items[i].from >= n->front_end);
		MUST(e.operation == OPERATION_REPLACE || edits.items[i].from == edits.items[i].to);
	}
	struct text bytes = splice_apply(c->arena, n->bytes, edits.items, edits.n);
	note_read(c->arena, bytes, &after);
	MUST(after.has_front == n->has_front);
	MUST(!n->has_front || text_same(span_text(n->bytes, n->front), span_text(bytes, after.front)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct note note;

	if (n < 2 || n > 16384)
		return 0;
	struct text t = text_copy(&a, (struct text){(const char *)bytes + 2, n - 2});
	note_read(&a, t, &note);
	if (bytes[0] & 1)
		change_front(&c, &note, bytes[1]);
	else
		change_section(&c, &note, bytes[1], bytes[0] >> 1);
	arena_free(&a);
	return 0;
}
