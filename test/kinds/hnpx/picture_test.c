/* The kind and size of cover pictures, whole and damaged. */
#include "kinds/hnpx/export/picture.h"
#include "base/array.h"
#include "support/check.h"

static const struct {
	struct text bytes;
	const char *mime;
	uint32_t width, height;
} rows[] = {
	{TEXT("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\2\0\0\0\3"), "image/png", 258, 3},
	{TEXT("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\2\0\0\0"), "image/png", 0, 0},
	{TEXT("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\2\0\0\0\0"), "image/png", 0, 0},
	/* after another segment and a fill byte */
	{TEXT("\xff\xd8\xff\xe0\0\4\1\1\xff\xff\xc2\0\x11\x08\0\3\0\2"), "image/jpeg", 2, 3},
	/* a table is not a frame, and the pixels begin without one */
	{TEXT("\xff\xd8\xff\xc4\0\4\1\1\xff\xda\0\3\0\2\0\0\0\0"), "image/jpeg", 0, 0},
	{TEXT("\xff\xd8\xff\xe0\0\0\xff"), "image/jpeg", 0, 0},
	{TEXT("GIF89a\1\0\1\0"), NULL, 0, 0},
	{TEXT(""), NULL, 0, 0},
};

static void sizes_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct picture p = picture_of(rows[i].bytes);
		assert_int_equal(p.width, rows[i].width);
		assert_int_equal(p.height, rows[i].height);
		assert_true(rows[i].mime ? p.mime && text_is(text_of(p.mime), rows[i].mime) : !p.mime);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_are_read)};
	return RUN_TESTS(tests);
}
