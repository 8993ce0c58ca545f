/* See access_entry.h. */
#include "rt/memory/access_entry.h"

#include "rt/rt.h"
#include "rt/trace/log.h"
#include "rt/weak/mm.h"

struct wire_event *access_read(struct thread *t, enum arrival how, uintptr_t addr, uint32_t size, uint64_t value)
{
        struct wire_event *e;

        e = op_log(t, how, mm_read_mode(t, addr, size), value);
        if (how != ARRIVE_PRIVATE)
                mm_forward(t, addr, size);
        return e;
}

struct wire_event *access_write(struct thread *t, enum arrival how, uint32_t op, uintptr_t addr, uint32_t size)
{
        return RT_UNLIKELY(how == ARRIVE_BUFFERED) ? mm_store(t, op, addr, size) : op_log(t, how, WIRE_MODE_WRITE, 0);
}
