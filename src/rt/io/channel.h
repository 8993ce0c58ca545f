/*
 * Pipes, socket pairs and eventfds that the program made: which descriptors are their ends, and what can be done now.
 *
 * A channel is one direction: bytes go in at its writing end and come out at its reading end.  It is an object
 * (WIRE_OBJ_CHANNEL) whose state the kernel is asked for after every operation; the bytes are in the kernel.
 */
#ifndef HEDDLE_RT_IO_CHANNEL_H
#define HEDDLE_RT_IO_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "op/channel.h"
#include "rt/sched/arrival.h"

struct object;
struct thread;

#define CHANNEL_MAX_FD 1024

/* What is at a descriptor. */
struct channel_end {
        uint64_t in, out; /* the channel that is read from here, and the one that is written to; 0: none */
        uint8_t kind;     /* enum channel_kind, 0: no channel */
        bool packets;     /* messages keep their bounds */
        bool semaphore;   /* an eventfd that is read one by one */
        uint64_t signals; /* of a signalfd: which it takes */
};

#pragma GCC visibility push(hidden)

/* The end at fd, or NULL. */
const struct channel_end *channel_at(int fd);

/* Something was made, duplicated or closed by the program. */
void channel_made(enum channel_kind kind, int a, int b, int flags);
void channel_duplicated(int from, int to);
void channel_closed(int fd);

/* The first descriptor from fd on that is of this kind, -1: none. */
int channel_next(int fd, enum channel_kind kind);

/* A channel, and its place. */
uint64_t channel_new(enum channel_kind kind);
void channel_put(int fd, struct channel_end e);
/* Its state is checked again. */
void channel_look(uint64_t channel);

/* Its ends were changed in a way that only making it again undoes. */
void channel_changed(int fd);
/* Are there any? */
bool channel_any(void);

struct object *channel_object(uint64_t channel);

/* The channel was used by the running thread: its state is checked again, and those that poll it are woken. */
void channel_used(struct thread *t, enum arrival how, uint64_t channel);

/* For the snapshot: channels that were there keep their descriptors, and are made again where an execution
 * closed one, or all of them: in a child, whose parent holds the old ones open.  True: some were. */
void channel_save(void);
bool channel_restore(bool all);

#pragma GCC visibility pop

#endif
