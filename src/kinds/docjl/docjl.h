/* docjl.h: the kind's state and error codes. */
#ifndef QUIRE_KINDS_DOCJL_DOCJL_H
#define QUIRE_KINDS_DOCJL_DOCJL_H
#include "format/json.h"
#include "store/store.h"
#include "tool/kind.h"

#include <pthread.h>

struct docjl_config {
	struct text store, ironbase_path, audit_log_path, schema_file;
	struct maybe_flag strict_mode;
	struct texts anchor_keys;
	int confirm_delete; /* enum confirm */
	bool leave_unseen_out;
};
enum confirm { CONFIRM_ASK, CONFIRM_FLAG, CONFIRM_NONE };

struct docjl {
	struct arena arena; /* for data that is read when the kind opens */
	struct store *store;
	const char *place; /* of the database, for messages and commands */
	bool is_strict, is_read_only;
	bool leaves_unseen_out; /* reading tools return words without characters that a person does not see */
	enum confirm confirm;
	const struct text *anchor_keys; /* trusted public keys, in base64; none: only the state folder's own */
	size_t n_anchor_keys;
	const struct json *schema; /* an extra JSON Schema for blocks; NULL: none */
	char *audit_log;           /* NULL: none */
	pthread_mutex_t audit_lock;
	bool is_caught_up; /* the file has every entry that existed when it was opened */
};

extern const struct kind kind_docjl;
extern const struct field docjl_config_table[];
extern const struct schema docjl_schema;
bool docjl_open(struct call *c, const void *config, void **state);
void docjl_close(void *state);

/* Error codes of the specification. */
#define DOCUMENT_NOT_FOUND "DOCUMENT_NOT_FOUND"
#define BLOCK_NOT_FOUND "BLOCK_NOT_FOUND"
#define SCHEMA_FAILED "SCHEMA_VALIDATION_FAILED"
#define REFERENCE_ERROR "REFERENCE_ERROR"
#define CONFIRMATION_REQUIRED "CONFIRMATION_REQUIRED"

extern const struct tool docjl_document_tools[], docjl_block_tools[], docjl_search_tools[], docjl_reference_tools[],
	docjl_audit_tools[], docjl_coverage_tools[], docjl_extra_tools[];
extern const struct resource docjl_resources[];
extern const struct prompt docjl_prompts[];
extern const struct command docjl_commands[];

#endif
