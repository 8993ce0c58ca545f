/* See real.h. */
#include "rt/real.h"

#include <dlfcn.h>

#include "rt/fault.h"
#include "rt/position.h"
#include "rt/rt.h"

void *rt_real(const char *name)
{
        struct thread *t = rt_cur;
        void *p;

        rt_run(NULL); /* dlsym may allocate */
        p = dlsym(RTLD_NEXT, name);
        rt_run(t);
        if (!p)
                rt_fault(name);
        return p;
}
