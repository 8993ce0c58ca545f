/* What happens to the other side when a socket is closed. */
#ifndef HEDDLE_RT_IO_SOCKET_END_H
#define HEDDLE_RT_IO_SOCKET_END_H

#include <stdint.h>

#include "rt/sched/arrival.h"

struct thread;

#pragma GCC visibility push(hidden)

/* The running thread is about to close fd; has closed it, as `how` says. */
void socket_closing(int fd);
void socket_closed(int fd, enum arrival how);
/* ... has written to the channel. */
void socket_written(struct thread *t, enum arrival how, uint64_t channel);

#pragma GCC visibility pop

#endif
