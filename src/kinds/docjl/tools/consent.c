/* consent.c: one gate for every way by which a tool deletes blocks. */
#include "kinds/docjl/tools/common.h"

enum { LISTED_MAX = 100 };

struct consent {
	bool confirm;
};
static const struct field consent_form[] = {
	FIELD(struct consent, confirm, FLAG, FIELD_REQUIRED, "Delete it"),
	FIELDS_END,
};

static void put_list(struct call *c, struct json *details, const char *key, const struct text *items, size_t n)
{
	struct json *list = json_new_array(c->arena);

	for (size_t i = 0; i < n && i < LISTED_MAX; i++)
		json_push(c->arena, list, json_new_text(c->arena, items[i]));
	json_set(c->arena, details, key, list);
}

static bool refuse(struct manual *m, const char *words)
{
	struct json *details = json_new_object(m->c->arena);

	json_set_int(m->c->arena, details, "deleted_count", m->loss.blocks);
	put_list(m->c, details, "deleted", m->loss.labels.items, m->loss.labels.n);
	put_list(m->c, details, "broken_references", m->loss.broken.items, m->loss.broken.n);
	fail_as(m->c, CONFIRMATION_REQUIRED, "%s", words);
	m->c->error.details = details;
	return false;
}

bool loss_agreed(struct manual *m, bool confirm, struct text what, bool *waits)
{
	static const char declined[] = "the user did not agree; nothing was deleted or changed";
	struct call *c = m->c;
	struct consent consent = {0};

	*waits = false;
	m->loss.is_agreed = confirm || c->dry_run || m->kind->confirm == CONFIRM_NONE || !m->loss.blocks;
	if (m->loss.is_agreed)
		return true;
	if (m->kind->confirm == CONFIRM_FLAG)
		return refuse(
			m, "this server requires confirm: true to delete blocks; details show what would be deleted");
	struct text question = text_format(c->arena, "%.*s This deletes %lld block%s and breaks %zu reference%s.",
					   TEXT_ARGS(what), (long long)m->loss.blocks, m->loss.blocks == 1 ? "" : "s",
					   m->loss.broken.n, m->loss.broken.n == 1 ? "" : "s");
	switch (ask(c, "confirm", question.at, consent_form, sizeof consent, &consent, manual_revision(m))) {
	case ANSWERED:
		if (!consent.confirm)
			return refuse(m, declined);
		break;
	case DECLINED: return refuse(m, declined);
	case WAITING: *waits = true; return true;
	case UNABLE: break;
	}
	m->loss.is_agreed = true;
	return true;
}
