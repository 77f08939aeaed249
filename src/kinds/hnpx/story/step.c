#include "kinds/hnpx/story/step.h"
#include "kinds/hnpx/tree/reading.h"

static const struct field step_fields[] = {
	FIELD(struct step, id, TEXT, FIELD_REQUIRED, "Id"),
	FIELD(struct step, type, TEXT, FIELD_REQUIRED, "Level"),
	FIELD(struct step, title, TEXT, 0, "Chapter: title"),
	FIELD(struct step, location, TEXT, 0, "Sequence: where"),
	FIELD(struct step, time, TEXT, 0, "Sequence: when"),
	FIELD(struct step, pov, TEXT, 0, "Chapter or sequence: its own point of view"),
	FIELD(struct step, summary, TEXT, 0, "What belongs in it"),
	FIELDS_END,
};
const struct shape step_shape = SHAPE(struct step, "step", step_fields);

struct step step_of(struct arena *a, const struct book *b, uint32_t node)
{
	struct step s = {.id = book_id(a, b, node), .type = text_of(level_names[b->nodes[node].level])};

	s.summary = node_summary(a, b, node);
	if (b->nodes[node].level == LEVEL_CHAPTER)
		s.title = node_attribute(a, b, node, "title");
	if (b->nodes[node].level == LEVEL_SEQUENCE) {
		s.location = node_place_name(a, b, node);
		s.time = node_attribute(a, b, node, "time");
	}
	if (b->nodes[node].level == LEVEL_CHAPTER || b->nodes[node].level == LEVEL_SEQUENCE)
		s.pov = node_attribute(a, b, node, "pov");
	return s;
}

struct objects steps_above(struct arena *a, const struct book *b, uint32_t node)
{
	struct step *steps = arena_array(a, LEVELS, sizeof *steps);
	size_t n = b->nodes[node].level;

	for (size_t i = n; i-- > 0;) {
		node = b->nodes[node].parent;
		steps[i] = step_of(a, b, node);
	}
	return (struct objects){steps, n};
}

uint32_t sibling_behind(const struct book *b, uint32_t node)
{
	uint32_t parent = b->nodes[node].parent, next = b->nodes[node].after;

	return parent != BOOK_NONE && next < b->nodes[parent].after ? next : BOOK_NONE;
}

uint32_t above_at(const struct book *b, uint32_t node, int level)
{
	while (node != BOOK_NONE && b->nodes[node].level > level)
		node = b->nodes[node].parent;
	return node != BOOK_NONE && b->nodes[node].level == level ? node : BOOK_NONE;
}
