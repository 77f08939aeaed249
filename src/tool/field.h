/* field.h: one table from which a struct's schema, check, decoding, encoding and docs come.
 *
 * A row describes one member of a struct: name, type, limits, prose and offset. Everything is derived from the row, so
 * schema and behaviour cannot diverge, and handlers never see JSON.
 *
 * The C type of each member is checked by the FIELD macro at compile time:
 *
 * 	type      member                schema
 * 	TEXT      struct text           string; lengths in code points. at is NULL when absent
 * 	INT       int64_t               integer (10.0 is one)
 * 	MAYBE_INT struct maybe_int      integer that may be absent: an absent one is not 0
 * 	NUMBER    double                number
 * 	MAYBE_NUMBER struct maybe_number
 * 	FLAG      bool                  boolean
 * 	MAYBE_FLAG struct maybe_flag
 * 	CHOICE    int                   string out of .choices; the index, -1 when absent
 * 	CHOICES   struct choices        list of such
 * 	TEXTS     struct texts          list of strings
 * 	NUMBERS   struct numbers        list of numbers
 * 	OBJECT    const T *             object of .shape; NULL when absent
 * 	OBJECTS   struct objects        list of objects of .shape
 * 	UNION     struct variant_value  object that is one of .variants, told apart by the member named .by
 * 	UNIONS    struct objects        list of such (items are struct variant_value)
 * 	MAP       const struct json *   object with any keys, of any values or of .shape (checked only)
 * 	TEXT_MAP  const struct json *   object whose values are strings (or null)
 * 	ANY       const struct json *   any JSON; null is a value
 *
 * Rules of decoding: null is absent (so a required field may not be null); an empty string for an optional TEXT or
 * CHOICE is too, unless FIELD_EMPTY; a JSON-encoded string is taken where the schema says object or array, with a
 * warning; a NUL is refused in FIELD_PATH texts and in choices; an unknown member is refused with the nearest known
 * name; messages name path, value and what would be right. Recursive shapes become $defs and $ref and are decoded to a
 * depth of FIELD_DEPTH_MAX.
 *
 * Rules of encoding: an absent value is left out, or null where FIELD_NULLABLE, or [] for a list that is required. */
#ifndef QUIRE_TOOL_FIELD_H
#define QUIRE_TOOL_FIELD_H
#include "base/call.h"
#include "format/json_write.h"

/* Everything up to SHAPE is tables, one row per line. */
/* clang-format off */
enum field_type {
	FIELD_TEXT, FIELD_INT, FIELD_MAYBE_INT, FIELD_NUMBER, FIELD_MAYBE_NUMBER, FIELD_FLAG, FIELD_MAYBE_FLAG,
	FIELD_CHOICE, FIELD_CHOICES, FIELD_TEXTS, FIELD_NUMBERS, FIELD_OBJECT, FIELD_OBJECTS, FIELD_UNION, FIELD_UNIONS,
	FIELD_MAP, FIELD_TEXT_MAP, FIELD_ANY
};

enum {
	FIELD_DEPTH_MAX = 32,  /* nested objects */
	FIELD_ROWS_MAX = 96,   /* rows of one table */
	FIELD_PATH_MAX = 4096  /* bytes, PATH_MAX of Linux */
};

enum field_flags {
	FIELD_REQUIRED = 1,
	FIELD_NULLABLE = 2, /* in answers: absent is written as null, and the schema allows null */
	FIELD_PATH = 4,     /* a file's path: no NUL, not empty, at most 4096 bytes */
	FIELD_EMPTY = 8,    /* "" is a value, not absence */
	FIELD_HIDDEN = 16,  /* accepted, but neither in the schema nor in the docs */
	/* The name is clear: the listed schema has no description, and for an object in an answer no members. */
	FIELD_TERSE = 64,
	FIELD_UNLISTED = 128, /* accepted and in the docs, but not in the listed schema */
	FIELD_LATE = 32     /* required, but checked by the handler: after its other checks, with its own code */
};

struct maybe_int { int64_t value; bool there; };
struct maybe_number { double value; bool there; };
struct maybe_flag { bool value; bool there; };
struct choices { int *items; size_t n; };
struct numbers { double *items; size_t n; };
struct objects { void *items; size_t n; };
struct variant_value { int which; const void *value; }; /* which: index of the variant */

/* The range of an int or number, the length of a text in code points, the number of items of a list. */
struct limits { bool low, high; double min, max; };
#define AT_LEAST(m) &(const struct limits){.low = true, .min = (m)}
#define AT_MOST(m) &(const struct limits){.high = true, .max = (m)}
#define BETWEEN(m, n) &(const struct limits){.low = true, .high = true, .min = (m), .max = (n)}

struct shape {
	const char *name; /* for $defs; unique within a kind */
	const struct field *fields;
	size_t size;
};

/* One of several shapes. The discriminating member is not a row of the shape. */
struct variant {
	const char *name; /* the value of that member */
	const char *prose;
	struct shape shape;
};

/* Members that few rows have. */
struct field_more {
	const struct limits *item_limits; /* TEXTS: lengths; NUMBERS: range */
	const char *by;                   /* UNION, UNIONS; there .shape may name the union in $defs */
	const struct variant *variants;   /* ended by a row without a name */
	const char *const *aliases;       /* other names it is accepted under, NULL-terminated; never listed */
	const char *extensions;           /* FIELD_PATH: ".png .jpg"; NULL: those of the kind's documents; "": any */
	const char *refusal;              /* FIELD_PATH: begins the message of a refused path, with the path: "Cannot open" */
	const char *schema;               /* members put into the schema as they are: "\"x-mcp-header\":\"Name\"" */
};
#define RARE &(const struct field_more) /* .more = RARE{.by = "type", .variants = figures} */

