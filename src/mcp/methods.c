/* methods.c: the table of methods, with their eras and handlers. */
#include "mcp/inner.h"

static bool has_tools(const struct served *p) { return p->n_tools > 0; }
static bool has_resources(const struct served *p) { return p->has_resources; }
static bool has_prompts(const struct served *p) { return p->has_prompts; }
static bool has_subscriptions(const struct served *p) { return p->subscribes; }
static bool has_completions(const struct served *p) { return p->completes; }
static bool has_logs(const struct served *p) { return p->logs; }

static const struct method methods[] = {
	{.name = "tools/call",
	 .eras = IN_LEGACY | IN_MODERN,
	 .at_work = true,
	 .mirrored = "name",
	 .exists = has_tools,
	 .run = tools_call},
	{.name = "tools/list", .eras = IN_LEGACY | IN_MODERN, .exists = has_tools, .run = tools_list},
	{.name = "server/discover", .eras = IN_MODERN, .run = modern_discover},
	{.name = "initialize", .eras = IN_LEGACY, .run = legacy_initialize},
	{.name = "ping", .eras = IN_LEGACY, .run = legacy_ping},
	{.name = "resources/read",
	 .eras = IN_LEGACY | IN_MODERN,
	 .at_work = true,
	 .mirrored = "uri",
	 .exists = has_resources,
	 .run = resources_read},
	{.name = "resources/list",
	 .eras = IN_LEGACY | IN_MODERN,
	 .at_work = true,
	 .exists = has_resources,
	 .run = resources_list},
	{.name = "resources/templates/list",
	 .eras = IN_LEGACY | IN_MODERN,
	 .exists = has_resources,
	 .run = resources_templates},
	{.name = "resources/subscribe",
	 .eras = IN_LEGACY,
	 .at_work = true,
	 .exists = has_subscriptions,
	 .run = resources_subscribe},
	{.name = "resources/unsubscribe",
	 .eras = IN_LEGACY,
	 .at_work = true,
	 .exists = has_subscriptions,
	 .run = resources_unsubscribe},
	{.name = "subscriptions/listen", .eras = IN_MODERN, .at_work = true, .open = true, .run = subscriptions_listen},
	{.name = "prompts/list", .eras = IN_LEGACY | IN_MODERN, .exists = has_prompts, .run = prompts_list},
	{.name = "prompts/get",
	 .eras = IN_LEGACY | IN_MODERN,
	 .at_work = true,
	 .mirrored = "name",
	 .exists = has_prompts,
	 .run = prompts_get},
	{.name = "completion/complete",
	 .eras = IN_LEGACY | IN_MODERN,
	 .at_work = true,
	 .exists = has_completions,
	 .run = completion},
	{.name = "logging/setLevel", .eras = IN_LEGACY, .exists = has_logs, .run = legacy_set_level},
	{.name = NULL},
};

const struct method *method_find(struct text name)
{
	for (const struct method *m = methods; m->name; m++)
		if (text_is(name, m->name))
			return m;
	return NULL;
}
