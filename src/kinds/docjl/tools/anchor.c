#include "kinds/docjl/tools/anchor.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/own.h"
#include "base/utf8.h"
#include "work/work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char key_file[] = "docjl-anchor.key"; /* the seed of the key: 32 bytes */

static bool seed_read(int folder, unsigned char seed[SIGN_SEED])
{
	int fd = open_at(folder, key_file, O_RDONLY | O_NOFOLLOW, 0);
	bool done = fd >= 0 && read(fd, seed, SIGN_SEED) == SIGN_SEED;

	fd_drop(&fd);
	return done;
}

/* The file gets its name when it is complete, so that two processes never use different keys. */
static bool seed_make(struct call *c, int folder)
{
	unsigned char seed[SIGN_SEED];
	char name[64];

	random_bytes(seed, sizeof seed);
	snprintf(name, sizeof name, "%s.%u", key_file, random_below(UINT32_MAX));
	int fd = open_at(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	bool done = fd >= 0 && write(fd, seed, sizeof seed) == sizeof seed && !fsync(fd);
	fd_drop(&fd);
	done = done && (!linkat(folder, name, folder, key_file, 0) || errno == EEXIST) && !fsync(folder);
	int error = errno;
	unlinkat(folder, name, 0);
	secret_clear(seed, sizeof seed);
	return done ||
	       fail(c, FAULT_STORAGE, "the key for anchors cannot be written to the state folder: %s", strerror(error));
}

static bool seed_of(struct call *c, bool make, unsigned char seed[SIGN_SEED])
{
	int folder = c->work ? work_state_folder(c) : -1;
	bool done =
		folder >= 0 && (seed_read(folder, seed) || (make && seed_make(c, folder) && seed_read(folder, seed)));

	fd_drop(&folder);
	if (!done && make && !c->error.fault)
		fail(c, FAULT_STORAGE, "there is no state folder for the key; give --state DIR, without --read-only");
	return done;
}

struct text anchor_key(struct call *c)
{
	unsigned char seed[SIGN_SEED], public[SIGN_PUBLIC];

	if (!seed_of(c, false, seed))
		return (struct text){0};
	sign_public(seed, public);
	secret_clear(seed, sizeof seed);
	return base64_encode(c->arena, (struct text){(char *)public, sizeof public});
}

/* The signed bytes: the line up to the signature. */
static struct text line_head(struct manual *m, const unsigned char public[SIGN_PUBLIC])
{
	struct arena *a = m->c->arena;
	struct buffer b = {.arena = a};
	struct json_out o = {.to = &b};

	json_open(&o, '{');
	json_key(&o, "anchor");
	json_put_string(&o, "quire docjl 1");
	json_key(&o, "document_id");
	json_put_text(&o, m->id);
	json_key(&o, "entry");
	json_put_int(&o, m->audit_seq);
	json_key(&o, "hash");
	json_put_text(&o, hex_encode(a, m->audit_hash));
	json_key(&o, "time");
	json_put_text(&o, clock_iso(a, clock_now()));
	json_key(&o, "key");
	json_put_text(&o, base64_encode(a, (struct text){(const char *)public, SIGN_PUBLIC}));
	return buffer_text(&b);
}

static const char before_signature[] = ",\"signature\":\"";

bool anchor_line(struct manual *m, struct text *out)
{
	unsigned char seed[SIGN_SEED], public[SIGN_PUBLIC], signature[SIGN_BYTES];
	struct arena *a = m->c->arena;

	if (m->audit_hash.len != 32)
		return fail(m->c, FAULT_STORAGE, "the trail of %s is empty, so there is nothing to sign",
			    shown(m->c, m->id));
	if (!seed_of(m->c, true, seed))
		return false;
	sign_public(seed, public);
	struct text head = line_head(m, public);
	sign_bytes(seed, head, signature);
	secret_clear(seed, sizeof seed);
	*out = text_format(a, "%.*s%s%s\"}", TEXT_ARGS(head), before_signature,
			   base64_encode(a, (struct text){(char *)signature, sizeof signature}).at);
	return true;
}

static bool is_trusted(struct call *c, struct text key)
{
	const struct docjl *kind = c->state;

	for (size_t i = 0; i < kind->n_anchor_keys; i++)
		if (text_same(kind->anchor_keys[i], key))
			return true;
	return !kind->n_anchor_keys && text_same(anchor_key(c), key);
}

static bool line_read(struct manual *m, struct text line, struct anchor *out, bool *is_ours)
{
	struct call *c = m->c;
	unsigned char public[SIGN_PUBLIC], signature[SIGN_BYTES];
	const struct json *v = json_parse(c->arena, line, JSON_DEPTH_MAX, &(struct json_error){0});
	struct text key = json_text(json_get(v, "key")), hash = json_text(json_get(v, "hash"));
	struct text key_bytes = base64_decode(c->arena, key);
	struct text signed_bytes = base64_decode(c->arena, json_text(json_get(v, "signature")));
	size_t head = text_find(line, (struct text){before_signature, sizeof before_signature - 1}, 0);

	if (!v || head == SIZE_MAX || key_bytes.len != SIGN_PUBLIC || signed_bytes.len != SIGN_BYTES ||
	    !json_integer(json_get(v, "entry"), &out->seq) || !hex_decode(hash, out->hash, sizeof out->hash))
		return fail(c, FAULT_ARGUMENT,
			    "anchor %s is neither NUMBER:HASH nor a line that quire docjl audit anchor printed",
			    shown(c, line));
	memcpy(public, key_bytes.at, sizeof public);
	memcpy(signature, signed_bytes.at, sizeof signature);
	*is_ours = text_same(json_text(json_get(v, "document_id")), m->id);
	if (!sign_holds(public, text_slice(line, 0, head), signature))
		return fail(c, FAULT_ARGUMENT, "the signature of the anchor for entry %lld does not match its line",
			    (long long)out->seq);
	return is_trusted(c, key) ||
	       fail(c, FAULT_ARGUMENT,
		    "the anchor for entry %lld is signed by the key %s, which is not trusted here; list it in "
		    "anchor_keys of [kinds.docjl] if it is yours",
		    (long long)out->seq, shown(c, key));
}

static bool head_read(struct call *c, struct text given, struct anchor *out)
{
	size_t colon = text_find(given, TEXT(":"), 0);

	if (colon == SIZE_MAX || !colon || colon > 15 ||
	    !hex_decode(utf8_fold(c->arena, text_slice(given, colon + 1, given.len)), out->hash, sizeof out->hash))
		return fail(
			c, FAULT_ARGUMENT,
			"anchor %s is neither NUMBER:HASH, as a verification printed it, nor a line that quire docjl "
			"audit anchor printed",
			shown(c, given));
	out->seq = strtoll(text_string(c->arena, text_slice(given, 0, colon)), NULL, 10);
	return true;
}

bool anchors_read(struct manual *m, struct text given, struct anchor **out, size_t *n)
{
	struct call *c = m->c;
	ARRAY(struct anchor) list = {0};

	*n = 0;
	*out = NULL;
	for (size_t at = 0, end; at < given.len; at = end + 1) {
		struct anchor one;
		bool is_ours = true;
		end = text_find(given, TEXT("\n"), at);
		end = end == SIZE_MAX ? given.len : end;
		struct text line = text_trim(text_slice(given, at, end));
		if (!line.len)
			continue;
		if (!(line.at[0] == '{' ? line_read(m, line, &one, &is_ours) : head_read(c, line, &one)))
			return false;
		if (is_ours)
			*ARRAY_PUSH(c->arena, &list) = one;
	}
	if (given.len && !list.n)
		return fail(c, FAULT_ARGUMENT, "none of the anchors is for the document %s", shown(c, m->id));
	*out = list.items;
	*n = list.n;
	return true;
}
