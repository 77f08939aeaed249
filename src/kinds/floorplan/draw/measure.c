/* Lengths and areas as text. */
#include "kinds/floorplan/draw/sheet.h"

enum { FRACTIONS = 8 }; /* parts of an inch that are written */

double length_steps(const struct sheet *s, double length)
{
	static const double steps[] = {
		[UNIT_M] = 100, [UNIT_CM] = 1, [UNIT_MM] = 1, [UNIT_FT] = 12 * FRACTIONS, [UNIT_IN] = FRACTIONS};

	return fmin(round(plan_length_in(s->plan, length, s->length_unit) * steps[s->length_unit]), 1e15);
}

/* 1 1/2", or 0": the fraction in its lowest terms. */
static struct text inches_words(struct arena *a, double eighths)
{
	long whole = (long)(eighths / FRACTIONS), part = (long)(eighths - (double)whole * FRACTIONS), of = FRACTIONS;

	for (; part && part % 2 == 0; part /= 2)
		of /= 2;
	return part ? text_format(a, "%ld %ld/%ld\"", whole, part, of) : text_format(a, "%ld\"", whole);
}

struct text steps_words(const struct sheet *s, double steps)
{
	struct arena *a = s->call->arena;

	switch (s->length_unit) {
	case UNIT_FT: {
		double feet = floor(steps / (12 * FRACTIONS));
		struct text inches = inches_words(a, steps - feet * 12 * FRACTIONS);

		return text_format(a, "%.0f'-%.*s", feet, TEXT_ARGS(inches));
	}
	case UNIT_IN: return inches_words(a, steps);
	case UNIT_M: return text_format(a, "%.2f", steps / 100);
	case UNIT_CM:
	case UNIT_MM: break;
	}
	return text_format(a, "%.0f", steps);
}

struct text length_words(const struct sheet *s, double length) { return steps_words(s, length_steps(s, length)); }

struct text length_unit_words(const struct sheet *s)
{
	switch (s->length_unit) {
	case UNIT_M: return TEXT(" m");
	case UNIT_CM: return TEXT(" cm");
	case UNIT_MM: return TEXT(" mm");
	case UNIT_FT:
	case UNIT_IN: break;
	}
	return TEXT("");
}

struct text area_words(const struct sheet *s, double area)
{
	double v = plan_area_in(s->plan, area, s->area_unit);

	switch (s->area_unit) {
	case AREA_SQFT: return text_format(s->call->arena, v < 10 ? "%.1f ft\xC2\xB2" : "%.0f ft\xC2\xB2", v);
	case AREA_SQM: break;
	}
	return text_format(s->call->arena, v < 1000 ? "%.1f m\xC2\xB2" : "%.0f m\xC2\xB2", v);
}
