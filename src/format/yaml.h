/* yaml.h: a YAML mapping as spans on its bytes, for front matter.
 *
 * It lists the entries of the top level with the positions of key and value. A value that is a scalar or a list of
 * scalars also has the decoded texts and their positions. So a splice can replace one value and keep all other bytes:
 * comments, quotes, dates, order. Nothing is expanded: an alias is an opaque value.
 *
 * Plain front matter (`key: value`, one-line lists, dashed lists) is read by a scanner of our own; everything else by
 * libyaml. Both give the same result; the fuzzer compares them. */
#ifndef QUIRE_FORMAT_YAML_H
#define QUIRE_FORMAT_YAML_H
#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

enum { YAML_MAX = 256 * 1024 }; /* bytes; front matter is a few hundred */

enum yaml_type { YAML_SCALAR, YAML_FLOW_LIST, YAML_BLOCK_LIST, YAML_OTHER };
enum yaml_quote { YAML_PLAIN, YAML_SINGLE, YAML_DOUBLE, YAML_TEXT_BLOCK };

struct yaml_scalar {
	struct text value;
	uint32_t from, to; /* quotes included */
	enum yaml_quote quote;
};

struct yaml_entry {
	struct yaml_scalar key;
	enum yaml_type type;
	bool all_scalars; /* a list with scalars only */
	/* The range of the value: a flow list with its brackets, a block list from its first dash to its last item. */
	uint32_t from, to;
	struct yaml_scalar *items; /* the scalar itself, or the list's scalars */
	size_t n;
};

struct yaml {
	ARRAY(struct yaml_entry) entries;
	ARRAY(struct yaml_scalar) scalars; /* every scalar value, at any depth, in order */
};

/* NULL: malformed, or not a mapping; the error says where. No bytes, or only comments, are an empty mapping. */
struct yaml *yaml_parse(struct arena *a, struct text bytes, struct error *error);
const struct yaml_entry *yaml_find(const struct yaml *y, const char *key); /* the first one; NULL: none */
size_t yaml_count(const struct yaml *y, const char *key);                  /* more than one: a duplicate key */

/* Writes the text as a scalar that reads back as this string, plain if that is safe. For use inside [] or after `-
 * `. */
struct text yaml_quoted(struct arena *a, struct text value);

/* The two readers, for the test that compares them. The quick one returns NULL for input that only the other reads. */
struct yaml *yaml_quick(struct arena *a, struct text bytes);
struct yaml *yaml_full(struct arena *a, struct text bytes, struct error *error);

#endif
