#include "kinds/docx/surgeon/surgeon.h"

#include "base/utf8.h"
#include "kinds/docx/surgeon/refuse.h"
#include "kinds/docx/surgeon/rewrite.h"

static uint32_t atom_at(const struct atoms *p, uint32_t offset)
{
	uint32_t low = 0, high = p->n;

	/* The last atom with width that begins at or before the offset. Atoms without width are between them. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (p->atoms[middle].at <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	while (low > 0) {
		const struct atom *atom = &p->atoms[low - 1];
		if (atom->len && atom->at <= offset && offset < atom->at + atom->len)
			return low - 1;
		if (atom->len && atom->at + atom->len <= offset)
			break;
		low--;
	}
	return ATOMS_NONE;
}

static bool is_highlighted(struct arena *a, const struct atoms *p, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < p->n; i++) {
		const struct atom *atom = &p->atoms[i];
		if (!atom->len || atom->at >= to || atom->at + atom->len <= from)
			continue;
		struct text color = look_of(a, &p->fragment, p->runs[atom->run].rpr).highlight;
		if (!color.at || text_is(color, "none"))
			return false;
	}
	return from < to;
}

/* The end of the placeholder that begins at i: [...], «...», {{...}} or ____; i if there is none. */
static uint32_t placeholder_end(const struct runes *r, uint32_t i, uint32_t end)
{
	uint32_t c = r->at[i], k = i;

	if (c == '_') {
		while (k < end && r->at[k] == '_')
			k++;
		return k - i >= 2 ? k : i;
	}
	bool is_double = c == '{' && i + 1 < end && r->at[i + 1] == '{';
	if (c != '[' && c != 0xAB && !is_double)
		return i;
	uint32_t closing = c == '[' ? ']' : c == 0xAB ? 0xBB : '}', depth = 0;
	for (; k < end; k++) {
		depth += r->at[k] == c;
		depth -= r->at[k] == closing;
		if (!depth)
			return k + 1;
	}
	return i;
}

/* The text inside a placeholder's brackets. */
static struct match inside_blank(const struct runes *r, uint32_t from, uint32_t to)
{
	uint32_t brackets = r->at[from] == '{' ? 2 : r->at[from] == '_' ? 0 : 1;

	return to - from > 2 * brackets ? (struct match){from + brackets, to - brackets} : (struct match){from, to};
}

/* Is the placeholder highlighted, so that it must be filled in? Its brackets need not be highlighted if the new text
 * has no brackets. Offsets are those of `r`, which begins at `base` of the paragraph. */
static bool is_blank_to_fill(struct arena *a, const struct surgery *s, const struct runes *r, uint32_t from,
			     uint32_t to, uint32_t base)
{
	struct match in = inside_blank(r, from, to);

	if (is_highlighted(a, s->p, base + from, base + to))
		return true;
	return text_find(s->new.text, runes_slice(r, from, from + 1), 0) == SIZE_MAX &&
	       is_highlighted(a, s->p, base + in.from, base + in.to);
}

void surgeon_compare(struct arena *a, struct surgery *s)
{
	if (!s->text.at)
		s->text = runes_of(a, s->p->text);
	struct runes old = runes_of(a, runes_slice(&s->text, s->at.from, s->at.to)), new = runes_of(a, s->new.text);
	ARRAY(struct match) blanks = {0};

	for (uint32_t i = 0; i < old.n; i++) {
		uint32_t end = placeholder_end(&old, i, old.n);
		if (end > i && is_blank_to_fill(a, s, &old, i, end, s->at.from)) {
			*ARRAY_PUSH(a, &blanks) = (struct match){i, end};
			i = end - 1;
		}
	}
	s->is_placeholder = blanks.n == 1 && blanks.items[0].from == 0 && blanks.items[0].to == old.n;
	s->hunks = hunks_between(a, &old, &new, blanks.items, blanks.n);
	for (size_t i = 0; i < s->hunks.n; i++) {
		s->hunks.items[i].from += s->at.from;
		s->hunks.items[i].to += s->at.from;
	}
}

struct surgery surgeon_join(struct arena *a, const struct surgery *list, size_t n)
{
	struct surgery all = list[0];
	ARRAY(struct segment) segments = {0};
	ARRAY(struct hunk) hunks = {0};
	struct buffer text = {.arena = a};
	uint32_t at = 0;

	for (size_t i = 0; i < n; i++) {
		const struct surgery *one = &list[i];
		uint32_t kept = i ? one->at.from - list[i - 1].at.to : 0;
		if (kept) {
			buffer_add(&text, runes_slice(&one->text, list[i - 1].at.to, one->at.from));
			*ARRAY_PUSH(a, &segments) = (struct segment){at, at + kept, {0}, ROLE_NONE};
			at += kept;
		}
		for (size_t k = 0; k < one->new.n; k++) {
			struct segment *g = ARRAY_PUSH(a, &segments);
			*g = one->new.segments[k];
			g->from += at;
			g->to += at;
		}
		for (size_t k = 0; k < one->hunks.n; k++) {
			struct hunk *h = ARRAY_PUSH(a, &hunks);
			*h = one->hunks.items[k];
			h->new_from += at;
			h->new_to += at;
		}
		buffer_add(&text, one->new.text);
		at += one->new.n ? one->new.segments[one->new.n - 1].to : 0;
	}
	all.at.to = list[n - 1].at.to;
	all.new = (struct markup){buffer_text(&text), segments.items, segments.n, list[0].new.has_highlight};
	all.hunks = (struct hunks){hunks.items, hunks.n};
	return all;
}

bool surgeon_changes(const struct surgery *s, uint32_t new_from, uint32_t new_to)
{
	for (size_t i = 0; i < s->hunks.n; i++)
		if (s->hunks.items[i].new_from < new_to && new_from < s->hunks.items[i].new_to)
			return true;
	return false;
}

void surgeon_shares(const uint32_t *old, size_t n, uint32_t total, uint32_t *cuts)
{
	uint64_t sum = 0, given = 0;

	for (size_t i = 0; i < n; i++)
		sum += old[i];
	/* First the whole parts. The rest goes to the largest remainders, earlier ones first. */
	for (size_t i = 0; i < n; i++)
		given += (uint64_t)old[i] * total / sum;
	uint64_t left = total - given;
	uint32_t at = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		uint64_t mine = (uint64_t)old[i] * total % sum, larger = 0;
		for (size_t k = 0; k < n; k++) {
			uint64_t other = (uint64_t)old[k] * total % sum;
			larger += other > mine || (other == mine && k < i);
		}
		at += (uint32_t)((uint64_t)old[i] * total / sum) + (larger < left);
		cuts[i] = at;
	}
}

