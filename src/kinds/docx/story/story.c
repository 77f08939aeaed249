#include "kinds/docx/story/story.h"

#include "base/array.h"
#include "kinds/docx/story/reader.h"

#include <assert.h>
#include <string.h>

bool story_is_there(const struct story *s, uint32_t p)
{
	uint32_t host = s->paragraphs.items[p].host;

	if (s->paragraphs.items[p].flags & (PARAGRAPH_DELETED | PARAGRAPH_IS_TWIN))
		return false;
	return host == STORY_NONE || !(s->paragraphs.items[host].flags & PARAGRAPH_DELETED);
}

bool story_is_shown(const struct story *s, uint32_t p)
{
	const struct paragraph *q = &s->paragraphs.items[p];

	if (!story_is_there(s, p))
		return false;
	if (q->note != STORY_NONE && s->notes.items[q->note].is_special)
		return false;
	return q->flags & (PARAGRAPH_HAS_TEXT | PARAGRAPH_HAS_HIDDEN) ||
	       (q->cell != STORY_NONE && !(q->flags & PARAGRAPH_IN_BOX));
}

uint32_t story_next(const struct story *s, uint32_t p)
{
	p = p == STORY_NONE ? s->first : s->paragraphs.items[p].next;
	while (p != STORY_NONE && !story_is_there(s, p))
		p = s->paragraphs.items[p].next;
	return p;
}

uint32_t story_previous(const struct story *s, uint32_t p)
{
	p = p == STORY_NONE ? s->last : s->paragraphs.items[p].prev;
	while (p != STORY_NONE && !story_is_there(s, p))
		p = s->paragraphs.items[p].prev;
	return p;
}

static struct text host_fragment(const struct story *s, uint32_t p)
{
	const struct paragraph *q = &s->paragraphs.items[p];

	return q->now.at ? q->now : text_slice(s->part->bytes, q->from, q->to);
}

struct text story_original(const struct story *s, uint32_t p)
{
	const struct paragraph *q = &s->paragraphs.items[p];

	return q->flags & PARAGRAPH_INSERTED ? (struct text){0} : text_slice(s->part->bytes, q->from, q->to);
}

struct text story_fragment(const struct story *s, uint32_t p)
{
	const struct paragraph *q = &s->paragraphs.items[p];
	const struct paragraph *host = q->host == STORY_NONE ? NULL : &s->paragraphs.items[q->host];
	uint32_t from, to;

	/* A box paragraph is part of its host's bytes, which may have changed around it. */
	if (!host || !host->now.at)
		return host_fragment(s, p);
	struct arena scratch = {0};
	bool found = story_box(&scratch, host->now, host->names, q->box_place, &from, &to);
	arena_free(&scratch);
	return found ? text_slice(host->now, from, to) : story_original(s, p);
}

bool story_is_dirty(const struct story *s, uint32_t p)
{
	const struct paragraph *q = &s->paragraphs.items[p];

	return q->now.at || q->flags & (PARAGRAPH_DELETED | PARAGRAPH_INSERTED);
}

struct story_hiding {
	struct atom_styles vtable;
	const struct styles *styles;
	uint32_t paragraph, table; /* their styles */
};

static bool style_hides(const struct atom_styles *of, struct text run_style)
{
	const struct story_hiding *hiding = (const void *)of;

	return styles_hide(hiding->styles, hiding->paragraph, hiding->table, run_style);
}

/* Atoms keep a pointer to it, so it must live as long as they do. */
static const struct atom_styles *hiding_styles(struct call *c, const struct story *s, uint32_t p)
{
	if (!s->styles->hides)
		return NULL;
	struct story_hiding *hiding = arena_new(c->arena, struct story_hiding);
	*hiding =
		(struct story_hiding){{style_hides}, s->styles, s->paragraphs.items[p].style, story_table_style(s, p)};
	return &hiding->vtable;
}

bool story_atoms(struct call *c, const struct story *s, uint32_t p, struct atoms *out)
{
	const struct paragraph *q = &s->paragraphs.items[p];

	return atoms_read(c->arena, story_fragment(s, p), q->names, q->fields, hiding_styles(c, s, p), out) ||
	       fail(c, FAULT_INTERNAL, "paragraph %u of %s cannot be read", p, shown(c, s->part->name));
}

