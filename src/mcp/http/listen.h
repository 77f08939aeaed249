/* listen.h: the listening socket. */
#ifndef QUIRE_MCP_HTTP_LISTEN_H
#define QUIRE_MCP_HTTP_LISTEN_H

/* -1: the log says why. */
int listen_at(const char *host, int port);
int listen_port(int fd);
/* Each connection needs a file descriptor. Raises the limit as far as the system allows. */
void listen_raise_limit(void);

#endif
