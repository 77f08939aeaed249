/* toml.h: TOML 1.0 into the JSON tree.
 *
 * Dates and times become strings as written; inf and nan are refused (JSON has none). The same field tables that check
 * a tool's arguments then check a configuration. */
#ifndef QUIRE_FORMAT_TOML_H
#define QUIRE_FORMAT_TOML_H
#include "format/json.h"

struct json *toml_parse(struct arena *a, struct text source, struct json_error *err); /* NULL: err says where */

#endif
