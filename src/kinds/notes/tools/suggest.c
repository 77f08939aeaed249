/* suggest.c: suggests links for a note: to notes whose name it mentions, and to similar notes. */
#include "base/array.h"
#include "base/utf8.h"
#include "kinds/notes/graph/resolve.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/engine.h"

#include <string.h>

enum { NAME_MIN = 4 }; /* bytes of a name that counts as a mention; shorter ones are mostly common words */

struct suggest_args {
	struct text id;
	int64_t limit;
};
struct suggestion {
	struct text id, title, reason, mention;
	double score;
};
struct suggest_answer {
	struct objects suggestions;
};
static const struct field suggest_in[] = {
	NODE_ID(struct suggest_args, id, "Path of the note"),
	FIELD(struct suggest_args, limit, INT, 0, "Maximum number of suggestions", .limits = BETWEEN(1, 50),
	      .otherwise = "10"),
	FIELDS_END,
};
static const struct field suggestion_fields[] = {
	FIELD(struct suggestion, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The note to link to"),
	FIELD(struct suggestion, title, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Its title"),
	FIELD(struct suggestion, reason, TEXT, FIELD_REQUIRED | FIELD_TERSE,
	      "mention: the text names it; similar: like meaning; shared: links in common"),
	FIELD(struct suggestion, score, NUMBER, FIELD_REQUIRED | FIELD_TERSE, "0 to 1"),
	FIELD(struct suggestion, mention, TEXT, FIELD_TERSE, "The words in the text"),
	FIELDS_END,
};
static const struct shape suggestion_shape = SHAPE(struct suggestion, "suggestion", suggestion_fields);
static const struct field suggest_out[] = {
	FIELD(struct suggest_answer, suggestions, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Best first",
	      .shape = &suggestion_shape),
	FIELDS_END,
};

struct suggesting {
	struct call *c;
	struct vault *v;
	uint32_t node;
	struct map known; /* paths that are linked or suggested already */
	ARRAY(struct suggestion) list;
};

static void suggest(struct suggesting *s, uint32_t node, const char *reason, double score, struct text mention)
{
	const struct node *n = &s->v->graph.nodes[node];
	bool was;

	if (node == s->node || !is_searched(n) || !node_visible(s->c, n))
		return;
	uint32_t *at = map_at(&s->known, text_copy(s->c->arena, n->path), (uint32_t)s->list.n, &was);
	if (was && *at < s->list.n && s->list.items[*at].score < score)
		s->list.items[*at].score = score_shown(score); /* found in two ways: the higher score counts */
	if (!was)
		*ARRAY_PUSH(s->c->arena, &s->list) =
			(struct suggestion){text_copy(s->c->arena, n->path), text_copy(s->c->arena, n->title),
					    text_of(reason), mention, score_shown(score)};
}

/* The text with blanks in place of links, code and comments, so that words around them do not join. */
static struct text bare_prose(struct call *c, const struct note *n)
{
	struct text prose = text_copy(c->arena, text_slice(n->bytes, 0, n->text.to));
	char *at = (char *)prose.at;

	for (size_t i = 0; i < n->parts.links.n; i++)
		memset(at + n->parts.links.items[i].all.from, '\n',
		       n->parts.links.items[i].all.to - n->parts.links.items[i].all.from);
	for (size_t i = 0; i < n->parts.code.n; i++)
		memset(at + n->parts.code.items[i].from, '\n', n->parts.code.items[i].to - n->parts.code.items[i].from);
	return utf8_repaired(c->arena, text_slice(prose, n->text.from, prose.len));
}

/* A name of several words is rarely mentioned by chance. A single word scores by its rarity: not every "index" means a
 * note called Index. */
static double mention_score(const struct suggesting *s, struct text run)
{
	bool is_one = true;

	for (size_t at = 0; at < run.len;)
		is_one = utf8_is_word(utf8_next(run, &at)) && is_one;
	return is_one && s->v->search_is_filled ? search_rarity(s->v->search, run) : 1;
}

/* Every run of up to six words that is a note's name, title or alias. */
static void suggest_mentions(struct suggesting *s, struct text prose)
{
	enum { WORDS = 6 };
	struct graph *g = &s->v->graph;
	size_t starts[WORDS], n = 0;
	bool in_word = false;

	for (size_t at = 0, here; at <= prose.len;) {
		here = at;
		bool is_word = false;
		if (at < prose.len)
			is_word = utf8_is_word(utf8_next(prose, &at));
		else
			at++;
		if (is_word && !in_word) {
			if (n == WORDS)
				memmove(starts, starts + 1, --n * sizeof *starts);
			starts[n++] = here;
		}
		if (!is_word && in_word)
			for (size_t i = 0; i < n; i++) {
				struct text run = text_slice(prose, starts[i], here);
				const uint32_t *key =
					run.len >= NAME_MIN ? map_find(&g->by_key, key_of(s->c->arena, run)) : NULL;
				if (!key || !g->keys[*key].n_nodes)
					continue;
				struct resolved r =
					resolve(g, s->c->arena, g->nodes[s->node].path, NOTE_LINK_WIKI, run);
				if (r.node != NODE_NONE)
					suggest(s, r.node, "mention", mention_score(s, run),
						text_copy(s->c->arena, run));
			}
		if (!is_word && here < prose.len && (prose.at[here] == '\n' || prose.at[here] == '.'))
			n = 0;
		in_word = is_word;
	}
}

struct shared {
	uint32_t node, count;
};

static int by_count(const void *a, const void *b)
{
	const struct shared *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count ? 1 : -1) : (x->node > y->node) - (x->node < y->node);
}

/* Notes that share neighbours with this one. The score is the number of shared neighbours relative to all
 * neighbours. */
static void suggest_shared(struct suggesting *s, size_t most)
{
	enum { HUB = 200 }; /* a neighbour with more links than this is skipped: it shows no similarity */
	const struct graph *g = &s->v->graph;
	struct shared *counts = arena_array(s->c->arena, (size_t)g->n_nodes + 1, sizeof *counts);
	uint32_t *mine;
	size_t n = node_neighbors(s->c, s->v, s->node, DIRECTION_BOTH, &mine);

	for (uint32_t i = 0; i < g->n_nodes; i++)
		counts[i].node = i;
	for (size_t i = 0; i < n; i++) {
		const struct node *near = &g->nodes[mine[i]];
		if (near->n_in + near->n_out > HUB)
			continue;
		for (uint32_t at = near->first_out; at != NODE_NONE; at = g->edges[at].next_out)
			counts[g->edges[at].to].count++;
		for (uint32_t at = near->first_in; at != NODE_NONE; at = g->edges[at].next_in)
			counts[g->edges[at].from].count++;
	}
	array_sort(counts, g->n_nodes, sizeof *counts, by_count);
	for (size_t i = 0; i < g->n_nodes && counts[i].count > 1 && s->list.n < most * 2; i++) {
		const struct node *other = &g->nodes[counts[i].node];
		double all = (double)(n + other->n_in + other->n_out);
		suggest(s, counts[i].node, "shared", all > 0 ? 2.0 * counts[i].count / (all * 2) : 0, (struct text){0});
	}
}

/* Called before the vault's lock is taken, because engine_ready() must not be called inside it. */
static bool find_similar(struct call *c, struct text path, size_t limit, struct search_found *out)
{
	struct vault *v = c->state;
	struct search *search;
	struct search_query query = {.mode = SEARCH_MEANING, .limit = limit, .threshold = 0.3};

	*out = (struct search_found){0};
	if (!engine_is_offered(&v->config))
		return true;
	engine_grant(c, &query);
	if (engine_ready(c, &search) && search_similar(c, search, path, &query, out))
		return true;
	bool ended = c->error.fault == FAULT_CANCELLED || c->error.fault == FAULT_TIMEOUT;
	if (!ended) {
		warn(c, "notes of like meaning are left out: %s", error_sentence(c->arena, &c->error));
		c->error = (struct error){0};
	}
	return !ended;
}

static int by_score(const void *a, const void *b)
{
	const struct suggestion *x = a, *y = b;

	return x->score != y->score ? (x->score < y->score ? 1 : -1) : text_order(x->id, y->id);
}

static bool suggest_links(struct call *c, const void *in, void *out)
{
	const struct suggest_args *args = in;
	struct suggest_answer *answer = out;
	struct text path;
	struct search_found similar;
	struct file_content file;
	struct note n;

	{
		scoped(vault_leave) struct vault *v = vault_read(c);
		uint32_t node;
		if (!v || !node_wanted(c, v, args->id, &node))
			return false;
		path = text_copy(c->arena, v->graph.nodes[node].path);
	}
	if (!find_similar(c, path, (size_t)args->limit * 2, &similar) || !work_read(c, path, c->arena, &file))
		return false;
	scoped(vault_leave) struct vault *v = vault_read(c);
	if (!v)
		return false;
	struct suggesting s = {.c = c, .v = v, .known = {.arena = c->arena}};
	if (!node_wanted(c, v, path, &s.node))
		return false;
	for (uint32_t at = v->graph.nodes[s.node].first_out; at != NODE_NONE; at = v->graph.edges[at].next_out)
		map_at(&s.known, v->graph.nodes[v->graph.edges[at].to].path, UINT32_MAX, NULL);
	note_read(c->arena, file.bytes, &n);
	suggest_mentions(&s, bare_prose(c, &n));
	for (size_t i = 0; i < similar.n; i++) {
		uint32_t node = vault_node(c, v, similar.items[i].path);
		if (node != NODE_NONE)
			suggest(&s, node, "similar", similar.items[i].score, (struct text){0});
	}
	suggest_shared(&s, (size_t)args->limit);
	if (s.list.n)
		array_sort(s.list.items, s.list.n, sizeof *s.list.items, by_score);
	answer->suggestions =
		(struct objects){s.list.items, s.list.n < (size_t)args->limit ? s.list.n : (size_t)args->limit};
	vault_tell(c, v, NULL, 0);
	return true;
}

const struct tool notes_suggest_tools[] = {
	TOOL("suggest_links", "Links a note could have",
	     "Suggests notes to link to: those the text mentions without a link, those of like meaning, and those that share "
	     "links with it.",
	     TOOL_READS | TOOL_NO_REVISION | TOOL_EXTRA, struct suggest_args, suggest_in, struct suggest_answer,
	     suggest_out, suggest_links),
	TOOLS_END,
};
