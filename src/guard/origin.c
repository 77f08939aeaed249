/* origin.c: which hosts and origins a request may carry.
 *
 * A web page can make its visitor's machine send requests to 127.0.0.1 (DNS rebinding). Host and Origin show this,
 * because a page cannot forge them. Only well-formed values are compared. Everything else is refused, so an unusual
 * spelling never passes as another name. */
#include "guard/guard.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

static const char *const always[] = {"localhost", "127.0.0.1", "[::1]", NULL};

static bool is_port(struct text t)
{
	if (t.len < 1 || t.len > 5)
		return false;
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] < '0' || t.at[i] > '9')
			return false;
	return true;
}

static bool is_host_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
	       c == '_';
}

/* The host of "host", "host:port", "[v6]" or "[v6]:port"; absent when it is none of them. */
static struct text host_part(struct text t)
{
	const struct text none = {0};
	size_t end = 0;

	if (!t.at || !t.len)
		return none;
	if (t.at[0] == '[') {
		const char *close = memchr(t.at, ']', t.len);

		if (!close)
			return none;
		end = (size_t)(close - t.at) + 1;
		for (size_t i = 1; i + 1 < end; i++)
			if (!strchr("0123456789abcdefABCDEF:.", t.at[i]) || !t.at[i])
				return none;
	} else {
		while (end < t.len && is_host_byte(t.at[end]))
			end++;
	}
	if (!end)
		return none;
	if (end < t.len && (t.at[end] != ':' || !is_port(text_slice(t, end + 1, t.len))))
		return none;
	return text_slice(t, 0, end);
}

static bool same_host(struct text a, struct text b)
{
	return a.at && b.at && a.len == b.len && !strncasecmp(a.at, b.at, a.len);
}

/* "http" or "https" of "scheme://rest"; *rest is set. */
static struct text scheme_part(struct text t, struct text *rest)
{
	for (size_t len = 4; len <= 5; len++) {
		if (t.len > len + 3 && !strncasecmp(t.at, "https", len) && !memcmp(t.at + len, "://", 3)) {
			*rest = text_slice(t, len + 3, t.len);
			return text_slice(t, 0, len);
		}
	}
	return (struct text){0};
}

static bool is_local_name(struct text name)
{
	for (const char *const *a = always; *a; a++)
		if (same_host(name, text_of(*a)))
			return true;
	return false;
}

bool guard_host(struct text host, const char *const *allowed)
{
	struct text name = host_part(host);

	if (!name.at)
		return false;
	if (is_local_name(name))
		return true;
	for (const char *const *a = allowed; a && *a; a++)
		if (same_host(name, host_part(text_of(*a))))
			return true;
	return false;
}

/* The port of "host:port"; the scheme's default port if none is given. */
static struct text port_part(struct text t, struct text scheme)
{
	struct text name = host_part(t);

	if (name.len < t.len)
		return text_slice(t, name.len + 1, t.len);
	return scheme.len == 5 ? TEXT("443") : TEXT("80");
}

bool guard_origin(struct text origin, struct text host, const char *const *allowed)
{
	struct text rest = {0};

	if (!origin.at)
		return true;
	struct text scheme = scheme_part(origin, &rest);
	struct text name = scheme.at ? host_part(rest) : scheme;
	if (!name.at)
		return false;
	struct text own = host_part(host), port = port_part(rest, scheme);
	if (own.at && text_same(port, port_part(host, TEXT("http"))) &&
	    (same_host(name, own) || (is_local_name(name) && is_local_name(own))))
		return true;
	for (const char *const *a = allowed; a && *a; a++) {
		struct text entry = text_of(*a), entry_rest = entry;
		struct text entry_scheme = scheme_part(entry, &entry_rest);

		/* "https://app.example" allows that scheme only, "app.example" both. */
		if (entry_scheme.at && !same_host(entry_scheme, scheme))
			continue;
		if (same_host(name, host_part(entry_rest)) && text_same(port, port_part(entry_rest, scheme)))
			return true;
	}
	return false;
}

bool guard_is_loopback(const char *host)
{
	char bare[INET6_ADDRSTRLEN];
	struct in_addr four;
	struct in6_addr six;
	size_t len = host ? strlen(host) : 0;

	if (!len)
		return false;
	if (!strcasecmp(host, "localhost"))
		return true;
	if (inet_pton(AF_INET, host, &four) == 1)
		return (ntohl(four.s_addr) >> 24) == 127;
	if (host[0] == '[' && host[len - 1] == ']') {
		host++;
		len -= 2;
	}
	if (len >= sizeof bare)
		return false;
	memcpy(bare, host, len);
	bare[len] = 0;
	if (inet_pton(AF_INET6, bare, &six) != 1)
		return false;
	if (IN6_IS_ADDR_V4MAPPED(&six))
		return six.s6_addr[12] == 127;
	return IN6_IS_ADDR_LOOPBACK(&six);
}
