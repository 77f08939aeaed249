/* trail.h: functions on the trail that tools and commands share. */
#ifndef QUIRE_KINDS_DOCJL_TOOLS_TRAIL_H
#define QUIRE_KINDS_DOCJL_TOOLS_TRAIL_H
#include "kinds/docjl/rows/trail_file.h"
#include "kinds/docjl/tools/common.h"

struct verdict {
	bool valid;
	int64_t entries;
	struct text bad_entry, reason, head; /* head: hex of the newest hash, to be stored elsewhere */
	struct texts altered;                /* the first blocks whose text is not as the trail says */
	struct maybe_int altered_count;
	/* The entry from which on the text is protected (absent: none), and the last one that accepted altered text. */
	struct text protected_from, accepted;
};
/* Recomputes the chain and compares the stored text with it. `anchor` (absent: none) is a head that was printed
 * earlier, or signed lines (tools/anchor.h); `file` is the copy as JSON lines (NULL: none). */
bool trail_verify(struct manual *m, struct text anchor, const struct trail_file *file, struct verdict *out);

/* Parses a revision number ("r12", "12"), or a date (the last revision before it). Returns false for anything else. */
bool revision_at(struct manual *m, struct text given, int64_t otherwise, int64_t *out);

/* The changes of one block between two revisions, all entries combined. */
struct block_change {
	int64_t uid, seq, at; /* the last entry that changed it, and its time */
	struct text by;       /* all users who changed it */
	struct text before_label, after_label, before_words, after_words;
	struct text from, to; /* moved: labels of the containers; absent: the top */
	struct change_place {
		int64_t parent, after; /* uids: the container, and the block before it */
	} from_place;
	int64_t from_uid;                 /* redirected: where the reference led */
	struct text from_label, to_label; /* redirected: old and new label of its references */
	int64_t to_uid;
	const struct json *before, *after; /* updated: the block before the first and after the last time */
	struct texts_list fields;          /* changed fields that are not visible in the words */
	bool is_added, is_removed, is_moved, is_changed, is_renamed, is_redirected;
	bool was_placed,
		is_reference; /* was_placed: from_place is known; is_reference: of one reference in the block */
	bool is_table;        /* the words are rows, one on each line */
};
struct changes {
	struct text id; /* of the document */
	int64_t from, to, entries;
	struct json *imports; /* each replaced the whole document */
	ARRAY(struct block_change) list;
};
enum change_kind { CHANGE_ADDED, CHANGE_REMOVED, CHANGE_MOVED, CHANGE_CHANGED, CHANGE_REDIRECTED, CHANGE_KINDS };
extern const char *const change_names[];

void trail_changes(struct manual *m, int64_t from, int64_t to, struct changes *out);
bool change_is(const struct block_change *n, enum change_kind kind);
const struct json *changes_json(struct call *c, const struct changes *all);

struct change_marks {
	const char *open_gone, *close_gone, *open_new, *close_new;
	const char *line;                          /* between the rows of a table */
	void (*put)(struct buffer *, struct text); /* escapes */
};
void change_words(struct buffer *to, struct arena *a, const struct block_change *n, const struct change_marks *k);
/* A page for readers: Markdown or HTML. */
void changes_page(struct call *c, struct buffer *to, const struct changes *all, struct text title, bool is_html);

#endif
