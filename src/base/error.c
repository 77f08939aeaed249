#include "base/error.h"

#include "base/text.h"

const char *error_sentence(struct arena *a, const struct error *e)
{
	const char *message = e->message ? e->message : "refused";

	return e->hint ? text_format(a, "%s; %s", message, e->hint).at : message;
}

void error_copy(struct arena *a, struct error *e)
{
	e->message = e->message ? text_string(a, text_of(e->message)) : NULL;
	e->hint = e->hint ? text_string(a, text_of(e->hint)) : NULL;
}
