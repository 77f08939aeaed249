/* import.c: a new book out of a manuscript. */
#include "base/digest.h"
#include "base/map.h"
#include "base/utf8.h"
#include "format/xml.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/import/manuscript_read.h"

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
	FIELD(struct import_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "The new .hnpx file"),
	FIELD(struct import_args, source_path, TEXT, FIELD_PATH, "The manuscript; or give text",
	      .extensions = ".md .markdown .txt"),
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

static struct text id_for(struct arena *a, struct map *taken)
{
	for (;;) {
		struct text id = id_text(a, random_below(36u * 36 * 36 * 36 * 36 * 36));
		bool was;
		map_at(taken, id, 0, &was);
		if (!was)
			return id;
	}
}

enum { SUMMARY_WORDS = 12 };

/* A paragraph's first words; a container's heading, or the first words in it. */
static struct text summary_of(struct arena *a, const struct manuscript_parts *m, size_t at)
{
	const struct part *p = &m->list.items[at];
	struct text t = p->level == LEVEL_CHAPTER || p->level == LEVEL_SEQUENCE ? (struct text){0} : p->words;

	/* A heading stands nowhere else, so it is never cut. */
	if (p->level != LEVEL_PARAGRAPH && !text_is_blank(t))
		return t;
	for (size_t i = at + 1; !t.at && i < m->list.n && m->list.items[i].level > p->level; i++)
		if (m->list.items[i].level == LEVEL_PARAGRAPH)
			t = m->list.items[i].words;
	if (text_is_blank(t))
		return TEXT("To be written");
	size_t end = utf8_word_at(t, SUMMARY_WORDS);
	struct text words = text_trim(text_slice(t, 0, end));
	return end < t.len ? text_format(a, "%.*s…", TEXT_ARGS(words)) : words;
}

static void attribute(struct buffer *to, const char *name, struct text value, struct text otherwise)
{
	buffer_format(to, " %s=\"", name);
	xml_escape(to, text_is_blank(value) ? otherwise : value, true);
	buffer_byte(to, '"');
}

static void indent(struct buffer *to, int level) { buffer_fill(to, ' ', 2 * (size_t)level); }

static void close_down_to(struct buffer *to, int last, int level)
{
	for (; last >= level; last--) {
		indent(to, last);
		buffer_format(to, "</%s>\n", level_names[last]);
	}
}

static void write_front(struct buffer *to, struct text front)
{
	if (!front.len)
		return;
	buffer_put(to, "<!-- ");
	for (size_t i = 0; i < front.len; i++) {
		buffer_byte(to, front.at[i]);
		if (front.at[i] == '-' && i + 1 < front.len && front.at[i + 1] == '-')
			buffer_byte(to, ' ');
	}
	buffer_put(to, " -->\n");
}

static struct text write_book(struct call *c, const struct manuscript_parts *m, struct text *root)
{
	struct buffer out = {.arena = c->arena};
	struct map taken = {.arena = c->arena};
	int last = -1;

	buffer_put(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	write_front(&out, m->front);
	for (size_t i = 0; i < m->list.n; i++) {
		const struct part *p = &m->list.items[i];
		struct text id = id_for(c->arena, &taken);
		close_down_to(&out, last, p->level);
		last = p->level;
		if (!i)
			*root = id;
		indent(&out, p->level);
		buffer_format(&out, "<%s id=\"%s\"", level_names[p->level], id.at);
		if (p->level == LEVEL_CHAPTER)
			attribute(&out, "title", p->words, TEXT("Untitled"));
		if (p->level == LEVEL_SEQUENCE)
			attribute(&out, "loc", p->words, TEXT("unknown"));
		buffer_put(&out, ">\n");
		indent(&out, p->level + 1);
		buffer_put(&out, "<summary>");
		xml_escape(&out, summary_of(c->arena, m, i), false);
		buffer_put(&out, "</summary>\n");
		if (p->level == LEVEL_PARAGRAPH) {
			indent(&out, p->level + 1);
			xml_escape(&out, p->words, false);
			buffer_byte(&out, '\n');
		}
	}
	close_down_to(&out, last, LEVEL_BOOK);
	return buffer_text(&out);
}

/* The manuscript, wherever it is; it must be text that XML can hold. */
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
	struct text bytes = write_book(c, &m, &answer->id);
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
