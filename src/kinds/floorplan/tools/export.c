#include "kinds/floorplan/tools/export.h"

#include "kinds/floorplan/cad/dxf.h"
#include "kinds/floorplan/cad/schedule.h"
#include "kinds/floorplan/model/axonometric.h"
#include "kinds/floorplan/model/glb.h"
#include "tool/kind.h"
#include "work/work.h"

#include <string.h>

/* By enum draw_format. */
static bool (*const writers[])(struct call *, const struct plan *, const struct draw_options *, struct drawing *) = {
	[FORMAT_PNG] = plan_draw,      [FORMAT_SVG] = plan_draw, [FORMAT_PDF] = plan_draw,
	[FORMAT_CSV] = schedule_write, [FORMAT_DXF] = dxf_write, [FORMAT_GLB] = glb_write,
};

static int format_named(struct call *c, struct text path)
{
	for (int i = 0; i < (int)word_count(SET_FORMAT); i++)
		if (text_ends_in(path, text_format(c->arena, ".%s", word_of(SET_FORMAT, i)).at))
			return i;
	return -1;
}

bool export_format(struct call *c, int format, struct text path, enum draw_format *out)
{
	int named = format_named(c, path);

	if (named >= 0 && (format < 0 || format == named)) {
		*out = (enum draw_format)named;
		return true;
	}
	if (named < 0) {
		struct buffer list = {.arena = c->arena};
		int n = (int)word_count(SET_FORMAT);

		for (int i = 0; i < n; i++)
			buffer_format(&list, "%s.%s", !i ? "" : i + 1 < n ? ", " : " or ", word_of(SET_FORMAT, i));
		fail(c, FAULT_PATH, "output_path must end in %s, not %s; the extension decides the format",
		     buffer_text(&list).at, shown(c, path));
		c->error.where = "/output_path";
		return false;
	}
	fail(c, FAULT_ARGUMENT,
	     "format is %s but output_path ends in .%s: %s; leave out format, or change the extension",
	     word_of(SET_FORMAT, format), word_of(SET_FORMAT, named), shown(c, path));
	c->error.where = "/format";
	return false;
}

bool format_is_data(enum draw_format format)
{
	static const enum {
		PICTURE,
		DATA
	} whats[] = {
#define FORMAT(id, text, mime, what, meaning) [FORMAT_##id] = what,
#include "kinds/floorplan/language/words.def"
	};

	return whats[format] == DATA;
}

/* Has no row an entry? A table without rows keeps its columns. */
static bool is_empty(const struct schedule_table *t, size_t column)
{
	for (size_t i = column; i < t->cells.n; i += t->column_count)
		if (t->cells.items[i].len)
			return false;
	return t->cells.n > 0;
}

/* Converts a name such as centre_line_area to words. */
static struct text head_words(struct arena *a, const char *name)
{
	struct text t = text_copy(a, text_of(name));
	char *at = (char *)t.at;

	for (size_t i = 0; i < t.len; i++)
		if (at[i] == '_')
			at[i] = ' ';
	if (t.len && at[0] >= 'a' && at[0] <= 'z')
		at[0] = (char)(at[0] - 'a' + 'A');
	return t;
}

static struct text unit_words(const char *unit)
{
	if (!strcmp(unit, word_of(SET_AREA_UNIT, AREA_SQM)))
		return TEXT("m\xC2\xB2");
	if (!strcmp(unit, word_of(SET_AREA_UNIT, AREA_SQFT)))
		return TEXT("ft\xC2\xB2");
	return text_of(unit);
}

/* A schedule for paper: heads in words, and no empty columns. */
static const struct sheet_table *sheet_table_of(struct arena *a, const struct plan *p, const struct draw_options *o)
{
	struct sheet_table *t = arena_new(a, struct sheet_table);
	struct schedule_table *made = arena_new(a, struct schedule_table);
	struct text *heads = arena_array(a, SCHEDULE_COLUMNS_MAX, sizeof *heads);
	struct text *units = arena_array(a, SCHEDULE_COLUMNS_MAX, sizeof *units), *cells;
	bool *numbers = arena_array(a, SCHEDULE_COLUMNS_MAX, sizeof *numbers);
	size_t shown[SCHEDULE_COLUMNS_MAX], n = 0, rows;

	schedule_make(a, p, o, o->schedule, made);
	for (size_t i = 0; i < made->column_count; i++) {
		if (is_empty(made, i))
			continue;
		heads[n] = head_words(a, made->columns[i].name);
		units[n] = unit_words(made->columns[i].unit);
		numbers[n] = made->columns[i].is_number;
		shown[n++] = i;
	}
	rows = made->column_count ? made->cells.n / made->column_count : 0;
	cells = arena_array(a, rows * n + 1, sizeof *cells);
	for (size_t i = 0; i < rows * n; i++)
		cells[i] = made->cells.items[i / n * made->column_count + shown[i % n]];
	*t = (struct sheet_table){.title = text_format(a, "Schedule of %s", word_of(SET_SCHEDULE, (int)o->schedule)),
				  .columns = n,
				  .rows = rows,
				  .heads = heads,
				  .units = units,
				  .cells = cells,
				  .is_number = numbers};
	return t;
}

bool export_make(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out)
{
	struct draw_options with = *o;

	if (o->view == VIEW_AXONOMETRIC)
		return axonometric_draw(c, p, o, out);
	if (o->sheet_set && o->schedule_given)
		with.table = sheet_table_of(c->arena, p, o);
	return writers[o->format](c, p, &with, out);
}

/* A file that a kind can edit is a document. An export never replaces a document. */
static bool is_document(struct call *c, struct text path)
{
	for (const struct kind *const *k = kinds; *k; k++)
		if ((*k)->extensions && text_ends_in(path, (*k)->extensions))
			return true;
	return c->extensions && text_ends_in(path, c->extensions);
}

bool export_write(struct call *c, const struct export_target *t, const struct drawing *d)
{
	struct document *target, *source = NULL;
	struct want want = {.path = t->path, .want = t->overwrite ? DOCUMENT_EITHER : DOCUMENT_NEW};

	if (!c->work)
		return fail(c, FAULT_PATH, "no folder is served, so no file can be written; use render_floorplan");
	if (is_document(c, t->path))
		return fail(c, FAULT_PATH, "%s is a document; an export never replaces one, choose another output_path",
			    shown(c, t->path));
	if (t->source.at && !document_open(c, t->source, &source))
		return false;
	/* if_revision refers to the plan, not to the exported file. */
	if (source && c->if_revision.at && !text_same(c->if_revision, document_revision(source)))
		return fail(c, FAULT_CONFLICT, "the plan is at revision %.*s, not %s; read it again",
			    TEXT_ARGS(document_revision(source)), shown(c, c->if_revision));
	if (source)
		c->if_revision = (struct text){0};
	c->document_max = 0; /* that limit is for plans; an exported model may be larger */
	if (!documents_change(c, &want, 1, &target))
		return c->error.fault == FAULT_EXISTS
			       ? fail(c, FAULT_EXISTS,
				      "%s exists; give another output_path, or overwrite true to replace it",
				      shown(c, t->path))
			       : false;
	if (source && text_same(document_place(target), document_place(source)))
		return fail(c, FAULT_PATH, "output_path is the plan itself; choose another output_path");
	return work_commit(c,
			   &(struct change){.kind = CHANGE_WHOLE,
					    .document = target,
					    .bytes = d->bytes,
					    .is_export = true,
					    .source = source},
			   1, "draw %s", shown(c, t->path));
}
