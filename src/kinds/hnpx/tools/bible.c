/* bible_tools.c: tools that read and edit the story bible. */
#include "base/utf8.h"
#include "kinds/hnpx/prose/names.h"
#include "kinds/hnpx/bible/beside.h"
#include "kinds/hnpx/story/cast.h"
#include "kinds/hnpx/tree/reading.h"

struct fact_out {
	struct text text, evidence, state;
};
struct entry_out {
	struct text section, name, prose;
	struct texts aliases;
	struct objects facts;
};

static const struct field fact_fields[] = {
	FIELD(struct fact_out, text, TEXT, FIELD_REQUIRED, "The fact"),
	FIELD(struct fact_out, evidence, TEXT, 0, "Id of the paragraph that shows it"),
	FIELD(struct fact_out, state, TEXT, 0, "Of the evidence: holds, changed, gone, or unchecked (no checksum)"),
	FIELDS_END,
};
static const struct shape fact_shape = SHAPE(struct fact_out, "fact", fact_fields);
static const struct field entry_fields[] = {
	FIELD(struct entry_out, section, TEXT, 0, "Section it is in"),
	FIELD(struct entry_out, name, TEXT, FIELD_REQUIRED, "Name"),
	FIELD(struct entry_out, aliases, TEXTS, 0, "Other names"),
	FIELD(struct entry_out, prose, TEXT, 0, "Free text"),
	FIELD(struct entry_out, facts, OBJECTS, FIELD_REQUIRED, "Facts", .shape = &fact_shape),
	FIELDS_END,
};
static const struct shape entry_shape = SHAPE(struct entry_out, "bible_entry", entry_fields);

/* Without a book the state of the evidence is left out. */
static struct entry_out entry_of(struct arena *a, const struct bible *b, const struct bible_entry *e,
				 const struct book *book)
{
	struct entry_out out = {.name = e->name, .aliases = e->aliases, .prose = bible_prose(a, b, e)};
	struct fact_out *facts = arena_array(a, (size_t)e->facts + 1, sizeof *facts);

	if (e->section != BIBLE_NONE)
		out.section = b->sections.items[e->section].name;
	if (!out.prose.len)
		out.prose = (struct text){0};
	for (uint32_t i = 0; i < e->facts; i++) {
		const struct bible_fact *f = &b->facts.items[e->first_fact + i];
		facts[i].text = f->text;
		if (f->id == BOOK_NONE)
			continue;
		facts[i].evidence = id_text(a, f->id);
		if (book)
			facts[i].state = text_of(evidence_names[bible_evidence(a, f, book)]);
	}
	out.facts = (struct objects){facts, e->facts};
	return out;
}

static size_t entry_size(const struct entry_out *e)
{
	const struct fact_out *facts = e->facts.items;
	size_t size = 80 + e->name.len + e->prose.len;

	for (size_t i = 0; i < e->aliases.n; i++)
		size += 4 + e->aliases.items[i].len;
	for (size_t i = 0; i < e->facts.n; i++)
		size += 60 + facts[i].text.len;
	return size;
}

static bool refuse_entry(struct call *c, struct text path, const struct bible *b, struct text name)
{
	struct json *details = details_hint(c, path, "get_bible without entry lists the entries");
	const char **names = arena_array(c->arena, b ? b->entries.n + 1 : 1, sizeof *names);

	for (size_t i = 0; b && i < b->entries.n; i++)
		names[i] = text_string(c->arena, b->entries.items[i].name);
	const char *near = text_nearest(name, names);
	if (near)
		json_set_text(c->arena, details, "did_you_mean", text_of(near));
	return book_refuse(c, details, "ENTRY_NOT_FOUND", "The bible has no entry %s", shown(c, name));
}

