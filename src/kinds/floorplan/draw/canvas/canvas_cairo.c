#include "kinds/floorplan/draw/canvas/canvas_cairo.h"

#include "base/buffer.h"
#include "base/lazy.h"
#include "base/map.h"
#include "base/mutex.h"
#include "base/utf8.h"
#include "kinds/floorplan/draw/canvas/canvas_png.h"
#include "kinds/floorplan/draw/draw.h"

#include <cairo-pdf.h>
#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
#define CAIRO_FUNCTIONS(X)                                                                                               \
	X(cairo_arc) X(cairo_arc_negative) X(cairo_clip) X(cairo_close_path) X(cairo_create) X(cairo_destroy) X(cairo_fill)            \
	X(cairo_fill_preserve) X(cairo_font_options_create) X(cairo_font_options_destroy)                                \
	X(cairo_font_options_set_antialias) X(cairo_font_options_set_hint_metrics) X(cairo_font_options_set_hint_style)  \
	X(cairo_image_surface_create) X(cairo_image_surface_get_data) X(cairo_image_surface_get_stride) X(cairo_line_to) \
	X(cairo_move_to) X(cairo_new_path) X(cairo_paint) X(cairo_pdf_surface_create_for_stream)                         \
	X(cairo_pdf_surface_set_metadata) X(cairo_pdf_surface_set_size) X(cairo_rectangle) X(cairo_restore) X(cairo_rotate) X(cairo_save) X(cairo_scale) X(cairo_set_dash) \
	X(cairo_set_line_width) X(cairo_set_source_rgb) X(cairo_show_page) X(cairo_stroke) X(cairo_stroke_preserve)      \
	X(cairo_surface_destroy) X(cairo_surface_finish) X(cairo_surface_flush) X(cairo_new_sub_path)
#define PANGOCAIRO_FUNCTIONS(X)                                                                                          \
	X(pango_cairo_context_set_font_options) X(pango_cairo_context_set_resolution)                                    \
	X(pango_cairo_font_map_new_for_font_type) X(pango_cairo_layout_line_path) X(pango_cairo_show_layout_line)
#define PANGO_FUNCTIONS(X)                                                                                               \
	X(pango_context_set_round_glyph_positions) X(pango_font_description_free) X(pango_font_description_new)          \
	X(pango_font_description_set_absolute_size) X(pango_font_description_set_family_static)                          \
	X(pango_font_description_set_weight) X(pango_font_map_create_context) X(pango_layout_get_line_readonly)          \
	X(pango_layout_get_size) X(pango_layout_get_unknown_glyphs_count) X(pango_layout_new)                            \
	X(pango_layout_set_font_description) X(pango_layout_set_single_paragraph_mode) X(pango_layout_set_text)          \
	X(pango_context_set_language) X(pango_language_from_string)
#define PANGOFT2_FUNCTIONS(X) X(pango_fc_font_map_set_config)
#define FONTCONFIG_FUNCTIONS(X)                                                                                          \
	X(FcConfigAppFontAddFile) X(FcConfigCreate) X(FcConfigDestroy) X(FcConfigSetCurrent)
#define GOBJECT_FUNCTIONS(X) X(g_object_unref)

static struct { CAIRO_FUNCTIONS(LAZY_SLOT) } cairo;
static struct { PANGOCAIRO_FUNCTIONS(LAZY_SLOT) } pangocairo;
static struct { PANGO_FUNCTIONS(LAZY_SLOT) } pango;
static struct { PANGOFT2_FUNCTIONS(LAZY_SLOT) } pangoft2;
static struct { FONTCONFIG_FUNCTIONS(LAZY_SLOT) } fontconfig;
static struct { GOBJECT_FUNCTIONS(LAZY_SLOT) } gobject;
/* clang-format on */

