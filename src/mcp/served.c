#include "mcp/served.h"

#include "base/mutex.h"
#include "mcp/inner.h"
#include "mcp/notice.h"
#include "mcp/other_tools.h"
#include "work/history/history.h"

#include <string.h>

static const struct tool *const core_tools[] = {file_tools, NULL};

/* Changes with every change of a document that the caller may see. For the page and other programs that watch; it is
 * not listed, so no model pays for it. */
static bool changes_revision(struct call *c, const struct text *values, struct text *out)
{
	struct history_entry *newest;
	size_t n;
	bool more;

	(void)values;
	if (!c->work || !history_list(c, (struct text){0}, 0, 1, &newest, &n, &more))
		return false;
	*out = n ? text_format(c->arena, "%lld", (long long)newest->id) : TEXT("none");
	return true;
}

static bool changes_read(struct call *c, const struct text *values)
{
	struct text newest;

	if (!changes_revision(c, values, &newest))
		return false;
	reply_resource(c, CHANGES_URI, "text/plain", newest);
	return true;
}

static const struct resource core_resources[] = {
	{.uri = CHANGES_URI,
	 .name = "changes",
	 .title = "Changes of all documents",
	 .prose = "The number of the newest change; file_history lists them.",
	 .mime = "text/plain",
	 .read = changes_read,
	 .revision = changes_revision},
	{.uri = NULL},
};

const struct kind kind_core = {
	.name = "file",
	.title = "Files and their history",
	.prose = "The history of every document: what changed, who changed it, and undo.",
	.tools = core_tools,
	.resources = core_resources,
};

/* If several kinds are served, a tool's name begins with its kind, unless the name already contains it. So names never
 * depend on which other tools exist. */
static struct text served_name(struct arena *a, const struct kind *k, const char *name, bool alone)
{
	return alone ? text_of(name) : name_together(a, k, name);
}

static const void *kind_config(const struct server *s, const struct kind *k)
{
	for (size_t i = 0; i < s->n_kinds; i++)
		if (s->kinds[i].kind == k)
			return s->kinds[i].config;
	return NULL;
}

static bool is_served_as(const struct kind *k, const struct tool *t, struct text name)
{
	size_t prefix = strlen(k->name);

	return name.len > prefix && text_starts(name, k->name) && name.at[prefix] == '_' &&
	       text_is(text_slice(name, prefix + 1, name.len), t->name);
}

static bool names_tools(const struct server_options *o)
{
	return o->tools && strcmp(o->tools, "all") != 0 && strcmp(o->tools, "core") != 0;
}

/* Can it be called here? The user may have named the tools, by their listed names or without their kind. */
static bool is_wanted(const struct server *s, const struct kind *k, const struct tool *t)
{
	const struct server_options *o = &s->options;

	if (t->offered && !t->offered(kind_config(s, k)))
		return false;
	if (o->read_only && tool_writes(t))
		return false;
	if (!names_tools(o))
		return true;
	struct text names = text_of(o->tools);
	for (size_t at = 0; at <= names.len;) {
		size_t end = text_find(names, TEXT(","), at);
		end = end == SIZE_MAX ? names.len : end;
		struct text name = text_trim(text_slice(names, at, end));
		if (text_is(name, t->name) || is_served_as(k, t, name))
			return true;
		at = end + 1;
	}
	return false;
}

struct filling {
	struct server *s;
	bool alone;
	ARRAY(struct served_tool) tools;
};

/* `speaks`: the kind whose error format it uses. */
static void add_tool(struct filling *f, const struct kind *k, const struct tool *t, const struct kind *speaks,
		     bool alone)
{
	struct arena *a = &f->s->arena;

	*ARRAY_PUSH(a, &f->tools) = (struct served_tool){.name = served_name(a, k, t->name, alone),
							 .bare = t->name,
							 .kind = speaks,
							 .tool = t,
							 .is_alias = t->effect & TOOL_UNLISTED};
	for (const char *const *alias = t->aliases; alias && *alias; alias++)
		*ARRAY_PUSH(a, &f->tools) =
			(struct served_tool){served_name(a, k, *alias, alone), *alias, speaks, t, true};
}

static void add_tools(struct filling *f, const struct kind *k, const struct kind *speaks, bool alone)
{
	for (const struct tool *const *table = k->tools; table && *table; table++)
		for (const struct tool *t = *table; t->name; t++)
			if (is_wanted(f->s, k, t))
				add_tool(f, k, t, speaks, alone);
}

