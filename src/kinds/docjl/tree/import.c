/* import.c: writes a whole document from a file or a caller.
 *
 * Content of real files is converted to the specification's shapes; no word is lost. Existing labels stay as they are.
 * Blocks without a label get one that is marked as automatic. */
#include "kinds/docjl/tree/tree.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/digest.h"
#include "kinds/docjl/edit/edit.h"
#include "kinds/docjl/rows/trail_file.h"

#include <string.h>

enum { LISTED_MAX = 5 };

struct item {
	int64_t uid, ord, run, slot, stem, number; /* stem: uid of the container, 0: no computed label */
	uint32_t parent;                           /* index + 1; 0: top */
	struct text type, label, prefix;
	bool holds, is_auto;
	const struct json *block;
	uint32_t last_para, last_sec; /* last children so far whose number the next one continues: index + 1 */
};

struct import {
	struct call *c;
	struct manual m;
	const struct import_options *o;
	ARRAY(struct item) items;
	struct map labels, counters,
		holds; /* label -> index; prefix -> largest number; prefix of numbered containers */
	struct import_result *out;
	struct json *duplicates;
	bool irregular, has_odd_target;
};

static const struct json *blocks_of(const struct json *document)
{
	const struct json *blocks = json_get(document, "docjll");

	return blocks ? blocks : json_get(document, "blocks");
}

static struct text metadata_of(struct arena *a, const struct json *document)
{
	const struct json *given = json_get(document, "metadata");
	struct json *metadata = json_new_object(a);
	static const char *const own[] = {"id", "_id", "metadata", "docjll", "blocks", "type", NULL};

	for (uint32_t i = 0; json_is(given, JSON_OBJECT) && i < given->len; i++)
		json_set_key(a, metadata, (struct text){given->members[i].key, given->members[i].key_len},
			     &given->members[i].value);
	/* In the order of the specification and of real files, then all other keys. */
	static const char *const first[] = {"title", "version", "format", "source", NULL};
	for (const char *const *key = first; *key; key++)
		if (json_get(document, *key) && !json_get(metadata, *key))
			json_set(a, metadata, *key, json_get(document, *key));
	for (uint32_t i = 0; i < document->len; i++) {
		const char *key = document->members[i].key;
		bool is_own = false;
		for (const char *const *k = own; *k; k++)
			is_own |= !strcmp(*k, key);
		if (!is_own && !json_get(metadata, key) && document->members[i].value.type != JSON_NULL)
			json_set_key(a, metadata, (struct text){key, document->members[i].key_len},
				     &document->members[i].value);
	}
	return json_source(a, metadata);
}

static bool id_of(struct import *im, const struct json *document)
{
	struct call *c = im->c;
	struct text id = im->o->id.at ? im->o->id : json_text(json_get(document, "id"));

	if (!id.len)
		id = json_text(json_get(document, "_id"));
	if (!id.len)
		id = im->o->otherwise;
	if (!id.len)
		return fail(c, FAULT_ARGUMENT, "the document has no id; add \"id\": \"...\"");
	if (id.len > 200)
		return fail(c, FAULT_ARGUMENT, "the id is longer than 200 bytes; choose a shorter one");
	for (size_t i = 0; i < id.len; i++)
		if ((unsigned char)id.at[i] <= ' ' || id.at[i] == '/' || id.at[i] == 0x7f)
			return fail(
				c, FAULT_ARGUMENT,
				"the id %s has a blank, a slash or a control character; choose letters, digits, . _ -",
				shown(c, id));
	im->m.id = text_copy(c->arena, id);
	return true;
}

