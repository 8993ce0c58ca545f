/* A read-write lock that prefers readers. */
#ifndef RPREF_H
#define RPREF_H
#include <pthread.h>
void rpref_read_lock(pthread_rwlock_t *l);
void rpref_write_lock(pthread_rwlock_t *l);
void rpref_unlock(pthread_rwlock_t *l, int write);
#endif