static void note_features(struct served *p, const struct kind *k)
{
	p->logs |= k->logs;
	p->lists_change |= k->lists_change;
	for (const struct resource *r = k->resources; r && r->uri; r++) {
		p->has_resources = true;
		p->subscribes |= r->revision != NULL;
		p->completes |= r->complete != NULL;
	}
	for (const struct prompt *row = k->prompts; row && row->name; row++) {
		p->has_prompts = true;
		p->completes |= row->complete != NULL;
	}
}

static void fill(struct server *s, struct served *p)
{
	const struct kind *const *kinds_here = p->endpoint.kinds;
	const char *tools = s->options.tools;
	struct filling f = {.s = s, .alone = p->endpoint.alone};
	bool has_files = false;

	p->hides = tools ? !strcmp(tools, "core") : !f.alone;
	p->looks = p->hides && !f.alone && s->options.looks;
	for (const struct kind *const *k = kinds_here; *k; k++) {
		has_files |= !(*k)->no_files;
		note_features(p, *k);
	}
	/* A kind that is served alone also owns the core's tools, so errors have one format at one address. */
	const struct kind *owner = f.alone ? kinds_here[0] : &kind_core;
	if ((s->options.work || s->options.only_lists) && has_files)
		add_tools(&f, &kind_core, owner, true);
	if (p->hides)
		add_tool(&f, &kind_core, other_tools, owner, true);
	for (const struct kind *const *k = kinds_here; *k; k++)
		add_tools(&f, *k, *k, f.alone);
	p->tools = f.tools.items;
	p->n_tools = f.tools.n;
}

/* It is filled when its first client comes: most servers have clients at one address only. */
static const struct endpoint *served_at(struct server *s, struct served *p)
{
	if (!atomic_load(&p->is_filled)) {
		mutex_lock(&s->lock);
		if (!atomic_load(&p->is_filled))
			fill(s, p);
		atomic_store(&p->is_filled, true);
		mutex_unlock(&s->lock);
	}
	return &p->endpoint;
}

const struct endpoint *server_endpoint(struct server *s, struct text path)
{
	if (!path.len || text_is(path, "/mcp"))
		return served_at(s, &s->served[0]);
	if (!text_starts(path, "/mcp/"))
		return NULL;
	for (size_t i = 1; i < s->n_served; i++)
		if (text_is(text_slice(path, 5, path.len), s->served[i].endpoint.kinds[0]->name))
			return served_at(s, &s->served[i]);
	return NULL;
}

static const struct served_tool *tool_named(const struct served *p, struct text name)
{
	for (size_t i = 0; i < p->n_tools; i++)
		if (text_same(p->tools[i].name, name))
			return &p->tools[i];
	return NULL;
}

/* Where several kinds are served, a name without its kind is accepted if only one kind has it. An alias does not count
 * against a tool's own name. */
const struct served_tool *tool_find(const struct served *p, struct text name)
{
	const struct served_tool *found = tool_named(p, name), *own = NULL, *alias = NULL;
	size_t owns = 0, aliases = 0;

	if (found || p->endpoint.alone)
		return found;
	for (const struct served_tool *t = p->tools, *end = t + p->n_tools; t < end; t++) {
		if (!text_is(name, t->bare))
			continue;
		bool is_own = !strcmp(t->bare, t->tool->name);
		*(is_own ? &own : &alias) = t;
		++*(is_own ? &owns : &aliases);
	}
	return owns == 1 ? own : !owns && aliases == 1 ? alias : NULL;
}

/* The core's tools work on files of every kind. Where all kinds are served, a key for one kind may use them, on the
 * documents that its globs match. */
bool served_may(const struct served *p, const struct key *key, const struct served_tool *t)
{
	bool is_granted = is_other_tools(t) || key_may_tool(key, t->kind, t->tool);

	for (const struct kind *const *k = p->endpoint.kinds; t->kind == &kind_core && *k && !is_granted; k++)
		is_granted = key_may_tool(key, *k, t->tool);
	return is_granted;
}

const struct served_tool *served_callable(const struct served *p, const struct key *key, const struct kind *k,
					  struct text bare)
{
	for (const struct served_tool *t = p->tools, *end = t + p->n_tools; t < end; t++) {
		if ((t->kind == k || t->kind == &kind_core) && bare.len && *bare.at == *t->bare &&
		    text_is(bare, t->bare) && served_may(p, key, t))
			return t;
	}
	return NULL;
}

