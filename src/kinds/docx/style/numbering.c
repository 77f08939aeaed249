#include "kinds/docx/style/numbering.h"

#include "base/array.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const label_type_names[] = {"NONE", "ARTICLE", "SECTION", "NUMBER", "LETTER", "ROMAN", "BULLET"};

static const struct xml_limits limits = {.depth = 64, .attributes = 128, .nodes = 20000000};
enum { LABEL_MAX = 200 }; /* bytes; longer ones are cut */

struct reading {
	struct package *package;
	struct numbering *numbering;
	const struct names *names;
	struct abstract *abstract;
	struct num *num;
	int32_t overridden; /* ilvl of the open lvlOverride; -1: none */
	struct level *level;
	unsigned level_depth, pr_depth, skip_depth;
};

static enum number_format format_of(struct text v)
{
	static const struct {
		const char *name;
		enum number_format format;
	} known[] = {{"decimal", FORMAT_DECIMAL},
		     {"decimalZero", FORMAT_DECIMAL_ZERO},
		     {"lowerLetter", FORMAT_LOWER_LETTER},
		     {"upperLetter", FORMAT_UPPER_LETTER},
		     {"lowerRoman", FORMAT_LOWER_ROMAN},
		     {"upperRoman", FORMAT_UPPER_ROMAN},
		     {"ordinal", FORMAT_ORDINAL},
		     {"cardinalText", FORMAT_CARDINAL_TEXT},
		     {"ordinalText", FORMAT_ORDINAL_TEXT},
		     {"bullet", FORMAT_BULLET},
		     {"none", FORMAT_NONE},
		     {"hex", FORMAT_HEX},
		     {"chicago", FORMAT_CHICAGO}};

	for (size_t i = 0; i < ARRAY_COUNT(known); i++)
		if (text_is(v, known[i].name))
			return known[i].format;
	return FORMAT_DECIMAL;
}

static int32_t level_number(struct text v)
{
	int32_t n = value_number(v, -1);

	return n < LEVELS ? n : -1;
}

static void begin_level(struct reading *r, const struct xml_scan *s)
{
	int32_t n = level_number(scan_value(s, r->names, "ilvl"));

	r->level = NULL;
	if (r->num && r->overridden >= 0) {
		r->level = r->num->levels[r->overridden] = arena_new(r->package->arena, struct level);
	} else if (r->abstract && n >= 0) {
		r->level = &r->abstract->levels[n];
	}
	if (!r->level)
		return;
	*r->level = (struct level){.is_defined = true, .restart = -1};
	paragraph_properties_clear(&r->level->paragraph);
	r->level_depth = s->depth;
}

static void level_property(struct reading *r, const struct xml_scan *s, struct text local)
{
	struct arena *a = r->package->arena;
	struct level *l = r->level;
	struct text v = scan_value(s, r->names, "val");

	if (text_is(local, "start")) {
		int32_t n = value_number(v, 0);
		l->start = n < 0 ? 0 : n;
	} else if (text_is(local, "numFmt"))
		l->format = format_of(v);
	else if (text_is(local, "lvlText"))
		l->text = xml_value(a, v, true);
	else if (text_is(local, "lvlRestart"))
		l->restart = value_number(v, -1);
	else if (text_is(local, "isLgl"))
		l->is_legal = value_is_on(v);
	else if (text_is(local, "pStyle"))
		l->style = xml_value(a, v, true);
	else if (text_is(local, "lvlPicBulletId"))
		l->has_picture = true;
	else if (text_is(local, "pPr"))
		r->pr_depth = s->depth;
	else if (text_is(local, "rPr"))
		r->skip_depth = s->depth;
}

static void begin_num(struct reading *r, const struct xml_scan *s)
{
	r->num = ARRAY_PUSH(r->package->arena, &r->numbering->nums);
	*r->num = (struct num){.id = value_number(scan_value(s, r->names, "numId"), -1), .abstract_id = -1};
	for (int i = 0; i < LEVELS; i++)
		r->num->starts[i] = -1;
	r->abstract = NULL;
	r->overridden = -1;
}

