/* tree.h: a document in memory: the whole, read in one scan of each table, or some subtrees, read by their keys. */
#ifndef QUIRE_KINDS_DOCJL_TREE_TREE_H
#define QUIRE_KINDS_DOCJL_TREE_TREE_H
#include "kinds/docjl/rows/manual.h"

#include "base/map.h"

#define TREE_NONE UINT32_MAX

struct tree_node {
	int64_t uid, parent_uid, run, slot;
	int64_t ord, left_out; /* of a part: left_out counts the children that were not read */
	uint32_t parent, first, last, next;
	uint32_t ref, n_refs; /* in tree.refs */
	struct text type, label;
	struct text body; /* the stored form as text; absent: not read */
	bool holds, is_auto, has_label_made, is_cited;
	bool is_outside; /* of a part: only its label and place are known */
};
struct tree_ref {
	int64_t dst;
	uint32_t to; /* node; TREE_NONE: broken */
	struct text text;
};
struct tree {
	struct manual *m;
	ARRAY(struct tree_node) nodes; /* siblings are consecutive, in their order */
	ARRAY(struct tree_ref) refs;
	uint32_t first; /* of the top */
	struct uid_at {
		int64_t uid;
		uint32_t at;
	} * index; /* of the nodes, sorted by uid */
};
uint32_t tree_at(const struct tree *t, int64_t uid); /* TREE_NONE: it was not read */

enum tree_what { TREE_CONTAINERS = 1, TREE_BODIES = 2, TREE_REFS = 4 };
bool tree_read(struct manual *m, unsigned what, struct tree *out);
/* Reads the subtrees of these blocks (NULL: the top), `depth` levels of them (0: all). They become the top of the tree,
 * in document order; a root below another one is left out. The blocks above the roots are in `nodes` as well. */
bool tree_read_part(struct manual *m, const struct uids *roots, int64_t depth, struct tree *out);
/* The block with its references; the filler says what else. */
void tree_fill(struct json_out *o, const struct tree *t, uint32_t i, struct block_filler *f);
/* The block alone, without children. */
void tree_put_bare(struct json_out *o, const struct tree *t, uint32_t i);
uint32_t tree_next(const struct tree *t, uint32_t i); /* in document order; TREE_NONE after the last one */
const struct json *tree_stored(const struct tree *t, uint32_t i);

struct tree_form {
	int64_t depth;        /* levels; 0: all */
	bool leaves_auto_out; /* labels that the file did not have, unless a reference needs them */
};
void tree_put(struct json_out *o, const struct tree *t, uint32_t i, const struct tree_form *f); /* one block */
void tree_put_document(struct json_out *o, const struct tree *t, const struct tree_form *f);
/* Formats compact JSON like Python's json.dumps(indent=1). */
void json_spread(struct buffer *to, struct text compact);

/* Import. */

struct import_options {
	struct text id; /* absent: the document's own id, or else `otherwise` */
	struct text otherwise;
	struct text sha256; /* of the file, hex */
	bool replace, nest, keep_unlabelled, is_strict;
};
struct import_result {
	struct text id, audit;
	int64_t blocks, labelled, broken;
	struct texts_list changed;
};
bool import_document(struct call *c, const struct json *document, const struct import_options *o,
		     struct import_result *out);

#endif
