/* See real.h. */
#include "rt/real.h"

#include <dlfcn.h>

#include "rt/fault.h"
#include "rt/rt.h"

void *rt_real(const char *name)
{
        struct thread *t = rt_cur;
        void *p;

        rt_cur = NULL; /* dlsym may allocate */
        p = dlsym(RTLD_NEXT, name);
        rt_cur = t;
        if (!p)
                rt_fault(name);
        return p;
}