/* A range of replaced characters with the same look in neighbouring runs. */
struct share {
	uint32_t run;  /* its first */
	uint32_t at;   /* first removed character */
	uint32_t size; /* number of removed characters */
};

struct operation {
	struct call *c;
	const struct surgery *s;
	struct runes new;
	struct rewrite plan;
};

static struct text rpr_bytes(const struct atoms *p, uint32_t run)
{
	return p->runs[run].rpr == XML_NONE ? TEXT("") : fragment_bytes(&p->fragment, p->runs[run].rpr);
}

static struct share *shares_of(struct operation *o, const struct hunk *h, size_t *n)
{
	const struct atoms *p = o->s->p;
	ARRAY(struct share) list = {0};

	for (uint32_t i = atom_at(p, h->from); i < p->n && p->atoms[i].at < h->to; i++) {
		const struct atom *atom = &p->atoms[i];
		uint32_t from = atom->at > h->from ? atom->at : h->from;
		uint32_t to = atom->at + atom->len < h->to ? atom->at + atom->len : h->to;
		if (!atom->len || from >= to)
			continue;
		struct share *last = list.n ? &list.items[list.n - 1] : NULL;
		if (last && (last->run == atom->run || text_same(rpr_bytes(p, last->run), rpr_bytes(p, atom->run))))
			last->size += to - from;
		else
			*ARRAY_PUSH(o->c->arena, &list) = (struct share){atom->run, from, to - from};
	}
	*n = list.n;
	return list.items;
}

/* May the new text be cut here between two words: before a word, after blanks? */
static bool is_seam(const struct runes *r, uint32_t at)
{
	return !rune_is_blank(r->at[at]) && runes_word_edge(r, at) && runes_may_cut(r, at);
}

/* Moves a cut to the nearest place between words in (low, high), or else to a cluster's border. If the old cut was
 * between words, the new one is never inside a word: the whole word goes to one side. */
static uint32_t moved_cut(const struct operation *o, uint32_t cut, uint32_t low, uint32_t high, uint32_t old_cut)
{
	const struct runes *r = &o->new, *old = &o->s->text;
	/* An earlier cut may have moved beyond this one. */
	cut = cut < low ? low : cut > high ? high : cut;
	uint32_t away = UINT32_MAX, best = cut;

	for (uint32_t i = low + 1; i < high; i++) {
		uint32_t d = i > cut ? i - cut : cut - i;
		if (d < away && is_seam(r, i)) {
			away = d;
			best = i;
		}
	}
	if (away != UINT32_MAX)
		return best;
	if (runes_word_edge(old, old_cut))
		return cut - low >= high - cut ? high : low;
	while (best > low && !runes_may_cut(r, best))
		best--;
	return best;
}

