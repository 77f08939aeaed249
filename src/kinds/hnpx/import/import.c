#include "kinds/hnpx/import/import.h"
#include "base/utf8.h"
#include "kinds/hnpx/import/manuscript_book.h"

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

bool book_import(struct call *c, const struct import_args *args, struct import_answer *answer)
{
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
	answer->chapters = counts[LEVEL_CHAPTER];
	answer->sequences = counts[LEVEL_SEQUENCE];
	answer->beats = counts[LEVEL_BEAT];
	answer->paragraphs = counts[LEVEL_PARAGRAPH];
	struct change change = {.kind = CHANGE_WHOLE, .document = d, .bytes = bytes};
	if (!work_commit(c, &change, 1, "create_document: %lld chapters", (long long)answer->chapters))
		return file_not_made(c, args->file_path, "choose another path: an import makes a new file");
	if (!c->dry_run)
		c->revision = document_revision(d);
	return true;
}