/* The section's name as the file writes it, or else its standard name. */
static bool section_of(struct call *c, struct text path, const struct bible *b, struct text given, struct text *out)
{
	uint32_t at = b ? bible_section_named(c->arena, b, given) : BIBLE_NONE;
	struct json *allowed = json_new_array(c->arena), *details = details_of(c, path);

	*out = at == BIBLE_NONE ? (struct text){0} : b->sections.items[at].name;
	for (int i = 0; i < SECTIONS; i++) {
		struct text name = text_of(bible_sections[i]);
		if (!out->at && text_same(utf8_fold(c->arena, text_trim(given)), utf8_fold(c->arena, name)))
			*out = name;
		json_push(c->arena, allowed, json_new_text(c->arena, name));
	}
	if (out->at)
		return true;
	for (size_t i = 0; b && i < b->sections.n; i++)
		if (b->sections.items[i].known < 0)
			json_push(c->arena, allowed, json_new_text(c->arena, b->sections.items[i].name));
	json_set(c->arena, details, "allowed", allowed);
	json_set_text(c->arena, details, "hint",
		      TEXT("use one of details.allowed; a new heading can be added by hand"));
	return book_refuse(c, details, "ENTRY_NOT_FOUND", "The bible has no section %s", shown(c, given));
}

enum bible_view { VIEW_ENTRIES, VIEW_CHARACTERS, VIEW_TIMELINE };
static const char *const views[] = {"entries", "characters", "timeline", NULL};

struct bible_args {
	struct text file_path, entry, section, node_id;
	int view;
	int64_t offset, limit;
};
struct bible_answer {
	struct text path;
	struct maybe_flag exists;
	int64_t total;
	struct objects entries, characters, sequences;
	struct maybe_int next_offset;
};

static const struct field bible_in[] = {
	FILE_PATH(struct bible_args),
	FIELD(struct bible_args, entry, TEXT, 0, "Name or alias; default all"),
	FIELD(struct bible_args, section, TEXT, 0, "Such as Characters"),
	FIELD(struct bible_args, view, CHOICE, 0,
	      "characters: everybody in char and pov, and where. timeline: the sequences with time, place, persons",
	      .choices = views, .otherwise = "\"entries\""),
	FIELD(struct bible_args, node_id, TEXT, 0, "These two: only below it"),
	FIELD(struct bible_args, offset, INT, FIELD_TERSE, "Number of items to skip", .limits = AT_LEAST(0),
	      .otherwise = "0"),
	FIELD(struct bible_args, limit, INT, FIELD_UNLISTED, "Maximum number of characters or sequences",
	      .limits = BETWEEN(1, 300), .otherwise = "100"),
	FIELDS_END,
};
static const struct field bible_out[] = {
	FIELD(struct bible_answer, path, TEXT, 0, "The bible's file"),
	FIELD(struct bible_answer, exists, MAYBE_FLAG, 0, "False: there is no bible yet; edit_bible starts one"),
	FIELD(struct bible_answer, total, INT, FIELD_REQUIRED, "Number of entries, characters or sequences that match"),
	FIELD(struct bible_answer, entries, OBJECTS, 0, "In the order of the file", .shape = &entry_shape),
	FIELD(struct bible_answer, characters, OBJECTS, 0, "In the order they are met", .shape = &character_shape),
	FIELD(struct bible_answer, sequences, OBJECTS, 0, "In the order of the book", .shape = &scene_shape),
	FIELD(struct bible_answer, next_offset, MAYBE_INT, 0, "There are more: call again with this offset"),
	FIELDS_END,
};

/* Characters or sequences, from the book alone. */
static bool view_book(struct call *c, const struct bible_args *args, struct bible_answer *answer)
{
	struct opened o;
	uint32_t top = 0;
	struct page page = {args->offset, args->limit};
	struct listed listed;
	bool is_timeline = args->view == VIEW_TIMELINE;

	if (args->entry.at || args->section.at)
		return book_refuse(c, details_of(c, args->file_path), "INVALID_ATTRIBUTE",
				   "entry and section belong to view entries; node_id limits view %s",
				   views[args->view]);
	if (!book_read(c, args->file_path, &o) || (args->node_id.at && !book_node(c, &o, args->node_id, &top)) ||
	    !(is_timeline ? scenes_list : cast_list)(c, o.book, top, page, &listed))
		return false;
	answer->total = listed.total;
	listed.items.items = listed.items.n ? listed.items.items : arena_array(c->arena, 1, 1);
	*(is_timeline ? &answer->sequences : &answer->characters) = listed.items;
	if (listed.items.n && args->offset + (int64_t)listed.items.n < listed.total)
		answer->next_offset = (struct maybe_int){args->offset + (int64_t)listed.items.n, true};
	return true;
}

