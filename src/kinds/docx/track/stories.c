#include "kinds/docx/track/stories.h"

#include "kinds/docx/story/story.h"
#include "kinds/docx/track/comparing.h"
#include "kinds/docx/track/settle.h"

#include <string.h>

/* Ids of revisions are above all others of the part. */
static void number_above(struct stamp *stamp, struct text part)
{
	int32_t highest = (int32_t)carry_highest_id(part, ":", STORY_ID_LIMIT);

	stamp->next_id = highest >= stamp->next_id ? highest + 1 : stamp->next_id;
}

static struct place place_of(const struct fragment *f, struct text part, uint32_t node)
{
	uint32_t base = (uint32_t)(fragment_root(part).at - part.at);
	const struct xml_node *n = &f->xml.nodes[node];

	return (struct place){base + n->from, base + n->to, fragment_names(f, f->xml.root)};
}

static struct root root_of(const struct fragment *f, struct text part)
{
	uint32_t base = (uint32_t)(fragment_root(part).at - part.at);

	return (struct root){fragment_names(f, f->xml.root), base + f->xml.nodes[f->xml.root].inner};
}

bool stories_notes(struct call *c, struct carry *carry, struct notes *notes, struct stamp *stamp,
		   struct comparison *counts)
{
	for (int which = 0; which < ANNOTATION_COMMENTS_EXTENDED; which++) {
		struct note_part *p = &notes->parts[which];
		struct place_pair *pairs = arena_array(c->arena, p->pairs.n + 1, sizeof *pairs);
		size_t n = 0;
		for (size_t i = 0; i < p->pairs.n; i++) {
			const struct note_pair *pair = &p->pairs.items[i];
			pairs[n] = (struct place_pair){place_of(&p->old, p->was, pair->old),
						       place_of(&p->new, p->now, pair->new)};
			const struct place *old = &pairs[n].old, *new = &pairs[n].new;
			n += !text_same(text_slice(p->was, old->from, old->to), text_slice(p->now, new->from, new->to));
		}
		if (!n)
			continue;
		struct comparing k = compare_begin(c, p->was, p->now, carry, &p->text, notes, stamp, counts);
		struct root old = root_of(&p->old, p->was), new = root_of(&p->new, p->now);
		number_above(stamp, p->was);
		if (!compare_places(&k, pairs, n, &old, &new))
			return false;
		for (size_t i = 0; i < k.edits.n; i++)
			*ARRAY_PUSH(c->arena, &p->edits) = k.edits.items[i];
	}
	return true;
}

/* A section's reference to a header or footer. */
struct reference {
	uint32_t section;
	struct text element, type, id;
};
struct references {
	ARRAY(struct reference) list;
	uint32_t sections;
};

/* The tag that contains the place; absent: the place is not in the name of a start tag. */
static struct text tag_at(struct text part, size_t at)
{
	const char *start = memrchr(part.at, '<', at), *end = memchr(part.at + at, '>', part.len - at);

	if (!start || !end || start[1] == '/' || memchr(start, ' ', (size_t)(part.at + at - start)))
		return (struct text){0};
	return (struct text){start, (size_t)(end - start) + 1};
}

static size_t earlier(size_t a, size_t b) { return a < b ? a : b; }

/* Finds the references by their names, which is faster than a pass over the part. */
static void read_references(struct call *c, struct text part, const struct names *names, struct references *out)
{
	static const struct text section = TEXT("sectPr"), header = TEXT("headerReference"),
				 footer = TEXT("footerReference");

	for (size_t at = 0;; at++) {
		size_t s = text_find(part, section, at), h = text_find(part, header, at),
		       f = text_find(part, footer, at);
		at = earlier(s, earlier(h, f));
		if (at == SIZE_MAX)
			break;
		struct text tag = tag_at(part, at);
		struct fragment fragment;
		if (!tag.at ||
		    (at == s && tag.at + tag.len > part.at + at + 6 && !strchr(" \t\r\n/>", part.at[at + 6])))
			continue;
		out->sections += at == s;
		if (at == s || tag.at[tag.len - 2] != '/' || !fragment_parse(c->arena, tag, names, &fragment))
			continue;
		*ARRAY_PUSH(c->arena, &out->list) =
			(struct reference){out->sections, at == h ? header : footer,
					   fragment_attribute(c->arena, &fragment, 0, SPACE_W, "type"),
					   fragment_attribute(c->arena, &fragment, 0, SPACE_R, "id")};
	}
}

/* Writes the document element `<w:hdr/>` with two tags, because new paragraphs go between them. */
static bool open_root(struct arena *a, struct text *bytes, struct fragment *f)
{
	const struct xml_node *root = &f->xml.nodes[f->xml.root];
	uint32_t base = (uint32_t)(fragment_root(*bytes).at - bytes->at);

	if (!root->is_empty_tag)
		return true;
	struct text name = text_slice(f->xml.bytes, root->name, root->name + root->name_len);
	struct splice end = {base + root->to - 2, base + root->to, text_format(a, "></%.*s>", TEXT_ARGS(name))};
	*bytes = splice_apply(a, *bytes, &end, 1);
	return fragment_parse(a, fragment_root(*bytes), &(struct names){0}, f);
}

