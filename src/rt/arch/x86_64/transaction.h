/* The instructions of hardware transactions, where no compiler made calls of them. */
#ifndef HEDDLE_RT_ARCH_X86_64_TRANSACTION_H
#define HEDDLE_RT_ARCH_X86_64_TRANSACTION_H

#include <stdint.h>

struct wire_locked;

#pragma GCC visibility push(hidden)

/* Performs it, with these registers.  An xbegin that aborts continues elsewhere: *next. */
void transaction_perform(const struct wire_locked *l, uint64_t *rax, uint64_t *flags, uint64_t *next);

#pragma GCC visibility pop

#endif
