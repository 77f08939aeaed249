/* template.h: resource URIs with variables (RFC 6570: {name} within a component, {+name} over several). */
#ifndef QUIRE_MCP_TEMPLATE_H
#define QUIRE_MCP_TEMPLATE_H
#include "base/text.h"

enum { TEMPLATE_VALUES_MAX = 8 };

bool template_has_places(const char *template);
/* Does the uri match? Then values[] are the variables' values, percent-decoded. */
bool template_matches(struct arena *a, const char *template, struct text uri, struct text values[TEMPLATE_VALUES_MAX]);
int template_place(const char *template, struct text name); /* the variable's index, or -1 */

#endif
