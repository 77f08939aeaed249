/* note.h: one Markdown file, read: front matter, title, tags, aliases, text, and every link with its place.
 *
 * Pure: bytes in, spans out, no state. Front matter is at the very start, between a line `---` and the next line `---`
 * or `...`. If it is not a YAML mapping, the whole file is text, as in the author's editor, and `malformed` says why.
 * Callers refuse a write that would have to change it. */
#ifndef QUIRE_KINDS_NOTES_NOTE_NOTE_H
#define QUIRE_KINDS_NOTES_NOTE_NOTE_H
#include "format/markdown.h"
#include "format/yaml.h"

enum link_form {
	NOTE_LINK_WIKI,     /* [[target]] in the text */
	NOTE_LINK_FRONT,    /* [[target]] in a value of the front matter */
	NOTE_LINK_MARKDOWN, /* [shown](target), or a definition */
	NOTE_LINK_PATH,     /* a whole path from the root, in a canvas or a query */
	NOTE_LINK_FOLDER    /* a folder from the root, in a query */
};

/* Links of one class and with the same target mean the same. */
static inline char link_class(enum link_form form) { return "wwmpf"[form]; }

struct note_link {
	enum link_form form;
	struct text target; /* decoded: what the link names, without #part */
	struct span place;  /* of the target in the file's bytes */
	struct span all;    /* of the link */
	bool is_embed;
	bool has_shown;        /* wikilinks: a text after the bar */
	bool is_angled;        /* Markdown: the target is in <> */
	bool is_json;          /* in a JSON string */
	enum yaml_quote quote; /* NOTE_LINK_FRONT */
};

enum {
	TITLE_MAX = 500, /* code points of a title or alias; a longer one is ignored, which bounds results */
	TAG_MAX = 200,
	TARGET_MAX = 4096 /* bytes; no path is longer */
};

struct note {
	struct text bytes;
	size_t start;       /* after the byte order mark */
	bool has_front;     /* well-formed front matter */
	struct span front;  /* the text between its two lines */
	size_t front_end;   /* after its last line; `start` without front matter */
	struct yaml *yaml;  /* NULL without front matter */
	struct span text;   /* the content, trimmed */
	bool is_crlf;       /* lines end in CR LF */
	struct text title;  /* of the front matter; if absent or too long, derive it from the path */
	struct texts tags;  /* of the front matter, without #, each once */
	struct texts words; /* tags in the text, without #, each once, except those of the front matter */
	struct texts aliases;
	struct markdown parts;
	ARRAY(struct note_link) links;
	ARRAY(struct text) problems; /* sentences for _warnings */
	const char *malformed;       /* why the block is not front matter; NULL: it is valid, or there is no block */
};

void note_read(struct arena *a, struct text bytes, struct note *out);
struct text note_content(struct arena *a, const struct note *n); /* trimmed; malformed bytes become U+FFFD */

struct text tag_of(struct text written); /* without # and surrounding blanks */

/* Is the front matter a YAML mapping, or absent? Checks nothing else. */
bool note_front_holds(struct arena *a, struct text bytes);

/* Does the text begin with a block that note_read() would take for front matter? */
bool note_begins_front(struct arena *a, struct text text);

#endif
