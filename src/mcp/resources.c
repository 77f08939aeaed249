/* resources.c: documents by URI. */
#include "mcp/inner.h"
#include "mcp/template.h"
#include "tool/again.h"

#include <string.h>

struct found {
	const struct kind *kind;
	const struct resource *resource;
	struct text values[TEMPLATE_VALUES_MAX];
};

static bool find_in(struct arena *a, const struct kind *k, struct text uri, struct found *out)
{
	for (const struct resource *r = k->resources; r && r->uri; r++)
		if (template_matches(a, r->uri, uri, out->values)) {
			out->kind = k;
			out->resource = r;
			return true;
		}
	return false;
}

static bool find(struct arena *a, const struct served *p, const struct key *key, struct text uri, struct found *out)
{
	for (const struct kind *const *k = p->endpoint.kinds; *k; k++)
		if (key_may_kind(key, *k) && find_in(a, *k, uri, out))
			return true;
	/* The core's own need no grant of a kind: they show each key only what it may see. */
	return find_in(a, &kind_core, uri, out);
}

bool resource_missing(struct exchange *x, struct text uri, const char *why)
{
	struct json *data = json_new_object(&x->arena);

	json_set_text(&x->arena, data, "uri", uri);
	x->inner->error_data = data;
	return refuse(x, x->inner->era == ERA_MODERN ? RPC_PARAMS : RPC_NO_RESOURCE, "there is no resource %s%s%s",
		      shown(&x->inner->call, uri), why ? ": " : "", why ? why : "");
}

static void write_entry(struct json_out *o, struct arena *a, const struct resource_entry *e, int version)
{
	json_open(o, '{');
	json_key(o, "uri");
	json_put_text(o, e->uri);
	json_key(o, "name");
	json_put_text(o, e->name.at ? e->name : e->uri);
	if (e->title.at && version >= V2025_06_18) {
		json_key(o, "title");
		json_put_text(o, e->title);
	}
	if (e->description.at) {
		json_key(o, "description");
		json_put_text(o, e->description);
	}
	if (e->mime.at) {
		json_key(o, "mimeType");
		json_put_text(o, e->mime);
	}
	if (e->size) {
		json_key(o, "size");
		json_put_int(o, (int64_t)e->size);
	}
	if (e->modified && version >= V2025_06_18) {
		json_key(o, "annotations");
		json_open(o, '{');
		json_key(o, "lastModified");
		json_put_text(o, clock_iso(a, e->modified));
		json_close(o, '}');
	}
	json_close(o, '}');
}

struct lister {
	struct exchange *x;
	struct json_out *o;
	struct text after; /* the page begins after this; absent once it was reached */
	struct text last;
	size_t n;
	bool more;
};

/* Lists the resources of one row; false: an error of the call. */
static bool list_row(struct lister *l, const struct kind *k, const struct resource *r)
{
	struct exchange *x = l->x;
	struct text values[TEMPLATE_VALUES_MAX];
	bool starts_here = l->after.at && template_matches(&x->arena, r->uri, l->after, values);

	if (l->after.at && !starts_here)
		return true;
	struct text after = l->after;
	l->after = (struct text){0};
	if (!template_has_places(r->uri)) {
		if (starts_here)
			return true;
		if (l->n == PAGE_MAX) {
			l->more = true;
			return true;
		}
		l->last = text_of(r->uri);
		write_entry(l->o, &x->arena,
			    &(struct resource_entry){.uri = l->last,
						     .name = text_of(r->name),
						     .title = text_of(r->title),
						     .mime = text_of(r->mime),
						     .description = text_of(r->prose)},
			    x->inner->version);
		l->n++;
		return true;
	}
	if (!r->list)
		return true;
	if (l->n == PAGE_MAX) {
		l->more = true;
		return true;
	}
	struct resource_entry *entries = NULL;
	size_t n = 0;
	bool more = false;
	if (!call_open(x, k) || !r->list(&x->inner->call, after, PAGE_MAX - l->n, &entries, &n, &more))
		return false;
	for (size_t i = 0; i < n; i++)
		write_entry(l->o, &x->arena, &entries[i], x->inner->version);
	l->n += n;
	if (n)
		l->last = entries[n - 1].uri;
	l->more = more;
	return true;
}

bool resources_list(struct exchange *x, struct json_out *o)
{
	const struct served *p = SERVED(x);
	struct lister l = {.x = x, .o = o};
	struct found found;

	if (!page_start(x, &l.after))
		return false;
	if (l.after.at && !find(&x->arena, p, x->key, l.after, &found))
		return refuse(x, RPC_PARAMS, "params.cursor is not from this server");
	call_begin(x, NULL);
	json_key(o, "resources");
	json_open(o, '[');
	for (const struct kind *const *k = p->endpoint.kinds; *k && !l.more; k++)
		for (const struct resource *r = (*k)->resources; r && r->uri && !l.more; r++)
			if (key_may_kind(x->key, *k) && !list_row(&l, *k, r))
				return refuse(x, RPC_INTERNAL, "%s", error_sentence(&x->arena, &x->inner->call.error));
	json_close(o, ']');
	if (l.more && l.last.at)
		page_next(o, &x->arena, l.last);
	x->inner->call.revision = (struct text){0};
	cache_hints(x, o, 0, false);
	return true;
}

