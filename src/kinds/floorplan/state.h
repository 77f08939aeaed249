/* state.h: the state of the kind while it is served: c->state of its calls. */
#ifndef QUIRE_KINDS_FLOORPLAN_STATE_H
#define QUIRE_KINDS_FLOORPLAN_STATE_H
#include "base/call.h"
#include "kinds/floorplan/critic/critic.h"

struct lettering;

struct floorplan_state {
	struct lettering *lettering; /* fonts stay loaded between calls */
	struct critic_limits limits; /* from the configuration */
};

static inline const struct floorplan_state *state_of(const struct call *c) { return c->state; }

#endif
