/* Finding a paragraph by what a caller calls it: an id, a bookmark, a paraId, or a label path such as Section 1.2(c).
 */
#include "kinds/docx/session/session.h"
#include "kinds/docx/style/numbering.h"

#include <string.h>
#include <strings.h>

/* "Section 1.2(c)", "§ 1.2 (c)." and "1.2(c)" are one path: 1.2(c). */
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
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] != ' ' && t.at[i] != '\t')
			buffer_byte(&b, (char)(t.at[i] >= 'A' && t.at[i] <= 'Z' ? t.at[i] + 32 : t.at[i]));
	while (b.len && b.at[b.len - 1] == '.')
		b.len--;
	return buffer_text(&b);
}

/* Does the level's text name a level above it? Then its label says the whole path. */
static bool has_context(const struct list_item *item)
{
	struct text t = item->definition->text;

	for (size_t i = 0; i + 1 < t.len; i++)
		if (t.at[i] == '%' && t.at[i + 1] >= '1' && t.at[i + 1] < '1' + item->level)
			return true;
	return false;
}

void session_labels(struct call *c, struct session *s, void (*each)(void *to, struct text path, uint32_t p), void *to)
{
	struct counters *k = counters_new(c->arena, s->numbering);
	struct text paths[LEVELS] = {0};

	for (uint32_t p = story_next(s->body, STORY_NONE); p != STORY_NONE; p = story_next(s->body, p)) {
		struct list_item item;
		if (!counters_step(k, s->body, p, &item) || item.definition->format == FORMAT_BULLET)
			continue;
		struct text label = label_path(c->arena, counters_label(c->arena, k, &item)), above = {0};
		if (!label.len)
			continue;
		for (int i = 0; i < item.level && !has_context(&item); i++)
			if (paths[i].at)
				above = paths[i];
		paths[item.level] =
			above.at ? text_format(c->arena, "%.*s%.*s", TEXT_ARGS(above), TEXT_ARGS(label)) : label;
		for (int i = item.level + 1; i < LEVELS; i++)
			paths[i] = (struct text){0};
		each(to, paths[item.level], p);
	}
}

struct wanted {
	struct text path;
	uint32_t paragraph;
	size_t hits;
};

static void compare(void *to, struct text path, uint32_t p)
{
	struct wanted *w = to;

	if (text_same(path, w->path) && !w->hits++)
		w->paragraph = p;
}

static uint32_t by_label(struct call *c, struct session *s, struct text name, size_t *hits)
{
	struct wanted w = {label_path(c->arena, name), STORY_NONE, 0};

	if (w.path.len)
		session_labels(c, s, compare, &w);
	*hits = w.hits;
	return w.paragraph;
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
		return fail_as(c, "ANCHOR_NOT_FOUND",
			       "%zu paragraphs have the label %s; name one by its id, which read_file and `grep` show",
			       hits, shown(c, name));
	return fail_as(c, "ANCHOR_NOT_FOUND",
		       "no paragraph has the id, bookmark or label %s; read_file and `grep` show the ids there are",
		       shown(c, name));
}
