/* Any bytes as a paragraph. If expat accepts them, the nodes here are the same, and the atoms cover the visible text in
 * order, each in an existing run, container and field. If expat refuses them, they are refused or read, never beyond
 * their end. */
#include "must.h"
#include "kinds/docx/text/atoms.h"

#include <string.h>

static const struct xml_limits limits = {.depth = 400, .attributes = 50, .nodes = 5000};

static void same_nodes(const struct fragment *f, const struct xml *x)
{
	MUST(f->xml.n == x->n);
	for (uint32_t i = 0; i < x->n; i++) {
		const struct xml_node *a = &f->xml.nodes[i], *b = &x->nodes[i];
		MUST(a->from == b->from && a->to == b->to && a->after == b->after && a->parent == b->parent &&
		     a->type == b->type);
		if (a->type == XML_ELEMENT)
			MUST(a->inner == b->inner && a->inner_to == b->inner_to && a->name == b->name &&
			     a->name_len == b->name_len && a->is_empty_tag == b->is_empty_tag);
	}
}

static void check(const struct atoms *p)
{
	uint32_t at = 0, byte = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		const struct atom *atom = &p->atoms[i];
		MUST(atom->node < p->fragment.xml.n && (atom->run == ATOMS_NONE || atom->run < p->runs_n));
		MUST(atom->container == ATOMS_NONE || atom->container < p->containers_n);
		MUST(atom->field == ATOMS_NONE || atom->field < p->fields_n);
		MUST(atom->at == at);
		if (atom->kind == ATOM_HIDDEN)
			continue;
		MUST(atom->byte == byte && (atom->kind < ATOM_SOFT || !atom->len));
		at += atom->len;
		byte += atom->bytes;
	}
	MUST(at == p->len && byte == p->text.len);
	for (uint32_t i = 0; i < p->fields_n; i++)
		MUST(p->fields[i].at <= p->fields[i].to && p->fields[i].to <= p->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct error err = {0};
	struct text t = {(const char *)bytes, n};
	struct atoms p;
	const struct names *names = names_read(
		&a, NULL,
		TEXT("<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">"));
	struct xml *x = xml_parse(&a, t, &limits, &err);
	bool is_read = atoms_read(&a, t, names, (struct field_state){n % 3, n % 2}, NULL, &p);

	/* A fragment is a single element with nothing around it. */
	if (x && x->root == 0 && x->nodes[0].from == 0 && x->nodes[0].to == n) {
		MUST(is_read);
		same_nodes(&p.fragment, x);
	}
	if (is_read && x)
		check(&p);
	arena_free(&a);
	return 0;
}
