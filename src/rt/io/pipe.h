/* Reads and writes of channels. */
#ifndef HEDDLE_RT_IO_PIPE_H
#define HEDDLE_RT_IO_PIPE_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The running thread is about to put another descriptor at this number, which is closed. */
void channel_replace(int fd, int from, uintptr_t site);

#pragma GCC visibility pop

#endif
