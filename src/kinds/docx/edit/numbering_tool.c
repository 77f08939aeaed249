/* format_numbering: sets the list of a paragraph, its level and its start number. Typed numbers are text; smart_edit
 * changes them. */
#include "kinds/docx/edit/tools.h"
#include "kinds/docx/style/numbering.h"
#include "kinds/docx/surgeon/layout.h"

#include <stdio.h>

struct numbering_args {
	struct target target;
	struct texts paragraph_ids;
	struct maybe_int level, restart_at;
	struct text like;
	bool remove;
};
static const struct field numbering_in[] = {
	TARGET_FIELDS(struct numbering_args),
	FIELD(struct numbering_args, paragraph_ids, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "Ids, bookmarks or labels",
	      .limits = BETWEEN(1, 1000)),
	FIELD(struct numbering_args, level, MAYBE_INT, 0, "0: outermost", .limits = BETWEEN(0, LEVELS - 1)),
	FIELD(struct numbering_args, like, TEXT, 0, "Join the list of this paragraph, at its level"),
	FIELD(struct numbering_args, restart_at, MAYBE_INT, 0, "Number of the first paragraph; later ones follow",
	      .limits = BETWEEN(0, 32767)),
	FIELD(struct numbering_args, remove, FLAG, 0, "Take the number away"),
	FIELDS_END,
};
struct numbering_answer {
	struct session_facts session;
	int64_t affected_paragraphs;
	struct texts list_labels;
	struct edit_facts edit;
};
static const struct field numbering_out[] = {
	SESSION_FIELDS(struct numbering_answer),
	FIELD(struct numbering_answer, affected_paragraphs, INT, FIELD_REQUIRED | FIELD_TERSE,
	      "Paragraphs that changed"),
	FIELD(struct numbering_answer, list_labels, TEXTS, FIELD_REQUIRED | FIELD_TERSE,
	      "Their labels now, in the order of paragraph_ids"),
	EDIT_FIELDS(struct numbering_answer),
	FIELDS_END,
};

static void put_value(struct buffer *to, const struct names *names, const char *local, int32_t value)
{
	char digits[12];

	snprintf(digits, sizeof digits, "%d", value);
	names_open(to, names, local);
	names_attribute(to, names, "val", text_of(digits));
	buffer_put(to, "/>");
}

static int32_t own_number(struct arena *a, const struct fragment *f, uint32_t node, const char *local)
{
	struct text value = fragment_attribute(a, f, node, SPACE_W, local);

	return value.at ? value_number(value, -1) : -1;
}

/* Keeps the overrides of the list. The level that restarts gets its start number. */
static void put_overrides(struct call *c, struct buffer *to, const struct fragment *f, int32_t num, int level,
			  int32_t start)
{
	const struct names *names = fragment_names(f, 0);
	struct buffer definition = {.arena = c->arena};

	for (uint32_t i = xml_first(&f->xml, 0); i != XML_NONE; i = xml_next(&f->xml, i)) {
		if (f->tags[i] == TAG_NOT_ELEMENT || !text_is(fragment_local(f, i, NULL), "num") ||
		    own_number(c->arena, f, i, "numId") != num)
			continue;
		for (uint32_t k = xml_first(&f->xml, i); k != XML_NONE; k = xml_next(&f->xml, k)) {
			if (f->tags[k] == TAG_NOT_ELEMENT || !text_is(fragment_local(f, k, NULL), "lvlOverride"))
				continue;
			if (own_number(c->arena, f, k, "ilvl") != level) {
				buffer_add(to, fragment_bytes(f, k));
				continue;
			}
			for (uint32_t l = xml_first(&f->xml, k); l != XML_NONE; l = xml_next(&f->xml, l))
				if (f->tags[l] != TAG_NOT_ELEMENT && text_is(fragment_local(f, l, NULL), "lvl"))
					buffer_add(&definition, fragment_bytes(f, l));
		}
	}
	names_open(to, names, "lvlOverride");
	names_attribute(to, names, "ilvl", text_format(c->arena, "%d", level));
	buffer_byte(to, '>');
	put_value(to, names, "startOverride", start);
	buffer_add(to, buffer_text(&definition));
	names_close(to, names, "lvlOverride");
}

