/* stdio.c: one message per line on a pipe.
 *
 * There are three threads. The reader parses, and handles messages that need no document, so that it reads a
 * cancellation while a call runs. One worker runs the calls in the order they came, because an author's paragraphs must
 * stay in order. Bytes that the pipe does not accept at once wait in a queue. The writer empties it, so that no other
 * thread waits for a full pipe. stdout contains messages only.
 *
 * The end of input, SIGTERM and SIGINT have the same effect: running calls are finished, the queue is written, then the
 * program exits. After a signal, a client that does not read is disconnected. A second signal ends the program at
 * once. */
#include "mcp/inner.h"
#include "base/mutex.h"
#include "mcp/wreck.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Lines beyond LINE_MAX_BYTES are refused and skipped. While a client does not read, its input is not read either. */
enum { LINE_MAX_BYTES = 16 << 20, READ_BYTES = 64 << 10, QUEUE_MAX = 4096, OUT_MAX_BYTES = 64 << 20 };
/* How often a wait checks for signals, and how long a client may take for one line after a signal. */
enum { LOOK_MS = 50, FLUSH_MS = 3000 };

/* A message up to its large bytes, those, the rest of the message, the line end. */
enum { LINE_PIECES = 4 };

struct line {
	struct line *next;
	size_t len;
	char bytes[];
};

struct job {
	struct job *next;
	struct exchange exchange;
	char *bytes;
	struct pipe *pipe;
};

struct pipe {
	struct server *server;
	struct session *session;
	pthread_mutex_t lock;
	pthread_cond_t work, room, written;
	struct job *first, **last; /* the worker's queue */
	size_t queued;             /* its length */
	size_t open;               /* unfinished exchanges, without subscriptions */
	struct line *out, **out_last;
	size_t out_bytes;
	size_t written_lines;
	pthread_t worker, writer;
	bool works, writes, ended, broken;
	atomic_bool gives_up; /* the client does not read: the rest is not written */
	int signals, gone;    /* descriptors: readable after a signal; readable after the client left */
	bool told;            /* a signal came */
};

static bool write_all(const struct pipe *p, const char *at, size_t len)
{
	while (len && !atomic_load(&p->gives_up)) {
		ssize_t n = write(STDOUT_FILENO, at, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			poll(&(struct pollfd){.fd = STDOUT_FILENO, .events = POLLOUT}, 1, -1);
			continue;
		}
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return !len;
}

static void interrupt(int number) { (void)number; }

/* Ends the writer, which may block in write() because the client does not read. A signal interrupts that. It is
 * repeated, because the first may arrive just before the write() begins. Cancelling the thread would unwind it, which
 * glibc cannot do in a program with libgcc linked in. */
static void writer_end(struct pipe *p)
{
	sigaction(SIGUSR1, &(struct sigaction){.sa_handler = interrupt}, NULL);
	atomic_store(&p->gives_up, true);
	for (;;) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += LOOK_MS * 1000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_kill(p->writer, SIGUSR1);
		if (pthread_timedjoin_np(p->writer, NULL, &until) == 0)
			return;
	}
}

static void *write_lines(void *arg)
{
	struct pipe *p = arg;

	mutex_lock(&p->lock);
	for (;;) {
		while (!p->out && !p->ended)
			pthread_cond_wait(&p->written, &p->lock);
		struct line *l = p->out;
		if (!l)
			break;
		p->out = l->next;
		if (!p->out)
			p->out_last = &p->out;
		bool broken = p->broken;
		mutex_unlock(&p->lock);
		bool done = !broken && write_all(p, l->bytes, l->len);
		mutex_lock(&p->lock);
		p->out_bytes -= l->len;
		p->written_lines++;
		if (!done && !p->broken) {
			p->broken = true; /* the client is gone, so further output is dropped */
			eventfd_write(p->gone, 1);
		}
		pthread_cond_broadcast(&p->room);
		free(l);
	}
	mutex_unlock(&p->lock);
	return NULL;
}

/* Call it with the lock held. Writes without waiting if the queue is empty, because waking the writer costs more than
 * most messages. Returns the bytes written; the writer writes the rest. */
static size_t write_at_once(const struct pipe *p, const struct text pieces[LINE_PIECES])
{
	struct iovec parts[LINE_PIECES];

	for (size_t i = 0; i < LINE_PIECES; i++)
		parts[i] = (struct iovec){(char *)(uintptr_t)pieces[i].at, pieces[i].len};
	ssize_t n = p->out_bytes || p->broken ? 0 : pwritev2(STDOUT_FILENO, parts, LINE_PIECES, -1, RWF_NOWAIT);
	return n > 0 ? (size_t)n : 0;
}

