/* The reply of an embedding service, which is not trusted. Either it is refused with an error about the provider, or it
 * contains exactly the requested number of finite vectors. */
#include "must.h"
#include "kinds/notes/search/service.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t n = 1; n <= 2; n++) {
		struct arena arena = {0};
		struct call c = {.arena = &arena};
		size_t dimension = 0;
		float *vectors = service_vectors(&c, (struct text){(const char *)data, size}, n, &dimension);
		if (vectors) {
			MUST(dimension > 0 && dimension <= DIMENSION_MAX);
			for (size_t i = 0; i < n * dimension; i++)
				MUST(isfinite(vectors[i]));
		} else {
			MUST(c.error.message && !strcmp(c.error.code, "PROVIDER_ERROR"));
		}
		arena_free(&arena);
	}
	return 0;
}
