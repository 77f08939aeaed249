#include "kinds/docx/story/reading.h"

#include <string.h>

const struct xml_limits story_limits = {.depth = 512, .attributes = 128, .nodes = 100000000};

static uint8_t own_tag(enum space space, struct text local)
{
	static const struct {
		const char *name;
		uint8_t tag;
	} known[] = {{"numId", OWN_NUM_ID},       {"ilvl", OWN_LEVEL},
		     {"gridSpan", OWN_GRID_SPAN}, {"gridBefore", OWN_GRID_BEFORE},
		     {"tblStyle", OWN_TBL_STYLE}, {"tcPr", OWN_TC_PR},
		     {"trPr", OWN_TR_PR},         {"tblPr", OWN_TBL_PR},
		     {"footnote", OWN_NOTE},      {"endnote", OWN_NOTE},
		     {"comment", OWN_NOTE},       {"b", OWN_TOGGLE},
		     {"i", OWN_TOGGLE},           {"u", OWN_TOGGLE},
		     {"cellIns", OWN_REVISION},   {"cellDel", OWN_REVISION},
		     {"cellMerge", OWN_REVISION}};

	if (space == SPACE_MC && text_is(local, "Fallback"))
		return OWN_FALLBACK;
	if (space == SPACE_MC && text_is(local, "Choice"))
		return OWN_CHOICE;
	if (space != SPACE_W)
		return TAG_OTHER;
	for (size_t i = 0; i < ARRAY_COUNT(known); i++)
		if (text_is(local, known[i].name))
			return known[i].tag;
	return text_ends(local, "PrChange") || text_is(local, "numberingChange") ? OWN_REVISION : TAG_OTHER;
}

static uint8_t tag_now(struct reader *r)
{
	struct text name = r->scan.name, local;
	size_t h = name.len * 37 + (unsigned char)name.at[name.len - 1] * 5 + (unsigned char)name.at[name.len / 2] * 17;
	struct cached_tag *slot = &r->cache[h % ARRAY_COUNT(r->cache)];

	if (slot->scope == r->scope && slot->name.len == name.len && !memcmp(slot->name.at, name.at, name.len))
		return slot->tag;
	enum space space = names_split(r->names, name, false, &local);
	uint8_t tag = (uint8_t)fragment_tag(space, local);
	if (tag == TAG_OTHER)
		tag = own_tag(space, local);
	*slot = (struct cached_tag){name, r->scope, tag};
	return tag;
}

/* Prefixes that the element declares are valid inside it. */
static void enter_scope(struct reader *r)
{
	struct xml_scan *s = &r->scan;
	bool declares = false;

	for (uint32_t i = 0; i < s->n && !declares; i++)
		declares = s->attributes[i].name.len >= 5 && !memcmp(s->attributes[i].name.at, "xmlns", 5);
	if (!declares)
		return;
	const struct names *inner = names_read(r->arena, r->names, text_slice(s->bytes, s->from, s->to));
	r->scopes_used += inner->n;
	if (r->scopes_used > SCOPES_MAX)
		r->is_too_wide = true;
	r->scopes[r->scopes_n].depth = s->depth;
	r->scopes[r->scopes_n].outer = r->names;
	r->scopes[r->scopes_n++].outer_scope = r->scope;
	r->names = inner;
	r->scope = ++r->scopes_made;
}

static void leave_scope(struct reader *r)
{
	if (!r->scopes_n || r->scopes[r->scopes_n - 1].depth != r->scan.depth)
		return;
	r->scopes_n--;
	r->names = r->scopes[r->scopes_n].outer;
	r->scope = r->scopes[r->scopes_n].outer_scope;
}

