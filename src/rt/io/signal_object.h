/* The objects of signals, which are polled like channels (signal_wait.c). */
#ifndef HEDDLE_RT_IO_SIGNAL_OBJECT_H
#define HEDDLE_RT_IO_SIGNAL_OBJECT_H

#include <stdint.h>

#include "wire/limits.h"

/* In place of a descriptor: a signal to a thread, or to the process. */
#define SIGNAL_PROCESS        (WIRE_MAX_THREADS - 1)
#define SIGNAL_FD(owner, sig) (-1000 - ((int)(owner)*128 + (sig)))
#define SIGNAL_CELL(owner)    signal_object(owner, 0) /* of the signals that run handlers in the thread */
#define SIGNAL_CHANNELS       (WIRE_MAX_CHANNELS - WIRE_SIGNAL_CELL) /* of each thread are set apart for them */

static inline uint64_t signal_object(uint32_t owner, int sig)
{
        return WIRE_OBJ_CHANNEL(owner, WIRE_MAX_CHANNELS - SIGNAL_CHANNELS + (uint32_t)sig);
}

/* The object of what SIGNAL_FD() stands for, 0: it is a descriptor. */
static inline uint64_t signal_object_of(int fd)
{
        return fd <= -1000 ? signal_object((uint32_t)(-1000 - fd) / 128, (-1000 - fd) % 128) : 0;
}

/* The signal of an object. */
static inline int signal_of_object(uint64_t object)
{
        return (int)((object - signal_object(0, 0)) / 8 % WIRE_MAX_CHANNELS);
}

#endif