bool resources_templates(struct exchange *x, struct json_out *o)
{
	struct text after;

	if (!page_start(x, &after))
		return false;
	if (after.at)
		return refuse(x, RPC_PARAMS, "params.cursor is not from this server");
	json_key(o, "resourceTemplates");
	json_open(o, '[');
	for (const struct kind *const *k = SERVED(x)->endpoint.kinds; *k; k++)
		for (const struct resource *r = (*k)->resources; r && r->uri; r++) {
			if (!template_has_places(r->uri) || !key_may_kind(x->key, *k))
				continue;
			json_open(o, '{');
			json_key(o, "uriTemplate");
			json_put_string(o, r->uri);
			json_key(o, "name");
			json_put_string(o, r->name);
			if (x->inner->version >= V2025_06_18 && r->title) {
				json_key(o, "title");
				json_put_string(o, r->title);
			}
			json_key(o, "description");
			json_put_string(o, r->prose);
			json_key(o, "mimeType");
			json_put_string(o, r->mime);
			json_close(o, '}');
		}
	json_close(o, ']');
	cache_hints(x, o, 60 * 60 * 1000, true);
	return true;
}

/* A resource with a path must be a document of its kind: hnpx:///id_rsa is refused, even if such a file exists. */
static bool is_document(const struct found *f, const char *extensions)
{
	const char *path = strstr(f->resource->uri, "{+path}");
	size_t which = 0;

	for (const char *at = f->resource->uri; path && at < path; at++)
		which += *at == '{';
	return !path || !extensions || text_ends_in(f->values[which], extensions);
}

bool resources_read(struct exchange *x, struct json_out *o)
{
	struct exchange_inner *i = x->inner;
	struct text uri;
	struct found found;

	if (!param_text(x, "uri", "a string, the resource's address", &uri))
		return false;
	if (!call_answers(x, i->params))
		return false;
	if (!find(&x->arena, SERVED(x), x->key, uri, &found))
		return resource_missing(x, uri, NULL);
	if (!is_document(&found, kind_documents(&x->arena, x->server, found.kind)))
		return resource_missing(x, uri, NULL);
	call_begin(x, found.kind);
	struct again mark = again_mark(&i->call);
	bool done;
	do
		done = call_open(x, found.kind) && found.resource->read(&i->call, found.values);
	while (!done && again(&i->call, &mark));
	if (!done) {
		enum fault f = i->call.error.fault;
		if (f == FAULT_CANCELLED)
			return false;
		if (f == FAULT_NOT_FOUND || f == FAULT_PATH || f == FAULT_OWN || f == FAULT_DENIED ||
		    f == FAULT_ARGUMENT)
			return resource_missing(x, uri, error_sentence(&x->arena, &i->call.error));
		return refuse(x, RPC_INTERNAL, "%s", error_sentence(&x->arena, &i->call.error));
	}
	if (i->reply.questions.n) {
		if (i->era == ERA_MODERN)
			ask_write(x, o);
		return true;
	}
	json_key(o, "contents");
	json_open(o, '[');
	for (size_t n = 0; n < i->reply.blocks.n; n++)
		if (i->reply.blocks.items[n].type == BLOCK_RESOURCE)
			write_contents(o, x, &i->reply.blocks.items[n]);
	json_close(o, ']');
	cache_hints(x, o, 0, false);
	return true;
}

bool resource_exists(struct exchange *x, struct text uri)
{
	struct found found;

	return find(&x->arena, SERVED(x), x->key, uri, &found);
}

bool resource_stamp(struct server *s, const struct served *p, const struct key *key, const char *uri,
		    struct revision *out)
{
	struct arena a = {0};
	struct found found;
	struct reply reply = {.log_level = -1, .announcer = server_announcer(s)};
	struct text stamp = {0};
	bool known = false;

	if (find(&a, p, key, text_of(uri), &found) && found.resource->revision) {
		struct call c = {.arena = &a,
				 .reply = &reply,
				 .work = s->options.work,
				 .document_max = found.kind->document_max,
				 .extensions = kind_documents(&a, s, found.kind),
				 .caller = key_caller(&a, key, TEXT("subscription"))};
		known = is_document(&found, c.extensions) && kind_state(&c, s, found.kind, &c.state) &&
			found.resource->revision(&c, found.values, &stamp);
		*out = revision_of(stamp);
		if (c.work)
			work_release(&c);
	}
	arena_free(&a);
	return known;
}
