/* See map.h.  Addresses are handed out in ascending order, so that they are the same in every process. */
#include "rt/map.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/layout.h"
#include "rt/util.h"

bool rt_map_at(uintptr_t at, size_t size)
{
        return rt_syscall6(SYS_mmap, (long)at, (long)size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == (long)at;
}

void *rt_map(size_t size)
{
        static uintptr_t next = RT_OWN;
        uintptr_t at = next;

        next += (size + 4095) & ~(size_t)4095;
        if (!rt_map_at(at, next - at))
                rt_fault("the runtime could not reserve memory (is `ulimit -v` set?)");
        return (void *)at;
}
