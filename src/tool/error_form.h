/* error_form.h: where the members of an error stand in the JSON of a kind.
 *
 * Each kind's specification has an error object of its own. The kind describes it as one struct error_form, and one
 * function writes all of them, so no kind can forget the hint, the place or the time to wait.
 *
 * 	core        {"error": {"code", "message", "where", "line", "column", "details", "retry_after"}}
 * 	flat        {"error": true, "code", "message", "details": {..., "hint", "argument", "retry_after"}}
 * 	apart       {"success": false, "error": {"code", "message", "hint", "argument", "details", "retry_after"}} */
#ifndef QUIRE_TOOL_ERROR_FORM_H
#define QUIRE_TOOL_ERROR_FORM_H
#include "base/error.h"

#include <stdbool.h>

struct json_out;
struct kind;

enum hint_place {
	HINT_IN_MESSAGE, /* "message; hint" */
	HINT_BESIDE,     /* a member "hint" beside the message */
	HINT_IN_DETAILS,
};

enum details_place {
	DETAILS_LEFT_OUT,
	DETAILS_BESIDE, /* a member "details", if there are any */
	DETAILS_ALWAYS, /* the same, never missing, with the argument and the time to wait in it */
	DETAILS_OUTER,  /* its members are members of the whole object, and replace those of the form */
};

struct error_form {
	const char *flag; /* a boolean member that comes first, or NULL */
	bool flag_is;
	const char *inside; /* the member whose value has the code and the message; NULL: the object itself has them */
	bool is_list;       /* that member is a list of one such object */
	const char *code;   /* name of the member with the code; NULL: "code" */
	const char *argument; /* name of the member with the JSON pointer to the argument; NULL: left out */
	bool has_place;       /* line and column */
	enum hint_place hint;
	enum details_place details;
	const char *const *hints; /* [FAULTS]: for errors without a hint of their own, or NULL */
};

/* Writes the error as its kind's form says. The kind may be NULL. */
void kind_error(struct json_out *o, const struct kind *k, const struct error *e);

#endif