static void opened(struct reading *r, const struct xml_scan *s)
{
	struct arena *a = r->package->arena;
	struct text local;

	if (r->skip_depth || names_split(r->names, s->name, false, &local) != SPACE_W)
		return;
	if (r->pr_depth) {
		if (text_is(local, "rPr") || text_is(local, "pPrChange"))
			r->skip_depth = s->depth;
		else if (r->level)
			paragraph_property(a, s, r->names, local, &r->level->paragraph);
	} else if (r->level && s->depth == r->level_depth + 1) {
		level_property(r, s, local);
	} else if (text_is(local, "abstractNum")) {
		r->abstract = ARRAY_PUSH(a, &r->numbering->abstracts);
		r->abstract->id = value_number(scan_value(s, r->names, "abstractNumId"), -1);
		r->num = NULL;
	} else if (text_is(local, "num")) {
		begin_num(r, s);
	} else if (text_is(local, "lvl")) {
		begin_level(r, s);
	} else if (r->abstract && text_is(local, "styleLink")) {
		r->abstract->style_link = xml_value(a, scan_value(s, r->names, "val"), true);
	} else if (r->abstract && text_is(local, "numStyleLink")) {
		r->abstract->num_style_link = xml_value(a, scan_value(s, r->names, "val"), true);
	} else if (r->num && text_is(local, "abstractNumId")) {
		r->num->abstract_id = value_number(scan_value(s, r->names, "val"), -1);
	} else if (r->num && text_is(local, "lvlOverride")) {
		r->overridden = level_number(scan_value(s, r->names, "ilvl"));
	} else if (r->num && text_is(local, "startOverride") && r->overridden >= 0) {
		int32_t n = value_number(scan_value(s, r->names, "val"), -1);
		r->num->starts[r->overridden] = n;
	}
}

static void closed(struct reading *r, const struct xml_scan *s)
{
	struct text local;

	if (s->depth == r->skip_depth)
		r->skip_depth = 0;
	if (s->depth == r->pr_depth)
		r->pr_depth = 0;
	if (r->level && s->depth == r->level_depth)
		r->level = NULL;
	if (s->depth > 3 || names_split(r->names, s->name, false, &local) != SPACE_W)
		return;
	if (text_is(local, "abstractNum"))
		r->abstract = NULL;
	else if (text_is(local, "num"))
		r->num = NULL;
	else if (text_is(local, "lvlOverride"))
		r->overridden = -1;
}

static int by_number(const void *a, const void *b)
{
	const struct num *one = a, *two = b;

	return (one->id > two->id) - (one->id < two->id);
}

static const struct num *num_of(const struct numbering *n, int32_t id)
{
	struct num key = {.id = id};

	return n->nums.n ? bsearch(&key, n->nums.items, n->nums.n, sizeof key, by_number) : NULL;
}

static uint32_t abstract_of(const struct numbering *n, int32_t id)
{
	for (size_t i = 0; i < n->abstracts.n; i++)
		if (n->abstracts.items[i].id == id)
			return (uint32_t)i;
	return UINT32_MAX;
}

/* An abstract list that names a list style stands for the abstract list of that style, found directly or through the
 * style's num. */
static uint32_t linked(const struct numbering *n, const struct map *links, uint32_t abstract)
{
	struct text link = n->abstracts.items[abstract].num_style_link;

	if (!link.at)
		return abstract;
	const uint32_t *found = map_find(links, link);
	if (found)
		return *found;
	uint32_t style = styles_find(n->styles, link, STYLE_NUMBERING);
	const struct num *num =
		style == STYLE_NONE ? NULL : num_of(n, n->styles->items.items[style].all_paragraph.num_id);
	uint32_t other = num ? abstract_of(n, num->abstract_id) : UINT32_MAX;
	return other != UINT32_MAX ? other : abstract;
}

