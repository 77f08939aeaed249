/* error.h: why something was refused.
 *
 * The core can refuse for the reasons below; each kind maps them in one table to the names in its specification, and
 * can add its own codes (fail_as). The message says what is wrong, with the value; the hint says what to do next. They
 * are apart from the beginning, because each kind's specification has its own place for the hint (tool/error_form.h).
 * The values in a message are the caller's words, so nobody may look for the hint in the message. */
#ifndef QUIRE_BASE_ERROR_H
#define QUIRE_BASE_ERROR_H
#include <stdint.h>

struct arena;
struct json;

enum fault {
	FAULT_NONE,
	FAULT_ARGUMENT,  /* a value is of the wrong type or outside its limits */
	FAULT_MISSING,   /* a required argument is missing */
	FAULT_NOT_FOUND, /* no such file */
	FAULT_EXISTS,    /* the new name is already used */
	FAULT_PATH,      /* a path leads outside the roots, or is not a regular file */
	FAULT_TOO_LARGE,
	FAULT_LOCKED,    /* another program kept the lock too long */
	FAULT_CONFLICT,  /* the document changed meanwhile */
	FAULT_READ_ONLY, /* the server or the file is read-only */
	FAULT_DENIED,    /* this key or this process lacks permission */
	FAULT_KEY,       /* no key, or a wrong one; checked before the body is read */
	FAULT_RATE,
	FAULT_TIMEOUT,
	FAULT_CANCELLED,
	FAULT_STORAGE, /* the disk or a database failed */
	FAULT_INTERNAL,
	FAULT_OWN, /* one of the kind's own codes: see `code` */
	FAULTS
};

struct error {
	enum fault fault;
	const char *code;           /* FAULT_OWN: the kind's code */
	const char *message;        /* what is wrong */
	const char *hint;           /* what to do next, or NULL */
	const char *where;          /* JSON pointer into the arguments, or NULL */
	uint32_t line, column;      /* place in a document, from 1; 0: none */
	const struct json *details; /* object, or NULL */
	int retry_after;            /* seconds, FAULT_RATE and FAULT_LOCKED; 0: none */
};

/* "message; hint": for logs, terminals, and formats without a place for the hint. */
const char *error_sentence(struct arena *a, const struct error *e);
/* Copies message and hint, so that they outlive the arena they were made in. */
void error_copy(struct arena *a, struct error *e);

#endif