/* Local names from the parent to the body, as used in ids. */
static uint32_t path_now(struct reader *r)
{
	struct story *s = r->story;
	struct buffer b = r->path;

	b.len = 0;
	for (unsigned i = r->scan.depth - 1; i-- > 0;) {
		struct text name = r->scan.stack[i];
		const char *colon = memchr(name.at, ':', name.len);
		struct text local = colon ? text_slice(name, (size_t)(colon - name.at) + 1, name.len) : name;
		if (b.len)
			buffer_byte(&b, '/');
		buffer_add(&b, local);
		if (r->tags[i + 1] == TAG_BODY)
			break;
	}
	bool was;
	r->path = b;
	const uint32_t *known = map_find(&s->path_numbers, buffer_text(&b));
	if (known)
		return *known;
	struct text path = text_copy(r->arena, buffer_text(&b));
	*ARRAY_PUSH(r->arena, &s->paths) = path;
	return *map_at(&s->path_numbers, path, (uint32_t)s->paths.n - 1, &was);
}

static struct text para_id_now(struct reader *r)
{
	for (uint32_t i = 0; i < r->scan.n; i++) {
		struct text local, name = r->scan.attributes[i].name;
		/* Check the name before the namespace, because there are many rsid attributes. */
		if (name.len > 6 && !memcmp(name.at + name.len - 6, "paraId", 6) &&
		    names_split(r->names, name, true, &local) == SPACE_W14 && text_is(local, "paraId") &&
		    r->scan.attributes[i].value.len)
			return r->scan.attributes[i].value;
	}
	return (struct text){0};
}

static void open_paragraph(struct reader *r)
{
	struct story *s = r->story;
	uint32_t index = (uint32_t)s->paragraphs.n, last = s->last;
	struct paragraph *p = ARRAY_PUSH(r->arena, &s->paragraphs);
	bool is_box = r->boxes;

	r->is_too_long = index >= PARAGRAPHS_MAX;

	*p = (struct paragraph){.from = r->scan.from,
				.next = STORY_NONE,
				.prev = last,
				.cell = is_box ? STORY_NONE : r->cell,
				.host = STORY_NONE,
				.note = r->note,
				.hang = STORY_NONE,
				.style = STYLE_NONE,
				.num_id = -1,
				.level = -1,
				.para_id = para_id_now(r),
				.fields = r->context.fields,
				.names = r->names};
	if (is_box) {
		struct context *host = &r->outer[0];
		p->flags |= PARAGRAPH_IN_BOX;
		p->host = host->paragraph;
		p->box_place = host->box_places++;
		p->cell = r->cell;
		p->fields = (struct field_state){0};
	}
	if (r->fallback)
		p->flags |= PARAGRAPH_IS_TWIN;
	p->ancestors = path_now(r);
	s->uses_para_ids |= p->para_id.at != NULL;
	if (last == STORY_NONE)
		s->first = index;
	else
		s->paragraphs.items[last].next = index;
	s->last = index;
	if (!is_box && r->waiting_id.at) {
		p->given_id = r->waiting_id;
		r->waiting_id = (struct text){0};
	}
	for (; r->waiting < s->bookmarks.n; r->waiting++)
		s->bookmarks.items[r->waiting].paragraph = index;
	if (r->cell != STORY_NONE && !is_box) {
		struct story_cell *cell = &s->cells.items[r->cell];
		if (!cell->paragraphs++)
			cell->first = index;
		s->tables.items[cell->table].last = index;
	}
	struct field_state fields = p->fields;
	r->context = (struct context){.paragraph = index,
				      .depth = r->scan.depth,
				      .fields = fields,
				      .leads = true,
				      .is_plain = !fields.depth && r->names->w.len};
}

static void count_look(struct reader *r, const struct story_look *look, uint64_t characters)
{
	struct story *s = r->story;

	if (r->is_reread)
		return;
	for (size_t i = r->last_look, tried = 0; tried < s->looks.n; i = i + 1 < s->looks.n ? i + 1 : 0, tried++) {
		struct story_look *at = &s->looks.items[i];
		if (at->paragraph_style == look->paragraph_style && at->run_style == look->run_style &&
		    at->said == look->said && at->on == look->on) {
			at->characters += characters;
			r->last_look = i;
			return;
		}
	}
	if (s->looks.n == LOOKS_MAX)
		return;
	r->last_look = s->looks.n;
	struct story_look *fresh = ARRAY_PUSH(r->arena, &s->looks);
	*fresh = *look;
	fresh->characters = characters;
}

