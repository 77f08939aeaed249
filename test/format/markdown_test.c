/* What is a link, a heading, a tag or a named block, and what only looks like one. */
#include "support/check.h"
#include "base/buffer.h"
#include "format/markdown.h"

#include <string.h>

/* Lists everything found, one word each: w:target#part|shown (a leading ! means embedded), m:target, d:target,
 * h1:text, #tag, ^name. */
static const char *found(struct arena *a, const char *source)
{
	struct text t = text_of(source);
	struct buffer b = {.arena = a};
	struct markdown m;

	markdown_scan(a, t, 0, &m);
	for (size_t i = 0; i < m.headings.n; i++)
		buffer_format(&b, "h%d:%.*s ", m.headings.items[i].level,
			      TEXT_ARGS(span_text(t, m.headings.items[i].text)));
	for (size_t i = 0; i < m.links.n; i++) {
		const struct markdown_link *l = &m.links.items[i];
		struct text shown = span_text(t, l->shown);
		buffer_format(&b, "%s%c:%.*s%.*s", l->is_embed ? "!" : "", "wmd"[l->form],
			      TEXT_ARGS(span_text(t, l->target)), TEXT_ARGS(span_text(t, l->fragment)));
		if (shown.len)
			buffer_format(&b, "|%.*s", TEXT_ARGS(shown));
		buffer_byte(&b, ' ');
	}
	for (size_t i = 0; i < m.tags.n; i++)
		buffer_format(&b, "%.*s ", TEXT_ARGS(span_text(t, m.tags.items[i])));
	for (size_t i = 0; i < m.blocks.n; i++)
		buffer_format(&b, "^%.*s=%.*s ", TEXT_ARGS(span_text(t, m.blocks.items[i].name)),
			      TEXT_ARGS(span_text(t, m.blocks.items[i].text)));
	if (b.len)
		b.len--;
	return buffer_text(&b).at;
}

struct row {
	const char *source, *found;
};

static void check(const struct row *rows)
{
	for (; rows->source; rows++) {
		struct arena a = {0};
		const char *have = found(&a, rows->source);
		if (strcmp(have, rows->found) != 0)
			print_error("in: %s\n", rows->source);
		assert_string_equal(have, rows->found);
		arena_free(&a);
	}
}

static void wikilinks_have_target_part_and_shown_text(void **state)
{
	(void)state;
	check((const struct row[]){{"[[a]] [[b|B]] [[c#H]] [[d#^x|D]]", "w:a w:b|B w:c#H w:d#^x|D"},
				   {"![[pic.png]] ![[n]]", "!w:pic.png !w:n"},
				   {"[[ spaced name ]] [[x#a b]]", "w:spaced name w:x#a b"},
				   {"[[#Only]] [[]] [[ ]] [[|x]]", "w:#Only"},
				   {"\\[[no]] \\\\[[yes]]", "w:yes"},
				   {"[[a\nb]]", ""},
				   {"[[a]b]]", ""},
				   {"[[[a]]", "w:a"},
				   {"[[open [[a]]", "w:a"},
				   {"| a | b |\n|---|---|\n| [[T\\|al]] | [[U]] |", "w:T|al w:U"},
				   {"[[a|b|c]]", "w:a|b|c"},
				   {"text[[a]]text", "w:a"},
				   {"\\![[a]]", "w:a"},
				   {NULL, NULL}});
}

static void markdown_links_have_a_target(void **state)
{
	(void)state;
	check((const struct row[]){
		{"[x](a.md) [y](b%20c.md#h \"title\") [z](<d e.md>)", "m:a.md|x m:b%20c.md#h|y m:d e.md|z"},
		{"![i](p.png) [![i](p.png)](n.md)", "!m:p.png|i !m:p.png|i m:n.md|![i](p.png)"},
		{"[a](b(c).md) [a](b(c.md", "m:b(c).md|a"},
		{"[a] (b.md) [a]()", ""},
		{"[see [[w]] too](n.md)", "w:w m:n.md|see [[w]] too"},
		{"[ref]: target.md \"t\"\n[two]: <a b.md>\n\n[^1]: foot.md", "d:target.md|ref d:a b.md|two"},
		{"text\n[ref]: not.md", ""},
		{"[x](#part)", "m:#part|x"},
		{"[x]\\(a.md)", ""},
		{"[x](a.md \"t)", ""},
		{NULL, NULL}});
}

