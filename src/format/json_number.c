/* Numbers as decimals: their value, comparison and shortest form. Nothing here depends on the locale. */
#include "format/json_number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct decimal decimal_of(struct text source)
{
	const char *p = source.at, *end = p + source.len;
	struct decimal d = {.negative = source.len && *p == '-'};
	int64_t point = 0, exponent = 0;
	bool behind_point = false;

	p += d.negative;
	for (; p < end && *p != 'e' && *p != 'E'; p++) {
		if (*p == '.') {
			behind_point = true;
			continue;
		}
		if (*p != '0') {
			if (!d.first)
				d.first = p;
			d.last = p + 1;
		}
		/* Each zero between the point and the first digit moves the point to the left. */
		point += d.first && !behind_point ? 1 : !d.first && behind_point ? -1 : 0;
	}
	if (p < end) {
		bool negative = *++p == '-';
		p += negative || *p == '+';
		for (; p < end; p++)
			if (exponent < INT32_MAX)
				exponent = exponent * 10 + (*p - '0');
		exponent = negative ? -exponent : exponent;
	}
	d.exponent = d.first ? point + exponent : 0;
	return d;
}

static const char *next_digit(const char *p, const char *last) { return p < last && *p == '.' ? p + 1 : p; }

bool decimal_same(struct decimal a, struct decimal b)
{
	const char *p = a.first, *q = b.first;

	if (!p || !q)
		return !p && !q;
	if (a.negative != b.negative || a.exponent != b.exponent)
		return false;
	for (;; p++, q++) {
		p = next_digit(p, a.last);
		q = next_digit(q, b.last);
		if (p == a.last || q == b.last)
			return p == a.last && q == b.last;
		if (*p != *q)
			return false;
	}
}

bool decimal_integer(struct decimal d, int64_t *out)
{
	uint64_t n = 0, most = (uint64_t)INT64_MAX + d.negative;
	int64_t places = d.exponent;

	if (d.exponent > 19)
		return false;
	for (const char *p = d.first; p < d.last; p++) {
		if (*p == '.')
			continue;
		if (!places-- || n > most / 10 || n * 10 > most - (uint64_t)(*p - '0'))
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	for (; d.first && places > 0; places--) {
		if (n > most / 10)
			return false;
		n *= 10;
	}
	if (places < 0)
		return false;
	*out = (int64_t)(d.negative ? 0 - n : n);
	return true;
}

bool json_integer(const struct json *v, int64_t *out)
{
	if (json_is(v, JSON_INT)) {
		*out = v->integer;
		return true;
	}
	return json_is(v, JSON_REAL) && decimal_integer(decimal_of((struct text){v->string, v->len}), out);
}

/* glibc has the C locale built in: this allocates nothing and need not be freed. */
static locale_t plain_locale(void) { return newlocale(LC_ALL_MASK, "C", (locale_t)0); }

double json_real(const struct json *v)
{
	if (json_is(v, JSON_INT))
		return (double)v->integer;
	return json_is(v, JSON_REAL) ? strtod_l(v->string, NULL, plain_locale()) : 0;
}

/* The significant digits of n without the point, and the exponent of the first one. */
static size_t shortest_digits(double n, char digits[static NUMBER_MAX], int *exponent)
{
	/* Fifteen digits are always exact. Below the normal range, fewer may be enough. */
	int precision = n < 0x1p-1022 ? 1 : 15;
	locale_t plain = plain_locale(), usual = uselocale(plain);
	char s[NUMBER_MAX];

	for (;; precision++) {
		snprintf(s, sizeof s, "%.*e", precision - 1, n);
		if (precision == 17 || strtod_l(s, NULL, plain) == n)
			break;
	}
	uselocale(usual);
	char *e = strchr(s, 'e');
	*exponent = atoi(e + 1);
	size_t len = 0;
	for (char *p = s; p < e; p++)
		if (*p != '.')
			digits[len++] = *p;
	while (len > 1 && digits[len - 1] == '0')
		len--;
	return len;
}

static char *put(char *to, const char *from, size_t n)
{
	memcpy(to, from, n);
	return to + n;
}

size_t number_write(char to[static NUMBER_MAX], double n)
{
	char digits[NUMBER_MAX], *w = to;
	int exponent;

	if (!isfinite(n))
		return (size_t)(put(w, "null", 4) - to);
	if (fabs(n) < 9007199254740992.0 && n == trunc(n)) /* below 2^53: an integer, exactly */
		return (size_t)snprintf(to, NUMBER_MAX, "%lld", (long long)n);
	if (n < 0)
		*w++ = '-';
	size_t len = shortest_digits(fabs(n), digits, &exponent);
	/* ECMAScript's layout: plain from 1e-6 up to 1e21, otherwise with an exponent. */
	if (exponent < -6 || exponent > 20) {
		*w++ = digits[0];
		if (len > 1) {
			*w++ = '.';
			w = put(w, digits + 1, len - 1);
		}
		w += snprintf(w, 7, "e%+d", exponent);
		return (size_t)(w - to);
	}
	if (exponent < 0) {
		w = put(w, "0.000000", (size_t)(1 - exponent));
		return (size_t)(put(w, digits, len) - to);
	}
	size_t whole = (size_t)exponent + 1;
	for (size_t i = 0; i < whole; i++)
		*w++ = i < len ? digits[i] : '0';
	if (len > whole) {
		*w++ = '.';
		w = put(w, digits + whole, len - whole);
	}
	return (size_t)(w - to);
}
