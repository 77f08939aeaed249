/* vector_file.h: vectors that were computed before, in a file below the state folder.
 *
 * A file for each vault and model, which only grows: records of key, vector and check. The key is a hash of the text
 * that was embedded, so a note that was moved or came back finds its vector again. What a crash cut short fails its
 * check and is cut off at the next start. Two programs may share the file: each appends under a lock and does not see
 * what the other added until it starts anew. Deleting the file costs the time to compute it, nothing else, and no
 * failure here fails a search. Any thread may call. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_VECTOR_FILE_H
#define QUIRE_KINDS_NOTES_SEARCH_VECTOR_FILE_H
#include "base/digest.h"
#include "kinds/notes/search/vectors.h"

struct vector_file;

struct vector_record {
	struct revision key;
	size_t dimension;
	float scale;
	const int8_t *row;
};

/* NULL: the folder takes no file. `name` is the file's. Reads all records once. */
struct vector_file *vector_file_open(int folder, const char *name);
void vector_file_close(struct vector_file *c); /* NULL is fine */
size_t vector_file_count(struct vector_file *c);

/* The record of a key, in the arena; false: there is none. */
bool vector_file_find(struct vector_file *c, struct arena *a, const struct revision *key, struct vector_record *out);
void vector_file_add(struct vector_file *c, const struct vector_record *records, size_t n);
/* Writes the file anew with these records only, and swaps it in. */
void vector_file_renew(struct vector_file *c, const struct vector_record *records, size_t n);

#endif
