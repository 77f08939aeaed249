#include "kinds/floorplan/cad/dxf_out.h"

#include "base/utf8.h"

#include <math.h>

static void pair(struct buffer *b, int code, const char *value) { buffer_format(b, "%3d\n%s\n", code, value); }

static void pair_int(struct buffer *b, int code, int value) { buffer_format(b, "%3d\n%6d\n", code, value); }

static void pair_handle(struct buffer *b, int code, unsigned value) { buffer_format(b, "%3d\n%X\n", code, value); }

static void pair_number(struct buffer *b, int code, double value)
{
	buffer_format(b, "%3d\n%.6f\n", code, fabs(value) < 5e-7 ? 0.0 : value);
}

static void pair_point(struct buffer *b, int code, double x, double y, bool has_z)
{
	pair_number(b, code, x);
	pair_number(b, code + 10, y);
	if (has_z)
		pair_number(b, code + 20, 0);
}

/* A value is one line of ASCII. Other characters are written as \U+ and four hexadecimal digits, beyond the basic plane
 * as a surrogate pair. A backslash is written so too, because it would begin such a code. %% also begins a code, so a
 * doubled sign is written as %%%. */
static void pair_text(struct buffer *b, int code, struct text t)
{
	enum { CHARACTERS_MAX = 120 }; /* some programs read lines of at most 255 bytes */
	size_t n = 0;

	buffer_format(b, "%3d\n", code);
	t = utf8_repaired(b->arena, t);
	for (size_t at = 0; at < t.len && n < CHARACTERS_MAX; n++) {
		size_t next = at;
		uint32_t c = utf8_next(t, &next);

		if (c > 0xFFFF) {
			buffer_format(b, "\\U+%04X\\U+%04X", (0xD800 + ((c - 0x10000) >> 10)),
				      (0xDC00 + ((c - 0x10000) & 0x3FF)));
		} else if (c > 126 || c == '\\') {
			buffer_format(b, "\\U+%04X", c);
		} else if (c < 32) {
			buffer_byte(b, ' ');
		} else if (c == '^') {
			buffer_put(b, "^ ");
		} else if (c == '%' && ((at && t.at[at - 1] == '%') || (at + 1 < t.len && t.at[at + 1] == '%'))) {
			buffer_put(b, "%%%");
		} else {
			buffer_byte(b, (char)c);
		}
		at = next;
	}
	buffer_byte(b, '\n');
}

static void entity(struct dxf *d, const char *type, const char *layer, const char *subclass)
{
	pair(d->to, 0, type);
	pair_handle(d->to, 5, ++d->handle);
	pair_handle(d->to, 330, d->owner);
	pair(d->to, 100, "AcDbEntity");
	pair(d->to, 8, layer);
	if (subclass)
		pair(d->to, 100, subclass);
}

static void reach(struct dxf *d, struct point p)
{
	if (d->to != &d->entities)
		return;
	d->left = fmin(d->left, p.x);
	d->right = fmax(d->right, p.x);
	d->bottom = fmin(d->bottom, p.y);
	d->top = fmax(d->top, p.y);
}

void dxf_line(struct dxf *d, const char *layer, bool dashed, struct point a, struct point b)
{
	entity(d, "LINE", layer, NULL);
	if (dashed)
		pair(d->to, 6, "DASHED");
	pair(d->to, 100, "AcDbLine");
	pair_point(d->to, 10, a.x, a.y, true);
	pair_point(d->to, 11, b.x, b.y, true);
	reach(d, a);
	reach(d, b);
}

void dxf_polyline(struct dxf *d, const char *layer, const struct point *points, size_t n, bool closed)
{
	for (size_t i = 0; i < n; i++)
		reach(d, points[i]);
	entity(d, "LWPOLYLINE", layer, "AcDbPolyline");
	pair_int(d->to, 90, (int)n);
	pair_int(d->to, 70, closed);
	for (size_t i = 0; i < n; i++)
		pair_point(d->to, 10, points[i].x, points[i].y, false);
}

void dxf_arc(struct dxf *d, const char *layer, struct point centre, double radius, double from, double to)
{
	entity(d, "ARC", layer, "AcDbCircle");
	pair_point(d->to, 10, centre.x, centre.y, true);
	pair_number(d->to, 40, radius);
	pair(d->to, 100, "AcDbArc");
	pair_number(d->to, 50, from);
	pair_number(d->to, 51, to);
}

