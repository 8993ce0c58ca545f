/* Thread-specific data and C++ thread_local variables. */
#ifndef HEDDLE_RT_THREAD_TLS_H
#define HEDDLE_RT_THREAD_TLS_H

struct thread;

#pragma GCC visibility push(hidden)

/* Runs the destructors of the thread, which ends. */
void thread_run_dtors(struct thread *t);

#pragma GCC visibility pop

#endif
