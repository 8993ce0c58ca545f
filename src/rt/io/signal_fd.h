/*
 * signalfd.
 *
 * A descriptor is an eventfd that can be read while a signal of its set waits to be accepted (signal_wait.c).
 */
#ifndef HEDDLE_RT_IO_SIGNAL_FD_H
#define HEDDLE_RT_IO_SIGNAL_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "rt/sched/arrival.h"

struct thread;

#pragma GCC visibility push(hidden)

/* A signal was sent or accepted, in this turn of the thread: the descriptors show it. */
void signal_fd_changed(struct thread *t, enum arrival how, int sig, bool sent);
/* In the turn of a read: accepts as many as there is room for. */
ssize_t signal_fd_read(struct thread *t, int fd, void *p, size_t n);
/* ... and when its entry is written: those of what it accepted. */
void signal_fd_taken(struct thread *t, enum arrival how, int fd);

#pragma GCC visibility pop

#endif
