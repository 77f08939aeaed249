#include "kinds/hnpx/bible/bible_edits.h"
#include "base/buffer.h"
#include "kinds/hnpx/prose/names.h"

static void put(struct bible_edits *p, uint32_t from, uint32_t to, struct text with)
{
	*ARRAY_PUSH(p->arena, &p->splices) = (struct splice){from, to, with};
}

static void end_line(struct buffer *to, const struct bible_edits *p) { buffer_add(to, p->bible->newline); }

static void write_aliases(struct buffer *to, struct texts aliases)
{
	for (size_t i = 0; i < aliases.n; i++) {
		buffer_put(to, i ? ", " : "");
		buffer_add(to, text_trim(aliases.items[i]));
	}
}

static void write_evidence(struct buffer *to, struct text id, struct text check)
{
	buffer_byte(to, '[');
	buffer_add(to, id);
	if (check.at) {
		buffer_byte(to, ':');
		buffer_add(to, check);
	}
	buffer_byte(to, ']');
}

static void write_facts(struct buffer *to, const struct bible_edits *p, const struct new_fact *facts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buffer_put(to, "- ");
		buffer_add(to, text_trim(facts[i].text));
		if (facts[i].id.at) {
			buffer_byte(to, ' ');
			write_evidence(to, facts[i].id, facts[i].check);
		}
		end_line(to, p);
	}
}

/* The start of the line after a range's content, without blank lines at its end. */
static uint32_t written_end(const struct bible *b, struct span s)
{
	struct text in = text_slice(b->bytes, s.from, s.to);
	uint32_t at = s.from;

	for (size_t i = in.len; i > 0 && at == s.from; i--)
		if (in.at[i - 1] != ' ' && in.at[i - 1] != '\t' && in.at[i - 1] != '\r' && in.at[i - 1] != '\n')
			at = s.from + (uint32_t)i;
	while (at < s.to && b->bytes.at[at] != '\n')
		at++;
	return at < s.to ? at + 1 : at;
}

static bool ends_line(const struct bible *b, uint32_t at) { return !at || b->bytes.at[at - 1] == '\n'; }

static bool is_blank_line(const struct bible *b, uint32_t at)
{
	while (at < b->bytes.len && (b->bytes.at[at] == ' ' || b->bytes.at[at] == '\t' || b->bytes.at[at] == '\r'))
		at++;
	return at >= b->bytes.len || b->bytes.at[at] == '\n';
}

void bible_put_entry(struct bible_edits *p, struct text section, struct text name, struct texts aliases,
		     const struct new_fact *facts, size_t n)
{
	const struct bible *b = p->bible;
	uint32_t in = bible_section_named(p->arena, b, section);
	struct span whole = in == BIBLE_NONE ? (struct span){0, (uint32_t)b->bytes.len} : b->sections.items[in].all;
	uint32_t at = written_end(b, whole);
	int level = in == BIBLE_NONE ? 1 : b->sections.items[in].level;
	struct buffer out = {.arena = p->arena};
	bool is_first = text_is_blank(text_slice(b->bytes, text_starts(b->bytes, "\xef\xbb\xbf") ? 3 : 0, at));

	if (!ends_line(b, at) && !is_first)
		end_line(&out, p);
	if (!is_first)
		end_line(&out, p);
	if (in == BIBLE_NONE) {
		buffer_put(&out, "# ");
		buffer_add(&out, section);
		end_line(&out, p);
		end_line(&out, p);
	}
	buffer_fill(&out, '#', (size_t)level + 1);
	buffer_byte(&out, ' ');
	buffer_add(&out, text_trim(name));
	end_line(&out, p);
	if (aliases.n) {
		end_line(&out, p);
		buffer_put(&out, "Aliases: ");
		write_aliases(&out, aliases);
		end_line(&out, p);
	}
	if (n) {
		end_line(&out, p);
		write_facts(&out, p, facts, n);
	}
	if (!is_blank_line(b, at))
		end_line(&out, p);
	put(p, at, at, buffer_text(&out));
}

void bible_put_facts(struct bible_edits *p, uint32_t entry, const struct new_fact *facts, size_t n)
{
	const struct bible *b = p->bible;
	const struct bible_entry *e = &b->entries.items[entry];
	struct buffer out = {.arena = p->arena};
	bool is_first = !e->facts;
	uint32_t at = is_first ? written_end(b, e->all) : b->facts.items[e->first_fact + e->facts - 1].lines.to;

	if (!n)
		return;
	if (!ends_line(b, at))
		end_line(&out, p);
	if (is_first)
		end_line(&out, p);
	write_facts(&out, p, facts, n);
	if (is_first && !is_blank_line(b, at))
		end_line(&out, p);
	put(p, at, at, buffer_text(&out));
}

