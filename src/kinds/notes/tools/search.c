/* search.c: the tool `search`, and the engine behind it. */
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/engine.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static struct search_options options_of(const struct notes_config *config)
{
	const char *key = getenv("QUIRE_EMBED_KEY");

	return (struct search_options){.embed = config->embed,
				       .embed_model = config->embed_model,
				       .embed_key = text_of(key),
				       .query_prefix = config->query_prefix,
				       .note_prefix = config->note_prefix,
				       .state = -1};
}

bool engine_is_offered(const void *config) { return !text_is(options_of(config).embed, "none"); }

/* No advice if the user switched search off. */
const char *engine_advice(const void *config)
{
	struct search_options options = options_of(config);

	return text_is(options.embed, "none") ? NULL : search_absence(&options);
}

static bool open_engine(struct call *c, struct vault *v)
{
	struct search_options options = options_of(&v->config);

	if (v->search)
		return true;
	scoped(fd_drop) int state = work_state_folder(c);
	options.state = state;
	options.vault = work_root(c->work, 0);
	return search_open(c, &options, &v->search);
}

static void put_note(struct vault *v, struct arena *a, uint32_t node, struct text bytes)
{
	const struct node *known = &v->graph.nodes[node];
	struct note n;

	note_read(a, bytes, &n);
	search_put(v->search, &(struct search_note){.path = known->path,
						    .title = known->title,
						    .tags = n.tags,
						    .text = span_text(n.bytes, n.text),
						    .priority = known->stamp.modified});
}

/* Reads every note once for the engine, under the exclusive lock, so that nothing changes meanwhile. */
static bool fill_engine(struct call *c, struct vault *v)
{
	struct arena scratch = {0};
	const struct caller *caller = c->caller;
	size_t touched = c->touched.n;
	bool goes = true;

	c->caller = NULL;
	for (uint32_t i = 0; goes && i < v->graph.n_nodes; i++) {
		struct file_content file;
		if (!is_searched(&v->graph.nodes[i]) || search_has(v->search, v->graph.nodes[i].path))
			continue;
		if (work_read(c, v->graph.nodes[i].path, &scratch, &file))
			put_note(v, &scratch, i, file.bytes);
		else
			goes = c->error.fault != FAULT_CANCELLED && c->error.fault != FAULT_TIMEOUT;
		if (goes)
			c->error = (struct error){0};
		if (!(i % 512)) {
			goes = goes && goes_on(c);
			progress(c, i, v->graph.n_nodes, "indexing notes");
		}
		if (scratch.used > 1024 * 1024)
			arena_free(&scratch);
	}
	c->caller = caller;
	c->touched.n = touched;
	arena_free(&scratch);
	return goes;
}

bool engine_ready(struct call *c, struct search **out)
{
	{
		scoped(vault_leave) struct vault *v = vault_read(c);
		if (!v)
			return false;
		*out = v->search;
		if (v->search_is_filled)
			return true;
	}
	scoped(vault_leave) struct vault *v = vault_change(c);

	if (!v || !open_engine(c, v))
		return false;
	if (!v->search_is_filled && !fill_engine(c, v))
		return false;
	if (!v->search_is_filled) {
		search_complete(v->search);
		malloc_trim(0);
	}
	v->search_is_filled = true;
	*out = v->search;
	return true;
}

static bool may_see(const void *call, struct text path)
{
	const struct caller *caller = ((const struct call *)call)->caller;

	return caller->may(caller, path, false);
}

void engine_grant(struct call *c, struct search_query *query)
{
	if (caller_sees_all(c))
		return;
	query->may = may_see;
	query->context = c;
}

static const char *const modes[] = {"hybrid", "text", "semantic", NULL};

