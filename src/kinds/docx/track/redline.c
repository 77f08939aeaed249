#include "kinds/docx/track/redline.h"
#include "format/xml.h"
#include "kinds/docx/text/sequence.h"
#include "kinds/docx/track/pieces.h"
#include "kinds/docx/track/properties.h"

#include <stdio.h>
#include <string.h>

enum change { CHANGE_KEEPS, CHANGE_DELETES, CHANGE_INSERTS };

/* The state of the writer: the open holders, the open revision, the open run, the open text. */
struct pen {
	struct arena *arena;
	struct buffer out;
	const struct names *names;
	struct stamp *stamp;
	ARRAY(const struct track_holder *) holders;
	bool *opened; /* by chain: was a holder of this chain opened before? */
	enum change change;
	bool comes, goes; /* the whole paragraph is inserted, deleted */
	bool run_open, text_open;
	const struct track_run *run; /* the open one */
	struct text rpr;             /* as it is written */
};

static void revision_attributes(struct buffer *to, const struct names *names, struct stamp *s)
{
	char id[12];

	snprintf(id, sizeof id, "%d", s->next_id++);
	names_attribute(to, names, "id", text_of(id));
	names_attribute(to, names, "author", s->author);
	names_attribute(to, names, "date", s->date);
}

static const char *revision_name(const struct pen *p, bool deletes)
{
	return p->stamp->is_move ? (deletes ? "moveFrom" : "moveTo") : deletes ? "del" : "ins";
}

/* Text that was moved away is still written as text. */
static const char *text_name(const struct pen *p)
{
	return p->change == CHANGE_DELETES && !p->stamp->is_move ? "delText" : "t";
}

static void close_text(struct pen *p)
{
	if (p->text_open)
		names_close(&p->out, p->names, text_name(p));
	p->text_open = false;
}

static void close_run(struct pen *p)
{
	close_text(p);
	if (p->run_open)
		names_close(&p->out, p->names, "r");
	p->run_open = false;
}

static void set_change(struct pen *p, enum change change)
{
	if (p->change == change)
		return;
	close_run(p);
	if (p->change != CHANGE_KEEPS)
		names_close(&p->out, p->names, revision_name(p, p->change == CHANGE_DELETES));
	p->change = change;
	if (change == CHANGE_KEEPS)
		return;
	names_open(&p->out, p->names, revision_name(p, change == CHANGE_DELETES));
	revision_attributes(&p->out, p->names, p->stamp);
	buffer_byte(&p->out, '>');
	if (!p->stamp->is_move)
		*(change == CHANGE_DELETES ? &p->stamp->deletions : &p->stamp->insertions) += 1;
}

static size_t holder_depth(const struct track_pieces *side, uint32_t holder)
{
	size_t depth = 0;

	for (; holder != PIECES_NONE; holder = side->holders.items[holder].parent)
		depth++;
	return depth;
}

/* The holder for new text of ours. It is outside another author's insertion, which Word divides at such a place. An
 * insertion is not divided if that would also divide a control or link inside it. */
static uint32_t own_ground(const struct track_pieces *side, uint32_t holder)
{
	while (holder != PIECES_NONE && side->holders.items[holder].is_tracked)
		holder = side->holders.items[holder].parent;
	return holder;
}

void redline_copy(struct buffer *to, struct text bytes, struct text id, struct stamp *stamp)
{
	size_t from = id.at ? (size_t)(id.at - bytes.at) : 0;

	buffer_add(to, text_slice(bytes, 0, from));
	if (id.at)
		buffer_format(to, "%d", stamp->next_id++);
	buffer_add(to, text_slice(bytes, from + id.len, bytes.len));
}

/* The second part of a divided insertion is a revision of its own, so it gets a new id. */
static void open_holder(struct pen *p, const struct track_holder *holder)
{
	*ARRAY_PUSH(p->arena, &p->holders) = holder;
	if (p->opened[holder->chain])
		redline_copy(&p->out, holder->open, holder->id, p->stamp);
	else
		buffer_add(&p->out, holder->open);
	p->opened[holder->chain] = true;
}

/* Closes and opens holders until those of the piece are open. */
static void set_holders(struct pen *p, const struct track_pieces *side, uint32_t holder)
{
	size_t depth = holder_depth(side, holder), same = 0;
	const struct track_holder **chain = arena_array(p->arena, depth + 1, sizeof *chain);

	for (size_t i = depth; i-- > 0; holder = side->holders.items[holder].parent)
		chain[i] = &side->holders.items[holder];
	while (same < depth && same < p->holders.n && p->holders.items[same]->chain == chain[same]->chain)
		same++;
	if (same == depth && same == p->holders.n)
		return;
	set_change(p, CHANGE_KEEPS);
	close_run(p);
	while (p->holders.n > same)
		buffer_add(&p->out, p->holders.items[--p->holders.n]->close);
	for (; same < depth; same++)
		open_holder(p, chain[same]);
}

