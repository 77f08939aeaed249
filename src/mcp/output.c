#include "mcp/output.h"

#include "base/buffer.h"
#include "base/mutex.h"
#include "format/json_write.h"

#include <stdlib.h>
#include <string.h>

/* The maximum length, so that it is written into one block. */
static size_t room_for(struct text bytes, bool as_base64)
{
	size_t n = bytes.len + 3;

	if (as_base64)
		return bytes.len / 3 * 4 + 8;
	for (size_t i = 0; i < bytes.len; i++) {
		unsigned char c = (unsigned char)bytes.at[i];
		n += c < ' ' ? c == '\n' ? 1 : 5 : c == '"' || c == '\\';
	}
	return n;
}

static struct output *find(struct outputs *all, const struct revision *source, size_t len, bool as_base64)
{
	struct output *o = all->first;

	while (o &&
	       (memcmp(&o->source, source, sizeof *source) != 0 || o->source_len != len || o->is_base64 != as_base64))
		o = o->next;
	return o;
}

static void write(struct output *o, struct text bytes, size_t room)
{
	struct buffer b = {.arena = &o->arena};
	struct json_out out = {.to = &b};

	arena_start(&o->arena, room + 64);
	if (o->is_base64) {
		o->bytes = base64_encode(&o->arena, bytes);
		return;
	}
	buffer_room(&b, room);
	json_put_text(&out, bytes);
	o->bytes = text_slice(buffer_text(&b), 1, b.len - 1);
}

/* Called under the lock: all readers of one resource wait for one encoding, instead of each making its own. */
static struct output *encode(struct outputs *all, struct text bytes, bool as_base64, const struct revision *source)
{
	size_t room = room_for(bytes, as_base64);
	struct output *o = all->bytes + room > OUTPUTS_MAX && all->first ? NULL : calloc(1, sizeof *o);
	void *there = o ? malloc(room + 128) : NULL;

	free(there);
	if (!there) {
		free(o);
		return NULL;
	}
	*o = (struct output){.of = all,
			     .source = *source,
			     .source_len = bytes.len,
			     .is_base64 = as_base64,
			     .arena = {.lasts = true}};
	write(o, bytes, room);
	all->bytes += o->arena.used;
	o->next = all->first;
	all->first = o;
	return o;
}

struct output *output_of(struct outputs *all, struct text bytes, bool as_base64)
{
	struct revision source = revision_of(bytes);

	mutex_lock(&all->lock);
	struct output *o = find(all, &source, bytes.len, as_base64);
	if (!o)
		o = encode(all, bytes, as_base64, &source);
	if (o)
		o->holders++;
	mutex_unlock(&all->lock);
	return o;
}

void output_release(struct output *o)
{
	struct outputs *all = o ? o->of : NULL;

	if (!all)
		return;
	mutex_lock(&all->lock);
	bool is_last = --o->holders == 0;
	for (struct output **at = &all->first; is_last && *at; at = &(*at)->next)
		if (*at == o) {
			*at = o->next;
			all->bytes -= o->arena.used;
			break;
		}
	mutex_unlock(&all->lock);
	if (!is_last)
		return;
	arena_free(&o->arena);
	free(o);
}
