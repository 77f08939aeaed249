/* Chooses the part of a plan to draw. Refuses options that contradict each other, and says what to do instead. */
#include "kinds/floorplan/draw/sheet.h"

enum { NAMES_MAX = 12 }; /* names listed in an error */

static bool refuse(struct call *c, const char *where)
{
	c->error.where = where;
	return false;
}

static int floor_named(const struct plan *p, struct text name)
{
	for (size_t i = 0; i < p->floors.n; i++)
		if (text_same(p->floors.items[i].name, name))
			return (int)i;
	return -1;
}

/* The rooms of this name: the first, and how many floors have one. */
static int room_named(const struct plan *p, struct text name, int floor, int *floors)
{
	int found = -1, last = -1;

	*floors = 0;
	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];

		if (!r->placed || (floor >= 0 && r->floor != floor) || !text_same(r->name, name))
			continue;
		if (found < 0)
			found = (int)i;
		*floors += r->floor != last;
		last = r->floor;
	}
	return found;
}

/* "Floor.Room" for each room that `name` may mean, or for all rooms when it means none. */
static const char *choices(struct call *c, const struct plan *p, struct text name, bool all)
{
	struct buffer b = {.arena = c->arena};
	int n = 0;

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];

		if (!r->placed || (!all && !text_same(r->name, name)))
			continue;
		if (n++ < NAMES_MAX)
			buffer_format(&b, "%s%.*s.%.*s", n > 1 ? ", " : "", TEXT_ARGS(p->floors.items[r->floor].name),
				      TEXT_ARGS(r->name));
	}
	if (n > NAMES_MAX)
		buffer_format(&b, " and %d more", n - NAMES_MAX);
	return n ? buffer_text(&b).at : "no room at all";
}

static bool crop_find(struct call *c, const struct plan *p, struct draw_options *o, int *room)
{
	size_t dot = text_find(o->crop, TEXT("."), 0);
	int floor = dot < o->crop.len ? floor_named(p, text_slice(o->crop, 0, dot)) : -1, floors;
	struct text name = floor >= 0 ? text_slice(o->crop, dot + 1, o->crop.len) : o->crop;
	int found = room_named(p, name, floor < 0 && o->floor_given ? o->floor : floor, &floors);

	if (found < 0 && floor < 0)
		floor = floor_named(p, o->crop);
	if (floor >= 0 && o->floor_given && floor != o->floor) {
		fail(c, FAULT_ARGUMENT, "crop is on floor %s, but floor %s was asked for; leave out one of the two",
		     shown(c, p->floors.items[floor].name), shown(c, p->floors.items[o->floor].name));
		return refuse(c, "/crop");
	}
	if (found >= 0 && floors > 1) {
		fail(c, FAULT_ARGUMENT, "crop: %s is on several floors; name one of %s", shown(c, name),
		     choices(c, p, name, false));
		return refuse(c, "/crop");
	}
	if (found >= 0) {
		*room = found;
		o->floor = p->rooms.items[found].floor;
		return true;
	}
	if (floor >= 0 && name.len == o->crop.len) {
		o->floor = floor;
		return true;
	}
	fail(c, FAULT_ARGUMENT, "crop: there is no room or floor %s; the rooms are %s", shown(c, o->crop),
	     choices(c, p, name, true));
	return refuse(c, "/crop");
}

static bool paper_check(struct call *c, const struct draw_options *o)
{
	if (o->date.at && !o->sheet_set) {
		fail(c, FAULT_ARGUMENT, "date is for the title block of a sheet_set; leave date out, or add sheet_set");
		return refuse(c, "/date");
	}
	if (o->format == FORMAT_PDF)
		return true;
	if (o->sheet_set) {
		fail(c, FAULT_ARGUMENT,
		     "a sheet_set is pages of paper, so its format is pdf, not %s; leave sheet_set out "
		     "or write a .pdf",
		     word_of(SET_FORMAT, (int)o->format));
		return refuse(c, "/sheet_set");
	}
	if (o->paper >= 0) {
		fail(c, FAULT_ARGUMENT, "paper is for pdf; for %s give width and height in pixels",
		     word_of(SET_FORMAT, (int)o->format));
		return refuse(c, "/paper");
	}
	if (o->page_scale) {
		fail(c, FAULT_ARGUMENT, "pageScale is for pdf; for %s give width and height in pixels",
		     word_of(SET_FORMAT, (int)o->format));
		return refuse(c, "/pageScale");
	}
	return true;
}

bool options_check(struct call *c, const struct plan *p, struct draw_options *o, int *crop_room)
{
	int floors = (int)p->floors.n;
	double unused;

	if (o->width < DRAW_SIDE_MIN || o->width > DRAW_SIDE_MAX || o->height < DRAW_SIDE_MIN ||
	    o->height > DRAW_SIDE_MAX)
		return fail(c, FAULT_ARGUMENT, "width and height must be %d to %d pixels, not %d and %d", DRAW_SIDE_MIN,
			    DRAW_SIDE_MAX, o->width, o->height);
	if (!o->all_floors && floors && (o->floor < 0 || o->floor >= floors))
		return fail(c, FAULT_ARGUMENT, "there is no floor %d; this plan has the floors 0 to %d", o->floor,
			    floors - 1);
	if (o->north.at && !north_read(o->north, &unused)) {
		fail(c, FAULT_ARGUMENT,
		     "north is %s; write top, right, bottom, left, or degrees clockwise from the top "
		     "such as 30",
		     shown(c, o->north));
		return refuse(c, "/north");
	}
	if (o->zoom_given && !(o->zoom >= DRAW_ZOOM_MIN && o->zoom <= DRAW_ZOOM_MAX)) {
		fail(c, FAULT_ARGUMENT, "zoom must be %g to %d, not %g; 1 shows all, 2 half the width and height",
		     DRAW_ZOOM_MIN, DRAW_ZOOM_MAX, o->zoom);
		return refuse(c, "/zoom");
	}
	if (!paper_check(c, o))
		return false;
	if ((o->crop.at || o->zoom_given) && o->sheet_set) {
		fail(c, FAULT_ARGUMENT, "a sheet_set shows whole floors; leave out %s, or sheet_set",
		     o->crop.at ? "crop" : "zoom");
		return refuse(c, o->crop.at ? "/crop" : "/zoom");
	}
	if ((o->crop.at || o->zoom_given) && o->all_floors) {
		fail(c, FAULT_ARGUMENT, "%s shows a part of one floor; leave out renderAllFloors, or %s",
		     o->crop.at ? "crop" : "zoom", o->crop.at ? "crop" : "zoom");
		return refuse(c, o->crop.at ? "/crop" : "/zoom");
	}
	return !o->crop.at || crop_find(c, p, o, crop_room);
}