static bool collect(struct import *im, const struct json *list, uint32_t parent, int depth, const char *path)
{
	struct call *c = im->c;

	if (!json_is(list, JSON_ARRAY))
		return fail_as(c, SCHEMA_FAILED, "%s must be a list of blocks", path);
	if (depth > BLOCK_DEPTH_MAX)
		return fail_as(c, SCHEMA_FAILED, "blocks are nested deeper than %d", BLOCK_DEPTH_MAX);
	for (uint32_t i = 0; i < list->len; i++) {
		if (list->items[i].type != JSON_OBJECT || !json_is(json_get(&list->items[i], "type"), JSON_STRING))
			return fail_as(c, SCHEMA_FAILED, "%s[%u] is no block: an object with a type is needed", path,
				       i);
		const struct json *block = &list->items[i], *label = json_get(block, "label");
		struct item *at = ARRAY_PUSH(c->arena, &im->items);
		uint32_t index = (uint32_t)im->items.n;
		*at = (struct item){.uid = index, .ord = (int64_t)i << 32, .parent = parent, .block = block};
		at->type = json_text(json_get(block, "type"));
		at->holds = block_holds(at->type, block);
		if (label && label->type == JSON_INT)
			at->label = text_format(c->arena, "%lld", (long long)label->integer);
		else if (label && label->type == JSON_STRING && label->len)
			at->label = json_text(label);
		else if (label)
			return fail_as(c, SCHEMA_FAILED, "%s[%u].label must be a string such as sec:4.2", path, i);
		if (at->label.len > LABEL_MAX)
			return fail_as(c, SCHEMA_FAILED, "%s[%u].label is longer than %d bytes", path, i, LABEL_MAX);
		if ((at->label.len && memchr(at->label.at, 0, at->label.len)) || memchr(at->type.at, 0, at->type.len))
			return fail_as(c, SCHEMA_FAILED,
				       "%s[%u] has the character U+0000 in its type or label; remove it in the file",
				       path, i);
		if (!goes_on(c))
			return false;
		const struct json *children = json_get(block, "children");
		if (children && !collect(im, children, index, depth + 1,
					 parent ? "children" : text_format(c->arena, "%s[%u].children", path, i).at))
			return false;
	}
	return true;
}

static void see_label(struct import *im, const struct item *it)
{
	struct label l;
	bool is_there;

	if (!label_parse(it->label, &l))
		return;
	uint32_t *largest = map_at(&im->counters, l.prefix, 0, NULL);
	if (l.is_numeric && !l.is_dotted && l.number > *largest)
		*largest = (uint32_t)l.number;
	if (it->holds && l.is_numeric)
		map_at(&im->holds, l.prefix, 1, &is_there);
}

static bool check_duplicates(struct import *im)
{
	struct call *c = im->c;
	bool was;

	for (uint32_t i = 0; i < im->items.n; i++) {
		struct item *it = &im->items.items[i];
		if (!it->label.at)
			continue;
		map_at(&im->labels, it->label, i, &was);
		if (was && im->duplicates->len < LISTED_MAX)
			json_push(c->arena, im->duplicates, json_new_text(c->arena, it->label));
		see_label(im, it);
	}
	if (!im->duplicates->len)
		return true;
	struct json *details = json_new_object(c->arena);
	json_set(c->arena, details, "duplicate_labels", im->duplicates);
	fail_as(c, SCHEMA_FAILED,
		"the label %s is used by two blocks; labels must be unique, so rename one in the file",
		shown(c, json_text(&im->duplicates->items[0])));
	c->error.details = details;
	return false;
}

static uint32_t numbered_above(struct import *im, uint32_t parent, struct text number)
{
	struct label l;

	for (uint32_t p = parent; p; p = im->items.items[p - 1].parent)
		if (label_parse(im->items.items[p - 1].label, &l) && l.is_numeric &&
		    (!number.at || text_same(l.id, number)))
			return p;
	return 0;
}

/* Blocks continue the number of a sibling with a computed label; below a container without a number, also of one with a
 * dotted name. */
static void note_last(struct import *im, uint32_t i)
{
	struct item *it = &im->items.items[i];
	struct label l;

	if (!it->parent || !label_parse(it->label, &l) || !l.is_dotted)
		return;
	struct item *parent = &im->items.items[it->parent - 1];
	struct label above;
	if (!it->stem && label_parse(parent->label, &above) && above.is_numeric)
		return;
	if (text_is(l.prefix, "para"))
		parent->last_para = i + 1;
	else if (text_is(l.prefix, "sec"))
		parent->last_sec = i + 1;
}

static void give_label(struct import *im, uint32_t i)
{
	struct arena *a = im->c->arena;
	struct item *it = &im->items.items[i];
	struct text prefix = block_prefix(it->type), above = {0};
	bool is_para = text_is(prefix, "para"), was;
	uint32_t stem = 0;
	int64_t n = 0;
	struct label l;

	if ((is_para || text_is(prefix, "sec")) && it->parent) {
		const struct item *parent = &im->items.items[it->parent - 1];
		uint32_t last = is_para ? parent->last_para : parent->last_sec;
		stem = last ? (uint32_t)im->items.items[last - 1].stem
			    : numbered_above(im, it->parent, (struct text){0});
		if (last && label_parse(im->items.items[last - 1].label, &l)) {
			n = l.number;
			above = l.stem;
		} else if (stem) {
			above = label_id(im->items.items[stem - 1].label);
		}
	}
	it->is_auto = true;
	im->out->labelled++;
	do {
		if (above.at)
			it->label =
				text_format(a, "%.*s:%.*s.%lld", TEXT_ARGS(prefix), TEXT_ARGS(above), (long long)++n);
		else
			it->label =
				text_format(a, "%.*s:%u", TEXT_ARGS(prefix), ++*map_at(&im->counters, prefix, 0, NULL));
		map_at(&im->labels, it->label, i, &was);
	} while (was);
	it->stem = stem;
	it->number = n;
	it->prefix = prefix;
	im->irregular |= above.at && !stem;
	see_label(im, it);
}

