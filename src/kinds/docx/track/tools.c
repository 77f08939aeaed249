/* The tools for a document's tracked changes: check for them, list them, accept or reject them. */
#include "kinds/docx/track/tools.h"
#include "kinds/docx/annotate/anchor.h"
#include "kinds/docx/annotate/orphans.h"
#include "kinds/docx/annotate/parts.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/edit/change.h"
#include "kinds/docx/text/excerpt.h"
#include "kinds/docx/track/decision.h"
#include "kinds/docx/track/revisions.h"
#include "kinds/docx/track/settle.h"

static struct revision_counts sum(struct revision_counts a, struct revision_counts b)
{
	return (struct revision_counts){a.insertions + b.insertions, a.deletions + b.deletions,   a.moves + b.moves,
					a.formats + b.formats,       a.paragraphs + b.paragraphs, a.rows + b.rows,
					a.departures + b.departures, a.elsewhere + b.elsewhere};
}

/* Paragraphs are parsed only in documents that had revisions, or were edited. */
static struct revision_counts counts_at(const struct story *s, uint32_t p, const struct settling *which)
{
	struct revision_counts counts = {0};

	if (s->revisions)
		revisions_count(story_fragment(s, p), s->paragraphs.items[p].names, which, &counts);
	return counts;
}

/* The ranges outside paragraphs that settling changes in the story, without those that the session already
 * changed. */
static bool structure_of(struct call *c, const struct story *s, const struct settling *which,
			 struct structure_changes *out)
{
	size_t kept = 0;

	if (!s->revisions)
		return true;
	if (!settle_structure(c->arena, s->part->bytes, which, out))
		return fail(c, FAULT_INTERNAL, "a part cannot be read");
	for (size_t i = 0; i < out->list.n; i++) {
		struct structure_change change = out->list.items[i];
		bool is_done = change.with.len && text_same(story_patched(s, change.from, change.to), change.with);
		if (!is_done && !story_is_taken_out(s, change.from, change.to))
			out->list.items[kept++] = change;
	}
	out->list.n = kept;
	return true;
}

static int64_t shown_changes(const struct structure_changes *changes)
{
	int64_t n = 0;

	for (size_t i = 0; i < changes->list.n; i++)
		n += !changes->list.items[i].is_twin;
	return n;
}

/* The body, then the other stories: headers, footers, notes, comments. */
static struct story *story_at(const struct session *s, size_t i) { return i ? s->stories[i - 1] : s->body; }

