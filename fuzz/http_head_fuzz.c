/* http_head_fuzz.c: heads of requests, Accept values and events.
 *
 * The input is lines of a head. Properties: a valid head has exactly one Host and at most one way to end its body. A
 * type that Accept allows is named in it, as a type, a family or any type. An event contains its message, except for
 * line breaks. */
#include "mcp/http/head.h"
#include "mcp/http/sse.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINES_MAX = 64 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static size_t count(const struct head *h, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		n += h->headers[i].name.len == strlen(name) && !strncasecmp(h->headers[i].name.at, name, strlen(name));
	return n;
}

static bool names(struct text accept, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i + len <= accept.len; i++)
		if (!strncasecmp(accept.at + i, word, len))
			return true;
	return false;
}

static void check_head(const struct head *h)
{
	if (head_fault(h))
		return;
	must(count(h, "host") == 1);
	must(count(h, "content-length") + count(h, "transfer-encoding") <= 1);
	must(head_length(h) >= HEAD_CHUNKED);
	must((head_length(h) == HEAD_CHUNKED) == (count(h, "transfer-encoding") == 1));
	must(head_find(h, "host").at);
	must(count(h, "accept") || head_accepts(h, "application/json"));
}

static void check_accept(struct text value)
{
	if (media_accepted(value, "text/event-stream"))
		must(names(value, "text/event-stream") || names(value, "text/*") || names(value, "*/*"));
	if (media_is(value, "application/json"))
		must(names(value, "application/json"));
}

static void check_event(struct text message)
{
	struct sse s = {0};
	struct buffer back = {0}, want = {0};
	char part[7];
	size_t n;

	sse_event(&s, message);
	while ((n = sse_take(&s, part, sizeof part)))
		buffer_add(&back, (struct text){part, n});
	buffer_put(&want, "event: message\n");
	for (size_t i = 0; i < message.len; i++) {
		if (message.at[i] == '\n' || message.at[i] == '\r')
			continue;
		if (!i || message.at[i - 1] == '\n' || message.at[i - 1] == '\r')
			buffer_put(&want, "data: ");
		buffer_byte(&want, message.at[i]);
		if (i + 1 == message.len || message.at[i + 1] == '\n' || message.at[i + 1] == '\r')
			buffer_byte(&want, '\n');
	}
	buffer_byte(&want, '\n');
	must(text_same(buffer_text(&back), buffer_text(&want)));
	buffer_free(&back);
	buffer_free(&want);
}

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *at, size_t len)
{
	struct text all = {(const char *)at, len};
	struct header headers[LINES_MAX];
	struct head h = {.method = TEXT("POST"), .path = TEXT("/mcp"), .version = TEXT("HTTP/1.1"), .headers = headers};

	check_event((struct text){len ? all.at : "", len});
	for (size_t from = 0; from < len && h.n < LINES_MAX;) {
		size_t end = text_find(all, TEXT("\n"), from);
		struct text line = text_slice(all, from, end == SIZE_MAX ? len : end);
		size_t colon = text_find(line, TEXT(":"), 0);

		from += line.len + 1;
		if (colon == SIZE_MAX)
			continue;
		struct text value = text_trim(text_slice(line, colon + 1, line.len));
		headers[h.n++] = (struct header){text_slice(line, 0, colon), value};
		check_accept(value);
	}
	check_head(&h);
	return 0;
}
