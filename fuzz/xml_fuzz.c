/* Any bytes as XML. Accepted bytes are covered by their nodes: the children of an element fill it from tag to tag.
 * Texts and attributes that are rewritten by splices read back the same, in a tree of the same shape. */
#include "must.h"
#include "base/array.h"
#include "format/splice.h"
#include "format/xml.h"

static const struct xml_limits limits = {.depth = 50, .attributes = 50, .nodes = 5000};

static void check(const struct xml *x)
{
	for (uint32_t i = 0; i < x->n; i++) {
		const struct xml_node *node = &x->nodes[i];
		MUST(node->from < node->to && node->to <= x->bytes.len && node->after > i && node->after <= x->n);
		MUST(node->parent == XML_NONE || node->parent < i);
		if (node->type != XML_ELEMENT)
			continue;
		MUST(node->inner > node->from && node->inner <= node->inner_to && node->inner_to <= node->to);
		MUST(x->bytes.at[node->from] == '<' && x->bytes.at[node->to - 1] == '>');
		uint32_t at = node->inner;
		for (uint32_t child = xml_first(x, i); child != XML_NONE; child = xml_next(x, child)) {
			MUST(x->nodes[child].parent == i && x->nodes[child].from == at);
			at = x->nodes[child].to;
		}
		MUST(at == node->inner_to);
	}
}

static void rewrite(struct arena *a, const struct xml *x)
{
	ARRAY(struct splice) edits = {0};

	for (uint32_t i = 0; i < x->n; i++) {
		struct buffer b = {.arena = a};
		struct text t;
		if (x->nodes[i].type == XML_TEXT && (t = xml_decoded(a, x, i)).len) {
			MUST(xml_escape(&b, t, false) == t.len);
			*ARRAY_PUSH(a, &edits) = (struct splice){x->nodes[i].from, x->nodes[i].to, buffer_text(&b)};
		}
		struct xml_attribute *list;
		size_t n = x->nodes[i].type == XML_ELEMENT ? xml_attributes(a, x, i, &list) : 0;
		for (size_t k = 0; k < n; k++) {
			struct buffer value = {.arena = a};
			buffer_add(&value, list[k].name);
			buffer_put(&value, "=\"");
			MUST(xml_escape(&value, list[k].value, true) == list[k].value.len);
			buffer_byte(&value, '"');
			*ARRAY_PUSH(a, &edits) = (struct splice){list[k].from, list[k].to, buffer_text(&value)};
		}
	}
	struct error err;
	struct xml *again = xml_parse(a, splice_apply(a, x->bytes, edits.items, edits.n), &limits, &err);
	MUST(again && again->n == x->n && again->root == x->root);
	for (uint32_t i = 0; i < x->n; i++) {
		MUST(again->nodes[i].type == x->nodes[i].type && again->nodes[i].after == x->nodes[i].after);
		if (x->nodes[i].type == XML_TEXT)
			MUST(text_same(xml_decoded(a, x, i), xml_decoded(a, again, i)));
		struct xml_attribute *one, *two;
		if (x->nodes[i].type != XML_ELEMENT)
			continue;
		size_t n = xml_attributes(a, x, i, &one);
		MUST(xml_attributes(a, again, i, &two) == n && text_same(xml_name(x, i), xml_name(again, i)));
		for (size_t k = 0; k < n; k++)
			MUST(text_same(one[k].name, two[k].name) && text_same(one[k].value, two[k].value));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct error err = {0};
	struct xml *x = xml_parse(&a, (struct text){(const char *)bytes, n}, &limits, &err);

	if (x) {
		MUST(x->root < x->n && x->nodes[x->root].type == XML_ELEMENT);
		check(x);
		rewrite(&a, x);
	} else {
		MUST(err.message && err.line >= 1 && err.column >= 1 && err.column <= n + 1);
	}
	arena_free(&a);
	return 0;
}
