/*
 * One moment for the whole process, since it is asked for in places that know neither session nor options.
 */
#include "base/deadline.h"

#include "base/clock.h"

volatile int loop_interrupted;
uint32_t late_rounds;

static double limit;
static bool uninterrupted, told;

void late_after(double seconds, bool interrupts)
{
        limit = seconds;
        uninterrupted = !interrupts;
        told = false;
}

static bool passed(void)
{
        if (loop_interrupted && !uninterrupted)
                return true;
        if (limit <= 0)
                return false;
        return clock_now() >= limit;
}

bool late(void)
{
        if (!passed())
                return false;
        told = true;
        return true;
}

bool late_reported(void)
{
        return told;
}
