/* answer.c: notes as they are returned. */
#include "base/utf8.h"
#include "kinds/notes/edit/kept.h"
#include "kinds/notes/graph/resolve.h"
#include "base/array.h"
#include "kinds/notes/note/hidden.h"
#include "kinds/notes/notes.h"

#include <math.h>
#include <string.h>

static const struct field link_fields[] = {
	FIELD(struct link_info, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the linked note"),
	FIELD(struct link_info, title, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Its title"),
	FIELD(struct link_info, by, TEXT, FIELD_TERSE,
	      "title, alias or variant: the link holds by this and only here; other programs find file names"),
	FIELDS_END,
};
static const struct shape link_shape = SHAPE(struct link_info, "link", link_fields);

static const struct field outline_fields[] = {
	FIELD(struct outline_entry, heading, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Heading, with its marks"),
	FIELD(struct outline_entry, offset, INT, FIELD_REQUIRED | FIELD_TERSE, "Where it begins in the text"),
	FIELD(struct outline_entry, length, INT, FIELD_REQUIRED | FIELD_TERSE,
	      "Characters of its section, with subsections"),
	FIELDS_END,
};
static const struct shape outline_shape = SHAPE(struct outline_entry, "outline", outline_fields);

#define NODE_FIELDS(NEEDED)                                                                                            \
	FIELD(struct node_answer, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the note below the root"),          \
		FIELD(struct node_answer, title, TEXT, NEEDED | FIELD_TERSE, "Title"),                                 \
		FIELD(struct node_answer, content, TEXT, NEEDED | FIELD_TERSE,                                         \
		      "Text without front matter, may be truncated"),                                                  \
		FIELD(struct node_answer, tags, TEXTS, NEEDED | FIELD_TERSE, "Tags of the front matter"),              \
		FIELD(struct node_answer, links, OBJECTS, NEEDED | FIELD_TERSE, "Notes it links to",                   \
		      .shape = &link_shape),                                                                           \
		FIELD_AS("inlineTags", struct node_answer, inline_tags, TEXTS, FIELD_TERSE, "#tags in the text"),      \
		FIELD_AS("linkCount", struct node_answer, link_count, MAYBE_INT, FIELD_TERSE,                          \
			 "Number of links, when not all are shown"),                                                   \
		FIELD(struct node_answer, properties, MAP, FIELD_TERSE, "The front matter"),                           \
		FIELD(struct node_answer, link, TEXT, FIELD_TERSE, "As another note links to it"),                     \
		FIELD(struct node_answer, length, MAYBE_INT, FIELD_TERSE,                                              \
		      "Characters of the whole text, when not all are shown"),                                         \
		FIELD(struct node_answer, next, MAYBE_INT, FIELD_TERSE, "The offset that shows what follows"),         \
		FIELD(struct node_answer, hidden, TEXTS, FIELD_TERSE,                                                  \
		      "What people do not see in the text: line and sort"),                                            \
		FIELD_AS("hiddenCount", struct node_answer, hidden_count, MAYBE_INT, FIELD_TERSE,                      \
			 "How much of that there is"),                                                                 \
		FIELD(struct node_answer, outline, OBJECTS, FIELD_TERSE, "Headings, when not all is shown",            \
		      .shape = &outline_shape)

static const struct field node_fields[] = {NODE_FIELDS(FIELD_REQUIRED), FIELDS_END};
const struct shape node_shape = SHAPE(struct node_answer, "node", node_fields);

static const struct field listed_fields[] = {
	FIELD(struct node_answer, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the note below the root"),
	FIELD(struct node_answer, title, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Title"),
	FIELD(struct node_answer, content, TEXT, FIELD_TERSE, "Text without front matter, truncated"),
	FIELD(struct node_answer, tags, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "Tags of the front matter"),
	FIELD(struct node_answer, links, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Notes it links to",
	      .shape = &link_shape),
	FIELD_AS("inlineTags", struct node_answer, inline_tags, TEXTS, FIELD_TERSE, "#tags in the text"),
	FIELD_AS("linkCount", struct node_answer, link_count, MAYBE_INT, FIELD_TERSE,
		 "Number of links, when not all are shown"),
	FIELD(struct node_answer, link, TEXT, FIELD_TERSE, "As another note links to it"),
	FIELD_AS("hiddenCount", struct node_answer, hidden_count, MAYBE_INT, FIELD_TERSE,
		 "Places in this text that people do not see"),
	FIELD(struct node_answer, score, MAYBE_NUMBER, FIELD_TERSE, "Similarity, 0 to 1"),
	FIELD(struct node_answer, direction, TEXT, FIELD_TERSE, "in: links here, out: linked from here, both"),
	FIELDS_END,
};
const struct shape listed_shape = SHAPE(struct node_answer, "node", listed_fields);

static const struct field context_fields[] = {
	NODE_FIELDS(FIELD_REQUIRED),
	FIELD(struct node_answer, neighbors, OBJECTS, FIELD_TERSE, "Adjacent notes, at most 20",
	      .shape = &listed_shape),
	FIELD_AS("incomingCount", struct node_answer, incoming, MAYBE_INT, FIELD_TERSE, "Notes that link here"),
	FIELD_AS("outgoingCount", struct node_answer, outgoing, MAYBE_INT, FIELD_TERSE, "Notes linked from here"),
	FIELDS_END,
};
const struct shape context_shape = SHAPE(struct node_answer, "context", context_fields);

const struct field one_node_out[] = {FIELD(struct one_node, result, OBJECT, FIELD_NULLABLE | FIELD_TERSE,
					   "The note; null: none", .shape = &node_shape),
				     FIELDS_END};
const struct field context_out[] = {FIELD(struct one_node, result, OBJECT, FIELD_NULLABLE | FIELD_TERSE,
					  "The note; null: none", .shape = &context_shape),
				    FIELDS_END};
const struct field node_list_out[] = {
	FIELD(struct node_list, result, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "The notes", .shape = &listed_shape),
	FIELDS_END};
/* With brief: true only id, link and the number of rewritten links. */
const struct field written_out[] = {
	NODE_FIELDS(0),
	FIELD(struct node_answer, rewritten, MAYBE_INT, FIELD_TERSE, "Links to it that were rewritten"),
	FIELDS_END,
};

static size_t link_weight(const struct node *to) { return to->path.len + to->title.len + 20; }

/* As many tags as fit. */
static struct texts tags_cut(struct call *c, struct text path, struct texts tags, size_t most)
{
	size_t n = 0, sum = 0;

	if (!tags.items)
		return (struct texts){arena_array(c->arena, 1, sizeof *tags.items), 0};
	while (n < tags.n && (sum += tags.items[n].len + 3) <= most)
		n++;
	if (n < tags.n)
		warn(c, "%zu of the %zu tags of %s shown", n, tags.n, shown(c, path));
	return (struct texts){tags.items, n};
}

/* Links to notes in the order of their first appearance, each once. */
static void put_links(struct call *c, struct vault *v, uint32_t node, size_t most, struct node_answer *out)
{
	const struct graph *g = &v->graph;
	const struct node *n = &g->nodes[node];
	struct link_info *items = arena_array(c->arena, n->n_out < most ? n->n_out : most, sizeof *items);
	size_t shown = 0, total = 0, sum = 0;

	for (uint32_t at = n->first_out; at != NODE_NONE; at = g->edges[at].next_out) {
		const struct node *to = &g->nodes[g->edges[at].to];
		if (!node_visible(c, to))
			continue;
		sum += link_weight(to);
		if (shown < most && sum <= LINKS_WEIGHT)
			items[shown++] =
				(struct link_info){text_copy(c->arena, to->path), text_copy(c->arena, to->title),
						   text_of(by_name(g->edges[at].by))};
		total++;
	}
	out->links = (struct objects){items, shown};
	if (total > shown)
		out->link_count = (struct maybe_int){(int64_t)total, true};
}

static struct texts tag_texts(struct call *c, struct vault *v, const uint32_t *tags, size_t n)
{
	struct text *items = arena_array(c->arena, n + 1, sizeof *items);

	for (size_t i = 0; i < n; i++)
		items[i] = text_copy(c->arena, v->graph.tags[tags[i]].text);
	return (struct texts){items, n};
}

struct text text_shown(struct call *c, struct text t)
{
	const struct vault *v = c->state;

	return v->config.leave_out_hidden ? hidden_removed(c->arena, t) : t;
}

/* `line`: of the text's beginning in the file; 0: only the count is told. */
static void put_hidden(struct call *c, struct text t, size_t line, struct node_answer *out)
{
	enum { HIDDEN_SHOWN = 10 };
	struct hidden h;
	size_t at = 0;

	hidden_find(c->arena, t, &h);
	if (!h.parts.n)
		return;
	out->hidden_count = (struct maybe_int){(int64_t)h.parts.n, true};
	if (!line)
		return;
	out->hidden.items = arena_array(c->arena, HIDDEN_SHOWN, sizeof(struct text));
	for (size_t i = 0; i < h.parts.n && i < HIDDEN_SHOWN; i++) {
		for (; at < h.parts.items[i].place.from; at++)
			line += t.at[at] == '\n';
		out->hidden.items[out->hidden.n++] = text_format(c->arena, "line %zu: %s", line, h.parts.items[i].sort);
	}
}

static void put_properties(struct call *c, struct text bytes, struct node_answer *out)
{
	enum { WEIGHT_MAX = 5000 };
	struct note n;

	note_read(c->arena, bytes, &n);
	struct json *all = properties_json(c->arena, &n);

	if (all && json_source(c->arena, all).len <= WEIGHT_MAX)
		out->properties = all;
	else if (all)
		warn(c,
		     "the front matter of %s is too long to be shown; find_nodes with `show` shows single properties",
		     shown(c, out->id));
}

bool node_answer_of(struct call *c, struct vault *v, uint32_t node, size_t most, struct node_answer *out)
{
	const struct node *n = &v->graph.nodes[node];

	if (most == TEXT_PRIMARY) {
		struct file_content file;
		struct text path = text_copy(c->arena, n->path);
		if (!work_read(c, path, c->arena, &file))
			return false;
		/* If a program wrote the file after the sync, the content is already the new one. The graph's links are
		 * updated by the next call. */
		node_answer_from(c, v, path, file.bytes, out);
		put_properties(c, file.bytes, out);
		c->revision = text_copy(c->arena, text_of(file.revision.chars));
		if (unfinished_has(&v->unfinished, path))
			warn(c, "another program is writing %s; its text may be incomplete, read it again",
			     shown(c, path));
		return true;
	}
	*out = (struct node_answer){.id = text_copy(c->arena, n->path), .title = text_copy(c->arena, n->title)};
	struct text excerpt = text_shown(c, text_copy(c->arena, n->excerpt));
	out->content = content_cut(c->arena, excerpt, most);
	put_hidden(c, text_copy(c->arena, n->excerpt), 0, out);
	out->tags = tags_cut(c, n->path, tag_texts(c, v, n->tags, n->n_tags), TAGS_WEIGHT);
	if (n->n_words)
		out->inline_tags = tags_cut(c, n->path, tag_texts(c, v, n->tags + n->n_tags, n->n_words), TAGS_WEIGHT);
	out->link = node_link(&v->graph, c->arena, node);
	put_links(c, v, node, most == TEXT_NEIGHBOR ? LINKS_BESIDE : LINKS_LISTED, out);
	return true;
}

enum { OUTLINE_MAX = 100 };

/* Offsets count characters of the text as it is shown. */
static struct objects outline_of(struct call *c, const struct note *n)
{
	size_t count = n->parts.headings.n < OUTLINE_MAX ? n->parts.headings.n : OUTLINE_MAX;
	struct outline_entry *items = arena_array(c->arena, count + 1, sizeof *items);
	size_t at = n->text.from, characters = 0;

	for (size_t i = 0; i < count; i++) {
		const struct markdown_heading *h = &n->parts.headings.items[i];
		size_t to = n->text.to;
		for (size_t k = i + 1; k < n->parts.headings.n && to == n->text.to; k++)
			if (n->parts.headings.items[k].level <= h->level)
				to = n->parts.headings.items[k].lines.from;
		characters += utf8_count(text_shown(c, text_slice(n->bytes, at, h->lines.from)));
		at = h->lines.from;
		struct text words = utf8_repaired(c->arena, span_text(n->bytes, h->text));
		items[i] = (struct outline_entry){
			text_format(c->arena, "%.*s %.*s", h->level, "######",
				    TEXT_ARGS(content_cut(c->arena, words, 80))),
			(int64_t)characters,
			(int64_t)utf8_count(text_trim(text_shown(c, text_slice(n->bytes, at, to))))};
	}
	return (struct objects){items, count};
}

void node_part(struct call *c, const struct note *n, struct span part, size_t offset, struct node_answer *out)
{
	struct text there = utf8_repaired(c->arena, text_trim(span_text(n->bytes, part))), whole = text_shown(c, there);
	struct text rest = text_slice(whole, content_at(whole, offset), whole.len);
	bool is_whole_note = part.from == n->text.from && part.to == n->text.to;
	size_t characters = utf8_count(whole);

	size_t line = 1;
	for (size_t i = 0; i < part.from; i++)
		line += n->bytes.at[i] == '\n';
	put_hidden(c, there, line, out);
	out->content = rest;
	if (characters - (offset < characters ? offset : characters) > TEXT_PRIMARY) {
		out->content = content_cut(c->arena, rest, TEXT_PRIMARY);
		out->next = (struct maybe_int){(int64_t)(offset + utf8_count(out->content) - (sizeof CONTENT_MARK - 1)),
					       true};
	}
	if (!out->next.there && !offset && is_whole_note)
		return;
	out->length = (struct maybe_int){
		(int64_t)(is_whole_note ? characters : utf8_count(text_shown(c, note_content(c->arena, n)))), true};
	if (!offset && is_whole_note && n->parts.headings.n)
		out->outline = outline_of(c, n);
}

void node_answer_from(struct call *c, struct vault *v, struct text path, struct text bytes, struct node_answer *out)
{
	struct note n;
	struct map seen = {.arena = c->arena};
	ARRAY(struct link_info) links = {0};
	size_t total = 0, sum = 0;

	note_read(c->arena, bytes, &n);
	*out = (struct node_answer){.id = path,
				    .title = n.title.at ? n.title : title_of(c->arena, path),
				    .tags = tags_cut(c, path, n.tags, TAGS_WEIGHT)};
	node_part(c, &n, n.text, 0, out);
	if (n.words.n)
		out->inline_tags = tags_cut(c, path, n.words, TAGS_WEIGHT);
	for (size_t i = 0; i < n.links.n; i++) {
		struct resolved r = resolve(&v->graph, c->arena, path, n.links.items[i].form, n.links.items[i].target);
		bool was;
		if (r.node == NODE_NONE)
			continue;
		const struct node *to = &v->graph.nodes[r.node];
		const uint32_t *at = map_at(&seen, to->path, (uint32_t)links.n, &was);
		if (was && *at < links.n && !by_leniency(r.by) && text_same(links.items[*at].id, to->path))
			links.items[*at].by = (struct text){0};
		if (was || text_same(to->path, path) || !node_visible(c, to))
			continue;
		sum += link_weight(to);
		if (total++ < LINKS_PRIMARY && sum <= LINKS_WEIGHT)
			*ARRAY_PUSH(c->arena, &links) = (struct link_info){
				text_copy(c->arena, to->path), text_copy(c->arena, to->title), text_of(by_name(r.by))};
	}
	if (!links.items)
		ARRAY_RESERVE(c->arena, &links, 1);
	uint32_t known = graph_find(&v->graph, c->arena, path);
	if (known != NODE_NONE && text_same(v->graph.nodes[known].path, path))
		out->link = node_link(&v->graph, c->arena, known);
	out->links = (struct objects){links.items, links.n};
	if (total > links.n)
		out->link_count = (struct maybe_int){(int64_t)total, true};
}

void answer_written(struct call *c, struct text path, const struct document *committed, struct text bytes, bool brief,
		    struct node_answer *out)
{
	if (!c->dry_run)
		vault_written(c, c->state, &(struct written){path, bytes, committed}, 1);
	scoped(vault_leave) struct vault *v = vault_again(c);
	uint32_t node = vault_node(c, v, path);
	if (brief)
		*out = (struct node_answer){.id = path,
					    .link = node == NODE_NONE ? (struct text){0}
								      : node_link(&v->graph, c->arena, node)};
	else
		node_answer_from(c, v, path, bytes, out);
	vault_tell(c, v, &node, node != NODE_NONE);
}

size_t node_weight(const struct node_answer *n)
{
	size_t sum = 80 + n->id.len + n->title.len + n->content.len;

	for (size_t i = 0; i < n->tags.n; i++)
		sum += n->tags.items[i].len + 3;
	for (size_t i = 0; i < n->inline_tags.n; i++)
		sum += n->inline_tags.items[i].len + 3;
	const struct link_info *links = n->links.items;
	for (size_t i = 0; i < n->links.n; i++)
		sum += links[i].id.len + links[i].title.len + 20;
	return sum;
}

struct objects node_list_of(struct call *c, struct vault *v, const uint32_t *nodes, size_t n, bool with_content,
			    const char *rest)
{
	struct node_answer *items = arena_array(c->arena, n + 1, sizeof *items);
	size_t sum = 0, shown = 0;

	for (; shown < n; shown++) {
		node_answer_of(c, v, nodes[shown], TEXT_LIST, &items[shown]);
		if (!with_content)
			items[shown].content = (struct text){0};
		sum += node_weight(&items[shown]);
		if (sum > answer_room(c) && shown)
			break;
	}
	if (shown < n)
		warn(c, "%zu of %zu notes shown, the answer would get too long; %s", shown, n, rest);
	return (struct objects){items, shown};
}

static int by_path(const void *a, const void *b, void *graph)
{
	const struct node *nodes = ((const struct graph *)graph)->nodes;

	return text_order(nodes[*(const uint32_t *)a].path, nodes[*(const uint32_t *)b].path);
}

size_t node_neighbors(struct call *c, struct vault *v, uint32_t node, enum direction direction, uint32_t **out)
{
	const struct graph *g = &v->graph;
	const struct node *n = &g->nodes[node];
	uint32_t *items = arena_array(c->arena, (size_t)n->n_in + n->n_out + 1, sizeof *items);
	size_t count = 0;

	if (direction != DIRECTION_IN)
		for (uint32_t at = n->first_out; at != NODE_NONE; at = g->edges[at].next_out)
			if (node_visible(c, &g->nodes[g->edges[at].to]))
				items[count++] = g->edges[at].to;
	size_t outgoing = count;
	if (direction != DIRECTION_OUT) {
		struct map seen = {.arena = c->arena};
		for (size_t i = 0; i < outgoing; i++)
			map_at(&seen, g->nodes[items[i]].path, 0, NULL);
		for (uint32_t at = n->first_in; at != NODE_NONE; at = g->edges[at].next_in) {
			uint32_t from = g->edges[at].from;
			if (!map_find(&seen, g->nodes[from].path) && node_visible(c, &g->nodes[from]))
				items[count++] = from;
		}
		array_sort_by(items + outgoing, count - outgoing, sizeof *items, by_path, (void *)g);
	}
	*out = items;
	return count;
}

double score_shown(double score)
{
	if (!(fabs(score) > 0))
		return 0;
	double scale = pow(10, 2 - floor(log10(fabs(score))));
	return round(score * scale) / scale;
}

const struct node *node_near(struct call *c, struct vault *v, struct text id)
{
	struct graph *g = &v->graph;
	struct text name = key_of(c->arena, id);
	const struct node *best = NULL;
	unsigned least = name.len < 3 ? 1 : name.len < 6 ? 2 : name.len < 12 ? 3 : 4; /* typing errors to refuse */
	struct resolved r = resolve(g, c->arena, TEXT(""), NOTE_LINK_WIKI, text_trim(id));
	if (r.node != NODE_NONE && node_visible(c, &g->nodes[r.node]))
		best = &g->nodes[r.node];
	for (uint32_t i = 0; i < g->n_nodes && r.node == NODE_NONE; i++) {
		const struct node *n = &g->nodes[i];
		if (!n->path.at || !node_visible(c, n))
			continue;
		unsigned distance = text_distance(key_of(c->arena, n->path), name, least);
		if (distance < least) {
			least = distance;
			best = n;
		}
	}
	return best;
}

bool node_wanted(struct call *c, struct vault *v, struct text id, uint32_t *out)
{
	*out = vault_node(c, v, id);
	if (*out != NODE_NONE)
		return true;
	const struct node *best = node_near(c, v, id);
	if (best)
		return fail_as(c, "NODE_NOT_FOUND", "there is no note %s; did you mean %s?", shown(c, id),
			       shown(c, best->path));
	if (vault_folder(c, v, id))
		return fail_as(c, "NODE_NOT_FOUND", "%s is a folder; find_nodes with folder = %s shows its notes",
			       shown(c, id), shown(c, id));
	return fail_as(c, "NODE_NOT_FOUND", "there is no note %s; find_nodes lists the notes", shown(c, id));
}
