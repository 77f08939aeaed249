/* keys_fuzz.c: any bytes as a keys file.
 *
 * Properties of an accepted file: every key has a name of its own. No key may write a document that it may not read. A
 * key without a list of kinds or tools may do nothing. The bytes of the file are not a key. */
#include "guard/keys.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const struct kind kind = {.name = "hnpx"};
	static const struct tool tool = {.name = "get_node"};
	static const char *const documents[] = {"a", "novels/a.xml", "novels/mine/b.xml", ""};
	struct arena arena = {0};
	struct call c = {.arena = &arena};
	struct key_set *s = key_set_parse(&c, (struct text){(const char *)bytes, n}, "keys.json");

	must(s ? !c.error.fault : c.error.message != NULL);
	for (size_t i = 0; s && i < s->n; i++) {
		const struct key *k = &s->keys[i];
		const struct caller *caller = key_caller(&arena, k, (struct text){0});

		must(k->name.len > 0);
		for (size_t j = 0; j < i; j++)
			must(!text_same(k->name, s->keys[j].name) &&
			     memcmp(k->digest, s->keys[j].digest, sizeof k->digest));
		for (size_t j = 0; j < ARRAY_COUNT(documents); j++)
			if (caller->may(caller, text_of(documents[j]), true))
				must(caller->may(caller, text_of(documents[j]), false));
		if (!k->kinds.n || !k->tools.n)
			must(!key_may_tool(k, &kind, &tool));
	}
	if (s)
		must(!key_set_find(s, (struct text){(const char *)bytes, n}));
	key_set_release(s);
	arena_free(&arena);
	return 0;
}
