/* Destructors of keys of thread-specific data. */
#ifndef HEDDLE_RT_THREAD_KEYS_H
#define HEDDLE_RT_THREAD_KEYS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define MAX_KEYS 1024u

typedef void (*key_dtor)(void *);

#pragma GCC visibility push(hidden)

extern key_dtor key_dtors[MAX_KEYS];
extern bool keys_deleted; /* some of those that were there at the snapshot may be gone */

uint32_t key_state(pthread_key_t key);
/* The state of the key that is created next. */
uint32_t tls_next_key(void);
/* For the snapshot. */
void tls_save(void);
void tls_restore(void);

#pragma GCC visibility pop

#endif
