/* notes.h: shared by the tools of this kind: the returned form of a note, and lookup of a note. */
#ifndef QUIRE_KINDS_NOTES_NOTES_H
#define QUIRE_KINDS_NOTES_NOTES_H
#include "kinds/notes/note/name.h"
#include "kinds/notes/vault/tell.h"
#include "kinds/notes/vault/vault.h"
#include "tool/kind.h"
#include "work/root.h"

extern const struct tool notes_node_tools[], notes_graph_tools[], notes_tag_tools[], notes_search_tools[],
	notes_name_tools[], notes_find_tools[], notes_link_tools[], notes_create_tools[], notes_update_tools[],
	notes_move_tools[], notes_delete_tools[], notes_section_tools[], notes_picture_tools[], notes_suggest_tools[],
	notes_property_tools[], notes_merge_tools[];
extern const struct resource notes_resources[];
extern const struct field notes_config_table[];
extern const struct command notes_commands[];

struct link_info {
	struct text id, title;
	struct text by; /* absent: the link holds in every program */
};

/* A note as it is returned. Absent fields are left out. */
struct node_answer {
	struct text id, title, content;
	struct texts tags, inline_tags;
	struct objects links; /* of struct link_info */
	struct maybe_int link_count;
	const struct json *properties;
	struct text link;        /* as a note may link to this one */
	struct maybe_int length; /* of the whole text, when not all is shown */
	struct maybe_int next;   /* the offset to go on from */
	struct texts hidden;     /* what people do not see in the text, and where */
	struct maybe_int hidden_count;
	struct objects outline;     /* of struct outline_entry, when not all is shown */
	struct maybe_int rewritten; /* links to it that were rewritten */
	struct maybe_int notes;     /* in which they are */
	struct maybe_int line;      /* of an edit */
	struct text direction;
	struct maybe_number score;
	struct maybe_int incoming, outgoing;
	struct objects neighbors; /* of struct node_answer */
};

extern const struct shape node_shape;    /* with the text at full length */
extern const struct shape listed_shape;  /* in a list */
extern const struct shape context_shape; /* with neighbours */

struct outline_entry {
	struct text heading; /* with its marks */
	int64_t offset, length;
};

/* A result that is one note or null, and a result that is a list of notes. */
struct one_node {
	const struct node_answer *result;
};
struct node_list {
	struct objects result;
};
extern const struct field one_node_out[], context_out[], node_list_out[], written_out[];

enum {
	LINKS_PRIMARY = 100,  /* links shown of the requested note */
	LINKS_LISTED = 10,    /* of each note in a list */
	LINKS_BESIDE = 3,     /* of each neighbour beside a note */
	LINKS_WEIGHT = 15000, /* characters of a note's links, and of its tags */
	TAGS_WEIGHT = 5000,
};

/* The note as the graph has it, its content cut to `most`. With TEXT_PRIMARY the file is read. False: error set. */
bool node_answer_of(struct call *c, struct vault *v, uint32_t node, size_t most, struct node_answer *out);
/* The same from bytes, for a note that is not written yet or was just written. Links are resolved in the current
 * graph. */
void node_answer_from(struct call *c, struct vault *v, struct text path, struct text bytes, struct node_answer *out);
/* The same for a call that wrote these bytes. Updates the graph first. `brief`: only id and link. */
void answer_written(struct call *c, struct text path, const struct document *committed, struct text bytes, bool brief,
		    struct node_answer *out);
/* Cuts the note's text to the part that begins at this character, and says how to go on. */
void node_part(struct call *c, const struct note *n, struct span part, size_t offset, struct node_answer *out);
/* A list of notes, with or without content, cut where the result would become too long. */
struct objects node_list_of(struct call *c, struct vault *v, const uint32_t *nodes, size_t n, bool with_content,
			    const char *rest);

/* Approximate number of characters of the note in a result. */
size_t node_weight(const struct node_answer *n);

/* Distinct neighbours that the caller may see. */
enum direction { DIRECTION_IN, DIRECTION_OUT, DIRECTION_BOTH };
size_t node_neighbors(struct call *c, struct vault *v, uint32_t node, enum direction direction, uint32_t **out);

/* Rounds to three significant digits. More would have no meaning. */
double score_shown(double score);

/* The text as the configuration shows it: all, or only what people see. */
struct text text_shown(struct call *c, struct text t);

/* The note that a wrong id may mean; NULL: none is near. */
const struct node *node_near(struct call *c, struct vault *v, struct text id);

/* False: NODE_NOT_FOUND, with the nearest ids. */
bool node_wanted(struct call *c, struct vault *v, struct text id, uint32_t *out);

/* The specification declares these. */
#define MINIMUM_1                                                                                                      \
	RARE { .schema = "\"minimum\":1" }

#define NODE_ID(S, M, PROSE) FIELD(S, M, TEXT, FIELD_REQUIRED, PROSE, .limits = BETWEEN(1, 4096))

#endif
