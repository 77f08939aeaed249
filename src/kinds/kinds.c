/* kinds.c: the list of kinds. To add a kind, add a folder and a line here. */
#include "tool/kind.h"

extern const struct kind kind_hnpx;
extern const struct kind kind_floorplan;
extern const struct kind kind_docx;
extern const struct kind kind_notes;
extern const struct kind kind_docjl;

const struct kind *const kinds[] = {
	&kind_hnpx,
	&kind_floorplan,
	&kind_docx,
	&kind_notes,
	&kind_docjl,
	NULL,
};
