/* look: draws many plans into one picture, to check after a change to the drawing.
 *
 *	look OUT.png COLUMNS WIDTH HEIGHT [-all] [-plain] [-theme N] FILE...
 *
 * Each plan gets a cell of WIDTH x HEIGHT pixels with its file name below. */
#include "kinds/floorplan/draw/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPTION = 22, PLAN_MAX = 1 << 22 };

static struct text file_read(struct arena *a, const char *path)
{
	FILE *f = fopen(path, "rb");
	char *bytes = arena_alloc(a, PLAN_MAX);
	size_t n;

	if (!f) {
		perror(path);
		exit(1);
	}
	n = fread(bytes, 1, PLAN_MAX, f);
	fclose(f);
	return (struct text){bytes, n};
}

static void append(struct display_list *to, const struct display_list *from, double dx, double dy)
{
	path_frame(to, (struct frame){dx, dy, dx + from->width, dy + from->height});
	path_paint(to, LAYER_SHEET, from->paper, (struct pen){.colour = 0xC8CACE, .width = 1});
	for (size_t i = 0; i < from->marks.n; i++) {
		struct mark m = from->marks.items[i];
		size_t first = to->steps.n;

		for (size_t k = 0; m.type == MARK_PATH && k < m.n; k++) {
			struct step *s = ARRAY_PUSH(to->arena, &to->steps);

			*s = from->steps.items[m.first + k];
			s->x += dx;
			s->y += dy;
		}
		m.first = first;
		m.x += dx;
		m.y += dy;
		*ARRAY_PUSH(to->arena, &to->marks) = m;
	}
	to->open = to->steps.n;
}

int main(int argc, char **argv)
{
	struct arena arena = {0};
	struct call call = {.arena = &arena};
	struct draw_options o = DRAW_DEFAULTS;
	struct display_list all = {.arena = &arena, .paper = 0xE4E6EA, .subject = -1};
	struct hand hand = {0};
	struct canvas *canvas;
	int columns = argc > 5 ? atoi(argv[2]) : 0, first = 5, n = 0;
	struct text bytes;
	FILE *out;

	if (columns < 1) {
		fputs("usage: look OUT.png COLUMNS WIDTH HEIGHT [-all] [-plain] [-theme N] FILE...\n", stderr);
		return 2;
	}
	o.width = atoi(argv[3]);
	o.height = atoi(argv[4]);
	o.show_area = true;
	o.show_dimensions = 1;
	o.lettering = lettering_new();
	for (; first < argc && argv[first][0] == '-'; first++) {
		if (!strcmp(argv[first], "-all"))
			o.all_floors = true;
		else if (!strcmp(argv[first], "-plain"))
			o.show_area = false, o.show_dimensions = 0;
		else if (!strcmp(argv[first], "-theme") && first + 1 < argc)
			o.theme = atoi(argv[++first]);
	}
	for (int i = first; i < argc; i++) {
		const char *name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
		const struct plan *plan = plan_read(&arena, file_read(&arena, argv[i]));
		double x = n % columns * (o.width + 8) + 8, y = floor(n / columns) * (o.height + 8 + CAPTION) + 8;
		struct sheet s;

		if (!plan_is_valid(plan) || !sheet_compose(&call, plan, &o, &s)) {
			fprintf(stderr, "%s: %s\n", name, call.error.message ? call.error.message : "not a valid plan");
			continue;
		}
		/* The last hand with wide letters has every font that any plan needs. */
		if (!hand.lettering || s.hand.wide)
			hand = s.hand;
		hand.family = FAMILY_SANS;
		append(&all, &s.list, x, y);
		text_paint(&all, LAYER_SHEET, text_of(name), x + 4, y + o.height + 14,
			   (struct lettering_style){FACE_PLAIN, 11, 0x40434A}, ANCHOR_START, false, 0);
		n++;
	}
	if (!n)
		return 1;
	all.width = columns * (o.width + 8) + 8;
	all.height = (n + columns - 1) / columns * (o.height + 8 + CAPTION) + 8;
	canvas = canvas_png(&call, &hand);
	display_list_replay(&all, canvas);
	bytes = canvas->finish(canvas);
	out = fopen(argv[1], "wb");
	if (!out || fwrite(bytes.at, 1, bytes.len, out) != bytes.len || fclose(out)) {
		perror(argv[1]);
		return 1;
	}
	printf("%s: %d plans, %.0f x %.0f\n", argv[1], n, all.width, all.height);
	lettering_free(o.lettering);
	arena_free(&arena);
	return 0;
}
