/* See threads.h. */
#include "rt/threads.h"

struct thread threads[WIRE_MAX_THREADS];

uint32_t rt_self(void)
{
        return rt_cur ? rt_cur->id : 0;
}
