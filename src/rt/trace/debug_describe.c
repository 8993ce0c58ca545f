/* What a debugger shows of an execution: threads, their store buffers, and the locks that they hold. */
#include "rt/sched/enabled.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/trace/debug.h"
#include "rt/util.h"
#include "rt/weak/mm.h"

static uint32_t used;

static void put_op(const char *name, char *to, size_t room)
{
        size_t i = 0;

        for (; name[i] && i + 1 < room; i++)
                to[i] = name[i] == ' ' ? '_' : name[i];
        to[i] = 0;
}

static void put_thread(const struct thread *t)
{
        static const char *const states[] = {
                [WIRE_T_READY] = "ready",    [WIRE_T_BLOCKED] = "waits", [WIRE_T_SPIN] = "spins",
                [WIRE_T_DONE] = "ended",     [WIRE_T_FAILED] = "failed", [WIRE_T_ASSUME] = "stopped",
                [WIRE_T_BUDGET] = "stopped", [WIRE_T_EXITED] = "exited",
        };
        const char *state = t->state < sizeof states / sizeof *states && states[t->state] ? states[t->state] : "?";
        char op[64];

        if (t->state == WIRE_T_READY)
                state = t == rt_cur ? "runs" : sched_able(t) ? "ready" : "waits";
        put_op(t->state == WIRE_T_READY ? op_name(t->pend.op) : "-", op, sizeof op);
        if (used + 128 < WIRE_DEBUG_TEXT)
                used += (uint32_t)rt_format(rt.up->debug.text + used, WIRE_DEBUG_TEXT - used, "thread %u %s %s %p\n",
                                            (uint32_t)t->id, state, op, t->pend.obj);
}

/* What waits in the store buffer of a thread, the oldest first. */
static void put_stores(const struct thread *t)
{
        uint64_t addr, value;
        uint32_t size;

        for (uint32_t i = 0; mm_waiting(t, i, &addr, &size, &value) && used + 128 < WIRE_DEBUG_TEXT; i++)
                used += (uint32_t)rt_format(rt.up->debug.text + used, WIRE_DEBUG_TEXT - used, "store %u %p %u %p\n",
                                            (uint32_t)t->id, (uintptr_t)addr, size, (uintptr_t)value);
}

void debug_describe(void)
{
        used = 0;
        rt.up->debug.text[0] = 0;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].state != WIRE_T_UNUSED && !thread_is_buffer(&threads[i])) {
                        put_thread(&threads[i]);
                        put_stores(&threads[i]);
                }
        for (uint32_t i = 0; i < ex.n_objects; i++) {
                const struct object *o = &objects[i];
                uint32_t owner = op_owner(o->kind, o->state); /* of a read-write lock: the writer */
                if (o->addr && owner && used + 128 < WIRE_DEBUG_TEXT)
                        used += (uint32_t)rt_format(rt.up->debug.text + used, WIRE_DEBUG_TEXT - used, "held %u %p\n",
                                                    owner - 1, o->addr);
        }
}
