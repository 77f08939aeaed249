/* Any bytes as JSON. Accepted bytes are written, compact and pretty, and read back the same. Every value's range is
 * inside its container's and after its neighbour's, and its bytes alone are that value. */
#include "must.h"
#include "format/json_write.h"

static void check(struct arena *a, struct text source, const struct json *v, unsigned depth)
{
	struct text bytes = text_slice(source, v->pos, v->end);

	MUST(v->pos < v->end && v->end <= source.len);
	if (depth < 3)
		MUST(json_same(v, json_parse(a, bytes, JSON_DEPTH_MAX, NULL)));
	uint32_t at = v->pos;
	for (uint32_t i = 0; v->type >= JSON_ARRAY && i < v->len; i++) {
		const struct json *item = v->type == JSON_ARRAY ? &v->items[i] : &v->members[i].value;
		MUST(item->pos > at && item->end < v->end);
		at = item->end;
		if (v->type == JSON_OBJECT)
			MUST(json_get_text(v, (struct text){v->members[i].key, v->members[i].key_len}) == item);
		check(a, source, item, depth + 1);
	}
	int64_t n;
	if (json_integer(v, &n))
		MUST(json_real(v) == (double)n && json_same(v, json_new_int(a, n)));
	if (v->type == JSON_REAL)
		MUST(json_real(json_new_number(a, json_real(v))) == json_real(v) || json_real(v) - json_real(v) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct text source = {(const char *)bytes, n};
	struct json_error err;
	struct json *v = json_parse(&a, source, JSON_DEPTH_MAX, &err);

	if (v) {
		struct text written = json_source(&a, v);
		struct json *again = json_parse(&a, written, JSON_DEPTH_MAX, NULL);
		MUST(again && json_same(v, again) && text_same(json_source(&a, again), written));
		struct buffer pretty = {.arena = &a};
		json_write_pretty(&pretty, v);
		MUST(json_same(v, json_parse(&a, buffer_text(&pretty), JSON_DEPTH_MAX, NULL)));
		check(&a, source, v, 0);
	} else {
		MUST(err.message && err.pos <= n && err.line >= 1 && err.column >= 1);
	}
	arena_free(&a);
	return 0;
}