static const char *const cairo_names[] = {CAIRO_FUNCTIONS(LAZY_NAME) NULL};
static const char *const pangocairo_names[] = {PANGOCAIRO_FUNCTIONS(LAZY_NAME) NULL};
static const char *const pango_names[] = {PANGO_FUNCTIONS(LAZY_NAME) NULL};
static const char *const pangoft2_names[] = {PANGOFT2_FUNCTIONS(LAZY_NAME) NULL};
static const char *const fontconfig_names[] = {FONTCONFIG_FUNCTIONS(LAZY_NAME) NULL};
static const char *const gobject_names[] = {GOBJECT_FUNCTIONS(LAZY_NAME) NULL};

static struct lazy libraries[] = {
	LAZY("libcairo.so.2", "libcairo2", cairo_names, &cairo),
	LAZY("libfontconfig.so.1", "libfontconfig1", fontconfig_names, &fontconfig),
	LAZY("libgobject-2.0.so.0", "libglib2.0-0", gobject_names, &gobject),
	LAZY("libpango-1.0.so.0", "libpango-1.0-0", pango_names, &pango),
	LAZY("libpangoft2-1.0.so.0", "libpangoft2-1.0-0", pangoft2_names, &pangoft2),
	LAZY("libpangocairo-1.0.so.0", "libpangocairo-1.0-0", pangocairo_names, &pangocairo),
};

static bool libraries_load(struct call *c)
{
	for (size_t i = 0; i < ARRAY_COUNT(libraries); i++)
		if (!lazy_load(&libraries[i]))
			return fail(c, FAULT_INTERNAL, "cannot draw: %s", libraries[i].error);
	return png_load(c);
}

/* Where distributions install fonts. */
static const char *const font_folders[] = {
	"/usr/share/fonts/truetype/dejavu/",
	"/usr/share/fonts/truetype/noto/",
	"/usr/share/fonts/opentype/noto/",
	"/usr/share/fonts/truetype/liberation/",
	"/usr/share/fonts/truetype/liberation2/",
	"/usr/share/fonts/liberation-fonts/",
	"/usr/share/fonts/truetype/wqy/",
	"/usr/share/fonts/wqy-microhei/",
	"/usr/share/fonts/truetype/droid/",
	"/usr/share/fonts/opentype/ipafont-gothic/",
	"/usr/share/fonts/truetype/nanum/",
	"/usr/share/fonts/dejavu-sans-fonts/",
	"/usr/share/fonts/dejavu-sans-mono-fonts/",
	"/usr/share/fonts/dejavu-serif-fonts/",
	"/usr/share/fonts/google-noto/",
	"/usr/share/fonts/google-noto-cjk/",
	"/usr/share/fonts/noto/",
	"/usr/share/fonts/noto-cjk/",
	"/usr/share/fonts/TTF/",
	"/usr/local/share/fonts/",
};

enum font_set { FONTS_CORE, FONTS_WIDE, FONT_SETS };

static const struct font_file {
	const char *name;
	enum font_set from; /* the first set that contains it */
} font_files[] = {
	{"DejaVuSans.ttf", FONTS_CORE},
	{"DejaVuSans-Bold.ttf", FONTS_CORE},
	{"DejaVuSansMono.ttf", FONTS_CORE},
	{"DejaVuSerif.ttf", FONTS_WIDE},
	{"DejaVuSerif-Bold.ttf", FONTS_WIDE},
	{"NotoSans-Regular.ttf", FONTS_WIDE},
	{"NotoSans-Bold.ttf", FONTS_WIDE},
	{"NotoSansHebrew-Regular.ttf", FONTS_WIDE},
	{"NotoSansHebrew-Bold.ttf", FONTS_WIDE},
	{"NotoSansArabic-Regular.ttf", FONTS_WIDE},
	{"NotoSansArabic-Bold.ttf", FONTS_WIDE},
	{"NotoSansDevanagari-Regular.ttf", FONTS_WIDE},
	{"NotoSansDevanagari-Bold.ttf", FONTS_WIDE},
	{"NotoSansThai-Regular.ttf", FONTS_WIDE},
	{"NotoSansThai-Bold.ttf", FONTS_WIDE},
	{"LiberationSans-Regular.ttf", FONTS_WIDE},
	{"LiberationSans-Bold.ttf", FONTS_WIDE},
	{"LiberationSerif-Regular.ttf", FONTS_WIDE},
	{"LiberationSerif-Bold.ttf", FONTS_WIDE},
	{"LiberationMono-Regular.ttf", FONTS_WIDE},
	{"NotoSansCJK-Regular.ttc", FONTS_WIDE},
	{"NotoSansCJK-Bold.ttc", FONTS_WIDE},
	{"wqy-microhei.ttc", FONTS_WIDE},
	{"wqy-zenhei.ttc", FONTS_WIDE},
	{"DroidSansFallbackFull.ttf", FONTS_WIDE},
	{"ipag.ttf", FONTS_WIDE},
	{"NanumGothic.ttf", FONTS_WIDE},
	{"NanumGothicBold.ttf", FONTS_WIDE},
};

