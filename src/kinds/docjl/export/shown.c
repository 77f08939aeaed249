/* shown.c: what a reader sees instead of a label: numbers of sections, captions, cross-references. */
#include "kinds/docjl/export/export.h"

struct text metadata_word(const struct tree *t, const char *key)
{
	const struct json *metadata =
		json_parse(t->m->c->arena, t->m->metadata, JSON_DEPTH_MAX, &(struct json_error){0});
	struct text word = json_text(json_get(metadata, key));

	return word.at ? word : TEXT("");
}

int64_t block_level(const struct json *stored, int depth)
{
	int64_t level = depth;

	json_integer(json_get(stored, "level"), &level);
	return level < 1 ? 1 : level > 6 ? 6 : level;
}

static bool is_unnumbered(const struct tree *t, uint32_t i)
{
	const struct json *v = json_get(tree_stored(t, i), "unnumbered");

	return v && v->type == JSON_BOOL && v->boolean;
}

struct text section_number(const struct tree *t, uint32_t i)
{
	struct label l;

	if (!label_parse(t->nodes.items[i].label, &l) || !l.is_numeric || !text_is(l.prefix, "sec") ||
	    is_unnumbered(t, i))
		return TEXT("");
	return text_format(t->m->c->arena, "%.*s ", TEXT_ARGS(l.id));
}

static const char *kind_word(const struct words *w, const struct tree_node *n)
{
	struct text prefix = block_prefix(n->type);

	return text_is(prefix, "tab")    ? w->table
	       : text_is(prefix, "fig")  ? w->figure
	       : text_is(prefix, "code") ? w->listing
	       : text_is(prefix, "eq")   ? w->equation
	       : text_is(prefix, "para") ? w->paragraph
	       : text_is(prefix, "list") ? w->list
					 : w->block;
}

struct text block_shown(const struct tree *t, uint32_t i)
{
	const struct tree_node *n = &t->nodes.items[i];
	struct arena *a = t->m->c->arena;
	const struct words *w = words_in(metadata_word(t, "language"));

	if (!n->holds)
		return n->label.at ? words_with(a, kind_word(w, n), label_id(n->label)) : TEXT("");
	struct text number = text_trim(section_number(t, i));
	return number.len ? words_with(a, w->section, number) : block_title(a, tree_stored(t, i));
}

bool has_caption_number(const struct tree_node *n) { return n->label.at && (!n->is_auto || n->is_cited); }

struct text margin_number(const struct tree *t, uint32_t i, const struct export_form *f)
{
	const struct tree_node *n = &t->nodes.items[i];

	if (!n->label.at || n->holds)
		return TEXT("");
	if (text_is(block_prefix(n->type), "para"))
		return n->is_cited || (f->numbers_paragraphs && !n->is_auto) ? label_id(n->label) : TEXT("");
	return n->is_cited ? block_shown(t, i) : TEXT("");
}

struct shown_ref ref_shown(const struct tree *t, const struct json *ref, uint32_t node, int64_t k)
{
	const struct tree_node *n = &t->nodes.items[node];
	struct arena *a = t->m->c->arena;
	struct text own = inline_text(ref);
	const char *missing = words_in(metadata_word(t, "language"))->missing;

	if (k < 0 || k >= n->n_refs)
		return (struct shown_ref){words_with(a, missing, own.len ? own : TEXT("?")), TEXT(""), TEXT(""), true};
	const struct tree_ref *r = &t->refs.items[n->ref + (uint32_t)k];
	if (r->to == TREE_NONE)
		return (struct shown_ref){words_with(a, missing, own.len ? own : r->text), r->text, TEXT(""), true};
	struct shown_ref shown_as = {.label = t->nodes.items[r->to].label, .place = block_shown(t, r->to)};
	shown_as.words = own.len ? own : shown_as.place.len ? shown_as.place : shown_as.label;
	return shown_as;
}
