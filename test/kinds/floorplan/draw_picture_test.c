#include "draw_fixture.h"

#include "format/xml.h"

#include <unistd.h>
#include <math.h>
#include <pthread.h>
#include <zlib.h>

#define ALL_SOLID "walls [top: solid, right: solid, bottom: solid, left: solid]"

static const char flat[] =
	"---\ntitle: Flat <1> & \"2\"\n---\nfloorplan\n config { default_unit: m, area_unit: sqm }\n floor Ground {\n"
	"room Living at (0,0) size (5 x 4) walls [top: window, right: solid, bottom: solid, left: solid]\n"
	"room Kitchen at (5,0) size (3 x 4) walls [top: window, right: solid, bottom: solid, left: open] label \"K & "
	"<B>\"\n"
	"stair S at (0.4,2.6) shape straight toward right rise 2.8m width 0.9m\n }\n"
	"connect Living.right to Kitchen.left door at 40%\n";

static struct text drawn(struct desk *d, enum draw_format format, struct drawing *drawing)
{
	d->options.format = format;
	d->options.show_area = true;
	d->options.show_dimensions = 1;
	if (!plan_draw(&d->call, d->plan, &d->options, drawing))
		fail_msg("%s", d->call.error.message);
	return drawing->bytes;
}

static void the_same_plan_gives_the_same_bytes(void **state)
{
	(void)state;
	for (int format = FORMAT_PNG; format <= FORMAT_PDF; format++) {
		struct desk *a = desk_new(flat), *b = desk_new(flat);
		struct drawing one, two;

		/* The second one has its own fonts: earlier drawings must not matter. */
		b->options.lettering = NULL;
		assert_true(
			text_same(drawn(a, (enum draw_format)format, &one), drawn(b, (enum draw_format)format, &two)));
		assert_true(one.bytes.len > 1000);
		assert_string_equal(one.mime, format_mimes[format]);
		desk_free(a);
		desk_free(b);
	}
}

struct picture {
	int width, height;
	bool indexed;
	unsigned char palette[768], *rows;
};

static uint32_t number_at(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;

	return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
}

/* Reads only our own files: 8 bits, one kind of rows, no filter. */
static struct picture *picture_read(struct arena *a, struct text png)
{
	struct picture *p = arena_new(a, struct picture);
	struct buffer packed = {.arena = a};
	uLongf size;

	assert_memory_equal(png.at, "\x89PNG\r\n\x1a\n", 8);
	for (size_t at = 8; at + 12 <= png.len; at += 12 + number_at(png.at + at)) {
		const char *type = png.at + at + 4, *bytes = type + 4;
		uint32_t len = number_at(png.at + at);

		assert_int_equal(number_at(bytes + len), (uint32_t)crc32(0, (const Bytef *)type, len + 4));
		if (!memcmp(type, "IHDR", 4)) {
			p->width = (int)number_at(bytes);
			p->height = (int)number_at(bytes + 4);
			assert_int_equal(bytes[8], 8);
			p->indexed = bytes[9] == 3;
		} else if (!memcmp(type, "PLTE", 4)) {
			memcpy(p->palette, bytes, len);
		} else if (!memcmp(type, "IDAT", 4)) {
			buffer_add(&packed, (struct text){bytes, len});
		}
	}
	size = (uLongf)p->height * (1 + (uLongf)p->width * (p->indexed ? 1 : 3));
	p->rows = arena_alloc(a, size);
	assert_int_equal(uncompress(p->rows, &size, (const Bytef *)packed.at, packed.len), Z_OK);
	return p;
}

