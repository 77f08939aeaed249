#include "kinds/floorplan/plan/room_use.h"

#include "base/array.h"

#include <ctype.h>

/* Beginnings of words, in the languages that plans come in most. Where two begin alike the first one wins. */
static const struct use_word {
	const char *begins;
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

static bool begins(struct text t, const char *with)
{
	size_t i = 0;

	for (; with[i]; i++)
		if (i >= t.len || tolower((unsigned char)t.at[i]) != (unsigned char)with[i])
			return false;
	return true;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The use that the word at `at` says; USE_OTHER when no word begins there, or none that we know. */
static enum room_use use_at(struct text t, size_t at)
{
	/* A word begins behind what is no letter, and where small letters end: MasterBath. */
	bool starts =
		is_letter(t.at[at]) && (!at || !is_letter(t.at[at - 1]) ||
					(isupper((unsigned char)t.at[at]) && islower((unsigned char)t.at[at - 1])));

	for (size_t i = 0; starts && i < ARRAY_COUNT(use_words); i++)
		if (begins(text_slice(t, at, t.len), use_words[i].begins))
			return use_words[i].use;
	return USE_OTHER;
}

static enum room_use use_in(struct text t)
{
	enum room_use use = USE_OTHER;

	for (size_t at = 0; at < t.len; at++) {
		enum room_use here = use_at(t, at);

		use = here == USE_OTHER ? use : here;
	}
	return use;
}

enum room_use room_use_of(struct text name, struct text label)
{
	enum room_use use = use_in(label);

	return use == USE_OTHER ? use_in(name) : use;
}

static bool says(struct text t, enum room_use use)
{
	for (size_t at = 0; at < t.len; at++)
		if (use_at(t, at) == use)
			return true;
	return false;
}

bool room_serves(struct text name, struct text label, enum room_use use) { return says(label, use) || says(name, use); }
