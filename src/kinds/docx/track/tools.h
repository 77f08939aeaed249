/* tools.h: the edits of this room that a draft can contain. */
#ifndef QUIRE_KINDS_DOCX_TRACK_TOOLS_H
#define QUIRE_KINDS_DOCX_TRACK_TOOLS_H
#include "kinds/docx/session/session.h"

extern const struct edit docx_accept_edit, docx_reject_edit;

#endif
