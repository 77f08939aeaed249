/* room.h: shared by the rules of the critic.
 *
 * The wall graph of each floor, the ways between rooms, and the use of each room. Rooms are numbered as in the plan.
 * One more room, `outside`, is the open air. */
#ifndef QUIRE_KINDS_FLOORPLAN_CRITIC_ROOM_H
#define QUIRE_KINDS_FLOORPLAN_CRITIC_ROOM_H
#include "kinds/floorplan/critic/critic.h"
#include "kinds/floorplan/plan/wall_graph.h"
#include "kinds/floorplan/plan/locate.h"
#include "kinds/floorplan/plan/room_use.h"

/* Ways. */

enum way_kind { WAY_DOOR, WAY_GAP, WAY_OPEN_SIDE, WAY_STAIR, WAY_LIFT };

struct way {
	enum way_kind kind;
	int ends[2]; /* rooms, or outside */
	int floor;
	int opening; /* of the floor's wall graph; -1: none */
	struct point at;
	double width;
	double climb; /* additional length of the way: that of a stair */
};

struct ways {
	ARRAY(struct way) list;
	int outside; /* its number as a room */
	int *first;  /* by room: a link, -1: none. Link 2*w+e is end e of way w */
	int *next;   /* by link */
	int **of;    /* by floor and opening: the way through it, -1: none */
};

struct critic {
	struct arena *arena;
	const struct plan *plan;
	const struct critic_limits *limits;
	struct wall_graph *walls; /* by floor */
	struct locator *locators; /* by floor */
	enum room_use *uses;      /* by room */
	unsigned *said;           /* by room: one bit for each use that its words name */
	struct ways ways;
	bool has_doors; /* there is any door, gap or open side */
	struct findings *out;
};

void ways_make(struct critic *k);

/* The distance of each way along the ways, from all ways whose `start` is finite. Lifts are used only with
 * `by_lift`. */
double *ways_distances(const struct critic *k, const double *start, bool by_lift);
double point_distance(struct point a, struct point b);

/* Findings. */

/* Returns NULL once FINDINGS_MAX is reached. The message is a sentence, `from` an offset in the source. */
struct finding *find(struct critic *k, enum critic_rule rule, enum severity severity, uint32_t from, int floor,
		     const char *format, ...) __attribute__((format(printf, 6, 7)));
void finding_at(struct finding *f, double x, double y);
void finding_names(struct critic *k, struct finding *f, struct text a, struct text b); /* b absent: one */
void finding_try(struct finding *f, const struct json *operation);                     /* adds a candidate */

/* "0.62 m": a length of the plan in its own unit, for messages. */
const char *length_shown(const struct critic *k, double length);
const char *name_shown(const struct critic *k, struct text name);
double metres(const struct critic *k, double plan_units);
uint32_t room_from(const struct critic *k, int room);
uint32_t statement_from(const struct critic *k, uint32_t statement);
bool is_habitable(enum room_use use);
bool room_serves(const struct critic *k, int room, enum room_use use); /* judged by all words of its name */

/* Operations of modify_floorplan. */
const struct json *try_connection(const struct critic *k, int connection, const char *key, const struct json *value);
const struct json *try_walls(const struct critic *k, int room, enum side side, enum wall_type type);
const struct json *try_add_connection(const struct critic *k, int from, int to);

/* The rules. */

void judge_swings(struct critic *k);
void judge_widths(struct critic *k);
void judge_light(struct critic *k);
void judge_rooms(struct critic *k);
void judge_access(struct critic *k);
void judge_distances(struct critic *k);
void judge_stairs(struct critic *k);

#endif
