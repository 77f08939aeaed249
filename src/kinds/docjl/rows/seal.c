#include "kinds/docjl/rows/seal_rows.h"

#include "base/array.h"
#include "base/digest.h"

#include <stdlib.h>
#include <string.h>

static bool hash_same(const struct seal_hash *a, const struct seal_hash *b) { return !memcmp(a, b, sizeof *a); }

static bool hash_is_zero(const struct seal_hash *h) { return hash_same(h, &(struct seal_hash){0}); }

struct text seal_page_bytes(const struct seal_page *p)
{
	size_t n = SEAL_SLOTS;

	while (n && hash_is_zero(&p->slots[n - 1]))
		n--;
	return (struct text){(const char *)p->slots, n * sizeof *p->slots};
}

void seal_page_read(struct text stored, struct seal_page *out)
{
	if (stored.len)
		memcpy(out->slots, stored.at, stored.len < sizeof out->slots ? stored.len : sizeof out->slots);
}

void seal_hash_page(const struct seal_page *p, struct seal_hash *out)
{
	struct text bytes = seal_page_bytes(p);

	*out = (struct seal_hash){0};
	if (bytes.len)
		sha256(bytes, out->bytes);
}

void seal_row(struct manual *m, struct seal_hash *out)
{
	struct arena scratch = {0};
	struct buffer b = {.arena = &scratch};

	buffer_format(&b, "%zu:%.*s %zu:%.*s %lld %lld %lld %lld %lld %lld %lld", m->id.len, TEXT_ARGS(m->id),
		      m->metadata.len, TEXT_ARGS(m->metadata), (long long)m->created_at, (long long)m->modified_at,
		      (long long)m->revision, (long long)m->blocks, (long long)m->next_uid, (long long)m->next_run,
		      (long long)m->irregular);
	sha256(buffer_text(&b), out->bytes);
	arena_free(&scratch);
}

void seal_join(const struct seal_hash *root, const struct seal_hash *row, struct seal_hash *out)
{
	static const char begins[] = "docjl state 1";
	char bytes[sizeof begins + 2 * sizeof *root];

	memcpy(bytes, begins, sizeof begins);
	memcpy(bytes + sizeof begins, root, sizeof *root);
	memcpy(bytes + sizeof begins + sizeof *root, row, sizeof *row);
	sha256((struct text){bytes, sizeof bytes}, out->bytes);
}

/* What an edit is about to change. */

static int by_id(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;

	return one < two ? -1 : one > two;
}

/* True: the leaf is new in the list. */
static bool leaf_note(struct manual *m, int64_t id)
{
	struct arena *a = m->c->arena;
	struct seals *s = &m->seals;
	char *key = arena_alloc(a, sizeof id);
	bool was;

	memcpy(key, &id, sizeof id);
	s->leaf_at.arena = a;
	map_at(&s->leaf_at, (struct text){key, sizeof id}, (uint32_t)s->leaves.n, &was);
	if (!was)
		*ARRAY_PUSH(a, &s->leaves) = (struct seal_leaf){.id = id};
	return !was;
}

static void pages_of(struct manual *m, const struct seal_ids *ids, struct seal_ids *out)
{
	for (int level = 0; level <= SEAL_TOP; level++)
		for (size_t i = 0; i < ids->items.n; i++) {
			int64_t number = ids->items.items[i] >> (SEAL_BITS * (level + 1));
			size_t n = out->items.n;
			if (n >= 2 && out->items.items[n - 1] == number && out->items.items[n - 2] == level)
				continue;
			int64_t key = number * (SEAL_TOP + 1) + level;
			if (map_find(&m->seals.page_at, (struct text){(const char *)&key, sizeof key}))
				continue;
			*ARRAY_PUSH(m->c->arena, &out->items) = level;
			*ARRAY_PUSH(m->c->arena, &out->items) = number;
		}
}

