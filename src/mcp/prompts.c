/* prompts.c: prompts, and completion of arguments of prompts and URIs. */
#include "mcp/inner.h"
#include "mcp/template.h"
#include "tool/again.h"

struct found {
	const struct kind *kind;
	const struct prompt *prompt;
};

/* If several kinds are served, a prompt's name begins with its kind, as for tools. */
static struct text prompt_name(struct arena *a, const struct served *p, const struct kind *k, const struct prompt *row)
{
	if (p->endpoint.alone || strstr(row->name, k->name))
		return text_of(row->name);
	return text_format(a, "%s_%s", k->name, row->name);
}

static bool find(struct exchange *x, struct text name, struct found *out)
{
	for (const struct kind *const *k = SERVED(x)->endpoint.kinds; *k; k++)
		for (const struct prompt *row = (*k)->prompts; row && row->name; row++)
			if (key_may_kind(x->key, *k) && text_same(prompt_name(&x->arena, SERVED(x), *k, row), name)) {
				*out = (struct found){*k, row};
				return true;
			}
	return false;
}

static void write_prompt(struct exchange *x, struct json_out *o, const struct kind *k, const struct prompt *row)
{
	json_open(o, '{');
	json_key(o, "name");
	json_put_text(o, prompt_name(&x->arena, SERVED(x), k, row));
	if (x->inner->version >= V2025_06_18) {
		json_key(o, "title");
		json_put_string(o, row->title);
	}
	json_key(o, "description");
	json_put_string(o, row->prose);
	if (row->in && row->in->name) {
		json_key(o, "arguments");
		json_open(o, '[');
		for (const struct field *f = row->in; f->name; f++) {
			json_open(o, '{');
			json_key(o, "name");
			json_put_string(o, f->name);
			json_key(o, "description");
			json_put_string(o, f->prose);
			json_key(o, "required");
			json_put_bool(o, f->flags & FIELD_REQUIRED);
			json_close(o, '}');
		}
		json_close(o, ']');
	}
	json_close(o, '}');
}

bool prompts_list(struct exchange *x, struct json_out *o)
{
	struct text after;

	if (!page_start(x, &after))
		return false;
	if (after.at)
		return refuse(x, RPC_PARAMS, "params.cursor is not from this server");
	json_key(o, "prompts");
	json_open(o, '[');
	for (const struct kind *const *k = SERVED(x)->endpoint.kinds; *k; k++)
		for (const struct prompt *row = (*k)->prompts; row && row->name; row++)
			if (key_may_kind(x->key, *k))
				write_prompt(x, o, *k, row);
	json_close(o, ']');
	cache_hints(x, o, 60 * 1000, true);
	return true;
}

bool prompts_get(struct exchange *x, struct json_out *o)
{
	struct exchange_inner *i = x->inner;
	struct text name;
	const struct json *arguments = json_get(i->params, "arguments");
	struct found found;

	if (!param_text(x, "name", "a string, the prompt's name", &name) || !call_answers(x, i->params))
		return false;
	if (!find(x, name, &found))
		return refuse(x, RPC_PARAMS, "there is no prompt %s; prompts/list lists the prompts",
			      shown(&i->call, name));
	if (!arguments || arguments->type == JSON_NULL)
		arguments = json_new_object(&x->arena);
	static const struct field no_fields[] = {FIELDS_END};
	void *in = arena_zero(&x->arena, found.prompt->in_size + 1);
	call_begin(x, found.kind);
	bool done = fields_decode(&i->call, found.prompt->in ? found.prompt->in : no_fields, found.prompt->in_size,
				  arguments, in, NULL);
	if (done) {
		struct again mark = again_mark(&i->call);
		do
			done = call_open(x, found.kind) && found.prompt->run(&i->call, in);
		while (!done && again(&i->call, &mark));
	}
	if (!done) {
		enum fault f = i->call.error.fault;
		bool is_ours = f == FAULT_STORAGE || f == FAULT_INTERNAL || f == FAULT_TIMEOUT;
		return refuse(x, is_ours ? RPC_INTERNAL : RPC_PARAMS, "%s", error_sentence(&x->arena, &i->call.error));
	}
	if (i->reply.questions.n) {
		if (i->era == ERA_MODERN)
			ask_write(x, o);
		return true;
	}
	json_key(o, "description");
	json_put_string(o, found.prompt->prose);
	json_key(o, "messages");
	json_open(o, '[');
	for (size_t n = 0; n < i->reply.blocks.n; n++) {
		json_open(o, '{');
		json_key(o, "role");
		json_put_string(o, "user");
		json_key(o, "content");
		struct block *b = &i->reply.blocks.items[n];
		if (b->type == BLOCK_TEXT)
			b->bytes = names_told(&x->arena, (struct view){SERVED(x), x->key, found.kind}, b->bytes);
		write_block(o, x, b, i->version);
		json_close(o, '}');
	}
	json_close(o, ']');
	return true;
}