static void close_paragraph(struct reader *r)
{
	struct story *s = r->story;
	struct paragraph *p = &s->paragraphs.items[r->context.paragraph];

	p->to = r->scan.to;
	if (r->context.is_plain)
		p->flags |= PARAGRAPH_IS_PLAIN;
	/* A header at the start of a paragraph does not count for the plain look. */
	if (r->context.lead && (!r->context.has_more || r->context.lead > HEADER_MAX))
		count_look(r, &r->context.lead_look, r->context.lead);
	if (story_is_shown(s, r->context.paragraph))
		s->shown++;
	struct field_state fields = r->context.fields;
	r->context = (struct context){.paragraph = STORY_NONE, .fields = fields};
}

static bool is_blank_text(struct text t)
{
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.at[i];
		if (c == 0xC2 && i + 1 < t.len && (unsigned char)t.at[i + 1] == 0xA0)
			i++;
		else if (c > 0x20)
			return false;
	}
	return true;
}

static bool fields_show(const struct field_state *f)
{
	uint64_t all = f->depth >= 64 ? UINT64_MAX : (UINT64_C(1) << f->depth) - 1;

	return (f->in_result & all) == all;
}

static void text_seen(struct reader *r)
{
	struct context *k = &r->context;
	struct text t = text_slice(r->scan.bytes, r->scan.from, r->scan.to);

	if (k->paragraph == STORY_NONE || k->gone || r->tags[r->scan.depth] != TAG_T || !fields_show(&k->fields))
		return;
	struct paragraph *p = &r->story->paragraphs.items[k->paragraph];
	if (is_blank_text(t))
		return;
	if (k->is_hidden) {
		p->flags |= PARAGRAPH_HAS_HIDDEN;
		return;
	}
	p->flags |= PARAGRAPH_HAS_TEXT;
	struct story_look look = {p->style, STYLE_NONE, k->said, k->on, 0};
	if (k->run_style.at)
		look.run_style = styles_find(r->story->styles, k->run_style, STYLE_CHARACTER);
	bool stands_out = k->on & k->said & (1 << TOGGLE_BOLD | 1 << TOGGLE_UNDERLINE);
	if (k->leads && stands_out) {
		k->lead += t.len;
		k->lead_look = look;
		return;
	}
	k->leads = false;
	k->has_more = true;
	count_look(r, &look, t.len);
}

/* A character that is an element: a tab, a break, a symbol. */
static void character_seen(struct reader *r)
{
	struct context *k = &r->context;

	if (k->paragraph != STORY_NONE && !k->gone && k->run && fields_show(&k->fields))
		r->story->paragraphs.items[k->paragraph].flags |=
			k->is_hidden ? PARAGRAPH_HAS_HIDDEN : PARAGRAPH_HAS_TEXT;
}

static void field_mark(struct reader *r)
{
	struct field_state *f = &r->context.fields;
	struct text type = value(r, "fldCharType");

	if (r->context.gone)
		return;
	if (text_is(type, "begin")) {
		if (f->depth < 64)
			f->in_result &= ~(UINT64_C(1) << f->depth);
		f->depth++;
	} else if (f->depth && text_is(type, "separate")) {
		if (f->depth <= 64)
			f->in_result |= UINT64_C(1) << (f->depth - 1);
	} else if (text_is(type, "end")) {
		r->story->loose_fields += !f->depth;
		f->depth -= f->depth > 0;
	}
}

/* Is the run hidden by its style, if it does not say so itself? */
static bool is_hidden_by_style(const struct reader *r)
{
	const struct story *s = r->story;
	const struct context *k = &r->context;

	if (!s->styles->hides || k->paragraph == STORY_NONE)
		return false;
	return styles_hide(s->styles, s->paragraphs.items[k->paragraph].style,
			   r->is_reread ? r->table_style : story_table_style(s, k->paragraph), k->run_style);
}

