/* Clocks. */
#ifndef HEDDLE_BASE_CLOCK_H
#define HEDDLE_BASE_CLOCK_H

/* Seconds since some moment in the past; may be called by signal handlers. */
double clock_now(void);

/* Seconds since 1970, as the machine has it: what several machines compare, and no measure of time. */
double clock_date(void);

/* Seconds of processor time that this process has used. */
double clock_used(void);

#endif