/* Reads leaves as they are stored now, and the pages above them. */
static struct seal_hash *leaves_now(struct manual *m, struct seal_ids *ids)
{
	struct seal_hash *now = arena_array(m->c->arena, ids->items.n + 1, sizeof *now);
	struct seal_ids pages = {0};

	if (ids->items.n)
		array_sort(ids->items.items, ids->items.n, sizeof(int64_t), by_id);
	pages_of(m, ids, &pages);
	seal_rows_read(m, ids, &pages, !m->seals.has_top, now);
	m->seals.has_top = true;
	return now;
}

static void leaves_see(struct manual *m, const int64_t *ids, size_t n, int64_t offset)
{
	struct seals *s = &m->seals;
	struct seal_ids fresh = {0};
	size_t from = s->leaves.n;

	if (s->is_whole)
		return;
	for (size_t i = 0; i < n; i++)
		if (leaf_note(m, offset + ids[i]))
			*ARRAY_PUSH(m->c->arena, &fresh.items) = offset + ids[i];
	if (!fresh.items.n)
		return;
	struct seal_hash *now = leaves_now(m, &fresh);
	for (size_t i = from; i < s->leaves.n; i++) {
		const int64_t *at =
			bsearch(&s->leaves.items[i].id, fresh.items.items, fresh.items.n, sizeof *at, by_id);
		s->leaves.items[i].before = now[at - fresh.items.items];
	}
}

void seal_block(struct manual *m, int64_t uid) { leaves_see(m, &uid, 1, 0); }
void seal_blocks(struct manual *m, const int64_t *uids, size_t n) { leaves_see(m, uids, n, 0); }
void seal_run(struct manual *m, int64_t run) { leaves_see(m, &run, 1, SEAL_COUNTERS); }
void seal_runs(struct manual *m, const int64_t *runs, size_t n) { leaves_see(m, runs, n, SEAL_COUNTERS); }
void seal_counters(struct manual *m) { leaves_see(m, &(int64_t){0}, 1, SEAL_COUNTERS); }

void seal_fresh(struct manual *m, int64_t uid)
{
	if (!m->seals.is_whole)
		leaf_note(m, uid);
}

/* The state. */

static int by_number(const void *a, const void *b)
{
	const struct seal_page *one = *(struct seal_page *const *)a, *two = *(struct seal_page *const *)b;

	return one->number < two->number ? -1 : one->number > two->number;
}

static void root_add(struct buffer *b, int64_t number, const struct seal_hash *page)
{
	buffer_format(b, "%lld:", (long long)number);
	buffer_add(b, (struct text){(const char *)page, sizeof *page});
}

static void root_of(struct manual *m, struct seal_hash *out)
{
	struct arena scratch = {0};
	struct buffer b = {.arena = &scratch};
	ARRAY(struct seal_page *) top = {0};

	for (size_t i = 0; i < m->seals.pages.n; i++)
		if (m->seals.pages.items[i]->level == SEAL_TOP && seal_page_bytes(m->seals.pages.items[i]).len)
			*ARRAY_PUSH(&scratch, &top) = m->seals.pages.items[i];
	if (top.n)
		array_sort(top.items, top.n, sizeof *top.items, by_number);
	for (size_t i = 0; i < top.n; i++) {
		struct seal_hash h;
		seal_hash_page(top.items[i], &h);
		root_add(&b, top.items[i]->number, &h);
	}
	sha256(buffer_text(&b), out->bytes);
	arena_free(&scratch);
}

static void is_altered(struct manual *m, int level, int64_t id)
{
	struct seals *s = &m->seals;

	if (level)
		s->is_torn = true;
	else
		*ARRAY_PUSH(m->c->arena, &s->altered) = id;
}

struct step {
	int64_t id;
	struct seal_hash before, after;
};

