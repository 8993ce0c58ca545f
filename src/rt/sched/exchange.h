/* Messages between the controller and the explorer. */
#ifndef HEDDLE_RT_SCHED_EXCHANGE_H
#define HEDDLE_RT_SCHED_EXCHANGE_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The answer is complete: the explorer may read it. */
void exchange_answer(void);
/* Waits for the next message.  The explorer never sends two at a time. */
void exchange_await(void);
/* Inside an execution: waits until the explorer has looked at the modules that are new in `up`. */
void exchange_ask(void);
/* Memory is as it was before some messages, which were all taken. */
void exchange_restored(void);
/* The last answer of this process. */
_Noreturn void exchange_last(uint32_t end, const char *what);

#pragma GCC visibility pop

#endif
