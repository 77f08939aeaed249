#include "kinds/docx/track/notes.h"
#include "kinds/docx/style/properties.h"
#include "kinds/docx/text/root.h"
#include "kinds/docx/track/settle.h"

bool notes_of(uint8_t tag, enum annotation *out)
{
	*out = tag == TAG_FOOTNOTE_REFERENCE  ? ANNOTATION_FOOTNOTES
	       : tag == TAG_ENDNOTE_REFERENCE ? ANNOTATION_ENDNOTES
					      : ANNOTATION_COMMENTS;
	return tag == TAG_FOOTNOTE_REFERENCE || tag == TAG_ENDNOTE_REFERENCE || tag == TAG_COMMENT_REFERENCE;
}

/* The bytes of a package's part and its root; absent if there is none. Its tracked changes count as accepted, as in the
 * text. */
static bool read_part(struct call *c, struct package *p, enum annotation which, struct text *out, struct fragment *f)
{
	const struct relationship *r = package_find(p, annotation_kinds[which].relation);
	struct revision_counts counts;
	struct part *part = NULL;

	*out = (struct text){0};
	if (!r || r->is_external)
		return true;
	if (!package_part(c, p, r->target, &part))
		return false;
	return !part || (annotation_parse(c, r->target, part->bytes, f) &&
			 settle(c->arena, part->bytes, NULL, SETTLE_ACCEPT, out, &counts) &&
			 annotation_parse(c, r->target, *out, f));
}

int32_t note_id(struct arena *a, const struct fragment *f, uint32_t node)
{
	struct text id = fragment_attribute(a, f, node, SPACE_W, "id");

	return id.at ? value_number(id, INT32_MIN) : INT32_MIN;
}

static struct text key_of(struct arena *a, int32_t id) { return text_format(a, "%d", id); }

static uint32_t find(struct notes *n, const struct map *places, int32_t id)
{
	const uint32_t *node = map_find(places, key_of(n->c->arena, id));

	return node ? *node : XML_NONE;
}

/* Maps each id to its note. */
static void index_notes(struct arena *a, struct text bytes, const struct fragment *f, struct map *places)
{
	*places = (struct map){.arena = a};
	for (uint32_t i = bytes.at ? xml_first(&f->xml, f->xml.root) : XML_NONE; i != XML_NONE;
	     i = xml_next(&f->xml, i))
		if (f->tags[i] != TAG_NOT_ELEMENT)
			map_at(places, key_of(a, note_id(a, f, i)), i, NULL);
}

/* The highest id in the original's references to such notes and marks of comments. The note itself may be missing. */
static int32_t highest_reference(struct text main, int which)
{
	static const struct {
		int which;
		struct text element;
	} marks[] = {{ANNOTATION_FOOTNOTES, TEXT("footnoteReference ")},
		     {ANNOTATION_ENDNOTES, TEXT("endnoteReference ")},
		     {ANNOTATION_COMMENTS, TEXT("commentReference ")},
		     {ANNOTATION_COMMENTS, TEXT("commentRangeStart ")},
		     {ANNOTATION_COMMENTS, TEXT("commentRangeEnd ")}};
	int32_t highest = 0;

	for (size_t i = 0; i < ARRAY_COUNT(marks); i++) {
		size_t at = marks[i].which == which ? text_find(main, marks[i].element, 0) : SIZE_MAX;
		for (; at != SIZE_MAX; at = text_find(main, marks[i].element, at + 1)) {
			size_t end = text_find(main, TEXT(">"), at), from = text_find(main, TEXT(":id="), at) + 5, to;
			for (to = from; to < end && main.at[to] >= '0' && main.at[to] <= '9';)
				to++;
			int32_t id = to > from && to < main.len ? value_number(text_slice(main, from, to), 0) : 0;
			highest = id > highest ? id : highest;
		}
	}
	return highest;
}

/* Above all ids that the original has. */
static int32_t free_id(struct arena *a, const struct note_part *p, int32_t highest)
{
	int32_t next = highest < INT32_MAX ? highest + 1 : INT32_MAX;

	for (uint32_t i = p->was.at ? xml_first(&p->old.xml, p->old.xml.root) : XML_NONE; i != XML_NONE;
	     i = xml_next(&p->old.xml, i)) {
		int32_t id = p->old.tags[i] == TAG_NOT_ELEMENT ? 0 : note_id(a, &p->old, i);
		if (id >= next)
			next = id < INT32_MAX ? id + 1 : INT32_MAX;
	}
	return next;
}

static struct text part_name(const struct package *p, enum annotation which)
{
	const struct relationship *r = package_find(p, annotation_kinds[which].relation);

	return r ? r->target : (struct text){0};
}