struct tracked_args {
	struct target target;
};
static const struct field tracked_in[] = {TARGET_FIELDS(struct tracked_args), FIELDS_END};
struct tracked_answer {
	struct session_facts session;
	bool has_tracked_changes;
	int64_t insertions, deletions, moves, format_changes, paragraph_marks, paragraphs, table_changes;
};
static const struct field tracked_out[] = {
	SESSION_FIELDS(struct tracked_answer),
	FIELD(struct tracked_answer, has_tracked_changes, FLAG, FIELD_REQUIRED | FIELD_TERSE, "Is there any?"),
	FIELD(struct tracked_answer, insertions, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Insertions"),
	FIELD(struct tracked_answer, deletions, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Deletions"),
	FIELD(struct tracked_answer, moves, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Moves"),
	FIELD(struct tracked_answer, format_changes, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Changes of format"),
	FIELD(struct tracked_answer, paragraph_marks, INT, FIELD_REQUIRED | FIELD_UNLISTED,
	      "Whole paragraphs inserted or deleted"),
	FIELD(struct tracked_answer, paragraphs, INT, FIELD_REQUIRED | FIELD_TERSE, "Paragraphs that have any"),
	FIELD(struct tracked_answer, table_changes, INT, FIELD_REQUIRED | FIELD_UNLISTED,
	      "Changes of rows, cells, tables and sections"),
	FIELDS_END,
};

static bool has_tracked_changes(struct call *c, const void *in, void *out)
{
	const struct tracked_args *args = in;
	struct tracked_answer *answer = out;
	struct revision_counts all = {0};
	scoped(session_leave) struct session *s = NULL;

	if (!session_enter(c, &args->target, &s, &answer->session) || !session_stories(c, s))
		return false;
	for (size_t i = 0; i <= s->stories_n; i++) {
		const struct story *story = story_at(s, i);
		for (uint32_t p = story_next(story, STORY_NONE); p != STORY_NONE; p = story_next(story, p)) {
			struct revision_counts here = counts_at(story, p, NULL);
			all = sum(all, here);
			answer->paragraphs += revisions_total(&here) > 0;
			if (!goes_on(c))
				return false;
		}
		struct structure_changes structure = {0};
		if (!structure_of(c, story, &(struct settling){.how = SETTLE_ACCEPT}, &structure))
			return false;
		answer->table_changes += shown_changes(&structure);
	}
	answer->has_tracked_changes = revisions_total(&all) || answer->table_changes;
	answer->insertions = all.insertions;
	answer->deletions = all.deletions;
	answer->moves = all.moves;
	answer->format_changes = all.formats;
	answer->paragraph_marks = all.paragraphs;
	return true;
}

struct extract_args {
	struct target target;
	int64_t offset, limit;
};
static const struct field extract_in[] = {
	TARGET_FIELDS(struct extract_args),
	FIELD(struct extract_args, offset, INT, 0, "Changed paragraphs to skip", .limits = AT_LEAST(0),
	      .otherwise = "0"),
	FIELD(struct extract_args, limit, INT, 0, "Paragraphs to return", .limits = BETWEEN(1, 500), .otherwise = "50"),
	FIELDS_END,
};
struct listed_entry {
	struct text revision_id, type;
	struct text author, date, text;
};
static const struct field listed_fields[] = {
	FIELD(struct listed_entry, revision_id, TEXT, FIELD_TERSE, "For accept_changes and reject_changes"),
	FIELD(struct listed_entry, type, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Type"),
	FIELD(struct listed_entry, author, TEXT, FIELD_TERSE, "Author"),
	FIELD(struct listed_entry, date, TEXT, FIELD_TERSE, "Date"),
	FIELD(struct listed_entry, text, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Words"),
	FIELDS_END,
};
static const struct shape listed_shape = SHAPE(struct listed_entry, "revision", listed_fields);
struct remark {
	int64_t comment_id;
	struct text author, text;
};
static const struct field remark_fields[] = {
	FIELD(struct remark, comment_id, INT, FIELD_REQUIRED | FIELD_TERSE, "Id"),
	FIELD(struct remark, author, TEXT, FIELD_TERSE, "Author"),
	FIELD(struct remark, text, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Text"),
	FIELDS_END,
};
static const struct shape remark_shape = SHAPE(struct remark, "remark", remark_fields);
struct changed_paragraph {
	struct text para_id, before_text, after_text;
	struct objects revisions, comments;
};
static const struct field changed_fields[] = {
	FIELD(struct changed_paragraph, para_id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Paragraph"),
	FIELD(struct changed_paragraph, before_text, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Text if all is rejected"),
	FIELD(struct changed_paragraph, after_text, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Text if all is accepted"),
	FIELD(struct changed_paragraph, revisions, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Each change",
	      .shape = &listed_shape),
	FIELD(struct changed_paragraph, comments, OBJECTS, FIELD_UNLISTED, "Comments anchored in it",
	      .shape = &remark_shape),
	FIELDS_END,
};
static const struct shape changed_shape = SHAPE(struct changed_paragraph, "changed_paragraph", changed_fields);
struct extract_answer {
	struct session_facts session;
	int64_t total, returned;
	bool has_more;
	struct maybe_int next_offset;
	struct objects paragraphs;
};
static const struct field extract_out[] = {
	SESSION_FIELDS(struct extract_answer),
	FIELD(struct extract_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Changed paragraphs in all"),
	FIELD(struct extract_answer, returned, INT, FIELD_REQUIRED | FIELD_TERSE, "Those in this result"),
	FIELD(struct extract_answer, has_more, FLAG, FIELD_REQUIRED | FIELD_TERSE, "More follow"),
	FIELD(struct extract_answer, next_offset, MAYBE_INT, FIELD_TERSE, "Offset of the next page"),
	FIELD(struct extract_answer, paragraphs, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Changed paragraphs",
	      .shape = &changed_shape),
	FIELDS_END,
};

static struct text text_settled(struct call *c, const struct story *s, uint32_t p, enum settlement how)
{
	const struct paragraph *at = &s->paragraphs.items[p];
	struct field_state fields = at->fields;
	struct revision_counts counts;
	struct text bytes, out = TEXT("");

	if (settle(c->arena, story_fragment(s, p), at->names, how, &bytes, &counts))
		atoms_text(c->arena, bytes, at->names, &fields, NULL, &out);
	return out;
}

enum { LISTED_ROOM = 10000 }; /* bytes of the listed changes of one paragraph; the same for comments */

static struct objects remarks_on(struct call *c, const struct annotations *comments, const struct story *s, uint32_t p)
{
	ARRAY(struct remark) list = {0};
	int32_t *ids;
	size_t n = comments->bytes.at ? anchor_ids(c, s, p, true, &ids) : 0;

	for (size_t i = 0, sum = 0; i < n && sum < LISTED_ROOM; i++) {
		uint32_t node = annotation_find(c, comments, ids[i]);
		if (node == XML_NONE)
			continue;
		struct remark r = {ids[i], fragment_attribute(c->arena, &comments->f, node, SPACE_W, "author"),
				   excerpt_short(c->arena, annotation_text(c, comments, node))};
		*ARRAY_PUSH(c->arena, &list) = r;
		sum += 60 + r.text.len;
	}
	return (struct objects){list.items, list.n};
}

static bool describe(struct call *c, struct story *s, uint32_t p, const struct annotations *comments,
		     struct changed_paragraph *out)
{
	struct revision_entries entries = {0};

	if (!revisions_list(c->arena, story_fragment(s, p), s->paragraphs.items[p].names, &entries))
		return fail(c, FAULT_INTERNAL, "a paragraph cannot be read");
	struct listed_entry *list = arena_array(c->arena, entries.list.n, sizeof *list);
	size_t n = 0;
	for (size_t sum = 0; n < entries.list.n && sum < LISTED_ROOM; n++) {
		const struct revision_entry *e = &entries.list.items[n];
		struct text part = decision_part(s), id = {0};
		if (e->id.len)
			id = text_format(c->arena, "%.*s/%.*s", TEXT_ARGS(part), TEXT_ARGS(e->id));
		list[n] = (struct listed_entry){id, text_of(e->type), e->author, e->date,
						excerpt_short(c->arena, e->text)};
		sum += 120 + list[n].text.len;
	}
	if (n < entries.list.n)
		warn(c, "paragraph %s has %zu tracked changes; the first %zu are listed", story_id(c, s, p),
		     entries.list.n, n);
	struct text before = text_settled(c, s, p, SETTLE_REJECT), after = text_settled(c, s, p, SETTLE_ACCEPT);
	size_t at = excerpt_difference(before, after);
	*out = (struct changed_paragraph){text_of(story_id(c, s, p)),
					  excerpt(c->arena, before, at),
					  excerpt(c->arena, after, at),
					  {list, n},
					  remarks_on(c, comments, s, p)};
	return true;
}

static size_t room_of(const struct changed_paragraph *p)
{
	const struct remark *remarks = p->comments.items;
	const struct listed_entry *entries = p->revisions.items;
	size_t size = 200 + p->before_text.len + p->after_text.len;

	for (size_t i = 0; i < p->revisions.n; i++)
		size += 120 + entries[i].text.len;

	for (size_t i = 0; i < p->comments.n; i++)
		size += 60 + remarks[i].text.len;
	return size;
}

static bool extract_revisions(struct call *c, const void *in, void *out)
{
	const struct extract_args *args = in;
	struct extract_answer *answer = out;
	ARRAY(struct changed_paragraph) list = {0};
	size_t room = list_room(c);
	struct annotations comments;
	scoped(session_leave) struct session *s = NULL;

	if (!session_enter(c, &args->target, &s, &answer->session) || !session_stories(c, s) ||
	    !annotations_read(c, s, ANNOTATION_COMMENTS, &comments))
		return false;
	for (size_t i = 0; i <= s->stories_n; i++) {
		struct story *story = story_at(s, i);
		for (uint32_t p = story_next(story, STORY_NONE); p != STORY_NONE; p = story_next(story, p)) {
			struct revision_counts here = counts_at(story, p, NULL);
			if (!goes_on(c))
				return false;
			if (!revisions_total(&here) || answer->total++ < args->offset ||
			    (int64_t)list.n >= args->limit || !room)
				continue;
			struct changed_paragraph *entry = ARRAY_PUSH(c->arena, &list);
			if (!describe(c, story, p, &comments, entry))
				return false;
			size_t size = room_of(entry);
			if (size > room && list.n > 1)
				list.n--;
			room = size < room ? room - size : 0;
		}
	}
	answer->returned = (int64_t)list.n;
	answer->has_more = args->offset + (int64_t)list.n < answer->total;
	if (answer->has_more)
		answer->next_offset = (struct maybe_int){args->offset + (int64_t)list.n, true};
	answer->paragraphs = (struct objects){list.items, list.n};
	return true;
}

struct accept_answer {
	struct session_facts session;
	struct edit_facts edit;
	int64_t insertions, deletions, moves, format_changes, paragraph_marks, paragraphs, table_changes;
};
static const struct field accept_out[] = {
	SESSION_FIELDS(struct accept_answer),
	EDIT_FIELDS(struct accept_answer),
	FIELD(struct accept_answer, insertions, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Insertions accepted"),
	FIELD(struct accept_answer, deletions, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Deletions accepted"),
	FIELD(struct accept_answer, moves, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Moves accepted"),
	FIELD(struct accept_answer, format_changes, INT, FIELD_REQUIRED | FIELD_UNLISTED, "Changes of format accepted"),
	FIELD(struct accept_answer, paragraph_marks, INT, FIELD_REQUIRED | FIELD_UNLISTED,
	      "Whole paragraphs inserted or deleted"),
	FIELD(struct accept_answer, paragraphs, INT, FIELD_REQUIRED | FIELD_TERSE, "Paragraphs that changed"),
	FIELD(struct accept_answer, table_changes, INT, FIELD_REQUIRED | FIELD_UNLISTED,
	      "Changes of rows, cells, tables and sections"),
	FIELDS_END,
};

/* Can the content of p go into q? Only within one cell, box or body. */
static bool may_join(const struct story *s, uint32_t p, uint32_t q)
{
	const struct paragraph *a = &s->paragraphs.items[p], *b = &s->paragraphs.items[q];

	return a->cell == b->cell && a->ancestors == b->ancestors && a->host == b->host && a->names == b->names;
}

/* Its atoms, in scratch memory: a document has many paragraphs. */
static bool atoms_at(struct call *c, struct arena *scratch, const struct story *s, uint32_t p, struct atoms *out)
{
	struct arena *own = c->arena;

	c->arena = scratch;
	bool done = story_atoms(c, s, p, out);
	c->arena = own;
	return done || fail(c, FAULT_INTERNAL, "a paragraph cannot be read");
}

/* The last paragraph of a cell or of the body has no next one to join. It is removed if it is empty and not the only
 * one there. */
static bool may_go(struct call *c, struct arena *scratch, const struct story *s, uint32_t p)
{
	const struct paragraph *at = &s->paragraphs.items[p];
	struct atoms now;

	if (!atoms_at(c, scratch, s, p, &now) || at->flags & PARAGRAPH_HAS_SECTION)
		return false;
	for (uint32_t i = 0; i < now.n; i++)
		if (now.atoms[i].kind != ATOM_MARK && now.atoms[i].kind != ATOM_LAID)
			return false;
	return at->cell == STORY_NONE ? story_previous(s, p) != STORY_NONE : s->cells.items[at->cell].paragraphs > 1;
}

static void count(struct accept_answer *answer, struct revision_counts here)
{
	answer->insertions += here.insertions;
	answer->deletions += here.deletions;
	answer->moves += here.moves;
	answer->format_changes += here.formats;
	answer->paragraph_marks += here.paragraphs;
	answer->paragraphs += revisions_total(&here) > 0;
}

static bool is_twin(const struct story *s, uint32_t p) { return s->paragraphs.items[p].flags & PARAGRAPH_IS_TWIN; }

/* The next paragraph of the text, or of its copies for old readers outside text boxes. */
static uint32_t next_of(const struct story *s, uint32_t p, bool twins)
{
	if (!twins)
		return story_next(s, p);
	do
		p = p == STORY_NONE ? s->first : s->paragraphs.items[p].next;
	while (p != STORY_NONE && (!is_twin(s, p) || s->paragraphs.items[p].host != STORY_NONE ||
				   s->paragraphs.items[p].flags & PARAGRAPH_DELETED));
	return p;
}

/* Counts the changes of a paragraph and of its text boxes, which are accepted together. The copies for old readers have
 * the same changes. */
static void count_with_boxes(const struct story *s, uint32_t p, struct revision_counts own,
			     const struct settling *which, struct accept_answer *answer)
{
	if (is_twin(s, p))
		return;
	count(answer, own);
	for (uint32_t q = own.elsewhere ? s->paragraphs.items[p].next : STORY_NONE;
	     q != STORY_NONE && s->paragraphs.items[q].host == p; q = s->paragraphs.items[q].next)
		if (!is_twin(s, q))
			count(answer, counts_at(s, q, which));
}

/* Removes a paragraph that others deleted. Its marks move to a neighbour, as when an edit deletes it. */
static void remove_deleted(struct call *c, struct arena *scratch, struct story *s, uint32_t p, bool has_neighbour)
{
	if (!may_go(c, scratch, s, p))
		return;
	if (!is_twin(s, p))
		change_delete(c, s, p);
	else if (has_neighbour)
		story_delete(s, p);
	if (s->paragraphs.items[p].flags & PARAGRAPH_DELETED)
		s->paragraphs.items[p].flags |= PARAGRAPH_DROPPED;
}

/* Settles p, and the paragraphs that it joins because its mark is removed. *next is the first one after them.
 * *previous is the last one that stays. */
static bool decide_at(struct call *c, struct story *s, uint32_t p, const struct settling *which,
		      struct accept_answer *answer, uint32_t *previous, uint32_t *next)
{
	scoped(arena_free) struct arena scratch = {0};
	ARRAY(uint32_t) list = {0};
	ARRAY(struct text) bytes = {0}, bases = {0};
	struct revision_counts last = counts_at(s, p, which);
	const struct names *names = s->paragraphs.items[p].names;
	bool has_neighbour = *previous != STORY_NONE && may_join(s, *previous, p), goes, is_dirty = false;
	struct text now, base;

	*next = next_of(s, p, is_twin(s, p));
	*previous = p;
	if (!revisions_total(&last) && !last.elsewhere)
		return true;
	for (;;) {
		*ARRAY_PUSH(&scratch, &list) = p;
		*ARRAY_PUSH(&scratch, &bytes) = story_fragment(s, p);
		*ARRAY_PUSH(&scratch, &bases) = story_base(s, p).at ? story_base(s, p) : TEXT("<w:p/>");
		is_dirty |= story_is_dirty(s, p);
		count_with_boxes(s, p, last, which, answer);
		goes = settle_takes_mark(story_fragment(s, p), names, which);
		if (!goes || *next == STORY_NONE || !may_join(s, p, *next))
			break;
		p = *next;
		*next = next_of(s, p, is_twin(s, p));
		last = counts_at(s, p, which);
	}
	*previous = p;
	if (!settle_joined(&scratch, bytes.items, bytes.n, names, which, &now))
		return fail(c, FAULT_INTERNAL, "a paragraph cannot be read");
	for (size_t i = 0; i + 1 < list.n; i++)
		story_drop(s, list.items[i]);
	/* Nothing is left. An empty paragraph stays where one is required. */
	if (!now.len && !settle_chosen(&scratch, story_fragment(s, p), names, which, &now, &last))
		return fail(c, FAULT_INTERNAL, "a paragraph cannot be read");
	/* Our own changes are still tracked, from what the original becomes by the same decision. */
	base = now;
	if (is_dirty && !(settle_joined(&scratch, bases.items, bases.n, names, which, &base) && base.len))
		base = now;
	story_decide(s, p, now, base);
	if (goes)
		remove_deleted(c, &scratch, s, p, has_neighbour);
	c->error = (struct error){0};
	return true;
}

/* Settles changes outside paragraphs: rows, cells and properties. */
static bool decide_structure(struct call *c, struct story *s, const struct settling *which,
			     struct accept_answer *answer)
{
	struct structure_changes structure = {0};
	bool has_blocks = false;

	if (!structure_of(c, s, which, &structure))
		return false;
	for (size_t i = 0; i < structure.list.n; i++) {
		struct structure_change change = structure.list.items[i];
		if (change.is_block)
			story_take_out(s, change.from, change.to, false);
		else
			story_patch(s, change.from, change.to, change.with);
		has_blocks |= change.is_block;
	}
	if (has_blocks)
		warn(c,
		     "rows or cells are gone; row numbers are those of the opened file until it is saved and opened again");
	answer->table_changes += shown_changes(&structure);
	return true;
}

static bool decide(struct call *c, struct session *s, const struct decide_args *args, enum settlement how,
		   struct accept_answer *answer)
{
	struct note_ids notes = {0};
	struct decision d;

	if (!session_stories(c, s) || !decision_read(c, s, args, how, &d))
		return false;
	note_ids_all(c, s->body, &notes);
	for (size_t i = 0; i <= s->stories_n; i++) {
		struct story *story = story_at(s, i);
		decision_enter(&d, story);
		if (!d.paragraphs.n && !decide_structure(c, story, &d.settling, answer))
			return false;
		for (int twins = 0; twins <= 1; twins++) {
			uint32_t previous = STORY_NONE, next;
			for (uint32_t p = next_of(story, STORY_NONE, twins); p != STORY_NONE; p = next) {
				next = next_of(story, p, is_twin(story, p));
				if (!goes_on(c))
					return false;
				if (!decision_has(&d, story, p))
					previous = p;
				else if (!decide_at(c, story, p, &d.settling, answer, &previous, &next))
					return false;
			}
		}
	}
	if (!answer->paragraphs && !answer->table_changes && (d.settling.takes || d.paragraphs.n))
		return fail_as(c, "NO_TRACKED_CHANGES",
			       "no tracked change matches; extract_revisions lists them with authors and ids");
	if (!answer->paragraphs && !answer->table_changes)
		return fail_as(c, "NO_TRACKED_CHANGES", "the document has no tracked changes; there is nothing to %s",
			       how == SETTLE_ACCEPT ? "accept" : "reject");
	return orphans_remove(c, s, &notes, false);
}

static bool apply_accept(struct call *c, struct session *s, const void *in, void *out)
{
	return decide(c, s, in, SETTLE_ACCEPT, out);
}

static bool apply_reject(struct call *c, struct session *s, const void *in, void *out)
{
	return decide(c, s, in, SETTLE_REJECT, out);
}

const struct edit docx_accept_edit =
	EDIT("accept_changes", struct decide_args, decide_in, struct accept_answer, apply_accept);
const struct edit docx_reject_edit =
	EDIT("reject_changes", struct decide_args, decide_in, struct accept_answer, apply_reject);

static bool accept_changes(struct call *c, const void *in, void *out)
{
	struct accept_answer *answer = out;

	return session_edit(c, &docx_accept_edit, in, out, &answer->session, &answer->edit);
}

static bool reject_changes(struct call *c, const void *in, void *out)
{
	struct accept_answer *answer = out;

	return session_edit(c, &docx_reject_edit, in, out, &answer->session, &answer->edit);
}

const struct tool docx_track_tools[] = {
	TOOL("has_tracked_changes", "Are changes tracked?",
	     "Counts the tracked changes that the document holds: insertions, deletions, moves, changes of format.",
	     TOOL_READS | TOOL_NO_REVISION, struct tracked_args, tracked_in, struct tracked_answer, tracked_out,
	     has_tracked_changes, .example = "{\"file_path\":\"contract.docx\"}"),
	TOOL("extract_revisions", "List tracked changes",
	     "Lists the paragraphs with tracked changes: their text before and after, and each change with author and date.",
	     TOOL_READS | TOOL_NO_REVISION, struct extract_args, extract_in, struct extract_answer, extract_out,
	     extract_revisions, .example = "{\"file_path\":\"redline.docx\",\"limit\":20}"),
	TOOL("accept_changes", "Accept tracked changes",
	     "Accepts tracked changes in the session: all, or those that match every filter.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_NO_REVISION | TOOL_NO_CONDITION | TOOL_NO_CHANGES, struct decide_args,
	     decide_in, struct accept_answer, accept_out, accept_changes,
	     .example = "{\"file_path\":\"redline.docx\",\"author\":\"Jane\"}"),
	TOOL("reject_changes", "Reject tracked changes", "The same as accept_changes, rejecting them.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_NO_REVISION | TOOL_NO_CONDITION | TOOL_NO_CHANGES, struct decide_args,
	     decide_in, struct accept_answer, accept_out, reject_changes,
	     .example = "{\"file_path\":\"redline.docx\",\"revision_ids\":[\"document/12\"]}"),
	TOOLS_END,
};