void dxf_insert(struct dxf *d, const char *layer, const char *block, struct point at, double scale, bool mirrored,
		double degrees)
{
	entity(d, "INSERT", layer, "AcDbBlockReference");
	pair(d->to, 2, block);
	pair_point(d->to, 10, at.x, at.y, true);
	pair_number(d->to, 41, scale);
	pair_number(d->to, 42, mirrored ? -scale : scale);
	pair_number(d->to, 43, 1);
	pair_number(d->to, 50, degrees);
	reach(d, at);
}

void dxf_text(struct dxf *d, const char *layer, struct text wording, struct point at, double height, double degrees,
	      enum dxf_anchor anchor)
{
	entity(d, "TEXT", layer, "AcDbText");
	pair_point(d->to, 10, at.x, at.y, true);
	pair_number(d->to, 40, height);
	pair_text(d->to, 1, wording);
	if (degrees != 0)
		pair_number(d->to, 50, degrees);
	if (anchor == DXF_MIDDLE) {
		pair_int(d->to, 72, 1);
		pair_point(d->to, 11, at.x, at.y, true);
	}
	pair(d->to, 100, "AcDbText");
	if (anchor == DXF_MIDDLE)
		pair_int(d->to, 73, 2);
	reach(d, at);
}

void dxf_block_begin(struct dxf *d, const char *name)
{
	struct dxf_block *b = ARRAY_PUSH(d->arena, &d->blocks);

	b->name = name;
	b->record = ++d->handle;
	b->begin = ++d->handle;
	b->end = ++d->handle;
	d->block = (struct buffer){.arena = d->arena};
	d->to = &d->block;
	d->owner = b->record;
}

void dxf_block_end(struct dxf *d)
{
	d->blocks.items[d->blocks.n - 1].entities = buffer_text(&d->block);
	d->to = &d->entities;
	d->owner = d->blocks.items[0].record;
}

void dxf_open(struct dxf *d, struct arena *a, enum unit unit, const struct dxf_layer *layers)
{
	*d = (struct dxf){.arena = a,
			  .unit = unit,
			  .layers = layers,
			  .entities = {.arena = a},
			  .handle = 0x100, /* lower handles belong to the tables */
			  .left = INFINITY,
			  .bottom = INFINITY,
			  .right = -INFINITY,
			  .top = -INFINITY};
	dxf_block_begin(d, "*Model_Space");
	dxf_block_end(d);
	dxf_block_begin(d, "*Paper_Space");
	dxf_block_end(d);
}

static const int insert_units[] = {
	[UNIT_M] = 6, [UNIT_FT] = 2, [UNIT_CM] = 5, [UNIT_IN] = 1, [UNIT_MM] = 4,
};

static void put_header(const struct dxf *d, struct buffer *b)
{
	bool empty = d->right < d->left;

	pair(b, 0, "SECTION");
	pair(b, 2, "HEADER");
	pair(b, 9, "$ACADVER");
	pair(b, 1, "AC1015");
	pair(b, 9, "$DWGCODEPAGE");
	pair(b, 3, "ANSI_1252");
	pair(b, 9, "$INSBASE");
	pair_point(b, 10, 0, 0, true);
	pair(b, 9, "$EXTMIN");
	pair_point(b, 10, empty ? 0 : d->left, empty ? 0 : d->bottom, true);
	pair(b, 9, "$EXTMAX");
	pair_point(b, 10, empty ? 0 : d->right, empty ? 0 : d->top, true);
	pair(b, 9, "$INSUNITS");
	pair_int(b, 70, insert_units[d->unit]);
	pair(b, 9, "$MEASUREMENT");
	pair_int(b, 70, d->unit != UNIT_FT && d->unit != UNIT_IN);
	pair(b, 9, "$HANDSEED");
	pair_handle(b, 5, d->handle + 1);
	pair(b, 0, "ENDSEC");
}

static void table_begin(struct buffer *b, const char *name, unsigned handle, int rows)
{
	pair(b, 0, "TABLE");
	pair(b, 2, name);
	pair_handle(b, 5, handle);
	pair_handle(b, 330, 0);
	pair(b, 100, "AcDbSymbolTable");
	pair_int(b, 70, rows);
}

