#include "base/pattern.h"

#include "base/clock.h"
#include "base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

/* Limits for one match attempt, for all attempts of a pattern together, and for the pattern itself. PCRE2 restarts its
 * step count at every starting position, so a search runs in windows of starting positions and checks the clock between
 * them. */
enum {
	STEPS_MAX = 100000,
	DEPTH_MAX = 2000,
	HEAP_MAX_KIB = 16 << 10,
	SOURCE_MAX = 4096,
	NESTING_MAX = 60,
	TIME_MAX_MS = 5000,
	WINDOW_FIRST = 1024,
	WINDOW_QUICK_MS = 5,
};

struct pattern {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *limits;
	struct text checked; /* the text that was last checked to be UTF-8 */
	int64_t spent;       /* CPU ms */
};

static void *take(size_t size, void *arena) { return arena_alloc(arena, size); }

static void leave(void *block, void *arena) { (void)block, (void)arena; }

struct pattern *pattern_new(struct call *c, struct text source, bool fold_case)
{
	pcre2_general_context *memory = pcre2_general_context_create(take, leave, c->arena);
	pcre2_compile_context *context = pcre2_compile_context_create(memory);
	uint32_t options =
		PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT | PCRE2_NO_UTF_CHECK;
	struct pattern *p = arena_new(c->arena, struct pattern);
	PCRE2_SIZE place;
	int error;

	if (source.len > SOURCE_MAX) {
		fail(c, FAULT_ARGUMENT, "the pattern has %zu bytes; at most %d are allowed", source.len, SOURCE_MAX);
		return NULL;
	}
	if (utf8_bad(source) < source.len) {
		fail(c, FAULT_ARGUMENT, "the pattern is not UTF-8 at byte %zu", utf8_bad(source) + 1);
		return NULL;
	}
	pcre2_set_parens_nest_limit(context, NESTING_MAX);
	budget_hold(); /* its memory comes from the arena */
	p->code = pcre2_compile((PCRE2_SPTR)(source.at ? source.at : ""), source.len,
				options | (fold_case ? PCRE2_CASELESS : 0), &error, &place, context);
	budget_let();
	if (!p->code) {
		PCRE2_UCHAR why[160] = "";
		pcre2_get_error_message(error, why, sizeof why);
		fail(c, FAULT_ARGUMENT, "the pattern %s is not valid at character %zu: %s", shown(c, source),
		     utf8_count(text_slice(source, 0, place)) + 1, (const char *)why);
		return NULL;
	}
	p->match = pcre2_match_data_create(1, memory);
	p->limits = pcre2_match_context_create(memory);
	pcre2_set_match_limit(p->limits, STEPS_MAX);
	pcre2_set_depth_limit(p->limits, DEPTH_MAX);
	pcre2_set_heap_limit(p->limits, HEAP_MAX_KIB);
	return p;
}

void pattern_renew(struct pattern *p)
{
	p->spent = 0;
	p->checked = (struct text){0};
}

static int too_dear(struct call *c)
{
	fail(c, FAULT_ARGUMENT, "the pattern takes too many steps on this text; write it without nested repetition");
	return -1;
}

static bool is_checked(struct call *c, struct pattern *p, struct text in, size_t start)
{
	if (start && in.at == p->checked.at && in.len == p->checked.len)
		return true;
	size_t bad = utf8_bad(in);
	p->checked = in;
	return bad == in.len ||
	       fail(c, FAULT_ARGUMENT, "the text is not UTF-8 at byte %zu, so it cannot be searched", bad + 1);
}

int pattern_find(struct call *c, struct pattern *p, struct text in, size_t start, size_t *from, size_t *to)
{
	size_t window = WINDOW_FIRST;

	in.at = in.at ? in.at : "";
	if (start > in.len)
		return 0;
	if (!is_checked(c, p, in, start))
		return -1;
	while (start < in.len && (in.at[start] & 0xC0) == 0x80)
		start++;
	for (;;) {
		size_t last = start + (window < in.len - start ? window : in.len - start);
		int64_t begun = clock_spent();
		pcre2_set_offset_limit(p->limits, last);
		budget_hold();
		int found =
			pcre2_match(p->code, (PCRE2_SPTR)in.at, in.len, start, PCRE2_NO_UTF_CHECK, p->match, p->limits);
		budget_let();
		int64_t took = clock_spent() - begun;
		p->spent += took;
		if (found >= 0) {
			*from = pcre2_get_ovector_pointer(p->match)[0];
			*to = pcre2_get_ovector_pointer(p->match)[1];
			/* \K can put the start after the end. Treat that as an empty match at the end. */
			if (*from > *to)
				*from = *to;
			return 1;
		}
		if (found != PCRE2_ERROR_NOMATCH || p->spent > TIME_MAX_MS)
			return too_dear(c);
		if (last == in.len)
			return 0;
		if (!goes_on(c))
			return -1;
		window = took < WINDOW_QUICK_MS ? window * 4 : WINDOW_FIRST;
		start = utf8_cut(in, last);
	}
}

/* A star that was matched: where to return to let it match one more character. */
struct star {
	const char *glob, *path;
	bool whole; /* a ** that matches whole components: it ends only after a slash */
};

static bool more(struct star *s, const char *end, const char **glob, const char **path)
{
	if (!s->glob)
		return false;
	do {
		if (s->path == end)
			return false;
		s->path++;
	} while (s->whole && s->path[-1] != '/');
	*glob = s->glob;
	*path = s->path;
	return true;
}

bool glob_matches(struct text glob, struct text path)
{
	const char *g = glob.at, *g_end = g + glob.len, *p = path.at, *p_end = p + path.len;
	struct star one = {0}, many = {0};

	/* Only the last star of each sort must be retried: the last ** can match everything that an earlier one
	 * could. */
	while (g < g_end || p < p_end) {
		if (g_end - g >= 2 && g[0] == '*' && g[1] == '*') {
			bool whole = (g == glob.at || g[-1] == '/') && g_end - g > 2 && g[2] == '/';
			g += whole ? 3 : 2;
			many = (struct star){g, p, whole};
			one.glob = NULL;
			continue;
		}
		if (g < g_end && *g == '*') {
			one = (struct star){++g, p, false};
			continue;
		}
		int n = g < g_end && *g == '?' && p < p_end && *p != '/' ? utf8_len(p, p_end) : 0;
		if (n) {
			g++;
			p += n;
			continue;
		}
		if (g < g_end && *g != '?' && p < p_end && *g == *p) {
			g++;
			p++;
			continue;
		}
		if (one.glob && one.path < p_end && *one.path != '/' && more(&one, p_end, &g, &p))
			continue;
		one.glob = NULL;
		if (!more(&many, p_end, &g, &p))
			return false;
	}
	return true;
}
