#include "tool/kind.h"

#include <string.h>

/* The core's code for each fault, its HTTP status in the plain form, and its meaning. */
static const struct {
	const char *name;
	int status;
	const char *prose;
} faults[FAULTS] = {
	[FAULT_NONE] = {"NONE", 200, "nothing is wrong"},
	[FAULT_ARGUMENT] = {"INVALID_ARGUMENT", 400, "an argument has the wrong type or is outside its limits"},
	[FAULT_MISSING] = {"MISSING_ARGUMENT", 400, "a required argument is missing"},
	[FAULT_NOT_FOUND] = {"NOT_FOUND", 404, "there is no such file"},
	[FAULT_EXISTS] = {"EXISTS", 409, "the new name is taken"},
	[FAULT_PATH] = {"PATH_NOT_ALLOWED", 403, "the path leads outside the served folders, or to no regular file"},
	[FAULT_TOO_LARGE] = {"TOO_LARGE", 413, "the document or the request is larger than allowed"},
	[FAULT_LOCKED] = {"LOCKED", 409, "another program kept the document locked too long; try again"},
	[FAULT_CONFLICT] = {"CONFLICT", 409, "the document changed meanwhile; read it again"},
	[FAULT_READ_ONLY] = {"READ_ONLY", 403, "the server or the file is read-only"},
	[FAULT_DENIED] = {"DENIED", 403, "this key or this process has no permission"},
	[FAULT_KEY] = {"UNAUTHORIZED", 401, "no key, or an invalid key"},
	[FAULT_RATE] = {"RATE_LIMITED", 429, "too many requests; wait as long as the answer says"},
	[FAULT_TIMEOUT] = {"TIMEOUT", 500, "the call took too long and was ended"},
	[FAULT_CANCELLED] = {"CANCELLED", 500, "the client cancelled the call"},
	[FAULT_STORAGE] = {"STORAGE_ERROR", 500, "the disk or a database failed"},
	[FAULT_INTERNAL] = {"INTERNAL_ERROR", 500, "a bug in quire; please report it"},
	[FAULT_OWN] = {"REFUSED", 422, "the kind refused for a reason of its own"},
};

int fault_status(enum fault f) { return faults[f].status; }
const char *fault_name(enum fault f) { return faults[f].name; }
const char *fault_prose(enum fault f) { return faults[f].prose; }

const char *kind_code(const struct kind *k, const struct error *e)
{
	if (e->fault == FAULT_OWN && e->code)
		return e->code;
	if (k && k->faults && k->faults[e->fault])
		return k->faults[e->fault];
	return faults[e->fault].name;
}

int kind_status(const struct kind *k, const struct error *e)
{
	for (const struct code *code = k ? k->codes : NULL; e->fault == FAULT_OWN && e->code && code && code->name;
	     code++)
		if (!strcmp(code->name, e->code) && code->status)
			return code->status;
	return faults[e->fault].status;
}

const struct tool *kind_tool(const struct kind *k, struct text name)
{
	for (const struct tool *const *table = k->tools; table && *table; table++)
		for (const struct tool *t = *table; t->name; t++)
			if (tool_is_named(t, name))
				return t;
	return NULL;
}

const char *kind_extensions(struct arena *a, const struct kind *k, const void *config)
{
	const struct field *row = k->config ? fields_find(k->config, TEXT("extensions")) : NULL;

	if (!k->extensions || !config || !row || row->type != FIELD_TEXT)
		return k->extensions;
	const struct text *more = (const void *)((const char *)config + row->at);
	return more->len ? text_format(a, "%s %.*s", k->extensions, TEXT_ARGS(*more)).at : k->extensions;
}