static bool complete_prompt(struct exchange *x, struct text name, struct text argument, struct text typed,
			    struct texts *out)
{
	struct found found;

	if (!find(x, name, &found))
		return refuse(x, RPC_PARAMS, "there is no prompt %s", shown(&x->inner->call, name));
	for (const struct field *f = found.prompt->in; f && f->name; f++) {
		if (!text_is(argument, f->name))
			continue;
		call_begin(x, found.kind);
		if (!found.prompt->complete || !call_open(x, found.kind))
			return true;
		/* Suggestions are optional: if a lookup fails, there are none. */
		if (!found.prompt->complete(&x->inner->call, f->name, typed, out))
			*out = (struct texts){0};
		return true;
	}
	return refuse(x, RPC_PARAMS, "the prompt has no argument %s", shown(&x->inner->call, argument));
}

static bool complete_resource(struct exchange *x, struct text uri, struct text argument, struct text typed,
			      struct texts *out)
{
	for (const struct kind *const *k = SERVED(x)->endpoint.kinds; *k; k++)
		for (const struct resource *r = (*k)->resources; r && r->uri; r++) {
			if (!text_is(uri, r->uri) || !key_may_kind(x->key, *k))
				continue;
			int place = template_place(r->uri, argument);
			if (place < 0)
				return refuse(x, RPC_PARAMS, "the template has no place %s",
					      shown(&x->inner->call, argument));
			call_begin(x, *k);
			if (!r->complete || !call_open(x, *k))
				return true;
			if (!r->complete(&x->inner->call, place, typed, out))
				*out = (struct texts){0};
			return true;
		}
	return refuse(x, RPC_PARAMS, "there is no resource template %s", shown(&x->inner->call, uri));
}

/* Reads params.PARENT.NAME, a string. False: refused. */
static bool member_text(struct exchange *x, const char *parent, const struct json *object, const char *name,
			struct text *out)
{
	const struct json *v = json_get(object, name);

	*out = json_text(v);
	if (!json_is(object, JSON_OBJECT))
		return refuse_missing(x, parent, object, "an object");
	return out->at || refuse_missing(x, text_format(&x->arena, "%s.%s", parent, name).at, v, "a string");
}

bool completion(struct exchange *x, struct json_out *o)
{
	enum { VALUES_MAX = 100 };
	const struct json *ref = json_get(x->inner->params, "ref"), *argument = json_get(x->inner->params, "argument");
	struct text type, of, name, typed;
	struct texts values = {0};

	if (!member_text(x, "ref", ref, "type", &type))
		return false;
	bool is_prompt = text_is(type, "ref/prompt");
	if (!is_prompt && !text_is(type, "ref/resource"))
		return refuse(x, RPC_PARAMS, "params.ref.type must be ref/prompt or ref/resource, not %s",
			      shown(&x->inner->call, type));
	if (!member_text(x, "ref", ref, is_prompt ? "name" : "uri", &of) ||
	    !member_text(x, "argument", argument, "name", &name) ||
	    !member_text(x, "argument", argument, "value", &typed))
		return false;
	if (!(is_prompt ? complete_prompt : complete_resource)(x, of, name, typed, &values))
		return false;
	x->inner->call.revision = (struct text){0};
	json_key(o, "completion");
	json_open(o, '{');
	json_key(o, "values");
	json_open(o, '[');
	for (size_t i = 0; i < values.n && i < VALUES_MAX; i++)
		json_put_text(o, values.items[i]);
	json_close(o, ']');
	json_key(o, "total");
	json_put_int(o, (int64_t)values.n);
	json_key(o, "hasMore");
	json_put_bool(o, values.n > VALUES_MAX);
	json_close(o, '}');
	return true;
}
