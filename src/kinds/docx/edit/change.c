#include "kinds/docx/edit/change.h"

#include "kinds/docx/surgeon/paragraph.h"
#include "kinds/docx/edit/roles.h"
#include "kinds/docx/story/separator.h"
#include "kinds/docx/surgeon/surgeon.h"
#include "kinds/docx/text/composed.h"

#include <string.h>

static bool read_new(struct call *c, struct text t, struct markup *out)
{
	struct text lines = paragraph_lines(c->arena, t);
	size_t bad = xml_unwritable(lines);

	if (bad < lines.len)
		return fail(
			c, FAULT_ARGUMENT,
			"new_string holds the control character U+%04X at byte %zu, which a Word file cannot hold; leave it out",
			(unsigned)(unsigned char)lines.at[bad], bad);
	return markup_read(c, lines, out);
}

enum { NEAREST_SHOWN = 70 };

/* Another paragraph that contains the text. Accents may be written in either form. */
static uint32_t holder(struct call *c, const struct story *s, uint32_t p, struct text needle)
{
	struct text wanted = composed_of(c->arena, match_prepare(c->arena, needle)).text;

	for (uint32_t q = s->first; q != STORY_NONE; q = s->paragraphs.items[q].next) {
		struct arena scratch = {0};
		struct call inner = {.arena = &scratch, .state = c->state};
		bool is_it = q != p && story_is_there(s, q) && wanted.len &&
			     text_find(composed_of(&scratch, story_text(&inner, s, q)).text, wanted, 0) != SIZE_MAX;
		arena_free(&scratch);
		if (is_it)
			return q;
		if (!goes_on(c))
			break;
	}
	return STORY_NONE;
}

static bool not_found(struct call *c, struct story *s, uint32_t p, const struct runes *text, struct text needle)
{
	uint32_t other = holder(c, s, p, needle);
	struct text near = match_nearest(c->arena, text, needle, NEAREST_SHOWN);

	if (c->error.fault)
		return false;
	if (other != STORY_NONE)
		return fail_as(c, "TEXT_NOT_FOUND",
			       "\"%s\" is not in this paragraph, but in %s; call again with target_paragraph_id=%s",
			       shown(c, needle), story_id(c, s, other), story_id(c, s, other));
	if (near.at)
		return fail_as(
			c, "TEXT_NOT_FOUND",
			"\"%s\" is not in this paragraph; the nearest words are \"%s\"; read the paragraph again with node_ids and copy "
			"old_string from it",
			shown(c, needle), shown(c, near));
	return fail_as(c, "TEXT_NOT_FOUND",
		       "\"%s\" is in no paragraph of this document; look for a few of its words with `grep`",
		       shown(c, needle));
}

static bool find(struct call *c, struct story *s, uint32_t p, const struct runes *text, const struct change_text *how,
		 struct matches *out)
{
	*out = match_find(c->arena, text, how->old_string);
	if (!out->n)
		return not_found(c, s, p, text, how->old_string);
	if (how->occurrence > (int64_t)out->n)
		return fail_as(c, "TEXT_NOT_FOUND",
			       "\"%s\" occurs %zu time%s in this paragraph, so there is no occurrence %lld",
			       shown(c, how->old_string), out->n, out->n == 1 ? "" : "s", (long long)how->occurrence);
	if (out->n > 1 && !how->occurrence && !how->replace_all)
		return fail_as(
			c, "MULTIPLE_MATCHES",
			"\"%s\" occurs %zu times in this paragraph (%s match); give more of the text around it, or occurrence=1 to "
			"%zu, or replace_all=true",
			shown(c, how->old_string), out->n, match_names[out->mode], out->n);
	if (how->occurrence) {
		out->items += how->occurrence - 1;
		out->n = 1;
	}
	return true;
}

static bool is_changed(const void *of, uint32_t from, uint32_t to) { return surgeon_changes(of, from, to); }

/* The header column is shown separately from the text, so callers repeat it with the text. It is the same header. */
static void take_in_header(struct call *c, const struct story *s, uint32_t p, struct surgery *op)
{
	struct header_span h;

	if (!op->new.n || op->new.segments[0].role != ROLE_HEADER || !header_of(c, s, p, op->p, &h) ||
	    op->at.from < h.end)
		return;
	struct runes r = runes_of(c->arena, op->p->text);
	if (text_is_blank(runes_slice(&r, h.end, op->at.from)))
		op->at.from = h.from;
}

