/*
 * The end of heddle by a fault of its own: one line that starts with "heddle: internal:", what helps to repeat it, and exit
 * status 3.  A fault is never a verdict.
 */
#ifndef HEDDLE_BASE_FAULT_H
#define HEDDLE_BASE_FAULT_H

#include <stdio.h>

#define FAULT_STATUS 3

/* Ends the process: prints "heddle: internal: " and `line`, then calls the function of fault_at_end().  Allocates nothing. */
_Noreturn void fault_end(const char *line);

/* The same, with what fault_describe() adds before the end. */
_Noreturn void fault_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What is cleaned up before the end, in this process and not in one that it forks.  `f` must not allocate. */
void fault_at_end(void (*f)(void));

/* `f` prints what helps to repeat a fault (seed, schedule), a line for each, indented by two spaces; NULL: nothing.  A fault
 * inside of `f` ends the process. */
void fault_describe(void (*f)(FILE *out, const void *arg), const void *arg);

#endif
