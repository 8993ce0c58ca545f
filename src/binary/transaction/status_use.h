/* What code does with the status of a transaction, where no compiler has made a call of xbegin: the machine code says. */
#ifndef HEDDLE_BINARY_TRANSACTION_STATUS_USE_H
#define HEDDLE_BINARY_TRANSACTION_STATUS_USE_H

#include <stdbool.h>
#include <stdint.h>

/* Does the function, whose code is from lo to hi, only compare the status with _XBEGIN_STARTED that is in eax at `at`, where the
 * transaction aborts to?  false: it does more, or that is not known. */
bool status_compared(const uint8_t *code, uint64_t lo, uint64_t hi, uint64_t at);

#endif
