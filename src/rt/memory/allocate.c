/*
 * Allocating and freeing.  The order of frees is an event; a block that is given back twice, or in the wrong way, is a failure.
 */
#include "rt/memory/allocate.h"

#include <errno.h>

#include "rt/memory/access.h"
#include "rt/memory/bytes.h"
#include "rt/memory/shadow.h"
#include "rt/sched/choice.h"
#include "rt/loops/cycle.h"
#include "rt/sched/failure.h"
#include "rt/loops/tracking.h"
#include "rt/signal/unsafe.h"
#include "rt/position.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/modules.h"

/* The way to here: the call itself, and the innermost calls of the shadow stack. */
static uint8_t note_stack(uint64_t *sites, uintptr_t site)
{
        const struct thread *t = rt_cur;
        uint8_t n = 0;

        sites[n++] = t && t->stack.allocates ? t->stack.allocates : site;
        for (uint32_t d = t ? calls_under_way(t) : 0; d > 0 && d <= RT_MAX_CALLS && n < WIRE_BLOCK_STACK; d--)
                sites[n++] = t->stack.calls[d - 1].site;
        return n;
}

static bool denied(uintptr_t site)
{
        if (RT_LIKELY(!rt_on() || !rt.down || !rt.down->fail_malloc))
                return false;
        if (!rt_cur->alloc.no_memory && rt_site_in_libc(site))
                return false;
        return rt_malloc_fails(site);
}

static void *get(uint64_t align, uint64_t size, enum heap_how how, uintptr_t site)
{
        uint32_t slot = rt_on() ? rt_self() : 0;
        struct heap_block *inner = heap_take(slot, align, size);

        if (!inner) {
                errno = ENOMEM;
                return NULL;
        }
        if (RT_UNLIKELY(cycle_on))
                cycle_heap();
        inner->by = (uint16_t)slot;
        inner->how = how;
        inner->marks = rt_on() ? 0 : HEAP_EARLY;
        inner->n_allocated = note_stack(inner->allocated, site);
        inner->n_freed = 0;
        if (rt_on() && !rt.live)
                shadow_own(rt_cur, (uintptr_t)(inner + 1), size);
        return inner + 1;
}

void *heap_alloc(uint64_t align, uint64_t size, enum heap_how how, uintptr_t site)
{
        unsafe_enter(rt_cur, NULL, site);
        if (denied(site)) {
                errno = ENOMEM;
                return NULL;
        }
        return get(align, size, how, site);
}

static _Noreturn void fail_free(const void *p, const struct heap_block *h, uint32_t op, uintptr_t site)
{
        bool twice = h && heap_block_freed(h);

        rt_fail_heap(twice ? WIRE_FAIL_DOUBLE_FREE : WIRE_FAIL_INVALID_FREE, site, "", (uintptr_t)p, 0, op,
                     h                        ? h
                     : heap_has((uintptr_t)p) ? heap_find((uintptr_t)p)
                                              : NULL);
}

static _Noreturn void fail_how(const void *p, const struct heap_block *h, enum heap_how how, uintptr_t site)
{
        static const char *const gives[] = {"malloc", "new", "new[]"}, *const takes[] = {"free", "delete", "delete[]"};
        char text[80];

        rt_format(text, sizeof(text), "a block of %s is given back by %s", gives[h->how], takes[how]);
        rt_fail_heap(WIRE_FAIL_INVALID_FREE, site, text, (uintptr_t)p, 0, OP_FREE, h);
}

/* Lets the scheduler say when a block is given back or resized, and stops a thread that does it to what is none.
 * NULL: nothing may be done.  The order of two frees is an event like any other, so the block is judged after it.
 * libc also frees what the loader allocated before there was a heap. */
static struct heap_block *claim(void *p, uint32_t op, uintptr_t site)
{
        struct heap_block *h = heap_header_of(p);
        bool in_libc;

        if (!rt_on())
                return h && heap_block_live(h) ? h : NULL;
        in_libc = rt_site_in_libc(site);
        if (h && !in_libc) {
                access_range(op, p, h->size ? h->size : 1, site);
                h = heap_header_of(p);
        }
        if ((h && heap_block_freed(h)) || (!h && !in_libc))
                fail_free(p, h, op, site);
        return h;
}

static bool is_shared(const struct heap_block *h)
{
        uintptr_t p = (uintptr_t)(h + 1);

        for (uint64_t i = 0; rt.live && rt_on() && i < h->size; i += 8)
                if (shadow_is_shared(p + i))
                        return true;
        return false;
}

static void give_back(struct heap_block *h, uintptr_t site)
{
        uint32_t self = rt_on() ? rt_self() : 0;

        if (RT_UNLIKELY(cycle_on))
                cycle_heap();
        h->freed_by = (uint16_t)self;
        h->n_freed = note_stack(h->freed, site);
        if (rt_on())
                shadow_slow((uintptr_t)(h + 1), h->size);
        heap_give(h, self, is_shared(h));
}

void heap_free(void *p, enum heap_how how, uintptr_t site)
{
        struct heap_block *h;

        if (p)
                unsafe_enter(rt_cur, NULL, site);
        h = p ? claim(p, OP_FREE, site) : NULL;
        if (h && h->how != how && rt_on())
                fail_how(p, h, how, site);
        if (h)
                give_back(h, site);
}

/* A block that moves is freed; one that stays counts as written, since its old address must not be used either. */
void *heap_realloc(void *p, size_t size, uintptr_t site)
{
        struct heap_block *h = heap_header_of(p);
        bool stays = h && heap_block_live(h) && heap_fits(h, size);
        void *q;

        if (!p)
                return heap_alloc(0, size, HEAP_MALLOC, site);
        if (!size) {
                heap_free(p, HEAP_MALLOC, site);
                return NULL;
        }
        unsafe_enter(rt_cur, NULL, site);
        if (!stays && denied(site)) {
                errno = ENOMEM;
                return NULL;
        }
        h = claim(p, stays ? OP_WRITE : OP_FREE, site);
        if (!h)
                return NULL;
        if (heap_fits(h, size)) {
                if (rt_on() && size < h->size) /* what lies behind its end from now on is checked again */
                        shadow_slow((uintptr_t)p + size, h->size - size);
                h->size = size;
                return p;
        }
        q = get(0, size, HEAP_MALLOC, site);
        if (!q)
                return NULL;
        bytes_copy(q, p, h->size < size ? h->size : size);
        give_back(h, site);
        return q;
}
