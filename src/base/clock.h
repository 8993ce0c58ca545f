/* The monotonic clock. */
#ifndef HEDDLE_BASE_CLOCK_H
#define HEDDLE_BASE_CLOCK_H

/* Seconds since some moment in the past; may be called by signal handlers. */
double clock_now(void);

#endif
