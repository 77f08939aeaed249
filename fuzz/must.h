/* must.h: checks a property that must hold for any input, even in builds without assertions. */
#ifndef QUIRE_FUZZ_MUST_H
#define QUIRE_FUZZ_MUST_H
#include <stdio.h>
#include <stdlib.h>

#define MUST(claim)                                                                                                    \
	do {                                                                                                           \
		if (!(claim)) {                                                                                        \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #claim);                            \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

#endif
