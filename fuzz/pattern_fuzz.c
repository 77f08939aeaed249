/* The first line is a pattern, the rest is the text. Every search ends, and its matches are inside the text, between
 * characters, and in order. */
#include "must.h"
#include "base/pattern.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct text all = {(const char *)bytes, n};
	size_t line = text_find(all, TEXT("\n"), 0);
	struct text in = text_slice(all, line == SIZE_MAX ? n : line + 1, n);
	struct pattern *p = pattern_new(&c, text_slice(all, 0, line), n & 1);

	if (!p)
		MUST(c.error.fault == FAULT_ARGUMENT && c.error.message);
	size_t start = 0, from = 0, to = 0;
	for (int i = 0; p && i < 20 && pattern_find(&c, p, in, start, &from, &to) == 1; i++) {
		MUST(from <= to && to <= in.len);
		MUST(utf8_cut(in, from) == from && utf8_cut(in, to) == to);
		start = to > start ? to : start + 1;
	}
	arena_free(&a);
	return 0;
}