static void put(struct operation *o, struct piece piece, uint32_t from, uint32_t to, const struct look *also)
{
	const struct markup *m = &o->s->new;

	for (size_t i = 0; i < m->n; i++) {
		uint32_t left = m->segments[i].from > from ? m->segments[i].from : from;
		uint32_t right = m->segments[i].to < to ? m->segments[i].to : to;
		if (left >= right)
			continue;
		piece.text = runes_slice(&o->new, left, right);
		piece.look = also ? *also : (struct look){0};
		look_add(&piece.look, &m->segments[i].look);
		*ARRAY_PUSH(o->c->arena, &o->plan.pieces) = piece;
	}
}

/* Text in a placeholder gets the look of the placeholder, not of its brackets. */
static struct share widest_share(const struct share *shares, size_t n, struct match in)
{
	struct share best = shares[0];
	uint32_t width = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t from = shares[i].at > in.from ? shares[i].at : in.from;
		uint32_t end = shares[i].at + shares[i].size, to = end < in.to ? end : in.to;
		if (to > from && to - from > width) {
			width = to - from;
			best = shares[i];
		}
	}
	return best;
}

static void replace(struct operation *o, const struct hunk *h)
{
	size_t n;
	struct share *shares = shares_of(o, h, &n);
	uint32_t *sizes = arena_array(o->c->arena, n, sizeof *sizes), *cuts = arena_array(o->c->arena, n, sizeof *cuts);
	uint32_t from = h->new_from, total = h->new_to - h->new_from;
	static const struct look no_highlight = {.highlight = {"", 0}};
	struct runes old = {.text = o->s->text.text, .at = o->s->text.at, .byte = o->s->text.byte, .n = h->to};
	bool is_blank = placeholder_end(&old, h->from, h->to) == h->to &&
			!o->s->new.has_highlight &&is_blank_to_fill(o->c->arena, o->s, &old, h->from, h->to, 0);

	*ARRAY_PUSH(o->c->arena, &o->plan.gone) = (struct match){h->from, h->to};
	if (is_blank) {
		struct share in = widest_share(shares, n, inside_blank(&old, h->from, h->to));
		put(o, (struct piece){.run = in.run, .at = in.at}, from, h->new_to, &no_highlight);
		return;
	}
	for (size_t i = 0; i < n; i++)
		sizes[i] = shares[i].size;
	if (total)
		surgeon_shares(sizes, n, total, cuts);
	for (size_t i = 0; i < n && total; i++) {
		uint32_t to =
			i + 1 < n ? moved_cut(o, h->new_from + cuts[i], from, h->new_to, shares[i + 1].at) : h->new_to;
		struct piece piece = {.run = shares[i].run, .at = shares[i].at};
		put(o, piece, from, to, NULL);
		from = to;
	}
}

/* The innermost container and field that contain both neighbours of a place. */
struct ground {
	uint32_t container, field;
};

static bool container_holds(const struct atoms *p, uint32_t outer, uint32_t inner)
{
	while (inner != ATOMS_NONE && inner != outer)
		inner = p->containers[inner].parent;
	return inner == outer;
}

static bool field_holds(const struct atoms *p, uint32_t outer, uint32_t inner)
{
	while (inner != ATOMS_NONE && inner != outer)
		inner = p->fields[inner].parent;
	return inner == outer;
}

static struct ground ground_between(const struct atoms *p, uint32_t before, uint32_t after)
{
	if (before == ATOMS_NONE || after == ATOMS_NONE)
		return (struct ground){ATOMS_NONE, ATOMS_NONE};
	struct ground g = {p->atoms[before].container, p->atoms[before].field};
	while (!container_holds(p, g.container, p->atoms[after].container))
		g.container = p->containers[g.container].parent;
	while (!field_holds(p, g.field, p->atoms[after].field))
		g.field = p->fields[g.field].parent;
	return g;
}

/* May text next to this atom be written into its run? Not if the run is in a link, field, control or tracked insertion
 * that does not contain the place too. */
static bool is_open_ground(const struct atoms *p, uint32_t atom, struct ground g)
{
	if (atom == ATOMS_NONE || p->atoms[atom].field != g.field)
		return false;
	for (uint32_t i = p->atoms[atom].container; i != ATOMS_NONE && i != g.container; i = p->containers[i].parent) {
		const struct container *k = &p->containers[i];
		if (k->tag == TAG_HYPERLINK || k->tag == TAG_INS || k->tag == TAG_MOVE_TO || k->tag == TAG_SDT)
			return false;
	}
	return true;
}

