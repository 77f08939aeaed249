#include "mcp/http/peers.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/mutex.h"

#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* CROWD: connections beyond the limit for unknown clients that are still accepted, to send them an error. */
enum { KEEPALIVE_S = 15, EVENTS_AT_ONCE = 64, CROWD = 16 };

bool peers_open(struct peers *p, const struct peers_limits *l)
{
	struct epoll_event event = {.events = EPOLLIN};
	sigset_t mine;

	*p = (struct peers){.most = l->most,
			    .unknown_most = l->unknown_most,
			    .most_of_one = l->most_of_one,
			    .keyed_of_one = l->keyed_of_one,
			    .failures_most = l->failures_most,
			    .patience = l->patience};
	atomic_init(&p->now, (int)(clock_ticks() / 1000));
	pthread_mutex_init(&p->lock, NULL);
	sigemptyset(&mine);
	sigaddset(&mine, SIGTERM);
	sigaddset(&mine, SIGINT);
	sigaddset(&mine, SIGHUP);
	sigaddset(&mine, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &mine, NULL);
	sigdelset(&mine, SIGPIPE);
	p->signals = signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
	p->watch = epoll_create1(EPOLL_CLOEXEC);
	return p->signals >= 0 && p->watch >= 0 && !epoll_ctl(p->watch, EPOLL_CTL_ADD, p->signals, &event);
}

void peers_unmask(void)
{
	sigset_t ending;

	sigemptyset(&ending);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGINT);
	pthread_sigmask(SIG_UNBLOCK, &ending, NULL);
}

/* "" if it is unknown. An IPv4 client of an IPv6 socket gets its IPv4 name. */
static void address_name(const struct sockaddr *address, socklen_t len, char *to)
{
	static const char mapped[] = "::ffff:";

	if (!address || getnameinfo(address, len, to, PEER_ADDRESS, NULL, 0, NI_NUMERICHOST))
		to[0] = 0;
	else if (!strncmp(to, mapped, sizeof mapped - 1) && strchr(to, '.'))
		memmove(to, to + sizeof mapped - 1, strlen(to) + 1 - (sizeof mapped - 1));
}

static void address_write(int fd, char *to)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof address;
	bool known = !getpeername(fd, (struct sockaddr *)&address, &len);

	address_name(known ? (struct sockaddr *)&address : NULL, len, to);
}

/* Call it with the lock held. */
static void count(struct peer *p, int by)
{
	struct address *of = address_at(&p->peers->addresses, p->address);

	if (p->is_keyed)
		of->keyed += (unsigned)by;
	else
		of->unknown += (unsigned)by, p->peers->unknown += (unsigned)by;
	if (by < 0)
		address_settle(&p->peers->addresses, of, peer_now(p));
}

/* Makes room for a new connection: closes the oldest without a key that has not sent the head of a request, if it had a
 * second to do so, else any of them. `only`: of this address; NULL: of all. Call it with the lock held. */
static bool drop_one(struct peers *peers, const char *only)
{
	struct peer *oldest = NULL, *any = NULL;
	int now = atomic_load(&peers->now), eldest = 0;
	unsigned seen = 0;

	for (struct peer *p = peers->first; p; p = p->next) {
		int waited = now - atomic_load_explicit(&p->since, memory_order_relaxed);
		if (p->is_keyed || p->is_dropped || (only && strcmp(p->address, only) != 0) ||
		    atomic_load_explicit(&p->phase, memory_order_acquire) != PHASE_HEAD)
			continue;
		uint32_t dice;
		random_bytes(&dice, sizeof dice);
		if (dice % ++seen == 0)
			any = p;
		if (waited >= 1 && waited >= eldest) {
			oldest = p;
			eldest = waited;
		}
	}
	struct peer *chosen = oldest ? oldest : any;
	if (!chosen)
		return false;
	shutdown(chosen->fd, SHUT_RDWR);
	count(chosen, -1);
	chosen->is_dropped = true;
	return true;
}

/* Accepts some connections beyond the limit: those that send a key may stay, the others get an error. If even these
 * places are taken, a connection that says nothing leaves. */
bool peers_take(struct peers *p, const struct sockaddr *from, unsigned len)
{
	char name[PEER_ADDRESS];

	address_name(from, (socklen_t)len, name);
	mutex_lock(&p->lock);
	const struct address *known = address_find(&p->addresses, name);
	bool takes = !known || known->unknown < p->most_of_one + CROWD || drop_one(p, name);
	if (takes && p->unknown >= p->unknown_most + CROWD)
		takes = drop_one(p, NULL);
	mutex_unlock(&p->lock);
	return takes;
}

bool peer_is_welcome(struct peer *p, bool has_key)
{
	bool welcome = true;

	mutex_lock(&p->peers->lock);
	struct address *of = address_at(&p->peers->addresses, p->address);
	if (p->is_dropped) {
		welcome = false;
	} else if (has_key && !p->is_keyed) {
		welcome = of->keyed < p->peers->keyed_of_one;
		if (welcome) {
			of->unknown--, of->keyed++;
			p->peers->unknown--;
			p->is_keyed = true;
		}
	} else if (!has_key && !p->is_keyed) {
		welcome = !p->is_crowd;
	}
	mutex_unlock(&p->peers->lock);
	return welcome;
}

int peer_failed(struct peer *p)
{
	mutex_lock(&p->peers->lock);
	int wait = address_failed(address_at(&p->peers->addresses, p->address), p->peers->failures_most, peer_now(p));
	mutex_unlock(&p->peers->lock);
	return wait;
}

