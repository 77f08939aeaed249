#include "kinds/hnpx/tree/level.h"

static const char *const none[] = {NULL};
static const char *const of_chapter[] = {"title", "pov", NULL};
/* `location` is the name of `loc` in later files. */
static const char *const of_sequence[] = {"loc", "location", "time", "pov", NULL};
static const char *const of_paragraph[] = {"mode", "char", NULL};

const struct level_rule level_rules[LEVELS] = {
	[LEVEL_BOOK] = {none, "id", "a book holds chapters", NULL},
	[LEVEL_CHAPTER] = {of_chapter, "id, title, pov", "a chapter holds sequences", "Parent must be a book element"},
	[LEVEL_SEQUENCE] = {of_sequence, "id, loc, time, pov", "a sequence holds beats",
			    "Parent must be a chapter element"},
	[LEVEL_BEAT] = {none, "id", "a beat holds paragraphs", "Parent must be a sequence element"},
	[LEVEL_PARAGRAPH] = {of_paragraph, "id, mode, char", "a paragraph holds its summary and text only",
			     "Parent must be a beat element"},
};

const char *const mode_names[MODES + 1] = {"narration", "dialogue", "internal", NULL};

int level_named(struct text element)
{
	for (int level = 0; level < LEVELS; level++)
		if (text_is(element, level_names[level]))
			return level;
	return -1;
}

bool level_allows(int level, struct text attribute)
{
	for (const char *const *name = level_rules[level].attributes; *name; name++)
		if (text_is(attribute, *name))
			return true;
	return false;
}

int mode_named(struct text mode)
{
	for (int i = 0; i < MODES; i++)
		if (text_is(mode, mode_names[i]))
			return i;
	return -1;
}
