/* log.h: one line on stderr for the person who runs the program.
 *
 * stdout belongs to the protocol. Text from callers and documents is logged only through shown(). Keys are never
 * logged. */
#ifndef QUIRE_BASE_LOG_H
#define QUIRE_BASE_LOG_H

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

void log_set(enum log_level most); /* the default is LOG_WARNING */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
