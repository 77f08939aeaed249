/* reading.h: a plan while it is resolved.
 *
 * plan_read() runs the steps below in order. Each fills its part of the plan and reports the errors of that part. A
 * later step uses the parts of earlier steps. It reports no error for parts that an earlier step left empty (`placed`,
 * -1), because that error is already reported. */
#ifndef QUIRE_KINDS_FLOORPLAN_READING_H
#define QUIRE_KINDS_FLOORPLAN_READING_H
#include "base/map.h"
#include "kinds/floorplan/plan/plan.h"
#include "kinds/floorplan/language/syntax.h"

/* Something that has a place on a floor: a room, stair or lift. */
enum node_kind { NODE_ROOM, NODE_STAIR, NODE_LIFT };

struct reading {
	struct arena *arena;
	struct plan *plan;
	const struct syntax *syntax;
	struct report report;
	const struct pair *config[COUNT_CONFIG_KEY]; /* as given in the plan; NULL: not given */
	int *index;                                  /* by statement: the floor's or room's place in the plan */
	struct map styles, defines, floors;          /* name to index */
	struct map rooms;                            /* name to the first room of that name on any floor */
	uint8_t *outside;                            /* by room: 1 + the side that leads outside, 0: not computed yet */
	int *next_same;                              /* the next room of the same name, by room */
	struct map *floor_elements;                  /* by floor: name of a stair or lift to index * 2 + is_lift */
};

/* Reads settings: unit, config, styles, defines, head. */
void read_settings(struct reading *r);
/* Reads rooms, stairs and lifts with their sizes, then finds their places. */
void read_rooms(struct reading *r);
void read_places(struct reading *r);
void read_connections(struct reading *r);
void read_verticals(struct reading *r);

void check_rooms(struct reading *r);
void check_connections(struct reading *r);
void check_stairs(struct reading *r);
void check_access(struct reading *r);

/* A length in plan units. */
double in_plan(const struct reading *r, const struct length *l);
double inches(const struct reading *r, double n);

const struct statement *statement_of(const struct reading *r, uint32_t number);

/* For messages: at most three decimals, without trailing zeros. */
const char *figure(struct arena *a, double n);
const char *shown_name(struct reading *r, struct text name);

/* " ; did you mean X?" or "": the nearest of the names on that floor. */
const char *nearest_room(struct reading *r, int floor, struct text name);

/* Calls `meet` for every two boxes of one group that overlap by more than 0.01 on both axes, until it returns false. */
struct swept {
	struct box box;
	int group, index;
};
void sweep(struct arena *a, struct swept *items, size_t n, bool (*meet)(void *, int first, int second), void *to);

/* The wall that two boxes share, within tolerance. */
struct shared {
	bool vertical;
	double line, low, high;
	enum side side; /* of the first box */
};
bool boxes_share(const struct plan *p, const struct box *a, const struct box *b, int side, struct shared *out);
double share_tolerance(const struct plan *p, const struct box *a, const struct box *b);
enum side opposite(enum side s);
int room_on(const struct reading *r, struct text name, int floor); /* -1: none of that name */
bool is_ancestor(const struct plan *p, int above, int below);

/* Computes the geometry of a stair whose other members are filled: splits it into parts around (0,0) and sets the box's
 * size. */
void stair_build(struct arena *a, struct plan_stair *s, const struct stair_syntax *syntax, const struct reading *r);
void stair_move(struct plan_stair *s, double x, double y);

/* Adds an operation for modify_floorplan that may solve the problem; fixes_offer() tries it later (edit/fix.h). */
void suggest_walls(struct reading *r, struct problem *p, int room, enum side side, enum wall_type type);
void suggest_move(struct reading *r, struct problem *p, int room, double x, double y);
void suggest_size(struct reading *r, struct problem *p, int room, double width, double height);
/* For a connection: another place (percent), another size, another room to open into, other ends, or its removal. Each
 * end is given as text: "Hall.left"; absent: as it is. */
void suggest_percent(struct reading *r, struct problem *p, const struct plan_connection *k, double percent);
void suggest_opening(struct reading *r, struct problem *p, const struct plan_connection *k, double width,
		     double height);
void suggest_into(struct reading *r, struct problem *p, const struct plan_connection *k, struct text room);
void suggest_ends(struct reading *r, struct problem *p, const struct plan_connection *k, struct text from,
		  struct text to);
/* A new door between two rooms. */
void suggest_door(struct reading *r, struct problem *p, int from, int to);
void suggest_removal(struct reading *r, struct problem *p, const struct plan_connection *k);

#endif
