/* export.c: a book as a file for readers. */
#include "base/utf8.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/level.h"
#include "kinds/hnpx/manuscript.h"
#include "kinds/hnpx/reading.h"

static const char *const formats[] = {"markdown", "epub", NULL};

struct export_args {
	struct text file_path, output_path, title, author, language;
	int format;
	bool overwrite;
};
struct export_answer {
	struct text path, format, title;
	int64_t size, words, chapters;
};

static const struct field export_in[] = {
	FILE_PATH(struct export_args),
	FIELD(struct export_args, output_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "Path of the file to write"),
	FIELD(struct export_args, format, CHOICE, 0, "Default: by the end of output_path, .epub or .md",
	      .choices = formats),
	FIELD(struct export_args, title, TEXT, 0, "Title of the book; default: the file's name"),
	FIELD(struct export_args, author, TEXT, 0, "Name of the author"),
	FIELD(struct export_args, language, TEXT, 0, "Language tag, as in en or de-AT; decides the quotation marks",
	      .otherwise = "\"en\"", .schema = "\"pattern\":\"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$\""),
	FIELD(struct export_args, overwrite, FLAG, 0, "Replace the target if it is there", .otherwise = "false"),
	FIELDS_END,
};
static const struct field export_out[] = {
	FIELD(struct export_answer, path, TEXT, FIELD_REQUIRED, "The file that was written"),
	FIELD(struct export_answer, format, TEXT, FIELD_REQUIRED, "markdown or epub"),
	FIELD(struct export_answer, title, TEXT, FIELD_REQUIRED, "The title it got"),
	FIELD(struct export_answer, size, INT, FIELD_REQUIRED, "Its bytes"),
	FIELD(struct export_answer, words, INT, FIELD_REQUIRED, "Words of prose"),
	FIELD(struct export_answer, chapters, INT, FIELD_REQUIRED, "Chapters"),
	FIELDS_END,
};

/* The file's name without folder and ending. */
static struct text name_of(struct text path)
{
	size_t from = path.len, to = path.len;

	while (from && path.at[from - 1] != '/')
		from--;
	for (size_t i = path.len; i > from + 1; i--)
		if (path.at[i - 1] == '.') {
			to = i - 1;
			break;
		}
	return text_slice(path, from, to);
}

/* As the pattern of the row says: a language of two to eight letters, then parts of letters and digits. */
static bool language_is_tag(struct text t)
{
	size_t part = 0, parts = 0;

	for (size_t i = 0; i <= t.len; i++) {
		char c = i < t.len ? t.at[i] : '-';
		bool letter = (c | 32) >= 'a' && (c | 32) <= 'z', digit = c >= '0' && c <= '9';
		if (c == '-') {
			if (part < (parts ? 1 : 2))
				return false;
			part = 0;
			parts++;
		} else if ((!letter && !(digit && parts)) || ++part > 8) {
			return false;
		}
	}
	return true;
}

static bool format_of(struct call *c, const struct export_args *args, int *out)
{
	*out = args->format;
	if (*out < 0)
		*out = text_ends(args->output_path, ".epub") ? 1 : text_ends(args->output_path, ".md") ? 0 : -1;
	if (*out < 0)
		return book_refuse(
			c, details_hint(c, args->file_path, "give format, or an output_path that ends in .md or .epub"),
			"MISSING_ATTRIBUTE", "format is missing and %s does not tell it", shown(c, args->output_path));
	if (!language_is_tag(args->language))
		return book_refuse(c, details_hint(c, args->file_path, "en, de, fr-CA and zh-Hant are language tags"),
				   "INVALID_ATTRIBUTE", "language must be a tag as en or de-AT, not %s",
				   shown(c, args->language));
	return writable_attribute(c, args->file_path, "title", args->title) &&
	       writable_attribute(c, args->file_path, "author", args->author);
}

static bool export_document(struct call *c, const void *in, void *out)
{
	const struct export_args *args = in;
	struct export_answer *answer = out;
	struct opened o;
	struct document *target;
	static const char if_exists[] = "choose another output_path, or say overwrite";
	int format;

	if (!format_of(c, args, &format) || !book_read(c, args->file_path, &o))
		return false;
	struct want want = {.path = args->output_path, .want = args->overwrite ? DOCUMENT_EITHER : DOCUMENT_NEW};
	if (!documents_change(c, &want, 1, &target))
		return file_not_made(c, args->output_path, if_exists);
	if (text_same(document_place(target), document_place(o.document)))
		return book_refuse(c, details_hint(c, args->output_path, "choose another output_path"), "INVALID_PATH",
				   "An export cannot replace the book it is made from");
	struct manuscript m = {o.book,
			       text_is_blank(args->title) ? name_of(args->file_path) : text_trim(args->title),
			       {0},
			       args->language};
	if (!text_is_blank(args->author))
		m.author = text_trim(args->author);
	const char *name = format ? "epub" : "markdown";
	struct text bytes = format ? manuscript_epub(c->arena, &m) : manuscript_markdown(c->arena, &m);
	*answer = (struct export_answer){args->output_path,        text_of(name), m.title, (int64_t)bytes.len, 0,
					 o.book->nodes[0].children};
	for (uint32_t i = 0; i < o.book->n; i++)
		if (o.book->nodes[i].level == LEVEL_PARAGRAPH)
			answer->words += (int64_t)utf8_words(node_shown_prose(c->arena, o.book, i));
	struct change change = {.kind = CHANGE_WHOLE, .document = target, .bytes = bytes};
	return work_commit(c, &change, 1, "export_document: %s", name) ||
	       file_not_made(c, args->output_path, if_exists);
}

const struct tool hnpx_export_tools[] = {
	TOOL("export_document", "Export the book",
	     "Writes the book as a new file for readers: Markdown or EPUB 3, with titles, scene breaks and quotation "
	     "marks. The HNPX file "
	     "stays as it is.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_IDEMPOTENT | TOOL_EXTRA, struct export_args, export_in,
	     struct export_answer, export_out, export_document,
	     .example = "{\"file_path\":\"novel.hnpx\",\"output_path\":\"novel.epub\",\"title\":\"The "
			"Shrine\",\"author\":\"A. Writer\"}"),
	TOOLS_END,
};
