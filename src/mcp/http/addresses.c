#include "mcp/http/addresses.h"

#include "base/budget.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MINUTE = 60 };

static struct address **bucket_of(struct addresses *a, const char *name)
{
	return &a->buckets[text_hash(text_of(name)) % ADDRESS_BUCKETS];
}

struct address *address_find(struct addresses *a, const char *name)
{
	for (struct address *at = *bucket_of(a, name); at; at = at->next)
		if (!strcmp(at->name, name))
			return at;
	return NULL;
}

struct address *address_at(struct addresses *a, const char *name)
{
	struct address *found = address_find(a, name), **bucket = bucket_of(a, name);

	if (found)
		return found;
	found = budget_zero(1, sizeof *found + strlen(name) + 1);
	memcpy(found->name, name, strlen(name) + 1);
	found->next = *bucket;
	*bucket = found;
	return found;
}

static bool is_settled(const struct address *of, int now)
{
	return !of->unknown && !of->keyed && (!of->failures || now - of->since >= MINUTE);
}

static void tidy(struct address **bucket, int now)
{
	for (struct address **at = bucket; *at;) {
		struct address *gone = *at;

		if (!is_settled(gone, now)) {
			at = &gone->next;
			continue;
		}
		*at = gone->next;
		free(gone);
	}
}

void address_settle(struct addresses *a, struct address *of, int now)
{
	if (is_settled(of, now))
		tidy(bucket_of(a, of->name), now);
}

void addresses_tidy(struct addresses *a, int now)
{
	for (int i = 0; i < ADDRESS_BUCKETS; i++)
		tidy(&a->buckets[i], now);
}

void addresses_free(struct addresses *a)
{
	for (int i = 0; i < ADDRESS_BUCKETS; i++)
		while (a->buckets[i]) {
			struct address *gone = a->buckets[i];
			a->buckets[i] = gone->next;
			free(gone);
		}
}

int address_failed(struct address *of, unsigned most, int now)
{
	if (now - of->since >= MINUTE) {
		of->since = now;
		of->failures = 0;
	}
	if (of->failures >= most)
		return MINUTE - (now - of->since);
	of->failures++;
	return 0;
}