static void run_toggle(struct reader *r)
{
	struct text local;
	struct run_properties p = {.said = r->context.said, .on = r->context.on};

	names_split(r->names, r->scan.name, false, &local);
	run_property(r->scratch, &r->scan, r->names, local, &p);
	r->context.said = p.said;
	r->context.on = p.on;
}

/* Elements of pPr and of rPr that are direct properties of the paragraph or the run. */
static void property_seen(struct reader *r, uint8_t tag)
{
	struct context *k = &r->context;
	uint8_t parent = parent_tag(r);
	uint8_t grand = r->scan.depth > 2 ? r->tags[r->scan.depth - 2] : 0;

	if (k->paragraph == STORY_NONE)
		return;
	struct paragraph *p = &r->story->paragraphs.items[k->paragraph];
	bool in_mark = parent == TAG_RPR && grand == TAG_PPR, in_run = parent == TAG_RPR && grand == TAG_R;
	bool in_own = r->scan.depth == k->depth + 2 && parent == TAG_PPR;
	switch (tag) {
	case TAG_P_STYLE:
		if (in_own)
			p->style = styles_find(r->story->styles, xml_value(r->scratch, value(r, "val"), true),
					       STYLE_PARAGRAPH);
		break;
	case OWN_NUM_ID:
		if (parent == TAG_NUM_PR && r->scan.depth == k->depth + 3)
			p->num_id = value_number(value(r, "val"), -1);
		break;
	case OWN_LEVEL:
		if (parent == TAG_NUM_PR && r->scan.depth == k->depth + 3) {
			int32_t level = value_number(value(r, "val"), -1);
			p->level = (int8_t)(level < 0 || level > 8 ? -1 : level);
		}
		break;
	case TAG_DEL:
	case TAG_MOVE_FROM:
		if (in_mark && r->scan.depth == k->depth + 3)
			p->flags |= PARAGRAPH_MARK_DELETED;
		break;
	case TAG_SECT_PR:
		if (in_own)
			p->flags |= PARAGRAPH_HAS_SECTION;
		break;
	case OWN_TOGGLE:
		if (in_run)
			run_toggle(r);
		break;
	case TAG_VANISH:
		if (in_run) {
			k->is_hidden = value_is_on(value(r, "val"));
			k->says_hidden = true;
		}
		break;
	case TAG_R_STYLE:
		if (in_run) {
			k->run_style = xml_value(r->arena, value(r, "val"), true);
			if (!k->says_hidden)
				k->is_hidden = is_hidden_by_style(r);
		}
		break;
	default: break;
	}
}

/* A tracked change that Word may not accept. Marks of paragraphs, rows and properties have no content. */
static bool is_bare(const struct reader *r, uint8_t tag)
{
	uint8_t parent = parent_tag(r);
	bool is_mark = tag == OWN_REVISION || parent == TAG_RPR || parent == OWN_TR_PR || parent == TAG_NUM_PR;

	return !value(r, "id").at || !value(r, "author").at || !value(r, "date").at || (r->scan.is_empty && !is_mark);
}

static void hide_below(struct reader *r)
{
	if (!r->context.gone)
		r->context.gone = r->scan.depth;
}

