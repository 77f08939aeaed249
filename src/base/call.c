#include "base/call.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/utf8.h"

#include <string.h>

struct text prose(struct call *c, const char *words) { return text_of(c->served ? c->served(c, words) : words); }

/* The formats are not literals here. Renaming tools in them keeps their conversions. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
struct text vsaid(struct call *c, const char *format, va_list ap)
{
	return text_vformat(c->arena, prose(c, format).at, ap);
}

/* The length of the message in the formatted text tells where the hint begins, whatever the values contain. */
static void set_error(struct call *c, enum fault f, const char *code, const char *format, va_list ap)
{
	static const char divider[] = "; ";
	struct text words = prose(c, format);
	const char *end = strstr(words.at, divider);
	va_list again;

	va_copy(again, ap);
	struct text whole = text_vformat(c->arena, words.at, ap);
	c->error = (struct error){.fault = f, .code = code, .message = whole.at};
	if (end) {
		const char *first = text_string(c->arena, (struct text){words.at, (size_t)(end - words.at)});
		struct text message = text_vformat(c->arena, first, again);
		c->error.message = message.at;
		c->error.hint = whole.at + message.len + strlen(divider);
	}
	va_end(again);
}
#pragma GCC diagnostic pop

struct text said(struct call *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	struct text words = vsaid(c, format, ap);
	va_end(ap);
	return words;
}

bool fail(struct call *c, enum fault f, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	set_error(c, f, NULL, format, ap);
	va_end(ap);
	return false;
}

bool vfail_as(struct call *c, const char *code, const char *format, va_list ap)
{
	set_error(c, FAULT_OWN, code, format, ap);
	return false;
}

bool fail_as(struct call *c, const char *code, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfail_as(c, code, format, ap);
	va_end(ap);
	return false;
}

void warn(struct call *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	*ARRAY_PUSH(c->arena, &c->warnings) = vsaid(c, format, ap);
	va_end(ap);
}

/* Control characters, and characters that are invisible or change the direction of the line. They could make a message
 * look different from what it says. */
static bool is_hidden(uint32_t u)
{
	return u < 0x20 || (u >= 0x7F && u < 0xA0) || (u >= 0x200B && u <= 0x200F) || (u >= 0x2028 && u <= 0x202E) ||
	       (u >= 0x2066 && u <= 0x2069) || u == 0xFEFF;
}

static void show_character(struct buffer *b, struct text t, size_t *at)
{
	static const struct {
		char c;
		const char *shown;
	} short_forms[] = {{'\n', "\\n"}, {'\t', "\\t"}, {'\r', "\\r"}};

	if (!utf8_len(t.at + *at, t.at + t.len)) {
		buffer_format(b, "\\x%02x", (unsigned char)t.at[(*at)++]);
		return;
	}
	size_t from = *at;
	uint32_t u = utf8_next(t, at);
	for (size_t i = 0; i < ARRAY_COUNT(short_forms); i++) {
		if (u == (unsigned char)short_forms[i].c) {
			buffer_put(b, short_forms[i].shown);
			return;
		}
	}
	if (is_hidden(u))
		buffer_format(b, "\\u%04x", u);
	else
		buffer_add(b, text_slice(t, from, *at));
}

const char *shown(struct call *c, struct text t)
{
	enum { SHOWN_MAX = 80 };

	return shown_to(c, t, SHOWN_MAX);
}

const char *shown_to(struct call *c, struct text t, size_t max)
{
	enum { ELLIPSIS = 3 };
	struct buffer b = {.arena = c->arena};
	size_t cut = 0;

	for (size_t at = 0; at < t.len;) {
		show_character(&b, t, &at);
		if (b.len <= max - ELLIPSIS)
			cut = b.len;
		if (b.len > max) {
			b.len = cut;
			buffer_put(&b, "...");
			break;
		}
	}
	return buffer_text(&b).at;
}

void call_progress(struct call *c, double done, double total, const char *message)
{
	if (c->progress)
		c->progress(c, done, total, message);
}

bool fail_ended(struct call *c, enum budget_end why)
{
	switch (why) {
	case BUDGET_MEMORY:
		return fail(
			c, FAULT_TOO_LARGE,
			"the call needs more memory than a call may use, and nothing was changed; request less at a "
			"time (the limit is call_memory_mb in the configuration)");
	case BUDGET_NO_MEMORY:
		return fail(c, FAULT_TOO_LARGE,
			    "the server has no memory left for this call, and nothing was changed; request less at a "
			    "time, or try again later");
	case BUDGET_TIME: return fail(c, FAULT_TIMEOUT, "the call took too long and was ended; request less at a time");
	case BUDGET_CANCELLED: return fail(c, FAULT_CANCELLED, "the call was cancelled; nothing was changed");
	case BUDGET_KEPT: break;
	}
	return true;
}

bool goes_on(struct call *c)
{
	if (c->cancelled && atomic_load_explicit(c->cancelled, memory_order_relaxed))
		return fail_ended(c, BUDGET_CANCELLED);
	if (c->deadline && clock_ticks() >= c->deadline)
		return fail_ended(c, BUDGET_TIME);
	return fail_ended(c, budget_passed());
}
