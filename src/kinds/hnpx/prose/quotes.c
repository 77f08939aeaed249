#include "kinds/hnpx/prose/quotes.h"
#include "base/array.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *languages; /* tags, each between spaces */
	struct quotes quotes;
} marks[] = {
	{" bs-cyrl cs de dsb et hr hsb is ksh lb luy mk nds sk sl ", {"„", "“", "‚", "‘"}},
	{" bg lt prg sgs ", {"„", "“", "„", "“"}},
	{" ka ", {"„", "“", "«", "»"}},
	{" agq ff ", {"„", "”", "‚", "’"}},
	{" bs ", {"„", "”", "‘", "’"}},
	{" sr ", {"„", "”", "’", "’"}},
	{" hu szl ", {"„", "”", "»", "«"}},
	{" nmg pl ro ", {"„", "”", "«", "»"}},
	{" fi he lag rn se sn sv yi ", {"”", "”", "’", "’"}},
	{" ar lld ms-arab syr ur ", {"”", "“", "’", "‘"}},
	{" bas be bua ky os ru sah tyv uk ", {"«", "»", "„", "“"}},
	{" ast blo bm br ca cv dyo el es-us eu ewo ie it kab kk lij mg mua nnh pms pt-ao pt-ch pt-cv pt-gq pt-gw pt-lu pt-mo"
	 " pt-mz pt-pt pt-st pt-tl sc sg ti ",
	 {"«", "»", "“", "”"}},
	{" dua el-polyton ksf nb nn no rw ", {"«", "»", "‘", "’"}},
	{" am az-arab az-cyrl fa fr-ch gsw jgo kkj mzn rm sdh wae ", {"«", "»", "‹", "›"}},
	{" shi zgh ", {"«", "»", "„", "”"}},
	{" ht hy oc yav ", {"«", "»", "«", "»"}},
	/* No line break between a French mark and its words. */
	{" fr ", {"«\u00a0", "\u00a0»", "«\u00a0", "\u00a0»"}},
	{" fr-ca ", {"«\u00a0", "\u00a0»", "”", "“"}},
	{" kk-arab ug ", {"»", "«", "›", "‹"}},
	{" fur ia ti-er tn ", {"‘", "’", "“", "”"}},
	{" nl ", {"‘", "’", "‘", "’"}},
	{" eo ", {"“", "”", "«", "»"}},
	{" st ", {"“", "’", "“", "”"}},
	{" tk ", {"“", "”", "“", "”"}},
	{" uz ", {"“", "”", "’", "‘"}},
	{" ja yue zh-hant zh-tw zh-hk zh-mo ", {"「", "」", "『", "』"}},
	{" en bm-nkoo ff-adlm uz-arab uz-cyrl ", {"“", "”", "‘", "’"}},
};

static bool is_listed(const char *languages, struct text tag)
{
	for (const char *at = languages; *at; at++)
		if (at[0] == ' ' && !strncasecmp(at + 1, tag.at, tag.len) && at[1 + tag.len] == ' ')
			return true;
	return false;
}

struct quotes quotes_of(struct text language)
{
	while (language.len) {
		for (size_t i = 0; i < ARRAY_COUNT(marks); i++)
			if (is_listed(marks[i].languages, language))
				return marks[i].quotes;
		while (language.len && language.at[--language.len] != '-')
			;
	}
	return (struct quotes){"“", "”", "‘", "’"};
}
