/* json_schema.h: checks a value against a JSON Schema (2020-12).
 *
 * Supports what quire's own schemas use, and a little more: type (also a list), enum, const, properties, required,
 * additionalProperties, items, prefixItems, minItems, maxItems, uniqueItems, minProperties, maxProperties, minimum,
 * maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength and maxLength (code points), pattern, anyOf,
 * oneOf, allOf, not, $ref into the same schema, true and false. Every other keyword is ignored. Nothing is ever
 * fetched. */
#ifndef QUIRE_FORMAT_JSON_SCHEMA_H
#define QUIRE_FORMAT_JSON_SCHEMA_H
#include "format/json.h"

/* False: *why says where and what, such as "/links/0: line is required". `why` may be NULL. */
bool json_schema_holds(struct arena *a, const struct json *schema, const struct json *value, struct text *why);

#endif
