/* Finds a paragraph by a caller's name for it: an id, a bookmark, a paraId, or a label path such as Section 1.2(c). */
#include "kinds/docx/read/row.h"
#include "kinds/docx/session/session.h"
#include "kinds/docx/style/numbering.h"

#include <string.h>
#include <strings.h>

/* "Section 1.2(c)", "§ 1.2 (c)." and "1.2(c)" are the same path: 1.2(c). */
struct text label_path(struct arena *a, struct text t)
{
	static const char *const words[] = {"section", "article", "clause", "paragraph", "§"};
	struct buffer b = {.arena = a};

	t = text_trim(t);
	for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
		size_t n = strlen(words[i]);
		if (t.len > n && !strncasecmp(t.at, words[i], n)) {
			t = text_slice(t, n, t.len);
			break;
		}
	}
	for (size_t i = 0; i < t.len; i++) {
		bool is_hard_space = t.at[i] == '\xC2' && i + 1 < t.len && t.at[i + 1] == '\xA0';
		i += is_hard_space;
		if (!is_hard_space && t.at[i] != ' ' && t.at[i] != '\t')
			buffer_byte(&b, (char)(t.at[i] >= 'A' && t.at[i] <= 'Z' ? t.at[i] + 32 : t.at[i]));
	}
	while (b.len && b.at[b.len - 1] == '.')
		b.len--;
	return buffer_text(&b);
}

/* Does the level's text contain a level above it? Then its label is the whole path. */
static bool has_context(const struct list_item *item)
{
	struct text t = item->definition->text;

	for (size_t i = 0; i + 1 < t.len; i++)
		if (t.at[i] == '%' && t.at[i + 1] >= '1' && t.at[i + 1] < '1' + item->level)
			return true;
	return false;
}

/* The labels that are open at a paragraph, outermost first. */
struct path {
	struct buffer levels[LEVELS];
};

/* Moves to a label of that level. A label without context is below the label of the level above. */
static struct text path_step(struct path *at, int level, struct text label, bool is_whole)
{
	struct buffer *own = &at->levels[level];

	own->len = 0;
	for (int i = level; i-- > 0 && !is_whole;) {
		if (!at->levels[i].len)
			continue;
		buffer_add(own, buffer_text(&at->levels[i]));
		break;
	}
	buffer_add(own, label);
	for (int i = level + 1; i < LEVELS; i++)
		at->levels[i].len = 0;
	return buffer_text(own);
}

/* 1.2 is a whole path; (a) is below it, (i) below (a), (1) below (i). A single (i), (v) or (x) is a letter only if the
 * previous label is the letter before it. */
static int typed_level(enum label_type type, struct text label, char *letter)
{
	char c = label.len > 1 ? label.at[1] : 0;

	if (label.at[0] != '(')
		return 0;
	if (type == LABEL_LETTER && label.len == 3 && strchr("ivx", c) && *letter && *letter != c - 1)
		type = LABEL_ROMAN;
	if (type == LABEL_LETTER)
		*letter = c;
	return type == LABEL_LETTER ? 1 : type == LABEL_ROMAN ? 2 : 3;
}

/* Is the paragraph part of a field that spans paragraphs? A table of contents repeats the numbers of other
 * paragraphs. */
static bool is_listed(const struct story *s, uint32_t p)
{
	uint32_t next = story_next(s, p);

	return s->paragraphs.items[p].fields.depth || (next != STORY_NONE && s->paragraphs.items[next].fields.depth);
}

void session_labels(struct call *c, struct session *s, void (*each)(void *to, struct text path, uint32_t p), void *to)
{
	struct counters *k = counters_new(c->arena, s->numbering);
	scoped(arena_free) struct arena scratch = {0};
	struct arena *own = c->arena;
	struct path at = {0};
	char letter = 0;

	for (int i = 0; i < LEVELS; i++)
		at.levels[i].arena = own;
	for (uint32_t p = story_next(s->body, STORY_NONE); p != STORY_NONE; p = story_next(s->body, p)) {
		struct list_item item;
		enum label_type type;
		struct text label = {0};
		bool is_item = counters_step(k, s->body, p, &item);
		arena_reset(&scratch);
		if (is_item && item.definition->format != FORMAT_BULLET)
			label = counters_label(&scratch, k, &item);
		bool is_typed =
			!label.len && s->body->paragraphs.items[p].flags & PARAGRAPH_HAS_TEXT && !is_listed(s->body, p);
		if (is_typed) {
			c->arena = &scratch;
			is_typed = typed_label(story_text(c, s->body, p), &label, &type);
			c->arena = own;
		}
		struct text step = label.len ? label_path(&scratch, label) : label;
		if (!step.len)
			continue;
		int level = is_typed ? typed_level(type, label, &letter) : item.level;
		if (!level)
			letter = 0;
		each(to, path_step(&at, level, step, is_typed ? !level : has_context(&item)), p);
	}
}

struct wanted {
	struct text path;
	uint32_t paragraph, last; /* the first that has the path, the first that ends in it */
	size_t hits, last_hits;
};

static void compare(void *to, struct text path, uint32_t p)
{
	struct wanted *w = to;

	if (text_same(path, w->path) && !w->hits++)
		w->paragraph = p;
	/* "(c)" alone names a paragraph if no other paragraph has this label. */
	bool is_last = w->path.at[0] == '(' && path.len > w->path.len &&
		       !memcmp(path.at + path.len - w->path.len, w->path.at, w->path.len);
	if (is_last && !w->last_hits++)
		w->last = p;
}

static uint32_t by_label(struct call *c, struct session *s, struct text name, size_t *hits)
{
	struct wanted w = {label_path(c->arena, name), STORY_NONE, STORY_NONE, 0, 0};

	if (w.path.len)
		session_labels(c, s, compare, &w);
	*hits = w.hits ? w.hits : w.last_hits;
	return w.hits ? w.paragraph : w.last;
}

bool session_anchor(struct call *c, struct session *s, struct text name, struct story **story, uint32_t *paragraph)
{
	size_t hits;

	*story = s->body;
	if ((*paragraph = story_find(c, s->body, name)) != STORY_NONE)
		return true;
	if (!session_stories(c, s))
		return false;
	for (size_t i = 0; i < s->stories_n; i++) {
		*story = s->stories[i];
		if ((*paragraph = story_find(c, s->stories[i], name)) != STORY_NONE)
			return true;
	}
	*story = s->body;
	*paragraph = by_label(c, s, name, &hits);
	if (hits == 1)
		return true;
	if (hits > 1)
		return fail_as(
			c, "ANCHOR_NOT_FOUND",
			"%zu paragraphs have the label %s; name one by its whole path, such as 1.2(c), or by its id, "
			"which read_file and `grep` show",
			hits, shown(c, name));
	return fail_as(c, "ANCHOR_NOT_FOUND",
		       "no paragraph has the id, bookmark or label %s; read_file and `grep` show the ids there are",
		       shown(c, name));
}