/* Puts changed hashes into the pages of one level. Returns the changed pages, as the steps of the next level. */
static size_t level_change(struct manual *m, int level, struct step *steps, size_t n)
{
	size_t pages = 0;

	for (size_t i = 0, to; i < n; i = to) {
		int64_t number = steps[i].id >> SEAL_BITS;
		bool was;
		struct seal_page *p = seal_page_at(m, level, number, &was);
		struct step page = {.id = number};
		seal_hash_page(p, &page.before);
		for (to = i; to < n && steps[to].id >> SEAL_BITS == number; to++) {
			struct seal_hash *slot = &p->slots[steps[to].id & (SEAL_SLOTS - 1)];
			if (!hash_same(slot, &steps[to].before))
				is_altered(m, level, steps[to].id);
			*slot = steps[to].after;
		}
		p->is_changed = true;
		seal_hash_page(p, &page.after);
		steps[pages++] = page;
	}
	return pages;
}

static int by_step(const void *a, const void *b)
{
	return by_id(&((const struct step *)a)->id, &((const struct step *)b)->id);
}

static void tree_change(struct manual *m)
{
	struct seals *s = &m->seals;
	struct arena *a = m->c->arena;
	struct step *steps = arena_array(a, s->leaves.n + 1, sizeof *steps);
	struct seal_ids ids = {0};
	size_t n = s->leaves.n;

	for (size_t i = 0; i < n; i++) {
		steps[i] = (struct step){.id = s->leaves.items[i].id, .before = s->leaves.items[i].before};
		*ARRAY_PUSH(a, &ids.items) = s->leaves.items[i].id;
	}
	if (n)
		array_sort(steps, n, sizeof *steps, by_step);
	struct seal_hash *now = leaves_now(m, &ids), root, was;
	for (size_t i = 0; i < n; i++)
		steps[i].after = now[i];
	/* Before the first change of a transaction the pages are as the trail says. */
	root_of(m, &root);
	seal_join(&root, &s->row, &was);
	s->is_torn |= !hash_same(&was, &s->state);
	for (int level = 0; level <= SEAL_TOP; level++)
		n = level_change(m, level, steps, n);
	root_of(m, &s->root);
	s->leaves.n = 0;
	s->leaf_at = (struct map){.arena = a};
}

void seal_state(struct manual *m, struct seal_hash *out)
{
	struct seals *s = &m->seals;

	if (!s->is_whole)
		tree_change(m);
	seal_row(m, &s->row);
	seal_join(&s->root, &s->row, &s->state);
	*out = s->state;
}

static void page_store(struct manual *m, const struct seal_page *p)
{
	struct text bytes = seal_page_bytes(p);
	struct query q = query_on(
		m->t, bytes.len ? "INSERT INTO seal (doc, level, number, hashes) VALUES (?1, ?2, ?3, ?4) ON CONFLICT "
				  "(doc, level, number) DO UPDATE SET hashes = excluded.hashes"
				: "DELETE FROM seal WHERE doc = ?1 AND level = ?2 AND number = ?3");

	bind_int(&q, m->doc);
	bind_int(&q, p->level);
	bind_int(&q, p->number);
	if (bytes.len)
		bind_bytes(&q, bytes);
	query_run(&q);
}

void seal_write(struct manual *m)
{
	for (size_t i = 0; i < m->seals.pages.n; i++)
		if (m->seals.pages.items[i]->is_changed)
			page_store(m, m->seals.pages.items[i]);
}

/* The whole tree, from its leaves on. */

struct building {
	struct manual *m;
	struct seal_page pages[SEAL_TOP + 1]; /* the ones that are being filled */
	bool is_open[SEAL_TOP + 1];
	struct buffer root;
	void (*page)(struct building *b, const struct seal_page *p);
	struct seal_finding *finding; /* when comparing */
};

static void page_close(struct building *b, int level);

static void slot_fill(struct building *b, int level, int64_t id, const struct seal_hash *h)
{
	struct seal_page *p = &b->pages[level];

	if (b->is_open[level] && p->number != id >> SEAL_BITS)
		page_close(b, level);
	if (!b->is_open[level])
		*p = (struct seal_page){.level = level, .number = id >> SEAL_BITS};
	b->is_open[level] = true;
	p->slots[id & (SEAL_SLOTS - 1)] = *h;
}

