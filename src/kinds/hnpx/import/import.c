/* import.c: makes a new book from a manuscript. */
#include "base/utf8.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/import/manuscript_book.h"

static const char *const forms[] = {"markdown", "text", NULL};

struct import_args {
	struct text file_path, source_path, text;
	int format;
};
struct import_answer {
	struct text id, file_path;
	int64_t chapters, sequences, beats, paragraphs;
};

static const struct field import_in[] = {
	FIELD(struct import_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "The new .hnpx file",
	      .more = RARE{.refusal = FILE_NOT_MADE}),
	FIELD(struct import_args, source_path, TEXT, FIELD_PATH, "The manuscript; or give text",
	      .more = RARE{.extensions = ".md .markdown .txt"}),
	FIELD(struct import_args, text, TEXT, 0, "The manuscript itself"),
	FIELD(struct import_args, format, CHOICE, 0, "Default: by the name of source_path, else markdown",
	      .choices = forms),
	FIELDS_END,
};
static const struct field import_out[] = {
	FIELD(struct import_answer, id, TEXT, FIELD_REQUIRED, "Id of the book"),
	FIELD(struct import_answer, file_path, TEXT, FIELD_REQUIRED, "The new file"),
	FIELD(struct import_answer, chapters, INT, FIELD_REQUIRED, "Chapters"),
	FIELD(struct import_answer, sequences, INT, FIELD_REQUIRED, "Sequences"),
	FIELD(struct import_answer, beats, INT, FIELD_REQUIRED, "Beats"),
	FIELD(struct import_answer, paragraphs, INT, FIELD_REQUIRED, "Paragraphs"),
	FIELDS_END,
};

/* The manuscript from the arguments or from a file. It must be text that XML can contain. */
static bool source_of(struct call *c, const struct import_args *args, struct text *out)
{
	struct document *source;

	if ((args->source_path.at != NULL) == (args->text.at != NULL))
		return book_refuse(c, details_of(c, args->file_path), "INVALID_ATTRIBUTE",
				   "Give exactly one of source_path and text");
	*out = args->text;
	if (args->source_path.at) {
		if (!document_open(c, args->source_path, &source))
			return book_refused(c, args->source_path, NULL);
		*out = document_bytes(source);
	}
	if (utf8_bad(*out) < out->len)
		return book_refuse(c, details_hint(c, args->file_path, "save the manuscript as UTF-8"),
				   "VALIDATION_FAILED", "The manuscript is not UTF-8 at byte %zu", utf8_bad(*out));
	return writable_words(c, args->file_path, "the manuscript", *out);
}

static bool import_document(struct call *c, const void *in, void *out)
{
	const struct import_args *args = in;
	struct import_answer *answer = out;
	struct document *d;
	struct text source;

	if (!source_of(c, args, &source))
		return false;
	if (!documents_change(c, &(struct want){.path = args->file_path, .want = DOCUMENT_NEW}, 1, &d))
		return file_not_made(c, args->file_path, "choose another path: an import makes a new file");
	bool is_markdown = args->format >= 0 ? args->format == 0
					     : !args->source_path.at || !text_ends_in(args->source_path, ".txt");
	struct manuscript_parts m = manuscript_read(c->arena, source, is_markdown);
	int64_t counts[LEVELS] = {0};
	for (size_t i = 0; i < m.list.n; i++)
		counts[m.list.items[i].level]++;
	struct text bytes = manuscript_book(c->arena, &m, &answer->id);
	answer->file_path = args->file_path;
	answer->chapters = counts[LEVEL_CHAPTER];
	answer->sequences = counts[LEVEL_SEQUENCE];
	answer->beats = counts[LEVEL_BEAT];
	answer->paragraphs = counts[LEVEL_PARAGRAPH];
	struct change change = {.kind = CHANGE_WHOLE, .document = d, .bytes = bytes};
	if (!work_commit(c, &change, 1, "import_document: %lld chapters", (long long)answer->chapters))
		return file_not_made(c, args->file_path, "choose another path: an import makes a new file");
	if (!c->dry_run)
		c->revision = document_revision(d);
	return true;
}

const struct tool hnpx_import_tools[] = {
	TOOL("import_document", "Import a manuscript",
	     "Makes a new book from Markdown or plain text: headings become chapters, sequences and beats, scene breaks "
	     "(***) sequences, blocks paragraphs. Summaries are first words: edit them.",
	     TOOL_WRITES | TOOL_EXTRA, struct import_args, import_in, struct import_answer, import_out, import_document,
	     .example = "{\"file_path\":\"novel.hnpx\",\"source_path\":\"novel.md\"}"),
	TOOLS_END,
};