/* A row is short, one cache line: the loader must touch all tables before the program begins. */
struct field {
	const char *name, *prose;
	uint8_t type;
	uint8_t flags;
	uint32_t at;                 /* offset in the struct */
	const struct limits *limits; /* NULL: none */
	const char *const *choices;  /* NULL-terminated; of a TEXT: the usual values, listed in the error if it is not a string */
	const struct shape *shape;
	const char *otherwise;       /* the default, as JSON: "10", "\"narration\"" */
	const struct field_more *more;
};

#define FIELD_MEMBER(S, M) (((const S *)0)->M)
#define FIELD_IS_TEXT(m) _Generic((m), struct text: 0)
#define FIELD_IS_INT(m) _Generic((m), int64_t: 0)
#define FIELD_IS_MAYBE_INT(m) _Generic((m), struct maybe_int: 0)
#define FIELD_IS_NUMBER(m) _Generic((m), double: 0)
#define FIELD_IS_MAYBE_NUMBER(m) _Generic((m), struct maybe_number: 0)
#define FIELD_IS_FLAG(m) _Generic((m), bool: 0)
#define FIELD_IS_MAYBE_FLAG(m) _Generic((m), struct maybe_flag: 0)
#define FIELD_IS_CHOICE(m) _Generic((m), int: 0)
#define FIELD_IS_CHOICES(m) _Generic((m), struct choices: 0)
#define FIELD_IS_TEXTS(m) _Generic((m), struct texts: 0)
#define FIELD_IS_NUMBERS(m) _Generic((m), struct numbers: 0)
#define FIELD_IS_OBJECT(m) (sizeof *(m) * 0)
#define FIELD_IS_OBJECTS(m) _Generic((m), struct objects: 0)
#define FIELD_IS_UNION(m) _Generic((m), struct variant_value: 0)
#define FIELD_IS_UNIONS(m) _Generic((m), struct objects: 0)
#define FIELD_IS_MAP(m) _Generic((m), const struct json *: 0)
#define FIELD_IS_TEXT_MAP(m) _Generic((m), const struct json *: 0)
#define FIELD_IS_ANY(m) _Generic((m), const struct json *: 0)

/* FIELD(struct args, path, TEXT, FIELD_REQUIRED | FIELD_PATH, "Path of the note", .limits = AT_MOST(64)) */
#define FIELD(S, M, T, F, P, ...) FIELD_AS(#M, S, M, T, F, P, ##__VA_ARGS__)
/* The same with a name that differs from the member's. */
#define FIELD_AS(N, S, M, T, F, P, ...)                                                                        \
	{.name = (N), .type = FIELD_##T, .flags = (F), .at = offsetof(S, M) + FIELD_IS_##T(FIELD_MEMBER(S, M)), \
	 .prose = (P), ##__VA_ARGS__}
#define FIELDS_END {.name = NULL}
#define SHAPE(S, NAME, TABLE) {.name = (NAME), .fields = (TABLE), .size = sizeof(S)}
/* clang-format on */

/* Never NULL. */
const struct field_more *field_more(const struct field *f);

/* Checks the arguments and fills the struct, which need not be cleared before. NULL is an empty object. Unknown members
 * are refused, or with `lenient` only cause warnings (configurations). */
struct decode_options {
	bool lenient;
	bool exact;               /* "5" is not a number and "true" not a boolean: for forms that a user filled in */
	const char *noun;         /* the word for a field in messages: "argument", "key"; NULL: "argument" */
	const struct field *also; /* decoded elsewhere, but suggested as names */
};
bool fields_decode(struct call *c, const struct field *table, size_t size, const struct json *args, void *into,
		   const struct decode_options *options);

void fields_encode(struct json_out *o, const struct field *table, const void *from);         /* a whole object */
void fields_encode_members(struct json_out *o, const struct field *table, const void *from); /* into an open one */
/* The value of one row: null, an array, an object. */
void fields_encode_value(struct json_out *o, const struct field *row, const void *from);
/* How many objects, from the first on, fit together into this many bytes of JSON; at least one, if there is one. */
size_t fields_fit(const struct shape *shape, const void *objects, size_t n, size_t bytes);
/* The full schema, with every limit: debug builds check results against it. One schema of several tables,
 * NULL-terminated. If two tables have the same name, the earlier one wins. */
void fields_schema_joined(struct json_out *o, const struct field *const *tables, bool is_answer);
/* The schema of an answer that is either the object of the first table's one row, or null under that row's name. */
void fields_schema_bare(struct json_out *o, const struct field *const *tables);
/* The lean schema that clients get. `may_be_null`: a result without any required member. */
void fields_listed(struct json_out *o, const struct field *const *tables, bool is_answer, bool may_be_null);
/* The restricted schema of a question to a person: texts, numbers, flags and choices, flat. */
void fields_form(struct json_out *o, const struct field *form);
/* Rows of a Markdown table: name, type, meaning; nested ones with their path. */
void fields_doc(struct buffer *to, const struct field *table, bool is_answer);
/* The same for a terminal, 80 columns wide. */
void fields_help(struct buffer *to, const struct field *table, bool is_answer);

/* The row with that name or alias; NULL: none. */
const struct field *fields_find(const struct field *table, struct text name);

#endif
