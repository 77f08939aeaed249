/* digest.h: revisions, secrets and random numbers.
 *
 * Only this pair of files uses xxHash and libsodium. */
#ifndef QUIRE_BASE_DIGEST_H
#define QUIRE_BASE_DIGEST_H
#include "base/text.h"

/* A document's revision: XXH3-128 of its bytes as 16 lower-case base32 characters (80 bits). Fast, not secret. */
enum { REVISION_LEN = 16 };
struct revision {
	char chars[REVISION_LEN + 1];
};
struct revision revision_of(struct text bytes);
struct revision revision_of_pieces(const struct text *pieces, size_t n); /* of the pieces joined */

void random_bytes(void *to, size_t n);
uint32_t random_below(uint32_t bound); /* without bias */

void sha256(struct text bytes, unsigned char out[32]);
void hmac_sha256(struct text key, struct text bytes, unsigned char out[32]);
bool secret_same(const void *a, const void *b, size_t n); /* in constant time */
void secret_clear(void *p, size_t n);

/* Signatures by Ed25519. A key is its seed; the public key follows from it. */
enum { SIGN_SEED = 32, SIGN_PUBLIC = 32, SIGN_BYTES = 64 };
void sign_public(const unsigned char seed[SIGN_SEED], unsigned char out[SIGN_PUBLIC]);
void sign_bytes(const unsigned char seed[SIGN_SEED], struct text bytes, unsigned char out[SIGN_BYTES]);
bool sign_holds(const unsigned char public[SIGN_PUBLIC], struct text bytes, const unsigned char signature[SIGN_BYTES]);

struct text base64_encode(struct arena *a, struct text bytes);
struct text base64_decode(struct arena *a, struct text chars);    /* strict alphabet and padding; absent: not base64 */
struct text base64url_encode(struct arena *a, struct text bytes); /* no padding */
struct text base64url_decode(struct arena *a, struct text chars);
struct text hex_encode(struct arena *a, struct text bytes);
bool hex_decode(struct text chars, unsigned char *out, size_t n); /* exactly n bytes */

#endif