static uint32_t pixel(const struct picture *p, int x, int y)
{
	size_t width = (size_t)p->width * (p->indexed ? 1 : 3);
	const unsigned char *row = p->rows + (size_t)y * (width + 1) + 1;
	const unsigned char *c = p->indexed ? &p->palette[3 * row[x]] : &row[3 * x];

	return (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
}

static void the_picture_has_walls_rooms_and_paper_where_they_belong(void **state)
{
	static const enum theme themes[] = {THEME_DEFAULT, THEME_DARK, THEME_BLUEPRINT};

	(void)state;
	for (size_t t = 0; t < ARRAY_COUNT(themes); t++) {
		struct desk *d = desk_new(flat);
		const struct colours *c = colours_of(themes[t]);
		struct drawing drawing;
		const struct picture *p;
		long wall = 0, expected;

		d->options.theme = (int)themes[t];
		p = picture_read(&d->arena, drawn(d, FORMAT_PNG, &drawing));
		assert_int_equal(p->width, drawing.width);
		assert_int_equal(p->height, drawing.height);
		assert_int_equal(p->width, DRAW_WIDTH);
		desk_compose(d);

		const struct sheet *s = &d->sheet;
		const struct view *v = &s->views[0];

		assert_int_equal(pixel(p, 0, 0), c->paper);
		assert_int_equal(pixel(p, p->width - 1, p->height - 1), c->paper);
		assert_int_equal(pixel(p, (int)view_x(s, v, 0.5), (int)view_y(s, v, 0.5)), c->tints[TINT_LIVING]);
		/* The middle of the bottom wall, of the corner, and of the wall between the rooms; not of the door in
		 * it. */
		assert_int_equal(pixel(p, (int)view_x(s, v, 2.5), (int)view_y(s, v, 4)), c->wall);
		assert_int_equal(pixel(p, (int)view_x(s, v, 0), (int)view_y(s, v, 0)), c->wall);
		assert_int_equal(pixel(p, (int)view_x(s, v, 5), (int)view_y(s, v, 3.4)), c->wall);
		assert_int_not_equal(pixel(p, (int)view_x(s, v, 5), (int)view_y(s, v, 1.6)), c->wall);
		/* Tolerates different smoothing of edges: the wall's colour covers the walls' area within a tenth. */
		for (int y = 0; y < p->height; y++)
			for (int x = 0; x < p->width; x++)
				wall += pixel(p, x, y) == c->wall;
		expected = 0;
		for (size_t i = 0; i < v->walls.pieces.n; i++) {
			const struct wall_piece *w = &v->walls.pieces.items[i];

			expected += lround((w->at.to - w->at.from) * s->scale * wall_pixels(s, w->weight));
		}
		if (labs(wall - expected) > expected / 10)
			fail_msg("%ld pixels of wall, %ld expected", wall, expected);
		desk_free(d);
	}
}

static void pictures_of_usual_plans_are_small(void **state)
{
	struct desk *d = desk_new(flat);
	struct drawing drawing;

	(void)state;
	assert_true(drawn(d, FORMAT_PNG, &drawing).len < 60000);
	desk_free(d);
}

static void svg_is_well_formed_and_its_text_is_text(void **state)
{
	struct desk *d = desk_new(flat);
	struct drawing drawing;
	struct error error = {0};
	struct xml *x =
		xml_parse(&d->arena, drawn(d, FORMAT_SVG, &drawing), &(struct xml_limits){16, 64, 1 << 20}, &error);
	size_t texts = 0, expected = 0;
	bool label = false, title = false;

	(void)state;
	if (!x)
		fail_msg("line %u: %s", error.line, error.message);
	assert_text(xml_name(x, x->root), "svg");
	for (uint32_t i = 0; i < x->n; i++) {
		if (x->nodes[i].type != XML_ELEMENT)
			continue;

		struct text name = xml_name(x, i);
		uint32_t inner = xml_first(x, i);
		struct text content = inner == XML_NONE ? (struct text){0} : xml_decoded(&d->arena, x, inner);

		texts += text_is(name, "text");
		label = label || (text_is(name, "text") && text_is(content, "K & <B>"));
		title = title || (text_is(name, "title") && text_starts(content, "Flat <1> & "));
	}
	desk_compose(d);
	for (size_t i = 0; i < d->sheet.list.marks.n; i++)
		expected += d->sheet.list.marks.items[i].type == MARK_TEXT;
	assert_int_equal(texts, expected);
	assert_true(label && title);
	desk_free(d);
}

static void svg_and_png_are_laid_out_alike(void **state)
{
	struct desk *d = desk_new(flat);
	struct drawing png, svg;

	(void)state;
	drawn(d, FORMAT_PNG, &png);
	drawn(d, FORMAT_SVG, &svg);
	assert_int_equal(png.width, svg.width);
	assert_int_equal(png.height, svg.height);
	assert_true(png.scale == svg.scale);
	desk_free(d);
}

static void cyrillic_and_hebrew_need_no_other_package(void **state)
{
	struct desk *d = desk_with(
		"floorplan\n floor A {\n room A at (0,0) size (9 x 9) " ALL_SOLID
		" label \"\xD0\x9A\xD1\x83\xD1\x85\xD0\xBD\xD1\x8F\"\n room B at (9,0) size (9 x 9) " ALL_SOLID
		" label \"\xD7\x97\xD7\x93\xD7\xA8 \xD7\xA9\xD7\x99\xD7\xA0\xD7\x94\"\n }");

	(void)state;
	assert_int_equal(d->call.warnings.n, 0);
	desk_free(d);
}

static void a_character_no_font_has_is_a_warning(void **state)
{
	struct desk *d = desk_with("floorplan\n floor A { room A at (0,0) size (9 x 9) " ALL_SOLID
				   " label \"Attic \xF0\x9F\x99\x82\" }");

	(void)state;
	assert_int_equal(d->call.warnings.n, 1);
	assert_non_null(strstr(d->call.warnings.items[0].at, "U+1F642"));
	desk_free(d);
}

/* With a CJK font the label is drawn; without one a warning names the package. Tests install a small one (deps.sh). */
static void chinese_is_drawn_where_a_font_is_installed(void **state)
{
	static const char *const fonts[] = {"/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
					    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"};
	struct desk *d = desk_with("floorplan\n floor A { room A at (0,0) size (9 x 9) " ALL_SOLID
				   " label \"\xE5\x8E\xA8\xE6\x88\xBF\" }");
	bool installed = !access(fonts[0], R_OK) || !access(fonts[1], R_OK);

	(void)state;
	assert_int_equal(d->call.warnings.n, !installed);
	if (!installed)
		assert_non_null(strstr(d->call.warnings.items[0].at, "fonts-noto-cjk"));
	desk_free(d);
}

static void *draw_once(void *out)
{
	struct desk *d = desk_new(flat);
	struct drawing drawing;
	struct text bytes = drawn(d, FORMAT_PNG, &drawing), *kept = out;

	*kept = (struct text){memcpy(malloc(bytes.len), bytes.at, bytes.len), bytes.len};
	desk_free(d);
	return NULL;
}

static void threads_may_share_the_fonts(void **state)
{
	pthread_t threads[4];
	struct text bytes[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, draw_once, &bytes[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 4; i++) {
		assert_true(text_same(bytes[i], bytes[0]));
		if (i)
			free((char *)bytes[i].at);
	}
	free((char *)bytes[0].at);
}

static void draw_all_formats(const char *name, const char *source)
{
	for (int format = FORMAT_PNG; format <= FORMAT_PDF; format++) {
		struct desk *d = desk_new(source);
		struct drawing drawing;

		d->options.all_floors = true;
		d->options.width = 600;
		if (!drawn(d, (enum draw_format)format, &drawing).len)
			fail_msg("%s: nothing drawn", name);
		desk_free(d);
	}
}

static void every_plan_of_the_data_is_drawn_in_every_format(void **state)
{
	(void)state;
	each_data_plan(draw_all_formats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_plan_gives_the_same_bytes),
		cmocka_unit_test(the_picture_has_walls_rooms_and_paper_where_they_belong),
		cmocka_unit_test(pictures_of_usual_plans_are_small),
		cmocka_unit_test(svg_is_well_formed_and_its_text_is_text),
		cmocka_unit_test(svg_and_png_are_laid_out_alike),
		cmocka_unit_test(cyrillic_and_hebrew_need_no_other_package),
		cmocka_unit_test(a_character_no_font_has_is_a_warning),
		cmocka_unit_test(chinese_is_drawn_where_a_font_is_installed),
		cmocka_unit_test(threads_may_share_the_fonts),
		cmocka_unit_test(every_plan_of_the_data_is_drawn_in_every_format),
	};

	return RUN_DESK_TESTS(tests);
}
