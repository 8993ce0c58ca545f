/* What the explorer is to know of the end of an execution. */
#ifndef HEDDLE_RT_SCHED_REPORT_H
#define HEDDLE_RT_SCHED_REPORT_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* For exec_set_report(). */
void report_end(uint32_t end);

#pragma GCC visibility pop

#endif
