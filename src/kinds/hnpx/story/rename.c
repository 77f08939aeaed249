#include "kinds/hnpx/story/rename.h"
#include "base/utf8.h"
#include "kinds/hnpx/bible/beside.h"
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/prose/names.h"
#include "kinds/hnpx/prose/loose.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tree/sprout.h"

struct sample {
	struct text id, in, after;
};
struct staying {
	struct text name;
	int64_t count;
};
static const struct field sample_fields[] = {
	FIELD(struct sample, id, TEXT, FIELD_REQUIRED, "Id of the node; in the bible, the name of the entry"),
	FIELD(struct sample, in, TEXT, FIELD_REQUIRED, "text, summary, bible, or the attribute's name"),
	FIELD(struct sample, after, TEXT, FIELD_REQUIRED, "The words with the new name"),
	FIELDS_END,
};
static const struct field staying_fields[] = {
	FIELD(struct staying, name, TEXT, FIELD_REQUIRED, "Alias or part of the name"),
	FIELD(struct staying, count, INT, FIELD_REQUIRED, "Places in prose, char and pov"),
	FIELDS_END,
};
const struct shape staying_shape = SHAPE(struct staying, "staying", staying_fields);
const struct shape sample_shape = SHAPE(struct sample, "sample", sample_fields);
struct renaming {
	struct call *c;
	const struct opened *opened;
	const struct renamed_name *args;
	struct edits plan;
	struct beside beside;
	struct bible_edits bible;
	struct text loose, lower, new_lower;
	ARRAY(struct staying) staying; /* names in the form of the prose */
	ARRAY(struct sample) all;      /* with the whole `after` */
	struct rename_counts *answer;
};

static struct text lowered(struct arena *a, struct text t)
{
	struct buffer out = {.arena = a};
	char bytes[4];

	for (size_t at = 0; at < t.len;)
		buffer_add(&out, (struct text){bytes, utf8_put(bytes, utf8_lower(utf8_next(t, &at)))});
	return buffer_text(&out);
}

static struct text renamed(struct arena *a, struct text t, struct text old, struct text new)
{
	struct buffer out = {.arena = a};
	size_t from = 0;

	for (size_t at; (at = name_find(t, old, from)) != SIZE_MAX; from = at + old.len) {
		buffer_add(&out, text_slice(t, from, at));
		buffer_add(&out, new);
	}
	buffer_add(&out, text_slice(t, from, t.len));
	return buffer_text(&out);
}

static void told(struct renaming *r, uint32_t node, struct text in, struct text after)
{
	*ARRAY_PUSH(r->c->arena, &r->all) = (struct sample){book_id(r->c->arena, r->opened->book, node), in, after};
}

static void staying_add(struct renaming *r, struct text name)
{
	bool changes = !name.len || name_count(name, r->args->old) || name_count(r->args->new, name);

	for (size_t i = 0; i < r->staying.n; i++)
		changes |= text_same(r->staying.items[i].name, name);
	if (!changes)
		*ARRAY_PUSH(r->c->arena, &r->staying) = (struct staying){name, 0};
}

/* The names under which the character stays known: aliases in the bible, and the parts of a full name. */
static void find_staying(struct renaming *r)
{
	struct arena *a = r->c->arena;
	const struct bible *b = r->beside.bible;
	uint32_t at = b ? bible_find(a, b, (struct text){0}, r->args->old) : BIBLE_NONE;
	struct words words = {0};

	if (at != BIBLE_NONE) {
		const struct bible_entry *e = &b->entries.items[at];
		staying_add(r, e->name);
		for (size_t i = 0; i < e->aliases.n; i++)
			staying_add(r, e->aliases.items[i]);
	}
	words_split(&words, a, r->args->old);
	for (size_t i = 0; words.list.n > 1 && i < words.list.n; i++) {
		struct text word = text_slice(r->args->old, words.list.items[i].from, words.list.items[i].to);
		if (words.list.items[i].is_capital && !is_title_word(loose_text(a, word)))
			staying_add(r, word);
	}
}

