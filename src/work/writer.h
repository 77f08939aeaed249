/* writer.h: does another program have a file open for writing?
 *
 * A program that opened a document before quire replaced it writes into the displaced file. So before a displaced file
 * is let go, the kernel is asked: a read lease (fcntl F_SETLEASE, F_RDLCK) is refused while anybody has the file open
 * for writing, or has a writable memory map of it. The lease is only a question: it is given back at once, because
 * while it is held, others wait to open the file. If somebody opens it in that moment, the kernel sends SIGIO, which is
 * ignored (lock_prepare()).
 *
 * UNKNOWN: no lease is possible, because the file system has none or the file belongs to another user. */
#ifndef QUIRE_WORK_WRITER_H
#define QUIRE_WORK_WRITER_H
#include "base/call.h"

enum writer { WRITER_NONE, WRITER_OPEN, WRITER_UNKNOWN };

enum { WRITER_WAIT_MS = 1000 }; /* for all documents of a commit together */

enum writer writer_of(int fd); /* the descriptor is open for reading only */
/* Asks until nobody writes, or until this call has waited for WRITER_WAIT_MS in all. */
enum writer writer_wait(struct call *c, int fd);

#endif
