#include "kinds/hnpx/bible/beside.h"
#include "base/utf8.h"

struct text bible_path(struct arena *a, struct text book)
{
	size_t end = book.len;

	for (size_t i = book.len; i > 1 && book.at[i - 1] != '/'; i--)
		if (book.at[i - 1] == '.' && book.at[i - 2] != '/') {
			end = i - 1;
			break;
		}
	return text_format(a, "%.*s.bible.md", TEXT_ARGS(text_slice(book, 0, end)));
}

bool bible_of(struct call *c, struct text path, struct document *d, struct beside *out)
{
	struct text bytes = document_bytes(d);
	size_t bad = bytes.len ? utf8_bad(bytes) : 0;

	*out = (struct beside){.path = path, .document = d};
	if (!document_exists(d))
		return true;
	if (bad < bytes.len)
		return book_refuse(c, details_hint(c, path, "save the bible as UTF-8"), "VALIDATION_FAILED",
				   "The bible %s is not UTF-8 at byte %zu", shown(c, path), bad);
	out->bible = bible_read(c->arena, bytes.at ? bytes : TEXT(""));
	return true;
}

bool bible_open(struct call *c, struct text book, struct beside *out)
{
	struct document *d;

	*out = (struct beside){.path = bible_path(c->arena, book)};
	if (document_open(c, out->path, &d))
		return bible_of(c, out->path, d, out);
	if (c->error.fault != FAULT_NOT_FOUND)
		return book_refused(c, out->path, NULL);
	c->error = (struct error){0};
	return true;
}

const struct bible *bible_look(struct call *c, struct text book)
{
	struct beside b;
	struct text revision = c->revision;

	if (!bible_open(c, book, &b)) {
		warn(c, "The story bible was left aside: %s", error_sentence(c->arena, &c->error));
		c->error = (struct error){0};
		b.bible = NULL;
	}
	c->revision = revision; /* restore the book's revision */
	return b.bible;
}

bool book_change_beside(struct call *c, struct text path, struct opened *o, struct beside *bible)
{
	struct text revision = c->revision, beside = bible_path(c->arena, path);
	struct document *documents[2];
	struct want wants[2] = {{.path = path, .want = DOCUMENT_THERE}, {.path = beside, .want = DOCUMENT_EITHER}};

	*bible = (struct beside){.path = beside};
	bool has_bible = bible_look(c, path) != NULL;
	c->revision = revision;
	if (!has_bible)
		return book_change(c, path, o);
	if (!documents_change(c, wants, 2, documents))
		return book_refused(c, path, NULL);
	return book_changed(c, path, documents[0], o) && bible_of(c, beside, documents[1], bible);
}

bool book_commit_beside(struct call *c, const struct opened *o, struct edits *p, const struct beside *bible,
			const struct bible_edits *q, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	struct text summary = text_vformat(c->arena, format, ap);
	va_end(ap);
	struct change changes[2] = {book_change_of(c, o, p)};
	size_t n = 1;
	if (q->splices.n)
		changes[n++] = (struct change){.kind = CHANGE_SPLICE,
					       .document = bible->document,
					       .splices = q->splices.items,
					       .n = q->splices.n};
	return work_commit(c, changes, n, "%s", summary.at) || book_refused(c, o->path, NULL);
}
