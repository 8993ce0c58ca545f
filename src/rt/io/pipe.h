/* Reads and writes of channels. */
#ifndef HEDDLE_RT_IO_PIPE_H
#define HEDDLE_RT_IO_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The running thread is about to put another descriptor at this number, which is closed. */
void channel_replace(int fd, int from, uintptr_t site);

/* A call that waits keeps the open file, even if the number is closed or given to another meanwhile: fd is a copy then. */
bool channel_hold(int *fd);
void channel_let_go(int fd);

#pragma GCC visibility pop

#endif
