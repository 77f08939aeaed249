#include "kinds/docx/read/view.h"

#include <string.h>

const char *const scope_names[] = {"body", "headers", "footers", "footnotes", "endnotes", "comments", "all", NULL};

/* The facts of a fingerprint, as numbers. Rows with equal facts are recognised without writing the fingerprint. */
struct facts {
	uint32_t style;
	int32_t level, alignment, indents[INDENTS];
	uint32_t on;
};

struct view {
	struct map facts;        /* maps the bytes of struct facts to names */
	struct map fingerprints; /* maps to names */
	ARRAY(struct text) names;
	struct map bases; /* maps a base name to the number of its names */
	uint32_t swept;   /* number of original paragraphs of the body whose styles have names */
	bool has_base;
	uint8_t base;
};

static struct view *view_of(struct session *s)
{
	if (s->view)
		return s->view;
	s->view = arena_new(&s->arena, struct view);
	s->view->facts.arena = s->view->fingerprints.arena = s->view->bases.arena = &s->arena;
	return s->view;
}

/* A new fingerprint gets a new name. */
static uint32_t name_of(struct call *c, struct session *s, const struct row *r)
{
	struct view *v = view_of(s);
	struct text print = row_fingerprint(c->arena, s, r);
	const uint32_t *known = map_find(&v->fingerprints, print);
	bool was;

	if (known)
		return *known;
	struct text base = row_style_base(s, r);
	uint32_t *n = map_at(&v->bases, base, 0, &was), index = (uint32_t)v->names.n;
	(*n)++;
	/* Body styles are numbered from the first one, other styles from the second one. */
	struct text name = text_is(base, "body") || *n > 1 ? text_format(&s->arena, "%.*s_%u", TEXT_ARGS(base), *n)
							   : text_copy(&s->arena, base);
	map_at(&v->fingerprints, text_copy(&s->arena, print), index, &was);
	*ARRAY_PUSH(&s->arena, &v->names) = name;
	return index;
}

static struct text named(struct call *c, struct session *s, const struct row *r)
{
	struct view *v = view_of(s);
	struct facts facts = {.style = styles_of_paragraph(s->styles, r->story->paragraphs.items[r->paragraph].style),
			      .level = r->is_numbered ? r->item.level : -1,
			      .alignment = (int32_t)r->properties.alignment,
			      .on = r->look.on};
	struct text key = {(const char *)&facts, sizeof facts};

	memcpy(facts.indents, r->properties.indents, sizeof facts.indents);
	const uint32_t *known = map_find(&v->facts, key);
	if (known)
		return v->names.items[*known];
	uint32_t name = name_of(c, s, r);
	map_at(&v->facts, text_copy(&s->arena, key), name, NULL);
	return v->names.items[name];
}

/* Names are assigned in document order, no matter which page is read first. */
static void sweep(struct call *c, struct session *s, uint32_t until)
{
	struct view *v = view_of(s);
	struct arena *own = c->arena, scratch = {0};

	for (; v->swept < until && v->swept < s->body->original; v->swept++) {
		struct list_item item;
		struct row row;
		if (!story_is_shown(s->body, v->swept))
			continue;
		c->arena = &scratch;
		bool is_item = !(s->body->paragraphs.items[v->swept].flags & PARAGRAPH_MARK_DELETED) &&
			       numbering_item(s->numbering, s->body, v->swept, &item);
		struct text label = is_item ? item.definition->text : (struct text){0};
		if (row_read(c, s, s->body, v->swept, is_item ? &item : NULL, label, &row))
			named(c, s, &row);
		c->arena = own;
		arena_reset(&scratch);
	}
	arena_free(&scratch);
}

struct text view_style(struct call *c, struct session *s, const struct row *r)
{
	if (r->story == s->body && r->paragraph < s->body->original) {
		sweep(c, s, r->paragraph);
		/* A page is read row by row. Each row is named when it is shown, and is not read again. */
		if (view_of(s)->swept == r->paragraph)
			s->view->swept++;
	}
	return named(c, s, r);
}

