/* The signals that the runtime handles itself: which they are, and the kernel's view of them. */
#ifndef HEDDLE_RT_WORLD_OWN_SIGNALS_H
#define HEDDLE_RT_WORLD_OWN_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#define SIGNALS 65 /* 1 to 64 */

struct signal_action { /* as the kernel has it */
        void (*handler)(int);
        uint64_t flags;
        void (*restorer)(void);
        uint64_t mask;
};

static inline uint64_t signal_bit(int sig)
{
        return UINT64_C(1) << (sig - 1);
}

#pragma GCC visibility push(hidden)

extern struct signal_action own_action; /* ours; signal_init() sets it */

bool signal_is_own(int sig);
uint64_t signal_own_set(void); /* a bit for each of them */
void signal_install(void);
/* Of signals that are not ours: has the program a handler, does it ignore the signal, and the flags of its action. */
bool signal_caught(int sig);
bool signal_ignored(int sig);
uint64_t signal_flags(int sig);
bool signal_is_installed(const struct signal_action *a);
/* The stack for our handlers: makes it, and gives it (a stack_t). */
void signal_make_stack(void);
void signal_own_stack(void *stack);

#pragma GCC visibility pop

#endif