static void find_positions(struct import *im)
{
	struct label l;

	for (uint32_t i = 0; i < im->items.n; i++) {
		struct item *it = &im->items.items[i];
		if (it->label.at && label_parse(it->label, &l) && l.is_dotted) {
			uint32_t stem = numbered_above(im, it->parent, l.stem);
			it->stem = stem;
			it->number = l.number;
			it->prefix = l.prefix;
			im->irregular |= !stem;
		}
		if (!it->label.at && !im->o->keep_unlabelled)
			give_label(im, i);
		note_last(im, i);
	}
	im->irregular |= im->holds.n > 1;
}

static int by_group(const void *a, const void *b)
{
	const struct item *one = *(const struct item *const *)a, *two = *(const struct item *const *)b;

	if (one->stem != two->stem)
		return one->stem < two->stem ? -1 : 1;
	int order = text_order(one->prefix, two->prefix);
	return order ? order : one->number < two->number ? -1 : one->number > two->number;
}

static void write_run(struct import *im, const struct item *first, int64_t n)
{
	struct query q =
		query_on(im->m.t, "INSERT INTO run (doc, run, stem, prefix, base, n) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");

	bind_int(&q, im->m.doc);
	bind_int(&q, first->run);
	bind_int(&q, first->stem);
	bind_text(&q, first->prefix);
	bind_int(&q, first->number);
	bind_int(&q, n);
	query_run(&q);
}

static void make_runs(struct import *im)
{
	struct item **list = arena_array(im->c->arena, im->items.n + 1, sizeof *list);
	size_t n = 0;

	for (uint32_t i = 0; i < im->items.n; i++)
		if (im->items.items[i].stem)
			list[n++] = &im->items.items[i];
	array_sort(list, n, sizeof *list, by_group);
	for (size_t i = 0, from; i < n; i = from) {
		int64_t run = ++im->m.next_run;
		for (from = i; from < n && from - i < RUN_MAX && list[from]->stem == list[i]->stem &&
			       text_same(list[from]->prefix, list[i]->prefix) &&
			       list[from]->number == list[i]->number + (int64_t)(from - i);
		     from++) {
			list[from]->run = run;
			list[from]->slot = (int64_t)(from - i);
		}
		write_run(im, list[i], (int64_t)(from - i));
	}
}

static bool write_rows(struct import *im)
{
	struct call *c = im->c;

	for (uint32_t i = 0; i < im->items.n; i++) {
		struct item *it = &im->items.items[i];
		struct arena scratch = {0};
		struct buffer stored = {.arena = &scratch};
		struct texts_list targets = {0};

		if (i % 1024 == 0) {
			if (!goes_on(c) || transaction_failed(im->m.t))
				return c->error.fault ? false : manual_is_sound(&im->m);
			progress(c, i, (double)im->items.n, "writing blocks");
		}
		node_insert(&im->m, &(struct node){.uid = it->uid,
						   .parent = it->parent,
						   .ord = it->ord,
						   .type = it->type,
						   .holds = it->holds,
						   .name = it->stem ? (struct text){0} : it->label,
						   .run = it->run,
						   .slot = it->slot,
						   .is_auto = it->is_auto});
		block_store(&stored, it->block, &targets);
		struct query q = query_on(
			im->m.t, "INSERT INTO body (doc, uid, json, folded, note) VALUES (?1, ?2, ?3, ?4, ?5)");
		bind_int(&q, im->m.doc);
		bind_int(&q, it->uid);
		bind_text(&q, buffer_text(&stored));
		bind_text(&q, block_folded(&scratch, it->block));
		bind_int(&q, block_has_note(it->block));
		query_run(&q);
		for (size_t k = 0; k < targets.items.n; k++) {
			const uint32_t *dst = map_find(&im->labels, targets.items.items[k]);
			im->out->broken += !dst;
			im->has_odd_target |= text_has_nul(targets.items.items[k]);
			ref_write(&im->m,
				  &(struct reference){it->uid, (int64_t)k, dst ? im->items.items[*dst].uid : 0,
						      targets.items.items[k]},
				  true);
		}
		arena_free(&scratch);
	}
	return true;
}