/* Fonts for characters that the family lacks, in this order. */
#define FALLBACK                                                                                                       \
	",Noto Sans Hebrew,Noto Sans Arabic,Noto Sans Devanagari,Noto Sans Thai,Noto Sans CJK SC,WenQuanYi Micro Hei," \
	"WenQuanYi Zen Hei,Droid Sans Fallback,IPAGothic,NanumGothic,DejaVu Sans"

static const struct family_row {
	const char *name, *wide; /* alone, and with its fallback fonts */
	const char *css;
	const char *file, *package; /* this file exists if it is installed */
} family_rows[FAMILIES] = {
	[FAMILY_SANS] = {"DejaVu Sans", "DejaVu Sans" FALLBACK, "DejaVu Sans, Noto Sans, Verdana, sans-serif",
			 "DejaVuSans.ttf", "fonts-dejavu-core"},
	[FAMILY_SERIF] = {"DejaVu Serif", "DejaVu Serif" FALLBACK, "DejaVu Serif, Noto Serif, Georgia, serif",
			  "DejaVuSerif.ttf", "fonts-dejavu-core"},
	[FAMILY_MONO] = {"DejaVu Sans Mono", "DejaVu Sans Mono" FALLBACK, "DejaVu Sans Mono, Noto Sans Mono, monospace",
			 "DejaVuSansMono.ttf", "fonts-dejavu-core"},
	[FAMILY_NOTO] = {"Noto Sans", "Noto Sans" FALLBACK, "Noto Sans, DejaVu Sans, sans-serif",
			 "NotoSans-Regular.ttf", "fonts-noto-core"},
	[FAMILY_LIBERATION] = {"Liberation Sans", "Liberation Sans" FALLBACK,
			       "Liberation Sans, Arial, Helvetica, sans-serif", "LiberationSans-Regular.ttf",
			       "fonts-liberation"},
	[FAMILY_LIBERATION_SERIF] = {"Liberation Serif", "Liberation Serif" FALLBACK,
				     "Liberation Serif, Times New Roman, serif", "LiberationSerif-Regular.ttf",
				     "fonts-liberation"},
	[FAMILY_LIBERATION_MONO] = {"Liberation Mono", "Liberation Mono" FALLBACK,
				    "Liberation Mono, Courier New, monospace", "LiberationMono-Regular.ttf",
				    "fonts-liberation"},
};

struct fonts {
	FcConfig *config; /* NULL: not loaded yet */
	PangoContext *context;
	PangoFontMap *map;
	PangoLayout *layout;
};

enum { WIDTHS_MAX = 8192 }; /* measured strings kept between drawings: about a megabyte at most */

struct lettering {
	pthread_mutex_t lock; /* held while measuring and while painting: a font map serves one thread at a time */
	struct fonts sets[FONT_SETS];
	struct arena arena; /* of the widths */
	struct map index;
	ARRAY(double) widths;
	struct buffer key; /* of the string being looked up */
};

struct lettering *lettering_new(void)
{
	struct lettering *l = budget_zero(1, sizeof *l);