static void record(struct buffer *b, const char *type, unsigned handle, unsigned owner, const char *subclass)
{
	pair(b, 0, type);
	pair_handle(b, 5, handle);
	pair_handle(b, 330, owner);
	pair(b, 100, "AcDbSymbolTableRecord");
	pair(b, 100, subclass);
}

/* Handles of the tables and their rows. */
enum {
	H_LTYPE = 0x10,
	H_LAYER = 0x20,
	H_STYLE = 0x40,
	H_VIEW = 0x48,
	H_UCS = 0x49,
	H_APPID = 0x4A,
	H_DIMSTYLE = 0x50,
	H_BLOCK_RECORD = 0x58,
	H_VPORT = 0x60,
	H_DICTIONARY = 0x70
};

static void put_linetypes(const struct dxf *d, struct buffer *b)
{
	static const char *const names[] = {"ByBlock", "ByLayer", "CONTINUOUS", "DASHED"};
	static const char *const prose[] = {"", "", "Solid line", "__ __ __"};
	double dash = 0.15 * (d->unit == UNIT_M    ? 1
			      : d->unit == UNIT_FT ? 1 / 0.3048
			      : d->unit == UNIT_CM ? 100
			      : d->unit == UNIT_IN ? 1 / 0.0254
						   : 1000);

	table_begin(b, "LTYPE", H_LTYPE, 4);
	for (unsigned i = 0; i < 4; i++) {
		record(b, "LTYPE", H_LTYPE + 1 + i, H_LTYPE, "AcDbLinetypeTableRecord");
		pair(b, 2, names[i]);
		pair_int(b, 70, 0);
		pair(b, 3, prose[i]);
		pair_int(b, 72, 65);
		pair_int(b, 73, i == 3 ? 2 : 0);
		pair_number(b, 40, i == 3 ? 2 * dash : 0);
		for (int k = 0; i == 3 && k < 2; k++) {
			pair_number(b, 49, k ? -dash : dash);
			pair_int(b, 74, 0);
		}
	}
	pair(b, 0, "ENDTAB");
}

static void put_layers(const struct dxf *d, struct buffer *b)
{
	unsigned n = 0;

	while (d->layers[n].name)
		n++;
	table_begin(b, "LAYER", H_LAYER, (int)n + 1);
	for (unsigned i = 0; i <= n; i++) {
		record(b, "LAYER", H_LAYER + 1 + i, H_LAYER, "AcDbLayerTableRecord");
		pair(b, 2, i ? d->layers[i - 1].name : "0");
		pair_int(b, 70, 0);
		pair_int(b, 62, i ? d->layers[i - 1].colour : 7);
		pair(b, 6, "CONTINUOUS");
	}
	pair(b, 0, "ENDTAB");
}

static void put_styles(struct buffer *b)
{
	table_begin(b, "STYLE", H_STYLE, 1);
	record(b, "STYLE", H_STYLE + 1, H_STYLE, "AcDbTextStyleTableRecord");
	pair(b, 2, "STANDARD");
	pair_int(b, 70, 0);
	pair_number(b, 40, 0);
	pair_number(b, 41, 1);
	pair_number(b, 50, 0);
	pair_int(b, 71, 0);
	pair_number(b, 42, 0.2);
	pair(b, 3, "txt");
	pair(b, 4, "");
	pair(b, 0, "ENDTAB");
}

static void put_viewport(const struct dxf *d, struct buffer *b)
{
	bool empty = d->right < d->left;
	double width = empty ? 1 : d->right - d->left, height = empty ? 1 : d->top - d->bottom;

	table_begin(b, "VPORT", H_VPORT, 1);
	record(b, "VPORT", H_VPORT + 1, H_VPORT, "AcDbViewportTableRecord");
	pair(b, 2, "*ACTIVE");
	pair_int(b, 70, 0);
	pair_point(b, 10, 0, 0, false);
	pair_point(b, 11, 1, 1, false);
	pair_point(b, 12, empty ? 0 : d->left + width / 2, empty ? 0 : d->bottom + height / 2, false);
	pair_number(b, 40, fmax(height, width / 1.6) * 1.1);
	pair_number(b, 41, 1.6);
	pair(b, 0, "ENDTAB");
}

