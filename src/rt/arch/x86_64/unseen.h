/* Reports of what is not watched. */
#ifndef HEDDLE_RT_ARCH_X86_64_UNSEEN_H
#define HEDDLE_RT_ARCH_X86_64_UNSEEN_H

struct wire_locked;

#pragma GCC visibility push(hidden)

/* The running thread is about to execute an instruction that is not understood, or to make a call that is not watched. */
void unseen_report(const struct wire_locked *l);
/* ... or an operation of a module whose plain accesses are not watched.  What was noted stays noted. */
void unseen_module(const struct wire_locked *l);

#pragma GCC visibility pop

#endif
