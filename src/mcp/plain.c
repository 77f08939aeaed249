/* plain.c: the plain form: a POST of {"method": TOOL, "params": {...}} without the protocol.
 *
 * It returns the result's object itself, and errors as the kind's object with an HTTP status. */
#include "mcp/inner.h"

static void answer_plain(struct exchange *x, int status, struct text message)
{
	call_end(x);
	exchange_finish(x, status, message);
}

static void write_blocks(struct exchange *x, struct json_out *o)
{
	struct exchange_inner *i = x->inner;

	for (size_t n = 0; n < i->reply.blocks.n; n++) {
		const struct block *b = &i->reply.blocks.items[n];
		if (b->type != BLOCK_IMAGE && b->type != BLOCK_AUDIO && b->type != BLOCK_RESOURCE)
			continue;
		json_key(o, "mimeType");
		json_put_string(o, b->mime);
		json_key(o, "data");
		json_put_text(o, base64_encode(&x->arena, b->bytes));
		return;
	}
}

static struct text body(struct exchange *x, struct text structured)
{
	struct exchange_inner *i = x->inner;
	struct buffer b = {.arena = &x->arena};
	struct json_out o = {.to = &b};
	struct json_error err;

	json_open(&o, '{');
	if (structured.at) {
		const struct json *fields = json_parse(&x->arena, structured, JSON_DEPTH_MAX, &err);
		for (uint32_t k = 0; json_is(fields, JSON_OBJECT) && k < fields->len; k++) {
			json_key(&o, fields->members[k].key);
			json_put(&o, &fields->members[k].value);
		}
	} else if (i->reply.blocks.n && i->reply.blocks.items[0].type == BLOCK_TEXT) {
		json_key(&o, "text");
		json_put_text(&o, i->reply.blocks.items[0].bytes);
		if (i->call.revision.at) {
			json_key(&o, "revision");
			json_put_text(&o, i->call.revision);
		}
	}
	write_blocks(x, &o);
	json_close(&o, '}');
	return buffer_text(&b);
}

struct plain {
	struct exchange *x;
	const struct served_tool *tool;
	const struct json *params;
	struct text body;
	bool done;
};

static void run(void *of)
{
	struct plain *p = of;
	struct text structured;

	p->done = tool_at_work(p->x, p->tool, p->params, &structured);
	if (p->done)
		p->body = body(p->x, structured);
}

void plain_work(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	const struct served *here = SERVED(x);
	struct text name = json_text(json_get(i->message, "method"));
	struct plain p = {.x = x, .tool = name.at ? tool_find(here, name) : NULL, .params = i->params};
	const struct kind *shape = p.tool ? p.tool->kind : here->endpoint.alone ? here->endpoint.kinds[0] : &kind_core;

	if (!p.params || p.params->type == JSON_NULL)
		p.params = json_new_object(&x->arena);
	/* An error that is set already: the body is not JSON. */
	if (!i->call.error.fault && !name.at)
		fail(&i->call, FAULT_ARGUMENT, "method must be a string, the name of a tool");
	else if (i->call.error.fault)
		p.done = false;
	else if (!p.tool)
		fail(&i->call, FAULT_ARGUMENT, "there is no tool %s; the protocol's tools/list lists the tools",
		     shown(&i->call, name));
	else if (p.params->type != JSON_OBJECT)
		fail(&i->call, FAULT_ARGUMENT, "params must be an object");
	else
		p.done = call_within(x, run, &p) && p.done;
	/* This form cannot ask questions: the handler saw no capability, so it asked none. */
	if (p.done) {
		answer_plain(x, 200, p.body);
		return;
	}
	i->outcome = kind_code(shape, &i->call.error);
	struct buffer b = {.arena = &x->arena};
	kind_error(&(struct json_out){.to = &b}, shape, &i->call.error);
	answer_plain(x, kind_status(shape, &i->call.error), buffer_text(&b));
}