static bool get_bible(struct call *c, const void *in, void *out)
{
	const struct bible_args *args = in;
	struct bible_answer *answer = out;

	if (args->view != VIEW_ENTRIES)
		return view_book(c, args, answer);
	struct beside b;
	struct opened o;
	struct text section = {0};
	size_t broken, size = 0;
	ARRAY(struct entry_out) list = {0};

	/* Open the bible first, so that the returned revision is the bible's, for edit_bible. */
	if (!bible_open(c, args->file_path, &b))
		return false;
	struct text revision = c->revision;
	if (!book_read_broken(c, args->file_path, &o, &broken))
		return false;
	c->revision = revision;
	answer->path = b.path;
	answer->exists = (struct maybe_flag){b.bible != NULL, true};
	answer->entries.items = arena_array(c->arena, 1, sizeof(struct entry_out));
	if (args->section.at && !section_of(c, b.path, b.bible, args->section, &section))
		return false;
	if (!b.bible)
		return true;
	uint32_t only = args->entry.at ? bible_find(c->arena, b.bible, section, args->entry) : BIBLE_NONE;
	if (args->entry.at && only == BIBLE_NONE)
		return refuse_entry(c, b.path, b.bible, args->entry);
	for (uint32_t i = 0; i < b.bible->entries.n; i++) {
		const struct bible_entry *e = &b.bible->entries.items[i];
		bool fits = !section.at ||
			    (e->section != BIBLE_NONE && text_same(b.bible->sections.items[e->section].name, section));
		if (args->entry.at ? i != only : !fits)
			continue;
		if (answer->total++ < args->offset || answer->next_offset.there)
			continue;
		struct entry_out one = entry_of(c->arena, b.bible, e, o.book);
		size += entry_size(&one);
		if (size > answer_room(c) && list.n) {
			answer->next_offset = (struct maybe_int){answer->total - 1, true};
			continue;
		}
		*ARRAY_PUSH(c->arena, &list) = one;
	}
	if (list.n)
		answer->entries = (struct objects){list.items, list.n};
	return true;
}

struct fact_in {
	struct text text, evidence;
};
struct edit_args {
	struct text file_path, section, entry, rename_to;
	struct texts aliases, remove_facts;
	struct objects add_facts;
	bool remove;
};
struct edit_answer {
	struct text path, section, entry;
	bool created, removed;
	int64_t facts;
};

static const struct field fact_in_fields[] = {
	FIELD(struct fact_in, text, TEXT, FIELD_REQUIRED | FIELD_TERSE, "One sentence"),
	FIELD(struct fact_in, evidence, TEXT, 0, "Paragraph id"),
	FIELDS_END,
};
static const struct shape fact_in_shape = SHAPE(struct fact_in, "new_fact", fact_in_fields);
static const struct field edit_in[] = {
	FILE_PATH(struct edit_args),
	FIELD(struct edit_args, section, TEXT, 0, "Characters, Places, Things or Rules"),
	FIELD(struct edit_args, entry, TEXT, FIELD_REQUIRED, "Name or alias; a new name adds it",
	      .limits = BETWEEN(1, 200)),
	FIELD(struct edit_args, aliases, TEXTS, FIELD_TERSE, "All other names; they replace the present ones",
	      .limits = AT_MOST(100)),
	FIELD(struct edit_args, add_facts, OBJECTS, 0, "One sentence each", .shape = &fact_in_shape,
	      .limits = AT_MOST(200)),
	FIELD(struct edit_args, remove_facts, TEXTS, FIELD_TERSE, "Their words, without evidence",
	      .limits = AT_MOST(200)),
	FIELD(struct edit_args, rename_to, TEXT, 0, "Not in the book: see replace_text", .limits = AT_MOST(200)),
	FIELD(struct edit_args, remove, FLAG, FIELD_TERSE, "Remove the entry", .otherwise = "false"),
	FIELDS_END,
};
static const struct field edit_out[] = {
	FIELD(struct edit_answer, path, TEXT, FIELD_REQUIRED, "The bible's file"),
	FIELD(struct edit_answer, section, TEXT, 0, "Section of the entry"),
	FIELD(struct edit_answer, entry, TEXT, FIELD_REQUIRED, "Name of the entry after the edit"),
	FIELD(struct edit_answer, created, FLAG, FIELD_REQUIRED, "The entry is new"),
	FIELD(struct edit_answer, removed, FLAG, FIELD_REQUIRED, "The entry was removed"),
	FIELD(struct edit_answer, facts, INT, FIELD_REQUIRED, "Number of facts of the entry after the edit"),
	FIELDS_END,
};

