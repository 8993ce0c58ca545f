/* The channels that a poll asks about. */
#ifndef HEDDLE_RT_IO_POLLED_H
#define HEDDLE_RT_IO_POLLED_H

#include <poll.h>
#include <stdint.h>

#include "rt/sched/arrival.h"
#include "wire/wire.h"

struct thread;

/* The object of all epoll instances. */
#define EPOLLS WIRE_OBJ_EPOLLS

#pragma GCC visibility push(hidden)

/* Calls f for every channel of the n descriptors, each once for each descriptor that names it; fds NULL: for all. */
void polled_each(const struct pollfd *fds, uint32_t n, void (*f)(void *arg, uint64_t channel), void *arg);

/* The running thread reads the channels that thread `of` polls. */
void poll_read_awaited(struct thread *t, enum arrival how, const struct thread *of);

#pragma GCC visibility pop

#endif