static void opened(struct reader *r, uint8_t tag)
{
	switch (tag) {
	case TAG_P:
		if (r->context.paragraph == STORY_NONE)
			open_paragraph(r);
		break;
	case TAG_R:
		r->context.run = r->scan.depth;
		r->context.says_hidden = false;
		r->context.said = r->context.on = 0;
		r->context.run_style = (struct text){0};
		r->context.is_hidden = is_hidden_by_style(r);
		r->context.is_plain &= !r->context.is_hidden;
		break;
	case TAG_TAB:
	case TAG_PTAB:
	case TAG_BR:
	case TAG_CR:
		/* White space does not count as text. A tab stop of pPr has the same name. */
		break;
	case TAG_SYM:
	case TAG_NO_BREAK_HYPHEN: character_seen(r); break;
	case TAG_FLD_CHAR: field_mark(r); break;
	case TAG_DEL:
	case TAG_MOVE_FROM:
		property_seen(r, tag);
		hide_below(r);
		/* fall through */
	case TAG_INS:
	case TAG_MOVE_TO:
	case OWN_REVISION:
	case TAG_PPR_CHANGE:
	case TAG_RPR_CHANGE:
		r->story->revisions += !r->is_reread;
		r->story->bare_revisions += is_bare(r, tag);
		reader_count_id(r);
		if (tag == TAG_PPR_CHANGE || tag == TAG_RPR_CHANGE || tag == OWN_REVISION)
			hide_below(r);
		break;
	case TAG_DRAWING:
	case TAG_OBJECT:
	case TAG_PICT:
	case TAG_ALTERNATE_CONTENT:
	case TAG_MATH: hide_below(r); break;
	case OWN_FALLBACK:
		if (!r->fallback)
			r->fallback = r->scan.depth;
		break;
	case TAG_TXBX_CONTENT: reader_open_box(r); break;
	case TAG_TBL: reader_open_table(r); break;
	case TAG_TR: reader_open_row(r); break;
	case TAG_TC: reader_open_cell(r); break;
	case OWN_GRID_SPAN:
	case OWN_GRID_BEFORE:
	case OWN_TBL_STYLE: reader_table_property(r, tag); break;
	case TAG_BOOKMARK_START:
		r->story->bookmark_starts++;
		reader_bookmark_seen(r);
		break;
	case TAG_BOOKMARK_END:
		r->story->bookmark_ends++;
		reader_count_id(r);
		break;
	case TAG_COMMENT_START:
	case TAG_COMMENT_END: reader_count_comment(r); break;
	case TAG_RANGE_MARK: reader_count_id(r); break;
	case TAG_FOOTNOTE_REFERENCE: reader_reference_seen(r, STORY_FOOTNOTES); break;
	case TAG_ENDNOTE_REFERENCE: reader_reference_seen(r, STORY_ENDNOTES); break;
	case TAG_COMMENT_REFERENCE:
		reader_count_comment(r);
		reader_reference_seen(r, STORY_COMMENTS);
		break;
	case OWN_NOTE: reader_open_note(r); break;
	default: property_seen(r, tag); break;
	}
}

static void closed(struct reader *r)
{
	uint8_t tag = r->tags[r->scan.depth];

	if (r->context.gone == r->scan.depth)
		r->context.gone = 0;
	if (r->fallback == r->scan.depth)
		r->fallback = 0;
	switch (tag) {
	case TAG_P:
		if (r->context.paragraph != STORY_NONE && r->context.depth == r->scan.depth)
			close_paragraph(r);
		break;
	case TAG_R:
		r->context.run = 0;
		r->context.is_hidden = false;
		break;
	case TAG_TXBX_CONTENT: reader_close_box(r); break;
	case TAG_TBL:
		if (!r->boxes && r->tables)
			r->tables--;
		break;
	case TAG_TC: reader_close_cell(r); break;
	case OWN_NOTE:
		if (r->note != STORY_NONE && r->scan.depth == 2) {
			r->story->notes.items[r->note].to = r->scan.to;
			r->note = STORY_NONE;
		}
		break;
	default: break;
	}
}

/* Is the element inside a record of former properties? pPrChange contains the old properties of a changed paragraph. */
static bool is_former(const struct reader *r)
{
	return r->context.gone &&
	       (r->tags[r->context.gone] == TAG_PPR_CHANGE || r->tags[r->context.gone] == TAG_RPR_CHANGE ||
		r->tags[r->context.gone] == OWN_REVISION);
}