static void code_and_comments_hold_no_links(void **state)
{
	(void)state;
	check((const struct row[]){{"`[[a]]` ``[[b]] ` [[c]]`` [[d]]", "w:d"},
				   {"`one [[a]]\ntwo [[b]]` [[c]]", "w:c"},
				   {"` [[a]]\n\n` [[b]]", "w:a w:b"},
				   {"```\n[[a]]\n```\n[[b]]", "w:b"},
				   {"~~~ md\n[[a]]\n```\n~~~\n[[b]]", "w:b"},
				   {"````\n```\n[[a]]\n````\n[[b]]", "w:b"},
				   {"```\n[[never closed]]", ""},
				   {"``` a`b\n[[a]]", "w:a"},
				   {"> ```\n> [[a]]\n[[b]]", "w:b"},
				   {"- item\n  ```\n  [[a]]\n  ```\n  [[b]]", "w:b"},
				   {"- item\n  ```\n  [[a]]\n\n[[b]]", "w:b"},
				   {"1. x\n\n   ```\n   [[a]]\n   ```\n", ""},
				   {"para\n\n    [[a]]\n\nend [[b]]", "w:b"},
				   {"para\n    [[a]]", "w:a"},
				   {"- item\n\n    [[a]]", "w:a"},
				   {"- item\n\n      [[a]]", ""},
				   {"- item\n\t- [[a]]\n\t\t- [[b]]", "w:a w:b"},
				   {"- item\n    - [[a]]\n        - [[b]]", "w:a w:b"},
				   {"<!-- [[a]] --> [[b]]", "w:b"},
				   {"<!--\n\n[[a]]\n\n--> [[b]]", "w:b"},
				   {"text <!-- [[a]] --> [[b]]", "w:b"},
				   {"a < b [[c]] > d", "w:c"},
				   {"<a href=\"#x\">[[a]]</a>", "w:a"},
				   {NULL, NULL}});
}

static void headings_are_found_at_the_top_level(void **state)
{
	(void)state;
	check((const struct row[]){
		{"# One\n## Two ##\n### *Three* #3\n#a\n####### no", "h1:One h2:Two h3:*Three* #3 #a"},
		{"Title\n=====\n\nSub\ntwo lines\n---\n", "h1:Title h2:Sub\ntwo lines"},
		{"---\n\ntext\n\n---", ""},
		{"> # quoted\n\n- # in a list\n# Top", "h1:Top"},
		{"# [[a]] and #tag", "h1:[[a]] and #tag w:a"},
		{"```\n# code\n```\n# Real", "h1:Real"},
		{"#\n# \n", "h1: h1:"},
		{"- a\n- b\n# H\r\ntext\r\n", "h1:H"},
		{NULL, NULL}});
}

static void tags_stand_behind_a_blank(void **state)
{
	(void)state;
	check((const struct row[]){{"#one text #two/three (#four) x#no ##no", "#one #two/three #four"},
				   {"#123 #1a https://x.y/#frag `#code`", "#1a"},
				   {"#été #日本, #a\xe2\x80\x94"
				    "b",
				    "#été #日本 #a"},
				   {"\\#no", ""},
				   {NULL, NULL}});
}

static void blocks_have_names(void **state)
{
	(void)state;
	check((const struct row[]){{"A paragraph\nof two lines ^abc\n\nnext", "^abc=A paragraph\nof two lines"},
				   {"- one ^a1\n- two ^b-2", "^a1=- one ^b-2=- two"},
				   {"| t |\n|---|\n\n^tab", "^tab=| t |\n|---|"},
				   {"2^10 x^2", ""},
				   {NULL, NULL}});
}

static void hostile_text_costs_in_proportion(void **state)
{
	(void)state;
	static const char *const pieces[] = {"[[",   "](",       "`",  "``a`", "[",    "<!-- ", "<a ",
					     "![[a", "[a](b \"", "- ", "> ",   "    ", "#",     NULL};
	for (size_t i = 0; pieces[i]; i++) {
		struct arena a = {0};
		struct buffer b = {.arena = &a};
		struct markdown m;
		while (b.len < 400000)
			buffer_put(&b, pieces[i]);
		markdown_scan(&a, buffer_text(&b), 0, &m);
		assert_true(m.links.n <= 400000);
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wikilinks_have_target_part_and_shown_text),
		cmocka_unit_test(markdown_links_have_a_target),
		cmocka_unit_test(code_and_comments_hold_no_links),
		cmocka_unit_test(headings_are_found_at_the_top_level),
		cmocka_unit_test(tags_stand_behind_a_blank),
		cmocka_unit_test(blocks_have_names),
		cmocka_unit_test(hostile_text_costs_in_proportion),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
