/* Hardware transactions (Intel RTM): what _xbegin(), _xend(), _xabort() and _xtest() do. */
#ifndef HEDDLE_RT_TXN_TXN_H
#define HEDDLE_RT_TXN_TXN_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The status of a transaction that begins here.  tested: the program may look at its bits. */
uint32_t txn_begin(bool tested, uintptr_t site);
void txn_end(uintptr_t site);
void txn_abort(uint32_t code, uintptr_t site);
bool txn_test(void);

#pragma GCC visibility pop

#endif
