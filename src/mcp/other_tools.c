#include "mcp/other_tools.h"

#include "mcp/inner.h"

struct other_args {
	struct text kind, tool;
	const struct json *arguments;
};

static const struct field other_in[] = {
	FIELD(struct other_args, kind, TEXT, 0, "Describe the tools of this kind, with their arguments"),
	FIELD(struct other_args, tool, TEXT, 0, "Run this tool"),
	FIELD(struct other_args, arguments, MAP, 0, "Its arguments"),
	FIELDS_END,
};

static bool run(struct call *c, const void *in, void *out);

const struct tool other_tools[] = {
	TEXT_TOOL(
		"other_tools", "Tools that are not listed",
		"Without arguments: names every tool that is not in your list. With kind: describes that kind's tools. "
		"With tool and arguments: runs it.",
		TOOL_READS | TOOL_NO_FILE, struct other_args, other_in, run),
	TOOLS_END,
};

bool is_other_tools(const struct served_tool *t) { return t->tool == other_tools; }

/* Does the kind have tools that this client does not see in its list? */
static bool has_hidden(const struct offer *o, const struct kind *k)
{
	for (size_t i = 0; i < o->served->n_tools; i++)
		if (o->served->tools[i].kind == k && offer_hides(o, &o->served->tools[i]))
			return true;
	return false;
}

struct tool other_tools_for(struct arena *a, const struct offer *o)
{
	struct tool t = *other_tools;
	struct buffer b = {.arena = a};
	unsigned effects = 0;

	for (size_t i = 0; i < o->served->n_tools; i++)
		if (offer_hides(o, &o->served->tools[i]))
			effects |= o->served->tools[i].tool->effect;
	t.effect |= effects & (TOOL_WRITES | TOOL_DELETES);
	buffer_put(&b, t.prose);
	buffer_put(&b, " Kinds:");
	for (const struct kind *const *k = o->served->endpoint.kinds; *k; k++)
		if (has_hidden(o, *k))
			buffer_format(&b, "%s %s%s%s", text_ends(buffer_text(&b), ":") ? "" : ",", (*k)->name,
				      offer_has_kind(o, *k) ? "" : ": ", offer_has_kind(o, *k) ? "" : (*k)->title);
	buffer_byte(&b, '.');
	t.prose = buffer_text(&b).at;
	return t;
}

/* "a, b, c": the names that the client may use. */
static const char *names_of(struct arena *a, const struct offer *o,
			    bool (*is_meant)(const struct offer *, const struct served_tool *))
{
	struct buffer b = {.arena = a};

	for (size_t i = 0; i < o->served->n_tools; i++)
		if (is_meant(o, &o->served->tools[i]))
			buffer_format(&b, "%s%.*s", b.len ? ", " : "", TEXT_ARGS(o->served->tools[i].name));
	return b.len ? buffer_text(&b).at : "none";
}

static void list_of(struct buffer *to, const struct offer *o, const struct kind *k, const char *prose)
{
	if (!has_hidden(o, k))
		return;
	buffer_format(to, "## %s: %s\n", k->name, prose);
	for (size_t i = 0; i < o->served->n_tools; i++) {
		const struct served_tool *t = &o->served->tools[i];
		if (t->kind == k && offer_hides(o, t))
			buffer_format(to, "%.*s: %s\n", TEXT_ARGS(t->name), t->tool->title);
	}
}

static bool list(struct call *c, const struct offer *o)
{
	struct buffer b = {.arena = c->arena};

	list_of(&b, o, &kind_core, kind_core.prose);
	for (const struct kind *const *k = o->served->endpoint.kinds; *k; k++)
		list_of(&b, o, *k, (*k)->prose);
	buffer_put(&b,
		   b.len ? "Call other_tools with kind to see their arguments, or with tool and arguments to run one.\n"
			 : "Every tool is in your list.\n");
	reply_text(c, buffer_text(&b));
	return true;
}

static bool describe(struct call *c, const struct offer *o, struct text name)
{
	struct buffer b = {.arena = c->arena}, kinds_here = {.arena = c->arena};
	const struct kind *found = text_is(name, kind_core.name) && has_hidden(o, &kind_core) ? &kind_core : NULL;

	for (const struct kind *const *k = o->served->endpoint.kinds; *k; k++) {
		if (!key_may_kind(o->key, *k))
			continue;
		buffer_format(&kinds_here, "%s%s", kinds_here.len ? ", " : "", (*k)->name);
		if (text_is(name, (*k)->name))
			found = *k;
	}
	if (!found)
		return fail(c, FAULT_NOT_FOUND, "there is no kind %s; the kinds are %s", shown(c, name),
			    kinds_here.len ? buffer_text(&kinds_here).at : "none");
	bool all = !has_hidden(o, found);
	for (size_t i = 0; i < o->served->n_tools; i++) {
		const struct served_tool *t = &o->served->tools[i];
		struct buffer one = {.arena = c->arena};
		if (t->kind != found || !(all ? offer_lists(o, t) : offer_hides(o, t)))
			continue;
		tool_describe(&(struct json_out){.to = &one}, t->tool, t->name.at, version_names[V2024_11_05], false);
		names_told_json(&b, c->arena, (struct view){o->served, o->key, found}, buffer_text(&one));
		buffer_byte(&b, '\n');
	}
	reply_text(c, buffer_text(&b));
	return true;
}

static bool run(struct call *c, const void *in, void *out)
{
	const struct other_args *args = in;
	struct exchange *x = c->reply->to;
	const struct offer o = offer_for(x);

	(void)out;
	if (args->arguments && args->arguments->len)
		return fail(c, FAULT_MISSING, "arguments needs tool, the name of the tool to run");
	return args->kind.at ? describe(c, &o, args->kind) : list(c, &o);
}

bool other_tools_aim(struct exchange *x, const struct served_tool **t, const struct json **arguments)
{
	struct call *c = &x->inner->call;
	struct other_args args;

	if (!fields_decode(c, other_in, sizeof args, *arguments, &args, NULL))
		return false;
	if (!args.tool.at)
		return true;
	const struct offer o = offer_for(x);
	const struct served_tool *found = tool_find(o.served, args.tool);
	if (!found || is_other_tools(found) || !served_may(o.served, o.key, found))
		return fail(c, FAULT_NOT_FOUND, "there is no tool %s; %s; those not in your list are %s",
			    shown(c, args.tool), served_meant(x, args.tool), names_of(c->arena, &o, offer_hides));
	*t = found;
	*arguments = args.arguments ? args.arguments : json_new_object(&x->arena);
	return true;
}
