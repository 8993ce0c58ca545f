/* Waiting for several channels at once: what poll() and epoll_wait() have in common. */
#ifndef HEDDLE_RT_IO_POLL_H
#define HEDDLE_RT_IO_POLL_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#define MOST_POLLED 4096u

struct question {
        struct pollfd *fds; /* NULL: every channel */
        uint32_t n;
        int timeout;                         /* milliseconds, -1: none */
        int (*look)(void *arg);              /* without waiting */
        uint64_t (*takes)(void *arg, int r); /* the object that a look which found r changes, 0: none; NULL: never */
        void *arg;
};

#pragma GCC visibility push(hidden)

/* Looks, and waits while nothing is found and there is time; returns what the last look found. */
int poll_ask(const struct question *q, uintptr_t site);

#pragma GCC visibility pop

#endif
