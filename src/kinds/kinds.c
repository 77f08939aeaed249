/* kinds.c: the one list of kinds. Adding a kind is a folder and a line here. */
#include "tool/kind.h"

const struct kind *const kinds[] = {
	NULL,
};
