/* mutex.h: locks that a call never leaves behind.
 *
 * A call that uses too much is ended at once (budget.h), but not while it holds one of these mutexes: the protected
 * data would stay half changed, and the mutex locked. The call ends soon after the unlock. Use these for short critical
 * sections; a lock that is held longer is registered with own_object(). */
#ifndef QUIRE_BASE_MUTEX_H
#define QUIRE_BASE_MUTEX_H
#include "base/budget.h"

#include <pthread.h>

static inline void mutex_lock(pthread_mutex_t *m)
{
	budget_hold();
	pthread_mutex_lock(m);
}

static inline void mutex_unlock(pthread_mutex_t *m)
{
	pthread_mutex_unlock(m);
	budget_let();
}

static inline void rwlock_read(pthread_rwlock_t *l)
{
	budget_hold();
	pthread_rwlock_rdlock(l);
}

static inline void rwlock_write(pthread_rwlock_t *l)
{
	budget_hold();
	pthread_rwlock_wrlock(l);
}

static inline void rwlock_unlock(pthread_rwlock_t *l)
{
	pthread_rwlock_unlock(l);
	budget_let();
}

#endif
