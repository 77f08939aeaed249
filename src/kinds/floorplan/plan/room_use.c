#include "kinds/floorplan/plan/room_use.h"

#include "base/array.h"
#include "base/ascii.h"

#include <ctype.h>

/* Beginnings of words, in the most common languages of plans. If two match, the first one is used. */
static const struct use_word {
	char begins[12];
	enum room_use use;
} use_words[] = {
	{"bath", USE_BATH},
	{"wc", USE_BATH},
	{"toilet", USE_BATH},
	{"shower", USE_BATH},
	{"ensuite", USE_BATH},
	{"powder", USE_BATH},
	{"pwdr", USE_BATH},
	{"wash", USE_BATH},
	{"lavatory", USE_BATH},
	{"restroom", USE_BATH},
	{"sauna", USE_BATH},
	{"bad", USE_BATH},
	{"bain", USE_BATH},
	{"baño", USE_BATH},
	{"bano", USE_BATH},
	{"laundry", USE_LAUNDRY},
	{"pool", USE_LAUNDRY},
	{"suite", USE_SLEEPING},
	{"bed", USE_SLEEPING},
	{"parent", USE_SLEEPING},
	{"child", USE_SLEEPING},
	{"kid", USE_SLEEPING},
	{"master", USE_SLEEPING},
	{"nursery", USE_SLEEPING},
	{"guest", USE_SLEEPING},
	{"sleep", USE_SLEEPING},
	{"schlaf", USE_SLEEPING},
	{"kinder", USE_SLEEPING},
	{"chambre", USE_SLEEPING},
	{"dormitor", USE_SLEEPING},
	{"alcoba", USE_SLEEPING},
	{"kitchen", USE_KITCHEN},
	{"küche", USE_KITCHEN},
	{"kueche", USE_KITCHEN},
	{"cuisine", USE_KITCHEN},
	{"cocina", USE_KITCHEN},
	{"galley", USE_KITCHEN},
	{"dining", USE_DINING},
	{"breakfast", USE_DINING},
	{"essz", USE_DINING},
	{"essplatz", USE_DINING},
	{"manger", USE_DINING},
	{"comedor", USE_DINING},
	{"hall", USE_CIRCULATION},
	{"corridor", USE_CIRCULATION},
	{"stair", USE_CIRCULATION},
	{"lobby", USE_CIRCULATION},
	{"passage", USE_CIRCULATION},
	{"landing", USE_CIRCULATION},
	{"vestibule", USE_CIRCULATION},
	{"lift", USE_CIRCULATION},
	{"elevator", USE_CIRCULATION},
	{"circulation", USE_CIRCULATION},
	{"core", USE_CIRCULATION},
	{"flur", USE_CIRCULATION},
	{"diele", USE_CIRCULATION},
	{"couloir", USE_CIRCULATION},
	{"pasillo", USE_CIRCULATION},
	{"foyer", USE_ENTRANCE},
	{"entr", USE_ENTRANCE},
	{"study", USE_WORK},
	{"office", USE_WORK},
	{"library", USE_WORK},
	{"meeting", USE_WORK},
	{"lab", USE_WORK},
	{"living", USE_LIVING},
	{"lounge", USE_LIVING},
	{"family", USE_LIVING},
	{"sitting", USE_LIVING},
	{"den", USE_LIVING},
	{"salon", USE_LIVING},
	{"studio", USE_LIVING},
	{"great", USE_LIVING},
	{"media", USE_LIVING},
	{"parlo", USE_LIVING},
	{"reception", USE_LIVING},
	{"wohn", USE_LIVING},
	{"sala", USE_LIVING},
	{"pantry", USE_STORAGE},
	{"closet", USE_STORAGE},
	{"stor", USE_STORAGE},
	{"utility", USE_STORAGE},
	{"wardrobe", USE_STORAGE},
	{"mech", USE_STORAGE},
	{"linen", USE_STORAGE},
	{"wic", USE_STORAGE},
	{"attic", USE_STORAGE},
	{"cellar", USE_STORAGE},
	{"dressing", USE_STORAGE},
	{"abstell", USE_STORAGE},
	{"keller", USE_STORAGE},
	{"garage", USE_GARAGE},
	{"carport", USE_GARAGE},
	{"balcony", USE_OUTDOORS},
	{"terrace", USE_OUTDOORS},
	{"patio", USE_OUTDOORS},
	{"garden", USE_OUTDOORS},
	{"deck", USE_OUTDOORS},
	{"porch", USE_OUTDOORS},
	{"yard", USE_OUTDOORS},
	{"courtyard", USE_OUTDOORS},
	{"roof", USE_OUTDOORS},
	{"veranda", USE_OUTDOORS},
	{"balkon", USE_OUTDOORS},
	{"terrasse", USE_OUTDOORS},
	{"garten", USE_OUTDOORS},
};

static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool begins(struct text t, size_t at, const char *with)
{
	for (size_t i = 1; with[i]; i++) /* the caller has compared the first character */
		if (at + i >= t.len || small(t.at[at + i]) != with[i])
			return false;
	return true;
}

/* A word begins after a character that is not a letter, and at a capital after a small letter: MasterBath. */
static bool word_begins(struct text t, size_t at)
{
	if (!is_letter(t.at[at]))
		return false;
	return !at || !is_letter(t.at[at - 1]) || (t.at[at] != small(t.at[at]) && t.at[at - 1] == small(t.at[at - 1]));
}

/* The use that the last matching word names. All matching uses are set in `said`. */
static enum room_use use_in(struct text t, unsigned *said)
{
	enum room_use use = USE_OTHER;

	for (size_t at = 0; at < t.len; at++) {
		if (!word_begins(t, at))
			continue;
		char first = small(t.at[at]);

		for (size_t i = 0; i < ARRAY_COUNT(use_words); i++)
			if (use_words[i].begins[0] == first && begins(t, at, use_words[i].begins)) {
				use = use_words[i].use;
				*said |= 1u << use;
				break;
			}
	}
	return use;
}

struct room_uses room_uses_of(struct text name, struct text label)
{
	struct room_uses uses = {0};
	enum room_use by_label = use_in(label, &uses.said), by_name = use_in(name, &uses.said);

	uses.use = by_label == USE_OTHER ? by_name : by_label;
	return uses;
}

enum room_use room_use_of(struct text name, struct text label) { return room_uses_of(name, label).use; }
