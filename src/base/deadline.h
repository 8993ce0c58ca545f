/*
 * When to stop in the midst of things: asked inside an execution that does not end, and by every loop over a trace.
 *
 * A loop that gets this answer stops where it is, with any result.  The caller of the analysis asks late_reported() and drops what
 * may be incomplete.
 */
#ifndef HEDDLE_BASE_DEADLINE_H
#define HEDDLE_BASE_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#define LATE_ANALYSIS \
        1.0             /* seconds after the limit of --time: findings of the last execution are recorded until then */
#define LATE_REPORT 1.5 /* ... and simplified until then */

/* Set (by a signal handler, say) to stop. */
extern volatile int loop_interrupted;

/* From now on it is late after this moment of the monotonic clock, in seconds (0: never), and, if `interrupts`, when
 * interrupted.  At first it is late when interrupted.  Nothing has been reported. */
void late_after(double seconds, bool interrupts);

/* What takes long and can be left says so, by -EINTR or by failing. */
bool late(void);

/* The same for loops with short rounds: looks at the clock every LATE_ROUNDS rounds.  late_for() is asked once for a loop of so many. */
#define LATE_ROUNDS 256u
extern uint32_t late_rounds;
static inline bool late_for(uint32_t rounds)
{
        late_rounds += rounds;
        if (__builtin_expect(late_rounds < LATE_ROUNDS, 1))
                return false;
        late_rounds = 0;
        return late();
}

static inline bool late_soon(void)
{
        return late_for(1);
}

/* Has late() been answered with yes since the last late_after()? */
bool late_reported(void);

#endif