/* Call it with the lock held. Queues the rest of a line, from its byte `from` on, for the writer. */
static void queue(struct pipe *p, const struct text pieces[LINE_PIECES], size_t from, size_t len)
{
	struct line *l = budget_memory(NULL, sizeof *l + len - from);
	size_t at = 0;

	l->next = NULL;
	l->len = len - from;
	for (size_t i = 0; i < LINE_PIECES; i++) {
		size_t skip = from < pieces[i].len ? from : pieces[i].len;
		struct text rest = text_slice(pieces[i], skip, pieces[i].len);
		from -= skip;
		if (rest.len)
			memcpy(l->bytes + at, rest.at, rest.len);
		at += rest.len;
	}
	*p->out_last = l;
	p->out_last = &l->next;
	p->out_bytes += l->len;
	if (!p->writes && !(p->writes = !pthread_create(&p->writer, NULL, write_lines, p)))
		arena_die("cannot start a thread");
	pthread_cond_signal(&p->written);
}

/* A line: the message, with large bytes inserted at a position. */
static void say_around(struct pipe *p, struct text message, size_t at, struct text large)
{
	const struct text pieces[LINE_PIECES] = {text_slice(message, 0, at), large,
						 text_slice(message, at, message.len), TEXT("\n")};
	size_t len = message.len + large.len + 1;

	mutex_lock(&p->lock);
	size_t written = write_at_once(p, pieces);
	if (written < len)
		queue(p, pieces, written, len);
	mutex_unlock(&p->lock);
}

static void say(struct pipe *p, struct text message) { say_around(p, message, message.len, (struct text){0}); }

static void pipe_send(struct exchange *x, struct text message) { say(((struct job *)x->transport)->pipe, message); }

static void pipe_finish(struct exchange *x, int status, struct text message)
{
	struct job *j = x->transport;
	struct pipe *p = j->pipe;

	(void)status;
	if (message.at && x->large)
		say_around(p, message, x->large_at, x->large->bytes);
	else if (message.at)
		say(p, message);
	exchange_free(x);
	free(j->bytes);
	free(j);
	mutex_lock(&p->lock);
	p->open--;
	pthread_cond_broadcast(&p->room);
	mutex_unlock(&p->lock);
}

static void *run_jobs(void *arg)
{
	struct pipe *p = arg;

	mutex_lock(&p->lock);
	for (;;) {
		while (!p->first && !p->ended)
			pthread_cond_wait(&p->work, &p->lock);
		struct job *j = p->first;
		if (!j)
			break;
		p->first = j->next;
		if (!p->first)
			p->last = &p->first;
		p->queued--;
		pthread_cond_broadcast(&p->room);
		mutex_unlock(&p->lock);
		server_work(&j->exchange);
		mutex_lock(&p->lock);
	}
	mutex_unlock(&p->lock);
	return NULL;
}

static void pipe_again(struct exchange *x)
{
	struct job *j = x->transport;
	struct pipe *p = j->pipe;

	mutex_lock(&p->lock);
	j->next = NULL;
	*p->last = j;
	p->last = &j->next;
	p->queued++;
	if (!p->works && !(p->works = !pthread_create(&p->worker, NULL, run_jobs, p)))
		arena_die("cannot start a thread");
	pthread_cond_signal(&p->work);
	mutex_unlock(&p->lock);
}

static const struct wire pipe_wire = {
	.send = pipe_send, .finish = pipe_finish, .again = pipe_again, .takes_large = true};

static void pipe_notice(void *stream, struct text message) { say(stream, message); }

/* After the first signal, a second one ends the program by default. */
static bool is_told(struct pipe *p)
{
	sigset_t stop;

	if (p->told || poll(&(struct pollfd){.fd = p->signals, .events = POLLIN}, 1, 0) <= 0)
		return p->told;
	struct signalfd_siginfo first;
	p->told = read(p->signals, &first, sizeof first) == sizeof first;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTERM);
	sigaddset(&stop, SIGINT);
	pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
	return p->told;
}

/* Call it with the lock held. Waits until something was finished or written, or until the next check for signals. */
static void wait_a_little(struct pipe *p)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += LOOK_MS * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_clockwait(&p->room, &p->lock, CLOCK_MONOTONIC, &until);
}

/* True when the queue is written, or will never be: after a signal, output for a client that does not read is lost. */
static bool flush(struct pipe *p)
{
	int64_t since = clock_ticks();

	mutex_lock(&p->lock);
	size_t written = p->written_lines;
	while (p->out_bytes) {
		wait_a_little(p);
		if (written != p->written_lines || !is_told(p))
			since = clock_ticks();
		written = p->written_lines;
		if (clock_ticks() - since > FLUSH_MS)
			break;
	}
	bool is_flushed = !p->out_bytes;
	mutex_unlock(&p->lock);
	return is_flushed;
}

