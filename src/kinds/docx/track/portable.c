#include "kinds/docx/track/comparing.h"
#include "kinds/docx/track/pieces.h"
#include "kinds/docx/track/tail.h"

/* Marks and revisions have ids that may mean something else in the original. */
static bool is_left_out(uint8_t tag)
{
	return tag == TAG_BOOKMARK_START || tag == TAG_BOOKMARK_END || tag == TAG_COMMENT_START ||
	       tag == TAG_COMMENT_END || tag == TAG_RANGE_MARK || tag == TAG_DEL || tag == TAG_MOVE_FROM;
}

/* The bytes of an element in a form that is valid in the original; absent: there is none. An element that the old
 * paragraph also has keeps its numbers. */
static struct text carried(struct comparing *k, struct arena *a, struct text element, const struct names *names,
			   struct text old)
{
	struct text out = element;

	if (!carry_element(k->carry, k->text, a, element, names, &out))
		return (struct text){0};
	if (old.at && text_find(old, out, 0) != SIZE_MAX)
		return out;
	return carry_new(k->carry, a, out, names, &out) ? out : (struct text){0};
}

/* A reference of the old paragraph. */
struct told {
	enum annotation which;
	int32_t id;
	struct text bytes;
	bool is_taken;
};

/* Writes a paragraph of the revised document in a form that is valid in the original. */
struct carrier {
	struct comparing *k;
	struct arena *arena;
	const struct track_pieces *p;
	const struct names *names;
	struct text old;
	struct buffer out;
	uint32_t run, holder;
	bool *kept; /* of each holder */
	ARRAY(struct told) told;
	bool knows_old; /* the old paragraph's references are in `told` */
};

static void carry_holders(struct carrier *w, uint32_t holder)
{
	const struct track_holder *all = w->p->holders.items;
	ARRAY(uint32_t) inner = {0};

	if (holder == w->holder)
		return;
	if (w->run != PIECES_NONE)
		names_close(&w->out, w->names, "r");
	w->run = PIECES_NONE;
	for (uint32_t h = w->holder; h != PIECES_NONE; h = all[h].parent)
		if (w->kept[h])
			buffer_add(&w->out, all[h].close);
	for (uint32_t h = holder; h != PIECES_NONE; h = all[h].parent)
		*ARRAY_PUSH(w->arena, &inner) = h;
	while (inner.n--)
		if (w->kept[inner.items[inner.n]])
			buffer_add(&w->out, all[inner.items[inner.n]].open);
	w->holder = holder;
}

static bool is_reference(const struct track_piece *piece, enum annotation which)
{
	enum annotation other;

	return notes_of(piece->tag, &other) && other == which;
}

static void list_told(struct carrier *w)
{
	struct arena *a = w->arena;
	struct fragment f;
	struct told told = {0};

	w->knows_old = true;
	if (!w->old.at || !fragment_parse(a, w->old, w->names, &f))
		return;
	for (uint32_t i = 0; i < f.xml.nodes[f.xml.root].after; i++)
		if (notes_of(f.tags[i], &told.which)) {
			told.id = note_id(a, &f, i);
			told.bytes = fragment_bytes(&f, i);
			*ARRAY_PUSH(a, &w->told) = told;
		}
}

/* The element with another w:id. */
static struct text with_id(struct carrier *w, struct text element, int32_t id)
{
	struct arena *a = w->arena;
	struct xml_attribute *list;
	struct fragment f;
	struct text local;

	if (!fragment_parse(a, element, w->names, &f))
		return element;
	size_t n = xml_attributes(a, &f.xml, f.xml.root, &list);
	for (size_t i = 0; i < n; i++)
		if (names_split(w->names, list[i].name, true, &local) == SPACE_W && text_is(local, "id"))
			return splice_apply(
				a, element,
				&(struct splice){list[i].value_from, list[i].value_to, text_format(a, "%d", id)}, 1);
	return element;
}

static int32_t id_in(struct carrier *w, struct text element)
{
	struct fragment f;

	return fragment_parse(w->arena, element, w->names, &f) ? note_id(w->arena, &f, f.xml.root) : INT32_MIN;
}

/* The references of the new paragraph to notes that the old one does not refer to are as many as those of the old one
 * that lead to no note here. Then they are pairs, in order: the old reference that belongs to this one, or NULL. */
static struct told *told_instead(struct carrier *w, enum annotation which, int32_t id)
{
	size_t mine = 0, n = 0, place = SIZE_MAX;
	struct told *list[32];

	for (size_t i = 0; i < w->told.n; i++) {
		bool leads_here = false;
		for (size_t j = 0; j < w->p->list.n && !leads_here; j++)
			leads_here = is_reference(&w->p->list.items[j], which) &&
				     notes_same(w->k->notes, which, w->told.items[i].id,
						id_in(w, w->p->list.items[j].content));
		if (w->told.items[i].which == which && !leads_here && n < ARRAY_COUNT(list))
			list[n++] = &w->told.items[i];
	}
	for (size_t j = 0; j < w->p->list.n; j++) {
		const struct track_piece *piece = &w->p->list.items[j];
		if (!is_reference(piece, which))
			continue;
		int32_t other = id_in(w, piece->content);
		bool is_known = false;
		for (size_t i = 0; i < w->told.n && !is_known; i++)
			is_known = w->told.items[i].which == which &&
				   notes_same(w->k->notes, which, w->told.items[i].id, other);
		if (is_known)
			continue;
		place = other == id ? mine : place;
		mine++;
	}
	return mine == n && place < n && !list[place]->is_taken ? list[place] : NULL;
}

