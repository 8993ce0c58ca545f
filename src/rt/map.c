/* See map.h.  Addresses are handed out in ascending order, so that they are the same in every process. */
#include "rt/map.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/layout.h"
#include "rt/util.h"

void *rt_map(size_t size)
{
        static uintptr_t next = RT_OWN;
        uintptr_t at = next;
        long r;

        next += (size + 4095) & ~(size_t)4095;
        r = rt_syscall6(SYS_mmap, (long)at, (long)(next - at), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (r != (long)at)
                rt_fault("the runtime could not reserve memory (is `ulimit -v` set?)");
        return (void *)r;
}