uint8_t view_base(struct call *c, struct session *s)
{
	static const uint8_t mask = 1 << TOGGLE_BOLD | 1 << TOGGLE_ITALIC | 1 << TOGGLE_UNDERLINE;
	struct view *v = view_of(s);
	uint64_t counts[256] = {0}, total = 0;

	(void)c;
	if (v->has_base)
		return v->base;
	for (size_t i = 0; i < s->body->looks.n; i++) {
		const struct story_look *look = &s->body->looks.items[i];
		uint32_t style = styles_of_paragraph(s->styles, look->paragraph_style);
		if (style != STYLE_NONE && s->styles->items.items[style].is_heading)
			continue;
		struct run_properties direct = {.said = look->said, .on = look->on};
		if (look->run_style != STYLE_NONE) {
			direct.has_style = true;
			direct.style = s->styles->items.items[look->run_style].id;
		}
		uint8_t on = styles_run(s->styles, look->paragraph_style, STYLE_NONE, &direct).on & mask;
		counts[on] += look->characters;
		total += look->characters;
	}
	for (int i = 0; i < 256; i++)
		if (counts[i] * 10 >= total * 6 && total)
			v->base = (uint8_t)i;
	v->has_base = true;
	return v->base;
}

static bool in_scope(enum scope scope, const struct story *s)
{
	return scope == SCOPE_ALL || (int)scope == (int)s->kind;
}

bool rows_begin(struct call *c, struct session *s, enum scope scope, struct rows_walk *w)
{
	*w = (struct rows_walk){.call = c, .session = s, .scope = scope, .paragraph = STORY_NONE};
	if (scope != SCOPE_BODY && !session_stories(c, s))
		return false;
	w->story = s->body;
	w->counters = counters_new(c->arena, s->numbering);
	return true;
}

bool rows_next(struct rows_walk *w)
{
	struct session *s = w->session;

	for (;;) {
		if (in_scope(w->scope, w->story)) {
			while ((w->paragraph = story_next(w->story, w->paragraph)) != STORY_NONE) {
				w->is_item = counters_step(w->counters, w->story, w->paragraph, &w->item);
				if (!story_is_shown(w->story, w->paragraph))
					continue;
				w->number++;
				return true;
			}
		}
		if (w->scope == SCOPE_BODY || w->story_number == s->stories_n)
			return false;
		w->story = s->stories[w->story_number++];
		w->paragraph = STORY_NONE;
		/* Each story has its own counters. */
		w->counters = counters_new(w->call->arena, s->numbering);
	}
}

struct text rows_label(struct rows_walk *w)
{
	return w->is_item ? counters_label(w->call->arena, w->counters, &w->item) : TEXT("");
}

bool rows_row(struct rows_walk *w, struct row *out)
{
	struct arena *own = w->call->arena;
	const struct list_item *item = w->is_item ? &w->item : NULL;

	if (!w->scratch)
		return row_read(w->call, w->session, w->story, w->paragraph, item, rows_label(w), out);
	arena_reset(w->scratch);
	w->call->arena = w->scratch;
	bool done = row_read(w->call, w->session, w->story, w->paragraph, item, rows_label(w), out);
	w->call->arena = own;
	if (!done)
		error_copy(own, &w->call->error);
	return done;
}

uint64_t rows_total(struct session *s, enum scope scope)
{
	uint64_t n = in_scope(scope, s->body) ? s->body->shown : 0;

	for (size_t i = 0; scope != SCOPE_BODY && i < s->stories_n; i++)
		if (in_scope(scope, s->stories[i]))
			n += s->stories[i]->shown;
	return n;
}

void toon_cell(struct buffer *to, struct text t, bool is_last)
{
	for (size_t i = 0; i < t.len; i++) {
		char c = t.at[i];
		const char *escape = c == '\n'              ? "\\n"
				     : c == '\t'            ? "\\t"
				     : c == '\r'            ? "\\r"
				     : c == '\\'            ? "\\\\"
				     : c == '|' && !is_last ? "\\|"
							    : NULL;
		if (escape)
			buffer_put(to, escape);
		else
			buffer_byte(to, c);
	}
}