/* Adds a num of the same abstract list whose level starts at `start`, and returns its id. */
static bool restarted(struct call *c, struct session *s, const struct num *of, int level, int32_t start, int32_t *id)
{
	const struct relationship *r = package_find(s->package, RELATION_NUMBERING);
	static const struct names none = {0};
	struct part *part;
	struct fragment f;
	struct buffer num = {.arena = c->arena};

	if (!package_part(c, s->package, r->target, &part))
		return false;
	struct text bytes = part_now(part), root = fragment_root(bytes);
	if (!fragment_parse(c->arena, root, &none, &f))
		return fail(c, FAULT_INTERNAL, "the numbering part cannot be read");
	const struct names *names = fragment_names(&f, 0);
	*id = 0;
	for (size_t i = 0; i < s->numbering->nums.n; i++)
		*id = s->numbering->nums.items[i].id > *id ? s->numbering->nums.items[i].id : *id;
	++*id;
	names_open(&num, names, "num");
	names_attribute(&num, names, "numId", text_format(c->arena, "%d", *id));
	buffer_byte(&num, '>');
	put_value(&num, names, "abstractNumId", of->abstract_id);
	put_overrides(c, &num, &f, of->id, level, start);
	names_close(&num, names, "num");
	/* After all other lists, but before an element of old programs that must be last. */
	uint32_t at = f.xml.nodes[0].inner_to;
	for (uint32_t i = xml_first(&f.xml, 0); i != XML_NONE; i = xml_next(&f.xml, i))
		if (f.tags[i] != TAG_NOT_ELEMENT && text_is(fragment_local(&f, i, NULL), "numIdMacAtCleanup"))
			at = f.xml.nodes[i].from;
	at += (uint32_t)(root.at - bytes.at);
	journal_lay(&s->journal, part->name,
		    splice_apply(c->arena, bytes, &(struct splice){at, at, buffer_text(&num)}, 1));
	return session_numbering(c, s);
}

struct aim {
	struct list_item like; /* num NULL: each paragraph keeps its list */
	int32_t num_id;        /* of a new list; 0: none */
};

static bool is_defined(const struct numbering *n, const struct num *num, int level)
{
	if (num->levels[level])
		return true;
	return num->abstract != UINT32_MAX && n->abstracts.items[num->abstract].levels[level].is_defined;
}

static bool set_number(struct call *c, struct session *s, const struct numbering_args *args, size_t i, struct aim *aim,
		       bool *changed)
{
	struct text name = args->paragraph_ids.items[i];
	struct list_item item = {0};
	struct story *story;
	struct atoms atoms;
	uint32_t p;

	if (!session_anchor(c, s, name, &story, &p) || !story_atoms(c, story, p, &atoms))
		return false;
	bool is_item = numbering_item(s->numbering, story, p, &item);
	if (!is_item && (args->remove || !aim->like.num))
		return fail_as(
			c, "NOT_NUMBERED",
			"paragraph %s has no automatic number; pass like: the id of a paragraph in a list, or change a "
			"typed number with smart_edit",
			shown(c, name));
	const struct num *num = aim->like.num ? aim->like.num : item.num;
	int level = args->level.there ? (int)args->level.value : aim->like.num ? aim->like.level : item.level;
	if (!args->remove && !is_defined(s->numbering, num, level))
		return fail(c, FAULT_ARGUMENT, "the list of %s has no level %d; pass a smaller level", shown(c, name),
			    level);
	if (args->restart_at.there && !i && !restarted(c, s, num, level, (int32_t)args->restart_at.value, &aim->num_id))
		return false;
	/* Paragraphs after the first stay in the restarted list. */
	int32_t id = args->remove ? 0 : aim->num_id ? aim->num_id : num->id;
	struct text now = layout_numbering(c->arena, &atoms, id, args->remove ? 0 : level);
	*changed = !text_same(now, atoms.fragment.xml.bytes);
	if (*changed)
		story_replace(story, p, now);
	return true;
}

