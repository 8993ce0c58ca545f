/*
 * timerfd.
 *
 * A timer is an eventfd to which a number is written when it ends.  When that is, is not a matter of real time: a thread that reads it, or
 * polls it and finds nothing else, sees the end (timed.h).
 */
#ifndef HEDDLE_RT_IO_TIMER_FD_H
#define HEDDLE_RT_IO_TIMER_FD_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/sched/arrival.h"

struct pollfd;
struct thread;

#define TIMER_FD_NEVER UINT64_MAX

#pragma GCC visibility push(hidden)

/* The running thread is about to read what is at fd: if it is a timer that runs, it ends. */
void timer_fd_read(int fd, uintptr_t site);

/* When the first timer ends of those that a poll asks about; fds NULL: of all.  A virtual time, or TIMER_FD_NEVER. */
uint64_t timer_fd_next(const struct pollfd *fds, uint32_t n);
/* In the turn of a poll: those end that end by this time. */
void timer_fd_pass(struct thread *t, enum arrival how, const struct pollfd *fds, uint32_t n, uint64_t now);

#pragma GCC visibility pop

#endif
