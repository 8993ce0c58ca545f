/* Keys of thread-specific data, and destructors. */
#ifndef HEDDLE_RT_SYNC_TLS_H
#define HEDDLE_RT_SYNC_TLS_H

#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* Runs the destructors of the thread, which ends. */
void thread_run_dtors(struct thread *t);
/* The state of the key that is created next; and the destructors in the snapshot. */
uint32_t tls_next_key(void);
void tls_save(void);
void tls_restore(void);

#pragma GCC visibility pop

#endif