struct search_args {
	struct text query, path;
	int64_t limit;
	int mode;
	double threshold;
	struct texts tags;
	bool include_content;
};
static const struct field search_in[] = {
	FIELD(struct search_args, query, TEXT, FIELD_REQUIRED, "What to look for, in words",
	      .limits = BETWEEN(1, 2000)),
	FIELD(struct search_args, limit, INT, 0, "Maximum number of notes", .limits = BETWEEN(1, 50), .otherwise = "10",
	      .more = MINIMUM_1),
	FIELD(struct search_args, mode, CHOICE, 0, "hybrid: words and meaning; or one of them", .choices = modes,
	      .otherwise = "\"hybrid\""),
	FIELD(struct search_args, threshold, NUMBER, 0, "Least score", .limits = BETWEEN(0, 1), .otherwise = "0"),
	FIELD(struct search_args, tags, TEXTS, 0, "Only notes with one of these tags"),
	FIELD(struct search_args, path, TEXT, 0, "Only notes in this folder"),
	FIELD(struct search_args, include_content, FLAG, 0, "false: without content", .otherwise = "true"),
	FIELDS_END,
};

/* The part of the note that matched, instead of its first 500 characters. */
static bool put_snippet(struct call *c, struct search *search, struct text words, struct node_answer *node)
{
	struct file_content file;
	struct note n;

	if (!work_read(c, node->id, c->arena, &file)) {
		c->error = (struct error){0};
		return false;
	}
	note_read(c->arena, file.bytes, &n);
	struct text content = text_shown(c, note_content(c->arena, &n));
	struct text snippet = search_snippet(c, search, words, content, TEXT_LIST);
	/* A snippet from the beginning of the note gets the usual truncation mark. */
	size_t shared = 0;
	while (shared < snippet.len && shared < content.len && snippet.at[shared] == content.at[shared])
		shared++;
	bool is_start = snippet.len >= 3 && shared + 3 >= snippet.len;
	node->content = is_start ? content_cut(c->arena, content, TEXT_LIST) : snippet;
	return true;
}

static bool search_notes(struct call *c, const void *in, void *out)
{
	const struct search_args *args = in;
	struct node_list *answer = out;
	struct search *search;
	struct search_found found;
	struct search_query query = {.words = args->query,
				     .mode = (enum search_mode)args->mode,
				     /* A score is shown with three digits; the one that is shown is compared. */
				     .threshold = args->threshold * 0.994,
				     .tags = args->tags,
				     .path = args->path,
				     .limit = (size_t)args->limit};

	if (text_is_blank(args->query))
		return fail(c, FAULT_ARGUMENT, "query is empty; say what to look for");
	if (!engine_ready(c, &search))
		return false;
	engine_grant(c, &query);
	if (!search_find(c, search, &query, &found))
		return false;
	scoped(vault_leave) struct vault *v = vault_read(c);
	if (!v)
		return false;
	uint32_t *nodes = arena_array(c->arena, found.n + 1, sizeof *nodes);
	double *scores = arena_array(c->arena, found.n + 1, sizeof *scores);
	size_t n = 0;
	for (size_t i = 0; i < found.n; i++) {
		uint32_t node = vault_node(c, v, found.items[i].path);
		if (node == NODE_NONE || score_shown(found.items[i].score) < args->threshold)
			continue;
		scores[n] = found.items[i].score;
		nodes[n++] = node;
	}
	answer->result = node_list_of(c, v, nodes, n, args->include_content, "ask with include_content false");
	struct node_answer *items = answer->result.items;
	for (size_t i = 0; i < answer->result.n; i++) {
		items[i].score = (struct maybe_number){score_shown(scores[i]), true};
		if (args->include_content)
			put_snippet(c, search, args->query, &items[i]);
	}
	if (found.absence)
		warn(c, "%s", found.absence);
	else if (found.vectors < found.notes && query.mode != SEARCH_WORDS) {
		/* A key that may not see all notes must not learn their number. */
		if (c->caller && c->caller->may)
			warn(c, "the semantic index is not complete yet; some notes are found by their words only");
		else
			warn(c, "semantic index %zu of %zu notes; the others are found by their words%s%s",
			     found.vectors, found.notes, *found.problem ? ", because " : "", found.problem);
	}
	vault_tell_list(c, v, nodes, answer->result.n);
	return true;
}

const struct tool notes_search_tools[] = {
	TOOL("search", "Search notes by meaning and words",
	     "Finds notes about a subject, best first, with the part that matches and a score from 0 to 1.",
	     TOOL_READS | TOOL_BARE | TOOL_NO_REVISION, struct search_args, search_in, struct node_list, node_list_out,
	     search_notes, .offered = engine_is_offered, .example = "{\"query\":\"machine learning\",\"limit\":5}"),
	TOOLS_END,
};
