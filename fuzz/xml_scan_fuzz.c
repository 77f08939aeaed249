/* Any bytes as XML, read by the scanner and by expat: both accept or both refuse them, and find the elements at the
 * same positions. The exception is names with letters beyond ASCII: expat knows which may begin a name, the scanner
 * accepts all. */
#include "must.h"
#include "format/xml_scan.h"

#include <string.h>

static const struct xml_limits limits = {.depth = 50, .attributes = 50, .nodes = 5000};

/* The scanner accepts every letter beyond ASCII in a name. If only the scanner accepts the bytes, there must be one. */
static bool has_wide_bytes(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i] >= 0x80)
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct error err = {0}, other = {0};
	struct text t = {(const char *)bytes, n};
	struct xml *x = xml_parse(&a, t, &limits, &err);
	struct xml_scan *s = arena_new(&a, struct xml_scan);
	uint32_t i = 0;

	/* The tree counts texts around the root differently, and checks limits in another order. */
	xml_scan_begin(s, &a, t, &limits, &other);
	while (xml_scan_next(s) != XML_SCAN_END) {
		MUST(s->from <= s->to && s->to <= n && s->depth <= limits.depth);
		if (!x || s->token != XML_SCAN_OPEN)
			continue;
		while (i < x->n && x->nodes[i].type != XML_ELEMENT)
			i++;
		MUST(i < x->n && x->nodes[i].from == s->from && x->nodes[i].inner == s->to);
		MUST(text_same(xml_name(x, i), s->name) && x->nodes[i].is_empty_tag == s->is_empty);
		struct xml_attribute *list;
		MUST(xml_attributes(&a, x, i, &list) == s->n);
		for (uint32_t k = 0; k < s->n; k++)
			MUST(text_same(list[k].value, xml_value(&a, s->attributes[k].value, true)));
		i++;
	}
	if (s->is_bad)
		MUST(other.message && other.line >= 1 && other.column >= 1);
	bool met_limit = err.fault == FAULT_TOO_LARGE || other.fault == FAULT_TOO_LARGE;
	if (!met_limit && !has_wide_bytes(bytes, n))
		MUST(!x == s->is_bad);
	if (!met_limit && x)
		MUST(!s->is_bad);
	arena_free(&a);
	return 0;
}
