#include "kinds/docx/track/properties.h"

#include "kinds/docx/text/fragment.h"

#include <stdio.h>

static void put_record(struct buffer *to, const struct names *names, const char *local, struct text was,
		       struct stamp *stamp)
{
	char change[32], id[12];

	snprintf(change, sizeof change, "%sChange", local);
	snprintf(id, sizeof id, "%d", stamp->next_id++);
	names_open(to, names, change);
	names_attribute(to, names, "id", text_of(id));
	/* The record of a grid has no author. */
	if (!text_is(text_of(local), "tblGrid")) {
		names_attribute(to, names, "author", stamp->author);
		names_attribute(to, names, "date", stamp->date);
	}
	buffer_byte(to, '>');
	names_open(to, names, local);
	buffer_byte(to, '>');
	buffer_add(to, was);
	names_close(to, names, local);
	names_close(to, names, change);
	stamp->formats++;
}

struct text properties_tracked(struct arena *a, const struct names *names, const char *local, struct text was,
			       struct text now, struct stamp *stamp)
{
	struct buffer out = {.arena = a};

	names_open(&out, names, local);
	buffer_byte(&out, '>');
	buffer_add(&out, now);
	put_record(&out, names, local, was, stamp);
	names_close(&out, names, local);
	return buffer_text(&out);
}

/* A section's elements by role. */
struct section {
	struct buffer references, setup, printer, former;
};

static bool read_section(struct arena *a, struct text element, const struct names *names, struct section *out)
{
	struct fragment f;

	*out = (struct section){{.arena = a}, {.arena = a}, {.arena = a}, {.arena = a}};
	if (!fragment_parse(a, element, names, &f))
		return false;
	for (uint32_t i = xml_first(&f.xml, f.xml.root); i != XML_NONE; i = xml_next(&f.xml, i)) {
		enum space space;
		if (f.tags[i] == TAG_NOT_ELEMENT)
			continue;
		struct text local = fragment_local(&f, i, &space);
		struct buffer *to = text_is(local, "headerReference") || text_is(local, "footerReference")
					    ? &out->references
				    : text_is(local, "printerSettings") ? &out->printer
				    : text_is(local, "sectPrChange")    ? &out->former
									: &out->setup;
		buffer_add(to, fragment_bytes(&f, i));
	}
	return true;
}

struct text section_tracked(struct arena *a, struct text was, struct text now, const struct names *names,
			    struct stamp *stamp)
{
	struct buffer out = {.arena = a};
	struct section old, new;
	struct fragment f;

	if (!read_section(a, was, names, &old) || !read_section(a, now, names, &new) || old.former.len ||
	    text_same(buffer_text(&old.setup), buffer_text(&new.setup)) || !fragment_parse(a, was, names, &f))
		return was;
	const struct xml_node *root = &f.xml.nodes[f.xml.root];
	buffer_add(&out, text_slice(was, 0, root->is_empty_tag ? root->to - 2 : root->inner));
	buffer_put(&out, root->is_empty_tag ? ">" : "");
	buffer_add(&out, buffer_text(&old.references));
	buffer_add(&out, buffer_text(&new.setup));
	buffer_add(&out, buffer_text(&old.printer));
	put_record(&out, names, "sectPr", buffer_text(&old.setup), stamp);
	names_close(&out, names, "sectPr");
	return buffer_text(&out);
}