/* Plans the change of one match. The same words get the same result, so looks are searched only once. */
static bool compare(struct call *c, const struct story *s, uint32_t p, enum match_mode mode,
		    const struct change_text *how, struct surgery *op, struct text *last, struct markup *last_markup)
{
	struct text new = how->new_string;

	/* If note marks were copied into the old text, remove them from the new text too. */
	struct text old = match_without_notes(c->arena, how->old_string);
	if (old.len < how->old_string.len && text_find(op->p->text, how->old_string, 0) == SIZE_MAX)
		new = match_without_notes(c->arena, new);
	if (mode == MATCH_UNESCAPED)
		new = match_unescape(c->arena, new);
	if (mode >= MATCH_QUOTES) {
		struct text like = runes_slice(&op->text, op->at.from, op->at.to);
		new = composed_like(c->arena, match_quotes_like(c->arena, new, like), like);
	}
	if (last->at && text_same(new, *last)) {
		op->new = *last_markup;
		surgeon_compare(c->arena, op);
		return true;
	}
	if (!read_new(c, new, &op->new))
		return false;
	take_in_header(c, s, p, op);
	roles_quote(c, s, p, &op->new);
	surgeon_compare(c->arena, op);
	roles_style(c, s, p, &op->new, is_changed, op);
	*last = new;
	*last_markup = op->new;
	return true;
}

/* Nobody would check more replacements in one paragraph. */
enum { REPLACED_MAX = 2000 };

static bool replace_each(struct call *c, struct story *s, uint32_t p, const struct atoms *atoms,
			 const struct runes *text, const struct matches *found, const struct change_text *how,
			 struct text *fragment, uint32_t *count)
{
	struct surgery *list;
	struct text last = {0};
	struct markup last_markup;
	size_t n = 0;

	if (found->n > REPLACED_MAX)
		return fail(
			c, FAULT_ARGUMENT,
			"\"%s\" occurs %zu times in this paragraph; at most %d are replaced at once, so give a longer text",
			shown(c, how->old_string), found->n, (int)REPLACED_MAX);
	list = arena_array(c->arena, found->n, sizeof *list);
	for (size_t i = 0; i < found->n; i++) {
		/* Overlapping hits are replaced once. */
		if (n && found->items[i].from < list[n - 1].at.to)
			continue;
		list[n] = (struct surgery){.p = atoms,
					   .at = found->items[i],
					   .text = *text,
					   .allow_field_result = how->allow_field_result};
		if (!compare(c, s, p, found->mode, how, &list[n++], &last, &last_markup))
			return false;
	}
	*count = (uint32_t)n;
	struct surgery all = surgeon_join(c->arena, list, n);
	if (!surgeon_operate(c, &all, fragment))
		return false;
	if (text_same(*fragment, atoms->fragment.xml.bytes))
		return fail(c, FAULT_ARGUMENT,
			    "new_string is what is there already, so nothing would change; give another text");
	return true;
}

static bool fill(struct call *c, struct story *s, uint32_t p, const struct atoms *atoms, const struct change_text *how,
		 struct changed *out)
{
	struct markup new;
	struct text fragment;

	if (!read_new(c, how->new_string, &new))
		return false;
	roles_quote(c, s, p, &new);
	roles_style(c, s, p, &new, NULL, NULL);
	if (!surgeon_fill(c, atoms, &new, &fragment))
		return false;
	story_replace(s, p, fragment);
	*out = (struct changed){atoms->text, story_text(c, s, p), MATCH_EXACT, 1};
	return true;
}

bool change_text(struct call *c, struct story *s, uint32_t p, const struct change_text *how, struct changed *out)
{
	struct atoms atoms;
	struct matches found;
	struct text fragment = {0};

	if (!story_atoms(c, s, p, &atoms))
		return false;
	*out = (struct changed){.before = atoms.text};
	if (!how->old_string.len) {
		if (atoms.len)
			return fail(
				c, FAULT_ARGUMENT,
				"old_string is empty; give the text to be replaced (it may be empty only where the paragraph is)");
		return fill(c, s, p, &atoms, how, out);
	}
	struct runes text = runes_of(c->arena, atoms.text);
	if (!find(c, s, p, &text, how, &found))
		return false;
	out->mode = found.mode;
	bool is_all = found.n == 1 && found.items[0].from == 0 && found.items[0].to == text.n;
	if (is_all && !how->new_string.len && change_may_delete(c, s, p)) {
		out->count = 1;
		return change_delete(c, s, p);
	}
	c->error = (struct error){0};
	if (!replace_each(c, s, p, &atoms, &text, &found, how, &fragment, &out->count))
		return false;
	story_replace(s, p, fragment);
	out->after = story_text(c, s, p);
	return true;
}

static bool may_insert(struct call *c, struct story *s, uint32_t anchor, bool behind, const struct atoms *atoms)
{
	if (!story_takes_neighbours(s, anchor))
		return fail_as(
			c, "UNSUPPORTED_EDIT",
			"%s is in a text box, which takes no new paragraphs; change its text with smart_edit (a line break is \\n)",
			story_id(c, s, anchor));
	if (behind ? atoms->fields_after.depth : atoms->fields_before.depth)
		return fail_as(
			c, "UNSUPPORTED_EDIT",
			"a new paragraph %s %s would be inside a field that spans paragraphs, such as a table of contents, which "
			"Word computes again; choose an anchor outside of it",
			behind ? "after" : "before", story_id(c, s, anchor));
	return true;
}

