#include "kinds/docx/track/pieces.h"
#include "base/utf8.h"

struct cutter {
	struct arena *arena;
	struct map *chains;
	struct track_pieces *out;
};

static struct text slice(const struct cutter *k, uint32_t from, uint32_t to)
{
	return text_slice(k->out->fragment.xml.bytes, from, to);
}

static bool is_space(uint32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0xa0; }

/* Splits text into words, runs of blanks, and single other characters. A combining mark stays with the character before
 * it. */
static void cut_words(struct cutter *k, struct text t, uint32_t run, uint32_t holder)
{
	for (size_t at = 0; at < t.len;) {
		size_t from = at, next = at;
		uint32_t c = utf8_next(t, &at);
		bool is_word = utf8_is_word(c), blank = is_space(c);
		for (next = at; next < t.len; at = next) {
			uint32_t d = utf8_next(t, &next);
			bool joins = is_word ? utf8_is_word(d)
				     : blank ? is_space(d)
					     : d == 0x200d || (d >= 0xfe00 && d <= 0xfe0f);
			if (!joins && !(utf8_is_word(d) && utf8_width(d) == 0))
				break;
		}
		*ARRAY_PUSH(k->arena, &k->out->list) = (struct track_piece){.kind = PIECE_WORD,
									    .is_blank = blank,
									    .content = text_slice(t, from, at),
									    .run = run,
									    .holder = holder,
									    .tag = TAG_T};
	}
}

static void cut_run(struct cutter *k, uint32_t node, uint32_t holder)
{
	struct track_pieces *p = k->out;
	const struct xml *x = &p->fragment.xml;
	const struct xml_node *n = &x->nodes[node];
	uint32_t run = (uint32_t)p->runs.n;
	struct text tag = text_slice(x->bytes, n->name + n->name_len, n->is_empty_tag ? n->to - 2 : n->inner - 1);

	*ARRAY_PUSH(k->arena, &p->runs) = (struct track_run){tag, TEXT("")};
	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i)) {
		uint8_t child = p->fragment.tags[i];
		if (child == TAG_NOT_ELEMENT)
			continue; /* white space between elements is not text */
		if (child == TAG_RPR) {
			p->runs.items[run].rpr = fragment_bytes(&p->fragment, i);
			continue;
		}
		if (child == TAG_T) {
			for (uint32_t t = xml_first(x, i); t != XML_NONE; t = xml_next(x, t))
				if (x->nodes[t].type == XML_TEXT)
					cut_words(k, xml_decoded(k->arena, x, t), run, holder);
			continue;
		}
		*ARRAY_PUSH(k->arena, &p->list) = (struct track_piece){.kind = PIECE_CHILD,
								       .content = fragment_bytes(&p->fragment, i),
								       .run = run,
								       .holder = holder,
								       .tag = child};
	}
}

static bool is_holder(uint8_t tag)
{
	switch (tag) {
	case TAG_INS:
	case TAG_MOVE_TO:
	case TAG_HYPERLINK:
	case TAG_SMART_TAG:
	case TAG_CUSTOM_XML:
	case TAG_FLD_SIMPLE:
	case TAG_SDT:
	case TAG_BDO:
	case TAG_DIR: return true;
	default: return false;
	}
}

static uint32_t add_holder(struct cutter *k, uint32_t node, struct text open, struct text close, uint32_t parent)
{
	struct track_pieces *p = k->out;
	uint8_t tag = p->fragment.tags[node];
	uint32_t outer = parent == PIECES_NONE ? 0 : p->holders.items[parent].chain + 1;
	struct text key = text_format(k->arena, "%u %.*s", outer, TEXT_ARGS(open));
	uint32_t chain = *map_at(k->chains, key, (uint32_t)k->chains->n, NULL);

	bool is_tracked = tag == TAG_INS || tag == TAG_MOVE_TO;
	struct text id = is_tracked ? fragment_id(&p->fragment, node) : (struct text){0};

	*ARRAY_PUSH(k->arena, &p->holders) = (struct track_holder){open, close, parent, chain, is_tracked, id};
	return (uint32_t)p->holders.n - 1;
}

static void cut_nodes(struct cutter *k, uint32_t node, uint32_t holder);

/* Properties of a holder (smartTagPr, sdtPr) belong to its start. */
static void cut_holder(struct cutter *k, uint32_t node, uint32_t parent)
{
	const struct fragment *f = &k->out->fragment;
	const struct xml_node *n = &f->xml.nodes[node];
	uint32_t inside = node, from = n->inner, to = n->inner_to;

	if (f->tags[node] == TAG_SDT) {
		inside = fragment_child(f, node, TAG_SDT_CONTENT);
		if (inside == XML_NONE || f->xml.nodes[inside].is_empty_tag) {
			*ARRAY_PUSH(k->arena, &k->out->list) = (struct track_piece){.kind = PIECE_NODE,
										    .content = fragment_bytes(f, node),
										    .run = PIECES_NONE,
										    .holder = parent};
			return;
		}
		from = f->xml.nodes[inside].inner;
		to = f->xml.nodes[inside].inner_to;
	}
	if (n->is_empty_tag)
		return;
	for (uint32_t i = xml_first(&f->xml, inside); i != XML_NONE; i = xml_next(&f->xml, i)) {
		enum space space;
		if (f->tags[i] == TAG_NOT_ELEMENT)
			continue;
		if (!text_ends(fragment_local(f, i, &space), "Pr") || f->tags[i] == TAG_PPR)
			break;
		from = f->xml.nodes[i].to;
	}
	cut_nodes(k, inside, add_holder(k, node, slice(k, n->from, from), slice(k, to, n->to), parent));
}

static void cut_nodes(struct cutter *k, uint32_t node, uint32_t holder)
{
	struct track_pieces *p = k->out;
	const struct xml *x = &p->fragment.xml;
	uint32_t begin = holder == PIECES_NONE ? 0
					       : (uint32_t)(p->holders.items[holder].open.at - x->bytes.at +
							    (ptrdiff_t)p->holders.items[holder].open.len);

	for (uint32_t i = xml_first(x, node); i != XML_NONE; i = xml_next(x, i)) {
		uint8_t tag = p->fragment.tags[i];
		if (tag == TAG_NOT_ELEMENT || tag == TAG_PPR || x->nodes[i].from < begin)
			continue;
		if (tag == TAG_R)
			cut_run(k, i, holder);
		else if (is_holder(tag))
			cut_holder(k, i, holder);
		else
			*ARRAY_PUSH(k->arena, &p->list) =
				(struct track_piece){.kind = PIECE_NODE,
						     .content = fragment_bytes(&p->fragment, i),
						     .run = PIECES_NONE,
						     .holder = holder,
						     .tag = tag};
	}
}

bool pieces_read(struct arena *a, struct text fragment, const struct names *names, struct map *chains,
		 struct track_pieces *out)
{
	struct cutter k = {a, chains, out};

	*out = (struct track_pieces){0};
	if (!fragment_parse(a, fragment, names, &out->fragment))
		return false;
	const struct xml_node *root = &out->fragment.xml.nodes[out->fragment.xml.root];
	uint32_t ppr = fragment_child(&out->fragment, out->fragment.xml.root, TAG_PPR);
	out->start = root->is_empty_tag
			     ? text_format(a, "%.*s>", TEXT_ARGS(text_slice(fragment, root->from, root->to - 2)))
			     : text_slice(fragment, root->from, root->inner);
	out->ppr = ppr == XML_NONE ? TEXT("") : fragment_bytes(&out->fragment, ppr);
	cut_nodes(&k, out->fragment.xml.root, PIECES_NONE);
	return true;
}
