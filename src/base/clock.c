#include "base/clock.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <time.h>

static int64_t read_clock(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_ticks(void) { return read_clock(CLOCK_MONOTONIC); }

int64_t clock_spent(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

/* What is left of a date. */
struct rest {
	const char *at, *end;
};

/* Reads n digits as a number within [least, most]; -1: anything else. */
static int field(struct rest *r, int n, int least, int most)
{
	int v = 0;

	for (int i = 0; i < n; i++, r->at++) {
		if (r->at == r->end || !is_digit((uint32_t)*r->at))
			return -1;
		v = v * 10 + (*r->at - '0');
	}
	return v >= least && v <= most ? v : -1;
}

static bool takes(struct rest *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

static bool read_day(struct rest *r, struct tm *tm)
{
	static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int year = field(r, 4, 0, 9999), month = takes(r, '-') ? field(r, 2, 1, 12) : -1;
	bool is_leap = (year % 4 == 0 && year % 100) || year % 400 == 0;

	if (year < 0 || month < 0 || !takes(r, '-'))
		return false;
	tm->tm_year = year - 1900;
	tm->tm_mon = month - 1;
	tm->tm_mday = field(r, 2, 1, days[month - 1] + (month == 2 && is_leap));
	return tm->tm_mday > 0;
}

/* Fractions are skipped. */
static bool read_time(struct rest *r, struct tm *tm, bool *has_seconds)
{
	tm->tm_hour = field(r, 2, 0, 23);
	if (tm->tm_hour < 0 || !takes(r, ':') || (tm->tm_min = field(r, 2, 0, 59)) < 0)
		return false;
	*has_seconds = takes(r, ':');
	if (!*has_seconds)
		return true;
	if ((tm->tm_sec = field(r, 2, 0, 60)) < 0)
		return false;
	if (!takes(r, '.'))
		return true;
	const char *from = r->at;
	while (r->at < r->end && is_digit((uint32_t)*r->at))
		r->at++;
	return r->at > from;
}

static bool read_zone(struct rest *r, int *seconds)
{
	if (r->at == r->end || takes(r, 'Z') || takes(r, 'z'))
		return true;
	int sign = takes(r, '+') ? 1 : takes(r, '-') ? -1 : 0;
	int hours = sign ? field(r, 2, 0, 23) : -1, minutes = hours >= 0 && takes(r, ':') ? field(r, 2, 0, 59) : -1;
	*seconds = sign * (hours * 60 + minutes) * 60;
	return minutes >= 0;
}

bool clock_read(struct text t, int64_t *ms, enum clock_form *form)
{
	struct rest r = {t.at, t.at + t.len};
	struct tm tm = {0};
	bool has_seconds = false, has_time = false;
	int zone = 0;

	if (!read_day(&r, &tm))
		return false;
	if (r.at < r.end) {
		has_time = takes(&r, 'T') || takes(&r, 't') || takes(&r, ' ');
		if (!has_time || !read_time(&r, &tm, &has_seconds) || !read_zone(&r, &zone) || r.at < r.end)
			return false;
	}
	*ms = ((int64_t)timegm(&tm) - zone) * 1000;
	if (form)
		*form = has_seconds ? CLOCK_SECOND : has_time ? CLOCK_MINUTE : CLOCK_DAY;
	return true;
}

bool clock_is_time(struct text t)
{
	struct rest r = {t.at, t.at + t.len};
	struct tm tm = {0};
	bool has_seconds;

	return read_time(&r, &tm, &has_seconds) && has_seconds && r.at == r.end;
}

/* Seconds since 1970, or a date: what QUIRE_NOW may be. */
static bool fixed_now(const char *s, int64_t *ms)
{
	char *end;

	if (clock_read(text_of(s), ms, NULL))
		return true;
	long long seconds = strtoll(s, &end, 10);
	if (end == s || *end || seconds > INT64_MAX / 1000 || seconds < INT64_MIN / 1000)
		return false;
	*ms = (int64_t)seconds * 1000;
	return true;
}

int64_t clock_now(void)
{
	const char *fixed = getenv("QUIRE_NOW");
	int64_t ms;

	return fixed && fixed_now(fixed, &ms) ? ms : read_clock(CLOCK_REALTIME);
}

struct text clock_iso(struct arena *a, int64_t ms)
{
	time_t seconds = (time_t)(ms / 1000 - (ms % 1000 < 0));
	struct tm tm;

	if (!gmtime_r(&seconds, &tm))
		return TEXT("1970-01-01T00:00:00Z");
	return text_format(a, "%04lld-%02d-%02dT%02d:%02d:%02dZ", (long long)tm.tm_year + 1900, tm.tm_mon + 1,
			   tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}