struct peer *peer_new(struct peers *peers, int fd)
{
	struct peer *p = budget_zero(1, sizeof *p);
	struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = p};

	p->peers = peers;
	p->fd = fd;
	address_write(fd, p->address);
	peer_enters(p, PHASE_HEAD);
	mutex_lock(&peers->lock);
	p->is_over = ++peers->n > peers->most;
	count(p, 1);
	p->is_crowd = address_at(&peers->addresses, p->address)->unknown > peers->most_of_one ||
		      peers->unknown > peers->unknown_most;
	p->next = peers->first;
	if (p->next)
		p->next->before = p;
	peers->first = p;
	mutex_unlock(&peers->lock);
	epoll_ctl(peers->watch, EPOLL_CTL_ADD, fd, &event);
	return p;
}

/* The watching thread may be handling an event of this peer, so that thread frees the peer before it waits again. */
void peer_closed(struct peer *p)
{
	struct peers *peers = p->peers;

	epoll_ctl(peers->watch, EPOLL_CTL_DEL, p->fd, NULL);
	mutex_lock(&peers->lock);
	if (p->next)
		p->next->before = p->before;
	if (p->before)
		p->before->next = p->next;
	else
		peers->first = p->next;
	peers->n--;
	if (!p->is_dropped)
		count(p, -1);
	p->is_closed = true;
	p->next = peers->graves;
	peers->graves = p;
	mutex_unlock(&peers->lock);
}

void peer_enters(struct peer *p, enum phase phase)
{
	atomic_store_explicit(&p->since, peer_now(p), memory_order_relaxed);
	atomic_store_explicit(&p->phase, phase, memory_order_release);
}

int peer_now(const struct peer *p) { return atomic_load_explicit(&p->peers->now, memory_order_relaxed); }

void peer_watch(struct peer *p, struct request *r)
{
	mutex_lock(&p->peers->lock);
	p->request = r;
	bool has_left = p->has_left;
	mutex_unlock(&p->peers->lock);
	r->is_watched = true;
	if (has_left)
		request_abandon(r);
}

void peer_unwatch(struct peer *p, struct request *r)
{
	if (!r->is_watched)
		return;
	mutex_lock(&p->peers->lock);
	p->request = NULL;
	mutex_unlock(&p->peers->lock);
}

static void bury(struct peers *peers)
{
	mutex_lock(&peers->lock);
	struct peer *dead = peers->graves;
	peers->graves = NULL;
	mutex_unlock(&peers->lock);
	while (dead) {
		struct peer *next = dead->next;

		free(dead);
		dead = next;
	}
}

/* The library reads edge-triggered. If a connection's end arrives together with its last bytes, there is no further
 * edge, and the library would notice the end only at the timeout. Shutting down the half that has ended causes another
 * edge. Bytes sent before stay readable. */
static void peer_left(struct peer *p)
{
	mutex_lock(&p->peers->lock);
	struct request *r = p->request;
	p->has_left = true;
	if (!p->is_closed)
		shutdown(p->fd, SHUT_RD);
	if (r)
		request_hold(r);
	mutex_unlock(&p->peers->lock);
	if (!r)
		return;
	request_abandon(r);
	request_release(r);
}

static void keep_alive(struct request *r, int now)
{
	mutex_lock(&r->lock);
	if (r->is_streaming && !r->has_ended && now - r->told >= KEEPALIVE_S) {
		r->told = now;
		if (!sse_waiting(&r->events))
			sse_keepalive(&r->events);
		request_wake(r);
	} else {
		mutex_unlock(&r->lock);
	}
}

static void look_after(struct peers *peers, int now)
{
	mutex_lock(&peers->lock);
	for (struct peer *p = peers->first; p; p = p->next) {
		int phase = atomic_load_explicit(&p->phase, memory_order_acquire);
		int waited = now - atomic_load_explicit(&p->since, memory_order_relaxed);

		if ((phase == PHASE_HEAD && waited > peers->patience) ||
		    (phase == PHASE_BODY && waited > 6 * peers->patience))
			shutdown(p->fd, SHUT_RDWR);
		if (p->request)
			keep_alive(p->request, now);
	}
	if (now % 60 == 0)
		addresses_tidy(&peers->addresses, now);
	mutex_unlock(&peers->lock);
}

static enum round heed_signal(struct peers *p)
{
	struct signalfd_siginfo signal;

	if (read(p->signals, &signal, sizeof signal) != sizeof signal)
		return ROUND_OVER;
	return signal.ssi_signo == SIGHUP ? ROUND_RELOAD : ROUND_STOP;
}

enum round peers_round(struct peers *p, int ms)
{
	struct epoll_event events[EVENTS_AT_ONCE];
	enum round round = ROUND_OVER;

	bury(p);
	int n = epoll_wait(p->watch, events, EVENTS_AT_ONCE, ms);
	for (int i = 0; i < n; i++) {
		if (events[i].data.ptr)
			peer_left(events[i].data.ptr);
		else
			round = heed_signal(p);
	}
	int now = (int)(clock_ticks() / 1000);
	if (now != atomic_load(&p->now)) {
		atomic_store(&p->now, now);
		look_after(p, now);
	}
	return round;
}

void peers_end(struct peers *peers, bool all)
{
	mutex_lock(&peers->lock);
	for (struct peer *p = peers->first; p; p = p->next) {
		struct request *r = p->request;

		if (!r)
			continue;
		mutex_lock(&r->lock);
		if (all || r->session) {
			r->has_ended = true;
			r->is_given_up = all;
			request_wake(r);
		} else {
			mutex_unlock(&r->lock);
		}
	}
	mutex_unlock(&peers->lock);
}

void peers_close(struct peers *p)
{
	bury(p);
	if (p->watch >= 0)
		close(p->watch);
	if (p->signals >= 0)
		close(p->signals);
	addresses_free(&p->addresses);
	pthread_mutex_destroy(&p->lock);
}
