/* export.c: a book as a file for readers. */
#include "kinds/hnpx/export/manuscript.h"
#include "kinds/hnpx/hnpx.h"

/* A form is a row: its name, its file name extensions, its function. */
static const struct {
	const char *name, *end, *other_end;
	struct text (*make)(struct arena *, const struct manuscript *);
	bool has_cover;
} forms[] = {
	{"markdown", ".md", ".markdown", manuscript_markdown, false},
	{"epub", ".epub", NULL, manuscript_epub, true},
	{"docx", ".docx", NULL, manuscript_docx, true},
	{"html", ".html", ".htm", manuscript_html, true},
	{"text", ".txt", NULL, manuscript_text, false},
};
static const char *const format_names[] = {"markdown", "epub", "docx", "html", "text", NULL};
static const char *const number_names[] = {"none", "arabic", "words", NULL};
static const char *const unwritten_names[] = {"skip", "mark", NULL};

struct export_args {
	struct text file_path, output_path, title, author, language, cover;
	int format, chapter_numbers, unwritten;
	bool overwrite;
};
struct export_answer {
	struct text path, format, title;
	int64_t size, words, chapters;
};

static const struct field export_in[] = {
	FILE_PATH(struct export_args),
	FIELD(struct export_args, output_path, TEXT, FIELD_REQUIRED | FIELD_PATH, ".md, .txt, .html, .epub or .docx",
	      .more = RARE{.extensions = ""}), /* checked by format_of(), together with the format */
	FIELD(struct export_args, format, CHOICE, FIELD_UNLISTED, "Default: by the end of output_path",
	      .choices = format_names),
	FIELD(struct export_args, title, TEXT, FIELD_TERSE, "Default: the file name", .limits = AT_MOST(1000)),
	FIELD(struct export_args, author, TEXT, FIELD_TERSE, "Name of the author", .limits = AT_MOST(1000)),
	FIELD(struct export_args, language, TEXT, FIELD_TERSE, "Sets the quotation marks", .otherwise = "\"en\""),
	FIELD(struct export_args, chapter_numbers, CHOICE, FIELD_TERSE, "1, or Chapter One", .choices = number_names,
	      .otherwise = "\"none\""),
	FIELD(struct export_args, cover, TEXT, FIELD_PATH | FIELD_TERSE, "Cover picture: a .png or .jpg file",
	      .more = RARE{.extensions = ".png .jpg .jpeg"}),
	FIELD(struct export_args, unwritten, CHOICE, FIELD_UNLISTED,
	      "Unwritten parts: leave out, or mark with their summary", .choices = unwritten_names,
	      .otherwise = "\"skip\""),
	FIELD(struct export_args, overwrite, FLAG, FIELD_TERSE, "Replace an existing file", .otherwise = "false"),
	FIELDS_END,
};
static const struct field export_out[] = {
	FIELD(struct export_answer, path, TEXT, FIELD_REQUIRED, "File written"),
	FIELD(struct export_answer, format, TEXT, FIELD_REQUIRED, "Format written"),
	FIELD(struct export_answer, title, TEXT, FIELD_REQUIRED, "Title used"),
	FIELD(struct export_answer, size, INT, FIELD_REQUIRED, "Bytes written"),
	FIELD(struct export_answer, words, INT, FIELD_REQUIRED, "Words of prose"),
	FIELD(struct export_answer, chapters, INT, FIELD_REQUIRED, "Chapters written"),
	FIELDS_END,
};

/* The file's name without folder and extension. */
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

/* Checks the same pattern as the row: a language of two to eight letters, then parts of letters and digits. */
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

#define REFUSE(C, ARGS, CODE, HINT, ...) book_refuse(C, details_hint(C, (ARGS)->file_path, HINT), CODE, __VA_ARGS__)

/* The form with the file's extension; -1 if there is none. */
static int form_ending(struct text path)
{
	for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
		if (text_ends(path, forms[i].end) || (forms[i].other_end && text_ends(path, forms[i].other_end)))
			return (int)i;
	return -1;
}

