/* Builds paragraphs of every structure from the input, and edits a part of their text. Either the edit is refused
 * because of the format, or it succeeds. Then the paragraph's text is exactly the requested text, everything without
 * width is still there (surgeon_operate() checks both and would fail with EDIT_ERROR), the bytes are well-formed, and
 * no run is empty. If the change is tracked, accepting it gives the new text, and rejecting it the old one. */
#include "must.h"
#include "base/utf8.h"
#include "kinds/docx/surgeon/definition.h"
#include "kinds/docx/surgeon/paragraph.h"
#include "kinds/docx/surgeon/surgeon.h"
#include "kinds/docx/track/redline.h"
#include "kinds/docx/track/settle.h"

#include <string.h>

struct input {
	const uint8_t *at;
	size_t n;
};

static unsigned take(struct input *in)
{
	if (!in->n)
		return 0;
	in->n--;
	return *in->at++;
}

static const char *const words[] = {
	"the ",      "Term",  " means ", "30", " days", "\xE2\x80\x9C", "\xE2\x80\x9D",
	"e\xCC\x81", "[___]", "a",       " ",  ".",     "&amp;",        "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9",
	"x",         "party"};
static const char *const looks[] = {"", "<w:rPr><w:b/></w:rPr>", "<w:rPr><w:i/><w:u w:val=\"single\"/></w:rPr>",
				    "<w:rPr><w:highlight w:val=\"yellow\"/></w:rPr>", "<w:rPr><w:vanish/></w:rPr>"};
static const char *const contents[] = {"<w:tab/>",
				       "<w:br/>",
				       "<w:noBreakHyphen/>",
				       "<w:softHyphen/>",
				       "<w:br w:type=\"page\"/>",
				       "<w:footnoteReference w:id=\"2\"/>",
				       "<w:lastRenderedPageBreak/>",
				       "<w:sym w:font=\"Wingdings\" w:char=\"F0A8\"/>",
				       "<w:drawing/>",
				       "<w:t/>"};
static const char *const between[] = {"<w:bookmarkStart w:id=\"1\" w:name=\"b\"/>",
				      "<w:bookmarkEnd w:id=\"1\"/>",
				      "<w:proofErr w:type=\"spellStart\"/>",
				      "\n  ",
				      "<!-- c -->",
				      "<w:del><w:r><w:delText>no</w:delText></w:r></w:del>",
				      "<w:commentRangeStart w:id=\"1\"/>"};
static const char *const opens[] = {"<w:hyperlink>",
				    "<w:ins>",
				    "<w:smartTag>",
				    "<w:sdt><w:sdtContent>",
				    "<w:sdt><w:sdtPr><w:lock w:val=\"contentLocked\"/></w:sdtPr><w:sdtContent>",
				    "<w:fldSimple w:instr=\"DATE\">"};
static const char *const closes[] = {"</w:hyperlink>",          "</w:ins>",
				     "</w:smartTag>",           "</w:sdtContent></w:sdt>",
				     "</w:sdtContent></w:sdt>", "</w:fldSimple>"};
static const char *const marks[] = {"begin", "separate", "end"};

#define PICK(list, n) ((list)[(n) % ARRAY_COUNT(list)])

static void build_run(struct buffer *b, struct input *in)
{
	buffer_put(b, "<w:r>");
	buffer_put(b, PICK(looks, take(in)));
	for (unsigned n = take(in) % 4; n-- > 0;) {
		unsigned what = take(in);
		if (what % 4 == 0) {
			buffer_put(b, PICK(contents, what / 4));
			continue;
		}
		buffer_put(b, what % 4 == 1 ? "<w:t>" : "<w:t xml:space=\"preserve\">");
		for (unsigned k = 1 + what / 4 % 4; k-- > 0;)
			buffer_put(b, PICK(words, take(in)));
		buffer_put(b, "</w:t>");
	}
	buffer_put(b, "</w:r>");
}

static struct text build(struct arena *a, struct input *in)
{
	struct buffer b = {.arena = a};
	unsigned open[8], depth = 0;

	buffer_put(&b, "<w:p>");
	for (unsigned n = 1 + take(in) % 24; n-- > 0;) {
		unsigned what = take(in);
		switch (what % 8) {
		case 0: buffer_put(&b, PICK(between, what / 8)); break;
		case 1:
			if (depth < 8) {
				open[depth] = what / 8 % ARRAY_COUNT(opens);
				buffer_put(&b, opens[open[depth++]]);
			}
			break;
		case 2:
			if (depth)
				buffer_put(&b, closes[open[--depth]]);
			break;
		case 3:
			buffer_format(&b, "<w:r><w:fldChar w:fldCharType=\"%s\"/></w:r>", PICK(marks, what / 8));
			if (what / 8 % 3 == 0)
				buffer_put(&b, "<w:r><w:instrText> REF x </w:instrText></w:r>");
			break;
		default: build_run(&b, in); break;
		}
	}
	while (depth)
		buffer_put(&b, closes[open[--depth]]);
	buffer_put(&b, "</w:p>");
	return buffer_text(&b);
}

