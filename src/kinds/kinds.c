/* kinds.c: the one list of kinds. Adding a kind is a folder and a line here. */
#include "tool/kind.h"

extern const struct kind kind_hnpx;
extern const struct kind kind_floorplan;

const struct kind *const kinds[] = {
	&kind_hnpx,
	&kind_floorplan,
	NULL,
};