/* Returns the new labels of the paragraphs. */
static bool tell_labels(struct call *c, struct session *s, const struct texts *ids, struct texts *out)
{
	*out = (struct texts){arena_array(c->arena, ids->n, sizeof(struct text)), ids->n};
	for (size_t i = 0; i < ids->n; i++) {
		struct counters *k = counters_new(c->arena, s->numbering);
		struct story *story;
		struct list_item item;
		uint32_t wanted;
		out->items[i] = TEXT("");
		if (!session_anchor(c, s, ids->items[i], &story, &wanted))
			return false;
		for (uint32_t p = story_next(story, STORY_NONE); p != STORY_NONE; p = story_next(story, p)) {
			bool is_item = counters_step(k, story, p, &item);
			if (p != wanted)
				continue;
			if (is_item)
				out->items[i] = counters_label(c->arena, k, &item);
			break;
		}
		if (!goes_on(c))
			return false;
	}
	return true;
}

static bool apply_numbering(struct call *c, struct session *s, const void *in, void *out)
{
	const struct numbering_args *args = in;
	struct numbering_answer *answer = out;
	bool sets = args->level.there || args->restart_at.there || args->like.at;
	struct texts ids = {arena_array(c->arena, args->paragraph_ids.n, sizeof(struct text)), args->paragraph_ids.n};
	struct aim aim = {0};
	struct story *story;
	uint32_t p;

	if (args->remove == sets)
		return fail(c, FAULT_ARGUMENT,
			    sets ? "remove excludes level, like and restart_at; pass either remove or the others"
				 : "there is nothing to change; pass level, like, restart_at or remove");
	/* Labels can name paragraphs but change here. Ids do not change. */
	for (size_t i = 0; i < ids.n; i++) {
		if (!session_anchor(c, s, args->paragraph_ids.items[i], &story, &p))
			return false;
		ids.items[i] = text_of(story_id(c, story, p));
	}
	if (args->like.at) {
		if (!session_anchor(c, s, args->like, &story, &p))
			return false;
		if (!numbering_item(s->numbering, story, p, &aim.like))
			return fail_as(
				c, "NOT_NUMBERED",
				"paragraph %s has no automatic number; name one that read_file shows with a list_label",
				shown(c, args->like));
	}
	struct numbering_args by_id = *args;
	by_id.paragraph_ids = ids;
	for (size_t i = 0; i < ids.n; i++) {
		bool changed = false;
		if (!set_number(c, s, &by_id, i, &aim, &changed))
			return false;
		answer->affected_paragraphs += changed;
	}
	return tell_labels(c, s, &ids, &answer->list_labels);
}

const struct edit docx_format_numbering =
	EDIT("format_numbering", struct numbering_args, numbering_in, struct numbering_answer, apply_numbering);

static bool format_numbering(struct call *c, const void *in, void *out)
{
	struct numbering_answer *answer = out;

	return session_edit(c, &docx_format_numbering, in, out, &answer->session, &answer->edit);
}

const struct tool docx_numbering_tools[] = {
	TOOL("format_numbering", "Change list numbering",
	     "Changes the automatic number of paragraphs: their level, their list, where it starts, or takes it away. Other "
	     "labels follow. Returns the new labels.",
	     EDIT_EFFECT | TOOL_EXTRA, struct numbering_args, numbering_in, struct numbering_answer, numbering_out,
	     format_numbering,
	     .example = "{\"file_path\":\"nda.docx\",\"paragraph_ids\":[\"jr_para_0123456789ab\"],\"level\":1}"),
	TOOLS_END,
};
