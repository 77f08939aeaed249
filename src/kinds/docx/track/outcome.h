/* outcome.h: what a reader has after all tracked changes of a story are accepted or rejected, as a list of hashes.
 *
 * It proves redlines (proof.h), so it shares no code with their writers, nor with settle.h: one pass over the bytes, in
 * which removed content is skipped. An item is a paragraph (its words, their looks, links and controls, and the
 * properties of the paragraph and its mark) or the start or end of a table, row, cell or other element around blocks.
 * How text is divided into runs does not count, nor do the ids that Word writes for its own use (rsid, paraId).
 *
 * A redline of two files keeps ids, bookmarks and the headers of the original. There the comparison with the revised
 * document is loose: ids, marks and targets of relationships do not count. What a redline cannot track (properties of
 * content controls, sections that only one version has) is hashed separately, in `quiet`. */
#ifndef QUIRE_KINDS_DOCX_TRACK_OUTCOME_H
#define QUIRE_KINDS_DOCX_TRACK_OUTCOME_H
#include "base/array.h"
#include "kinds/docx/text/names.h"
#include "kinds/docx/track/settle.h"

struct outcome_item {
	uint64_t hash;
	uint32_t at; /* where its element begins in the bytes */
};

struct outcome {
	ARRAY(struct outcome_item) items;
	uint64_t quiet;
};

struct outcome_rule {
	enum settlement how;
	bool has_bookmarks;   /* bookmarks in paragraphs count */
	bool is_loose;        /* see above */
	bool without_objects; /* pictures, objects, links and references do not count */
};

struct outcome_reader;
struct outcome_reader *outcome_open(struct arena *a, struct outcome_rule rule, struct outcome *out);
/* Reads blocks, inside an element that only holds them together or is a body, a header, a note. `names` is the scope
 * around the element. Its first byte counts as `base` in the places of items. Returns false if not well-formed. */
bool outcome_add(struct outcome_reader *r, struct text element, const struct names *names, uint32_t base);
/* Does a paragraph wait for the next one, because its mark is removed? */
bool outcome_waits(const struct outcome_reader *r);
void outcome_close(struct outcome_reader *r);

#endif
