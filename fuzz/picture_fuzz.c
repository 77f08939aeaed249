/* Any bytes as a cover picture: a size is found only for PNG and JPEG, and always both sides of it or none. */
#include "must.h"
#include "kinds/hnpx/export/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct picture p = picture_of((struct text){(const char *)bytes, len});

	MUST(!p.width == !p.height);
	MUST(p.mime || !p.width);
	return 0;
}
