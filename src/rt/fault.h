/* Faults and limits of the runtime, and calls that are not modelled. */
#ifndef HEDDLE_RT_FAULT_H
#define HEDDLE_RT_FAULT_H

#pragma GCC visibility push(hidden)

/* A fault or a limit of the runtime: ends the execution as WIRE_END_FAULT with a message. */
_Noreturn void rt_fault(const char *text);

/* Ends the execution as "not modelled" and names the call.  Outside `check` it returns. */
void rt_refuse(const char *name);

#pragma GCC visibility pop

#endif
