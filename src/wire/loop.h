/* Loops that were seen to make rounds without effect, and which part of a thread's state is live in them. */
#ifndef HEDDLE_WIRE_LOOP_H
#define HEDDLE_WIRE_LOOP_H

#include <stdint.h>

#define WIRE_MAX_LOOPS      512u
#define WIRE_LOOP_FRAME     1024u             /* bytes of a frame that are described */
#define WIRE_LOOP_STACK     512u              /* words of a stack */
#define WIRE_LOOP_REGISTERS 0x3fu             /* rbx, rbp, r12 to r15 */
#define WIRE_LOOP_SCRATCH   UINT32_C(0x1ffff) /* all general registers, in the order of their numbers, and the flags */

/* A call site of the program, or the end of an instruction that the runtime performs.  `frame` is the distance from the stack pointer after the call to the return address of the
 * function that it is in; UINT32_MAX: not known, and all is live. */
struct wire_loop {
        uint64_t site;
        uint32_t frame;
        uint16_t live;  /* bits of WIRE_LOOP_REGISTERS */
        uint16_t looks; /* a thread compares its state here; else it is the site of a call on the way there */
        uint32_t
                scratch; /* bits of WIRE_LOOP_SCRATCH that are live before an instruction; calls leave nothing in these */
        uint32_t told;   /* all accesses to variables of the frame that a call may access are announced */
        uint64_t dead[WIRE_LOOP_FRAME / 64]; /* a bit for each byte of the frame */
};

#define WIRE_MAX_WASTED (1u << 14) /* slots, at most half of which are used */
#define WIRE_MAX_AGREED (1u << 12) /* of them; the others are left for reads */
#define WIRE_NEW_WASTED 8u

#define WIRE_RESTART_MUST   1u /* what was explored with less does not count: all explorers of a program must know it */
#define WIRE_RESTART_BETTER 2u /* it would have been less; what was explored is right */

#define WIRE_MAX_AWAITS 8192u

#define WIRE_AWAIT_WASTED 1u /* the value was one that it waits to end, which was not known: the execution ends here */
#define WIRE_AWAIT_WAITED 2u /* the thread was blocked here */

/* A read in a loop that does nothing but wait for another value (rt/loops/await.c), by event.  Beyond the last event: the thread
 * still waits at the end. */
struct wire_await {
        uint32_t event;
        uint32_t before; /* 1 + the write that it could have come before; 0: there is none */
        uint16_t actor;
        uint8_t size;
        uint8_t how; /* WIRE_AWAIT_* */
};

#endif