/* The byte before or after everything that contains the atom but not the place. 0: there is none, because a field
 * continues in another paragraph or on the other side of the place. */
static uint32_t outside(const struct atoms *p, uint32_t atom, struct ground g, bool behind)
{
	const struct xml_node *nodes = p->fragment.xml.nodes;
	uint32_t node = p->atoms[atom].node, outer = p->atoms[atom].field, level = 0;

	if (outer != g.field) {
		while (p->fields[outer].parent != g.field)
			outer = p->fields[outer].parent;
		if (!p->fields[outer].is_simple)
			node = behind ? p->fields[outer].end : p->fields[outer].begin;
	}
	if (g.container != ATOMS_NONE) {
		level = p->containers[g.container].node;
		if (p->containers[g.container].tag == TAG_SDT)
			level = fragment_child(&p->fragment, level, TAG_SDT_CONTENT);
	}
	while (node != XML_NONE && nodes[node].parent != level)
		node = nodes[node].parent;
	if (node == XML_NONE)
		return 0;
	return behind ? nodes[node].to : nodes[node].from;
}

/* The byte where a new run can be inserted between two atoms (one may be missing); 0: nowhere. */
static uint32_t place_between(const struct atoms *p, uint32_t before, uint32_t after, struct ground g)
{
	const struct xml_node *nodes = p->fragment.xml.nodes;
	uint32_t low = before == ATOMS_NONE ? 1 : nodes[p->atoms[before].node].to;
	uint32_t high = after == ATOMS_NONE ? UINT32_MAX : nodes[p->atoms[after].node].from;
	uint32_t byte = before == ATOMS_NONE ? 0 : outside(p, before, g, true);

	if (byte < low || byte > high)
		byte = after == ATOMS_NONE ? 0 : outside(p, after, g, false);
	return byte < low || byte > high ? 0 : byte;
}

/* The field that is open at this byte, or ATOMS_NONE. */
static uint32_t field_over(const struct atoms *p, uint32_t byte)
{
	const struct xml_node *nodes = p->fragment.xml.nodes;

	for (uint32_t i = p->fields_n; i-- > 0;) {
		const struct field_span *f = &p->fields[i];
		if (f->is_simple)
			continue;
		if ((f->begin == XML_NONE || nodes[f->begin].from < byte) &&
		    (f->end == XML_NONE || nodes[f->end].from >= byte))
			return i;
	}
	return ATOMS_NONE;
}

static uint32_t nearest_ground(const struct atoms *p, uint32_t offset, struct ground g)
{
	uint32_t best = ATOMS_NONE, away = UINT32_MAX;

	for (uint32_t i = 0; i < p->n; i++) {
		const struct atom *atom = &p->atoms[i];
		uint32_t d = atom->at > offset ? atom->at - offset : offset - atom->at;
		if (atom->len && d < away && is_open_ground(p, i, g)) {
			away = d;
			best = atom->run;
		}
	}
	return best;
}

static bool insert(struct operation *o, const struct hunk *h)
{
	const struct atoms *p = o->s->p;
	uint32_t before = h->from ? atom_at(p, h->from - 1) : ATOMS_NONE, after = atom_at(p, h->from);
	struct ground g = ground_between(p, before, after);
	struct piece piece = {.at = h->from};

	if (!refuse_place(o->c, o->s, g.container, g.field))
		return false;
	if (is_open_ground(p, before, g)) {
		piece.run = p->atoms[before].run;
		piece.behind = true;
	} else if (is_open_ground(p, after, g)) {
		piece.run = p->atoms[after].run;
	} else {
		piece.run = ATOMS_NONE;
		piece.byte = place_between(p, before, after, g);
		piece.like = nearest_ground(p, h->from, g);
		uint32_t beside = before != ATOMS_NONE ? before : after;
		uint32_t over = piece.byte ? field_over(p, piece.byte) : p->atoms[beside].field;
		if (!piece.byte || !field_holds(p, over, g.field))
			return refuse_field(o->c, o->s, over, false);
	}
	put(o, piece, h->new_from, h->new_to, NULL);
	return true;
}

