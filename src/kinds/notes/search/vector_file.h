/* vector_file.h: vectors that were computed before, in a file below the state folder.
 *
 * There is one file for each vault and model, with records of key, vector and check. It is append-only. The key is a
 * hash of the embedded text, so a note that was moved or restored finds its vector again. A record that a crash cut
 * short fails its check and is truncated at the next start. Two programs may share the file: each appends under a lock
 * and sees the other's records after its next start. Deleting the file only costs the time to compute it again. A
 * failure here never fails a search. Any thread may call these functions. */
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

/* Opens the file `name` and reads all records once. Returns NULL if the file cannot be created. */
struct vector_file *vector_file_open(int folder, const char *name);
void vector_file_close(struct vector_file *c); /* NULL is fine */
size_t vector_file_count(struct vector_file *c);

/* Finds the record of a key and copies it to the arena. Returns false if there is none. */
bool vector_file_find(struct vector_file *c, struct arena *a, const struct revision *key, struct vector_record *out);
void vector_file_add(struct vector_file *c, const struct vector_record *records, size_t n);
/* Replaces the file by a new one with only these records. */
void vector_file_renew(struct vector_file *c, const struct vector_record *records, size_t n);

#endif
