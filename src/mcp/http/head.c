#include "mcp/http/head.h"
#include "base/array.h"

#include <string.h>
#include <strings.h>

/* Headers that decide how a server or a proxy handles the request must occur only once. */
static const char *const once[] = {
	"host",           "content-length",       "transfer-encoding", "authorization", "origin", "content-type",
	"mcp-session-id", "mcp-protocol-version", "mcp-method",        "mcp-name",      "expect", "last-event-id"};

static bool same_name(struct text a, struct text b) { return a.len == b.len && !strncasecmp(a.at, b.at, a.len); }

/* A token of RFC 9110, 5.6.2. */
static bool is_token(struct text t)
{
	for (size_t i = 0; i < t.len; i++) {
		char c = t.at[i];

		if (c <= ' ' || c == 127 || strchr("\"(),/:;<=>?@[\\]{}", c))
			return false;
	}
	return t.len > 0;
}

static bool has_control(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (((unsigned char)t.at[i] < ' ' && t.at[i] != '\t') || t.at[i] == 127)
			return true;
	return false;
}

/* 18 digits fit a signed 64-bit number. */
static bool is_length(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] < '0' || t.at[i] > '9')
			return false;
	return t.len > 0 && t.len <= 18;
}

static const char *framing_fault(const struct head *h)
{
	struct text length = head_find(h, "content-length"), coding = head_find(h, "transfer-encoding");

	if (length.at && coding.at)
		return "a request has either a Content-Length or a Transfer-Encoding, not both";
	if (length.at && !is_length(length))
		return "the Content-Length is not a number";
	if (coding.at && !same_name(coding, TEXT("chunked")))
		return "the only supported Transfer-Encoding is chunked";
	if (coding.at && !text_is(h->version, "HTTP/1.1"))
		return "a Transfer-Encoding needs HTTP/1.1";
	return NULL;
}

const char *head_fault(const struct head *h)
{
	unsigned seen[ARRAY_COUNT(once)] = {0};

	for (size_t i = 0; i < h->n; i++) {
		if (!is_token(h->headers[i].name))
			return "a header's name contains a character that is not allowed";
		if (has_control(h->headers[i].value))
			return "the value of a header has a control character";
		for (size_t k = 0; k < ARRAY_COUNT(once); k++)
			if (same_name(h->headers[i].name, text_of(once[k])) && seen[k]++)
				return "a header that is allowed once was sent twice";
	}
	if (!seen[0])
		return "the Host header is missing";
	return framing_fault(h);
}

struct text head_find(const struct head *h, const char *name)
{
	struct text wanted = text_of(name);

	for (size_t i = 0; i < h->n; i++)
		if (same_name(h->headers[i].name, wanted))
			return h->headers[i].value;
	return (struct text){0};
}

int64_t head_length(const struct head *h)
{
	struct text length = head_find(h, "content-length");
	int64_t n = 0;

	if (head_find(h, "transfer-encoding").at)
		return HEAD_CHUNKED;
	for (size_t i = 0; i < length.len; i++)
		n = n * 10 + (length.at[i] - '0');
	return n;
}

bool head_expects(const struct head *h) { return same_name(head_find(h, "expect"), TEXT("100-continue")); }

static struct text until(struct text t, char stop)
{
	const char *at = t.len ? memchr(t.at, stop, t.len) : NULL;

	return at ? text_slice(t, 0, (size_t)(at - t.at)) : t;
}

bool media_is(struct text content_type, const char *essence)
{
	return content_type.at && same_name(text_trim(until(content_type, ';')), text_of(essence));
}

/* "q=0" and "q=0.000" exclude a type. */
static bool is_excluded(struct text parameters)
{
	while (parameters.len) {
		struct text one = until(parameters, ';');

		parameters = text_slice(parameters, one.len + 1, parameters.len);
		one = text_trim(one);
		if (one.len < 3 || (one.at[0] != 'q' && one.at[0] != 'Q') || one.at[1] != '=' || one.at[2] != '0')
			continue;
		size_t i = 3;
		while (i < one.len && (one.at[i] == '0' || one.at[i] == '.'))
			i++;
		return i == one.len;
	}
	return false;
}

/* How well a range fits: 3 the type itself, 2 its family, 1 any type, 0 not at all. */
static int fit(struct text range, struct text type)
{
	size_t family = until(type, '/').len + 1;

	if (same_name(range, type))
		return 3;
	if (range.len == family + 1 && range.at[family] == '*' && !strncasecmp(range.at, type.at, family))
		return 2;
	return text_is(range, "*/*");
}

bool media_accepted(struct text accept, const char *type)
{
	int best = 0;
	bool accepted = false;

	while (accept.len) {
		struct text one = until(accept, ',');
		struct text range = until(one, ';');
		int fits = fit(text_trim(range), text_of(type));

		if (fits > best) {
			best = fits;
			accepted = !is_excluded(text_slice(one, range.len + 1, one.len));
		}
		accept = text_slice(accept, one.len + 1, accept.len);
	}
	return accepted;
}

bool head_accepts(const struct head *h, const char *type)
{
	bool is_asked = false;

	for (size_t i = 0; i < h->n; i++) {
		if (!same_name(h->headers[i].name, TEXT("accept")))
			continue;
		is_asked = true;
		if (media_accepted(h->headers[i].value, type))
			return true;
	}
	return !is_asked;
}
