/* Hardware transactions: the intrinsics of xbegin, xend, xabort and xtest become calls of the runtime. */
#ifndef HEDDLE_INSTRUMENT_TRANSACTION_H
#define HEDDLE_INSTRUMENT_TRANSACTION_H

#include <stdbool.h>

#include "instrument/pass.h"

bool transaction_is(LLVMValueRef call);
void transaction_replace(struct pass *p, LLVMValueRef call);

#endif
