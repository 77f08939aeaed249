/* export.c: a book as a file for readers. */
#include "base/utf8.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/level.h"
#include "kinds/hnpx/manuscript.h"
#include "kinds/hnpx/reading.h"
#include "kinds/hnpx/render.h"

/* --- Markdown ---------------------------------------------------------------------------------------------------- */

struct quotes quotes_for(struct text language)
{
	static const struct {
		const char *language;
		struct quotes quotes;
	} marks[] = {
		{"de", {"„", "“"}}, {"cs", {"„", "“"}}, {"pl", {"„", "”"}}, {"fr", {"« ", " »"}}, {"ru", {"«", "»"}},
		{"uk", {"«", "»"}}, {"es", {"«", "»"}}, {"it", {"«", "»"}}, {"pt", {"«", "»"}},   {"el", {"«", "»"}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(marks); i++)
		if (text_starts(language, marks[i].language) && (language.len == 2 || language.at[2] == '-'))
			return marks[i].quotes;
	return (struct quotes){"“", "”"};
}

/* Characters that would be markup are escaped; only where they could be: a hyphen inside a line is a hyphen. */
static void put_markdown(struct buffer *to, struct text t)
{
	bool at_start = true;

	for (size_t i = 0; i < t.len; i++) {
		char c = t.at[i];
		bool inside =
			c == '\\' || c == '*' || c == '_' || c == '`' || c == '[' || c == ']' || c == '<' || c == '&';
		bool starts =
			at_start && (c == '#' || c == '>' || c == '+' || c == '-' || c == '=' || c == '~' || c == '|');
		bool numbers = i && (c == '.' || c == ')') && t.at[i - 1] >= '0' && t.at[i - 1] <= '9' && i < 10;
		if (inside || starts || numbers)
			buffer_byte(to, '\\');
		buffer_byte(to, c);
		at_start = c == '\n' || (at_start && (c == ' ' || c == '\t'));
	}
}

/* Lines of one paragraph end in a backslash, Markdown's hard break; their indentation would be a code block. */
static void put_lines(struct buffer *to, struct text t)
{
	for (size_t from = 0; from <= t.len;) {
		size_t end = text_find(t, TEXT("\n"), from);
		end = end == SIZE_MAX ? t.len : end;
		struct text line = text_trim(text_slice(t, from, end));
		if (line.len) {
			buffer_put(to, from ? "\\\n" : "");
			put_markdown(to, line);
		}
		from = end + 1;
	}
}

static void put_paragraph(struct buffer *to, struct arena *a, const struct manuscript *m, uint32_t node)
{
	struct text prose = text_trim(node_shown_prose(a, m->book, node));
	int mode = node_mode(a, m->book, node);
	bool quoted = mode == MODE_DIALOGUE && !opens_speech(prose);
	struct quotes quotes = quotes_for(m->language);

	if (!prose.len)
		return;
	buffer_put(to, mode == MODE_INTERNAL ? "*" : "");
	buffer_put(to, quoted ? quotes.open : "");
	put_lines(to, prose);
	buffer_put(to, quoted ? quotes.close : "");
	buffer_put(to, mode == MODE_INTERNAL ? "*\n\n" : "\n\n");
}

struct text manuscript_markdown(struct arena *a, const struct manuscript *m)
{
	const struct book *b = m->book;
	struct buffer out = {.arena = a};
	bool scene_open = false; /* the chapter has words already: a new sequence needs a break */
	bool break_due = false;