struct text story_text(struct call *c, const struct story *s, uint32_t p)
{
	const struct paragraph *q = &s->paragraphs.items[p];
	struct field_state fields = q->fields;
	struct text text;

	if (q->flags & PARAGRAPH_IS_PLAIN)
		return plain_text(c->arena, story_fragment(s, p), q->names);
	return atoms_text(c->arena, story_fragment(s, p), q->names, &fields, hiding_styles(c, s, p), &text) ? text
													    : TEXT("");
}

uint32_t story_table_style(const struct story *s, uint32_t p)
{
	uint32_t cell = s->paragraphs.items[p].cell;

	return cell == STORY_NONE ? STYLE_NONE : s->tables.items[s->cells.items[cell].table].style;
}

static struct paragraph *noted(struct story *s, uint32_t p)
{
	struct journal_note *note = ARRAY_PUSH(s->journal->arena, &s->journal->notes);

	note->story = s;
	note->paragraph = p;
	struct paragraph *q = &s->paragraphs.items[p];
	note->was.flags = q->flags;
	note->was.now = q->now;
	note->was.base = q->base;
	note->was.style = q->style;
	note->was.num_id = q->num_id;
	note->was.level = q->level;
	note->was.para_id = q->para_id;
	s->edits++;
	return q;
}

/* The same paragraph in the box's second copy, if its text is equal. Old readers show that copy. */
static uint32_t twin_of(const struct story *s, uint32_t p, struct text same)
{
	uint32_t host = s->paragraphs.items[p].host;

	for (uint32_t q = s->paragraphs.items[p].next; q != STORY_NONE && s->paragraphs.items[q].host == host;
	     q = s->paragraphs.items[q].next)
		if (s->paragraphs.items[q].flags & PARAGRAPH_IS_TWIN && text_same(story_fragment(s, q), same))
			return q;
	return STORY_NONE;
}

static void replace_in_host(struct story *s, uint32_t p, struct text fragment)
{
	uint32_t host = s->paragraphs.items[p].host, from, to, twin;
	struct text old = story_fragment(s, p), whole = host_fragment(s, host);
	const struct names *names = s->paragraphs.items[host].names;
	struct arena scratch = {0};
	struct splice edits[2];
	size_t n = 0;

	twin = twin_of(s, p, old);
	if (story_box(&scratch, whole, names, s->paragraphs.items[p].box_place, &from, &to))
		edits[n++] = (struct splice){from, to, fragment};
	if (twin != STORY_NONE && story_box(&scratch, whole, names, s->paragraphs.items[twin].box_place, &from, &to))
		edits[n++] = (struct splice){from, to, fragment};
	story_replace(s, host, splice_apply(&scratch, whole, edits, n));
	arena_free(&scratch);
	struct paragraph *q = noted(s, p);
	q->now = text_copy(s->arena, fragment);
	story_reread(s, p);
	/* Its bytes belong to the host; only the facts are its own. */
	s->paragraphs.items[p].now = (struct text){0};
}

void story_replace(struct story *s, uint32_t p, struct text fragment)
{
	if (s->paragraphs.items[p].host != STORY_NONE) {
		replace_in_host(s, p, fragment);
		return;
	}
	struct paragraph *q = noted(s, p);
	q->now = text_copy(s->arena, fragment);
	story_reread(s, p);
}

void story_decide(struct story *s, uint32_t p, struct text fragment, struct text base)
{
	uint32_t host = s->paragraphs.items[p].host;
	bool is_in_box = host != STORY_NONE, is_clean = is_in_box && !story_is_dirty(s, host);

	story_replace(s, p, fragment);
	/* The bytes of a box belong to its host. */
	if (!is_in_box)
		s->paragraphs.items[p].base = text_copy(s->arena, base);
	else if (is_clean)
		s->paragraphs.items[host].base = s->paragraphs.items[host].now;
}

struct text story_base(const struct story *s, uint32_t p)
{
	struct text base = s->paragraphs.items[p].base;

	return base.at ? base : story_original(s, p);
}

bool story_takes_neighbours(const struct story *s, uint32_t p) { return s->paragraphs.items[p].host == STORY_NONE; }

