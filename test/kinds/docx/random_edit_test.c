/* Thousands of edits, insertions, deletions and undos on every available document. After each one the invariants are
 * checked, and reading the result again gives the same paragraphs. The documents are those of data_folder() and one made
 * here. */
#include "support/check.h"

#include "kinds/docx/docx_file.h"
#include "kinds/docx/edit/change.h"
#include "kinds/docx/surgeon/runes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct zip_limits limits = {
	.entries = 5000, .entry = 64 << 20, .total = 128 << 20, .ratio = 300, .ratio_from = 1 << 20};
static const struct xml_limits tree_limits = {.depth = 1000, .attributes = 1000, .nodes = 20000000};

struct bench {
	struct arena arena; /* the document's */
	struct arena scratch;
	struct call call;
	struct journal journal;
	struct package *package;
	struct styles *styles;
	struct story *story;
	uint64_t seed;
	unsigned edits, refused, inserts, deletes, undos;
	const char *name;
};

static uint32_t chance(struct bench *b, uint32_t below)
{
	b->seed = b->seed * 6364136223846793005u + 1442695040888963407u;
	return below ? (uint32_t)(b->seed >> 33) % below : 0;
}

static bool open_bytes(struct bench *b, struct text bytes)
{
	b->call = (struct call){.arena = &b->arena};
	if (!package_open(&b->call, &b->arena, bytes, &limits, &b->package))
		return false;
	b->styles = styles_read(&b->call, b->package);
	b->journal = (struct journal){.arena = &b->arena, .package = b->package};
	b->story = b->styles ? story_read(&b->call, &b->arena, b->package->main, STORY_BODY, b->styles, &b->journal)
			     : NULL;
	b->call.arena = &b->scratch;
	return b->story != NULL;
}

struct counts {
	unsigned bookmark_starts, bookmark_ends, field_marks, empty_runs, cells_without_end;
	bool ends_in_section;
};

static struct counts count(struct bench *b, struct text part)
{
	struct error err = {0};
	struct counts n = {0};
	struct fragment f;
	struct xml *x = xml_parse(&b->scratch, part, &tree_limits, &err);

	if (!x)
		fail_msg("%s: %s at %u:%u", b->name, err.message, err.line, err.column);
	struct text root = text_slice(part, x->nodes[x->root].from, x->nodes[x->root].to);
	const struct names *names =
		names_read(&b->scratch, NULL, text_slice(part, x->nodes[x->root].from, x->nodes[x->root].inner));
	assert_true(fragment_parse(&b->scratch, root, names, &f));
	for (uint32_t i = 0; i < f.xml.n; i++) {
		n.bookmark_starts += f.tags[i] == TAG_BOOKMARK_START;
		n.bookmark_ends += f.tags[i] == TAG_BOOKMARK_END;
		n.field_marks += f.tags[i] == TAG_FLD_CHAR;
		bool has_child = false;
		uint8_t last = 0;
		for (uint32_t k = i + 1;
		     (f.tags[i] == TAG_R || f.tags[i] == TAG_TC || f.tags[i] == TAG_BODY) && k < f.xml.nodes[i].after;
		     k = f.xml.nodes[k].after) {
			has_child |= f.tags[k] != TAG_NOT_ELEMENT && f.tags[k] != TAG_RPR;
			last = f.tags[k] != TAG_NOT_ELEMENT && f.tags[k] != TAG_BOOKMARK_END &&
					       f.tags[k] != TAG_BOOKMARK_START
				       ? f.tags[k]
				       : last;
		}
		n.empty_runs += f.tags[i] == TAG_R && !has_child;
		n.cells_without_end += f.tags[i] == TAG_TC && last != TAG_P;
		if (f.tags[i] == TAG_BODY)
			n.ends_in_section = last == TAG_SECT_PR;
	}
	return n;
}

/* Splices change only the spans of changed paragraphs and the places next to them. */
static struct text saved(struct bench *b)
{
	size_t n, next = 0;
	struct splice *edits = story_splices(&b->scratch, b->story, &n);
	uint32_t *ends = arena_array(&b->scratch, b->story->original + 1, sizeof *ends);

	for (uint32_t p = 0; p < b->story->original; p++)
		ends[p] = b->story->paragraphs.items[p].to;
	edits = splice_sorted(&b->scratch, edits, n, b->story->part->bytes.len);
	for (size_t i = 0; i < n; i++) {
		if (edits[i].from == edits[i].to)
			continue;
		while (next < b->story->original && b->story->paragraphs.items[next].from < edits[i].from)
			next++;
		assert_true(next < b->story->original && b->story->paragraphs.items[next].from == edits[i].from);
		assert_true(ends[next] == edits[i].to && story_is_dirty(b->story, (uint32_t)next));
	}
	return splice_apply(&b->scratch, b->story->part->bytes, edits, n);
}