	buffer_put(&out, "# ");
	put_markdown(&out, m->title);
	buffer_put(&out, "\n\n");
	if (m->author.at) {
		put_markdown(&out, m->author);
		buffer_put(&out, "\n\n");
	}
	for (uint32_t i = 1; i < b->n; i++) {
		if (b->nodes[i].level == LEVEL_CHAPTER) {
			buffer_put(&out, "## ");
			put_markdown(&out, text_trim(node_attribute(a, b, i, "title")));
			buffer_put(&out, "\n\n");
			scene_open = false;
		}
		if (b->nodes[i].level == LEVEL_SEQUENCE)
			break_due = scene_open;
		if (b->nodes[i].level != LEVEL_PARAGRAPH)
			continue;
		if (break_due)
			buffer_put(&out, "* * *\n\n");
		break_due = false;
		scene_open = true;
		put_paragraph(&out, a, m, i);
	}
	while (out.len > 1 && out.at[out.len - 1] == '\n' && out.at[out.len - 2] == '\n')
		out.len--;
	return buffer_text(&out);
}

/* --- the tool ---------------------------------------------------------------------------------------------------- */

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

static bool language_is_tag(struct text t)
{
	size_t part = 0;

	for (size_t i = 0; i < t.len; i++) {
		char c = t.at[i];
		bool letter = (c | 32) >= 'a' && (c | 32) <= 'z', digit = c >= '0' && c <= '9';
		if (c == '-' ? part == 0 : !letter && !digit)
			return false;
		part = c == '-' ? 0 : part + 1;
		if (part > 8)
			return false;
	}
	return t.len >= 2 && part > 0;
}

static bool format_of(struct call *c, const struct export_args *args, int *out)
{
	*out = args->format;
	if (*out < 0)
		*out = text_ends(args->output_path, ".epub") ? 1 : text_ends(args->output_path, ".md") ? 0 : -1;
	if (*out < 0)
		return book_refuse(
			c, details_hint(c, args->file_path, "give format, or a output_path that ends in .md or .epub"),
			"MISSING_ATTRIBUTE", "format is missing and %s does not tell it", shown(c, args->output_path));
	if (!language_is_tag(args->language))
		return book_refuse(c, details_of(c, args->file_path), "INVALID_ATTRIBUTE",
				   "language must be a tag as en or de-AT, not %s", shown(c, args->language));
	return writable_attribute(c, args->file_path, "title", args->title) &&
	       writable_attribute(c, args->file_path, "author", args->author);
}

static bool export_document(struct call *c, const void *in, void *out)
{
	const struct export_args *args = in;
	struct export_answer *answer = out;
	struct opened o;
	struct document *target;
	int format;

	if (!format_of(c, args, &format) || !book_read(c, args->file_path, &o))
		return false;
	struct want want = {.path = args->output_path, .want = args->overwrite ? DOCUMENT_EITHER : DOCUMENT_NEW};
	if (!documents_change(c, &want, 1, &target)) {
		if (c->error.fault == FAULT_EXISTS)
			return book_refuse(
				c, details_hint(c, args->output_path, "choose another output_path, or say overwrite"),
				"FILE_EXISTS", "File already exists at %s", shown(c, args->output_path));
		return book_refused(c, args->output_path, NULL);
	}
	if (text_same(document_place(target), document_place(o.document)))
		return book_refuse(c, details_hint(c, args->output_path, "choose another output_path"), "INVALID_PATH",
				   "An export cannot replace the book it is made from");
	struct manuscript m = {o.book, args->title.at ? args->title : name_of(args->file_path), args->author,
			       args->language};
	const char *name = format ? "epub" : "markdown";
	struct text bytes = format ? manuscript_epub(c->arena, &m) : manuscript_markdown(c->arena, &m);
	*answer = (struct export_answer){args->output_path,        text_of(name), m.title, (int64_t)bytes.len, 0,
					 o.book->nodes[0].children};
	for (uint32_t i = 0; i < o.book->n; i++)
		if (o.book->nodes[i].level == LEVEL_PARAGRAPH)
			answer->words += (int64_t)utf8_words(node_shown_prose(c->arena, o.book, i));
	struct change change = {.kind = CHANGE_WHOLE, .document = target, .bytes = bytes};
	return work_commit(c, &change, 1, "export_document: %s", name) || book_refused(c, args->output_path, NULL);
}

const struct tool hnpx_export_tools[] = {
	TOOL("export_document", "Export the book",
	     "Writes the book as a new file for readers: Markdown or EPUB 3, with titles, scene breaks and quotation "
	     "marks. The HNPX file "
	     "stays as it is.",
	     TOOL_WRITES | TOOL_IDEMPOTENT | TOOL_EXTRA, struct export_args, export_in, struct export_answer,
	     export_out, export_document,
	     .example = "{\"file_path\":\"novel.hnpx\",\"output_path\":\"novel.epub\",\"title\":\"The "
			"Shrine\",\"author\":\"A. Writer\"}"),
	TOOLS_END,
};