static void write_counters(struct import *im)
{
	ARRAY(struct text) seen = {0};

	for (uint32_t i = 0; i < im->items.n; i++) {
		struct label l;
		bool is_new = true;
		if (!label_parse(im->items.items[i].label, &l))
			continue;
		for (size_t k = 0; k < seen.n && is_new; k++)
			is_new = !text_same(seen.items[k], l.prefix);
		if (!is_new)
			continue;
		*ARRAY_PUSH(im->c->arena, &seen) = l.prefix;
		const uint32_t *largest = map_find(&im->counters, l.prefix);
		counter_see(&im->m,
			    &(struct label){.prefix = l.prefix, .is_numeric = true, .number = largest ? *largest : 0},
			    map_find(&im->holds, l.prefix) != NULL);
	}
}

static bool check_strict(struct import *im)
{
	im->m.kind = im->c->state;
	for (uint32_t i = 0; im->o->is_strict && i < im->items.n; i++)
		if (!im->items.items[i].parent &&
		    !blocks_hold(&im->m, im->items.items[i].block, im->items.items[i].label))
			return false;
	return true;
}

static void clear_rows(struct manual *m)
{
	static const char *const statements[] = {
		"DELETE FROM node WHERE doc = ?1",    "DELETE FROM body WHERE doc = ?1",
		"DELETE FROM run WHERE doc = ?1",     "DELETE FROM ref WHERE doc = ?1",
		"DELETE FROM counter WHERE doc = ?1", NULL};

	/* Nothing of the old text is taken over, so the tree is made again as a whole. */
	m->seals = (struct seals){.is_whole = true};

	for (const char *const *s = statements; *s; s++) {
		struct query q = query_on(m->t, *s);
		bind_int(&q, m->doc);
		query_run(&q);
	}
	m->known = (struct known){0};
}

static void write_document(struct import *im)
{
	struct manual *m = &im->m;
	uint64_t chance;

	random_bytes(&chance, sizeof chance);
	m->doc = (int64_t)(chance >> 11) + 1;
	m->created_at = clock_now();
	m->seals.is_whole = true;
	struct query q = query_on(
		m->t, "INSERT INTO doc (doc, id, metadata, created_at, modified_at, revision, blocks, next_uid, "
		      "next_run, audit_seq, audit_hash, irregular) VALUES (?1, ?2, ?3, ?4, ?4, 0, 0, 0, 0, 0, "
		      "NULL, 0)");
	bind_int(&q, m->doc);
	bind_text(&q, m->id);
	bind_text(&q, m->metadata);
	bind_int(&q, m->created_at);
	query_run(&q);
}

static bool open_place(struct import *im)
{
	struct call *c = im->c;
	struct manual *m = &im->m;
	bool may = manual_may(c, m->id, true);
	struct text metadata = m->metadata;

	/* The error is the same whether or not the name exists, so that a key learns nothing about documents it may not
	 * see. */
	if (!may)
		return fail(c, FAULT_DENIED, "this key may not create the document %s", shown(c, m->id));
	*ARRAY_PUSH(c->arena, &c->touched) = m->id;
	if (im->o->replace && manual_open(c, m->id, MANUAL_WRITE, m)) {
		m->loss = (struct loss){.blocks = m->blocks, .is_agreed = im->o->replace};
		clear_rows(m);
		/* A uid is never used twice, so the new ones begin after the old ones. */
		for (uint32_t i = 0; i < im->items.n; i++) {
			im->items.items[i].uid += m->next_uid;
		}
		m->metadata = metadata;
		m->irregular = 0;
		return true;
	}
	if (im->o->replace &&
	    (c->error.fault != FAULT_OWN || !c->error.code || strcmp(c->error.code, DOCUMENT_NOT_FOUND) != 0))
		return false;
	c->error = (struct error){0};
	m->c = c;
	m->kind = c->state;
	m->metadata = metadata;
	if (!store_begin(c, m->kind->store, STORE_WRITE, &m->t))
		return false;
	struct query q = query_on(m->t, "SELECT doc FROM doc WHERE id = ?1");
	bind_text(&q, m->id);
	bool is_there = query_row(&q);
	query_end(&q);
	if (is_there) {
		manual_close(m);
		return fail(c, FAULT_EXISTS,
			    "there is a document %s already; choose another id, or change it with the block tools",
			    shown(c, m->id));
	}
	write_document(im);
	return true;
}