static void check(struct bench *b, const struct counts *was)
{
	struct text part = saved(b);
	struct counts now = count(b, part);

	assert_int_equal(now.bookmark_starts, was->bookmark_starts);
	assert_int_equal(now.bookmark_ends, was->bookmark_ends);
	assert_int_equal(now.ends_in_section, was->ends_in_section);
	assert_true(now.empty_runs <= was->empty_runs);
	assert_true(now.cells_without_end <= was->cells_without_end);
	/* Reading the written bytes gives the same paragraphs. */
	struct part copy = *b->story->part;
	struct journal journal = {.arena = &b->scratch, .package = b->package};
	copy.bytes = part;
	struct story *again = story_read(&b->call, &b->scratch, &copy, STORY_BODY, b->styles, &journal);
	if (!again)
		fail_msg("%s: %s", b->name, b->call.error.message);
	uint32_t q = story_next(again, STORY_NONE);
	for (uint32_t p = story_next(b->story, STORY_NONE); p != STORY_NONE; p = story_next(b->story, p)) {
		assert_int_not_equal(q, STORY_NONE);
		struct text have = story_text(&b->call, again, q), want = story_text(&b->call, b->story, p);
		if (!text_same(have, want))
			fail_msg("%s: \"%.*s\" reads back as \"%.*s\"", b->name, TEXT_ARGS(want), TEXT_ARGS(have));
		q = story_next(again, q);
	}
	assert_int_equal(q, STORY_NONE);
	assert_int_equal(again->shown, b->story->shown);
}

static uint32_t some_paragraph(struct bench *b)
{
	for (int i = 0; i < 50; i++) {
		uint32_t p = chance(b, (uint32_t)b->story->paragraphs.n);
		if (story_is_there(b->story, p))
			return p;
	}
	return story_next(b->story, STORY_NONE);
}

static struct text some_text(struct bench *b)
{
	static const char *const words[] = {"notice ",
					    "shall ",
					    "forty-five (45) days ",
					    "<b>bold</b> ",
					    "\"New Term\" means ",
					    "<definition>Other</definition> means ",
					    "the Company",
					    ", ",
					    "\t",
					    "\n",
					    "<i>in italics</i> ",
					    "\xE2\x80\x9Cquoted\xE2\x80\x9D ",
					    "& < > ",
					    "e\xCC\x81 ",
					    "1.2"};
	struct buffer to = {.arena = &b->scratch};

	for (uint32_t n = chance(b, 6); n-- > 0;)
		buffer_put(&to, words[chance(b, ARRAY_COUNT(words))]);
	return buffer_text(&to);
}

static void some_edit(struct bench *b)
{
	uint32_t p = some_paragraph(b);
	struct runes text = runes_of(&b->scratch, story_text(&b->call, b->story, p));
	uint32_t from = chance(b, text.n), to = from + 1 + chance(b, 60);
	struct changed done;
	struct change_text how = {.replace_all = chance(b, 8) == 0, .allow_field_result = chance(b, 4) == 0};

	to = to > text.n ? text.n : to;
	how.old_string = runes_slice(&text, from, to);
	/* Half of the time words in the middle are kept, as agents do. */
	struct text middle = runes_slice(&text, from, from + (to - from) / 2);
	how.new_string = chance(b, 2) ? text_format(&b->scratch, "%.*s%.*s", TEXT_ARGS(middle), TEXT_ARGS(some_text(b)))
				      : some_text(b);
	how.occurrence = how.replace_all ? 0 : 1;
	struct text was = story_fragment(b->story, p);
	if (change_text(&b->call, b->story, p, &how, &done)) {
		b->edits++;
		if (!story_is_there(b->story, p)) {
			b->deletes++;
			return;
		}
		struct error err = {0};
		if (!xml_parse(&b->scratch, story_fragment(b->story, p), &tree_limits, &err))
			fail_msg("%s: %s", b->name, err.message);
	} else {
		b->refused++;
		if (b->call.error.code && !strcmp(b->call.error.code, "EDIT_ERROR"))
			fail_msg("%s: \"%.*s\" -> \"%.*s\" in %.*s", b->name, TEXT_ARGS(how.old_string),
				 TEXT_ARGS(how.new_string), TEXT_ARGS(was));
		assert_true(text_same(was, story_fragment(b->story, p)));
	}
}

static struct text minted(struct call *c, void *of) { return text_format(c->arena, "%08X", ++*(unsigned *)of); }

static void some_step(struct bench *b, size_t *marks, size_t *n)
{
	static unsigned ids = 0x70000000;
	uint32_t what = chance(b, 20);

	b->call = (struct call){.arena = &b->scratch};
	if (what == 0 && *n) {
		*n = chance(b, (uint32_t)*n);
		journal_back(&b->journal, marks[*n]);
		b->undos++;
		return;
	}
	marks[(*n)++] = b->journal.notes.n;
	if (what < 4) {
		struct inserted done;
		struct text new = text_format(&b->scratch, "%.*sNew clause.%s", TEXT_ARGS(some_text(b)),
					      chance(b, 3) ? "" : "\n\nAnother.");
		b->inserts += change_insert(&b->call, b->story, some_paragraph(b), chance(b, 2), some_paragraph(b), new,
					    &(struct minting){minted, &ids}, &done);
	} else if (what == 4) {
		b->deletes += change_delete(&b->call, b->story, some_paragraph(b));
	} else {
		some_edit(b);
	}
}