/* The old paragraph's reference to the same note, or NULL. */
static struct told *told_before(struct carrier *w, enum annotation which, int32_t id)
{
	if (!w->knows_old)
		list_told(w);
	for (size_t i = 0; i < w->told.n; i++)
		if (w->told.items[i].which == which && !w->told.items[i].is_taken &&
		    notes_same(w->k->notes, which, w->told.items[i].id, id))
			return &w->told.items[i];
	return NULL;
}

/* A reference that is valid in the original; absent: its note cannot be copied. */
static struct text carry_reference(struct carrier *w, struct text element, enum annotation which)
{
	int32_t id = id_in(w, element), there;
	struct told *before = told_before(w, which, id);

	if (!before && which != ANNOTATION_COMMENTS)
		before = told_instead(w, which, id);
	if (before) {
		before->is_taken = true;
		if (which != ANNOTATION_COMMENTS)
			notes_pair(w->k->notes, which, before->id, id);
		return before->bytes;
	}
	return notes_carry(w->k->notes, which, id, &there) ? with_id(w, element, there) : (struct text){0};
}

/* The marks around the words of a new comment are copied if both are in its paragraph, before its reference. */
static struct text carry_range(struct carrier *w, const struct track_piece *piece)
{
	int32_t id = id_in(w, piece->content), there;
	unsigned n = 0;

	for (size_t i = 0; i < w->p->list.n; i++) {
		uint8_t tag = w->p->list.items[i].tag;
		if (tag == TAG_COMMENT_START || tag == TAG_COMMENT_END || tag == TAG_COMMENT_REFERENCE)
			n += id_in(w, w->p->list.items[i].content) == id;
	}
	if (n != 3 || told_before(w, ANNOTATION_COMMENTS, id) ||
	    !notes_carry(w->k->notes, ANNOTATION_COMMENTS, id, &there))
		return (struct text){0};
	return with_id(w, piece->content, there);
}

static void carry_piece(struct carrier *w, const struct track_piece *piece)
{
	struct text content = piece->content;
	enum annotation which;

	if (piece->tag == TAG_COMMENT_START || piece->tag == TAG_COMMENT_END) {
		content = carry_range(w, piece);
		if (!content.at)
			return;
	} else if (is_left_out(piece->tag)) {
		return;
	} else if (notes_of(piece->tag, &which))
		content = carry_reference(w, content, which);
	else if (piece->kind != PIECE_WORD)
		content = carried(w->k, w->arena, content, w->names, w->old);
	if (!content.at) {
		w->k->counts->left_out++;
		return;
	}
	carry_holders(w, piece->holder);
	if (piece->run != w->run && w->run != PIECES_NONE)
		names_close(&w->out, w->names, "r");
	if (piece->run != w->run && piece->run != PIECES_NONE) {
		names_open(&w->out, w->names, "r");
		buffer_byte(&w->out, '>');
		buffer_add(&w->out, w->p->runs.items[piece->run].rpr);
	}
	w->run = piece->run;
	if (piece->kind != PIECE_WORD) {
		buffer_add(&w->out, content);
		return;
	}
	names_open(&w->out, w->names, "t");
	buffer_put(&w->out, " xml:space=\"preserve\">");
	xml_escape(&w->out, piece->content, false);
	names_close(&w->out, w->names, "t");
}

/* A holder's start in a form that is valid in the original. Returns false if only its content can be copied. */
static bool carry_holder(struct carrier *w, struct track_holder *h)
{
	struct text whole = text_format(w->arena, "%.*s%.*s", TEXT_ARGS(h->open), TEXT_ARGS(h->close));

	whole = carried(w->k, w->arena, whole, w->names, (struct text){0});
	if (whole.at)
		h->open = text_slice(whole, 0, whole.len - h->close.len);
	return whole.at;
}

/* The properties in a form that is valid in the original. They may end a section, which refers to headers. */
static struct text carry_properties(struct carrier *w, struct text ppr)
{
	struct text out = ppr;

	if (!tail_has_section(ppr) || carry_element(w->k->carry, w->k->text, w->arena, ppr, w->names, &out))
		return out;
	w->k->counts->left_out++;
	return tail_without_section(w->arena, ppr, w->names);
}

struct text portable(struct comparing *k, struct arena *a, struct text fragment, const struct names *names,
		     struct text old)
{
	struct map chains = {.arena = a};
	struct track_pieces p;
	struct carrier w = {.k = k,
			    .arena = a,
			    .p = &p,
			    .names = names,
			    .old = old,
			    .out = {.arena = a},
			    .run = PIECES_NONE,
			    .holder = PIECES_NONE};

	if (!pieces_read(a, fragment, names, &chains, &p))
		return fragment;
	w.kept = arena_array(a, p.holders.n + 1, sizeof *w.kept);
	for (size_t i = 0; i < p.holders.n; i++) {
		bool is_revision = text_find(p.holders.items[i].open, TEXT(":author="), 0) != SIZE_MAX;
		w.kept[i] = !is_revision && carry_holder(&w, &p.holders.items[i]);
		k->counts->left_out += !is_revision && !w.kept[i];
	}
	names_open(&w.out, names, "p");
	buffer_byte(&w.out, '>');
	buffer_add(&w.out, carry_properties(&w, p.ppr));
	for (size_t i = 0; i < p.list.n; i++)
		carry_piece(&w, &p.list.items[i]);
	carry_holders(&w, PIECES_NONE);
	if (w.run != PIECES_NONE)
		names_close(&w.out, names, "r");
	names_close(&w.out, names, "p");
	return buffer_text(&w.out);
}