static void put_new_tables(const struct dxf *d, struct buffer *b)
{
	table_begin(b, "VIEW", H_VIEW, 0);
	pair(b, 0, "ENDTAB");
	table_begin(b, "UCS", H_UCS, 0);
	pair(b, 0, "ENDTAB");
	table_begin(b, "APPID", H_APPID, 1);
	record(b, "APPID", H_APPID + 1, H_APPID, "AcDbRegAppTableRecord");
	pair(b, 2, "ACAD");
	pair_int(b, 70, 0);
	pair(b, 0, "ENDTAB");
	table_begin(b, "DIMSTYLE", H_DIMSTYLE, 1);
	pair(b, 100, "AcDbDimStyleTable");
	pair_int(b, 71, 0);
	pair(b, 0, "DIMSTYLE");
	pair_handle(b, 105, H_DIMSTYLE + 1);
	pair_handle(b, 330, H_DIMSTYLE);
	pair(b, 100, "AcDbSymbolTableRecord");
	pair(b, 100, "AcDbDimStyleTableRecord");
	pair(b, 2, "STANDARD");
	pair_int(b, 70, 0);
	pair(b, 0, "ENDTAB");
	table_begin(b, "BLOCK_RECORD", H_BLOCK_RECORD, (int)d->blocks.n);
	for (size_t i = 0; i < d->blocks.n; i++) {
		record(b, "BLOCK_RECORD", d->blocks.items[i].record, H_BLOCK_RECORD, "AcDbBlockTableRecord");
		pair(b, 2, d->blocks.items[i].name);
	}
	pair(b, 0, "ENDTAB");
}

static void put_block_end(struct buffer *b, const struct dxf_block *k, bool begin)
{
	pair(b, 0, begin ? "BLOCK" : "ENDBLK");
	pair_handle(b, 5, begin ? k->begin : k->end);
	pair_handle(b, 330, k->record);
	pair(b, 100, "AcDbEntity");
	pair(b, 8, "0");
	pair(b, 100, begin ? "AcDbBlockBegin" : "AcDbBlockEnd");
}

static void put_blocks(const struct dxf *d, struct buffer *b)
{
	pair(b, 0, "SECTION");
	pair(b, 2, "BLOCKS");
	for (size_t i = 0; i < d->blocks.n; i++) {
		const struct dxf_block *k = &d->blocks.items[i];

		put_block_end(b, k, true);
		pair(b, 2, k->name);
		pair_int(b, 70, 0);
		pair_point(b, 10, 0, 0, true);
		pair(b, 3, k->name);
		pair(b, 1, "");
		buffer_add(b, k->entities);
		put_block_end(b, k, false);
	}
	pair(b, 0, "ENDSEC");
}

static void put_objects(struct buffer *b)
{
	pair(b, 0, "SECTION");
	pair(b, 2, "OBJECTS");
	pair(b, 0, "DICTIONARY");
	pair_handle(b, 5, H_DICTIONARY);
	pair_handle(b, 330, 0);
	pair(b, 100, "AcDbDictionary");
	pair_int(b, 281, 1);
	pair(b, 3, "ACAD_GROUP");
	pair_handle(b, 350, H_DICTIONARY + 1);
	pair(b, 0, "DICTIONARY");
	pair_handle(b, 5, H_DICTIONARY + 1);
	pair_handle(b, 330, H_DICTIONARY);
	pair(b, 100, "AcDbDictionary");
	pair_int(b, 281, 1);
	pair(b, 0, "ENDSEC");
}

struct text dxf_finish(struct dxf *d)
{
	struct buffer b = {.arena = d->arena};

	put_header(d, &b);
	pair(&b, 0, "SECTION");
	pair(&b, 2, "CLASSES");
	pair(&b, 0, "ENDSEC");
	pair(&b, 0, "SECTION");
	pair(&b, 2, "TABLES");
	put_viewport(d, &b);
	put_linetypes(d, &b);
	put_layers(d, &b);
	put_styles(&b);
	put_new_tables(d, &b);
	pair(&b, 0, "ENDSEC");
	put_blocks(d, &b);
	pair(&b, 0, "SECTION");
	pair(&b, 2, "ENTITIES");
	buffer_add(&b, buffer_text(&d->entities));
	pair(&b, 0, "ENDSEC");
	put_objects(&b);
	pair(&b, 0, "EOF");
	return buffer_text(&b);
}