bool notes_begin(struct notes *n, struct call *c, struct carry *k)
{
	*n = (struct notes){.c = c, .carry = k};
	for (int i = 0; i < ANNOTATION_COMMENTS_EXTENDED; i++) {
		struct note_part *p = &n->parts[i];
		if (!read_part(c, k->to, i, &p->was, &p->old) || !read_part(c, k->from, i, &p->now, &p->new) ||
		    !carry_text_begin(k, part_name(k->from, i), part_name(k->to, i), &p->text))
			return false;
		p->carried = (struct map){.arena = c->arena};
		p->rows = (struct buffer){.arena = c->arena};
		p->paired_old = p->paired_new = (struct map){.arena = c->arena};
		index_notes(c->arena, p->was, &p->old, &p->old_places);
		index_notes(c->arena, p->now, &p->new, &p->new_places);
		p->next = free_id(c->arena, p, highest_reference(k->to->main->bytes, i));
	}
	return true;
}

/* The visible content of a note: its words and author. */
static struct text words_of(struct arena *a, const struct fragment *f, uint32_t node)
{
	struct buffer out = {.arena = a};

	buffer_add(&out, fragment_attribute(a, f, node, SPACE_W, "author"));
	for (uint32_t i = node; i < f->xml.nodes[node].after; i++) {
		if (f->tags[i] == TAG_P || f->tags[i] == TAG_TAB || f->tags[i] == TAG_BR)
			buffer_byte(&out, '\n');
		else if (f->xml.nodes[i].type == XML_TEXT && f->tags[f->xml.nodes[i].parent] == TAG_T)
			buffer_add(&out, xml_decoded(a, &f->xml, i));
	}
	return buffer_text(&out);
}

bool notes_same(struct notes *n, enum annotation which, int32_t old, int32_t new)
{
	const struct note_part *p = &n->parts[which];
	uint32_t a = find(n, &p->old_places, old), b = find(n, &p->new_places, new);

	/* A reference that is broken in both files is unchanged. */
	if (a == XML_NONE || b == XML_NONE)
		return a == b && old == new;
	scoped(arena_free) struct arena scratch = {0};
	return text_same(words_of(&scratch, &p->old, a), words_of(&scratch, &p->new, b));
}

bool notes_are_there(struct notes *n, enum annotation which, int32_t old, int32_t new)
{
	const struct note_part *p = &n->parts[which];

	return (find(n, &p->old_places, old) == XML_NONE) == (find(n, &p->new_places, new) == XML_NONE);
}

void notes_pair(struct notes *n, enum annotation which, int32_t old, int32_t new)
{
	struct note_part *p = &n->parts[which];
	struct arena *a = n->c->arena;
	struct note_pair pair = {find(n, &p->old_places, old), find(n, &p->new_places, new)};
	struct text was = key_of(a, old), now = key_of(a, new);

	if (pair.old == XML_NONE || pair.new == XML_NONE || map_find(&p->paired_old, was) ||
	    map_find(&p->paired_new, now))
		return;
	map_at(&p->paired_old, was, 0, NULL);
	map_at(&p->paired_new, now, 0, NULL);
	*ARRAY_PUSH(a, &p->pairs) = pair;
}

/* Does it contain a relationship to another part? */
static bool leads_further(struct arena *a, const struct fragment *f, uint32_t node)
{
	for (uint32_t i = node; i < f->xml.nodes[node].after; i++) {
		struct xml_attribute *list;
		struct text local;
		size_t n = f->tags[i] == TAG_NOT_ELEMENT ? 0 : xml_attributes(a, &f->xml, i, &list);
		for (size_t k = 0; k < n; k++)
			if (names_split(fragment_names(f, i), list[k].name, true, &local) == SPACE_R)
				return true;
	}
	return false;
}

/* Declares prefixes that are missing or different at the note's new place. */
static void put_prefixes(struct buffer *to, const struct names *here, const struct names *there)
{
	for (size_t i = 0; i < here->n; i++) {
		bool known = false;
		for (size_t k = 0; there && k < there->n; k++)
			if (text_same(there->items[k].prefix, here->items[i].prefix))
				known = text_same(there->items[k].uri, here->items[i].uri);
		if (known || !here->items[i].prefix.len)
			continue;
		buffer_format(to, " xmlns:%.*s=\"", TEXT_ARGS(here->items[i].prefix));
		xml_escape(to, here->items[i].uri, true);
		buffer_byte(to, '"');
	}
}

/* The note with ids that have the same targets in the other package. Returns false if something in it cannot be
 * copied. */
static bool carried_note(struct notes *n, struct note_part *p, uint32_t node, struct text *out)
{
	const struct names *names = fragment_names(&p->new, p->new.xml.root);
	struct arena *a = n->c->arena;

	*out = fragment_bytes(&p->new, node);
	return !leads_further(a, &p->new, node) || n->carry->from == n->carry->to ||
	       (carry_element(n->carry, &p->text, a, *out, names, out) &&
		carry_numbered(n->carry, a, *out, names, out));
}