	l->arena.lasts = l->key.lasts = true;
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

void lettering_free(struct lettering *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < FONT_SETS; i++) {
		if (!l->sets[i].config)
			continue;
		gobject.g_object_unref(l->sets[i].layout);
		gobject.g_object_unref(l->sets[i].context);
		gobject.g_object_unref(l->sets[i].map);
		fontconfig.FcConfigDestroy(l->sets[i].config);
	}
	arena_free(&l->arena);
	buffer_free(&l->key);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static bool font_add(FcConfig *config, const char *name)
{
	char path[200];

	for (size_t i = 0; i < ARRAY_COUNT(font_folders); i++) {
		snprintf(path, sizeof path, "%s%s", font_folders[i], name);
		if (fontconfig.FcConfigAppFontAddFile(config, (const FcChar8 *)path))
			return true;
	}
	return false;
}

static bool fonts_load(struct call *c, struct fonts *fonts, enum font_set set)
{
	if (fonts->config)
		return true;

	FcConfig *config = fontconfig.FcConfigCreate();
	cairo_font_options_t *options;

	for (size_t i = 0; i < ARRAY_COUNT(font_files); i++) {
		if (font_files[i].from > set || font_add(config, font_files[i].name) ||
		    font_files[i].from != FONTS_CORE)
			continue;
		fontconfig.FcConfigDestroy(config);
		return fail(c, FAULT_INTERNAL,
			    "cannot draw: the font %s is missing; install the Debian package fonts-dejavu-core",
			    font_files[i].name);
	}
	/* Pango reads the process's configuration as soon as a font map exists. Setting ours avoids reading the
	 * system's. */
	fontconfig.FcConfigSetCurrent(config);
	fonts->config = config;
	fonts->map = pangocairo.pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
	pangoft2.pango_fc_font_map_set_config((PangoFcFontMap *)fonts->map, config);
	fonts->context = pango.pango_font_map_create_context(fonts->map);
	pango.pango_context_set_round_glyph_positions(fonts->context, FALSE);
	pango.pango_context_set_language(fonts->context, pango.pango_language_from_string("en"));
	pangocairo.pango_cairo_context_set_resolution(fonts->context, 96);
	options = cairo.cairo_font_options_create();
	cairo.cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo.cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo.cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	pangocairo.pango_cairo_context_set_font_options(fonts->context, options);
	cairo.cairo_font_options_destroy(options);
	fonts->layout = pango.pango_layout_new(fonts->context);
	pango.pango_layout_set_single_paragraph_mode(fonts->layout, TRUE);
	return true;
}

static struct fonts *hand_fonts(const struct hand *h) { return &h->lettering->sets[h->wide ? FONTS_WIDE : FONTS_CORE]; }

/* Puts the wording into the font set's layout, shaped for the size. */
static PangoLayout *lay_out(const struct hand *h, enum face face, double size, struct text wording)
{
	const struct family_row *row = &family_rows[face == FACE_MONO ? FAMILY_MONO : h->family];
	PangoLayout *layout = hand_fonts(h)->layout;
	PangoFontDescription *font = pango.pango_font_description_new();

	pango.pango_font_description_set_family_static(font, h->wide ? row->wide : row->name);
	pango.pango_font_description_set_weight(font, face == FACE_BOLD ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
	pango.pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
	pango.pango_layout_set_font_description(layout, font);
	pango.pango_font_description_free(font);
	pango.pango_layout_set_text(layout, wording.at, (int)wording.len);
	return layout;
}

static void widths_drop(struct lettering *l)
{
	arena_free(&l->arena);
	l->index = (struct map){0};
	l->widths.items = NULL;
	l->widths.n = l->widths.cap = 0;
}

double hand_width(const struct hand *h, enum face face, struct text wording)
{
	enum { REFERENCE = 64 }; /* large enough that a pango unit does not matter */
	struct lettering *l = h->lettering;
	const uint32_t *at;
	double width;

	if (!wording.len)
		return 0;
	mutex_lock(&l->lock);
	l->key.len = 0;
	buffer_byte(&l->key, (char)('0' + (int)face + 4 * h->wide));
	buffer_byte(&l->key, (char)('0' + (int)h->family));
	buffer_add(&l->key, wording);
	at = map_find(&l->index, buffer_text(&l->key));
	if (at) {
		width = l->widths.items[*at];
	} else {
		int units, unused;

		if (l->widths.n >= WIDTHS_MAX)
			widths_drop(l);
		l->index.arena = &l->arena;
		pango.pango_layout_get_size(lay_out(h, face, REFERENCE, wording), &units, &unused);
		width = (double)units / PANGO_SCALE / REFERENCE;
		map_at(&l->index, text_copy(&l->arena, buffer_text(&l->key)), (uint32_t)l->widths.n, NULL);
		*ARRAY_PUSH(&l->arena, &l->widths) = width;
	}
	mutex_unlock(&l->lock);
	return width;
}

const char *hand_family(const struct hand *h) { return family_rows[h->family].css; }

static const struct family_name {
	const char *name;
	enum family family;
} family_names[] = {
	{"dejavu sans mono", FAMILY_MONO},
	{"monospace", FAMILY_MONO},
	{"dejavu serif", FAMILY_SERIF},
	{"serif", FAMILY_SERIF},
	{"dejavu sans", FAMILY_SANS},
	{"sans-serif", FAMILY_SANS},
	{"sans", FAMILY_SANS},
	{"noto sans", FAMILY_NOTO},
	{"liberation sans", FAMILY_LIBERATION},
	{"arial", FAMILY_LIBERATION},
	{"helvetica", FAMILY_LIBERATION},
	{"liberation serif", FAMILY_LIBERATION_SERIF},
	{"times new roman", FAMILY_LIBERATION_SERIF},
	{"times", FAMILY_LIBERATION_SERIF},
	{"liberation mono", FAMILY_LIBERATION_MONO},
	{"courier new", FAMILY_LIBERATION_MONO},
	{"courier", FAMILY_LIBERATION_MONO},
};

static bool same_family(struct text t, const char *name)
{
	size_t i = 0;

	for (; i < t.len && name[i]; i++) {
		char c = t.at[i];

		if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != name[i])
			return false;
	}
	return i == t.len && !name[i];
}

static bool is_installed(const char *file)
{
	char path[200];

	for (size_t i = 0; i < ARRAY_COUNT(font_folders); i++) {
		snprintf(path, sizeof path, "%s%s", font_folders[i], file);
		if (!access(path, R_OK))
			return true;
	}
	return false;
}

/* The first family of the list that is installed. */
static enum family family_choose(struct call *c, struct text wanted)
{
	const struct family_row *missing = NULL;