/* The models of new paragraphs. A clause in two parts (separator.h) has two models. */
struct models {
	struct atoms heading, body;
	bool is_pair;
	struct header_span header; /* of a single model */
};

static bool read_models(struct call *c, const struct story *s, uint32_t like, struct models *m)
{
	uint32_t first = separator_first(c, s, like), last = separator_last(c, s, like);

	m->is_pair = first != last;
	if (!story_atoms(c, s, first, &m->heading) || !story_atoms(c, s, last, &m->body))
		return false;
	if (!m->is_pair && !header_of(c, s, like, &m->body, &m->header))
		m->header = (struct header_span){0};
	return true;
}

struct fragments {
	ARRAY(struct text) list;
};

static struct text minted(struct call *c, const struct story *s, const struct minting *mint)
{
	return s->uses_para_ids && mint ? mint->id(c, mint->of) : (struct text){0};
}

/* The text after a heading begins like the model's, with the point that ends the heading. */
static struct markup body_part(struct call *c, const struct models *m, const struct markup *clause, uint32_t from)
{
	struct runes r = runes_of(c->arena, clause->text);
	struct markup part = markup_slice(c->arena, clause, &r, from, r.n);
	char first = m->body.text.len ? m->body.text.at[0] : 0;

	if ((first == '.' || first == ':') && (!part.text.len || part.text.at[0] != first))
		markup_splice(c->arena, &part, 0, 0, (struct text){m->body.text.at, 1});
	return part;
}

/* Writes one clause: a paragraph, or a heading and the text after it. Returns its text. */
static struct text write_clause(struct call *c, const struct story *s, uint32_t anchor, bool like_is_body,
				const struct models *m, struct markup *clause, const struct minting *mint,
				struct fragments *out)
{
	bool has_header = clause->n && clause->segments[0].role == ROLE_HEADER;

	if (m->is_pair && has_header) {
		struct runes r = runes_of(c->arena, clause->text);
		uint32_t end = clause->segments[0].to, last = end;
		/* The point that ends a heading is in the part after it. */
		while (last > 1 && (rune_is_blank(r.at[last - 1]) || r.at[last - 1] == '.' || r.at[last - 1] == ':'))
			last--;
		struct markup heading = markup_slice(c->arena, clause, &r, 0, last),
			      body = body_part(c, m, clause, end);
		for (size_t i = 0; i < heading.n; i++)
			heading.segments[i].role = ROLE_NONE;
		roles_quote(c, s, anchor, &body);
		roles_style(c, s, anchor, &body, NULL, NULL);
		*ARRAY_PUSH(c->arena, &out->list) =
			paragraph_new(c->arena, &m->heading, 0, &heading, minted(c, s, mint));
		*ARRAY_PUSH(c->arena, &out->list) = paragraph_new(c->arena, &m->body, 0, &body, minted(c, s, mint));
		return text_format(c->arena, "%.*s%.*s", TEXT_ARGS(heading.text), TEXT_ARGS(body.text));
	}
	roles_quote(c, s, anchor, clause);
	roles_style(c, s, anchor, clause, NULL, NULL);
	struct text id = minted(c, s, mint);
	*ARRAY_PUSH(c->arena, &out->list) = m->is_pair && !like_is_body
						    ? paragraph_new_alone(c->arena, &m->heading, &m->body, clause, id)
						    : paragraph_new(c->arena, &m->body, m->header.end, clause, id);
	return clause->text;
}

bool change_insert(struct call *c, struct story *s, uint32_t anchor, bool behind, uint32_t like, struct text new_string,
		   const struct minting *mint, struct inserted *out)
{
	struct atoms at;
	struct models models = {0};
	struct markup all, *list;
	struct fragments fragments = {0};
	struct buffer text = {.arena = c->arena};

	/* Never between the two parts of a clause. */
	anchor = behind ? separator_last(c, s, anchor) : separator_first(c, s, anchor);
	if (!story_atoms(c, s, anchor, &at) || !read_models(c, s, like, &models) ||
	    !may_insert(c, s, anchor, behind, &at) || !read_new(c, new_string, &all))
		return false;
	size_t n = paragraphs_of(c->arena, &all, &list);
	if (!n)
		return fail(c, FAULT_ARGUMENT, "new_string has no text; give the new paragraph's text");
	bool like_is_body = separator_last(c, s, like) == like;
	for (size_t i = 0; i < n; i++) {
		buffer_put(&text, i ? "\n\n" : "");
		buffer_add(&text, write_clause(c, s, anchor, like_is_body, &models, &list[i], mint, &fragments));
	}
	if (c->error.fault)
		return false;
	n = fragments.list.n;
	*out = (struct inserted){arena_array(c->arena, n, sizeof *out->items), n, buffer_text(&text)};
	for (size_t i = 0; i < n; i++)
		out->items[i] = story_insert(s, i ? out->items[i - 1] : anchor, i || behind, fragments.list.items[i]);
	return true;
}