void bible_put_aliases(struct bible_edits *p, uint32_t entry, struct texts aliases)
{
	const struct bible_entry *e = &p->bible->entries.items[entry];
	struct buffer out = {.arena = p->arena};

	if (e->alias_line.to) {
		if (!aliases.n) {
			put(p, e->alias_line.from, e->alias_line.to, TEXT(""));
			return;
		}
		buffer_byte(&out, ' ');
		write_aliases(&out, aliases);
		put(p, e->alias_list.from, e->alias_list.to, buffer_text(&out));
		return;
	}
	if (!aliases.n)
		return;
	if (!ends_line(p->bible, e->heading.to))
		end_line(&out, p);
	end_line(&out, p);
	buffer_put(&out, "Aliases: ");
	write_aliases(&out, aliases);
	end_line(&out, p);
	if (!is_blank_line(p->bible, e->heading.to))
		end_line(&out, p);
	put(p, e->heading.to, e->heading.to, buffer_text(&out));
}

void bible_put_name(struct bible_edits *p, uint32_t entry, struct text name)
{
	const struct bible_entry *e = &p->bible->entries.items[entry];
	uint32_t from = (uint32_t)(e->name.at - p->bible->bytes.at); /* keep the emphasis around the name */

	put(p, from, from + (uint32_t)e->name.len, text_trim(name));
}

void bible_put_evidence(struct bible_edits *p, uint32_t fact, struct text id, struct text check)
{
	const struct bible_fact *f = &p->bible->facts.items[fact];
	struct buffer out = {.arena = p->arena};
	bool is_new = f->evidence.from == f->evidence.to;

	buffer_put(&out, is_new ? " " : "");
	write_evidence(&out, id, check);
	if (is_new)
		put(p, f->words_to, f->words_to, buffer_text(&out));
	else
		put(p, f->evidence.from, f->evidence.to, buffer_text(&out));
}

void bible_move_evidence(struct bible_edits *p, const struct book *b, uint32_t paragraph, struct text id,
			 struct text prose)
{
	for (uint32_t i = 0; i < p->bible->facts.n; i++) {
		const struct bible_fact *f = &p->bible->facts.items[i];
		if (f->id != b->nodes[paragraph].id)
			continue;
		bool holds = bible_evidence(p->arena, f, b) == EVIDENCE_HOLDS;
		bible_put_evidence(p, i, id, holds ? bible_check_prose(p->arena, prose) : f->check);
	}
}

static bool is_in_span(uint32_t at, struct span s) { return at >= s.from && at < s.to; }

size_t bible_put_names(struct bible_edits *p, struct text old, struct text new)
{
	const struct bible *b = p->bible;
	size_t n = 0, hidden = 0, fact = 0;

	for (size_t found = 0; (found = name_find(b->bytes, old, found)) != SIZE_MAX; found += old.len) {
		uint32_t at = (uint32_t)found;
		while (hidden < b->comments.n && b->comments.items[hidden].to <= at)
			hidden++;
		while (fact < b->facts.n && b->facts.items[fact].lines.to <= at)
			fact++;
		if ((hidden < b->comments.n && is_in_span(at, b->comments.items[hidden])) ||
		    (fact < b->facts.n && is_in_span(at, b->facts.items[fact].evidence)))
			continue;
		put(p, at, at + (uint32_t)old.len, new);
		n++;
	}
	return n;
}

void bible_drop_fact(struct bible_edits *p, uint32_t fact)
{
	struct span s = p->bible->facts.items[fact].lines;

	put(p, s.from, s.to, TEXT(""));
}

void bible_drop_entry(struct bible_edits *p, uint32_t entry)
{
	const struct bible *b = p->bible;
	struct span s = b->entries.items[entry].all;
	uint32_t next = s.to;

	for (size_t i = b->comments.n; s.to < b->bytes.len && i-- > 0;) {
		struct span c = b->comments.items[i];
		if (c.from >= s.from && c.to <= next && text_starts(span_text(b->bytes, c), "<!--") &&
		    text_is_blank(text_slice(b->bytes, c.to, next)) && ends_line(b, c.from))
			next = c.from;
	}
	put(p, s.from, next, TEXT(""));
}
