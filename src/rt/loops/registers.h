/* The local state of the running thread at its last call of the runtime: registers and stack. */
#ifndef HEDDLE_RT_LOOPS_REGISTERS_H
#define HEDDLE_RT_LOOPS_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* rbx rbp r12-r15 rsp and return address of the last stub that was called (x86_64/stub.h); and, of an instruction of inline
 * assembly, a hash of the registers that calls do not preserve. */
extern uint64_t spin_regs[9];

/* Of an instruction of inline assembly, and of __heddle_access: all general registers, the flags, and a hash of what else it may use. */
extern uint64_t spin_scratch[18];

/* The return address of the last call of __heddle_access, which keeps all registers: they are in spin_scratch. */
extern uint64_t spin_kept;
/* Is that where spin_regs are of? */
bool spin_is_kept(void);
uint64_t spin_scratch_hash(void);

/* Of the last call of a function that has only its arguments (RT_NOTED): the return address, the function and what it got. */
extern uint64_t spin_args[6];
/* A hash of these if it is the call that spin_regs are of, else 0. */
uint64_t spin_args_hash(void);

/* Does it run on the stack that we know?  Otherwise its local state cannot be compared. */
bool spin_on_own_stack(const struct thread *t);
/* The part of its stack that its local state has: on the main stack not what comes before main(), with the arguments and the
 * environment.  Writes there are followed like those to other memory. */
bool spin_stack_of(const struct thread *t, uintptr_t *lo, uintptr_t *hi);
/* Is the byte in that part, or below it?  There frames of calls were that have returned by the next visit of a loop. */
bool spin_stack_has(const struct thread *t, uint64_t addr);
/* A hash of the program's part of its stack. */
uint64_t spin_stack_hash(const struct thread *t);

/* Marks the site in spin_regs: a call with `inputs` has performed an operation already, and is not the place of a loop. */
#define SPIN_INSIDE (UINT64_C(1) << 63)

/* Its call, which has read this value or none (0), continues: its next operation is not a round of a loop. */
void spin_inside(struct thread *t, uint64_t value);

/* Are its registers those of its call from here? */
bool spin_knows(const struct thread *t, uintptr_t site);

#pragma GCC visibility pop

#endif
