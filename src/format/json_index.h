/* json_index.h: the memory layout of an object's members; for the json files only.
 *
 * An object of more than JSON_LINEAR_MAX members has an open-addressed index in the words before its members; an entry
 * is 1 + the member's number. A smaller object is searched in order. Both sizes follow from the number of members: room
 * is always a power of two, the index is twice that. The hash is text_hash(), so hostile keys cost no more than
 * others. */
#ifndef QUIRE_FORMAT_JSON_INDEX_H
#define QUIRE_FORMAT_JSON_INDEX_H
#include "format/json.h"

enum { JSON_LINEAR_MAX = 8, JSON_ROOM_MIN = 4 };

uint32_t json_room(uint32_t n); /* how many items fit into a built container of n items */
void json_members_new(struct arena *a, struct json *object, uint32_t n, uint32_t room); /* index and members, empty */
uint32_t json_key_hash(struct text key);
bool json_index_add(struct json *object, uint32_t member);           /* false: its key already exists */
uint32_t json_member_of(const struct json *object, struct text key); /* its number; `len` or more: not found */

#endif