/* Runs stay separate even if they look alike, because some programs cannot handle text and field marks in one run. */
static void set_run(struct pen *p, const struct track_run *run, struct text rpr)
{
	if (p->run_open && p->run == run && text_same(p->rpr, rpr))
		return;
	close_run(p);
	names_open(&p->out, p->names, "r");
	buffer_add(&p->out, run->attributes);
	buffer_byte(&p->out, '>');
	buffer_add(&p->out, rpr);
	p->run_open = true;
	p->run = run;
	p->rpr = rpr;
}

/* The bytes of an element under another local name: delInstrText for instrText. */
static void put_renamed(struct pen *p, struct text element, const char *local)
{
	size_t name = 1, colon, end = element.len;

	while (name < element.len && !strchr(" \t\r\n/>", element.at[name]))
		name++;
	names_open(&p->out, p->names, local);
	colon = end;
	while (colon && element.at[colon - 1] != '<')
		colon--;
	if (element.at[element.len - 2] == '/') {
		buffer_add(&p->out, text_slice(element, name, element.len));
		return;
	}
	buffer_add(&p->out, text_slice(element, name, colon - 1));
	names_close(&p->out, p->names, local);
}

static void put_content(struct pen *p, const struct track_piece *piece)
{
	if (piece->kind == PIECE_WORD) {
		if (!p->text_open) {
			names_open(&p->out, p->names, text_name(p));
			buffer_put(&p->out, " xml:space=\"preserve\">");
			p->text_open = true;
		}
		xml_escape(&p->out, piece->content, false);
		return;
	}
	close_text(p);
	if (piece->tag == TAG_INSTR_TEXT && p->change == CHANGE_DELETES && !p->stamp->is_move)
		put_renamed(p, piece->content, "delInstrText");
	else
		buffer_add(&p->out, piece->content);
}

static void put_piece(struct pen *p, const struct track_pieces *side, const struct track_piece *piece,
		      enum change change, struct text rpr)
{
	/* A mark between runs cannot be tracked. It stays, or is removed with the marked text. */
	if (piece->kind == PIECE_NODE) {
		if (change == CHANGE_DELETES && !p->stamp->keeps_marks && !p->goes)
			return;
		if (change == CHANGE_INSERTS && p->stamp->elsewhere && map_find(p->stamp->elsewhere, piece->content))
			return;
		set_holders(p, side, piece->holder);
		set_change(p, CHANGE_KEEPS);
		close_run(p);
		buffer_add(&p->out, piece->content);
		return;
	}
	set_holders(p, side, change == CHANGE_INSERTS ? own_ground(side, piece->holder) : piece->holder);
	set_change(p, change);
	set_run(p, &side->runs.items[piece->run], rpr);
	put_content(p, piece);
}

/* The content between the tags; empty for a short or absent element. */
static struct text inner(struct text element)
{
	size_t from = text_find(element, TEXT(">"), 0), to = element.len;

	if (from == SIZE_MAX || element.at[from - 1] == '/')
		return TEXT("");
	while (to && element.at[to - 1] != '<')
		to--;
	return text_slice(element, from + 1, to - 1);
}

static bool holds(struct text element, const char *local) { return text_find(element, text_of(local), 0) != SIZE_MAX; }

/* A paragraph's properties, split by their role. */
struct properties {
	struct buffer plain;              /* all except the following */
	struct text rpr, section, change; /* elements; empty: none */
};

static void properties_read(struct arena *a, struct text ppr, const struct names *names, struct properties *out)
{
	struct fragment f;

	*out = (struct properties){.plain = {.arena = a}, .rpr = TEXT(""), .section = TEXT(""), .change = TEXT("")};
	if (!ppr.len || !fragment_parse(a, ppr, names, &f))
		return;
	for (uint32_t i = xml_first(&f.xml, f.xml.root); i != XML_NONE; i = xml_next(&f.xml, i)) {
		struct text bytes = fragment_bytes(&f, i);
		if (f.tags[i] == TAG_RPR)
			out->rpr = bytes;
		else if (f.tags[i] == TAG_SECT_PR)
			out->section = bytes;
		else if (f.tags[i] == TAG_PPR_CHANGE)
			out->change = bytes;
		else if (f.tags[i] != TAG_NOT_ELEMENT)
			buffer_add(&out->plain, bytes);
	}
}