static bool format_of(struct call *c, const struct export_args *args, int *out)
{
	static const char endings[] = "choose an output_path that ends in .md, .epub, .docx, .html or .txt";
	int ending = form_ending(args->output_path);

	*out = args->format < 0 ? ending : args->format;
	if (*out < 0)
		return REFUSE(c, args, "MISSING_ATTRIBUTE", endings, "format is missing and %s does not say it",
			      shown(c, args->output_path));
	if (ending != *out)
		return REFUSE(c, args, "INVALID_ATTRIBUTE", endings, "format and the ending of %s differ",
			      shown(c, args->output_path));
	if (!language_is_tag(args->language))
		return REFUSE(c, args, "INVALID_ATTRIBUTE", "en, de, fr-CA and zh-Hant are language tags",
			      "language must be a tag such as en or de-AT, not %s", shown(c, args->language));
	if (args->chapter_numbers == NUMBERS_WORDS && !text_is(text_slice(args->language, 0, 2), "en"))
		return REFUSE(c, args, "INVALID_ATTRIBUTE", "use chapter_numbers arabic",
			      "chapter_numbers words is for English books only, not for %s", shown(c, args->language));
	if (args->cover.at && !forms[*out].has_cover)
		return REFUSE(c, args, "INVALID_ATTRIBUTE", "leave cover out, or export epub, docx or html",
			      "%s has no cover", forms[*out].name);
	return writable_attribute(c, args->file_path, "title", args->title) &&
	       writable_attribute(c, args->file_path, "author", args->author);
}

static bool cover_of(struct call *c, const struct export_args *args, struct manuscript *m)
{
	struct document *picture;

	if (!args->cover.at)
		return true;
	if (!document_open(c, args->cover, &picture))
		return book_refused(c, args->cover, "cover is the path of a PNG or JPEG file below the root");
	m->cover = document_bytes(picture);
	m->picture = picture_of(m->cover);
	if (!m->picture.mime)
		return REFUSE(c, args, "INVALID_ATTRIBUTE", "convert the picture, or leave cover out",
			      "cover must be a PNG or JPEG picture, and %s is neither", shown(c, args->cover));
	return m->picture.width || REFUSE(c, args, "INVALID_ATTRIBUTE", "save the picture again, or leave cover out",
					  "The cover %s is damaged: it has no size", shown(c, args->cover));
}

static bool export_document(struct call *c, const void *in, void *out)
{
	const struct export_args *args = in;
	struct export_answer *answer = out;
	struct opened o;
	struct document *target;
	static const char if_exists[] = "choose another output_path, or set overwrite to true";
	int format;

	if (!format_of(c, args, &format) || !book_read(c, args->file_path, &o))
		return false;
	/* if_revision and the returned revision belong to the book, because nobody edits the target. */
	struct text revision = document_revision(o.document), wanted = c->if_revision;
	if (wanted.at && !text_same(wanted, revision))
		return book_refuse(c, details_hint(c, args->file_path, "read the book again and use its revision"),
				   "CONFLICT", "The book is at revision %s, not %s", text_string(c->arena, revision),
				   shown(c, wanted));
	struct manuscript m = {.book = o.book,
			       .title = text_is_blank(args->title) ? name_of(args->file_path) : text_trim(args->title),
			       .language = args->language,
			       .numbers = (enum chapter_numbers)args->chapter_numbers,
			       .marks_unwritten = args->unwritten == 1};
	if (!text_is_blank(args->author))
		m.author = text_trim(args->author);
	if (!cover_of(c, args, &m))
		return false;
	struct want want = {.path = args->output_path, .want = args->overwrite ? DOCUMENT_EITHER : DOCUMENT_NEW};
	c->if_revision = (struct text){0};
	if (!documents_change(c, &want, 1, &target))
		return file_not_made(c, args->output_path, if_exists);
	if (text_same(document_place(target), document_place(o.document)))
		return book_refuse(c, details_hint(c, args->output_path, "choose another output_path"), "INVALID_PATH",
				   "An export cannot replace the book it is made from");
	struct text bytes = forms[format].make(c->arena, &m);
	*answer = (struct export_answer){args->output_path,  text_of(forms[format].name),       m.title,
					 (int64_t)bytes.len, (int64_t)manuscript_words(o.book), 0};
	for (uint32_t i = 1; i < o.book->n; i = o.book->nodes[i].after)
		answer->chapters += manuscript_has(&m, i);
	struct change change = {
		.kind = CHANGE_WHOLE, .document = target, .bytes = bytes, .is_export = true, .source = o.document};
	if (!work_commit(c, &change, 1, "export_document: %s", forms[format].name))
		return file_not_made(c, args->output_path, if_exists);
	c->revision = revision;
	return true;
}

const struct tool hnpx_export_tools[] = {
	TOOL("export_document", "Export the book",
	     "Writes the book as a file for readers: Markdown, text, HTML, EPUB 3 or DOCX (manuscript format).",
	     TOOL_WRITES | TOOL_DELETES | TOOL_IDEMPOTENT, struct export_args, export_in, struct export_answer,
	     export_out, export_document,
	     .example = "{\"file_path\":\"novel.hnpx\",\"output_path\":\"novel.epub\",\"title\":\"The "
			"Shrine\",\"author\":\"A. Writer\"}"),
	TOOLS_END,
};