uint32_t story_insert(struct story *s, uint32_t anchor, bool behind, struct text fragment)
{
	uint32_t index = (uint32_t)s->paragraphs.n;

	assert(story_takes_neighbours(s, anchor));
	(void)ARRAY_PUSH(s->arena, &s->paragraphs);
	struct paragraph *p = &s->paragraphs.items[index], *at = &s->paragraphs.items[anchor];
	bool is_new = at->flags & PARAGRAPH_INSERTED;
	uint32_t prev = at->prev, next = at->next;

	if (behind) {
		/* Boxes come after their host in the table, so insert after them. */
		prev = anchor;
		while (next != STORY_NONE && s->paragraphs.items[next].host == anchor) {
			prev = next;
			next = s->paragraphs.items[next].next;
		}
	} else {
		next = anchor;
	}
	*p = (struct paragraph){.from = STORY_NONE,
				.to = STORY_NONE,
				.next = next,
				.prev = prev,
				.cell = at->cell,
				.ancestors = at->ancestors,
				.host = STORY_NONE,
				.note = at->note,
				.hang = is_new ? at->hang : anchor,
				.hangs_behind = is_new ? at->hangs_behind : behind,
				.style = STYLE_NONE,
				.num_id = -1,
				.level = -1,
				.flags = PARAGRAPH_INSERTED,
				.fields = at->fields,
				.names = at->names,
				.now = text_copy(s->arena, fragment)};
	struct journal_note *note = ARRAY_PUSH(s->journal->arena, &s->journal->notes);
	*note = (struct journal_note){.story = s, .paragraph = index, .is_insert = true};
	s->edits++;
	if (prev == STORY_NONE)
		s->first = index;
	else
		s->paragraphs.items[prev].next = index;
	if (next == STORY_NONE)
		s->last = index;
	else
		s->paragraphs.items[next].prev = index;
	if (p->cell != STORY_NONE)
		s->cells.items[p->cell].paragraphs++;
	s->shown += story_is_shown(s, index);
	story_reread(s, index);
	return index;
}

static uint32_t shown_with(const struct story *s, uint32_t p)
{
	uint32_t n = story_is_shown(s, p);

	for (uint32_t q = s->paragraphs.items[p].next; q != STORY_NONE && s->paragraphs.items[q].host == p;
	     q = s->paragraphs.items[q].next)
		n += story_is_shown(s, q);
	return n;
}

void story_delete(struct story *s, uint32_t p)
{
	uint32_t before = shown_with(s, p);
	struct paragraph *q = noted(s, p);

	q->flags |= PARAGRAPH_DELETED;
	if (q->cell != STORY_NONE)
		s->cells.items[q->cell].paragraphs--;
	s->shown -= before - shown_with(s, p);
}

void story_drop(struct story *s, uint32_t p)
{
	story_delete(s, p);
	s->paragraphs.items[p].flags |= PARAGRAPH_DROPPED;
}

static void unlink_paragraph(struct story *s, uint32_t p)
{
	struct paragraph *q = &s->paragraphs.items[p];

	s->shown -= story_is_shown(s, p);
	if (q->prev == STORY_NONE)
		s->first = q->next;
	else
		s->paragraphs.items[q->prev].next = q->next;
	if (q->next == STORY_NONE)
		s->last = q->prev;
	else
		s->paragraphs.items[q->next].prev = q->prev;
	if (q->cell != STORY_NONE && !(q->flags & PARAGRAPH_DELETED))
		s->cells.items[q->cell].paragraphs--;
	if (q->id[0] || q->long_id.at)
		map_remove(&s->ids, q->long_id.at ? q->long_id : text_of(q->id));
	/* The newest one is undone first, so it is at the end of the table. */
	assert(p == s->paragraphs.n - 1);
	s->paragraphs.n--;
}

static void restore(struct story *s, const struct journal_note *note)
{
	uint32_t p = note->paragraph;
	struct paragraph *q = &s->paragraphs.items[p];
	uint32_t before = shown_with(s, p);

	/* An edit of the paragraph does not change neighbours and ids, so keep them. */
	if (q->cell != STORY_NONE && q->flags & PARAGRAPH_DELETED && !(note->was.flags & PARAGRAPH_DELETED))
		s->cells.items[q->cell].paragraphs++;
	q->flags = note->was.flags;
	q->now = note->was.now;
	q->base = note->was.base;
	q->style = note->was.style;
	q->num_id = note->was.num_id;
	q->level = note->was.level;
	q->para_id = note->was.para_id;
	s->shown += shown_with(s, p) - before;
}