static void take_line(struct pipe *p, struct text line)
{
	if (line.len && line.at[line.len - 1] == '\r')
		line.len--;
	if (text_is_blank(line))
		return;
	struct job *j = budget_zero(1, sizeof *j);
	char *bytes = budget_text(line.at, line.len);
	j->bytes = bytes;
	j->pipe = p;
	j->exchange = (struct exchange){.server = p->server,
					.endpoint = server_endpoint(p->server, TEXT("")),
					.wire = &pipe_wire,
					.transport = j,
					.session = p->session,
					.key = guard_local_key(server_guard(p->server)),
					.bytes = {bytes, line.len}};
	mutex_lock(&p->lock);
	p->open++;
	mutex_unlock(&p->lock);
	if (server_receive(&j->exchange) != SERVER_DONE)
		pipe_again(&j->exchange);
	mutex_lock(&p->lock);
	while ((p->queued > QUEUE_MAX || p->out_bytes > OUT_MAX_BYTES) && !p->broken && !is_told(p))
		wait_a_little(p);
	mutex_unlock(&p->lock);
}

/* Refused at the end of the line, because the id may be there. */
static void refuse_line(struct pipe *p, struct wreck *skipped)
{
	struct arena a = {0};
	struct text id = wreck_id(skipped, &a);

	say(p,
	    text_format(&a,
			"{\"jsonrpc\":\"2.0\"%s%.*s,\"error\":{\"code\":-32600,\"message\":\"a message of more than 16 "
			"MiB was skipped\"}}",
			id.at ? ",\"id\":" : "", TEXT_ARGS(id)));
	arena_free(&a);
}

/* Reads lines until the end of input or a stop signal. */
static void read_lines(struct pipe *p)
{
	struct buffer in = {0};
	size_t seen = 0; /* bytes already searched for a line end */
	bool skipping = false;
	struct wreck skipped = {0};

	for (;;) {
		struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
				       {.fd = p->signals, .events = POLLIN},
				       {.fd = p->gone, .events = POLLIN}};
		if (poll(fds, 3, -1) < 0 && errno != EINTR)
			break;
		if (fds[2].revents || is_told(p))
			break;
		if (!fds[0].revents)
			continue;
		ssize_t n = read(STDIN_FILENO, buffer_room(&in, READ_BYTES), READ_BYTES);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			break;
		in.len += (size_t)n;
		size_t from = 0;
		for (char *end; !p->told && (end = memchr(in.at + seen, '\n', in.len - seen));
		     from = seen = (size_t)(end - in.at) + 1) {
			struct text line = {in.at + from, (size_t)(end - in.at) - from};
			if (skipping) {
				wreck_feed(&skipped, line);
				refuse_line(p, &skipped);
			} else {
				take_line(p, line);
			}
			skipping = false;
		}
		memmove(in.at, in.at + from, in.len - from);
		in.len -= from;
		seen = in.len;
		if (in.len > LINE_MAX_BYTES && !skipping) {
			skipped = (struct wreck){0};
			skipping = true;
		}
		if (skipping) {
			wreck_feed(&skipped, (struct text){in.at, in.len});
			in.len = seen = 0;
		}
	}
	if (skipping && !p->told)
		refuse_line(p, &skipped);
	if (in.len && !skipping && !p->told)
		take_line(p, (struct text){in.at, in.len});
	buffer_free(&in);
}

int stdio_serve(struct server *s)
{
	struct pipe p = {.server = s,
			 .lock = PTHREAD_MUTEX_INITIALIZER,
			 .work = PTHREAD_COND_INITIALIZER,
			 .room = PTHREAD_COND_INITIALIZER,
			 .written = PTHREAD_COND_INITIALIZER};
	sigset_t stop;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTERM);
	sigaddset(&stop, SIGINT);
	pthread_sigmask(SIG_BLOCK, &stop, NULL);
	p.signals = signalfd(-1, &stop, SFD_CLOEXEC);
	p.gone = eventfd(0, EFD_CLOEXEC);
	p.last = &p.first;
	p.out_last = &p.out;
	p.session = session_new(s, guard_local_key(server_guard(s)), true);
	session_attach(p.session, (struct session_stream){.send = pipe_notice, .stream = &p});

	read_lines(&p);

	server_stop(s);
	mutex_lock(&p.lock);
	while (p.open) {
		is_told(&p);
		wait_a_little(&p);
	}
	mutex_unlock(&p.lock);
	bool is_flushed = flush(&p);
	mutex_lock(&p.lock);
	p.ended = true;
	pthread_cond_broadcast(&p.work);
	pthread_cond_broadcast(&p.written);
	mutex_unlock(&p.lock);
	if (p.works)
		pthread_join(p.worker, NULL);
	if (p.writes && is_flushed)
		pthread_join(p.writer, NULL);
	else if (p.writes)
		writer_end(&p);
	for (struct line *l = p.out, *next; l; l = next) {
		next = l->next;
		free(l);
	}
	session_detach(p.session, &p);
	session_release(p.session);
	close(p.signals);
	close(p.gone);
	return 0;
}