static void resolve(struct numbering *n, struct arena *a)
{
	struct map ids = {.arena = a}, links = {.arena = a};

	if (n->nums.n)
		array_sort(n->nums.items, n->nums.n, sizeof *n->nums.items, by_number);
	for (size_t i = n->abstracts.n; i-- > 0;)
		*map_at(&ids, text_copy(a, (struct text){(const char *)&n->abstracts.items[i].id, 4}), 0, NULL) =
			(uint32_t)i;
	for (size_t i = 0; i < n->abstracts.n; i++)
		if (n->abstracts.items[i].style_link.at)
			map_at(&links, n->abstracts.items[i].style_link, (uint32_t)i, NULL);
	for (size_t i = 0; i < n->nums.n; i++) {
		struct num *num = &n->nums.items[i];
		const uint32_t *found = map_find(&ids, (struct text){(const char *)&num->abstract_id, 4});
		num->abstract = found ? linked(n, &links, *found) : UINT32_MAX;
	}
}

struct numbering *numbering_read(struct call *c, struct package *p, const struct styles *styles)
{
	struct numbering *n = arena_new(p->arena, struct numbering);
	const struct relationship *r = package_find(p, RELATION_NUMBERING);
	struct part *part = NULL;
	struct error why;

	n->styles = styles;
	if (r && !package_part(c, p, r->target, &part))
		return NULL;
	if (!part)
		return n;
	struct reading reading = {.package = p, .numbering = n, .overridden = -1};
	struct xml_scan *s = arena_new(c->arena, struct xml_scan);
	for (xml_scan_begin(s, c->arena, part_now(part), &limits, &why); xml_scan_next(s) != XML_SCAN_END;) {
		if (s->token == XML_SCAN_OPEN) {
			if (s->depth == 1)
				reading.names = names_read(p->arena, NULL, text_slice(s->bytes, s->from, s->to));
			opened(&reading, s);
		} else if (s->token == XML_SCAN_CLOSE) {
			closed(&reading, s);
		}
	}
	if (s->is_bad) {
		package_refuse(c, part->name, &why);
		return NULL;
	}
	resolve(n, c->arena);
	return n;
}

static const struct level *level_of(const struct numbering *n, const struct num *num, int level)
{
	if (num->levels[level])
		return num->levels[level];
	return num->abstract == UINT32_MAX ? NULL : &n->abstracts.items[num->abstract].levels[level];
}

bool numbering_item(const struct numbering *n, const struct story *s, uint32_t p, struct list_item *out)
{
	const struct paragraph *q = &s->paragraphs.items[p];
	uint32_t style = styles_of_paragraph(s->styles, q->style);
	const struct style *named = style == STYLE_NONE ? NULL : &s->styles->items.items[style];
	int32_t id = q->num_id, level = q->level;

	if (id < 0 && named)
		id = named->all_paragraph.num_id;
	if (id <= 0)
		return false;
	const struct num *num = num_of(n, id);
	if (!num || num->abstract == UINT32_MAX)
		return false;
	if (level < 0 && named)
		level = named->all_paragraph.level;
	for (int i = 0; level < 0 && named && i < LEVELS; i++) {
		const struct level *l = level_of(n, num, i);
		if (l && l->style.at && text_same(l->style, named->id))
			level = i;
	}
	if (level < 0)
		level = 0;
	*out = (struct list_item){num, (uint8_t)level, level_of(n, num, level), 0};
	return out->definition && out->definition->is_defined;
}

struct counters {
	const struct numbering *numbering;
	struct count {
		int32_t values[LEVELS];
		bool is_used[LEVELS];
	} * counts;          /* of abstract lists */
	uint16_t *overrides; /* of nums: levels whose startOverride was already used */
};

struct counters *counters_new(struct arena *a, const struct numbering *n)
{
	struct counters *k = arena_new(a, struct counters);

	k->numbering = n;
	k->counts = arena_array(a, n->abstracts.n + 1, sizeof *k->counts);
	k->overrides = arena_array(a, n->nums.n + 1, sizeof *k->overrides);
	return k;
}