	for (size_t from = 0, to; from < wanted.len; from = to + 1) {
		to = text_find(wanted, TEXT(","), from);
		if (to > wanted.len)
			to = wanted.len;

		struct text name = text_trim(text_slice(wanted, from, to));

		while (name.len > 1 && (name.at[0] == '\'' || name.at[0] == '"'))
			name = text_slice(name, 1, name.len - 1);
		for (size_t i = 0; i < ARRAY_COUNT(family_names); i++) {
			const struct family_row *row = &family_rows[family_names[i].family];

			if (!same_family(name, family_names[i].name))
				continue;
			if (is_installed(row->file))
				return family_names[i].family;
			missing = missing ? missing : row;
		}
	}
	if (missing)
		warn(c, "font_family %s is not installed, so DejaVu Sans is used; install the Debian package %s for %s",
		     shown(c, wanted), missing->package, missing->name);
	else if (!text_is_blank(wanted))
		warn(c,
		     "drawings do not know font_family %s, so DejaVu Sans is used; choose DejaVu Sans, DejaVu Serif or DejaVu "
		     "Sans Mono (Debian package fonts-dejavu-core), Noto Sans (fonts-noto-core), or Liberation Sans, Serif or "
		     "Mono (fonts-liberation)",
		     shown(c, wanted));
	return FAMILY_SANS;
}

/* Characters that the core fonts may lack: from Hebrew on, except the later Latin, Greek and symbol blocks. */
static bool is_wide(uint32_t c) { return c >= 0x590 && !(c >= 0x1E00 && c < 0x2C00); }

static bool needs_wide(const struct text *wording, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t at = 0; at < wording[i].len;)
			if (is_wide(utf8_next(wording[i], &at)))
				return true;
	return false;
}