struct bible_editing {
	struct call *c;
	const struct edit_args *args;
	struct beside beside;
	struct opened book;
	struct bible_edits plan;
	struct text section; /* absent: none was given */
	uint32_t entry;      /* BIBLE_NONE: a new one */
	bool *dropped;       /* of the bible's facts */
	struct new_fact *facts, *renewed;
	size_t n, n_renewed; /* facts to add; facts that get new evidence */
	size_t total;        /* facts of the entry after the edit */
};

static bool is_one_line(struct call *c, struct text path, const char *what, struct text t)
{
	bool is_fine = !text_is_blank(t);

	for (size_t i = 0; i < t.len; i++)
		is_fine &= (unsigned char)t.at[i] >= ' ' && t.at[i] != 0x7f;
	if (is_fine)
		return true;
	struct json *details = details_hint(c, path, "write it as one line of text without control characters");
	json_set_text(c->arena, details, "argument", text_of(what));
	return book_refuse(c, details, "INVALID_ATTRIBUTE", "%s is %s", what,
			   text_is_blank(t) ? "blank" : "not one line of text");
}

static bool check_words(struct call *c, const struct edit_args *args)
{
	const struct fact_in *facts = args->add_facts.items;
	bool asks = args->aliases.items || args->add_facts.n || args->remove_facts.n || args->rename_to.at;

	if (!is_one_line(c, args->file_path, "entry", args->entry) ||
	    (args->rename_to.at && !is_one_line(c, args->file_path, "rename_to", args->rename_to)))
		return false;
	for (size_t i = 0; i < args->aliases.n; i++)
		if (!is_one_line(c, args->file_path, "aliases", args->aliases.items[i]))
			return false;
	for (size_t i = 0; i < args->add_facts.n; i++)
		if (!is_one_line(c, args->file_path, "add_facts", facts[i].text))
			return false;
	if (args->remove && asks)
		return book_refuse(c, details_hint(c, args->file_path, "leave out remove, or everything besides it"),
				   "INVALID_ATTRIBUTE", "remove takes the whole entry away and goes with nothing else");
	return true;
}

/* The book must exist. It is parsed only if a fact has evidence, so that other edits also work with a broken book. */
static bool open_book(struct bible_editing *e)
{
	const struct fact_in *facts = e->args->add_facts.items;
	struct call *c = e->c;
	struct document *d;

	for (size_t i = 0; i < e->args->add_facts.n; i++)
		if (facts[i].evidence.at)
			return book_read(c, e->args->file_path, &e->book);
	if (document_open(c, e->args->file_path, &d))
		return true;
	return book_refused(c, e->args->file_path,
			    c->error.fault == FAULT_NOT_FOUND ? "create_document makes a new book" : NULL);
}

static bool find_entry(struct bible_editing *e)
{
	struct call *c = e->c;
	const struct bible *b = e->beside.bible;
	const struct edit_args *args = e->args;

	e->entry = b ? bible_find(c->arena, b, e->section, args->entry) : BIBLE_NONE;
	if (e->entry != BIBLE_NONE) {
		if (!args->aliases.items && !args->add_facts.n && !args->remove_facts.n && !args->rename_to.at &&
		    !args->remove)
			return book_refuse(c,
					   details_hint(c, e->beside.path,
							"give aliases, add_facts, remove_facts, rename_to or remove; "
							"get_bible shows the entry"),
					   "MISSING_ATTRIBUTE", "Nothing to change in the entry %s",
					   shown(c, args->entry));
		return true;
	}
	if (args->remove || args->rename_to.at || args->remove_facts.n)
		return refuse_entry(c, e->beside.path, b, args->entry);
	if (!e->section.at) {
		refuse_entry(c, e->beside.path, b, args->entry);
		struct json *details = (struct json *)(uintptr_t)c->error.details;
		details_advise(c, details, "give section to make a new entry; get_bible lists the entries");
		return false;
	}
	uint32_t other = b ? bible_find(c->arena, b, (struct text){0}, args->entry) : BIBLE_NONE;
	if (other != BIBLE_NONE)
		warn(c, "%s is also an entry or alias in another section", shown(c, args->entry));
	return true;
}

