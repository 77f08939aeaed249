/* bare_http.c: libmicrohttpd reads a body and sends the bytes of a file: the limit for HTTP. */
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *body;
static size_t body_len;

static enum MHD_Result answer(void *cls, struct MHD_Connection *c, const char *url, const char *method, const char *version,
                              const char *upload, size_t *upload_len, void **seen)
{
	static int once;

	(void)cls, (void)url, (void)method, (void)version, (void)upload;
	if (!*seen) {
		*seen = &once;
		return MHD_YES;
	}
	if (*upload_len) {
		*upload_len = 0;
		return MHD_YES;
	}
	struct MHD_Response *r = MHD_create_response_from_buffer(body_len, body, MHD_RESPMEM_PERSISTENT);
	MHD_add_response_header(r, "Content-Type", "application/json");
	enum MHD_Result done = MHD_queue_response(c, 200, r);
	MHD_destroy_response(r);
	return done;
}

int main(int argc, char **argv)
{
	FILE *f = argc > 2 ? fopen(argv[2], "rb") : NULL;

	if (!f)
		return 2;
	fseek(f, 0, SEEK_END);
	body_len = (size_t)ftell(f);
	rewind(f);
	body = malloc(body_len);
	if (!body || fread(body, 1, body_len, f) != body_len)
		return 2;
	struct MHD_Daemon *d = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, (uint16_t)atoi(argv[1]), NULL, NULL, answer, NULL,
	                                        MHD_OPTION_END);
	if (!d)
		return 1;
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