void journal_back(struct journal *j, size_t to)
{
	while (j->notes.n > to) {
		struct journal_note *note = &j->notes.items[--j->notes.n];
		if (note->part) {
			note->part->now = note->layer;
			continue;
		}
		note->story->edits++;
		if (note->is_patch && note->is_insert)
			note->story->patches.n--;
		else if (note->is_patch)
			note->story->patches.items[note->paragraph].with = note->layer;
		else if (note->is_insert)
			unlink_paragraph(note->story, note->paragraph);
		else
			restore(note->story, note);
	}
}

/* The first patch that ends after `from`, by binary search if the patches are sorted: a long table has many. */
static size_t first_patch(const struct story *s, uint32_t from)
{
	size_t low = 0, high = s->patches_stray ? 0 : s->patches.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->patches.items[middle].to > from)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Does a patch overlap the range? With `gone`: only patches that removed their bytes count. */
static bool is_patched(const struct story *s, uint32_t from, uint32_t to, bool gone)
{
	for (size_t i = first_patch(s, from); i < s->patches.n; i++) {
		const struct story_patch *patch = &s->patches.items[i];
		if (from < patch->to && patch->from < to && !(gone && patch->with.len))
			return true;
		if (!s->patches_stray && patch->from >= to)
			break;
	}
	return false;
}

bool story_is_taken_out(const struct story *s, uint32_t from, uint32_t to) { return is_patched(s, from, to, true); }

/* The patch of exactly this range, which may be empty. */
static struct story_patch *find_patch(const struct story *s, uint32_t from, uint32_t to)
{
	for (size_t i = from < to ? first_patch(s, from) : 0; i < s->patches.n; i++) {
		struct story_patch *patch = &s->patches.items[i];
		if (patch->from == from && patch->to == to)
			return patch;
		if (from < to && !s->patches_stray && patch->from >= to)
			break;
	}
	return NULL;
}

bool story_patch(struct story *s, uint32_t from, uint32_t to, struct text with)
{
	struct story_patch *patch = find_patch(s, from, to);

	if (!patch && is_patched(s, from, to, false))
		return false;
	struct journal_note *note = ARRAY_PUSH(s->journal->arena, &s->journal->notes);
	*note = (struct journal_note){.story = s, .is_patch = true, .is_insert = !patch};
	if (patch) {
		note->paragraph = (uint32_t)(patch - s->patches.items);
		note->layer = patch->with;
	} else {
		s->patches_stray |= s->patches.n && s->patches.items[s->patches.n - 1].to > from;
		patch = ARRAY_PUSH(s->arena, &s->patches);
	}
	*patch = (struct story_patch){.from = from, .to = to, .with = text_copy(s->arena, with)};
	s->edits++;
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct splice *x = a, *y = b;

	return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

/* The first paragraph that begins at or after `from`, or the first of the new ones inserted before it. */
static uint32_t first_at(const struct story *s, uint32_t from)
{
	const struct paragraph *all = s->paragraphs.items;
	uint32_t low = 0, high = s->original;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (all[middle].from < from)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == s->original)
		return STORY_NONE;
	while (all[low].prev != STORY_NONE && all[all[low].prev].flags & PARAGRAPH_INSERTED)
		low = all[low].prev;
	return low;
}

void story_take_out(struct story *s, uint32_t from, uint32_t to, bool is_note)
{
	struct arena scratch = {0};
	ARRAY(struct splice) held = {0}; /* ranges of paragraphs and earlier patches */

	for (size_t i = first_patch(s, from); i < s->patches.n; i++) {
		struct story_patch patch = s->patches.items[i];
		bool is_beside = patch.to == from || patch.from == to;
		if (patch.from < from || patch.to > to || is_beside)
			continue;
		*ARRAY_PUSH(&scratch, &held) = (struct splice){patch.from, patch.to, TEXT("")};
		story_patch(s, patch.from, patch.to, TEXT(""));
	}
	for (uint32_t p = first_at(s, from); p != STORY_NONE; p = s->paragraphs.items[p].next) {
		const struct paragraph *q = &s->paragraphs.items[p];
		bool is_new = q->flags & PARAGRAPH_INSERTED;
		uint32_t at = is_new ? s->paragraphs.items[q->hang].from : q->from;
		if (!is_new && at >= to)
			break;
		if (at < from || at >= to || q->host != STORY_NONE)
			continue;
		if (!is_new)
			*ARRAY_PUSH(&scratch, &held) = (struct splice){q->from, q->to, TEXT("")};
		if (q->flags & PARAGRAPH_DELETED)
			continue;
		story_delete(s, p);
		s->paragraphs.items[p].flags |= is_note ? PARAGRAPH_NOTE_GONE : PARAGRAPH_DROPPED;
	}
	if (held.n)
		array_sort(held.items, held.n, sizeof *held.items, by_place);
	for (size_t i = 0; i <= held.n; i++) {
		uint32_t start = i < held.n ? (uint32_t)held.items[i].from : to;
		if (start > from && story_patch(s, from, start, TEXT("")))
			find_patch(s, from, start)->is_note = is_note;
		if (i < held.n)
			from = (uint32_t)held.items[i].to;
	}
	arena_free(&scratch);
}