static bool drop_facts(struct bible_editing *e)
{
	struct call *c = e->c;
	const struct bible *b = e->beside.bible;

	e->dropped = arena_array(c->arena, b ? b->facts.n + 1 : 1, sizeof *e->dropped);
	e->total = e->entry == BIBLE_NONE ? 0 : b->entries.items[e->entry].facts;
	for (size_t i = 0; i < e->args->remove_facts.n; i++) {
		const struct bible_entry *entry = &b->entries.items[e->entry];
		uint32_t fact = bible_fact_said(c->arena, b, entry, e->args->remove_facts.items[i]);
		if (fact == BIBLE_NONE) {
			struct json *details = details_hint(c, e->beside.path,
							    "give the words of a fact as get_bible shows them"),
				    *facts = json_new_array(c->arena);
			for (uint32_t k = 0; k < entry->facts && k < 20; k++)
				json_push(c->arena, facts,
					  json_new_text(c->arena, b->facts.items[entry->first_fact + k].text));
			json_set(c->arena, details, "facts", facts);
			return book_refuse(c, details, "ENTRY_NOT_FOUND", "%s has no fact \"%s\"",
					   shown(c, entry->name), shown(c, e->args->remove_facts.items[i]));
		}
		if (e->dropped[fact])
			continue;
		e->dropped[fact] = true;
		e->total--;
		bible_drop_fact(&e->plan, fact);
	}
	return true;
}

static bool evidence_of(struct bible_editing *e, struct text evidence, struct new_fact *to)
{
	struct call *c = e->c;
	uint32_t node;

	if (!evidence.at)
		return true;
	if (!book_node(c, &e->book, evidence, &node))
		return false;
	const struct book *b = e->book.book;
	if (b->nodes[node].level != LEVEL_PARAGRAPH)
		return book_refuse(c,
				   details_hint(c, e->args->file_path,
						"name the paragraph that shows it; render_node lists paragraphs with "
						"their ids"),
				   "VALIDATION_FAILED", "The evidence %s is a %s, not a paragraph", shown(c, evidence),
				   level_names[b->nodes[node].level]);
	to->id = book_id(c->arena, b, node);
	to->check = bible_check(c->arena, b, node);
	if (text_is_blank(node_shown_prose(c->arena, b, node)))
		to->check = (struct text){0}; /* no prose yet, so no checksum */
	return true;
}

/* Collects new facts. A fact that already exists gets the given evidence. */
static bool add_facts(struct bible_editing *e)
{
	struct call *c = e->c;
	const struct bible *b = e->beside.bible;
	const struct fact_in *given = e->args->add_facts.items;
	bool *seen = arena_array(c->arena, b ? b->facts.n + 1 : 1, sizeof *seen);

	e->facts = arena_array(c->arena, e->args->add_facts.n + 1, sizeof *e->facts);
	e->renewed = arena_array(c->arena, e->args->add_facts.n + 1, sizeof *e->renewed);
	for (size_t i = 0; i < e->args->add_facts.n; i++) {
		struct new_fact f = {.text = text_trim(given[i].text)};
		uint32_t old = e->entry == BIBLE_NONE
				       ? BIBLE_NONE
				       : bible_fact_said(c->arena, b, &b->entries.items[e->entry], f.text);
		bool is_twice = old != BIBLE_NONE && seen[old];
		if (!evidence_of(e, given[i].evidence, &f))
			return false;
		for (size_t k = 0; k < i; k++)
			is_twice |= text_same(text_trim(given[k].text), f.text);
		if (is_twice)
			return book_refuse(c, details_hint(c, e->args->file_path, "give each fact once"),
					   "INVALID_ATTRIBUTE", "add_facts has \"%s\" twice", shown(c, f.text));
		if (old != BIBLE_NONE)
			seen[old] = true;
		if (old == BIBLE_NONE || e->dropped[old]) {
			e->facts[e->n++] = f;
			e->total++;
		} else if (f.id.at) {
			bible_put_evidence(&e->plan, old, f.id, f.check);
			e->renewed[e->n_renewed++] = f;
		} else {
			warn(c, "The entry has the fact \"%s\" already", shown(c, f.text));
		}
	}
	return true;
}

