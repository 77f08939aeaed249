/* checks.h: findings of the continuity checks. There is one function for each check, which adds its findings to the
 * list. */
#ifndef QUIRE_KINDS_HNPX_CONTINUITY_CHECKS_H
#define QUIRE_KINDS_HNPX_CONTINUITY_CHECKS_H
#include "kinds/hnpx/bible/bible.h"
#include "kinds/hnpx/hnpx.h"

enum check { CHECK_NAMES, CHECK_SPELLING, CHECK_PLACES, CHECK_POV, CHECK_FACTS, CHECK_THREADS, CHECK_FORMAT, CHECKS };

struct finding {
	struct text check, name, message;
	struct maybe_int line;
	struct texts ids;
};

struct findings {
	struct call *c;
	const struct book *book;
	const struct bible *bible; /* NULL: there is none */
	ARRAY(struct finding) list;
	bool left_names; /* the prose was not searched for names: there are no known characters, or all nouns have
			    capitals */
};

void finding_add(struct findings *f, enum check check, struct text name, const uint32_t *nodes, size_t n,
		 const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Is it the same person: the same name, a part of it, or names of one entry of the bible? */
bool same_person(const struct findings *f, struct text a, struct text b);

/* Checks that read the prose. One pass serves both. */
struct words;
struct cast_check *cast_check_new(struct findings *f);
void cast_check_read(struct cast_check *k, uint32_t paragraph, struct text prose, const struct words *words);
void cast_check_tell(struct cast_check *k, bool names, bool spelling);

struct threads;
struct threads *threads_new(struct findings *f); /* requires a bible */
void threads_read(struct threads *t, uint32_t node, struct text prose, const struct words *words); /* of a paragraph */
void threads_tell(struct threads *t);

/* The others. */
void check_places(struct findings *f);
void check_pov(struct findings *f);
void check_facts(struct findings *f);

#endif
