/*
 * Stream sockets of the program that its own threads connect: addresses, those that listen, and connections that wait.
 *
 * A socket that is made is the kernel's, and stays so if it is connected to another process.  One that listens, or is connected to
 * one that does, is a Unix socket whose name the kernel has chosen; the addresses of the program are kept here only.  So
 * they are as free in each execution as in the first, and nothing depends on the time that TCP takes.  A connection is two channels.
 */
#ifndef HEDDLE_RT_IO_SOCKET_H
#define HEDDLE_RT_IO_SOCKET_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#define SOCKET_MAX_FD  1024
#define SOCKET_WAITING 16u /* connections that wait to be accepted */

struct socket_name {
        socklen_t size;
        union {
                struct sockaddr any;
                struct sockaddr_in in;
                struct sockaddr_in6 in6;
                struct sockaddr_un un;
        };
};

enum socket_phase { SOCKET_FREE, SOCKET_FRESH, SOCKET_BOUND, SOCKET_LISTENS, SOCKET_CONNECTED, SOCKET_OUTSIDE };

struct waiting { /* the other end of a connection */
        uint64_t in, out;
        struct socket_name from, to;
        bool ready; /* something was sent to it, or its end */
};

struct endpoint {
        uint8_t phase;    /* enum socket_phase */
        bool replaced;    /* its path was given to another */
        bool in_progress; /* connect() has answered EINPROGRESS, and not yet that it is done */
        bool watched;     /* by epoll, before it is connected or listens */
        bool older;       /* than the snapshot, and not connected or listening then */
        bool special;     /* it has an option that connections between threads do not have */
        bool shares_port; /* SO_REUSEPORT */
        int domain;
        int backlog;
        uint64_t channel; /* of one that listens */
        struct socket_name name, peer, kernel;
        uint32_t n_waiting;
        struct waiting waiting[SOCKET_WAITING];
};

#pragma GCC visibility push(hidden)

/* The socket at fd, NULL: there is none, or it is of another kind. */
struct endpoint *socket_at(int fd);
struct endpoint *socket_made(int fd, int domain);
void socket_duplicated(int from, int to);
/* All descriptors of s: f is called for each. */
void socket_each(const struct endpoint *s, void (*f)(void *arg, int fd), void *arg);
/* A TCP socket that a Unix socket is in place of. */
bool socket_is_carried(const struct endpoint *s);

/* The program's socket that has this address, in this phase; NULL: none. */
struct endpoint *socket_find(const struct socket_name *name, enum socket_phase phase);
/* A port that no socket has, which does not depend on what other threads do. */
uint16_t socket_port(void);

/* Is no room left for another connection at this channel? */
bool socket_is_full(uint64_t channel);

/* The end of the channel that is read is that of a connection which waits: is there something to read?  True for others. */
bool socket_is_ready(uint64_t channel);
/* ... there is now. */
void socket_filled(uint64_t channel);

/* Is fd the last descriptor of its socket, and does the socket have a name that is free without it?  It is one no more. */
bool socket_is_last(int fd);
bool socket_closes_name(int fd);
void socket_forget(int fd);
/* A descriptor of the runtime, and the first of these from fd on; -1: none. */
void socket_keep(int fd, bool on);
int socket_next_kept(int fd);

/* Are there any? */
bool socket_any(void);

/* For the snapshot: why it cannot be put back, NULL: it can.  A listening socket was made again at fd. */
const char *socket_save(void);
void socket_restore(void);
long socket_listen(struct endpoint *s, int fd);
int socket_again(uint64_t channel);
void socket_drain(int fd);

#pragma GCC visibility pop

#endif