/* The Debian package with a font for the character; NULL if no font that drawings use has it. */
static const char *package_of(uint32_t c)
{
	/* clang-format off */
	static const struct { uint32_t from, to; const char *package; } rows[] = {
		{0x1100, 0x11FF, "fonts-noto-cjk"}, {0x2E80, 0x9FFF, "fonts-noto-cjk"},   {0xAC00, 0xD7AF, "fonts-noto-cjk"},
		{0xF900, 0xFAFF, "fonts-noto-cjk"}, {0xFF00, 0xFFEF, "fonts-noto-cjk"},   {0x20000, 0x3FFFF, "fonts-noto-cjk"},
		{0x0590, 0x06FF, "fonts-noto-core"}, {0x0900, 0x097F, "fonts-noto-core"}, {0x0E00, 0x0E7F, "fonts-noto-core"},
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (c >= rows[i].from && c <= rows[i].to)
			return rows[i].package;
	return NULL;
}

/* Adds one warning for each text with characters that no font has. It names the first one. */
static void missing_warn(struct call *c, const struct hand *h, struct text wording)
{
	if (!pango.pango_layout_get_unknown_glyphs_count(lay_out(h, FACE_PLAIN, 16, wording)))
		return;
	for (size_t from = 0, at = 0; from < wording.len; from = at) {
		uint32_t code = utf8_next(wording, &at);
		struct text one = text_slice(wording, from, at);
		const char *package = package_of(code);

		if (!pango.pango_layout_get_unknown_glyphs_count(lay_out(h, FACE_PLAIN, 16, one)))
			continue;
		if (package)
			warn(c, "no installed font has the character %s (U+%04X) of %s; install the Debian package %s",
			     shown(c, one), (unsigned)code, shown(c, wording), package);
		else
			warn(c, "no font for drawings has the character %s (U+%04X) of %s; write it another way",
			     shown(c, one), (unsigned)code, shown(c, wording));
		return;
	}
}

bool hand_choose(struct call *c, struct lettering *l, struct text wanted, const struct text *wording, size_t n,
		 struct hand *out)
{
	struct hand h = {.lettering = l, .family = family_choose(c, wanted)};
	bool loaded;

	if (!libraries_load(c))
		return false;
	h.wide = (h.family != FAMILY_SANS && h.family != FAMILY_MONO) || needs_wide(wording, n);
	mutex_lock(&l->lock);
	loaded = fonts_load(c, hand_fonts(&h), h.wide ? FONTS_WIDE : FONTS_CORE);
	for (size_t i = 0; loaded && i < n; i++)
		for (size_t at = 0; at < wording[i].len; at++)
			if ((unsigned char)wording[i].at[at] >= 0x80) {
				missing_warn(c, &h, wording[i]);
				break;
			}
	mutex_unlock(&l->lock);
	*out = h;
	return loaded;
}

enum { LETTERS_BYTES = 24 << 20 }; /* maximum memory of pango and cairo for letters */

struct canvas_cairo {
	struct canvas canvas;
	struct call *call;
	struct hand hand;
	cairo_surface_t *surface;
	cairo_t *cr;
	int width, height;
	double unit; /* PDF: points of a sheet unit */
	struct buffer out;
	size_t most; /* bytes of a PNG; 0: any number */
};

#define CAIRO_OF(c) ((struct canvas_cairo *)((char *)(c)-offsetof(struct canvas_cairo, canvas)))

static void use_colour(cairo_t *cr, uint32_t colour)
{
	cairo.cairo_set_source_rgb(cr, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
				   (colour & 255) / 255.0);
}

static void begin(struct canvas_cairo *k, const struct display_list *d)
{
	/* Held until the last text is painted; encoding needs no font. */
	if (!k->cr) {
		mutex_lock(&k->hand.lettering->lock);
		k->cr = cairo.cairo_create(k->surface);
	}
	use_colour(k->cr, d->paper);
	cairo.cairo_paint(k->cr);
}

static void png_begin(struct canvas *canvas, const struct display_list *d)
{
	struct canvas_cairo *k = CAIRO_OF(canvas);

	k->width = (int)d->width;
	k->height = (int)d->height;
	budget_charge((size_t)k->width * (size_t)k->height * 4 + LETTERS_BYTES);
	budget_hold(); /* until the surface is freed */
	k->surface = cairo.cairo_image_surface_create(CAIRO_FORMAT_RGB24, k->width, k->height);
	begin(k, d);
}

static cairo_status_t keep(void *to, const unsigned char *bytes, unsigned n)
{
	buffer_add(to, (struct text){(const char *)bytes, n});
	return CAIRO_STATUS_SUCCESS;
}

static void pdf_begin(struct canvas *canvas, const struct display_list *d)
{
	struct canvas_cairo *k = CAIRO_OF(canvas);

	if (k->surface) {
		cairo.cairo_show_page(k->cr);
		cairo.cairo_restore(k->cr);
		cairo.cairo_pdf_surface_set_size(k->surface, d->width * k->unit, d->height * k->unit);
	} else {
		budget_charge(LETTERS_BYTES);
		budget_hold(); /* until the surface is freed */
		k->surface = cairo.cairo_pdf_surface_create_for_stream(keep, &k->out, d->width * k->unit,
								       d->height * k->unit);
		cairo.cairo_pdf_surface_set_metadata(k->surface, CAIRO_PDF_METADATA_TITLE,
						     text_string(d->arena, d->title));
		/* A fixed date keeps the bytes the same for every run. */
		cairo.cairo_pdf_surface_set_metadata(k->surface, CAIRO_PDF_METADATA_CREATE_DATE,
						     "2000-01-01T00:00:00Z");
	}
	begin(k, d);
	cairo.cairo_save(k->cr);
	cairo.cairo_scale(k->cr, k->unit, k->unit);
}

static void clip(struct canvas *canvas, const struct frame *f)
{
	cairo_t *cr = CAIRO_OF(canvas)->cr;

	if (!f) {
		cairo.cairo_restore(cr);
		return;
	}
	cairo.cairo_save(cr);
	cairo.cairo_new_path(cr);
	cairo.cairo_rectangle(cr, f->left, f->top, f->right - f->left, f->bottom - f->top);
	cairo.cairo_clip(cr);
}

static void layer(struct canvas *canvas, enum layer l)
{
	(void)canvas;
	(void)l;
}

static void stroke(cairo_t *cr, struct pen pen, bool preserve)
{
	double dashes[] = {pen.on, pen.off};

	cairo.cairo_set_dash(cr, dashes, pen.on > 0 ? 2 : 0, 0);
	cairo.cairo_set_line_width(cr, pen.width);
	use_colour(cr, pen.colour);
	if (preserve)
		cairo.cairo_stroke_preserve(cr);
	else
		cairo.cairo_stroke(cr);
}

static void path(struct canvas *canvas, const struct mark *m, const struct step *steps)
{
	cairo_t *cr = CAIRO_OF(canvas)->cr;

	cairo.cairo_new_path(cr);
	for (size_t i = 0; i < m->n; i++) {
		const struct step *s = &steps[i];

		switch (s->type) {
		case STEP_MOVE: cairo.cairo_move_to(cr, s->x, s->y); break;
		case STEP_LINE: cairo.cairo_line_to(cr, s->x, s->y); break;
		case STEP_ARC:
			if (!i || steps[i - 1].type == STEP_CLOSE)
				cairo.cairo_new_sub_path(cr);
			if (s->to > s->from)
				cairo.cairo_arc(cr, s->x, s->y, s->radius, s->from, s->to);
			else
				cairo.cairo_arc_negative(cr, s->x, s->y, s->radius, s->from, s->to);
			break;
		case STEP_CLOSE: cairo.cairo_close_path(cr); break;
		}
	}
	if (m->fill_on_top && m->pen.colour != NO_COLOUR)
		stroke(cr, m->pen, true);
	if (m->fill != NO_COLOUR) {
		use_colour(cr, m->fill);
		cairo.cairo_fill_preserve(cr);
	}
	if (!m->fill_on_top && m->pen.colour != NO_COLOUR)
		stroke(cr, m->pen, false);
}

static void text(struct canvas *canvas, const struct mark *m)
{
	struct canvas_cairo *k = CAIRO_OF(canvas);
	double before = m->anchor == ANCHOR_START ? 0 : m->anchor == ANCHOR_MIDDLE ? m->advance / 2 : m->advance;
	PangoLayout *layout = lay_out(&k->hand, m->style.face, m->style.size, m->wording);

	use_colour(k->cr, m->style.colour);
	cairo.cairo_new_path(k->cr);
	if (m->upright) {
		cairo.cairo_save(k->cr);
		cairo.cairo_move_to(k->cr, m->x, m->y + before);
		cairo.cairo_rotate(k->cr, -1.57079632679489662);
	} else {
		cairo.cairo_move_to(k->cr, m->x - before, m->y);
	}
	PangoLayoutLine *line = pango.pango_layout_get_line_readonly(layout, 0);

	/* A PDF keeps text as text. In a picture cairo would move each letter to a whole pixel, which leaves gaps in
	 * small words. */
	if (k->unit > 0) {
		pangocairo.pango_cairo_show_layout_line(k->cr, line);
	} else {
		pangocairo.pango_cairo_layout_line_path(k->cr, line);
		cairo.cairo_fill(k->cr);
	}
	if (m->upright)
		cairo.cairo_restore(k->cr);
}

static void end(struct canvas_cairo *k)
{
	cairo.cairo_destroy(k->cr);
	mutex_unlock(&k->hand.lettering->lock);
}

static struct text pdf_finish(struct canvas *canvas)
{
	struct canvas_cairo *k = CAIRO_OF(canvas);

	cairo.cairo_show_page(k->cr);
	end(k);
	cairo.cairo_surface_finish(k->surface);
	cairo.cairo_surface_destroy(k->surface);
	budget_let();
	budget_check();
	budget_credit(LETTERS_BYTES);
	return buffer_text(&k->out);
}

static struct text png_finish(struct canvas *canvas)
{
	struct canvas_cairo *k = CAIRO_OF(canvas);
	struct text bytes = {0};

	end(k);
	cairo.cairo_surface_flush(k->surface);
	const unsigned char *pixels = cairo.cairo_image_surface_get_data(k->surface);
	if (pixels)
		bytes = png_encode(k->call->arena, pixels, (size_t)cairo.cairo_image_surface_get_stride(k->surface),
				   k->width, k->height, k->most);
	cairo.cairo_surface_destroy(k->surface);
	budget_let();
	if (!pixels)
		out_of_memory();
	budget_check();
	budget_credit((size_t)k->width * (size_t)k->height * 4 + LETTERS_BYTES);
	return bytes;
}

struct canvas *canvas_png(struct call *c, const struct hand *h, size_t most)
{
	struct canvas_cairo *k = arena_new(c->arena, struct canvas_cairo);

	*k = (struct canvas_cairo){
		.canvas = {png_begin, layer, clip, path, text, png_finish}, .call = c, .hand = *h, .most = most};
	return &k->canvas;
}

struct canvas *canvas_pdf(struct call *c, const struct hand *h, double unit)
{
	struct canvas_cairo *k = arena_new(c->arena, struct canvas_cairo);

	*k = (struct canvas_cairo){.canvas = {pdf_begin, layer, clip, path, text, pdf_finish},
				   .call = c,
				   .hand = *h,
				   .unit = unit,
				   .out = {.arena = c->arena}};
	return &k->canvas;
}