/* Converts parents and stems from numbers of this import to uids of the rows. */
static void shift_identities(struct import *im, int64_t by)
{
	for (uint32_t i = 0; by && i < im->items.n; i++) {
		struct item *it = &im->items.items[i];
		if (it->stem)
			it->stem += by;
		if (it->parent)
			it->parent += (uint32_t)by;
	}
}

static bool import_rows(struct import *im)
{
	struct manual *m = &im->m;
	struct arena *a = im->c->arena;

	int64_t by = m->next_uid;
	shift_identities(im, by);
	m->next_uid += (int64_t)im->items.n;
	m->blocks = (int64_t)im->items.n;
	m->irregular = im->irregular;
	make_runs(im);
	write_counters(im);
	if (!write_rows(im))
		return false;
	struct json *details = json_new_object(a), *changed = json_new_array(a);
	if (im->o->sha256.at)
		json_set_text(a, details, "sha256", im->o->sha256);
	json_set_int(a, details, "blocks", m->blocks);
	json_set_int(a, details, "labelled", im->out->labelled);
	if (im->has_odd_target)
		*ARRAY_PUSH(a, &im->out->changed.items) = TEXT("U+0000 in targets of references became U+FFFD");
	for (size_t i = 0; i < im->out->changed.items.n; i++)
		json_push(a, changed, json_new_text(a, im->out->changed.items.items[i]));
	json_set(a, details, "normalised", changed);
	seal_whole(m);
	manual_record(m, by ? "replace_document" : "create_document", 0, (struct text){0}, details);
	im->out->audit = audit_id(a, m->id, m->audit_seq);
	return true;
}

static struct json *nested(struct arena *a, const struct json *list);

bool import_document(struct call *c, const struct json *document, const struct import_options *o,
		     struct import_result *out)
{
	struct import im = {.c = c, .o = o, .out = out};
	struct json *blocks = json_new_array(c->arena);

	*out = (struct import_result){0};
	im.labels.arena = im.counters.arena = im.holds.arena = c->arena;
	im.duplicates = json_new_array(c->arena);
	im.m.c = c;
	if (!json_is(document, JSON_OBJECT))
		return fail_as(c, SCHEMA_FAILED, "a document is an object {id, metadata, docjll}");
	const struct json *given = blocks_of(document);
	if (!json_is(given, JSON_ARRAY))
		return fail_as(c, SCHEMA_FAILED, "the document has no docjll: a list of blocks is needed");
	for (uint32_t i = 0; i < given->len; i++)
		json_push(c->arena, blocks,
			  given->items[i].type == JSON_OBJECT ? block_normal(c->arena, &given->items[i], &out->changed)
							      : &given->items[i]);
	if (o->nest)
		blocks = nested(c->arena, blocks);
	if (!id_of(&im, document) || !collect(&im, blocks, 0, 0, "docjll") || !check_duplicates(&im))
		return false;
	im.m.metadata = metadata_of(c->arena, document);
	find_positions(&im);
	if (!check_strict(&im) || !open_place(&im))
		return false;
	out->id = im.m.id;
	out->blocks = (int64_t)im.items.n;
	if (import_rows(&im))
		return manual_commit(&im.m, "create the document");
	manual_close(&im.m);
	return false;
}

static int64_t level_of(const struct json *b)
{
	int64_t level = 0;

	if (!text_is(json_text(json_get(b, "type")), "heading"))
		return 0;
	return json_integer(json_get(b, "level"), &level) ? level : 1;
}

static uint32_t nest_below(struct arena *a, const struct json *list, uint32_t i, int64_t above, struct json *to)
{
	while (i < list->len) {
		const struct json *b = &list->items[i];
		int64_t level = level_of(b);
		if (level && level <= above)
			return i;
		i++;
		if (!level || json_get(b, "children")) {
			json_push(a, to, b);
			continue;
		}
		struct json *copy = json_new_object(a), *children = json_new_array(a);
		for (uint32_t k = 0; k < b->len; k++)
			json_set_key(a, copy, (struct text){b->members[k].key, b->members[k].key_len},
				     &b->members[k].value);
		i = nest_below(a, list, i, level, children);
		json_set(a, copy, "children", children);
		json_push(a, to, copy);
	}
	return i;
}

static struct json *nested(struct arena *a, const struct json *list)
{
	struct json *to = json_new_array(a);

	nest_below(a, list, 0, 0, to);
	return to;
}
