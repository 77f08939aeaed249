#include "mcp/http/listen.h"
#include "base/log.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FILES_WANTED = 65536 };

int listen_at(const char *host, int port)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found = NULL;
	char bare[256], service[16];
	size_t len = strlen(host);
	int fd = -1, on = 1;

	/* Use one address: the one that every client of "localhost" tries. */
	if (!strcasecmp(host, "localhost"))
		host = "127.0.0.1";
	if (len > 1 && len < sizeof bare && host[0] == '[' && host[len - 1] == ']')
		snprintf(bare, sizeof bare, "%.*s", (int)len - 2, host + 1);
	else
		snprintf(bare, sizeof bare, "%s", host);
	snprintf(service, sizeof service, "%d", port);
	int error = getaddrinfo(bare, service, &hints, &found);
	if (error) {
		log_line(LOG_ERROR, "%s is not an address to listen on: %s", bare, gai_strerror(error));
		return -1;
	}
	for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
		if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, SOMAXCONN))
			break;
		error = errno;
		close(fd);
		fd = -1;
	}
	freeaddrinfo(found);
	if (fd < 0)
		log_line(LOG_ERROR, "cannot listen on %s port %d: %s; is another server running there?", bare, port,
			 strerror(error));
	return fd;
}

int listen_port(int fd)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof address;
	char service[16] = "0";

	if (!getsockname(fd, (struct sockaddr *)&address, &len))
		getnameinfo((struct sockaddr *)&address, len, NULL, 0, service, sizeof service, NI_NUMERICSERV);
	return atoi(service);
}

void listen_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= FILES_WANTED)
		return;
	limit.rlim_cur = limit.rlim_max < FILES_WANTED ? limit.rlim_max : FILES_WANTED;
	setrlimit(RLIMIT_NOFILE, &limit);
}