/* The kind that the name begins with; NULL: none. */
static const struct kind *kind_before(const struct served *p, struct text name)
{
	for (const struct kind *const *k = p->endpoint.kinds; *k; k++) {
		size_t front = strlen((*k)->name);
		if (name.len > front + 1 && text_starts(name, (*k)->name) && name.at[front] == '_')
			return *k;
	}
	return NULL;
}

/* True if a served kind has it, by its own name or by its name with several kinds. */
static bool is_left_out(const struct served *p, struct text name)
{
	const struct kind *before = kind_before(p, name);

	if (before && kind_tool(before, text_slice(name, strlen(before->name) + 1, name.len)))
		return true;
	for (const struct kind *const *k = p->endpoint.kinds; *k; k++)
		if (kind_tool(*k, name))
			return true;
	return false;
}

/* Words that models confuse in the names of tools. A name means another if all its words do. */
static const char *const same_words[][8] = {
	{"node", "note", "page", "element"},
	{"document", "doc", "file", "book", "novel", "manual"},
	{"remove", "delete", "erase"},
	{"create", "add", "new", "make"},
	{"update", "edit", "modify", "change", "set"},
	{"get", "read", "show", "fetch", "view"},
	{"list", "ls", "index"},
	{"search", "find", "query", "grep"},
	{"comment", "annotation"},
	{"rename", "retitle"},
};

/* The first of the words that mean the same. */
static struct text plain_word(struct text word)
{
	struct text one = word.len > 3 && word.at[word.len - 1] == 's' ? text_slice(word, 0, word.len - 1) : word;

	for (size_t i = 0; i < ARRAY_COUNT(same_words); i++)
		for (size_t k = 0; k < ARRAY_COUNT(same_words[i]) && same_words[i][k]; k++)
			if (text_is(one, same_words[i][k]))
				return text_of(same_words[i][0]);
	return one;
}

/* The name in plain words, without a kind before it. */
static struct text plain_name(struct arena *a, const struct served *p, struct text name)
{
	const struct kind *k = kind_before(p, name);
	struct buffer b = {.arena = a};

	if (k)
		name = text_slice(name, strlen(k->name) + 1, name.len);
	for (size_t at = 0; at < name.len;) {
		size_t end = text_find(name, TEXT("_"), at);
		end = end == SIZE_MAX ? name.len : end;
		buffer_add(&b, plain_word(text_slice(name, at, end)));
		buffer_byte(&b, '_');
		at = end + 1;
	}
	return buffer_text(&b);
}

/* Adds the names that are meant, of those that the client may use: the same word after a kind, or else the same in
 * plain words. */
static void put_meant(struct buffer *to, struct exchange *x, struct text name, bool in_plain_words)
{
	enum { TOLD_MAX = 5, COMPARED_MAX = 100 };
	const struct served *p = SERVED(x);
	const struct kind *k = kind_before(p, name);
	struct text end = text_format(&x->arena, "_%.*s", TEXT_ARGS(name));
	size_t told = 0;

	if (!name.len || name.len > COMPARED_MAX)
		return;
	struct text plain = plain_name(&x->arena, p, name);
	for (const struct served_tool *t = p->tools, *last = t + p->n_tools; t < last && told < TOLD_MAX; t++) {
		bool fits = !t->is_alias && served_may(p, x->key, t) && (!k || t->kind == k || t->kind == &kind_core);
		if (!fits || !(in_plain_words ? text_same(plain, plain_name(&x->arena, p, text_of(t->bare)))
					      : text_ends(t->name, end.at)))
			continue;
		buffer_format(to, "%s%.*s", told++ ? " or " : "", TEXT_ARGS(t->name));
	}
}

const char *served_meant(struct exchange *x, struct text name)
{
	const struct served *p = SERVED(x);
	struct buffer b = {.arena = &x->arena};
	const char **names = arena_array(&x->arena, p->n_tools + 1, sizeof *names);
	size_t n = 0;

	put_meant(&b, x, name, false);
	if (!b.len)
		put_meant(&b, x, name, true);
	if (b.len)
		return text_format(&x->arena, "did you mean %s?", buffer_text(&b).at).at;
	if (is_left_out(p, name))
		return "this server does not offer it to you: --tools, --read-only, its settings or your key leave it "
		       "out";
	for (const struct served_tool *t = p->tools, *last = t + p->n_tools; t < last; t++)
		if (!t->is_alias && served_may(p, x->key, t))
			names[n++] = text_string(&x->arena, t->name);
	names[n] = NULL;
	const char *nearest = text_nearest(name, names);
	return nearest ? text_format(&x->arena, "did you mean %s?", nearest).at : "tools/list lists the tools";
}
