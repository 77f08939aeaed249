#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t read_clock(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_ticks(void) { return read_clock(CLOCK_MONOTONIC); }

int64_t clock_spent(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

/* Seconds since 1970, or a date, or a date and a time in UTC: the three forms QUIRE_NOW may have. */
static bool fixed_now(const char *s, int64_t *ms)
{
	struct tm tm = {0};
	int used = 0;
	char *end;

	if (sscanf(s, "%4d-%2d-%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &used) == 3 && used == 10) {
		int time = 0;
		if (s[used] && sscanf(s + used, "T%2d:%2d:%2d%n", &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &time) != 3)
			return false;
		if (s[used + time] && strcmp(s + used + time, "Z"))
			return false;
		tm.tm_year -= 1900;
		tm.tm_mon -= 1;
		*ms = (int64_t)timegm(&tm) * 1000;
		return true;
	}
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