static void put_former(struct pen *p, struct buffer *to, const char *change, const char *properties, struct text was)
{
	names_open(to, p->names, change);
	revision_attributes(to, p->names, p->stamp);
	buffer_byte(to, '>');
	names_open(to, p->names, properties);
	buffer_byte(to, '>');
	buffer_add(to, was);
	names_close(to, p->names, properties);
	names_close(to, p->names, change);
	p->stamp->formats++;
}

/* The current rPr, with the old one inside it. */
static struct text changed_rpr(struct pen *p, struct text before, struct text after)
{
	struct buffer out = {.arena = p->arena};

	names_open(&out, p->names, "rPr");
	buffer_byte(&out, '>');
	buffer_add(&out, inner(after));
	put_former(p, &out, "rPrChange", "rPr", inner(before));
	names_close(&out, p->names, "rPr");
	return buffer_text(&out);
}

/* The rPr of a paragraph mark: what others did to the mark, and how it looks. */
struct mark {
	struct text inserted;  /* w:ins; empty: none */
	struct buffer deleted; /* w:del, w:moveFrom */
	struct buffer moved;   /* w:moveTo */
	struct buffer look;
	bool has_former; /* a change of the look is already tracked */
};

/* `copies`: revisions of others get new ids. */
static void mark_read(struct pen *p, struct text rpr, bool copies, struct mark *out)
{
	struct arena *a = p->arena;
	struct fragment f;

	*out = (struct mark){TEXT(""), {.arena = a}, {.arena = a}, {.arena = a}, false};
	if (!rpr.len || !fragment_parse(a, rpr, p->names, &f))
		return;
	for (uint32_t i = xml_first(&f.xml, f.xml.root); i != XML_NONE; i = xml_next(&f.xml, i)) {
		struct buffer bytes = {.arena = a};
		uint8_t tag = f.tags[i];
		if (tag == TAG_NOT_ELEMENT)
			continue;
		bool is_revision = tag == TAG_INS || tag == TAG_DEL || tag == TAG_MOVE_FROM || tag == TAG_MOVE_TO;
		redline_copy(&bytes, fragment_bytes(&f, i),
			     copies && is_revision ? fragment_id(&f, i) : (struct text){0}, p->stamp);
		if (tag == TAG_INS)
			out->inserted = buffer_text(&bytes);
		else
			buffer_add(tag == TAG_DEL || tag == TAG_MOVE_FROM ? &out->deleted
				   : tag == TAG_MOVE_TO                   ? &out->moved
									  : &out->look,
				   buffer_text(&bytes));
		out->has_former |= tag == TAG_RPR_CHANGE;
	}
}

/* Writes the look of the paragraph mark, and its revisions. `was` absent: the look did not change. A mark that is not
 * new is the old one, and keeps the revisions of others. A mark is inserted at most once and deleted at most once, in
 * this order. So a deletion by others replaces ours, and our new mark replaces one that they inserted. */
static void put_mark(struct pen *p, struct text rpr, struct text was, enum redline_mark mark)
{
	struct mark now, old;

	if (mark == MARK_PLAIN && (!was.at || text_same(inner(rpr), inner(was)))) {
		buffer_add(&p->out, rpr);
		return;
	}
	mark_read(p, rpr, p->goes && was.at, &now);
	mark_read(p, was, p->comes && mark != MARK_INSERTED, &old);
	bool changes = was.at && !now.has_former && !old.has_former &&
		       !text_same(buffer_text(&now.look), buffer_text(&old.look));
	const struct mark *theirs = was.at && mark != MARK_INSERTED ? &old : &now;
	/* After accepting, this mark ends the paragraph before. If that paragraph's mark was deleted, this one is
	 * deleted too. */
	if (p->goes && theirs == &old && mark == MARK_PLAIN && !old.deleted.len)
		old.deleted = now.deleted;
	names_open(&p->out, p->names, "rPr");
	buffer_byte(&p->out, '>');
	if (mark != MARK_INSERTED)
		buffer_add(&p->out, theirs->inserted);
	if (mark == MARK_INSERTED || (mark == MARK_DELETED && !theirs->deleted.len)) {
		names_open(&p->out, p->names, revision_name(p, mark == MARK_DELETED));
		revision_attributes(&p->out, p->names, p->stamp);
		buffer_put(&p->out, "/>");
	}
	buffer_add(&p->out, buffer_text(&theirs->deleted));
	if (mark != MARK_INSERTED)
		buffer_add(&p->out, buffer_text(&theirs->moved));
	buffer_add(&p->out, buffer_text(&now.look));
	if (changes)
		put_former(p, &p->out, "rPrChange", "rPr", buffer_text(&old.look));
	names_close(&p->out, p->names, "rPr");
}