/* `after` is the text with the new name. */
static void count_staying(struct renaming *r, struct text after)
{
	for (size_t i = 0; i < r->staying.n; i++)
		r->staying.items[i].count += (int64_t)name_count(after, r->staying.items[i].name);
}

static void rename_attributes(struct renaming *r, uint32_t node)
{
	struct arena *a = r->c->arena;
	const struct book *b = r->opened->book;
	const char *who = b->nodes[node].level == LEVEL_PARAGRAPH ? "char" : "pov";
	struct text name = node_attribute(a, b, node, who), title = {0};
	struct attribute_edit edits[2];
	size_t n = 0;

	if (name.len && text_same(loose_text(a, text_trim(name)), r->loose)) {
		bool is_low = text_same(text_trim(name), r->lower) && !text_same(r->lower, r->args->old);
		edits[n++] = (struct attribute_edit){who, is_low ? r->new_lower : r->args->new};
	} else if (name_count(name, r->args->old)) { /* Valen in Mira Valen */
		edits[n++] = (struct attribute_edit){who, renamed(a, name, r->args->old, r->args->new)};
	}
	if (n) {
		r->answer->attributes++;
		told(r, node, text_of(who), edits[n - 1].value);
		name = edits[n - 1].value;
	}
	count_staying(r, name);
	if (r->args->titles && b->nodes[node].level == LEVEL_CHAPTER)
		title = node_attribute(a, b, node, "title");
	size_t places = name_count(title, r->args->old);
	if (places) {
		edits[n++] = (struct attribute_edit){"title", renamed(a, title, r->args->old, r->args->new)};
		r->answer->titles += (int64_t)places;
		told(r, node, TEXT("title"), edits[n - 1].value);
	}
	if (n)
		edits_attributes(&r->plan, node, arena_copy(a, edits, sizeof edits), n);
}

static void rename_words(struct renaming *r, uint32_t node)
{
	struct arena *a = r->c->arena;
	const struct book *b = r->opened->book;
	struct text old = r->args->old, new = r->args->new, summary = node_summary(a, b, node);
	size_t places = name_count(summary, old);

	if (places) {
		struct text after = renamed(a, summary, old, new);
		edits_summary(&r->plan, node, after);
		r->answer->summaries += (int64_t)places;
		told(r, node, TEXT("summary"), after);
	}
	if (b->nodes[node].level != LEVEL_PARAGRAPH)
		return;
	struct prose prose = node_prose(a, b, node);
	places = name_count(prose.text, old);
	if (!places) {
		count_staying(r, prose.text);
		return;
	}
	struct text after = renamed(a, prose.text, old, new);
	count_staying(r, after);
	r->answer->prose += (int64_t)places;
	told(r, node, TEXT("text"), after);
	if (r->bible.bible)
		bible_move_evidence(&r->bible, b, node, book_id(a, b, node), after);
	if (prose.is_plain && prose.from < prose.to) {
		struct buffer escaped = {.arena = a};
		sprout_words(&escaped, b, new);
		for (size_t at = 0; (at = name_find(prose.text, old, at)) != SIZE_MAX; at += old.len)
			edits_replace(&r->plan, prose.from + (uint32_t)at, prose.from + (uint32_t)(at + old.len),
				      buffer_text(&escaped));
	} else if (prose.is_framed) {
		edits_prose(&r->plan, node, after);
	} else {
		edits_prose_kept(&r->plan, node, after);
	}
}

