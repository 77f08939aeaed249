/* Any bytes as TOML. Accepted bytes become a JSON object that can be written and read back. Others are refused with a
 * position inside the bytes. */
#include "must.h"
#include "format/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct json_error err;
	struct json *v = toml_parse(&a, (struct text){(const char *)bytes, n}, &err);

	if (v) {
		MUST(v->type == JSON_OBJECT);
		struct json *again = json_parse(&a, json_source(&a, v), JSON_DEPTH_MAX, NULL);
		MUST(again && json_same(v, again));
	} else {
		MUST(err.message && err.pos <= n && err.line >= 1 && err.column >= 1);
	}
	arena_free(&a);
	return 0;
}