/* `old` absent: the properties did not change. */
static void put_properties(struct pen *p, struct text ppr, struct text old, enum redline_mark mark)
{
	struct properties now, was;

	properties_read(p->arena, ppr, p->names, &now);
	properties_read(p->arena, old, p->names, &was);
	bool changes = old.at && !now.change.len && !text_same(buffer_text(&now.plain), buffer_text(&was.plain));
	struct text look = old.at ? was.rpr : (struct text){0};
	bool mark_changes = look.at && !text_same(inner(now.rpr), inner(look));
	struct text section = now.section;
	/* The redline keeps the original's sections, so its pages are the same. Their setup may change. */
	if (p->stamp->keeps_marks && old.at)
		section = was.section.len && now.section.len
				  ? section_tracked(p->arena, was.section, now.section, p->names, p->stamp)
				  : was.section;
	changes |= section.at != now.section.at && !text_same(section, now.section);
	if (!ppr.len && !changes && !mark_changes && mark == MARK_PLAIN)
		return;
	if (mark == MARK_PLAIN && !changes && !mark_changes) {
		buffer_add(&p->out, ppr);
		return;
	}
	names_open(&p->out, p->names, "pPr");
	buffer_byte(&p->out, '>');
	buffer_add(&p->out, buffer_text(&now.plain));
	put_mark(p, now.rpr, look, mark);
	buffer_add(&p->out, section);
	if (changes)
		put_former(p, &p->out, "pPrChange", "pPr", buffer_text(&was.plain));
	buffer_add(&p->out, now.change);
	names_close(&p->out, p->names, "pPr");
}

static struct sequence_item *items_of(struct arena *a, const struct track_pieces *side, struct map *words)
{
	struct sequence_item *items = arena_array(a, side->list.n + 1, sizeof *items);

	for (size_t i = 0; i < side->list.n; i++) {
		const struct track_piece *piece = &side->list.items[i];
		uint32_t chain = piece->holder == PIECES_NONE ? 0 : side->holders.items[piece->holder].chain + 1;
		struct text key = text_format(a, "%u %u %.*s", chain, piece->kind, TEXT_ARGS(piece->content));
		size_t length = piece->content.len < 12 ? piece->content.len : 12;
		items[i].word = *map_at(words, key, (uint32_t)words->n, NULL);
		/* Marks between runs are the best anchors: they are in both, and cannot be tracked. */
		items[i].weight = piece->kind == PIECE_NODE ? 40 : piece->is_blank ? 1 : 4 + (uint32_t)length;
	}
	return items;
}

static bool all_blank(const struct track_pieces *side, uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		if (!side->list.items[from].is_blank)
			return false;
	return true;
}

/* Changes with only blanks between them are easier to read as one. */
static void join_over_blanks(struct hunks *h, const struct track_pieces *before)
{
	size_t kept = 0;

	for (size_t i = 0; i < h->n; i++) {
		struct hunk *last = kept ? &h->items[kept - 1] : NULL, next = h->items[i];
		if (last && all_blank(before, last->to, next.from)) {
			last->to = next.to;
			last->new_to = next.new_to;
		} else {
			h->items[kept++] = next;
		}
	}
	h->n = kept;
}

static void put_range(struct pen *p, const struct track_pieces *side, uint32_t from, uint32_t to, enum change change)
{
	for (uint32_t i = from; i < to; i++) {
		const struct track_piece *piece = &side->list.items[i];
		struct text rpr = piece->run == PIECES_NONE ? TEXT("") : side->runs.items[piece->run].rpr;
		put_piece(p, side, piece, change, rpr);
	}
}

/* Unchanged words with their current look, and with the old look if it differs. */
static void put_kept(struct pen *p, const struct track_pieces *before, uint32_t from, const struct track_pieces *after,
		     uint32_t at, uint32_t n)
{
	struct text made_was = {0}, made = {0};
	const struct track_piece *last = NULL; /* the piece for which `made` was written */

	for (uint32_t i = 0; i < n; i++) {
		const struct track_piece *piece = &after->list.items[at + i], *old = &before->list.items[from + i];
		struct text rpr = TEXT(""), was = TEXT("");
		if (piece->run != PIECES_NONE && old->run != PIECES_NONE) {
			rpr = after->runs.items[piece->run].rpr;
			was = before->runs.items[old->run].rpr;
		}
		if (!text_same(inner(rpr), inner(was)) && !holds(rpr, "rPrChange")) {
			/* One revision for words of one look in one run. An id is never used twice. */
			if (!last || !p->run_open || last->run != piece->run || last->holder != piece->holder ||
			    !text_same(made_was, was)) {
				made = changed_rpr(p, was, rpr);
				made_was = was;
			}
			last = piece;
			rpr = made;
		}
		put_piece(p, after, piece, CHANGE_KEEPS, rpr);
	}
}