static void put_note(struct notes *n, struct note_part *p, struct text note, int32_t id)
{
	struct arena *a = n->c->arena;
	const struct names *names = fragment_names(&p->new, p->new.xml.root);
	struct xml_attribute *list;
	struct fragment f;
	struct text local;

	if (!fragment_parse(a, note, names, &f))
		return; /* never happens: it is a slice of a part that was parsed */
	const struct xml_node *x = &f.xml.nodes[f.xml.root];
	size_t count = xml_attributes(a, &f.xml, f.xml.root, &list);
	uint32_t at = x->name + x->name_len;
	buffer_add(&p->rows, text_slice(note, 0, at));
	/* A new part has the root of the revised one, so it declares all prefixes. */
	put_prefixes(&p->rows, names, p->was.at ? fragment_names(&p->old, p->old.xml.root) : names);
	for (size_t i = 0; i < count; i++)
		if (names_split(names, list[i].name, true, &local) == SPACE_W && text_is(local, "id")) {
			buffer_add(&p->rows, text_slice(note, at, list[i].value_from));
			buffer_format(&p->rows, "%d", id);
			at = list[i].value_to;
		}
	buffer_add(&p->rows, text_slice(note, at, note.len));
}

bool notes_carry(struct notes *n, enum annotation which, int32_t new, int32_t *out)
{
	struct note_part *p = &n->parts[which];
	bool known;
	uint32_t at = *map_at(&p->carried, key_of(n->c->arena, new), (uint32_t)p->ids.n, &known);

	if (!known) {
		struct text note;
		uint32_t node = find(n, &p->new_places, new);
		bool may = node != XML_NONE && p->next < INT32_MAX && carried_note(n, p, node, &note);
		*ARRAY_PUSH(n->c->arena, &p->ids) = may ? p->next : INT32_MIN;
		if (may)
			put_note(n, p, note, p->next++);
	}
	*out = p->ids.items[at];
	return *out != INT32_MIN;
}

/* A part like the revised one: its root, its separators, then the new notes. */
static struct text made(struct notes *n, const struct note_part *p)
{
	struct buffer out = {.arena = n->c->arena};
	const struct xml_node *root = &p->new.xml.nodes[p->new.xml.root];
	size_t before = (size_t)(fragment_root(p->now).at - p->now.at);

	buffer_add(&out, text_slice(p->now, 0, before + root->inner));
	for (uint32_t i = xml_first(&p->new.xml, p->new.xml.root); i != XML_NONE; i = xml_next(&p->new.xml, i))
		if (p->new.tags[i] != TAG_NOT_ELEMENT &&
		    fragment_attribute(n->c->arena, &p->new, i, SPACE_W, "type").at)
			buffer_add(&out, fragment_bytes(&p->new, i));
	buffer_add(&out, buffer_text(&p->rows));
	buffer_add(&out, text_slice(p->new.xml.bytes, root->inner_to, root->to));
	return buffer_text(&out);
}

/* The original's part with its new notes and the changes in its old ones. */
static bool changed(struct notes *n, struct note_part *p, struct text target, struct text *name)
{
	struct carry *k = n->carry;
	const struct xml_node *root = &p->old.xml.nodes[p->old.xml.root];
	uint32_t base = (uint32_t)(fragment_root(p->was).at - p->was.at);
	struct part *part;

	if (!package_part(n->c, k->to, target, &part))
		return false;
	*name = part->name;
	if (!p->rows.len && !p->edits.n && text_same(p->was, part->bytes))
		return true;
	struct text bytes = p->was;
	if (p->rows.len && root->is_empty_tag)
		bytes = root_with_child(n->c->arena, p->was, buffer_text(&p->rows));
	else if (p->rows.len)
		*ARRAY_PUSH(n->c->arena, &p->edits) =
			(struct splice){base + root->inner_to, base + root->inner_to, buffer_text(&p->rows)};
	*ARRAY_PUSH(n->c->arena, &k->parts) =
		(struct zip_change){.member = part->member,
				    .name = part->name,
				    .bytes = splice_apply(n->c->arena, bytes, p->edits.items, p->edits.n)};
	return true;
}

bool notes_end(struct notes *n)
{
	struct carry *k = n->carry;

	for (int i = 0; i < ANNOTATION_COMMENTS_EXTENDED; i++) {
		struct note_part *p = &n->parts[i];
		const struct relationship *r = package_find(k->to, annotation_kinds[i].relation);
		struct text name = {0};
		if (p->was.at && !changed(n, p, r->target, &name))
			return false;
		if (!p->was.at && p->rows.len) {
			bool strict = fragment_names(&p->new, p->new.xml.root)->is_strict;
			name = carry_part(k, annotation_address(n->c->arena, i, strict), annotation_kinds[i].root,
					  annotation_kinds[i].content_type, made(n, p));
		}
		if (name.at && !carry_text_end(k, &p->text, name))
			return false;
	}
	return true;
}
