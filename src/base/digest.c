/* The key of text_hash() is the only state here. It is drawn once, before its first use, and never changes. Every hash
 * in the program uses it, so it has no single owner. */
#include "base/digest.h"

#include "base/digest_words.h"

#include <errno.h>
#include <pthread.h>
#include <sodium.h>
#include <string.h>
#include <sys/random.h>

enum { WIDE_MIN = 4096 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned char hash_key[crypto_shorthash_KEYBYTES];

/* Reads from the kernel, not through sodium_init(): that runs CPUID, which is slow under a hypervisor, and nothing used
 * here needs it. */
static void random_fill(void *to, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t got = getrandom((char *)to + done, n - done, 0);
		if (got < 0 && errno != EINTR)
			arena_die("the system provides no random numbers");
		done += got > 0 ? (size_t)got : 0;
	}
}

static void prepare(void) { random_fill(hash_key, sizeof hash_key); }

uint64_t text_hash(struct text t)
{
	unsigned char out[crypto_shorthash_BYTES];
	uint64_t hash;

	pthread_once(&once, prepare);
	crypto_shorthash(out, (const unsigned char *)(t.at ? t.at : ""), t.len, hash_key);
	memcpy(&hash, out, sizeof hash);
	return hash;
}

/* For short texts the check would cost more than it saves. */
static struct digest_words words_of(const struct text *pieces, size_t n)
{
	bool is_long = n > 1 || pieces[0].len >= WIDE_MIN;

	return is_long && digest_wide_is_here() ? digest_wide(pieces, n) : digest_words(pieces, n);
}

struct revision revision_of(struct text bytes) { return revision_of_pieces(&bytes, 1); }

struct revision revision_of_pieces(const struct text *pieces, size_t n)
{
	static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
	struct digest_words words = words_of(pieces, n);
	/* 80 bits as sixteen groups of five, the last ones from the high half. */
	unsigned __int128 rest = (unsigned __int128)words.high << 64 | words.low;
	struct revision r = {{0}};

	for (int i = 0; i < REVISION_LEN; i++, rest >>= 5)
		r.chars[i] = alphabet[rest & 31];
	return r;
}

void random_bytes(void *to, size_t n) { random_fill(to, n); }

/* expat's archive calls this function, which glibc has only since 2.36. With our own one the program runs on 2.34. */
void arc4random_buf(void *to, size_t n);
void arc4random_buf(void *to, size_t n) { random_bytes(to, n); }

uint32_t random_below(uint32_t bound)
{
	/* Values below this would make some results too frequent. */
	uint32_t value = 0, uneven = bound ? (0 - bound) % bound : 0;

	do
		random_fill(&value, sizeof value);
	while (value < uneven);
	return bound ? value % bound : 0;
}

void sha256(struct text bytes, unsigned char out[32])
{
	crypto_hash_sha256(out, (const unsigned char *)(bytes.at ? bytes.at : ""), bytes.len);
}

void hmac_sha256(struct text key, struct text bytes, unsigned char out[32])
{
	crypto_auth_hmacsha256_state state;

	crypto_auth_hmacsha256_init(&state, (const unsigned char *)(key.at ? key.at : ""), key.len);
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)(bytes.at ? bytes.at : ""), bytes.len);
	crypto_auth_hmacsha256_final(&state, out);
	sodium_memzero(&state, sizeof state);
}

bool secret_same(const void *a, const void *b, size_t n) { return !sodium_memcmp(a, b, n); }

void secret_clear(void *p, size_t n) { sodium_memzero(p, n); }

static void sign_keys(const unsigned char seed[SIGN_SEED], unsigned char public[SIGN_PUBLIC],
		      unsigned char secret[crypto_sign_SECRETKEYBYTES])
{
	_Static_assert(SIGN_SEED == crypto_sign_SEEDBYTES && SIGN_PUBLIC == crypto_sign_PUBLICKEYBYTES &&
			       SIGN_BYTES == crypto_sign_BYTES,
		       "libsodium's default signatures are Ed25519");
	crypto_sign_seed_keypair(public, secret, seed);
}

void sign_public(const unsigned char seed[SIGN_SEED], unsigned char out[SIGN_PUBLIC])
{
	unsigned char secret[crypto_sign_SECRETKEYBYTES];

	sign_keys(seed, out, secret);
	sodium_memzero(secret, sizeof secret);
}

void sign_bytes(const unsigned char seed[SIGN_SEED], struct text bytes, unsigned char out[SIGN_BYTES])
{
	unsigned char secret[crypto_sign_SECRETKEYBYTES], public[SIGN_PUBLIC];

	sign_keys(seed, public, secret);
	crypto_sign_detached(out, NULL, (const unsigned char *)(bytes.at ? bytes.at : ""), bytes.len, secret);
	sodium_memzero(secret, sizeof secret);
}

bool sign_holds(const unsigned char public[SIGN_PUBLIC], struct text bytes, const unsigned char signature[SIGN_BYTES])
{
	return !crypto_sign_verify_detached(signature, (const unsigned char *)(bytes.at ? bytes.at : ""), bytes.len,
					    public);
}

static struct text encoded(struct arena *a, struct text bytes, int variant)
{
	size_t size = sodium_base64_encoded_len(bytes.len, variant);
	char *out = arena_alloc(a, size);

	sodium_bin2base64(out, size, (const unsigned char *)(bytes.at ? bytes.at : ""), bytes.len, variant);
	return (struct text){out, strlen(out)};
}

static struct text decoded(struct arena *a, struct text chars, int variant)
{
	size_t size = chars.len / 4 * 3 + 3, n = 0;
	unsigned char *out = arena_alloc(a, size + 1);
	const char *end = NULL;

	if (!chars.len)
		return TEXT("");
	/* libsodium's table search accepts bytes beyond ASCII as letters. */
	for (size_t i = 0; i < chars.len; i++)
		if (chars.at[i] & 0x80)
			return (struct text){0};
	if (sodium_base642bin(out, size, chars.at, chars.len, NULL, &n, &end, variant) || end != chars.at + chars.len)
		return (struct text){0};
	out[n] = 0;
	return (struct text){(const char *)out, n};
}

struct text base64_encode(struct arena *a, struct text bytes)
{
	return encoded(a, bytes, sodium_base64_VARIANT_ORIGINAL);
}

struct text base64_decode(struct arena *a, struct text chars)
{
	return decoded(a, chars, sodium_base64_VARIANT_ORIGINAL);
}

struct text base64url_encode(struct arena *a, struct text bytes)
{
	return encoded(a, bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

struct text base64url_decode(struct arena *a, struct text chars)
{
	return decoded(a, chars, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

struct text hex_encode(struct arena *a, struct text bytes)
{
	char *out = arena_alloc(a, bytes.len * 2 + 1);

	for (size_t i = 0; i < bytes.len; i++) {
		out[i * 2] = "0123456789abcdef"[(unsigned char)bytes.at[i] >> 4];
		out[i * 2 + 1] = "0123456789abcdef"[bytes.at[i] & 15];
	}
	out[bytes.len * 2] = 0;
	return (struct text){out, bytes.len * 2};
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

bool hex_decode(struct text chars, unsigned char *out, size_t n)
{
	if (chars.len != n * 2)
		return false;
	for (size_t i = 0; i < n; i++) {
		int high = hex_digit(chars.at[i * 2]), low = hex_digit(chars.at[i * 2 + 1]);
		if (high < 0 || low < 0)
			return false;
		out[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}