struct text story_patched(const struct story *s, uint32_t from, uint32_t to)
{
	const struct story_patch *patch = find_patch(s, from, to);

	return patch ? patch->with : text_slice(s->part->bytes, from, to);
}

void journal_lay(struct journal *j, struct text part, struct text bytes)
{
	struct part *p = package_named(j->package, part);
	struct journal_note *note = ARRAY_PUSH(j->arena, &j->notes);

	*note = (struct journal_note){.part = p, .layer = p->now};
	p->now = text_copy(j->arena, bytes);
}

static struct text written_now(void *of, const struct story *s, uint32_t p)
{
	(void)of;
	return s->paragraphs.items[p].flags & PARAGRAPH_DELETED ? (struct text){0} : s->paragraphs.items[p].now;
}

/* Is this a tag `<prefix:local .../>` of the wanted kind? */
static bool is_mark(struct text tag, const struct names *names, enum tag wanted)
{
	struct text local, name = {tag.at + 1, 0};

	while (1 + name.len < tag.len && !strchr(" \t\r\n/>", tag.at[1 + name.len]))
		name.len++;
	if (!name.len)
		return false;
	enum space space = names_split(names, name, false, &local);
	return fragment_tag(space, local) == wanted;
}

static uint32_t behind_marks(const struct story *s, uint32_t at)
{
	struct text b = s->part->bytes;

	for (;;) {
		uint32_t i = at;
		while (i < b.len && strchr(" \t\r\n", b.at[i]) && b.at[i])
			i++;
		const char *end = i < b.len && b.at[i] == '<' ? memchr(b.at + i, '>', b.len - i) : NULL;
		if (!end || end[-1] != '/' ||
		    !is_mark(text_slice(b, i, (size_t)(end + 1 - b.at)), s->names, TAG_BOOKMARK_END))
			return at;
		at = (uint32_t)(end + 1 - b.at);
	}
}

static uint32_t before_marks(const struct story *s, uint32_t at)
{
	struct text b = s->part->bytes;

	for (;;) {
		uint32_t i = at;
		while (i && strchr(" \t\r\n", b.at[i - 1]) && b.at[i - 1])
			i--;
		if (i < 2 || b.at[i - 1] != '>' || b.at[i - 2] != '/')
			return at;
		const char *start = memrchr(b.at, '<', i);
		if (!start || !is_mark(text_slice(b, (size_t)(start - b.at), i), s->names, TAG_BOOKMARK_START))
			return at;
		at = (uint32_t)(start - b.at);
	}
}

/* Inserted paragraphs that follow each other become one splice, at the edge of their anchor. */
static void put_inserted(struct arena *a, const struct story *s, uint32_t *p, struct splice *out,
			 const struct story_writer *writer)
{
	struct buffer b = {.arena = a};
	const struct paragraph *q = &s->paragraphs.items[*p];
	uint32_t hang = q->hang, place;
	bool behind = q->hangs_behind;

	place = behind ? behind_marks(s, s->paragraphs.items[hang].to)
		       : before_marks(s, s->paragraphs.items[hang].from);
	for (; *p != STORY_NONE; *p = q->next) {
		q = &s->paragraphs.items[*p];
		if (!(q->flags & PARAGRAPH_INSERTED) || q->hang != hang || q->hangs_behind != behind)
			break;
		struct text bytes = writer->write(writer->of, s, *p);
		if (bytes.at)
			buffer_add(&b, bytes);
	}
	*out = (struct splice){place, place, buffer_text(&b)};
}