/* Tags around unchanged words add to their look. */
static void restyle(struct operation *o)
{
	const struct surgery *s = o->s;
	uint32_t old = s->at.from, new = 0;

	for (size_t i = 0; i <= s->hunks.n; i++) {
		const struct hunk *h = i < s->hunks.n ? &s->hunks.items[i] : NULL;
		uint32_t until = h ? h->new_from : o->new.n;
		for (size_t k = 0; k < s->new.n; k++) {
			const struct segment *g = &s->new.segments[k];
			uint32_t from = g->from > new ? g->from : new, to = g->to < until ? g->to : until;
			if (from < to && !look_is_plain(&g->look))
				*ARRAY_PUSH(o->c->arena, &o->plan.styles) =
					(struct restyle){old + from - new, old + to - new, g->look};
		}
		if (h) {
			old = h->to;
			new = h->new_to;
		}
	}
}

static bool check_hunk(struct operation *o, const struct hunk *h)
{
	const struct atoms *p = o->s->p;
	uint32_t first = atom_at(p, h->from), last = atom_at(p, h->to - 1);

	for (uint32_t i = first; i <= last; i++) {
		const struct atom *atom = &p->atoms[i];
		if (atom->kind == ATOM_SYMBOL)
			return refuse_symbol(o->c, o->s, i);
		if (atom->kind == ATOM_CODE || (atom->len && atom->field != p->atoms[first].field))
			return refuse_field(o->c, o->s, atom->field != ATOMS_NONE ? atom->field : p->atoms[first].field,
					    true);
		if (atom->len && atom->container != p->atoms[first].container)
			return refuse_border(o->c, o->s, h, p->atoms[first].container, atom->container);
	}
	return refuse_place(o->c, o->s, p->atoms[first].container, p->atoms[first].field);
}

/* Checks that the result is as planned: the text, and everything that must stay. */
static bool check_result(struct call *c, const struct surgery *s, struct text fragment)
{
	struct atoms now;
	const struct atoms *p = s->p;
	struct buffer want = {.arena = c->arena};
	uint32_t had[ATOM_HIDDEN + 1] = {0}, has[ATOM_HIDDEN + 1] = {0};

	buffer_add(&want, runes_slice(&s->text, 0, s->at.from));
	buffer_add(&want, s->new.text);
	buffer_add(&want, runes_slice(&s->text, s->at.to, s->text.n));
	if (!atoms_read(c->arena, fragment, p->fragment.names, p->fields_before, p->styles, &now))
		return fail_as(c, "EDIT_ERROR",
			       "this change would make the paragraph's XML invalid, so nothing was changed");
	for (uint32_t i = 0; i < p->n; i++)
		had[p->atoms[i].kind]++;
	for (uint32_t i = 0; i < now.n; i++)
		has[now.atoms[i].kind]++;
	if (!text_same(now.text, buffer_text(&want)) || had[ATOM_MARK] != has[ATOM_MARK] ||
	    had[ATOM_OBJECT] != has[ATOM_OBJECT] || had[ATOM_CODE] != has[ATOM_CODE] ||
	    had[ATOM_GONE] != has[ATOM_GONE] || had[ATOM_HIDDEN] != has[ATOM_HIDDEN] ||
	    now.fields_after.depth != p->fields_after.depth || now.fields_after.in_result != p->fields_after.in_result)
		return fail_as(
			c, "EDIT_ERROR",
			"this change would not give the text asked for, so nothing was changed; try a shorter old_string");
	return true;
}

bool surgeon_operate(struct call *c, const struct surgery *s, struct text *out)
{
	struct operation o = {.c = c, .s = s, .new = runes_of(c->arena, s->new.text)};

	for (size_t i = 0; i < s->hunks.n; i++) {
		const struct hunk *h = &s->hunks.items[i];
		if (h->to > h->from ? !check_hunk(&o, h) : !insert(&o, h))
			return false;
		if (h->to > h->from)
			replace(&o, h);
	}
	restyle(&o);
	*out = rewrite_apply(c->arena, s->p, &o.plan);
	return check_result(c, s, *out);
}

bool surgeon_fill(struct call *c, const struct atoms *p, const struct markup *new, struct text *out)
{
	struct surgery s = {.p = p, .new = *new, .text = runes_of(c->arena, p->text)};
	struct operation o = {.c = c, .s = &s, .new = runes_of(c->arena, new->text)};
	struct piece piece = {.run = ATOMS_NONE, .byte = p->fragment.xml.nodes[0].inner_to, .like = ATOMS_NONE};

	if (p->fields_after.depth)
		return refuse_field(c, &s, p->fields_n - 1, true);
	put(&o, piece, 0, o.new.n, NULL);
	*out = rewrite_apply(c->arena, p, &o.plan);
	return check_result(c, &s, *out);
}
