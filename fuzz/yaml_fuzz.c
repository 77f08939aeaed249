/* Any bytes as front matter. Both readers agree on everything that the quick one accepts; spans are inside the bytes
 * and in order; a written value reads back as itself. */
#include "must.h"
#include "format/yaml.h"

static void same(struct text bytes, const struct yaml *quick, const struct yaml *full)
{
	MUST(full && quick->entries.n == full->entries.n && quick->scalars.n == full->scalars.n);
	for (size_t i = 0; i < quick->entries.n; i++) {
		const struct yaml_entry *a = &quick->entries.items[i], *b = &full->entries.items[i];
		MUST(text_same(a->key.value, b->key.value) && a->type == b->type && a->n == b->n);
		MUST(a->from == b->from && a->to == b->to && a->all_scalars == b->all_scalars);
		for (size_t k = 0; k < a->n; k++) {
			MUST(text_same(a->items[k].value, b->items[k].value));
			MUST(a->items[k].from == b->items[k].from && a->items[k].to == b->items[k].to);
			MUST(a->items[k].quote == b->items[k].quote);
		}
	}
	(void)bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct error error = {0};
	struct text t = {(const char *)bytes, n};

	if (n > 16384)
		return 0;
	t = text_copy(&a, t);
	struct yaml *quick = yaml_quick(&a, t), *full = yaml_full(&a, t, &error);
	MUST(full || error.message);
	if (quick)
		same(t, quick, full);
	for (size_t i = 0; full && i < full->entries.n; i++) {
		const struct yaml_entry *e = &full->entries.items[i];
		MUST(e->from <= e->to && e->to <= n && e->key.from <= e->key.to && e->key.to <= n);
	}
	if (n && n < 200 && !text_has_nul(t)) {
		for (size_t i = 0; i < n; i++)
			if (bytes[i] & 0x80)
				goto done;
		struct text list = text_format(&a, "k: [%s]\n", yaml_quoted(&a, t).at);
		struct yaml *back = yaml_parse(&a, list, &error);
		MUST(back && back->entries.n == 1 && back->entries.items[0].n == 1);
		MUST(text_same(back->entries.items[0].items[0].value, t));
	}
done:
	arena_free(&a);
	return 0;
}