struct splice *story_splices_by(struct arena *a, const struct story *s, size_t *n, const struct story_writer *writer)
{
	ARRAY(struct splice) list = {0};
	const struct paragraph *q;

	/* Properties of a row or cell come before a paragraph that is inserted at the same place. */
	for (size_t i = 0; i < s->patches.n; i++)
		if (!s->patches.items[i].is_note || !writer->is_redline)
			*ARRAY_PUSH(a, &list) = (struct splice){s->patches.items[i].from, s->patches.items[i].to,
								s->patches.items[i].with};
	for (uint32_t p = s->first; p != STORY_NONE;) {
		q = &s->paragraphs.items[p];
		if (q->flags & PARAGRAPH_INSERTED) {
			struct splice edit;
			put_inserted(a, s, &p, &edit, writer);
			if (edit.with.len)
				*ARRAY_PUSH(a, &list) = edit;
			continue;
		}
		bool is_touched = writer->touches && writer->touches(writer->of, s, p);
		if (q->host == STORY_NONE && (story_is_dirty(s, p) || is_touched)) {
			struct text bytes = writer->write(writer->of, s, p);
			*ARRAY_PUSH(a, &list) = (struct splice){q->from, q->to, bytes.at ? bytes : TEXT("")};
		}
		p = q->next;
	}
	*n = list.n;
	return list.items;
}

struct splice *story_splices(struct arena *a, const struct story *s, size_t *n)
{
	static const struct story_writer plain = {.write = written_now};

	return story_splices_by(a, s, n, &plain);
}

struct marking {
	struct call *call;
	struct story *story;
	int32_t number;
};

/* The marks around a paragraph. None if the file already has a bookmark of this name. */
static bool marks(struct marking *m, uint32_t p, struct text *start, struct text *end)
{
	const struct names *names = m->story->paragraphs.items[p].names;
	struct buffer one = {.arena = m->call->arena}, two = {.arena = m->call->arena};

	if (m->story->paragraphs.items[p].given_id.at)
		return false;
	struct text number = text_format(m->call->arena, "%d", m->number++);
	names_open(&one, names, "bookmarkStart");
	names_attribute(&one, names, "id", number);
	names_attribute(&one, names, "name", text_of(story_id(m->call, m->story, p)));
	buffer_put(&one, "/>");
	names_open(&two, names, "bookmarkEnd");
	names_attribute(&two, names, "id", number);
	buffer_put(&two, "/>");
	*start = buffer_text(&one);
	*end = buffer_text(&two);
	return true;
}

static struct text written_marked(void *of, const struct story *s, uint32_t p)
{
	struct marking *m = of;
	struct text bytes = written_now(NULL, s, p), start, end;

	if (!bytes.at || !marks(m, p, &start, &end))
		return bytes;
	return text_format(m->call->arena, "%.*s%.*s%.*s", TEXT_ARGS(start), TEXT_ARGS(bytes), TEXT_ARGS(end));
}

struct splice *story_splices_marked(struct call *c, struct story *s, int32_t *number, size_t *n)
{
	struct marking m = {c, s, *number};
	ARRAY(struct splice) list = {0}, starts = {0};
	struct text start, end;
	size_t changed;
	const struct story_writer writer = {.write = written_marked, .of = &m};
	struct splice *edits = story_splices_by(c->arena, s, &changed, &writer);

	/* Where two paragraphs touch, first comes the end mark of the first one, then new text, then the mark of the
	 * next. */
	for (uint32_t p = s->first; p != STORY_NONE; p = s->paragraphs.items[p].next) {
		const struct paragraph *q = &s->paragraphs.items[p];
		if (q->flags & (PARAGRAPH_INSERTED | PARAGRAPH_IS_TWIN) || q->host != STORY_NONE ||
		    story_is_dirty(s, p) || !marks(&m, p, &start, &end))
			continue;
		*ARRAY_PUSH(c->arena, &list) = (struct splice){q->to, q->to, end};
		*ARRAY_PUSH(c->arena, &starts) = (struct splice){q->from, q->from, start};
	}
	for (size_t i = 0; i < changed; i++)
		*ARRAY_PUSH(c->arena, &list) = edits[i];
	for (size_t i = 0; i < starts.n; i++)
		*ARRAY_PUSH(c->arena, &list) = starts.items[i];
	*number = m.number;
	*n = list.n;
	return list.items;
}
