/* key.c: quire key NAME: makes a new key, and prints its entry for the keys file, with its hash. */
#include "shell/command.h"

#include "base/digest.h"
#include "base/utf8.h"
#include "guard/keys.h"

#include <string.h>

enum { SECRET_BYTES = 24 };

const char *secret_new(struct arena *a)
{
	unsigned char chance[SECRET_BYTES];

	random_bytes(chance, sizeof chance);
	struct text secret = base64url_encode(a, (struct text){(const char *)chance, sizeof chance});
	return text_format(a, "quire_%.*s", TEXT_ARGS(secret)).at; /* the prefix lets secret scanners recognise it */
}

int key_run(struct call *c, int argc, char **argv)
{
	struct settings s = {0};
	struct buffer b = {.arena = c->arena};
	struct json *entry = json_new_object(c->arena), *grants = json_new_object(c->arena);
	static const char *const lists[] = {"kinds", "tools", "documents", "write"};
	static const char *const globs[] = {"*", "*", "**", "**"};

	if (!options_read(c, NULL, argc, argv, &s))
		return shell_usage(c, "key");
	if (s.help) {
		help_command(stdout, shell_command_find("key"));
		return EXIT_DONE;
	}
	if (s.rest.n == 1 && utf8_bad(text_of(s.rest.items[0])) < strlen(s.rest.items[0])) {
		fail(c, FAULT_ARGUMENT, "the name is not UTF-8 text");
		return shell_usage(c, "key");
	}
	if (s.rest.n != 1 || !s.rest.items[0][0]) {
		fail(c, FAULT_MISSING, "quire key needs a name: the person or program that will use the key");
		return shell_usage(c, "key");
	}
	struct text secret = text_of(secret_new(c->arena));
	json_set_text(c->arena, entry, "name", text_of(s.rest.items[0]));
	json_set_text(c->arena, entry, "hash", guard_hash(c->arena, secret));
	for (size_t i = 0; i < ARRAY_COUNT(lists); i++) {
		struct json *list = json_new_array(c->arena);

		json_push(c->arena, list, json_new_text(c->arena, text_of(globs[i])));
		json_set(c->arena, grants, lists[i], list);
	}
	json_set(c->arena, entry, "grants", grants);
	struct json *file = json_new_object(c->arena), *keys = json_new_array(c->arena);
	json_push(c->arena, keys, entry);
	json_set(c->arena, file, "keys", keys);
	json_write_pretty(&b, file);
	/* Check that the printed text is a valid keys file. */
	struct key_set *proof = key_set_parse(c, buffer_text(&b), "entry");
	if (!proof)
		return shell_failed(c, EXIT_USAGE);
	key_set_release(proof);
	buffer_byte(&b, '\n');
	fprintf(stderr, "quire: the key, shown only this once: %.*s\n", TEXT_ARGS(secret));
	fprintf(stderr,
		"quire: stdout is a keys file with the key's hash; reduce its grants as needed, or add its entry to "
		"an existing keys file\n");
	shell_write(buffer_text(&b));
	return EXIT_DONE;
}