enum { STEPS = 400, CHECK_EVERY = 40 };

static void work_on(struct bench *b)
{
	size_t marks[STEPS + 1], n = 0;
	struct counts was = count(b, b->story->part->bytes);
	uint32_t shown_before = b->story->shown;

	for (int i = 0; i < STEPS && story_next(b->story, STORY_NONE) != STORY_NONE; i++) {
		some_step(b, marks, &n);
		if (i % CHECK_EVERY == CHECK_EVERY - 1)
			check(b, &was);
		arena_free(&b->scratch);
		b->scratch = (struct arena){0};
	}
	journal_back(&b->journal, 0);
	size_t left;
	story_splices(&b->scratch, b->story, &left);
	assert_int_equal(left, 0);
	assert_int_equal(b->story->shown, shown_before);
}

static struct text file_bytes(struct arena *a, const char *path)
{
	FILE *f = fopen(path, "rb");
	struct buffer to = {.arena = a};

	if (!f)
		return (struct text){0};
	for (size_t got = 1; got > 0;) {
		got = fread(buffer_room(&to, 1 << 16), 1, 1 << 16, f);
		to.len += got;
	}
	fclose(f);
	return buffer_text(&to);
}

static void run(struct bench *b, struct text bytes, const char *name)
{
	b->name = name;
	if (open_bytes(b, bytes))
		work_on(b);
	arena_free(&b->scratch);
	arena_free(&b->arena);
	b->scratch = b->arena = (struct arena){0};
}

#define T(x) "<w:r><w:t>" x "</w:t></w:r>"
#define B(x) "<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">" x "</w:t></w:r>"
#define F(code, x)                                                                                                     \
	"<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>" code "</w:instrText></w:r>"                \
	"<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>" T(x) "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"

static void our_own_document_stays_whole(void **state)
{
	struct bench b = {.seed = 1};
	struct arena a = {0};

	(void)state;
	for (int i = 0; i < 12; i++) {
		b.seed = (uint64_t)i * 77 + 5;
		run(
			&b,
			docx_file(
				&a,
				"<w:p>" B("Notices.")
					T(
						" All notices under Section ") F("REF a",
										 "4.2") T(" are in writing.") "</w:p>"
													      "<w:p><w:bookmarkStart w:id=\"1\" w:name=\"a\"/>" B("\xE2\x80\x9C"
																				  "Affiliate\xE2\x80\x9D") T(" means any person "
																							     "that controls another.") "<w:bookmarkEnd w:id=\"1\"/></w:p>"
																										       "<w:p>" T(
																											       "See ") "<w:hyperlink r:id=\"x\">" T("our site") "</w:hyperlink>" T(" and ") "<w:ins w:id=\"5\">" T("what was added") "</w:ins><w:del w:id=\"6\"><w:r><w:delText>gone</w:delText></w:r></w:del>" T(" here.") "</w:p>"
																																																					    "<w:p><w:sdt><w:sdtContent>" T("A form field") "</w:sdtContent></w:sdt>" T(" with a note") "<w:r><w:footnoteReference w:id=\"2\"/></w:r>" T(
																																																						    " behind it.") "</w:p>"
																																																								   "<w:tbl><w:tr><w:tc><w:p>" T("Name") "</w:p></w:tc><w:tc><w:p/></w:tc></w:tr><w:tr><w:tc><w:tbl><w:tr><w:tc><w:p>" T(
																																																									   "inner") "</w:p></w:tc></w:tr></w:tbl><w:p>" T("outer") "</w:p></w:tc><w:tc><w:p>" T("x") "</w:p><w:p>" T("y") "</w:p></w:tc></w:tr></w:tbl>"
																																																																							  "<w:p><w:pPr><w:sectPr/></w:pPr>" T(
																																																																								  "End of the section.") "</w:p><w:p>" T("one")
																																																																								  B("two")
																																																																									  T("three") "</w:p>",
				NULL, NULL),
			"our own");
	}
	arena_free(&a);
	assert_true(b.edits > 1000 && b.inserts > 100 && b.undos > 50);
}

static void every_real_document_stays_whole(void **state)
{
	struct bench b = {.seed = 42};
	struct arena a = {0};
	struct text folder = text_format(&a, "%s/docx", data_folder());
	DIR *d = opendir(folder.at);
	struct dirent *e;
	unsigned files = 0;

	(void)state;
	while (d && (e = readdir(d))) {
		if (!text_ends(text_of(e->d_name), ".docx"))
			continue;
		const char *name = text_string(&a, text_of(e->d_name));
		run(&b, file_bytes(&a, text_format(&a, "%s/%s", folder.at, name).at), name);
		files++;
	}
	if (d)
		closedir(d);
	arena_free(&a);
	assert_true(files > 3);
	printf("# %u files: %u edits, %u refused, %u inserts, %u deletes, %u undos\n", files, b.edits, b.refused,
	       b.inserts, b.deletes, b.undos);
	assert_true(b.edits > 100 * files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_document_stays_whole),
		cmocka_unit_test(every_real_document_stays_whole),
	};
	return RUN_TESTS(tests);
}
