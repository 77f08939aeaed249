/* kind.h: floor plans, as a kind of document. */
#ifndef QUIRE_KINDS_FLOORPLAN_KIND_H
#define QUIRE_KINDS_FLOORPLAN_KIND_H
#include "tool/kind.h"

enum { PLAN_MAX = 1024 * 1024 }; /* bytes of a plan, some 6,000 rooms; the largest public one has 20 kB */

extern const struct kind kind_floorplan;
extern const struct tool describe_tools[], read_tools[], create_tools[];
extern const struct tool validate_tools[], render_tools[], modify_tools[], analyze_tools[], critique_tools[];

bool schema_read(struct call *c, const struct text *values);
void schema_write(struct buffer *to);       /* floorplan://schema, Markdown made from the tables */
extern const char *const schema_sections[]; /* its sections, NULL-terminated; the last one is the whole page */
void schema_write_section(struct buffer *to, int section);

extern const struct prompt floorplan_prompts[];
extern const struct command floorplan_commands[]; /* quire floorplan VERB */

#endif
