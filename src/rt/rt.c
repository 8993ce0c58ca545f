/* The state that everything shares: see rt.h. */
#include "rt/rt.h"

struct rt rt;
struct execution ex;
struct thread *rt_cur;

uint64_t rt_seed(void)
{
        return rt.down ? rt.down->seed : 0;
}