static struct text new_text(struct arena *a, struct input *in)
{
	static const char *const pieces[] = {"<b>bold</b>",
					     "\t",
					     "\n",
					     "new ",
					     "<definition>New</definition> means ",
					     "<i>i",
					     "</i>",
					     "\"Q\" means ",
					     "<",
					     "&",
					     "e\xCC\x81",
					     "<font size=\"9\">f</font>"};
	struct buffer b = {.arena = a};

	for (unsigned n = take(in) % 12; n-- > 0;) {
		unsigned what = take(in);
		buffer_put(&b, what % 3 ? PICK(words, what / 3) : PICK(pieces, what / 3));
	}
	return buffer_text(&b);
}

static unsigned empty_runs(const struct atoms *p)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < p->runs_n; i++)
		n += p->runs[i].n == 0;
	return n;
}

static struct text settled_text(struct arena *a, const struct atoms *p, struct text fragment, enum settlement how)
{
	struct revision_counts counts;
	struct atoms now;
	struct text out;

	MUST(settle(a, fragment, p->fragment.names, how, &out, &counts));
	MUST(atoms_read(a, out, p->fragment.names, p->fields_before, NULL, &now));
	return now.text;
}

static void track(struct arena *a, const struct atoms *p, struct text after)
{
	struct stamp stamp = {.author = TEXT("quire"), .date = TEXT("2026-01-02T03:04:05Z"), .next_id = 100};
	struct text before = p->fragment.xml.bytes, line;
	struct error err = {0};
	static const struct xml_limits limits = {.depth = 400, .attributes = 50, .nodes = 50000};

	MUST(redline_paragraph(a, before, after, p->fragment.names, MARK_PLAIN, (struct text){0}, &stamp, &line));
	MUST(xml_parse(a, line, &limits, &err));
	bool is_right = text_same(settled_text(a, p, line, SETTLE_ACCEPT), settled_text(a, p, after, SETTLE_ACCEPT)) &&
			text_same(settled_text(a, p, line, SETTLE_REJECT), settled_text(a, p, before, SETTLE_REJECT));
	if (!is_right)
		fprintf(stderr, "%.*s\n%.*s\n%.*s\n", TEXT_ARGS(before), TEXT_ARGS(after), TEXT_ARGS(line));
	MUST(is_right);
}

static void edit(struct arena *a, const struct atoms *p, struct input *in)
{
	struct call c = {.arena = a};
	struct surgery s = {.p = p};
	struct error err = {0};
	struct text out = {0};
	struct atoms now;
	static const struct xml_limits limits = {.depth = 400, .attributes = 50, .nodes = 50000};

	s.at.from = p->len ? take(in) % (p->len + 1) : 0;
	s.at.to = s.at.from + (p->len > s.at.from ? take(in) % (p->len - s.at.from + 1) : 0);
	s.allow_field_result = take(in) % 2;
	if (!markup_read(&c, new_text(a, in), &s.new))
		return;
	definition_quote(a, &s.new, NULL, p->text);
	surgeon_compare(a, &s);
	if (!p->len ? !surgeon_fill(&c, p, &s.new, &out) : !surgeon_operate(&c, &s, &out)) {
		if (!strcmp(c.error.code, "EDIT_ERROR"))
			fprintf(stderr, "%.*s\n%u to %u: %.*s\n%.*s\n", TEXT_ARGS(p->fragment.xml.bytes), s.at.from,
				s.at.to, TEXT_ARGS(s.new.text), TEXT_ARGS(out));
		MUST(strcmp(c.error.code, "EDIT_ERROR") != 0);
		return;
	}
	MUST(xml_parse(a, out, &limits, &err));
	MUST(atoms_read(a, out, p->fragment.names, p->fields_before, NULL, &now));
	MUST(empty_runs(&now) <= empty_runs(p));
	track(a, p, out);
	/* There is nothing to do, so no byte changes. */
	if (!s.hunks.n && s.new.n <= 1 && (!s.new.n || look_is_plain(&s.new.segments[0].look)) && p->len)
		MUST(text_same(out, p->fragment.xml.bytes));
	struct text fresh = paragraph_new(a, p, take(in) % 9, &s.new, TEXT("1234ABCD"));
	MUST(xml_parse(a, fresh, &limits, &err));
	MUST(atoms_read(a, fresh, p->fragment.names, (struct field_state){0}, NULL, &now));
	MUST(text_same(now.text, s.new.text) || now.hidden.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct input in = {bytes, n};
	struct atoms p;
	const struct names *names = names_read(
		&a, NULL,
		TEXT("<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">"));
	struct field_state before = {take(&in) % 4 == 3, take(&in) % 2};

	before.in_result &= before.depth;
	MUST(atoms_read(&a, build(&a, &in), names, before, NULL, &p));
	edit(&a, &p, &in);
	arena_free(&a);
	return 0;
}