/* May a plain paragraph contain this element? Allowed are runs, their texts and properties, and marks without text. */
static bool stays_plain(struct reader *r, uint8_t tag)
{
	struct context *k = &r->context;
	struct text name = r->scan.name, prefix = r->names->w;
	uint8_t parent = parent_tag(r);

	if (k->properties)
		return tag != TAG_VANISH && tag != TAG_T && (tag != TAG_R_STYLE || !r->story->styles->hides);
	switch (tag) {
	case TAG_R: return parent == TAG_P;
	case TAG_PPR:
	case TAG_RPR: k->properties = r->scan.is_empty ? 0 : r->scan.depth; return parent == TAG_P || parent == TAG_R;
	case TAG_BOOKMARK_START:
	case TAG_BOOKMARK_END:
	case TAG_PROOF_ERR:
	case TAG_LAST_PAGE_BREAK: return true;
	case TAG_T:
		/* plain_text() finds it by its name, and its end by the first bracket. */
		return parent == TAG_R && name.len == prefix.len + 2 && !memcmp(name.at, prefix.at, prefix.len) &&
		       memchr(name.at, '>', r->scan.to - r->scan.from - 1) == r->scan.bytes.at + r->scan.to - 1;
	default: return false;
	}
}

static void token(struct reader *r)
{
	struct xml_scan *s = &r->scan;
	uint32_t scope = r->scope;

	if (s->token == XML_SCAN_OPEN) {
		enter_scope(r);
		uint8_t tag = tag_now(r);
		r->tags[s->depth] = tag;
		if (r->context.is_plain)
			r->context.is_plain = scope == r->scope && stays_plain(r, tag);
		if (tag != TAG_OTHER && !is_former(r))
			opened(r, tag);
	} else if (s->token == XML_SCAN_CLOSE) {
		if (r->context.properties == s->depth)
			r->context.properties = 0;
		closed(r);
		leave_scope(r);
	} else if (s->token == XML_SCAN_TEXT) {
		r->context.is_plain &= s->is_plain;
		text_seen(r);
	} else {
		r->context.is_plain = false;
	}
}

static void reader_begin(struct reader *r, struct arena *a, struct arena *scratch, struct story *s)
{
	memset(r, 0, offsetof(struct reader, cache));
	memset(r->cache, 0, sizeof r->cache);
	r->arena = a;
	r->scratch = scratch;
	r->story = s;
	r->context = (struct context){.paragraph = STORY_NONE};
	r->boxes = r->fallback = r->tables = 0;
	r->table = r->cell = r->note = STORY_NONE;
	r->table_style = STYLE_NONE;
	r->row = r->col = 0;
	r->waiting = r->last_look = 0;
	r->waiting_id = (struct text){0};
	r->is_reread = r->is_too_wide = r->is_too_long = false;
	r->path = (struct buffer){.arena = scratch};
	r->scope = r->scopes_made = 1;
}

/* Does the root element match the kind of story? */
static bool root_fits(enum story_kind kind, struct text local)
{
	static const char *const roots[STORY_KINDS] = {"document", "hdr", "ftr", "footnotes", "endnotes", "comments"};

	return text_is(local, roots[kind]);
}

struct story *story_read(struct call *c, struct arena *a, struct part *part, enum story_kind kind,
			 const struct styles *styles, struct journal *journal)
{
	struct story *s = arena_new(a, struct story);
	struct reader *r = arena_alloc(c->arena, sizeof *r);
	struct error why = {0};
	bool is_ours_root = true;

	*s = (struct story){.kind = kind,
			    .part = part,
			    .arena = a,
			    .styles = styles,
			    .journal = journal,
			    .first = STORY_NONE,
			    .last = STORY_NONE,
			    .path_numbers = {.arena = a},
			    .ids = {.arena = a},
			    .salts = {.arena = a},
			    .max_id = -1,
			    .max_comment_id = -1};
	static const struct names none;
	reader_begin(r, a, c->arena, s);
	r->names = &none;
	for (xml_scan_begin(&r->scan, c->arena, part_now(part), &story_limits, &why);
	     xml_scan_next(&r->scan) != XML_SCAN_END && !r->is_too_wide && !r->is_too_long;) {
		token(r);
		if (r->scan.token == XML_SCAN_OPEN && r->scan.depth == 1) {
			struct text local;
			is_ours_root =
				names_split(r->names, r->scan.name, false, &local) == SPACE_W && root_fits(kind, local);
			s->names = r->names;
			if (!is_ours_root)
				break;
		}
	}
	if (!r->scan.is_bad && !is_ours_root)
		why = (struct error){.message = "its root is not an element of a Word document"};
	if (r->is_too_wide)
		why = (struct error){.message = "it declares more namespaces than any honest document"};
	if (r->is_too_long)
		why = (struct error){.message = "it has more than 1,000,000 paragraphs; split the document"};
	if (r->scan.is_bad || !is_ours_root || r->is_too_wide || r->is_too_long) {
		package_refuse(c, part->name, &why);
		return NULL;
	}
	s->loose_fields += r->context.fields.depth;
	s->original = (uint32_t)s->paragraphs.n;
	s->ids_next = 0;
	s->ids_last = STORY_NONE;
	return s;
}

