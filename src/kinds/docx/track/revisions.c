#include "kinds/docx/track/revisions.h"
#include "kinds/docx/text/fragment.h"

static const char *type_of(const struct fragment *f, uint32_t node)
{
	uint32_t parent = f->xml.nodes[node].parent;
	bool of_mark = parent != XML_NONE && f->tags[parent] == TAG_RPR;

	switch (f->tags[node]) {
	case TAG_INS: return of_mark ? "PARAGRAPH_INSERTED" : "INSERTION";
	case TAG_DEL: return of_mark ? "PARAGRAPH_DELETED" : "DELETION";
	case TAG_MOVE_FROM: return of_mark ? "PARAGRAPH_DELETED" : "MOVE_FROM";
	case TAG_MOVE_TO: return of_mark ? "PARAGRAPH_INSERTED" : "MOVE_TO";
	case TAG_RPR_CHANGE:
	case TAG_PPR_CHANGE: return "FORMAT_CHANGE";
	default: break;
	}
	enum space space;
	bool is_section = f->tags[node] != TAG_NOT_ELEMENT &&
			  text_is(fragment_local(f, node, &space), "sectPrChange") && space == SPACE_W;
	return is_section ? "FORMAT_CHANGE" : NULL;
}

static struct text words_below(struct arena *a, const struct fragment *f, uint32_t node)
{
	struct buffer out = {.arena = a};

	for (uint32_t i = node + 1; i < f->xml.nodes[node].after; i++) {
		uint32_t parent = f->xml.nodes[i].parent;
		if (f->tags[i] == TAG_TAB)
			buffer_byte(&out, '\t');
		else if (f->tags[i] == TAG_BR || f->tags[i] == TAG_CR)
			buffer_byte(&out, '\n');
		else if (f->xml.nodes[i].type == XML_TEXT &&
			 (f->tags[parent] == TAG_T || f->tags[parent] == TAG_DEL_TEXT))
			buffer_add(&out, xml_decoded(a, &f->xml, i));
	}
	return buffer_text(&out);
}

bool revisions_list(struct arena *a, struct text fragment, const struct names *names, struct revision_entries *out)
{
	struct fragment f;

	if (!fragment_parse(a, fragment, names, &f))
		return false;
	for (uint32_t i = 0; i < f.xml.n; i++) {
		/* Paragraphs of text boxes are listed on their own, and the copy for old readers has the same changes.
		 */
		if (f.tags[i] == TAG_TXBX_CONTENT || fragment_is_fallback(&f, i)) {
			i = f.xml.nodes[i].after - 1;
			continue;
		}
		const char *type = type_of(&f, i);
		if (!type)
			continue;
		*ARRAY_PUSH(a, &out->list) =
			(struct revision_entry){type, fragment_attribute(a, &f, i, SPACE_W, "id"),
						fragment_attribute(a, &f, i, SPACE_W, "author"),
						fragment_attribute(a, &f, i, SPACE_W, "date"), words_below(a, &f, i)};
		if (text_is(text_of(type), "FORMAT_CHANGE")) {
			out->list.items[out->list.n - 1].text = TEXT("");
			i = f.xml.nodes[i].after - 1;
		}
	}
	return true;
}
