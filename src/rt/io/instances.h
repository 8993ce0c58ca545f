/*
 * epoll instances that are older than the first thread: what they watch, put back for every execution.
 */
#ifndef HEDDLE_RT_IO_INSTANCES_H
#define HEDDLE_RT_IO_INSTANCES_H

#include <stdbool.h>

struct epoll_event;

#pragma GCC visibility push(hidden)

/* Before the snapshot: an instance is made, and what it watches is changed as epoll_ctl() says. */
void epoll_made(int fd);
void epoll_watched(int epfd, int op, int fd, const struct epoll_event *event);
/* The program has closed a descriptor. */
void epoll_closed(int fd);

/* For the snapshot: instances that were there are made again, after the descriptors they watch. */
void epoll_save(void);
void epoll_restore(void);
/* Are there any? */
bool epoll_any(void);

#pragma GCC visibility pop

#endif