/* Reads the fragment like a part, into a temporary story, and copies its facts. */
void story_reread(struct story *s, uint32_t p)
{
	struct paragraph *old = &s->paragraphs.items[p];
	struct arena scratch = {0};
	struct story alone = {.kind = STORY_BODY,
			      .arena = &scratch,
			      .styles = s->styles,
			      .first = STORY_NONE,
			      .last = STORY_NONE,
			      .path_numbers = {.arena = &scratch},
			      .max_id = -1,
			      .max_comment_id = -1};
	struct reader *r = arena_alloc(&scratch, sizeof *r);
	struct error why;

	reader_begin(r, &scratch, &scratch, &alone);
	r->names = old->names;
	r->is_reread = true;
	r->table_style = story_table_style(s, p);
	r->context.fields = old->fields;
	for (xml_scan_begin(&r->scan, &scratch, old->now, &story_limits, &why);
	     xml_scan_next(&r->scan) != XML_SCAN_END;)
		token(r);
	if (alone.paragraphs.n) {
		static const uint16_t read = PARAGRAPH_HAS_TEXT | PARAGRAPH_MARK_DELETED | PARAGRAPH_HAS_HIDDEN |
					     PARAGRAPH_HAS_SECTION | PARAGRAPH_IS_PLAIN;
		const struct paragraph *new = &alone.paragraphs.items[0];
		bool was_shown = story_is_shown(s, p);
		old->flags = (uint16_t)((old->flags & ~read) | (new->flags &read));
		old->style = new->style;
		old->num_id = new->num_id;
		old->level = new->level;
		old->para_id = new->para_id.at ? text_copy(s->arena, new->para_id) : new->para_id;
		s->shown += (uint32_t)story_is_shown(s, p) - (uint32_t)was_shown;
		if (alone.max_id > s->max_id)
			s->max_id = alone.max_id;
	}
	arena_free(&scratch);
}

bool story_box(struct arena *a, struct text host, const struct names *names, uint32_t place, uint32_t *from,
	       uint32_t *to)
{
	struct story alone = {.kind = STORY_BODY,
			      .arena = a,
			      .first = STORY_NONE,
			      .last = STORY_NONE,
			      .path_numbers = {.arena = a},
			      .max_id = -1,
			      .max_comment_id = -1};
	struct styles *none = arena_new(a, struct styles);
	struct reader *r = arena_alloc(a, sizeof *r);
	struct error why;

	none->ids.arena = a;
	none->default_paragraph = STYLE_NONE;
	alone.styles = none;
	reader_begin(r, a, a, &alone);
	r->names = names;
	r->is_reread = true;
	for (xml_scan_begin(&r->scan, a, host, &story_limits, &why); xml_scan_next(&r->scan) != XML_SCAN_END;)
		token(r);
	for (size_t i = 0; i < alone.paragraphs.n; i++) {
		const struct paragraph *p = &alone.paragraphs.items[i];
		if (!(p->flags & PARAGRAPH_IN_BOX) || p->box_place != place)
			continue;
		*from = p->from;
		*to = p->to;
		return true;
	}
	return false;
}
