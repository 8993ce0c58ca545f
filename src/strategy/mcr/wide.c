/* See wide.h. */
#include "strategy/mcr/wide.h"

#include "op/op.h"

bool wide_updates(uint32_t op)
{
        return op == OP_RMW || op == OP_CAS || op == OP_UPDATE;
}

bool wide_is(const struct wire_event *e)
{
        bool accesses =
                wide_updates(e->op) || e->op == OP_READ || e->op == OP_WRITE || e->op == OP_LOAD || e->op == OP_STORE;

        return accesses && (e->obj & 7) + e->size > 8 && !(e->weak & (WIRE_WEAK_HIDDEN | WIRE_WEAK_BUFFERED));
}

uint32_t wide_words(const struct trace *trace, uint32_t i, struct wide_word out[WIRE_MAX_WORDS])
{
        const struct wire_event *e = &trace->events[i];
        uint64_t at = (e->obj | 7) + 1, end = e->obj + e->size;
        uint32_t n = 1;

        out[0] = (struct wide_word){*e, trace->before[i], i};
        out[0].entry.size = (uint32_t)(at - e->obj);
        while (++i < trace->n_events && at < end) {
                const struct wire_event *w = &trace->events[i];
                if (w->op == OP_FORWARD)
                        continue;
                if (w->op != OP_WORD || w->obj != at || w->actor != e->actor || n == WIRE_MAX_WORDS)
                        return 0;
                out[n] = (struct wide_word){*e, trace->before[i], i};
                out[n].entry.flags &= (uint8_t)~WIRE_EV_SCHED;
                out[n].entry.obj = at;
                out[n].entry.size = w->size;
                out[n++].entry.value = w->value;
                at += w->size;
        }
        return at < end ? 0 : n;
}

struct wire_event wide_reads(const struct wide_word *word)
{
        struct wire_event e = word->entry;

        e.mode = WIRE_MODE_READ;
        e.flags &= (uint8_t) ~(WIRE_EV_ACQUIRE | WIRE_EV_RELEASE | WIRE_EV_FAILED);
        return e;
}
