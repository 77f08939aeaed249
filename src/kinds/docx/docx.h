/* docx.h: the kind's tables of tools, one per room or file. kind.c lists them. */
#ifndef QUIRE_KINDS_DOCX_DOCX_H
#define QUIRE_KINDS_DOCX_DOCX_H
#include "tool/kind.h"

extern const struct tool docx_read_tools[];      /* read/read_file.c */
extern const struct tool docx_grep_tools[];      /* read/grep.c */
extern const struct tool docx_outline_tools[];   /* read/outline.c */
extern const struct tool docx_check_tools[];     /* read/check.c */
extern const struct tool docx_text_tools[];      /* edit/tools.c */
extern const struct tool docx_layout_tools[];    /* edit/layout_tools.c */
extern const struct tool docx_numbering_tools[]; /* edit/numbering_tool.c */
extern const struct tool docx_plan_tools[];      /* edit/plan.c */
extern const struct tool docx_track_tools[];     /* track/tools.c */
extern const struct tool docx_compare_tools[];   /* track/compare_tool.c */
extern const struct tool docx_comment_tools[];   /* annotate/comments.c */
extern const struct tool docx_footnote_tools[];  /* annotate/footnotes.c */
extern const struct tool docx_session_tools[];   /* session/tools.c */
extern const struct tool docx_save_tools[];      /* session/save.c */

#endif
