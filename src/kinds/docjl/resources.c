/* resources.c: manuals as resources, and prompts that begin the work. */
#include "base/uri.h"
#include "kinds/docjl/tools/common.h"

#include <string.h>

static const char prefix[] = "docjl://document/";

static bool read_manual(struct call *c, const struct text *values)
{
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};
	struct manual m;
	struct tree t;

	if (!manual_open(c, values[0], MANUAL_READ, &m)) {
		/* The protocol has one error for a resource that does not exist. */
		if (c->error.fault == FAULT_OWN)
			c->error.fault = FAULT_NOT_FOUND;
		return false;
	}
	bool done = tree_read(&m, TREE_BODIES | TREE_REFS, &t);
	if (done)
		tree_put_document(&o, &t, &(struct tree_form){0});
	if (done && b.len > ANSWER_MAX)
		done = fail(c, FAULT_TOO_LARGE,
			    "the document has %zu bytes, and %d is the limit of a resource; request its sections with "
			    "mcp_docjl_get_document, or use quire docjl export",
			    b.len, (int)ANSWER_MAX);
	if (done) {
		reply_resource(c, uri_of(c->arena, prefix, m.id).at, "application/json", buffer_text(&b));
	}
	manual_close(&m);
	return done;
}

struct id_list {
	ARRAY(struct text) ids;
	bool more;
};

static bool ids_read(struct call *c, struct text after, size_t most, struct id_list *out)
{
	struct docjl *kind = c->state;
	struct transaction *t;

	*out = (struct id_list){0};
	if (!store_begin(c, kind->store, STORE_READ, &t))
		return false;
	if (!t)
		return true;
	struct query q = query_on(t, "SELECT id FROM doc WHERE id > ?1 ORDER BY id");
	bind_text(&q, after.at ? after : TEXT(""));
	while (!out->more && query_row(&q)) {
		struct text id = query_text(&q, c->arena, 0);
		if (!manual_may(c, id, false))
			continue;
		if (out->ids.n == most)
			out->more = true;
		else
			*ARRAY_PUSH(c->arena, &out->ids) = id;
	}
	query_end(&q);
	transaction_rollback(t);
	return true;
}

static bool list_manuals(struct call *c, struct text after, size_t most, struct resource_entry **out, size_t *n,
			 bool *more)
{
	struct id_list list;
	struct text last = after.at ? uri_decode(c->arena, text_slice(after, strlen(prefix), after.len)) : after;

	if (!ids_read(c, last, most, &list))
		return false;
	*out = arena_array(c->arena, list.ids.n + 1, sizeof **out);
	for (size_t i = 0; i < list.ids.n; i++)
		(*out)[i] = (struct resource_entry){.uri = uri_of(c->arena, prefix, list.ids.items[i]),
						    .name = list.ids.items[i],
						    .mime = TEXT("application/json")};
	*n = list.ids.n;
	*more = list.more;
	return true;
}

static bool complete_id(struct call *c, int value, struct text typed, struct texts *out)
{
	struct id_list list;
	size_t kept = 0;

	(void)value;
	if (!ids_read(c, (struct text){0}, 10000, &list))
		return false;
	for (size_t i = 0; i < list.ids.n; i++)
		if (text_starts(list.ids.items[i], text_string(c->arena, typed)))
			list.ids.items[kept++] = list.ids.items[i];
	*out = (struct texts){list.ids.items, kept};
	return true;
}

static bool manual_stamp(struct call *c, const struct text *values, struct text *out)
{
	struct manual m;

	*out = (struct text){0};
	if (!manual_open(c, values[0], MANUAL_READ, &m)) {
		c->error = (struct error){0};
		return true;
	}
	*out = manual_revision(&m);
	manual_close(&m);
	return true;
}

const struct resource docjl_resources[] = {
	{.uri = "docjl://document/{id}",
	 .name = "manual",
	 .title = "DOCJL manual",
	 .prose = "A manual as JSON: {id, metadata, docjll}",
	 .mime = "application/json",
	 .read = read_manual,
	 .list = list_manuals,
	 .complete = complete_id,
	 .revision = manual_stamp},
	{.uri = NULL},
};

struct review_args {
	struct text document_id, since;
};
static const struct field review_in[] = {
	FIELD(struct review_args, document_id, TEXT, FIELD_REQUIRED, "The manual"),
	FIELD(struct review_args, since, TEXT, 0, "Revision or date of the last approval"),
	FIELDS_END,
};
static const struct field check_in[] = {
	FIELD(struct review_args, document_id, TEXT, FIELD_REQUIRED, "The manual"),
	FIELDS_END,
};

static bool review_changes(struct call *c, const void *in)
{
	const struct review_args *args = in;

	reply_text(
		c,
		text_format(
			c->arena,
			"List what changed in the manual %.*s since %.*s for re-approval. Call mcp_docjl_diff, group the changes by "
			"section, say for each who made it and what it means, then call mcp_docjl_validate_references and "
			"mcp_docjl_verify_audit and tell me what they find. Change nothing.",
			TEXT_ARGS(args->document_id),
			TEXT_ARGS(args->since.at ? args->since : TEXT("its creation (r1)"))));
	return true;
}

static bool check_manual(struct call *c, const void *in)
{
	const struct review_args *args = in;

	reply_text(
		c,
		text_format(
			c->arena,
			"Check the manual %.*s. Call mcp_docjl_validate_schema and mcp_docjl_validate_references. For each broken "
			"reference find the block that was meant with mcp_docjl_search_blocks and propose a change for "
			"mcp_docjl_update_references. Make the changes I agree to.",
			TEXT_ARGS(args->document_id)));
	return true;
}

static bool complete_prompt(struct call *c, const char *argument, struct text typed, struct texts *out)
{
	*out = (struct texts){0};
	return strcmp(argument, "document_id") != 0 || complete_id(c, 0, typed, out);
}

const struct prompt docjl_prompts[] = {
	{.name = "review_changes",
	 .title = "Review changes",
	 .prose = "What changed since the last approval, and whether the manual is sound",
	 .in = review_in,
	 .in_size = sizeof(struct review_args),
	 .run = review_changes,
	 .complete = complete_prompt},
	{.name = "check_manual",
	 .title = "Check a manual",
	 .prose = "Find what breaks the schema and repair broken references",
	 .in = check_in,
	 .in_size = sizeof(struct review_args),
	 .run = check_manual,
	 .complete = complete_prompt},
	{.name = NULL},
};
