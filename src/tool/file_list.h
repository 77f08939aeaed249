/* file_list.h: the handler of file_list; its row is with the other file tools. */
#ifndef QUIRE_TOOL_FILE_LIST_H
#define QUIRE_TOOL_FILE_LIST_H
#include "tool/kind.h"

struct file_list_args {
	struct text kind, folder, pattern, after;
	int64_t limit;
};
struct file_listed {
	struct text path, kind, modified, revision;
	int64_t size;
};
struct file_list_answer {
	struct objects files;
	int64_t total;
	struct text next;
};
extern const struct field file_list_in[], file_list_out[];
bool file_list(struct call *c, const void *in, void *out);

#endif