/* The part that a reference leads to, with its tracked changes accepted. *part is NULL: none. */
static bool read_header(struct call *c, struct package *p, struct text id, struct part **part, struct text *bytes,
			struct fragment *f)
{
	const struct relationship *r = relationship_by_id(&p->relations, id);
	struct revision_counts counts;

	*part = NULL;
	if (!r || r->is_external)
		return true;
	if (!package_part(c, p, r->target, part))
		return false;
	if (!*part)
		return true;
	return (settle(c->arena, (*part)->bytes, NULL, SETTLE_ACCEPT, bytes, &counts) &&
		fragment_parse(c->arena, fragment_root(*bytes), &(struct names){0}, f) &&
		open_root(c->arena, bytes, f)) ||
	       fail_as(c, "INVALID_DOCX_ARCHIVE", "the part %s is not well-formed XML; repair the file in Word",
		       shown(c, (*part)->name));
}

enum { REFERENCES_MAX = 6 }; /* of one section */

struct headers {
	struct call *c;
	struct carry *carry;
	struct notes *notes;
	struct stamp *stamp;
	struct comparison *counts;
	struct map old, new;         /* parts that have a partner */
	struct map old_ids, new_ids; /* references that have one */
};

static bool compare_headers(struct headers *h, struct text old_id, struct text new_id)
{
	struct call *c = h->c;
	struct text was, now;
	struct fragment old, new;
	struct part *one, *two;
	struct carry_text text;
	bool known;

	map_at(&h->old_ids, old_id, 0, NULL);
	map_at(&h->new_ids, new_id, 0, NULL);
	if (!read_header(c, h->carry->to, old_id, &one, &was, &old) ||
	    !read_header(c, h->carry->from, new_id, &two, &now, &new))
		return false;
	if (!one || !two || map_find(&h->new, two->name))
		return true;
	map_at(&h->old, one->name, 0, &known);
	if (known)
		return true;
	map_at(&h->new, two->name, 0, NULL);
	if (!carry_text_begin(h->carry, two->name, one->name, &text))
		return false;
	struct comparing k = compare_begin(c, was, now, h->carry, &text, h->notes, h->stamp, h->counts);
	struct place_pair pair = {place_of(&old, was, old.xml.root), place_of(&new, now, new.xml.root)};
	struct root old_root = root_of(&old, was), new_root = root_of(&new, now);
	static const struct names none = {0};
	pair.old.names = pair.new.names = &none;
	number_above(h->stamp, was);
	if (!text_same(was, now) && !compare_places(&k, &pair, 1, &old_root, &new_root))
		return false;
	if (k.edits.n || !text_same(was, one->bytes))
		*ARRAY_PUSH(c->arena, &h->carry->parts) =
			(struct zip_change){.member = one->member,
					    .name = one->name,
					    .bytes = splice_apply(c->arena, was, k.edits.items, k.edits.n)};
	return carry_text_end(h->carry, &text, one->name);
}

static const struct names *names_of(struct call *c, struct text part)
{
	struct text root = fragment_root(part);
	const char *end = memchr(root.at, '>', root.len);

	return names_read(c->arena, NULL, text_slice(root, 0, end ? (size_t)(end - root.at) + 1 : root.len));
}

static uint32_t lone(const struct references *all, const struct map *paired)
{
	uint32_t n = 0;

	for (size_t i = 0; i < all->list.n; i++)
		n += !map_find(paired, all->list.items[i].id);
	return n;
}

bool stories_headers(struct call *c, struct text original, struct text revised, struct carry *carry,
		     struct notes *notes, struct stamp *stamp, struct comparison *counts)
{
	struct headers h = {c,
			    carry,
			    notes,
			    stamp,
			    counts,
			    {.arena = c->arena},
			    {.arena = c->arena},
			    {.arena = c->arena},
			    {.arena = c->arena}};
	struct references old = {0}, new = {0};

	read_references(c, original, names_of(c, original), &old);
	read_references(c, revised, names_of(c, revised), &new);
	/* Sections are counted from the end: the last one is the body's. Both lists are in the order of sections. */
	for (size_t i = 0, first = 0; i < old.list.n; i++) {
		const struct reference *a = &old.list.items[i];
		uint32_t behind = old.sections - a->section;
		while (first<new.list.n &&new.sections - new.list.items[first].section> behind)
			first++;
		for (size_t j = first; j < new.list.n &&j < first + REFERENCES_MAX; j++) {
			const struct reference *b = &new.list.items[j];
			if (new.sections - b->section == behind && text_same(a->element, b->element) &&
			    text_same(a->type, b->type) && !compare_headers(&h, a->id, b->id))
				return false;
		}
	}
	counts->lone_headers = lone(&old, &h.old_ids) + lone(&new, &h.new_ids);
	return true;
}
