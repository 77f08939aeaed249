/* listen.h: the socket that clients find. */
#ifndef QUIRE_MCP_HTTP_LISTEN_H
#define QUIRE_MCP_HTTP_LISTEN_H

/* -1: the log says why. */
int listen_at(const char *host, int port);
int listen_port(int fd);
/* A connection is a file: as many as the system lets us have. */
void listen_raise_limit(void);

#endif
