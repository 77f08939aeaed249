/* A block from a foreign file: a normal block stays the same, and the stored form yields the same block. */
#include "must.h"
#include "kinds/docjl/block/block.h"

static const struct json *filled(struct arena *a, const struct json *block)
{
	struct buffer stored = {.arena = a}, back = {.arena = a};
	struct texts_list targets = {0};
	struct json_error bad;

	block_store(&stored, block, &targets);
	const struct json *v = json_parse(a, buffer_text(&stored), JSON_DEPTH_MAX, &bad);
	MUST(v);
	struct json_out o = {.to = &back};
	block_fill(&o, v,
		   &(struct block_filler){.label = json_text(json_get(block, "label")),
					  .targets = targets.items.items,
					  .n = targets.items.n});
	v = json_parse(a, buffer_text(&back), JSON_DEPTH_MAX, &bad);
	MUST(v);
	return v;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct arena a = {0};
	struct json_error bad;
	struct text source = text_copy(&a, (struct text){(const char *)bytes, size});
	const struct json *given = json_parse(&a, source, 40, &bad);

	if (json_is(given, JSON_OBJECT) && json_is(json_get(given, "type"), JSON_STRING)) {
		struct texts_list changed = {0};
		struct json *normal = block_normal(&a, given, &changed), *again = block_normal(&a, normal, &changed);
		MUST(json_same(normal, again));
		struct block_problems p = {.arena = &a};
		block_check(&p, normal, true);
		struct buffer words = {.arena = &a};
		block_words(&words, normal);
		block_folded(&a, normal);
		block_title(&a, normal);
		/* Without its children, and with a label that is a string, the block stays the same. */
		struct json *alone = json_new_object(&a);
		for (uint32_t i = 0; i < normal->len; i++) {
			struct text key = {normal->members[i].key, normal->members[i].key_len};
			if (text_is(key, "children") ||
			    (text_is(key, "label") && normal->members[i].value.type != JSON_STRING))
				continue;
			json_set_key(&a, alone, key, &normal->members[i].value);
		}
		MUST(json_same(filled(&a, alone), alone));
		/* A correct block from an agent is read unchanged; anything else is read without a crash. */
		struct texts_list said = {0};
		struct block_problems q = {.arena = &a};
		const struct json *meant = block_meant(&a, given, NULL, false, &said);
		block_normal(&a, meant, NULL);
		block_meant(&a, given, normal, false, &said);
		block_check(&q, alone, true);
		if (!q.errors.n && !q.warnings.n && !json_get(alone, "label") &&
		    !text_is(json_text(json_get(alone, "type")), "list"))
			MUST(json_same(block_meant(&a, alone, NULL, false, &said), alone));
	}
	arena_free(&a);
	return 0;
}
