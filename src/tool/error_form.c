#include "tool/error_form.h"

#include "format/json.h"
#include "tool/kind.h"

#include <string.h>

static const struct error_form core_form = {
	.inside = "error", .argument = "where", .has_place = true, .details = DETAILS_BESIDE};

struct writer {
	struct json_out *o;
	const struct error_form *form;
	const struct error *e;
	const char *hint;
};

static void put_string(const struct writer *w, const char *name, const char *value)
{
	json_key(w->o, name);
	json_put_string(w->o, value);
}

static void put_int(const struct writer *w, const char *name, int64_t value)
{
	json_key(w->o, name);
	json_put_int(w->o, value);
}

static void put_members(const struct writer *w, const struct json *of)
{
	for (uint32_t i = 0; json_is(of, JSON_OBJECT) && i < of->len; i++) {
		json_key(w->o, of->members[i].key);
		json_put(w->o, &of->members[i].value);
	}
}

static void put_message(const struct writer *w)
{
	const char *message = w->e->message ? w->e->message : fault_prose(w->e->fault);

	json_key(w->o, "message");
	if (w->hint && w->form->hint == HINT_IN_MESSAGE) {
		struct buffer whole = {.arena = w->o->to->arena};
		buffer_format(&whole, "%s; %s", message, w->hint);
		json_put_text(w->o, buffer_text(&whole));
	} else {
		json_put_string(w->o, message);
	}
}

static void put_argument(const struct writer *w)
{
	if (w->e->where && w->form->argument)
		put_string(w, w->form->argument, w->e->where);
}

static void put_wait(const struct writer *w)
{
	if (w->e->retry_after)
		put_int(w, "retry_after", w->e->retry_after);
}

static void put_full_details(const struct writer *w)
{
	json_key(w->o, "details");
	json_open(w->o, '{');
	put_members(w, w->e->details);
	if (w->hint && w->form->hint == HINT_IN_DETAILS && !json_get(w->e->details, "hint"))
		put_string(w, "hint", w->hint);
	put_argument(w);
	put_wait(w);
	json_close(w->o, '}');
}

/* Code, message and what belongs to them. */
static void put_core(const struct writer *w, const char *code)
{
	put_string(w, w->form->code ? w->form->code : "code", code);
	put_message(w);
	if (w->form->details == DETAILS_ALWAYS) {
		put_full_details(w);
		return;
	}
	if (w->hint && w->form->hint == HINT_BESIDE)
		put_string(w, "hint", w->hint);
	put_argument(w);
	if (w->form->has_place && w->e->line) {
		put_int(w, "line", w->e->line);
		put_int(w, "column", w->e->column);
	}
	if (w->form->details == DETAILS_BESIDE && w->e->details) {
		json_key(w->o, "details");
		json_put(w->o, w->e->details);
	}
	put_wait(w);
}

void kind_error(struct json_out *o, const struct kind *k, const struct error *e)
{
	const struct error_form *f = k && k->error ? k->error : &core_form;
	const struct writer w = {o, f, e, e->hint || !f->hints ? e->hint : f->hints[e->fault]};
	const struct json *outer = f->details == DETAILS_OUTER ? e->details : NULL;
	bool is_replaced = f->inside && json_get(outer, f->inside);

	json_open(o, '{');
	if (f->flag) {
		json_key(o, f->flag);
		json_put_bool(o, f->flag_is);
	}
	if (f->inside && !is_replaced) {
		json_key(o, f->inside);
		if (f->is_list)
			json_open(o, '[');
		json_open(o, '{');
	}
	if (!is_replaced)
		put_core(&w, kind_code(k, e));
	if (f->inside && !is_replaced) {
		json_close(o, '}');
		if (f->is_list)
			json_close(o, ']');
	}
	put_members(&w, outer);
	json_close(o, '}');
}
