/* See access_entry.h. */
#include "rt/memory/access_entry.h"

#include "rt/rt.h"
#include "rt/trace/entry.h"
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

void access_words(struct thread *t, struct wire_event *e)
{
        uint64_t end = e->obj + e->size;

        if (e->size > WIRE_MAX_WORDS * 8 - 8 || t->section.hidden || (e->weak & WIRE_WEAK_BUFFERED))
                return;
        for (uint64_t at = (e->obj | 7) + 1; at < end; at += 8)
                entry_add(t, 0, OP_WORD, at, end - at < 8 ? (uint32_t)(end - at) : 8, WIRE_MODE_NONE, 0);
        if (e->mode == WIRE_MODE_WRITE)
                t->unsaid = e;
}
