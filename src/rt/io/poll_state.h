/* What poll.c keeps of a thread that polls, and pipe.c of one that closes. */
#ifndef HEDDLE_RT_IO_POLL_STATE_H
#define HEDDLE_RT_IO_POLL_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct poll_state {
        bool waiting;    /* for a channel to be used: one of `fds`, or any */
        bool lent;       /* ... with the mask of ppoll or a relative of it */
        bool all;        /* ... any */
        const void *fds; /* struct pollfd, the caller's; valid while it waits */
        uint32_t n;
};

struct channel_state {
        uint16_t n_made;     /* channels that it made: with its number, their names */
        uint16_t n_ports;    /* ports that its sockets were given: likewise */
        uint16_t n_helpers;  /* other programs that it started: likewise */
        uint8_t closing_how; /* enum arrival, of a close under way */
};

#endif