static bool plan_name(struct bible_editing *e)
{
	struct call *c = e->c;
	const struct bible *b = e->beside.bible;

	if (!e->args->rename_to.at)
		return true;
	const struct bible_entry *entry = &b->entries.items[e->entry];
	struct text section = entry->section == BIBLE_NONE ? (struct text){0} : b->sections.items[entry->section].name;
	uint32_t taken = bible_find(c->arena, b, section, e->args->rename_to);
	if (taken != BIBLE_NONE && taken != e->entry)
		return book_refuse(
			c, details_hint(c, e->beside.path, "choose another name, or remove the other entry first"),
			"VALIDATION_FAILED", "%s is the name or an alias of another entry",
			shown(c, e->args->rename_to));
	bible_put_name(&e->plan, e->entry, e->args->rename_to);
	return true;
}

static bool fact_reads_back(struct arena *a, const struct bible *now, const struct bible_entry *entry,
			    const struct new_fact *want)
{
	uint32_t fact = bible_fact_said(a, now, entry, want->text);

	if (fact == BIBLE_NONE)
		return false;
	const struct bible_fact *f = &now->facts.items[fact];
	if (!want->id.at)
		return f->id == BOOK_NONE;
	return f->id != BOOK_NONE && text_same(id_text(a, f->id), want->id) && text_same(f->check, want->check);
}

/* Does the result contain the requested values, and otherwise as many entries and facts as before? */
static bool reads_back(struct bible_editing *e, struct text after)
{
	struct arena *a = e->c->arena;
	const struct edit_args *args = e->args;
	const struct bible *was = e->beside.bible, *now = bible_read(a, after);
	size_t entries = was ? was->entries.n : 0, facts = was ? was->facts.n : 0;

	if (args->remove)
		return now->entries.n + 1 == entries && now->facts.n + e->total == facts;
	const struct bible_entry *old = e->entry == BIBLE_NONE ? NULL : &was->entries.items[e->entry];
	struct text name = args->rename_to.at ? args->rename_to : old ? old->name : args->entry;
	uint32_t at = e->entry;
	if (!old) {
		at = bible_find(a, now, e->section, name);
		entries++;
	}
	if (at == BIBLE_NONE || at >= now->entries.n || now->entries.n != entries)
		return false;
	const struct bible_entry *entry = &now->entries.items[at];
	if (!text_same(entry->name, text_trim(name)) || entry->facts != e->total ||
	    now->facts.n != facts - (old ? old->facts : 0) + e->total)
		return false;
	for (size_t i = 0; i < e->n; i++)
		if (!fact_reads_back(a, now, entry, &e->facts[i]))
			return false;
	for (size_t i = 0; i < e->n_renewed; i++)
		if (!fact_reads_back(a, now, entry, &e->renewed[i]))
			return false;
	if (args->aliases.items && entry->aliases.n != args->aliases.n)
		return false;
	for (size_t i = 0; i < args->aliases.n; i++)
		if (!text_same(entry->aliases.items[i], text_trim(args->aliases.items[i])))
			return false;
	return true;
}

static bool commit_bible(struct bible_editing *e)
{
	struct call *c = e->c;
	struct beside *b = &e->beside;
	struct text was = b->bible ? b->bible->bytes : TEXT("");
	struct text after = splice_apply(c->arena, was, e->plan.splices.items, e->plan.splices.n);

	if (!reads_back(e, after))
		return book_refuse(
			c,
			details_hint(c, b->path,
				     "leave out Markdown marks, commas in aliases and brackets at the end "
				     "of a fact; if the entry ends in an open comment or code block, close it"),
			"VALIDATION_FAILED", "The bible would not read back as asked");
	struct change change = {.kind = CHANGE_SPLICE,
				.document = b->document,
				.splices = e->plan.splices.items,
				.n = e->plan.splices.n};
	if (!document_exists(b->document))
		change = (struct change){.kind = CHANGE_WHOLE, .document = b->document, .bytes = after};
	if (!work_commit(c, &change, 1, "edit_bible: %s", shown(c, e->args->entry)))
		return book_refused(c, b->path, NULL);
	c->revision = document_revision(b->document);
	return true;
}