static void page_close(struct building *b, int level)
{
	struct seal_hash h;

	if (!b->is_open[level])
		return;
	b->is_open[level] = false;
	b->page(b, &b->pages[level]);
	seal_hash_page(&b->pages[level], &h);
	if (hash_is_zero(&h))
		return;
	if (level < SEAL_TOP)
		slot_fill(b, level + 1, b->pages[level].number, &h);
	else
		root_add(&b->root, b->pages[level].number, &h);
}

static void build_leaf(void *with, int64_t id, const struct seal_hash *h) { slot_fill(with, 0, id, h); }

static void build(struct building *b, struct seal_hash *root)
{
	struct arena scratch = {0};

	b->root = (struct buffer){.arena = &scratch};
	seal_rows_all(b->m, build_leaf, b);
	for (int level = 0; level <= SEAL_TOP; level++)
		page_close(b, level);
	sha256(buffer_text(&b->root), root->bytes);
	arena_free(&scratch);
}

static void store_built(struct building *b, const struct seal_page *p)
{
	if (seal_page_bytes(p).len)
		page_store(b->m, p);
}

void seal_whole(struct manual *m)
{
	struct building b = {.m = m, .page = store_built};
	struct query q = query_on(m->t, "DELETE FROM seal WHERE doc = ?1");

	bind_int(&q, m->doc);
	query_run(&q);
	build(&b, &m->seals.root);
	m->seals.is_whole = true;
}

/* Verification. */

static void slot_differs(struct seal_finding *f, struct arena *a, int64_t id)
{
	if (f->n++ < SEAL_NAMED_MAX)
		*ARRAY_PUSH(a, &f->ids) = id;
}

static void compare_page(struct building *b, const struct seal_page *p)
{
	bool was;
	struct seal_page *stored = seal_page_at(b->m, p->level, p->number, &was);

	stored->is_changed = true; /* here: it was compared */
	for (int i = 0; i < SEAL_SLOTS; i++) {
		if (hash_same(&stored->slots[i], &p->slots[i]))
			continue;
		b->finding->is_tree_intact = false;
		if (!p->level)
			slot_differs(b->finding, b->m->c->arena, p->number * SEAL_SLOTS + i);
	}
}

/* A page of blocks that have no rows any more: every leaf in it differs. */
static void compare_left(struct manual *m, const struct seal_page *p, struct seal_finding *f)
{
	if (p->is_changed)
		return;
	f->is_tree_intact = false;
	for (int i = 0; i < SEAL_SLOTS && !p->level; i++)
		if (!hash_is_zero(&p->slots[i]))
			slot_differs(f, m->c->arena, p->number * SEAL_SLOTS + i);
}

void seal_compare(struct manual *m, const struct seal_hash *state, struct seal_finding *out)
{
	struct building b = {.m = m, .page = compare_page, .finding = out};
	struct seal_hash root, row, now;

	*out = (struct seal_finding){.is_tree_intact = true};
	seal_pages_read(m);
	build(&b, &root);
	for (size_t i = 0; i < m->seals.pages.n; i++)
		compare_left(m, m->seals.pages.items[i], out);
	seal_row(m, &row);
	seal_join(&root, &row, &now);
	out->is_same = hash_same(&now, state);
}

struct text seal_name(struct manual *m, int64_t id)
{
	struct text label = id < SEAL_COUNTERS ? uid_label(m, id) : (struct text){0};

	if (id == SEAL_COUNTERS)
		return TEXT("the counters of labels");
	if (id > SEAL_COUNTERS)
		return text_format(m->c->arena, "the numbers of run %lld", (long long)(id - SEAL_COUNTERS));
	return label.at ? label : text_format(m->c->arena, "block %lld", (long long)id);
}
