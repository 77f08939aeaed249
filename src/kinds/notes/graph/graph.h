/* graph.h: the notes of a vault and the links between them, in memory.
 *
 *	graph_put(g, path, &note, stamp, revision)    a file that is new or changed
 *	graph_remove(g, index)
 *	graph_settle(g)                               once, after a batch: resolves what the batch touched
 *
 * The files are the source of truth. A graph that is built again from them must be equal. A note keeps its index while
 * it exists. Each note's texts are one block of memory without spare space.
 *
 * A link is kept as its author wrote it and resolved by name (resolve.h). Its key is the folded last component with
 * blanks as hyphens. When a note is added, removed or renamed, only links with one of its keys are resolved again.
 *
 * Canvases, bases, pictures and other files are nodes too, so that links to them and in them are resolved and rewritten
 *as those of notes.
 *
 * Edges are directed, without weights, each once, never from a note to itself. The graph does no locking. */
#ifndef QUIRE_KINDS_NOTES_GRAPH_GRAPH_H
#define QUIRE_KINDS_NOTES_GRAPH_GRAPH_H
#include "base/digest.h"
#include "base/map.h"
#include "kinds/notes/note/note.h"
#include "kinds/notes/note/other.h"
#include "kinds/notes/note/property.h"
#include "work/work.h"

enum { NODE_NONE = UINT32_MAX };

/* One target of a note's links. A target that is written twice is stored once. */
struct target {
	struct text text; /* as written, decoded */
	enum link_form form;
	bool is_ambiguous;
	uint8_t by;    /* enum resolved_by */
	uint32_t node; /* the note it resolves to, possibly the linking note itself; NODE_NONE: nothing */
	uint32_t key;
	uint32_t of;         /* the note that links */
	uint32_t next, last; /* targets with the same key */
};

struct edge {
	uint32_t from, to;
	uint32_t next_out;
	uint32_t next_in, last_in;
	uint8_t by; /* the strictest way in which a link resolves; see by_leniency() */
};

struct node {
	struct text path; /* as on disk; absent: this index is free */
	struct text folded;
	uint32_t units;      /* of the path; see id_units() */
	struct text title;   /* given or derived */
	enum node_sort sort; /* only notes have edges, and only they are counted and listed */
	bool is_excluded;    /* by the user, from search, hubs and suggestions */
	bool has_title;      /* the front matter gives it */
	bool is_told;        /* its warnings were already reported */
	bool is_young;       /* read so soon after a change that a second change may have the same stamp */
	bool is_ours;        /* written by this process; every change since then moved the stamp */
	uint32_t walk;       /* the last walk that found it */
	struct texts aliases;
	struct text excerpt; /* the content, cut to TEXT_LIST */
	uint32_t *tags;      /* indices into graph.tags: first those of the front matter, then those of the text */
	uint32_t n_tags, n_words;
	uint32_t first_target, n_targets; /* consecutive in graph.targets */
	uint32_t first_out, first_in, n_out, n_in;
	uint32_t *keys; /* keys under which it is found */
	uint32_t n_keys;
	struct texts problems;
	struct property *properties; /* names are folded */
	uint32_t n_properties;
	struct file_stamp stamp;
	struct revision revision;
	bool is_dirty;
	uint64_t seen;      /* the epoch in which an edge to it was added */
	uint32_t next_same; /* the next note whose path differs in case only */
	void *block;
};

struct key {
	struct text text;
	uint32_t *nodes; /* found under it by name, title or alias */
	uint32_t n_nodes, cap_nodes;
	uint32_t first_target;
	bool is_dirty;
};

struct tag {
	struct text text, folded; /* as written */
	uint32_t group;           /* the first tag that differs from it in case only, or itself */
};

struct graph {
	struct node *nodes;
	uint32_t n_nodes, cap_nodes; /* indices in use, including free ones between them */
	uint32_t free_node;          /* chained by next_same */
	uint32_t count;              /* number of notes */
	uint32_t *order;             /* all notes by path */
	uint32_t n_order, cap_order, order_changes;
	bool order_is_stale;
	struct target *targets;
	uint32_t n_targets, cap_targets, wasted_targets;
	struct edge *edges;
	uint32_t n_edges, cap_edges, free_edge, count_edges;
	struct arena names; /* keys and tags; never removed */
	struct arena maps;
	struct map by_path, by_key, by_tag, by_folded_tag;
	struct key *keys;
	uint32_t n_keys, cap_keys;
	struct tag *tags;
	uint32_t n_tags, cap_tags;
	uint32_t *dirty;
	uint32_t n_dirty, cap_dirty;
	uint32_t *dirty_keys;
	uint32_t n_dirty_keys, cap_dirty_keys;
	uint64_t epoch;
	uint64_t generation; /* grows with every change */
	uint64_t members;    /* grows when a note is added or removed */
};

void graph_open(struct graph *g);
void graph_close(struct graph *g);

uint32_t graph_put(struct graph *g, struct text path, const struct note *n, struct file_stamp stamp,
		   const struct revision *revision);
void graph_remove(struct graph *g, uint32_t node);
void graph_settle(struct graph *g);

/* Finds a note by its exact path, or else ignoring case. */
uint32_t graph_find(const struct graph *g, struct arena *a, struct text path);
/* Is the tag this one, or below it, as project/active is below project? Both are folded. */
bool tag_is_in(struct text tag, struct text wanted);
bool node_has_tag(const struct graph *g, const struct node *n, struct text wanted);

/* Tries a rename: the note is found under another path and title (absent: derived) until the disguise is removed. No
 * link is resolved again. The caller's texts must live as long as the disguise. */
struct disguise {
	uint32_t node;
	struct text path, folded, title;
	uint32_t units;
	bool has_title;
	uint32_t *keys;
	uint32_t n_keys;
};
void graph_disguise(struct graph *g, struct arena *a, uint32_t node, struct text path, struct text title,
		    struct disguise *saved);
void graph_undisguise(struct graph *g, const struct disguise *saved);

/* The key of a name, a title or a target; in the arena. */
struct text key_of(struct arena *a, struct text text);
uint32_t graph_key(struct graph *g, struct text key); /* created if missing */

/* Makes room for one more item in a list on the heap. */
void *list_more(void *items, uint32_t n, uint32_t *cap, size_t size);

#endif
