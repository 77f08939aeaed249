/* A label that can be read contains its parts, and a numeric one is written back unchanged. */
#include "must.h"
#include "kinds/docjl/block/label.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct arena a = {0};
	struct text t = text_copy(&a, (struct text){(const char *)bytes, size});
	struct label l;

	if (label_parse(t, &l)) {
		MUST(l.prefix.len + 1 + l.id.len == t.len && l.prefix.len && l.id.len);
		MUST(text_same(label_id(t), l.id));
		if (l.is_dotted) {
			struct text again = text_format(&a, "%.*s:%.*s.%lld", TEXT_ARGS(l.prefix), TEXT_ARGS(l.stem),
							(long long)l.number);
			MUST(l.is_numeric && text_same(again, t));
		} else if (l.is_numeric) {
			struct text again = text_format(&a, "%.*s:%lld", TEXT_ARGS(l.prefix), (long long)l.number);
			MUST(text_same(again, t));
		}
	}
	arena_free(&a);
	return 0;
}