/* Renames the character in the entries that name it, each once, in the order of the file. */
static void rename_in_bible(struct renaming *r)
{
	struct arena *a = r->c->arena;
	const struct bible *b = r->beside.bible;

	if (!b)
		return;
	r->answer->bible = (int64_t)bible_put_names(&r->bible, r->args->old, r->args->new);
	for (size_t i = 0; i < b->entries.n; i++) {
		struct text t = span_text(b->bytes, b->entries.items[i].all);
		if (name_count(t, r->args->old))
			*ARRAY_PUSH(a, &r->all) = (struct sample){b->entries.items[i].name, TEXT("bible"),
								  renamed(a, t, r->args->old, r->args->new)};
	}
}

enum { SAMPLES = 12, SAMPLE_AROUND = 60 };

static struct objects samples_of(struct renaming *r)
{
	struct arena *a = r->c->arena;
	size_t n = r->all.n < SAMPLES ? r->all.n : SAMPLES;
	struct sample *list = arena_array(a, n + 1, sizeof *list);

	for (size_t i = 0; i < n; i++) {
		list[i] = r->all.items[n > 1 ? i * (r->all.n - 1) / (n - 1) : 0];
		struct text t = list[i].after;
		size_t at = text_find(t, r->args->new, 0);
		at = at == SIZE_MAX ? 0 : at;
		size_t from = at > SAMPLE_AROUND ? utf8_cut(t, at - SAMPLE_AROUND) : 0;
		size_t end = at + r->args->new.len + SAMPLE_AROUND;
		end = end < t.len ? utf8_cut(t, end) : t.len;
		list[i].after = text_format(a, "%s%.*s%s", from ? "…" : "", TEXT_ARGS(text_slice(t, from, end)),
					    end < t.len ? "…" : "");
	}
	return (struct objects){list, n};
}

bool book_rename(struct call *c, const struct renamed_name *args, struct rename_counts *out)
{
	struct opened o;

	if (text_is_blank(args->old) || text_is_blank(args->new))
		return book_refuse(c, details_of(c, args->file_path), "INVALID_ATTRIBUTE", "%s must not be blank",
				   text_is_blank(args->old) ? "old" : "new");
	struct beside beside;
	if (!writable_attribute(c, args->file_path, "new", args->new) ||
	    !book_change_beside(c, args->file_path, &o, &beside))
		return false;
	struct renaming r = {.c = c,
			     .opened = &o,
			     .args = args,
			     .beside = beside,
			     .bible = {.arena = c->arena, .bible = beside.bible},
			     .plan = {.arena = c->arena, .book = o.book},
			     .loose = loose_text(c->arena, text_trim(args->old)),
			     .lower = lowered(c->arena, args->old),
			     .new_lower = lowered(c->arena, args->new),
			     .answer = out};
	find_staying(&r);
	struct text new_loose = loose_text(c->arena, text_trim(args->new));
	bool is_taken = false;
	for (uint32_t i = 0; i < o.book->n; i++) {
		struct text name =
			node_attribute(c->arena, o.book, i, o.book->nodes[i].level == LEVEL_PARAGRAPH ? "char" : "pov");
		is_taken |= name.len && text_same(loose_text(c->arena, text_trim(name)), new_loose);
		rename_attributes(&r, i);
		rename_words(&r, i);
		if (!(i % 256) && !goes_on(c))
			return false;
	}
	rename_in_bible(&r);
	if (!r.all.n)
		return book_refuse(
			c, details_hint(c, args->file_path, "get_bible with view characters lists the names"),
			"VALIDATION_FAILED", "\"%s\" is not the name of a character in this book", shown(c, args->old));
	if (is_taken && !text_same(new_loose, r.loose))
		warn(c, "%s was a name in this book already: the two are now one", shown(c, args->new));
	for (size_t i = 0; i < r.staying.n; i++)
		if (r.staying.items[i].count)
			r.staying.items[r.answer->staying.n++] = r.staying.items[i];
	r.answer->staying.items = r.answer->staying.n ? r.staying.items : NULL;
	r.answer->samples = samples_of(&r);
	return book_commit_beside(c, &o, &r.plan, &beside, &r.bible, "rename %s to %s", shown(c, args->old),
				  shown(c, args->new));
}
