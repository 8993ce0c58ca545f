/*
 * Signals that run a handler of the program: when they arrive is a decision.
 *
 * A signal that another thread, or a timer, sends waits as a message (`ex`).  Each thread has a cell (SIGNAL_CELL): to send is to write it, and
 * every operation of the receiver reads it.  When a message waits for the thread whose turn it is, the handler runs before its
 * operation or not yet; an operation that has to wait can also be interrupted.
 */
#ifndef HEDDLE_RT_SIGNAL_DELIVERY_H
#define HEDDLE_RT_SIGNAL_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/io/signal_object.h"
#include "rt/sched/arrival.h"
#include "rt/threads.h"
#include "rt/signal/delivery_look.h"

/* What is kept while a handler runs inside an operation. */
struct delivery {
        struct pending pend;
        struct cancel_state cancel;
        bool also_shared, waits, timed;
        uint8_t interrupts;
        uint64_t until, deadline;
        uintptr_t via;
};

#pragma GCC visibility push(hidden)

/* Does it wait in a queue, from which others let it go? */
bool delivery_queued(const struct thread *t);
/* A message may wait for the thread, or its mask has changed: how many can run a handler now? */
void delivery_count(struct thread *t);
/* Is what comes next the tick of a timer that --signals excludes?  Then the thread continues without it, or is stopped where it would have
 * to wait. */
bool delivery_over(struct thread *t, bool able);
/* Its turn has come, and messages are ready.  able: the operation could be performed.  True: a handler has run, and the operation
 * arrives again, unless `interrupted` says that the call ends. */
bool delivery_decide(struct thread *t, bool able);
/* All that were sent and are ready run their handlers now: the thread returns from the kernel.  A timer may still end later. */
void delivery_now(struct thread *t);
/* The call under way may end with EINTR (enum interrupts); timed: it never waits. */
void delivery_begin(struct thread *t, enum interrupts how, bool timed);
/* ... does it?  Ends what delivery_begin() began. */
bool delivery_interrupted(struct thread *t);
/* The thread has another mask: what it no longer blocks, and has no handler for, is forgotten, or ends the process as soon as
 * delivery_settled() is called. */
void delivery_settle(struct thread *t);
void delivery_settled(struct thread *t);
/* A signal that has no handler ends the process. */
_Noreturn void delivery_ends(struct thread *t, int sig);
/* The thread came to a point because of a message that is forgotten by its turn: it has a transition nevertheless. */
void delivery_gone(struct thread *t);
/* The action of a signal has changed: those that wait to be accepted are forgotten where it is ignored now, and end
 * the process where that is its default and the thread does not block them. */
void delivery_action(struct thread *t, enum arrival how, int sig);
/* A handler was left by siglongjmp: the thread is where `sp` is. */
void delivery_left(struct thread *t, uintptr_t sp);
/* Sends one to the thread, which has a handler for it and does not block it. */
void delivery_queue(const struct signal_message *m);

#pragma GCC visibility pop

#endif