static void put_both(struct pen *p, const struct track_pieces *before, const struct track_pieces *after)
{
	struct map words = {.arena = p->arena};
	struct sequence_item *old = items_of(p->arena, before, &words), *new = items_of(p->arena, after, &words);
	struct hunk all = {0, (uint32_t)before->list.n, 0, (uint32_t)after->list.n};
	struct hunks hunks = p->stamp->is_coarse ? (struct hunks){&all, 1}
						 : sequence_compare(p->arena, old, all.to, new, all.new_to);
	uint32_t from = 0, at = 0;

	join_over_blanks(&hunks, before);
	for (size_t i = 0; i <= hunks.n; i++) {
		struct hunk end = {(uint32_t)before->list.n, (uint32_t)before->list.n, (uint32_t)after->list.n,
				   (uint32_t)after->list.n};
		const struct hunk *h = i < hunks.n ? &hunks.items[i] : &end;
		put_kept(p, before, from, after, at, h->from - from);
		put_range(p, before, h->from, h->to, CHANGE_DELETES);
		put_range(p, after, h->new_from, h->new_to, CHANGE_INSERTS);
		from = h->to;
		at = h->new_to;
	}
}

bool redline_paragraph(struct arena *a, struct text before, struct text after, const struct names *names,
		       enum redline_mark mark, struct text old_ppr, struct stamp *stamp, struct text *out)
{
	struct map chains = {.arena = a};
	struct track_pieces old = {0}, new = {0};
	struct pen p = {.arena = a,
			.out = {.arena = a},
			.names = names,
			.stamp = stamp,
			.comes = !before.at,
			.goes = !after.at};

	if ((before.at && !pieces_read(a, before, names, &chains, &old)) ||
	    (after.at && !pieces_read(a, after, names, &chains, &new)))
		return false;
	p.opened = arena_array(a, chains.n + 1, sizeof *p.opened);
	const struct track_pieces *last = after.at ? &new : &old;
	buffer_add(&p.out, before.at && stamp->keeps_marks ? old.start : last->start);
	put_properties(&p, last->ppr, before.at && after.at ? old.ppr : old_ppr, mark);
	if (before.at && after.at)
		put_both(&p, &old, &new);
	else
		put_range(&p, last, 0, (uint32_t)last->list.n, after.at ? CHANGE_INSERTS : CHANGE_DELETES);
	set_holders(&p, last, PIECES_NONE);
	set_change(&p, CHANGE_KEEPS);
	close_run(&p);
	names_close(&p.out, names, "p");
	*out = buffer_text(&p.out);
	return true;
}

struct text redline_properties(struct arena *a, struct text fragment, const struct names *names)
{
	struct fragment f;
	uint32_t ppr;

	if (!fragment_parse(a, fragment, names, &f) || (ppr = fragment_child(&f, f.xml.root, TAG_PPR)) == XML_NONE)
		return TEXT("");
	return fragment_bytes(&f, ppr);
}

struct text redline_mark(struct arena *a, struct text fragment, const struct names *names, enum redline_mark mark,
			 struct stamp *stamp)
{
	struct pen p = {.arena = a, .out = {.arena = a}, .names = names, .stamp = stamp};
	struct fragment f;

	if (!fragment_parse(a, fragment, names, &f))
		return fragment;
	const struct xml_node *root = &f.xml.nodes[f.xml.root];
	uint32_t ppr = fragment_child(&f, f.xml.root, TAG_PPR);
	struct text properties = ppr == XML_NONE ? TEXT("") : fragment_bytes(&f, ppr);
	uint32_t rest = ppr == XML_NONE ? root->inner : f.xml.nodes[ppr].to;
	if (root->is_empty_tag) {
		buffer_add(&p.out, text_slice(fragment, root->from, root->to - 2));
		buffer_byte(&p.out, '>');
		put_properties(&p, properties, (struct text){0}, mark);
		names_close(&p.out, names, "p");
		return buffer_text(&p.out);
	}
	buffer_add(&p.out, text_slice(fragment, 0, ppr == XML_NONE ? root->inner : f.xml.nodes[ppr].from));
	put_properties(&p, properties, (struct text){0}, mark);
	buffer_add(&p.out, text_slice(fragment, rest, fragment.len));
	return buffer_text(&p.out);
}