static void tell_old_name(struct bible_editing *e, struct text old)
{
	struct document *d;

	if (e->args->rename_to.at && document_open(e->c, e->args->file_path, &d) &&
	    name_find(e->args->rename_to, old, 0) == SIZE_MAX && name_find(document_bytes(d), old, 0) != SIZE_MAX)
		warn(e->c, "The book still says %s; replace_text with name renames in book and bible",
		     shown(e->c, old));
}

static bool edit_bible(struct call *c, const void *in, void *out)
{
	const struct edit_args *args = in;
	struct edit_answer *answer = out;
	struct document *d;
	struct bible_editing e = {.c = c, .args = args};
	struct text path = bible_path(c->arena, args->file_path);
	static const struct bible none = {.bytes = {"", 0}, .newline = {"\n", 1}};

	/* Open the book first. A caller who may not see it gets the same error as for a missing book. */
	if (!check_words(c, args) || !open_book(&e))
		return false;
	if (!documents_change(c, &(struct want){.path = path, .want = DOCUMENT_EITHER}, 1, &d))
		return book_refused(c, path, NULL);
	if (!bible_of(c, path, d, &e.beside) ||
	    (args->section.at && !section_of(c, path, e.beside.bible, args->section, &e.section)) || !find_entry(&e))
		return false;
	const struct bible *b = e.beside.bible;
	e.plan = (struct bible_edits){.arena = c->arena, .bible = b ? b : &none};
	struct text name = e.entry == BIBLE_NONE ? text_trim(args->entry) : b->entries.items[e.entry].name;
	if (args->remove) {
		e.total = b->entries.items[e.entry].facts;
		bible_drop_entry(&e.plan, e.entry);
	} else if (!drop_facts(&e) || !add_facts(&e) || !plan_name(&e)) {
		return false;
	} else if (e.entry == BIBLE_NONE) {
		bible_put_entry(&e.plan, e.section, args->entry, args->aliases, e.facts, e.n);
	} else {
		if (args->aliases.items)
			bible_put_aliases(&e.plan, e.entry, args->aliases);
		bible_put_facts(&e.plan, e.entry, e.facts, e.n);
	}
	*answer = (struct edit_answer){.path = path,
				       .section = e.section,
				       .entry = args->rename_to.at ? text_trim(args->rename_to) : name,
				       .created = e.entry == BIBLE_NONE,
				       .removed = args->remove,
				       .facts = args->remove ? 0 : (int64_t)e.total};
	if (e.entry != BIBLE_NONE && b->entries.items[e.entry].section != BIBLE_NONE)
		answer->section = b->sections.items[b->entries.items[e.entry].section].name;
	if (!commit_bible(&e))
		return false;
	tell_old_name(&e, name);
	return true;
}

const struct tool hnpx_bible_tools[] = {
	TOOL("get_bible", "Read the story bible",
	     "Returns the story bible: characters, places, things and rules, with facts and the state of their evidence.",
	     TOOL_READS, struct bible_args, bible_in, struct bible_answer, bible_out, get_bible,
	     .example = "{\"file_path\":\"novel.hnpx\",\"entry\":\"Mira\"}"),
	TOOL("edit_bible", "Edit the story bible",
	     "Adds or edits an entry of the story bible: facts that later chapters must keep.",
	     TOOL_WRITES | TOOL_DELETES, struct edit_args, edit_in, struct edit_answer, edit_out, edit_bible,
	     .example =
		     "{\"file_path\":\"novel.hnpx\",\"section\":\"Characters\",\"entry\":\"Mira\",\"aliases\":[\"the "
		     "keeper\"],\"add_facts\":[{\"text\":\"Mira fears the sea.\",\"evidence\":\"z5y2x4\"}]}"),
	TOOLS_END,
};
