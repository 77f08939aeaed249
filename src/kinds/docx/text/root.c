#include "kinds/docx/text/root.h"
#include "kinds/docx/text/fragment.h"

struct text root_with_child(struct arena *a, struct text bytes, struct text more)
{
	struct text root = fragment_root(bytes);
	size_t from = (size_t)(root.at - bytes.at), end = from + root.len;
	struct buffer out = {.arena = a};

	if (bytes.at[end - 2] == '/') { /* <root/> */
		size_t name = from + 1, stop;
		for (stop = name; stop < end && bytes.at[stop] != ' ' && bytes.at[stop] != '/'; stop++)
			;
		buffer_add(&out, text_slice(bytes, 0, end - 2));
		buffer_byte(&out, '>');
		buffer_add(&out, more);
		buffer_format(&out, "</%.*s>", TEXT_ARGS(text_slice(bytes, name, stop)));
	} else {
		size_t tag = end;
		while (bytes.at[tag - 1] != '<')
			tag--;
		buffer_add(&out, text_slice(bytes, 0, tag - 1));
		buffer_add(&out, more);
		buffer_add(&out, text_slice(bytes, tag - 1, end));
	}
	buffer_add(&out, text_slice(bytes, end, bytes.len));
	return buffer_text(&out);
}

struct text root_prefix(struct text bytes)
{
	struct text root = fragment_root(bytes);

	for (size_t i = 1; i < root.len && root.at[i] != ' ' && root.at[i] != '>' && root.at[i] != '/'; i++)
		if (root.at[i] == ':')
			return text_slice(root, 1, i + 1);
	return TEXT("");
}
