/* critic.h: judges how a building after a valid plan could be lived in.
 *
 *	critic_limits_default(&limits);
 *	critic_read(arena, plan, &limits, &findings);      the plan must be valid
 *
 * Checks judge the text; the critic judges the building. Each rule and each limit is a row of critic.def. The use of a
 * room is guessed from its name (plan/room_use.h). If the name does not show a use, rules about uses do not apply. A
 * sketch without any door gets one finding about that, and rules about ways do not apply. */
#ifndef QUIRE_KINDS_FLOORPLAN_CRITIC_H
#define QUIRE_KINDS_FLOORPLAN_CRITIC_H
#include "kinds/floorplan/plan/plan.h"

struct critic_limits {
#define LIMIT(member, otherwise, prose) double member;
#include "kinds/floorplan/critic/critic.def"
};

enum critic_rule {
#define RULE(id, name, source) RULE_##id,
#include "kinds/floorplan/critic/critic.def"
	RULES
};

struct rule_row {
	const char *name, *source;
};
extern const struct rule_row rule_rows[RULES];

enum { FIXES_A_FINDING = 4 };

struct finding {
	enum critic_rule rule;
	enum severity severity;
	const char *message;
	uint32_t from;       /* offset in the source of the statement it is about */
	int floor;           /* -1: the whole plan */
	bool placed;         /* `at` is known */
	struct point at;     /* in the floor's frame */
	struct texts rooms;  /* rooms and stairs it is about */
	struct text subject; /* identifies it among the findings of its rule, even after an edit elsewhere */
	const struct json *candidates[FIXES_A_FINDING]; /* operations worth trying; NULL after the last */
};

struct findings {
	struct finding *items;
	size_t n, cap;
};

/* More findings are not useful to any reader. */
enum { FINDINGS_MAX = 2000 };

void critic_limits_default(struct critic_limits *out);

/* Sorts the findings by severity, most severe first, then by place in the text. */
void critic_read(struct arena *a, const struct plan *p, const struct critic_limits *limits, struct findings *out);

#endif
