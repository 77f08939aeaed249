/* origin_fuzz.c: any bytes as a Host and as an Origin.
 *
 * Property: without a list, only the three names of this machine pass, in any case and with any port. */
#include "guard/guard.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* True if the text is the name, optionally followed by a colon and digits. */
static bool is_name(struct text t, const char *name)
{
	size_t len = strlen(name);

	if (t.len < len || strncasecmp(t.at, name, len))
		return false;
	if (t.len > len && t.at[len] != ':')
		return false;
	for (size_t i = len + 1; i < t.len; i++)
		if (t.at[i] < '0' || t.at[i] > '9')
			return false;
	return true;
}

static bool is_local(struct text t)
{
	return is_name(t, "localhost") || is_name(t, "127.0.0.1") || is_name(t, "[::1]");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char *copy = malloc(n + 1);

	memcpy(copy, bytes, n);
	copy[n] = 0;
	struct text t = {copy, n};
	if (guard_host(t, NULL) && !is_local(t))
		abort();
	/* Only an origin with the host and port of the server itself passes. */
	if (guard_origin(t, TEXT("localhost:8080"), NULL)) {
		size_t scheme = !strncasecmp(copy, "https://", 8) ? 8 : 7;

		if (strncasecmp(copy, "http", 4) || !is_local(text_slice(t, scheme, n)))
			abort();
	}
	(void)guard_is_loopback(copy);
	free(copy);
	return 0;
}