bool counters_step(struct counters *k, const struct story *s, uint32_t p, struct list_item *out)
{
	if (!story_is_there(s, p) || s->paragraphs.items[p].flags & PARAGRAPH_MARK_DELETED ||
	    !numbering_item(k->numbering, s, p, out))
		return false;
	struct count *count = &k->counts[out->num->abstract];
	size_t num = (size_t)(out->num - k->numbering->nums.items);
	int level = out->level;
	bool is_first = !(k->overrides[num] & 1 << level);
	k->overrides[num] |= (uint16_t)(1 << level);
	if (is_first && out->num->starts[level] >= 0)
		count->values[level] = out->num->starts[level];
	else if (!count->is_used[level])
		count->values[level] = out->definition->start;
	else if (count->values[level] < INT32_MAX)
		count->values[level]++;
	count->is_used[level] = true;
	for (int j = level + 1; j < LEVELS; j++) {
		const struct level *deeper = level_of(k->numbering, out->num, j);
		int32_t restart = deeper && deeper->is_defined ? deeper->restart : -1;
		if (restart < 0 || (restart > 0 && level < restart))
			count->is_used[j] = false;
	}
	out->value = count->values[level];
	return true;
}

static bool is_private(uint32_t c) { return c >= 0xE000 && c <= 0xF8FF; }

static struct text bullet(const struct level *l)
{
	size_t i = 0;

	if (!l->text.len || l->has_picture || is_private(utf8_next(l->text, &i)))
		return TEXT("•");
	return l->text;
}

struct text counters_label(struct arena *a, const struct counters *k, const struct list_item *item)
{
	struct buffer b = {.arena = a};
	const struct count *count = &k->counts[item->num->abstract];
	const struct level *own = item->definition;
	struct text t = own->text;

	if (own->format == FORMAT_BULLET || own->has_picture)
		return bullet(own);
	for (size_t i = 0; i < t.len && b.len < LABEL_MAX; i++) {
		int level = t.at[i] == '%' && i + 1 < t.len ? t.at[i + 1] - '1' : -1;
		if (level < 0 || level >= LEVELS) {
			buffer_byte(&b, t.at[i]);
			continue;
		}
		i++;
		const struct level *l = level_of(k->numbering, item->num, level);
		if (!l || !l->is_defined)
			continue;
		enum number_format format = l->format;
		if (own->is_legal && format != FORMAT_DECIMAL_ZERO && format != FORMAT_NONE)
			format = FORMAT_DECIMAL;
		number_put(&b, format, count->is_used[level] ? count->values[level] : l->start);
	}
	struct text label = buffer_text(&b);
	label.len = label.len > LABEL_MAX ? utf8_cut(label, LABEL_MAX) : label.len;
	return text_trim(label);
}

enum label_type label_type_of(const struct list_item *item, struct text label)
{
	if (label.len >= 7 && !strncasecmp(label.at, "article", 7))
		return LABEL_ARTICLE;
	if (label.len >= 7 && !strncasecmp(label.at, "section", 7))
		return LABEL_SECTION;
	switch (item->definition->format) {
	case FORMAT_LOWER_LETTER:
	case FORMAT_UPPER_LETTER: return LABEL_LETTER;
	case FORMAT_LOWER_ROMAN:
	case FORMAT_UPPER_ROMAN: return LABEL_ROMAN;
	case FORMAT_BULLET: return LABEL_BULLET;
	case FORMAT_NONE: return label.len ? LABEL_NUMBER : LABEL_NONE;
	case FORMAT_DECIMAL:
	case FORMAT_DECIMAL_ZERO:
	case FORMAT_ORDINAL:
	case FORMAT_CARDINAL_TEXT:
	case FORMAT_ORDINAL_TEXT:
	case FORMAT_HEX:
	case FORMAT_CHICAGO:
	default: return LABEL_NUMBER;
	}
}
