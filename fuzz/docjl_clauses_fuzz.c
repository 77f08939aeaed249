/* A list of clauses that can be read can be read again from its own CSV, and gives the same clauses. The same bytes are
 * a note as well. */
#include "must.h"
#include "base/buffer.h"
#include "kinds/docjl/block/clauses.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct arena a = {0};
	struct text t = text_copy(&a, (struct text){(const char *)bytes, size}), why;
	struct clauses list, again;

	if (clauses_read(&a, t, &list, &why)) {
		struct buffer b = {.arena = &a};
		clauses_see(&list, t, TEXT("para:1"));
		clauses_csv(&b, &list);
		MUST(clauses_read(&a, buffer_text(&b), &again, &why));
		MUST(again.items.n == list.items.n);
		clauses_see(&again, t, TEXT("para:1"));
		for (size_t i = 0; i < list.items.n; i++)
			MUST(clause_state(&list.items.items[i]) == clause_state(&again.items.items[i]));
	} else {
		MUST(why.len);
	}
	arena_free(&a);
	return 0;
}
