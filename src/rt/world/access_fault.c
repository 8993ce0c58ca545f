/* See access_fault.h. */
#include "rt/world/access_fault.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "rt/memory/heap.h"
#include "rt/notes.h"
#include "rt/sched/pool.h"
#include "rt/util.h"

#define NEVER_MAPPED 65536u

bool signal_faults;

/* Memory of the heap and of stacks is looked after elsewhere, and the first 64 KiB are never mapped. */
bool signal_will_fault(uintptr_t addr)
{
        char byte;
        struct iovec to = {&byte, 1}, from = {(void *)addr, 1};
        uint32_t id;

        if (heap_has(addr) || pool_stack_at(addr, &id))
                return false;
        if (addr >= NEVER_MAPPED && rt_syscall6(SYS_process_vm_readv, rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0),
                                                (long)&to, 1, (long)&from, 1, 0) != -EFAULT)
                return false;
        if (addr >= NEVER_MAPPED)
                rt_note_incomplete(REASON_FAULT, NULL);
        return true;
}
