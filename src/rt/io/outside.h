/*
 * What a program got from outside when it was recorded, where recorded paths are followed (`heddle reproduce`): the results of its
 * calls, in the order of its calls.  What its own threads send is there anyway; of these calls the recorded result is passed over.
 */
#ifndef HEDDLE_RT_IO_OUTSIDE_H
#define HEDDLE_RT_IO_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#pragma GCC visibility push(hidden)

/* The thread reads into n buffers from outside: true: *r and what is in them are as they were recorded. */
bool outside_read(ssize_t *r, int fd, const struct iovec *v, size_t n, uintptr_t site);
/* It has read what other threads wrote. */
void outside_pass(void);

/* connect() returned r here; its result. */
int outside_connected(int fd, int r);
/* Does what is written to this descriptor go nowhere, since the other side was there only when it was recorded? */
bool outside_takes(int fd);

#pragma GCC visibility pop

#endif
